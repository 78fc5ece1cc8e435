//! What was run, in tables.

use std::fmt::Write;

use super::html::{bytes, escaped, facts, number, table, with_unit};
use crate::energy::{Term, WORK_SHARE};
use crate::output::{Crossing, Summary, Timings};
use crate::results::{ContactRow, Results};
use crate::units::{Dimension, Units, axis_label};

/// Rows of the table of contacts.
const MOST_CONTACTS: usize = 12;

/// All tables but that of contacts.
pub(super) fn what_was_run(results: &Results) -> String {
    let summary = &results.summary;
    let units = results.units();
    let mut parts = vec![
        case(summary),
        size(results),
        scheme(summary, units.as_ref()),
        energies(results, units.as_ref()),
    ];
    // The rows do not have these.
    if results.has_summary() {
        parts.extend([
            certificate(summary, units.as_ref()),
            departures(summary, units.as_ref()),
            solver(summary),
            timings(summary),
            memory(summary),
        ]);
    }
    let parts = parts.concat();
    format!(
        "<section><h2>What was run</h2>\n<div class=\"cards\">\n{parts}</div>\n{}{}</section>\n",
        materials(summary, units.as_ref()),
        laws(summary)
    )
}

fn unit(units: Option<&Units>, dimension: Dimension) -> String {
    units.map_or(String::new(), |units| units.of(dimension))
}

fn case(summary: &Summary) -> String {
    let case = &summary.case;
    let mut rows = vec![("name", case.name.clone())];
    if !case.file.is_empty() {
        rows.push(("file", case.file.clone()));
    }
    if let Some(mesh) = &case.mesh {
        rows.push(("mesh", mesh.clone()));
    }
    rows.push(("units", case.units.clone()));
    if !case.overrides.is_empty() {
        rows.push(("set on top", case.overrides.join(", ")));
    }
    rows.push(("version", summary.version.clone()));
    facts("Case", &rows)
}

fn size(results: &Results) -> String {
    let counts = &results.summary.counts;
    let given = [
        ("nodes", counts.nodes),
        ("elements", counts.elements),
        ("point masses", counts.masses),
        ("rigid bodies", counts.bodies),
        ("joints", counts.joints),
    ];
    let given = given.into_iter().filter(|(_, count)| *count > 0);
    let mut rows: Vec<(&str, String)> = given.map(|(name, n)| (name, n.to_string())).collect();
    rows.push(("dofs", format!("{}, {} of them driven", counts.dofs, counts.driven_dofs)));
    rows.push(("contact candidates", counts.contact_nodes.to_string()));
    if counts.meeting_bodies > 0 {
        rows.push(("pairs of bodies that met", counts.pairs.to_string()));
        rows.push(("most contacts in a step", counts.most_contacts.to_string()));
    }
    rows.push(match &results.unfinished {
        None => ("steps", counts.steps.to_string()),
        Some(unfinished) => {
            ("steps so far", format!("{} of {}", unfinished.step, unfinished.steps))
        }
    });
    facts("Size", &rows)
}

fn scheme(summary: &Summary, units: Option<&Units>) -> String {
    let (scheme, scales) = (&summary.scheme, &summary.scales);
    let [time, length, velocity] =
        [Dimension::Time, Dimension::Length, Dimension::Velocity].map(|d| unit(units, d));
    let mut rows = vec![
        ("scheme", scheme.parameters.to_string()),
        ("impact law", scheme.law.clone()),
        ("step", with_unit(scheme.step, &time)),
        ("end", with_unit(scheme.end, &time)),
        ("active where", scheme.activation.clone()),
        ("gap tolerance", with_unit(scales.gap_tolerance, &length)),
    ];
    if let Some(tolerance) = scales.velocity_tolerance {
        rows.push(("velocity tolerance", with_unit(tolerance, &velocity)));
    }
    if let Some(limit) = scheme.largest_stable_step {
        rows.push(("largest stable step", with_unit(limit, &time)));
    }
    rows.push(("damping", if scheme.damped { "yes" } else { "none" }.into()));
    facts("Scheme", &rows)
}

fn energies(results: &Results, units: Option<&Units>) -> String {
    let end = &results.summary.energies;
    let total = match results.unfinished {
        None => "energy at the end",
        Some(_) => "energy so far",
    };
    let unit = unit(units, Dimension::Energy);
    let terms = Term::ALL.map(|term| (term.line().name, end[term]));
    let rows = [("energy at the start", end.total_start), (total, end.total)].into_iter();
    let rows: Vec<_> =
        rows.chain(terms).map(|(name, value)| (name, with_unit(value, &unit))).collect();
    facts("Energies and works", &rows)
}

/// How far the run was from what its model holds for; nothing where there is nothing to say.
fn departures(summary: &Summary, units: Option<&Units>) -> String {
    let [length, time] = [Dimension::Length, Dimension::Time].map(|d| unit(units, d));
    let mut rows = Vec::new();
    if let Some(found) = &summary.departures.penetration {
        rows.push(("deepest penetration", with_unit(found.depth, &length)));
        rows.push(("of", format!("{} in '{}'", found.point, found.contact)));
        rows.push(("at the time", with_unit(found.time, &time)));
    }
    for own in &summary.departures.bodies {
        rows.push(("body", own.body.clone()));
        rows.push(("largest rotation in radians", number(own.rotation)));
        rows.push(("largest strain", number(own.strain)));
    }
    for crossing in &summary.departures.crossings {
        let Crossing { contact, count, point, step, .. } = crossing;
        let told = format!("{count} through '{contact}', {point} first, in step {step}");
        rows.push(("passed", told));
    }
    if rows.is_empty() { String::new() } else { facts("Limits of the model", &rows) }
}

fn certificate(summary: &Summary, units: Option<&Units>) -> String {
    let (certificate, unit) = (&summary.certificate, unit(units, Dimension::Energy));
    let coverage = &certificate.coverage;
    let yes = |holds: bool| if holds { "yes" } else { "no" }.to_string();
    let share = |share: f64, limit: f64| {
        format!("{} of what passes through it, limit {}", number(share), number(limit))
    };
    let name = |term: Term| format!("largest {}", term.line().name);
    let names: Vec<(Term, String)> = Term::of_contacts().map(|term| (term, name(term))).collect();
    let residual = format!("{} of the scale", number(certificate.max_balance_residual));
    let first = [
        ("verdict", certificate.verdict.to_string()),
        ("energy scale", with_unit(certificate.energy_scale, &unit)),
        ("largest balance residual", residual),
    ];
    let works = names
        .iter()
        .map(|(term, name)| (name.as_str(), with_unit(certificate.largest[*term], &unit)));
    let last = [
        ("largest work of a contact in a step", share(certificate.max_work_share, WORK_SHARE)),
        ("all positive works of contacts", with_unit(certificate.work_created, &unit)),
        ("of what passed through them", with_unit(certificate.work_passed, &unit)),
        ("θ and e admitted, (87)", yes(coverage.theta_admitted)),
        ("friction on the mean velocity", yes(coverage.friction_on_mean_velocity)),
        ("leaving contacts harmless, (64) or mean law", yes(coverage.leaving_contacts_harmless)),
        ("scheme itself dissipates", yes(coverage.scheme_dissipates)),
    ];
    let rows: Vec<_> = first.into_iter().chain(works).chain(last).collect();
    facts("Certificate", &rows)
}

fn solver(summary: &Summary) -> String {
    let solver = &summary.solver;
    let mut rows = vec![
        ("method", solver.method.clone()),
        ("tolerance", number(solver.tolerance)),
        ("steps with contact", solver.steps_with_contact.to_string()),
        ("iterations per such step", number((100.0 * solver.iterations_per_step).round() / 100.0)),
        ("most iterations", solver.most_iterations.to_string()),
        ("largest error", number(solver.largest_error)),
        ("steps not converged", solver.unconverged_steps.to_string()),
    ];
    let share = |s: &crate::output::MethodShare| format!("{}: {} solves", s.method, s.turns);
    if !solver.shares.is_empty() {
        rows.push(("used", solver.shares.iter().map(share).collect::<Vec<_>>().join(", ")));
    }
    facts("Contact solver", &rows)
}

/// Seconds of each stage, with a bar for its share of the whole.
fn timings(summary: &Summary) -> String {
    let timings @ Timings { total, .. } = summary.timings;
    let stages = [
        ("mesh", timings.mesh),
        ("assembly", timings.assembly),
        ("factor", timings.factor),
        ("right-hand side", timings.rhs),
        ("sweep down", timings.forward),
        ("contact", timings.contact),
        ("sweep up", timings.backward),
        ("energy ledger", timings.ledger),
        ("output", timings.output),
    ];
    let mut html = String::from("<div class=\"facts\"><h3>Time</h3><table>\n");
    for (name, seconds) in stages {
        let share = 100.0 * seconds / total.max(f64::MIN_POSITIVE);
        let _ = writeln!(
            html,
            "<tr><th>{name}</th><td>{seconds:.3} s</td><td class=\"bar\"><span style=\"width:{share:.1}%\"></span></td></tr>"
        );
    }
    let rate = summary.counts.steps as f64 / timings.stepping().max(f64::MIN_POSITIVE);
    let _ = writeln!(
        html,
        "<tr><th>in all</th><td>{total:.3} s</td><td>{rate:.0} steps/s</td></tr></table></div>"
    );
    html
}

fn memory(summary: &Summary) -> String {
    let mut rows = vec![
        ("factor and contact operator", bytes(summary.factor_memory)),
        ("predicted at most", bytes(summary.predicted_memory)),
    ];
    if let Some(peak) = summary.peak_memory {
        rows.push(("peak of the process", bytes(peak)));
    }
    facts("Memory", &rows)
}

fn materials(summary: &Summary, units: Option<&Units>) -> String {
    let materials = &summary.case.materials;
    if materials.is_empty() {
        return String::new();
    }
    let pressure = unit(units, Dimension::Pressure);
    let density = unit(units, Dimension::Density);
    let row = |m: &crate::output::MaterialSummary| {
        vec![
            m.name.clone(),
            m.group.clone().unwrap_or_else(|| "whole body".into()),
            with_unit(m.young, &pressure),
            number(m.poisson),
            with_unit(m.density, &density),
            m.section.clone(),
            number(m.depth),
        ]
    };
    let head = ["material", "group", "Young", "Poisson", "density", "section", "thickness or area"];
    table(&head, &materials.iter().map(row).collect::<Vec<_>>())
}

fn laws(summary: &Summary) -> String {
    let contacts = &summary.scheme.contacts;
    if contacts.is_empty() {
        return String::new();
    }
    let row = |c: &crate::output::ContactSummary| {
        let friction = c.friction.map_or("by a law".into(), number);
        let [normal, tangential] = [c.restitution, c.tangential_restitution].map(number);
        vec![c.name.clone(), friction, normal, tangential]
    };
    let head = ["contact", "friction μ", "restitution e", "tangential restitution"];
    table(&head, &contacts.iter().map(row).collect::<Vec<_>>())
}

/// The contacts that dissipated most by friction.
pub(super) fn contacts(results: &Results) -> String {
    let mut rows: Vec<&ContactRow> = results.contacts.rows.iter().collect();
    // Before the end there are no counts of what contacts did.
    if rows.is_empty() || !results.has_summary() {
        return String::new();
    }
    rows.sort_by(|a, b| a.work[Term::Tangential].total_cmp(&b.work[Term::Tangential]));
    // Friction first: the rows are sorted by it.
    let terms = Term::of_contacts();
    let units = results.units();
    let d = results.contacts.dimension;
    let row = |r: &&ContactRow| {
        let point: Vec<String> = r.point[..d].iter().map(|&x| number(x)).collect();
        let place = [r.surface(), r.node.to_string(), point.join(", ")];
        let works = terms.clone().map(|term| number(r.work[term]));
        let steps = [r.closings, r.stick_steps, r.slip_steps].map(|count| count.to_string());
        place.into_iter().chain(works).chain([number(r.normal_impulse)]).chain(steps).collect()
    };
    let with = |words: &str, dimension| axis_label(words, dimension, units.as_ref());
    let place = ["contact".into(), "node".into(), with("place", Dimension::Length)];
    let works = terms.clone().map(|term| with(term.line().name, Dimension::Energy));
    let impulse = with("normal impulse", Dimension::Impulse);
    let steps = ["closings", "steps in stick", "in slip"].map(String::from);
    let head: Vec<String> = place.into_iter().chain(works).chain([impulse]).chain(steps).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let shown: Vec<Vec<String>> = rows.iter().take(MOST_CONTACTS).map(row).collect();
    format!(
        "<section><h2>Contacts</h2><p>{}</p>\n{}</section>\n",
        escaped(&format!(
            "The {} of {} candidates that friction took most from; contacts.csv has all.",
            shown.len(),
            rows.len()
        )),
        table(&head, &shown)
    )
}
