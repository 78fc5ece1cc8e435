//! Files of friction-contact problems: what is read, what is written, and what damage does.
//!
//! `tests/data/problems` holds two small problems in all formats and storages. Others' problems are
//! looked for in the folder `shared/fclib` beside the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use delassus::problem_file::{Form, ProblemFile, ProblemFileError, Solution, Sparse};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/problems").join(name)
}

fn read(path: &Path) -> ProblemFile {
    ProblemFile::read(path).unwrap_or_else(|error| panic!("{error}"))
}

/// A folder of this test process, removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let process = std::process::id();
        let path = std::env::temp_dir().join(format!("delassus-problems-{name}-{process}"));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of a folder of others' problems, or nothing and a line that says so.
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn shared(folder: &str, ending: &str) -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = repository.parent().unwrap_or(repository).join("shared/fclib").join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("SKIPPED: no folder {} with problems of FCLIB", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    assert!(!paths.is_empty(), "no .{ending} in {}", folder.display());
    paths
}

/// Equal to the last bit: `Debug` prints the shortest digits that give a number back, and its sign.
fn assert_same_bits(left: &ProblemFile, right: &ProblemFile) {
    assert!(format!("{left:?}") == format!("{right:?}"), "{} and {}", left.name, right.name);
}

/// The problem alone, without what some formats have no place for.
fn bare(mut problem: ProblemFile) -> ProblemFile {
    problem.name.clear();
    problem.solution = None;
    problem.guesses.clear();
    problem
}

#[test]
fn all_storages_of_the_local_problem_agree() {
    let expected = bare(read(&data("local.json")));
    for name in ["cone.json", "dense.dat", "commas.dat", "blocks.dat", "columns.dat", "rows.hdf5"] {
        assert_same_bits(&bare(read(&data(name))), &expected);
    }
}

#[test]
fn all_storages_of_the_global_problem_agree() {
    let expected = bare(read(&data("global.json")));
    for name in ["triplets.dat", "triplets.hdf5"] {
        assert_same_bits(&bare(read(&data(name))), &expected);
    }
}

#[test]
fn solutions_and_guesses_come_with_the_problem() {
    let local = read(&data("rows.hdf5"));
    assert_eq!(local.name, "rows");
    assert_eq!(local.solution.map(|solution| solution.r), Some(vec![0.5, 0.125, 1.0, 0.0]));
    assert_eq!(local.guesses.len(), 2);
    assert_eq!(local.guesses[1].r, [2.0; 4]);
    let global = read(&data("triplets.hdf5"));
    let v = global.solution.and_then(|solution| solution.v);
    assert_eq!(v, Some(vec![0.0, 0.25, 0.0, 1.0]));
}

#[test]
fn the_content_tells_the_format_whatever_the_ending() {
    let folder = Folder::new("endings");
    for (name, ending) in [("rows.hdf5", "dat"), ("local.json", "hdf5"), ("dense.dat", "txt")] {
        let path = folder.0.join("problem").with_extension(ending);
        fs::copy(data(name), &path).expect("a copy");
        assert_same_bits(&bare(read(&path)), &bare(read(&data(name))));
    }
}

/// Every number a double can be is written and read: subnormal, huge, negative zero.
#[test]
fn what_is_written_is_read_to_the_last_bit() {
    let folder = Folder::new("round-trip");
    let mut problems = vec![read(&data("rows.hdf5")), read(&data("triplets.hdf5"))];
    for problem in &mut problems {
        problem.name = "problem".into();
        match &mut problem.form {
            Form::Local { w, q } => {
                w.values[..2].copy_from_slice(&[5e-324, -f64::MAX]);
                q[..2].copy_from_slice(&[-0.0, 0.1]);
            }
            Form::Global { m, f, .. } => {
                m.values[0] = 1.0 / 3.0;
                f[0] = f64::MIN_POSITIVE;
            }
        }
    }
    for problem in problems {
        for ending in ["json", "hdf5", "dat"] {
            let path = folder.0.join("problem").with_extension(ending);
            problem.write(&path).unwrap_or_else(|error| panic!("{error}"));
            if ending == "dat" {
                assert_same_bits(&bare(read(&path)), &bare(problem.clone()));
            } else {
                assert_same_bits(&read(&path), &problem);
            }
        }
    }
}

#[test]
fn a_problem_without_contacts_is_one() {
    let folder = Folder::new("empty");
    let empty = Sparse { starts: vec![0], ..Sparse::default() };
    let problem = ProblemFile {
        name: "none".into(),
        dimension: 3,
        friction: Vec::new(),
        form: Form::Local { w: empty, q: Vec::new() },
        solution: None,
        guesses: Vec::new(),
    };
    for ending in ["json", "hdf5", "dat"] {
        let path = folder.0.join("none").with_extension(ending);
        problem.write(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_same_bits(&read(&path), &problem);
    }
}

#[test]
fn a_wrong_problem_is_not_written() {
    let folder = Folder::new("wrong");
    let path = folder.0.join("wrong.json");
    let good = read(&data("local.json"));
    let mut wrong = vec![good.clone(); 4];
    wrong[0].friction[0] = -0.1;
    wrong[1].friction.push(0.5);
    wrong[2].dimension = 4;
    if let Form::Local { q, .. } = &mut wrong[3].form {
        q[0] = f64::NAN;
    }
    for problem in wrong {
        let error = problem.write(&path).expect_err("it is wrong");
        assert!(matches!(error, ProblemFileError::Malformed { .. }), "{error}");
        assert!(!path.exists());
    }
    let error = good.write(&folder.0.join("problem.txt")).expect_err("no format");
    assert!(error.to_string().ends_with("use .json, .dat or .hdf5"), "{error}");
}

/// Values the text carries with six digits were read by others into the same doubles, so that here
/// too the last bit agrees.
#[test]
fn raw_files_of_others_agree_with_their_neutral_form() {
    for ending in ["dat", "hdf5"] {
        for path in shared("raw", ending) {
            let name = path.file_stem().expect("a name").to_string_lossy();
            let fclib = path.ancestors().nth(2).expect("the folder of the folder");
            let neutral = fclib.join("problems").join(format!("{name}.json"));
            let (raw, neutral) = (read(&path), read(&neutral));
            assert_eq!(raw.name, neutral.name);
            assert_same_bits(&bare(raw), &bare(neutral));
        }
    }
}

#[test]
fn problems_of_others_survive_all_formats() {
    let folder = Folder::new("others");
    let paths = ["json", "hdf5"].into_iter().zip(["problems", "raw"]);
    for path in paths.flat_map(|(ending, folder)| shared(folder, ending)) {
        let problem = read(&path);
        for ending in ["json", "hdf5", "dat"] {
            let copy = folder.0.join(format!("{}.{ending}", problem.name));
            problem.write(&copy).unwrap_or_else(|error| panic!("{error}"));
            let found = read(&copy);
            if ending == "dat" {
                assert_same_bits(&bare(found), &bare(problem.clone()));
            } else {
                assert_same_bits(&found, &problem);
            }
        }
    }
}

/// u = W r + q of the stored solutions, to rounding of the largest sum: rows and columns of W are
/// where they belong, for Wᵀ fails where W is not symmetric.
#[test]
fn solutions_of_others_fit_their_problems() {
    for path in shared("solutions", "json") {
        let fclib = path.ancestors().nth(2).expect("the folder of the folder");
        let problem = read(&fclib.join("problems").join(path.file_name().expect("a name")));
        let solution = Solution::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let Form::Local { w, q } = &problem.form else { panic!("{} is local", problem.name) };
        let mut u = q.clone();
        let mut size: Vec<f64> = q.iter().map(|q| q.abs()).collect();
        for (row, column, value) in w.entries() {
            u[row] += value * solution.r[column];
            size[row] += (value * solution.r[column]).abs();
        }
        let largest = size.iter().fold(0.0, |most: f64, &size| most.max(size));
        for (ours, theirs) in u.iter().zip(&solution.u) {
            assert!((ours - theirs).abs() <= 1e-13 * largest, "{}: {ours} {theirs}", problem.name);
        }
    }
}

/// A pseudo-random sequence (Marsaglia's xorshift), the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Reads what is left of a file; it may be a problem or an error, but nothing else.
fn read_damaged(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("a temporary file");
    if let Err(error) = ProblemFile::read(path) {
        assert!(matches!(error, ProblemFileError::Malformed { .. }), "{error}");
    }
}

/// Peak memory of this process in MB, where the system tells it.
fn peak_memory() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? / 1024)
}

/// Set where a test has a process to itself.
const ALONE: &str = "DELASSUS_TEST_ALONE";

const DAMAGED: [&str; 8] = [
    "local.json",
    "cone.json",
    "global.json",
    "blocks.dat",
    "columns.dat",
    "triplets.dat",
    "rows.hdf5",
    "triplets.hdf5",
];

#[test]
fn a_cut_file_is_refused_or_read_but_never_panics() {
    let folder = Folder::new("cut");
    for name in DAMAGED {
        let bytes = fs::read(data(name)).expect("a file of the tests");
        let step = if bytes.len() < 3000 { 1 } else { 97 };
        for length in (0..bytes.len()).step_by(step) {
            read_damaged(&folder.0.join(name), &bytes[..length]);
        }
    }
}

/// The files have a few kB: a count believed before it is checked would show in the peak. It is that of a
/// process in which no other test runs.
#[test]
fn flipped_bytes_are_refused_or_read_but_never_panic_or_fill_the_memory() {
    if std::env::var_os(ALONE).is_none() {
        let test = "flipped_bytes_are_refused_or_read_but_never_panic_or_fill_the_memory";
        let name = format!("{}::{test}", module_path!().split_once("::").expect("a module").1);
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        let output = command.args([&name, "--exact"]).env(ALONE, "1").output().expect("it runs");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains(" 1 passed"), "{told}");
        return;
    }
    let folder = Folder::new("flipped");
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for name in DAMAGED {
        let bytes = fs::read(data(name)).expect("a file of the tests");
        for _ in 0..1000 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + dice.below(3) {
                let at = dice.below(damaged.len());
                damaged[at] = [dice.below(256) as u8, b'9', 0xff, damaged[at] ^ 1][dice.below(4)];
            }
            read_damaged(&folder.0.join(name), &damaged);
        }
    }
    assert!(peak_memory().is_none_or(|peak| peak < 512), "{:?} MB", peak_memory());
}

#[test]
fn counts_beyond_the_file_are_refused() {
    let folder = Folder::new("counts");
    let path = folder.0.join("count.dat");
    let huge = u64::MAX / 2;
    let texts = [
        format!("3 {huge} 0 3 3 3 3 1 2 3"),
        format!("3 1 0 {huge} {huge} {huge} {huge} 1 2 3"),
        format!("3 1 1 3 3 {huge} 1 1 3 3 2 1 0 1 0 0 1 2 3"),
        format!("3 1 1 3 3 1 {huge} 1 3 3 2 1 0 1 0 0 1 2 3"),
        format!("3 1 1 3 3 1 1 1 3 3 {huge} 1 0 1 0 0 1 2 3"),
        format!("3 1 2 3 3 1 CSparse\ntriplet: 3-by-3, nzmax: 1 nnz: {huge}\n 0 0 : 1"),
    ];
    for text in texts {
        fs::write(&path, &text).expect("a temporary file");
        let error = ProblemFile::read(&path).expect_err(&text);
        assert!(error.to_string().contains("room"), "{error}");
    }
}

/// A problem of one unknown more than the file has numbers, as triplets need not list.
#[test]
fn sizes_beyond_the_file_are_refused_in_hdf5() {
    let folder = Folder::new("sizes");
    let path = folder.0.join("size.hdf5");
    let bytes = fs::read(data("triplets.hdf5")).expect("a file of the tests");
    let mut refused = 0;
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == 4i32.to_le_bytes() {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            fs::write(&path, &damaged).expect("a temporary file");
            refused += usize::from(ProblemFile::read(&path).is_err());
        }
    }
    assert!(refused >= 3, "{refused}"); // m and n of M, m of H
}
