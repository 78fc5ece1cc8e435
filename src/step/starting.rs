//! The forces of contacts and joints at t = 0, for schemes whose first step knows an acceleration before it.

use std::sync::Arc;

use super::contact_stage::{
    ContactStage, ContactStart, FreeMotion, JointsHold, Prediction, StageResponses,
};
use super::mass::Mass;
use super::{Problem, State};
use crate::contact::norm;
use crate::contact::solver::{Cascade, Method, Target};
use crate::linalg::NoFactor;

/// Adds Hᵀr + Jᵀλ/h to the accelerating force `f` of the start, and returns the contacts with the impulses
/// h r behind it: those of an explicit step
///
/// ```text
///     u = H(v₀ + h M⁻¹(f + Hᵀr + Jᵀλ/h))            K* ∋ u + μ‖u_T‖n ⟂ h r ∈ K
/// ```
///
/// of candidates that touch and neither leave nor come: right to first order in h where a body rests or
/// slides. An impact at the start is left to the first step.
pub(super) fn add_contact_forces(state: &State, inverse: &mut Mass, f: &mut [f64]) -> ContactStage {
    let problem = Arc::clone(inverse.problem());
    let mut stage = ContactStage::new(&problem, state, StageResponses::of(inverse.response(), 1.0));
    if problem.contacts.is_empty() && problem.contacts.joints.is_empty() {
        return stage;
    }
    let h = problem.h;
    let mut a = vec![0.0; f.len()];
    inverse.solve_into(f, &mut a);
    let prediction = Prediction { theta: 0.5, ahead: 0.0, forecast: 0.0 };
    stage.detect(state, state.time + h, prediction);
    stage.activate();
    let rests = |&ContactStart { u_start, carried, .. }: &ContactStart| {
        u_start[0].abs() <= RESTING * (norm(&u_start) + norm(&carried))
    };
    let starts = &stage.starts;
    stage.contact.active.retain(|&c| rests(&starts[c as usize]));
    let rate = |dof: u32| state.v[dof as usize] + h * a[dof as usize];
    let b = |_: usize, _: &ContactStart, u: [f64; 3]| u;
    let free_motion = FreeMotion { q: &state.q, v: &state.v, free: &rate, rate: &rate, b: &b };
    let components = problem.dofs.dimension.max(2);
    let mut solver = Method::Auto.for_steps(components, problem.contacts.len());
    // Where the solver stops early, the start is another one: the steps are held to their own laws.
    let _ = stage.solve(&free_motion, solver.as_mut(), Target::new(1e-12, 10_000));
    stage.push_on_dofs(|dof, push| f[dof] += push / h);
    stage
}

/// Share of a contact's own velocity below which the normal part of it is rounding.
const RESTING: f64 = 1e-9;

/// Makes the velocities at t = 0 the nearest ones, in kinetic energy, that open no joint:
///
/// ```text
///     v ← v − M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ J v
/// ```
///
/// Joints are held by the mean velocity of a step: what they cannot keep would come back with the other
/// sign, step after step.
pub fn close_joints(problem: &Arc<Problem>, state: &mut State) -> Result<(), NoFactor> {
    let mut inverse = Mass::new(problem)?;
    let mut stage = ContactStage::new(problem, state, StageResponses::of(inverse.response(), 1.0));
    stage.joints_hold = JointsHold::Velocities;
    let d = problem.dofs.dimension;
    stage.joints.gradients.clear();
    for joint in &problem.contacts.joints {
        joint.add_mean_gradient(d, &state.q, &state.q, &mut stage.joints.gradients);
    }
    let rate = |dof: u32| state.v[dof as usize];
    let b = |_: usize, _: &ContactStart, u: [f64; 3]| u;
    let free_motion = FreeMotion { q: &state.q, v: &state.v, free: &rate, rate: &rate, b: &b };
    let _ = stage.solve(&free_motion, &mut Cascade::new(d.max(2), 0), Target::new(1.0, 1)); // no contact: exact
    let mut change = vec![0.0; state.v.len()];
    inverse.solve_pushes(|x| stage.push(|at, push| x[at as usize] += push), &mut change);
    state.v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
    problem.operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
    Ok(())
}
