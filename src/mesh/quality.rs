//! How well shaped the elements of a mesh are.

use super::jacobian::{Extent, Point, distance, length, tangents};
use super::{ElementKind, Mesh};
use crate::vector::{cross, dot, minus};

/// Shape of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementQuality {
    /// 1 if ideal (equilateral, square, cubic), 0 if flat or folded.
    pub shape: f64,
    /// Smallest angle in degrees: between edges in the plane, between faces of a tetrahedron.
    pub smallest_angle: Option<f64>,
    /// Shortest edge between corners.
    pub shortest_edge: f64,
    /// Longest edge between corners.
    pub longest_edge: f64,
}

impl ElementQuality {
    /// Shape of the element with these nodes; surfaces lie in the plane.
    ///
    /// With edges l, area A, volume V, and the edges a, b, c that meet in a corner:
    ///
    /// ```text
    ///     line             1
    ///     triangle         4 √3 A / Σ l²
    ///     tetrahedron      12 (3 V)^⅔ / Σ l²
    ///     quadrangle       min over corners of a × b / |a| |b|
    ///     hexahedron       min over corners of (a × b) · c / |a| |b| |c|
    ///     second order     that of the corners, times J_min / J_max
    /// ```
    pub fn new(kind: ElementKind, nodes: &[Point]) -> Self {
        let edges = || kind.edges().iter().map(|&[a, b]| distance(nodes[a], nodes[b]));
        let squares: f64 = edges().map(|edge| edge * edge).sum();
        let (straight, smallest_angle) = match kind.corner_kind() {
            ElementKind::Point1 | ElementKind::Line2 | ElementKind::Line3 => (1.0, None),
            ElementKind::Triangle3 | ElementKind::Triangle6 => triangle(nodes),
            ElementKind::Quadrangle4 => quadrangle(nodes),
            ElementKind::Tetrahedron4 | ElementKind::Tetrahedron10 => tetrahedron(nodes, squares),
            ElementKind::Hexahedron8 => (corner_shape(kind, nodes), None),
        };
        let curved = match kind.order() {
            1 => 1.0,
            _ => {
                let extent = Extent::new(kind, nodes, Some([0.0, 0.0, 1.0]));
                (extent.smallest / extent.largest).max(0.0)
            }
        };
        Self {
            shape: straight * curved,
            smallest_angle,
            shortest_edge: edges().fold(f64::INFINITY, f64::min),
            longest_edge: edges().fold(0.0, f64::max),
        }
    }
}

/// With edges a ≤ b ≤ c and area A:
///
/// ```text
///     tan α = 4 A / (b² + c² − a²)        α opposite of a
/// ```
fn triangle(corners: &[Point]) -> (f64, Option<f64>) {
    let [p, q, r] = [corners[0], corners[1], corners[2]];
    let edge = |from: Point, to: Point| [to[0] - from[0], to[1] - from[1]];
    let (pq, pr, qr) = (edge(p, q), edge(p, r), edge(q, r));
    let area = 0.5 * (pq[0] * pr[1] - pr[0] * pq[1]).abs();
    let mut squares = [pq, pr, qr].map(|edge| edge[0] * edge[0] + edge[1] * edge[1]);
    squares.sort_by(f64::total_cmp);
    let [a2, b2, c2] = squares;
    let angle = (4.0 * area).atan2(b2 + c2 - a2).to_degrees();
    (4.0 * 3.0_f64.sqrt() * area / (a2 + b2 + c2), Some(angle))
}

fn quadrangle(corners: &[Point]) -> (f64, Option<f64>) {
    let angle = |corner: usize| {
        let next = minus(corners[(corner + 1) % 4], corners[corner]);
        let last = minus(corners[(corner + 3) % 4], corners[corner]);
        length(cross(next, last)).atan2(dot(next, last)).to_degrees()
    };
    let smallest = (0..4).map(angle).fold(f64::INFINITY, f64::min);
    (corner_shape(ElementKind::Quadrangle4, corners), Some(smallest))
}

/// Mean ratio, and the smallest angle between two faces.
fn tetrahedron(corners: &[Point], squares: f64) -> (f64, Option<f64>) {
    let volume = Extent::new(ElementKind::Tetrahedron4, corners, None).measure;
    let normals: Vec<Point> = ElementKind::Tetrahedron4
        .faces()
        .iter()
        .map(|face| {
            let [a, b, c] = [0, 1, 2].map(|corner| corners[face.nodes[corner]]);
            cross(minus(b, a), minus(c, a))
        })
        .collect();
    let mut smallest = f64::INFINITY;
    for (i, &one) in normals.iter().enumerate() {
        for &other in &normals[..i] {
            let angle = length(cross(one, other)).atan2(-dot(one, other));
            smallest = smallest.min(angle.to_degrees());
        }
    }
    (12.0 * (3.0 * volume.abs()).powf(2.0 / 3.0) / squares, Some(smallest))
}

/// The smallest Jacobian of the corners, each with its edges scaled to length 1.
fn corner_shape(kind: ElementKind, corners: &[Point]) -> f64 {
    let steps = [0.0, 1.0];
    let levels: &[f64] = if kind.dimension() == 3 { &steps } else { &steps[..1] };
    let mut smallest = f64::INFINITY;
    for &z in levels {
        for y in steps {
            for x in steps {
                let [a, b, c] = tangents(kind, corners, [x, y, z]);
                let c = if kind.dimension() == 3 { c } else { [0.0, 0.0, 1.0] };
                let scaled = dot(cross(a, b), c) / (length(a) * length(b) * length(c));
                smallest = smallest.min(scaled);
            }
        }
    }
    smallest.max(0.0)
}

/// Shape of all elements of the highest dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualitySummary {
    /// Smallest shape measure, 1 being ideal and 0 flat.
    pub shape_min: f64,
    /// Mean shape measure.
    pub shape_mean: f64,
    /// Number in the file of the element with the smallest shape measure, the first if several.
    pub worst_element: u64,
    /// Smallest angle of all, in degrees, where the kinds have one.
    pub angle_min: Option<f64>,
    /// Shortest edge of all.
    pub edge_min: f64,
    /// Longest edge of all.
    pub edge_max: f64,
}

impl Mesh {
    /// Summary of the shapes of the elements of the highest dimension, or `None` if there are only
    /// points.
    pub fn quality(&self) -> Option<QualitySummary> {
        let highest = self.element_dimension();
        let mut summary: Option<QualitySummary> = None;
        let mut count = 0.0;
        let elements = (0..self.element_count()).filter(|&e| self.kinds[e].dimension() == highest);
        for e in elements.filter(|_| highest > 0) {
            let element = ElementQuality::new(self.kinds[e], &self.points_of(e));
            let tag = self.element_tags[e];
            count += 1.0;
            summary = Some(
                summary.map_or_else(|| element.alone(tag), |so_far| so_far.with(element, tag)),
            );
        }
        summary.map(|sum| QualitySummary { shape_mean: sum.shape_mean / count, ..sum })
    }
}

impl ElementQuality {
    /// The summary of this element only.
    fn alone(self, tag: u64) -> QualitySummary {
        QualitySummary {
            shape_min: self.shape,
            shape_mean: self.shape,
            worst_element: tag,
            angle_min: self.smallest_angle,
            edge_min: self.shortest_edge,
            edge_max: self.longest_edge,
        }
    }
}

impl QualitySummary {
    /// With one more element; the mean is still the sum.
    fn with(self, element: ElementQuality, tag: u64) -> Self {
        let angles = [self.angle_min, element.smallest_angle];
        Self {
            shape_min: self.shape_min.min(element.shape),
            shape_mean: self.shape_mean + element.shape,
            worst_element: if element.shape < self.shape_min { tag } else { self.worst_element },
            angle_min: angles.into_iter().flatten().reduce(f64::min),
            edge_min: self.edge_min.min(element.shortest_edge),
            edge_max: self.edge_max.max(element.longest_edge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ElementKind::{
        Hexahedron8, Line2, Quadrangle4, Tetrahedron4, Tetrahedron10, Triangle3, Triangle6,
    };
    use super::*;

    /// A few roundings of numbers near 1, or of an angle below 128 degrees.
    const ROUNDING: f64 = 2e-14;

    fn assert_close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() <= ROUNDING * expected.abs().max(1.0),
            "{found} is not {expected}"
        );
    }

    #[test]
    fn the_equilateral_triangle_has_shape_one_and_sixty_degrees() {
        let corners = [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 3.0_f64.sqrt(), 0.0]];
        let quality = ElementQuality::new(Triangle3, &corners);
        assert_close(quality.shape, 1.0);
        assert_close(quality.smallest_angle.unwrap(), 60.0);
        assert_close(quality.shortest_edge, 2.0);
        assert_close(quality.longest_edge, 2.0);
    }

    /// Edges 3, 4, 5: area 6, squares 50, and tan α = 3/4.
    #[test]
    fn orientation_and_order_of_corners_do_not_matter() {
        let [p, q, r] = [[0.0; 3], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0]];
        for corners in [[p, q, r], [q, r, p], [r, q, p]] {
            let quality = ElementQuality::new(Triangle3, &corners);
            assert_close(quality.shape, 24.0 * 3.0_f64.sqrt() / 50.0);
            assert_close(quality.smallest_angle.unwrap(), 0.75_f64.atan().to_degrees());
            assert_close(quality.shortest_edge, 3.0);
            assert_close(quality.longest_edge, 5.0);
        }
    }

    /// Every other corner of the cube; its faces meet at arccos ⅓.
    #[test]
    fn the_regular_tetrahedron_has_shape_one() {
        let corners = [[0.0; 3], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]];
        let quality = ElementQuality::new(Tetrahedron4, &corners);
        assert_close(quality.shape, 1.0);
        assert_close(quality.smallest_angle.unwrap(), (1.0_f64 / 3.0).acos().to_degrees());
    }

    /// V = 1/6, squares 9; the slant face meets the others at arctan √2.
    #[test]
    fn the_corner_of_a_cube_has_a_known_shape() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let quality = ElementQuality::new(Tetrahedron4, &corners);
        assert_close(quality.shape, 12.0 * 0.25_f64.cbrt() / 9.0);
        assert_close(quality.smallest_angle.unwrap(), 2.0_f64.sqrt().atan().to_degrees());
    }

    /// A rhombus or prism with the angle 30°: the scaled Jacobian is sin 30°.
    #[test]
    fn slanted_quadrangles_and_hexahedra_have_the_sine_of_their_angle() {
        let (sine, cosine) = (0.5, 0.75_f64.sqrt());
        let slant = |[x, y, z]: Point| [x + y * cosine, y * sine, 3.0 * z];
        let square = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let top = square.map(|[x, y, _]| [x, y, 1.0]);
        let quality = ElementQuality::new(Quadrangle4, &square.map(slant));
        assert_close(quality.shape, sine);
        assert_close(quality.smallest_angle.unwrap(), 30.0);
        let cube: Vec<Point> = square.into_iter().chain(top).collect();
        assert_close(ElementQuality::new(Hexahedron8, &cube).shape, 1.0);
        let slanted: Vec<Point> = cube.into_iter().map(slant).collect();
        let quality = ElementQuality::new(Hexahedron8, &slanted);
        assert_close(quality.shape, sine);
        assert_eq!(quality.smallest_angle, None);
        assert_close(quality.longest_edge, 3.0);
    }

    #[test]
    fn straight_second_order_is_as_good_as_its_corners_and_bent_is_worse() {
        let mut mesh = Mesh::block([0.0; 3], [1.0; 3], [1; 3], Tetrahedron10);
        let e = mesh.body_elements().next().unwrap();
        let straight = ElementQuality::new(Tetrahedron10, &mesh.points_of(e));
        let corners = ElementQuality::new(Tetrahedron4, &mesh.points_of(e));
        assert_close(straight.shape, corners.shape);
        let middle = mesh.nodes_of(e)[4] as usize;
        mesh.points[middle][0] -= 0.1;
        let bent = ElementQuality::new(Tetrahedron10, &mesh.points_of(e));
        assert!(0.0 < bent.shape && bent.shape < 0.9 * corners.shape, "{bent:?}");
        let plane = Mesh::rectangle_of([1.0; 2], [1; 2], Triangle6).quality().unwrap();
        assert_close(plane.shape_min, 0.75_f64.sqrt());
        assert_close(plane.angle_min.unwrap(), 45.0);
    }

    #[test]
    fn the_summary_names_the_worst_triangle() {
        let height = 3.0_f64.sqrt();
        let mesh = Mesh {
            dimension: 2,
            points: vec![[0.0; 3], [2.0, 0.0, 0.0], [1.0, height, 0.0], [1.0, -0.1, 0.0]],
            node_tags: vec![1, 2, 3, 4],
            kinds: vec![Line2, Triangle3, Triangle3],
            offsets: vec![0, 2, 5, 8],
            connectivity: vec![0, 1, 0, 1, 2, 0, 3, 1],
            element_tags: vec![10, 11, 12],
            ..Mesh::default()
        };
        let summary = mesh.quality().unwrap();
        let flat = ElementQuality::new(Triangle3, &mesh.points_of(2));
        assert_eq!(summary.worst_element, 12);
        assert_eq!(summary.shape_min, flat.shape);
        assert_eq!(summary.angle_min, flat.smallest_angle);
        assert_close(summary.shape_mean, 0.5 * (1.0 + flat.shape));
        assert_close(summary.edge_min, 1.01_f64.sqrt());
        assert_close(summary.edge_max, 2.0);
    }

    #[test]
    fn lines_have_edges_and_points_have_no_quality() {
        let summary = Mesh::line(0.0, 3.0, 2).quality().unwrap();
        assert_eq!((summary.shape_min, summary.angle_min), (1.0, None));
        assert_eq!((summary.edge_min, summary.edge_max), (1.5, 1.5));
        assert_eq!(Mesh::default().quality(), None);
    }
}
