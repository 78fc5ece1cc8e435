//! The figures of the book are what `delassus compare`, `delassus explore` and `delassus plot` draw from
//! shipped cases; `DRAW=1 cargo test --release --test house figures::` draws them anew. Its picture of a report is held
//! to a browser by `tests/browser.rs`, those of ParaView by `.ci/interop`.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::path::Path;

use crate::support::{Folder, repository, stderr};

/// Prefix of the files, command, and the quantities that the documentation shows.
type Drawn = (&'static str, &'static [&'static str], &'static [&'static str]);

const LAWS: &str = "moreau-jean:law=newton,moreau-jean:law=fremond";
const SLIDES: &str = "moreau-jean:theta=1:allow_energy_creation=true,newmark:gamma=1:beta=0.5,\
                      hht:alpha_f=0.1:gamma=1:beta=0.5,generalised-alpha:rho_infinity=0.8";
const RADIUS: &str =
    "moreau-jean:theta=0.5555555555555556,newmark,hht,generalised-alpha:rho_infinity=0.8";
const BASELINES: &str = "moreau-jean,schatzman-paoli,plain-newmark";

const FIGURES: &[Drawn] = &[
    (
        "stick",
        &["compare", "cases/impacting_stick.toml", "--schemes", LAWS],
        &[
            "position",
            "angle",
            "velocity",
            "spin",
            "relative_velocity",
            "impulse",
            "contact_work",
            "energies",
        ],
    ),
    (
        "block",
        &["compare", "cases/rocking_block.toml", "--schemes", LAWS],
        &[
            "position",
            "angle",
            "velocity",
            "spin",
            "relative_velocity",
            "impulse",
            "contact_work",
            "energies",
        ],
    ),
    (
        "sliding_block",
        &[
            "compare",
            "cases/sliding_block_newton.toml",
            "cases/sliding_block.toml",
            "--set",
            "output.fields_every=0",
        ],
        &["energies", "max_tangential_work", "min_tangential_work"],
    ),
    (
        "struck_wall",
        &[
            "compare",
            "cases/rockwall/struck_wall.toml",
            "--schemes",
            LAWS,
            "--set",
            "output.fields_every=0",
        ],
        &["energies", "max_tangential_work", "min_tangential_work"],
    ),
    (
        "oscillator",
        &["compare", "cases/two_ball_oscillator.toml", "--schemes", SLIDES],
        &["position", "velocity", "energy"],
    ),
    (
        "pendulum",
        &["compare", "cases/bouncing_pendulum.toml", "--schemes", RADIUS],
        &["position", "velocity", "energy"],
    ),
    (
        "bar",
        &["compare", "cases/impacting_bar_1d.toml", "--schemes", RADIUS],
        &["position", "velocity", "energy"],
    ),
    (
        "baselines",
        &["compare", "cases/impacting_bar_1d.toml", "--schemes", BASELINES],
        &["energy", "impulse"],
    ),
    ("wedged_rod", &["explore", "cases/wedged_rod.toml", "--rest"], &["cloud"]),
];

/// What `delassus plot` draws of one run: prefix, case, quantities.
const PLOTS: &[(&str, &str, &[&str])] = &[
    ("run_sliding_block", "sliding_block", &["spacetime", "pressure", "node_work"]),
    ("run_bouncing_ball", "bouncing_ball", &["position"]),
    ("run_forced_block", "forced_block", &["position"]),
    ("run_friction_oscillator", "friction_oscillator", &["position"]),
    ("run_newton_cradle", "newton_cradle", &["velocity"]),
    ("run_ball_on_plate", "ball_on_plate", &["energy"]),
    ("run_siconos_bar", "siconos_bar", &["energy"]),
    ("run_bar_impact_3d", "bar_impact_3d", &["energy"]),
    ("run_bouncing_bar", "bouncing_bar", &["energy"]),
    ("run_incline", "incline", &["work"]),
    ("run_pin_on_disk", "pin_on_disk", &["work"]),
];

/// Numbers of a picture, and the text between them.
fn taken_apart(svg: &str) -> (Vec<f64>, String) {
    let (mut numbers, mut rest, mut word) = (Vec::new(), String::new(), String::new());
    for c in svg.chars().chain(" ".chars()) {
        if c.is_ascii_digit() || c == '.' || (c == '-' && word.is_empty()) {
            word.push(c);
            continue;
        }
        match word.parse() {
            Ok(number) => {
                numbers.push(number);
                rest.push('#');
            }
            Err(_) => rest.push_str(&word),
        }
        word.clear();
        rest.push(c);
    }
    (numbers, rest)
}

fn draw(prefix: &str) {
    let (_, command, quantities) = FIGURES.iter().find(|(own, ..)| *own == prefix).unwrap();
    let folder = Folder::new();
    let out = folder.path("out");
    let arguments = command.iter().map(|argument| match argument.strip_prefix("cases/") {
        Some(name) => repository("cases").join(name).to_string_lossy().into_owned(),
        None => argument.to_string(),
    });
    let mut arguments: Vec<String> = arguments.collect();
    arguments.extend(["--quiet".into(), "--out".into(), out.to_string_lossy().into_owned()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = folder.delassus(&arguments);
    assert!(out.join(format!("{}.svg", quantities[0])).exists(), "{prefix}: {}", stderr(&run));
    quantities.iter().for_each(|quantity| hold(prefix, quantity, &out));
}

/// Holds a figure of the book to what a command has left in a folder.
fn hold(prefix: &str, quantity: &str, out: &Path) {
    let drawn = std::fs::read_to_string(out.join(format!("{quantity}.svg"))).unwrap();
    let path = repository(&format!("docs/src/figures/{prefix}_{quantity}.svg"));
    if std::env::var_os("DRAW").is_some() {
        std::fs::write(&path, drawn).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let ((ours, text), (theirs, kept_text)) = (taken_apart(&drawn), taken_apart(&kept));
    let same = text == kept_text && ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1.0);
    assert!(same, "{} is not what the command draws now", path.display());
}

/// Runs a case of the repository into `results/NAME` of a folder.
fn run_case(folder: &Folder, name: &str) {
    let case = repository(&format!("cases/{name}.toml"));
    let run = folder.delassus(&["run", &case.to_string_lossy(), "--quiet"]);
    assert!(run.status.success(), "{name}: {}", stderr(&run));
}

#[test]
fn figures_of_single_runs() {
    for (prefix, name, quantities) in PLOTS {
        let folder = Folder::new();
        run_case(&folder, name);
        let results = format!("results/{name}");
        let plot = folder.delassus(&["plot", &results, "--what", &quantities.join(",")]);
        assert!(plot.status.success(), "{name}: {}", stderr(&plot));
        let out = folder.path(&format!("{results}/figures"));
        quantities.iter().for_each(|quantity| hold(prefix, quantity, &out));
    }
}

macro_rules! figures {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            draw(stringify!($name));
        })*
        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

figures! { stick block sliding_block struck_wall oscillator pendulum bar baselines wedged_rod }

/// Every figure is shown somewhere, with the command that draws it, and every one shown is drawn here.
#[test]
fn every_figure_is_shown_with_its_command() {
    let pages = ["systems", "schemes", "verification", "studies/sliding_block", "studies/wall"];
    let read = |page| std::fs::read_to_string(repository(&format!("docs/src/{page}.md"))).unwrap();
    let pages = pages.map(read).join("\n");
    let mut files = Vec::new();
    for (prefix, command, quantities) in FIGURES {
        assert!(TESTED.contains(prefix));
        let command = format!("delassus {}", command.join(" "));
        assert!(pages.contains(&command), "no page has the command '{command}'");
        files.extend(quantities.iter().map(|quantity| format!("{prefix}_{quantity}.svg")));
    }
    for (prefix, name, quantities) in PLOTS {
        let command = format!("delassus run cases/{name}.toml");
        assert!(pages.contains(&command), "no page has the command '{command}'");
        files.extend(quantities.iter().map(|quantity| format!("{prefix}_{quantity}.svg")));
    }
    for file in &files {
        assert!(pages.contains(&format!("figures/{file}")), "{file} is not shown");
    }
    for entry in std::fs::read_dir(repository("docs/src/figures")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(files.contains(&name), "{name} is drawn by nothing");
    }
}
