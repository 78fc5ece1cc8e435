//! Digests of what a run wrote: an edit of a table or of the summary is seen.
//!
//! A digest keeps nobody from writing one anew; it tells what was changed by accident, or by a hand that did not
//! change all of it.

use std::collections::BTreeMap;
use std::path::Path;

use super::hash_of;
use crate::error::Error;

/// The tables that a summary has digests of.
pub const DIGESTED: [&str; 5] =
    ["history.csv", "contacts.csv", "pairs.csv", "bodies.csv", "trajectory.csv"];

/// What stands before the seal of a summary, which is its last entry.
const BEFORE_SEAL: &str = ",\n  \"seal\": \"";

/// FNV-1a of a file, in hexadecimal; none where there is no such file.
pub fn digest(path: &Path) -> Result<Option<String>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(Some(format!("{:016x}", hash_of(&bytes))))
}

/// The digests of the tables of a results folder, by their names.
pub fn digests(folder: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut digests = BTreeMap::new();
    for name in DIGESTED {
        digests.extend(digest(&folder.join(name))?.map(|digest| (name.to_string(), digest)));
    }
    Ok(digests)
}

/// The seal that the text of a summary should have; none where the text does not end with one.
pub fn seal_of(path: &Path) -> Result<Option<String>, Error> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| Error::Read { path: path.into(), source })?;
    let Some(end) = text.rfind(BEFORE_SEAL) else { return Ok(None) };
    let whole = text[end..].len() == BEFORE_SEAL.len() + 16 + "\"\n}\n".len();
    Ok((whole && text.ends_with("\"\n}\n")).then(|| seal(&text[..end])))
}

/// The seal of the text before it.
fn seal(text: &str) -> String {
    format!("{:016x}", hash_of(text.as_bytes()))
}

/// The text of a summary with an empty seal, sealed.
pub(super) fn sealed(text: &str) -> String {
    match text.rfind(BEFORE_SEAL) {
        Some(end) => format!("{}{BEFORE_SEAL}{}\"\n}}\n", &text[..end], seal(&text[..end])),
        None => text.into(),
    }
}
