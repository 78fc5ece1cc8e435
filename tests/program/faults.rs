//! Numbers that are none, matrices that are not positive definite, energy that nothing may have created: the
//! run stops at the step where it happens, and says what, where, after which stage, and what to do. Files stay
//! whole.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use crate::support::{Folder, stderr, stdout};

/// Runs the block for ten steps with values set, and gives the folder, the exit code and what it says.
fn run(values: &[&str]) -> (Folder, Option<i32>, String) {
    let folder = Folder::with_block();
    let arguments: Vec<&str> = values.iter().flat_map(|value| ["--set", value]).collect();
    let output = folder.run(&arguments);
    let said = stderr(&output);
    assert!(!said.contains("panicked"), "{said}");
    (folder, output.status.code(), said)
}

/// Runs into an error of the computation that says all of `expected`.
fn fails(values: &[&str], expected: &[&str]) -> Folder {
    let (folder, code, said) = run(values);
    assert_eq!(code, Some(1), "{values:?}: {said}");
    for words in expected {
        assert!(said.contains(words), "{values:?} does not say '{words}': {said}");
    }
    assert!(!folder.path("out/summary.json").exists(), "{values:?}");
    folder
}

/// Numbers of rows in the history; every row is whole.
fn rows(folder: &Folder) -> usize {
    let history = folder.read("out/history.csv");
    let columns = history.lines().next().unwrap().split(',').count();
    assert!(history.ends_with('\n'));
    assert!(history.lines().all(|line| line.split(',').count() == columns), "{history}");
    history.lines().count() - 1
}

/// 0 up to the fifth step, and then 1e308.
const JUMP: &str = "{function=\"table\",times=[0.0,5e-4,6e-4],values=[0.0,0.0,1e308]}";

#[test]
fn a_load_that_overflows_is_named_with_its_node_at_its_step() {
    let time = format!("load.shake.time={JUMP}");
    let folder = fails(
        &[&time, "load.shake.traction=[1e10, 0.0]"],
        &[
            "step 6 (t = 0.0006",
            "the load 'shake' on node 4 is inf after the stage rhs; is a number",
        ],
    );
    assert_eq!(rows(&folder), 6, "the steps before it are written");
}

#[test]
fn a_prescribed_motion_that_overflows_is_named_with_its_node() {
    let time = format!("boundary.top.time={JUMP}");
    fails(
        &[&time, "boundary.top.velocity=1e10"],
        &[
            "step 6",
            "the velocity of node 3 along y, which is prescribed, is inf after the stage rhs",
        ],
    );
}

#[test]
fn an_obstacle_that_overflows_is_named() {
    let time = format!("contact.floor.obstacle.time={JUMP}");
    fails(
        &[&time, "contact.floor.obstacle.velocity=[0.0, 1e10]"],
        &["step 6", "the motion of the obstacle of contact 'floor' is inf after the stage advance"],
    );
}

/// Nothing is written: the case cannot be started.
#[test]
fn an_energy_that_overflows_at_the_start_is_told_before_the_first_step() {
    let folder = fails(
        &["initial.velocity.all.value=[1e200, 0.0]"],
        &[
            "step 0 (t = 0): the kinetic energy (the fastest is node ",
            "is inf after the stage start",
        ],
    );
    assert!(!folder.path("out").exists());
}

#[test]
fn a_mass_that_rounding_loses_is_told_with_node_element_and_material() {
    fails(
        &["material.pmma.density=1e-300"],
        &[
            "the effective mass matrix is not positive definite at node ",
            "e-300 is lost beside the stiffness ",
            "choose a smaller scheme.step or a larger density; element ",
            " there is of material 'pmma', density 1e-300, and at most ",
        ],
    );
}

#[test]
fn a_stiffness_or_a_mass_that_overflows_is_told_as_such() {
    let not_definite = "the stiffness matrix is not positive definite at node ";
    fails(
        &["material.pmma.young=1e308"],
        &[not_definite, "its stiffness is ", "is young too large"],
    );
    fails(&["material.pmma.density=1e308"], &[not_definite, "its mass is inf: is the density"]);
}

/// A solver that stops after three sweeps leaves contacts that create energy.
const CARELESS: [&str; 6] = [
    "scheme.step=1e-3",
    "scheme.end=0.01",
    "solver.method=gauss-seidel",
    "solver.max_iterations=3",
    "solver.tolerance=1e-12",
    "solver.on_failure=continue",
];

#[test]
fn a_contact_that_creates_energy_stops_the_run_where_the_case_says_so() {
    let stop = [&CARELESS[..], &["scheme.on_violation=stop"]].concat();
    let folder = fails(
        &stop,
        &[
            "step 1 (t = 0.001): the ",
            "tangential work of contact 'floor' at node ",
            ", more than the limit ",
            "it created energy although the theorem covers the run",
        ],
    );
    assert_eq!(rows(&folder), 2, "the row of the step that violates is written");
}

#[test]
fn a_violation_is_told_once_or_left_to_the_verdict() {
    for (policy, notes) in [("warn", 1), ("continue", 0)] {
        let folder = Folder::with_block();
        let policy = format!("scheme.on_violation={policy}");
        let values = [&CARELESS[..], &[policy.as_str()]].concat();
        let arguments: Vec<&str> = values.iter().flat_map(|value| ["--set", value]).collect();
        let output = folder.run(&arguments);
        let said = stderr(&output);
        assert_eq!(said.matches("it created energy although").count(), notes, "{policy}: {said}");
        assert!(stdout(&output).contains("violated"), "{}", stdout(&output));
        assert_eq!(rows(&folder), 11);
    }
}

/// With Newton's law nothing promises that contacts dissipate: positive work is no violation.
#[test]
fn where_the_theorem_does_not_cover_the_run_only_the_balance_stops_it() {
    let newton = ["scheme.law=newton", "scheme.on_violation=stop"];
    let (folder, code, said) = run(&[&CARELESS[..], &newton].concat());
    assert!(!said.contains("it created energy although"), "{said}");
    assert!(folder.path("out/summary.json").exists(), "{code:?} {said}");
    assert_eq!(rows(&folder), 11);
}

#[test]
fn a_sound_run_is_not_stopped() {
    let (folder, code, said) = run(&["scheme.on_violation=stop"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(rows(&folder), 11);
}

/// What a run is judged by overflows where nothing else does: it is no verdict then.
#[test]
fn a_scale_that_overflows_stops_the_run_and_is_never_dissipative() {
    for value in ["material.pmma.density=1e155", "material.pmma.young=1e300"] {
        fails(
            &[value],
            &["step 1 (t = ", "rounding of the energy balance", "is inf after the stage ledger"],
        );
    }
}

/// Runs the block and changes a file of its results; `verify` must not take that for good.
fn spoiled(what: &str, name: &str, change: impl Fn(&str) -> String) {
    let folder = Folder::with_block();
    let set = ["--set", "output.fields_every=5", "--set", "output.trajectory_every=1"];
    let output = folder.run(&[&set[..], &["--quiet"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(folder.delassus(&["verify", "out"]).status.code(), Some(0));
    let text = folder.read(name);
    let changed = change(&text);
    assert_ne!(text, changed, "{what} changes nothing");
    folder.write(name, changed);
    let output = folder.delassus(&["verify", "out"]);
    let code = output.status.code();
    assert!(matches!(code, Some(1 | 2)), "{what}: {code:?}\n{}", stdout(&output));
    assert!(stderr(&output).len() < 2000, "{what}: {} bytes are told", stderr(&output).len());
}

/// Sets a cell of the seventh line of a table.
fn with_cell(text: &str, column: &str, value: &str) -> String {
    let at = text.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    let line = |(k, line): (usize, &str)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if k == 6 {
            cells[at] = value;
        }
        cells.join(",") + "\n"
    };
    text.lines().enumerate().map(line).collect()
}

#[test]
fn verify_takes_no_damaged_table_or_frame_for_a_good_one() {
    let history = "out/history.csv";
    for column in delassus::output::history_columns() {
        for value in ["NaN", "inf", "1e308"] {
            let judged = ["max_tangential_work", "iterations", "contacts", "solver_error"];
            // A number that is one in a column that nothing else tells of is a number.
            if value != "1e308" || !judged.contains(&column) && column != "min_tangential_work" {
                spoiled(&format!("{column} {value}"), history, |t| with_cell(t, column, value));
            }
        }
    }
    for column in ["normal_work", "tangential_work", "x", "normal_impulse", "closings"] {
        spoiled(column, "out/contacts.csv", |text| with_cell(text, column, "inf"));
    }
    let twice = |text: &str| text.to_string() + text.lines().last().unwrap() + "\n";
    spoiled("a row twice", "out/contacts.csv", twice);
    spoiled("NaN", "out/trajectory.csv", |text| with_cell(text, "time", "NaN"));
    spoiled("NULs", history, |text| text.to_string() + &"\0".repeat(100_000) + "\n");
    spoiled("kinetic", history, |text| with_cell(text, "kinetic", "1.25"));
    spoiled("the step", "out/summary.json", |text| {
        text.replacen("\"step\": 0.0001", "\"step\": -1.0", 1)
    });
}

#[test]
fn verify_misses_frames_that_are_gone() {
    for name in ["fields/step_05.vtu", "contacts/step_00.vtu", "fields.pvd", "contacts.pvd"] {
        let folder = Folder::with_block();
        assert!(folder.run(&["--set", "output.fields_every=5", "--quiet"]).status.success());
        std::fs::remove_file(folder.path("out").join(name)).unwrap();
        assert_eq!(folder.delassus(&["verify", "out"]).status.code(), Some(1), "{name}");
    }
}
