//! A table that grows by whole rows: a run that is killed leaves a readable file.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::{Moment, write_whole};
use crate::error::Error;
use crate::tape::Tape;

/// Rows are handed to the system when this many bytes of them have gathered.
const CHUNK: usize = 1 << 16;

/// Rows of the steps that `every` divides, and of the last step.
pub(super) struct Rows {
    path: PathBuf,
    file: File,
    text: String,
    every: usize,
    last_step: usize,
    /// Bytes handed over.
    written: u64,
    /// Bytes up to the last row that a run which goes on further has too.
    regular: u64,
}

impl Rows {
    pub fn create(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        let file = readable().create(true).truncate(true).open(path);
        Self::with(path, file, every, last_step)
    }

    /// Goes on with a table that is there; [`Rows::remember`] tells from where on.
    pub fn reopen(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        Self::with(path, readable().open(path), every, last_step)
    }

    fn with(
        path: &Path,
        file: io::Result<File>,
        every: usize,
        last_step: usize,
    ) -> Result<Self, Error> {
        let file = file.map_err(|source| Error::Write { path: path.into(), source })?;
        let text = String::with_capacity(2 * CHUNK);
        Ok(Self { path: path.into(), file, text, every, last_step, written: 0, regular: 0 })
    }

    /// Whether a step has a row.
    pub fn wants(&self, step: usize) -> bool {
        step.is_multiple_of(self.every) || step == self.last_step
    }

    /// Where the next row is written.
    pub fn text(&mut self) -> &mut String {
        &mut self.text
    }

    /// The row of a step is written; rows are handed over where enough have gathered.
    pub fn end_row(&mut self, step: usize) -> Result<(), Error> {
        if step.is_multiple_of(self.every) {
            self.regular = self.written + self.text.len() as u64;
        }
        // Whoever reads a run that is going finds a row from its start on.
        if step == 0 || self.text.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    /// Hands all rows over. Where the file is no longer in its place they come back there, and an error tells.
    pub fn flush(&mut self) -> Result<(), Error> {
        let place = place_of(&self.file, &self.path, self.written);
        let outcome = place.and_then(|place| match place {
            FileHolder::Its => self.hand_over().map(|()| None),
            FileHolder::Empty => {
                self.put_back()?;
                self.hand_over().map(|()| Some("it was removed; its rows are there again"))
            }
            FileHolder::Taken => {
                Ok(Some("another file was put in its place: does another run write there?"))
            }
            FileHolder::Changed => {
                Ok(Some("its length was changed by another program; run the case again"))
            }
        });
        let path = || self.path.clone();
        match outcome {
            Ok(None) => Ok(()),
            Ok(Some(what)) => Err(Error::Disturbed { path: path(), what }),
            Err(source) => Err(Error::Write { path: path(), source }),
        }
    }

    /// Where the disk is full, the file ends with the last row that is whole.
    fn hand_over(&mut self) -> io::Result<()> {
        let outcome = self.file.write_all(self.text.as_bytes());
        let mut taken = self.text.len();
        if outcome.is_err() {
            let arrived = self.file.stream_position()?.saturating_sub(self.written) as usize;
            taken = self.text[..arrived].rfind('\n').map_or(0, |end| end + 1);
            self.file.set_len(self.written + taken as u64)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        self.written += taken as u64;
        self.text.clear();
        outcome
    }

    /// Writes the rows anew that only the open file still has.
    fn put_back(&mut self) -> io::Result<()> {
        self.file.rewind()?;
        write_whole(&self.path, |to| io::copy(&mut self.file, to).map(|_| ()))?;
        self.file = readable().open(&self.path)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Passes over its length. Rows are in the file before it is written; the file is cut back to it when it
    /// is read, and further where it ends with the row of a last step that is no longer the last.
    pub fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        if !tape.reads() {
            self.flush()?;
        }
        tape.count(&mut self.regular);
        tape.count(&mut self.written);
        if tape.reads() && tape.fits() {
            self.written = if at.step == self.last_step { self.written } else { self.regular };
            self.cut_back()?;
        }
        Ok(())
    }

    fn cut_back(&mut self) -> Result<(), Error> {
        let complain = |source| Error::Write { path: self.path.clone(), source };
        let length = self.file.metadata().map_err(complain)?.len();
        if length < self.written {
            return Err(Error::Shortened {
                path: self.path.clone(),
                length,
                expected: self.written,
            });
        }
        self.file.set_len(self.written).map_err(complain)?;
        self.file.seek(SeekFrom::Start(self.written)).map_err(complain)?;
        Ok(())
    }
}

/// Who is where a file was opened.
#[derive(Clone, Copy)]
enum FileHolder {
    Its,
    Changed,
    Taken,
    Empty,
}

fn place_of(file: &File, path: &Path, length: u64) -> io::Result<FileHolder> {
    let there = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileHolder::Empty),
        there => there?,
    };
    Ok(match is_same(&file.metadata()?, &there) {
        true if there.len() == length => FileHolder::Its,
        true => FileHolder::Changed,
        false => FileHolder::Taken,
    })
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}

/// Rows are written, and read once where the file was removed.
fn readable() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}
