//! Cases of rigid bodies in space.

use super::{Expected, held_to_their_numbers};

pub const CASES: &[Expected] = &[Expected {
    name: "rock_on_wall",
    verdict: "dissipative",
    verify: 0,
    // The weight of the blocks and of the rock since it is there, over all steps: see the header.
    numbers: &[("energies.total_start", 0.0, 1e-12)],
    written: &[],
    set: &["scheme.end=0.02"],
}];

held_to_their_numbers! {
    rock_on_wall
}
