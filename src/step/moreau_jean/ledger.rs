//! Stage 6 of a step: what it did to the energies, term by term of (65).

use std::ops::Range;
use std::sync::Arc;

use super::MoreauJean;
use crate::contact::norm;
use crate::energy::{StepTerms, Term};
use crate::linalg::dot;
use crate::step::contact_stage::ContactStart;
use crate::step::{ConnectedBodies, State};

impl MoreauJean {
    /// The terms of the energy identity (65), body by body and in all.
    pub(super) fn terms(&mut self, state: &State) -> StepTerms {
        let (problem, theta) = (Arc::clone(&self.mass.problem), self.theta);
        if let Some(damping) = &problem.damping {
            let [from_mass, from_stiffness] = &mut self.damping_force;
            damping.apply_into(&self.v_theta, &self.v_theta, from_mass, from_stiffness);
        }
        let mut bodies = std::mem::take(&mut self.bodies);
        let forces = [&state.q[..], &state.kq, &self.force];
        bodies.open(problem.dofs.dimension, forces, |dofs| self.smooth_terms(state, dofs));
        self.add_work_of_driven(state, &mut bodies);
        problem.enter_brought(&self.brought, &mut bodies);
        let sliding = |_: usize, met: &ContactStart, u: [f64; 3]| {
            norm(&met.seen(theta, problem.contacts.sets[met.set as usize].restitution, u)[1..])
        };
        self.stage.work(&self.v_theta, &mut bodies, sliding);
        self.stage.work_of_joints(&self.v_theta, &state.q, &mut bodies);
        self.stage.work_of_moments(&self.v_theta, &mut bodies);
        let terms = bodies.total(&problem, self.stage.contact.obstacle_work);
        self.bodies = bodies;
        terms
    }

    /// Those of some dofs, but for contacts and the reactions at driven dofs.
    fn smooth_terms(&self, state: &State, dofs: Range<usize>) -> StepTerms {
        let (problem, theta, start, h) =
            (Arc::clone(&self.mass.problem), self.theta, &self.start, self.mass.problem.h);
        let v_theta = &self.v_theta[dofs.clone()];
        let potential = problem.loads.potential_on(dofs.clone());
        let conserved = if potential.is_empty() { 0.0 } else { dot(v_theta, potential) };
        let mut terms = state.energies(&problem, dofs.clone());
        terms[Term::External] = h * (dot(v_theta, &self.force[dofs.clone()]) - conserved);
        if problem.damping.is_some() {
            let [from_mass, from_stiffness] =
                self.damping_force.each_ref().map(|f| &f[dofs.clone()]);
            terms[Term::Damping] = -h * (dot(v_theta, from_mass) + dot(v_theta, from_stiffness));
        }
        if theta != 0.5 {
            let kinetic = |i: usize| (state.v[i] - start.v[i]) * (state.mv[i] - start.mv[i]);
            let strain = |i: usize| {
                let corrected = self.closing.as_ref().map_or(0.0, |closing| closing.moved[i]);
                let elastic = self.elastic_before(state, i) - start.kq[i];
                (state.q[i] - start.q[i] - corrected) * elastic
            };
            let square =
                dofs.clone().map(kinetic).sum::<f64>() + dofs.clone().map(strain).sum::<f64>();
            terms[Term::Numerical] = (0.5 - theta) * square;
        }
        self.add_work_of_correction(state, dofs, &mut terms);
        terms
    }

    /// Work of the reactions at driven dofs, h v_θ·R with
    ///
    /// ```text
    ///     h R = M(v_{k+1} − v_k) + hK q_θ + hC v_θ − hF_θ − Hᵀp      at driven dofs
    /// ```
    fn add_work_of_driven(&self, state: &State, bodies: &mut ConnectedBodies) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        if !problem.dofs.moves() {
            return;
        }
        let (h, theta) = (problem.h, self.theta);
        for driven in &problem.dofs.driven {
            let i = driven.dof as usize;
            let elastic = theta * self.elastic_before(state, i) + (1.0 - theta) * start.kq[i];
            let damping: f64 = self.damping_force.iter().filter_map(|f| f.get(i)).sum();
            let inertia = state.mv[i] - start.mv[i];
            bodies.of_dof(i).terms[Term::External] +=
                self.v_theta[i] * (inertia + h * (elastic + damping - self.force[i]));
        }
        let driven = problem.dofs.driven.iter().map(|driven| driven.dof as usize);
        bodies.drive(driven.map(|dof| (dof, h * self.v_theta[dof])));
        self.stage.push_on_dofs(|dof, push| {
            if problem.dofs.position_of(dof).is_none() {
                bodies.of_dof(dof).terms[Term::External] -= self.v_theta[dof] * push;
            }
        });
    }
}
