//! Taking runs several at a time, each for itself.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

use crate::error::Error;

/// Cores of the machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Hands every run to a worker that is free. Workers have threads of their own: in the pool that a run uses, one that
/// waits for a part of its step would take up a whole other run.
///
/// # Errors
/// A thread that cannot be started. Runs that are under way come to their end then; no other one begins.
pub fn side_by_side<R: Sync, W: Sync>(
    runs: &[R],
    workers: &[W],
    take: impl Fn(&W, &R) + Sync,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let work = |worker: &W| {
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            take(worker, run);
        }
    };
    std::thread::scope(|scope| {
        workers.iter().try_for_each(|worker| {
            let started = Builder::new().spawn_scoped(scope, || work(worker));
            started.map(|_| ()).inspect_err(|_| next.store(runs.len(), Ordering::Relaxed))
        })
    })
}

/// What a task returns; a panic is an error like others and stays with its run.
pub fn behind_a_door<T>(task: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Error::Check(format!("the engine broke off: {text}; please report it with the case")))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_run_is_taken_once() {
        let taken = Mutex::new(Vec::new());
        side_by_side(&[3, 1, 2], &[(), ()], |(), run| taken.lock().unwrap().push(*run)).unwrap();
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, [1, 2, 3]);
    }

    #[test]
    fn a_panic_ends_one_run_with_its_words() {
        let text = |result: Result<(), Error>| result.unwrap_err().to_string();
        let broken = text(behind_a_door(|| panic!("node {} has no mass", 7)));
        assert_eq!(
            broken,
            "the engine broke off: node 7 has no mass; please report it with the case"
        );
        assert!(text(behind_a_door(|| panic!("plain"))).contains("plain"));
        assert!(behind_a_door(|| Ok(1)).is_ok());
    }
}
