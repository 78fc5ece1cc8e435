//! `run.json`: how a run of a study ended, and of which case. It is written last, so that a run without
//! one has not ended.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::table;
use crate::case::Case;
use crate::error::Error;
use crate::output::hash_of;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It came to its end, and its checks hold.
    Done,
    /// It came to its end, but its certificate is violated.
    Violated,
    /// It did not come to its end.
    Failed,
}

impl Status {
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
    pub status: Status,
    /// Why, where it is not done.
    pub error: Option<String>,
    /// Seconds from its start to its end.
    pub seconds: f64,
    /// What was run.
    pub identity: Identity,
}

/// What a run depends on: where nothing of it changed, the results are those of before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the engine.
    version: String,
    /// The effective case, in TOML.
    case: String,
    /// Of the bytes of its mesh and other files.
    files: String,
}

const NAME: &str = "run.json";

impl Record {
    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let complain = |source| Error::OutputFolder { path: folder.into(), source };
        std::fs::create_dir_all(folder).map_err(complain)?;
        let text =
            serde_json::to_string_pretty(self).map_err(|error| Error::Check(error.to_string()))?;
        table::write(folder, NAME, format!("{text}\n").as_bytes())
    }

    /// That of a run of `identity`; none where the run has not ended, was another one or has lost its summary.
    pub(super) fn read(folder: &Path, identity: &Identity) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join(NAME)).ok()?;
        let record: Self = serde_json::from_str(&text).ok()?;
        let whole = record.status == Status::Failed || folder.join("summary.json").is_file();
        (whole && record.identity == *identity).then_some(record)
    }

    /// Forgets how the run ended before.
    pub(super) fn remove(folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Write { path, source })
            }
            Ok(()) | Err(_) => Ok(()),
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
        let complain = |error: toml::ser::Error| Error::Usage(error.to_string());
        let text = toml::to_string(&case.effective()?).map_err(complain)?;
        let mut files = Vec::new();
        for (_, path) in case.files() {
            files.push(format!("{:016x}", self.of(&path)?));
        }
        let version = env!("CARGO_PKG_VERSION").into();
        Ok(Identity { version, case: text, files: files.join(" ") })
    }

    fn of(&mut self, path: &Path) -> Result<u64, Error> {
        if let Some(&hash) = self.seen.get(path) {
            return Ok(hash);
        }
        let bytes =
            std::fs::read(path).map_err(|source| Error::Read { path: path.into(), source })?;
        let hash = hash_of(&bytes);
        self.seen.insert(path.into(), hash);
        Ok(hash)
    }
}
