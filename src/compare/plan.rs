//! Which runs: every case with every scheme. What a planned run is, a study shares.

use std::path::PathBuf;

use crate::case::{Case, keys_of_other_kinds};
use crate::error::Error;

/// A run to take.
#[derive(Clone, Debug)]
pub struct Planned {
    /// From 1, in the order of the plan.
    pub number: usize,
    /// What it is called in table and figures.
    pub label: String,
    /// Its results folder within that of all runs.
    pub folder: String,
    /// `key.path=value` for each that is set on top of the case, in this order.
    pub overrides: Vec<String>,
}

impl Planned {
    /// With these settings. What the case says for its own kind of scheme is not meant for `kind`, where they choose
    /// one.
    pub fn new(
        number: usize,
        label: String,
        kind: &str,
        settings: impl IntoIterator<Item = String>,
    ) -> Self {
        let others = keys_of_other_kinds(kind).into_iter().map(|key| format!("scheme.{key}="));
        let folder = folder_of(&label);
        Self { number, label, folder, overrides: others.chain(settings).collect() }
    }
}

/// A run to take, and its case.
#[derive(Clone, Debug)]
pub struct PlannedCase {
    /// The run.
    pub planned: Planned,
    /// What to run.
    pub case: Case,
}

/// Every case with every scheme item, `KIND[:key=value…]`, on top of `overrides`; the cases as they
/// stand where there are no items. All are read and checked here, before any is run.
pub fn plan(
    cases: &[PathBuf],
    schemes: &[String],
    overrides: &[String],
) -> Result<Vec<PlannedCase>, Error> {
    let mut plan: Vec<PlannedCase> = Vec::new();
    let items: Vec<Option<&String>> =
        if schemes.is_empty() { vec![None] } else { schemes.iter().map(Some).collect() };
    for path in cases {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for item in &items {
            let own = item.map(|item| assignments_of(item)).transpose()?.unwrap_or_default();
            let kind = item.map_or("", |item| item.split(':').next().unwrap_or_default().trim());
            let label = match item {
                None => name.to_string(),
                Some(item) if cases.len() == 1 => item.trim().to_string(),
                Some(item) => format!("{name}, {}", item.trim()),
            };
            let settings = overrides.iter().cloned().chain(own);
            let planned = Planned::new(plan.len() + 1, label, kind, settings);
            let read = Case::read(path, &planned.overrides);
            let case = read.map_err(|error| about(*item, error))?;
            if case.output.history_every == 0 {
                let message = "0 leaves no history to compare; give 1 or more";
                return Err(case.error_at("output.history_every", message));
            }
            let Planned { label, folder, .. } = &planned;
            if let Some(twin) = plan.iter().find(|other| other.planned.folder == *folder) {
                return Err(Error::Usage(format!(
                    "'{label}' and '{}' would share the folder '{folder}'; give each case and \
                     scheme once, and cases different file names",
                    twin.planned.label
                )));
            }
            plan.push(PlannedCase { planned, case });
        }
    }
    Ok(plan)
}

/// `KIND:key=value:…` as assignments to keys of a case.
fn assignments_of(item: &str) -> Result<Vec<String>, Error> {
    let complain = |message: String| {
        Error::Usage(format!(
            "--schemes '{item}': {message}; write KIND[:key=value...], as moreau-jean:law=newton:theta=0.6"
        ))
    };
    let mut parts = item.trim().split(':');
    let kind = parts.next().unwrap_or_default();
    if kind.is_empty() || kind.contains('=') {
        return Err(complain(format!("'{kind}' is not a kind of scheme")));
    }
    let mut assignments = vec![format!("scheme.kind={kind}")];
    for part in parts {
        match part.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
                assignments.push(format!("scheme.{}={}", key.trim(), value.trim()));
            }
            _ => return Err(complain(format!("'{part}' is not of the form key=value"))),
        }
    }
    Ok(assignments)
}

/// The error with the item it is about; a file that cannot be read is not the item's fault.
fn about(item: Option<&String>, error: Error) -> Error {
    match (item, error) {
        (Some(_), error @ Error::Read { .. }) => error,
        (Some(item), error) => Error::Usage(format!("--schemes '{item}': {error}")),
        (None, error) => error,
    }
}

/// A label as a folder's name.
fn folder_of(label: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-+=".contains(c) { c } else { '_' };
    label.replace(", ", "_").chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_a_kind_and_keys_of_the_scheme() {
        assert_eq!(assignments_of("newmark").unwrap(), ["scheme.kind=newmark"]);
        let given = assignments_of("moreau-jean:law=fremond:theta=0.6").unwrap();
        assert_eq!(given, ["scheme.kind=moreau-jean", "scheme.law=fremond", "scheme.theta=0.6"]);
    }

    #[test]
    fn an_item_that_is_none_is_named() {
        for (item, wrong) in [
            ("theta=0.6", "'theta=0.6' is not a kind"),
            ("", "'' is not a kind"),
            ("moreau-jean:theta", "'theta' is not of the form"),
            ("moreau-jean:=1", "'=1' is not of the form"),
        ] {
            let error = assignments_of(item).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            let text = error.to_string();
            assert!(text.starts_with(&format!("--schemes '{item}': {wrong}")), "{text}");
        }
    }

    #[test]
    fn a_label_makes_a_plain_folder() {
        let folder = folder_of("bar, moreau-jean:law=newton:theta=0.6");
        assert_eq!(folder, "bar_moreau-jean_law=newton_theta=0.6");
        assert_eq!(folder_of("../a/b c"), ".._a_b_c");
    }
}
