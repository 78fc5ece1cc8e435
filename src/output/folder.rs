//! The results folder: what is ours in it, and only that, makes way for a new run.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// A folder that holds the results of one run.
#[derive(Clone, Debug)]
pub struct ResultsFolder {
    path: PathBuf,
}

impl ResultsFolder {
    /// Makes the folder, and removes what an earlier run left in it; other files stay.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let complain = |source| Error::OutputFolder { path: path.into(), source };
        std::fs::create_dir_all(path).map_err(complain)?;
        for entry in std::fs::read_dir(path).map_err(complain)? {
            let entry = entry.map_err(complain)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_result(&name) {
                std::fs::remove_file(entry.path()).map_err(complain)?;
            }
        }
        let folder = Self { path: path.into() };
        folder.empty_frames().map_err(complain)?;
        Ok(folder)
    }

    fn empty_frames(&self) -> std::io::Result<()> {
        let frames = self.path.join("fields");
        if !frames.is_dir() {
            return Ok(());
        }
        for entry in std::fs::read_dir(&frames)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "vtu" || ending == "part") {
                std::fs::remove_file(path)?;
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

fn is_result(name: &str) -> bool {
    let known = ["fields.pvd", "history.csv", "contacts.csv", "summary.json"];
    let cone = name.starts_with("cone_") && name.ends_with(".json");
    known.contains(&name) || cone || known.iter().any(|known| name == format!(".{known}.part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_removes_the_first_ones_files_and_nobody_elses() {
        let path = std::env::temp_dir().join(format!("delassus_folder_{}", std::process::id()));
        let folder = ResultsFolder::create(&path).unwrap();
        std::fs::create_dir(folder.file("fields")).unwrap();
        let files = ["summary.json", "cone_3.json", "fields/f_0.vtu", "notes.txt", "my.json"];
        files.iter().for_each(|name| std::fs::write(folder.file(name), "x").unwrap());
        ResultsFolder::create(&path).unwrap();
        let left: Vec<bool> = files.iter().map(|name| folder.file(name).exists()).collect();
        assert_eq!(left, [false, false, false, true, true]);
        assert!(!folder.file("fields").exists());
        std::fs::remove_dir_all(&path).unwrap();
    }
}
