//! In the place of FCLIB's files where the crate is built without its feature `hdf5`.

use super::ProblemFile;
use super::error::Fault;

/// The bytes an HDF5 file begins with.
pub(super) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

pub(super) fn parse(_: Vec<u8>, _: String) -> Result<ProblemFile, Fault> {
    Err(missing())
}

pub(super) fn print(_: &ProblemFile) -> Result<Vec<u8>, Fault> {
    Err(missing())
}

fn missing() -> Fault {
    Fault::new("file", "an HDF5 file", "build delassus with its feature hdf5, or use .json")
}
