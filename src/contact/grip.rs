//! Material points, and how the dofs of the system carry them.

use super::norm;

/// A material point. Dofs are displacements from the configuration at rest: those of a node are the
/// first `dimension` from `dimension · node` on, and a rigid body in the plane has its angle behind all nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// A point of the ground, which nothing moves.
    Ground {
        /// Where it is.
        point: [f64; 3],
    },
    /// A node: of a mesh, or a point mass.
    Node {
        /// The node.
        node: u32,
        /// Its coordinates at rest.
        point: [f64; 3],
    },
    /// A point of a rigid body in the plane.
    Body {
        /// Node of the centre of mass.
        node: u32,
        /// Dof of the angle.
        turn: u32,
        /// Centre of mass at rest.
        center: [f64; 3],
        /// From there to the point, at rest.
        arm: [f64; 2],
    },
}

impl Grip {
    /// Where it is at rest.
    pub fn point(&self) -> [f64; 3] {
        match *self {
            Self::Ground { point } | Self::Node { point, .. } => point,
            Self::Body { center: [x, y, z], arm, .. } => [x + arm[0], y + arm[1], z],
        }
    }

    /// The node that it moves with, but for the ground.
    pub fn node(&self) -> Option<u32> {
        match *self {
            Self::Ground { .. } => None,
            Self::Node { node, .. } | Self::Body { node, .. } => Some(node),
        }
    }

    /// The dofs that move it.
    pub fn dofs(&self, dimension: usize) -> impl Iterator<Item = usize> + use<> {
        let node = self.node().map(|node| node as usize);
        let turn = match *self {
            Self::Ground { .. } | Self::Node { .. } => None,
            Self::Body { turn, .. } => Some(turn as usize),
        };
        node.into_iter().flat_map(move |node| dimension * node..dimension * (node + 1)).chain(turn)
    }

    /// Whether its velocity depends on where the body is.
    pub fn turns(&self) -> bool {
        matches!(self, Self::Body { .. })
    }

    /// From the centre of a body to the point, under the displacements `q`; zero for what has none.
    pub fn arm(&self, q: &[f64]) -> [f64; 2] {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => [0.0; 2],
            Self::Body { turn, arm, .. } => turned(q[turn as usize], arm),
        }
    }

    /// Where it is under the displacements `q`.
    pub fn place(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let (mut place, arm) = match *self {
            Self::Ground { point } => return point,
            Self::Node { point, .. } => (point, [0.0; 2]),
            Self::Body { center, .. } => (center, self.arm(q)),
        };
        let node = self.node().map_or(0, |node| node as usize);
        let moved = &q[dimension * node..][..dimension];
        place.iter_mut().zip(moved).for_each(|(x, q)| *x += q);
        [place[0] + arm[0], place[1] + arm[1], place[2]]
    }

    /// Its distance from the origin and from the centre of its body, or its way about the centre since
    /// the start, where that is longer: the angle of a rotor has fewer digits from turn to turn.
    pub fn reach(&self, dimension: usize, q: &[f64]) -> f64 {
        let turned = match *self {
            Self::Ground { .. } | Self::Node { .. } => 1.0,
            Self::Body { turn, .. } => q[turn as usize].abs().max(1.0),
        };
        norm(&self.place(dimension, q)).max(turned * norm(&self.arm(q)))
    }

    /// Its velocity where the dofs have the velocities `v`, and `arm` leads to it from the centre:
    ///
    /// ```text
    ///     v_P = v_G + γ̇ (−a_y, a_x)
    /// ```
    pub fn velocity(&self, dimension: usize, arm: [f64; 2], v: &[f64]) -> [f64; 3] {
        let mut velocity = [0.0; 3];
        self.for_each_dof(dimension, arm, |dof, direction| {
            (0..3).for_each(|i| velocity[i] += direction[i] * v[dof]);
        });
        velocity
    }

    /// Visits (dof, velocity of the point per unit velocity of that dof).
    pub fn for_each_dof(
        &self,
        dimension: usize,
        arm: [f64; 2],
        mut visit: impl FnMut(usize, [f64; 3]),
    ) {
        let Some(node) = self.node() else { return };
        let first = dimension * node as usize;
        for i in 0..dimension {
            let mut axis = [0.0; 3];
            axis[i] = 1.0;
            visit(first + i, axis);
        }
        if let Self::Body { turn, .. } = *self {
            visit(turn as usize, [-arm[1], arm[0], 0.0]);
        }
    }

    /// The arm with which a turn from `q0` to `q1` moves the point exactly, however far it is:
    ///
    /// ```text
    ///     R(γ₁)a − R(γ₀)a = (γ₁ − γ₀) sinc(½(γ₁ − γ₀)) R(½(γ₀ + γ₁)) a⊥
    /// ```
    pub fn mean_arm(&self, q0: &[f64], q1: &[f64]) -> [f64; 2] {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => [0.0; 2],
            Self::Body { turn, arm, .. } => {
                let angle = |q: &[f64]| q[turn as usize];
                let half = 0.5 * (angle(q1) - angle(q0));
                let sinc =
                    if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
                turned(0.5 * (angle(q0) + angle(q1)), arm).map(|a| sinc * a)
            }
        }
    }
}

fn turned(angle: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let (sine, cosine) = angle.sin_cos();
    [cosine * x - sine * y, sine * x + cosine * y]
}

#[cfg(test)]
mod tests {
    use super::*;

    const STICK: Grip = Grip::Body { node: 1, turn: 4, center: [1.0, 2.0, 0.0], arm: [0.3, -0.4] };

    /// Central differences of the place, error h²/6.
    #[test]
    fn velocity_is_the_rate_of_the_place() {
        let at = |t: f64| [9.0, 9.0, 0.5 * t, t * t, 0.7 + 2.0 * t, 0.0];
        let [a, b] = [-1e-5, 1e-5].map(|t| STICK.place(2, &at(t)));
        let v = [0.0, 0.0, 0.5, 0.0, 2.0, 0.0];
        let found = STICK.velocity(2, STICK.arm(&at(0.0)), &v);
        for i in 0..3 {
            assert!((found[i] - (b[i] - a[i]) / 2e-5).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn mean_arm_leads_exactly_from_one_place_to_another() {
        for turn in [0.0, 1e-9, 1e-3, 1.0, 3.0] {
            let (q0, q1) = ([0.0, 0.0, 0.1, 0.2, 0.4, 0.0], [0.0, 0.0, 0.3, -0.2, 0.4 + turn, 0.0]);
            let [from, to] = [&q0, &q1].map(|q| STICK.place(2, q));
            let step: Vec<f64> = q1.iter().zip(&q0).map(|(b, a)| b - a).collect();
            let moved = STICK.velocity(2, STICK.mean_arm(&q0, &q1), &step);
            for i in 0..3 {
                assert!((to[i] - from[i] - moved[i]).abs() < 1e-15);
            }
        }
    }
}
