//! What a step did to the energies.

use std::ops::Range;
use std::sync::Arc;

use super::{GeneralisedAlpha, Rule};
use crate::contact::norm;
use crate::energy::{StepTerms, Term};
use crate::linalg::dot;
use crate::step::contact_stage::ContactStart;
use crate::step::{Alpha, ConnectedBodies, State};

impl GeneralisedAlpha {
    /// The terms of
    ///
    /// ```text
    ///     Δ(E + ¼h²(2β−γ) aᵀMa) = Δq·(F_γ − C v_γ) + ½(u₀ + u₁)·p + Δq·M(a_γ − c_γ)
    ///                           − (γ−½)(‖Δq‖²_K + ½h²(2β−γ)‖Δa‖²_M)
    /// ```
    ///
    /// with x_γ = (1−γ)x₀ + γx₁. It follows from ½(v₀+v₁)·M times (2), with ½h(v₀+v₁) =
    /// Δq − ½h²(2β−γ)Δa by (3). [`Term::Numerical`] takes the store ¼h²(2β−γ)aᵀMa, the last
    /// bracket, Δq·M(a_γ − c_γ), which is zero for Newmark and without a sign else, the joints, and the
    /// correction of positions.
    pub(super) fn terms(&mut self, state: &State) -> StepTerms {
        let mut moved = std::mem::take(&mut self.work[0]);
        let mut bodies = std::mem::take(&mut self.bodies);
        let problem = Arc::clone(&self.mass.problem);
        for (i, moved) in moved.iter_mut().enumerate() {
            *moved = problem.h * self.rate[i] + self.drift.get(i).copied().unwrap_or(0.0);
        }
        let forces = [&state.q[..], &state.kq, &self.force[1]];
        bodies.open(problem.dofs.dimension, forces, |dofs| self.smooth_terms(state, &moved, dofs));
        match self.rule {
            Rule::Impulses | Rule::Both(_) => self.work_by_impulses(state, &mut bodies),
            Rule::Forces(_) => {
                let rate = std::mem::take(&mut self.rate);
                self.work_by_forces(&rate, &state.q, &mut bodies);
                self.rate = rate;
            }
        }
        self.add_work_of_correction(state, &mut bodies);
        let terms = bodies.total(&problem, self.stage.contact.obstacle_work);
        (self.work[0], self.bodies) = (moved, bodies);
        terms
    }

    /// Works of the impulses at ½(v₀ + v₁), and that of the joints.
    fn work_by_impulses(&mut self, state: &State, bodies: &mut ConnectedBodies) {
        let (problem, middle) = (Arc::clone(&self.mass.problem), &mut self.work[1]);
        let velocities = self.start.v.iter().zip(&state.v);
        middle.iter_mut().zip(velocities).for_each(|(m, (a, b))| *m = 0.5 * (a + b));
        let sliding = |c: usize, met: &ContactStart, u: [f64; 3]| {
            norm(&met.seen(0.5, problem.contacts.set_of(c).restitution, u)[1..])
        };
        self.stage.work(middle, bodies, sliding);
        self.stage.work_of_joints(middle, &state.q, bodies);
    }

    /// Energies, and works on the displacement `moved` of the step, of some dofs.
    fn smooth_terms(&self, state: &State, moved: &[f64], dofs: Range<usize>) -> StepTerms {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let Alpha { gamma, .. } = self.alpha;
        let moved = &moved[dofs.clone()];
        let mean = |x: [&[f64]; 2]| {
            let [before, after] = x.map(|x| dot(moved, &x[dofs.clone()]));
            (1.0 - gamma) * before + gamma * after
        };
        let potential = problem.loads.potential_on(dofs.clone());
        let conserved = if potential.is_empty() { 0.0 } else { dot(moved, potential) };
        let mut terms = state.energies(&problem, dofs.clone());
        terms[Term::External] = mean([&self.force[0], &self.force[1]]) - conserved;
        if problem.damping.is_some() {
            terms[Term::Damping] = -mean([&self.damping[0], &self.damping[1]]);
        }
        let square: f64 = moved
            .iter()
            .zip(state.kq[dofs.clone()].iter().zip(&start.kq[dofs.clone()]))
            .map(|(m, (k1, k0))| m * (k1 - k0))
            .sum();
        terms[Term::Numerical] = -(gamma - 0.5) * square;
        if self.alpha.alpha_m != 0.0 || self.alpha.alpha_f != 0.0 {
            let (before, after) = (&start.memory, &state.memory);
            terms[Term::Numerical] += mean([&before.ma, &after.ma]) - mean([&before.mc, &after.mc]);
        }
        terms[Term::Numerical] += self.work_of_store(state, dofs);
        terms
    }

    /// −½h²(2β−γ)(½Δ(aᵀMa) + (γ−½)‖Δa‖²_M) = −½h²(2β−γ) Δa·M a_γ.
    fn work_of_store(&self, state: &State, dofs: Range<usize>) -> f64 {
        let (excess, h) = (self.alpha.excess(), self.mass.problem.h);
        if excess == 0.0 {
            return 0.0;
        }
        let (before, after) = (&self.start.memory, &state.memory);
        let gamma = self.alpha.gamma;
        let of_dof = |i: usize| {
            let mean = (1.0 - gamma) * before.ma[i] + gamma * after.ma[i];
            (after.a[i] - before.a[i]) * mean
        };
        -0.5 * h * h * excess * dofs.map(of_dof).sum::<f64>()
    }
}
