//! The ten-node tetrahedron, quadratic displacement.

use super::integrate::{Isoparametric, Lumping, ShapeValues};
use super::quadrature::{TETRAHEDRON_2, TETRAHEDRON_5};

/// Four points integrate BᵀDB exactly on straight sides (degree 2), fourteen the mass (degree 4).
///
/// Where sides are curved, ∇N det J has degree 3, and four points leave a linear field with forces that
/// vanish only with the curvature.
pub(super) const TETRAHEDRON10: Isoparametric<3, 10> = Isoparametric {
    shape,
    stiffness_rule: &TETRAHEDRON_2,
    mass_rule: &TETRAHEDRON_5,
    centre: [0.25; 3],
    lumping: Lumping::ScaledDiagonal,
};

/// The corners that each mid-node lies between.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// With barycentric coordinates l = (1−ξ−η−ζ, ξ, η, ζ):
///
/// ```text
///     N_a = l_a (2 l_a − 1)      N_ab = 4 l_a l_b
/// ```
pub(super) fn shape([x, y, z]: [f64; 3]) -> ShapeValues<3, 10> {
    const SLOPES: [[f64; 3]; 4] =
        [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let l = [1.0 - x - y - z, x, y, z];
    ShapeValues {
        values: std::array::from_fn(|n| {
            if n < 4 {
                l[n] * (2.0 * l[n] - 1.0)
            } else {
                let [a, b] = EDGES[n - 4];
                4.0 * l[a] * l[b]
            }
        }),
        slopes: std::array::from_fn(|n| {
            if n < 4 {
                SLOPES[n].map(|s| (4.0 * l[n] - 1.0) * s)
            } else {
                let [a, b] = EDGES[n - 4];
                [0, 1, 2].map(|i| 4.0 * (l[a] * SLOPES[b][i] + l[b] * SLOPES[a][i]))
            }
        }),
    }
}
