//! Cases of rigid bodies in space.

use super::{Expected, held_to_their_numbers};

/// Where what happens depends on roundings, as after the break of the billiard balls, the run is shortened to before that.
pub const CASES: &[Expected] = &[
    Expected {
        name: "billiards",
        verdict: "dissipative",
        verify: 0,
        // ½ m (v² + ⅖ (r ω)²) with v = v₀ − μ g t and r ω = 5/2 μ g t, to what the tolerance of the solver leaves.
        numbers: &[
            ("energies.total_start", 3.060_212_5, 1e-12),
            ("energies.total", 2.705_758_986_341, 1e-8),
        ],
        written: &["3.060213", "2.705759"],
        set: &["scheme.end=0.2"],
    },
    Expected {
        name: "column_on_shaken_ground",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 135.990_117, 5e-7),
            ("energies.total", 179.816, 5e-4),
            ("energies.work_external", 43.826, 5e-4),
        ],
        written: &["135.990117", "179.816", "43.826"],
        set: &["scheme.end=0.05"],
    },
    Expected {
        name: "dominoes",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 6.5256e-5, 5e-10),
            ("energies.total", 1.6285e-3, 5e-8),
            ("energies.work_external", 4.2257e-3, 5e-8),
        ],
        written: &["6.5256e-5", "1.6285e-3", "4.2257e-3"],
        set: &[],
    },
    Expected {
        name: "kapla_tower",
        verdict: "dissipative",
        verify: 0,
        // 1.8e-28 J: what the tolerance of the solver leaves of velocities.
        numbers: &[("energies.total", 0.0, 1e-18)],
        written: &["0.000000"],
        set: &["scheme.end=0.02"],
    },
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
        name: "rock_on_wall_paper",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total", 5.528_811_40e7, 0.5),
            ("energies.work_normal", 0.0, 1e-8),
            ("energies.work_tangential", 0.0, 1e-8),
        ],
        written: &["5.52881140e7"],
        set: &["scheme.end=0.02"],
    },
    Expected {
        name: "rocking_tower",
        verdict: "dissipative",
        verify: 0,
        // The first impact.
        numbers: &[("energies.work_normal", -44.0453, 5e-4)],
        written: &["-44.0453"],
        set: &["scheme.end=1.2"],
    },
    Expected {
        name: "spinning_tops",
        verdict: "dissipative",
        verify: 0,
        // ½ Σ ω·Jω; after 18 000 steps to as many roundings.
        numbers: &[
            ("energies.total_start", 44.000_000_16, 1e-12),
            ("energies.total", 44.000_000_16, 18_000.0 * 44.0 * f64::EPSILON),
        ],
        written: &["44.000000"],
        set: &[],
    },
    Expected {
        name: "tippe_top",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 113.5615, 5e-5),
            ("energies.total", 52.304, 5e-4),
            ("energies.work_external", -3.0134, 5e-5),
            ("energies.work_tangential", -58.227, 5e-4),
        ],
        written: &["113.5615", "52.304", "3.0134", "58.227"],
        set: &[],
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
    punch_on_block
    billiards
    column_on_shaken_ground
    dominoes
    kapla_tower
    rock_on_wall
    rock_on_wall_paper
    rocking_tower
    spinning_tops
    tippe_top
}
