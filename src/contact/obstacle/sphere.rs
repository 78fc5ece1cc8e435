//! A sphere, in the plane a disk; or a spherical bowl.

use super::error::{ObstacleError, finite, flat, positive};
use super::shape::{FORWARD, Nearest};
use crate::vector::{minus, polar};

/// A ball, or with `inside` the hollow of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub center: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// Whether the body is inside of it.
    pub inside: bool,
}

impl Sphere {
    /// g = ‖x − c‖ − R and n = (x − c)/‖x − c‖; at the centre n = y, which is as near as any other.
    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        let (distance, normal) = polar(minus(x, self.center)).unwrap_or((0.0, FORWARD));
        Nearest { gap: distance - self.radius, normal, along: None }.seen_from(self.inside)
    }

    pub(super) fn check(&self) -> Result<(), ObstacleError> {
        finite("the centre of the sphere", self.center)?;
        finite("the radius of the sphere", [self.radius; 3])?;
        positive("the radius of the sphere", self.radius)
    }

    pub(super) fn check_plane(&self) -> Result<(), ObstacleError> {
        flat("the centre of the sphere", self.center)
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::{Random, gradient};
    use super::*;
    use crate::vector::{length, times};

    /// Differences of step s leave ½s²/r²: 1e-9 at s = 1e-5; rounding leaves ε/s.
    #[test]
    fn the_normal_is_the_gradient_of_the_gap_inside_and_outside() {
        let mut random = Random::new(3);
        for inside in [false, true] {
            let sphere = Sphere { center: [0.3, -0.2, 0.1], radius: 0.7, inside };
            for _ in 0..500 {
                let x = random.point();
                if length(minus(x, sphere.center)) < 0.1 {
                    continue;
                }
                let slope = gradient(|x| sphere.nearest(x).gap, x, 1e-5);
                assert!(length(minus(sphere.nearest(x).normal, slope)) < 3e-8);
            }
        }
    }

    #[test]
    fn a_bowl_holds_what_is_less_than_its_radius_from_the_centre() {
        let bowl = Sphere { center: [0.0; 3], radius: 2.0, inside: true };
        let bottom = bowl.nearest([0.0, 0.0, -1.5]);
        assert_eq!((bottom.gap, bottom.normal[2]), (0.5, 1.0));
        assert_eq!(bowl.nearest([0.0, 2.5, 0.0]).gap, -0.5);
    }

    #[test]
    fn the_centre_and_points_next_to_it_have_a_finite_normal() {
        let ball = Sphere { center: [1.0, 0.0, 0.0], radius: 2.0, inside: false };
        assert_eq!(ball.nearest([1.0, 0.0, 0.0]).gap, -2.0);
        assert_eq!(ball.nearest([1.0, 0.0, 0.0]).normal, FORWARD);
        let close = ball.nearest([1.0, times(1e-300, FORWARD)[1], 0.0]);
        assert_eq!(close.normal, FORWARD);
    }
}
