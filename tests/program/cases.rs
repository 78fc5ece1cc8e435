//! Every case of the repository is run to its end, verified, and held to the numbers its header gives.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

mod masonry;
mod solids;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Folder, repository, stderr, stdout};

/// A number of `summary.json`: where it stands, what it is, how far it may be off.
type Number = (&'static str, f64, f64);

macro_rules! held_to_their_numbers {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            crate::cases::hold_to(stringify!($name));
        })*

        /// Every test above.
        pub const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}
use held_to_their_numbers;

struct Expected {
    name: &'static str,
    verdict: &'static str,
    /// Exit code of `verify`: 1 where energy was created, as the case means to show.
    verify: i32,
    numbers: &'static [Number],
    /// The same numbers as the header writes them.
    written: &'static [&'static str],
    /// What is set otherwise here, where the whole case would take too long: the header gives these numbers too.
    set: &'static [&'static str],
}

/// Tolerances are half a unit of the last digit that the header gives, or rounding where there is a
/// closed form.
const CASES: &[Expected] = &[
    Expected {
        name: "ball_on_plate",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 5.0428e-3, 5e-8),
            ("energies.total", 4.5427e-3, 5e-8),
            ("energies.work_tangential", -4.9987e-4, 5e-9),
        ],
        written: &["5.0428e-3", "4.5427e-3", "4.9987e-4"],
        set: &[],
    },
    Expected {
        name: "bar_impact_3d",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 3200.0, 1e-9),
            // Less ½ · 100² · 8000 · 4e-4 · √(1e-6/12 + 1e-6/4): the closed form of bars.rs.
            ("energies.total", 3_190.762_395_692_966, 1e-7),
        ],
        written: &["3200.000", "3190.762"],
        set: &[],
    },
    Expected {
        name: "bar_rebound",
        verdict: "dissipative",
        verify: 0,
        numbers: &[("energies.total_start", 2.0, 1e-12), ("energies.total", 1.9462, 5e-5)],
        written: &["2.0000", "1.9462"],
        set: &[],
    },
    Expected {
        name: "block_on_plane_3d",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 1774.639, 5e-4),
            ("energies.work_tangential", -1347.050, 5e-4),
            ("energies.total", 400.372, 5e-4),
        ],
        written: &["1774.639", "-1347.050", "400.372"],
        set: &[],
    },
    Expected {
        name: "bouncing_ball",
        verdict: "dissipative",
        verify: 0,
        numbers: &[("energies.total_start", 9.81, 1e-12), ("energies.total", 0.980996, 5e-7)],
        written: &["9.810000", "0.980996"],
        set: &[],
    },
    Expected {
        name: "bouncing_bar",
        verdict: "dissipative",
        verify: 0,
        numbers: &[("energies.total_start", 500.0, 1e-9), ("energies.total", 497.167, 5e-4)],
        written: &["500.000", "497.167"],
        set: &[],
    },
    Expected {
        name: "bouncing_pendulum",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total", -6.936763, 5e-7),
            ("energies.dissipation_numerical", -6.936763, 5e-7),
        ],
        written: &["-6.936763"],
        set: &[],
    },
    Expected {
        name: "brake_pad",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 713.272, 5e-4),
            ("energies.work_damping", -9.422, 5e-4),
            ("energies.work_tangential", -640.993, 5e-4),
            ("energies.total", 62.798, 5e-4),
        ],
        written: &["713.272", "-9.422", "-640.993", "62.798"],
        set: &[],
    },
    Expected {
        name: "forced_block",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 0.136511, 5e-7),
            ("energies.work_tangential", -0.136511, 5e-7),
        ],
        written: &["0.136511", "-0.136511"],
        set: &[],
    },
    Expected {
        name: "friction_oscillator",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 90.0, 1e-12),
            ("energies.total", 0.232684, 5e-7),
            ("energies.work_tangential", -89.767316, 5e-7),
        ],
        written: &["90.000000", "0.232684", "-89.767316"],
        set: &[],
    },
    Expected {
        name: "impacting_bar",
        verdict: "dissipative",
        verify: 0,
        // 500 − 50 · 0.05 · √½: what the section that stops had, to what the solver's tolerance of
        // 1e-10 leaves over 404 steps in contact (it is off by 1e-9; by 1e-11 at 1e-12).
        numbers: &[
            ("energies.total_start", 500.0, 1e-9),
            ("energies.total", 498.232_233_047_033_6, 1e-8),
        ],
        written: &["500.000000", "498.232233"],
        set: &[],
    },
    Expected {
        name: "impacting_bar_1d",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 500.0, 1e-9),
            ("energies.total", 498.556_624_327, 1e-8),
        ],
        written: &["500.000000", "498.556624"],
        set: &[],
    },
    Expected {
        name: "impacting_stick",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 3.765_950_572_6, 5e-11),
            ("energies.total", 3.764_645_513_9, 5e-11),
            ("energies.work_tangential", -1.30506e-3, 5e-9),
        ],
        written: &["3.7659505726", "3.7646455139", "-1.30506e-3"],
        set: &[],
    },
    Expected {
        name: "incline",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 1357.012, 5e-4),
            ("energies.work_damping", -1.450, 5e-4),
            ("energies.work_tangential", -703.494, 5e-4),
            ("energies.total", 652.068, 5e-4),
        ],
        written: &["1357.012", "-1.450", "-703.494", "652.068"],
        set: &[],
    },
    Expected {
        name: "marble_in_bowl",
        verdict: "not covered by the theorem",
        verify: 0,
        numbers: &[
            ("energies.total_start", -8.609085, 5e-7),
            ("energies.total", -8.604418, 5e-7),
            ("energies.dissipation_numerical", 0.011522, 5e-7),
        ],
        written: &["-8.609085", "-8.604418", "0.011522"],
        set: &[],
    },
    Expected {
        name: "newton_cradle",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 0.195_496_542, 5e-10),
            ("energies.total", 0.195_496_542, 5e-10),
        ],
        written: &["0.195496542"],
        set: &[],
    },
    Expected {
        name: "painleve_rod",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 61.472_713, 5e-7),
            ("energies.total", 26.768_352, 5e-7),
            ("energies.work_tangential", -34.703_044, 5e-7),
        ],
        written: &["61.472713", "26.768352", "-34.703044"],
        set: &[],
    },
    Expected {
        name: "pin_on_disk",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 285.075, 5e-4),
            ("energies.work_tangential", -283.765, 5e-4),
            ("energies.work_damping", -0.070, 5e-4),
            ("energies.total", 1.240, 5e-4),
        ],
        written: &["285.075", "283.765", "0.070", "1.240"],
        set: &[],
    },
    Expected {
        name: "rocking_block",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 6.061_666_666_7, 5e-11),
            ("energies.total", 5.647433, 5e-7),
        ],
        written: &["6.0616666667", "5.647433"],
        set: &[],
    },
    Expected {
        name: "siconos_bar",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 0.5 * 7800.0 * 3.14e-4 * 0.99 * 0.01, 1e-15),
            ("energies.work_normal", -7.27132072e-5, 5e-14),
        ],
        written: &["-7.27132072e-5", "1.212354000e-02"],
        set: &[],
    },
    Expected {
        name: "sliding_block",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 1071.242, 5e-4),
            ("energies.total", 299.915, 5e-4),
            ("certificate.max_tangential_work", 0.0, 1e-8),
        ],
        written: &["1071.242", "299.915"],
        set: &[],
    },
    Expected {
        name: "sliding_block_newton",
        verdict: "violated",
        verify: 1,
        numbers: &[
            ("energies.work_external", 1064.033, 5e-4),
            ("certificate.max_tangential_work", 2.4e-3, 5e-5),
        ],
        written: &["1064.033", "2.4e-3"],
        set: &[],
    },
    Expected {
        name: "two_ball_oscillator",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.total_start", 29.43, 1e-12),
            ("energies.total", 14.072_277, 5e-7),
            ("energies.work_normal", -15.357_723, 5e-7),
        ],
        written: &["29.430000", "14.072277", "15.357723"],
        set: &[],
    },
    Expected {
        name: "wedged_rod",
        verdict: "dissipative",
        verify: 0,
        numbers: &[("energies.kinetic", 0.5, 1e-12)],
        written: &["0.500000"],
        set: &[],
    },
];

/// |balance residual| of any step, of the energy scale: rounding.
const BALANCE: f64 = 1e-12;

fn number(summary: &Value, path: &str) -> f64 {
    let found = path.split('.').fold(summary, |value, name| &value[name]);
    found.as_f64().unwrap_or_else(|| panic!("{path} is {found}"))
}

/// All of them, by name.
fn all() -> Vec<&'static Expected> {
    let mut all: Vec<&Expected> =
        [CASES, masonry::CASES, solids::CASES].into_iter().flatten().collect();
    all.sort_by_key(|case| case.name);
    all
}

fn hold_to(name: &str) {
    let all = all();
    let expected = all.iter().find(|case| case.name == name).unwrap();
    let folder = Folder::new();
    let case = repository(&format!("cases/{name}.toml"));
    let case = case.to_string_lossy();
    let mut arguments = vec!["run", &case, "--out", "out"];
    expected.set.iter().for_each(|set| arguments.extend(["--set", set]));
    let run = folder.delassus(&arguments);
    assert_eq!(run.status.code(), Some(0), "{name}: {}", stderr(&run));
    let summary: Value = serde_json::from_str(&folder.read("out/summary.json")).unwrap();
    for &(path, value, tolerance) in expected.numbers {
        let found = number(&summary, path);
        let off = (found - value).abs();
        assert!(off <= tolerance, "{name}: {path} is {found}, not {value} ± {tolerance}");
    }
    let residual = number(&summary, "certificate.max_balance_residual");
    assert!(residual <= BALANCE, "{name}: the balance is off by {residual:.1e}");
    assert_eq!(summary["certificate"]["verdict"], expected.verdict, "{name}");
    assert_eq!(summary["solver"]["unconverged_steps"], 0, "{name}");

    let verify = folder.delassus(&["verify", "out"]);
    assert_eq!(verify.status.code(), Some(expected.verify), "{name}: {}", stdout(&verify));
    let failed = stdout(&verify).matches("FAILED").count() as i32;
    assert_eq!(failed, expected.verify, "{name}: {}", stdout(&verify));
}

held_to_their_numbers! {
    ball_on_plate
    bar_impact_3d
    bar_rebound
    block_on_plane_3d
    bouncing_ball
    bouncing_bar
    bouncing_pendulum
    brake_pad
    forced_block
    friction_oscillator
    impacting_bar
    impacting_bar_1d
    impacting_stick
    incline
    marble_in_bowl
    newton_cradle
    painleve_rod
    pin_on_disk
    rocking_block
    siconos_bar
    sliding_block
    sliding_block_newton
    two_ball_oscillator
    wedged_rod
}

/// The header of a case says what it shows, how to run it, and the numbers that are asserted here.
#[test]
fn every_case_has_an_entry_and_a_header_with_its_command_verdict_and_numbers() {
    let mut headers = BTreeMap::new();
    for entry in std::fs::read_dir(repository("cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue; // studies of cases, with tests of their own
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let header: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        headers.insert(path.file_stem().unwrap().to_string_lossy().into_owned(), header.join("\n"));
    }
    let all = all();
    let entries: Vec<&str> = all.iter().map(|case| case.name).collect();
    assert_eq!(headers.keys().collect::<Vec<_>>(), entries, "cases/ and this table differ");
    let mut tested = [TESTED, masonry::TESTED, solids::TESTED].concat();
    tested.sort_unstable();
    assert_eq!(tested, entries, "cases without a test");
    for case in all {
        let header = &headers[case.name];
        let command = format!("cargo run --release -- run cases/{}.toml", case.name);
        assert!(header.contains(&command), "{}: the header has no command", case.name);
        assert!(header.contains(case.verdict), "{}: the header has no verdict", case.name);
        for written in case.written {
            assert!(header.contains(written), "{}: the header does not say {written}", case.name);
        }
    }
}
