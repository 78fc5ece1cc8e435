//! Nonsmooth Newton: guess what every contact does, solve the linear system, look again.

use super::proximal::{Shift, solve_shifted};
use super::{ContactSolver, SolveReport, SolveStatus, Target, begin};
use crate::contact::{ConeProblem, Measure};
use crate::linalg::DenseLu;

/// Alart and Curnier's semismooth Newton method. In space it is that of [`super::Proximal`] with a
/// fixed trace of a shift; in the plane, where (1) is piecewise linear, it takes its active-set form,
/// dense and without allocation.
///
/// Each contact is open, stuck or slipping one way, told by where p − ρû falls with respect to its
/// cone. Within such a guess (1) of [`ConeProblem`] is linear:
///
/// ```text
///     open p = 0      stick û = 0      slip û_N = 0, p_T = s μ p_N
/// ```
///
/// Full steps end at the exact solution once the guess is right. Where a step makes the error worse
/// it is shortened; the best impulse met is kept.
#[derive(Clone, Debug)]
pub struct Newton {
    u: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    unknowns: Vec<Unknown>,
    solution: Vec<f64>,
    /// Unknown of each impulse component, or none.
    index: Vec<usize>,
    /// 1/√W_ii of each unknown, its unit in the linear system.
    units: Vec<f64>,
    lu: DenseLu,
}

/// One unknown of the linear system: an impulse component, and what it carries along tangentially.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    row: usize,
    /// p_T = carry · p_N.
    carry: f64,
}

impl Newton {
    /// Room for `contacts` contacts in the plane; it grows where there are more, and in space it
    /// allocates as it goes.
    pub fn new(dimension: usize, contacts: usize) -> Self {
        let n = if dimension == 2 { 2 * contacts } else { 0 };
        Self {
            u: vec![0.0; n],
            trial: vec![0.0; n],
            best: vec![0.0; n],
            unknowns: Vec::with_capacity(n),
            solution: vec![0.0; n],
            index: Vec::with_capacity(n),
            units: Vec::with_capacity(n),
            lu: DenseLu::new(),
        }
    }

    /// Tells what each contact does from (p, û), with ρ = 1/W_ii as the scale between them.
    fn guess(&mut self, problem: &ConeProblem, p: &[f64]) {
        self.unknowns.clear();
        for (alpha, &mu) in problem.mu.iter().enumerate() {
            let at = 2 * alpha;
            let w = problem.w.diagonal(alpha);
            let scale = |i: usize| 1.0 / w[3 * i].max(f64::MIN_POSITIVE);
            let normal = p[at] - scale(0) * self.u[at];
            if normal <= 0.0 {
                continue;
            }
            let has_tangent = w[3] > 0.0;
            let tangent = if has_tangent {
                p[at + 1] - scale(1) * self.u[at + 1]
            } else {
                -self.u[at + 1].signum() * 2.0 * mu * normal
            };
            if tangent.abs() <= mu * normal && has_tangent && mu > 0.0 {
                self.unknowns.push(Unknown { row: at, carry: 0.0 });
                self.unknowns.push(Unknown { row: at + 1, carry: 0.0 });
            } else {
                self.unknowns.push(Unknown { row: at, carry: mu * tangent.signum() });
            }
        }
    }

    /// Solves the linear system of the guess into `trial`; `false` where it is singular.
    ///
    /// Contacts that hold the body more than once make W singular. A trace of each diagonal entry,
    /// added on both sides, picks the impulse next to `p` and is nothing once p has settled:
    ///
    /// ```text
    ///     (A + τ) x = −b + τ p
    /// ```
    ///
    /// It is solved in units that make W_ii = 1, so that light and heavy bodies may meet.
    fn solve_guess(&mut self, problem: &ConeProblem, p: &[f64]) -> bool {
        let n = self.unknowns.len();
        self.index.clear();
        self.index.resize(p.len(), usize::MAX);
        self.unknowns.iter().enumerate().for_each(|(i, unknown)| self.index[unknown.row] = i);
        let unit = |unknown: &Unknown| {
            let own = problem.w.diagonal(unknown.row / 2)[3 * (unknown.row % 2)];
            if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 }
        };
        self.units.clear();
        self.units.extend(self.unknowns.iter().map(unit));
        let matrix = self.lu.matrix_mut(n);
        matrix.fill(0.0);
        for (j, unknown) in self.unknowns.iter().enumerate() {
            let (beta, side) = (unknown.row / 2, unknown.row % 2);
            for (alpha, block) in problem.w.column(beta) {
                for part in 0..2 {
                    let i = self.index[2 * alpha + part];
                    if i != usize::MAX {
                        let carried = if unknown.carry == 0.0 { 0.0 } else { block[2 * part + 1] };
                        let entry = block[2 * part + side] + unknown.carry * carried;
                        matrix[i * n + j] = self.units[i] * entry * self.units[j];
                    }
                }
            }
            let trace = TRACE * problem.w.diagonal(beta)[3 * side];
            let unit = self.units[j];
            matrix[j * n + j] += unit * trace * unit;
            self.solution[j] = unit * (trace * p[unknown.row] - problem.b[unknown.row]);
        }
        if !self.lu.solve_in_place(&mut self.solution[..n]) {
            return false;
        }
        self.trial[..p.len()].fill(0.0);
        for ((unknown, value), unit) in self.unknowns.iter().zip(&self.solution).zip(&self.units) {
            let value = unit * value;
            self.trial[unknown.row] = value;
            if unknown.carry != 0.0 {
                self.trial[unknown.row + 1] = unknown.carry * value;
            }
        }
        true
    }

    /// Error of `trial`, whose velocity is left in `u`.
    fn judge_trial(&mut self, problem: &ConeProblem, measure: Measure, size: usize) -> f64 {
        problem.velocity_into(&self.trial[..size], &mut self.u[..size]);
        problem.error(measure, &self.trial[..size], &self.u[..size])
    }
}

/// What is added to the diagonal, as a share of it: far above rounding, far below tolerances.
const TRACE: f64 = 1e-12;
/// The same in space, where slip directions turn and more of it keeps them in place.
const SPATIAL_TRACE: f64 = 1e-9;
/// A step is halved at most this often.
const HALVINGS: usize = 6;

impl ContactSolver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        if problem.dimension() == 3 {
            return solve_shifted(problem, target, Shift::Fixed(SPATIAL_TRACE), p);
        }
        let size = p.len();
        for vector in [&mut self.u, &mut self.trial, &mut self.best, &mut self.solution] {
            vector.resize(size.max(vector.len()), 0.0);
        }
        let mut error = begin(problem, target.measure, p, &mut self.u[..size]);
        let mut best_error = error;
        self.best[..size].copy_from_slice(p);
        let (mut status, mut iterations) = (target.verdict(0, error), 0);
        while status.is_none() {
            iterations += 1;
            self.guess(problem, p);
            if !self.solve_guess(problem, p) {
                status = Some(SolveStatus::Stalled);
                break;
            }
            let before = error;
            for halving in 0..=HALVINGS {
                error = self.judge_trial(problem, target.measure, size);
                if error < before || halving == HALVINGS {
                    break;
                }
                let middle = |(t, p): (&mut f64, &f64)| *t = 0.5 * (*t + p);
                self.trial[..size].iter_mut().zip(p.iter()).for_each(middle);
            }
            p.copy_from_slice(&self.trial[..size]);
            if error < best_error {
                best_error = error;
                self.best[..size].copy_from_slice(p);
            }
            status = target.verdict(iterations, error);
        }
        p.copy_from_slice(&self.best[..size]);
        let status = status.unwrap_or(SolveStatus::Stalled);
        SolveReport { status, iterations, error: best_error }
    }
}
