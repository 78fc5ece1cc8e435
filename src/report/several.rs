//! The pages of several runs and of studies: a table, figures of all, then each by itself.

use super::html::{escaped, number, table};
use super::{Entry, Overview, sections, viewer};
use crate::compare::Row;
use crate::energy::Term;
use crate::error::Error;
use crate::figures::{labels, overlays};
use crate::results::Results;

/// All that is said of runs that share a page.
pub(super) fn whole(runs: &[Results]) -> Result<String, Error> {
    let heading = format!("{} runs compared", runs.len());
    Ok(head(&heading, &labels(runs).join(" · ")) + &beside_each_other(runs)?)
}

/// All that is said of a study.
pub(super) fn of_a_study(overview: &Overview, compared: &[Results]) -> Result<String, Error> {
    let count = overview.rows.len();
    let mut html = head(&overview.title, &format!("a study of {count} runs"));
    let names: Vec<&str> = overview.head.iter().map(String::as_str).collect();
    html.push_str("<section><h2>All runs</h2>\n");
    let shown = |entry: &Entry| match entry {
        Entry::Number(x) => number(*x),
        Entry::Text(text) => text.clone(),
    };
    let rows: Vec<Vec<String>> =
        overview.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
    html.push_str(&table(&names, &rows));
    html.push_str("</section>\n");
    if !overview.rates.is_empty() {
        html.push_str("<section><h2>Rates of convergence</h2>\n");
        for (name, figure) in &overview.rates {
            sections::write_picture(&mut html, name, "Errors, and the line through them.", figure);
        }
        html.push_str("</section>\n");
    }
    match compared {
        [] => html.push_str("<p>No run that came to its end has a history to be drawn.</p>\n"),
        some => html.push_str(&beside_each_other(some)?),
    }
    if !compared.is_empty() && compared.len() < count {
        html.push_str(&format!(
            "<p>{} of {count} runs are drawn; gather.figures says how many.</p>\n",
            compared.len()
        ));
    }
    Ok(html)
}

fn head(heading: &str, below: &str) -> String {
    format!(
        "<header><p class=\"engine\">delassus {}</p><h1>{}</h1><p>{}</p></header>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(heading),
        escaped(below)
    )
}

/// A table, figures of all, then each by itself.
fn beside_each_other(runs: &[Results]) -> Result<String, Error> {
    let labels = labels(runs);
    let mut html = comparison(runs, &labels);
    html.push_str("<section><h2>Figures of all runs</h2>\n");
    overlays(runs).iter().for_each(|drawing| sections::write_figure(&mut html, drawing));
    html.push_str("</section>\n");
    for (k, (run, label)) in runs.iter().zip(&labels).enumerate() {
        html.push_str(&format!(
            "<section class=\"run\"><h2 class=\"label\">{}</h2><p>{}</p></section>\n",
            escaped(label),
            escaped(&run.summary.case.title)
        ));
        html.push_str(&sections::verdict(run));
        html.push_str(&sections::notices(run));
        let id = format!("view-{}", k + 1);
        html.push_str(&sections::view(run, &id, viewer::BUDGET / runs.len())?);
        let (figures, lacking) = sections::figures_of(run)?;
        html.push_str(&[figures, lacking, sections::details(run)].concat());
    }
    Ok(html)
}

/// A column per run.
fn comparison(runs: &[Results], labels: &[String]) -> String {
    let columns: Vec<Vec<String>> =
        runs.iter().zip(labels).map(|(run, label)| column(run, label)).collect();
    let row = |(k, name): (usize, &str)| {
        let values = columns.iter().map(|column| column[k].clone());
        std::iter::once(name.to_string()).chain(values).collect()
    };
    let rows: Vec<Vec<String>> = names().enumerate().map(row).collect();
    let head: Vec<&str> = std::iter::once("").chain(labels.iter().map(String::as_str)).collect();
    let mut units: Vec<&str> = runs.iter().map(|run| run.summary.case.units.as_str()).collect();
    units.dedup();
    let note = match units[..] {
        [one] => format!("Units: {one}."),
        _ => "The runs have different units: compare with care.".into(),
    };
    format!(
        "<section><h2>Comparison</h2>\n{}<p>{}</p></section>\n",
        table(&head, &rows),
        escaped(&note)
    )
}

/// What the rows of the comparison are.
fn names() -> impl Iterator<Item = &'static str> {
    let works = Term::works().map(|term| term.line().name);
    FIRST.into_iter().chain(works).chain(LAST)
}

const FIRST: [&str; 5] = ["verdict", "scheme", "steps", "energy at the start", "energy at the end"];
const LAST: [&str; 6] = [
    "largest tangential work of a contact in a step",
    "largest normal work of a contact in a step",
    "deepest contact",
    "spurious impulses",
    "largest balance residual, of the energy scale",
    "steps per second",
];

/// The cells of a run.
fn column(run: &Results, label: &str) -> Vec<String> {
    let (row, end) = (Row::new(label, &run.summary, &run.series), &run.summary.energies);
    let or_blank = |text: Option<String>| text.unwrap_or_else(|| "–".into());
    // What only a summary has.
    let judged = |text: String| or_blank(run.has_summary().then_some(text));
    let first = [
        run.unfinished.map_or(row.verdict, |unfinished| format!("none: {unfinished}")),
        format!("{}, {} law", run.summary.scheme.parameters, run.summary.scheme.law),
        row.steps.to_string(),
        number(end.total_start),
        number(end.total),
    ];
    let last = [
        judged(number(row.max_tangential_work)),
        judged(number(row.max_normal_work)),
        or_blank(row.max_penetration.map(number)),
        or_blank(row.spurious_impulses.map(|count| count.to_string())),
        judged(number(row.max_balance_residual)),
        judged(format!("{:.0}", row.steps_per_second)),
    ];
    let works = Term::works().map(|term| number(end[term]));
    first.into_iter().chain(works).chain(last).collect()
}
