//! `delassus compare`: runs side by side.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::{duration, grouped};
use super::{print, tell};
use crate::compare::{self, News, Row, RunOutcome};
use crate::error::Error;

#[derive(Args)]
pub(super) struct CompareArguments {
    /// Case files (.toml)
    #[arg(required = true, value_name = "CASE")]
    cases: Vec<PathBuf>,
    /// Schemes to run each case with, with commas, each KIND[:key=value...] as moreau-jean:law=newton [default: the case's own]
    #[arg(long, value_name = "SCHEMES", value_delimiter = ',')]
    schemes: Vec<String>,
    /// Folder of figures, table and runs; an earlier comparison in it is replaced [default: results/compare_<name of the first case>, or with the next number behind where that is taken]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Set a key of every case, e.g. --set scheme.end=0.1; repeatable
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

pub(super) fn compare(arguments: &CompareArguments) -> Result<(), Error> {
    let plan = compare::plan(&arguments.cases, &arguments.schemes, &arguments.set)?;
    let first = plan.first().map_or("nothing", |run| run.case.name.as_str());
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => compare::free_folder(&Path::new("results").join(format!("compare_{first}")))?,
    };
    let listen = |news: News| {
        if !arguments.quiet {
            tell(&line_of(news));
        }
    };
    let outcomes = compare::run(&plan, &out, &listen)?;
    if !arguments.quiet {
        print(|to| write_table(to, &outcomes, &out))?;
    }
    let failed = outcomes.iter().filter(|outcome| has_failed(outcome)).count();
    if failed == 0 {
        return Ok(());
    }
    Err(Error::Check(format!("{failed} of {} runs failed", outcomes.len())))
}

fn line_of(news: News) -> String {
    match news {
        News::Notice(label, text) => format!("note: {label}: {text}"),
        News::Over(outcome, at, of) => {
            let how = match &outcome.result {
                Ok(run) => {
                    let summary = &run.summary;
                    let seconds = duration(summary.timings.total);
                    let steps = grouped(summary.counts.steps);
                    format!("{steps} steps in {seconds}, {}", summary.certificate.verdict)
                }
                Err(_) => "failed".into(),
            };
            format!("{at} of {of}  {}: {how}", outcome.label)
        }
    }
}

/// Whether a run failed or broke a theorem that covers it; tells why.
fn has_failed(outcome: &RunOutcome) -> bool {
    let error = match &outcome.result {
        Ok(run) => run.summary.judge().err().map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(error) = &error {
        tell(&format!("error: {}: {error}", outcome.label));
    }
    error.is_some()
}

fn write_table(out: &mut dyn Write, outcomes: &[RunOutcome], folder: &Path) -> io::Result<()> {
    let widest = outcomes.iter().map(|outcome| outcome.label.chars().count()).max().unwrap_or(0);
    let width = widest.max(3);
    let lines = [
        [
            "",
            "",
            "energy",
            "of scheme",
            "largest",
            "largest",
            "deepest",
            "spurious",
            "balance",
            "steps",
        ],
        [
            "run", "steps", "change", "itself", "w_T", "w_N", "contact", "impulses", "residual",
            "per s",
        ],
    ];
    for [run, cells @ ..] in lines {
        write!(out, "{run:<width$}")?;
        cells.iter().try_for_each(|cell| write!(out, " {cell:>9}"))?;
        writeln!(out, "{}", if run.is_empty() { "" } else { "  verdict" })?;
    }
    for outcome in outcomes {
        match &outcome.result {
            Ok(run) => write_row(out, &run.row, width)?,
            Err(_) => writeln!(out, "{:<width$}{:90}  failed", outcome.label, "")?,
        }
    }
    let at = folder.display();
    writeln!(out, "open next  {at}/energy.svg and the other figures, {at}/table.csv")
}

fn write_row(out: &mut dyn Write, row: &Row, width: usize) -> io::Result<()> {
    let or_blank = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    writeln!(
        out,
        "{:<width$} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9.0}  {}",
        row.label,
        row.steps,
        signed(row.energy_change),
        signed(row.numerical_work),
        short(row.max_tangential_work),
        short(row.max_normal_work),
        or_blank(row.max_penetration.map(short)),
        or_blank(row.spurious_impulses.map(|count| count.to_string())),
        short(row.max_balance_residual),
        row.steps_per_second,
        row.verdict
    )
}

fn signed(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:+.1e}") }
}

fn short(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}
