//! Rigid bodies among the companions: their points, what may touch what, and when they come and go.

use super::{Companions, Thing, turned};
use crate::assembly::Driven;
use crate::case::{BodyCase, EndCase, PairCase, RoleCase};
use crate::contact::detect::Convex;
use crate::contact::obstacle::{Obstacle, Shape};
use crate::contact::{ContactBody, Grip, Solids};
use crate::error::Error;
use crate::model::solids::{is_driven, pieces, presence};
use crate::rigid::BodyShape;
use crate::step::Presence;
use crate::time::Motion;
use crate::vector::rotation::{conjugate, matrix, of_vector};
use crate::vector::{dot, minus};

impl Companions<'_, '_, '_> {
    /// The centre of a body.
    pub(super) fn center(&self, index: usize) -> Grip {
        match &self.solids[index] {
            Some(_) => self.grip_of_solid(index, [0.0; 3]),
            None => self.grip_of_body(index, [0.0; 2], 0.0),
        }
    }

    /// A point of a body of the plane, `arm` away from its centre at angle 0.
    pub(super) fn grip_of_body(&self, index: usize, arm: [f64; 2], angle: f64) -> Grip {
        let (node, turn) = (self.numbering.body(index), self.numbering.turn(index));
        let center = self.groups.case.system.bodies[index].position;
        Grip::Body { node, turn, center, arm: turned(angle, arm) }
    }

    /// A point of a body in space, `arm` away from its centre along its principal axes.
    pub(super) fn grip_of_solid(&self, index: usize, arm: [f64; 3]) -> Grip {
        let (node, turn) = (self.numbering.body(index), self.numbering.turn(index));
        let center = self.groups.case.system.bodies[index].position;
        let rest = self.solids[index].as_ref().map_or([0.0; 3], |solid| solid.rest);
        Grip::Solid { node, turn, center, arm, rest }
    }

    /// The point of a body that is at `at` where it begins.
    pub(super) fn grip_at(&self, index: usize, at: [f64; 3]) -> Grip {
        let from = minus(at, self.groups.case.system.bodies[index].position);
        match &self.solids[index] {
            Some(solid) => {
                let back = matrix(conjugate(of_vector(solid.rest)));
                self.grip_of_solid(index, back.map(|row| dot(row, from)))
            }
            // It is known at rest.
            None => self.grip_of_body(index, [from[0], from[1]], 0.0),
        }
    }

    /// An angular velocity of space in the principal axes of a body in space, where it begins.
    pub fn own_spin(&self, index: usize, spin: [f64; 3]) -> Option<[f64; 3]> {
        let solid = self.solids[index].as_ref()?;
        Some(matrix(conjugate(of_vector(solid.rest))).map(|row| dot(row, spin)))
    }

    /// The points that may touch an obstacle, of a mass, of a body, or of all bodies of a table or material, and the
    /// distance that each keeps.
    pub fn points_of(&self, name: &str) -> Option<Vec<(Grip, f64)>> {
        if let Some((grips, radius)) = self.candidates(name) {
            return Some(grips.into_iter().map(|grip| (grip, radius)).collect());
        }
        let meant: Vec<usize> = self.meant(name).map(|(index, _)| index).collect();
        (!meant.is_empty()).then(|| meant.iter().flat_map(|&index| self.corners(index)).collect())
    }

    /// The bodies that a group of the case means.
    fn meant(&self, name: &str) -> impl Iterator<Item = (usize, &BodyCase)> {
        let bodies = self.groups.case.system.bodies.iter().enumerate();
        bodies.filter(move |(_, body)| {
            [&body.name, &body.table, &body.material].into_iter().any(|own| own == name)
        })
    }

    /// Corners are all that a convex body can touch a half-space with, or the inside of a sphere, cylinder or box. What
    /// bulges may meet its faces and edges between them, which a contact of two bodies finds. Of a surface in a file,
    /// whose like as a body there may not be, it is told.
    pub fn refuse_missed_faces(
        &self,
        contact: &str,
        group: &str,
        obstacle: &Obstacle,
    ) -> Result<Option<String>, Error> {
        let Some((_, body)) = self.meant(group).find(|(index, _)| self.has_faces(*index)) else {
            return Ok(None);
        };
        let plane = self.groups.mesh.dimension == 2;
        let (what, shape) = match obstacle.shape() {
            Shape::Sphere(own) if !own.inside && plane => ("disk", "\"disk\""),
            Shape::Sphere(own) if !own.inside => ("sphere", "\"sphere\""),
            Shape::Cylinder(own) if !own.inside && plane => ("disk", "\"disk\""),
            Shape::Cylinder(own) if !own.inside => ("cylinder", "\"drum\" with many sides"),
            Shape::Cuboid(own) if !own.inside => ("box", "\"box\""),
            Shape::Surface(_) => {
                return Ok(Some(format!(
                    "contact '{contact}' sees the corners of '{}' and the ends of what is round: an edge or a peak of the surface between them passes through; a convex part of it can be a fixed body, shape = \"file\"",
                    body.name
                )));
            }
            Shape::HalfPlane(_)
            | Shape::Sphere(_)
            | Shape::Cylinder(_)
            | Shape::Cuboid(_)
            | Shape::Custom(_) => return Ok(None),
        };
        let message = format!(
            "a {what} can meet '{}' between its corners, which are all that obstacles see of a body; make the {what} a body that does not move, shape = {shape}, fixed = true (or with a drive), and give between = [...] with it",
            body.name
        );
        Err(self.groups.case.error_at(&format!("contact.{contact}.obstacle"), message))
    }

    /// Whether a body has edges or faces: it is no ball or disk.
    fn has_faces(&self, index: usize) -> bool {
        match (&self.solids[index], self.groups.case.system.bodies[index].in_plane()) {
            (Some(solid), _) => {
                solid.shape.pieces.iter().any(|piece| !matches!(piece, Convex::Ball { .. }))
            }
            (None, Some(plane)) => !matches!(plane.shape, BodyShape::Disk { .. }),
            (None, None) => false,
        }
    }

    /// The corners of a body, or the centres of what is round.
    fn corners(&self, index: usize) -> Vec<(Grip, f64)> {
        let Some(solid) = &self.solids[index] else {
            let name = &self.groups.case.system.bodies[index].name;
            let (grips, radius) = self.candidates(name).unwrap_or_default();
            return grips.into_iter().map(|grip| (grip, radius)).collect();
        };
        let corners = |piece: &Convex| match piece {
            Convex::Ball { center, radius } => vec![(*center, *radius)],
            Convex::Capsule { ends, radius } => ends.map(|end| (end, *radius)).to_vec(),
            Convex::Polyhedron(shape) => shape.vertices.iter().map(|x| (*x, 0.0)).collect(),
            Convex::Polygon(shape) => shape.vertices.iter().map(|x| (*x, 0.0)).collect(),
        };
        let corners = solid.shape.pieces.iter().flat_map(corners);
        corners.map(|(arm, radius)| (self.grip_of_solid(index, arm), radius)).collect()
    }

    /// The bodies whose turn within a step counts: those in space, and those of the plane where any may touch another.
    pub fn solids(&self, h: f64) -> Result<Solids, Error> {
        let (case, d) = (self.groups.case, self.groups.mesh.dimension);
        let meet = case.contacts.iter().any(|c| matches!(c.pair, PairCase::Bodies(_)));
        let met = |body: &BodyCase| {
            case.contacts.iter().any(|contact| match &contact.pair {
                PairCase::Points { bodies, .. } => bodies.means(body),
                PairCase::Obstacle { .. } | PairCase::Balls(_) | PairCase::Bodies(_) => false,
            })
        };
        if d != 3 && !meet && !case.system.bodies.iter().any(met) {
            return Ok(Solids::default());
        }
        let laws = case.body_laws()?;
        let bodies = case.system.bodies.iter().enumerate().map(|(index, body)| {
            let (own, reach) = match (meet && laws.may_meet(index)) || met(body) {
                true => pieces(self.groups, body, self.solids[index].as_ref())?,
                false => self.without_pieces(index),
            };
            Ok(ContactBody {
                center: self.center(index),
                angle: body.angle,
                pieces: own,
                reach,
                class: laws.class_of(index) as u32,
                driven: is_driven(body),
                present: presence(body, h),
            })
        });
        let bodies = bodies.collect::<Result<Vec<_>, Error>>()?;
        let classes = laws.classes();
        let pairs = (0..classes).flat_map(|a| (0..classes).map(move |b| (a, b)));
        let laws = pairs.map(|(a, b)| laws.law_of_classes(a, b).map(|set| set as u32)).collect();
        Ok(Solids { bodies, classes, laws, joined: self.joined() })
    }

    /// Of a body that nothing meets: only its size counts.
    fn without_pieces(&self, index: usize) -> (std::sync::Arc<[Convex]>, f64) {
        (std::sync::Arc::new([]), self.reach(index))
    }

    /// The farthest that a point of a body is from its centre.
    pub(super) fn reach(&self, index: usize) -> f64 {
        let of_plane = || self.groups.case.system.bodies[index].in_plane().map(|b| b.shape.reach());
        let reach = self.solids[index].as_ref().map(|solid| solid.shape.reach).or_else(of_plane);
        reach.unwrap_or(1.0)
    }

    /// Pairs of bodies that a joint connects.
    fn joined(&self) -> Vec<[u32; 2]> {
        let index_of = |end: &EndCase| match end {
            EndCase::Named(name) => match self.thing(name) {
                Some(Thing::Body(index)) => Some(index as u32),
                _ => None,
            },
            EndCase::Ground => None,
        };
        let joints = self.groups.case.system.joints.iter();
        let pair = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let mut joined: Vec<[u32; 2]> = joints
            .filter_map(|joint| {
                Some(pair([index_of(&joint.between[0])?, index_of(&joint.between[1])?]))
            })
            .collect();
        joined.sort_unstable();
        joined.dedup();
        joined
    }

    /// The dofs of bodies whose motion is prescribed, behind the motions that there are.
    pub fn drive(&self, motions: &mut Vec<Motion>, driven: &mut Vec<Driven>) -> Result<(), Error> {
        let d = self.groups.mesh.dimension;
        for (index, body) in self.groups.case.system.bodies.iter().enumerate() {
            let RoleCase::Driven { velocity, spin, time } = &body.role else { continue };
            let center = self.center(index);
            let node = d * self.numbering.body(index) as usize;
            let spin = self.own_spin(index, *spin).map_or(vec![spin[2]], Vec::from);
            let dofs = (node..node + d).zip(velocity.iter().copied());
            for (dof, value) in dofs.chain(center.turn_dofs().zip(spin)) {
                if driven.iter().any(|other| other.dof as usize == dof) {
                    let message = "is driven by a boundary too; leave one of them out";
                    let key = format!("body.{}", body.table);
                    return Err(self.groups.case.error_at(&key, message));
                }
                driven.push(Driven { dof: dof as u32, motion: motions.len() });
                motions.push(Motion::Velocity { value, time: time.clone() });
            }
        }
        driven.sort_by_key(|driven| driven.dof);
        Ok(())
    }

    /// The bodies that come or go.
    pub fn presences(&self, h: f64) -> Vec<Presence> {
        let bodies = self.groups.case.system.bodies.iter().enumerate();
        let comes_or_goes = |(_, body): &(usize, &BodyCase)| body.born.or(body.removed).is_some();
        let presence = |(index, body): (usize, &BodyCase)| {
            let spin = match &self.solids[index] {
                Some(solid) => solid.spin.to_vec(),
                None => vec![body.spin[2]],
            };
            let d = self.groups.mesh.dimension;
            Presence {
                center: self.center(index),
                steps: presence(body, h),
                velocity: body.velocity[..d].iter().copied().chain(spin).collect(),
            }
        };
        bodies.filter(comes_or_goes).map(presence).collect()
    }
}
