//! Hostile input: every seed of the fuzz targets, and every input that once did harm, is read again. Nothing
//! panics, and nothing takes more memory than a small multiple of the input; see `fuzz/targets.rs`.
#![allow(clippy::print_stderr)] // a failed test shows which file it was

#[path = "../fuzz/targets.rs"]
mod targets;

use std::path::Path;
use std::time::Instant;

/// Seconds that an input may take, on a slow machine and without optimisation too.
const SLOW: f64 = 10.0;
/// Bytes that the corpus may have in the repository.
const MOST_BYTES: u64 = 2_000_000;

/// What a search left in a folder for each target, as `.ci/long` does.
fn replay_found(found: &Path) {
    for target in targets::all() {
        let paths = std::fs::read_dir(found.join(target.name)).into_iter().flatten().flatten();
        let inputs = paths.map(|entry| std::fs::read(entry.path()).expect("a file"));
        let count = inputs.inspect(|input| target.replay(input)).count();
        eprintln!("{}: {count} inputs that were found", target.name);
    }
}

/// The only test of this file: what another one allocates beside it would be counted too.
#[test]
fn every_input_of_the_corpus_is_read_or_refused_within_its_memory() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut bytes = 0;
    targets::warm_up();
    for target in targets::all() {
        let folder = std::fs::read_dir(corpus.join(target.name)).expect(target.name);
        let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{}: there is no seed", target.name);
        for path in paths {
            let input = std::fs::read(&path).expect("a file");
            bytes += input.len() as u64;
            eprintln!("{}", path.display());
            let start = Instant::now();
            target.replay(&input);
            let seconds = start.elapsed().as_secs_f64();
            assert!(seconds < SLOW, "{}: {seconds} s", path.display());
        }
    }
    assert!(bytes < MOST_BYTES, "the corpus has {bytes} bytes");
    if let Ok(found) = std::env::var("FOUND") {
        replay_found(Path::new(&found));
    }
}
