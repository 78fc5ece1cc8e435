//! Cases that a program makes, without a file.

use std::path::PathBuf;

use super::{
    Case, CaseText, LoadKind, MassCase, MeshSource, ObstacleCase, OnFailure, OutputCase, RoleCase,
    SchemeCase, ShapeCase, SolverCase, SystemCase,
};
use crate::assembly::MassKind;
use crate::contact::obstacle::{HalfPlane, RigidMotion, Shape};
use crate::contact::{ActivationRule, Law};
use crate::step;

impl Case {
    /// A case that says nothing yet but how it steps, with the defaults of a case file. With a mesh its materials,
    /// boundaries, loads and contacts name groups of that; without one it has masses and bodies only, in a space of
    /// `dimension`.
    pub fn new(name: &str, scheme: (step::Scheme, f64), mesh: bool, dimension: usize) -> Self {
        let (parameters, step) = scheme;
        Self {
            name: name.into(),
            title: name.into(),
            units: "dimensionless".into(),
            path: PathBuf::from(name),
            mesh: mesh.then_some(MeshSource::Made),
            scale: 1.0,
            system: SystemCase { dimension, ..SystemCase::default() },
            probes: Vec::new(),
            mass: MassKind::Consistent,
            materials: Vec::new(),
            boundaries: Vec::new(),
            loads: Vec::new(),
            contacts: Vec::new(),
            preload: Vec::new(),
            displacements: Vec::new(),
            velocities: Vec::new(),
            scheme: SchemeCase {
                law: Law::Fremond,
                parameters,
                step,
                steps: 1,
                activation: ActivationRule::Closed,
                gap_tolerance: None,
                allow_energy_creation: false,
                allow_overlaps: false,
                on_violation: OnFailure::Continue,
            },
            solver: SolverCase::default(),
            output: OutputCase::default(),
            dimensioned: Vec::new(),
            source: CaseText::default(),
        }
    }

    /// Points and vectors that lie in the space of the mesh, by key.
    pub(crate) fn vectors(&self) -> Vec<(String, [f64; 3])> {
        let mut vectors = Vec::new();
        for load in &self.loads {
            let (key, vector) = match &load.kind {
                LoadKind::Gravity { acceleration, .. } => ("gravity", *acceleration),
                LoadKind::Traction { traction, .. } => ("traction", *traction),
                LoadKind::Force { force, .. } => ("force", *force),
                LoadKind::Pressure { .. } | LoadKind::Feedback(_) => continue,
            };
            vectors.push((format!("load.{}.{key}", load.name), vector));
        }
        for (kind, fields) in
            [("displacement", &self.displacements), ("velocity", &self.velocities)]
        {
            let field = |field: &super::FieldCase| {
                let key = |name: &str| format!("initial.{kind}.{}.{name}", field.name);
                [(key("value"), field.value), (key("center"), field.center)]
            };
            vectors.extend(fields.iter().flat_map(field));
        }
        for mass in &self.system.masses {
            let key = |name: &str| format!("mass.{}.{name}", mass.name);
            vectors.push((key("position"), mass.position));
            vectors.push((key("displacement"), mass.displacement));
            vectors.push((key("velocity"), mass.velocity));
        }
        for body in &self.system.bodies {
            let key = |name: &str| format!("body.{}.{name}", body.table);
            vectors.push((key("position"), body.position));
            vectors.push((key("velocity"), body.velocity));
            if let RoleCase::Driven { velocity, .. } = body.role {
                vectors.push((key("drive.velocity"), velocity));
            }
        }
        let springs = self.system.springs.iter();
        let springs = springs.map(|own| (format!("spring.{}.axis", own.name), own.axis));
        let sliders = self.system.sliders.iter();
        let sliders = sliders.map(|own| (format!("slider.{}.axis", own.name), own.axis));
        vectors.extend(springs.chain(sliders).filter_map(|(key, axis)| Some((key, axis?))));
        for joint in &self.system.joints {
            let own = joint.kind.vectors().into_iter();
            vectors.extend(own.map(|(key, x)| (format!("joint.{}.{key}", joint.name), x)));
        }
        vectors
    }
}

impl Default for OutputCase {
    /// As a case without a table `[output]` has it: a row of the history for every step.
    fn default() -> Self {
        Self { fields_every: 0, history_every: 1, trajectory_every: 0, checkpoint_every: 0 }
    }
}

impl From<Shape> for ObstacleCase {
    /// An obstacle that stands still.
    fn from(shape: Shape) -> Self {
        Self { shape: ShapeCase::Known(shape), motion: RigidMotion::default() }
    }
}

impl From<HalfPlane> for ObstacleCase {
    /// A half-plane or half-space that stands still.
    fn from(shape: HalfPlane) -> Self {
        Shape::HalfPlane(shape).into()
    }
}

impl MassCase {
    /// A point mass at rest.
    pub fn new(name: &str, mass: f64, position: [f64; 3]) -> Self {
        let [displacement, velocity] = [[0.0; 3]; 2];
        Self { name: name.into(), mass, position, displacement, velocity, radius: 0.0 }
    }
}
