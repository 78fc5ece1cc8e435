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
    /// Makes the folder of a run that begins, or opens that of one that goes on, and its recorders; in the second
    /// case [`Records::keep`] must follow.
    pub fn open(
        case: &Case,
        out: &Path,
        subject: &Subject<'a>,
        identity: Identity,
        goes_on: bool,
    ) -> Result<Self, Error> {
        let folder =
            if goes_on { ResultsFolder::reopen(out)? } else { ResultsFolder::create(out)? };
        let mut recorders: Vec<Box<dyn Recorder + 'a>> = Vec::new();
        let (every, last) = (case.output, case.scheme.steps);
        if every.history_every > 0 {
            let open = if goes_on { History::reopen } else { History::create };
            let path = folder.file("history.csv");
            recorders.push(Box::new(open(&path, every.history_every, last)?));
        }
        if every.trajectory_every > 0 {
            let open = if goes_on { Trajectory::reopen } else { Trajectory::create };
            let path = folder.file("trajectory.csv");
            let tracked = &subject.scene.tracked;
            recorders.push(Box::new(open(&path, every.trajectory_every, last, tracked)?));
        }
        let mut records = Self { folder, identity, recorders };
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
        // Sliders are contacts that the case does not list as such.
        let touches = !case.contacts.is_empty() || folder.file("contacts.pvd").exists();
        let series = ["fields", "contacts"].into_iter();
        let series = series.filter(|name| cadence.every > 0 && (*name == "fields" || touches));
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
