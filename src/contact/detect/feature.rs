//! One number for what meets.
//!
//! ```text
//!     bits 31–30   29–15              14–0
//!     00           corner of first    face of second
//!     01           corner of second   face of first
//!     10           edge of first      edge of second
//!     11           0                  0 or 1: an end of a capsule, 2: between them, 3: a ball
//! ```
//!
//! In the plane an edge, numbered by the corner before it, stands for a face, and `10` is a corner
//! on a corner. A ball meets anything in one place. It does not matter which face is clipped
//! against which, or which body comes first in time: the same features have the same number.

/// Corners, edges or faces that one piece may have: 15 bits.
pub const MOST_FEATURES: usize = 1 << 15;

/// The only place where a ball meets something.
pub(super) const BALL: u32 = 3 << 30 | 3;
/// Between the ends of a capsule.
pub(super) const BETWEEN: u32 = 3 << 30 | 2;

fn packed(kind: u32, high: usize, low: usize) -> u32 {
    debug_assert!(high < MOST_FEATURES && low < MOST_FEATURES, "a piece has too many features");
    kind << 30 | (high as u32) << 15 | low as u32
}

/// A corner on a face, and whether the corner is of the first body.
pub(super) fn corner_on_face(of_first: bool, corner: usize, face: usize) -> u32 {
    packed(u32::from(!of_first), corner, face)
}

/// An edge of the first body across one of the second; in the plane a corner on a corner.
pub(super) fn crossing(first: usize, second: usize) -> u32 {
    packed(2, first, second)
}

/// An end of a capsule.
pub(super) fn capsule_end(end: usize) -> u32 {
    packed(3, 0, end)
}

/// The same features, with the bodies called the other way round.
pub(super) fn mirrored(feature: u32) -> u32 {
    let (high, low) = (feature >> 15 & 0x7fff, feature & 0x7fff);
    match feature >> 30 {
        0 | 1 => feature ^ 1 << 30,
        2 => 2 << 30 | low << 15 | high,
        _ => feature,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_features_do_not_collide_and_mirror_twice_to_themselves() {
        let mut all = vec![capsule_end(0), capsule_end(1), BETWEEN, BALL];
        for i in [0, 1, 2, 1000, MOST_FEATURES - 1] {
            for j in [0, 1, 2, 1000, MOST_FEATURES - 1] {
                all.push(corner_on_face(true, i, j));
                all.push(corner_on_face(false, i, j));
                all.push(crossing(i, j));
                assert_eq!(mirrored(crossing(i, j)), crossing(j, i));
            }
        }
        assert!(all.iter().all(|&f| mirrored(mirrored(f)) == f));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
