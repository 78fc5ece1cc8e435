//! Impacting and bouncing bars against their exact solutions (Doyen, Ern, Piperno 2011) and the
//! closed form of the first impact.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

mod support;

use std::sync::Arc;

use delassus::assembly::{DofMap, Loads};
use delassus::contact::obstacle::{HalfPlane, Obstacle, RigidMotion, Shape};
use delassus::contact::solver::{Cascade, Target};
use delassus::contact::{Activation, Against, Candidate, ContactSet, Contacts, Law};
use delassus::energy::{Ledger, StepTerms};
use delassus::linalg::{BlockOperator, NodeGraph, dot};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::step::{MoreauJean, Problem, Scheme, State, Stepper};
use support::{case, fitted_slope};

const LENGTH: f64 = 10.0;
const YOUNG: f64 = 900.0;
const SPEED: f64 = 30.0;
const HEIGHT: f64 = 5.0;

/// What a march through time met.
struct March {
    /// (time at the end of the step, normal impulse of all contacts) of every step with contact.
    impulses: Vec<(f64, f64)>,
    /// Total energy at the start and after each step.
    energy: Vec<f64>,
    /// Mean velocity at the end.
    rebound: f64,
    /// Displacement of dof 1, the y of the first foot node, at the end of each step.
    foot: Vec<f64>,
}

fn march(problem: &Problem, mut state: State, steps: usize) -> March {
    let mut stepper = MoreauJean::new(problem, &state).unwrap();
    let mut solver = Cascade::new(2, problem.contacts.len());
    let target = Target::new(1e-13, 10_000);
    let weight = &problem.loads.potential;
    let start = StepTerms {
        kinetic: 0.5 * dot(&state.v, &state.mv),
        strain: 0.5 * dot(&state.q, &state.kq),
        potential: if weight.is_empty() { 0.0 } else { -dot(weight, &state.q) },
        ..StepTerms::default()
    };
    let mut ledger = Ledger::new(start, problem.contacts.len());
    let mut met =
        March { impulses: Vec::new(), energy: vec![start.total()], rebound: 0.0, foot: Vec::new() };
    for _ in 0..steps {
        stepper.rhs(&mut state);
        stepper.forward();
        let report = stepper.contact(&mut solver, target);
        assert!(report.error <= 1e-13, "the cone problem was solved to {:e} only", report.error);
        stepper.backward();
        stepper.advance(&mut state);
        let terms = stepper.ledger(&state);
        let contact = stepper.contacts();
        ledger.enter(&terms, &contact.active, &contact.work);
        let impulse: f64 = contact.impulse.iter().map(|p| p[0]).sum();
        if impulse > 0.0 {
            met.impulses.push((state.time, impulse));
        }
        met.energy.push(terms.total());
        met.foot.push(state.q[1]);
    }
    let closed = ledger.worst().residual / ledger.energy_scale();
    assert!(closed < 1e-12, "the energy identity closed to {closed:e} only");
    let momentum: f64 = state.mv.iter().skip(1).step_by(2).sum();
    met.rebound = momentum / problem.operator.total_mass();
    met
}

/// The one-dimensional P1 bar with consistent mass and section 1, along y, in `cells` elements.
fn chain(cells: usize, theta: f64, e: f64, h: f64, gravity: f64) -> (Problem, State) {
    let dx = LENGTH / cells as f64;
    let elements: Vec<[u32; 2]> = (0..cells as u32).map(|i| [i, i + 1]).collect();
    let graph = Arc::new(NodeGraph::new(cells + 1, elements.iter().map(|e| &e[..])));
    let mut operator = BlockOperator::zero(graph, 2);
    let k = YOUNG / dx;
    let mut stiffness = [0.0; 16];
    for (row, column, value) in [(1, 1, k), (1, 3, -k), (3, 1, -k), (3, 3, k)] {
        stiffness[4 * row + column] = value;
    }
    for nodes in &elements {
        operator.add_element(nodes, &[dx / 3.0, dx / 6.0, dx / 6.0, dx / 3.0], &stiffness);
    }
    let n = operator.dofs();
    let along_y = |value: f64| -> Vec<f64> { (0..n).map(|i| value * (i % 2) as f64).collect() };
    let mut last = vec![false; cells + 1];
    last[0] = true;
    let dofs = DofMap::new(operator.graph(), operator.dimension(), &last, Vec::new(), Vec::new());
    let mut loads = Loads::default();
    if gravity != 0.0 {
        loads.potential = vec![0.0; n];
        let pull = along_y(-gravity);
        operator.apply_into(&pull, &pull, &mut loads.potential, &mut vec![0.0; n]);
    }
    let v0 = if gravity == 0.0 { -10.0 } else { 0.0 };
    let contacts = Contacts {
        sets: vec![ContactSet {
            name: "floor".into(),
            against: Against::Obstacle(Box::new(floor())),
            friction: 0.0,
            restitution: Law::Fremond.restitution(theta, e, 0.0),
        }],
        candidates: vec![Candidate::node(0, [0.0; 3], 0)],
        joints: Vec::new(),
    };
    let state = State::new(&operator, along_y(HEIGHT), along_y(v0), &contacts);
    let problem = Problem {
        operator,
        damping: None,
        dofs,
        loads,
        contacts,
        activation: Activation { gap_tolerance: 1e-11, velocity_tolerance: Some(1e-8) },
        scheme: Scheme::moreau_jean(theta),
        h,
    };
    (problem, state)
}

fn floor() -> Obstacle {
    let shape = Shape::HalfPlane(HalfPlane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
    Obstacle::in_plane(shape, RigidMotion::default()).unwrap()
}

/// A shipped bar case on a strip of 4 × `cells` cells.
fn strip(name: &str, cells: usize, overrides: &[&str]) -> (Problem, State) {
    let mut all = vec!["contact.floor.group=bottom"];
    all.extend_from_slice(overrides);
    let mesh = Mesh::rectangle([0.2, LENGTH], [4, cells]);
    let model = Model::build(&case(name, &all), &mesh).unwrap();
    (model.problem, model.state)
}

/// First impact of a P1 bar at velocity v₀ (derived in closed form from the Schur complement of M̂
/// on the end of a long bar): impulse (1+e)v₀ρS√(s + θ²h²c²), s = Δx²/12 for the consistent and
/// Δx²/4 for the lumped mass; at θ = ½ the energy drops by ½(1−e²)v₀² times the same root. The bar is
/// long enough: what its far end feels is below 1e-16.
fn assert_first_impact(what: &str, met: &March, root: f64, theta: f64, e: f64) {
    let v0 = 10.0;
    let (_, impulse) = met.impulses[0];
    let exact = (1.0 + e) * v0 * root;
    println!("{what}: first impulse {impulse:.12}, closed form {exact:.12}");
    assert!((impulse / exact - 1.0).abs() < 1e-10, "{what}: {impulse} for {exact}");
    if theta == 0.5 {
        let lost = met.energy[0] - met.energy[met.energy.len() - 1];
        let exact = 0.5 * (1.0 - e * e) * v0 * v0 * root;
        assert!((lost - exact).abs() < 1e-10 * 500.0, "{what}: lost {lost} for {exact}");
    }
}

const THETA_AND_E: [(f64, f64); 5] = [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.75, 0.2), (1.0, 0.0)];

#[test]
fn first_impact_of_the_strip_equals_the_closed_form_of_the_lumped_bar() {
    for (theta, e) in THETA_AND_E {
        let overrides =
            [&*format!("scheme.theta={theta}"), &*format!("contact.floor.restitution={e}")];
        let (problem, state) = strip("impacting_bar", 200, &overrides);
        let met = march(&problem, state, 301);
        let root = (0.05f64.powi(2) / 4.0 + (theta * problem.h * SPEED).powi(2)).sqrt();
        assert_first_impact(&format!("strip, theta {theta}, e {e}"), &met, root, theta, e);
    }
}

#[test]
fn first_impact_of_the_chain_equals_the_closed_form_of_the_consistent_bar() {
    for (theta, e) in THETA_AND_E {
        for cells in [100, 200] {
            let dx = LENGTH / cells as f64;
            let h = dx / SPEED;
            let (problem, state) = chain(cells, theta, e, h, 0.0);
            let met = march(&problem, state, cells * 3 / 2 + 1);
            let root = (dx * dx / 12.0 + (theta * h * SPEED).powi(2)).sqrt();
            let what = format!("chain of {cells}, theta {theta}, e {e}");
            assert_first_impact(&what, &met, root, theta, e);
        }
    }
}

/// Reference values: an independent implementation, Courant number 1, consistent mass, e = 0.
#[test]
fn final_energies_of_the_chain_are_the_reference_ones() {
    for (cells, reference) in [(100, 497.113249), (200, 498.556624), (400, 499.278312)] {
        let h = LENGTH / cells as f64 / SPEED;
        let (problem, state) = chain(cells, 0.5, 0.0, h, 0.0);
        let met = march(&problem, state, cells * 9 / 2);
        let energy = met.energy[met.energy.len() - 1];
        println!("{cells} elements: {energy:.9}");
        assert!((energy - reference).abs() < 1e-6, "{cells}: {energy}");
    }
    for (theta, e, reference, digits) in
        [(0.5, 0.0, 497.700692, 1e-6), (0.5, 1.0, 500.0, 5e-8), (1.0, 0.0, 370.746, 1e-3)]
    {
        let (problem, state) = chain(200, theta, e, 1.0 / 600.0, 10.0);
        let met = march(&problem, state, 3200);
        let energy = met.energy[met.energy.len() - 1];
        println!("bouncing, theta {theta}, e {e}: {energy:.9}");
        assert!((energy - reference).abs() < digits, "theta {theta}, e {e}: {energy}");
    }
}

/// Exact: contact on [0.5, 7/6], pressure 300, rebound with +10.
#[test]
fn contact_time_pressure_and_rebound_of_the_strip_converge_to_the_exact_solution() {
    let cells = [50usize, 100, 200, 400];
    let mut errors = [const { Vec::new() }; 4];
    for n in cells {
        let h = LENGTH / n as f64 / SPEED;
        let step = format!("scheme.step={h:?}");
        let steps = n * 9 / 2;
        let end = format!("scheme.end={:?}", h * steps as f64);
        let (problem, state) = strip("impacting_bar", n, &[&step, &end]);
        let met = march(&problem, state, steps);
        let (first, last) = (met.impulses[0].0, met.impulses[met.impulses.len() - 1].0);
        let middle = met.impulses.iter().filter(|(t, _)| (0.6..1.0).contains(t));
        let (count, sum) = middle.fold((0, 0.0), |(c, s), (_, p)| (c + 1, s + p));
        let pressure = sum / (f64::from(count) * h);
        let total: f64 = met.impulses.iter().map(|(_, p)| p).sum();
        println!(
            "{n} cells: contact from {:.5} for {:.5}, pressure {pressure:.4}, impulse {total:.4}, rebound {:.5}",
            first - h,
            last - first + h,
            met.rebound
        );
        errors[0].push((last - first + h - 2.0 / 3.0).abs());
        errors[1].push((pressure - 300.0).abs());
        errors[2].push((met.rebound - 10.0).abs());
        errors[3].push((total - 200.0).abs());
    }
    let sizes: Vec<f64> = cells.iter().map(|&n| LENGTH / n as f64).collect();
    for (what, error) in ["contact time", "pressure", "rebound", "impulse"].iter().zip(&errors) {
        let slope = fitted_slope(&sizes, error);
        println!("{what}: errors {error:.5?}, slope {slope:.2}");
        assert!(error[3] < error[0], "{what} does not converge: {error:?}");
        assert!(slope > 0.4, "{what}: slope {slope}");
    }
}

/// Exact: contact on [1, 5/3] and [11/3, 13/3], impulse of the first 266.667, foot at 3.8889 when
/// t = 8/3.
#[test]
fn bouncing_strip_touches_twice_and_is_where_it_should_be_between() {
    let (problem, state) = strip("bouncing_bar", 200, &[]);
    let met = march(&problem, state, 3200);
    let first: f64 = met.impulses.iter().filter(|(t, _)| *t < 2.5).map(|(_, p)| p).sum();
    let begin = met.impulses[0].0 - problem.h;
    let second = met.impulses.iter().find(|(t, _)| *t > 2.5).map_or(0.0, |(t, _)| *t) - problem.h;
    let foot = met.foot[1599];
    println!("contacts begin at {begin:.4}, {second:.4}; impulse {first:.3}; foot at {foot:.4}");
    // The mesh and the loss at impact move these by O(Δx): 1 % at 200 cells.
    assert!((begin - 1.0).abs() < 2.0 * problem.h);
    assert!((second - 11.0 / 3.0).abs() < 0.01 * 11.0 / 3.0);
    assert!((first / 266.667 - 1.0).abs() < 0.01);
    assert!((foot / 3.8889 - 1.0).abs() < 0.01);
}
