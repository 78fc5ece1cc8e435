//! The steps of a run, and who writes them down.

use std::path::PathBuf;

use super::checkpoint::Checkpoint;
use super::clock::Clock;
use super::guard::Guard;
use super::records::Records;
use super::statistics::Statistics;
use super::watch::Watch;
use super::{Observer, Progress};
use crate::case::{Case, OnFailure, SolverCase};
use crate::contact::solver::{SolveReport, SolveStatus, Target};
use crate::error::Error;
use crate::output::{Moment, Stage, View, write_sealed, write_whole};
use crate::step::{March, State, StepStage, Stepped, Stepper};
use crate::tape::Tape;

/// A march, what watches it, and what writes it down.
pub(super) struct Run<'a> {
    case: &'a Case,
    pub march: March,
    pub statistics: Statistics,
    pub records: Records<'a>,
    pub clock: Clock,
    guard: Guard<'a>,
    pub watch: Watch<'a>,
    /// What was told on the way.
    pub told: Vec<String>,
}

impl<'a> Run<'a> {
    /// Chooses the contact solver and opens the account with the energies at t = 0.
    pub fn new(
        case: &'a Case,
        (stepper, state): (Box<dyn Stepper>, State),
        records: Records<'a>,
        clock: Clock,
        guard: Guard<'a>,
    ) -> Self {
        let SolverCase { method, tolerance, max_iterations, .. } = case.solver;
        let target = Target::new(tolerance, max_iterations);
        let mut march = March::of(stepper, state, method, target);
        let watch = Watch::new(march.problem(), march.state(), march.bodies(), guard.names);
        march.name_bodies(watch.body_names().to_vec());
        let (solver, _) = march.solver();
        let statistics = Statistics::new(solver, tolerance);
        Self { case, march, statistics, records, clock, guard, watch, told: Vec::new() }
    }

    /// Writes the state at t = 0 down, or goes where a checkpoint was written.
    pub fn set_out(&mut self, from: Option<Checkpoint>) -> Result<(), Error> {
        let at_rest = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
        match from {
            None => {
                self.watch.begin(self.march.state());
                self.record(at_rest)
            }
            Some(checkpoint) => self.go_on_from(checkpoint),
        }
    }

    fn go_on_from(&mut self, mut checkpoint: Checkpoint) -> Result<(), Error> {
        let tape = &mut checkpoint.tape;
        self.remember(tape)?;
        let step = checkpoint.step;
        let outcome = match tape.finish() {
            Ok(()) if self.march.state().step != step => {
                Err(format!("it is of step {}", self.march.state().step))
            }
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
        self.clock.begin_steps(self.march.state().step);
        let mut outcome = Ok(());
        while outcome.is_ok() && !self.is_done() {
            if observer.wants_to_stop() {
                outcome = self.write_checkpoint();
                break;
            }
            let Self { march, guard, clock, .. } = self;
            let now = guard.next(march.state());
            let stepped = march.step_watched(None, |stage, stepper, _| {
                guard.check_stage(stage, now, stepper)?;
                clock.add(timed_as(stage));
                Ok::<(), Error>(())
            });
            outcome = stepped.and_then(|stepped| self.follow(&stepped, observer));
            let due =
                every > 0 && (self.march.state().step.is_multiple_of(every) || self.is_done());
            if outcome.is_ok() && due {
                outcome = self.write_checkpoint();
            }
        }
        if self.is_done() {
            let told = self.watch.end(self.march.state());
            self.tell(told, observer);
        }
        let finished = self.records.finish();
        self.clock.add(Stage::Output);
        outcome.and(finished)
    }

    /// Whether all steps are taken.
    pub fn is_done(&self) -> bool {
        self.march.state().step >= self.case.scheme.steps
    }

    /// Passes over all that the next step needs.
    fn remember(&mut self, tape: &mut Tape) -> Result<(), Error> {
        self.march.remember(tape);
        self.statistics.remember(tape);
        self.watch.remember(tape);
        tape.list(&mut self.told, |tape, text| tape.text(text));
        let at = Moment { step: self.march.state().step, h: self.march.problem().h };
        self.records.remember(at, tape)?;
        self.clock.remember(tape);
        Ok(())
    }

    /// Writes a checkpoint and removes all but the one before.
    fn write_checkpoint(&mut self) -> Result<(), Error> {
        let mut tape = Tape::new();
        self.records.identity.remember(&mut tape);
        self.remember(&mut tape)?;
        let folder = &self.records.folder;
        write_sealed(&folder.checkpoint(self.march.state().step), &tape.into_bytes())?;
        let known = folder.checkpoints()?;
        folder.remove_checkpoints(|step| !known.iter().take(KEPT).any(|&kept| kept == step))?;
        self.clock.add(Stage::Output);
        Ok(())
    }

    /// What follows a step: its figures, its records, and whether it may go on.
    fn follow(&mut self, stepped: &Stepped, observer: &mut dyn Observer) -> Result<(), Error> {
        let Stepped { solve, terms, refined } = stepped;
        self.statistics.refined_steps += usize::from(*refined);
        let (_, trail) = self.march.solver();
        self.statistics.enter(solve, trail, self.march.contacts().active.len());
        let (stepper, state) = (self.march.stepper(), self.march.state());
        self.guard.check_energies(stepper, state, terms, self.march.ledger())?;
        let told = self.watch.look(self.march.contacts(), self.march.state());
        self.tell(told, observer);
        self.clock.add(Stage::Ledger);
        self.judge_solve(solve, observer)?;
        self.record(*solve)?;
        self.judge_violation(solve, observer)?;
        observer.stepped(&self.march, stepped)?;
        if self.clock.time_to_hand_over() {
            self.records.hand_over()?;
            self.clock.add(Stage::Output);
        }
        if self.clock.time_to_show() {
            observer.progress(&self.progress(solve));
        }
        Ok(())
    }

    fn record(&mut self, solve: SolveReport) -> Result<(), Error> {
        let view = View {
            state: self.march.state(),
            problem: self.march.problem(),
            contact: self.march.contacts(),
            ledger: self.march.ledger(),
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
        let (seconds, rate) = self.clock.pace(self.march.state().step);
        Progress {
            step: self.march.state().step,
            steps: self.case.scheme.steps,
            time: self.march.state().time,
            energy: self.march.ledger().totals().total(),
            contacts: self.march.ledger().balance().contacts,
            iterations: solve.iterations,
            seconds,
            rate,
        }
    }

    /// Follows the case's policy where the step violates the certificate; its row is written.
    fn judge_violation(
        &mut self,
        solve: &SolveReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let (stepper, state) = (self.march.stepper(), self.march.state());
        let told = self.guard.check_certificate(stepper, state, self.march.ledger(), solve)?;
        told.iter().for_each(|text| observer.notice(text));
        Ok(())
    }

    /// Follows the case's policy where the contact solver did not reach its tolerance.
    fn judge_solve(&self, solve: &SolveReport, observer: &mut dyn Observer) -> Result<(), Error> {
        if solve.status == SolveStatus::Converged {
            return Ok(());
        }
        let mut saved = String::new();
        if self.case.solver.save_failures && solve.status != SolveStatus::Unsettled {
            let path = self.save_cone_problem()?;
            saved = format!("its cone problem is in {}; ", path.display());
        }
        let error = unsolved(self.case, &self.march, solve, saved);
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
        let path = self.records.folder.file(&format!("cone_{}.json", self.march.state().step));
        let write = |out: &mut dyn std::io::Write| {
            serde_json::to_writer(out, self.march.cone_problem()).map_err(std::io::Error::from)
        };
        match write_whole(&path, write) {
            Ok(()) => Ok(path),
            Err(source) => Err(Error::Write { path, source }),
        }
    }
}

/// What a solve is that did not reach its tolerance, and where its cone problem is `saved`.
fn unsolved(case: &Case, march: &March, solve: &SolveReport, saved: String) -> Error {
    let (step, time) = (march.state().step, march.state().time);
    let SolveReport { error, iterations, .. } = *solve;
    if solve.status == SolveStatus::Unsettled {
        return Error::Unsettled { step, time, error, iterations };
    }
    let tolerance = case.solver.tolerance;
    Error::Unconverged { step, time, error, iterations, tolerance, saved }
}

/// An error where the contacts of a step were not solved and the case says to stop there.
pub(super) fn refuse_unsolved(case: &Case, march: &March, stepped: &Stepped) -> Result<(), Error> {
    match (stepped.solve.status, case.solver.on_failure) {
        (SolveStatus::Converged, _) | (_, OnFailure::Warn | OnFailure::Continue) => Ok(()),
        (_, OnFailure::Stop) => Err(unsolved(case, march, &stepped.solve, String::new())),
    }
}

/// The row of the timing table that a stage belongs to.
fn timed_as(stage: StepStage) -> Stage {
    match stage {
        StepStage::Rhs | StepStage::Advance => Stage::Rhs,
        StepStage::Forward => Stage::Forward,
        StepStage::Contact => Stage::Contact,
        StepStage::Backward => Stage::Backward,
        StepStage::Ledger | StepStage::Account => Stage::Ledger,
    }
}

/// Checkpoints kept: where the newest is damaged, there is the one before.
const KEPT: usize = 2;
