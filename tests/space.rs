//! Bodies in space against exact solutions: code_aster's bar, Hertz's impact, the incline, the pin
//! on a disk, and what a rigid motion of the whole problem must not change.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a failed test shows what it found

mod support;

use delassus::case::Case;
use delassus::contact::Status;
use delassus::contact::solver::{SolveStatus, Target};
use delassus::energy::{ContactWork, Ledger, StepTerms};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::step::{ContactState, MoreauJean, Problem, State, Stepper};
use support::{Folder, case, repository, stderr};

/// What a body did in a step.
struct Moment {
    time: f64,
    /// Velocity of the centre of mass after the step.
    velocity: [f64; 3],
    /// Impulse of all contacts on the body, in space.
    impulse: [f64; 3],
    /// Active contacts that slip.
    slipping: usize,
    active: usize,
    residual: f64,
    worst: ContactWork,
}

/// Runs a case; `watch` sees every state.
fn march(case: &Case, mut watch: impl FnMut(&Mesh, &State, &ContactState)) -> Vec<Moment> {
    let mut mesh = Mesh::read_with_bars(case.mesh.as_ref().unwrap(), &case.bar_groups()).unwrap();
    mesh.scale(case.scale);
    let Model { problem, mut state, .. } = Model::build(case, &mesh).unwrap();
    let mut stepper = MoreauJean::new(&problem, &state).unwrap();
    let dimension = problem.dofs.dimension;
    let mut solver = case.solver.method.solver(dimension.max(2), problem.contacts.len());
    let target = Target::new(case.solver.tolerance, case.solver.max_iterations);
    let mut ledger = Ledger::new(start(&state), problem.contacts.len());
    let mut moments = Vec::new();
    for _ in 0..case.scheme.steps {
        stepper.rhs(&mut state);
        stepper.forward();
        let report = stepper.contact(solver.as_mut(), target);
        assert_eq!(report.status, SolveStatus::Converged);
        stepper.backward();
        stepper.advance(&mut state);
        let terms = stepper.ledger(&state);
        let contact = stepper.contacts();
        ledger.enter(&terms, &contact.active, &contact.work);
        let mut impulse = [0.0; 3];
        for (frame, p) in contact.frame.iter().zip(&contact.impulse) {
            let push = frame.to_space(*p);
            impulse.iter_mut().zip(push).for_each(|(sum, push)| *sum += push);
        }
        let balance = ledger.balance();
        moments.push(Moment {
            time: state.time,
            velocity: mean_velocity(&problem, &state),
            impulse,
            slipping: contact.status.iter().filter(|s| **s == Status::Slip).count(),
            active: contact.active.len(),
            residual: balance.residual.abs() / ledger.energy_scale(),
            worst: ContactWork { normal: balance.max_normal, tangential: balance.max_tangential },
        });
        watch(&mesh, &state, stepper.contacts());
    }
    moments
}

fn start(state: &State) -> StepTerms {
    let half = |a: &[f64], b: &[f64]| 0.5 * a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    StepTerms {
        kinetic: half(&state.v, &state.mv),
        strain: half(&state.q, &state.kq),
        ..StepTerms::default()
    }
}

/// Σ M v over Σ M.
fn mean_velocity(problem: &Problem, state: &State) -> [f64; 3] {
    let d = problem.dofs.dimension;
    let mut momentum = [0.0; 3];
    state.mv.iter().enumerate().for_each(|(dof, m)| momentum[dof % d] += m);
    momentum.map(|m| m / problem.operator.total_mass())
}

/// Mean of a component of q or v over a group.
fn mean_over(mesh: &Mesh, group: &str, x: &[f64], component: usize) -> f64 {
    let nodes = &mesh.groups[group].nodes;
    let sum: f64 = nodes.iter().map(|&n| x[mesh.dimension * n as usize + component]).sum();
    sum / nodes.len() as f64
}

/// The balance closes to rounding and no contact creates energy, step by step.
fn assert_certified(moments: &[Moment], energy: f64) {
    let larger = |a: f64, b: f64| a.max(b);
    let residual = moments.iter().map(|m| m.residual).fold(0.0, larger);
    let normal = moments.iter().map(|m| m.worst.normal).fold(0.0, larger);
    let tangential = moments.iter().map(|m| m.worst.tangential).fold(0.0, larger);
    println!("balance {residual:.1e}, works {normal:.1e} {tangential:.1e} of {energy}");
    assert!(residual < 1e-12, "the balance is off by {residual:e}");
    let limit = 1e-11 * energy;
    assert!(normal < limit && tangential < limit, "{normal:e} {tangential:e} of {energy}");
}

/// code_aster SDNV100: in contact from 2e-5 to 1e-4, the contact end at −2e-3 then and at +100 m/s at
/// 1.2e-4; the free end at −4e-3 at 4e-5 and back at 0 at 1.2e-4. What is left is the wave's front,
/// a few elements wide, and the energy of the first layer of it, which stops: 1 % of the velocity.
#[test]
fn the_bar_of_sdnv100_touches_and_leaves_as_it_should() {
    let mut ends = Vec::new();
    let moments = march(&case("bar_impact_3d", &[]), |mesh, state, _| {
        let contact = mean_over(mesh, "contact", &state.q, 2);
        let free = mean_over(mesh, "free end", &state.q, 2);
        ends.push((state.time, contact, free, mean_over(mesh, "contact", &state.v, 2)));
    });
    let touching: Vec<f64> =
        moments.iter().filter(|m| m.impulse[2] > 0.0).map(|m| m.time).collect();
    let (first, last) = (touching[0], touching[touching.len() - 1]);
    println!("contact from {first:e} to {last:e}");
    assert!((first - 2e-5).abs() < 1.01 * 2e-7, "{first:e}");
    assert!((last - 1e-4).abs() < 1e-6, "{last:e}");
    let at = |t: f64| *ends.iter().find(|end| (end.0 - t).abs() < 1e-9).unwrap();
    for t in [4e-5, 6e-5, 8e-5] {
        println!("at {t:e}: contact end at {:.6e}", at(t).1);
        assert!((at(t).1 + 2e-3).abs() < 2.1e-5, "contact end at {:e} at {t:e}", at(t).1);
    }
    let (_, _, early, _) = at(4e-5);
    let (_, _, free, speed) = at(1.2e-4);
    println!("free end {early:.6e} at 4e-5, {free:.6e} at 1.2e-4; contact end leaves with {speed}");
    assert!((early + 4e-3).abs() < 1e-9, "{early:e}");
    assert!(free.abs() < 4e-5, "{free:e}");
    let mean = moments[moments.len() - 1].velocity[2];
    assert!((speed - 100.0).abs() < 10.0 && (mean - 100.0).abs() < 1.0, "{speed} {mean}");
    assert_certified(&moments, 3200.0);
}

/// A block that slides down an incline accelerates with g(sin φ − μ cos φ) once its own vibration is
/// damped, whatever its size: lengths by s, times by √s, with stiffness by s and damping by √s, change
/// no dimensionless number.
#[test]
fn the_incline_gives_the_rigid_bodys_acceleration_at_three_sizes() {
    let exact = 9.81 * (0.5 - 0.3 * 0.75f64.sqrt());
    let mut speeds = Vec::new();
    for size in [0.01f64, 1.0, 100.0] {
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
        println!("size {size}: {found:.9} of {exact:.9}, {} of {}", end.slipping, end.active);
        assert!((found / exact - 1.0).abs() < 1e-6, "size {size}: {found}");
        speeds.push(end.velocity[0] / time);
        let energy = 300.0 * size.powi(4);
        assert_certified(&moments, energy);
    }
    // Rounding and the solver's tolerance of 1e-10 over 1000 steps.
    for speed in &speeds {
        assert!((speed / speeds[1] - 1.0).abs() < 1e-9, "{speeds:?}");
    }
}

/// In steady sliding every node of the pin is dragged along its own track with μ times its load, so
/// that the torque on the disk is μ Σ r p_N; and the disk puts in what friction takes out.
#[test]
fn the_disk_drags_the_pin_with_the_friction_of_its_load() {
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
    let last = &moments[moments.len() - 1];
    println!("torque {torque:.9e} for {expected:.9e}, {} of {}", last.slipping, last.active);
    assert_eq!(last.slipping, last.active);
    // What is left of the pin's own vibration turns the direction of slip by 1e-3 at most.
    assert!((torque / expected - 1.0).abs() < 1e-5, "{torque:e} {expected:e}");
    assert_certified(&moments, 285.0);
}

/// Hertz: contact for 6.0767e-5 s, peak force 986.53 N, on meshes with 2 and 4 elements along the
/// contact radius, and a trend towards it. While it slides all through, friction is μ times the
/// normal impulse.
#[test]
fn the_ball_touches_for_hertzs_time_with_hertzs_force() {
    let (duration, force, mass) =
        (6.0767e-5, 986.53, 7780.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6);
    let mut errors: Vec<[f64; 2]> = Vec::new();
    for file in ["ball_coarse.msh", "ball.msh"] {
        let mesh = format!("mesh.file=../meshes/{file}");
        let case = case("ball_on_plate", &[&mesh]);
        let h = case.scheme.step;
        let moments = march(&case, |_, _, _| {});
        let touching: Vec<&Moment> = moments.iter().filter(|m| m.impulse[2] > 0.0).collect();
        let met = h + touching[touching.len() - 1].time - touching[0].time;
        let peak = peak_of(&moments, h);
        let sum = |i: usize| moments.iter().map(|m| m.impulse[i]).sum::<f64>();
        println!("{file}: {met:.4e} s, {peak:.2} N, impulse {:.5}", sum(2) / (mass * 0.5));
        errors.push([met / duration - 1.0, peak / force - 1.0]);
        let ratio = sum(0).hypot(sum(1)) / sum(2);
        assert!((ratio / 0.05 - 1.0).abs() < 1e-2, "friction {ratio} of the load");
        assert_certified(&moments, 4.25e-3);
    }
    println!("errors {errors:?}");
    let [coarse, fine] = [errors[0], errors[1]];
    assert!(fine.iter().all(|e| e.abs() < 0.05), "{fine:?}");
    assert!((0..2).all(|i| fine[i].abs() < coarse[i].abs()), "{coarse:?} {fine:?}");
}

/// Largest normal force, averaged over a twentieth of Hertz's time: nodes that touch make it jump.
fn peak_of(moments: &[Moment], h: f64) -> f64 {
    let window = (6.0767e-5 / 20.0 / h).round() as usize;
    let mean = |m: &[Moment]| m.iter().map(|m| m.impulse[2]).sum::<f64>() / (window as f64 * h);
    moments.windows(window).map(mean).fold(0.0, f64::max)
}

/// A cube slides without friction over the top of a ball, ten times its size, pressed on it by gravity.
/// Its corners stay in touch though the surface falls away under them, and lose no more of its energy
/// than the stumbles of a discrete path: less with every smaller step.
#[test]
fn sliding_over_a_ball_keeps_in_touch_and_costs_little_energy() {
    let folder = Folder::new();
    folder.write("cube.msh", CUBE);
    folder.write("case.toml", ON_A_BALL);
    let mut losses = Vec::new();
    for step in [2e-3, 1e-3] {
        let overrides = [format!("scheme.step={step:?}")];
        let case = Case::read(&folder.path("case.toml"), &overrides).unwrap();
        let mut lost = 0.0;
        let moments = march(&case, |_, _, contact| {
            lost -= contact.work.iter().map(|w| w.normal).sum::<f64>();
        });
        let touching = moments.iter().filter(|m| m.impulse[2] > 0.0).count();
        println!("step {step}: {touching} of {} steps in touch, {lost:.5} lost", moments.len());
        assert!(10 * touching > 9 * moments.len(), "{touching} of {}", moments.len());
        losses.push(lost);
    }
    // Of 0.5 J.
    assert!(losses[0] < 0.05 && losses[1] < losses[0], "{losses:?}");
}

/// A cube of one hexahedron with its corners on the ball of the case.
const CUBE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"sole\"\n3 2 \"cube\"\n$EndPhysicalNames\n\
    $Nodes\n8\n1 -0.5 -0.5 0\n2 0.5 -0.5 0\n3 0.5 0.5 0\n4 -0.5 0.5 0\n5 -0.5 -0.5 1\n6 0.5 -0.5 1\n\
    7 0.5 0.5 1\n8 -0.5 0.5 1\n$EndNodes\n\
    $Elements\n2\n1 3 2 1 1 1 2 3 4\n2 5 2 2 2 1 2 3 4 5 6 7 8\n$EndElements\n";

const ON_A_BALL: &str = r#"
units = "m, s, kg"
[mesh]
file = "cube.msh"
[material.rubber]
young = 1e4
poisson = 0.3
density = 1.0
damping_stiffness = 1e-3
[load.weight]
gravity = [0.0, 0.0, -10.0]
[initial.velocity.push]
value = [1.0, 0.0, 0.0]
[contact.ball]
group = "sole"
obstacle = { kind = "sphere", point = [0.0, 0.0, -9.974968671630002], radius = 10.0 }
friction = 0.0
restitution = 0.0
[scheme]
step = 1e-3
end = 1.0
"#;

/// Siconos' impacting bar, one dof per node: 192 steps in contact, largest reaction 1373.018 N, impulse 0.481427422 N s, to all digits that Siconos prints.
#[test]
fn the_bar_of_siconos_is_followed_to_all_its_digits() {
    let case = case("siconos_bar", &[]);
    let moments = march(&case, |_, _, _| {});
    let touching: Vec<&Moment> = moments.iter().filter(|m| m.impulse[0] > 0.0).collect();
    let largest = touching.iter().map(|m| m.impulse[0] / case.scheme.step).fold(0.0, f64::max);
    let total: f64 = touching.iter().map(|m| m.impulse[0]).sum();
    println!("{} steps, {largest:.6} N, {total:.10} N s", touching.len());
    assert_eq!(touching.len(), 192);
    let (first, last) = (touching[0].time, touching[191].time);
    println!("from {first:e} to {last:e}");
    // Its table gives an impulse with the time one step later.
    assert!((first - 5.02e-4).abs() < 1e-9 && (last - 8.84e-4).abs() < 1e-9);
    assert!((largest - 1373.018).abs() < 5e-4, "{largest}");
    assert!((total - 0.481427422).abs() < 5e-10, "{total}");
    assert_certified(&moments, 1.2e-2);
}

/// Known before it is used, in the summary, and refused with the figure where it will not fit.
#[test]
fn memory_is_predicted_and_a_run_beyond_it_is_refused() {
    let folder = Folder::new();
    let path = repository("cases/pin_on_disk.toml");
    let run = |more: &[&str]| {
        let arguments =
            ["run", &path.to_string_lossy(), "--set", "scheme.end=0.01", "--out", "out"];
        folder.delassus(&[&arguments, more].concat())
    };
    let refused = run(&["--set", "solver.memory=1e-4"]);
    assert_eq!(refused.status.code(), Some(1));
    let message = stderr(&refused);
    assert!(message.contains("of the 0.000 GB that solver.memory allows"), "{message}");
    assert!(folder.names().is_empty(), "a refused run left {:?}", folder.names());
    assert_eq!(run(&[]).status.code(), Some(0));
    let text = folder.read("out/summary.json");
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let bytes = |name: &str| summary[name].as_u64().unwrap();
    assert!(bytes("factor_memory") <= bytes("predicted_memory"));
    assert!(bytes("predicted_memory") <= bytes("peak_memory"));
}
