//! Study files, as written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use crate::case::did_you_mean;
use crate::error::Error;

/// The tables of a study file; unknown keys are refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StudyFile {
    pub title: Option<String>,
    pub case: PathBuf,
    #[serde(default)]
    pub set: toml::Table,
    #[serde(default)]
    pub grid: toml::Table,
    #[serde(default)]
    pub run: BTreeMap<String, toml::Table>,
    #[serde(default)]
    pub gather: GatherFile,
    #[serde(default)]
    pub convergence: BTreeMap<String, ConvergenceFile>,
    #[serde(default)]
    pub budget: BudgetFile,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GatherFile {
    pub columns: Option<Vec<String>>,
    pub figures: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConvergenceFile {
    pub against: String,
    pub along: Option<String>,
    pub error_of: String,
    pub reference: toml::Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BudgetFile {
    pub parallel: Option<usize>,
    pub threads: Option<usize>,
    pub memory: Option<f64>,
}

/// A value of the file: a key of the case and what it is set to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StudySetting {
    /// Dotted key of the case.
    pub key: String,
    pub value: toml::Value,
    /// Where it stands in the study.
    pub offset: usize,
}

/// The text of a study, to tell where something stands.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub path: PathBuf,
    text: String,
}

impl Text {
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.into(), source })?;
        Ok(Self { path: path.into(), text })
    }

    /// A text as a test gives it.
    #[cfg(test)]
    pub fn given(text: &str) -> Self {
        Self { path: "s.toml".into(), text: text.into() }
    }

    pub fn parse(&self) -> Result<StudyFile, Error> {
        toml::from_str(&self.text).map_err(|error| {
            let message = explain(error.message());
            // A key that the whole file misses stands on no line.
            match error.span() {
                Some(span) if span.start > 0 || !error.message().starts_with("missing") => {
                    self.error(span.start, message)
                }
                _ => Error::Usage(format!("{}: {message}", self.path.display())),
            }
        })
    }

    /// An error about what stands at a byte of the text.
    pub fn error(&self, offset: usize, message: impl std::fmt::Display) -> Error {
        Error::Usage(format!("{}: {message}", self.place(offset)))
    }

    /// File and line of a byte.
    pub fn place(&self, offset: usize) -> String {
        let line = 1 + self.text[..offset.min(self.text.len())].matches('\n').count();
        format!("{}:{line}", self.path.display())
    }

    /// Byte at which the deepest of nested keys that the text holds stands.
    pub fn offset(&self, names: &[&str]) -> usize {
        let Ok(root) = DeTable::parse(&self.text) else { return 0 };
        let (mut table, mut found) = (root.get_ref(), 0);
        for name in names {
            let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else {
                break;
            };
            found = key.span().start;
            let DeValue::Table(inner) = value.get_ref() else { break };
            table = inner;
        }
        found
    }

    /// The values of a table under `names`, in the order of the file. `"a.b" = 1`, `a.b = 1` and
    /// `a = { b = 1 }` all set `a.b`.
    pub fn settings(&self, names: &[&str], table: &toml::Table) -> Vec<StudySetting> {
        let mut settings = Vec::new();
        self.flatten(names, "", table, &mut settings);
        settings.sort_by_key(|setting| setting.offset);
        settings
    }

    fn flatten(
        &self,
        names: &[&str],
        above: &str,
        table: &toml::Table,
        into: &mut Vec<StudySetting>,
    ) {
        for (name, value) in table {
            let names = [names, &[name.as_str()]].concat();
            let key = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
            match value {
                toml::Value::Table(inner) => self.flatten(&names, &key, inner, into),
                value => {
                    let offset = self.offset(&names);
                    into.push(StudySetting { key, value: value.clone(), offset });
                }
            }
        }
    }
}

/// The parser's message in words of the study.
fn explain(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field") {
        let unknown = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        return match did_you_mean(unknown, known.iter().copied()) {
            Some(name) => format!("unknown key '{unknown}'; did you mean '{name}'?"),
            None => format!("unknown key '{unknown}'; known here: {}", known.join(", ")),
        };
    }
    if message.starts_with("missing field") {
        let name = names.next().unwrap_or_default();
        return format!("missing key '{name}'; add it{}", meaning_of(name));
    }
    format!("{message}; a study is TOML, see `delassus study --help`")
}

fn meaning_of(name: &str) -> &'static str {
    match name {
        "case" => ": the case file to vary, relative to the study",
        "against" => ": the key that the error is drawn over, as \"scheme.step\"",
        "error_of" => ": the value of summary.json that converges, as \"energies.total\"",
        "reference" => ": the exact value, or \"finest\" for that of the finest run",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_in_the_order_of_the_file_however_they_are_spelt() {
        let text = Text::given(
            "case = \"c\"\n[set]\n\"z.y\" = 1\nscheme.step = 2\n[set.a]\nb = { c = 3, d = [4] }\n",
        );
        let file = text.parse().unwrap();
        let settings = text.settings(&["set"], &file.set);
        let keys: Vec<&str> = settings.iter().map(|setting| setting.key.as_str()).collect();
        assert_eq!(keys, ["z.y", "scheme.step", "a.b.c", "a.b.d"]);
        assert_eq!(text.place(settings[1].offset), "s.toml:4");
        assert_eq!(settings[3].value, toml::Value::Array(vec![4.into()]));
    }

    #[test]
    fn slips_are_told_with_their_line() {
        for (written, told) in [
            (
                "case = \"c\"\n[gird]\n\"a.b\" = [1]\n",
                "s.toml:2: unknown key 'gird'; did you mean 'grid'?",
            ),
            (
                "title = \"x\"\n",
                "s.toml: missing key 'case'; add it: the case file to vary, relative to the study",
            ),
            ("case = \"c\"\n[budget]\nparallel = \"two\"\n", "s.toml:3: invalid type: string"),
            (
                "case = \"c\"\n[convergence.e]\nagainst = \"a\"\nerrorof = \"b\"\n",
                "s.toml:4: unknown key 'errorof'; did you mean 'error_of'?",
            ),
            ("case = \"c\n", "s.toml:1: "),
        ] {
            let error = Text::given(written).parse().unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().starts_with(told), "{error}");
        }
    }
}
