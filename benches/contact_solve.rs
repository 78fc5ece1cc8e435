//! Every method on cone problems, from a cold start: the saved ones of `benches/problems` (a step of the
//! sliding block, a dragged tower of 25 boxes whose top is a thousand times heavier than its foot, a
//! packing of spheres), rigid bodies made anew, and those of any folder given as an argument. With
//! `--large`, a packing of 8000 spheres on one thread and on all, which takes minutes to make.
//!
//! ```sh
//! cargo bench --bench contact_solve -- path/to/fclib/problems
//! cargo bench --bench contact_solve -- --large
//! ```
#![allow(clippy::print_stdout)]

#[path = "../tests/support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../tests/support/rigid.rs"]
mod rigid;
mod support;

use std::path::{Path, PathBuf};

use delassus::contact::Measure;
use delassus::contact::solver::Method;
use delassus::friction::{self, FrictionProblem, Request};
use support::print_time;

fn main() {
    if std::env::args().any(|argument| argument == "--large") {
        return bench_threads();
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join("problems");
    let given = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    for folder in std::iter::once(own).chain(given.map(PathBuf::from)) {
        let entries = std::fs::read_dir(&folder).expect("a folder of problems");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in &files {
            bench(&friction::read(file).expect("a problem file"));
        }
    }
    for (name, assembly) in [
        ("tower-100-dragged", rigid::tower(100, 1.0).dragged(2.0)),
        ("arch-100", rigid::arch(100, 0.11, 0.4)),
        ("wall-12x10-dragged", rigid::wall(12, 10).dragged(1.0)),
        ("packing-200", rigid::packing(200, 3, 1).with_friction(0.9)),
        ("packing-800", rigid::packing(800, 3, 1).with_friction(0.3)),
    ] {
        bench(&made(name, &assembly));
    }
}

fn made(name: &str, assembly: &rigid::Assembly) -> FrictionProblem {
    FrictionProblem { name: name.into(), cone: assembly.problem(), bodies: None, reduction: 0.0 }
}

fn is_test() -> bool {
    std::env::args().all(|argument| argument != "--bench")
}

fn bench(problem: &FrictionProblem) {
    for method in Method::ALL {
        let request = Request {
            method,
            tolerance: 1e-8,
            measure: Measure::Natural,
            max_iterations: if is_test() { 100 } else { 100_000_000 },
            time_limit: if is_test() { 0.05 } else { 5.0 },
            repeat: if is_test() { 1 } else { 5 },
        };
        print_outcome(problem, &request, "");
    }
}

/// A fixed number of sweeps, in order and by colours.
fn bench_threads() {
    let problem = made("packing-8000", &rigid::packing(8000, 3, 1).with_friction(0.3));
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, all] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        for method in [Method::Accelerated, Method::Coloured] {
            let request = Request {
                method,
                tolerance: 1e-15,
                measure: Measure::Natural,
                max_iterations: 600,
                time_limit: f64::INFINITY,
                repeat: 1,
            };
            let told = format!("/{threads}-threads");
            pool.as_ref().expect("threads").install(|| print_outcome(&problem, &request, &told));
        }
    }
}

fn print_outcome(problem: &FrictionProblem, request: &Request, told: &str) {
    let (outcome, _) = friction::solve(problem, request);
    let name = format!("contact_solve/{}/{}{told}", outcome.solver, outcome.problem);
    let mark = if outcome.converged { "" } else { ", not solved" };
    let how = format!("{} iterations, {:.0e}{mark}", outcome.iterations, outcome.error);
    print_time(&format!("{name} ({how})"), outcome.seconds);
}
