//! What can be gathered: the values of `summary.json`, by their dotted keys.

use super::table::Cell;
use crate::case::did_you_mean;
use crate::error::Error;
use crate::output::{Energies, keys_of_largest_works};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// 64-bit floating point.
    Number,
    /// 64-bit integers.
    Count,
    /// Text; yes and no are `true` and `false`.
    Text,
}

/// A value of `summary.json` to gather.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Dotted key.
    pub key: String,
    pub kind: ColumnKind,
}

/// Gathered where a study does not say what: the steps, energies and works but for these, and some of how it went.
const NOT_BY_DEFAULT: [&str; 4] = ["total_start", "strain_start", "potential", "work_damping"];
const BY_DEFAULT: [&str; 5] = [
    "certificate.max_balance_residual",
    "certificate.max_tangential_work",
    "certificate.max_normal_work",
    "certificate.verdict",
    "solver.iterations",
];

/// Tables of `summary.json` and their values of one kind. NAME is a contact of the case.
const KNOWN: &[(&str, ColumnKind, &[&str])] = &[
    ("", ColumnKind::Text, &["version", "finished"]),
    ("", ColumnKind::Count, &["peak_memory", "predicted_memory", "factor_memory"]),
    ("case", ColumnKind::Text, &["name", "title", "units", "file", "text", "mesh"]),
    (
        "scheme",
        ColumnKind::Text,
        &["kind", "law", "forecast", "activation", "frames_turn", "damped", "position_correction"],
    ),
    (
        "scheme",
        ColumnKind::Number,
        &[
            "theta",
            "beta",
            "gamma",
            "alpha_m",
            "alpha_f",
            "rho_infinity",
            "step",
            "end",
            "largest_stable_step",
        ],
    ),
    (
        "scheme.contacts.NAME",
        ColumnKind::Number,
        &["friction", "restitution", "tangential_restitution"],
    ),
    (
        "counts",
        ColumnKind::Count,
        &[
            "nodes",
            "elements",
            "dofs",
            "driven_dofs",
            "masses",
            "bodies",
            "joints",
            "contact_nodes",
            "obstacles",
            "meeting_bodies",
            "pairs",
            "most_contacts",
            "most_contacts_of_bodies",
            "steps",
            "refined_steps",
            "factor_entries",
            "history_every",
            "fields_every",
        ],
    ),
    ("scales", ColumnKind::Number, &["gap_tolerance", "velocity_tolerance"]),
    ("departures.penetration", ColumnKind::Number, &["depth", "time"]),
    ("departures.penetration", ColumnKind::Count, &["step"]),
    ("departures.penetration", ColumnKind::Text, &["contact", "point"]),
    ("solver", ColumnKind::Text, &["method"]),
    ("solver", ColumnKind::Number, &["tolerance", "iterations_per_step", "largest_error"]),
    (
        "solver",
        ColumnKind::Count,
        &["iterations", "most_iterations", "steps_with_contact", "unconverged_steps"],
    ),
    (
        "timings",
        ColumnKind::Number,
        &[
            "mesh", "assembly", "factor", "rhs", "forward", "contact", "backward", "ledger",
            "output", "total",
        ],
    ),
    (
        "certificate",
        ColumnKind::Number,
        &[
            "energy_scale",
            "max_balance_residual",
            "balance_floor",
            "max_work_share",
            "work_created",
            "work_passed",
            "max_numerical_work",
            "numerical_passed",
            "numerical_floor",
        ],
    ),
    (
        "certificate",
        ColumnKind::Text,
        &[
            "theta_admitted",
            "friction_on_mean_velocity",
            "leaving_contacts_harmless",
            "scheme_dissipates",
            "scheme_stores",
            "verdict",
        ],
    ),
];

/// Every dotted key that can be gathered, with NAME for a contact, and its kind.
pub fn gatherable() -> impl Iterator<Item = (String, ColumnKind)> {
    let join = |table: &str, name: &str| {
        if table.is_empty() { name.to_string() } else { format!("{table}.{name}") }
    };
    let energies = Energies::keys().map(move |key| (join("energies", key), ColumnKind::Number));
    let known = KNOWN.iter().flat_map(move |(table, kind, names)| {
        names.iter().map(move |name| (join(table, name), *kind))
    });
    let works =
        keys_of_largest_works().map(move |key| (join("certificate", key), ColumnKind::Number));
    known.chain(energies).chain(works)
}

pub(super) fn default_columns() -> Vec<Column> {
    let kind = |key: &str| gatherable().find(|(known, _)| known == key).map(|(_, kind)| kind);
    let column = |key: &str| Some(Column { key: key.into(), kind: kind(key)? });
    let energies = Energies::keys().filter(|key| !NOT_BY_DEFAULT.contains(key));
    let energies = energies.map(|key| format!("energies.{key}"));
    let keys = ["counts.steps".to_string()].into_iter().chain(energies);
    keys.chain(BY_DEFAULT.map(String::from)).filter_map(|key| column(&key)).collect()
}

/// The column of a dotted key.
pub(super) fn column(key: &str) -> Result<Column, Error> {
    let known: Vec<(String, ColumnKind)> = gatherable().collect();
    let pattern = match key.strip_prefix("scheme.contacts.").and_then(|rest| rest.split_once('.')) {
        Some((_, value)) => format!("scheme.contacts.NAME.{value}"),
        None => key.to_string(),
    };
    match known.iter().find(|(known, _)| *known == pattern) {
        Some((_, kind)) => Ok(Column { key: key.into(), kind: *kind }),
        None => {
            let meant = did_you_mean(&pattern, known.iter().map(|(known, _)| known.as_str()));
            let remedy = match meant {
                Some(name) => format!("did you mean '{name}'?"),
                None => "give dotted keys of summary.json, as energies.total".into(),
            };
            Err(Error::Usage(format!("'{key}' is no value of summary.json; {remedy}")))
        }
    }
}

impl Column {
    /// The value in a summary; blank where it has none.
    pub fn read(&self, summary: &serde_json::Value) -> Option<Cell> {
        let contact = self.key.strip_prefix("scheme.contacts.").and_then(|key| key.split_once('.'));
        let value = match contact {
            Some((name, value)) => {
                let contacts = summary.get("scheme")?.get("contacts")?.as_array()?;
                contacts.iter().find(|contact| contact["name"] == name)?.get(value)?
            }
            None => self.key.split('.').try_fold(summary, |value, name| value.get(name))?,
        };
        match self.kind {
            ColumnKind::Number => value.as_f64().map(Cell::Number),
            ColumnKind::Count => value.as_i64().map(Cell::Count),
            ColumnKind::Text => Some(Cell::Text(match value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Bool(yes) => yes.to_string(),
                _ => return None,
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_dotted_keys_and_contacts_by_name() {
        let summary = serde_json::json!({
            "counts": { "steps": 7 },
            "certificate": { "verdict": "violated", "theta_admitted": true },
            "scheme": { "largest_stable_step": null, "contacts": [
                { "name": "wall", "friction": 0.25 }, { "name": "floor", "friction": 0.5 }
            ] },
        });
        let read = |key: &str| column(key).unwrap().read(&summary);
        assert_eq!(read("counts.steps"), Some(Cell::Count(7)));
        assert_eq!(read("scheme.contacts.floor.friction"), Some(Cell::Number(0.5)));
        assert_eq!(read("certificate.theta_admitted"), Some(Cell::Text("true".into())));
        assert_eq!(read("scheme.largest_stable_step"), None);
        assert_eq!(read("energies.total"), None);
    }

    #[test]
    fn unknown_columns_are_refused_with_the_nearest() {
        let told = |key: &str| column(key).unwrap_err().to_string();
        assert!(told("energies.totl").ends_with("did you mean 'energies.total'?"));
        assert!(told("rainfall").contains("give dotted keys of summary.json"));
        assert!(told("scheme.contacts.floor.fricton").contains("scheme.contacts.NAME.friction"));
    }

    #[test]
    fn what_is_gathered_by_default_can_be() {
        let energies = Energies::keys().count() - NOT_BY_DEFAULT.len();
        assert_eq!(default_columns().len(), 1 + energies + BY_DEFAULT.len());
    }
}
