//! What a case says of rigid bodies, in the plane and in space, one by one and by patterns.

mod arch;
mod check;
mod drive;
pub(super) mod keys;
mod pairs;
mod patterns;
mod poses;
pub(super) mod raw;
mod read;
mod shapes;
mod turn;

pub use pairs::{BodyLaws, WordCase};

use std::path::PathBuf;
use std::sync::Arc;

use crate::rigid::BodyShape;
use crate::time::TimeFunction;

/// What a rigid body in space looks like, in its own axes; its centre of mass is its origin, wherever its corners are
/// seen from.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidCase {
    /// A box along its axes.
    Box {
        /// Its edges.
        size: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// All points within a radius of a segment along z.
    Capsule {
        /// The radius.
        radius: f64,
        /// Length of the segment.
        length: f64,
    },
    /// A prism along z whose base is a regular polygon.
    Drum {
        /// From the axis to the corners.
        radius: f64,
        /// Its height.
        length: f64,
        /// Corners of the base.
        sides: usize,
    },
    /// The convex hull of points.
    Polyhedron {
        /// The points.
        vertices: Arc<Vec<[f64; 3]>>,
    },
    /// A convex surface in a file.
    File {
        /// The file.
        path: PathBuf,
        /// Group of its triangles, or all.
        group: Option<String>,
        /// Factor on its coordinates.
        scale: f64,
    },
    /// Convex hulls and balls that are one body.
    Compound {
        /// The points of each hull.
        pieces: Arc<Vec<Vec<[f64; 3]>>>,
        /// Centre and radius of each ball.
        spheres: Arc<Vec<([f64; 3], f64)>>,
    },
}

/// What a rigid body looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShapeCase {
    /// In the plane.
    Plane(BodyShape),
    /// In space; bodies of one pattern share it.
    Space(Arc<SolidCase>),
}

/// How heavy a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightCase {
    /// Its mass.
    Mass(f64),
    /// Its mass per volume, in the plane per area.
    Density(f64),
}

/// What moves a body.
#[derive(Clone, Debug, PartialEq)]
pub enum RoleCase {
    /// Forces.
    Free,
    /// It moves as given, whatever it meets; where both velocities are zero it stands still.
    Driven {
        /// Velocity of its centre where `times` are 1.
        velocity: [f64; 3],
        /// Angular velocity where `time` is 1.
        spin: [f64; 3],
        /// What multiplies the velocity along each axis.
        times: Box<[TimeFunction; 3]>,
        /// What multiplies the angular velocity.
        time: TimeFunction,
    },
}

impl RoleCase {
    /// It stands still, whatever it meets.
    pub fn still() -> Self {
        Self::driven([0.0; 3], [0.0; 3], TimeFunction::Constant)
    }

    /// Both velocities are multiplied by one function of time.
    pub fn driven(velocity: [f64; 3], spin: [f64; 3], time: TimeFunction) -> Self {
        let times = Box::new([time.clone(), time.clone(), time.clone()]);
        Self::Driven { velocity, spin, times, time }
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyCase {
    /// Its name: that of its table, or of one of a pattern that and a number, `wall:17`.
    pub name: String,
    /// The table that it stands in.
    pub table: String,
    /// The label by which contacts may name it.
    pub material: String,
    /// What it looks like.
    pub shape: BodyShapeCase,
    /// How heavy it is.
    pub weight: WeightCase,
    /// Centre of mass in the coordinates of its shape, in space, where the body is not homogeneous: those are its principal
    /// axes then, and `inertia` is given.
    pub center: Option<[f64; 3]>,
    /// Moments of inertia about the centre of mass where given: in space three, along its principal axes, in the plane
    /// the first alone.
    pub inertia: Option<[f64; 3]>,
    /// Centre of mass where it begins.
    pub position: [f64; 3],
    /// Angle there, in the plane.
    pub angle: f64,
    /// Rotation there, in space: a unit quaternion, its scalar first.
    pub rotation: [f64; 4],
    /// Velocity there.
    pub velocity: [f64; 3],
    /// Angular velocity there, in the axes of space; in the plane the last alone.
    pub spin: [f64; 3],
    /// What moves it.
    pub role: RoleCase,
    /// When it enters; at the start where `None`.
    pub born: Option<f64>,
    /// When it is taken out; never where `None`.
    pub removed: Option<f64>,
}

/// A rigid body of the plane: what its shape and weight come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneBody<'a> {
    /// What it looks like.
    pub shape: &'a BodyShape,
    /// Mass.
    pub mass: f64,
    /// Moment of inertia about the centre of mass.
    pub inertia: f64,
}

impl BodyCase {
    /// A homogeneous rigid body of the plane at rest, its centre of mass at `position`.
    pub fn new(name: &str, shape: BodyShape, mass: f64, position: [f64; 3]) -> Self {
        Self::of(name, BodyShapeCase::Plane(shape), WeightCase::Mass(mass), position)
    }

    /// A homogeneous rigid body in space at rest, its centre of mass at `position`.
    pub fn in_space(name: &str, solid: SolidCase, weight: WeightCase, position: [f64; 3]) -> Self {
        Self::of(name, BodyShapeCase::Space(Arc::new(solid)), weight, position)
    }

    pub(super) fn of(
        name: &str,
        shape: BodyShapeCase,
        weight: WeightCase,
        position: [f64; 3],
    ) -> Self {
        Self {
            name: name.into(),
            table: name.into(),
            material: name.into(),
            shape,
            weight,
            center: None,
            inertia: None,
            position,
            angle: 0.0,
            rotation: [1.0, 0.0, 0.0, 0.0],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            role: RoleCase::Free,
            born: None,
            removed: None,
        }
    }

    /// Dimension of the space it is a body of.
    pub fn dimension(&self) -> usize {
        match self.shape {
            BodyShapeCase::Plane(_) => 2,
            BodyShapeCase::Space(_) => 3,
        }
    }

    /// Its shape, mass and inertia, in the plane; `None` of a body in space.
    pub fn in_plane(&self) -> Option<PlaneBody<'_>> {
        let BodyShapeCase::Plane(shape) = &self.shape else { return None };
        let mass = match self.weight {
            WeightCase::Mass(mass) => mass,
            WeightCase::Density(density) => density * area(shape),
        };
        let inertia = self.inertia.map_or_else(|| shape.inertia(mass), |given| given[0]);
        Some(PlaneBody { shape, mass, inertia })
    }
}

/// Area of an outline; a rod has none.
pub(super) fn area(shape: &BodyShape) -> f64 {
    match shape {
        BodyShape::Rod { .. } => 0.0,
        BodyShape::Box { size: [a, b] } => a * b,
        BodyShape::Disk { radius } => std::f64::consts::PI * radius * radius,
        BodyShape::Polygon { vertices } => {
            let next = vertices.iter().cycle().skip(1);
            let twice = |(a, b): (&[f64; 2], &[f64; 2])| a[0] * b[1] - b[0] * a[1];
            0.5 * vertices.iter().zip(next).map(twice).sum::<f64>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::error::Error;

    /// A case of these tables.
    pub fn read(tables: &str) -> Result<Case, Error> {
        let text = format!("units = 'm, s, kg'\n{tables}\n[scheme]\nstep = 1.0\nend = 1.0\n");
        Case::from_text("case.toml".as_ref(), text, &[])
    }

    /// The bodies of these tables.
    pub fn bodies(tables: &str) -> Vec<BodyCase> {
        read(tables).unwrap().system.bodies
    }

    /// What is said of these tables.
    pub fn complaint(tables: &str) -> String {
        read(tables).unwrap_err().to_string()
    }

    pub fn close(found: [f64; 3], exact: [f64; 3]) -> bool {
        found.iter().zip(exact).all(|(a, b)| (a - b).abs() < 1e-14)
    }

    #[test]
    fn a_density_of_the_plane_is_mass_per_area() {
        let text = "[body.tile]\nshape = 'polygon'\nvertices = [[0, 0], [0, 3], [4, 3], [4, 0]]\n\
                    density = 2.0\nposition = [0.0, 0.0]\n";
        let tile = bodies(text).remove(0);
        let plane = tile.in_plane().unwrap();
        assert!((plane.mass - 24.0).abs() < 1e-13 && (plane.inertia - 50.0).abs() < 1e-12);
        let with_inertia = format!("{text}inertia = 7");
        assert_eq!(bodies(&with_inertia)[0].in_plane().unwrap().inertia, 7.0);
    }

    #[test]
    fn what_a_body_in_space_says_is_kept() {
        let text = "[body.top]\nshape = 'drum'\nradius = 0.5\nlength = 2\nmass = 3.0\n\
                    inertia = [1.0, 1.0, 2.0]\nposition = [1, 2, 3]\nmaterial = 'brass'\n\
                    turn = { axis = [0, 0, 2], angle = 3.141592653589793 }\n\
                    velocity = [0, 0, 1]\nspin = [0, 0, 30]\nborn = 0.5\nremoved = 2\n";
        let top = bodies(text).remove(0);
        let drum = SolidCase::Drum { radius: 0.5, length: 2.0, sides: 16 };
        assert_eq!(top.shape, BodyShapeCase::Space(drum.into()));
        assert_eq!((top.material.as_str(), top.table.as_str()), ("brass", "top"));
        assert_eq!((top.inertia, top.spin), (Some([1.0, 1.0, 2.0]), [0.0, 0.0, 30.0]));
        assert!(top.rotation[0].abs() < 1e-16 && top.rotation[3] == 1.0);
        assert_eq!((top.born, top.removed, top.dimension()), (Some(0.5), Some(2.0), 3));
    }

    #[test]
    fn a_compound_may_have_balls_and_a_centre_of_mass_that_is_given() {
        let text = "[body.top]\nshape = 'compound'\nspheres = [[0, 0, 0.3, 1.5], [0, 0, 1.6, 0.5]]\n\
                    position = [0, 0, 1.2]\n";
        let top =
            bodies(&format!("{text}mass = 6e-3\ninertia = [8e-3, 8e-3, 7e-3]\ncenter = [0, 0, 0]"));
        let spheres = vec![([0.0, 0.0, 0.3], 1.5), ([0.0, 0.0, 1.6], 0.5)].into();
        let compound = SolidCase::Compound { pieces: vec![].into(), spheres };
        assert_eq!(top[0].shape, BodyShapeCase::Space(compound.into()));
        assert_eq!(top[0].center, Some([0.0; 3]));
        let refused = [
            ("mass = 1.0\ncenter = [0, 0, 1]", "body.top.center: goes with an inertia"),
            ("density = 1.0\ninertia = [1, 1, 1]\ncenter = [0, 0, 1]", "center: goes with a mass"),
            ("mass = 1.0\ninertia = [1, 1, 1]\ncenter = [0, 1]", "center: has 2 numbers"),
        ];
        for (rest, says) in refused {
            let said = complaint(&format!("{text}{rest}"));
            assert!(said.contains(says), "{said}");
        }
        let wrong = [
            ("0.5]]", "0.5, 1]]", "body.top.spheres: ball 2 has 5 numbers; give four"),
            ("1.6, 0.5]]", "1.6, -1]]", "body.top.spheres: -1"),
            ("spheres = [[0, 0, 0.3, 1.5], [0, 0, 1.6, 0.5]]\n", "", "needs pieces or spheres"),
            ("spheres = [[0, 0, 0.3, 1.5], [0, 0, 1.6, 0.5]]", "spheres = []", "no piece"),
        ];
        for (given, instead, says) in wrong {
            let said = complaint(&format!("{}mass = 1.0", text.replace(given, instead)));
            assert!(said.contains(says), "{said}");
        }
    }

    /// A fixed body needs no mass; a drive begins as its function of time has it.
    #[test]
    fn fixed_and_driven_bodies_have_roles() {
        let fixed =
            "[body.floor]\nshape = 'box'\nsize = [1, 1, 1]\nposition = [0, 0, 0]\nfixed = true\n";
        let floor = bodies(fixed).remove(0);
        assert_eq!((floor.role, floor.weight), (RoleCase::still(), WeightCase::Density(1.0)));
        let driven = "[body.mill]\nshape = 'disk'\nradius = 1\nposition = [0, 0]\nmass = 1\n\
                      drive = { spin = 2, time = { function = 'ramp', start = 0, end = 2 } }\nborn = 1\n";
        let mill = bodies(driven).remove(0);
        assert_eq!((mill.velocity, mill.spin), ([0.0; 3], [0.0, 0.0, 1.0]));
    }
}
