//! Tolerances that a case gives, against the size of what it moves.

use super::groups::Groups;
use crate::contact::{Grip, norm};
use crate::error::Error;
use crate::step::{ConnectedBodies, Problem, State};

/// Share of the size that a gap may have at most and be called closed.
const WIDEST_GAP: f64 = 1e-2;
/// A solver's tolerance above this is worth a notice: it is a share of the impulses and velocities.
const COARSE: f64 = 1e-2;

/// Size of all bodies that may touch something, twice; where those are single points the largest gap at t = 0, and the
/// larger of that and of how far they are from the origin. Bodies that touch nothing have no part in it.
pub(super) fn extent(groups: &Groups, problem: &Problem, state: &State) -> (f64, f64) {
    let (mesh, contacts, d) = (groups.mesh, &problem.contacts, groups.mesh.dimension);
    let bodies = ConnectedBodies::of(problem);
    let mut touches = vec![false; bodies.len()];
    let touching = contacts.grips().filter_map(Grip::node);
    touching.for_each(|node| touches[bodies.of_node(node as usize, d)] = true);
    let takes_part = |node: usize| touches[bodies.of_node(node, d)];
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for node in (0..mesh.points.len()).filter(|&node| takes_part(node)) {
        for (i, x) in mesh.points[node].into_iter().enumerate() {
            (low[i], high[i]) = (low[i].min(x), high[i].max(x));
        }
    }
    let system = &groups.case.system;
    let own =
        |name: &str| mesh.group(name).is_some_and(|group| takes_part(group.nodes[0] as usize));
    let touching = system.bodies.iter().filter(|body| own(&body.name));
    let reach = touching.filter_map(|body| Some(body.in_plane()?.shape.reach()));
    let solids = problem.contacts.solids.bodies.iter().map(|body| body.reach);
    let balls = system.masses.iter().filter(|mass| own(&mass.name)).map(|mass| mass.radius);
    let apart = norm(&[0, 1, 2].map(|i| (high[i] - low[i]).max(0.0)));
    let size = reach.chain(solids).chain(balls).fold(apart, f64::max);
    if size > 0.0 {
        return (size, size);
    }
    let gaps = (0..contacts.len()).map(|c| problem.contact(c, state).gap.abs());
    let gap = gaps.fold(0.0, f64::max);
    (gap, if high[0].is_finite() { gap.max(norm(&high)) } else { gap })
}

/// An error where a gap counts as closed that is not small against the body; for points, which have no size,
/// against what lies between them and their obstacles at t = 0.
pub(super) fn refuse_wide_gaps(
    groups: &Groups,
    problem: &Problem,
    state: &State,
) -> Result<(), Error> {
    let Some(given) = groups.case.scheme.gap_tolerance else { return Ok(()) };
    let (size, _) = extent(groups, problem, state);
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
