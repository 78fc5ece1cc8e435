//! A series of `.vtu` frames and the `.pvd` that lists them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::vtu::{Grid, VtuFrame, write_vtu};
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

impl Cadence {
    fn wants(&self, step: usize) -> bool {
        step.is_multiple_of(self.every) || step == self.last
    }

    /// All steps with a frame up to one.
    fn up_to(&self, step: usize) -> impl Iterator<Item = usize> {
        let last = step == self.last && !step.is_multiple_of(self.every);
        (0..=step).step_by(self.every).chain(last.then_some(step))
    }

    fn file_of(&self, name: &str, step: usize) -> String {
        let width = self.last.to_string().len();
        format!("{name}/step_{step:0width$}.vtu")
    }

    /// The first frame up to a step that is not in the folder `name` of the results.
    pub fn missing(&self, folder: &ResultsFolder, name: &str, step: usize) -> Option<PathBuf> {
        let known: BTreeSet<usize> =
            known_files(folder, name).into_iter().flatten().filter_map(|(step, _)| step).collect();
        let missing = self.up_to(step).find(|step| !known.contains(step));
        missing.map(|step| folder.file(&self.file_of(name, step)))
    }
}

/// The step of a frame of that name.
pub(super) fn frame_step(name: &str) -> Option<usize> {
    name.strip_prefix("step_")?.strip_suffix(".vtu")?.parse().ok()
}

/// Steps and paths of the frames in a folder; no step for what a write that was killed left there.
fn known_files(folder: &ResultsFolder, name: &str) -> io::Result<Vec<(Option<usize>, PathBuf)>> {
    let mut known = Vec::new();
    for entry in std::fs::read_dir(folder.file(name))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let step = frame_step(&name);
        if step.is_some() || name.starts_with(".step_") {
            known.push((step, path));
        }
    }
    Ok(known)
}

/// The frames `NAME/step_STEP.vtu` and their list `NAME.pvd`.
pub(super) struct FrameWriter {
    folder: ResultsFolder,
    name: &'static str,
    cadence: Cadence,
    collection: Collection,
}

impl FrameWriter {
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
        self.cadence.wants(step)
    }

    /// Whether a run that goes on further has that frame too.
    pub fn is_regular(&self, step: usize) -> bool {
        step.is_multiple_of(self.cadence.every)
    }

    /// Writes the frame of a step and lists it.
    pub fn write(&mut self, step: usize, grid: &Grid, frame: &VtuFrame) -> Result<(), Error> {
        let file = self.file_of(step);
        let path = self.folder.file(&file);
        write_vtu(&path, grid, frame).map_err(|source| Error::Write { path, source })?;
        self.collection.push(frame.time, file);
        self.write_list()
    }

    /// All frames that are listed are there; without one, the run has not been written down.
    pub fn check(&self) -> Result<(), Error> {
        let paths = self.collection.entries().iter().map(|(_, file)| self.folder.file(file));
        match paths.into_iter().find(|path| !path.exists()) {
            Some(path) => Err(Error::Disturbed { path, what: "it was removed" }),
            None => Ok(()),
        }
    }

    /// Goes on from a moment: the list is made anew, and later frames are removed; what is listed is always there.
    pub fn resume(&mut self, Moment { step, h }: Moment) -> Result<(), Error> {
        let complain = |path: &Path, source| Error::Write { path: path.into(), source };
        let known = known_files(&self.folder, self.name)
            .map_err(|source| complain(&self.folder.file(self.name), source))?;
        let steps: BTreeSet<usize> = self.cadence.up_to(step).collect();
        let (kept, later): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(of, _)| of.is_some_and(|of| steps.contains(&of)));
        for (of, path) in kept {
            // Where the end of the run has another number of digits, so have the names.
            let place = self.folder.file(&self.file_of(of.unwrap_or(0)));
            if place != path {
                std::fs::rename(&path, &place).map_err(|source| complain(&path, source))?;
            }
        }
        self.collection = Collection::new();
        for of in steps {
            self.collection.push(of as f64 * h, self.file_of(of));
        }
        self.write_list()?;
        for (_, path) in later {
            std::fs::remove_file(&path).map_err(|source| complain(&path, source))?;
        }
        Ok(())
    }

    fn file_of(&self, step: usize) -> String {
        self.cadence.file_of(self.name, step)
    }

    fn write_list(&self) -> Result<(), Error> {
        let path = self.folder.file(&format!("{}.pvd", self.name));
        self.collection.write(&path).map_err(|source| Error::Write { path, source })
    }
}
