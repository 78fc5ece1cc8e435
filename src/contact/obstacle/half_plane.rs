//! A half-plane, or in space a half-space.

use super::error::{ObstacleError, finite, flat, of_length_one};
use super::shape::Nearest;
use crate::vector::{dot, minus};

/// Everything on the other side of a flat surface. Its frame is the same everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfPlane {
    /// A point of the surface.
    pub point: [f64; 3],
    /// Outward unit normal, towards the body.
    pub normal: [f64; 3],
}

impl HalfPlane {
    /// g = n·(x − point).
    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        let gap = dot(self.normal, minus(x, self.point));
        Nearest { gap, normal: self.normal, along: None }
    }

    pub(super) fn check(&self) -> Result<(), ObstacleError> {
        finite("the point of the half-plane", self.point)?;
        of_length_one("the normal of the half-plane", self.normal)
    }

    pub(super) fn check_plane(&self) -> Result<(), ObstacleError> {
        flat("the point of the half-plane", self.point)?;
        flat("the normal of the half-plane", self.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_the_height_above_the_surface() {
        let slope = HalfPlane { point: [1.0, 2.0, 0.0], normal: [0.6, 0.8, 0.0] };
        assert!((slope.nearest([1.6, 2.8, 0.0]).gap - 1.0).abs() < 1e-15);
        assert!((slope.nearest([1.0, 2.0, 7.0]).gap).abs() < 1e-15);
        assert!((slope.nearest([0.4, 1.2, 0.0]).gap + 1.0).abs() < 1e-15);
    }
}
