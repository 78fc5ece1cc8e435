//! A ball on a plane: it slides, and rolls.

use delassus::case::{BodyCase, SolidCase};
use delassus::contact::Status;
use delassus::contact::obstacle::HalfPlane;

use super::{FLOOR, G, Watched, body, of, system, under_gravity, with_contact};

const RADIUS: f64 = 0.5;

fn ball(position: [f64; 3], velocity: [f64; 3]) -> BodyCase {
    BodyCase { velocity, ..body("ball", SolidCase::Sphere { radius: RADIUS }, 2.0, position) }
}

/// v₀ = 2, μ = 0.2: a ball slides for 2v₀/(7μg) = 0.291247998, as far as 0.499282282, and then rolls with 5/7 v₀; 2/7 of
/// the kinetic energy is lost. On a plane, and on a body that stands still.
#[test]
fn a_ball_slides_until_it_rolls() {
    let (v0, mu, h) = (2.0, 0.2, 1e-4);
    let own = || ball([0.0, 0.0, RADIUS], [v0, 0.0, 0.0]);
    let on_plane = system(0.5, h).body(own()).contact("floor", "ball", FLOOR, mu, 0.0);
    let slab = SolidCase::Box { size: [40.0, 40.0, 1.0] };
    let slab = BodyCase {
        role: delassus::case::RoleCase::still(),
        ..body("slab", slab, 1.0, [0.0, 0.0, -0.5])
    };
    let on_body = with_contact(system(0.5, h).body(own()).body(slab), mu, 0.0);
    for (system, bodies) in [(on_plane, 1), (on_body, 2)] {
        let mut watched = Watched::of(&under_gravity(system));
        let start = 0.5 * 2.0 * v0 * v0;
        let before = watched.energy();
        let (mut slid, mut last, steps) = (0, [[0.0; 3]; 4], 5000);
        for _ in 0..steps {
            last = of(&watched.march, 0, bodies);
            watched.step();
            slid += usize::from(watched.march.contacts().status[0] == Status::Slip);
        }
        let [x, _, v, omega] = of(&watched.march, 0, bodies);
        // With e_T = 1 what sticks has u_T = 0 in the mean of a step.
        let mean = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
        let (v, omega) = (mean(v, last[2]), mean(omega, last[3]));
        let (time, place) = (2.0 * v0 / (7.0 * mu * G), 12.0 / 49.0 * v0 * v0 / (mu * G));
        assert!((time - 0.291_247_998).abs() < 1e-9 && (place - 0.499_282_282).abs() < 1e-9);
        // Friction is constant while it slides, so only the step in which it begins to roll is off, by less than h.
        assert!((slid as f64 * h - time).abs() <= h, "{slid}");
        // What the ball has of angular momentum about a line of the plane stays: no error but that of the solver.
        let rolls = 5.0 / 7.0 * v0;
        assert!((v[0] - rolls).abs() < 1e-9 && (omega[1] * RADIUS - rolls).abs() < 1e-9, "{v:?}");
        // What is left of u_T, μ g h at most, has a square.
        let left = (mu * G * h) * (mu * G * h);
        assert!((before - watched.energy() - 2.0 / 7.0 * start).abs() < left + 1e-9);
        // In that step the mean of both ends stands for the velocity: ½ μ g h² at most.
        let began = x[0] - rolls * (f64::from(steps) * h - time);
        assert!((began - place).abs() < 0.5 * mu * G * h * h + 1e-9, "{began}");
        watched.hold_to_the_theorem(start);
    }
}

/// A ball on an incline rolls where tan α ≤ 7/2 μ, with 5/7 g sin α; beyond it slides with g (sin α − μ cos α), and turns
/// with 5/2 μ g cos α / r. One percent below and above the limit.
#[test]
fn a_ball_rolls_on_an_incline_up_to_seven_halves_of_the_friction() {
    let (mu, h, steps) = (0.2f64, 1e-3, 500_u32);
    for share in [0.5, 0.99, 1.01, 2.0] {
        let slope = (3.5 * mu * share).atan();
        let (sine, cosine) = slope.sin_cos();
        let normal = [sine, 0.0, cosine];
        let place = normal.map(|n| RADIUS * n);
        let system = system(0.5, h).body(ball(place, [0.0; 3]));
        let incline = HalfPlane { point: [0.0; 3], normal };
        let system = under_gravity(system.contact("incline", "ball", incline, mu, 0.0));
        let mut watched = Watched::of(&system);
        watched.steps(steps as usize);
        let [_, _, v, omega] = of(&watched.march, 0, 1);
        let (down, time) = (v[0] * cosine - v[2] * sine, f64::from(steps) * h);
        let (fall, spin) = match share < 1.0 {
            true => (5.0 / 7.0 * G * sine, 5.0 / 7.0 * G * sine / RADIUS),
            false => (G * (sine - mu * cosine), 2.5 * mu * G * cosine / RADIUS),
        };
        // All forces are constant: no error but that of the solver.
        assert!((down - fall * time).abs() < 1e-9, "{share}: {down} of {}", fall * time);
        assert!((omega[1] - spin * time).abs() < 1e-8, "{share}: {} of {}", omega[1], spin * time);
        watched.hold_to_the_theorem(2.0 * G);
    }
}

/// A ball whose centre of mass is not in its middle turns over and over on a plane; with e = 1 the mean velocity of its
/// contact has no normal part, and as the levers are those of the middle of the step the gap stays, but for roundings.
#[test]
fn a_ball_with_its_mass_off_the_middle_neither_sinks_nor_rises() {
    let spheres = vec![([0.0, 0.0, 0.1], RADIUS)];
    let shape = SolidCase::Compound { pieces: vec![].into(), spheres: spheres.into() };
    let own = || BodyCase {
        center: Some([0.0; 3]),
        inertia: Some([0.2, 0.2, 0.18]),
        spin: [5.0, 2.0, 20.0],
        ..body("ball", shape.clone(), 2.0, [0.0, 0.0, RADIUS - 0.1])
    };
    let on_plane = system(0.5, 1e-3).body(own()).contact("floor", "ball", FLOOR, 0.3, 1.0);
    let slab = SolidCase::Box { size: [40.0, 40.0, 1.0] };
    let slab = BodyCase {
        role: delassus::case::RoleCase::still(),
        ..body("slab", slab, 1.0, [0.0, 0.0, -0.5])
    };
    let on_body = with_contact(system(0.5, 1e-3).body(own()).body(slab), 0.3, 1.0);
    for system in [on_plane, on_body] {
        let mut watched = Watched::of(&under_gravity(system));
        let (mut closed, mut deepest) = (0, 0.0f64);
        for _ in 0..2000 {
            watched.step();
            let contacts = watched.march.contacts();
            for &c in &contacts.active {
                closed += 1;
                deepest = deepest.min(contacts.gap[c as usize]);
            }
        }
        println!("{closed} {deepest:e}");
        // A rounding of the height in each step.
        assert!(closed > 100 && deepest > -2000.0 * RADIUS * f64::EPSILON, "{closed} {deepest:e}");
        watched.hold_to_the_theorem(60.0);
    }
}
