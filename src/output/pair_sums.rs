//! Impulses and friction of contacts between bodies since the last frame, by their keys.

use super::View;
use crate::contact::ContactKey;
use crate::energy::Term;
use crate::tape::Tape;
use crate::vector::plus;

/// Of one contact, since the last frame or since its bodies met there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairSum {
    key: ContactKey,
    /// In space, on the first of the two bodies.
    pub impulse: [f64; 3],
    pub tangential_work: f64,
}

/// Of the contacts of the last step, in their order.
#[derive(Debug, Default)]
pub(super) struct PairSums {
    sums: Vec<PairSum>,
    before: Vec<PairSum>,
}

impl PairSums {
    /// Adds those of a step; contacts that have parted are forgotten.
    pub fn enter(&mut self, view: &View) {
        let (contact, candidates) = (view.contact, view.problem.contacts.len());
        std::mem::swap(&mut self.sums, &mut self.before);
        self.sums.clear();
        let mut known = self.before.iter().peekable();
        for (key, _) in &contact.pairs {
            while known.next_if(|other| other.key < *key).is_some() {}
            let sum = known.next_if(|other| other.key == *key).copied();
            self.sums.push(sum.unwrap_or(PairSum { key: *key, ..PairSum::default() }));
        }
        for (&c, work) in contact.active.iter().zip(&contact.work) {
            let Some(pair) = (c as usize).checked_sub(candidates) else { continue };
            let push = contact.frame[c as usize].to_space(contact.impulse[c as usize]);
            let sum = &mut self.sums[pair];
            sum.impulse = plus(sum.impulse, push);
            sum.tangential_work += work[Term::Tangential];
        }
    }

    /// Of a contact of the last step.
    pub fn of(&self, pair: usize) -> &PairSum {
        &self.sums[pair]
    }

    /// Begins anew after a frame.
    pub fn restart(&mut self) {
        for sum in &mut self.sums {
            *sum = PairSum { key: sum.key, ..PairSum::default() };
        }
    }

    /// Passes over them.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.list(&mut self.sums, |tape, sum| {
            sum.key.remember(tape);
            tape.reals(&mut sum.impulse);
            tape.real(&mut sum.tangential_work);
        });
    }
}
