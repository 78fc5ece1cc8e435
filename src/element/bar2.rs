//! The two-node bar in one, two or three dimensions: axial stiffness only.

use super::integrate::Lumping;
use super::{MassKind, Sample};
use crate::material::Material;

/// Length and unit direction, from the first node to the second.
pub(super) fn axis(points: &[[f64; 3]]) -> (f64, [f64; 3]) {
    let along: [f64; 3] = std::array::from_fn(|i| points[1][i] - points[0][i]);
    let length = along.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length, along.map(|x| x / length))
}

/// ```text
///     K = EA/L [n nᵀ  −n nᵀ; −n nᵀ  n nᵀ]
/// ```
pub(super) fn stiffness_into(
    points: &[[f64; 3]],
    dimension: usize,
    material: &Material,
    out: &mut [f64],
) {
    let (length, n) = axis(points);
    let spring = material.young * material.section.depth() / length;
    for a in 0..2 {
        for b in 0..2 {
            let signed = if a == b { spring } else { -spring };
            for i in 0..dimension {
                for j in 0..dimension {
                    let at = (a * dimension + i) * 2 * dimension + b * dimension + j;
                    out[at] = signed * n[i] * n[j];
                }
            }
        }
    }
}

/// ρAL/6 [2 1; 1 2] in every component: a bar that turns or swings has mass, too.
pub(super) fn mass_into(points: &[[f64; 3]], material: &Material, kind: MassKind, out: &mut [f64]) {
    let (length, _) = axis(points);
    let m = material.density * material.section.depth() * length / 6.0;
    out[..4].copy_from_slice(&[2.0 * m, m, m, 2.0 * m]);
    match kind {
        MassKind::Consistent => {}
        MassKind::Lumped => Lumping::RowSums.apply::<2>(&mut out[..4]),
    }
}

/// ε n⊗n as (xx, yy, zz, xy, yz, xz) with engineering shears.
///
/// ```text
///     ε = n·(q₂ − q₁)/L
/// ```
pub(super) fn strain(points: &[[f64; 3]], dimension: usize, q: &[f64]) -> [f64; 6] {
    let (length, n) = axis(points);
    let stretch: f64 = (0..dimension).map(|i| n[i] * (q[dimension + i] - q[i])).sum();
    let axial = stretch / length;
    let [x, y, z] = n;
    [x * x, y * y, z * z, 2.0 * x * y, 2.0 * y * z, 2.0 * x * z].map(|nn| axial * nn)
}

/// N = (½(1−ξ), ½(1+ξ)), with slopes along the bar only.
pub(super) fn sample(points: &[[f64; 3]], x: f64) -> Sample {
    let (length, n) = axis(points);
    let mut sample = Sample { jacobian: 0.5 * length, ..Sample::default() };
    sample.shape[..2].copy_from_slice(&[0.5 * (1.0 - x), 0.5 * (1.0 + x)]);
    sample.gradients[..2].copy_from_slice(&[n.map(|n| -n / length), n.map(|n| n / length)]);
    sample
}
