//! Gauss–Seidel first, Newton where it stalls.

use super::{ContactSolver, GaussSeidel, Newton, SolveReport, SolveStatus, Target};
use crate::contact::ConeProblem;

/// The default: Gauss–Seidel, cheap and warm-started; where its error stops falling, Newton takes
/// over from its result; where Newton fails too, Gauss–Seidel has the rest of the iterations. The
/// better of the results is returned.
#[derive(Clone, Debug)]
pub struct Cascade {
    gauss_seidel: GaussSeidel,
    newton: Newton,
    attempt: Vec<f64>,
}

/// Newton steps before Gauss–Seidel goes on.
const NEWTON_STEPS: usize = 40;

impl Cascade {
    /// Room for `contacts` contacts in the plane.
    pub fn new(contacts: usize) -> Self {
        Self {
            gauss_seidel: GaussSeidel::new(contacts),
            newton: Newton::new(contacts),
            attempt: vec![0.0; 2 * contacts],
        }
    }
}

impl ContactSolver for Cascade {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        let first = self.gauss_seidel.solve(problem, target, p);
        if first.status == SolveStatus::Converged {
            return first;
        }
        let attempt = &mut self.attempt[..p.len()];
        attempt.copy_from_slice(p);
        let steps = Target { max_iterations: NEWTON_STEPS, ..target };
        let mut report = self.newton.solve(problem, steps, attempt);
        report.iterations += first.iterations;
        if report.error < first.error {
            p.copy_from_slice(attempt);
        } else {
            report.error = first.error;
        }
        if report.status == SolveStatus::Converged || report.iterations >= target.max_iterations {
            return report;
        }
        let left = Target { max_iterations: target.max_iterations - report.iterations, ..target };
        attempt.copy_from_slice(p);
        let last = self.gauss_seidel.solve(problem, left, attempt);
        if last.error <= report.error {
            p.copy_from_slice(attempt);
        }
        SolveReport {
            status: last.status,
            iterations: report.iterations + last.iterations,
            error: last.error.min(report.error),
        }
    }
}
