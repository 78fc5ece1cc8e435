//! All that a step needs and no step changes.

use crate::assembly::{DofMap, Loads};
use crate::contact::{Activation, Candidate, Contacts};
use crate::linalg::BlockOperator;

/// The discrete problem: matrices, dofs, loads, contacts, and how to step.
#[derive(Clone, Debug)]
pub struct Problem {
    /// M and K.
    pub operator: BlockOperator,
    /// C, where anything damps.
    pub damping: Option<BlockOperator>,
    /// Driven dofs and elimination order.
    pub dofs: DofMap,
    /// External forces.
    pub loads: Loads,
    /// Contact candidates.
    pub contacts: Contacts,
    /// Which candidates take part in a step.
    pub activation: Activation,
    /// θ of the scheme.
    pub theta: f64,
    /// Step size h.
    pub h: f64,
}

impl Problem {
    /// M̂ = M + hθ C + h²θ² K, as one operator.
    pub fn effective_mass(&self) -> BlockOperator {
        let ht = self.h * self.theta;
        let mut effective = self.operator.scaled(1.0, ht * ht);
        if let Some(damping) = &self.damping {
            effective.add_scaled(damping, ht, ht);
        }
        effective
    }

    /// Components of a node in a vector over the dofs; zero beyond the dimension.
    pub fn at_node(&self, node: u32, x: &[f64]) -> [f64; 3] {
        let d = self.dofs.dimension;
        let own = &x[d * node as usize..][..d];
        let mut all = [0.0; 3];
        all[..d].copy_from_slice(own);
        all
    }

    /// Where a candidate is under the displacements `q`.
    pub fn position_of(&self, candidate: &Candidate, q: &[f64]) -> [f64; 3] {
        let moved = self.at_node(candidate.node, q);
        [0, 1, 2].map(|i| candidate.point[i] + moved[i])
    }
}

/// The largest velocity the data of a case speak of, by source: the scale of the velocity tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VelocityScale {
    /// Largest initial velocity.
    pub initial: f64,
    /// Largest velocity of driven dofs and obstacles.
    pub driven: f64,
    /// √(2 E_strain/m) of the energy stored at the start.
    pub stored: f64,
    /// What the largest total load gives the body's mass over the whole run, F T/m.
    pub loaded: f64,
}

impl VelocityScale {
    /// The largest of them.
    pub fn largest(&self) -> f64 {
        self.initial.max(self.driven).max(self.stored).max(self.loaded)
    }
}
