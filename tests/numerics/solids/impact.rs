//! What collisions leave alone: the momentum and the angular momentum of all bodies together.

use delassus::case::{BodyCase, SolidCase};

use super::{Watched, body, cross, of, plus, rotated, system, with_contact};
use crate::support::random::Random;

/// Places where the bodies begin, masses and moments.
struct Bodies(Vec<([f64; 3], f64, [f64; 3])>);

impl Bodies {
    /// Σ m v and Σ x × m v + R J ω.
    fn momenta(&self, watched: &Watched) -> [[f64; 3]; 2] {
        let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
        for (k, (place, mass, inertia)) in self.0.iter().enumerate() {
            let [x, phi, v, omega] = of(&watched.march, k, self.0.len());
            let own = v.map(|v| mass * v);
            let spin = rotated(phi, [0, 1, 2].map(|i| inertia[i] * omega[i]));
            linear = plus(linear, own);
            angular = plus(angular, plus(cross(plus(*place, x), own), spin));
        }
        [linear, angular]
    }
}

fn off([before, after]: [[f64; 3]; 2]) -> f64 {
    (0..3).map(|k| (before[k] - after[k]).abs()).fold(0.0, f64::max)
}

fn brick([a, b, c]: [f64; 3], mass: f64) -> (SolidCase, [f64; 3]) {
    let moment = |x: f64, y: f64| mass / 12.0 * (x * x + y * y);
    (SolidCase::Box { size: [a, b, c] }, [moment(b, c), moment(c, a), moment(a, b)])
}

/// Two bricks meet off their centres, corner on face, with friction: nothing is lost but by roundings of what there is.
#[test]
fn an_impact_off_centre_keeps_both_momenta() {
    for e in [0.0, 0.5, 1.0] {
        let (first, of_first) = brick([1.0, 0.6, 0.4], 2.0);
        let (second, of_second) = brick([0.5, 0.8, 0.7], 1.0);
        let first = BodyCase {
            velocity: [1.0, 0.2, 0.0],
            spin: [0.5, -2.0, 1.0],
            ..body("first", first, 2.0, [-0.9, 0.0, 0.0])
        };
        let second = BodyCase {
            velocity: [-1.5, 0.0, 0.1],
            spin: [1.0, 0.5, -3.0],
            ..body("second", second, 1.0, [0.6, 0.35, 0.2])
        };
        let known =
            Bodies(vec![(first.position, 2.0, of_first), (second.position, 1.0, of_second)]);
        let system = with_contact(system(0.5, 1e-3).body(first).body(second), 0.4, e);
        let mut watched = Watched::of(&system);
        let start = known.momenta(&watched);
        let (mut met, mut worst, mut before) = (0, [0.0f64; 2], start);
        for _ in 0..1000 {
            watched.step();
            met += usize::from(!watched.march.contacts().active.is_empty());
            let now = known.momenta(&watched);
            worst = [0, 1].map(|k| worst[k].max(off([before[k], now[k]])));
            before = now;
        }
        let in_all = [0, 1].map(|k| off([start[k], before[k]]));
        println!("e {e}: {met} steps in contact, {worst:?}, {in_all:?}");
        assert!(met > 0, "they miss each other");
        // In a step: roundings of numbers up to 3. In a thousand steps: one each, which need not cancel.
        assert!(worst.iter().all(|off| *off < 1e-14), "{worst:?}");
        assert!(in_all.iter().all(|off| *off < 1000.0 * 3.0 * f64::EPSILON), "{in_all:?}");
        watched.hold_to_the_theorem(10.0);
    }
}

/// A swarm of bricks, drums and balls that falls in on itself.
#[test]
fn a_swarm_that_collides_keeps_both_momenta() {
    let (mut random, side) = (Random::new(7), 3_usize);
    let (mut swarm, mut known) = (system(0.5, 1e-3), Vec::new());
    for k in 0..side * side * side {
        let at = [k % side, k / side % side, k / side / side];
        let place = at.map(|i| 1.3 * (i as f64 - 1.0));
        let (shape, inertia) = match k % 2 {
            0 => brick([0.9, 0.7, 0.5], 1.0),
            _ => (SolidCase::Sphere { radius: 0.4 }, [0.4 * 0.16; 3]),
        };
        let velocity = place.map(|x| -x + 0.3 * random.signed());
        let spin = [0; 3].map(|_| 4.0 * random.signed());
        known.push((place, 1.0, inertia));
        swarm =
            swarm.body(BodyCase { velocity, spin, ..body(&format!("body{k}"), shape, 1.0, place) });
    }
    let mut watched = Watched::of(&with_contact(swarm, 0.3, 0.5));
    let known = Bodies(known);
    let start = known.momenta(&watched);
    let (mut met, mut worst) = (0, [0.0f64; 2]);
    for _ in 0..600 {
        watched.step();
        met += watched.march.contacts().active.len();
        let now = known.momenta(&watched);
        worst = [0, 1].map(|k| worst[k].max(off([start[k], now[k]])));
    }
    println!("{met} contacts, {worst:?}");
    assert!(met > 200, "{met}");
    // 27 bodies, sums of some 100, 600 steps of one rounding each that add up as a walk.
    assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "{worst:?}");
    watched.hold_to_the_theorem(100.0);
}
