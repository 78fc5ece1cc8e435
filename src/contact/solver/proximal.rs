//! Proximal point with a nonsmooth Newton inside: for W that is singular, stiff or in space.

use super::alart_curnier::ContactEquations;
use super::{ContactSolver, SolveReport, SolveStatus, Target, begin};
use crate::contact::ConeProblem;

/// Solves a sequence of problems with W + α and b − α p_k, each from the last p_k, by Newton's method
/// on Alart and Curnier's function, with a sparse factorisation and a line search.
///
/// α keeps the systems regular where contacts hold a body more than once; it falls while the inner
/// problems are easy, and at the fixed point it is nothing. The best impulse met is returned.
///
/// It allocates: it is for problems on which Gauss–Seidel stalls.
#[derive(Clone, Debug, Default)]
pub struct Proximal;

/// How α is chosen, as a share of the mean diagonal of W.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shift {
    /// The same all along; where Newton's method stalls, so does the solve.
    Fixed(f64),
    /// From this on, up where Newton's method stalls and down where it is easy.
    Adaptive(f64),
}

/// First α, and its largest.
const FIRST: f64 = 1e-4;
const LARGEST: f64 = 10.0;
/// Newton steps on one inner problem, and those that make it easy.
const INNER: usize = 60;
const EASY: usize = 10;
/// Tolerance of an inner problem below which it is rounding.
const SMALLEST_INNER: f64 = 1e-16;

impl ContactSolver for Proximal {
    fn name(&self) -> &'static str {
        "proximal"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        solve_shifted(problem, target, Shift::Adaptive(FIRST), p)
    }
}

/// The proximal iterations.
pub(super) fn solve_shifted(
    problem: &ConeProblem,
    target: Target,
    shift: Shift,
    p: &mut [f64],
) -> SolveReport {
    let mut error = begin(problem, target.measure, p, &mut vec![0.0; p.len()]);
    let mut best = p.to_vec();
    let Some(mut system) = ContactEquations::new(problem) else {
        return SolveReport { status: SolveStatus::Stalled, iterations: 0, error };
    };
    let (mut best_error, mut iterations) = (error, 0);
    let (Shift::Fixed(first) | Shift::Adaptive(first)) = shift;
    let mut alpha = first * system.mean;
    let mut inner = target.tolerance;
    let mut status = target.verdict(0, error);
    while status.is_none() {
        let before = error;
        let left = INNER.min(target.max_iterations - iterations);
        let (steps, solved) =
            system.minimise(alpha, Target { tolerance: inner, ..target.at_most(left) }, p);
        iterations += steps.max(1);
        error = system.error(target.measure, p);
        if error < best_error {
            best_error = error;
            best.copy_from_slice(p);
        }
        status = target.verdict(iterations, best_error);
        if solved && steps == 0 && inner > SMALLEST_INNER {
            // Solved as the merit has it, not as the measure has it.
            inner *= 1e-2;
            continue;
        }
        if solved && steps < EASY && error < before {
            alpha *= if shift == Shift::Fixed(first) { 1.0 } else { 0.1 };
        } else if !solved || error >= before {
            if shift == Shift::Fixed(first) {
                status = status.or(Some(SolveStatus::Stalled));
            }
            alpha = (10.0 * alpha).min(LARGEST * system.mean);
            if error.is_nan() || error > 4.0 * best_error {
                p.copy_from_slice(&best);
                error = best_error;
            }
        }
    }
    p.copy_from_slice(&best);
    let status = status.unwrap_or(SolveStatus::Stalled);
    SolveReport { status, iterations, error: best_error }
}
