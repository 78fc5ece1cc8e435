//! Free bodies that turn.

use delassus::case::{BodyCase, BodyShapeCase, Case, SolidCase};
use delassus::model::Model;
use delassus::step::March;
use nalgebra::{Matrix3, Vector3};

use super::{body, of, rotated, system};
use crate::support::rates::fitted_slope;
use crate::support::repository;

/// A body with these moments and this ω.
fn nut(inertia: [f64; 3], spin: [f64; 3]) -> BodyCase {
    let shape = SolidCase::Box { size: [1.0, 1.0, 1.0] };
    BodyCase { inertia: Some(inertia), spin, ..body("nut", shape, 1.0, [0.0; 3]) }
}

/// Dzhanibekov's body, J = (1, 10, 11), ω₀ = (0, 2, 1e-4): Jacobi's functions give ω₂ the period 24.740797230059, its first
/// zero at a quarter of that, and a₁ = 2, a₃ = 1.8090681. Energy and spatial angular momentum stay but for one
/// rounding in a step.
#[test]
fn a_free_body_turns_over_and_keeps_energy_and_angular_momentum() {
    let inertia = [1.0, 10.0, 11.0];
    let h = 5e-3;
    let mut march = system(0.5, h).body(nut(inertia, [0.0, 2.0, 1e-4])).march().unwrap();
    let momentum = |march: &March| {
        let [_, phi, _, omega] = of(march, 0, 1);
        rotated(phi, [0, 1, 2].map(|k| inertia[k] * omega[k]))
    };
    let start = momentum(&march);
    let energy = march.ledger().totals().total();
    let (mut worst_energy, mut worst_momentum, mut zeros) = (0.0f64, 0.0f64, Vec::new());
    let (mut before, mut most) = (of(&march, 0, 1)[3], [0.0f64; 3]);
    for step in 0..18_000 {
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10);
        let now = of(&march, 0, 1)[3];
        if before[1] * now[1] < 0.0 {
            zeros.push((f64::from(step) + before[1] / (before[1] - now[1])) * h);
        }
        before = now;
        (0..3).for_each(|k| most[k] = most[k].max(now[k].abs()));
        worst_energy = worst_energy.max((march.ledger().totals().total() / energy - 1.0).abs());
        let l = momentum(&march);
        let off = (0..3).map(|k| (l[k] - start[k]).abs()).fold(0.0, f64::max);
        worst_momentum = worst_momentum.max(off / 20.0);
    }
    println!("{zeros:?} {most:?} {worst_energy:e} {worst_momentum:e}");
    // 18 000 roundings, which need not cancel: as the body stays at ω₂ = 2 for long, each step repeats the same.
    let drift = 18_000.0 * f64::EPSILON;
    assert!(worst_energy < drift && worst_momentum < drift, "{worst_energy:e} {worst_momentum:e}");
    assert_eq!(zeros.len(), 7);
    // O(h²): the midpoint rule is early by 3e-5 in a quarter of the period.
    assert!((zeros[0] - 6.185_199_307_5).abs() < 5e-5, "{zeros:?}");
    for pair in zeros.windows(2) {
        // Early by 7e-5, and by 7e-6 more at each flip: how soon it turns over is told by L² − 2 T J₂, a hundred
        // millionth of L², which the roundings of so many steps change by a hundredth.
        assert!((pair[1] - pair[0] - 12.370_398_615_030).abs() < 1.5e-4, "{zeros:?}");
    }
    for pair in zeros.windows(3) {
        assert!((pair[2] - pair[0] - 24.740_797_230_059).abs() < 3e-4, "{zeros:?}");
    }
    // A step misses a maximum by h/2 at most, where it is lower by a (λh/2)²/2 with λ = 1.81.
    let lower = 0.5 * (1.81 * 0.5 * h) * (1.81 * 0.5 * h);
    for (most, exact) in [(most[0], 2.0), (most[2], 1.809_068_1)] {
        assert!(most < exact + 1e-6 && most > exact * (1.0 - 1.1 * lower), "{most} {exact}");
    }
}

/// J = (1, 2, 3), ω₀ = (0.3, 1, 0.8): where it is at t = 10 to eight digits, and at the rate 2.
#[test]
fn the_angular_velocity_of_a_free_body_converges_with_order_two() {
    let exact = [-0.809_233_57, -0.659_652_21, 0.910_102_37];
    let steps = [250_u32, 500, 1000, 2000];
    let end = |steps: u32| {
        let own = nut([1.0, 2.0, 3.0], [0.3, 1.0, 0.8]);
        let mut march = system(0.5, 10.0 / f64::from(steps)).body(own).march().unwrap();
        (0..steps).for_each(|_| assert!(march.step().solve.error <= 1e-10));
        of(&march, 0, 1)[3]
    };
    let found = steps.map(end);
    let error = |omega: &[f64; 3]| (0..3).map(|k| (omega[k] - exact[k]).abs()).fold(0.0, f64::max);
    let errors: Vec<f64> = found.iter().map(error).collect();
    let sizes: Vec<f64> = steps.iter().map(|&steps| 10.0 / f64::from(steps)).collect();
    let rate = fitted_slope(&sizes, &errors);
    println!("{errors:?} {rate}");
    // The next term of the error is of the fourth order.
    assert!((rate - 2.0).abs() < 0.01, "{rate}");
    // Without its h² term: half a unit of the last digit of the reference, and what h⁴ leaves.
    let better = [0, 1, 2].map(|k| found[3][k] + (found[3][k] - found[2][k]) / 3.0);
    assert!(error(&better) < 1.5e-8, "{better:?}");
}

/// The rock of `cases/rock_on_wall.toml`, born at 0.01 and in free flight until its first corner meets the slope: against the
/// motion Ṙ = [ω]× R, ω = R J⁻¹ Rᵀ L with constant L, by Runge and Kutta.
#[test]
fn the_rock_meets_the_slope_when_its_free_flight_says() {
    let mut case = Case::read(&repository("cases/rock_on_wall.toml"), &[]).unwrap();
    case.system.bodies.retain(|body| ["rock", "slope"].contains(&body.name.as_str()));
    let rock = case.system.bodies.iter().find(|body| body.name == "rock").unwrap().clone();
    let mesh = delassus::model::read_mesh(&case).unwrap();
    let mut march = Model::build(&case, &mesh).unwrap().march(&case).unwrap();
    let h = case.scheme.step;
    while march.contacts().active.is_empty() {
        assert!(march.step().solve.error <= 1e-10);
        assert!(march.state().step < 2000, "it never meets the slope");
    }
    // The last step begins where the gap is closed for the first time.
    let found = (march.state().step - 1) as f64 * h;

    let BodyShapeCase::Space(shape) = &rock.shape else { panic!("in space") };
    let SolidCase::Polyhedron { vertices } = &**shape else { panic!("a polyhedron") };
    let inertia = Matrix3::new(
        136_844.35, -9_121.35, 3_144.91, -9_121.35, 147_071.19, -18_336.50, 3_144.91, -18_336.50,
        98_845.51,
    );
    let (back, momentum) = (inertia.try_inverse().unwrap(), inertia * Vector3::from(rock.spin));
    let turning = |r: Matrix3<f64>| (r * back * r.transpose() * momentum).cross_matrix() * r;
    let normal = Vector3::new(-0.5f64.sqrt(), 0.0, 0.5f64.sqrt());
    let top = Vector3::new(30.0, 0.0, 17.6277).dot(&normal) + 0.05;
    let (mut r, dt) = (Matrix3::identity(), 1e-4);
    let met = (0..20_000).find(|&k| {
        let t = f64::from(k) * dt;
        let center = Vector3::from(rock.position) + t * Vector3::from(rock.velocity);
        let center = center - Vector3::new(0.0, 0.0, 0.5 * 9.81 * t * t);
        let gap = |x: &[f64; 3]| (center + r * Vector3::from(*x)).dot(&normal) - top;
        let lowest = vertices.iter().map(gap).fold(f64::INFINITY, f64::min);
        let a = turning(r);
        let b = turning(r + 0.5 * dt * a);
        let c = turning(r + 0.5 * dt * b);
        let d = turning(r + dt * c);
        r += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        lowest <= 0.0
    });
    let exact = 0.01 + f64::from(met.unwrap()) * dt;
    println!("{found} {exact}");
    // The step that finds it closed, and one of Runge and Kutta.
    assert!(found > exact - 2.0 * dt && found < exact + h, "{found} {exact}");
}
