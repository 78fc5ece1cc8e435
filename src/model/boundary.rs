//! Driven dofs of a case.

use std::collections::BTreeMap;

use super::groups::Groups;
use crate::assembly::{DofMap, Driven, Motion};
use crate::case::Component;
use crate::contact::Contacts;
use crate::error::Error;

/// The motions of a case and the dofs that follow them.
pub(super) fn driven_dofs(groups: &Groups) -> Result<(Vec<Motion>, Vec<Driven>), Error> {
    let boundaries = &groups.case.boundaries;
    let motions: Vec<Motion> = boundaries.iter().map(|b| b.motion.clone()).collect();
    let mut owner = BTreeMap::new();
    for (index, boundary) in boundaries.iter().enumerate() {
        let key = format!("boundary.{}", boundary.name);
        let clash = |first: usize| {
            let same = motions[first] == motions[index];
            (!same).then(|| format!("boundary '{}' drives it otherwise", boundaries[first].name))
        };
        claim(groups, &key, &boundary.group, boundary.component, index, &mut owner, clash)?;
    }
    let driven = owner.into_iter().map(|(dof, motion)| Driven { dof, motion }).collect();
    Ok((motions, driven))
}

/// Gives the dofs of a group to owner `index`; `clash` tells why an earlier owner forbids it.
pub(super) fn claim(
    groups: &Groups,
    key: &str,
    group: &str,
    component: Component,
    index: usize,
    owner: &mut BTreeMap<u32, usize>,
    clash: impl Fn(usize) -> Option<String>,
) -> Result<(), Error> {
    for &node in &groups.find(&format!("{key}.group"), group)?.nodes {
        for i in component.indices() {
            let dof = 2 * node + i as u32;
            if let Some(why) = owner.get(&dof).and_then(|&first| clash(first)) {
                let (axis, tag) = (["x", "y"][i], groups.mesh.node_tags[node as usize]);
                let message = format!("{axis} of node {tag} cannot be driven twice: {why}");
                return Err(groups.case.error_at(key, message));
            }
            owner.entry(dof).or_insert(index);
        }
    }
    Ok(())
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
