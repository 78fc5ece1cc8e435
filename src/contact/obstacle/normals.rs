//! Normals of a closed surface: at its vertices for the side a point is on, at its corners for
//! contact.

use std::f64::consts::PI;

use super::closed::{Neighbours, TriangleEdge};
use super::triangle::Triangle;
use crate::vector::{cross, dot, length, minus, plus, times, unit};

/// What contact needs of a triangle's surroundings.
#[derive(Clone, Debug)]
pub(super) struct SurfaceFacet {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// What lies across its edges.
    pub across: [TriangleEdge; 3],
    /// Contact normals at its corners.
    pub corner_normals: [[f64; 3]; 3],
    /// Whether the surface has a crease along its edges.
    pub edge_creased: [bool; 3],
    /// Whether creases part the facets around its corners.
    pub corner_creased: [bool; 3],
}

/// Angle-weighted pseudonormals of the vertices: Σ angle · facet normal, not of length 1. The
/// product with x − vertex has the sign of the distance of a point x nearest to that vertex
/// (J. A. Bærentzen, H. Aanæs, *Signed distance computation using the angle weighted pseudonormal*,
/// IEEE Trans. Vis. Comput. Graph. 11, 2005).
pub(super) fn at_vertices(
    count: usize,
    triangles: &[[u32; 3]],
    geometry: &[Triangle],
) -> Vec<[f64; 3]> {
    let mut normals = vec![[0.0; 3]; count];
    for (ids, triangle) in triangles.iter().zip(geometry) {
        for corner in 0..3 {
            let normal = &mut normals[ids[corner] as usize];
            *normal = plus(*normal, weighted_normal(triangle, corner));
        }
    }
    normals
}

/// The facet's normal times its angle at a corner.
fn weighted_normal(triangle: &Triangle, corner: usize) -> [f64; 3] {
    let [a, b, c] = [0, 1, 2].map(|k| triangle.corners[(corner + k) % 3]);
    let (u, w) = (minus(b, a), minus(c, a));
    times(length(cross(u, w)).atan2(dot(u, w)), triangle.normal)
}

/// Corner normals: an edge whose facets differ by less than `crease` radians is smooth, and the
/// normal at a corner is the angle-weighted mean over the facets reached from it around the vertex
/// through smooth edges. However a flat face is cut into triangles, it counts by its angle. Facets on
/// both sides of a smooth edge share the normals at its ends, so that interpolated normals are
/// continuous across it.
pub(super) fn facets(
    triangles: &[[u32; 3]],
    geometry: &[Triangle],
    across: &Neighbours,
    crease: f64,
) -> Vec<SurfaceFacet> {
    let fan = Fan { geometry, across, least_cosine: crease.clamp(0.0, PI).cos() };
    let facet = |t: usize| {
        let around = [0, 1, 2].map(|corner| fan.corner_normal(t, corner));
        SurfaceFacet {
            vertices: triangles[t],
            across: across[t],
            corner_normals: around.map(|(normal, _)| normal),
            edge_creased: [0, 1, 2].map(|edge| !fan.is_smooth(t, edge)),
            corner_creased: around.map(|(_, creased)| creased),
        }
    };
    (0..triangles.len()).map(facet).collect()
}

/// Walks around vertices.
struct Fan<'a> {
    geometry: &'a [Triangle],
    across: &'a Neighbours,
    least_cosine: f64,
}

impl Fan<'_> {
    fn is_smooth(&self, t: usize, edge: usize) -> bool {
        let there = self.across[t][edge].triangle as usize;
        dot(self.geometry[t].normal, self.geometry[there].normal) >= self.least_cosine
    }

    /// The next (triangle, corner) around the vertex: across the edge that leaves the corner, or
    /// backwards across the one that comes to it; and whether that edge is smooth.
    fn next(&self, (t, corner): (usize, usize), backwards: bool) -> ((usize, usize), bool) {
        let edge = if backwards { (corner + 2) % 3 } else { corner };
        let TriangleEdge { triangle, edge: there } = self.across[t][edge];
        let there = there as usize;
        let next = (triangle as usize, if backwards { there } else { (there + 1) % 3 });
        (next, self.is_smooth(t, edge))
    }

    /// The contact normal at a corner, and whether it is not that of all facets around the vertex.
    fn corner_normal(&self, t: usize, corner: usize) -> ([f64; 3], bool) {
        let start = (t, corner);
        let mut sum = weighted_normal(&self.geometry[t], corner);
        // The whole fan, without the start, up to its first crease.
        let (mut size, mut reached, mut open) = (1, 1, true);
        let (mut at, mut smooth) = self.next(start, false);
        while at != start {
            open &= smooth;
            size += 1;
            if open {
                reached += 1;
                sum = plus(sum, weighted_normal(&self.geometry[at.0], at.1));
            }
            (at, smooth) = self.next(at, false);
        }
        (at, smooth) = self.next(start, true);
        while reached < size && smooth {
            reached += 1;
            sum = plus(sum, weighted_normal(&self.geometry[at.0], at.1));
            (at, smooth) = self.next(at, true);
        }
        let own = self.geometry[t].normal;
        // A normal that does not leave the facet would push a body through it.
        let normal = unit(sum).filter(|&n| dot(n, own) > 0.0).unwrap_or(own);
        (normal, reached < size)
    }
}

#[cfg(test)]
mod tests {
    use super::super::closed::{neighbours, orient};
    use super::super::surface::tests::{cube, icosphere, longest_edge};
    use super::*;

    fn facets_of(
        (vertices, mut triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>),
        degrees: f64,
    ) -> Vec<SurfaceFacet> {
        orient(&vertices, &mut triangles).unwrap();
        let across = neighbours(&vertices, &triangles).unwrap();
        let corners = |t: &[u32; 3]| t.map(|i| vertices[i as usize]);
        let geometry: Vec<_> =
            triangles.iter().map(|t| Triangle::new(corners(t)).unwrap()).collect();
        facets(&triangles, &geometry, &across, degrees.to_radians())
    }

    #[test]
    fn a_cube_keeps_its_face_normals_and_its_creases() {
        for facet in facets_of(cube([1.0, 2.0, 3.0]), 30.0) {
            let [a, b, c] = facet.corner_normals;
            assert!(length(minus(a, b)) < 1e-15 && length(minus(a, c)) < 1e-15);
            assert_eq!(a.iter().filter(|n| n.abs() == 1.0).count(), 1);
            assert_eq!(facet.edge_creased.iter().filter(|&&creased| creased).count(), 2);
            assert_eq!(facet.corner_creased, [true; 3]);
        }
    }

    /// Exact where the facets around a vertex are alike; where they are not, as across the edges of
    /// the icosahedron, 0.032 of the longest edge remains at all levels.
    #[test]
    fn an_icosphere_has_no_creases_and_its_corner_normals_are_nearly_radial() {
        for level in [2, 3, 4] {
            let (vertices, triangles) = icosphere(level);
            let longest = longest_edge(&vertices, &triangles);
            for facet in facets_of((vertices.clone(), triangles), 30.0) {
                assert!(facet.edge_creased == [false; 3] && facet.corner_creased == [false; 3]);
                for k in 0..3 {
                    let radial = vertices[facet.vertices[k] as usize];
                    let off = length(minus(facet.corner_normals[k], radial));
                    assert!(off < 0.04 * longest, "level {level}: {off} of {longest}");
                }
            }
        }
    }

    #[test]
    fn a_wide_crease_angle_rounds_the_corners_of_a_cube() {
        for facet in facets_of(cube([1.0; 3]), 100.0) {
            assert_eq!((facet.edge_creased, facet.corner_creased), ([false; 3], [false; 3]));
            let diagonal = facet.corner_normals[0].map(f64::abs);
            assert!(diagonal.iter().all(|n| (n - 1.0 / 3f64.sqrt()).abs() < 1e-15));
        }
    }
}
