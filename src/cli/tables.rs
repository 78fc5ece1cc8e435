//! What the commands print.

use std::io::{Result, Write};
use std::path::Path;

use crate::contact::solver::Leg;
use crate::energy::{Certificate, Term, Verdict};
use crate::friction::{MethodCurve, Profile, SolveOutcome};
use crate::mesh::{ElementKind, Mesh};
use crate::output::{
    BodyDistortion, Counts, Crossing, Departures, Penetration, Scales, Summary, Timings,
};
use crate::verify::Verification;

pub(super) fn write_summary(out: &mut dyn Write, summary: &Summary, folder: &Path) -> Result<()> {
    let (counts, scheme, end) = (&summary.counts, &summary.scheme, &summary.energies);
    writeln!(out, "{} [{}]", summary.case.title, summary.case.units)?;
    write_counts(out, counts)?;
    writeln!(
        out,
        "  scheme      {}, {} law, {} steps of {}",
        scheme.parameters, scheme.law, counts.steps, scheme.step
    )?;
    write_activation(out, &summary.scales, scheme.parameters.activates())?;
    let listed = |terms: &mut dyn Iterator<Item = Term>| {
        let one = |term: Term| format!("{} {}", term.line().word, readable(end[term]));
        terms.map(one).collect::<Vec<_>>().join(", ")
    };
    writeln!(
        out,
        "  energy      {} at the start, {} at the end ({})",
        readable(end.total_start),
        readable(end.total),
        listed(&mut Term::energies())
    )?;
    writeln!(out, "  work        {}", listed(&mut Term::works()))?;
    let solver = &summary.solver;
    writeln!(
        out,
        "  contact     {}: {:.1} iterations per step with contact, at most {}, error <= {:.1e}{}",
        solver.method,
        solver.iterations_per_step,
        solver.most_iterations,
        solver.largest_error,
        match solver.unconverged_steps {
            0 => String::new(),
            some => format!(", {some} steps not converged"),
        }
    )?;
    write_timings(out, &summary.timings, counts.steps)?;
    if let Some(peak) = summary.peak_memory {
        writeln!(out, "  memory      {:.0} MB at the peak", peak as f64 / 1e6)?;
    }
    write_departures(out, &summary.departures)?;
    write_certificate(out, &summary.certificate)?;
    write_open_next(out, folder)
}

/// How far the run was from what its model holds for.
fn write_departures(out: &mut dyn Write, departures: &Departures) -> Result<()> {
    let mut told = Vec::new();
    if let Some(found) = &departures.penetration {
        let Penetration { depth, time, contact, point, .. } = found;
        told.push(format!("penetration {depth:.1e} ({point} in '{contact}', t = {time:.3e})"));
    }
    let largest =
        |of: fn(&BodyDistortion) -> f64| departures.bodies.iter().map(of).reduce(f64::max);
    if let Some((rotation, strain)) = largest(|own| own.rotation).zip(largest(|own| own.strain)) {
        told.push(format!("rotation {rotation:.1e} rad, strain {strain:.1e}"));
    }
    for Crossing { contact, count, .. } in &departures.crossings {
        told.push(format!("{count} passed through '{contact}'"));
    }
    match told.is_empty() {
        true => Ok(()),
        false => writeln!(out, "  at most     {}", told.join(", ")),
    }
}

/// The files that are there, the first to look at first.
fn write_open_next(out: &mut dyn Write, folder: &Path) -> Result<()> {
    let files = [
        ("fields.pvd", " in ParaView"),
        ("trajectory.csv", ""),
        ("history.csv", ""),
        ("contacts.csv", ""),
        ("pairs.csv", ""),
        ("summary.json", ""),
    ];
    let there = files.iter().filter(|(file, _)| folder.join(file).exists());
    let there: Vec<String> =
        there.map(|(file, with)| format!("{}{with}", folder.join(file).display())).collect();
    writeln!(out, "  open next   {}", there.join(", "))
}

/// Which contacts take part in a step.
pub(super) fn write_activation(
    out: &mut dyn Write,
    scales: &Scales,
    activates: bool,
) -> Result<()> {
    let velocity = match scales.velocity_tolerance {
        _ if !activates => " at the end of a step".into(),
        Some(tolerance) => format!(" and u_N <= {tolerance:.1e}"),
        None => String::new(),
    };
    writeln!(out, "  activation  g <= {:.1e}{velocity}", scales.gap_tolerance)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(super) fn write_counts(out: &mut dyn Write, counts: &Counts) -> Result<()> {
    if counts.masses + counts.bodies > 0 {
        writeln!(
            out,
            "  system      {}, {}, {}, {}",
            counted(counts.masses, "mass", "masses"),
            counted(counts.bodies, "rigid body", "rigid bodies"),
            counted(counts.joints, "joint", "joints"),
            counted(counts.contact_nodes, "contact point", "contact points")
        )?;
    }
    if counts.nodes > 0 {
        writeln!(
            out,
            "  mesh        {} nodes, {} elements, {} dofs ({} driven), {} contact nodes",
            counts.nodes, counts.elements, counts.dofs, counts.driven_dofs, counts.contact_nodes
        )?;
    }
    Ok(())
}

/// Six digits behind the point, or an exponent where that would say too little or too much.
pub(super) fn readable(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        size if (1e-2..1e7).contains(&size) => format!("{x:.6}"),
        _ => format!("{x:.6e}"),
    }
}

fn write_timings(out: &mut dyn Write, timings: &Timings, steps: usize) -> Result<()> {
    let stepping = timings.stepping().max(f64::MIN_POSITIVE);
    let share = |seconds: f64| 100.0 * seconds / stepping;
    writeln!(
        out,
        "  time        {:.2} s: mesh {:.3}, assembly {:.3}, factor {:.3}, {steps} steps {:.3} ({:.1} us each)",
        timings.total,
        timings.mesh,
        timings.assembly,
        timings.factor,
        stepping,
        1e6 * stepping / steps.max(1) as f64
    )?;
    writeln!(
        out,
        "  of a step   rhs {:.0} %, forward {:.0} %, contact {:.0} %, backward {:.0} %, ledger {:.0} %, output {:.0} %",
        share(timings.rhs),
        share(timings.forward),
        share(timings.contact),
        share(timings.backward),
        share(timings.ledger),
        share(timings.output)
    )
}

fn write_certificate(out: &mut dyn Write, certificate: &Certificate) -> Result<()> {
    write_figures(out, certificate)?;
    writeln!(out, "  verdict     {}: {}", certificate.verdict, certificate.reason())
}

/// What a certificate is judged by.
fn write_figures(out: &mut dyn Write, certificate: &Certificate) -> Result<()> {
    writeln!(
        out,
        "  balance     closed to {:.1e} of the energy scale {}",
        certificate.max_balance_residual,
        readable(certificate.energy_scale)
    )?;
    writeln!(out, "  judged      {}", certificate.judged())
}

pub(super) fn write_verification(out: &mut dyn Write, verification: &Verification) -> Result<()> {
    if let Some(unfinished) = &verification.so_far {
        writeln!(out, "  so far      {unfinished}")?;
    }
    for check in &verification.checks {
        writeln!(out, "  {}  {}", if check.holds { "holds " } else { "FAILED" }, check.what)?;
    }
    for unknown in &verification.unknown {
        writeln!(out, "  cannot tell  {unknown}")?;
    }
    let certificate = &verification.certificate;
    match &verification.so_far {
        None => write_certificate(out, certificate),
        Some(unfinished) => {
            write_figures(out, certificate)?;
            let (step, steps) = (unfinished.step, unfinished.steps);
            let found = match certificate.verdict {
                Verdict::Violated => certificate.reason(),
                Verdict::Dissipative | Verdict::NotCovered => "nothing created energy".into(),
            };
            writeln!(out, "  so far      {found}, up to step {step} of {steps}: this is no verdict")
        }
    }
}

pub(super) fn write_mesh(out: &mut dyn Write, file: &Path, mesh: &Mesh) -> Result<()> {
    writeln!(out, "{}", file.display())?;
    let mut counts = vec![format!("{} nodes", mesh.points.len())];
    for kind in ElementKind::ALL.into_iter().rev() {
        let count = mesh.kinds.iter().filter(|&&k| k == kind).count();
        if count > 0 {
            counts.push(kind.counted(count));
        }
    }
    writeln!(out, "  counts    {}", counts.join(", "))?;
    let (low, high) = mesh.bounding_box();
    let axes = ["x", "y", "z"].into_iter().zip(low.into_iter().zip(high)).take(mesh.dimension);
    let sides: Vec<String> =
        axes.map(|(axis, (low, high))| format!("{axis} {low} to {high}")).collect();
    writeln!(out, "  box       {}", sides.join(", "))?;
    if let Some(quality) = mesh.quality() {
        let between = if mesh.dimension == 3 { " between faces" } else { "" };
        let angle = match quality.angle_min {
            Some(angle) => format!("smallest angle{between} {angle:.1} deg, "),
            None => String::new(),
        };
        writeln!(
            out,
            "  quality   shape {:.3} mean, {:.3} worst (element {}), {angle}edges {:.4} to {:.4}",
            quality.shape_mean,
            quality.shape_min,
            quality.worst_element,
            quality.edge_min,
            quality.edge_max
        )?;
    }
    for (name, group) in &mesh.groups {
        writeln!(
            out,
            "  group     {name}: dimension {}, {} elements, {} nodes",
            group.dimension,
            group.elements.len(),
            group.nodes.len()
        )?;
    }
    mesh.notices.iter().try_for_each(|notice| writeln!(out, "  note      {notice}"))
}

pub(super) fn write_outcome_header(out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "{:<44} {:>2} {:>8} {:>14} {:>10} {:>11} {:>8} {:>8} {:>6} {:>6} {:>6}  how",
        "problem",
        "d",
        "contacts",
        "solver",
        "iterations",
        "seconds",
        "error",
        "scaled",
        "open",
        "stick",
        "slip"
    )
}

pub(super) fn write_outcome(out: &mut dyn Write, o: &SolveOutcome) -> Result<()> {
    let leg = |leg: &Leg| format!("{} {}", leg.method, leg.iterations);
    let trail: Vec<String> = o.trail.iter().map(leg).collect();
    writeln!(
        out,
        "{:<44} {:>2} {:>8} {:>14} {:>10} {:>11.6} {:>8.1e} {:>8.1e} {:>6} {:>6} {:>6}  {}{}",
        o.problem.replace(char::is_control, " "),
        o.dimension,
        o.contacts,
        o.solver,
        o.iterations,
        o.seconds,
        o.error,
        o.errors.scaled,
        o.law.open,
        o.law.stick,
        o.law.slip,
        trail.join(", "),
        if o.converged { String::new() } else { format!("  NOT SOLVED, {}", o.status) }
    )
}

pub(super) fn write_profile(out: &mut dyn Write, profile: &Profile, folder: &Path) -> Result<()> {
    let at = |curve: &MethodCurve, share: f64| {
        let place = (share * profile.problems as f64).ceil() as usize;
        let ratio = curve.ratios.get(place.saturating_sub(1));
        ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
    };
    writeln!(
        out,
        "\n{:<16} {:>10} {:>8} {:>10} {:>10}",
        "method", "solved", "fastest", "half in", "90 % in"
    )?;
    for curve in &profile.curves {
        writeln!(
            out,
            "{:<16} {:>10} {:>8} {:>10} {:>10}",
            curve.method,
            format!("{}/{}", curve.ratios.len(), profile.problems),
            curve.wins,
            at(curve, 0.5),
            at(curve, 0.9)
        )?;
    }
    let folder = folder.display();
    writeln!(
        out,
        "times are in units of the fastest method's; {folder}/profile.svg, {folder}/trials.jsonl"
    )
}
