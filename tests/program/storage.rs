//! Disks that fill up, folders that cannot be written, files that somebody removes, processes that are killed, two
//! runs for one folder: no file is ever taken for a good one that is none, the error says which file and what to do,
//! and `--resume` goes on to the bytes of a run that met nothing of it.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed
#![allow(clippy::print_stderr)] // what is left out, and what was met, is told

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use delassus::case::Case;
use delassus::error::Error;
use delassus::simulation::{Observer, Progress, resume, run};

use crate::support::random::Random;
use crate::support::results::{Ended, assert_intact, assert_same, is_resumable, paths};
use crate::support::{Folder, Silent, case, long_block, spawn, stderr};

/// A disk of its own for a folder: a file system in memory of a size, which root may mount.
struct Disk<'a> {
    place: &'a Path,
}

impl<'a> Disk<'a> {
    /// None, loudly, where nothing may be mounted.
    fn mount(place: &'a Path, bytes: u64) -> Option<Self> {
        std::fs::create_dir_all(place).unwrap();
        let size = format!("size={bytes}");
        let told =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(place).output();
        match told {
            Ok(told) if told.status.success() => Some(Self { place }),
            told => {
                eprintln!("SKIPPED: no disk of a test's own can be mounted: {told:?}");
                None
            }
        }
    }

    fn change(&self, options: &str) {
        let options = format!("remount,{options}");
        let told = Command::new("mount").args(["-o", &options]).arg(self.place).output().unwrap();
        assert!(told.status.success(), "{options}: {told:?}");
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let told = Command::new("umount").arg(self.place).output();
        assert!(told.is_ok_and(|told| told.status.success()) || std::thread::panicking());
    }
}

/// What may happen to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Kill,
    FullDisk,
    Removal,
}

/// Faults that the environment asks for with FAULTS, or a few.
fn faults_wanted() -> usize {
    std::env::var("FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// Bytes that a folder takes of a disk, in whole pages.
fn bytes_of(folder: &Path) -> u64 {
    let sizes = paths(folder).into_iter().filter_map(|path| path.metadata().ok());
    4096 * sizes.map(|file| file.len().div_ceil(4096)).sum::<u64>()
}

/// Removes one of the files of a run that is under way, and says which.
fn remove_one(out: &Path, random: &mut Random) -> Option<String> {
    let paths = paths(out);
    let chosen = paths.get((share(random) * paths.len() as f64) as usize)?;
    std::fs::remove_file(chosen).ok()?;
    Some(chosen.strip_prefix(out).unwrap().to_string_lossy().into_owned())
}

/// A number from 0 to 1.
fn share(random: &mut Random) -> f64 {
    0.5 * (random.signed() + 1.0)
}

/// A run that met a fault names the file and the remedy, and leaves nothing that could deceive.
fn assert_told(output: &Output, what: &str) -> String {
    let said = stderr(output);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{what}: {:?}: {said}", output.status);
    assert!(said.starts_with("error: ") && !said.contains("panicked"), "{what}: {said}");
    let is_named = ["out/", "out: "].iter().any(|name| said.contains(name));
    assert!(is_named, "{what}: {said}");
    said
}

/// Kills, full disks and removed files at moments that a fixed seed chooses, so many of them, one after the other. Each
/// run that comes to its end has the bytes of the run that met nothing.
#[test]
fn a_run_under_fire_ends_with_the_same_bytes() {
    let folder = long_block(400);
    let begun = Instant::now();
    assert!(spawn(&folder, &["--out", "whole"]).wait().unwrap().success());
    let (takes, whole, out) = (begun.elapsed(), folder.path("whole"), folder.path("disk/out"));
    let (place, room) = (folder.path("disk"), bytes_of(&whole) + (1 << 20));
    let disk = Disk::mount(&place, room);
    let mut random = Random::new(5);
    let (mut met, mut finished, mut refused, mut lost) = ([0; 3], 0, 0, false);
    while met.iter().sum::<usize>() < faults_wanted() || finished == 0 {
        let under_fire = met.iter().sum::<usize>() < faults_wanted();
        let drawn =
            [Fault::Kill, Fault::FullDisk, Fault::Removal][(2.999 * share(&mut random)) as usize];
        let fault = (under_fire && (disk.is_some() || drawn != Fault::FullDisk)).then_some(drawn);
        if let Some(disk) = &disk {
            // A disk cannot become smaller than what is on it.
            let (part, used) = (share(&mut random), bytes_of(&out));
            let free = part * room.saturating_sub(used) as f64;
            let size = if fault == Some(Fault::FullDisk) { used + free as u64 } else { room };
            disk.change(&format!("size={}", 4096 * size.div_ceil(4096)));
        }
        let goes_on = is_resumable(&out);
        let mut arguments = vec!["--out", "disk/out"];
        arguments.extend(goes_on.then_some("--resume"));
        let mut child = spawn(&folder, &arguments);
        let mut removed = None;
        if matches!(fault, Some(Fault::Kill | Fault::Removal)) {
            std::thread::sleep(takes.mul_f64(0.8 * share(&mut random)));
            match fault {
                Some(Fault::Kill) => child.kill().unwrap(),
                _ => removed = remove_one(&out, &mut random),
            }
        }
        lost |= removed.is_some();
        let output = child.wait_with_output().unwrap();
        let what = format!("{fault:?} {removed:?}, going on: {goes_on}, {}", stderr(&output));
        match output.status.code() {
            None => {
                met[0] += 1;
                if !lost {
                    assert_intact(&whole, &out, Ended::Killed, &what);
                }
            }
            Some(0) => {
                lost = false;
                // A file that was removed was written anew, or the run was done with it.
                let is_late = |name: &String| !out.join(name).exists() && whole.join(name).exists();
                if let Some(late) = removed.filter(is_late) {
                    std::fs::copy(whole.join(&late), out.join(&late)).unwrap();
                }
                assert_same(&whole, &out, &what);
                std::fs::remove_dir_all(&out).unwrap();
                finished += 1;
            }
            _ => {
                let said = assert_told(&output, &what);
                let is_said = |words: &str| said.contains(words);
                let full = is_said("No space left on device") && is_said("make room on its disk")
                    || is_said("cannot be made the results folder: No space left");
                let under_way =
                    is_said("while the run went on, ") || is_said("is its folder still there?");
                // A checkpoint may go just before it is looked for.
                let unfound = is_said("there is no checkpoint to go on from")
                    || removed.as_ref().is_some_and(|name| is_said(name));
                let gone = is_said("it is gone, and no checkpoint is older; put it back");
                met[1] += usize::from(full);
                met[2] += usize::from(!full && !gone);
                assert!(full || under_way || unfound || gone, "{what}");
                let hinted = is_said("\ngo on after step ") && said.ends_with(" --resume\n");
                assert!(hinted || !(full || under_way) || !is_resumable(&out), "{what}");
                if gone {
                    // What no checkpoint counts on without the file can only be begun anew.
                    (refused, lost) = (refused + 1, false);
                    std::fs::remove_dir_all(&out).unwrap();
                } else if !lost {
                    assert_intact(&whole, &out, Ended::Told, &what);
                }
            }
        }
    }
    eprintln!(
        "{} kills, {} full disks, {} removed files told, {refused} refused to go on; {finished} runs finished with \
         the same bytes",
        met[0], met[1], met[2]
    );
}

/// Does something to the results before a step.
struct Before<'a> {
    step: usize,
    act: Option<Box<dyn FnOnce() + 'a>>,
}

impl Observer for Before<'_> {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}

    fn wants_to_stop(&mut self) -> bool {
        if self.step == 0 {
            self.act.take().into_iter().for_each(|act| act());
        }
        self.step = self.step.saturating_sub(1);
        false
    }
}

fn before<'a>(step: usize, act: impl FnOnce() + 'a) -> Before<'a> {
    Before { step, act: Some(Box::new(act)) }
}

/// Twelve steps of the block: a frame every three, every row, and checkpoints after steps 7 and 12.
fn short_block(more: &[&str]) -> Case {
    let own = ["scheme.end=12e-4", "output.fields_every=3", "output.checkpoint_every=7"];
    case("sliding_block", &[&own, more].concat())
}

/// What becomes of a run whose file is removed after step 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is written anew, and nothing is lost.
    Same,
    /// The run tells it, and goes on to the same bytes when told to.
    GoesOn,
    /// The run tells it; what is lost is lost, and going on is refused.
    Lost,
}

const REMOVED: [(&str, Fate); 12] = [
    ("fields.pvd", Fate::Same),
    ("contacts.pvd", Fate::Same),
    ("checkpoint_7.delassus", Fate::Same),
    ("history.csv", Fate::GoesOn),
    ("trajectory.csv", Fate::GoesOn),
    // Frames that the older checkpoint counts on, and frames that follow it.
    ("fields/step_00.vtu", Fate::Lost),
    ("contacts/step_06.vtu", Fate::Lost),
    ("fields/step_09.vtu", Fate::GoesOn),
    ("contacts/step_09.vtu", Fate::GoesOn),
    ("fields", Fate::Lost),
    ("contacts", Fate::Lost),
    ("", Fate::Lost),
];

fn remove(path: &Path) {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
}

#[test]
fn a_file_that_is_removed_while_the_run_needs_it_is_told_and_never_missed_in_silence() {
    let case = short_block(&["output.trajectory_every=1"]);
    for (name, fate) in REMOVED {
        let folder = Folder::new();
        let (whole, out) = (folder.path("whole"), folder.path("out"));
        run(&case, &whole, &mut Silent).unwrap();
        let outcome = run(&case, &out, &mut before(10, || remove(&out.join(name))));
        if fate == Fate::Same {
            assert!(outcome.unwrap().finished, "{name}");
            assert_same(&whole, &out, name);
            continue;
        }
        let error = outcome.unwrap_err();
        assert!(matches!(error, Error::Disturbed { .. } | Error::Write { .. }), "{name}: {error}");
        let said = error.to_string();
        assert!(said.contains(name), "{name}: {said}");
        assert!(!out.join("summary.json").exists(), "{name}: a summary says that all is there");
        let outcome = resume(&case, &out, &mut Silent);
        match fate {
            Fate::GoesOn => {
                assert!(outcome.unwrap_or_else(|error| panic!("{name}: {error}")).finished);
                assert_same(&whole, &out, name);
            }
            Fate::Lost | Fate::Same => {
                let said = outcome.unwrap_err().to_string();
                let remedies =
                    ["put it back, or run the case again", "run the case without --resume"];
                assert!(remedies.iter().any(|remedy| said.contains(remedy)), "{name}: {said}");
            }
        }
    }
}

/// Whoever replaces a table, be it another run on a file system without locks, keeps it.
#[test]
fn a_table_that_is_replaced_is_left_to_its_new_owner() {
    let (folder, case) = (Folder::new(), short_block(&[]));
    let history = folder.path("out/history.csv");
    let replace = || {
        std::fs::remove_file(&history).unwrap();
        std::fs::write(&history, "not ours\n").unwrap();
    };
    let error = run(&case, &folder.path("out"), &mut before(7, replace)).unwrap_err().to_string();
    assert!(
        error.contains("history.csv: while the run went on, another file was put in its place")
    );
    assert_eq!(folder.read("out/history.csv"), "not ours\n");
}

#[test]
fn a_folder_that_another_run_writes_into_is_refused_and_left_alone() {
    let folder = long_block(12);
    let case = Case::read(&folder.path("case.toml"), &[]).unwrap();
    run(&case, &folder.path("whole"), &mut Silent).unwrap();
    let intrude = || {
        for more in [&[][..], &["--resume"]] {
            let output = folder.run(more);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{said}");
            // To go on there must be a checkpoint, which is looked for first.
            let reasons =
                ["another run is writing into it; wait for its end", "there is no checkpoint"];
            assert!(reasons.iter().any(|reason| said.contains(reason)), "{said}");
        }
    };
    assert!(run(&case, &folder.path("out"), &mut before(7, intrude)).unwrap().finished);
    assert_same(&folder.path("whole"), &folder.path("out"), "two runs");
}

/// A disk that becomes read-only, as disks with errors do, ends the run; made writable, it goes on. Without tables, as
/// the system refuses to change a disk that has files open.
#[test]
fn a_folder_that_becomes_read_only_is_told_and_gone_on_with() {
    let folder = Folder::new();
    let (whole, out, place) = (folder.path("whole"), folder.path("disk/out"), folder.path("disk"));
    let case = short_block(&["output.history_every=0"]);
    run(&case, &whole, &mut Silent).unwrap();
    let Some(disk) = Disk::mount(&place, 1 << 26) else { return };
    let error = run(&case, &out, &mut before(7, || disk.change("ro"))).unwrap_err().to_string();
    let words = "step_09.vtu: cannot be written: Read-only file system (os error 30); are you allowed to write there?";
    assert!(error.contains(words), "{error}");
    assert_intact(&whole, &out, Ended::Told, "read-only");
    let refused = [run(&case, &out, &mut Silent), resume(&case, &out, &mut Silent)];
    for error in refused.map(|outcome| outcome.unwrap_err()) {
        assert!(error.to_string().contains("Read-only file system"), "{error}");
        assert_eq!(error.exit_code(), 2, "{error}");
    }
    assert_intact(&whole, &out, Ended::Told, "read-only");
    disk.change("rw");
    assert!(resume(&case, &out, &mut Silent).unwrap().finished);
    assert_same(&whole, &out, "writable again");
}

/// The other commands on a full disk: an error that names the file, and nothing half-written.
#[test]
fn commands_on_a_full_disk_leave_nothing_half_written() {
    let folder = long_block(12);
    assert_eq!(folder.run(&[]).status.code(), Some(0));
    folder.write("study.toml", "case = \"case.toml\"\n[grid]\n\"scheme.theta\" = [0.5, 0.6]\n");
    let place = folder.path("disk");
    // A page for each folder on the way, and none for what is to be written.
    let Some(disk) = Disk::mount(&place, 2 * 4096) else { return };
    let commands: [&[&str]; 8] = [
        &["run", "case.toml", "--out", "disk/out"],
        &["plot", "out", "--out", "disk/figures"],
        &["report", "out", "--out", "disk/report.html"],
        &["new", "disk/new"],
        &["demo", "--out", "disk/demo"],
        &["study", "study.toml", "--out", "disk/study"],
        &["compare", "case.toml", "--out", "disk/compared"],
        &["explore", "case.toml", "--step", "2", "--samples", "3", "--out", "disk/explored"],
    ];
    std::fs::write(place.join("ballast"), vec![7; 4096]).unwrap();
    let _ = std::fs::write(place.join("more"), vec![7; 4096]);
    for command in commands {
        let output = folder.delassus(command);
        let said = stderr(&output);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{command:?}: {:?} {said}",
            output.status
        );
        assert!(said.contains("No space left on device"), "{command:?}: {said}");
        assert!(said.contains("disk/") && !said.contains("panicked"), "{command:?}: {said}");
        let left: Vec<String> =
            folder.names().into_iter().filter(|n| n.starts_with("disk/")).collect();
        for name in &left {
            let path = folder.path(name);
            let own = name == "disk/ballast" || name == "disk/more";
            let empty = path.is_file() && std::fs::metadata(&path).unwrap().len() == 0;
            assert!(
                own || path.is_dir() || empty && name.ends_with("history.csv"),
                "{command:?}: {left:?}"
            );
        }
        for name in left.iter().filter(|name| folder.path(name).is_dir()) {
            let _ = std::fs::remove_dir_all(folder.path(name));
        }
    }
    drop(disk);
}

/// What nobody can be told on a full standard output is told by the exit code.
#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_is_full_is_an_error() {
    let folder = Folder::with_block();
    for arguments in
        [&["keys"][..], &["schema"], &["run", "case.toml", "--out", "out"], &["--help"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.current_dir(folder.path("")).args(arguments).stdout(full).stderr(Stdio::piped());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        let said = stderr(&output);
        assert_ne!(output.status.code(), Some(101), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        if arguments[0] != "--help" {
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
            let words = "standard output: cannot be written: No space left on device";
            assert!(said.contains(words), "{arguments:?}: {said}");
        }
    }
}

/// A table that another program cuts or lengthens in place is seen when rows are next handed over.
#[test]
fn a_table_whose_length_is_changed_is_told() {
    let (folder, case) = (Folder::new(), short_block(&[]));
    let history = folder.path("out/history.csv");
    let cut = || drop(std::fs::File::create(&history).unwrap());
    let lengthen = || std::fs::write(&history, "more\n".repeat(10_000)).unwrap();
    let changes: [&dyn Fn(); 2] = [&cut, &lengthen];
    for change in changes {
        let outcome = run(&case, &folder.path("out"), &mut before(10, change));
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains("history.csv: while the run went on, its length was changed"));
        assert!(!folder.path("out/summary.json").exists());
    }
}

/// What is no file, or not ours, is neither waited for nor removed.
#[cfg(unix)]
#[test]
fn pipes_and_files_of_others_in_the_results_folder_are_left_alone() {
    let folder = Folder::with_block();
    std::fs::create_dir_all(folder.path("out/fields")).unwrap();
    folder.write("out/fields/step_notes.txt", "mine");
    folder.write("out/cone_7.json", "{\"flavour\": \"vanilla\"}");
    assert_eq!(folder.run(&["--quiet"]).status.code(), Some(0));
    assert_eq!(folder.run(&["--quiet"]).status.code(), Some(0));
    assert_eq!(folder.read("out/fields/step_notes.txt"), "mine");
    assert_eq!(folder.read("out/cone_7.json"), "{\"flavour\": \"vanilla\"}");
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    std::fs::create_dir_all(folder.path("out")).unwrap();
    let pipe = Command::new("mkfifo").arg(folder.path("out/history.csv")).status().unwrap();
    assert!(pipe.success());
    let output = folder.run(&["--quiet"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it holds a 'history.csv' that no run wrote"));
}

/// A mesh that somebody changes between the first look at it and the last is not taken for either.
#[test]
fn a_mesh_that_changes_while_it_is_read_is_told() {
    struct Meddler(std::path::PathBuf);
    impl Observer for Meddler {
        fn notice(&mut self, _: &str) {}
        fn progress(&mut self, _: &Progress) {}
        fn preparing(&mut self, what: &str, _: f64) {
            if what == "reading the mesh" {
                let text = std::fs::read_to_string(&self.0).unwrap();
                std::fs::write(&self.0, text + "$Comments\n$EndComments\n").unwrap();
            }
        }
    }
    let folder = long_block(3);
    let case = Case::read(&folder.path("case.toml"), &[]).unwrap();
    let mut meddler = Meddler(folder.path("block.msh"));
    let error = run(&case, &folder.path("out"), &mut meddler).unwrap_err().to_string();
    assert!(
        error.contains("block.msh: while the run went on, it was changed as it was being read")
    );
    assert!(!folder.path("out").exists(), "nothing is left where the case cannot be started");
}
