//! Studies: one case, varied, run many times and gathered in one table.
//!
//! A folder of a study holds
//!
//! * `runs/LABEL/`, the results folder of each run, and in it `run.json`: how it ended;
//! * `table.csv` and `table.parquet`, one row per run in the order of the plan: label, varied keys, status,
//!   gathered values of `summary.json`, error;
//! * `QUANTITY.svg` and `QUANTITY.csv`, the first runs beside each other, as [`crate::compare`] draws them;
//! * `report.html`, all of it on one page;
//! * `convergence.csv` and `convergence_NAME.svg`, where the study asks for rates.
//!
//! All of it is made from the folders of the runs alone, so that it has the same bytes whatever took them, in
//! whatever order: threads of this process, tasks of a Slurm array, or both in turn.

mod budget;
mod columns;
mod convergence;
mod file;
mod lock;
mod parquet;
mod plan;
mod record;
pub mod slurm;
mod table;
mod take;

use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::compare;
pub use crate::compare::Planned;
use crate::error::Error;
use crate::plot::Figure;
use crate::simulation::Identity;
pub use budget::Budget;
use columns::Column;
pub use columns::{ColumnKind, gatherable};
use convergence::Convergence;
pub use convergence::RateSeries;
use file::{StudySetting, Text};
pub use lock::StudyLock;
use record::Fingerprints;
pub use record::{Record, RunStatus};
pub use table::{Cell, Gathered, StudyTable};

/// Runs that are drawn beside each other where the study does not say how many.
const FIGURES: usize = 12;

/// A checked study: which runs, and what to gather of them.
#[derive(Clone, Debug)]
pub struct Study {
    /// The file's name without its ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Where it stands.
    pub path: PathBuf,
    /// The runs, in order.
    pub runs: Vec<Planned>,
    /// How much may go on at once.
    pub budget: Budget,
    case: PathBuf,
    /// What each run sets on top of the case.
    settings: Vec<Vec<StudySetting>>,
    varied: Vec<String>,
    columns: Vec<Column>,
    figures: usize,
    convergences: Vec<Convergence>,
    text: Text,
}

/// A run whose case is read and checked.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Which run.
    pub planned: Planned,
    /// What to run.
    pub case: Case,
    identity: Identity,
}

/// What happens while runs are taken.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Something worth knowing.
    Notice(&'e str),
    /// A run had ended before and is not taken again.
    Kept(&'e Record),
    /// A run ended.
    Ended(&'e Record),
}

/// What became of a study.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// The table.
    pub table: StudyTable,
    /// For each run how it ended; none where it has not.
    pub records: Vec<Option<Record>>,
    /// Observed rates.
    pub series: Vec<RateSeries>,
    /// Name and picture of each convergence.
    pub rates: Vec<(String, Figure)>,
    /// Results folders of the runs that are drawn beside each other.
    pub drawn: Vec<PathBuf>,
}

/// Names and pictures.
type Pictures = Vec<(String, Figure)>;

impl Study {
    /// Reads and checks a study; its cases are not read.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = Text::read(path)?;
        let file = text.parse()?;
        let plan = plan::plan(&text, &file)?;
        let budget = Budget::of(&text, &file.budget)?;
        let columns = match &file.gather.columns {
            None => columns::default_columns(),
            Some(keys) => keys
                .iter()
                .map(|key| columns::column(key))
                .collect::<Result<_, Error>>()
                .map_err(|error| text.error(text.offset(&["gather", "columns"]), error))?,
        };
        let convergences = file
            .convergence
            .iter()
            .map(|(name, file)| Convergence::of(&text, name, file, &plan.varied))
            .collect::<Result<_, Error>>()?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            title: file.title.unwrap_or_default(),
            case: path.parent().unwrap_or(Path::new("")).join(&file.case),
            runs: plan.runs,
            settings: plan.settings,
            varied: plan.varied,
            columns,
            figures: file.gather.figures.unwrap_or(FIGURES),
            convergences,
            budget,
            name,
            path: path.into(),
            text,
        })
    }

    /// Reads and checks the cases of all runs; the error lists every one that cannot be run.
    pub fn ready(&self) -> Result<Vec<Ready>, Error> {
        let mut fingerprints = Fingerprints::default();
        let (mut ready, mut faults): (Vec<Ready>, Vec<(String, Vec<&str>)>) = Default::default();
        for planned in &self.runs {
            match self.ready_one(planned, &mut fingerprints) {
                Ok(run) => ready.push(run),
                // The case itself: no fault of a run.
                Err(Error::Read { path, source }) if path == self.case => {
                    let place = self.text.place(self.text.offset(&["case"]));
                    let path = path.display();
                    let message = format!("{place}: case: {path}: cannot be read: {source}");
                    return Err(Error::Usage(format!(
                        "{message}; the path is relative to the study"
                    )));
                }
                Err(error) => {
                    let reason = self.in_place(planned, &error);
                    match faults.iter_mut().find(|(known, _)| *known == reason) {
                        Some((_, labels)) => labels.push(&planned.label),
                        None => faults.push((reason, vec![&planned.label])),
                    }
                }
            }
        }
        if faults.is_empty() { Ok(ready) } else { Err(self.refusal(&faults)) }
    }

    /// Reads and checks the case of one run.
    pub fn ready_task(&self, number: usize) -> Result<Ready, Error> {
        let planned = number.checked_sub(1).and_then(|at| self.runs.get(at)).ok_or_else(|| {
            let count = self.runs.len();
            Error::Usage(format!("--task {number}: the study has runs 1 to {count}"))
        })?;
        let ready = self.ready_one(planned, &mut Fingerprints::default());
        ready.map_err(|error| Error::Usage(self.in_place(planned, &error)))
    }

    fn ready_one(&self, planned: &Planned, seen: &mut Fingerprints) -> Result<Ready, Error> {
        let case = Case::read(&self.case, &planned.overrides)?;
        let identity = seen.identity(&case)?;
        Ok(Ready { planned: planned.clone(), case, identity })
    }

    /// An error about a case, with the line of the study that its value stands on.
    fn in_place(&self, planned: &Planned, error: &Error) -> String {
        let text = error.to_string();
        let text = text.lines().next().unwrap_or_default();
        for setting in self.settings[planned.number - 1].iter().rev() {
            let given = format!("--set {}", plan::assignment(setting));
            if let Some(rest) = text.strip_prefix(&given) {
                let place = self.text.place(setting.offset);
                return format!("{place}: {}{rest}", plan::assignment(setting));
            }
        }
        text.to_string()
    }

    fn refusal(&self, faults: &[(String, Vec<&str>)]) -> Error {
        let (all, bad) =
            (self.runs.len(), faults.iter().map(|(_, labels)| labels.len()).sum::<usize>());
        let mut told = format!("{}: {bad} of {all} runs cannot be started", self.path.display());
        for (reason, labels) in faults {
            told += &format!("\n  {reason}");
            if labels.len() < all {
                labels.iter().for_each(|label| told += &format!("\n    in {label}"));
            }
        }
        Error::Usage(told)
    }

    /// Forgets how runs ended before, but for those that `resume` keeps: the ones that came to their end with
    /// the same case, mesh and version. Returns those that are to be taken. The folder must be locked by a [`StudyLock`].
    pub fn begin<'r>(
        &self,
        ready: &'r [Ready],
        out: &Path,
        resume: bool,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<Vec<&'r Ready>, Error> {
        lock::make(out)?;
        let mut open = Vec::new();
        for run in ready {
            let folder = out.join(&run.planned.folder);
            match Record::read(&folder, run) {
                Some(record) if resume && record.status != RunStatus::Failed => {
                    tell(Event::Kept(&record));
                }
                _ => {
                    Record::remove(&folder)?;
                    open.push(run);
                }
            }
        }
        Ok(open)
    }

    /// Takes runs, several at a time within the budget; with `resume`, from their checkpoints where they have some.
    /// One that fails does not stop the others.
    pub fn take(
        &self,
        runs: &[&Ready],
        out: &Path,
        resume: bool,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<(), Error> {
        take::take_all(self, runs, out, resume, tell)
    }

    /// Gathers what the runs left in `out`: table, figures, rates.
    pub fn gather(&self, ready: &[Ready], out: &Path) -> Result<Gathering, Error> {
        let record = |run: &Ready| Record::read(&out.join(&run.planned.folder), run);
        let records: Vec<Option<Record>> = ready.iter().map(record).collect();
        let (table, all) = self.tables(ready, &records, out)?;
        table.write(out)?;
        let drawn = self.draw_runs(ready, &records, out)?;
        let units = ready.first().map_or("", |run| run.case.units.as_str());
        let (series, rates) = self.draw_rates(&all, units, out)?;
        Ok(Gathering { table, records, series, rates, drawn })
    }

    /// The table of the study, and one that has the columns of its convergences too.
    fn tables(
        &self,
        ready: &[Ready],
        records: &[Option<Record>],
        out: &Path,
    ) -> Result<(StudyTable, StudyTable), Error> {
        let text = |name: &str, cells: Vec<Option<String>>| Gathered {
            name: name.into(),
            kind: ColumnKind::Text,
            cells: cells.into_iter().map(|cell| cell.map(Cell::Text)).collect(),
        };
        let status =
            |record: &Option<Record>| record.as_ref().map_or("not run", |r| r.status.word());
        let labels = ready.iter().map(|run| Some(run.planned.label.clone())).collect();
        let mut columns = vec![text("run", labels)];
        columns.extend(self.varied_columns(ready)?);
        let statuses = records.iter().map(|record| Some(status(record).to_string())).collect();
        columns.push(text("status", statuses));
        let summaries = summaries(ready, records, out)?;
        let gathered = |column: &Column| Gathered {
            name: column.key.clone(),
            kind: column.kind,
            cells: summaries.iter().map(|s| s.as_ref().and_then(|s| column.read(s))).collect(),
        };
        let own = |column: &&Column| !self.varied.contains(&column.key);
        columns.extend(self.columns.iter().filter(own).map(gathered));
        let errors = records.iter().map(|r| r.as_ref().and_then(|r| r.error.clone())).collect();
        columns.push(text("error", errors));
        let mut all = StudyTable { columns: columns.clone() };
        for column in self.convergences.iter().flat_map(Convergence::columns) {
            if all.column(&column.key).is_none() {
                all.columns.push(gathered(&column));
            }
        }
        Ok((StudyTable { columns }, all))
    }

    /// The values in effect of the keys that are varied; blank where a case leaves the default.
    fn varied_columns(&self, ready: &[Ready]) -> Result<Vec<Gathered>, Error> {
        let cases = ready.iter().map(|run| run.case.effective()).collect::<Result<Vec<_>, _>>()?;
        let look = |table: &toml::Table, key: &str| {
            let mut names = key.split('.');
            let first = table.get(names.next()?)?;
            names.try_fold(first, |value, name| value.get(name)).cloned()
        };
        let column = |key: &String| {
            let values: Vec<Option<toml::Value>> =
                cases.iter().map(|case| look(case, key)).collect();
            let kind = table::kind_of(&values);
            let cell = |value: Option<toml::Value>| value.map(|value| table::cell_of(&value, kind));
            Gathered { name: key.clone(), kind, cells: values.into_iter().map(cell).collect() }
        };
        Ok(self.varied.iter().map(column).collect())
    }

    /// The first runs that have ended and a history, beside each other.
    fn draw_runs(
        &self,
        ready: &[Ready],
        records: &[Option<Record>],
        out: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let ended = ready.iter().zip(records).filter(|(run, record)| {
            let whole = record.as_ref().is_some_and(|record| record.status != RunStatus::Failed);
            whole && run.case.output.history_every > 0
        });
        let drawn: Vec<(String, PathBuf)> = ended
            .take(self.figures)
            .map(|(run, _)| (run.planned.label.clone(), out.join(&run.planned.folder)))
            .collect();
        let case = ready.first().map(|run| &run.case);
        let title =
            if self.title.is_empty() { case.map_or("", |case| &case.title) } else { &self.title };
        compare::draw(&drawn, title, case.map_or("", |case| &case.units), out)?;
        Ok(drawn.into_iter().map(|(_, folder)| folder).collect())
    }

    fn draw_rates(
        &self,
        all: &StudyTable,
        units: &str,
        out: &Path,
    ) -> Result<(Vec<RateSeries>, Pictures), Error> {
        let series = |one: &Convergence| one.series(all, &self.varied);
        let rates: Vec<(&Convergence, Vec<RateSeries>)> =
            self.convergences.iter().map(|one| (one, series(one))).collect();
        let mut figures = Vec::new();
        for (convergence, series) in &rates {
            let figure = convergence.figure(&self.title, units, series);
            let name = format!("convergence_{}", convergence.name);
            table::write(out, &format!("{name}.svg"), figure.to_svg().as_bytes())?;
            figures.push((name, figure));
        }
        if !rates.is_empty() {
            table::write(out, "convergence.csv", convergence::csv(&rates).as_bytes())?;
        }
        Ok((rates.into_iter().flat_map(|(_, series)| series).collect(), figures))
    }
}

/// The `summary.json` of each run that came to its end.
fn summaries(
    ready: &[Ready],
    records: &[Option<Record>],
    out: &Path,
) -> Result<Vec<Option<serde_json::Value>>, Error> {
    let summary = |(run, record): (&Ready, &Option<Record>)| {
        if record.as_ref().is_none_or(|record| record.status == RunStatus::Failed) {
            return Ok(None);
        }
        let path = out.join(&run.planned.folder).join("summary.json");
        let text = std::fs::read_to_string(&path)
            .map_err(|source| Error::Read { path: path.clone(), source })?;
        let complain = |error: serde_json::Error| Error::Results {
            path,
            message: format!("{error}; was it changed by hand? run the study again"),
        };
        serde_json::from_str(&text).map(Some).map_err(complain)
    };
    ready.iter().zip(records).map(summary).collect()
}
