//! Obstacles of a case: which keys each shape takes, and how it moves.

use super::file::{ObstacleTable, RotationTable, Vector};
use super::validate::{Checked, Checker};
use super::{ObstacleCase, ShapeCase};
use crate::contact::obstacle::{
    Cuboid, Cylinder, HalfPlane, RigidMotion, Rotation, Shape, Sphere, Translation,
};
use crate::time::Motion;

/// What to do with an axis in the plane.
const ACROSS: &str = "leave it out, there it is across the plane";

/// The words for shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObstacleKind {
    HalfPlane,
    Sphere,
    Cylinder,
    Cuboid,
    Surface,
}

const KINDS: [(&str, ObstacleKind); 7] = [
    ("half-plane", ObstacleKind::HalfPlane),
    ("half-space", ObstacleKind::HalfPlane),
    ("disk", ObstacleKind::Sphere),
    ("sphere", ObstacleKind::Sphere),
    ("cylinder", ObstacleKind::Cylinder),
    ("box", ObstacleKind::Cuboid),
    ("surface", ObstacleKind::Surface),
];

impl ObstacleKind {
    /// The keys that it takes beside `kind` and its motion.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::HalfPlane => &["point", "normal"],
            Self::Sphere => &["point", "radius", "inside"],
            Self::Cylinder => &["point", "axis", "radius", "length", "inside"],
            Self::Cuboid => &["point", "size", "inside"],
            Self::Surface => &["file", "group", "inside"],
        }
    }
}

impl Checker<'_> {
    /// The obstacle of a contact.
    pub(super) fn obstacle(&self, contact: &str, table: &ObstacleTable) -> Checked<ObstacleCase> {
        let place = format!("contact.{contact}.obstacle");
        let kind = self.choice(&format!("{place}.kind"), Some(&table.kind), &KINDS)?;
        self.refuse_foreign_keys(&place, kind, table)?;
        let read = ObstacleReader { check: self, place: &place, kind: &table.kind };
        Ok(ObstacleCase { shape: read.shape(kind, table)?, motion: read.motion(table)? })
    }

    fn refuse_foreign_keys(
        &self,
        place: &str,
        kind: ObstacleKind,
        table: &ObstacleTable,
    ) -> Checked<()> {
        let given = [
            ("point", table.point.is_some()),
            ("normal", table.normal.is_some()),
            ("axis", table.axis.is_some()),
            ("radius", table.radius.is_some()),
            ("length", table.length.is_some()),
            ("size", table.size.is_some()),
            ("inside", table.inside.is_some()),
            ("file", table.file.is_some()),
            ("group", table.group.is_some()),
        ];
        match given.iter().find(|(key, given)| *given && !kind.keys().contains(key)) {
            Some((key, _)) => {
                let takes = kind.keys().join(", ");
                let message = format!("a {} has none; it takes {takes}", table.kind);
                Err(self.error(&format!("{place}.{key}"), message))
            }
            None => Ok(()),
        }
    }
}

/// Reads the keys of one obstacle.
struct ObstacleReader<'a> {
    check: &'a Checker<'a>,
    place: &'a str,
    kind: &'a str,
}

impl ObstacleReader<'_> {
    fn key(&self, field: &str) -> String {
        format!("{}.{field}", self.place)
    }

    fn required<'t, T>(&self, field: &str, given: &'t Option<T>) -> Checked<&'t T> {
        let missing = || {
            let message = format!("a {} needs {field}; add it", self.kind);
            self.check.error(self.place, message)
        };
        given.as_ref().ok_or_else(missing)
    }

    fn vector(&self, field: &str, given: &Option<Vector>) -> Checked<[f64; 3]> {
        self.check.vector(&self.key(field), self.required(field, given)?)
    }

    /// A vector that points somewhere, at unit length. Scaled first, by a power of two that changes no digit, so
    /// that no square runs out of the range of numbers.
    fn direction(&self, field: &str, given: &Option<Vector>) -> Checked<[f64; 3]> {
        let vector = self.vector(field, given)?;
        let largest = vector.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if largest == 0.0 {
            let given = self.required(field, given)?;
            let message = format!("{given:?} points nowhere; give a direction of any length");
            return Err(self.check.error(&self.key(field), message));
        }
        let scale = match largest {
            small if small < 1e-100 => 2f64.powi(600),
            large if large > 1e100 => 2f64.powi(-600),
            _ => 1.0,
        };
        let scaled = vector.map(|x| scale * x);
        let length = crate::contact::norm(&scaled);
        Ok(scaled.map(|x| x / length))
    }

    /// The direction of an axis, which is across the plane where `place` has none.
    fn axis(&self, place: &str, field: &str, given: &Option<Vector>) -> Checked<[f64; 3]> {
        match given.as_deref() {
            Some([_, _, _]) => {
                // Before what any vector says of itself: the first that does not fit is told.
                self.check.only_in(3, &self.key(field), ["leave it out", ACROSS, ""]);
                self.direction(field, given)
            }
            Some(other) => {
                let message = format!(
                    "has {} numbers; an axis is [x, y, z] in space, and in the plane leave it out",
                    other.len()
                );
                Err(self.check.error(&self.key(field), message))
            }
            None => {
                let remedies = ["leave it out, there are no axes", "", "add axis = [x, y, z]"];
                self.check.only_in(2, place, remedies);
                Ok([0.0, 0.0, 1.0])
            }
        }
    }

    fn shape(&self, kind: ObstacleKind, table: &ObstacleTable) -> Checked<ShapeCase> {
        let inside = table.inside.unwrap_or(false);
        let shape = match kind {
            ObstacleKind::HalfPlane => {
                let normal = self.direction("normal", &table.normal)?;
                Shape::HalfPlane(HalfPlane { point: self.vector("point", &table.point)?, normal })
            }
            ObstacleKind::Sphere => Shape::Sphere(Sphere {
                center: self.vector("point", &table.point)?,
                radius: *self.required("radius", &table.radius)?,
                inside,
            }),
            ObstacleKind::Cylinder => Shape::Cylinder(Cylinder {
                point: self.vector("point", &table.point)?,
                axis: self.axis(self.place, "axis", &table.axis)?,
                radius: *self.required("radius", &table.radius)?,
                length: table.length,
                inside,
            }),
            ObstacleKind::Cuboid => Shape::Cuboid(self.cuboid(table, inside)?),
            ObstacleKind::Surface => {
                let instead = "use a half-plane, a disk or a box";
                self.check.only_in(3, &self.key("kind"), [instead, instead, ""]);
                let file = self.required("file", &table.file)?;
                let folder = self.check.path.parent().unwrap_or("".as_ref());
                return Ok(ShapeCase::File {
                    file: folder.join(file),
                    group: table.group.clone(),
                    inside,
                });
            }
        };
        Ok(ShapeCase::Known(shape))
    }

    /// A box along the axes; in the plane without end across it.
    fn cuboid(&self, table: &ObstacleTable, inside: bool) -> Checked<Cuboid> {
        let given = self.required("size", &table.size)?;
        self.vector("size", &table.size)?;
        let mut half = [f64::INFINITY; 3];
        for (half, &edge) in half.iter_mut().zip(given) {
            *half = 0.5 * edge;
        }
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Ok(Cuboid { center: self.vector("point", &table.point)?, half, axes, inside })
    }

    fn motion(&self, table: &ObstacleTable) -> Checked<RigidMotion> {
        let time = self.check.time(&self.key("time"), table.time.as_ref())?;
        let translation = match (&table.displacement, &table.velocity) {
            (None, None) if table.time.is_some() => {
                let message = "there is no displacement or velocity beside it to multiply; add one, \
                               or move it to rotation.time";
                return Err(self.check.error(&self.key("time"), message));
            }
            (None, None) => None,
            (Some(displacement), None) => {
                let direction = self.check.vector(&self.key("displacement"), displacement)?;
                Some(Translation { direction, motion: Motion::Displacement { value: 1.0, time } })
            }
            (None, Some(velocity)) => {
                let direction = self.check.vector(&self.key("velocity"), velocity)?;
                Some(Translation { direction, motion: Motion::Velocity { value: 1.0, time } })
            }
            (Some(_), Some(_)) => {
                let message = "give either a displacement or a velocity";
                return Err(self.check.error(self.place, message));
            }
        };
        let rotation = match &table.rotation {
            Some(rotation) => Some(self.rotation(table, rotation)?),
            None => None,
        };
        Ok(RigidMotion { translation, rotation })
    }

    fn rotation(&self, obstacle: &ObstacleTable, table: &RotationTable) -> Checked<Rotation> {
        let place = self.key("rotation");
        let time = self.check.time(&format!("{place}.time"), table.time.as_ref())?;
        let motion = match (table.angle, table.velocity) {
            (Some(angle), None) => Motion::Displacement { value: angle, time },
            (None, Some(velocity)) => Motion::Velocity { value: velocity, time },
            (Some(_), Some(_)) | (None, None) => {
                let message = "give either an angle or a velocity";
                return Err(self.check.error(&place, message));
            }
        };
        let axis = self.axis(&place, "rotation.axis", &table.axis)?;
        let center = match (&table.center, &obstacle.point) {
            (Some(center), _) => self.check.vector(&format!("{place}.center"), center)?,
            (None, Some(_)) => self.vector("point", &obstacle.point)?,
            (None, None) => {
                let message = "a surface that turns needs a center; add it";
                return Err(self.check.error(&place, message));
            }
        };
        Ok(Rotation { axis, center, motion })
    }
}
