//! How far a run departs from what its model holds for: bodies in obstacles, large rotations and strains, what passed
//! through.

use serde::{Deserialize, Serialize};

/// Of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Departure {
    /// How deep the deepest candidate was when the step looked.
    pub penetration: f64,
    /// Largest rotation of an element, in radians, when it was last looked at.
    pub rotation: f64,
    /// And largest strain.
    pub strain: f64,
}

/// Of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Departures {
    /// The deepest penetration; none where nothing was ever in an obstacle.
    pub penetration: Option<Penetration>,
    /// The largest rotation and strain of an element of each body that has elements.
    pub bodies: Vec<BodyDistortion>,
    /// Contact sets through whose obstacle a candidate has passed.
    pub crossings: Vec<Crossing>,
}

/// How deep, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Penetration {
    /// How deep.
    pub depth: f64,
    /// After which step.
    pub step: usize,
    /// And at which time.
    pub time: f64,
    /// The contact set.
    pub contact: String,
    /// What was in there: a node, a mass, a body.
    pub point: String,
    /// Where it was.
    pub place: [f64; 3],
}

/// The most that elements of a body turned and strained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyDistortion {
    /// The body.
    pub body: String,
    /// Largest rotation of an element, in radians.
    pub rotation: f64,
    /// When.
    pub rotation_time: f64,
    /// Largest strain of an element.
    pub strain: f64,
    /// When.
    pub strain_time: f64,
}

/// Candidates that were on one side of an obstacle and then on the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The contact set.
    pub contact: String,
    /// How often.
    pub count: u64,
    /// The first of them.
    pub point: String,
    /// The step in which it passed.
    pub step: usize,
    /// And its time.
    pub time: f64,
}
