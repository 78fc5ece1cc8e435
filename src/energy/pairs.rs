//! The accounts of pairs of bodies, by key: a pair that meets again goes on with the account that it had.

use super::terms::ContactTotals;
use crate::contact::ContactKey;
use crate::tape::Tape;

/// The accounts, in the order in which they were opened.
#[derive(Clone, Debug, Default)]
pub struct PairAccounts {
    accounts: Vec<(ContactKey, u32, ContactTotals)>,
    /// Key and place of every account, ascending by key.
    index: Vec<(ContactKey, u32)>,
    /// Places of the accounts of the pairs of this step, in their order, and of the step before.
    now: Vec<u32>,
    before: Vec<u32>,
    merged: Vec<(ContactKey, u32)>,
}

impl PairAccounts {
    /// Opens accounts for the pairs of a step, ascending by key, that have none. Where all have one nothing is allocated.
    pub(super) fn admit(&mut self, pairs: &[(ContactKey, u32)]) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        let (mut at, known) = (0, self.index.len());
        for &(key, set) in pairs {
            while at < known && self.index[at].0 < key {
                at += 1;
            }
            let place = match self.index.get(at) {
                Some((found, place)) if at < known && *found == key => *place,
                _ => {
                    let place = self.accounts.len() as u32;
                    self.accounts.push((key, set, ContactTotals::default()));
                    self.index.push((key, place));
                    place
                }
            };
            self.now.push(place);
        }
        if self.index.len() > known {
            self.merge(known);
        }
    }

    /// Brings the index, whose first entries and whose others are in order, into order.
    fn merge(&mut self, known: usize) {
        let (old, new) = self.index.split_at(known);
        self.merged.clear();
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        while let Some(first) = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a.0 <= b.0 => old.next(),
            (_, Some(_)) => new.next(),
            (_, None) => old.next(),
        } {
            self.merged.push(*first);
        }
        std::mem::swap(&mut self.index, &mut self.merged);
    }

    /// The account of a pair of this step.
    pub(super) fn of(&mut self, pair: usize) -> &mut ContactTotals {
        &mut self.accounts[self.now[pair] as usize].2
    }

    /// The same, to be read.
    pub(super) fn get(&self, pair: usize) -> &ContactTotals {
        &self.accounts[self.now[pair] as usize].2
    }

    /// Those of the step before that do not meet in this one no longer touch.
    pub(super) fn part(&mut self) {
        let key = |place: u32| self.accounts[place as usize].0;
        let mut now = self.now.iter().map(|&place| key(place)).peekable();
        let mut parted = std::mem::take(&mut self.before);
        parted.retain(|&place| {
            while now.next_if(|other| *other < key(place)).is_some() {}
            now.peek() != Some(&key(place))
        });
        parted.iter().for_each(|&place| self.accounts[place as usize].2.touching = false);
        self.before = parted;
    }

    /// Key, contact set and account of every pair that has met.
    pub fn iter(&self) -> impl Iterator<Item = (ContactKey, u32, &ContactTotals)> {
        self.accounts.iter().map(|(key, set, own)| (*key, *set, own))
    }

    /// Passes over them.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.list(&mut self.accounts, |tape, (key, set, own)| {
            key.remember(tape);
            let mut wide = u64::from(*set);
            tape.count(&mut wide);
            *set = wide as u32;
            own.remember(tape);
        });
        if tape.reads() {
            let keys = self.accounts.iter().map(|(key, ..)| *key);
            self.index = keys.zip(0u32..).collect();
            self.index.sort_unstable();
            self.now.clear();
        }
    }
}
