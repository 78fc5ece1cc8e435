//! A results folder read back as plain data, checked before it is believed: summary, history, trajectory,
//! contacts, frames.

mod contacts;
mod frames;
mod series;
mod tags;
mod vtu;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::energy::Term;
use crate::error::Error;
use crate::output::{Standing, Summary, Unfinished};
use crate::units::Units;
pub use contacts::{CandidateList, ContactRow};
pub use frames::Frames;
use series::RowsRead;
pub use series::{BALANCE, Columns, DISSIPATION, Series};
pub use vtu::{Array, FrameData};

/// What a run left behind, or has left so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// `summary.json`; of a run without one what it wrote at its start, with steps and energies of its last row.
    pub summary: Summary,
    /// How far it came, where it has not finished.
    pub unfinished: Option<Unfinished>,
    /// `history.csv` and `trajectory.csv`.
    pub series: Series,
    /// `contacts.csv`.
    pub contacts: CandidateList,
}

impl Results {
    /// Reads all but the frames.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let (summary, unfinished) = Summary::read_in(folder)?;
        let rows = match unfinished {
            None => RowsRead::All,
            Some(_) => RowsRead::SoFar,
        };
        let series = match summary.counts.history_every {
            0 => Series::read_without_history(folder, rows)?,
            _ => Series::read_rows(folder, rows)?,
        };
        let contacts = CandidateList::default();
        let mut results = Self { folder: folder.into(), summary, unfinished, series, contacts };
        if results.has_summary() {
            results.contacts = CandidateList::read(&folder.join("contacts.csv"))?;
        } else {
            results.bring_up_to_date()?;
            results.contacts = results.contacts_so_far()?;
        }
        Ok(results)
    }

    /// Whether the run wrote its summary, and with it what each contact did.
    pub fn has_summary(&self) -> bool {
        self.unfinished.is_none_or(|unfinished| unfinished.standing == Standing::Interrupted)
    }

    /// Steps and energies of the summary become those of the last row.
    fn bring_up_to_date(&mut self) -> Result<(), Error> {
        let history = &self.series.history;
        let trajectory = self.series.trajectory.as_ref().and_then(|columns| columns.step.last());
        let frame = match self.field_frames()? {
            Some(frames) => {
                frames.times().last().map(|time| (time / self.summary.scheme.step).round())
            }
            None => None,
        };
        let step = history.step.last().or(trajectory).copied().or(frame).unwrap_or(0.0) as usize;
        let now = |name: &str| history.get(name).and_then(|values| values.last()).copied();
        let under: Option<BTreeMap<_, _>> =
            Term::columns().map(|column| Some((column, now(column)?))).collect();
        self.summary.counts.steps = step;
        if let Some(under) = under {
            self.summary.energies = self.summary.energies.at_end(&under);
        }
        self.unfinished = self.unfinished.map(|unfinished| Unfinished { step, ..unfinished });
        Ok(())
    }

    /// The contact points of the first frame, and what they did up to the last one.
    fn contacts_so_far(&self) -> Result<CandidateList, Error> {
        let Some(frames) = self.contact_frames()? else { return Ok(CandidateList::default()) };
        let (first, last) = (frames.load(0)?, frames.load(frames.len() - 1)?);
        let names: Vec<&str> =
            self.summary.scheme.contacts.iter().map(|contact| contact.name.as_str()).collect();
        let contacts = CandidateList::of_frames(&first, &last, &names);
        contacts.ok_or_else(|| {
            let message = "it is not of the contacts of the case; run the case again";
            frames.complaint(0, message.into())
        })
    }

    /// The frames of the contact points, where there are any.
    pub fn contact_frames(&self) -> Result<Option<Frames>, Error> {
        self.frames("contacts.pvd")
    }

    /// The frames of the body, where there are any.
    pub fn field_frames(&self) -> Result<Option<Frames>, Error> {
        self.frames("fields.pvd")
    }

    fn frames(&self, name: &str) -> Result<Option<Frames>, Error> {
        if !self.folder.join(name).exists() {
            return Ok(None);
        }
        Ok(Some(Frames::read(&self.folder, name)?).filter(|frames| !frames.is_empty()))
    }

    /// The units of its numbers, where they are known ones.
    pub fn units(&self) -> Option<Units> {
        Units::parse(&self.summary.case.units)
    }
}
