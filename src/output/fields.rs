//! `fields.pvd` and its frames: what ParaView opens.

use super::vtu::{Field, Frame, Grid, write_vtu};
use super::{Collection, Recorder, ResultsFolder, View};
use crate::assembly::{Body, stress_of};
use crate::contact::Status;
use crate::error::Error;

/// Writes a frame every so many steps, and the last step.
pub struct Fields<'a> {
    folder: ResultsFolder,
    body: &'a Body<'a>,
    every: usize,
    last_step: usize,
    collection: Collection,
    connectivity: Vec<u32>,
    offsets: Vec<u32>,
    cell_types: Vec<u8>,
    points: PointArrays,
    cells: CellArrays,
    /// Tangential work of each candidate at the last frame.
    work_before: Vec<f64>,
}

#[derive(Default)]
struct PointArrays {
    displacement: Vec<f64>,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    gap: Vec<f64>,
    status: Vec<i32>,
    tangential_work: Vec<f64>,
    tangential_work_total: Vec<f64>,
    normal_work_total: Vec<f64>,
}

#[derive(Default)]
struct CellArrays {
    strain: Vec<f64>,
    stress: Vec<f64>,
    von_mises: Vec<f64>,
}

/// VTK's number for a triangle.
const VTK_TRIANGLE: u8 = 5;

impl<'a> Fields<'a> {
    /// Frames of the steps that `every` divides, and of `last_step`.
    pub fn create(
        folder: &ResultsFolder,
        body: &'a Body<'a>,
        candidates: usize,
        every: usize,
        last_step: usize,
    ) -> Result<Self, Error> {
        let frames = folder.file("fields");
        let complain = |source| Error::Write { path: frames.clone(), source };
        std::fs::create_dir_all(&frames).map_err(complain)?;
        let cells = body.elements.len();
        Ok(Self {
            folder: folder.clone(),
            body,
            every,
            last_step,
            collection: Collection::new(),
            connectivity: (0..cells).flat_map(|e| body.nodes_of(e)).copied().collect(),
            offsets: (0..=cells as u32).map(|e| 3 * e).collect(),
            cell_types: vec![VTK_TRIANGLE; cells],
            points: PointArrays::default(),
            cells: CellArrays::default(),
            work_before: vec![0.0; candidates],
        })
    }

    fn gather(&mut self, view: &View) {
        self.points.gather(self.body.mesh.points.len(), view, &mut self.work_before);
        self.cells.gather(self.body, &view.state.q);
    }

    fn write_frame(&self, file: &str, time: f64) -> Result<(), Error> {
        let grid = Grid {
            points: &self.body.mesh.points,
            connectivity: &self.connectivity,
            offsets: &self.offsets,
            cell_types: &self.cell_types,
        };
        let (p, c) = (&self.points, &self.cells);
        let frame = Frame {
            time,
            point_data: &[
                Field::vector("displacement", &p.displacement),
                Field::vector("velocity", &p.velocity),
                Field::vector("contact_impulse", &p.impulse),
                Field::scalar("gap", &p.gap),
                Field::integer("contact_status", &p.status),
                Field::scalar("tangential_work", &p.tangential_work),
                Field::scalar("tangential_work_total", &p.tangential_work_total),
                Field::scalar("normal_work_total", &p.normal_work_total),
            ],
            cell_data: &[
                Field::symmetric_tensor("stress", &c.stress),
                Field::symmetric_tensor("strain", &c.strain),
                Field::scalar("von_mises", &c.von_mises),
            ],
        };
        let path = self.folder.file(file);
        write_vtu(&path, &grid, &frame).map_err(|source| Error::Write { path, source })
    }
}

impl Recorder for Fields<'_> {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        let step = view.state.step;
        if !step.is_multiple_of(self.every) && step != self.last_step {
            return Ok(());
        }
        self.gather(view);
        let width = self.last_step.to_string().len();
        let file = format!("fields/step_{step:0width$}.vtu");
        self.write_frame(&file, view.state.time)?;
        self.collection.push(view.state.time, file);
        let path = self.folder.file("fields.pvd");
        self.collection.write(&path).map_err(|source| Error::Write { path, source })
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl PointArrays {
    fn gather(&mut self, nodes: usize, view: &View, work_before: &mut [f64]) {
        pad_into(&view.state.q, &mut self.displacement);
        pad_into(&view.state.v, &mut self.velocity);
        reset(&mut self.impulse, 3 * nodes, 0.0);
        reset(&mut self.gap, nodes, 0.0);
        reset(&mut self.status, nodes, -1);
        reset(&mut self.tangential_work, nodes, 0.0);
        reset(&mut self.tangential_work_total, nodes, 0.0);
        reset(&mut self.normal_work_total, nodes, 0.0);
        for (c, candidate) in view.contacts.candidates.iter().enumerate() {
            let node = candidate.node as usize;
            let push = view.contacts.set_of(c).obstacle.to_space(view.contact.impulse[c]);
            self.impulse[3 * node] += push[0];
            self.impulse[3 * node + 1] += push[1];
            // A node may face several obstacles: the nearest one counts.
            let first = self.status[node] == -1;
            let gap = self.gap_of(view, c);
            self.gap[node] = if first { gap } else { self.gap[node].min(gap) };
            let status = match view.contact.status[c] {
                Status::Open => 0,
                Status::Stick => 1,
                Status::Slip => 2,
            };
            self.status[node] = self.status[node].max(status);
            let work = view.ledger.contacts()[c].work;
            self.tangential_work[node] += work.tangential - work_before[c];
            self.tangential_work_total[node] += work.tangential;
            self.normal_work_total[node] += work.normal;
            work_before[c] = work.tangential;
        }
    }

    /// Gap at the time of the frame, not at the start of its step.
    fn gap_of(&self, view: &View, c: usize) -> f64 {
        let candidate = &view.contacts.candidates[c];
        let at = 2 * candidate.node as usize;
        let x = [0, 1].map(|i| candidate.point[i] + view.state.q[at + i]);
        view.contacts.set_of(c).obstacle.gap(x, view.state.travel[candidate.set])
    }
}

impl CellArrays {
    fn gather(&mut self, body: &Body, q: &[f64]) {
        self.strain.clear();
        self.stress.clear();
        self.von_mises.clear();
        for e in 0..body.elements.len() {
            let found = stress_of(body, e, q);
            self.strain.extend_from_slice(&found.strain);
            self.stress.extend_from_slice(&found.stress);
            self.von_mises.push(found.von_mises);
        }
    }
}

fn reset<T: Clone>(array: &mut Vec<T>, length: usize, value: T) {
    array.clear();
    array.resize(length, value);
}

/// Plane vectors with a third component of zero.
fn pad_into(plane: &[f64], space: &mut Vec<f64>) {
    space.clear();
    space.extend(plane.chunks_exact(2).flat_map(|p| [p[0], p[1], 0.0]));
}
