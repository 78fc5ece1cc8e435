//! What is drawn of runs: each alone, by the name of a figure, or several in one.
//!
//! A figure that a run has no data for is not an error: [`Lack`] says what to set for it.

mod account;
mod forces;
mod maps;
mod overlay;
pub mod quantities;
mod several;
mod steps;
mod surface;

use crate::error::Error;
use crate::plot::Figure;
use crate::results::{Frames, Results};
pub use overlay::{Runs, capitalised};
pub use several::{labels, overlays};
use surface::{Sole, soles_of};

/// A figure, its name and what to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Name of the figure and of its file.
    pub name: &'static str,
    /// What it shows and what to look at.
    pub caption: String,
    /// The picture.
    pub figure: Figure,
}

/// Why a run has not a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lack {
    /// No history.
    #[error("there is no history; run the case again with output.history_every = 1")]
    History,
    /// No frames of contact points.
    #[error("there are no frames; run the case again with output.fields_every > 0")]
    Frames,
    /// No trajectory.
    #[error(
        "no such column in a trajectory.csv; masses, bodies and probes have some, with output.trajectory_every > 0"
    )]
    Trajectory,
    /// No table of contacts yet.
    #[error("the run has not finished, and has no frames; contacts.csv is written at its end")]
    Unfinished,
    /// No contact.
    #[error("the case has no contact")]
    Contact,
    /// Contacts between bodies alone.
    #[error("bodies touch nothing but each other; pairs.csv has the numbers, forces a picture")]
    Candidates,
    /// No rigid bodies.
    #[error("the case has no rigid bodies")]
    Bodies,
    /// Contacts of a point or two.
    #[error("no contact has three points or more; contacts.csv has the numbers of each")]
    Points,
}

/// Figures that are not there, by what they lack, in words.
pub fn by_lack(lacking: &[(&'static str, Lack)]) -> Vec<(Lack, String)> {
    let mut sorted: Vec<(Lack, Vec<&str>)> = Vec::new();
    for (name, lack) in lacking {
        match sorted.iter_mut().find(|(known, _)| known == lack) {
            Some((_, names)) => names.push(name),
            None => sorted.push((*lack, vec![name])),
        }
    }
    sorted.into_iter().map(|(lack, names)| (lack, names.join(", "))).collect()
}

/// The figures of a single run that are not columns of its trajectory: name and what it shows.
pub const FIGURES: [(&str, &str); 10] = [
    (
        "energy",
        "kinetic, strain, potential and total energy, works, and the balance of all of them",
    ),
    ("balance", "what is left of the energy balance at each step"),
    ("work", "work since the start by kind"),
    ("tangential_work", "largest and most negative tangential work of any contact, step by step"),
    ("contacts", "active contacts, step by step"),
    ("iterations", "iterations and error of the contact solver, step by step"),
    ("spacetime", "open, stick and slip along the surface over time"),
    ("pressure", "contact pressure and shear along the surface over time"),
    ("forces", "forces between rigid bodies at a time: lines as wide as the normal force"),
    ("node_work", "tangential and normal work of each contact node in the whole run"),
];

/// Names of all figures that a single run may have.
pub fn names() -> Vec<&'static str> {
    let known = FIGURES.iter().map(|(name, _)| *name);
    known.chain(quantities::of_trajectories()).collect()
}

/// A run to be drawn: its data, and what its contact points did.
#[derive(Debug)]
pub struct DrawnRun<'a> {
    results: &'a Results,
    frames: Option<Frames>,
    soles: Vec<Sole>,
    /// The time of figures that show one.
    time: Option<f64>,
}

impl<'a> DrawnRun<'a> {
    /// Sorts the contact points along their surfaces.
    pub fn new(results: &'a Results) -> Result<Self, Error> {
        let frames = results.contact_frames()?;
        Ok(Self { results, frames, soles: soles_of(&results.contacts), time: None })
    }

    /// The same, with figures of one time as near to that time as frames are.
    pub fn at(self, time: Option<f64>) -> Self {
        Self { time, ..self }
    }

    /// The figure of that name, or why there is none.
    ///
    /// # Errors
    /// Frames that cannot be read.
    pub fn draw(&self, name: &str) -> Result<Result<Drawing, Lack>, Error> {
        let series = &self.results.series;
        let has_history = !series.history.time.is_empty();
        let from_history = |draw: fn(&DrawnRun) -> Drawing| {
            Ok(if has_history { Ok(draw(self)) } else { Err(Lack::History) })
        };
        match name {
            "energy" => from_history(account::energy),
            "balance" => from_history(account::balance),
            "work" => from_history(account::work),
            "iterations" => from_history(steps::iterations),
            "contacts" => from_history(steps::contacts),
            "tangential_work" if !self.touches() && !self.meets() => Ok(Err(Lack::Contact)),
            "spacetime" | "pressure" | "node_work" if !self.touches() => match self.meets() {
                true => Ok(Err(Lack::Candidates)),
                false => Ok(Err(Lack::Contact)),
            },
            "forces" if self.results.summary.counts.bodies == 0 => Ok(Err(Lack::Bodies)),
            "forces" => forces::forces(self, self.time),
            "tangential_work" => from_history(steps::tangential_work),
            "node_work" if self.soles.is_empty() => Ok(Err(Lack::Unfinished)),
            "node_work" if self.soles.iter().all(|sole| sole.members.len() < 3) => {
                Ok(Err(Lack::Points))
            }
            "node_work" => Ok(Ok(steps::node_work(self))),
            "spacetime" | "pressure" => match self.marks()? {
                Some(marks) if name == "pressure" => Ok(Ok(maps::pressure(self, &marks))),
                Some(marks) => Ok(Ok(maps::spacetime(self, &marks))),
                None => Ok(Err(Lack::Frames)),
            },
            other => Ok(self.trajectory(other)),
        }
    }

    /// Whether there are contacts; before the end of a run only its frames say where.
    fn touches(&self) -> bool {
        let counted = self.results.summary.counts.contact_nodes > 0;
        !self.soles.is_empty() || (self.results.unfinished.is_some() && counted)
    }

    /// Whether rigid bodies may touch each other.
    fn meets(&self) -> bool {
        self.results.summary.counts.meeting_bodies > 0
    }

    /// All figures that the run has, and what the others lack.
    ///
    /// # Errors
    /// Frames that cannot be read.
    #[expect(clippy::type_complexity, reason = "two lists")]
    pub fn draw_all(&self) -> Result<(Vec<Drawing>, Vec<(&'static str, Lack)>), Error> {
        let (mut drawn, mut lacking) = (Vec::new(), Vec::new());
        for name in names() {
            match self.draw(name)? {
                Ok(drawing) => drawn.push(drawing),
                Err(lack) => lacking.push((name, lack)),
            }
        }
        Ok((drawn, lacking))
    }

    /// A quantity of the trajectory.
    fn trajectory(&self, name: &str) -> Result<Drawing, Lack> {
        let label = self.results.summary.case.name.as_str();
        let finished = [(label, &self.results.series)];
        let quantity =
            quantities::all(&finished).into_iter().find(|quantity| quantity.name == name);
        let is_own =
            |quantity: &quantities::Quantity| quantity.file == quantities::File::Trajectory;
        let quantity = quantity.filter(is_own).ok_or(Lack::Trajectory)?;
        let case = &self.results.summary.case;
        let runs = Runs { finished: &finished, title: &case.title, units: &case.units };
        let caption = format!("{} of masses, bodies, probes or contacts", quantity.title);
        let caption = overlay::capitalised(&caption);
        Ok(Drawing { name: quantity.name, caption, figure: runs.figure(&quantity) })
    }

    /// Title of a figure.
    fn title(&self, words: &str) -> String {
        overlay::capitalised(&format!("{}: {words}", self.results.summary.case.title))
    }

    /// A panel over time.
    fn panel(
        &self,
        title: &str,
        words: &str,
        dimension: crate::units::Dimension,
    ) -> crate::plot::Panel {
        let runs = Runs { finished: &[], title: "", units: &self.results.summary.case.units };
        runs.panel(title.into(), words, dimension)
    }
}
