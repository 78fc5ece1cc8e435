//! What the README promises, tried with the real binary.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use crate::support::{Folder, repository, stderr, stdout};

/// A folder like a fresh clone, as far as the binary can see.
fn clone_of_the_repository() -> Folder {
    Folder::with_clones_of(&["cases", "meshes", "benches/problems", "cases/studies"])
}

fn readme() -> String {
    std::fs::read_to_string(repository("README.md")).unwrap()
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
    let clone = clone_of_the_repository();
    let text = readme();
    let commands = text.lines().filter_map(|line| line.strip_prefix("cargo run --release -- "));
    let mut count = 0;
    for command in commands {
        let arguments: Vec<&str> =
            command.split('#').next().unwrap_or_default().split_whitespace().collect();
        let output = clone.delassus(&arguments);
        assert!(output.status.success(), "{command}: {}", stderr(&output));
        count += 1;
    }
    assert!(count >= 8, "the README has only {count} commands");
    assert!(clone.path("results/sliding_block/fields.pvd").is_file());
    assert!(clone.path("results/coarse/summary.json").is_file());
}

/// Energies are printed to six digits behind the point; what is rounding may differ.
#[test]
fn the_output_shown_in_the_readme_is_that_of_the_sliding_block() {
    let clone = clone_of_the_repository();
    let output = clone.delassus(&["run", "cases/sliding_block.toml"]);
    let printed = stdout(&output);
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
    let clone = clone_of_the_repository();
    let text = block("## A case file", "toml");
    clone.write("cases/drop.toml", &text);
    let output = clone.delassus(&["run", "cases/drop.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("note:"), "{}", stderr(&output));
    clone.write("cases/drop.toml", text.replace("theta = 0.5", "theta = 0.8"));
    let output = clone.delassus(&["run", "cases/drop.toml"]);
    assert_eq!(output.status.code(), Some(2));
    // The message is broken in the README, the excerpt below it stands as it is.
    let parts = |text: &str| {
        let (message, excerpt) = text.split_once("\n   |\n").expect("a line is shown");
        (message.split_whitespace().collect::<Vec<_>>().join(" "), excerpt.to_string())
    };
    assert_eq!(parts(&stderr(&output)), parts(&block("Errors name the file", "text")));
}
