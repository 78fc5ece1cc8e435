//! Solvers of the cone problem, one file each.

mod admm;
mod alart_curnier;
mod anderson;
mod cascade;
mod coloured;
mod elimination;
mod gauss_seidel;
mod interior_point;
mod islands;
mod lemke;
mod local;
mod lorentz;
mod method;
mod newton;
mod proximal;
mod scaling;

use std::fmt;

pub use admm::Admm;
pub use cascade::Cascade;
pub use coloured::Coloured;
pub use gauss_seidel::GaussSeidel;
pub use interior_point::InteriorPoint;
pub use islands::Islands;
pub use method::Method;
pub use newton::Newton;
pub use proximal::Proximal;

use super::{ConeProblem, Measure, norm};

/// How well to solve, and how long to try.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// Relative error to reach, [`ConeProblem::error`].
    pub tolerance: f64,
    /// A smaller one, to which sweeps go on while each few of them halve the error.
    pub wish: f64,
    /// In which measure.
    pub measure: Measure,
    /// Iterations, of all methods together, before it gives up.
    pub max_iterations: usize,
    /// The largest velocity that b of each contact was made of, where that is known: far below it b is rounding.
    pub posed: &'a [f64],
    /// Asked between iterations; it gives up where the answer is yes.
    pub enough: Option<&'a dyn Fn() -> bool>,
}

impl Target<'static> {
    /// An error in the units of each contact, and iterations.
    pub const fn new(tolerance: f64, max_iterations: usize) -> Self {
        Self {
            tolerance,
            wish: tolerance,
            measure: Measure::Scaled,
            max_iterations,
            posed: &[],
            enough: None,
        }
    }
}

impl Target<'_> {
    /// The same, with at most `most` iterations.
    pub fn at_most(self, most: usize) -> Self {
        Self { max_iterations: self.max_iterations.min(most), ..self }
    }

    /// How a solve that took `iterations` to get to `error` must end now; `None` to go on.
    fn verdict(&self, iterations: usize, error: f64) -> Option<SolveStatus> {
        if error <= self.tolerance {
            Some(SolveStatus::Converged)
        } else if iterations >= self.max_iterations {
            Some(SolveStatus::OutOfIterations)
        } else if self.enough.is_some_and(|enough| enough()) {
            Some(SolveStatus::OutOfTime)
        } else {
            None
        }
    }
}

impl fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:e}, {} iterations", self.measure, self.tolerance, self.max_iterations)
    }
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
    /// It is not, and the time ran out.
    OutOfTime,
    /// It is, but the configuration it belongs to did not settle: joints, or both levels of a scheme.
    Unsettled,
}

impl SolveStatus {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Stalled => "stalled",
            Self::OutOfIterations => "out of iterations",
            Self::OutOfTime => "out of time",
            Self::Unsettled => "unsettled",
        }
    }
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

/// A method for the cone problem. What it keeps between two solves is memory to work in: the bits of its answer
/// depend on the problem, the target and the guess alone.
pub trait ContactSolver {
    /// Name, as a case file spells it.
    fn name(&self) -> &'static str;

    /// Improves the impulse `p`, which holds the first guess, and leaves its best in place.
    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport;

    /// The methods that the last solve went through, for one that has several.
    fn trail(&self) -> &[Leg] {
        &[]
    }
}

/// A guess whose velocity is this many times b leaves nothing of b but rounding.
const GARBAGE: f64 = 1e10;

/// û and error of the guess `p`. A guess that holds NaN or infinity, or in which b is lost, becomes
/// p = 0.
fn begin(problem: &ConeProblem, measure: Measure, p: &mut [f64], u: &mut [f64]) -> f64 {
    problem.velocity_into(p, u);
    if !is_sane(problem, p, u) {
        p.fill(0.0);
        u.copy_from_slice(&problem.b);
    }
    problem.error(measure, p, u)
}

fn is_sane(problem: &ConeProblem, p: &[f64], u: &[f64]) -> bool {
    norm(u) <= GARBAGE * norm(&problem.b) && p.iter().all(|p| p.is_finite())
}

/// One method's share of a solve.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Leg {
    /// The method.
    pub method: &'static str,
    /// Its iterations.
    pub iterations: usize,
    /// Error of the best impulse when it handed over.
    pub error: f64,
}
