//! The gathered table: named columns of one kind each, blanks allowed.

use std::path::Path;

use super::columns::ColumnKind;
use crate::compare::quoted;
use crate::error::Error;
use crate::output::write_whole;

/// A value of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Of a column of numbers.
    Number(f64),
    /// Of a column of counts.
    Count(i64),
    /// Of a column of texts.
    Text(String),
}

impl Cell {
    /// Its value, where it is a number or a count.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) => None,
        }
    }

    /// As `table.csv` has it; numbers keep all of their digits.
    pub fn text(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Count(count) => count.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// A column: a name, a kind, a value or blank for each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// In the order of the plan; each of the kind, or blank.
    pub cells: Vec<Option<Cell>>,
}

/// One row per run, in the order of the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyTable {
    /// All of one length.
    pub columns: Vec<Gathered>,
}

impl StudyTable {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&Gathered> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The text of `table.csv`.
    pub fn to_csv(&self) -> String {
        let line = |cells: Vec<String>| format!("{}\n", cells.join(","));
        let mut csv = line(self.columns.iter().map(|column| quoted(&column.name)).collect());
        for row in 0..self.rows() {
            let cell = |column: &Gathered| {
                column.cells[row].as_ref().map_or(String::new(), |cell| quoted(&cell.text()))
            };
            csv.push_str(&line(self.columns.iter().map(cell).collect()));
        }
        csv
    }

    /// Writes `table.csv` and `table.parquet`.
    pub(super) fn write(&self, out: &Path) -> Result<(), Error> {
        write(out, "table.csv", self.to_csv().as_bytes())?;
        write(out, "table.parquet", &super::parquet::bytes(self)?)
    }
}

/// The kind that fits all values of a key of the case.
pub(super) fn kind_of(values: &[Option<toml::Value>]) -> ColumnKind {
    let mut kind = ColumnKind::Count;
    for value in values.iter().flatten() {
        kind = match (value, kind) {
            (toml::Value::Integer(_), kind) => kind,
            (toml::Value::Float(_), ColumnKind::Count | ColumnKind::Number) => ColumnKind::Number,
            _ => ColumnKind::Text,
        };
    }
    kind
}

/// A value of a case as a cell of a column.
pub(super) fn cell_of(value: &toml::Value, kind: ColumnKind) -> Cell {
    match (value, kind) {
        (toml::Value::Integer(count), ColumnKind::Count) => Cell::Count(*count),
        (toml::Value::Integer(count), ColumnKind::Number) => Cell::Number(*count as f64),
        (toml::Value::Float(number), ColumnKind::Number) => Cell::Number(*number),
        _ => Cell::Text(super::plan::plain(value)),
    }
}

/// An error where a folder holds a table that no study wrote.
pub(super) fn refuse_strangers(out: &Path) -> std::io::Result<()> {
    let marks: [(&str, &[u8]); 2] = [("table.csv", b"run,"), ("table.parquet", b"PAR1")];
    for (name, mark) in marks {
        let strange = |bytes: Vec<u8>| !bytes.starts_with(mark);
        if std::fs::read(out.join(name)).is_ok_and(strange) {
            let message = format!("it holds a '{name}' that no study wrote");
            return Err(std::io::Error::other(message));
        }
    }
    Ok(())
}

/// Writes a file of the study whole.
pub(super) fn write(out: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = out.join(name);
    write_whole(&path, |to| to.write_all(bytes)).map_err(|source| Error::Write { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_keeps_digits_quotes_commas_and_leaves_blanks() {
        let table = StudyTable {
            columns: vec![
                Gathered {
                    name: "run".into(),
                    kind: ColumnKind::Text,
                    cells: vec![Some(Cell::Text("a, b".into())), Some(Cell::Text("c".into()))],
                },
                Gathered {
                    name: "x".into(),
                    kind: ColumnKind::Number,
                    cells: vec![Some(Cell::Number(0.1 + 0.2)), None],
                },
                Gathered {
                    name: "n".into(),
                    kind: ColumnKind::Count,
                    cells: vec![Some(Cell::Count(-3)), Some(Cell::Count(2))],
                },
            ],
        };
        assert_eq!(table.to_csv(), "run,x,n\n\"a, b\",0.30000000000000004,-3\nc,,2\n");
    }

    #[test]
    fn the_kind_of_a_key_is_the_narrowest_that_holds_all_its_values() {
        let kind = |text: &str| {
            let table: toml::Table = toml::from_str(&format!("a = {text}")).unwrap();
            let values: Vec<_> = table["a"].as_array().unwrap().iter().cloned().map(Some).collect();
            kind_of(&values)
        };
        assert_eq!(kind("[1, 2]"), ColumnKind::Count);
        assert_eq!(kind("[1, 2.5]"), ColumnKind::Number);
        assert_eq!(kind("[1, \"a\", 2.5]"), ColumnKind::Text);
        assert_eq!(kind("[[1.0, 2.0]]"), ColumnKind::Text);
        assert_eq!(cell_of(&2.into(), ColumnKind::Number), Cell::Number(2.0));
    }
}
