//! How high a point is above a convex piece, and which way leads out of it.

use super::round::{
    height_over_polygon, height_over_polyhedron, on_segment, share_nearest, sideways,
};
use super::{Convex, Placement};
use crate::vector::{dot, length, minus, polar, times};

/// A point of a surface that may touch a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Where it is.
    pub place: [f64; 3],
    /// Unit normal out of its own surface; 0 where it is a point alone.
    pub outward: [f64; 3],
}

/// A face is met from outside where the cosine between the two normals is below this.
const FACING: f64 = -0.25;
/// How deep a face that is met so may be, as a share of the size of the piece, before the nearest face counts instead.
const SHALLOW: f64 = 1e-2;
/// Share of coordinates up to which heights above faces are one number.
const ROUNDING: f64 = 1e-13;

/// Signed distance of a point from a piece, and the unit normal out of the piece: outside the distance to the nearest
/// feature, inside the least depth below a face.
///
/// ```text
///     outside   g = min ‖x − y‖ over y of the piece          n = (x − y)/g
///     inside    g = max_F n_F·(x − x_F)                      n = n_F
/// ```
///
/// On an edge or a corner several faces are as high up to rounding. There the one is taken that the point's own surface
/// meets most from outside, and the first of equal ones, so that rounding decides nothing. A point just below one face
/// that it meets, and beside an edge just below another that it does not, is under the first.
pub fn height_over(
    point: &SurfacePoint,
    (piece, placement): (&Convex, &Placement),
) -> (f64, [f64; 3]) {
    let (at, outward) = (placement.to_body(point.place), placement.turned_back(point.outward));
    if at.iter().any(|x| !x.is_finite()) {
        // What is lost is not inside.
        return (f64::NAN, [1.0, 0.0, 0.0]);
    }
    let rounding = |size: f64| ROUNDING * (size + length(placement.place));
    let (height, normal) = match piece {
        Convex::Ball { center, radius } => over_round(at, (*center, *radius), [1.0, 0.0, 0.0]),
        Convex::Capsule { ends, radius } => {
            let nearest = on_segment(*ends, share_nearest(*ends, at));
            over_round(at, (nearest, *radius), sideways(*ends))
        }
        Convex::Polyhedron(solid) => {
            let size = size_of(&solid.vertices);
            let heights =
                solid.faces.iter().map(|face| (dot(face.normal, at) - face.offset, face.normal));
            under_face(heights, outward, size, rounding(size)).unwrap_or_else(|| {
                height_over_polyhedron(solid, at, f64::INFINITY).unwrap_or_default()
            })
        }
        Convex::Polygon(flat) => {
            let (corners, size) = (&flat.vertices, size_of(&flat.vertices));
            let heights = corners.iter().enumerate().map(|(i, &start)| {
                let normal = times(-1.0, sideways([start, corners[(i + 1) % corners.len()]]));
                (dot(normal, minus(at, start)), normal)
            });
            under_face(heights, outward, size, rounding(size))
                .unwrap_or_else(|| height_over_polygon(flat, at, f64::INFINITY).unwrap_or_default())
        }
    };
    (height, placement.turned(normal))
}

fn over_round(at: [f64; 3], (center, radius): ([f64; 3], f64), spare: [f64; 3]) -> (f64, [f64; 3]) {
    let (distance, normal) = polar(minus(at, center)).unwrap_or((0.0, spare));
    (distance - radius, normal)
}

fn size_of(corners: &[[f64; 3]]) -> f64 {
    corners.iter().map(|&corner| dot(corner, corner)).fold(0.0, f64::max).sqrt()
}

/// The face that a point is under or on, of the heights above all of them; none where it is outside.
fn under_face(
    heights: impl Iterator<Item = (f64, [f64; 3])> + Clone,
    outward: [f64; 3],
    size: f64,
    rounding: f64,
) -> Option<(f64, [f64; 3])> {
    let most = heights.clone().fold(f64::NEG_INFINITY, |most, (height, _)| most.max(height));
    if most > rounding {
        return None;
    }
    let met = heights.clone().filter(|(_, normal)| dot(*normal, outward) < FACING);
    let nearest = met.clone().fold(f64::NEG_INFINITY, |most, (height, _)| most.max(height));
    if nearest < -SHALLOW * size {
        return heights.into_iter().find(|(height, _)| *height >= most - rounding);
    }
    let mut best: Option<(f64, f64, [f64; 3])> = None;
    for (height, normal) in met.filter(|(height, _)| *height >= nearest - rounding) {
        let cosine = dot(normal, outward);
        if best.is_none_or(|(least, ..)| cosine < least - 1e-9) {
            best = Some((cosine, height, normal));
        }
    }
    best.map(|(_, height, normal)| (height, normal))
}

#[cfg(test)]
mod tests {
    use super::super::samples::{at, cuboid, rectangle, turned};
    use super::*;

    fn alone(place: [f64; 3]) -> SurfacePoint {
        SurfacePoint { place, outward: [0.0; 3] }
    }

    /// The distances are those of Euclid; 1e-15 is a few roundings of numbers up to 3.
    #[test]
    fn heights_are_distances_outside_and_depths_inside() {
        let solid = Convex::Polyhedron(cuboid([1.0, 2.0, 0.5]));
        let there = turned([1.0, -1.0, 2.0], [0.9, 0.1, -0.3, 0.2]);
        let expected: [([f64; 3], f64, [f64; 3]); 4] = [
            ([0.3, 0.2, 1.5], 1.0, [0.0, 0.0, 1.0]),
            ([4.0, 0.2, 4.5], 5.0, [0.6, 0.0, 0.8]),
            ([2.0, 4.0, 2.5], 3.0, [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
            ([0.9, 0.2, 0.1], -0.1, [1.0, 0.0, 0.0]),
        ];
        for (place, height, normal) in expected {
            let point = alone(there.to_space(place));
            let (found, n) = height_over(&point, (&solid, &there));
            assert!((found - height).abs() < 2e-15, "{place:?}: {found}");
            let exact = there.turned(normal);
            assert!((0..3).all(|i| (n[i] - exact[i]).abs() < 2e-15), "{place:?}: {n:?}");
        }
        let ball = Convex::Ball { center: [0.0, 0.0, 1.0], radius: 0.5 };
        let (height, normal) = height_over(&alone([0.0, 3.0, 5.0]), (&ball, &at([0.0; 3])));
        assert_eq!((height, normal), (4.5, [0.0, 0.6, 0.8]));
        let rod = Convex::Capsule { ends: [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], radius: 0.25 };
        let (height, normal) = height_over(&alone([0.5, 0.0, 0.125]), (&rod, &at([0.0; 3])));
        assert_eq!((height, normal), (-0.125, [0.0, 0.0, 1.0]));
    }

    /// An edge of a block that rests under the edge of a box as wide: a rounding to either side of it changes nothing.
    #[test]
    fn rounding_does_not_turn_the_normal_on_an_edge() {
        let pieces = [Convex::Polyhedron(cuboid([1.0, 1.0, 1.0])), rectangle([1.0, 1.0])];
        let downs = [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0]];
        for (piece, down) in pieces.iter().zip(downs) {
            let far = at([30.0, 7.0, 0.0]);
            for (dx, dy) in [(0.0, 0.0), (4e-15, 0.0), (-4e-15, 0.0), (4e-15, 4e-15), (0.0, -4e-15)]
            {
                let edge: [f64; 3] = [0, 1, 2].map(|i| far.place[i] + down[i]);
                let place = [edge[0] + 1.0 + dx, edge[1] + dy * down[1], edge[2] + dy * down[2]];
                let point = SurfacePoint { place, outward: times(-1.0, down) };
                let (height, normal) = height_over(&point, (piece, &far));
                assert_eq!(normal, down, "{dx:e} {dy:e}");
                assert!(height.abs() < 1e-14);
            }
        }
    }

    /// A corner that has sunk deeper than it is from the side: the face is the one that its own surface looks at, while
    /// a point alone, or one far below, is under the nearest.
    #[test]
    fn a_point_is_under_the_face_that_its_surface_meets() {
        let flat = rectangle([1.0, 1.0]);
        let sunk = SurfacePoint { place: [1.0 - 1e-6, -1.0 + 1e-3, 0.0], outward: [0.0, 1.0, 0.0] };
        let (height, normal) = height_over(&sunk, (&flat, &at([0.0; 3])));
        assert!((height + 1e-3).abs() < 1e-15 && normal == [0.0, -1.0, 0.0], "{height} {normal:?}");
        let side = [1.0, 0.0, 0.0];
        let without = SurfacePoint { outward: [0.0; 3], ..sunk };
        assert_eq!(height_over(&without, (&flat, &at([0.0; 3]))).1, side);
        let deep = SurfacePoint { place: [1.0 - 1e-6, 0.0, 0.0], ..sunk };
        assert_eq!(height_over(&deep, (&flat, &at([0.0; 3]))).1, side);
    }

    #[test]
    fn a_point_that_is_lost_is_at_no_height() {
        let lost = height_over(
            &alone([f64::NAN; 3]),
            (&Convex::Polyhedron(cuboid([1.0; 3])), &at([0.0; 3])),
        );
        assert!(lost.0 > 0.0 || lost.0.is_nan(), "{lost:?}");
    }
}
