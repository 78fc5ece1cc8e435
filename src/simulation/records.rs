//! Who writes a run down, and where.

use std::path::Path;

use crate::assembly::Body;
use crate::case::Case;
use crate::error::Error;
use crate::output::{Fields, History, Recorder, ResultsFolder, View};

/// The results folder and the recorders that the case asks for.
pub(super) struct Records<'a> {
    pub folder: ResultsFolder,
    recorders: Vec<Box<dyn Recorder + 'a>>,
}

impl<'a> Records<'a> {
    /// Makes the folder and opens the recorders of a body with so many contact candidates.
    pub fn open(
        case: &Case,
        out: &Path,
        body: &'a Body<'a>,
        candidates: usize,
    ) -> Result<Self, Error> {
        let folder = ResultsFolder::create(out)?;
        let mut recorders: Vec<Box<dyn Recorder + 'a>> = Vec::new();
        let (every, last) = (case.output, case.scheme.steps);
        if every.history_every > 0 {
            let path = folder.file("history.csv");
            recorders.push(Box::new(History::create(&path, every.history_every, last)?));
        }
        if every.fields_every > 0 {
            let fields = Fields::create(&folder, body, candidates, every.fields_every, last)?;
            recorders.push(Box::new(fields));
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
