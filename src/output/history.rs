//! `history.csv`: one row per step, added in whole rows.

use std::fmt::Write as _;
use std::path::Path;

use super::rows::Rows;
use super::{Departure, Moment, Recorder, View};
use crate::energy::Term;
use crate::error::Error;
use crate::tape::Tape;

/// The columns. Those of [`Term`] are energies at the end of the step and works since the start; `balance_residual`,
/// `balance_floor`, `max_*`, `min_*` are this step's.
pub fn history_columns() -> impl Iterator<Item = &'static str> {
    let terms = ["step", "time"].into_iter().chain(Term::columns());
    terms.chain(["balance_residual"]).chain(Term::extremes()).chain(OF_THE_STEP)
}

const OF_THE_STEP: [&str; 10] = [
    "contacts",
    "iterations",
    "solver_error",
    "work_created",
    "work_passed",
    "max_work_share",
    "balance_floor",
    "max_penetration",
    "max_rotation",
    "max_strain",
];

/// Writes the history. Rows reach the file whole: a run that is killed leaves a readable file.
pub struct History {
    rows: Rows,
}

impl History {
    /// A history with the steps that `every` divides, and `last_step`.
    pub fn create(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        let mut rows = Rows::create(path, every, last_step)?;
        rows.text().push_str(&history_columns().collect::<Vec<_>>().join(","));
        rows.text().push('\n');
        rows.flush()?;
        Ok(Self { rows })
    }

    /// Goes on with one that is there; [`Recorder::remember`] tells from where on.
    pub fn reopen(path: &Path, every: usize, last_step: usize) -> Result<Self, Error> {
        Ok(Self { rows: Rows::reopen(path, every, last_step)? })
    }
}

impl Recorder for History {
    fn record(&mut self, view: &View) -> Result<(), Error> {
        if !self.rows.wants(view.state.step) {
            return Ok(());
        }
        let (now, step) = (view.ledger.totals(), view.ledger.balance());
        let rows = self.rows.text();
        let _ = write!(rows, "{},{:?}", view.state.step, view.state.time);
        let terms = now.terms.under_columns(now.total()).map(|(_, number)| number);
        for number in terms.chain([step.residual]).chain(step.extremes()) {
            let _ = write!(rows, ",{number:?}");
        }
        let (iterations, error) = (view.solve.iterations, view.solve.error);
        let _ = write!(rows, ",{},{iterations},{error:?}", step.contacts);
        let Departure { penetration, rotation, strain } = view.departure;
        let sums = [now.work_created, now.work_passed, step.work_share, step.rounding];
        for number in sums.into_iter().chain([penetration, rotation, strain]) {
            let _ = write!(rows, ",{number:?}");
        }
        rows.push('\n');
        self.rows.end_row(view.state.step)
    }

    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error> {
        self.rows.remember(at, tape)
    }

    fn hand_over(&mut self) -> Result<(), Error> {
        self.rows.flush()
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.rows.flush()
    }
}
