//! Start here: a whole run, from a case to its results folder.

mod checkpoint;
mod clock;
mod finite;
mod guard;
mod identity;
mod memory;
mod names;
mod notices;
mod pair_watch;
mod records;
mod rehearsal;
mod run;
mod statistics;
mod summary;
mod watch;

use std::path::Path;

use crate::case::Case;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::model::{Model, System, factor, read_mesh};
use crate::output::{
    ResultsFolder, STARTED, Stage, Summary, digests, write_bodies, write_contacts, write_pairs,
};
use crate::step::{March, Preparation, Stepped};
use checkpoint::Checkpoint;
use clock::Clock;
pub use clock::{Deadline, seconds_of};
use guard::Guard;
pub use identity::Identity;
pub use memory::available as available_memory;
use records::{RecordSubject, Records};
pub use rehearsal::{DiskUse, Rehearsal, rehearse};
use run::{Run, refuse_unsolved};
use summary::{Origin, summarise, summarise_start};

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
    /// Seconds since the first step of this run.
    pub seconds: f64,
    /// Steps per second since then.
    pub rate: f64,
}

impl Progress {
    /// Seconds that the steps left will take at this rate.
    pub fn seconds_left(&self) -> f64 {
        (self.steps - self.step) as f64 / self.rate
    }
}

/// Someone who watches a run.
pub trait Observer {
    /// Something worth knowing.
    fn notice(&mut self, text: &str);

    /// A few times per second.
    fn progress(&mut self, progress: &Progress);

    /// The most bytes that factor and contact operator will take, before they are taken. It may wait until
    /// they can be had; an error ends the run.
    fn admit(&mut self, _bytes: usize) -> Result<(), Error> {
        Ok(())
    }

    /// After every step, when it is entered and written down; an error ends the run.
    fn stepped(&mut self, _march: &March, _stepped: &Stepped) -> Result<(), Error> {
        Ok(())
    }

    /// Before the first step: what is begun, and seconds since the run began.
    fn preparing(&mut self, _what: &str, _seconds: f64) {}

    /// Asked before every step: whether to end here, with every file valid and a checkpoint from which
    /// [`resume`] goes on.
    fn wants_to_stop(&mut self) -> bool {
        false
    }
}

/// Runs a case and leaves its results in `out`; nothing is left where the case cannot be started. Where the
/// observer stops it, the summary says that it is not finished.
pub fn run(case: &Case, out: &Path, observer: &mut dyn Observer) -> Result<Summary, Error> {
    let start = (Clock::new(), Identity::of(case)?, out);
    take(None, case, &read_observed(case, observer)?, start, observer)
}

/// Goes on with the run of a case in `out` after its newest good checkpoint, and leaves the same bytes as if
/// it had never stopped. A run that is finished is left as it is.
pub fn resume(case: &Case, out: &Path, observer: &mut dyn Observer) -> Result<Summary, Error> {
    let mut newest = Checkpoint::newest(case, out, usize::MAX, observer)?;
    if let Some(summary) = finished(case, out, newest.is_none(), observer)? {
        let steps = summary.counts.steps;
        // A kill may have come just before the run itself did this; where it cannot be done, nothing is lost.
        let _ = ResultsFolder::at(out).forget_start();
        observer.notice(&format!("{} is finished: {steps} steps", out.display()));
        return Ok(summary);
    }
    while let Some(checkpoint) = newest {
        let (step, steps) = (checkpoint.step, case.scheme.steps);
        observer.notice(&format!("going on after step {step} of {steps}"));
        let start = (Clock::new(), Identity::of(case)?, out);
        let mesh = read_observed(case, observer)?;
        let outcome = take(Some(checkpoint), case, &mesh, start, observer);
        let Err(error @ Error::Shortened { .. }) = outcome else { return outcome };
        newest = Checkpoint::newest(case, out, step, observer)?;
        if newest.is_none() {
            return Err(error);
        }
        observer.notice(&error.to_string());
    }
    let message = "there is no checkpoint to go on from; run the case without --resume, with \
                   output.checkpoint_every > 0 to have some";
    Err(Error::Results { path: out.into(), message: message.into() })
}

/// The summary of a run of the case that came to its end; where there is no checkpoint (`alone`), one that is not of
/// the case, or has lost files, is an error.
fn finished(
    case: &Case,
    out: &Path,
    alone: bool,
    observer: &mut dyn Observer,
) -> Result<Option<Summary>, Error> {
    let path = out.join("summary.json");
    if !path.exists() {
        return Ok(None);
    }
    let summary = match Summary::read(&path) {
        Err(error) if !alone => {
            observer.notice(&error.to_string());
            return Ok(None);
        }
        summary => summary?,
    };
    let steps = summary.counts.steps;
    if !summary.finished || steps != case.scheme.steps {
        return Ok(None);
    }
    let refuse = |path: &Path, message: String| Err(Error::Results { path: path.into(), message });
    if alone {
        let before = Identity::of_summary(&summary)?;
        if let Some(objection) = Identity::of(case)?.objection(&before) {
            return refuse(&path, objection);
        }
    }
    let tables = ["contacts.csv", "pairs.csv"].into_iter();
    let written =
        tables.filter(|name| *name == "contacts.csv" || summary.digests.contains_key(*name));
    let lost = written.map(|name| out.join(name)).find(|path| !path.exists());
    match lost.or_else(|| Records::missing(case, out, steps)) {
        None => Ok(Some(summary)),
        Some(_) if !alone => Ok(None),
        Some(lost) => refuse(&lost, "it is gone; run the case again without --resume".into()),
    }
}

/// [`run`] of a system that a program made. There is no text of it: [`resume`] and
/// [`verify`](crate::verify::verify) have nothing to go by.
pub fn run_system(
    system: &System,
    out: &Path,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let (clock, identity) = (Clock::new(), Identity::of(&system.case)?);
    take(None, &system.case, &system.mesh()?, (clock, identity, out), observer)
}

/// 1. Reads the mesh.
fn read_observed(case: &Case, observer: &mut dyn Observer) -> Result<Mesh, Error> {
    observer.preparing("reading the mesh", 0.0);
    read_mesh(case)
}

/// The steps of a run, once its mesh is read.
fn take(
    checkpoint: Option<Checkpoint>,
    case: &Case,
    mesh: &Mesh,
    (mut clock, identity, out): (Clock, Identity, &Path),
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    mesh.notices.iter().for_each(|notice| observer.notice(notice));
    clock.timings.mesh = clock.lap();

    // 2. Assemble matrices, driven dofs, loads and contact candidates; solve the pre-load.
    observer.preparing("assembling", clock.seconds());
    let Model { body, scene, problem, mut state, coverage, largest_stable_step, notices } =
        Model::build(case, mesh)?;
    notices.iter().for_each(|notice| observer.notice(notice));
    if let Some((_, path)) = identity.changed_file(case) {
        let what = "it was changed as it was being read; run the case again";
        return Err(Error::Disturbed { path, what });
    }
    clock.timings.assembly = clock.lap();

    // 3. Plan the factor of the effective mass; if it fits, compute it and the Delassus operator from its trailing block.
    let preparation = Preparation::new(&problem);
    let predicted_memory = preparation.bytes();
    refuse_beyond_memory(case, predicted_memory)?;
    observer.admit(predicted_memory)?;
    observer.preparing("factoring the effective mass", clock.seconds());
    let stepper = factor(case, &body, preparation, &mut state)?;
    let guard = Guard::new(case, &body, coverage);
    guard.check_start(stepper.as_ref(), &state)?;
    clock.timings.factor = clock.lap();

    // 4. Make the results folder, or open that of the run to go on with, and its recorders.
    let subject = RecordSubject { body: &body, scene: &scene, contacts: &problem.contacts };
    let records = Records::open(case, out, &subject, identity, checkpoint.is_some())?;

    // 5. Choose the contact solver, open the energy account, tell readers what is run, and write t = 0 down or go where
    //    it stopped.
    let mut run = Run::new(case, (stepper, state), records, clock, guard);
    let origin = Origin {
        case,
        body: &body,
        mesh_nodes: scene.mesh_nodes,
        coverage,
        largest_stable_step,
        notices,
        predicted_memory,
    };
    summarise_start(&origin, &run).write(&run.records.folder.file(STARTED))?;
    run.set_out(checkpoint)?;

    // 6. Take the steps: one sweep down, contact, one sweep up.
    run.take_steps(observer)?;

    // 7. Write what each contact, each pair of bodies and each body did.
    let path = run.records.folder.file("contacts.csv");
    write_contacts(&path, mesh, &problem.contacts, run.march.ledger().contacts())?;
    if problem.contacts.solids.meet() {
        let names: Vec<&str> = case.system.bodies.iter().map(|body| body.name.as_str()).collect();
        let path = run.records.folder.file("pairs.csv");
        write_pairs(&path, &problem.contacts, &names, run.march.ledger().pairs())?;
    }
    write_bodies(&run.records.folder.file("bodies.csv"), &run.march.worst().bodies)?;
    run.clock.add(Stage::Output);

    // 8. Judge the run and write the summary.
    let mut summary = summarise(&origin, &run);
    summary.digests = digests(run.records.folder.path())?;
    let told = mesh.notices.len() + origin.notices.len() + run.told.len();
    let at_the_end = summary.notices.iter().skip(told);
    at_the_end.for_each(|notice| observer.notice(notice));
    summary.write(&run.records.folder.file("summary.json"))?;
    run.records.folder.forget_start()?;
    if summary.finished && case.output.checkpoint_every == 0 {
        run.records.folder.remove_checkpoints(|_| true)?;
    }
    Ok(summary)
}

/// A case on its mesh after so many steps, without files; it may be marched on.
pub fn march(case: &Case, steps: usize) -> Result<(Mesh, March), Error> {
    let mesh = read_mesh(case)?;
    let model = Model::build(case, &mesh)?;
    refuse_beyond_memory(case, Preparation::new(&model.problem).bytes())?;
    let mut march = model.march(case)?;
    for _ in 0..steps {
        let stepped = march.step();
        refuse_unsolved(case, &march, &stepped)?;
    }
    Ok((mesh, march))
}

/// Most bytes that factor and contact operator of a case will take: all of it is read and assembled, nothing factored.
pub fn predicted_memory(case: &Case) -> Result<usize, Error> {
    let mesh = read_mesh(case)?;
    let model = Model::build(case, &mesh)?;
    Ok(Preparation::new(&model.problem).bytes())
}

/// An error where more memory is needed than the case allows, or than is free.
pub(crate) fn refuse_beyond_memory(
    case: &Case,
    needed: usize,
) -> Result<Option<(usize, &'static str)>, Error> {
    match memory_for(case) {
        Some((available, source_of_limit)) if needed > available => {
            Err(Error::Memory { matrix: "effective mass", needed, available, source_of_limit })
        }
        limit @ (Some(_) | None) => Ok(limit),
    }
}

/// Bytes that the case may take, and who says so; none where nobody does.
fn memory_for(case: &Case) -> Option<(usize, &'static str)> {
    match (case.solver.memory, memory::available()) {
        (Some(limit), _) => Some((limit, "solver.memory allows")),
        (None, Some(free)) => Some((free as usize, "are free")),
        (None, None) => None,
    }
}
