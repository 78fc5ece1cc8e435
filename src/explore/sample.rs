//! One sample: a start, an order of the contacts, and the solution they lead to.

use super::ExploreRequest;
use super::random::SplitMix;
use crate::contact::solver::{ContactSolver, GaussSeidel, Target};
use crate::contact::{ConeProblem, Measure, norm};

/// Where a sample starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// p = 0.
    Zero,
    /// What the step before left.
    Warm,
    /// Impulses by chance, each in its cone.
    Random,
}

impl Start {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Warm => "warm",
            Self::Random => "random",
        }
    }
}

/// An impulse, its velocity û = W p + b, and its error.
#[derive(Clone, Debug)]
pub struct ConePoint {
    /// p.
    pub p: Vec<f64>,
    /// û.
    pub u: Vec<f64>,
    /// In [`Measure::Scaled`].
    pub error: f64,
}

/// What one start led to.
#[derive(Clone, Debug)]
pub struct ConeSample {
    /// Where it started.
    pub start: Start,
    /// Sweeps.
    pub iterations: usize,
    /// Where it was at the root of the tolerance: how far it still had to go tells what an error is worth.
    pub loose: ConePoint,
    /// Where it ended, solved as tightly as rounding permits.
    pub tight: ConePoint,
}

/// Random impulses, as the velocities they would make alone, go from 10^this of ‖b‖ …
const SMALLEST_DECADE: f64 = -2.0;
/// … to 10^this.
const LARGEST_DECADE: f64 = 3.0;
/// One sample in so many starts at p = 0: there the order of the contacts alone makes the difference.
const ZERO_EVERY: usize = 8;
/// Least sweeps in which a solution must get better, or it is as good as rounding permits; a quarter of
/// those it took where these were more.
const POLISH_SWEEPS: usize = 20;
/// What its error must fall to in them.
const POLISH_PROGRESS: f64 = 0.9;

/// Sample number `index`. The first two start at zero and at the `warm` impulse and go through the
/// contacts in their own order, as a run does.
pub(super) fn draw(
    problem: &ConeProblem,
    warm: &[f64],
    request: &ExploreRequest,
    index: usize,
) -> ConeSample {
    let mut random = SplitMix::new(request.seed, index as u64);
    let contacts = problem.contacts();
    let own_order = || (0..contacts as u32).collect();
    let zero = || vec![0.0; problem.b.len()];
    let (start, p, order) = match index {
        0 => (Start::Zero, zero(), own_order()),
        1 => (Start::Warm, warm.to_vec(), own_order()),
        _ if index.is_multiple_of(ZERO_EVERY) => (Start::Zero, zero(), random.order(contacts)),
        _ => (Start::Random, impulse_in_cones(problem, &mut random), random.order(contacts)),
    };
    solve(problem, request, &order, (start, p))
}

/// An impulse inside of every cone: of one decade in all, of any share of it at each contact.
fn impulse_in_cones(problem: &ConeProblem, random: &mut SplitMix) -> Vec<f64> {
    let size = norm(&problem.b) * 10f64.powf(random.between(SMALLEST_DECADE, LARGEST_DECADE));
    let mut p = Vec::with_capacity(problem.b.len());
    for (alpha, mu) in problem.mu.iter().enumerate() {
        let normal = random.share() * size / problem.rate_of(alpha);
        p.push(normal);
        if problem.dimension() == 2 {
            p.push(mu * normal * random.between(-1.0, 1.0));
        } else {
            let radius = mu * normal * random.share().sqrt();
            let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
            p.extend([radius * cos, radius * sin]);
        }
    }
    p
}

/// Plain sweeps choose the solution; accelerated ones, which would choose among fewer, end what these
/// began.
fn solve(
    problem: &ConeProblem,
    request: &ExploreRequest,
    order: &[u32],
    (start, guess): (Start, Vec<f64>),
) -> ConeSample {
    let d = problem.dimension();
    let shuffled = problem.permuted(order);
    let mut p: Vec<f64> =
        order.iter().flat_map(|&old| guess[d * old as usize..][..d].iter().copied()).collect();
    let most = request.max_iterations;
    let target = Target::new(request.loose(), most.div_ceil(2));
    let mut iterations =
        GaussSeidel::new(d, order.len()).solve(&shuffled, target, &mut p).iterations;
    let loose = point(problem, order, &p);
    let mut solver = GaussSeidel::accelerated(d, order.len());
    let target = Target::new(request.tolerance, most - iterations);
    let report = solver.solve(&shuffled, target, &mut p);
    iterations += report.iterations;
    if report.error <= request.tolerance {
        let patience = POLISH_SWEEPS.max(iterations / 4);
        iterations += polish(&mut solver, &shuffled, (report.error, patience), &mut p);
    }
    ConeSample { start, iterations, loose, tight: point(problem, order, &p) }
}

/// Goes on until the error stops falling within `patience` sweeps; returns the sweeps it took.
fn polish(
    solver: &mut GaussSeidel,
    problem: &ConeProblem,
    (mut error, patience): (f64, usize),
    p: &mut [f64],
) -> usize {
    let mut sweeps = 0;
    loop {
        let report = solver.solve(problem, Target::new(0.0, patience), p);
        sweeps += report.iterations;
        if report.error >= POLISH_PROGRESS * error {
            return sweeps;
        }
        error = report.error;
    }
}

/// The impulse `shuffled`, back in the order of `problem`.
fn point(problem: &ConeProblem, order: &[u32], shuffled: &[f64]) -> ConePoint {
    let d = problem.dimension();
    let (mut p, mut u) = (vec![0.0; shuffled.len()], vec![0.0; shuffled.len()]);
    for (&old, own) in order.iter().zip(shuffled.chunks_exact(d)) {
        p[d * old as usize..][..d].copy_from_slice(own);
    }
    problem.velocity_into(&p, &mut u);
    let error = problem.error(Measure::Scaled, &p, &u);
    ConePoint { p, u, error }
}
