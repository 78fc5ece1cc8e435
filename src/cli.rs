//! The command line: the only room that prints.

mod compare;
mod explore;
mod friction;
mod interrupt;
mod keys;
mod matrices;
mod plot;
mod progress;
mod rehearsal;
mod study;
mod tables;
mod templates;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::case::Case;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::output::ResultsFolder;
use crate::simulation;
use crate::verify::verify;
use interrupt::Interrupt;
use progress::Screen;

/// Finite-element elastodynamics with contact, impact and friction; every run proves that it
/// created no energy.
#[derive(Parser)]
#[command(name = "delassus", version, arg_required_else_help = true)]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run a case and leave its results in a folder
    Run(RunArguments),
    /// Make a folder with a commented case and its mesh, to begin with
    New(templates::NewArguments),
    /// Run the sliding block that comes with the program
    Demo(templates::DemoArguments),
    /// Judge the results in a folder anew, from its files; exit 1 where energy was created
    Verify {
        /// Results folder of a run
        folder: PathBuf,
    },
    /// Draw the figures of runs, as SVG or PNG
    Plot(plot::PlotArguments),
    /// Write results as one page for a browser: verdict, figures, tables, an interactive view
    Report(plot::ReportArguments),
    /// Run cases or schemes side by side: a figure per quantity, and a table
    Compare(compare::CompareArguments),
    /// Run a case with many values of its keys: one table, figures, rates of convergence; also on Slurm
    Study(study::StudyArguments),
    /// Show what a mesh file holds: counts, groups, size, quality
    Mesh {
        /// Gmsh .msh file
        file: PathBuf,
    },
    /// Write the matrices of a case, M, K, C, H and W, as Matrix Market files
    Matrices(matrices::MatricesArguments),
    /// Solve cone problems from files (FCLIB .hdf5, Siconos .dat, neutral .json, cone_STEP.json)
    Friction(friction::FrictionArguments),
    /// Solve one step of a case from many starts: which motions and impulses Coulomb's law leaves open
    Explore(explore::ExploreArguments),
    /// List the keys of a case file: all, or those of one table or word
    Keys(keys::KeysArguments),
    /// Print the JSON Schema of case files, for editors that complete and check
    Schema,
}

#[derive(Args)]
struct RunArguments {
    /// Case file (.toml)
    case: PathBuf,
    /// Results folder [default: results/<case name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Set a key of the case, e.g. --set scheme.theta=0.6; repeatable
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Threads to use [default: all cores]; the results have the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Check the case, its mesh and its model, and tell counts, memory and time; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write report.html into the results folder at the end
    #[arg(long)]
    report: bool,
    /// Go on with a run that was interrupted or killed, after its newest checkpoint; same bytes as without
    /// the break
    #[arg(long)]
    resume: bool,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

/// Parses the command line, does as told, prints errors; 0 done, 1 failed, 2 bad usage or input,
/// 128 + signal interrupted.
pub fn main() -> ExitCode {
    outlive_limits_of_files();
    let verb = Command::parse().verb;
    let outcome = make_threads(&verb).and_then(|()| match &verb {
        Verb::Run(arguments) => read(arguments).and_then(|(case, out, manner)| {
            if arguments.dry_run { rehearse(&case, &manner) } else { run(&case, &out, &manner) }
        }),
        Verb::New(arguments) => templates::make(arguments),
        Verb::Demo(arguments) => templates::demo(arguments),
        Verb::Verify { folder } => show_verification(folder),
        Verb::Plot(arguments) => plot::plot(arguments),
        Verb::Report(arguments) => plot::report(arguments),
        Verb::Compare(arguments) => compare::compare(arguments),
        Verb::Study(arguments) => study::study(arguments),
        Verb::Mesh { file } => show_mesh(file),
        Verb::Matrices(arguments) => matrices::write(arguments),
        Verb::Friction(arguments) => friction::solve(arguments),
        Verb::Explore(arguments) => explore::explore(arguments),
        Verb::Keys(arguments) => keys::show(arguments),
        Verb::Schema => keys::show_schema(),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error @ Error::Interrupted { .. }) => {
            tell(&error.to_string());
            ExitCode::from(error.exit_code())
        }
        Err(error) => {
            tell(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

/// Where a file may not become larger (`ulimit -f`), writing fails and is told, instead of a signal that ends the
/// program without a word. Where nothing can listen, it does.
fn outlive_limits_of_files() {
    #[cfg(unix)]
    {
        let unread = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
    }
}

/// Makes the threads that compute, for the verbs that do: the engine would make them when it first needs them, and
/// could only panic where that fails. Those of a study are its own.
fn make_threads(verb: &Verb) -> Result<(), Error> {
    let threads = match verb {
        Verb::Run(arguments) => arguments.threads,
        Verb::Demo(_)
        | Verb::Compare(_)
        | Verb::Friction(_)
        | Verb::Explore(_)
        | Verb::Matrices(_) => None,
        Verb::New(_)
        | Verb::Verify { .. }
        | Verb::Plot(_)
        | Verb::Report(_)
        | Verb::Study(_)
        | Verb::Mesh { .. }
        | Verb::Keys(_)
        | Verb::Schema => return Ok(()),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into());
    pool.build_global().map_err(|error| Error::Threads {
        wanted: threads.map_or("one per core".into(), |count| format!("--threads {count}")),
        reason: error.to_string(),
    })
}

/// The case of a run, the folder for its results, and how it is to be taken.
fn read(arguments: &RunArguments) -> Result<(Case, PathBuf, Manner), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&case.name));
    let manner = Manner {
        quiet: arguments.quiet,
        report: arguments.report,
        resume: arguments.resume,
        to_go_on: Some(command_to_go_on(arguments)),
    };
    Ok((case, out, manner))
}

/// How a run is taken.
struct Manner {
    quiet: bool,
    report: bool,
    resume: bool,
    /// The command that goes on with it; where there is none, Ctrl-C ends it without a checkpoint.
    to_go_on: Option<String>,
}

/// Runs a case and tells how it went.
fn run(case: &Case, out: &Path, manner: &Manner) -> Result<(), Error> {
    let interrupt = manner.to_go_on.as_ref().map(|_| Interrupt::install()).transpose()?;
    let mut screen = Screen::new(case, manner.quiet, interrupt.clone());
    let run = if manner.resume { simulation::resume } else { simulation::run };
    let summary = run(case, out, &mut screen);
    screen.clear();
    let summary = summary.map_err(|error| with_way_on(error, out, manner))?;
    if !summary.finished {
        return Err(Error::Interrupted {
            step: summary.counts.steps,
            steps: case.scheme.steps,
            signal: interrupt.map_or(0, |interrupt| interrupt.signal()),
            remedy: manner.to_go_on.clone().unwrap_or_default(),
        });
    }
    if !manner.quiet {
        print(|to| tables::write_summary(to, &summary, out))?;
    }
    if manner.report {
        let page = out.join("report.html");
        plot::write_report(&[out.to_path_buf()], &page)?;
        if !manner.quiet {
            print(|to| writeln!(to, "  report      {}", page.display()))?;
        }
    }
    summary.judge()
}

/// Where files could not be written and there is a checkpoint, the error says how to go on.
fn with_way_on(error: Error, out: &Path, manner: &Manner) -> Error {
    let mendable = matches!(error, Error::Write { .. } | Error::Disturbed { .. });
    let steps = ResultsFolder::at(out).checkpoints().unwrap_or_default();
    match (steps.first(), &manner.to_go_on) {
        (Some(&step), Some(command)) if mendable => {
            Error::Resumable { error: Box::new(error), step, command: command.clone() }
        }
        _ => error,
    }
}

fn rehearse(case: &Case, manner: &Manner) -> Result<(), Error> {
    let mut screen = Screen::new(case, manner.quiet, None);
    let rehearsal = simulation::rehearse(case, &mut screen);
    screen.clear();
    let rehearsal = rehearsal?;
    if manner.quiet {
        return Ok(());
    }
    print(|to| rehearsal::write(to, case, &rehearsal))
}

/// A word as a shell takes it for one.
fn quoted(word: String) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+".contains(c);
    if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The command line that goes on with an interrupted run.
fn command_to_go_on(arguments: &RunArguments) -> String {
    let mut words = vec!["delassus run".to_string(), quoted(arguments.case.display().to_string())];
    if let Some(out) = &arguments.out {
        words.extend(["--out".into(), quoted(out.display().to_string())]);
    }
    for set in &arguments.set {
        words.extend(["--set".into(), quoted(set.clone())]);
    }
    words.push("--resume".into());
    words.join(" ")
}

fn show_verification(folder: &Path) -> Result<(), Error> {
    let verification = verify(folder)?;
    print(|out| tables::write_verification(out, &verification))?;
    if verification.holds() {
        return Ok(());
    }
    let failed = verification.checks.iter().filter(|check| !check.holds).count();
    Err(Error::Check(format!("{}: {failed} checks do not hold", folder.display())))
}

fn show_mesh(file: &Path) -> Result<(), Error> {
    let mesh = Mesh::read(file)?;
    print(|out| tables::write_mesh(out, file, &mesh))
}

/// Writes to standard output; a reader that has seen enough (`| head`) is no failure.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Write { path: "standard output".into(), source })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A line on standard error; where that fails there is nobody left to tell.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
