//! Who writes a run down, and where.

use std::path::Path;

use crate::assembly::Body;
use crate::case::Case;
use crate::error::Error;
use crate::output::{ContactPoints, Fields, History, Recorder, ResultsFolder, Trajectory, View};
use crate::rigid::Scene;

/// The results folder and the recorders that the case asks for.
pub(super) struct Records<'a> {
    pub folder: ResultsFolder,
    recorders: Vec<Box<dyn Recorder + 'a>>,
}

impl<'a> Records<'a> {
    /// Makes the folder and opens the recorders of a body and what stands beside it, with so many contact
    /// candidates.
    pub fn open(
        case: &Case,
        out: &Path,
        body: &'a Body<'a>,
        scene: &'a Scene,
        candidates: usize,
    ) -> Result<Self, Error> {
        let folder = ResultsFolder::create(out)?;
        let mut recorders: Vec<Box<dyn Recorder + 'a>> = Vec::new();
        let (every, last) = (case.output, case.scheme.steps);
        if every.history_every > 0 {
            let path = folder.file("history.csv");
            recorders.push(Box::new(History::create(&path, every.history_every, last)?));
        }
        if every.trajectory_every > 0 {
            let path = folder.file("trajectory.csv");
            let trajectory =
                Trajectory::create(&path, every.trajectory_every, last, &scene.tracked)?;
            recorders.push(Box::new(trajectory));
        }
        if every.fields_every > 0 {
            let steps = (every.fields_every, last);
            recorders.push(Box::new(Fields::create(
                &folder,
                body,
                scene,
                candidates,
                &case.units,
                steps,
            )?));
            if candidates > 0 {
                recorders.push(Box::new(ContactPoints::create(
                    &folder,
                    candidates,
                    &case.units,
                    steps,
                )?));
            }
        }
        Ok(Self { folder, recorders })
    }

    pub fn record(&mut self, view: &View) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.record(view))
    }

    /// What was seen goes to disk.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.finish())
    }
}
