//! Detection beside parry, on random pairs: signed gaps and normals.
//!
//! ```text
//!     cargo run --release -- [PAIRS] [SEED] [KIND]   20000 pairs by default, 1000000 by hand; of one kind, from 0
//! ```
//!
//! Where the two disagree, a third opinion decides: `tests/support/brute.rs`, which tries all features of one
//! body with all of the other. A disagreement is one of these, and is counted:
//!
//! | class | what |
//! |---|---|
//! | corner | polyhedra or polygons are nearest with a corner at a corner or an edge: detection says nothing there, or names a face farther away, until they overlap (see `meet`); parry gives the distance |
//! | loose | parry is right to 1e-4 of the size only: its GJK and EPA stop at tolerances of their own |
//! | normal | parry's gap is right, and its normal is not the direction of that gap |
//! | peer | parry's gap is wrong: EPA ended elsewhere, or the separating axes of its boxes were mixed |
//! | nothing | parry finds nothing though the gap is less than asked for |
//! | refused | parry panicked, or could not make a hull |
//! | ours | detection is wrong: the program fails, and tells of three of a kind (in full with TELL=1) |
#![allow(clippy::print_stdout)]

#[path = "../../support/brute.rs"]
mod brute;
#[path = "../../support/random_pairs.rs"]
mod random_pairs;
mod peer;
#[path = "../../support/random.rs"]
mod random;
#[path = "../../support/trial.rs"]
mod trial;

use std::process::ExitCode;

use brute::{length, minus, separation};
use delassus::contact::detect::DetectScratch;
use random_pairs::{Draw, KINDS, Pair, ShapeKind};
use peer::{PeerAnswer, ask};
use trial::{TIE, Trial};

const CLASSES: [&str; 8] =
    ["agree", "corner", "loose", "normal", "peer", "nothing", "refused", "ours"];
const OURS: usize = CLASSES.len() - 1;

/// What parry's iterations leave, as a share of the size.
const LOOSE: f64 = 1e-4;

/// Counts of one kind of pair.
#[derive(Clone, Debug, Default)]
struct Count {
    pairs: usize,
    met: usize,
    classes: [usize; CLASSES.len()],
    /// Worst differences, as shares of the size: ours from the truth, ours from parry's where they agree, of
    /// gaps and of normals.
    worst: [f64; 3],
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default: u64| arguments.next().and_then(Result::ok).unwrap_or(default);
    let (pairs, seed, only) = (next(20_000), next(1), next(u64::MAX));
    // parry's panics are counted, not told.
    std::panic::set_hook(Box::new(|_| {}));
    let heads = CLASSES.map(|class| format!("{class:>8}")).concat();
    println!("{:26} {:>8} {:>8}  {heads}", "", "pairs", "meet");
    let (share, mut wrong) = (pairs / KINDS.len() as u64 + 1, 0);
    for (k, (shapes, flat)) in (0..).zip(KINDS) {
        if only != u64::MAX && only != k {
            continue;
        }
        let count = compare(shapes, flat, share, 1000 * seed + k);
        let place = if flat { "plane" } else { "space" };
        let name = format!("{:?} {:?} {place}", shapes[0], shapes[1]);
        let classes = count.classes.map(|c| format!("{c:>8}")).concat();
        let worst = count.worst.map(|w| format!(" {w:8.1e}")).concat();
        println!("{name:26} {:>8} {:>8}  {classes} {worst}", count.pairs, count.met);
        wrong += count.classes[OURS];
    }
    println!("the last columns: largest differences from the truth, from parry, of normals");
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn compare(kinds: [ShapeKind; 2], flat: bool, pairs: u64, seed: u64) -> Count {
    let (mut draw, mut scratch) = (Draw::new(seed, flat), DetectScratch::default());
    let (mut found, mut count) = (Vec::new(), Count::default());
    for number in 0..pairs {
        let pair = draw.pair(kinds);
        let trial = Trial::of(&pair, flat, &mut scratch, &mut found);
        count.pairs += 1;
        count.met += usize::from(!trial.found.is_empty());
        let class = match trial.fault() {
            Some(_) => "ours",
            None => class(&trial, &mut count.worst),
        };
        count.classes[CLASSES.iter().position(|&c| c == class).unwrap_or(OURS)] += 1;
        if class == "ours" && count.classes[OURS] <= 3 {
            tell(&trial, number);
        }
    }
    count
}

/// Which class a trial is of, where detection is right.
fn class(trial: &Trial, worst: &mut [f64; 3]) -> &'static str {
    let (gap, tie, size) = (trial.truth.gap, trial.tie(), trial.size);
    let least = trial.least().filter(|least| (least.gap - gap).abs() <= tie);
    if let Some(least) = least {
        worst[0] = worst[0].max((least.gap - gap).abs() / size);
    }
    let theirs = match ask(trial.pair, trial.flat, trial.within) {
        PeerAnswer::Refused => return "refused",
        PeerAnswer::Apart if gap > trial.within - tie => return "agree",
        PeerAnswer::Apart if gap > (1.0 - LOOSE) * trial.within - LOOSE * size => return "loose",
        PeerAnswer::Apart => return "nothing",
        PeerAnswer::Contact(theirs) => theirs,
    };
    let off = (theirs.gap - gap).abs() / size;
    let along = separation(&trial.cores[0], &trial.cores[1], theirs.normal);
    match least {
        _ if off > LOOSE => "peer",
        _ if off > TIE => "loose",
        _ if along < gap - LOOSE * size => "normal",
        _ if along < gap - tie => "loose",
        None if trial.is_at_corner() => "corner",
        None => "agree",
        Some(least) => {
            worst[1] = worst[1].max((theirs.gap - least.gap).abs() / size);
            // Where nothing lies between, or several directions are as good, normals may differ.
            let apart = length(minus(theirs.normal, least.normal));
            if gap.abs() > 1e-3 * size && apart < 1e-3 {
                worst[2] = worst[2].max(apart);
            }
            "agree"
        }
    }
}

fn tell(trial: &Trial, number: u64) {
    let Pair { shapes, placements, position } = trial.pair;
    println!("    pair {number}, {position:?}: {}", trial.fault().unwrap_or_default());
    if std::env::var_os("TELL").is_some() {
        println!("    {:?}, {:?}", trial.truth, trial.found);
        for (shape, at) in shapes.iter().zip(placements) {
            println!("      {shape:?}\n      at {at:?}");
        }
    }
}
