//! What a user sees while a run goes on.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::Interrupt;
use super::tell;
use crate::case::Case;
use crate::simulation::{Observer, Progress};

/// A progress bar on a terminal, a line now and then elsewhere.
pub(super) struct Screen {
    bar: ProgressBar,
    kind: Kind,
    reports: usize,
    interrupt: Option<Interrupt>,
}

#[derive(PartialEq)]
enum Kind {
    Quiet,
    Lines,
    Bar,
}

/// Reports between two lines where there is no terminal: a line every few seconds.
const REPORTS_PER_LINE: usize = 30;

impl Screen {
    pub fn new(case: &Case, quiet: bool, interrupt: Option<Interrupt>) -> Self {
        let kind = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Kind::Quiet,
            (false, true) => Kind::Bar,
            (false, false) => Kind::Lines,
        };
        let bar = match kind {
            Kind::Bar => ProgressBar::new(case.scheme.steps as u64),
            Kind::Quiet | Kind::Lines => ProgressBar::hidden(),
        };
        let template = "{bar:20} {percent:>3} %  {eta} left  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        if kind != Kind::Quiet {
            tell(&format!("running {}", case.path.display()));
        }
        Self { bar, kind, reports: 0, interrupt }
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
        if self.kind != Kind::Quiet {
            self.bar.suspend(|| tell(&format!("note: {text}")));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        let message = format!(
            "step {}/{}, energy {:.4}, {} contacts, {} iterations",
            progress.step, progress.steps, progress.energy, progress.contacts, progress.iterations
        );
        self.reports += 1;
        match self.kind {
            Kind::Quiet => {}
            Kind::Lines if self.reports.is_multiple_of(REPORTS_PER_LINE) => {
                tell(&format!("t = {:.6}: {message}", progress.time));
            }
            Kind::Lines => {}
            Kind::Bar => {
                self.bar.set_position(progress.step as u64);
                self.bar.set_message(message);
            }
        }
    }
}
