//! The four-node tetrahedron: linear displacement, constant strain.

use super::MassKind;
use super::integrate::{
    Mapped, ShapeValues, add_gradient_products, displacement_gradient, elasticity_from_products,
};
use crate::material::Material;

/// N = (1−ξ−η−ζ, ξ, η, ζ).
pub(super) fn shape([x, y, z]: [f64; 3]) -> ShapeValues<3, 4> {
    ShapeValues {
        values: [1.0 - x - y - z, x, y, z],
        slopes: [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    }
}

/// Volume and the constant gradients of the shape functions.
///
/// ```text
///     6V = (x₂−x₁)·((x₃−x₁)×(x₄−x₁))
/// ```
fn geometry(points: &[[f64; 3]]) -> (f64, [[f64; 3]; 4]) {
    let Mapped { gradients, jacobian, .. } = shape([0.25; 3]).mapped(points);
    (jacobian / 6.0, gradients)
}

/// ```text
///     K_e = ∫ Bᵀ D B dV = V Bᵀ D B
/// ```
pub(super) fn stiffness_into(points: &[[f64; 3]], material: &Material, out: &mut [f64]) {
    let (volume, gradients) = geometry(points);
    let out = &mut out[..144];
    out.fill(0.0);
    add_gradient_products(&gradients, volume * material.section.depth(), out);
    elasticity_from_products::<3, 4>(material.lame(), out);
}

/// ```text
///     m_ab = ∫ ρ N_a N_b dV = ρ V (1 + δ_ab)/20        lumped: ρV/4 each
/// ```
pub(super) fn mass_into(points: &[[f64; 3]], material: &Material, kind: MassKind, out: &mut [f64]) {
    let (volume, _) = geometry(points);
    let total = material.density * material.section.depth() * volume;
    let (own, other) = match kind {
        MassKind::Consistent => (total / 10.0, total / 20.0),
        MassKind::Lumped => (total / 4.0, 0.0),
    };
    for a in 0..4 {
        for b in 0..4 {
            out[4 * a + b] = if a == b { own } else { other };
        }
    }
}

/// ∂u_i/∂x_j.
pub(super) fn gradient(points: &[[f64; 3]], q: &[f64]) -> [[f64; 3]; 3] {
    displacement_gradient(&geometry(points).1, q)
}
