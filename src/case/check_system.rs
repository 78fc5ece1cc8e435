//! What masses, bodies, what connects them, and obstacles keep.

use super::validate::{Checked, Checker};
use super::{BodyShapeCase, Case, ContactCase, PairCase, ShapeCase, SystemCase};
use crate::contact::obstacle;
use crate::step::Scheme;

impl Checker<'_> {
    pub(super) fn sound_system(&self, system: &SystemCase) -> Checked<()> {
        if !(1..=3).contains(&system.dimension) {
            let message = format!("{} is no dimension of space; give 1, 2 or 3", system.dimension);
            return Err(self.error("mesh.dimension", message));
        }
        for mass in &system.masses {
            let key = |field: &str| format!("mass.{}.{field}", mass.name);
            self.positive(&key("mass"), mass.mass)?;
            self.finite_all(&key("position"), &mass.position)?;
            self.finite_all(&key("displacement"), &mass.displacement)?;
            self.finite_all(&key("velocity"), &mass.velocity)?;
            self.not_negative(&key("radius"), mass.radius)?;
        }
        system.bodies.iter().try_for_each(|body| self.sound_body(body))?;
        for spring in &system.springs {
            let key = |field: &str| format!("spring.{}.{field}", spring.name);
            self.not_negative(&key("stiffness"), spring.stiffness)?;
            self.not_negative(&key("damping"), spring.damping)?;
            if spring.stiffness == 0.0 && spring.damping == 0.0 {
                let message = "neither stiffness nor damping is given; add one, or leave it out";
                return Err(self.error(&format!("spring.{}", spring.name), message));
            }
            self.finite_all(&key("axis"), &spring.axis.unwrap_or_default())?;
        }
        for slider in &system.sliders {
            let key = |field: &str| format!("slider.{}.{field}", slider.name);
            self.finite_all(&key("axis"), &slider.axis.unwrap_or_default())?;
            self.positive(&key("force"), slider.force)?;
        }
        for joint in &system.joints {
            for (field, vector) in joint.kind.vectors() {
                self.finite_all(&format!("joint.{}.{field}", joint.name), &vector)?;
            }
        }
        Ok(())
    }

    /// Rotations in space are no sums, and bodies that meet need their levers in the middle of a step: one scheme has
    /// both.
    pub(super) fn sound_turns(&self, case: &Case) -> Checked<()> {
        let is_solid = |body: &&super::BodyCase| matches!(body.shape, BodyShapeCase::Space(_));
        let solid = case.system.bodies.iter().find(is_solid);
        let meets = |pair: &PairCase| matches!(pair, PairCase::Bodies(_) | PairCase::Points { .. });
        let is_pair = |contact: &&ContactCase| meets(&contact.pair);
        let pair = case.contacts.iter().find(is_pair);
        let comes = case.system.bodies.iter().find(|body| body.born.or(body.removed).is_some());
        let what = match (solid, pair, comes) {
            (Some(body), ..) => format!("turn 'body.{}' in space", body.table),
            (_, Some(contact), _) => format!("let bodies meet, as 'contact.{}' says", contact.name),
            (_, _, Some(body)) => format!("let 'body.{}' come and go", body.table),
            (None, None, None) => return Ok(()),
        };
        let parameters = case.scheme.parameters;
        if !matches!(parameters, Scheme::MoreauJean { .. }) {
            let message = format!(
                "\"{}\" does not {what}: its steps add displacements and know no levers of their middle; set kind = \"moreau-jean\"",
                parameters.name()
            );
            return Err(self.error("scheme.kind", message));
        }
        if parameters.corrects_positions() {
            let message = format!(
                "does not {what}: what it adds to displacements turns nothing, and it closes gaps to obstacles alone; leave it out"
            );
            return Err(self.error("scheme.position_correction", message));
        }
        Ok(())
    }

    /// The obstacle of a contact; what else its shape asks is checked where it is made.
    pub(super) fn sound_pair(&self, contact: &ContactCase) -> Checked<()> {
        let PairCase::Obstacle { obstacle, .. } = &contact.pair else { return Ok(()) };
        let place = format!("contact.{}.obstacle", contact.name);
        let key = |field: &str| format!("{place}.{field}");
        if let ShapeCase::Known(shape) = &obstacle.shape {
            self.sound_shape(&place, shape)?;
        }
        if let Some(translation) = &obstacle.motion.translation {
            self.finite_all(&key("displacement"), &translation.direction)?;
            self.sound_motion(&place, "displacement", &translation.motion)?;
        }
        if let Some(rotation) = &obstacle.motion.rotation {
            self.sound_motion(&key("rotation"), "angle", &rotation.motion)?;
            self.finite_all(&key("rotation.center"), &rotation.center)?;
        }
        Ok(())
    }

    fn sound_shape(&self, place: &str, shape: &obstacle::Shape) -> Checked<()> {
        let key = |field: &str| format!("{place}.{field}");
        let point = match shape {
            obstacle::Shape::HalfPlane(shape) => shape.point,
            obstacle::Shape::Sphere(shape) => {
                self.positive(&key("radius"), shape.radius)?;
                shape.center
            }
            obstacle::Shape::Cylinder(shape) => {
                self.positive(&key("radius"), shape.radius)?;
                if let Some(length) = shape.length {
                    self.positive(&key("length"), length)?;
                }
                shape.point
            }
            obstacle::Shape::Cuboid(shape) => {
                // In the plane it has no end across it.
                let ends = shape.half.iter().enumerate().filter(|(i, x)| *i < 2 || x.is_finite());
                for (_, half) in ends {
                    self.positive(&key("size"), 2.0 * half)?;
                }
                shape.center
            }
            obstacle::Shape::Surface(_) | obstacle::Shape::Custom(_) => return Ok(()),
        };
        self.finite_all(&key("point"), &point)
    }
}
