//! H8: the eight-node hexahedron, trilinear displacement.

use super::integrate::{Isoparametric, Lumping, ShapeValues};
use super::quadrature::CUBE_3;

/// 2 × 2 × 2 Gauss points for both: no strain is missed, the mass is exact on parallelepipeds and
/// its total on any hexahedron.
pub(super) const HEXAHEDRON8: Isoparametric<3, 8> = Isoparametric {
    shape,
    stiffness_rule: &CUBE_3,
    mass_rule: &CUBE_3,
    centre: [0.0; 3],
    lumping: Lumping::RowSums,
};

/// Corners of the reference cube, in the order of the nodes.
const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// ```text
///     N_a = ⅛ (1 + ξ_a ξ)(1 + η_a η)(1 + ζ_a ζ)
/// ```
pub(super) fn shape([x, y, z]: [f64; 3]) -> ShapeValues<3, 8> {
    let factors = |[a, b, c]: [f64; 3]| [1.0 + a * x, 1.0 + b * y, 1.0 + c * z];
    ShapeValues {
        values: CORNERS.map(|corner| 0.125 * factors(corner).iter().product::<f64>()),
        slopes: CORNERS.map(|corner| {
            let [fx, fy, fz] = factors(corner);
            let [a, b, c] = corner.map(|side| 0.125 * side);
            [a * fy * fz, b * fx * fz, c * fx * fy]
        }),
    }
}
