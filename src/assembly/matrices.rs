//! M, K and C of the body.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Body, Parts};
use crate::element::{MassKind, mass_into, stiffness_into};
use crate::linalg::BlockOperator;
use crate::material::Material;

/// Elements whose matrices are computed in parallel before they are added, in order: at most 33 MB of
/// ten-node tetrahedra.
const BATCH: usize = 4096;

/// M and K, and C = Σ αM + βK over the materials where any of them damps.
///
/// Element matrices are computed in parallel and added one after the other in the order of the
/// mesh: the sums have the same bits for any number of threads.
pub fn assemble(body: &Body, mass: MassKind) -> (BlockOperator, Option<BlockOperator>) {
    assemble_with(body, mass, &Parts::default())
}

/// The same, with masses and springs beside the elements.
pub fn assemble_with(
    body: &Body,
    mass: MassKind,
    parts: &Parts,
) -> (BlockOperator, Option<BlockOperator>) {
    let graph = Arc::new(body.graph(&parts.springs));
    let dimension = body.mesh.dimension;
    let mut operator = BlockOperator::zero(graph.clone(), dimension);
    let damps = |m: &Material| m.damping_mass != 0.0 || m.damping_stiffness != 0.0;
    let damped = parts.damp() || body.materials.iter().any(damps);
    let mut damping = damped.then(|| BlockOperator::zero(graph.clone(), dimension));
    let mut buffer = Vec::new();
    for first in (0..body.elements.len()).step_by(BATCH) {
        let batch = first..body.elements.len().min(first + BATCH);
        let mut matrices = element_matrices(body, batch.clone(), mass, &mut buffer);
        for (e, ElementMatrices { mass, stiffness }) in batch.zip(&mut matrices) {
            let nodes = body.nodes_of(e);
            operator.add_element(nodes, mass, stiffness);
            if let Some(damping) = &mut damping {
                let material = body.material(e);
                mass.iter_mut().for_each(|m| *m *= material.damping_mass);
                stiffness.iter_mut().for_each(|k| *k *= material.damping_stiffness);
                damping.add_element(nodes, mass, stiffness);
            }
        }
    }
    parts.add_to(&mut operator, damping.as_mut());
    operator.balance_rows();
    if let Some(damping) = &mut damping {
        damping.balance_rows();
    }
    (operator, damping)
}

/// Matrices of one element, in the buffer of its batch.
struct ElementMatrices<'b> {
    mass: &'b mut [f64],
    stiffness: &'b mut [f64],
}

/// Computes the matrices of a batch, one after the other in `buffer`.
fn element_matrices<'b>(
    body: &Body,
    batch: Range<usize>,
    mass: MassKind,
    buffer: &'b mut Vec<f64>,
) -> Vec<ElementMatrices<'b>> {
    let dimension = body.mesh.dimension;
    let sizes = |e: usize| {
        let n = body.nodes_of(e).len();
        [n * n, n * dimension * n * dimension]
    };
    buffer.resize(batch.clone().flat_map(sizes).sum(), 0.0);
    let mut rest = buffer.as_mut_slice();
    let mut matrices = Vec::with_capacity(batch.len());
    for [mass, stiffness] in batch.clone().map(sizes) {
        let (head, tail) = std::mem::take(&mut rest).split_at_mut(mass + stiffness);
        let (mass, stiffness) = head.split_at_mut(mass);
        matrices.push(ElementMatrices { mass, stiffness });
        rest = tail;
    }
    matrices.par_iter_mut().zip(batch).for_each(|(out, e)| {
        let (kind, points, material) = (body.kind(e), body.points_of(e), body.material(e));
        let points = &points[..kind.nodes()];
        mass_into(kind, points, material, mass, out.mass);
        stiffness_into(kind, points, dimension, material, out.stiffness);
    });
    matrices
}
