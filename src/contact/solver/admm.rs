//! The alternating direction method of multipliers: one factorisation, many cheap iterations.

use super::anderson::Mixing;
use super::lorentz::{Lorentz, ONE, Vector, ZERO, project, tangent};
use super::{ContactSolver, SolveReport, SolveStatus, Target, begin};
use crate::contact::ConeProblem;
use crate::vector::{dot, moved};

/// Splits the problem on Lorentz cones into a linear system and a projection. With x = proj_L(v) and
/// y = v − x, an iteration is
///
/// ```text
///     (W̃ + ρ) q = ρ(x − y) − b̃ − ρ‖y_T‖e,     v ← y + κ q + (1−κ) x                           (1)
/// ```
///
/// At a fixed point q = x and z = −ρ y, so that ρ‖y_T‖ is friction's ‖z_T‖, taken from the last
/// iteration. Anderson's mixing speeds v up, and rests, longer each time, after a stretch in which it
/// did not. ρ follows the two residuals and is changed only where it is far off, because the matrix
/// must then be factored again.
#[derive(Clone, Debug, Default)]
pub struct Admm;

/// Over-relaxation κ.
const RELAX: f64 = 1.6;
/// Iterations between two looks at the error, and of a stretch, after which ρ and the mixing are
/// looked at.
const LOOK_EVERY: usize = 4;
const STRETCH: usize = 40;
/// What the residuals must fall to in a stretch for the mixing to go on, and the longest rest.
const PROGRESS: f64 = 0.9;
const LONGEST_REST: usize = 64;
/// ρ is changed where the residuals differ by more than this, and by at most this.
const UNBALANCED: f64 = 4.0;
const LARGEST_CHANGE: f64 = 10.0;
/// Changes of ρ before it stays.
const CHANGES: usize = 20;

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        let mut u = vec![0.0; p.len()];
        let mut best = begin(problem, target.measure, p, &mut u);
        let (mut status, mut iterations) = (target.verdict(0, best), 0);
        let Some(mut split) = Splitting::new(problem, p).filter(|_| status.is_none()) else {
            let status = status.unwrap_or(SolveStatus::Stalled);
            return SolveReport { status, iterations, error: best };
        };
        while status.is_none() {
            if !split.iterate() {
                status = Some(SolveStatus::Stalled);
            }
            iterations += 1;
            if iterations % LOOK_EVERY == 0 || iterations == target.max_iterations {
                let error = split.error(target);
                if error < best {
                    best = error;
                    split.form.impulse_into(&split.x, p);
                }
                status = status.or_else(|| target.verdict(iterations, best));
            }
            if iterations % STRETCH == 0 {
                split.judge_mixing();
                if !split.balance() {
                    status = status.or(Some(SolveStatus::Stalled));
                }
            }
        }
        SolveReport { status: status.unwrap_or(SolveStatus::Stalled), iterations, error: best }
    }
}

/// The iteration (1) and what it keeps.
struct Splitting<'a> {
    form: Lorentz<'a>,
    rho: f64,
    v: Vec<Vector>,
    x: Vec<Vector>,
    q: Vec<Vector>,
    velocity: Vec<Vector>,
    /// ‖q − x‖² and ‖ρ(x − last x)‖².
    residuals: [f64; 2],
    changes: usize,
    mixing: Mixing,
    /// Stretches for which the mixing still rests, and how long it rests next.
    rest: usize,
    next_rest: usize,
    /// Sum of the residuals a stretch ago.
    before: f64,
}

impl<'a> Splitting<'a> {
    /// From the impulse `p`.
    fn new(problem: &'a ConeProblem, p: &[f64]) -> Option<Self> {
        let mut form = Lorentz::new(problem)?;
        let contacts = problem.contacts();
        let rho = 1.0;
        form.factor(|_| [diagonal(rho), diagonal(rho.recip())])?;
        let mut x = vec![ZERO; contacts];
        form.read_impulse(p, &mut x);
        let mut velocity = vec![ZERO; contacts];
        form.velocity_into(&x, &mut velocity);
        let start = |(&x, &u): (&Vector, &Vector)| moved(moved(x, -1.0, u), -tangent(u), ONE);
        let v = x.iter().zip(&velocity).map(start).collect();
        let mut mixing = Mixing::new(3 * contacts);
        mixing.begin_with(std::iter::repeat_n(1.0, 3 * contacts), 0);
        Some(Self {
            form,
            rho,
            v,
            x,
            q: vec![ZERO; contacts],
            velocity,
            residuals: [0.0; 2],
            changes: 0,
            mixing,
            rest: 0,
            next_rest: 1,
            before: f64::INFINITY,
        })
    }

    /// One iteration (1); `false` where the system is singular.
    fn iterate(&mut self) -> bool {
        self.mixing.before(self.v.as_flattened());
        self.residuals = [0.0; 2];
        for (k, &v) in self.v.iter().enumerate() {
            let x = project(v);
            let y = moved(v, -1.0, x);
            let change = moved(x, -1.0, self.x[k]);
            self.residuals[1] += self.rho * self.rho * dot(change, change);
            self.x[k] = x;
            let rhs = moved(moved(x, -1.0, y), -tangent(y), ONE);
            self.q[k] = moved(self.form.shift(k).map(|b| -b), self.rho, rhs);
        }
        let rho = self.rho;
        if !self.form.solve(&mut self.q, |_, x| x.map(|x| rho * x)) {
            return false;
        }
        for (k, v) in self.v.iter_mut().enumerate() {
            let gap = moved(self.q[k], -1.0, self.x[k]);
            self.residuals[0] += dot(gap, gap);
            *v = moved(*v, RELAX, gap);
        }
        if self.rest == 0 {
            self.mixing.after(self.v.as_flattened_mut(), &mut [], &mut 0.0);
        }
        true
    }

    fn error(&mut self, target: Target) -> f64 {
        self.form.velocity_into(&self.x, &mut self.velocity);
        self.form.error(target.measure)
    }

    /// Sends the mixing to rest after a stretch without progress.
    fn judge_mixing(&mut self) {
        let now = self.residuals.iter().sum::<f64>().sqrt();
        if self.rest > 0 {
            self.rest -= 1;
        } else if now > PROGRESS * self.before {
            self.rest = self.next_rest;
            self.next_rest = (2 * self.next_rest).min(LONGEST_REST);
            self.mixing.forget();
        }
        self.before = now;
    }

    /// Changes ρ where one residual is much larger than the other; `false` where W̃ + ρ is singular.
    fn balance(&mut self) -> bool {
        let ratio = (self.residuals[0] / self.residuals[1]).sqrt();
        let far = !(1.0 / UNBALANCED..=UNBALANCED).contains(&ratio);
        if !far || ratio.is_nan() || self.changes >= CHANGES {
            return true;
        }
        let factor = ratio.sqrt().clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE);
        for v in &mut self.v {
            let x = project(*v);
            *v = moved(x, 1.0 / factor, moved(*v, -1.0, x));
        }
        self.rho *= factor;
        self.changes += 1;
        self.mixing.forget();
        let rho = self.rho;
        self.form.factor(|_| [diagonal(rho), diagonal(rho.recip())]).is_some()
    }
}

/// ρ I.
fn diagonal(rho: f64) -> [Vector; 3] {
    [[rho, 0.0, 0.0], [0.0, rho, 0.0], [0.0, 0.0, rho]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::solver::lorentz::trials;

    /// 52 iterations were the most observed.
    #[test]
    fn regular_and_singular_problems_are_solved() {
        let most = trials::most_iterations(&mut Admm);
        assert!(most <= 80, "{most} iterations");
    }

    #[test]
    fn units_do_not_matter() {
        trials::assert_units_do_not_matter(&mut Admm);
    }

    #[test]
    fn contacts_that_move_nothing_are_open() {
        trials::assert_empty_rows_are_open(&mut Admm);
    }

    #[test]
    fn a_solution_given_as_first_guess_is_kept() {
        let problem = trials::random(5, 3, 8, 1, 0.5);
        let (mut p, _) = trials::solve(&mut Admm, &problem);
        let again = Admm.solve(&problem, Target::new(1e-9, 100), &mut p);
        assert_eq!((again.status, again.iterations), (SolveStatus::Converged, 0));
    }
}
