//! A march: what is stepped, and the one place where the stages of a step follow each other.

use std::convert::Infallible;
use std::sync::Arc;

use super::{ConnectedBodies, ContactState, Preparation, Problem, State, Stepper};
use crate::contact::ConeProblem;
use crate::contact::solver::{ContactSolver, Leg, Method, SolveReport, Target};
use crate::energy::{Ledger, StepTerms, Worst};
use crate::linalg::NoFactor;
use crate::tape::Tape;

/// The stages of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepStage {
    /// The right-hand side.
    Rhs,
    /// The sweep down.
    Forward,
    /// Active contacts, their cone problem and its solution.
    Contact,
    /// The sweep up; again where the step is refined.
    Backward,
    /// The state at its end; again where the step is refined.
    Advance,
    /// The terms of its energy identity; again where the step is refined.
    Ledger,
    /// The account of all steps.
    Account,
}

/// What a step did.
#[derive(Clone, Copy, Debug)]
#[must_use = "an unconverged solve must be looked at"]
pub struct Stepped {
    /// How its contacts were solved.
    pub solve: SolveReport,
    /// The terms of its energy identity.
    pub terms: StepTerms,
    /// Whether the balance asked for a refined solve.
    pub refined: bool,
}

/// A problem, its state, the scheme that steps it, the solver of its contacts and the account of its energies.
pub struct March {
    stepper: Box<dyn Stepper>,
    state: State,
    solver: Box<dyn ContactSolver>,
    target: Target<'static>,
    ledger: Ledger,
    /// Energies at t = 0.
    start: StepTerms,
}

impl March {
    /// Factors the effective mass and opens the account with the energies of the state.
    ///
    /// # Errors
    ///
    /// Where the effective mass is not positive definite.
    pub fn new(
        problem: &Arc<Problem>,
        mut state: State,
        method: Method,
        target: Target<'static>,
    ) -> Result<Self, NoFactor> {
        let stepper = Preparation::new(problem).factor(&mut state)?;
        Ok(Self::of(stepper, state, method, target))
    }

    /// With a stepper that is ready.
    pub fn of(
        stepper: Box<dyn Stepper>,
        state: State,
        method: Method,
        target: Target<'static>,
    ) -> Self {
        let problem = stepper.problem();
        let candidates = problem.contacts.len();
        let solver = method.for_steps(problem.dofs.dimension.max(2), candidates);
        let start = stepper.energies_at_start(&state);
        let ledger = Ledger::new(start, candidates);
        let mut march = Self { stepper, state, solver, target, ledger, start };
        let nodes = march.bodies().first_nodes().iter();
        march.name_bodies(nodes.map(|node| format!("the body with node {node}")).collect());
        march
    }

    /// Opens the accounts of the bodies under these names, in the order of [`ConnectedBodies`], before the first step.
    pub fn name_bodies(&mut self, names: Vec<String>) {
        self.ledger.open_bodies(names, &self.stepper.energies_of_bodies(&self.state));
    }

    /// Takes a step and enters it into the account.
    pub fn step(&mut self) -> Stepped {
        let Ok(stepped) = self.step_watched(None, |_, _, _| Ok::<(), Infallible>(()));
        stepped
    }

    /// Takes a step, with its own solver or another one, and enters it into the account; `after` sees every stage, and
    /// ends the step where it fails.
    ///
    /// # Errors
    ///
    /// Those of `after`.
    pub fn step_watched<E>(
        &mut self,
        other: Option<(&mut dyn ContactSolver, Target)>,
        mut after: impl FnMut(StepStage, &dyn Stepper, &State) -> Result<(), E>,
    ) -> Result<Stepped, E> {
        let Self { stepper, state, solver, target, ledger, .. } = self;
        let stepper = stepper.as_mut();
        let (solver, target) = other.unwrap_or((solver.as_mut(), *target));
        stepper.rhs(state);
        after(StepStage::Rhs, stepper, state)?;
        stepper.forward();
        after(StepStage::Forward, stepper, state)?;
        let solve = stepper.contact(solver, target);
        after(StepStage::Contact, stepper, state)?;
        stepper.backward();
        after(StepStage::Backward, stepper, state)?;
        stepper.advance(state);
        after(StepStage::Advance, stepper, state)?;
        let mut terms = stepper.ledger(state);
        after(StepStage::Ledger, stepper, state)?;
        let work = &stepper.contacts().work;
        let asks = ledger.asks_for_refinement(&terms, work, stepper.bodies().terms());
        let refined = asks && stepper.refine(state);
        if refined {
            after(StepStage::Backward, stepper, state)?;
            stepper.advance(state);
            after(StepStage::Advance, stepper, state)?;
            terms = stepper.ledger(state);
            after(StepStage::Ledger, stepper, state)?;
        }
        let contact = stepper.contacts();
        ledger.admit(&contact.pairs);
        ledger.enter(&terms, &contact.active, &contact.work);
        ledger.enter_contacts(&contact.impulse, &contact.status);
        ledger.enter_bodies(stepper.bodies().terms());
        after(StepStage::Account, stepper, state)?;
        Ok(Stepped { solve, terms, refined })
    }

    /// Where the next step would end with the impulses of another solver: nothing is entered, and the state stays as it
    /// is.
    pub fn end_with(&mut self, solver: &mut dyn ContactSolver, target: Target) -> State {
        let start = self.state.clone();
        let end_there = |stage, _: &dyn Stepper, _: &State| match stage {
            StepStage::Advance => Err(()),
            _ => Ok(()),
        };
        let _ = self.step_watched(Some((solver, target)), end_there);
        std::mem::replace(&mut self.state, start)
    }

    /// The problem.
    pub fn problem(&self) -> &Arc<Problem> {
        self.stepper.problem()
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where it is, to be set elsewhere: a state holds its products with M and K, see [`State::new`]. What this changes is
    /// no step, and the account does not know of it.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Where it ended.
    pub fn into_state(self) -> State {
        self.state
    }

    /// The scheme.
    pub fn stepper(&self) -> &dyn Stepper {
        self.stepper.as_ref()
    }

    /// What the candidates did in the last step.
    pub fn contacts(&self) -> &ContactState {
        self.stepper.contacts()
    }

    /// The cone problem of the last step: plain data, to be saved and solved again elsewhere.
    pub fn cone_problem(&self) -> &ConeProblem {
        self.stepper.cone_problem()
    }

    /// The bodies, with the terms of each in the last step.
    pub fn bodies(&self) -> &ConnectedBodies {
        self.stepper.bodies()
    }

    /// The account of all steps.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Energies at t = 0.
    pub fn energies_at_start(&self) -> &StepTerms {
        &self.start
    }

    /// What the steps so far are judged by.
    pub fn worst(&self) -> Worst {
        self.ledger.to_judge(&self.problem().contacts)
    }

    /// Name of the contact solver, and the methods that its last solve went through.
    pub fn solver(&self) -> (&'static str, &[Leg]) {
        (self.solver.name(), self.solver.trail())
    }

    /// Passes over all that the next step needs.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.state.remember(tape);
        self.stepper.remember(tape);
        self.ledger.remember(tape);
    }
}
