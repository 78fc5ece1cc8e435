//! `obstacles.pvd` and its frames: the surfaces of obstacles, where they are.

use super::frames::FrameWriter;
use super::vtu::{Field, Grid, VtuFrame};
use super::{Cadence, Moment, Recorder, ResultsFolder, View};
use crate::assembly::Body;
use crate::contact::Contacts;
use crate::contact::obstacle::{Obstacle, Room};
use crate::error::Error;
use crate::rigid::Scene;
use crate::tape::Tape;
use crate::units::Dimension;

/// Share of the size of the bodies that endless obstacles are drawn to, from their middle.
const REACH: f64 = 0.75;

/// Writes a frame of all obstacles every so many steps, and the last step.
pub struct Obstacles<'a> {
    frames: FrameWriter,
    units: String,
    body: &'a Body<'a>,
    scene: &'a Scene,
    contacts: &'a Contacts,
    /// How far endless ones are drawn; known from the first frame on.
    reach: Option<f64>,
    picture: DrawnObstacle,
}

/// All of them at one time.
#[derive(Default)]
struct DrawnObstacle {
    points: Vec<[f64; 3]>,
    velocity: Vec<f64>,
    connectivity: Vec<u32>,
    offsets: Vec<u32>,
    cell_types: Vec<u8>,
    set: Vec<i32>,
}

impl<'a> Obstacles<'a> {
    /// Frames of the steps of a cadence.
    pub fn create(
        folder: &ResultsFolder,
        (body, scene): (&'a Body<'a>, &'a Scene),
        contacts: &'a Contacts,
        units: &str,
        cadence: Cadence,
    ) -> Result<Self, Error> {
        Ok(Self {
            frames: FrameWriter::create(folder, "obstacles", cadence)?,
            units: units.into(),
            body,
            scene,
            contacts,
            reach: None,
            picture: DrawnObstacle::default(),
        })
    }

    /// Numbers of the contact sets that have an obstacle, and the obstacle.
    pub fn of(contacts: &Contacts) -> impl Iterator<Item = (usize, &Obstacle)> {
        let sets = contacts.sets.iter().enumerate();
        sets.filter_map(|(set, contact)| Some((set, contact.against.obstacle()?)))
    }

    /// Where all bodies are.
    fn room(&mut self, view: &View) -> Room {
        let d = view.problem.dofs.dimension;
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut include = |x: [f64; 3]| {
            for i in 0..3 {
                (low[i], high[i]) = (low[i].min(x[i]), high[i].max(x[i]));
            }
        };
        let nodes = self.body.mesh.points[..self.scene.mesh_nodes].iter();
        for (point, moved) in nodes.zip(view.state.q.chunks_exact(d)) {
            include([0, 1, 2].map(|i| point[i] + moved.get(i).unwrap_or(&0.0)));
        }
        self.scene.points.iter().for_each(|grip| include(grip.place(d, &view.state.q)));
        let middle = [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
        let reach = *self.reach.get_or_insert_with(|| {
            let size = [0, 1, 2].map(|i| (high[i] - low[i]).powi(2)).iter().sum::<f64>().sqrt();
            // A point alone has no size but its distance.
            let gaps = (0..self.contacts.len()).map(|c| view.problem.contact(c, view.state).gap);
            let apart = gaps.fold(0.0, |m: f64, gap| m.max(gap.abs()));
            REACH
                * if size > 0.0 {
                    size
                } else if apart > 0.0 {
                    2.0 * apart
                } else {
                    1.0
                }
        });
        Room { middle, reach }
    }

    fn gather(&mut self, view: &View) {
        let room = self.room(view);
        let mut drawn = DrawnObstacle { offsets: vec![0], ..DrawnObstacle::default() };
        for (set, obstacle) in Self::of(self.contacts) {
            let pose = &view.state.poses[set];
            let picture = obstacle.picture(&room, pose);
            let first = drawn.points.len() as u32;
            for piece in &picture.pieces {
                drawn.connectivity.extend(piece.iter().map(|point| first + point));
                drawn.offsets.push(drawn.connectivity.len() as u32);
                drawn.cell_types.push(vtk_type(piece.len()));
                drawn.set.push(set as i32);
            }
            let velocities = picture.points.iter().map(|&x| obstacle.velocity_at(x, pose));
            drawn.velocity.extend(velocities.flatten());
            drawn.points.extend(picture.points);
        }
        self.picture = drawn;
    }

    fn write_frame(&mut self, step: usize, time: f64) -> Result<(), Error> {
        let drawn = &self.picture;
        let grid = Grid {
            points: &drawn.points,
            connectivity: &drawn.connectivity,
            offsets: &drawn.offsets,
            cell_types: &drawn.cell_types,
        };
        let frame = VtuFrame {
            time,
            units: &self.units,
            point_data: &[Field::vector("velocity", &drawn.velocity).of(Dimension::Velocity)],
            cell_data: &[Field::integer("contact_set", &drawn.set)],
        };
        self.frames.write(step, &grid, &frame)
    }
}

/// VTK's number for a line, a triangle or a quadrangle.
fn vtk_type(points: usize) -> u8 {
    match points {
        2 => 3,
        3 => 5,
        _ => 9,
    }
}

impl Recorder for Obstacles<'_> {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        if !self.frames.wants(view.state.step) {
            return Ok(());
        }
        self.gather(view);
        self.write_frame(view.state.step, view.state.time)
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        let mut reach = self.reach.unwrap_or(0.0);
        tape.real(&mut reach);
        self.reach = Some(reach);
        if tape.reads() && tape.fits() { self.frames.resume(at) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.frames.check()
    }
}
