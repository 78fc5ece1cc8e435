//! What the integration tests share: running a case, and reading its tables.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

mod rates;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus::case::Case;
use delassus::output::Summary;
use delassus::simulation::{self, Observer, Progress};
#[allow(unused_imports)]
pub use rates::fitted_slope;

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of its own for each test, removed when the test is over.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = std::process::id();
        Self(std::env::temp_dir().join(format!("delassus_{name}_{id}_{count}")))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
}

/// A case of the repository with values set on top.
pub fn case(name: &str, overrides: &[&str]) -> Case {
    let path = root().join("cases").join(format!("{name}.toml"));
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
    Case::read(&path, &overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a case of the repository; its summary and its history.
pub fn run(name: &str, overrides: &[&str]) -> (Summary, Table) {
    let scratch = Scratch::new(name);
    let summary = simulation::run(&case(name, overrides), &scratch.0, &mut Silent)
        .unwrap_or_else(|error| panic!("{error}"));
    let history = Table::read(&scratch.0.join("history.csv"));
    (summary, history)
}

/// A CSV file of numbers.
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        let columns = lines.next().unwrap().split(',').map(String::from).collect();
        let number = |cell: &str| cell.parse().unwrap();
        let rows = lines.map(|line| line.split(',').map(number).collect()).collect();
        Self { columns, rows }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.columns.iter().position(|c| c == name).expect("a column of that name");
        self.rows.iter().map(|row| row[at]).collect()
    }
}
