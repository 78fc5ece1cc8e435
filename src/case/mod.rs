//! Case files: `CaseFile` as written, [`Case`] checked.

mod between;
mod bodies;
mod body;
mod changes;
mod check;
mod check_names;
mod check_system;
mod component;
mod contacts;
mod excerpt;
mod file;
mod keys;
mod kind;
mod laws;
mod made;
mod names;
mod obstacle;
mod place;
mod read;
mod schema;
mod scheme;
mod system;
mod system_keys;
mod times;
mod validate;

use std::path::{Path, PathBuf};

pub use bodies::{
    BodyCase, BodyLaws, BodyShapeCase, PlaneBody, RoleCase, SolidCase, WeightCase, WordCase,
};
pub use changes::{Change, changes};
pub use component::Component;
pub use contacts::{ContactCase, PairCase};
pub use keys::{Key, KeyTable, TABLES, TIME_KEYS, keys, table_of};
pub use kind::{Bounds, KeyKind, Limit, Many};
pub use laws::{ContactLaw, SLIDER_FRICTION};
pub use place::did_you_mean;
pub use schema::schema;
pub use scheme::keys_of_other_kinds;
pub use system::{EndCase, JointCase, JointKindCase, MassCase, SliderCase, SpringCase, SystemCase};

use crate::assembly::{Feedback, MassKind};
use crate::contact::obstacle::{RigidMotion, Shape};
use crate::contact::solver::Method;
use crate::contact::{ActivationRule, Law};
use crate::material::{Material, Section};
use crate::time::{Motion, TimeFunction};

/// A material and the elements made of it.
#[derive(Clone, Debug)]
pub struct MaterialCase {
    /// Name in the case.
    pub name: String,
    /// Group, or the whole body.
    pub group: Option<String>,
    /// Constants.
    pub material: Material,
}

/// Driven dofs.
#[derive(Clone, Debug)]
pub struct BoundaryCase {
    /// Name in the case.
    pub name: String,
    /// Group.
    pub group: String,
    /// Components.
    pub component: Component,
    /// How they move.
    pub motion: Motion,
}

/// What a load is.
#[derive(Clone, Debug)]
pub enum LoadKind {
    /// Acceleration of the whole body.
    Gravity {
        /// Acceleration.
        acceleration: [f64; 3],
        /// Counted as potential energy.
        potential: bool,
    },
    /// Force per area.
    Traction {
        /// Group of the boundary.
        group: String,
        /// Force per area.
        traction: [f64; 3],
    },
    /// Force per area against the outward normal.
    Pressure {
        /// Group of the boundary.
        group: String,
        /// Force per area.
        pressure: f64,
    },
    /// Force on each node.
    Force {
        /// Group of nodes.
        group: String,
        /// Force on each.
        force: [f64; 3],
    },
    /// What a program makes of time and state; its time function is not asked.
    Feedback(Feedback),
}

impl LoadKind {
    /// Whether it is a pattern of forces times a function of time.
    pub fn is_pattern(&self) -> bool {
        match self {
            Self::Gravity { potential, .. } => !potential,
            Self::Traction { .. } | Self::Pressure { .. } | Self::Force { .. } => true,
            Self::Feedback(_) => false,
        }
    }
}

/// A load and its time function.
#[derive(Clone, Debug)]
pub struct LoadCase {
    /// Name in the case.
    pub name: String,
    /// What it is.
    pub kind: LoadKind,
    /// Time function.
    pub time: TimeFunction,
}

/// What a rigid obstacle looks like.
#[derive(Clone, Debug)]
pub enum ShapeCase {
    /// As the case gives it.
    Known(Shape),
    /// A closed surface in a mesh file.
    File {
        /// The file.
        file: PathBuf,
        /// Group of its triangles, or all.
        group: Option<String>,
        /// Whether the body is inside of it.
        inside: bool,
    },
}

/// A rigid obstacle.
#[derive(Clone, Debug)]
pub struct ObstacleCase {
    /// What it looks like.
    pub shape: ShapeCase,
    /// How it moves.
    pub motion: RigidMotion,
}

/// Dofs held in the static solve.
#[derive(Clone, Debug)]
pub struct PreloadCase {
    /// Name in the case.
    pub name: String,
    /// Group.
    pub group: String,
    /// Components.
    pub component: Component,
    /// Value.
    pub displacement: f64,
}

/// An initial value on a group.
#[derive(Clone, Debug)]
pub struct FieldCase {
    /// Name in the case.
    pub name: String,
    /// Group, or the whole body.
    pub group: Option<String>,
    /// Value; of a velocity, that of `center`.
    pub value: [f64; 3],
    /// Angular velocity; zero for a displacement.
    pub spin: [f64; 3],
    /// Point that the spin turns about.
    pub center: [f64; 3],
}

/// How to step.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemeCase {
    /// Impact law.
    pub law: Law,
    /// Kind and parameters.
    pub parameters: crate::step::Scheme,
    /// h.
    pub step: f64,
    /// Number of steps.
    pub steps: usize,
    /// Which closed contacts are active, and with which law.
    pub activation: ActivationRule,
    /// Gap tolerance, where the case gives one.
    pub gap_tolerance: Option<f64>,
    /// Whether what creates energy is accepted.
    pub allow_energy_creation: bool,
    /// Whether bodies may begin deep in each other.
    pub allow_overlaps: bool,
    /// What to do where a step violates the certificate.
    pub on_violation: OnFailure,
}

/// What to do where the contact solver does not reach its tolerance, or a step violates the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// End the run.
    Stop,
    /// Go on and tell.
    Warn,
    /// Go on; the summary counts, and judges.
    Continue,
}

/// How to solve the cone problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverCase {
    /// Method.
    pub method: Method,
    /// Relative error to reach.
    pub tolerance: f64,
    /// Iterations before it gives up.
    pub max_iterations: usize,
    /// What then.
    pub on_failure: OnFailure,
    /// Save the cone problem of such a step.
    pub save_failures: bool,
    /// Most bytes that the factor and the contact problem may take.
    pub memory: Option<usize>,
}

/// What to write, and how often; 0 is never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputCase {
    /// Steps between VTK frames.
    pub fields_every: usize,
    /// Steps between rows of the history.
    pub history_every: usize,
    /// Steps between rows of the trajectory.
    pub trajectory_every: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
}

impl Default for SolverCase {
    /// As a case without a table `[solver]` has it.
    fn default() -> Self {
        Self {
            method: Method::Auto,
            tolerance: 1e-10,
            max_iterations: 10_000,
            on_failure: OnFailure::Stop,
            save_failures: true,
            memory: None,
        }
    }
}

/// Where a mesh comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource {
    /// A file.
    File(PathBuf),
    /// A file of that name that comes with the program.
    Bytes(PathBuf, &'static [u8]),
    /// A program has made it, see [`System`](crate::model::System).
    Made,
}

/// A case: what moves, what acts on it, what it may touch, and how to step; what it says of groups is held to a mesh by
/// [`Model::build`](crate::model::Model::build).
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's name without its ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Unit system of all numbers.
    pub units: String,
    /// Where it stands, for messages.
    pub path: PathBuf,
    /// The mesh, where there is one.
    pub mesh: Option<MeshSource>,
    /// Factor on its coordinates.
    pub scale: f64,
    /// Point masses, rigid bodies and what connects them.
    pub system: SystemCase,
    /// Groups whose mean motion is written down.
    pub probes: Vec<(String, String)>,
    /// Mass.
    pub mass: MassKind,
    /// Materials.
    pub materials: Vec<MaterialCase>,
    /// Driven dofs.
    pub boundaries: Vec<BoundaryCase>,
    /// Loads.
    pub loads: Vec<LoadCase>,
    /// Contact sets.
    pub contacts: Vec<ContactCase>,
    /// Static pre-load; none where empty.
    pub preload: Vec<PreloadCase>,
    /// Initial displacements.
    pub displacements: Vec<FieldCase>,
    /// Initial velocities.
    pub velocities: Vec<FieldCase>,
    /// Scheme.
    pub scheme: SchemeCase,
    /// Contact solver.
    pub solver: SolverCase,
    /// Output.
    pub output: OutputCase,
    /// What only a mesh of one dimension can have: points, vectors, axes.
    pub dimensioned: Vec<Dimensioned>,
    /// The text and the overrides it came from.
    pub(crate) source: CaseText,
}

impl Case {
    /// The mesh file, or what there is instead, for messages.
    pub fn mesh_name(&self) -> String {
        match (&self.mesh, self.mesh_file()) {
            (_, Some(path)) => path.display().to_string(),
            (Some(_), None) => "the mesh".into(),
            (None, None) => "the system of masses and bodies".into(),
        }
    }

    /// The mesh file, where there is one.
    pub fn mesh_file(&self) -> Option<&Path> {
        match &self.mesh {
            Some(MeshSource::File(path) | MeshSource::Bytes(path, _)) => Some(path),
            Some(MeshSource::Made) | None => None,
        }
    }

    /// Whether a program made it, so that there is no text of it.
    pub fn is_made(&self) -> bool {
        self.source.text.is_empty()
    }

    /// The groups of lines that are bars.
    pub fn bar_groups(&self) -> Vec<String> {
        let is_bar = |m: &&MaterialCase| matches!(m.material.section, Section::Bar { .. });
        self.materials.iter().filter(is_bar).filter_map(|m| m.group.clone()).collect()
    }
}

/// A place in a case that fits a mesh of one dimension only.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimensioned {
    /// Its key.
    pub key: String,
    /// The dimension it is written for.
    pub dimension: usize,
    /// What to do instead in a mesh of one, two or three dimensions.
    pub remedies: [&'static str; 3],
}

/// The text of a case and what was set on top of it, to tell where a value stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseText {
    /// The file's text.
    pub text: String,
    /// `--set` assignments.
    pub overrides: Vec<String>,
}
