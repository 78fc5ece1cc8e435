//! What moves a body: forces, or a prescribed motion.

use super::RoleCase;
use super::raw::DriveTable;
use super::read::BodyReader;
use crate::case::validate::Checked;
use crate::time::TimeFunction;

/// The keys of what multiplies the velocity along each axis.
pub(super) const TIMES: [&str; 3] = ["drive.time_x", "drive.time_y", "drive.time_z"];

impl BodyReader<'_> {
    pub(super) fn role(&self) -> Checked<RoleCase> {
        match (self.is_fixed(), &self.table.drive) {
            (false, None) => Ok(RoleCase::Free),
            (true, None) => Ok(RoleCase::still()),
            (true, Some(_)) => {
                Err(self.error("drive", "a fixed body does not move; leave one of both out"))
            }
            (false, Some(drive)) => self.driven(drive),
        }
    }

    fn driven(&self, drive: &DriveTable) -> Checked<RoleCase> {
        if drive.velocity.is_none() && drive.spin.is_none() {
            let message = "moves nothing; give a velocity, a spin, or both, or fixed = true";
            return Err(self.error("drive", message));
        }
        let velocity = drive.velocity.as_ref().map(|v| self.vector("drive.velocity", v));
        let spin = drive.spin.as_ref().map(|spin| self.spin("drive.spin", spin));
        let time = self.check.time(&self.key("drive.time"), drive.time.as_ref())?;
        Ok(RoleCase::Driven {
            velocity: velocity.transpose()?.unwrap_or_default(),
            spin: spin.transpose()?.unwrap_or_default(),
            times: Box::new(self.times_along(drive, &time)?),
            time,
        })
    }

    /// What multiplies the velocity along each axis.
    fn times_along(&self, drive: &DriveTable, all: &TimeFunction) -> Checked<[TimeFunction; 3]> {
        let mut times = [all.clone(), all.clone(), all.clone()];
        let own = [&drive.time_x, &drive.time_y, &drive.time_z].into_iter().enumerate();
        for (axis, own) in own.filter_map(|(axis, own)| Some((axis, own.as_ref()?))) {
            let field = TIMES[axis];
            if axis >= self.dimension {
                return Err(self.error(field, "is of space; in the plane leave it out"));
            }
            if drive.velocity.is_none() {
                return Err(self.error(field, "multiplies a velocity, and there is none; add it"));
            }
            times[axis] = self.check.time(&self.key(field), Some(own))?;
        }
        Ok(times)
    }

    /// Velocity and spin where it begins.
    pub(super) fn start(&self, role: &RoleCase) -> Checked<([f64; 3], [f64; 3])> {
        let table = self.table;
        let RoleCase::Driven { velocity, spin, times, time } = role else {
            let velocity = table.velocity.as_ref().map(|v| self.vector("velocity", v));
            let spin = table.spin.as_ref().map(|spin| self.spin("spin", spin));
            return Ok((
                velocity.transpose()?.unwrap_or_default(),
                spin.transpose()?.unwrap_or_default(),
            ));
        };
        let given = [("velocity", table.velocity.is_some()), ("spin", table.spin.is_some())];
        if let Some((field, _)) = given.into_iter().find(|(_, given)| *given) {
            let message = match self.is_fixed() {
                true => "a fixed body has none; leave it out",
                false => "its drive says how it moves; leave it out",
            };
            return Err(self.error(field, message));
        }
        let now = |time: &TimeFunction| time.value(table.born.unwrap_or(0.0));
        let velocity = [0, 1, 2].map(|i| now(&times[i]) * velocity[i]);
        Ok((velocity, spin.map(|w| now(time) * w)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::bodies::tests::{bodies, complaint};

    const BASE: &str =
        "[body.base]\nshape = 'box'\nsize = [1, 1, 1]\nmass = 1.0\nposition = [0, 0, 0]\n";

    /// Two sines a quarter of a period apart are an ellipse.
    #[test]
    fn a_drive_may_have_a_time_along_each_axis() {
        let text = format!(
            "{BASE}born = 0.25\n[body.base.drive]\nvelocity = [2.0, 3.0, 4.0]\nspin = [0, 0, 5.0]\n\
             time_x = {{ function = 'sine', period = 1.0 }}\n\
             time_z = {{ function = 'sine', period = 1.0, phase = 1.5707963267948966 }}\n"
        );
        let base = bodies(&text).remove(0);
        let RoleCase::Driven { times, time, .. } = &base.role else { panic!("driven") };
        assert!(time.is_constant() && times[1].is_constant());
        let expected = [2.0, 3.0, 0.0];
        for (found, exact) in base.velocity.iter().zip(expected) {
            assert!((found - exact).abs() < 1e-15, "{:?}", base.velocity);
        }
        assert_eq!(base.spin, [0.0, 0.0, 5.0]);
    }

    #[test]
    fn a_time_along_an_axis_without_a_velocity_or_of_another_space_is_refused() {
        let sine = "{ function = 'sine', period = 1.0 }";
        let said = complaint(&format!("{BASE}drive = {{ spin = [0, 0, 1], time_x = {sine} }}"));
        assert!(said.contains("drive.time_x: multiplies a velocity, and there is none"), "{said}");
        let flat = BASE.replace("[1, 1, 1]", "[1, 1]").replace("[0, 0, 0]", "[0, 0]");
        let said = complaint(&format!("{flat}drive = {{ velocity = [1, 0], time_z = {sine} }}"));
        assert!(said.contains("drive.time_z: is of space"), "{said}");
        let bad = "{ function = 'sine', period = -1.0 }";
        let said = complaint(&format!("{BASE}drive = {{ velocity = [1, 0, 0], time_y = {bad} }}"));
        assert!(said.contains("body.base.drive.time_y.period: -1"), "{said}");
    }
}
