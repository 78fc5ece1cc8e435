//! Solvers of the cone problem, one file each.

mod cascade;
mod gauss_seidel;
mod lemke;
mod local;
mod newton;
mod proximal;

pub use cascade::Cascade;
pub use gauss_seidel::GaussSeidel;
pub use newton::Newton;
pub use proximal::Proximal;

use super::ConeProblem;

/// How well to solve, and how long to try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Relative error to reach, [`ConeProblem::error`].
    pub tolerance: f64,
    /// Iterations, of all methods together, before it gives up.
    pub max_iterations: usize,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStatus {
    /// The error is at or below the tolerance.
    Converged,
    /// It is not, and the error stopped falling.
    Stalled,
    /// It is not, and the iterations ran out.
    OutOfIterations,
}

/// What a solve did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "an unconverged solve must be looked at"]
pub struct SolveReport {
    /// How it ended.
    pub status: SolveStatus,
    /// Iterations, of all methods tried.
    pub iterations: usize,
    /// Relative error of the impulse returned.
    pub error: f64,
}

/// A method for the cone problem.
pub trait ContactSolver {
    /// Name, as a case file spells it.
    fn name(&self) -> &'static str;

    /// Improves the impulse `p`, which holds the first guess, and leaves its best in place.
    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport;
}
