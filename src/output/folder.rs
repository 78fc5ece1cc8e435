//! The results folder: what is ours in it, and only that, makes way for a new run; one run at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::checkpoint_step;
use super::frames::frame_step;
use super::{STARTED, history_columns};
use crate::error::Error;

/// What a report begins with, so that the page of an earlier run is known as ours.
pub const REPORT_MARK: &str = "<!DOCTYPE html>\n<!-- delassus report -->";

/// A folder that holds the results of one run.
#[derive(Clone, Debug)]
pub struct ResultsFolder {
    path: PathBuf,
    /// While a run writes into it, no other one does.
    _lock: Option<Arc<FolderLock>>,
}

impl ResultsFolder {
    /// Makes the folder, and removes what an earlier run left in it; other files stay. A folder that
    /// holds files of the same names that are not results is left alone.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let complain = |source| Error::OutputFolder { path: path.into(), source };
        std::fs::create_dir_all(path).map_err(complain)?;
        let lock = lock_folder(path, File::try_lock, "run").map_err(complain)?;
        let folder = Self { path: path.into(), _lock: lock.map(Arc::new) };
        if let Some(name) = folder.stranger() {
            let message = format!("it holds a '{name}' that no run wrote");
            return Err(complain(io::Error::other(message)));
        }
        for entry in std::fs::read_dir(path).map_err(complain)? {
            let entry = entry.map_err(complain)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_result(&name) && (cone_step(&name).is_none() || is_cone_problem(&entry.path())) {
                std::fs::remove_file(entry.path()).map_err(complain)?;
            }
        }
        folder.empty_frames("fields").map_err(complain)?;
        folder.empty_frames("contacts").map_err(complain)?;
        folder.empty_frames("obstacles").map_err(complain)?;
        folder.probe().map_err(complain)?;
        Ok(folder)
    }

    /// The folder of a run that goes on.
    pub fn reopen(path: &Path) -> Result<Self, Error> {
        let complain = |source| Error::OutputFolder { path: path.into(), source };
        let lock = lock_folder(path, File::try_lock, "run").map_err(complain)?;
        let folder = Self { path: path.into(), _lock: lock.map(Arc::new) };
        folder.probe().map_err(complain)?;
        Ok(folder)
    }

    /// What a run that goes on after `step` cannot go on with goes.
    pub fn forget_after(&self, step: usize) -> Result<(), Error> {
        let complain = |source| Error::OutputFolder { path: self.path.clone(), source };
        for entry in std::fs::read_dir(&self.path).map_err(complain)? {
            let entry = entry.map_err(complain)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let later = cone_step(&name).is_some_and(|cone| cone > step);
            let of_the_end =
                ["summary.json", "contacts.csv", "pairs.csv", "bodies.csv", "report.html"];
            if later || of_the_end.contains(&name.as_str()) || is_part(&name) {
                std::fs::remove_file(entry.path()).map_err(complain)?;
            }
        }
        self.remove_checkpoints(|other| other > step)
    }

    /// A folder to look into.
    pub fn at(path: &Path) -> Self {
        Self { path: path.into(), _lock: None }
    }

    /// Whether a run writes into it now; not where folders or their file system know no locks.
    pub fn is_being_written(&self) -> bool {
        let folder = File::open(&self.path);
        folder.is_ok_and(|it| matches!(it.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// What was written at the start goes, where the summary is there.
    pub fn forget_start(&self) -> Result<(), Error> {
        let path = self.file(STARTED);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(Error::Write { path, source })
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// A folder that cannot be written to is told before anything is computed for it.
    fn probe(&self) -> io::Result<()> {
        let probe = self.file(".summary.json.part");
        std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe))
    }

    /// A file that a run would overwrite and that does not look as if one had written it.
    fn stranger(&self) -> Option<&'static str> {
        let marks = [
            ("history.csv", history_columns().collect::<Vec<_>>().join(",")),
            ("contacts.csv", "contact,node,x,".into()),
            ("pairs.csv", "contact,body_1,body_2,".into()),
            ("bodies.csv", "body,energy_change,".into()),
            ("trajectory.csv", "step,time".into()),
            ("summary.json", "{\n  \"version\":".into()),
            (STARTED, "{\n  \"version\":".into()),
            ("fields.pvd", "<?xml".into()),
            ("contacts.pvd", "<?xml".into()),
            ("obstacles.pvd", "<?xml".into()),
            ("report.html", REPORT_MARK.into()),
        ];
        // One that was begun on a full disk may be shorter than its mark, and empty.
        let is_strange = |(name, mark): &(&'static str, String)| {
            let mut start = Vec::new();
            match std::fs::metadata(self.file(name)) {
                Ok(found) if !found.is_file() => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
            let head = File::open(self.file(name)).map(|file| file.take(mark.len() as u64));
            let read = head.and_then(|mut head| head.read_to_end(&mut start));
            read.is_ok() && !mark.as_bytes().starts_with(&start)
        };
        marks.into_iter().find(is_strange).map(|(name, _)| name)
    }

    fn empty_frames(&self, name: &str) -> io::Result<()> {
        let frames = self.path.join(name);
        if !frames.is_dir() {
            return Ok(());
        }
        for entry in std::fs::read_dir(&frames)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let whole = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".part"));
            if frame_step(whole.unwrap_or(&name)).is_some() {
                std::fs::remove_file(entry.path())?;
            }
        }
        // Fails where somebody keeps other files there: then it stays.
        std::fs::remove_dir(&frames).or(Ok(()))
    }

    /// Path of a file or folder inside.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How a folder is locked: `File::try_lock` alone, `File::try_lock_shared` with others.
pub(crate) type LockKind = fn(&File) -> Result<(), TryLockError>;

/// A folder that is locked, until this goes.
#[derive(Debug)]
pub(crate) struct FolderLock(File);

impl Drop for FolderLock {
    /// A program that is being started has copies of all open files for a moment, which would lock it on.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Locks a folder for `who`, up to the end of this program whatever that is; nothing where folders or their file system
/// know no locks.
pub(crate) fn lock_folder(
    path: &Path,
    lock: LockKind,
    who: &str,
) -> io::Result<Option<FolderLock>> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    for _ in 0..ATTEMPTS {
        match lock(&folder) {
            Ok(()) => return Ok(Some(FolderLock(folder))),
            // Somebody may be looking whether it is locked, which takes no time.
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_ATTEMPTS),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(io::Error::other(format!("another {who} is writing into it; wait for its end")))
}

/// How often a folder that is locked is asked for, and how long to wait in between.
const ATTEMPTS: usize = 5;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(5);

/// Files of fixed names.
const KNOWN: [&str; 11] = [
    "fields.pvd",
    "contacts.pvd",
    "obstacles.pvd",
    "history.csv",
    "trajectory.csv",
    "contacts.csv",
    "pairs.csv",
    "bodies.csv",
    "summary.json",
    STARTED,
    "report.html",
];

fn is_result(name: &str) -> bool {
    is_whole(name) || is_part(name)
}

fn is_whole(name: &str) -> bool {
    KNOWN.contains(&name) || checkpoint_step(name).is_some() || cone_step(name).is_some()
}

/// The step of a saved cone problem.
fn cone_step(name: &str) -> Option<usize> {
    name.strip_prefix("cone_")?.strip_suffix(".json")?.parse().ok()
}

/// Whether a file begins as a saved cone problem does.
fn is_cone_problem(path: &Path) -> bool {
    const MARK: &[u8] = b"{\"dimension\":";
    let mut start = Vec::new();
    let head = File::open(path).map(|file| file.take(MARK.len() as u64));
    head.and_then(|mut head| head.read_to_end(&mut start)).is_ok() && start == MARK
}

/// What a write that was killed leaves.
fn is_part(name: &str) -> bool {
    let whole = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
    whole.is_some_and(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_removes_the_first_ones_files_and_nobody_elses() {
        let path = std::env::temp_dir().join(format!("delassus_folder_{}", std::process::id()));
        let folder = ResultsFolder::create(&path).unwrap();
        std::fs::create_dir(folder.file("fields")).unwrap();
        let summary = "{\n  \"version\": \"0\"}";
        let files = [
            "summary.json",
            "cone_3.json",
            "fields/step_0.vtu",
            "checkpoint_3.delassus",
            "notes.txt",
            "my.json",
            "cone_4.json",
            "fields/step_notes.txt",
        ];
        files.iter().for_each(|name| std::fs::write(folder.file(name), summary).unwrap());
        std::fs::write(folder.file("cone_3.json"), "{\"dimension\":2}").unwrap();
        let error = ResultsFolder::create(&path).unwrap_err().to_string();
        assert!(error.contains("another run is writing into it; wait for its end"), "{error}");
        let error = ResultsFolder::reopen(&path).unwrap_err().to_string();
        assert!(error.contains("another run is writing into it; wait for its end"), "{error}");
        drop(folder);
        let folder = ResultsFolder::create(&path).unwrap();
        let left: Vec<bool> = files.iter().map(|name| folder.file(name).exists()).collect();
        assert_eq!(left, [false, false, false, false, true, true, true, true]);
        drop(folder);
        for begun in ["", "step,time"] {
            std::fs::write(path.join("history.csv"), begun).unwrap();
            ResultsFolder::create(&path).unwrap();
        }
        std::fs::write(path.join("history.csv"), "year,rain\n").unwrap();
        let error = ResultsFolder::create(&path).unwrap_err().to_string();
        assert!(error.contains("holds a 'history.csv' that no run wrote"), "{error}");
        std::fs::remove_dir_all(&path).unwrap();
    }
}
