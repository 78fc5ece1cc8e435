//! Bilateral constraints φ(q) = 0 between material points.

use super::grip::Grip;
use super::rows::HRows;
use crate::vector::{dot, minus};

/// What a joint holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Two points stay together: φ = x_a − x_b.
    Pin,
    /// Two points stay apart by a length l: φ = (‖x_a − x_b‖² − l²)/2l.
    Bar {
        /// l.
        length: f64,
    },
    /// A point stays on a line, of which `normals` are normal: φ = n·(x_a − x_b).
    Line {
        /// One in the plane, two in space.
        normals: [[f64; 3]; 2],
    },
}

/// A bilateral constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name in the case.
    pub name: String,
    /// What it holds.
    pub kind: JointKind,
    /// The two points.
    pub grips: [Grip; 2],
}

impl Joint {
    /// Number of equations in a space of that dimension.
    pub fn equations(&self, dimension: usize) -> usize {
        match self.kind {
            JointKind::Pin => dimension,
            JointKind::Bar { .. } => 1,
            JointKind::Line { .. } => dimension - 1,
        }
    }

    /// φ(q); as many count as there are equations.
    pub fn value(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let apart = self.apart(dimension, q);
        match self.kind {
            JointKind::Pin => apart,
            JointKind::Bar { length } => {
                [(dot(apart, apart) - length * length) / (2.0 * length), 0.0, 0.0]
            }
            JointKind::Line { normals } => [dot(normals[0], apart), dot(normals[1], apart), 0.0],
        }
    }

    /// Adds the mean gradient between `q0` and `q1` to `rows`, such that however far apart they are
    ///
    /// ```text
    ///     φ(q₁) − φ(q₀) = H̄ (q₁ − q₀)                                                         (1)
    /// ```
    ///
    /// A step whose joints push along H̄ᵀ and hold φ does no work on them.
    pub fn add_mean_gradient(&self, dimension: usize, q0: &[f64], q1: &[f64], rows: &mut HRows) {
        let axes = match self.kind {
            JointKind::Pin => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            JointKind::Bar { length } => {
                let (before, after) = (self.apart(dimension, q0), self.apart(dimension, q1));
                let mean = [0, 1, 2].map(|i| 0.5 * (before[i] + after[i]) / length);
                [mean, [0.0; 3], [0.0; 3]]
            }
            JointKind::Line { normals } => [normals[0], normals[1], [0.0; 3]],
        };
        rows.begin();
        for (grip, sign) in self.grips.iter().zip([1.0, -1.0]) {
            rows.add(grip, dimension, &grip.mean_lever(q0, q1), &axes, sign);
        }
    }

    /// Whether its gradient changes with the configuration.
    pub fn turns(&self) -> bool {
        let bar = matches!(self.kind, JointKind::Bar { .. });
        bar || self.grips.iter().any(Grip::turns)
    }

    /// The largest number in φ: what rounding makes of it is a share of this.
    pub fn reach(&self, dimension: usize, q: &[f64]) -> f64 {
        self.grips.iter().map(|grip| grip.reach(dimension, q)).fold(0.0, f64::max)
    }

    fn apart(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let [a, b] = self.grips.map(|grip| grip.place(dimension, q));
        minus(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1), for every kind, from a configuration to one far away.
    #[test]
    fn mean_gradients_lead_exactly_from_one_value_to_another() {
        let body = Grip::Body { node: 0, turn: 2, center: [0.1, 0.2, 0.0], arm: [0.5, -0.3] };
        let node = Grip::Node { node: 2, point: [1.0, 1.5, 0.0] };
        let ground = Grip::Ground { point: [-0.5, 0.25, 0.0] };
        let q0 = [0.1, -0.2, 0.3, 0.0, 0.4, 0.5];
        let q1 = [-0.6, 0.3, 1.9, 0.0, -0.1, 0.8];
        let kinds = [
            JointKind::Pin,
            JointKind::Bar { length: 0.7 },
            JointKind::Line { normals: [[0.6, 0.8, 0.0], [0.0; 3]] },
        ];
        for kind in kinds {
            for grips in [[body, node], [node, ground], [ground, body]] {
                let joint = Joint { name: "joint".into(), kind, grips };
                let step: Vec<f64> = q1.iter().zip(&q0).map(|(b, a)| b - a).collect();
                let mut rows = HRows::default();
                joint.add_mean_gradient(2, &q0, &q1, &mut rows);
                let moved = rows.of(0).velocity(&step);
                let (before, after) = (joint.value(2, &q0), joint.value(2, &q1));
                for i in 0..joint.equations(2) {
                    let off = after[i] - before[i] - moved[i];
                    assert!(off.abs() < 2e-15, "{kind:?} {grips:?}: {off:e}");
                }
            }
        }
    }
}
