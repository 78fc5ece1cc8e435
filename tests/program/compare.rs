//! `delassus compare` with the real binary: its files, its table, its exit codes.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;
use std::process::Output;

use crate::support::{Folder, repository, stderr, stdout};

fn compare(folder: &Folder, cases: &[&str], more: &[&str]) -> Output {
    let cases: Vec<String> =
        cases.iter().map(|case| repository(case).to_string_lossy().into_owned()).collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    let fixed = ["--out", "out", "--set", "output.fields_every=0"];
    folder.delassus(&[&["compare"], &cases[..], &fixed, more].concat())
}

/// `table.csv`: run → column → cell. Only the last cell, the error, may hold commas in these tests.
fn table(folder: &Folder) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = folder.read("out/table.csv");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.splitn(columns.len(), ',').collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        let named = columns.iter().zip(&cells).map(|(c, v)| (c.to_string(), v.to_string()));
        (cells[0].to_string(), named.collect())
    };
    lines.map(row).collect()
}

fn number(cells: &BTreeMap<String, String>, column: &str) -> f64 {
    cells[column].parse().unwrap_or_else(|_| panic!("{column}: '{}'", cells[column]))
}

/// Largest of the last column of a run in a file of numbers.
fn largest(folder: &Folder, name: &str, run: &str) -> f64 {
    let text = folder.read(name);
    let start = format!("{run},");
    let rows = text.lines().filter(|line| line.starts_with(&start));
    let values: Vec<f64> = rows.map(|r| r.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert!(values.len() > 10, "{name} has {} rows of {run}", values.len());
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// A θ above ½ takes energy by itself, θ = ½ none: (65).
#[test]
fn two_thetas_on_a_bar_differ_in_what_the_scheme_takes() {
    let folder = Folder::new();
    let (half, more) = ("moreau-jean:theta=0.5", "moreau-jean:theta=0.8");
    let schemes = format!("{half},{more}");
    let output = compare(
        &folder,
        &["cases/impacting_bar.toml"],
        &["--schemes", &schemes, "--set", "scheme.end=0.7"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let table = table(&folder);
    assert_eq!(table.len(), 2);
    assert!(number(&table[half], "numerical_work").abs() < 1e-12, "only rounding: {table:?}");
    assert!(number(&table[more], "numerical_work") < -1e-2, "{table:?}");
    for cells in table.values() {
        assert_eq!((cells["steps"].as_str(), cells["verdict"].as_str()), ("420", "dissipative"));
        assert_eq!((cells["max_penetration"].as_str(), cells["error"].as_str()), ("", ""));
        assert!(number(cells, "steps_per_second") > 0.0);
        assert!(number(cells, "max_balance_residual") < 1e-12);
    }
    let printed = stdout(&output);
    assert!(printed.contains(half) && printed.contains(more) && printed.contains("dissipative"));

    for name in ["energy", "energies", "work", "max_tangential_work", "min_tangential_work"] {
        let svg = folder.read(&format!("out/{name}.svg"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{name}");
        assert!(svg.contains(half) && svg.contains(more), "{name} names its runs");
        let csv = folder.read(&format!("out/{name}.csv"));
        assert!(csv.starts_with("run,time,"), "{name}");
        assert_eq!(csv.lines().count(), 1 + 2 * 421, "{name} has every step of both runs");
    }
    assert!(folder.path("out/moreau-jean_theta=0.8/summary.json").is_file());
    assert!(!folder.path("out/position.svg").exists(), "there is no trajectory");
}

/// Figures 9 and 10 of the paper: friction on the velocity after the step creates energy, on the mean
/// velocity none.
#[test]
fn the_classical_law_creates_tangential_work_and_fremonds_does_not() {
    let folder = Folder::new();
    let cases = ["cases/sliding_block.toml", "cases/sliding_block_newton.toml"];
    let output = compare(&folder, &cases, &["--set", "scheme.end=0.25"]);
    assert!(output.status.success(), "a run that no theorem covers is done: {}", stderr(&output));
    let positive = |run| largest(&folder, "out/max_tangential_work.csv", run);
    assert!(positive("sliding_block") < 1e-9, "{}", positive("sliding_block"));
    assert!(positive("sliding_block_newton") > 1e-4, "{}", positive("sliding_block_newton"));
    let table = table(&folder);
    assert_eq!(table["sliding_block"]["verdict"], "dissipative");
    assert_eq!(table["sliding_block_newton"]["verdict"], "violated");
    let worst = number(&table["sliding_block_newton"], "max_tangential_work");
    assert_eq!(worst, positive("sliding_block_newton"), "table and series are of one run");
    let svg = folder.read("out/energies.svg");
    assert!(svg.contains("time [ms]") && svg.contains("energy [N·mm]"), "axes carry units");
    assert!(svg.contains("sliding_block_newton: balance"));
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
}

/// Cases times schemes: labels carry both, and stand in quotes where they hold commas.
#[test]
fn several_cases_with_several_schemes_are_all_run() {
    let folder = Folder::new();
    let cases = ["cases/impacting_bar.toml", "cases/bouncing_bar.toml"];
    let schemes = "moreau-jean:law=newton,moreau-jean:law=fremond";
    let more = ["--schemes", schemes, "--set", "scheme.end=0.01", "--quiet"];
    let output = compare(&folder, &cases, &more);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let csv = folder.read("out/energy.csv");
    for case in ["impacting_bar", "bouncing_bar"] {
        for law in ["newton", "fremond"] {
            let folder_name = format!("out/{case}_moreau-jean_law={law}/history.csv");
            assert!(folder.path(&folder_name).is_file(), "{folder_name}");
            assert!(csv.contains(&format!("\n\"{case}, moreau-jean:law={law}\",0.0,")), "{csv}");
        }
    }
}

#[test]
fn a_bad_scheme_is_named_before_anything_is_run() {
    let folder = Folder::new();
    for (schemes, named, reason) in [
        ("moreau-jean,leapfrog", "--schemes 'leapfrog'", "\"leapfrog\" is not one of"),
        ("moreau-jean:thta=0.6", "--schemes 'moreau-jean:thta=0.6'", "did you mean 'theta'"),
        ("moreau-jean:theta", "--schemes 'moreau-jean:theta'", "write KIND[:key=value...]"),
        (
            "moreau-jean,moreau-jean",
            "'moreau-jean' and 'moreau-jean'",
            "give each case and scheme once",
        ),
    ] {
        let output = compare(&folder, &["cases/impacting_bar.toml"], &["--schemes", schemes]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{schemes}: {told}");
        assert!(told.contains(named) && told.contains(reason), "{schemes}: {told}");
    }
    let no_history =
        compare(&folder, &["cases/impacting_bar.toml"], &["--set", "output.history_every=0"]);
    assert_eq!(no_history.status.code(), Some(2));
    assert!(stderr(&no_history).contains("no history to compare"), "{}", stderr(&no_history));
    assert!(folder.names().is_empty(), "left behind: {:?}", folder.names());
}

/// No solve reaches an error of 1e-300 where the other case has no contact to solve.
#[test]
fn a_run_that_fails_is_told_and_leaves_the_others_whole() {
    let folder = Folder::new();
    let cases = ["cases/sliding_block.toml", "cases/impacting_bar.toml"];
    let more = ["--set", "scheme.end=0.01", "--set", "solver.tolerance=1e-300"];
    let output = compare(&folder, &cases, &more);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error: sliding_block: step 1 "), "{told}");
    assert!(told.contains("error: 1 of 2 runs failed"), "{told}");
    let printed = stdout(&output);
    assert!(printed.lines().any(|l| l.starts_with("sliding_block") && l.ends_with("failed")));
    let table = table(&folder);
    assert_eq!(table["sliding_block"]["verdict"], "failed");
    assert!(table["sliding_block"]["error"].contains("the contact solver reached an error"));
    assert_eq!(table["impacting_bar"]["verdict"], "dissipative");
    assert!(folder.path("out/impacting_bar/summary.json").is_file());
    let energy = folder.read("out/energy.csv");
    assert!(energy.contains("\nimpacting_bar,") && !energy.contains("\nsliding_block,"));
}

/// A dissipative run with e = 0 on a mesh pushes nothing that leaves: node by node there is no spurious impulse.
/// Plain Newmark multiplies the energy of the bar by 14, with a balance that closes to rounding all the same.
#[test]
fn what_a_scheme_makes_of_the_energy_stands_beside_its_balance() {
    let folder = Folder::new();
    let probe = ["--set", "probe.top.group=top", "--set", "scheme.end=0.025"];
    let output = compare(&folder, &["cases/sliding_block.toml"], &probe);
    assert!(output.status.success(), "{}", stderr(&output));
    let block = &table(&folder)["sliding_block"];
    assert_eq!((&*block["spurious_impulses"], &*block["steps"]), ("0", "250"));
    assert_eq!(block["verdict"], "dissipative");

    let folder = Folder::new();
    let schemes = ["--schemes", "moreau-jean,plain-newmark", "--set", "probe.end.group=free end"];
    let output = compare(&folder, &["cases/impacting_bar_1d.toml"], &schemes);
    assert!(output.status.success(), "{}", stderr(&output));
    let table = table(&folder);
    let (kept, made) = (&table["moreau-jean"], &table["plain-newmark"]);
    assert!((-0.1..=0.0).contains(&number(kept, "energy_change")), "{kept:?}");
    assert!(number(made, "energy_change") > 1.0, "{made:?}");
    assert!(number(made, "numerical_work").abs() < 1e-10, "{made:?}");
    assert_eq!(kept["spurious_impulses"], "0");
    assert!(number(made, "spurious_impulses") > 0.0, "{made:?}");
}

#[test]
fn an_earlier_comparison_is_kept() {
    let folder = Folder::new();
    let case = repository("cases/impacting_bar_1d.toml").to_string_lossy().into_owned();
    let brief = ["compare", &case, "--quiet", "--set", "scheme.end=0.1", "--set"];
    for theta in ["scheme.theta=0.5", "scheme.theta=0.6"] {
        let output = folder.delassus(&[&brief[..], &[theta]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let first = folder.read("results/compare_impacting_bar_1d/table.csv");
    let second = folder.read("results/compare_impacting_bar_1d_2/table.csv");
    assert_ne!(first, second);
    assert!(!folder.path("results/compare_impacting_bar_1d_3").exists());
}
