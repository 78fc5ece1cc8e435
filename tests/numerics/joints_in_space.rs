//! Joints between rigid bodies in space: closed forms, the mechanisms of the plane, and what they must keep to rounding.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::f64::consts::PI;

use delassus::case::{
    BodyCase, EndCase, JointCase, JointKindCase, LoadKind, SolidCase, WeightCase,
};
use delassus::contact::{Friction, Law};
use delassus::energy::Term;
use delassus::model::System;
use delassus::rigid::BodyShape;
use delassus::step::{March, Scheme};
use delassus::time::TimeFunction;

use crate::support::fitted_slope;

const G: f64 = 9.81;

fn in_space(theta: f64, h: f64) -> System {
    System::without_mesh(3, Scheme::moreau_jean(theta), h)
}

fn heavy(system: System, acceleration: [f64; 3]) -> System {
    let gravity = LoadKind::Gravity { acceleration, potential: true };
    system.load("weight", gravity, TimeFunction::Constant)
}

fn cuboid(name: &str, size: [f64; 3], mass: f64, position: [f64; 3]) -> BodyCase {
    BodyCase::in_space(name, SolidCase::Box { size }, WeightCase::Mass(mass), position)
}

fn joint(mut system: System, between: [&str; 2], kind: JointKindCase) -> System {
    let name = format!("{}-{}:{}", between[0], between[1], system.case.system.joints.len());
    let end = |name: &str| match name {
        "ground" => EndCase::Ground,
        name => EndCase::Named(name.into()),
    };
    system.case.system.joints.push(JointCase { name, between: between.map(end), kind });
    system
}

fn pin(at: [f64; 3]) -> JointKindCase {
    JointKindCase::Pin { at: Some(at) }
}

fn hinge(at: [f64; 3], axis: [f64; 3]) -> JointKindCase {
    JointKindCase::Hinge { at: Some(at), axis }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// exp φ x.
fn rotated(phi: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let angle = norm(phi);
    if angle == 0.0 {
        return x;
    }
    let n = phi.map(|p| p / angle);
    let (turned, along) = (cross(n, x), dot(n, x));
    let (sine, cosine) = angle.sin_cos();
    [0, 1, 2].map(|k| cosine * x[k] + sine * turned[k] + (1.0 - cosine) * along * n[k])
}

/// A body as a march has it, of a system of so many bodies that begin at `rest`.
struct Moving {
    /// Where its centre is.
    x: [f64; 3],
    phi: [f64; 3],
    v: [f64; 3],
    /// ω in the principal axes.
    own_spin: [f64; 3],
    mass: f64,
    inertia: [f64; 3],
}

impl Moving {
    fn of(march: &March, body: usize, rest: [f64; 3]) -> Self {
        let (state, problem) = (march.state(), march.problem());
        let node = 3 * problem.rigid[body] as usize;
        let turn = problem.operator.node_dofs() + 3 * body;
        let at = |x: &[f64], first: usize| [x[first], x[first + 1], x[first + 2]];
        let moved = at(&state.q, node);
        Self {
            x: [0, 1, 2].map(|k| rest[k] + moved[k]),
            phi: at(&state.q, turn),
            v: at(&state.v, node),
            own_spin: at(&state.v, turn),
            mass: problem.operator.diagonal(node).0,
            inertia: [0, 1, 2].map(|k| problem.operator.diagonal(turn + k).0),
        }
    }

    /// ω in space.
    fn spin(&self) -> [f64; 3] {
        rotated(self.phi, self.own_spin)
    }

    /// About the origin.
    fn angular_momentum(&self) -> [f64; 3] {
        let own = rotated(self.phi, [0, 1, 2].map(|k| self.inertia[k] * self.own_spin[k]));
        let moved = cross(self.x, self.v);
        [0, 1, 2].map(|k| own[k] + self.mass * moved[k])
    }

    /// Where a direction of space points that was `at_rest` where the body began with φ = `from`.
    fn turned(&self, from: [f64; 3], at_rest: [f64; 3]) -> [f64; 3] {
        rotated(self.phi, rotated(from.map(|p| -p), at_rest))
    }
}

/// What a march must keep in every step.
#[derive(Debug, Default)]
struct Kept {
    /// Largest residual of the identity.
    residual: f64,
    /// Largest φ of a joint.
    open: f64,
    /// Largest work of all joints in a step: all that is numerical where θ = ½.
    work: f64,
}

impl Kept {
    fn step(&mut self, march: &mut March) {
        let before = *march.ledger().totals();
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10, "{:?}", stepped.solve);
        self.residual = self.residual.max(march.ledger().balance().residual.abs());
        let numerical = march.ledger().totals()[Term::Numerical] - before[Term::Numerical];
        self.work = self.work.max(numerical.abs());
        self.open = self.open.max(opening(march));
    }
}

/// What so many steps of a few roundings, all to one side, make of a number of some size.
fn rounded(steps: usize, size: f64) -> f64 {
    8.0 * f64::EPSILON * steps as f64 * size
}

/// Largest |φ| of all joints.
fn opening(march: &March) -> f64 {
    let joints = march.problem().contacts.joints.iter();
    let values = joints.flat_map(|joint| joint.value(3, &march.state().q));
    values.fold(0.0, |most: f64, phi| most.max(phi.abs()))
}

/// A quarter of the period of ϑ̈ = −p² sin ϑ that swings up to ϑ₀, by the mean of Gauss.
fn quarter(p: f64, top: f64) -> f64 {
    let (mut a, mut b) = (1.0, f64::cos(0.5 * top));
    (0..8).for_each(|_| (a, b) = (0.5 * (a + b), f64::sqrt(a * b)));
    PI / (2.0 * a) / p
}

/// When `speed` changes sign: it does so evenly.
fn first_stop(march: &mut March, h: f64, speed: impl Fn(&March) -> f64) -> f64 {
    let mut before = speed(march);
    for step in 0..1_000_000 {
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10, "{:?}", stepped.solve);
        let now = speed(march);
        if before * now <= 0.0 {
            return h * (f64::from(step) + before / (before - now));
        }
        before = now;
    }
    panic!("it never stops");
}

/// ϑ₀ up to which a pendulum swings that passes its lowest place at angular velocity ω.
fn top(p: f64, omega: f64) -> f64 {
    2.0 * (0.5 * omega / p).asin()
}

/// A ball on a pin whose centre goes round at Ω² = g/(L cos ϑ), which is exact for any ball that turns with it: what
/// gravity and pin do not change stays to rounding, and the place is of second order.
#[test]
fn a_spherical_pendulum_goes_round_evenly_and_keeps_height_energy_and_momentum() {
    let (length, tilt, mass) = (1.2, 0.7f64, 0.8);
    let rate = (G / (length * tilt.cos())).sqrt();
    let start = [length * tilt.sin(), 0.0, -length * tilt.cos()];
    let off = |h: f64| {
        let ball = BodyCase {
            velocity: [0.0, rate * start[0], 0.0],
            spin: [0.0, 0.0, rate],
            ..BodyCase::in_space(
                "bob",
                SolidCase::Sphere { radius: 0.3 },
                WeightCase::Mass(mass),
                start,
            )
        };
        let system = heavy(in_space(0.5, h).body(ball), [0.0, 0.0, -G]);
        let mut march = joint(system, ["bob", "ground"], pin([0.0; 3])).march().unwrap();
        let (energy, momentum) =
            (march.ledger().totals().total(), Moving::of(&march, 0, start).angular_momentum()[2]);
        let mut kept = Kept::default();
        let steps = (2.0 / h).round() as usize;
        for _ in 0..steps {
            kept.step(&mut march);
        }
        let bob = Moving::of(&march, 0, start);
        let angle = rate * h * steps as f64;
        let exact = [start[0] * angle.cos(), start[0] * angle.sin(), start[2]];
        let drift = (march.ledger().totals().total() - energy).abs();
        let turned = (bob.angular_momentum()[2] - momentum).abs();
        println!("{h}: {kept:?}, energy {drift:e}, momentum {turned:e}");
        // Of 10 J and 2 Nms.
        assert!(drift < rounded(steps, 10.0), "{drift:e}");
        assert!(turned < rounded(steps, 2.0), "{turned:e}");
        assert!(kept.open < 1e-14 && kept.residual < 1e-13 && kept.work < 1e-14, "{kept:?}");
        assert!((norm(bob.x) - length).abs() < 1e-14);
        norm(minus(bob.x, exact))
    };
    let sizes = [0.02, 0.01, 0.005];
    let errors = sizes.map(off);
    let slope = fitted_slope(&sizes, &errors);
    println!("{errors:?}: order {slope:.3}");
    assert!((slope - 2.0).abs() < 0.02, "{slope} {errors:?}");
}

const BLADE: [f64; 3] = [0.3, 0.1, 1.0];

/// A box on a hinge about y, half its height above its centre.
fn blade(h: f64, omega: f64) -> March {
    let centre = [0.0, 0.0, -0.5];
    let velocity = cross([0.0, omega, 0.0], centre);
    let body =
        BodyCase { velocity, spin: [0.0, omega, 0.0], ..cuboid("blade", BLADE, 2.0, centre) };
    let system = heavy(in_space(0.5, h).body(body), [0.0, 0.0, -G]);
    joint(system, ["blade", "ground"], hinge([0.0; 3], Y)).march().unwrap()
}

/// The same box in the plane, where z is y and it turns the other way round.
fn blade_in_plane(h: f64, omega: f64) -> March {
    let shape = BodyShape::Box { size: [BLADE[0], BLADE[2]] };
    let spin = [0.0, 0.0, -omega];
    let centre = [0.0, -0.5, 0.0];
    let body = BodyCase {
        velocity: cross(spin, centre),
        spin,
        ..BodyCase::new("blade", shape, 2.0, centre)
    };
    let system = System::without_mesh(2, Scheme::moreau_jean(0.5), h).body(body);
    let system = heavy(system, [0.0, -G, 0.0]);
    joint(system, ["blade", "ground"], pin([0.0; 3])).march().unwrap()
}

/// Period 4K(sin ½ϑ₀)/p with p² = mgd/I. In the plane a step turns by hω, in space by 2 atan ½hω: the two come to each
/// other as h² does.
#[test]
fn a_compound_pendulum_on_a_hinge_has_the_period_of_the_elliptic_integral_and_that_of_the_plane() {
    let omega = 4.0;
    let inertia = (BLADE[0] * BLADE[0] + BLADE[2] * BLADE[2]) / 12.0 + 0.25;
    let p = (G * 0.5 / inertia).sqrt();
    let exact = quarter(p, top(p, omega));
    let sizes = [0.02, 0.01, 0.005, 0.0025];
    let of = |h: f64| {
        let found = first_stop(&mut blade(h, omega), h, |march| {
            dot(Moving::of(march, 0, [0.0; 3]).spin(), Y)
        });
        let plane = first_stop(&mut blade_in_plane(h, omega), h, |march| march.state().v[2]);
        println!("{h}: {found} in space, {plane} in the plane, {exact}");
        ((found - exact).abs(), (found - plane).abs())
    };
    let (errors, apart): (Vec<f64>, Vec<f64>) = sizes.into_iter().map(of).unzip();
    let slope = fitted_slope(&sizes, &errors);
    println!("order {slope}, {errors:?}, apart {apart:?}");
    assert!((slope - 2.0).abs() < 0.02 && errors[3] < 5e-6, "{slope}: {errors:?}");
    // The speed of the plane is not quite even where it changes sign: 0.25 h² was the most.
    let within = |(h, apart): (f64, &f64)| *apart < 0.4 * h * h;
    assert!(sizes.into_iter().zip(&apart).all(within), "{apart:?}");
}

/// Two boxes on hinges about y: its place after one unit of time is that of the plane's double pendulum, which is stepped
/// with angles, to second order; energy stays where the joints do no work.
#[test]
fn a_double_pendulum_moves_as_that_of_the_plane() {
    let size = [1.0, 0.2, 0.2];
    let centres = [[0.5, 0.0, 0.0], [1.5, 0.0, 0.0]];
    let apart = |h: f64| {
        let steps = (1.0 / h).round() as usize;
        let mut system = heavy(in_space(0.5, h), [0.0, 0.0, -G]);
        for (name, centre) in ["upper", "lower"].into_iter().zip(centres) {
            system = system.body(cuboid(name, size, 1.0, centre));
        }
        let system = joint(system, ["upper", "ground"], hinge([0.0; 3], Y));
        let mut march = joint(system, ["lower", "upper"], hinge(X, Y)).march().unwrap();
        let mut kept = Kept::default();
        (0..steps).for_each(|_| kept.step(&mut march));
        // 1 kg, 10 m/s², lengths of 1 m: a few roundings of 20 J.
        assert!(kept.open < 1e-14 && kept.residual < 1e-13 && kept.work < 1e-13, "{kept:?}");
        let found = Moving::of(&march, 1, centres[1]).x;

        let shape = BodyShape::Box { size: [size[0], size[2]] };
        let mut plane = System::without_mesh(2, Scheme::moreau_jean(0.5), h);
        for (name, centre) in ["upper", "lower"].into_iter().zip(centres) {
            plane = plane.body(BodyCase::new(name, shape.clone(), 1.0, centre));
        }
        let plane = joint(heavy(plane, [0.0, -G, 0.0]), ["upper", "ground"], pin([0.0; 3]));
        let mut plane = joint(plane, ["lower", "upper"], pin(X)).march().unwrap();
        for _ in 0..steps {
            let _ = plane.step();
        }
        let q = &plane.state().q;
        norm(minus(found, [centres[1][0] + q[2], 0.0, q[3]]))
    };
    let sizes = [0.01, 0.005, 0.0025];
    let errors = sizes.map(apart);
    let slope = fitted_slope(&sizes, &errors);
    println!("{errors:?}: order {slope:.3}");
    assert!((slope - 2.0).abs() < 0.1 && errors[2] < 2e-3, "{slope} {errors:?}");
}

/// s = ½ g sin α t², to the last digits: a parabola is what the mean of a step is exact for. The box slides on a rail beside
/// its centre, which its slider keeps from turning; in the plane and in space.
#[test]
fn a_box_slides_down_a_rail_by_half_g_t_squared_and_does_not_turn() {
    let (h, steps, tilt) = (0.01, 100, 0.6f64);
    let axis = [tilt.cos(), 0.0, -tilt.sin()];
    let system = in_space(0.5, h).body(cuboid("cart", [0.4, 0.3, 0.2], 3.0, [0.0; 3]));
    let kind = JointKindCase::Slider { at: Some([0.1, 0.15, -0.1]), axis };
    let system = heavy(system, [0.0, 0.0, -G]);
    let mut march = joint(system, ["cart", "ground"], kind).march().unwrap();
    let mut kept = Kept::default();
    (0..steps).for_each(|_| kept.step(&mut march));
    let cart = Moving::of(&march, 0, [0.0; 3]);
    let way = 0.5 * G * tilt.sin();
    println!("{kept:?} {:?}", cart.x);
    // A hundred steps of a few roundings of 3 m.
    assert!(norm(minus(cart.x, axis.map(|n| way * n))) < 1e-13, "{:?}", cart.x);
    let first = Moving::of(&blade(h, 0.0), 0, [0.0; 3]);
    assert!(norm(cart.spin()) < 1e-13 && norm(first.spin()) == 0.0, "{:?}", cart.spin());
    assert!(kept.open < 1e-14 && kept.residual < 1e-12 && kept.work < 1e-13, "{kept:?}");

    let shape = BodyShape::Box { size: [0.4, 0.2] };
    let plane = System::without_mesh(2, Scheme::moreau_jean(0.5), h);
    let plane = heavy(plane.body(BodyCase::new("cart", shape, 3.0, [0.0; 3])), [0.0, -G, 0.0]);
    let axis = [axis[0], axis[2], 0.0];
    let kind = JointKindCase::Slider { at: Some([0.1, -0.1, 0.0]), axis };
    let mut plane = joint(plane, ["cart", "ground"], kind).march().unwrap();
    for _ in 0..steps {
        let _ = plane.step();
    }
    let q = &plane.state().q;
    assert!((q[0] - way * axis[0]).abs() < 1e-13 && (q[1] - way * axis[1]).abs() < 1e-13, "{q:?}");
    assert!(q[2].abs() < 1e-14, "{}", q[2]);
}

/// Two welded boxes tumble as the box that they are together, with its inertia: the parts of the weld have a mass and an
/// inertia in a step that are off by h² from those of the whole.
#[test]
fn welded_boxes_tumble_as_the_one_box_that_they_make() {
    let (spin, half) = ([0.3, 2.0, 0.1], [0.0, 0.25, 0.0]);
    let apart = |h: f64| {
        let steps = (2.0 / h).round() as usize;
        let mut system = in_space(0.5, h);
        let centres = [half, half.map(|x| -x)];
        for (name, centre) in ["left", "right"].into_iter().zip(centres) {
            let part = cuboid(name, [0.2, 0.5, 0.8], 1.5, centre);
            system = system.body(BodyCase { velocity: cross(spin, centre), spin, ..part });
        }
        let kind = JointKindCase::Weld { at: None };
        let mut march = joint(system, ["left", "right"], kind).march().unwrap();
        let whole = cuboid("whole", [0.2, 1.0, 0.8], 3.0, [0.0; 3]);
        let mut one = in_space(0.5, h).body(BodyCase { spin, ..whole }).march().unwrap();
        let rest = [0, 1].map(|body| Moving::of(&march, body, centres[body]).phi);
        let rest_of_one = Moving::of(&one, 0, [0.0; 3]).phi;
        let mut kept = Kept::default();
        for _ in 0..steps {
            kept.step(&mut march);
            let _ = one.step();
        }
        assert!(kept.open < 1e-14 && kept.residual < 1e-14 && kept.work < 1e-14, "{kept:?}");
        let parts = [0, 1].map(|body| Moving::of(&march, body, centres[body]));
        let one = Moving::of(&one, 0, [0.0; 3]);
        let direction = |k: usize| parts[k].turned(rest[k], [0.6, 0.0, 0.8]);
        // The parts turn alike to rounding.
        assert!(norm(minus(direction(0), direction(1))) < 1e-13);
        let place = one.turned(rest_of_one, half);
        let turned = norm(minus(direction(0), one.turned(rest_of_one, [0.6, 0.0, 0.8])));
        norm(minus(parts[0].x, place)).max(turned)
    };
    let sizes = [0.02, 0.01, 0.005];
    let errors = sizes.map(apart);
    let slope = fitted_slope(&sizes, &errors);
    println!("{errors:?}: order {slope:.3}");
    assert!((slope - 2.0).abs() < 0.1 && errors[2] < 1e-3, "{slope} {errors:?}");
}

/// A parallelogram of two cranks and a rod on four hinges, of whose twenty equations for eighteen dofs three are said twice:
/// I = 2 (1/3 + w²/12) m L² + M L², p² = (m + M) g L/I.
#[test]
fn a_four_bar_with_redundant_hinges_swings_with_its_period() {
    let (length, width, crank, rod, omega) = (1.0, 0.1, 0.7, 1.1, 3.0);
    let centres = [[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.0, 0.0, -1.0]];
    let build = |h: f64| {
        let spin = [0.0, omega, 0.0];
        let mut system = heavy(in_space(0.5, h), [0.0, 0.0, -G]);
        for (name, centre) in ["left", "right"].into_iter().zip(centres) {
            let body = cuboid(name, [width, width, length], crank, centre);
            let velocity = cross(spin, [0.0, 0.0, -0.5]);
            system = system.body(BodyCase { velocity, spin, ..body });
        }
        let body = cuboid("rod", [length, width, width], rod, centres[2]);
        let velocity = cross(spin, [0.0, 0.0, -1.0]);
        let mut system = system.body(BodyCase { velocity, ..body });
        for (name, x) in [("left", -0.5), ("right", 0.5)] {
            system = joint(system, [name, "ground"], hinge([x, 0.0, 0.0], Y));
            system = joint(system, [name, "rod"], hinge([x, 0.0, -1.0], Y));
        }
        system.march().unwrap()
    };
    let inertia = 2.0 * crank * (1.0 / 3.0 + width * width / 12.0) + rod;
    let p = ((crank + rod) * G / inertia).sqrt();
    let exact = quarter(p, top(p, omega));
    let sizes = [0.02, 0.01, 0.005];
    let errors = sizes.map(|h| {
        let mut march = build(h);
        let speed = |march: &March| dot(Moving::of(march, 0, [0.0; 3]).spin(), Y);
        let found = first_stop(&mut march, h, speed);
        let mut kept = Kept::default();
        (0..100).for_each(|_| kept.step(&mut march));
        println!("{h}: {found} {exact} {kept:?}");
        // What is left out by its pivot holds as the others do but for the rounding of the elimination.
        assert!(kept.open < 1e-13 && kept.residual < 1e-13 && kept.work < 1e-13, "{kept:?}");
        (found - exact).abs()
    });
    let slope = fitted_slope(&sizes, &errors);
    println!("{errors:?}: order {slope:.3}");
    assert!((slope - 2.0).abs() < 0.05, "{slope} {errors:?}");
}

/// A square prism that spins on its tip: A Ω² cos ϑ − C ω₃ Ω + m g d = 0 is precession without nutation. Both the rate and
/// the angle are of second order.
#[test]
fn a_top_precesses_steadily_at_the_rate_without_nutation() {
    let (mass, distance, tilt, rate) = (1.3, 0.4, 0.5f64, 2.0);
    let size = [0.5, 0.5, 0.1];
    let transverse =
        mass * (size[0] * size[0] + size[2] * size[2]) / 12.0 + mass * distance * distance;
    let axial = mass * size[0] * size[0] / 6.0;
    let about = (transverse * rate * rate * tilt.cos() + mass * G * distance) / (axial * rate);
    let axis = [tilt.sin(), 0.0, tilt.cos()];
    let centre = axis.map(|n| distance * n);
    let own = about - rate * tilt.cos();
    let spin = [own * axis[0], 0.0, rate + own * axis[2]];
    let sizes = [4e-3, 2e-3, 1e-3];
    let errors = sizes.map(|h| {
        let body = BodyCase {
            rotation: [(0.5 * tilt).cos(), 0.0, (0.5 * tilt).sin(), 0.0],
            velocity: cross(spin, centre),
            spin,
            ..cuboid("top", size, mass, centre)
        };
        let system = heavy(in_space(0.5, h).body(body), [0.0, 0.0, -G]);
        let mut march = joint(system, ["top", "ground"], pin([0.0; 3])).march().unwrap();
        let momentum = Moving::of(&march, 0, centre).angular_momentum()[2];
        let energy = march.ledger().totals().total();
        let (mut kept, mut nutation) = (Kept::default(), 0.0f64);
        let steps = (1.0 / h).round() as usize;
        for _ in 0..steps {
            kept.step(&mut march);
            let x = Moving::of(&march, 0, centre).x;
            nutation = nutation.max((x[2] / distance - tilt.cos()).abs());
        }
        let top = Moving::of(&march, 0, centre);
        let angle = top.x[1].atan2(top.x[0]);
        let turned = (top.angular_momentum()[2] - momentum).abs();
        let drift = (march.ledger().totals().total() - energy).abs();
        println!(
            "{h}: angle {angle} of {rate}, nutation {nutation:e}, {kept:?} {turned:e} {drift:e}"
        );
        // ½Cω₃² is 81 J, Cω₃ 3 Nms.
        assert!(turned < rounded(steps, 3.0), "{turned:e}");
        assert!(drift < rounded(steps, 81.0), "{drift:e}");
        assert!(kept.open < 1e-14 && kept.residual < 1e-12 && kept.work < 1e-12, "{kept:?}");
        ((angle - rate).abs(), nutation)
    });
    let (angles, nutations): (Vec<f64>, Vec<f64>) = errors.into_iter().unzip();
    let slopes = [&angles, &nutations].map(|errors| fitted_slope(&sizes, errors));
    println!("{angles:?} {nutations:?}: orders {slopes:?}");
    slopes.iter().for_each(|slope| assert!((slope - 2.0).abs() < 0.1, "{slopes:?}"));
}

/// Twenty boxes on pins that fall from the horizontal.
#[test]
fn a_chain_of_twenty_falls_and_keeps_its_links_and_its_energy() {
    let h = 2e-3;
    let mut system = heavy(in_space(0.5, h), [0.0, 0.0, -G]);
    let name = |k: usize| format!("link{k:02}");
    for k in 0..20 {
        let link = cuboid(&name(k), [0.1, 0.04, 0.02], 0.05, [0.1 * k as f64 + 0.05, 0.0, 0.0]);
        system = system.body(link);
        let before = if k == 0 { "ground".into() } else { name(k - 1) };
        // Beside the axis, so that links turn about all of theirs.
        let at = [0.1 * k as f64, 0.01, 0.0];
        system = joint(system, [&name(k), &before], pin(at));
    }
    let mut march = system.march().unwrap();
    let energy = march.ledger().totals().total();
    let mut kept = Kept::default();
    for _ in 0..300 {
        kept.step(&mut march);
    }
    let drift = (march.ledger().totals().total() - energy).abs();
    println!("{kept:?}, energy {drift:e}");
    // 1 kg that falls by 1 m: 300 steps of a few roundings of 10 J; places are of 2 m.
    assert!(kept.open < 1e-12 && kept.residual < 1e-12 && kept.work < 1e-12, "{kept:?}");
    assert!(drift < 1e-11, "{drift:e}");
}

/// A ball hits a door on two hinges, one of which is redundant, at b from their axis: P = (1 + e) v/(1/m + b²/I), where I
/// is about that axis.
#[test]
fn a_door_on_hinges_is_hit_by_a_ball() {
    let (mass, width, thickness, e, speed, b) = (8.0, 1.0, 0.05, 0.5, 3.0, 0.7);
    let (ball, radius) = (0.6, 0.1);
    let hit = |h: f64| {
        let door = cuboid("door", [width, thickness, 2.0], mass, [0.5 * width, 0.0, 1.0]);
        let shape = SolidCase::Sphere { radius };
        // It comes to touch in the middle of a step.
        let away = 0.5 * thickness + radius + speed * (20.5 * h);
        let from = [b, -away, 1.2];
        let body = BodyCase {
            velocity: [0.0, speed, 0.0],
            ..BodyCase::in_space("ball", shape, WeightCase::Mass(ball), from)
        };
        let mut system = in_space(0.5, h).body(door).body(body);
        for z in [0.3, 1.7] {
            system = joint(system, ["door", "ground"], hinge([0.0, 0.0, z], Z));
        }
        let restitution = Law::Fremond.restitution(0.5, e, 0.0);
        system.case.contacts.push(delassus::case::ContactCase {
            name: "clash".into(),
            pair: delassus::case::PairCase::Bodies([
                delassus::case::WordCase::Any,
                delassus::case::WordCase::Any,
            ]),
            friction: Friction::from(0.0),
            restitution,
        });
        let mut march = system.march().unwrap();
        let mut kept = Kept::default();
        let (mut least, mut most) = (0.0f64, 0.0f64);
        for _ in 0..40 {
            kept.step(&mut march);
            for work in &march.contacts().work {
                least = least.min(work[Term::Normal]);
                most = most.max(work[Term::Normal]);
            }
        }
        println!("{h}: {kept:?} {least:e} {most:e}");
        assert!(kept.open < 1e-13 && kept.residual < 1e-13, "{kept:?}");
        // ¼(1 − e)·2 J or so are lost; a rounding of them is found.
        assert!(least < -0.1 && most < 1e-15, "{least:e} {most:e}");
        let inertia = mass * (width * width + thickness * thickness) / 12.0 + 0.25 * mass;
        let impulse = (1.0 + e) * speed / (1.0 / ball + b * b / inertia);
        let (door, ball_after) = (Moving::of(&march, 0, [0.0; 3]), Moving::of(&march, 1, from));
        let off = (dot(door.spin(), Z) - b * impulse / inertia).abs();
        off.max((ball_after.v[1] - speed + impulse / ball).abs())
    };
    // The levers are those of the middle of a step in which the door begins to turn.
    let errors = [1e-3, 1e-4].map(hit);
    println!("{errors:?}");
    assert!(errors[1] < 1e-3 && errors[1] < 0.2 * errors[0], "{errors:?}");
}

/// Two boxes that tumble freely: momentum of both kinds stays for every joint, and θ = 0.6 takes energy that the identity
/// knows of.
#[test]
fn a_free_pair_keeps_its_momentum_whatever_joins_it() {
    let centres = [[0.0, 0.0, 0.0], [0.9, 0.2, -0.1]];
    let between = [0.5, 0.1, 0.0];
    let kinds = [
        pin(between),
        hinge(between, [0.3, -0.5, 0.8]),
        JointKindCase::Slider { at: Some(between), axis: [0.6, 0.0, 0.8] },
        JointKindCase::Weld { at: Some(between) },
        JointKindCase::Bar { from: Some([0.1, 0.2, 0.3]), to: Some([0.8, -0.1, 0.0]) },
    ];
    for kind in kinds {
        for theta in [0.5, 0.6] {
            let h = 5e-3;
            let spin = [1.0, -2.0, 3.0];
            let mut system = in_space(theta, h);
            let sizes = [[0.4, 0.6, 0.8], [0.7, 0.3, 0.5]];
            for (k, name) in ["first", "second"].into_iter().enumerate() {
                let body = cuboid(name, sizes[k], 1.0 + k as f64, centres[k]);
                let velocity = cross(spin, centres[k]);
                let velocity = [velocity[0] + 0.3, velocity[1], velocity[2] - 0.2];
                system = system.body(BodyCase { velocity, spin, ..body });
            }
            // A velocity that the joint leaves free, so that the two move against each other.
            let mut march = joint(system, ["first", "second"], kind.clone()).march().unwrap();
            let momentum = |march: &March| {
                let own =
                    [0, 1].map(|body| Moving::of(march, body, centres[body]).angular_momentum());
                [0, 1, 2].map(|k| own[0][k] + own[1][k])
            };
            let (start, energy) = (momentum(&march), march.ledger().totals().total());
            let parts = [0, 1].map(|body| Moving::of(&march, body, centres[body]));
            let size: f64 = parts.iter().map(|part| norm(part.angular_momentum())).sum();
            let (mut kept, mut worst) = (Kept::default(), 0.0f64);
            for _ in 0..1000 {
                kept.step(&mut march);
                worst = worst.max(norm(minus(momentum(&march), start)));
            }
            let lost = energy - march.ledger().totals().total();
            println!(
                "{kind:?} {theta}: {kept:?}, momentum {worst:e} of {size}, lost {lost:e} of {energy}"
            );
            assert!(kept.open < 1e-12 && kept.residual < 1e-13, "{kind:?} {theta}: {kept:?}");
            match theta {
                0.5 => {
                    assert!(worst < rounded(1000, size), "{kind:?}: {worst:e} of {size}");
                    assert!(lost.abs() < rounded(1000, energy), "{kind:?}: {lost:e} of {energy}");
                    assert!(kept.work < 1e-13, "{kind:?}: {kept:?}");
                }
                _ => assert!(lost > 1e-6, "{kind:?}: {lost:e}"),
            }
        }
    }
}

/// Three flaps that lie on the floor, each on a hinge of its own: W has the blocks of each by itself, and the
/// impulses carry half of the weight, the hinges the rest.
#[test]
fn contacts_of_mechanisms_that_do_not_meet_do_not_couple() {
    let (h, mass) = (1e-3, 2.0);
    let mut system = heavy(in_space(0.5, h), [0.0, 0.0, -G]);
    let floor = delassus::contact::obstacle::HalfPlane { point: [0.0; 3], normal: Z };
    for k in 0..3 {
        let (name, y) = (format!("flap{k}"), 2.0 * f64::from(k));
        system = system.body(cuboid(&name, [1.0, 1.0, 0.1], mass, [0.0, y, 0.05]));
        system = joint(system, [&name, "ground"], hinge([-0.5, y, 0.05], Y));
        system = system.contact(&format!("floor{k}"), &name, floor.clone(), 0.0, 0.0);
    }
    let mut march = system.march().unwrap();
    for _ in 0..5 {
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10, "{:?}", stepped.solve);
    }
    let contacts = march.contacts();
    assert_eq!(contacts.active.len(), 12);
    assert_eq!(march.cone_problem().w.blocks().block_count(), 3 * 16);
    // About a hinge half a metre from the centre, and one from the outer corners.
    let moments = contacts.impulse.iter().zip(&march.problem().contacts.candidates);
    let moments = moments.map(|(p, candidate)| p[0] * (candidate.grip.point()[0] + 0.5));
    let sum: f64 = moments.sum();
    assert!((sum - 3.0 * 0.5 * mass * G * h).abs() < 1e-12, "{sum}");
    assert!(march.state().v.iter().all(|v| v.abs() < 1e-13));
}
