//! What the README promises, tried with the real binary.

mod support;

use std::path::Path;
use std::process::{Command, Output};

use support::{Scratch, root};

/// A folder like a fresh clone, as far as the binary can see.
fn clone_of_the_repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    for folder in ["cases", "meshes"] {
        let to = scratch.0.join(folder);
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    scratch
}

fn delassus(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The first fenced block of the README after `heading` that starts with `fence`.
fn block(heading: &str, fence: &str) -> String {
    let text = readme();
    let section = text.split_once(heading).expect("the heading stands in the README").1;
    let body = section.split_once(&format!("```{fence}\n")).expect("a block follows").1;
    body.split_once("```").expect("the block ends").0.to_string()
}

#[test]
fn every_command_of_the_readme_does_what_it_says() {
    let scratch = clone_of_the_repository("readme");
    let text = readme();
    let commands = text.lines().filter_map(|line| line.strip_prefix("cargo run --release -- "));
    let mut count = 0;
    for command in commands {
        let arguments: Vec<&str> =
            command.split('#').next().unwrap_or_default().split_whitespace().collect();
        let output = delassus(&scratch.0, &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {error}");
        count += 1;
    }
    assert!(count >= 8, "the README has only {count} commands");
    assert!(scratch.0.join("results/sliding_block/fields.pvd").is_file());
    assert!(scratch.0.join("results/coarse/summary.json").is_file());
}

/// Energies are printed to six digits behind the point; what is rounding may differ.
#[test]
fn the_output_shown_in_the_readme_is_that_of_the_sliding_block() {
    let scratch = clone_of_the_repository("shown");
    let output = delassus(&scratch.0, &["run", "cases/sliding_block.toml"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = block("## Two commands", "text");
    let energies =
        shown.lines().filter(|line| line.contains("energy  ") || line.contains("work  "));
    let energies: Vec<&str> = energies.collect();
    assert_eq!(energies.len(), 2);
    for line in energies {
        assert!(printed.contains(line), "the README shows\n{line}\nbut the run prints\n{printed}");
    }
    assert!(printed.contains("verdict     dissipative"));
}

#[test]
fn the_case_file_shown_in_the_readme_runs_and_its_error_is_as_shown() {
    let scratch = clone_of_the_repository("example");
    let text = block("## A case file", "toml");
    let path = scratch.0.join("cases/drop.toml");
    std::fs::write(&path, &text).unwrap();
    let output = delassus(&scratch.0, &["run", "cases/drop.toml"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&path, text.replace("theta = 0.5", "theta = 0.8")).unwrap();
    let output = delassus(&scratch.0, &["run", "cases/drop.toml"]);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2));
    let shown = words(&block("Errors name the file", "text"));
    assert_eq!(words(&String::from_utf8(output.stderr).unwrap()), shown);
}
