//! Cheap sweeps first, heavier methods where they stall, in rounds of growing patience.

use std::cell::OnceCell;

use super::gauss_seidel::Patience;
use super::lemke::Lemke;
use super::{
    Admm, ContactSolver, GaussSeidel, InteriorPoint, Leg, Newton, Proximal, SolveReport,
    SolveStatus, Target,
};
use crate::contact::ConeProblem;

/// The default, `auto`. A method goes on while the error falls and hands its best impulse to the next
/// where it does not; when all have had their turn they start again with twice the patience, until the
/// tolerance is reached or the iterations or the time run out. The best impulse met is returned.
///
/// ```text
///     accelerated Gauss–Seidel    cheap, warm-started, nearly always enough
///     Newton, Lemke's pivots      small problems in the plane, first round only: dense matrices
///     proximal                    a few steps where the error is small: Newton's end game
///     Gauss–Seidel                where a factorisation costs as much as many sweeps, first round only
///     ADMM                        singular and stiff problems, masonry: one factorisation
///     interior point              the same, a few dozen factorisations, first round only: no guess
///     proximal                    what is left
///     damped Gauss–Seidel         from the second round on: slow, but where others circle it does not
/// ```
///
/// Which method runs when depends on errors and counts alone, never on a clock: the same problem takes
/// the same way on every machine.
#[derive(Clone, Debug)]
pub struct Cascade {
    accelerated: GaussSeidel,
    plain: GaussSeidel,
    damped: GaussSeidel,
    newton: Newton,
    lemke: Lemke,
    attempt: Vec<f64>,
    trail: Vec<Leg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CascadeStage {
    Accelerated,
    Newton,
    Pivots,
    EndGame,
    Plain,
    Admm,
    InteriorPoint,
    Proximal,
    Damped,
}

const FIRST_ROUND: [CascadeStage; 8] = [
    CascadeStage::Accelerated,
    CascadeStage::Newton,
    CascadeStage::Pivots,
    CascadeStage::EndGame,
    CascadeStage::Plain,
    CascadeStage::Admm,
    CascadeStage::InteriorPoint,
    CascadeStage::Proximal,
];
/// Where W is a product through bodies, factorisations are cheap, and an impulse in the middle of the cones is the one from
/// which the next steps begin well.
const FIRST_ROUND_OF_BODIES: [CascadeStage; 8] = [
    CascadeStage::Accelerated,
    CascadeStage::EndGame,
    CascadeStage::InteriorPoint,
    CascadeStage::Newton,
    CascadeStage::Pivots,
    CascadeStage::Plain,
    CascadeStage::Admm,
    CascadeStage::Proximal,
];
/// Those that go on to the wish where sweeps have not come near it.
const THOROUGH: [CascadeStage; 2] = [CascadeStage::EndGame, CascadeStage::InteriorPoint];
const LATER_ROUNDS: [CascadeStage; 4] =
    [CascadeStage::Accelerated, CascadeStage::Admm, CascadeStage::Proximal, CascadeStage::Damped];

/// Contacts in the plane up to which methods with dense matrices are tried.
const MOST_DENSE: usize = 200;
/// Contacts beyond which pivots, whose number grows with the contacts and their cost with the square,
/// take longer than all else.
const MOST_PIVOTED: usize = 120;
/// Error below which Newton's method on the whole problem is likely to end it, and its steps.
const NEAR: f64 = 1e-4;
const END_GAME: usize = 25;
/// And where bodies are held many times over, on the way from the tolerance to the wish.
const POLISHING: usize = 8;
/// Times the wish that a solve may leave without more than sweeps.
const NEARLY: f64 = 50.0;
/// Where bodies are held many times over, what slow modes of sweeps leave is less than this share of the tolerance for
/// many steps: a heavier solve in each would not pay.
const NEAR_TOLERANCE: f64 = 0.1;
/// Cost of an elimination, in products with W, from which on sweeps are given more time before it.
const COSTLY: f64 = 40.0;
/// Steps and iterations in the first round.
const NEWTON_STEPS: usize = 40;
const INTERIOR_STEPS: usize = 200;
const PROXIMAL_STEPS: usize = 40;
const ADMM_ITERATIONS: usize = 1500;
/// In the first round: where a Newton step costs few sweeps, and where it costs many.
const FEW_SWEEPS: Patience = Patience { sweeps: 20, progress: 0.1 };
const MANY_SWEEPS: Patience = Patience { sweeps: 100, progress: 0.3 };
const PLAIN_SWEEPS: Patience = Patience { sweeps: 300, progress: 0.3 };
/// In the second.
const DAMPED_SWEEPS: Patience = Patience { sweeps: 1000, progress: 0.5 };
/// Rounds after which patience no longer grows.
const MOST_ROUNDS: u32 = 16;

impl Cascade {
    /// Room for `contacts` contacts of `dimension` components.
    pub fn new(dimension: usize, contacts: usize) -> Self {
        Self {
            accelerated: GaussSeidel::accelerated(dimension, contacts),
            plain: GaussSeidel::new(0, 0),
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
        stage: CascadeStage,
        round: u32,
        problem: &ConeProblem,
        target: Target,
    ) -> SolveReport {
        let attempt = &mut self.attempt[..problem.b.len()];
        let at_most = |first: usize| target.at_most(first.saturating_mul(1 << round));
        match stage {
            CascadeStage::Accelerated => {
                let patience = if is_small(problem) { FEW_SWEEPS } else { MANY_SWEEPS };
                self.accelerated.set_patience(patience.doubled(round));
                self.accelerated.solve(problem, target, attempt)
            }
            CascadeStage::Plain => {
                self.plain.set_patience(PLAIN_SWEEPS);
                self.plain.solve(problem, target, attempt)
            }
            CascadeStage::Damped => {
                self.damped.set_patience(DAMPED_SWEEPS.doubled(round - 1));
                self.damped.solve(problem, target, attempt)
            }
            CascadeStage::Newton => self.newton.solve(problem, at_most(NEWTON_STEPS), attempt),
            CascadeStage::Pivots => self.pivot(problem, target),
            // What sweeps have left is a bad place for these two to start from.
            CascadeStage::Admm => {
                attempt.fill(0.0);
                Admm.solve(problem, at_most(ADMM_ITERATIONS), attempt)
            }
            CascadeStage::InteriorPoint => {
                attempt.fill(0.0);
                InteriorPoint.solve(problem, at_most(INTERIOR_STEPS), attempt)
            }
            CascadeStage::EndGame => Proximal.solve(problem, at_most(END_GAME), attempt),
            CascadeStage::Proximal => {
                if round % 2 == 1 {
                    // Where the best impulse met was no good place to start from, none is.
                    attempt.fill(0.0);
                }
                Proximal.solve(problem, at_most(PROXIMAL_STEPS), attempt)
            }
        }
    }

    /// Goes on from the tolerance, which `reached` has met, towards the wish: by sweeps while they gain, and where they
    /// have not come near it by heavier methods, or by sweeps with patience where those are costly. Returns iterations.
    fn polish(
        &mut self,
        reached: CascadeStage,
        is_costly: impl Fn() -> bool,
        (problem, target): (&ConeProblem, Target),
        (p, best): (&mut [f64], &mut f64),
    ) -> usize {
        let mut iterations = 0;
        let nearly = match problem.w.product() {
            Some(_) => (NEARLY * target.wish).max(NEAR_TOLERANCE * target.tolerance),
            None => NEARLY * target.wish,
        };
        let near = Target { tolerance: nearly.min(target.tolerance), ..target };
        for turn in 0..=THOROUGH.len() {
            let (goal, enough) =
                if turn == 0 { (target, target.wish) } else { (near, near.tolerance) };
            if *best <= enough {
                continue;
            }
            let stage = match turn {
                0 => CascadeStage::Accelerated,
                1 if is_costly() => CascadeStage::Accelerated,
                _ if is_costly() => break,
                _ => THOROUGH[turn - 1],
            };
            if stage == reached && goal.tolerance == target.tolerance {
                continue;
            }
            let goal = match (stage, problem.w.product()) {
                (CascadeStage::EndGame, Some(_)) => goal.at_most(POLISHING),
                _ => goal,
            };
            self.attempt[..p.len()].copy_from_slice(p);
            let tried = self.attempt(stage, 0, problem, goal);
            iterations += tried.iterations;
            if tried.error < *best {
                *best = tried.error;
                p.copy_from_slice(&self.attempt[..p.len()]);
            }
            let method = stage.name();
            self.trail.push(Leg { method, iterations: tried.iterations, error: *best });
        }
        iterations
    }

    /// Lemke's pivots, and Newton's method from where they end.
    fn pivot(&mut self, problem: &ConeProblem, target: Target) -> SolveReport {
        let attempt = &mut self.attempt[..problem.b.len()];
        let Some(pivots) = self.lemke.solve(problem, target, attempt) else {
            let error = f64::INFINITY;
            return SolveReport { status: SolveStatus::Stalled, iterations: 0, error };
        };
        let left = target.at_most((target.max_iterations - pivots).min(NEWTON_STEPS));
        let polished = self.newton.solve(problem, left, attempt);
        SolveReport { iterations: pivots + polished.iterations, ..polished }
    }
}

fn is_small(problem: &ConeProblem) -> bool {
    problem.dimension() == 2 && problem.contacts() <= MOST_DENSE
}

impl CascadeStage {
    /// Whether it is worth trying on a problem whose best error is `error`, and of which `is_costly`
    /// tells whether an elimination costs many sweeps.
    fn is_worth(self, problem: &ConeProblem, error: f64, is_costly: impl Fn() -> bool) -> bool {
        match self {
            Self::Newton => is_small(problem),
            Self::Pivots => is_small(problem) && problem.contacts() <= MOST_PIVOTED,
            Self::EndGame => error <= NEAR && !is_costly(),
            Self::Plain => is_costly(),
            Self::Accelerated
            | Self::Admm
            | Self::InteriorPoint
            | Self::Proximal
            | Self::Damped => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Accelerated => "accelerated",
            Self::Newton => "newton",
            Self::Pivots => "pivots",
            Self::EndGame | Self::Proximal => "proximal",
            Self::Plain => "gauss-seidel",
            Self::Admm => "admm",
            Self::InteriorPoint => "interior-point",
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
        let (mut iterations, mut best) = (0, f64::INFINITY);
        let cost = OnceCell::new(); // told when it is first asked for: most problems never ask
        let is_costly = || *cost.get_or_init(|| problem.w.elimination_cost()) >= COSTLY;
        for round in (0..=MOST_ROUNDS).chain(std::iter::repeat(MOST_ROUNDS)) {
            let stages: &[CascadeStage] = match (round, problem.w.product()) {
                (0, None) => &FIRST_ROUND,
                (0, Some(_)) => &FIRST_ROUND_OF_BODIES,
                _ => &LATER_ROUNDS,
            };
            for &stage in stages {
                if !stage.is_worth(problem, best, is_costly) {
                    continue;
                }
                self.attempt[..p.len()].copy_from_slice(p);
                let left = target.at_most(target.max_iterations - iterations);
                let tried = self.attempt(stage, round, problem, left);
                iterations += tried.iterations;
                if tried.error < best || self.trail.is_empty() {
                    best = tried.error;
                    p.copy_from_slice(&self.attempt[..p.len()]);
                }
                let method = stage.name();
                self.trail.push(Leg { method, iterations: tried.iterations, error: best });
                if let Some(status) = target.verdict(iterations, best) {
                    if status == SolveStatus::Converged {
                        let wanted = (problem, target);
                        iterations += self.polish(stage, is_costly, wanted, (p, &mut best));
                    }
                    return SolveReport { status, iterations, error: best };
                }
            }
        }
        unreachable!("rounds go on until the target's verdict")
    }
}
