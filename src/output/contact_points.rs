//! `contacts.pvd` and its frames: the contact points alone, where they are, ready for glyphs.

use super::contact_forces::ContactForces;
use super::frames::FrameWriter;
use super::vtu::{Field, Grid, VtuFrame};
use super::{Cadence, Moment, Recorder, ResultsFolder, View};
use crate::contact::Status;
use crate::energy::Term;
use crate::error::Error;
use crate::tape::Tape;
use crate::units::Dimension;

/// VTK's number for a cell of one point.
const VERTEX: u8 = 1;

/// Writes a frame of all candidates every so many steps, and the last step.
pub struct ContactPoints {
    frames: FrameWriter,
    units: String,
    points: Vec<[f64; 3]>,
    impulse: Vec<f64>,
    forces: ContactForces,
    force: Vec<f64>,
    force_mean: Vec<f64>,
    pressure: Vec<f64>,
    pressure_mean: Vec<f64>,
    normal: Vec<f64>,
    gap: Vec<f64>,
    status: Vec<i32>,
    set: Vec<i32>,
    tangential_work: Vec<f64>,
    tangential_work_total: Vec<f64>,
    normal_work_total: Vec<f64>,
}

impl ContactPoints {
    /// Frames of the steps of a cadence, of candidates with these shares of the contact surface.
    pub fn create(
        folder: &ResultsFolder,
        areas: &[f64],
        units: &str,
        cadence: Cadence,
    ) -> Result<Self, Error> {
        let candidates = areas.len();
        let zeros = || vec![0.0; candidates];
        Ok(Self {
            frames: FrameWriter::create(folder, "contacts", cadence)?,
            units: units.into(),
            points: vec![[0.0; 3]; candidates],
            impulse: vec![0.0; 3 * candidates],
            forces: ContactForces::new(areas),
            force: vec![0.0; 3 * candidates],
            force_mean: vec![0.0; 3 * candidates],
            pressure: zeros(),
            pressure_mean: zeros(),
            normal: vec![0.0; 3 * candidates],
            gap: zeros(),
            status: vec![0; candidates],
            set: vec![0; candidates],
            tangential_work: zeros(),
            tangential_work_total: zeros(),
            normal_work_total: zeros(),
        })
    }

    fn gather(&mut self, view: &View) {
        for (c, candidate) in view.problem.contacts.candidates.iter().enumerate() {
            let met = view.problem.contact(c, view.state);
            let push = view.contact.frame[c].to_space(view.contact.impulse[c]);
            self.points[c] = met.place;
            self.impulse[3 * c..][..3].copy_from_slice(&push);
            let force = self.forces.of(c, view);
            self.force[3 * c..][..3].copy_from_slice(&force.force);
            self.force_mean[3 * c..][..3].copy_from_slice(&force.force_mean);
            self.pressure[c] = force.pressure;
            self.pressure_mean[c] = force.pressure_mean;
            self.normal[3 * c..][..3].copy_from_slice(&met.frame.normal());
            self.gap[c] = met.gap;
            self.status[c] = match view.contact.status[c] {
                Status::Open => 0,
                Status::Stick => 1,
                Status::Slip => 2,
            };
            self.set[c] = candidate.set as i32;
            let work = view.ledger.contacts()[c].work;
            self.tangential_work[c] = work[Term::Tangential] - self.tangential_work_total[c];
            self.tangential_work_total[c] = work[Term::Tangential];
            self.normal_work_total[c] = work[Term::Normal];
        }
    }

    fn write_frame(&mut self, step: usize, time: f64) -> Result<(), Error> {
        let count = self.points.len() as u32;
        let grid = Grid {
            points: &self.points,
            connectivity: &(0..count).collect::<Vec<_>>(),
            offsets: &(0..=count).collect::<Vec<_>>(),
            cell_types: &vec![VERTEX; count as usize],
        };
        let frame = VtuFrame {
            time,
            units: &self.units,
            point_data: &[
                Field::vector("impulse", &self.impulse).of(Dimension::Impulse),
                Field::vector("force", &self.force).of(Dimension::Force),
                Field::vector("force_mean", &self.force_mean).of(Dimension::Force),
                Field::scalar("pressure", &self.pressure).of(Dimension::Pressure),
                Field::scalar("pressure_mean", &self.pressure_mean).of(Dimension::Pressure),
                Field::scalar("area", self.forces.areas()).of(Dimension::Area),
                Field::vector("normal", &self.normal),
                Field::scalar("gap", &self.gap).of(Dimension::Length),
                Field::integer("status", &self.status),
                Field::integer("contact_set", &self.set),
                Field::scalar("tangential_work", &self.tangential_work).of(Dimension::Energy),
                Field::scalar("tangential_work_total", &self.tangential_work_total)
                    .of(Dimension::Energy),
                Field::scalar("normal_work_total", &self.normal_work_total).of(Dimension::Energy),
            ],
            cell_data: &[],
        };
        self.frames.write(step, &grid, &frame)
    }
}

impl Recorder for ContactPoints {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        self.forces.enter(view);
        if !self.frames.wants(view.state.step) {
            return Ok(());
        }
        let regular = self.frames.is_regular(view.state.step);
        let before = (!regular).then(|| self.tangential_work_total.clone());
        self.gather(view);
        self.write_frame(view.state.step, view.state.time)?;
        // A run that goes on further counts from its last regular frame.
        match before {
            Some(before) => self.tangential_work_total = before,
            None => self.forces.restart(view.state.step),
        }
        Ok(())
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        tape.reals(&mut self.tangential_work_total);
        self.forces.remember(tape);
        if tape.reads() && tape.fits() { self.frames.resume(at) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.frames.check()
    }
}
