//! Where a key stands in the file, and what an unknown one may have meant.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// Line (from 1) of the deepest part of a dotted key path that the text holds.
pub(super) fn line_of(text: &str, path: &str) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let mut found: Option<Range<usize>> = None;
    for name in path.split('.') {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else { break };
        found = Some(key.span());
        let DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    found.map(|span| line_at(text, span.start))
}

/// Line (from 1) of a byte offset.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    1 + text[..offset.min(text.len())].matches('\n').count()
}

/// The one of `known` that `word` is closest to, if it is close.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |other: &&str| edit_distance(word, other);
    let nearest = known.min_by_key(distance)?;
    (distance(&nearest) <= 1 + word.len() / 4).then_some(nearest)
}

/// Levenshtein's distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replace = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Adds "did you mean" to the parser's message on an unknown field.
pub(super) fn explain(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    if !message.starts_with("unknown field") {
        return message.to_string();
    }
    let unknown = names.next().unwrap_or_default();
    match did_you_mean(unknown, names) {
        Some(name) => format!("unknown key '{unknown}'; did you mean '{name}'?"),
        None => message.replacen("unknown field", "unknown key", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_line_in_tables_of_any_spelling() {
        let text = "a = 1\n[b.c]\nd = { e = 2 }\n[b.f]\ng = 3\n";
        let lines = ["a", "b.c.d.e", "b.f.g", "b.f.missing"].map(|path| line_of(text, path));
        assert_eq!(lines, [Some(1), Some(3), Some(5), Some(4)]);
        assert_eq!(line_of(text, "nothing"), None);
    }

    #[test]
    fn a_slip_of_the_finger_is_told_from_another_word() {
        let known = ["friction", "restitution", "group"];
        assert_eq!(did_you_mean("frction", known.into_iter()), Some("friction"));
        assert_eq!(did_you_mean("viscosity", known.into_iter()), None);
        let message = "unknown field `tehta`, expected one of `theta`, `step`";
        assert_eq!(explain(message), "unknown key 'tehta'; did you mean 'theta'?");
    }
}
