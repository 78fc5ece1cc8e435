//! Nonlinear Gauss–Seidel: one contact after the other, each solved exactly.

use super::anderson::Mixing;
use super::local::{Local, Planar, Spatial};
use super::{ContactSolver, SolveReport, SolveStatus, Target, is_sane};
use crate::contact::{BodyProduct, ConeProblem, Measure};

/// Sweeps over the contacts, in order, until the error is small (Jourdan, Alart, Jean 1998).
///
/// û = W p + b is kept up to date by adding a column of W for each impulse that changed: the error
/// then costs nothing beside a sweep, and contacts that do not change cost nothing at all. Where W is a product through
/// bodies, it is their motion that is kept.
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    u: Vec<f64>,
    motion: Vec<f64>,
    best: Vec<f64>,
    planar: Vec<Planar>,
    spatial: Vec<Spatial>,
    mixing: Option<Mixing>,
    /// Share of the way to its solution that each contact goes.
    relaxation: f64,
    patience: Option<Patience>,
}

/// When a solver gives up because there is something better to try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Sweeps between two looks at the error.
    pub sweeps: usize,
    /// What it must fall to in that many, as a share of what it was.
    pub progress: f64,
}

impl Patience {
    /// Twice as much, `times` times.
    pub(super) fn doubled(self, times: u32) -> Self {
        Self { sweeps: self.sweeps.saturating_mul(1 << times), ..self }
    }
}

/// Sweeps after which the error is not looked at every time, and how often then.
const EVERY_SWEEP: usize = 10;
const LOOK_EVERY: usize = 3;
/// Beyond the tolerance sweeps go on to the wish only while they are worth it.
const TO_THE_WISH: Patience = Patience { sweeps: 6, progress: 0.5 };
/// Roundings, in units of one sweep's, that û may gather before it is computed afresh.
const MOST_ROUNDINGS: f64 = 1e3;

impl GaussSeidel {
    /// Room for `contacts` contacts of `dimension` components; it grows where there are more. Goes on
    /// until the iterations run out: its error may rise for a hundred sweeps on the way to a solution.
    pub fn new(dimension: usize, contacts: usize) -> Self {
        let size = dimension * contacts;
        Self {
            u: vec![0.0; size],
            motion: Vec::new(),
            best: vec![0.0; size],
            planar: Vec::with_capacity(if dimension == 2 { contacts } else { 0 }),
            spatial: Vec::with_capacity(if dimension == 3 { contacts } else { 0 }),
            mixing: None,
            relaxation: 1.0,
            patience: None,
        }
    }

    /// With Anderson's mixing of the last sweeps: many times faster where plain sweeps are slow.
    pub fn accelerated(dimension: usize, contacts: usize) -> Self {
        let mixing = Some(Mixing::new(dimension * contacts));
        Self { mixing, ..Self::new(dimension, contacts) }
    }

    /// With every impulse going 0.7 of the way to its solution: slower, but problems on which full
    /// steps go in circles are solved by these.
    pub fn damped(dimension: usize, contacts: usize) -> Self {
        Self { relaxation: 0.7, ..Self::new(dimension, contacts) }
    }

    /// Stops where the error falls slowly, for those who have something better to try then.
    pub(super) fn set_patience(&mut self, patience: Patience) {
        self.patience = Some(patience);
    }

    /// Prepares the local solves and sweeps with them.
    fn solve_with<const D: usize, L: Local<D>>(
        &mut self,
        locals: &mut Vec<L>,
        problem: &ConeProblem,
        target: Target,
        p: &mut [f64],
    ) -> SolveReport {
        locals.clear();
        locals.extend((0..problem.contacts()).map(|alpha| L::new(problem.w.diagonal(alpha))));
        let relaxation = self.relaxation;
        self.sweep_until_done(problem, target, p, |p, state| match problem.w.product() {
            Some(w) => sweep_through((problem, w), relaxation, locals, p, state),
            None => sweep(problem, relaxation, locals, p, state),
        })
    }

    fn sweep_until_done(
        &mut self,
        problem: &ConeProblem,
        target: Target,
        p: &mut [f64],
        mut sweep: impl FnMut(&mut [f64], &mut [f64]),
    ) -> SolveReport {
        let goal = Target { tolerance: target.wish, ..target };
        let mut kept = Kept::of(problem, &mut self.u, &mut self.motion);
        let mut error = kept.begin(target.measure, p);
        let (mut best_error, mut looked_at, mut iterations) = (error, error, 0);
        self.best[..p.len()].copy_from_slice(p);
        let mut status = goal.verdict(0, error);
        let mut roundings = 0.0;
        let mixing = &mut self.mixing;
        while status.is_none() {
            if let Some(mixing) = mixing {
                // The first sweep, which is often enough, goes without.
                match iterations {
                    0 => {}
                    1 => mixing.begin(problem, p, kept.state.len()),
                    _ => mixing.before(p),
                }
            }
            sweep(p, kept.state);
            iterations += 1;
            roundings += 1.0;
            let last = iterations == target.max_iterations;
            if iterations <= EVERY_SWEEP || iterations % LOOK_EVERY == 0 || last {
                error = kept.error(target.measure, p);
                status = goal.verdict(iterations, error);
                if error <= goal.tolerance {
                    // What was added up has drifted by rounding; the answer is judged afresh.
                    kept.restart(p);
                    roundings = 0.0;
                    error = kept.error(target.measure, p);
                    status = goal.verdict(iterations, error);
                }
                if error < best_error {
                    best_error = error;
                    self.best[..p.len()].copy_from_slice(p);
                } else if !error.is_finite() {
                    status = Some(SolveStatus::Stalled);
                }
            }
            let reached = best_error <= target.tolerance;
            if let Some(Patience { sweeps, progress }) =
                if reached { Some(TO_THE_WISH) } else { self.patience }
                && status.is_none()
                && iterations % sweeps == 0
            {
                if best_error > progress * looked_at {
                    status = Some(SolveStatus::Stalled);
                }
                looked_at = best_error;
            }
            if status.is_none()
                && iterations > 1
                && let Some(mixing) = mixing
            {
                mixing.after(p, kept.state, &mut roundings);
            }
            if roundings > MOST_ROUNDINGS {
                kept.restart(p);
                roundings = 0.0;
            }
        }
        if status != Some(SolveStatus::Converged) {
            p.copy_from_slice(&self.best[..p.len()]);
            kept.restart(p);
            error = kept.error(target.measure, p);
            status = if error <= target.tolerance { Some(SolveStatus::Converged) } else { status };
        }
        SolveReport { status: status.unwrap_or(SolveStatus::Stalled), iterations, error }
    }
}

impl ContactSolver for GaussSeidel {
    fn name(&self) -> &'static str {
        match (&self.mixing, self.relaxation) {
            (Some(_), _) => "accelerated",
            (None, 1.0) => "gauss-seidel",
            (None, _) => "damped",
        }
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        self.u.resize(p.len().max(self.u.len()), 0.0);
        self.best.resize(self.u.len(), 0.0);
        match problem.dimension() {
            2 => {
                let mut locals = std::mem::take(&mut self.planar);
                let report = self.solve_with(&mut locals, problem, target, p);
                self.planar = locals;
                report
            }
            _ => {
                let mut locals = std::mem::take(&mut self.spatial);
                let report = self.solve_with(&mut locals, problem, target, p);
                self.spatial = locals;
                report
            }
        }
    }
}

/// One pass over the contacts.
fn sweep<const D: usize, L: Local<D>>(
    problem: &ConeProblem,
    relaxation: f64,
    locals: &mut [L],
    p: &mut [f64],
    u: &mut [f64],
) {
    for (alpha, (local, &mu)) in locals.iter_mut().zip(&problem.mu).enumerate() {
        let w = problem.w.diagonal(alpha).as_chunks::<D>().0;
        let own = D * alpha..D * (alpha + 1);
        let (p, now) = (&mut p[own.clone()], &u[own]);
        let old: [f64; D] = std::array::from_fn(|i| p[i]);
        let b: [f64; D] =
            std::array::from_fn(|i| now[i] - (0..D).map(|j| w[i][j] * old[j]).sum::<f64>());
        let mut new = local.solve(b, mu);
        if relaxation != 1.0 {
            // The cone is convex: what lies between two of its points is in it.
            new = std::array::from_fn(|i| old[i] + relaxation * (new[i] - old[i]));
        }
        if new != old {
            p.copy_from_slice(&new);
            let change: [f64; D] = std::array::from_fn(|i| new[i] - old[i]);
            problem.w.blocks().add_column(alpha, &change, u);
        }
    }
}

/// One pass over the contacts, whose impulses move the bodies.
fn sweep_through<const D: usize, L: Local<D>>(
    (problem, product): (&ConeProblem, &BodyProduct),
    relaxation: f64,
    locals: &mut [L],
    p: &mut [f64],
    motion: &mut [f64],
) {
    let impulses = p.as_chunks_mut::<D>().0.iter_mut().zip(problem.b.as_chunks::<D>().0);
    let contacts = impulses.zip(locals).zip(&problem.mu).enumerate();
    for (alpha, (((p, b), local), &mu)) in contacts {
        let w = product.diagonal(alpha).as_chunks::<D>().0;
        let (old, others) = (*p, product.velocity::<D>(alpha, motion));
        let b: [f64; D] = std::array::from_fn(|i| {
            b[i] + others[i] - (0..D).map(|j| w[i][j] * old[j]).sum::<f64>()
        });
        let new = local.solve(b, mu);
        *p = std::array::from_fn(|i| match relaxation {
            1.0 => new[i],
            // The cone is convex: what lies between two of its points is in it.
            share => old[i] + share * (new[i] - old[i]),
        });
        if *p != old {
            let change: [f64; D] = std::array::from_fn(|i| p[i] - old[i]);
            product.push(alpha, &change, motion);
        }
    }
}

/// What sweeps keep up to date: û, or where W is a product the motion M̂⁻¹Hᵀp of the bodies.
struct Kept<'a> {
    problem: &'a ConeProblem,
    state: &'a mut [f64],
    /// û, where it is not the state.
    seen: &'a mut [f64],
}

impl<'a> Kept<'a> {
    fn of(problem: &'a ConeProblem, u: &'a mut [f64], motion: &'a mut Vec<f64>) -> Self {
        let size = problem.b.len();
        match problem.w.product() {
            Some(product) => {
                motion.resize(product.motion_size().max(motion.len()), 0.0);
                let state = &mut motion[..product.motion_size()];
                Self { problem, state, seen: &mut u[..size] }
            }
            None => Self { problem, state: &mut u[..size], seen: &mut [] },
        }
    }

    /// From p; one that makes no sense becomes p = 0. Returns its error.
    fn begin(&mut self, measure: Measure, p: &mut [f64]) -> f64 {
        self.restart(p);
        if !is_sane(self.problem, p, self.velocity()) {
            p.fill(0.0);
            self.restart(p);
        }
        self.error(measure, p)
    }

    /// Computes the state of p afresh.
    fn restart(&mut self, p: &[f64]) {
        match self.problem.w.product() {
            Some(product) => product.motion_into(p, self.state),
            None => self.problem.velocity_into(p, self.state),
        }
    }

    fn velocity(&mut self) -> &[f64] {
        match self.problem.w.product() {
            Some(product) => {
                product.velocity_into(&self.problem.b, self.state, self.seen);
                self.seen
            }
            None => self.state,
        }
    }

    fn error(&mut self, measure: Measure, p: &[f64]) -> f64 {
        let problem = self.problem;
        problem.error(measure, p, self.velocity())
    }
}
