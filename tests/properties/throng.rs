//! Random scenes of a few rigid bodies thrown together on a floor, as case files, and as views of them.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::random::Random;
use crate::view::{PLAIN, Vector, View, cross, plus, times};

/// The shape of a body about one long; a reflection in x = 0 leaves all but corners as they are.
#[derive(Clone, Debug)]
pub enum Stone {
    Box(Vector),
    Ball(f64),
    /// Length and radius.
    Capsule(f64, f64),
    /// Half its sides, radius, length.
    Drum(u32, f64, f64),
    /// So many corners on an ellipsoid.
    Hull(usize, u64),
}

/// A body that is thrown.
#[derive(Clone, Debug)]
pub struct Thrown {
    pub stone: Stone,
    pub density: f64,
    /// Share of the way to its neighbours that it is off its place.
    pub aside: Vector,
    pub axis: Vector,
    pub angle: f64,
    pub velocity: Vector,
    pub spin: Vector,
}

/// A scene.
#[derive(Clone, Debug)]
pub struct Throng {
    pub flat: bool,
    pub bodies: Vec<Thrown>,
    /// From one place to the next.
    pub pitch: f64,
    pub gravity: f64,
    /// Friction and e among the bodies, and on the floor.
    pub laws: [[f64; 2]; 2],
    pub law: &'static str,
    /// From ½ (0) to 1/(1+e) (1).
    pub theta: f64,
    pub step: f64,
    pub steps: usize,
    pub decades: [f64; 3],
}

/// Few enough digits that a counter-example can be read.
fn share() -> impl Strategy<Value = f64> {
    (0..=100u32).prop_map(|n| f64::from(n) / 100.0)
}

fn signed(size: f64) -> impl Strategy<Value = f64> {
    (-100..=100i32).prop_map(move |n| size * f64::from(n) / 100.0)
}

fn vector(size: f64) -> impl Strategy<Value = Vector> {
    [signed(size), signed(size), signed(size)]
}

fn length() -> impl Strategy<Value = f64> {
    (20..=100u32).prop_map(|n| f64::from(n) / 100.0)
}

fn stone() -> impl Strategy<Value = Stone> {
    prop_oneof![
        3 => [length(), length(), length()].prop_map(Stone::Box),
        2 => length().prop_map(|d| Stone::Ball(0.5 * d)),
        1 => (length(), length()).prop_map(|(l, d)| Stone::Capsule(0.6 * l, 0.4 * d)),
        1 => (2..6u32, length(), length()).prop_map(|(n, d, l)| Stone::Drum(n, 0.5 * d, l)),
        2 => (4..12usize, any::<u64>()).prop_map(|(n, seed)| Stone::Hull(n, seed)),
    ]
}

fn thrown() -> impl Strategy<Value = Thrown> {
    let still = prop_oneof![1 => Just([0.0; 3]), 3 => vector(4.0)];
    let spin = prop_oneof![1 => Just([0.0; 3]), 2 => vector(6.0)];
    (stone(), length(), vector(1.0), vector(1.0), of(signed(3.1)), still, spin).prop_map(
        |(stone, density, aside, axis, angle, velocity, spin)| Thrown {
            stone,
            density,
            aside,
            axis,
            angle: angle.unwrap_or(0.0),
            velocity,
            spin,
        },
    )
}

/// Scenes with Frémond's law only, or with all of them; with friction or none.
pub fn throng(fremond: bool, friction: bool) -> impl Strategy<Value = Throng> {
    let laws = if fremond { vec!["fremond"] } else { vec!["fremond", "newton", "moreau"] };
    let coefficient =
        (prop_oneof![1 => Just(0.0), 3 => share()], prop_oneof![1 => Just(0.0), 3 => share()])
            .prop_map(move |(mu, e)| [if friction { 1.2 * mu } else { 0.0 }, e]);
    let scene = (any::<bool>(), vec(thrown(), 1..7), share(), share());
    let scheme = (select(laws), share(), length(), 20..120usize);
    (scene, [coefficient.clone(), coefficient], scheme, [signed(3.0), signed(3.0), signed(3.0)])
        .prop_map(|((flat, bodies, spread, weight), laws, (law, theta, step, steps), decades)| {
            Throng {
                flat,
                bodies,
                pitch: 1.0 + spread,
                gravity: 20.0 * weight,
                laws,
                law,
                theta,
                step: 0.02 * step * step,
                steps,
                decades,
            }
        })
}

type Quaternion = [f64; 4];

fn about(axis: Vector, angle: f64) -> Quaternion {
    let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if size == 0.0 {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let [x, y, z] = axis.map(|x| sine * x / size);
    [cosine, x, y, z]
}

fn product([a, x, y, z]: Quaternion, [b, u, v, w]: Quaternion) -> Quaternion {
    let (left, right) = ([x, y, z], [u, v, w]);
    let [i, j, k] = plus(plus(times(a, right), times(b, left)), cross(left, right));
    [a * b - (x * u + y * v + z * w), i, j, k]
}

impl Throng {
    /// The largest θ of the scheme that the theorem covers, and the share of it that is asked for.
    fn theta(&self) -> f64 {
        let e = self.laws[0][1].max(self.laws[1][1]);
        0.5 + self.theta * (1.0 / (1.0 + e) - 0.5)
    }

    pub fn units(&self) -> View {
        let [length, time, mass] = self.decades.map(|d| 10f64.powf(d));
        View { length, time, mass, ..PLAIN }
    }

    /// Where body `k` begins: on a lattice of three by three (by three) over the floor.
    fn place(&self, k: usize) -> Vector {
        let lattice = if self.flat { [k % 3, k / 3, 0] } else { [k % 3, k / 3 % 3, k / 9] };
        let own = &self.bodies[k];
        let [x, y, z] = [0, 1, 2]
            .map(|i| self.pitch * (lattice[i] as f64 + 0.3 * own.aside[i]) + 0.2 * i as f64);
        // Above the floor, whose top is at 0.
        if self.flat { [x, y + 0.8, 0.0] } else { [x, y, z + 1.0] }
    }

    /// The case as a view has it.
    pub fn case(&self, view: &View) -> String {
        let mut text = String::from("units = \"dimensionless\"\n\n");
        let numbers = view.places(self.bodies.len(), 5);
        for (k, &number) in numbers.iter().enumerate() {
            self.write_body(&mut text, k, number, view).expect("memory");
        }
        self.write_rest(&mut text, view).expect("memory");
        text
    }

    /// The name of body `k` in a view.
    pub fn name(&self, k: usize, view: &View) -> String {
        format!("b{}", view.places(self.bodies.len(), 5)[k])
    }

    fn vector(&self, x: Vector) -> String {
        if self.flat { format!("{:?}", [x[0], x[1]]) } else { format!("{x:?}") }
    }

    /// Turned as the view is, the body mirrored in its own x where the view is a mirror.
    fn rotation(&self, own: Quaternion, view: &View) -> Quaternion {
        let [w, x, y, z] = own;
        let own = if view.mirror { [w, x, -y, -z] } else { own };
        product(about(view.axis, view.angle), own)
    }

    fn write_body(
        &self,
        text: &mut String,
        k: usize,
        number: usize,
        view: &View,
    ) -> std::fmt::Result {
        let own = &self.bodies[k];
        let size = |x: f64| view.length * x;
        writeln!(text, "[body.b{number}]")?;
        match (&own.stone, self.flat) {
            (Stone::Box([a, b, _]), true) => {
                writeln!(text, "shape = \"box\"\nsize = {:?}", [size(*a), size(*b)])?;
            }
            (Stone::Box(edges), false) => {
                writeln!(text, "shape = \"box\"\nsize = {:?}", edges.map(size))?;
            }
            (Stone::Ball(radius), flat) => {
                let shape = if flat { "disk" } else { "sphere" };
                writeln!(text, "shape = \"{shape}\"\nradius = {:?}", size(*radius))?;
            }
            (Stone::Capsule(length, radius), false) => {
                let [length, radius] = [*length, *radius].map(size);
                writeln!(text, "shape = \"capsule\"\nlength = {length:?}\nradius = {radius:?}")?;
            }
            (Stone::Drum(half, radius, length), false) => {
                let [length, radius] = [*length, *radius].map(size);
                writeln!(text, "shape = \"drum\"\nsides = {}", 2 * half)?;
                writeln!(text, "length = {length:?}\nradius = {radius:?}")?;
            }
            // In the plane their place is taken by polygons.
            (Stone::Capsule(length, radius), true) | (Stone::Drum(_, radius, length), true) => {
                self.write_corners(
                    text,
                    &corners_around(4, (1e3 * (length + radius)) as u64),
                    view,
                )?;
            }
            (Stone::Hull(count, seed), true) => {
                self.write_corners(text, &corners_around(3 + count % 6, *seed), view)?;
            }
            (Stone::Hull(count, seed), false) => {
                self.write_corners(text, &corners_on_a_ball(*count, *seed), view)?;
            }
        }
        let unit = view.mass / view.length.powi(if self.flat { 2 } else { 3 });
        writeln!(text, "density = {:?}\nmaterial = \"stone\"", unit * own.density)?;
        writeln!(text, "position = {}", self.vector(view.point(self.place(k))))?;
        let velocity = view.vector(view.velocity(), own.velocity);
        if self.flat {
            writeln!(text, "angle = {:?}", view.angle + view.hand() * own.angle)?;
            writeln!(text, "spin = {:?}", view.hand() * own.spin[2] / view.time)?;
        } else {
            let turn = self.rotation(about(own.axis, own.angle), view);
            writeln!(text, "rotation = {turn:?}")?;
            let spin = times(1.0 / view.time, view.axial(own.spin));
            writeln!(text, "spin = {spin:?}")?;
        }
        writeln!(text, "velocity = {}\n", self.vector(velocity))
    }

    fn write_corners(
        &self,
        text: &mut String,
        corners: &[Vector],
        view: &View,
    ) -> std::fmt::Result {
        let shape = if self.flat { "polygon" } else { "polyhedron" };
        let own = |x: &Vector| times(view.length, [view.hand() * x[0], x[1], x[2]]);
        let corners: Vec<String> = corners.iter().map(|x| self.vector(own(x))).collect();
        writeln!(text, "shape = \"{shape}\"\nvertices = [{}]", corners.join(", "))
    }

    fn write_rest(&self, text: &mut String, view: &View) -> std::fmt::Result {
        let (down, middle, size) = match self.flat {
            true => ([0.0, -1.0, 0.0], [1.0, -0.5, 0.0], vec![30.0, 1.0]),
            false => ([0.0, 0.0, -1.0], [1.0, 1.0, -0.5], vec![30.0, 30.0, 1.0]),
        };
        let size: Vec<f64> = size.into_iter().map(|x| view.length * x).collect();
        writeln!(text, "[body.floor]\nshape = \"box\"\nsize = {size:?}\nfixed = true")?;
        writeln!(text, "material = \"ground\"\nposition = {}", self.vector(view.point(middle)))?;
        if self.flat {
            writeln!(text, "angle = {:?}", view.angle)?;
        } else {
            writeln!(text, "rotation = {:?}", self.rotation([1.0, 0.0, 0.0, 0.0], view))?;
        }
        let weight = view.vector(view.velocity() / view.time, times(self.gravity, down));
        writeln!(text, "\n[load.weight]\ngravity = {}", self.vector(weight))?;
        for (name, other, [mu, e]) in
            [("stones", "stone", self.laws[0]), ("ground", "ground", self.laws[1])]
        {
            writeln!(text, "\n[contact.{name}]\nbetween = [\"stone\", \"{other}\"]")?;
            writeln!(text, "friction = {mu:?}\nrestitution = {e:?}")?;
            if self.law == "moreau" {
                writeln!(text, "tangential_restitution = {:?}", 0.5 * e)?;
            }
        }
        let (step, end) = (view.time * self.step, view.time * self.step * self.steps as f64);
        writeln!(text, "\n[scheme]\nlaw = \"{}\"\ntheta = {:?}", self.law, self.theta())?;
        writeln!(text, "step = {step:?}\nend = {end:?}")?;
        // Scenes are drawn without regard to what stands where already.
        writeln!(text, "gap_tolerance = {:?}\nallow_overlaps = true", 1e-9 * view.length)?;
        if self.law != "fremond" {
            writeln!(text, "allow_energy_creation = true")?;
        }
        writeln!(
            text,
            "\n[solver]\non_failure = \"stop\"\ntolerance = 1e-11\nmax_iterations = 20000"
        )?;
        writeln!(text, "\n[output]\nhistory_every = 0\ntrajectory_every = 0")
    }
}

/// Corners on a circle of radius ½, counter-clockwise, their mean anywhere.
fn corners_around(count: usize, seed: u64) -> Vec<Vector> {
    let mut random = Random::new(seed);
    let corner = |i: usize| {
        let angle = std::f64::consts::TAU * (i as f64 + 0.35 * random.signed()) / count as f64;
        [0.5 * angle.cos(), 0.5 * angle.sin(), 0.0]
    };
    (0..count).map(corner).collect()
}

/// Corners on an ellipsoid: all of them corners of their hull.
fn corners_on_a_ball(count: usize, seed: u64) -> Vec<Vector> {
    let mut random = Random::new(seed);
    let axes = [0; 3].map(|_| 0.4 + 0.2 * random.signed());
    let golden = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    let corner = |i: usize| {
        let z = 1.0 - (2.0 * i as f64 + 1.0 + 0.6 * random.signed()) / count as f64;
        let (r, angle) = ((1.0 - z * z).max(0.0).sqrt(), golden * i as f64 + 0.3 * random.signed());
        [axes[0] * r * angle.cos(), axes[1] * r * angle.sin(), axes[2] * z]
    };
    (0..count).map(corner).collect()
}
