//! What a case says of the body: materials, driven dofs, loads, initial values.

use super::file::*;
use super::validate::{Checked, Checker};
use super::*;
use crate::material::Section;

impl Checker<'_> {
    pub(super) fn material(&self, name: &str, table: &MaterialTable) -> Checked<MaterialCase> {
        Ok(MaterialCase {
            name: name.into(),
            group: table.group.clone(),
            material: Material {
                young: table.young,
                poisson: table.poisson,
                density: table.density,
                section: self.section(name, table)?,
                damping_mass: table.damping_mass.unwrap_or(0.0),
                damping_stiffness: table.damping_stiffness.unwrap_or(0.0),
            },
        })
    }

    /// What a material fills: a plane of some thickness, bars of some area, or space.
    fn section(&self, name: &str, table: &MaterialTable) -> Checked<Section> {
        let key = |field: &str| format!("material.{name}.{field}");
        let superfluous = |field: &str, with: &str| {
            let message = format!("goes with {with} only; leave it out");
            Err(self.error(&key(field), message))
        };
        match (table.plane.as_deref(), table.area) {
            (Some(_), Some(_)) => superfluous("area", "bars, which have no plane"),
            (Some(plane), None) => {
                let thickness = table.thickness.unwrap_or(1.0);
                let planes = [
                    ("stress", Section::PlaneStress { thickness }),
                    ("strain", Section::PlaneStrain { thickness }),
                ];
                self.choice(&key("plane"), Some(plane), &planes)
            }
            (None, _) if table.thickness.is_some() => {
                let message =
                    "goes with plane = \"stress\" or \"strain\" only; add that, or leave it out";
                Err(self.error(&key("thickness"), message))
            }
            (None, Some(area)) => Ok(Section::Bar { area }),
            (None, None) => Ok(Section::Solid),
        }
    }

    pub(super) fn boundary(&self, name: &str, table: &BoundaryTable) -> Checked<BoundaryCase> {
        let key = |field: &str| format!("boundary.{name}.{field}");
        let time = self.time(&key("time"), table.time.as_ref())?;
        let motion = match (table.displacement, table.velocity) {
            (Some(value), None) => Motion::Displacement { value, time },
            (None, Some(value)) => Motion::Velocity { value, time },
            (Some(_), Some(_)) | (None, None) => {
                let message = "give either a displacement or a velocity";
                return Err(self.error(&format!("boundary.{name}"), message));
            }
        };
        Ok(BoundaryCase {
            name: name.into(),
            group: table.group.clone(),
            component: self.component(&key("component"), &table.component)?,
            motion,
        })
    }

    pub(super) fn load(&self, name: &str, table: &LoadTable) -> Checked<LoadCase> {
        let key = |field: &str| format!("load.{name}.{field}");
        let time = self.time(&key("time"), table.time.as_ref())?;
        let group = || {
            let missing = || {
                self.error(
                    &format!("load.{name}"),
                    "there is no group to act on; add group = \"NAME\"",
                )
            };
            table.group.clone().ok_or_else(missing)
        };
        let kinds = (&table.gravity, &table.traction, table.pressure, &table.force);
        let kind = match kinds {
            (Some(acceleration), None, None, None) => {
                let acceleration = self.vector(&key("gravity"), acceleration)?;
                let potential = table.potential.unwrap_or(false);
                if table.group.is_some() {
                    let message = "gravity acts on the whole body; leave the group out";
                    return Err(self.error(&key("group"), message));
                }
                LoadKind::Gravity { acceleration, potential }
            }
            (None, Some(traction), None, None) => {
                let traction = self.vector(&key("traction"), traction)?;
                LoadKind::Traction { group: group()?, traction }
            }
            (None, None, Some(pressure), None) => LoadKind::Pressure { group: group()?, pressure },
            (None, None, None, Some(force)) => {
                LoadKind::Force { group: group()?, force: self.vector(&key("force"), force)? }
            }
            _ => {
                let message = "give exactly one of gravity, traction, pressure, force";
                return Err(self.error(&format!("load.{name}"), message));
            }
        };
        if table.potential.is_some() && table.gravity.is_none() {
            return Err(self.error(&key("potential"), "only gravity can be a potential"));
        }
        Ok(LoadCase { name: name.into(), kind, time })
    }

    pub(super) fn preload(&self, name: &str, table: &PreloadTable) -> Checked<PreloadCase> {
        let key = |field: &str| format!("initial.preload.{name}.{field}");
        let component = self.component(&key("component"), &table.component)?;
        Ok(PreloadCase {
            name: name.into(),
            group: table.group.clone(),
            component,
            displacement: table.displacement,
        })
    }

    pub(super) fn displacement(&self, name: &str, table: &FieldTable) -> Checked<FieldCase> {
        let value = self.vector(&format!("initial.displacement.{name}.value"), &table.value)?;
        let (group, spin, center) = (table.group.clone(), [0.0; 3], [0.0; 3]);
        Ok(FieldCase { name: name.into(), group, value, spin, center })
    }

    /// A velocity of translation, of rotation, or both. In the plane a spin is one number.
    pub(super) fn velocity(&self, name: &str, table: &VelocityTable) -> Checked<FieldCase> {
        let key = |field: &str| format!("initial.velocity.{name}.{field}");
        if table.value.is_none() && table.spin.is_none() {
            let message = "give a value, a spin, or both";
            return Err(self.error(&format!("initial.velocity.{name}"), message));
        }
        if table.spin.is_some() != table.center.is_some() {
            let message = "a spin turns about a center: give both or none";
            return Err(self.error(&format!("initial.velocity.{name}"), message));
        }
        let vector = |field: &str, given: &Option<Vector>| match given {
            Some(given) => self.vector(&key(field), given),
            None => Ok([0.0; 3]),
        };
        let spin = match table.spin.as_deref() {
            Some(spin) => self.spin(&key("spin"), spin)?,
            None => [0.0; 3],
        };
        Ok(FieldCase {
            name: name.into(),
            group: table.group.clone(),
            value: vector("value", &table.value)?,
            spin,
            center: vector("center", &table.center)?,
        })
    }

    /// An angular velocity: one number in the plane, three in space.
    fn spin(&self, key: &str, given: &[f64]) -> Checked<[f64; 3]> {
        let (dimension, spin) = match *given {
            [z] => (2, [0.0, 0.0, z]),
            [x, y, z] => (3, [x, y, z]),
            _ => {
                let message = format!(
                    "has {} numbers; give one, [z], in the plane and [x, y, z] in space",
                    given.len()
                );
                return Err(self.error(key, message));
            }
        };
        let remedies = ["leave it out, nothing turns there", "give [z]", "give [x, y, z]"];
        self.only_in(dimension, key, remedies);
        Ok(spin)
    }
}
