//! What the tests of this room share: numbers by chance, and what every frame and gap must obey.

use super::Frame;
use crate::vector::{cross, dot, length, minus, unit};

/// Numbers by chance, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// In (−1, 1).
    pub(super) fn number(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// In the cube (−1, 1)³.
    pub(super) fn point(&mut self) -> [f64; 3] {
        [0; 3].map(|_| self.number())
    }

    /// A unit vector, all directions alike.
    pub(super) fn direction(&mut self) -> [f64; 3] {
        loop {
            let point = self.point();
            if (0.1..1.0).contains(&length(point)) {
                return unit(point).unwrap();
            }
        }
    }
}

/// Orthonormal and right-handed, to a few roundings.
pub(super) fn assert_frame(frame: &Frame) {
    let [n, t1, t2] = frame.axes;
    let off = [
        dot(n, n) - 1.0,
        dot(t1, t1) - 1.0,
        dot(n, t1),
        dot(n, t2),
        dot(t1, t2),
        length(minus(cross(n, t1), t2)),
    ];
    // Not `any(|off| off > …)`, which NaN would pass.
    assert!(off.iter().all(|off| off.abs() < 4e-15), "{frame:?}: {off:?}");
}

/// Largest change of an axis.
pub(super) fn frame_change(a: &Frame, b: &Frame) -> f64 {
    let change = a.axes.iter().zip(b.axes).map(|(a, b)| length(minus(*a, b)));
    change.fold(0.0, f64::max)
}

/// ∇g by central differences.
pub(super) fn gradient(gap: impl Fn([f64; 3]) -> f64, x: [f64; 3], step: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let (mut ahead, mut behind) = (x, x);
        ahead[i] += step;
        behind[i] -= step;
        (gap(ahead) - gap(behind)) / (2.0 * step)
    })
}
