//! Nonsmooth Newmark, HHT and generalised-α, (41)–(49), contact at the velocity level.
//!
//! The smooth part of the motion keeps its order; impulses make a jump W_j that no scheme smooths:
//!
//! ```text
//!     (1−α_m) a₁ + α_m a₀ = (1−α_f) c₁ + α_f c₀          M c₁ = F₁ − K q₁ − C v₁              (1)
//!     v₁ = v₀ + h((1−γ)a₀ + γa₁) + W_j                   M W_j = Hᵀp + Jᵀλ                     (2)
//!     q₁ = q₀ + h v₀ + h²((½−β)a₀ + βa₁) + ½h W_j                                              (3)
//! ```
//!
//! With χ = (1−α_f)/(1−α_m), a* = (α_f c₀ − α_m a₀)/(1−α_m) and the rate of displacement
//! x = (q₁ − q₀ − D)/h, D = h(½ − β/γ)W_j, these are
//!
//! ```text
//!     S = M + hγχ C + h²βχ K
//!     S x = M(v₀ + h(½−β)a₀ + hβa*) + hβχ(F₁ − K q₀)
//!         + hβχ C((γ/β − 1)v₀ + h(γ/2β − 1)a₀) + (β/γ)(Hᵀp + Jᵀλ) − hβχ K D                    (4)
//!     v₁ = (γ/β)x − (γ/β − 1)v₀ − h(γ/2β − 1)a₀                                                (5)
//! ```
//!
//! Forces M a and M c are kept instead of accelerations: with 2β = γ neither a nor D enters, M is not
//! factored, and a step is one sweep down, contact, one sweep up. γ = ½, β = ¼ is then Moreau–Jean
//! with θ = ½, step by step.

mod correction;
mod ledger;
mod refinement;
mod response;
mod start;

use std::sync::Arc;

use super::contact_stage::{ContactStage, ContactStart, FreeMotion, Prediction};
use super::contact_state::ContactState;
use super::forces::{accelerating_force, apply_damping, force_at};
use super::mass::Mass;
use super::plain_newmark::OldForces;
use super::preparation::EffectiveMass;
use super::{Alpha, ConnectedBodies, Problem, State, Stepper};
use crate::contact::solver::{ContactSolver, SolveReport, Target};
use crate::contact::{ConeProblem, Response};
use crate::energy::StepTerms;
use crate::linalg::Factor;
use crate::tape::Tape;
use correction::Correction;

/// What contacts do.
pub(super) enum Rule {
    /// Impulses that make velocities jump.
    Impulses,
    /// And others that close gaps at the end of the step.
    Both(Box<Correction>),
    /// Forces at the end of the step, see [`super::plain_newmark`].
    Forces(Box<OldForces>),
}

/// The stepper: the factor of S, the responses of the contact dofs and all the memory a step needs.
pub struct GeneralisedAlpha {
    pub(super) mass: EffectiveMass,
    pub(super) alpha: Alpha,
    pub(super) rule: Rule,
    /// The factor of M, where 2β ≠ γ.
    inverse: Option<Mass>,
    pub(super) stage: ContactStage,
    /// State at the start of the step.
    pub(super) start: State,
    /// F at the start and at the end of the step.
    force: [Vec<f64>; 2],
    /// C v there, where anything damps.
    damping: [Vec<f64>; 2],
    /// x.
    rate: Vec<f64>,
    /// D, where M is factored.
    drift: Vec<f64>,
    /// Swept right-hand side without impulses, where M is factored.
    swept: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    work: [Vec<f64>; 2],
    bodies: ConnectedBodies,
}

impl GeneralisedAlpha {
    pub(super) fn end_time(&self) -> f64 {
        (self.start.step + 1) as f64 * self.mass.problem.h
    }

    /// (γ/β − 1) and h(γ/2β − 1) of (5).
    fn extrapolation(&self) -> [f64; 2] {
        let Alpha { beta, gamma, .. } = self.alpha;
        let of_a = -0.5 * self.alpha.excess() / beta;
        [gamma / beta - 1.0, self.mass.problem.h * of_a]
    }

    /// a₀ of a dof; nothing where it does not enter.
    fn acceleration(start: &State, dof: usize) -> f64 {
        start.memory.a.get(dof).copied().unwrap_or(0.0)
    }

    /// hβχ C((γ/β − 1)v₀ + h(γ/2β − 1)a₀) of (4), added to x.
    fn add_damping(&mut self) {
        let problem = Arc::clone(&self.mass.problem);
        let Some(damping) = &problem.damping else { return };
        let [of_v, of_a] = self.extrapolation();
        let [w, cw] = &mut self.work;
        let start = &self.start;
        w.iter_mut()
            .enumerate()
            .for_each(|(i, w)| *w = of_v * start.v[i] + of_a * Self::acceleration(start, i));
        damping.apply_sum_into(w, cw);
        let scale = problem.h * self.alpha.beta * self.alpha.chi();
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            *x += scale * cw[dof as usize];
        }
    }

    /// Adds the impulses to the swept right-hand side, and K D where there is D: h(½ − β/γ)W_j, or
    /// U − (hβ/γ)W_j where gaps are closed too.
    fn apply_impulse(&mut self) {
        let problem = Arc::clone(&self.mass.problem);
        let Alpha { beta, gamma, .. } = self.alpha;
        let share = beta / gamma;
        let Some(inverse) = &mut self.inverse else { return self.push_trailing(share) };
        let (x, stage) = (&mut self.x, &self.stage);
        let h = problem.h;
        let lag = match &self.rule {
            Rule::Both(_) => -h * share,
            Rule::Impulses | Rule::Forces(_) => -0.5 * h * self.alpha.excess() / gamma,
        };
        let rule = &self.rule;
        let loads = |loads: &mut [f64]| {
            stage.push(|at, push| loads[at as usize] += lag * push);
            if let Rule::Both(correction) = rule {
                correction.push(h, |at, push| loads[at as usize] += push);
            }
        };
        inverse.solve_pushes(loads, &mut self.drift);
        let [md, kd] = &mut self.work;
        problem.operator.apply_into(&self.drift, &self.drift, md, kd);
        let scale = h * beta * self.alpha.chi();
        x.iter_mut().zip(&problem.dofs.order).for_each(|(x, &dof)| *x = -scale * kd[dof as usize]);
        stage.push(|at, push| x[at as usize] += share * push);
        self.mass.factor.forward(x, &mut self.mass.scratch);
        x.iter_mut().zip(&self.swept).for_each(|(x, swept)| *x += swept);
    }

    /// M c₁ of (1) and M a₁, and a₁ where it enters.
    fn remember(&mut self, state: &mut State) {
        let problem = Arc::clone(&self.mass.problem);
        let Alpha { alpha_m, alpha_f, .. } = self.alpha;
        let (chi, start) = (self.alpha.chi(), &self.start);
        apply_damping(&problem, &state.v, &mut self.damping[1]);
        let mut mc = std::mem::take(&mut state.memory.mc);
        accelerating_force(&problem, state, &self.force[1], &self.damping[1], &mut mc);
        if matches!(self.rule, Rule::Forces(_)) {
            let dofs = &problem.dofs;
            self.stage.push(|at, push| mc[dofs.order[at as usize] as usize] += push / problem.h);
        }
        state.memory.mc = mc;
        for i in 0..state.q.len() {
            let (ma0, mc0) = (start.memory.ma[i], start.memory.mc[i]);
            let known = (alpha_f * mc0 - alpha_m * ma0) / (1.0 - alpha_m);
            state.memory.ma[i] = known + chi * state.memory.mc[i];
        }
        if let Some(inverse) = &mut self.inverse {
            let mut a = std::mem::take(&mut state.memory.a);
            inverse.solve_into(&state.memory.ma, &mut a);
            state.memory.a = a;
        }
    }
}

impl Stepper for GeneralisedAlpha {
    fn problem(&self) -> &Arc<Problem> {
        &self.mass.problem
    }

    fn contacts(&self) -> &ContactState {
        &self.stage.contact
    }

    fn cone_problem(&self) -> &ConeProblem {
        &self.stage.cone
    }

    fn unknowns(&self) -> &[f64] {
        &self.x
    }

    fn bodies(&self) -> &ConnectedBodies {
        &self.bodies
    }

    fn energies_of_bodies(&self, state: &State) -> Vec<StepTerms> {
        self.bodies.energies(|dofs| state.energies(&Arc::clone(&self.mass.problem), dofs))
    }

    /// (4), but for the impulses.
    fn rhs(&mut self, state: &mut State) {
        std::mem::swap(&mut self.start, state);
        let problem = Arc::clone(&self.mass.problem);
        let end = self.end_time();
        self.force.swap(0, 1);
        self.damping.swap(0, 1);
        force_at(&problem, end, &self.start, &mut self.force[1]);
        let Alpha { alpha_m, alpha_f, beta, .. } = self.alpha;
        let (h, chi, start) = (problem.h, self.alpha.chi(), &self.start);
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let i = dof as usize;
            let (ma, mc) = (start.memory.ma[i], start.memory.mc[i]);
            let known = (alpha_f * mc - alpha_m * ma) / (1.0 - alpha_m);
            let elastic = self.force[1][i] - start.kq[i];
            *x = start.mv[i] + h * ((0.5 - beta) * ma + beta * (known + chi * elastic));
        }
        self.add_damping();
    }

    fn forward(&mut self) {
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
    }

    /// Contacts see ½(v₀ + v₁), as Moreau–Jean's do at θ = ½; joints see (q₁ − q₀)/h.
    fn contact(&mut self, solver: &mut dyn ContactSolver, target: Target) -> SolveReport {
        match self.rule {
            Rule::Impulses => {}
            Rule::Both(_) => return self.contact_at_both_levels(solver, target),
            Rule::Forces(_) => return self.contact_by_forces(solver, target),
        }
        let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
        self.stage.detect(&self.start, self.end_time(), prediction);
        self.stage.activate();
        let trailing = self.mass.factor.trailing();
        self.y.copy_from_slice(&self.x[trailing..]);
        if self.inverse.is_some() {
            self.swept.copy_from_slice(&self.x);
        }
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let (problem, x, start) = (Arc::clone(&self.mass.problem), &self.x, &self.start);
        let half = 0.5 * self.alpha.gamma / self.alpha.beta;
        let of_a = 0.5 * self.extrapolation()[1];
        let rate = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => x[at as usize],
            None => 0.0,
        };
        let free = |dof: u32| {
            let (i, v) = (dof as usize, start.v[dof as usize]);
            half * rate(dof) + (1.0 - half) * v - of_a * Self::acceleration(start, i)
        };
        let b = |c: usize, met: &ContactStart, u: [f64; 3]| {
            met.seen(0.5, problem.contacts.set_of(c).restitution, u)
        };
        let free_motion = FreeMotion { q: &start.q, v: &start.v, free: &free, rate: &rate, b: &b };
        let report = self.stage.solve(&free_motion, solver, target);
        self.apply_impulse();
        report
    }

    /// The sweep ends with x.
    fn backward(&mut self) {
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in self.mass.problem.dofs.order.iter().zip(&self.x) {
            self.rate[dof as usize] = *x;
        }
    }

    /// (5), q₁ = q₀ + h x + D, and what is remembered.
    fn advance(&mut self, state: &mut State) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let (h, [of_v, of_a]) = (problem.h, self.extrapolation());
        state.step = start.step + 1;
        state.time = self.end_time();
        for i in 0..state.q.len() {
            let a = Self::acceleration(start, i);
            let moved = h * self.rate[i] + self.drift.get(i).copied().unwrap_or(0.0);
            state.q[i] = start.q[i] + moved;
            state.v[i] = (1.0 + of_v) * self.rate[i] - of_v * start.v[i] - of_a * a;
        }
        state.poses.clone_from(&self.stage.poses);
        problem.operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
        self.remember(state);
    }

    fn ledger(&mut self, state: &State) -> StepTerms {
        self.terms(state)
    }

    fn refine(&mut self, state: &State) -> bool {
        self.refine_solve(state);
        true
    }

    fn remember(&mut self, tape: &mut Tape) {
        self.stage.remember(tape);
        tape.reals(&mut self.force[1]);
        tape.reals(&mut self.damping[1]);
        match &mut self.rule {
            Rule::Impulses => {}
            Rule::Both(correction) => correction.remember(tape),
            Rule::Forces(_) => self.stage.remember_rows(tape),
        }
    }

    fn factor(&self) -> &Factor {
        &self.mass.factor
    }

    fn response(&self) -> &Response {
        &self.stage.response
    }

    fn bytes(&self) -> usize {
        let inverse = self.inverse.as_ref().map_or(0, Mass::bytes);
        let correction = match &self.rule {
            Rule::Both(correction) => correction.bytes(),
            Rule::Impulses | Rule::Forces(_) => 0,
        };
        self.mass.factor.bytes() + inverse + correction + self.stage.bytes()
    }
}
