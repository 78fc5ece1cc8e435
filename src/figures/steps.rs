//! Figures of what contacts and their solver did, step by step and node by node.

use super::account::level;
use super::overlay::curve_of;
use super::{Drawing, DrawnRun};
use crate::energy::{Term, WORK_SHARE};
use crate::plot::{Curve, CurveKind, Figure, Panel};
use crate::results::Columns;
use crate::units::{Dimension, axis_label};

/// Largest and most negative tangential work of any contact, as figures 9 and 10 of the paper have
/// them: the first on a logarithmic scale, so that what is rounding and what is not can be told.
pub(super) fn tangential_work(run: &DrawnRun) -> Drawing {
    let (history, certificate) = (&run.results.series.history, &run.results.summary.certificate);
    let created =
        if certificate.largest[Term::Tangential] > 0.0 { "created" } else { "created: nothing" };
    let largest = Panel {
        log_y: true,
        curves: [
            dots_of(history, "max_work_share", "largest, where positive", NOTHING),
            vec![level("limit of the certificate", &history.time, WORK_SHARE)],
        ]
        .concat(),
        ..run.panel(created, "work over what passed", Dimension::Count)
    };
    let smallest = Panel {
        curves: curve_of(history, "min_tangential_work", "most negative", CurveKind::Line)
            .into_iter()
            .collect(),
        ..run.panel("dissipated", "work", Dimension::Energy)
    };
    Drawing {
        name: "tangential_work",
        caption: format!(
            "Largest work of a contact as a share of what passes through that contact (left, logarithmic; \
             steps below 1e-20 are not drawn), and tangential work of the contact that dissipated most (right), \
             step by step. Above the dashed line, {WORK_SHARE:.0e}, a contact has created energy; below it is \
             rounding and what the solver leaves. Largest of the run: {:.1e}, and {:.3e} of tangential work.",
            certificate.max_work_share,
            certificate.largest[Term::Tangential]
        ),
        figure: Figure {
            title: run.title("tangential work of single contacts"),
            panels: vec![largest, smallest],
            columns: Some(2),
        },
    }
}

/// Active contacts.
pub(super) fn contacts(run: &DrawnRun) -> Drawing {
    let history = &run.results.series.history;
    let curves =
        curve_of(history, "contacts", "active contacts", CurveKind::Line).into_iter().collect();
    let panel = Panel { curves, ..run.panel("", "active contacts", Dimension::Count) };
    let counts = &run.results.summary.counts;
    let candidates = format!("of {} candidates", counts.contact_nodes);
    let all = match (counts.contact_nodes, counts.meeting_bodies) {
        (_, 0) => candidates,
        (0, _) => format!("between {} pairs of bodies", counts.pairs),
        _ => format!("{candidates} and between {} pairs of bodies", counts.pairs),
    };
    Drawing {
        name: "contacts",
        caption: format!("Contacts in the cone problem of each step, {all}."),
        figure: Figure { title: run.title("active contacts"), panels: vec![panel], columns: None },
    }
}

/// Iterations and error of the solver.
pub(super) fn iterations(run: &DrawnRun) -> Drawing {
    let (history, solver) = (&run.results.series.history, &run.results.summary.solver);
    let counts = Panel {
        curves: dots_of(history, "iterations", "iterations", 0.0),
        ..run.panel("iterations", "iterations", Dimension::Count)
    };
    let errors = Panel {
        log_y: true,
        curves: [
            dots_of(history, "solver_error", "error", NO_ERROR),
            vec![level("tolerance", &history.time, solver.tolerance)],
        ]
        .concat(),
        ..run.panel("error", "relative error", Dimension::Count)
    };
    Drawing {
        name: "iterations",
        caption: format!(
            "Iterations of the contact solver ({}) and the error it left, step by step; the \
             tolerance is dashed. {} steps did not reach it.",
            solver.method, solver.unconverged_steps
        ),
        figure: Figure {
            title: run.title("contact solver"),
            panels: vec![counts, errors],
            columns: Some(2),
        },
    }
}

/// Work of each contact node in the whole run, along its surface.
pub(super) fn node_work(run: &DrawnRun) -> Drawing {
    let units = run.results.units();
    let mut panels = Vec::new();
    let large = run.soles.iter().filter(|sole| sole.members.len() > 2);
    for sole in large.take(super::maps::MOST_SOLES) {
        let rows = || sole.members.iter().map(|&c| &run.results.contacts.rows[c]);
        for term in Term::of_contacts() {
            let (words, values) = (term.line().name, rows().map(|row| row.work[term]));
            let points: Vec<[f64; 2]> =
                sole.coordinate.iter().zip(values).map(|(&s, w)| [s, w]).collect();
            let mut curves = Vec::new();
            if sole.is_line {
                curves.push(Curve {
                    points: points.clone(),
                    kind: CurveKind::Line,
                    ..Curve::default()
                });
            }
            curves.push(Curve { label: "node".into(), points, kind: CurveKind::Points });
            panels.push(Panel {
                title: sole.name.clone(),
                x_label: sole.label(units.as_ref()),
                y_label: axis_label(words, Dimension::Energy, units.as_ref()),
                curves,
                ..Panel::default()
            });
        }
    }
    Drawing {
        name: "node_work",
        caption:
            "Tangential and normal work of each contact node in the whole run. Friction takes \
                  energy where this is negative; with the Frémond law no node lies above zero."
                .into(),
        figure: Figure { title: run.title("work of contact nodes"), panels, columns: Some(2) },
    }
}

/// A work below this share of the energy scale is none: a logarithmic axis would show little else.
const NOTHING: f64 = 1e-20;
/// And so is a solver's error below this.
const NO_ERROR: f64 = 1e-18;

/// A column as dots, those below `least` left out.
fn dots_of(history: &Columns, column: &str, label: &str, least: f64) -> Vec<Curve> {
    let mut curves: Vec<Curve> =
        curve_of(history, column, label, CurveKind::Specks).into_iter().collect();
    curves.iter_mut().for_each(|curve| curve.points.retain(|point| point[1] >= least));
    curves
}
