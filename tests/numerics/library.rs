//! Systems that a program makes: the same steps as a case file's, loads that look at the state, hooks.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus::case::{BodyCase, Case, Component, LoadKind, MassCase, PreloadCase};
use delassus::contact::obstacle::{CustomShape, HalfPlane, Nearest, Shape};
use delassus::contact::{Approach, Friction};
use delassus::energy::{Term, Verdict};
use delassus::error::Error;
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;
use delassus::model::{Model, System};
use delassus::rigid;
use delassus::simulation::{self, Observer, Progress};
use delassus::step::{Alpha, March, Scheme, Stepped};
use delassus::time::TimeFunction;

use crate::support::{Folder, case};

const FLOOR: HalfPlane = HalfPlane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };

fn gravity(acceleration: [f64; 3], potential: bool) -> LoadKind {
    LoadKind::Gravity { acceleration, potential }
}

/// `cases/sliding_block.toml`, said in code.
fn sliding_block(mesh: Mesh) -> System {
    let pmma = Material::solid(5750.0, 0.358, 1.17e-3);
    let pmma = pmma.of_section(Section::PlaneStress { thickness: 15.0 });
    let hold = |name: &str, group: &str, component, displacement| PreloadCase {
        name: name.into(),
        group: group.into(),
        component,
        displacement,
    };
    let traction = LoadKind::Traction { group: "left".into(), traction: [2.0, 0.0, 0.0] };
    let mut system = System::new(mesh, Scheme::moreau_jean(0.5), 1e-4)
        .material("pmma", Some("block"), pmma)
        .hold("top", Component::Y)
        .load("shake", traction, TimeFunction::Square { period: 0.5 })
        .load("weight", gravity([0.0, -1e-3, 0.0], false), TimeFunction::Constant)
        .contact("floor", "contact", FLOOR, 0.5, 0.0);
    system.case.preload = vec![
        hold("hold", "contact", Component::All, 0.0),
        hold("push", "top", Component::Y, -5e-3),
    ];
    system
}

/// Displacements and velocities after some steps.
fn end_of(mut march: March, steps: usize) -> (Vec<f64>, Vec<f64>) {
    (0..steps).for_each(|_| assert!(march.step().solve.error <= 1e-10));
    let state = march.into_state();
    (state.q, state.v)
}

fn end_of_case(case: &Case, steps: usize) -> (Vec<f64>, Vec<f64>) {
    let mesh = delassus::model::read_mesh(case).unwrap();
    let Model { problem, state, .. } = Model::build(case, &mesh).unwrap();
    let target = delassus::contact::solver::Target::new(1e-10, 10_000);
    end_of(March::new(&problem, state, case.solver.method, target).unwrap(), steps)
}

#[test]
fn the_sliding_block_said_in_code_takes_the_same_steps_to_the_last_bit() {
    let written = case("sliding_block", &[]);
    let system = sliding_block(Mesh::read(written.mesh_file().unwrap()).unwrap());
    assert!(system.case.is_made() && !written.is_made());
    assert_eq!(end_of(system.march().unwrap(), 40), end_of_case(&written, 40));
}

#[test]
fn the_rocking_block_said_in_code_takes_the_same_steps_to_the_last_bit() {
    let square = rigid::BodyShape::Box { size: [1.0, 1.0] };
    let block = BodyCase {
        velocity: [0.0, -0.2, 0.0],
        spin: [0.0, 0.0, 1.0],
        inertia: Some([1.0 / 12.0, 0.0, 0.0]),
        ..BodyCase::new("block", square, 1.0, [0.0, 0.6, 0.0])
    };
    let system = System::without_mesh(2, Scheme::moreau_jean(0.5), 1e-4)
        .body(block)
        .load("weight", gravity([0.0, -10.0, 0.0], true), TimeFunction::Constant)
        .contact("floor", "block", FLOOR, 0.1, 1.0);
    let steps = 3000;
    let expected = end_of_case(&case("rocking_block", &[]), steps);
    assert_eq!(end_of(system.march().unwrap(), steps), expected);
}

/// A block of rubber above the floor, that falls on it.
fn rubber(scheme: Scheme, h: f64) -> System {
    let rubber = Material::solid(100.0, 0.4, 1.0)
        .of_section(Section::PlaneStrain { thickness: 1.0 })
        .damped(0.0, 1e-3);
    let floor = HalfPlane { point: [0.0, -0.05, 0.0], ..FLOOR };
    System::new(Mesh::rectangle([2.0, 1.0], [8, 4]), scheme, h)
        .material("rubber", None, rubber)
        .velocity(None, [0.5, -1.0, 0.0])
        .contact("floor", "bottom", floor, 0.3, 0.0)
}

#[test]
fn what_a_program_gives_is_checked_as_a_file_is_and_named() {
    let refused = |system: System, wanted: &str| match system.named("block").march() {
        Err(error) => assert!(error.to_string().contains(wanted), "{error}, not {wanted}"),
        Ok(_) => panic!("{wanted}"),
    };
    let sound = || rubber(Scheme::moreau_jean(0.5), 1e-3);
    assert!(sound().march().is_ok());
    let with = |change: fn(&mut System)| {
        let mut system = sound();
        change(&mut system);
        system
    };
    let constant = TimeFunction::Constant;
    let force = |group: &str, z| LoadKind::Force { group: group.into(), force: [0.0, 1.0, z] };
    for (system, wanted) in [
        (rubber(Scheme::moreau_jean(0.3), 1e-3), "block: scheme.theta: 0.3 < 1/2 creates energy"),
        (rubber(Scheme::moreau_jean(0.5), -1.0), "scheme.step: -1.0 is not a finite number > 0"),
        (
            rubber(Scheme::Newmark(Alpha::newmark(0.1, 0.5)), 1e-3),
            "scheme.beta: beta = 0.1 and gamma = 0.5 have 2 beta < gamma",
        ),
        (
            rubber(
                Scheme::GeneralisedAlpha { rho_infinity: 0.5, alpha: Alpha::of_radius(0.6) },
                1e-3,
            ),
            "scheme.rho_infinity: Alpha",
        ),
        (
            System::without_mesh(4, Scheme::moreau_jean(0.5), 1e-3),
            "mesh.dimension: 4 is no dimension of space",
        ),
        (System::without_mesh(2, Scheme::moreau_jean(0.5), 1e-3), "nothing is left to move"),
        (with(|s| s.case.materials[0].material.young = -1.0), "material.rubber.young: -1.0 is not"),
        (
            with(|s| s.case.contacts[0].friction = f64::NAN.into()),
            "contact.floor.friction: NaN is not",
        ),
        (with(|s| s.case.contacts[0].restitution.normal = 1.5), "restitution: 1.5 is not between"),
        (with(|s| s.case.solver.tolerance = 2.0), "solver.tolerance: 2.0 is not"),
        (with(|s| s.case.units = "mm".into()), "units: \"mm\" names no"),
        (sound().load("pull", force("topp", 0.0), constant.clone()), "did you mean 'top'?"),
        (
            sound().load("pull", force("top", 2.0), constant.clone()),
            "load.pull.force: [0.0, 1.0, 2.0] leaves",
        ),
        (
            sound().load("pull", force("top", f64::INFINITY), constant.clone()),
            "inf is not a finite",
        ),
        (sound().contact("floor", "top", FLOOR, 0.0, 0.0), "contact.floor: another of them has"),
        (sound().mass(MassCase::new("ground", 1.0, [0.0; 3])), "mass.ground: 'ground' is what"),
        (
            sound().load("wave", force("top", 0.0), TimeFunction::Square { period: 0.0 }),
            "load.wave.time.period: 0.0 is not",
        ),
        (
            sound().contact(
                "wall",
                "left",
                HalfPlane { normal: [0.0, 2.0, 0.0], ..FLOOR },
                0.0,
                0.0,
            ),
            "contact.wall.obstacle: the normal",
        ),
    ] {
        refused(system, wanted);
    }
}

/// The floor of [`rubber`], as a program would give it.
#[derive(Debug)]
struct Floor;

impl CustomShape for Floor {
    fn nearest(&self, [_, y, _]: [f64; 3]) -> Nearest {
        Nearest { gap: y + 0.05, normal: [0.0, 1.0, 0.0], along: None }
    }

    fn is_curved(&self) -> bool {
        false
    }
}

#[test]
fn a_floor_and_a_law_of_ones_own_that_are_the_engines_take_the_same_steps_to_the_last_bit() {
    let own = |obstacle: Shape, friction: Friction| {
        let mut system = rubber(Scheme::moreau_jean(0.5), 1e-3);
        system.case.contacts.clear();
        end_of(system.contact("floor", "bottom", obstacle, friction, 0.0).march().unwrap(), 400)
    };
    let expected = end_of(rubber(Scheme::moreau_jean(0.5), 1e-3).march().unwrap(), 400);
    let floor = || Shape::Custom(Arc::new(Floor));
    assert_eq!(own(floor(), 0.3.into()), expected);
    assert_eq!(own(floor(), Friction::law(|_| 0.3)), expected);
    assert_ne!(own(floor(), Friction::law(|at| 0.3 + 0.2 * at.velocity[1].abs())), expected);
    // What is below 0, or no number, is 0.
    let smooth = own(floor(), 0.0.into());
    assert_eq!(own(floor(), Friction::law(|_| -1.0)), smooth);
    assert_eq!(own(floor(), Friction::law(|_| f64::NAN)), smooth);
}

/// Every scheme: a bound that changes from step to step and from node to node dissipates all the same.
#[test]
fn a_law_of_ones_own_closes_the_balance_and_dissipates() {
    for scheme in [
        Scheme::moreau_jean(0.5),
        Scheme::Newmark(Alpha::newmark(0.25, 0.5)),
        Scheme::SchatzmanPaoli { beta: 0.25 },
    ] {
        let mut system = rubber(scheme, 1e-3);
        let rough = |at: &Approach| {
            let speed = at.velocity[1].abs();
            (0.2 + 0.1 * (40.0 * at.place[0]).sin() + 0.1 * (70.0 * at.time).sin()) / (1.0 + speed)
        };
        system.case.contacts[0].friction = Friction::law(rough);
        let mut march = system.march().unwrap();
        (0..400).for_each(|_| assert!(march.step().solve.error <= 1e-10));
        let (worst, scale) = (march.ledger().worst(), march.ledger().energy_scale());
        assert!(worst.residual < 1e-13 * scale, "{scheme:?}");
        assert!(
            worst.largest[Term::Tangential] <= 1e-11 * scale,
            "{scheme:?}: {:e}",
            worst.largest[Term::Tangential]
        );
        assert!(march.ledger().totals()[Term::Tangential] < -1e-3 * scale, "{scheme:?}");
    }
}

/// Every scheme, over a fall, an impact and friction: what feedback does is external work, on the displacement of each
/// step, and the balance closes with it to rounding.
#[test]
fn what_feedback_does_is_external_work_and_the_balance_closes() {
    let top = Mesh::rectangle([2.0, 1.0], [8, 4]).groups["top"].nodes.clone();
    for scheme in [
        Scheme::moreau_jean(0.5),
        Scheme::moreau_jean(0.7),
        Scheme::Newmark(Alpha::newmark(0.25, 0.5)),
        Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: Alpha::of_radius(0.8) },
        Scheme::SchatzmanPaoli { beta: 0.25 },
        Scheme::PlainNewmark { beta: 0.25, gamma: 0.5 },
    ] {
        let nodes = top.clone();
        let system = rubber(scheme, 1e-3).push("servo", move |t, q, v, f| {
            for &node in &nodes {
                let y = 2 * node as usize + 1;
                f[y] -= 2.0 * q[y] + 0.3 * v[y] + 0.1 * (9.0 * t).sin();
            }
        });
        let mut march = system.march().unwrap();
        let (mut work, mut force) = (0.0, vec![0.0; march.state().q.len()]);
        for _ in 0..300 {
            let before = march.state().clone();
            let _ = march.step();
            force.fill(0.0);
            for &node in &top {
                let y = 2 * node as usize + 1;
                force[y] -= 2.0 * before.q[y] + 0.3 * before.v[y] + 0.1 * (9.0 * before.time).sin();
            }
            let moved = march.state().q.iter().zip(&before.q).map(|(a, b)| a - b);
            work += moved.zip(&force).map(|(dq, f)| dq * f).sum::<f64>();
        }
        let (ledger, scale) = (march.ledger(), march.ledger().energy_scale());
        assert!(ledger.worst().residual < 1e-13 * scale, "{scheme:?}");
        let counted = ledger.totals()[Term::External];
        assert!(counted.abs() > 1e-2 * scale, "{scheme:?}: {counted}");
        // Those of Newmark's family and of two steps put the force elsewhere in the step: to first order the same.
        let apart = (counted - work).abs();
        let within = if matches!(scheme, Scheme::MoreauJean { .. }) { 1e-12 } else { 1e-2 };
        assert!(apart <= within * scale, "{scheme:?}: {counted} and {work}");
    }
}

/// Where the motion is prescribed feedback does nothing, and a body that it holds up stays there.
#[test]
fn feedback_that_carries_the_weight_keeps_a_body_at_rest() {
    let weight = gravity([0.0, -10.0, 0.0], false);
    let system = System::without_mesh(2, Scheme::moreau_jean(0.5), 1e-2)
        .mass(MassCase::new("bob", 2.0, [0.0, 1.0, 0.0]))
        .load("weight", weight, TimeFunction::Constant)
        .push("hand", |_, _, _, f| f[1] += 20.0);
    let (q, v) = end_of(system.march().unwrap(), 100);
    assert_eq!((&q[..], &v[..]), (&[0.0; 2][..], &[0.0; 2][..]));
}

/// Counts the steps it is shown, and ends the run where it is told to.
#[derive(Default)]
struct Hook {
    seen: Vec<usize>,
    refuse_at: Option<usize>,
}

impl Observer for Hook {
    fn notice(&mut self, _: &str) {}

    fn progress(&mut self, _: &Progress) {}

    fn stepped(&mut self, march: &March, stepped: &Stepped) -> Result<(), Error> {
        let step = march.state().step;
        assert_eq!(march.contacts().active.len(), march.ledger().balance().contacts);
        assert!(stepped.solve.error <= 1e-10);
        self.seen.push(step);
        match self.refuse_at {
            Some(last) if last == step => Err(Error::Check("enough".into())),
            _ => Ok(()),
        }
    }
}

/// With the records of a run, though there is no file; the hook sees every step of it, and can end it.
#[test]
fn a_system_runs_with_records_and_a_hook_sees_every_step() {
    let folder = Folder::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let mut system = rubber(Scheme::moreau_jean(0.5), 1e-3).named("falling").steps(100).push(
        "nothing",
        move |_, _, _, _| {
            counter.fetch_add(1, Ordering::Relaxed);
        },
    );
    system.case.output.fields_every = 50;
    let (mut hook, out) = (Hook::default(), folder.path("out"));
    let summary = simulation::run_system(&system, &out, &mut hook).unwrap();
    assert_eq!(hook.seen, (1..=100).collect::<Vec<_>>());
    assert_eq!(asked.load(Ordering::Relaxed), 100);
    assert_eq!((summary.counts.steps, summary.case.name.as_str()), (100, "falling"));
    assert_eq!(summary.certificate.verdict, Verdict::Dissipative);
    for file in ["history.csv", "contacts.csv", "bodies.csv", "summary.json", "fields.pvd"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let refused = delassus::verify::verify(&out).unwrap_err().to_string();
    assert!(refused.contains("a program made this run"), "{refused}");

    let mut hook = Hook { refuse_at: Some(7), ..Hook::default() };
    let ended = simulation::run_system(&system, &folder.path("short"), &mut hook).unwrap_err();
    assert_eq!((ended.to_string().as_str(), hook.seen.len()), ("enough", 7));
}
