//! Cone problems in space and from files: solved, and honest where they are not.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use delassus::contact::solver::{
    Cascade, Coloured, ContactSolver, GaussSeidel, Method, Proximal, SolveStatus, Target,
};
use delassus::contact::{BlockColumns, ConeProblem, Measure};
use delassus::friction::{self, FrictionProblem, Request};

use crate::support::random::Random;
use crate::support::{Folder, repository, stderr, stdout};

/// W = AAᵀ/n + `floor` with random A, every contact `copies` times, and random b.
fn random_problem(seed: u64, contacts: usize, copies: usize, mu: f64, floor: f64) -> ConeProblem {
    let n = 3 * contacts;
    let mut random = Random::new(1000 * seed + contacts as u64);
    let a: Vec<f64> = (0..n * n).map(|_| random.signed()).collect();
    let entry = |i: usize, j: usize| {
        let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
        product / n as f64 + if i == j { floor } else { 0.0 }
    };
    let b: Vec<f64> = (0..n).map(|_| random.signed()).collect();
    let size = copies * n;
    let w: Vec<f64> = (0..size * size).map(|k| entry(k / size % n, k % size % n)).collect();
    ConeProblem::dense(3, &w, b.repeat(copies), vec![mu; copies * contacts])
}

const TARGET: Target<'static> = Target::new(1e-10, 20_000);

/// The error is the one every solver is judged by; open, stick and slip follow from it.
fn assert_solved(solver: &mut dyn ContactSolver, problem: &ConeProblem, told: &str) -> usize {
    let mut p = vec![0.0; problem.b.len()];
    let report = solver.solve(problem, TARGET, &mut p);
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    let error = problem.error(Measure::Scaled, &p, &u);
    assert!(error <= TARGET.tolerance, "{told}: {} ends at {error:e}", solver.name());
    assert!((report.error - error).abs() <= 1e-2 * TARGET.tolerance, "{told}: {report:?}");
    report.iterations
}

#[test]
fn problems_in_space_are_solved_singular_ones_too() {
    let mut most = [0; 3];
    for contacts in [1, 2, 5, 12] {
        for copies in [1, 2] {
            for mu in [0.0, 0.3, 0.8] {
                for seed in 0..20 {
                    let problem = random_problem(seed, contacts, copies, mu, 0.1);
                    let told = format!("{contacts} x {copies} contacts, mu {mu}, seed {seed}");
                    let all = contacts * copies;
                    let mut solvers: [Box<dyn ContactSolver>; 3] = [
                        Box::new(Cascade::new(3, all)),
                        Box::new(GaussSeidel::new(3, all)),
                        Box::new(Proximal),
                    ];
                    for (solver, most) in solvers.iter_mut().zip(&mut most) {
                        *most = (*most).max(assert_solved(solver.as_mut(), &problem, &told));
                    }
                }
            }
        }
    }
    println!("most iterations: auto {}, gauss-seidel {}, proximal {}", most[0], most[1], most[2]);
    assert!(most[0] <= 200 && most[2] <= 200, "auto {}, proximal {}", most[0], most[2]);
}

/// From the same start, in other units, as many iterations and the same error.
#[test]
fn units_do_not_change_the_way_to_a_solution_in_space() {
    for (w_unit, b_unit) in [(1e8, 1.0), (1e-8, 1e8), (1.0, 1e-8)] {
        for seed in 0..10 {
            let problem = random_problem(seed, 6, 1, 0.5, 0.1);
            let scale = |x: &[f64], unit: f64| x.iter().map(|x| x * unit).collect::<Vec<f64>>();
            let (w, b) = (scale(&problem.w.blocks().to_dense(), w_unit), scale(&problem.b, b_unit));
            let scaled = ConeProblem::dense(3, &w, b, problem.mu.clone());
            let one = assert_solved(&mut Cascade::new(3, 6), &problem, "as it is");
            let other = assert_solved(&mut Cascade::new(3, 6), &scaled, "in other units");
            assert_eq!(one, other, "W in {w_unit:e}, b in {b_unit:e}, seed {seed}");
        }
    }
}

const REQUEST: Request = Request {
    method: Method::Auto,
    tolerance: 1e-8,
    measure: Measure::Natural,
    max_iterations: 100_000,
    time_limit: f64::INFINITY,
    repeat: 1,
};

/// Problems of the public FCLIB collection: other people's files, read where they are. Left out is
/// RockPile, which no solver is known to have solved to 1e-8.
#[test]
fn auto_solves_the_public_problems_to_1e_8() {
    let root = repository("");
    let beside = root.parent().expect("the repository lies in a folder");
    let folder = beside.join("shared").join("fclib").join("problems");
    if !folder.is_dir() {
        println!("SKIPPED: {} is not there", folder.display());
        return;
    }
    let request = REQUEST;
    let mut solved = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let problem = friction::read(&entry.unwrap().path()).unwrap();
        if problem.name.starts_with("RockPile") {
            continue;
        }
        let (outcome, _) = friction::solve(&problem, &request);
        println!("{}: {} iterations, {:.1e}", problem.name, outcome.iterations, outcome.error);
        assert!(outcome.converged, "{outcome:?}");
        let law = &outcome.law;
        assert_eq!(law.open + law.stick + law.slip, outcome.contacts);
        solved += 1;
    }
    assert!(solved >= 40, "only {solved} problems were found");
}

/// Hard steps that were saved: one of the sliding block, a tower on which sweeps stall, a packing on which
/// mixing stalls. The counts are bounds from what was observed, and half as much again.
#[test]
fn saved_problems_are_solved_in_as_many_iterations_as_before() {
    for (name, most) in [("sliding_block", 25), ("tower", 1700), ("packing", 1400)] {
        let path = repository("").join("benches").join("problems").join(format!("{name}.json"));
        let problem = friction::read(&path).unwrap();
        let request = Request { measure: Measure::Scaled, ..REQUEST };
        let (outcome, p) = friction::solve(&problem, &request);
        println!("{name}: {} iterations, {:?}", outcome.iterations, outcome.trail);
        assert!(outcome.converged && outcome.iterations <= most, "{outcome:?}");
        // An error of 1e-8 ‖b‖ leaves the law obeyed to a few times that, contact by contact.
        let law = &outcome.law;
        let worst = [law.outside_cone, law.closing, law.pushing, law.driving, law.sliding_free];
        assert!(worst.iter().all(|&worst| worst < 1e-7), "{law:?}");
        assert!(law.friction_power <= 0.0, "{law:?}");
        let again = friction::solve(&problem, &request).1;
        assert_eq!(p, again, "{name}: the same problem, the same bits");
    }
}

#[test]
fn a_bench_draws_a_profile_with_the_results_of_others_beside() {
    let folder = Folder::new();
    folder.write("one.json", serde_json::to_string(&random_problem(3, 4, 1, 0.5, 0.1)).unwrap());
    folder.write("broken.dat", "3 nothing");
    folder.write("others.jsonl", r#"{"problem":"one","solver":"OTHER","ok":true,"seconds":1.0}"#);
    let arguments =
        ["friction", "--bench", ".", "--out", "drawn", "--beside", "others.jsonl", "--repeat", "1"];
    let output = folder.delassus(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("left out: ./broken.dat"), "{}", stderr(&output));
    for method in Method::ALL {
        assert!(stdout(&output).contains(method.name()), "{}", stdout(&output));
    }
    let svg = folder.read("drawn/profile.svg");
    assert!(svg.contains("auto (1/1)") && svg.contains("OTHER (1/1)"), "{svg}");
    let trials = folder.read("drawn/trials.jsonl");
    assert_eq!(trials.lines().count(), Method::ALL.len());
    folder.write("others.jsonl", "nonsense");
    let output = folder.delassus(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("others.jsonl:1: "), "{}", stderr(&output));
}

/// A body of two masses on the ground: M = diag(2, 2, 2), H = I, so W = I/2 and b = f/2 + w.
#[test]
fn global_problems_are_reduced_and_give_back_the_velocities_of_the_bodies() {
    let folder = Folder::new();
    let problem = |m: f64| {
        let matrix = |x: f64| {
            format!(
                r#"{{"format":"csc","nrows":3,"ncols":3,"nnz":3,"colptr":[0,1,2,3],"rowind":[0,1,2],"values":[{x},{x},{x}]}}"#
            )
        };
        format!(
            r#"{{"schema":"fc-problem/1","name":"body","kind":"global","dimension":3,"contacts":1,"mu":[0.5],"f":[-2.0,0.2,0.0],"w":[0.0,0.0,0.0],"M":{},"H":{}}}"#,
            matrix(m),
            matrix(1.0)
        )
    };
    folder.write("body.json", problem(2.0));
    let output = folder.delassus(&["friction", "body.json", "--solutions", "found", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = folder.read("found/body.json");
    let solution: serde_json::Value = serde_json::from_str(&text).unwrap();
    // It sticks: v = 0 and r = −f.
    for (i, force) in [-2.0, 0.2, 0.0].into_iter().enumerate() {
        assert!((solution["r"][i].as_f64().unwrap() + force).abs() < 1e-7, "{text}");
        assert!(solution["v"][i].as_f64().unwrap().abs() < 1e-7, "{text}");
    }
    folder.write("body.json", problem(0.0));
    let output = folder.delassus(&["friction", "body.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("M of this global problem is singular"),
        "{}",
        stderr(&output)
    );
}

/// A body between two contacts that both close: û_N of the one is −2 less that of the other, whatever p.
/// Growing impulses make every error small next to them, and no method may be taken in.
#[test]
fn what_has_no_solution_is_never_solved() {
    for mass in [1.0, 5.0, 1000.0] {
        let sign = |i: usize, j: usize| if i / 2 == j / 2 { 1.0 } else { -1.0 };
        let entry = |k: usize| match (k / 4 % 2, k % 2) {
            (i, j) if i == j => sign(k / 4, k % 4) / mass,
            _ => 0.0,
        };
        let w: Vec<f64> = (0..16).map(entry).collect();
        let b = vec![-1.0, 0.1, -1.0, 0.0];
        let cone = ConeProblem::dense(2, &w, b, vec![0.5; 2]);
        let problem =
            FrictionProblem { name: "squeezed".into(), cone, bodies: None, reduction: 0.0 };
        for method in Method::ALL {
            for measure in [Measure::Natural, Measure::Scaled, Measure::Paper] {
                let request = Request { method, measure, max_iterations: 20_000, ..REQUEST };
                let (outcome, _) = friction::solve(&problem, &request);
                assert!(!outcome.converged && outcome.error.is_finite(), "{outcome:?}");
            }
        }
    }
}

/// Huge friction, and numbers whose squares are none: what is called solved obeys the law.
#[test]
fn huge_and_tiny_numbers_are_solved_or_told() {
    let w = [2.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0];
    let b = [-2.25, -4.0, 0.0];
    let mut solved = 0;
    for mu in [1.0, 1e3, 1e8, 1e160] {
        for unit in [1.0, 1e-170, 1e-20, 1e20, 1e200] {
            let scaled = b.iter().map(|b| unit * b).collect();
            let cone = ConeProblem::dense(3, &w, scaled, vec![mu]);
            let problem =
                FrictionProblem { name: "one".into(), cone, bodies: None, reduction: 0.0 };
            for method in Method::ALL {
                let measure = Measure::Scaled;
                let request = Request { method, measure, max_iterations: 2000, ..REQUEST };
                let (outcome, _) = friction::solve(&problem, &request);
                let law = &outcome.law;
                let obeyed = law.closing < 1e-7 && law.pushing < 1e-7;
                assert!(!outcome.converged || obeyed, "mu {mu:e}, unit {unit:e}: {outcome:?}");
                solved += usize::from(outcome.converged && method == Method::Auto);
            }
        }
    }
    println!("auto solved {solved} of 20");
    assert!(solved >= 12, "auto solved {solved} of 20");
}

/// A chain of 4000 contacts: two colours, each shared by the threads.
#[test]
fn colours_give_the_same_bits_for_any_number_of_threads() {
    let contacts = 4000;
    let mut random = Random::new(7);
    let b = (0..3 * contacts).map(|_| random.signed()).collect();
    let mut entries = Vec::new();
    for alpha in 0..contacts {
        for i in 0..3 {
            entries.push((3 * alpha + i, 3 * alpha + i, 1.0));
            if alpha > 0 {
                let (here, before) = (3 * alpha + i, 3 * (alpha - 1) + (i + 1) % 3);
                entries.extend([(here, before, 0.4), (before, here, 0.4)]);
            }
        }
    }
    let w = BlockColumns::from_entries(3, contacts, entries.into_iter());
    let problem = ConeProblem { w: w.into(), b, mu: vec![0.4; contacts] };
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut p = vec![0.0; problem.b.len()];
        let report = pool.install(|| Coloured.solve(&problem, TARGET, &mut p));
        assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
        (report.iterations, p)
    };
    let one = solve(1);
    [2, 3, 8].into_iter().for_each(|threads| assert!(solve(threads) == one, "{threads} threads"));
}

#[test]
fn a_time_limit_ends_a_solve_that_has_no_end() {
    let folder = Folder::new();
    // û_N = −1 whatever p: no solution.
    let problem = ConeProblem::dense(3, &[0.0; 9], vec![-1.0, 0.3, 0.0], vec![0.5]);
    folder.write("never.json", serde_json::to_string(&problem).unwrap());
    let many = (usize::MAX / 2).to_string();
    for method in Method::ALL.map(Method::name) {
        let arguments = ["--solver", method, "--time-limit", "0.05", "--max-iterations", &many];
        let output =
            folder.delassus(&[&["friction", "never.json", "--json"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(1), "{method}: {}", stderr(&output));
        let line: serde_json::Value = serde_json::from_str(stdout(&output).trim()).unwrap();
        assert_eq!(line["converged"], false, "{method}: {line}");
        assert!(line["seconds"].as_f64().unwrap() < 5.0, "{method}: {line}");
    }
}

#[test]
fn the_command_solves_files_and_says_what_it_could_not() {
    let folder = Folder::new();
    let problem = random_problem(3, 12, 1, 0.5, 0.1);
    folder.write("cone_7.json", serde_json::to_string(&problem).unwrap());
    let output = folder.delassus(&["friction", "cone_7.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("cone_7"), "{}", stdout(&output));
    let output = folder.delassus(&["friction", "cone_7.json", "--json", "--solver", "proximal"]);
    let line: serde_json::Value = serde_json::from_str(stdout(&output).trim()).unwrap();
    assert_eq!((&line["converged"], &line["contacts"]), (&true.into(), &12.into()));
    let starved = ["friction", "cone_7.json", "--tol", "1e-15", "--max-iterations", "1"];
    let output = folder.delassus(&starved);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("NOT SOLVED")
            && stderr(&output).contains("1 of 1 solves did not reach")
    );
    for (arguments, says) in [
        (["cone_7.json", "--solver", "quick"], "there is no such method; the methods are auto"),
        (["cone_7.json", "--tol", "0"], "give a number > 0"),
        (["cone_7.json", "--measure", "mine"], "possible values: natural, scaled, paper"),
        (["missing.json", "--tol", "1"], "missing.json"),
    ] {
        let output = folder.delassus(&[&["friction"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
}
