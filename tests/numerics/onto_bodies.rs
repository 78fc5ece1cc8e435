//! Nodes of elastic meshes and point masses against rigid bodies that move as they are pushed; bodies against obstacles.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::case::{
    BodyCase, Component, ContactCase, LoadKind, MassCase, ObstacleCase, PairCase, ShapeCase,
    SolidCase, WeightCase, WordCase,
};
use delassus::contact::Friction;
use delassus::contact::obstacle::{
    Cuboid, Cylinder, HalfPlane, RigidMotion, Shape, Sphere, Surface, Translation,
};
use delassus::energy::Term;
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};
use delassus::model::{Model, System};
use delassus::rigid::BodyShape;
use delassus::step::{March, Scheme};
use delassus::time::{Motion, TimeFunction};

fn material(young: f64, poisson: f64, section: Section) -> Material {
    let (damping_mass, damping_stiffness) = (0.0, 0.0);
    Material { young, poisson, density: 1.0, section, damping_mass, damping_stiffness }
}

/// A block of so many cells, its upper side at z = 0.
fn block(cells: [usize; 3]) -> System {
    let mesh = Mesh::block([-0.5, -0.5, -0.5], [0.5, 0.5, 0.0], cells, ElementKind::Hexahedron8);
    let system = System::new(mesh, Scheme::moreau_jean(0.5), 1e-3);
    system.material("rubber", None, material(1e3, 0.3, Section::Solid))
}

/// The points of a group or mass may touch a body.
fn meeting(mut system: System, points: &str, body: &str, friction: f64, e: f64) -> System {
    let scheme = &system.case.scheme;
    let bodies = if body == "bodies" { WordCase::Any } else { WordCase::Body(body.into()) };
    let contact = ContactCase {
        name: format!("{points} on {body}"),
        pair: PairCase::Points { points: points.into(), bodies },
        friction: Friction::from(friction),
        restitution: scheme.law.restitution(scheme.parameters.theta(), e, 0.0),
    };
    system.case.contacts.push(contact);
    system
}

fn in_space(name: &str, solid: SolidCase, mass: f64, position: [f64; 3]) -> BodyCase {
    BodyCase::in_space(name, solid, WeightCase::Mass(mass), position)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn rotated(phi: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let angle = (phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]).sqrt();
    if angle == 0.0 {
        return x;
    }
    let n = phi.map(|p| p / angle);
    let along: f64 = (0..3).map(|k| n[k] * x[k]).sum();
    let (turned, (sine, cosine)) = (cross(n, x), angle.sin_cos());
    [0, 1, 2].map(|k| cosine * x[k] + sine * turned[k] + (1.0 - cosine) * along * n[k])
}

/// Σ x × f and Σ f over the nodes, of numbers on their dofs.
fn sums(points: &[[f64; 3]], d: usize, q: &[f64], f: &[f64]) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    for (node, point) in points.iter().enumerate() {
        let (mut x, mut own) = (*point, [0.0; 3]);
        for i in 0..d {
            x[i] += q[d * node + i];
            own[i] = f[d * node + i];
        }
        let moment = cross(x, own);
        (0..3).for_each(|i| sums[0][i] += moment[i]);
        (0..3).for_each(|i| sums[1][i] += own[i]);
    }
    sums
}

/// Angular momentum about the origin and linear momentum of everything.
fn momenta(march: &March, points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let (operator, state) = (&march.problem().operator, march.state());
    let (d, first) = (march.problem().dofs.dimension, operator.node_dofs());
    let (mut mv, mut kq) = (vec![0.0; state.v.len()], vec![0.0; state.v.len()]);
    operator.apply_into(&state.v, &state.q, &mut mv, &mut kq);
    let [mut angular, linear] = sums(points, d, &state.q, &mv);
    let turns = if d == 3 { 3 } else { 1 };
    for at in (first..mv.len()).step_by(turns) {
        let own = match d {
            3 => {
                let of = |x: &[f64]| [x[at], x[at + 1], x[at + 2]];
                rotated(of(&state.q), of(&mv))
            }
            _ => [0.0, 0.0, mv[at]],
        };
        (0..3).for_each(|i| angular[i] += own[i]);
    }
    [angular, linear]
}

/// Largest steps in which anything happened: contacts that pushed, and the worst of momenta and of the identity.
#[derive(Debug, Default)]
struct Course {
    pushes: usize,
    linear: f64,
    angular: f64,
    residual: f64,
    normal: f64,
    tangential: f64,
}

/// Steps without loads. Forces of elements that are linear have no sum, but a moment about where their nodes are:
///
/// ```text
///     L₁ − L₀ = −h Σ x_½ × (K q_½)          P₁ = P₀
/// ```
fn freely(system: &System, steps: usize) -> Course {
    let points = system.mesh().unwrap().points;
    let mut march = system.march().unwrap();
    let (h, d) = (march.problem().h, march.problem().dofs.dimension);
    let mut course = Course { normal: f64::MIN, tangential: f64::MIN, ..Course::default() };
    let energy = march.ledger().totals().total();
    let mut before = momenta(&march, &points);
    let scale = before.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    for step in 0..steps {
        let q0 = march.state().q.clone();
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10, "{step}: {stepped:?}");
        let middle: Vec<f64> =
            march.state().q.iter().zip(&q0).map(|(a, b)| 0.5 * (a + b)).collect();
        let (mut mv, mut kq) = (vec![0.0; q0.len()], vec![0.0; q0.len()]);
        let operator = &march.problem().operator;
        // Rotations have no stiffness.
        operator.apply_into(&march.state().v, &middle, &mut mv, &mut kq);
        let [moment, _] = sums(&points, d, &middle, &kq);
        let now = momenta(&march, &points);
        for i in 0..3 {
            let turned = now[0][i] - before[0][i] + h * moment[i];
            course.angular = course.angular.max(turned.abs() / scale);
            course.linear = course.linear.max((now[1][i] - before[1][i]).abs() / scale);
        }
        before = now;
        let contacts = march.contacts();
        course.pushes += usize::from(contacts.impulse.iter().any(|p| p[0] > 0.0));
        course.residual = course.residual.max(march.ledger().balance().residual.abs() / energy);
        for work in &contacts.work {
            course.normal = course.normal.max(work[Term::Normal] / energy);
            course.tangential = course.tangential.max(work[Term::Tangential] / energy);
        }
    }
    course
}

/// What holds in every step, to rounding of sums over some hundred nodes; works of contacts to what solvers reach, 2e-14 of what passes.
fn is_sound(course: &Course, pushes: usize) {
    assert!(course.pushes >= pushes, "{course:?}");
    assert!(course.linear < 1e-13 && course.angular < 1e-13, "{course:?}");
    assert!(course.residual < 1e-13, "{course:?}");
    assert!(course.normal < 1e-14 && course.tangential < 1e-14, "{course:?}");
}

/// A block and what is thrown at it, both free: every pair of shape and piece exchanges exactly what the other loses.
#[test]
fn a_free_block_and_a_thrown_body_keep_momentum_and_the_identity() {
    let solids = [
        SolidCase::Sphere { radius: 0.3 },
        SolidCase::Box { size: [0.5, 0.4, 0.3] },
        SolidCase::Capsule { radius: 0.1, length: 0.5 },
        SolidCase::Drum { radius: 0.25, length: 0.3, sides: 12 },
    ];
    for solid in solids {
        let body = BodyCase {
            rotation: [0.9, 0.3, -0.1, 0.3],
            velocity: [0.4, 0.2, -3.0],
            spin: [2.0, -3.0, 5.0],
            ..in_space("thrown", solid, 0.2, [0.05, -0.03, 0.33])
        };
        let mut body = body;
        let norm = body.rotation.iter().map(|q| q * q).sum::<f64>().sqrt();
        body.rotation = body.rotation.map(|q| q / norm);
        let system = meeting(block([4, 4, 2]).body(body), "top", "thrown", 0.4, 0.3);
        is_sound(&freely(&system, 150), 3);
    }
}

/// The same in the plane, where the body is a box, a disk or a polygon.
#[test]
fn a_free_plate_and_a_thrown_body_keep_momentum_and_the_identity() {
    let triangle = vec![[-0.2, -0.15], [0.25, -0.1], [0.0, 0.2]];
    let shapes = [
        BodyShape::Box { size: [0.4, 0.2] },
        BodyShape::Disk { radius: 0.15 },
        BodyShape::Polygon { vertices: triangle },
    ];
    for shape in shapes {
        let mesh = Mesh::rectangle_of([1.0, 0.4], [8, 3], ElementKind::Quadrangle4);
        let strain = Section::PlaneStrain { thickness: 1.0 };
        let body = BodyCase {
            angle: 0.3,
            velocity: [0.5, -3.0, 0.0],
            spin: [0.0, 0.0, 6.0],
            ..BodyCase::new("thrown", shape, 0.1, [0.43, 0.62, 0.0])
        };
        let system = System::new(mesh, Scheme::moreau_jean(0.5), 5e-4)
            .material("rubber", None, material(1e3, 0.3, strain))
            .body(body);
        is_sound(&freely(&meeting(system, "top", "thrown", 0.4, 0.3), 300), 3);
    }
}

/// Without elements nothing has a moment of its own: masses that hit a tumbling box and a compound.
#[test]
fn masses_against_tumbling_bodies_keep_linear_and_angular_momentum() {
    let corners = |lower: [f64; 3], upper: [f64; 3]| {
        let pick = |at: usize, i: usize| if at >> i & 1 == 0 { lower[i] } else { upper[i] };
        (0..8).map(|at| [0, 1, 2].map(|i| pick(at, i))).collect::<Vec<_>>()
    };
    let pieces =
        vec![corners([0.0, 0.0, 0.0], [1.0, 0.5, 0.5]), corners([0.0, 0.0, 0.5], [0.5, 0.5, 1.0])];
    let solids =
        [SolidCase::Box { size: [1.0, 0.8, 0.6] }, SolidCase::Compound { pieces: pieces.into() }];
    for solid in solids {
        let body = BodyCase {
            spin: [1.0, 2.0, -1.0],
            velocity: [0.0, 0.1, 0.3],
            ..in_space("tumbling", solid, 2.0, [0.0; 3])
        };
        let mut system = System::without_mesh(3, Scheme::moreau_jean(0.5), 2e-3).body(body);
        let places = [[0.1, 0.05, 1.0], [-0.2, 1.2, 0.1], [1.3, -0.1, 0.05], [0.1, -0.1, -1.1]];
        for (k, place) in places.into_iter().enumerate() {
            let name = format!("m{k}");
            let velocity = place.map(|x| -1.5 * x);
            system = system.mass(MassCase { velocity, ..MassCase::new(&name, 0.3, place) });
            system = meeting(system, &name, "tumbling", 0.5, 0.5);
        }
        is_sound(&freely(&system, 700), 3);
    }
}

/// A ball so heavy that nothing stops it is a rigid obstacle that moves: the block follows in the same digits.
#[test]
fn a_ball_of_endless_mass_is_a_moving_obstacle() {
    let (radius, velocity) = (0.4, [0.1, 0.05, -0.5]);
    let center = [0.02, 0.01, 0.401];
    let held = || block([6, 6, 3]).hold("bottom", Component::All);
    let ball =
        BodyCase { velocity, ..in_space("ball", SolidCase::Sphere { radius }, 1e17, center) };
    let mut pushed = meeting(held().body(ball), "top", "ball", 0.3, 0.0).march().unwrap();
    let along = Motion::Velocity { value: 1.0, time: TimeFunction::Constant };
    let translation = Some(Translation { direction: velocity, motion: along });
    let sphere = Shape::Sphere(Sphere { center, radius, inside: false });
    let obstacle = ObstacleCase {
        shape: ShapeCase::Known(sphere),
        motion: RigidMotion { translation, rotation: None },
    };
    let mut driven = held().contact("press", "top", obstacle, 0.3, 0.0).march().unwrap();
    let (mut most, mut off, mut force, mut closed) = (0.0f64, 0.0f64, 0.0f64, 0);
    for _ in 0..120 {
        assert!(pushed.step().solve.error <= 1e-10 && driven.step().solve.error <= 1e-10);
        for (a, b) in driven.state().q.iter().zip(&pushed.state().q) {
            (most, off) = (most.max(a.abs()), off.max((a - b).abs()));
        }
        let sum = |march: &March| march.contacts().impulse.iter().map(|p| p[0]).sum::<f64>();
        force = force.max((sum(&pushed) - sum(&driven)).abs() / sum(&driven).max(1e-4));
        closed = closed.max(driven.contacts().active.len());
    }
    // Solvers go on to 2e-14 of the impulses; what is left of the ball's answer is 1e-17.
    assert!(closed >= 4 && most > 0.03, "{closed} {most}");
    assert!(off < 1e-13 * most && force < 1e-12, "{off:e} {force:e}");
}

/// A box as wide as the block it stands on, so that edges meet edges: every node of the face carries, along the normal of
/// the face, and all of them the weight.
#[test]
fn a_rigid_box_rests_on_an_elastic_base_of_its_width() {
    let (mass, g, h) = (3.0, 9.81, 1e-3);
    let mesh = Mesh::rectangle_of([1.0, 0.5], [8, 4], ElementKind::Quadrangle4);
    let stress = Section::PlaneStress { thickness: 1.0 };
    // Critical for the box on the block: ω = √(E/(½ m)).
    let damped = Material { damping_stiffness: 0.02, ..material(1e4, 0.0, stress) };
    let body = BodyCase::new("box", BodyShape::Box { size: [1.0, 0.4] }, mass, [0.5, 0.7, 0.0]);
    let acceleration = [0.0, -g, 0.0];
    let system = System::new(mesh, Scheme::moreau_jean(1.0), h)
        .material("rubber", None, damped)
        .hold("bottom", Component::All)
        .load("weight", LoadKind::Gravity { acceleration, potential: true }, TimeFunction::Constant)
        .body(body);
    let mut march = meeting(system, "top", "box", 0.5, 0.0).march().unwrap();
    for _ in 0..1500 {
        assert!(march.step().solve.error <= 1e-10);
    }
    let contacts = march.contacts();
    assert_eq!(contacts.active.len(), 9, "every node carries");
    let carried: f64 = contacts.impulse.iter().map(|p| p[0]).sum();
    // The last of the settling: e^(−ωt) with ωt > 80.
    assert!((carried - mass * g * h).abs() < 1e-9 * carried, "{carried} of {}", mass * g * h);
    for frame in &contacts.frame {
        let n = frame.normal();
        assert!((n[1] + 1.0).abs() < 1e-9 && n[0].abs() < 1e-6, "{n:?}");
    }
    let fastest = march.state().v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(fastest < 1e-9, "{fastest:e}");
}

/// A mass strikes the end of a bar (Saint-Venant; Timoshenko and Goodier, Theory of Elasticity): until the wave is back at 2L/c
///
/// ```text
///     m v̇ = −ρ c A v          v = v₀ exp(−ρ c A t/m)
/// ```
///
/// At least of first order in the element: the last node is stopped at once.
#[test]
fn a_bar_struck_by_a_mass_slows_it_as_a_wave_does() {
    let (width, share, v0) = (0.05, 0.5, -0.1);
    let struck = |cells: usize| {
        let mesh = Mesh::rectangle_of([1.0, width], [cells, 1], ElementKind::Quadrangle4);
        let stress = Section::PlaneStress { thickness: 1.0 };
        let body = BodyCase {
            velocity: [v0, 0.0, 0.0],
            ..BodyCase::new(
                "hammer",
                BodyShape::Box { size: [0.2, 0.3] },
                share * width,
                [1.1, 0.5 * width, 0.0],
            )
        };
        let h = 0.5 / cells as f64;
        let system = System::new(mesh, Scheme::moreau_jean(0.5), h)
            .material("steel", None, material(1.0, 0.0, stress))
            .hold("left", Component::All)
            .body(body);
        let mut march = meeting(system, "right", "hammer", 0.0, 0.0).march().unwrap();
        let (node, mut worst) = (2 * (march.problem().rigid[0] as usize), 0.0f64);
        for step in 1..=(1.8 / h).round() as usize {
            assert!(march.step().solve.error <= 1e-10);
            assert!(march.ledger().balance().residual.abs() < 1e-15);
            let exact = v0 * (-(step as f64) * h / share).exp();
            if step as f64 * h > 0.2 {
                worst = worst.max((march.state().v[node] / exact - 1.0).abs());
            }
        }
        worst
    };
    let errors = [50, 100, 200].map(struck);
    assert!(errors[2] < 0.02, "{errors:?}");
    assert!(errors[0] / errors[1] > 1.7 && errors[1] / errors[2] > 1.7, "{errors:?}");
}

/// A table of bodies under one word: each node meets each of them, and the balls rest side by side.
#[test]
fn several_bodies_of_one_word_meet_the_same_nodes() {
    let ball = |name: &str, x: f64| {
        let body = in_space(name, SolidCase::Sphere { radius: 0.2 }, 0.05, [x, 0.0, 0.2001]);
        BodyCase { velocity: [0.0, 0.0, -0.2], ..body }
    };
    let system = block([6, 6, 2]).hold("bottom", Component::All);
    let system = system.body(ball("a", -1.0 / 3.0)).body(ball("b", 1.0 / 3.0));
    let mut march = meeting(system, "top", "bodies", 0.2, 0.0).march().unwrap();
    let nodes = 49;
    assert_eq!(march.problem().contacts.len(), 2 * nodes);
    let mut pushed = [false; 2];
    for _ in 0..20 {
        assert!(march.step().solve.error <= 1e-10);
        let impulses = march.contacts().impulse.chunks(nodes);
        for (own, impulses) in pushed.iter_mut().zip(impulses) {
            *own |= impulses.iter().any(|p| p[0] > 0.0);
        }
    }
    assert_eq!(pushed, [true; 2]);
    // Both balls are alike: a mirror at x = 0 changes nothing but the solver's last digits.
    let v = &march.state().v;
    let [a, b] = [0, 1].map(|k| 3 * march.problem().rigid[k] as usize);
    assert!((v[a + 2] - v[b + 2]).abs() < 1e-9 && (v[a] + v[b]).abs() < 1e-9, "{:?}", &v[a..b + 3]);
}

/// Gaps of round bodies to every kind of obstacle are those of geometry.
#[test]
fn balls_and_capsules_are_as_far_from_obstacles_as_they_are() {
    let gap = |solid: SolidCase, position: [f64; 3], shape: Shape| {
        let body = in_space("body", solid, 1.0, position);
        let system = System::without_mesh(3, Scheme::moreau_jean(0.5), 1e-3).body(body);
        let march = system.contact("wall", "body", shape, 0.0, 0.0).march().unwrap();
        let (problem, state) = (march.problem(), march.state());
        let gaps = (0..problem.contacts.len()).map(|c| problem.contact(c, state).gap);
        gaps.fold(f64::INFINITY, f64::min)
    };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let cuboid = |inside| Shape::Cuboid(Cuboid { center: [0.0; 3], half: [1.0; 3], axes, inside });
    let round = |radius, inside| Shape::Sphere(Sphere { center: [0.0; 3], radius, inside });
    let bore = |inside| {
        Shape::Cylinder(Cylinder {
            point: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            radius: 1.0,
            length: None,
            inside,
        })
    };
    let flat = || Shape::HalfPlane(HalfPlane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
    let ball = || SolidCase::Sphere { radius: 0.25 };
    let rod = || SolidCase::Capsule { radius: 0.25, length: 0.5 };
    let expected = [
        (ball(), [0.3, 0.4, 1.5], flat(), 1.25),
        (ball(), [4.0, 1.0, 5.0], cuboid(false), 4.75),
        (ball(), [0.3, 0.4, 0.5], cuboid(true), 0.25),
        (ball(), [0.0, 3.0, 4.0], round(2.0, false), 2.75),
        (ball(), [0.0, 0.3, 0.4], round(2.0, true), 1.25),
        (ball(), [3.0, 4.0, 7.0], bore(false), 3.75),
        (ball(), [0.3, 0.4, 7.0], bore(true), 0.25),
        (rod(), [0.3, 0.4, 1.5], flat(), 1.0),
        (rod(), [0.3, 0.4, 0.25], cuboid(true), 0.25),
        (rod(), [0.6, 0.0, 0.55], round(2.0, true), 0.75),
        (rod(), [0.3, 0.4, 7.0], bore(true), 0.25),
    ];
    for (solid, position, shape, exact) in expected {
        let found = gap(solid, position, shape.clone());
        // A few roundings of numbers up to 7.
        assert!((found - exact).abs() < 5e-15, "{position:?} {shape:?}: {found} for {exact}");
    }
}

/// Corners alone would miss a face on a ball: the pair is refused and the remedy named, and the remedy works.
#[test]
fn a_box_on_what_bulges_is_refused_and_rests_on_a_fixed_body() {
    let crate_ = || in_space("crate", SolidCase::Box { size: [1.0; 3] }, 1.0, [0.0, 0.0, 1.5]);
    let system = || System::without_mesh(3, Scheme::moreau_jean(0.5), 1e-3).body(crate_());
    let sphere = Shape::Sphere(Sphere { center: [0.0; 3], radius: 1.0, inside: false });
    let said = system().contact("hill", "crate", sphere, 0.5, 0.0).march().err().unwrap();
    let said = said.to_string();
    let (what, remedy) =
        ("a sphere can meet 'crate' between its corners", "shape = \"sphere\", fixed = true");
    assert!(said.contains("contact.hill.obstacle") && said.contains(what), "{said}");
    assert!(said.contains(remedy), "{said}");

    let still = delassus::case::RoleCase::Driven {
        velocity: [0.0; 3],
        spin: [0.0; 3],
        time: TimeFunction::Constant,
    };
    let hill = in_space("hill", SolidCase::Sphere { radius: 1.0 }, 1.0, [0.0; 3]);
    let mut system = system().body(BodyCase { role: still, ..hill }).load(
        "weight",
        LoadKind::Gravity { acceleration: [0.0, 0.0, -9.81], potential: true },
        TimeFunction::Constant,
    );
    let scheme = &system.case.scheme;
    let restitution = scheme.law.restitution(scheme.parameters.theta(), 0.0, 0.0);
    let pair = PairCase::Bodies([WordCase::Any, WordCase::Any]);
    let friction = Friction::from(0.5);
    system.case.contacts.push(ContactCase { name: "rest".into(), pair, friction, restitution });
    let mut march = system.march().unwrap();
    for _ in 0..10 {
        assert!(march.step().solve.error <= 1e-10);
        let carried: f64 = march.contacts().impulse.iter().map(|p| p[0]).sum();
        assert!((carried - 9.81e-3).abs() < 1e-12, "{carried}");
    }
}

/// A slab whose upper side has this height, of triangles over a grid of `n` × `n` cells between −1 and 1.
fn slab(n: usize, height: impl Fn(f64, f64) -> f64) -> Surface {
    let at = |i: usize| -1.0 + 2.0 * i as f64 / n as f64;
    let layers: [&dyn Fn(f64, f64) -> f64; 2] = [&height, &|_, _| -1.0];
    let mut points = Vec::new();
    for layer in layers {
        points.extend((0..=n).flat_map(|j| (0..=n).map(move |i| (i, j))).map(|(i, j)| {
            let (x, y) = (at(i), at(j));
            [x, y, layer(x, y)]
        }));
    }
    let id = |i: usize, j: usize, layer: usize| (layer * (n + 1).pow(2) + j * (n + 1) + i) as u32;
    let mut triangles = Vec::new();
    let mut quad = |a: u32, b: u32, c: u32, d: u32| triangles.extend([[a, b, c], [a, c, d]]);
    for j in 0..n {
        for i in 0..n {
            quad(id(i, j, 0), id(i + 1, j, 0), id(i + 1, j + 1, 0), id(i, j + 1, 0));
            quad(id(i, j, 1), id(i, j + 1, 1), id(i + 1, j + 1, 1), id(i + 1, j, 1));
        }
        quad(id(j, 0, 1), id(j + 1, 0, 1), id(j + 1, 0, 0), id(j, 0, 0));
        quad(id(j, n, 0), id(j + 1, n, 0), id(j + 1, n, 1), id(j, n, 1));
        quad(id(0, j, 0), id(0, j + 1, 0), id(0, j + 1, 1), id(0, j, 1));
        quad(id(n, j, 1), id(n, j + 1, 1), id(n, j + 1, 0), id(n, j, 0));
    }
    Surface::new(&points, &triangles, Surface::CREASE_ANGLE, false).unwrap()
}

/// Over the seams of a flat terrain bodies roll and slide as on a plane: no edge or corner of a triangle is felt.
#[test]
fn nothing_feels_the_seams_of_a_flat_terrain() {
    let solids = [
        (SolidCase::Sphere { radius: 0.1 }, 0.1),
        (SolidCase::Capsule { radius: 0.1, length: 0.2 }, 0.2),
        (SolidCase::Box { size: [0.2, 0.1, 0.1] }, 0.05),
    ];
    for (solid, height) in solids {
        let rolled = |y: f64, shape: Shape| {
            let body = BodyCase {
                velocity: [1.0, 0.2, 0.0],
                ..in_space("body", solid.clone(), 1.0, [-0.7, y, height])
            };
            let acceleration = [0.0, 0.0, -9.81];
            let system = System::without_mesh(3, Scheme::moreau_jean(0.5), 2e-3)
                .body(body)
                .contact("ground", "body", shape, 0.3, 0.0)
                .load(
                    "weight",
                    LoadKind::Gravity { acceleration, potential: true },
                    TimeFunction::Constant,
                );
            let mut march = system.march().unwrap();
            for _ in 0..400 {
                assert!(march.step().solve.error <= 1e-10);
            }
            let state = march.state();
            [&state.q[..], &state.v[..]].concat()
        };
        // Across the seams, and from a corner on along one.
        for y in [0.013, 0.0] {
            let plane = HalfPlane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
            let flat = rolled(y, Shape::HalfPlane(plane));
            let seamed = rolled(y, Shape::Surface(Box::new(slab(10, |_, _| 0.0))));
            let off = flat.iter().zip(&seamed).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            // The solver's tolerance over 400 steps; a ghost hit of a seam would show as 1e-3.
            assert!(off < 1e-9, "{solid:?} {y}: {off:e}");
        }
    }
}

/// What obstacles from files do not see of bodies with faces is told before the first step.
#[test]
fn faces_over_the_peaks_of_a_terrain_are_told_of() {
    let notices = |solid: SolidCase| {
        let body = in_space("stone", solid, 1.0, [0.0, 0.0, 2.0]);
        let shape = Shape::Surface(Box::new(slab(4, |x, y| 0.1 * (3.0 * x).sin() * y)));
        let system = System::without_mesh(3, Scheme::moreau_jean(0.5), 1e-3).body(body);
        let system = system.contact("ground", "stone", shape, 0.3, 0.0);
        let mesh = system.mesh().unwrap();
        Model::build(&system.case, &mesh).unwrap().notices.join("\n")
    };
    let said = notices(SolidCase::Box { size: [1.0; 3] });
    assert!(said.contains("sees the corners of 'stone'"), "{said}");
    assert_eq!(notices(SolidCase::Sphere { radius: 0.5 }), "");
}

/// Schemes that step no pairs of bodies say so.
#[test]
fn other_schemes_refuse_points_against_bodies() {
    let ball = in_space("ball", SolidCase::Sphere { radius: 0.2 }, 1.0, [0.0, 0.0, 0.3]);
    let mut system = meeting(block([2, 2, 1]).body(ball), "top", "ball", 0.1, 0.0);
    if let Scheme::MoreauJean { position_correction, .. } = &mut system.case.scheme.parameters {
        *position_correction = true;
    }
    let said = system.march().err().unwrap().to_string();
    assert!(said.contains("scheme.kind = \"moreau-jean\""), "{said}");
}

/// Names that mean nothing are told what there is.
#[test]
fn misspelt_points_and_bodies_are_told_what_there_is() {
    let ball = || in_space("ball", SolidCase::Sphere { radius: 0.2 }, 1.0, [0.0, 0.0, 0.3]);
    let said = |system: System| system.march().err().unwrap().to_string();
    let points = said(meeting(block([2, 2, 1]).body(ball()), "tpo", "ball", 0.1, 0.0));
    assert!(points.contains("no physical group 'tpo'") && points.contains("top"), "{points}");
    let volume = said(meeting(block([2, 2, 1]).body(ball()), "body", "ball", 0.1, 0.0));
    assert!(volume.contains("group 'body' is a volume; give the surface"), "{volume}");
    let mut system = meeting(block([2, 2, 1]).body(ball()), "top", "ball", 0.1, 0.0);
    system.case.contacts[0].pair = PairCase::Balls(["top".into(), "bal".into()]);
    let body = said(system);
    assert!(body.contains("'bal' is neither a mass nor a body"), "{body}");
    assert!(body.contains("did you mean 'ball'?"), "{body}");
}
