//! Cone problems saved from a step and solved again.

use delassus::contact::solver::{Cascade, ContactSolver, SolveStatus, Target};
use delassus::contact::{ConeProblem, Measure};
use delassus::step::Problem;

use crate::scenario::Scenario;
use crate::twins::{largest, ready};

/// How many problems with contact were saved, read, and found and solved the same.
pub fn replays(scenario: &Scenario) -> Result<usize, String> {
    let ready = ready(scenario, &scenario.view)?;
    let mut marcher = ready.march();
    let mut solved = 0;
    for step in 1..=scenario.stepping.steps {
        let report = marcher.step().solve;
        if report.status != SolveStatus::Converged {
            break;
        }
        let cone = marcher.cone_problem();
        if cone.contacts() == 0 {
            continue;
        }
        let text = serde_json::to_string(cone).map_err(|e| e.to_string())?;
        let read: ConeProblem = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let dense = |problem: &ConeProblem| problem.w.blocks().to_dense();
        if read.b != cone.b || read.mu != cone.mu || dense(&read) != dense(cone) {
            return Err(format!("step {step}: what is read is not what was saved"));
        }
        let own = marcher.contacts();
        let d = read.dimension();
        let p: Vec<f64> =
            own.active.iter().flat_map(|&c| &own.impulse[c as usize][..d]).copied().collect();
        let (told, found) = (report.error, error(&read, &p));
        // Rounding of W p, which the solver has summed up in another order.
        if !joined(&ready.problem) && (told - found).abs() > 1e-3 * told + 1e-14 * size(&read, &p) {
            return Err(format!("step {step}: an error of {told:e} replays as {found:e}"));
        }
        let [first, again] = [cone, &read].map(solution);
        // Zeros that the file has and the step had not may lead solvers another way.
        if first != again && read.w == cone.w {
            return Err(format!("step {step}: solved to {:?} and {:?}", first.1, again.1));
        }
        solved += usize::from(largest(&first.0) > 0.0);
    }
    Ok(solved)
}

/// Impulses from nothing, the error that the solver tells, and the error that they have.
fn solution(problem: &ConeProblem) -> (Vec<f64>, f64, f64) {
    let mut p = vec![0.0; problem.b.len()];
    let mut solver = Cascade::new(problem.dimension(), problem.contacts());
    let report = solver.solve(problem, Target::new(1e-10, 10_000), &mut p);
    let found = error(problem, &p);
    (p, report.error, found)
}

fn error(problem: &ConeProblem, p: &[f64]) -> f64 {
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(p, &mut u);
    problem.error(Measure::Scaled, p, &u)
}

/// ‖W‖‖p‖ over ‖b‖: how much larger than the velocities are what cancels in them.
fn size(problem: &ConeProblem, p: &[f64]) -> f64 {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    1.0 + p.len() as f64 * problem.w.blocks().largest() * norm(p)
        / norm(&problem.b).max(f64::MIN_POSITIVE)
}

/// Whether a step solves several cone problems, and tells the worst of their errors.
fn joined(problem: &Problem) -> bool {
    !problem.contacts.joints.is_empty() || !problem.scheme.activates()
}
