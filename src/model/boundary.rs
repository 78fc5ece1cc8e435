//! Driven dofs of a case.

use std::sync::Arc;

use std::collections::BTreeMap;

use super::groups::Groups;
use crate::assembly::{DofMap, Driven, Loads};
use crate::case::{BoundaryCase, Case, Component};
use crate::contact::obstacle::Obstacle;
use crate::contact::{HRows, Joint};
use crate::error::Error;
use crate::linalg::NoFactor;
use crate::mesh::Mesh;
use crate::step::{Problem, State};
use crate::time::Motion;

/// The motions of a case and the dofs that follow them.
pub(super) fn driven_dofs(groups: &Groups) -> Result<(Vec<Motion>, Vec<Driven>), Error> {
    let boundaries = &groups.case.boundaries;
    let motions: Vec<Motion> = boundaries.iter().map(|b| b.motion.clone()).collect();
    let claim = |b: &BoundaryCase| Claim {
        key: format!("boundary.{}", b.name),
        group: b.group.clone(),
        component: b.component,
    };
    let claims: Vec<Claim> = boundaries.iter().map(claim).collect();
    let owners = owners(groups, &claims, |first, second| motions[first] == motions[second])?;
    let mut driven: Vec<Driven> =
        owners.into_iter().map(|(dof, motion)| Driven { dof, motion }).collect();
    driven.sort_by_key(|driven| driven.dof);
    Ok((motions, driven))
}

/// An error where a boundary moves and the scheme cannot follow it.
pub(super) fn refuse_motion_beyond(groups: &Groups, motions: &[Motion]) -> Result<(), Error> {
    let case = groups.case;
    let scheme = case.scheme.parameters;
    if scheme.follows_driven_dofs() {
        return Ok(());
    }
    match motions.iter().position(|motion| !motion.is_still()) {
        Some(moving) => {
            let message = format!(
                "moves, which kind = \"{}\" does not follow; hold it still, or set scheme.kind = \"moreau-jean\"",
                scheme.name()
            );
            Err(case.error_at(&format!("boundary.{}", case.boundaries[moving].name), message))
        }
        None => Ok(()),
    }
}

/// Dofs that a table of the case asks for.
pub(super) struct Claim {
    /// The table.
    pub key: String,
    /// Its group.
    pub group: String,
    /// Its components.
    pub component: Component,
}

/// Which claim owns which dof; where two meet they must `agree`, and the first owns.
pub(super) fn owners(
    groups: &Groups,
    claims: &[Claim],
    agree: impl Fn(usize, usize) -> bool,
) -> Result<BTreeMap<u32, usize>, Error> {
    let mut owners = BTreeMap::new();
    let d = groups.mesh.dimension;
    for (index, claim) in claims.iter().enumerate() {
        let components = claim.component.indices(d);
        if components.is_empty() {
            let key = format!("{}.component", claim.key);
            let (space, given) = match d {
                1 => ("on a line", "\"x\""),
                _ => ("in the plane", "\"x\", \"y\" or \"all\""),
            };
            let message = format!(
                "there is no \"{}\" in {}, which lies {space}; give {given}",
                claim.component.word(),
                groups.case.mesh_name()
            );
            return Err(groups.case.error_at(&key, message));
        }
        for &node in &groups.find(&format!("{}.group", claim.key), &claim.group)?.nodes {
            for i in components.clone() {
                let first = *owners.entry(d as u32 * node + i as u32).or_insert(index);
                if first != index && !agree(first, index) {
                    let (axis, tag) = (["x", "y", "z"][i], groups.mesh.node_tags[node as usize]);
                    let message = format!(
                        "{axis} of node {tag} is given otherwise by [{}]; give both the same values, or take the node out of one group",
                        claims[first].key
                    );
                    return Err(groups.case.error_at(&claim.key, message));
                }
            }
        }
    }
    Ok(owners)
}

/// Nodes of a contact set, each with the faces of the obstacle whose normal impulse it can follow; those
/// that are driven along the normal are left out with a notice, for corners often belong to two groups.
pub(super) fn candidates(
    groups: &Groups,
    (contact, name): (&str, &str),
    obstacle: &Obstacle,
    driven: &[Driven],
    notices: &mut Vec<String>,
) -> Result<Vec<(u32, usize)>, Error> {
    let key = format!("contact.{contact}.group");
    let group = groups.find(&key, name)?;
    let d = groups.mesh.dimension;
    if d > 1 && group.dimension == d {
        let (body, skin) = if d == 2 { ("surface", "curve") } else { ("volume", "surface") };
        let message = format!(
            "group '{name}' is a {body}; give the {skin} or the points that may touch the obstacle"
        );
        return Err(groups.case.error_at(&key, message));
    }
    let is_driven = |dof: usize| driven.binary_search_by_key(&(dof as u32), |d| d.dof).is_ok();
    let pose = obstacle.initial_pose();
    let can_follow = |&(node, face): &(u32, usize)| {
        let normal = obstacle.touch(face, groups.mesh.points[node as usize], &pose).frame.normal();
        let free = (0..d).filter(|&i| !is_driven(d * node as usize + i));
        free.map(|i| normal[i].powi(2)).sum::<f64>() > 1e-20
    };
    let all = group.nodes.iter().flat_map(|&node| (0..obstacle.faces()).map(move |f| (node, f)));
    let (kept, mut left_out): (Vec<_>, Vec<_>) = all.partition(can_follow);
    left_out.dedup_by_key(|(node, _)| *node);
    let tag = |met: Option<&(u32, usize)>| met.map_or(0, |m| groups.mesh.node_tags[m.0 as usize]);
    if kept.is_empty() {
        let message = format!(
            "every node of '{name}', such as node {}, is driven along the normal of the obstacle, so contact cannot move it; take the group out of the boundary",
            tag(left_out.first())
        );
        return Err(groups.case.error_at(&key, message));
    }
    if !left_out.is_empty() {
        notices.push(format!(
            "{} nodes of contact '{contact}', such as node {}, are driven along the normal of the obstacle and left out of it",
            left_out.len(),
            tag(left_out.first())
        ));
    }
    Ok(kept)
}

/// A notice where candidates start inside of their obstacle: is it on the right side?
pub(super) fn initial_penetration(mesh: &Mesh, problem: &Problem, state: &State) -> Vec<String> {
    let contacts = &problem.contacts;
    let mut notices = Vec::new();
    for (set, contact) in contacts.sets.iter().enumerate() {
        let own = contacts.candidates.iter().enumerate().filter(|(_, c)| c.set == set);
        let inside: Vec<(f64, u32)> = own
            .map(|(c, own)| (problem.contact(c, state).gap, own.grip.node().unwrap_or(0)))
            .filter(|(g, _)| *g < -problem.activation.gap_tolerance)
            .collect();
        if let Some((deepest, node)) = inside.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            notices.push(format!(
                "{} nodes of contact '{}' start inside of the obstacle, node {} by {:.3e}; is it on the right side?",
                inside.len(),
                contact.name,
                mesh.node_tags[*node as usize],
                -deepest
            ));
        }
    }
    notices
}

/// That nothing is left to move, and what holds it.
pub(super) fn all_driven(case: &Case) -> Error {
    match case.system.bodies.last() {
        Some(body) if case.boundaries.is_empty() => {
            let message =
                "every body is fixed or driven, so that nothing is left to move; let one be free";
            case.error_at(&format!("body.{}", body.table), message)
        }
        _ => {
            let message = "drives every dof, so that nothing is left to move; leave some free";
            case.error_at("boundary", message)
        }
    }
}

/// A joint that opens faster than this share of what its parts bring at t = 0 does not by rounding.
const OPENING: f64 = 1e-6;

/// Changes velocities at t = 0 that would open joints, and tells so.
pub(super) fn close_joints(
    problem: &Arc<Problem>,
    state: &mut State,
    notices: &mut Vec<String>,
) -> Result<(), NoFactor> {
    let open = initial_opening(problem, state);
    if open.is_empty() {
        return Ok(());
    }
    notices.extend(open);
    crate::step::close_joints(problem, state)
}

fn initial_opening(problem: &Problem, state: &State) -> Vec<String> {
    let d = problem.dofs.dimension;
    let opening = |joint: &Joint| {
        let mut rows = HRows::default();
        joint.add_mean_gradient(d, &state.q, &state.q, &mut rows);
        let (gradient, count) = (rows.of(0), joint.equations(d));
        let rate = gradient.velocity(&state.v);
        let largest = rate[..count].iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        let moved = |i: usize| {
            let terms = gradient.columns().iter().zip(gradient.dofs());
            terms.map(|(column, &dof)| (column[i] * state.v[dof as usize]).abs()).sum::<f64>()
        };
        let scale = (0..count).map(moved).fold(0.0, f64::max);
        (largest > OPENING * scale).then(|| {
            format!(
                "the velocities at t = 0 open joint '{}' at {largest:.3e}: they are changed to the nearest ones, in kinetic energy, that keep it; give velocities to all that it holds",
                joint.name
            )
        })
    };
    problem.contacts.joints.iter().filter_map(opening).collect()
}

/// Takes loads off dofs whose motion is prescribed, where reactions undo them to the last bit; a load that acts on
/// nothing else is told.
pub(super) fn drop_held_loads(case: &Case, dofs: &DofMap, loads: &mut Loads) -> Vec<String> {
    let names = case.loads.iter().filter(|load| load.kind.is_pattern()).map(|load| &load.name);
    let mut notices = Vec::new();
    for (name, load) in names.zip(&mut loads.external) {
        let acts = load.pattern.iter().any(|(_, force)| *force != 0.0);
        load.pattern.retain(|&(dof, _)| dofs.position_of(dof as usize).is_some());
        if acts && load.pattern.iter().all(|(_, force)| *force == 0.0) {
            notices.push(format!(
                "load '{name}' does nothing: the motion of all that it acts on is prescribed"
            ));
        }
    }
    notices
}
