//! Degrees of freedom: which are driven, and the elimination order of the others.

use crate::linalg::{NodeGraph, contact_last};
use crate::time::TimeFunction;

/// How a driven dof moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Its displacement is value · f(t); f must not jump.
    Displacement {
        /// Displacement where f = 1.
        value: f64,
        /// f.
        time: TimeFunction,
    },
    /// Its velocity is value · f(t).
    Velocity {
        /// Velocity where f = 1.
        value: f64,
        /// f.
        time: TimeFunction,
    },
}

impl Motion {
    /// Velocity at time `t`.
    pub fn velocity(&self, t: f64) -> f64 {
        match self {
            // The case refuses displacements that jump.
            Self::Displacement { value, time } => value * time.derivative(t).unwrap_or(0.0),
            Self::Velocity { value, time } => value * time.value(t),
        }
    }

    /// Velocity at the end `t1` of a step of size h that starts at displacement q₀ with velocity v₀:
    /// the given one, or for a given displacement d
    ///
    /// ```text
    ///     v₁ = (d(t₁) − q₀)/h + (1−θ)(ḋ(t₁) − v₀)                                             (1)
    /// ```
    ///
    /// which is ḋ(t₁) to the order of the scheme. Whatever a kink of d leaves of d − q and ḋ − v is
    /// gone after two more steps: with q₁ = q₀ + h(θv₁ + (1−θ)v₀), (1) makes both eigenvalues of
    /// their recurrence zero, for any θ.
    pub fn end_velocity(&self, t1: f64, h: f64, theta: f64, q0: f64, v0: f64) -> f64 {
        match self {
            Self::Displacement { value, time } => {
                let target = value * time.value(t1);
                (target - q0) / h + (1.0 - theta) * (self.velocity(t1) - v0)
            }
            Self::Velocity { .. } => self.velocity(t1),
        }
    }

    /// Largest speed it can have.
    pub fn largest_speed(&self) -> f64 {
        match self {
            Self::Displacement { value, time } => value.abs() * time.steepest(),
            Self::Velocity { value, time } => value.abs() * time.amplitude(),
        }
    }

    /// Whether it never moves.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Displacement { value, time } => *value == 0.0 || time.is_constant(),
            Self::Velocity { value, .. } => *value == 0.0,
        }
    }
}

/// One driven dof.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// The dof.
    pub dof: u32,
    /// How it moves, as an index into [`DofMap::motions`].
    pub motion: usize,
}

/// All dofs of the body, node by node: dof = dimension · node + component.
#[derive(Clone, Debug)]
pub struct DofMap {
    /// Position of each dof in the elimination order; `u32::MAX` for a driven one.
    pub position: Vec<u32>,
    /// Dof at each position.
    pub order: Vec<u32>,
    /// First position of the contact dofs, which come last.
    pub trailing: usize,
    /// The driven dofs, ascending.
    pub driven: Vec<Driven>,
    /// The motions they follow.
    pub motions: Vec<Motion>,
}

impl DofMap {
    /// Orders the dofs that are not driven, those of `last` nodes at the end.
    pub fn new(
        graph: &NodeGraph,
        last: &[bool],
        motions: Vec<Motion>,
        driven: Vec<Driven>,
    ) -> Self {
        let mut position = vec![0u32; 2 * graph.nodes()];
        driven.iter().for_each(|d| position[d.dof as usize] = u32::MAX);
        let mut order = Vec::with_capacity(position.len() - driven.len());
        let mut trailing = 0;
        for node in contact_last(graph, last) {
            for dof in [2 * node, 2 * node + 1] {
                if position[dof as usize] != u32::MAX {
                    position[dof as usize] = order.len() as u32;
                    order.push(dof);
                }
            }
            if !last[node as usize] {
                trailing = order.len();
            }
        }
        Self { position, order, trailing, driven, motions }
    }

    /// Position of a dof that is free.
    pub fn position_of(&self, dof: usize) -> Option<u32> {
        Some(self.position[dof]).filter(|&at| at != u32::MAX)
    }

    /// Positions of both dofs of a node.
    pub fn positions_of_node(&self, node: u32) -> [Option<u32>; 2] {
        [0, 1].map(|i| self.position_of(2 * node as usize + i))
    }

    /// Whether any driven dof can move.
    pub fn moves(&self) -> bool {
        self.driven.iter().any(|d| !self.motions[d.motion].is_still())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The displacement is reached exactly three steps after a kink, wherever the kink lies in its
    /// step, and followed to second order (θ = ½) or exactly (θ = 1) where it is smooth.
    #[test]
    fn a_prescribed_displacement_is_reached_for_any_theta_and_off_the_grid() {
        let h = 1e-2;
        for theta in [0.5, 0.6, 1.0] {
            let ramp = TimeFunction::Ramp { start: 0.1034, end: 0.5077 };
            let sine = TimeFunction::Sine { period: 1.0, phase: 0.0 };
            for (time, tolerance) in [(ramp, 1e-14), (sine, 4.0 * h * h)] {
                let motion = Motion::Displacement { value: 2.0, time: time.clone() };
                let (mut q, mut v) = (2.0 * time.value(0.0), motion.velocity(0.0));
                for k in 1..=60 {
                    let t = f64::from(k) * h;
                    let end = motion.end_velocity(t, h, theta, q, v);
                    q += h * (theta * end + (1.0 - theta) * v);
                    v = end;
                    let settled = (14..50).contains(&k) || k > 53;
                    let off = (q - 2.0 * time.value(t)).abs();
                    assert!(!settled || off < tolerance, "theta {theta}, {time:?}, {t}: {off:e}");
                }
            }
        }
    }

    #[test]
    fn driven_dofs_are_left_out_and_contact_dofs_come_last() {
        let elements: [&[u32]; 2] = [&[0, 1, 2], &[1, 2, 3]];
        let graph = NodeGraph::new(4, elements.into_iter());
        let still = Motion::Velocity { value: 0.0, time: TimeFunction::Constant };
        let driven = vec![Driven { dof: 1, motion: 0 }, Driven { dof: 6, motion: 0 }];
        let map = DofMap::new(&graph, &[true, false, false, false], vec![still], driven);
        assert_eq!((map.order.len(), map.trailing), (6, 5));
        assert_eq!((map.order[5], map.position_of(0), map.position_of(1)), (0, Some(5), None));
        assert!(!map.moves());
    }
}
