//! Where a capsule meets a polyhedron: along a face or an edge at both ends of the part that lies
//! there, elsewhere where they are nearest.

use super::axis::apart;
use super::capsule::{Rod, are_parallel, end_at, nearest_shares, part_beside};
use super::feature::{BETWEEN, capsule_end};
use super::polyhedra::tolerance;
use super::round::{is_over, on_segment, share_nearest};
use super::{Carrier, Meeting, Placement, Polyhedron};
use crate::vector::{cross, distance, dot, length, minus, moved, plus, polar, times};

/// Where the segment in the middle of a capsule is nearest to a polyhedron.
#[derive(Clone, Copy)]
struct Nearness {
    /// Signed distance.
    height: f64,
    /// Unit vector from the polyhedron.
    normal: [f64; 3],
    /// The share along the segment.
    share: f64,
    /// The edge that is nearest, if it is one.
    edge: Option<usize>,
}

/// One or two points of the segment, and their heights along one normal.
struct RodPoints {
    normal: [f64; 3],
    shares: [f64; 2],
    heights: [f64; 2],
    count: usize,
}

/// The segment as the polyhedron sees it.
struct RodView<'a> {
    shape: &'a Polyhedron,
    ends: [[f64; 3]; 2],
    tolerance: f64,
}

/// Appends where a capsule meets a polyhedron, as the first and second body.
pub(super) fn meet_rod_and_polyhedron(
    rod: Rod,
    solid: (&Polyhedron, &Placement),
    within: f64,
    found: &mut Vec<Meeting>,
) {
    let (shape, placement) = solid;
    let ends = rod.ends.map(|end| placement.to_body(end));
    let most = rod.radius + within;
    let squares = shape.vertices.iter().map(|&vertex| dot(vertex, vertex));
    let size = squares.fold(0.0, f64::max).sqrt();
    let tolerance = tolerance(size, distance(ends[0], ends[1]) + rod.radius);
    let view = RodView { shape, ends, tolerance };
    let Some(near) = view.nearness(most) else { return };
    let points = view.points(&near);
    let normal = placement.turned(points.normal);
    for i in 0..points.count {
        let (share, height) = (points.shares[i], points.heights[i]);
        let gap = height - rod.radius;
        if gap > within {
            continue;
        }
        let middle = moved(on_segment(ends, share), -0.5 * (height + rod.radius), points.normal);
        let (feature, carrier) = match (points.count, end_at(share)) {
            (1, 2) => (BETWEEN, Carrier::Second),
            (_, 2) => (capsule_end(i), Carrier::Second),
            (_, end) if rod.radius > 0.0 => (capsule_end(end), Carrier::CenterOfFirst),
            (_, end) => (capsule_end(end), Carrier::First),
        };
        found.push(Meeting { gap, normal, place: placement.to_space(middle), feature, carrier });
    }
}

/// Cosine above which a direction is the normal of a face.
const ALONG_NORMAL: f64 = 1.0 - 5e-7;

/// Share by which heights differ along directions that count as one.
const FLAT: f64 = 1e-6;

impl RodView<'_> {
    /// Nothing if the segment is more than `most` from the polyhedron.
    fn nearness(&self, most: f64) -> Option<Nearness> {
        let mut best = (f64::NEG_INFINITY, 0);
        for (i, face) in self.shape.faces.iter().enumerate() {
            let [a, b] = self.ends.map(|end| dot(face.normal, end) - face.offset);
            if a.min(b) > most {
                return None;
            }
            if a.min(b) > best.0 + self.tolerance {
                best = (a.min(b), i);
            }
        }
        let near = if self.goes_through() { self.through(best) } else { self.beside(best) };
        (near.height <= most).then_some(near)
    }

    /// Whether the segment has points inside.
    fn goes_through(&self) -> bool {
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        for face in &self.shape.faces {
            let [a, b] =
                self.ends.map(|end| dot(face.normal, end) - face.offset + 1e-3 * self.tolerance);
            if a > 0.0 && b > 0.0 {
                return false;
            }
            if a > 0.0 {
                enters = enters.max(a / (a - b));
            } else if b > 0.0 {
                leaves = leaves.min(a / (a - b));
            }
        }
        enters < leaves
    }

    /// Least penetration of a segment that goes through, over faces and edges across it.
    fn through(&self, (height, face): (f64, usize)) -> Nearness {
        let normal = self.shape.faces[face].normal;
        let low = self.ends.map(|end| dot(normal, end));
        let share = if low[0] <= low[1] { 0.0 } else { 1.0 };
        let mut best = Nearness { height, normal, share, edge: None };
        let along = minus(self.ends[1], self.ends[0]);
        for (i, edge) in self.shape.edges.iter().enumerate() {
            let sides = edge.faces.map(|face| self.shape.faces[face as usize].normal);
            let [a, b] = sides.map(|side| dot(side, along));
            if !apart(a, b, 1e-18 * dot(along, along)) {
                continue;
            }
            let line = edge.ends.map(|end| self.shape.vertices[end as usize]);
            let Some((_, across)) = polar(cross(along, minus(line[1], line[0]))) else { continue };
            let normal = times(dot(across, plus(sides[0], sides[1])).signum(), across);
            let height = dot(normal, minus(self.ends[0], line[0]));
            if height > best.height + self.tolerance {
                let share = nearest_shares(self.ends, line)[0];
                best = Nearness { height, normal, share, edge: Some(i) };
            }
        }
        best
    }

    /// Distance of a segment that stays outside.
    fn beside(&self, (height, face): (f64, usize)) -> Nearness {
        let mut best = Nearness {
            height: f64::INFINITY,
            normal: self.shape.faces[face].normal,
            share: 0.0,
            edge: None,
        };
        let heights = |face: usize| {
            let face = &self.shape.faces[face];
            self.ends.map(|end| dot(face.normal, end) - face.offset)
        };
        for i in 0..self.shape.faces.len() {
            for (share, height) in [0.0, 1.0].into_iter().zip(heights(i)) {
                let end = self.ends[share as usize];
                if height >= 0.0 && height < best.height && is_over(self.shape, i, end) {
                    best =
                        Nearness { height, normal: self.shape.faces[i].normal, share, edge: None };
                }
            }
        }
        for (i, edge) in self.shape.edges.iter().enumerate() {
            // The nearest point lies on an edge of a face that sees an end.
            if edge.faces.iter().all(|&face| heights(face as usize).iter().all(|&h| h <= 0.0)) {
                continue;
            }
            let line = edge.ends.map(|end| self.shape.vertices[end as usize]);
            let [share, other] = nearest_shares(self.ends, line);
            let way = minus(on_segment(self.ends, share), on_segment(line, other));
            let away = length(way);
            if away < best.height - 1e-3 * self.tolerance {
                let normal = match away > 1e-3 * self.tolerance {
                    true => times(1.0 / away, way),
                    false => self.shape.faces[face].normal,
                };
                best = Nearness { height: away, normal, share, edge: Some(i) };
            }
        }
        if best.height.is_finite() { best } else { Nearness { height, ..best } }
    }

    /// The points where the segment meets the polyhedron.
    fn points(&self, near: &Nearness) -> RodPoints {
        let along_face = (0..self.shape.faces.len())
            .find(|&i| dot(self.shape.faces[i].normal, near.normal) > ALONG_NORMAL);
        let pair = match (along_face, near.edge) {
            (Some(face), _) => self.over_face(face),
            (None, Some(edge)) => self.over_edge(edge, near),
            (None, None) => None,
        };
        // A steep rod whose end is just beyond the border of a face comes over the face higher up.
        let least = near.height + self.tolerance + FLAT * near.height.abs();
        let pair = pair.filter(|pair| pair.heights[0].min(pair.heights[1]) <= least);
        pair.unwrap_or(RodPoints {
            normal: near.normal,
            shares: [near.share; 2],
            heights: [near.height; 2],
            count: 1,
        })
    }

    /// The ends of the part of the segment that is over a face.
    fn over_face(&self, face: usize) -> Option<RodPoints> {
        let face = &self.shape.faces[face];
        let corner = |i: usize| self.shape.vertices[face.corners[i % face.corners.len()] as usize];
        let mut shares = [0.0f64, 1.0];
        for i in 0..face.corners.len() {
            let outward = cross(minus(corner(i + 1), corner(i)), face.normal);
            let [a, b] = self.ends.map(|end| dot(outward, minus(end, corner(i))));
            let least = self.tolerance * length(outward);
            if a > least && b > least {
                return None;
            }
            if a > least {
                shares[0] = shares[0].max(a / (a - b));
            } else if b > least {
                shares[1] = shares[1].min(a / (a - b));
            }
        }
        let length = distance(self.ends[0], self.ends[1]);
        let over = |share| dot(face.normal, on_segment(self.ends, share)) - face.offset;
        ((shares[1] - shares[0]) * length > self.tolerance).then(|| RodPoints {
            normal: face.normal,
            shares,
            heights: shares.map(over),
            count: 2,
        })
    }

    /// The ends of the part of the segment that lies beside an edge.
    fn over_edge(&self, edge: usize, near: &Nearness) -> Option<RodPoints> {
        let line = self.shape.edges[edge].ends.map(|end| self.shape.vertices[end as usize]);
        if !are_parallel(minus(self.ends[1], self.ends[0]), minus(line[1], line[0])) {
            return None;
        }
        let shares = part_beside(self.ends, line)?;
        let over = |share| {
            let at = on_segment(self.ends, share);
            dot(near.normal, minus(at, on_segment(line, share_nearest(line, at))))
        };
        Some(RodPoints { normal: near.normal, shares, heights: shares.map(over), count: 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{at, cuboid};
    use super::*;

    /// Found beside parry: the end of a steep rod is 1e-4 beyond the border of a face and nearest to its edge; the part
    /// of the rod that is over the face is 7.5e-5 higher.
    #[test]
    fn a_steep_rod_beside_the_border_of_a_face_is_nearest_with_its_end() {
        let (cube, placement) = (cuboid([1.0; 3]), at([0.0; 3]));
        let ends = [[1.0001, 0.3, 1.148], [0.8, 0.3, 1.298]];
        let mut found = Vec::new();
        for ends in [ends, [ends[1], ends[0]]] {
            found.clear();
            meet_rod_and_polyhedron(
                Rod { ends, radius: 0.126 },
                (&cube, &placement),
                0.1,
                &mut found,
            );
            assert_eq!(found.len(), 1, "{found:?}");
            let distance = (0.148f64 * 0.148 + 1e-8).sqrt();
            assert!((found[0].gap - (distance - 0.126)).abs() < 1e-14, "{found:?}");
        }
    }

    /// One that lies on a face meets it at both ends of the part that does.
    #[test]
    fn a_rod_that_lies_on_a_face_meets_it_twice() {
        let (cube, placement) = (cuboid([1.0; 3]), at([0.0; 3]));
        let mut found = Vec::new();
        let ends = [[-0.5, 0.2, 1.1], [1.5, 0.2, 1.1]];
        meet_rod_and_polyhedron(Rod { ends, radius: 0.1 }, (&cube, &placement), 0.01, &mut found);
        let mut places: Vec<f64> = found.iter().map(|m| m.place[0]).collect();
        places.sort_by(f64::total_cmp);
        assert_eq!(places, [-0.5, 1.0]);
        assert!(found.iter().all(|m| m.gap.abs() < 1e-15 && m.normal == [0.0, 0.0, 1.0]));
    }
}
