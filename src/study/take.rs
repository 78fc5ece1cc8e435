//! Taking the runs, several at a time, each for itself.

use std::path::Path;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::budget::{Gate, Share};
use super::record::{Record, RunStatus, check_files, is_whole};
use super::{Event, Ready, Study};
use crate::compare::{behind_a_door, side_by_side};
use crate::error::Error;
use crate::output::{ResultsFolder, Summary};
use crate::simulation::{self, Observer, Progress, seconds_of};

/// Hears what happens.
pub(super) type Tell<'t> = &'t (dyn Fn(Event) + Sync);

/// What all runs of a study share.
struct Around<'a> {
    study: &'a Study,
    /// Where the runs are.
    out: &'a Path,
    /// Whether they go on from their checkpoints.
    resume: bool,
    gate: Gate,
    tell: Tell<'a>,
}

/// Takes runs, as many at a time as the budget says, each worker with a pool of threads of its own. With `resume`, runs go on
/// from their checkpoints.
pub(super) fn take_all(
    study: &Study,
    runs: &[&Ready],
    out: &Path,
    resume: bool,
    tell: Tell,
) -> Result<(), Error> {
    let budget = &study.budget;
    let pools = (0..budget.parallel.min(runs.len()))
        .map(|_| pool(budget.threads_of_a_run()))
        .collect::<Result<Vec<ThreadPool>, Error>>()?;
    let around = Around { study, out, resume, gate: Gate::new(budget.memory), tell };
    let started = side_by_side(runs, &pools, |pool, run| pool.install(|| take(run, &around)));
    let count = pools.len();
    started.map_err(|error| {
        Error::Usage(format!("--parallel: {count} runs at a time: {error}; give fewer"))
    })
}

fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Usage(format!("{threads} threads for a run: {error}; give fewer")))
}

/// One run, from its start to the record of its end.
fn take(run: &Ready, around: &Around) {
    let Around { out, gate, tell, .. } = around;
    let folder = out.join(&run.planned.folder);
    let mut listener = AdmittedListener { label: &run.planned.label, gate, share: None, tell };
    let whole = || {
        Record::remove(&folder)?;
        check_files(run)?;
        let before = if around.resume { go_on(run, &folder, &mut listener) } else { None };
        let summary = match before {
            Some(summary) => summary,
            None => simulation::run(&run.case, &folder, &mut listener)?,
        };
        // Nobody knows which bytes the run read, and which ones its checkpoints stand for.
        let unchanged = check_files(run);
        if unchanged.is_err() {
            ResultsFolder::at(&folder).remove_checkpoints(|_| true)?;
        }
        unchanged.map(|()| summary)
    };
    let (result, seconds) = seconds_of(|| behind_a_door(whole));
    drop(listener.share.take());
    let (status, error) = judge(&result);
    let home = around.study.path.parent().unwrap_or(Path::new(""));
    let error = error.map(|text| [&*folder, *out, home].into_iter().fold(text, without));
    let (label, identity) = (run.planned.label.clone(), run.identity.clone());
    let record = Record { label, status, error, seconds, identity };
    match record.write(&folder) {
        Ok(()) => tell(Event::Ended(&record)),
        Err(error) => {
            let error = Some(error.to_string());
            tell(Event::Ended(&Record { status: RunStatus::Failed, error, ..record }));
        }
    }
}

/// A text whose paths below `folder` begin there: the same words whether the folder was given from the root on,
/// as Slurm's scripts do, or from elsewhere.
fn without(text: String, folder: &Path) -> String {
    if folder.parent().is_none() {
        return text;
    }
    let start = folder.join("").display().to_string();
    let (mut kept, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find(&start) {
        kept.push_str(&rest[..at]);
        // Within another path it is not this folder.
        let begins = |c: char| c.is_whitespace() || "'\"(".contains(c);
        if !kept.chars().next_back().is_none_or(begins) {
            kept.push_str(&start);
        }
        rest = &rest[at + start.len()..];
    }
    kept + rest
}

/// Goes on from a checkpoint of the same case; nothing where there is none, or it leads nowhere.
fn go_on(run: &Ready, folder: &Path, listener: &mut AdmittedListener) -> Option<Summary> {
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

fn judge(result: &Result<Summary, Error>) -> (RunStatus, Option<String>) {
    match result.as_ref().map(Summary::judge) {
        Ok(Ok(())) => (RunStatus::Done, None),
        Ok(Err(error)) => (RunStatus::Violated, Some(error.to_string())),
        Err(error) => (RunStatus::Failed, Some(error.to_string())),
    }
}

/// Hands on notices under the label of their run, and lets it take its share of the memory.
struct AdmittedListener<'a> {
    label: &'a str,
    gate: &'a Gate,
    share: Option<Share<'a>>,
    tell: Tell<'a>,
}

impl Observer for AdmittedListener<'_> {
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
    fn paths_below_a_folder_begin_there() {
        for out in ["out", "./out", "../a b/out", "/scratch/out", "/scratch/out/"] {
            let out = Path::new(out);
            let file = out.join("cone_1.json");
            let text = format!("it is in {0}; '{0}' is", file.display());
            assert_eq!(without(text, out), "it is in cone_1.json; 'cone_1.json' is");
        }
        let other = "layout/x, /out/x and ../out/x".to_string();
        assert_eq!(without(other.clone(), Path::new("out")), other);
        assert_eq!(without(other.clone(), Path::new("")), other);
        assert_eq!(without(other.clone(), Path::new("/")), other);
    }
}
