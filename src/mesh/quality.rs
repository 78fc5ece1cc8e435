//! How well shaped the triangles of a mesh are.

use super::{ElementKind, Mesh};

/// Shape of one triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleQuality {
    /// 1 if equilateral, 0 if flat.
    pub shape: f64,
    /// Smallest angle, in degrees.
    pub smallest_angle: f64,
    /// Shortest edge.
    pub shortest_edge: f64,
    /// Longest edge.
    pub longest_edge: f64,
}

impl TriangleQuality {
    /// Shape of the triangle with these corners in the plane.
    ///
    /// With edges a ≤ b ≤ c and area A:
    ///
    /// ```text
    ///     shape = 4 √3 A / (a² + b² + c²)
    ///     tan α = 4 A / (b² + c² − a²)        α opposite of a
    /// ```
    pub fn new([p, q, r]: [[f64; 3]; 3]) -> Self {
        let edge = |from: [f64; 3], to: [f64; 3]| [to[0] - from[0], to[1] - from[1]];
        let (pq, pr, qr) = (edge(p, q), edge(p, r), edge(q, r));
        let area = 0.5 * (pq[0] * pr[1] - pr[0] * pq[1]).abs();
        let mut squares = [pq, pr, qr].map(|edge| edge[0] * edge[0] + edge[1] * edge[1]);
        squares.sort_by(f64::total_cmp);
        let [a2, b2, c2] = squares;
        Self {
            shape: 4.0 * 3.0_f64.sqrt() * area / (a2 + b2 + c2),
            smallest_angle: (4.0 * area).atan2(b2 + c2 - a2).to_degrees(),
            shortest_edge: a2.sqrt(),
            longest_edge: c2.sqrt(),
        }
    }
}

/// Shape of all triangles of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualitySummary {
    /// Smallest shape measure, 1 being equilateral and 0 flat.
    pub shape_min: f64,
    /// Mean shape measure.
    pub shape_mean: f64,
    /// Number in the file of the element with the smallest shape measure, the first if several.
    pub worst_element: u64,
    /// Smallest angle of all, in degrees.
    pub angle_min: f64,
    /// Shortest edge of all.
    pub edge_min: f64,
    /// Longest edge of all.
    pub edge_max: f64,
}

impl Mesh {
    /// Summary of the triangles' shapes, or `None` if there is no triangle.
    pub fn quality(&self) -> Option<QualitySummary> {
        let triangles = (0..self.element_count()).filter(|&e| match self.kinds[e] {
            ElementKind::Triangle3 => true,
            ElementKind::Point1 | ElementKind::Line2 => false,
        });
        let mut summary: Option<QualitySummary> = None;
        let mut count = 0.0;
        for e in triangles {
            let triangle = TriangleQuality::new(self.triangle(e));
            let tag = self.element_tags[e];
            count += 1.0;
            summary = Some(
                summary.map_or_else(|| triangle.alone(tag), |so_far| so_far.with(triangle, tag)),
            );
        }
        summary.map(|sum| QualitySummary { shape_mean: sum.shape_mean / count, ..sum })
    }
}

impl TriangleQuality {
    /// The summary of this triangle only.
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
    /// With one more triangle; the mean is still the sum.
    fn with(self, triangle: TriangleQuality, tag: u64) -> Self {
        Self {
            shape_min: self.shape_min.min(triangle.shape),
            shape_mean: self.shape_mean + triangle.shape,
            worst_element: if triangle.shape < self.shape_min { tag } else { self.worst_element },
            angle_min: self.angle_min.min(triangle.smallest_angle),
            edge_min: self.edge_min.min(triangle.shortest_edge),
            edge_max: self.edge_max.max(triangle.longest_edge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers near 1, or of an angle below 64 degrees.
    const ROUNDING: f64 = 1e-14;

    fn assert_close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() <= ROUNDING * expected.abs().max(1.0),
            "{found} is not {expected}"
        );
    }

    #[test]
    fn the_equilateral_triangle_has_shape_one_and_sixty_degrees() {
        let quality = TriangleQuality::new([[0.0; 3], [2.0, 0.0, 0.0], [1.0, 3.0_f64.sqrt(), 0.0]]);
        assert_close(quality.shape, 1.0);
        assert_close(quality.smallest_angle, 60.0);
        assert_close(quality.shortest_edge, 2.0);
        assert_close(quality.longest_edge, 2.0);
    }

    /// Edges 3, 4, 5: area 6, squares 50, and tan α = 3/4.
    #[test]
    fn orientation_and_order_of_corners_do_not_matter() {
        let [p, q, r] = [[0.0; 3], [4.0, 0.0, 0.0], [4.0, 3.0, 0.0]];
        for corners in [[p, q, r], [q, r, p], [r, q, p]] {
            let quality = TriangleQuality::new(corners);
            assert_close(quality.shape, 24.0 * 3.0_f64.sqrt() / 50.0);
            assert_close(quality.smallest_angle, 0.75_f64.atan().to_degrees());
            assert_close(quality.shortest_edge, 3.0);
            assert_close(quality.longest_edge, 5.0);
        }
    }

    #[test]
    fn the_summary_names_the_worst_triangle() {
        let height = 3.0_f64.sqrt();
        let mesh = Mesh {
            dimension: 2,
            points: vec![[0.0; 3], [2.0, 0.0, 0.0], [1.0, height, 0.0], [1.0, -0.1, 0.0]],
            node_tags: vec![1, 2, 3, 4],
            kinds: vec![ElementKind::Line2, ElementKind::Triangle3, ElementKind::Triangle3],
            offsets: vec![0, 2, 5, 8],
            connectivity: vec![0, 1, 0, 1, 2, 0, 3, 1],
            element_tags: vec![10, 11, 12],
            ..Mesh::default()
        };
        let summary = mesh.quality().unwrap();
        let flat = TriangleQuality::new(mesh.triangle(2));
        assert_eq!(summary.worst_element, 12);
        assert_eq!(summary.shape_min, flat.shape);
        assert_eq!(summary.angle_min, flat.smallest_angle);
        assert_close(summary.shape_mean, 0.5 * (1.0 + flat.shape));
        assert_close(summary.edge_min, 1.01_f64.sqrt());
        assert_close(summary.edge_max, 2.0);
    }

    #[test]
    fn a_mesh_without_triangles_has_no_quality() {
        assert_eq!(Mesh::default().quality(), None);
    }
}
