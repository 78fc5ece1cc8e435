//! `delassus matrices`: what a case is made of, for others to compute with.

use std::path::{Path, PathBuf};

use clap::Args;

use super::print;
use crate::case::Case;
use crate::error::Error;
use crate::output::write_matrices;
use crate::simulation;

#[derive(Args)]
pub(super) struct MatricesArguments {
    /// Case file (.toml)
    case: PathBuf,
    /// Folder for the files [default: results/<case name>-matrices]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Set a key of the case, e.g. --set scheme.theta=0.6; repeatable
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    /// Steps to take first: H and W are those of the contacts that are active then
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    after: usize,
}

/// Writes M.mtx, K.mtx, C.mtx, H.mtx, W.mtx, dofs.csv and rows.csv.
pub(super) fn write(arguments: &MatricesArguments) -> Result<(), Error> {
    let case = Case::read(&arguments.case, &arguments.set)?;
    let (mesh, march) = simulation::march(&case, arguments.after)?;
    let folder = format!("{}-matrices", case.name);
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(folder));
    let written = write_matrices(&out, &mesh, &march)?;
    print(|to| {
        writeln!(to, "  M, K, C     {0} x {0}, a row for each line of dofs.csv", written.dofs)?;
        writeln!(
            to,
            "  H, W        {} rows, of {} active contacts at t = {}, see rows.csv",
            written.rows,
            written.contacts,
            march.state().time
        )?;
        writeln!(to, "  files       {} in {}", written.files.len(), out.display())
    })
}
