//! The way from `main` to the numbers, as the table in `src/lib.rs` has it: short, and true.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::path::Path;

/// Calls from `main` to the solution of the contacts, and to the energy identity, at most.
const MOST: [usize; 2] = [8, 7];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// (function, file) of one column of the table, in its order.
fn hops(column: usize) -> Vec<(String, String)> {
    let lib = read("src/lib.rs");
    let table = lib.split("| contacts | identity | file |").nth(1).expect("the table is there");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("//! |"));
    let word = |cell: &str| cell.trim().trim_matches('`').to_string();
    let hop = |row: &str| {
        let cells: Vec<String> = row.split('|').map(word).collect();
        (cells[column + 1].clone(), cells[3].clone())
    };
    rows.map(hop).filter(|(function, _)| !function.is_empty()).collect()
}

/// The text of the first function of that name in a file, up to the brace that closes it.
fn body(function: &str, file: &str) -> String {
    let text = read(file);
    let starts = ["(", "<"].map(|next| text.find(&format!("fn {function}{next}")));
    let start = starts.into_iter().flatten().min();
    let start = start.unwrap_or_else(|| panic!("{file} has no function `{function}`"));
    let indent = text[..start]
        .rfind('\n')
        .map_or(0, |line| text[line + 1..].chars().take_while(|c| *c == ' ').count());
    let close = format!("\n{}}}\n", " ".repeat(indent));
    let end = text[start..].find(&close).expect("a function ends");
    text[start..start + end].to_string()
}

#[test]
fn the_way_from_main_to_the_numbers_is_short_and_as_the_table_has_it() {
    assert!(read("src/main.rs").contains("use delassus::cli::main;"), "main is that of `cli`");
    for (column, most) in MOST.into_iter().enumerate() {
        let hops = hops(column);
        assert!(hops.len() > 5 && hops.len() - 1 <= most, "{} hops, not {most}", hops.len() - 1);
        for pair in hops.windows(2) {
            let [(caller, file), (callee, _)] = pair else { unreachable!("windows of two") };
            let body = body(caller, file);
            let called = [format!("{callee}("), format!("::{callee}")];
            let inside = body.split_once('{').unwrap().1;
            let found = called.iter().any(|call| inside.contains(call));
            assert!(found, "`{caller}` of {file} does not call `{callee}`");
        }
    }
}
