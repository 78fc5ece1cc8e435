//! Rigid bodies: outlines in the plane, solids in space, and what follows from them.

mod drawing;
mod moments;
mod plane;
mod scene;
mod shell;
mod solid;

pub use plane::ReflexVertex;
pub use scene::{BodyPose, Scene, SceneBody, SceneCell, Tracked};
pub use solid::{Solid, SolidError};

/// What a rigid body in the plane looks like at angle 0, with its centre of mass at the origin.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    /// A thin rod along y.
    Rod {
        /// Its length.
        length: f64,
    },
    /// A rectangle with edges along x and y.
    Box {
        /// Its width and height.
        size: [f64; 2],
    },
    /// A polygon, its vertices counter-clockwise and seen from its centre of mass.
    Polygon {
        /// The vertices.
        vertices: Vec<[f64; 2]>,
    },
    /// A disk.
    Disk {
        /// Its radius.
        radius: f64,
    },
}

/// Corners of the polygon that a disk is drawn as.
const RIM: usize = 32;

impl BodyShape {
    /// A polygon with these vertices, in any order of rotation and seen from anywhere; `None` where it
    /// has no area, or edges that cross.
    pub fn polygon(vertices: &[[f64; 2]]) -> Option<Self> {
        let (area, moment, _) = integrals(vertices);
        let size = vertices.iter().flatten().fold(0.0, |m, x| f64::max(m, x.abs()));
        if vertices.len() < 3 || area.abs() <= 1e-12 * size * size || edges_cross(vertices) {
            return None;
        }
        let center = moment.map(|moment| moment / area);
        let seen = vertices.iter().map(|v| [v[0] - center[0], v[1] - center[1]]);
        let mut vertices: Vec<[f64; 2]> = seen.collect();
        if area < 0.0 {
            vertices.reverse();
        }
        Some(Self::Polygon { vertices })
    }

    /// Moment of inertia about the centre of mass, of a homogeneous body.
    pub fn inertia(&self, mass: f64) -> f64 {
        match self {
            Self::Rod { length } => mass * length * length / 12.0,
            Self::Box { size: [b, l] } => mass * (b * b + l * l) / 12.0,
            Self::Polygon { vertices } => {
                let (area, _, polar) = integrals(vertices);
                mass * polar / area
            }
            Self::Disk { radius } => 0.5 * mass * radius * radius,
        }
    }

    /// The points that may touch something; of a disk its centre, which keeps its distance.
    pub fn vertices(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Rod { length } => vec![[0.0, -0.5 * length], [0.0, 0.5 * length]],
            Self::Box { size: [b, l] } => {
                let (x, y) = (0.5 * b, 0.5 * l);
                vec![[-x, -y], [x, -y], [x, y], [-x, y]]
            }
            Self::Polygon { vertices } => vertices.clone(),
            Self::Disk { .. } => vec![[0.0, 0.0]],
        }
    }

    /// The distance that a vertex keeps: the radius of a disk, or 0.
    pub fn radius(&self) -> f64 {
        match self {
            Self::Disk { radius } => *radius,
            Self::Rod { .. } | Self::Box { .. } | Self::Polygon { .. } => 0.0,
        }
    }

    /// The corners that it is drawn with.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Disk { radius } => rim(*radius),
            Self::Rod { .. } | Self::Box { .. } | Self::Polygon { .. } => self.vertices(),
        }
    }

    /// Farthest point from the centre of mass.
    pub fn reach(&self) -> f64 {
        let far = |[x, y]: &[f64; 2]| x.hypot(*y);
        self.outline().iter().map(far).fold(0.0, f64::max)
    }
}

/// The corners of a polygon that looks like a circle.
pub fn rim(radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * k as f64 / RIM as f64).sin_cos();
        [radius * cosine, radius * sine]
    };
    (0..RIM).map(corner).collect()
}

/// Whether two edges of a polygon cross.
fn edges_cross(vertices: &[[f64; 2]]) -> bool {
    let n = vertices.len();
    let edge = |k: usize| [vertices[k], vertices[(k + 1) % n]];
    let side = |[a, b]: [[f64; 2]; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let parted = |e: [[f64; 2]; 2], f: [[f64; 2]; 2]| side(e, f[0]) * side(e, f[1]) < 0.0;
    let crosses = |e, f| parted(e, f) && parted(f, e);
    (0..n).any(|i| (0..i).any(|j| crosses(edge(i), edge(j))))
}

/// Area, ∫(x, y) dA and ∫(x² + y²) dA of a polygon, positive counter-clockwise.
fn integrals(vertices: &[[f64; 2]]) -> (f64, [f64; 2], f64) {
    let (mut area, mut moment, mut polar) = (0.0, [0.0; 2], 0.0);
    for (k, a) in vertices.iter().enumerate() {
        let b = vertices[(k + 1) % vertices.len()];
        let twice = a[0] * b[1] - b[0] * a[1];
        area += 0.5 * twice;
        for i in 0..2 {
            moment[i] += twice * (a[i] + b[i]) / 6.0;
            polar += twice * (a[i] * a[i] + a[i] * b[i] + b[i] * b[i]) / 12.0;
        }
    }
    (area, moment, polar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_is_seen_from_its_centre_and_a_rectangle_has_the_inertia_of_a_box() {
        let clockwise = [[3.0, 5.0], [3.0, 8.0], [7.0, 8.0], [7.0, 5.0]];
        let polygon = BodyShape::polygon(&clockwise).unwrap();
        let rectangle = BodyShape::Box { size: [4.0, 3.0] };
        assert!((polygon.inertia(6.0) - rectangle.inertia(6.0)).abs() < 1e-13);
        let mut vertices = polygon.vertices();
        assert!(integrals(&vertices).0 > 0.0);
        vertices.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let exact = [[-2.0, -1.5], [-2.0, 1.5], [2.0, -1.5], [2.0, 1.5]];
        for (found, exact) in vertices.iter().flatten().zip(exact.iter().flatten()) {
            assert!((found - exact).abs() < 1e-14);
        }
        assert_eq!(BodyShape::polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), None);
        // A bow tie, whose integrals would give it a negative inertia.
        let crossing = [[-3.0, -0.1], [-3.0, 0.1], [3.0, -0.12], [3.0, 0.12]];
        assert_eq!(BodyShape::polygon(&crossing), None);
    }

    /// ½ m r² of the circle, less 2π²/(3n²) of it to second order for the polygon.
    #[test]
    fn the_rim_of_a_disk_is_nearly_a_circle() {
        let rim = BodyShape::polygon(&rim(2.0)).unwrap();
        let disk = BodyShape::Disk { radius: 2.0 }.inertia(3.0);
        assert!((rim.inertia(3.0) / disk - 1.0).abs() < 0.01);
        assert_eq!(BodyShape::Rod { length: 1.0 }.inertia(1.0), 1.0 / 12.0);
    }
}
