//! The one error type: object, value, remedy.

use std::io;
use std::path::PathBuf;

use crate::mesh::MeshError;
use crate::problem_file::ProblemFileError;

/// What can go wrong, with the exit code it leads to.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that cannot be read.
    #[error("{}: cannot be read: {source}; {}", path.display(), remedy_of(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A mesh that cannot be used.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A file of a cone problem that cannot be used.
    #[error(transparent)]
    Problem(#[from] ProblemFileError),
    /// A case file that is not TOML or has keys of the wrong name or type.
    #[error("{place}: {message}{excerpt}")]
    CaseSyntax {
        /// File and line, or the overrides it came from.
        place: String,
        /// What is wrong.
        message: String,
        /// The line, underlined, after a line break; or nothing.
        excerpt: String,
    },
    /// A value that makes no sense.
    #[error("{place}: {key}: {message}{excerpt}")]
    Case {
        /// File and line, or the override it came from.
        place: String,
        /// Dotted path of the key.
        key: String,
        /// What is wrong and what to do.
        message: String,
        /// The line, underlined, after a line break; or nothing.
        excerpt: String,
    },
    /// A command line that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A results folder that cannot be made.
    #[error("{}: cannot be made the results folder: {source}; give another one with --out", path.display())]
    OutputFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A results file that does not say what it should.
    #[error("{}: {message}", path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file that cannot be written while running.
    #[error("{}: cannot be written: {source}; {}", path.display(), remedy_of_write(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that somebody else removed or replaced while the run needed it.
    #[error("{}: while the run went on, {what}", path.display())]
    Disturbed {
        /// The file.
        path: PathBuf,
        /// What was done to it, and what to do.
        what: &'static str,
    },
    /// A table that has lost rows since a checkpoint was written.
    #[error(
        "{}: it has {length} bytes, and had {expected} when the checkpoint was written: it was changed since; run \
         the case again without --resume",
        path.display()
    )]
    Shortened {
        /// The file.
        path: PathBuf,
        /// Bytes it has.
        length: u64,
        /// Bytes it had.
        expected: u64,
    },
    /// A run that ended early, and can go on when the reason is gone.
    #[error("{error}\ngo on after step {step}, when that is mended, with: {command}")]
    Resumable {
        /// Why it ended.
        error: Box<Error>,
        /// Of its newest checkpoint.
        step: usize,
        /// What goes on.
        command: String,
    },
    /// Threads that cannot be made.
    #[error(
        "threads to compute with ({wanted}) cannot be made: {reason}; raise the limit on processes (ulimit -u), or \
         take fewer: run --threads N, or RAYON_NUM_THREADS=N for other commands"
    )]
    Threads {
        /// How many.
        wanted: String,
        /// Why.
        reason: String,
    },
    /// M̂ has no Cholesky factor.
    #[error("the {matrix} matrix is not positive definite at node {node}; {remedy}")]
    NotPositiveDefinite {
        /// Which matrix.
        matrix: &'static str,
        /// The node, as the mesh file numbers it.
        node: u64,
        /// Why, and what to look at.
        remedy: String,
    },
    /// More memory than there is.
    #[error(
        "the factor of the {matrix} and its contact operator need {:.3} GB of the {:.3} GB that {source_of_limit}; coarsen the mesh, make the contact groups smaller, or set solver.memory",
        1e-9 * *needed as f64, 1e-9 * *available as f64
    )]
    Memory {
        /// Which matrix.
        matrix: &'static str,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        available: usize,
        /// Who says so.
        source_of_limit: &'static str,
    },
    /// A step's configuration did not settle.
    #[error(
        "step {step} (t = {time}): joints did not hold, gaps close, or bodies end where they were thought to, at the end of the \
         step: after {iterations} iterations they are off by {error:e} of their size; do joints, and dofs that are driven, \
         contradict each other? choose a smaller scheme.step, or solver.on_failure = \"warn\""
    )]
    Unsettled {
        /// The step.
        step: usize,
        /// Its time.
        time: f64,
        /// What is left.
        error: f64,
        /// Iterations.
        iterations: usize,
    },
    /// The cone problem of a step was not solved.
    #[error(
        "step {step} (t = {time}): the contact solver reached an error of {error:e} in {iterations} \
         iterations, not {tolerance:e}; {saved}choose a smaller scheme.step, a larger \
         solver.tolerance, or solver.on_failure = \"warn\""
    )]
    Unconverged {
        /// The step.
        step: usize,
        /// Its time.
        time: f64,
        /// Error reached.
        error: f64,
        /// Iterations.
        iterations: usize,
        /// Error asked for.
        tolerance: f64,
        /// Where the problem was saved, as the start of a clause, or nothing.
        saved: String,
    },
    /// A number that is none.
    #[error("step {step} (t = {time}): {quantity} is {value} after the stage {stage}; {remedy}")]
    NotFinite {
        /// The step.
        step: usize,
        /// Its time.
        time: f64,
        /// The first stage that left one.
        stage: &'static str,
        /// What is not finite, and where.
        quantity: String,
        /// NaN or infinity.
        value: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// A contact that created energy although the theorem says that none does.
    #[error(
        "step {step} (t = {time}): the {direction} work of {contact} is {work:e}, more than the limit {limit:e}: \
         it created energy although the theorem covers the run; the contact solver left an error of {error:e}: \
         choose a smaller solver.tolerance, more solver.max_iterations, or scheme.on_violation = \"continue\""
    )]
    Violated {
        /// The step.
        step: usize,
        /// Its time.
        time: f64,
        /// The contact, and its node.
        contact: String,
        /// Normal or tangential.
        direction: &'static str,
        /// Its work in this step.
        work: f64,
        /// What the certificate allows, of the energies so far.
        limit: f64,
        /// What the contact solver left.
        error: f64,
    },
    /// A step whose energies and works do not add up.
    #[error(
        "step {step} (t = {time}): the energy balance{body} does not close: {residual:e} is left, more than the limit \
         {limit:e}; is the effective mass badly conditioned? choose a smaller scheme.step, or \
         scheme.on_violation = \"continue\""
    )]
    Unbalanced {
        /// The step.
        step: usize,
        /// Its time.
        time: f64,
        /// " of" the body whose it is; empty where it is that of all.
        body: String,
        /// What is left of the balance.
        residual: f64,
        /// What the certificate allows, of the energies so far.
        limit: f64,
    },
    /// A run that was told to stop, and did after its step.
    #[error("interrupted after step {step} of {steps}; go on with: {remedy}")]
    Interrupted {
        /// Steps taken.
        step: usize,
        /// Steps in all.
        steps: usize,
        /// Who told it: 2 for Ctrl-C, 15 for SIGTERM.
        signal: u8,
        /// The command that goes on.
        remedy: String,
    },
    /// A check that does not hold.
    #[error("{0}")]
    Check(String),
}

/// What to do about a file that cannot be read.
fn remedy_of(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "is the path right?",
        io::ErrorKind::InvalidData => "it must be UTF-8 text",
        io::ErrorKind::IsADirectory => "give a file, not a folder",
        io::ErrorKind::PermissionDenied => "are you allowed to read it?",
        _ => "give a file that can be read",
    }
}

/// What to do about a file that cannot be written.
fn remedy_of_write(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on its disk",
        io::ErrorKind::FileTooLarge => "raise the limit on file sizes (ulimit -f)",
        io::ErrorKind::NotFound => "is its folder still there?",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "are you allowed to write there?"
        }
        _ => "is its disk in order?",
    }
}

impl Error {
    /// 2 for bad usage or bad input, 1 for a computation that failed or a check that did not hold,
    /// 128 + signal for a run that was interrupted.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read { .. }
            | Self::Mesh(_)
            | Self::Problem(_)
            | Self::CaseSyntax { .. }
            | Self::Case { .. }
            | Self::Usage(_)
            | Self::OutputFolder { .. }
            | Self::Shortened { .. }
            | Self::Results { .. } => 2,
            Self::Resumable { error, .. } => error.exit_code(),
            Self::Write { .. }
            | Self::Disturbed { .. }
            | Self::Threads { .. }
            | Self::NotPositiveDefinite { .. }
            | Self::Memory { .. }
            | Self::Unconverged { .. }
            | Self::Unsettled { .. }
            | Self::NotFinite { .. }
            | Self::Violated { .. }
            | Self::Unbalanced { .. }
            | Self::Check(_) => 1,
            Self::Interrupted { signal, .. } => 128u8.saturating_add(*signal),
        }
    }
}
