//! A round bar, endless or with flat ends; or the bore of one.

use super::error::{ObstacleError, finite, flat, of_length_one, positive, refuse_unless, upright};
use super::shape::Nearest;
use super::{Frame, HalfPlane, Shape};
use crate::vector::{dot, minus, plus, polar, times, unit};

/// A circular cylinder, or with `inside` the hollow of one: a bearing, a pipe, a barrel.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    /// A point of its axis; the middle of the cylinder if it has ends.
    pub point: [f64; 3],
    /// Unit vector along the axis.
    pub axis: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// From end to end; endless if `None`.
    pub length: Option<f64>,
    /// Whether the body is inside of it.
    pub inside: bool,
}

impl Cylinder {
    /// With x − point = r e + z a, e ⟂ a, and the distances outside of the side and of the ends
    ///
    /// ```text
    ///     d_r = r − R        d_z = |z| − ½L
    ///     both > 0    g = √(d_r² + d_z²)      n = (d_r e ± d_z a)/g       around the rim
    ///     else        g = max(d_r, d_z)       n = e or ±a
    ///     n = n_r e + n_z a   ⇒   t₁ = n_r a − n_z e
    /// ```
    ///
    /// t₁ is along the axis on the side and along a meridian over the rim and the ends. It has no
    /// limit in the middle of an end, where e is taken by choice, as on the axis.
    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        let apart = minus(x, self.point);
        let height = dot(apart, self.axis);
        let sideways = minus(apart, times(height, self.axis));
        let (r, outward) = self.outward(sideways);
        let beyond_side = r - self.radius;
        let beyond_end =
            self.length.map_or(f64::NEG_INFINITY, |length| height.abs() - 0.5 * length);
        let up = 1f64.copysign(height);
        let (gap, n_r, n_z) = if beyond_side > 0.0 && beyond_end > 0.0 {
            let distance = beyond_side.hypot(beyond_end);
            (distance, beyond_side / distance, up * beyond_end / distance)
        } else if beyond_side >= beyond_end {
            (beyond_side, 1.0, 0.0)
        } else {
            (beyond_end, 0.0, up)
        };
        let mix = |a: f64, b: f64| plus(times(a, outward), times(b, self.axis));
        let (normal, along) = match (n_r, n_z) {
            (_, 0.0) => (outward, self.axis),
            _ => (mix(n_r, n_z), mix(-n_z, n_r)),
        };
        Nearest { gap, normal, along: Some(along) }.seen_from(self.inside)
    }

    /// Where it has ends: the side of the hollow, and its ends from low to high along the axis.
    pub(super) fn walls(&self) -> Vec<Shape> {
        let Some(length) = self.length else { return Vec::new() };
        let end = |sign: f64| {
            let outward = times(sign, self.axis);
            let point = plus(self.point, times(0.5 * length, outward));
            Shape::HalfPlane(HalfPlane { point, normal: times(-1.0, outward) })
        };
        let side = Shape::Cylinder(Self { length: None, ..self.clone() });
        vec![side, end(-1.0), end(1.0)]
    }

    /// r and e. Near the axis rounding leaves a part of e along it, which is taken off; on the axis
    /// there may be nothing else, and any e is as good.
    fn outward(&self, sideways: [f64; 3]) -> (f64, [f64; 3]) {
        let by_choice = || Frame::in_space(self.axis).axes[2];
        let Some((r, direction)) = polar(sideways) else {
            return (0.0, by_choice());
        };
        let across = minus(direction, times(dot(direction, self.axis), self.axis));
        let is_clear = dot(across, across) > 0.25;
        (r, if is_clear { unit(across) } else { None }.unwrap_or_else(by_choice))
    }

    pub(super) fn check(&self) -> Result<(), ObstacleError> {
        finite("the point of the cylinder", self.point)?;
        of_length_one("the axis of the cylinder", self.axis)?;
        for (what, value) in [
            ("the radius of the cylinder", self.radius),
            ("the length of the cylinder", self.length.unwrap_or(1.0)),
        ] {
            finite(what, [value; 3])?;
            positive(what, value)?;
        }
        Ok(())
    }

    pub(super) fn check_plane(&self) -> Result<(), ObstacleError> {
        flat("the point of the cylinder", self.point)?;
        upright("the axis of the cylinder", self.axis)?;
        let (what, remedy) = ("the length of the cylinder", "leave it out, the plane sees no ends");
        refuse_unless(self.length.is_none(), what, &self.length.unwrap_or_default(), remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::{Random, assert_frame, gradient};
    use super::*;
    use crate::vector::length;

    fn bar(end_to_end: Option<f64>, inside: bool) -> Cylinder {
        let axis = unit([1.0, -2.0, 2.0]).unwrap();
        Cylinder { point: [0.1, 0.2, -0.1], axis, radius: 0.4, length: end_to_end, inside }
    }

    /// Where the differences straddle no kink they leave s²/r² on rounded parts, of radius r > 0.02
    /// here: less than 1e-6.
    #[test]
    fn the_normal_is_the_gradient_of_the_gap_around_side_rim_and_ends() {
        let mut random = Random::new(4);
        for cylinder in [bar(None, false), bar(Some(1.2), false), bar(Some(1.2), true)] {
            let mut seen = 0;
            for _ in 0..2000 {
                let x = random.point();
                let slope = gradient(|x| cylinder.nearest(x).gap, x, 1e-5);
                let at = cylinder.nearest(x);
                if (length(slope) - 1.0).abs() > 1e-5 || at.gap.abs() < 0.02 {
                    continue;
                }
                seen += 1;
                assert!(length(minus(at.normal, slope)) < 1e-5, "{x:?}: {at:?} {slope:?}");
            }
            assert!(seen > 1500, "only {seen} points of the cylinder are away from its kinks");
        }
    }

    #[test]
    fn gaps_of_side_end_and_rim_are_those_of_the_closed_form() {
        let can = Cylinder {
            point: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            radius: 2.0,
            length: Some(6.0),
            inside: false,
        };
        let gap = |x| can.nearest(x).gap;
        assert_eq!(gap([3.0, 0.0, 1.0]), 1.0);
        assert_eq!(gap([0.5, 0.5, -3.25]), 0.25);
        assert_eq!(gap([0.0, 5.0, 7.0]), 5.0);
        assert_eq!(gap([1.5, 0.0, 0.0]), -0.5);
        assert_eq!(gap([1.0, 0.0, 2.75]), -0.25);
        let barrel = Cylinder { inside: true, ..can };
        assert_eq!(barrel.nearest([1.0, 0.0, 2.75]).gap, 0.25);
        assert_eq!(barrel.nearest([1.0, 0.0, 2.75]).normal, [0.0, 0.0, -1.0]);
    }

    #[test]
    fn the_walls_of_a_hollow_with_ends_are_its_side_and_its_ends() {
        let (hollow, mut random) = (bar(Some(1.2), true), Random::new(13));
        assert!(bar(None, true).walls().is_empty());
        let walls = hollow.walls();
        assert_eq!(walls.len(), 3);
        for _ in 0..500 {
            let x = random.point();
            if hollow.nearest(x).gap > 0.0 {
                let gaps = walls.iter().map(|wall| wall.nearest(x).gap);
                let nearest = gaps.fold(f64::INFINITY, f64::min);
                assert!((nearest - hollow.nearest(x).gap).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn the_axis_the_surface_and_the_rim_have_finite_frames_with_the_axis_along_the_side() {
        let mut random = Random::new(5);
        for cylinder in [bar(None, false), bar(Some(1.2), false), bar(Some(1.2), true)] {
            let middle = |z: f64| plus(cylinder.point, times(z, cylinder.axis));
            let out = unit(Frame::in_space(cylinder.axis).axes[1]).unwrap();
            let rim = |z: f64| plus(middle(z), times(0.4, out));
            for x in [middle(0.0), middle(0.6), middle(-0.6), rim(0.6), rim(-0.6), rim(0.0)] {
                let at = cylinder.nearest(x);
                assert_frame(&Frame::along(at.normal, at.along.unwrap()));
            }
            for _ in 0..500 {
                let at = cylinder.nearest(random.point());
                assert_frame(&Frame::along(at.normal, at.along.unwrap()));
                let on_side = dot(at.normal, cylinder.axis).abs() < 1e-14;
                assert!(!on_side || at.along == Some(cylinder.axis));
            }
        }
    }
}
