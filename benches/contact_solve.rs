//! Every method on saved cone problems, from a cold start: those of `benches/problems` (a step of the
//! sliding block, a dragged tower of 25 boxes whose top is a thousand times heavier than its foot, a
//! packing of spheres), and those of any folder given as an argument:
//!
//! ```sh
//! cargo bench --bench contact_solve -- path/to/fclib/problems
//! ```
#![allow(clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};

use delassus::contact::Measure;
use delassus::contact::solver::Method;
use delassus::friction::{self, Request};
use support::print_time;

fn main() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join("problems");
    let given = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    for folder in std::iter::once(own).chain(given.map(PathBuf::from)) {
        let entries = std::fs::read_dir(&folder).expect("a folder of problems");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        files.iter().for_each(|file| bench(file));
    }
}

fn bench(file: &Path) {
    let problem = friction::read(file).expect("a problem file");
    let testing = std::env::args().all(|argument| argument != "--bench");
    for method in Method::ALL {
        let request = Request {
            method,
            tolerance: 1e-8,
            measure: Measure::Scaled,
            max_iterations: if testing { 100 } else { 1_000_000 },
            time_limit: if testing { 0.1 } else { 5.0 },
            repeat: if testing { 1 } else { 20 },
        };
        let (outcome, _) = friction::solve(&problem, &request);
        let name = format!("contact_solve/{}/{}", method.name(), problem.name);
        let told = format!("{} iterations, {:.0e}", outcome.iterations, outcome.error);
        let mark = if outcome.converged { "" } else { ", not solved" };
        print_time(&format!("{name} ({told}{mark})"), outcome.seconds);
    }
}
