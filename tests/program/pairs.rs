//! What runs of rigid bodies that touch each other leave behind.

#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::path::Path;

use delassus::case::Case;
use delassus::energy::{Term, TermClass};
use delassus::output::{Summary, Table};
use delassus::results::{FrameData, Frames, Results};
use delassus::simulation::{Observer, Progress, resume, run};
use delassus::verify::verify;

use crate::support::pairs::{BOXES_IN_SPACE, DISKS_IN_THE_PLANE};
use crate::support::results::assert_same;
use crate::support::{Folder, Silent, stderr, stdout};

fn case(text: &str, overrides: &[&str]) -> Case {
    let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
    let case = Case::from_text(Path::new("case.toml"), text.into(), &overrides);
    case.unwrap_or_else(|error| panic!("{error}"))
}

fn taken(text: &str, overrides: &[&str]) -> (Folder, Summary) {
    let folder = Folder::new();
    let summary = run(&case(text, overrides), &folder.path("out"), &mut Silent);
    (folder, summary.unwrap_or_else(|error| panic!("{error}")))
}

/// Sums run in other orders than the ledger's: 1e-12 of what was added.
#[test]
fn pairs_and_contact_nodes_add_up_to_the_works_of_the_run() {
    for (text, met, most) in [(BOXES_IN_SPACE, 5, 17), (DISKS_IN_THE_PLANE, 5, 9)] {
        let (folder, summary) = taken(text, &[]);
        let [contacts, pairs, history] = ["contacts.csv", "pairs.csv", "history.csv"]
            .map(|name| Table::read(&folder.path(&format!("out/{name}"))).unwrap());
        for term in Term::of(TermClass::Contact) {
            let (own, of_nodes) = (
                pairs.sum(term.line().of_contact.unwrap()).unwrap(),
                contacts.sum(term.line().of_contact.unwrap()).unwrap(),
            );
            let last = history.rows.last().unwrap()[history.column(term.line().column).unwrap()];
            let size = own.1 + of_nodes.1;
            assert!(
                (own.0 + of_nodes.0 - last).abs() <= 1e-12 * size,
                "{}: {term:?}",
                summary.case.title
            );
        }
        let ids: Vec<[f64; 2]> = pairs.rows.iter().map(|row| [row[3], row[4]]).collect();
        assert!(ids.is_sorted() && ids.iter().all(|[a, b]| a < b), "{ids:?}");
        assert_eq!((pairs.rows.len(), summary.counts.pairs), (met, met));
        let busiest = history.rows.iter().map(|row| row[history.column("contacts").unwrap()]);
        assert_eq!(busiest.fold(0.0, f64::max), summary.counts.most_contacts as f64);
        assert_eq!(summary.counts.most_contacts, most);
        assert!(summary.counts.most_contacts_of_bodies <= most);
        let verified = verify(&folder.path("out")).unwrap();
        let failed: Vec<_> = verified.checks.iter().filter(|check| !check.holds).collect();
        assert!(failed.is_empty(), "{failed:?}");
        assert!(!summary.notices.iter().any(|notice| notice.contains("never touched")));
    }
}

/// Each interface carries what stands on it: m g t of the normal impulses, to the solver's tolerance.
#[test]
fn the_normal_impulses_of_a_stack_are_the_weight_above_each_joint() {
    let (folder, _) = taken(BOXES_IN_SPACE, &[]);
    let pairs = Table::read(&folder.path("out/pairs.csv")).unwrap();
    let text = folder.read("out/pairs.csv");
    for (names, mass, time) in [
        ("\"box:1\",\"box:2\"", 4.0, 0.05),
        ("\"box:1\",\"floor\"", 6.0, 0.05),
        ("\"box:2\",\"box:3\"", 2.0, 0.05),
        // It is taken away at t = 0.03.
        ("\"floor\",\"prop\"", 1.0, 0.03),
    ] {
        let at = text.lines().skip(1).position(|line| line.contains(names)).expect("they met");
        let impulse = pairs.rows[at][pairs.column("normal_impulse").unwrap()];
        let weight = mass * 9.81 * time;
        assert!((impulse / weight - 1.0).abs() < 1e-10, "{names}: {impulse} for {weight}");
    }
}

fn frame(folder: &Folder, series: &str, k: usize) -> FrameData {
    let frames = Frames::read(&folder.path("out"), series).unwrap();
    frames.load(k).unwrap()
}

fn vector(values: &[f64], n: usize) -> [f64; 3] {
    [values[3 * n], values[3 * n + 1], values[3 * n + 2]]
}

/// The centre is the mean of the corners of a box, and the quaternion turns its sides: both to rounding of a place.
#[test]
fn frames_say_where_every_body_is_and_hide_those_that_are_not_there() {
    for (text, faces) in [(BOXES_IN_SPACE, 6), (DISKS_IN_THE_PLANE, 1)] {
        let (folder, summary) = taken(text, &[]);
        let frames = Frames::read(&folder.path("out"), "fields.pvd").unwrap();
        for k in 0..frames.len() {
            let frame = frames.load(k).unwrap();
            let (body, center) = (frame.cell("body").unwrap(), frame.cell("center").unwrap());
            let moved = frame.point("displacement").unwrap();
            let place = |point: u32| {
                let [from, by] =
                    [frame.points[point as usize], vector(&moved.values, point as usize)];
                [0, 1, 2].map(|i| from[i] + by[i])
            };
            for id in 0..summary.counts.bodies {
                let own: Vec<usize> =
                    (0..body.values.len()).filter(|&c| body.values[c] == id as f64).collect();
                assert!(!own.is_empty(), "body {id} has no cell");
                let polygons = own.iter().filter(|&&c| frame.cell_types[c] == 7);
                if polygons.clone().count() != faces {
                    continue;
                }
                let corners: Vec<[f64; 3]> =
                    polygons.flat_map(|&c| frame.cell_points(c)).map(|&p| place(p)).collect();
                let mean = [0, 1, 2]
                    .map(|i| corners.iter().map(|x| x[i]).sum::<f64>() / corners.len() as f64);
                let told = vector(&center.values, own[0]);
                assert!((0..3).all(|i| (mean[i] - told[i]).abs() < 1e-13), "{mean:?} {told:?}");
            }
            let driven = frame.cell("driven").unwrap();
            let fixed = |c: usize| driven.values[c] == 1.0;
            let floor = if faces == 6 { 4.0 } else { 5.0 };
            assert!((0..body.values.len()).all(|c| fixed(c) == (body.values[c] == floor)));
            let rotation = frame.cell("rotation").unwrap();
            for q in rotation.values.chunks_exact(4) {
                assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }
    let (folder, _) = taken(BOXES_IN_SPACE, &[]);
    // Bodies are numbered as their names are sorted: ball 0, prop 5.
    for (k, hidden) in
        [[0.0].as_slice(), &[0.0], &[0.0], &[], &[5.0], &[5.0]].into_iter().enumerate()
    {
        let frame = frame(&folder, "fields.pvd", k);
        let (body, marks) = (frame.cell("body").unwrap(), frame.cell("vtkGhostType").unwrap());
        let mut found: Vec<f64> = (0..body.values.len())
            .filter(|&c| marks.values[c] == 32.0)
            .map(|c| body.values[c])
            .collect();
        found.dedup();
        assert_eq!(found, hidden, "frame {k}");
    }
}

/// ½ m v² of the ball that begins with v = 1 m/s, and ½ J ω² of its spin of 3 rad/s, J = 2/5 m r².
#[test]
fn a_ball_is_born_with_its_velocity_spin_and_kinetic_energy() {
    let (folder, _) = taken(BOXES_IN_SPACE, &["output.fields_every=21", "scheme.end=0.021"]);
    let frame = frame(&folder, "fields.pvd", 1);
    let of = |name: &str| frame.cell(name).unwrap().values.clone();
    let ball = of("body").iter().position(|&id| id == 0.0).unwrap();
    let (velocity, spin) = (of("center_velocity"), of("angular_velocity"));
    assert_eq!(vector(&velocity, ball)[0], 1.0);
    assert!((vector(&spin, ball)[2] - 3.0).abs() < 1e-14);
    // It falls for one step of 1e-3.
    let falling = 9.81e-3_f64;
    let energy = 0.25 * (1.0 + falling * falling) + 0.5 * 0.4 * 0.5 * 0.0625 * 9.0;
    assert!((of("kinetic_energy")[ball] / energy - 1.0).abs() < 1e-12);
}

/// Forces of a frame on the floor: the weight of what stands on it, to the solver's tolerance.
#[test]
fn contact_points_carry_the_forces_between_bodies() {
    let (folder, _) = taken(BOXES_IN_SPACE, &[]);
    let first = frame(&folder, "contacts.pvd", 0);
    assert!(first.points.is_empty(), "before the first step no contact is known");
    let frame = frame(&folder, "contacts.pvd", 2);
    let of = |name: &str| frame.point(name).unwrap().values.clone();
    let (one, other, force) = (of("body_1"), of("body_2"), of("force"));
    let (impulse, normal, mean) = (of("impulse"), of("normal"), of("force_mean"));
    let floor = (0..one.len()).filter(|&n| [one[n], other[n]] == [1.0, 4.0]);
    let sum: f64 = floor.clone().map(|n| vector(&force, n)[2]).sum();
    assert!((sum / (6.0 * 9.81) - 1.0).abs() < 1e-10, "{sum}");
    let sum: f64 = floor.clone().map(|n| vector(&mean, n)[2]).sum();
    assert!((sum / (6.0 * 9.81) - 1.0).abs() < 1e-10, "{sum}");
    assert_eq!(floor.clone().count(), 4);
    for n in floor {
        // From the second body to the first; turned by no more than rounding.
        let off = [0, 1, 2].map(|i| vector(&normal, n)[i] - [0.0, 0.0, 1.0][i]);
        assert!(off.iter().all(|x| x.abs() < 1e-15), "{off:?}");
        assert!(frame.points[n][2].abs() < 1e-12 && (frame.points[n][0].abs() - 0.5).abs() < 1e-12);
        assert_eq!((of("status")[n], of("contact_set")[n]), (1.0, 0.0));
        assert!((vector(&impulse, n)[2] / 1e-3 / vector(&force, n)[2] - 1.0).abs() < 1e-15);
    }
    let gaps = of("gap");
    assert!(gaps.iter().zip(&of("status")).all(|(gap, status)| *status == 0.0 || *gap <= 5e-12));
}

/// Stops after so many steps.
struct StopAfter(usize);

impl Observer for StopAfter {
    fn notice(&mut self, _: &str) {}
    fn progress(&mut self, _: &Progress) {}
    fn wants_to_stop(&mut self) -> bool {
        let stops = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        stops
    }
}

/// The parts end between frames, and while bodies roll, come and go.
#[test]
fn runs_of_bodies_go_on_with_the_same_bytes() {
    for (text, parts) in [(BOXES_IN_SPACE, [23, 8]), (DISKS_IN_THE_PLANE, [67, 45])] {
        let (folder, case) = (Folder::new(), case(text, &[]));
        let (whole, out) = (folder.path("whole"), folder.path("parts"));
        run(&case, &whole, &mut Silent).unwrap();
        assert!(!run(&case, &out, &mut StopAfter(parts[0])).unwrap().finished);
        assert!(!resume(&case, &out, &mut StopAfter(parts[1])).unwrap().finished);
        assert!(resume(&case, &out, &mut Silent).unwrap().finished);
        assert_same(&whole, &out, &case.title);
    }
}

#[test]
fn a_second_run_without_bodies_leaves_no_table_of_pairs() {
    let folder = Folder::new();
    run(&case(BOXES_IN_SPACE, &[]), &folder.path("out"), &mut Silent).unwrap();
    assert!(folder.path("out/pairs.csv").exists());
    let alone = "title = 'A mass'\nunits = 'm, s, kg'\n[mass.m]\nmass = 1.0\nposition = [0.0, 0.0]\n\
                 [scheme]\nstep = 0.1\nend = 0.2\n";
    run(&case(alone, &[]), &folder.path("out"), &mut Silent).unwrap();
    assert!(!folder.path("out/pairs.csv").exists() && folder.path("out/contacts.csv").exists());
}

#[test]
fn an_edited_table_of_pairs_is_seen() {
    let (folder, _) = taken(BOXES_IN_SPACE, &["output.fields_every=0"]);
    let text = folder.read("out/pairs.csv");
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap();
    assert!(last.contains("prop"));
    folder.write("out/pairs.csv", format!("{before}\n"));
    let verified = verify(&folder.path("out")).unwrap();
    let failed: Vec<_> = verified.checks.iter().filter(|check| !check.holds).collect();
    let told = |words: &str| failed.iter().any(|check| check.what.contains(words));
    assert!(told("pairs.csv has the digest") && told("4 rows for 5 pairs"), "{failed:?}");
    assert!(told("work_passed of contacts.csv and pairs.csv"), "{failed:?}");
}

/// Pictures of the forces: in the plane, and in space at a time that is asked for.
#[test]
fn the_network_of_forces_is_drawn_at_a_time() {
    for (text, most) in [(BOXES_IN_SPACE, 17), (DISKS_IN_THE_PLANE, 9)] {
        let folder = Folder::new();
        folder.write("case.toml", text);
        assert!(folder.run(&["--quiet"]).status.success());
        let output = folder.delassus(&["plot", "out", "--what", "forces", "--at", "0.021"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains("forces.svg"));
        let svg = folder.read("out/figures/forces.svg");
        assert!(svg.contains("t = 0.02 s, largest "), "{}", &svg[..600]);
        // The largest force has the widest line.
        assert!(svg.contains("stroke-width=\"7\""));
        let results = Results::read(&folder.path("out")).unwrap();
        assert!(results.summary.counts.most_contacts <= most);
        let output = folder.delassus(&["report", "out"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = folder.read("out/report.html");
        assert!(page.contains("\"pushes\":{\"") && page.contains("largest of a frame have arrows"));
        let hides = text == BOXES_IN_SPACE;
        assert_eq!(page.contains("\"hidden\":{\"at\":"), hides);
    }
    let folder = Folder::with_block();
    assert!(folder.run(&["--quiet"]).status.success());
    let output = folder.delassus(&["plot", "out", "--what", "forces"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no figure 'forces': the case has no rigid bodies"));
}
