//! What is done with hostile input, and how much memory it may take: the bodies of the fuzz targets, which
//! `tests/corpus.rs` replays as an ordinary test.
//!
//! ```text
//!     peak of the memory in use ≤ factor · (bytes of the input) + base                      (1)
//! ```
//!
//! Nothing may panic, overflow or take longer than a second. The factors are those of the smallest
//! things a format can spell: a number of two bytes (`0 `) becomes one of eight, stands in a list that
//! doubles as it grows, and in a second one while it is sorted. A dot in a key of TOML makes a table, of
//! which the parser keeps a node of a B-tree, 1 KiB.
#![allow(dead_code)] // no fuzz target uses all of it
#![allow(unsafe_code)] // an allocator that measures is one
#![allow(clippy::unwrap_used)] // a target that cannot go on has failed

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use delassus::case::Case;
use delassus::mesh::{Mesh, parse_surface};
use delassus::model::{Model, add_system};
use delassus::output::{ResultsFolder, unseal, write_sealed};
use delassus::problem_file::ProblemFile;
use delassus::results::{FrameData, Frames};
use delassus::simulation::{Observer, Progress, resume};
use delassus::step::Preparation;
use delassus::study::Study;
use delassus::verify::verify as verify_folder;

/// The system's allocator, which knows how much is in use and how much has been.
struct Measuring;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

impl Measuring {
    fn add(bytes: usize) {
        let now = IN_USE.fetch_add(bytes, Ordering::Relaxed) + bytes;
        PEAK.fetch_max(now, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Where it moves, both are in use.
        Self::add(size);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static MEASURING: Measuring = Measuring;

/// A reader, and the memory it may take.
pub struct Target {
    /// Name of the target, and of the folder of its corpus.
    pub name: &'static str,
    read: fn(&[u8]),
    /// `factor` of (1).
    factor: usize,
    /// `base` of (1), in bytes.
    base: usize,
}

impl Target {
    /// Reads the input; panics where (1) does not hold.
    pub fn replay(&self, input: &[u8]) {
        let before = IN_USE.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        (self.read)(input);
        let peak = PEAK.load(Ordering::Relaxed).saturating_sub(before);
        let allowed = self.factor * input.len() + self.base;
        assert!(
            peak <= allowed,
            "{}: {peak} bytes for an input of {}, not {allowed}",
            self.name,
            input.len()
        );
    }
}

/// Lets what is set aside once, whatever the input, be set aside.
pub fn warm_up() {
    let seed = include_bytes!("corpus/model/blocks.toml");
    (model().read)(seed);
}

/// All of them.
pub fn all() -> [Target; 11] {
    [
        mesh(),
        case(),
        overrides(),
        study(),
        model(),
        problem_json(),
        problem_dat(),
        problem_hdf5(),
        verify(),
        frames(),
        checkpoint(),
    ]
}

/// `.msh` files, as the body and as the surface of an obstacle.
pub fn mesh() -> Target {
    fn read(input: &[u8]) {
        let path = Path::new("fuzz.msh");
        tell(Mesh::parse(input, path));
        tell(parse_surface(input, path, None));
    }
    Target { name: "mesh", read, factor: 64, base: 1 << 16 }
}

/// The text of a case.
pub fn case() -> Target {
    fn read(input: &[u8]) {
        let Ok(text) = std::str::from_utf8(input) else { return };
        tell(Case::from_text(Path::new("fuzz.toml"), text.to_string(), &[]));
    }
    Target { name: "case", read, factor: 2048, base: 1 << 18 }
}

const SHIPPED: [(&str, &str); 4] = [
    ("sliding_block", include_str!("../cases/sliding_block.toml")),
    ("newton_cradle", include_str!("../cases/newton_cradle.toml")),
    ("pin_on_disk", include_str!("../cases/pin_on_disk.toml")),
    ("painleve_rod", include_str!("../cases/painleve_rod.toml")),
];

/// `--set` assignments, one per line, on the shipped case that the first line names, or else on the first.
pub fn overrides() -> Target {
    fn read(input: &[u8]) {
        let Ok(text) = std::str::from_utf8(input) else { return };
        let named = |line: &str| SHIPPED.iter().find(|(name, _)| *name == line.trim());
        let (_, shipped) = text.lines().next().and_then(named).unwrap_or(&SHIPPED[0]);
        let assignments: Vec<String> = text.lines().skip(1).map(String::from).collect();
        tell(Case::from_text(Path::new("fuzz.toml"), shipped.to_string(), &assignments));
    }
    Target { name: "overrides", read, factor: 2048, base: 1 << 18 }
}

/// A study of the bouncing ball, up to the cases of its runs.
pub fn study() -> Target {
    fn read(input: &[u8]) {
        in_folder(|folder| {
            let path = folder.join("study.toml");
            std::fs::write(&path, input).unwrap();
            std::fs::write(folder.join("case.toml"), include_str!("../cases/bouncing_ball.toml"))
                .unwrap();
            match Study::read(&path) {
                Ok(study) if study.runs.len() <= MOST_RUNS => tell(study.ready()),
                outcome => tell(outcome),
            }
        });
    }
    // A grid spells up to 100,000 runs in a few bytes.
    Target { name: "study", read, factor: 2048, base: 1 << 28 }
}

/// Runs of a study whose cases are read.
const MOST_RUNS: usize = 8;

/// A case up to the factor of its effective mass, on a small mesh whatever it names.
pub fn model() -> Target {
    fn read(input: &[u8]) {
        let Ok(text) = std::str::from_utf8(input) else { return };
        let read = Case::from_text(Path::new("nowhere/fuzz.toml"), text.to_string(), &[]);
        let Ok(case) = read else { return };
        let mesh = match case.mesh {
            Some(_) => Mesh::parse_with_bars(BLOCKS, Path::new("a.msh"), &case.bar_groups()),
            None => {
                Ok(Mesh { dimension: case.system.dimension, offsets: vec![0], ..Mesh::default() })
            }
        };
        let Ok(mut mesh) = mesh else { return };
        mesh.scale(case.scale);
        if add_system(&case, &mut mesh).is_err() {
            return;
        }
        match Model::build(&case, &mesh) {
            Err(error) => drop(error.to_string()),
            Ok(Model { problem, mut state, .. }) => {
                drop(Preparation::new(&problem).factor(&mut state));
            }
        }
    }
    // The dense kernels of the factor set memory aside at their first use, by the caches of the machine; see `warm_up`.
    Target { name: "model", read, factor: 256, base: 1 << 28 }
}

const BLOCKS: &[u8] = include_bytes!("../tests/data/two_blocks_v41_ascii.msh");

/// Cone problems as JSON.
pub fn problem_json() -> Target {
    Target { name: "problem_json", read: |input| problem(input, "json"), factor: 64, base: 1 << 16 }
}

/// Cone problems as the text of Siconos.
pub fn problem_dat() -> Target {
    Target { name: "problem_dat", read: |input| problem(input, "dat"), factor: 64, base: 1 << 16 }
}

/// Cone problems as FCLIB's HDF5.
pub fn problem_hdf5() -> Target {
    // The library sets aside what the 65,535 members of a compound type could need, before it reads one.
    Target { name: "problem_hdf5", read: |input| problem(input, "hdf5"), factor: 64, base: 1 << 23 }
}

fn problem(input: &[u8], ending: &str) {
    tell(ProblemFile::parse(input.to_vec(), &Path::new("fuzz").with_extension(ending)));
}

/// What stands between the files of a folder in the input of [`verify`] and [`frames`].
const NEXT_FILE: &[u8] = b"\n=== next file ===\n";

/// Writes the parts of an input as files of a folder; what is not there is empty.
fn unpack(input: &[u8], folder: &Path, names: &[&str]) {
    let mut rest = input;
    for name in names {
        let end = rest.windows(NEXT_FILE.len()).position(|bytes| bytes == NEXT_FILE);
        std::fs::write(folder.join(name), &rest[..end.unwrap_or(rest.len())]).unwrap();
        rest = end.map_or(&[], |end| &rest[end + NEXT_FILE.len()..]);
    }
}

/// A results folder: summary.json, history.csv and contacts.csv one after the other.
pub fn verify() -> Target {
    fn read(input: &[u8]) {
        in_folder(|folder| {
            unpack(input, folder, &["summary.json", "history.csv", "contacts.csv"]);
            tell(verify_folder(folder));
        });
    }
    Target { name: "verify", read, factor: 64, base: 1 << 16 }
}

/// A collection of frames and the first of them.
pub fn frames() -> Target {
    fn read(input: &[u8]) {
        in_folder(|folder| {
            std::fs::create_dir_all(folder.join("fields")).unwrap();
            unpack(input, folder, &["fields.pvd", "fields/step_0.vtu"]);
            if let Ok(frames) = Frames::read(folder, "fields.pvd") {
                (0..frames.len().min(3)).for_each(|k| tell(frames.load(k)));
            }
            tell(FrameData::read(&folder.join("fields/step_0.vtu")));
        });
    }
    Target { name: "frames", read, factor: 64, base: 1 << 16 }
}

/// What is under the seal of a checkpoint after the first of two steps of the bouncing ball.
pub fn checkpoint() -> Target {
    fn read(input: &[u8]) {
        drop(unseal(input.to_vec()));
        let text = include_str!("../cases/bouncing_ball.toml").to_string();
        let overrides = ["scheme.end=1e-3", "output.history_every=0", "output.trajectory_every=0"];
        let case = Case::from_text("ball.toml".as_ref(), text, &overrides.map(String::from));
        in_folder(|folder| {
            let path = ResultsFolder::at(folder).checkpoint(1);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            write_sealed(&path, input).unwrap();
            tell(resume(&case.unwrap(), folder, &mut Silent));
        });
    }
    Target { name: "checkpoint", read, factor: 64, base: 1 << 28 }
}

struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
}

/// Calls `work` with a folder of this process, in memory where the system has a place for that.
fn in_folder(work: impl FnOnce(&Path)) {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let folder = place.join(format!("delassus-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    work(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Both outcomes are told to the user.
fn tell<T: std::fmt::Debug, E: std::fmt::Display>(outcome: Result<T, E>) {
    if let Err(error) = outcome {
        drop(error.to_string());
    }
}
