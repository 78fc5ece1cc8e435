//! The direction in which two convex polyhedra are farthest apart, or penetrate least.

use super::Polyhedron;
use crate::vector::{cross, dot, minus, plus, times};

/// A plane n·x = offset, outside where n·x is more.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacePlane {
    pub normal: [f64; 3],
    pub offset: f64,
}

impl FacePlane {
    /// Signed distance of a point.
    #[inline]
    pub(super) fn height(&self, point: [f64; 3]) -> f64 {
        dot(self.normal, point) - self.offset
    }
}

/// A polyhedron as the first of the two sees it.
#[derive(Clone, Copy)]
pub(super) struct Hull<'a> {
    pub shape: &'a Polyhedron,
    pub vertices: &'a [[f64; 3]],
    pub planes: &'a [FacePlane],
    /// Heights over the planes of a point inside the other one.
    pub seen: &'a [f64],
}

/// The face whose plane has the other one farthest above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceAxis {
    /// Height of the other one's lowest corner.
    pub gap: f64,
    pub face: usize,
    /// That corner.
    pub vertex: usize,
}

/// An edge of each, and the direction across both.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeAxis {
    pub gap: f64,
    /// Unit vector from the first to the second.
    pub normal: [f64; 3],
    pub edges: [usize; 2],
}

/// What the edges must beat, and how closely is looked.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeSearch {
    /// Gap of the best face.
    pub floor: f64,
    /// Two gaps this close are one.
    pub tolerance: f64,
    /// No gap above this is of interest.
    pub within: f64,
}

/// The lowest of `vertices` over a plane, or any that is below `floor`.
fn lowest(plane: FacePlane, vertices: &[[f64; 3]], floor: f64) -> (f64, usize) {
    let mut best = (f64::INFINITY, 0);
    for (i, &vertex) in vertices.iter().enumerate() {
        let height = plane.height(vertex);
        if height < best.0 {
            best = (height, i);
            if height < floor {
                break;
            }
        }
    }
    best
}

/// The best face of `hull` against `other`; of faces that are equally good the one with the least
/// number, whatever the rounding.
pub(super) fn face_axis(hull: &Hull, other: &[[f64; 3]], tolerance: f64) -> FaceAxis {
    let promising = (0..hull.seen.len()).fold(0, |best, i| {
        let better = hull.seen[i] > hull.seen[best];
        if better { i } else { best }
    });
    let (gap, vertex) = lowest(hull.planes[promising], other, f64::NEG_INFINITY);
    let floor = gap - tolerance;
    let mut best = FaceAxis { gap: f64::NEG_INFINITY, face: promising, vertex };
    for (face, &plane) in hull.planes.iter().enumerate() {
        let (gap, vertex) = match face == promising {
            true => (gap, vertex),
            // A face that a point of the other one is so far below has no higher gap.
            false if hull.seen[face] < floor => continue,
            false => lowest(plane, other, floor),
        };
        if gap >= floor && gap > best.gap + tolerance {
            best = FaceAxis { gap, face, vertex };
        }
    }
    best
}

/// An edge of the second polyhedron that may meet one of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearEdge {
    index: u32,
    faces: [u32; 2],
    start: [f64; 3],
    along: [f64; 3],
    square: f64,
}

/// Sine below which an edge lies in a face, squared; an axis that close to the normal of a face
/// says nothing that the face does not.
const IN_FACE: f64 = 1e-18;
/// Cosine above which an axis is the normal of the best face: faces that lie on one another up to a
/// milliradian meet in all their corners and not across two edges.
pub(super) const ALONG_NORMAL: f64 = 1.0 - 5e-7;

/// Whether numbers are on two sides of 0, by more than a tolerance of square `least`.
#[inline]
pub(super) fn apart(a: f64, b: f64, least: f64) -> bool {
    a * b < 0.0 && a * a > least && b * b > least
}

/// The edges that can meet the other polyhedron closer than its faces do.
///
/// ```text
///     n ∝ α a + β b,  α, β ≥ 0,  a·(x−e) ≤ f, b·(x−e) ≤ f, f ≤ 0   ⇒   n·(x−e) ≤ f
/// ```
///
/// for an edge through e between faces with normals a and b and any x inside the other one: an edge
/// whose faces both have x that far below them has no gap above f.
fn near(hull: &Hull, floor: f64) -> impl Iterator<Item = NearEdge> {
    let deep = floor.min(0.0);
    let far = move |face: u32| hull.seen[face as usize] <= deep;
    hull.shape.edges.iter().enumerate().filter_map(move |(index, edge)| {
        let faces = edge.faces;
        if far(faces[0]) && far(faces[1]) {
            return None;
        }
        let [start, end] = edge.ends.map(|end| hull.vertices[end as usize]);
        let along = minus(end, start);
        Some(NearEdge { index: index as u32, faces, start, along, square: dot(along, along) })
    })
}

/// The pair of edges that are farthest apart across both, if that is clearly farther than `floor`.
/// Only pairs that are an edge of the Minkowski difference count: their faces' normals, the second
/// ones reversed, are arcs on the sphere that cross.
pub(super) fn edge_axis(
    first: &Hull,
    second: &Hull,
    search: &EdgeSearch,
    edges: &mut Vec<NearEdge>,
    slopes: &mut Vec<f64>,
) -> Option<EdgeAxis> {
    edges.clear();
    edges.extend(near(second, search.floor));
    let mut best = EdgeAxis { gap: search.floor, normal: [0.0; 3], edges: [usize::MAX; 2] };
    for a in near(first, search.floor) {
        slopes.clear();
        slopes.extend(second.planes.iter().map(|plane| dot(a.along, plane.normal)));
        let sides = a.faces.map(|face| first.planes[face as usize].normal);
        for b in edges.iter() {
            let [u, v] = b.faces.map(|face| slopes[face as usize]);
            if !apart(u, v, IN_FACE * a.square) {
                continue;
            }
            let [u, v] = sides.map(|side| dot(b.along, side));
            if !apart(u, v, IN_FACE * b.square) {
                continue;
            }
            let across = cross(a.along, b.along);
            let square = dot(across, across);
            if square <= IN_FACE * a.square * b.square {
                continue;
            }
            let scale = dot(across, plus(sides[0], sides[1])).signum() / square.sqrt();
            let normal = times(scale, across);
            let faces = b.faces.map(|face| second.planes[face as usize].normal);
            if dot(normal, plus(faces[0], faces[1])) >= 0.0 {
                continue;
            }
            let gap = dot(normal, minus(b.start, a.start));
            if gap <= best.gap + search.tolerance {
                continue;
            }
            best = EdgeAxis { gap, normal, edges: [a.index as usize, b.index as usize] };
            if gap > search.within {
                return Some(best);
            }
        }
    }
    (best.edges[0] != usize::MAX).then_some(best)
}
