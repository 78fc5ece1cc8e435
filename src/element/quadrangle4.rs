//! Q4: the four-node quadrangle, bilinear displacement.

use super::integrate::{Isoparametric, Lumping, ShapeValues};
use super::quadrature::SQUARE_3;

/// 2 × 2 Gauss points for both: the mass is exact on any quadrangle, and no strain is missed.
pub(super) const QUADRANGLE4: Isoparametric<2, 4> = Isoparametric {
    shape,
    stiffness_rule: &SQUARE_3,
    mass_rule: &SQUARE_3,
    centre: [0.0; 2],
    lumping: Lumping::RowSums,
};

/// Corners of the reference square, in the order of the nodes.
const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// ```text
///     N_a = ¼ (1 + ξ_a ξ)(1 + η_a η)
/// ```
pub(super) fn shape([x, y]: [f64; 2]) -> ShapeValues<2, 4> {
    ShapeValues {
        values: CORNERS.map(|[a, b]| 0.25 * (1.0 + a * x) * (1.0 + b * y)),
        slopes: CORNERS.map(|[a, b]| [0.25 * a * (1.0 + b * y), 0.25 * b * (1.0 + a * x)]),
    }
}
