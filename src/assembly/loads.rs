//! External forces: patterns on the dofs, each with a time function.

use super::{DofMap, Feedback};
use crate::element::facet_points;
use crate::mesh::{ElementKind, Mesh};
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
    /// What looks at the state; its work counts as external too.
    pub feedback: Vec<Feedback>,
    /// Constant force with the potential −f·q, on every dof; empty where there is none.
    pub potential: Vec<f64>,
    /// Potential energy where q = 0.
    pub potential_at_rest: f64,
}

impl Loads {
    /// The conservative forces on these dofs; none where there are none at all.
    pub fn potential_on(&self, dofs: std::ops::Range<usize>) -> &[f64] {
        if self.potential.is_empty() { &[] } else { &self.potential[dofs] }
    }

    /// F_θ = θF(t₁) + (1−θ)F(t₀) of the external loads.
    pub fn force_into(&self, theta: f64, t0: f64, t1: f64, force: &mut [f64]) {
        force.fill(0.0);
        self.add_force(theta, [t0, t1], force);
    }

    /// Adds F_θ.
    fn add_force(&self, theta: f64, [t0, t1]: [f64; 2], force: &mut [f64]) {
        for load in &self.external {
            let scale = theta * load.time.value(t1) + (1.0 - theta) * load.time.value(t0);
            for &(dof, value) in &load.pattern {
                force[dof as usize] += scale * value;
            }
        }
    }

    /// All forces of a step: F_θ, that of the potential, and what feedback makes of the state (t, q, v) where it starts.
    pub fn step_force_into(
        &self,
        theta: f64,
        times: [f64; 2],
        (t, q, v): (f64, &[f64], &[f64]),
        dofs: &DofMap,
        force: &mut [f64],
    ) {
        force.fill(0.0);
        self.feedback.iter().for_each(|feedback| feedback.add(t, q, v, force));
        if !self.feedback.is_empty() {
            // Where the motion is prescribed its reaction takes what is pushed, to the last bit.
            dofs.driven.iter().for_each(|driven| force[driven.dof as usize] = 0.0);
        }
        self.add_force(theta, times, force);
        force.iter_mut().zip(&self.potential).for_each(|(f, p)| *f += p);
    }

    /// Whether [`Loads::step_force_into`] gives the same force for both steps.
    pub fn same_force(&self, theta: f64, first: [f64; 2], second: [f64; 2]) -> bool {
        let scale = |load: &Load, [t0, t1]: [f64; 2]| {
            theta * load.time.value(t1) + (1.0 - theta) * load.time.value(t0)
        };
        self.feedback.is_empty()
            && self.external.iter().all(|load| scale(load, first) == scale(load, second))
    }
}

/// A facet of the body, seen from outside, and the thickness there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// Its kind.
    pub kind: ElementKind,
    /// Its nodes, in the direction that has the body on the left (in the plane) or turns
    /// right-handed about the outward normal (in space); as many count as its kind has.
    nodes: [u32; Self::MOST_NODES],
    /// Thickness of the element it bounds; 1 in space.
    pub thickness: f64,
}

impl Facet {
    const MOST_NODES: usize = 6;

    /// A facet of a body element.
    pub fn new(kind: ElementKind, nodes: impl Iterator<Item = u32>, thickness: f64) -> Self {
        let mut facet = Self { kind, nodes: [u32::MAX; Self::MOST_NODES], thickness };
        facet.nodes.iter_mut().zip(nodes).for_each(|(own, node)| *own = node);
        facet
    }

    /// Its nodes.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.kind.nodes()]
    }
}

/// Nodal forces of a traction on facets of the boundary, as (dof, force). `traction` is called with
/// the unit normal that points out of the body.
///
/// ```text
///     f_a = ∫ N_a traction(n) t dA
/// ```
pub fn facet_load(
    mesh: &Mesh,
    facets: &[Facet],
    traction: impl Fn([f64; 3]) -> [f64; 3],
) -> Vec<(u32, f64)> {
    let dimension = mesh.dimension;
    let mut pattern = Vec::new();
    for facet in facets {
        let nodes = facet.nodes();
        let mut points = [[0.0; 3]; Facet::MOST_NODES];
        let mut forces = [[0.0; 3]; Facet::MOST_NODES];
        points.iter_mut().zip(nodes).for_each(|(x, &node)| *x = mesh.points[node as usize]);
        facet_points(facet.kind, &points[..nodes.len()], |shape, normal, area| {
            let t = traction(normal);
            for (force, n) in forces.iter_mut().zip(shape) {
                (0..3).for_each(|i| force[i] += n * t[i] * area * facet.thickness);
            }
        });
        for (&node, force) in nodes.iter().zip(&forces) {
            for i in 0..dimension {
                pattern.push((dimension as u32 * node + i as u32, force[i]));
            }
        }
    }
    pattern
}

/// Shares of the nodes of facets in their area times their thickness, as (node, share).
///
/// ```text
///     A_a = ∫ N_a t dA
/// ```
///
/// The corners of a triangle of six nodes have none by that; there the four triangles between its nodes are shared.
pub fn facet_areas(mesh: &Mesh, facets: &[Facet]) -> Vec<(u32, f64)> {
    let mut areas = Vec::new();
    for facet in facets {
        let pattern = facet_load(mesh, std::slice::from_ref(facet), |_| [1.0, 0.0, 0.0]);
        let shares = pattern.iter().step_by(mesh.dimension).map(|(_, share)| *share);
        let whole: f64 = shares.clone().sum();
        let nodes = facet.nodes().iter().copied();
        if facet.kind == ElementKind::Triangle6 {
            let parts = [1.0, 1.0, 1.0, 3.0, 3.0, 3.0].map(|part| part / 12.0 * whole);
            areas.extend(nodes.zip(parts));
        } else {
            areas.extend(nodes.zip(shares));
        }
    }
    areas
}
