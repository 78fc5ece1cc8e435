//! What a newcomer does first: `demo`, `new`, `run --dry-run`, and watching a run.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use delassus::output::Summary;
use delassus::simulation;

use crate::support::{Folder, Silent, block_case, case, repository, run, stderr, stdout};

const TEMPLATES: [&str; 4] = ["sliding-block", "impacting-bar", "3d-block", "stick"];

/// The same bits as the case of the repository, in a folder that holds nothing.
#[test]
fn the_demo_is_the_sliding_block_from_the_program_alone() {
    let folder = Folder::new();
    let short = ["--set", "scheme.end=0.05"];
    let output = folder.delassus(&[&["demo"], &short[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("verdict     dissipative"), "{said}");
    assert!(said.contains("open next   results/demo/fields.pvd in ParaView"), "{said}");
    assert!(said.contains("delassus new my-block"), "{said}");
    let path = repository("cases/sliding_block.toml");
    let path = path.to_str().unwrap();
    let output = folder.delassus(&[&["run", path, "--out", "own"], &short[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(folder.read("results/demo/history.csv"), folder.read("own/history.csv"));
    assert_eq!(folder.read("results/demo/contacts.csv"), folder.read("own/contacts.csv"));
}

#[test]
fn the_demo_takes_overrides_and_points_at_those_that_are_wrong() {
    let folder = Folder::new();
    let output = folder.delassus(&["demo", "--set", "scheme.law=newtn", "--quiet"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean \"newton\"?"), "{}", stderr(&output));
    // Another mesh is looked for on disk, not replaced by the one inside.
    let output = folder.delassus(&["demo", "--set", "mesh.file=none.msh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read the mesh 'none.msh'"), "{}", stderr(&output));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn every_template_runs_as_it_is_and_ends_with_a_verdict_in_seconds() {
    for template in TEMPLATES {
        let folder = Folder::new();
        let output = folder.delassus(&["new", "my-case", "--template", template]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = folder.read("my-case/my-case.toml");
        assert!(text.starts_with("#:schema ./delassus.schema.json\n"), "{text}");
        assert!(!text.contains("../meshes") && !text.contains("cargo "), "{text}");
        let schema: serde_json::Value =
            serde_json::from_str(&folder.read("my-case/delassus.schema.json")).unwrap();
        assert_eq!(schema, delassus::case::schema());
        let output = folder.delassus(&["run", "my-case/my-case.toml", "--out", "out"]);
        assert!(output.status.success(), "{template}: {}", stderr(&output));
        assert!(stdout(&output).contains("verdict     dissipative"), "{}", stdout(&output));
        let summary = Summary::read(&folder.path("out/summary.json")).unwrap();
        assert!(summary.timings.total < 60.0, "{template}: {} s", summary.timings.total);
    }
}

/// Each table has a comment above its first appearance, and what the header tells to try works.
#[test]
fn a_new_case_explains_its_tables_and_what_it_says_to_try_works() {
    for template in TEMPLATES {
        let folder = Folder::new();
        folder.delassus(&["new", "my-case", "--template", template]);
        let text = folder.read("my-case/my-case.toml");
        for table in text.lines().filter(|line| line.starts_with('[')) {
            let first = table.trim_start_matches('[').split(['.', ']']).next().unwrap();
            assert!(text.contains(&format!("see delassus keys {first}")), "{template}: {table}");
        }
        let tries = text.lines().filter_map(|line| line.split_once("my-case.toml --set "));
        let mut count = 0;
        for (_, set) in tries {
            let set = set.split_whitespace().next().unwrap();
            let case = ["run", "my-case/my-case.toml", "--dry-run", "--set", set];
            let output = folder.delassus(&case);
            assert!(output.status.success(), "{template}: {set}: {}", stderr(&output));
            count += 1;
        }
        assert_eq!(count, 3, "{template}");
    }
}

#[test]
fn a_new_case_never_overwrites_and_is_made_whole_or_not_at_all() {
    let folder = Folder::new();
    assert!(folder.delassus(&["new", "block"]).status.success());
    let expected = [
        "block",
        "block/block.geo",
        "block/block.msh",
        "block/block.toml",
        "block/delassus.schema.json",
    ];
    assert_eq!(folder.names(), expected);
    folder.write("block/block.toml", "mine");
    let refused = [
        (
            vec!["new", "block"],
            "new block: it exists already; choose another name, or remove it first",
        ),
        (vec!["new", ".."], "new ..: it names no case; give a name such as my-block"),
        (vec!["new", ".x"], "new .x: it names no case"),
        (vec!["new", "x", "--template", "sphere"], "invalid value 'sphere'"),
    ];
    for (arguments, says) in refused {
        let output = folder.delassus(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
    // Below a file there can be no folder.
    let output = folder.delassus(&["new", "block/block.geo/x"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(
        (folder.names(), folder.read("block/block.toml")),
        (expected.map(String::from).to_vec(), "mine".into())
    );
}

/// Sizes as of the run itself, frames to a tenth.
#[test]
fn a_dry_run_foretells_what_the_run_is_and_leaves() {
    for (name, end) in
        [("sliding_block", "0.02"), ("block_on_plane_3d", "0.02"), ("newton_cradle", "0.1")]
    {
        let end = format!("scheme.end={end}");
        let set = [end.as_str(), "output.fields_every=5"];
        let foretold = simulation::rehearse(&case(name, &set), &mut Silent).unwrap();
        let folder = Folder::new();
        let summary = simulation::run(&case(name, &set), &folder.path("out"), &mut Silent).unwrap();
        // What only the run can tell.
        let counts = delassus::output::Counts {
            refined_steps: 0,
            pairs: 0,
            most_contacts: 0,
            most_contacts_of_bodies: 0,
            ..summary.counts
        };
        assert_eq!(foretold.counts, counts, "{name}");
        assert_eq!(foretold.scales, summary.scales);
        assert_eq!(foretold.coverage, summary.certificate.coverage);
        assert_eq!(foretold.memory as u64, summary.predicted_memory);
        let bytes = |part: &str| -> u64 {
            let names = folder.names().into_iter().filter(|name| name.contains(part));
            names.map(|name| folder.path(&name).metadata().unwrap().len()).sum()
        };
        let frames = folder.names().iter().filter(|name| name.contains("fields/step")).count();
        assert_eq!((foretold.disk.frames, foretold.disk.rows), (frames, summary.counts.steps + 1));
        // A row of a history is shorter where works and residuals are 0.
        let pairs = [
            ("frames", foretold.disk.frame_bytes, bytes("/step_"), 0.9..1.1),
            ("history", foretold.disk.row_bytes, bytes("history.csv"), 0.8..2.0),
        ];
        for (what, foretold, there, range) in pairs {
            let ratio = foretold as f64 / there as f64;
            println!("{name}: {what} {foretold} for {there}");
            assert!(range.contains(&ratio), "{name}: {what} {foretold} for {there}");
        }
        assert!(foretold.seconds_per_step > 0.0 && foretold.tried >= 3);
    }
}

#[test]
fn a_dry_run_leaves_nothing_and_fails_as_the_run_would() {
    let folder = Folder::with_block();
    let before = folder.names();
    let output = folder.run(&["--dry-run"]);
    let said = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    for what in [
        "mesh        1227 nodes",
        "fremond law, 10 steps",
        "theorem     covers the run",
        "activation  g <= ",
        "entries",
        "memory",
        "material    pmma: plane stress",
        "frames of fields",
        "measured on the first",
        "nothing was written",
    ] {
        assert!(said.contains(what), "no '{what}' in {said}");
    }
    let output = folder.run(&["--dry-run", "--set", "scheme.law=newton"]);
    assert!(stdout(&output).contains("theorem     does not cover the run: it asks friction on"));
    let bad = [
        "contact.floor.group=contcat",
        "scheme.theta=0.4",
        "mesh.file=none.msh",
        "solver.memory=1e-6",
    ];
    for set in bad {
        let (dry, wet) = (folder.run(&["--dry-run", "--set", set]), folder.run(&["--set", set]));
        assert_eq!(dry.status.code(), wet.status.code(), "{set}");
        assert_ne!(dry.status.code(), Some(0), "{set}");
        assert_eq!(stderr(&dry), stderr(&wet), "{set}");
    }
    assert_eq!(folder.names(), before);
}

/// A run of a million steps, watched for two lines and then ended.
#[test]
fn without_a_terminal_a_line_comes_every_few_seconds_by_the_clock() {
    let folder = Folder::with_block();
    let arguments = ["run", "case.toml", "--out", "out", "--set", "scheme.end=100"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    let command = command.args(arguments).args(["--set", "output.history_every=0"]);
    let command = command.current_dir(folder.path("")).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut heard: Vec<(Instant, String)> = Vec::new();
    for line in lines {
        let line = line.unwrap();
        if line.contains(" steps/s") {
            heard.push((Instant::now(), line));
        }
        if heard.len() == 2 {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let between = heard[1].0 - heard[0].0;
    assert!(
        (Duration::from_millis(2500)..Duration::from_secs(20)).contains(&between),
        "{between:?}"
    );
    for part in [
        " % ",
        " left, ",
        " steps/s, step ",
        " of 1,000,000, t = ",
        "energy ",
        " contacts, ",
        " iterations",
    ] {
        assert!(heard[1].1.contains(part), "no '{part}' in '{}'", heard[1].1);
    }
}

#[test]
fn a_comparison_tells_each_run_that_is_over() {
    let folder = Folder::new();
    folder.write("case.toml", block_case());
    std::fs::copy(repository("meshes/sliding_block.msh"), folder.path("block.msh")).unwrap();
    let schemes = "moreau-jean:law=newton,moreau-jean:law=fremond";
    let output = folder.delassus(&["compare", "case.toml", "--schemes", schemes, "--out", "out"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 of 2  moreau-jean:law=") && said.contains("2 of 2  moreau-jean:law="));
    assert!(said.contains("10 steps in "), "{said}");
    let quiet = ["compare", "case.toml", "--schemes", schemes, "--out", "out", "--quiet"];
    assert_eq!(stderr(&folder.delassus(&quiet)), "");
}

#[test]
fn the_summary_names_the_files_that_are_there() {
    let folder = Folder::with_block();
    let said = stdout(&folder.run(&["--set", "output.history_every=0"]));
    let next = said.lines().find(|line| line.contains("open next")).unwrap();
    assert_eq!(next, "  open next   out/contacts.csv, out/summary.json");
    let (summary, _) = run("sliding_block", &["scheme.end=1e-3"]);
    assert_eq!(summary.counts.steps, 10);
}
