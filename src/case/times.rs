//! Checks of `time` tables.

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
                let end = self.given(key, "end", table.end)?;
                let later = format!("later than the start {start:?}");
                self.number(&format!("{key}.end"), end, end > start, &later)?;
                Ok(TimeFunction::Ramp { start, end })
            }
            TimeKind::Sine => Ok(TimeFunction::Sine {
                period: self.period(key, table)?,
                phase: self.given(key, "phase", Some(table.phase.unwrap_or(0.0)))?,
            }),
            TimeKind::Square => Ok(TimeFunction::Square { period: self.period(key, table)? }),
            TimeKind::Table => self.time_points(key, table),
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
        match value {
            Some(value) => self.number(&format!("{key}.{name}"), value, true, "a finite number"),
            None => Err(self.error(key, format!("this function needs {name}; add it"))),
        }
    }

    fn period(&self, key: &str, table: &TimeTable) -> Checked<f64> {
        let period = self.given(key, "period", table.period)?;
        self.positive(&format!("{key}.period"), period)
    }

    fn time_points(&self, key: &str, table: &TimeTable) -> Checked<TimeFunction> {
        let need = |name: &str, list: &Option<Vec<f64>>| {
            list.clone()
                .ok_or_else(|| self.error(key, format!("this function needs {name}; add it")))
        };
        let (times, values) = (need("times", &table.times)?, need("values", &table.values)?);
        for (name, list) in [("times", &times), ("values", &values)] {
            for (at, &x) in list.iter().enumerate() {
                let wanted = format!("a finite number (entry {})", at + 1);
                self.number(&format!("{key}.{name}"), x, true, &wanted)?;
            }
        }
        if times.len() != values.len() || times.is_empty() {
            let message = format!("{} times for {} values", times.len(), values.len());
            return Err(
                self.error(&format!("{key}.values"), message + "; give one each, at least one")
            );
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            let message = format!("{:?} comes before {:?}; times must ascend", pair[0], pair[1]);
            return Err(self.error(&format!("{key}.times"), message));
        }
        Ok(TimeFunction::Table { times, values })
    }
}
