//! Material points, and how the dofs of the system carry them.

use super::norm;
use crate::vector::rotation::{conjugate, matrix_of, of_vector, product};
use crate::vector::{cross, dot, plus, times};

/// A material point. Dofs are displacements from the configuration at rest: those of a node are the
/// first `dimension` from `dimension · node` on, and behind all nodes a rigid body in the plane has its angle, and one
/// in space its rotation vector φ: R = exp φ turns its principal axes to where they are. Their velocities are the rate
/// of the angle, and ω in the principal axes.
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
    /// A point of a rigid body in space.
    Solid {
        /// Node of the centre of mass.
        node: u32,
        /// The first of the three dofs of its rotation.
        turn: u32,
        /// Centre of mass at rest.
        center: [f64; 3],
        /// From there to the point, in the principal axes.
        arm: [f64; 3],
        /// φ at rest.
        rest: [f64; 3],
    },
}

/// How a body's rotation moves one of its points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lever {
    /// From the centre of the body to the point.
    pub arm: [f64; 3],
    /// What each component of ω turns about; not asked for in the plane.
    pub axes: [[f64; 3]; 3],
}

impl Grip {
    /// Where it is at rest.
    pub fn point(&self) -> [f64; 3] {
        match *self {
            Self::Ground { point } | Self::Node { point, .. } => point,
            Self::Body { center: [x, y, z], arm, .. } => [x + arm[0], y + arm[1], z],
            Self::Solid { center, arm, rest, .. } => plus(center, turned_by(rest, arm)),
        }
    }

    /// The node that it moves with, but for the ground.
    pub fn node(&self) -> Option<u32> {
        match *self {
            Self::Ground { .. } => None,
            Self::Node { node, .. } | Self::Body { node, .. } | Self::Solid { node, .. } => {
                Some(node)
            }
        }
    }

    /// The dofs that move it.
    pub fn dofs(&self, dimension: usize) -> impl Iterator<Item = usize> + use<> {
        let node = self.node().map(|node| node as usize);
        let turns = self.turn_dofs();
        node.into_iter().flat_map(move |node| dimension * node..dimension * (node + 1)).chain(turns)
    }

    /// The dofs of the rotation of its body.
    pub fn turn_dofs(&self) -> std::ops::Range<usize> {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => 0..0,
            Self::Body { turn, .. } => turn as usize..turn as usize + 1,
            Self::Solid { turn, .. } => turn as usize..turn as usize + 3,
        }
    }

    /// A direction, as its body has it: given at rest, in space it is seen in the principal axes.
    pub fn own_direction(&self, at_rest: [f64; 3]) -> [f64; 3] {
        match *self {
            Self::Ground { .. } | Self::Node { .. } | Self::Body { .. } => at_rest,
            Self::Solid { rest, .. } => columns(matrix_of(rest)).map(|axis| dot(axis, at_rest)),
        }
    }

    /// Where a direction that its body has points under the displacements `q`.
    pub fn direction(&self, own: [f64; 3], q: &[f64]) -> [f64; 3] {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => own,
            Self::Body { turn, .. } => {
                let [x, y] = turned(q[turn as usize], [own[0], own[1]]);
                [x, y, own[2]]
            }
            Self::Solid { turn, .. } => turned_by(rotation(q, turn), own),
        }
    }

    /// The point of its body that is `own` away from the centre, where it has a body.
    pub fn with_arm(self, own: [f64; 3]) -> Self {
        match self {
            Self::Ground { .. } | Self::Node { .. } => self,
            Self::Body { node, turn, center, .. } => {
                Self::Body { node, turn, center, arm: [own[0], own[1]] }
            }
            Self::Solid { node, turn, center, rest, .. } => {
                Self::Solid { node, turn, center, arm: own, rest }
            }
        }
    }

    /// Whether its velocity depends on where the body is.
    pub fn turns(&self) -> bool {
        matches!(self, Self::Body { .. } | Self::Solid { .. })
    }

    /// Whether its body is rigid and in space: a step must find where its rotation ends.
    pub fn is_solid(&self) -> bool {
        matches!(self, Self::Solid { .. })
    }

    /// How the body moves it under the displacements `q`.
    pub fn lever(&self, q: &[f64]) -> Lever {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => Lever::default(),
            Self::Body { turn, arm, .. } => {
                let [x, y] = turned(q[turn as usize], arm);
                Lever { arm: [x, y, 0.0], ..Lever::default() }
            }
            Self::Solid { turn, arm, .. } => {
                let turn = matrix_of(rotation(q, turn));
                Lever { arm: turn.map(|row| dot(row, arm)), axes: columns(turn) }
            }
        }
    }

    /// Where it is under the displacements `q`.
    pub fn place(&self, dimension: usize, q: &[f64]) -> [f64; 3] {
        let (mut place, arm) = match *self {
            Self::Ground { point } => return point,
            Self::Node { point, .. } => (point, [0.0; 3]),
            Self::Body { center, .. } => (center, self.lever(q).arm),
            Self::Solid { center, turn, arm, .. } => (center, turned_by(rotation(q, turn), arm)),
        };
        let node = self.node().map_or(0, |node| node as usize);
        let moved = &q[dimension * node..][..dimension];
        place.iter_mut().zip(moved).for_each(|(x, q)| *x += q);
        [place[0] + arm[0], place[1] + arm[1], place[2] + arm[2]]
    }

    /// Its distance from the origin and from the centre of its body, or its way about the centre since
    /// the start, where that is longer: the angle of a rotor has fewer digits from turn to turn.
    pub fn reach(&self, dimension: usize, q: &[f64]) -> f64 {
        let turned = match *self {
            Self::Ground { .. } | Self::Node { .. } | Self::Solid { .. } => 1.0,
            Self::Body { turn, .. } => q[turn as usize].abs().max(1.0),
        };
        norm(&self.place(dimension, q)).max(turned * norm(&self.lever(q).arm))
    }

    /// Its velocity where the dofs have the velocities `v`:
    ///
    /// ```text
    ///     v_P = v_G + γ̇ (−a_y, a_x)          v_P = v_G + Σ ω_k e_k × a
    /// ```
    pub fn velocity(&self, dimension: usize, lever: &Lever, v: &[f64]) -> [f64; 3] {
        let mut velocity = [0.0; 3];
        self.for_each_dof(dimension, lever, |dof, direction| {
            (0..3).for_each(|i| velocity[i] += direction[i] * v[dof]);
        });
        velocity
    }

    /// Visits (dof, velocity of the point per unit velocity of that dof).
    pub fn for_each_dof(
        &self,
        dimension: usize,
        lever: &Lever,
        mut visit: impl FnMut(usize, [f64; 3]),
    ) {
        let Some(node) = self.node() else { return };
        let first = dimension * node as usize;
        for i in 0..dimension {
            let mut axis = [0.0; 3];
            axis[i] = 1.0;
            visit(first + i, axis);
        }
        match *self {
            Self::Ground { .. } | Self::Node { .. } => {}
            Self::Body { turn, .. } => visit(turn as usize, [-lever.arm[1], lever.arm[0], 0.0]),
            Self::Solid { turn, .. } => {
                for (k, &axis) in lever.axes.iter().enumerate() {
                    visit(turn as usize + k, cross(axis, lever.arm));
                }
            }
        }
    }

    /// Visits (dof, what the body turns about per unit velocity of that dof).
    pub fn for_each_turn(&self, lever: &Lever, mut visit: impl FnMut(usize, [f64; 3])) {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => {}
            Self::Body { turn, .. } => visit(turn as usize, [0.0, 0.0, 1.0]),
            Self::Solid { turn, .. } => {
                let axes = (turn as usize..).zip(lever.axes);
                axes.for_each(|(dof, axis)| visit(dof, axis));
            }
        }
    }

    /// The lever with which a step from `q0` to `q1` moves the point exactly, however far it is:
    ///
    /// ```text
    ///     R(γ₁)a − R(γ₀)a = (γ₁ − γ₀) sinc(½(γ₁ − γ₀)) R(½(γ₀ + γ₁)) a⊥                        (1)
    ///     R₁a − R₀a = R₀w × ½(R₀ + R₁)a          R₁ = R₀ cay w, w = hω_θ                        (2)
    /// ```
    ///
    /// In space its axes are R₀(e_k + ½ w × e_k), see [`turning_axes`].
    pub fn mean_lever(&self, q0: &[f64], q1: &[f64]) -> Lever {
        match *self {
            Self::Ground { .. } | Self::Node { .. } => Lever::default(),
            Self::Body { turn, arm, .. } => {
                let angle = |q: &[f64]| q[turn as usize];
                let half = 0.5 * (angle(q1) - angle(q0));
                let sinc =
                    if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
                let [x, y] = turned(0.5 * (angle(q0) + angle(q1)), arm).map(|a| sinc * a); // (1)
                Lever { arm: [x, y, 0.0], ..Lever::default() }
            }
            Self::Solid { turn, arm, .. } => {
                let [from, to] = [q0, q1].map(|q| rotation(q, turn));
                let ends = [from, to].map(|phi| turned_by(phi, arm));
                let arm = times(0.5, plus(ends[0], ends[1])); // (2)
                Lever { arm, axes: turning_axes(from, cayley_between(from, to)) }
            }
        }
    }
}

/// R₀(e_k + ½ w × e_k): what the components of ω turn about in a step that turns a body by cay w. The second part is
/// normal to ω, so that it changes no velocity; with it an impulse P at a point c, whose arm is seen from the middle of
/// the way of the centre, changes the angular momentum about any fixed point by c × P to rounding:
///
/// ```text
///     R₁Jω₁ − R₀Jω₀ = a × P          where Jω₁ − Jω₀ + h ω_θ × Jω_θ = (I − ½ŵ)R₀ᵀ(a × P), θ = ½
/// ```
pub fn turning_axes(from: [f64; 3], w: [f64; 3]) -> [[f64; 3]; 3] {
    let turn = columns(matrix_of(from));
    [0, 1, 2].map(|k| {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        let leaning = plus(unit, times(0.5, cross(w, unit)));
        crate::vector::combine(leaning, turn)
    })
}

/// w with R₁ = R₀ cay w, of two rotation vectors less than half a turn apart.
pub fn cayley_between(from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
    let [w, x, y, z] = product(conjugate(of_vector(from)), of_vector(to));
    [x, y, z].map(|part| 2.0 * part / w)
}

/// The rotation vector of the body whose rotation has its first dof at `turn`.
pub fn rotation(q: &[f64], turn: u32) -> [f64; 3] {
    let first = turn as usize;
    [q[first], q[first + 1], q[first + 2]]
}

fn turned_by(phi: [f64; 3], arm: [f64; 3]) -> [f64; 3] {
    matrix_of(phi).map(|row| dot(row, arm))
}

fn columns(rows: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|j| rows.map(|row| row[j]))
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
        let found = STICK.velocity(2, &STICK.lever(&at(0.0)), &v);
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
            let moved = STICK.velocity(2, &STICK.mean_lever(&q0, &q1), &step);
            for i in 0..3 {
                assert!((to[i] - from[i] - moved[i]).abs() < 1e-15);
            }
        }
    }
}
