//! The discrete energy identity (65), step by step and contact by contact:
//!
//! ```text
//!     ΔE − W_ext − W_damp = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K) + Σ_α (u_N,θ p_N + u_T,θ·p_T)
//! ```

use super::bodies::{BodyAccount, BodyTerms};
use super::certificate::{BALANCE_TOLERANCE, REMEMBERED, SetWork, Worst, balance_limit, share};
use super::pairs::PairAccounts;
use super::table::{Term, TermClass};
use super::terms::{
    ContactTotals, ContactWork, NumericalWork, StepBalance, StepTerms, Totals, larger,
};
use crate::contact::{ContactKey, ContactSet, Contacts, Status};
use crate::tape::Tape;

/// Keeps the account of a run.
#[derive(Clone, Debug)]
pub struct Ledger {
    totals: Totals,
    balance: StepBalance,
    contacts: Vec<ContactTotals>,
    pairs: PairAccounts,
    bodies: Vec<BodyAccount>,
    energy_scale: f64,
    worst: StepBalance,
    numerical: NumericalWork,
}

/// Share of the certificate's tolerance from which on a step is refined.
const REFINE_FROM: f64 = 0.1;

impl Ledger {
    /// Opens the account with the energies at t = 0.
    pub fn new(start: StepTerms, candidates: usize) -> Self {
        let mut ledger = Self {
            totals: Totals::at_start(&start),
            balance: StepBalance::default(),
            contacts: vec![ContactTotals::default(); candidates],
            pairs: PairAccounts::default(),
            bodies: Vec::new(),
            energy_scale: 0.0,
            worst: StepBalance::default(),
            numerical: NumericalWork::default(),
        };
        ledger.grow_scale();
        ledger
    }

    /// Opens the accounts of bodies, by name, with their energies at t = 0.
    pub fn open_bodies(&mut self, names: Vec<String>, starts: &[StepTerms]) {
        let accounts = names.into_iter().zip(starts);
        self.bodies = accounts.map(|(name, start)| BodyAccount::new(name, *start)).collect();
    }

    /// Enters what the step did to each body.
    pub fn enter_bodies(&mut self, steps: &[BodyTerms]) {
        self.bodies.iter_mut().zip(steps).for_each(|(own, step)| own.enter(step));
    }

    /// Whether the balance of a step, or that of a body in it, is worse than rounding makes it, by a share of what the
    /// certificate allows: the factor has lost digits, and one more pair of sweeps brings them back.
    pub fn asks_for_refinement(
        &self,
        terms: &StepTerms,
        work: &[ContactWork],
        bodies: &[BodyTerms],
    ) -> bool {
        let beyond = |residual: f64, scale: f64, rounding: f64| {
            residual.abs() > (REFINE_FROM * BALANCE_TOLERANCE * scale).max(rounding)
        };
        let mut accounts = self.bodies.iter().zip(bodies);
        beyond(self.residual_of(terms, work), self.energy_scale, terms.rounding)
            || accounts.any(|(own, step)| {
                let scale = own.balance.energy_scale;
                beyond(own.residual_of(step), scale, step.terms.rounding)
            })
    }

    /// The first body whose last step is not balanced: its name, the residual, and the limit.
    pub fn unbalanced_body(&self) -> Option<(&str, f64, f64)> {
        let off = self.bodies.iter().find(|own| !own.balance.balanced())?;
        let balance = &off.balance;
        Some((&balance.body, balance.max_balance_residual, balance.balance_limit()))
    }

    /// How far a step with these terms and works of its contacts is from closing the identity.
    pub fn residual_of(&self, terms: &StepTerms, work: &[ContactWork]) -> f64 {
        let mut sum = ContactWork::default();
        work.iter().for_each(|work| sum.add(work));
        let gained = terms.total() - self.totals.total();
        gained - terms.sum(Term::works_on_dofs()) - sum.in_all()
    }

    /// Opens accounts for the contacts between bodies in a step, given with their contact sets and ascending by key: they
    /// are those behind all candidates.
    pub fn admit(&mut self, pairs: &[(ContactKey, u32)]) {
        self.pairs.admit(pairs);
    }

    /// Enters the works of a contact of this step; what has passed through it so far is returned.
    fn enter_work(&mut self, c: usize, work: &ContactWork) -> f64 {
        match c.checked_sub(self.contacts.len()) {
            None => {
                let own = &mut self.contacts[c];
                own.enter_work(work);
                own.work.passed
            }
            Some(contact) => self.pairs.enter_work(contact, work),
        }
    }

    /// Enters a step: its terms, and the works of its `active` contacts in their order.
    pub fn enter(&mut self, terms: &StepTerms, active: &[u32], work: &[ContactWork]) {
        let candidates = self.contacts.len() as u32;
        let mut balance = StepBalance {
            contacts: active.len(),
            contacts_of_bodies: active.len() - active.partition_point(|&c| c < candidates),
            rounding: terms.rounding,
            ..StepBalance::default()
        };
        let (mut sum, mut created) = (ContactWork::default(), 0.0);
        for (&c, work) in active.iter().zip(work) {
            let passed = self.enter_work(c as usize, work);
            sum.add(work);
            created += work.created();
            let through = work.passed + REMEMBERED * passed;
            balance.work_share = larger(balance.work_share, share(work.largest().1, through));
            balance.meet(|term| work[term], |term| work[term]);
        }
        balance.residual = self.residual_of(terms, work);
        let of_scheme = || Term::of(TermClass::Scheme);
        let before = self.totals.terms.sum(of_scheme());
        self.totals.enter(terms, &sum, created);
        let after = self.totals.terms.sum(of_scheme());
        self.numerical.enter(before, after, terms.rounding);
        self.balance = balance;
        self.worst.rounding = larger(self.worst.rounding, terms.rounding);
        self.worst.work_share = larger(self.worst.work_share, balance.work_share);
        self.worst.residual = larger(self.worst.residual, balance.residual.abs());
        self.worst.meet(|term| balance.largest[term], |term| balance.smallest[term]);
        self.worst.contacts = self.worst.contacts.max(balance.contacts);
        self.worst.contacts_of_bodies =
            self.worst.contacts_of_bodies.max(balance.contacts_of_bodies);
        self.grow_scale();
    }

    /// Enters what the candidates, and the pairs behind them, did in that step.
    pub fn enter_contacts(&mut self, impulse: &[[f64; 3]], status: &[Status]) {
        let candidates = self.contacts.len();
        let mut steps = impulse.iter().zip(status);
        for (own, (p, status)) in self.contacts.iter_mut().zip(&mut steps) {
            own.enter(*p, *status);
        }
        for (contact, (p, status)) in impulse.iter().zip(status).skip(candidates).enumerate() {
            self.pairs.enter(contact, *p, *status);
        }
    }

    /// Passes over the account.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.totals.remember(tape);
        self.balance.remember(tape);
        self.worst.remember(tape);
        tape.real(&mut self.energy_scale);
        self.numerical.remember(tape);
        self.contacts.iter_mut().for_each(|own| own.remember(tape));
        self.pairs.remember(tape);
        self.bodies.iter_mut().for_each(|own| own.remember(tape));
    }

    /// The largest energy or external work met so far.
    fn grow_scale(&mut self) {
        let now = &self.totals;
        let met = Term::scaling().map(|term| now[term]).chain([now.total()]);
        self.energy_scale = met.fold(self.energy_scale, |scale, e| scale.max(e.abs()));
    }

    /// Energies now, works since the start.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The larger work of contact `c` in the step that was entered last, as a share of what passed through it.
    pub fn share_of(&self, c: usize, work: &ContactWork) -> f64 {
        let own = match c.checked_sub(self.contacts.len()) {
            None => &self.contacts[c].work,
            Some(contact) => self.pairs.work_of(contact),
        };
        let through = work.passed + REMEMBERED * own.passed;
        share(work.largest().1, through)
    }

    /// The last step's balance.
    pub fn balance(&self) -> &StepBalance {
        &self.balance
    }

    /// The residual that a step so far must exceed not to be balanced.
    pub fn balance_limit(&self) -> f64 {
        balance_limit(self.energy_scale, self.worst.rounding)
    }

    /// The worst of each over all steps: largest |residual| and works.
    pub fn worst(&self) -> &StepBalance {
        &self.worst
    }

    /// What each candidate did.
    pub fn contacts(&self) -> &[ContactTotals] {
        &self.contacts
    }

    /// What the pairs of bodies did that have met so far.
    pub fn pairs(&self) -> &PairAccounts {
        &self.pairs
    }

    /// What a run so far is judged by; `contacts` tells the set of each candidate and the names of sets.
    pub fn to_judge(&self, contacts: &Contacts) -> Worst {
        let named = |set: &ContactSet| SetWork { contact: set.name.clone(), ..SetWork::default() };
        let mut sets: Vec<SetWork> = contacts.sets.iter().map(named).collect();
        for (candidate, own) in contacts.candidates.iter().zip(&self.contacts) {
            let set = &mut sets[candidate.set];
            set.created += own.created;
            set.passed += own.work.passed;
        }
        for own in self.pairs.iter() {
            sets[own.set as usize].created += own.totals.created;
            sets[own.set as usize].passed += own.totals.work.passed;
        }
        Worst {
            energy_scale: self.energy_scale,
            residual: self.worst.residual,
            balance_floor: self.worst.rounding,
            largest: self.worst.largest,
            work_share: self.worst.work_share,
            contacts: sets,
            bodies: self.bodies.iter().map(|own| own.balance.clone()).collect(),
            numerical: self.numerical.gained,
            numerical_passed: self.numerical.passed,
            numerical_floor: self.numerical.rounding,
        }
    }

    /// The largest energy or external work met: what works and residuals are small against.
    pub fn energy_scale(&self) -> f64 {
        self.energy_scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body that falls: kinetic energy comes from the potential, a contact takes a part.
    #[test]
    fn identity_closes_when_every_joule_is_entered_and_not_otherwise() {
        let start = StepTerms::of([(Term::Potential, 10.0)]);
        let end = StepTerms::of([
            (Term::Kinetic, 6.0),
            (Term::Potential, 5.0),
            (Term::External, 2.0),
            (Term::Damping, -0.25),
            (Term::Numerical, -0.25),
        ]);
        let given = [(Term::Normal, -0.125), (Term::Tangential, -0.375)];
        let work = [ContactWork::new(given, 2.0)];
        let mut ledger = Ledger::new(start, 3);
        ledger.enter(&end, &[2], &work);
        assert_eq!(ledger.balance().residual, 0.0);
        assert_eq!(ledger.contacts()[2].work, work[0]);
        assert_eq!(ledger.energy_scale(), 11.0);
        let mut careless = Ledger::new(start, 3);
        careless.enter(&end, &[], &[]);
        assert_eq!(careless.balance().residual, -0.5);
    }

    #[test]
    fn closings_count_each_time_a_contact_begins_to_touch() {
        let mut ledger = Ledger::new(StepTerms::default(), 1);
        for status in [Status::Open, Status::Stick, Status::Slip, Status::Open, Status::Stick] {
            ledger.enter_contacts(&[[1.0, -1.0, 0.0]], &[status]);
        }
        let totals = ledger.contacts()[0];
        assert_eq!((totals.closings, totals.stick, totals.slip), (2, 2, 1));
        assert_eq!(totals.impulse, [5.0, -5.0, 0.0]);
    }
}
