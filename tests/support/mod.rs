//! What the tests share: a folder of their own, the program, a short sliding block, running a case
//! through the library, and reading its tables.
#![allow(dead_code, unused_imports)] // no test file uses all of it
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

pub mod bars;
pub mod brute;
pub mod extent;
pub mod manual;
pub mod march;
pub mod pairs;
pub mod random;
pub mod random_pairs;
pub mod rates;
pub mod reference;
pub mod results;
pub mod rigid;
pub mod scene;
pub mod systems;
pub mod trial;
pub mod vibration;
pub mod webdriver;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus::case::Case;
use delassus::output::Summary;
use delassus::simulation::{self, Observer, Progress};
pub use rates::fitted_slope;

/// A fresh folder, removed with all that is in it when the test is done.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("delassus-test-{process}-{count}"));
        std::fs::create_dir(&path).expect("the folder is new");
        Self(path)
    }

    /// A folder with the sliding block, ten steps of it, as `case.toml` and `block.msh`.
    pub fn with_block() -> Self {
        let folder = Self::new();
        folder.write("case.toml", block_case());
        std::fs::copy(repository("meshes/sliding_block.msh"), folder.path("block.msh"))
            .expect("the mesh is in the repository");
        folder
    }

    /// A folder with the files of some of the repository's folders, as far as the program can see a clone.
    pub fn with_clones_of(folders: &[&str]) -> Self {
        let clone = Self::new();
        for folder in folders {
            std::fs::create_dir_all(clone.path(folder)).unwrap();
            for entry in std::fs::read_dir(repository(folder)).unwrap() {
                let entry = entry.unwrap();
                if entry.path().is_file() {
                    let copy = clone.path(folder).join(entry.file_name());
                    std::fs::copy(entry.path(), copy).unwrap();
                }
            }
        }
        clone
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("the folder can be written");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Every file and folder in it, sorted, relative to it.
    pub fn names(&self) -> Vec<String> {
        let (mut open, mut names) = (vec![self.0.clone()], Vec::new());
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("it is a folder") {
                let path = entry.expect("it can be listed").path();
                let name = path.strip_prefix(&self.0).expect("it is below");
                names.push(name.to_string_lossy().into_owned());
                if path.is_dir() {
                    open.push(path);
                }
            }
        }
        names.sort();
        names
    }

    /// The program, started in this folder.
    pub fn delassus(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.current_dir(&self.0).args(arguments).output().expect("the program starts")
    }

    /// `delassus run case.toml --out out` and more.
    pub fn run(&self, more: &[&str]) -> Output {
        self.delassus(&[&["run", "case.toml", "--out", "out"], more].concat())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The case of the sliding block, cut to ten steps, without fields, with its mesh beside it.
pub fn block_case() -> String {
    let path = repository("cases/sliding_block.toml");
    let mut text = std::fs::read_to_string(path).expect("the case is in the repository");
    let changes = [
        ("\"../meshes/sliding_block.msh\"", "\"block.msh\""),
        ("end = 1.0", "end = 1e-3"),
        ("fields_every = 100", "fields_every = 0"),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "cases/sliding_block.toml no longer says '{from}'");
        text = text.replacen(from, to, 1);
    }
    text
}

/// `delassus run case.toml --quiet` and more in a folder, under way.
pub fn spawn(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.current_dir(folder.path("")).args(["run", "case.toml", "--quiet"]).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The sliding block with that many steps of 1e-4, frames and checkpoints.
pub fn long_block(steps: usize) -> Folder {
    let folder = Folder::with_block();
    let text = folder.read("case.toml");
    let text = text.replacen("end = 1e-3", &format!("end = {:?}", 1e-4 * steps as f64), 1);
    folder.write(
        "case.toml",
        text.replacen("fields_every = 0", "fields_every = 60\ncheckpoint_every = 25", 1),
    );
    folder
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
}

/// A case of the repository with values set on top.
pub fn case(name: &str, overrides: &[&str]) -> Case {
    let path = repository(&format!("cases/{name}.toml"));
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
    Case::read(&path, &overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a case of the repository; its summary and its history.
pub fn run(name: &str, overrides: &[&str]) -> (Summary, Table) {
    let folder = Folder::new();
    let summary = simulation::run(&case(name, overrides), &folder.path("out"), &mut Silent)
        .unwrap_or_else(|error| panic!("{error}"));
    (summary, Table::read(&folder.path("out/history.csv")))
}

/// A CSV file of numbers.
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn read(path: &Path) -> Self {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut lines = text.lines();
        let columns = lines.next().unwrap_or_default().split(',').map(String::from).collect();
        let number = |cell: &str| cell.parse().expect("a number");
        let rows = lines.map(|line| line.split(',').map(number).collect()).collect();
        Self { columns, rows }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.columns.iter().position(|c| c == name).expect("a column of that name");
        self.rows.iter().map(|row| row[at]).collect()
    }
}
