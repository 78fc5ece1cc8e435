//! `delassus friction`: cone problems from files.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{print, tables, tell};
use crate::contact::Measure;
use crate::contact::solver::Method;
use crate::error::Error;
use crate::friction::{self, Profile, Request, SolveOutcome, Trial};

#[derive(Args)]
pub(super) struct FrictionArguments {
    /// Files, one problem each: FCLIB .hdf5, Siconos .dat, neutral .json, cone_STEP.json
    #[arg(required_unless_present = "bench")]
    files: Vec<PathBuf>,
    /// Method, or several with commas [default: auto, and all for --bench]: auto, accelerated, coloured, gauss-seidel, damped, newton, proximal, interior-point, admm
    #[arg(long, value_name = "METHOD", value_delimiter = ',', value_parser = method)]
    solver: Vec<Method>,
    /// Relative error to reach
    #[arg(long, value_name = "ERROR", default_value = "1e-8", value_parser = finite, allow_negative_numbers = true)]
    tol: f64,
    /// How the error is measured: natural (as FCLIB comparisons do), scaled (units do not matter) or paper
    #[arg(long, value_name = "MEASURE", default_value = "natural")]
    measure: MeasureName,
    /// Iterations, of all methods together, before it gives up
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_iterations: usize,
    /// Seconds before it gives up on a problem [default: no limit]
    #[arg(long, value_name = "SECONDS", default_value = "inf", hide_default_value = true, value_parser = positive, allow_negative_numbers = true)]
    time_limit: f64,
    /// Solves of each problem, the fastest of which is shown; one that takes a second is not repeated
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Leave each solution, {r, u, v}, in DIR/<problem>.json
    #[arg(long, value_name = "DIR", conflicts_with = "bench")]
    solutions: Option<PathBuf>,
    /// Solve every problem file of DIR by every method (or those of --solver) and draw performance profiles
    #[arg(long, value_name = "DIR", conflicts_with = "files")]
    bench: Option<PathBuf>,
    /// Results of other programs to draw beside ours: JSON lines {problem, solver, ok, seconds}
    #[arg(long, value_name = "FILE")]
    beside: Vec<PathBuf>,
    /// Where --bench leaves profile.svg and trials.jsonl [default: results/friction_bench]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON, one object per line, with every error and the methods tried
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MeasureName {
    Natural,
    Scaled,
    Paper,
}

impl From<MeasureName> for Measure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Natural => Self::Natural,
            MeasureName::Scaled => Self::Scaled,
            MeasureName::Paper => Self::Paper,
        }
    }
}

fn method(name: &str) -> Result<Method, String> {
    let known = Method::ALL.map(Method::name).join(", ");
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("there is no such method; the methods are {known}"))
}

fn finite(text: &str) -> Result<f64, String> {
    positive(text).and_then(|value| match value.is_finite() {
        true => Ok(value),
        false => Err("give a number > 0".into()),
    })
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 => Ok(value),
        _ => Err("give a number > 0".into()),
    }
}

impl FrictionArguments {
    fn methods<'a>(&'a self, otherwise: &'a [Method]) -> &'a [Method] {
        if self.solver.is_empty() { otherwise } else { &self.solver }
    }

    fn request(&self, method: Method) -> Request {
        Request {
            method,
            tolerance: self.tol,
            measure: self.measure.into(),
            max_iterations: self.max_iterations,
            time_limit: self.time_limit,
            repeat: self.repeat.into(),
        }
    }
}

pub(super) fn solve(arguments: &FrictionArguments) -> Result<(), Error> {
    if let Some(folder) = &arguments.bench {
        return bench(arguments, folder);
    }
    if !arguments.beside.is_empty() || arguments.out.is_some() {
        let message = "--beside and --out belong to --bench; add it, or leave them out";
        return Err(Error::Usage(message.into()));
    }
    let (mut unsolved, mut solves) = (0, 0);
    let mut written = HashSet::new();
    for file in &arguments.files {
        let problem = friction::read(file)?;
        for &method in arguments.methods(&[Method::Auto]) {
            if solves == 0 && !arguments.json {
                print(tables::write_outcome_header)?;
            }
            let (outcome, impulse) = friction::solve(&problem, &arguments.request(method));
            if let Some(folder) = &arguments.solutions {
                let path = friction::write_solution(folder, &problem, &outcome, &impulse)?;
                if !written.insert(path.clone()) {
                    let told = path.display();
                    tell(&format!("note: {told} now holds the solution of {}", file.display()));
                }
            }
            solves += 1;
            unsolved += usize::from(!outcome.converged);
            show(&outcome, arguments.json)?;
        }
    }
    if unsolved == 0 {
        return Ok(());
    }
    Err(Error::Check(format!(
        "{unsolved} of {solves} solves did not reach {:e}; their errors tell how far they got",
        arguments.tol
    )))
}

/// Every problem of a folder by every method; what cannot be read is told and left out.
fn bench(arguments: &FrictionArguments, folder: &Path) -> Result<(), Error> {
    let out = arguments.out.clone().unwrap_or_else(|| "results/friction_bench".into());
    let unwritable = |source| Error::Write { path: out.clone(), source };
    std::fs::create_dir_all(&out).map_err(unwritable)?;
    let mut trials = read_beside(&arguments.beside)?;
    let mut outcomes = Vec::new();
    for file in problem_files(folder)? {
        let problem = match friction::read(&file) {
            Ok(problem) => problem,
            Err(error) => {
                tell(&format!("left out: {error}"));
                continue;
            }
        };
        for &method in arguments.methods(&Method::ALL) {
            let (outcome, _) = friction::solve(&problem, &arguments.request(method));
            if outcomes.is_empty() && !arguments.json {
                print(tables::write_outcome_header)?;
            }
            show(&outcome, arguments.json)?;
            trials.push(outcome.trial());
            outcomes.push(outcome);
        }
    }
    if outcomes.is_empty() {
        let message =
            "holds no problem that could be read; give a folder with .json, .dat or .hdf5";
        return Err(Error::Usage(format!("{}: {message}", folder.display())));
    }
    let profile = Profile::new(&trials);
    friction::write_bench(&out, &profile, arguments.tol, &outcomes)?;
    if arguments.json {
        return Ok(());
    }
    print(|to| tables::write_profile(to, &profile, &out))
}

fn problem_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::Read { path: folder.into(), source };
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let ends = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("json" | "dat" | "hdf5" | "h5"))
    };
    let mut files: Vec<PathBuf> = paths.map_err(unreadable)?.into_iter().filter(ends).collect();
    files.sort();
    Ok(files)
}

fn read_beside(files: &[PathBuf]) -> Result<Vec<Trial>, Error> {
    let mut trials = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.clone(), source })?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut trial: Trial = serde_json::from_str(line).map_err(|error| {
                let place = format!("{}:{}", path.display(), number + 1);
                Error::Usage(format!("{place}: {error}; give {{problem, solver, ok, seconds}}"))
            })?;
            if method(&trial.solver).is_ok() {
                trial.solver.push_str(" (beside)");
            }
            trials.push(trial);
        }
    }
    Ok(trials)
}

fn show(outcome: &SolveOutcome, json: bool) -> Result<(), Error> {
    print(|out| match json {
        true => {
            serde_json::to_writer(&mut *out, outcome)?;
            writeln!(out)
        }
        false => tables::write_outcome(out, outcome),
    })
}
