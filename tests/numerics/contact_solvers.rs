//! The solvers of the cone problem, on random problems and on one of a finite-element block.
//!
//! Iteration counts are bounds from what was observed, which each test prints, and a margin of about
//! a half: they catch a solver that has become slow, not one more iteration.

#![allow(clippy::print_stdout)]

use delassus::contact::solver::{
    Cascade, ContactSolver, GaussSeidel, Method, Newton, SolveReport, SolveStatus, Target,
};
use delassus::contact::{ConeProblem, Measure};
use delassus::material::Section;
use delassus::step::March;

use crate::block;
use crate::support::random::Random;

const TARGET: Target<'static> = Target::new(1e-10, 10_000);
const NEWTON_TARGET: Target<'static> = Target::new(1e-10, 100);

/// W = AAᵀ/n + `floor` I with random A of n × n, and random b; entries of both of order one.
fn random_problem(seed: u64, contacts: usize, mu: f64, floor: f64) -> ConeProblem {
    let n = 2 * contacts;
    let mut random = Random::new(100 * seed + contacts as u64);
    let a: Vec<f64> = (0..n * n).map(|_| random.signed()).collect();
    let row = |i: usize| &a[i * n..(i + 1) * n];
    let mut w = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let product: f64 = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
            w[i * n + j] = product / n as f64 + if i == j { floor } else { 0.0 };
        }
    }
    let b = (0..n).map(|_| random.signed()).collect();
    ConeProblem::dense(2, &w, b, vec![mu; contacts])
}

/// Impulse, velocity and report of a solve from `guess`.
struct Answer {
    p: Vec<f64>,
    u: Vec<f64>,
    report: SolveReport,
}

impl Answer {
    fn converged(&self) -> bool {
        self.report.status == SolveStatus::Converged
    }
}

/// Solves, and checks that the report tells the truth about the impulse returned.
fn solve_from(
    solver: &mut dyn ContactSolver,
    target: Target,
    problem: &ConeProblem,
    guess: &[f64],
) -> Answer {
    let mut p = guess.to_vec();
    let report = solver.solve(problem, target, &mut p);
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    let name = solver.name();
    assert_eq!(
        report.error,
        problem.error(Measure::Scaled, &p, &u),
        "{name} reports another error than its own"
    );
    let converged = report.status == SolveStatus::Converged;
    assert_eq!(converged, report.error <= target.tolerance, "{name}: {report:?}");
    assert!(report.iterations <= target.max_iterations, "{name}: {report:?}");
    Answer { p, u, report }
}

fn solve(solver: &mut dyn ContactSolver, target: Target, problem: &ConeProblem) -> Answer {
    solve_from(solver, target, problem, &vec![0.0; problem.b.len()])
}

/// The three solvers for problems of that size, with their targets.
fn solvers(contacts: usize) -> [(Box<dyn ContactSolver>, Target<'static>); 3] {
    [
        (Box::new(GaussSeidel::new(2, contacts)), TARGET),
        (Box::new(Newton::new(2, contacts)), NEWTON_TARGET),
        (Box::new(Cascade::new(2, contacts)), TARGET),
    ]
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn apart(x: &[f64], y: &[f64]) -> f64 {
    norm(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<f64>>())
}

const SIZES: [usize; 6] = [1, 2, 5, 10, 20, 40];
const FRICTIONS: [f64; 4] = [0.0, 0.1, 0.5, 1.0];
const SEEDS: u64 = 100;

/// Every problem of the random family: ill-conditioned, the floor is 1e-3 of W.
fn for_each_random_problem(mut visit: impl FnMut(&ConeProblem)) {
    for contacts in SIZES {
        for mu in FRICTIONS {
            (0..SEEDS).for_each(|seed| visit(&random_problem(seed, contacts, mu, 1e-3)));
        }
    }
}

/// Failures and iterations of one solver over the random family.
#[derive(Default)]
struct Tally {
    failed: usize,
    solved: usize,
    most: usize,
    sum: usize,
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        if answer.converged() {
            self.solved += 1;
            self.sum += answer.report.iterations;
            self.most = self.most.max(answer.report.iterations);
        } else {
            self.failed += 1;
        }
    }

    fn mean(&self) -> f64 {
        self.sum as f64 / self.solved as f64
    }
}

/// W is positive definite, so every problem has a solution; with μ = 1 and contacts this coupled it
/// may have several, and Gauss–Seidel and Newton may each go in circles. The cascade may not.
#[test]
fn cascade_solves_every_random_problem_and_the_others_nearly_all() {
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    let mut low_friction_failures = 0;
    for_each_random_problem(|problem| {
        for (tally, (solver, target)) in tallies.iter_mut().zip(&mut solvers(problem.contacts())) {
            let answer = solve(solver.as_mut(), *target, problem);
            tally.add(&answer);
            low_friction_failures += usize::from(!answer.converged() && problem.mu[0] <= 0.1);
        }
    });
    for (tally, name) in tallies.iter().zip(["gauss-seidel", "newton", "auto"]) {
        println!(
            "{name}: {} solved, {} failed, {:.2} iterations, {} at most",
            tally.solved,
            tally.failed,
            tally.mean(),
            tally.most
        );
    }
    let [gauss_seidel, newton, cascade] = &tallies;
    assert_eq!(cascade.failed, 0, "the cascade failed");
    assert_eq!(low_friction_failures, 0, "μ ≤ 0.1 is easy for all three");
    let failed = [gauss_seidel.failed, newton.failed];
    assert!(failed[0] <= 3 && failed[1] <= 10, "Gauss–Seidel and Newton failed {failed:?} times");
    for (tally, mean, most) in [(gauss_seidel, 45.0, 4500), (newton, 3.6, 50), (cascade, 32.0, 270)]
    {
        assert!(tally.mean() <= mean, "{} iterations on average, not {mean}", tally.mean());
        assert!(tally.most <= most, "{} iterations at most, not {most}", tally.most);
    }
}

/// Three problems, picked from 22 500, on which both methods go in circles: the cascade ends with
/// Lemke's pivots, after 20 sweeps and 40 Newton steps in vain.
#[test]
fn cascade_solves_what_neither_gauss_seidel_nor_newton_does() {
    for (seed, contacts, mu, floor) in
        [(307, 2, 0.5, 1e-4), (437, 2, 2.0, 1e-2), (160, 5, 2.0, 0.1)]
    {
        let problem = random_problem(seed, contacts, mu, floor);
        let reports = solvers(contacts).map(|(mut solver, target)| {
            let answer = solve(solver.as_mut(), target, &problem);
            println!("{} on {seed}: {:?}", solver.name(), answer.report);
            (answer.converged(), answer.report.iterations)
        });
        let [gauss_seidel, newton, cascade] = reports;
        assert!(!gauss_seidel.0 && !newton.0, "seed {seed} is no longer hard");
        assert!(cascade.0 && cascade.1 <= 110, "seed {seed}: {} iterations", cascade.1);
    }
}

/// With the residual of the natural map at most ε = 1e-10 ‖b‖ in velocity and ε/tr W in impulse, the
/// law holds up to a few ε, and its works up to a few ε times ‖p‖ + ‖û‖/tr W: ten of each.
#[test]
fn impulses_satisfy_coulombs_law_contact_by_contact() {
    let (mut stick, mut slip, mut open) = (0, 0, 0);
    for_each_random_problem(|problem| {
        let answer = solve(&mut Cascade::new(2, problem.contacts()), TARGET, problem);
        for (alpha, &mu) in problem.mu.iter().enumerate() {
            let at = 2 * alpha;
            let w = problem.w.diagonal(at / 2);
            let rho = 1.0 / (w[0] + w[3]);
            let velocity = 10.0 * TARGET.tolerance * norm(&problem.b);
            let [p_n, p_t] = [answer.p[at], answer.p[at + 1]];
            let [u_n, u_t] = [answer.u[at], answer.u[at + 1]];
            let work = velocity * (p_n.hypot(p_t) + rho * u_n.hypot(u_t));
            let told = format!("p = [{p_n:e}, {p_t:e}], u = [{u_n:e}, {u_t:e}], μ = {mu}");
            assert!(p_n >= -rho * velocity && p_t.abs() <= mu * p_n + rho * velocity, "{told}");
            assert!(u_n >= -velocity, "penetrates: {told}");
            assert!((u_n * p_n).abs() <= work, "pushes where it parts: {told}");
            assert!(u_t * p_t <= work, "friction drives: {told}");
            assert!((u_t * p_t + mu * p_n * u_t.abs()).abs() <= work, "slips too easily: {told}");
            match (p_n > rho * velocity, u_t.abs() > velocity) {
                (false, _) => open += 1,
                (true, false) => stick += 1,
                (true, true) => slip += 1,
            }
        }
    });
    println!("{open} open, {stick} stick, {slip} slip");
    assert!(open.min(stick).min(slip) > 1000, "all three were met: {open}, {stick}, {slip}");
}

/// Small μ on a W whose condition is about 30: û is unique, and a residual of 1e-10 leaves it within
/// that condition.
#[test]
fn all_three_solvers_agree_where_the_solution_is_unique() {
    let mut worst: f64 = 0.0;
    for contacts in SIZES {
        for mu in [0.0, 0.1] {
            for seed in 0..SEEDS {
                let problem = random_problem(seed, contacts, mu, 0.1);
                let found = solvers(contacts).map(|(mut solver, target)| {
                    let answer = solve(solver.as_mut(), target, &problem);
                    assert!(answer.converged(), "{}: {:?}", solver.name(), answer.report);
                    answer.u
                });
                let off = apart(&found[0], &found[1]).max(apart(&found[0], &found[2]));
                worst = worst.max(off / norm(&problem.b));
            }
        }
    }
    println!("the three velocities differ by {worst:.1e} at most");
    assert!(worst < 30.0 * 1e-10, "the three velocities differ by {worst:e} of b");
}

#[test]
fn a_solution_as_first_guess_takes_no_iteration_and_is_kept() {
    for_each_random_problem(|problem| {
        let answer = solve(&mut Cascade::new(2, problem.contacts()), TARGET, problem);
        for (mut solver, target) in solvers(problem.contacts()) {
            let again = solve_from(solver.as_mut(), target, problem, &answer.p);
            assert_eq!(again.report.iterations, 0, "{}", solver.name());
            assert_eq!(again.p, answer.p, "{}", solver.name());
        }
    });
}

/// The units of impulse and velocity are no business of a solver. 1e8 is no power of two, so the two
/// runs differ by rounding, which the condition of W, up to 1e3, and the number of sweeps enlarge.
#[test]
fn scaled_problems_have_scaled_answers_after_as_many_iterations() {
    for (w_unit, b_unit) in [(1e8, 1.0), (1e-8, 1.0), (1.0, 1e8), (1e8, 1e-8), (1e-8, 1e-8)] {
        for contacts in SIZES {
            for seed in 0..20 {
                let problem = random_problem(seed, contacts, 0.5, 1e-2);
                let w: Vec<f64> =
                    problem.w.blocks().to_dense().iter().map(|w| w * w_unit).collect();
                let b = problem.b.iter().map(|b| b * b_unit).collect();
                let scaled = ConeProblem::dense(2, &w, b, problem.mu.clone());
                for (mut solver, target) in solvers(contacts) {
                    let one = solve(solver.as_mut(), target, &problem);
                    let other = solve(solver.as_mut(), target, &scaled);
                    let told = format!("{}, {w_unit:e}, {b_unit:e}", solver.name());
                    assert_eq!(one.report.iterations, other.report.iterations, "{told}");
                    assert_eq!(one.report.status, other.report.status, "{told}");
                    let back: Vec<f64> = other.p.iter().map(|p| p * w_unit / b_unit).collect();
                    let off = apart(&one.p, &back);
                    assert!(off <= 1e-9 * norm(&one.p), "{told}: off by {off:e}");
                }
            }
        }
    }
}

/// Every contact twice: W is singular, the sum of the impulses of a pair solves the single problem.
/// The velocity is the single one's up to the condition of W without its null space, about 30, times
/// the residuals.
#[test]
fn duplicated_contacts_are_solved_as_one() {
    let mut worst: f64 = 0.0;
    for contacts in SIZES {
        for seed in 0..SEEDS {
            let single = random_problem(seed, contacts, 0.1, 0.1);
            let (n, twice) = (4 * contacts, |i: usize| i % (2 * contacts));
            let rows = single.w.blocks().to_dense();
            let w: Vec<f64> =
                (0..n * n).map(|k| rows[twice(k / n) * (n / 2) + twice(k % n)]).collect();
            let b = [&single.b[..], &single.b[..]].concat();
            let double = ConeProblem::dense(2, &w, b, [&single.mu[..], &single.mu[..]].concat());
            let exact = solve(&mut Cascade::new(2, contacts), TARGET, &single);
            for (mut solver, target) in solvers(2 * contacts) {
                let answer = solve(solver.as_mut(), target, &double);
                assert!(answer.converged(), "{}: {:?}", solver.name(), answer.report);
                let off = apart(&answer.u[..2 * contacts], &exact.u) / norm(&single.b);
                worst = worst.max(off);
            }
        }
    }
    println!("velocities of doubled contacts are off by {worst:.1e} at most");
    assert!(worst < 30.0 * 1e-10, "velocities of doubled contacts are off by {worst:e} of b");
}

#[test]
fn a_problem_saved_as_json_comes_back_bit_for_bit() {
    let mut problem = random_problem(7, 10, 0.3, 1e-3);
    problem.b[..4].copy_from_slice(&[0.1, 1.0 / 3.0, f64::MIN_POSITIVE / 8.0, -0.0]);
    let mut w = problem.w.blocks().to_dense();
    w[0] = f64::MAX;
    problem = ConeProblem::dense(2, &w, problem.b, problem.mu);
    let text = serde_json::to_string(&problem).unwrap();
    let back: ConeProblem = serde_json::from_str(&text).unwrap();
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
    assert_eq!(back.dimension(), problem.dimension());
    let (found, saved) = (back.w.blocks().to_dense(), problem.w.blocks().to_dense());
    for (found, saved) in [(&found, &saved), (&back.b, &problem.b), (&back.mu, &problem.mu)] {
        assert_eq!(bits(found), bits(saved));
    }
}

/// The cone problem of the first step of the sliding block with steps so large that stiffness
/// outweighs mass: every contact then feels every other.
fn block_problem(courant: f64) -> ConeProblem {
    let cells = 64;
    let mesh = block::block_mesh(cells);
    let h = courant * (40.0 / cells as f64)
        / block::pmma(Section::PlaneStress { thickness: 15.0 }).wave_speed();
    let (_, problem, state) = block::block(&mesh, h);
    let mut march = March::new(&problem, state, Method::Auto, TARGET).expect("the block has mass");
    assert_eq!(march.step().solve.status, SolveStatus::Converged);
    march.cone_problem().clone()
}

/// At a Courant number of 50 Gauss–Seidel is still quick enough to be left alone; at 500 it takes
/// thousands of sweeps, and the cascade does not wait for them.
#[test]
fn cascade_takes_the_short_way_where_the_contacts_of_a_block_are_stiffly_coupled() {
    for (courant, sweeps, most) in [(50.0, 40..=105, [4, 105]), (500.0, 1000..=10_000, [8, 80])] {
        let problem = block_problem(courant);
        let [gauss_seidel, newton, cascade] =
            solvers(problem.contacts()).map(|(mut solver, target)| {
                let answer = solve(solver.as_mut(), target, &problem);
                println!("Courant {courant}, {}: {:?}", solver.name(), answer.report);
                assert!(answer.converged(), "{}: {:?}", solver.name(), answer.report);
                answer.report.iterations
            });
        assert_eq!(problem.contacts(), 65);
        assert!(sweeps.contains(&gauss_seidel), "{gauss_seidel} sweeps, not in {sweeps:?}");
        assert!(newton <= most[0], "{newton} Newton steps, not {}", most[0]);
        assert!(cascade <= most[1], "{cascade} iterations of the cascade, not {}", most[1]);
    }
}
