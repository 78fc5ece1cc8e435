//! Strain and stress of the elements.

use super::Body;
use crate::element::strain_at_centre;
use crate::material::{Strained, von_mises};
use crate::mesh::ElementKind;

/// Strain, stress and von Mises stress of one element; components xx, yy, zz, xy, yz, xz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementStress {
    /// ε (tensor components: ε_xy = γ_xy/2).
    pub strain: [f64; 6],
    /// σ; of a bar σ n⊗n.
    pub stress: [f64; 6],
    /// Von Mises stress.
    pub von_mises: f64,
}

/// Of body element `e` under the displacements `q`, at its centre.
pub fn stress_of(body: &Body, e: usize, q: &[f64]) -> ElementStress {
    let (nodes, dimension, points) = (body.nodes_of(e), body.mesh.dimension, body.points_of(e));
    let mut local = [0.0; 3 * ElementKind::MOST_NODES];
    for (own, &node) in local.chunks_exact_mut(dimension).zip(nodes) {
        own.copy_from_slice(&q[dimension * node as usize..][..dimension]);
    }
    let (points, local) = (&points[..nodes.len()], &local[..dimension * nodes.len()]);
    let given = strain_at_centre(body.kind(e), points, dimension, local);
    let Strained { strain, stress } = body.material(e).strained(given);
    ElementStress { strain, stress, von_mises: von_mises(stress) }
}
