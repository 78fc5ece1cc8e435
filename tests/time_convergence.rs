//! The θ-scheme without contact: its order of convergence, the discrete frequency and damping of a
//! mode of vibration, and its energy.

#![allow(clippy::print_stdout)]

mod support {
    pub mod rates;
}

use delassus::assembly::{Body, DofMap, Driven, Loads, MassKind, assemble, static_solve};
use delassus::contact::solver::{Cascade, Target};
use delassus::contact::{Activation, Contacts};
use delassus::energy::StepTerms;
use delassus::linalg::dot;
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;
use delassus::step::{MoreauJean, Problem, Scheme, State, Stepper};
use delassus::time::{Motion, TimeFunction};
use support::rates::fitted_slope;

/// A 2 × 1 block held at its left side, with waves of about unit speed.
fn block(theta: f64, h: f64) -> (Mesh, Problem) {
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
        activation: Activation { gap_tolerance: 0.0, velocity_tolerance: None },
        scheme: Scheme::moreau_jean(theta),
        h,
    };
    (mesh, problem)
}

/// At rest, with a smooth velocity that vanishes at the held side.
fn struck(mesh: &Mesh, problem: &Problem) -> State {
    let field = |x: f64, y: f64| {
        let wave = (std::f64::consts::FRAC_PI_4 * x).sin();
        [wave, 0.3 * wave * wave * (1.0 + y)]
    };
    let v: Vec<f64> = mesh.points.iter().flat_map(|&[x, y, _]| field(x, y)).collect();
    State::new(&problem.operator, vec![0.0; v.len()], v, &problem.contacts)
}

/// Takes `steps` steps and shows each to `watch`.
fn run(
    problem: &Problem,
    state: &mut State,
    steps: usize,
    mut watch: impl FnMut(&State, StepTerms),
) {
    let mut stepper = MoreauJean::new(problem, state).expect("the block has mass");
    let mut solver = Cascade::new(2, 0);
    let target = Target::new(1e-10, 1);
    for _ in 0..steps {
        stepper.rhs(state);
        stepper.forward();
        let report = stepper.contact(&mut solver, target);
        assert_eq!((report.iterations, report.error), (0, 0.0), "nothing touches anything");
        stepper.backward();
        stepper.advance(state);
        let terms = stepper.ledger(state);
        watch(state, terms);
    }
}

/// State at t = 1 after `steps` steps.
fn after_unit_time(theta: f64, steps: usize) -> (Problem, State) {
    let (mesh, problem) = block(theta, 1.0 / steps as f64);
    let mut state = struck(&mesh, &problem);
    run(&problem, &mut state, steps, |_, _| ());
    (problem, state)
}

/// Energy norm of the difference of two states, √(½‖Δv‖²_M + ½‖Δq‖²_K).
fn distance(problem: &Problem, a: &State, b: &State) -> f64 {
    let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let apart =
        State::new(&problem.operator, less(&a.q, &b.q), less(&a.v, &b.v), &problem.contacts);
    (0.5 * (dot(&apart.v, &apart.mv) + dot(&apart.q, &apart.kq))).sqrt()
}

/// The reference is θ = ½ with steps 16 times smaller than the smallest: its own error is 1/256 of
/// the smallest one measured at θ = ½, or 0.002 in the slope. The rest of the margins is for the
/// mesh's fastest waves, which turn by ω h = 0.1 in the largest step: at θ = 1 they are damped
/// before they show their order.
#[test]
fn order_in_time_is_two_at_one_half_and_one_at_one() {
    let steps = [200usize, 400, 800, 1600, 3200];
    let (_, reference) = after_unit_time(0.5, 51_200);
    for (theta, order, margin) in [(0.5, 2.0, 0.05), (1.0, 1.0, 0.1)] {
        let errors = steps.map(|n| {
            let (problem, state) = after_unit_time(theta, n);
            distance(&problem, &state, &reference)
        });
        let slope = fitted_slope(&steps.map(|n| 1.0 / n as f64), &errors);
        println!("θ = {theta}: order {slope:.4}; errors {errors:?}");
        assert!((slope - order).abs() <= margin, "θ = {theta}: order {slope} from {errors:?}");
    }
}

/// Lowest mode φ of K φ = ω² M φ by inverse iteration, and ω, with φ at unit size.
fn lowest_mode(mesh: &Mesh, problem: &Problem) -> (Vec<f64>, f64) {
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

/// On one mode, z = ω q + i v is multiplied at each step by
///
/// ```text
///     (1 − i(1−θ)ωh)/(1 + iθωh),     at θ = ½ of modulus 1 and phase −2 atan(ωh/2)
/// ```
///
/// Rounding of 1e-16 per step, amplified by the other modes it wakes: below 1e-12 in 200 steps.
#[test]
fn a_single_mode_turns_by_the_discrete_frequency_and_decays_by_theta() {
    for theta in [0.5, 0.75, 1.0] {
        let h = 0.25;
        let (mesh, problem) = block(theta, h);
        let (mode, omega) = lowest_mode(&mesh, &problem);
        let n = mode.len();
        let mut state =
            State::new(&problem.operator, mode.clone(), vec![0.0; n], &problem.contacts);
        let turn = ((1.0 - theta) * omega * h).atan() + (theta * omega * h).atan();
        let shrink = ((1.0 - theta) * omega * h).hypot(1.0) / (theta * omega * h).hypot(1.0);
        if theta == 0.5 {
            assert!((turn - 2.0 * (omega * h / 2.0).atan()).abs() < 1e-15);
        }
        let mut worst: f64 = 0.0;
        run(&problem, &mut state, 200, |state, _| {
            let (sin, cos) = (turn * state.step as f64).sin_cos();
            let size = shrink.powi(state.step as i32);
            for (dof, mode) in mode.iter().enumerate() {
                worst = worst.max((state.q[dof] - mode * size * cos).abs());
                worst = worst.max((state.v[dof] / omega + mode * size * sin).abs());
            }
        });
        println!("θ = {theta}: ω = {omega:.6}, mode off by {worst:.1e} at most");
        assert!(worst < 1e-12, "θ = {theta}, ω = {omega}: the mode is off by {worst:e}");
    }
}

/// θ = ½, C = 0, no load: (65) has no right side. Rounding of 1e-16 per step, 1000 steps.
#[test]
fn energy_is_constant_at_one_half() {
    let (mesh, problem) = block(0.5, 0.05);
    let mut state = struck(&mesh, &problem);
    let start = 0.5 * dot(&state.v, &state.mv);
    let (mut worst, mut strained): (f64, f64) = (0.0, 0.0);
    run(&problem, &mut state, 1000, |_, terms| {
        assert_eq!(terms.dissipation_numerical, 0.0);
        worst = worst.max((terms.total() / start - 1.0).abs());
        strained = strained.max(terms.strain / start);
    });
    println!("energy drifts by {worst:.1e} at most; up to {strained:.2} of it is strain");
    assert!(worst < 1e-12, "energy drifts by {worst:e}");
    assert!(strained > 0.5, "energy is exchanged: strain takes {strained} of it at most");
}

/// θ > ½: each step loses exactly its numerical dissipation, and never gains. Rounding of the
/// energies, 1e-16 times a few.
#[test]
fn energy_falls_by_the_numerical_dissipation_above_one_half() {
    for theta in [0.6, 1.0] {
        let (mesh, problem) = block(theta, 0.05);
        let mut state = struck(&mesh, &problem);
        let start = 0.5 * dot(&state.v, &state.mv);
        let (mut before, mut worst): (f64, f64) = (start, 0.0);
        run(&problem, &mut state, 1000, |_, terms| {
            let lost = terms.dissipation_numerical;
            assert!(lost < 0.0, "θ = {theta}: a step dissipates, not {lost:e}");
            worst = worst.max((terms.total() - before - lost).abs() / start);
            before = terms.total();
        });
        let left = before / start;
        println!("θ = {theta}: {left:.3e} of the energy left, balance off by {worst:.1e} at most");
        assert!(worst < 1e-14, "θ = {theta}: a step's balance is off by {worst:e}");
        assert!(left < 0.9, "θ = {theta}: {left} of the energy is left");
    }
}
