//! Where the time of a run goes.

use std::time::Instant;

use crate::output::{Stage, Timings};
use crate::tape::Tape;

/// The only clock.
pub(super) struct Clock {
    started: Instant,
    last: Instant,
    shown: Instant,
    handed_over: Instant,
    /// When the first step of this run began, and how many were taken before.
    stepping: (Instant, usize),
    pub timings: Timings,
    /// Of the parts of the run before this one.
    earlier: Timings,
}

/// Seconds between two progress reports.
const SHOW_EVERY: f64 = 0.1;
/// Seconds between two moments at which all rows are on disk.
const HAND_OVER_EVERY: f64 = 1.0;

impl Clock {
    pub fn new() -> Self {
        let now = Instant::now();
        Self {
            started: now,
            last: now,
            shown: now,
            handed_over: now,
            stepping: (now, 0),
            timings: Timings::default(),
            earlier: Timings::default(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Steps begin, after as many as were taken before.
    pub fn begin_steps(&mut self, taken: usize) {
        self.stepping = (Instant::now(), taken);
    }

    /// Seconds since steps began, and steps per second.
    pub fn pace(&self, step: usize) -> (f64, f64) {
        let (began, before) = self.stepping;
        let seconds = (self.last - began).as_secs_f64();
        (seconds, (step - before) as f64 / seconds.max(f64::MIN_POSITIVE))
    }

    /// Seconds since the last lap.
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    /// The timings so far, with the seconds since the start.
    pub fn read(&self) -> Timings {
        let mut timings = Timings { total: self.seconds(), ..self.timings };
        timings.add_all(&self.earlier);
        timings
    }

    /// Passes over the timings so far, which are those of an earlier part when they are read.
    pub fn remember(&mut self, tape: &mut Tape) {
        let mut timings = self.read();
        timings.remember(tape);
        if tape.reads() {
            self.earlier = timings;
        }
    }

    /// Gives the time since the last lap to a stage.
    pub fn add(&mut self, stage: Stage) {
        let seconds = self.lap();
        self.timings.add(stage, seconds);
    }

    /// Whether the next progress report is due.
    pub fn time_to_show(&mut self) -> bool {
        let due = (self.last - self.shown).as_secs_f64() >= SHOW_EVERY;
        if due {
            self.shown = self.last;
        }
        due
    }

    /// Whether rows are to go to disk.
    pub fn time_to_hand_over(&mut self) -> bool {
        let due = (self.last - self.handed_over).as_secs_f64() >= HAND_OVER_EVERY;
        if due {
            self.handed_over = self.last;
        }
        due
    }
}

/// What a task returns, and the seconds it took.
pub fn seconds_of<T>(task: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = task();
    (result, start.elapsed().as_secs_f64())
}

/// A moment after which work should stop.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// In that many seconds; never, where that is beyond the clock.
    pub fn after(seconds: f64) -> Self {
        let wait = std::time::Duration::try_from_secs_f64(seconds).ok();
        Self(wait.and_then(|wait| Instant::now().checked_add(wait)))
    }

    /// Whether it lies in the past.
    pub fn passed(&self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }
}
