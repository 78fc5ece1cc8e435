//! Bilateral constraints φ(q) = 0 between material points and between directions of bodies.

use super::grip::Grip;
use super::rows::HRows;
use crate::vector::{cross, dot, minus, plus, times};

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
    /// A point stays on a line that turns with the second body: φ = R_b n·(x_a − x_b).
    Rail {
        /// One in the plane, two in space, as the second body has them.
        normals: [[f64; 3]; 2],
    },
    /// Two bodies in the plane keep their angle: φ = l (γ_a − γ_b).
    Angle {
        /// l.
        size: f64,
    },
    /// Directions of two bodies in space stay normal to each other: φ = l R_a a·R_b b. Two pairs leave a common axis to
    /// turn about, three leave none.
    Normal {
        /// a and b, as their bodies have them.
        pairs: [[[f64; 3]; 2]; 3],
        /// How many of them count.
        count: usize,
        /// l: it makes a way of an angle, so that one measure of rounding serves all equations.
        size: f64,
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
            JointKind::Bar { .. } | JointKind::Angle { .. } => 1,
            JointKind::Line { .. } | JointKind::Rail { .. } => dimension - 1,
            JointKind::Normal { count, .. } => count,
        }
    }

    /// φ(q); as many count as there are equations.
    pub fn value(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let apart = || self.apart(dimension, q);
        let [first, second] = &self.grips;
        match self.kind {
            JointKind::Pin => apart(),
            JointKind::Bar { length } => {
                let apart = apart();
                [(dot(apart, apart) - length * length) / (2.0 * length), 0.0, 0.0]
            }
            JointKind::Line { normals } => {
                [dot(normals[0], apart()), dot(normals[1], apart()), 0.0]
            }
            JointKind::Rail { normals } => {
                let [n, m] = normals.map(|n| dot(second.direction(n, q), apart()));
                [n, m, 0.0]
            }
            JointKind::Angle { size } => {
                let angle = |grip: &Grip| grip.turn_dofs().next().map_or(0.0, |turn| q[turn]);
                [size * (angle(first) - angle(second)), 0.0, 0.0]
            }
            JointKind::Normal { pairs, size, .. } => {
                pairs.map(|[a, b]| size * dot(first.direction(a, q), second.direction(b, q)))
            }
        }
    }

    /// Adds the mean gradient between `q0` and `q1` to `rows`, such that however far apart they are
    ///
    /// ```text
    ///     φ(q₁) − φ(q₀) = H̄ (q₁ − q₀)                                                         (1)
    ///     a₁·b₁ − a₀·b₀ = (ā × b̄)·h(ω_a − ω_b)          ā = ½(a₀ + a₁), as b̄                   (2)
    ///     n₁·d₁ − n₀·d₀ = n̄·(d₁ − d₀) + (n̄ × d̄)·hω_b     d = x_a − x_b, n of body b             (3)
    /// ```
    ///
    /// A step whose joints push along H̄ᵀ and hold φ does no work on them. (2) and (3) are exact because R₁a − R₀a = hω × ā
    /// for R₁ = R₀ cay(hω); the moments of a joint in space are opposite, and those of its forces about any point are.
    pub fn add_mean_gradient(&self, dimension: usize, q0: &[f64], q1: &[f64], rows: &mut HRows) {
        let axes = match self.kind {
            JointKind::Pin => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            JointKind::Bar { length } => {
                let (before, after) = (self.apart(dimension, q0), self.apart(dimension, q1));
                let mean = [0, 1, 2].map(|i| 0.5 * (before[i] + after[i]) / length);
                [mean, [0.0; 3], [0.0; 3]]
            }
            JointKind::Line { normals } => [normals[0], normals[1], [0.0; 3]],
            JointKind::Rail { normals: [n, m] } => {
                [n, m, [0.0; 3]].map(|n| mean(&self.grips[1], n, [q0, q1]))
            }
            JointKind::Angle { .. } | JointKind::Normal { .. } => [[0.0; 3]; 3],
        };
        let [first, second] = &self.grips;
        let levers = self.grips.map(|grip| grip.mean_lever(q0, q1));
        rows.begin();
        match self.kind {
            JointKind::Angle { size } => {
                let moment = [[0.0, 0.0, size]];
                rows.add_turn(first, &levers[0], &moment, 1.0);
                rows.add_turn(second, &levers[1], &moment, -1.0);
                return;
            }
            JointKind::Normal { pairs, count, size } => {
                let of = |[a, b]: [[f64; 3]; 2]| {
                    let [a, b] = [mean(first, a, [q0, q1]), mean(second, b, [q0, q1])];
                    times(size, cross(a, b)) // (2)
                };
                let moments = &pairs.map(of)[..count];
                rows.add_turn(first, &levers[0], moments, 1.0);
                rows.add_turn(second, &levers[1], moments, -1.0);
                return;
            }
            JointKind::Pin
            | JointKind::Bar { .. }
            | JointKind::Line { .. }
            | JointKind::Rail { .. } => {}
        }
        for ((grip, lever), sign) in self.grips.iter().zip(&levers).zip([1.0, -1.0]) {
            rows.add(grip, dimension, lever, &axes, sign);
        }
        if let JointKind::Rail { normals } = self.kind {
            let apart = [q0, q1].map(|q| self.apart(dimension, q));
            let apart = times(0.5, plus(apart[0], apart[1]));
            let moments = normals.map(|n| {
                // In the plane the mean of a turn is shorter than that of its ends.
                cross(second.with_arm(n).mean_lever(q0, q1).arm, apart) // (3)
            });
            rows.add_turn(second, &levers[1], &moments, 1.0);
        }
    }

    /// Whether its gradient changes with the configuration.
    pub fn turns(&self) -> bool {
        let bar = matches!(self.kind, JointKind::Bar { .. });
        bar || self.grips.iter().any(Grip::turns)
    }

    /// The largest number in φ: what rounding makes of it is a share of this.
    pub fn reach(&self, dimension: usize, q: &[f64]) -> f64 {
        match self.kind {
            JointKind::Normal { size, .. } => size,
            JointKind::Angle { size } => {
                let turns = self.grips.iter().flat_map(Grip::turn_dofs);
                size * turns.map(|turn| q[turn].abs()).fold(1.0, f64::max)
            }
            JointKind::Pin
            | JointKind::Bar { .. }
            | JointKind::Line { .. }
            | JointKind::Rail { .. } => {
                self.grips.iter().map(|grip| grip.reach(dimension, q)).fold(0.0, f64::max)
            }
        }
    }

    fn apart(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let [a, b] = self.grips.map(|grip| grip.place(dimension, q));
        minus(a, b)
    }
}

/// ½(a₀ + a₁) of a direction that a body has.
fn mean(grip: &Grip, own: [f64; 3], q: [&[f64]; 2]) -> [f64; 3] {
    let [before, after] = q.map(|q| grip.direction(own, q));
    times(0.5, plus(before, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::rotation::then;

    const OFF: [[f64; 3]; 2] = [[0.6, 0.8, 0.0], [0.0; 3]];

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
            JointKind::Line { normals: OFF },
            JointKind::Rail { normals: OFF },
            JointKind::Angle { size: 0.5 },
        ];
        for kind in kinds {
            for grips in [[body, node], [node, ground], [ground, body]] {
                let joint = Joint { name: "joint".into(), kind, grips };
                let step: Vec<f64> = q1.iter().zip(&q0).map(|(b, a)| b - a).collect();
                leads(&joint, 2, [&q0, &q1], &step);
            }
        }
    }

    /// The sums are of a dozen numbers below 4.
    fn leads(joint: &Joint, dimension: usize, [q0, q1]: [&[f64]; 2], step: &[f64]) {
        let mut rows = HRows::default();
        joint.add_mean_gradient(dimension, q0, q1, &mut rows);
        let moved = rows.of(0).velocity(step);
        let (before, after) = (joint.value(dimension, q0), joint.value(dimension, q1));
        for i in 0..joint.equations(dimension) {
            let off = after[i] - before[i] - moved[i];
            assert!(off.abs() < 4e-15, "{:?} {:?}: {off:e}", joint.kind, joint.grips);
        }
    }

    /// Two bodies in space, their centres at nodes 0 and 1, their rotations behind them; a step turns both by more than
    /// one radian about axes that have nothing in common.
    fn in_space() -> ([Grip; 2], [Vec<f64>; 2], Vec<f64>) {
        let grip = |node: u32, arm| {
            let center = [0.3 * f64::from(node), 0.5, -0.2];
            Grip::Solid { node, turn: 6 + 3 * node, center, arm, rest: [0.4, 0.1, -0.7] }
        };
        let grips = [grip(0, [0.5, -0.3, 0.2]), grip(1, [-0.1, 0.4, 0.6])];
        let (x, turns) = ([0.1, -0.2, 0.3, 0.4, 0.2, -0.1], [[0.4, 0.1, -0.7], [-0.2, 1.1, 0.3]]);
        let step = [0.2, 0.5, -0.4, -0.3, 0.1, 0.6, 1.1, -0.4, 0.7, -0.8, 0.9, 1.2];
        let q0: Vec<f64> = x.into_iter().chain(turns.into_iter().flatten()).collect();
        let mut q1: Vec<f64> = q0.iter().zip(&step).map(|(q, step)| q + step).collect();
        for (body, turn) in turns.into_iter().enumerate() {
            let first = 6 + 3 * body;
            let to = then(turn, [0, 1, 2].map(|k| step[first + k]));
            q1[first..first + 3].copy_from_slice(&to);
        }
        (grips, [q0, q1], step.to_vec())
    }

    fn kinds_in_space() -> [JointKind; 5] {
        let [x, y, z] = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
        [
            JointKind::Pin,
            JointKind::Bar { length: 0.7 },
            JointKind::Line { normals: [x, z] },
            JointKind::Rail { normals: [x, z] },
            JointKind::Normal { pairs: [[x, y], [y, z], [z, x]], count: 3, size: 0.5 },
        ]
    }

    /// (1) for R₁ = R₀ cay w, with bodies at both ends, and with the ground at either.
    #[test]
    fn mean_gradients_in_space_lead_exactly_through_large_turns() {
        let (grips, [q0, q1], step) = in_space();
        let ground = Grip::Ground { point: [-0.5, 0.25, 0.4] };
        for kind in kinds_in_space() {
            for grips in [grips, [grips[0], ground], [ground, grips[1]]] {
                let joint = Joint { name: "joint".into(), kind, grips };
                leads(&joint, 3, [&q0, &q1], &step);
            }
        }
    }

    /// What a joint pushes with has neither a sum nor, about the origin, a moment: R₁Jω₁ − R₀Jω₀ = R̄ of what enters
    /// the body's own axes (`turning_axes`), which undoes the share of w there. A pin, which pushes where its points are
    /// half way, must hold for that.
    #[test]
    fn impulses_of_joints_in_space_are_opposite_in_force_and_moment() {
        let (grips, [q0, q1], _) = in_space();
        for kind in kinds_in_space() {
            let joint = Joint { name: "joint".into(), kind, grips };
            let levers = grips.map(|grip| grip.mean_lever(&q0, &q1));
            let mut rows = HRows::default();
            joint.add_mean_gradient(3, &q0, &q1, &mut rows);
            for i in 0..joint.equations(3) {
                let mut impulse = [0.0; 3];
                impulse[i] = 1.0;
                let mut pushed = [0.0; 12];
                rows.of(0).push(impulse, |dof, push| pushed[dof] += push);
                let mut force = [0.0; 3];
                let mut moment = [0.0; 3];
                for (body, lever) in levers.iter().enumerate() {
                    let own = |first: usize| [0, 1, 2].map(|k| pushed[first + k]);
                    let push = own(3 * body);
                    let center = grips[body].with_arm([0.0; 3]);
                    let mid = times(0.5, plus(center.place(3, &q0), center.place(3, &q1)));
                    force = plus(force, push);
                    let about = solved(lever.axes, own(6 + 3 * body));
                    moment = plus(moment, plus(cross(mid, push), about));
                }
                let apart = |q: &[f64]| joint.apart(3, q);
                // A pin that does not hold, or a line of space, pushes two points that are apart.
                let gap = times(0.5, plus(apart(&q0), apart(&q1)));
                let lifted = match joint.kind {
                    JointKind::Pin | JointKind::Line { .. } => {
                        let axis = match joint.kind {
                            JointKind::Line { normals } => normals[i],
                            _ => impulse,
                        };
                        cross(gap, axis)
                    }
                    _ => [0.0; 3],
                };
                for k in 0..3 {
                    assert!(force[k].abs() < 1e-15, "{kind:?}: {force:?}");
                    // The solve of three equations has the condition of (I − ½ŵ), below 3.
                    assert!((moment[k] - lifted[k]).abs() < 1e-14, "{kind:?}: {moment:?}");
                }
            }
        }
    }

    /// m with axes_k·m = b_k, by Cramer's rule.
    fn solved(axes: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = axes;
        let volume = dot(x, cross(y, z));
        let sum = plus(
            plus(times(b[0], cross(y, z)), times(b[1], cross(z, x))),
            times(b[2], cross(x, y)),
        );
        times(1.0 / volume, sum)
    }
}
