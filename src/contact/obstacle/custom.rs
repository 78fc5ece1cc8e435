//! Shapes that a program gives.

use std::fmt::Debug;

use super::picture::{Picture, Room};
use super::shape::Nearest;

/// A rigid shape of a program's own, in its own coordinates: an obstacle moves it as any other.
///
/// Contact is certified whatever it says, for gap, frame and work are of one H. What it says should be true all the same:
/// a gap that is no distance lets bodies in or keeps them off.
pub trait CustomShape: Debug + Send + Sync {
    /// Gap and normal of a point: the signed distance, positive outside, and its gradient, a unit vector. In a plane
    /// problem points have z = 0, and the normal must have no z.
    fn nearest(&self, x: [f64; 3]) -> Nearest;

    /// Whether the normal differs from point to point.
    fn is_curved(&self) -> bool {
        true
    }

    /// What of it is drawn, of what lies in a room.
    fn picture(&self, _room: &Room) -> Picture {
        Picture::default()
    }
}
