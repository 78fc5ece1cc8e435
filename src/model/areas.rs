//! What share of its contact surface each candidate has.

use crate::assembly::{Body, facet_areas};
use crate::case::{Case, PairCase};
use crate::contact::{Contacts, Grip};

/// Area of the facets of a contact's group around each candidate, by shares; 0 where there are none: of masses and
/// bodies, of ends of bars, and of groups that are not of the outer boundary.
pub fn contact_areas(case: &Case, body: &Body, contacts: &Contacts) -> Vec<f64> {
    let mut by_set: Vec<Vec<f64>> = Vec::new();
    for contact in &case.contacts {
        let mut areas = Vec::new();
        if let PairCase::Obstacle { group, .. } | PairCase::Points { points: group, .. } =
            &contact.pair
            && let Some(group) = body.mesh.groups.get(group)
            && let Ok(facets) = body.facets_of(&group.elements)
        {
            areas.resize(body.mesh.points.len(), 0.0);
            for (node, area) in facet_areas(body.mesh, &facets) {
                areas[node as usize] += area;
            }
        }
        by_set.push(areas);
    }
    let area = |grip: &Grip, set: usize| match grip {
        Grip::Node { node, .. } => by_set.get(set)?.get(*node as usize).copied(),
        Grip::Ground { .. } | Grip::Body { .. } | Grip::Solid { .. } => None,
    };
    contacts.candidates.iter().map(|c| area(&c.grip, c.set).unwrap_or(0.0)).collect()
}
