//! `delassus friction`: cone problems from files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{print, tables};
use crate::contact::Measure;
use crate::error::Error;
use crate::friction::{self, Choice, Outcome, Request};

#[derive(Args)]
pub(super) struct FrictionArguments {
    /// Files, one problem each: FCLIB .hdf5, Siconos .dat, neutral .json, cone_STEP.json
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Method: auto, gauss-seidel, accelerated, newton or proximal
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = choice)]
    solver: Choice,
    /// Relative error to reach
    #[arg(long, value_name = "ERROR", default_value = "1e-8", value_parser = positive)]
    tol: f64,
    /// How the error is measured: natural (as FCLIB comparisons do), scaled (units do not matter) or paper
    #[arg(long, value_name = "MEASURE", default_value = "natural")]
    measure: MeasureName,
    /// Iterations, of all methods together, before it gives up
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_iterations: usize,
    /// Seconds before it gives up on a problem [default: no limit]
    #[arg(long, value_name = "SECONDS", default_value = "inf", hide_default_value = true, value_parser = positive)]
    time_limit: f64,
    /// Solves of each problem, the fastest of which is shown; one that takes a second is not repeated
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Leave each solution, {r, u, v}, in DIR/<problem>.json
    #[arg(long, value_name = "DIR")]
    solutions: Option<PathBuf>,
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

fn choice(name: &str) -> Result<Choice, String> {
    let known = Choice::ALL.map(Choice::name).join(", ");
    let found = Choice::ALL.into_iter().find(|choice| choice.name() == name);
    found.ok_or_else(|| format!("there is no such method; the methods are {known}"))
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 => Ok(value),
        _ => Err("give a number > 0".into()),
    }
}

pub(super) fn solve(arguments: &FrictionArguments) -> Result<(), Error> {
    let request = Request {
        choice: arguments.solver,
        tolerance: arguments.tol,
        measure: arguments.measure.into(),
        max_iterations: arguments.max_iterations,
        time_limit: arguments.time_limit,
        repeat: arguments.repeat.into(),
    };
    if !arguments.json {
        print(tables::write_outcome_header)?;
    }
    let mut unsolved = 0;
    for file in &arguments.files {
        let problem = friction::read(file)?;
        let (outcome, impulse) = friction::solve(&problem, &request);
        if let Some(folder) = &arguments.solutions {
            friction::write_solution(folder, &problem, &outcome, &impulse)?;
        }
        unsolved += usize::from(!outcome.converged);
        show(&outcome, arguments.json)?;
    }
    if unsolved == 0 {
        return Ok(());
    }
    Err(Error::Check(format!(
        "{unsolved} of {} problems were not solved to {:e}; the table tells how far they got",
        arguments.files.len(),
        arguments.tol
    )))
}

fn show(outcome: &Outcome, json: bool) -> Result<(), Error> {
    print(|out| match json {
        true => {
            serde_json::to_writer(&mut *out, outcome)?;
            writeln!(out)
        }
        false => tables::write_outcome(out, outcome),
    })
}
