//! A problem beside the same one seen otherwise, step by step from the same state.
//!
//! Each step of the twin starts where the scenario's own does, so that what they differ by after it is
//! what rounding and the solver leave of one step, and not what impacts have made of that since.

use delassus::contact::solver::SolveStatus;
use delassus::contact::{ActivationRule, Measure};
use delassus::mesh::Mesh;
use delassus::step::{March, Problem, Scheme, State, largest_stable_step};

use crate::scenario::Scenario;
use crate::support::scene::{Ready, prepare};
use crate::view::{PLAIN, Vector, View};

/// What became of the steps of many cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub steps: usize,
    pub touching: usize,
    /// Steps in which a gap or velocity is as near to its threshold as rounding, or that the scheme left loose.
    pub undecided: usize,
    /// Steps with two answers: that of the twin solves the problem of the other.
    pub plural: usize,
    /// Steps that the solver gave up.
    pub unsolved: usize,
    /// Largest difference, as a share of what is allowed.
    pub worst: f64,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
        self.steps += other.steps;
        self.touching += other.touching;
        self.undecided += other.undecided;
        self.plural += other.plural;
        self.unsolved += other.unsolved;
        self.worst = self.worst.max(other.worst);
    }
}

/// The problem of a scenario in a view.
pub fn ready(scenario: &Scenario, view: &View) -> Result<Ready, String> {
    let (case, mesh) = scenario.files(view);
    let mesh = match mesh {
        Some(text) => {
            Mesh::parse(text.as_bytes(), "mesh.msh".as_ref()).map_err(|e| e.to_string())?
        }
        None => Mesh { dimension: scenario.dimension(), offsets: vec![0], ..Mesh::default() },
    };
    prepare(&case, &mesh).map_err(|e| e.to_string())
}

/// How the dofs of a scenario stand in a view.
struct Map<'a> {
    view: &'a View,
    dimension: usize,
    /// Node of the view for each of the scenario's; angles follow all nodes.
    node: Vec<usize>,
}

impl<'a> Map<'a> {
    fn new(scenario: &Scenario, view: &'a View, nodes: usize) -> Self {
        let dimension = scenario.dimension();
        let node = match scenario.matter.rigid() {
            Some(_) => (0..nodes).collect(),
            None => view.places(nodes, 1),
        };
        Self { view, dimension, node }
    }

    /// A field of the scenario in the view, where its unit is `unit` and an angle stands for length^`arm`.
    fn field(&self, x: &[f64], unit: f64, arm: i32) -> Vec<f64> {
        let d = self.dimension;
        let mut mapped = vec![0.0; x.len()];
        let angles = d * self.node.len();
        for (to, angle) in mapped[angles..].iter_mut().zip(&x[angles..]) {
            *to = self.view.hand() * unit * self.view.length.powi(-arm) * angle;
        }
        for (k, &to) in self.node.iter().enumerate() {
            let own = &x[d * k..][..d];
            let mut vector = [0.0; 3];
            vector[..d].copy_from_slice(own);
            mapped[d * to..][..d].copy_from_slice(&self.view.vector(unit, vector)[..d]);
        }
        mapped
    }

    /// Largest difference of displacements or velocities, in the units of the scenario.
    fn apart(&self, own: &[f64], twin: &[f64], unit: f64) -> f64 {
        let d = self.dimension;
        let expected = self.field(own, unit, 1);
        let angles = d * self.node.len();
        let turned = apart(&expected[angles..], &twin[angles..]) / (unit / self.view.length);
        f64::max(apart(&expected[..angles], &twin[..angles]) / unit, turned)
    }

    /// The state of the scenario, given to the twin; obstacles are where its own motion has them.
    fn state(&self, own: &State, problem: &Problem, twin: &mut State) {
        let v = self.view;
        twin.q = self.field(&own.q, v.length, 1);
        twin.v = self.field(&own.v, v.velocity(), 1);
        problem.operator.apply_into(&twin.v, &twin.q, &mut twin.mv, &mut twin.kq);
        let (own, twin) = (&own.memory, &mut twin.memory);
        let of = |own: &[f64], unit: f64, arm: i32| match own.is_empty() {
            true => Vec::new(),
            false => self.field(own, unit, arm),
        };
        twin.ma = of(&own.ma, v.force(), -1);
        twin.mc = of(&own.mc, v.force(), -1);
        twin.a = of(&own.a, v.velocity() / v.time, 1);
        twin.kv = of(&own.kv, v.force() / v.time, -1);
    }
}

/// Smallest and largest eigenvalues of M̂ lie between the smallest mass and the largest sum of a dof's own.
fn condition(problem: &Problem) -> f64 {
    let n = problem.operator.dofs();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    let effective = problem.effective_mass();
    let (mut unit, mut m, mut k) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for dof in 0..n {
        unit[dof] = 1.0;
        problem.operator.apply_into(&unit, &unit, &mut m, &mut k);
        if m[dof] > 0.0 {
            least = least.min(m[dof]);
        }
        effective.apply_into(&unit, &unit, &mut m, &mut k);
        most = most.max(m[dof] + k[dof]);
        unit[dof] = 0.0;
    }
    most / least
}

pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| f64::max(m, x.abs()))
}

/// Largest difference of two vectors; infinite where one is not a number.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let off = |a: f64, b: f64| if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() };
    a.iter().zip(b).fold(0.0, |m, (&a, &b)| f64::max(m, off(a, b)))
}

/// Both problems, their maps and who of the contacts is who.
struct Twins<'a> {
    own: &'a Ready,
    other: &'a Ready,
    map: Map<'a>,
    /// Candidate of the twin for each of the scenario's.
    candidate: Vec<usize>,
    condition: f64,
}

impl<'a> Twins<'a> {
    fn new(
        scenario: &Scenario,
        own: &'a Ready,
        other: &'a Ready,
        view: &'a View,
    ) -> Result<Self, String> {
        let map = Map::new(scenario, view, own.problem.operator.graph().nodes());
        let contacts = [&own.problem.contacts, &other.problem.contacts];
        if contacts[0].len() != contacts[1].len() {
            return Err(format!("{} and {} candidates", contacts[0].len(), contacts[1].len()));
        }
        let mut candidate = Vec::new();
        for own in &contacts[0].candidates {
            let place = view.point(own.grip.point());
            let far = |x: Vector| (0..3).map(|i| (x[i] - place[i]).powi(2)).sum::<f64>();
            let same = contacts[1].candidates.iter().enumerate().filter(|(_, c)| c.set == own.set);
            let nearest =
                same.min_by(|a, b| far(a.1.grip.point()).total_cmp(&far(b.1.grip.point())));
            candidate.push(nearest.ok_or("a contact set is empty")?.0);
        }
        Ok(Self { own, other, map, candidate, condition: condition(&own.problem) })
    }

    /// Whether a gap or velocity is as near to its threshold as rounding in either view can move it, or a
    /// point as near to two faces of its obstacle.
    fn undecided(&self, state: &State, twin: &State) -> bool {
        let (own, other) = (&self.own.problem, &self.other.problem);
        let v = self.map.view;
        let d = self.map.dimension;
        let reach = |problem: &Problem, state: &State| {
            let places =
                problem.contacts.candidates.iter().map(|c| largest(&c.grip.place(d, &state.q)));
            places.fold(0.0, f64::max)
        };
        let length = reach(own, state).max(reach(other, twin) / v.length) + 3.0;
        let speed = largest(&state.v) + 3.0;
        let rounding = 200.0 * f64::EPSILON;
        (0..own.contacts.len()).any(|c| {
            let twin_c = self.candidate[c];
            let (met, twin_met) = (own.contact(c, state), other.contact(twin_c, twin));
            let (gap, u) = (met.gap, own.relative_velocity(c, &met, state)[0]);
            // Where a step looks ahead, the gap there is not the one here.
            let ahead = own.h * u;
            let near = |x: f64, limit: f64, scale: f64| (x - limit).abs() <= rounding * scale;
            let tolerance = own.activation.gap_tolerance;
            let closed = [0.0, 0.5, 1.0, self.forecast()].into_iter();
            let closes =
                closed.into_iter().any(|share| near(gap + share * ahead, tolerance, length));
            let leaves = match own.activation.rule {
                // The two laws agree at 0, so that rounding decides nothing.
                ActivationRule::Closed => false,
                ActivationRule::Approaching { velocity_tolerance } => {
                    near(u, velocity_tolerance, speed)
                }
                ActivationRule::GapAlone => false,
            };
            let normal = v.direction(met.frame.normal());
            let faces = apart(&normal, &twin_met.frame.normal()) > 1e-6
                && (gap - twin_met.gap / v.length).abs() <= rounding * length;
            closes || leaves || faces
        })
    }

    fn forecast(&self) -> f64 {
        match self.own.problem.scheme {
            delassus::step::Scheme::MoreauJean {
                forecast: delassus::step::Forecast::Extrapolated { gamma },
                ..
            } => gamma,
            _ => 0.0,
        }
    }

    /// Error of the impulses of the twin in the cone problem of the scenario.
    fn error_of_twin(&self, own: &March, twin: &March) -> f64 {
        let (cone, v) = (own.cone_problem(), self.map.view);
        let (contact, other) = (own.contacts(), twin.contacts());
        let unit = 1.0 / (v.mass * v.velocity());
        let (mut p, d) = (Vec::new(), cone.dimension());
        for &c in &contact.active {
            let twin_c = self.candidate[c as usize];
            let space = other.frame[twin_c].to_space(other.impulse[twin_c]);
            let back = v.direction_back(space).map(|p| unit * p);
            p.extend_from_slice(&contact.frame[c as usize].to_frame(back)[..d]);
        }
        let mut u = vec![0.0; p.len()];
        if p.len() != cone.b.len() {
            return f64::INFINITY;
        }
        cone.velocity_into(&p, &mut u);
        cone.error(Measure::Scaled, &p, &u)
    }

    /// What the solver may leave of v: τ‖b‖ at the contacts, which M̂⁻¹HᵀW⁻¹ makes larger by the root of
    /// the condition of M̂ at most, and rounding of what is solved with; of places, where joints or gaps
    /// are closed within the step and a velocity is a distance over h.
    fn allowed(&self, before: &State, own: &March) -> f64 {
        let b = own.cone_problem().b.iter().map(|b| b * b).sum::<f64>().sqrt();
        let speed = largest(&before.v).max(largest(&own.state().v)).max(1e-3);
        let problem = &self.own.problem;
        let closes = !problem.contacts.joints.is_empty() || !problem.scheme.activates();
        let d = self.map.dimension;
        let places = problem.contacts.candidates.iter().map(|c| c.grip.reach(d, &before.q));
        let shifted = largest(&self.map.view.shift);
        let distance = if closes { places.fold(shifted, f64::max) / problem.h } else { 0.0 };
        // Joints hold to 1e-12 of what they reach, in each of the twins.
        let held = 2e-15 * self.condition.sqrt() * distance;
        1e3 * (1e-12 * b * self.condition.sqrt() + f64::EPSILON * self.condition * speed + held)
    }

    fn compare(
        &self,
        before: &State,
        own: &March,
        twin: &March,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let v = self.map.view;
        let h = self.own.problem.h;
        let off = self.map.apart(&own.state().v, &twin.state().v, v.velocity());
        let moved = self.map.apart(&own.state().q, &twin.state().q, v.length);
        let allowed = self.allowed(before, own);
        let rounding = 1e3 * f64::EPSILON * largest(&own.state().q);
        let share = (off / allowed).max((moved - rounding).max(0.0) / (h * allowed));
        if share <= 1.0 {
            tally.worst = tally.worst.max(share);
            return Ok(());
        }
        let error = self.error_of_twin(own, twin);
        if error <= 1e-10 && !own.contacts().active.is_empty() {
            tally.plural += 1;
            return Ok(());
        }
        if is_loose(&self.own.problem, own) || is_loose(&self.other.problem, twin) {
            tally.undecided += 1;
            return Ok(());
        }
        let (a, b) = (own.contacts(), twin.contacts());
        Err(format!(
            "step {}: v is off by {off:e}, q by {moved:e}, of {allowed:e}; impulses of the twin leave {error:e}; \
             active {:?} and {:?}",
            own.state().step,
            a.active,
            b.active
        ))
    }
}

/// Whether a gap that the scheme closes at the end of the step was left more open than the case tolerates, as is allowed
/// where linearising it anew no longer helps.
fn is_loose(problem: &Problem, marcher: &March) -> bool {
    let closes = matches!(problem.scheme, Scheme::CentralDifference | Scheme::PlainNewmark { .. });
    let contact = marcher.contacts();
    let pushes = contact.active.iter().filter(|&&c| contact.impulse[c as usize][0] > 0.0);
    let mut gaps = pushes.map(|&c| problem.contact(c as usize, marcher.state()).gap.abs());
    closes && gaps.any(|gap| gap > 2.0 * problem.activation.gap_tolerance)
}

/// Steps the scenario and its twin in a view.
pub fn same_in(scenario: &Scenario, view: &View) -> Result<Tally, String> {
    let (own, other) = (ready(scenario, &PLAIN)?, ready(scenario, view)?);
    let twins = Twins::new(scenario, &own, &other, view)?;
    // Steps that explode come to places where contacts have several answers.
    let limit = || largest_stable_step(&own.problem).unwrap_or(f64::INFINITY);
    if own.problem.scheme == Scheme::CentralDifference && own.problem.h > limit() {
        return Ok(Tally::default());
    }
    let (mut first, mut second) = (own.march(), other.march());
    let mut tally = Tally::default();
    for _ in 0..own.case.scheme.steps {
        twins.map.state(first.state(), &other.problem, second.state_mut());
        let undecided = twins.undecided(first.state(), second.state());
        let before = first.state().clone();
        let reports = [first.step().solve, second.step().solve];
        tally.steps += 1;
        tally.touching += usize::from(largest(first.contacts().impulse.as_flattened()) > 0.0);
        if reports.iter().any(|report| report.status != SolveStatus::Converged) {
            tally.unsolved += 1;
            return Ok(tally);
        }
        if undecided {
            tally.undecided += 1;
        } else {
            twins.compare(&before, &first, &second, &mut tally)?;
        }
    }
    Ok(tally)
}
