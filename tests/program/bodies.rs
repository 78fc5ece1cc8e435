//! What the commands make of rigid bodies in space that meet each other and hang on joints.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use crate::support::{Folder, stderr, stdout};

/// Two boxes on each other and on the floor, and a pendulum beside them.
const STACK: &str = r#"
units = "m, s, kg"
[body.box]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 2.0
position = [0.0, 0.0, 0.5]
repeat = { count = [1, 1, 2], spacing = [1.0, 1.0, 1.0] }
[body.bob]
shape = "sphere"
radius = 0.2
mass = 1.0
position = [3.0, 0.0, 1.0]
velocity = [0.5, 0.0, 0.0]
spin = [0.0, -0.5, 0.0]
[body.floor]
shape = "box"
size = [10.0, 10.0, 0.1]
fixed = true
position = [0.0, 0.0, -0.05]
[joint.hook]
kind = "hinge"
between = ["bob", "ground"]
at = [3.0, 0.0, 2.0]
axis = [0.0, 1.0, 0.0]
[load.weight]
gravity = [0.0, 0.0, -9.81]
[contact.stones]
between = ["bodies", "bodies"]
friction = 0.5
restitution = 0.2
[scheme]
step = 1e-3
end = 0.02
[output]
trajectory_every = 1
"#;

fn with_stack() -> Folder {
    let folder = Folder::new();
    folder.write("stack.toml", STACK);
    folder
}

/// The output of a command that must succeed.
fn said(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.delassus(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_stack_is_rehearsed_run_and_verified() {
    let folder = with_stack();
    let rehearsed = said(&folder, &["run", "stack.toml", "--dry-run"]);
    assert!(rehearsed.contains("the case can be run"), "{rehearsed}");
    said(&folder, &["run", "stack.toml", "--quiet", "--out", "out"]);
    let verified = stdout(&folder.delassus(&["verify", "out"]));
    assert!(verified.contains("holds   every number of trajectory.csv is one"), "{verified}");
}

/// Eight contacts, each known by its set, its bodies and a number; forces of a body on four corners are not unique.
#[test]
fn the_contacts_of_bodies_are_explored_by_name() {
    let folder = with_stack();
    for moment in [&["--rest"][..], &["--step", "5"]] {
        let arguments = ["explore", "stack.toml", "--samples", "20", "--out", "explored"];
        let explored = said(&folder, &[&arguments, moment].concat());
        for name in ["stones of box:1 and box:2:1", "stones of box:1 and floor:4"] {
            let table = folder.read("explored/solutions.csv");
            assert!(table.contains(name), "{table} {explored}");
        }
    }
}

#[test]
fn matrices_have_the_rows_of_bodies_that_meet() {
    let folder = with_stack();
    said(&folder, &["matrices", "stack.toml", "--after", "5", "--out", "matrices"]);
    let rows = folder.read("matrices/rows.csv");
    assert_eq!(rows.lines().count(), 1 + 3 * 8, "{rows}");
    assert!(rows.contains("\"stones of box:1 and box:2\",normal"), "{rows}");
    let dofs = folder.read("matrices/dofs.csv");
    assert_eq!(dofs.lines().count(), 1 + 4 * 6);
    assert!(dofs.contains("angle 1") && dofs.contains("angle 3"), "{dofs}");
    // W p of the impulses that carry the stack undoes what its weight does: the sum over rows of the lower box's four
    // normals on the floor is (1/m) for each of the four against all four.
    let w = folder.read("matrices/W.mtx");
    let numbers: Vec<&str> =
        w.lines().find(|line| !line.starts_with('%')).unwrap().split(' ').collect();
    assert_eq!(numbers[..2], ["24", "24"]);
}

/// Joints that cannot be, each with what is said.
#[test]
fn joints_that_cannot_hold_are_refused_with_what_to_do() {
    let folder = Folder::new();
    let case = |dimension: usize, joint: &str| {
        let (shape, zero) = match dimension {
            3 => ("shape = \"sphere\"\nradius = 0.2", "[0.0, 0.0, 0.0]"),
            _ => ("shape = \"disk\"\nradius = 0.2", "[0.0, 0.0]"),
        };
        format!(
            "units = \"m, s, kg\"\n[body.bob]\n{shape}\nmass = 1.0\nposition = {zero}\n\
             [mass.point]\nmass = 1.0\nposition = {zero}\n[joint.link]\n{joint}\n[scheme]\nstep = 1e-3\nend = 0.01\n"
        )
    };
    let between = "between = [\"bob\", \"ground\"]";
    for (dimension, joint, expected) in [
        (
            3,
            format!("kind = \"hinge\"\n{between}"),
            "joint.link: a hinge needs an axis; add axis = [x, y, z]",
        ),
        (3, format!("kind = \"slider\"\n{between}"), "a slider needs an axis"),
        (
            3,
            format!("kind = \"hinge\"\n{between}\naxis = [0, 0, 0]"),
            "joint.link.axis: has no length",
        ),
        (
            3,
            format!("kind = \"weld\"\n{between}\naxis = [0, 0, 1]"),
            "joint.link.axis: a weld has no axis; it has at",
        ),
        (
            2,
            format!("kind = \"hinge\"\n{between}\naxis = [0, 1]"),
            "in the plane points together are a hinge; use kind = \"pin\"",
        ),
        (3, format!("kind = \"ball\"\n{between}"), "\"ball\" is not one of"),
        (
            3,
            "kind = \"weld\"\nbetween = [\"bob\", \"point\"]".into(),
            "'point' is a point, which does not turn: give a body, or use a pin",
        ),
    ] {
        folder.write("case.toml", case(dimension, &joint));
        let output = folder.delassus(&["run", "case.toml", "--quiet", "--out", "out"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{joint}: {said}");
        assert!(said.contains(expected) && said.contains("case.toml"), "{joint}: {said}");
    }
}

/// A spin given at t = 0 is one of space.
#[test]
fn initial_spins_reach_bodies_in_space_in_their_own_axes() {
    let folder = Folder::new();
    folder.write(
        "case.toml",
        "units = \"m, s, kg\"\n[body.box]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\nmass = 1.0\n\
         position = [0.0, 0.0, 0.0]\nturn = { axis = [1, 0, 0], angle = 1.5707963267948966 }\n\
         [initial.velocity.whirl]\ngroup = \"box\"\nvalue = [0.0, 0.0, 0.0]\nspin = [0.0, 0.0, 2.0]\n\
         center = [0.0, 0.0, 0.0]\n[scheme]\nstep = 1e-3\nend = 0.01\n[output]\ntrajectory_every = 1\n",
    );
    said(&folder, &["run", "case.toml", "--quiet", "--out", "out"]);
    let table = crate::support::Table::read(&folder.path("out/trajectory.csv"));
    let spins =
        ["wx", "wy", "wz"].map(|name| *table.column(&format!("box.{name}")).last().unwrap());
    // Ten steps of two roundings of 2: a cube turns evenly.
    let off = [spins[0], spins[1], spins[2] - 2.0].map(f64::abs);
    assert!(off.iter().all(|off| *off < 1e-14), "{spins:?}");
}
