//! The account of each body: the identity (65) holds for every one of them, whatever the others do.
//!
//! ```text
//!     ΔE − W_ext − W_damp = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K) + v_θ·Hᵀp          over the dofs of the body      (1)
//! ```
//!
//! Its residual and the numerical work of the scheme are held to what this body has and exchanges: a body that is
//! far away, or fast, or heavy, hides nothing.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::certificate::balance_limit;
use super::columns::read_under_columns;
use super::table::{Term, TermClass};
use super::terms::{NumericalWork, StepTerms, Terms, larger};
use crate::tape::Tape;

/// The terms of one body in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyTerms {
    /// Energies after it and works within it; those of contacts and obstacles are not among them.
    pub terms: StepTerms,
    /// v_θ·Hᵀp: work of the contacts on the body.
    pub pushed: f64,
}

/// What a body gained since the start, and what was done to it: a number for each of its columns in `bodies.csv`, see
/// [`Term::of_bodies`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodySums {
    /// Its energy now, less that at the start.
    energy_change: f64,
    /// Work of contacts on it: what they take, and what others and obstacles give through them.
    work_contacts: f64,
    /// Its other works.
    works: Terms,
}

impl BodySums {
    /// Each under its column.
    pub fn under_columns(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Term::of_bodies().map(|term| (term.line().of_body, self[term]))
    }

    /// Its energy now, less that at the start.
    pub fn energy_change(&self) -> f64 {
        self.energy_change
    }

    /// All works on it.
    pub fn works(&self) -> impl Iterator<Item = f64> {
        let is_work = |term: &Term| term.line().class != TermClass::Energy;
        Term::of_bodies().filter(is_work).map(|term| self[term])
    }
}

/// What is under the column that a term has.
impl Index<Term> for BodySums {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        match term.line().class {
            TermClass::Energy => &self.energy_change,
            TermClass::Contact => &self.work_contacts,
            TermClass::Supplied | TermClass::Matter | TermClass::Scheme => &self.works[term],
        }
    }
}

impl IndexMut<Term> for BodySums {
    fn index_mut(&mut self, term: Term) -> &mut f64 {
        match term.line().class {
            TermClass::Energy => &mut self.energy_change,
            TermClass::Contact => &mut self.work_contacts,
            TermClass::Supplied | TermClass::Matter | TermClass::Scheme => &mut self.works[term],
        }
    }
}

impl Serialize for BodySums {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.under_columns())
    }
}

impl<'de> Deserialize<'de> for BodySums {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let columns = Term::of_bodies().map(|term| term.line().of_body);
        let mut sums = Self::default();
        let found = read_under_columns(from, columns)?;
        Term::of_bodies().for_each(|term| sums[term] = found[term.line().of_body]);
        Ok(sums)
    }
}

/// What a body was given and has, and the worst of its steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyBalance {
    /// What it is called.
    pub body: String,
    /// What it gained, and what was done to it.
    #[serde(flatten)]
    pub sums: BodySums,
    /// The largest energy that it has had, or work in a step.
    pub energy_scale: f64,
    /// Largest |residual| of a step.
    pub max_balance_residual: f64,
    /// What rounding alone can make of that.
    pub balance_floor: f64,
    /// The most that the numerical work has ever been since the start, or 0.
    pub max_numerical_work: f64,
    /// What rounding alone can have made of that.
    pub numerical_floor: f64,
}

impl BodyBalance {
    /// The residual that a step must exceed not to be balanced.
    pub fn balance_limit(&self) -> f64 {
        balance_limit(self.energy_scale, self.balance_floor)
    }

    /// Whether every step closed its balance.
    pub fn balanced(&self) -> bool {
        let limit = self.balance_limit();
        limit.is_finite() && self.max_balance_residual <= limit
    }
}

/// The account of one body.
#[derive(Clone, Debug)]
pub(super) struct BodyAccount {
    start: f64,
    now: StepTerms,
    numerical: NumericalWork,
    pub balance: BodyBalance,
}

impl BodyAccount {
    /// Opened with its energies at t = 0.
    pub fn new(body: String, start: StepTerms) -> Self {
        let balance = BodyBalance { body, ..BodyBalance::default() };
        let mut own =
            Self { start: start.total(), now: start, numerical: NumericalWork::default(), balance };
        own.grow_scale(0.0);
        own
    }

    /// Left side less right side of (1).
    pub fn residual_of(&self, step: &BodyTerms) -> f64 {
        let given = step.terms.sum(Term::works_on_dofs()) + step.pushed;
        step.terms.total() - self.now.total() - given
    }

    /// Enters a step.
    pub fn enter(&mut self, step: &BodyTerms) {
        let residual = self.residual_of(step).abs();
        let own = &mut self.balance;
        let of_scheme = || Term::of(TermClass::Scheme);
        let before = own.sums.works.sum(of_scheme());
        Term::works_on_dofs().for_each(|term| own.sums.works[term] += step.terms[term]);
        own.sums.work_contacts += step.pushed;
        own.sums.energy_change = step.terms.total() - self.start;
        let after = own.sums.works.sum(of_scheme());
        own.max_balance_residual = larger(own.max_balance_residual, residual);
        own.balance_floor = larger(own.balance_floor, step.terms.rounding);
        self.numerical.enter(before, after, step.terms.rounding);
        own.max_numerical_work = self.numerical.gained;
        own.numerical_floor = self.numerical.rounding;
        self.now = step.terms;
        self.grow_scale(step.pushed);
    }

    /// The largest energy, or work of a step: what a residual is small against does not grow with the run.
    fn grow_scale(&mut self, pushed: f64) {
        let (now, own) = (&self.now, &mut self.balance);
        let met = Term::scaling().map(|term| now[term]).chain([pushed]);
        own.energy_scale = met.fold(own.energy_scale, |scale, e| scale.max(e.abs()));
    }

    /// Passes over it.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.start);
        Term::energies().for_each(|term| tape.real(&mut self.now[term]));
        self.numerical.remember(tape);
        let own = &mut self.balance;
        Term::of_bodies().for_each(|term| tape.real(&mut own.sums[term]));
        for number in [
            &mut own.energy_scale,
            &mut own.max_balance_residual,
            &mut own.balance_floor,
            &mut own.max_numerical_work,
            &mut own.numerical_floor,
        ] {
            tape.real(number);
        }
    }
}
