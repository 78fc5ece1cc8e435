//! The case file as written: raw, every table and key it may hold.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Exactly two numbers: an array of the parser's own passes over what follows the second.
fn pair<'de, D: Deserializer<'de>, T: From<[f64; 2]>>(deserializer: D) -> Result<T, D::Error> {
    let numbers = Vec::<f64>::deserialize(deserializer)?;
    match numbers.as_slice() {
        &[x, y] => Ok(T::from([x, y])),
        other => Err(D::Error::invalid_length(other.len(), &"an array of length 2")),
    }
}

/// Everything a case file says; unknown keys are refused.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    pub title: Option<String>,
    pub units: String,
    pub mesh: MeshTable,
    pub material: BTreeMap<String, MaterialTable>,
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
    pub mass: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialTable {
    pub group: Option<String>,
    pub young: f64,
    pub poisson: f64,
    pub density: f64,
    pub plane: String,
    pub thickness: Option<f64>,
    pub damping_mass: Option<f64>,
    pub damping_stiffness: Option<f64>,
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
    #[serde(default, deserialize_with = "pair")]
    pub gravity: Option<[f64; 2]>,
    pub potential: Option<bool>,
    #[serde(default, deserialize_with = "pair")]
    pub traction: Option<[f64; 2]>,
    pub pressure: Option<f64>,
    #[serde(default, deserialize_with = "pair")]
    pub force: Option<[f64; 2]>,
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
    pub group: String,
    pub obstacle: ObstacleTable,
    pub friction: f64,
    pub restitution: f64,
    pub tangential_restitution: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTable {
    pub kind: String,
    #[serde(deserialize_with = "pair")]
    pub point: [f64; 2],
    #[serde(deserialize_with = "pair")]
    pub normal: [f64; 2],
    #[serde(default, deserialize_with = "pair")]
    pub velocity: Option<[f64; 2]>,
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
    pub velocity: BTreeMap<String, FieldTable>,
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
    #[serde(deserialize_with = "pair")]
    pub value: [f64; 2],
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SchemeTable {
    pub kind: Option<String>,
    pub law: Option<String>,
    pub theta: Option<f64>,
    pub step: f64,
    pub end: f64,
    pub activation: Option<String>,
    pub gap_tolerance: Option<f64>,
    pub velocity_tolerance: Option<f64>,
    pub allow_energy_creation: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SolverTable {
    pub method: Option<String>,
    pub tolerance: Option<f64>,
    pub max_iterations: Option<u32>,
    pub on_failure: Option<String>,
    pub save_failures: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OutputTable {
    pub fields_every: Option<u32>,
    pub history_every: Option<u32>,
}
