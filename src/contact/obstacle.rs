//! Rigid obstacles: their gap function and their frame.

use crate::time::TimeFunction;

/// A rigid half-plane, at rest or translating.
#[derive(Clone, Debug)]
pub struct HalfPlane {
    /// A point of its surface at t = 0.
    pub point: [f64; 2],
    /// Outward unit normal, towards the body.
    pub normal: [f64; 2],
    /// Velocity, multiplied by `time`.
    pub velocity: [f64; 2],
    /// Time function of the velocity.
    pub time: TimeFunction,
}

impl HalfPlane {
    /// Unit tangent t, the normal turned clockwise: (n, t) = (y, x) for a floor.
    pub fn tangent(&self) -> [f64; 2] {
        [self.normal[1], -self.normal[0]]
    }

    /// Gap g = n·(x − point − travel): positive when apart.
    pub fn gap(&self, x: [f64; 2], travel: [f64; 2]) -> f64 {
        let apart = |i: usize| x[i] - self.point[i] - travel[i];
        self.normal[0] * apart(0) + self.normal[1] * apart(1)
    }

    /// (n·w, t·w): a vector in the frame of the surface, normal first.
    pub fn to_frame(&self, w: [f64; 2]) -> [f64; 2] {
        let (n, t) = (self.normal, self.tangent());
        [n[0] * w[0] + n[1] * w[1], t[0] * w[0] + t[1] * w[1]]
    }

    /// p_N n + p_T t: back from the frame of the surface.
    pub fn to_space(&self, p: [f64; 2]) -> [f64; 2] {
        let (n, t) = (self.normal, self.tangent());
        [n[0] * p[0] + t[0] * p[1], n[1] * p[0] + t[1] * p[1]]
    }

    /// Velocity at time `t`.
    pub fn velocity_at(&self, t: f64) -> [f64; 2] {
        let scale = self.time.value(t);
        self.velocity.map(|w| scale * w)
    }

    /// Whether it can move.
    pub fn moves(&self) -> bool {
        self.velocity != [0.0; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_of_a_floor_is_up_and_right_and_frames_are_orthonormal() {
        let floor = |normal| HalfPlane {
            point: [1.0, 2.0],
            normal,
            velocity: [0.0; 2],
            time: TimeFunction::Constant,
        };
        assert_eq!(floor([0.0, 1.0]).to_frame([3.0, 5.0]), [5.0, 3.0]);
        let slope = floor([0.6, 0.8]);
        let back = slope.to_space(slope.to_frame([3.0, 5.0]));
        assert!((back[0] - 3.0).abs() < 1e-15 && (back[1] - 5.0).abs() < 1e-15);
        assert!((slope.gap([1.6, 2.8], [0.0; 2]) - 1.0).abs() < 1e-15);
        assert!(slope.gap([1.6, 2.8], [0.6, 0.8]).abs() < 1e-15);
    }
}
