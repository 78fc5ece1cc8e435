//! `[body.NAME]` as written.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::case::file::{TimeTable, Vector};

/// One number in the plane, three in space.
#[derive(Clone, Debug)]
pub enum OneOrThree {
    One(f64),
    Three([f64; 3]),
}

impl Serialize for OneOrThree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(number) => serializer.serialize_f64(*number),
            Self::Three(numbers) => numbers.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for OneOrThree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrThreeVisitor)
    }
}

struct OneOrThreeVisitor;

impl<'de> Visitor<'de> for OneOrThreeVisitor {
    type Value = OneOrThree;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number or three")
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<OneOrThree, E> {
        Ok(OneOrThree::One(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<OneOrThree, E> {
        Ok(OneOrThree::One(number as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOrThree, A::Error> {
        let mut numbers = Vector::new();
        while let Some(number) = list.next_element()? {
            numbers.push(number);
        }
        let three = <[f64; 3]>::try_from(numbers);
        three.map(OneOrThree::Three).map_err(|n| de::Error::invalid_length(n.len(), &self))
    }
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BodyTable {
    pub shape: Option<String>,
    pub length: Option<f64>,
    pub size: Option<Vector>,
    pub vertices: Option<Vec<Vector>>,
    pub radius: Option<f64>,
    pub sides: Option<u32>,
    pub file: Option<String>,
    pub group: Option<String>,
    pub scale: Option<f64>,
    pub pieces: Option<Vec<Vec<Vector>>>,
    pub spheres: Option<Vec<Vector>>,
    pub mass: Option<f64>,
    pub density: Option<f64>,
    pub center: Option<Vector>,
    pub inertia: Option<OneOrThree>,
    pub material: Option<String>,
    pub position: Option<Vector>,
    pub angle: Option<f64>,
    pub rotation: Option<Vector>,
    pub turn: Option<TurnTable>,
    pub velocity: Option<Vector>,
    pub spin: Option<OneOrThree>,
    pub fixed: Option<bool>,
    pub drive: Option<DriveTable>,
    pub born: Option<f64>,
    pub removed: Option<f64>,
    pub repeat: Option<RepeatTable>,
    pub layers: Option<LayersTable>,
    pub arch: Option<ArchTable>,
    pub poses: Option<PosesTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TurnTable {
    pub axis: Vector,
    pub angle: f64,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DriveTable {
    pub velocity: Option<Vector>,
    pub spin: Option<OneOrThree>,
    pub time: Option<TimeTable>,
    pub time_x: Option<TimeTable>,
    pub time_y: Option<TimeTable>,
    pub time_z: Option<TimeTable>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatTable {
    pub count: Vec<u32>,
    pub spacing: Vector,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LayersTable {
    pub count: u32,
    pub bricks: u32,
    pub pitch: f64,
    pub height: f64,
    pub shrink: Option<u32>,
    pub half_ends: Option<bool>,
    pub along: Option<Vector>,
    pub up: Option<Vector>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArchTable {
    pub bricks: u32,
    pub inner: f64,
    pub outer: f64,
    pub from: Option<f64>,
    pub to: Option<f64>,
    pub depth: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PosesTable {
    pub file: String,
    pub only: Option<String>,
}
