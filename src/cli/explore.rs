//! `delassus explore`: all solutions of one step.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use super::{print, tables};
use crate::case::Case;
use crate::contact::Status;
use crate::error::Error;
use crate::explore::{
    Determinacy, ExploreRequest, ExploredStep, Outcome, Rest, StepChoice, explore_case,
    write_cloud, write_solutions,
};

#[derive(Args)]
#[command(group(ArgGroup::new("moment").required(true).args(["step", "rest"])))]
pub(super) struct ExploreArguments {
    /// Case file (.toml)
    case: PathBuf,
    /// The step to explore, from 1: the one that leads to the state of that number
    #[arg(long, value_name = "K")]
    step: Option<usize>,
    /// Ask whether the initial configuration can rest: one step of it without velocity
    #[arg(long)]
    rest: bool,
    /// Starts to solve from
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..))]
    samples: u32,
    /// Contacts to draw, by node and with commas [default: the four with the largest spread]
    #[arg(long, value_name = "NODE", value_delimiter = ',')]
    contacts: Vec<String>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Set a key of the case, e.g. --set contact.floor.friction=0.9; repeatable
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Where solutions.csv and cloud.svg go [default: results/explore_<case name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

/// Panels drawn where none were asked for.
const PANELS: usize = 4;
/// Contacts and outcomes that are told one by one.
const MOST_TOLD: usize = 8;

pub(super) fn explore(arguments: &ExploreArguments) -> Result<(), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let moment = arguments.step.map_or(StepChoice::Rest, StepChoice::Step);
    let request = ExploreRequest {
        samples: arguments.samples as usize,
        seed: arguments.seed,
        tolerance: case.solver.tolerance,
        max_iterations: case.solver.max_iterations,
    };
    let scene = explore_case(&case, moment, &request)?;
    let drawn = drawn(&scene, &arguments.contacts)?;
    let default = || Path::new("results").join(format!("explore_{}", case.name));
    let out = arguments.out.clone().unwrap_or_else(default);
    let complain = |source| Error::OutputFolder { path: out.clone(), source };
    std::fs::create_dir_all(&out).map_err(complain)?;
    write_solutions(&out.join("solutions.csv"), &scene)?;
    write_cloud(&out.join("cloud.svg"), &scene, &drawn)?;
    if !arguments.quiet {
        print(|to| write_scene(to, &case, moment, &scene))?;
        let at = out.display();
        print(|to| writeln!(to, "  open next   {at}/cloud.svg, {at}/solutions.csv"))?;
    }
    match scene.found.verdict() {
        Determinacy::Unsolved => Err(Error::Check(format!(
            "none of {} samples reached {:e} in {} sweeps; try a larger solver.tolerance or \
             solver.max_iterations",
            request.samples, request.tolerance, request.max_iterations
        ))),
        Determinacy::Unique | Determinacy::Impulses(_) | Determinacy::Motions(_) => Ok(()),
    }
}

/// The contacts asked for, or those whose impulses spread most.
fn drawn(scene: &ExploredStep, asked: &[String]) -> Result<Vec<usize>, Error> {
    let all = 0..scene.contacts.len();
    if asked.is_empty() {
        let mut drawn: Vec<(usize, f64)> = all.map(|c| (c, scene.found.reach_of(c))).collect();
        drawn.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        return Ok(drawn.into_iter().take(PANELS).map(|(c, _)| c).collect());
    }
    let mut drawn = Vec::new();
    for node in asked {
        let is_meant = |name: &String| name == node || name.rsplit(':').next() == Some(node);
        let before = drawn.len();
        drawn.extend(all.clone().filter(|&c| is_meant(&scene.contacts[c])));
        if drawn.len() == before {
            let active = scene.contacts.join(", ");
            return Err(Error::Usage(format!(
                "--contacts: no active contact at node '{node}'; the active ones are {active}"
            )));
        }
    }
    Ok(drawn)
}

fn write_scene(
    out: &mut dyn Write,
    case: &Case,
    moment: StepChoice,
    scene: &ExploredStep,
) -> io::Result<()> {
    let found = &scene.found;
    writeln!(out, "{} [{}]", case.title, case.units)?;
    let step = match moment {
        StepChoice::Step(step) => format!("{step}, from t = {}", tables::readable(scene.time)),
        StepChoice::Rest => "from rest, without velocity".into(),
    };
    writeln!(out, "  step        {step}, {} active contacts", scene.contacts.len())?;
    let (solved, all) = (found.solved(), found.samples.len());
    let counted = found.outcomes.iter().flat_map(|outcome| &outcome.samples);
    let error = counted.map(|&i| found.samples[i].tight.error).fold(0.0, f64::max);
    let unsolved = match all - solved {
        0 => String::new(),
        some => format!("; {some} did not reach it and are left out"),
    };
    let tolerance = found.request.tolerance;
    writeln!(
        out,
        "  samples     {solved} of {all} solved to {tolerance:.1e}, polished to {error:.1e}{unsolved}"
    )?;
    for (number, outcome) in found.outcomes.iter().take(MOST_TOLD).enumerate() {
        write_outcome(out, scene, number, outcome)?;
    }
    if let Some(more @ 1..) = found.outcomes.len().checked_sub(MOST_TOLD) {
        writeln!(out, "  …           {more} more outcomes in solutions.csv")?;
    }
    match found.verdict() {
        Determinacy::Unsolved => writeln!(out, "  verdict     not solved")?,
        Determinacy::Unique => writeln!(out, "  verdict     unique: one motion, one impulse")?,
        Determinacy::Impulses(dimension) => writeln!(
            out,
            "  verdict     one motion; its impulses are indeterminate, a set of dimension {dimension}"
        )?,
        Determinacy::Motions(1) => writeln!(out, "  verdict     a family of motions")?,
        Determinacy::Motions(count) => writeln!(out, "  verdict     {count} different motions")?,
    }
    if moment == StepChoice::Rest && solved > 0 {
        let answer = match scene.rest() {
            Rest::Rests => "can rest".into(),
            Rest::Neither(moving) => {
                format!("can rest, but need not ({moving} of {solved} samples move)")
            }
            Rest::Moves => "cannot rest".into(),
        };
        writeln!(out, "  rest        {answer}; at rest is |v| <= {:.1e}", scene.rest_speed())?;
    }
    Ok(())
}

fn write_outcome(
    out: &mut dyn Write,
    scene: &ExploredStep,
    number: usize,
    outcome: &Outcome,
) -> io::Result<()> {
    let count = outcome.samples.len();
    let told = format!("outcome {}", number + 1);
    let statuses = statuses(scene, outcome);
    let speed = scene.speeds[number];
    writeln!(out, "  {told:<11} {count} samples: {statuses}; largest |v| {speed:.3e}")?;
    let (u, p) = (&outcome.velocities, &outcome.impulses);
    for (name, spread) in [("velocities", u), ("impulses", p)] {
        let beyond = outcome.goes_on && name == "impulses";
        let what = match spread.dimension {
            0 => "determined".to_string(),
            dimension => format!(
                "a set of dimension {}{dimension}{}",
                if spread.at_least { "at least " } else { "" },
                if beyond { " that goes on far beyond the samples" } else { "" }
            ),
        };
        writeln!(
            out,
            "              {name} {what}: spread {:.1e}, {:.1e} before polishing, rounding {:.1e}",
            spread.tight, spread.loose, spread.noise
        )?;
    }
    if p.dimension > 0 {
        write_extents(out, scene, outcome)?;
    }
    Ok(())
}

/// What each contact does, or how many do what.
fn statuses(scene: &ExploredStep, outcome: &Outcome) -> String {
    let word = |status: &Status| match status {
        Status::Open => "open",
        Status::Stick => "stick",
        Status::Slip => "slip",
    };
    if outcome.status.len() <= MOST_TOLD {
        let each = scene.contacts.iter().zip(&outcome.status);
        let each: Vec<String> = each.map(|(name, s)| format!("{name} {}", word(s))).collect();
        return if each.is_empty() { "no contact".into() } else { each.join(", ") };
    }
    let count = |kind: Status| outcome.status.iter().filter(|&&s| s == kind).count();
    let kinds = [Status::Open, Status::Stick, Status::Slip];
    kinds.map(|kind| format!("{} {}", count(kind), word(&kind))).join(", ")
}

/// Extents of the impulses that spread most.
fn write_extents(out: &mut dyn Write, scene: &ExploredStep, outcome: &Outcome) -> io::Result<()> {
    let d = scene.found.problem.dimension();
    let width = |c: usize| {
        let own = outcome.extent[d * c..d * (c + 1)].iter();
        scene.found.problem.rate_of(c) * own.map(|[l, h]| h - l).fold(0.0, f64::max)
    };
    let mut order: Vec<usize> = (0..scene.contacts.len()).collect();
    order.sort_by(|&a, &b| width(b).total_cmp(&width(a)));
    let parts: &[&str] = if d == 3 { &["p_N", "p_T1", "p_T2"] } else { &["p_N", "p_T"] };
    for &c in order.iter().take(PANELS) {
        let range =
            |(part, [low, high]): (&&str, &[f64; 2])| format!("{part} {low:.3e} to {high:.3e}");
        let ranges: Vec<String> = parts.iter().zip(&outcome.extent[d * c..]).map(range).collect();
        writeln!(out, "              contact {}: {}", scene.contacts[c], ranges.join(", "))?;
    }
    Ok(())
}
