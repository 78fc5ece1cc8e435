//! Files of friction-contact problems: our JSON, the text of Siconos, and FCLIB's HDF5.
//!
//! ```text
//!     local     u = W r + q                                                                  (1)
//!     global    M v = H r + f,   u = Hᵀ v + w                                                (2)
//!     both      K* ∋ u + μ‖u_T‖n  ⟂  r ∈ K,   K = { ‖r_T‖ ≤ μ r_N }                          (3)
//! ```
//!
//! contact by contact: the normal component first, then the tangential ones. A matrix is taken as
//! the file gives it, also where it holds one triangle only.
//!
//! | ending | content | reads | writes |
//! |---|---|---|---|
//! | `.json` | `fc-problem/1`, or a saved cone problem | both | `fc-problem/1` with solution and guesses |
//! | `.dat` | Siconos text | dense, block, triplet, column storage | block storage; no name, solution or guesses |
//! | `.hdf5` | FCLIB | triplet, row, column storage | columns, HDF5 1.8; the name as title |

mod dat;
mod error;
#[cfg_attr(not(feature = "hdf5"), path = "no_hdf5.rs")]
mod hdf5;
mod json;
mod matrix_text;
mod sparse;
mod words;

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use error::ProblemFileError;
pub use sparse::Sparse;

use error::Fault;
use sparse::not_finite;

/// The matrices and vectors of (1) or (2).
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Reduced to the contacts, (1).
    Local {
        /// Delassus matrix W.
        w: Sparse,
        /// Velocity that r = 0 would leave.
        q: Vec<f64>,
    },
    /// With the bodies' velocities as unknowns, (2).
    Global {
        /// Mass matrix, or the iteration matrix of the scheme.
        m: Sparse,
        /// From reactions to generalized forces: as many rows as M, as many columns as r has entries.
        h: Sparse,
        /// Generalized force; Siconos calls it q.
        f: Vec<f64>,
        /// Part of u that does not depend on v; Siconos calls it b.
        w: Vec<f64>,
    },
}

/// Reactions and velocities that somebody found or guessed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Reactions.
    pub r: Vec<f64>,
    /// Relative velocities at the contacts.
    pub u: Vec<f64>,
    /// Velocities of the bodies, for global problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<Vec<f64>>,
}

/// A friction-contact problem as a file holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemFile {
    /// Name; that of the file where the format has no place for one.
    pub name: String,
    /// Components per contact, 2 or 3.
    pub dimension: usize,
    /// Coulomb's coefficient of each contact.
    pub friction: Vec<f64>,
    /// Matrices and vectors.
    pub form: Form,
    /// The solution kept beside the problem.
    pub solution: Option<Solution>,
    /// Where solvers may start.
    pub guesses: Vec<Solution>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Dat,
    Hdf5,
}

/// A device or a pipe may have no end: only a file is read.
fn read_bytes(path: &Path) -> Result<Vec<u8>, ProblemFileError> {
    let read = || {
        let what = fs::metadata(path)?;
        match what.is_file() || what.is_dir() {
            true => fs::read(path),
            false => Err(std::io::Error::other("it is a device or a pipe; give a regular file")),
        }
    };
    read().map_err(|source| ProblemFileError::Unreadable { path: path.to_path_buf(), source })
}

impl ProblemFile {
    /// Reads the file at `path` in the format its content shows, or else its ending.
    ///
    /// # Errors
    /// A file that cannot be read, that is none of the formats, or whose numbers do not fit.
    pub fn read(path: &Path) -> Result<Self, ProblemFileError> {
        let bytes = read_bytes(path)?;
        Self::parse(bytes, path)
    }

    /// Reads the bytes of a file in the format they show, or else that of the ending of `path`.
    ///
    /// # Errors
    /// Bytes that are none of the formats, or whose numbers do not fit.
    pub fn parse(bytes: Vec<u8>, path: &Path) -> Result<Self, ProblemFileError> {
        Self::parse_content(bytes, path).map_err(|fault| fault.at(path))
    }

    fn parse_content(bytes: Vec<u8>, path: &Path) -> Result<Self, Fault> {
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        let problem = match Format::of_content(&bytes).or(Format::of_ending(path)) {
            Some(Format::Json) => json::parse(&bytes, stem)?,
            Some(Format::Hdf5) => hdf5::parse(bytes, stem)?,
            Some(Format::Dat) | None => dat::parse(&String::from_utf8_lossy(&bytes), stem)?.0,
        };
        problem.check()?;
        Ok(problem)
    }

    /// Writes the problem in the format of the ending: `.json`, `.dat` or `.hdf5`.
    ///
    /// All digits are written, so that reading gives the same bits; a `.dat` has no place for the
    /// solution and the guesses.
    ///
    /// # Errors
    /// Another ending, numbers that do not fit, or a file system that refuses.
    pub fn write(&self, path: &Path) -> Result<(), ProblemFileError> {
        let format = Format::of_ending(path)
            .ok_or_else(|| ProblemFileError::UnknownEnding { path: path.to_path_buf() })?;
        let bytes = self.to_bytes(format).map_err(|fault| fault.at(path))?;
        fs::write(path, bytes).map_err(|source| {
            let path = path.to_path_buf();
            ProblemFileError::Unwritable { path, source }
        })
    }

    fn to_bytes(&self, format: Format) -> Result<Vec<u8>, Fault> {
        self.check()?;
        match format {
            Format::Json => json::print(self),
            Format::Dat => Ok(dat::print(self).into_bytes()),
            Format::Hdf5 => hdf5::print(self),
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Sizes agree, numbers are finite, friction is not negative.
    fn check(&self) -> Result<(), Fault> {
        check_dimension(self.dimension)?;
        let size = self.dimension * self.contacts();
        check_vector("mu", &self.friction, self.contacts())?;
        if let Some(contact) = self.friction.iter().position(|&mu| mu < 0.0) {
            let value = format!("friction {} of contact {contact}", self.friction[contact]);
            return Err(Fault::new("vector mu", value, "give coefficients >= 0"));
        }
        let freedoms = match &self.form {
            Form::Local { w, q } => {
                check_matrix("W", w, [size, size])?;
                check_vector("q", q, size)?;
                None
            }
            Form::Global { m, h, f, w } => {
                check_matrix("M", m, [f.len(), f.len()])?;
                check_matrix("H", h, [f.len(), size])?;
                check_vector("f", f, f.len())?;
                check_vector("w", w, size)?;
                Some(f.len())
            }
        };
        for solution in self.solution.iter().chain(&self.guesses) {
            solution.check(size, freedoms)?;
        }
        Ok(())
    }
}

impl Solution {
    /// Reads a JSON file with the keys `r`, `u` and perhaps `v`; others are ignored.
    ///
    /// # Errors
    /// A file that cannot be read, that is no such object, or vectors of different lengths.
    pub fn read(path: &Path) -> Result<Self, ProblemFileError> {
        let bytes = read_bytes(path)?;
        let solution: Self = json::object(&bytes).map_err(|fault| fault.at(path))?;
        solution.check(solution.r.len(), None).map_err(|fault| fault.at(path))?;
        Ok(solution)
    }

    fn check(&self, size: usize, freedoms: Option<usize>) -> Result<(), Fault> {
        check_vector("r", &self.r, size)?;
        check_vector("u", &self.u, size)?;
        match &self.v {
            None => Ok(()),
            Some(v) => check_vector("v", v, freedoms.unwrap_or(v.len())),
        }
    }
}

impl Format {
    fn of_content(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(json::BYTE_ORDER_MARK).unwrap_or(bytes);
        if bytes.starts_with(hdf5::SIGNATURE) {
            Some(Self::Hdf5)
        } else if text.trim_ascii_start().starts_with(b"{") {
            Some(Self::Json)
        } else {
            None
        }
    }

    fn of_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "dat" => Some(Self::Dat),
            "hdf5" | "h5" => Some(Self::Hdf5),
            _ => None,
        }
    }
}

fn check_dimension(dimension: usize) -> Result<(), Fault> {
    if matches!(dimension, 2 | 3) {
        return Ok(());
    }
    let remedy = "give 2 or 3 components per contact; rolling friction with 5 is not read";
    Err(Fault::new("dimension", format!("{dimension} components"), remedy))
}

fn check_matrix(name: &str, matrix: &Sparse, [rows, columns]: [usize; 2]) -> Result<(), Fault> {
    if (matrix.rows, matrix.columns) != (rows, columns) {
        let value = format!("{} x {} entries", matrix.rows, matrix.columns);
        let remedy = format!("give {rows} x {columns}, as contacts and vectors want");
        return Err(Fault::new(format!("matrix {name}"), value, remedy));
    }
    matrix.check(name)
}

fn check_vector(name: &str, vector: &[f64], size: usize) -> Result<(), Fault> {
    if vector.len() != size {
        let value = format!("{} entries", vector.len());
        return Err(Fault::new(format!("vector {name}"), value, format!("give {size}")));
    }
    match vector.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(k) => Err(not_finite(&format!("vector {name}, entry {k}"), vector[k])),
    }
}
