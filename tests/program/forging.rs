//! Every single field of the files of a run, edited: by a hand that does not know of the seals, and by one that does.
//!
//! The first is always found. The second writes seals and digests anew, as anyone can; then what is left is whether the
//! numbers follow from each other, and no edit may turn a run that created energy into one that did not.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::path::Path;

use delassus::energy::{Term, Verdict};
use delassus::output::{Summary, digest};
use delassus::verify::{Verification, verify};
use serde_json::Value;

use crate::support::{Folder, stderr};

/// A short run of the sliding block with a law.
fn run(law: &str) -> Folder {
    let folder = Folder::with_block();
    let text = folder.read("case.toml").replace("end = 1e-3", "end = 0.5");
    folder.write("case.toml", text);
    let law = format!("scheme.law={law}");
    let output = folder.run(&["--quiet", "--set", &law, "--set", "scheme.step=1e-2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

/// What files say after an edit: `None` where they are refused.
fn judge(folder: &Folder) -> Option<Verification> {
    verify(&folder.path("out")).ok()
}

/// Whether files pass for those of a run that is finished, and the verdict that they pass with.
fn passes(folder: &Folder) -> Option<Verdict> {
    let found = judge(folder)?;
    (found.holds() && found.so_far.is_none()).then_some(found.certificate.verdict)
}

/// Everything that one value may be changed to.
fn edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let x = number.as_f64().unwrap();
            let others = [0.0, 1e-300, 1e-6 * x, x * (1.0 + 1e-6), 2.0 * x, 1e6 * x, -x, x + 1.0];
            let differ = others.into_iter().filter(|other| *other != x);
            match number.is_u64() {
                true => [0, 1, 2, 1_000_000_007]
                    .map(Value::from)
                    .into_iter()
                    .filter(|v| v != value)
                    .collect(),
                false => differ.map(Value::from).collect(),
            }
        }
        Value::Bool(flag) => vec![Value::Bool(!flag)],
        Value::String(text) => {
            let words = ["dissipative", "violated", "fremond", "newton", "closed", "gap", ""];
            words.iter().filter(|word| **word != text).map(|word| Value::from(*word)).collect()
        }
        Value::Null => vec![Value::from(0.0)],
        Value::Array(_) | Value::Object(_) => Vec::new(),
    }
}

/// Paths of all leaves.
fn leaves(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(value, format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, format!("{at}/{index}"), found);
            }
        }
        _ => found.push(at),
    }
}

/// Writes a forged summary under a seal that fits it; `false` where it is none any more.
fn write_sealed(folder: &Folder, forged: Value) -> bool {
    let summary: Result<Summary, _> = serde_json::from_value(forged);
    summary.is_ok_and(|summary| summary.write(&folder.path("out/summary.json")).is_ok())
}

/// Has the summary of a folder hold the digests of its tables, under a seal.
fn seal_again(folder: &Folder, summary: &Summary) {
    let mut summary = summary.clone();
    for (name, value) in &mut summary.digests {
        *value = digest(&folder.path("out").join(name)).unwrap().unwrap();
    }
    summary.write(&folder.path("out/summary.json")).unwrap();
}

/// Keys that say how a run went and not what came out, which a file check takes as they are.
fn is_told_only(path: &str) -> bool {
    let told = [
        "/version",
        "/timings",
        "/peak_memory",
        "/predicted_memory",
        "/factor_memory",
        "/notices",
        "/solver",
        "/departures",
        "/case/mesh",
        "/case/files",
        "/case/materials",
        "/case/file",
        "/counts/nodes",
        "/counts/elements",
        "/counts/dofs",
        "/counts/masses",
        "/counts/bodies",
        "/counts/joints",
        "/counts/driven_dofs",
        "/counts/obstacles",
        "/counts/refined_steps",
        "/counts/factor_entries",
        "/scales/gap_tolerance",
        "/scheme/frames_turn",
        "/scheme/damped",
        "/scheme/largest_stable_step",
        "/seal",
        "/digests",
    ];
    told.iter().any(|start| path.starts_with(start))
}

#[test]
fn no_edit_of_a_summary_changes_the_verdict() {
    for law in ["fremond", "newton"] {
        let folder = run(law);
        let truth = if law == "fremond" { Verdict::Dissipative } else { Verdict::Violated };
        let verified = judge(&folder).unwrap();
        assert_eq!((verified.certificate.verdict, verified.holds()), (truth, law == "fremond"));
        let text = folder.read("out/summary.json");
        let summary: Value = serde_json::from_str(&text).unwrap();
        let mut paths = Vec::new();
        leaves(&summary, String::new(), &mut paths);
        let (mut tried, mut naive, mut knowing, mut harmless) = (0, 0, 0, 0);
        for path in &paths {
            for edit in edits(summary.pointer(path).unwrap()) {
                tried += 1;
                let mut forged = summary.clone();
                *forged.pointer_mut(path).unwrap() = edit.clone();
                folder.write(
                    "out/summary.json",
                    serde_json::to_string_pretty(&forged).unwrap() + "\n",
                );
                naive += usize::from(passes(&folder).is_some());
                if !write_sealed(&folder, forged) {
                    continue;
                }
                let Some(verdict) = passes(&folder) else { continue };
                assert_eq!(verdict, truth, "{path} = {edit} changes the verdict of {law}");
                assert_ne!(law, "newton", "{path} = {edit} makes a run that created energy pass");
                match is_told_only(path) {
                    true => harmless += 1,
                    false => {
                        println!("passes under a new seal: {path} = {edit}");
                        knowing += 1;
                    }
                }
            }
        }
        println!(
            "summary.json, {law}: {tried} edits of {} fields; {naive} pass, and under a new seal {knowing} of what \
             is judged and {harmless} of what is only told",
            paths.len()
        );
        assert!(tried > 500 && naive == 0, "{naive} of {tried} edits pass");
        assert_eq!(knowing, 0);
        folder.write("out/summary.json", text);
    }
}

/// The rows of a table, each cell by itself.
fn cells(table: &str) -> Vec<Vec<String>> {
    table.lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

fn table_of(cells: &[Vec<String>]) -> String {
    cells.iter().map(|row| row.join(",") + "\n").collect()
}

/// Columns that a row has alone, and that no other number follows from.
const TOLD_ONLY: [&str; 15] = [
    "normal_impulse",
    "tangential_impulse",
    "iterations",
    "solver_error",
    "max_penetration",
    "max_rotation",
    "max_strain",
    "min_tangential_work",
    "closings",
    "stick_steps",
    "slip_steps",
    "x",
    "y",
    "node",
    "face",
];

fn forge_table(folder: &Folder, law: &str, name: &str) {
    let path = format!("out/{name}");
    let (text, summary_text) = (folder.read(&path), folder.read("out/summary.json"));
    let summary: Summary = serde_json::from_str(&summary_text).unwrap();
    let table = cells(&text);
    let (mut tried, mut naive, mut knowing, mut harmless) = (0, 0, 0, 0);
    for row in (1..table.len()).step_by(3) {
        for column in 0..table[0].len() {
            let Ok(x) = table[row][column].parse::<f64>() else { continue };
            for edit in [0.0, 1e-6 * x, x * (1.0 + 1e-6), 2.0 * x, -x, x + 1.0] {
                if edit == x {
                    continue;
                }
                tried += 1;
                let mut forged = table.clone();
                forged[row][column] = format!("{edit:?}");
                folder.write(&path, table_of(&forged));
                naive += usize::from(passes(folder).is_some());
                seal_again(folder, &summary);
                let passed = passes(folder);
                folder.write("out/summary.json", &summary_text);
                let Some(verdict) = passed else { continue };
                assert_eq!(verdict, Verdict::Dissipative);
                let what = format!("{name}, row {row}: {} = {edit:?} for {x:?}", table[0][column]);
                assert_ne!(law, "newton", "{what} makes a run that created energy pass");
                match TOLD_ONLY.contains(&&*table[0][column]) {
                    true => harmless += 1,
                    false => {
                        if knowing < 12 {
                            println!("passes under new digests: {what}");
                        }
                        knowing += 1;
                    }
                }
            }
        }
    }
    folder.write(&path, text);
    println!(
        "{name}, {law}: {tried} edits; {naive} pass, and under new digests {knowing} of what is judged and \
         {harmless} of what is only told"
    );
    assert!(tried > 20 && naive == 0, "{naive} of {tried} edits of {name} pass");
}

#[test]
fn no_edit_of_a_table_changes_the_verdict() {
    for law in ["fremond", "newton"] {
        let folder = run(law);
        assert!(Path::new(&folder.path("out/history.csv")).exists());
        ["history.csv", "contacts.csv", "bodies.csv"]
            .iter()
            .for_each(|name| forge_table(&folder, law, name));
    }
}

/// Every term is in a sum that the files make anew: one that is off in one row is found without any digest.
#[test]
fn verify_makes_the_sum_of_every_term_anew() {
    let folder = run("fremond");
    let (text, summary_text) = (folder.read("out/history.csv"), folder.read("out/summary.json"));
    let summary: Summary = serde_json::from_str(&summary_text).unwrap();
    let table = cells(&text);
    let row = table.len() / 2;
    for term in Term::ALL {
        let name = term.line().column;
        let column = table[0].iter().position(|column| column == name).unwrap();
        let mut forged = table.clone();
        let number: f64 = table[row][column].parse().unwrap();
        forged[row][column] = format!("{:?}", number + 1e-6 * summary.certificate.energy_scale);
        folder.write("out/history.csv", table_of(&forged));
        seal_again(&folder, &summary);
        let found = judge(&folder).unwrap();
        let failed: Vec<&str> =
            found.checks.iter().filter(|check| !check.holds).map(|check| &*check.what).collect();
        let sums = ["energies of each row add up", "energies and works of each row balance"];
        let is_sum = |what: &&str| sums.iter().any(|sum| what.starts_with(sum));
        assert!(failed.iter().any(is_sum), "{name}: {failed:?}");
    }
    folder.write("out/history.csv", text);
    folder.write("out/summary.json", summary_text);
}
