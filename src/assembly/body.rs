//! The body: the elements that carry material, and the facets that bound it.

use std::collections::HashMap;

use super::{Facet, Spring};
use crate::linalg::NodeGraph;
use crate::material::Material;
use crate::mesh::{ElementKind, Mesh};

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

/// An element that was to be a facet of the outer boundary, and is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotOuter {
    /// The element.
    pub element: u32,
    /// Number of body elements that it bounds: 1 would be right.
    pub bounds: usize,
}

/// Corner nodes of a facet, ascending, filled up with `u32::MAX`.
type Corners = [u32; 4];

impl Body<'_> {
    /// Nodes of body element `e`.
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        self.mesh.nodes_of(self.elements[e] as usize)
    }

    /// Kind of body element `e`.
    pub fn kind(&self, e: usize) -> ElementKind {
        self.mesh.kinds[self.elements[e] as usize]
    }

    /// Material of body element `e`.
    pub fn material(&self, e: usize) -> &Material {
        &self.materials[self.material_of[e] as usize]
    }

    /// Coordinates of the nodes of body element `e`; as many count as it has nodes.
    pub fn points_of(&self, e: usize) -> [[f64; 3]; ElementKind::MOST_NODES] {
        let mut points = [[0.0; 3]; ElementKind::MOST_NODES];
        for (point, &node) in points.iter_mut().zip(self.nodes_of(e)) {
            *point = self.mesh.points[node as usize];
        }
        points
    }

    /// Which nodes share an element or a spring.
    pub fn graph(&self, springs: &[Spring]) -> NodeGraph {
        let elements = (0..self.elements.len()).map(|e| self.nodes_of(e));
        let elements = elements.chain(springs.iter().map(|spring| &spring.nodes[..]));
        NodeGraph::new(self.mesh.points.len(), elements)
    }

    /// The facets of body elements that these elements of the mesh are, in their order, each with the
    /// body behind it.
    ///
    /// A facet is known by its corners; its other nodes and its direction are those of the body
    /// element that it bounds. The ends of a bar are no facets: a force, not a traction, acts there.
    pub fn facets_of(&self, elements: &[u32]) -> Result<Vec<Facet>, NotOuter> {
        let corners_of = |element: u32| {
            let kind = self.mesh.kinds[element as usize];
            (kind.dimension() + 1 == self.mesh.dimension).then(|| {
                let nodes = self.mesh.nodes_of(element as usize);
                ascending(nodes[..kind.corners()].iter().copied())
            })
        };
        let mut found: HashMap<Corners, (usize, Option<Facet>)> =
            elements.iter().filter_map(|&e| corners_of(e)).map(|key| (key, (0, None))).collect();
        for e in 0..self.elements.len() {
            let nodes = self.nodes_of(e);
            for face in self.kind(e).faces().iter().filter(|face| face.kind.dimension() > 0) {
                let corners = &face.nodes[..face.kind.corners()];
                let key = ascending(corners.iter().map(|&a| nodes[a]));
                if let Some((bounds, facet)) = found.get_mut(&key) {
                    let thickness = self.material(e).section.depth();
                    *bounds += 1;
                    *facet = Some(Facet::new(
                        face.kind,
                        face.nodes.iter().map(|&a| nodes[a]),
                        thickness,
                    ));
                }
            }
        }
        let facet_of = |&element: &u32| match corners_of(element).map(|key| &found[&key]) {
            Some((1, Some(facet))) => Ok(*facet),
            Some((bounds, _)) => Err(NotOuter { element, bounds: *bounds }),
            None => Err(NotOuter { element, bounds: 0 }),
        };
        elements.iter().map(facet_of).collect()
    }
}

fn ascending(nodes: impl Iterator<Item = u32>) -> Corners {
    let mut corners = [u32::MAX; 4];
    corners.iter_mut().zip(nodes).for_each(|(corner, node)| *corner = node);
    corners.sort_unstable();
    corners
}
