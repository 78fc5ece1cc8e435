//! Gaps that do not sink where frames turn, after Gear, Gupta and Leimkuhler.
//!
//! A velocity along the tangent of where a step starts leads into a bowl, by (h u)²/2R. The step ends where
//!
//! ```text
//!     q₁ = q₀ + h v_θ + c         M̂ c = h(Hᵀν + Jᵀν_J)                                        (1)
//!     0 ≤ g(q₁) − ḡ ⟂ ν ≥ 0       ḡ = min(g(q₀), 0) of closed contacts, min(g(q₀) + h u_N,θ, 0) of those that come
//! ```
//!
//! so that a contact is never deeper than when it was found. To close gaps whole would lift every node that an impact
//! is found late at out of its obstacle alone, against the stiffness of its element: on a bowl ten times this work.
//! Velocities do not feel c. What it does to the energies is told, and has no sign:
//!
//! ```text
//!     c·Kq₁ − ½ c·Kc − f·c                                                                   (2)
//! ```

use std::sync::Arc;

use super::MoreauJean;
use crate::contact::Response;
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::energy::{StepTerms, Term};
use crate::linalg::dot;
use crate::step::State;
use crate::step::contact_stage::{ContactStage, FreePositions, Prediction, StageResponses};
use crate::step::preparation::EffectiveMass;

/// The level of positions.
pub(super) struct Closing {
    /// Solves for ν.
    pub stage: ContactStage,
    /// c.
    pub moved: Vec<f64>,
    /// Kc.
    pub elastic: Vec<f64>,
    /// Mc, which nobody needs.
    inertial: Vec<f64>,
    /// The swept right-hand side of the contact dofs.
    swept: Vec<f64>,
}

impl Closing {
    pub fn new(mass: &EffectiveMass, state: &State) -> Self {
        let (problem, n) = (Arc::clone(&mass.problem), state.q.len());
        let response = Response::trailing(&mass.factor, problem.dofs.dimension);
        let responses = StageResponses::of(response, 1.0);
        let mut stage = ContactStage::new(&problem, state, responses).without_friction();
        stage.hold_positions();
        let contact_dofs = problem.dofs.order.len() - problem.dofs.trailing;
        Self {
            stage,
            moved: vec![0.0; n],
            elastic: vec![0.0; n],
            inertial: vec![0.0; n],
            swept: vec![0.0; contact_dofs],
        }
    }

    /// (2), of some dofs.
    pub fn work(&self, state: &State, potential: &[f64], dofs: std::ops::Range<usize>) -> f64 {
        let moved = &self.moved[dofs.clone()];
        let conserved = if potential.is_empty() { 0.0 } else { dot(moved, potential) };
        let [kq, kc] = [&state.kq, &self.elastic].map(|forces| dot(moved, &forces[dofs.clone()]));
        kq - 0.5 * kc - conserved
    }
}

impl MoreauJean {
    /// ν, for the v_θ that the impulses leave; the report is that of both levels.
    pub(super) fn close_gaps(
        &mut self,
        velocities: SolveReport,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let Some(mut closing) = self.closing.take() else { return velocities };
        let trailing = self.mass.factor.trailing();
        closing.swept.copy_from_slice(&self.x[trailing..]);
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let (problem, x, v_theta) = (Arc::clone(&self.mass.problem), &self.x, &self.v_theta);
        let rate = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => x[at as usize],
            None => v_theta[dof as usize],
        };
        let prediction = Prediction { theta: self.theta, ahead: 0.0, forecast: 0.0 };
        closing.stage.detect(&self.start, self.end_time(), prediction);
        closing.stage.let_in(&rate);
        let (q, before) = (&self.start.q[..], &self.start.v[..]);
        let free = FreePositions { q, rate: &rate, before, law: &|_| [0.0, 0.0] };
        closing.stage.meet_positions(&free);
        let positions = closing.stage.solve_positions(&free, solver, target);
        self.x[trailing..].copy_from_slice(&closing.swept);
        self.closing = Some(closing);
        let status = match velocities.status {
            SolveStatus::Converged => positions.status,
            other => other,
        };
        SolveReport {
            status,
            iterations: velocities.iterations + positions.iterations,
            error: velocities.error.max(positions.error),
        }
    }

    /// c and Kc of (1), after the sweeps of the step.
    pub(super) fn move_to_gaps(&mut self) {
        let Some(closing) = &mut self.closing else { return };
        let (problem, x) = (Arc::clone(&self.mass.problem), &mut self.x);
        x.fill(0.0);
        closing.stage.push(|at, push| x[at as usize] += push);
        if x.iter().all(|&push| push == 0.0) {
            closing.moved.fill(0.0);
            closing.elastic.fill(0.0);
            return;
        }
        self.mass.factor.forward(x, &mut self.mass.scratch);
        self.mass.factor.backward(x, &mut self.mass.scratch);
        for (&dof, x) in problem.dofs.order.iter().zip(x.iter()) {
            closing.moved[dof as usize] = problem.h * x;
        }
        let Closing { moved, elastic, inertial, .. } = &mut **closing;
        problem.operator.apply_into(moved, moved, inertial, elastic);
    }

    /// Kq of where the step would have ended without (1).
    pub(super) fn elastic_before(&self, state: &State, dof: usize) -> f64 {
        state.kq[dof] - self.closing.as_ref().map_or(0.0, |closing| closing.elastic[dof])
    }

    /// Adds what (1) does to the energies of some dofs.
    pub(super) fn add_work_of_correction(
        &self,
        state: &State,
        dofs: std::ops::Range<usize>,
        terms: &mut StepTerms,
    ) {
        if let Some(closing) = &self.closing {
            let potential = self.mass.problem.loads.potential_on(dofs.clone());
            terms[Term::Numerical] += closing.work(state, potential, dofs);
        }
    }
}
