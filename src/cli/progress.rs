//! What a user sees while a run goes on.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::Interrupt;
use super::tables::readable;
use super::tell;
use crate::case::Case;
use crate::simulation::{Observer, Progress};

/// A progress bar on a terminal, a line every few seconds elsewhere.
pub(super) struct Screen {
    bar: ProgressBar,
    kind: ScreenKind,
    /// Seconds since the first step at the last line.
    told: f64,
    interrupt: Option<Interrupt>,
}

#[derive(PartialEq)]
enum ScreenKind {
    Quiet,
    Lines,
    Bar,
}

/// Seconds between two lines where there is no terminal.
const TELL_EVERY: f64 = 3.0;
/// Seconds from which on what comes before the first step is worth a line.
const LONG: f64 = 1.0;

impl Screen {
    pub fn new(case: &Case, quiet: bool, interrupt: Option<Interrupt>) -> Self {
        let kind = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => ScreenKind::Quiet,
            (false, true) => ScreenKind::Bar,
            (false, false) => ScreenKind::Lines,
        };
        let bar = match kind {
            ScreenKind::Bar => ProgressBar::new(case.scheme.steps as u64),
            ScreenKind::Quiet | ScreenKind::Lines => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:10} {percent:>3} %  {wide_msg}") {
            bar.set_style(style);
        }
        if kind != ScreenKind::Quiet {
            tell(&format!("running {}", case.path.display()));
        }
        Self { bar, kind, told: 0.0, interrupt }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Screen {
    fn wants_to_stop(&mut self) -> bool {
        self.interrupt.as_mut().is_some_and(Interrupt::asks)
    }

    fn notice(&mut self, text: &str) {
        if self.kind != ScreenKind::Quiet {
            self.bar.suspend(|| tell(&format!("note: {text}")));
        }
    }

    fn preparing(&mut self, what: &str, seconds: f64) {
        match self.kind {
            ScreenKind::Lines if seconds >= LONG => {
                tell(&format!("{what} after {}", duration(seconds)))
            }
            ScreenKind::Quiet | ScreenKind::Lines => {}
            ScreenKind::Bar => {
                self.bar.set_message(what.to_string());
                self.bar.tick();
            }
        }
    }

    fn progress(&mut self, progress: &Progress) {
        match self.kind {
            ScreenKind::Lines if progress.seconds - self.told >= TELL_EVERY => {
                self.told = progress.seconds;
                let share = 100.0 * progress.step as f64 / progress.steps as f64;
                tell(&format!("{share:>3.0} %  {}", line(progress)));
            }
            ScreenKind::Quiet | ScreenKind::Lines => {}
            ScreenKind::Bar => {
                self.bar.set_position(progress.step as u64);
                self.bar.set_message(short_line(progress));
            }
        }
    }
}

fn line(progress: &Progress) -> String {
    format!(
        "{} left, {} steps/s, step {} of {}, t = {}, energy {}, {} contacts, {} iterations",
        duration(progress.seconds_left()),
        grouped(progress.rate.round() as usize),
        grouped(progress.step),
        grouped(progress.steps),
        readable(progress.time),
        readable(progress.energy),
        progress.contacts,
        progress.iterations
    )
}

/// What fits beside the bar in eighty columns.
fn short_line(progress: &Progress) -> String {
    format!(
        "{} left, {}/s, t {}, E {}, {} contacts, {} iter.",
        duration(progress.seconds_left()),
        grouped(progress.rate.round() as usize),
        brief(progress.time),
        brief(progress.energy),
        progress.contacts,
        progress.iterations
    )
}

/// Four digits or so.
fn brief(x: f64) -> String {
    match x.abs() {
        0.0 => "0".into(),
        size if (1e-2..1e2).contains(&size) => format!("{x:.3}"),
        size if (1e2..1e6).contains(&size) => format!("{x:.1}"),
        _ => format!("{x:.2e}"),
    }
}

/// Seconds as a person says them.
pub(super) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 0.1 => format!("{:.0} ms", 1e3 * seconds),
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days {} h", grouped((whole / 86_400) as usize), whole % 86_400 / 3600),
    }
}

/// A count with commas between its thousands, from five digits on.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_counts_read_as_a_person_says_them() {
        let seconds = [0.0421, 1.26, 59.9, 61.0, 3725.0, 190_000.0];
        let said = seconds.map(duration);
        assert_eq!(
            said,
            ["42 ms", "1.3 s", "1 min 00 s", "1 min 01 s", "1 h 02 min", "2 days 4 h"]
        );
        assert_eq!(
            [0.0, 0.0144, 34.1087, 1068.53, 1e-9].map(brief),
            ["0", "0.014", "34.109", "1068.5", "1.00e-9"]
        );
        assert_eq!(
            [999, 1000, 10_000, 1_234_567].map(grouped),
            ["999", "1000", "10,000", "1,234,567"]
        );
    }
}
