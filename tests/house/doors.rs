//! The architecture, held to its own text: the doors between rooms are those of the table in
//! `src/lib.rs`, and what only one room may do no other room does.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A source file, without comments, string contents and test modules.
pub struct Source {
    pub path: PathBuf,
    /// The room it belongs to: the first part of its path.
    pub room: String,
    pub code: String,
}

/// (from, to).
type Door = (String, String);

pub fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut open, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&root).unwrap().to_path_buf();
                let room = path.iter().next().unwrap().to_string_lossy().replace(".rs", "");
                sources.push(Source { path, room, code: without_tests(&bare(&text)) });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 40, "only {} source files found", sources.len());
    sources
}

/// The text with comments, and the contents of strings and of brace or quote characters, left out.
fn bare(text: &str) -> String {
    let (mut bare, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r##\"") {
            rest.find("\"##").map_or(rest.len(), |end| end + 3)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            let inside = rest[1..].char_indices();
            let mut escaped = false;
            let end = inside.into_iter().find(|&(_, c)| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 2)
        } else if ["'{'", "'}'", "'\"'"].iter().any(|quoted| rest.starts_with(quoted)) {
            3
        } else {
            bare.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        // Lines must still count.
        bare.extend(rest[..skip].chars().filter(|&c| c == '\n'));
        rest = &rest[skip..];
    }
    bare
}

/// Test modules stand at the end of their files.
fn without_tests(bare: &str) -> String {
    bare.split("#[cfg(test)]").next().unwrap_or_default().to_string()
}

/// The rooms that a file names as `crate::ROOM`, also within `crate::{…}`.
fn named_rooms(code: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        assert!(!rest.starts_with('{'), "write one `use crate::ROOM` per room: {}", &rest[..20]);
        rooms.insert(word(rest));
    }
    rooms
}

/// The table in the docs of `src/lib.rs`: room → doors.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let lib = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    let lib = lib.unwrap();
    let table = lib.split("| room | what it does | doors to |").nth(1).expect("the table is there");
    let names = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(String::from).collect()
    };
    let mut rooms = BTreeMap::new();
    for line in table.lines().skip(2).take_while(|line| line.starts_with("//! |")) {
        let cells: Vec<&str> = line.split('|').collect();
        let doors = names(cells[cells.len() - 2]).into_iter().collect();
        rooms.insert(names(cells[1]).remove(0), doors);
    }
    rooms
}

#[test]
fn the_doors_between_rooms_are_those_of_the_table() {
    let mut used: BTreeSet<Door> = BTreeSet::new();
    let mut faults = Vec::new();
    let table = documented();
    for source in sources().iter().filter(|s| !["lib", "main"].contains(&s.room.as_str())) {
        for room in named_rooms(&source.code).into_iter().filter(|room| *room != source.room) {
            let open = table.get(&source.room).is_some_and(|doors| doors.contains(&room));
            if !open {
                faults.push(format!("{}: no door to `{room}`", source.path.display()));
            }
            used.insert((source.room.clone(), room));
        }
    }
    for (room, doors) in &table {
        for door in doors.iter().filter(|door| !used.contains(&(room.clone(), door.to_string()))) {
            faults.push(format!("src/lib.rs: nothing goes from `{room}` to `{door}`"));
        }
    }
    let rooms: BTreeSet<String> = sources().into_iter().map(|source| source.room).collect();
    let known: BTreeSet<String> =
        table.into_keys().chain(["lib".to_string(), "main".to_string()]).collect();
    assert_eq!(rooms, known, "the rooms of src/ and those of the table differ");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Where every door leads down, there is an order to read the rooms in.
#[test]
fn doors_are_one_way() {
    let mut left = documented();
    while !left.is_empty() {
        let closed =
            left.iter().find(|(_, doors)| doors.iter().all(|door| !left.contains_key(door)));
        let Some((room, _)) = closed else { panic!("these rooms form a circle: {left:?}") };
        let room = room.clone();
        left.remove(&room);
    }
}

#[test]
fn only_one_room_prints_one_names_faer_and_one_reads_the_clock() {
    let own: [(&str, &[&str]); 3] = [
        ("cli", &["println!", "eprintln!", "print!", "eprint!", "io::stdout", "io::stderr"]),
        ("linalg", &["faer"]),
        ("simulation", &["Instant", "SystemTime"]),
    ];
    let mut faults = Vec::new();
    for source in sources() {
        for (room, words) in own.iter().filter(|(room, _)| *room != source.room) {
            for word in words.iter().filter(|word| source.code.contains(*word)) {
                faults.push(format!("{}: only `{room}` may say {word}", source.path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn contact_solvers_never_see_a_mesh() {
    let solvers = sources().into_iter().filter(|source| source.path.starts_with("contact"));
    let seen: Vec<_> = solvers.filter(|s| named_rooms(&s.code).contains("mesh")).collect();
    assert!(seen.is_empty(), "{:?}", seen.iter().map(|s| &s.path).collect::<Vec<_>>());
}

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 80;
const MOST_ARGUMENTS: usize = 6;

#[test]
fn files_and_functions_stay_short() {
    let mut faults = Vec::new();
    for source in sources() {
        let lines = source.code.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{}: {lines} lines without tests", source.path.display()));
        }
        for function in functions(&source.code) {
            let Function { line, length, arguments } = function;
            let place = format!("{}:{line}", source.path.display());
            if length > LONGEST_FUNCTION {
                faults.push(format!("{place}: a function of {length} lines"));
            }
            if arguments > MOST_ARGUMENTS {
                faults.push(format!("{place}: a function of {arguments} arguments"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

struct Function {
    line: usize,
    length: usize,
    arguments: usize,
}

/// Every `fn name(…) … { … }` of bare code.
fn functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let starts_word =
            at == 0 || !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &code[at + 3..];
        if !starts_word || !rest.starts_with(|c: char| c.is_lowercase() || c == '_') {
            continue;
        }
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        let generics =
            if rest[name..].starts_with('<') { closing(&rest[name..], '<', '>') } else { 0 };
        let list = &rest[name + generics..];
        let end = closing(list, '(', ')');
        let body = &list[end..];
        let Some(open) = body.find(['{', ';']).filter(|&at| body[at..].starts_with('{')) else {
            continue;
        };
        let close = open + closing(&body[open..], '{', '}');
        let whole = &code[at..code.len() - body.len() + close];
        functions.push(Function {
            line: 1 + code[..at].matches('\n').count(),
            length: whole.lines().count(),
            arguments: arguments(&list[1..end - 1]),
        });
    }
    functions
}

/// Arguments of a list, `self` not counted.
fn arguments(list: &str) -> usize {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for (previous, c) in std::iter::once(' ').chain(list.chars()).zip(list.chars()) {
        match c {
            '(' | '[' | '<' => depth += 1,
            '>' if previous == '-' => {}
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            _ => {}
        }
        parts.last_mut().unwrap().push(c);
    }
    let is_argument = |part: &&String| {
        let part = part.trim_matches([' ', '\n', ',']);
        !part.is_empty() && !part.ends_with("self")
    };
    parts.iter().filter(is_argument).count()
}

/// Bytes up to and with the bracket that closes the one the text begins with.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close && previous != '-' {
            depth -= 1;
            if depth == 0 {
                return at + c.len_utf8();
            }
        }
        previous = c;
    }
    panic!("'{open}' is never closed in: {}", &text[..text.len().min(80)]);
}

#[test]
fn this_reader_of_rust_counts_lines_and_arguments() {
    let code = "fn a(x: u8, f: impl Fn(u8, u8) -> u8, (y, z): (u8, u8)) {\n    x\n}\n\
                impl B {\n    fn b<T: Into<u8>>(&self, t: T) -> u8 { 1 }\n}\ntrait C { fn c(&self); }\n";
    let found: Vec<[usize; 3]> =
        functions(code).iter().map(|f| [f.line, f.length, f.arguments]).collect();
    assert_eq!(found, [[1, 3, 3], [5, 1, 1]]);
    let text = "let s = \"{ // }\"; // crate::nothing\nlet c = '{';\n";
    assert_eq!(bare(text), "let s = ; \nlet c = ;\n");
}
