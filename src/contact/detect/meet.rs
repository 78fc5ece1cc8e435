//! Which two shapes meet how.

use super::capsule::{Rod, meet_capsules};
use super::plane::{Outline, OutlineScratch, meet_outlines};
use super::polyhedra::{PolyhedraScratch, meet_polyhedra};
use super::rod::meet_rod_and_polyhedron;
use super::round::{
    Around, height_over_polygon, height_over_polyhedron, meet_ball_and_capsule,
    meet_ball_and_solid, meet_balls,
};
use super::{Convex, Meeting, Placement};

/// What detection computes in: its vectors grow to what the largest pair needs and stay.
#[derive(Clone, Debug, Default)]
pub struct DetectScratch {
    polyhedra: PolyhedraScratch,
    outlines: OutlineScratch,
}

/// Appends the points where two pieces meet, or are up to `within` apart: negative asks for those
/// that penetrate so deep.
///
/// Nothing is remembered from call to call. Polyhedra and polygons meet along the direction in which
/// they are farthest apart or penetrate least, in all corners of the overlap of the two faces there;
/// where the overlap has no area, as between blocks of a wall that share an edge or a corner only,
/// there is no meeting, and neither is between corners that pass each other.
pub fn meet(
    first: (&Convex, &Placement),
    second: (&Convex, &Placement),
    within: f64,
    scratch: &mut DetectScratch,
    found: &mut Vec<Meeting>,
) {
    use Convex::{Ball, Capsule, Polygon, Polyhedron};
    match (first.0, second.0) {
        (Polyhedron(a), Polyhedron(b)) => {
            meet_polyhedra((a, first.1), (b, second.1), within, &mut scratch.polyhedra, found);
        }
        (Ball { center, radius }, _) => {
            let ball = (first.1.to_space(*center), *radius);
            found.extend(meet_ball(ball, second, within));
        }
        (_, Ball { center, radius }) => {
            let ball = (second.1.to_space(*center), *radius);
            found.extend(meet_ball(ball, first, within).map(Meeting::mirrored));
        }
        (Capsule { ends, radius }, Polyhedron(solid)) => {
            let rod = rod(ends, *radius, first.1);
            meet_rod_and_polyhedron(rod, (solid, second.1), within, found);
        }
        (Polyhedron(solid), Capsule { ends, radius }) => {
            let (rod, start) = (rod(ends, *radius, second.1), found.len());
            meet_rod_and_polyhedron(rod, (solid, first.1), within, found);
            found[start..].iter_mut().for_each(|meeting| *meeting = meeting.mirrored());
        }
        (Capsule { ends, radius }, Capsule { ends: other, radius: size }) => {
            let rods = (rod(ends, *radius, first.1), rod(other, *size, second.1));
            let flat = |rod: &Rod| rod.ends.iter().all(|end| end[2] == 0.0);
            if flat(&rods.0) && flat(&rods.1) {
                let outlines = (outline(ends, *radius, first.1), outline(other, *size, second.1));
                meet_outlines(outlines.0, outlines.1, within, &mut scratch.outlines, found);
            } else {
                meet_capsules(rods.0, rods.1, within, found);
            }
        }
        (Polygon(a), Polygon(b)) => {
            let outlines =
                (outline(&a.vertices, 0.0, first.1), outline(&b.vertices, 0.0, second.1));
            meet_outlines(outlines.0, outlines.1, within, &mut scratch.outlines, found);
        }
        (Polygon(a), Capsule { ends, radius }) => {
            let outlines = (outline(&a.vertices, 0.0, first.1), outline(ends, *radius, second.1));
            meet_outlines(outlines.0, outlines.1, within, &mut scratch.outlines, found);
        }
        (Capsule { ends, radius }, Polygon(b)) => {
            let outlines = (outline(ends, *radius, first.1), outline(&b.vertices, 0.0, second.1));
            meet_outlines(outlines.0, outlines.1, within, &mut scratch.outlines, found);
        }
        (Polygon(_), Polyhedron(_)) | (Polyhedron(_), Polygon(_)) => {
            panic!("a polygon is in the plane and a polyhedron in space: they cannot meet");
        }
    }
}

fn rod(ends: &[[f64; 3]; 2], radius: f64, placement: &Placement) -> Rod {
    Rod { ends: ends.map(|end| placement.to_space(end)), radius }
}

fn outline<'a>(corners: &'a [[f64; 3]], radius: f64, placement: &'a Placement) -> Outline<'a> {
    Outline { corners, radius, placement }
}

/// A ball as the first body against anything.
fn meet_ball(ball: Around, other: (&Convex, &Placement), within: f64) -> Option<Meeting> {
    let (shape, placement) = other;
    match shape {
        Convex::Ball { center, radius } => {
            meet_balls(ball, (placement.to_space(*center), *radius), within)
        }
        Convex::Capsule { ends, radius } => {
            let ends = ends.map(|end| placement.to_space(end));
            meet_ball_and_capsule(ball, ends, *radius, within)
        }
        Convex::Polyhedron(solid) => {
            let height = |point, most| height_over_polyhedron(solid, point, most);
            meet_ball_and_solid(ball, placement, within, height)
        }
        Convex::Polygon(flat) => {
            let height = |point, most| height_over_polygon(flat, point, most);
            meet_ball_and_solid(ball, placement, within, height)
        }
    }
}
