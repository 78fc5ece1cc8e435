//! What can be wrong with a problem file; all of it is bad input.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a problem file cannot be read or written.
#[derive(Debug, Error)]
pub enum ProblemFileError {
    /// The operating system refuses to read the file.
    #[error("{}: cannot read the problem: {source}; give a problem file that can be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// The operating system refuses to write the file.
    #[error("{}: cannot write the problem: {source}; give another place", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// The name of a file to write does not say in which format.
    #[error("{}: the ending tells no format of problems; use .json, .dat or .hdf5", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
    /// The content, or the problem to write, is not a friction-contact problem.
    #[error("{}: {place}: {value}; {remedy}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in it: a line, a key, a dataset, a matrix or a vector.
        place: String,
        /// What stands there.
        value: String,
        /// What should stand there.
        remedy: String,
    },
}

/// A [`ProblemFileError::Malformed`] whose file is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where: a line, a key, a dataset, a matrix or a vector.
    pub place: String,
    /// What stands there.
    pub value: String,
    /// What should stand there.
    pub remedy: String,
}

impl Fault {
    pub fn new(
        place: impl Into<String>,
        value: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), value: value.into(), remedy: remedy.into() }
    }

    /// The same fault, its place extended by how the reader came there.
    pub fn within(mut self, how: &str) -> Self {
        self.place = format!("{}, {how}", self.place);
        self
    }

    pub fn at(self, path: &Path) -> ProblemFileError {
        let Self { place, value, remedy } = self;
        ProblemFileError::Malformed { path: path.to_path_buf(), place, value, remedy }
    }
}
