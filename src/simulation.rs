//! Start here: a whole run, from a case to its results folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::case::{Case, Method, OnFailure};
use crate::contact::Law;
use crate::contact::solver::{
    Cascade, ContactSolver, GaussSeidel, Newton, SolveReport, SolveStatus, Target,
};
use crate::energy::{Certificate, Ledger, StepTerms};
use crate::error::Error;
use crate::linalg::dot;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::output::{
    CaseSummary, Counts, Energies, Fields, History, Recorder, ResultsFolder, Scales, SchemeSummary,
    SolverSummary, Stage, Summary, Timings, View, write_contacts, write_whole,
};
use crate::step::{MoreauJean, State};

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Steps taken.
    pub step: usize,
    /// Steps in all.
    pub steps: usize,
    /// Time reached.
    pub time: f64,
    /// Total energy.
    pub energy: f64,
    /// Active contacts.
    pub contacts: usize,
    /// Iterations of the last contact solve.
    pub iterations: usize,
}

/// Someone who watches a run.
pub trait Observer {
    /// Something worth knowing.
    fn notice(&mut self, text: &str);

    /// A few times per second.
    fn progress(&mut self, progress: &Progress);
}

/// Runs a case and leaves its results in `out`; nothing is left where the case cannot be started.
pub fn run(case: &Case, out: &Path, observer: &mut dyn Observer) -> Result<Summary, Error> {
    let mut clock = Clock::new();

    // 1. The mesh.
    let mesh = Mesh::read(&case.mesh)?;
    mesh.notices.iter().for_each(|notice| observer.notice(notice));
    clock.timings.mesh = clock.lap();

    // 2. Matrices, driven dofs, loads, contact candidates, pre-load.
    let Model { body, problem, mut state, velocity_scale, coverage } = Model::build(case, &mesh)?;
    clock.timings.assembly = clock.lap();

    // 3. The factor of the effective mass, and from its trailing block the Delassus operator.
    let mut stepper = MoreauJean::new(&problem, &state).map_err(|error| {
        let node = problem.dofs.order[error.position] as usize / 2;
        let remedy = "does an element there have a vanishing density or size?";
        Error::NotPositiveDefinite { matrix: "effective mass", node: mesh.node_tags[node], remedy }
    })?;
    clock.timings.factor = clock.lap();

    // 4. The contact solver.
    let mut solver = solver_of(case.solver.method, problem.contacts.len());
    let target =
        Target { tolerance: case.solver.tolerance, max_iterations: case.solver.max_iterations };

    // 5. The account, opened with the energies at t = 0.
    let start = energies_at_start(&state, &problem.loads.potential);
    let mut ledger = Ledger::new(start, problem.contacts.len());

    // 6. The results folder and its recorders.
    let folder = ResultsFolder::create(out)?;
    let mut recorders: Vec<Box<dyn Recorder + '_>> = Vec::new();
    let (every, steps) = (case.output, case.scheme.steps);
    if every.history_every > 0 {
        recorders
            .push(Box::new(History::create(&folder.file("history.csv"), every.history_every)?));
    }
    if every.fields_every > 0 {
        let candidates = problem.contacts.len();
        recorders.push(Box::new(Fields::create(
            &folder,
            &body,
            candidates,
            every.fields_every,
            steps,
        )?));
    }
    let mut statistics = Statistics::new(solver.name(), target.tolerance);
    let at_rest = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
    let mut outcome = record(
        &mut recorders,
        &View {
            state: &state,
            contacts: &problem.contacts,
            contact: stepper.contacts(),
            ledger: &ledger,
            solve: at_rest,
        },
    );
    clock.add(Stage::Output);

    // 7. The steps: one sweep down, contact, one sweep up.
    while outcome.is_ok() && state.step < steps {
        stepper.rhs(&mut state);
        clock.add(Stage::Rhs);
        stepper.forward();
        clock.add(Stage::Forward);
        let solve = stepper.contact(solver.as_mut(), target);
        clock.add(Stage::Contact);
        stepper.backward();
        clock.add(Stage::Backward);
        stepper.advance(&mut state);
        clock.add(Stage::Rhs);
        let terms = stepper.ledger(&state);
        let contact = stepper.contacts();
        ledger.enter(&terms, &contact.active, &contact.work);
        ledger.enter_contacts(&contact.impulse, &contact.status);
        clock.add(Stage::Ledger);
        statistics.enter(&solve, contact.active.len());
        let view =
            View { state: &state, contacts: &problem.contacts, contact, ledger: &ledger, solve };
        outcome = check_finite(&state, &ledger)
            .and_then(|()| judge_solve(case, &solve, &stepper, &state, &folder, observer))
            .and_then(|()| record(&mut recorders, &view));
        clock.add(Stage::Output);
        if clock.time_to_show() {
            observer.progress(&Progress {
                step: state.step,
                steps,
                time: state.time,
                energy: ledger.totals().total(),
                contacts: contact.active.len(),
                iterations: solve.iterations,
            });
        }
    }

    // 8. What was seen goes to disk, also where the run failed.
    let finished = recorders.iter_mut().try_for_each(|recorder| recorder.finish());
    outcome.and(finished)?;
    write_contacts(&folder.file("contacts.csv"), &mesh, &problem.contacts, ledger.contacts())?;
    clock.add(Stage::Output);

    // 9. The certificate and the summary.
    let worst = ledger.worst();
    let certificate = Certificate::new(
        coverage,
        ledger.energy_scale(),
        worst.residual,
        worst.max_tangential,
        worst.max_normal,
    );
    clock.timings.total = clock.started.elapsed().as_secs_f64();
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION").into(),
        case: case_summary(case),
        scheme: scheme_summary(case),
        counts: Counts {
            nodes: mesh.points.len(),
            elements: body.elements.len(),
            dofs: problem.operator.dofs(),
            driven_dofs: problem.dofs.driven.len(),
            contact_nodes: problem.contacts.len(),
            steps: state.step,
            factor_entries: stepper.factor().entries(),
            history_every: every.history_every,
        },
        scales: Scales {
            velocity: velocity_scale.largest(),
            gap_tolerance: problem.activation.gap_tolerance,
            velocity_tolerance: problem.activation.velocity_tolerance,
        },
        energies: energies(&start, &ledger),
        solver: statistics.summary,
        timings: clock.timings,
        peak_memory: peak_memory(),
        factor_memory: (stepper.factor().bytes() + stepper.delassus().bytes()) as u64,
        certificate,
        notices: mesh.notices.clone(),
    };
    summary.write(&folder.file("summary.json"))?;
    Ok(summary)
}

fn solver_of(method: Method, contacts: usize) -> Box<dyn ContactSolver> {
    match method {
        Method::Auto => Box::new(Cascade::new(contacts)),
        Method::GaussSeidel => Box::new(GaussSeidel::new(contacts)),
        Method::Newton => Box::new(Newton::new(contacts)),
    }
}

fn energies_at_start(state: &State, potential: &[f64]) -> StepTerms {
    StepTerms {
        kinetic: 0.5 * dot(&state.v, &state.mv),
        strain: 0.5 * dot(&state.q, &state.kq),
        potential: if potential.is_empty() { 0.0 } else { -dot(&state.q, potential) },
        ..StepTerms::default()
    }
}

fn record(recorders: &mut [Box<dyn Recorder + '_>], view: &View) -> Result<(), Error> {
    recorders.iter_mut().try_for_each(|recorder| recorder.record(view))
}

/// The energies hold every dof: where one is not finite, so are they.
fn check_finite(state: &State, ledger: &Ledger) -> Result<(), Error> {
    let now = ledger.totals();
    let quantities = [("kinetic energy", now.kinetic), ("strain energy", now.strain)];
    match quantities.into_iter().find(|(_, value)| !value.is_finite()) {
        Some((quantity, value)) => {
            Err(Error::NotFinite { step: state.step, time: state.time, quantity, value })
        }
        None => Ok(()),
    }
}

/// Follows the case's policy where the contact solver did not reach its tolerance.
fn judge_solve(
    case: &Case,
    solve: &SolveReport,
    stepper: &MoreauJean,
    state: &State,
    folder: &ResultsFolder,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    if solve.status == SolveStatus::Converged {
        return Ok(());
    }
    let mut saved = String::new();
    if case.solver.save_failures {
        let path = save_cone_problem(stepper, state.step, folder)?;
        saved = format!("its cone problem is in {}; ", path.display());
    }
    let error = Error::Unconverged {
        step: state.step,
        time: state.time,
        error: solve.error,
        iterations: solve.iterations,
        tolerance: case.solver.tolerance,
        saved,
    };
    match case.solver.on_failure {
        OnFailure::Stop => Err(error),
        OnFailure::Warn => {
            observer.notice(&error.to_string());
            Ok(())
        }
        OnFailure::Continue => Ok(()),
    }
}

fn save_cone_problem(
    stepper: &MoreauJean,
    step: usize,
    folder: &ResultsFolder,
) -> Result<PathBuf, Error> {
    let path = folder.file(&format!("cone_{step}.json"));
    let write = |out: &mut dyn std::io::Write| {
        serde_json::to_writer(out, stepper.cone_problem()).map_err(std::io::Error::from)
    };
    match write_whole(&path, write) {
        Ok(()) => Ok(path),
        Err(source) => Err(Error::Write { path, source }),
    }
}

fn case_summary(case: &Case) -> CaseSummary {
    CaseSummary {
        name: case.name.clone(),
        title: case.title.clone(),
        units: case.units.clone(),
        overrides: case.overrides().to_vec(),
    }
}

fn scheme_summary(case: &Case) -> SchemeSummary {
    let scheme = &case.scheme;
    let law = match scheme.law {
        Law::Newton => "newton",
        Law::Fremond => "fremond",
        Law::Moreau => "moreau",
    };
    SchemeSummary {
        kind: "moreau-jean".into(),
        law: law.into(),
        theta: scheme.theta,
        step: scheme.step,
        end: scheme.step * scheme.steps as f64,
        activation: if scheme.gap_only { "gap" } else { "gap and velocity" }.into(),
    }
}

fn energies(start: &StepTerms, ledger: &Ledger) -> Energies {
    let now = ledger.totals();
    Energies {
        total_start: start.total(),
        strain_start: start.strain,
        kinetic: now.kinetic,
        strain: now.strain,
        potential: now.potential,
        total: now.total(),
        work_external: now.work_external,
        work_damping: now.work_damping,
        work_normal: now.work_normal,
        work_tangential: now.work_tangential,
        dissipation_numerical: now.dissipation_numerical,
    }
}

/// Peak resident memory of this process in bytes, from Linux's /proc.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// What the contact solver did over the run.
struct Statistics {
    summary: SolverSummary,
}

impl Statistics {
    fn new(method: &str, tolerance: f64) -> Self {
        Self {
            summary: SolverSummary {
                method: method.into(),
                tolerance,
                iterations: 0,
                most_iterations: 0,
                largest_error: 0.0,
                steps_with_contact: 0,
                unconverged_steps: 0,
            },
        }
    }

    fn enter(&mut self, solve: &SolveReport, active: usize) {
        let summary = &mut self.summary;
        summary.iterations += solve.iterations as u64;
        summary.most_iterations = summary.most_iterations.max(solve.iterations as u64);
        summary.largest_error = summary.largest_error.max(solve.error);
        summary.steps_with_contact += u64::from(active > 0);
        summary.unconverged_steps += u64::from(solve.status != SolveStatus::Converged);
    }
}

/// The only clock.
struct Clock {
    started: Instant,
    last: Instant,
    shown: Instant,
    timings: Timings,
}

/// Seconds between two progress reports.
const SHOW_EVERY: f64 = 0.1;

impl Clock {
    fn new() -> Self {
        let now = Instant::now();
        Self { started: now, last: now, shown: now, timings: Timings::default() }
    }

    /// Seconds since the last lap.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    /// Gives the time since the last lap to a stage.
    fn add(&mut self, stage: Stage) {
        let seconds = self.lap();
        self.timings.add(stage, seconds);
    }

    fn time_to_show(&mut self) -> bool {
        let due = (self.last - self.shown).as_secs_f64() >= SHOW_EVERY;
        if due {
            self.shown = self.last;
        }
        due
    }
}
