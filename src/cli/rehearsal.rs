//! `delassus run --dry-run`: what a run would be.

use std::io::{Result, Write};

use super::progress::{duration, grouped};
use super::tables::{write_activation, write_counts};
use crate::case::{Case, MaterialCase};
use crate::energy::Coverage;
use crate::simulation::Rehearsal;

pub(super) fn write(out: &mut dyn Write, case: &Case, rehearsal: &Rehearsal) -> Result<()> {
    let counts = &rehearsal.counts;
    writeln!(out, "{} [{}]", case.title, case.units)?;
    write_counts(out, counts)?;
    case.materials.iter().try_for_each(|material| write_material(out, material))?;
    for contact in &case.contacts {
        let (name, e) = (&contact.name, contact.restitution.normal);
        writeln!(out, "  contact     {name}: friction {}, restitution {e}", contact.friction)?;
    }
    let scheme = &case.scheme;
    let (steps, step) = (grouped(scheme.steps), scheme.step);
    let (parameters, law) = (&scheme.parameters, scheme.law.name());
    writeln!(out, "  scheme      {parameters}, {law} law, {steps} steps of {step}")?;
    if let Some(largest) = rehearsal.largest_stable_step {
        writeln!(out, "  stability   steps up to {largest:.3e}")?;
    }
    writeln!(out, "  theorem     {}", covered(&rehearsal.coverage))?;
    write_activation(out, &rehearsal.scales, scheme.parameters.activates())?;
    writeln!(out, "  factor      {} entries", grouped(counts.factor_entries))?;
    let limit = match rehearsal.memory_limit {
        Some((bytes, source)) => format!(" of the {} that {source}", size(bytes)),
        None => String::new(),
    };
    writeln!(out, "  memory      {} at most{limit}", size(rehearsal.memory))?;
    write_disk(out, rehearsal)?;
    write_time(out, rehearsal)?;
    writeln!(out, "  dry run     the case can be run; nothing was written")
}

fn write_material(out: &mut dyn Write, case: &MaterialCase) -> Result<()> {
    let m = &case.material;
    let section = m.section.description();
    let name = &case.name;
    let (young, poisson, density) = (m.young, m.poisson, m.density);
    writeln!(
        out,
        "  material    {name}: {section}, young {young}, poisson {poisson}, density {density}"
    )
}

/// What the theorem asks and the case has not.
fn covered(coverage: &Coverage) -> String {
    let asks = [
        (coverage.theta_admitted, "1/2 <= theta <= 1/(1 + e)"),
        (coverage.friction_on_mean_velocity, "friction on the mean velocity of the step"),
        (
            coverage.leaving_contacts_harmless,
            "contacts that leave to be inactive or to obey the mean law",
        ),
        (coverage.scheme_dissipates, "a scheme that dissipates by itself"),
    ];
    let missing: Vec<&str> = asks.iter().filter(|(has, _)| !has).map(|(_, what)| *what).collect();
    match missing.is_empty() {
        true => "covers the run: no contact can create energy".into(),
        false => format!("does not cover the run: it asks {}", missing.join(", ")),
    }
}

fn write_disk(out: &mut dyn Write, rehearsal: &Rehearsal) -> Result<()> {
    let disk = &rehearsal.disk;
    writeln!(
        out,
        "  results     about {}: {} frames of fields ({}), {} rows of history ({})",
        size(disk.frame_bytes + disk.row_bytes),
        grouped(disk.frames),
        size(disk.frame_bytes),
        grouped(disk.rows),
        size(disk.row_bytes)
    )
}

fn write_time(out: &mut dyn Write, rehearsal: &Rehearsal) -> Result<()> {
    let (each, steps) = (rehearsal.seconds_per_step, rehearsal.counts.steps);
    writeln!(
        out,
        "  time        about {}: {} before the first step, {:.1} us each of {} steps, files not counted",
        duration(rehearsal.preparation + each * steps as f64),
        duration(rehearsal.preparation),
        1e6 * each,
        grouped(steps)
    )?;
    let tried = grouped(rehearsal.tried);
    let typical = if rehearsal.tried < steps { ", which may not be typical" } else { "" };
    writeln!(
        out,
        "              measured on the first {tried} steps{typical}; writing files comes on top"
    )
}

/// Bytes as a person says them.
fn size(bytes: usize) -> String {
    let bytes = bytes as f64;
    match bytes {
        b if b < 1e3 => format!("{b:.0} B"),
        b if b < 1e6 => format!("{:.1} kB", 1e-3 * b),
        b if b < 1e9 => format!("{:.1} MB", 1e-6 * b),
        b => format!("{:.1} GB", 1e-9 * b),
    }
}
