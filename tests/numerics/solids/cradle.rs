//! Balls in a row.

use delassus::case::{BodyCase, SolidCase};
use delassus::contact::Law;

use super::{Watched, body, of, system, with_contact};

/// Velocities along the row, of balls of radius ½ whose centres are `apart`; the first comes with velocity 1.
fn row(law: Law, e: f64, (count, apart): (usize, f64), steps: usize) -> Vec<f64> {
    let mut row = system(0.5, 1e-3).law(law);
    for k in 0..count {
        let velocity = [f64::from(u8::from(k == 0)), 0.0, 0.0];
        let ball = SolidCase::Sphere { radius: 0.5 };
        let place = [apart * k as f64, 0.0, 0.0];
        row = row.body(BodyCase { velocity, ..body(&format!("ball{k}"), ball, 1.0, place) });
    }
    let mut watched = Watched::of(&with_contact(row, 0.3, e));
    watched.steps(steps);
    watched.hold_to_the_theorem(0.5);
    (0..count).map(|k| of(&watched.march, k, count)[2][0]).collect()
}

/// Balls that touch are struck at once: e = 1, ½ and 0, one step. Both laws have the same normal part.
#[test]
fn a_touching_row_is_struck_at_once() {
    let third = 1.0 / 3.0;
    let expected = [
        (1.0, vec![-third, 2.0 * third, 2.0 * third]),
        (0.5, vec![0.0, 0.5, 0.5]),
        (0.0, vec![third; 3]),
        (1.0, vec![-0.6, 0.4, 0.4, 0.4, 0.4]),
        (0.5, vec![-0.2, 0.3, 0.3, 0.3, 0.3]),
        (0.0, vec![0.2; 5]),
    ];
    for law in [Law::Fremond, Law::Newton] {
        for (e, exact) in &expected {
            let found = row(law, *e, (exact.len(), 1.0), 1);
            for (found, exact) in found.iter().zip(exact) {
                // The tolerance of the contact solver.
                assert!((found - exact).abs() < 1e-9, "{law:?} {e}: {found} of {exact}");
            }
        }
    }
}

/// With gaps that no ball closes in a step, one impact follows the other, and with e = 1 the last ball takes all.
#[test]
fn a_row_with_gaps_passes_the_velocity_on() {
    for count in [3, 5] {
        let found = row(Law::Fremond, 1.0, (count, 1.01), 60);
        for (k, found) in found.iter().enumerate() {
            let exact = f64::from(u8::from(k + 1 == count));
            assert!((found - exact).abs() < 1e-9, "{k} of {count}: {found}");
        }
    }
}
