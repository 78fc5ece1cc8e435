//! One step of iterative refinement, for where the balance of a step asks for it.

use std::sync::Arc;

use super::{GeneralisedAlpha, Rule};
use crate::step::{Alpha, State};

impl GeneralisedAlpha {
    /// What x leaves of M times (2): S δ = (β/γ)(M(v₀ − v₁) + h M a_γ + Hᵀp + Jᵀλ), solved and added to it.
    pub(super) fn refine_solve(&mut self, state: &State) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let Alpha { beta, gamma, .. } = self.alpha;
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let i = dof as usize;
            let ma = (1.0 - gamma) * start.memory.ma[i] + gamma * state.memory.ma[i];
            *x = beta / gamma * (start.mv[i] - state.mv[i] + problem.h * ma);
        }
        if !matches!(self.rule, Rule::Forces(_)) {
            let x = &mut self.x;
            self.stage.push(|at, push| x[at as usize] += beta / gamma * push);
        }
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in problem.dofs.order.iter().zip(&self.x) {
            self.rate[dof as usize] += *x;
        }
    }
}
