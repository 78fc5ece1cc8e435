//! The tables of the studies and of the page on how to choose, measured and held to the pages.
//! `WRITE=1 cargo test --release --test numerics studies::` writes them anew.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::energy::{Term, Verdict, WORK_SHARE};
use delassus::output::Summary;

use crate::support::manual::{hold, shown};
use crate::support::{Table, bars, run, systems};

const BLOCK: &str = "studies/sliding_block.md";
const BAR: &str = "studies/impacting_bar.md";
const ACTIVATION: &str = "activation.md";
const CHOOSING: &str = "choosing.md";
const WALL: &str = "studies/wall.md";

/// A table with a line under its header.
struct Sheet(String);

impl Sheet {
    fn new(columns: &[&str]) -> Self {
        let line = "---|".repeat(columns.len());
        Self(format!("| {} |\n|{line}\n", columns.join(" | ")))
    }

    fn row(&mut self, cells: &[String]) {
        self.0 += &format!("| {} |\n", cells.join(" | "));
    }
}

fn block(overrides: &[&str]) -> (Summary, Table) {
    run("sliding_block", &[&["output.fields_every=0"], overrides].concat())
}

/// Steps in which a contact created more than rounding.
fn creating(history: &Table) -> usize {
    history.column("max_work_share").iter().filter(|share| **share > WORK_SHARE).count()
}

#[test]
fn laws_on_the_sliding_block() {
    let mut sheet = Sheet::new(&[
        "law",
        "external work",
        "friction",
        "energy at the end",
        "steps in which a contact created energy",
        "largest w_T of a contact",
        "verdict",
    ]);
    for law in ["fremond", "newton"] {
        let (summary, history) = block(&[&format!("scheme.law={law}")]);
        let (end, created) = (summary.energies, creating(&history));
        let largest = match created {
            0 => "rounding".into(),
            _ => shown(summary.certificate.largest[Term::Tangential], 2),
        };
        sheet.row(&[
            law.into(),
            shown(end[Term::External], 5),
            shown(end[Term::Tangential], 5),
            shown(end.total, 5),
            created.to_string(),
            largest,
            summary.certificate.verdict.to_string(),
        ]);
        assert_eq!(created == 0, law == "fremond");
    }
    hold(BLOCK, "laws", &sheet.0);
}

#[test]
fn steps_on_the_sliding_block() {
    let mut sheet = Sheet::new(&[
        "h in ms",
        "Frémond: external work",
        "energy",
        "verdict",
        "Newton: external work",
        "energy",
        "largest w_T of a contact",
        "steps that create",
    ]);
    for step in ["2e-3", "1e-3", "5e-4", "2e-4", "1e-4"] {
        let h = format!("scheme.step={step}");
        let (fremond, _) = block(&[&h]);
        let (newton, history) = block(&[&h, "scheme.law=newton"]);
        assert_eq!(fremond.certificate.verdict, Verdict::Dissipative);
        assert_eq!(newton.certificate.verdict, Verdict::Violated);
        let share = creating(&history) as f64 / newton.counts.steps as f64;
        sheet.row(&[
            step.into(),
            shown(fremond.energies[Term::External], 4),
            shown(fremond.energies.total, 4),
            fremond.certificate.verdict.to_string(),
            shown(newton.energies[Term::External], 4),
            shown(newton.energies.total, 4),
            shown(newton.certificate.largest[Term::Tangential], 2),
            format!("{:.0} %", 100.0 * share),
        ]);
    }
    hold(BLOCK, "steps", &sheet.0);
}

#[test]
fn activation_on_the_sliding_block() {
    let mut sheet = Sheet::new(&["`activation`", "h in ms", "external work", "energy", "verdict"]);
    for (activation, step) in [
        ("closed", "1e-4"),
        ("closed", "1e-3"),
        ("gap and velocity", "1e-4"),
        ("gap and velocity", "1e-3"),
        ("gap", "1e-4"),
        ("gap", "1e-3"),
    ] {
        let set = format!("scheme.activation={activation}");
        let (summary, _) = block(&[&set, &format!("scheme.step={step}")]);
        let readable = |x: f64| if x.abs() > 1e6 { "explodes".into() } else { shown(x, 4) };
        sheet.row(&[
            format!("`{activation}`"),
            step.into(),
            readable(summary.energies[Term::External]),
            readable(summary.energies.total),
            summary.certificate.verdict.to_string(),
        ]);
    }
    hold(CHOOSING, "activation", &sheet.0);
}

/// The table of h and e: contacts that leave dropped, (64) with a tolerance, and kept with the mean law.
#[test]
fn restitution_on_the_sliding_block() {
    let values = ["0.0", "0.01", "0.1", "0.5", "0.9", "1.0"];
    let heads: Vec<String> = values.iter().map(|e| format!("e = {e}")).collect();
    let columns: Vec<&str> = ["h in ms"].into_iter().chain(heads.iter().map(|h| &**h)).collect();
    let mut sheet = Sheet::new(&columns);
    for step in ["1e-4", "1e-3", "2e-3"] {
        let mut cells = vec![step.to_string()];
        for e in values {
            let set = [format!("scheme.step={step}"), format!("contact.floor.restitution={e}")];
            let own = [&*set[0], &set[1]];
            let dropped = ["scheme.activation=gap and velocity", "scheme.velocity_tolerance=1e-8"];
            let (old, _) = block(&[&own[..], &dropped].concat());
            let (new, _) = block(&own);
            let certificate = &new.certificate;
            assert_eq!(certificate.verdict, Verdict::Dissipative, "{set:?}");
            assert!(certificate.max_work_share < 1e-11, "{set:?}: {certificate:?}");
            cells.push(format!(
                "{} → {}",
                shown(old.energies[Term::External], 4),
                shown(new.energies[Term::External], 4)
            ));
        }
        sheet.row(&cells);
    }
    hold(ACTIVATION, "restitution", &sheet.0);
}

/// The bar of hexahedra that bounces: its rebound converges with the step.
#[test]
fn rebound_of_the_bar_of_hexahedra() {
    let mut sheet = Sheet::new(&["h in s", "contacts that leave dropped, (64)", "kept, (A3)"]);
    let rebound = |overrides: &[&str]| {
        let (_, _, trajectory) = systems::run("bar_rebound", overrides);
        trajectory.column("bar.vz").last().copied().unwrap()
    };
    for step in ["1e-3", "4e-4", "2e-4", "1e-4", "5e-5"] {
        let own = [&*format!("scheme.step={step}"), "output.fields_every=0"];
        let dropped = ["scheme.activation=gap and velocity", "scheme.velocity_tolerance=1e-8"];
        let [old, new] = [rebound(&[&own[..], &dropped].concat()), rebound(&own)];
        assert!((new - 0.932).abs() < 3e-3, "h = {step}: {new}");
        sheet.row(&[step.into(), shown(old, 4), shown(new, 4)]);
    }
    hold(ACTIVATION, "rebound", &sheet.0);
}

#[test]
fn tolerances_on_the_sliding_block() {
    let mut sheet = Sheet::new(&[
        "`solver.tolerance`",
        "iterations per step",
        "external work",
        "friction",
        "verdict",
    ]);
    for tolerance in ["1e-4", "1e-6", "1e-8", "1e-10", "1e-12"] {
        let (summary, _) = block(&["scheme.step=1e-3", &format!("solver.tolerance={tolerance}")]);
        sheet.row(&[
            tolerance.into(),
            format!("{:.0}", summary.solver.iterations_per_step),
            shown(summary.energies[Term::External], 4),
            shown(summary.energies[Term::Tangential], 4),
            summary.certificate.verdict.to_string(),
        ]);
    }
    hold(CHOOSING, "tolerances", &sheet.0);
}

#[test]
fn methods_on_the_sliding_block() {
    let mut sheet =
        Sheet::new(&["`solver.method`", "iterations per step", "at most", "steps not converged"]);
    for method in [
        "auto",
        "accelerated",
        "gauss-seidel",
        "damped",
        "newton",
        "proximal",
        "interior-point",
        "admm",
    ] {
        let (summary, _) = block(&[
            "scheme.step=1e-3",
            "scheme.end=0.5",
            "solver.on_failure=continue",
            "solver.save_failures=false",
            &format!("solver.method={method}"),
        ]);
        let solver = &summary.solver;
        sheet.row(&[
            format!("`{method}`"),
            shown(solver.iterations_per_step, 2),
            solver.most_iterations.to_string(),
            solver.unconverged_steps.to_string(),
        ]);
    }
    hold(CHOOSING, "methods", &sheet.0);
}

fn bar(overrides: &[&str]) -> (Summary, Table, Table) {
    systems::run("impacting_bar_1d", overrides)
}

/// Mean velocity at the end: what all impulses made of −10, with a mass of 10.
fn rebound(trajectory: &Table) -> f64 {
    trajectory.column("wall.p_n").iter().sum::<f64>() / 10.0 - 10.0
}

/// Of an energy of 500, what the solver leaves is below 1e-6.
fn or_rounding(work: f64, digits: usize) -> String {
    match work.abs() {
        0.0 => "0".into(),
        size if size < 1e-6 => "rounding".into(),
        _ => shown(work, digits),
    }
}

#[test]
fn theta_on_the_bar() {
    let mut sheet = Sheet::new(&[
        "θ",
        "contact work",
        "numerical dissipation",
        "energy at the end",
        "rebound",
        "verdict",
    ]);
    for theta in ["0.5", "0.51", "0.6", "0.75", "1.0"] {
        let (summary, _, trajectory) = bar(&[&format!("scheme.theta={theta}")]);
        let end = summary.energies;
        sheet.row(&[
            theta.into(),
            or_rounding(end[Term::Normal], 4),
            or_rounding(end[Term::Numerical], 4),
            shown(end.total, 5),
            shown(rebound(&trajectory), 4),
            summary.certificate.verdict.to_string(),
        ]);
    }
    hold(BAR, "theta", &sheet.0);
}

#[test]
fn restitution_on_the_bar() {
    let mut sheet =
        Sheet::new(&["e", "1/(1+e)", "contact work", "energy at the end", "rebound", "closings"]);
    for e in [0.0f64, 0.25, 0.5, 0.75, 1.0] {
        let (summary, _, trajectory) = bar(&[&format!("contact.wall.restitution={e:?}")]);
        let p = trajectory.column("wall.p_n");
        let closings = p.windows(2).filter(|pair| pair[0] == 0.0 && pair[1] > 0.0).count();
        assert_eq!(summary.certificate.verdict, Verdict::Dissipative);
        let work = summary.energies[Term::Normal];
        sheet.row(&[
            e.to_string(),
            format!("{:.3}", 1.0 / (1.0 + e)),
            or_rounding(work, 3),
            shown(summary.energies.total, 3),
            shown(rebound(&trajectory), 2),
            closings.to_string(),
        ]);
    }
    hold(BAR, "restitution", &sheet.0);
}

#[test]
fn step_on_the_bar() {
    let mut sheet = Sheet::new(&[
        "h c/Δx",
        "loss in closed form (T18)",
        "found",
        "energy at the end",
        "rebound",
    ]);
    for courant in [0.25, 0.5, 1.0, 2.0, 4.0] {
        let (dx, c) = (0.05f64, 30.0f64);
        let h = courant * dx / c;
        let steps = (1.5 / h).round();
        let overrides = [format!("scheme.step={h:?}"), format!("scheme.end={:?}", steps * h)];
        let (summary, _, trajectory) = bar(&[&overrides[0], &overrides[1]]);
        let exact = 50.0 * (dx * dx / 12.0 + (0.5 * h * c).powi(2)).sqrt();
        let found = -summary.energies[Term::Normal];
        sheet.row(&[
            courant.to_string(),
            shown(exact, 4),
            shown(found, 4),
            shown(summary.energies.total, 5),
            shown(rebound(&trajectory), 4),
        ]);
    }
    hold(BAR, "step", &sheet.0);
}

#[test]
fn mesh_on_the_bar() {
    let mut sheet = Sheet::new(&[
        "cells",
        "time in contact (0.66667)",
        "pressure (300)",
        "impulse (200)",
        "rebound (10)",
    ]);
    for cells in [50, 100, 200, 400] {
        let met = bars::exact_contact(cells);
        sheet.row(&[
            cells.to_string(),
            format!("{:.5}", met.contact),
            format!("{:.3}", met.pressure),
            format!("{:.3}", met.impulse),
            format!("{:.4}", met.rebound),
        ]);
    }
    hold(BAR, "mesh", &sheet.0);
}

#[test]
fn mass_on_the_bar() {
    let mut sheet = Sheet::new(&["`mesh.mass`", "loss in closed form (T18)", "found", "rebound"]);
    for (mass, share) in [("consistent", 12.0), ("lumped", 4.0)] {
        let (summary, _, trajectory) = bar(&[&format!("mesh.mass={mass}")]);
        let exact = 50.0 * (0.05f64 * 0.05 / share + 0.025f64 * 0.025).sqrt();
        sheet.row(&[
            format!("`{mass}`"),
            shown(exact, 5),
            shown(-summary.energies[Term::Normal], 5),
            shown(rebound(&trajectory), 4),
        ]);
    }
    hold(CHOOSING, "mass", &sheet.0);
}

/// A share of what passes through a contact that is no solver's tolerance, which is 1e-10 here.
const LAW_NOT_SOLVER: f64 = 1e-6;

/// What falls is chaos and shown to two digits; that Newton's law creates energy and Frémond's none is not.
#[test]
fn laws_on_the_struck_wall() {
    let mut sheet = Sheet::new(&[
        "law",
        "work of normal impulses in MJ",
        "of friction",
        "energy at the end",
        "steps in which a contact created energy",
        "largest w_T of a contact",
        "verdict",
    ]);
    for law in ["fremond", "newton"] {
        let law_set = format!("scheme.law={law}");
        let own = ["output.fields_every=0", "solver.save_failures=false", &law_set];
        let (summary, history) = run("rockwall/struck_wall", &own);
        let (end, shares) = (summary.energies, history.column("max_work_share"));
        let creating = shares.iter().filter(|share| **share > LAW_NOT_SOLVER).count();
        let largest = summary.certificate.largest[Term::Tangential];
        sheet.row(&[
            law.into(),
            shown(1e-6 * end[Term::Normal], 2),
            shown(1e-6 * end[Term::Tangential], 2),
            shown(1e-6 * end.total, 2),
            creating.to_string(),
            if law == "fremond" { "rounding".into() } else { format!("{largest:.0e} J") },
            summary.certificate.verdict.to_string(),
        ]);
        match law {
            // Of 1.1e7 J, of which 4e6 J pass through one contact in one step.
            "fremond" => assert!(creating == 0 && largest < 1e-7, "{creating}, {largest:e}"),
            _ => assert!(creating > 20 && largest > 0.1, "{creating}, {largest:e}"),
        }
    }
    hold(WALL, "laws", &sheet.0);
}
