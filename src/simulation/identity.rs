//! What a run is: its case, its files and the version, to be told from another.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::case::{Case, Change, changes};
use crate::error::Error;
use crate::output::{CaseSummary, Summary, hash_of};
use crate::tape::Tape;

/// Keys that may be others when a run goes on: none of them changes a step that was taken.
const FREE_KEYS: [&str; 5] =
    ["output.checkpoint_every", "scheme.end", "scheme.on_violation", "solver.memory", "title"];

/// In the place of the hash of a file that cannot be read.
const UNREADABLE: u64 = 0;

/// What a run depends on: where nothing of it changed, the results are those of before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the engine.
    version: String,
    /// The case with its overrides, as TOML.
    case: String,
    /// Those that the case names.
    files: Vec<FileHash>,
}

/// A file of a case: its key, and the hash of its bytes. As text `KEY=HASH`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct FileHash {
    key: String,
    hash: u64,
}

impl From<FileHash> for String {
    fn from(FileHash { key, hash }: FileHash) -> Self {
        format!("{key}={hash:016x}")
    }
}

impl TryFrom<String> for FileHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = text.rsplit_once('=');
        let known = parts.and_then(|(key, hash)| {
            Some(Self { key: key.into(), hash: u64::from_str_radix(hash, 16).ok()? })
        });
        known.ok_or_else(|| format!("'{text}' is not KEY=HASH"))
    }
}

/// Hash of the bytes of a file. One that cannot be read is the fault of its key, which its reader names; a pipe can be
/// read only once.
fn hash_of_file(path: &Path) -> u64 {
    let bytes = if path.is_file() { std::fs::read(path).ok() } else { None };
    bytes.map_or(UNREADABLE, |bytes| hash_of(&bytes))
}

impl Identity {
    /// Of a case and its files as they are.
    ///
    /// # Errors
    /// A case that cannot be written as TOML.
    pub fn of(case: &Case) -> Result<Self, Error> {
        Self::with_hashes(case, |path| Ok(hash_of_file(path)))
    }

    /// Of a case whose files have these hashes.
    pub(crate) fn with_hashes(
        case: &Case,
        mut hash_of: impl FnMut(&Path) -> Result<u64, Error>,
    ) -> Result<Self, Error> {
        let files = case.files().into_iter().map(|(key, path)| {
            let hash = hash_of(&path)?;
            Ok::<_, Error>(FileHash { key, hash })
        });
        let files = files.collect::<Result<_, _>>()?;
        let version = env!("CARGO_PKG_VERSION").into();
        Ok(Self { version, case: case.effective()?.to_string(), files })
    }

    /// Of a run that left this summary.
    pub(super) fn of_summary(summary: &Summary) -> Result<Self, Error> {
        let CaseSummary { file, text, overrides, files, .. } = &summary.case;
        let case = Case::from_text(Path::new(file), text.clone(), overrides)?;
        Ok(Self {
            version: summary.version.clone(),
            case: case.effective()?.to_string(),
            files: files.iter().filter_map(|text| text.clone().try_into().ok()).collect(),
        })
    }

    /// Hash of each file that the case names, by its key, as text.
    pub(super) fn hashes(&self) -> Vec<String> {
        self.files.iter().cloned().map(String::from).collect()
    }

    /// The first file of the case that is no longer what it was: its key and its path.
    pub fn changed_file(&self, case: &Case) -> Option<(String, PathBuf)> {
        let mut files = case.files().into_iter().zip(&self.files);
        files.find(|((_, path), before)| hash_of_file(path) != before.hash).map(|(file, _)| file)
    }

    /// Passes over it.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.text(&mut self.version);
        tape.text(&mut self.case);
        tape.list(&mut self.files, |tape, file| {
            tape.text(&mut file.key);
            tape.count(&mut file.hash);
        });
    }

    /// What keeps a run that was `before` from being gone on with as `self`; nothing where nothing does.
    pub(super) fn objection(&self, before: &Self) -> Option<String> {
        if before.version != self.version {
            return Some(format!(
                "it was written by delassus {}, and this is {}; go on with that version, or run the case \
                 again without --resume",
                before.version, self.version
            ));
        }
        let table = |text: &str| toml::from_str(text).unwrap_or_default();
        let mut found: Vec<String> = changes(&table(&before.case), &table(&self.case))
            .into_iter()
            .filter(|change| !FREE_KEYS.contains(&change.key.as_str()))
            .map(in_words)
            .collect();
        for FileHash { key, hash } in &self.files {
            if before.files.iter().any(|was| was.key == *key && was.hash != *hash) {
                let what = match *hash {
                    UNREADABLE => "the file cannot be read",
                    _ => "what the file holds is not what it was",
                };
                found.push(format!("{key}: {what}"));
            }
        }
        (!found.is_empty()).then(|| {
            format!(
                "the case is not what it was: {}; take that back, or run the case again without --resume",
                found.join("; ")
            )
        })
    }
}

fn in_words(Change { key, before, now }: Change) -> String {
    let value = |value: Option<String>| value.unwrap_or("not set".into());
    format!("{key}: {} then, {} now", value(before), value(now))
}
