//! Who writes a run down, and where.

use std::path::{Path, PathBuf};

use super::checkpoint::Identity;
use crate::assembly::Body;
use crate::case::Case;
use crate::error::Error;
use crate::output::{
    Cadence, ContactPoints, Fields, History, Moment, Recorder, ResultsFolder, Trajectory, View,
};
use crate::rigid::Scene;
use crate::tape::Tape;

/// The results folder and the recorders that the case asks for.
pub(super) struct Records<'a> {
    pub folder: ResultsFolder,
    /// What was run.
    pub identity: Identity,
    recorders: Vec<Box<dyn Recorder + 'a>>,
}

/// What is written down: a body, what stands beside it, and so many contact candidates.
pub(super) struct Subject<'a> {
    pub body: &'a Body<'a>,
    pub scene: &'a Scene,
    pub candidates: usize,
}

impl<'a> Records<'a> {
    /// Makes the folder and opens the recorders.
    pub fn open(case: &Case, out: &Path, subject: &Subject<'a>) -> Result<Self, Error> {
        let folder = ResultsFolder::create(out)?;
        let mut recorders: Vec<Box<dyn Recorder + 'a>> = Vec::new();
        let (every, last) = (case.output, case.scheme.steps);
        if every.history_every > 0 {
            let path = folder.file("history.csv");
            recorders.push(Box::new(History::create(&path, every.history_every, last)?));
        }
        if every.trajectory_every > 0 {
            let path = folder.file("trajectory.csv");
            let (every, tracked) = (every.trajectory_every, &subject.scene.tracked);
            recorders.push(Box::new(Trajectory::create(&path, every, last, tracked)?));
        }
        let mut records = Self { folder, identity: Identity::of(case)?, recorders };
        records.open_frames(case, subject)?;
        Ok(records)
    }

    /// Opens the recorders of a run that goes on after `step`; [`Records::keep`] must follow.
    pub fn reopen(
        case: &Case,
        out: &Path,
        subject: &Subject<'a>,
        step: usize,
    ) -> Result<Self, Error> {
        let folder = ResultsFolder::reopen(out, step)?;
        let mut recorders: Vec<Box<dyn Recorder + 'a>> = Vec::new();
        let (every, last) = (case.output, case.scheme.steps);
        if every.history_every > 0 {
            let path = folder.file("history.csv");
            recorders.push(Box::new(History::reopen(&path, every.history_every, last)?));
        }
        if every.trajectory_every > 0 {
            let path = folder.file("trajectory.csv");
            let (every, tracked) = (every.trajectory_every, &subject.scene.tracked);
            recorders.push(Box::new(Trajectory::reopen(&path, every, last, tracked)?));
        }
        let mut records = Self { folder, identity: Identity::of(case)?, recorders };
        records.open_frames(case, subject)?;
        Ok(records)
    }

    /// The first file that a run which goes on after `step` counts on, and that is no longer there.
    pub fn missing(case: &Case, out: &Path, step: usize) -> Option<PathBuf> {
        let (folder, every) = (ResultsFolder::at(out), case.output);
        let tables =
            [("history.csv", every.history_every), ("trajectory.csv", every.trajectory_every)];
        let mut paths =
            tables.iter().filter(|(_, every)| *every > 0).map(|(name, _)| folder.file(name));
        let cadence = Cadence { every: every.fields_every, last: case.scheme.steps };
        // Frames of contacts are there where there are contacts, which the mesh tells.
        let series = ["fields", "contacts"].into_iter().filter(|name| {
            cadence.every > 0 && (*name == "fields" || folder.file("contacts.pvd").exists())
        });
        let mut frames = series.filter_map(|name| cadence.missing(&folder, name, step));
        paths.find(|path| !path.exists()).or_else(|| frames.next())
    }

    fn open_frames(&mut self, case: &Case, subject: &Subject<'a>) -> Result<(), Error> {
        let cadence = Cadence { every: case.output.fields_every, last: case.scheme.steps };
        if cadence.every == 0 {
            return Ok(());
        }
        let Subject { body, scene, candidates } = *subject;
        let fields = Fields::create(&self.folder, body, scene, candidates, &case.units, cadence)?;
        self.recorders.push(Box::new(fields));
        if candidates > 0 {
            let points = ContactPoints::create(&self.folder, candidates, &case.units, cadence)?;
            self.recorders.push(Box::new(points));
        }
        Ok(())
    }

    pub fn record(&mut self, view: &View) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.record(view))
    }

    /// Passes over what the recorders remember.
    pub fn keep(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.keep(at, tape))
    }

    /// What was seen goes to disk.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.finish())
    }
}
