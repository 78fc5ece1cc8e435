//! A run that is stopped or killed and gone on with leaves the same bytes as one that never stopped.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

mod support;

use std::path::Path;

use delassus::case::Case;
use delassus::contact::solver::Method;
use delassus::output::{Summary, unseal};
use delassus::simulation::{Observer, Progress, resume, run};
use support::{Folder, Silent, case, stderr};

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

/// Bytes at the end of a checkpoint that tell the time: ten numbers.
const TIMINGS: usize = 80;

/// Every file below a folder but checkpoints, by name; the summary without timings and memory.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut open, mut files) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(inner) = open.pop() {
        for entry in std::fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            if name.ends_with(".delassus") {
                continue;
            }
            let mut bytes = std::fs::read(&path).unwrap();
            if name == "summary.json" {
                let mut summary: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                for key in ["timings", "peak_memory"] {
                    summary.as_object_mut().unwrap().remove(key).unwrap();
                }
                bytes = summary.to_string().into_bytes();
            }
            files.push((name, bytes));
        }
    }
    files.sort();
    files
}

/// What the checkpoint of a step holds, but for timings.
fn checkpoint(folder: &Path, step: usize) -> Vec<u8> {
    let path = folder.join(format!("checkpoint_{step}.delassus"));
    let mut bytes = unseal(std::fs::read(path).unwrap()).unwrap();
    bytes.truncate(bytes.len() - TIMINGS);
    bytes
}

fn assert_same(whole: &Path, parts: &Path, what: &str) {
    let (whole, parts) = (files(whole), files(parts));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&whole), names(&parts), "{what}");
    for ((name, one), (_, other)) in whole.iter().zip(&parts) {
        assert!(one == other, "{what}: {name} differs");
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
    assert!(checkpoint(&whole, last) == checkpoint(&out, last), "{what}: the last checkpoint differs");
    summary
}

/// Frames every three steps and rows every two, so that neither falls on the ends of the parts.
const CADENCE: [&str; 3] =
    ["output.fields_every=3", "output.history_every=2", "output.checkpoint_every=5"];

/// Cases of every kind, with an end at which their contacts have worked, and what else they need.
const CASES: [(&str, &[&str]); 11] = [
    ("sliding_block", &["scheme.step=1e-3", "scheme.end=0.05"]),
    ("impacting_bar_1d", &["scheme.end=0.08333333333333334", "contact.wall.obstacle.point=[0.0]"]),
    ("block_on_plane_3d", &["scheme.end=0.01"]),
    ("ball_on_plate", &["scheme.end=4e-6"]),
    ("brake_pad", &["scheme.end=0.02"]),
    ("pin_on_disk", &["scheme.end=0.02"]),
    ("bouncing_pendulum", &["scheme.end=1.2"]),
    ("newton_cradle", &["scheme.end=0.02"]),
    ("rocking_block", &["scheme.end=0.01"]),
    ("friction_oscillator", &["scheme.end=0.1"]),
    ("forced_block", &["scheme.end=0.1"]),
];

#[test]
fn cases_of_every_kind_go_on_with_the_same_bits() {
    for (name, own) in CASES {
        let overrides: Vec<&str> = CADENCE.iter().chain(own).copied().collect();
        holds_in_parts(&case(name, &overrides), &[7, 6], name);
    }
}
