//! A column on a ground that is tilted.

use delassus::case::SolidCase;

use super::{FLOOR, G, Watched, body, fastest, system, under_pull, with_contact};

/// How fast a column of drums is after half a second on a ground tilted by some angle towards x.
fn after_half_a_second((drums, length): (usize, f64), angle: f64) -> f64 {
    let radius = 0.5;
    let mut column = system(0.5, 2e-3);
    for k in 0..drums {
        let drum = SolidCase::Drum { radius, length, sides: 8 };
        let place = [0.0, 0.0, length * (k as f64 + 0.5)];
        column = column.body(body(&format!("drum{k}"), drum, 3.0, place));
    }
    let column = column.contact("floor", "drum0", FLOOR, 0.9, 0.0);
    let column = under_pull(column, [G * angle.sin(), 0.0, -G * angle.cos()]);
    let mut watched = Watched::of(&with_contact(column, 0.9, 0.0));
    watched.steps(250);
    watched.hold_to_the_theorem(3.0 * G * length * (drums * drums) as f64);
    fastest(&watched.march)
}

/// tan = b/H, from both sides: b is the width of the octagon towards x.
#[test]
fn a_column_of_drums_tips_at_its_width_over_its_height() {
    let width = (std::f64::consts::PI / 8.0).cos();
    for (drums, length) in [(1, 2.0), (4, 0.5)] {
        let limit = (width / (length * drums as f64)).atan();
        let near = 0.1f64.to_radians();
        let (below, above) = (limit - near, limit + near);
        let rests = after_half_a_second((drums, length), below);
        let tips = after_half_a_second((drums, length), above);
        println!("{drums}: {rests:e} {tips:e}");
        // At rest but for the tolerance of the solver; else δ p sinh pt, a tenth of a degree and p of some 3 1/s.
        assert!(rests < 1e-8 && tips > 1e-3, "{drums}: {rests:e} {tips:e}");
    }
}
