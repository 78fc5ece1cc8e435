//! External forces: patterns on the dofs, each with a time function.

use crate::mesh::Mesh;
use crate::time::TimeFunction;

/// One load: F(t) = f(t) · pattern.
#[derive(Clone, Debug)]
pub struct Load {
    /// Force on the dofs where f = 1, as (dof, force).
    pub pattern: Vec<(u32, f64)>,
    /// f.
    pub time: TimeFunction,
}

/// All loads, and the conservative part of them that counts as potential energy.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// What varies or counts as external work.
    pub external: Vec<Load>,
    /// Constant force with the potential −f·q, on every dof; empty where there is none.
    pub potential: Vec<f64>,
}

impl Loads {
    /// F_θ = θF(t₁) + (1−θ)F(t₀) of the external loads.
    pub fn force_into(&self, theta: f64, t0: f64, t1: f64, force: &mut [f64]) {
        force.fill(0.0);
        for load in &self.external {
            let scale = theta * load.time.value(t1) + (1.0 - theta) * load.time.value(t0);
            for &(dof, value) in &load.pattern {
                force[dof as usize] += scale * value;
            }
        }
    }

    /// Whether [`Loads::force_into`] would give the same force for both steps.
    pub fn same_force(&self, theta: f64, first: [f64; 2], second: [f64; 2]) -> bool {
        let scale = |load: &Load, [t0, t1]: [f64; 2]| {
            theta * load.time.value(t1) + (1.0 - theta) * load.time.value(t0)
        };
        self.external.iter().all(|load| scale(load, first) == scale(load, second))
    }
}

/// Nodal forces of a traction on the edges of a boundary: t ∫ N_a dl · traction, half of the edge's
/// each. `traction` is called with the unit normal of the edge, pointing out of the body.
pub fn edge_load(
    mesh: &Mesh,
    edges: &[OrientedEdge],
    traction: impl Fn([f64; 2]) -> [f64; 2],
) -> Vec<(u32, f64)> {
    let mut pattern = Vec::new();
    for edge in edges {
        let [a, b] = edge.nodes.map(|n| mesh.points[n as usize]);
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        let outward = [along[1] / length, -along[0] / length];
        let force = traction(outward).map(|t| 0.5 * t * length * edge.thickness);
        for node in edge.nodes {
            pattern.push((2 * node, force[0]));
            pattern.push((2 * node + 1, force[1]));
        }
    }
    pattern
}

/// An edge of the body, with the body on its left, and the thickness there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedEdge {
    /// Its nodes, in the direction that has the body on the left.
    pub nodes: [u32; 2],
    /// Thickness of the element it bounds.
    pub thickness: f64,
}
