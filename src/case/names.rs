//! Names that a case gives: they go into messages, columns and files of lines.

use std::path::Path;

use super::CaseText;
use super::file::CaseFile;
use super::read::error_at;
use crate::error::Error;

/// A name may hold anything that is seen: letters of any script, spaces, commas, quotes. A line break or
/// another sign that is not would break the lines of the files it stands in.
pub(super) fn refuse_control_characters(
    path: &Path,
    source: &CaseText,
    file: &CaseFile,
) -> Result<(), Error> {
    let complain = |error: toml::ser::Error| Error::Usage(error.to_string());
    let tables = toml::Table::try_from(file).map_err(complain)?;
    match first_unseen("", &tables) {
        Some(key) => {
            let message =
                "a name holds no line breaks, tabs or other signs that are not seen; take it out";
            let mut error = error_at(path, source, &key, message);
            if let Error::Case { key, .. } = &mut error {
                *key = key.escape_debug().to_string();
            }
            Err(error)
        }
        None => Ok(()),
    }
}

/// Dotted path of the first key with a sign that is not seen.
fn first_unseen(above: &str, table: &toml::Table) -> Option<String> {
    table.iter().find_map(|(name, value)| {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match value {
            _ if name.chars().any(char::is_control) => Some(path),
            toml::Value::Table(inner) => first_unseen(&path, inner),
            _ => None,
        }
    })
}
