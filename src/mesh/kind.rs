//! The kinds of elements: nodes, edges and facets, in VTK's order.

/// The kinds of elements a mesh may hold.
///
/// Nodes stand in VTK's order for every kind: corners first, then the middle of each edge in the
/// order of [`ElementKind::edges`]. The reader puts Gmsh's ten-node tetrahedra into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    /// One node.
    Point1,
    /// Two-node line.
    Line2,
    /// Three-node line: two ends, then the middle.
    Line3,
    /// Three-node triangle.
    Triangle3,
    /// Six-node triangle; the middles lie on the edges 01, 12, 20.
    Triangle6,
    /// Four-node quadrangle, corners in a circle.
    Quadrangle4,
    /// Four-node tetrahedron; seen from the last node the first three run clockwise.
    Tetrahedron4,
    /// Ten-node tetrahedron; the middles lie on the edges 01, 12, 20, 03, 13, 23. In Gmsh's files the
    /// last two stand the other way round.
    Tetrahedron10,
    /// Eight-node hexahedron: the corners of the bottom in a circle, then those of the top above them.
    Hexahedron8,
}

use ElementKind::{
    Hexahedron8, Line2, Line3, Point1, Quadrangle4, Tetrahedron4, Tetrahedron10, Triangle3,
    Triangle6,
};

/// One facet of the boundary of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Kind of the facet, one dimension below the element's.
    pub kind: ElementKind,
    /// Its nodes as local numbers of the element, in the order of the facet's kind.
    pub nodes: &'static [usize],
}

impl ElementKind {
    /// Every kind, in ascending order.
    pub const ALL: [Self; 9] = [
        Point1,
        Line2,
        Line3,
        Triangle3,
        Triangle6,
        Quadrangle4,
        Tetrahedron4,
        Tetrahedron10,
        Hexahedron8,
    ];

    /// The largest number of nodes of any kind.
    pub const MOST_NODES: usize = 10;

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Point1 => 1,
            Line2 => 2,
            Line3 | Triangle3 => 3,
            Quadrangle4 | Tetrahedron4 => 4,
            Triangle6 => 6,
            Hexahedron8 => 8,
            Tetrahedron10 => 10,
        }
    }

    /// Number of corners; they are the first nodes.
    pub fn corners(self) -> usize {
        self.corner_kind().nodes()
    }

    /// The kind of first order with the same corners.
    pub fn corner_kind(self) -> Self {
        match self {
            Point1 => Point1,
            Line2 | Line3 => Line2,
            Triangle3 | Triangle6 => Triangle3,
            Quadrangle4 => Quadrangle4,
            Tetrahedron4 | Tetrahedron10 => Tetrahedron4,
            Hexahedron8 => Hexahedron8,
        }
    }

    /// Topological dimension.
    pub fn dimension(self) -> usize {
        match self {
            Point1 => 0,
            Line2 | Line3 => 1,
            Triangle3 | Triangle6 | Quadrangle4 => 2,
            Tetrahedron4 | Tetrahedron10 | Hexahedron8 => 3,
        }
    }

    /// Order of the shape functions along an edge: 1 or 2.
    pub fn order(self) -> usize {
        match self {
            Point1 | Line2 | Triangle3 | Quadrangle4 | Tetrahedron4 | Hexahedron8 => 1,
            Line3 | Triangle6 | Tetrahedron10 => 2,
        }
    }

    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Point1 => "point",
            Line2 => "2-node line",
            Line3 => "3-node line",
            Triangle3 => "3-node triangle",
            Triangle6 => "6-node triangle",
            Quadrangle4 => "4-node quadrangle",
            Tetrahedron4 => "4-node tetrahedron",
            Tetrahedron10 => "10-node tetrahedron",
            Hexahedron8 => "8-node hexahedron",
        }
    }

    /// A number of them in words: "1 point", "12 second-order tetrahedra".
    pub fn counted(self, count: usize) -> String {
        let order = if self.order() == 2 { "second-order " } else { "" };
        let noun = self.name().rsplit(' ').next().unwrap_or_default();
        match (count, noun.strip_suffix("hedron")) {
            (1, _) => format!("1 {order}{noun}"),
            (_, Some(stem)) => format!("{count} {order}{stem}hedra"),
            (_, None) => format!("{count} {order}{noun}s"),
        }
    }

    /// VTK's number of the kind; its nodes stand in VTK's order already.
    pub fn vtk_type(self) -> u8 {
        match self {
            Point1 => 1,
            Line2 => 3,
            Line3 => 21,
            Triangle3 => 5,
            Triangle6 => 22,
            Quadrangle4 => 9,
            Tetrahedron4 => 10,
            Tetrahedron10 => 24,
            Hexahedron8 => 12,
        }
    }

    /// Corners at the ends of each edge. In kinds of second order node `corners() + i` is the middle of
    /// edge `i`.
    pub fn edges(self) -> &'static [[usize; 2]] {
        match self {
            Point1 => &[],
            Line2 | Line3 => &[[0, 1]],
            Triangle3 | Triangle6 => &[[0, 1], [1, 2], [2, 0]],
            Quadrangle4 => &[[0, 1], [1, 2], [2, 3], [3, 0]],
            Tetrahedron4 | Tetrahedron10 => &[[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]],
            Hexahedron8 => &[
                [0, 1],
                [1, 2],
                [2, 3],
                [3, 0],
                [4, 5],
                [5, 6],
                [6, 7],
                [7, 4],
                [0, 4],
                [1, 5],
                [2, 6],
                [3, 7],
            ],
        }
    }

    /// Facets of the boundary.
    ///
    /// In space the normal of a facet, by the right-hand rule, points out of the element. In the plane
    /// an edge has the element on its left, so that (dy, −dx) points outward. The ends of a line are
    /// points, the first at its node 0.
    pub fn faces(self) -> &'static [Face] {
        match self {
            Point1 => &[],
            Line2 | Line3 => {
                const { &[Face { kind: Point1, nodes: &[0] }, Face { kind: Point1, nodes: &[1] }] }
            }
            Triangle3 => const { &[line2(&[0, 1]), line2(&[1, 2]), line2(&[2, 0])] },
            Triangle6 => const { &[line3(&[0, 1, 3]), line3(&[1, 2, 4]), line3(&[2, 0, 5])] },
            Quadrangle4 => {
                const { &[line2(&[0, 1]), line2(&[1, 2]), line2(&[2, 3]), line2(&[3, 0])] }
            }
            Tetrahedron4 => {
                const {
                    &[
                        triangle3(&[0, 2, 1]),
                        triangle3(&[0, 1, 3]),
                        triangle3(&[1, 2, 3]),
                        triangle3(&[0, 3, 2]),
                    ]
                }
            }
            Tetrahedron10 => {
                const {
                    &[
                        triangle6(&[0, 2, 1, 6, 5, 4]),
                        triangle6(&[0, 1, 3, 4, 8, 7]),
                        triangle6(&[1, 2, 3, 5, 9, 8]),
                        triangle6(&[0, 3, 2, 7, 9, 6]),
                    ]
                }
            }
            Hexahedron8 => {
                const {
                    &[
                        quadrangle4(&[0, 3, 2, 1]),
                        quadrangle4(&[4, 5, 6, 7]),
                        quadrangle4(&[0, 1, 5, 4]),
                        quadrangle4(&[1, 2, 6, 5]),
                        quadrangle4(&[2, 3, 7, 6]),
                        quadrangle4(&[3, 0, 4, 7]),
                    ]
                }
            }
        }
    }

    /// The nodes in the order that turns the element inside out, so that its Jacobian changes sign.
    pub(super) fn turned(self) -> &'static [usize] {
        match self {
            Point1 => &[0],
            Line2 => &[1, 0],
            Line3 => &[1, 0, 2],
            Triangle3 => &[0, 2, 1],
            Triangle6 => &[0, 2, 1, 5, 4, 3],
            Quadrangle4 => &[0, 3, 2, 1],
            Tetrahedron4 => &[0, 2, 1, 3],
            Tetrahedron10 => &[0, 2, 1, 3, 6, 5, 4, 7, 9, 8],
            Hexahedron8 => &[0, 3, 2, 1, 4, 7, 6, 5],
        }
    }

    /// Puts the nodes of an element from Gmsh's order into VTK's.
    pub(super) fn reorder_from_gmsh(self, nodes: &mut [u32]) {
        match self {
            Tetrahedron10 => nodes.swap(8, 9),
            Point1 | Line2 | Line3 | Triangle3 | Triangle6 | Quadrangle4 | Tetrahedron4
            | Hexahedron8 => {}
        }
    }
}

const fn line2(nodes: &'static [usize; 2]) -> Face {
    Face { kind: Line2, nodes }
}

const fn line3(nodes: &'static [usize; 3]) -> Face {
    Face { kind: Line3, nodes }
}

const fn triangle3(nodes: &'static [usize; 3]) -> Face {
    Face { kind: Triangle3, nodes }
}

const fn triangle6(nodes: &'static [usize; 6]) -> Face {
    Face { kind: Triangle6, nodes }
}

const fn quadrangle4(nodes: &'static [usize; 4]) -> Face {
    Face { kind: Quadrangle4, nodes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{cross, dot, minus};

    type Point = [f64; 3];

    /// Corners of the unit element.
    fn unit(kind: ElementKind) -> Vec<Point> {
        let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let [xy, xz, yz, xyz] = [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0; 3]];
        match kind.corner_kind() {
            Point1 => vec![o],
            Line2 => vec![o, x],
            Triangle3 => vec![o, x, y],
            Quadrangle4 => vec![o, x, xy, y],
            Tetrahedron4 => vec![o, x, y, z],
            Hexahedron8 => vec![o, x, xy, y, z, xz, xyz, yz],
            Line3 | Triangle6 | Tetrahedron10 => unreachable!("corner kinds have first order"),
        }
    }

    fn centre(points: &[Point]) -> Point {
        [0, 1, 2].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / points.len() as f64)
    }

    /// The normal of a facet as the documentation of `faces` defines it.
    fn normal(dimension: usize, facet: &[Point]) -> Point {
        let a = minus(facet[1], facet[0]);
        if dimension == 2 {
            return [a[1], -a[0], 0.0];
        }
        let b = minus(facet[2], facet[0]);
        cross(a, b)
    }

    #[test]
    fn the_list_of_kinds_is_complete_and_none_has_more_nodes_than_the_most() {
        assert!(ElementKind::ALL.is_sorted_by(|a, b| a < b));
        let most = ElementKind::ALL.map(ElementKind::nodes).into_iter().max();
        assert_eq!(most, Some(ElementKind::MOST_NODES));
        for kind in ElementKind::ALL {
            let middles = if kind.order() == 2 { kind.edges().len() } else { 0 };
            assert_eq!(kind.nodes(), kind.corners() + middles, "{kind:?}");
            assert_eq!(kind.corner_kind().dimension(), kind.dimension());
        }
    }

    #[test]
    fn several_are_counted_in_their_plural() {
        assert_eq!(Point1.counted(1), "1 point");
        assert_eq!(Triangle3.counted(2), "2 triangles");
        assert_eq!(Tetrahedron10.counted(12), "12 second-order tetrahedra");
        assert_eq!(Hexahedron8.counted(1), "1 hexahedron");
    }

    #[test]
    fn the_normals_of_facets_point_outward_and_close() {
        for kind in ElementKind::ALL.into_iter().filter(|kind| kind.dimension() > 1) {
            let points = unit(kind);
            let mut sum = [0.0; 3];
            for face in kind.faces() {
                assert_eq!(face.kind.dimension() + 1, kind.dimension());
                assert_eq!(face.nodes.len(), face.kind.nodes());
                let corners: Vec<Point> =
                    face.nodes[..face.kind.corners()].iter().map(|&node| points[node]).collect();
                let normal = normal(kind.dimension(), &corners);
                let outward = minus(centre(&corners), centre(&points));
                assert!(dot(normal, outward) > 0.0, "{kind:?} {face:?}");
                sum = [0, 1, 2].map(|i| sum[i] + normal[i]);
            }
            assert_eq!(sum, [0.0; 3], "{kind:?}");
        }
    }

    /// Each middle of a facet is the middle of the element's edge between the same corners.
    #[test]
    fn the_middles_of_facets_lie_between_their_corners() {
        for kind in ElementKind::ALL.into_iter().filter(|kind| kind.order() == 2) {
            for face in kind.faces().iter().filter(|face| face.kind.order() == 2) {
                for (edge, ends) in face.kind.edges().iter().enumerate() {
                    let mut ends = ends.map(|end| face.nodes[end]);
                    let middle = face.nodes[face.kind.corners() + edge];
                    let mut expected = kind.edges()[middle - kind.corners()];
                    ends.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(ends, expected, "{kind:?} {face:?}");
                }
            }
        }
    }

    #[test]
    fn turning_twice_gives_the_element_back_and_moves_middles_with_their_corners() {
        for kind in ElementKind::ALL {
            let turned = kind.turned();
            let twice: Vec<usize> = turned.iter().map(|&node| turned[node]).collect();
            assert_eq!(twice, (0..kind.nodes()).collect::<Vec<_>>(), "{kind:?}");
            if kind.order() == 2 {
                for (edge, ends) in kind.edges().iter().enumerate() {
                    let mut ends = ends.map(|end| turned[end]);
                    let mut moved = kind.edges()[turned[kind.corners() + edge] - kind.corners()];
                    ends.sort_unstable();
                    moved.sort_unstable();
                    assert_eq!(ends, moved, "{kind:?}");
                }
            }
        }
    }
}
