//! A table that grows by whole rows: a run that is killed leaves a readable file.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Rows are handed to the system when this many bytes of them have gathered.
const CHUNK: usize = 1 << 16;

/// Rows of the steps that `every` divides, and of the last step.
pub(super) struct Rows {
    path: PathBuf,
    file: File,
    text: String,
    every: usize,
    last_step: usize,
}

impl Rows {
    pub fn create(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        let file = File::create(path);
        let file = file.map_err(|source| Error::Write { path: path.into(), source })?;
        let text = String::with_capacity(2 * CHUNK);
        Ok(Self { path: path.into(), file, text, every, last_step })
    }

    /// Whether a step has a row.
    pub fn wants(&self, step: usize) -> bool {
        step.is_multiple_of(self.every) || step == self.last_step
    }

    /// Where the next row is written.
    pub fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// Hands rows over where enough have gathered.
    pub fn flush_some(&mut self) -> Result<(), Error> {
        if self.text.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> Result<(), Error> {
        let outcome = self.file.write_all(self.text.as_bytes());
        self.text.clear();
        outcome.map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}
