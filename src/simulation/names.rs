//! What nodes, contacts and bodies of a run are called.

use std::collections::HashMap;

use crate::assembly::Body;
use crate::case::Case;
use crate::contact::{ContactKey, Contacts};
use crate::step::ConnectedBodies;

/// Knows the case and the mesh.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub case: &'a Case,
    pub body: &'a Body<'a>,
}

impl Names<'_> {
    /// A node as the mesh numbers it, or the mass or body that it is.
    pub fn node(&self, node: usize) -> String {
        let mesh = self.body.mesh;
        self.of_system(node).unwrap_or_else(|| {
            mesh.node_tags.get(node).map_or_else(|| "no node".into(), |tag| format!("node {tag}"))
        })
    }

    fn of_system(&self, node: usize) -> Option<String> {
        let system = &self.case.system;
        let (masses, bodies) = (&system.masses, &system.bodies);
        // They are the last nodes of the mesh, masses first.
        let first = self.body.mesh.points.len() - (masses.len() + bodies.len());
        let index = node.checked_sub(first)?;
        match index.checked_sub(masses.len()) {
            None => Some(format!("mass '{}'", masses[index].name)),
            Some(index) => Some(format!("body '{}'", bodies.get(index)?.name)),
        }
    }

    /// The point that may touch something.
    pub fn point(&self, contacts: &Contacts, c: usize) -> String {
        let node = contacts.candidates[c].grip.node();
        node.map_or_else(|| "the ground".into(), |node| self.node(node as usize))
    }

    /// A contact of a step: a candidate, or behind all of them a pair of bodies that meets.
    pub fn contact(&self, contacts: &Contacts, pairs: &[(ContactKey, u32)], c: usize) -> String {
        match c.checked_sub(contacts.len()) {
            None => {
                let name = format!("contact '{}'", contacts.set_of(c).name);
                match contacts.candidates[c].grip.node() {
                    Some(node) => format!("{name} at {}", self.node(node as usize)),
                    None => name,
                }
            }
            Some(pair) => {
                let (key, set) = pairs[pair];
                format!("contact '{}' of {}", contacts.sets[set as usize].name, self.pair(&key))
            }
        }
    }

    /// Two bodies that meet.
    pub fn pair(&self, key: &ContactKey) -> String {
        let bodies = &self.case.system.bodies;
        let [a, b] = key.bodies.map(|body| &bodies[body as usize].name);
        format!("bodies '{a}' and '{b}'")
    }

    /// Bodies, by their first nodes: masses and rigid bodies by name, elastic ones by the group of their elements.
    pub fn bodies(&self, bodies: &ConnectedBodies) -> Vec<String> {
        let (mesh, body) = (self.body.mesh, self.body);
        let mut group_of: HashMap<u32, &str> = HashMap::new();
        for (name, group) in mesh.groups.iter().filter(|(_, group)| group.dimension > 0) {
            for &element in &group.elements {
                group_of.entry(element).or_insert(name);
            }
        }
        let mut names = vec![String::new(); bodies.len()];
        for (e, element) in body.elements.iter().enumerate() {
            let own = &mut names[bodies.of_node(body.nodes_of(e)[0] as usize, mesh.dimension)];
            if own.is_empty() {
                let tag = mesh.node_tags[body.nodes_of(e)[0] as usize];
                *own = match group_of.get(element) {
                    Some(group) => format!("the body '{group}' with node {tag}"),
                    None => format!("the body with node {tag}"),
                };
            }
        }
        for (name, &node) in names.iter_mut().zip(bodies.first_nodes()) {
            if name.is_empty() {
                *name = self.node(node as usize);
            }
        }
        names
    }
}
