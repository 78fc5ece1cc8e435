//! Taking the runs, several at a time, each for itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::{Budget, Gate, Share};
use super::record::{Record, Status, is_whole};
use super::{Event, Ready};
use crate::error::Error;
use crate::output::{ResultsFolder, Summary};
use crate::simulation::{self, Observer, Progress, seconds_of};

/// Hears what happens.
pub(super) type Tell<'t> = &'t (dyn Fn(Event) + Sync);

/// Takes runs, as many at a time as the budget says. Each worker has a pool of threads of its own: in a
/// shared one, a run that waits for a part of its step would take up a whole other run. With `resume`, runs go on
/// from their checkpoints.
pub(super) fn take_all(
    runs: &[&Ready],
    out: &Path,
    resume: bool,
    budget: &Budget,
    tell: Tell,
) -> Result<(), Error> {
    let pools = (0..budget.parallel.min(runs.len()))
        .map(|_| pool(budget.threads_of_a_run()))
        .collect::<Result<Vec<ThreadPool>, Error>>()?;
    let (gate, next) = (Gate::new(budget.memory), AtomicUsize::new(0));
    let work = |pool: &ThreadPool| {
        while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            pool.install(|| take(run, out, resume, &gate, tell));
        }
    };
    std::thread::scope(|scope| {
        for pool in &pools {
            let work = &work;
            scope.spawn(move || work(pool));
        }
    });
    Ok(())
}

fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Usage(format!("{threads} threads for a run: {error}; give fewer")))
}

/// One run, from its start to the record of its end.
fn take(run: &Ready, out: &Path, resume: bool, gate: &Gate, tell: Tell) {
    let folder = out.join(&run.planned.folder);
    let mut listener = Listener { label: &run.planned.label, gate, share: None, tell };
    let whole = || {
        Record::remove(&folder)?;
        if resume && let Some(summary) = go_on(run, &folder, &mut listener) {
            return Ok(summary);
        }
        simulation::run(&run.case, &folder, &mut listener)
    };
    let (result, seconds) = seconds_of(|| behind_a_door(whole));
    drop(listener.share.take());
    let (status, error) = judge(&result);
    let (label, identity) = (run.planned.label.clone(), run.identity.clone());
    let record = Record { label, status, error, seconds, identity };
    match record.write(&folder) {
        Ok(()) => tell(Event::Ended(&record)),
        Err(error) => {
            let error = Some(error.to_string());
            tell(Event::Ended(&Record { status: Status::Failed, error, ..record }));
        }
    }
}

/// Goes on from a checkpoint of the same case; nothing where there is none, or it leads nowhere.
fn go_on(run: &Ready, folder: &Path, listener: &mut Listener) -> Option<Summary> {
    let checkpoints = folder.is_dir().then(|| ResultsFolder::at(folder).checkpoints().ok());
    if checkpoints.flatten().is_none_or(|steps| steps.is_empty()) {
        return None;
    }
    match simulation::resume(&run.case, folder, listener) {
        Ok(summary) if is_whole(folder, &run.case) => Some(summary),
        outcome => {
            let reason = outcome.err().map_or("its files are damaged".into(), |e| e.to_string());
            listener.share = None;
            listener.notice(&format!("taken from the start: {reason}"));
            None
        }
    }
}

fn judge(result: &Result<Summary, Error>) -> (Status, Option<String>) {
    match result.as_ref().map(Summary::judge) {
        Ok(Ok(())) => (Status::Done, None),
        Ok(Err(error)) => (Status::Violated, Some(error.to_string())),
        Err(error) => (Status::Failed, Some(error.to_string())),
    }
}

/// What a task returns; a panic is an error like others and stays with its run.
fn behind_a_door<T>(task: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Error::Check(format!("the engine broke off: {text}; please report it with the case")))
    })
}

/// Hands on notices under the label of their run, and lets it take its share of the memory.
struct Listener<'a> {
    label: &'a str,
    gate: &'a Gate,
    share: Option<Share<'a>>,
    tell: Tell<'a>,
}

impl Observer for Listener<'_> {
    fn notice(&mut self, text: &str) {
        (self.tell)(Event::Notice(&format!("{}: {text}", self.label)));
    }

    fn progress(&mut self, _: &Progress) {}

    fn admit(&mut self, bytes: usize) -> Result<(), Error> {
        self.share = Some(self.gate.enter(bytes)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
