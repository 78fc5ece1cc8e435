//! The Moreau–Jean θ-scheme, (61) and (72): one sweep down, contact, one sweep up.

mod correction;
mod ledger;
mod refinement;

use std::sync::Arc;

use super::contact_stage::{ContactStage, ContactStart, FreeMotion, Prediction, StageResponses};
use super::contact_state::ContactState;
use super::preparation::EffectiveMass;
use super::{ConnectedBodies, Forecast, Preparation, Problem, State, Stepper};
use crate::contact::solver::{ContactSolver, SolveReport, Target};
use crate::contact::{ConeProblem, Response};
use crate::energy::StepTerms;
use crate::linalg::{Factor, NoFactor};
use crate::tape::Tape;
use correction::Closing;

/// The stepper: the factor of M̂, the Delassus operator and all the memory a step needs.
pub struct MoreauJean {
    mass: EffectiveMass,
    theta: f64,
    forecast: Forecast,
    stage: ContactStage,
    /// State at the start of the step.
    start: State,
    force: Vec<f64>,
    force_times: Option<[f64; 2]>,
    v_theta: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    damping_force: [Vec<f64>; 2],
    bodies: ConnectedBodies,
    /// What each body that comes or goes brings with the step.
    brought: Vec<f64>,
    /// The level of positions, where it is held too.
    closing: Option<Box<Closing>>,
}

impl MoreauJean {
    /// Factors M̂ and computes its inverse between contact dofs, for a problem whose scheme it is.
    pub fn new(problem: &Arc<Problem>, state: &State) -> Result<Self, NoFactor> {
        let mass = Preparation::new(problem).effective_mass()?;
        let theta = problem.scheme.theta();
        Ok(Self::with(mass, state, theta, (Forecast::Start, problem.scheme.corrects_positions())))
    }

    pub(super) fn with(
        mass: EffectiveMass,
        state: &State,
        theta: f64,
        (forecast, position_correction): (Forecast, bool),
    ) -> Self {
        let problem = Arc::clone(&mass.problem);
        let (n, free) = (state.q.len(), problem.dofs.order.len());
        let damped = if problem.damping.is_some() { n } else { 0 };
        let response = Response::trailing(&mass.factor, problem.dofs.dimension);
        let response = response.joining(problem.positions_of_bodies());
        let closing = position_correction.then(|| Box::new(Closing::new(&mass, state)));
        Self {
            mass,
            theta,
            forecast,
            stage: ContactStage::new(&problem, state, StageResponses::of(response, theta)),
            start: state.clone(),
            force: vec![0.0; n],
            force_times: None,
            v_theta: vec![0.0; n],
            x: vec![0.0; free],
            y: vec![0.0; free - problem.dofs.trailing],
            damping_force: [vec![0.0; damped], vec![0.0; damped]],
            bodies: ConnectedBodies::of(&problem),
            brought: vec![0.0; problem.presences.len()],
            closing,
        }
    }

    fn end_time(&self) -> f64 {
        (self.start.step + 1) as f64 * self.mass.problem.h
    }

    /// Adds L₂₂⁻¹ θ(Hᵀp + Jᵀλ) to the swept right-hand side.
    fn apply_impulse(&mut self) {
        let trailing = self.mass.factor.trailing();
        self.x[trailing..].fill(0.0);
        let (x, theta) = (&mut self.x, self.theta);
        self.stage.push(|at, push| x[at as usize] += theta * push);
        self.mass.factor.forward_trailing(&mut self.x, &mut self.mass.scratch);
        self.x[trailing..].iter_mut().zip(&self.y).for_each(|(x, y)| *x += y);
    }
}

impl Stepper for MoreauJean {
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

    /// M v_k − hθ K q_k + hθ F_θ of (97).
    fn rhs(&mut self, state: &mut State) {
        std::mem::swap(&mut self.start, state);
        let problem = Arc::clone(&self.mass.problem);
        problem.come_and_go(&mut self.start, &mut self.brought);
        let start = &self.start;
        let (t0, t1, theta) = (start.time, self.end_time(), self.theta);
        let ht = problem.h * theta;
        let same = |times| problem.loads.same_force(theta, times, [t0, t1]);
        if !self.force_times.is_some_and(same) {
            let seen = (start.time, &start.q[..], &start.v[..]);
            let (dofs, force) = (&problem.dofs, &mut self.force);
            problem.loads.step_force_into(theta, [t0, t1], seen, dofs, force);
        }
        self.force_times = Some([t0, t1]);
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let dof = dof as usize;
            *x = start.mv[dof] + ht * (self.force[dof] - start.kq[dof]);
        }
        for driven in &problem.dofs.driven {
            let motion = &problem.dofs.motions[driven.motion];
            let dof = driven.dof as usize;
            let (q0, v0) = (start.q[dof], start.v[dof]);
            let v1 = motion.end_velocity(t1, problem.h, theta, q0, v0);
            self.v_theta[dof] = theta * v1 + (1.0 - theta) * v0;
        }
        for &(at, dof, value) in &self.mass.coupling {
            self.x[at as usize] -= value * self.v_theta[dof as usize];
        }
        problem.for_each_absent(start.step, |dof| match problem.dofs.position_of(dof) {
            Some(at) => self.x[at as usize] = 0.0,
            None => self.v_theta[dof] = 0.0,
        });
    }

    fn forward(&mut self) {
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
    }

    /// The cones see, of the velocity u_θ that no impulse would leave, what `ContactStart::seen` says.
    fn contact(&mut self, solver: &mut dyn ContactSolver, target: Target) -> SolveReport {
        let (ahead, forecast) = match self.forecast {
            Forecast::Start => (0.0, 0.0),
            Forecast::Extrapolated { gamma } => (0.0, gamma),
            Forecast::Middle => (0.5, 0.0),
        };
        let (theta, end_time) = (self.theta, self.end_time());
        self.stage.detect(&self.start, end_time, Prediction { theta, ahead, forecast });
        self.stage.activate();
        let trailing = self.mass.factor.trailing();
        self.y.copy_from_slice(&self.x[trailing..]);
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let (problem, x, v_theta) = (Arc::clone(&self.mass.problem), &self.x, &self.v_theta);
        let free = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => x[at as usize],
            None => v_theta[dof as usize],
        };
        let b = |_: usize, met: &ContactStart, u: [f64; 3]| {
            met.seen(theta, problem.contacts.sets[met.set as usize].restitution, u)
        };
        let free_motion =
            FreeMotion { q: &self.start.q, v: &self.start.v, free: &free, rate: &free, b: &b };
        let report = self.stage.solve(&free_motion, solver, target);
        self.apply_impulse();
        self.close_gaps(report, solver, target)
    }

    /// The sweep ends with v_θ.
    fn backward(&mut self) {
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in self.mass.problem.dofs.order.iter().zip(&self.x) {
            self.v_theta[dof as usize] = *x;
        }
        self.move_to_gaps();
    }

    /// v_{k+1} = (v_θ − (1−θ)v_k)/θ, q_{k+1} = q_k + h v_θ, corrected where gaps are closed too, and their
    /// products with M and K.
    fn advance(&mut self, state: &mut State) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let (h, theta) = (problem.h, self.theta);
        state.step = start.step + 1;
        state.time = self.end_time();
        let (inverse, rest) = (1.0 / theta, (1.0 - theta) / theta);
        for (((v, q), &middle), (v0, q0)) in state
            .v
            .iter_mut()
            .zip(&mut state.q)
            .zip(&self.v_theta)
            .zip(start.v.iter().zip(&start.q))
        {
            *v = inverse * middle - rest * v0;
            *q = q0 + h * middle;
        }
        problem.turn_by(h, (&start.q, &self.v_theta), &mut state.q);
        if let Some(closing) = &self.closing {
            state.q.iter_mut().zip(&closing.moved).for_each(|(q, moved)| *q += moved);
        }
        state.poses.clone_from(&self.stage.poses);
        problem.operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
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
        self.closing.iter_mut().for_each(|closing| closing.stage.remember(tape));
    }

    fn factor(&self) -> &Factor {
        &self.mass.factor
    }

    fn response(&self) -> &Response {
        &self.stage.response
    }

    fn bytes(&self) -> usize {
        let closing = self.closing.as_ref().map_or(0, |closing| closing.stage.bytes());
        self.mass.factor.bytes() + self.stage.bytes() + closing
    }
}
