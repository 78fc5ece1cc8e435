//! Runs that are still going, were killed or were interrupted: their folders are read as far as they go, and nobody
//! takes what they say for a verdict.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::process::{Child, Output};
use std::time::Duration;

use delassus::output::{STARTED, Standing, Summary};
use delassus::results::Results;
use delassus::simulation::{self, Observer, Progress};
use delassus::verify::verify;

use crate::support::{self, Folder, long_block, spawn, stderr, stdout};

/// A run that is ended with its test.
struct Going(Child);

impl Going {
    fn end(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        self.end();
    }
}

/// A run of more steps than anybody waits for, with some hundred rows and two frames on disk.
fn going() -> (Folder, Going) {
    let folder = long_block(1_000_000);
    let mut run = Going(spawn(&folder, &["--out", "out"]));
    let history = folder.path("out/history.csv");
    let rows = || std::fs::read_to_string(&history).map_or(0, |text| text.lines().count());
    while rows() < 200 {
        assert!(run.0.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    (folder, run)
}

/// The step in "…: STEP of 1000000 steps".
fn step_told(text: &str, before: &str) -> usize {
    let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("no '{before}' in {text}"));
    let (step, rest) = rest.split_once(' ').unwrap();
    assert!(rest.starts_with("of 1000000 steps"), "{text}");
    step.parse().unwrap()
}

fn assert_no_verdict(output: &Output) {
    let said = stdout(output);
    assert!(said.contains("this is no verdict"), "{said}");
    assert!(said.contains("cannot tell  the verdict: "), "{said}");
    assert!(!said.contains("  verdict     ") && !said.contains("dissipative"), "{said}");
}

#[cfg(unix)] // elsewhere folders know no locks, and nobody can tell whether a run is going
#[test]
fn a_run_that_is_going_is_drawn_and_judged_as_far_as_it_is() {
    let (folder, mut run) = going();
    let output = folder.delassus(&["verify", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert_no_verdict(&output);
    let judged = step_told(&stdout(&output), "the run is still going: ");
    assert!(judged >= 198);

    let output = folder.delassus(&["plot", "out", "--what", "energy,spacetime,node_work"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(step_told(&stderr(&output), "note: out: the run is still going: ") >= judged);
    for name in ["energy", "spacetime", "node_work"] {
        assert!(folder.path(&format!("out/figures/{name}.svg")).is_file(), "{name}");
    }

    let output = folder.delassus(&["report", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = folder.read("out/report.html");
    assert!(step_told(&page, "</strong> The run is still going: ") >= judged);
    assert!(
        page.contains("<strong>no verdict yet</strong>") && !page.contains("<strong>dissipative")
    );
    assert!(page.contains("class=\"view\""), "the frames so far are shown");

    let beside = folder.delassus(&["report", "out", "out", "--out", "both.html"]);
    assert_eq!(beside.status.code(), Some(0), "{}", stderr(&beside));
    assert!(folder.read("both.html").contains("none: the run is still going: "));
    run.end();
}

#[test]
fn a_run_that_was_killed_is_read_as_far_as_it_came_and_says_how_to_go_on() {
    let (folder, mut run) = going();
    run.end();
    let output = folder.delassus(&["verify", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert_no_verdict(&output);
    let step = step_told(&stdout(&output), "the run has not finished: ");
    assert!(stdout(&output).contains("go on with it: delassus run CASE --resume"));
    let results = Results::read(&folder.path("out")).unwrap();
    let unfinished = results.unfinished.unwrap();
    assert_eq!((unfinished.standing, unfinished.step), (Standing::Ended, step));
    assert_eq!(results.series.history.step.last(), Some(&(step as f64)));
    assert_eq!(
        Some(&results.summary.energies.total),
        results.series.history.get("total").unwrap().last()
    );
    assert_eq!(folder.delassus(&["report", "out", "--quiet"]).status.code(), Some(0));
    assert!(folder.read("out/report.html").contains("The run has not finished: "));

    // A row that a kill cut is left out.
    let history = folder.read("out/history.csv");
    folder.write("out/history.csv", &history[..history.len() - 30]);
    let cut = folder.delassus(&["verify", "out"]);
    assert_eq!(cut.status.code(), Some(0), "{}", stdout(&cut));
    assert_eq!(step_told(&stdout(&cut), "the run has not finished: "), step - 1);

    // What is wrong with what is there is found.
    let cell = |row: usize, column: usize, value: &str| {
        let rows: Vec<&str> = history.lines().collect();
        let mut cells: Vec<&str> = rows[row].split(',').collect();
        cells[column] = value;
        history.replacen(rows[row], &cells.join(","), 1)
    };
    let started = folder.read("out/started.json");
    let lines: Vec<&str> = history.split_inclusive('\n').collect();
    let spoiled = [
        ("a kinetic energy", cell(50, 2, "1.25"), started.clone()),
        ("a tangential work", cell(50, 12, "0.5"), started.clone()),
        ("a residual", cell(50, 11, "1.0"), started.clone()),
        ("a row taken out", [&lines[..60], &lines[61..]].concat().concat(), started.clone()),
        ("theta", history.clone(), started.replacen("\"theta\": 0.5", "\"theta\": 0.6", 1)),
    ];
    for (what, history, started) in spoiled {
        folder.write("out/history.csv", history);
        folder.write("out/started.json", started);
        let output = folder.delassus(&["verify", "out"]);
        assert_eq!(output.status.code(), Some(1), "{what}: {}", stdout(&output));
        assert!(stdout(&output).contains("FAILED"), "{what}");
    }
    folder.write("out/history.csv", &history);
    folder.write("out/started.json", &started);
    std::fs::remove_file(folder.path("out/obstacles/step_0000060.vtu")).unwrap();
    let output = folder.delassus(&["verify", "out"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("obstacles/step_0000060.vtu is gone"), "{}", stdout(&output));
}

/// Stops after so many questions.
struct StopAfter(usize);

impl Observer for StopAfter {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
    fn wants_to_stop(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// Newton's law creates energy in the first half of this run already: that is found before its end.
#[test]
fn energy_that_was_created_before_an_interruption_is_found() {
    let folder = Folder::new();
    let case = support::case("sliding_block_newton", &["scheme.end=0.5", "output.fields_every=0"]);
    let out = folder.path("out");
    assert!(!simulation::run(&case, &out, &mut StopAfter(2001)).unwrap().finished);
    let verification = verify(&out).unwrap();
    let so_far = verification.so_far.unwrap();
    assert_eq!((so_far.standing, so_far.step, so_far.steps), (Standing::Interrupted, 2000, 5000));
    assert!(!verification.holds());
    let failed: Vec<&str> =
        verification.checks.iter().filter(|c| !c.holds).map(|c| c.what.as_str()).collect();
    assert_eq!(failed, ["up to step 2000 no contact and no scheme created energy"]);
}

/// Between the start of a run and its end there is one of the two files, and at its end the summary alone.
#[test]
fn what_was_written_at_the_start_goes_when_the_summary_is_there() {
    struct Look<'a>(&'a Folder, usize);
    impl Observer for Look<'_> {
        fn notice(&mut self, _: &str) {}
        fn progress(&mut self, _: &Progress) {}
        fn wants_to_stop(&mut self) -> bool {
            let started = Summary::read(&self.0.path("out").join(STARTED)).unwrap();
            assert!(!started.finished && !self.0.path("out/summary.json").exists());
            self.1 += 1;
            false
        }
    }
    let folder = Folder::new();
    let case = support::case("bouncing_ball", &["scheme.end=0.1"]);
    let mut look = Look(&folder, 0);
    assert!(simulation::run(&case, &folder.path("out"), &mut look).unwrap().finished);
    assert!(look.1 > 0, "the run was looked at");
    assert!(!folder.path("out").join(STARTED).exists());
    assert!(verify(&folder.path("out")).unwrap().so_far.is_none());
    // One that a kill left beside the summary is not believed, and goes when the run is to be gone on with.
    std::fs::copy(folder.path("out/summary.json"), folder.path("out/started.json")).unwrap();
    assert!(Results::read(&folder.path("out")).unwrap().unfinished.is_none());
    assert!(simulation::resume(&case, &folder.path("out"), &mut StopAfter(0)).unwrap().finished);
    assert!(!folder.path("out").join(STARTED).exists());
}
