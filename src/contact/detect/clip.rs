//! A polygon cut off at the sides of a face (Sutherland and Hodgman 1974), its corners knowing what
//! they are.

use crate::vector::{cross, distance, dot, length, minus, moved, plus};

/// What a corner of the cut polygon is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CutCorner {
    /// This corner of the polygon.
    Incident(u32),
    /// This corner of the face, above or below the polygon.
    Reference(u32),
    /// An edge of the polygon above or below an edge of the face.
    Crossing { incident: u32, reference: u32 },
}

/// What an edge of the cut polygon lies along, numbered by the corner before it.
#[derive(Clone, Copy, Debug)]
enum CutEdge {
    Incident(u32),
    Reference(u32),
}

/// A corner of the polygon and the edge after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutPoint {
    pub at: [f64; 3],
    pub corner: CutCorner,
    edge: CutEdge,
}

/// A polygon while it is cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Clipper {
    points: Vec<CutPoint>,
    next: Vec<CutPoint>,
    heights: Vec<f64>,
}

/// Points closer than this many tolerances are one.
const MERGED: f64 = 10.0;

impl Clipper {
    /// Starts with a whole polygon.
    pub(super) fn start(&mut self, corners: impl Iterator<Item = [f64; 3]>) {
        self.points.clear();
        self.points.extend(corners.zip(0..).map(|(at, i)| CutPoint {
            at,
            corner: CutCorner::Incident(i),
            edge: CutEdge::Incident(i),
        }));
    }

    /// What is left, coincident corners merged; nothing if it has no area, as where two blocks of a
    /// wall share an edge or a corner only: the direction between them is arbitrary there.
    pub(super) fn cut(
        &mut self,
        face: impl ExactSizeIterator<Item = [f64; 3]> + Clone,
        normal: [f64; 3],
        tolerance: f64,
    ) -> &[CutPoint] {
        let count = face.len() as u32;
        let ends = face.clone().skip(1).chain(face.clone().take(1));
        for ((start, end), side) in face.zip(ends).zip(0..) {
            let outward = cross(minus(end, start), normal);
            self.cut_side((start, outward), (side, count), tolerance * length(outward));
        }
        self.merge(MERGED * tolerance);
        if !self.has_area(tolerance) {
            self.points.clear();
        }
        &self.points
    }

    /// Cuts off what is out of one side, more than a tolerance: a flush edge stays.
    fn cut_side(&mut self, side: ([f64; 3], [f64; 3]), number: (u32, u32), tolerance: f64) {
        let (start, outward) = side;
        self.heights.clear();
        self.heights.extend(self.points.iter().map(|p| dot(outward, minus(p.at, start))));
        if self.heights.iter().all(|&height| height <= tolerance) {
            return;
        }
        self.next.clear();
        for i in 0..self.points.len() {
            let j = if i + 1 == self.points.len() { 0 } else { i + 1 };
            let (p, q, u, v) = (self.points[i], self.points[j], self.heights[i], self.heights[j]);
            let leaves = v > tolerance;
            if u <= tolerance {
                // On the side and about to leave: the next edge lies along the side.
                let along = leaves && u >= -tolerance;
                let edge = if along { CutEdge::Reference(number.0) } else { p.edge };
                self.next.push(CutPoint { edge, ..p });
            }
            if (u < -tolerance && leaves) || (u > tolerance && v < -tolerance) {
                let at = moved(p.at, u / (u - v), minus(q.at, p.at));
                let edge = if leaves { CutEdge::Reference(number.0) } else { p.edge };
                self.next.push(CutPoint { at, corner: crossed(p.edge, number), edge });
            }
        }
        std::mem::swap(&mut self.points, &mut self.next);
    }

    /// One of those that coincide stays, a corner of the polygon rather than a crossing.
    fn merge(&mut self, tolerance: f64) {
        let rank = |p: &CutPoint| match p.corner {
            CutCorner::Incident(_) => 0,
            CutCorner::Reference(_) => 1,
            CutCorner::Crossing { .. } => 2,
        };
        let near = |p: &CutPoint, q: &CutPoint| distance(p.at, q.at) <= tolerance;
        self.points.dedup_by(|later, kept| {
            let one = near(later, kept);
            if one && rank(later) < rank(kept) {
                *kept = *later;
            }
            one
        });
        while let [first, .., last] = self.points[..]
            && near(&first, &last)
        {
            if rank(&last) < rank(&first) {
                self.points[0] = last;
            }
            self.points.pop();
        }
    }

    /// Whether the polygon is wider than the tolerance.
    fn has_area(&self, tolerance: f64) -> bool {
        let Some(origin) = self.points.first().map(|p| p.at) else { return false };
        let (mut area, mut around) = ([0.0; 3], 0.0);
        for pair in self.points.windows(2) {
            let [a, b] = [minus(pair[0].at, origin), minus(pair[1].at, origin)];
            area = plus(area, cross(a, b));
            around += length(minus(b, a));
        }
        length(area) > tolerance * around
    }
}

/// What the crossing of an edge of the polygon with a side of the face is.
fn crossed(edge: CutEdge, (side, count): (u32, u32)) -> CutCorner {
    match edge {
        CutEdge::Incident(incident) => CutCorner::Crossing { incident, reference: side },
        CutEdge::Reference(other) if (other + 1) % count == side => CutCorner::Reference(side),
        CutEdge::Reference(other) => CutCorner::Reference(other),
    }
}
