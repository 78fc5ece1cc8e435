//! Point masses, rigid bodies and what connects them, as nodes beside those of the mesh.

mod bodies;
mod joints;
mod points;

use super::groups::Groups;
use super::solids::{PlacedSolid, placed};
use crate::assembly::{Parts, Spring};
use crate::case::{Case, EndCase, MassCase, SLIDER_FRICTION, did_you_mean};
use crate::contact::{Against, Candidate, ContactSet, Contacts, Grip, Joint, JointKind, Law};
use crate::error::Error;
use crate::mesh::{Group, Mesh};
use crate::rigid::{Scene, Tracked};
use crate::vector::{minus, unit};

/// Which nodes stand for what: after those of the mesh one for each mass and one for the centre of each body. The
/// rotations of the bodies are dofs behind all nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    /// The first of them.
    pub first: usize,
    masses: usize,
    bodies: usize,
    /// Dof of the first rotation, and how many a body has.
    turns: usize,
    turns_per_body: usize,
}

impl Numbering {
    /// Of a case whose mesh has them already.
    pub fn of(case: &Case, mesh: &Mesh) -> Self {
        let (masses, bodies) = (case.system.masses.len(), case.system.bodies.len());
        let first = mesh.points.len() - (masses + bodies);
        let turns_per_body = if mesh.dimension == 3 { 3 } else { 1 };
        let turns = mesh.dimension * mesh.points.len();
        Self { first, masses, bodies, turns, turns_per_body }
    }

    /// Node of the mass with that index.
    pub fn mass(&self, index: usize) -> u32 {
        (self.first + index) as u32
    }

    /// Node of the centre of the body with that index.
    pub fn body(&self, index: usize) -> u32 {
        (self.first + self.masses + index) as u32
    }

    /// Dof of its angle, or the first of its rotation.
    pub fn turn(&self, index: usize) -> u32 {
        (self.turns + self.turns_per_body * index) as u32
    }

    /// The body whose centre is that node.
    pub fn body_at(&self, node: usize) -> Option<usize> {
        node.checked_sub(self.first + self.masses).filter(|&index| index < self.bodies)
    }

    /// Nodes of the centres of all bodies, in their order.
    pub fn centers(&self) -> Vec<u32> {
        (0..self.bodies).map(|index| self.body(index)).collect()
    }
}

/// Gives the mesh the nodes of the case's masses and bodies, each a group of its name.
pub fn add_system(case: &Case, mesh: &mut Mesh) -> Result<(), Error> {
    let masses = case.system.masses.iter().map(|mass| ("mass", &mass.name, mass.position));
    let bodies = case.system.bodies.iter().map(|body| ("body", &body.name, body.position));
    let mut tag = mesh.node_tags.iter().max().copied().unwrap_or(0);
    for (table, name, position) in masses.chain(bodies) {
        let node = mesh.points.len() as u32;
        let group = Group { dimension: 0, elements: Vec::new(), nodes: vec![node] };
        if mesh.groups.insert(name.clone(), group).is_some() {
            let message = format!("{} has a group of that name; rename one", case.mesh_name());
            return Err(case.error_at(&format!("{table}.{name}"), message));
        }
        tag = tag.saturating_add(1);
        mesh.points.push(position);
        mesh.node_tags.push(tag);
    }
    let tables = case.system.bodies.iter().filter(|body| body.table != body.name);
    for body in tables {
        let node = mesh.groups[&body.name].nodes[0];
        let none = || Group { dimension: 0, elements: Vec::new(), nodes: Vec::new() };
        mesh.groups.entry(body.table.clone()).or_insert_with(none).nodes.push(node);
    }
    Ok(())
}

/// The masses, bodies and springs of a case, in its mesh.
pub(super) struct Companions<'g, 'a, 'm> {
    groups: &'g Groups<'a, 'm>,
    numbering: Numbering,
    /// Body by body; none for those of the plane.
    solids: Vec<Option<PlacedSolid>>,
}

/// What a name in the case stands for.
enum Thing<'a> {
    Mass(&'a MassCase, u32),
    /// By its number.
    Body(usize),
    Node(u32),
}

impl<'g, 'a, 'm> Companions<'g, 'a, 'm> {
    /// Of a case whose mesh has nodes for them; shapes are read where they are in files.
    pub fn new(groups: &'g Groups<'a, 'm>) -> Result<Self, Error> {
        let numbering = Numbering::of(groups.case, groups.mesh);
        Ok(Self { groups, numbering, solids: placed(groups)? })
    }

    /// Masses on nodes, and springs.
    pub fn parts(&self) -> Result<Parts, Error> {
        let system = &self.groups.case.system;
        let mut parts = Parts::default();
        for (index, mass) in system.masses.iter().enumerate() {
            parts.masses.push((self.numbering.mass(index), mass.mass));
        }
        for (index, body) in system.bodies.iter().enumerate() {
            let node = self.numbering.body(index);
            if let Some(solid) = &self.solids[index] {
                parts.masses.push((node, solid.mass));
                parts.inertias.extend(solid.inertia);
            } else if let Some(plane) = body.in_plane() {
                parts.masses.push((node, plane.mass));
                parts.inertias.push(plane.inertia);
            }
        }
        for spring in &system.springs {
            let place = format!("spring.{}", spring.name);
            let ends = spring.between.iter().filter(|end| **end != EndCase::Ground);
            parts.springs.push(Spring {
                nodes: ends.map(|end| self.spring_node(&place, end)).collect::<Result<_, _>>()?,
                axis: self.axis(&place, &spring.between, spring.axis)?,
                stiffness: spring.stiffness,
                damping: spring.damping,
            });
        }
        Ok(parts)
    }

    /// Adds displacements and velocities at t = 0.
    pub fn start(&self, q: &mut [f64], v: &mut [f64]) {
        let (d, system) = (self.groups.mesh.dimension, &self.groups.case.system);
        for (index, mass) in system.masses.iter().enumerate() {
            let first = d * self.numbering.mass(index) as usize;
            for i in 0..d {
                q[first + i] += mass.displacement[i];
                v[first + i] += mass.velocity[i];
            }
        }
        for (index, body) in system.bodies.iter().enumerate() {
            let (first, turn) =
                (d * self.numbering.body(index) as usize, self.numbering.turn(index) as usize);
            let there = body.born.is_none();
            (0..d).filter(|_| there).for_each(|i| v[first + i] += body.velocity[i]);
            match &self.solids[index] {
                Some(solid) => {
                    q[turn..turn + 3].copy_from_slice(&solid.rest);
                    (0..3).filter(|_| there).for_each(|k| v[turn + k] += solid.spin[k]);
                }
                None if there => v[turn] += body.spin[2],
                None => {}
            }
        }
    }

    /// The points of a named mass or body that may touch something, and the distance they keep.
    pub fn candidates(&self, name: &str) -> Option<(Vec<Grip>, f64)> {
        match self.thing(name)? {
            Thing::Mass(mass, node) => {
                Some((vec![Grip::Node { node, point: mass.position }], mass.radius))
            }
            Thing::Body(index) => {
                let body = &self.groups.case.system.bodies[index];
                let shape = body.in_plane()?.shape;
                let grip = |arm: [f64; 2]| self.grip_of_body(index, arm, body.angle);
                Some((shape.vertices().into_iter().map(grip).collect(), shape.radius()))
            }
            Thing::Node(_) => None,
        }
    }

    /// The two balls of a contact.
    pub fn balls(&self, contact: &str, names: &[String; 2]) -> Result<[(Grip, f64); 2], Error> {
        let key = format!("contact.{contact}.between");
        let groups = &self.groups.mesh.groups;
        let is_known = |name: &String| self.thing(name).is_some() || groups.contains_key(name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            return Err(self.unknown(&key, name, &self.named()));
        }
        let ball = |name: &String| match self.candidates(name) {
            Some((grips, radius)) if radius > 0.0 => Ok((grips[0], radius)),
            Some((grips, _)) => {
                let message = match grips[0] {
                    Grip::Node { .. } => format!("the mass '{name}' has no radius; give it one"),
                    _ => format!(
                        "'{name}' has corners, which meet obstacles, meshes and bodies; balls and disks meet each other"
                    ),
                };
                Err(self.groups.case.error_at(&key, message))
            }
            None => {
                let message = format!(
                    "'{name}' is a group of the mesh, which meets obstacles and bodies only; make the other one a body"
                );
                Err(self.groups.case.error_at(&key, message))
            }
        };
        Ok([ball(&names[0])?, ball(&names[1])?])
    }

    /// The sliders, each a contact set of its own.
    pub fn sliders(&self, contacts: &mut Contacts, law: Law, theta: f64) -> Result<(), Error> {
        for slider in &self.groups.case.system.sliders {
            let place = format!("slider.{}", slider.name);
            let key = format!("{place}.between");
            let set = contacts.sets.len();
            let axis = self.axis(&place, &slider.between, slider.axis)?;
            let [own, other] = slider.between.each_ref().map(|end| self.grip(&key, end, None));
            let restitution = law.of_slider(theta);
            contacts.candidates.push(Candidate::of(own?, 0.0, set));
            contacts.sets.push(ContactSet {
                name: slider.name.clone(),
                against: Against::Slider { grip: other?, axis, force: slider.force },
                friction: SLIDER_FRICTION.into(),
                restitution,
            });
        }
        Ok(())
    }

    /// What is drawn beside the mesh, and whose motion is written down.
    pub fn scene(&self, contacts: &Contacts) -> Result<Scene, Error> {
        let (case, mesh) = (self.groups.case, self.groups.mesh);
        let mut scene = Scene { mesh_nodes: self.numbering.first, ..Scene::default() };
        for (index, mass) in case.system.masses.iter().enumerate() {
            let grip = Grip::Node { node: self.numbering.mass(index), point: mass.position };
            scene.add_mass(&mass.name, grip, mass.radius, mesh.dimension == 2);
        }
        for (index, body) in case.system.bodies.iter().enumerate() {
            let center = self.center(index);
            match (&self.solids[index], body.in_plane()) {
                (Some(solid), _) => scene.add_solid(&body.name, center, (&solid.shape, solid.axes)),
                (None, Some(plane)) => scene.add_body(&body.name, plane.shape, center, body.angle),
                (None, None) => {}
            }
        }
        for spring in &case.system.springs {
            if let [EndCase::Named(_), EndCase::Named(_)] = &spring.between {
                let key = format!("spring.{}.between", spring.name);
                let [a, b] = spring.between.each_ref().map(|end| self.grip(&key, end, None));
                scene.add_line([a?, b?]);
            }
        }
        let is_bar = |joint: &&Joint| matches!(joint.kind, JointKind::Bar { .. });
        contacts.joints.iter().filter(is_bar).for_each(|joint| scene.add_line(joint.grips));
        for (name, group) in &case.probes {
            let nodes = &self.groups.find(&format!("probe.{name}.group"), group)?.nodes;
            let grip = |&node: &u32| Grip::Node { node, point: mesh.points[node as usize] };
            let nodes = nodes.iter().map(grip).collect();
            scene.tracked.push(Tracked::Probe { name: name.clone(), nodes });
        }
        Ok(scene)
    }

    /// The point of a thing that is at `at` at rest, or its centre.
    fn grip(&self, key: &str, end: &EndCase, at: Option<[f64; 3]>) -> Result<Grip, Error> {
        let EndCase::Named(name) = end else {
            return Ok(Grip::Ground { point: at.unwrap_or_default() });
        };
        let case = self.groups.case;
        let (node, point) = match self.thing(name) {
            Some(Thing::Body(index)) => {
                let center = case.system.bodies[index].position;
                return Ok(self.grip_at(index, at.unwrap_or(center)));
            }
            Some(Thing::Mass(mass, node)) => (node, mass.position),
            Some(Thing::Node(node)) => (node, self.groups.mesh.points[node as usize]),
            None => return Err(self.no_point(key, name)),
        };
        match at.filter(|at| *at != point) {
            None => Ok(Grip::Node { node, point }),
            Some(at) => {
                let d = self.groups.mesh.dimension;
                let message = format!(
                    "'{name}' is a point at {:?}, not at {:?}; move it there, or make it a body",
                    &point[..d],
                    &at[..d]
                );
                Err(case.error_at(key, message))
            }
        }
    }

    fn spring_node(&self, place: &str, end: &EndCase) -> Result<u32, Error> {
        let grip = self.grip(&format!("{place}.between"), end, None)?;
        Ok(grip.node().expect("the ground is no node"))
    }

    /// The direction given, or that of the line between the two at rest.
    fn axis(
        &self,
        place: &str,
        between: &[EndCase; 2],
        given: Option<[f64; 3]>,
    ) -> Result<[f64; 3], Error> {
        let case = self.groups.case;
        let [a, b] = between.each_ref().map(|end| match end {
            EndCase::Ground => None,
            EndCase::Named(name) => self.groups.mesh.groups.get(name).and_then(|g| g.nodes.first()),
        });
        let line = || {
            let [a, b] = [*a?, *b?].map(|node| self.groups.mesh.points[node as usize]);
            unit(minus(b, a))
        };
        let found = match given {
            Some(axis) => unit(axis),
            None if self.groups.mesh.dimension == 1 => Some([1.0, 0.0, 0.0]),
            None => line(),
        };
        found.ok_or_else(|| {
            let message = match given {
                Some(_) => "points nowhere; give a direction of any length",
                None => "nothing tells its direction, as always to the ground; give an axis",
            };
            case.error_at(&format!("{place}.axis"), message)
        })
    }

    fn thing(&self, name: &str) -> Option<Thing<'a>> {
        let system = &self.groups.case.system;
        if let Some(index) = system.masses.iter().position(|mass| mass.name == name) {
            return Some(Thing::Mass(&system.masses[index], self.numbering.mass(index)));
        }
        match self.groups.mesh.groups.get(name)?.nodes[..] {
            [node] => Some(match self.numbering.body_at(node as usize) {
                Some(index) => Thing::Body(index),
                None => Thing::Node(node),
            }),
            _ => None,
        }
    }

    /// Names of masses and bodies.
    fn named(&self) -> Vec<&str> {
        let system = &self.groups.case.system;
        let masses = system.masses.iter().map(|mass| mass.name.as_str());
        masses.chain(system.bodies.iter().map(|body| body.name.as_str())).collect()
    }

    /// A name that stands for no single point.
    fn no_point(&self, key: &str, name: &str) -> Error {
        let groups = &self.groups.mesh.groups;
        let points = groups.iter().filter(|(_, group)| group.nodes.len() == 1);
        let mut known = self.named();
        known.extend(
            points.map(|(name, _)| name.as_str()).filter(|name| self.candidates(name).is_none()),
        );
        match groups.get(name) {
            Some(group) => {
                let message = format!(
                    "'{name}' is a group of {} nodes, and one is needed: give a mass, a body or a group of one node (a Physical Point); there are: {}",
                    group.nodes.len(),
                    listed(&known)
                );
                self.groups.case.error_at(key, message)
            }
            None => self.unknown(key, name, &known),
        }
    }

    fn unknown(&self, key: &str, name: &str, known: &[&str]) -> Error {
        let hint = match did_you_mean(name, known.iter().copied()) {
            Some(near) => format!("; did you mean '{near}'?"),
            None => String::new(),
        };
        let message = format!(
            "'{name}' is neither a mass nor a body nor a group of one node; there are: {}{hint}",
            listed(known)
        );
        self.groups.case.error_at(key, message)
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn turned(angle: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let (sine, cosine) = angle.sin_cos();
    [cosine * x - sine * y, sine * x + cosine * y]
}
