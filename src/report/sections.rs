//! The sections of one run.

use std::fmt::Write;

use super::html::escaped;
use super::{tables, viewer};
use crate::energy::Verdict;
use crate::error::Error;
use crate::figures::{Drawing, DrawnRun, by_lack, capitalised};
use crate::plot::Figure;
use crate::results::Results;

/// All that is said of a run that has the page for itself.
pub(super) fn whole(results: &Results) -> Result<String, Error> {
    let view = view(results, "view", viewer::BUDGET)?;
    let (figures, lacking) = figures_of(results)?;
    Ok([
        head(results),
        verdict(results),
        notices(results),
        view,
        figures,
        lacking,
        details(results),
    ]
    .concat())
}

/// Title, case and units.
fn head(results: &Results) -> String {
    let summary = &results.summary;
    let units = match summary.case.units.as_str() {
        "" => String::new(),
        units => format!(" · units {}", escaped(units)),
    };
    format!(
        "<header><p class=\"engine\">delassus {}</p><h1>{}</h1><p>case <code>{}</code>{units} · {} steps to t = {}</p></header>\n",
        escaped(&summary.version),
        escaped(&summary.case.title),
        escaped(&summary.case.name),
        summary.counts.steps,
        super::html::number(summary.scheme.step * summary.counts.steps as f64)
    )
}

/// The interactive view, in so many bytes; nothing where the run has no frames.
pub(super) fn view(results: &Results, id: &str, budget: usize) -> Result<String, Error> {
    let case = &results.summary.case;
    let units = results.units();
    let subject = viewer::Subject {
        folder: &results.folder,
        units: units.as_ref(),
        step: results.summary.scheme.step,
        title: &case.title,
    };
    let view = viewer::section(&subject, id, budget)?;
    Ok(view.map_or(String::new(), |view| format!("<h2>View</h2>\n{view}")))
}

/// The certificate in one line.
pub(super) fn verdict(results: &Results) -> String {
    if let Some(unfinished) = &results.unfinished {
        let words = capitalised(&unfinished.to_string());
        return format!(
            "<p class=\"verdict open\"><strong>no verdict yet</strong> {}. What is below is what there was when the \
             page was written.</p>\n",
            escaped(&words)
        );
    }
    let certificate = &results.summary.certificate;
    let class = match certificate.verdict {
        Verdict::Dissipative => "good",
        Verdict::Violated => "bad",
        Verdict::NotCovered => "open",
    };
    format!(
        "<p class=\"verdict {class}\"><strong>{}</strong> {}; every step balanced to {:.1e} of the energy scale</p>\n",
        escaped(&certificate.verdict.to_string()),
        escaped(&certificate.reason()),
        certificate.max_balance_residual
    )
}

/// What was mended or is worth knowing.
pub(super) fn notices(results: &Results) -> String {
    let notices = &results.summary.notices;
    if notices.is_empty() {
        return String::new();
    }
    let items: String =
        notices.iter().map(|notice| format!("<li>{}</li>\n", escaped(notice))).collect();
    format!("<section><h2>Notices</h2><ul>\n{items}</ul></section>\n")
}

/// The figures of a run, and a note of those it has no data for.
pub(super) fn figures_of(results: &Results) -> Result<(String, String), Error> {
    let (drawn, lacking) = DrawnRun::new(results)?.draw_all()?;
    let mut html = String::from("<section><h2>Figures</h2>\n");
    drawn.iter().for_each(|drawing| write_figure(&mut html, drawing));
    html.push_str("</section>\n");
    let mut note = String::new();
    for (lack, names) in by_lack(&lacking) {
        let reason = escaped(&capitalised(&lack.to_string()));
        let _ = writeln!(note, "<p class=\"lack\">Not drawn: {names}. {reason}.</p>");
    }
    Ok((html, note))
}

/// A figure with its caption; the picture needs no name space within a page.
pub(super) fn write_figure(html: &mut String, drawing: &Drawing) {
    write_picture(html, drawing.name, &drawing.caption, &drawing.figure);
}

/// A figure with its name and its caption.
pub(super) fn write_picture(html: &mut String, name: &str, caption: &str, figure: &Figure) {
    let svg = figure.to_svg().replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    let _ = writeln!(
        html,
        "<figure>\n{svg}<figcaption><code>{}</code> {}</figcaption></figure>",
        escaped(name),
        escaped(caption)
    );
}

/// Tables, contacts and the text of the case.
pub(super) fn details(results: &Results) -> String {
    [tables::what_was_run(results), tables::contacts(results), case_text(results)].concat()
}

fn case_text(results: &Results) -> String {
    let case = &results.summary.case;
    if case.text.is_empty() {
        return String::new();
    }
    format!(
        "<section><h2>The case file</h2><details><summary><code>{}</code></summary><pre>{}</pre></details></section>\n",
        escaped(&case.file),
        escaped(&case.text)
    )
}
