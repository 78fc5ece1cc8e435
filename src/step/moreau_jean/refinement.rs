//! One step of iterative refinement, for where the balance of a step asks for it.

use std::sync::Arc;

use super::MoreauJean;
use crate::step::State;

impl MoreauJean {
    /// Solves for what v_θ leaves of (97) and adds it; `advance` and `ledger` must follow. The products are those that `state` has, after
    /// both, from the v_θ to be refined:
    ///
    /// ```text
    ///     M̂ δ = θ (Hᵀp + hF_θ − hC v_θ − hK q_θ − M(v_{k+1} − v_k))
    /// ```
    pub(super) fn refine_solve(&mut self, state: &State) {
        let (problem, start) = (Arc::clone(&self.mass.problem), &self.start);
        let (h, theta) = (problem.h, self.theta);
        for (at, &dof) in problem.dofs.order.iter().enumerate() {
            let i = dof as usize;
            let elastic = theta * self.elastic_before(state, i) + (1.0 - theta) * start.kq[i];
            let damping: f64 = self.damping_force.iter().filter_map(|f| f.get(i)).sum();
            let inertia = state.mv[i] - start.mv[i];
            self.x[at] = theta * (h * (self.force[i] - damping - elastic) - inertia);
        }
        let x = &mut self.x;
        self.stage.push(|at, push| x[at as usize] += theta * push);
        problem.for_each_absent(start.step, |dof| {
            problem.dofs.position_of(dof).into_iter().for_each(|at| self.x[at as usize] = 0.0);
        });
        self.mass.factor.forward(&mut self.x, &mut self.mass.scratch);
        self.mass.factor.backward(&mut self.x, &mut self.mass.scratch);
        for (&dof, x) in problem.dofs.order.iter().zip(&self.x) {
            self.v_theta[dof as usize] += *x;
        }
    }

    /// Adds `error` to every free component of v_θ, as a bad solve would.
    #[cfg(test)]
    pub(crate) fn spoil(&mut self, error: f64) {
        for &dof in &self.mass.problem.dofs.order {
            self.v_theta[dof as usize] += error;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::assembly::{DofMap, Loads};
    use crate::contact::solver::{Method, Target};
    use crate::contact::{Activation, Contacts};
    use crate::energy::{Ledger, StepTerms, Term};
    use crate::linalg::{BlockOperator, NodeGraph};
    use crate::step::{Problem, Scheme, Stepper};

    /// Twenty springs in a row, free at both ends.
    fn chain() -> Arc<Problem> {
        let elements: Vec<[u32; 2]> = (0..20).map(|e| [e, e + 1]).collect();
        let graph = Arc::new(NodeGraph::new(21, elements.iter().map(|e| &e[..])));
        let mut operator = BlockOperator::zero(graph, 1);
        for nodes in &elements {
            operator.add_element(nodes, &[2.0, 1.0, 1.0, 2.0], &[9.0, -9.0, -9.0, 9.0]);
        }
        let dofs = DofMap::new(operator.graph(), 1, &[false; 21], Vec::new(), Vec::new());
        Arc::new(Problem {
            operator,
            damping: None,
            dofs,
            loads: Loads::default(),
            contacts: Contacts::default(),
            rigid: Vec::new(),
            presences: Vec::new(),
            activation: Activation::closed(0.0),
            scheme: Scheme::moreau_jean(0.6),
            h: 0.5,
        })
    }

    /// One step of a struck chain whose solve is off by `error`; with the residual of its balance.
    fn step(problem: &Arc<Problem>, error: f64, refine: bool) -> (Vec<f64>, f64) {
        let mut v = vec![0.0; 21];
        v[7] = 1.0;
        let mut state = State::new(&problem.operator, vec![0.0; 21], v, &problem.contacts);
        let kinetic: f64 = 0.5 * crate::linalg::dot(&state.v, &state.mv);
        let start = StepTerms::of([(Term::Kinetic, kinetic)]);
        let mut stepper = MoreauJean::new(problem, &state).unwrap();
        stepper.rhs(&mut state);
        stepper.forward();
        let report = stepper.contact(Method::Auto.solver(2, 0).as_mut(), Target::new(1e-10, 1));
        assert_eq!(report.iterations, 0);
        stepper.backward();
        stepper.spoil(error);
        stepper.advance(&mut state);
        let mut terms = stepper.ledger(&state);
        if refine {
            stepper.refine_solve(&state);
            stepper.advance(&mut state);
            terms = stepper.ledger(&state);
        }
        (state.q, Ledger::new(start, 0).residual_of(&terms, &[]).abs())
    }

    /// The balance sees a solve that is off by 1e-6, and one refinement leaves rounding.
    #[test]
    fn a_spoiled_solve_shows_in_the_balance_and_one_refinement_mends_it() {
        let problem = chain();
        let (exact, closed) = step(&problem, 0.0, false);
        let (_, open) = step(&problem, 1e-6, false);
        let (mended, again) = step(&problem, 1e-6, true);
        assert!(closed < 1e-15 && again < 1e-15, "{closed:e} {again:e}");
        assert!(open > 1e-7, "{open:e}");
        let apart = exact.iter().zip(&mended).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-15, "{apart:e}");
    }
}
