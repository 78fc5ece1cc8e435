//! What the contact solver did over a run.

use crate::contact::solver::{Leg, SolveReport, SolveStatus};
use crate::output::{MethodShare, SolverSummary};
use crate::tape::Tape;

/// Adds up what the solver reports of each step.
pub(super) struct Statistics {
    pub summary: SolverSummary,
    /// Steps whose solve was refined.
    pub refined_steps: usize,
}

impl Statistics {
    pub fn new(method: &str, tolerance: f64) -> Self {
        Self {
            summary: SolverSummary {
                method: method.into(),
                tolerance,
                iterations: 0,
                iterations_per_step: 0.0,
                most_iterations: 0,
                largest_error: 0.0,
                steps_with_contact: 0,
                unconverged_steps: 0,
                shares: Vec::new(),
            },
            refined_steps: 0,
        }
    }

    /// Passes over what was added up.
    pub fn remember(&mut self, tape: &mut Tape) {
        let summary = &mut self.summary;
        tape.count(&mut summary.iterations);
        tape.real(&mut summary.iterations_per_step);
        tape.count(&mut summary.most_iterations);
        tape.real(&mut summary.largest_error);
        tape.count(&mut summary.steps_with_contact);
        tape.count(&mut summary.unconverged_steps);
        tape.list(&mut summary.shares, |tape, share| {
            tape.text(&mut share.method);
            tape.count(&mut share.turns);
            tape.count(&mut share.iterations);
        });
        tape.size(&mut self.refined_steps);
    }

    pub fn enter(&mut self, solve: &SolveReport, trail: &[Leg], active: usize) {
        let summary = &mut self.summary;
        summary.iterations += solve.iterations as u64;
        summary.most_iterations = summary.most_iterations.max(solve.iterations as u64);
        summary.largest_error = summary.largest_error.max(solve.error);
        summary.steps_with_contact += u64::from(active > 0);
        summary.iterations_per_step =
            summary.iterations as f64 / summary.steps_with_contact.max(1) as f64;
        summary.unconverged_steps += u64::from(solve.status != SolveStatus::Converged);
        for leg in trail.iter().filter(|leg| leg.iterations > 0) {
            enter_leg(&mut summary.shares, leg);
        }
    }
}

fn enter_leg(shares: &mut Vec<MethodShare>, leg: &Leg) {
    let place = shares.iter().position(|share| share.method == leg.method);
    let place = place.unwrap_or_else(|| {
        shares.push(MethodShare { method: leg.method.into(), turns: 0, iterations: 0 });
        shares.len() - 1
    });
    shares[place].turns += 1;
    shares[place].iterations += leg.iterations as u64;
}
