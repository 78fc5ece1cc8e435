//! What a run must be told of, though its balance closes: bodies in obstacles, or through them, and rotations and
//! strains beyond linear elasticity.

use std::sync::Arc;

use super::names::Names;
use super::pair_watch::PairWatch;
use crate::assembly::{Distortion, Gauge};
use crate::contact::obstacle::Pose;
use crate::contact::{ContactKey, norm};
use crate::output::{BodyDistortion, Crossing, Departure, Departures, Penetration};
use crate::step::{ConnectedBodies, ContactState, Problem, State};
use crate::tape::Tape;

/// Every so many steps elements are looked at.
const EVERY: usize = 10;

/// Looks at every step.
pub(super) struct Watch<'a> {
    problem: Arc<Problem>,
    names: Names<'a>,
    /// Names of the bodies.
    bodies: Vec<String>,
    gauge: Gauge,
    /// Of each element, to which of `distortions` it belongs.
    account_of: Vec<u32>,
    distortions: Vec<Account>,
    /// Candidates that may pass through what they touch, and where they were.
    crossable: Vec<(u32, Trail)>,
    /// Where the obstacles were then.
    poses: [Vec<Pose>; 2],
    /// Of each contact set.
    crossings: Vec<Crossed>,
    deepest: Deepest,
    entered: Entered,
    now: Departure,
    /// Pairs of bodies that met in the last step, and in the one before.
    met: Vec<ContactKey>,
    met_before: Vec<ContactKey>,
    pairs: PairWatch<'a>,
}

/// The most of one body, and when.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    body: usize,
    most: Distortion,
    rotation_time: f64,
    strain_time: f64,
}

/// Where a candidate was at the ends of the last two steps, and the normal that the last of them found where it began.
#[derive(Clone, Copy, Debug, Default)]
struct Trail {
    places: [[f64; 3]; 2],
    normal: [f64; 3],
}

#[derive(Clone, Copy, Debug, Default)]
struct Crossed {
    count: u64,
    candidate: usize,
    step: usize,
}

/// What explains that a candidate is in an obstacle: contact is found at the end of the step in which it begins.
#[derive(Clone, Debug, Default)]
struct Entered {
    /// Gaps that the last step found.
    gaps: Vec<f64>,
    /// The longest way along the normal of a step in which one closed.
    way: f64,
    /// The farthest that one has moved.
    travel: f64,
    /// How far they are apart at t = 0.
    extent: f64,
}

/// How many of those ways an impact explains, one before it is found and with θ = ½ half of one after, and the share of
/// all that candidates move that is not worth a word.
const AGAIN: f64 = 2.0;
const SHALLOW: f64 = 1e-3;

#[derive(Clone, Copy, Debug, Default)]
struct Deepest {
    depth: f64,
    candidate: usize,
    step: usize,
    place: [f64; 3],
    /// Where it is two bodies, which, and their contact set.
    pair: Option<(ContactKey, u32)>,
}

impl<'a> Watch<'a> {
    /// Of a problem at t = 0.
    pub fn new(
        problem: &Arc<Problem>,
        state: &State,
        bodies: &ConnectedBodies,
        names: Names<'a>,
    ) -> Self {
        let body = names.body;
        let (contacts, d) = (&problem.contacts, problem.dofs.dimension);
        let mut distortions: Vec<Account> = Vec::new();
        let account_of = (0..body.elements.len()).map(|e| {
            let own = bodies.of_node(body.nodes_of(e)[0] as usize, d);
            let known = distortions.iter().position(|account| account.body == own);
            let at = known.unwrap_or(distortions.len());
            if at == distortions.len() {
                distortions.push(Account { body: own, ..Account::default() });
            }
            at as u32
        });
        let account_of = account_of.collect();
        let crossable = (0..contacts.len() as u32).filter(|&c| contacts.may_be_crossed(c as usize));
        Self {
            problem: Arc::clone(problem),
            names,
            bodies: names.bodies(bodies),
            gauge: Gauge::new(body),
            account_of,
            distortions,
            crossable: crossable.map(|c| (c, Trail::default())).collect(),
            poses: [state.poses.clone(), state.poses.clone()],
            crossings: vec![Crossed::default(); contacts.sets.len()],
            deepest: Deepest::default(),
            entered: Entered { gaps: vec![0.0; contacts.len()], ..Entered::default() },
            now: Departure::default(),
            met: Vec::new(),
            met_before: Vec::new(),
            pairs: PairWatch::new(problem, state, names),
        }
    }

    /// Names of the bodies.
    pub fn body_names(&self) -> &[String] {
        &self.bodies
    }

    /// How far the last step was from what the model holds for.
    pub fn now(&self) -> Departure {
        self.now
    }

    /// Looks at the state before the first step.
    pub fn begin(&mut self, state: &State) {
        let (problem, d) = (Arc::clone(&self.problem), self.problem.dofs.dimension);
        for (c, trail) in &mut self.crossable {
            let c = *c as usize;
            let normal = problem.contact(c, state).frame.normal();
            *trail = Trail { places: [problem.contacts.whereabouts(c, d, &state.q); 2], normal };
        }
        self.poses.iter_mut().for_each(|poses| poses.clone_from(&state.poses));
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for (c, candidate) in problem.contacts.candidates.iter().enumerate() {
            self.entered.gaps[c] = problem.contact(c, state).gap;
            let place = candidate.grip.place(d, &state.q);
            for i in 0..3 {
                (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
            }
        }
        for body in &problem.contacts.solids.bodies {
            let place = body.center.place(d, &state.q);
            for i in 0..3 {
                low[i] = low[i].min(place[i] - body.reach);
                high[i] = high[i].max(place[i] + body.reach);
            }
        }
        self.entered.extent = norm(&[0, 1, 2].map(|i| (high[i] - low[i]).max(0.0)));
        self.look_at_elements(state);
    }

    /// After a step: at the gaps that it found where it began, at what passed through its obstacle since the step before,
    /// and now and then at the elements. What is worth telling at once is returned.
    pub fn look(&mut self, contact: &ContactState, state: &State) -> Option<String> {
        self.now.penetration = 0.0;
        let candidates = self.problem.contacts.len();
        for (c, &gap) in contact.gap.iter().take(candidates).enumerate() {
            self.enter_gap(c, gap, state.step - 1, state);
        }
        for (pair, &gap) in contact.pairs.iter().zip(&contact.gap[candidates..]) {
            self.enter_gap_of_pair(*pair, -gap, state);
        }
        std::mem::swap(&mut self.met, &mut self.met_before);
        self.met.clear();
        self.met.extend(contact.pairs.iter().map(|(key, _)| *key));
        let told = self.look_for_crossings(state.step - 1, |c| contact.frame[c].normal(), state);
        let told = told.or(self.pairs.look(state));
        if state.step.is_multiple_of(EVERY) {
            self.look_at_elements(state);
        }
        told
    }

    /// Looks at where the run ends.
    pub fn end(&mut self, state: &State) -> Option<String> {
        let problem = Arc::clone(&self.problem);
        for c in 0..problem.contacts.len() {
            self.enter_gap(c, problem.contact(c, state).gap, state.step, state);
        }
        let normal = |c: usize| problem.contact(c, state).frame.normal();
        let told = self.look_for_crossings(state.step, normal, state);
        self.look_at_elements(state);
        told
    }

    fn enter_gap(&mut self, candidate: usize, gap: f64, step: usize, state: &State) {
        let depth = -gap;
        self.now.penetration = self.now.penetration.max(depth);
        let before = std::mem::replace(&mut self.entered.gaps[candidate], gap);
        if before > 0.0 && depth >= 0.0 {
            self.entered.way = self.entered.way.max(before + depth);
        }
        if depth > self.deepest.depth {
            let own = &self.problem.contacts.candidates[candidate];
            let place = own.grip.place(self.problem.dofs.dimension, &state.q);
            self.deepest = Deepest { depth, candidate, step, place, pair: None };
        }
    }

    /// A pair of bodies that was apart a step ago has come at least as far as it is deep.
    fn enter_gap_of_pair(&mut self, pair: (ContactKey, u32), depth: f64, state: &State) {
        self.now.penetration = self.now.penetration.max(depth);
        if depth > self.entered.way && self.met.binary_search(&pair.0).is_err() {
            self.entered.way = depth;
        }
        if depth > self.deepest.depth {
            let body = &self.problem.contacts.solids.bodies[pair.0.bodies[0] as usize];
            let place = body.center.place(self.problem.dofs.dimension, &state.q);
            let (candidate, step) = (0, state.step - 1);
            self.deepest = Deepest { depth, candidate, step, place, pair: Some(pair) };
        }
    }

    /// A candidate whose normal has come to point the other way was in its obstacle in between, or went around it.
    fn look_for_crossings(
        &mut self,
        step: usize,
        normal_of: impl Fn(usize) -> [f64; 3],
        state: &State,
    ) -> Option<String> {
        let (contacts, d) = (&self.problem.contacts, self.problem.dofs.dimension);
        let mut first = None;
        for (c, trail) in &mut self.crossable {
            let c = *c as usize;
            let set = contacts.candidates[c].set;
            let (normal, place) = (normal_of(c), contacts.whereabouts(c, d, &state.q));
            let turned: f64 = normal.iter().zip(trail.normal).map(|(a, b)| a * b).sum();
            // The normal may be that of the start of this step or, at the level of positions, of its end: a path over both
            // is looked at.
            let (from, to) = ((trail.places[0], &self.poses[0][set]), (place, &state.poses[set]));
            if turned < 0.0 && contacts.enters_between(c, from, to) {
                let crossed = &mut self.crossings[set];
                if crossed.count == 0 {
                    *crossed = Crossed { count: 0, candidate: c, step };
                    first = first.or(Some(set));
                }
                crossed.count += 1;
            }
            *trail = Trail { places: [trail.places[1], place], normal };
        }
        self.poses.swap(0, 1);
        self.poses[1].clone_from(&state.poses);
        first.map(|set| self.tell_crossing(set))
    }

    fn tell_crossing(&self, set: usize) -> String {
        let Crossed { candidate, step, .. } = self.crossings[set];
        format!(
            "step {step}: {} of contact '{}' has passed through its obstacle, from one side to the other: choose a smaller \
             scheme.step, or an obstacle that is thicker than the way of a step",
            self.names.point(&self.problem.contacts, candidate),
            self.problem.contacts.sets[set].name
        )
    }

    fn look_at_elements(&mut self, state: &State) {
        let (now, accounts, account_of) = (&mut self.now, &mut self.distortions, &self.account_of);
        (now.rotation, now.strain) = (0.0, 0.0);
        let (problem, d) = (Arc::clone(&self.problem), self.problem.dofs.dimension);
        for candidate in &problem.contacts.candidates {
            let (place, rest) = (candidate.grip.place(d, &state.q), candidate.grip.point());
            let travel = norm(&[0, 1, 2].map(|i| place[i] - rest[i]));
            self.entered.travel = self.entered.travel.max(travel);
        }
        self.gauge.read(&state.q, |e, seen| {
            now.rotation = now.rotation.max(seen.rotation);
            now.strain = now.strain.max(seen.strain);
            let own = &mut accounts[account_of[e] as usize];
            if seen.rotation > own.most.rotation {
                (own.most.rotation, own.rotation_time) = (seen.rotation, state.time);
            }
            if seen.strain > own.most.strain {
                (own.most.strain, own.strain_time) = (seen.strain, state.time);
            }
        });
    }

    /// How deep a candidate may be for no other reason than that contact is found a step late, or so little that it is
    /// not worth a word.
    pub fn depth_allowed(&self) -> f64 {
        let Entered { way, travel, extent, .. } = self.entered;
        (AGAIN * way).max(SHALLOW * travel.max(extent))
    }

    /// Whether the deepest are two bodies in each other.
    pub fn deepest_is_pair(&self) -> bool {
        self.deepest.pair.is_some()
    }

    /// The worst of the run.
    pub fn departures(&self) -> Departures {
        let (h, sets) = (self.problem.h, &self.problem.contacts.sets);
        let Deepest { depth, candidate, step, place, pair } = self.deepest;
        let contacts = &self.problem.contacts;
        let (contact, point) = match pair {
            _ if depth <= 0.0 => Default::default(),
            Some((key, set)) => (sets[set as usize].name.clone(), self.names.pair(&key)),
            None => {
                (contacts.set_of(candidate).name.clone(), self.names.point(contacts, candidate))
            }
        };
        let time = step as f64 * h;
        let penetration =
            (depth > 0.0).then_some(Penetration { depth, step, time, contact, point, place });
        let distortion = |own: &Account| BodyDistortion {
            body: self.bodies[own.body].clone(),
            rotation: own.most.rotation,
            rotation_time: own.rotation_time,
            strain: own.most.strain,
            strain_time: own.strain_time,
        };
        let crossed = self.crossings.iter().zip(sets).filter(|(crossed, _)| crossed.count > 0);
        let crossing = |(crossed, set): (&Crossed, &crate::contact::ContactSet)| Crossing {
            contact: set.name.clone(),
            count: crossed.count,
            point: self.names.point(&self.problem.contacts, crossed.candidate),
            step: crossed.step,
            time: crossed.step as f64 * h,
        };
        Departures {
            penetration,
            bodies: self.distortions.iter().map(distortion).collect(),
            crossings: crossed.map(crossing).chain(self.pairs.crossings()).collect(),
        }
    }

    /// Passes over what the next look needs of the last.
    pub fn remember(&mut self, tape: &mut Tape) {
        let Departure { penetration, rotation, strain } = &mut self.now;
        [penetration, rotation, strain].into_iter().for_each(|number| tape.real(number));
        tape.real(&mut self.deepest.depth);
        tape.size(&mut self.deepest.candidate);
        tape.size(&mut self.deepest.step);
        tape.reals(&mut self.deepest.place);
        let mut pair: Vec<(ContactKey, u64)> =
            self.deepest.pair.iter().map(|(key, set)| (*key, u64::from(*set))).collect();
        tape.list(&mut pair, |tape, (key, set)| {
            key.remember(tape);
            tape.count(set);
        });
        self.deepest.pair = pair.first().map(|(key, set)| (*key, *set as u32));
        tape.list(&mut self.met, |tape, key| key.remember(tape));
        let Entered { gaps, way, travel, extent } = &mut self.entered;
        tape.reals(gaps);
        [way, travel, extent].into_iter().for_each(|number| tape.real(number));
        for own in &mut self.distortions {
            tape.real(&mut own.most.rotation);
            tape.real(&mut own.most.strain);
            tape.real(&mut own.rotation_time);
            tape.real(&mut own.strain_time);
        }
        for (_, trail) in &mut self.crossable {
            tape.reals(trail.places.as_flattened_mut());
            tape.reals(&mut trail.normal);
        }
        for Pose { travel, angle, .. } in self.poses.iter_mut().flatten() {
            tape.reals(travel);
            tape.real(angle);
        }
        for crossed in &mut self.crossings {
            tape.count(&mut crossed.count);
            tape.size(&mut crossed.candidate);
            tape.size(&mut crossed.step);
        }
        self.pairs.remember(tape);
        let candidates = self.problem.contacts.len();
        let known = self.crossings.iter().map(|crossed| crossed.candidate);
        if known.chain([self.deepest.candidate]).any(|c| c > 0 && c >= candidates) {
            tape.refuse("it speaks of a contact that there is not");
        }
    }
}
