//! The case file of a random problem, as a view has it.

use crate::matter::{Matter, Rigid};
use crate::scenario::{Course, Hold, Kind, Law, Obstacle, Pull, Scenario, Stepping, Surface};
use crate::view::{Vector, View, plus, times};
use delassus::contact::ActivationRule;

/// Writes the case file of a view.
pub struct Writer<'a> {
    pub scenario: &'a Scenario,
    pub view: &'a View,
    /// Dimension of the space.
    pub d: usize,
}

impl Writer<'_> {
    fn list(&self, x: Vector) -> String {
        format!("{:?}", &x[..self.d])
    }

    fn vector(&self, unit: f64, x: Vector) -> String {
        self.list(self.view.vector(unit, x))
    }

    fn course(&self, course: Course) -> String {
        let whole = self.scenario.duration() * self.view.time;
        let text = match course {
            Course::Constant => return String::new(),
            Course::Step(start) => format!("function = \"step\", start = {:?}", start * whole),
            Course::Ramp(start, long) => format!(
                "function = \"ramp\", start = {:?}, end = {:?}",
                start * whole,
                (start + long) * whole
            ),
            Course::Sine(period, phase) => {
                format!("function = \"sine\", period = {:?}, phase = {phase:?}", period * whole)
            }
            Course::Square(period) => {
                format!("function = \"square\", period = {:?}", period * whole)
            }
            Course::Table(at, value) => format!(
                "function = \"table\", times = [0.0, {:?}, {whole:?}], values = [0.0, 1.0, {value:?}]",
                at * whole
            ),
        };
        format!("time = {{ {text} }}\n")
    }

    /// All of it.
    pub fn case(&self) -> String {
        let mut text = "units = \"any\"\n".to_string();
        match &self.scenario.matter {
            Matter::Rigid(rigid) => text += &(rigid.text(self.view) + &self.gravity()),
            _ => {
                text += &[self.material(), self.held(), self.gravity(), self.pull(), self.start()]
                    .concat()
            }
        }
        text + &self.contacts() + &self.scheme()
    }

    fn material(&self) -> String {
        let (s, v) = (self.scenario, self.view);
        let whole = s.duration() * v.time;
        let density = v.mass / v.length.powi(3);
        let section = match (self.d, s.plane_stress) {
            (1, _) => format!("area = {:?}\n", v.length * v.length),
            (2, true) => format!("plane = \"stress\"\nthickness = {:?}\n", v.length),
            (2, false) => format!("plane = \"strain\"\nthickness = {:?}\n", v.length),
            _ => String::new(),
        };
        format!(
            "[mesh]\nfile = \"mesh.msh\"\nmass = \"{}\"\n\
             [material.m]\nyoung = {:?}\npoisson = {:?}\ndensity = {density:?}\n{section}\
             damping_mass = {:?}\ndamping_stiffness = {:?}\n",
            if s.lumped { "lumped" } else { "consistent" },
            density * (s.wave_speed * v.velocity()).powi(2),
            s.poisson,
            s.damping[0] / whole,
            s.damping[1] * whole,
        )
    }

    /// Every component of the far side, so that it may be turned; a roller holds one.
    fn held(&self) -> String {
        let (s, v) = (self.scenario, self.view);
        let group = if self.d == 1 { "right" } else { "top" };
        let table = |i: usize, key: &str, value: f64, course: Course| {
            let component = ["x", "y", "z"][i];
            let time = self.course(course);
            format!(
                "[boundary.{component}]\ngroup = \"{group}\"\ncomponent = \"{component}\"\n{key} = {value:?}\n{time}"
            )
        };
        let all = |key: &str, unit: f64, x: Vector, course: Course| {
            let x = v.vector(unit, x);
            (0..self.d).map(|i| table(i, key, x[i], course)).collect()
        };
        match s.hold {
            Hold::Free => String::new(),
            Hold::Still => all("velocity", 1.0, [0.0; 3], Course::Constant),
            Hold::Roller => table(0, "velocity", 0.0, Course::Constant),
            Hold::Moved(x, course) => all("velocity", v.velocity(), x, course),
            Hold::Shaken(x, course) => all("displacement", v.length * s.duration(), x, course),
        }
    }

    fn gravity(&self) -> String {
        let Some((g, potential)) = self.scenario.gravity else { return String::new() };
        let unit = self.view.velocity() / self.view.time / self.scenario.duration();
        format!("[load.weight]\ngravity = {}\npotential = {potential}\n", self.vector(unit, g))
    }

    fn pull(&self) -> String {
        let Some((pull, course)) = self.scenario.pull else { return String::new() };
        // What gives a body of unit mass and area unit velocity over the run.
        let force = self.view.force() / self.scenario.duration();
        let stress = force / self.view.length.powi(2);
        let load = match pull {
            _ if self.d == 1 => format!("force = {}", self.vector(force, [0.3, 0.0, 0.0])),
            Pull::Traction(t) => format!("traction = {}", self.vector(stress, t)),
            Pull::Pressure(p) => format!("pressure = {:?}", stress * p),
            Pull::Force(f) => format!("force = {}", self.vector(0.2 * force, f)),
        };
        format!("[load.pull]\ngroup = \"right\"\n{load}\n{}", self.course(course))
    }

    fn start(&self) -> String {
        let (s, v) = (self.scenario, self.view);
        let mut text = String::new();
        if let (Some(by), false) = (s.preload, matches!(s.hold, Hold::Shaken(..))) {
            let sides = if self.d == 1 { ["left", "right"] } else { ["bottom", "top"] };
            for (side, by) in
                sides.into_iter().zip([[0.0; 3], v.vector(v.length / s.wave_speed, by)])
            {
                for i in 0..self.d {
                    text += &format!(
                        "[initial.preload.{side}{i}]\ngroup = \"{side}\"\ncomponent = \"{}\"\ndisplacement = {:?}\n",
                        ["x", "y", "z"][i],
                        by[i]
                    );
                }
            }
        }
        text +=
            &format!("[initial.velocity.all]\nvalue = {}\n", self.vector(v.velocity(), s.velocity));
        let spin = times(1.0 / v.time, v.axial(s.spin));
        let center = self.list(v.point([0.5; 3]));
        match self.d {
            2 => text += &format!("spin = [{:?}]\ncenter = {center}\n", spin[2]),
            3 => text += &format!("spin = {spin:?}\ncenter = {center}\n"),
            _ => {}
        }
        text
    }

    fn contacts(&self) -> String {
        let up = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][self.d - 1];
        let middle = match self.d {
            1 => [0.0; 3],
            2 => [0.5, 0.0, 0.0],
            _ => [0.5, 0.5, 0.0],
        };
        let s = self.scenario;
        let mut text = String::new();
        if let Some(rigid) = s.matter.rigid() {
            for i in 0..rigid.pieces.len() {
                let name = Rigid::name(i);
                text += &self.contact(&format!("floor_{name}"), name, &s.floor, (middle, up));
            }
            for i in 1..rigid.pieces.len() {
                if rigid.meet(i - 1, i) {
                    let [a, b] = [i - 1, i].map(Rigid::name);
                    text += &format!(
                        "[contact.{a}{b}]\nbetween = [\"{a}\", \"{b}\"]\n{}",
                        self.law(&s.floor)
                    );
                }
            }
            return text;
        }
        let group = if self.d == 1 { "left" } else { "bottom" };
        text += &self.contact("floor", group, &s.floor, (middle, up));
        if let (Some(wall), true) = (&s.wall, self.d > 1) {
            text += &self.contact("wall", "left", wall, ([0.0, 0.5, 0.5], [1.0, 0.0, 0.0]));
        }
        text
    }

    fn law(&self, obstacle: &Obstacle) -> String {
        let Obstacle { friction, restitution, tangential, .. } = *obstacle;
        let mut text = format!("friction = {friction:?}\nrestitution = {restitution:?}\n");
        if self.scenario.stepping.law == Law::Moreau {
            text += &format!("tangential_restitution = {tangential:?}\n");
        }
        text
    }

    /// An obstacle that lies a gap below a point, where up is that way and a bit aside.
    fn contact(
        &self,
        name: &str,
        group: &str,
        own: &Obstacle,
        (at, up): (Vector, Vector),
    ) -> String {
        let (v, whole) = (self.view, self.scenario.duration());
        let at = plus(at, times(-own.gap * whole, up));
        let tilted = if self.d == 1 { up } else { plus(up, own.tilt) };
        let above = |r: f64| self.list(v.point(plus(at, times(r, up))));
        let surface = if self.d == 1 { Surface::Half } else { own.surface };
        let radius = |r: f64| r * v.length;
        let shape = match surface {
            Surface::Half => format!(
                "kind = \"half-plane\"\npoint = {}\nnormal = {}\n",
                above(0.0),
                self.list(v.direction(tilted))
            ),
            Surface::Ball(r) => {
                format!("kind = \"sphere\"\npoint = {}\nradius = {:?}\n", above(-r), radius(r))
            }
            Surface::Bowl(r) => format!(
                "kind = \"sphere\"\npoint = {}\nradius = {:?}\ninside = true\n",
                above(r),
                radius(r)
            ),
            Surface::Cylinder(r) => {
                let axis = v.direction([0.6, 0.8, 0.0]);
                let axis = if self.d == 3 { format!("axis = {axis:?}\n") } else { String::new() };
                format!(
                    "kind = \"cylinder\"\npoint = {}\nradius = {:?}\n{axis}",
                    above(-r),
                    radius(r)
                )
            }
            Surface::Box(r) => {
                self.cuboid(above(-0.5 * r), [r; 3], plus(at, times(-0.5 * r, up)), "")
            }
            Surface::Room => {
                self.cuboid(above(1.5), [3.0; 3], plus(at, times(1.5, up)), "inside = true\n")
            }
        };
        let mut text = format!("[contact.{name}]\ngroup = \"{group}\"\n{}", self.law(own));
        text += &format!("[contact.{name}.obstacle]\n{shape}");
        if let Some((velocity, course)) = own.velocity {
            text += &format!(
                "velocity = {}\n{}",
                self.vector(v.velocity(), velocity),
                self.course(course)
            );
        }
        let is_box = matches!(surface, Surface::Box(_) | Surface::Room);
        // A plane that turned far would crush what it touches against the other obstacle.
        let slow = if surface == Surface::Half { 0.2 / whole } else { 1.0 };
        match (own.spin, self.d) {
            (Some(spin), 2) if !is_box => {
                text +=
                    &format!("rotation = {{ velocity = {:?} }}\n", v.hand() * slow * spin / v.time);
            }
            (Some(spin), 3) if !is_box => {
                let axis = v.axial([0.6, 0.0, 0.8]);
                text += &format!(
                    "rotation = {{ axis = {axis:?}, velocity = {:?} }}\n",
                    slow * spin / v.time
                );
            }
            _ => {}
        }
        text
    }

    /// A box is drawn along the axes, and tilted where the view turns.
    fn cuboid(&self, point: String, size: Vector, center: Vector, inside: &str) -> String {
        let v = self.view;
        let size = self.list(times(v.length, size));
        let mut text = format!("kind = \"box\"\npoint = {point}\nsize = {size}\n{inside}");
        if v.angle != 0.0 {
            let center = self.list(v.point(center));
            let axis = if self.d == 3 { format!("axis = {:?}, ", v.axis) } else { String::new() };
            text += &format!("rotation = {{ {axis}angle = {:?}, center = {center} }}\n", v.angle);
        }
        text
    }

    fn scheme(&self) -> String {
        let (s, v) = (self.scenario, self.view);
        let Stepping { kind, law, activation, corrected, steps, .. } = s.stepping;
        let theta = s.theta();
        let above = |[beta, gamma]: [f64; 2]| {
            let gamma = 0.5 + gamma;
            format!("beta = {:?}\ngamma = {gamma:?}\n", 0.5 * gamma + beta)
        };
        let (name, own) = match kind {
            Kind::MoreauJean => ("moreau-jean", format!("theta = {theta:?}\n")),
            Kind::Extrapolated(gamma) => {
                let lines = "forecast = \"extrapolated\"\n";
                ("moreau-jean", format!("theta = {theta:?}\n{lines}forecast_gamma = {gamma:?}\n"))
            }
            Kind::Middle => ("moreau-jean", format!("theta = {theta:?}\nforecast = \"middle\"\n")),
            Kind::Newmark(excess) => ("newmark", above(excess)),
            Kind::Hht(alpha) => ("hht", format!("alpha_f = {alpha:?}\n")),
            Kind::GeneralisedAlpha(rho) => {
                ("generalised-alpha", format!("rho_infinity = {rho:?}\n"))
            }
            Kind::SchatzmanPaoli(beta) => {
                ("schatzman-paoli", format!("beta = {:?}\n", 0.25 + beta))
            }
            Kind::CentralDifference => ("central-difference", String::new()),
            Kind::PlainNewmark(excess) => ("plain-newmark", above(excess)),
        };
        let corrects = matches!(kind, Kind::Newmark(_) | Kind::Hht(_) | Kind::GeneralisedAlpha(_));
        let positions = matches!(
            kind,
            Kind::SchatzmanPaoli(_) | Kind::CentralDifference | Kind::PlainNewmark(_)
        );
        let looks = !(positions || corrects && corrected);
        let mut text = format!("[scheme]\nkind = \"{name}\"\n{own}");
        if corrects && corrected {
            text += "position_correction = true\n";
        }
        if looks && activation != ActivationRule::Closed {
            text += &format!("activation = \"{}\"\n", activation.name());
        }
        if let (true, ActivationRule::Approaching { velocity_tolerance }) = (looks, activation) {
            text += &format!("velocity_tolerance = {:?}\n", velocity_tolerance * v.velocity());
        }
        if s.tolerances {
            text += &format!("gap_tolerance = {:?}\n", 1e-12 * v.length);
        }
        let law_name = match law {
            Law::Fremond => "fremond",
            Law::Newton => "newton",
            Law::Moreau => "moreau",
        };
        let free = law != Law::Fremond || kind == Kind::CentralDifference;
        let step = s.step() * v.time;
        text + &format!(
            "law = \"{law_name}\"\nallow_energy_creation = {free}\nstep = {step:?}\nend = {:?}\n",
            step * steps as f64
        )
    }
}
