//! What the commands print.

use std::path::Path;

use crate::case::{KEYS, Key, TIME_KEYS};
use crate::energy::{Certificate, Verdict, WORK_TOLERANCE};
use crate::mesh::{ElementKind, Mesh};
use crate::output::{Summary, Timings, Verification};

pub(super) fn print_summary(summary: &Summary, out: &Path, has_fields: bool) {
    let (counts, scheme, end) = (&summary.counts, &summary.scheme, &summary.energies);
    println!("{} [{}]", summary.case.title, summary.case.units);
    println!(
        "  mesh        {} nodes, {} elements, {} dofs ({} driven), {} contact nodes",
        counts.nodes, counts.elements, counts.dofs, counts.driven_dofs, counts.contact_nodes
    );
    println!(
        "  scheme      {}, {} law, theta = {}, {} steps of {}",
        scheme.kind, scheme.law, scheme.theta, counts.steps, scheme.step
    );
    let scales = &summary.scales;
    let velocity = match scales.velocity_tolerance {
        Some(tolerance) => {
            format!(" and u_N <= {tolerance:.1e} (velocity scale {:.3e})", scales.velocity)
        }
        None => String::new(),
    };
    println!("  activation  g <= {:.1e}{velocity}", scales.gap_tolerance);
    println!(
        "  energy      {:.6} at the start, {:.6} at the end (kinetic {:.6}, strain {:.6}, potential {:.6})",
        end.total_start, end.total, end.kinetic, end.strain, end.potential
    );
    println!(
        "  work        external {:.6}, damping {:.6}, normal {:.6}, tangential {:.6}, numerical {:.6}",
        end.work_external,
        end.work_damping,
        end.work_normal,
        end.work_tangential,
        end.dissipation_numerical
    );
    let solver = &summary.solver;
    println!(
        "  contact     {}: {:.1} iterations per step with contact, at most {}, error <= {:.1e}{}",
        solver.method,
        solver.iterations as f64 / solver.steps_with_contact.max(1) as f64,
        solver.most_iterations,
        solver.largest_error,
        match solver.unconverged_steps {
            0 => String::new(),
            some => format!(", {some} steps not converged"),
        }
    );
    print_timings(&summary.timings, counts.steps);
    if let Some(peak) = summary.peak_memory {
        println!("  memory      {:.0} MB at the peak", peak as f64 / 1e6);
    }
    print_certificate(&summary.certificate);
    let out = out.display();
    let first = if has_fields { format!("{out}/fields.pvd in ParaView, ") } else { String::new() };
    println!("  open next   {first}{out}/history.csv, {out}/summary.json");
}

fn print_timings(timings: &Timings, steps: usize) {
    let stepping = timings.stepping().max(f64::MIN_POSITIVE);
    let share = |seconds: f64| 100.0 * seconds / stepping;
    println!(
        "  time        {:.2} s: mesh {:.3}, assembly {:.3}, factor {:.3}, {steps} steps {:.3} ({:.1} us each)",
        timings.total,
        timings.mesh,
        timings.assembly,
        timings.factor,
        stepping,
        1e6 * stepping / steps.max(1) as f64
    );
    println!(
        "  of a step   rhs {:.0} %, forward {:.0} %, contact {:.0} %, backward {:.0} %, ledger {:.0} %, output {:.0} %",
        share(timings.rhs),
        share(timings.forward),
        share(timings.contact),
        share(timings.backward),
        share(timings.ledger),
        share(timings.output)
    );
}

fn print_certificate(certificate: &Certificate) {
    println!(
        "  balance     closed to {:.1e} of the energy scale {:.4}",
        certificate.max_balance_residual, certificate.energy_scale
    );
    println!("  verdict     {}: {}", certificate.verdict, reason(certificate));
}

/// Why the verdict is what it is.
fn reason(certificate: &Certificate) -> String {
    let (tangential, normal) = (certificate.max_tangential_work, certificate.max_normal_work);
    let limit = WORK_TOLERANCE * certificate.energy_scale;
    match certificate.verdict {
        Verdict::Dissipative => format!(
            "no contact created energy at any step (largest work {:.1e})",
            tangential.max(normal)
        ),
        Verdict::Violated if !certificate.balanced() => "the energy balance did not close".into(),
        Verdict::Violated if tangential > limit => {
            format!(
                "a contact created {tangential:.3e} of tangential work in a step{}",
                not_covered(certificate)
            )
        }
        Verdict::Violated => {
            format!(
                "a contact created {normal:.3e} of normal work in a step{}",
                not_covered(certificate)
            )
        }
        Verdict::NotCovered => {
            format!(
                "no contact created energy, but none of it is promised{}",
                not_covered(certificate)
            )
        }
    }
}

fn not_covered(certificate: &Certificate) -> String {
    let coverage = &certificate.coverage;
    let mut missing = Vec::new();
    if !coverage.theta_admitted {
        missing.push("theta lies outside of [1/2, 1/(1 + e)]");
    }
    if !coverage.friction_on_mean_velocity {
        missing.push("friction does not act on the mean velocity (law is not fremond)");
    }
    if !coverage.leaving_contacts_excluded {
        missing.push("activation = \"gap\" keeps contacts that leave");
    }
    if missing.is_empty() { String::new() } else { format!("; {}", missing.join(", ")) }
}

pub(super) fn print_verification(verification: &Verification) {
    for check in &verification.checks {
        println!("  {}  {}", if check.holds { "holds " } else { "FAILED" }, check.what);
    }
    print_certificate(&verification.certificate);
}

pub(super) fn print_mesh(file: &Path, mesh: &Mesh) {
    let count = |kind: ElementKind| mesh.kinds.iter().filter(|&&k| k == kind).count();
    println!("{}", file.display());
    println!(
        "  counts    {} nodes, {} triangles, {} lines, {} points",
        mesh.points.len(),
        count(ElementKind::Triangle3),
        count(ElementKind::Line2),
        count(ElementKind::Point1)
    );
    let (low, high) = mesh.bounding_box();
    println!("  box       x {} to {}, y {} to {}", low[0], high[0], low[1], high[1]);
    if let Some(quality) = mesh.quality() {
        println!(
            "  quality   shape {:.3} mean, {:.3} worst (element {}), smallest angle {:.1} deg, edges {:.4} to {:.4}",
            quality.shape_mean,
            quality.shape_min,
            quality.worst_element,
            quality.angle_min,
            quality.edge_min,
            quality.edge_max
        );
    }
    for (name, group) in &mesh.groups {
        println!(
            "  group     {name}: dimension {}, {} elements, {} nodes",
            group.dimension,
            group.elements.len(),
            group.nodes.len()
        );
    }
    mesh.notices.iter().for_each(|notice| println!("  note      {notice}"));
}

pub(super) fn print_keys() {
    let print = |key: &Key| {
        println!("{}\n    {}; {}; {}", key.path, key.meaning, key.kind, default_of(key));
    };
    KEYS.iter().for_each(print);
    println!("\nEvery `time` table:");
    TIME_KEYS.iter().for_each(print);
}

fn default_of(key: &Key) -> String {
    match key.default {
        "required" => "required".into(),
        other => format!("default: {other}"),
    }
}
