//! What rounding can make of the balance of a step.

use super::State;
use crate::linalg::dot;

/// n independent errors of K q where a body turns far, and those of q·Kq and q·F where it has
/// travelled far,
///
/// ```text
///     ε (4 ‖K‖‖q − q̄‖²/√n + ‖q‖(‖Kq‖ + ‖F‖))
/// ```
///
/// with four times the standard deviation of the first, since thousands of steps meet its tail.
pub(super) fn rounding(stiffness_norm: f64, dimension: usize, state: &State, force: &[f64]) -> f64 {
    let norm = |x: &[f64]| dot(x, x).sqrt();
    let turned = stiffness_norm * spread(&state.q, dimension) / (state.q.len() as f64).sqrt();
    let travelled = norm(&state.q) * (norm(&state.kq) + norm(force));
    f64::EPSILON * (4.0 * turned + travelled)
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
