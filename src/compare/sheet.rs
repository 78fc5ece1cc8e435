//! The files of a comparison.

use std::fmt::Write;
use std::path::Path;

use crate::error::Error;
use crate::figures::quantities::{self, Quantity};
use crate::output::write_whole;
use crate::results::Series;

/// The numbers of a quantity: `run,time,…`, run after run.
pub(super) struct Sheet<'a> {
    pub quantity: &'a Quantity,
    pub runs: &'a [(&'a str, &'a Series)],
}

impl Sheet<'_> {
    pub fn write(&self, out: &Path) -> Result<(), Error> {
        write(out, &format!("{}.csv", self.quantity.name), &self.csv())
    }

    fn csv(&self) -> String {
        let names: Vec<String> = self.quantity.columns.iter().map(|name| quoted(name)).collect();
        let mut csv = format!("run,time,{}\n", names.join(","));
        for (label, series) in self.runs {
            let Some(source) = self.quantity.source(series) else { continue };
            let columns: Vec<Option<&[f64]>> =
                self.quantity.columns.iter().map(|name| source.get(name)).collect();
            let label = quoted(label);
            for (row, time) in source.time.iter().enumerate() {
                let _ = write!(csv, "{label},{time:?}");
                for column in &columns {
                    match column {
                        Some(values) => {
                            let _ = write!(csv, ",{:?}", values[row]);
                        }
                        None => csv.push(','),
                    }
                }
                csv.push('\n');
            }
        }
        csv
    }
}

/// Text as a cell: in quotes where it has commas or quotes.
pub fn quoted(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Writes a file of the comparison whole.
pub(super) fn write(out: &Path, name: &str, text: &str) -> Result<(), Error> {
    let path = out.join(name);
    write_whole(&path, |to| to.write_all(text.as_bytes()))
        .map_err(|source| Error::Write { path, source })
}

/// Makes the folder, and removes what an earlier comparison left in it beside the folders of its runs.
/// A folder that holds files of the same names that no comparison wrote is left alone.
pub(super) fn clear(out: &Path) -> Result<(), Error> {
    clear_marked(out, &[("table.csv", "run,steps,")])
}

/// The same, but for its table.
pub(super) fn clear_quantities(out: &Path) -> Result<(), Error> {
    clear_marked(out, &[])
}

/// Files of quantities and `more` files, each with the start that tells it from a stranger's.
fn clear_marked(out: &Path, more: &[(&str, &'static str)]) -> Result<(), Error> {
    let complain = |source| Error::OutputFolder { path: out.into(), source };
    std::fs::create_dir_all(out).map_err(complain)?;
    let marked = |name: String, mark: &'static str| (out.join(name), mark);
    let sheets = quantities::names().map(|name| marked(format!("{name}.csv"), "run,time,"));
    let figures = quantities::names().map(|name| marked(format!("{name}.svg"), "<svg "));
    let more = more.iter().map(|(name, mark)| marked(name.to_string(), mark));
    let old: Vec<_> = sheets.chain(figures).chain(more).filter(|(p, _)| p.exists()).collect();
    for (path, mark) in &old {
        let bytes = std::fs::read(path).map_err(complain)?;
        if !bytes.starts_with(mark.as_bytes()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("it holds a '{name}' that no comparison wrote");
            return Err(complain(std::io::Error::other(message)));
        }
    }
    old.iter().try_for_each(|(path, _)| std::fs::remove_file(path)).map_err(complain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Columns;

    #[test]
    fn a_sheet_holds_run_after_run_and_blanks_for_columns_a_run_does_not_have() {
        let run = |step: &[f64], columns: &[(&str, &[f64])]| Series {
            history: Columns::given(&[0.0], &[]),
            trajectory: Some(Columns::given(step, columns)),
        };
        let a = run(&[0.0, 1.0], &[("ball.x", &[1.0, 2.0]), ("ball.y", &[0.0, f64::NAN])]);
        let b = run(&[0.0], &[("ball.x", &[1.5])]);
        let runs = [("a, b", &a), ("c", &b)];
        let quantities = quantities::all(&runs);
        let quantity = quantities.iter().find(|q| q.name == "position").unwrap();
        assert_eq!(
            Sheet { quantity, runs: &runs }.csv(),
            "run,time,ball.x,ball.y\n\"a, b\",0.0,1.0,0.0\n\"a, b\",0.5,2.0,NaN\nc,0.0,1.5,\n"
        );
        assert_eq!(quoted("a \"b\""), "\"a \"\"b\"\"\"");
    }

    #[test]
    fn an_earlier_comparison_makes_way_and_strangers_stay() {
        let out = std::env::temp_dir().join(format!("delassus_compare_{}", std::process::id()));
        clear(&out).unwrap();
        for (name, text) in
            [("gap.csv", "run,time,a\n"), ("gap.svg", "<svg xmlns"), ("notes.csv", "mine")]
        {
            write(&out, name, text).unwrap();
        }
        clear(&out).unwrap();
        let left = ["gap.csv", "gap.svg", "notes.csv"].map(|name| out.join(name).exists());
        assert_eq!(left, [false, false, true]);
        write(&out, "energy.csv", "year,kWh\n").unwrap();
        let error = clear(&out).unwrap_err().to_string();
        assert!(error.contains("holds a 'energy.csv' that no comparison wrote"), "{error}");
        std::fs::remove_dir_all(&out).unwrap();
    }
}
