//! `started.json`: a summary of the first moment, there from the start of a run up to its `summary.json`, so that the
//! folder can be read meanwhile, and after a run that never came to its end.

use std::fmt;
use std::io;
use std::path::Path;

use super::{ResultsFolder, Summary};
use crate::error::Error;

/// Name of the file.
pub const STARTED: &str = "started.json";

/// Why a run has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A run writes into the folder.
    Going,
    /// It stopped when it was asked to, and wrote its summary.
    Interrupted,
    /// It was killed, or it failed.
    Ended,
}

/// How far a run came that has not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Why.
    pub standing: Standing,
    /// Steps that its files tell of.
    pub step: usize,
    /// Steps in all.
    pub steps: usize,
    /// Whether there is a checkpoint.
    pub resumable: bool,
}

impl Unfinished {
    /// The file that says what was run.
    pub fn told_by(&self) -> &'static str {
        match self.standing {
            Standing::Interrupted => "summary.json",
            Standing::Going | Standing::Ended => STARTED,
        }
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { standing, step, steps, resumable } = *self;
        let what = match standing {
            Standing::Going => "is still going",
            Standing::Interrupted => "was interrupted",
            Standing::Ended => "has not finished",
        };
        write!(f, "the run {what}: {step} of {steps} steps")?;
        match standing {
            Standing::Going => Ok(()),
            _ if resumable => {
                f.write_str("; go on with it: delassus run CASE --resume, with its --out and --set")
            }
            _ => f.write_str("; run the case again"),
        }
    }
}

impl Summary {
    /// Reads that of a results folder, or what its run wrote at the start where it has not finished; then also why.
    pub fn read_in(folder: &Path) -> Result<(Self, Option<Unfinished>), Error> {
        // The first file goes when the second is there: one that ends between the two looks is seen in the third.
        for name in ["summary.json", STARTED, "summary.json"] {
            let summary = match Self::read(&folder.join(name)) {
                Err(Error::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                    continue;
                }
                summary => summary?,
            };
            let unfinished = match (summary.finished, name) {
                (true, "summary.json") => None,
                (false, "summary.json") => Some(Standing::Interrupted),
                _ if ResultsFolder::at(folder).is_being_written() => Some(Standing::Going),
                _ => Some(Standing::Ended),
            };
            let unfinished = unfinished.map(|standing| summary.unfinished(folder, standing));
            return Ok((summary, unfinished.transpose()?));
        }
        Err(no_summary(folder))
    }

    fn unfinished(&self, folder: &Path, standing: Standing) -> Result<Unfinished, Error> {
        let steps = (self.scheme.end / self.scheme.step).round() as usize;
        let resumable = !ResultsFolder::at(folder).checkpoints()?.is_empty();
        Ok(Unfinished { standing, step: self.counts.steps, steps, resumable })
    }
}

fn no_summary(folder: &Path) -> Error {
    let refuse =
        |path: &Path, message: &str| Error::Results { path: path.into(), message: message.into() };
    if folder.join("history.csv").exists() {
        let message =
            "there is none beside history.csv: the run did not finish; run the case again";
        refuse(&folder.join("summary.json"), message)
    } else if folder.is_dir() {
        refuse(folder, "there is no summary.json in it; give the results folder of a run")
    } else {
        let what = if folder.exists() { "it is a file" } else { "there is no such folder" };
        refuse(folder, &format!("{what}; give the results folder of a run"))
    }
}
