//! `fields.pvd` and its frames: what ParaView opens.

use super::body_poses::BodyPoses;
use super::contact_forces::ContactForces;
use super::frames::FrameWriter;
use super::vtu::{Field, Grid, VtuFrame};
use super::{Cadence, Moment, Recorder, ResultsFolder, View};
use crate::assembly::{Body, stress_of};
use crate::contact::{Grip, Status};
use crate::energy::Term;
use crate::error::Error;
use crate::rigid::{Scene, SceneCell};
use crate::tape::Tape;
use crate::units::Dimension;

/// Writes a frame every so many steps, and the last step.
pub struct Fields<'a> {
    frames: FrameWriter,
    body: &'a Body<'a>,
    scene: &'a Scene,
    units: String,
    /// Of the mesh, and of what stands beside it.
    coordinates: Vec<[f64; 3]>,
    connectivity: Vec<u32>,
    offsets: Vec<u32>,
    cell_types: Vec<u8>,
    points: PointArrays,
    cells: CellArrays,
    poses: BodyPoses,
    /// Tangential work of each candidate at the last frame.
    work_before: Vec<f64>,
    forces: ContactForces,
}

#[derive(Default)]
struct PointArrays {
    displacement: Vec<f64>,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    force: Vec<f64>,
    force_mean: Vec<f64>,
    pressure: Vec<f64>,
    pressure_mean: Vec<f64>,
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

impl<'a> Fields<'a> {
    /// Frames of the steps of a cadence; `areas` are the candidates' shares of the contact surface.
    pub fn create(
        folder: &ResultsFolder,
        body: &'a Body<'a>,
        scene: &'a Scene,
        areas: &[f64],
        units: &str,
        cadence: Cadence,
    ) -> Result<Self, Error> {
        let (cells, kinds) = (body.elements.len(), &body.mesh.kinds);
        let end_of = |end: &mut u32, e: usize| {
            *end += body.nodes_of(e).len() as u32;
            Some(*end)
        };
        let beside = || scene.cells.iter();
        let shift = scene.mesh_nodes as u32;
        let mut offsets: Vec<u32> = std::iter::once(0).chain((0..cells).scan(0, end_of)).collect();
        for (_, points) in beside() {
            offsets.push(offsets[offsets.len() - 1] + points.len() as u32);
        }
        let own = (0..cells).flat_map(|e| body.nodes_of(e)).copied();
        let others = beside().flat_map(|(_, points)| points.iter().map(|point| point + shift));
        let types = body.elements.iter().map(|&e| kinds[e as usize].vtk_type());
        let mesh_points = body.mesh.points[..scene.mesh_nodes].iter().copied();
        Ok(Self {
            frames: FrameWriter::create(folder, "fields", cadence)?,
            body,
            scene,
            units: units.into(),
            coordinates: mesh_points.chain(scene.points.iter().map(Grip::point)).collect(),
            connectivity: own.chain(others).collect(),
            offsets,
            cell_types: types.chain(beside().map(|(figure, _)| vtk_type(*figure))).collect(),
            points: PointArrays::default(),
            cells: CellArrays::default(),
            poses: BodyPoses::default(),
            work_before: vec![0.0; areas.len()],
            forces: ContactForces::new(areas),
        })
    }

    fn gather(&mut self, view: &View) {
        self.points.gather(self.scene, view, &self.forces, &mut self.work_before);
        self.cells.gather(self.body, self.scene.cells.len(), &view.state.q);
        if !self.scene.bodies.is_empty() {
            self.poses.gather(self.scene, self.body.elements.len(), view);
        }
    }

    fn write_frame(&mut self, step: usize, time: f64) -> Result<(), Error> {
        let grid = Grid {
            points: &self.coordinates,
            connectivity: &self.connectivity,
            offsets: &self.offsets,
            cell_types: &self.cell_types,
        };
        let (mut point_data, mut cell_data) = (self.points.motion(), Vec::new());
        if !self.work_before.is_empty() {
            point_data.extend(self.points.of_contacts());
        }
        if !self.body.elements.is_empty() {
            cell_data.extend(self.cells.fields());
        }
        if !self.scene.bodies.is_empty() {
            point_data.extend(self.poses.point_data());
            cell_data.extend(self.poses.cell_data());
        }
        let (point_data, cell_data) = (&point_data[..], &cell_data[..]);
        let frame = VtuFrame { time, units: &self.units, point_data, cell_data };
        self.frames.write(step, &grid, &frame)
    }
}

impl Recorder for Fields<'_> {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        self.forces.enter(view);
        if !self.frames.wants(view.state.step) {
            return Ok(());
        }
        let regular = self.frames.is_regular(view.state.step);
        let before = (!regular).then(|| self.work_before.clone());
        self.gather(view);
        self.write_frame(view.state.step, view.state.time)?;
        // A run that goes on further counts from its last regular frame.
        match before {
            Some(before) => self.work_before = before,
            None => self.forces.restart(view.state.step),
        }
        Ok(())
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        tape.reals(&mut self.work_before);
        self.forces.remember(tape);
        if tape.reads() && tape.fits() { self.frames.resume(at) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.frames.check()
    }
}

impl PointArrays {
    fn motion(&self) -> Vec<Field<'_>> {
        vec![
            Field::vector("displacement", &self.displacement).of(Dimension::Length),
            Field::vector("velocity", &self.velocity).of(Dimension::Velocity),
        ]
    }

    fn of_contacts(&self) -> [Field<'_>; 10] {
        let works = [
            ("tangential_work", &self.tangential_work),
            ("tangential_work_total", &self.tangential_work_total),
            ("normal_work_total", &self.normal_work_total),
        ];
        let [interval, friction, normal] =
            works.map(|(name, work)| Field::scalar(name, work).of(Dimension::Energy));
        [
            Field::vector("contact_impulse", &self.impulse).of(Dimension::Impulse),
            Field::vector("contact_force", &self.force).of(Dimension::Force),
            Field::vector("contact_force_mean", &self.force_mean).of(Dimension::Force),
            Field::scalar("contact_pressure", &self.pressure).of(Dimension::Pressure),
            Field::scalar("contact_pressure_mean", &self.pressure_mean).of(Dimension::Pressure),
            Field::scalar("gap", &self.gap).of(Dimension::Length),
            Field::integer("contact_status", &self.status),
            interval,
            friction,
            normal,
        ]
    }

    fn gather(
        &mut self,
        scene: &Scene,
        view: &View,
        forces: &ContactForces,
        work_before: &mut [f64],
    ) {
        let (d, state) = (view.problem.dofs.dimension, view.state);
        let nodes = scene.mesh_nodes + scene.points.len();
        pad_into(&state.q[..d * scene.mesh_nodes], d, &mut self.displacement);
        pad_into(&state.v[..d * scene.mesh_nodes], d, &mut self.velocity);
        for grip in &scene.points {
            let (from, to) = (grip.point(), grip.place(d, &state.q));
            self.displacement.extend((0..3).map(|i| to[i] - from[i]));
            self.velocity.extend(grip.velocity(d, &grip.lever(&state.q), &state.v));
        }
        for vectors in [&mut self.impulse, &mut self.force, &mut self.force_mean] {
            reset(vectors, 3 * nodes, 0.0);
        }
        reset(&mut self.pressure, nodes, 0.0);
        reset(&mut self.pressure_mean, nodes, 0.0);
        reset(&mut self.gap, nodes, 0.0);
        reset(&mut self.status, nodes, -1);
        reset(&mut self.tangential_work, nodes, 0.0);
        reset(&mut self.tangential_work_total, nodes, 0.0);
        reset(&mut self.normal_work_total, nodes, 0.0);
        for (c, candidate) in view.problem.contacts.candidates.iter().enumerate() {
            let Some(node) = scene.point_of(&candidate.grip) else { continue };
            let push = view.contact.frame[c].to_space(view.contact.impulse[c]);
            add_at(&mut self.impulse, node, push);
            let force = forces.of(c, view);
            add_at(&mut self.force, node, force.force);
            add_at(&mut self.force_mean, node, force.force_mean);
            self.pressure[node] += force.pressure;
            self.pressure_mean[node] += force.pressure_mean;
            // A node may face several obstacles: the nearest one counts.
            let first = self.status[node] == -1;
            // At the time of the frame, not at the start of its step.
            let gap = view.problem.contact(c, view.state).gap;
            self.gap[node] = if first { gap } else { self.gap[node].min(gap) };
            let status = match view.contact.status[c] {
                Status::Open => 0,
                Status::Stick => 1,
                Status::Slip => 2,
            };
            self.status[node] = self.status[node].max(status);
            let work = view.ledger.contacts()[c].work;
            self.tangential_work[node] += work[Term::Tangential] - work_before[c];
            self.tangential_work_total[node] += work[Term::Tangential];
            self.normal_work_total[node] += work[Term::Normal];
            work_before[c] = work[Term::Tangential];
        }
    }
}

impl CellArrays {
    fn fields(&self) -> [Field<'_>; 3] {
        [
            Field::symmetric_tensor("stress", &self.stress).of(Dimension::Pressure),
            Field::symmetric_tensor("strain", &self.strain),
            Field::scalar("von_mises", &self.von_mises).of(Dimension::Pressure),
        ]
    }

    fn gather(&mut self, body: &Body, beside: usize, q: &[f64]) {
        self.strain.clear();
        self.stress.clear();
        self.von_mises.clear();
        for e in 0..body.elements.len() {
            let found = stress_of(body, e, q);
            self.strain.extend_from_slice(&found.strain);
            self.stress.extend_from_slice(&found.stress);
            self.von_mises.push(found.von_mises);
        }
        self.strain.resize(self.strain.len() + 6 * beside, 0.0);
        self.stress.resize(self.stress.len() + 6 * beside, 0.0);
        self.von_mises.resize(self.von_mises.len() + beside, 0.0);
    }
}

/// VTK's number for a figure.
fn vtk_type(figure: SceneCell) -> u8 {
    match figure {
        SceneCell::Dot => 1,
        SceneCell::Line => 3,
        SceneCell::Polygon => 7,
    }
}

fn add_at(vectors: &mut [f64], node: usize, vector: [f64; 3]) {
    (0..3).for_each(|i| vectors[3 * node + i] += vector[i]);
}

fn reset<T: Clone>(array: &mut Vec<T>, length: usize, value: T) {
    array.clear();
    array.resize(length, value);
}

/// Vectors of d components with zeros up to three.
fn pad_into(vectors: &[f64], d: usize, space: &mut Vec<f64>) {
    space.clear();
    let component = |vector: &[f64], i: usize| vector.get(i).copied().unwrap_or(0.0);
    let padded = |vector: &[f64]| [0, 1, 2].map(|i| component(vector, i));
    space.extend(vectors.chunks_exact(d).flat_map(padded));
}
