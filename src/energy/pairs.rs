//! The accounts of pairs of bodies.
//!
//! Bodies that roll over each other meet at ever new features: what all contacts of two bodies did in all is one account,
//! kept to the end. What the certificate must know of a single contact, that which has passed through it, lives as long
//! as the contact does: one that parts and closes again has an impact to be judged by. So memory grows with the pairs of
//! bodies that have met and with the contacts of a step, not with the run.

use super::table::Term;
use super::terms::{ContactTerms, ContactTotals, ContactWork, larger};
use crate::contact::{ContactKey, Status};
use crate::tape::Tape;

/// What two bodies did to each other, at all their contacts together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairAccount {
    /// The two bodies, as [`Solids::bodies`](crate::contact::Solids::bodies) has them, the smaller number first.
    pub bodies: [u32; 2],
    /// The contact set that they obey.
    pub set: u32,
    /// Sums over their contacts; of the impulse only the normal part has one frame.
    pub totals: ContactTotals,
    /// Largest work of one contact in a step, or 0, of each term.
    pub largest: ContactTerms,
}

/// A contact of the last step, since its bodies met there.
#[derive(Clone, Copy, Debug, Default)]
struct ContactAccount {
    key: ContactKey,
    /// Place of the account of its bodies.
    pair: u32,
    work: ContactWork,
    touching: bool,
}

/// The accounts of all pairs of bodies that have met, in the order in which they did.
#[derive(Clone, Debug, Default)]
pub struct PairAccounts {
    accounts: Vec<PairAccount>,
    /// Bodies and place of every account, ascending.
    index: Vec<([u32; 2], u32)>,
    merged: Vec<([u32; 2], u32)>,
    /// The contacts of the last step, in their order, and those of the step before.
    contacts: Vec<ContactAccount>,
    before: Vec<ContactAccount>,
}

impl PairAccounts {
    /// The contacts of a step, ascending by key: those that were there in the step before go on with what they had, and
    /// bodies that meet for the first time get an account. Where nothing has changed nothing is allocated.
    pub(super) fn admit(&mut self, pairs: &[(ContactKey, u32)]) {
        std::mem::swap(&mut self.contacts, &mut self.before);
        self.contacts.clear();
        let before = std::mem::take(&mut self.before);
        let mut known = before.iter().peekable();
        for &(key, set) in pairs {
            while known.next_if(|other| other.key < key).is_some() {}
            let contact = match known.next_if(|other| other.key == key) {
                Some(contact) => *contact,
                None => {
                    let pair = self.place_of(key.bodies, set);
                    ContactAccount { key, pair, ..ContactAccount::default() }
                }
            };
            self.contacts.push(contact);
        }
        self.before = before;
        self.bring_into_order();
    }

    /// The place of the account of two bodies, opened where they have none. Contacts of the same two follow each other.
    fn place_of(&mut self, bodies: [u32; 2], set: u32) -> u32 {
        if let Some(account) = self.accounts.last()
            && account.bodies == bodies
        {
            return self.accounts.len() as u32 - 1;
        }
        // The index has none of those that are opened in this step, which the last one stands for.
        if let Ok(at) = self.index.binary_search_by_key(&bodies, |(own, _)| *own) {
            return self.index[at].1;
        }
        let place = self.accounts.len() as u32;
        self.accounts.push(PairAccount { bodies, set, ..PairAccount::default() });
        place
    }

    /// Merges the accounts that were opened in this step, which ascend, into the index.
    fn bring_into_order(&mut self) {
        let known = self.index.len();
        if self.accounts.len() == known {
            return;
        }
        let opened = self.accounts[known..].iter().zip(known as u32..);
        let mut new = opened.map(|(account, place)| (account.bodies, place)).peekable();
        let mut old = self.index.iter().copied().peekable();
        self.merged.clear();
        while let Some(first) = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a <= b => old.next(),
            (_, Some(_)) => new.next(),
            (_, None) => old.next(),
        } {
            self.merged.push(first);
        }
        std::mem::swap(&mut self.index, &mut self.merged);
    }

    /// Enters the works of a contact in this step; what has passed through it since its bodies met there is returned.
    pub(super) fn enter_work(&mut self, contact: usize, work: &ContactWork) -> f64 {
        let own = &mut self.contacts[contact];
        own.work.add(work);
        let pair = &mut self.accounts[own.pair as usize];
        pair.totals.enter_work(work);
        for term in Term::of_contacts() {
            pair.largest[term] = larger(pair.largest[term], work[term]);
        }
        own.work.passed
    }

    /// Enters its impulse and what it did.
    pub(super) fn enter(&mut self, contact: usize, p: [f64; 3], status: Status) {
        let own = &mut self.contacts[contact];
        let totals = &mut self.accounts[own.pair as usize].totals;
        totals.touching = own.touching;
        totals.enter(p, status);
        own.touching = std::mem::take(&mut totals.touching);
        totals.impulse = [totals.impulse[0], 0.0, 0.0];
    }

    /// Works of a contact of the last step since its bodies met there, and what passed through it.
    pub fn work_of(&self, contact: usize) -> &ContactWork {
        &self.contacts[contact].work
    }

    /// Number of pairs of bodies that have met.
    pub fn len(&self) -> usize {
        self.accounts.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.accounts.is_empty()
    }

    /// The accounts, ascending by their bodies.
    pub fn iter(&self) -> impl Iterator<Item = &PairAccount> {
        self.index.iter().map(|&(_, place)| &self.accounts[place as usize])
    }

    /// Passes over them.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        let number = |tape: &mut Tape, number: &mut u32| {
            let mut wide = u64::from(*number);
            tape.count(&mut wide);
            *number = wide as u32;
        };
        tape.list(&mut self.accounts, |tape, own| {
            own.bodies.iter_mut().for_each(|body| number(tape, body));
            number(tape, &mut own.set);
            own.totals.remember(tape);
            Term::of_contacts().for_each(|term| tape.real(&mut own.largest[term]));
        });
        tape.list(&mut self.contacts, |tape, own| {
            own.key.remember(tape);
            number(tape, &mut own.pair);
            own.work.remember(tape);
            tape.flag(&mut own.touching);
        });
        if tape.reads() {
            let bodies = self.accounts.iter().map(|account| account.bodies);
            self.index = bodies.zip(0u32..).collect();
            self.index.sort_unstable();
            let count = self.accounts.len();
            if self.contacts.iter().any(|contact| contact.pair as usize >= count) {
                self.contacts.clear();
                tape.refuse("a contact of two bodies has no account");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(bodies: [u32; 2], feature: u32) -> (ContactKey, u32) {
        (ContactKey { bodies, feature, ..ContactKey::default() }, 0)
    }

    /// A step in which every contact is pushed with 1 and takes 2.
    fn step(accounts: &mut PairAccounts, pairs: &[(ContactKey, u32)]) -> Vec<f64> {
        accounts.admit(pairs);
        let work = ContactWork::new([(Term::Normal, -2.0), (Term::Tangential, 0.5)], 3.0);
        let passed = (0..pairs.len()).map(|c| accounts.enter_work(c, &work)).collect();
        (0..pairs.len()).for_each(|c| accounts.enter(c, [1.0, 4.0, 0.0], Status::Stick));
        passed
    }

    /// What is kept of a contact that rolls on is what its bodies did; what passed is counted from where they met anew.
    #[test]
    fn a_body_that_rolls_over_many_features_has_one_account() {
        let mut accounts = PairAccounts::default();
        for feature in 0..100 {
            let passed = step(&mut accounts, &[key([0, 7], feature), key([0, 7], feature + 1)]);
            assert_eq!(passed[0], if feature == 0 { 3.0 } else { 6.0 });
            assert_eq!(passed[1], 3.0);
        }
        assert_eq!((accounts.len(), accounts.contacts.len()), (1, 2));
        let account = accounts.iter().next().unwrap();
        assert_eq!(account.bodies, [0, 7]);
        let totals = &account.totals;
        assert_eq!((totals.work[Term::Normal], totals.work.passed), (-400.0, 600.0));
        assert_eq!((totals.created, totals.impulse), (100.0, [200.0, 0.0, 0.0]));
        assert_eq!((totals.closings, totals.stick, totals.slip), (101, 200, 0));
        assert_eq!((account.largest[Term::Normal], account.largest[Term::Tangential]), (0.0, 0.5));
    }

    #[test]
    fn accounts_ascend_by_bodies_whenever_they_were_opened() {
        let mut accounts = PairAccounts::default();
        let steps: [&[[u32; 2]]; 4] =
            [&[[2, 3], [4, 5]], &[[0, 9], [2, 3], [3, 4]], &[], &[[0, 1], [0, 9], [4, 5]]];
        for pairs in steps {
            let pairs: Vec<_> = pairs.iter().map(|&bodies| key(bodies, 1)).collect();
            step(&mut accounts, &pairs);
        }
        let found: Vec<_> = accounts.iter().map(|own| (own.bodies, own.totals.closings)).collect();
        let expected = [([0, 1], 1), ([0, 9], 2), ([2, 3], 1), ([3, 4], 1), ([4, 5], 2)];
        assert_eq!(found, expected);
    }

    #[test]
    fn accounts_go_on_after_a_checkpoint_as_if_there_had_been_none() {
        let pairs = [key([0, 1], 1), key([0, 1], 2), key([3, 8], 1)];
        let mut accounts = PairAccounts::default();
        step(&mut accounts, &pairs[1..]);
        step(&mut accounts, &pairs);
        let mut tape = Tape::new();
        accounts.remember(&mut tape);
        let mut read = PairAccounts::default();
        let mut tape = Tape::of(tape.into_bytes());
        read.remember(&mut tape);
        tape.finish().unwrap();
        assert_eq!(step(&mut read, &pairs), step(&mut accounts, &pairs));
        assert!(read.iter().eq(accounts.iter()));
    }
}
