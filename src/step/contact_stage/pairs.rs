//! Contacts between rigid bodies: they come and go, and are known by their keys.

use std::sync::Arc;

use super::{ContactStage, ContactStart, Prediction};
use crate::contact::obstacle::Frame;
use crate::contact::{Approach, ContactKey, ContactPart, PairContact, Status};
use crate::step::State;
use crate::tape::Tape;

impl ContactStage {
    /// Whether the body of a candidate, or the one that it may touch, is not there in a step.
    pub(super) fn is_absent(&self, c: usize, step: usize) -> bool {
        let contacts = &self.problem.contacts;
        let absent = self.problem.presences.iter().filter(|presence| !presence.holds(step));
        let mut nodes = absent.filter_map(|presence| presence.center.node());
        nodes.any(|node| contacts.grips_of(c).any(|grip| grip.node() == Some(node)))
    }

    /// Lists the pairs of bodies that meet behind all candidates, each with the impulse that it had in the step before.
    pub(super) fn find_pairs(&mut self, start: &State, prediction: Prediction) {
        let problem = Arc::clone(&self.problem);
        let (solids, d) = (&problem.contacts.solids, problem.dofs.dimension);
        if !solids.meet() {
            return;
        }
        self.turning.is_ahead = prediction.ahead != 0.0;
        std::mem::swap(&mut self.pairs, &mut self.pairs_before);
        let moved = std::mem::take(&mut self.ahead);
        let q = if prediction.ahead == 0.0 { &start.q } else { &moved };
        let reach = match prediction.forecast {
            0.0 => 0.0,
            share => share.abs() * problem.h * solids.fastest_approach(d, &start.v),
        };
        let within = problem.activation.gap_tolerance + reach;
        self.detector.find(solids, (d, start.step), q, within, &mut self.pairs);
        let candidates = problem.contacts.len();
        self.detected.truncate(candidates);
        for pair in &self.pairs {
            let met = solids.contact(pair, d, q);
            problem.contacts.add_rows_of_pair(pair, &met, d, &mut self.rows);
            self.detected.push(met);
        }
        self.ahead = moved;
        self.carry_impulses_over(candidates);
        self.start_pairs(start, prediction);
    }

    /// The impulses of the pairs in space, where they stay the same as frames turn.
    fn impulses_in_space(&self) -> impl Iterator<Item = [f64; 3]> {
        let (state, candidates) = (&self.contact, self.problem.contacts.len());
        let impulses = state.frame[candidates..].iter().zip(&state.impulse[candidates..]);
        impulses.map(|(frame, impulse)| frame.to_space(*impulse))
    }

    /// Makes room for the pairs in what is known of every contact; those of the step before keep their impulses.
    fn carry_impulses_over(&mut self, candidates: usize) {
        let mut impulses = std::mem::take(&mut self.impulses_before);
        impulses.clear();
        impulses.extend(self.impulses_in_space());
        self.impulses_before = impulses;
        let state = &mut self.contact;
        let count = candidates + self.pairs.len();
        state.impulse.truncate(candidates);
        state.gap.truncate(candidates);
        state.frame.truncate(candidates);
        state.status.resize(count, Status::Open);
        state.friction.resize(count, 0.0);
        self.starts.resize(count, ContactStart::default());
        state.pairs.clear();
        state.places.clear();
        let mut before = self.pairs_before.iter().zip(&self.impulses_before).peekable();
        for (pair, met) in self.pairs.iter().zip(&self.detected[candidates..]) {
            while before.next_if(|(other, _)| other.key < pair.key).is_some() {}
            let known = before.next_if(|(other, _)| other.key == pair.key);
            let carried = |(_, impulse): (_, &[f64; 3])| met.frame.to_frame(*impulse);
            state.impulse.push(known.map_or([0.0; 3], carried));
            state.gap.push(met.gap);
            state.frame.push(met.frame);
            state.pairs.push((pair.key, pair.set));
            state.places.push(pair.met.place);
        }
    }

    /// Passes over the impulses of the pairs, by key.
    pub(super) fn remember_pairs(&mut self, tape: &mut Tape) {
        let candidates = self.problem.contacts.len();
        let keys = self.pairs.iter().map(|pair| pair.key);
        let mut known: Vec<(ContactKey, [f64; 3])> = keys.zip(self.impulses_in_space()).collect();
        tape.list(&mut known, |tape, (key, impulse)| {
            key.remember(tape);
            tape.reals(impulse);
        });
        if tape.reads() {
            let pair = |(key, _): &(ContactKey, _)| PairContact { key: *key, ..Default::default() };
            self.pairs = known.iter().map(pair).collect();
            self.contact.impulse.truncate(candidates);
            self.contact.impulse.extend(known.iter().map(|(_, impulse)| impulse));
            self.contact.frame.truncate(candidates);
            self.contact.frame.resize(candidates + known.len(), Frame::SPACE);
        }
    }

    /// How the pairs move at the start of the step, and what they do in it.
    fn start_pairs(&mut self, start: &State, prediction: Prediction) {
        let problem = Arc::clone(&self.problem);
        for c in problem.contacts.len()..self.detected.len() {
            let (met, set) = (&self.detected[c], self.contact.pairs[c - problem.contacts.len()].1);
            let u_start = self.rows.of(c).velocity(&start.v);
            let expected = met.gap + prediction.forecast * problem.h * u_start[0];
            let part = problem.activation.part(expected, u_start[0], true);
            self.starts[c] = ContactStart { u_start, part, set, turns: true, ..Default::default() };
            let approach = Approach {
                candidate: c,
                time: start.time,
                gap: met.gap,
                place: met.place,
                velocity: u_start,
            };
            self.contact.friction[c] = match part {
                ContactPart::Open => 0.0,
                ContactPart::Own | ContactPart::Mean => {
                    problem.contacts.sets[set as usize].friction.at(&approach)
                }
            };
        }
    }
}
