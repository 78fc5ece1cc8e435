//! What differs between two cases.

use std::collections::{BTreeMap, BTreeSet};

/// A key that two cases do not agree on.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Dotted path.
    pub key: String,
    /// What it was, as TOML; none where it was not set.
    pub before: Option<String>,
    /// What it is.
    pub now: Option<String>,
}

/// The keys whose values differ, in alphabetical order.
pub fn changes(before: &toml::Table, now: &toml::Table) -> Vec<Change> {
    let [mut old, mut new] = [before, now].map(|table| {
        let mut values = BTreeMap::new();
        collect("", table, &mut values);
        values
    });
    let keys: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
    let change = |key: String| {
        let (before, now) = (old.remove(&key), new.remove(&key));
        (before != now).then_some(Change { key, before, now })
    };
    keys.into_iter().filter_map(change).collect()
}

fn collect(path: &str, table: &toml::Table, values: &mut BTreeMap<String, String>) {
    for (name, value) in table {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            toml::Value::Table(inner) => collect(&path, inner, values),
            // As it would be written by hand: 1e-11, not 0.00000000001.
            toml::Value::Float(number) => drop(values.insert(path, format!("{number:?}"))),
            other => drop(values.insert(path, other.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_by_key_with_both_values() {
        let before = "a = 1\n[b.c]\nd = 0.5\ne = 'x'\n";
        let now = "a = 1\n[b.c]\nd = 0.25\n[f]\ng = [1, 2]\n";
        let [before, now] = [before, now].map(|text| toml::from_str(text).unwrap());
        let found = changes(&before, &now);
        let told: Vec<(&str, Option<&str>, Option<&str>)> =
            found.iter().map(|c| (c.key.as_str(), c.before.as_deref(), c.now.as_deref())).collect();
        let expected = [
            ("b.c.d", Some("0.5"), Some("0.25")),
            ("b.c.e", Some("\"x\""), None),
            ("f.g", None, Some("[1, 2]")),
        ];
        assert_eq!(told, expected);
        assert!(changes(&now, &now).is_empty());
    }
}
