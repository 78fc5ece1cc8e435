//! What impulses on contact dofs do to the velocities and displacements of all of them.

use std::sync::Arc;

use super::GeneralisedAlpha;
use crate::contact::Response;
use crate::linalg::BlockOperator;
use crate::step::Alpha;
use crate::step::contact_stage::StageResponses;
use crate::step::mass::Mass;
use crate::step::preparation::EffectiveMass;

/// With A = S⁻¹ K M⁻¹,
///
/// ```text
///     ∂v₁/∂(Hᵀp)         G = S⁻¹ + ½h²χ(2β − γ) A
///     ∂(q₁ − q₀)/∂(Hᵀp)  h((β/γ) G + (½ − β/γ) M⁻¹)
/// ```
pub(super) fn responses(
    mass: &mut EffectiveMass,
    inverse: Option<&mut Mass>,
    alpha: Alpha,
) -> StageResponses {
    let problem = Arc::clone(&mass.problem);
    let own = Response::trailing(&mass.factor, problem.dofs.dimension);
    let (Some(inverse), true) = (inverse, alpha.excess() != 0.0) else {
        return StageResponses::of(own, 0.5);
    };
    let transfer = transfer(mass, inverse, &problem.operator.scaled(0.0, 1.0));
    let weight = 0.5 * problem.h * problem.h * alpha.chi() * alpha.excess();
    let seen = own.combined(1.0, weight, &transfer);
    let share = alpha.beta / alpha.gamma;
    let rates = seen.clone().combined(share, 0.5 - share, &inverse.response());
    StageResponses { seen, rates: Some(rates), gain: 1.0 }
}

/// Where impulses are those of forces at the end of the step: (q₁ − q₀)/h answers by β S⁻¹.
pub(super) fn responses_of_forces(mass: &EffectiveMass, alpha: Alpha) -> StageResponses {
    let own = Response::trailing(&mass.factor, mass.problem.dofs.dimension);
    StageResponses::of(own.scaled(alpha.beta), 1.0)
}

/// S⁻¹ B M⁻¹ between contact dofs, column by column, with the sum of the two operators of `b`.
pub(super) fn transfer(
    mass: &mut EffectiveMass,
    inverse: &mut Mass,
    b: &BlockOperator,
) -> Response {
    let dofs = &mass.problem.dofs;
    let partition = mass.factor.trailing_partition();
    let (free, n) = (dofs.order.len(), dofs.position.len());
    let (mut a, mut ba, mut x) = (vec![0.0; n], vec![0.0; n], vec![0.0; free]);
    Response::from_columns(dofs.dimension, dofs.trailing, partition, |j, column| {
        inverse.solve_pushes(|forces| forces[dofs.trailing + j] = 1.0, &mut a);
        b.apply_sum_into(&a, &mut ba);
        x.iter_mut().zip(&dofs.order).for_each(|(x, &dof)| *x = ba[dof as usize]);
        mass.factor.forward(&mut x, &mut mass.scratch);
        mass.factor.backward_trailing(&mut x, &mut mass.scratch);
        column.copy_from_slice(&x[dofs.trailing..]);
    })
}

impl GeneralisedAlpha {
    /// Adds L₂₂⁻¹ of a share of Hᵀp + Jᵀλ to the swept right-hand side.
    pub(in crate::step) fn push_trailing(&mut self, share: f64) {
        let trailing = self.mass.factor.trailing();
        self.x[trailing..].fill(0.0);
        let x = &mut self.x;
        self.stage.push(|at, push| x[at as usize] += share * push);
        self.mass.factor.forward_trailing(&mut self.x, &mut self.mass.scratch);
        self.x[trailing..].iter_mut().zip(&self.y).for_each(|(x, y)| *x += y);
    }
}
