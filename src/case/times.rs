//! `time` tables.

use super::file::TimeTable;
use super::validate::{Checked, Checker};
use crate::time::TimeFunction;

#[derive(Clone, Copy)]
enum TimeKind {
    Constant,
    Step,
    Ramp,
    Sine,
    Square,
    Table,
}

impl Checker<'_> {
    /// The time function of a table; constant where there is none.
    pub(super) fn time(&self, key: &str, table: Option<&TimeTable>) -> Checked<TimeFunction> {
        let Some(table) = table else { return Ok(TimeFunction::Constant) };
        let kinds = [
            ("constant", TimeKind::Constant),
            ("step", TimeKind::Step),
            ("ramp", TimeKind::Ramp),
            ("sine", TimeKind::Sine),
            ("square", TimeKind::Square),
            ("table", TimeKind::Table),
        ];
        let kind = self.choice(&format!("{key}.function"), Some(&table.function), &kinds)?;
        self.refuse_strangers(key, kind, table)?;
        match kind {
            TimeKind::Constant => Ok(TimeFunction::Constant),
            TimeKind::Step => {
                Ok(TimeFunction::Step { start: self.given(key, "start", table.start)? })
            }
            TimeKind::Ramp => {
                let start = self.given(key, "start", table.start)?;
                Ok(TimeFunction::Ramp { start, end: self.given(key, "end", table.end)? })
            }
            TimeKind::Sine => Ok(TimeFunction::Sine {
                period: self.given(key, "period", table.period)?,
                phase: table.phase.unwrap_or(0.0),
            }),
            TimeKind::Square => {
                Ok(TimeFunction::Square { period: self.given(key, "period", table.period)? })
            }
            TimeKind::Table => {
                let need = |name: &str, list: &Option<Vec<f64>>| {
                    let missing = || self.error(key, format!("this function needs {name}; add it"));
                    list.clone().ok_or_else(missing)
                };
                let times = need("times", &table.times)?;
                Ok(TimeFunction::Table { times, values: need("values", &table.values)? })
            }
        }
    }

    /// Keys that the function does not have.
    fn refuse_strangers(&self, key: &str, kind: TimeKind, table: &TimeTable) -> Checked<()> {
        let own: &[&str] = match kind {
            TimeKind::Constant => &[],
            TimeKind::Step => &["start"],
            TimeKind::Ramp => &["start", "end"],
            TimeKind::Sine => &["period", "phase"],
            TimeKind::Square => &["period"],
            TimeKind::Table => &["times", "values"],
        };
        let given = [
            ("start", table.start.is_some()),
            ("end", table.end.is_some()),
            ("period", table.period.is_some()),
            ("phase", table.phase.is_some()),
            ("times", table.times.is_some()),
            ("values", table.values.is_some()),
        ];
        for (name, is_given) in given {
            if is_given && !own.contains(&name) {
                let takes = if own.is_empty() { "nothing".into() } else { own.join(", ") };
                let message =
                    format!("function = \"{}\" has no {name}; it takes {takes}", table.function);
                return Err(self.error(&format!("{key}.{name}"), message));
            }
        }
        Ok(())
    }

    fn given(&self, key: &str, name: &str, value: Option<f64>) -> Checked<f64> {
        value.ok_or_else(|| self.error(key, format!("this function needs {name}; add it")))
    }
}
