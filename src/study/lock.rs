//! Who may work in the folder of a study at the same time.
//!
//! Two folders are locked: the study's own by who writes table, figures and scripts, and `runs` by who takes runs.
//!
//! | | the study's folder | `runs` |
//! |---|---|---|
//! | a whole study; scripts for Slurm | alone | alone |
//! | tasks, and who submits them | | with others |
//! | who gathers | alone | |
//!
//! Who gathers does not ask for `runs`: what a run leaves comes into its place whole, so that the gathering after an
//! array is right beside a task that is still ending, or one that was started again; it would be lost if it were refused.
//! Two that gather would write the same files, and so would a study that is under way.

use std::fs::File;
use std::path::Path;

use super::table;
use crate::error::Error;
use crate::output::{FolderLock, LockKind, lock_folder};

/// The locks on the folders of a study, up to its end whatever that is; nothing where folders or their file system know no locks.
#[derive(Debug)]
pub struct StudyLock {
    own: Option<FolderLock>,
    runs: Option<FolderLock>,
}

impl StudyLock {
    /// For a whole study: nobody else works in its folder, which is made.
    pub fn alone(out: &Path) -> Result<Self, Error> {
        make(out)?;
        let (own, runs) = (lock(out, out, File::try_lock)?, out.join("runs"));
        Ok(Self { own, runs: lock(out, &runs, File::try_lock)? })
    }

    /// For a task of an array: others take other runs in the same folder, which is made.
    pub fn with_tasks(out: &Path) -> Result<Self, Error> {
        make(out)?;
        Ok(Self { own: None, runs: lock(out, &out.join("runs"), File::try_lock_shared)? })
    }

    /// For who gathers.
    pub fn to_gather(out: &Path) -> Result<Self, Error> {
        Ok(Self { own: lock(out, out, File::try_lock)?, runs: None })
    }

    /// Lets tasks in, and who gathers after them: both may start before the last of them is submitted.
    pub fn let_tasks_in(self, out: &Path) -> Result<Self, Error> {
        drop((self.own, self.runs));
        Self::with_tasks(out)
    }
}

/// Makes the folder of a study; one that holds files of the same names that are not a study's is left alone.
pub(super) fn make(out: &Path) -> Result<(), Error> {
    let complain = |source| Error::OutputFolder { path: out.into(), source };
    table::refuse_strangers(out).map_err(complain)?;
    std::fs::create_dir_all(out.join("runs")).map_err(complain)
}

/// Locks `folder` of the study in `out`.
fn lock(out: &Path, folder: &Path, how: LockKind) -> Result<Option<FolderLock>, Error> {
    lock_folder(folder, how, "study")
        .map_err(|source| Error::OutputFolder { path: out.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_study_is_alone_and_tasks_are_not() {
        let out = std::env::temp_dir().join(format!("delassus_lock_{}", std::process::id()));
        let refused = |lock: Result<StudyLock, Error>| {
            let error = lock.unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("another study is writing into it; wait for its"));
        };
        let study = StudyLock::alone(&out).unwrap();
        refused(StudyLock::alone(&out));
        refused(StudyLock::with_tasks(&out));
        refused(StudyLock::to_gather(&out));
        let submitting = study.let_tasks_in(&out).unwrap();
        let task = StudyLock::with_tasks(&out).unwrap();
        refused(StudyLock::alone(&out));
        let gathering = StudyLock::to_gather(&out).unwrap();
        refused(StudyLock::to_gather(&out));
        drop((submitting, task));
        let late = StudyLock::with_tasks(&out).unwrap();
        drop(late);
        refused(StudyLock::alone(&out));
        drop(gathering);
        drop(StudyLock::alone(&out).unwrap());
        std::fs::remove_dir_all(&out).unwrap();
        StudyLock::to_gather(&out).unwrap();
        assert!(!out.exists(), "who gathers makes no folder");
    }
}
