//! `cloud.svg`: the impulses of some contacts as dots in their cones.

use std::path::Path;

use super::ExploredStep;
use crate::error::Error;
use crate::output::write_whole;
use crate::plot::{Curve, CurveKind, Figure, Panel};

/// Draws (p_T, p_N) of all samples, one panel for each of `contacts`, coloured by outcome.
pub fn write_cloud(path: &Path, scene: &ExploredStep, contacts: &[usize]) -> Result<(), Error> {
    let outcomes = scene.found.outcome_of_samples();
    let panels = contacts.iter().map(|&c| panel(scene, &outcomes, c)).collect();
    let title = format!("Impulses of {} solutions", scene.found.solved());
    let figure = Figure { title, panels, columns: None };
    let written = write_whole(path, |out| out.write_all(figure.to_svg().as_bytes()));
    written.map_err(|source| Error::Write { path: path.into(), source })
}

/// The cloud of one contact, and the edges p_T = ±μ p_N of its cone.
fn panel(scene: &ExploredStep, outcomes: &[Option<usize>], contact: usize) -> Panel {
    let at = scene.found.problem.dimension() * contact;
    let dots = |wanted: usize| -> Vec<[f64; 2]> {
        let samples = scene.found.samples.iter().zip(outcomes);
        let own = samples.filter(|(_, outcome)| **outcome == Some(wanted));
        own.map(|(sample, _)| [sample.tight.p[at + 1], sample.tight.p[at]]).collect()
    };
    let count = scene.found.outcomes.len();
    let mut curves: Vec<Curve> = (0..count)
        .map(|outcome| Curve {
            label: format!("motion {}", outcome + 1),
            points: dots(outcome),
            kind: CurveKind::Points,
        })
        .collect();
    let highest = curves.iter().flat_map(|curve| &curve.points).fold(0.0, |m, p| f64::max(m, p[1]));
    let reach = scene.found.problem.mu[contact] * highest;
    let edges = vec![[-reach, highest], [0.0, 0.0], [reach, highest]];
    curves.insert(0, Curve { label: String::new(), points: edges, kind: CurveKind::Dashed });
    let along = if scene.found.problem.dimension() == 3 { "p_T1" } else { "p_T" };
    Panel {
        title: format!("contact {}", scene.contacts[contact]),
        x_label: along.into(),
        y_label: "p_N".into(),
        curves,
        ..Panel::default()
    }
}
