//! Nodes of a mesh and point masses as what rigid bodies touch.

use std::collections::HashMap;

use super::{Companions, Thing};
use crate::assembly::{Body, Driven, facet_load};
use crate::case::{BodyCase, WordCase};
use crate::contact::{Against, Candidate, Grip};
use crate::error::Error;
use crate::model::solids::is_driven;
use crate::rigid::BodyShape;
use crate::vector::{length, plus, unit};

/// Facets of a node whose normals add up to less than this share of one have no normal in common.
const NO_NORMAL: f64 = 1e-6;

impl Companions<'_, '_, '_> {
    /// The candidates of a set of points and bodies: every point with every body.
    pub fn points_and_bodies(
        &self,
        (contact, set): (&str, usize),
        (points, word): (&str, &WordCase),
        (body, driven): (&Body, &[Driven]),
    ) -> Result<(Vec<Candidate>, Against), Error> {
        let key = format!("contact.{contact}.between");
        let own = self.points_of_word(&key, points, set, body)?;
        let bodies = self.groups.case.system.bodies.iter().enumerate();
        let bodies: Vec<_> = bodies.filter(|(_, body)| word.means(body)).collect();
        let is_point = own.iter().all(|candidate| candidate.radius == 0.0);
        if let Some((_, rod)) = bodies.iter().find(|(_, body)| is_point && is_rod(body)) {
            let message = format!(
                "the rod '{}' has no thickness, so that no point is on one side of it; make it a \"box\"",
                rod.name
            );
            return Err(self.groups.case.error_at(&key, message));
        }
        let d = self.groups.mesh.dimension;
        let is_held =
            |dof: usize| driven.binary_search_by_key(&(dof as u32), |other| other.dof).is_ok();
        // What neither an impulse on the point nor one on the body moves is no contact.
        let moves = |candidate: &Candidate, body: &BodyCase| {
            let node = candidate.grip.node().map_or(0, |node| d * node as usize);
            !is_driven(body) || (node..node + d).any(|dof| !is_held(dof))
        };
        let mut candidates = Vec::with_capacity(own.len() * bodies.len());
        for (face, (_, body)) in bodies.iter().enumerate() {
            let moving = own.iter().filter(|candidate| moves(candidate, body));
            candidates.extend(moving.map(|candidate| Candidate { face, ..candidate.clone() }));
        }
        if candidates.is_empty() {
            let message = "every point and every body of it is driven, so that contact cannot move them; leave one free";
            return Err(self.groups.case.error_at(&key, message));
        }
        let numbers = bodies.iter().map(|(index, _)| *index as u32).collect();
        Ok((candidates, Against::Body(numbers)))
    }

    /// The mass of a name, or the nodes of a group with what is known of the surface around them.
    fn points_of_word(
        &self,
        key: &str,
        name: &str,
        set: usize,
        body: &Body,
    ) -> Result<Vec<Candidate>, Error> {
        if let Some(Thing::Mass(mass, node)) = self.thing(name) {
            let grip = Grip::Node { node, point: mass.position };
            return Ok(vec![Candidate::of(grip, mass.radius, set)]);
        }
        let (group, mesh) = (self.groups.find(key, name)?, self.groups.mesh);
        let d = mesh.dimension;
        if group.dimension == d {
            let (filled, skin) = if d == 2 { ("surface", "curve") } else { ("volume", "surface") };
            let message = format!(
                "group '{name}' is a {filled}; give the {skin} or the points that may touch bodies"
            );
            return Err(self.groups.case.error_at(key, message));
        }
        if let Some(&node) = group.nodes.iter().find(|&&n| n as usize >= self.numbering.first) {
            let what = self.numbering.body_at(node as usize).map_or("a mass", |_| "bodies");
            let message = format!("'{name}' is {what}; name a group of the mesh, or one mass");
            return Err(self.groups.case.error_at(key, message));
        }
        let normals = normals(body, &group.elements);
        let candidate = |&node: &u32| Candidate {
            outward: normals.get(&node).copied().unwrap_or_default(),
            ..Candidate::node(node, mesh.points[node as usize], set)
        };
        Ok(group.nodes.iter().map(candidate).collect())
    }
}

fn is_rod(body: &BodyCase) -> bool {
    body.in_plane().is_some_and(|own| matches!(own.shape, BodyShape::Rod { .. }))
}

/// Unit normals out of the mesh at the nodes of facets: of the sum of the facets around each; none where the elements
/// are no outer facets.
fn normals(body: &Body, elements: &[u32]) -> HashMap<u32, [f64; 3]> {
    let mut sums: HashMap<u32, ([f64; 3], f64)> = HashMap::new();
    let d = body.mesh.dimension;
    for facet in body.facets_of(elements).unwrap_or_default() {
        let mut normal = [0.0; 3];
        let whole = facet_load(body.mesh, std::slice::from_ref(&facet), |n| n);
        whole.iter().for_each(|&(dof, share)| normal[dof as usize % d] += share);
        let area = length(normal);
        for &node in facet.nodes() {
            let (sum, all) = sums.entry(node).or_default();
            (*sum, *all) = (plus(*sum, normal), *all + area);
        }
    }
    let known = sums.into_iter().filter_map(|(node, (sum, all))| {
        let has_normal = length(sum) > NO_NORMAL * all;
        Some((node, unit(sum).filter(|_| has_normal)?))
    });
    known.collect()
}
