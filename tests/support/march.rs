//! A shipped case marched step by step, with what its body and its contacts did in each.

use delassus::case::Case;
use delassus::contact::Status;
use delassus::contact::solver::{SolveStatus, Target};
use delassus::energy::{ContactWork, Term};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::step::{ContactState, March, Problem, State};

use super::case;

/// What a body did in a step.
pub struct Moment {
    pub time: f64,
    /// Velocity of the centre of mass after the step.
    pub velocity: [f64; 3],
    /// Impulse of all contacts on the body, in space.
    pub impulse: [f64; 3],
    /// Active contacts that slip.
    pub slipping: usize,
    pub active: usize,
    pub residual: f64,
    pub worst: ContactWork,
}

/// Runs a case; `watch` sees every state.
pub fn march(case: &Case, mut watch: impl FnMut(&Mesh, &State, &ContactState)) -> Vec<Moment> {
    let mut mesh = Mesh::read_with_bars(case.mesh_file().unwrap(), &case.bar_groups()).unwrap();
    mesh.scale(case.scale);
    let Model { problem, state, .. } = Model::build(case, &mesh).unwrap();
    let target = Target::new(case.solver.tolerance, case.solver.max_iterations);
    let mut march = March::new(&problem, state, case.solver.method, target).unwrap();
    let mut moments = Vec::new();
    for _ in 0..case.scheme.steps {
        assert_eq!(march.step().solve.status, SolveStatus::Converged);
        let (state, contact, ledger) = (march.state(), march.contacts(), march.ledger());
        let mut impulse = [0.0; 3];
        for (frame, p) in contact.frame.iter().zip(&contact.impulse) {
            let push = frame.to_space(*p);
            impulse.iter_mut().zip(push).for_each(|(sum, push)| *sum += push);
        }
        let balance = ledger.balance();
        moments.push(Moment {
            time: state.time,
            velocity: mean_velocity(&problem, state),
            impulse,
            slipping: contact.status.iter().filter(|s| **s == Status::Slip).count(),
            active: contact.active.len(),
            residual: balance.residual.abs() / ledger.energy_scale(),
            worst: ContactWork::new(
                [
                    (Term::Normal, balance.largest[Term::Normal]),
                    (Term::Tangential, balance.largest[Term::Tangential]),
                ],
                0.0,
            ),
        });
        watch(&mesh, state, contact);
    }
    moments
}

/// Σ M v over Σ M.
pub fn mean_velocity(problem: &Problem, state: &State) -> [f64; 3] {
    let d = problem.dofs.dimension;
    let mut momentum = [0.0; 3];
    state.mv.iter().enumerate().for_each(|(dof, m)| momentum[dof % d] += m);
    momentum.map(|m| m / problem.operator.total_mass())
}

/// Mean of a component of q or v over a group.
pub fn mean_over(mesh: &Mesh, group: &str, x: &[f64], component: usize) -> f64 {
    let nodes = &mesh.groups[group].nodes;
    let sum: f64 = nodes.iter().map(|&n| x[mesh.dimension * n as usize + component]).sum();
    sum / nodes.len() as f64
}

/// Largest normal force, averaged over a twentieth of Hertz's time: nodes that touch make it jump.
pub fn peak_of(moments: &[Moment], h: f64) -> f64 {
    let window = (6.0767e-5 / 20.0 / h).round() as usize;
    let mean = |m: &[Moment]| m.iter().map(|m| m.impulse[2]).sum::<f64>() / (window as f64 * h);
    moments.windows(window).map(mean).fold(0.0, f64::max)
}

/// Ends of the bar of code_aster's SDNV100 after a step.
#[derive(Clone, Copy)]
pub struct Ends {
    pub time: f64,
    /// Displacement of the contact end.
    pub contact: f64,
    /// Displacement of the free end.
    pub free: f64,
    /// Velocity of the contact end.
    pub speed: f64,
}

/// The bar of SDNV100: first and last time in contact, and its ends.
pub struct Sdnv100 {
    pub moments: Vec<Moment>,
    pub first: f64,
    pub last: f64,
    ends: Vec<Ends>,
}

impl Sdnv100 {
    pub fn at(&self, t: f64) -> Ends {
        *self.ends.iter().find(|end| (end.time - t).abs() < 1e-9).expect("a step ends there")
    }
}

pub fn sdnv100() -> Sdnv100 {
    let mut ends = Vec::new();
    let moments = march(&case("bar_impact_3d", &[]), |mesh, state, _| {
        ends.push(Ends {
            time: state.time,
            contact: mean_over(mesh, "contact", &state.q, 2),
            free: mean_over(mesh, "free end", &state.q, 2),
            speed: mean_over(mesh, "contact", &state.v, 2),
        });
    });
    let mut touching = moments.iter().filter(|m| m.impulse[2] > 0.0).map(|m| m.time);
    let first = touching.next().expect("it touches");
    let last = touching.next_back().unwrap_or(first);
    Sdnv100 { moments, first, last, ends }
}

/// The incline with a block `size` times as large, in steps of 1e-3 √size: what it did, and its acceleration
/// over the second half.
pub fn incline(size: f64) -> (Vec<Moment>, f64) {
    let time = size.sqrt();
    let overrides = [
        format!("mesh.scale={:?}", 0.025 * size),
        format!("material.cork.young={:?}", 1e6 * size),
        format!("material.cork.damping_stiffness={:?}", 2e-2 * time),
        format!("scheme.step={:?}", 1e-3 * time),
        format!("scheme.end={time:?}"),
    ];
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    let moments = march(&case("incline", &overrides), |_, _, _| {});
    let (half, end) = (&moments[499], &moments[999]);
    let found = (end.velocity[0] - half.velocity[0]) / (end.time - half.time);
    (moments, found)
}

/// Torque of the pin on its disk per step at the end, and μ Σ r p_N.
pub fn torque_on_the_disk() -> (Vec<Moment>, f64, f64) {
    let (mut torque, mut expected) = (0.0, 0.0);
    let moments = march(&case("pin_on_disk", &[]), |mesh, state, contact| {
        (torque, expected) = (0.0, 0.0);
        let nodes = &mesh.groups["contact"].nodes;
        for (c, &node) in nodes.iter().enumerate() {
            let at = |i: usize| mesh.points[node as usize][i] + state.q[3 * node as usize + i];
            let p = contact.frame[c].to_space(contact.impulse[c]);
            torque += at(0) * p[1] - at(1) * p[0];
            expected += 0.3 * at(0).hypot(at(1)) * p[2];
        }
    });
    (moments, torque, expected)
}

/// The ball on a plate with that mesh: what it did, how long it touched, and its largest force.
pub fn hertz(file: &str) -> (Vec<Moment>, f64, f64) {
    let case = case("ball_on_plate", &[&format!("mesh.file=../meshes/{file}")]);
    let h = case.scheme.step;
    let moments = march(&case, |_, _, _| {});
    let mut touching = moments.iter().filter(|m| m.impulse[2] > 0.0).map(|m| m.time);
    let first = touching.next().expect("it touches");
    let met = h + touching.next_back().unwrap_or(first) - first;
    let peak = peak_of(&moments, h);
    (moments, met, peak)
}

/// Siconos' bar: what it did, its largest reaction, and the impulse of all steps.
pub fn siconos_bar() -> (Vec<Moment>, f64, f64) {
    let case = case("siconos_bar", &[]);
    let moments = march(&case, |_, _, _| {});
    let largest = moments.iter().map(|m| m.impulse[0] / case.scheme.step).fold(0.0, f64::max);
    let total = moments.iter().map(|m| m.impulse[0]).sum();
    (moments, largest, total)
}
