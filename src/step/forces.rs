//! The forces of a configuration.

use super::{Problem, State};

/// F(t), the potential's too, with what feedback makes of a state.
pub(super) fn force_at(problem: &Problem, t: f64, state: &State, force: &mut [f64]) {
    let seen = (state.time, &state.q[..], &state.v[..]);
    problem.loads.step_force_into(1.0, [t, t], seen, &problem.dofs, force);
}

/// C v, where anything damps.
pub(super) fn apply_damping(problem: &Problem, v: &[f64], cv: &mut [f64]) {
    if let Some(damping) = &problem.damping {
        damping.apply_sum_into(v, cv);
    }
}

/// F − K q − C v on the free dofs, and nothing on driven ones.
pub(super) fn accelerating_force(
    problem: &Problem,
    state: &State,
    force: &[f64],
    cv: &[f64],
    f: &mut [f64],
) {
    f.fill(0.0);
    for &dof in &problem.dofs.order {
        let i = dof as usize;
        f[i] = force[i] - state.kq[i] - cv.get(i).copied().unwrap_or(0.0);
    }
}
