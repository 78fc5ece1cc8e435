//! Cone problems from files, solved on their own.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::contact::solver::{
    Cascade, ContactSolver, GaussSeidel, Newton, Proximal, SolveReport, SolveStatus, Target,
};
use crate::contact::{BlockColumns, ConeProblem, Measure, Status, norm};
use crate::error::Error;
use crate::problem_file::{Form, ProblemFile};
use crate::simulation::seconds_of;

/// Which solver to use on a file's problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The default of the steppers.
    Auto,
    /// Gauss–Seidel.
    GaussSeidel,
    /// Newton, in the plane.
    Newton,
    /// Proximal point with a Newton inside.
    Proximal,
}

/// How a solve of one file's problem went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
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
    /// Iterations.
    pub iterations: usize,
    /// Seconds of the solve, from a cold start.
    pub seconds: f64,
    /// Relative error, in the units of each contact.
    pub error: f64,
    /// ‖p − proj_K(p − û − μ‖û_T‖n)‖/(1 + ‖b‖), the paper's.
    pub error_paper: f64,
    /// Open contacts.
    pub open: usize,
    /// Sticking contacts.
    pub stick: usize,
    /// Sliding contacts.
    pub slip: usize,
}

/// Reads the problem of a file.
pub fn read(path: &Path) -> Result<(String, ConeProblem), Error> {
    let file = ProblemFile::read(path)?;
    let Form::Local { w, q } = file.form else {
        let message = "is a global problem (M, H, f, w); reduce it to W = Hᵀ M⁻¹ H first";
        return Err(Error::Results { path: PathBuf::from(path), message: message.into() });
    };
    let contacts = file.friction.len();
    let w = BlockColumns::from_entries(file.dimension, contacts, w.entries());
    Ok((file.name, ConeProblem { w, b: q, mu: file.friction }))
}

/// Solves a problem from p = 0.
pub fn solve(name: &str, problem: &ConeProblem, choice: Choice, target: Target) -> Outcome {
    let contacts = problem.contacts();
    let mut solver: Box<dyn ContactSolver> = match choice {
        Choice::Auto => Box::new(Cascade::new(problem.dimension(), contacts)),
        Choice::GaussSeidel => Box::new(GaussSeidel::new(problem.dimension(), contacts)),
        Choice::Newton => Box::new(Newton::new(contacts)),
        Choice::Proximal => Box::new(Proximal),
    };
    let mut p = vec![0.0; problem.b.len()];
    let (report, seconds) = seconds_of(|| solver.solve(problem, target, &mut p));
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    let SolveReport { status, iterations, error } = report;
    let statuses = statuses(problem, &p, &u);
    let count = |wanted: Status| statuses.iter().filter(|&&status| status == wanted).count();
    Outcome {
        problem: name.into(),
        dimension: problem.dimension(),
        contacts,
        solver: solver.name(),
        converged: status == SolveStatus::Converged,
        iterations,
        seconds,
        error,
        error_paper: problem.error(Measure::Paper, &p, &u),
        open: count(Status::Open),
        stick: count(Status::Stick),
        slip: count(Status::Slip),
    }
}

fn statuses(problem: &ConeProblem, p: &[f64], u: &[f64]) -> Vec<Status> {
    let d = problem.dimension();
    let noise = 1e-9 * norm(&problem.b);
    let contacts = p.chunks_exact(d).zip(u.chunks_exact(d)).zip(&problem.mu);
    contacts
        .map(|((p, u), &mu)| Status::of([p[0], norm(&p[1..])], mu, norm(&u[1..]), noise))
        .collect()
}
