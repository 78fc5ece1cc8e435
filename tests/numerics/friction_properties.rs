//! What every solver of the cone problem owes its caller, whatever the problem: a truthful report, an
//! answer no worse than the guess, no NaN, and the same answer in other units.
//!
//! Errors are measured in the units of each contact, `Measure::Scaled`, unless a test says otherwise.

#![allow(clippy::print_stdout)]

use delassus::contact::solver::{
    Cascade, ContactSolver, GaussSeidel, Method, Newton, Proximal, SolveReport, SolveStatus, Target,
};
use delassus::contact::{ConeProblem, Measure};

use crate::support::random::Random;

const TOLERANCE: f64 = 1e-10;
const TARGET: Target<'static> = Target::new(TOLERANCE, 20_000);

/// All methods. Newton's alone is sure of itself in the plane only; in space it is a part of others.
fn solvers(problem: &ConeProblem) -> Vec<Box<dyn ContactSolver>> {
    let (d, n) = (problem.dimension(), problem.contacts());
    let all = Method::ALL.into_iter().filter(|&method| method != Method::Newton || d == 2);
    all.map(|method| method.solver(d, n)).collect()
}

/// A problem with one of its solutions.
struct Known {
    problem: ConeProblem,
    p: Vec<f64>,
    u: Vec<f64>,
}

/// W = AAᵀ/n + `floor` with random A, row by row.
fn random_matrix(random: &mut Random, n: usize, floor: f64) -> Vec<f64> {
    let a: Vec<f64> = (0..n * n).map(|_| random.signed()).collect();
    let entry = |i: usize, j: usize| {
        let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
        product / n as f64 + if i == j { floor } else { 0.0 }
    };
    (0..n * n).map(|k| entry(k / n, k % n)).collect()
}

/// Contacts open, stick and slip in turn, with random p and û of size one that obey Coulomb's law; W is
/// random and b = û − W p.
fn known(seed: u64, dimension: usize, contacts: usize, mu: f64, floor: f64) -> Known {
    let mut random = Random::new(10_000 * seed + 10 * contacts as u64 + dimension as u64);
    let w = random_matrix(&mut random, dimension * contacts, floor);
    let (mut p, mut u) = (Vec::new(), Vec::new());
    for alpha in 0..contacts {
        let angle = std::f64::consts::PI * random.signed();
        let toward = match dimension {
            2 => vec![angle.signum()],
            _ => vec![angle.cos(), angle.sin()],
        };
        let (normal, size) = (1.1 + random.signed(), 1.1 + random.signed());
        let (p_n, p_t, u_n, u_t) = match (alpha + seed as usize) % 3 {
            0 => (0.0, 0.0, normal, size),
            1 => (normal, 0.4 * mu * normal * size, 0.0, 0.0),
            _ => (normal, mu * normal, 0.0, -size),
        };
        p.push(p_n);
        p.extend(toward.iter().map(|t| t * p_t));
        u.push(u_n);
        u.extend(toward.iter().map(|t| t * u_t));
    }
    let free = ConeProblem::dense(dimension, &w, u.clone(), vec![mu; contacts]);
    let minus: Vec<f64> = p.iter().map(|p| -p).collect();
    let mut b = vec![0.0; u.len()];
    free.velocity_into(&minus, &mut b);
    Known { problem: ConeProblem { b, ..free }, p, u }
}

/// Every size, dimension and seed of the family.
fn for_each_known(mu: f64, mut visit: impl FnMut(&Known, &str)) {
    for dimension in [2, 3] {
        for contacts in [1, 2, 3, 8, 20] {
            for seed in 0..15 {
                let told = format!("{dimension}D, {contacts} contacts, mu {mu}, seed {seed}");
                visit(&known(seed, dimension, contacts, mu, 0.3), &told);
            }
        }
    }
}

fn error_at(problem: &ConeProblem, measure: Measure, p: &[f64]) -> f64 {
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(p, &mut u);
    problem.error(measure, p, &u)
}

struct Answer {
    p: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

/// Solves from `guess` and holds the report to the truth: its error is that of the impulse returned,
/// "converged" means below the tolerance, and the impulse is finite and no worse than the guess.
fn solve_from(
    solver: &mut dyn ContactSolver,
    target: Target,
    problem: &ConeProblem,
    guess: &[f64],
    told: &str,
) -> Answer {
    let told = format!("{told}: {}", solver.name());
    let mut p = guess.to_vec();
    let report = solver.solve(problem, target, &mut p);
    let told = format!("{told}: {report:?}");
    assert!(p.iter().all(|p| p.is_finite()), "{told} returns {p:?}");
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    assert_eq!(report.error, problem.error(target.measure, &p, &u), "{told}");
    assert!(!report.error.is_nan(), "{told}");
    let converged = report.status == SolveStatus::Converged;
    assert_eq!(converged, report.error <= target.tolerance, "{told}");
    assert!(report.iterations <= target.max_iterations, "{told}");
    let start = error_at(problem, target.measure, guess);
    assert!(start.is_nan() || report.error <= start, "{told}: the guess had {start:e}");
    Answer { p, u, report }
}

fn solve(solver: &mut dyn ContactSolver, problem: &ConeProblem, told: &str) -> Answer {
    solve_from(solver, TARGET, problem, &vec![0.0; problem.b.len()], told)
}

fn assert_solved(answer: &Answer, told: &str) {
    assert_eq!(answer.report.status, SolveStatus::Converged, "{told}: {:?}", answer.report);
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn apart(x: &[f64], y: &[f64]) -> f64 {
    norm(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<f64>>())
}

/// b = û − W p is rounded at about 60 terms of size one: 1e-14 of b.
#[test]
fn the_error_vanishes_at_a_solution_in_every_measure() {
    for mu in [0.0, 0.3, 1.0, 10.0] {
        for_each_known(mu, |known, told| {
            for measure in [Measure::Scaled, Measure::Natural, Measure::Paper] {
                let error = error_at(&known.problem, measure, &known.p);
                assert!(error < 1e-14 * (1.0 + mu), "{told}, {measure:?}: {error:e}");
            }
        });
    }
}

/// μ ≤ 0.1 on a W with eigenvalues from 0.3 to about 1.7: the solution is unique, and an error of
/// 1e-10 ‖b‖ leaves p and û within ten times that condition.
#[test]
fn every_solver_finds_the_known_solution_where_it_is_unique() {
    for mu in [0.0, 0.1] {
        for_each_known(mu, |known, told| {
            for mut solver in solvers(&known.problem) {
                let answer = solve(solver.as_mut(), &known.problem, told);
                assert_solved(&answer, told);
                let near = 60.0 * TOLERANCE * norm(&known.problem.b);
                let off = [apart(&answer.p, &known.p), apart(&answer.u, &known.u)];
                assert!(off[0] < near && off[1] < near, "{told}, {}: {off:?}", solver.name());
            }
        });
    }
}

/// There is a solution, perhaps several; the cascade may return any but must find one. With μ ≥ 10 the
/// problem is far from convex: of 150 it was seen to miss one with μ = 10 and seven with μ = 1e3, and
/// may miss twice that. What the others miss is printed.
#[test]
fn auto_solves_what_has_a_solution_for_any_friction() {
    let target = Target::new(TOLERANCE, 2000);
    for (mu, most_missed) in [(0.5, 0), (1.0, 0), (10.0, 3), (1e3, 15)] {
        let mut missed = std::collections::BTreeMap::<&str, usize>::new();
        for_each_known(mu, |known, told| {
            for mut solver in solvers(&known.problem) {
                let guess = vec![0.0; known.p.len()];
                let answer = solve_from(solver.as_mut(), target, &known.problem, &guess, told);
                if answer.report.status != SolveStatus::Converged {
                    *missed.entry(solver.name()).or_default() += 1;
                }
            }
        });
        println!("mu {mu}: of 150 problems missed {missed:?}");
        let auto = missed.get("auto").copied().unwrap_or(0);
        assert!(auto <= most_missed, "mu {mu}: auto missed {auto}");
    }
}

/// In each measure, on a solvable and on a random problem, with few iterations and with many.
#[test]
fn reports_are_truthful_in_every_measure_and_when_starved() {
    for measure in [Measure::Scaled, Measure::Natural, Measure::Paper] {
        for max_iterations in [0, 1, 3, 50, 500] {
            for_each_known(0.7, |known, told| {
                let target = Target { measure, ..Target::new(1e-10, max_iterations) };
                let guess: Vec<f64> = known.p.iter().map(|p| 0.9 * p + 0.05).collect();
                for mut solver in solvers(&known.problem) {
                    let _ = solve_from(solver.as_mut(), target, &known.problem, &guess, told);
                }
            });
        }
    }
}

#[test]
fn nothing_to_solve_is_solved_at_once() {
    for dimension in [2, 3] {
        let empty = ConeProblem::dense(dimension, &[], vec![], vec![]);
        let mut resting = known(1, dimension, 5, 0.5, 0.3).problem;
        resting.b.fill(0.0);
        for (problem, told) in [(empty, "no contact"), (resting, "b = 0")] {
            for mut solver in solvers(&problem) {
                let answer = solve(solver.as_mut(), &problem, told);
                assert_solved(&answer, told);
                assert_eq!(answer.report.iterations, 0, "{told}, {}", solver.name());
                assert!(answer.p.iter().all(|&p| p == 0.0));
            }
        }
    }
}

/// b = 0 has the solution p = 0, which a solver must also find from elsewhere.
#[test]
fn without_velocity_the_impulse_returns_to_zero_or_is_reported() {
    for dimension in [2, 3] {
        let mut problem = known(1, dimension, 5, 0.1, 0.3).problem;
        problem.b.fill(0.0);
        for mut solver in solvers(&problem) {
            let told = format!("{dimension}D from p = 1");
            let _ =
                solve_from(solver.as_mut(), TARGET, &problem, &vec![1.0; problem.b.len()], &told);
        }
    }
}

/// Solvers made for a single contact in space.
#[test]
fn solvers_grow_with_the_problem() {
    for dimension in [2, 3] {
        let problem = known(4, dimension, 9, 0.1, 0.3).problem;
        let mut small: Vec<Box<dyn ContactSolver>> = vec![
            Box::new(Cascade::new(3, 1)),
            Box::new(GaussSeidel::new(3, 1)),
            Box::new(GaussSeidel::accelerated(3, 1)),
        ];
        if dimension == 2 {
            small.push(Box::new(Newton::new(2, 1)));
        }
        for solver in &mut small {
            assert_solved(&solve(solver.as_mut(), &problem, "grown"), solver.name());
        }
    }
}

/// Each contact twice or three times: W is singular, and û is that of the single problem up to the
/// condition of W.
#[test]
fn repeated_contacts_are_solved_as_one() {
    for dimension in [2, 3] {
        for (contacts, copies) in [(1, 2), (1, 3), (4, 2), (7, 3)] {
            for seed in 0..10 {
                let Known { problem, u, .. } = known(seed, dimension, contacts, 0.1, 0.3);
                let n = dimension * contacts;
                let (size, w) = (copies * n, problem.w.blocks().to_dense());
                let repeated = |k: usize| w[(k / size % n) * n + k % size % n];
                let w: Vec<f64> = (0..size * size).map(repeated).collect();
                let (b, mu) = (problem.b.repeat(copies), problem.mu.repeat(copies));
                let problem = ConeProblem::dense(dimension, &w, b, mu);
                for mut solver in solvers(&problem) {
                    let told = format!("{dimension}D, {contacts} x {copies}, seed {seed}");
                    let answer = solve(solver.as_mut(), &problem, &told);
                    assert_solved(&answer, &told);
                    let off = apart(&answer.u[..n], &u);
                    assert!(off < 60.0 * TOLERANCE * norm(&problem.b), "{told}: {off:e}");
                }
            }
        }
    }
}

/// The known problem with a contact in front that nothing can move: its rows and columns of W are
/// zero, and b_N is given.
fn with_immovable(known: &Known, b_n: f64) -> ConeProblem {
    let (d, n) = (known.problem.dimension(), known.p.len());
    let (size, old) = (n + d, known.problem.w.blocks().to_dense());
    let mut w = vec![0.0; size * size];
    for k in 0..n * n {
        w[(d + k / n) * size + d + k % n] = old[k];
    }
    let mut b = vec![0.3; d];
    b[0] = b_n;
    b.extend(&known.problem.b);
    ConeProblem::dense(d, &w, b, vec![known.problem.mu[0]; known.problem.contacts() + 1])
}

#[test]
fn a_contact_that_nothing_can_move_is_left_alone_where_it_does_not_close() {
    for b_n in [0.0, 0.5] {
        for_each_known(0.1, |known, told| {
            let problem = with_immovable(known, b_n);
            for mut solver in solvers(&problem) {
                let told = format!("{told}, b_N {b_n}, {}", solver.name());
                assert_solved(&solve(solver.as_mut(), &problem, &told), &told);
            }
        });
    }
}

/// û_N = b_N < 0 whatever p: the error is at least |b_N|/‖b‖ and every report must say so.
#[test]
fn a_contact_that_closes_and_that_nothing_can_move_is_reported_as_not_solved() {
    let target = Target::new(TOLERANCE, 500);
    for b_n in [-1e-3, -0.5, -30.0] {
        for_each_known(0.1, |known, told| {
            let problem = with_immovable(known, b_n);
            let least = b_n.abs() / norm(&problem.b) / (1.0 + 0.01f64).sqrt();
            for mut solver in solvers(&problem) {
                let told = format!("{told}, b_N {b_n}");
                let guess = vec![0.0; problem.b.len()];
                let answer = solve_from(solver.as_mut(), target, &problem, &guess, &told);
                assert_ne!(answer.report.status, SolveStatus::Converged, "{told}");
                let error = answer.report.error;
                assert!(
                    error > 0.99 * least,
                    "{told}, {}: {error:e} {least:e} {:?}",
                    solver.name(),
                    problem.b
                );
            }
        });
    }
}

/// No impulse can act on a contact that nothing can move and that opens: one in the guess is an error.
#[test]
fn an_impulse_on_an_open_contact_that_nothing_can_move_is_no_solution() {
    for dimension in [2, 3] {
        let known = known(2, dimension, 3, 0.1, 0.3);
        let problem = with_immovable(&known, 0.5);
        let guess = [vec![1.0; dimension], known.p.clone()].concat();
        for measure in [Measure::Scaled, Measure::Natural, Measure::Paper] {
            assert!(error_at(&problem, measure, &guess) > 1e-3, "{dimension}D, {measure:?}");
        }
        for mut solver in solvers(&problem) {
            let told = format!("{dimension}D, {}", solver.name());
            let answer = solve_from(solver.as_mut(), TARGET, &problem, &guess, &told);
            assert_solved(&answer, &told);
            assert!(norm(&answer.p[..dimension]) < 1e-8, "{told}: {:?}", answer.p);
        }
    }
}

/// W and b in other units, by powers of two: p comes in its own unit.
#[test]
fn units_of_impulse_and_velocity_change_nothing() {
    let big = f64::powi(2.0, 27); // 1.3e8
    for (w_unit, b_unit) in [(big, 1.0), (1.0, big), (1.0 / big, 1.0), (1.0, 1.0 / big)] {
        for_each_known(0.6, |known, told| {
            let w: Vec<f64> =
                known.problem.w.blocks().to_dense().iter().map(|w| w * w_unit).collect();
            let b = known.problem.b.iter().map(|b| b * b_unit).collect();
            let mu = known.problem.mu.clone();
            let scaled = ConeProblem::dense(known.problem.dimension(), &w, b, mu);
            for (mut one, mut other) in solvers(&known.problem).into_iter().zip(solvers(&scaled)) {
                let told = format!("{told}, W in {w_unit:e}, b in {b_unit:e}");
                let [one, other] =
                    [(&mut one, &known.problem), (&mut other, &scaled)].map(|(solver, problem)| {
                        (solver.name(), solve(solver.as_mut(), problem, &told))
                    });
                let told = format!("{told}, {}: {:?} {:?}", one.0, one.1.report, other.1.report);
                assert_eq!(one.1.report.status, other.1.report.status, "{told}");
                let back: Vec<f64> = other.1.p.iter().map(|p| p * w_unit / b_unit).collect();
                let off = apart(&one.1.p, &back);
                assert!(off <= 1e-8 * norm(&one.1.p), "{told}: {off:e}");
            }
        });
    }
}

/// D W D and D b, with D from 1e-4 to 1e4 by contact: impulses and velocities of each contact in units
/// of their own, with p = D⁻¹ p and û = D û. The error weighs contacts by their ‖û‖, so the answers
/// agree in the large ones alone; what is asked here is that the scaled problem is solved at all. The
/// proximal term and the ρ of ADMM are one for all contacts, and the interior-point method ends with the
/// proximal one: these three were seen to miss 284 of 900.
#[test]
fn contacts_in_units_of_their_own_are_solved() {
    let mut missed = 0;
    for mu in [0.1, 0.6] {
        for_each_known(mu, |known, told| {
            let problem = &known.problem;
            let (d, n) = (problem.dimension(), known.p.len());
            let unit = |i: usize| 10f64.powi([-4, 4, 0, 2, -2, 3, -3][i / d % 7]);
            let mut w = problem.w.blocks().to_dense();
            (0..n * n).for_each(|k| w[k] *= unit(k / n) * unit(k % n));
            let b = (0..n).map(|i| unit(i) * problem.b[i]).collect();
            let scaled = ConeProblem::dense(d, &w, b, problem.mu.clone());
            let exact: Vec<f64> = (0..n).map(|i| known.p[i] / unit(i)).collect();
            let error = error_at(&scaled, Measure::Scaled, &exact);
            assert!(error < 1e-13, "{told}: {error:e} at the solution");
            for mut solver in solvers(&scaled) {
                let told = format!("{told}, {}", solver.name());
                let guess = vec![0.0; n];
                let target = Target::new(TOLERANCE, 2000);
                let answer = solve_from(solver.as_mut(), target, &scaled, &guess, &told);
                if ["proximal", "admm", "interior-point"].contains(&solver.name()) {
                    missed += usize::from(answer.report.status != SolveStatus::Converged);
                } else {
                    assert_solved(&answer, &told);
                }
            }
        });
    }
    println!("proximal, admm and interior-point missed {missed} of 900");
    assert!(missed <= 420, "proximal, admm and interior-point missed {missed} of 900");
}

/// 1e30 drowns b in rounding; NaN and infinity are no guess at all. The answer is that of a sane start.
#[test]
fn garbage_as_a_guess_is_survived() {
    for garbage in [1e30, -1e30, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        for everywhere in [true, false] {
            for_each_known(0.1, |known, told| {
                let mut guess = vec![if everywhere { garbage } else { 0.0 }; known.p.len()];
                guess[0] = garbage;
                for mut solver in solvers(&known.problem) {
                    let told = format!("{told}, from {garbage:e}, everywhere: {everywhere}");
                    let problem = &known.problem;
                    let answer = solve_from(solver.as_mut(), TARGET, problem, &guess, &told);
                    assert_solved(&answer, &format!("{told}, {}", solver.name()));
                }
            });
        }
    }
}

/// A guess of no number in a problem without solution: not solved, and finite.
#[test]
fn garbage_as_a_guess_of_an_unsolvable_problem_is_survived() {
    for dimension in [2, 3] {
        let problem = with_immovable(&known(3, dimension, 4, 0.1, 0.3), -0.5);
        for garbage in [1e30, f64::INFINITY, f64::NAN] {
            for mut solver in solvers(&problem) {
                let (guess, told) = (vec![garbage; problem.b.len()], format!("from {garbage:e}"));
                let target = Target::new(TOLERANCE, 300);
                let answer = solve_from(solver.as_mut(), target, &problem, &guess, &told);
                assert_ne!(answer.report.status, SolveStatus::Converged);
            }
        }
    }
}

/// W with an antisymmetric part of 2 % of its size, as files of other programs have it.
#[test]
fn unsymmetric_matrices_are_solved() {
    for_each_known(0.2, |known, told| {
        let (d, n) = (known.problem.dimension(), known.p.len());
        let mut random = Random::new(n as u64);
        let mut w = known.problem.w.blocks().to_dense();
        for i in 0..n {
            for j in 0..i {
                let turn = 0.02 * random.signed();
                w[i * n + j] += turn;
                w[j * n + i] -= turn;
            }
        }
        let b = known.problem.b.clone();
        let problem = ConeProblem::dense(d, &w, b, known.problem.mu.clone());
        for mut solver in solvers(&problem) {
            let told = format!("{told}, {}", solver.name());
            assert_solved(&solve(solver.as_mut(), &problem, &told), &told);
        }
    });
}

/// W of rank n − d, every eigenvalue lowered by 1e-7: what is left of six-digit files. A solution is
/// known; the cascade must find one as good as such a W allows, and nobody may lie about it.
#[test]
fn slightly_indefinite_matrices_are_solved_to_what_they_were_written_with() {
    for dimension in [2, 3] {
        for contacts in [2, 6, 15] {
            for seed in 0..10 {
                let n = dimension * contacts;
                let known = known(seed, dimension, contacts, 0.3, 0.0);
                let mut random = Random::new(seed + 77);
                let away: Vec<f64> = (0..n).map(|_| random.signed()).collect();
                let old = known.problem.w.blocks().to_dense();
                // W ← P W P − 1e-7, with P the projector off `away`
                let square = norm(&away).powi(2);
                let p =
                    |i: usize, j: usize| f64::from(u8::from(i == j)) - away[i] * away[j] / square;
                let times = |a: &dyn Fn(usize, usize) -> f64, b: &dyn Fn(usize, usize) -> f64| {
                    let entry = |k: usize| (0..n).map(|m| a(k / n, m) * b(m, k % n)).sum::<f64>();
                    (0..n * n).map(entry).collect::<Vec<f64>>()
                };
                let half = times(&p, &|i, j| old[i * n + j]);
                let mut w = times(&|i, j| half[i * n + j], &p);
                (0..n).for_each(|i| w[i * n + i] -= 1e-7);
                let free = ConeProblem::dense(dimension, &w, known.u.clone(), known.problem.mu);
                let minus: Vec<f64> = known.p.iter().map(|p| -p).collect();
                let mut b = vec![0.0; n];
                free.velocity_into(&minus, &mut b);
                let problem = ConeProblem { b, ..free };
                let told = format!("{dimension}D, {contacts} contacts, seed {seed}");
                for mut solver in solvers(&problem) {
                    let target = Target::new(1e-6, 20_000);
                    let guess = vec![0.0; n];
                    let answer = solve_from(solver.as_mut(), target, &problem, &guess, &told);
                    if solver.name() == "auto" {
                        assert_solved(&answer, &told);
                    }
                }
            }
        }
    }
}

/// Painlevé's contact: pushed down it slides faster into the ground than it is lifted, a < μ c. With
///
/// ```text
///     W = (1 1; 1 2),   b = (1, 10),   μ = 2
/// ```
///
/// it may fly, p = 0; slip, p = (1, −2), û = (0, 7); or jam, p = (8, −9), û = 0.
#[test]
fn painleves_contact_flies_slips_or_jams_as_the_guess_has_it() {
    let problem = ConeProblem::dense(2, &[1.0, 1.0, 1.0, 2.0], vec![1.0, 10.0], vec![2.0]);
    let solutions = [[0.0, 0.0], [1.0, -2.0], [8.0, -9.0]];
    for p in solutions {
        assert_eq!(error_at(&problem, Measure::Scaled, &p), 0.0, "{p:?}");
        for mut solver in solvers(&problem) {
            let answer = solve_from(solver.as_mut(), TARGET, &problem, &p, "at a solution");
            assert_eq!((answer.report.iterations, &answer.p[..]), (0, &p[..]), "{}", solver.name());
        }
    }
    let mut found = Vec::new();
    for guess in [[0.1, 0.0], [7.5, -9.1]] {
        for solver in [&mut Newton::new(2, 1) as &mut dyn ContactSolver, &mut Proximal] {
            let answer = solve_from(solver, TARGET, &problem, &guess, "near a solution");
            assert_solved(&answer, solver.name());
            found.push(answer.p);
        }
    }
    println!("{found:?}");
    assert!(apart(&found[0], &found[2]) > 1.0 && apart(&found[1], &found[3]) > 1.0, "{found:?}");
}

/// Two contacts so coupled that each decides what the other does: from different starts every method,
/// the sweeps too, ends at different points, and only their errors can be compared.
#[test]
fn two_coupled_contacts_have_several_solutions() {
    let mut random = Random::new(5);
    let problem = known(MANY_SOLUTIONS, 2, 2, 2.0, 1e-2).problem;
    let starts: Vec<Vec<f64>> =
        (0..40).map(|_| (0..4).map(|_| 5.0 * random.signed()).collect()).collect();
    for mut solver in solvers(&problem) {
        let name = solver.name();
        let mut found: Vec<Vec<f64>> = Vec::new();
        for start in &starts {
            let answer = solve_from(solver.as_mut(), TARGET, &problem, start, name);
            let new = found.iter().all(|p| apart(p, &answer.p) > 1e-3 * norm(p).max(1.0));
            if answer.report.status == SolveStatus::Converged && new {
                found.push(answer.p);
            }
        }
        println!("{name}: {found:?}");
        // The interior-point method always starts in the middle.
        let least = if name == "interior-point" { 1 } else { 2 };
        assert!(found.len() >= least, "{name} found {found:?}");
    }
}

/// A seed whose problem has two solutions that every method reaches.
const MANY_SOLUTIONS: u64 = 37;
