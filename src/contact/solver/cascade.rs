//! Cheap sweeps first, heavier methods where they stall, in rounds of growing patience.

use super::gauss_seidel::Patience;
use super::lemke::Lemke;
use super::{ContactSolver, GaussSeidel, Leg, Newton, Proximal, SolveReport, SolveStatus, Target};
use crate::contact::ConeProblem;

/// The default, `auto`. A method goes on while the error falls and hands its best impulse to the next
/// where it does not; when all have had their turn they start again with twice the patience, until the
/// tolerance is reached or the iterations or the time run out. The best impulse met is returned.
///
/// ```text
///     accelerated Gauss–Seidel    cheap, warm-started, nearly always enough
///     Newton, Lemke's pivots      small problems in the plane, first round only: dense matrices
///     proximal                    singular and stiff problems
///     damped Gauss–Seidel         from the second round on: slow, but where others circle it does not
/// ```
///
/// Which method runs when depends on errors and counts alone, never on a clock: the same problem takes
/// the same way on every machine.
#[derive(Clone, Debug)]
pub struct Cascade {
    accelerated: GaussSeidel,
    damped: GaussSeidel,
    newton: Newton,
    lemke: Lemke,
    attempt: Vec<f64>,
    trail: Vec<Leg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Accelerated,
    Newton,
    Pivots,
    Proximal,
    Damped,
}

use Stage::{Accelerated, Damped, Newton as Exact, Pivots, Proximal as Prox};

/// Contacts in the plane up to which methods with dense matrices are tried.
const MOST_DENSE: usize = 500;
/// Contacts beyond which pivots, whose number grows with the contacts and their cost with the square,
/// take longer than all else.
const MOST_PIVOTED: usize = 120;
/// Steps of Newton's method, and of the proximal method in its first round.
const NEWTON_STEPS: usize = 40;
const PROXIMAL_STEPS: usize = 40;
/// In the first round: where a Newton step costs few sweeps, and where it costs many.
const FEW_SWEEPS: Patience = Patience { sweeps: 20, progress: 0.1 };
const MANY_SWEEPS: Patience = Patience { sweeps: 100, progress: 0.3 };
/// Of damped sweeps, in the second round.
const DAMPED_SWEEPS: Patience = Patience { sweeps: 1000, progress: 0.5 };

impl Cascade {
    /// Room for `contacts` contacts of `dimension` components.
    pub fn new(dimension: usize, contacts: usize) -> Self {
        Self {
            accelerated: GaussSeidel::accelerated(dimension, contacts),
            damped: GaussSeidel::damped(0, 0),
            newton: Newton::new(dimension, contacts.min(MOST_DENSE)),
            lemke: Lemke::default(),
            attempt: vec![0.0; dimension * contacts],
            trail: Vec::with_capacity(32),
        }
    }

    /// Improves `attempt` by one stage of one round.
    fn attempt(
        &mut self,
        stage: Stage,
        round: u32,
        problem: &ConeProblem,
        target: Target,
    ) -> SolveReport {
        let attempt = &mut self.attempt[..problem.b.len()];
        match stage {
            Accelerated => {
                let patience = if is_small(problem) { FEW_SWEEPS } else { MANY_SWEEPS };
                self.accelerated.set_patience(patience.doubled(round));
                self.accelerated.solve(problem, target, attempt)
            }
            Exact => self.newton.solve(problem, target.at_most(NEWTON_STEPS), attempt),
            Pivots => match self.lemke.solve(problem, target, attempt) {
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
            Prox => {
                let steps = PROXIMAL_STEPS.saturating_mul(1 << round);
                Proximal.solve(problem, target.at_most(steps), attempt)
            }
            Damped => {
                self.damped.set_patience(DAMPED_SWEEPS.doubled(round - 1));
                self.damped.solve(problem, target, attempt)
            }
        }
    }
}

fn is_small(problem: &ConeProblem) -> bool {
    problem.dimension() == 2 && problem.contacts() <= MOST_DENSE
}

/// Doublings of the patience; later rounds are all alike.
const MOST_ROUNDS: u32 = 16;

fn stages(problem: &ConeProblem, round: u32) -> &'static [Stage] {
    match (round, is_small(problem)) {
        (0, true) if problem.contacts() <= MOST_PIVOTED => &[Accelerated, Exact, Pivots, Prox],
        (0, true) => &[Accelerated, Exact, Prox],
        (0, false) => &[Accelerated, Prox],
        _ => &[Accelerated, Prox, Damped],
    }
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Accelerated => "accelerated",
            Self::Newton => "newton",
            Self::Pivots => "pivots",
            Self::Proximal => "proximal",
            Self::Damped => "damped",
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
        self.trail.clear();
        self.attempt.resize(p.len().max(self.attempt.len()), 0.0);
        let mut report =
            SolveReport { status: SolveStatus::Stalled, iterations: 0, error: f64::INFINITY };
        for round in 0.. {
            for &stage in stages(problem, round.min(MOST_ROUNDS)) {
                let left = target.max_iterations - report.iterations;
                self.attempt[..p.len()].copy_from_slice(p);
                let tried =
                    self.attempt(stage, round.min(MOST_ROUNDS), problem, target.at_most(left));
                report.iterations += tried.iterations;
                if tried.error < report.error || self.trail.is_empty() {
                    report.error = tried.error;
                    p.copy_from_slice(&self.attempt[..p.len()]);
                }
                let (iterations, error) = (tried.iterations, report.error);
                self.trail.push(Leg { method: stage.name(), iterations, error });
                if let Some(status) = target.verdict(report.iterations, report.error) {
                    return SolveReport { status, ..report };
                }
            }
        }
        report
    }
}
