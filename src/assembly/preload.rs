//! The static solve before the first step, and what floats in it.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::DofMap;
use crate::linalg::{BlockOperator, NoFactor, NodeGraph, factor};
use crate::mesh::Mesh;

/// A part of the body that the driven dofs leave free to move as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Floating {
    /// A node of that part.
    pub node: u32,
    /// How it can move.
    pub motion: String,
}

/// Displacements of K q = F with the driven dofs at `values` (one value per entry of `dofs.driven`)
/// and the forces `force` on all dofs, those at driven ones left to their reactions.
///
/// The mass of `stiffness` must be zero: the matrix factored is mass + stiffness.
pub fn static_solve(
    stiffness: &BlockOperator,
    dofs: &DofMap,
    values: &[f64],
    force: &[f64],
) -> Result<Vec<f64>, NoFactor> {
    let matrix = stiffness.upper_columns(&dofs.position, &dofs.order);
    let factor = factor(&matrix, dofs.order.len())?;
    let mut q = vec![0.0; stiffness.dofs()];
    for (driven, value) in dofs.driven.iter().zip(values) {
        q[driven.dof as usize] = *value;
    }
    let mut x: Vec<f64> = dofs.order.iter().map(|&dof| force[dof as usize]).collect();
    for &(at, dof, value) in &matrix.coupling {
        x[at as usize] -= value * q[dof as usize];
    }
    let mut scratch = factor.scratch();
    factor.forward(&mut x, &mut scratch);
    factor.backward(&mut x, &mut scratch);
    dofs.order.iter().zip(&x).for_each(|(&dof, value)| q[dof as usize] = *value);
    Ok(q)
}

impl Floating {
    /// Looks at every connected part of the body for a rigid motion that leaves all driven dofs of nodes, and those
    /// that springs pull to the ground, where they are.
    ///
    /// ```text
    ///     Σ over those dofs of r rᵀ,   r = (eᵢ, x × eᵢ) for the i-component at x
    /// ```
    ///
    /// has a null vector exactly when a rigid motion a + ω × x, r·(a, ω) at each dof, is not stopped.
    pub fn find(mesh: &Mesh, operator: &BlockOperator, dofs: &DofMap) -> Option<Self> {
        let part_of = connected_parts(operator.graph());
        let parts = part_of.iter().max().map_or(0, |&p| p as usize + 1);
        let motions = rigid_motions(dofs.dimension);
        let mut stopped = vec![DMatrix::zeros(motions.len(), motions.len()); parts];
        let (low, high) = mesh.bounding_box();
        let size = (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
        let driven = dofs.driven.iter().map(|driven| driven.dof as usize);
        let of_nodes = driven.filter(|&dof| dof < operator.node_dofs());
        for dof in of_nodes.chain(operator.anchored()) {
            let (node, i) = (dof / dofs.dimension, dof % dofs.dimension);
            let x: [f64; 3] = std::array::from_fn(|j| (mesh.points[node][j] - low[j]) / size);
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let mut all = [0.0; 6];
            all[i] = 1.0;
            all[3 + j] = x[k];
            all[3 + k] = -x[j];
            let r = DVector::from_iterator(motions.len(), motions.iter().map(|&m| all[m]));
            stopped[part_of[node] as usize] += &r * r.transpose();
        }
        let mut free = vec![false; parts];
        dofs.order.iter().filter(|&&dof| (dof as usize) < operator.node_dofs()).for_each(|&dof| {
            free[part_of[dof as usize / dofs.dimension] as usize] = true;
        });
        // What is stopped altogether, as a mass beside the body, cannot turn about itself either.
        for (part, matrix) in stopped.into_iter().enumerate().filter(|(part, _)| free[*part]) {
            let eigen = SymmetricEigen::new(matrix);
            let softest = eigen.eigenvalues.imin();
            if eigen.eigenvalues[softest] <= 1e-10 * eigen.eigenvalues.max().max(1e-300) {
                let node = part_of.iter().position(|&p| p as usize == part).unwrap_or(0);
                let largest = eigen.eigenvectors.column(softest).iamax();
                let motion = describe(motions[largest], dofs.dimension);
                return Some(Self { node: node as u32, motion });
            }
        }
        None
    }
}

/// Which of (a_x, a_y, a_z, ω_x, ω_y, ω_z) there are in a space of that dimension.
fn rigid_motions(dimension: usize) -> &'static [usize] {
    match dimension {
        1 => &[0],
        2 => &[0, 1, 5],
        _ => &[0, 1, 2, 3, 4, 5],
    }
}

fn describe(motion: usize, dimension: usize) -> String {
    let axis = ["x", "y", "z"][motion % 3];
    match motion {
        0..3 => format!("slide along {axis}"),
        _ if dimension == 2 => "turn".into(),
        _ => format!("turn about {axis}"),
    }
}

/// Number of the connected part of each node.
fn connected_parts(graph: &NodeGraph) -> Vec<u32> {
    let mut part_of = vec![u32::MAX; graph.nodes()];
    let mut parts = 0;
    let mut open = Vec::new();
    for seed in 0..graph.nodes() {
        if part_of[seed] != u32::MAX {
            continue;
        }
        part_of[seed] = parts;
        open.push(seed);
        while let Some(node) = open.pop() {
            for &next in graph.neighbours(node) {
                if part_of[next as usize] == u32::MAX {
                    part_of[next as usize] = parts;
                    open.push(next as usize);
                }
            }
        }
        parts += 1;
    }
    part_of
}
