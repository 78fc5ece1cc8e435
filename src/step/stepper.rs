//! What every scheme does in a step.

use std::sync::Arc;

use super::{ConnectedBodies, ContactState, Problem, State};
use crate::contact::solver::{ContactSolver, SolveReport, Target};
use crate::contact::{ConeProblem, Response};
use crate::energy::{StepTerms, Term};
use crate::linalg::Factor;
use crate::tape::Tape;

/// A scheme, with all the memory a step needs.
///
/// A step is its stages in this order: [`rhs`](Self::rhs), [`forward`](Self::forward),
/// [`contact`](Self::contact), [`backward`](Self::backward), [`advance`](Self::advance),
/// [`ledger`](Self::ledger). None of them allocates (but for what the default solver needs behind
/// Gauss–Seidel, the first times it needs it).
pub trait Stepper {
    /// The problem it steps.
    fn problem(&self) -> &Arc<Problem>;

    /// What the candidates did in the last step.
    fn contacts(&self) -> &ContactState;

    /// The cone problem of the last step: plain data, to be saved and solved again elsewhere.
    fn cone_problem(&self) -> &ConeProblem;

    /// What the stages rhs to backward work on, in elimination order: the right-hand side, then what the
    /// sweeps make of it.
    fn unknowns(&self) -> &[f64];

    /// The bodies of the problem, with the terms of each in the last step.
    fn bodies(&self) -> &ConnectedBodies;

    /// Energies of each body at t = 0, as its identity counts them.
    fn energies_of_bodies(&self, state: &State) -> Vec<StepTerms>;

    /// Energies of all of them.
    fn energies_at_start(&self, state: &State) -> StepTerms {
        let mut total = StepTerms::default();
        self.energies_of_bodies(state).iter().for_each(|own| total.add(own));
        total[Term::Potential] += self.problem().loads.potential_at_rest;
        total
    }

    /// Stage 1: the right-hand side, in elimination order, less what driven dofs bring.
    fn rhs(&mut self, state: &mut State);

    /// Stage 2: the sweep down.
    fn forward(&mut self);

    /// Stage 3: which candidates are active, their cone problem and its solution.
    fn contact(&mut self, solver: &mut dyn ContactSolver, target: Target) -> SolveReport;

    /// Stage 4: the sweep up.
    fn backward(&mut self);

    /// Stage 5: the state at the end of the step.
    fn advance(&mut self, state: &mut State);

    /// Stage 6: the terms of its energy identity.
    fn ledger(&mut self, state: &State) -> StepTerms;

    /// Solves for what rounding has left of the step's equations and adds it;
    /// [`advance`](Self::advance) and [`ledger`](Self::ledger) must follow. `false` where the scheme has no
    /// need of it.
    #[must_use = "advance and ledger must follow"]
    fn refine(&mut self, state: &State) -> bool;

    /// Passes over what the next step needs of the last one beyond the state: impulses, from which its
    /// contact solve starts, and forces.
    fn remember(&mut self, tape: &mut Tape);

    /// The factor of the effective mass.
    fn factor(&self) -> &Factor;

    /// What the cones see of an impulse.
    fn response(&self) -> &Response;

    /// Bytes of factor and Delassus operator.
    fn bytes(&self) -> usize;
}
