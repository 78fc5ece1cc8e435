//! Solids from their surfaces.

use super::solid::{Solid, SolidError};
use crate::contact::detect::{Convex, Polyhedron};
use crate::contact::obstacle::Surface;
use crate::vector::{cross, length, minus, plus, times};

/// What a surface in single precision leaves uncertain, relative to its size.
const SINGLE: f64 = 1e-6;

impl Solid {
    /// The convex body within a closed surface of triangles, in any orientation. Points are good for single
    /// precision, 10⁻⁶ of the size: triangles that nearly lie in one plane make one face.
    pub fn from_surface(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, SolidError> {
        let surface = Surface::new(points, triangles, Surface::CREASE_ANGLE, false)?;
        let mut used: Vec<u32> = triangles.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let vertices: Vec<[f64; 3]> = used.iter().map(|&vertex| points[vertex as usize]).collect();
        let size = extent(&vertices);
        let hull = Polyhedron::hull_within(&vertices, SINGLE * size)?;
        // Faces are joined, and their corners moved, within a few times that.
        let near = 16.0 * SINGLE * size;
        let deepest = used.iter().map(|&vertex| (hull.depth(points[vertex as usize]), vertex));
        if let Some((depth, vertex)) = deepest.max_by(|a, b| a.0.total_cmp(&b.0))
            && depth > near
        {
            let place = points[vertex as usize];
            return Err(SolidError::Dent { vertex, place, depth });
        }
        for (triangle, ids) in triangles.iter().enumerate() {
            let [a, b, c] = ids.map(|id| points[id as usize]);
            let depth = hull.depth(times(1.0 / 3.0, plus(a, plus(b, c))));
            if depth > near {
                return Err(SolidError::Groove { triangle, depth });
            }
        }
        let area: f64 = surface.corners().map(|[a, b, c]| twice(a, b, c)).sum();
        let ratio = area / twice_area(&hull);
        // A surface that lies on that of its hull covers it once or several times.
        if ratio > 1.5 {
            return Err(SolidError::Doubled { ratio });
        }
        Self::of_pieces(vec![Convex::Polyhedron(hull)])
    }
}

/// The longest side of the box around points.
fn extent(points: &[[f64; 3]]) -> f64 {
    let along = |i: usize| {
        let most = |sign: f64| points.iter().map(|x| sign * x[i]).fold(f64::NEG_INFINITY, f64::max);
        most(1.0) + most(-1.0)
    };
    [0, 1, 2].map(along).into_iter().fold(0.0, f64::max)
}

fn twice(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    length(cross(minus(b, a), minus(c, a)))
}

fn twice_area(hull: &Polyhedron) -> f64 {
    let of_face = |corners: &[u32]| -> f64 {
        let at = |k: usize| hull.vertices[corners[k] as usize];
        (2..corners.len()).map(|k| twice(at(0), at(k - 1), at(k))).sum()
    };
    hull.faces.iter().map(|face| of_face(&face.corners)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::dot;
    use crate::vector::rotation::matrix_of;

    /// The triangles of the drawing of a solid, turned over one by one: any orientation will do.
    fn shell(solid: &Solid) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let (points, polygons) = solid.drawing();
        let mut triangles = Vec::new();
        for corners in polygons {
            for k in 2..corners.len() {
                triangles.push([corners[0], corners[k - 1], corners[k]]);
                if triangles.len() % 2 == 0 {
                    triangles.last_mut().unwrap().swap(0, 1);
                }
            }
        }
        (points, triangles)
    }

    #[test]
    fn a_box_a_drum_and_a_ball_of_triangles_are_bodies_again() {
        for solid in [
            Solid::cuboid([1.0, 2.0, 3.0]).unwrap(),
            Solid::drum(1.0, 2.0, 30).unwrap(),
            Solid::ball(2.0).unwrap(),
        ] {
            let (points, triangles) = shell(&solid);
            let turn = matrix_of([0.2, 0.1, -0.3]);
            // Single precision, as in most files.
            let rounded = |x: &[f64; 3]| turn.map(|row| f64::from(dot(row, *x) as f32));
            let rounded: Vec<_> = points.iter().map(rounded).collect();
            let found = Solid::from_surface(&rounded, &triangles).unwrap();
            if !matches!(solid.pieces[0], Convex::Ball { .. }) {
                assert!((found.volume / solid.volume - 1.0).abs() < 1e-6);
                let faces = |solid: &Solid| solid.drawing().1.len();
                assert_eq!(faces(&found), faces(&solid));
            }
        }
    }

    #[test]
    fn dents_grooves_holes_and_double_walls_are_told() {
        let told = |points: &[[f64; 3]], triangles: &[[u32; 3]], words: &str| {
            let message = Solid::from_surface(points, triangles).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        };
        let (mut points, mut triangles) = shell(&Solid::cuboid([2.0; 3]).unwrap());
        told(&points, &triangles[1..], "the surface is open");
        told(&points, &[[0, 1, 99]], "names vertex 99");
        // The middle of a face, pushed in.
        let [a, b, c] = triangles[0];
        triangles.splice(..1, [[a, b, 8], [b, c, 8], [c, a, 8]]);
        let middle = [a, b, c].iter().fold([0.0; 3], |sum, &v| plus(sum, points[v as usize]));
        points.push(times(0.25, middle));
        let dent = "its vertex 8 at (";
        told(&points, &triangles, dent);
        told(&points, &triangles, "2.500e-1 inside its convex hull; cut it into convex pieces");
        points[8] = times(1.0 / 3.0, middle);
        assert_eq!(Solid::from_surface(&points, &triangles).unwrap().drawing().1.len(), 6);
    }

    /// A notch from end to end of a bar: its bottom line ends in the hull's own faces.
    #[test]
    fn a_groove_whose_vertices_all_lie_on_the_hull_is_told() {
        let outline: [[f64; 2]; 5] =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 0.5], [-1.0, 1.0]];
        let mut points = Vec::new();
        for z in [-1.0, 1.0] {
            points.extend(outline.map(|[x, y]| [x, y, z]));
        }
        let mut triangles = Vec::new();
        for k in 0..5 {
            let next = (k + 1) % 5;
            triangles.extend([[k, next, 5 + next], [k, 5 + next, 5 + k]]);
        }
        for ends in [[0, 1, 3], [1, 2, 3], [0, 3, 4]] {
            triangles.extend([ends, ends.map(|k| 5 + k)]);
        }
        let error = Solid::from_surface(&points, &triangles).unwrap_err();
        assert!(matches!(error, SolidError::Groove { triangle: 4..8, .. }), "{error}");
    }
}
