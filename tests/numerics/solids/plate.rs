//! A plate that slides on its corners.

use delassus::case::{BodyCase, SolidCase};

use super::{FLOOR, G, Watched, body, of, system, under_gravity};
use crate::support::rates::fitted_slope;

/// Time, place and angle where it has stopped.
fn stopped(h: f64) -> [f64; 4] {
    // Its centre of mass lies in the plane of its corners, so that it does not nod.
    let plate = BodyCase {
        center: Some([0.0, 0.0, -0.05]),
        inertia: Some([1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0]),
        velocity: [2.0, 0.0, 0.0],
        spin: [0.0, 0.0, 3.0],
        ..body("plate", SolidCase::Box { size: [2.0, 2.0, 0.1] }, 1.0, [0.0; 3])
    };
    let system = system(0.5, h).body(plate).contact("floor", "plate", FLOOR, 0.3, 0.0);
    let mut watched = Watched::of(&under_gravity(system));
    let mut time = None;
    for step in 1..=(1.2 / h) as u32 {
        watched.step();
        let quarter = 0.25 * G * h;
        let corners = watched.march.contacts().impulse.iter().map(|p| p[0]);
        let borne = corners.filter(|p| *p > 0.0);
        // The tolerance of the solver; nothing else tells how four corners share a weight.
        borne.for_each(|p| assert!((p - quarter).abs() < 1e-9 * quarter, "{step}: {p}"));
        let [_, _, v, omega] = of(&watched.march, 0, 1);
        // What sticks has u_T = 0 in the mean of a step: half of what a step takes away may be left.
        if time.is_none() && v[0].hypot(v[1]).max(omega[2].abs()) < 0.3 * G * h {
            time = Some(f64::from(step) * h);
        }
    }
    watched.hold_to_the_theorem(5.0);
    let [x, phi, _, _] = of(&watched.march, 0, 1);
    [time.unwrap(), x[0], x[1], phi[2]]
}

/// 2 × 2, v₀ = (2, 0), ω₀ = 3, μ = 0.3: all corners bear a quarter, and it stops at t = 0.96597079 at (1.15909782,
/// −0.01710638), turned by 0.99784557. Place and angle converge with order 2.
#[test]
fn a_plate_on_four_corners_stops_where_it_should() {
    let exact = [0.965_970_79, 1.159_097_82, -0.017_106_38, 0.997_845_57];
    let sizes = [2e-3, 1e-3, 5e-4];
    let found = sizes.map(stopped);
    for (k, exact) in exact.into_iter().enumerate() {
        let errors = found.map(|found| (found[k] - exact).abs());
        println!("{k}: {errors:?} {}", fitted_slope(&sizes, &errors));
        match k {
            // It stops within a step.
            0 => assert!(errors.iter().zip(sizes).all(|(error, h)| *error < 2.0 * h), "{errors:?}"),
            _ => {
                let rate = fitted_slope(&sizes, &errors);
                assert!((rate - 2.0).abs() < 0.05, "{k}: {rate}");
                assert!(errors[2] < 2e-7, "{errors:?}");
            }
        }
    }
}
