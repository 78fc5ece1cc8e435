//! Rigid bodies in space: exact solutions, the energy identity for finite rotations, momentum, piles.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed
#![allow(clippy::print_stdout)] // a numerical test prints what it found

mod cradle;
mod free;
mod impact;
mod plate;
mod rocking;
mod rolling;
mod stacks;
mod thrown;
mod tilting;

use delassus::case::{BodyCase, ContactCase, LoadKind, PairCase, SolidCase, WeightCase, WordCase};
use delassus::contact::obstacle::HalfPlane;
use delassus::energy::Term;
use delassus::model::System;
use delassus::step::{March, Scheme};
use delassus::time::TimeFunction;

const FLOOR: HalfPlane = HalfPlane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
const G: f64 = 9.81;

fn system(theta: f64, h: f64) -> System {
    System::without_mesh(3, Scheme::moreau_jean(theta), h)
}

/// Weight towards −z.
fn under_gravity(system: System) -> System {
    under_pull(system, [0.0, 0.0, -G])
}

fn under_pull(system: System, acceleration: [f64; 3]) -> System {
    let weight = LoadKind::Gravity { acceleration, potential: true };
    system.load("weight", weight, TimeFunction::Constant)
}

fn body(name: &str, solid: SolidCase, mass: f64, position: [f64; 3]) -> BodyCase {
    BodyCase::in_space(name, solid, WeightCase::Mass(mass), position)
}

/// All bodies obey one law among each other.
fn with_contact(mut system: System, friction: f64, e: f64) -> System {
    let scheme = &system.case.scheme;
    system.case.contacts.push(ContactCase {
        name: "joints".into(),
        pair: PairCase::Bodies([WordCase::Any, WordCase::Any]),
        friction: friction.into(),
        restitution: scheme.law.restitution(scheme.parameters.theta(), e, 0.0),
    });
    system
}

/// q and v of a body: place, less where it begins, rotation vector, velocity, ω in the principal axes.
fn of(march: &March, body: usize, bodies: usize) -> [[f64; 3]; 4] {
    let state = march.state();
    let at = |x: &[f64], first: usize| [x[first], x[first + 1], x[first + 2]];
    let (node, turn) = (3 * body, 3 * bodies + 3 * body);
    [at(&state.q, node), at(&state.q, turn), at(&state.v, node), at(&state.v, turn)]
}

/// The fastest component of any velocity.
fn fastest(march: &March) -> f64 {
    march.state().v.iter().fold(0.0f64, |most, v| most.max(v.abs()))
}

/// A march, and the worst that its steps have shown.
struct Watched {
    march: March,
    /// |residual| of the energy identity.
    residual: f64,
    /// Largest works of a contact.
    normal: f64,
    tangential: f64,
}

impl Watched {
    fn of(system: &System) -> Self {
        let march = system.march().unwrap();
        Self { march, residual: 0.0, normal: f64::MIN, tangential: f64::MIN }
    }

    fn step(&mut self) {
        let stepped = self.march.step();
        // The tolerance of the contact solver.
        assert!(stepped.solve.error <= 1e-10, "{stepped:?}");
        self.residual = self.residual.max(self.march.ledger().balance().residual.abs());
        for work in &self.march.contacts().work {
            self.normal = self.normal.max(work[Term::Normal]);
            self.tangential = self.tangential.max(work[Term::Tangential]);
        }
    }

    fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    /// The identity closes to roundings of energies up to `scale`, and no contact has done more work than the tolerance of
    /// the solver, 1e-10, leaves of it.
    fn hold_to_the_theorem(&self, scale: f64) {
        let Self { residual, normal, tangential, .. } = self;
        assert!(*residual <= 1e-14 * scale, "{residual:e} of {scale}");
        assert!(
            *normal <= 1e-10 * scale && *tangential <= 1e-10 * scale,
            "{normal:e} {tangential:e}"
        );
    }

    fn energy(&self) -> f64 {
        self.march.ledger().totals().total()
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// x, turned by the rotation vector φ.
fn rotated(phi: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let angle = (phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]).sqrt();
    if angle == 0.0 {
        return x;
    }
    let n = phi.map(|p| p / angle);
    let (across, along) = (cross(n, x), dot(n, x));
    let (sine, cosine) = angle.sin_cos();
    [0, 1, 2].map(|k| cosine * x[k] + sine * across[k] + (1.0 - cosine) * along * n[k])
}
