//! What every body keeps, written in a file or made by a program.

use super::drive::TIMES;
use super::turn::LOOSE_NORM;
use super::{BodyCase, BodyShapeCase, RoleCase, SolidCase, WeightCase};
use crate::case::validate::{Checked, Checker};
use crate::rigid::BodyShape;

/// Share by which a moment of inertia may be more than the sum of the other two: what is written down with ten digits.
const BEYOND_A_PLATE: f64 = 1e-9;

impl Checker<'_> {
    pub(in crate::case) fn sound_body(&self, body: &BodyCase) -> Checked<()> {
        let sound = BodyChecker { check: self, table: &body.table };
        match &body.shape {
            BodyShapeCase::Plane(shape) => sound.outline(shape)?,
            BodyShapeCase::Space(solid) => sound.solid(solid)?,
        }
        match body.weight {
            WeightCase::Mass(mass) => sound.positive("mass", &[mass])?,
            WeightCase::Density(density) => {
                sound.positive("density", &[density])?;
                if let BodyShapeCase::Plane(BodyShape::Rod { .. }) = body.shape {
                    let message = "a rod has no area; give its mass";
                    return Err(self.error(&sound.key("density"), message));
                }
            }
        }
        sound.finite("velocity", &body.velocity)?;
        sound.center(body)?;
        sound.inertia(body)?;
        sound.finite("position", &body.position)?;
        sound.finite("angle", &[body.angle])?;
        sound.rotation(&body.rotation)?;
        sound.finite("spin", &body.spin)?;
        sound.role(&body.role)?;
        sound.time(body.born, body.removed)
    }
}

/// Checks bodies of one table.
struct BodyChecker<'a> {
    check: &'a Checker<'a>,
    table: &'a str,
}

impl BodyChecker<'_> {
    fn key(&self, field: &str) -> String {
        format!("body.{}.{field}", self.table)
    }

    fn finite(&self, field: &str, numbers: &[f64]) -> Checked<()> {
        match numbers.iter().all(|x| x.is_finite()) {
            true => Ok(()),
            false => self.check.finite_all(&self.key(field), numbers),
        }
    }

    fn positive(&self, field: &str, numbers: &[f64]) -> Checked<()> {
        match numbers.iter().find(|x| !x.is_finite() || **x <= 0.0) {
            Some(&wrong) => self.check.positive(&self.key(field), wrong).map(drop),
            None => Ok(()),
        }
    }

    fn outline(&self, shape: &BodyShape) -> Checked<()> {
        match shape {
            BodyShape::Rod { length } => self.positive("length", &[*length]),
            BodyShape::Box { size } => self.positive("size", size),
            BodyShape::Disk { radius } => self.positive("radius", &[*radius]),
            BodyShape::Polygon { vertices } => self.finite("vertices", vertices.as_flattened()),
        }
    }

    fn solid(&self, solid: &SolidCase) -> Checked<()> {
        match solid {
            SolidCase::Box { size } => self.positive("size", size),
            SolidCase::Sphere { radius } => self.positive("radius", &[*radius]),
            SolidCase::Capsule { radius, length } => {
                self.positive("radius", &[*radius])?;
                self.positive("length", &[*length])
            }
            SolidCase::Drum { radius, length, sides } => {
                self.positive("radius", &[*radius])?;
                self.positive("length", &[*length])?;
                let enough = (3..=MOST_SIDES).contains(sides);
                let wanted = "a whole number from 3 to 1024";
                self.check.number(&self.key("sides"), *sides as f64, enough, wanted).map(drop)
            }
            SolidCase::Polyhedron { vertices } => self.corners("vertices", vertices),
            SolidCase::File { scale, .. } => self.positive("scale", &[*scale]),
            SolidCase::Compound { pieces, spheres } if pieces.is_empty() && spheres.is_empty() => {
                Err(self.check.error(&self.key("pieces"), "there is no piece; give one at least"))
            }
            SolidCase::Compound { pieces, spheres } => {
                pieces.iter().try_for_each(|piece| self.corners("pieces", piece))?;
                spheres.iter().try_for_each(|(center, radius)| {
                    self.finite("spheres", center)?;
                    self.positive("spheres", &[*radius])
                })
            }
        }
    }

    /// The corners of a convex solid.
    fn corners(&self, field: &str, corners: &[[f64; 3]]) -> Checked<()> {
        if corners.len() < 4 {
            let message =
                format!("{} corners enclose no volume; give at least four", corners.len());
            return Err(self.check.error(&self.key(field), message));
        }
        self.finite(field, corners.as_flattened())
    }

    /// A centre of mass that is not that of the volume says nothing of the mass and the moments.
    fn center(&self, body: &BodyCase) -> Checked<()> {
        let Some(center) = body.center else { return Ok(()) };
        let refuse = |message: &str| Err(self.check.error(&self.key("center"), message));
        if body.dimension() == 2 {
            return refuse("is of space; in the plane corners are seen from anywhere");
        }
        if body.inertia.is_none() {
            return refuse("goes with an inertia: three moments, along the axes of its shape");
        }
        if let WeightCase::Density(_) = body.weight {
            return refuse("goes with a mass: a body of one density has its own centre");
        }
        self.finite("center", &center)
    }

    /// Moments of inertia are > 0, and in space each is at most the sum of the other two.
    fn inertia(&self, body: &BodyCase) -> Checked<()> {
        let Some(moments) = body.inertia else {
            return match body.in_plane() {
                Some(plane) => self.positive("inertia", &[plane.inertia]),
                None => Ok(()),
            };
        };
        if body.dimension() == 2 {
            return self.positive("inertia", &moments[..1]);
        }
        self.positive("inertia", &moments)?;
        let sum: f64 = moments.iter().sum();
        let beyond = |&j: &f64| j > (sum - j) * (1.0 + BEYOND_A_PLATE);
        match moments.into_iter().find(beyond) {
            Some(moment) => {
                let message = format!(
                    "{moments:?} are the moments of no body: {moment:?} is more than the sum of the other two"
                );
                Err(self.check.error(&self.key("inertia"), message))
            }
            None => Ok(()),
        }
    }

    fn rotation(&self, rotation: &[f64; 4]) -> Checked<()> {
        let norm = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (norm - 1.0).abs() <= LOOSE_NORM {
            return Ok(());
        }
        let message = format!("{rotation:?} has the norm {norm}, not 1; divide it by that");
        Err(self.check.error(&self.key("rotation"), message))
    }

    fn role(&self, role: &RoleCase) -> Checked<()> {
        let RoleCase::Driven { velocity, spin, times, time } = role else { return Ok(()) };
        self.finite("drive.velocity", velocity)?;
        self.finite("drive.spin", spin)?;
        let own = TIMES.into_iter().zip(&**times).filter(|(_, own)| *own != time);
        let mut changing = own.chain([("drive.time", time)]).filter(|(_, own)| !own.is_constant());
        changing.try_for_each(|(field, own)| self.check.sound_time(&self.key(field), own))
    }

    fn time(&self, born: Option<f64>, removed: Option<f64>) -> Checked<()> {
        if let Some(born) = born {
            self.check.not_negative(&self.key("born"), born)?;
        }
        if let Some(removed) = removed {
            let later = format!("later than {:?}, when it enters", born.unwrap_or(0.0));
            let is_later = removed > born.unwrap_or(0.0);
            self.check.number(&self.key("removed"), removed, is_later, &later)?;
        }
        Ok(())
    }
}

/// Corners of the ends of a drum at most.
const MOST_SIDES: usize = 1024;
