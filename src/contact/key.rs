//! Who touches whom, and with what.

use crate::tape::Tape;

/// A contact of two rigid bodies has the same key from step to step while the same features meet; warm starts, the
/// account and checkpoints go by it. A [`Candidate`](super::Candidate), which is there for the whole run, is known by
/// its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// The two bodies, as [`Solids::bodies`](super::Solids::bodies) has them, the smaller number first.
    pub bodies: [u32; 2],
    /// Which convex piece of each.
    pub pieces: [u16; 2],
    /// Which features of the pieces, see [`Meeting::feature`](super::detect::Meeting::feature).
    pub feature: u32,
}

impl ContactKey {
    /// Passes over it.
    pub fn remember(&mut self, tape: &mut Tape) {
        let Self { bodies: [a, b], pieces: [of_a, of_b], feature } = self;
        for number in [a, b, feature] {
            let mut wide = u64::from(*number);
            tape.count(&mut wide);
            *number = wide as u32;
        }
        for number in [of_a, of_b] {
            let mut wide = u64::from(*number);
            tape.count(&mut wide);
            *number = wide as u16;
        }
    }
}
