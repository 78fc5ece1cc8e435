//! What a step did to the energies.

use super::{A, GeneralisedAlpha, MA, MC, Rule};
use crate::contact::norm;
use crate::energy::StepTerms;
use crate::linalg::dot;
use crate::step::contact_stage::Meeting;
use crate::step::rounding::rounding;
use crate::step::{Alpha, State};

impl GeneralisedAlpha<'_> {
    /// The terms of
    ///
    /// ```text
    ///     Δ(E + ¼h²(2β−γ) aᵀMa) = Δq·(F_γ − C v_γ) + ½(u₀ + u₁)·p + Δq·M(a_γ − c_γ)
    ///                           − (γ−½)(‖Δq‖²_K + ½h²(2β−γ)‖Δa‖²_M)
    /// ```
    ///
    /// with x_γ = (1−γ)x₀ + γx₁. It follows from ½(v₀+v₁)·M times (2), with ½h(v₀+v₁) =
    /// Δq − ½h²(2β−γ)Δa by (3). `dissipation_numerical` takes the store ¼h²(2β−γ)aᵀMa, the last
    /// bracket, Δq·M(a_γ − c_γ), which is zero for Newmark and without a sign else, the joints, and the
    /// correction of positions.
    pub(super) fn terms(&mut self, state: &State) -> StepTerms {
        let mut moved = std::mem::take(&mut self.work[0]);
        let h = self.mass.problem.h;
        for (i, moved) in moved.iter_mut().enumerate() {
            *moved = h * self.rate[i] + self.drift.get(i).copied().unwrap_or(0.0);
        }
        let work_of_joints = match self.rule {
            Rule::Impulses | Rule::Both(_) => self.work_by_impulses(state),
            Rule::Forces(_) => {
                let rate = std::mem::take(&mut self.rate);
                let work = self.work_by_forces(&rate);
                self.rate = rate;
                work
            }
        };
        let mut terms = self.smooth_terms(state, &moved);
        terms.dissipation_numerical += work_of_joints + self.work_of_store(state);
        terms.dissipation_numerical += self.work_of_correction(state);
        terms.work_external += self.stage.contact.obstacle_work;
        self.work[0] = moved;
        terms
    }

    /// Works of the impulses at ½(v₀ + v₁), and that of the joints.
    fn work_by_impulses(&mut self, state: &State) -> f64 {
        let (problem, middle) = (self.mass.problem, &mut self.work[1]);
        let velocities = self.start.v.iter().zip(&state.v);
        middle.iter_mut().zip(velocities).for_each(|(m, (a, b))| *m = 0.5 * (a + b));
        let sliding = |c: usize, met: &Meeting, u: [f64; 3]| {
            norm(&met.seen(0.5, problem.contacts.set_of(c).restitution, u)[1..])
        };
        self.stage.work(middle, sliding)
    }

    /// Energies, and works on the displacement `moved` of the step.
    fn smooth_terms(&self, state: &State, moved: &[f64]) -> StepTerms {
        let (problem, start) = (self.mass.problem, &self.start);
        let Alpha { gamma, .. } = self.alpha;
        let mean = |x: [&[f64]; 2]| (1.0 - gamma) * dot(moved, x[0]) + gamma * dot(moved, x[1]);
        let loads = &problem.loads;
        let conserved = if loads.potential.is_empty() { 0.0 } else { dot(moved, &loads.potential) };
        let mut terms = StepTerms {
            kinetic: 0.5 * dot(&state.v, &state.mv),
            strain: 0.5 * dot(&state.q, &state.kq),
            potential: loads.potential_energy(&state.q),
            work_external: mean([&self.force[0], &self.force[1]]) - conserved,
            rounding: rounding(self.stiffness_norm, problem.dofs.dimension, state, &self.force[1])
                + self.stage.rounding_of_joints(&state.q),
            ..StepTerms::default()
        };
        if problem.damping.is_some() {
            terms.work_damping = -mean([&self.damping[0], &self.damping[1]]);
        }
        let square: f64 = moved
            .iter()
            .zip(state.kq.iter().zip(&start.kq))
            .map(|(m, (k1, k0))| m * (k1 - k0))
            .sum();
        terms.dissipation_numerical = -(gamma - 0.5) * square;
        if self.alpha.alpha_m != 0.0 || self.alpha.alpha_f != 0.0 {
            let lag = |m: usize| mean([&start.memory[m], &state.memory[m]]);
            terms.dissipation_numerical += lag(MA) - lag(MC);
        }
        terms
    }

    /// −½h²(2β−γ)(½Δ(aᵀMa) + (γ−½)‖Δa‖²_M) = −½h²(2β−γ) Δa·M a_γ.
    fn work_of_store(&self, state: &State) -> f64 {
        let (excess, h) = (self.alpha.excess(), self.mass.problem.h);
        if excess == 0.0 {
            return 0.0;
        }
        let (before, after) = (&self.start.memory, &state.memory);
        let gamma = self.alpha.gamma;
        let sum: f64 = (0..state.q.len())
            .map(|i| {
                let mean = (1.0 - gamma) * before[MA][i] + gamma * after[MA][i];
                (after[A][i] - before[A][i]) * mean
            })
            .sum();
        -0.5 * h * h * excess * sum
    }
}
