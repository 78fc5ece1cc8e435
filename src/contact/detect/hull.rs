//! Convex hulls: polyhedra from points.

use std::collections::HashMap;
use std::f64::consts::PI;

use thiserror::Error;

use super::facets::facets;
use super::lattice::{self, BITS};
use super::{Edge, FlatFace, Polyhedron};
use crate::vector::{cross, dot, length, minus, plus, unit};

/// Coordinates and sizes between which fifth powers keep within the range of numbers.
const LARGEST: f64 = 1e60;

/// Why points are not the corners of a convex polyhedron. Vertices count from 0.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HullError {
    /// Fewer than a tetrahedron has.
    #[error("a polyhedron has four vertices at least, not {count}; give more")]
    TooFew {
        /// How many there are.
        count: usize,
    },
    /// A coordinate that is infinite, not a number, or too large to compute with.
    #[error(
        "vertex {vertex} is {}; give finite coordinates, in units that make them smaller than {LARGEST:e}",
        point(place)
    )]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Where it is.
        place: [f64; 3],
    },
    /// All points in one plane, on a line or in one place.
    #[error(
        "all {count} vertices lie in one plane to within {tolerance:.1e}; give the body a thickness"
    )]
    Flat {
        /// How many there are.
        count: usize,
        /// The distance that does not count.
        tolerance: f64,
    },
    /// Two vertices in one place.
    #[error("vertices {first} and {vertex} are both at {}; leave one of them out", point(place))]
    Twice {
        /// The later one.
        vertex: usize,
        /// The earlier one.
        first: usize,
        /// Where they are.
        place: [f64; 3],
    },
    /// A vertex that is no corner of the hull.
    #[error(
        "vertex {vertex} at {} is no corner of the convex hull of all, but {depth:.3e} below its surface; leave it out, or cut the body into convex pieces (compound)",
        point(place)
    )]
    Inner {
        /// The vertex.
        vertex: usize,
        /// Where it is.
        place: [f64; 3],
        /// Its distance from the nearest face; 0 in a face or on an edge.
        depth: f64,
    },
    /// Faces and edges that cannot be told from roundings.
    #[error(
        "the vertices nearly coincide, or nearly lie in planes, in so many ways that their hull is uncertain; leave out those within {tolerance:.1e} of each other"
    )]
    Uncertain {
        /// The distance that does not count.
        tolerance: f64,
    },
}

fn point(x: &[f64; 3]) -> String {
    format!("({:?}, {:?}, {:?})", x[0], x[1], x[2])
}

impl Polyhedron {
    /// Distance from a plane, relative to the size, at which a point lies in it.
    pub const PLANE: f64 = 4.0 / (1u64 << BITS) as f64;

    /// The convex hull of points: no two faces in one plane, no corner within an edge. Corners are those of
    /// the points that stick out, bit by bit and in their order; faces and edges have an order that
    /// depends on that alone.
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, HullError> {
        Self::hull_within(points, 0.0)
    }

    /// [`Self::hull`] of points that are known to this distance only, as those of a file in single precision:
    /// what is nearer to a plane lies in it. [`Self::PLANE`] of the size and four roundings of the
    /// coordinates are allowed in any case.
    pub fn hull_within(points: &[[f64; 3]], distance: f64) -> Result<Self, HullError> {
        if let Some(vertex) = points.iter().position(|x| !x.iter().all(|x| x.abs() < LARGEST)) {
            return Err(HullError::NotFinite { vertex, place: points[vertex] });
        }
        if points.len() < 4 {
            return Err(HullError::TooFew { count: points.len() });
        }
        let tolerance = distance.max(roundings(points)).max(1.0 / LARGEST);
        // Where roundings make a puzzle of the faces, a coarser look at them does not.
        for coarser in [1.0, 16.0, 256.0, 4096.0, 65536.0] {
            let within = coarser * tolerance;
            let faces = lattice::triangles(points, 0.25 * within)
                .ok_or(HullError::Flat { count: points.len(), tolerance: within })?;
            let hull = facets(points, &faces, within).map(|loops| Self::of_used(points, loops));
            if let Some(hull) = hull.filter(|hull| hull.is_convex(8.0 * within)) {
                return Ok(hull);
            }
        }
        Err(HullError::Uncertain { tolerance })
    }

    /// The polyhedron with these corners, each of which must be one.
    pub fn hull_of_corners(corners: &[[f64; 3]]) -> Result<Self, HullError> {
        let hull = Self::hull(corners)?;
        if hull.vertices.len() == corners.len() {
            return Ok(hull);
        }
        let near = 2.0 * roundings(corners);
        let mut kept = hull.vertices.iter().peekable();
        for (vertex, &place) in corners.iter().enumerate() {
            if kept.next_if_eq(&&place).is_some() {
                continue;
            }
            let same = |x: &[f64; 3]| (0..3).all(|i| (x[i] - place[i]).abs() <= near);
            return Err(match corners[..vertex].iter().position(same) {
                Some(first) => HullError::Twice { vertex, first, place },
                None => HullError::Inner { vertex, place, depth: hull.depth(place).max(0.0) },
            });
        }
        Ok(hull)
    }

    /// A box about the origin, with edges of these lengths along x, y and z.
    pub fn cuboid(size: [f64; 3]) -> Self {
        let corner =
            |k: usize| [0, 1, 2].map(|i| size[i] * if k >> i & 1 == 1 { 0.5 } else { -0.5 });
        let loops =
            [[0, 1, 5, 4], [0, 2, 3, 1], [0, 4, 6, 2], [1, 3, 7, 5], [2, 6, 7, 3], [4, 5, 7, 6]];
        Self::of_loops((0..8).map(corner).collect(), loops.map(Vec::from).into())
    }

    /// A drum about the origin: a regular polygon with corners on a circle, drawn out along z. The first of
    /// its sides has the normal x. Opposite sides have opposite normals, bit by bit.
    pub fn prism(sides: u32, radius: f64, length: f64) -> Self {
        let n = sides.max(3);
        let corner = |k: u32| {
            // Halfway between the normals 2π(k − ½)/n.
            let [x, y] = on_circle(2 * u64::from(k % n) + 2 * u64::from(n) - 1, 2 * u64::from(n));
            [radius * x, radius * y, if k < n { -0.5 * length } else { 0.5 * length }]
        };
        let side = |k: u32| vec![k, (k + 1) % n, n + (k + 1) % n, n + k];
        let mut loops: Vec<Vec<u32>> = (0..n).map(side).collect();
        loops.push((0..n).rev().collect());
        loops.push((n..2 * n).collect());
        Self::of_loops((0..2 * n).map(corner).collect(), loops)
    }

    /// How far below the nearest face a point lies; negative outside.
    pub fn depth(&self, x: [f64; 3]) -> f64 {
        let below = self.faces.iter().map(|face| face.offset - dot(face.normal, x));
        below.fold(f64::INFINITY, f64::min)
    }

    /// Whether no corner is farther than this out of a face, nor those of a face farther below it. The normal
    /// of a face that is small beside the roundings of its corners may point anywhere.
    fn is_convex(&self, distance: f64) -> bool {
        let below = |face: &FlatFace, x: [f64; 3]| face.offset - dot(face.normal, x);
        let lies = |face: &FlatFace| {
            let corners = face.corners.iter().map(|&corner| self.vertices[corner as usize]);
            length(face.normal) > 0.5
                && corners.into_iter().all(|x| below(face, x) < distance)
                && self.vertices.iter().all(|&x| below(face, x) > -distance)
        };
        self.faces.iter().all(lies)
    }

    /// From faces whose corners are numbered among `points`, of which the others are left out.
    fn of_used(points: &[[f64; 3]], mut loops: Vec<Vec<u32>>) -> Self {
        let mut used: Vec<u32> = loops.concat();
        used.sort_unstable();
        used.dedup();
        for corner in loops.iter_mut().flatten() {
            *corner = used.partition_point(|other| other < corner) as u32;
        }
        Self::of_loops(used.iter().map(|&i| points[i as usize]).collect(), loops)
    }

    /// From its corners and the loops around its faces, which are known to close it.
    pub(crate) fn of_loops(vertices: Vec<[f64; 3]>, mut loops: Vec<Vec<u32>>) -> Self {
        for corners in &mut loops {
            let least = (0..corners.len()).min_by_key(|&k| corners[k]).unwrap_or(0);
            corners.rotate_left(least);
        }
        loops.sort();
        let mut sides = HashMap::new();
        for (f, corners) in loops.iter().enumerate() {
            for (k, &a) in corners.iter().enumerate() {
                sides.insert([a, corners[(k + 1) % corners.len()]], f as u32);
            }
        }
        let edge = |(&[a, b], &f): (&[u32; 2], &u32)| {
            let other = sides.get(&[b, a]).filter(|_| a < b);
            other.map(|&other| Edge { ends: [a, b], faces: [f, other] })
        };
        let mut edges: Vec<Edge> = sides.iter().filter_map(edge).collect();
        edges.sort_by_key(|edge| edge.ends);
        assert!(
            2 * edges.len() == sides.len(),
            "every edge of a polyhedron has a face on each side"
        );
        let faces = loops.into_iter().map(|corners| flat_face(&vertices, corners)).collect();
        Self { vertices, faces, edges }
    }
}

/// The face with these corners: its normal is along ½ Σ (xᵢ − x₀) × (xᵢ₊₁ − x₀), in which what is exactly 0
/// stays so, and it touches the outermost of them.
fn flat_face(vertices: &[[f64; 3]], corners: Vec<u32>) -> FlatFace {
    let at = |k: usize| minus(vertices[corners[k] as usize], vertices[corners[0] as usize]);
    let area = (2..corners.len()).fold([0.0; 3], |sum, k| plus(sum, cross(at(k - 1), at(k))));
    // −0 + 0 = 0: equal normals have equal bits.
    let normal = unit(area).unwrap_or([0.0; 3]).map(|n| n + 0.0);
    let along = corners.iter().map(|&corner| dot(normal, vertices[corner as usize]));
    let offset = along.fold(f64::NEG_INFINITY, f64::max);
    FlatFace { corners, normal, offset }
}

/// What coordinates of this size do not tell.
fn roundings(points: &[[f64; 3]]) -> f64 {
    let largest = points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let range = |i: usize| {
        let along = points.iter().map(|x| x[i]);
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let size = [0, 1, 2].map(range).into_iter().fold(0.0, f64::max);
    (Polyhedron::PLANE * size).max(4.0 * f64::EPSILON * largest)
}

/// (cos, sin) of k/n of a turn, the same numbers in all octants.
fn on_circle(k: u64, n: u64) -> [f64; 2] {
    let eighths = 8 * (k % n);
    let (octant, rest) = (eighths / n, eighths % n);
    let within = if octant % 2 == 0 { rest } else { n - rest };
    let (sine, cosine) = (PI / 4.0 * (within as f64 / n as f64)).sin_cos();
    // At π/4 the two are the same number.
    let cosine = if within == n { sine } else { cosine };
    match octant {
        0 => [cosine, sine],
        1 => [sine, cosine],
        2 => [-sine, cosine],
        3 => [-cosine, sine],
        4 => [-cosine, -sine],
        5 => [-sine, -cosine],
        6 => [sine, -cosine],
        _ => [cosine, -sine],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::rotation::matrix_of;
    use crate::vector::times;

    /// Numbers in [−1, 1) that look random.
    struct Chance(u64);

    impl Chance {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }

        fn point(&mut self) -> [f64; 3] {
            [self.next(), self.next(), self.next()]
        }
    }

    /// Points turned and moved: what was exact is now rounded.
    fn placed(points: &[[f64; 3]], phi: [f64; 3], place: [f64; 3]) -> Vec<[f64; 3]> {
        let turn = matrix_of(phi);
        points.iter().map(|&x| plus(place, turn.map(|row| dot(row, x)))).collect()
    }

    /// A polyhedron that closes, is convex, and holds all points, to within this distance.
    fn hold_sound(hull: &Polyhedron, points: &[[f64; 3]], distance: f64) {
        assert_eq!(hull.vertices.len() + hull.faces.len(), hull.edges.len() + 2);
        for &x in points {
            assert!(hull.depth(x) > -distance, "{:e} outside", -hull.depth(x));
        }
        for face in &hull.faces {
            assert!((length(face.normal) - 1.0).abs() < 4.0 * f64::EPSILON);
            for &corner in &face.corners {
                let below = face.offset - dot(face.normal, hull.vertices[corner as usize]);
                assert!((0.0..distance).contains(&below), "{below:e}");
            }
        }
        for edge in &hull.edges {
            for (k, &f) in edge.faces.iter().enumerate() {
                let corners = &hull.faces[f as usize].corners;
                let at = corners.iter().position(|&c| c == edge.ends[k]).unwrap();
                assert_eq!(corners[(at + 1) % corners.len()], edge.ends[1 - k]);
            }
        }
    }

    fn counts(hull: &Polyhedron) -> [usize; 3] {
        [hull.vertices.len(), hull.edges.len(), hull.faces.len()]
    }

    fn grid(n: u32) -> Vec<[f64; 3]> {
        (0..n * n * n).map(|k| [k % n, k / n % n, k / n / n].map(f64::from)).collect()
    }

    #[test]
    fn a_box_has_six_faces_whose_normals_are_the_axes() {
        let cuboid = Polyhedron::cuboid([1.01, 2.01, 0.1]);
        assert_eq!(counts(&cuboid), [8, 12, 6]);
        hold_sound(&cuboid, &cuboid.vertices, 1e-300);
        for (face, normal) in cuboid.faces.iter().zip([
            [0.0, -1.0, 0.0],
            [0.0, 0.0, -1.0],
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ]) {
            assert_eq!(face.normal.map(f64::to_bits), normal.map(f64::to_bits));
            assert!([0.505, 1.005, 0.05].contains(&face.offset));
        }
        assert_eq!(Polyhedron::hull(&cuboid.vertices).unwrap(), cuboid);
    }

    #[test]
    fn a_drum_has_two_ends_and_pairs_of_opposite_normals() {
        for sides in [3, 4, 6, 7, 16, 24, 64] {
            let drum = Polyhedron::prism(sides, 1.7, 0.8);
            let n = sides as usize;
            assert_eq!(counts(&drum), [2 * n, 3 * n, n + 2]);
            hold_sound(&drum, &drum.vertices, 1e-15);
            assert_eq!(Polyhedron::hull(&drum.vertices).unwrap(), drum);
            let normals: Vec<_> = drum.faces.iter().map(|face| face.normal).collect();
            assert!(normals.contains(&[0.0, 0.0, 1.0]) && normals.contains(&[0.0, 0.0, -1.0]));
            assert!(normals.contains(&[1.0, 0.0, 0.0]), "{sides}");
            if sides % 2 == 0 {
                assert!(normals.iter().all(|&n| normals.contains(&times(-1.0, n))));
            }
        }
        let normals: Vec<_> =
            Polyhedron::prism(4, 1.0, 1.0).faces.iter().map(|f| f.normal).collect();
        assert!(normals.iter().flatten().all(|n| [-1.0, 0.0, 1.0].contains(n)));
    }

    /// Points on faces and edges are rounded to either side of them.
    #[test]
    fn the_hull_of_a_grid_is_its_cube_wherever_it_lies() {
        let mut chance = Chance(1);
        for trial in 0..60 {
            let place = times(f64::powi(10.0, trial % 7), chance.point());
            let points = placed(&grid(2 + trial as u32 % 5), times(3.0, chance.point()), place);
            let hull = Polyhedron::hull(&points).unwrap();
            assert_eq!(counts(&hull), [8, 12, 6], "{trial}");
            hold_sound(&hull, &points, 1e-11 + 1e-15 * length(place));
        }
    }

    #[test]
    fn prisms_with_many_sides_and_points_on_their_faces_keep_their_faces() {
        let mut chance = Chance(2);
        for trial in 0..60 {
            let sides = 3 + trial % 62;
            let drum = Polyhedron::prism(sides, 1.0, f64::powi(0.1, trial as i32 % 4));
            let mut points = drum.vertices.clone();
            for _ in 0..100 {
                // Between the corners of a side and of an end.
                let face = &drum.faces[chance.0 as usize % drum.faces.len()].corners;
                let at = |k: usize| drum.vertices[face[k] as usize];
                let s = 0.5 + 0.5 * chance.next();
                points.push(plus(times(s, at(0)), times(1.0 - s, at(face.len() - 1))));
                points.push(plus(times(0.5, at(0)), times(0.5, at(face.len() / 2))));
            }
            let points = placed(&points, times(3.0, chance.point()), chance.point());
            let hull = Polyhedron::hull(&points).unwrap();
            assert_eq!(counts(&hull), counts(&drum), "{trial}");
            hold_sound(&hull, &points, 1e-11);
        }
    }

    #[test]
    fn clouds_balls_needles_and_plates_are_enclosed() {
        let mut chance = Chance(3);
        for trial in 0..80 {
            let size = [1.0, f64::powi(0.1, trial % 6), f64::powi(0.1, trial % 11 / 2)];
            let round = trial % 2 == 0;
            let mut points = Vec::new();
            for _ in 0..(5 + trial * trial / 4) {
                let x = chance.point();
                let x = if round { unit(x).unwrap() } else { x };
                points.push([0, 1, 2].map(|i| size[i] * x[i]));
            }
            let points = placed(&points, times(3.0, chance.point()), chance.point());
            let hull = Polyhedron::hull(&points).unwrap();
            hold_sound(&hull, &points, 3.0 * Polyhedron::PLANE * 4.0);
            if round {
                assert_eq!(hull.vertices.len(), points.len());
                assert_eq!(Polyhedron::hull_of_corners(&points).unwrap(), hull);
            }
        }
    }

    /// Points in single precision, as files have them: the faces are those of the drum, not of the roundings.
    #[test]
    fn points_in_single_precision_are_joined_within_their_precision() {
        let mut chance = Chance(4);
        for trial in 0..40 {
            let drum = Polyhedron::prism(8 + trial, 1.0, 1.5);
            let mut points = placed(&drum.vertices, chance.point(), chance.point());
            points.iter_mut().flatten().for_each(|x| *x = f64::from(*x as f32));
            let hull = Polyhedron::hull_within(&points, 1e-6).unwrap();
            assert_eq!(counts(&hull), counts(&drum), "{trial}");
            hold_sound(&hull, &points, 1e-5);
        }
    }

    #[test]
    fn what_has_no_hull_is_told() {
        let cube = grid(2);
        let told = |points: &[[f64; 3]], words: &str| {
            let message = Polyhedron::hull_of_corners(points).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        };
        told(&cube[..3], "four vertices at least, not 3");
        told(&cube[..4], "all 4 vertices lie in one plane");
        told(&[[1.0; 3]; 9], "all 9 vertices lie in one plane");
        told(&[[0.0; 3]; 9], "all 9 vertices lie in one plane");
        for bad in [f64::NAN, f64::INFINITY, 1e61] {
            told(&[cube[0], cube[1], cube[2], [0.0, bad, 0.0]], "vertex 3 is (0.0, ");
        }
        let with = |x: [f64; 3]| [&cube[..5], &[x], &cube[5..]].concat();
        told(
            &with([0.5, 0.25, 0.5]),
            "vertex 5 at (0.5, 0.25, 0.5) is no corner of the convex hull of all, but 2.500e-1 below",
        );
        told(&with([0.5, 0.0, 0.0]), "but 0.000e0 below");
        told(&with([0.0, 1.0, 0.0]), "vertices 2 and 5 are both at (0.0, 1.0, 0.0)");
        assert_eq!(Polyhedron::hull(&with([0.5, 0.0, 0.0])).unwrap().vertices, cube);
    }

    #[test]
    fn the_unit_of_length_does_not_matter() {
        let points = placed(&grid(3), [0.3, 1.0, -0.7], [0.0; 3]);
        for scale in [1e-40, 1e-9, 1e9, 1e40] {
            let scaled: Vec<_> = points.iter().map(|&x| times(scale, x)).collect();
            assert_eq!(counts(&Polyhedron::hull(&scaled).unwrap()), [8, 12, 6], "{scale}");
        }
    }
}
