//! What a case says of point masses and of what connects them and rigid bodies.

use std::path::PathBuf;

use super::bodies::BodyCase;
use super::file::*;
use super::validate::{Checked, Checker, named};

/// A point mass.
#[derive(Clone, Debug, PartialEq)]
pub struct MassCase {
    /// Name in the case.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// Where it is at rest.
    pub position: [f64; 3],
    /// Displacement at t = 0.
    pub displacement: [f64; 3],
    /// Velocity at t = 0.
    pub velocity: [f64; 3],
    /// Distance at which it touches.
    pub radius: f64,
}

/// One end of what connects two.
#[derive(Clone, Debug, PartialEq)]
pub enum EndCase {
    /// The ground.
    Ground,
    /// A mass, a body, or a group of one node.
    Named(String),
}

/// A spring with a dashpot.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringCase {
    /// Name in the case.
    pub name: String,
    /// Its ends.
    pub between: [EndCase; 2],
    /// Its direction, where given.
    pub axis: Option<[f64; 3]>,
    /// Stiffness.
    pub stiffness: f64,
    /// Damping.
    pub damping: f64,
}

/// A Coulomb slider.
#[derive(Clone, Debug, PartialEq)]
pub struct SliderCase {
    /// Name in the case.
    pub name: String,
    /// Its ends.
    pub between: [EndCase; 2],
    /// Its direction, where given.
    pub axis: Option<[f64; 3]>,
    /// The force at which it slides.
    pub force: f64,
}

/// What a joint holds; points are at rest, and centres where not given.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKindCase {
    /// Two points together.
    Pin {
        /// Where.
        at: Option<[f64; 3]>,
    },
    /// Two points at a distance.
    Bar {
        /// On the first.
        from: Option<[f64; 3]>,
        /// On the second.
        to: Option<[f64; 3]>,
    },
    /// A point on a line.
    Line {
        /// Where.
        at: Option<[f64; 3]>,
        /// Direction.
        direction: [f64; 3],
    },
    /// Bodies in space that turn about a common axis.
    Hinge {
        /// Where.
        at: Option<[f64; 3]>,
        /// The axis.
        axis: [f64; 3],
    },
    /// Bodies of which one slides along the other and does not turn against it.
    Slider {
        /// Which point of the first slides.
        at: Option<[f64; 3]>,
        /// Along this axis of the second.
        axis: [f64; 3],
    },
    /// Bodies that are one.
    Weld {
        /// Where.
        at: Option<[f64; 3]>,
    },
}

impl JointKindCase {
    /// Its points and vectors, by key.
    pub(super) fn vectors(&self) -> Vec<(&'static str, [f64; 3])> {
        let given = match *self {
            Self::Pin { at } | Self::Weld { at } => [("at", at), ("", None)],
            Self::Bar { from, to } => [("from", from), ("to", to)],
            Self::Line { at, direction } => [("at", at), ("direction", Some(direction))],
            Self::Hinge { at, axis } | Self::Slider { at, axis } => {
                [("at", at), ("axis", Some(axis))]
            }
        };
        given.into_iter().filter_map(|(key, vector)| Some((key, vector?))).collect()
    }
}

/// A bilateral constraint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointCase {
    /// Name in the case.
    pub name: String,
    /// Whom it connects.
    pub between: [EndCase; 2],
    /// What it holds.
    pub kind: JointKindCase,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemCase {
    /// Point masses.
    pub masses: Vec<MassCase>,
    /// Rigid bodies.
    pub bodies: Vec<BodyCase>,
    /// Springs.
    pub springs: Vec<SpringCase>,
    /// Sliders.
    pub sliders: Vec<SliderCase>,
    /// Joints.
    pub joints: Vec<JointCase>,
    /// Files that bodies are made of, by key.
    pub files: Vec<(String, PathBuf)>,
    /// Dimension of the space they are written for.
    pub dimension: usize,
}

impl SystemCase {
    /// Whether there is neither a mass nor a body.
    pub fn is_empty(&self) -> bool {
        self.masses.is_empty() && self.bodies.is_empty()
    }
}

/// The end of a spring, slider or joint that does not move.
pub(super) const GROUND: &str = "ground";

impl Checker<'_> {
    pub(super) fn system(&self, file: &CaseFile) -> Checked<SystemCase> {
        let masses = named(&file.mass, |n, t| self.mass(n, t))?;
        let (bodies, files) = self.bodies(file)?;
        let first = file.mass.values().next().map(|mass| mass.position.len());
        let first = first.or_else(|| bodies.first().map(BodyCase::dimension));
        Ok(SystemCase {
            masses,
            bodies,
            files,
            springs: named(&file.spring, |n, t| self.spring(n, t))?,
            sliders: named(&file.slider, |n, t| self.slider(n, t))?,
            joints: named(&file.joint, |n, t| self.joint(n, t))?,
            dimension: first.unwrap_or(2),
        })
    }

    fn mass(&self, name: &str, table: &MassTable) -> Checked<MassCase> {
        let key = |field: &str| format!("mass.{name}.{field}");
        let vector = |field: &str, given: &Option<Vector>| match given {
            Some(given) => self.vector(&key(field), given),
            None => Ok([0.0; 3]),
        };
        Ok(MassCase {
            name: name.into(),
            mass: table.mass,
            position: self.vector(&key("position"), &table.position)?,
            displacement: vector("displacement", &table.displacement)?,
            velocity: vector("velocity", &table.velocity)?,
            radius: table.radius.unwrap_or(0.0),
        })
    }

    fn spring(&self, name: &str, table: &SpringTable) -> Checked<SpringCase> {
        let key = |field: &str| format!("spring.{name}.{field}");
        Ok(SpringCase {
            name: name.into(),
            between: self.ends(&key("between"), &table.between)?,
            axis: self.optional(&key("axis"), table.axis.as_ref())?,
            stiffness: table.stiffness.unwrap_or(0.0),
            damping: table.damping.unwrap_or(0.0),
        })
    }

    fn slider(&self, name: &str, table: &SliderTable) -> Checked<SliderCase> {
        let key = |field: &str| format!("slider.{name}.{field}");
        Ok(SliderCase {
            name: name.into(),
            between: self.ends(&key("between"), &table.between)?,
            axis: self.optional(&key("axis"), table.axis.as_ref())?,
            force: table.force,
        })
    }

    fn joint(&self, name: &str, table: &JointTable) -> Checked<JointCase> {
        let key = |field: &str| format!("joint.{name}.{field}");
        let kinds: [(&str, &[&str]); 6] = [
            ("pin", &["at"]),
            ("bar", &["from", "to"]),
            ("line", &["at", "direction"]),
            ("hinge", &["at", "axis"]),
            ("slider", &["at", "axis"]),
            ("weld", &["at"]),
        ];
        let own = self.choice(&key("kind"), Some(&table.kind), &kinds)?;
        let given = [
            ("at", &table.at),
            ("from", &table.from),
            ("to", &table.to),
            ("direction", &table.direction),
            ("axis", &table.axis),
        ];
        let foreign = given.iter().find(|(field, value)| value.is_some() && !own.contains(field));
        if let Some((field, _)) = foreign {
            let message = format!("a {} has no {field}; it has {}", table.kind, own.join(", "));
            return Err(self.error(&key(field), message));
        }
        let point = |at: usize| self.optional(&key(given[at].0), given[at].1.as_ref());
        let kind = match table.kind.as_str() {
            "pin" => JointKindCase::Pin { at: point(0)? },
            "bar" => JointKindCase::Bar { from: point(1)?, to: point(2)? },
            "weld" => JointKindCase::Weld { at: point(0)? },
            "line" => {
                let missing = || {
                    let message = "a line needs a direction; add direction = [x, y]";
                    self.error(&format!("joint.{name}"), message)
                };
                JointKindCase::Line { at: point(0)?, direction: point(3)?.ok_or_else(missing)? }
            }
            kind => {
                let missing = || {
                    let message = format!("a {kind} needs an axis; add axis = [x, y, z]");
                    self.error(&format!("joint.{name}"), message)
                };
                let (at, axis) = (point(0)?, point(4)?.ok_or_else(missing)?);
                match kind {
                    "hinge" => JointKindCase::Hinge { at, axis },
                    _ => JointKindCase::Slider { at, axis },
                }
            }
        };
        Ok(JointCase {
            name: name.into(),
            between: self.ends(&key("between"), &table.between)?,
            kind,
        })
    }

    fn optional(&self, key: &str, given: Option<&Vector>) -> Checked<Option<[f64; 3]>> {
        given.map(|given| self.vector(key, given)).transpose()
    }

    fn ends(&self, key: &str, between: &Pair) -> Checked<[EndCase; 2]> {
        Ok(self.two(key, between)?.each_ref().map(|name| match name.as_str() {
            GROUND => EndCase::Ground,
            _ => EndCase::Named(name.clone()),
        }))
    }

    /// Two names that are not the same.
    pub(super) fn two<'p>(&self, key: &str, between: &'p Pair) -> Checked<&'p [String; 2]> {
        let Pair(names) = between;
        if names[0] == names[1] {
            let message = format!("connects '{}' with itself; name two", names[0]);
            return Err(self.error(key, message));
        }
        Ok(names)
    }
}
