//! Bars that fly against a floor (Doyen, Ern, Piperno 2011): as a chain of line elements and as a strip.

use std::sync::Arc;

use delassus::assembly::{DofMap, Loads};
use delassus::contact::obstacle::{HalfPlane, Obstacle, RigidMotion, Shape};
use delassus::contact::solver::{Method, Target};
use delassus::contact::{Activation, Against, Candidate, ContactSet, Contacts, Law};
use delassus::linalg::{BlockOperator, NodeGraph, dot};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::step::{March, Problem, Scheme, State, Stepped};

use super::case;

pub const LENGTH: f64 = 10.0;
pub const YOUNG: f64 = 900.0;
pub const SPEED: f64 = 30.0;
pub const HEIGHT: f64 = 5.0;

/// What a march through time met.
pub struct Flight {
    /// (time at the end of the step, normal impulse of all contacts) of every step with contact.
    pub impulses: Vec<(f64, f64)>,
    /// Total energy at the start and after each step.
    pub energy: Vec<f64>,
    /// Mean velocity at the end.
    pub rebound: f64,
    /// Displacement of dof 1, the y of the first foot node, at the end of each step.
    pub foot: Vec<f64>,
}

pub fn march(problem: &Arc<Problem>, state: State, steps: usize) -> Flight {
    let target = Target::new(1e-13, 10_000);
    let mut march = March::new(problem, state, Method::Auto, target).unwrap();
    let start = march.energies_at_start().total();
    let mut met =
        Flight { impulses: Vec::new(), energy: vec![start], rebound: 0.0, foot: Vec::new() };
    for _ in 0..steps {
        let Stepped { solve, terms, .. } = march.step();
        assert!(solve.error <= 1e-13, "the cone problem was solved to {:e} only", solve.error);
        let impulse: f64 = march.contacts().impulse.iter().map(|p| p[0]).sum();
        if impulse > 0.0 {
            met.impulses.push((march.state().time, impulse));
        }
        met.energy.push(terms.total());
        met.foot.push(march.state().q[1]);
    }
    let closed = march.ledger().worst().residual / march.ledger().energy_scale();
    assert!(closed < 1e-12, "the energy identity closed to {closed:e} only");
    let momentum: f64 = march.state().mv.iter().skip(1).step_by(2).sum();
    met.rebound = momentum / problem.operator.total_mass();
    met
}

/// The one-dimensional P1 bar with consistent mass and section 1, along y, in `cells` elements.
pub fn chain(cells: usize, theta: f64, e: f64, h: f64, gravity: f64) -> (Arc<Problem>, State) {
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
            friction: 0.0.into(),
            restitution: Law::Fremond.restitution(theta, e, 0.0),
        }],
        candidates: vec![Candidate::node(0, [0.0; 3], 0)],
        joints: Vec::new(),
        solids: Default::default(),
    };
    let state = State::new(&operator, along_y(HEIGHT), along_y(v0), &contacts);
    let problem = Problem {
        operator,
        damping: None,
        dofs,
        loads,
        contacts,
        rigid: Vec::new(),
        presences: Vec::new(),
        activation: Activation::closed(1e-11),
        scheme: Scheme::moreau_jean(theta),
        h,
    };
    (Arc::new(problem), state)
}

pub fn floor() -> Obstacle {
    let shape = Shape::HalfPlane(HalfPlane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
    Obstacle::in_plane(shape, RigidMotion::default()).unwrap()
}

/// A shipped bar case on a strip of 4 × `cells` cells.
pub fn strip(name: &str, cells: usize, overrides: &[&str]) -> (Arc<Problem>, State) {
    let mut all = vec!["contact.floor.group=bottom"];
    all.extend_from_slice(overrides);
    let mesh = Mesh::rectangle([0.2, LENGTH], [4, cells]);
    let model = Model::build(&case(name, &all), &mesh).unwrap();
    (model.problem, model.state)
}

/// What the exact solution of the impacting bar says: contact on [0.5, 7/6], pressure 300, impulse 200,
/// rebound with +10.
pub struct Exact {
    pub begin: f64,
    pub contact: f64,
    pub pressure: f64,
    pub impulse: f64,
    pub rebound: f64,
}

/// The same of the strip with `cells` cells along it, at the Courant number 1.
pub fn exact_contact(cells: usize) -> Exact {
    let h = LENGTH / cells as f64 / SPEED;
    let steps = cells * 9 / 2;
    let (step, end) = (format!("scheme.step={h:?}"), format!("scheme.end={:?}", h * steps as f64));
    let (problem, state) = strip("impacting_bar", cells, &[&step, &end]);
    let met = march(&problem, state, steps);
    let (first, last) = (met.impulses[0].0, met.impulses[met.impulses.len() - 1].0);
    let middle = met.impulses.iter().filter(|(t, _)| (0.6..1.0).contains(t));
    let (count, sum) = middle.fold((0, 0.0), |(c, s), (_, p)| (c + 1, s + p));
    Exact {
        begin: first - h,
        contact: last - first + h,
        pressure: sum / (f64::from(count) * h),
        impulse: met.impulses.iter().map(|(_, p)| p).sum(),
        rebound: met.rebound,
    }
}

/// What the bouncing bar says of itself: its two contacts, the impulse of the first, and where its foot is
/// at t = 8/3. Exact: [1, 5/3] and [11/3, 13/3], 266.667, 3.8889.
pub struct Bounces {
    pub step: f64,
    pub begin: f64,
    pub second: f64,
    pub first_impulse: f64,
    pub foot: f64,
}

pub fn bounces_of_the_strip() -> Bounces {
    let (problem, state) = strip("bouncing_bar", 200, &[]);
    let met = march(&problem, state, 3200);
    let second = met.impulses.iter().find(|(t, _)| *t > 2.5).map_or(0.0, |(t, _)| *t);
    Bounces {
        step: problem.h,
        begin: met.impulses[0].0 - problem.h,
        second: second - problem.h,
        first_impulse: met.impulses.iter().filter(|(t, _)| *t < 2.5).map(|(_, p)| p).sum(),
        foot: met.foot[1599],
    }
}

/// Energy at the end of the chain at the Courant number 1, θ = ½, e = 0.
pub fn energy_of_the_chain(cells: usize) -> f64 {
    let h = LENGTH / cells as f64 / SPEED;
    let (problem, state) = chain(cells, 0.5, 0.0, h, 0.0);
    let met = march(&problem, state, cells * 9 / 2);
    met.energy[met.energy.len() - 1]
}

/// Energy after 16/3 of the chain of 200 that bounces under its weight.
pub fn energy_of_the_bouncing_chain(theta: f64, e: f64) -> f64 {
    let (problem, state) = chain(200, theta, e, 1.0 / 600.0, 10.0);
    let met = march(&problem, state, 3200);
    met.energy[met.energy.len() - 1]
}
