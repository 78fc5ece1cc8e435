//! `contacts.pvd` and its frames: the contact points alone, where they are, ready for glyphs.

use super::vtu::{Field, Frame, Grid, write_vtu};
use super::{Collection, Recorder, ResultsFolder, View};
use crate::contact::Status;
use crate::error::Error;
use crate::units::Dimension;

/// VTK's number for a cell of one point.
const VERTEX: u8 = 1;

/// Writes a frame of all candidates every so many steps, and the last step.
pub struct ContactPoints {
    folder: ResultsFolder,
    units: String,
    every: usize,
    last_step: usize,
    collection: Collection,
    points: Vec<[f64; 3]>,
    impulse: Vec<f64>,
    normal: Vec<f64>,
    gap: Vec<f64>,
    status: Vec<i32>,
    set: Vec<i32>,
    tangential_work: Vec<f64>,
    tangential_work_total: Vec<f64>,
    normal_work_total: Vec<f64>,
}

impl ContactPoints {
    /// Frames of the steps that `every` divides, and of `last_step`.
    pub fn create(
        folder: &ResultsFolder,
        candidates: usize,
        units: &str,
        (every, last_step): (usize, usize),
    ) -> Result<Self, Error> {
        let frames = folder.file("contacts");
        let complain = |source| Error::Write { path: frames.clone(), source };
        std::fs::create_dir_all(&frames).map_err(complain)?;
        let zeros = || vec![0.0; candidates];
        Ok(Self {
            folder: folder.clone(),
            units: units.into(),
            every,
            last_step,
            collection: Collection::new(),
            points: vec![[0.0; 3]; candidates],
            impulse: vec![0.0; 3 * candidates],
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
            let met = view.problem.encounter(c, view.state);
            let push = view.contact.frame[c].to_space(view.contact.impulse[c]);
            self.points[c] = met.place;
            self.impulse[3 * c..][..3].copy_from_slice(&push);
            self.normal[3 * c..][..3].copy_from_slice(&met.frame.normal());
            self.gap[c] = met.gap;
            self.status[c] = match view.contact.status[c] {
                Status::Open => 0,
                Status::Stick => 1,
                Status::Slip => 2,
            };
            self.set[c] = candidate.set as i32;
            let work = view.ledger.contacts()[c].work;
            self.tangential_work[c] = work.tangential - self.tangential_work_total[c];
            self.tangential_work_total[c] = work.tangential;
            self.normal_work_total[c] = work.normal;
        }
    }

    fn write_frame(&self, file: &str, time: f64) -> Result<(), Error> {
        let count = self.points.len() as u32;
        let grid = Grid {
            points: &self.points,
            connectivity: &(0..count).collect::<Vec<_>>(),
            offsets: &(0..=count).collect::<Vec<_>>(),
            cell_types: &vec![VERTEX; count as usize],
        };
        let frame = Frame {
            time,
            units: &self.units,
            point_data: &[
                Field::vector("impulse", &self.impulse).of(Dimension::Impulse),
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
        let path = self.folder.file(file);
        write_vtu(&path, &grid, &frame).map_err(|source| Error::Write { path, source })
    }
}

impl Recorder for ContactPoints {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        let step = view.state.step;
        if !step.is_multiple_of(self.every) && step != self.last_step {
            return Ok(());
        }
        self.gather(view);
        let width = self.last_step.to_string().len();
        let file = format!("contacts/step_{step:0width$}.vtu");
        self.write_frame(&file, view.state.time)?;
        self.collection.push(view.state.time, file);
        let path = self.folder.file("contacts.pvd");
        self.collection.write(&path).map_err(|source| Error::Write { path, source })
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
