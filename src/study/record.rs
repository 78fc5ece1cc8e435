//! `run.json`: how a run of a study ended, and of which case. It is written last, so that a run without
//! one has not ended.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Ready, table};
use crate::case::Case;
use crate::error::Error;
use crate::output::{Summary, hash_of};
use crate::simulation::Identity;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It came to its end, and its checks hold.
    Done,
    /// It came to its end, but its certificate is violated.
    Violated,
    /// It did not come to its end.
    Failed,
}

impl RunStatus {
    /// As the table has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Violated => "violated",
            Self::Failed => "failed",
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What it is called.
    pub label: String,
    /// How it ended.
    pub status: RunStatus,
    /// Why, where it is not done.
    pub error: Option<String>,
    /// Seconds from its start to its end.
    pub seconds: f64,
    /// What was run.
    pub identity: Identity,
}

const NAME: &str = "run.json";

/// An error that names the first file of a run's case which is not what it was.
pub(super) fn check_files(run: &Ready) -> Result<(), Error> {
    let Some((key, path)) = run.identity.changed_file(&run.case) else { return Ok(()) };
    // Without its folder, which is another one in another place.
    let name = path.file_name().unwrap_or_default().display();
    Err(Error::Check(format!(
        "{key}: {name} has changed since the study began; take the study again with --resume"
    )))
}

impl Record {
    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let complain = |source| Error::OutputFolder { path: folder.into(), source };
        std::fs::create_dir_all(folder).map_err(complain)?;
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Check(error.to_string()))?;
        table::write(folder, NAME, format!("{text}\n").as_bytes())
    }

    /// That of a run; none where it has not ended, was another one, or is damaged since.
    pub(super) fn read(folder: &Path, run: &Ready) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join(NAME)).ok()?;
        let record: Self = serde_json::from_str(&text).ok()?;
        let same = record.identity == run.identity;
        (same && (record.status == RunStatus::Failed || is_whole(folder, &run.case)))
            .then_some(record)
    }

    /// Forgets how the run ended before, and what is damaged of what it left: the next run could not know
    /// that as a run's.
    pub(super) fn remove(folder: &Path) -> Result<(), Error> {
        let known = std::fs::read_to_string(folder.join(NAME));
        if known.is_ok_and(|text| serde_json::from_str::<Self>(&text).is_ok()) {
            if Summary::read(&folder.join("summary.json")).is_err() {
                remove_file(folder, "summary.json")?;
            }
            for name in ["history.csv", "trajectory.csv", "contacts.csv", "pairs.csv"] {
                if last_line(&folder.join(name)).is_err() {
                    remove_file(folder, name)?;
                }
            }
        }
        remove_file(folder, NAME)
    }
}

/// Removes a file where there is one.
fn remove_file(folder: &Path, name: &str) -> Result<(), Error> {
    let path = folder.join(name);
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(Error::Write { path, source })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether what a run that came to its end has left, and a gathering reads, is there up to the last step.
pub(super) fn is_whole(folder: &Path, case: &Case) -> bool {
    let steps = case.scheme.steps;
    let ended = Summary::read(&folder.join("summary.json"))
        .is_ok_and(|summary| summary.finished && summary.counts.steps == steps);
    let last = |name: &str| last_line(&folder.join(name)).unwrap_or_default();
    let step = steps.to_string();
    let is_full = |name: &str| last(name).split(',').next() == Some(&step);
    ended
        && (case.output.history_every == 0 || is_full("history.csv"))
        && (case.output.trajectory_every == 0 || is_full("trajectory.csv"))
        && !last("contacts.csv").is_empty()
}

/// The last line of a file, however long the file is; an error where the line has no end.
fn last_line(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (length, mut size) = (file.metadata()?.len(), 4096);
    loop {
        file.seek(SeekFrom::Start(length.saturating_sub(size)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let Some(text) = text.strip_suffix('\n') else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        match text.rsplit_once('\n') {
            Some((_, line)) => return Ok(line.into()),
            None if size >= length => return Ok(text.into()),
            None => size *= 2,
        }
    }
}

/// Reads files once, however many runs use them.
#[derive(Default)]
pub(super) struct Fingerprints {
    seen: HashMap<PathBuf, u64>,
}

impl Fingerprints {
    pub fn identity(&mut self, case: &Case) -> Result<Identity, Error> {
        Identity::with_hashes(case, |path| self.of(path))
    }

    fn of(&mut self, path: &Path) -> Result<u64, Error> {
        if let Some(&hash) = self.seen.get(path) {
            return Ok(hash);
        }
        let complain = |source| Error::Read { path: path.into(), source };
        let what = std::fs::metadata(path).map_err(complain)?;
        if !what.is_file() && !what.is_dir() {
            let message = "it is a device or a pipe; give a regular file";
            return Err(complain(io::Error::other(message)));
        }
        let bytes = std::fs::read(path).map_err(complain)?;
        let hash = hash_of(&bytes);
        self.seen.insert(path.into(), hash);
        Ok(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_found_whole_or_not_at_all() {
        let path = std::env::temp_dir().join(format!("delassus_last_{}", std::process::id()));
        let last = |text: &str| {
            std::fs::write(&path, text).unwrap();
            last_line(&path).ok()
        };
        let wide = "7,".repeat(5000);
        assert_eq!(last("step,time\n0,1\n12,2\n").unwrap(), "12,2");
        assert_eq!(last(&format!("step\n{wide}\n")).unwrap(), wide);
        assert_eq!(last(&format!("{wide}\n")).unwrap(), wide);
        assert_eq!([last(""), last("step\n0,"), last("step\n\0\0")], [None, None, None]);
        std::fs::remove_file(&path).unwrap();
        assert!(last_line(&path).is_err());
    }
}
