//! Lines, rectangles and blocks cut into equal cells, for tests, benches and quick studies.

use super::{ElementKind, Group, Mesh};

impl Mesh {
    /// From `from` to `to` along x in `divisions` two-node lines, with groups `left` and `right` of one
    /// point each, and `body`.
    ///
    /// # Panics
    ///
    /// Where there are no divisions.
    pub fn line(from: f64, to: f64, divisions: usize) -> Self {
        assert!(divisions > 0, "a line needs cells");
        let grid = CellGrid::new(ElementKind::Line2, &[divisions]);
        grid.mesh([stations(from, to, divisions), vec![0.0], vec![0.0]], &[LEFT, RIGHT])
    }

    /// `size[0]` × `size[1]` from the origin, in `cells[0]` × `cells[1]` cells of two triangles each,
    /// cut along the rising diagonal, with groups `bottom`, `right`, `top`, `left` and `body`.
    ///
    /// # Panics
    ///
    /// Where there are no cells.
    pub fn rectangle(size: [f64; 2], cells: [usize; 2]) -> Self {
        Self::rectangle_of(size, cells, ElementKind::Triangle3)
    }

    /// [`Mesh::rectangle`] with cells of one `Quadrangle4`, or two `Triangle3` or `Triangle6`.
    ///
    /// # Panics
    ///
    /// Where there are no cells, or their kind is not one of the plane.
    pub fn rectangle_of(size: [f64; 2], cells: [usize; 2], kind: ElementKind) -> Self {
        assert!(
            cells.iter().all(|&count| count > 0),
            "a rectangle needs cells in both directions, not {cells:?}"
        );
        assert!(kind.dimension() == 2, "a rectangle is not made of {kind:?}");
        let grid = CellGrid::new(kind, &cells);
        let at = |axis: usize| -> Vec<f64> {
            let last = kind.order() * cells[axis];
            (0..=last).map(|k| size[axis] * k as f64 / last as f64).collect()
        };
        let sides = [("bottom", 1, 0), RIGHT, ("top", 1, 1), LEFT];
        grid.mesh([at(0), at(1), vec![0.0]], &sides)
    }

    /// The block between two corners in `divisions` cells along x, y and z, each of one `Hexahedron8`,
    /// or of six `Tetrahedron4` or `Tetrahedron10` around its diagonal.
    ///
    /// The groups `left` and `right` (x), `front` and `back` (y), `bottom` and `top` (z) hold the facets
    /// with their normals outward, and `body` the volume.
    ///
    /// # Panics
    ///
    /// Where there are no divisions, or the kind is not one of space.
    pub fn block(
        lower: [f64; 3],
        upper: [f64; 3],
        divisions: [usize; 3],
        kind: ElementKind,
    ) -> Self {
        assert!(
            divisions.iter().all(|&count| count > 0),
            "a block needs cells in all directions, not {divisions:?}"
        );
        assert!(kind.dimension() == 3, "a block is not made of {kind:?}");
        let grid = CellGrid::new(kind, &divisions);
        let at = |axis: usize| stations(lower[axis], upper[axis], kind.order() * divisions[axis]);
        let sides = [LEFT, RIGHT, ("front", 1, 0), ("back", 1, 1), ("bottom", 2, 0), ("top", 2, 1)];
        grid.mesh([at(0), at(1), at(2)], &sides)
    }

    pub(super) fn add(&mut self, kind: ElementKind, nodes: impl Iterator<Item = u32>) {
        self.kinds.push(kind);
        self.connectivity.extend(nodes);
        self.offsets.push(self.connectivity.len() as u32);
        self.element_tags.push(self.kinds.len() as u64);
    }
}

/// Name of a side, the axis across it, and 0 or 1 for where on the axis it lies.
type Side = (&'static str, usize, usize);

const LEFT: Side = ("left", 0, 0);
const RIGHT: Side = ("right", 0, 1);

/// `divisions` equal steps with both ends exact.
fn stations(from: f64, to: f64, divisions: usize) -> Vec<f64> {
    let at = |k: usize| from + (to - from) * k as f64 / divisions as f64;
    (0..divisions).map(at).chain([to]).collect()
}

/// A node by its place in a cell; the cell has `order` steps along each axis.
type Offset = [usize; 3];

/// Equal cells, each cut in the same way.
struct CellGrid {
    kind: ElementKind,
    /// Cells along each axis; 0 for axes that are not used.
    cells: [usize; 3],
    /// The elements of one cell.
    pattern: Vec<Vec<Offset>>,
}

impl CellGrid {
    fn new(kind: ElementKind, divisions: &[usize]) -> Self {
        let mut cells = [0; 3];
        cells[..divisions.len()].copy_from_slice(divisions);
        let pattern = cut_cell(kind).into_iter().map(|corners| with_middles(kind, corners));
        Self { kind, cells, pattern: pattern.collect() }
    }

    /// The mesh with these coordinates along the axes: the sides' elements first, then the body's.
    fn mesh(&self, stations: [Vec<f64>; 3], sides: &[Side]) -> Mesh {
        let dimension = self.kind.dimension();
        let mut mesh = Mesh { dimension, offsets: vec![0], ..Mesh::default() };
        let [xs, ys, zs] = stations;
        assert!(
            u32::try_from(xs.len() * ys.len() * zs.len() * ElementKind::MOST_NODES).is_ok(),
            "{:?} cells are too many for 32-bit indices",
            self.cells
        );
        for &z in &zs {
            for &y in &ys {
                mesh.points.extend(xs.iter().map(|&x| [x, y, z]));
            }
        }
        mesh.node_tags = (1..=mesh.points.len() as u64).collect();
        for &(name, axis, end) in sides {
            self.add_side(&mut mesh, name, axis, end);
        }
        let first = mesh.kinds.len() as u32;
        for cell in self.cells_of([None; 3]) {
            for element in &self.pattern {
                mesh.add(self.kind, element.iter().map(|&offset| self.node(cell, offset)));
            }
        }
        let elements = (first..mesh.kinds.len() as u32).collect();
        let nodes = (0..mesh.points.len() as u32).collect();
        mesh.groups.insert("body".into(), Group { dimension, elements, nodes });
        mesh
    }

    /// Adds the facets of the elements that lie on a side, as a group.
    fn add_side(&self, mesh: &mut Mesh, name: &str, axis: usize, end: usize) {
        let plane = end * self.kind.order();
        let mut facets: Vec<(ElementKind, Vec<Offset>)> = Vec::new();
        for element in &self.pattern {
            for face in self.kind.faces() {
                let nodes: Vec<Offset> = face.nodes.iter().map(|&node| element[node]).collect();
                if nodes.iter().all(|offset| offset[axis] == plane) {
                    facets.push((face.kind, nodes));
                }
            }
        }
        let mut fixed = [None; 3];
        fixed[axis] = Some(end * (self.cells[axis] - 1));
        let mut group = Group { dimension: self.kind.dimension() - 1, ..Group::default() };
        for cell in self.cells_of(fixed) {
            for (kind, nodes) in &facets {
                group.elements.push(mesh.kinds.len() as u32);
                let nodes = nodes.iter().map(|&offset| self.node(cell, offset));
                group.nodes.extend(nodes.clone());
                mesh.add(*kind, nodes);
            }
        }
        group.nodes.sort_unstable();
        group.nodes.dedup();
        mesh.groups.insert(name.into(), group);
    }

    /// All cells, x running fastest, or those at the fixed places.
    fn cells_of(&self, fixed: [Option<usize>; 3]) -> impl Iterator<Item = [usize; 3]> {
        let along = |axis: usize| match fixed[axis] {
            Some(place) => place..place + 1,
            None => 0..self.cells[axis].max(1),
        };
        let (x, y, z) = (along(0), along(1), along(2));
        z.flat_map(move |k| {
            let x = x.clone();
            y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
        })
    }

    fn node(&self, cell: [usize; 3], offset: Offset) -> u32 {
        let order = self.kind.order();
        let [i, j, k] = [0, 1, 2].map(|axis| order * cell[axis] + offset[axis]);
        let [nx, ny, _] = self.cells.map(|count| order * count + 1);
        ((k * ny + j) * nx + i) as u32
    }
}

/// The elements of a cell by their corners, each 0 or 1 along each axis.
fn cut_cell(kind: ElementKind) -> Vec<Vec<Offset>> {
    let [o, x, xy, y] = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]];
    match kind.corner_kind() {
        ElementKind::Point1 => vec![vec![o]],
        ElementKind::Line2 | ElementKind::Line3 => vec![vec![o, x]],
        ElementKind::Triangle3 | ElementKind::Triangle6 => vec![vec![o, x, xy], vec![o, xy, y]],
        ElementKind::Quadrangle4 => vec![vec![o, x, xy, y]],
        ElementKind::Tetrahedron4 | ElementKind::Tetrahedron10 => six_tetrahedra(),
        ElementKind::Hexahedron8 => {
            let above = |[i, j, _]: Offset| [i, j, 1];
            vec![vec![o, x, xy, y, above(o), above(x), above(xy), above(y)]]
        }
    }
}

/// Kuhn's cut of the cube: each tetrahedron follows the axes in another order from one end of the
/// diagonal to the other, so that neighbouring cells cut their common face alike.
fn six_tetrahedra() -> Vec<Vec<Offset>> {
    let even = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];
    let odd = [[0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let path = |[first, second, _]: [usize; 3]| {
        let mut corners = vec![[0; 3]; 3];
        corners[1][first] = 1;
        corners[2][first] = 1;
        corners[2][second] = 1;
        corners.push([1; 3]);
        corners
    };
    let turned = |axes| {
        let mut corners = path(axes);
        corners.swap(1, 2);
        corners
    };
    even.map(path).into_iter().chain(odd.map(turned)).collect()
}

/// All nodes of an element with these corners, in steps of its order.
fn with_middles(kind: ElementKind, corners: Vec<Offset>) -> Vec<Offset> {
    if kind.order() == 1 {
        return corners;
    }
    let double = corners.iter().map(|corner| corner.map(|place| 2 * place));
    let middle = |&[a, b]: &[usize; 2]| [0, 1, 2].map(|axis| corners[a][axis] + corners[b][axis]);
    double.chain(kind.edges().iter().map(middle)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_rectangle_has_its_nodes_its_triangles_and_its_four_sides() {
        let mesh = Mesh::rectangle([3.0, 2.0], [3, 4]);
        assert_eq!((mesh.points.len(), mesh.body_elements().count()), (20, 24));
        let nodes = ["bottom", "right", "top", "left"].map(|side| mesh.groups[side].nodes.len());
        assert_eq!(nodes, [4, 5, 4, 5]);
        let (low, high) = mesh.bounding_box();
        assert_eq!((low, high), ([0.0; 3], [3.0, 2.0, 0.0]));
        assert_eq!(mesh.nodes_of(0), [0, 1]);
        assert_eq!(mesh.nodes_of(7), [17, 16]);
        assert_eq!(mesh.nodes_of(14), [0, 1, 5]);
        assert_eq!(mesh.nodes_of(15), [0, 5, 4]);
    }

    #[test]
    fn rectangles_of_other_kinds_have_the_same_corners() {
        let triangles = Mesh::rectangle([3.0, 2.0], [3, 4]);
        let quadrangles = Mesh::rectangle_of([3.0, 2.0], [3, 4], ElementKind::Quadrangle4);
        assert_eq!(quadrangles.points, triangles.points);
        assert_eq!(quadrangles.body_elements().count(), 12);
        for side in ["bottom", "right", "top", "left"] {
            assert_eq!(quadrangles.groups[side], triangles.groups[side]);
        }
        let second = Mesh::rectangle_of([3.0, 2.0], [3, 4], ElementKind::Triangle6);
        assert_eq!((second.points.len(), second.body_elements().count()), (63, 24));
        for (e, kind) in second.kinds.iter().enumerate() {
            let corners = |mesh: &Mesh, count: usize| -> Vec<[f64; 3]> {
                mesh.nodes_of(e)[..count].iter().map(|&n| mesh.points[n as usize]).collect()
            };
            assert_eq!(kind.corner_kind(), triangles.kinds[e]);
            let count = kind.corners();
            assert_eq!(corners(&second, count), corners(&triangles, count), "element {e}");
        }
    }

    #[test]
    fn a_line_has_its_ends_and_its_body() {
        let mesh = Mesh::line(1.0, 3.0, 4);
        assert_eq!(mesh.dimension, 1);
        assert_eq!(mesh.points[1], [1.5, 0.0, 0.0]);
        assert_eq!(mesh.body_elements().count(), 4);
        assert_eq!(mesh.groups["left"].nodes, [0]);
        assert_eq!(mesh.groups["right"].nodes, [4]);
        assert_eq!(mesh.groups["body"].dimension, 1);
        assert_eq!(mesh.nodes_of(2), [0, 1]);
    }

    /// Every facet bounds two elements, or one and is in one side with the same direction.
    #[test]
    fn blocks_conform_and_their_sides_are_their_boundary() {
        for kind in
            [ElementKind::Tetrahedron4, ElementKind::Tetrahedron10, ElementKind::Hexahedron8]
        {
            let mesh = Mesh::block([1.0, 2.0, 3.0], [2.5, 4.0, 3.5], [3, 2, 2], kind);
            let mut open: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
            for e in mesh.body_elements() {
                for face in kind.faces() {
                    let nodes: Vec<u32> = face.nodes.iter().map(|&n| mesh.nodes_of(e)[n]).collect();
                    let mut key = nodes.clone();
                    key.sort_unstable();
                    if open.remove(&key).is_none() {
                        open.insert(key, nodes);
                    }
                }
            }
            let sides = ["left", "right", "front", "back", "bottom", "top"];
            for element in sides.iter().flat_map(|side| &mesh.groups[*side].elements) {
                let nodes = mesh.nodes_of(*element as usize);
                let mut key = nodes.to_vec();
                key.sort_unstable();
                assert_eq!(open.remove(&key).as_deref(), Some(nodes), "{kind:?}");
            }
            assert!(open.is_empty(), "{kind:?}");
        }
    }

    #[test]
    fn a_block_has_its_corners_and_its_sides_lie_where_they_are_named() {
        let (lower, upper) = ([1.0, 2.0, 3.0], [2.5, 4.0, 3.5]);
        let mesh = Mesh::block(lower, upper, [3, 2, 4], ElementKind::Tetrahedron10);
        assert_eq!((mesh.dimension, mesh.points.len()), (3, 7 * 5 * 9));
        assert_eq!(mesh.body_elements().count(), 6 * 24);
        assert_eq!(mesh.bounding_box(), (lower, upper));
        for (side, axis, place) in [
            ("left", 0, lower),
            ("right", 0, upper),
            ("front", 1, lower),
            ("back", 1, upper),
            ("bottom", 2, lower),
            ("top", 2, upper),
        ] {
            let group = &mesh.groups[side];
            assert_eq!(group.dimension, 2);
            assert!(group.nodes.iter().all(|&n| mesh.points[n as usize][axis] == place[axis]));
        }
        assert_eq!(mesh.groups["top"].nodes.len(), 7 * 5);
        assert_eq!(mesh.groups["top"].elements.len(), 2 * 3 * 2);
    }
}
