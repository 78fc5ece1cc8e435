//! Meshes that a program makes of points and elements, and names for their nodes.

use std::path::Path;

use super::repair::repair;
use super::{ElementKind, Group, Mesh, MeshError};

/// Stands for the file in messages.
const NAME: &str = "the mesh";

impl Mesh {
    /// Points, elements by kind and nodes (indices into `points`, in the order of [`ElementKind`]), and groups by name
    /// and elements (indices into `elements`), each of one dimension. Lines of the groups named in `bars` belong to the
    /// body.
    ///
    /// It is repaired as a file is: elements that run the wrong way round are turned, and nodes that are in no element
    /// of the body are dropped, which renumbers; `node_tags` has the numbers they came with.
    pub fn of(
        points: &[[f64; 3]],
        elements: &[(ElementKind, Vec<u32>)],
        groups: &[(&str, Vec<u32>)],
        bars: &[&str],
    ) -> Result<Self, MeshError> {
        let mut mesh = Self { offsets: vec![0], points: points.to_vec(), ..Self::default() };
        mesh.node_tags = (0..points.len() as u64).collect();
        if let Some(node) = points.iter().position(|x| x.iter().any(|x| !x.is_finite())) {
            let what = format!("node {node} has the coordinates {:?}; give numbers", points[node]);
            return Err(MeshError::Made { what });
        }
        for (e, (kind, nodes)) in elements.iter().enumerate() {
            let (given, needed) = (nodes.len(), kind.nodes());
            if given != needed {
                let what =
                    format!("element {e} ({}) has {given} nodes; give {needed}", kind.name());
                return Err(MeshError::Made { what });
            }
            if let Some(node) = nodes.iter().find(|node| **node as usize >= points.len()) {
                let what =
                    format!("element {e} has node {node}; there are {}, from 0", points.len());
                return Err(MeshError::Made { what });
            }
            mesh.add(*kind, nodes.iter().copied());
            mesh.element_tags[e] = e as u64;
        }
        for (name, own) in groups {
            let group = mesh.group_of(name, own)?;
            mesh.groups.insert(name.to_string(), group);
        }
        let bars: Vec<String> = bars.iter().map(|name| name.to_string()).collect();
        repair(&mut mesh, Path::new(NAME), &bars)?;
        Ok(mesh)
    }

    fn group_of(&self, name: &str, elements: &[u32]) -> Result<Group, MeshError> {
        let count = self.element_count();
        let refuse = |what: String| Err(MeshError::Made { what });
        if let Some(e) = elements.iter().find(|e| **e as usize >= count) {
            return refuse(format!("group '{name}' has element {e}; there are {count}, from 0"));
        }
        let mut dimensions = elements.iter().map(|&e| self.kinds[e as usize].dimension());
        let Some(dimension) = dimensions.next() else {
            return refuse(format!("group '{name}' is empty; name its elements or leave it out"));
        };
        match dimensions.find(|other| *other != dimension) {
            Some(other) => refuse(format!(
                "group '{name}' has elements of dimension {dimension} and {other}; make it two"
            )),
            None => Ok(Group { dimension, elements: elements.to_vec(), nodes: Vec::new() }),
        }
    }

    /// Names the nodes at which `is_in` holds of the coordinates: a group of points, for forces, driven dofs, contact and
    /// initial values. Where there are none it is an empty one, which whoever names it is told of.
    pub fn name_nodes(&mut self, name: &str, is_in: impl Fn([f64; 3]) -> bool) {
        let nodes = (0u32..).zip(&self.points).filter(|(_, x)| is_in(**x));
        let nodes = nodes.map(|(node, _)| node).collect();
        let group = Group { dimension: 0, elements: Vec::new(), nodes };
        self.groups.insert(name.into(), group);
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use ElementKind::{Line2, Triangle3};

    const SQUARE: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    #[test]
    fn a_mesh_of_points_and_elements_is_repaired_as_a_file_is() {
        let elements =
            [(Triangle3, vec![0, 1, 2]), (Triangle3, vec![0, 3, 2]), (Line2, vec![0, 1])];
        let groups = [("sole", vec![2])];
        let mut mesh = Mesh::of(&SQUARE, &elements, &groups, &[]).unwrap();
        assert_eq!((mesh.dimension, mesh.nodes_of(1)), (2, &[0, 2, 3][..]));
        assert_eq!(mesh.groups["sole"].nodes, [0, 1]);
        assert_eq!(mesh.notices, ["turned 1 inverted element: 1"]);
        mesh.name_nodes("top", |x| x[1] == 1.0);
        assert_eq!(mesh.groups["top"].nodes, [2, 3]);
    }

    #[test]
    fn what_is_no_mesh_is_refused_with_a_remedy() {
        let refused = |elements: &[(ElementKind, Vec<u32>)], groups: &[(&str, Vec<u32>)]| {
            Mesh::of(&SQUARE, elements, groups, &[]).unwrap_err().to_string()
        };
        let whole = (Triangle3, vec![0, 1, 2]);
        assert!(refused(&[(Triangle3, vec![0, 1])], &[]).contains("has 2 nodes; give 3"));
        assert!(refused(&[(Triangle3, vec![0, 1, 9])], &[]).contains("has node 9; there are 4"));
        assert!(refused(slice::from_ref(&whole), &[("a", vec![1])]).contains("has element 1"));
        assert!(refused(&[whole], &[("a", vec![])]).contains("group 'a' is empty"));
        assert!(refused(&[(Line2, vec![0, 0])], &[]).contains("the mesh: element 0 is degenerate"));
    }
}
