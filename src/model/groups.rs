//! Groups of the mesh as the case names them.

use std::collections::HashMap;

use super::system::Numbering;
use crate::assembly::{Body, Facet, NotOuter};
use crate::case::{Case, MaterialCase, did_you_mean};
use crate::error::Error;
use crate::material::Section;
use crate::mesh::{Group, Mesh};

/// Poisson's ratio from which on linear elements lock visibly.
const NEARLY_INCOMPRESSIBLE: f64 = 0.45;

/// The mesh, and the case to complain about.
pub(super) struct Groups<'a, 'm> {
    pub case: &'a Case,
    pub mesh: &'m Mesh,
}

impl<'m> Groups<'_, 'm> {
    /// The group that `key` of the case names.
    pub fn find(&self, key: &str, name: &str) -> Result<&'m Group, Error> {
        let file = self.case.mesh_name();
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
                let known = if known.is_empty() {
                    "none, define physical groups in the .geo".into()
                } else {
                    known.join(", ")
                };
                let message = match self.case.mesh {
                    Some(_) => {
                        format!("no physical group '{name}' in {file}; the mesh has: {known}{hint}")
                    }
                    None => format!("no mass or body '{name}'; there are: {known}{hint}"),
                };
                Err(self.case.error_at(key, message))
            }
        }
    }

    /// Nodes of the group, or all nodes.
    pub fn nodes(&self, key: &str, name: Option<&String>) -> Result<Vec<u32>, Error> {
        match name {
            Some(name) => Ok(self.find(key, name)?.nodes.clone()),
            None => Ok((0..Numbering::of(self.case, self.mesh).first as u32).collect()),
        }
    }

    /// That every point, vector and axis of the case is one of the mesh's dimension.
    pub fn check_dimension(&self) -> Result<(), Error> {
        self.refuse_lines_for_planes()?;
        let d = self.mesh.dimension;
        let space = |d: usize| ["a line", "the plane", "space"][d - 1];
        match self.case.dimensioned.iter().find(|given| given.dimension != d) {
            Some(given) => {
                let message = format!(
                    "is written for {}, but {} lies {} {}; {}",
                    space(given.dimension),
                    self.case.mesh_name(),
                    ["on", "in", "in"][d - 1],
                    space(d),
                    given.remedies[d - 1]
                );
                Err(self.case.error_at(&given.key, message))
            }
            None => self.check_components(),
        }
    }

    /// That what a program gives, three numbers each, has none beyond the space of the mesh.
    fn check_components(&self) -> Result<(), Error> {
        let d = self.mesh.dimension;
        let vectors = if self.case.is_made() { self.case.vectors() } else { Vec::new() };
        let beyond = |(_, x): &&(String, [f64; 3])| x[d..].iter().any(|&x| x != 0.0);
        if let Some((key, x)) = vectors.iter().find(beyond) {
            let message =
                format!("{x:?} leaves the space of {d} dimensions; give 0 beyond, or another mesh");
            return Err(self.case.error_at(key, message));
        }
        match self.case.system.bodies.first() {
            Some(body) if d != 2 && body.in_plane().is_some() => {
                let message = "a rigid body lies in the plane; use a point mass";
                Err(self.case.error_at(&format!("body.{}", body.table), message))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// A material of the plane on lines alone: Gmsh saves the elements of physical groups only, once there is
    /// one, and the body is in none.
    fn refuse_lines_for_planes(&self) -> Result<(), Error> {
        let is_plane = |material: &&MaterialCase| match material.material.section {
            Section::PlaneStress { .. } | Section::PlaneStrain { .. } => true,
            Section::Solid | Section::Bar { .. } => false,
        };
        let plane = self.case.materials.iter().find(is_plane);
        let (Some(material), 1) = (plane, self.mesh.element_dimension()) else { return Ok(()) };
        let groups = self.mesh.groups.iter().filter(|(_, group)| !group.elements.is_empty());
        let groups: Vec<&str> = groups.map(|(name, _)| name.as_str()).collect();
        let message = format!(
            "{} has lines only (groups: {}), and nothing for material '{}' of the plane to fill; add a Physical Surface of the body to the .geo and mesh it again",
            self.case.mesh_name(),
            if groups.is_empty() { "none".into() } else { groups.join(", ") },
            material.name
        );
        Err(self.case.error_at("mesh.file", message))
    }

    /// The body with its materials, each element exactly one.
    pub fn body(&self) -> Result<Body<'m>, Error> {
        let elements: Vec<u32> = self.mesh.body_elements().map(|e| e as u32).collect();
        let mut owner: HashMap<u32, u16> = HashMap::new();
        for (index, material) in self.case.materials.iter().enumerate() {
            let key = format!("material.{}.group", material.name);
            let own: Vec<u32> = match &material.group {
                None => elements.iter().copied().filter(|&e| self.is_bulk(e)).collect(),
                Some(name) => self.find(&key, name)?.elements.clone(),
            };
            for &e in &own {
                self.check_section(material, e)?;
                self.check_belongs(material, e, &elements)?;
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
                self.case.mesh_name()
            );
            return Err(self.case.error_at("material", message));
        };
        let materials = self.case.materials.iter().map(|m| m.material.clone()).collect();
        Ok(Body { mesh: self.mesh, elements, material_of, materials })
    }

    /// A notice for each material that locks: nearly incompressible, on linear elements.
    pub fn locking(&self, body: &Body) -> Vec<String> {
        let locks = |index: usize, material: &MaterialCase| {
            let incompressible = match material.material.section {
                Section::PlaneStrain { .. } | Section::Solid => {
                    material.material.poisson > NEARLY_INCOMPRESSIBLE
                }
                Section::PlaneStress { .. } | Section::Bar { .. } => false,
            };
            let linear =
                |e: usize| body.material_of[e] as usize == index && body.kind(e).order() == 1;
            incompressible && (0..body.elements.len()).any(linear)
        };
        let materials = self.case.materials.iter().enumerate();
        let locking = materials.filter(|(index, material)| locks(*index, material));
        let notice = |(_, material): (usize, &MaterialCase)| {
            format!(
                "material '{}' is nearly incompressible (poisson {}) and its linear elements lock: they are too stiff; mesh it with second order",
                material.name, material.material.poisson
            )
        };
        locking.map(notice).collect()
    }

    /// Whether an element is of the highest dimension in the mesh: not a bar beside a body.
    fn is_bulk(&self, e: u32) -> bool {
        let highest = self.mesh.kinds.iter().map(|kind| kind.dimension()).max().unwrap_or(0);
        self.mesh.kinds[e as usize].dimension() == highest
    }

    /// That an element with a material is one of the body's, not a facet of another.
    fn check_belongs(&self, material: &MaterialCase, e: u32, body: &[u32]) -> Result<(), Error> {
        if body.binary_search(&e).is_ok() {
            return Ok(());
        }
        let group = material.group.as_deref().unwrap_or_default();
        let message = format!(
            "group '{group}' has dimension {}, but the body of {} is of volumes: surfaces have no \
             material of their own; name a group of volumes, or of lines with an area for bars",
            self.mesh.kinds[e as usize].dimension(),
            self.case.mesh_name()
        );
        Err(self.case.error_at(&format!("material.{}.group", material.name), message))
    }

    /// That a material fills what its elements are.
    fn check_section(&self, material: &MaterialCase, e: u32) -> Result<(), Error> {
        let needs = match self.mesh.kinds[e as usize].dimension() {
            1 => "lines: give the area of the bars",
            2 => "surfaces: give plane = \"stress\" or \"strain\"",
            3 => "volumes: leave plane, thickness and area out",
            _ => "points, which have no mass",
        };
        let fits = match material.material.section {
            Section::Bar { .. } => 1,
            Section::PlaneStress { .. } | Section::PlaneStrain { .. } => 2,
            Section::Solid => 3,
        };
        if self.mesh.kinds[e as usize].dimension() == fits {
            return Ok(());
        }
        let place = format!("material.{}", material.name);
        Err(match &material.group {
            Some(group) => {
                let message = format!("group '{group}' is of {needs}, or name another group");
                self.case.error_at(&format!("{place}.group"), message)
            }
            None => self.case.error_at(&place, format!("the body is of {needs}")),
        })
    }

    /// Facets of a group of the outer boundary, each with the body behind it.
    pub fn facets(&self, key: &str, name: &str, body: &Body) -> Result<Vec<Facet>, Error> {
        let group = self.find(key, name)?;
        let (facet, place) = match self.mesh.dimension {
            1 => {
                let message =
                    "a body of bars takes no traction or pressure; give its nodes a force";
                return Err(self.case.error_at(key, message));
            }
            2 => ("edge", "curve"),
            _ => ("facet", "surface"),
        };
        if group.dimension + 1 != self.mesh.dimension {
            let message = format!(
                "group '{name}' has dimension {}; a traction or pressure needs a {place}; name another group",
                group.dimension
            );
            return Err(self.case.error_at(key, message));
        }
        body.facets_of(&group.elements).map_err(|NotOuter { element, bounds }| {
            let tag = self.mesh.element_tags[element as usize];
            let message = format!(
                "{facet} {tag} of group '{name}' bounds {bounds} elements; a traction or pressure needs the outer boundary; name another group"
            );
            self.case.error_at(key, message)
        })
    }
}
