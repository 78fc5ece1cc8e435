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

/// What the theorem asks, and whether the case has it.
pub(super) fn coverage(problem: &Problem, largest_stable_step: Option<f64>) -> Coverage {
    let sets = problem.contacts.sets.iter();
    let sets: Vec<_> = sets.map(|set| (!set.friction.is_none(), set.restitution)).collect();
    problem.scheme.coverage(&TheoremSetting {
        sets: &sets,
        activation: problem.activation.rule,
        frames_turn: problem.frames_turn(),
        damped: problem.damping.is_some(),
        stable: largest_stable_step.is_none_or(|limit| problem.h <= limit),
    })
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
