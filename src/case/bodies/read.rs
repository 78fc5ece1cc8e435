//! From tables of rigid bodies to bodies.

use std::path::PathBuf;

use super::poses::Poses;
use super::raw::{BodyTable, OneOrThree};
use super::turn::{Quaternion, UPRIGHT, about, unit_quaternion};
use super::{BodyCase, BodyShapeCase, WeightCase};
use crate::case::file::{CaseFile, Vector};
use crate::case::validate::{Checked, Checker};
use crate::error::Error;
use crate::rigid::BodyShape;
use crate::vector::unit;

/// Bodies of a case at most.
const MOST: usize = 1_000_000;

/// Bodies, and the files that they are made of, by key.
type BodiesAndFiles = (Vec<BodyCase>, Vec<(String, PathBuf)>);

/// Reads one table.
pub(super) struct BodyReader<'a> {
    pub check: &'a Checker<'a>,
    pub name: &'a str,
    pub table: &'a BodyTable,
    /// 2 or 3.
    pub dimension: usize,
    /// `position`, or zero.
    pub position: [f64; 3],
    /// Where a file has the bodies.
    pub poses: Option<Poses>,
}

impl Checker<'_> {
    /// The bodies of all tables, one after the other.
    pub(in crate::case) fn bodies(&self, file: &CaseFile) -> Checked<BodiesAndFiles> {
        let (mut bodies, mut files) = (Vec::new(), Vec::new());
        for (name, table) in &file.body {
            let reader = BodyReader::new(self, name, table)?;
            bodies.extend(reader.bodies(MOST - bodies.len())?);
            let named = [
                ("file", table.file.as_ref()),
                ("poses.file", table.poses.as_ref().map(|poses| &poses.file)),
            ];
            let named = named.into_iter().filter_map(|(field, file)| Some((field, file?)));
            files.extend(named.map(|(field, file)| (reader.key(field), self.beside(file))));
        }
        Ok((bodies, files))
    }

    /// A file that the case names.
    pub(super) fn beside(&self, file: &str) -> PathBuf {
        self.path.parent().unwrap_or("".as_ref()).join(file)
    }
}

impl<'a> BodyReader<'a> {
    fn new(check: &'a Checker<'a>, name: &'a str, table: &'a BodyTable) -> Checked<Self> {
        let (dimension, position, poses) = (0, [0.0; 3], None);
        let mut reader = Self { check, name, table, dimension, position, poses };
        reader.refuse_two_patterns()?;
        if let Some(poses) = &table.poses {
            let poses = Poses::read(&reader, poses)?;
            (reader.dimension, reader.poses) = (poses.dimension, Some(poses));
        }
        reader.dimension = match (table.position.as_ref().map(Vec::len), &reader.poses) {
            (Some(given), None) if (2..=3).contains(&given) => given,
            (Some(given), None) => {
                let message = format!(
                    "has {given} numbers; a rigid body lies in the plane, [x, y], or in space, [x, y, z]"
                );
                return Err(reader.error("position", message));
            }
            (None, None) => {
                let message =
                    "there is no position; add [x, y] in the plane, or [x, y, z] in space";
                return Err(reader.at(message));
            }
            (_, Some(poses)) => poses.dimension,
        };
        let remedies = ["use a [mass.NAME]", "give [x, y]", "give its position as [x, y, z]"];
        check.only_in(reader.dimension, &format!("body.{name}"), remedies);
        if let Some(position) = &table.position {
            reader.position = reader.vector("position", position)?;
        }
        Ok(reader)
    }

    pub fn key(&self, field: &str) -> String {
        format!("body.{}.{field}", self.name)
    }

    /// An error about a key of the table.
    pub fn error(&self, field: &str, message: impl Into<String>) -> Error {
        self.check.error(&self.key(field), message)
    }

    /// An error about the table.
    pub fn at(&self, message: impl Into<String>) -> Error {
        self.check.error(&format!("body.{}", self.name), message)
    }

    /// "the plane", or "space".
    pub fn where_it_lies(&self) -> &'static str {
        if self.dimension == 2 { "the plane" } else { "space" }
    }

    /// A point or vector of the space that the body lies in.
    pub fn vector(&self, field: &str, given: &Vector) -> Checked<[f64; 3]> {
        if given.len() != self.dimension {
            let message = format!(
                "has {} numbers, but the body lies in {}; give {}",
                given.len(),
                self.where_it_lies(),
                ["[x, y]", "[x, y, z]"][self.dimension - 2]
            );
            return Err(self.error(field, message));
        }
        given.iter().try_for_each(|&x| self.check.finite(&self.key(field), x).map(drop))?;
        self.check.vector(&self.key(field), given)
    }

    /// A direction of any length, at unit length.
    pub fn direction(&self, field: &str, given: &Vector) -> Checked<[f64; 3]> {
        let nowhere =
            || self.error(field, format!("{given:?} points nowhere; give another direction"));
        unit(self.vector(field, given)?).ok_or_else(nowhere)
    }

    fn refuse_two_patterns(&self) -> Checked<()> {
        let table = self.table;
        let given = [
            ("repeat", table.repeat.is_some()),
            ("layers", table.layers.is_some()),
            ("arch", table.arch.is_some()),
            ("poses", table.poses.is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given);
        match (given.next(), given.next()) {
            (Some((first, _)), Some((second, _))) => {
                let message =
                    format!("goes without {first}: a table has one pattern; make two tables");
                Err(self.error(second, message))
            }
            _ => Ok(()),
        }
    }

    /// The bodies of the table, `room` at most.
    fn bodies(&self, room: usize) -> Checked<Vec<BodyCase>> {
        let own = self.body()?;
        let table = self.table;
        let (field, pattern) = match (&table.repeat, &table.layers, &table.arch, &self.poses) {
            (Some(repeat), ..) => ("repeat.count", self.repeat(repeat)?),
            (_, Some(layers), ..) => ("layers.count", self.layers(layers, &own)?),
            (.., Some(arch), _) => ("arch.bricks", self.arch(arch, &own)?),
            (.., Some(poses)) => ("poses.file", self.posed(poses)),
            (None, None, None, None) => {
                return if room > 0 { Ok(vec![own]) } else { Err(self.too_many("shape")) };
            }
        };
        if pattern.count > room as u128 {
            return Err(self.too_many(field));
        }
        let body = |(k, single): (usize, PatternBody)| BodyCase {
            name: format!("{}:{}", self.name, k + 1),
            position: single.position,
            angle: single.angle.unwrap_or(own.angle),
            rotation: single.rotation.unwrap_or(own.rotation),
            shape: single.shape.unwrap_or_else(|| own.shape.clone()),
            weight: single.weight.unwrap_or(own.weight),
            ..own.clone()
        };
        Ok(pattern.bodies.enumerate().map(body).collect())
    }

    fn too_many(&self, field: &str) -> Error {
        self.error(field, format!("makes more than {MOST} bodies in all; make less"))
    }

    /// The body, or what those of a pattern have in common.
    fn body(&self) -> Checked<BodyCase> {
        let table = self.table;
        let shape = self.shape()?;
        let weight = self.weight(&shape)?;
        let (angle, rotation) = (self.angle()?, self.rotation()?);
        let role = self.role()?;
        let (velocity, spin) = self.start(&role)?;
        let body = BodyCase::of(self.name, shape, weight, self.position);
        Ok(BodyCase {
            material: self.material()?,
            center: table.center.as_ref().map(|given| self.center(given)).transpose()?,
            inertia: table.inertia.as_ref().map(|given| self.inertia(given)).transpose()?,
            angle,
            rotation,
            velocity,
            spin,
            role,
            born: table.born,
            removed: table.removed,
            ..body
        })
    }

    fn material(&self) -> Checked<String> {
        match self.table.material.as_deref() {
            None => Ok(self.name.into()),
            Some(label) if label.is_empty() || label.chars().any(char::is_control) => {
                let message = format!("{label:?} is no label; give one that is seen");
                Err(self.error("material", message))
            }
            Some("bodies") => {
                let message = "\"bodies\" is any body in a contact; give another label";
                Err(self.error("material", message))
            }
            Some(label) => Ok(label.into()),
        }
    }

    fn weight(&self, shape: &BodyShapeCase) -> Checked<WeightCase> {
        let is_rod = matches!(shape, BodyShapeCase::Plane(BodyShape::Rod { .. }));
        let has_masses = self.poses.as_ref().is_some_and(|poses| poses.has_masses);
        match (self.table.mass, self.table.density) {
            (Some(_), Some(_)) => {
                Err(self.error("density", "goes without a mass; leave one of them out"))
            }
            (Some(mass), None) => Ok(WeightCase::Mass(mass)),
            (None, Some(_)) if is_rod => {
                Err(self.error("density", "a rod has no area; give its mass"))
            }
            (None, Some(density)) => Ok(WeightCase::Density(density)),
            // A row of the file has its own, and what stands still weighs on nothing.
            (None, None) if has_masses || is_rod && self.is_fixed() => Ok(WeightCase::Mass(1.0)),
            (None, None) if self.is_fixed() => Ok(WeightCase::Density(1.0)),
            (None, None) => Err(self.at("there is neither a mass nor a density; add one of them")),
        }
    }

    pub(super) fn is_fixed(&self) -> bool {
        self.table.fixed.unwrap_or(false)
    }

    fn inertia(&self, given: &OneOrThree) -> Checked<[f64; 3]> {
        match (self.dimension, given) {
            (2, &OneOrThree::One(inertia)) => Ok([inertia, 0.0, 0.0]),
            (2, OneOrThree::Three(_)) => {
                Err(self.error("inertia", "has 3 numbers; in the plane give one"))
            }
            (_, &OneOrThree::Three(inertia)) => Ok(inertia),
            (_, OneOrThree::One(_)) => {
                let message = "is one number; in space give three, about the principal axes";
                Err(self.error("inertia", message))
            }
        }
    }

    fn center(&self, given: &Vector) -> Checked<[f64; 3]> {
        match self.dimension {
            2 => Err(self.error("center", "is of space; leave it out in the plane")),
            _ => self.vector("center", given),
        }
    }

    fn angle(&self) -> Checked<f64> {
        match self.table.angle {
            Some(_) if self.dimension == 3 => {
                let message = "is of the plane; in space give rotation = [w, x, y, z], or turn = \
                               { axis = [x, y, z], angle = 0.5 }";
                Err(self.error("angle", message))
            }
            given => Ok(given.unwrap_or(0.0)),
        }
    }

    fn rotation(&self) -> Checked<Quaternion> {
        let (field, rotation) = match (&self.table.rotation, &self.table.turn) {
            (None, None) => return Ok(UPRIGHT),
            (Some(_), Some(_)) => {
                let message = "goes without rotation; leave one of them out";
                return Err(self.error("turn", message));
            }
            (Some(given), None) => ("rotation", unit_quaternion(given)),
            (None, Some(turn)) => {
                self.check.finite(&self.key("turn.angle"), turn.angle)?;
                match (self.dimension, turn.axis.len()) {
                    (3, 3) => {
                        let axis = self.direction("turn.axis", &turn.axis)?;
                        ("turn", Ok(about(axis, turn.angle)))
                    }
                    (3, n) => {
                        let message = format!("has {n} numbers; give three: [x, y, z]");
                        return Err(self.error("turn.axis", message));
                    }
                    _ => ("turn", Ok(UPRIGHT)),
                }
            }
        };
        if self.dimension == 2 {
            return Err(self.error(field, "is of space; in the plane give an angle"));
        }
        if self.poses.as_ref().is_some_and(|poses| poses.has_rotations) {
            return Err(self.error(field, "the file of the poses has rotations; leave it out"));
        }
        rotation.map_err(|message| self.error(field, message))
    }

    pub(super) fn spin(&self, field: &str, given: &OneOrThree) -> Checked<[f64; 3]> {
        match (self.dimension, given) {
            (2, &OneOrThree::One(spin)) => Ok([0.0, 0.0, spin]),
            (2, OneOrThree::Three(_)) => {
                Err(self.error(field, "has 3 numbers; in the plane give one"))
            }
            (_, &OneOrThree::Three(spin)) => Ok(spin),
            (_, OneOrThree::One(_)) => {
                Err(self.error(field, "is one number; in space give three: [x, y, z]"))
            }
        }
    }
}

/// The bodies of a pattern, made one by one: so many that nobody wants are never made.
pub(super) struct Pattern<'p> {
    pub count: u128,
    pub bodies: Box<dyn Iterator<Item = PatternBody> + 'p>,
}

/// One body of a pattern: its position, and what it has else than the table says.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternBody {
    pub position: [f64; 3],
    pub angle: Option<f64>,
    pub rotation: Option<Quaternion>,
    pub shape: Option<BodyShapeCase>,
    pub weight: Option<WeightCase>,
}

impl PatternBody {
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, ..Self::default() }
    }
}
