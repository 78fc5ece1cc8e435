//! All solutions of a step: of cases, by the program, and of rigid bodies.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::process::Command;

use delassus::explore::{
    Determinacy, ExploreRequest, ExploredStep, explore, write_cloud, write_solutions,
};

use crate::support::rigid::{Assembly, arch, packing, tower};
use crate::support::{Folder, Table, repository, stderr, stdout};

/// The sliding block of the repository, with these values on top.
fn explore_block(folder: &Folder, more: &[&str]) -> std::process::Output {
    let case = repository("cases/sliding_block.toml");
    folder.delassus(&[&["explore", case.to_str().unwrap(), "--out", "out"], more].concat())
}

#[test]
fn a_step_of_the_sliding_block_has_one_solution() {
    let folder = Folder::new();
    let arguments = ["--set", "scheme.step=1e-3", "--step", "20", "--samples", "50"];
    let output = explore_block(&folder, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    assert!(printed.contains("verdict     unique"), "{printed}");
    assert!(printed.contains("50 of 50 solved") && printed.contains("outcome 1   50 samples"));
    assert!(!printed.contains("outcome 2"));
    assert_eq!(folder.names(), ["out", "out/cloud.svg", "out/solutions.csv"]);
    let table = folder.read("out/solutions.csv");
    assert_eq!(table.lines().count(), 51);
    assert!(table.starts_with("sample,start,outcome,iterations,error,u_n_"));
    assert!(table.lines().nth(1).unwrap().starts_with("0,zero,1,"));
    assert!(table.lines().nth(2).unwrap().starts_with("1,warm,1,"));
}

/// What a run adds to a node's impulse in step 20 is what the samples find there, to the tolerance of the
/// run's solver, 1e-10.
#[test]
fn the_step_explored_is_the_step_of_the_run() {
    let folder = Folder::new();
    let coarse = ["--set", "scheme.step=1e-3"];
    let output =
        explore_block(&folder, &[&coarse[..], &["--step", "20", "--samples", "2"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let impulses = |steps: &str| -> Vec<(String, f64)> {
        let case = repository("cases/sliding_block.toml");
        let end = format!("scheme.end={steps}e-3");
        let case = ["run", case.to_str().unwrap(), "--quiet", "--out", "run", "--set", &end];
        let output = folder.delassus(&[&case[..], &coarse].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let rows = folder.read("run/contacts.csv");
        let rows = rows.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        rows.map(|row| (row[1].to_string(), row[6].parse().unwrap())).collect()
    };
    let (before, after) = (impulses("19"), impulses("20"));
    let text = folder.read("out/solutions.csv");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
    let largest = after.iter().map(|(_, p)| p.abs()).fold(0.0, f64::max);
    for ((node, before), (_, after)) in before.iter().zip(&after) {
        let column = names.iter().position(|name| *name == format!("p_n_{node}"));
        let found: f64 = column.map_or(0.0, |column| values[column].parse().unwrap());
        let apart = (after - before - found).abs();
        assert!(apart < 1e-8 * largest, "node {node}: {found} and {}", after - before);
    }
}

/// Nothing of the answer depends on the number of threads.
#[test]
fn the_files_have_the_same_bits_for_any_number_of_threads() {
    let folder = Folder::new();
    let case = repository("cases/sliding_block.toml");
    for threads in ["1", "3"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.current_dir(folder.path("")).env("RAYON_NUM_THREADS", threads);
        command.arg("explore").arg(&case).args(["--step", "40", "--samples", "40", "--quiet"]);
        let output = command.args(["--out", threads]).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
    }
    for file in ["solutions.csv", "cloud.svg"] {
        assert_eq!(folder.read(&format!("1/{file}")), folder.read(&format!("3/{file}")), "{file}");
    }
}

/// Pressed on a floor that sticks, the block is in equilibrium; under its traction it is not.
#[test]
fn rest_is_told_from_motion() {
    let folder = Folder::new();
    let held = [
        ["--set", "contact.floor.friction=5"],
        ["--set", "load.weight.gravity=[0,0]"],
        ["--set", "load.shake.traction=[0,0]"],
    ];
    let common = ["--rest", "--samples", "20"];
    let output = explore_block(&folder, &[&common[..], held.as_flattened()].concat());
    assert!(stdout(&output).contains("rest        can rest;"), "{}", stdout(&output));
    let output = explore_block(&folder, &common);
    assert!(stdout(&output).contains("rest        cannot rest;"), "{}", stdout(&output));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let refused: [(&[&str], &str); 6] = [
        (&[], "--step <K>"),
        (&["--step", "1", "--rest"], "cannot be used with"),
        (&["--step", "0"], "--step 0: the case has 10000 steps; give one of 1 to 10000"),
        (&["--step", "10001"], "--step 10001: the case has 10000 steps"),
        (&["--step", "1", "--samples", "1"], "invalid value '1' for '--samples <N>'"),
        (
            &["--step", "1", "--samples", "2", "--contacts", "none"],
            "--contacts: no active contact at node 'none'; the active ones are ",
        ),
    ];
    for (arguments, says) in refused {
        let output = explore_block(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(says), "{arguments:?}: {}", stderr(&output));
    }
    let case = repository("cases/bouncing_bar.toml");
    let output = folder.delassus(&["explore", case.to_str().unwrap(), "--step", "1"]);
    assert!(
        stderr(&output).contains("no contact is active at t = 0, so there is nothing to explore")
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

const REQUEST: ExploreRequest =
    ExploreRequest { samples: 100, seed: 1, tolerance: 1e-10, max_iterations: 10_000 };

fn scene(assembly: &Assembly) -> ExploredStep {
    let problem = assembly.problem();
    let contacts = (0..problem.contacts()).map(|c| c.to_string()).collect();
    let warm = vec![0.0; problem.b.len()];
    let found = explore(problem, &warm, &REQUEST);
    let speeds = vec![0.0; found.outcomes.len()];
    ExploredStep { time: 0.0, contacts, found, speeds, free_speed: 0.0 }
}

/// Bodies that all stay: the impulses that hold them are a set whose dimension is the number of impulse
/// components less the six equations of each body, as long as none of them is at the edge of its cone.
#[test]
fn impulses_of_bodies_at_rest_have_as_many_dimensions_as_there_are_equations_missing() {
    let known = [
        ("cube", tower(1, 1.0), 4 * 3 - 6),
        ("tower", tower(5, 1.0), 20 * 3 - 5 * 6),
        ("arch", arch(9, 0.2, 0.6), 40 * 3 - 9 * 6),
    ];
    for (name, assembly, dimension) in known {
        let ExploredStep { found, .. } = scene(&assembly);
        assert_eq!(found.solved(), REQUEST.samples, "{name}");
        assert_eq!(found.verdict(), Determinacy::Impulses(dimension), "{name}");
        let set = found.outcomes[0].impulses;
        assert!(set.noise < 1e-6 * set.tight && !set.at_least, "{name}: {set:?}");
    }
}

/// A tower whose ground is pulled away tips straight, or turns as it tips.
#[test]
fn a_tower_pulled_from_below_has_several_motions() {
    let ExploredStep { found, .. } = scene(&tower(5, 1.0).dragged(2.0));
    let Determinacy::Motions(2..) = found.verdict() else { panic!("{:?}", found.verdict()) };
    let u = |outcome: usize| &found.samples[found.outcomes[outcome].best].tight.u;
    let apart = u(0).iter().zip(u(1)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let noise = found.outcomes[0].velocities.noise;
    assert!(apart > 1e6 * noise, "{apart:e} {noise:e}");
}

/// Disks at rest, as in Moreau's figure 2: every dot lies in its cone, and files say what was found.
#[test]
fn clouds_of_a_packing_lie_in_their_cones_and_are_written() {
    let scene = scene(&packing(30, 2, 1));
    let found = &scene.found;
    assert!(matches!(found.verdict(), Determinacy::Impulses(10..)), "{:?}", found.verdict());
    for outcome in &found.outcomes {
        for &i in &outcome.samples {
            let contacts = found.samples[i].tight.p.chunks_exact(2).zip(&found.problem.mu);
            assert!(contacts.into_iter().all(|(p, mu)| p[1].abs() <= mu * p[0] * (1.0 + 1e-12)));
        }
    }
    let folder = Folder::new();
    write_cloud(&folder.path("cloud.svg"), &scene, &[0, 1, 2]).unwrap();
    let svg = folder.read("cloud.svg");
    assert_eq!(svg.matches("contact ").count(), 3);
    write_solutions(&folder.path("solutions.csv"), &scene).unwrap();
    let text = folder.read("solutions.csv").replace("zero", "0").replace("warm", "1");
    folder.write("numbers.csv", text.replace("random", "2"));
    let table = Table::read(&folder.path("numbers.csv"));
    assert_eq!(table.rows.len(), REQUEST.samples);
    assert_eq!(table.columns.len(), 5 + 2 * found.problem.b.len());
    let counted = table.column("outcome").iter().filter(|&&outcome| outcome > 0.0).count();
    assert_eq!(counted, found.solved());
}
