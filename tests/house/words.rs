//! One word for one thing: a type name stands for one type, and the notation of `src/lib.rs` is that of the code.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;
use std::path::Path;

use crate::doors::{Source, sources};

/// Type names that may stand for several types.
const MOST_REUSED: usize = 10;

/// What follows each `word ` of a file that begins a word there.
fn after<'c>(code: &'c str, word: &str) -> Vec<&'c str> {
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let found = code.match_indices(word).filter(|&(at, _)| begins(at));
    found.map(|(at, _)| &code[at + word.len()..]).collect()
}

/// The identifier that a text begins with.
fn identifier(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

/// The types that a file defines.
fn types(source: &Source) -> Vec<&str> {
    let of = |keyword| after(&source.code, keyword).into_iter().map(identifier);
    let all = ["struct ", "enum ", "trait "].into_iter().flat_map(of);
    all.filter(|name| name.starts_with(char::is_uppercase)).collect()
}

#[test]
fn a_type_name_stands_for_one_type() {
    let sources = sources();
    let mut homes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in &sources {
        for name in types(source) {
            homes.entry(name).or_default().push(source.path.display().to_string());
        }
    }
    assert!(homes.len() > 300, "only {} types found", homes.len());
    homes.retain(|_, files| files.len() > 1);
    let told: Vec<String> =
        homes.iter().map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    assert!(told.len() <= MOST_REUSED, "say whose they are:\n{}", told.join("\n"));
}

/// The code words of the notation table, as `room::Type` or `room::Type::member`.
fn notation() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let table = text.split("| symbol | in code | meaning |").nth(1).expect("the table is there");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("//! |"));
    let words = rows.map(|row| row.split('|').nth(2).unwrap().split('`').skip(1).step_by(2));
    words.flat_map(|words| words.map(String::from).collect::<Vec<_>>()).collect()
}

/// Whether a file that defines a type also has that field or function.
fn has_member(source: &Source, member: &str) -> bool {
    let is_field = |rest: &&str| rest.starts_with(':') && !rest.starts_with("::");
    after(&source.code, member).iter().any(is_field)
        || after(&source.code, "fn ").into_iter().map(identifier).any(|name| name == member)
}

#[test]
fn every_word_of_the_notation_is_in_the_code() {
    let (sources, words) = (sources(), notation());
    assert!(words.len() > 15, "only {} words found", words.len());
    for word in words {
        let mut parts = word.split("::");
        let (room, name) = (parts.next().unwrap(), parts.next().expect("room::Type"));
        let homes: Vec<&Source> =
            sources.iter().filter(|s| s.room == room && types(s).contains(&name)).collect();
        assert!(!homes.is_empty(), "{word} of the notation: no type {name} in `{room}`");
        if let Some(member) = parts.next() {
            let known = homes.iter().any(|home| has_member(home, member));
            assert!(known, "{word} of the notation: {name} has no {member}");
        }
    }
}
