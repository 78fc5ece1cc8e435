//! The family of schemes: order without contact, energy identity with everything, impacts, and what
//! each of them promises.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::sync::Arc;

use delassus::assembly::{Body, DofMap, Driven, Load, Loads, MassKind, assemble};
use delassus::case::Case;
use delassus::contact::obstacle::{HalfPlane, Obstacle, RigidMotion, Shape, Sphere};
use delassus::contact::solver::{Method, SolveStatus, Target};
use delassus::contact::{
    Activation, ActivationRule, Against, Candidate, ContactSet, Contacts, Grip, Joint, JointKind,
    Law,
};
use delassus::energy::{Certificate, Coverage, Term, Totals, Verdict};
use delassus::linalg::{BlockOperator, NodeGraph, dot};
use delassus::material::{Material, Section};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::step::{Alpha, March, Problem, Scheme, State, Stepped};
use delassus::time::{Motion, TimeFunction};

use crate::support::{self, Folder, fitted_slope};

/// A damped 2 × 1 block held at its left side and pulled at its right, with waves of about unit speed.
fn block(scheme: Scheme, h: f64) -> (Mesh, Arc<Problem>) {
    let mesh = Mesh::rectangle([2.0, 1.0], [8, 4]);
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material = Material {
        young: 1.0,
        poisson: 0.3,
        density: 1.0,
        section: Section::PlaneStress { thickness: 1.0 },
        damping_mass: 0.05,
        damping_stiffness: 0.01,
    };
    let material_of = vec![0; elements.len()];
    let body = Body { mesh: &mesh, elements, material_of, materials: vec![material] };
    let (operator, damping) = assemble(&body, MassKind::Consistent);
    let still = Motion::Velocity { value: 0.0, time: TimeFunction::Constant };
    let held = mesh.groups["left"].nodes.iter().flat_map(|&node| [2 * node, 2 * node + 1]);
    let driven = held.map(|dof| Driven { dof, motion: 0 }).collect();
    let last = vec![false; mesh.points.len()];
    let dofs = DofMap::new(operator.graph(), operator.dimension(), &last, vec![still], driven);
    let pattern = mesh.groups["right"].nodes.iter().map(|&node| (2 * node, 0.1)).collect();
    let time = TimeFunction::Sine { period: 1.3, phase: 0.4 };
    let loads = Loads { external: vec![Load { pattern, time }], ..Loads::default() };
    let problem = Problem {
        operator,
        damping,
        dofs,
        loads,
        contacts: Contacts::default(),
        rigid: Vec::new(),
        presences: Vec::new(),
        activation: Activation::closed(0.0),
        scheme,
        h,
    };
    (mesh, Arc::new(problem))
}

/// Displacements at t = 1 of the block, struck at t = 0 with a smooth velocity.
fn displacement_at_one(scheme: Scheme, steps: usize) -> (Arc<Problem>, Vec<f64>) {
    let (mesh, problem) = block(scheme, 1.0 / steps as f64);
    let field = |x: f64, y: f64| {
        let wave = (std::f64::consts::FRAC_PI_4 * x).sin();
        [wave, 0.3 * wave * wave * (1.0 + y)]
    };
    let v: Vec<f64> = mesh.points.iter().flat_map(|&[x, y, _]| field(x, y)).collect();
    let state = State::new(&problem.operator, vec![0.0; v.len()], v, &problem.contacts);
    let mut march = March::new(&problem, state, Method::Auto, Target::new(1e-10, 1)).unwrap();
    for _ in 0..steps {
        assert_eq!(march.step().solve.error, 0.0, "nothing touches anything");
    }
    (problem, march.into_state().q)
}

/// The reference has steps 16 times smaller than the smallest and order two: it is off by 1/256 of the
/// smallest error of order two, 0.003 in the slope.
#[test]
fn orders_of_convergence_without_contact() {
    let steps = [200usize, 400, 800, 1600];
    let (_, reference) = displacement_at_one(Scheme::moreau_jean(0.5), 25_600);
    let schemes = [
        (Scheme::moreau_jean(0.5), 2.0),
        (Scheme::moreau_jean(0.7), 1.0),
        (Scheme::Newmark(Alpha::newmark(0.25, 0.5)), 2.0),
        (Scheme::Newmark(Alpha::newmark(0.3, 0.5)), 2.0),
        (Scheme::Newmark(Alpha::newmark(0.35, 0.7)), 1.0),
        (Scheme::Hht(Alpha::hht(0.1)), 2.0),
        (Scheme::Hht(Alpha::hht(0.3)), 2.0),
        (Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: Alpha::of_radius(0.8) }, 2.0),
        (Scheme::GeneralisedAlpha { rho_infinity: 0.1, alpha: Alpha::of_radius(0.1) }, 2.0),
        (Scheme::SchatzmanPaoli { beta: 0.25 }, 2.0),
        (Scheme::SchatzmanPaoli { beta: 0.5 }, 2.0),
        (Scheme::CentralDifference, 2.0),
        (Scheme::PlainNewmark { beta: 0.25, gamma: 0.5 }, 2.0),
        (Scheme::PlainNewmark { beta: 0.3, gamma: 0.6 }, 1.0),
    ];
    for (scheme, order) in schemes {
        let errors = steps.map(|n| {
            let (problem, q) = displacement_at_one(scheme, n);
            let off: Vec<f64> = q.iter().zip(&reference).map(|(a, b)| a - b).collect();
            let apart = State::new(&problem.operator, off, vec![0.0; q.len()], &problem.contacts);
            dot(&apart.q, &apart.kq).sqrt()
        });
        let slope = fitted_slope(&steps.map(|n| 1.0 / n as f64), &errors);
        println!("{scheme}: order {slope:.4}; errors {errors:?}");
        assert!((slope - order).abs() <= 0.1, "{scheme}: order {slope} from {errors:?}");
    }
}

/// A damped block of two materials, pressed and pulled, under its weight, its top held sideways, on a
/// slope that rises and slides and beside a wall.
const EVERYTHING: &str = r#"
units = "mm, ms, g"
mesh.file = "unused.msh"

[material.block]
young = 500.0
poisson = 0.3
density = 2e-3
plane = "strain"
damping_mass = 0.4
damping_stiffness = 2e-3

[boundary.top]
group = "top"
component = "x"
displacement = 0.0

[load.weight]
gravity = [0.0, -0.5]
potential = true

[load.pull]
group = "left"
traction = [-1.0, 0.5]
time = { function = "table", times = [0.0, 0.2, 0.5], values = [0.0, 1.0, -0.5] }

[load.squeeze]
group = "right"
pressure = 2.0
time = { function = "square", period = 0.3 }

[contact.slope]
group = "bottom"
obstacle = { kind = "half-plane", point = [0.0, -0.01], normal = [0.1, 1.0], velocity = [0.3, 0.2], time = { function = "sine", period = 1.1 } }
friction = 0.4
restitution = 0.25

[contact.wall]
group = "left"
obstacle = { kind = "half-plane", point = [-0.02, 0.0], normal = [1.0, 0.0] }
friction = 0.1
restitution = 0.6

[initial.velocity.all]
value = [-0.4, -0.3]

[scheme]
step = 1e-4
end = 0.25
"#;

/// What a march left and met.
struct Marched {
    certificate: Certificate,
    totals: Totals,
    contact_steps: usize,
    /// Smallest gap at the start of any step.
    deepest: f64,
    /// Largest |total energy less that at the start|.
    drift: f64,
    state: State,
}

/// Marches a case with lines added to its last table, [scheme].
fn march(text: &str, mesh: &Mesh, lines: &str) -> Marched {
    let folder = Folder::new();
    folder.write("case.toml", format!("{text}\n{lines}\n"));
    let case = Case::read(&folder.path("case.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    march_case(&case, mesh)
}

fn march_case(case: &Case, mesh: &Mesh) -> Marched {
    let Model { problem, state, coverage, .. } =
        Model::build(case, mesh).unwrap_or_else(|e| panic!("{e}"));
    march_problem(&problem, state, coverage, case.scheme.steps)
}

fn march_problem(
    problem: &Arc<Problem>,
    state: State,
    coverage: Coverage,
    steps: usize,
) -> Marched {
    let target = Target::new(1e-12, 20_000);
    let mut march = March::new(problem, state, Method::Auto, target).unwrap();
    let start = march.energies_at_start().total();
    let (mut contact_steps, mut deepest, mut drift) = (0, f64::INFINITY, 0.0_f64);
    for _ in 0..steps {
        let Stepped { solve, terms, .. } = march.step();
        let step = march.state().step;
        assert_eq!(solve.status, SolveStatus::Converged, "step {step}: {solve:?}");
        let contact = march.contacts();
        contact_steps += contact.impulse.iter().filter(|p| p[0] > 0.0).count();
        deepest = contact.gap.iter().fold(deepest, |m, &g| m.min(g));
        drift = drift.max((terms.total() - start).abs());
    }
    let certificate = Certificate::new(coverage, march.worst());
    let totals = *march.ledger().totals();
    Marched { certificate, totals, contact_steps, deepest, drift, state: march.into_state() }
}

fn rectangle() -> Mesh {
    Mesh::rectangle([3.0, 2.0], [12, 8])
}

/// The residual is the rounding of K q.
#[test]
fn the_identity_of_every_scheme_closes_with_everything() {
    let mesh = rectangle();
    for lines in EVERY_SCHEME {
        let Marched { certificate, totals, contact_steps, .. } = march(EVERYTHING, &mesh, lines);
        println!(
            "{lines:?}: residual {:.1e}, {contact_steps} contact-steps, numerical {:.2e}, worst works {:.1e} {:.1e}: {}",
            certificate.max_balance_residual,
            totals[Term::Numerical],
            certificate.largest[Term::Normal],
            certificate.largest[Term::Tangential],
            certificate.verdict
        );
        assert!(certificate.max_balance_residual < 1e-12, "{lines:?}");
        assert!(contact_steps > 500, "{lines:?} hardly touches anything: {contact_steps}");
        assert!(totals[Term::External] != 0.0 && totals[Term::Tangential] < 0.0, "{lines:?}");
    }
}

const EVERY_SCHEME: &[&str] = &[
    "kind = \"moreau-jean\"\nforecast = \"middle\"",
    "kind = \"moreau-jean\"\nforecast = \"extrapolated\"\nforecast_gamma = 0.3",
    "kind = \"newmark\"",
    "kind = \"newmark\"\nbeta = 0.3\ngamma = 0.6",
    "kind = \"newmark\"\nbeta = 0.4\ngamma = 0.6",
    "kind = \"hht\"",
    "kind = \"hht\"\nalpha_f = 0.3\nlaw = \"newton\"",
    "kind = \"generalised-alpha\"",
    "kind = \"generalised-alpha\"\nrho_infinity = 0.2",
    "kind = \"newmark\"\nposition_correction = true",
    "kind = \"hht\"\nposition_correction = true",
    "kind = \"generalised-alpha\"\nposition_correction = true",
    "kind = \"schatzman-paoli\"",
    "kind = \"schatzman-paoli\"\nbeta = 0.4\nlaw = \"newton\"",
    "kind = \"central-difference\"",
    "kind = \"plain-newmark\"",
    "kind = \"plain-newmark\"\nbeta = 0.4\ngamma = 0.6",
];

/// Proposition 1 for Newmark's scheme with γ ≥ ½, 2β ≥ γ: any e ≤ 1, as at θ = ½. Contacts of the
/// others do no positive work either, but their numerical term has no sign, nor has damping with 2β > γ.
#[test]
fn contacts_at_the_velocity_level_create_no_energy_with_fremonds_law() {
    let mesh = rectangle();
    for e in ["0.0", "0.5", "1.0"] {
        let text = EVERYTHING
            .replace("restitution = 0.25", &format!("restitution = {e}"))
            .replace("restitution = 0.6", &format!("restitution = {e}"));
        for (lines, verdict) in [
            ("kind = \"newmark\"", Verdict::Dissipative),
            ("kind = \"newmark\"\nbeta = 0.3\ngamma = 0.6", Verdict::Dissipative),
            ("kind = \"newmark\"\nbeta = 0.4\ngamma = 0.6", Verdict::NotCovered),
            ("kind = \"hht\"", Verdict::NotCovered),
            ("kind = \"generalised-alpha\"\nrho_infinity = 0.5", Verdict::NotCovered),
        ] {
            let Marched { certificate, .. } = march(&text, &mesh, lines);
            assert_eq!(certificate.verdict, verdict, "{lines} e {e}: {certificate:?}");
        }
        let undamped = text.replace("damping_mass = 0.4\ndamping_stiffness = 2e-3\n", "");
        assert_ne!(undamped, text);
        let Marched { certificate, .. } =
            march(&undamped, &mesh, "kind = \"newmark\"\nbeta = 0.4\ngamma = 0.6");
        assert_eq!(certificate.verdict, Verdict::Dissipative, "e {e}: {certificate:?}");
    }
}

/// γ = ½, β = ¼: v₁ − v₀ = h(F_½ − K q_½ − C v_½) + W_j and q₁ − q₀ = ½h(v₀ + v₁), which is (61).
#[test]
fn newmark_with_one_half_and_one_quarter_is_moreau_jean_step_by_step() {
    let mesh = rectangle();
    let ends: Vec<State> = ["kind = \"moreau-jean\"", "kind = \"newmark\""]
        .into_iter()
        .map(|lines| march(EVERYTHING, &mesh, lines).state)
        .collect();
    let size = ends[0].q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
    let apart = ends[0].q.iter().zip(&ends[1].q).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    println!("apart by {:.1e} after {} steps", apart / size, ends[0].step);
    // What rounding leaves after 500 steps of contacts that open and close.
    assert!(apart < 1e-10 * size, "{apart:e} of {size:e}");
}

/// Gaps at the end of every step are closed or open: rounding of the size of the block, 3.
#[test]
fn nothing_is_penetrated_where_gaps_are_closed_at_the_level_of_positions() {
    let mesh = rectangle();
    let text = EVERYTHING
        .replace("restitution = 0.25", "restitution = 0.0")
        .replace("restitution = 0.6", "restitution = 0.0");
    for lines in [
        "kind = \"newmark\"\nposition_correction = true",
        "kind = \"hht\"\nposition_correction = true",
        "kind = \"generalised-alpha\"\nposition_correction = true",
        "kind = \"schatzman-paoli\"",
        "kind = \"central-difference\"",
        "kind = \"plain-newmark\"",
    ] {
        let Marched { deepest, contact_steps, .. } = march(&text, &mesh, lines);
        println!("{lines:?}: deepest {deepest:.1e}, {contact_steps} contact-steps");
        assert!(deepest > -1e-12, "{lines}: {deepest:e}");
    }
    let Marched { deepest, .. } = march(&text, &mesh, "kind = \"newmark\"");
    println!("velocity level: deepest {deepest:.1e}");
    assert!(deepest < -1e-7, "at the velocity level a step ends where it ends: {deepest:e}");
}

/// A point mass on a bar, hung at the origin, that swings against a wall; a stick that falls on its end
/// and then on the other; a point that slides down a disk.
#[derive(Clone, Copy, Debug)]
enum Toy {
    Pendulum,
    Stick,
    Slide,
}

impl Toy {
    fn problem(self, scheme: Scheme, h: f64) -> (Problem, State) {
        let elements = [[0], [1]];
        let graph = NodeGraph::new(2, elements.iter().map(|e| &e[..]));
        let mut operator = BlockOperator::zero(graph.into(), 2);
        operator.add_element(&elements[0], &[2.0], &[0.0; 4]);
        // The last node only rests beside.
        operator.add_element(&elements[1], &[1.0], &[0.0; 4]);
        let rigid = if matches!(self, Self::Stick) { vec![0] } else { Vec::new() };
        rigid.iter().for_each(|_| operator.add_rotation(0.25));
        let n = operator.dofs();
        let (mut q, v) = (vec![0.0; n], vec![0.0; n]);
        let (set, grips, joints) = match self {
            Self::Pendulum => {
                let bob = Grip::Node { node: 0, point: [0.8, -0.6, 0.0] };
                let grips = [bob, Grip::Ground { point: [0.0; 3] }];
                let joint =
                    Joint { name: "bar".into(), kind: JointKind::Bar { length: 1.0 }, grips };
                (half_plane([-0.1, 0.0, 0.0], [1.0, 0.0, 0.0]), vec![bob], vec![joint])
            }
            Self::Stick => {
                let center = [0.0, 0.5, 0.0];
                let ends = [[0.4, -0.3], [-0.4, 0.3]];
                let ends = ends.map(|arm| Grip::Body { node: 0, turn: 4, center, arm });
                (half_plane([0.0; 3], [0.0, 1.0, 0.0]), ends.to_vec(), Vec::new())
            }
            Self::Slide => {
                q[0] = 0.1;
                let point = Grip::Node { node: 0, point: [0.0, 1.0, 0.0] };
                let disk = Sphere { center: [0.0; 3], radius: 1.0, inside: false };
                (Shape::Sphere(disk), vec![point], Vec::new())
            }
        };
        let obstacle = Obstacle::in_plane(set, RigidMotion::default()).unwrap();
        let contacts = Contacts {
            sets: vec![ContactSet {
                name: "ground".into(),
                against: Against::Obstacle(Box::new(obstacle)),
                friction: 0.2.into(),
                restitution: Law::Fremond.restitution(scheme.theta(), 0.5, 0.0),
            }],
            candidates: grips.iter().map(|&grip| Candidate::of(grip, 0.0, 0)).collect(),
            joints,
            solids: Default::default(),
        };
        let (last, sizes) = ([true, false], (2, rigid.len()));
        let dofs = DofMap::with_rotations(operator.graph(), sizes, &last, Vec::new(), Vec::new());
        let potential = (0..n).map(|dof| if dof == 1 { -20.0 } else { 0.0 }).collect();
        let loads = Loads { potential, ..Loads::default() };
        let activation = Activation::closed(1e-12);
        let state = State::new(&operator, q, v, &contacts);
        let problem = Problem {
            operator,
            damping: None,
            dofs,
            loads,
            contacts,
            rigid,
            presences: Vec::new(),
            activation,
            scheme,
            h,
        };
        (problem, state)
    }
}

fn half_plane(point: [f64; 3], normal: [f64; 3]) -> Shape {
    Shape::HalfPlane(HalfPlane { point, normal })
}

/// Joints hold to rounding at the end of every step and the balance closes, with bodies that turn and
/// frames that do; where gaps are closed at the level of positions, with what the linearisation leaves,
/// 1e-12 as asked.
#[test]
fn joints_turning_bodies_and_curved_obstacles_go_with_every_scheme() {
    let corrected = |alpha| Alpha { position_correction: true, ..alpha };
    let schemes = [
        (Scheme::moreau_jean(0.5), false),
        (Scheme::Newmark(Alpha::newmark(0.25, 0.5)), false),
        (Scheme::Newmark(corrected(Alpha::newmark(0.25, 0.5))), true),
        (Scheme::Hht(Alpha::hht(0.1)), false),
        (Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: Alpha::of_radius(0.8) }, false),
        (
            Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: corrected(Alpha::of_radius(0.8)) },
            true,
        ),
        (Scheme::SchatzmanPaoli { beta: 0.25 }, false),
        (Scheme::CentralDifference, true),
        (Scheme::PlainNewmark { beta: 0.3025, gamma: 0.6 }, true),
    ];
    for toy in [Toy::Pendulum, Toy::Stick, Toy::Slide] {
        for (scheme, closes) in schemes {
            let (problem, state) = toy.problem(scheme, 1e-3);
            let problem = Arc::new(problem);
            let coverage = Coverage::of(0.5, &[], ActivationRule::Closed);
            let march = march_problem(&problem, state, coverage, 1500);
            let Marched { certificate, contact_steps, deepest, drift, state, .. } = march;
            let hang = problem.contacts.joints.iter().map(|joint| joint.value(2, &state.q)[0]);
            let off = hang.fold(0.0, |m: f64, value| m.max(value.abs()));
            println!(
                "{toy:?}, {scheme}: residual {:.1e}, joints {off:.1e}, deepest {deepest:.1e}, drift {drift:.1e}, {contact_steps} contact-steps",
                certificate.max_balance_residual
            );
            assert!(certificate.max_balance_residual < 1e-12, "{toy:?} {scheme}");
            assert!(off < 1e-12, "{toy:?} {scheme}: {off:e}");
            assert!(contact_steps > 0 && (!closes || deepest > -2e-12), "{toy:?} {scheme}");
        }
    }
}

/// A case of the repository, with a kind of scheme, marched.
fn bar(name: &str, kind: &str, more: &[&str]) -> Marched {
    let kind = format!("scheme.kind={kind}");
    let case = support::case(name, &[&[&*kind], more].concat());
    let mesh = Mesh::read_with_bars(case.mesh_file().unwrap(), &case.bar_groups()).unwrap();
    march_case(&case, &mesh)
}

/// Both bars fly against a wall with velocity −v and come back. Impulses at the velocity level, and gaps
/// closed by the two-step schemes with e = 0, take what stops the nodes that touch; forces at the end of
/// the step do not know what they do.
#[test]
fn impacting_bars_come_back_and_only_forces_and_elastic_positions_create_energy() {
    for (name, contact, [v, step]) in
        [("impacting_bar", "floor", [10.0, 1e-3]), ("siconos_bar", "wall", [0.1, 1e-6])]
    {
        let step = format!("scheme.step={step:e}");
        let elastic = format!("contact.{contact}.restitution=1");
        for (kind, verdict) in [
            ("moreau-jean", Verdict::Dissipative),
            ("newmark", Verdict::Dissipative),
            ("hht", Verdict::NotCovered),
            ("generalised-alpha", Verdict::NotCovered),
            ("schatzman-paoli", Verdict::Dissipative),
            ("central-difference", Verdict::Dissipative),
            ("plain-newmark", Verdict::Violated),
        ] {
            let Marched { certificate, totals, state, .. } = bar(name, kind, &[&step]);
            let d = if name == "impacting_bar" { 2 } else { 1 };
            let along = state.v.iter().skip(d - 1).step_by(d);
            let mean = along.sum::<f64>() * d as f64 / state.v.len() as f64;
            let scale = certificate.energy_scale;
            println!(
                "{name} {kind}: rebounds with {mean:.3} of {v}, contact work {:.2e}, numerical {:.2e} of {scale:.2e}: {}",
                totals[Term::Normal],
                totals[Term::Numerical],
                certificate.verdict
            );
            assert!(mean > 0.8 * v, "{name} {kind}: {mean}");
            assert_eq!(certificate.verdict, verdict, "{name} {kind}: {certificate:?}");
        }
        let gained = |kind: &str, more: &[&str]| bar(name, kind, more).totals[Term::Normal];
        let forces = gained("plain-newmark", &[&step]);
        let positions = gained("schatzman-paoli", &[&step, &elastic]);
        println!("{name}: forces {forces:.3e}, elastic positions {positions:.3e}");
        assert!(gained("newmark", &[&step, &elastic]).abs() < 1e-6 * v * v);
        assert!(forces > 0.0 && positions > 0.0, "{forces} {positions}");
    }
}

/// The sliding block, ten steps of it, with other lines in its scheme.
fn block_with(lines: &str) -> String {
    support::block_case().replace("kind = \"moreau-jean\"\n", "").replace("theta = 0.5", lines)
}

/// The message tells the limit.
#[test]
fn central_differences_are_refused_beyond_their_limit() {
    let folder = Folder::with_block();
    let text = block_with("kind = \"central-difference\"");
    folder.write(
        "case.toml",
        text.replace("step = 1e-4", "step = 1e-2").replace("end = 1e-3", "end = 1"),
    );
    let said = support::stderr(&folder.run(&[]));
    assert!(said.contains("scheme.step: 0.01 is beyond 2/omega = "), "{said}");
    assert!(said.contains("where central differences explode; choose less"), "{said}");
}

/// What stands in the scheme, and what is said of it.
#[rustfmt::skip]
const BAD: &[(&str, &str)] = &[
    ("kind = \"newmrak\"", "scheme.kind: \"newmrak\" is not one of \"moreau-jean\", \"newmark\", \"hht\", \"generalised-alpha\", \"schatzman-paoli\", \"central-difference\", \"plain-newmark\"; did you mean \"newmark\"?"),
    ("kind = \"newmark\"\ntheta = 0.5", "scheme.theta: kind = \"newmark\" has no theta; it takes beta, gamma, position_correction, activation, velocity_tolerance"),
    ("beta = 0.3", "scheme.beta: kind = \"moreau-jean\" has no beta; it takes theta, forecast, forecast_gamma, position_correction, activation, velocity_tolerance"),
    ("kind = \"central-difference\"\nbeta = 0.3", "scheme.beta: kind = \"central-difference\" has no beta; it takes nothing"),
    ("kind = \"schatzman-paoli\"\nactivation = \"gap\"", "scheme.activation: kind = \"schatzman-paoli\" has no activation; it takes beta"),
    ("kind = \"schatzman-paoli\"\nbeta = 0.2", "scheme.beta: 0.2 < 1/4: large steps are not stable"),
    ("kind = \"newmark\"\ngamma = 0.4", "scheme.gamma: 0.4 < 1/2 creates energy in every step; choose more, or set scheme.allow_energy_creation = true"),
    ("kind = \"newmark\"\ngamma = 0.7", "scheme.gamma: beta = 0.25 and gamma = 0.7 have 2 beta < gamma: large steps are not stable; choose beta >= 0.35"),
    ("kind = \"newmark\"\nbeta = -1.0", "scheme.beta: -1.0 is not a finite number > 0"),
    ("kind = \"newmark\"\nposition_correction = true\nactivation = \"gap\"", "scheme.activation: goes without position_correction only"),
    ("kind = \"hht\"\nalpha_f = 0.5", "scheme.alpha_f: 0.5 is not between 0 and 1/3"),
    ("kind = \"generalised-alpha\"\nrho_infinity = 1.1", "scheme.rho_infinity: 1.1 is not between 0 and 1"),
    ("kind = \"generalised-alpha\"\ngamma = 0.5", "scheme.gamma: kind = \"generalised-alpha\" has no gamma; it takes rho_infinity"),
    ("forecast = \"end\"", "scheme.forecast: \"end\" is not one of \"start\", \"extrapolated\", \"middle\""),
    ("forecast_gamma = 0.3", "scheme.forecast_gamma: goes with forecast = \"extrapolated\" only; leave it out"),
    ("forecast = \"extrapolated\"\nforecast_gamma = 2.0", "scheme.forecast_gamma: 2.0 is not between 0 and 1"),
];

#[test]
fn bad_keys_of_schemes_are_refused() {
    let folder = Folder::with_block();
    for (lines, says) in BAD {
        folder.write("case.toml", block_with(lines));
        let output = folder.run(&[]);
        let said = support::stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{lines}: {said}");
        assert!(said.contains(says), "{lines}: {said}");
    }
    let moving = "component = \"y\"\nvelocity = 1.0";
    let text = block_with("kind = \"hht\"").replace("component = \"y\"\nvelocity = 0.0", moving);
    folder.write("case.toml", text);
    let said = support::stderr(&folder.run(&[]));
    let says = "boundary.top: moves, which kind = \"hht\" does not follow; hold it still, or set scheme.kind = \"moreau-jean\"";
    assert!(said.contains(says), "{said}");
}

/// The files of a run of every kind are judged anew; schemes without an impact law tell that e is not
/// used.
#[test]
fn runs_of_every_kind_are_verified_from_their_files() {
    let folder = Folder::with_block();
    for kind in ["newmark", "hht", "generalised-alpha", "schatzman-paoli", "central-difference"] {
        let text = block_with(&format!("kind = \"{kind}\""));
        folder.write("case.toml", text);
        let output = folder.run(&[]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", support::stderr(&output));
        let judged = folder.delassus(&["verify", "out"]);
        assert_eq!(judged.status.code(), Some(0), "{kind}: {}", support::stdout(&judged));
        let summary: serde_json::Value =
            serde_json::from_str(&folder.read("out/summary.json")).unwrap();
        assert_eq!(summary["scheme"]["kind"], kind);
    }
    let text =
        block_with("kind = \"plain-newmark\"").replace("restitution = 0.0", "restitution = 0.5");
    folder.write("case.toml", text);
    let said = support::stderr(&folder.run(&[]));
    let says = "kind = \"plain-newmark\" has no impact law: the restitution 0.5 of contact 'floor' is not used";
    assert!(said.contains(says), "{said}");
}

/// A block that falls on its foot, six nodes and stiffness damping: the levels of positions and
/// velocities approach each other by 0.6 a turn.
#[test]
fn levels_that_settle_slowly_under_damping_settle() {
    let text = "units = \"m, s, kg\"\nmesh.file = \"none\"\n\
        [material.m]\nyoung = 10.0\npoisson = 0.0\ndensity = 1.0\nplane = \"strain\"\ndamping_stiffness = 0.028\n\
        [initial.velocity.all]\nvalue = [0.0, -0.6]\n\
        [contact.floor]\ngroup = \"bottom\"\nfriction = 0.0\nrestitution = 0.0\n\
        obstacle = { kind = \"half-plane\", point = [0.5, 0.0], normal = [0.0, 1.0] }\n\
        [scheme]\nkind = \"newmark\"\nposition_correction = true\nstep = 0.16\nend = 0.32\n";
    let mesh = Mesh::rectangle_of([0.5, 0.5], [1, 1], delassus::mesh::ElementKind::Triangle6);
    let Marched { certificate, contact_steps, .. } = march(text, &mesh, "");
    assert!(certificate.balanced() && contact_steps > 0, "{certificate:?}");
}

fn run_alone(text: &str) -> (Option<i32>, String) {
    let folder = Folder::new();
    folder.write("case.toml", text);
    let output = folder.run(&["--quiet"]);
    (output.status.code(), support::stderr(&output))
}

/// Its energies are what rounding makes of the joint.
#[test]
fn a_mass_that_is_pinned_to_the_ground_creates_no_energy() {
    let text = "units = \"m, s, kg\"\n\
        [mass.a]\nmass = 10.0\nposition = [0.02, 0.022]\nvelocity = [0.0, -1e-5]\n\
        [joint.j]\nbetween = [\"a\", \"ground\"]\nkind = \"pin\"\nat = [0.02, 0.022]\n\
        [load.weight]\ngravity = [0.0, 1.3249875825130272e-10]\n\
        [scheme]\nkind = \"newmark\"\nbeta = 0.2959710130467342\ngamma = 0.5\n\
        activation = \"gap\"\nstep = 975.535552531737\nend = 36094.81544367427\n";
    let (code, said) = run_alone(text);
    assert_eq!(code, Some(0), "{said}");
}

/// A corner of a room is hit: each of its faces has a contact, and the gaps of both close.
#[test]
fn gaps_of_both_faces_of_a_corner_close() {
    let text = "units = \"mm, ms, g\"\n\
        [mass.a]\nmass = 390.0\nposition = [0.034348918351388986, 0.0, 0.03634891835138899]\n\
        velocity = [-23.29271687648642, 16.825582194245506, -151.7654950905329]\nradius = 0.034348918351388986\n\
        [contact.room]\ngroup = \"a\"\nfriction = 0.0\nrestitution = 1.0\n[contact.room.obstacle]\n\
        kind = \"box\"\npoint = [0.05, 0.05, 0.15]\nsize = [0.3, 0.3, 0.3]\ninside = true\n\
        velocity = [-24.635343594476304, -25.960215264401686, -6.1239066207998825]\n\
        time = { function = \"ramp\", start = 0.0008159139965495639, end = 0.005044492293570429 }\n\
        [scheme]\nkind = \"schatzman-paoli\"\nbeta = 0.5445249010574162\nlaw = \"newton\"\n\
        allow_energy_creation = true\nstep = 0.00047115542869666244\nend = 0.007538486859146599\n";
    let (code, said) = run_alone(text);
    assert_eq!(code, Some(0), "{said}");
}

/// A box hangs from a pin and is jammed on a cylinder: at rest, but for rounding that no impulse can undo.
#[test]
fn a_jammed_body_stays_where_it_is() {
    let text = "units = \"any\"\n\
        [body.a]\nshape = \"box\"\nmass = 5427.918220886438\nsize = [2.986043522528033e-5, 5.972087045056066e-5]\n\
        position = [2.986043522528033e-5, 3.186043522528033e-5]\nvelocity = [0.0, -0.001]\n\
        angle = 0.4208992072971481\nspin = -13.873882843529817\n\
        [joint.j]\nbetween = [\"a\", \"ground\"]\nkind = \"pin\"\nat = [2.986043522528033e-5, 3.186043522528033e-5]\n\
        [contact.floor]\ngroup = \"a\"\nfriction = 0.31769442135916365\nrestitution = 0.0\n\
        obstacle = { kind = \"cylinder\", point = [5e-5, -0.00018268472618063758], radius = 0.00018268472618063758 }\n\
        [scheme]\ntheta = 0.7698012978862124\nstep = 0.0018358868386135\nend = 0.0642560393514725\n";
    let (code, said) = run_alone(text);
    assert_eq!(code, Some(0), "{said}");
}
