//! Files that appear whole or not at all: written beside their place, then renamed into it.
//!
//! A reader never sees a half-written file, and a failed write leaves the previous version as it
//! was. There is no `fsync`: the promise covers a failing or killed run, not a power cut.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Lets `write` fill the file at `path`, which changes only if all of it succeeds.
///
/// The text goes to the hidden sibling `.NAME.part`, which is removed if `write` fails or panics.
/// The name is fixed, so what a killed run left behind is replaced by the next write.
///
/// # Errors
/// Whatever `write` returns or the file system refuses; a `path` that names no file.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let part = PartFile(sibling(path)?);
    let mut buffered = BufWriter::new(File::create(&part.0)?);
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered); // some systems refuse to rename an open file
    fs::rename(&part.0, path)
}

fn sibling(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        let message = format!("'{}' names no file; give a path with a file name", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".part");
    Ok(path.with_file_name(hidden))
}

/// The temporary file; gone when this is dropped, whichever way `write_whole` is left.
struct PartFile(PathBuf);

impl Drop for PartFile {
    fn drop(&mut self) {
        // After the rename there is nothing to remove, and while unwinding nobody to tell.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder of this test process, removed at the end of the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let process = std::process::id();
            let path = std::env::temp_dir().join(format!("delassus-atomic-{name}-{process}"));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<String> = fs::read_dir(&self.0)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn fail(out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&[7; 100_000])?;
        Err(io::Error::other("the disk is full"))
    }

    #[test]
    fn a_finished_write_leaves_the_file_and_nothing_else() {
        let folder = Folder::new("finished");
        write_whole(&folder.0.join("a.json"), |out| out.write_all(b"whole")).unwrap();
        assert_eq!(folder.names(), ["a.json"]);
        assert_eq!(fs::read(folder.0.join("a.json")).unwrap(), b"whole");
    }

    #[test]
    fn a_failed_write_leaves_no_file_and_no_temporary() {
        let folder = Folder::new("failed");
        let error = write_whole(&folder.0.join("a.json"), fail).unwrap_err();
        assert_eq!(error.to_string(), "the disk is full");
        assert!(folder.names().is_empty(), "left behind: {:?}", folder.names());
    }

    #[test]
    fn a_failed_write_keeps_the_previous_version() {
        let folder = Folder::new("previous");
        let path = folder.0.join("a.json");
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        write_whole(&path, fail).unwrap_err();
        assert_eq!(folder.names(), ["a.json"]);
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn a_panic_while_writing_leaves_no_file_and_no_temporary() {
        let folder = Folder::new("panic");
        let path = folder.0.join("a.json");
        let outcome = std::panic::catch_unwind(|| write_whole(&path, |_| panic!("mid-write")));
        assert!(outcome.is_err());
        assert!(folder.names().is_empty(), "left behind: {:?}", folder.names());
    }

    #[test]
    fn what_a_killed_run_left_behind_is_replaced_by_the_next_write() {
        let folder = Folder::new("killed");
        fs::write(folder.0.join(".a.json.part"), vec![7; 1000]).unwrap();
        write_whole(&folder.0.join("a.json"), |out| out.write_all(b"whole")).unwrap();
        assert_eq!(folder.names(), ["a.json"]);
        assert_eq!(fs::read(folder.0.join("a.json")).unwrap(), b"whole");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_without_litter() {
        let folder = Folder::new("refused");
        fs::create_dir_all(folder.0.join("taken/inside")).unwrap();
        write_whole(&folder.0.join("taken"), |_| Ok(())).unwrap_err();
        write_whole(&folder.0.join("missing/a.json"), |_| Ok(())).unwrap_err();
        assert_eq!(folder.names(), ["taken"]);
        let error = write_whole(Path::new("/"), |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "'/' names no file; give a path with a file name");
    }
}
