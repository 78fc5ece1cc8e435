//! Cases of masonry and of bodies in the plane that touch each other.

use serde_json::Value;

use super::{Expected, held_to_their_numbers, number};
use crate::support::{Folder, repository, stderr};

pub const CASES: &[Expected] = &[
    Expected {
        name: "arch",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_external", 612.8, 5e-2),
            ("energies.work_normal", -551.0, 5e-2),
            ("energies.work_tangential", -29.1, 5e-2),
            ("energies.total", 32.6, 5e-2),
        ],
        written: &["612.8", "-551.0", "-29.1", "32.6"],
        set: &["output.fields_every=0"],
    },
    Expected {
        name: "masonry_wall",
        verdict: "dissipative",
        verify: 0,
        numbers: &[("energies.kinetic", 0.0, 1e-20)],
        written: &["0.000000"],
        set: &[],
    },
    Expected {
        name: "stone_bridge",
        verdict: "dissipative",
        verify: 0,
        numbers: &[
            ("energies.work_normal", -3.386, 5e-4),
            ("energies.work_tangential", -0.004, 5e-4),
            ("energies.kinetic", 263.312, 5e-4),
        ],
        written: &["-3.386", "-0.004", "263.312"],
        set: &["output.fields_every=0"],
    },
];

held_to_their_numbers! {
    arch
    masonry_wall
    stone_bridge
}

/// What a case comes to with something set, and its text.
fn summary(name: &str, set: &[&str]) -> (Value, String) {
    let folder = Folder::new();
    let path = repository(&format!("cases/{name}.toml"));
    let path = path.to_string_lossy();
    let mut arguments =
        vec!["run", &path, "--quiet", "--out", "out", "--set", "output.fields_every=0"];
    set.iter().for_each(|set| arguments.extend(["--set", set]));
    let run = folder.delassus(&arguments);
    assert_eq!(run.status.code(), Some(0), "{name}: {}", stderr(&run));
    let summary = serde_json::from_str(&folder.read("out/summary.json")).unwrap();
    (summary, std::fs::read_to_string(&*path).unwrap())
}

/// Moreau's bridge: with friction 0.6 hinges take the work, with 0.3 sliding joints.
#[test]
fn a_bridge_hinges_where_friction_is_high_and_slides_where_it_is_low() {
    let (sliding, header) = summary("stone_bridge", &["contact.joints.friction=0.3"]);
    let numbers = [
        ("work_normal", 0.0, "0.000"),
        ("work_tangential", -3295.363, "-3295.363"),
        ("kinetic", 26.083, "26.083"),
    ];
    for (name, value, written) in numbers {
        let found = number(&sliding, &format!("energies.{name}"));
        assert!(
            (found - value).abs() <= 5e-4 && header.contains(written),
            "{name} is {found}, not {value}"
        );
    }
    assert_eq!(sliding["certificate"]["verdict"], "dissipative");
    let share = |summary: &Value| {
        let [normal, tangential] =
            ["normal", "tangential"].map(|name| number(summary, &format!("energies.work_{name}")));
        tangential / (normal + tangential)
    };
    let (hinged, _) = summary("stone_bridge", &[]);
    assert!(
        share(&hinged) < 0.01 && share(&sliding) > 0.999,
        "{} {}",
        share(&hinged),
        share(&sliding)
    );
}

/// The slopes of the header: 28 degrees, and 29.
#[test]
fn a_wall_in_eleven_keys_rests_on_a_slope_of_28_degrees_and_comes_apart_at_29() {
    let (_, header) = summary("masonry_wall", &[]);
    let kinetic = |slope: &str, end: &str| {
        let set = format!("load.weight.gravity={slope}");
        assert!(header.contains(&set), "the header does not say {set}");
        number(&summary("masonry_wall", &[&set, end]).0, "energies.kinetic")
    };
    let rests = kinetic("[4.605, -8.662]", "scheme.end=0.02");
    let moves = kinetic("[4.756, -8.580]", "scheme.end=1e-3");
    // What moves has some share of ½ m (g h)², of 8 tonnes 0.4 J.
    assert!(rests < 1e-20 && moves > 1e-8, "{rests:e} {moves:e}");
    let is_key = |line: &&str| line.contains('=') && !line.starts_with('#');
    assert_eq!(header.lines().filter(is_key).count(), 11);
}
