//! `contacts.pvd` and its frames: the contact points alone, where they are, ready for glyphs. Candidates stand first, and
//! are the same in all frames; behind them are the contacts between bodies that the last step found.

use super::contact_forces::ContactForces;
use super::frames::FrameWriter;
use super::pair_sums::PairSums;
use super::vtu::{Field, Grid, VtuFrame};
use super::{Cadence, Moment, Recorder, ResultsFolder, View};
use crate::contact::{Grip, Status};
use crate::energy::{ContactWork, Term};
use crate::error::Error;
use crate::step::Problem;
use crate::tape::Tape;
use crate::units::Dimension;
use crate::vector::times;

/// VTK's number for a cell of one point.
const VERTEX: u8 = 1;

/// Writes a frame of all contacts every so many steps, and the last step.
pub struct ContactPoints {
    frames: FrameWriter,
    units: String,
    forces: ContactForces,
    pairs: PairSums,
    arrays: ContactArrays,
    /// Tangential work of each candidate at the last frame.
    work_before: Vec<f64>,
}

/// One contact.
#[derive(Clone, Copy, Debug, Default)]
struct ContactPointRow {
    place: [f64; 3],
    impulse: [f64; 3],
    force: [f64; 3],
    force_mean: [f64; 3],
    pressure: f64,
    pressure_mean: f64,
    area: f64,
    normal: [f64; 3],
    gap: f64,
    status: i32,
    set: i32,
    /// Numbers of the two bodies; −1 for what is no rigid body.
    bodies: [i32; 2],
    /// Of the last step.
    work: ContactWork,
    tangential_work: f64,
    /// Since the start, or since two bodies met there.
    total: ContactWork,
}

/// All of them, array by array.
#[derive(Debug, Default)]
struct ContactArrays {
    points: Vec<[f64; 3]>,
    /// In the order of [`VECTORS`], [`SCALARS`] and [`NUMBERS`].
    vectors: [Vec<f64>; VECTORS.len()],
    scalars: [Vec<f64>; SCALARS.len()],
    numbers: [Vec<i32>; NUMBERS.len()],
}

const VECTORS: [(&str, Option<Dimension>); 4] = [
    ("impulse", Some(Dimension::Impulse)),
    ("force", Some(Dimension::Force)),
    ("force_mean", Some(Dimension::Force)),
    ("normal", None),
];

const SCALARS: [(&str, Dimension); 9] = [
    ("pressure", Dimension::Pressure),
    ("pressure_mean", Dimension::Pressure),
    ("area", Dimension::Area),
    ("gap", Dimension::Length),
    ("step_normal_work", Dimension::Energy),
    ("step_tangential_work", Dimension::Energy),
    ("tangential_work", Dimension::Energy),
    ("tangential_work_total", Dimension::Energy),
    ("normal_work_total", Dimension::Energy),
];

const NUMBERS: [&str; 4] = ["status", "contact_set", "body_1", "body_2"];

impl ContactArrays {
    fn clear(&mut self) {
        self.points.clear();
        self.vectors.iter_mut().chain(&mut self.scalars).for_each(Vec::clear);
        self.numbers.iter_mut().for_each(Vec::clear);
    }

    fn push(&mut self, row: &ContactPointRow) {
        self.points.push(row.place);
        let vectors = [row.impulse, row.force, row.force_mean, row.normal];
        self.vectors.iter_mut().zip(vectors).for_each(|(array, vector)| array.extend(vector));
        let scalars = [
            row.pressure,
            row.pressure_mean,
            row.area,
            row.gap,
            row.work[Term::Normal],
            row.work[Term::Tangential],
            row.tangential_work,
            row.total[Term::Tangential],
            row.total[Term::Normal],
        ];
        self.scalars.iter_mut().zip(scalars).for_each(|(array, scalar)| array.push(scalar));
        let numbers = [row.status, row.set, row.bodies[0], row.bodies[1]];
        self.numbers.iter_mut().zip(numbers).for_each(|(array, number)| array.push(number));
    }

    fn fields(&self) -> Vec<Field<'_>> {
        let vectors = VECTORS.iter().zip(&self.vectors).map(|(&(name, dimension), values)| {
            let field = Field::vector(name, values);
            dimension.map_or(field, |dimension| field.of(dimension))
        });
        let scalars = SCALARS.iter().zip(&self.scalars);
        let scalars =
            scalars.map(|(&(name, dimension), values)| Field::scalar(name, values).of(dimension));
        let numbers = NUMBERS.iter().zip(&self.numbers);
        vectors
            .chain(scalars)
            .chain(numbers.map(|(name, values)| Field::integer(name, values)))
            .collect()
    }
}

impl ContactPoints {
    /// Frames of the steps of a cadence, of candidates with these shares of the contact surface.
    pub fn create(
        folder: &ResultsFolder,
        areas: &[f64],
        units: &str,
        cadence: Cadence,
    ) -> Result<Self, Error> {
        Ok(Self {
            frames: FrameWriter::create(folder, "contacts", cadence)?,
            units: units.into(),
            forces: ContactForces::new(areas),
            pairs: PairSums::default(),
            arrays: ContactArrays::default(),
            work_before: vec![0.0; areas.len()],
        })
    }

    fn gather(&mut self, view: &View) {
        self.arrays.clear();
        let (candidates, pairs) = (view.problem.contacts.len(), view.contact.pairs.len());
        let mut works = view.contact.active.iter().zip(&view.contact.work).peekable();
        for c in 0..candidates + pairs {
            let work = works.next_if(|(active, _)| **active as usize == c).map(|(_, work)| *work);
            let own = match c.checked_sub(candidates) {
                None => self.row_of_candidate(c, view),
                Some(pair) => self.row_of_pair(pair, view),
            };
            let impulse = view.contact.frame[c].to_space(view.contact.impulse[c]);
            let status = match view.contact.status[c] {
                Status::Open => 0,
                Status::Stick => 1,
                Status::Slip => 2,
            };
            self.arrays.push(&ContactPointRow {
                impulse,
                status,
                work: work.unwrap_or_default(),
                ..own
            });
        }
    }

    fn row_of_candidate(&mut self, c: usize, view: &View) -> ContactPointRow {
        let (contacts, met) = (&view.problem.contacts, view.problem.contact(c, view.state));
        let (candidate, force) = (&contacts.candidates[c], self.forces.of(c, view));
        let total = view.ledger.contacts()[c].work;
        let before = std::mem::replace(&mut self.work_before[c], total[Term::Tangential]);
        let against = contacts.sets[candidate.set].against.grip();
        ContactPointRow {
            place: met.place,
            force: force.force,
            force_mean: force.force_mean,
            pressure: force.pressure,
            pressure_mean: force.pressure_mean,
            area: self.forces.areas()[c],
            normal: met.frame.normal(),
            gap: met.gap,
            set: candidate.set as i32,
            bodies: [Some(&candidate.grip), against].map(|grip| body_of(view.problem, grip)),
            tangential_work: total[Term::Tangential] - before,
            total,
            ..ContactPointRow::default()
        }
    }

    fn row_of_pair(&self, pair: usize, view: &View) -> ContactPointRow {
        let contact = view.contact;
        let c = view.problem.contacts.len() + pair;
        let (key, set) = contact.pairs[pair];
        let (sum, steps) = (self.pairs.of(pair), self.forces.steps_to(view));
        let h = view.problem.h;
        ContactPointRow {
            place: contact.places[pair],
            force: times(1.0 / h, contact.frame[c].to_space(contact.impulse[c])),
            force_mean: times(1.0 / (h * steps.max(1) as f64), sum.impulse),
            normal: contact.frame[c].normal(),
            gap: contact.gap[c],
            set: set as i32,
            bodies: key.bodies.map(|body| body as i32),
            tangential_work: sum.tangential_work,
            total: *view.ledger.pairs().work_of(pair),
            ..ContactPointRow::default()
        }
    }

    fn write_frame(&mut self, step: usize, time: f64) -> Result<(), Error> {
        let count = self.arrays.points.len() as u32;
        let grid = Grid {
            points: &self.arrays.points,
            connectivity: &(0..count).collect::<Vec<_>>(),
            offsets: &(0..=count).collect::<Vec<_>>(),
            cell_types: &vec![VERTEX; count as usize],
        };
        let point_data = &self.arrays.fields()[..];
        let frame = VtuFrame { time, units: &self.units, point_data, cell_data: &[] };
        self.frames.write(step, &grid, &frame)
    }
}

/// The number of the rigid body that a point belongs to; −1 where it is none.
fn body_of(problem: &Problem, grip: Option<&Grip>) -> i32 {
    let node = grip.and_then(Grip::node);
    let body = node.and_then(|node| problem.rigid.binary_search(&node).ok());
    body.map_or(-1, |body| body as i32)
}

impl Recorder for ContactPoints {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        self.forces.enter(view);
        self.pairs.enter(view);
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
            None => {
                self.forces.restart(view.state.step);
                self.pairs.restart();
            }
        }
        Ok(())
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        tape.reals(&mut self.work_before);
        self.forces.remember(tape);
        self.pairs.remember(tape);
        if tape.reads() && tape.fits() { self.frames.resume(at) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.frames.check()
    }
}
