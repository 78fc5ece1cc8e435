//! Stage 6 of a step: what it did to the energies, term by term of (65).

use super::MoreauJean;
use crate::contact::{Status, norm};
use crate::energy::{ContactWork, StepTerms};
use crate::linalg::dot;
use crate::step::State;

impl MoreauJean<'_> {
    /// Stage 6: the terms of the energy identity (65).
    pub fn ledger(&mut self, state: &State) -> StepTerms {
        self.work_of_contacts();
        let (problem, start) = (self.problem, &self.start);
        let (h, theta) = (problem.h, problem.theta);
        let potential = &problem.loads.potential;
        let conserved = if potential.is_empty() { 0.0 } else { dot(&self.v_theta, potential) };
        let mut terms = StepTerms {
            kinetic: 0.5 * dot(&state.v, &state.mv),
            strain: 0.5 * dot(&state.q, &state.kq),
            potential: if potential.is_empty() { 0.0 } else { -dot(&state.q, potential) },
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
        terms.work_external += self.work_of_driven(state) + self.contact.obstacle_work;
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
        let turned = self.stiffness_norm * spread(&state.q, self.problem.dofs.dimension)
            / (state.q.len() as f64).sqrt();
        let travelled = norm(&state.q) * (norm(&state.kq) + norm(&self.force));
        f64::EPSILON * (4.0 * turned + travelled)
    }

    /// u_θ·p of every active contact, split into normal and tangential, and w_θ·p of the obstacles.
    fn work_of_contacts(&mut self) {
        let problem = self.problem;
        self.contact.work.clear();
        self.contact.obstacle_work = 0.0;
        self.contact.status.fill(Status::Open);
        let components = self.delassus.components();
        for at in 0..self.contact.active.len() {
            let c = self.contact.active[at] as usize;
            let candidate = &problem.contacts.candidates[c];
            let set = problem.contacts.set_of(c);
            let (frame, p) = (&self.contact.frame[c], self.contact.impulse[c]);
            let carried = self.meetings[c].carried;
            let v = problem.at_node(candidate.node, &self.v_theta);
            let u = frame.to_frame([0, 1, 2].map(|i| v[i] - carried[i]));
            let w = frame.to_frame(carried);
            self.contact.obstacle_work += w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
            let tangential = u[1] * p[1] + u[2] * p[2];
            self.contact.work.push(ContactWork { normal: u[0] * p[0], tangential });
            let b = &self.cone.b[components * at..][..components];
            let noise = 1e-9 * b.iter().fold(0.0, |m, b| f64::max(m, b.abs()));
            let sliding = self.seen_sliding(c, u);
            self.contact.status[c] = Status::of(p, set.friction, sliding, noise);
        }
    }

    /// ‖û_T‖ of a candidate whose mean velocity is `u_theta`.
    fn seen_sliding(&self, c: usize, u_theta: [f64; 3]) -> f64 {
        let (theta, u_start) = (self.problem.theta, self.meetings[c].u_start);
        let e_t = self.problem.contacts.set_of(c).restitution.tangential;
        let seen = |i: usize| (u_theta[i] - (1.0 - theta) * u_start[i]) / theta + e_t * u_start[i];
        norm(&[seen(1), seen(2)])
    }

    /// Work of the reactions at driven dofs, h v_θ·R with
    ///
    /// ```text
    ///     h R = M(v_{k+1} − v_k) + hK q_θ + hC v_θ − hF_θ − Hᵀp      at driven dofs
    /// ```
    fn work_of_driven(&self, state: &State) -> f64 {
        let (problem, start) = (self.problem, &self.start);
        if !problem.dofs.moves() {
            return 0.0;
        }
        let (h, theta, dimension) = (problem.h, problem.theta, problem.dofs.dimension);
        let mut work = 0.0;
        for driven in &problem.dofs.driven {
            let i = driven.dof as usize;
            let elastic = theta * state.kq[i] + (1.0 - theta) * start.kq[i];
            let damping: f64 = self.damping_force.iter().filter_map(|f| f.get(i)).sum();
            let inertia = state.mv[i] - start.mv[i];
            work += self.v_theta[i] * (inertia + h * (elastic + damping - self.force[i]));
        }
        for &c in &self.contact.active {
            let c = c as usize;
            let push = self.contact.frame[c].to_space(self.contact.impulse[c]);
            let dof = dimension * problem.contacts.candidates[c].node as usize;
            for i in (0..dimension).filter(|&i| self.positions[c][i].is_none()) {
                work -= self.v_theta[dof + i] * push[i];
            }
        }
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
