//! Results as one page that stands alone: verdict, view, figures, tables, the case's text. It loads
//! nothing, and its own policy forbids it to.

mod html;
mod sections;
mod several;
mod tables;
pub mod viewer;

use crate::error::Error;
use crate::output::REPORT_MARK;
use crate::plot::Figure;
use crate::results::Results;
use html::escaped;

/// Looks of the page.
const STYLE: &str = include_str!("page.css");
/// What the page may do: run and show what it holds, and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:";
/// How an interactive view begins; text from outside has no quotes that are not escaped.
const VIEW_MARK: &str = "<section class=\"view\"";

/// The page of a run, or of several that are compared.
///
/// # Errors
/// Frames that cannot be read.
pub fn page(runs: &[Results]) -> Result<String, Error> {
    Ok(match runs {
        [run] => dressed(&run.summary.case.title, &sections::whole(run)?),
        many => dressed("Runs compared", &several::whole(many)?),
    })
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Shown with six digits.
    Number(f64),
    /// Shown as it is.
    Text(String),
}

/// What a study says of all its runs.
#[derive(Clone, Debug)]
pub struct Overview {
    /// Of the study.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// A run each.
    pub rows: Vec<Vec<Entry>>,
    /// How errors fall: name and picture.
    pub rates: Vec<(String, Figure)>,
}

/// The page of a study: all runs in a table, rates of convergence, and some runs compared.
///
/// # Errors
/// Frames that cannot be read.
pub fn study_page(overview: &Overview, compared: &[Results]) -> Result<String, Error> {
    Ok(dressed(&overview.title, &several::of_a_study(overview, compared)?))
}

/// A body as a page.
fn dressed(title: &str, body: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let has_view = body.contains(VIEW_MARK);
    let script = if has_view { viewer::script() } else { String::new() };
    format!(
        "{REPORT_MARK}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n{body}{script}\
         <footer>Written by delassus {version}. This file is complete: it loads nothing.</footer>\n\
         </body>\n</html>\n",
        escaped(title),
        if has_view { viewer::STYLE } else { "" },
    )
}
