//! Housner's block, e = 0 and no sliding: it rocks from edge to edge, and loses some of its speed at each.

use delassus::case::{BodyCase, SolidCase};
use delassus::contact::Law;

use super::{FLOOR, G, Watched, body, of, system, under_gravity};

/// A block that stands upright and turns about one of its edges, just as the opposite one comes down.
fn struck(law: Law, [width, height]: [f64; 2]) -> f64 {
    let (h, spin) = (1e-7, 1.0);
    let block = BodyCase {
        // About the edge x = w/2: ω × r with r = (−w/2, ·, H/2).
        velocity: [-spin * 0.5 * height, 0.0, -spin * 0.5 * width],
        spin: [0.0, -spin, 0.0],
        ..body(
            "block",
            SolidCase::Box { size: [width, 0.5, height] },
            3.0,
            [0.0, 0.0, 0.5 * height],
        )
    };
    let system = system(0.5, h).law(law).body(block).contact("floor", "block", FLOOR, 9.0, 0.0);
    let mut watched = Watched::of(&system);
    watched.steps(1);
    if law == Law::Fremond {
        watched.hold_to_the_theorem(10.0);
    }
    -of(&watched.march, 0, 1)[3][1] / spin
}

/// ω⁺/ω⁻ = 1 − 3/2 sin² α with tan α = w/H, under Frémond's law as under Newton's: the edge that comes down does not slide
/// before.
#[test]
fn a_rocking_block_loses_three_halves_of_the_square_of_the_sine() {
    for ([width, height], exact) in
        [([0.5, 2.0], 0.911_764_706), ([0.2, 1.0], 0.942_307_692), ([1.0, 1.0], 0.25)]
    {
        for law in [Law::Fremond, Law::Newton] {
            let found = struck(law, [width, height]);
            // H is that of the middle of the step: hω = 1e-7.
            assert!((found - exact).abs() < 1e-6, "{law:?} {width} {height}: {found} of {exact}");
        }
    }
}

/// Times of the impacts and amplitudes after them, in units of α, of a block let go at α/2; integrated piece by piece from
/// (4/3) R θ̈ = −g sin(α − θ).
#[test]
fn a_rocking_block_strikes_when_it_should() {
    for h in [1e-4, 2e-5] {
        hold_to_its_impacts(h);
    }
}

fn hold_to_its_impacts(h: f64) {
    let (width, height) = (0.5, 2.0);
    let (alpha, radius) = (f64::atan2(width, height), 0.5 * f64::hypot(width, height));
    let rest = 0.5 * alpha;
    let block = BodyCase {
        rotation: [(0.5 * rest).cos(), 0.0, (0.5 * rest).sin(), 0.0],
        ..body(
            "block",
            SolidCase::Box { size: [width, 0.5, height] },
            3.0,
            [-radius * (alpha - rest).sin(), 0.0, radius * (alpha - rest).cos()],
        )
    };
    let system = system(0.5, h).body(block).contact("floor", "block", FLOOR, 9.0, 0.0);
    let mut watched = Watched::of(&under_gravity(system));
    let (mut times, mut amplitudes, mut most) = (Vec::new(), vec![], 0.0f64);
    let mut before = of(&watched.march, 0, 1)[1][1];
    for step in 0..(2.65 / h) as u32 {
        watched.step();
        let now = of(&watched.march, 0, 1)[1][1];
        if before * now < 0.0 {
            times.push((f64::from(step) + before / (before - now)) * h);
            amplitudes.push(most / alpha);
            most = 0.0;
        }
        most = most.max(now.abs());
        before = now;
    }
    println!("{times:?} {amplitudes:?}");
    let exact = [
        (0.493_803_22, 0.5),
        (1.297_470_24, 0.386_714_47),
        (1.979_390_93, 0.306_396_88),
        (2.570_720_83, 0.246_057_47),
    ];
    assert_eq!(times.len(), exact.len());
    for (k, (time, amplitude)) in exact.into_iter().enumerate() {
        // An impact is found in the step after it, h u_N below the ground, and the block goes on rocking on what is not
        // level: of the first order, by some h.
        let late = 12.0 * h;
        assert!((times[k] - time).abs() < late, "{k}: {} of {time}", times[k]);
        assert!((amplitudes[k] - amplitude).abs() < late, "{k}: {} of {amplitude}", amplitudes[k]);
    }
    watched.hold_to_the_theorem(3.0 * G * radius);
}
