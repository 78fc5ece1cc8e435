//! The joints of a system.

use super::{Companions, Thing};
use crate::case::{EndCase, JointCase, JointKindCase};
use crate::contact::obstacle::Frame;
use crate::contact::{Grip, Joint, JointKind};
use crate::error::Error;
use crate::vector::{distance, unit};

impl Companions<'_, '_, '_> {
    /// The joints.
    pub fn joints(&self) -> Result<Vec<Joint>, Error> {
        let joints = self.groups.case.system.joints.iter().map(|joint| self.joint(joint));
        let parts: Vec<Vec<Joint>> = joints.collect::<Result<_, _>>()?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// What it holds of points, and what of directions.
    fn joint(&self, joint: &JointCase) -> Result<Vec<Joint>, Error> {
        let place = format!("joint.{}", joint.name);
        let key = format!("{place}.between");
        let [mut first, mut second] = joint.between.each_ref();
        let mut kind = joint.kind.clone();
        if *first == EndCase::Ground {
            std::mem::swap(&mut first, &mut second);
            if let JointKindCase::Bar { from, to } = &mut kind {
                std::mem::swap(from, to);
            }
        }
        let grip = |end: &EndCase, at: Option<[f64; 3]>| self.grip(&key, end, at);
        let (kind, grips, turns) = match kind {
            JointKindCase::Pin { at } => {
                let own = grip(first, at)?;
                (JointKind::Pin, [own, grip(second, Some(own.point()))?], Turns::Free)
            }
            JointKindCase::Bar { from, to } => {
                if *second == EndCase::Ground && to.is_none() {
                    let message =
                        "nothing tells where it ends on the ground; give that point, from or to";
                    return Err(self.groups.case.error_at(&place, message));
                }
                let [a, b] = [grip(first, from)?, grip(second, to)?];
                let length = distance(a.point(), b.point());
                if length == 0.0 {
                    let message = "has no length; give two points that are apart, or use a pin";
                    return Err(self.groups.case.error_at(&place, message));
                }
                (JointKind::Bar { length }, [a, b], Turns::Free)
            }
            JointKindCase::Line { at, direction } => {
                let own = grip(first, at)?;
                let normals = self.across(self.unit(&place, "direction", direction)?);
                let grips = [own, grip(second, Some(own.point()))?];
                (JointKind::Line { normals }, grips, Turns::Free)
            }
            JointKindCase::Hinge { at, axis } => {
                if self.groups.mesh.dimension != 3 {
                    let message = "in the plane points together are a hinge; use kind = \"pin\"";
                    return Err(self.groups.case.error_at(&format!("{place}.kind"), message));
                }
                let own = grip(first, at)?;
                let axis = self.unit(&place, "axis", axis)?;
                (JointKind::Pin, [own, grip(second, Some(own.point()))?], Turns::About(axis))
            }
            JointKindCase::Slider { at, axis } => {
                let own = grip(first, at)?;
                let across = self.across(self.unit(&place, "axis", axis)?);
                let grips = [own, grip(second, Some(own.point()))?];
                let normals = across.map(|n| grips[1].own_direction(n));
                (JointKind::Rail { normals }, grips, Turns::Held)
            }
            JointKindCase::Weld { at } => {
                let own = grip(first, at)?;
                (JointKind::Pin, [own, grip(second, Some(own.point()))?], Turns::Held)
            }
        };
        let points = Joint { name: joint.name.clone(), kind, grips };
        let size = match turns {
            Turns::Free => return Ok(vec![points]),
            Turns::About(_) | Turns::Held => self.size_of(&key, [first, second])?,
        };
        let kind = match (turns, self.groups.mesh.dimension) {
            (Turns::About(axis), _) => about(axis, grips, size),
            (_, 3) => held(grips, size),
            _ => JointKind::Angle { size },
        };
        Ok(vec![points, Joint { name: joint.name.clone(), kind, grips }])
    }

    fn unit(&self, place: &str, field: &str, direction: [f64; 3]) -> Result<[f64; 3], Error> {
        unit(direction).ok_or_else(|| {
            let what = if field == "axis" { "of the joint" } else { "of the line" };
            let message = format!("has no length; give the {field} {what}");
            self.groups.case.error_at(&format!("{place}.{field}"), message)
        })
    }

    /// Unit vectors across one.
    fn across(&self, along: [f64; 3]) -> [[f64; 3]; 2] {
        match self.groups.mesh.dimension {
            3 => across(along),
            _ => [[along[1], -along[0], 0.0], [0.0; 3]],
        }
    }

    /// The largest extent of two ends that hold directions: each a body or the ground.
    fn size_of(&self, key: &str, ends: [&EndCase; 2]) -> Result<f64, Error> {
        let mut size = 0.0;
        for end in ends {
            let EndCase::Named(name) = end else { continue };
            let Some(Thing::Body(index)) = self.thing(name) else {
                let message = format!(
                    "'{name}' is a point, which does not turn: give a body, or use a pin, a bar or a line"
                );
                return Err(self.groups.case.error_at(key, message));
            };
            size = f64::max(size, self.reach(index));
        }
        Ok(size)
    }
}

/// What a joint holds of how two bodies turn.
#[derive(Clone, Copy)]
enum Turns {
    /// Nothing.
    Free,
    /// All but a turn about an axis.
    About([f64; 3]),
    /// All.
    Held,
}

/// The axis of one body stays normal to two directions of the other.
fn about(axis: [f64; 3], [first, second]: [Grip; 2], size: f64) -> JointKind {
    let pair = |other| [first.own_direction(axis), second.own_direction(other)];
    let [t, s] = across(axis);
    JointKind::Normal { pairs: [pair(t), pair(s), [[0.0; 3]; 2]], count: 2, size }
}

/// Each axis of one body stays normal to the next one of the other.
fn held([first, second]: [Grip; 2], size: f64) -> JointKind {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let pair = |k: usize| [first.own_direction(axes[k]), second.own_direction(axes[(k + 1) % 3])];
    JointKind::Normal { pairs: [0, 1, 2].map(pair), count: 3, size }
}

/// Two unit vectors across a unit vector.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let frame = Frame::in_space(n);
    [frame.axes[1], frame.axes[2]]
}
