//! Figures of the energy account.

use super::overlay::{Runs, curves_of};
use super::{Drawing, DrawnRun};
use crate::energy::{Term, balance_limit};
use crate::plot::{Curve, CurveKind, Figure, Panel};
use crate::units::Dimension;

/// A residual below this share of the energy scale is as good as none.
const NOTHING: f64 = 1e-19;

/// Energies and works, and their balance.
pub(super) fn energy(run: &DrawnRun) -> Drawing {
    let case = &run.results.summary.case;
    let runs = Runs { finished: &[], title: &case.title, units: &case.units };
    let titles = ["energies and works".to_string(), "balance".to_string()];
    let panels = runs.energies_of(&run.results.series, titles).to_vec();
    Drawing {
        name: "energy",
        caption: "Energies and works over time (left), and the total energy under the energy at the \
                  start plus all works since (right): where the balance closes the two curves are one."
            .into(),
        figure: Figure { title: run.title("energy"), panels, columns: Some(2) },
    }
}

/// |residual| of each step, relative to the energy scale.
pub(super) fn balance(run: &DrawnRun) -> Drawing {
    let (history, certificate) = (&run.results.series.history, &run.results.summary.certificate);
    let scale = certificate.energy_scale;
    let residuals = history.get("balance_residual").unwrap_or_default();
    let points = history.time.iter().zip(residuals).map(|(&t, r)| [t, r.abs() / scale]);
    let points = points.filter(|point| point[1] > NOTHING);
    let limit = balance_limit(1.0, certificate.balance_floor / scale);
    let panel = Panel {
        y_label: "|residual| / energy scale".into(),
        log_y: true,
        curves: vec![
            Curve {
                label: "balance of a step".into(),
                points: points.collect(),
                kind: CurveKind::Specks,
            },
            level("limit of the certificate", &history.time, limit),
        ],
        ..run.panel("", "", Dimension::Count)
    };
    Drawing {
        name: "balance",
        caption: format!(
            "What is left of the energy balance (65) at each step, relative to the energy scale \
             {scale:.4e}. Rounding alone keeps it near 1e-16; a step above the dashed line voids the \
             certificate. Steps below 1e-19 are not drawn."
        ),
        figure: Figure {
            title: run.title("balance of each step"),
            panels: vec![panel],
            columns: None,
        },
    }
}

/// Works since the start.
pub(super) fn work(run: &DrawnRun) -> Drawing {
    let line = |term: Term| (term.line().column, term.line().legend, CurveKind::Line);
    let works: Vec<_> = Term::works().map(line).collect();
    let curves = curves_of(&run.results.series.history, &works);
    let panel = Panel { curves, ..run.panel("", "work", Dimension::Energy) };
    Drawing {
        name: "work",
        caption: "Work since the start by kind. Under the theorem contact, damping and scheme only take energy: \
                  their curves fall. What is zero throughout is left out."
            .into(),
        figure: Figure { title: run.title("work by kind"), panels: vec![panel], columns: None },
    }
}

/// A dashed line at one height.
pub(super) fn level(label: &str, time: &[f64], height: f64) -> Curve {
    let ends = [time.first(), time.last()].into_iter().flatten();
    Curve {
        label: label.into(),
        points: ends.map(|&t| [t, height]).collect(),
        kind: CurveKind::Dashed,
    }
}
