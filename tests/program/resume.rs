//! A run that is stopped or killed and gone on with leaves the same bytes as one that never stopped.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed
#![allow(clippy::print_stderr)] // the long run tells how many kills it took

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use delassus::case::Case;
use delassus::contact::ConeProblem;
use delassus::contact::solver::{Method, Target};
use delassus::output::{Summary, Table};
use delassus::simulation::{Observer, Progress, resume, run};

use crate::support::random::Random;
use crate::support::results::{
    Ended, assert_intact, assert_same, checkpoint, files, is_resumable, listed,
};
use crate::support::{Folder, Silent, case, long_block, repository, spawn, stderr, stdout};

/// Stops a run after so many steps, and listens.
#[derive(Default)]
struct StopAfter {
    steps: usize,
    notices: Vec<String>,
}

impl StopAfter {
    fn steps(steps: usize) -> Self {
        Self { steps, notices: Vec::new() }
    }
}

impl Observer for StopAfter {
    fn notice(&mut self, text: &str) {
        self.notices.push(text.into());
    }

    fn progress(&mut self, _: &Progress) {}

    fn wants_to_stop(&mut self) -> bool {
        let stops = self.steps == 0;
        self.steps = self.steps.saturating_sub(1);
        stops
    }
}

/// Runs a case whole, and in parts of so many steps; every file and the last checkpoint are the same.
fn holds_in_parts(case: &Case, parts: &[usize], what: &str) -> Summary {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole"), folder.path("parts"));
    let complain = |error: delassus::error::Error| -> Summary { panic!("{what}: {error}") };
    let summary = run(case, &whole, &mut Silent).unwrap_or_else(complain);
    let stopped = run(case, &out, &mut StopAfter::steps(parts[0])).unwrap_or_else(complain);
    assert!(!stopped.finished && stopped.counts.steps == parts[0], "{what}");
    for &steps in &parts[1..] {
        let stopped = resume(case, &out, &mut StopAfter::steps(steps)).unwrap_or_else(complain);
        assert!(!stopped.finished, "{what}");
    }
    let resumed = resume(case, &out, &mut Silent).unwrap_or_else(complain);
    assert!(resumed.finished && summary.finished, "{what}");
    assert_same(&whole, &out, what);
    let last = summary.counts.steps;
    assert!(
        checkpoint(&whole, last) == checkpoint(&out, last),
        "{what}: the last checkpoint differs"
    );
    summary
}

/// Frames every three steps and rows every two, so that neither falls on the ends of the parts.
const CADENCE: [&str; 3] =
    ["output.fields_every=3", "output.history_every=2", "output.checkpoint_every=5"];

fn with_cadence(name: &str, overrides: &[&str]) -> Case {
    case(name, &[&CADENCE, overrides].concat())
}

/// Cases of every kind, with parts that end where their contacts work.
const CASES: [(&str, &[usize], &[&str]); 10] = [
    ("sliding_block", &[0, 1, 30], &["scheme.step=1e-3", "scheme.end=0.05"]),
    ("impacting_bar_1d", &[35, 6], &["scheme.step=0.016666666666666666", "scheme.end=1.0"]),
    ("block_on_plane_3d", &[4, 3], &["scheme.end=5e-3"]),
    ("pin_on_disk", &[7, 4], &["scheme.end=0.016"]),
    ("bouncing_pendulum", &[22, 11], &["scheme.step=0.02", "scheme.end=1.2"]),
    ("newton_cradle", &[29, 4], &["scheme.step=0.02", "scheme.end=1.2"]),
    ("rocking_block", &[50, 11], &["scheme.step=5e-3", "scheme.end=0.4"]),
    ("friction_oscillator", &[31, 7], &["scheme.end=0.1"]),
    ("forced_block", &[31, 7], &["scheme.end=0.1"]),
    ("brake_pad", &[9, 6], &BELT),
];

/// A belt that sets out at once.
const BELT: [&str; 3] = [
    "scheme.step=4e-4",
    "scheme.end=0.01",
    "contact.belt.obstacle.time={function=\"table\",times=[0.001,0.005],values=[0.0,1.0]}",
];

/// A disk that turns below a pad that falls on it: frames turn.
const DISK: [&str; 4] = [
    "scheme.step=4e-4",
    "scheme.end=0.01",
    "initial.velocity.fall.value=[0.5,-5.0]",
    "contact.belt.obstacle={kind=\"disk\",point=[20.0,-50.0],radius=50.0,rotation={center=[20.0,-50.0],\
     velocity=0.05,time={function=\"table\",times=[0.001,0.005],values=[0.0,1.0]}}}",
];

#[test]
fn cases_of_every_kind_go_on_with_the_same_bits() {
    for (name, parts, own) in CASES {
        let summary = holds_in_parts(&with_cadence(name, own), parts, name);
        assert!(summary.solver.steps_with_contact > 0, "{name}: contacts must work to be tested");
    }
}

/// Parts that end before the rock is there, while it falls, as it strikes, and when blocks lie about.
#[test]
fn a_wall_that_a_rock_strikes_goes_on_with_the_same_bits() {
    let overrides: Vec<String> = CADENCE.iter().map(|set| set.to_string()).collect();
    let struck = Case::read(&repository("cases/rockwall/struck_wall.toml"), &overrides).unwrap();
    let summary = holds_in_parts(&struck, &[7, 101, 63, 190], "struck wall");
    assert_eq!(summary.solver.steps_with_contact, 500, "the wall stands, or lies");
}

/// Three boxes that rest on each other are hit by a ball that comes late, and the upper one hits a door on a hinge; keys
/// of contacts come and go.
const STACK: &str = r#"
units = "m, s, kg"
[body.box]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 2.0
position = [0.0, 0.0, 0.5]
repeat = { count = [1, 1, 3], spacing = [1.0, 1.0, 1.0] }
[body.ball]
shape = "sphere"
radius = 0.3
mass = 1.5
position = [-0.86, 0.1, 1.6]
velocity = [5.0, 0.3, 0.0]
spin = [0.4, 3.0, -1.0]
born = 0.004
[body.door]
shape = "box"
size = [0.1, 1.0, 1.0]
mass = 1.0
position = [0.57, 0.0, 1.6]
[body.floor]
shape = "box"
size = [10.0, 10.0, 0.1]
fixed = true
position = [0.0, 0.0, -0.05]
[joint.post]
kind = "hinge"
between = ["door", "ground"]
at = [0.57, -0.5, 1.6]
axis = [0.0, 0.0, 1.0]
[load.weight]
gravity = [0.0, 0.0, -9.81]
[contact.stones]
between = ["bodies", "bodies"]
friction = 0.5
restitution = 0.2
[scheme]
step = 1e-3
end = 0.06
[solver]
on_failure = "warn"
[output]
trajectory_every = 1
"#;

#[test]
fn bodies_in_space_that_meet_and_turn_on_hinges_go_on_with_the_same_bits() {
    let folder = Folder::new();
    folder.write("stack.toml", STACK);
    for forecast in ["start", "middle"] {
        let forecast = format!("scheme.forecast={forecast}");
        let overrides = CADENCE.iter().map(|key| key.to_string()).chain([forecast.clone()]);
        let overrides: Vec<String> = overrides.collect();
        let case = Case::read(&folder.path("stack.toml"), &overrides).unwrap();
        let summary = holds_in_parts(&case, &[3, 9, 13, 14], &format!("stack, {forecast}"));
        assert!(summary.solver.steps_with_contact == 60, "the boxes rest on each other");
    }
}

const SCHEMES: [&[&str]; 13] = [
    &["scheme.kind=moreau-jean", "scheme.theta=0.55"],
    &["scheme.kind=moreau-jean", "scheme.forecast=middle"],
    &["scheme.kind=moreau-jean", "scheme.forecast=extrapolated"],
    &["scheme.kind=newmark"],
    &["scheme.kind=newmark", "scheme.beta=0.3025", "scheme.gamma=0.55"],
    &["scheme.kind=hht"],
    &["scheme.kind=hht", "scheme.position_correction=true"],
    &["scheme.kind=generalised-alpha"],
    &["scheme.kind=generalised-alpha", "scheme.position_correction=true"],
    &["scheme.kind=schatzman-paoli"],
    &["scheme.kind=central-difference"],
    &["scheme.kind=plain-newmark"],
    &["scheme.kind=plain-newmark", "scheme.beta=0.3025", "scheme.gamma=0.6"],
];

#[test]
fn every_scheme_goes_on_with_the_same_bits() {
    let pendulum = ["scheme.step=0.02", "scheme.end=0.8"];
    let settings: [(&str, &[usize], &[&str]); 3] = [
        ("brake_pad", &[11, 4], &BELT),
        ("brake_pad", &[11, 4], &DISK),
        ("bouncing_pendulum", &[22, 5], &pendulum),
    ];
    for (name, parts, own) in settings {
        for scheme in SCHEMES {
            let plain =
                ["scheme.theta=", "scheme.law=", "solver.on_failure=warn", "output.fields_every=8"];
            let case = with_cadence(name, &[&plain, own, scheme].concat());
            let summary = holds_in_parts(&case, parts, &format!("{name}, {}", scheme.join(" ")));
            assert!(summary.solver.steps_with_contact > 0, "{name}: contacts must work");
        }
    }
}

#[test]
fn every_method_goes_on_with_the_same_bits() {
    for method in Method::ALL {
        let method = format!("solver.method={}", method.name());
        let own = ["scheme.step=1e-3", "scheme.end=0.02", "solver.on_failure=continue", &method];
        holds_in_parts(&with_cadence("sliding_block", &own), &[8, 5], &method);
    }
}

/// The cone problems that a starved solver leaves behind are those of the steps, also after a break.
#[test]
fn saved_cone_problems_are_the_same_and_those_of_later_steps_go() {
    let starved = [
        "scheme.end=12e-4",
        "solver.method=gauss-seidel",
        "solver.max_iterations=1",
        "solver.tolerance=1e-15",
        "solver.on_failure=continue",
        "solver.save_failures=true",
    ];
    let case = with_cadence("sliding_block", &starved);
    let summary = holds_in_parts(&case, &[4, 3], "starved");
    assert!(summary.solver.unconverged_steps > 6);
}

/// Random impulses, so that the guess differs from solve to solve.
fn cone_problem(random: &mut Random, dimension: usize, contacts: usize) -> (ConeProblem, Vec<f64>) {
    let size = dimension * contacts;
    let root: Vec<f64> = (0..size * size).map(|_| random.signed()).collect();
    let entry = |i: usize, j: usize| -> f64 {
        let product: f64 = (0..size).map(|k| root[i * size + k] * root[j * size + k]).sum();
        product + if i == j { 0.1 } else { 0.0 }
    };
    let w: Vec<f64> = (0..size * size).map(|at| entry(at / size, at % size)).collect();
    let b = (0..size).map(|_| random.signed()).collect();
    let mu = (0..contacts).map(|_| 0.5 + 0.4 * random.signed()).collect();
    let guess = (0..size).map(|_| random.signed()).collect();
    (ConeProblem::dense(dimension, &w, b, mu), guess)
}

/// What makes checkpoints small: no solver remembers anything, so that none has to be saved.
#[test]
fn a_solver_that_has_solved_others_gives_the_bits_of_a_fresh_one() {
    let mut random = Random::new(7);
    for method in Method::ALL {
        for dimension in [2, 3] {
            let mut used = method.solver(dimension, 9);
            for contacts in [9, 2, 7, 5] {
                let (problem, guess) = cone_problem(&mut random, dimension, contacts);
                let target = Target::new(1e-12, 400);
                let (mut old, mut new) = (guess.clone(), guess);
                let one = used.solve(&problem, target, &mut old);
                let other = method.solver(dimension, 9).solve(&problem, target, &mut new);
                let bits = |p: &[f64]| -> Vec<u64> { p.iter().map(|p| p.to_bits()).collect() };
                assert_eq!(one, other, "{}", method.name());
                assert_eq!(bits(&old), bits(&new), "{}", method.name());
            }
        }
    }
}

/// The bar, whose tolerances do not depend on the end: from 60 to 120 steps, which have one more digit.
#[test]
fn a_larger_end_gives_what_it_would_have_given_from_the_start() {
    let folder = Folder::new();
    let [short, long] = ["scheme.end=1.0", "scheme.end=2.0"].map(|end| {
        let step = "scheme.step=0.016666666666666666";
        with_cadence("impacting_bar_1d", &[step, end, "output.fields_every=7"])
    });
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    run(&long, &whole, &mut Silent).unwrap();
    run(&short, &out, &mut Silent).unwrap();
    assert!(out.join("fields/step_07.vtu").exists() && out.join("fields/step_60.vtu").exists());
    let mut listener = StopAfter::steps(1000);
    assert!(resume(&long, &out, &mut listener).unwrap().finished);
    assert_eq!(listener.notices[0], "going on after step 60 of 120");
    // What was set on top is not the same, and the summary says so.
    let same = |path: &Path| -> Vec<(String, Vec<u8>)> {
        files(path).into_iter().filter(|(name, _)| name != "summary.json").collect()
    };
    assert!(same(&whole) == same(&out));
    assert!(checkpoint(&whole, 120) == checkpoint(&out, 120));
}

/// Killed after the last checkpoint and before the summary: the last row and frame stay.
#[test]
fn a_run_killed_before_its_summary_gets_one() {
    let folder = Folder::new();
    let case = with_cadence("forced_block", &["scheme.end=0.035"]);
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    for path in [&whole, &out] {
        run(&case, path, &mut Silent).unwrap();
    }
    for name in ["summary.json", "contacts.csv"] {
        std::fs::remove_file(out.join(name)).unwrap();
    }
    assert!(resume(&case, &out, &mut Silent).unwrap().finished);
    assert_same(&whole, &out, "35 steps, which neither 2 nor 3 divides");
}

fn error_of(case: &Case, out: &Path) -> String {
    resume(case, out, &mut Silent).unwrap_err().to_string()
}

#[test]
fn a_finished_run_is_left_as_it_is() {
    let folder = Folder::new();
    let out = folder.path("out");
    for own in ["output.checkpoint_every=0", "output.checkpoint_every=7"] {
        let case = case("forced_block", &["scheme.end=0.02", own]);
        run(&case, &out, &mut Silent).unwrap();
        let before = folder.names();
        let bytes = files(&out);
        let mut listener = StopAfter::default();
        assert!(resume(&case, &out, &mut listener).unwrap().finished);
        assert!(listener.notices[0].ends_with("out is finished: 20 steps"), "{own}");
        assert!(before == folder.names() && bytes == files(&out));
    }
    assert!(folder.names().contains(&"out/checkpoint_14.delassus".to_string()));
    let none = case("forced_block", &["scheme.end=0.02"]);
    let error = error_of(&none, &folder.path("nowhere"));
    assert!(
        error.contains(
            "nowhere: there is no checkpoint to go on from; run the case without --resume"
        )
    );
}

#[test]
fn a_changed_case_is_refused_with_what_changed() {
    let folder = Folder::new();
    let out = folder.path("out");
    let base = ["scheme.end=1e-3", "solver.tolerance=1e-11"];
    let block = |more: &[&str]| case("sliding_block", &[&base, more].concat());
    run(&block(&[]), &out, &mut StopAfter::steps(6)).unwrap();
    let before = files(&out);
    let changes: [(&str, &str); 5] = [
        ("scheme.step=2e-4", "scheme.step: 0.0001 then, 0.0002 now"),
        ("contact.floor.friction=0.1", "contact.floor.friction: "),
        ("solver.tolerance=", "solver.tolerance: 1e-11 then, not set now"),
        ("output.history_every=2", "output.history_every: not set then, 2 now"),
        ("mesh.scale=2", "mesh.scale: not set then, 2.0 now"),
    ];
    for (change, words) in changes {
        let error = error_of(&block(&[change]), &out);
        assert!(error.contains("checkpoint_6.delassus: the case is not what it was: "), "{error}");
        assert!(error.contains(words), "{error}");
        assert!(
            error.ends_with("take that back, or run the case again without --resume"),
            "{error}"
        );
    }
    let error = error_of(&block(&["scheme.end=5e-4"]), &out);
    assert!(error.contains("it is of step 6, beyond scheme.end, which is step 5"), "{error}");
    assert!(before == files(&out), "a refusal touches nothing");
    let free = ["title=Another", "solver.memory=1e9", "output.checkpoint_every=2"];
    assert!(resume(&block(&free), &out, &mut Silent).unwrap().finished);
}

#[test]
fn a_changed_mesh_is_refused() {
    let folder = Folder::with_block();
    let case = Case::read(&folder.path("case.toml"), &[]).unwrap();
    let out = folder.path("out");
    run(&case, &out, &mut StopAfter::steps(3)).unwrap();
    let mesh = folder.read("block.msh");
    folder.write("block.msh", mesh.replacen("$EndNodes", "$EndNodes\n$Comments\n$EndComments", 1));
    let error = error_of(&case, &out);
    assert!(error.contains("mesh.file: what the file holds is not what it was"), "{error}");
    folder.write("block.msh", mesh);
    assert!(resume(&case, &out, &mut Silent).unwrap().finished);
}

#[test]
fn files_that_were_changed_from_outside_are_refused() {
    let folder = Folder::new();
    let out = folder.path("out");
    let case = with_cadence("forced_block", &["scheme.end=0.02"]);
    run(&case, &out, &mut StopAfter::steps(11)).unwrap();
    let history = out.join("history.csv");
    let rows = std::fs::read(&history).unwrap();
    std::fs::write(&history, &rows[..rows.len() - 1]).unwrap();
    let error = error_of(&case, &out);
    assert!(error.contains("history.csv: it has "), "{error}");
    assert!(error.contains("it was changed since; run the case again without --resume"), "{error}");
    std::fs::write(&history, &rows).unwrap();
    std::fs::remove_file(out.join("fields/step_06.vtu")).unwrap();
    let error = error_of(&case, &out);
    assert!(
        error.contains("step_06.vtu: it is gone, and no checkpoint is older; put it"),
        "{error}"
    );
}

/// A damaged checkpoint is told and the one before is taken; where both are, nothing is touched.
#[test]
fn damaged_checkpoints_are_never_taken_for_good_ones() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    let case = case("forced_block", &["scheme.end=0.02", CADENCE[2]]);
    run(&case, &whole, &mut Silent).unwrap();
    run(&case, &out, &mut StopAfter::steps(13)).unwrap();
    let [newest, older] = [13, 10].map(|step| out.join(format!("checkpoint_{step}.delassus")));
    let [good, second] = [&newest, &older].map(|path| std::fs::read(path).unwrap());
    let restore = || {
        std::fs::write(&newest, &good).unwrap();
        std::fs::write(&older, &second).unwrap();
    };
    let cuts = (0..good.len()).step_by(37).map(|at| good[..at].to_vec());
    let flips = (0..good.len()).step_by(41).map(|at| {
        let mut flipped = good.clone();
        flipped[at] ^= 1 << (at % 8);
        flipped
    });
    let damages: Vec<Vec<u8>> = cuts.chain(flips).chain([[&good[..], b"more"].concat()]).collect();
    assert!(damages.len() > 60);
    for (at, damaged) in damages.iter().enumerate() {
        restore();
        std::fs::write(&newest, damaged).unwrap();
        let mut listener = StopAfter::steps(if at % 10 == 0 { 1000 } else { 0 });
        let summary = resume(&case, &out, &mut listener).unwrap();
        assert!(listener.notices[0].contains("checkpoint_13.delassus is damaged: "), "{at}");
        assert_eq!(listener.notices[1], "going on after step 10 of 20");
        assert!(!newest.exists(), "what cannot be gone on from goes");
        if summary.finished {
            assert_same(&whole, &out, "after damage");
            run(&case, &out, &mut StopAfter::steps(13)).unwrap();
        }
    }
    restore();
    std::fs::write(&newest, &good[..40]).unwrap();
    std::fs::write(&older, b"").unwrap();
    let before = files(&out);
    let error = error_of(&case, &out);
    assert!(
        error.contains("no checkpoint is whole; run the case again without --resume"),
        "{error}"
    );
    assert!(before == files(&out));
}

/// Kills that the environment asks for with KILLS, or a few.
fn kills_wanted(few: usize) -> usize {
    std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Kill −9 at moments that a fixed seed chooses, again and again, with one thread or two.
fn holds_where_it_is_killed(folder: &Folder, most: usize, what: &str) {
    let begun = Instant::now();
    assert!(spawn(folder, &["--out", "whole"]).wait().unwrap().success(), "{what}");
    let whole = begun.elapsed();
    let mut random = Random::new(11);
    let mut share = || 0.5 * (random.signed() + 1.0);
    let (mut kills, mut cut, mut finished, out) = (0, 0, 0, folder.path("out"));
    while kills < most || finished == 0 {
        let threads = if share() < 0.5 { "1" } else { "2" };
        let mut arguments = vec!["--out", "out", "--threads", threads];
        arguments.extend(is_resumable(&out).then_some("--resume"));
        let mut child = spawn(folder, &arguments);
        if kills < most {
            std::thread::sleep(whole.mul_f64(0.6 * share()));
            child.kill().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            None => {
                kills += 1;
                cut += assert_intact(&folder.path("whole"), &out, Ended::Killed, what);
            }
            Some(0) => {
                assert_same(&folder.path("whole"), &out, what);
                std::fs::remove_dir_all(&out).unwrap();
                finished += 1;
            }
            code => panic!("{what}: {code:?}: {}", stderr(&output)),
        }
    }
    eprintln!(
        "{what}: {kills} kills, {cut} within a row, {finished} runs finished with the same bytes"
    );
}

#[test]
fn a_run_that_is_killed_at_any_moment_goes_on_with_the_same_bytes() {
    holds_where_it_is_killed(&long_block(1500), kills_wanted(25), "block");
}

/// Pairs of bodies come, slide along each other and go, a rock is born: what a checkpoint holds of them is all that the
/// steps after it need.
#[test]
fn a_wall_that_a_rock_strikes_goes_on_with_the_same_bytes_wherever_it_is_killed() {
    let folder = Folder::new();
    std::fs::copy(repository("cases/rockwall/struck_wall.toml"), folder.path("case.toml")).unwrap();
    holds_where_it_is_killed(&folder, kills_wanted(10), "wall");
    let history = Table::read(&folder.path("whole/history.csv")).unwrap();
    let at = history.columns.iter().position(|column| column == "contacts").unwrap();
    let counts: Vec<f64> = history.rows.iter().map(|row| row[at]).collect();
    let changes = counts.windows(2).filter(|two| two[0] != two[1]).count();
    assert!(changes > 20, "contacts must come and go to be tested, and did so {changes} times");
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_after_its_step_with_valid_files_and_a_checkpoint() {
    let folder = long_block(20_000);
    let text = folder.read("case.toml").replace("checkpoint_every = 25", "checkpoint_every = 0");
    folder.write("case.toml", text);
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = spawn(&folder, &["--out", "a folder", "--set", "scheme.end=2.0"]);
        while !folder.path("a folder/fields/step_00060.vtu").exists() {
            std::thread::sleep(Duration::from_millis(2));
        }
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.starts_with("interrupted after step "), "{said}");
        let remedy =
            "go on with: delassus run case.toml --out 'a folder' --set scheme.end=2.0 --resume\n";
        assert!(said.ends_with(remedy), "{said}");
        let summary = Summary::read(&folder.path("a folder/summary.json")).unwrap();
        assert!(!summary.finished);
        let step = summary.counts.steps;
        assert!(folder.path(&format!("a folder/checkpoint_{step}.delassus")).exists());
        let history = Table::read(&folder.path("a folder/history.csv")).unwrap();
        assert_eq!(history.rows.len(), step + 1, "every step has its row");
        Table::read(&folder.path("a folder/contacts.csv")).unwrap();
        let frames = listed(&folder.read("a folder/fields.pvd"));
        assert_eq!(frames.len(), step / 60 + 1);
        assert!(frames.iter().all(|frame| folder.path(&format!("a folder/{frame}")).exists()));
        let verdict = folder.delassus(&["verify", "a folder"]);
        assert_eq!(verdict.status.code(), Some(0));
        let told = stdout(&verdict);
        assert!(
            told.contains(&format!("the run was interrupted: {step} of 20000 steps;")),
            "{told}"
        );
        assert!(told.contains("this is no verdict"), "{told}");
        std::fs::remove_dir_all(folder.path("a folder")).unwrap();
    }
}

/// What Ctrl-C leaves is gone on with to the bytes of a run that it never met.
#[cfg(unix)]
#[test]
fn a_run_that_was_interrupted_goes_on_with_the_same_bytes() {
    let folder = long_block(2500);
    assert!(spawn(&folder, &["--out", "whole"]).wait().unwrap().success());
    let mut interrupts = 0;
    loop {
        let mut arguments = vec!["--out", "out"];
        arguments.extend(is_resumable(&folder.path("out")).then_some("--resume"));
        let mut child = spawn(&folder, &arguments);
        // The list of a run that begins, no summary of one that goes on: its steps are under way.
        let [list, summary] = ["out/fields.pvd", "out/summary.json"].map(|name| folder.path(name));
        while (!list.exists() || summary.exists()) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(40));
        if interrupts < 5 && child.try_wait().unwrap().is_none() {
            signal(&child, "-INT");
        }
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => break,
            // None where the signal came before the program listened.
            Some(130) | None => interrupts += 1,
            code => panic!("{code:?}: {}", stderr(&output)),
        }
    }
    assert!(interrupts > 0, "the run was too short to be interrupted");
    assert_same(&folder.path("whole"), &folder.path("out"), "interrupted");
}

/// Before the first step there is nothing to save: a mesh that never comes is waited for no longer.
#[cfg(unix)]
#[test]
fn ctrl_c_before_the_first_step_ends_at_once_and_leaves_nothing() {
    let folder = Folder::with_block();
    std::fs::remove_file(folder.path("block.msh")).unwrap();
    let pipe = Command::new("mkfifo").arg(folder.path("block.msh")).status().unwrap();
    assert!(pipe.success());
    let before = folder.names();
    let mut child = spawn(&folder, &["--out", "out"]);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits for its mesh");
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(folder.names(), before);
}

/// A finished run that has no checkpoint is one of its own case only, and only with all of its files.
#[test]
fn a_finished_run_of_another_case_or_without_a_file_is_refused() {
    let folder = Folder::with_block();
    let read = |more: &[&str]| {
        let more: Vec<String> = more.iter().map(|set| set.to_string()).collect();
        Case::read(&folder.path("case.toml"), &more).unwrap()
    };
    let (out, frames) = (folder.path("out"), "output.fields_every=5");
    run(&read(&[frames]), &out, &mut Silent).unwrap();
    let before = files(&out);
    let error = error_of(&read(&[frames, "contact.floor.friction=0.05"]), &out);
    let words = "the case is not what it was: contact.floor.friction: 0.5 then, 0.05 now";
    assert!(error.contains("summary.json: ") && error.contains(words), "{error}");
    let mesh = folder.read("block.msh");
    folder.write("block.msh", mesh.replacen("$EndNodes", "$EndNodes\n$Comments\n$EndComments", 1));
    let error = error_of(&read(&[frames]), &out);
    assert!(error.contains("mesh.file: what the file holds is not what it was"), "{error}");
    std::fs::remove_file(folder.path("block.msh")).unwrap();
    let error = error_of(&read(&[frames]), &out);
    assert!(error.contains("mesh.file: the file cannot be read"), "{error}");
    folder.write("block.msh", mesh);
    assert!(before == files(&out), "a refusal touches nothing");
    assert!(resume(&read(&[frames]), &out, &mut Silent).unwrap().finished);
    for name in ["contacts.csv", "history.csv", "fields/step_05.vtu", "contacts/step_10.vtu"] {
        let bytes = std::fs::read(out.join(name)).unwrap();
        std::fs::remove_file(out.join(name)).unwrap();
        let error = error_of(&read(&[frames]), &out);
        assert!(
            error.ends_with(&format!("{name}: it is gone; run the case again without --resume"))
        );
        std::fs::write(out.join(name), bytes).unwrap();
    }
}

/// Rows that the newest checkpoint counts on are gone, but not those of the one before.
#[test]
fn a_history_shorter_than_the_newest_checkpoint_is_gone_on_with_after_the_older_one() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    let case = with_cadence("forced_block", &["scheme.end=0.02"]);
    run(&case, &whole, &mut Silent).unwrap();
    run(&case, &out, &mut StopAfter::steps(13)).unwrap();
    let history = std::fs::OpenOptions::new().write(true).open(out.join("history.csv")).unwrap();
    let length = history.metadata().unwrap().len();
    history.set_len(length - 10).unwrap();
    let mut listener = StopAfter::steps(1000);
    assert!(resume(&case, &out, &mut listener).unwrap().finished);
    let told = "it was changed since; run the case again without --resume";
    assert!(listener.notices.iter().any(|notice| notice.ends_with(told)), "{:?}", listener.notices);
    assert!(listener.notices.contains(&"going on after step 10 of 20".to_string()));
    assert_same(&whole, &out, "shortened");
}

/// A damaged summary is no reason not to go on from a good checkpoint.
#[test]
fn a_damaged_summary_is_written_anew_from_the_checkpoint() {
    let folder = Folder::new();
    let (whole, out) = (folder.path("whole"), folder.path("out"));
    let case = with_cadence("forced_block", &["scheme.end=0.02"]);
    run(&case, &whole, &mut Silent).unwrap();
    run(&case, &out, &mut Silent).unwrap();
    std::fs::write(out.join("summary.json"), "{\n  \"version\": \"0.1.0\"").unwrap();
    assert!(resume(&case, &out, &mut Silent).unwrap().finished);
    assert_same(&whole, &out, "damaged summary");
}
