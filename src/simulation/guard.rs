//! What stops a run: numbers that are none, and energy that nothing may have created.
//!
//! After every stage its own numbers are looked at, so that the stage that made the first NaN or infinity is
//! known, and its node with it: a sweep down carries one to later dofs of the elimination order, a sweep up to
//! earlier ones.

use super::finite::{all_finite, in_limits, in_terms, in_totals};
use super::names::Names;
use crate::assembly::Body;
use crate::case::{Case, OnFailure};
use crate::contact::solver::SolveReport;
use crate::energy::{ContactWork, Coverage, Ledger, StepTerms, WORK_SHARE};
use crate::error::Error;
use crate::step::{State, StepStage, Stepper};

/// The stages of a step as the guard names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Start,
    Rhs,
    Forward,
    Contact,
    Backward,
    Advance,
    Ledger,
}

impl After {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Rhs => "rhs",
            Self::Forward => "forward",
            Self::Contact => "contact",
            Self::Backward => "backward",
            Self::Advance => "advance",
            Self::Ledger => "ledger",
        }
    }
}

/// Which step is taken, and where its time ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    pub step: usize,
    pub time: f64,
}

/// Knows what nodes are called, and what the theorem promises.
pub(super) struct Guard<'a> {
    case: &'a Case,
    pub names: Names<'a>,
    coverage: Coverage,
    /// Whether a violation was told.
    told: bool,
}

/// Something that is not finite.
struct NotFinite {
    quantity: String,
    value: f64,
    remedy: &'static str,
}

const BLEW_UP: &str = "the run blew up: choose a smaller scheme.step or activation = \"closed\"";
const TOO_LARGE: &str = "is a number of the case, or the unit it is in, too large?";

impl<'a> Guard<'a> {
    /// Of a run of which the theorem promises so much.
    pub fn new(case: &'a Case, body: &'a Body<'a>, coverage: Coverage) -> Self {
        Self { case, names: Names { case, body }, coverage, told: false }
    }

    /// The step that a state is about to take.
    pub fn next(&self, state: &State) -> When {
        let step = state.step + 1;
        When { step, time: step as f64 * self.case.scheme.step }
    }

    /// The state at t = 0 and its energies.
    pub fn check_start(&self, stepper: &dyn Stepper, state: &State) -> Result<(), Error> {
        let at = When { step: state.step, time: state.time };
        let terms = stepper.energies_at_start(state);
        let found = self
            .in_poses(stepper, state)
            .or_else(|| self.in_state(stepper, state))
            .or_else(|| in_terms(&terms).map(|(what, value)| self.of_terms(&what, value, state)));
        let found = found.map(|found| NotFinite { remedy: TOO_LARGE, ..found });
        refuse(After::Start, at, found)
    }

    /// What a stage of a step has worked on.
    pub fn check_stage(
        &self,
        stage: StepStage,
        at: When,
        stepper: &dyn Stepper,
    ) -> Result<(), Error> {
        match stage {
            StepStage::Rhs => self.check_unknowns(After::Rhs, at, stepper),
            StepStage::Forward => self.check_unknowns(After::Forward, at, stepper),
            StepStage::Contact => self.check_contacts(at, stepper),
            StepStage::Backward => self.check_unknowns(After::Backward, at, stepper),
            StepStage::Advance | StepStage::Ledger | StepStage::Account => Ok(()),
        }
    }

    /// The unknowns after a stage that works on them.
    fn check_unknowns(&self, after: After, at: When, stepper: &dyn Stepper) -> Result<(), Error> {
        let unknowns = stepper.unknowns();
        if all_finite(unknowns) {
            return Ok(());
        }
        let order = &stepper.problem().dofs.order;
        let is_none = |&at: &usize| !unknowns[at].is_finite();
        let first = match after {
            After::Backward => (0..unknowns.len()).rev().find(is_none),
            After::Rhs => {
                (0..unknowns.len()).filter(is_none).min_by_key(|&position| order[position])
            }
            _ => (0..unknowns.len()).find(is_none),
        };
        let what = match after {
            After::Rhs => "right-hand side",
            After::Backward => "velocity of the step",
            _ => "swept right-hand side",
        };
        let given = match after {
            After::Rhs => self.in_loads(at, stepper).or_else(|| self.in_motions(at, stepper)),
            _ => None,
        };
        let of_first = |position: usize| {
            let dof = order[position] as usize;
            self.of_dof(stepper, what, dof, unknowns[position])
        };
        refuse(after, at, given.or_else(|| first.map(of_first)))
    }

    /// Gaps and impulses after the contact stage, then its unknowns.
    fn check_contacts(&self, at: When, stepper: &dyn Stepper) -> Result<(), Error> {
        let contact = stepper.contacts();
        if !all_finite(&contact.gap) || !all_finite(contact.impulse.as_flattened()) {
            let found = (0..contact.gap.len()).find_map(|c| {
                let impulse = contact.impulse[c].into_iter().map(|p| ("impulse", p));
                let mut numbers = [("gap", contact.gap[c])].into_iter().chain(impulse);
                let (what, value) = numbers.find(|(_, value)| !value.is_finite())?;
                let quantity = format!("the {what} of {}", self.contact_name(stepper, c));
                Some(NotFinite { quantity, value, remedy: BLEW_UP })
            });
            refuse(After::Contact, at, found)?;
        }
        self.check_unknowns(After::Contact, at, stepper)
    }

    /// The energies hold every dof: where one is not finite, so are they.
    pub fn check_energies(
        &self,
        stepper: &dyn Stepper,
        state: &State,
        terms: &StepTerms,
        ledger: &Ledger,
    ) -> Result<(), Error> {
        let found = in_terms(terms).or_else(|| in_totals(ledger.totals()));
        let Some((what, value)) = found.or_else(|| in_limits(ledger)) else {
            return Ok(());
        };
        let at = When { step: state.step, time: state.time };
        match self.in_poses(stepper, state).or_else(|| self.in_state(stepper, state)) {
            Some(found) => refuse(After::Advance, at, Some(found)),
            None => refuse(After::Ledger, at, Some(self.of_terms(&what, value, state))),
        }
    }

    /// Follows the case's policy where the step that was just entered violates the certificate: a contact did
    /// positive work although the theorem covers the run, or the balance does not close.
    pub fn check_certificate(
        &mut self,
        stepper: &dyn Stepper,
        state: &State,
        ledger: &Ledger,
        solve: &SolveReport,
    ) -> Result<Option<String>, Error> {
        let policy = self.case.scheme.on_violation;
        if policy == OnFailure::Continue || self.told {
            return Ok(None);
        }
        let Some(error) = self.violation(stepper, state, ledger, solve) else { return Ok(None) };
        match policy {
            OnFailure::Stop => Err(error),
            OnFailure::Warn => {
                self.told = true;
                Ok(Some(error.to_string()))
            }
            OnFailure::Continue => Ok(None),
        }
    }

    fn violation(
        &self,
        stepper: &dyn Stepper,
        state: &State,
        ledger: &Ledger,
        solve: &SolveReport,
    ) -> Option<Error> {
        let (balance, contact) = (ledger.balance(), stepper.contacts());
        let (step, time) = (state.step, state.time);
        let limit = ledger.balance_limit();
        // Negated, so that NaN is one.
        if balance.residual.abs() > limit || balance.residual.is_nan() {
            let (body, residual) = (String::new(), balance.residual);
            return Some(Error::Unbalanced { step, time, body, residual, limit });
        }
        if let Some((body, residual, limit)) = ledger.unbalanced_body() {
            let body = format!(" of {body}");
            return Some(Error::Unbalanced { step, time, body, residual, limit });
        }
        if !self.coverage.holds() || balance.work_share <= WORK_SHARE {
            return None;
        }
        let of = |&(&c, work): &(&u32, &ContactWork)| ledger.share_of(c as usize, work);
        let works = contact.active.iter().zip(&contact.work);
        let (&c, worst) = works.max_by(|a, b| of(a).total_cmp(&of(b)))?;
        let (term, work) = worst.largest();
        let direction = term.line().word;
        let limit = WORK_SHARE * work / ledger.share_of(c as usize, worst);
        let contact = self.contact_name(stepper, c as usize);
        let error = solve.error;
        Some(Error::Violated { step, time, contact, direction, work, limit, error })
    }

    /// The first load whose force overflows over the step that ends then.
    fn in_loads(&self, at: When, stepper: &dyn Stepper) -> Option<NotFinite> {
        let names = self.case.loads.iter().filter(|load| load.kind.is_pattern());
        let loads = &stepper.problem().loads.external;
        let t0 = at.time - self.case.scheme.step;
        names.zip(loads).find_map(|(case, load)| {
            let scale = [at.time, t0].map(|t| load.time.value(t));
            load.pattern.iter().find_map(|&(dof, force)| {
                let value =
                    scale.map(|scale| scale * force).into_iter().find(|f| !f.is_finite())?;
                let node = self.names.node(stepper.problem().node_of(dof as usize));
                let quantity = format!("the load '{}' on {node}", case.name);
                Some(NotFinite { quantity, value, remedy: TOO_LARGE })
            })
        })
    }

    /// The first driven dof whose motion overflows within the step that ends then.
    fn in_motions(&self, at: When, stepper: &dyn Stepper) -> Option<NotFinite> {
        let problem = stepper.problem();
        problem.dofs.driven.iter().find_map(|driven| {
            let motion = &problem.dofs.motions[driven.motion];
            let value = motion.end_velocity(at.time, problem.h, 1.0, 0.0, 0.0);
            let found = || self.of_dof(stepper, "velocity", driven.dof as usize, value);
            (!value.is_finite()).then(found)
        })
    }

    /// The first obstacle whose place or velocity is none.
    fn in_poses(&self, stepper: &dyn Stepper, state: &State) -> Option<NotFinite> {
        let sets = &stepper.problem().contacts.sets;
        sets.iter().zip(&state.poses).find_map(|(set, pose)| {
            let numbers =
                pose.travel.into_iter().chain(pose.velocity).chain([pose.angle, pose.spin]);
            let value = numbers.into_iter().find(|number| !number.is_finite())?;
            let quantity = format!("the motion of the obstacle of contact '{}'", set.name);
            Some(NotFinite { quantity, value, remedy: TOO_LARGE })
        })
    }

    /// The first number of a state that is none, node by node.
    fn in_state(&self, stepper: &dyn Stepper, state: &State) -> Option<NotFinite> {
        let vectors = [
            ("displacement", &state.q),
            ("velocity", &state.v),
            ("momentum", &state.mv),
            ("elastic force", &state.kq),
        ];
        vectors.into_iter().filter(|(_, vector)| !all_finite(vector)).find_map(|(what, vector)| {
            let dof = vector.iter().position(|value| !value.is_finite())?;
            Some(self.of_dof(stepper, what, dof, vector[dof]))
        })
    }

    fn of_dof(&self, stepper: &dyn Stepper, what: &str, dof: usize, value: f64) -> NotFinite {
        let (problem, dofs) = (stepper.problem(), &stepper.problem().dofs);
        let along = ["along x", "along y", "along z"];
        let way = match dof.checked_sub(problem.operator.node_dofs()) {
            None => along[dof % dofs.dimension],
            Some(rotation) if dofs.dimension == 3 => {
                ["about its first axis", "about its second axis", "about its third axis"]
                    [rotation % 3]
            }
            Some(_) => "about z",
        };
        let driven = if dofs.position_of(dof).is_none() { ", which is prescribed," } else { "" };
        let quantity =
            format!("the {what} of {} {way}{driven}", self.names.node(problem.node_of(dof)));
        let remedy = if driven.is_empty() { BLEW_UP } else { TOO_LARGE };
        NotFinite { quantity, value, remedy }
    }

    /// An energy that overflows while all of the state is finite.
    fn of_terms(&self, what: &str, value: f64, state: &State) -> NotFinite {
        let mesh = self.names.body.mesh;
        let fastest = (0..mesh.dimension * mesh.points.len())
            .max_by(|&a, &b| state.v[a].abs().total_cmp(&state.v[b].abs()))
            .unwrap_or(0);
        let speed = state.v.get(fastest).map_or(0.0, |v| v.abs());
        let node = self.names.node(fastest / mesh.dimension);
        let quantity = format!("the {what} (the fastest is {node} with {speed:e})");
        // What blows up does so in steps.
        let remedy = if state.step <= 1 { TOO_LARGE } else { BLEW_UP };
        NotFinite { quantity, value, remedy }
    }

    fn contact_name(&self, stepper: &dyn Stepper, c: usize) -> String {
        self.names.contact(&stepper.problem().contacts, &stepper.contacts().pairs, c)
    }
}

fn refuse(after: After, at: When, found: Option<NotFinite>) -> Result<(), Error> {
    let Some(NotFinite { quantity, value, remedy }) = found else { return Ok(()) };
    let When { step, time } = at;
    Err(Error::NotFinite { step, time, stage: after.name(), quantity, value, remedy })
}
