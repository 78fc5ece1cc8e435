//! The steps of a run, and all that they change.

use std::path::PathBuf;

use super::checkpoint::Checkpoint;
use super::clock::Clock;
use super::guard::{After, Guard};
use super::records::Records;
use super::statistics::Statistics;
use super::watch::Watch;
use super::{Observer, Progress};
use crate::case::{Case, OnFailure, SolverCase};
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::energy::{Ledger, StepTerms, Worst};
use crate::error::Error;
use crate::output::{Moment, Stage, View, write_sealed, write_whole};
use crate::step::{State, Stepper};
use crate::tape::Tape;

/// What steps, what is stepped, and who writes it down.
pub(super) struct March<'a> {
    case: &'a Case,
    pub stepper: Box<dyn Stepper<'a> + 'a>,
    pub state: State,
    /// Energies at t = 0.
    pub start: StepTerms,
    pub ledger: Ledger,
    pub statistics: Statistics,
    pub records: Records<'a>,
    pub clock: Clock,
    solver: Box<dyn ContactSolver>,
    target: Target<'static>,
    guard: Guard<'a>,
    pub watch: Watch<'a>,
    /// What was told on the way.
    pub told: Vec<String>,
}

impl<'a> March<'a> {
    /// Chooses the contact solver and opens the account with the energies at t = 0.
    pub fn new(
        case: &'a Case,
        stepper: Box<dyn Stepper<'a> + 'a>,
        state: State,
        records: Records<'a>,
        clock: Clock,
        guard: Guard<'a>,
    ) -> Self {
        let problem = stepper.problem();
        let candidates = problem.contacts.len();
        let solver = case.solver.method.for_steps(problem.dofs.dimension.max(2), candidates);
        let start = stepper.energies_at_start(&state);
        let SolverCase { tolerance, max_iterations, .. } = case.solver;
        let watch = Watch::new(problem, &state, stepper.bodies(), guard.names);
        let mut ledger = Ledger::new(start, candidates);
        let names = watch.body_names().to_vec();
        ledger.open_bodies(names, &stepper.energies_of_bodies(&state));
        Self {
            case,
            stepper,
            state,
            start,
            ledger,
            statistics: Statistics::new(solver.name(), tolerance),
            records,
            clock,
            solver,
            target: Target::new(tolerance, max_iterations),
            guard,
            watch,
            told: Vec::new(),
        }
    }

    /// Writes the state at t = 0 down, or goes where a checkpoint was written.
    pub fn set_out(&mut self, from: Option<Checkpoint>) -> Result<(), Error> {
        let at_rest = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
        match from {
            None => {
                self.watch.begin(&self.state);
                self.record(at_rest)
            }
            Some(checkpoint) => self.go_on_from(checkpoint),
        }
    }

    fn go_on_from(&mut self, mut checkpoint: Checkpoint) -> Result<(), Error> {
        let tape = &mut checkpoint.tape;
        self.keep(tape)?;
        let step = checkpoint.step;
        let outcome = match tape.finish() {
            Ok(()) if self.state.step != step => Err(format!("it is of step {}", self.state.step)),
            outcome => outcome,
        };
        outcome.map_err(|misfit| Error::Results {
            path: self.records.folder.checkpoint(step),
            message: format!(
                "it does not fit the case: {misfit}; run the case again without --resume"
            ),
        })?;
        self.records.folder.forget_after(step)
    }

    /// All steps, or those up to the first that fails or before which the observer wants to stop; what was
    /// seen is on disk either way. Where it stops there is a checkpoint.
    pub fn take_steps(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let every = self.case.output.checkpoint_every;
        self.clock.begin_steps(self.state.step);
        let mut outcome = Ok(());
        while outcome.is_ok() && !self.is_done() {
            if observer.wants_to_stop() {
                outcome = self.write_checkpoint();
                break;
            }
            outcome = self.take_step(observer);
            let due = every > 0 && (self.state.step.is_multiple_of(every) || self.is_done());
            if outcome.is_ok() && due {
                outcome = self.write_checkpoint();
            }
        }
        if self.is_done() {
            let told = self.watch.end(&self.state);
            self.tell(told, observer);
        }
        let finished = self.records.finish();
        self.clock.add(Stage::Output);
        outcome.and(finished)
    }

    /// Whether all steps are taken.
    pub fn is_done(&self) -> bool {
        self.state.step >= self.case.scheme.steps
    }

    /// Passes over all that the next step needs.
    fn keep(&mut self, tape: &mut Tape) -> Result<(), Error> {
        self.state.keep(tape);
        self.stepper.keep(tape);
        self.ledger.keep(tape);
        self.statistics.keep(tape);
        self.watch.keep(tape);
        tape.list(&mut self.told, |tape, text| tape.text(text));
        let at = Moment { step: self.state.step, h: self.stepper.problem().h };
        self.records.keep(at, tape)?;
        self.clock.keep(tape);
        Ok(())
    }

    /// Writes a checkpoint and removes all but the one before.
    fn write_checkpoint(&mut self) -> Result<(), Error> {
        let mut tape = Tape::new();
        self.records.identity.keep(&mut tape);
        self.keep(&mut tape)?;
        let folder = &self.records.folder;
        write_sealed(&folder.checkpoint(self.state.step), &tape.into_bytes())?;
        let known = folder.checkpoints()?;
        folder.remove_checkpoints(|step| !known.iter().take(KEPT).any(|&kept| kept == step))?;
        self.clock.add(Stage::Output);
        Ok(())
    }

    /// One sweep down, contact, one sweep up; then the account, the checks and the records.
    fn take_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let (stepper, state, clock) = (&mut self.stepper, &mut self.state, &mut self.clock);
        let (guard, now) = (&self.guard, self.guard.next(state));
        stepper.rhs(state);
        guard.check_unknowns(After::Rhs, now, stepper.as_ref())?;
        clock.add(Stage::Rhs);
        stepper.forward();
        guard.check_unknowns(After::Forward, now, stepper.as_ref())?;
        clock.add(Stage::Forward);
        let solve = stepper.contact(self.solver.as_mut(), self.target);
        guard.check_contacts(now, stepper.as_ref())?;
        clock.add(Stage::Contact);
        stepper.backward();
        guard.check_unknowns(After::Backward, now, stepper.as_ref())?;
        clock.add(Stage::Backward);
        stepper.advance(state);
        clock.add(Stage::Rhs);
        let mut terms = stepper.ledger(state);
        let work = &stepper.contacts().work;
        if self.ledger.asks_for_refinement(&terms, work, stepper.bodies().terms()) {
            clock.add(Stage::Ledger);
            if stepper.refine(state) {
                clock.add(Stage::Backward);
                stepper.advance(state);
                clock.add(Stage::Rhs);
                terms = stepper.ledger(state);
                self.statistics.refined_steps += 1;
            }
        }
        let contact = stepper.contacts();
        self.ledger.enter(&terms, &contact.active, &contact.work);
        self.ledger.enter_contacts(&contact.impulse, &contact.status);
        self.ledger.enter_bodies(stepper.bodies().terms());
        clock.add(Stage::Ledger);
        self.statistics.enter(&solve, self.solver.trail(), contact.active.len());
        self.guard.check_energies(stepper.as_ref(), state, &terms, &self.ledger)?;
        let told = self.watch.look(self.stepper.contacts(), &self.state);
        self.tell(told, observer);
        self.clock.add(Stage::Ledger);
        self.judge_solve(&solve, observer)?;
        self.record(solve)?;
        self.judge_violation(&solve, observer)?;
        if self.clock.time_to_hand_over() {
            self.records.hand_over()?;
            self.clock.add(Stage::Output);
        }
        if self.clock.time_to_show() {
            observer.progress(&self.progress(&solve));
        }
        Ok(())
    }

    fn record(&mut self, solve: SolveReport) -> Result<(), Error> {
        let view = View {
            state: &self.state,
            problem: self.stepper.problem(),
            contact: self.stepper.contacts(),
            ledger: &self.ledger,
            solve,
            departure: self.watch.now(),
        };
        self.records.record(&view)?;
        self.clock.add(Stage::Output);
        Ok(())
    }

    fn tell(&mut self, text: Option<String>, observer: &mut dyn Observer) {
        text.iter().for_each(|text| observer.notice(text));
        self.told.extend(text);
    }

    fn progress(&self, solve: &SolveReport) -> Progress {
        let (seconds, rate) = self.clock.pace(self.state.step);
        Progress {
            step: self.state.step,
            steps: self.case.scheme.steps,
            time: self.state.time,
            energy: self.ledger.totals().total(),
            contacts: self.ledger.balance().contacts,
            iterations: solve.iterations,
            seconds,
            rate,
        }
    }

    /// What the run so far is judged by.
    pub fn worst(&self) -> Worst {
        self.ledger.to_judge(&self.stepper.problem().contacts)
    }

    /// Follows the case's policy where the step violates the certificate; its row is written.
    fn judge_violation(
        &mut self,
        solve: &SolveReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let (stepper, state) = (self.stepper.as_ref(), &self.state);
        let told = self.guard.check_certificate(stepper, state, &self.ledger, solve)?;
        told.iter().for_each(|text| observer.notice(text));
        Ok(())
    }

    /// Follows the case's policy where the contact solver did not reach its tolerance.
    fn judge_solve(&self, solve: &SolveReport, observer: &mut dyn Observer) -> Result<(), Error> {
        if solve.status == SolveStatus::Converged {
            return Ok(());
        }
        let (step, time) = (self.state.step, self.state.time);
        let SolveReport { error, iterations, .. } = *solve;
        let error = if solve.status == SolveStatus::Unsettled {
            Error::Unsettled { step, time, error, iterations }
        } else {
            let mut saved = String::new();
            if self.case.solver.save_failures {
                let path = self.save_cone_problem()?;
                saved = format!("its cone problem is in {}; ", path.display());
            }
            let tolerance = self.case.solver.tolerance;
            Error::Unconverged { step, time, error, iterations, tolerance, saved }
        };
        match self.case.solver.on_failure {
            OnFailure::Stop => Err(error),
            OnFailure::Warn => {
                observer.notice(&error.to_string());
                Ok(())
            }
            OnFailure::Continue => Ok(()),
        }
    }

    fn save_cone_problem(&self) -> Result<PathBuf, Error> {
        let path = self.records.folder.file(&format!("cone_{}.json", self.state.step));
        let write = |out: &mut dyn std::io::Write| {
            serde_json::to_writer(out, self.stepper.cone_problem()).map_err(std::io::Error::from)
        };
        match write_whole(&path, write) {
            Ok(()) => Ok(path),
            Err(source) => Err(Error::Write { path, source }),
        }
    }
}

/// Checkpoints kept: where the newest is damaged, there is the one before.
const KEPT: usize = 2;
