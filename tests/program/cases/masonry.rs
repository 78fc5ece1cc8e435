//! Cases of masonry and of bodies in the plane that touch each other.

use super::{Expected, held_to_their_numbers};

pub const CASES: &[Expected] = &[];

held_to_their_numbers! {}
