//! FCLIB's HDF5 files.
//!
//! In triplets the rows are in `i` and the columns in `p`, as all files have it and against what
//! `fclib.h` says.

use hdf5_pure::{DType, Dataset, File, FileBuilder, Group, GroupBuilder, LibVer};

use super::error::Fault;
use super::sparse::{Entries, Lines, Sparse};
use super::{Form, ProblemFile, Solution};

/// The bytes an HDF5 file begins with.
pub(super) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Reads the datasets of one file, which hold no more bytes than the file itself.
struct Reader {
    file: File,
    /// Length of the file, in bytes.
    length: u64,
    /// Bytes not yet claimed by a dataset.
    budget: u64,
}

/// Stack of the thread that reads a file. The library follows datatypes within datatypes without a limit; a
/// message of 64 KiB, the longest there is, nests 8190 of them.
const STACK: usize = 64 << 20;

/// Reads a problem named `stem`, on a stack that no file overflows.
pub(super) fn parse(bytes: Vec<u8>, stem: String) -> Result<ProblemFile, Fault> {
    let reader = std::thread::Builder::new().stack_size(STACK).spawn(|| parse_here(bytes, stem));
    let give_up = |value: String| Fault::new("file", value, "is the file cut, or not of FCLIB?");
    match reader.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(give_up("a content that the HDF5 library gives up on".into())),
        Err(error) => Err(give_up(format!("no thread to read it ({error})"))),
    }
}

fn parse_here(bytes: Vec<u8>, stem: String) -> Result<ProblemFile, Fault> {
    let length = bytes.len() as u64;
    let file = File::from_bytes(bytes).map_err(|error| library("file", &error))?;
    let mut reader = Reader { file, length, budget: length };
    let groups = reader.groups("")?;
    let has = |name: &str| groups.iter().any(|group| group == name);
    let (dimension, friction, form) = match (has("fclib_local"), has("fclib_global")) {
        (true, false) => reader.local()?,
        (false, true) => reader.global()?,
        _ => {
            let remedy = "give one of fclib_local and fclib_global";
            return Err(Fault::new("file", format!("groups {groups:?}"), remedy));
        }
    };
    let solution = if has("solution") { Some(reader.solution("solution")?) } else { None };
    let guesses = if has("guesses") { reader.guesses()? } else { Vec::new() };
    Ok(ProblemFile { name: stem, dimension, friction, form, solution, guesses })
}

type Parts = (usize, Vec<f64>, Form);

impl Reader {
    fn local(&mut self) -> Result<Parts, Fault> {
        self.refuse_bilateral("fclib_local", &["V", "R"])?;
        let dimension = self.size("fclib_local/spacedim")?;
        let w = self.matrix("fclib_local/W", "W")?;
        let q = self.reals("fclib_local/vectors/q")?;
        let friction = self.reals("fclib_local/vectors/mu")?;
        Ok((dimension, friction, Form::Local { w, q }))
    }

    fn global(&mut self) -> Result<Parts, Fault> {
        self.refuse_bilateral("fclib_global", &["G"])?;
        let dimension = self.size("fclib_global/spacedim")?;
        let m = self.matrix("fclib_global/M", "M")?;
        let h = self.matrix("fclib_global/H", "H")?;
        let f = self.reals("fclib_global/vectors/f")?;
        let w = self.reals("fclib_global/vectors/w")?;
        let friction = self.reals("fclib_global/vectors/mu")?;
        Ok((dimension, friction, Form::Global { m, h, f, w }))
    }

    fn refuse_bilateral(&self, group: &str, names: &[&str]) -> Result<(), Fault> {
        match self.groups(group)?.iter().find(|name| names.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let remedy = "bilateral constraints are not read; eliminate them first";
                Err(Fault::new(group, format!("matrix {name}"), remedy))
            }
        }
    }

    fn guesses(&mut self) -> Result<Vec<Solution>, Fault> {
        let count = self.size("guesses/number_of_guesses")?;
        (1..=count).map(|k| self.solution(&format!("guesses/{k}"))).collect()
    }

    fn solution(&mut self, group: &str) -> Result<Solution, Fault> {
        let names = self.group(group)?.datasets().map_err(|error| library(group, &error))?;
        let r = self.reals(&format!("{group}/r"))?;
        let u = self.reals(&format!("{group}/u"))?;
        let v = if names.iter().any(|name| name == "v") {
            Some(self.reals(&format!("{group}/v"))?)
        } else {
            None
        };
        Ok(Solution { r, u, v })
    }

    fn matrix(&mut self, group: &str, name: &'static str) -> Result<Sparse, Fault> {
        let rows = self.size(&format!("{group}/m"))?;
        let columns = self.size(&format!("{group}/n"))?;
        let kind = self.whole(&format!("{group}/nz"))?;
        let p = self.wholes(&format!("{group}/p"))?;
        let i = self.wholes(&format!("{group}/i"))?;
        let x = self.reals(&format!("{group}/x"))?;
        let mut entries = Entries::new(name, rows, columns, (self.length / 8) as usize)?;
        match kind {
            -1 => entries.push_compressed(Lines::Columns, &p, &i, &x)?,
            -2 => entries.push_compressed(Lines::Rows, &p, &i, &x)?,
            0.. => push_triplets(&mut entries, group, kind, [&i, &p], &x)?,
            _ => {
                let remedy = "give -1 for columns, -2 for rows or the number of triplets";
                return Err(Fault::new(format!("{group}/nz"), kind.to_string(), remedy));
            }
        }
        entries.finish()
    }

    fn groups(&self, path: &str) -> Result<Vec<String>, Fault> {
        self.group(path)?.groups().map_err(|error| library(path, &error))
    }

    fn group(&self, path: &str) -> Result<Group, Fault> {
        if path.is_empty() {
            return Ok(self.file.root());
        }
        self.file.group(path).map_err(|error| library(path, &error))
    }

    /// Opens a dataset and claims its bytes, so that memory stays within the size of the file.
    fn dataset(&mut self, path: &str) -> Result<(Dataset, DType), Fault> {
        let dataset = self.file.dataset(path).map_err(|error| library(path, &error))?;
        if !dataset.filters().is_empty() {
            let value = format!("compressed by the filters {:?}", dataset.filters());
            return Err(Fault::new(path, value, "unpack the file: h5repack -f NONE"));
        }
        let shape = dataset.shape().map_err(|error| library(path, &error))?;
        let element = dataset.element_size().map_err(|error| library(path, &error))?;
        let kind = dataset.dtype().map_err(|error| library(path, &error))?;
        let bytes = shape.iter().try_fold(element, |bytes, &extent| bytes.checked_mul(extent));
        match bytes.and_then(|bytes| self.budget.checked_sub(bytes)) {
            Some(budget) => self.budget = budget,
            None => {
                let value = format!("shape {shape:?} of {element} bytes each");
                let remedy = format!("the file has only {} bytes; is it cut?", self.length);
                return Err(Fault::new(path, value, remedy));
            }
        }
        Ok((dataset, kind))
    }

    fn wholes(&mut self, path: &str) -> Result<Vec<i64>, Fault> {
        let (dataset, kind) = self.dataset(path)?;
        match kind {
            DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32 => dataset.read_i64().map_err(|error| library(path, &error)),
            other => Err(wrong_type(path, &other, "give 32-bit integers")),
        }
    }

    fn reals(&mut self, path: &str) -> Result<Vec<f64>, Fault> {
        let (dataset, kind) = self.dataset(path)?;
        match kind {
            DType::F64 | DType::F32 => dataset.read_f64().map_err(|error| library(path, &error)),
            other => Err(wrong_type(path, &other, "give 64-bit floats")),
        }
    }

    fn whole(&mut self, path: &str) -> Result<i64, Fault> {
        match self.wholes(path)?[..] {
            [number] => Ok(number),
            ref many => Err(Fault::new(path, format!("{} numbers", many.len()), "give one")),
        }
    }

    fn size(&mut self, path: &str) -> Result<usize, Fault> {
        let number = self.whole(path)?;
        usize::try_from(number)
            .map_err(|_| Fault::new(path, number.to_string(), "give a number >= 0"))
    }
}

/// The first `count` triplets; FCLIB stores arrays that may be longer.
fn push_triplets(
    entries: &mut Entries,
    group: &str,
    count: i64,
    [rows, columns]: [&[i64]; 2],
    values: &[f64],
) -> Result<(), Fault> {
    let least = rows.len().min(columns.len()).min(values.len());
    let count = usize::try_from(count).ok().filter(|&count| count <= least).ok_or_else(|| {
        let remedy = format!("p, i and x hold {least}; is the file cut, or nz wrong?");
        Fault::new(format!("{group}/nz"), count.to_string(), remedy)
    })?;
    for k in 0..count {
        let row = usize::try_from(rows[k]).unwrap_or(usize::MAX);
        let column = usize::try_from(columns[k]).unwrap_or(usize::MAX);
        entries.push(row, column, values[k])?;
    }
    Ok(())
}

/// The fault of a type, whose name may be very long.
fn wrong_type(path: &str, kind: &DType, remedy: &str) -> Fault {
    let shown: String = kind.to_string().chars().take(40).collect();
    Fault::new(path, format!("type {shown}"), remedy)
}

fn library(place: &str, error: &hdf5_pure::Error) -> Fault {
    let place = if place.is_empty() { "file" } else { place };
    Fault::new(place, error.to_string(), "is the file cut, or not of FCLIB?")
}

/// Writes compressed columns in the format of HDF5 1.8, which all builds of FCLIB read.
pub(super) fn print(problem: &ProblemFile) -> Result<Vec<u8>, Fault> {
    let mut file = FileBuilder::new();
    file.with_libver_bounds(LibVer::Earliest, LibVer::V18);
    let name = match &problem.form {
        Form::Local { .. } => "fclib_local",
        Form::Global { .. } => "fclib_global",
    };
    let mut root = file.create_group(name);
    put_wholes(&mut root, "spacedim", &[problem.dimension])?;
    let mut vectors = root.create_group("vectors");
    put_reals(&mut vectors, "mu", &problem.friction);
    match &problem.form {
        Form::Local { w, q } => {
            put_matrix(&mut root, "W", w)?;
            put_reals(&mut vectors, "q", q);
        }
        Form::Global { m, h, f, w } => {
            put_matrix(&mut root, "M", m)?;
            put_matrix(&mut root, "H", h)?;
            put_reals(&mut vectors, "f", f);
            put_reals(&mut vectors, "w", w);
        }
    }
    root.add_group(vectors.finish());
    put_title(&mut root, &problem.name)?;
    file.add_group(root.finish());
    if let Some(solution) = &problem.solution {
        let mut group = file.create_group("solution");
        put_solution(&mut group, solution);
        file.add_group(group.finish());
    }
    if !problem.guesses.is_empty() {
        let mut guesses = file.create_group("guesses");
        put_wholes(&mut guesses, "number_of_guesses", &[problem.guesses.len()])?;
        for (k, guess) in problem.guesses.iter().enumerate() {
            let mut group = guesses.create_group(&(k + 1).to_string());
            put_solution(&mut group, guess);
            guesses.add_group(group.finish());
        }
        file.add_group(guesses.finish());
    }
    file.finish().map_err(|error| Fault::new("hdf5", error.to_string(), "write .json instead"))
}

fn put_title(root: &mut GroupBuilder, name: &str) -> Result<(), Fault> {
    let mut info = root.create_group("info");
    for (key, text) in [("title", name), ("description", ""), ("math_info", "")] {
        let width = u32::try_from(text.len() + 1).unwrap_or(u32::MAX); // C wants its zero at the end
        let dataset = info.create_dataset(key).with_strings_sized(&[text], width);
        dataset
            .map_err(|error| {
                Fault::new(format!("info/{key}"), error.to_string(), "give a shorter name")
            })?
            .with_shape(&[]);
    }
    root.add_group(info.finish());
    Ok(())
}

fn put_matrix(root: &mut GroupBuilder, name: &str, matrix: &Sparse) -> Result<(), Fault> {
    let mut group = root.create_group(name);
    put_wholes(&mut group, "m", &[matrix.rows])?;
    put_wholes(&mut group, "n", &[matrix.columns])?;
    put_wholes(&mut group, "nzmax", &[matrix.values.len()])?;
    group.create_dataset("nz").with_i32_data(&[-1]); // compressed columns
    put_wholes(&mut group, "p", &matrix.starts)?;
    let rows: Vec<usize> = matrix.row_of.iter().map(|&row| row as usize).collect();
    put_wholes(&mut group, "i", &rows)?;
    put_reals(&mut group, "x", &matrix.values);
    root.add_group(group.finish());
    Ok(())
}

fn put_solution(group: &mut GroupBuilder, solution: &Solution) {
    put_reals(group, "r", &solution.r);
    put_reals(group, "u", &solution.u);
    if let Some(v) = &solution.v {
        put_reals(group, "v", v);
    }
}

fn put_reals(group: &mut GroupBuilder, name: &str, numbers: &[f64]) {
    group.create_dataset(name).with_f64_data(numbers);
}

fn put_wholes(group: &mut GroupBuilder, name: &str, numbers: &[usize]) -> Result<(), Fault> {
    let numbers: Result<Vec<i32>, _> = numbers.iter().map(|&k| i32::try_from(k)).collect();
    let numbers = numbers.map_err(|_| {
        Fault::new(name, "a number beyond 32 bits", "FCLIB cannot hold it; write .json instead")
    })?;
    group.create_dataset(name).with_i32_data(&numbers);
    Ok(())
}
