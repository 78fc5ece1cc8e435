//! What detection found of two bodies, held against the truth.

use delassus::contact::detect::{DetectScratch, Meeting, meet};

use super::brute::{Core, Nearest, Truth, dot, length, minus, moved, separation, truth};
use super::random_pairs::Pair;

/// Detection takes the face where an axis across two edges is as near to its normal: then gaps are off by the square
/// of the angle, and what bounds them along the normal by the angle.
const TILT: f64 = 1.1e-3;
/// Share of the size below which gaps are one: detection treats axes this close as a tie.
pub const TIE: f64 = 2e-9;
/// Two bodies, what is true of them and what was found.
pub struct Trial<'a> {
    pub pair: &'a Pair,
    pub cores: [Core; 2],
    pub flat: bool,
    pub size: f64,
    pub within: f64,
    pub truth: Truth,
    pub found: &'a [Meeting],
}

impl<'a> Trial<'a> {
    /// Detects, up to a fifth of the smaller body's reach apart.
    pub fn of(
        pair: &'a Pair,
        flat: bool,
        scratch: &mut DetectScratch,
        found: &'a mut Vec<Meeting>,
    ) -> Self {
        let cores = [0, 1].map(|i| Core::of(&pair.shapes[i], &pair.placements[i], flat));
        let reach = |i: usize| cores[i].reach(pair.placements[i].place) + cores[i].radius;
        let size = reach(0).max(reach(1));
        let within = 0.2 * reach(0).min(reach(1));
        found.clear();
        let [a, b] = [0, 1].map(|i| (&pair.shapes[i], &pair.placements[i]));
        meet(a, b, within, scratch, found);
        let truth = truth(&cores[0], &cores[1], flat);
        Self { pair, cores, flat, size, within, truth, found }
    }

    /// The meeting with the least gap.
    pub fn least(&self) -> Option<&Meeting> {
        self.found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// Whether polyhedra or polygons are nearest with a corner at a corner or an edge, of which detection does not speak.
    pub fn is_at_corner(&self) -> bool {
        let round = self.cores.iter().any(|core| core.radius > 0.0);
        self.truth.nearest == Nearest::Corner && !round
    }

    /// What gaps may be off by.
    pub fn tie(&self) -> f64 {
        let tilted = self.cores.iter().all(|core| core.corners.len() > 1);
        let way = self.truth.gap.abs() + self.cores[0].radius + self.cores[1].radius;
        TIE * self.size + if tilted { 0.5 * TILT * TILT * way } else { 0.0 }
    }

    /// Why detection is wrong, if it is.
    pub fn fault(&self) -> Option<String> {
        let Truth { gap, normal, .. } = self.truth;
        let tie = self.tie();
        let round = self.cores.iter().any(|core| core.radius > 0.0);
        let at_corner = self.is_at_corner();
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
}
