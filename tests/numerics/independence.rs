//! A run depends on what is in it, and on nothing else: not on when it ends, not on forces that do nothing. For every
//! case that is shipped.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use std::path::{Path, PathBuf};

use delassus::case::{Case, Component, ContactCase, PairCase};
use delassus::energy::Verdict;
use delassus::simulation;

use crate::support::{Folder, Silent, repository};

/// The cases of the repository, by name.
fn shipped() -> Vec<String> {
    let files = std::fs::read_dir(repository("cases")).unwrap().map(|entry| entry.unwrap().path());
    let cases = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> =
        cases.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert!(names.len() > 20);
    names
}

/// A shipped case with more at its end and values on top; frames are left out.
fn case(name: &str, more: &str, overrides: &[String]) -> Case {
    let path = repository(&format!("cases/{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap();
    let quiet = "output.fields_every=0".to_string();
    let read = |overrides: &[String]| {
        Case::from_text(&path, format!("{text}\n{more}"), overrides)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let mut all: Vec<String> = overrides.iter().cloned().chain([quiet]).collect();
    let case = read(&all);
    if case.system.bodies.len() <= MANY_BODIES || overrides.iter().any(|set| set.starts_with(END)) {
        return case;
    }
    // The first steps of many bodies show as much as all of them.
    let steps = case.scheme.steps.min(FEW_STEPS);
    all.push(format!("{END}{:?}", steps as f64 * case.scheme.step));
    read(&all)
}

const END: &str = "scheme.end=";
const MANY_BODIES: usize = 8;
const FEW_STEPS: usize = 60;

fn run(case: &Case, out: &Path) -> delassus::output::Summary {
    simulation::run(case, out, &mut Silent).unwrap_or_else(|error| panic!("{}: {error}", case.name))
}

fn tables(out: &Path) -> Vec<(PathBuf, String)> {
    let names = ["history.csv", "trajectory.csv", "contacts.csv"];
    let there = names.iter().map(|name| out.join(name)).filter(|path| path.exists());
    there.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn a_longer_run_has_the_same_bytes_in_its_common_part() {
    for name in shipped() {
        let folder = Folder::new();
        let whole = case(&name, "", &[]);
        let steps = 3 * whole.scheme.steps / 5;
        let end = format!("scheme.end={:?}", steps as f64 * whole.scheme.step);
        let part = case(&name, "", &[end]);
        assert_eq!(part.scheme.steps, steps, "{name}");
        run(&whole, &folder.path("whole"));
        run(&part, &folder.path("part"));
        let mut compared = 0;
        for ((path, long), (_, short)) in
            tables(&folder.path("whole")).into_iter().zip(tables(&folder.path("part")))
        {
            // What a contact did in all is not of the common part; nor is the row of the last step, which is always
            // written, where others are left out.
            if path.ends_with("contacts.csv") {
                continue;
            }
            let rows = short.lines().count() - 1;
            let output = &whole.output;
            let most = steps / output.history_every.max(output.trajectory_every).max(1);
            assert!(rows > 10 || most < 20, "{name}: {rows} rows of {}", path.display());
            let same = long.lines().zip(short.lines()).take(rows).all(|(a, b)| a == b);
            assert!(same, "{name}: {} changes with scheme.end", path.display());
            compared += rows;
        }
        assert!(compared > 0, "{name}");
    }
}

/// A force on each dof that the case holds or drives, along it.
fn loads_on_held(case: &Case, dimension: usize) -> String {
    let mut text = String::new();
    for (index, boundary) in case.boundaries.iter().enumerate() {
        let along = boundary.component.indices(dimension);
        let force: Vec<f64> =
            (0..dimension).map(|i| if along.contains(&i) { 3e8 } else { 0.0 }).collect();
        let group = &boundary.group;
        text += &format!("[load.idle{index}]\ngroup = {group:?}\nforce = {force:?}\n");
    }
    text
}

#[test]
fn a_load_on_what_is_held_changes_nothing() {
    let mut with_boundary = 0;
    for name in shipped() {
        let plain = case(&name, "", &[]);
        let mesh = delassus::model::read_mesh(&plain).unwrap();
        let d = mesh.dimension;
        let place = format!("{:?}", vec![7.0; d]);
        let zero = format!("{:?}", vec![0.0; d]);
        let force = format!("{:?}", vec![1e12; d]);
        // A mass that stands aside, held; then the same with forces on it and on all else that is held.
        let held: String = (0..d)
            .map(|i| {
                let component = [Component::X, Component::Y, Component::Z][i].word();
                format!(
                    "[boundary.aside{i}]\ngroup = \"aside\"\ncomponent = {component:?}\nvelocity = 0.0\n"
                )
            })
            .collect();
        let aside =
            format!("[mass.aside]\nmass = 1.0\nposition = {place}\nvelocity = {zero}\n{held}");
        let idle = format!("[load.idle]\ngroup = \"aside\"\nforce = {force}\n");
        let own = loads_on_held(&plain, d);
        with_boundary += usize::from(!own.is_empty());
        let folder = Folder::new();
        run(&case(&name, &aside, &[]), &folder.path("without"));
        let with = run(&case(&name, &format!("{aside}{idle}{own}"), &[]), &folder.path("with"));
        for ((path, a), (_, b)) in
            tables(&folder.path("without")).into_iter().zip(tables(&folder.path("with")))
        {
            assert!(a == b, "{name}: {} changes with loads on what is held", path.display());
        }
        let told = with.notices.iter().filter(|n| n.contains("does nothing")).count();
        assert!(told > plain.boundaries.len(), "{name}: {:?}", with.notices);
    }
    assert!(with_boundary >= 4);
}

/// What is created, as a share of what passes through a contact.
const SHARE: f64 = 1e-12;
/// The same, where bodies hold each other many times over: solves end within their tolerance, and the certificate asks no more.
const SHARE_OF_PAIRS: f64 = 1e-10;

#[test]
fn every_case_is_dissipative_to_1e_12_of_what_passes_through_its_contacts() {
    for name in shipped() {
        let folder = Folder::new();
        let case = case(&name, "", &[]);
        let certificate = run(&case, &folder.path("out")).certificate;
        let share = certificate.max_work_share;
        let is_pair = |contact: &ContactCase| matches!(contact.pair, PairCase::Bodies(_));
        let most = if case.contacts.iter().any(is_pair) { SHARE_OF_PAIRS } else { SHARE };
        println!(
            "{name:22} {}: a contact in a step {share:.0e}, all of them {:.1e} of {:.1e}",
            certificate.verdict, certificate.work_created, certificate.work_passed
        );
        if name.ends_with("_newton") {
            assert_eq!(certificate.verdict, Verdict::Violated, "{name}");
            continue;
        }
        let expected = match &*name {
            // The work of its correction has no sign.
            "marble_in_bowl" => Verdict::NotCovered,
            _ => Verdict::Dissipative,
        };
        assert_eq!(certificate.verdict, expected, "{name}: {certificate:?}");
        assert!(share <= most, "{name}: {share:e}");
        assert!(certificate.contacts.iter().all(|set| set.share() <= most), "{name}");
    }
}
