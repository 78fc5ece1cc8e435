//! T6: the six-node triangle, quadratic displacement.

use super::integrate::{Isoparametric, Lumping, ShapeValues};
use super::quadrature::{TRIANGLE_2, TRIANGLE_4};

/// Three points integrate BᵀDB exactly on straight sides (degree 2), six the mass (degree 4).
pub(super) const TRIANGLE6: Isoparametric<2, 6> = Isoparametric {
    shape,
    stiffness_rule: &TRIANGLE_2,
    mass_rule: &TRIANGLE_4,
    centre: [1.0 / 3.0; 2],
    lumping: Lumping::ScaledDiagonal,
};

/// With barycentric coordinates l = (1−ξ−η, ξ, η) and the mid-nodes of (0,1), (1,2), (2,0):
///
/// ```text
///     N_a = l_a (2 l_a − 1)      N_ab = 4 l_a l_b
/// ```
pub(super) fn shape([x, y]: [f64; 2]) -> ShapeValues<2, 6> {
    const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
    const SLOPES: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
    let l = [1.0 - x - y, x, y];
    ShapeValues {
        values: std::array::from_fn(|n| {
            if n < 3 {
                l[n] * (2.0 * l[n] - 1.0)
            } else {
                let [a, b] = EDGES[n - 3];
                4.0 * l[a] * l[b]
            }
        }),
        slopes: std::array::from_fn(|n| {
            if n < 3 {
                SLOPES[n].map(|s| (4.0 * l[n] - 1.0) * s)
            } else {
                let [a, b] = EDGES[n - 3];
                [0, 1].map(|i| 4.0 * (l[a] * SLOPES[b][i] + l[b] * SLOPES[a][i]))
            }
        }),
    }
}
