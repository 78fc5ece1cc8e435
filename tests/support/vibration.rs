//! A block that vibrates without contact, stepped by the θ-scheme.

use std::sync::Arc;

use delassus::assembly::{Body, DofMap, Driven, Loads, MassKind, assemble, static_solve};
use delassus::contact::solver::{Method, Target};
use delassus::contact::{Activation, Contacts};
use delassus::energy::StepTerms;
use delassus::linalg::dot;
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;
use delassus::step::{March, Problem, Scheme, State, Stepped};
use delassus::time::{Motion, TimeFunction};

use super::fitted_slope;

/// A 2 × 1 block held at its left side, with waves of about unit speed.
pub fn block(theta: f64, h: f64) -> (Mesh, Arc<Problem>) {
    let mesh = Mesh::rectangle([2.0, 1.0], [8, 4]);
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material = Material {
        young: 1.0,
        poisson: 0.3,
        density: 1.0,
        section: Section::PlaneStress { thickness: 1.0 },
        damping_mass: 0.0,
        damping_stiffness: 0.0,
    };
    let material_of = vec![0; elements.len()];
    let body = Body { mesh: &mesh, elements, material_of, materials: vec![material] };
    let (operator, damping) = assemble(&body, MassKind::Consistent);
    let still = Motion::Velocity { value: 0.0, time: TimeFunction::Constant };
    let held = mesh.groups["left"].nodes.iter().flat_map(|&node| [2 * node, 2 * node + 1]);
    let driven = held.map(|dof| Driven { dof, motion: 0 }).collect();
    let last = vec![false; mesh.points.len()];
    let dofs = DofMap::new(operator.graph(), operator.dimension(), &last, vec![still], driven);
    let problem = Problem {
        operator,
        damping,
        dofs,
        loads: Loads::default(),
        contacts: Contacts::default(),
        rigid: Vec::new(),
        presences: Vec::new(),
        activation: Activation::closed(0.0),
        scheme: Scheme::moreau_jean(theta),
        h,
    };
    (mesh, Arc::new(problem))
}

/// At rest, with a smooth velocity that vanishes at the held side.
pub fn struck(mesh: &Mesh, problem: &Problem) -> State {
    let field = |x: f64, y: f64| {
        let wave = (std::f64::consts::FRAC_PI_4 * x).sin();
        [wave, 0.3 * wave * wave * (1.0 + y)]
    };
    let v: Vec<f64> = mesh.points.iter().flat_map(|&[x, y, _]| field(x, y)).collect();
    State::new(&problem.operator, vec![0.0; v.len()], v, &problem.contacts)
}

/// Takes `steps` steps and shows each to `watch`.
pub fn run(
    problem: &Arc<Problem>,
    state: &mut State,
    steps: usize,
    mut watch: impl FnMut(&State, StepTerms),
) {
    let target = Target::new(1e-10, 1);
    let mut march = March::new(problem, state.clone(), Method::Auto, target).expect("it has mass");
    for _ in 0..steps {
        let Stepped { solve, terms, .. } = march.step();
        assert_eq!((solve.iterations, solve.error), (0, 0.0), "nothing touches anything");
        watch(march.state(), terms);
    }
    *state = march.into_state();
}

/// State at t = 1 after `steps` steps.
pub fn after_unit_time(theta: f64, steps: usize) -> (Arc<Problem>, State) {
    let (mesh, problem) = block(theta, 1.0 / steps as f64);
    let mut state = struck(&mesh, &problem);
    run(&problem, &mut state, steps, |_, _| ());
    (problem, state)
}

/// Energy norm of the difference of two states, √(½‖Δv‖²_M + ½‖Δq‖²_K).
pub fn distance(problem: &Problem, a: &State, b: &State) -> f64 {
    let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let apart =
        State::new(&problem.operator, less(&a.q, &b.q), less(&a.v, &b.v), &problem.contacts);
    (0.5 * (dot(&apart.v, &apart.mv) + dot(&apart.q, &apart.kq))).sqrt()
}

/// Lowest mode φ of K φ = ω² M φ by inverse iteration, and ω, with φ at unit size.
pub fn lowest_mode(mesh: &Mesh, problem: &Problem) -> (Vec<f64>, f64) {
    let stiffness = problem.operator.scaled(0.0, 1.0);
    let held = vec![0.0; problem.dofs.driven.len()];
    let mut state = struck(mesh, problem);
    let mut omega = 0.0;
    // Each round brings the mode nearer by the ratio of the first two ω², about 10.
    for _ in 0..40 {
        let q =
            static_solve(&stiffness, &problem.dofs, &held, &state.mv).expect("held at the left");
        let size = q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
        let mode: Vec<f64> = q.iter().map(|q| q / size).collect();
        state = State::new(&problem.operator, mode.clone(), mode, &problem.contacts);
        omega = (dot(&state.q, &state.kq) / dot(&state.v, &state.mv)).sqrt();
    }
    (state.q, omega)
}

/// Order of convergence at t = 1, and the errors it is fitted to. The reference is θ = ½ with steps 16
/// times smaller than the smallest.
pub fn order_in_time(theta: f64) -> (f64, [f64; 5]) {
    let steps = [200usize, 400, 800, 1600, 3200];
    let (_, reference) = after_unit_time(0.5, 51_200);
    let errors = steps.map(|n| {
        let (problem, state) = after_unit_time(theta, n);
        distance(&problem, &state, &reference)
    });
    (fitted_slope(&steps.map(|n| 1.0 / n as f64), &errors), errors)
}
