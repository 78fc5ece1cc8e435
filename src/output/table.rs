//! Tables of numbers that a run wrote, read back.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// A CSV file of numbers; columns may be text in quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The file.
    pub path: PathBuf,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// A number for each column; NaN for text.
    pub rows: Vec<Vec<f64>>,
    /// The first cell of each row, without quotes.
    pub names: Vec<String>,
    /// Whether every cell of a column is text.
    texts: Vec<bool>,
}

/// Characters of a cell that an error shows.
const MOST_SHOWN: usize = 40;

impl Table {
    /// Reads it; every row must be whole.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::parse(path, &text_of(path)?)
    }

    /// Reads that of a run which has not finished: its last row may be cut off, and is left out then.
    pub fn read_so_far(path: &Path) -> Result<Self, Error> {
        let text = text_of(path)?;
        let end = text.rfind('\n').map_or(text.len(), |end| end + 1);
        Self::parse(path, &text[..end])
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let complain = |line: usize, message: String| Error::Results {
            path: path.into(),
            message: format!("line {line}: {message}; run the case again"),
        };
        if !text.ends_with('\n') {
            return Err(complain(text.lines().count(), "the line is cut off".into()));
        }
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        let columns: Vec<String> = header.split(',').map(String::from).collect();
        let (mut rows, mut names) = (Vec::new(), Vec::new());
        let mut texts = vec![true; columns.len()];
        for (at, line) in lines {
            let cells = cells_of(line);
            if cells.len() != columns.len() {
                let message = format!("{} of {} columns", cells.len(), columns.len());
                return Err(complain(at + 1, message));
            }
            let number = |cell: &str| match cell.parse::<f64>() {
                Ok(number) => Ok(number),
                Err(_) if cell.starts_with('"') => Ok(f64::NAN),
                Err(_) => {
                    let start: String = cell.escape_debug().take(MOST_SHOWN).collect();
                    Err(complain(at + 1, format!("'{start}' is not a number")))
                }
            };
            names.push(unquoted(cells[0]));
            texts.iter_mut().zip(&cells).for_each(|(text, cell)| *text &= cell.starts_with('"'));
            rows.push(cells.into_iter().map(number).collect::<Result<Vec<f64>, Error>>()?);
        }
        Ok(Self { path: path.into(), columns, rows, names, texts })
    }

    /// Place of a column; an error where there is none.
    pub fn column(&self, name: &str) -> Result<usize, Error> {
        self.columns.iter().position(|column| column == name).ok_or_else(|| Error::Results {
            path: self.path.clone(),
            message: format!("there is no column '{name}'; was it written by another version?"),
        })
    }

    /// Whether every number of it is one; columns may be text.
    pub fn is_finite(&self) -> bool {
        let holds = |(number, text): (&f64, &bool)| *text || number.is_finite();
        self.rows.iter().all(|row| row.iter().zip(&self.texts).all(holds))
    }

    /// Sum of a column, and of its magnitudes.
    pub fn sum(&self, name: &str) -> Result<(f64, f64), Error> {
        let at = self.column(name)?;
        let values = self.rows.iter().map(|row| row[at]);
        Ok(values.fold((0.0, 0.0), |(sum, size), v| (sum + v, size + v.abs())))
    }
}

fn text_of(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.into(), source })
}

/// The cells of a line; commas within quotes part none.
fn cells_of(line: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    line.split(parts).collect()
}

/// A cell without the quotes around it.
fn unquoted(cell: &str) -> String {
    let inside = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.map_or(cell.to_string(), |inside| inside.replace("\"\"", "\""))
}
