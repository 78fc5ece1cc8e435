//! How an element lies in space: its measure, its longest edge, and the Jacobian of its map.

use super::ElementKind;
use super::ElementKind::{
    Hexahedron8, Line2, Line3, Point1, Quadrangle4, Tetrahedron4, Tetrahedron10, Triangle3,
    Triangle6,
};
use crate::vector::{cross, dot, minus};

/// Measure or Jacobian of an element, relative to its longest edge to the power of its dimension, at
/// which it counts as degenerate.
pub(super) const DEGENERATE: f64 = 1e-12;

/// A place or a direction in space.
pub(super) type Point = [f64; 3];

/// Extent of an element, and the range of its Jacobian over the sample points.
///
/// ```text
///     J(ξ) = det [∂x/∂ξ₁ … ∂x/∂ξ_d]          x(ξ) = Σ N_a(ξ) x_a
/// ```
///
/// The sample points are the nodes; for hexahedra also the middles of edges, faces and the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// Length, area or volume between the corners; negative if the element is inverted.
    pub measure: f64,
    /// Longest edge between corners.
    pub longest_edge: f64,
    /// Smallest Jacobian.
    pub smallest: f64,
    /// Largest Jacobian.
    pub largest: f64,
}

impl Extent {
    /// Extent of the element with these nodes.
    ///
    /// The sign of a surface is that of its normal along `up`; along its own normal if there is none.
    pub fn new(kind: ElementKind, nodes: &[Point], up: Option<Point>) -> Self {
        let longest = kind.edges().iter().map(|&[a, b]| distance(nodes[a], nodes[b]));
        let direction = match kind.dimension() {
            1 => unit(minus(nodes[1], nodes[0])),
            2 => up.unwrap_or_else(|| unit(vector_area(kind, nodes))),
            _ => [0.0; 3],
        };
        let at = |place: Point| jacobian(kind.dimension(), tangents(kind, nodes, place), direction);
        let mut extent = Self {
            measure: 0.0,
            longest_edge: longest.fold(0.0, f64::max),
            smallest: f64::INFINITY,
            largest: f64::NEG_INFINITY,
        };
        let mut sum = 0.0;
        for (place, weight) in samples(kind) {
            let value = at(place);
            sum += weight * value;
            extent.smallest = extent.smallest.min(value);
            extent.largest = extent.largest.max(value);
        }
        // Minimum and maximum pass over NaN, the sum does not.
        if sum.is_nan() {
            extent.smallest = sum;
        }
        extent.measure = match kind {
            Line3 | Triangle6 | Tetrahedron10 => {
                Self::new(kind.corner_kind(), nodes, Some(direction)).measure
            }
            Point1 | Line2 | Triangle3 | Quadrangle4 | Tetrahedron4 | Hexahedron8 => sum,
        };
        extent
    }

    /// The longest edge to the power of the dimension: what measures and Jacobians are compared with.
    pub fn scale(&self, dimension: usize) -> f64 {
        self.longest_edge.powi(dimension as i32)
    }
}

/// Sample points of a kind, each with its weight in the integral of J where that is exact.
fn samples(kind: ElementKind) -> impl Iterator<Item = (Point, f64)> {
    const THIRDS: [Point; 27] = lattice();
    let (places, weight): (&[Point], f64) = match kind {
        Point1 => (&SIMPLEX[..0], 0.0),
        Line2 => (&SIMPLEX[..1], 1.0),
        Line3 => (&LINE, 0.0),
        Triangle3 => (&SIMPLEX[..1], 0.5),
        Triangle6 => (&TRIANGLE, 0.0),
        Quadrangle4 => (&CUBE[..4], 0.25),
        Tetrahedron4 => (&SIMPLEX[..1], 1.0 / 6.0),
        Tetrahedron10 => (&SIMPLEX, 0.0),
        Hexahedron8 => (&THIRDS, 1.0),
    };
    // Simpson's rule along each axis; J is of second degree in each.
    let simpson = move |place: &Point| match kind {
        Hexahedron8 => {
            place.iter().map(|&x| if x == 0.5 { 2.0 / 3.0 } else { 1.0 / 6.0 }).product()
        }
        Point1 | Line2 | Line3 | Triangle3 | Triangle6 | Quadrangle4 | Tetrahedron4
        | Tetrahedron10 => weight,
    };
    places.iter().map(move |place| (*place, simpson(place)))
}

const LINE: [Point; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]];

const TRIANGLE: [Point; 6] =
    [SIMPLEX[0], SIMPLEX[1], SIMPLEX[2], SIMPLEX[4], SIMPLEX[5], SIMPLEX[6]];

/// Nodes of the unit tetrahedron.
const SIMPLEX: [Point; 10] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.5, 0.0, 0.0],
    [0.5, 0.5, 0.0],
    [0.0, 0.5, 0.0],
    [0.0, 0.0, 0.5],
    [0.5, 0.0, 0.5],
    [0.0, 0.5, 0.5],
];

/// Corners of the unit cube; the first four are those of the unit square.
const CUBE: [Point; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

/// The unit cube at 0, ½ and 1 along each axis.
const fn lattice() -> [Point; 27] {
    let mut places = [[0.0; 3]; 27];
    let mut index = 0;
    while index < 27 {
        let steps = [index % 3, index / 3 % 3, index / 9];
        places[index] = [0.5 * steps[0] as f64, 0.5 * steps[1] as f64, 0.5 * steps[2] as f64];
        index += 1;
    }
    places
}

/// ∂x/∂ξ_k at a place of the unit element.
pub(super) fn tangents(kind: ElementKind, nodes: &[Point], place: Point) -> [Point; 3] {
    match kind {
        Point1 => [[0.0; 3]; 3],
        Line2 | Line3 | Triangle3 | Triangle6 | Tetrahedron4 | Tetrahedron10 => {
            simplex_tangents(kind, nodes, place)
        }
        Quadrangle4 | Hexahedron8 => cube_tangents(kind, nodes, place),
    }
}

/// With the barycentric coordinates λ, and x_ij between x_i and x_j:
///
/// ```text
///     first order     ∂x/∂λ_i = x_i
///     second order    ∂x/∂λ_i = (4 λ_i − 1) x_i + Σ_j 4 λ_j x_ij
///                     ∂x/∂ξ_k = ∂x/∂λ_k − ∂x/∂λ_0
/// ```
fn simplex_tangents(kind: ElementKind, nodes: &[Point], place: Point) -> [Point; 3] {
    let barycentric = [1.0 - place[0] - place[1] - place[2], place[0], place[1], place[2]];
    let mut slopes = [[0.0; 3]; 4];
    for corner in 0..kind.corners() {
        let own = if kind.order() == 2 { 4.0 * barycentric[corner] - 1.0 } else { 1.0 };
        slopes[corner] = nodes[corner].map(|x| own * x);
    }
    if kind.order() == 2 {
        for (edge, &[a, b]) in kind.edges().iter().enumerate() {
            let middle = nodes[kind.corners() + edge];
            for axis in 0..3 {
                slopes[a][axis] += 4.0 * barycentric[b] * middle[axis];
                slopes[b][axis] += 4.0 * barycentric[a] * middle[axis];
            }
        }
    }
    [1, 2, 3].map(|k| if k < kind.corners() { minus(slopes[k], slopes[0]) } else { [0.0; 3] })
}

/// Products of linear functions along the axes.
fn cube_tangents(kind: ElementKind, nodes: &[Point], place: Point) -> [Point; 3] {
    let dimension = kind.dimension();
    let mut tangents = [[0.0; 3]; 3];
    for (node, corner) in nodes.iter().zip(&CUBE[..kind.corners()]) {
        let along = |axis: usize| {
            if corner[axis] == 1.0 { place[axis] } else { 1.0 - place[axis] }
        };
        for (k, tangent) in tangents.iter_mut().enumerate().take(dimension) {
            let others: f64 = (0..dimension).filter(|&axis| axis != k).map(along).product();
            let slope = (2.0 * corner[k] - 1.0) * others;
            for axis in 0..3 {
                tangent[axis] += slope * node[axis];
            }
        }
    }
    tangents
}

/// How much of space the tangents span; of surfaces and lines the part along `direction`.
fn jacobian(dimension: usize, [a, b, c]: [Point; 3], direction: Point) -> f64 {
    match dimension {
        1 => dot(a, direction),
        2 => dot(cross(a, b), direction),
        _ => dot(cross(a, b), c),
    }
}

/// Area times normal of a surface element between its corners.
pub(super) fn vector_area(kind: ElementKind, nodes: &[Point]) -> Point {
    let last = kind.corners() - 1;
    cross(minus(nodes[2], nodes[0]), minus(nodes[last], nodes[1])).map(|x| 0.5 * x)
}

/// Length that no square overflows, unlike that of [`vector`](crate::vector).
pub(super) fn length(a: Point) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

/// As [`length`].
pub(super) fn distance(a: Point, b: Point) -> f64 {
    length(minus(b, a))
}

/// The direction of `a`; zero stays zero.
fn unit(a: Point) -> Point {
    let length = length(a);
    if length == 0.0 { a } else { a.map(|x| x / length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers near 1.
    const ROUNDING: f64 = 1e-14;

    /// An element that is not straight where its kind allows it.
    fn bent(kind: ElementKind) -> Vec<Point> {
        let corners: &[Point] = match kind {
            Quadrangle4 | Hexahedron8 => &CUBE,
            Point1 | Line2 | Line3 | Triangle3 | Triangle6 | Tetrahedron4 | Tetrahedron10 => {
                &SIMPLEX
            }
        };
        let mut nodes = corners[..kind.corners()].to_vec();
        if kind.order() == 2 {
            for &[a, b] in kind.edges() {
                nodes.push([0, 1, 2].map(|i| 0.5 * (nodes[a][i] + nodes[b][i])));
            }
        }
        let flat = kind.dimension() < 3;
        nodes
            .into_iter()
            .map(|[x, y, z]| {
                let rise = if flat { 0.0 } else { 1.2 * z + 0.1 * x * y };
                let side = if kind.dimension() < 2 { 0.0 } else { y + 0.2 * x };
                [x + 0.1 * y * y + 0.05 * z, side, rise]
            })
            .collect()
    }

    /// Shape functions by their values: 1 at the own node, 0 at the others.
    fn value(kind: ElementKind, node: usize, place: Point) -> f64 {
        let barycentric = [1.0 - place[0] - place[1] - place[2], place[0], place[1], place[2]];
        match kind {
            Point1 => 1.0,
            Line2 | Triangle3 | Tetrahedron4 => barycentric[node],
            Line3 | Triangle6 | Tetrahedron10 => match node.checked_sub(kind.corners()) {
                None => barycentric[node] * (2.0 * barycentric[node] - 1.0),
                Some(edge) => {
                    let [a, b] = kind.edges()[edge];
                    4.0 * barycentric[a] * barycentric[b]
                }
            },
            Quadrangle4 | Hexahedron8 => (0..kind.dimension())
                .map(|i| if CUBE[node][i] == 1.0 { place[i] } else { 1.0 - place[i] })
                .product(),
        }
    }

    /// Central differences of a cubic with step 1e-3 are off by the step squared, times its third
    /// derivative.
    #[test]
    fn tangents_are_the_slopes_of_the_map() {
        let place = [0.3, 0.2, 0.1];
        for kind in ElementKind::ALL {
            let nodes = bent(kind);
            let mut place = place;
            place[kind.dimension()..].fill(0.0);
            let map = |at: Point| -> Point {
                let axis = |i: usize| {
                    nodes.iter().enumerate().map(|(a, x)| value(kind, a, at) * x[i]).sum()
                };
                [axis(0), axis(1), axis(2)]
            };
            let tangents = tangents(kind, &nodes, place);
            for k in 0..kind.dimension() {
                let (mut before, mut after) = (place, place);
                before[k] -= 1e-3;
                after[k] += 1e-3;
                let slope = minus(map(after), map(before)).map(|x| x / 2e-3);
                assert!(distance(slope, tangents[k]) < 1e-6, "{kind:?} {slope:?} {tangents:?}");
            }
        }
    }

    #[test]
    fn the_measure_of_unit_elements_is_known_and_changes_sign_when_turned() {
        for (kind, nodes, expected) in [
            (Line2, &SIMPLEX[..], 1.0),
            (Triangle3, &SIMPLEX, 0.5),
            (Tetrahedron4, &SIMPLEX, 1.0 / 6.0),
            (Tetrahedron10, &SIMPLEX, 1.0 / 6.0),
            (Triangle6, &TRIANGLE, 0.5),
            (Quadrangle4, &CUBE, 1.0),
            (Hexahedron8, &CUBE, 1.0),
        ] {
            let up = Some([0.0, 0.0, 1.0]);
            let extent = Extent::new(kind, nodes, up);
            assert!((extent.measure - expected).abs() < ROUNDING, "{kind:?} {extent:?}");
            assert!((extent.smallest - extent.largest).abs() < ROUNDING, "{kind:?} {extent:?}");
            if kind.dimension() > 1 {
                let turned: Vec<Point> = kind.turned().iter().map(|&node| nodes[node]).collect();
                let turned = Extent::new(kind, &turned, up);
                assert!((turned.measure + expected).abs() < ROUNDING, "{kind:?} {turned:?}");
                assert!(turned.largest < 0.0, "{kind:?} {turned:?}");
            }
        }
    }

    /// A frustum: top side ½, bottom side 1, height 1, volume (1 + ½ + ¼)/3.
    #[test]
    fn the_volume_of_a_hexahedron_is_exact() {
        let nodes = CUBE.map(|[x, y, z]| [x * (1.0 - 0.5 * z), y * (1.0 - 0.5 * z), z]);
        let extent = Extent::new(Hexahedron8, &nodes, None);
        assert!((extent.measure - 1.75 / 3.0).abs() < ROUNDING, "{extent:?}");
        assert!((extent.smallest - 0.25).abs() < ROUNDING && extent.largest == 1.0, "{extent:?}");
    }

    #[test]
    fn a_surface_in_space_is_measured_along_its_own_normal() {
        let nodes = [[0.0; 3], [0.0, 3.0, 0.0], [0.0, 3.0, 2.0], [0.0, 0.0, 2.0]];
        assert_eq!(Extent::new(Quadrangle4, &nodes, None).measure, 6.0);
        assert_eq!(Extent::new(Triangle3, &nodes, None).measure, 3.0);
    }

    #[test]
    fn overflow_is_not_passed_over() {
        let mut nodes = SIMPLEX;
        nodes[7] = [1e300, 1e300, 1e300];
        nodes[8] = [-1e300, 1e300, 1e300];
        assert!(Extent::new(Tetrahedron10, &nodes, None).smallest.is_nan());
    }
}
