//! Where two convex polyhedra meet: the axis that separates them best, then the faces along it cut
//! by one another, or two edges across.

use super::axis::{
    ALONG_NORMAL, EdgeAxis, EdgeSearch, FaceAxis, FacePlane, Hull, NearEdge, edge_axis, face_axis,
};
use super::clip::{Clipper, CutCorner};
use super::feature::{corner_on_face, crossing};
use super::{Carrier, Meeting, Placement, Polyhedron};
use crate::vector::{cross, dot, minus, moved, plus, times};

/// What two polyhedra need to be compared; its vectors grow once.
#[derive(Clone, Debug, Default)]
pub(super) struct PolyhedraScratch {
    vertices: Vec<[f64; 3]>,
    planes: [Vec<FacePlane>; 2],
    seen: [Vec<f64>; 2],
    edges: Vec<NearEdge>,
    slopes: Vec<f64>,
    clipper: Clipper,
}

/// Lengths below this share of the size are rounding.
pub(super) const RELATIVE: f64 = 1e-9;

/// What counts as rounding between bodies of these two sizes: a pebble on a plain is not measured by
/// the plain, though the plain rounds more.
pub(super) fn tolerance(first: f64, second: f64) -> f64 {
    RELATIVE * (first.min(second) + 1e-5 * first.max(second))
}

/// The second body as the first one sees it.
pub(super) fn seen_from(first: &Placement, second: &Placement) -> Placement {
    let back = |i: usize| [first.turn[0][i], first.turn[1][i], first.turn[2][i]];
    let turn = [0, 1, 2].map(|i| {
        let [a, b, c] = back(i);
        let [x, y, z] =
            [times(a, second.turn[0]), times(b, second.turn[1]), times(c, second.turn[2])];
        plus(plus(x, y), z)
    });
    Placement { place: first.to_body(second.place), turn }
}

/// Distance of the farthest corner from the origin, and the mean of the corners.
fn reach_and_mean(vertices: &[[f64; 3]]) -> (f64, [f64; 3]) {
    let (mut square, mut sum) = (0.0f64, [0.0; 3]);
    for &vertex in vertices {
        square = square.max(dot(vertex, vertex));
        sum = plus(sum, vertex);
    }
    (square.sqrt(), times(1.0 / vertices.len() as f64, sum))
}

fn planes_of(shape: &Polyhedron) -> impl Iterator<Item = FacePlane> {
    shape.faces.iter().map(|face| FacePlane { normal: face.normal, offset: face.offset })
}

/// Appends where two polyhedra meet.
pub(super) fn meet_polyhedra(
    first: (&Polyhedron, &Placement),
    second: (&Polyhedron, &Placement),
    within: f64,
    scratch: &mut PolyhedraScratch,
    found: &mut Vec<Meeting>,
) {
    let there = seen_from(first.1, second.1);
    let (reach, mean) = reach_and_mean(&first.0.vertices);
    let (other_reach, other_mean) = reach_and_mean(&second.0.vertices);
    let far = reach + other_reach + within;
    if dot(there.place, there.place) > far * far {
        return;
    }
    let tolerance = tolerance(reach, other_reach);
    let PolyhedraScratch { vertices, planes, seen, edges, slopes, clipper } = scratch;
    vertices.clear();
    vertices.extend(second.0.vertices.iter().map(|&vertex| there.to_space(vertex)));
    planes[0].clear();
    planes[0].extend(planes_of(first.0));
    planes[1].clear();
    planes[1].extend(planes_of(second.0).map(|FacePlane { normal, offset }| {
        let normal = there.turned(normal);
        FacePlane { normal, offset: offset + dot(normal, there.place) }
    }));
    for (i, inside) in [there.to_space(other_mean), mean].into_iter().enumerate() {
        seen[i].clear();
        seen[i].extend(planes[i].iter().map(|plane| plane.height(inside)));
    }
    let hull =
        |i: usize, shape, vertices| Hull { shape, vertices, planes: &planes[i], seen: &seen[i] };
    let hulls = [hull(0, first.0, &first.0.vertices), hull(1, second.0, vertices)];
    let view = View { hulls, placement: first.1, within, tolerance };
    view.meet(edges, slopes, clipper, found);
}

/// The two, as the first one sees them.
struct View<'a> {
    hulls: [Hull<'a>; 2],
    placement: &'a Placement,
    within: f64,
    tolerance: f64,
}

impl View<'_> {
    fn meet(
        &self,
        edges: &mut Vec<NearEdge>,
        slopes: &mut Vec<f64>,
        clipper: &mut Clipper,
        found: &mut Vec<Meeting>,
    ) {
        let [first, second] = &self.hulls;
        let axis = face_axis(first, second.vertices, self.tolerance);
        if axis.gap > self.within {
            return;
        }
        let other = face_axis(second, first.vertices, self.tolerance);
        if other.gap > self.within {
            return;
        }
        // A tie is the first one's, so that rounding does not decide between faces that lie on one another.
        let (reference, axis) =
            if axis.gap >= other.gap - self.tolerance { (0, axis) } else { (1, other) };
        let face = self.hulls[reference].planes[axis.face].normal;
        let face = if reference == 0 { face } else { times(-1.0, face) };
        let search = EdgeSearch { floor: axis.gap, tolerance: self.tolerance, within: self.within };
        let crossed = edge_axis(first, second, &search, edges, slopes);
        if crossed.is_some_and(|crossed| crossed.gap > self.within) {
            return;
        }
        let start = found.len();
        if crossed.is_none_or(|crossed| dot(crossed.normal, face) > ALONG_NORMAL) {
            self.on_face(reference, &axis, clipper, found);
        }
        // The two faces may lie beside each other where edges along them cross.
        if found.len() == start {
            found.extend(crossed.and_then(|crossed| self.across(&crossed)));
        }
    }

    /// The face of the other body that looks most against the axis, of those at its lowest corner.
    fn incident(&self, reference: usize, axis: &FaceAxis) -> usize {
        let normal = self.hulls[reference].planes[axis.face].normal;
        let hull = &self.hulls[1 - reference];
        let mut best = (f64::INFINITY, 0);
        for (i, (plane, face)) in hull.planes.iter().zip(&hull.shape.faces).enumerate() {
            let cosine = dot(plane.normal, normal);
            if cosine < best.0 && face.corners.contains(&(axis.vertex as u32)) {
                best = (cosine, i);
            }
        }
        best.1
    }

    /// The meetings of a face with the face opposite to it.
    fn on_face(
        &self,
        reference: usize,
        axis: &FaceAxis,
        clipper: &mut Clipper,
        found: &mut Vec<Meeting>,
    ) {
        let incident = self.incident(reference, axis);
        let (face, other) = (&self.hulls[reference], &self.hulls[1 - reference]);
        let plane = face.planes[axis.face];
        let at = |hull: &Hull, corner: u32| hull.vertices[corner as usize];
        let [corners, others] =
            [&face.shape.faces[axis.face].corners, &other.shape.faces[incident].corners];
        clipper.start(others.iter().map(|&corner| at(other, corner)));
        let outline = corners.iter().map(|&corner| at(face, corner));
        let of_first = reference == 0;
        let out = self.placement.turned(plane.normal);
        let normal = if of_first { times(-1.0, out) } else { out };
        for point in clipper.cut(outline, plane.normal, self.tolerance) {
            let gap = plane.height(point.at);
            if gap > self.within {
                continue;
            }
            let (feature, incident_carries) = match point.corner {
                CutCorner::Incident(i) => {
                    (corner_on_face(!of_first, others[i as usize] as usize, axis.face), true)
                }
                CutCorner::Reference(i) => {
                    (corner_on_face(of_first, corners[i as usize] as usize, incident), false)
                }
                CutCorner::Crossing { incident, reference } => {
                    let ours = edge_of(face.shape, corners, reference);
                    let theirs = edge_of(other.shape, others, incident);
                    let of = if of_first { [ours, theirs] } else { [theirs, ours] };
                    (crossing(of[0], of[1]), true)
                }
            };
            let carrier =
                if of_first == incident_carries { Carrier::Second } else { Carrier::First };
            let place = self.placement.to_space(moved(point.at, -0.5 * gap, plane.normal));
            found.push(Meeting { gap, normal, place, feature, carrier });
        }
    }

    /// The meeting of two edges, where they are nearest; none if that is beyond their ends: then
    /// corners are nearest, and nothing meets yet.
    ///
    /// ```text
    ///     (p + s u − q − t w) · u = 0,   (p + s u − q − t w) · w = 0
    /// ```
    fn across(&self, axis: &EdgeAxis) -> Option<Meeting> {
        let [(p, u), (q, w)] = [0, 1].map(|i| {
            let hull = &self.hulls[i];
            let ends = hull.shape.edges[axis.edges[i]].ends;
            let [start, end] = ends.map(|end| hull.vertices[end as usize]);
            (start, minus(end, start))
        });
        let normal = cross(u, w);
        let between = minus(q, p);
        let square = dot(normal, normal);
        let [s, t] = [w, u].map(|along| dot(cross(between, along), normal) / square);
        if [s, t].iter().any(|share| !(-RELATIVE..=1.0 + RELATIVE).contains(share)) {
            return None;
        }
        let middle = times(0.5, plus(moved(p, s, u), moved(q, t, w)));
        Some(Meeting {
            gap: axis.gap,
            normal: self.placement.turned(times(-1.0, axis.normal)),
            place: self.placement.to_space(middle),
            feature: crossing(axis.edges[0], axis.edges[1]),
            carrier: Carrier::First,
        })
    }
}

/// The edge of a polyhedron that follows a corner of one of its faces.
fn edge_of(shape: &Polyhedron, corners: &[u32], corner: u32) -> usize {
    let start = corners[corner as usize];
    let end = corners[(corner as usize + 1) % corners.len()];
    let is_it = |ends: [u32; 2]| ends == [start, end] || ends == [end, start];
    let found = shape.edges.iter().position(|edge| is_it(edge.ends));
    found.expect("the sides of a face are edges of its polyhedron")
}

#[cfg(test)]
mod tests {
    use super::super::samples::{after, at, cuboid, drum, prism, turned};
    use super::*;

    fn meetings(
        a: (&Polyhedron, Placement),
        b: (&Polyhedron, Placement),
        within: f64,
    ) -> Vec<Meeting> {
        let mut found = Vec::new();
        let scratch = &mut PolyhedraScratch::default();
        meet_polyhedra((a.0, &a.1), (b.0, &b.1), within, scratch, &mut found);
        found
    }

    /// Placements that must not matter: none, and turned and far away.
    fn frames() -> [Placement; 3] {
        let turn = [0.3, -0.5, 0.7, 0.2];
        [at([0.0; 3]), turned([0.0; 3], turn), turned([3.0, -20.0, 50.0], [0.1, 0.8, 0.2, -0.9])]
    }

    /// Places in the frame, sorted; all gaps are `gap` and all normals `normal`.
    fn places(found: &[Meeting], frame: &Placement, gap: f64, normal: [f64; 3]) -> Vec<[f64; 3]> {
        let mut places: Vec<[f64; 3]> = Vec::new();
        for meeting in found {
            assert!((meeting.gap - gap).abs() < 1e-13, "{} {gap}", meeting.gap);
            assert!(
                length(minus(frame.turned_back(meeting.normal), normal)) < 1e-13,
                "{meeting:?}"
            );
            places.push(frame.to_body(meeting.place).map(|x| (x * 1e9).round() / 1e9 + 0.0));
        }
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let mut features: Vec<u32> = found.iter().map(|meeting| meeting.feature).collect();
        features.sort_unstable();
        features.dedup();
        assert_eq!(features.len(), found.len(), "no feature twice");
        places
    }

    use crate::vector::length;

    #[test]
    fn half_a_box_on_a_box_rests_on_the_four_corners_of_the_overlap() {
        let cube = cuboid([0.5; 3]);
        for frame in frames() {
            for gap in [0.0, 1e-3, -1e-3] {
                let upper = after(&frame, &at([0.5, 0.0, 1.0 + gap]));
                let found = meetings((&cube, upper), (&cube, frame), 0.01);
                let z = 0.5 + 0.5 * gap;
                let corners = [[0.0, -0.5, z], [0.0, 0.5, z], [0.5, -0.5, z], [0.5, 0.5, z]];
                assert_eq!(places(&found, &frame, gap, [0.0, 0.0, 1.0]), corners);
            }
        }
    }

    /// The faces of bricks in a running bond are flush: two points at each end of the overlap, and
    /// bricks that share an edge only do not meet.
    #[test]
    fn bricks_meet_their_neighbours_and_not_those_across_a_corner() {
        let brick = cuboid([0.2, 0.1, 0.05]);
        for frame in frames() {
            let counts = |shift: [f64; 3]| {
                let other = after(&frame, &at(shift));
                let found = meetings((&brick, other), (&brick, frame), 1e-6);
                assert!(found.iter().all(|meeting| meeting.gap.abs() < 1e-13));
                found.len()
            };
            assert_eq!(counts([0.2, 0.0, 0.1]), 4, "half over");
            assert_eq!(counts([0.0, 0.0, 0.1]), 4, "on top");
            assert_eq!(counts([0.4, 0.0, 0.0]), 4, "beside");
            assert_eq!(counts([0.0, 0.2, 0.0]), 4, "behind");
            assert_eq!(counts([0.1, 0.05, -0.1]), 4, "below, across");
            assert_eq!(counts([0.4, 0.0, 0.1]), 0, "across an edge");
            assert_eq!(counts([0.4, 0.2, 0.0]), 0, "across an edge that stands");
            assert_eq!(counts([0.4, 0.2, 0.1]), 0, "across a corner");
            assert_eq!(counts([0.4 + 1e-5, 0.0, 0.0]), 0, "apart");
        }
    }

    #[test]
    fn all_corners_of_a_drum_on_a_drum_meet() {
        for sides in [3, 8, 16, 64] {
            let (wide, narrow) = (drum(sides, 1.0, 0.5), drum(sides, 0.8, 0.25));
            for frame in frames() {
                for (place, rolled) in [(0.0, 0.0), (0.0, 0.1), (0.02, 0.03)] {
                    let upper = after(&frame, &turned([place, 0.0, 0.75], [1.0, 0.0, 0.0, rolled]));
                    let found = meetings((&narrow, upper), (&wide, frame), 1e-6);
                    if sides > 3 {
                        assert_eq!(places(&found, &frame, 0.0, [0.0, 0.0, 1.0]).len(), sides);
                    }
                    let equal = after(&frame, &turned([0.0, 0.0, 1.0], [1.0, 0.0, 0.0, rolled]));
                    let found = meetings((&wide, equal), (&wide, frame), 1e-6);
                    let count = if rolled == 0.0 { sides } else { 2 * sides };
                    assert_eq!(places(&found, &frame, 0.0, [0.0, 0.0, 1.0]).len(), count);
                }
            }
        }
    }

    /// Two voussoirs of a ring meet at the radial joint.
    #[test]
    fn voussoirs_meet_at_their_joint() {
        let half = 0.1f64;
        let corner = |radius: f64, angle: f64| [radius * angle.cos(), radius * angle.sin()];
        let base = [corner(1.0, -half), corner(1.2, -half), corner(1.2, half), corner(1.0, half)];
        let stone = prism(&base, 0.3);
        for frame in frames() {
            let next = after(&frame, &turned([0.0; 3], [half.cos(), 0.0, 0.0, half.sin()]));
            let found = meetings((&stone, next), (&stone, frame), 1e-6);
            let normal = [-half.sin(), half.cos(), 0.0];
            let corners = places(&found, &frame, 0.0, normal);
            assert_eq!(corners.len(), 4);
        }
    }

    #[test]
    fn crossed_edges_meet_in_one_point() {
        let cube = cuboid([0.5; 3]);
        let eighth = std::f64::consts::FRAC_PI_8;
        for frame in frames() {
            for gap in [0.01, -0.01] {
                // One stands on an edge along x, the other one lies below on an edge along y.
                let upper =
                    turned([0.03, 0.01, 2f64.sqrt() + gap], [eighth.cos(), eighth.sin(), 0.0, 0.0]);
                let lower = turned([0.0; 3], [eighth.cos(), 0.0, eighth.sin(), 0.0]);
                let found =
                    meetings((&cube, after(&frame, &upper)), (&cube, after(&frame, &lower)), 0.02);
                let z = 0.5f64.sqrt() + 0.5 * gap;
                let place = [0.0, 0.01, (z * 1e9).round() / 1e9];
                assert_eq!(places(&found, &frame, gap, [0.0, 0.0, 1.0]), [place]);
                assert_eq!(found[0].feature >> 30, 2);
            }
        }
    }

    #[test]
    fn a_corner_on_a_face_is_carried_by_its_body() {
        let (cube, plate) = (cuboid([0.5; 3]), cuboid([5.0, 5.0, 0.1]));
        let tip = turned([1.0, 2.0, 0.95], [0.88, 0.325, -0.28, 0.1]);
        let found = meetings((&cube, tip), (&plate, at([0.0; 3])), 0.0);
        let mirror = meetings((&plate, at([0.0; 3])), (&cube, tip), 0.0);
        assert_eq!((found.len(), mirror.len()), (1, 1));
        assert_eq!((found[0].carrier, mirror[0].carrier), (Carrier::First, Carrier::Second));
        assert_eq!(found[0].feature, mirror[0].feature ^ 1 << 30);
        assert!((found[0].gap - mirror[0].gap).abs() < 1e-15);
        let lowest = cube.vertices.iter().map(|&v| tip.to_space(v));
        let lowest = lowest.min_by(|a, b| a[2].total_cmp(&b[2])).unwrap();
        assert!((found[0].gap - (lowest[2] - 0.1)).abs() < 1e-15);
    }

    /// Found beside parry: an edge that lies along a face up to half a milliradian and crosses its border, with both
    /// its faces beside it.
    #[test]
    fn an_edge_across_the_border_of_a_face_meets_it_however_flat_it_lies() {
        let block = cuboid([0.9199, 0.3903, 0.7326]);
        let corners = [
            [0.22088, 1.72825, 1.11997],
            [1.32664, 1.42908, 2.04638],
            [-0.26818, 0.88725, 0.86556],
            [-0.99923, -0.76827, 1.13963],
            [-0.59731, -0.65158, 0.86608],
            [-0.89289, 1.79812, 1.47729],
        ];
        let stone = Polyhedron::hull(&corners).unwrap();
        for frame in frames() {
            let found = meetings((&block, frame), (&stone, frame), 0.2);
            assert_eq!(found.len(), 1, "{found:?}");
            // The lowest corner beyond the border is 2e-4 lower than where the edges cross.
            assert!((found[0].gap - 0.1331).abs() < 3e-4, "{found:?}");
        }
    }

    /// Rounding, far below the tolerance, does not change what meets.
    #[test]
    fn rounding_does_not_change_the_features_of_resting_boxes() {
        let cube = cuboid([0.5; 3]);
        let rest = meetings((&cube, at([0.5, 0.0, 1.0])), (&cube, at([0.0; 3])), 1e-6);
        for i in 0..200 {
            let noise = |k: f64| 1e-11 * (k * i as f64).sin();
            let place = [0.5 + noise(1.1), noise(2.3), 1.0 + noise(3.7)];
            let upper = turned(place, [1.0, noise(0.7), noise(1.9), noise(2.9)]);
            let found = meetings((&cube, upper), (&cube, at([0.0; 3])), 1e-6);
            let features = |found: &[Meeting]| found.iter().map(|m| m.feature).collect::<Vec<_>>();
            assert_eq!(features(&found), features(&rest));
        }
    }
}
