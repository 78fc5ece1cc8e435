//! `delassus study` with the real binary: plan, table, failures, resume, rates.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::BTreeMap;
use std::process::{Child, Command, Output, Stdio};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::support::{self, Folder, repository, stderr, stdout};

/// A folder with a study of a case of the repository.
fn with_study(case: &str, text: &str) -> Folder {
    let folder = Folder::new();
    let case = repository(case);
    folder.write("study.toml", format!("case = {:?}\n{text}", case.to_string_lossy()));
    folder
}

fn study(folder: &Folder, more: &[&str]) -> Output {
    folder.delassus(&[&["study", "study.toml", "--out", "out"], more].concat())
}

/// Ten steps of the bar, six runs.
const BAR: &str = "[set]\n\"scheme.end\" = 0.016666666666666668\n[grid]\n\
                   \"material.bar.young\" = [900, 400.0, 100.0]\n\"scheme.theta\" = [0.5, 1.0]\n";

/// Cells of `table.csv` by run and column; only the last cell, the error, may hold commas in these tests, and
/// labels do not where there is one varied key.
fn table(folder: &Folder) -> Vec<BTreeMap<String, String>> {
    let text = folder.read("out/table.csv");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells = line.splitn(columns.len(), ',').map(String::from);
        columns.iter().map(|c| c.to_string()).zip(cells).collect()
    };
    lines.map(row).collect()
}

#[test]
fn a_grid_is_run_and_gathered_in_the_order_of_the_plan() {
    let folder = with_study("cases/impacting_bar_1d.toml", BAR);
    let output = study(&folder, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let csv = folder.read("out/table.csv");
    let starts: Vec<&str> = csv.lines().map(|l| l.split(",done,").next().unwrap()).collect();
    assert_eq!(
        starts[1..],
        [
            "\"young=900, theta=0.5\",900.0,0.5",
            "\"young=900, theta=1.0\",900.0,1.0",
            "\"young=400.0, theta=0.5\",400.0,0.5",
            "\"young=400.0, theta=1.0\",400.0,1.0",
            "\"young=100.0, theta=0.5\",100.0,0.5",
            "\"young=100.0, theta=1.0\",100.0,1.0",
        ]
    );
    assert!(starts[0].starts_with("run,material.bar.young,scheme.theta,status,counts.steps,"));
    assert!(folder.path("out/runs/young=400.0_theta=1.0/summary.json").is_file());
    let svg = folder.read("out/energy.svg");
    assert!(svg.contains("young=900, theta=0.5") && svg.contains("young=100.0, theta=1.0"));
    let told = stderr(&output);
    assert_eq!(told.lines().filter(|line| line.contains(": done in ")).count(), 6, "{told}");
    assert!(told.contains("[6/6] ") && told.contains("0 to go"), "{told}");
    assert!(stdout(&output).contains("6 of 6 done"), "{}", stdout(&output));
}

/// Whoever takes the runs, in whatever order: threads, tasks one by one backwards, or both in turn.
#[test]
fn tables_and_figures_have_the_same_bytes_however_the_runs_are_taken() {
    let files = ["table.csv", "table.parquet", "energy.svg", "energy.csv"];
    let bytes = |folder: &Folder| files.map(|n| std::fs::read(folder.path("out").join(n)).unwrap());
    let one = with_study("cases/impacting_bar_1d.toml", BAR);
    assert!(study(&one, &["--parallel", "1"]).status.success());
    let two = with_study("cases/impacting_bar_1d.toml", BAR);
    assert!(study(&two, &["--parallel", "2"]).status.success());
    let tasks = with_study("cases/impacting_bar_1d.toml", BAR);
    for task in ["6", "5", "4", "3", "2", "1"] {
        let output = study(&tasks, &["--task", task]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).starts_with(&format!("run {task} of 6: ")), "{}", stdout(&output));
    }
    assert!(!tasks.path("out/table.csv").exists(), "a task does not gather");
    assert!(study(&tasks, &["--gather"]).status.success());
    assert!(bytes(&one) == bytes(&two) && bytes(&one) == bytes(&tasks));
}

#[test]
fn parquet_holds_the_numbers_of_the_csv_file_with_their_types() {
    let folder = with_study(
        "cases/impacting_bar_1d.toml",
        "[set]\nscheme.end = 0.016666666666666668\n[run.plain]\n[run.starved]\n\"solver.memory\" = 1e-6\n\
         [gather]\ncolumns = [\"counts.steps\", \"energies.total\", \"certificate.verdict\"]\n",
    );
    assert_eq!(study(&folder, &[]).status.code(), Some(1));
    let file = std::fs::File::open(folder.path("out/table.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), 2);
    let row = |k: usize| -> Vec<(String, Field)> {
        rows[k].get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect()
    };
    let names: Vec<String> = row(0).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.join(","), folder.read("out/table.csv").lines().next().unwrap());
    let energy: f64 = table(&folder)[0]["energies.total"].parse().unwrap();
    let fields: Vec<Field> = row(0).into_iter().map(|(_, field)| field).collect();
    assert_eq!(
        fields,
        [
            Field::Str("plain".into()),
            Field::Null,
            Field::Str("done".into()),
            Field::Long(10),
            Field::Double(energy),
            Field::Str("dissipative".into()),
            Field::Null,
        ]
    );
    let fields: Vec<Field> = row(1).into_iter().map(|(_, field)| field).collect();
    assert_eq!(
        fields[..6],
        [
            Field::Str("starved".into()),
            Field::Double(1e-6),
            Field::Str("failed".into()),
            Field::Null,
            Field::Null,
            Field::Null,
        ]
    );
}

#[test]
fn every_bad_run_is_named_before_the_first_is_taken() {
    let folder = with_study(
        "cases/impacting_bar_1d.toml",
        "[grid]\n\"scheme.theta\" = [0.5, 0.4, 1.5]\n\"contact.wall.restitution\" = [0.0, 2.0]\n",
    );
    let output = study(&folder, &[]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("study.toml: 5 of 6 runs cannot be started"), "{told}");
    assert!(told.contains("\n  study.toml:3: scheme.theta=0.4: scheme.theta: 0.4"), "{told}");
    assert!(told.contains("\n  study.toml:4: contact.wall.restitution=2.0: "), "{told}");
    assert!(told.contains("\n    in theta=0.5, restitution=2.0"), "{told}");
    assert!(!told.contains("in theta=0.5, restitution=0.0"), "{told}");
    assert!(!folder.path("out").exists());

    for (text, reason) in [
        (
            "[grid]\n\"scheme.thta\" = [1]\n",
            "study.toml:3: scheme.thta=1: unknown key 'thta'; did you mean 'theta'?",
        ),
        (
            "[gird]\n\"scheme.step\" = [1]\n",
            "study.toml:2: unknown key 'gird'; did you mean 'grid'?",
        ),
        (
            "[grid]\n\"scheme.theta\" = [1]\n[gather]\ncolumns = [\"energies.totl\"]\n",
            "study.toml:5: 'energies.totl' is no value of summary.json; did you mean 'energies.total'?",
        ),
        ("[grid]\n\"mesh.file\" = [\"nowhere.msh\"]\n", "nowhere.msh: cannot be read"),
        (
            "[budget]\nmemory = 4e9\n[grid]\n\"scheme.theta\" = [1]\n",
            "study.toml:3: budget.memory: give a number > 0 in GB",
        ),
    ] {
        let folder = with_study("cases/impacting_bar_1d.toml", text);
        let output = study(&folder, &[]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(reason), "{told}");
        assert!(!folder.path("out").exists());
    }
    let nothing = with_study("cases/nothing.toml", "[grid]\n\"scheme.theta\" = [1]\n");
    let told = stderr(&study(&nothing, &[]));
    assert!(
        told.starts_with("error: study.toml:1: case: ") && told.contains("relative to the study"),
        "{told}"
    );
}

/// No solve reaches an error of 1e-300, and nothing fits in a byte.
#[test]
fn runs_that_fail_leave_their_reasons_and_the_others_whole() {
    let folder = with_study(
        "cases/sliding_block.toml",
        "[set]\n\"scheme.end\" = 1e-3\n\"output.fields_every\" = 0\n[run.fine]\n[run.hopeless]\n\
         \"solver.tolerance\" = 1e-300\n[run.also_fine]\n\"scheme.theta\" = 0.75\n",
    );
    let output = study(&folder, &["--parallel", "2"]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error: hopeless: step 1 "), "{told}");
    assert!(told.contains("error: 1 of 3 runs failed or were not taken"), "{told}");
    let table = table(&folder);
    let statuses: Vec<&str> = table.iter().map(|row| row["status"].as_str()).collect();
    assert_eq!(statuses, ["done", "failed", "done"]);
    assert!(table[1]["error"].contains("the contact solver reached an error"), "{table:?}");
    assert_eq!((table[1]["energies.total"].as_str(), table[0]["error"].as_str()), ("", ""));
    let energy = folder.read("out/energy.csv");
    assert!(
        energy.contains("\nfine,")
            && energy.contains("\nalso_fine,")
            && !energy.contains("hopeless")
    );

    let page = folder.read("out/report.html");
    assert!(page.contains("a study of 3 runs") && page.contains("the contact solver reached an"));
    assert!(page.contains("<p>2 of 3 runs are drawn;"), "the page tells what it leaves out");

    let starved = with_study(
        "cases/sliding_block.toml",
        "[set]\n\"scheme.end\" = 1e-3\n[grid]\n\"scheme.theta\" = [0.5]\n[budget]\nmemory = 1e-9\n",
    );
    let output = study(&starved, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the study's budget.memory allows"), "{}", stderr(&output));
    assert!(starved.read("out/report.html").contains("No run that came to its end has a history"));
}

#[test]
fn resume_takes_what_is_missing_failed_or_changed_and_nothing_else() {
    let folder = with_study("cases/impacting_bar_1d.toml", BAR);
    assert!(study(&folder, &[]).status.success());
    let first = folder.read("out/table.csv");
    let taken = |output: &Output| {
        assert!(output.status.success(), "{}", stderr(output));
        stderr(output).lines().filter(|line| line.contains(": done in ")).count()
    };
    assert_eq!(taken(&study(&folder, &["--resume"])), 0);
    assert_eq!(folder.read("out/table.csv"), first);

    std::fs::remove_file(folder.path("out/runs/young=900_theta=0.5/run.json")).unwrap();
    std::fs::remove_file(folder.path("out/runs/young=900_theta=1.0/summary.json")).unwrap();
    folder.write("out/runs/young=400.0_theta=1.0/run.json", "{ cut of");
    let gathered = study(&folder, &["--gather"]);
    assert_eq!(gathered.status.code(), Some(1));
    assert_eq!(folder.read("out/table.csv").matches(",not run,").count(), 3);
    assert!(stderr(&gathered).contains("young=900, theta=0.5: not run"), "{}", stderr(&gathered));
    assert_eq!(taken(&study(&folder, &["--resume"])), 3);
    assert_eq!(folder.read("out/table.csv"), first);

    // A longer run is another run; a new value is a new run; the old ones stay.
    let case = folder.read("study.toml");
    folder.write("study.toml", case.replace("[0.5, 1.0]", "[0.5, 1.0, 0.75]"));
    assert_eq!(taken(&study(&folder, &["--resume"])), 3);
    folder.write("study.toml", case.replace("0.016666666666666668", "0.03333333333333333"));
    assert_eq!(taken(&study(&folder, &["--resume"])), 6);
    assert_eq!(taken(&study(&folder, &[])), 6, "without --resume all are taken");
}

#[test]
fn a_changed_mesh_is_another_run() {
    let folder = Folder::with_block();
    folder.write("study.toml", "case = \"case.toml\"\n[grid]\n\"scheme.theta\" = [0.5]\n");
    assert!(study(&folder, &[]).status.success());
    let taken = |folder: &Folder| stderr(&study(folder, &["--resume"])).contains(": done in ");
    assert!(!taken(&folder));
    let mesh = folder.read("block.msh");
    folder.write("block.msh", mesh.replace("\r\n", "\n") + "\n");
    assert!(taken(&folder));
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = with_study("cases/impacting_bar_1d.toml", BAR);
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/table.csv", "year,rain\n");
    let output = study(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("holds a 'table.csv' that no study wrote"),
        "{}",
        stderr(&output)
    );
    assert_eq!(folder.read("out/table.csv"), "year,rain\n");
}

/// The closed form of the shipped study, ½ v₀² ρS √(Δx²/12 + h²c²/4) with v₀ = 10, c = 30, Δx = 0.05: losses to
/// 1e-9, and the slope of a fit through them, 0.994691, to as much.
#[test]
fn the_shipped_study_of_the_bar_has_the_rate_of_the_closed_form() {
    let folder = Folder::new();
    let shipped = repository("cases/studies/impacting_bar.toml");
    let output = folder.delassus(&["study", &shipped.to_string_lossy(), "--out", "out"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let closed = |h: f64| 50.0 * (0.05f64.powi(2) / 12.0 + (30.0 * h).powi(2) / 4.0).sqrt();
    let csv = folder.read("out/convergence.csv");
    let number = |line: &str, at: usize| line.split(',').nth(at).unwrap().parse::<f64>().unwrap();
    let points: Vec<[f64; 3]> = csv
        .lines()
        .skip(1)
        .map(|line| [number(line, 3), number(line, 7), number(line, 9)])
        .collect();
    assert_eq!(points.len(), 4, "{csv}");
    for [h, lost, _] in &points {
        assert!((lost - closed(*h)).abs() < 1e-9, "h = {h}: {lost}");
    }
    let steps: Vec<f64> = points.iter().map(|point| point[0]).collect();
    let losses: Vec<f64> = steps.iter().map(|h| closed(*h)).collect();
    let slope = support::fitted_slope(&steps, &losses);
    assert!((points[0][2] - slope).abs() < 1e-9, "{} and {slope}", points[0][2]);
    assert!(
        stdout(&output).contains("rate       loss: 0.995 from 4 points"),
        "{}",
        stdout(&output)
    );
    assert!(folder.read("out/convergence_loss.svg").contains("slope 0.99"));
    let page = folder.read("out/report.html");
    assert!(page.contains("Rates of convergence") && page.contains("slope 0.995"));
}

/// θ = ½ turns a mass on a spring by h² too little, θ = 1 takes energy by h.
#[test]
fn orders_of_the_scheme_are_found_against_the_finest_run() {
    let folder = Folder::new();
    folder.write(
        "case.toml",
        "title = \"Oscillator\"\nunits = \"dimensionless\"\n[mass.m]\nmass = 1.0\nposition = [0.0]\n\
         displacement = [1.0]\n[spring.s]\nbetween = [\"m\", \"ground\"]\nstiffness = 1.0\n\
         [scheme]\nstep = 0.1\nend = 1.0\n",
    );
    folder.write(
        "study.toml",
        "case = \"case.toml\"\n[grid]\n\"scheme.theta\" = [0.5, 1.0]\n\
         \"scheme.step\" = [0.02, 0.01, 0.005, 0.0025, 0.00002]\n[convergence.kinetic]\n\
         against = \"scheme.step\"\nerror_of = \"energies.kinetic\"\nreference = \"finest\"\n",
    );
    let output = study(&folder, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let csv = folder.read("out/convergence.csv");
    for (series, order) in [("theta=0.5", 2.0), ("theta=1.0", 1.0)] {
        let start = format!("kinetic,{series},");
        let line = csv.lines().find(|line| line.starts_with(&start)).unwrap();
        let slope: f64 = line.rsplit(',').next().unwrap().parse().unwrap();
        assert!((slope - order).abs() < 0.02, "{series}: {slope}");
    }
}

#[test]
fn the_shipped_study_of_the_sliding_block_is_fine() {
    let shipped = repository("cases/studies/sliding_block.toml");
    let output = Folder::new().delassus(&["study", &shipped.to_string_lossy(), "--list"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    assert!(printed.starts_with("9 runs, all cases are fine\n"), "{printed}");
    assert!(printed.ends_with("     9  step=0.0001, friction=0.5\n"), "{printed}");
}

/// Where there is no Slurm, the scripts are all there is; `.ci/slurm` submits them to a real one.
#[test]
fn scripts_for_slurm_name_program_study_memory_and_runs() {
    let folder = with_study(
        "cases/impacting_bar_1d.toml",
        &format!("{BAR}[budget]\nparallel = 3\nthreads = 2\n"),
    );
    let output = study(&folder, &["--slurm", "--no-submit", "--sbatch-option", "--partition=long"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    assert!(printed.contains("array1=$(sbatch --parsable --array=1-6%3 "), "{printed}");
    assert!(printed.contains("--dependency=afterany:$array1 "), "{printed}");
    let script = folder.read("out/study.sbatch");
    for line in ["#SBATCH --partition=long", "#SBATCH --cpus-per-task=2", "#SBATCH --mem=257M"] {
        assert!(script.lines().any(|own| own == line), "{line}: {script}");
    }
    assert!(
        script.contains("--resume --task \"$((SLURM_ARRAY_TASK_ID + ${1:-0}))\" --threads 2\n"),
        "{script}"
    );
    assert!(folder.read("out/gather.sbatch").ends_with(" --gather\n"));
    assert_eq!(study(&folder, &["--task", "7"]).status.code(), Some(2));
    assert_eq!(study(&folder, &["--no-submit"]).status.code(), Some(2));
}

/// Every value of a real summary can be gathered, and nothing else but what other schemes have.
#[test]
fn what_can_be_gathered_is_what_a_summary_holds() {
    let folder = Folder::with_block();
    assert!(folder.run(&["--quiet"]).status.success());
    let summary: serde_json::Value =
        serde_json::from_str(&folder.read("out/summary.json")).unwrap();
    let mut leaves = Vec::new();
    leaves_of("", &summary, &mut leaves);
    let known: Vec<String> = delassus::study::gatherable().map(|(key, _)| key).collect();
    let is_seal = |leaf: &String| leaf.starts_with("digests.") || leaf == "seal";
    leaves.retain(|leaf| !is_seal(leaf));
    let missing: Vec<&String> = leaves.iter().filter(|leaf| !known.contains(leaf)).collect();
    assert!(missing.is_empty(), "add to src/study/columns.rs: {missing:?}");
    let others = ["beta", "gamma", "alpha_m", "alpha_f", "rho_infinity", "position_correction"]
        .map(|key| format!("scheme.{key}"));
    let extra: Vec<&String> =
        known.iter().filter(|key| !leaves.contains(key) && !others.contains(key)).collect();
    assert!(extra.is_empty(), "remove from src/study/columns.rs: {extra:?}");
}

/// Dotted keys of single values; lists but for contacts are left out.
fn leaves_of(above: &str, value: &serde_json::Value, leaves: &mut Vec<String>) {
    let join = |name: &str| if above.is_empty() { name.into() } else { format!("{above}.{name}") };
    match value {
        serde_json::Value::Object(table) => {
            table.iter().for_each(|(name, value)| leaves_of(&join(name), value, leaves));
        }
        serde_json::Value::Array(items) if above == "scheme.contacts" => {
            let contact = items[0].as_object().unwrap();
            let values = contact.keys().filter(|name| *name != "name");
            leaves.extend(values.map(|name| format!("scheme.contacts.NAME.{name}")));
        }
        serde_json::Value::Array(_) => {}
        _ => leaves.push(above.into()),
    }
}

/// A run that was killed left checkpoints and no record: it goes on, to the same bytes.
#[test]
fn a_run_that_was_killed_goes_on_from_its_checkpoint() {
    let folder = with_study(
        "cases/impacting_bar_1d.toml",
        "[set]\n\"scheme.end\" = 0.75\n\"output.checkpoint_every\" = 100\n[grid]\n\"scheme.theta\" = [0.5]\n",
    );
    assert!(study(&folder, &[]).status.success());
    let names = ["table.csv", "table.parquet", "runs/theta=0.5/history.csv"];
    let bytes = || names.map(|name| std::fs::read(folder.path("out").join(name)).unwrap());
    let whole = bytes();
    for name in ["run.json", "summary.json"] {
        std::fs::remove_file(folder.path("out/runs/theta=0.5").join(name)).unwrap();
    }
    let output = study(&folder, &["--resume"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("theta=0.5: going on after step "), "{}", stderr(&output));
    assert!(bytes() == whole);
}

/// Names that are another one's number, lead out of the folder, or look alike to some file systems.
#[test]
fn every_run_has_a_folder_of_its_own_below_runs() {
    let long = "L".repeat(120);
    let names = [
        "run_2", &long, ".", "..", "../../up", "/abs", ".hidden", "a/b", "a\\b", "a:b", "Case",
        "case", "dot.", "dot", "space ", "space_", "NUL", "straße", "STRASSE", "run_21_2",
        "run_21", "Run_21",
    ];
    let tables: String = names.iter().map(|name| format!("[run.{name:?}]\n")).collect();
    let folder = with_study(
        "cases/impacting_bar_1d.toml",
        &format!("[set]\n\"scheme.end\" = 0.016666666666666668\n{tables}"),
    );
    let output = study(&folder, &["--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let all = folder.names();
    let mut labels: Vec<String> = Vec::new();
    for name in all.iter().filter(|name| name.ends_with("run.json")) {
        let record: serde_json::Value = serde_json::from_str(&folder.read(name)).unwrap();
        labels.push(record["label"].as_str().unwrap().into());
        let parts: Vec<&str> = name.split('/').collect();
        assert!(parts.len() == 4 && parts[..2] == ["out", "runs"], "{name}");
        assert!(!parts[2].starts_with('.') && !parts[2].ends_with('.'), "{name}");
    }
    labels.sort();
    let mut expected = names.map(String::from);
    expected.sort();
    assert_eq!(labels, expected);
    let runs = |name: &&String| name.matches('/').count() == 2 && name.starts_with("out/runs/");
    let folded: std::collections::BTreeSet<String> =
        all.iter().filter(runs).map(|name| name.to_lowercase().to_uppercase()).collect();
    assert_eq!(folded.len(), names.len(), "{folded:?}");

    for (name, reason) in [("", "is blank"), ("a\\nb", "holds a control character")] {
        let text = format!("[run.fine]\n[run.\"{name}\"]\n");
        let folder = with_study("cases/impacting_bar_1d.toml", &text);
        let output = study(&folder, &[]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let expected = format!("error: study.toml:3: run: \"{name}\" {reason}; give a name");
        assert!(told.starts_with(&expected), "{told}");
        assert!(!folder.path("out").exists());
    }
}

/// A study under way, ended with the test.
struct UnderWay(Child);

impl UnderWay {
    fn new(folder: &Folder, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.current_dir(folder.path("")).args(["study", "study.toml", "--out", "out"]);
        command.args(more).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    /// Waits until a file is there.
    fn has_left(mut self, folder: &Folder, name: &str) -> Self {
        while !folder.path(name).exists() {
            assert!(self.0.try_wait().unwrap().is_none(), "it ended without {name}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        self
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One run of ten steps, and one that outlasts the test.
const SHORT_AND_LONG: &str = "[set]\n\"output.history_every\" = 1000000\n[run.short]\n\
    \"scheme.end\" = 0.016666666666666668\n[run.long]\n\"scheme.end\" = 1e6\n";

#[test]
fn a_second_study_in_the_same_folder_is_refused_and_removes_nothing() {
    let folder = with_study("cases/impacting_bar_1d.toml", SHORT_AND_LONG);
    let first = UnderWay::new(&folder, &["--parallel", "2"]);
    let first = first.has_left(&folder, "out/runs/short/run.json");
    let before = folder.names();
    for more in [
        &[][..],
        &["--resume"],
        &["--task", "1"],
        &["--gather"],
        &["--slurm", "--no-submit"],
        &["--slurm", "--resume"],
    ] {
        let output = study(&folder, more);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {told}");
        let reason = "another study is writing into it; wait for its end";
        assert!(told.starts_with("error: out: ") && told.contains(reason), "{more:?}: {told}");
    }
    let after = folder.names();
    assert!(before.iter().all(|name| after.contains(name)), "{after:?}");
    assert!(study(&folder, &["--list"]).status.success());
    drop(first);
    let output = study(&folder, &["--task", "1"]);
    assert!(output.status.success(), "held after its end: {}", stderr(&output));
}

/// As those of an array, with the job that gathers after it.
#[test]
fn tasks_share_the_folder_with_each_other_and_with_who_gathers() {
    let folder = with_study("cases/impacting_bar_1d.toml", SHORT_AND_LONG);
    let task = UnderWay::new(&folder, &["--task", "2"]);
    let _task = task.has_left(&folder, "out/runs/long/history.csv");
    let other = study(&folder, &["--task", "1"]);
    assert!(other.status.success(), "{}", stderr(&other));
    let gathered = study(&folder, &["--gather"]);
    assert_eq!(gathered.status.code(), Some(1), "{}", stderr(&gathered));
    let statuses: Vec<String> = table(&folder).iter().map(|row| row["status"].clone()).collect();
    assert_eq!(statuses, ["done", "not run"]);
    for more in [&[][..], &["--resume"], &["--slurm", "--no-submit"]] {
        let output = study(&folder, more);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("another study is writing into it"), "{more:?}");
    }
    assert!(folder.path("out/runs/short/run.json").is_file());
}

/// A file of a run that a gathering reads, and what is done to it.
type Damage = (&'static str, fn(&str) -> String);

/// Whatever happened to the files of a run that was done: it is not, and is taken again to the same bytes.
#[test]
fn a_damaged_run_is_not_done_and_is_taken_again() {
    let damages: [Damage; 12] = [
        ("summary.json", |_| String::new()),
        ("summary.json", |_| "{}".into()),
        ("summary.json", |_| "\0".repeat(300)),
        ("summary.json", |text| text[..text.len() / 2].into()),
        ("summary.json", |text| text.replace("\"finished\": true", "\"finished\": false")),
        ("summary.json", |text| text.replace("\"steps\": 10,", "\"steps\": 9,")),
        ("history.csv", |_| String::new()),
        ("history.csv", |_| "\0".repeat(300)),
        ("history.csv", |text| text[..text.len() - 9].into()),
        ("history.csv", |text| text.split_inclusive('\n').take(5).collect()),
        ("trajectory.csv", |text| text[..text.len() - 9].into()),
        ("contacts.csv", |_| String::new()),
    ];
    for checkpoints in ["0", "5"] {
        let text = format!(
            "[set]\n\"scheme.end\" = 0.016666666666666668\n\"output.trajectory_every\" = 1\n\
             \"output.checkpoint_every\" = {checkpoints}\n[grid]\n\"scheme.theta\" = [0.5, 1.0]\n"
        );
        let folder = with_study("cases/impacting_bar_1d.toml", &text);
        assert!(study(&folder, &[]).status.success());
        let first = folder.read("out/table.csv");
        let run = "out/runs/theta=0.5";
        let gone = ["summary.json", "history.csv", "trajectory.csv", "contacts.csv"];
        let gone = gone.map(|name| (name, None));
        let damages = damages.iter().map(|(name, damage)| (*name, Some(damage)));
        for (k, (name, damage)) in damages.chain(gone).enumerate() {
            let path = format!("{run}/{name}");
            let whole = folder.read(&path);
            match damage {
                Some(damage) => folder.write(&path, damage(&whole)),
                None => std::fs::remove_file(folder.path(&path)).unwrap(),
            }
            let gathered = study(&folder, &["--gather"]);
            assert_eq!(gathered.status.code(), Some(1), "{k}: {}", stderr(&gathered));
            assert_eq!(folder.read("out/table.csv").matches(",not run,").count(), 1, "{k}");
            let output = study(&folder, &["--resume"]);
            let told = stderr(&output);
            assert!(output.status.success(), "{k}, {name}: {told}");
            assert_eq!(
                told.lines().filter(|line| line.contains(": done in ")).count(),
                1,
                "{told}"
            );
            assert_eq!(folder.read("out/table.csv"), first, "{k}");
            assert!(name == "summary.json" || folder.read(&path) == whole, "{k}, {name}");
        }
    }
}

/// An sbatch that takes every task and job at once, before it returns.
#[cfg(unix)]
const SBATCH: &str = "#!/bin/bash
for word in \"$@\"; do
    case $word in
        --array=*) tasks=${word#--array=} ;;
        --*) ;;
        *) break ;;
    esac
    shift
done
for task in $(seq ${tasks/-/ }); do SLURM_ARRAY_TASK_ID=$task bash \"$@\" >>told 2>&1; done
[ -n \"$tasks\" ] || bash \"$@\" >>told 2>&1
echo 17
";

/// Tasks may start while others are submitted. Runs that fail have the same words here and there, though the scripts
/// name all folders from the root on.
#[cfg(unix)]
#[test]
fn a_table_with_failures_has_the_same_bytes_through_slurm() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_block();
    std::fs::create_dir(folder.path("s")).unwrap();
    let text =
        "case = \"../case.toml\"\n[run.fine]\n[run.hopeless]\n\"solver.tolerance\" = 1e-300\n";
    folder.write("s/study.toml", text);
    std::fs::create_dir(folder.path("bin")).unwrap();
    folder.write("bin/sbatch", SBATCH);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("bin/sbatch"), mode).unwrap();
    let here = folder.delassus(&["study", "s/study.toml", "--out", "out"]);
    assert_eq!(here.status.code(), Some(1), "{}", stderr(&here));
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    command.current_dir(folder.path("")).env("PATH", path);
    let there = command.args(["study", "s/study.toml", "--slurm", "--out", "there"]);
    let there = there.output().unwrap();
    assert!(there.status.success(), "{}", stderr(&there));
    let told = folder.read("told");
    let bytes = |out: &str| {
        ["table.csv", "table.parquet"].map(|n| std::fs::read(folder.path(out).join(n)).unwrap())
    };
    assert_eq!(folder.read("out/table.csv"), folder.read("there/table.csv"), "{told}");
    assert!(bytes("out") == bytes("there"));
    let csv = folder.read("out/table.csv");
    assert!(csv.contains(",failed,") && csv.contains("problem is in cone_1.json; choose"), "{csv}");

    // What is wrong with a mesh, as the scripts would hear it.
    folder.write("broken.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\nnone\n");
    folder.write(
        "s/study.toml",
        "case = \"../case.toml\"\n[run.nowhere]\n\"contact.floor.group\" = \"nowhere\"\n\
         [run.broken]\n\"mesh.file\" = \"broken.msh\"\n",
    );
    let [study, out] = ["s/study.toml", "there"].map(|name| folder.path(name));
    let call = ["study", &study.to_string_lossy(), "--out", &out.to_string_lossy()];
    for more in [&["--task", "1"][..], &["--task", "2"], &["--gather"]] {
        let output = folder.delassus(&[&call, more].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    }
    let here = folder.delassus(&["study", "s/study.toml", "--out", "out"]);
    assert_eq!(here.status.code(), Some(1), "{}", stderr(&here));
    let csv = folder.read("out/table.csv");
    assert_eq!(csv, folder.read("there/table.csv"));
    assert!(csv.contains("../block.msh") && csv.contains("../broken.msh"), "{csv}");
}

/// Stacks of 1 GB each: there is room for the threads of all runs, but not for all that hand runs to them.
#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_cannot_be_made_is_told() {
    for (parallel, stacks) in [("1", 1), ("2", 2), ("2", 3)] {
        let folder = with_study("cases/impacting_bar_1d.toml", BAR);
        let kilobytes = (stacks << 20) + (1 << 19);
        let limited = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.current_dir(folder.path("")).env("RUST_MIN_STACK", (1 << 30).to_string());
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_delassus")]);
        command.args(["study", "study.toml", "--out", "out", "--threads", "1", "--parallel"]);
        let output = command.arg(parallel).output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let reason = format!("error: --parallel: {parallel} runs at a time: ");
        assert!(told.contains(&reason) && told.ends_with("; give fewer\n"), "{told}");
        assert!(!told.contains("panicked"), "{told}");
        assert!(study(&folder, &["--resume"]).status.success());
    }
}

/// The mesh changes while the first run goes on, and before the second begins.
#[test]
fn a_mesh_that_changes_under_way_makes_no_run_done() {
    let folder = Folder::with_block();
    folder.write(
        "study.toml",
        "case = \"case.toml\"\n[set]\n\"scheme.end\" = 1.0\n\"output.history_every\" = 100\n\
         \"output.checkpoint_every\" = 5000\n[grid]\n\"scheme.theta\" = [0.5, 0.75]\n",
    );
    let mesh = folder.read("block.msh");
    let first = UnderWay::new(&folder, &["--parallel", "1"]);
    let mut first = first.has_left(&folder, "out/runs/theta=0.5/history.csv");
    folder.write("block.msh", format!("{mesh}\n"));
    assert_eq!(first.0.wait().unwrap().code(), Some(1));
    for row in table(&folder) {
        let reason = "mesh.file: block.msh has changed since the study began; take the study again with --resume";
        assert_eq!((row["status"].as_str(), row["error"].as_str()), ("failed", reason));
    }
    assert!(folder.path("out/runs/theta=0.5/summary.json").is_file(), "it came to its end");
    let output = study(&folder, &["--resume"]);
    let told = stderr(&output);
    assert!(output.status.success(), "{told}");
    assert_eq!(told.lines().filter(|line| line.contains(": done in ")).count(), 2, "{told}");
    assert!(!told.contains("is finished") && !told.contains("going on"), "{told}");
}

/// What `--no-submit` prints is typed into a shell, with an sbatch that counts and names its last words.
#[cfg(unix)]
#[test]
fn printed_commands_hold_in_a_shell_and_options_stand_on_one_line_each() {
    let folder = with_study("cases/impacting_bar_1d.toml", BAR);
    let out = "it's a $HOME study; echo `x` & % *";
    let call = ["study", "study.toml", "--out", out, "--slurm", "--no-submit"];
    let output = folder.delassus(&call);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    let commands: String = ["submit     ", "then       "]
        .iter()
        .flat_map(|start| printed.lines().filter_map(move |line| line.strip_prefix(start)))
        .map(|line| format!("{line}\n"))
        .collect();
    let sbatch = "sbatch() { echo \"$# $*\" >>told; echo 17; }\n";
    let mut shell = Command::new("sh");
    let status = shell.current_dir(folder.path("")).args(["-c", &format!("{sbatch}{commands}")]);
    assert!(status.output().unwrap().status.success(), "{commands}");
    let script = |name: &str| folder.path(out).join(name).display().to_string();
    let [array, gather] = ["study.sbatch", "gather.sbatch"].map(script);
    let expected = format!(
        "4 --parsable --array=1-6 {array} 0\n3 --parsable --dependency=afterany:17 {gather}\n"
    );
    assert_eq!(folder.read("told"), expected, "{commands}");

    assert!(study(&folder, &["--quiet"]).status.success());
    let before = folder.names();
    for (option, reason) in [
        ("x\ny", "--sbatch-option \"x\\ny\": it holds a control character; give one option, as"),
        ("x\ry", "--sbatch-option \"x\\ry\": it holds a control character"),
        ("--", "--sbatch-option \"--\": it is empty"),
    ] {
        let output = study(&folder, &["--slurm", "--no-submit", "--sbatch-option", option]);
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        let told = stderr(&output);
        assert!(told.starts_with(&format!("error: {reason}")), "{told}");
    }
    let call = ["study", "study.toml", "--out", "a\nb", "--slurm", "--no-submit"];
    let told = stderr(&folder.delassus(&call));
    assert!(told.starts_with("error: --out: ") && told.contains("give a plainer path"), "{told}");
    assert_eq!(folder.names(), before, "what is refused changes nothing");
}
