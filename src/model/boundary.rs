//! Driven dofs of a case.

use std::collections::BTreeMap;

use super::groups::Groups;
use crate::assembly::{DofMap, Driven, Motion};
use crate::case::{BoundaryCase, Component};
use crate::contact::Contacts;
use crate::error::Error;

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
    let driven = owners.into_iter().map(|(dof, motion)| Driven { dof, motion }).collect();
    Ok((motions, driven))
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
    for (index, claim) in claims.iter().enumerate() {
        for &node in &groups.find(&format!("{}.group", claim.key), &claim.group)?.nodes {
            for i in claim.component.indices() {
                let first = *owners.entry(2 * node + i as u32).or_insert(index);
                if first != index && !agree(first, index) {
                    let (axis, tag) = (["x", "y"][i], groups.mesh.node_tags[node as usize]);
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

/// A candidate with no free dof can follow no impulse.
pub(super) fn refuse_driven_candidates(
    groups: &Groups,
    contacts: &Contacts,
    dofs: &DofMap,
) -> Result<(), Error> {
    for candidate in &contacts.candidates {
        if dofs.positions_of_node(candidate.node) == [None, None] {
            let set = &contacts.sets[candidate.set].name;
            let tag = groups.mesh.node_tags[candidate.node as usize];
            let message = format!(
                "both components of node {tag} are driven, so contact cannot move it; take it out of the group or out of the boundary"
            );
            return Err(groups.case.error_at(&format!("contact.{set}.group"), message));
        }
    }
    Ok(())
}
