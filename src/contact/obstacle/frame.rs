//! The frame of a contact: the normal and two tangents.

use crate::vector::{combine, cross, dot};

/// Orthonormal, right-handed axes (n, t₁, t₂ = n × t₁), n towards the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// n, t₁, t₂.
    pub axes: [[f64; 3]; 3],
}

impl Frame {
    /// The axes of space.
    pub const SPACE: Self = Self { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// The frame in the plane z = 0, where n_z = 0:
    ///
    /// ```text
    ///     t₁ = (n_y, −n_x, 0)     the normal turned clockwise: x for a floor
    ///     t₂ = (0, 0, −1)
    /// ```
    pub fn in_plane(n: [f64; 3]) -> Self {
        Self { axes: [[n[0], n[1], 0.0], [n[1], -n[0], 0.0], [0.0, 0.0, -1.0]] }
    }

    /// The frame that the shortest turn from z to n makes of (z, x, y):
    ///
    /// ```text
    ///     t₁ = x − n_x (z + n)/(1 + n_z)        t₂ = y − n_y (z + n)/(1 + n_z)                (1)
    /// ```
    ///
    /// It is (z, x, y) on a floor and smooth in n but for n = −z, where (1) has no limit and the
    /// tangents are x and −y: a field of tangents on the sphere must have one such point.
    pub fn in_space(n: [f64; 3]) -> Self {
        let [x, y, z] = n;
        let sideways = x * x + y * y;
        // 1/(1 + n_z), also where 1 + n_z cancels.
        let share = if z > 0.0 {
            1.0 / (1.0 + z)
        } else if sideways > 1e-280 {
            (1.0 - z) / sideways
        } else {
            return Self { axes: [n, [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]] };
        };
        let mixed = -x * y * share;
        Self { axes: [n, [1.0 - x * x * share, mixed, -x], [mixed, 1.0 - y * y * share, -y]] } // (1)
    }

    /// The frame with t₁ given, a unit vector along the surface.
    pub fn along(n: [f64; 3], t: [f64; 3]) -> Self {
        Self { axes: [n, t, cross(n, t)] }
    }

    /// n.
    pub fn normal(&self) -> [f64; 3] {
        self.axes[0]
    }

    /// (n·w, t₁·w, t₂·w).
    pub fn to_frame(&self, w: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, w))
    }

    /// p₀ n + p₁ t₁ + p₂ t₂.
    pub fn to_space(&self, p: [f64; 3]) -> [f64; 3] {
        combine(p, self.axes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::{Random, assert_frame, frame_change};
    use super::*;
    use crate::vector::{length, minus, plus, times, unit};

    #[test]
    fn a_floor_has_x_as_first_tangent_in_the_plane_and_x_and_y_in_space() {
        let flat = Frame::in_plane([0.0, 1.0, 0.0]);
        assert_eq!(flat.to_frame([3.0, 5.0, 0.0]), [5.0, 3.0, 0.0]);
        assert_eq!(flat.axes[2], [0.0, 0.0, -1.0]);
        let floor = Frame::in_space([0.0, 0.0, 1.0]);
        assert_eq!(floor.to_frame([3.0, 5.0, 7.0]), [7.0, 3.0, 5.0]);
        assert_frame(&Frame::in_space([0.0, 0.0, -1.0]));
    }

    /// Orthonormal to rounding, also close to the singular normal.
    #[test]
    fn frames_are_orthonormal_and_right_handed_and_take_vectors_there_and_back() {
        let mut random = Random::new(1);
        for k in 0..2000 {
            let aside = 10f64.powi(-(k % 170));
            let n = unit(plus([0.0, 0.0, -1.0], times(aside, random.point()))).unwrap();
            for frame in [Frame::in_space(n), Frame::in_space(random.direction())] {
                assert_frame(&frame);
                let w = random.point();
                assert!(length(minus(frame.to_space(frame.to_frame(w)), w)) < 1e-14);
            }
            let angle = random.number();
            assert_frame(&Frame::in_plane([angle.cos(), angle.sin(), 0.0]));
        }
    }

    /// The tangents of (1) turn about n by tan(½∠(n, z)) times the turn of n: 4.4 at n_z = −0.9,
    /// so 8 times the move bounds the change of all three axes.
    #[test]
    fn frames_in_space_turn_no_faster_than_their_normal_away_from_the_downward_one() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let n = random.direction();
            let close = unit(plus(n, times(1e-4, random.point()))).unwrap();
            let change = frame_change(&Frame::in_space(n), &Frame::in_space(close));
            assert!(n[2] < -0.9 || change <= 8.0 * length(minus(close, n)), "{n:?}: {change:e}");
        }
    }
}
