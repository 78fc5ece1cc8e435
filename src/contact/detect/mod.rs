//! Detection: which rigid bodies meet, and where. Stateless: the same poses give the same bits.

mod axis;
mod broad;
mod capsule;
mod clip;
mod convex;
mod facets;
mod feature;
mod hull;
mod lattice;
mod meet;
mod plane;
mod point;
mod polyhedra;
mod rod;
mod round;
#[cfg(test)]
mod samples;

pub use broad::{BroadPhase, PieceBox};
pub use convex::{Convex, Edge, FlatFace, Placement, Polygon, Polyhedron};
pub use feature::MOST_FEATURES;
pub use hull::HullError;
pub use meet::{DetectScratch, meet};
pub use point::{SurfacePoint, height_over};

use crate::vector::times;

/// Whose motion carries the place of a meeting along within a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// It is a material point of the first body.
    #[default]
    First,
    /// It is a material point of the second body.
    Second,
    /// It keeps its way to the centre of the first body, which is round there.
    CenterOfFirst,
    /// It keeps its way to the centre of the second body.
    CenterOfSecond,
}

impl Carrier {
    fn mirrored(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::CenterOfFirst => Self::CenterOfSecond,
            Self::CenterOfSecond => Self::CenterOfFirst,
        }
    }
}

/// A point where two convex bodies meet, or are about to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meeting {
    /// Signed distance along the normal: positive apart, negative when penetrating.
    pub gap: f64,
    /// Unit normal, from the second body towards the first.
    pub normal: [f64; 3],
    /// Midway between the two surfaces.
    pub place: [f64; 3],
    /// Which features meet: the same from step to step while they do.
    pub feature: u32,
    /// What carries the place along.
    pub carrier: Carrier,
}

impl Meeting {
    /// The same meeting, with the bodies called the other way round.
    fn mirrored(self) -> Self {
        Self {
            normal: times(-1.0, self.normal),
            feature: feature::mirrored(self.feature),
            carrier: self.carrier.mirrored(),
            ..self
        }
    }
}
