//! A rectangle cut into triangles, for tests, benches and quick studies.

use super::{ElementKind, Group, Mesh};

impl Mesh {
    /// `size[0]` × `size[1]` from the origin, in `cells[0]` × `cells[1]` cells of two triangles each,
    /// cut along the rising diagonal, with groups `bottom`, `right`, `top`, `left` and `body`.
    pub fn rectangle(size: [f64; 2], cells: [usize; 2]) -> Self {
        let [nx, ny] = cells;
        assert!(nx > 0 && ny > 0, "a rectangle needs cells in both directions, not {cells:?}");
        let node = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
        let mut mesh = Self { dimension: 2, offsets: vec![0], ..Self::default() };
        for j in 0..=ny {
            for i in 0..=nx {
                let at = |k: usize, n: usize, length: f64| length * k as f64 / n as f64;
                mesh.points.push([at(i, nx, size[0]), at(j, ny, size[1]), 0.0]);
            }
        }
        mesh.node_tags = (1..=mesh.points.len() as u64).collect();
        mesh.add_side("bottom", (0..nx).map(|i| [node(i, 0), node(i + 1, 0)]));
        mesh.add_side("right", (0..ny).map(|j| [node(nx, j), node(nx, j + 1)]));
        mesh.add_side("top", (0..nx).map(|i| [node(i + 1, ny), node(i, ny)]));
        mesh.add_side("left", (0..ny).map(|j| [node(0, j + 1), node(0, j)]));
        let first = mesh.kinds.len() as u32;
        for (i, j) in (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j))) {
            let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            mesh.add(ElementKind::Triangle3, &[a, b, c]);
            mesh.add(ElementKind::Triangle3, &[a, c, d]);
        }
        let elements = (first..mesh.kinds.len() as u32).collect();
        let nodes = (0..mesh.points.len() as u32).collect();
        mesh.groups.insert("body".into(), Group { dimension: 2, elements, nodes });
        mesh
    }

    fn add(&mut self, kind: ElementKind, nodes: &[u32]) {
        self.kinds.push(kind);
        self.connectivity.extend_from_slice(nodes);
        self.offsets.push(self.connectivity.len() as u32);
        self.element_tags.push(self.kinds.len() as u64);
    }

    fn add_side(&mut self, name: &str, edges: impl Iterator<Item = [u32; 2]>) {
        let mut group = Group { dimension: 1, ..Group::default() };
        for edge in edges {
            group.elements.push(self.kinds.len() as u32);
            group.nodes.extend(edge);
            self.add(ElementKind::Line2, &edge);
        }
        group.nodes.sort_unstable();
        group.nodes.dedup();
        self.groups.insert(name.into(), group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_has_its_nodes_its_triangles_and_its_four_sides() {
        let mesh = Mesh::rectangle([3.0, 2.0], [3, 4]);
        assert_eq!((mesh.points.len(), mesh.body_elements().count()), (20, 24));
        let nodes = ["bottom", "right", "top", "left"].map(|side| mesh.groups[side].nodes.len());
        assert_eq!(nodes, [4, 5, 4, 5]);
        let (low, high) = mesh.bounding_box();
        assert_eq!((low, high), ([0.0; 3], [3.0, 2.0, 0.0]));
    }
}
