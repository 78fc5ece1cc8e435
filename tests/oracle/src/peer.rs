//! parry's answer to the same question.

use std::panic::{AssertUnwindSafe, catch_unwind};

use delassus::contact::detect::{Convex, Placement};

use crate::brute::Vector;
use crate::random_pairs::Pair;

/// Signed gap, and the normal from the second body towards the first.
#[derive(Clone, Copy, Debug)]
pub struct PeerContact {
    pub gap: f64,
    pub normal: Vector,
}

/// What parry said.
#[derive(Clone, Copy, Debug)]
pub enum PeerAnswer {
    Contact(PeerContact),
    /// Farther apart than was asked for.
    Apart,
    /// It panicked, or could not make the shape.
    Refused,
}

/// Asks parry for the contact of two bodies up to `within` apart.
pub fn ask(pair: &Pair, flat: bool, within: f64) -> PeerAnswer {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        if flat { in_plane(pair, within) } else { in_space(pair, within) }
    }));
    answer.ok().flatten().unwrap_or(PeerAnswer::Refused)
}

fn answer_of(found: Option<(f64, Vector)>) -> PeerAnswer {
    match found {
        Some((gap, normal)) => PeerAnswer::Contact(PeerContact { gap, normal: normal.map(|n| -n) }),
        None => PeerAnswer::Apart,
    }
}

fn in_space(pair: &Pair, within: f64) -> Option<PeerAnswer> {
    use parry3d_f64::math::{Pose, Rotation, Vector};
    use parry3d_f64::query::contact;
    use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, SharedShape};
    let at = |x: [f64; 3]| Vector::new(x[0], x[1], x[2]);
    let shape = |shape: &Convex| -> Option<SharedShape> {
        Some(match shape {
            Convex::Ball { radius, .. } => SharedShape::new(Ball::new(*radius)),
            Convex::Capsule { ends, radius } => {
                SharedShape::new(Capsule::new(at(ends[0]), at(ends[1]), *radius))
            }
            // A box, whose faces are along the axes.
            Convex::Polyhedron(solid) if is_box(&solid.vertices) => {
                SharedShape::new(Cuboid::new(at(solid.vertices[7])))
            }
            Convex::Polyhedron(solid) => {
                let points: Vec<Vector> = solid.vertices.iter().map(|&x| at(x)).collect();
                SharedShape::new(ConvexPolyhedron::from_convex_hull(&points)?)
            }
            Convex::Polygon(_) => return None,
        })
    };
    let pose = |placement: &Placement| {
        let [w, x, y, z] = quaternion(placement.turn);
        Pose::from_parts(at(placement.place), Rotation::from_xyzw(x, y, z, w))
    };
    let [a, b] = [shape(&pair.shapes[0])?, shape(&pair.shapes[1])?];
    let [p, q] = [pose(&pair.placements[0]), pose(&pair.placements[1])];
    let found = contact(&p, &*a, &q, &*b, within).ok()?;
    Some(answer_of(found.map(|c| (c.dist, [c.normal1.x, c.normal1.y, c.normal1.z]))))
}

fn in_plane(pair: &Pair, within: f64) -> Option<PeerAnswer> {
    use parry2d_f64::math::{Pose, Rotation, Vector};
    use parry2d_f64::query::contact;
    use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, SharedShape};
    let at = |x: [f64; 3]| Vector::new(x[0], x[1]);
    let shape = |shape: &Convex| -> Option<SharedShape> {
        Some(match shape {
            Convex::Ball { radius, .. } => SharedShape::new(Ball::new(*radius)),
            Convex::Capsule { ends, radius } => {
                SharedShape::new(Capsule::new(at(ends[0]), at(ends[1]), *radius))
            }
            Convex::Polygon(polygon) => {
                let points = polygon.vertices.iter().map(|&x| at(x)).collect();
                SharedShape::new(ConvexPolygon::from_convex_polyline(points)?)
            }
            Convex::Polyhedron(_) => return None,
        })
    };
    let pose = |placement: &Placement| {
        let angle = placement.turn[1][0].atan2(placement.turn[0][0]);
        Pose::from_parts(at(placement.place), Rotation::new(angle))
    };
    let [a, b] = [shape(&pair.shapes[0])?, shape(&pair.shapes[1])?];
    let [p, q] = [pose(&pair.placements[0]), pose(&pair.placements[1])];
    let found = contact(&p, &*a, &q, &*b, within).ok()?;
    Some(answer_of(found.map(|c| (c.dist, [c.normal1.x, c.normal1.y, 0.0]))))
}

fn is_box(vertices: &[Vector]) -> bool {
    let last = vertices[vertices.len() - 1];
    vertices.len() == 8 && vertices.iter().all(|x| (0..3).all(|i| x[i].abs() == last[i]))
}

/// (w, x, y, z) of a rotation, from its largest component (Shepperd 1978).
fn quaternion(r: [Vector; 3]) -> [f64; 4] {
    let squares = [
        1.0 + r[0][0] + r[1][1] + r[2][2],
        1.0 + r[0][0] - r[1][1] - r[2][2],
        1.0 - r[0][0] + r[1][1] - r[2][2],
        1.0 - r[0][0] - r[1][1] + r[2][2],
    ];
    let largest = (0..4).max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap_or(0);
    let two = squares[largest].sqrt();
    let [x, y, z] = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
    let [a, b, c] = [r[1][0] + r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2]];
    let q = match largest {
        0 => [two * two, x, y, z],
        1 => [x, two * two, a, b],
        2 => [y, a, two * two, c],
        _ => [z, b, c, two * two],
    };
    let size = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    q.map(|q| q / size)
}
