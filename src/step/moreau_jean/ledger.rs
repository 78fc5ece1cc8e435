//! Stage 6 of a step: what it did to the energies, term by term of (65).

use super::MoreauJean;
use crate::contact::norm;
use crate::energy::StepTerms;
use crate::linalg::dot;
use crate::step::State;
use crate::step::contact_stage::Meeting;

impl MoreauJean<'_> {
    /// The terms of the energy identity (65). Joints do no work, but for rounding.
    pub(super) fn terms(&mut self, state: &State) -> StepTerms {
        let (problem, theta) = (self.mass.problem, self.theta);
        let sliding = |c: usize, met: &Meeting, u: [f64; 3]| {
            let e_t = problem.contacts.set_of(c).restitution.tangential;
            let seen =
                |i: usize| (u[i] - (1.0 - theta) * met.u_start[i]) / theta + e_t * met.u_start[i];
            norm(&[seen(1), seen(2)])
        };
        let work_of_joints = self.stage.work(&self.v_theta, sliding);
        let (start, h) = (&self.start, problem.h);
        let potential = &problem.loads.potential;
        let conserved = if potential.is_empty() { 0.0 } else { dot(&self.v_theta, potential) };
        let mut terms = StepTerms {
            kinetic: 0.5 * dot(&state.v, &state.mv),
            strain: 0.5 * dot(&state.q, &state.kq),
            potential: problem.loads.potential_energy(&state.q),
            work_external: h * (dot(&self.v_theta, &self.force) - conserved),
            rounding: self.rounding(state),
            ..StepTerms::default()
        };
        if let Some(damping) = &problem.damping {
            let [from_mass, from_stiffness] = &mut self.damping_force;
            damping.apply_into(&self.v_theta, &self.v_theta, from_mass, from_stiffness);
            let power = dot(&self.v_theta, from_mass) + dot(&self.v_theta, from_stiffness);
            terms.work_damping = -h * power;
        }
        if theta != 0.5 {
            let jump = |a: &[f64], b: &[f64], ma: &[f64], mb: &[f64]| -> f64 {
                (0..a.len()).map(|i| (a[i] - b[i]) * (ma[i] - mb[i])).sum()
            };
            let square = jump(&state.v, &start.v, &state.mv, &start.mv)
                + jump(&state.q, &start.q, &state.kq, &start.kq);
            terms.dissipation_numerical = (0.5 - theta) * square;
        }
        terms.dissipation_numerical += work_of_joints;
        terms.work_external += self.work_of_driven(state) + self.stage.contact.obstacle_work;
        terms
    }

    /// What rounding alone can make of the balance of a step: n independent errors of K q where a
    /// body turns far, and those of q·Kq and q·F where it has travelled far,
    ///
    /// ```text
    ///     ε (4 ‖K‖‖q − q̄‖²/√n + ‖q‖(‖Kq‖ + ‖F‖))
    /// ```
    ///
    /// with four times the standard deviation of the first, since thousands of steps meet its tail.
    fn rounding(&self, state: &State) -> f64 {
        let norm = |x: &[f64]| dot(x, x).sqrt();
        let turned = self.stiffness_norm * spread(&state.q, self.mass.problem.dofs.dimension)
            / (state.q.len() as f64).sqrt();
        let travelled = norm(&state.q) * (norm(&state.kq) + norm(&self.force));
        f64::EPSILON * (4.0 * turned + travelled)
    }

    /// Work of the reactions at driven dofs, h v_θ·R with
    ///
    /// ```text
    ///     h R = M(v_{k+1} − v_k) + hK q_θ + hC v_θ − hF_θ − Hᵀp      at driven dofs
    /// ```
    fn work_of_driven(&self, state: &State) -> f64 {
        let (problem, start) = (self.mass.problem, &self.start);
        if !problem.dofs.moves() {
            return 0.0;
        }
        let (h, theta) = (problem.h, self.theta);
        let mut work = 0.0;
        for driven in &problem.dofs.driven {
            let i = driven.dof as usize;
            let elastic = theta * state.kq[i] + (1.0 - theta) * start.kq[i];
            let damping: f64 = self.damping_force.iter().filter_map(|f| f.get(i)).sum();
            let inertia = state.mv[i] - start.mv[i];
            work += self.v_theta[i] * (inertia + h * (elastic + damping - self.force[i]));
        }
        self.stage.push_on_dofs(|dof, push| {
            if problem.dofs.position_of(dof).is_none() {
                work -= self.v_theta[dof] * push;
            }
        });
        work
    }
}

/// ‖q − q̄‖²: how far the displacements are from a translation.
fn spread(q: &[f64], dimension: usize) -> f64 {
    let nodes = (q.len() / dimension) as f64;
    let mut sum = [0.0; 3];
    for q in q.chunks_exact(dimension) {
        sum.iter_mut().zip(q).for_each(|(sum, q)| *sum += q);
    }
    (dot(q, q) - dot(&sum, &sum) / nodes).max(0.0)
}
