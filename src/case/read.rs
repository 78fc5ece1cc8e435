//! Reading a case: text, then overrides, then checks.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::excerpt::{excerpt, excerpt_of_overrides};
use super::file::CaseFile;
use super::place::{
    self, FoundKey, did_you_mean, explain, key_at, line_at, misfit, remedy_for_signs,
};
use super::validate::validate;
use super::{Case, CaseText, PairCase, ShapeCase, names};
use crate::error::Error;

/// Bytes of a case file at most: what has more, or no end, is none.
const LARGEST: u64 = 64 << 20;

impl Case {
    /// Reads and checks the case at `path`, with `overrides` of the form `key.path=value` on top.
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, Error> {
        let complain = |source| Error::Read { path: path.into(), source };
        let (mut bytes, mut text) = (Vec::new(), String::new());
        let file = File::open(path).map_err(complain)?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(complain)?;
        if bytes.len() as u64 > LARGEST {
            let message = "larger than 64 MiB, as no case is; give a case file, see `delassus new`";
            let place = path.display().to_string();
            return Err(Error::CaseSyntax {
                place,
                message: message.into(),
                excerpt: String::new(),
            });
        }
        bytes.as_slice().read_to_string(&mut text).map_err(complain)?;
        Self::from_text(path, text, overrides)
    }

    /// Checks the text of a case with `overrides` on top; its name, its messages and the files it names are
    /// those of a case that stands at `path`.
    pub fn from_text(path: &Path, text: String, overrides: &[String]) -> Result<Self, Error> {
        let source = CaseText { text, overrides: overrides.to_vec() };
        let file = parse(path, &source)?;
        names::refuse_control_characters(path, &source, &file)?;
        validate(path, file, source)
    }

    /// The `key.path=value` assignments set on top of the file.
    pub fn overrides(&self) -> &[String] {
        &self.source.overrides
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Everything the case says, overrides on top, as TOML: two cases that say the same have the same. Nothing of one
    /// that a program made.
    pub fn effective(&self) -> Result<toml::Table, Error> {
        if self.is_made() {
            return Ok(toml::Table::new());
        }
        let file = parse(&self.path, &self.source)?;
        let complain = |error: toml::ser::Error| Error::CaseSyntax {
            place: self.path.display().to_string(),
            message: error.to_string(),
            excerpt: String::new(),
        };
        toml::Table::try_from(&file).map_err(complain)
    }

    /// The files that the case names, by key.
    pub fn files(&self) -> Vec<(String, PathBuf)> {
        let mesh = self.mesh_file().into_iter();
        let mesh = mesh.map(|path| ("mesh.file".to_string(), path.to_path_buf()));
        let surfaces = self.contacts.iter().filter_map(|contact| match &contact.pair {
            PairCase::Obstacle { obstacle, .. } => match &obstacle.shape {
                ShapeCase::File { file, .. } => {
                    Some((format!("contact.{}.obstacle.file", contact.name), file.clone()))
                }
                ShapeCase::Known(_) => None,
            },
            PairCase::Balls(_) | PairCase::Points { .. } | PairCase::Bodies(_) => None,
        });
        mesh.chain(self.system.files.iter().cloned()).chain(surfaces).collect()
    }

    /// An error about the value at a dotted key path, with its place.
    pub fn error_at(&self, key: &str, message: impl Into<String>) -> Error {
        error_at(&self.path, &self.source, key, message)
    }
}

/// An error about the value at a dotted key path: the file and line, or the override it came from.
pub(super) fn error_at(
    path: &Path,
    source: &CaseText,
    key: &str,
    message: impl Into<String>,
) -> Error {
    let sets = |o: &&str| {
        o.split_once('=').is_some_and(|(set, _)| {
            key == set.trim() || key.starts_with(&format!("{}.", set.trim()))
        })
    };
    let below = format!("{key}.");
    let overrides = || source.overrides.iter().map(String::as_str);
    let found = place::find(&source.text, key);
    let makers: Vec<&str> = match (overrides().rev().find(sets), &found) {
        (Some(assignment), _) => vec![assignment],
        (None, Some(FoundKey { whole: true, .. })) => Vec::new(),
        // The file has no such table: overrides may have made it.
        (None, Some(_) | None) => overrides().filter(|o| o.starts_with(&below)).collect(),
    };
    let (place, excerpt) = match found {
        _ if !makers.is_empty() => (as_given(&makers), excerpt_of_overrides(&makers)),
        Some(FoundKey { range, .. }) => at_range(path, source, range),
        None => (path.display().to_string(), String::new()),
    };
    Error::Case { place, key: key.to_string(), message: message.into(), excerpt }
}

/// File and line of a range of bytes, and the line underlined.
fn at_range(path: &Path, source: &CaseText, range: Range<usize>) -> (String, String) {
    let line = line_at(&source.text, range.start);
    (format!("{}:{line}", path.display()), excerpt(&source.text, range))
}

/// Assignments as they stand on the command line.
fn as_given(assignments: &[&str]) -> String {
    let given: Vec<String> = assignments.iter().map(|o| format!("--set {o}")).collect();
    given.join(" ")
}

fn parse(path: &Path, source: &CaseText) -> Result<CaseFile, Error> {
    let complain = |error: toml::de::Error| {
        let key = error.span().and_then(|span| key_at(&source.text, span)).unwrap_or_default();
        let (place, excerpt) = match error.span() {
            Some(span) => at_range(path, source, span),
            None => (path.display().to_string(), String::new()),
        };
        let mut message = explain(error.message(), &key);
        if let (None, Some(span)) = (misfit(error.message()), error.span())
            && let Some(remedy) = remedy_for_signs(&source.text, span.start)
        {
            message = format!("{message}; {remedy}");
        }
        Error::CaseSyntax { place, message, excerpt }
    };
    // The text alone first: its errors know their line.
    let plain = toml::from_str::<CaseFile>(&source.text);
    if source.overrides.is_empty() {
        return plain.map_err(complain);
    }
    let table: toml::Table = toml::from_str(&source.text).map_err(complain)?;
    let all: Vec<&str> = source.overrides.iter().map(String::as_str).collect();
    refuse_misspelt_names(&table, &all)?;
    deserialize_with(&table, &all)?.map_err(|error| match plain {
        Err(original) => complain(original),
        Ok(_) => complain_about_overrides(&table, &all, &error),
    })
}

/// An assignment to a table whose name is all but one that the file has: a slip would make a second table.
fn refuse_misspelt_names(table: &toml::Table, overrides: &[&str]) -> Result<(), Error> {
    for assignment in overrides {
        let path = assignment.split('=').next().unwrap_or_default().trim();
        let mut known = table;
        for name in path.split('.') {
            let Some(value) = known.get(name) else {
                let tables = known.iter().filter(|(_, value)| value.is_table());
                let near = did_you_mean(name, tables.map(|(name, _)| name.as_str()));
                match near.filter(|_| path.split('.').next_back() != Some(name)) {
                    Some(near) => {
                        return Err(Error::CaseSyntax {
                            place: format!("--set {assignment}"),
                            message: format!(
                                "the case has no '{name}' there; did you mean '{near}'?"
                            ),
                            excerpt: excerpt_of_overrides(&[assignment]),
                        });
                    }
                    None => break,
                }
            };
            let Some(inner) = value.as_table() else { break };
            known = inner;
        }
    }
    Ok(())
}

/// The case with assignments on top; the outer error is one of their form.
fn deserialize_with(
    table: &toml::Table,
    overrides: &[&str],
) -> Result<Result<CaseFile, toml::de::Error>, Error> {
    let mut table = table.clone();
    overrides.iter().try_for_each(|assignment| assign(&mut table, assignment))?;
    Ok(toml::Value::Table(table).try_into())
}

/// The culprit is the override without which the others are fine; all of them if there is none.
fn complain_about_overrides(
    table: &toml::Table,
    overrides: &[&str],
    error: &toml::de::Error,
) -> Error {
    let is_culprit = |suspect: &&&str| {
        let others: Vec<&str> = overrides.iter().copied().filter(|o| o != *suspect).collect();
        matches!(deserialize_with(table, &others), Ok(Ok(_)))
    };
    let culprits = match overrides.iter().find(is_culprit) {
        Some(culprit) => std::slice::from_ref(culprit),
        None => overrides,
    };
    let key = culprits[0].split('=').next().unwrap_or_default().trim();
    let table_of_key = key.rsplit_once('.').map_or("", |(table, _)| table);
    let missing = error.message().starts_with("missing field");
    let message = explain(error.message(), if missing { table_of_key } else { key });
    Error::CaseSyntax {
        place: as_given(culprits),
        message,
        excerpt: excerpt_of_overrides(culprits),
    }
}

/// Puts `key.path=value` into the table; the value is TOML, or else plain text. `key.path=` takes the key
/// out, so that its default holds.
fn assign(table: &mut toml::Table, assignment: &str) -> Result<(), Error> {
    let usage = |message: &str| Error::CaseSyntax {
        place: format!("--set {assignment}"),
        message: format!("{message}; write --set scheme.theta=0.5"),
        excerpt: excerpt_of_overrides(&[assignment]),
    };
    let (path, value) = assignment.split_once('=').ok_or_else(|| usage("there is no '='"))?;
    let value = value.trim();
    let parsed = toml::from_str::<toml::Table>(&format!("value = {value}"));
    let value = match parsed.ok().and_then(|mut t| t.remove("value")) {
        Some(value) => value,
        None => toml::Value::String(value.to_string()),
    };
    let mut names: Vec<&str> = path.trim().split('.').collect();
    if names.iter().any(|name| name.is_empty()) {
        return Err(usage("a name of the key is empty"));
    }
    let last = names.pop().unwrap_or_default();
    let mut place = table;
    for name in names {
        let inner = place.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        place = inner.as_table_mut().ok_or_else(|| usage(&format!("'{name}' is not a table")))?;
    }
    match value {
        toml::Value::String(text) if text.is_empty() => drop(place.remove(last)),
        value => drop(place.insert(last.to_string(), value)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_reach_any_key_and_take_toml_or_plain_text() {
        let mut table: toml::Table = toml::from_str("[scheme]\ntheta = 0.5\n").unwrap();
        for assignment in ["scheme.theta=1", "scheme.law=newton", "contact.floor.friction = 0.3"] {
            assign(&mut table, assignment).unwrap();
        }
        let expected = "[scheme]\ntheta = 1\nlaw = 'newton'\n[contact.floor]\nfriction = 0.3\n";
        assert_eq!(table, toml::from_str(expected).unwrap());
        assign(&mut table, "scheme.law=").unwrap();
        assert!(table["scheme"].get("law").is_none());
        assert!(assign(&mut table, "scheme.theta").is_err());
        assert!(assign(&mut table, "scheme.theta.x=1").is_err());
        assert!(assign(&mut table, "=1").is_err());
    }
}
