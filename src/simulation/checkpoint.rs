//! Checkpoints: how far a run is, and all that its next step needs.

use std::path::Path;

use super::Observer;
use super::identity::Identity;
use super::records::Records;
use crate::case::Case;
use crate::error::Error;
use crate::output::{ResultsFolder, Unsealed, unseal};
use crate::tape::Tape;

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
        before.remember(&mut tape);
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
