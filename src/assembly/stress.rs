//! Strain and stress of the elements.

use nalgebra::SMatrix;

use super::Body;
use crate::material::von_mises;

/// Strain, stress and von Mises stress of one element; components xx, yy, zz, xy, yz, xz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementStress {
    /// ε (tensor components: ε_xy = γ_xy/2).
    pub strain: [f64; 6],
    /// σ.
    pub stress: [f64; 6],
    /// Von Mises stress.
    pub von_mises: f64,
}

/// Of body element `e` under the displacements `q`.
pub fn stress_of(body: &Body, e: usize, q: &[f64]) -> ElementStress {
    let nodes = body.nodes_of(e);
    let local = SMatrix::<f64, 6, 1>::from_fn(|i, _| q[2 * nodes[i / 2] as usize + i % 2]);
    let material = body.material(e);
    let strain = body.triangle(e).strain(&local);
    let s = material.stiffness() * strain;
    let stress = [s[0], s[1], material.stress_zz(s), s[2], 0.0, 0.0];
    ElementStress {
        strain: [strain[0], strain[1], material.strain_zz(s), 0.5 * strain[2], 0.0, 0.0],
        stress,
        von_mises: von_mises(stress),
    }
}
