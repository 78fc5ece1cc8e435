//! Detection: pairs of every kind, the search for pairs, and all of it on a wall.
//!
//! ```text
//!     cargo bench --bench detect
//! ```
//!
//! Of pairs, the time is that of one of a thousand that lie alike and are placed differently, so that nothing
//! is foreseen. Goals on one core: 1.5 µs a pair of boxes, 0.2 µs a pair of balls.
#![allow(clippy::print_stdout)]

#[path = "../tests/support/random.rs"]
mod random;
mod support;

use delassus::case::Case;
use delassus::contact::Detector;
use delassus::contact::detect::{
    BroadPhase, Convex, DetectScratch, PieceBox, Placement, Polyhedron, meet,
};
use delassus::mesh::Mesh;
use delassus::model::{Model, add_system};
use random::Random;
use support::{measuring, print_time, time};

type Vector = [f64; 3];

/// Pairs in a row.
const PAIRS: usize = 1000;

fn main() {
    let cuboid = || Convex::Polyhedron(Polyhedron::cuboid([1.01, 2.01, 1.01]));
    let ball = || Convex::Ball { center: [0.0; 3], radius: 0.5 };
    let capsule = || Convex::Capsule { ends: [[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]], radius: 0.5 };
    let solid = || Convex::Polyhedron(rounded(20));
    let drum = || Convex::Polyhedron(Polyhedron::prism(16, 0.5, 1.0));
    // Where the second one lies, and how far it is turned at random.
    let on_top = |z: f64| ([0.3, 0.4, z], 0.0);
    for (name, shapes, (place, turned)) in [
        ("boxes/faces-touch", [cuboid(), cuboid()], on_top(1.01)),
        ("boxes/faces-overlap", [cuboid(), cuboid()], on_top(1.009)),
        ("boxes/faces-within", [cuboid(), cuboid()], on_top(1.015)),
        ("boxes/faces-apart", [cuboid(), cuboid()], on_top(1.03)),
        ("boxes/edge-shared", [cuboid(), cuboid()], ([0.0, 2.01, 1.01], 0.0)),
        ("boxes/turned-overlap", [cuboid(), cuboid()], ([0.2, 0.3, 1.1], 1.0)),
        ("boxes/turned-apart", [cuboid(), cuboid()], ([0.7, 0.9, 1.7], 1.0)),
        ("polyhedra/overlap", [solid(), solid()], ([0.1, 0.2, 0.9], 1.0)),
        ("polyhedra/apart", [solid(), solid()], ([0.3, 0.3, 1.05], 1.0)),
        ("polyhedron-box/overlap", [solid(), cuboid()], ([0.1, 0.2, 0.9], 1.0)),
        ("drums/faces-touch", [drum(), drum()], ([0.1, 0.0, 1.0], 0.0)),
        ("balls/touch", [ball(), ball()], ([0.0, 0.6, 0.8], 1.0)),
        ("balls/apart", [ball(), ball()], ([0.0, 0.7, 0.9], 1.0)),
        ("ball-box/touch", [ball(), cuboid()], ([0.1, 0.2, 1.0], 0.3)),
        ("ball-polyhedron/touch", [ball(), solid()], ([0.1, 0.2, 0.95], 1.0)),
        ("capsules/touch", [capsule(), capsule()], ([0.6, 0.7, 0.2], 1.0)),
        ("capsule-box/touch", [capsule(), cuboid()], ([0.1, 0.2, 1.3], 0.3)),
        ("ball-capsule/touch", [ball(), capsule()], ([0.5, 0.8, 0.2], 0.3)),
    ] {
        bench_pair(name, &shapes, place, turned);
    }
    let counts: &[usize] = if measuring() { &[1_000, 10_000, 100_000] } else { &[100] };
    for &count in counts {
        bench_broad(count);
    }
    bench_wall();
}

/// A polyhedron of that many corners on a sphere of radius ½.
fn rounded(corners: usize) -> Polyhedron {
    let golden = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    let corner = |i: usize| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / corners as f64;
        let (r, angle) = ((1.0 - z * z).sqrt(), golden * i as f64);
        [0.5 * r * angle.cos(), 0.5 * r * angle.sin(), 0.5 * z]
    };
    let points: Vec<Vector> = (0..corners).map(corner).collect();
    Polyhedron::hull(&points).expect("corners on a sphere")
}

/// Turned by a quaternion of any length.
fn turned(place: Vector, q: [f64; 4]) -> Placement {
    let size = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|q| q / size);
    let turn = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    Placement { place, turn }
}

/// `inner` as seen by `outer`, in space.
fn after(outer: &Placement, inner: &Placement) -> Placement {
    let column = |j: usize| outer.turned([0, 1, 2].map(|i| inner.turn[i][j]));
    let columns = [0, 1, 2].map(column);
    let turn = [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]));
    Placement { place: outer.to_space(inner.place), turn }
}

fn bench_pair(name: &str, shapes: &[Convex; 2], place: Vector, most: f64) {
    let mut random = Random::new(7);
    let mut four = |size: f64| [0; 4].map(|_| size * random.signed());
    let pairs: Vec<[Placement; 2]> = (0..PAIRS)
        .map(|_| {
            let [x, y, z, _] = four(10.0);
            let frame = turned([x, y, z], four(1.0));
            let [_, i, j, k] = four(most);
            let second = after(&frame, &turned(place, [1.0, i, j, k]));
            [frame, second]
        })
        .collect();
    let (mut scratch, mut found, mut met) = (DetectScratch::default(), Vec::new(), 0);
    let mut best = f64::INFINITY;
    for _ in 0..if measuring() { 300 } else { 1 } {
        time(&mut best, || {
            met = 0;
            for [first, second] in &pairs {
                found.clear();
                let ends = ((&shapes[0], first), (&shapes[1], second));
                meet(ends.0, ends.1, 0.01, &mut scratch, &mut found);
                met += found.len();
            }
        });
    }
    print_time(&format!("detect/meet/{name}/{met}"), best / PAIRS as f64);
}

/// Boxes of two sizes at random, six neighbours each.
fn bench_broad(count: usize) {
    let mut random = Random::new(3);
    let extent = 0.5 * (count as f64).cbrt();
    let boxes: Vec<PieceBox> = (0..count)
        .map(|i| {
            let place = [0; 3].map(|_| extent * random.signed());
            let half = if i % 10 == 0 { 0.9 } else { 0.45 };
            PieceBox { low: place.map(|x| x - half), high: place.map(|x| x + half) }
        })
        .collect();
    let (mut broad, mut pairs, mut best) = (BroadPhase::default(), Vec::new(), f64::INFINITY);
    for _ in 0..if measuring() { 30 } else { 1 } {
        time(&mut best, || broad.pairs_into(&boxes, &mut pairs));
    }
    assert!(pairs.len() > count / 2, "boxes overlap");
    print_time(&format!("detect/broad/boxes/{count}"), best);
}

/// All contacts of the wall of 275 blocks at rest.
fn bench_wall() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/rock_on_wall.toml");
    let case = Case::read(path.as_ref(), &[]).expect("a shipped case");
    let mut mesh = Mesh { dimension: 3, offsets: vec![0], ..Mesh::default() };
    add_system(&case, &mut mesh).expect("bodies");
    let Model { problem, state, .. } = Model::build(&case, &mesh).expect("a model");
    let (solids, within) = (&problem.contacts.solids, problem.activation.gap_tolerance);
    let (mut detector, mut found, mut best) = (Detector::default(), Vec::new(), f64::INFINITY);
    for _ in 0..if measuring() { 100 } else { 1 } {
        time(&mut best, || detector.find(solids, (3, 0), &state.q, within, &mut found));
    }
    assert!(found.len() > 1000, "the blocks touch");
    print_time(&format!("detect/find/rock_on_wall/{}", found.len()), best);
}
