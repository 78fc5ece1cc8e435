//! Cases of rigid bodies in space.

use super::{Expected, held_to_their_numbers};

pub const CASES: &[Expected] = &[
    Expected {
        name: "rock_on_wall",
        verdict: "dissipative",
        verify: 0,
        // The wall rests. The rock enters at 0.01 with ½mv² + ½ω·Jω, falls for 0.01 more, and gains mg(35 t + ½gt²): to
        // rounding of 5.5e7 in 40 steps.
        numbers: &[
            ("energies.total_start", 0.0, 1e-12),
            ("energies.total", 55_288_113.976_822_73, 1e-5),
            ("energies.work_external", 55_288_113.976_822_73, 1e-5),
            ("energies.work_normal", 0.0, 1e-6),
            ("energies.work_tangential", 0.0, 1e-6),
        ],
        written: &["55288113.9768"],
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
