//! The static solve before the first step, and what floats in it.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};

use super::DofMap;
use crate::linalg::{BlockOperator, NoFactor, NodeGraph, factor};
use crate::mesh::Mesh;

/// A part of the body that the held dofs leave free to move as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Floating {
    /// A node of that part.
    pub node: u32,
    /// How it can move.
    pub motion: String,
}

/// Displacements of K q = F with the driven dofs at `held` (one value per entry of `dofs.driven`)
/// and the forces `force` on all dofs, those at driven ones left to their reactions.
///
/// The mass of `stiffness` must be zero: the matrix factored is mass + stiffness.
pub fn static_solve(
    stiffness: &BlockOperator,
    dofs: &DofMap,
    held: &[f64],
    force: &[f64],
) -> Result<Vec<f64>, NoFactor> {
    let matrix = stiffness.upper_columns(&dofs.position, &dofs.order);
    let factor = factor(&matrix, dofs.order.len())?;
    let mut q = vec![0.0; stiffness.dofs()];
    for (driven, value) in dofs.driven.iter().zip(held) {
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
    /// Looks at every connected part of the body for a rigid motion that leaves all driven dofs
    /// where they are.
    ///
    /// ```text
    ///     Σ over driven dofs of r rᵀ,   r = (1, 0, −y) for x-dofs, (0, 1, x) for y-dofs
    /// ```
    ///
    /// has a null vector exactly when a rigid motion (a_x, a_y, ω) is not held.
    pub fn find(mesh: &Mesh, graph: &NodeGraph, dofs: &DofMap) -> Option<Self> {
        let part_of = connected_parts(graph);
        let parts = part_of.iter().max().map_or(0, |&p| p as usize + 1);
        let mut held = vec![Matrix3::zeros(); parts];
        let (low, high) = mesh.bounding_box();
        let size = (high[0] - low[0]).hypot(high[1] - low[1]);
        for driven in &dofs.driven {
            let (node, component) = (driven.dof as usize / 2, driven.dof % 2);
            let [x, y, _] = mesh.points[node];
            let [x, y] = [(x - low[0]) / size, (y - low[1]) / size];
            let r =
                if component == 0 { Vector3::new(1.0, 0.0, -y) } else { Vector3::new(0.0, 1.0, x) };
            held[part_of[node] as usize] += r * r.transpose();
        }
        for (part, matrix) in held.iter().enumerate() {
            let eigen = SymmetricEigen::new(*matrix);
            let softest = eigen.eigenvalues.imin();
            if eigen.eigenvalues[softest] <= 1e-10 * eigen.eigenvalues.max().max(1e-300) {
                let node = part_of.iter().position(|&p| p as usize == part).unwrap_or(0);
                let motion = describe(eigen.eigenvectors.column(softest).into_owned());
                return Some(Self { node: node as u32, motion });
            }
        }
        None
    }
}

fn describe(mode: Vector3<f64>) -> String {
    match mode.iamax() {
        0 => "slide along x".into(),
        1 => "slide along y".into(),
        _ => "turn".into(),
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
