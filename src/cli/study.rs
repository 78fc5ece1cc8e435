//! `delassus study`: one case, varied.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::plot::{read_all, write_page};
use super::{print, quoted, tell};
use crate::error::Error;
use crate::report::{self, Entry, Overview};
use crate::study::slurm::{Scripts, SlurmRequest};
use crate::study::{Cell, Event, Gathered, Gathering, Ready, Record, RunStatus, Study, StudyLock};

#[derive(Args)]
pub(super) struct StudyArguments {
    /// Study file (.toml)
    study: PathBuf,
    /// Folder of table, figures and runs [default: results/study_<name of the study>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the runs that came to their end before with the same case, take the others, from their checkpoints
    #[arg(long)]
    resume: bool,
    /// Runs at a time [default: budget.parallel of the study, or the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    parallel: Option<u16>,
    /// Threads of each run [default: budget.threads of the study, or the cores dealt out]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Check all cases, list the runs and stop
    #[arg(long, conflicts_with_all = ["slurm", "task", "gather"])]
    list: bool,
    /// Take the runs as a Slurm job array, with a job that gathers after it
    #[arg(long, conflicts_with_all = ["task", "gather"])]
    slurm: bool,
    /// Option of sbatch for both jobs, e.g. --sbatch-option partition=long; repeatable
    #[arg(long, value_name = "OPTION", requires = "slurm", allow_hyphen_values = true)]
    sbatch_option: Vec<String>,
    /// Write the Slurm scripts, but do not submit them
    #[arg(long, requires = "slurm")]
    no_submit: bool,
    /// Take run K alone, without gathering; with --resume from its checkpoint
    #[arg(long, value_name = "K", conflicts_with = "gather")]
    task: Option<usize>,
    /// Gather what the runs left, without taking any
    #[arg(long, conflicts_with = "resume")]
    gather: bool,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

pub(super) fn study(arguments: &StudyArguments) -> Result<(), Error> {
    let mut study = Study::read(&arguments.study)?;
    if let Some(parallel) = arguments.parallel {
        (study.budget.parallel, study.budget.parallel_is_given) = (parallel.into(), true);
    }
    study.budget.threads = arguments.threads.map(usize::from).or(study.budget.threads);
    let default = || Path::new("results").join(format!("study_{}", study.name));
    let out = arguments.out.clone().unwrap_or_else(default);
    if let Some(number) = arguments.task {
        return take_task(&study, number, &out, arguments);
    }
    let ready = study.ready()?;
    if arguments.list {
        return print(|to| list(to, &study));
    }
    if arguments.slurm {
        return submit(&study, &ready, &out, arguments);
    }
    // Up to the last figure.
    let _lock =
        if arguments.gather { StudyLock::to_gather(&out)? } else { StudyLock::alone(&out)? };
    if !arguments.gather {
        let screen = StudyScreen::new(&study, arguments.quiet);
        let listen = |event: Event| screen.show(event);
        let open = study.begin(&ready, &out, arguments.resume, &listen)?;
        study.take(&open, &out, arguments.resume, &listen)?;
        screen.clear();
    }
    let gathering = study.gather(&ready, &out)?;
    let page = report::study_page(&overview(&study, &gathering), &read_all(&gathering.drawn)?)?;
    write_page(&page, &out.join("report.html"))?;
    if !arguments.quiet {
        print(|to| write_gathering(to, &study, &gathering, &out))?;
    }
    judge(&study, &gathering)
}

fn take_task(
    study: &Study,
    number: usize,
    out: &Path,
    arguments: &StudyArguments,
) -> Result<(), Error> {
    let StudyArguments { quiet, resume, .. } = *arguments;
    let ready = [study.ready_task(number)?];
    let _lock = StudyLock::with_tasks(out)?;
    let ended: Mutex<Option<Record>> = Mutex::new(None);
    let listen = |event: Event| match event {
        Event::Notice(text) if !quiet => tell(&format!("note: {text}")),
        Event::Notice(_) | Event::Kept(_) => {}
        Event::Ended(record) => {
            *ended.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(record.clone());
        }
    };
    let open = study.begin(&ready, out, false, &listen)?;
    study.take(&open, out, resume, &listen)?;
    let record = ended.into_inner().unwrap_or_else(|broken| broken.into_inner());
    let Some(Record { label, error, seconds, .. }) = record else {
        return Err(Error::Check(format!("run {number} did not end")));
    };
    match error {
        Some(error) => Err(Error::Check(format!("{label}: {error}"))),
        None if quiet => Ok(()),
        None => print(|to| {
            writeln!(to, "run {number} of {}: {label}: done in {seconds:.2} s", study.runs.len())
        }),
    }
}

/// What the page of the study begins with.
fn overview(study: &Study, gathering: &Gathering) -> Overview {
    let columns = &gathering.table.columns;
    let cell = |column: &Gathered, row: usize| match &column.cells[row] {
        Some(Cell::Number(number)) => Entry::Number(*number),
        Some(cell) => Entry::Text(cell.text()),
        None => Entry::Text(String::new()),
    };
    let row = |row: usize| columns.iter().map(|column| cell(column, row)).collect();
    Overview {
        title: if study.title.is_empty() { study.name.clone() } else { study.title.clone() },
        head: columns.iter().map(|column| column.name.clone()).collect(),
        rows: (0..gathering.table.rows()).map(row).collect(),
        rates: gathering.rates.clone(),
    }
}

/// An error where runs failed or were not taken; each is told.
fn judge(study: &Study, gathering: &Gathering) -> Result<(), Error> {
    let mut bad = 0;
    for (planned, record) in study.runs.iter().zip(&gathering.records) {
        let reason = match record {
            Some(Record { status: RunStatus::Done, .. }) => continue,
            Some(record) => record.error.as_deref().unwrap_or("failed"),
            None => "not run; take it with --resume",
        };
        tell(&format!("error: {}: {reason}", planned.label));
        bad += 1;
    }
    if bad == 0 {
        return Ok(());
    }
    Err(Error::Check(format!("{bad} of {} runs failed or were not taken", study.runs.len())))
}

fn list(out: &mut dyn Write, study: &Study) -> io::Result<()> {
    writeln!(out, "{} runs, all cases are fine", study.runs.len())?;
    study.runs.iter().try_for_each(|run| writeln!(out, "{:>6}  {}", run.number, run.label))
}

fn submit(
    study: &Study,
    ready: &[Ready],
    out: &Path,
    arguments: &StudyArguments,
) -> Result<(), Error> {
    let program = std::env::current_exe()
        .map_err(|error| Error::Check(format!("the path of the program is not known: {error}")))?;
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|source| Error::Read { path: path.into(), source })
    };
    let request = SlurmRequest {
        program,
        study: absolute(&study.path)?,
        out: absolute(out)?,
        options: arguments.sbatch_option.clone(),
    };
    request.check()?;
    let lock = StudyLock::alone(out)?;
    let open = study.begin(ready, out, arguments.resume, &|_| ())?;
    let scripts = study.write_scripts(&open, &request)?;
    if arguments.no_submit {
        return print(|to| write_by_hand(to, &scripts));
    }
    let _lock = lock.let_tasks_in(out)?;
    let jobs = scripts.submit()?;
    if arguments.quiet {
        return Ok(());
    }
    print(|to| {
        writeln!(
            to,
            "submitted  {} of {} runs as array {}",
            open.len(),
            ready.len(),
            jobs.arrays.join(", ")
        )?;
        writeln!(to, "gather     job {}, after them", jobs.gather)?;
        let ids =
            jobs.arrays.iter().chain([&jobs.gather]).cloned().collect::<Vec<String>>().join(",");
        writeln!(to, "watch      squeue -j {ids}")?;
        let at = out.display();
        writeln!(
            to,
            "open next  {at}/table.csv when job {} is done; logs are in {at}/slurm/",
            jobs.gather
        )?;
        writeln!(to, "if runs fail, the same command with --resume submits them again")
    })
}

/// What to type instead of the submission.
fn write_by_hand(out: &mut dyn Write, scripts: &Scripts) -> io::Result<()> {
    writeln!(out, "written    {} and {}", scripts.array.display(), scripts.gather.display())?;
    // Options are plain, and name variables that the shell is to replace.
    let word = |word: String| if word.starts_with("--") { word } else { quoted(word) };
    let line = |words: Vec<String>| words.into_iter().map(word).collect::<Vec<String>>().join(" ");
    let names: Vec<String> = (1..=scripts.arrays.len()).map(|k| format!("$array{k}")).collect();
    for k in 0..scripts.arrays.len() {
        let before = k.checked_sub(1).map(|before| names[before].as_str());
        let arguments = line(scripts.array_arguments(k, before));
        writeln!(out, "submit     array{}=$(sbatch {arguments})", k + 1)?;
    }
    writeln!(out, "then       sbatch {}", line(scripts.gather_arguments(&names)))
}

fn write_gathering(
    out: &mut dyn Write,
    study: &Study,
    gathering: &Gathering,
    folder: &Path,
) -> io::Result<()> {
    let count = |status: RunStatus| {
        let is = |record: &&Option<Record>| record.as_ref().is_some_and(|r| r.status == status);
        gathering.records.iter().filter(is).count()
    };
    let [done, violated, failed] =
        [RunStatus::Done, RunStatus::Violated, RunStatus::Failed].map(count);
    let missing = gathering.records.iter().filter(|record| record.is_none()).count();
    if !study.title.is_empty() {
        writeln!(out, "{}", study.title)?;
    }
    write!(out, "runs       {} of {} done", done, study.runs.len())?;
    for (count, word) in [(violated, "violated"), (failed, "failed"), (missing, "not run")] {
        if count > 0 {
            write!(out, ", {count} {word}")?;
        }
    }
    let seconds: f64 = gathering.records.iter().flatten().map(|record| record.seconds).sum();
    writeln!(out, "; {seconds:.1} s of runs")?;
    write_table(out, gathering)?;
    for series in &gathering.series {
        let label =
            if series.label.is_empty() { String::new() } else { format!(", {}", series.label) };
        match series.fit {
            Some([_, rate]) => writeln!(
                out,
                "rate       {}{label}: {rate:.3} from {} points",
                series.name,
                series.points()
            )?,
            None => {
                writeln!(out, "rate       {}{label}: too few points with an error", series.name)?
            }
        }
    }
    let at = folder.display();
    writeln!(
        out,
        "open next  {at}/report.html, table.csv, table.parquet, energy.svg and the other figures"
    )
}

/// Rows and columns of the table that fit a screen.
const MOST_ROWS: usize = 40;
const MOST_COLUMNS: usize = 8;

fn write_table(out: &mut dyn Write, gathering: &Gathering) -> io::Result<()> {
    let table = &gathering.table;
    let shown: Vec<_> =
        table.columns.iter().filter(|column| column.name != "error").take(MOST_COLUMNS).collect();
    let cell = |column: &Gathered, row: usize| match &column.cells[row] {
        None => "-".to_string(),
        Some(Cell::Number(x)) => format!("{x:.5e}"),
        Some(cell) => cell.text(),
    };
    let rows = table.rows().min(MOST_ROWS);
    let width = |column: &Gathered| {
        let name = column.name.rsplit('.').next().unwrap_or_default();
        let cells = (0..rows).map(|row| cell(column, row).chars().count());
        cells.chain([name.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = shown.iter().map(|column| width(column)).collect();
    for (column, width) in shown.iter().zip(&widths) {
        write!(out, "{:<width$}  ", column.name.rsplit('.').next().unwrap_or_default())?;
    }
    writeln!(out)?;
    for row in 0..rows {
        for (column, width) in shown.iter().zip(&widths) {
            write!(out, "{:<width$}  ", cell(column, row))?;
        }
        writeln!(out)?;
    }
    match table.rows() - rows {
        0 => Ok(()),
        more => writeln!(out, "and {more} more in table.csv"),
    }
}

/// A bar on a terminal, a line per run elsewhere.
struct StudyScreen {
    bar: ProgressBar,
    quiet: bool,
    terminal: bool,
    counts: Mutex<RunCounts>,
}

#[derive(Default)]
struct RunCounts {
    all: usize,
    kept: usize,
    ended: usize,
    failed: usize,
}

impl StudyScreen {
    fn new(study: &Study, quiet: bool) -> Self {
        let terminal = io::stderr().is_terminal() && !quiet;
        let all = study.runs.len();
        let bar = if terminal { ProgressBar::new(all as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len} runs  {wide_msg}") {
            bar.set_style(style);
        }
        Self { bar, quiet, terminal, counts: Mutex::new(RunCounts { all, ..RunCounts::default() }) }
    }

    fn show(&self, event: Event) {
        let mut counts = self.counts.lock().unwrap_or_else(|broken| broken.into_inner());
        let line = match event {
            Event::Notice(text) => format!("note: {text}"),
            Event::Kept(_) => {
                counts.kept += 1;
                self.bar.inc(1);
                return;
            }
            Event::Ended(record) => {
                counts.ended += 1;
                counts.failed += usize::from(record.status != RunStatus::Done);
                self.bar.inc(1);
                let left = self.left(&counts);
                self.bar.set_message(left.clone());
                let how = match &record.error {
                    None => format!("done in {:.2} s", record.seconds),
                    Some(_) => record.status.word().to_string(),
                };
                if self.terminal && record.error.is_none() {
                    return;
                }
                let (done, all) = (counts.kept + counts.ended, counts.all);
                format!("[{done}/{all}] {}: {how}; {left}", record.label)
            }
        };
        if !self.quiet {
            self.bar.suspend(|| tell(&line));
        }
    }

    /// Time left, as long as runs take what they took so far.
    fn left(&self, counts: &RunCounts) -> String {
        let open = counts.all - counts.kept - counts.ended;
        let seconds = self.bar.elapsed().as_secs_f64() * open as f64 / counts.ended.max(1) as f64;
        let failed =
            if counts.failed > 0 { format!("{} failed, ", counts.failed) } else { String::new() };
        format!("{failed}{open} to go, {seconds:.0} s left")
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
