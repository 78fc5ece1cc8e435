//! Where balls meet balls, capsules, polyhedra and polygons: from the centre to the nearest point.

use super::feature::BALL;
use super::{Carrier, Meeting, Placement, Polygon, Polyhedron};
use crate::vector::{cross, dot, minus, moved, plus, polar, times};

/// A point of space and the radius around it.
pub(super) type Around = ([f64; 3], f64);

/// The meeting of two round things with these points in their middle; `spare` is the normal where
/// the points are one.
pub(super) fn between(first: Around, second: Around, spare: [f64; 3]) -> Meeting {
    let (distance, normal) = polar(minus(first.0, second.0)).unwrap_or((0.0, spare));
    let surfaces = [moved(first.0, -first.1, normal), moved(second.0, second.1, normal)];
    Meeting {
        gap: distance - first.1 - second.1,
        normal,
        place: times(0.5, plus(surfaces[0], surfaces[1])),
        feature: BALL,
        carrier: Carrier::CenterOfFirst,
    }
}

/// Two balls.
pub(super) fn meet_balls(first: Around, second: Around, within: f64) -> Option<Meeting> {
    let (far, d) = (first.1 + second.1 + within, minus(first.0, second.0));
    if far < 0.0 || dot(d, d) > far * far {
        return None;
    }
    Some(between(first, second, [1.0, 0.0, 0.0]))
}

/// Share of the way from `start` to `end` that is nearest to a point.
pub(super) fn share_nearest([start, end]: [[f64; 3]; 2], point: [f64; 3]) -> f64 {
    let along = minus(end, start);
    let square = dot(along, along);
    if square > 0.0 { (dot(minus(point, start), along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The point there.
pub(super) fn on_segment([start, end]: [[f64; 3]; 2], share: f64) -> [f64; 3] {
    moved(start, share, minus(end, start))
}

/// Unit vector across a segment, in the plane z = 0 where the segment lies in one of its kind.
pub(super) fn sideways([start, end]: [[f64; 3]; 2]) -> [f64; 3] {
    let along = minus(end, start);
    polar([-along[1], along[0], 0.0]).map_or([1.0, 0.0, 0.0], |(_, direction)| direction)
}

/// A ball and a capsule.
pub(super) fn meet_ball_and_capsule(
    ball: Around,
    ends: [[f64; 3]; 2],
    radius: f64,
    within: f64,
) -> Option<Meeting> {
    let nearest = on_segment(ends, share_nearest(ends, ball.0));
    let meeting = between(ball, (nearest, radius), sideways(ends));
    (meeting.gap <= within).then_some(meeting)
}

/// A ball and a polyhedron or polygon, which says how high points are above it and in which direction.
pub(super) fn meet_ball_and_solid(
    ball: Around,
    placement: &Placement,
    within: f64,
    height: impl Fn([f64; 3], f64) -> Option<(f64, [f64; 3])>,
) -> Option<Meeting> {
    let (height, outward) = height(placement.to_body(ball.0), ball.1 + within)?;
    let normal = placement.turned(outward);
    let gap = height - ball.1;
    let place = moved(ball.0, -0.5 * (height + ball.1), normal);
    let carrier = Carrier::CenterOfFirst;
    (gap <= within).then_some(Meeting { gap, normal, place, feature: BALL, carrier })
}

/// A point this share of its coordinates above the surface lies in it: what is left is rounding and
/// has no direction.
const IN_SURFACE: f64 = 1e-13;

/// Signed distance of a point from a polyhedron and the direction away from it; `None` if that is more than `most`.
pub(super) fn height_over_polyhedron(
    solid: &Polyhedron,
    point: [f64; 3],
    most: f64,
) -> Option<(f64, [f64; 3])> {
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, face) in solid.faces.iter().enumerate() {
        let height = dot(face.normal, point) - face.offset;
        if height > best.0 {
            best = (height, i);
            if height > most {
                return None;
            }
        }
    }
    let (height, face) = best;
    let normal = solid.faces[face].normal;
    if height <= 0.0 || is_over(solid, face, point) {
        return Some((height, normal));
    }
    let mut nearest = (f64::INFINITY, [0.0; 3]);
    for face in &solid.faces {
        // The nearest point lies on an edge of a face that the point sees.
        if dot(face.normal, point) <= face.offset {
            continue;
        }
        let corners = face.corners.iter().map(|&corner| solid.vertices[corner as usize]);
        nearest_on_outline(corners, point, &mut nearest);
    }
    Some(away(point, nearest.1, (height, normal)))
}

/// Whether a point is straight over a face.
pub(super) fn is_over(solid: &Polyhedron, face: usize, point: [f64; 3]) -> bool {
    let face = &solid.faces[face];
    let corner = |i: usize| solid.vertices[face.corners[i % face.corners.len()] as usize];
    (0..face.corners.len()).all(|i| {
        let outward = cross(minus(corner(i + 1), corner(i)), face.normal);
        dot(outward, minus(point, corner(i))) <= 0.0
    })
}

/// Signed distance of a point from a polygon and the direction away from it; `None` if that is more than `most`.
pub(super) fn height_over_polygon(
    flat: &Polygon,
    point: [f64; 3],
    most: f64,
) -> Option<(f64, [f64; 3])> {
    let corners = &flat.vertices;
    let mut best = (f64::NEG_INFINITY, [1.0, 0.0, 0.0]);
    for (i, &start) in corners.iter().enumerate() {
        let outward = times(-1.0, sideways([start, corners[(i + 1) % corners.len()]]));
        let height = dot(outward, minus(point, start));
        if height > best.0 {
            best = (height, outward);
        }
    }
    if best.0 > most || best.0 <= 0.0 {
        return (best.0 <= most).then_some(best);
    }
    let mut nearest = (f64::INFINITY, [0.0; 3]);
    nearest_on_outline(corners.iter().copied(), point, &mut nearest);
    Some(away(point, nearest.1, best))
}

/// Takes the nearest point of a closed outline where it is nearer than what is known.
fn nearest_on_outline(
    corners: impl ExactSizeIterator<Item = [f64; 3]> + Clone,
    point: [f64; 3],
    nearest: &mut (f64, [f64; 3]),
) {
    let ends = corners.clone().skip(1).chain(corners.clone().take(1));
    for (start, end) in corners.zip(ends) {
        let at = on_segment([start, end], share_nearest([start, end], point));
        let way = minus(point, at);
        if dot(way, way) < nearest.0 {
            *nearest = (dot(way, way), at);
        }
    }
}

/// Distance and direction from the nearest point, or those of the face where the distance is rounding.
fn away(point: [f64; 3], nearest: [f64; 3], face: (f64, [f64; 3])) -> (f64, [f64; 3]) {
    let size = dot(point, point).sqrt();
    polar(minus(point, nearest))
        .filter(|(distance, _)| *distance > IN_SURFACE * size)
        .unwrap_or(face)
}
