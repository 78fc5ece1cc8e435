//! Cone problems from files, solved on their own.
//!
#![doc = include_str!("../docs/src/friction.md")]

mod profile;
mod reduction;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::contact::solver::{Leg, Method, SolveStatus, Target};
use crate::contact::{BlockColumns, ConeProblem, Examination, Measure};
use crate::error::Error;
use crate::output::write_whole;
use crate::problem_file::{Form, ProblemFile, Solution};
use crate::simulation::{Deadline, seconds_of};
pub use profile::{MethodCurve, Profile, Trial};
use reduction::Bodies;

/// How to solve a file's problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// By which method.
    pub method: Method,
    /// To which error.
    pub tolerance: f64,
    /// In which measure.
    pub measure: Measure,
    /// Iterations before it gives up.
    pub max_iterations: usize,
    /// Seconds before it gives up.
    pub time_limit: f64,
    /// Solves, each from a cold start, of which the fastest is reported; one where it takes long.
    pub repeat: usize,
}

/// Seconds of a solve beyond which it is not repeated.
const LONG: f64 = 1.0;
/// Velocities and impulses below this share of the largest are zero.
const NOISE: f64 = 1e-9;

/// A problem as it is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionProblem {
    /// Its name.
    pub name: String,
    /// Reduced to the contacts.
    pub cone: ConeProblem,
    /// What it was reduced from, for global ones.
    pub bodies: Option<Bodies>,
    /// Seconds of the reduction.
    pub reduction: f64,
}

/// How a solve of one file's problem went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveOutcome {
    /// The problem's name.
    pub problem: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of contacts.
    pub contacts: usize,
    /// Solver.
    pub solver: &'static str,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// How it ended.
    pub status: &'static str,
    /// Iterations, of all methods tried.
    pub iterations: usize,
    /// Seconds of the solve, from a cold start, setting up the solver included.
    pub seconds: f64,
    /// Seconds to reduce a global problem, beside those of the solve.
    pub reduction_seconds: f64,
    /// Relative error in the measure asked for.
    pub error: f64,
    /// In which measure.
    pub measure: Measure,
    /// Errors in all measures.
    pub errors: Errors,
    /// The methods it went through.
    pub trail: Vec<Leg>,
    /// Coulomb's law, contact by contact.
    #[serde(flatten)]
    pub law: Examination,
}

/// [`ConeProblem::error`] in every measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// [`Measure::Natural`].
    pub natural: f64,
    /// [`Measure::Scaled`].
    pub scaled: f64,
    /// [`Measure::Paper`].
    pub paper: f64,
}

/// Reads the problem of a file, and reduces it to its contacts where it is a global one.
pub fn read(path: &Path) -> Result<FrictionProblem, Error> {
    let ProblemFile { name, dimension, friction: mu, form, .. } = ProblemFile::read(path)?;
    match form {
        Form::Local { w, q } => {
            let w = BlockColumns::from_entries(dimension, mu.len(), w.entries());
            Ok(FrictionProblem {
                name,
                cone: ConeProblem { w: w.into(), b: q, mu },
                bodies: None,
                reduction: 0.0,
            })
        }
        Form::Global { m, h, f, w } => {
            let bodies = Bodies { m, h, f };
            let (reduced, reduction) = seconds_of(|| bodies.reduce(dimension, &w));
            let (w, b) = reduced.ok_or_else(|| Error::Results {
                path: PathBuf::from(path),
                message: "the matrix M of this global problem is singular; does a body have no \
                          mass, or is only a part of M in the file?"
                    .into(),
            })?;
            Ok(FrictionProblem {
                name,
                cone: ConeProblem { w, b, mu },
                bodies: Some(bodies),
                reduction,
            })
        }
    }
}

/// Solves a problem from p = 0; returns how it went, and the impulse.
pub fn solve(problem: &FrictionProblem, request: &Request) -> (SolveOutcome, Vec<f64>) {
    let cone = &problem.cone;
    let (dimension, contacts) = (cone.dimension(), cone.contacts());
    let mut fastest: Option<(f64, _, _, _)> = None;
    for _ in 0..request.repeat.max(1) {
        let deadline = Deadline::after(request.time_limit);
        let enough = || deadline.passed();
        let target = Target {
            measure: request.measure,
            enough: Some(&enough),
            ..Target::new(request.tolerance, request.max_iterations)
        };
        let ((report, trail, p), seconds) = seconds_of(|| {
            let mut solver = request.method.solver(dimension, contacts);
            let mut p = vec![0.0; cone.b.len()];
            let report = solver.solve(cone, target, &mut p);
            (report, solver.trail().to_vec(), p)
        });
        if fastest.as_ref().is_none_or(|(least, ..)| seconds < *least) {
            fastest = Some((seconds, report, trail, p));
        }
        if seconds > LONG {
            break;
        }
    }
    let Some((seconds, report, trail, p)) = fastest else { unreachable!("it is solved once") };
    let mut u = vec![0.0; p.len()];
    cone.velocity_into(&p, &mut u);
    let outcome = SolveOutcome {
        problem: problem.name.clone(),
        dimension,
        contacts,
        solver: request.method.name(),
        converged: report.status == SolveStatus::Converged,
        status: report.status.name(),
        iterations: report.iterations,
        seconds,
        reduction_seconds: problem.reduction,
        error: report.error,
        measure: request.measure,
        errors: Errors {
            natural: cone.error(Measure::Natural, &p, &u),
            scaled: cone.error(Measure::Scaled, &p, &u),
            paper: cone.error(Measure::Paper, &p, &u),
        },
        trail,
        law: cone.examine(&p, &u, report.error.max(NOISE)),
    };
    (outcome, p)
}

/// A solution in a file of its own: {name, solver, error, measure, r, u, v}.
#[derive(Serialize)]
struct SolutionFile<'a> {
    name: &'a str,
    solver: &'a str,
    error: f64,
    measure: Measure,
    #[serde(flatten)]
    solution: Solution,
}

/// Writes the impulse that `solve` found, with its velocities, to `folder/NAME.json`, or to
/// `folder/NAME__METHOD.json` for another method than the default; returns the path.
pub fn write_solution(
    folder: &Path,
    problem: &FrictionProblem,
    outcome: &SolveOutcome,
    impulse: &[f64],
) -> Result<PathBuf, Error> {
    let plain = |c: char| if c.is_alphanumeric() || "._-+".contains(c) { c } else { '_' };
    let name: String = problem.name.chars().map(plain).collect();
    let name = name.trim_start_matches('.');
    let method = match outcome.solver {
        default if default == Method::Auto.name() => String::new(),
        other => format!("__{other}"),
    };
    let path = folder.join(format!("{name}{method}.json"));
    let mut u = vec![0.0; impulse.len()];
    problem.cone.velocity_into(impulse, &mut u);
    let v = problem.bodies.as_ref().and_then(|bodies| bodies.velocities(impulse));
    let file = SolutionFile {
        name: &problem.name,
        solver: outcome.solver,
        error: outcome.error,
        measure: outcome.measure,
        solution: Solution { r: impulse.to_vec(), u, v },
    };
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| write_whole(&path, |out| Ok(serde_json::to_writer(out, &file)?)));
    match written {
        Ok(()) => Ok(path),
        Err(source) => Err(Error::Write { path, source }),
    }
}

impl SolveOutcome {
    /// As a performance profile sees it.
    pub fn trial(&self) -> Trial {
        Trial {
            problem: self.problem.clone(),
            solver: self.solver.into(),
            ok: self.converged,
            seconds: Some(self.seconds),
        }
    }
}

/// Writes `profile.svg` and `trials.jsonl` to `folder`.
pub fn write_bench(
    folder: &Path,
    profile: &Profile,
    tolerance: f64,
    outcomes: &[SolveOutcome],
) -> Result<(), Error> {
    let title = format!("Problems solved to {tolerance:e}, of {}", profile.problems);
    let write = |name: &str, text: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        let written = std::fs::create_dir_all(folder).and_then(|()| write_whole(&path, text));
        written.map_err(|source| Error::Write { path, source })
    };
    write("profile.svg", &|out| out.write_all(profile.to_svg(&title).as_bytes()))?;
    write("trials.jsonl", &|out| {
        outcomes.iter().try_for_each(|outcome| {
            serde_json::to_writer(&mut *out, outcome)?;
            writeln!(out)
        })
    })
}
