//! Folders of results: whether two say the same, and whether one is whole as far as it goes.

use std::path::{Path, PathBuf};

use delassus::output::{STARTED, Summary, unseal};

/// Bytes at the end of a checkpoint that tell the time: ten numbers.
const TIMINGS: usize = 80;

/// Every file below a folder.
pub fn paths(folder: &Path) -> Vec<PathBuf> {
    let (mut open, mut paths) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(inner) = open.pop() {
        for entry in std::fs::read_dir(inner).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths
}

/// Every file below a folder but checkpoints, by name; the summary without timings and memory.
pub fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for path in paths(folder) {
        let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
        if name.ends_with(".delassus") {
            continue;
        }
        let mut bytes = std::fs::read(&path).unwrap();
        if name == "summary.json" {
            let mut summary: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            for key in ["timings", "peak_memory", "predicted_memory", "seal"] {
                summary.as_object_mut().unwrap().remove(key).unwrap();
            }
            bytes = summary.to_string().into_bytes();
        }
        files.push((name, bytes));
    }
    files.sort();
    files
}

/// What the checkpoint of a step holds, but for timings.
pub fn checkpoint(folder: &Path, step: usize) -> Vec<u8> {
    let path = folder.join(format!("checkpoint_{step}.delassus"));
    let mut bytes = unseal(std::fs::read(path).unwrap()).unwrap();
    bytes.truncate(bytes.len() - TIMINGS);
    bytes
}

pub fn assert_same(whole: &Path, parts: &Path, what: &str) {
    let (whole, parts) = (files(whole), files(parts));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&whole), names(&parts), "{what}");
    for ((name, one), (_, other)) in whole.iter().zip(&parts) {
        assert!(one == other, "{what}: {name} differs");
    }
}

/// The files that a `.pvd` lists.
pub fn listed(pvd: &str) -> Vec<String> {
    let files = pvd.split("file=\"").skip(1);
    files.map(|rest| rest.split('"').next().unwrap().to_string()).collect()
}

/// How a run ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With an error: it has cleaned up after itself.
    Told,
    /// Killed in the middle of whatever it did.
    Killed,
}

/// Every file that a run left before its end is what the whole run has of it: frames, checkpoints and lists are
/// whole, tables are so many of its rows, and a summary is the last one; without it there is what was written at the
/// start. A kill may leave what is being written under a hidden name, and a row that has begun: returned is how many
/// tables end with one.
pub fn assert_intact(whole: &Path, out: &Path, ended: Ended, what: &str) -> usize {
    let (known, mut cut) = (files(whole), 0);
    for (name, bytes) in files(out) {
        let place = format!("{what}: {name}");
        let hidden = name.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        if hidden {
            assert!(ended == Ended::Killed && name.ends_with(".part"), "{place} is left");
            continue;
        }
        if name == STARTED {
            let started = Summary::read(&out.join(STARTED));
            assert!(!started.unwrap_or_else(|e| panic!("{place}: {e}")).finished, "{place}");
            continue;
        }
        let Ok(at) = known.binary_search_by(|(other, _)| other.cmp(&name)) else {
            panic!("{place} is a file that the whole run does not have");
        };
        let expected = &known[at].1;
        match name.rsplit('.').next() {
            Some("pvd") => {
                let [ours, all] =
                    [&bytes, expected].map(|b| listed(std::str::from_utf8(b).unwrap()));
                assert!(all.starts_with(&ours), "{place} lists {ours:?}");
                for frame in ours {
                    assert!(out.join(&frame).exists(), "{place} lists {frame}, which is not there");
                }
            }
            Some("csv") if name != "contacts.csv" => {
                assert!(expected.starts_with(&bytes), "{place} has other rows");
                let whole_rows = bytes.is_empty() || bytes.ends_with(b"\n");
                assert!(ended == Ended::Killed || whole_rows, "{place} ends within a row");
                cut += usize::from(!whole_rows);
            }
            _ => assert!(bytes == *expected, "{place} differs"),
        }
    }
    for path in paths(out) {
        if path.extension().is_some_and(|ending| ending == "delassus") {
            let sealed = unseal(std::fs::read(&path).unwrap());
            assert!(sealed.is_ok(), "{what}: {}: {sealed:?}", path.display());
        }
    }
    cut
}

/// Whether there is something to go on from.
pub fn is_resumable(out: &Path) -> bool {
    let names = std::fs::read_dir(out).into_iter().flatten();
    names.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("checkpoint_"))
}
