//! Nonlinear Gauss–Seidel: one contact after the other, each solved exactly.

use super::local::{solve_planar, solve_spatial};
use super::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::contact::ConeProblem;

/// Sweeps over the contacts, in order, until the error is small (Jourdan, Alart, Jean 1998).
///
/// û = W p + b is kept up to date by adding a column of W for each impulse that changed: the error
/// then costs nothing beside a sweep, and contacts that do not change cost nothing at all.
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    u: Vec<f64>,
    /// Where each contact's local solve ended, in space.
    guesses: Vec<f64>,
    impatient: bool,
}

/// Sweeps between two looks of an impatient solver at whether the error still falls.
const PATIENCE: usize = 20;
/// What it must fall to in that many sweeps, as a share of what it was.
const PROGRESS: f64 = 0.1;

impl GaussSeidel {
    /// Room for `contacts` contacts in the plane (it grows where there are more). Goes on until the iterations run out: its error
    /// may rise for a hundred sweeps on the way to a solution.
    pub fn new(contacts: usize) -> Self {
        Self { u: vec![0.0; 2 * contacts], guesses: vec![0.0; contacts], impatient: false }
    }

    /// Stops where the error falls slowly, for those who have something better to try then.
    pub(super) fn impatient(contacts: usize) -> Self {
        Self { impatient: true, ..Self::new(contacts) }
    }
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        "gauss-seidel"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        self.u.resize(p.len().max(self.u.len()), 0.0);
        self.guesses.clear();
        self.guesses.resize(problem.contacts(), 0.0);
        let u = &mut self.u[..p.len()];
        problem.velocity_into(p, u);
        let mut error = problem.error(p, u);
        let mut looked_at = error;
        let mut status = SolveStatus::OutOfIterations;
        let mut iterations = 0;
        while iterations < target.max_iterations {
            if error <= target.tolerance {
                break;
            }
            if self.impatient && iterations > 0 && iterations % PATIENCE == 0 {
                if error > PROGRESS * looked_at {
                    status = SolveStatus::Stalled;
                    break;
                }
                looked_at = error;
            }
            sweep(problem, u, p, &mut self.guesses);
            iterations += 1;
            error = problem.error(p, u);
        }
        // What was added up along the way has drifted by rounding; the answer is judged afresh.
        problem.velocity_into(p, u);
        error = problem.error(p, u);
        if error <= target.tolerance {
            status = SolveStatus::Converged;
        }
        SolveReport { status, iterations, error }
    }
}

/// One pass over the contacts.
fn sweep(problem: &ConeProblem, u: &mut [f64], p: &mut [f64], guesses: &mut [f64]) {
    for (alpha, &mu) in problem.mu.iter().enumerate() {
        let w = problem.w.diagonal(alpha);
        match problem.dimension() {
            2 => {
                let at = 2 * alpha;
                let old = [p[at], p[at + 1]];
                let b = [
                    u[at] - w[0] * old[0] - w[1] * old[1],
                    u[at + 1] - w[2] * old[0] - w[3] * old[1],
                ];
                let new = solve_planar([[w[0], w[1]], [w[2], w[3]]], b, mu);
                change(problem, alpha, old, new, p, u);
            }
            _ => {
                let at = 3 * alpha;
                let old = [p[at], p[at + 1], p[at + 2]];
                let own =
                    |i: usize| w[3 * i] * old[0] + w[3 * i + 1] * old[1] + w[3 * i + 2] * old[2];
                let b = [u[at] - own(0), u[at + 1] - own(1), u[at + 2] - own(2)];
                let new = solve_spatial(w, b, mu, &mut guesses[alpha]);
                change(problem, alpha, old, new, p, u);
            }
        }
    }
}

/// Gives contact `alpha` its new impulse, and all velocities what it changes.
fn change<const D: usize>(
    problem: &ConeProblem,
    alpha: usize,
    old: [f64; D],
    new: [f64; D],
    p: &mut [f64],
    u: &mut [f64],
) {
    if new != old {
        p[D * alpha..D * (alpha + 1)].copy_from_slice(&new);
        problem.w.add_column(alpha, &std::array::from_fn::<f64, D, _>(|i| new[i] - old[i]), u);
    }
}
