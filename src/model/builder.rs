//! A system put together by a program: mesh, materials, loads, contacts and scheme, without a case file.

use super::{Model, add_system};
use crate::assembly::Feedback;
use crate::case::{
    BodyCase, BoundaryCase, Case, Component, ContactCase, FieldCase, JointCase, LoadCase, LoadKind,
    MassCase, MaterialCase, ObstacleCase, PairCase, SpringCase,
};
use crate::contact::{Friction, Law};
use crate::error::Error;
use crate::material::Material;
use crate::mesh::Mesh;
use crate::step::{March, Scheme};
use crate::time::{Motion, TimeFunction};

/// A [`Case`] and its mesh, made by a program.
///
/// It says in code what a case file says in tables, with the defaults of a case file, and is checked in the same way when
/// it is built. What has no method here is a field of `case`: `system.case.scheme.activation`,
/// `system.case.solver.tolerance`, `system.case.system.sliders`.
#[derive(Clone, Debug)]
pub struct System {
    /// What is said of it.
    pub case: Case,
    mesh: Mesh,
}

impl System {
    /// A body on a mesh, read ([`Mesh::read`]), made ([`Mesh::rectangle`], [`Mesh::block`], [`Mesh::line`]) or given
    /// ([`Mesh::of`]), and how it is stepped.
    pub fn new(mesh: Mesh, scheme: Scheme, h: f64) -> Self {
        let case = Case::new("system", (scheme, h), true, mesh.dimension);
        Self { case, mesh }
    }

    /// Masses and rigid bodies alone, in a space of `dimension`.
    pub fn without_mesh(dimension: usize, scheme: Scheme, h: f64) -> Self {
        let mesh = Mesh { dimension, offsets: vec![0], ..Mesh::default() };
        Self { case: Case::new("system", (scheme, h), false, dimension), mesh }
    }

    /// Its name in messages, and that of its results.
    pub fn named(mut self, name: &str) -> Self {
        (self.case.name, self.case.title, self.case.path) = (name.into(), name.into(), name.into());
        self
    }

    /// Steps that a run takes; a march takes as many as it is told to.
    pub fn steps(mut self, steps: usize) -> Self {
        self.case.scheme.steps = steps;
        self
    }

    /// The material of a group, or of the whole body.
    pub fn material(mut self, name: &str, group: Option<&str>, material: Material) -> Self {
        let (name, group) = (name.into(), group.map(String::from));
        self.case.materials.push(MaterialCase { name, group, material });
        self
    }

    /// Holds components of a group where they start.
    pub fn hold(self, group: &str, component: Component) -> Self {
        let still = Motion::Velocity { value: 0.0, time: TimeFunction::Constant };
        self.drive(group, component, still)
    }

    /// Moves components of a group as given.
    pub fn drive(mut self, group: &str, component: Component, motion: Motion) -> Self {
        let name = format!("{group}:{}", component.word());
        self.case.boundaries.push(BoundaryCase { name, group: group.into(), component, motion });
        self
    }

    /// A load that is known beforehand.
    pub fn load(mut self, name: &str, kind: LoadKind, time: TimeFunction) -> Self {
        self.case.loads.push(LoadCase { name: name.into(), kind, time });
        self
    }

    /// A load that looks at the state: `forces` is given t, q and v at the start of every step and adds to the forces on
    /// the dofs, dof = dimension · node + component. See [`Feedback`].
    pub fn push(
        self,
        name: &str,
        forces: impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.load(name, LoadKind::Feedback(Feedback::new(forces)), TimeFunction::Constant)
    }

    /// Nodes of a group, or a mass or body, that may touch a rigid obstacle, with Coulomb's coefficient μ, a
    /// number or a law ([`Friction::law`]), and the coefficient of restitution e. With `case.scheme.law` other than Frémond's, give the law before: [`System::law`].
    pub fn contact(
        mut self,
        name: &str,
        group: &str,
        obstacle: impl Into<ObstacleCase>,
        friction: impl Into<Friction>,
        restitution: f64,
    ) -> Self {
        let (name, group, obstacle) = (name.into(), group.into(), Box::new(obstacle.into()));
        let friction = friction.into();
        let scheme = &self.case.scheme;
        let restitution = scheme.law.restitution(scheme.parameters.theta(), restitution, 0.0);
        let pair = PairCase::Obstacle { group, obstacle };
        self.case.contacts.push(ContactCase { name, pair, friction, restitution });
        self
    }

    /// The impact law of all contacts, which keep their e; e_T of Moreau's is a field of each.
    pub fn law(mut self, law: Law) -> Self {
        let theta = self.case.scheme.parameters.theta();
        self.case.scheme.law = law;
        for contact in &mut self.case.contacts {
            let own = contact.restitution;
            contact.restitution = law.restitution(theta, own.normal, own.tangential);
        }
        self
    }

    /// Adds a velocity at t = 0, to a group or to the whole body.
    pub fn velocity(mut self, group: Option<&str>, value: [f64; 3]) -> Self {
        let name = (self.case.velocities.len() + 1).to_string();
        let (group, spin, center) = (group.map(String::from), [0.0; 3], [0.0; 3]);
        self.case.velocities.push(FieldCase { name, group, value, spin, center });
        self
    }

    /// A point mass.
    pub fn mass(mut self, mass: MassCase) -> Self {
        self.case.system.masses.push(mass);
        self
    }

    /// A rigid body, in the plane or in space.
    pub fn body(mut self, body: BodyCase) -> Self {
        self.case.system.bodies.push(body);
        self
    }

    /// A spring with a dashpot.
    pub fn spring(mut self, spring: SpringCase) -> Self {
        self.case.system.springs.push(spring);
        self
    }

    /// What holds bodies, masses and nodes together.
    pub fn joint(mut self, joint: JointCase) -> Self {
        self.case.system.joints.push(joint);
        self
    }

    /// The mesh, with nodes for masses and the centres of bodies after its own. Their groups have their names.
    pub fn mesh(&self) -> Result<Mesh, Error> {
        let mut mesh = self.mesh.clone();
        mesh.scale(self.case.scale);
        add_system(&self.case, &mut mesh)?;
        Ok(mesh)
    }

    /// Assembles it on [`System::mesh`], factors the effective mass and stands at t = 0, without any file.
    ///
    /// # Errors
    ///
    /// What a case file would be refused for; an effective mass that is not positive definite.
    pub fn march(&self) -> Result<March, Error> {
        let mesh = self.mesh()?;
        Model::build(&self.case, &mesh)?.march(&self.case)
    }
}
