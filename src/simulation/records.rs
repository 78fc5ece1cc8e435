//! Who writes a run down, and where.

use std::path::{Path, PathBuf};

use super::identity::Identity;
use crate::assembly::Body;
use crate::case::{Case, PairCase};
use crate::contact::Contacts;
use crate::error::Error;
use crate::model::contact_areas;
use crate::output::{
    Cadence, ContactPoints, Fields, History, Moment, Obstacles, Recorder, ResultsFolder,
    Trajectory, View,
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

/// What is written down: a body, what stands beside it, and what they may touch.
pub(super) struct RecordSubject<'a> {
    pub body: &'a Body<'a>,
    pub scene: &'a Scene,
    pub contacts: &'a Contacts,
}

impl<'a> Records<'a> {
    /// Makes the folder of a run that begins, or opens that of one that goes on, and its recorders; in the second
    /// case [`Records::remember`] must follow.
    pub fn open(
        case: &Case,
        out: &Path,
        subject: &RecordSubject<'a>,
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
            let candidates = subject.contacts.len();
            let trajectory = open(&path, every.trajectory_every, last, tracked, candidates)?;
            recorders.push(Box::new(trajectory));
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
        // Sliders are contacts that the case does not list as such; pairs of bodies have no candidates.
        let listed = case.contacts.iter().any(|c| !matches!(c.pair, PairCase::Bodies(_)));
        let touches = listed || folder.file("contacts.pvd").exists();
        let obstacles = case.contacts.iter().any(|c| matches!(c.pair, PairCase::Obstacle { .. }));
        let series = [("fields", true), ("contacts", touches), ("obstacles", obstacles)];
        let series = series.into_iter().filter(|(_, there)| cadence.every > 0 && *there);
        let mut frames = series.filter_map(|(name, _)| cadence.missing(&folder, name, step));
        paths.find(|path| !path.exists()).or_else(|| frames.next())
    }

    fn open_frames(&mut self, case: &Case, subject: &RecordSubject<'a>) -> Result<(), Error> {
        let cadence = Cadence { every: case.output.fields_every, last: case.scheme.steps };
        if cadence.every == 0 {
            return Ok(());
        }
        let RecordSubject { body, scene, contacts } = *subject;
        let areas = contact_areas(case, body, contacts);
        let fields = Fields::create(&self.folder, body, scene, &areas, &case.units, cadence)?;
        self.recorders.push(Box::new(fields));
        if !contacts.is_empty() || contacts.solids.meet() {
            let points = ContactPoints::create(&self.folder, &areas, &case.units, cadence)?;
            self.recorders.push(Box::new(points));
        }
        if Obstacles::of(contacts).next().is_some() {
            let (folder, units) = (&self.folder, &case.units);
            let surfaces = Obstacles::create(folder, (body, scene), contacts, units, cadence)?;
            self.recorders.push(Box::new(surfaces));
        }
        Ok(())
    }

    pub fn record(&mut self, view: &View) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.record(view))
    }

    /// Passes over what the recorders remember.
    pub fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.remember(at, tape))
    }

    /// What was seen goes to disk, for those who read it meanwhile.
    pub fn hand_over(&mut self) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.hand_over())
    }

    /// What was seen goes to disk.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.recorders.iter_mut().try_for_each(|recorder| recorder.finish())
    }
}
