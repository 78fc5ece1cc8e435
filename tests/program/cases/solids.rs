//! Cases of rigid bodies in space.

use super::{Expected, held_to_their_numbers};

pub const CASES: &[Expected] = &[
    Expected {
        name: "rock_on_wall",
        verdict: "dissipative",
        verify: 0,
        // The weight of the blocks and of the rock since it is there, over all steps: see the header.
        numbers: &[("energies.total_start", 0.0, 1e-12)],
        written: &[],
        set: &["scheme.end=0.02"],
    },
    Expected {
        name: "punch_on_block",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 5.674821, 5e-7),
            ("energies.total", 3.590376, 5e-7),
            ("energies.work_tangential", -2.066248, 5e-7),
        ],
        written: &["5.674821", "3.590376", "-2.066248"],
        set: &[],
    },
];

held_to_their_numbers! {
    rock_on_wall punch_on_block
}
