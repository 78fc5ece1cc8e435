//! Solids: rigid bodies in space, made of convex pieces.

use thiserror::Error;

use super::moments::Spread;
use crate::contact::detect::{Convex, HullError, Placement, Polyhedron};
use crate::contact::obstacle::SurfaceError;
use crate::vector::{length, plus};

/// A rigid body in space, of any density.
///
/// Its own coordinates have their origin in its centre of mass and their axes along its principal axes. Those
/// are the given axes where the body allows it: a box given upright stays so.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Its pieces, in its own coordinates.
    pub pieces: Vec<Convex>,
    /// Its volume.
    pub volume: f64,
    /// ∫ (y² + z²) dV, ∫ (z² + x²) dV and ∫ (x² + y²) dV.
    pub moments: [f64; 3],
    /// Its centre of mass, in the coordinates in which it was given.
    pub center: [f64; 3],
    /// Its principal axes in those coordinates, row by row and right-handed.
    pub axes: [[f64; 3]; 3],
    /// Distance of its farthest point from the centre.
    pub reach: f64,
}

/// Why there is no such solid. Pieces, vertices and triangles count from 0.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolidError {
    /// A size that is none.
    #[error("the {what} is {value}; give a positive length")]
    Size {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// No pieces.
    #[error("the body has no pieces; give one at least")]
    NoPieces,
    /// Vertices that make no polyhedron.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// Vertices of a piece that make no polyhedron.
    #[error("piece {piece}: {error}")]
    Piece {
        /// Which.
        piece: usize,
        /// What is wrong with it.
        error: HullError,
    },
    /// Pieces without volume, or of sizes that no number holds.
    #[error(
        "the body has the volume {volume:e} and the moments {moments:?}; give it a positive volume, in units that keep these in range"
    )]
    NoVolume {
        /// Its volume.
        volume: f64,
        /// Its principal second moments.
        moments: [f64; 3],
    },
    /// Triangles that enclose nothing.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A vertex of a surface inside its hull.
    #[error("the surface is not convex: its vertex {vertex} at ({:?}, {:?}, {:?}) is {depth:.3e} inside its convex hull; cut it into convex pieces (compound)", place[0], place[1], place[2])]
    Dent {
        /// The vertex.
        vertex: u32,
        /// Where it is.
        place: [f64; 3],
        /// How far below the surface of the hull.
        depth: f64,
    },
    /// A triangle of a surface inside its hull, or a surface that covers it twice.
    #[error(
        "the surface is not convex: its triangle {triangle} is {depth:.3e} inside its convex hull; cut it into convex pieces (compound)"
    )]
    Groove {
        /// The triangle.
        triangle: usize,
        /// How far its middle is below the surface of the hull.
        depth: f64,
    },
    /// A surface that covers its hull more than once.
    #[error(
        "the surface has {ratio:.3} times the area of its convex hull; remove what is there twice"
    )]
    Doubled {
        /// Its area over that of the hull.
        ratio: f64,
    },
}

impl Solid {
    /// A ball.
    pub fn ball(radius: f64) -> Result<Self, SolidError> {
        hold_positive("radius", radius)?;
        Self::of_pieces(vec![Convex::Ball { center: [0.0; 3], radius }])
    }

    /// A box with edges of these lengths along x, y and z: V (b² + c²)/12 …
    pub fn cuboid(size: [f64; 3]) -> Result<Self, SolidError> {
        for (what, size) in ["size along x", "size along y", "size along z"].iter().zip(size) {
            hold_positive(what, size)?;
        }
        let mut solid = Self::of_pieces(vec![Convex::Polyhedron(Polyhedron::cuboid(size))])?;
        let [a, b, c] = size.map(|size| size * size / 12.0);
        // Equal edges have equal moments, which sums over faces have but for their roundings.
        solid.volume = size[0] * size[1] * size[2];
        solid.moments = [b + c, c + a, a + b].map(|moment| solid.volume * moment);
        Ok(solid)
    }

    /// All points within a radius of a segment of this length on the axis z.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, SolidError> {
        hold_positive("radius", radius)?;
        hold_positive("length", length)?;
        let ends = [[0.0, 0.0, -0.5 * length], [0.0, 0.0, 0.5 * length]];
        Self::of_pieces(vec![Convex::Capsule { ends, radius }])
    }

    /// A drum with the axis z, its ends regular polygons with corners at this radius.
    pub fn drum(radius: f64, length: f64, sides: u32) -> Result<Self, SolidError> {
        hold_positive("radius", radius)?;
        hold_positive("length", length)?;
        if sides < 3 {
            return Err(SolidError::Hull(HullError::TooFew { count: 2 * sides as usize }));
        }
        Self::of_pieces(vec![Convex::Polyhedron(Polyhedron::prism(sides, radius, length))])
    }

    /// A convex polyhedron, each vertex a corner of it.
    pub fn polyhedron(vertices: &[[f64; 3]]) -> Result<Self, SolidError> {
        Self::of_pieces(vec![Convex::Polyhedron(Polyhedron::hull_of_corners(vertices)?)])
    }

    /// Convex polyhedra, each by its vertices and moved by an offset, and balls, each by its centre and radius. They must
    /// not share volume: it would be counted twice.
    pub fn compound(
        parts: &[(Vec<[f64; 3]>, [f64; 3])],
        balls: &[([f64; 3], f64)],
    ) -> Result<Self, SolidError> {
        let hull = |(piece, (vertices, offset)): (usize, &(Vec<[f64; 3]>, [f64; 3]))| {
            let vertices: Vec<_> = vertices.iter().map(|&x| plus(x, *offset)).collect();
            let hull = Polyhedron::hull_of_corners(&vertices);
            hull.map(Convex::Polyhedron).map_err(|error| SolidError::Piece { piece, error })
        };
        let balls = balls.iter().map(|&(center, radius)| {
            hold_positive("radius of a ball", radius)?;
            Ok(Convex::Ball { center, radius })
        });
        Self::of_pieces(parts.iter().enumerate().map(hull).chain(balls).collect::<Result<_, _>>()?)
    }

    /// Convex pieces that share no volume, in any coordinates.
    pub fn of_pieces(mut pieces: Vec<Convex>) -> Result<Self, SolidError> {
        if pieces.is_empty() {
            return Err(SolidError::NoPieces);
        }
        let parts: Vec<Spread> = pieces.iter().map(Spread::of).collect();
        let spread = Spread::of_all(&parts);
        let (axes, moments) = spread.principal();
        let volume = spread.volume;
        let is_sound = |x: f64| x.is_normal() && x > 0.0;
        if !is_sound(volume) || !moments.iter().all(|&moment| is_sound(moment)) {
            return Err(SolidError::NoVolume { volume, moments });
        }
        let size = pieces.iter().map(farthest).fold(0.0, f64::max);
        // A centre that misses the origin by roundings is in it.
        let center = spread.center.map(|c| if c.abs() <= 1e-14 * size { 0.0 } else { c });
        let seat = Placement { place: center, turn: transposed(axes) };
        pieces.iter_mut().for_each(|piece| seen_from(piece, &seat));
        let reach = pieces.iter().map(farthest).fold(0.0, f64::max);
        Ok(Self { pieces, volume, moments, center, axes, reach })
    }

    /// The body that is not homogeneous: its centre of mass is elsewhere, and its principal axes are those in which it was
    /// given. What it has of volume and moments stays that of one density.
    #[must_use]
    pub fn about(mut self, center: [f64; 3]) -> Self {
        let own = self.seat();
        let rows = own.turn;
        // Seen from there, what was x is R x + c₀ − c.
        let seat = Placement { place: own.to_body(center), turn: transposed(rows) };
        self.pieces.iter_mut().for_each(|piece| seen_from(piece, &seat));
        self.reach = self.pieces.iter().map(farthest).fold(0.0, f64::max);
        (self.center, self.axes) = (center, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        self
    }

    /// Where its own coordinates are in those in which it was given.
    pub fn seat(&self) -> Placement {
        Placement { place: self.center, turn: transposed(self.axes) }
    }

    /// The mass at a density.
    pub fn mass(&self, density: f64) -> f64 {
        density * self.volume
    }

    /// Moments of inertia about the principal axes, of a homogeneous body of this mass.
    pub fn inertia(&self, mass: f64) -> [f64; 3] {
        self.moments.map(|moment| mass / self.volume * moment)
    }
}

fn hold_positive(what: &'static str, value: f64) -> Result<(), SolidError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(SolidError::Size { what, value })
}

fn transposed(axes: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| axes.map(|axis| axis[i]))
}

/// Distance of the farthest point of a piece from the origin.
fn farthest(piece: &Convex) -> f64 {
    let most = |points: &[[f64; 3]]| points.iter().map(|&x| length(x)).fold(0.0, f64::max);
    match piece {
        Convex::Ball { center, radius } => most(&[*center]) + radius,
        Convex::Capsule { ends, radius } => most(ends) + radius,
        Convex::Polyhedron(polyhedron) => most(&polyhedron.vertices),
        Convex::Polygon(polygon) => most(&polygon.vertices),
    }
}

/// A piece in the coordinates of a seat.
fn seen_from(piece: &mut Convex, seat: &Placement) {
    match piece {
        Convex::Ball { center, .. } => *center = seat.to_body(*center),
        Convex::Capsule { ends, .. } => *ends = ends.map(|end| seat.to_body(end)),
        Convex::Polygon(polygon) => {
            polygon.vertices.iter_mut().for_each(|x| *x = seat.to_body(*x));
        }
        Convex::Polyhedron(polyhedron) => {
            let Polyhedron { vertices, faces, .. } = &*polyhedron;
            let vertices: Vec<_> = vertices.iter().map(|&x| seat.to_body(x)).collect();
            // Made anew, its normals are those of its corners, to the last digit.
            let loops = faces.iter().map(|face| face.corners.clone()).collect();
            *polyhedron = Polyhedron::of_loops(vertices, loops);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::vector::rotation::matrix_of;
    use crate::vector::{cross, distance, dot, minus, times};

    const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn hold_close(found: f64, exact: f64, relative: f64) {
        assert!((found - exact).abs() <= relative * exact.abs(), "{found} is not {exact}");
    }

    /// Each side of a solid against the formula of a book, and its own axes exactly the given ones.
    #[test]
    fn balls_boxes_capsules_and_drums_are_upright_and_have_their_moments() {
        let ball = Solid::ball(2.0).unwrap();
        hold_close(ball.volume, 32.0 / 3.0 * PI, 1e-15);
        ball.moments.iter().for_each(|&m| hold_close(m, 0.4 * ball.volume * 4.0, 1e-15));
        let cuboid = Solid::cuboid([1.01, 2.01, 1.01]).unwrap();
        hold_close(cuboid.inertia(12.0)[1], 2.0 * 1.01 * 1.01, 1e-15);
        assert_eq!(cuboid.moments[0], cuboid.moments[2]);
        assert_eq!(cuboid.pieces, [Convex::Polyhedron(Polyhedron::cuboid([1.01, 2.01, 1.01]))]);
        let capsule = Solid::capsule(1.0, 2.0).unwrap();
        hold_close(capsule.mass(3.0), 3.0 * (2.0 + 4.0 / 3.0) * PI, 1e-15);
        hold_close(capsule.moments[2], PI * (2.0 / 2.0 + 4.0 / 3.0 * 0.4), 1e-15);
        assert_eq!((capsule.moments[0], capsule.reach), (capsule.moments[1], 2.0));
        // A regular n-gon: n/2 sin 2π/n r² of area, and r²/6 (2 + cos 2π/n) of mean square.
        for sides in [3, 4, 5, 12, 40] {
            let drum = Solid::drum(1.5, 0.8, sides).unwrap();
            let (sine, cosine) = (2.0 * PI / f64::from(sides)).sin_cos();
            let volume = 0.5 * f64::from(sides) * sine * 1.5 * 1.5 * 0.8;
            let square = 1.5 * 1.5 / 6.0 * (2.0 + cosine);
            hold_close(drum.volume, volume, 4e-15);
            hold_close(drum.moments[2], volume * square, 4e-15);
            hold_close(drum.moments[0], volume * (0.5 * square + 0.8 * 0.8 / 12.0), 4e-15);
            assert_eq!(drum.moments[0], drum.moments[1]);
            assert_eq!((drum.center, drum.axes), ([0.0; 3], UPRIGHT));
        }
        for solid in [ball, cuboid, capsule] {
            assert_eq!((solid.center, solid.axes), ([0.0; 3], UPRIGHT));
        }
    }

    /// The rock that falls on a wall, Acary & Collins-Craft 2024, §5.4, by its vertices; volume, mass and moments
    /// to the digits that they are known with.
    #[test]
    fn the_rock_of_the_paper_has_its_volume_and_its_inertia() {
        let rock = [
            [0.977860318, 2.027904021, 1.703897934],
            [1.167997247, -0.528014861, 2.570580113],
            [-1.062009384, 1.356058322, 2.224265733],
            [-2.576789605, -0.720087459, 0.708172814],
            [2.180142570, 0.494075362, -1.625914301],
            [0.952846051, -1.470603770, -2.119250437],
            [-0.743018436, 0.892737432, -2.429419887],
            [-0.823999435, -2.242202936, -1.364119316],
        ];
        let solid = Solid::polyhedron(&rock).unwrap();
        let [Convex::Polyhedron(hull)] = &solid.pieces[..] else { panic!("one polyhedron") };
        assert!(hull.faces.len() == 12 && hull.faces.iter().all(|face| face.corners.len() == 3));
        assert!((solid.volume - 31.326012).abs() < 5e-7);
        let mass = solid.mass(2300.0);
        assert!((mass - 72_049.828).abs() < 5e-4);
        assert!((solid.reach - 2.8724).abs() < 5e-5);
        assert!(length(solid.center) < 2e-9);
        let mut moments = solid.inertia(mass);
        let given = transposed(solid.axes).map(|row| {
            let scaled = [0, 1, 2].map(|k| row[k] * moments[k]);
            [0, 1, 2].map(|j| (0..3).map(|k| scaled[k] * solid.axes[k][j]).sum::<f64>())
        });
        let tensor = [
            [136_844.35, -9_121.35, 3_144.91],
            [-9_121.35, 147_071.19, -18_336.50],
            [3_144.91, -18_336.50, 98_845.51],
        ];
        for (found, exact) in given.iter().flatten().zip(tensor.iter().flatten()) {
            assert!((found - exact).abs() < 5e-3, "{found} {exact}");
        }
        moments.sort_by(f64::total_cmp);
        for (found, exact) in moments.iter().zip([92_665.40, 132_383.70, 157_711.95]) {
            assert!((found - exact).abs() < 5e-3, "{found} {exact}");
        }
        // Back in the given coordinates, its corners are the vertices.
        for (&x, &vertex) in hull.vertices.iter().zip(&rock) {
            assert!(distance(solid.seat().to_space(x), vertex) < 2e-15);
        }
    }

    /// The moments of a body do not depend on where and how it was given.
    #[test]
    fn a_body_given_elsewhere_is_the_same_body() {
        let corners = Polyhedron::cuboid([1.0, 2.0, 4.0]).vertices;
        let turn = matrix_of([0.3, -0.2, 0.4]);
        let placed = |&x: &[f64; 3]| plus([30.0, -7.0, 11.0], turn.map(|row| dot(row, x)));
        let placed: Vec<_> = corners.iter().map(placed).collect();
        let (solid, upright) =
            (Solid::polyhedron(&placed).unwrap(), Solid::cuboid([1.0, 2.0, 4.0]));
        assert!(distance(solid.center, [30.0, -7.0, 11.0]) < 1e-13);
        for (found, exact) in solid.moments.iter().zip(upright.unwrap().moments) {
            hold_close(*found, exact, 1e-13);
        }
        hold_close(dot(solid.axes[0], cross(solid.axes[1], solid.axes[2])), 1.0, 1e-15);
        for i in 0..3 {
            assert!(distance(solid.axes[i], [0, 1, 2].map(|k| turn[k][i])) < 1e-13);
        }
    }

    #[test]
    fn two_halves_of_a_box_are_the_box() {
        let half = Polyhedron::cuboid([1.0, 3.0, 2.0]).vertices;
        let shifted: Vec<_> = half.iter().map(|&x| minus(x, [5.0, 0.0, 0.0])).collect();
        let parts = [(half, [0.5, 0.0, 0.0]), (shifted, [4.5, 0.0, 0.0])];
        let (solid, whole) =
            (Solid::compound(&parts, &[]).unwrap(), Solid::cuboid([2.0, 3.0, 2.0]));
        let whole = whole.unwrap();
        assert_eq!((solid.pieces.len(), solid.center, solid.axes), (2, [0.0; 3], UPRIGHT));
        hold_close(solid.volume, whole.volume, 1e-15);
        for (found, exact) in solid.moments.iter().zip(whole.moments) {
            hold_close(*found, exact, 4e-15);
        }
        assert_eq!(solid.reach, whole.reach);
    }

    /// Two equal balls on a bar that weighs nothing: 2 m a² about the middle, by the theorem of Steiner.
    #[test]
    fn pieces_of_any_kind_add_up() {
        let ball = |x: f64| Convex::Ball { center: [1.0 + x, 1.0 + x, 0.0], radius: 0.5 };
        let solid = Solid::of_pieces(vec![ball(-1.0), ball(1.0)]).unwrap();
        assert!(distance(solid.center, [1.0, 1.0, 0.0]) < 1e-15);
        let own = 2.0 * 0.4 * 0.25;
        let mut moments = solid.inertia(2.0);
        hold_close(solid.reach, 2.0f64.sqrt() + 0.5, 1e-15);
        moments.sort_by(f64::total_cmp);
        for (found, exact) in moments.iter().zip([own, own + 4.0, own + 4.0]) {
            hold_close(*found, exact, 1e-14);
        }
        assert_eq!(solid.axes[2], [0.0, 0.0, 1.0]);
    }

    /// A top of two balls whose centre of mass is below the middle of the larger one.
    #[test]
    fn a_centre_of_mass_may_be_given_and_the_axes_are_the_given_ones() {
        let balls = [([2.0, 1.0, 0.3], 1.5), ([2.0, 1.0, 1.6], 0.5)];
        let top = Solid::compound(&[], &balls).unwrap().about([2.0, 1.0, 0.0]);
        assert_eq!((top.center, top.axes), ([2.0, 1.0, 0.0], UPRIGHT));
        for (piece, (height, size)) in top.pieces.iter().zip([(0.3, 1.5), (1.6, 0.5)]) {
            let Convex::Ball { center, radius } = piece else { panic!("a ball") };
            assert!(distance(*center, [0.0, 0.0, height]) < 1e-15 && *radius == size);
        }
        hold_close(top.reach, 2.1, 1e-15);
        // Whatever axes the volume has: a corner is where it was given, less the centre.
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.0, 3.0]];
        let solid = Solid::polyhedron(&corners).unwrap();
        assert!(solid.axes != UPRIGHT);
        let moved = solid.about([1.0, 1.0, 1.0]);
        let [Convex::Polyhedron(hull)] = &moved.pieces[..] else { panic!("one polyhedron") };
        for (found, given) in hull.vertices.iter().zip(corners) {
            assert!(distance(*found, minus(given, [1.0; 3])) < 4e-15);
        }
    }

    #[test]
    fn what_is_no_solid_is_told() {
        let told = |solid: Result<Solid, SolidError>, words: &str| {
            let message = solid.unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        };
        told(Solid::ball(-1.0), "the radius is -1; give a positive length");
        told(Solid::cuboid([1.0, f64::NAN, 1.0]), "the size along y is NaN");
        told(Solid::capsule(1.0, 0.0), "the length is 0");
        told(Solid::drum(1.0, 1.0, 2), "four vertices at least");
        told(Solid::compound(&[], &[]), "no pieces");
        told(Solid::ball(1e100), "in units that keep these in range");
        let corners = Polyhedron::cuboid([2.0; 3]).vertices;
        let dented: Vec<_> = [&corners[..], &[[0.0, 0.0, 0.9]]].concat();
        told(Solid::polyhedron(&dented), "vertex 8 at (0.0, 0.0, 0.9) is no corner");
        let flat: Vec<_> = corners.iter().map(|x| [x[0], x[1], 0.0]).collect();
        told(
            Solid::compound(&[(corners, [0.0; 3]), (flat, [9.0; 3])], &[]),
            "piece 1: all 8 vertices lie in one plane",
        );
        assert!(Solid::polyhedron(&[times(f64::NAN, [1.0; 3]); 4]).is_err());
    }
}
