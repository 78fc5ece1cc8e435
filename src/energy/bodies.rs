//! The account of each body: the identity (65) holds for every one of them, whatever the others do.
//!
//! ```text
//!     ΔE − W_ext − W_damp = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K) + v_θ·Hᵀp          over the dofs of the body      (1)
//! ```
//!
//! Its residual and the numerical work of the scheme are held to what this body has and exchanges: a body that is
//! far away, or fast, or heavy, hides nothing.

use serde::{Deserialize, Serialize};

use super::certificate::balance_limit;
use super::terms::{NumericalWork, StepTerms, larger};
use crate::tape::Tape;

/// The terms of one body in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyTerms {
    /// Energies after it and works within it; those of contacts and obstacles are not among them.
    pub terms: StepTerms,
    /// v_θ·Hᵀp: work of the contacts on the body.
    pub pushed: f64,
}

/// What a body was given and has, and the worst of its steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyBalance {
    /// What it is called.
    pub body: String,
    /// Its energy now, less that at the start.
    pub energy_change: f64,
    /// Work of external forces on it, and of its driven dofs.
    pub work_external: f64,
    /// Work of its damping.
    pub work_damping: f64,
    /// Work of contacts on it: what they take, and what others and obstacles give through them.
    pub work_contacts: f64,
    /// Numerical work of the scheme on it.
    pub work_numerical: f64,
    /// The largest energy that it has had, or work in a step.
    pub energy_scale: f64,
    /// Largest |residual| of a step.
    pub max_balance_residual: f64,
    /// What rounding alone can make of that.
    pub balance_floor: f64,
    /// The most that the numerical work has ever been since the start, or 0.
    pub max_numerical_work: f64,
    /// What rounding alone can have made of that.
    pub numerical_floor: f64,
}

impl BodyBalance {
    /// The residual that a step must exceed not to be balanced.
    pub fn balance_limit(&self) -> f64 {
        balance_limit(self.energy_scale, self.balance_floor)
    }

    /// Whether every step closed its balance.
    pub fn balanced(&self) -> bool {
        let limit = self.balance_limit();
        limit.is_finite() && self.max_balance_residual <= limit
    }
}

/// The account of one body.
#[derive(Clone, Debug)]
pub(super) struct BodyAccount {
    start: f64,
    now: StepTerms,
    numerical: NumericalWork,
    pub balance: BodyBalance,
}

impl BodyAccount {
    /// Opened with its energies at t = 0.
    pub fn new(body: String, start: StepTerms) -> Self {
        let balance = BodyBalance { body, ..BodyBalance::default() };
        let mut own =
            Self { start: start.total(), now: start, numerical: NumericalWork::default(), balance };
        own.grow_scale(0.0);
        own
    }

    /// Left side less right side of (1).
    pub fn residual_of(&self, step: &BodyTerms) -> f64 {
        let StepTerms { work_external, work_damping, dissipation_numerical, .. } = step.terms;
        let given = work_external + work_damping + dissipation_numerical + step.pushed;
        step.terms.total() - self.now.total() - given
    }

    /// Enters a step.
    pub fn enter(&mut self, step: &BodyTerms) {
        let residual = self.residual_of(step).abs();
        let own = &mut self.balance;
        let before = own.work_numerical;
        own.work_external += step.terms.work_external;
        own.work_damping += step.terms.work_damping;
        own.work_contacts += step.pushed;
        own.work_numerical += step.terms.dissipation_numerical;
        own.energy_change = step.terms.total() - self.start;
        own.max_balance_residual = larger(own.max_balance_residual, residual);
        own.balance_floor = larger(own.balance_floor, step.terms.rounding);
        self.numerical.enter(before, own.work_numerical, step.terms.rounding);
        own.max_numerical_work = self.numerical.gained;
        own.numerical_floor = self.numerical.rounding;
        self.now = step.terms;
        self.grow_scale(step.pushed);
    }

    /// The largest energy, or work of a step: what a residual is small against does not grow with the run.
    fn grow_scale(&mut self, pushed: f64) {
        let (now, own) = (&self.now, &mut self.balance);
        let met = [now.kinetic, now.strain, now.potential, now.work_external, pushed];
        own.energy_scale = met.iter().fold(own.energy_scale, |scale, e| scale.max(e.abs()));
    }

    /// Passes over it.
    pub fn remember(&mut self, tape: &mut Tape) {
        let own = &mut self.balance;
        for number in [
            &mut self.start,
            &mut self.now.kinetic,
            &mut self.now.strain,
            &mut self.now.potential,
            &mut self.numerical.gained,
            &mut self.numerical.passed,
            &mut self.numerical.rounding,
            &mut own.energy_change,
            &mut own.work_external,
            &mut own.work_damping,
            &mut own.work_contacts,
            &mut own.work_numerical,
            &mut own.energy_scale,
            &mut own.max_balance_residual,
            &mut own.balance_floor,
            &mut own.max_numerical_work,
            &mut own.numerical_floor,
        ] {
            tape.real(number);
        }
    }
}
