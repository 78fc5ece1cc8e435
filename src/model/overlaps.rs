//! Rigid bodies that begin inside of each other.

use crate::case::Case;
use crate::contact::{Detector, PairContact};
use crate::error::Error;
use crate::step::{Problem, State};

/// Share of the smaller body's reach up to which an overlap is told and not refused: what poses of three or four digits
/// leave. It stays, for contact is a condition on velocities, and is too small to be seen.
const SHALLOW: f64 = 1e-3;

/// Of overlaps that differ by rounding the first is told.
const ALIKE: f64 = 1.0 - 1e-9;

/// Two bodies in each other.
struct Overlap {
    bodies: [usize; 2],
    depth: f64,
    /// The depth as a share of the smaller one's reach.
    share: f64,
}

/// A notice where bodies that may touch begin in each other.
///
/// # Errors
///
/// Where they do so deeply, and the case does not allow it.
pub(super) fn refuse_deep(
    case: &Case,
    problem: &Problem,
    state: &State,
) -> Result<Option<String>, Error> {
    let overlaps = overlaps(problem, state);
    let most = overlaps.iter().fold(0.0, |most: f64, own| most.max(own.share));
    let Some(worst) = overlaps.iter().find(|own| own.share >= ALIKE * most) else {
        return Ok(None);
    };
    let bodies = worst.bodies.map(|body| &case.system.bodies[body]);
    let [first, second] = bodies.map(|body| &body.name);
    let others = match overlaps.len() {
        1 => String::new(),
        pairs => format!(", one of {pairs} such pairs"),
    };
    let told =
        format!("'{first}' and '{second}' begin {:.3e} deep in each other{others}", worst.depth);
    if worst.share <= SHALLOW || case.scheme.allow_overlaps {
        return Ok(Some(format!("{told}: they stay so, for contact is a condition on velocities")));
    }
    let message = format!(
        "{told}: nothing undoes that; move or shrink one of them, or set scheme.allow_overlaps = true to keep them so"
    );
    Err(case.error_at(&format!("body.{}", bodies[1].table), message))
}

/// The pairs of bodies that are there at the start and deeper in each other than a gap that counts as closed.
fn overlaps(problem: &Problem, state: &State) -> Vec<Overlap> {
    let solids = &problem.contacts.solids;
    if !solids.meet() {
        return Vec::new();
    }
    let mut found: Vec<PairContact> = Vec::new();
    let at = (problem.dofs.dimension, state.step);
    Detector::default().find(solids, at, &state.q, 0.0, &mut found);
    let deep = found.iter().filter(|pair| pair.met.gap < -problem.activation.gap_tolerance);
    let mut overlaps: Vec<Overlap> = Vec::new();
    for pair in deep {
        let bodies = pair.key.bodies.map(|body| body as usize);
        let [a, b] = bodies.map(|body| solids.bodies[body].reach);
        let own = Overlap { bodies, depth: -pair.met.gap, share: -pair.met.gap / a.min(b) };
        // Contacts of two bodies follow each other, ascending by key.
        match overlaps.last_mut().filter(|last| last.bodies == bodies) {
            Some(last) if last.depth < own.depth => *last = own,
            Some(_) => {}
            None => overlaps.push(own),
        }
    }
    overlaps
}
