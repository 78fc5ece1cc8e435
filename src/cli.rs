//! The command line: the only room that prints.

mod compare;
mod explore;
mod friction;
mod progress;
mod study;
mod tables;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::case::Case;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::output::verify;
use crate::simulation;
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
    /// Judge the results in a folder anew, from its files; exit 1 where energy was created
    Verify {
        /// Results folder of a run
        folder: PathBuf,
    },
    /// Run cases or schemes side by side: a figure per quantity, and a table
    Compare(compare::CompareArguments),
    /// Run a case with many values of its keys: one table, figures, rates of convergence; also on Slurm
    Study(study::StudyArguments),
    /// Show what a mesh file holds: counts, groups, size, quality
    Mesh {
        /// Gmsh .msh file
        file: PathBuf,
    },
    /// Solve cone problems from files (FCLIB .hdf5, Siconos .dat, neutral .json, cone_STEP.json)
    Friction(friction::FrictionArguments),
    /// Solve one step of a case from many starts: which motions and impulses Coulomb's law leaves open
    Explore(explore::ExploreArguments),
    /// List every key of a case file
    Keys,
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
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

/// Parses the command line, does as told, prints errors; 0 done, 1 failed, 2 bad usage or input.
pub fn main() -> ExitCode {
    let outcome = match Command::parse().verb {
        Verb::Run(arguments) => run(&arguments),
        Verb::Verify { folder } => show_verification(&folder),
        Verb::Compare(arguments) => compare::compare(&arguments),
        Verb::Study(arguments) => study::study(&arguments),
        Verb::Mesh { file } => show_mesh(&file),
        Verb::Friction(arguments) => friction::solve(&arguments),
        Verb::Explore(arguments) => explore::explore(&arguments),
        Verb::Keys => print(tables::write_keys),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &RunArguments) -> Result<(), Error> {
    if let Some(threads) = arguments.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        pool.map_err(|error| Error::Usage(format!("--threads {threads}: {error}; give fewer")))?;
    }
    let case = Case::read(&arguments.case, &arguments.set)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&case.name));
    let mut screen = Screen::new(&case, arguments.quiet);
    let summary = simulation::run(&case, &out, &mut screen);
    screen.clear();
    let summary = summary?;
    if !arguments.quiet {
        print(|to| tables::write_summary(to, &summary, &out, &case.output))?;
    }
    summary.judge()
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
