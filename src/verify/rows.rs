//! The rows of a history, and what they say.

use super::Check;
use crate::energy::{
    BodyBalance, Certificate, ContactTerms, NumericalWork, REMEMBERED, SetWork, TOTAL, Term,
    TermClass, Worst,
};
use crate::error::Error;
use crate::output::{Energies, Table, history_columns};

/// Sums of many numbers agree to this share.
const SUMS_AGREE: f64 = 1e-9;
/// A difference of two sums is known to this share of them.
const DIFFERENCE: f64 = 8.0 * f64::EPSILON;

fn counted(bodies: &[BodyBalance]) -> String {
    match bodies.len() {
        1 => "the body".into(),
        count => format!("{count} bodies"),
    }
}

/// The rows of a history, at least one, with all columns.
pub(super) struct HistoryRows<'a> {
    table: &'a Table,
}

impl<'a> HistoryRows<'a> {
    pub fn new(table: &'a Table) -> Result<Self, Error> {
        for name in history_columns() {
            table.column(name)?;
        }
        if table.rows.is_empty() {
            let message = "there is no row; set output.history_every = 1 and run the case again";
            return Err(Error::Results { path: table.path.clone(), message: message.into() });
        }
        Ok(Self { table })
    }

    fn at(&self, row: usize, name: &str) -> f64 {
        let column = self.table.columns.iter().position(|column| column == name);
        column.map_or(f64::NAN, |column| self.table.rows[row][column])
    }

    fn values(&self, name: &str) -> impl Iterator<Item = f64> {
        let column = self.table.columns.iter().position(|column| column == name);
        self.table.rows.iter().map(move |row| column.map_or(f64::NAN, |column| row[column]))
    }

    fn values_of(&self, term: Term) -> impl Iterator<Item = f64> {
        self.values(term.line().column)
    }

    /// Sum of some terms, row by row, in their order.
    fn sums(&self, mut terms: impl Iterator<Item = Term>) -> Vec<f64> {
        let first = terms.next().map(|term| self.values_of(term).collect());
        let mut sums: Vec<f64> = first.unwrap_or_else(|| vec![0.0; self.table.rows.len()]);
        for term in terms {
            sums.iter_mut().zip(self.values_of(term)).for_each(|(sum, value)| *sum += value);
        }
        sums
    }

    pub fn last(&self, name: &str) -> f64 {
        self.at(self.table.rows.len() - 1, name)
    }

    /// Largest of a column under `f`; NaN if any value is.
    fn largest(&self, name: &str, f: impl Fn(f64) -> f64) -> f64 {
        let larger = |m: f64, x: f64| if x.is_nan() || x > m { x } else { m };
        self.values(name).map(f).fold(0.0, larger)
    }

    /// What the run is judged by, but for the sums of its contact sets.
    pub fn worst(&self, contacts: Vec<SetWork>) -> Worst {
        let mut numerical = NumericalWork::default();
        let works = self.sums(Term::of(TermClass::Scheme));
        for (pair, rounding) in works.windows(2).zip(self.values("balance_floor").skip(1)) {
            numerical.enter(pair[0], pair[1], rounding);
        }
        Worst {
            energy_scale: self.energy_scale(),
            residual: self.largest("balance_residual", f64::abs),
            balance_floor: self.largest("balance_floor", |floor| floor),
            largest: ContactTerms::of(
                Term::largest().map(|(term, column)| (term, self.largest(column, |work| work))),
            ),
            work_share: self.largest("max_work_share", |share| share),
            contacts,
            bodies: Vec::new(),
            numerical: numerical.gained,
            numerical_passed: numerical.passed,
            numerical_floor: numerical.rounding,
        }
    }

    /// Whether the steps are 0, `every`, 2·`every`, …, and `last`.
    pub fn check_steps(&self, every: usize, last: usize) -> Check {
        let expected = (0..last).step_by(every).chain([last]).map(|step| step as f64);
        let reached = self.last("step");
        Check {
            what: format!("history.csv has every step it should, up to {reached} of {last}"),
            holds: self.values("step").eq(expected),
        }
    }

    /// The step of the last row.
    pub fn reached(&self) -> usize {
        self.last("step") as usize
    }

    /// Whether the steps are 0, `every`, 2·`every`, … as far as they go, of a run up to `last`.
    pub fn check_steps_so_far(&self, every: usize, last: usize) -> Check {
        let reached = self.reached();
        let end = (reached == last && !last.is_multiple_of(every)).then_some(last);
        let expected = (0..=reached).step_by(every);
        let expected = expected.chain(end).map(|step| step as f64);
        Check {
            what: format!("history.csv has every step it should so far, up to {reached} of {last}"),
            holds: reached <= last && self.values("step").eq(expected),
        }
    }

    /// Whether times are those of the steps.
    pub fn check_times(&self, h: f64) -> Check {
        let rows = self.values("step").zip(self.values("time"));
        let holds =
            rows.into_iter().all(|(step, time)| (time - step * h).abs() <= 1e-9 * time.abs());
        Check { what: format!("times are those of steps of {h:?}"), holds }
    }

    /// Whether energies add up, which they do but for rounding.
    pub fn check_totals(&self) -> Check {
        let sums = self.sums(Term::energies()).into_iter().enumerate();
        let holds = sums.zip(self.values(TOTAL)).all(|((row, sum), total)| {
            let size = self.size(row, Term::energies());
            (sum - total).abs() <= 4.0 * f64::EPSILON * size
        });
        Check { what: "energies of each row add up to its total".into(), holds }
    }

    /// Whether energies and works of each row balance.
    pub fn check_balance(&self, limit: f64, every: usize) -> Check {
        let gap = self.worst_balance();
        let rounding = DIFFERENCE * self.energy_scale();
        Check {
            what: format!(
                "energies and works of each row balance to {gap:.1e} (limit {limit:.1e} a step)"
            ),
            holds: gap <= limit * every as f64 + rounding,
        }
    }

    /// Whether the largest works, their shares and the sums of what was created and passed go together.
    pub fn check_works(&self, every: usize) -> Check {
        let created: Vec<f64> = self.values("work_created").collect();
        let passed: Vec<f64> = self.values("work_passed").collect();
        let works = self.sums(Term::of(TermClass::Contact));
        let holds = (1..created.len()).all(|row| {
            let gained = created[row] - created[row - 1];
            let through = passed[row] - passed[row - 1];
            let share = self.at(row, "max_work_share");
            let works_of_a_contact = Term::largest().map(|(_, column)| self.at(row, column));
            let terms = works_of_a_contact.clone().count() as f64;
            let largest = works_of_a_contact.fold(f64::NAN, f64::max);
            let slack = |sum: f64| DIFFERENCE * sum.abs() + f64::MIN_POSITIVE;
            let grows = gained >= 0.0 && through >= 0.0;
            let is_in_sum = largest <= gained + slack(created[row]);
            let counted = through + REMEMBERED * passed[row] + slack(passed[row]);
            let has_share = largest <= share * counted * (1.0 + SUMS_AGREE);
            let has_work = (share > 0.0) == (largest > 0.0);
            let most = terms * self.at(row, "contacts") * largest;
            let is_sum = every > 1 || gained <= most + slack(created[row]);
            let bounded = works[row] - works[row - 1]
                <= gained
                    + slack(created[row])
                    + DIFFERENCE * self.size(row, Term::of(TermClass::Contact));
            grows && is_in_sum && has_share && has_work && is_sum && bounded
        });
        let what = "largest works, their shares and the sums of positive works of each row agree";
        Check { what: what.into(), holds }
    }

    /// Sum of the magnitudes of some terms in a row.
    fn size(&self, row: usize, terms: impl Iterator<Item = Term>) -> f64 {
        terms.map(|term| self.at(row, term.line().column).abs()).sum()
    }

    /// Whether the last row says what the summary says.
    pub fn check_end(&self, end: &Energies) -> Check {
        let holds = self.at(0, TOTAL) == end.total_start
            && self.at(0, Term::Strain.line().column) == end.strain_start
            && end.under_columns().all(|(name, value)| self.last(name) == value);
        Check { what: "energies and works of summary.json are those of the rows".into(), holds }
    }

    /// Whether the works of all contacts, by tables of them, add up to those of the last row.
    pub fn check_contacts(&self, tables: &[&Table]) -> Result<Vec<Check>, Error> {
        let name = |table: &&Table| {
            table.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
        };
        let names = tables.iter().map(name).collect::<Vec<_>>().join(" and ");
        let of_contacts = Term::of(TermClass::Contact);
        let pairs = of_contacts.filter_map(|t| Some((t.line().of_contact?, t.line().column)));
        let sums = [("work_created", "work_created"), ("work_passed", "work_passed")];
        let check = |(column, total): (&str, &str)| {
            let (mut sum, mut size) = (0.0, 0.0);
            for table in tables {
                let (more, larger) = table.sum(column)?;
                (sum, size) = (sum + more, size + larger);
            }
            let expected = self.last(total);
            let holds = (sum - expected).abs() <= SUMS_AGREE * size.max(expected.abs());
            let what =
                format!("{column} of {names} adds up to {sum:.9e}, {total} is {expected:.9e}");
            Ok(Check { what, holds })
        };
        pairs.chain(sums).map(check).collect()
    }

    /// Whether the accounts of the bodies balance, and add up to the last row: what contacts do to bodies is their work
    /// and, through obstacles that move, external.
    pub fn check_bodies(&self, bodies: &[BodyBalance]) -> Check {
        let steps = self.last("step");
        let balances = |own: &BodyBalance| {
            let change = own.sums.energy_change();
            let size = own.sums.works().fold(change.abs(), |size, work| size + work.abs());
            let left = (change - own.sums.works().sum::<f64>()).abs();
            left <= steps * own.max_balance_residual + SUMS_AGREE * size
        };
        let sum = |of: &dyn Fn(&BodyBalance) -> f64| -> (f64, f64) {
            bodies.iter().map(of).fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()))
        };
        let last = |term: Term| self.last(term.line().column);
        let class = |term: &Term| term.line().class;
        let given = |t: &Term| matches!(class(t), TermClass::Supplied | TermClass::Contact);
        let given_to = |own: &BodyBalance| -> f64 {
            Term::of_bodies().filter(given).map(|term| own.sums[term]).sum()
        };
        let given_to_all: f64 = Term::works().filter(given).map(last).sum();
        let changed = self.last(TOTAL) - self.at(0, TOTAL);
        let mut pairs =
            vec![(sum(&|own| own.sums.energy_change()), changed), (sum(&given_to), given_to_all)];
        let others = Term::works().filter(|term| !given(term));
        pairs.extend(others.map(|term| (sum(&|own| own.sums[term]), last(term))));
        let scale = self.energy_scale() + self.last("work_passed");
        let adds_up = pairs.iter().all(|((sum, size), expected)| {
            (sum - expected).abs() <= SUMS_AGREE * size.max(expected.abs()) + DIFFERENCE * scale
        });
        Check {
            what: format!("the accounts of {} in bodies.csv balance and add up", counted(bodies)),
            holds: adds_up && bodies.iter().all(balances),
        }
    }

    /// Whether no row is worse than what the summary says of all steps.
    pub fn check_figures(&self, recorded: &Certificate, every: usize) -> Check {
        let rows = self.worst(Vec::new());
        let residual = recorded.max_balance_residual * recorded.energy_scale;
        let pairs = [
            (rows.energy_scale, recorded.energy_scale),
            (rows.residual, residual * (1.0 + DIFFERENCE)),
            (rows.balance_floor, recorded.balance_floor),
            (rows.work_share, recorded.max_work_share),
            (rows.numerical, recorded.max_numerical_work),
            (rows.numerical_passed, recorded.numerical_passed * (1.0 + SUMS_AGREE)),
        ];
        let what = match every {
            1 => "the worst of all steps is what summary.json has",
            _ => "no row is worse than what summary.json has",
        };
        let works = Term::largest().map(|(term, _)| (rows.largest[term], recorded.largest[term]));
        let holds = pairs.into_iter().chain(works).all(|(row, summary)| row <= summary);
        Check { what: what.into(), holds }
    }

    /// Whether the most contacts of a step are what the summary says, where no step is left out.
    pub fn check_most_contacts(&self, recorded: usize, every: usize) -> Check {
        let most = self.largest("contacts", |count| count);
        let holds = if every == 1 { most == recorded as f64 } else { most <= recorded as f64 };
        Check {
            what: format!("no step has more contacts than summary.json has, {recorded}"),
            holds,
        }
    }

    fn energy_scale(&self) -> f64 {
        let columns = Term::scaling().map(|term| term.line().column).chain([TOTAL]);
        columns.map(|name| self.largest(name, f64::abs)).fold(0.0, f64::max)
    }

    /// Largest |Δtotal − Δ(all works)| between rows.
    fn worst_balance(&self) -> f64 {
        let mut left: Vec<f64> = self.values(TOTAL).collect();
        for term in Term::works() {
            left.iter_mut().zip(self.values_of(term)).for_each(|(l, w)| *l -= w);
        }
        let larger = |m: f64, x: f64| if x.is_nan() || x > m { x } else { m };
        left.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, larger)
    }
}
