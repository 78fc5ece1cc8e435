//! Where capsules meet in space: side by side at both ends of the part along which they lie.

use super::feature::{corner_on_face, crossing};
use super::round::{between, on_segment, share_nearest, sideways};
use super::{Carrier, Meeting};
use crate::vector::{cross, dot, minus, plus, polar, times};

/// All points within a radius of a segment.
#[derive(Clone, Copy)]
pub(super) struct Rod {
    pub ends: [[f64; 3]; 2],
    pub radius: f64,
}

/// Sine below which two directions are one, squared.
const PARALLEL: f64 = 1e-6;

pub(super) fn are_parallel(a: [f64; 3], b: [f64; 3]) -> bool {
    let across = cross(a, b);
    dot(across, across) <= PARALLEL * dot(a, a) * dot(b, b)
}

/// Shares of the ways along two segments that are nearest to each other (Ericson, Real-time
/// collision detection, 5.1.9).
pub(super) fn nearest_shares(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> [f64; 2] {
    let (u, w, from) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(a[0], b[0]));
    let (uw, ww) = (dot(u, w), dot(w, w));
    let (across, start) = (cross(u, w), dot(w, from));
    let square = dot(across, across);
    let free = (uw * start - dot(u, from) * ww) / square;
    let s = if square > 0.0 && ww > 0.0 { free.clamp(0.0, 1.0) } else { 0.0 };
    let t = if ww > 0.0 { (uw * s + start) / ww } else { 0.0 };
    if (0.0..=1.0).contains(&t) && square > 0.0 {
        return [s, t];
    }
    let t = t.clamp(0.0, 1.0);
    [share_nearest(a, on_segment(b, t)), t]
}

/// The part of `a`, as shares, that lies beside `b`.
pub(super) fn part_beside(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> Option<[f64; 2]> {
    let along = minus(a[1], a[0]);
    let [s, t] = b.map(|end| dot(minus(end, a[0]), along) / dot(along, along));
    let part = [s.min(t).max(0.0), s.max(t).min(1.0)];
    (part[0] < part[1]).then_some(part)
}

/// Which end a share is, or 2 between them.
pub(super) fn end_at(share: f64) -> usize {
    match share {
        0.0 => 0,
        1.0 => 1,
        _ => 2,
    }
}

/// Appends where two capsules meet.
pub(super) fn meet_capsules(first: Rod, second: Rod, within: f64, found: &mut Vec<Meeting>) {
    let mut add = |[s, t]: [f64; 2]| {
        let [x, y] = [on_segment(first.ends, s), on_segment(second.ends, t)];
        let ends = [end_at(s), end_at(t)];
        let (feature, carrier) = match ends {
            [2, 0 | 1] => (corner_on_face(false, ends[1], 0), Carrier::CenterOfSecond),
            [0 | 1, 2] => (corner_on_face(true, ends[0], 0), Carrier::CenterOfFirst),
            _ => (crossing(ends[0], ends[1]), Carrier::CenterOfFirst),
        };
        let spare = across_both(first.ends, second.ends);
        let meeting = between((x, first.radius), (y, second.radius), spare);
        found.extend(
            Some(Meeting { feature, carrier, ..meeting }).filter(|meeting| meeting.gap <= within),
        );
    };
    let [u, w] = [first.ends, second.ends].map(|ends| minus(ends[1], ends[0]));
    if are_parallel(u, w)
        && let Some(part) = part_beside(first.ends, second.ends)
    {
        for s in part {
            let t = share_nearest(second.ends, on_segment(first.ends, s));
            // Shares of one overlap are both ends, up to rounding: of the second one where it is not of the first.
            let t = if end_at(s) == 2 { t.round() } else { t };
            add([s, t]);
        }
        return;
    }
    add(nearest_shares(first.ends, second.ends));
}

/// Unit vector across two segments, from the middle of the second towards that of the first.
fn across_both(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> [f64; 3] {
    let across = cross(minus(a[1], a[0]), minus(b[1], b[0]));
    let normal = polar(across).map_or_else(|| sideways(a), |(_, normal)| normal);
    let between = minus(plus(a[0], a[1]), plus(b[0], b[1]));
    if dot(normal, between) < 0.0 { times(-1.0, normal) } else { normal }
}
