//! Which schemes step rigid bodies in space, and with what: every law and forecast of Moreau–Jean, and no other scheme.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use delassus::case::{BodyCase, SolidCase, WeightCase, WordCase};
use delassus::case::{ContactCase, PairCase};
use delassus::contact::{Friction, Law};
use delassus::energy::{Term, Verdict};
use delassus::model::System;
use delassus::output::Summary;
use delassus::rigid::BodyShape;
use delassus::step::{Alpha, Forecast, Scheme};

use crate::support::systems::run_text;

/// The box of BODIES that is thrown at a plane.
const THROWN: &str = r#"
units = "m, s, kg"
[body.box]
shape = "box"
size = [1.0, 2.0, 0.5]
mass = 1.0
position = [0.0, 0.0, 2.0]
velocity = [1.5, 0.3, 0.0]
spin = [3.0, -7.0, 5.0]
[load.weight]
gravity = [0.0, 0.0, -9.81]
potential = true
[contact.floor]
group = "box"
obstacle = { kind = "half-space", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }
friction = 0.3
restitution = 0.5
[scheme]
step = 1e-3
end = 1.2
[output]
trajectory_every = 1
"#;

/// Five bricks in two layers that a ball hits.
const WALL: &str = r#"
units = "m, s, kg"
[body.brick]
shape = "box"
size = [1.0, 0.5, 0.4]
mass = 1.0
position = [0.0, 0.0, 0.2]
layers = { count = 2, bricks = 2, pitch = 1.0, height = 0.4, along = [1, 0, 0] }
[body.ball]
shape = "sphere"
radius = 0.2
mass = 2.0
position = [0.1, -0.5, 0.55]
velocity = [0.0, 6.0, 0.5]
spin = [3.0, 0.0, 1.0]
[body.floor]
shape = "box"
size = [10.0, 10.0, 0.1]
fixed = true
position = [0.0, 0.0, -0.05]
[load.weight]
gravity = [0.0, 0.0, -9.81]
[contact.stones]
between = ["bodies", "bodies"]
friction = 0.5
restitution = 0.2
[scheme]
step = 1e-3
end = 0.06
[solver]
on_failure = "warn"
[output]
trajectory_every = 1
"#;

const FORECASTS: [&str; 3] =
    ["scheme.forecast=start", "scheme.forecast=extrapolated", "scheme.forecast=middle"];

fn summary_of(text: &str, overrides: &[&str]) -> Summary {
    let (summary, _, _) = run_text(text, overrides);
    let certificate = &summary.certificate;
    println!(
        "{overrides:?}: {} {:e} {:e} {}",
        certificate.verdict,
        certificate.max_balance_residual,
        certificate.max_work_share,
        summary.solver.unconverged_steps
    );
    summary
}

/// The residual is a few roundings of the energies, which are 30 J and of which it is a share.
#[test]
fn a_thrown_box_closes_its_identity_with_every_law_and_forecast() {
    for forecast in FORECASTS {
        for (law, verdict) in [
            (&["scheme.law=fremond"][..], Verdict::Dissipative),
            (&["scheme.law=newton"], Verdict::Violated),
            (
                &["scheme.law=moreau", "contact.floor.tangential_restitution=1.0"],
                Verdict::Dissipative,
            ),
        ] {
            let summary = summary_of(THROWN, &[&[forecast], law].concat());
            assert_eq!(summary.solver.unconverged_steps, 0);
            assert!(summary.certificate.max_balance_residual < 4e-15);
            assert_eq!(summary.certificate.verdict, verdict, "{law:?} {forecast}");
        }
    }
}

/// The same of bodies that touch each other: with e_T = (1−θ)/θ Moreau's law is Frémond's.
#[test]
fn a_small_wall_closes_its_identity_with_every_law_and_forecast() {
    for forecast in FORECASTS {
        for law in [
            &["scheme.law=fremond"][..],
            &["scheme.law=newton"],
            &["scheme.law=moreau", "contact.stones.tangential_restitution=1.0"],
        ] {
            let summary = summary_of(WALL, &[&[forecast], law].concat());
            assert!(summary.certificate.max_balance_residual < 4e-15, "{law:?} {forecast}");
            if law[0] != "scheme.law=newton" {
                assert!(summary.certificate.max_work_share < 1e-8, "{law:?} {forecast}");
            }
        }
    }
}

fn sphere(name: &str, x: f64) -> BodyCase {
    let solid = SolidCase::Sphere { radius: 0.5 };
    let position = [x, 0.1 * x, 0.2 * x];
    BodyCase::in_space(name, solid, WeightCase::Mass(1.0), position)
}

fn meeting(system: &mut System) {
    system.case.contacts.push(ContactCase {
        name: "clash".into(),
        pair: PairCase::Bodies([WordCase::Any, WordCase::Any]),
        friction: Friction::from(0.3),
        restitution: Law::Fremond.restitution(0.5, 0.5, 0.0),
    });
}

/// Moreau's middle is where both bodies are seen from one place: linear and angular momentum of two that clash stay.
#[test]
fn forecasts_keep_the_momentum_of_two_bodies_that_clash() {
    for forecast in [Forecast::Start, Forecast::Extrapolated { gamma: 0.5 }, Forecast::Middle] {
        let scheme = Scheme::MoreauJean { theta: 0.5, forecast, position_correction: false };
        let first =
            BodyCase { velocity: [2.0, 0.3, 0.0], spin: [1.0, 2.0, -3.0], ..sphere("a", 0.0) };
        let second = BodyCase { spin: [0.5, 0.0, 1.0], ..sphere("b", 1.02) };
        let mut system = System::without_mesh(3, scheme, 1e-3).body(first).body(second);
        meeting(&mut system);
        let mut march = system.march().unwrap();
        let momentum = |march: &delassus::step::March| {
            let (q, v) = (&march.state().q, &march.state().v);
            // Balls: J = 0.4 m r², and ω in space is that of the axes turned by φ; of each the trace is the same.
            let mut sum = [0.0; 6];
            for (body, rest) in [[0.0; 3], [1.02, 0.102, 0.204]].into_iter().enumerate() {
                let at = |x: &[f64], first: usize| [x[first], x[first + 1], x[first + 2]];
                let (moved, velocity) = (at(q, 3 * body), at(v, 3 * body));
                let x = [0, 1, 2].map(|k| rest[k] + moved[k]);
                let spin = turned(at(q, 6 + 3 * body), at(v, 6 + 3 * body));
                for k in 0..3 {
                    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                    sum[k] += velocity[k];
                    sum[3 + k] += x[i] * velocity[j] - x[j] * velocity[i] + 0.1 * spin[k];
                }
            }
            sum
        };
        let start = momentum(&march);
        let mut pushed = 0.0f64;
        for _ in 0..40 {
            let stepped = march.step();
            assert!(stepped.solve.error <= 1e-10);
            pushed = march.contacts().impulse.iter().fold(pushed, |most, p| most.max(p[0]));
            assert!(march.ledger().balance().residual.abs() < 1e-14);
            for work in &march.contacts().work {
                assert!(work[Term::Normal] < 1e-12 && work[Term::Tangential] < 1e-12);
            }
        }
        let (end, mut off) = (momentum(&march), 0.0f64);
        (0..6).for_each(|k| off = off.max((end[k] - start[k]).abs()));
        println!("{forecast:?}: {pushed} {off:e}");
        // Forty steps of a few roundings of 2 kg m/s.
        assert!(pushed > 0.5 && off < 2e-14, "{forecast:?}: {pushed} {off:e}");
    }
}

/// exp φ x.
fn turned(phi: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let angle = dot(phi, phi).sqrt();
    if angle == 0.0 {
        return x;
    }
    let n = phi.map(|p| p / angle);
    let across =
        [0, 1, 2].map(|k| n[(k + 1) % 3] * x[(k + 2) % 3] - n[(k + 2) % 3] * x[(k + 1) % 3]);
    let (sine, cosine) = angle.sin_cos();
    [0, 1, 2].map(|k| cosine * x[k] + sine * across[k] + (1.0 - cosine) * dot(n, x) * n[k])
}

fn other_schemes() -> [Scheme; 6] {
    [
        Scheme::Newmark(Alpha::newmark(0.25, 0.5)),
        Scheme::Hht(Alpha::hht(0.1)),
        Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: Alpha::of_radius(0.8) },
        Scheme::SchatzmanPaoli { beta: 0.25 },
        Scheme::CentralDifference,
        Scheme::PlainNewmark { beta: 0.25, gamma: 0.5 },
    ]
}

/// The error names the key and what to set, of a system built in code too.
#[test]
fn other_schemes_refuse_rotations_in_space_and_bodies_that_meet() {
    let disk = |name: &str, x: f64| {
        BodyCase::new(name, BodyShape::Disk { radius: 0.5 }, 1.0, [x, 0.0, 0.0])
    };
    for scheme in other_schemes() {
        let space = System::without_mesh(3, scheme, 1e-3).body(sphere("ball", 0.0));
        let mut plane =
            System::without_mesh(2, scheme, 1e-3).body(disk("a", 0.0)).body(disk("b", 2.0));
        meeting(&mut plane);
        let born = BodyCase { born: Some(0.1), ..disk("a", 0.0) };
        let born = System::without_mesh(2, scheme, 1e-3).body(born).body(disk("b", 2.0));
        for (system, what) in [
            (space, "turn 'body.ball' in space"),
            (plane, "let bodies meet, as 'contact.clash' says"),
            (born, "let 'body.a' come and go"),
        ] {
            let message = system.march().err().unwrap().to_string();
            println!("{message}");
            let parts = ["scheme.kind", scheme.name(), what, "set kind = \"moreau-jean\""];
            for part in parts {
                assert!(message.contains(part), "{message} lacks {part}");
            }
        }
        let alone = System::without_mesh(2, scheme, 1e-3).body(disk("a", 0.0));
        assert!(alone.march().is_ok(), "{} steps bodies in the plane", scheme.name());
    }
}

#[test]
fn position_correction_is_refused_with_rotations_in_space_and_bodies_that_meet() {
    let scheme =
        Scheme::MoreauJean { theta: 0.5, forecast: Forecast::Start, position_correction: true };
    let system = System::without_mesh(3, scheme, 1e-3).body(sphere("ball", 0.0));
    let message = system.march().err().unwrap().to_string();
    println!("{message}");
    for part in ["scheme.position_correction", "turn 'body.ball' in space", "leave it out"] {
        assert!(message.contains(part), "{message} lacks {part}");
    }
}
