//! Convex pieces of rigid bodies, and where they are.

use crate::vector::{dot, minus, plus};

/// A convex piece of a rigid body, in the coordinates of the body.
#[derive(Clone, Debug, PartialEq)]
pub enum Convex {
    /// A ball, or a disk in the plane.
    Ball {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// All points within a radius of a segment; in the plane a rod where the radius is 0.
    Capsule {
        /// The ends of the segment.
        ends: [[f64; 3]; 2],
        /// The radius.
        radius: f64,
    },
    /// A polyhedron in space.
    Polyhedron(Polyhedron),
    /// A polygon in the plane z = 0.
    Polygon(Polygon),
}

/// A face of a polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatFace {
    /// Its corners, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Outward unit normal.
    pub normal: [f64; 3],
    /// n·x of its points.
    pub offset: f64,
}

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its ends.
    pub ends: [u32; 2],
    /// The faces on its sides.
    pub faces: [u32; 2],
}

/// A convex polyhedron: no two of its faces lie in one plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    /// Its corners.
    pub vertices: Vec<[f64; 3]>,
    /// Its faces.
    pub faces: Vec<FlatFace>,
    /// Its edges.
    pub edges: Vec<Edge>,
}

/// A convex polygon in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    /// Its corners, counter-clockwise, with z = 0.
    pub vertices: Vec<[f64; 3]>,
}

/// Where a body is: x = place + turn X.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// The centre of the body.
    pub place: [f64; 3],
    /// Its rotation, row by row.
    pub turn: [[f64; 3]; 3],
}

impl Placement {
    /// That of the body in its own coordinates.
    pub const BODY: Self =
        Self { place: [0.0; 3], turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// Where a point of the body is.
    pub fn to_space(&self, point: [f64; 3]) -> [f64; 3] {
        plus(self.place, self.turned(point))
    }

    /// A direction of the body, in space.
    pub fn turned(&self, direction: [f64; 3]) -> [f64; 3] {
        self.turn.map(|row| dot(row, direction))
    }

    /// A point of space, as the body sees it.
    pub fn to_body(&self, point: [f64; 3]) -> [f64; 3] {
        self.turned_back(minus(point, self.place))
    }

    /// A direction of space, as the body sees it.
    pub fn turned_back(&self, direction: [f64; 3]) -> [f64; 3] {
        let of = |i: usize| [self.turn[0][i], self.turn[1][i], self.turn[2][i]];
        [0, 1, 2].map(|i| dot(of(i), direction))
    }
}
