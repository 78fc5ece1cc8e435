//! Checkpoints: what a run is, how far it is, and all that its next step needs.

use std::path::Path;

use super::Observer;
use super::records::Records;
use crate::case::{Case, Change, changes};
use crate::error::Error;
use crate::output::{CaseSummary, ResultsFolder, Summary, Unsealed, hash_of, unseal};
use crate::tape::Tape;

/// Keys that may be others when a run goes on: none of them changes a step that was taken.
const FREE_KEYS: [&str; 5] =
    ["output.checkpoint_every", "scheme.end", "scheme.on_violation", "solver.memory", "title"];

/// In the place of the hash of a file that cannot be read.
const UNREADABLE: u64 = 0;

/// What was run, to be told from what is to be gone on with.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    /// Version of the engine.
    version: String,
    /// The case with its overrides, as TOML.
    case: String,
    /// Hash of each file that the case names, by its key.
    files: Vec<(String, u64)>,
}

impl Identity {
    pub fn of(case: &Case) -> Result<Self, Error> {
        let mut files = Vec::new();
        for (key, path) in case.files() {
            // One that cannot be read is the fault of its key, which its reader names; a pipe can be read only once.
            let bytes = if path.is_file() { std::fs::read(&path).ok() } else { None };
            let hash = bytes.map_or(UNREADABLE, |bytes| hash_of(&bytes));
            files.push((key, hash));
        }
        let version = env!("CARGO_PKG_VERSION").into();
        Ok(Self { version, case: case.effective()?.to_string(), files })
    }

    /// Of a run that left this summary.
    pub fn of_summary(summary: &Summary) -> Result<Self, Error> {
        let CaseSummary { file, text, overrides, files, .. } = &summary.case;
        let case = Case::from_text(Path::new(file), text.clone(), overrides)?;
        let known = |text: &String| {
            let (key, hash) = text.rsplit_once('=')?;
            Some((key.to_string(), u64::from_str_radix(hash, 16).ok()?))
        };
        Ok(Self {
            version: summary.version.clone(),
            case: case.effective()?.to_string(),
            files: files.iter().filter_map(known).collect(),
        })
    }

    /// Hash of each file that the case names, by its key, as text.
    pub fn hashes(&self) -> Vec<String> {
        self.files.iter().map(|(key, hash)| format!("{key}={hash:016x}")).collect()
    }

    /// An error where a file is no longer what it was before it was read.
    pub fn check_unchanged(&self, case: &Case) -> Result<(), Error> {
        let now = Self::of(case)?;
        let changed = self.files.iter().zip(&now.files).zip(case.files());
        match changed.into_iter().find(|((before, now), _)| before != now) {
            Some((_, (_, path))) => {
                let what = "it was changed as it was being read; run the case again";
                Err(Error::Disturbed { path, what })
            }
            None => Ok(()),
        }
    }

    /// Passes over it.
    pub fn keep(&mut self, tape: &mut Tape) {
        tape.text(&mut self.version);
        tape.text(&mut self.case);
        tape.list(&mut self.files, |tape, (key, hash)| {
            tape.text(key);
            tape.count(hash);
        });
    }

    /// What keeps a run that was `before` from being gone on with as `self`; nothing where nothing does.
    pub fn objection(&self, before: &Self) -> Option<String> {
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
        for (key, hash) in &self.files {
            if before.files.iter().any(|(other, was)| other == key && was != hash) {
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

/// A checkpoint that can be gone on from.
pub(super) struct Checkpoint {
    /// Steps taken.
    pub step: usize,
    /// What follows the identity.
    pub tape: Tape,
}

impl Checkpoint {
    /// The newest good one in a folder, before the step `before`, whose files are there; none where there is none
    /// at all.
    pub fn newest(
        case: &Case,
        out: &Path,
        before: usize,
        observer: &mut dyn Observer,
    ) -> Result<Option<Self>, Error> {
        let folder = ResultsFolder::at(out);
        let mut steps = if out.is_dir() { folder.checkpoints()? } else { Vec::new() };
        steps.retain(|&step| step < before);
        let mut gone = None;
        for &step in &steps {
            let path = folder.checkpoint(step);
            let refuse = |message: String| Error::Results { path: path.clone(), message };
            let file = std::fs::read(&path)
                .map_err(|source| Error::Read { path: path.clone(), source })?;
            match unseal(file) {
                Ok(bytes) => {
                    let checkpoint = Self::open(case, step, bytes).map_err(refuse)?;
                    let Some(missing) = Records::missing(case, out, step) else {
                        return Ok(Some(checkpoint));
                    };
                    observer.notice(&format!(
                        "{} counts on {}, which is gone",
                        path.display(),
                        missing.display()
                    ));
                    gone = Some(missing);
                }
                Err(Unsealed::OtherFormat(format)) => {
                    return Err(refuse(format!(
                        "it has format {format}, which this version of delassus does not read; go on with \
                         the version that wrote it, or run the case again without --resume"
                    )));
                }
                Err(Unsealed::Damaged(what)) => {
                    observer.notice(&format!("{} is damaged: {what}", path.display()));
                }
            }
        }
        let (path, message) = match gone {
            _ if steps.is_empty() => return Ok(None),
            Some(path) => (
                path,
                "it is gone, and no checkpoint is older; put it back, or run the case again without --resume",
            ),
            None => (out.into(), "no checkpoint is whole; run the case again without --resume"),
        };
        Err(Error::Results { path, message: message.into() })
    }

    /// Of the bytes under the seal, or why not.
    fn open(case: &Case, step: usize, bytes: Vec<u8>) -> Result<Self, String> {
        let now = Identity::of(case).map_err(|error| error.to_string())?;
        let mut tape = Tape::of(bytes);
        let mut before = Identity::default();
        before.keep(&mut tape);
        match now.objection(&before) {
            Some(objection) => Err(objection),
            None if step > case.scheme.steps => Err(format!(
                "it is of step {step}, beyond scheme.end, which is step {}; give a larger scheme.end",
                case.scheme.steps
            )),
            None => Ok(Self { step, tape }),
        }
    }
}
