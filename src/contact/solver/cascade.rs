//! Cheap sweeps first, heavier methods where they stall.

use super::gauss_seidel::Patience;
use super::lemke::Lemke;
use super::{ContactSolver, GaussSeidel, Leg, Newton, Proximal, SolveReport, SolveStatus, Target};
use crate::contact::ConeProblem;

/// The default, `auto`: accelerated Gauss–Seidel, cheap and warm-started; where its error hardly
/// falls, Newton takes over from its result; where Newton fails too, Lemke's pivots find what every
/// contact does and Newton makes it exact; then the proximal method, the only one of these in space;
/// what is left goes to Gauss–Seidel again. The best of the results is returned.
#[derive(Clone, Debug)]
pub struct Cascade {
    first: GaussSeidel,
    newton: Newton,
    lemke: Lemke,
    last: GaussSeidel,
    attempt: Vec<f64>,
    trail: Vec<Leg>,
}

/// What is tried, in this order, once the first Gauss–Seidel has given up.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Newton,
    Pivots,
    Proximal,
    GaussSeidel,
}

/// Newton steps before the next stage is tried.
const NEWTON_STEPS: usize = 40;
/// Contacts beyond which only methods with sparse matrices are tried.
const MOST_DENSE: usize = 500;
/// Newton steps of the proximal method before Gauss–Seidel goes on.
const PROXIMAL_STEPS: usize = 2000;
/// When the first sweeps give way: to Newton in the plane, where its step costs few of them, and to
/// the proximal method.
const BEFORE_NEWTON: Patience = Patience { sweeps: 20, progress: 0.1 };
const BEFORE_PROXIMAL: Patience = Patience { sweeps: 100, progress: 0.3 };

impl Cascade {
    /// Room for `contacts` contacts of `dimension` components.
    pub fn new(dimension: usize, contacts: usize) -> Self {
        Self {
            first: GaussSeidel::accelerated(dimension, contacts),
            newton: Newton::new(if dimension == 2 { contacts } else { 0 }),
            lemke: Lemke::default(),
            last: GaussSeidel::new(dimension, contacts),
            attempt: vec![0.0; dimension * contacts],
            trail: Vec::with_capacity(8),
        }
    }

    /// Improves `attempt` by one stage.
    fn attempt(&mut self, stage: Stage, problem: &ConeProblem, target: Target) -> SolveReport {
        let attempt = &mut self.attempt[..problem.b.len()];
        match stage {
            Stage::Newton => self.newton.solve(problem, target.at_most(NEWTON_STEPS), attempt),
            Stage::Pivots => match self.lemke.solve(problem, target.max_iterations, attempt) {
                None => SolveReport {
                    status: SolveStatus::Stalled,
                    iterations: 0,
                    error: f64::INFINITY,
                },
                Some(pivots) => {
                    let left = target.at_most((target.max_iterations - pivots).min(NEWTON_STEPS));
                    let polished = self.newton.solve(problem, left, attempt);
                    SolveReport { iterations: pivots + polished.iterations, ..polished }
                }
            },
            Stage::Proximal => Proximal.solve(problem, target.at_most(PROXIMAL_STEPS), attempt),
            Stage::GaussSeidel => self.last.solve(problem, target, attempt),
        }
    }
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Pivots => "pivots",
            Self::Proximal => "proximal",
            Self::GaussSeidel => "gauss-seidel",
        }
    }
}

impl ContactSolver for Cascade {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn trail(&self) -> &[Leg] {
        &self.trail
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        // Newton and the pivots know the plane alone, and their matrices are dense.
        let small = problem.dimension() == 2 && problem.contacts() <= MOST_DENSE;
        let (stages, patience): (&[Stage], _) = if small {
            let stages = &[Stage::Newton, Stage::Pivots, Stage::Proximal, Stage::GaussSeidel];
            (stages, BEFORE_NEWTON)
        } else {
            (&[Stage::Proximal, Stage::GaussSeidel], BEFORE_PROXIMAL)
        };
        self.first.set_patience(patience);
        let mut report = self.first.solve(problem, target, p);
        let leg = |method, SolveReport { iterations, error, .. }| Leg { method, iterations, error };
        self.trail.clear();
        self.trail.push(leg(self.first.name(), report));
        for &stage in stages {
            let left = target.max_iterations.saturating_sub(report.iterations);
            if report.status != SolveStatus::Stalled || left == 0 {
                break;
            }
            self.attempt.resize(p.len().max(self.attempt.len()), 0.0);
            self.attempt[..p.len()].copy_from_slice(p);
            let tried = self.attempt(stage, problem, target.at_most(left));
            self.trail.push(leg(stage.name(), tried));
            report.iterations += tried.iterations;
            report.status = tried.status;
            if tried.error < report.error {
                report.error = tried.error;
                p.copy_from_slice(&self.attempt[..p.len()]);
            }
            if report.status == SolveStatus::OutOfIterations {
                report.status = SolveStatus::Stalled; // of this stage alone
            }
        }
        if report.iterations >= target.max_iterations && report.error > target.tolerance {
            report.status = SolveStatus::OutOfIterations;
        }
        report
    }
}
