//! A plate that slides on its corners.

use delassus::case::{BodyCase, SolidCase};

use super::{FLOOR, G, Watched, body, of, system, under_gravity};
use crate::support::rates::fitted_slope;

/// Time, place and angle where it has stopped; `None` while it moves.
fn stopped(h: f64) -> ([f64; 4], [f64; 4]) {
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
    let (mut carried, mut time, mut before) = ([0.0; 4], 0.0, 0.0);
    for step in 1..=(1.2 / h) as u32 {
        watched.step();
        let [_, _, v, omega] = of(&watched.march, 0, 1);
        let impulse = &watched.march.contacts().impulse;
        if step == 10 {
            let corners: Vec<f64> = impulse.iter().map(|p| p[0]).filter(|p| *p > 0.0).collect();
            println!("{h}: {corners:?} of {}", 0.25 * G * h);
            (0..4).for_each(|k| carried[k] = corners[k] / (0.25 * G * h));
        }
        let speed = v[0].hypot(v[1]).max(omega[2].abs());
        if time == 0.0 && speed < 1e-9 {
            // It decelerates evenly at the end: what is left of the last step.
            time = (f64::from(step - 1)) * h + before / (0.3 * G);
        }
        before = v[0].hypot(v[1]);
    }
    watched.hold_to_the_theorem(5.0);
    let [x, phi, _, _] = of(&watched.march, 0, 1);
    ([time, x[0], x[1], phi[2]], carried)
}

/// 2 × 2, v₀ = (2, 0), ω₀ = 3, μ = 0.3: all corners bear a quarter, and it stops at t = 0.96597079 at (1.15909782,
/// −0.01710638), turned by 0.99784557.
#[test]
fn a_plate_on_four_corners_stops_where_it_should() {
    let exact = [0.965_970_79, 1.159_097_82, -0.017_106_38, 0.997_845_57];
    let sizes = [4e-3, 2e-3, 1e-3, 5e-4];
    let errors: Vec<[f64; 4]> = sizes
        .iter()
        .map(|&h| {
            let (found, carried) = stopped(h);
            println!("{h}: {found:?} {carried:?}");
            [0, 1, 2, 3].map(|k| (found[k] - exact[k]).abs())
        })
        .collect();
    for k in 1..4 {
        let errors: Vec<f64> = errors.iter().map(|error| error[k]).collect();
        println!("{k}: {errors:?} {}", fitted_slope(&sizes, &errors));
    }
    assert!(errors[3].iter().all(|error| *error < 1e-3), "{errors:?}");
}
