//! Detection beside parry, on random pairs: signed gaps and normals.
//!
//! ```text
//!     cargo run --release -- [PAIRS] [SEED]          20000 pairs by default, 1000000 by hand
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
mod draw;
mod peer;
#[path = "../../support/random.rs"]
mod random;

use std::process::ExitCode;

use brute::{Core, Nearest, Truth, dot, length, minus, moved, separation, truth};
use delassus::contact::detect::{DetectScratch, Meeting, meet};
use draw::{Draw, Pair, ShapeKind};
use peer::{PeerAnswer, ask};

const CLASSES: [&str; 8] =
    ["agree", "corner", "loose", "normal", "peer", "nothing", "refused", "ours"];

/// Detection takes the face where an axis across two edges is as near to its normal: then gaps are off by the square
/// of the angle, and what bounds them along the normal by the angle.
const TILT: f64 = 1.1e-3;
/// Share of the size below which gaps are one: detection treats axes this close as a tie.
const TIE: f64 = 2e-9;
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

/// Two bodies, what is true of them and what was found.
struct Trial<'a> {
    pair: &'a Pair,
    cores: [Core; 2],
    flat: bool,
    size: f64,
    within: f64,
    truth: Truth,
    found: &'a [Meeting],
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |default: u64| arguments.next().and_then(Result::ok).unwrap_or(default);
    let (pairs, seed) = (next(20_000), next(1));
    // parry's panics are counted, not told.
    std::panic::set_hook(std::boxed::Box::new(|_| {}));
    let mut wrong = 0;
    use ShapeKind::{Ball, Box, Capsule, Polygon, Solid};
    let space = [
        [Box, Box],
        [Box, Solid],
        [Solid, Solid],
        [Ball, Ball],
        [Ball, Box],
        [Ball, Solid],
        [Ball, Capsule],
        [Capsule, Capsule],
        [Capsule, Box],
        [Capsule, Solid],
    ];
    let plane = [
        [Box, Box],
        [Box, Polygon],
        [Polygon, Polygon],
        [Ball, Ball],
        [Ball, Polygon],
        [Ball, Capsule],
        [Capsule, Capsule],
        [Capsule, Polygon],
    ];
    let kinds =
        space.map(|kinds| (kinds, false)).into_iter().chain(plane.map(|kinds| (kinds, true)));
    let kinds: Vec<_> = kinds.collect();
    println!(
        "{:26} {:>8} {:>8}  {}",
        "",
        "pairs",
        "meet",
        CLASSES.map(|c| format!("{c:>8}")).concat()
    );
    let share = pairs / kinds.len() as u64 + 1;
    for (k, (shapes, flat)) in kinds.into_iter().enumerate() {
        let count = compare(shapes, flat, share, 1000 * seed + k as u64);
        let name =
            format!("{:?} {:?} {}", shapes[0], shapes[1], if flat { "plane" } else { "space" });
        let classes = count.classes.map(|c| format!("{c:>8}")).concat();
        let worst = count.worst.map(|w| format!(" {w:8.1e}")).concat();
        println!("{name:26} {:>8} {:>8}  {classes} {worst}", count.pairs, count.met);
        wrong += count.classes[CLASSES.len() - 1];
    }
    println!("the last columns: largest differences from the truth, from parry, of normals");
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn compare(kinds: [ShapeKind; 2], flat: bool, pairs: u64, seed: u64) -> Count {
    let (mut draw, mut scratch) = (Draw::new(seed, flat), DetectScratch::default());
    let (mut found, mut count) = (Vec::new(), Count::default());
    for number in 0..pairs {
        let pair = draw.pair(kinds);
        let cores = [0, 1].map(|i| Core::of(&pair.shapes[i], &pair.placements[i], flat));
        let reach = |i: usize| cores[i].reach(pair.placements[i].place) + cores[i].radius;
        let size = reach(0).max(reach(1));
        let within = 0.2 * reach(0).min(reach(1));
        found.clear();
        let [a, b] = [0, 1].map(|i| (&pair.shapes[i], &pair.placements[i]));
        meet(a, b, within, &mut scratch, &mut found);
        let truth = truth(&cores[0], &cores[1], flat);
        let trial = Trial { pair: &pair, cores, flat, size, within, truth, found: &found };
        count.pairs += 1;
        count.met += usize::from(!found.is_empty());
        let class = trial.class(&mut count.worst);
        count.classes[CLASSES.iter().position(|&c| c == class).unwrap_or(0)] += 1;
        if class == "ours" && count.classes[CLASSES.len() - 1] <= 3 {
            trial.tell(number);
        }
    }
    count
}

impl Trial<'_> {
    fn least(&self) -> Option<&Meeting> {
        self.found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    fn class(&self, worst: &mut [f64; 3]) -> &'static str {
        let (gap, tie) = (self.truth.gap, self.tie());
        if self.fault().is_some() {
            return "ours";
        }
        let round = self.cores.iter().any(|core| core.radius > 0.0);
        let at_corner = self.truth.nearest == Nearest::Corner && !round;
        let least = self.least().filter(|least| (least.gap - gap).abs() <= tie);
        if let Some(least) = least {
            worst[0] = worst[0].max((least.gap - gap).abs() / self.size);
        }
        match ask(self.pair, self.flat, self.within) {
            PeerAnswer::Refused => "refused",
            PeerAnswer::Apart if gap > self.within - tie => "agree",
            PeerAnswer::Apart if gap > (1.0 - LOOSE) * self.within - LOOSE * self.size => "loose",
            PeerAnswer::Apart => "nothing",
            PeerAnswer::Contact(theirs) => {
                let off = (theirs.gap - gap).abs() / self.size;
                let along = separation(&self.cores[0], &self.cores[1], theirs.normal);
                match least {
                    _ if off > LOOSE => "peer",
                    _ if off > TIE => "loose",
                    _ if along < gap - LOOSE * self.size => "normal",
                    _ if along < gap - tie => "loose",
                    None if at_corner => "corner",
                    None => "agree",
                    Some(least) => {
                        worst[1] = worst[1].max((theirs.gap - least.gap).abs() / self.size);
                        // Where nothing lies between, or several directions are as good, normals may differ.
                        let apart = length(minus(theirs.normal, least.normal));
                        if gap.abs() > 1e-3 * self.size && apart < 1e-3 {
                            worst[2] = worst[2].max(apart);
                        }
                        "agree"
                    }
                }
            }
        }
    }

    /// What gaps may be off by.
    fn tie(&self) -> f64 {
        let tilted = self.cores.iter().all(|core| core.corners.len() > 1);
        let way = self.truth.gap.abs() + self.cores[0].radius + self.cores[1].radius;
        TIE * self.size + if tilted { 0.5 * TILT * TILT * way } else { 0.0 }
    }

    /// Why detection is wrong, if it is.
    fn fault(&self) -> Option<String> {
        let Truth { gap, nearest, normal } = self.truth;
        let tie = self.tie();
        let round = self.cores.iter().any(|core| core.radius > 0.0);
        let at_corner = nearest == Nearest::Corner && !round;
        let Some(least) = self.least() else {
            let missed = gap < self.within - tie && !at_corner;
            return missed.then(|| format!("nothing found at a gap of {gap:e}"));
        };
        if least.gap < gap - tie || (least.gap > gap + tie && !at_corner) {
            return Some(format!("gap {:e} instead of {gap:e}", least.gap));
        }
        if (length(least.normal) - 1.0).abs() > 1e-14 {
            return Some(format!("normal of length {}", length(least.normal)));
        }
        let along = separation(&self.cores[0], &self.cores[1], least.normal);
        let tilt = length(minus(least.normal, normal));
        let slack = if tilt > 1e-9 && tilt < TILT { 2.0 * tilt * self.size } else { 0.0 };
        if !at_corner && along < gap - tie - slack {
            return Some(format!(
                "along the normal the gap is {along:e} instead of {gap:e}, tilt {tilt:e}"
            ));
        }
        // Capsules side by side have a normal at either end, on the way between the nearest points there.
        let [a, b] = [0, 1].map(|i| self.cores[i].radius > 0.0);
        let beside = if a && b { 0.0 } else { 1.0 - 1e-12 };
        for (i, meeting) in self.found.iter().enumerate() {
            if self.found[..i].iter().any(|other| other.feature == meeting.feature) {
                return Some(format!("feature {:x} twice", meeting.feature));
            }
            if meeting.gap > self.within || dot(meeting.normal, least.normal) < beside {
                return Some(format!("{meeting:?} does not belong to {least:?}"));
            }
        }
        // What is round and lies along a side meets it at two places, of which the nearest is exact: at the other one
        // the way to the surface is along the normal of the side.
        let exact = |meeting: &&Meeting| !round || meeting.gap == least.gap;
        self.found.iter().filter(exact).find_map(|meeting| self.misplaced(meeting))
    }

    /// Half a gap from the place along the normal the surfaces are.
    fn misplaced(&self, meeting: &Meeting) -> Option<String> {
        for (core, side) in self.cores.iter().zip([0.5, -0.5]) {
            let at = moved(meeting.place, side * meeting.gap, meeting.normal);
            let height = core.height(at, self.flat);
            if height.abs() > 2.0 * self.tie() {
                return Some(format!("{height:e} off a surface is {meeting:?}"));
            }
        }
        None
    }

    fn tell(&self, number: u64) {
        let Pair { shapes, placements, position } = self.pair;
        println!("    pair {number}, {position:?}: {}", self.fault().unwrap_or_default());
        if std::env::var_os("TELL").is_some() {
            println!("    {:?}, {:?}", self.truth, self.found);
            for (shape, at) in shapes.iter().zip(placements) {
                println!("      {shape:?}\n      at {at:?}");
            }
        }
    }
}
