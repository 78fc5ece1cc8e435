//! Semicircular arches under their weight: how thin they may be, and with how little friction they stand.

use delassus::step::March;

use super::{FLOOR, fastest, joints, march, scheme, step, weight};

const STEP: f64 = 1e-3;

/// An arch of mean radius 1 and thickness t, of quadrilateral voussoirs, on a fixed floor.
fn arch(voussoirs: usize, t: f64, friction: f64) -> March {
    let (inner, outer) = (1.0 - 0.5 * t, 1.0 + 0.5 * t);
    let voussoirs = format!(
        "[body.arch]\ndensity = 2000.0\nposition = [0.0, 0.0]\narch = {{ bricks = {voussoirs}, inner = {inner:?}, outer = {outer:?} }}\n"
    );
    march(
        &[&voussoirs, FLOOR, &weight(0.0), &joints(friction, 0.0), &scheme(STEP)]
            .map(String::from)
            .concat(),
    )
}

/// Whether it moves within three steps from rest, faster than rounding lets it: what falls short of standing by 1e-6 of
/// its thickness moves with some 1e-6 of g h, what stands with 1e-12 of it.
fn falls(voussoirs: usize, t: f64, friction: f64) -> bool {
    let mut march = arch(voussoirs, t, friction);
    (0..3).for_each(|_| step(&mut march));
    let speed = fastest(&march) / (3.0 * super::G * STEP);
    println!("{voussoirs} voussoirs, t/R {t}, friction {friction}: {speed:.1e} of 3 g h");
    assert!(!(1e-10..1e-7).contains(&speed), "neither rest nor motion: {speed:e}");
    speed > 1e-8
}

/// Half a unit of the last digit of the linear programmes, and as much again.
const DIGITS: f64 = 1e-6;

/// That it falls a little below a thickness and stands a little above.
fn stands_from(voussoirs: usize, t: f64, friction: f64) {
    assert!(falls(voussoirs, t - DIGITS, friction), "{voussoirs}: it stands below {t}");
    assert!(!falls(voussoirs, t + DIGITS, friction), "{voussoirs}: it falls above {t}");
}

/// BODIES: least t/R of quadrilateral voussoirs without sliding, by linear programming.
const THINNEST: [(usize, f64); 6] =
    [(7, 0.095703), (11, 0.104589), (15, 0.106068), (20, 0.107348), (27, 0.106721), (50, 0.107442)];

#[test]
fn arches_stand_from_the_thickness_of_limit_analysis_on() {
    THINNEST.iter().for_each(|&(voussoirs, t)| stands_from(voussoirs, t, 0.6));
}

/// BODIES: least t/R of a hundred annular voussoirs that may slide. Those of quadrilaterals have their centres of mass
/// nearer to the centre by (π/N)²/24 = 4e-5 of it, and are thicker by about as much.
#[test]
fn arches_that_slide_stand_from_the_thickness_of_limit_analysis_on() {
    for (friction, t) in [(0.32, 0.185601), (0.35, 0.151849), (0.38, 0.121571)] {
        assert!(falls(100, t, friction), "it stands with {friction}");
        assert!(!falls(100, t + 1e-4, friction), "it falls with {friction}");
    }
}

/// BODIES: an arch of LMGC90, t/R = 0.2222 and 11 voussoirs, slides at its feet below μ = 0.307033; of 100
/// below 0.309212.
#[test]
fn an_arch_slides_below_the_friction_of_limit_analysis() {
    let (t, friction) = (0.2222, 0.307033);
    assert!(falls(11, t, friction - DIGITS) && !falls(11, t, friction + DIGITS));
    assert!(falls(100, t, 0.309212 - 1e-5) && !falls(100, t, 0.309212 + 1e-5));
    // Without sliding the same arch is twice as thick as need be.
    assert!(!falls(11, t, 0.6));
}

/// BODIES: no arch stands below μ = 0.309215 (Cocchetti and Rizzi 2020), however thick: with 50 voussoirs at t/R = 0.200637, the last
/// that falls, and thinner and thicker ones.
#[test]
fn no_arch_stands_with_less_friction_than_0_309() {
    for t in [0.15, 0.19, 0.200637, 0.21, 0.25] {
        assert!(falls(50, t, 0.3085), "t/R {t}");
    }
    assert!(!falls(50, 0.200637, 0.3097));
    // Sliding takes no part above 0.395832: the thinnest arch is that of hinges.
    assert!(falls(20, 0.107348 - DIGITS, 0.41) && !falls(20, 0.107348 + DIGITS, 0.41));
    assert!(falls(20, 0.107348 + DIGITS, 0.38));
}

/// An arch one permille thicker than need be stays where it is, with the impulses that it found in the first step.
#[test]
fn an_arch_that_stands_rests_to_rounding() {
    let mut march = arch(15, 0.106068 * 1.001, 0.6);
    for _ in 0..200 {
        step(&mut march);
        assert_eq!(march.contacts().active.len(), 32, "two points each, and none is lost");
    }
    // What two hundred steps leave of the solver's wish of 2e-14.
    assert!(fastest(&march) < 1e-12, "{:e}", fastest(&march));
    let strayed = march.state().q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    assert!(strayed < 1e-13, "{strayed:e}");
}
