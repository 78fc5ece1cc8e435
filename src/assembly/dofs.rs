//! Degrees of freedom: which are driven, and the elimination order of the others.

use crate::linalg::{NodeGraph, contact_last};
use crate::time::Motion;

/// One driven dof.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// The dof.
    pub dof: u32,
    /// How it moves, as an index into [`DofMap::motions`].
    pub motion: usize,
}

/// All dofs: node by node, dof = dimension · node + component, and then those of rotations.
#[derive(Clone, Debug)]
pub struct DofMap {
    /// Displacement components per node.
    pub dimension: usize,
    /// Position of each dof in the elimination order; `u32::MAX` for a driven one.
    pub position: Vec<u32>,
    /// Dof at each position.
    pub order: Vec<u32>,
    /// First position of the contact dofs, which come last.
    pub trailing: usize,
    /// The driven dofs, ascending.
    pub driven: Vec<Driven>,
    /// The motions they follow.
    pub motions: Vec<Motion>,
}

impl DofMap {
    /// Orders the dofs that are not driven, those of `last` nodes at the end.
    pub fn new(
        graph: &NodeGraph,
        dimension: usize,
        last: &[bool],
        motions: Vec<Motion>,
        driven: Vec<Driven>,
    ) -> Self {
        Self::with_rotations(graph, (dimension, 0), last, motions, driven)
    }

    /// The same with so many dofs of rotations, which come last of all.
    pub fn with_rotations(
        graph: &NodeGraph,
        (dimension, rotations): (usize, usize),
        last: &[bool],
        motions: Vec<Motion>,
        driven: Vec<Driven>,
    ) -> Self {
        let of_nodes = dimension * graph.nodes();
        let mut position = vec![0u32; of_nodes + rotations];
        driven.iter().for_each(|d| position[d.dof as usize] = u32::MAX);
        let mut order = Vec::with_capacity(position.len() - driven.len());
        let mut trailing = 0;
        for node in contact_last(graph, last) {
            let first = dimension * node as usize;
            for dof in first..first + dimension {
                if position[dof] != u32::MAX {
                    position[dof] = order.len() as u32;
                    order.push(dof as u32);
                }
            }
            if !last[node as usize] {
                trailing = order.len();
            }
        }
        for dof in of_nodes..of_nodes + rotations {
            if position[dof] != u32::MAX {
                position[dof] = order.len() as u32;
                order.push(dof as u32);
            }
        }
        Self { dimension, position, order, trailing, driven, motions }
    }

    /// Position of a dof that is free.
    pub fn position_of(&self, dof: usize) -> Option<u32> {
        Some(self.position[dof]).filter(|&at| at != u32::MAX)
    }

    /// Whether any driven dof can move.
    pub fn moves(&self) -> bool {
        self.driven.iter().any(|d| !self.motions[d.motion].is_still())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::TimeFunction;

    #[test]
    fn driven_dofs_are_left_out_and_contact_dofs_come_last() {
        let elements: [&[u32]; 2] = [&[0, 1, 2], &[1, 2, 3]];
        let graph = NodeGraph::new(4, elements.into_iter());
        let still = Motion::Velocity { value: 0.0, time: TimeFunction::Constant };
        let driven = vec![Driven { dof: 1, motion: 0 }, Driven { dof: 6, motion: 0 }];
        let map = DofMap::new(&graph, 2, &[true, false, false, false], vec![still], driven);
        assert_eq!((map.order.len(), map.trailing), (6, 5));
        assert_eq!((map.order[5], map.position_of(0), map.position_of(1)), (0, Some(5), None));
        assert!(!map.moves());
    }
}
