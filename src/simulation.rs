//! Start here: a whole run, from a case to its results folder.

mod clock;
mod guard;
mod march;
mod memory;
mod records;
mod statistics;
mod summary;

use std::path::Path;

use crate::assembly::Body;
use crate::case::Case;
use crate::error::Error;
use crate::linalg::NoFactor;
use crate::mesh::{Mesh, MeshError};
use crate::model::{Model, add_system, why_not};
use crate::output::{Stage, Summary, write_contacts};
use crate::step::{Preparation, State, Stepper};
use clock::Clock;
pub use clock::{Deadline, seconds_of};
use guard::Guard;
use march::March;
use records::Records;
use summary::{Origin, summarise};

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

    // 1. Read the mesh.
    let mesh = read_mesh(case)?;
    mesh.notices.iter().for_each(|notice| observer.notice(notice));
    clock.timings.mesh = clock.lap();

    // 2. Assemble matrices, driven dofs, loads and contact candidates; solve the pre-load.
    let Model {
        body,
        scene,
        problem,
        mut state,
        velocity_scale,
        coverage,
        largest_stable_step,
        notices,
    } = Model::build(case, &mesh)?;
    notices.iter().for_each(|notice| observer.notice(notice));
    clock.timings.assembly = clock.lap();

    // 3. Plan the factor of the effective mass; if it fits, compute it and the Delassus operator from its trailing block.
    let preparation = Preparation::new(&problem);
    let predicted_memory = preparation.bytes();
    refuse_beyond_memory(case, predicted_memory)?;
    let stepper = factor(case, &body, preparation, &mut state)?;
    let guard = Guard::new(case, &body, &problem, coverage, &velocity_scale);
    guard.check_start(stepper.as_ref(), &state)?;
    clock.timings.factor = clock.lap();

    // 4. Make the results folder and open its recorders.
    let records = Records::open(case, out, &body, &scene, problem.contacts.len())?;

    // 5. Choose the contact solver and open the energy account.
    let mut march = March::new(case, stepper, state, records, clock, guard);

    // 6. Take the steps: one sweep down, contact, one sweep up.
    march.take_steps(observer)?;

    // 7. Write what each contact did.
    let path = march.records.folder.file("contacts.csv");
    write_contacts(&path, &mesh, &problem.contacts, march.ledger.contacts())?;
    march.clock.add(Stage::Output);

    // 8. Judge the run and write the summary.
    let mesh_nodes = scene.mesh_nodes;
    let origin = Origin {
        case,
        body: &body,
        mesh_nodes,
        velocity_scale,
        coverage,
        largest_stable_step,
        notices,
        predicted_memory,
    };
    let summary = summarise(&origin, &march);
    let at_the_end = summary.notices.iter().skip(mesh.notices.len() + origin.notices.len());
    at_the_end.for_each(|notice| observer.notice(notice));
    summary.write(&march.records.folder.file("summary.json"))?;
    Ok(summary)
}

/// The case's mesh, with nodes for its masses and bodies; a file that cannot be read is the fault of the key that names it.
pub(crate) fn read_mesh(case: &Case) -> Result<Mesh, Error> {
    let Some(file) = &case.mesh else {
        let mut mesh =
            Mesh { dimension: case.system.dimension, offsets: vec![0], ..Mesh::default() };
        add_system(case, &mut mesh)?;
        return Ok(mesh);
    };
    let mesh = Mesh::read_with_bars(file, &case.bar_groups());
    let mut mesh = mesh.map_err(|error| match error {
        MeshError::Unreadable { path, source } => {
            let message = format!(
                "cannot read the mesh '{}': {source}; the path is relative to the case file",
                path.display()
            );
            case.error_at("mesh.file", message)
        }
        other => other.into(),
    })?;
    mesh.scale(case.scale);
    add_system(case, &mut mesh)?;
    Ok(mesh)
}

/// An error where more memory is needed than the case allows, or than is free.
pub(crate) fn refuse_beyond_memory(case: &Case, needed: usize) -> Result<(), Error> {
    let (available, source_of_limit) = match (case.solver.memory, memory::available()) {
        (Some(limit), _) => (limit, "solver.memory allows"),
        (None, Some(free)) => (free as usize, "are free"),
        (None, None) => return Ok(()),
    };
    if needed <= available {
        return Ok(());
    }
    Err(Error::Memory { matrix: "effective mass", needed, available, source_of_limit })
}

/// The stepper of the problem's scheme; where M̂ is not positive definite, an error that says where and why.
pub(crate) fn factor<'p>(
    case: &Case,
    body: &Body,
    preparation: Preparation<'p>,
    state: &mut State,
) -> Result<Box<dyn Stepper<'p> + 'p>, Error> {
    let problem = preparation.problem();
    preparation.factor(state).map_err(|NoFactor::NotPositive { position }| {
        let dof = problem.dofs.order[position] as usize;
        let node = body.mesh.node_tags[dof / problem.dofs.dimension];
        let remedy = why_not(case, body, problem, dof);
        Error::NotPositiveDefinite { matrix: "effective mass", node, remedy }
    })
}
