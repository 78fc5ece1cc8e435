//! Contact sets of a case.

use super::{ObstacleCase, WordCase};
use crate::contact::{Friction, Restitution};

/// Who may touch what.
#[derive(Clone, Debug)]
pub enum PairCase {
    /// Nodes of a group, or a mass or body, and an obstacle.
    Obstacle {
        /// The group, mass or body.
        group: String,
        /// The obstacle.
        obstacle: Box<ObstacleCase>,
    },
    /// Two disks or balls.
    Balls([String; 2]),
    /// Nodes of a group, or a mass, and bodies whose motion is not known.
    Points {
        /// The group of the mesh, or the mass.
        points: String,
        /// The bodies.
        bodies: WordCase,
    },
    /// Bodies of two sets, or all pairs of one where both are the same; which set rules a pair tells
    /// [`Case::body_laws`](super::Case::body_laws).
    Bodies([WordCase; 2]),
}

/// A contact set.
#[derive(Clone, Debug)]
pub struct ContactCase {
    /// Name in the case.
    pub name: String,
    /// Who may touch what.
    pub pair: PairCase,
    /// Coulomb's coefficient.
    pub friction: Friction,
    /// The law's two numbers.
    pub restitution: Restitution,
}
