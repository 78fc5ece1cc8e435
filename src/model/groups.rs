//! Groups of the mesh as the case names them.

use std::collections::HashMap;

use crate::assembly::{Body, OrientedEdge};
use crate::case::{Case, did_you_mean};
use crate::error::Error;
use crate::mesh::{Group, Mesh};

/// The mesh, and the case to complain about.
pub(super) struct Groups<'a, 'm> {
    pub case: &'a Case,
    pub mesh: &'m Mesh,
}

impl<'m> Groups<'_, 'm> {
    /// The group that `key` of the case names.
    pub fn find(&self, key: &str, name: &str) -> Result<&'m Group, Error> {
        let file = self.case.mesh.display();
        match self.mesh.groups.get(name) {
            Some(group) if group.nodes.is_empty() => {
                let message =
                    format!("group '{name}' of {file} is empty; mesh it again or leave it out");
                Err(self.case.error_at(key, message))
            }
            Some(group) => Ok(group),
            None => {
                let known: Vec<&str> = self.mesh.groups.keys().map(String::as_str).collect();
                let hint = match did_you_mean(name, known.iter().copied()) {
                    Some(near) => format!("; did you mean '{near}'?"),
                    None => String::new(),
                };
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                let message =
                    format!("no physical group '{name}' in {file}; the mesh has: {known}{hint}");
                Err(self.case.error_at(key, message))
            }
        }
    }

    /// Nodes of the group, or all nodes.
    pub fn nodes(&self, key: &str, name: Option<&String>) -> Result<Vec<u32>, Error> {
        match name {
            Some(name) => Ok(self.find(key, name)?.nodes.clone()),
            None => Ok((0..self.mesh.points.len() as u32).collect()),
        }
    }

    /// The body with its materials, each element exactly one.
    pub fn body(&self) -> Result<Body<'m>, Error> {
        let elements: Vec<u32> = self.mesh.body_elements().map(|e| e as u32).collect();
        let mut owner: HashMap<u32, u16> = HashMap::new();
        for (index, material) in self.case.materials.iter().enumerate() {
            let key = format!("material.{}.group", material.name);
            let own = match &material.group {
                None => elements.as_slice(),
                Some(name) => self.body_group(&key, name)?,
            };
            for &e in own {
                if let Some(first) = owner.insert(e, index as u16) {
                    let tag = self.mesh.element_tags[e as usize];
                    let other = &self.case.materials[first as usize].name;
                    let message = format!(
                        "element {tag} belongs to material '{other}' already; give each element one"
                    );
                    return Err(self.case.error_at(&key, message));
                }
            }
        }
        let material_of: Option<Vec<u16>> =
            elements.iter().map(|e| owner.get(e).copied()).collect();
        let Some(material_of) = material_of else {
            let bare = elements.iter().find(|e| !owner.contains_key(e)).unwrap_or(&0);
            let tag = self.mesh.element_tags[*bare as usize];
            let message = format!(
                "element {tag} of {} has no material; add a group, or leave 'group' out to mean the whole body",
                self.case.mesh.display()
            );
            return Err(self.case.error_at("material", message));
        };
        let materials = self.case.materials.iter().map(|m| m.material.clone()).collect();
        Ok(Body { mesh: self.mesh, elements, material_of, materials })
    }

    fn body_group(&self, key: &str, name: &str) -> Result<&'m [u32], Error> {
        let group = self.find(key, name)?;
        if group.dimension != 2 {
            let message = format!(
                "group '{name}' has dimension {}; a material needs a surface; name another group",
                group.dimension
            );
            return Err(self.case.error_at(key, message));
        }
        Ok(&group.elements)
    }

    /// Edges of a group of lines, each with the body on its left.
    pub fn edges(&self, key: &str, name: &str, body: &Body) -> Result<Vec<OrientedEdge>, Error> {
        let group = self.find(key, name)?;
        if group.dimension != 1 {
            let message = format!(
                "group '{name}' has dimension {}; a traction or pressure needs a curve; name another group",
                group.dimension
            );
            return Err(self.case.error_at(key, message));
        }
        let unordered = |a: u32, b: u32| (a.min(b), a.max(b));
        let mut found: HashMap<(u32, u32), Vec<OrientedEdge>> = HashMap::new();
        for &line in &group.elements {
            let nodes = self.mesh.nodes_of(line as usize);
            found.insert(unordered(nodes[0], nodes[1]), Vec::new());
        }
        for e in 0..body.elements.len() {
            let nodes = body.nodes_of(e);
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (nodes[i], nodes[j])) {
                if let Some(edges) = found.get_mut(&unordered(a, b)) {
                    edges.push(OrientedEdge {
                        nodes: [a, b],
                        thickness: body.material(e).thickness,
                    });
                }
            }
        }
        let mut edges = Vec::with_capacity(group.elements.len());
        for &line in &group.elements {
            let nodes = self.mesh.nodes_of(line as usize);
            match found[&unordered(nodes[0], nodes[1])].as_slice() {
                [edge] => edges.push(*edge),
                others => {
                    let tag = self.mesh.element_tags[line as usize];
                    let message = format!(
                        "edge {tag} of group '{name}' bounds {} elements; a traction or pressure needs the outer boundary; name another group",
                        others.len()
                    );
                    return Err(self.case.error_at(key, message));
                }
            }
        }
        Ok(edges)
    }
}
