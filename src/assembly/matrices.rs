//! M, K and C of the body.

use std::sync::Arc;

use rayon::prelude::*;

use crate::element::Triangle3;
use crate::linalg::{BlockOperator, NodeGraph};
use crate::material::Material;
use crate::mesh::Mesh;

/// How mass is given to the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// ∫ρ N_a N_b.
    Consistent,
    /// Row sums on the diagonal.
    Lumped,
}

/// The elements that carry material.
#[derive(Clone, Debug)]
pub struct Body<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Elements of the body, ascending.
    pub elements: Vec<u32>,
    /// Material of each of those elements, as an index into `materials`.
    pub material_of: Vec<u16>,
    /// The materials.
    pub materials: Vec<Material>,
}

impl Body<'_> {
    /// Nodes of body element `e`.
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        self.mesh.nodes_of(self.elements[e] as usize)
    }

    /// Material of body element `e`.
    pub fn material(&self, e: usize) -> &Material {
        &self.materials[self.material_of[e] as usize]
    }

    /// Geometry of body element `e`.
    pub fn triangle(&self, e: usize) -> Triangle3 {
        let corner = |n: u32| {
            let [x, y, _] = self.mesh.points[n as usize];
            [x, y]
        };
        let nodes = self.nodes_of(e);
        Triangle3::new([corner(nodes[0]), corner(nodes[1]), corner(nodes[2])])
    }

    /// Which nodes share an element.
    pub fn graph(&self) -> NodeGraph {
        let elements = (0..self.elements.len()).map(|e| self.nodes_of(e));
        NodeGraph::new(self.mesh.points.len(), elements)
    }
}

struct ElementMatrices {
    mass: [f64; 9],
    stiffness: [f64; 36],
}

/// Elements whose matrices are computed in parallel before they are added, in order.
const BATCH: usize = 16_384;

/// M and K, and C = Σ αM + βK over the materials where any of them damps.
///
/// Element matrices are computed in parallel and added one after the other in the order of the
/// mesh: the sums have the same bits for any number of threads.
pub fn assemble(body: &Body, mass: MassKind) -> (BlockOperator, Option<BlockOperator>) {
    let graph = Arc::new(body.graph());
    let mut operator = BlockOperator::zero(graph.clone(), 2);
    let damps = |m: &Material| m.damping_mass != 0.0 || m.damping_stiffness != 0.0;
    let mut damping =
        body.materials.iter().any(damps).then(|| BlockOperator::zero(graph.clone(), 2));
    for first in (0..body.elements.len()).step_by(BATCH) {
        let batch = first..body.elements.len().min(first + BATCH);
        let matrices: Vec<ElementMatrices> =
            batch.clone().into_par_iter().map(|e| element_matrices(body, e, mass)).collect();
        for (e, matrices) in batch.zip(&matrices) {
            let nodes = body.nodes_of(e);
            operator.add_element(nodes, &matrices.mass, &matrices.stiffness);
            if let Some(damping) = &mut damping {
                let material = body.material(e);
                let mass = matrices.mass.map(|m| material.damping_mass * m);
                let stiffness = matrices.stiffness.map(|k| material.damping_stiffness * k);
                damping.add_element(nodes, &mass, &stiffness);
            }
        }
    }
    operator.balance_rows();
    if let Some(damping) = &mut damping {
        damping.balance_rows();
    }
    (operator, damping)
}

fn element_matrices(body: &Body, e: usize, mass: MassKind) -> ElementMatrices {
    let triangle = body.triangle(e);
    let material = body.material(e);
    let m = match mass {
        MassKind::Consistent => triangle.mass(material),
        MassKind::Lumped => triangle.lumped_mass(material),
    };
    let k = triangle.stiffness(material);
    ElementMatrices {
        mass: std::array::from_fn(|i| m[i / 3][i % 3]),
        stiffness: std::array::from_fn(|i| k[(i / 6, i % 6)]),
    }
}
