//! Stage 6 of a step: what it did to the energies, term by term of (65).

use super::MoreauJean;
use crate::contact::norm;
use crate::energy::StepTerms;
use crate::linalg::dot;
use crate::step::State;
use crate::step::contact_stage::Meeting;
use crate::step::rounding::rounding;

impl MoreauJean<'_> {
    /// The terms of the energy identity (65). Joints do no work, but for rounding.
    pub(super) fn terms(&mut self, state: &State) -> StepTerms {
        let (problem, theta) = (self.mass.problem, self.theta);
        let sliding = |c: usize, met: &Meeting, u: [f64; 3]| {
            norm(&met.seen(theta, problem.contacts.set_of(c).restitution, u)[1..])
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
            rounding: rounding(self.stiffness_norm, problem.dofs.dimension, state, &self.force)
                + self.stage.rounding_of_joints(&state.q),
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
