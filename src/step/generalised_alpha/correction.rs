//! Gaps and joints closed at the level of positions too, (44) and (47), after Gear, Gupta and
//! Leimkuhler.
//!
//! ```text
//!     q₁ = q₀ + h v₀ + h²((½−β)a₀ + βa₁) + U       M U = h(Hᵀν + Jᵀν_J)                       (1)
//!     v₁ = v₀ + h((1−γ)a₀ + γa₁) + W_j             M W_j = Hᵀp + Jᵀλ
//!     0 ≤ g(q₁) ⟂ ν ≥ 0                            φ(q₁) = 0,  J v₁ = 0
//! ```
//!
//! p acts where ν > 0 or where the step without impulses would end with a closed gap. U takes the
//! place of ½h W_j, so that D = U − (hβ/γ)W_j. In impulses, with A = S⁻¹KM⁻¹ and B = S⁻¹CM⁻¹,
//!
//! ```text
//!     (q₁ − q₀)/h = x + (M⁻¹ − h²βχ A)(Hᵀν + …) − hβχ B (Hᵀp + …)                              (2)
//!     v₁ = … − h²γχ A (Hᵀν + …) + (S⁻¹ + h²βχ A)(Hᵀp + …)
//! ```
//!
//! Without damping positions do not feel p, and each level is solved once; else in turns. The balance
//! gets −(U − ½h W_j)·M a_γ, of which no sign is known.

use std::sync::Arc;

use super::response::transfer;
use super::{GeneralisedAlpha, Rule};
use crate::contact::Response;
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::energy::Term;
use crate::step::contact_stage::{
    ContactStage, ContactStart, FreeMotion, FreePositions, Prediction, StageResponses,
};
use crate::step::mass::Mass;
use crate::step::preparation::EffectiveMass;
use crate::step::{Alpha, ConnectedBodies, Problem, State};
use crate::tape::Tape;

/// Most turns of the two levels, and the relative change of the impulses that ends them.
const TURNS: usize = 1000;
const SETTLED: f64 = 1e-13;

/// The level of positions.
pub(in crate::step) struct Correction {
    /// Solves for ν.
    stage: ContactStage,
    /// −h²γχ A of (2).
    velocity_of_nu: Response,
    /// −hβχ B of (2), where anything damps.
    rate_of_p: Option<Response>,
    /// Whether the step without impulses closes the gap of a candidate.
    closes: Vec<bool>,
    /// Hᵀν + Jᵀν_J and Hᵀp + Jᵀλ of the contact dofs, and the latter a turn before.
    pushes: [Vec<f64>; 3],
}

impl Correction {
    /// With the response of the velocities to p, which the level of velocities needs.
    pub fn new(
        mass: &mut EffectiveMass,
        inverse: &mut Mass,
        state: &State,
        alpha: Alpha,
    ) -> (Self, Response) {
        let problem = Arc::clone(&mass.problem);
        let (h, chi) = (problem.h, alpha.chi());
        let weight = h * h * alpha.beta * chi;
        let bent = transfer(mass, inverse, &problem.operator.scaled(0.0, 1.0));
        let damping = problem.damping.as_ref();
        let damped = damping.map(|c| transfer(mass, inverse, c));
        let own = Response::trailing(&mass.factor, problem.dofs.dimension);
        let seen = own.combined(1.0, weight, &bent);
        let rates = inverse.response().combined(1.0, -weight, &bent);
        let responses = StageResponses::of(rates, 1.0);
        let mut stage = ContactStage::new(&problem, state, responses).without_friction();
        stage.hold_positions();
        let contact_dofs = problem.dofs.order.len() - problem.dofs.trailing;
        let correction = Self {
            stage,
            velocity_of_nu: bent.scaled(-h * h * alpha.gamma * chi),
            rate_of_p: damped.map(|damped| damped.scaled(-h * alpha.beta * chi)),
            closes: vec![false; problem.contacts.len()],
            pushes: std::array::from_fn(|_| vec![0.0; contact_dofs]),
        };
        (correction, seen)
    }

    /// Passes over what its next turn needs of the last step.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.stage.remember(tape);
    }

    pub fn bytes(&self) -> usize {
        let damped = self.rate_of_p.as_ref().map_or(0, Response::bytes);
        self.stage.bytes() + self.velocity_of_nu.bytes() + damped
    }

    /// Visits (position of a free dof, its share of M U).
    pub fn push(&self, h: f64, mut visit: impl FnMut(u32, f64)) {
        self.stage.push(|at, push| visit(at, h * push));
    }

    /// Relative change of Hᵀp + Jᵀλ since the last turn.
    fn change(&self) -> f64 {
        let [_, now, before] = &self.pushes;
        let size = now.iter().fold(0.0, |m, p| f64::max(m, p.abs()));
        let off = now.iter().zip(before).fold(0.0, |m, (a, b)| f64::max(m, (a - b).abs()));
        if off == 0.0 { 0.0 } else { off / size.max(f64::MIN_POSITIVE) }
    }
}

/// Sums what a stage pushes into `sums`, by position after the first contact dof.
fn sum_pushes(problem: &Problem, stage: &ContactStage, sums: &mut [f64]) {
    sums.fill(0.0);
    stage.push(|at, push| sums[at as usize - problem.dofs.trailing] += push);
}

impl GeneralisedAlpha {
    /// Both levels in turns, until neither changes.
    pub(super) fn contact_at_both_levels(
        &mut self,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let mut report = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
        let rule = std::mem::replace(&mut self.rule, Rule::Impulses);
        let Rule::Both(mut correction) = rule else { return report };
        let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
        let end = (self.start.step + 1) as f64 * self.mass.problem.h;
        self.stage.detect(&self.start, end, prediction);
        correction.stage.detect(&self.start, end, prediction);
        correction.pushes.iter_mut().for_each(|pushes| pushes.fill(0.0));
        self.swept.copy_from_slice(&self.x);
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let mut settled = false;
        for turn in 0..TURNS {
            let positions = self.solve_positions(&mut correction, turn, solver, target);
            let velocities = self.solve_velocities(&mut correction, solver, target);
            report.iterations += positions.iterations + velocities.iterations;
            report.error = positions.error.max(velocities.error);
            let both = [positions.status, velocities.status];
            let failed = both.into_iter().find(|status| *status != SolveStatus::Converged);
            report.status = failed.unwrap_or(SolveStatus::Converged);
            settled = correction.rate_of_p.is_none() || correction.change() <= SETTLED;
            if settled {
                break;
            }
        }
        self.rule = Rule::Both(correction);
        self.apply_impulse();
        if settled { report } else { SolveReport { status: SolveStatus::Unsettled, ..report } }
    }

    /// ν, with p as it is.
    fn solve_positions(
        &self,
        correction: &mut Correction,
        turn: usize,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let (problem, x, start) = (Arc::clone(&self.mass.problem), &self.x, &self.start);
        let Correction { stage, rate_of_p, closes, pushes, .. } = correction;
        let [nu, p, _] = pushes;
        let rate = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => {
                let answer = rate_of_p.as_ref().map_or(0.0, |rates| rates.velocity_at(at, p));
                x[at as usize] + answer
            }
            None => 0.0,
        };
        let free =
            FreePositions { q: &start.q, rate: &rate, before: &start.v, law: &|_| [0.0, 0.0] };
        if turn == 0 {
            stage.meet_positions(&free);
            let limit = problem.activation.gap_tolerance;
            closes.iter_mut().enumerate().for_each(|(c, is)| *is = stage.gap_ahead(c) <= limit);
        }
        let report = stage.solve_positions(&free, solver, target);
        sum_pushes(&problem, stage, nu);
        report
    }

    /// p, with ν as it is, in the frames where the step ends.
    fn solve_velocities(
        &mut self,
        correction: &mut Correction,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let half = 0.5 * self.alpha.gamma / self.alpha.beta;
        let of_a = 0.5 * self.extrapolation()[1];
        let (problem, x, start) = (Arc::clone(&self.mass.problem), &self.x, &self.start);
        let Correction { stage, velocity_of_nu, closes, pushes, .. } = correction;
        self.stage.follow(stage, &start.v, closes);
        let [nu, p, before] = pushes;
        let middle = |dof: u32| {
            let (i, v) = (dof as usize, start.v[dof as usize]);
            let (rate, answer) = match problem.dofs.position_of(i) {
                Some(at) => (x[at as usize], velocity_of_nu.velocity_at(at, nu)),
                None => (0.0, 0.0),
            };
            let smooth = half * rate + (1.0 - half) * v - of_a * Self::acceleration(start, i);
            smooth + 0.5 * answer
        };
        let end = |dof: u32| 2.0 * middle(dof) - start.v[dof as usize];
        let b = |c: usize, met: &ContactStart, u: [f64; 3]| {
            met.seen(0.5, problem.contacts.set_of(c).restitution, u)
        };
        let free_motion = FreeMotion { q: &start.q, v: &start.v, free: &middle, rate: &end, b: &b };
        let report = self.stage.solve(&free_motion, solver, target);
        before.copy_from_slice(p);
        sum_pushes(&problem, &self.stage, p);
        report
    }

    /// Adds −(U − ½h W_j)·M a_γ to the numerical work of each body.
    pub(super) fn add_work_of_correction(&self, state: &State, bodies: &mut ConnectedBodies) {
        let Rule::Both(correction) = &self.rule else { return };
        let (problem, gamma) = (Arc::clone(&self.mass.problem), self.alpha.gamma);
        let mut add = |at: u32, push: f64| {
            let i = problem.dofs.order[at as usize] as usize;
            let mean = (1.0 - gamma) * self.start.memory.a[i] + gamma * state.memory.a[i];
            bodies.of_dof(i).terms[Term::Numerical] += push * mean;
        };
        correction.push(problem.h, |at, push| add(at, -push));
        self.stage.push(|at, push| add(at, 0.5 * problem.h * push));
    }
}
