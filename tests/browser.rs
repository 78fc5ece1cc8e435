//! The report in a real browser: it loads alone and fast, and hands on it change the picture.
//!
//! Chromium and chromedriver must be in the path. Where they are not, these tests say so and pass,
//! unless `DELASSUS_REQUIRE_BROWSER=1` asks for them. Pictures for people to look at are left in
//! `target/tmp`; `DRAW=1` draws the one of the book anew.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test that cannot go on has failed

mod support;

use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard};

use delassus::results::Frames;
use resvg::tiny_skia::Pixmap;
use support::webdriver::{Browser, END, HOME, RIGHT, SHIFT};
use support::{Folder, repository, stderr};

/// One browser at a time: load times are measured.
static TURN: Mutex<()> = Mutex::new(());

/// A results folder with its report, made once for all tests.
struct Results {
    folder: Folder,
}

static BLOCK: LazyLock<Results> = LazyLock::new(|| Results::new("sliding_block", &[]));

impl Results {
    fn new(case: &str, overrides: &[&str]) -> Self {
        let folder = Folder::new();
        let path = repository(&format!("cases/{case}.toml"));
        let set = overrides.iter().flat_map(|value| ["--set", value]);
        let run = ["run", path.to_str().unwrap(), "--out", "out", "--quiet"];
        let arguments: Vec<&str> = run.into_iter().chain(set).collect();
        let done = folder.delassus(&arguments);
        assert!(done.status.success(), "{}", stderr(&done));
        let done = folder.delassus(&["report", "out", "--quiet"]);
        assert!(done.status.success(), "{}", stderr(&done));
        Self { folder }
    }

    fn report(&self) -> PathBuf {
        self.folder.path("out/report.html")
    }
}

/// A browser and the turn to use it; none where there is no browser and none is required.
fn browser() -> Option<(Browser, MutexGuard<'static, ()>)> {
    let turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let Some(browser) = Browser::start() else {
        let required = std::env::var("DELASSUS_REQUIRE_BROWSER").is_ok_and(|value| value == "1");
        assert!(!required, "no chromium and chromedriver in the path; install them");
        eprintln!("SKIPPED: no chromium and chromedriver in the path; the report is not tested");
        return None;
    };
    Some((browser, turn))
}

/// Until the view with that id is drawn.
fn settled(browser: &Browser, id: &str) {
    browser.wait(&format!("return document.getElementById('{id}').dataset.state === 'done'"));
}

/// The picture of a view.
fn picture(browser: &Browser, id: &str) -> String {
    settled(browser, id);
    let script = format!("return document.getElementById('{id}-canvas').toDataURL()");
    browser.run(&script).as_str().unwrap().to_string()
}

fn text(browser: &Browser, selector: &str) -> String {
    let script = format!("return document.querySelector('{selector}').textContent");
    browser.run(&script).as_str().unwrap().to_string()
}

/// Leaves a picture of the window for people.
fn leave(browser: &Browser, name: &str) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    std::fs::write(&path, bytes_of(&browser.screenshot())).unwrap();
}

/// A picture of the book is what the window shows now; with `DRAW=1` it is drawn anew. Letters differ from machine to
/// machine, so that a few pixels may.
fn hold_picture(browser: &Browser, path: &str) {
    let drawn = bytes_of(&browser.screenshot());
    if std::env::var_os("DRAW").is_some() {
        std::fs::write(repository(path), drawn).unwrap();
        return;
    }
    let kept = std::fs::read(repository(path)).unwrap();
    let [drawn, kept] = [drawn, kept].map(|png| Pixmap::decode_png(&png).unwrap());
    assert_eq!([drawn.width(), drawn.height()], [kept.width(), kept.height()], "{path}");
    let far = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 48);
    let pixels = drawn.data().chunks_exact(4).zip(kept.data().chunks_exact(4));
    let share = pixels.filter(far).count() as f64 / (drawn.width() * drawn.height()) as f64;
    eprintln!("{path}: {:.2} % of the pixels differ", 100.0 * share);
    assert!(share < 0.05, "{path} is not what the report shows now: {share} of its pixels differ");
}

fn bytes_of(base64: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = base64.bytes().filter(|&c| c != b'=').map(digit).collect();
    let bits = digits.iter().flat_map(|six| (0..6).rev().map(move |bit| six >> bit & 1));
    let bits: Vec<u8> = bits.collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

#[test]
fn the_report_of_the_sliding_block_loads_alone_within_two_seconds() {
    let Some((browser, _turn)) = browser() else { return };
    let size = std::fs::metadata(BLOCK.report()).unwrap().len();
    assert!(size < 8_000_000, "the report has {size} bytes");
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        browser.load(&BLOCK.report());
        settled(&browser, "view");
        let time =
            browser.run("return Number(document.getElementById('view').dataset.firstDrawMs)");
        best = best.min(time.as_f64().unwrap());
    }
    eprintln!("report of the sliding block: {size} bytes, first picture after {best} ms");
    assert!(best > 0.0 && best < 2000.0, "the first picture came after {best} ms");
    assert_eq!(browser.console(), [""; 0]);
    let requests = browser.requests();
    assert!(!requests.is_empty(), "not even the page was asked for");
    let strangers: Vec<&String> = requests
        .iter()
        .filter(|address| !address.starts_with("file://") && !address.starts_with("data:"))
        .collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    leave(&browser, "report_sliding_block");
    hold_picture(&browser, "docs/src/report.png");
}

#[test]
fn sliders_and_fields_change_the_picture_and_changing_back_restores_it() {
    let Some((browser, _turn)) = browser() else { return };
    browser.load(&BLOCK.report());
    settled(&browser, "view");
    let look = || picture(&browser, "view");
    browser.keys("#view-time", HOME);
    let start = look();
    assert!(text(&browser, "#view [data-show=time]").starts_with("0 "));
    browser.keys("#view-time", END);
    let end = look();
    assert!(start != end, "the time slider changes nothing");
    browser.keys("#view-warp", END);
    assert!(look() != end, "the warp slider changes nothing");
    browser.click("#view [data-do=true-scale]");
    assert_eq!(text(&browser, "#view [data-show=warp]"), "× 1");
    let stress = look();
    browser.click("#view-field option[value=\"velocity.x\"]");
    let velocity = look();
    assert!(stress != velocity, "the field changes nothing");
    browser.click("#view-range option[value=frame]");
    assert!(look() != velocity, "the range changes nothing");
    browser.click("#view-range option[value=all]");
    for part in ["edges", "arrows"] {
        browser.click(&format!("#view [data-set={part}]"));
        assert!(look() != velocity, "{part} changes nothing");
        browser.click(&format!("#view [data-set={part}]"));
    }
    assert!(look() == velocity, "the same settings give another picture");
    browser.click("#view-field option[value=\"contact_status\"]");
    look();
    leave(&browser, "view_contact_status");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn play_runs_to_the_end_and_keys_step() {
    let Some((browser, _turn)) = browser() else { return };
    browser.load(&BLOCK.report());
    settled(&browser, "view");
    browser.keys("#view-canvas", HOME);
    let start = picture(&browser, "view");
    browser.keys("#view-canvas", RIGHT);
    assert_ne!(picture(&browser, "view"), start, "the arrow key does not step");
    assert!(text(&browser, "#view [data-show=time]").starts_with("0.01 "));
    browser.keys("#view-canvas", " ");
    let time = "return Number(document.getElementById('view-time').value)";
    browser.wait(&format!("{time} > 20"));
    browser.keys("#view-canvas", " ");
    let paused = browser.run(time);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(browser.run(time), paused, "space does not pause");
    browser.click("#view [data-do=play]");
    browser.wait(&format!("{time} === 100"));
    assert_eq!(text(&browser, "#view [data-do=play]"), "▶");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn the_value_under_the_pointer_is_that_of_the_file() {
    let Some((browser, _turn)) = browser() else { return };
    browser.load(&BLOCK.report());
    settled(&browser, "view");
    browser.keys("#view-time", END);
    settled(&browser, "view");
    browser.drag("#view-canvas", [-60, -40], None);
    browser.wait("return document.getElementById('view-readout').textContent !== ''");
    settled(&browser, "view");
    let said = text(&browser, "#view-readout");
    let (cell, value) = said.split_once(" of cell ").unwrap().1.split_once(": ").unwrap();
    let value: f64 = value.trim_end_matches(" MPa").parse().unwrap();
    let frames = Frames::read(&BLOCK.folder.path("out"), "fields.pvd").unwrap();
    let frame = frames.load(frames.len() - 1).unwrap();
    let known = frame.cell("von_mises").unwrap().values[cell.parse::<usize>().unwrap()];
    // Four digits are shown; stresses are quantised to 1/131070 of some 30 MPa.
    assert!((value - known).abs() < 1e-3 * known + 1e-3, "{said}: {known} in the file");
    let point = said.strip_prefix("point ").unwrap().split_once(' ').unwrap().0;
    let point: usize = point.parse().unwrap();
    let x = said.split_once("at (").unwrap().1.split_once(',').unwrap().0.replace('−', "-");
    let displacement = frame.point("displacement").unwrap().values[3 * point];
    let place = frame.points[point][0] + displacement;
    assert!((x.parse::<f64>().unwrap() - place).abs() < 1e-3 * place.abs(), "{said}: {place}");
}

#[test]
fn a_body_in_space_turns_under_the_mouse_and_by_keys() {
    let Some((browser, _turn)) = browser() else { return };
    let space = Results::new(
        "block_on_plane_3d",
        &["scheme.end=0.05", "output.fields_every=10", "output.history_every=10"],
    );
    browser.load(&space.report());
    let before = picture(&browser, "view");
    leave(&browser, "view_in_space");
    browser.drag("#view-canvas", [0, 0], Some([120, 30]));
    let turned = picture(&browser, "view");
    assert_ne!(before, turned, "the mouse does not turn it");
    browser.keys("#view-canvas", &format!("{SHIFT}{RIGHT}"));
    assert_ne!(picture(&browser, "view"), turned, "keys do not turn it");
    leave(&browser, "view_in_space_turned");
    assert_eq!(browser.console(), [""; 0]);
}

/// A ball flies past a bar that rests: nothing else in the picture changes, and what changes moves to the right, where x
/// points.
#[test]
fn an_obstacle_that_moves_is_where_its_frames_say() {
    let Some((browser, _turn)) = browser() else { return };
    let ball = "contact.wall.obstacle={ kind = \"sphere\", point = [-0.09, 0.01, -0.06], radius = 0.03, \
                velocity = [1500.0, 0.0, 0.0] }";
    let rest = "initial.velocity.flight.value=[0.0, 0.0, 0.0]";
    let passing = Results::new("bar_impact_3d", &[ball, rest]);
    browser.load(&passing.report());
    let shoot = |key: &str, name: &str| {
        browser.keys("#view-time", key);
        let drawn = picture(&browser, "view");
        leave(&browser, name);
        Pixmap::decode_png(&bytes_of(drawn.split_once(',').unwrap().1)).unwrap()
    };
    let (start, end) = (shoot(HOME, "view_ball_before"), shoot(END, "view_ball_after"));
    // Where one picture is darker than the other, below the line that tells the time: how many pixels, and their
    // middle.
    let darker = |one: &Pixmap, other: &Pixmap| {
        let width = one.width() as usize;
        let light = |pixel: &[u8]| pixel[..3].iter().map(|&c| i32::from(c)).sum::<i32>();
        let pixels = one.data().chunks_exact(4).zip(other.data().chunks_exact(4)).enumerate();
        let changed = pixels.skip(80 * width).filter(|(_, (a, b))| light(a) < light(b) - 20);
        let columns: Vec<f64> = changed.map(|(at, _)| (at % width) as f64).collect();
        [columns.len() as f64, columns.iter().sum::<f64>() / columns.len() as f64]
    };
    let (before, after) = (darker(&start, &end), darker(&end, &start));
    assert!(before[0] > 1000.0 && after[0] > 1000.0, "the ball is not seen: {before:?}, {after:?}");
    assert!((before[0] / after[0] - 1.0).abs() < 0.1, "it changes its size: {before:?}, {after:?}");
    assert!(after[1] > before[1] + 100.0, "it does not move: {before:?}, {after:?}");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn rigid_bodies_and_several_runs_have_views_and_the_page_prints() {
    let Some((browser, _turn)) = browser() else { return };
    let rigid = Results::new("rocking_block", &["output.fields_every=100"]);
    browser.load(&rigid.report());
    settled(&browser, "view");
    leave(&browser, "view_rigid");
    let both = rigid.folder.path("both.html");
    let block = BLOCK.folder.path("out");
    let arguments =
        ["report", "out", block.to_str().unwrap(), "--out", both.to_str().unwrap(), "--quiet"];
    let done = rigid.folder.delassus(&arguments);
    assert!(done.status.success(), "{}", stderr(&done));
    browser.load(&both);
    let views = "return [...document.querySelectorAll('.view')]";
    browser.wait(&format!("{views}.every(view => view.dataset.state === 'done')"));
    assert_eq!(browser.run(&format!("{views}.length")), 2);
    assert_eq!(browser.run("return document.querySelectorAll('script:not([type])').length"), 1);
    let ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)");
    let mut ids: Vec<String> = serde_json::from_value(ids).unwrap();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "two elements have one id");
    assert!(bytes_of(&browser.print()).starts_with(b"%PDF-"));
    assert_eq!(browser.console(), [""; 0]);
}
