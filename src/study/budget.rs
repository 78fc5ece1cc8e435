//! How much may go on at once.

use std::sync::{Condvar, Mutex, MutexGuard};

use super::file::{BudgetFile, Text};
use crate::compare::cores;
use crate::error::Error;
use crate::simulation::available_memory;

/// How many runs at once, and how much memory for all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Runs at a time.
    pub parallel: usize,
    /// Whether the study says so, or it follows from the machine.
    pub parallel_is_given: bool,
    /// Threads of each run, where the study says so.
    pub threads: Option<usize>,
    /// Most bytes of factors and contact operators of the runs under way, where there is a limit.
    pub memory: Option<usize>,
}

/// Share of the free memory that the runs may take where the study does not say how much.
const SHARE: f64 = 0.8;

/// More is a number of bytes, not of gigabytes.
const MOST_GIGABYTES: f64 = 1e6;

impl Budget {
    pub(super) fn of(text: &Text, file: &BudgetFile) -> Result<Self, Error> {
        let complain = |key: &str, message: &str| {
            text.error(text.offset(&["budget", key]), format!("budget.{key}: {message}"))
        };
        if file.parallel == Some(0) || file.parallel > Some(4096) {
            return Err(complain("parallel", "give 1 to 4096 runs at a time"));
        }
        if file.threads == Some(0) || file.threads > Some(1024) {
            return Err(complain("threads", "give 1 to 1024 threads"));
        }
        let fits = |gigabytes: f64| gigabytes > 0.0 && gigabytes <= MOST_GIGABYTES;
        if file.memory.is_some_and(|gigabytes| !fits(gigabytes)) {
            return Err(complain(
                "memory",
                "give a number > 0 in GB, as solver.memory has it: 4.0",
            ));
        }
        let free = || available_memory().map(|free| SHARE * free as f64);
        Ok(Self {
            parallel: file.parallel.unwrap_or_else(cores),
            parallel_is_given: file.parallel.is_some(),
            threads: file.threads,
            memory: file.memory.map(|gb| 1e9 * gb).or_else(free).map(|bytes| bytes as usize),
        })
    }

    /// Threads of each run: as given, or the cores dealt out.
    pub(super) fn threads_of_a_run(&self) -> usize {
        self.threads.unwrap_or((cores() / self.parallel).max(1))
    }
}

/// Lets runs take memory as long as all of them stay within the budget.
pub(super) struct Gate {
    limit: Option<usize>,
    taken: Mutex<usize>,
    released: Condvar,
}

/// Bytes that a run has taken, given back when it ends.
pub(super) struct Share<'g> {
    gate: &'g Gate,
    bytes: usize,
}

impl Gate {
    pub fn new(limit: Option<usize>) -> Self {
        Self { limit, taken: Mutex::new(0), released: Condvar::new() }
    }

    /// Waits until `bytes` can be had; an error where they never can.
    pub fn enter(&self, bytes: usize) -> Result<Share<'_>, Error> {
        let limit = self.limit.unwrap_or(usize::MAX);
        if bytes > limit {
            return Err(Error::Memory {
                matrix: "effective mass",
                needed: bytes,
                available: limit,
                source_of_limit: "the study's budget.memory allows",
            });
        }
        let mut taken = self.lock();
        while *taken + bytes > limit {
            taken = self.released.wait(taken).unwrap_or_else(|broken| broken.into_inner());
        }
        *taken += bytes;
        Ok(Share { gate: self, bytes })
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        *self.gate.lock() -= self.bytes;
        self.gate.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Six runs of 2 bytes within 5: two at a time, never three.
    #[test]
    fn runs_wait_until_others_have_given_back_their_memory() {
        let gate = Gate::new(Some(5));
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let share = gate.enter(2).unwrap();
                    most.fetch_max(1 + inside.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(share);
                });
            }
        });
        assert!(most.into_inner() <= 2);
        assert_eq!(*gate.lock(), 0);
    }

    #[test]
    fn a_run_that_never_fits_is_told_so() {
        let error = Gate::new(Some(5)).enter(6).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("the study's budget.memory allows"), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
}
