//! `delassus plot` and `delassus report` with the real binary: figures and pages of several kinds of
//! runs, and what they say to folders that are none.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::process::Output;

use crate::support::{Folder, repository, stderr, stdout};

/// Runs a shipped case into `out`.
fn run(folder: &Folder, case: &str, out: &str, more: &[&str]) {
    let case = repository(&format!("cases/{case}.toml"));
    let fixed = ["run", case.to_str().unwrap(), "--out", out, "--quiet"];
    let output = folder.delassus(&[&fixed, more].concat());
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", stderr(&output));
}

/// Whether the command failed with exit code 2, and said so in these words.
fn assert_refused(output: &Output, words: &[&str]) {
    assert_eq!(output.status.code(), Some(2), "{}", stdout(output));
    let text = stderr(output);
    words.iter().for_each(|word| assert!(text.contains(word), "'{word}' is not in: {text}"));
}

/// A page holds all it shows: nothing in it points elsewhere, and its policy forbids to load.
fn assert_stands_alone(page: &str) {
    let markup = page.split("<pre>").next().unwrap();
    for word in ["http://", "https://", " src=", " href=", "@import", "url(", "<link", "<iframe"] {
        assert!(!markup.contains(word), "the page has {word}");
    }
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
    assert!(page.ends_with("</html>\n"));
}

fn figures_of(output: &Output) -> Vec<String> {
    let name = |line: &str| line.rsplit(['/', '\\']).next().unwrap().to_string();
    stdout(output).lines().map(name).collect()
}

#[test]
fn the_report_of_the_sliding_block_is_one_small_file_with_all_its_figures() {
    let folder = Folder::new();
    run(&folder, "sliding_block", "out", &["--report"]);
    let page = folder.read("out/report.html");
    assert!(page.len() < 8_000_000, "{} bytes", page.len());
    assert_stands_alone(&page);
    assert!(page.contains("<p class=\"verdict good\"><strong>dissipative</strong>"));
    for name in ["energy", "balance", "work", "tangential_work", "contacts", "iterations"] {
        assert!(page.contains(&format!("<figcaption><code>{name}</code>")), "{name} is missing");
    }
    for text in ["spacetime", "pressure [MPa]", "shear [MPa]", "energy [N·mm]", "pmma", "5750 MPa"]
    {
        assert!(page.contains(text), "{text} is missing");
    }
    assert!(page.contains("<section class=\"view\""), "the view is missing");
    assert!(
        page.contains("time = { function = &quot;square&quot;, period = 0.5 }"),
        "no case text"
    );
}

#[test]
fn a_figure_in_png_has_the_width_that_is_asked_for() {
    let folder = Folder::new();
    run(&folder, "sliding_block", "out", &["--set", "scheme.end=0.02"]);
    let output = folder.delassus(&[
        "plot",
        "out",
        "--what",
        "energy,spacetime",
        "--format",
        "both",
        "--width",
        "85",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let expected = ["energy.svg", "energy.png", "spacetime.svg", "spacetime.png"];
    assert_eq!(figures_of(&output), expected);
    for name in ["energy", "spacetime"] {
        let png = std::fs::read(folder.path(&format!("out/figures/{name}.png"))).unwrap();
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
        let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
        let inches = f64::from(width) / 300.0;
        assert!((25.4 * inches - 85.0).abs() < 1.0, "{name} is {:.1} mm wide", 25.4 * inches);
    }
}

#[test]
fn a_body_in_space_has_forces_of_nodes() {
    let folder = Folder::new();
    let short = ["--set", "scheme.end=0.01", "--set", "output.fields_every=5"];
    run(&folder, "block_on_plane_3d", "out", &short);
    let output = folder.delassus(&["plot", "out", "--out", "drawn"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let drawn = figures_of(&output);
    for name in ["spacetime.svg", "pressure.svg", "node_work.svg"] {
        assert!(drawn.contains(&name.to_string()), "{drawn:?}");
    }
    let pressure = folder.read("drawn/pressure.svg");
    assert!(pressure.contains("normal force [N]") && pressure.contains("node, along"), "labels");
    assert!(stderr(&output).contains("output.trajectory_every > 0"), "{}", stderr(&output));
}

#[test]
fn a_rigid_body_without_frames_has_a_trajectory_and_is_told_what_else_needs() {
    let folder = Folder::new();
    run(&folder, "painleve_rod", "out", &["--set", "scheme.end=0.05"]);
    let output = folder.delassus(&["plot", "out"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let drawn = figures_of(&output);
    for name in ["position.svg", "angle.svg", "gap.svg", "impulse.svg", "energy.svg"] {
        assert!(drawn.contains(&name.to_string()), "{drawn:?}");
    }
    assert!(stderr(&output).contains(
        "spacetime, pressure, forces; there are no frames; run the case again with output.fields_every > 0"
    ));
    let report = folder.delassus(&["report", "out", "--out", "pages/rod.html"]);
    assert!(report.status.success(), "{}", stderr(&report));
    let page = folder.read("pages/rod.html");
    assert_stands_alone(&page);
    assert!(!page.contains("<section class=\"view\"") && !page.contains("<script"));
    assert!(page.contains("Not drawn: spacetime, pressure, forces."));
    let asked = folder.delassus(&["plot", "out", "--what", "pressure"]);
    assert_refused(&asked, &["no figure 'pressure'", "output.fields_every > 0"]);
}

#[test]
fn a_run_without_history_still_has_a_report() {
    let folder = Folder::new();
    run(&folder, "bouncing_ball", "out", &["--set", "output.history_every=0"]);
    let report = folder.delassus(&["report", "out"]);
    assert!(report.status.success(), "{}", stderr(&report));
    let page = folder.read("out/report.html");
    assert!(page.contains("There is no history; run the case again with output.history_every = 1"));
}

#[test]
fn two_runs_of_one_case_are_compared_under_the_names_of_their_folders() {
    let folder = Folder::new();
    run(&folder, "bouncing_bar", "half", &["--set", "scheme.theta=0.5", "--set", "scheme.end=1"]);
    run(&folder, "bouncing_bar", "more", &["--set", "scheme.theta=0.6", "--set", "scheme.end=1"]);
    let report = folder.delassus(&["report", "half", "more", "--out", "both.html"]);
    assert!(report.status.success(), "{}", stderr(&report));
    let page = folder.read("both.html");
    assert_stands_alone(&page);
    assert!(page.contains("<th>half</th><th>more</th>"), "the table has a column per run");
    assert!(page.contains("scheme.theta=0.6"), "what was set is told");
    let plot = folder.delassus(&["plot", "half", "more", "--what", "energy", "--out", "drawn"]);
    assert_eq!(figures_of(&plot), ["energy.svg"], "{}", stderr(&plot));
    let drawn = folder.read("drawn/energy.svg");
    assert!(drawn.contains(">half</text>") && drawn.contains(">more</text>"));
}

/// Weights and speeds whose squares are below all numbers, and cells that are at the ends of them.
#[test]
fn numbers_at_the_ends_of_their_range_are_drawn() {
    let cases: [&[&str]; 2] = [
        &["--set", "load.weight.gravity=[0.0,-1e-318]"],
        &["--set", "load.weight.gravity=[0.0,0.0]", "--set", "mass.ball.velocity=[0.0,-1e-160]"],
    ];
    let folder = Folder::new();
    let short = ["--report", "--set", "scheme.end=0.3"];
    for more in cases {
        run(&folder, "bouncing_ball", "out", &[&short, more].concat());
        assert_stands_alone(&folder.read("out/report.html"));
    }
    let history = folder.read("out/history.csv");
    let at = history.lines().next().unwrap().split(',').position(|name| name == "kinetic").unwrap();
    for value in ["5e-324", "1e-318", "1.7976931348623157e308", "-1e300"] {
        let with_value = |(row, line): (usize, &str)| {
            let mut cells: Vec<&str> = line.split(',').collect();
            match row {
                0 => {}
                5 => cells[at] = value,
                _ => cells[at] = "0.0",
            }
            cells.join(",") + "\n"
        };
        folder.write(
            "out/history.csv",
            history.lines().enumerate().map(with_value).collect::<String>(),
        );
        for command in [&["report", "out"][..], &["plot", "out", "--format", "both"]] {
            let output = folder.delassus(command);
            assert!(output.status.success(), "{value}: {command:?}: {}", stderr(&output));
        }
        let drawn = folder.read("out/figures/energy.svg");
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{value}: {drawn}");
    }
}

/// What a user writes is shown as it is, not obeyed.
#[test]
fn a_title_with_markup_stays_text() {
    let folder = Folder::new();
    let title = "title='</title><script>alert(1)</script>&\"'";
    run(&folder, "bouncing_ball", "out", &["--set", title, "--report"]);
    let page = folder.read("out/report.html");
    assert!(!page.contains("<script>alert(1)"), "the title is markup");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;"));
}

#[test]
fn names_that_are_no_figures_are_told_the_nearest() {
    let folder = Folder::new();
    run(&folder, "bouncing_ball", "out", &[]);
    let output = folder.delassus(&["plot", "out", "--what", "energy,presure"]);
    assert_refused(&output, &["--what presure", "did you mean 'pressure'?", "tangential_work"]);
    assert!(!folder.path("out/figures").exists(), "nothing is drawn of a wrong list");
    assert_refused(&folder.delassus(&["plot", "out", "--width", "3"]), &["40 to 1000"]);
}

#[test]
fn folders_that_hold_no_results_and_damaged_files_are_named_and_leave_nothing() {
    let folder = Folder::new();
    folder.write("notes.txt", "mine");
    assert_refused(&folder.delassus(&["report", "."]), &["no summary.json", "results folder"]);
    assert_refused(&folder.delassus(&["report", "nowhere"]), &["nowhere", "no such folder"]);
    run(&folder, "sliding_block", "out", &["--set", "scheme.end=0.02"]);
    let whole = folder.read("out/summary.json");
    folder.write("out/summary.json", &whole[..whole.len() / 2]);
    assert_refused(&folder.delassus(&["report", "out"]), &["summary.json", "run the case again"]);
    folder.write("out/summary.json", &whole);
    let frame = std::fs::read(folder.path("out/contacts/step_100.vtu")).unwrap();
    folder.write("out/contacts/step_100.vtu", &frame[..frame.len() / 2]);
    assert_refused(&folder.delassus(&["report", "out"]), &["step_100.vtu", "run the case again"]);
    assert_refused(&folder.delassus(&["plot", "out", "--what", "pressure"]), &["step_100.vtu"]);
    let left = folder.names();
    assert!(
        !left.iter().any(|name| name.ends_with(".html") || name.ends_with(".part")),
        "{left:?}"
    );
    std::fs::remove_file(folder.path("out/summary.json")).unwrap();
    assert_refused(&folder.delassus(&["plot", "out"]), &["the run did not finish"]);
}

#[test]
fn a_second_run_removes_the_report_of_the_first_but_no_page_of_others() {
    let folder = Folder::new();
    run(&folder, "bouncing_ball", "out", &["--report"]);
    run(&folder, "bouncing_ball", "out", &[]);
    assert!(!folder.path("out/report.html").exists());
    folder.write("out/report.html", "<html>mine</html>");
    let case = repository("cases/bouncing_ball.toml");
    let output = folder.delassus(&["run", case.to_str().unwrap(), "--out", "out"]);
    assert_refused(&output, &["holds a 'report.html' that no run wrote"]);
}
