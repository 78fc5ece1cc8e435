//! Tolerances that a case gives, against the size of what it moves.

use super::groups::Groups;
use crate::contact::norm;
use crate::error::Error;
use crate::step::{Problem, State};

/// Share of the size that a gap may have at most and be called closed.
const WIDEST_GAP: f64 = 1e-2;
/// A solver's tolerance above this is worth a notice: it is a share of the impulses and velocities.
const COARSE: f64 = 1e-2;

/// An error where a gap counts as closed that is not small against the body; for points, which have no size,
/// against what lies between them and their obstacles at t = 0.
pub(super) fn refuse_wide_gaps(
    groups: &Groups,
    problem: &Problem,
    state: &State,
) -> Result<(), Error> {
    let Some(given) = groups.case.scheme.gap_tolerance else { return Ok(()) };
    let (low, high) = groups.mesh.bounding_box();
    let system = &groups.case.system;
    let reach = system.bodies.iter().map(|body| body.shape.reach());
    let own = reach.chain(system.masses.iter().map(|mass| mass.radius));
    let apart = norm(&[0, 1, 2].map(|i| high[i] - low[i]));
    let mut size = own.fold(apart, f64::max);
    if size == 0.0 {
        let gaps = (0..problem.contacts.len()).map(|c| problem.encounter(c, state).gap.abs());
        size = gaps.fold(0.0, f64::max);
    }
    if size > 0.0 && given > WIDEST_GAP * size {
        let message = format!(
            "{given:?} is no small gap: what moves has the size {size:.3e}, and a gap up to the tolerance counts as closed; give at most {:.1e}, or leave it out",
            WIDEST_GAP * size
        );
        return Err(groups.case.error_at("scheme.gap_tolerance", message));
    }
    Ok(())
}

/// A notice where the contact solver is asked for little.
pub(super) fn coarse_solver(groups: &Groups) -> Option<String> {
    let tolerance = groups.case.solver.tolerance;
    (tolerance > COARSE).then(|| {
        format!(
            "solver.tolerance = {tolerance:?} asks for contacts to {:.0} % only: works and the verdict are as rough; 1e-10 is the default",
            100.0 * tolerance
        )
    })
}
