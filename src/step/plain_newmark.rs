//! Newmark's scheme with contact forces instead of impulses: what is done where nobody thinks of impacts.
//!
//! ```text
//!     M a₁ = F₁ − K q₁ − C v₁ + Hᵀr₁            p = h r                                        (1)
//!     v₁ = v₀ + h((1−γ)a₀ + γa₁)                q₁ = q₀ + h v₀ + h²((½−β)a₀ + βa₁)
//!     0 ≤ g(q₁) ⟂ r₁ ≥ 0                        friction on H_T(q₁ − q₀)
//! ```
//!
//! No body enters another, and there is no impact law. The contact force of the start of a step works on
//! its displacement with weight 1 − γ, though the contact may open on the way,
//!
//! ```text
//!     Δq·((1−γ)H₀ᵀp₀ + γH₁ᵀp₁)/h
//! ```
//!
//! and no sign is known of it: it closes the balance, and energy drifts as it says.

use std::sync::Arc;

use super::contact_stage::{ContactStart, FreePositions, Prediction};
use super::generalised_alpha::{GeneralisedAlpha, Rule};
use super::preparation::EffectiveMass;
use super::{Alpha, ConnectedBodies, State};
use crate::contact::obstacle::Frame;
use crate::contact::solver::{ContactSolver, SolveReport, Target};
use crate::contact::{HRows, norm};
use crate::energy::Term;
use crate::linalg::NoFactor;

/// The stepper.
pub(super) fn stepper(
    mass: EffectiveMass,
    state: &mut State,
    beta: f64,
    gamma: f64,
) -> Result<GeneralisedAlpha, NoFactor> {
    let contacts = &mass.problem.contacts;
    let (count, joints) = (contacts.len(), contacts.joints.len());
    let forces = OldForces {
        rows: HRows::idle(count),
        frames: vec![Frame::default(); count],
        impulses: vec![[0.0; 3]; count],
        gradients: HRows::idle(joints),
        joint_impulses: vec![[0.0; 3]; joints],
    };
    GeneralisedAlpha::with(mass, state, Alpha::newmark(beta, gamma), Rule::Forces(Box::new(forces)))
}

/// Forces at the start of a step, as impulses h r in the frames they had.
#[derive(Debug)]
pub(super) struct OldForces {
    rows: HRows,
    frames: Vec<Frame>,
    impulses: Vec<[f64; 3]>,
    gradients: HRows,
    joint_impulses: Vec<[f64; 3]>,
}

impl GeneralisedAlpha {
    /// The cones see g(q₁)/h and H_T(q₁ − q₀)/h.
    pub(super) fn contact_by_forces(
        &mut self,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        self.keep_old_forces();
        let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
        self.stage.detect(&self.start, self.end_time(), prediction);
        let trailing = self.mass.factor.trailing();
        self.y.copy_from_slice(&self.x[trailing..]);
        self.mass.factor.backward_trailing(&mut self.x, &mut self.mass.scratch);
        let (problem, x, start) = (Arc::clone(&self.mass.problem), &self.x, &self.start);
        let rate = |dof: u32| match problem.dofs.position_of(dof as usize) {
            Some(at) => x[at as usize],
            None => 0.0,
        };
        let free =
            FreePositions { q: &start.q, rate: &rate, before: &start.v, law: &|_| [0.0, 0.0] };
        self.stage.meet_positions(&free);
        let report = self.stage.solve_positions(&free, solver, target);
        self.push_trailing(self.alpha.beta);
        report
    }

    fn keep_old_forces(&mut self) {
        let (stage, Rule::Forces(old)) = (&self.stage, &mut self.rule) else { return };
        old.rows.clone_from(&stage.rows);
        old.frames.clone_from(&stage.contact.frame);
        old.impulses.clone_from(&stage.contact.impulse);
        old.gradients.clone_from(&stage.joints.gradients);
        old.joint_impulses.clone_from(&stage.joints.impulses);
    }

    /// Works of the contacts where the dofs move by h `rate`, and that of the joints.
    pub(super) fn work_by_forces(&mut self, rate: &[f64], q: &[f64], bodies: &mut ConnectedBodies) {
        let sliding = |_: usize, _: &ContactStart, u: [f64; 3]| norm(&u[1..]);
        self.stage.work(rate, bodies, sliding);
        let (gamma, stage) = (self.alpha.gamma, &mut self.stage);
        let Rule::Forces(old) = &self.rule else { return };
        bodies.scale_pushed(gamma);
        stage.contact.obstacle_work *= gamma;
        for (at, &c) in stage.contact.active.iter().enumerate() {
            let c = c as usize;
            let (row, p) = (old.rows.of(c), old.impulses[c]);
            let w = stage.detected[c].frame.to_space(stage.starts[c].carried);
            let w = old.frames[c].to_frame(w);
            let u = row.velocity(rate);
            let [n, s, t] = [0, 1, 2].map(|i| (u[i] - w[i]) * p[i]);
            let work = &mut stage.contact.work[at];
            let idle = row.is_idle(0);
            for (term, old) in
                [(Term::Normal, if idle { 0.0 } else { n }), (Term::Tangential, s + t)]
            {
                work[term] = gamma * work[term] + (1.0 - gamma) * old;
            }
            let carried: f64 = (0..3).map(|i| w[i] * p[i]).sum();
            stage.contact.obstacle_work += (1.0 - gamma) * carried;
            row.push(p, |dof, push| bodies.of_dof(dof).pushed += (1.0 - gamma) * rate[dof] * push);
        }
        let now = stage.joints.gradients.iter().zip(&stage.joints.impulses);
        let before = old.gradients.iter().zip(&old.joint_impulses);
        let before = before.map(|(gradient, p)| (1.0 - gamma, gradient, p));
        for (share, gradient, p) in now.map(|(g, p)| (gamma, g, p)).chain(before) {
            let Some(&dof) = gradient.dofs().first() else { continue };
            let u = gradient.velocity(rate);
            let work = u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
            bodies.of_dof(dof as usize).terms[Term::Numerical] += share * work;
        }
        stage.add_rounding_of_joints(rate, q, bodies);
    }
}
