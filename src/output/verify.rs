//! `delassus verify`: the verdict again, from the files alone.

use std::path::Path;

use super::{COLUMNS, Cadence, ContactSummary, Counts, Energies, ResultsFolder, Summary, Table};
use crate::contact::Restitution;
use crate::energy::{BALANCE_TOLERANCE, Certificate, Coverage, Verdict, Worst};
use crate::error::Error;
use crate::step::Setting;

/// One thing looked at.
#[derive(Clone, Debug)]
pub struct Check {
    /// What.
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
}

/// What the files say.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Everything looked at.
    pub checks: Vec<Check>,
    /// The certificate, recomputed.
    pub certificate: Certificate,
}

impl Verification {
    /// Whether everything holds and nothing created energy.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.holds)
    }
}

/// Reads `summary.json` and the tables of a results folder and judges them anew; of frames, those that are listed must
/// be there.
pub fn verify(folder: &Path) -> Result<Verification, Error> {
    let summary = Summary::read_in(folder)?;
    if !summary.finished {
        let message = format!(
            "the run was interrupted after step {}; go on with it: delassus run CASE --resume",
            summary.counts.steps
        );
        return Err(Error::Results { path: folder.join("summary.json"), message });
    }
    if summary.counts.history_every == 0 {
        let message = "the run wrote no history; run it again with output.history_every = 1";
        return Err(Error::Results { path: folder.join("history.csv"), message: message.into() });
    }
    let history = Table::read(&folder.join("history.csv"))?;
    let contacts = Table::read(&folder.join("contacts.csv"))?;
    let rows = Rows::new(&history)?;
    let recorded = &summary.certificate;
    let every = summary.counts.history_every.max(1);
    let worst = Worst {
        energy_scale: rows.energy_scale().max(if every == 1 { 0.0 } else { recorded.energy_scale }),
        residual: rows.largest("balance_residual", f64::abs),
        tangential: rows.largest("max_tangential_work", |w| w),
        normal: rows.largest("max_normal_work", |w| w),
        balance_floor: recorded.balance_floor,
        work_floor: recorded.work_floor,
    };
    let certificate = Certificate::new(coverage_of(&summary), &worst);
    let mut checks = vec![
        rows.check_steps(every, summary.counts.steps),
        rows.check_times(summary.scheme.step),
        rows.check_totals(),
    ];
    checks.extend(check_tables(folder, &summary, &[&history, &contacts])?);
    checks.extend(check_frames(folder, &summary));
    let mut check = |what: String, holds: bool| checks.push(Check { what, holds });
    let gap = rows.worst_balance();
    let limit = (BALANCE_TOLERANCE * certificate.energy_scale).max(certificate.balance_floor);
    check(
        format!("energies and works of each row balance to {gap:.1e}"),
        gap <= limit * every as f64,
    );
    check(
        "energies and works of summary.json are those of the last row".into(),
        rows.end_with(&summary.energies),
    );
    for (column, total) in [("normal_work", "work_normal"), ("tangential_work", "work_tangential")]
    {
        let (sum, size) = contacts.sum(column)?;
        let expected = rows.last(total);
        let holds = (sum - expected).abs() <= 1e-9 * size.max(expected.abs());
        check(
            format!("{column} of contacts.csv adds up to {sum:.9e}, {total} is {expected:.9e}"),
            holds,
        );
    }
    if every == 1 {
        let (now, then) = (certificate.verdict, recorded.verdict);
        check(
            format!("the certificate is that of the rows, '{now}', recorded as '{then}'"),
            certificate == *recorded,
        );
    }
    let sound = certificate.verdict != Verdict::Violated && recorded.verdict != Verdict::Violated;
    check("no contact created energy and every step is balanced".into(), sound);
    Ok(Verification { checks, certificate })
}

/// That the tables hold numbers, and contacts.csv all contact nodes.
fn check_tables(folder: &Path, summary: &Summary, read: &[&Table]) -> Result<Vec<Check>, Error> {
    let path = folder.join("trajectory.csv");
    let trajectory = if path.exists() { Some(Table::read(&path)?) } else { None };
    let finite = |table: &Table| {
        let name = table.path.file_name().unwrap_or_default().to_string_lossy();
        Check { what: format!("every number of {name} is one"), holds: table.is_finite() }
    };
    let mut checks: Vec<Check> = read.iter().map(|table| finite(table)).collect();
    checks.extend(trajectory.iter().map(finite));
    let [found, expected] = [read[1].rows.len(), summary.counts.contact_nodes];
    let what = format!("contacts.csv has {found} rows for {expected} contact nodes");
    checks.push(Check { what, holds: found == expected });
    Ok(checks)
}

/// That the frames of all steps that should have one are there.
fn check_frames(folder: &Path, summary: &Summary) -> Vec<Check> {
    let Counts { fields_every: every, steps: last, contact_nodes, .. } = summary.counts;
    let cadence = Cadence { every, last };
    let series = [("fields", every > 0), ("contacts", every > 0 && contact_nodes > 0)];
    let wanted = series.into_iter().filter(|(_, wanted)| *wanted);
    let check = |(name, _): (&str, bool)| {
        let missing = cadence.missing(&ResultsFolder::at(folder), name, last);
        let listed = folder.join(format!("{name}.pvd")).is_file();
        let what = match &missing {
            Some(path) => format!("{} is gone", path.display()),
            None => format!("{name}.pvd and all its frames are there"),
        };
        Check { what, holds: missing.is_none() && listed }
    };
    wanted.map(check).collect()
}

/// What the theorem asks, judged anew from the scheme and the laws of the contacts.
fn coverage_of(summary: &Summary) -> Coverage {
    let law = |c: &ContactSummary| {
        (c.friction, Restitution { normal: c.restitution, tangential: c.tangential_restitution })
    };
    let sets: Vec<_> = summary.scheme.contacts.iter().map(law).collect();
    let scales = &summary.scales;
    let scheme = &summary.scheme;
    scheme.parameters.coverage(&Setting {
        sets: &sets,
        velocity_tolerance: scales.velocity_tolerance,
        velocity_scale: scales.velocity,
        frames_turn: scheme.frames_turn,
        damped: scheme.damped,
        stable: scheme.largest_stable_step.is_none_or(|limit| scheme.step <= limit),
    })
}

/// The rows of a history, at least one, with all columns.
struct Rows<'a> {
    table: &'a Table,
}

impl<'a> Rows<'a> {
    fn new(table: &'a Table) -> Result<Self, Error> {
        for name in COLUMNS {
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

    fn last(&self, name: &str) -> f64 {
        self.at(self.table.rows.len() - 1, name)
    }

    /// Largest of a column under `f`; NaN if any value is.
    fn largest(&self, name: &str, f: impl Fn(f64) -> f64) -> f64 {
        let larger = |m: f64, x: f64| if x.is_nan() || x > m { x } else { m };
        self.values(name).map(f).fold(0.0, larger)
    }

    /// Whether the steps are 0, `every`, 2·`every`, …, and `last`.
    fn check_steps(&self, every: usize, last: usize) -> Check {
        let expected = (0..last).step_by(every).chain([last]).map(|step| step as f64);
        let reached = self.last("step");
        Check {
            what: format!("history.csv has every step it should, up to {reached} of {last}"),
            holds: self.values("step").eq(expected),
        }
    }

    /// Whether times are those of the steps.
    fn check_times(&self, h: f64) -> Check {
        let rows = self.values("step").zip(self.values("time"));
        let holds =
            rows.into_iter().all(|(step, time)| (time - step * h).abs() <= 1e-9 * time.abs());
        Check { what: format!("times are those of steps of {h:?}"), holds }
    }

    /// Whether energies add up, which they do but for rounding.
    fn check_totals(&self) -> Check {
        let parts = self.values("kinetic").zip(self.values("strain")).zip(self.values("potential"));
        let holds = parts.zip(self.values("total")).all(|(((k, s), p), total)| {
            let size = k.abs() + s.abs() + p.abs();
            (k + s + p - total).abs() <= 4.0 * f64::EPSILON * size
        });
        Check { what: "energies of each row add up to its total".into(), holds }
    }

    /// Whether the last row says what the summary says.
    fn end_with(&self, end: &Energies) -> bool {
        let recorded = [
            ("kinetic", end.kinetic),
            ("strain", end.strain),
            ("potential", end.potential),
            ("total", end.total),
            ("work_external", end.work_external),
            ("work_damping", end.work_damping),
            ("work_normal", end.work_normal),
            ("work_tangential", end.work_tangential),
            ("dissipation_numerical", end.dissipation_numerical),
        ];
        self.at(0, "total") == end.total_start
            && self.at(0, "strain") == end.strain_start
            && recorded.iter().all(|&(name, value)| self.last(name) == value)
    }

    fn energy_scale(&self) -> f64 {
        ["kinetic", "strain", "potential", "total", "work_external"]
            .iter()
            .map(|name| self.largest(name, f64::abs))
            .fold(0.0, f64::max)
    }

    /// Largest |Δtotal − Δ(all works)| between rows.
    fn worst_balance(&self) -> f64 {
        let works = [
            "work_external",
            "work_damping",
            "work_normal",
            "work_tangential",
            "dissipation_numerical",
        ];
        let mut left: Vec<f64> = self.values("total").collect();
        for name in works {
            left.iter_mut().zip(self.values(name)).for_each(|(l, w)| *l -= w);
        }
        let larger = |m: f64, x: f64| if x.is_nan() || x > m { x } else { m };
        left.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, larger)
    }
}
