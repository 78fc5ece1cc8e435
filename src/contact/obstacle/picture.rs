//! What an obstacle looks like: its surface in flat pieces, with the bodies on their outer side.

use super::{Cuboid, Cylinder, Frame, HalfPlane, Obstacle, Pose, Shape, Sphere, Surface};
use crate::vector::{cross, dot, minus, plus, times};

/// Pieces of a circle.
const ROUND: usize = 64;
/// Rings of a sphere from pole to pole.
const RINGS: usize = 24;

/// Where bodies are: of an endless obstacle, what lies near them is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Middle of the bodies.
    pub middle: [f64; 3],
    /// How far from there it is drawn.
    pub reach: f64,
}

/// Points, and the pieces between them: lines in the plane with the bodies to their left, triangles and quadrangles in
/// space that turn right-handed about the normal towards the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// Points of each piece.
    pub pieces: Vec<Vec<u32>>,
}

impl Obstacle {
    /// What of it lies in a room, as it is at a pose; pieces are the same at all times.
    pub fn picture(&self, room: &Room, pose: &Pose) -> Picture {
        let own = Room { middle: self.own(room.middle, pose), ..*room };
        let mut picture = match self.shape() {
            Shape::HalfPlane(shape) if self.is_planar() => line(shape, &own),
            Shape::HalfPlane(shape) => plate(shape, &own),
            Shape::Sphere(shape) if self.is_planar() => circle(shape.center, shape.radius),
            Shape::Sphere(shape) => ball(shape),
            Shape::Cylinder(shape) if self.is_planar() => circle(shape.point, shape.radius),
            Shape::Cylinder(shape) => round_bar(shape, &own),
            Shape::Cuboid(shape) if self.is_planar() => rectangle(shape, &own),
            Shape::Cuboid(shape) => brick(shape, &own),
            Shape::Surface(shape) => triangles(shape),
            Shape::Custom(shape) => shape.picture(&own),
        };
        if self.is_hollow() {
            picture.pieces.iter_mut().for_each(|piece| piece.reverse());
        }
        picture.points.iter_mut().for_each(|point| *point = self.place(*point, pose));
        picture
    }

    fn is_hollow(&self) -> bool {
        match self.shape() {
            Shape::HalfPlane(_) | Shape::Custom(_) => false,
            Shape::Sphere(shape) => shape.inside,
            Shape::Cylinder(shape) => shape.inside,
            Shape::Cuboid(shape) => shape.inside,
            Shape::Surface(shape) => shape.is_hollow(),
        }
    }
}

fn foot(shape: &HalfPlane, room: &Room) -> [f64; 3] {
    let height = dot(shape.normal, minus(room.middle, shape.point));
    minus(room.middle, times(height, shape.normal))
}

fn line(shape: &HalfPlane, room: &Room) -> Picture {
    let [nx, ny, _] = shape.normal;
    let (middle, along) = (foot(shape, room), times(room.reach, [ny, -nx, 0.0]));
    Picture { points: vec![minus(middle, along), plus(middle, along)], pieces: vec![vec![0, 1]] }
}

fn plate(shape: &HalfPlane, room: &Room) -> Picture {
    let middle = foot(shape, room);
    let u = Frame::in_space(shape.normal).axes[1];
    let [u, v] = [u, cross(shape.normal, u)].map(|axis| times(room.reach, axis));
    let corner = |a: f64, b: f64| plus(middle, plus(times(a, u), times(b, v)));
    let points = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    Picture { points, pieces: vec![vec![0, 1, 2, 3]] }
}

/// cos and sin of the k-th corner of a circle.
fn corner(k: usize) -> (f64, f64) {
    let (sine, cosine) = (std::f64::consts::TAU * k as f64 / ROUND as f64).sin_cos();
    (cosine, sine)
}

/// The corner after that, around a circle.
fn after(k: usize) -> u32 {
    ((k + 1) % ROUND) as u32
}

/// Clockwise, so that what is outside is to the left.
fn circle(center: [f64; 3], radius: f64) -> Picture {
    let point = |k: usize| {
        let (cosine, sine) = corner(k);
        plus(center, [radius * cosine, radius * sine, 0.0])
    };
    Picture {
        points: (0..ROUND).map(point).collect(),
        pieces: (0..ROUND).map(|k| vec![after(k), k as u32]).collect(),
    }
}

/// Rings of corners, then the lower and the upper pole.
fn ball(shape: &Sphere) -> Picture {
    let mut picture = Picture::default();
    for ring in 1..RINGS {
        let (sine, cosine) = (std::f64::consts::PI * ring as f64 / RINGS as f64).sin_cos();
        for k in 0..ROUND {
            let (x, y) = corner(k);
            let out = [sine * x, sine * y, -cosine];
            picture.points.push(plus(shape.center, times(shape.radius, out)));
        }
    }
    for ring in 0..RINGS - 2 {
        picture.add_band((ring * ROUND) as u32, ((ring + 1) * ROUND) as u32);
    }
    let pole = |z: f64| plus(shape.center, [0.0, 0.0, z * shape.radius]);
    picture.add_cap(pole(-1.0), 0, true);
    picture.add_cap(pole(1.0), ((RINGS - 2) * ROUND) as u32, false);
    picture
}

fn round_bar(shape: &Cylinder, room: &Room) -> Picture {
    let u = Frame::in_space(shape.axis).axes[1];
    let v = cross(shape.axis, u);
    let (middle, half) = match shape.length {
        Some(length) => (shape.point, 0.5 * length),
        None => {
            let along = dot(shape.axis, minus(room.middle, shape.point));
            (plus(shape.point, times(along, shape.axis)), room.reach)
        }
    };
    let mut picture = Picture::default();
    let end = |side: f64| plus(middle, times(side * half, shape.axis));
    for side in [-1.0, 1.0] {
        for k in 0..ROUND {
            let (x, y) = corner(k);
            let out = plus(times(shape.radius * x, u), times(shape.radius * y, v));
            picture.points.push(plus(end(side), out));
        }
    }
    picture.add_band(0, ROUND as u32);
    if shape.length.is_some() {
        picture.add_cap(end(-1.0), 0, true);
        picture.add_cap(end(1.0), ROUND as u32, false);
    }
    picture
}

impl Picture {
    /// Quadrangles from the ring that begins at point `low` to the one above it.
    fn add_band(&mut self, low: u32, high: u32) {
        let side =
            |k: usize| vec![low + k as u32, low + after(k), high + after(k), high + k as u32];
        self.pieces.extend((0..ROUND).map(side));
    }

    /// Triangles from a ring to its middle.
    fn add_cap(&mut self, middle: [f64; 3], ring: u32, below: bool) {
        let top = self.points.len() as u32;
        self.points.push(middle);
        let piece = |k: usize| match below {
            true => vec![top, ring + after(k), ring + k as u32],
            false => vec![top, ring + k as u32, ring + after(k)],
        };
        self.pieces.extend((0..ROUND).map(piece));
    }
}

/// Half an edge along axis i, and where its middle is: an endless one is drawn near the bodies.
fn extent(shape: &Cuboid, i: usize, room: &Room) -> (f64, f64) {
    match shape.half[i] {
        half if half.is_finite() => (half, 0.0),
        _ => (room.reach, dot(shape.axes[i], minus(room.middle, shape.center))),
    }
}

fn place_in(shape: &Cuboid, own: &[f64]) -> [f64; 3] {
    let parts = own.iter().zip(shape.axes).map(|(x, axis)| times(*x, axis));
    parts.fold(shape.center, plus)
}

/// Clockwise.
fn rectangle(shape: &Cuboid, room: &Room) -> Picture {
    let ends = [0, 1].map(|i| extent(shape, i, room));
    let at =
        |x: f64, y: f64| place_in(shape, &[ends[0].1 + x * ends[0].0, ends[1].1 + y * ends[1].0]);
    let mut pieces: Vec<Vec<u32>> = (0..4).map(|k| vec![(k + 1) % 4, k]).collect();
    if cross(shape.axes[0], shape.axes[1])[2] < 0.0 {
        pieces.iter_mut().for_each(|piece| piece.reverse());
    }
    Picture { points: vec![at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], pieces }
}

/// Corners of the faces of a brick; bit i of a corner tells its side along axis i.
const FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn brick(shape: &Cuboid, room: &Room) -> Picture {
    let ends = [0, 1, 2].map(|i| extent(shape, i, room));
    let at = |corner: u32| {
        let side = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
        place_in(shape, &[0, 1, 2].map(|i| ends[i].1 + side(i) * ends[i].0))
    };
    let mut pieces: Vec<Vec<u32>> = FACES.iter().map(|face| face.to_vec()).collect();
    if dot(cross(shape.axes[0], shape.axes[1]), shape.axes[2]) < 0.0 {
        pieces.iter_mut().for_each(|piece| piece.reverse());
    }
    Picture { points: (0..8).map(at).collect(), pieces }
}

fn triangles(shape: &Surface) -> Picture {
    let points: Vec<[f64; 3]> = shape.corners().flatten().collect();
    let pieces = (0..points.len() as u32 / 3).map(|t| vec![3 * t, 3 * t + 1, 3 * t + 2]);
    Picture { pieces: pieces.collect(), points }
}

#[cfg(test)]
mod tests {
    use super::super::{RigidMotion, unit};
    use super::*;
    use crate::vector::length;

    const ROOM: Room = Room { middle: [0.3, 0.2, 0.0], reach: 2.0 };

    fn shapes(inside: bool) -> Vec<Shape> {
        let axis = unit([1.0, 2.0, -2.0]).unwrap();
        let axes = Frame::in_space(axis).axes;
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let surface = Surface::new(&corners, &faces, Surface::CREASE_ANGLE, inside).unwrap();
        let point = [0.1, -0.1, 0.0];
        vec![
            Shape::HalfPlane(HalfPlane { point, normal: axis }),
            Shape::Sphere(Sphere { center: point, radius: 0.5, inside }),
            Shape::Cylinder(Cylinder { point, axis, radius: 0.4, length: None, inside }),
            Shape::Cylinder(Cylinder { point, axis, radius: 0.4, length: Some(0.9), inside }),
            Shape::Cuboid(Cuboid { center: point, half: [0.5, 0.3, 0.2], axes, inside }),
            Shape::Surface(Box::new(surface)),
        ]
    }

    fn flat_shapes(inside: bool) -> Vec<Shape> {
        let z = [0.0, 0.0, 1.0];
        let (center, half) = ([0.1, 0.0, 0.0], [0.5, 0.3, f64::INFINITY]);
        let axes = [[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], z];
        vec![
            Shape::HalfPlane(HalfPlane { point: center, normal: [0.6, 0.8, 0.0] }),
            Shape::Sphere(Sphere { center, radius: 0.5, inside }),
            Shape::Cylinder(Cylinder { point: center, axis: z, radius: 0.4, length: None, inside }),
            Shape::Cuboid(Cuboid { center, half, axes, inside }),
        ]
    }

    /// The points have no gap, and a step from the middle of a piece along its normal opens one: pieces of a circle of
    /// radius r lie r(1 − cos(π/64)) < 2e-3 r below it, those of a ball twice that.
    #[test]
    fn pictures_lie_on_the_surface_and_look_at_the_bodies() {
        let still = RigidMotion::default;
        for inside in [false, true] {
            let space = shapes(inside).into_iter().map(|s| Obstacle::in_space(s, still()).unwrap());
            let plane =
                flat_shapes(inside).into_iter().map(|s| Obstacle::in_plane(s, still()).unwrap());
            for obstacle in space.chain(plane) {
                let picture = obstacle.picture(&ROOM, &Pose::default());
                let gap_at = |face, x| obstacle.touch(face, x, &Pose::default()).gap;
                let gap = |x| {
                    (0..obstacle.faces()).map(|face| gap_at(face, x)).fold(f64::INFINITY, f64::min)
                };
                for &point in &picture.points {
                    let is_cap = matches!(obstacle.shape(), Shape::Cylinder(_));
                    assert!(gap(point).abs() < 1e-14 || is_cap, "{:?}", obstacle.shape());
                }
                for piece in &picture.pieces {
                    let at = |k: usize| picture.points[piece[k] as usize];
                    let share = 1.0 / piece.len() as f64;
                    let middle =
                        (0..piece.len()).fold([0.0; 3], |m, k| plus(m, times(share, at(k))));
                    let edge = minus(at(1), at(0));
                    let normal = match piece.len() {
                        2 => [-edge[1], edge[0], 0.0],
                        _ => cross(edge, minus(at(2), at(0))),
                    };
                    let out = plus(middle, times(0.02 / length(normal), normal));
                    assert!(gap(middle).abs() < 5e-3, "{:?}: {:e}", obstacle.shape(), gap(middle));
                    assert!(gap(out) > 0.01, "{:?}: {:e}", obstacle.shape(), gap(out));
                }
            }
        }
    }

    #[test]
    fn what_is_endless_is_drawn_near_the_bodies() {
        let far = Room { middle: [100.0, 50.0, 0.0], reach: 2.0 };
        for shape in [flat_shapes(false).swap_remove(0), shapes(false).swap_remove(2)] {
            let obstacle = Obstacle::in_space(shape, RigidMotion::default()).unwrap();
            let picture = obstacle.picture(&far, &Pose::default());
            let nearest = obstacle.touch(0, far.middle, &Pose::default()).gap.abs();
            for point in picture.points {
                assert!(length(minus(point, far.middle)) < nearest + 2.0 * 2.0);
            }
        }
    }
}
