//! Gauss–Seidel first, Newton where it stalls, pivoting where Newton fails too.

use super::lemke::Lemke;
use super::{ContactSolver, GaussSeidel, Newton, Proximal, SolveReport, SolveStatus, Target};
use crate::contact::ConeProblem;

/// The default: Gauss–Seidel, cheap and warm-started; where its error hardly falls, Newton takes
/// over from its result; where Newton fails too, Lemke's pivots find what every contact does and
/// Newton makes it exact; then the proximal method, the only one of these in space; what is left
/// goes to Gauss–Seidel again. The best of the results is returned.
#[derive(Clone, Debug)]
pub struct Cascade {
    first: GaussSeidel,
    newton: Newton,
    lemke: Lemke,
    last: GaussSeidel,
    attempt: Vec<f64>,
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

impl Cascade {
    /// Room for `contacts` contacts in the plane.
    pub fn new(contacts: usize) -> Self {
        Self {
            first: GaussSeidel::impatient(contacts),
            newton: Newton::new(contacts),
            lemke: Lemke::default(),
            last: GaussSeidel::new(contacts),
            attempt: vec![0.0; 2 * contacts],
        }
    }

    /// Improves `attempt` by one stage.
    fn attempt(&mut self, stage: Stage, problem: &ConeProblem, target: Target) -> SolveReport {
        let attempt = &mut self.attempt[..problem.b.len()];
        let few = |left: usize| Target { max_iterations: left.min(NEWTON_STEPS), ..target };
        match stage {
            Stage::Newton => self.newton.solve(problem, few(target.max_iterations), attempt),
            Stage::Pivots => match self.lemke.solve(problem, target.max_iterations, attempt) {
                None => SolveReport {
                    status: SolveStatus::Stalled,
                    iterations: 0,
                    error: f64::INFINITY,
                },
                Some(pivots) => {
                    let left = few(target.max_iterations - pivots);
                    let polished = self.newton.solve(problem, left, attempt);
                    SolveReport { iterations: pivots + polished.iterations, ..polished }
                }
            },
            Stage::Proximal => {
                let steps = target.max_iterations.min(PROXIMAL_STEPS);
                Proximal.solve(problem, Target { max_iterations: steps, ..target }, attempt)
            }
            Stage::GaussSeidel => self.last.solve(problem, target, attempt),
        }
    }
}

impl ContactSolver for Cascade {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        let mut report = self.first.solve(problem, target, p);
        self.attempt.resize(p.len().max(self.attempt.len()), 0.0);
        // Newton and the pivots know the plane alone, and their matrices are dense.
        let stages: &[Stage] = match problem.dimension() {
            2 if problem.contacts() <= MOST_DENSE => {
                &[Stage::Newton, Stage::Pivots, Stage::Proximal, Stage::GaussSeidel]
            }
            _ => &[Stage::Proximal, Stage::GaussSeidel],
        };
        for &stage in stages {
            let left = target.max_iterations.saturating_sub(report.iterations);
            if report.status == SolveStatus::Converged || left == 0 {
                break;
            }
            self.attempt[..p.len()].copy_from_slice(p);
            let tried = self.attempt(stage, problem, Target { max_iterations: left, ..target });
            report.iterations += tried.iterations;
            report.status = tried.status;
            if tried.error < report.error {
                report.error = tried.error;
                p.copy_from_slice(&self.attempt[..p.len()]);
            }
        }
        report
    }
}
