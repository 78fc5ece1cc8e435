//! A random problem, in units where the body is about one long, fast and dense.

use delassus::contact::ActivationRule;
use std::fmt;

use delassus::mesh::Mesh;

use crate::matter::{Matter, msh};
use crate::view::{PLAIN, Vector, View};
use crate::writer::Writer;

/// A time function; instants are shares of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    Constant,
    Step(f64),
    Ramp(f64, f64),
    Sine(f64, f64),
    Square(f64),
    Table(f64, f64),
}

#[derive(Clone, Copy, Debug)]
pub enum Hold {
    Free,
    Still,
    Roller,
    /// With that velocity.
    Moved(Vector, Course),
    /// By that displacement, which must not jump.
    Shaken(Vector, Course),
}

#[derive(Clone, Copy, Debug)]
pub enum Pull {
    Traction(Vector),
    Pressure(f64),
    Force(Vector),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    Half,
    Ball(f64),
    Bowl(f64),
    Cylinder(f64),
    Box(f64),
    Room,
}

#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub surface: Surface,
    /// Share of the way of the run that lies between it and the body.
    pub gap: f64,
    pub tilt: Vector,
    pub velocity: Option<(Vector, Course)>,
    pub spin: Option<f64>,
    pub friction: f64,
    pub restitution: f64,
    /// e_T of Moreau's law.
    pub tangential: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Fremond,
    Newton,
    Moreau,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    MoreauJean,
    Extrapolated(f64),
    Middle,
    /// How far β and γ lie above ¼ and ½.
    Newmark([f64; 2]),
    Hht(f64),
    GeneralisedAlpha(f64),
    SchatzmanPaoli(f64),
    CentralDifference,
    PlainNewmark([f64; 2]),
}

impl Kind {
    pub fn is_moreau_jean(self) -> bool {
        matches!(self, Self::MoreauJean | Self::Extrapolated(_) | Self::Middle)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Stepping {
    pub kind: Kind,
    pub law: Law,
    /// θ from ½ (0) to 1/(1+e) (1), or to 1 where the law is not Frémond's.
    pub theta: f64,
    pub steps: usize,
    /// h c over the cell.
    pub courant: f64,
    pub activation: ActivationRule,
    pub corrected: bool,
}

#[derive(Clone)]
pub struct Scenario {
    pub matter: Matter,
    pub jitter: f64,
    pub cuts: usize,
    pub seed: u64,
    /// √(E/ρ).
    pub wave_speed: f64,
    pub poisson: f64,
    pub plane_stress: bool,
    pub lumped: bool,
    /// α T and β/T of the damping.
    pub damping: [f64; 2],
    pub hold: Hold,
    /// g T, and whether it is a potential.
    pub gravity: Option<(Vector, bool)>,
    pub pull: Option<(Pull, Course)>,
    pub floor: Obstacle,
    pub wall: Option<Obstacle>,
    pub velocity: Vector,
    pub spin: Vector,
    pub preload: Option<Vector>,
    pub stepping: Stepping,
    /// Whether tolerances of contact are given, so that they do not turn with the axes.
    pub tolerances: bool,
    pub view: View,
}

impl Scenario {
    pub fn dimension(&self) -> usize {
        self.matter.dimension()
    }

    pub fn mesh(&self) -> Option<Mesh> {
        self.matter.mesh(self.jitter, self.cuts, self.seed)
    }

    pub fn step(&self) -> f64 {
        let courant = match self.stepping.kind {
            Kind::CentralDifference => self.stepping.courant.min(0.1),
            _ => self.stepping.courant,
        };
        let step = courant * self.matter.cell() / self.wave_speed;
        // A mechanism that turned by more than about a radian in a step may miss where it is held.
        match self.matter.rigid() {
            Some(rigid) if rigid.joint => step.min(0.1),
            _ => step,
        }
    }

    pub fn duration(&self) -> f64 {
        self.stepping.steps as f64 * self.step()
    }

    pub fn theta(&self) -> f64 {
        let obstacles = std::iter::once(&self.floor).chain(&self.wall);
        let e = obstacles.map(|o| o.restitution).fold(0.0, f64::max);
        let most = if self.stepping.law == Law::Fremond { 1.0 / (1.0 + e) } else { 1.0 };
        0.5 + self.stepping.theta * (most - 0.5)
    }

    /// The files of the problem as a view has it: the case, and its mesh.
    pub fn files(&self, view: &View) -> (String, Option<String>) {
        let mesh = self.mesh().map(|mesh| msh(&mesh, view));
        (Writer { scenario: self, view, d: self.dimension() }.case(), mesh)
    }
}

/// Counter-examples are told as the case file they are.
impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (case, mesh) = self.files(&self.view);
        writeln!(f, "{:?} with {} nodes:", self.matter, self.mesh().map_or(0, |m| m.points.len()))?;
        write!(f, "{case}--- mesh.msh: {} bytes", mesh.map_or(0, |mesh| mesh.len()))
    }
}

/// The view with the units of a scenario's own.
pub fn units([length, time, mass]: [f64; 3]) -> View {
    View { length, time, mass, ..PLAIN }
}
