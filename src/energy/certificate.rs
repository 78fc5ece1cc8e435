//! The certificate of a run: did anything create energy?
//!
//! Nothing is judged against a number that something else can inflate: a work of a contact against what passes
//! through that contact in that step ([`ContactWork::passed`](super::ContactWork)), the sum of all positive works of
//! a contact set against what passes through the set, the balance of a body and what the scheme itself creates in it
//! against what that body has.

use std::ops::Index;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bodies::BodyBalance;
use super::columns::read_under_columns;
use super::coverage::Coverage;
use super::table::Term;
use super::terms::ContactTerms;

/// A positive work of a contact in a step above this share of what passes through it is created energy, and so is the
/// sum of the positive works of a contact set above this share of what passes through the set: a run may have one step.
/// It is what solves must reach by default: a certificate cannot ask for more than the solver promises.
pub const WORK_SHARE: f64 = 1e-10;
/// Share of all that has passed through a contact so far that counts as passing through it in a step: a body that has come
/// to rest has velocities of which nothing is known.
pub const REMEMBERED: f64 = 1e-9;
/// A balance residual above this share of the energy scale means that the identity did not close.
pub(super) const BALANCE_TOLERANCE: f64 = 1e-12;
/// A scheme that stores energy of its own, of which nothing is proved, has created some where the most that it gave is
/// above this share of the energy scale. Any other may give nothing but rounding.
pub const STORE_SHARE: f64 = 0.1;

/// What the figures of a run say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The theorem covers the run, and no contact created energy at any step.
    #[serde(rename = "dissipative")]
    Dissipative,
    /// A contact or the scheme created energy, or the balance did not close.
    #[serde(rename = "violated")]
    Violated,
    /// No contact created energy, but nothing promises that none will.
    #[serde(rename = "not covered by the theorem")]
    NotCovered,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Dissipative => "dissipative",
            Self::Violated => "violated",
            Self::NotCovered => "not covered by the theorem",
        })
    }
}

/// What a contact set created, and what passed through it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SetWork {
    /// Its name.
    pub contact: String,
    /// Sum of all positive works of its contacts over the run.
    pub created: f64,
    /// Sum of what passed through them.
    pub passed: f64,
}

impl SetWork {
    /// What it created, as a share of what passed through it.
    pub fn share(&self) -> f64 {
        share(self.created, self.passed)
    }
}

/// `created` as a share of `passed`; no share where nothing was created, NaN where that is not known.
pub fn share(created: f64, passed: f64) -> f64 {
    if created <= 0.0 { 0.0 } else { created / passed }
}

/// The residual that a step must exceed not to be balanced, of the energy scale and of what rounding can make of it.
pub fn balance_limit(energy_scale: f64, floor: f64) -> f64 {
    (BALANCE_TOLERANCE * energy_scale).max(floor)
}

/// What a run is judged by, in units of energy but for shares.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// The largest energy or external work.
    pub energy_scale: f64,
    /// Largest |balance residual| of a step.
    pub residual: f64,
    /// A residual below this is rounding.
    pub balance_floor: f64,
    /// Largest work of a contact in a step, or 0, of each term.
    pub largest: ContactTerms,
    /// Largest share of what passes through a contact in a step that it created.
    pub work_share: f64,
    /// The sums of every contact set.
    pub contacts: Vec<SetWork>,
    /// The account of every body.
    pub bodies: Vec<BodyBalance>,
    /// The most that the numerical work of the scheme has ever been since the start, or 0.
    pub numerical: f64,
    /// Sum of the magnitudes of the numerical work of all steps.
    pub numerical_passed: f64,
    /// What rounding alone can have made of the numerical work.
    pub numerical_floor: f64,
}

/// The largest work of a contact in a step, or 0, of each term; under the keys of [`Term::largest`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LargestWorks(pub ContactTerms);

impl Index<Term> for LargestWorks {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.0[term]
    }
}

impl Serialize for LargestWorks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(Term::largest().map(|(term, key)| (key, self[term])))
    }
}

impl<'de> Deserialize<'de> for LargestWorks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = read_under_columns(from, Term::largest().map(|(_, key)| key))?;
        Ok(Self(ContactTerms::of(Term::largest().map(|(term, key)| (term, found[key])))))
    }
}

/// The figures of a run and what they say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The largest energy or external work of the run.
    pub energy_scale: f64,
    /// Largest |balance residual| of a step, relative to the energy scale.
    pub max_balance_residual: f64,
    /// What rounding alone can make of the balance; in units of energy. It matters where a body turns
    /// or travels far with little energy: the forces of a rotation cancel only to rounding.
    pub balance_floor: f64,
    /// Largest work of a contact in a step, or 0, of each term; in units of energy.
    #[serde(flatten)]
    pub largest: LargestWorks,
    /// Largest work of a contact in a step as a share of what passed through that contact in that step.
    pub max_work_share: f64,
    /// Sum of all positive works of all contacts over the run.
    pub work_created: f64,
    /// Sum of what passed through them.
    pub work_passed: f64,
    /// The same of every contact set.
    pub contacts: Vec<SetWork>,
    /// The account of every body: those that nothing but contact connects.
    pub bodies: Vec<BodyBalance>,
    /// The most that the numerical work of the scheme has ever been since the start, or 0.
    pub max_numerical_work: f64,
    /// Sum of the magnitudes of the numerical work of all steps.
    pub numerical_passed: f64,
    /// What rounding alone can have made of the numerical work.
    pub numerical_floor: f64,
    /// What the theorem asks, and whether it was so.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// What follows.
    pub verdict: Verdict,
}

impl Certificate {
    /// Judges the worst of a run.
    pub fn new(coverage: Coverage, worst: Worst) -> Self {
        let scale = worst.energy_scale;
        let relative = |x: f64| if x == 0.0 { 0.0 } else { x / scale };
        let sum = |of: fn(&SetWork) -> f64| worst.contacts.iter().map(of).sum();
        let mut certificate = Self {
            energy_scale: scale,
            max_balance_residual: relative(worst.residual),
            balance_floor: worst.balance_floor,
            largest: LargestWorks(worst.largest),
            max_work_share: worst.work_share,
            work_created: sum(|set| set.created),
            work_passed: sum(|set| set.passed),
            contacts: worst.contacts,
            bodies: worst.bodies,
            max_numerical_work: worst.numerical,
            numerical_passed: worst.numerical_passed,
            numerical_floor: worst.numerical_floor,
            coverage,
            verdict: Verdict::Violated,
        };
        let dissipates = certificate.contacts_dissipate() && certificate.scheme_dissipated();
        if certificate.balanced() && dissipates {
            certificate.verdict =
                if coverage.holds() { Verdict::Dissipative } else { Verdict::NotCovered };
        }
        certificate
    }

    /// The residual that a step must exceed not to be balanced; in units of energy.
    pub fn balance_limit(&self) -> f64 {
        balance_limit(self.energy_scale, self.balance_floor)
    }

    /// Whether every step closed the balance, of all and of every body.
    pub fn balanced(&self) -> bool {
        // What is compared with infinity is not judged at all.
        let limit = self.balance_limit();
        limit.is_finite()
            && self.max_balance_residual * self.energy_scale <= limit
            && self.bodies.iter().all(BodyBalance::balanced)
    }

    /// Whether no contact created energy in a step, and no contact set over the run.
    pub fn contacts_dissipate(&self) -> bool {
        let mut works =
            Term::of_contacts().map(|term| self.largest[term]).chain([self.work_passed]);
        works.all(|work| work.is_finite())
            && self.max_work_share <= WORK_SHARE
            && self.contacts.iter().all(|set| set.share() <= WORK_SHARE)
    }

    /// Whether the scheme itself has nowhere gained more energy than rounding can make. Where it stores energy of its
    /// own that the theorem counts, what it gives back is not gained.
    pub fn scheme_dissipated(&self) -> bool {
        let holds = |&(_, gained, limit): &(&str, f64, f64)| limit.is_finite() && gained <= limit;
        self.numerical_works().all(|work| holds(&work))
    }

    /// What the scheme itself gained in all and in each body, and what it may have gained there at most.
    fn numerical_works(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        let all = (self.max_numerical_work, self.numerical_floor, self.energy_scale);
        let limit = |floor: f64, scale: f64| match (
            self.coverage.scheme_stores,
            self.coverage.scheme_dissipates,
        ) {
            (true, true) => f64::MAX,
            (true, false) => floor.max(STORE_SHARE * scale),
            (false, _) => floor,
        };
        let bodies = self.bodies.iter().map(|own| {
            let sizes = (own.max_numerical_work, own.numerical_floor, own.energy_scale);
            (own.body.as_str(), sizes)
        });
        let works = [("", all)].into_iter().chain(bodies);
        works.map(move |(body, (gained, floor, scale))| (body, gained, limit(floor, scale)))
    }

    /// The body in which the scheme gained most for what it may have gained there; none has a name where it stands for
    /// all.
    fn worst_numerical_work(&self) -> (&str, f64, f64) {
        let share = |gained: f64, limit: f64| if gained == 0.0 { 0.0 } else { gained / limit };
        let worse = |a: (_, f64, f64), b: (_, f64, f64)| {
            let is_worse = share(b.1, b.2).is_nan() || share(b.1, b.2) > share(a.1, a.2);
            if is_worse { b } else { a }
        };
        self.numerical_works().reduce(worse).unwrap_or_default()
    }

    /// What was found, and the limits that it was held to.
    pub fn judged(&self) -> String {
        let numerical = match (self.coverage.scheme_stores, self.coverage.scheme_dissipates) {
            (true, true) => "the scheme's own store counted".into(),
            _ => {
                let (_, gained, limit) = self.worst_numerical_work();
                format!("scheme {gained:.0e} (limit {limit:.0e})")
            }
        };
        format!(
            "largest work of a contact {:.0e} of what passed through it, all positive works {:.0e} (limit \
             {WORK_SHARE:.0e} each), {numerical}",
            self.max_work_share,
            share(self.work_created, self.work_passed),
        )
    }

    /// Why the verdict is what it is.
    pub fn reason(&self) -> String {
        let missing = self.coverage.missing();
        let of_set = |set: &&SetWork| set.share().is_nan() || set.share() > WORK_SHARE;
        match self.verdict {
            Verdict::Dissipative => "no contact created energy at any step".into(),
            Verdict::Violated if !self.balanced() => {
                match self.bodies.iter().find(|own| !own.balanced()) {
                    Some(own) if self.bodies.len() > 1 => format!(
                        "the energy balance of {} did not close: {:.1e} in a step (limit {:.0e})",
                        own.body,
                        own.max_balance_residual,
                        own.balance_limit()
                    ),
                    _ => "the energy balance did not close".into(),
                }
            }
            Verdict::Violated if !self.scheme_dissipated() => {
                let (body, gained, limit) = self.worst_numerical_work();
                let place = if body.is_empty() { String::new() } else { format!(" in {body}") };
                format!(
                    "the scheme itself created {gained:.3e}{place} (limit {limit:.0e}){missing}"
                )
            }
            Verdict::Violated if self.max_work_share > WORK_SHARE => {
                let larger = |a, b| if self.largest[a] >= self.largest[b] { a } else { b };
                let term = Term::of_contacts().reduce(larger).unwrap_or(Term::Normal);
                let (created, name) = (self.largest[term], term.line().name);
                format!("a contact created {created:.3e} of {name} in a step{missing}")
            }
            Verdict::Violated => match self.contacts.iter().find(of_set) {
                Some(set) => format!(
                    "the contacts of '{}' created {:.3e} in all, {:.0e} of what passed through them (limit \
                     {WORK_SHARE:.0e}){missing}",
                    set.contact,
                    set.created,
                    set.share()
                ),
                None => format!("what passed through the contacts is not finite{missing}"),
            },
            Verdict::NotCovered => {
                format!("no contact created energy, but none of it is promised{missing}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVERED: Coverage = Coverage {
        theta_admitted: true,
        friction_on_mean_velocity: true,
        leaving_contacts_harmless: true,
        scheme_dissipates: true,
        scheme_stores: false,
    };

    fn fair() -> Worst {
        Worst { energy_scale: 1.0, ..Worst::default() }
    }

    fn judge(coverage: Coverage, worst: Worst) -> Verdict {
        Certificate::new(coverage, worst).verdict
    }

    #[test]
    fn verdict_follows_from_the_figures_and_the_theorem() {
        let newton = Coverage { friction_on_mean_velocity: false, ..COVERED };
        let largest = ContactTerms::of([(Term::Tangential, 1.0)]);
        let of = |residual, work_share| Worst { residual, work_share, largest, ..fair() };
        assert_eq!(judge(COVERED, of(1e-13, 1e-12)), Verdict::Dissipative);
        assert_eq!(judge(newton, of(1e-13, 1e-12)), Verdict::NotCovered);
        assert_eq!(judge(newton, of(1e-13, 2e-10)), Verdict::Violated);
        assert_eq!(judge(COVERED, of(2e-12, 0.0)), Verdict::Violated);
    }

    /// Many works that each are small enough, and their sum is not.
    #[test]
    fn a_set_is_judged_by_the_sum_of_its_works_and_by_no_other_set() {
        let set = |created, passed| SetWork { contact: "floor".into(), created, passed };
        let small = Worst { contacts: vec![set(1e-12, 2.0), set(0.0, 0.0)], ..fair() };
        assert_eq!(judge(COVERED, small), Verdict::Dissipative);
        let large = Worst { contacts: vec![set(0.0, 1e12), set(3e-10, 2.0)], ..fair() };
        assert_eq!(judge(COVERED, large), Verdict::Violated);
    }

    #[test]
    fn a_scheme_that_gains_is_found_beside_any_energy_unless_it_is_a_store_of_the_theorem() {
        let gains = |numerical| Worst { numerical, numerical_floor: 1e-15, ..fair() };
        let open = Coverage { scheme_dissipates: false, ..COVERED };
        assert_eq!(judge(open, gains(1e-14)), Verdict::Violated);
        assert_eq!(judge(open, Worst { energy_scale: 1e20, ..gains(1e-14) }), Verdict::Violated);
        assert_eq!(judge(COVERED, gains(1e-16)), Verdict::Dissipative);
        let stores = Coverage { scheme_stores: true, ..COVERED };
        assert_eq!(judge(stores, gains(1.0)), Verdict::Dissipative);
        let unproved = Coverage { scheme_stores: true, ..open };
        assert_eq!(judge(unproved, gains(0.01)), Verdict::NotCovered);
        assert_eq!(judge(unproved, gains(0.2)), Verdict::Violated);
    }

    /// A body that flies past with more energy than all else hides nothing of what happens in another.
    #[test]
    fn every_body_is_judged_by_what_it_has() {
        let far = BodyBalance { energy_scale: 1e12, balance_floor: 1.0, ..BodyBalance::default() };
        let far = BodyBalance { numerical_floor: 1e3, ..far };
        let near = BodyBalance { energy_scale: 1.0, ..BodyBalance::default() };
        let beside = |near| {
            let bodies = vec![far.clone(), near];
            let all = Worst { energy_scale: 1e12, balance_floor: 1.0, ..fair() };
            judge(COVERED, Worst { bodies, numerical_floor: 1e3, ..all })
        };
        assert_eq!(beside(near.clone()), Verdict::Dissipative);
        let unbalanced = BodyBalance { max_balance_residual: 1e-11, ..near.clone() };
        assert_eq!(beside(unbalanced), Verdict::Violated);
        let gains = BodyBalance { max_numerical_work: 1e-3, ..near };
        assert_eq!(beside(gains), Verdict::Violated);
    }

    #[test]
    fn a_run_of_nan_is_violated() {
        let broken = SetWork { contact: "floor".into(), created: f64::NAN, passed: 1.0 };
        for worst in [
            Worst { residual: f64::NAN, ..fair() },
            Worst { largest: ContactTerms::of([(Term::Normal, f64::NAN)]), ..fair() },
            Worst { work_share: f64::NAN, ..fair() },
            Worst { contacts: vec![broken], ..fair() },
            Worst { numerical: f64::NAN, ..fair() },
            Worst { residual: 1e-3, energy_scale: 0.0, ..fair() },
            Worst { energy_scale: f64::INFINITY, ..fair() },
            Worst { balance_floor: f64::INFINITY, ..fair() },
        ] {
            assert_eq!(judge(COVERED, worst.clone()), Verdict::Violated, "{worst:?}");
        }
    }
}
