//! What the scheme of a case asks of the problem.

use std::sync::Arc;

use crate::case::Case;
use crate::energy::Coverage;
use crate::error::Error;
use crate::step::{Problem, Scheme, TheoremSetting, largest_stable_step};

/// 2/ω where the scheme has such a limit; an error where the step is beyond it.
pub(super) fn stability(case: &Case, problem: &Arc<Problem>) -> Result<Option<f64>, Error> {
    if problem.scheme != Scheme::CentralDifference {
        return Ok(None);
    }
    // A mass that cannot be factored is told of where the stepper is made.
    let Ok(limit) = largest_stable_step(problem) else { return Ok(None) };
    if problem.h > limit && !case.scheme.allow_energy_creation {
        let message = format!(
            "{} is beyond 2/omega = {limit:.4e}, where central differences explode; choose less, another kind, or set scheme.allow_energy_creation = true",
            problem.h
        );
        return Err(case.error_at("scheme.step", message));
    }
    Ok(Some(limit))
}

/// What the theorem asks of a problem, beyond what its case says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TheoremFacts {
    /// Whether the frame of any contact turns.
    pub frames_turn: bool,
    /// Whether anything damps.
    pub damped: bool,
    /// Whether the step is one of those that stay stable.
    pub stable: bool,
}

impl TheoremFacts {
    /// Of a problem.
    pub fn of(problem: &Problem, largest_stable_step: Option<f64>) -> Self {
        Self {
            frames_turn: problem.frames_turn(),
            damped: problem.damping.is_some(),
            stable: largest_stable_step.is_none_or(|limit| problem.h <= limit),
        }
    }

    /// What the theorem asks, and whether a case of which these are the facts has it.
    pub fn coverage(&self, case: &Case) -> Coverage {
        let laws = case.laws();
        let sets: Vec<_> =
            laws.iter().map(|law| (!law.friction.is_none(), law.restitution)).collect();
        case.scheme.parameters.coverage(&TheoremSetting {
            sets: &sets,
            activation: case.scheme.activation,
            frames_turn: self.frames_turn,
            damped: self.damped,
            stable: self.stable,
        })
    }
}

/// Contacts whose restitution the scheme has no use for.
pub(super) fn unused_restitution(case: &Case) -> Vec<String> {
    let scheme = case.scheme.parameters;
    let unused =
        case.contacts.iter().filter(|c| !scheme.has_impacts() && c.restitution.normal != 0.0);
    let notice = |name: &str, e: f64| {
        format!(
            "kind = \"{}\" has no impact law: the restitution {e} of contact '{name}' is not used",
            scheme.name()
        )
    };
    unused.map(|c| notice(&c.name, c.restitution.normal)).collect()
}
