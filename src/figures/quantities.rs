//! What is drawn, and from which columns.

use crate::energy::{TOTAL, Term, TermClass};
use crate::results::{BALANCE, Columns, DISSIPATION, Series};
use crate::units::Dimension;

/// One quantity: a figure and a file of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Name of its files.
    pub name: &'static str,
    /// What it is, for titles and axes.
    pub title: &'static str,
    /// What it is made of.
    pub dimension: Dimension,
    /// Which file of a run it comes from.
    pub file: File,
    /// Whether it belongs to a step alone, and may jump from one to the next.
    pub of_a_step: bool,
    /// Its columns, in all runs together.
    pub columns: Vec<String>,
}

/// A file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// `history.csv`.
    History,
    /// `trajectory.csv`.
    Trajectory,
}

impl Quantity {
    /// The file of a run that it comes from, where the run has it.
    pub fn source<'a>(&self, run: &'a Series) -> Option<&'a Columns> {
        match self.file {
            File::History => Some(&run.history),
            File::Trajectory => run.trajectory.as_ref(),
        }
    }
}

/// Which columns of a history are drawn.
#[derive(Clone, Copy)]
enum QuantityCurves {
    /// This one.
    Column(&'static str),
    /// All terms with their sums.
    Terms,
    /// What contacts and scheme do.
    Made,
}

impl QuantityCurves {
    fn columns(self) -> Vec<&'static str> {
        let of = |class| Term::of(class).map(|term| term.line().column);
        match self {
            Self::Column(column) => vec![column],
            Self::Terms => Term::columns().chain([DISSIPATION, BALANCE]).collect(),
            Self::Made => of(TermClass::Contact).chain(of(TermClass::Scheme)).collect(),
        }
    }
}

/// Name, title, whether of a step alone, dimension, and columns of what is drawn from histories.
const FROM_HISTORY: [(&str, &str, bool, Dimension, QuantityCurves); 7] = [
    ("energy", "total energy", false, Dimension::Energy, QuantityCurves::Column(TOTAL)),
    ("energies", "energy", false, Dimension::Energy, QuantityCurves::Terms),
    ("work", "work since the start", false, Dimension::Energy, QuantityCurves::Made),
    (
        "max_tangential_work",
        "largest tangential work of a contact in a step",
        true,
        Dimension::Energy,
        QuantityCurves::Column("max_tangential_work"),
    ),
    (
        "min_tangential_work",
        "smallest tangential work of a contact in a step",
        true,
        Dimension::Energy,
        QuantityCurves::Column("min_tangential_work"),
    ),
    ("contacts", "active contacts", true, Dimension::Count, QuantityCurves::Column("contacts")),
    (
        "iterations",
        "iterations of the contact solver",
        true,
        Dimension::Count,
        QuantityCurves::Column("iterations"),
    ),
];

/// Name, title, whether of a step alone, dimension, and last words of the columns of what is drawn from
/// trajectories.
const FROM_TRAJECTORY: [(&str, &str, bool, Dimension, &[&str]); 8] = [
    ("position", "position", false, Dimension::Length, &["x", "y", "z"]),
    ("angle", "angle", false, Dimension::Angle, &["angle"]),
    ("velocity", "velocity", false, Dimension::Velocity, &["vx", "vy", "vz"]),
    ("spin", "spin", false, Dimension::Spin, &["spin"]),
    ("gap", "gap", false, Dimension::Length, &["gap"]),
    ("relative_velocity", "relative velocity", false, Dimension::Velocity, &["u_n", "u_t"]),
    ("impulse", "impulse of the step", true, Dimension::Impulse, &["p_n", "p_t"]),
    ("contact_work", "contact work of the step", true, Dimension::Energy, &["w_n", "w_t"]),
];

/// Names of all files of numbers but the table, and of all figures.
pub fn names() -> impl Iterator<Item = &'static str> {
    let trajectory = FROM_TRAJECTORY.iter().map(|(name, ..)| *name);
    FROM_HISTORY.iter().map(|(name, ..)| *name).chain(trajectory)
}

/// Names of those that come from trajectories.
pub fn of_trajectories() -> impl Iterator<Item = &'static str> {
    FROM_TRAJECTORY.iter().map(|(name, ..)| *name)
}

/// The quantities that at least one of the runs has.
pub fn all(runs: &[(&str, &Series)]) -> Vec<Quantity> {
    let has_history = runs.iter().any(|(_, run)| !run.history.time.is_empty());
    let history = FROM_HISTORY.iter().map(|&(name, title, of_a_step, dimension, drawn)| Quantity {
        name,
        title,
        dimension,
        file: File::History,
        of_a_step,
        columns: drawn.columns().into_iter().map(String::from).collect(),
    });
    let history = history.filter(|_| has_history);
    let trajectory =
        FROM_TRAJECTORY.iter().map(|&(name, title, of_a_step, dimension, last_words)| Quantity {
            name,
            title,
            dimension,
            file: File::Trajectory,
            of_a_step,
            columns: columns_ending(runs, last_words),
        });
    let exists = |quantity: &Quantity| !runs.is_empty() && !quantity.columns.is_empty();
    history.chain(trajectory).filter(exists).collect()
}

/// The columns `OBJECT.WORD` of all trajectories, in the order in which they are met.
fn columns_ending(runs: &[(&str, &Series)], last_words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let trajectories = runs.iter().filter_map(|(_, series)| series.trajectory.as_ref());
    for name in trajectories.flat_map(Columns::names) {
        let word = name.rsplit_once('.').map_or(name, |(_, word)| word);
        if last_words.contains(&word) && !found.iter().any(|known| known == name) {
            found.push(name.to_string());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_all_runs_are_sorted_into_quantities() {
        let run = |names: &[&'static str]| {
            let columns: Vec<(&str, &[f64])> =
                names.iter().map(|name| (*name, &[1.0][..])).collect();
            let trajectory = Some(Columns::given(&[0.0], &columns));
            Series { history: Columns::given(&[0.0], &[]), trajectory }
        };
        let (a, b) = (run(&["rod.x", "rod.angle", "tip.p_n"]), run(&["rod.x", "rod.y", "v.1.vx"]));
        let quantities = all(&[("a", &a), ("b", &b)]);
        let found: Vec<(&str, String)> = quantities
            .iter()
            .skip(FROM_HISTORY.len())
            .map(|q| (q.name, q.columns.join(" ")))
            .collect();
        let expected = [
            ("position", "rod.x rod.y"),
            ("angle", "rod.angle"),
            ("velocity", "v.1.vx"),
            ("impulse", "tip.p_n"),
        ];
        assert_eq!(found, expected.map(|(name, columns)| (name, columns.to_string())));
        let without = Series { trajectory: None, ..a };
        assert_eq!(all(&[("a", &without)]).len(), FROM_HISTORY.len());
        assert!(all(&[]).is_empty());
    }
}
