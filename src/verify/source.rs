//! What the case text of a summary says, derived anew.

use std::path::Path;

use super::Check;
use crate::case::Case;
use crate::energy::Coverage;
use crate::error::Error;
use crate::model::{Model, TheoremFacts, read_mesh};
use crate::output::{ContactSummary, Summary, hash_of};

/// What a case text makes of a run.
pub(super) struct Source {
    /// Names of the contact sets, sliders among them.
    pub contacts: Vec<String>,
    /// What the theorem asks, and whether the case has it.
    pub coverage: Coverage,
    /// That the summary says the same of scheme, laws and steps.
    pub checks: Vec<Check>,
    /// What could not be derived.
    pub unknown: Vec<String>,
}

impl Source {
    /// Of the text and the overrides in a summary.
    pub fn of(summary: &Summary) -> Result<Self, Error> {
        let own = &summary.case;
        let case = Case::from_text(Path::new(&own.file), own.text.clone(), &own.overrides)?;
        let laws = case.laws();
        let coverage = |facts: &TheoremFacts| facts.coverage(&case);
        let recorded = TheoremFacts {
            frames_turn: summary.scheme.frames_turn,
            damped: summary.scheme.damped,
            stable: summary.scheme.largest_stable_step.is_none_or(|h| summary.scheme.step <= h),
        };
        let worst = TheoremFacts { frames_turn: true, damped: true, stable: false };
        let mut checks = check_scheme(&case, summary);
        let (mut facts, mut unknown) = (recorded, Vec::new());
        if coverage(&recorded) != coverage(&worst) {
            match facts_of(&case, summary) {
                Ok(found) => {
                    let what = "frames, damping and stable steps are those of the mesh";
                    checks.push(Check { what: what.into(), holds: found == recorded });
                    facts = found;
                }
                Err(why) => unknown.push(format!(
                    "whether frames turn, anything is damped and the step is stable, which matters for this \
                     scheme: {why}"
                )),
            }
        }
        let contacts = laws.into_iter().map(|law| law.name).collect();
        Ok(Self { contacts, coverage: coverage(&facts), checks, unknown })
    }
}

/// Facts of the model, built again where its files are what they were.
fn facts_of(case: &Case, summary: &Summary) -> Result<TheoremFacts, String> {
    for (key, path) in case.files() {
        let bytes =
            std::fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
        let hash = format!("{key}={:016x}", hash_of(&bytes));
        if !summary.case.files.contains(&hash) {
            return Err(format!("{} is not what it was", path.display()));
        }
    }
    let mesh = read_mesh(case).map_err(|error| error.to_string())?;
    let model = Model::build(case, &mesh).map_err(|error| error.to_string())?;
    Ok(TheoremFacts::of(&model.problem, model.largest_stable_step))
}

/// That scheme, laws and steps of a summary are those of its case text.
fn check_scheme(case: &Case, summary: &Summary) -> Vec<Check> {
    let (own, counts) = (&case.scheme, &summary.counts);
    let recorded = &summary.scheme;
    let law = |law: &crate::case::ContactLaw| ContactSummary {
        name: law.name.clone(),
        friction: law.friction.coefficient(),
        restitution: law.restitution.normal,
        tangential_restitution: law.restitution.tangential,
    };
    let laws: Vec<ContactSummary> = case.laws().iter().map(law).collect();
    let tolerance = own.activation.velocity_tolerance();
    let gap = own.gap_tolerance.is_none_or(|gap| gap == summary.scales.gap_tolerance);
    let every = [case.output.history_every, case.output.fields_every];
    let told = [
        ("name, title and units", {
            let told = &summary.case;
            (&case.name, &case.title, &case.units) == (&told.name, &told.title, &told.units)
        }),
        ("scheme and theta", own.parameters == recorded.parameters),
        ("law", own.law.name() == recorded.law),
        ("step", own.step == recorded.step),
        ("end", own.step * own.steps as f64 == recorded.end && own.steps == counts.steps),
        ("activation", case.activation_name() == recorded.activation),
        ("tolerances", tolerance == summary.scales.velocity_tolerance && gap),
        ("friction and restitution", laws == recorded.contacts),
        ("rows and frames", every == [counts.history_every, counts.fields_every]),
    ];
    let check = |(what, holds): (&str, bool)| Check {
        what: format!("{what}: summary.json says what its case text says"),
        holds,
    };
    let differs: Vec<Check> = told.into_iter().filter(|(_, holds)| !holds).map(check).collect();
    match differs.is_empty() {
        true => vec![Check {
            what: "scheme, theta, law, e, e_T, activation, steps and outputs are those of the case text".into(),
            holds: true,
        }],
        false => differs,
    }
}
