//! Bodies in space against exact solutions: code_aster's bar, Hertz's impact, the incline, the pin
//! on a disk, and what a rigid motion of the whole problem must not change.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a failed test shows what it found

use delassus::case::Case;
use delassus::energy::Term;

use crate::support::march::{
    Moment, hertz, incline, march, sdnv100, siconos_bar, torque_on_the_disk,
};
use crate::support::{Folder, repository, stderr};

/// The balance closes to rounding and no contact creates energy, step by step.
fn assert_certified(moments: &[Moment], energy: f64) {
    let larger = |a: f64, b: f64| a.max(b);
    let residual = moments.iter().map(|m| m.residual).fold(0.0, larger);
    let normal = moments.iter().map(|m| m.worst[Term::Normal]).fold(0.0, larger);
    let tangential = moments.iter().map(|m| m.worst[Term::Tangential]).fold(0.0, larger);
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
    let met = sdnv100();
    println!("contact from {:e} to {:e}", met.first, met.last);
    assert!((met.first - 2e-5).abs() < 1.01 * 2e-7, "{:e}", met.first);
    assert!((met.last - 1e-4).abs() < 1e-6, "{:e}", met.last);
    for t in [4e-5, 6e-5, 8e-5] {
        let place = met.at(t).contact;
        println!("at {t:e}: contact end at {place:.6e}");
        assert!((place + 2e-3).abs() < 2.1e-5, "contact end at {place:e} at {t:e}");
    }
    let (early, late) = (met.at(4e-5).free, met.at(1.2e-4));
    println!("free end {early:.6e} at 4e-5, {:.6e} at 1.2e-4", late.free);
    println!("contact end leaves with {}", late.speed);
    assert!((early + 4e-3).abs() < 1e-9, "{early:e}");
    assert!(late.free.abs() < 4e-5, "{:e}", late.free);
    let mean = met.moments[met.moments.len() - 1].velocity[2];
    assert!((late.speed - 100.0).abs() < 10.0, "{}", late.speed);
    assert!((mean - 100.0).abs() < 1.0, "{mean}");
    assert_certified(&met.moments, 3200.0);
}

/// A block that slides down an incline accelerates with g(sin φ − μ cos φ) once its own vibration is
/// damped, whatever its size: lengths by s, times by √s, with stiffness by s and damping by √s, change
/// no dimensionless number.
#[test]
fn the_incline_gives_the_rigid_bodys_acceleration_at_three_sizes() {
    let exact = 9.81 * (0.5 - 0.3 * 0.75f64.sqrt());
    let mut speeds = Vec::new();
    for size in [0.01f64, 1.0, 100.0] {
        let (moments, found) = incline(size);
        let (end, time) = (&moments[999], size.sqrt());
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
    let (moments, torque, expected) = torque_on_the_disk();
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
        let (moments, met, peak) = hertz(file);
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
            lost -= contact.work.iter().map(|w| w[Term::Normal]).sum::<f64>();
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
    let (moments, largest, total) = siconos_bar();
    let touching: Vec<&Moment> = moments.iter().filter(|m| m.impulse[0] > 0.0).collect();
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
