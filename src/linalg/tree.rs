//! The elimination tree cut into what runs side by side.

use super::elimination::NONE;
use super::plan::{Panel, Plan};

/// Subtrees with less than this share of the entries of L are one piece of work: small enough to
/// keep several threads busy, large enough to hide what starting one costs.
pub(super) const SHARE: usize = 48;

/// `true` for the panels whose subtree is too large to be one piece of work.
pub(super) fn trunk(plan: &Plan) -> Vec<bool> {
    let few = plan.entries() / SHARE;
    let mut entries: Vec<usize> = plan.panels.iter().map(Panel::entries).collect();
    for at in 0..entries.len() {
        if plan.parent[at] != NONE {
            entries[plan.parent[at] as usize] += entries[at];
        }
    }
    entries.iter().map(|&entries| entries > few).collect()
}
