//! What a run wrote, column by column.

use std::path::Path;

use crate::energy::{TOTAL, Term, TermClass};
use crate::error::Error;
use crate::output::Table;

/// `history.csv` of a run, and its `trajectory.csv` where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// `history.csv`; empty where the run wrote none.
    pub history: Columns,
    /// `trajectory.csv`.
    pub trajectory: Option<Columns>,
}

/// Name of the column that `Series::read` adds to the history: energy at the start and all works
/// since. It is the total energy again where the balance closes.
pub const BALANCE: &str = "start_and_works";
/// Name of another: the works of damping, contact and the scheme.
pub const DISSIPATION: &str = "dissipation";

/// Which rows of a table are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowsRead {
    /// All, and the last must be whole.
    All,
    /// Those that are whole, of a run that has not finished.
    SoFar,
}

impl RowsRead {
    fn table(self, path: &Path) -> Result<Table, Error> {
        match self {
            Self::All => Table::read(path),
            Self::SoFar => Table::read_so_far(path),
        }
    }
}

impl Series {
    /// Reads the files of a results folder.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        Self::read_rows(folder, RowsRead::All)
    }

    pub(super) fn read_rows(folder: &Path, rows: RowsRead) -> Result<Self, Error> {
        let history = history_of(&rows.table(&folder.join("history.csv"))?)?;
        Ok(Self { history, trajectory: trajectory_of(folder, rows)? })
    }

    /// Reads the files of a run that wrote no history.
    pub(super) fn read_without_history(folder: &Path, rows: RowsRead) -> Result<Self, Error> {
        Ok(Self { history: Columns::default(), trajectory: trajectory_of(folder, rows)? })
    }
}

fn history_of(table: &Table) -> Result<Columns, Error> {
    let mut history = Columns::of(table)?;
    let taken = history.sum(Term::taking());
    let start = history.get(TOTAL).and_then(|total| total.first()).copied();
    let supplied = history.sum(Term::of(TermClass::Supplied));
    let balance = taken.iter().zip(&supplied).map(|(t, s)| start.unwrap_or(f64::NAN) + s + t);
    let balance = balance.collect();
    history.columns.push((DISSIPATION.into(), taken));
    history.columns.push((BALANCE.into(), balance));
    Ok(history)
}

fn trajectory_of(folder: &Path, rows: RowsRead) -> Result<Option<Columns>, Error> {
    let path = folder.join("trajectory.csv");
    if path.is_file() { Ok(Some(Columns::of(&rows.table(&path)?)?)) } else { Ok(None) }
}

/// Columns over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Steps.
    pub step: Vec<f64>,
    /// Times.
    pub time: Vec<f64>,
    columns: Vec<(String, Vec<f64>)>,
}

impl Columns {
    /// Of a table with columns `step`, `time` and others.
    fn of(table: &Table) -> Result<Self, Error> {
        let values = |at: usize| -> Vec<f64> { table.rows.iter().map(|row| row[at]).collect() };
        let others = table.columns.iter().enumerate().filter(|(_, c)| *c != "step" && *c != "time");
        Ok(Self {
            step: values(table.column("step")?),
            time: values(table.column("time")?),
            columns: others.map(|(at, name)| (name.clone(), values(at))).collect(),
        })
    }

    /// Names of all columns but `step` and `time`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The values of a column.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|(own, _)| own == name).map(|(_, values)| values.as_slice())
    }

    /// Sum of terms, row by row.
    fn sum(&self, terms: impl Iterator<Item = Term>) -> Vec<f64> {
        let mut sum = vec![0.0; self.time.len()];
        for values in terms.filter_map(|term| self.get(term.line().column)) {
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        sum
    }

    /// Columns as a test gives them.
    #[cfg(test)]
    pub fn given(step: &[f64], columns: &[(&str, &[f64])]) -> Self {
        let time = step.iter().map(|step| 0.5 * step).collect();
        let columns = columns.iter().map(|(name, values)| (name.to_string(), values.to_vec()));
        Self { step: step.to_vec(), time, columns: columns.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_run_are_read_and_their_works_summed() {
        let folder = std::env::temp_dir().join(format!("delassus_series_{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write(
            "history.csv",
            "step,time,total,work_external,work_damping,work_normal,work_tangential,dissipation_numerical\n\
             0,0.0,8.0,0.0,0.0,0.0,0.0,0.0\n1,0.5,7.0,2.0,-1.0,-0.5,-1.0,-0.5\n",
        );
        let without = Series::read(&folder).unwrap();
        assert_eq!(without.trajectory, None);
        assert_eq!(without.history.get(DISSIPATION), Some(&[0.0, -3.0][..]));
        assert_eq!(without.history.get(BALANCE), Some(&[8.0, 7.0][..]));
        write("trajectory.csv", "step,time,rod.x,tip.gap\n0,0.0,1.0,0.25\n1,0.5,1.5,NaN\n");
        let trajectory = Series::read(&folder).unwrap().trajectory.unwrap();
        assert_eq!(trajectory.names().collect::<Vec<_>>(), ["rod.x", "tip.gap"]);
        assert_eq!(
            (&trajectory.step[..], &trajectory.time[..]),
            (&[0.0, 1.0][..], &[0.0, 0.5][..])
        );
        write("trajectory.csv", "step,time,rod.x\n0,0.0\n");
        assert!(Series::read(&folder).unwrap_err().to_string().contains("trajectory.csv: line 2"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
