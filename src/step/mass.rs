//! The factor of M, for the schemes that need accelerations.

use std::sync::Arc;

use super::Problem;
use crate::contact::Response;
use crate::linalg::{Factor, NoFactor, Plan};

/// M = L Lᵀ on the free dofs.
pub(super) struct Mass {
    problem: Arc<Problem>,
    factor: Factor,
    scratch: Vec<f64>,
    x: Vec<f64>,
}

impl Mass {
    pub fn new(problem: &Arc<Problem>) -> Result<Self, NoFactor> {
        let dofs = &problem.dofs;
        let mut matrix =
            problem.operator.scaled(1.0, 0.0).upper_columns(&dofs.position, &dofs.order);
        matrix.drop_zeros();
        let factor = Plan::new(&matrix, dofs.trailing).factor(&matrix)?;
        let scratch = factor.scratch();
        Ok(Self { problem: Arc::clone(problem), factor, scratch, x: vec![0.0; dofs.order.len()] })
    }

    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// a = M⁻¹ f on the free dofs; driven ones are left as they are.
    pub fn solve_into(&mut self, f: &[f64], a: &mut [f64]) {
        let order = &self.problem.dofs.order;
        self.x.iter_mut().zip(order).for_each(|(x, &dof)| *x = f[dof as usize]);
        self.factor.forward(&mut self.x, &mut self.scratch);
        self.factor.backward(&mut self.x, &mut self.scratch);
        self.x.iter().zip(order).for_each(|(x, &dof)| a[dof as usize] = *x);
    }

    /// a = M⁻¹ f of forces on contact dofs, which `push` adds up by position.
    pub fn solve_pushes(&mut self, push: impl FnOnce(&mut [f64]), a: &mut [f64]) {
        self.x.fill(0.0);
        push(&mut self.x);
        self.factor.forward_trailing(&mut self.x, &mut self.scratch);
        self.factor.backward(&mut self.x, &mut self.scratch);
        let order = &self.problem.dofs.order;
        self.x.iter().zip(order).for_each(|(x, &dof)| a[dof as usize] = *x);
    }

    /// M⁻¹ between contact dofs.
    pub fn response(&self) -> Response {
        Response::trailing(&self.factor, self.problem.dofs.dimension)
    }

    pub fn bytes(&self) -> usize {
        self.factor.bytes()
    }
}
