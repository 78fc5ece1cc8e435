//! A results folder read back as plain data, checked before it is believed: summary, history, trajectory,
//! contacts, frames.

mod contacts;
mod frames;
mod series;
mod tags;
mod vtu;

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::output::Summary;
use crate::units::Units;
pub use contacts::{ContactRow, Contacts};
pub use frames::Frames;
pub use series::{BALANCE, Columns, DISSIPATION, Series};
pub use vtu::{Array, FrameData};

/// What a run that came to its end left behind.
#[derive(Clone, Debug)]
pub struct Results {
    /// The folder.
    pub folder: PathBuf,
    /// `summary.json`.
    pub summary: Summary,
    /// `history.csv` and `trajectory.csv`.
    pub series: Series,
    /// `contacts.csv`.
    pub contacts: Contacts,
}

impl Results {
    /// Reads all but the frames.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let summary = Summary::read_in(folder)?;
        let series = match summary.counts.history_every {
            0 => Series::read_without_history(folder)?,
            _ => Series::read(folder)?,
        };
        let contacts = Contacts::read(&folder.join("contacts.csv"))?;
        Ok(Self { folder: folder.into(), summary, series, contacts })
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
