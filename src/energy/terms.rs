//! What a step does to the energies, what contacts do in it, and the sums of both.

use std::ops::{Index, IndexMut};

use super::table::{FIRST_OF_CONTACTS, OF_CONTACTS, TOTAL, Term, TermClass};
use crate::contact::Status;
use crate::tape::Tape;

/// A number for each term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms([f64; Term::ALL.len()]);

impl Terms {
    /// Those that are given; the others are 0.
    pub fn of(given: impl IntoIterator<Item = (Term, f64)>) -> Self {
        let mut terms = Self::default();
        given.into_iter().for_each(|(term, number)| terms[term] = number);
        terms
    }

    /// Sum of some, in their order.
    pub fn sum(&self, some: impl Iterator<Item = Term>) -> f64 {
        some.map(|term| self[term]).reduce(|sum, number| sum + number).unwrap_or(0.0)
    }

    /// E, the sum of the energies.
    pub fn total(&self) -> f64 {
        self.sum(Term::energies())
    }

    /// Each under its column, with `total` as E; see [`Term::columns`].
    pub fn under_columns(&self, total: f64) -> impl Iterator<Item = (&'static str, f64)> {
        let number = |term: Term| (term.line().column, self[term]);
        Term::energies().map(number).chain([(TOTAL, total)]).chain(Term::works().map(number))
    }

    /// Passes over them.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        self.0.iter_mut().for_each(|number| tape.real(number));
    }
}

impl Index<Term> for Terms {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.0[term as usize]
    }
}

impl IndexMut<Term> for Terms {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        &mut self.0[term as usize]
    }
}

/// A number for each term of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactTerms([f64; OF_CONTACTS]);

impl ContactTerms {
    /// Those that are given; the others are 0.
    pub fn of(given: impl IntoIterator<Item = (Term, f64)>) -> Self {
        let mut terms = Self::default();
        given.into_iter().for_each(|(term, number)| terms[term] = number);
        terms
    }
}

impl Index<Term> for ContactTerms {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.0[term as usize - FIRST_OF_CONTACTS]
    }
}

impl IndexMut<Term> for ContactTerms {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        &mut self.0[term as usize - FIRST_OF_CONTACTS]
    }
}

/// Works of one contact in one step: u_N,θ p_N and u_T,θ·p_T.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWork {
    works: ContactTerms,
    /// What passes through the contact: its impulse, and rounding of one that it could need, times the velocities that it
    /// meets, of which the works are a small difference where it holds. Nothing but the contact itself enters it.
    pub passed: f64,
}

impl ContactWork {
    /// The works that are given, of terms of contacts; the others are 0.
    pub fn new(given: impl IntoIterator<Item = (Term, f64)>, passed: f64) -> Self {
        Self { works: ContactTerms::of(given), passed }
    }

    /// The sum of its positive works.
    pub(super) fn created(&self) -> f64 {
        let positive = |work: f64| if work <= 0.0 { 0.0 } else { work };
        self.works.0.into_iter().map(positive).reduce(|sum, work| sum + work).unwrap_or(0.0)
    }

    /// The largest of its works, and whose it is; NaN where one is.
    pub fn largest(&self) -> (Term, f64) {
        let works = Term::of(TermClass::Contact).map(|term| (term, self[term]));
        let larger =
            |a: (Term, f64), b: (Term, f64)| if a.1 >= b.1 || a.1.is_nan() { a } else { b };
        works.reduce(larger).unwrap_or((Term::Normal, 0.0))
    }

    /// Sum of its works.
    pub fn in_all(&self) -> f64 {
        self.works.0.into_iter().reduce(|sum, work| sum + work).unwrap_or(0.0)
    }

    /// Adds another.
    pub(super) fn add(&mut self, more: &Self) {
        self.works.0.iter_mut().zip(more.works.0).for_each(|(sum, work)| *sum += work);
        self.passed += more.passed;
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        self.works.0.iter_mut().for_each(|work| tape.real(work));
        tape.real(&mut self.passed);
    }
}

impl Index<Term> for ContactWork {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.works[term]
    }
}

impl IndexMut<Term> for ContactWork {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        &mut self.works[term]
    }
}

/// What the stepper measures of one step: the energies after it, and the works on its dofs; those of contacts are not
/// among them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTerms {
    terms: Terms,
    /// What rounding alone can make of the balance.
    pub rounding: f64,
}

impl StepTerms {
    /// Those that are given; the others are 0.
    pub fn of(given: impl IntoIterator<Item = (Term, f64)>) -> Self {
        let mut step = Self::default();
        given.into_iter().for_each(|(term, number)| step[term] = number);
        step
    }

    /// E, the sum of the energies.
    pub fn total(&self) -> f64 {
        self.terms.total()
    }

    /// Sum of some, in their order.
    pub fn sum(&self, some: impl Iterator<Item = Term>) -> f64 {
        self.terms.sum(some)
    }

    /// Adds those of more dofs.
    pub fn add(&mut self, more: &Self) {
        self.terms.0.iter_mut().zip(more.terms.0).for_each(|(sum, number)| *sum += number);
        self.rounding += more.rounding;
    }
}

impl Index<Term> for StepTerms {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.terms[term]
    }
}

impl IndexMut<Term> for StepTerms {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        assert!(term.line().of_contact.is_none(), "{term:?} is entered contact by contact");
        &mut self.terms[term]
    }
}

/// Energies now, and works since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// A number for each term.
    pub terms: Terms,
    /// Sum of all positive works of single contacts.
    pub work_created: f64,
    /// Sum of what passed through the contacts.
    pub work_passed: f64,
}

impl Totals {
    /// Of the energies at t = 0.
    pub(super) fn at_start(start: &StepTerms) -> Self {
        let terms = Terms::of(Term::energies().map(|term| (term, start[term])));
        Self { terms, ..Self::default() }
    }

    /// E, the sum of the energies.
    pub fn total(&self) -> f64 {
        self.terms.total()
    }

    /// Enters a step: its terms, the works of its contacts, and the sum of those that are positive.
    pub(super) fn enter(&mut self, step: &StepTerms, contacts: &ContactWork, created: f64) {
        Term::energies().for_each(|term| self.terms[term] = step[term]);
        Term::works_on_dofs().for_each(|term| self.terms[term] += step[term]);
        Term::of(TermClass::Contact).for_each(|term| self.terms[term] += contacts[term]);
        self.work_created += created;
        self.work_passed += contacts.passed;
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        self.terms.remember(tape);
        tape.real(&mut self.work_created);
        tape.real(&mut self.work_passed);
    }
}

impl Index<Term> for Totals {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.terms[term]
    }
}

/// The balance of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepBalance {
    /// Left side less right side of the identity.
    pub residual: f64,
    /// Largest work of a contact, or 0, of each term.
    pub largest: ContactTerms,
    /// Smallest work of a contact, or 0, of each term.
    pub smallest: ContactTerms,
    /// Largest share of what passes through a contact that it created, or 0.
    pub work_share: f64,
    /// What rounding alone can have made of the residual.
    pub rounding: f64,
    /// Number of active contacts.
    pub contacts: usize,
    /// How many of them are between bodies.
    pub contacts_of_bodies: usize,
}

impl StepBalance {
    /// Its extremes, under the columns of [`Term::extremes`].
    pub fn extremes(&self) -> impl Iterator<Item = f64> {
        let of = |term: Term| {
            let (line, own) = (term.line(), [self.largest[term], self.smallest[term]]);
            let columns = [line.largest, line.smallest].into_iter().zip(own);
            columns.filter_map(|(column, number)| column.map(|_| number))
        };
        Term::of_contacts().flat_map(of)
    }

    /// Meets works.
    pub(super) fn meet(&mut self, largest: impl Fn(Term) -> f64, smallest: impl Fn(Term) -> f64) {
        for term in Term::of_contacts() {
            self.largest[term] = larger(self.largest[term], largest(term));
            self.smallest[term] = -larger(-self.smallest[term], -smallest(term));
        }
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.residual);
        for term in Term::of_contacts() {
            let (line, own) = (term.line(), [&mut self.largest[term], &mut self.smallest[term]]);
            let kept = [line.largest, line.smallest].into_iter().zip(own);
            kept.filter(|(column, _)| column.is_some()).for_each(|(_, number)| tape.real(number));
        }
        tape.real(&mut self.work_share);
        tape.real(&mut self.rounding);
        tape.size(&mut self.contacts);
        tape.size(&mut self.contacts_of_bodies);
    }
}

/// What one candidate did since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactTotals {
    /// Works, and what passed through it.
    pub work: ContactWork,
    /// Sum of its positive works.
    pub created: f64,
    /// Impulse (normal, tangential) in the frames of its steps.
    pub impulse: [f64; 3],
    /// How often it closed.
    pub closings: u64,
    /// Steps in stick.
    pub stick: u64,
    /// Steps in slip.
    pub slip: u64,
    pub(super) touching: bool,
}

impl ContactTotals {
    /// Enters its works in a step.
    pub(super) fn enter_work(&mut self, work: &ContactWork) {
        self.work.add(work);
        self.created += work.created();
    }

    /// Enters what it did in a step.
    pub(super) fn enter(&mut self, p: [f64; 3], status: Status) {
        self.impulse.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
        let touching = match status {
            Status::Open => false,
            Status::Stick => {
                self.stick += 1;
                true
            }
            Status::Slip => {
                self.slip += 1;
                true
            }
        };
        self.closings += u64::from(touching && !self.touching);
        self.touching = touching;
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        self.work.remember(tape);
        tape.real(&mut self.created);
        tape.reals(&mut self.impulse);
        tape.count(&mut self.closings);
        tape.count(&mut self.stick);
        tape.count(&mut self.slip);
        tape.flag(&mut self.touching);
    }
}

/// What the scheme itself gave and took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NumericalWork {
    /// The most that it has ever given in all since the start, or 0.
    pub gained: f64,
    /// Sum of the magnitudes of all that it gave and took.
    pub passed: f64,
    /// What rounding alone can have made of it.
    pub rounding: f64,
}

impl NumericalWork {
    /// Enters a step before and after which it has given so much since the start.
    pub fn enter(&mut self, before: f64, after: f64, rounding: f64) {
        self.gained = larger(self.gained, after);
        self.passed += (after - before).abs();
        self.rounding += rounding;
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.gained);
        tape.real(&mut self.passed);
        tape.real(&mut self.rounding);
    }
}

/// The larger of two numbers, or NaN where one is: what is not a number must not hide.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}
