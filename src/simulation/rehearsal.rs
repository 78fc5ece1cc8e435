//! A run that is prepared but not taken: what it will be, and what it will cost.

use super::clock::Clock;
use super::summary::planned_counts;
use super::{Deadline, Observer, refuse_beyond_memory};
use crate::case::Case;
use crate::contact::obstacle::{Obstacle, Room};
use crate::contact::solver::Target;
use crate::energy::Coverage;
use crate::error::Error;
use crate::model::{Model, factor, read_mesh};
use crate::output::{Counts, Obstacles, Scales};
use crate::step::{March, Preparation};

/// What a run will be.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    /// Sizes; its steps are those of the whole run.
    pub counts: Counts,
    /// What the theorem asks, and whether the case has it.
    pub coverage: Coverage,
    /// Tolerances and where they come from.
    pub scales: Scales,
    /// Beyond it steps explode; none where every step is stable.
    pub largest_stable_step: Option<f64>,
    /// Most bytes that factor, Delassus operator and cone problem will take.
    pub memory: usize,
    /// Bytes there are, and who says so.
    pub memory_limit: Option<(usize, &'static str)>,
    /// What it will leave on disk.
    pub disk: DiskUse,
    /// Seconds until the first step.
    pub preparation: f64,
    /// Steps tried.
    pub tried: usize,
    /// Seconds of one of them, without files.
    pub seconds_per_step: f64,
}

/// Files of a run, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskUse {
    /// Frames of fields, and as many of contacts.
    pub frames: usize,
    /// Bytes of all of them.
    pub frame_bytes: usize,
    /// Rows of the history.
    pub rows: usize,
    /// Bytes of them.
    pub row_bytes: usize,
}

/// Seconds that steps are tried for, and the fewest of them.
const TRY_FOR: f64 = 0.5;
const TRY_AT_LEAST: usize = 3;

/// Prepares a run as [`run`](super::run) does, with the errors that it would end with before its first step, and
/// tries some steps; nothing is written.
pub fn rehearse(case: &Case, observer: &mut dyn Observer) -> Result<Rehearsal, Error> {
    let mut clock = Clock::new();
    let mesh = read_mesh(case)?;
    mesh.notices.iter().for_each(|notice| observer.notice(notice));
    let mut model = Model::build(case, &mesh)?;
    model.notices.iter().for_each(|notice| observer.notice(notice));
    let preparation = Preparation::new(&model.problem);
    let memory = preparation.bytes();
    // What is free now: the factor itself takes of it.
    let memory_limit = refuse_beyond_memory(case, memory)?;
    let stepper = factor(case, &model.body, preparation, &mut model.state)?;
    let target = Target::new(case.solver.tolerance, case.solver.max_iterations);
    let mut march = March::of(stepper, model.state.clone(), case.solver.method, target);
    let seconds = clock.lap();
    let tried = try_steps(case, &mut march);
    let seconds_per_step = clock.lap() / tried.max(1) as f64;
    let problem = &model.problem;
    Ok(Rehearsal {
        counts: planned_counts(case, &model.body, model.scene.mesh_nodes, &march),
        coverage: model.coverage,
        scales: Scales::of(&problem.activation),
        largest_stable_step: model.largest_stable_step,
        memory,
        memory_limit,
        disk: disk_use(case, &model, march.contacts().pairs.len()),
        preparation: seconds,
        tried,
        seconds_per_step,
    })
}

/// Takes a few steps and returns how many; how well they were solved is for the run to judge.
fn try_steps(case: &Case, march: &mut March) -> usize {
    let deadline = Deadline::after(TRY_FOR);
    let mut tried = 0;
    while tried < case.scheme.steps && (tried < TRY_AT_LEAST || !deadline.passed()) {
        let _ = march.step();
        tried += 1;
    }
    tried
}

/// Bytes of a frame for each point and cell, more of them where there are candidates, elements and rigid bodies, for each
/// corner of a cell and contact, and of its header.
const PER_POINT: usize = 9 * 8;
const TOUCHED_POINT: usize = 15 * 8 + 4;
const PER_CELL: usize = 4 + 1;
const STRESSED_CELL: usize = 13 * 8;
const RIGID_CELL: usize = 14 * 8 + 2 * 4;
const PER_CORNER: usize = 4;
const PER_CONTACT: usize = 24 * 8 + 4 * 4 + 4 + 4 + 1;
const HEADER: usize = 4_000;
/// Bytes of a row of the history: eighteen columns.
const PER_ROW: usize = 380;

/// Bytes of the header of a frame of obstacles, and for each corner of a piece of their surfaces, points, piece and set
/// among them.
const OBSTACLE_HEADER: usize = 1_350;
const PER_CORNER_OF_OBSTACLE: usize = 6 * 8 + 4 + 3;

/// Corners of all pieces that obstacles are drawn as.
fn obstacle_corners(model: &Model) -> usize {
    let room = Room { middle: [0.0; 3], reach: 1.0 };
    let picture = |(_, obstacle): (usize, &Obstacle)| {
        let picture = obstacle.picture(&room, &obstacle.initial_pose());
        picture.pieces.iter().map(Vec::len).sum::<usize>()
    };
    Obstacles::of(&model.problem.contacts).map(picture).sum()
}

/// What the case asks to be written, with so many contacts between bodies, without the trajectory, which is small.
fn disk_use(case: &Case, model: &Model, pairs: usize) -> DiskUse {
    let scene = &model.scene;
    let outputs = |every: usize| match every {
        0 => 0,
        every => 1 + case.scheme.steps.div_ceil(every),
    };
    let points = scene.mesh_nodes + scene.points.len();
    let cells = model.body.elements.len() + scene.cells.len();
    let corners: usize = (0..model.body.elements.len()).map(|e| model.body.nodes_of(e).len()).sum();
    let beside: usize = scene.cells.iter().map(|(_, points)| points.len()).sum();
    let candidates = model.problem.contacts.len();
    let bytes = |there: bool, bytes: usize| if there { bytes } else { 0 };
    let per_point = PER_POINT + bytes(candidates > 0, TOUCHED_POINT);
    let per_cell = PER_CELL
        + bytes(!model.body.elements.is_empty(), STRESSED_CELL)
        + bytes(!scene.bodies.is_empty(), RIGID_CELL);
    let fields = HEADER + per_point * points + per_cell * cells + PER_CORNER * (corners + beside);
    let contacts = match candidates + pairs {
        0 => 0,
        count => HEADER + PER_CONTACT * count,
    };
    let obstacles = match Obstacles::of(&model.problem.contacts).count() {
        0 => 0,
        _ => OBSTACLE_HEADER + PER_CORNER_OF_OBSTACLE * obstacle_corners(model),
    };
    let (frames, rows) = (outputs(case.output.fields_every), outputs(case.output.history_every));
    DiskUse {
        frames,
        frame_bytes: frames * (fields + contacts + obstacles),
        rows,
        row_bytes: rows * PER_ROW,
    }
}
