//! Schatzman and Paoli's scheme, (39)–(40): contact and impact at the level of positions.
//!
//! The two-step scheme with
//!
//! ```text
//!     0 ≤ g((q₁ + e q₋₁)/(1+e)) ⟂ p_N ≥ 0                                                    (40)
//! ```
//!
//! (39a) leaves open where the internal forces F_{k+θ} are taken. Here they are the mean
//! βF₁ + (1−2β)F₀ + βF₋₁; β = ¼ is the trapezoidal rule, whose identity has no term beside works and
//! whose energy is ½vᵀMv + ½q̄ᵀKq̄.
//!
//! With e = 0, gaps that are linear and β ≥ ¼ no contact does positive work: where p_N > 0 the gap
//! closes, g(q₁) = 0, so that 2h u_N,m = g(q₁) − g(q₋₁) = −g(q₋₁) ≤ 0, at the first step too. With e > 0 an impact takes two
//! or three steps, of which single ones may give back what others took too much.

use super::State;
use super::preparation::EffectiveMass;
use super::two_step::TwoStep;
use crate::linalg::NoFactor;

/// The stepper.
pub(super) fn stepper(
    mass: EffectiveMass,
    state: &mut State,
    beta: f64,
) -> Result<TwoStep, NoFactor> {
    TwoStep::with(mass, state, beta, true)
}
