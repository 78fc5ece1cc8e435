//! Where a key stands in the file, and what an unknown one may have meant.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::keys;

/// Where the deepest part of a dotted key path that the text holds stands.
pub(super) struct FoundKey {
    /// Bytes of its value, or of the header of its table.
    pub range: Range<usize>,
    /// Whether that is the whole path.
    pub whole: bool,
}

/// Finds the deepest part of a dotted key path that the text holds.
pub(super) fn find(text: &str, path: &str) -> Option<FoundKey> {
    let root = DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let mut found: Option<FoundKey> = None;
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == name) else { break };
        found = Some(FoundKey { range: value.span(), whole: names.peek().is_none() });
        let DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    found
}

/// Line (from 1) of a byte offset.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    // By bytes: the parser may point into the middle of a character.
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// The one of `known` that `word` is closest to, if it is close; nothing is closer than the same word in other
/// capitals.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let small = word.to_lowercase();
    let distance = |other: &&str| match other.to_lowercase() == small {
        true => 0,
        false => edit_distance(word, other),
    };
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

/// Dotted path of the innermost key whose value or name holds a range of bytes.
pub(super) fn key_at(text: &str, range: Range<usize>) -> Option<String> {
    fn search(table: &DeTable, range: &Range<usize>) -> Option<String> {
        let holds = |span: Range<usize>| span.start <= range.start && range.end <= span.end;
        table.iter().find_map(|(key, value)| {
            let inner = match value.get_ref() {
                DeValue::Table(inner) => search(inner, range),
                _ => None,
            };
            match inner {
                Some(inner) => Some(format!("{}.{inner}", key.get_ref())),
                None if holds(value.span()) || holds(key.span()) => Some(key.get_ref().to_string()),
                None => None,
            }
        })
    }
    search(DeTable::parse(text).ok()?.get_ref(), &range)
}

/// The parser's message in words of the case file; `path` is the key or table it is about.
pub(super) fn explain(message: &str, path: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field") {
        let unknown = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        match did_you_mean(unknown, known.iter().copied()) {
            Some(name) => format!("unknown key '{unknown}'; did you mean '{name}'?"),
            None => format!("unknown key '{unknown}'; known here: {}", known.join(", ")),
        }
    } else if message.starts_with("missing field") {
        explain_missing(path, names.next().unwrap_or_default())
    } else if let Some(found) = misfit(message) {
        let found = found.split(", expected").next().unwrap_or(found).replace('`', "");
        match keys::find(path) {
            Some(key) => {
                format!("{path}: {found} does not fit; give {}: {}", key.kind, key.meaning)
            }
            None => format!("{path}: {found} does not fit; give a table, see `delassus keys`"),
        }
    } else {
        format!("{message}; a case file is TOML, see `delassus keys`")
    }
}

/// A remedy for what word processors and habits put into a line: the line of a byte offset is looked at.
pub(super) fn remedy_for_signs(text: &str, offset: usize) -> Option<&'static str> {
    let line = text.lines().nth(line_at(text, offset) - 1)?;
    let comma = |w: &[u8]| w[0].is_ascii_digit() && w[1] == b',' && w[2].is_ascii_digit();
    if line.contains(['“', '”', '„', '‘', '’', '«', '»']) {
        Some("write straight quotes, \"...\"")
    } else if line.contains(['−', '–']) {
        Some("write the minus sign of the keyboard, -")
    } else if line.contains(['\u{a0}', '\u{202f}', '\u{2009}']) {
        Some("there is a space that is none of the keyboard's; write a plain one")
    } else if line.bytes().any(|byte| byte >= 0x80) {
        Some("keys and numbers have plain letters, digits and signs only")
    } else if !line.contains('[') && line.as_bytes().windows(3).any(comma) {
        Some("write numbers with a point, 0.5")
    } else {
        None
    }
}

/// What was found where the parser wanted something else; none where the text is no TOML.
pub(super) fn misfit(message: &str) -> Option<&str> {
    let found = message.strip_prefix("invalid ")?;
    let value = found.strip_prefix("type: ").or_else(|| found.strip_prefix("value: "));
    value.or_else(|| found.starts_with("length ").then_some(found))
}

/// `table` is a guess: the parser gives the whole file an empty range, which its first key holds.
fn explain_missing(table: &str, name: &str) -> String {
    for path in [format!("{table}.{name}"), name.to_string()] {
        let required = keys::required_below(&path);
        if let Some(key) = keys::find(&path) {
            return format!("missing key '{path}'; add it: {}, {}", key.kind, key.meaning);
        } else if !required.is_empty() {
            let keys = required.join(", ");
            return format!("missing table '{path}'; add it with its keys: {keys}");
        }
    }
    format!("missing key '{name}'; see `delassus keys`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_tables_of_any_spelling() {
        let text = "a = 1\n[b.c]\nd = { e = 2 }\n[b.f]\ng = 3\n";
        let found = |path| find(text, path).map(|found| (&text[found.range], found.whole));
        assert_eq!(found("a"), Some(("1", true)));
        assert_eq!(found("b.c.d.e"), Some(("2", true)));
        assert_eq!(found("b.f"), Some(("[b.f]", true)));
        assert_eq!(found("b.f.missing"), Some(("[b.f]", false)));
        assert_eq!(found("nothing"), None);
    }

    #[test]
    fn a_slip_of_the_finger_is_told_from_another_word() {
        let known = ["friction", "restitution", "group"];
        assert_eq!(did_you_mean("frction", known.into_iter()), Some("friction"));
        assert_eq!(did_you_mean("viscosity", known.into_iter()), None);
        assert_eq!(did_you_mean("Sole", ["hole", "sole"].into_iter()), Some("sole"));
        assert_eq!(did_you_mean("FLOOR", ["flour", "floor"].into_iter()), Some("floor"));
    }

    #[test]
    fn a_place_in_the_middle_of_a_character_has_its_line() {
        let text = "a = 1\nθ = ½\n";
        let lines: Vec<usize> = (0..text.len() + 2).map(|at| line_at(text, at)).collect();
        assert_eq!((lines[5], lines[6], lines[7], lines[lines.len() - 1]), (1, 2, 2, 3));
    }

    #[test]
    fn signs_of_word_processors_have_a_remedy() {
        let remedy = |line: &str| remedy_for_signs(line, 0).unwrap_or_default();
        assert!(remedy("title = “a”").contains("straight"));
        assert!(remedy("x = −1").contains("minus"));
        assert!(remedy("x = 0,5").contains("point"));
        assert!(remedy("x =\u{a0}5").contains("space"));
        assert_eq!(remedy("x = [0.5,1.0]"), "");
    }

    #[test]
    fn the_parsers_messages_become_words_of_the_case_file() {
        let unknown = "unknown field `tehta`, expected one of `theta`, `step`";
        assert_eq!(explain(unknown, "scheme"), "unknown key 'tehta'; did you mean 'theta'?");
        let word = "invalid type: string \"half\", expected f64";
        let said = explain(word, "scheme.step");
        assert_eq!(said, "scheme.step: string \"half\" does not fit; give number > 0: step size h");
        let said = explain("missing field `step`", "scheme");
        assert_eq!(said, "missing key 'scheme.step'; add it: number > 0, step size h");
        let said = explain("invalid basic string, expected `\"`", "");
        assert!(said.starts_with("invalid basic string, expected `\"`; a case file is TOML"));
        let said = explain("missing field `mesh`", "");
        assert_eq!(said, "missing table 'mesh'; add it with its keys: mesh.file");
    }

    #[test]
    fn a_byte_of_the_text_belongs_to_its_innermost_key() {
        let text = "a = 1\n[b.c]\nd = { e = 2 }\n";
        let key = |what: &str| {
            let start = text.find(what).unwrap();
            key_at(text, start..start + what.len())
        };
        assert_eq!(key("2").as_deref(), Some("b.c.d.e"));
        assert_eq!(key("1").as_deref(), Some("a"));
        assert_eq!(key("[b.c]").as_deref(), Some("b.c"));
        assert_eq!(key_at(text, 0..text.len()), None);
    }
}
