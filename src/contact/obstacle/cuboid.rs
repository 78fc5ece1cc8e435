//! A box, in the plane a rectangle; or the room inside of one.

use super::error::{ObstacleError, finite, flat, orthonormal, positive, refuse_unless, upright};
use super::shape::Nearest;
use super::{HalfPlane, Shape};
use crate::vector::{combine, dot, minus, plus, times};

/// A cuboid, or with `inside` a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuboid {
    /// Its centre.
    pub center: [f64; 3],
    /// Half of its edges, along its axes; ∞ for the third one in the plane.
    pub half: [f64; 3],
    /// Its axes, orthonormal.
    pub axes: [[f64; 3]; 3],
    /// Whether the body is inside of it.
    pub inside: bool,
}

impl Cuboid {
    /// With xᵢ the coordinates along the axes and dᵢ = |xᵢ| − halfᵢ,
    ///
    /// ```text
    ///     some dᵢ > 0    g = ‖max(d, 0)‖       n = (± max(dᵢ, 0))/g      around edges and corners
    ///     else           g = maxᵢ dᵢ           n = ± axis i              the face of least depth
    /// ```
    pub(super) fn nearest(&self, x: [f64; 3]) -> Nearest {
        let apart = minus(x, self.center);
        let own = self.axes.map(|axis| dot(axis, apart));
        let beyond = [0, 1, 2].map(|i| own[i].abs() - self.half[i]);
        let sign = own.map(|x| 1f64.copysign(x));
        let face = (1..3).fold(0, |face, i| if beyond[i] > beyond[face] { i } else { face });
        let largest = beyond[face];
        let alone = (0..3).all(|i| i == face || beyond[i] <= 0.0);
        let (gap, normal) = if largest <= 0.0 || alone {
            (largest, times(sign[face], self.axes[face]))
        } else {
            // Divided by the largest: squares of tiny numbers vanish.
            let share = beyond.map(|d| d.max(0.0) / largest);
            let scale = dot(share, share).sqrt();
            let parts = [0, 1, 2].map(|i| sign[i] * share[i] / scale);
            (largest * scale, combine(parts, self.axes))
        };
        Nearest { gap, normal, along: None }.seen_from(self.inside)
    }

    /// The faces of the room inside, those along the first axis first, each pair from low to high; an edge
    /// without end has none.
    pub(super) fn walls(&self) -> Vec<Shape> {
        let wall = |axis: usize, sign: f64| {
            let outward = times(sign, self.axes[axis]);
            let point = plus(self.center, times(self.half[axis], outward));
            Shape::HalfPlane(HalfPlane { point, normal: times(-1.0, outward) })
        };
        let finite = (0..3).filter(|&axis| self.half[axis].is_finite());
        finite.flat_map(|axis| [wall(axis, -1.0), wall(axis, 1.0)]).collect()
    }

    pub(super) fn check(&self) -> Result<(), ObstacleError> {
        finite("the centre of the cuboid", self.center)?;
        self.half.iter().try_for_each(|&half| positive("half an edge of the cuboid", half))?;
        if self.half.iter().all(|half| half.is_infinite()) {
            return Err(ObstacleError::NotFinite { what: "every edge of the cuboid" });
        }
        orthonormal(self.axes)
    }

    pub(super) fn check_plane(&self) -> Result<(), ObstacleError> {
        flat("the centre of the cuboid", self.center)?;
        flat("the first axis of the cuboid", self.axes[0])?;
        flat("the second axis of the cuboid", self.axes[1])?;
        upright("the third axis of the cuboid", self.axes[2])?;
        let (depth, remedy) = (self.half[2], "make it infinite, the plane sees no thickness");
        refuse_unless(depth.is_infinite(), "half the third edge of the cuboid", &depth, remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Frame;
    use super::super::probe::{Random, assert_frame, gradient};
    use super::*;
    use crate::vector::length;

    const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn brick(inside: bool) -> Cuboid {
        let axes = Frame::in_space([0.6, 0.0, 0.8]).axes;
        Cuboid { center: [0.1, 0.2, 0.0], half: [0.5, 0.3, 0.2], axes, inside }
    }

    /// Where the differences straddle no kink they leave s²/g² on rounded parts: 1e-6 for g > 1e-2.
    #[test]
    fn the_normal_is_the_gradient_of_the_gap_at_faces_edges_and_corners() {
        let mut random = Random::new(6);
        for brick in [brick(false), brick(true)] {
            let mut seen = 0;
            for _ in 0..2000 {
                let x = random.point();
                let slope = gradient(|x| brick.nearest(x).gap, x, 1e-5);
                let at = brick.nearest(x);
                if (length(slope) - 1.0).abs() > 1e-5 || at.gap.abs() < 1e-2 {
                    continue;
                }
                seen += 1;
                assert!(length(minus(at.normal, slope)) < 1e-5, "{x:?}: {at:?} {slope:?}");
            }
            assert!(seen > 1500, "only {seen} points of the cuboid are away from its kinks");
        }
    }

    #[test]
    fn gaps_of_face_edge_corner_and_depth_are_those_of_the_closed_form() {
        let cube = Cuboid { center: [0.0; 3], half: [1.0; 3], axes: UPRIGHT, inside: false };
        let gap = |x| cube.nearest(x).gap;
        assert_eq!(gap([0.0, 0.5, 3.0]), 2.0);
        assert_eq!(gap([4.0, 0.0, -5.0]), 5.0);
        assert_eq!(gap([3.0, 3.0, -2.0]), 3.0);
        assert_eq!(gap([0.5, -0.75, 0.0]), -0.25);
        let box_ = Cuboid { inside: true, ..cube };
        assert_eq!(box_.nearest([0.5, -0.75, 0.0]).gap, 0.25);
        assert_eq!(box_.nearest([0.5, -0.75, 0.0]).normal[1], 1.0);
    }

    /// The nearest wall of a room is what the closed form of the container says, inside of it.
    #[test]
    fn the_walls_of_a_room_are_its_faces() {
        let (room, mut random) = (brick(true), Random::new(12));
        let walls = room.walls();
        assert_eq!(walls.len(), 6);
        for _ in 0..500 {
            let own = [0, 1, 2].map(|i| random.number() * room.half[i]);
            let x = plus(room.center, combine(own, room.axes));
            let gaps = walls.iter().map(|wall| wall.nearest(x).gap);
            let nearest = gaps.fold(f64::INFINITY, f64::min);
            assert!((nearest - room.nearest(x).gap).abs() < 1e-15);
        }
        let half = [2.0, 1.0, f64::INFINITY];
        let flat = Cuboid { center: [0.0; 3], half, axes: UPRIGHT, inside: true };
        assert_eq!(flat.walls().len(), 4);
    }

    #[test]
    fn faces_edges_corners_and_the_centre_have_finite_frames() {
        for brick in [brick(false), brick(true)] {
            for k in 0..27 {
                let at = [k % 3, k / 3 % 3, k / 9].map(|i| f64::from(i) - 1.0);
                let own = [0, 1, 2].map(|i| at[i] * brick.half[i]);
                for off in [0.0, 1e-200, 1e-17, 1e-9] {
                    let x = combine(own.map(|x| x * (1.0 + off)), brick.axes);
                    let x = [0, 1, 2].map(|i| x[i] + brick.center[i]);
                    assert_frame(&Frame::in_space(brick.nearest(x).normal));
                }
            }
        }
        let cube = Cuboid { center: [0.0; 3], half: [1e-250; 3], axes: UPRIGHT, inside: false };
        assert_frame(&Frame::in_space(cube.nearest([2e-250, 3e-250, 0.0]).normal));
    }

    #[test]
    fn a_rectangle_is_endless_along_z_and_its_normals_stay_in_the_plane() {
        let half = [2.0, 1.0, f64::INFINITY];
        let rectangle = Cuboid { center: [0.0; 3], half, axes: UPRIGHT, inside: false };
        assert_eq!(rectangle.check(), Ok(()));
        assert_eq!(rectangle.check_plane(), Ok(()));
        let corner = rectangle.nearest([5.0, 5.0, 0.0]);
        assert_eq!((corner.gap, corner.normal[2]), (5.0, 0.0));
        assert_eq!(rectangle.nearest([0.0; 3]).gap, -1.0);
    }
}
