//! What the contact solver did over a run.

use crate::contact::solver::{SolveReport, SolveStatus};
use crate::output::SolverSummary;

/// Adds up what the solver reports of each step.
pub(super) struct Statistics {
    pub summary: SolverSummary,
}

impl Statistics {
    pub fn new(method: &str, tolerance: f64) -> Self {
        Self {
            summary: SolverSummary {
                method: method.into(),
                tolerance,
                iterations: 0,
                most_iterations: 0,
                largest_error: 0.0,
                steps_with_contact: 0,
                unconverged_steps: 0,
            },
        }
    }

    pub fn enter(&mut self, solve: &SolveReport, active: usize) {
        let summary = &mut self.summary;
        summary.iterations += solve.iterations as u64;
        summary.most_iterations = summary.most_iterations.max(solve.iterations as u64);
        summary.largest_error = summary.largest_error.max(solve.error);
        summary.steps_with_contact += u64::from(active > 0);
        summary.unconverged_steps += u64::from(solve.status != SolveStatus::Converged);
    }
}
