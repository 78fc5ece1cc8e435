//! Central differences with gaps closed at the end of the step, and no impact law.
//!
//! The two-step scheme with β = 0: S = M + ½hC, which is diagonal where the mass is lumped, and
//! 0 ≤ g(q₁) ⟂ p_N ≥ 0. Its energy,
//!
//! ```text
//!     ½v₊ᵀ(M − ¼h²K)v₊ + ½q̄ᵀKq̄,
//! ```
//!
//! is one only where h ≤ 2/ω, with ω the largest frequency of K φ = ω²M φ; beyond, steps explode.

use std::sync::Arc;

use super::mass::Mass;
use super::preparation::EffectiveMass;
use super::two_step::TwoStep;
use super::{Problem, State};
use crate::linalg::{NoFactor, dot};

/// Most iterations for ω, and the change of ω² from one to the next that ends them.
const ITERATIONS: usize = 5000;
const SETTLED: f64 = 1e-9;

/// The stepper.
pub(super) fn stepper(mass: EffectiveMass, state: &mut State) -> Result<TwoStep, NoFactor> {
    TwoStep::with(mass, state, 0.0, false)
}

/// 2/ω by power iteration on M⁻¹K, from a vector that no mode is at right angles to by chance. The
/// Rayleigh quotient comes from below: the limit is met to about 1e-3, from above.
pub fn largest_stable_step(problem: &Arc<Problem>) -> Result<f64, NoFactor> {
    let mut inverse = Mass::new(problem)?;
    let n = problem.operator.dofs();
    let (mut x, mut kx, mut mx) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for (at, &dof) in problem.dofs.order.iter().enumerate() {
        let sign = if at % 2 == 0 { 1.0 } else { -1.0 };
        x[dof as usize] = sign * (1.0 + (1.7 * at as f64).sin() / 3.0);
    }
    let mut square = 0.0;
    for _ in 0..ITERATIONS {
        problem.operator.apply_into(&x, &x, &mut mx, &mut kx);
        let found = dot(&x, &kx) / dot(&x, &mx);
        let settled = (found - square).abs() <= SETTLED * found;
        square = found;
        if settled {
            break;
        }
        inverse.solve_into(&kx, &mut x);
        let size = dot(&x, &x).sqrt();
        x.iter_mut().for_each(|x| *x /= size);
    }
    Ok(if square > 0.0 { 2.0 / square.sqrt() } else { f64::INFINITY })
}
