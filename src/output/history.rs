//! `history.csv`: one row per step, added in whole rows.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::{Recorder, View};
use crate::error::Error;

/// The columns. Works are cumulative; `balance_residual`, `max_*`, `min_*` are this step's.
pub const COLUMNS: [&str; 18] = [
    "step",
    "time",
    "kinetic",
    "strain",
    "potential",
    "total",
    "work_external",
    "work_damping",
    "work_normal",
    "work_tangential",
    "dissipation_numerical",
    "balance_residual",
    "max_tangential_work",
    "min_tangential_work",
    "max_normal_work",
    "contacts",
    "iterations",
    "solver_error",
];

/// Rows are handed to the system when this many bytes of them have gathered.
const CHUNK: usize = 1 << 16;

/// Writes the history. Rows reach the file whole: a run that is killed leaves a readable file.
pub struct History {
    path: PathBuf,
    file: File,
    rows: String,
    every: usize,
    last_step: usize,
}

impl History {
    /// A history with the steps that `every` divides, and `last_step`.
    pub fn create(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        let complain = |source| Error::Write { path: path.into(), source };
        let file = File::create(path).map_err(complain)?;
        let mut rows = String::with_capacity(2 * CHUNK);
        rows.push_str(&COLUMNS.join(","));
        rows.push('\n');
        let mut history = Self { path: path.into(), file, rows, every, last_step };
        history.flush()?;
        Ok(history)
    }

    fn flush(&mut self) -> Result<(), Error> {
        let outcome = self.file.write_all(self.rows.as_bytes());
        self.rows.clear();
        outcome.map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

impl Recorder for History {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        let step = view.state.step;
        if !step.is_multiple_of(self.every) && step != self.last_step {
            return Ok(());
        }
        let (now, step) = (view.ledger.totals(), view.ledger.balance());
        let numbers = [
            view.state.time,
            now.kinetic,
            now.strain,
            now.potential,
            now.total(),
            now.work_external,
            now.work_damping,
            now.work_normal,
            now.work_tangential,
            now.dissipation_numerical,
            step.residual,
            step.max_tangential,
            step.min_tangential,
            step.max_normal,
        ];
        let rows = &mut self.rows;
        let _ = write!(rows, "{}", view.state.step);
        for number in numbers {
            let _ = write!(rows, ",{number:?}");
        }
        let (iterations, error) = (view.solve.iterations, view.solve.error);
        let _ = writeln!(rows, ",{},{iterations},{error:?}", step.contacts);
        if self.rows.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.flush()
    }
}
