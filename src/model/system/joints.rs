//! The joints of a system.

use super::Companions;
use crate::case::{EndCase, JointCase, JointKindCase};
use crate::contact::obstacle::Frame;
use crate::contact::{Joint, JointKind};
use crate::error::Error;
use crate::vector::{distance, unit};

impl Companions<'_, '_, '_> {
    /// The joints.
    pub fn joints(&self) -> Result<Vec<Joint>, Error> {
        self.groups.case.system.joints.iter().map(|joint| self.joint(joint)).collect()
    }

    fn joint(&self, joint: &JointCase) -> Result<Joint, Error> {
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
        let (kind, grips) = match kind {
            JointKindCase::Pin { at } => {
                let own = grip(first, at)?;
                (JointKind::Pin, [own, grip(second, Some(own.point()))?])
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
                (JointKind::Bar { length }, [a, b])
            }
            JointKindCase::Line { at, direction } => {
                let own = grip(first, at)?;
                let along = unit(direction).ok_or_else(|| {
                    let message = "has no length; give the direction of the line";
                    self.groups.case.error_at(&format!("{place}.direction"), message)
                })?;
                let normals = match self.groups.mesh.dimension {
                    3 => across(along),
                    _ => [[along[1], -along[0], 0.0], [0.0; 3]],
                };
                (JointKind::Line { normals }, [own, grip(second, Some(own.point()))?])
            }
        };
        Ok(Joint { name: joint.name.clone(), kind, grips })
    }
}

/// Two unit vectors across a unit vector.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let frame = Frame::in_space(n);
    [frame.axes[1], frame.axes[2]]
}
