//! The shapes an obstacle can have.

use std::sync::Arc;

use super::error::ObstacleError;
use super::{Cuboid, CustomShape, Cylinder, HalfPlane, Sphere, Surface};

/// The normal where every one is as good: in the plane, and of length 1 in space.
pub(super) const FORWARD: [f64; 3] = [0.0, 1.0, 0.0];

/// What a shape says of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance, positive where apart.
    pub gap: f64,
    /// Unit normal, towards the body.
    pub normal: [f64; 3],
    /// First tangent in space, where the shape has one of its own.
    pub along: Option<[f64; 3]>,
}

impl Nearest {
    /// The same for a body on the other side of the surface, if `inside`.
    pub(super) fn seen_from(self, inside: bool) -> Self {
        let Self { gap, normal, along } = self;
        if inside { Self { gap: -gap, normal: normal.map(|n| -n), along } } else { self }
    }
}

/// A rigid shape, in its own coordinates.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A half-plane or half-space.
    HalfPlane(HalfPlane),
    /// A sphere, disk or bowl.
    Sphere(Sphere),
    /// A cylinder or bore.
    Cylinder(Cylinder),
    /// A box, rectangle or container.
    Cuboid(Cuboid),
    /// A closed triangulated surface.
    Surface(Box<Surface>),
    /// One of a program's own.
    Custom(Arc<dyn CustomShape>),
}

impl Shape {
    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        match self {
            Self::HalfPlane(shape) => shape.nearest(x),
            Self::Sphere(shape) => shape.nearest(x),
            Self::Cylinder(shape) => shape.nearest(x),
            Self::Cuboid(shape) => shape.nearest(x),
            Self::Surface(shape) => shape.nearest(x),
            Self::Custom(shape) => shape.nearest(x),
        }
    }

    /// The faces of a room with edges, one after the other; of any other shape none.
    pub(super) fn faces(&self) -> Vec<Shape> {
        match self {
            Self::Cuboid(shape) if shape.inside => shape.walls(),
            Self::Cylinder(shape) if shape.inside => shape.walls(),
            Self::HalfPlane(_)
            | Self::Sphere(_)
            | Self::Cylinder(_)
            | Self::Cuboid(_)
            | Self::Surface(_)
            | Self::Custom(_) => Vec::new(),
        }
    }

    /// Whether the normal differs from point to point.
    pub fn is_curved(&self) -> bool {
        match self {
            Self::HalfPlane(_) => false,
            Self::Sphere(_) | Self::Cylinder(_) | Self::Cuboid(_) | Self::Surface(_) => true,
            Self::Custom(shape) => shape.is_curved(),
        }
    }

    /// That its lengths are positive and its directions of length 1.
    pub fn check(&self) -> Result<(), ObstacleError> {
        match self {
            Self::HalfPlane(shape) => shape.check(),
            Self::Sphere(shape) => shape.check(),
            Self::Cylinder(shape) => shape.check(),
            Self::Cuboid(shape) => shape.check(),
            // Checked when it was made.
            Self::Surface(_) => Ok(()),
            Self::Custom(_) => Ok(()),
        }
    }

    /// That its normals at points of the plane z = 0 lie in it.
    pub fn check_plane(&self) -> Result<(), ObstacleError> {
        match self {
            Self::HalfPlane(shape) => shape.check_plane(),
            Self::Sphere(shape) => shape.check_plane(),
            Self::Cylinder(shape) => shape.check_plane(),
            Self::Cuboid(shape) => shape.check_plane(),
            Self::Custom(_) => Ok(()),
            Self::Surface(_) => Err(ObstacleError::LeavesPlane {
                what: "the shape of the obstacle",
                value: "a surface of triangles".into(),
                remedy: "use a half-plane, a sphere, a cylinder along z or a cuboid",
            }),
        }
    }
}
