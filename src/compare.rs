//! Runs side by side: schemes, laws or cases, drawn into one figure per quantity and set against each
//! other in one table.
//!
//! A folder of a comparison holds the results folder of each run, under the run's label with odd
//! characters replaced by `_`, and
//!
//! * `table.csv`, one row per run: [`Row`] tells what its columns mean;
//! * `QUANTITY.csv` and `QUANTITY.svg` for each of `energy`, `energies`, `work`,
//!   `max_tangential_work`, `min_tangential_work`, `contacts`, `iterations`, and, where runs wrote a `trajectory.csv`,
//!   `position`, `angle`, `velocity`, `spin`, `gap`, `relative_velocity`, `impulse`, `contact_work`.
//!
//! The files of numbers are `run,time,…`: all rows of the first run, then all of the second, since
//! runs may have different steps. A column that a run does not have is blank in its rows. A run that
//! failed stands in the table and keeps its folder, but is in no figure.

mod plan;
mod sheet;
mod side_by_side;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::Error;
use crate::figures::{Runs, quantities};
use crate::output::Summary;
use crate::results::Series;
use crate::simulation::{self, Observer, Progress};
pub use plan::{Planned, PlannedCase, plan};
use sheet::Sheet;
pub use sheet::quoted;
pub use side_by_side::{behind_a_door, cores, side_by_side};
pub use table::Row;

/// Makes the folder `wanted`, or where there is something of that name already `wanted_2`, `wanted_3`, …: no
/// earlier comparison is lost.
pub fn free_folder(wanted: &Path) -> Result<PathBuf, Error> {
    let complain = |path: &Path, source| Error::OutputFolder { path: path.into(), source };
    if let Some(above) = wanted.parent() {
        std::fs::create_dir_all(above).map_err(|source| complain(above, source))?;
    }
    let name = wanted.file_name().unwrap_or_default().to_string_lossy();
    let numbered = (2..).map(|k: usize| wanted.with_file_name(format!("{name}_{k}")));
    for folder in std::iter::once(wanted.to_path_buf()).chain(numbered) {
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(taken) if taken.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(complain(&folder, source)),
        }
    }
    Ok(wanted.to_path_buf())
}

/// What became of one run.
#[derive(Debug)]
pub struct RunOutcome {
    /// Its label.
    pub label: String,
    /// How it went.
    pub result: Result<Finished, Error>,
}

/// A run that came to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its summary.
    pub summary: Summary,
    /// Its row of the table.
    pub row: Row,
    series: Series,
}

/// What is heard while runs go on.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// Something worth knowing of the run with that label.
    Notice(&'a str, &'a str),
    /// A run is over: the how manieth of how many.
    Over(&'a RunOutcome, usize, usize),
}

/// Takes all runs, side by side, and leaves what they did in `out`; `tell` hears how it goes. One
/// that fails does not stop the others.
pub fn run(
    plan: &[PlannedCase],
    out: &Path,
    tell: &(dyn Fn(News) + Sync),
) -> Result<Vec<RunOutcome>, Error> {
    // 1. Make room: no figure of an earlier comparison stays.
    sheet::clear(out)?;

    // 2. Run.
    let outcomes = run_all(plan, out, tell);

    // 3. Draw every quantity, and write the numbers beside.
    let finished: Vec<(&str, &Series)> = outcomes
        .iter()
        .filter_map(|o| o.result.as_ref().ok().map(|run| (o.label.as_str(), &run.series)))
        .collect();
    draw_series(&Runs { finished: &finished, title: title_of(plan), units: units_of(plan) }, out)?;

    // 4. Set them against each other.
    sheet::write(out, "table.csv", &table::csv(&outcomes))?;
    Ok(outcomes)
}

/// Draws runs that ended, label and results folder of each, into `out`: the files of a comparison but for
/// its table.
pub fn draw(runs: &[(String, PathBuf)], title: &str, units: &str, out: &Path) -> Result<(), Error> {
    sheet::clear_quantities(out)?;
    let series = runs
        .iter()
        .map(|(_, folder)| Series::read(folder))
        .collect::<Result<Vec<Series>, Error>>()?;
    let labels = runs.iter().map(|(label, _)| label.as_str());
    let finished: Vec<(&str, &Series)> = labels.zip(&series).collect();
    if finished.is_empty() {
        return Ok(());
    }
    draw_series(&Runs { finished: &finished, title, units }, out)
}

fn draw_series(runs: &Runs, out: &Path) -> Result<(), Error> {
    for quantity in quantities::all(runs.finished) {
        let sheet = Sheet { quantity: &quantity, runs: runs.finished };
        sheet.write(out)?;
        sheet::write(out, &format!("{}.svg", quantity.name), &runs.figure(&quantity).to_svg())?;
    }
    Ok(())
}

/// As many runs at a time as there are cores; where no more threads can be made, what is left is taken here.
fn run_all(plan: &[PlannedCase], out: &Path, tell: &(dyn Fn(News) + Sync)) -> Vec<RunOutcome> {
    let done = Mutex::new(vec![]);
    let lock = || done.lock().unwrap_or_else(|broken| broken.into_inner());
    let take = |run: &PlannedCase| {
        let outcome = take_one(run, out, tell);
        let mut done = lock();
        tell(News::Over(&outcome, done.len() + 1, plan.len()));
        done.push((run.planned.number, outcome));
    };
    if side_by_side(plan, &vec![(); cores().min(plan.len())], |(), run| take(run)).is_err() {
        let is_done = |run: &PlannedCase| lock().iter().any(|(at, _)| *at == run.planned.number);
        plan.iter().filter(|run| !is_done(run)).for_each(take);
    }
    let mut outcomes = done.into_inner().unwrap_or_else(|broken| broken.into_inner());
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn take_one(run: &PlannedCase, out: &Path, tell: &(dyn Fn(News) + Sync)) -> RunOutcome {
    let Planned { label, folder, .. } = &run.planned;
    let folder = out.join(folder);
    let whole = || {
        let summary = simulation::run(&run.case, &folder, &mut Listener { label, tell })?;
        let series = Series::read(&folder)?;
        let row = Row::new(label, &summary, &series);
        Ok(Finished { summary, row, series })
    };
    let result = behind_a_door(whole);
    RunOutcome { label: label.clone(), result }
}

/// Hands on notices under the label of their run.
struct Listener<'a> {
    label: &'a str,
    tell: &'a (dyn Fn(News) + Sync),
}

impl Observer for Listener<'_> {
    fn notice(&mut self, text: &str) {
        (self.tell)(News::Notice(self.label, text));
    }

    fn progress(&mut self, _: &Progress) {}
}

/// The title that all cases share, or nothing.
fn title_of(plan: &[PlannedCase]) -> &str {
    let mut titles = plan.iter().map(|run| run.case.title.as_str());
    let first = titles.next().unwrap_or_default();
    if titles.all(|title| title == first) { first } else { "" }
}

/// The units that all cases share, or nothing.
fn units_of(plan: &[PlannedCase]) -> &str {
    let mut units = plan.iter().map(|run| run.case.units.as_str());
    let first = units.next().unwrap_or_default();
    if units.all(|other| other == first) { first } else { "" }
}
