//! Two-step schemes with contact at the level of positions; Schatzman–Paoli's and central differences.
//!
//! ```text
//!     M(q₁ − 2q₀ + q₋₁) + ½hC(q₁ − q₋₁) + h²K(βq₁ + (1−2β)q₀ + βq₋₁) = h²F + h(Hᵀp + Jᵀλ)     (1)
//! ```
//!
//! with F = βF₁ + (1−2β)F₀ + βF₋₁. With v₊ = (q₁ − q₀)/h, v₋ = (q₀ − q₋₁)/h and v_m = ½(v₊ + v₋)
//! this is
//!
//! ```text
//!     S v_m = M v₋ + βh²K v₋ + ½h(F − K q₀) + ½(Hᵀp + Jᵀλ)         S = M + ½hC + βh²K         (2)
//! ```
//!
//! one sweep down, contact, one sweep up. The state's velocity is v₊, that of the middle of the step
//! just taken; (39b) is the mean of two. Energies are those of the middle too, q̄ = ½(q₀ + q₁):
//!
//! ```text
//!     E = ½v₊ᵀMv₊ + ½q̄ᵀKq̄ + ½(β−¼)h² v₊ᵀKv₊
//!     ΔE = h v_m·F − h v_mᵀC v_m + v_m·(Hᵀp + Jᵀλ)                                             (3)
//! ```
//!
//! which is (1) times v_m, exactly.

use std::ops::Range;
use std::sync::Arc;

use super::contact_stage::{ContactStage, ContactStart, FreePositions, Prediction, StageResponses};
use super::contact_state::ContactState;
use super::forces::{accelerating_force, apply_damping, force_at};
use super::mass::Mass;
use super::preparation::EffectiveMass;
use super::starting::add_contact_forces;
use super::{ConnectedBodies, Problem, State, Stepper};
use crate::contact::solver::{ContactSolver, Method, SolveReport, Target};
use crate::contact::{ConeProblem, Response, norm};
use crate::energy::{StepTerms, Term};
use crate::linalg::{Factor, NoFactor, dot};
use crate::tape::Tape;

/// The stepper: the factor of S, the Delassus operator and all the memory a step needs.
pub struct TwoStep {
    mass: EffectiveMass,
    beta: f64,
    /// Whether gaps are those of (q₁ + e q₋₁)/(1+e), or of q₁.
    impacts: bool,
    stage: ContactStage,
    /// State at the start of the step.
    start: State,
    /// F₋₁, F₀, F₁.
    forces: [Vec<f64>; 3],
    force: Vec<f64>,
    v_m: Vec<f64>,
    /// C v_m, where anything damps.
    damping: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    bodies: ConnectedBodies,
}

impl TwoStep {
    /// Starts with v₋ = v₀ − ½h a₀, a₀ = M⁻¹(F − K q − C v + Hᵀr): of second order. r is the contact force
    /// at the start, and what more a frictionless step back in time needs so as to enter nothing,
    /// 0 ≤ g(q₀ − h v₋) ⟂ r: a body at rest was at rest. Before the start loads are those of the start.
    pub(super) fn with(
        mass: EffectiveMass,
        state: &mut State,
        beta: f64,
        impacts: bool,
    ) -> Result<Self, NoFactor> {
        let problem = Arc::clone(&mass.problem);
        let (n, free) = (state.q.len(), problem.dofs.order.len());
        let mut force = vec![0.0; n];
        force_at(&problem, state.time, state, &mut force);
        let mut damping = vec![0.0; if problem.damping.is_some() { n } else { 0 }];
        let (mut ma, mut a, mut kv) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        apply_damping(&problem, &state.v, &mut damping);
        accelerating_force(&problem, state, &force, &damping, &mut ma);
        let mut inverse = Mass::new(&problem)?;
        let _ = add_contact_forces(state, &mut inverse, &mut ma);
        inverse.solve_into(&ma, &mut a);
        let back: Vec<f64> = state.v.iter().zip(&a).map(|(v, a)| 0.5 * problem.h * a - v).collect();
        let pushed = push_back(state, &mut inverse, &back);
        state.v.iter_mut().enumerate().for_each(|(i, v)| *v = -(back[i] + pushed[i]));
        problem.operator.apply_into(&state.v, &state.v, &mut state.mv, &mut kv);
        state.memory.kv = kv;
        let response = Response::trailing(&mass.factor, problem.dofs.dimension);
        let mut stage = ContactStage::new(&problem, state, StageResponses::of(response, 1.0));
        stage.hold_positions();
        stage.push_over_two_steps();
        Ok(Self {
            mass,
            beta,
            impacts,
            stage,
            start: state.clone(),
            forces: [force.clone(), force.clone(), force],
            force: vec![0.0; n],
            v_m: vec![0.0; n],
            damping,
            x: vec![0.0; free],
            y: vec![0.0; free - problem.dofs.trailing],
            bodies: ConnectedBodies::of(&problem),
        })
    }

    fn end_time(&self) -> f64 {
        (self.start.step + 1) as f64 * self.mass.problem.h
    }

    /// (e, e_T) of a candidate.
    fn law(&self) -> impl Fn(usize) -> [f64; 2] + use<> {
        let (problem, impacts) = (Arc::clone(&self.mass.problem), self.impacts);
        move |c| {
            let restitution = problem.contacts.set_of(c).restitution;
            [if impacts { restitution.normal } else { 0.0 }, restitution.tangential]
        }
    }

    /// Energies of some dofs in the middle of the step that ended with `state`.
    fn energies(&self, state: &State, dofs: Range<usize>) -> StepTerms {
        let (problem, kv) = (Arc::clone(&self.mass.problem), &state.memory.kv);
        let half = 0.5 * problem.h;
        let strain: f64 = dofs
            .clone()
            .map(|i| (state.q[i] - half * state.v[i]) * (state.kq[i] - half * kv[i]))
            .sum();
        let v = &state.v[dofs.clone()];
        let beyond = if self.beta == 0.25 { 0.0 } else { dot(v, &kv[dofs.clone()]) };
        let potential = problem.loads.potential_on(dofs.clone());
        let moved = if potential.is_empty() { 0.0 } else { half * dot(v, potential) };
        let mut terms = state.energies(&problem, dofs);
        terms[Term::Strain] = 0.5 * strain + 2.0 * (self.beta - 0.25) * half * half * beyond;
        terms[Term::Potential] += moved;
        terms
    }

    /// Energies and works of some dofs, but for contacts.
    fn smooth_terms(&self, state: &State, dofs: Range<usize>) -> StepTerms {
        let (problem, h) = (Arc::clone(&self.mass.problem), self.mass.problem.h);
        let v_m = &self.v_m[dofs.clone()];
        let potential = problem.loads.potential_on(dofs.clone());
        let conserved = if potential.is_empty() { 0.0 } else { dot(v_m, potential) };
        let damped = match self.damping.is_empty() {
            true => 0.0,
            false => dot(v_m, &self.damping[dofs.clone()]),
        };
        let mut terms = self.energies(state, dofs.clone());
        terms[Term::External] = h * (dot(v_m, &self.force[dofs]) - conserved);
        terms[Term::Damping] = -h * damped;
        terms
    }

    /// Adds L₂₂⁻¹ ½(Hᵀp + Jᵀλ) to the swept right-hand side.
    fn apply_impulse(&mut self) {
        let trailing = self.mass.factor.trailing();
        self.x[trailing..].fill(0.0);
        let x = &mut self.x;
        self.stage.push(|at, push| x[at as usize] += 0.5 * push);
        self.mass.factor.forward_trailing(&mut self.x, &mut self.mass.scratch);
        self.x[trailing..].iter_mut().zip(&self.y).for_each(|(x, y)| *x += y);
    }
}

/// M⁻¹Hᵀp of the impulses of a frictionless step back in time with the velocity `back`.
fn push_back(state: &State, inverse: &mut Mass, back: &[f64]) -> Vec<f64> {
    let problem = inverse.problem();
    let mut pushed = vec![0.0; back.len()];
    if problem.contacts.is_empty() && problem.contacts.joints.is_empty() {
        return pushed;
    }
    let responses = StageResponses::of(inverse.response(), 1.0);
    let mut stage = ContactStage::new(problem, state, responses).without_friction();
    stage.hold_positions();
    let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
    stage.detect(state, state.time + problem.h, prediction);
    stage.reverse();
    let rate = |dof: u32| back[dof as usize];
    let free = FreePositions { q: &state.q, rate: &rate, before: back, law: &|_| [0.0, 0.0] };
    stage.meet_positions(&free);
    let components = problem.dofs.dimension.max(2);
    let mut solver = Method::Auto.for_steps(components, problem.contacts.len());
    // The past is ours to choose: where the solver stops early, it is another one.
    let _ = stage.solve_positions(&free, solver.as_mut(), Target::new(1e-12, 10_000));
    let loads = |loads: &mut [f64]| stage.push(|at, push| loads[at as usize] += push);
    inverse.solve_pushes(loads, &mut pushed);
    pushed
}

impl Stepper for TwoStep {
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
        self.bodies.energies(|dofs| self.energies(state, dofs))
    }

    /// (2), but for the impulses.
    fn rhs(&mut self, state: &mut State) {
        std::mem::swap(&mut self.start, state);
        let (problem, beta, end) = (Arc::clone(&self.mass.problem), self.beta, self.end_time());
        self.forces.rotate_left(1);
        force_at(&problem, end, &self.start, &mut self.forces[2]);
        let [before, now, after] = &self.forces;
        for (i, force) in self.force.iter_mut().enumerate() {
            *force = now[i] + beta * (after[i] - now[i] + (before[i] - now[i]));
        }
        let (h, start) = (problem.h, &self.start);
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let i = dof as usize;
            let elastic = beta * h * h * start.memory.kv[i];
            *x = start.mv[i] + elastic + 0.5 * h * (self.force[i] - start.kq[i]);
        }
    }

    fn forward(&mut self) {
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
    }

    /// The cones see gaps, see `FreePositions`.
    fn contact(&mut self, solver: &mut dyn ContactSolver, target: Target) -> SolveReport {
        let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
        self.stage.detect(&self.start, self.end_time(), prediction);
        let trailing = self.mass.factor.trailing();
        self.y.copy_from_slice(&self.x[trailing..]);
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let law = self.law();
        let (problem, x, start) = (Arc::clone(&self.mass.problem), &self.x, &self.start);
        let rate = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => 2.0 * x[at as usize] - start.v[dof as usize],
            None => 0.0,
        };
        let free = FreePositions { q: &start.q, rate: &rate, before: &start.v, law: &law };
        self.stage.pass_step_before(&start.q, &start.v);
        self.stage.meet_positions(&free);
        let report = self.stage.solve_positions(&free, solver, target);
        self.apply_impulse();
        report
    }

    /// The sweep ends with v_m.
    fn backward(&mut self) {
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in self.mass.problem.dofs.order.iter().zip(&self.x) {
            self.v_m[dof as usize] = *x;
        }
    }

    /// v₊ = 2v_m − v₋, q₁ = q₀ + h v₊, and their products with M and K.
    fn advance(&mut self, state: &mut State) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        state.step = start.step + 1;
        state.time = self.end_time();
        for i in 0..state.q.len() {
            state.v[i] = 2.0 * self.v_m[i] - start.v[i];
            state.q[i] = start.q[i] + problem.h * state.v[i];
        }
        state.poses.clone_from(&self.stage.poses);
        problem.operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
        for (i, kv) in state.memory.kv.iter_mut().enumerate() {
            *kv = (state.kq[i] - start.kq[i]) / problem.h;
        }
    }

    /// (3). Joints do no work but for that their gradients turn from step to step.
    fn ledger(&mut self, state: &State) -> StepTerms {
        let (problem, law) = (Arc::clone(&self.mass.problem), self.law());
        self.stage.carry_mean();
        let sliding = |c: usize, met: &ContactStart, u: [f64; 3]| {
            let [_, e_t] = law(c);
            let seen = |i: usize| 2.0 * u[i] - (1.0 - e_t) * met.u_start[i];
            norm(&[seen(1), seen(2)])
        };
        apply_damping(&problem, &self.v_m, &mut self.damping);
        let mut bodies = std::mem::take(&mut self.bodies);
        let forces = [&state.q[..], &state.kq, &self.force];
        bodies.open(problem.dofs.dimension, forces, |dofs| self.smooth_terms(state, dofs));
        self.stage.work(&self.v_m, &mut bodies, sliding);
        self.stage.work_of_joints(&self.v_m, &state.q, &mut bodies);
        let terms = bodies.total(&problem, self.stage.contact.obstacle_work);
        self.bodies = bodies;
        terms
    }

    /// What v_m leaves of (1), half of it.
    fn refine(&mut self, state: &State) -> bool {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let (h, beta) = (problem.h, self.beta);
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let i = dof as usize;
            let bent = beta * h * (state.memory.kv[i] - start.memory.kv[i]);
            let damping = self.damping.get(i).copied().unwrap_or(0.0);
            let inertia = state.mv[i] - start.mv[i];
            *x = 0.5 * (h * (self.force[i] - damping - start.kq[i] - bent) - inertia);
        }
        let x = &mut self.x;
        self.stage.push(|at, push| x[at as usize] += 0.5 * push);
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in problem.dofs.order.iter().zip(&self.x) {
            self.v_m[dof as usize] += *x;
        }
        true
    }

    fn remember(&mut self, tape: &mut Tape) {
        self.stage.remember(tape);
        self.forces[1..].iter_mut().for_each(|force| tape.reals(force));
    }

    fn factor(&self) -> &Factor {
        &self.mass.factor
    }

    fn response(&self) -> &Response {
        &self.stage.response
    }

    fn bytes(&self) -> usize {
        self.mass.factor.bytes() + self.stage.bytes()
    }
}
