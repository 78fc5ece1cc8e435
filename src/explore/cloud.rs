//! `cloud.svg`: the impulses of some contacts as dots in their cones.

use std::fmt::Write;
use std::path::Path;

use super::Scene;
use crate::error::Error;
use crate::output::write_whole;

/// Draws (p_T, p_N) of all samples, one panel for each of `contacts`, coloured by outcome.
pub fn write_cloud(path: &Path, scene: &Scene, contacts: &[usize]) -> Result<(), Error> {
    let outcomes = scene.found.outcome_of_samples();
    let panels: Vec<Panel> = contacts.iter().map(|&c| panel(scene, &outcomes, c)).collect();
    let written = write_whole(path, |out| out.write_all(to_svg(&panels).as_bytes()));
    written.map_err(|source| Error::Write { path: path.into(), source })
}

/// The cloud of one contact.
struct Panel {
    title: String,
    /// The component on the other axis.
    along: &'static str,
    mu: f64,
    /// p_T, p_N and outcome of each sample.
    dots: Vec<([f64; 2], usize)>,
}

fn panel(scene: &Scene, outcomes: &[Option<usize>], contact: usize) -> Panel {
    let at = scene.found.problem.dimension() * contact;
    let samples = scene.found.samples.iter().zip(outcomes);
    let dot = |(sample, outcome): (&super::Sample, &Option<usize>)| {
        let p = &sample.tight.p[at..];
        outcome.map(|outcome| ([p[1], p[0]], outcome))
    };
    let dots = samples.filter_map(dot).collect();
    let title = format!("contact {}", scene.contacts[contact]);
    let along = if scene.found.problem.dimension() == 3 { "p_T1" } else { "p_T" };
    Panel { title, along, mu: scene.found.problem.mu[contact], dots }
}

const SIZE: f64 = 320.0;
const MARGIN: f64 = 50.0;
/// Told apart by people who do not see all colours (Okabe and Ito 2008).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Panels side by side; both axes of a panel have one scale, so that cones open as they should.
fn to_svg(panels: &[Panel]) -> String {
    let (pitch, height) = (SIZE + MARGIN, SIZE + 2.0 * MARGIN);
    let width = pitch * panels.len() as f64 + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (place, panel) in panels.iter().enumerate() {
        let components = panel.dots.iter().flat_map(|(p, _)| [2.0 * p[0].abs(), p[1]]);
        let most = components.fold(0.0, f64::max);
        let scale = if most > 0.0 { 0.95 * SIZE / most } else { 1.0 };
        let left = MARGIN + pitch * place as f64;
        let (middle, bottom) = (left + SIZE / 2.0, MARGIN + SIZE);
        // The cone's edges p_T = ±μ p_N leave the panel at its top or at its sides.
        let high = if panel.mu > 0.5 { 0.5 * SIZE / panel.mu } else { SIZE };
        let (top, side) = (bottom - high, (panel.mu * high).min(0.5 * SIZE));
        let along = panel.along;
        let title = panel.title.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(
            svg,
            "<path d=\"M{:.2} {top:.2}L{middle} {bottom}L{:.2} {top:.2}\" fill=\"#f4f4f4\" stroke=\"#999\"/>\n\
             <rect x=\"{left}\" y=\"{MARGIN}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"none\" stroke=\"#ddd\"/>\n\
             <text x=\"{left}\" y=\"{}\">{title}: p_N up to {most:.3e} over {along}</text>\n",
            middle - side,
            middle + side,
            MARGIN - 10.0
        );
        for ([tangent, normal], outcome) in &panel.dots {
            let (x, y) = (middle + scale * tangent, bottom - scale * normal);
            let colour = COLOURS[outcome % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"2\" fill=\"{colour}\" fill-opacity=\"0.6\"/>"
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}
