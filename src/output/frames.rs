//! A series of `.vtu` frames and the `.pvd` that lists them.

use std::path::PathBuf;

use super::vtu::{Frame, Grid, write_vtu};
use super::{Collection, Moment, ResultsFolder};
use crate::error::Error;

/// Which steps have a frame: those that `every` divides, and `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cadence {
    /// Steps between frames.
    pub every: usize,
    /// The last step.
    pub last: usize,
}

/// The frames `NAME/step_STEP.vtu` and their list `NAME.pvd`.
pub(super) struct Frames {
    folder: ResultsFolder,
    name: &'static str,
    cadence: Cadence,
    collection: Collection,
}

impl Frames {
    /// None yet.
    pub fn create(
        folder: &ResultsFolder,
        name: &'static str,
        cadence: Cadence,
    ) -> Result<Self, Error> {
        let frames = folder.file(name);
        std::fs::create_dir_all(&frames)
            .map_err(|source| Error::Write { path: frames.clone(), source })?;
        Ok(Self { folder: folder.clone(), name, cadence, collection: Collection::new() })
    }

    /// Whether a step has a frame.
    pub fn wants(&self, step: usize) -> bool {
        self.is_regular(step) || step == self.cadence.last
    }

    /// Whether a run that goes on further has that frame too.
    pub fn is_regular(&self, step: usize) -> bool {
        step.is_multiple_of(self.cadence.every)
    }

    /// Writes the frame of a step and lists it.
    pub fn write(&mut self, step: usize, grid: &Grid, frame: &Frame) -> Result<(), Error> {
        let file = self.file_of(step);
        let path = self.folder.file(&file);
        write_vtu(&path, grid, frame).map_err(|source| Error::Write { path, source })?;
        self.collection.push(frame.time, file);
        self.write_list()
    }

    /// Goes on from a moment: later frames are removed, and the list is made anew.
    pub fn resume(&mut self, Moment { step, h }: Moment) -> Result<(), Error> {
        let known = self.known_files()?;
        let mut kept: Vec<usize> = (0..=step).step_by(self.cadence.every).collect();
        kept.extend((self.wants(step) && !self.is_regular(step)).then_some(step));
        if let Some(missing) = kept.iter().find(|step| known.iter().all(|(s, _)| s != *step)) {
            let path = self.folder.file(&self.file_of(*missing));
            let message = "this frame was there when the checkpoint was written, and is gone; run the case again \
                 without --resume";
            return Err(Error::Results { path, message: message.into() });
        }
        for (of, path) in known {
            let place = self.folder.file(&self.file_of(of));
            // Where the end of the run has another number of digits, so have the names.
            let outcome = match kept.binary_search(&of) {
                Ok(_) if place == path => Ok(()),
                Ok(_) => std::fs::rename(&path, &place),
                Err(_) => std::fs::remove_file(&path),
            };
            outcome.map_err(|source| Error::Write { path, source })?;
        }
        self.collection = Collection::new();
        for of in kept {
            self.collection.push(of as f64 * h, self.file_of(of));
        }
        self.write_list()
    }

    /// Steps and paths of the frames in the folder.
    fn known_files(&self) -> Result<Vec<(usize, PathBuf)>, Error> {
        let path = self.folder.file(self.name);
        let complain = |source| Error::Write { path: path.clone(), source };
        let mut known = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(complain)? {
            let path = entry.map_err(complain)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(".step_") {
                std::fs::remove_file(&path).map_err(complain)?; // of a write that was killed
                continue;
            }
            let digits = name.strip_prefix("step_").and_then(|rest| rest.strip_suffix(".vtu"));
            known.extend(digits.and_then(|digits| digits.parse().ok()).map(|step| (step, path)));
        }
        Ok(known)
    }

    fn file_of(&self, step: usize) -> String {
        let width = self.cadence.last.to_string().len();
        format!("{}/step_{step:0width$}.vtu", self.name)
    }

    fn write_list(&self) -> Result<(), Error> {
        let path = self.folder.file(&format!("{}.pvd", self.name));
        self.collection.write(&path).map_err(|source| Error::Write { path, source })
    }
}
