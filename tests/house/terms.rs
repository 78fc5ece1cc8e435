//! The terms of energy, held to their one table: every file and page that has them has what the table says of them.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;

use delassus::energy::{AskedSign, TOTAL, Term, TermClass};
use delassus::output::history_columns;

use crate::support::{Folder, repository, stderr};

/// A short run with contact, and its files.
fn run() -> Folder {
    let folder = Folder::with_block();
    let output = folder.run(&["--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

fn columns(folder: &Folder, table: &str) -> Vec<String> {
    let text = folder.read(table);
    text.lines().next().unwrap().split(',').map(String::from).collect()
}

/// Keys of the object under a key of a JSON text, in their order.
fn keys_of(text: &str, key: &str) -> Vec<String> {
    let object = text.split_once(&format!("\"{key}\": {{")).unwrap().1.split_once('}').unwrap().0;
    object.split('"').skip(1).step_by(2).map(String::from).collect()
}

/// Energies, their sum, and works.
fn in_order() -> Vec<String> {
    let of = |energy: bool| {
        let is = move |term: &Term| (term.line().class == TermClass::Energy) == energy;
        Term::ALL.into_iter().filter(is).map(|term| term.line().column.to_string())
    };
    of(true).chain([TOTAL.to_string()]).chain(of(false)).collect()
}

#[test]
fn every_term_has_its_columns_in_what_a_run_writes() {
    let folder = run();
    let history = columns(&folder, "out/history.csv");
    assert_eq!(history, history_columns().collect::<Vec<_>>());
    assert_eq!(history[..2], ["step", "time"]);
    assert_eq!(history[2..][..in_order().len()], in_order());

    let summary = folder.read("out/summary.json");
    let energies = keys_of(&summary, "energies");
    assert_eq!(energies[..2], ["total_start", "strain_start"]);
    assert_eq!(energies[2..], in_order());

    let (bodies, contacts) =
        (columns(&folder, "out/bodies.csv"), columns(&folder, "out/contacts.csv"));
    for line in Term::ALL.map(Term::line) {
        let count = bodies.iter().filter(|column| *column == line.of_body).count();
        assert_eq!(count, 1, "{} in bodies.csv", line.of_body);
        for (columns, own) in
            [(&contacts, line.of_contact), (&history, line.largest), (&history, line.smallest)]
        {
            assert!(own.is_none_or(|own| columns.iter().any(|column| column == own)), "{own:?}");
        }
        let key = line.largest.map(|own| format!("\"{own}\": "));
        assert!(key.is_none_or(|key| summary.contains(&key)), "{line:?}");
    }
}

/// E is the sum of the energies and changes by the works, term by term of the table.
#[test]
fn the_terms_of_the_table_are_all_that_changes_the_energy() {
    let folder = run();
    let history = crate::support::Table::read(&folder.path("out/history.csv"));
    let number = |row: usize, term: Term| history.column(term.line().column)[row];
    let total = history.column(TOTAL);
    let scale = total.iter().fold(1e-300_f64, |scale, e| scale.max(e.abs()));
    assert!(total.len() > 5);
    for (row, total_now) in total.iter().enumerate() {
        let energy: f64 = Term::energies().map(|term| number(row, term)).sum();
        let change: f64 = Term::works().map(|term| number(row, term)).sum();
        assert!((energy - total_now).abs() <= 1e-15 * scale, "row {row}");
        assert!((energy - total[0] - change).abs() <= 1e-12 * scale, "row {row}");
    }
}

/// The rows of the table under a heading of the output reference, by the names in their first cells.
fn rows_of(heading: &str) -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(repository("docs/src/reference/output.md")).unwrap();
    let section = page.split_once(&format!("\n## {heading}\n")).unwrap().1;
    let section = section.split("\n## ").next().unwrap();
    let mut rows = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let names = cells[0].split('`').skip(1).step_by(2);
        names.for_each(|name| drop(rows.insert(name.to_string(), cells[1].to_string())));
    }
    rows
}

#[test]
fn the_output_reference_says_of_every_term_what_the_table_says() {
    let [history, summary, bodies, contacts] =
        ["history.csv", "summary.json", "bodies.csv", "contacts.csv"].map(rows_of);
    for line in Term::ALL.map(Term::line) {
        assert_eq!(history[line.column], line.is, "{}", line.column);
        assert!(summary.contains_key(&format!("energies.{}", line.column)), "{}", line.column);
        assert!(bodies.contains_key(line.of_body), "{}", line.of_body);
        assert!(line.of_contact.is_none_or(|own| contacts.contains_key(own)), "{}", line.column);
        let extremes = [line.largest, line.smallest].into_iter().flatten();
        extremes.for_each(|own| assert!(history.contains_key(own), "{own}"));
        let key = line.largest.map(|own| format!("certificate.{own}"));
        assert!(key.is_none_or(|key| summary.contains_key(&key)), "{}", line.column);
    }
    let asked = |term: &Term| term.line().asked == AskedSign::NotPositive;
    let asked: Vec<String> = Term::ALL
        .into_iter()
        .filter(asked)
        .map(|term| format!("`{}`", term.line().column))
        .collect();
    let sentence = format!("The theorem asks of {} that they take energy.", asked.join(", "));
    let page = std::fs::read_to_string(repository("docs/src/reference/output.md")).unwrap();
    assert!(page.replace('\n', " ").contains(&sentence), "the page does not say: {sentence}");
}
