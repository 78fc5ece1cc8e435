//! The case file as written: raw, every table and key it may hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::bodies::raw::*;

/// A point or vector: as many numbers as space has dimensions. That they are finite and how many the
/// mesh needs is checked later.
pub type Vector = Vec<f64>;

/// Two names. An array of TOML would be cut to fit, and a third name forgotten.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Pair(pub [String; 2]);

impl TryFrom<Vec<String>> for Pair {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        names.try_into().map(Self).map_err(|names: Vec<String>| {
            format!("invalid length {}, expected two names", names.len())
        })
    }
}

impl From<Pair> for Vec<String> {
    fn from(pair: Pair) -> Self {
        pair.0.into()
    }
}

/// Everything a case file says; unknown keys are refused.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    pub title: Option<String>,
    pub units: String,
    pub mesh: Option<MeshTable>,
    #[serde(default)]
    pub material: BTreeMap<String, MaterialTable>,
    #[serde(default)]
    pub mass: BTreeMap<String, MassTable>,
    #[serde(default)]
    pub body: BTreeMap<String, BodyTable>,
    #[serde(default)]
    pub spring: BTreeMap<String, SpringTable>,
    #[serde(default)]
    pub slider: BTreeMap<String, SliderTable>,
    #[serde(default)]
    pub joint: BTreeMap<String, JointTable>,
    #[serde(default)]
    pub probe: BTreeMap<String, ProbeTable>,
    #[serde(default)]
    pub boundary: BTreeMap<String, BoundaryTable>,
    #[serde(default)]
    pub load: BTreeMap<String, LoadTable>,
    #[serde(default)]
    pub contact: BTreeMap<String, ContactTable>,
    #[serde(default)]
    pub initial: InitialTable,
    pub scheme: SchemeTable,
    #[serde(default)]
    pub solver: SolverTable,
    #[serde(default)]
    pub output: OutputTable,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MeshTable {
    pub file: String,
    pub scale: Option<f64>,
    pub mass: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialTable {
    pub group: Option<String>,
    pub young: f64,
    pub poisson: f64,
    pub density: f64,
    pub plane: Option<String>,
    pub thickness: Option<f64>,
    pub area: Option<f64>,
    pub damping_mass: Option<f64>,
    pub damping_stiffness: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MassTable {
    pub mass: f64,
    pub position: Vector,
    pub displacement: Option<Vector>,
    pub velocity: Option<Vector>,
    pub radius: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpringTable {
    pub between: Pair,
    pub axis: Option<Vector>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SliderTable {
    pub between: Pair,
    pub axis: Option<Vector>,
    pub force: f64,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct JointTable {
    pub kind: String,
    pub between: Pair,
    pub at: Option<Vector>,
    pub from: Option<Vector>,
    pub to: Option<Vector>,
    pub direction: Option<Vector>,
    pub axis: Option<Vector>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeTable {
    pub group: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoundaryTable {
    pub group: String,
    pub component: String,
    pub displacement: Option<f64>,
    pub velocity: Option<f64>,
    pub time: Option<TimeTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LoadTable {
    pub group: Option<String>,
    pub gravity: Option<Vector>,
    pub potential: Option<bool>,
    pub traction: Option<Vector>,
    pub pressure: Option<f64>,
    pub force: Option<Vector>,
    pub time: Option<TimeTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TimeTable {
    pub function: String,
    pub start: Option<f64>,
    pub end: Option<f64>,
    pub period: Option<f64>,
    pub phase: Option<f64>,
    pub times: Option<Vec<f64>>,
    pub values: Option<Vec<f64>>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContactTable {
    pub group: Option<String>,
    pub obstacle: Option<ObstacleTable>,
    pub between: Option<Pair>,
    pub friction: f64,
    pub restitution: f64,
    pub tangential_restitution: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTable {
    pub kind: String,
    pub point: Option<Vector>,
    pub normal: Option<Vector>,
    pub axis: Option<Vector>,
    pub radius: Option<f64>,
    pub length: Option<f64>,
    pub size: Option<Vector>,
    pub inside: Option<bool>,
    pub file: Option<String>,
    pub group: Option<String>,
    pub displacement: Option<Vector>,
    pub velocity: Option<Vector>,
    pub time: Option<TimeTable>,
    pub rotation: Option<RotationTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RotationTable {
    pub center: Option<Vector>,
    pub axis: Option<Vector>,
    pub angle: Option<f64>,
    pub velocity: Option<f64>,
    pub time: Option<TimeTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InitialTable {
    #[serde(default)]
    pub preload: BTreeMap<String, PreloadTable>,
    #[serde(default)]
    pub displacement: BTreeMap<String, FieldTable>,
    #[serde(default)]
    pub velocity: BTreeMap<String, VelocityTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PreloadTable {
    pub group: String,
    pub component: String,
    pub displacement: f64,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FieldTable {
    pub group: Option<String>,
    pub value: Vector,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VelocityTable {
    pub group: Option<String>,
    pub value: Option<Vector>,
    pub spin: Option<Vector>,
    pub center: Option<Vector>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SchemeTable {
    pub kind: Option<String>,
    pub law: Option<String>,
    pub theta: Option<f64>,
    pub forecast: Option<String>,
    pub forecast_gamma: Option<f64>,
    pub beta: Option<f64>,
    pub gamma: Option<f64>,
    pub alpha_f: Option<f64>,
    pub rho_infinity: Option<f64>,
    pub position_correction: Option<bool>,
    pub step: f64,
    pub end: f64,
    pub activation: Option<String>,
    pub gap_tolerance: Option<f64>,
    pub velocity_tolerance: Option<f64>,
    pub allow_energy_creation: Option<bool>,
    pub allow_overlaps: Option<bool>,
    pub on_violation: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SolverTable {
    pub method: Option<String>,
    pub tolerance: Option<f64>,
    pub max_iterations: Option<u32>,
    pub on_failure: Option<String>,
    pub save_failures: Option<bool>,
    pub memory: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OutputTable {
    pub fields_every: Option<u32>,
    pub history_every: Option<u32>,
    pub trajectory_every: Option<u32>,
    pub checkpoint_every: Option<u32>,
}
