//! Detection of contacts between bodies, held against brute force: all features of one body tried with all of the other.
//! Beside parry it is held by `tests/oracle`.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::contact::detect::{Convex, DetectScratch, Meeting, Placement, Polyhedron, meet};

use crate::support::brute::{Core, Nearest, Vector, cross, dot, length, minus, moved};
use crate::support::random_pairs::{Draw, KINDS, Pair};
use crate::support::trial::{TIE, Trial};

fn detect(pair: &Pair, order: [usize; 2], within: f64) -> Vec<Meeting> {
    let (mut found, mut scratch) = (Vec::new(), DetectScratch::default());
    let [a, b] = order.map(|i| (&pair.shapes[i], &pair.placements[i]));
    meet(a, b, within, &mut scratch, &mut found);
    found
}

/// Outside within the prediction, touching and overlapping: the least gap is the distance or the least way apart, the
/// normal is its direction from the second to the first, and half a gap from each place are the surfaces.
#[test]
fn gaps_normals_and_places_are_those_of_brute_force() {
    let (mut scratch, mut found) = (DetectScratch::default(), Vec::new());
    for (seed, (kinds, flat)) in (0..).zip(KINDS) {
        let mut draw = Draw::new(seed, flat);
        let mut met = [0; 2];
        for number in 0..500 {
            let pair = draw.pair(kinds);
            let trial = Trial::of(&pair, flat, &mut scratch, &mut found);
            let fault = trial.fault();
            assert!(fault.is_none(), "{kinds:?} {number}: {}", fault.unwrap_or_default());
            let overlaps = usize::from(trial.truth.gap < 0.0);
            met[overlaps] += usize::from(!trial.found.is_empty());
        }
        // Most balls and capsules that lie aside are apart.
        assert!(met.iter().all(|&met| met > 20), "{kinds:?}: {met:?}");
    }
}

/// Which body is called the first does not matter: the same points in some order, normals and features mirrored.
#[test]
fn bodies_that_change_places_meet_in_the_same_points() {
    let (mut compared, mut lost) = (0, 0);
    for (seed, (kinds, flat)) in (100..).zip(KINDS) {
        let (mut draw, mut scratch) = (Draw::new(seed, flat), DetectScratch::default());
        let mut found = Vec::new();
        for number in 0..300 {
            let pair = draw.pair(kinds);
            let trial = Trial::of(&pair, flat, &mut scratch, &mut found);
            let other = detect(&pair, [1, 0], trial.within);
            // Within the tolerance of detection two axes are one, and it takes that of the first body.
            let near = 1e3 * TIE * trial.size;
            if trial.found.len() != other.len() {
                let edge = |m: &Meeting| (m.gap - trial.within).abs() < near;
                assert!(
                    trial.found.iter().chain(&other).any(edge)
                        || trial.truth.nearest == Nearest::Overlap
                        || trial.is_at_corner(),
                    "{kinds:?} {number}: {} and {}",
                    trial.found.len(),
                    other.len()
                );
                continue;
            }
            for meeting in trial.found {
                let twin = |m: &&Meeting| {
                    length(minus(m.place, meeting.place)) < near
                        && (m.gap - meeting.gap).abs() < near
                        && length(moved(m.normal, 1.0, meeting.normal)) < 1e-6
                };
                let is_there = other.iter().any(|m| twin(&m));
                compared += usize::from(is_there);
                lost += usize::from(!is_there);
                // Of faces that lie on one another up to a milliradian either may be the one that is cut.
                assert!(
                    is_there || trial.found.len() > 1,
                    "{kinds:?} {number}: {meeting:?} is not among {other:?}"
                );
            }
        }
    }
    assert!(50 * lost < compared, "{lost} of {compared}");
    assert!(compared > 3000, "{compared}");
}

/// Rounding changes neither the number of points nor their features, but where a corner is as near to the border.
#[test]
fn features_stay_under_small_motions() {
    let (mut stayed, mut changed) = (0, 0);
    for (seed, (kinds, flat)) in (200..).zip(KINDS) {
        let (mut draw, mut scratch) = (Draw::new(seed, flat), DetectScratch::default());
        let mut found = Vec::new();
        for _ in 0..300 {
            let mut pair = draw.pair(kinds);
            let trial = Trial::of(&pair, flat, &mut scratch, &mut found);
            let (within, size) = (trial.within, trial.size);
            let features =
                |found: &[Meeting]| -> Vec<u32> { found.iter().map(|m| m.feature).collect() };
            let before = features(trial.found);
            let shift = [3e-13, -2e-13, if flat { 0.0 } else { 1e-13 }].map(|x| x * size);
            pair.placements[1].place = moved(pair.placements[1].place, 1.0, shift);
            let same = features(&detect(&pair, [0, 1], within)) == before;
            stayed += usize::from(same);
            changed += usize::from(!same);
        }
    }
    assert!(1000 * changed <= stayed, "{changed} of {}", stayed + changed);
}

/// Two coplanar faces: the corners of the points of contact are those of what the faces have in common, which is found
/// here by asking for the corners of each in the other and for all crossings.
#[test]
fn the_points_of_faces_that_touch_span_all_that_they_share() {
    let mut random = crate::support::random::Random::new(5);
    let mut shared = 0;
    for _ in 0..400 {
        let shape = |random: &mut crate::support::random::Random| match random.signed() > 0.0 {
            true => Polyhedron::cuboid([0; 3].map(|_| 1.2 + random.signed())),
            false => {
                let sides = 3 + (4.0 * (1.0 + random.signed())) as u32;
                Polyhedron::prism(sides, 1.0 + 0.8 * random.signed(), 1.0)
            }
        };
        let shapes = [shape(&mut random), shape(&mut random)];
        let top = |solid: &Polyhedron| solid.vertices.iter().map(|x| x[2]).fold(0.0, f64::max);
        let turned = |angle: f64, place: Vector| {
            let (sine, cosine) = angle.sin_cos();
            let turn = [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]];
            Placement { place, turn }
        };
        let lower = turned(3.0 * random.signed(), [0.0; 3]);
        let aside = [1.2 * random.signed(), 1.2 * random.signed()];
        let z = top(&shapes[0]) + top(&shapes[1]);
        let upper = turned(3.0 * random.signed(), [aside[0], aside[1], z]);
        let outlines = [(&shapes[0], &lower, 1.0), (&shapes[1], &upper, -1.0)].map(
            |(solid, at, side)| -> Vec<Vector> {
                let face = solid.faces.iter().find(|face| face.normal[2] * side > 0.9).unwrap();
                let corner = |&c: &u32| at.to_space(solid.vertices[c as usize]);
                let corners: Vec<Vector> = face.corners.iter().map(corner).collect();
                if side > 0.0 { corners } else { corners.into_iter().rev().collect() }
            },
        );
        let corners = common(&outlines);
        let shapes = shapes.map(Convex::Polyhedron);
        let (mut found, mut scratch) = (Vec::new(), DetectScratch::default());
        meet((&shapes[1], &upper), (&shapes[0], &lower), 1e-6, &mut scratch, &mut found);
        for corner in &corners {
            let near = found.iter().map(|m| length(minus(m.place, *corner))).fold(9.0, f64::min);
            assert!(near < 1e-7, "{corner:?} is {near:e} from {found:?}");
        }
        for meeting in &found {
            assert!(meeting.gap.abs() < 1e-12 && (meeting.normal[2] - 1.0).abs() < 1e-12);
            let off = |c: &Vector| length(minus(meeting.place, *c));
            let near = corners.iter().map(off).fold(9.0, f64::min);
            assert!(near < 1e-7, "{meeting:?} is no corner of {corners:?}");
        }
        shared += usize::from(corners.len() > 2);
    }
    assert!(shared > 200, "{shared}");
}

/// Corners of what two convex outlines in a plane z = constant have in common, both counter-clockwise.
fn common(outlines: &[Vec<Vector>; 2]) -> Vec<Vector> {
    let sides = |outline: &[Vector]| -> Vec<[Vector; 2]> {
        (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]]).collect()
    };
    let out = |x: Vector, [a, b]: [Vector; 2]| cross(minus(b, a), minus(x, a))[2] < 0.0;
    let inside = |x: Vector, outline: &[Vector]| !sides(outline).into_iter().any(|s| out(x, s));
    let mut corners: Vec<Vector> = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        corners.extend(outlines[own].iter().filter(|&&x| inside(x, &outlines[other])));
    }
    for [a, b] in sides(&outlines[0]) {
        for [c, d] in sides(&outlines[1]) {
            let heights = [a, b].map(|x| cross(minus(d, c), minus(x, c))[2]);
            let across = [c, d].map(|x| cross(minus(b, a), minus(x, a))[2]);
            if heights[0] * heights[1] < 0.0 && across[0] * across[1] < 0.0 {
                let share = heights[0] / (heights[0] - heights[1]);
                corners.push(moved(a, share, minus(b, a)));
            }
        }
    }
    corners
}

/// Brute force itself: a cube over a cube, a corner over a face, edges across, and nearest corners.
#[test]
fn brute_force_knows_what_can_be_seen() {
    use crate::support::brute::truth;
    let cube = Convex::Polyhedron(Polyhedron::cuboid([1.0; 3]));
    let straight = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let core =
        |place: Vector, turn: [Vector; 3]| Core::of(&cube, &Placement { place, turn }, false);
    let own = core([0.0; 3], straight);
    let gap = |place: Vector| {
        let truth = truth(&core(place, straight), &own, false);
        (truth.gap, truth.nearest, truth.normal)
    };
    assert_eq!(gap([0.2, 0.1, 1.5]), (0.5, Nearest::Inside, [0.0, 0.0, 1.0]));
    assert_eq!(gap([0.2, 0.1, 0.75]), (-0.25, Nearest::Overlap, [0.0, 0.0, 1.0]));
    let (apart, nearest, normal) = gap([2.0, 2.0, 2.0]);
    assert!((apart - 3f64.sqrt()).abs() < 1e-15 && nearest == Nearest::Corner);
    assert!((dot(normal, [1.0; 3]) - 3f64.sqrt()).abs() < 1e-15);
    let h = 0.5f64.sqrt();
    let roof = [[1.0, 0.0, 0.0], [0.0, h, -h], [0.0, h, h]];
    let ridge = [[h, 0.0, h], [0.0, 1.0, 0.0], [-h, 0.0, h]];
    let truth = truth(&core([0.0, 0.0, 1.6], ridge), &core([0.0; 3], roof), false);
    assert!((truth.gap - (1.6 - 2.0 * h)).abs() < 1e-15 && truth.nearest == Nearest::Inside);
}
