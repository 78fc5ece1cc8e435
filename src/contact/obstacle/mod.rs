//! Rigid obstacles: shape, motion, and what they say of a point: its gap and its frame.
//!
//! A problem in the plane is one at z = 0, with shapes and motions that stay there. Everything is
//! computed in the obstacle's own coordinates, those of t = 0 had it not moved:
//!
//! ```text
//!     X = Rᵀ(x − c − travel) + c        R the turn by `angle` about the axis through c        (1)
//! ```
//!
//! A room with edges, the inside of a box or of a cylinder with ends, is the intersection of what its faces
//! leave: a point in its corner touches several of them at once, so that each face is a contact of its own.

mod closed;
mod cuboid;
mod custom;
mod cylinder;
mod error;
mod frame;
mod half_plane;
mod motion;
mod normals;
mod picture;
mod shape;
mod sphere;
mod surface;
mod tree;
mod triangle;

pub use crate::vector::unit;
pub use closed::SurfaceError;
pub use cuboid::Cuboid;
pub use custom::CustomShape;
pub use cylinder::Cylinder;
pub use error::ObstacleError;
pub use frame::Frame;
pub use half_plane::HalfPlane;
pub use motion::{Pose, RigidMotion, Rotation, Translation};
pub use picture::{Picture, Room};
pub use shape::{Nearest, Shape};
pub use sphere::Sphere;
pub use surface::Surface;

use crate::vector::{minus, plus};

/// What an obstacle says of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Signed distance: positive apart, negative when penetrating.
    pub gap: f64,
    /// Normal towards the body, and tangents.
    pub frame: Frame,
}

/// A rigid obstacle, in the plane or in space.
#[derive(Clone, Debug)]
pub struct Obstacle {
    shape: Shape,
    /// What each contact of a point is with; empty where that is the shape as a whole.
    faces: Vec<Shape>,
    motion: RigidMotion,
    planar: bool,
}

impl Obstacle {
    /// An obstacle of a plane problem.
    pub fn in_plane(shape: Shape, motion: RigidMotion) -> Result<Self, ObstacleError> {
        let obstacle = Self::in_space(shape, motion)?;
        obstacle.check_plane()?;
        Ok(Self { planar: true, ..obstacle })
    }

    /// An obstacle of a problem in space.
    pub fn in_space(shape: Shape, motion: RigidMotion) -> Result<Self, ObstacleError> {
        shape.check()?;
        motion.check()?;
        Ok(Self { faces: shape.faces(), shape, motion, planar: false })
    }

    /// That normals and velocities at points of the plane z = 0 lie in it, at all times.
    pub fn check_plane(&self) -> Result<(), ObstacleError> {
        self.shape.check_plane()?;
        self.motion.check_plane()
    }

    /// Whether it belongs to a plane problem.
    pub fn is_planar(&self) -> bool {
        self.planar
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its motion.
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// How many contacts a point may have with it at once: one with each face of a room with edges.
    pub fn faces(&self) -> usize {
        self.faces.len().max(1)
    }

    /// Gap and frame of the point x at a face.
    ///
    /// An obstacle without a rotation does no arithmetic on its frames: those of a half-plane are
    /// the same bits everywhere and always.
    pub fn touch(&self, face: usize, x: [f64; 3], pose: &Pose) -> Touch {
        let shape = self.faces.get(face).unwrap_or(&self.shape);
        let Some(rotation) = &self.motion.rotation else {
            let nearest = shape.nearest(minus(x, pose.travel));
            return Touch { gap: nearest.gap, frame: self.frame(&nearest) };
        };
        let (turn, center) = (rotation.turn(pose.angle), rotation.center);
        let arm = turn.back(minus(minus(x, center), pose.travel));
        let mut nearest = shape.nearest(plus(center, arm)); // (1)
        if self.planar {
            nearest.normal = turn.forth(nearest.normal);
            return Touch { gap: nearest.gap, frame: Frame::in_plane(nearest.normal) };
        }
        let axes = self.frame(&nearest).axes.map(|axis| turn.forth(axis));
        Touch { gap: nearest.gap, frame: Frame { axes } }
    }

    fn frame(&self, nearest: &Nearest) -> Frame {
        match nearest.along {
            _ if self.planar => Frame::in_plane(nearest.normal),
            Some(along) => Frame::along(nearest.normal, along),
            None => Frame::in_space(nearest.normal),
        }
    }

    /// Whether a face, or all of it where it has none, has a side that a body may come to from within.
    pub fn has_another_side(&self, face: usize) -> bool {
        self.faces.get(face).unwrap_or(&self.shape).is_curved()
    }

    /// Where a point of its own coordinates is, the inverse of (1).
    pub fn place(&self, own: [f64; 3], pose: &Pose) -> [f64; 3] {
        let Some(rotation) = &self.motion.rotation else { return plus(own, pose.travel) };
        let arm = rotation.turn(pose.angle).forth(minus(own, rotation.center));
        plus(plus(rotation.center, pose.travel), arm)
    }

    /// The point x in its own coordinates, (1).
    fn own(&self, x: [f64; 3], pose: &Pose) -> [f64; 3] {
        let Some(rotation) = &self.motion.rotation else { return minus(x, pose.travel) };
        let arm = minus(minus(x, rotation.center), pose.travel);
        plus(rotation.center, rotation.turn(pose.angle).back(arm))
    }

    /// Velocity of its material at the point x.
    pub fn velocity_at(&self, x: [f64; 3], pose: &Pose) -> [f64; 3] {
        self.motion.velocity_at(x, pose)
    }

    /// Pose at t = 0.
    pub fn initial_pose(&self) -> Pose {
        self.motion.initial_pose()
    }

    /// Pose at the end `t1` of a step of size h.
    pub fn end_of_step(&self, start: &Pose, t1: f64, h: f64, theta: f64) -> Pose {
        self.motion.end_of_step(start, t1, h, theta)
    }

    /// Whether frames at a face depend on the point or the time: not those of a flat one that does not turn.
    pub fn frames_turn(&self, face: usize) -> bool {
        self.faces.get(face).unwrap_or(&self.shape).is_curved() || self.motion.turns()
    }
}

#[cfg(test)]
mod probe;

#[cfg(test)]
mod tests {
    use super::probe::{Random, assert_frame, frame_change};
    use super::*;
    use crate::time::{Motion, TimeFunction};
    use crate::vector::{cross, length, times};

    const Z: [f64; 3] = [0.0, 0.0, 1.0];

    fn half_plane(normal: [f64; 3]) -> Shape {
        Shape::HalfPlane(HalfPlane { point: [0.1, -0.2, 0.0], normal })
    }

    fn ball() -> Shape {
        Shape::Sphere(Sphere { center: [0.2, 0.1, 0.0], radius: 0.5, inside: false })
    }

    fn bar(axis: [f64; 3], length: Option<f64>) -> Shape {
        let point = [0.1, -0.1, 0.0];
        Shape::Cylinder(Cylinder { point, axis, radius: 0.4, length, inside: false })
    }

    fn brick(depth: f64, axes: [[f64; 3]; 3]) -> Shape {
        let (center, half) = ([0.1, 0.0, 0.0], [0.5, 0.3, depth]);
        Shape::Cuboid(Cuboid { center, half, axes, inside: false })
    }

    fn turned() -> [[f64; 3]; 3] {
        [[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], Z]
    }

    fn turning(axis: [f64; 3]) -> RigidMotion {
        let velocity = |value| Motion::Velocity { value, time: TimeFunction::Constant };
        RigidMotion {
            translation: Some(Translation { direction: [0.5, -1.0, 0.0], motion: velocity(2.0) }),
            rotation: Some(Rotation { axis, center: [0.3, 0.4, 0.0], motion: velocity(3.0) }),
        }
    }

    fn in_space() -> Vec<Shape> {
        let axis = unit([1.0, 2.0, -2.0]).unwrap();
        vec![half_plane(axis), ball(), bar(axis, None), bar(axis, Some(0.9)), brick(0.2, turned())]
    }

    fn in_plane() -> Vec<Shape> {
        let flat = brick(f64::INFINITY, turned());
        vec![half_plane([0.6, 0.8, 0.0]), ball(), bar(Z, None), flat]
    }

    /// Obstacle and point moved together: the same gap, and the frame turned. 1e-14 is rounding of
    /// coordinates of size 1.
    #[test]
    fn gaps_and_frames_move_with_the_obstacle() {
        let mut random = Random::new(7);
        let axis = unit([2.0, -1.0, 2.0]).unwrap();
        let spatial = in_space().into_iter().map(|s| Obstacle::in_space(s, turning(axis)).unwrap());
        let planar = in_plane().into_iter().map(|s| Obstacle::in_plane(s, turning(Z)).unwrap());
        for obstacle in spatial.chain(planar) {
            let rotation = obstacle.motion().rotation.clone().unwrap();
            for _ in 0..300 {
                let (mut own, mut travel) = (random.point(), random.point());
                if obstacle.is_planar() {
                    (own[2], travel[2]) = (0.0, 0.0);
                }
                let pose = Pose { travel, angle: 9.0 * random.number(), ..Pose::default() };
                let turn = rotation.turn(pose.angle);
                let arm = turn.forth(minus(own, rotation.center));
                let moved = obstacle.touch(0, plus(plus(rotation.center, travel), arm), &pose);
                let still = obstacle.touch(0, own, &Pose::default());
                assert!((moved.gap - still.gap).abs() < 1e-14);
                let carried = Frame { axes: still.frame.axes.map(|axis| turn.forth(axis)) };
                let change = frame_change(&moved.frame, &carried);
                assert!(change < 1e-12, "{:?}: {change:e}", obstacle.shape());
                assert_frame(&moved.frame);
            }
        }
    }

    /// Central differences of a material point's path: h² ω³ r/6 < 1e-8, and rounding ε/h.
    #[test]
    fn velocity_is_the_derivative_of_a_material_points_position() {
        let mut random = Random::new(8);
        let motion = turning(unit([1.0, 1.0, -1.0]).unwrap());
        let rotation = motion.rotation.clone().unwrap();
        let place = |own: [f64; 3], pose: &Pose| {
            let arm = rotation.turn(pose.angle).forth(minus(own, rotation.center));
            plus(plus(rotation.center, pose.travel), arm)
        };
        for _ in 0..100 {
            let own = random.point();
            let (velocity, spin) = (random.point(), random.number());
            let pose = Pose { travel: random.point(), angle: random.number(), velocity, spin };
            let at = |t: f64| Pose {
                travel: plus(pose.travel, times(t, velocity)),
                angle: pose.angle + t * spin,
                ..pose
            };
            let h = 1e-5;
            let slope = times(0.5 / h, minus(place(own, &at(h)), place(own, &at(-h))));
            let seen = motion.velocity_at(place(own, &pose), &pose);
            assert!(length(minus(slope, seen)) < 1e-9, "{slope:?} {seen:?}");
        }
    }

    /// Normals turn by the move over the distance from a centre, an axis or an edge, here ≥ 0.1, and
    /// frames 8 times as fast at most away from the downward normal (see `Frame::in_space`).
    #[test]
    fn frames_change_in_proportion_to_a_short_move() {
        let mut random = Random::new(9);
        for shape in in_space() {
            let obstacle = Obstacle::in_space(shape, RigidMotion::default()).unwrap();
            let mut seen = 0;
            for _ in 0..4000 {
                let x = random.point();
                let here = obstacle.touch(0, x, &Pose::default());
                let smooth = match obstacle.shape() {
                    Shape::HalfPlane(_) => true,
                    Shape::Sphere(_) => here.gap > -0.4 && here.frame.normal()[2] > -0.9,
                    // Inside there are kinks where two faces are equally near, and an end's middle.
                    Shape::Cylinder(bar) => {
                        let apart = minus(x, bar.point);
                        length(cross(apart, bar.axis)) > 0.1 && here.gap > 0.1
                    }
                    Shape::Cuboid(_) => here.gap > 0.1 && here.frame.normal()[2] > -0.9,
                    Shape::Surface(_) | Shape::Custom(_) => false,
                };
                if !smooth {
                    continue;
                }
                seen += 1;
                let step = times(1e-4, random.direction());
                let there = obstacle.touch(0, plus(x, step), &Pose::default());
                let change = frame_change(&here.frame, &there.frame);
                assert!(change <= 8.0 * 1e-4 / 0.1, "{:?}: {x:?}: {change:e}", obstacle.shape());
            }
            assert!(seen > 1500, "only {seen} smooth points of {:?}", obstacle.shape());
        }
    }

    #[test]
    fn a_half_plane_that_does_not_turn_has_the_same_bits_as_its_frame_everywhere() {
        let translating = RigidMotion { rotation: None, ..turning(Z) };
        let shapes = [half_plane([0.6, 0.8, 0.0]), half_plane(unit([0.3, -0.7, 0.2]).unwrap())];
        for (shape, planar) in shapes.into_iter().zip([true, false]) {
            let make = if planar { Obstacle::in_plane } else { Obstacle::in_space };
            let obstacle = make(shape, translating.clone()).unwrap();
            assert!(!obstacle.frames_turn(0));
            let bits = |x, pose: Pose| {
                obstacle.touch(0, x, &pose).frame.axes.map(|axis| axis.map(f64::to_bits))
            };
            let first = bits([0.0; 3], Pose::default());
            let mut random = Random::new(10);
            for _ in 0..100 {
                let pose = Pose { travel: random.point(), ..Pose::default() };
                assert_eq!(bits(random.point(), pose), first);
            }
        }
        let floor = Obstacle::in_plane(half_plane([0.0, 1.0, 0.0]), turning(Z)).unwrap();
        assert!(floor.frames_turn(0));
        let ball = Obstacle::in_plane(ball(), RigidMotion::default()).unwrap();
        assert!(ball.frames_turn(0));
    }

    #[test]
    fn frames_of_plane_problems_turn_the_normal_clockwise_for_every_shape() {
        let mut random = Random::new(11);
        for shape in in_plane() {
            let obstacle = Obstacle::in_plane(shape, RigidMotion::default()).unwrap();
            for _ in 0..200 {
                let x = [random.number(), random.number(), 0.0];
                let [n, t1, t2] = obstacle.touch(0, x, &Pose::default()).frame.axes;
                assert_eq!((t1, t2), ([n[1], -n[0], 0.0], [0.0, 0.0, -1.0]));
                assert_eq!(n[2], 0.0);
            }
        }
    }

    #[test]
    fn what_leaves_the_plane_is_refused_with_a_remedy() {
        let still = RigidMotion::default;
        let slanted = unit([0.0, 1.0, 1.0]).unwrap();
        let raised = Shape::Sphere(Sphere { center: Z, radius: 1.0, inside: false });
        let refused = |shape, motion: RigidMotion, remedy: &str| {
            let message = Obstacle::in_plane(shape, motion).unwrap_err().to_string();
            assert!(message.contains(remedy), "{message}");
        };
        refused(half_plane(slanted), still(), "third component must be 0");
        refused(raised, still(), "third component must be 0");
        refused(bar(slanted, None), still(), "it must be [0, 0, 1]");
        refused(bar(Z, Some(2.0)), still(), "the plane sees no ends");
        refused(brick(0.2, turned()), still(), "make it infinite");
        refused(ball(), turning([1.0, 0.0, 0.0]), "it must be [0, 0, 1]");
        let mut lifted = turning(Z);
        lifted.translation.iter_mut().for_each(|t| t.direction = Z);
        refused(ball(), lifted, "third component must be 0");
    }

    #[test]
    fn lengths_that_are_not_positive_and_directions_that_are_not_unit_are_refused() {
        let message = |shape| match Obstacle::in_space(shape, RigidMotion::default()) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert!(message(half_plane([0.0, 2.0, 0.0])).contains("length 2 instead of 1"));
        let hollow = Shape::Sphere(Sphere { center: [0.0; 3], radius: -1.0, inside: true });
        assert!(message(hollow).contains("radius of the sphere is -1"));
        let skew = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], Z];
        assert!(message(brick(1.0, skew)).contains("axes 0 and 1 of the cuboid"));
        assert!(message(bar(Z, Some(f64::NAN))).contains("length of the cylinder"));
    }
}
