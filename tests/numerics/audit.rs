//! Cases that mislead: each is a legitimate case file on which a verdict could be fooled, or on which a run says things
//! that its model does not hold for.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::case::Case;
use delassus::energy::{Term, Verdict};
use delassus::output::Summary;
use delassus::simulation;
use delassus::verify::verify;

use crate::support::{self, Folder, Silent, Table, repository};

/// A run of an audited case with more at its end, and whether its files verify.
struct Audited {
    summary: Summary,
    verified: bool,
    history: Table,
    trajectory: Option<Table>,
}

fn audit(name: &str, more: &str, overrides: &[&str]) -> Audited {
    let path = repository(&format!("tests/data/audit/{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap() + "\n" + more;
    let quiet = ["output.fields_every=0".to_string()];
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).chain(quiet).collect();
    let case = Case::from_text(&path, text, &overrides).unwrap_or_else(|e| panic!("{name}: {e}"));
    let folder = Folder::new();
    let summary = simulation::run(&case, &folder.path("out"), &mut Silent);
    let summary = summary.unwrap_or_else(|error| panic!("{name}: {error}"));
    let trajectory = folder.path("out/trajectory.csv");
    Audited {
        verified: verify(&folder.path("out")).unwrap().holds(),
        history: Table::read(&folder.path("out/history.csv")),
        trajectory: trajectory.exists().then(|| Table::read(&trajectory)),
        summary,
    }
}

impl Audited {
    fn end_of(&self, column: &str) -> f64 {
        *self.trajectory.as_ref().unwrap().column(column).last().unwrap()
    }

    #[track_caller]
    fn tells(&self, words: &[&str]) {
        let told = self.summary.notices.join("\n");
        words.iter().for_each(|word| assert!(told.contains(word), "'{word}' is not in\n{told}"));
    }
}

/// A mass far away and faster than anything else: 5·10¹¹ J.
const BYSTANDER: &str = "[mass.far]\nmass = 1.0\nposition = [0.0, 1000.0]\nvelocity = [1e6, 0.0]\n";

#[test]
fn a_load_on_what_is_held_neither_moves_nor_hides_anything() {
    let with = audit("g01_press_on_held_top", "", &["scheme.step=1e-3"]);
    let (without, history) =
        support::run("sliding_block", &["scheme.step=1e-3", "output.fields_every=0"]);
    assert_eq!(with.summary.energies, without.energies);
    for column in ["total", "work_normal", "work_created", "max_work_share"] {
        assert_eq!(with.history.column(column), history.column(column), "{column}");
    }
    assert_eq!(with.summary.certificate, without.certificate);
    with.tells(&["load 'press' does nothing"]);
}

#[test]
fn what_comes_later_changes_nothing_before() {
    let ends = ["0.02", "0.03"].map(|end| audit("n01_bolt", "", &[&format!("scheme.end={end}")]));
    let rows = ends[0].history.column("work_external");
    let longer = ends[1].history.column("work_external");
    assert_eq!(rows[..], longer[..rows.len()]);
    assert!(rows.len() == 10_001);
}

/// The rebound of a bar of hexahedra for e = 0.5 converges to what Schatzman–Paoli gives, 0.932.
#[test]
fn the_rebound_of_a_bar_converges_for_a_restitution_between_0_and_1() {
    for step in ["1e-3", "4e-4", "1e-4", "4e-5"] {
        let overrides = ["contact.floor.restitution=0.5", &format!("scheme.step={step}")];
        let end = ["scheme.end=0.4"];
        let rebound = audit("p3_bar", "", &[&overrides[..], &end].concat()).end_of("all.vz");
        assert!((rebound - 0.932).abs() < 2.5e-3, "h = {step}: {rebound}");
    }
}

#[test]
fn a_scheme_that_creates_energy_is_found_beside_any_other_body() {
    for (theta, more) in [("0.4", ""), ("0.49", BYSTANDER), ("0.4999", BYSTANDER)] {
        let overrides = [&*format!("scheme.theta={theta}"), "scheme.end=0.2"];
        // The bystander has no weight here: it would only fall.
        let mut overrides = overrides.to_vec();
        if !more.is_empty() {
            overrides.push("load.g.gravity=[0.0, 0.0]");
        }
        let found = audit("l01_theta04", more, &overrides);
        let certificate = &found.summary.certificate;
        assert_eq!(certificate.verdict, Verdict::Violated, "{theta}");
        assert!(certificate.reason().contains("the scheme itself created"), "{theta}");
        let named =
            certificate.bodies.len() == 1 || certificate.reason().contains("the body 'body'");
        assert!(named, "{}", certificate.reason());
        assert!(!found.verified, "{theta}");
    }
}

#[test]
fn a_contact_that_creates_energy_is_found_beside_any_other_body() {
    let found = audit("f04_rock_newton_bystander", "", &[]);
    let certificate = &found.summary.certificate;
    assert_eq!(certificate.verdict, Verdict::Violated);
    assert!(
        (certificate.largest[Term::Tangential].max(certificate.largest[Term::Normal]) - 0.0819)
            .abs()
            < 1e-4
    );
    assert!(!found.verified);
    assert_eq!(certificate.bodies.len(), 2);
    let scales = ["body 'block'", "mass 'far'"]
        .map(|name| certificate.bodies.iter().find(|own| own.body == name).unwrap().energy_scale);
    assert!(scales[0] < 10.0 && scales[1] > 1e11, "{scales:?}");
}

/// The same run, with and without a fast mass far away, has the same account of its block.
#[test]
fn no_account_of_a_body_depends_on_another() {
    let with = audit("f04_rock_newton_bystander", "", &["scheme.law=fremond"]);
    let path = repository("tests/data/audit/f04_rock_newton_bystander.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let alone = text.split("[mass.far]").next().unwrap();
    let (summary, ..) = support::systems::run_text(alone, &["scheme.law=fremond"]);
    let block = |summary: &Summary| {
        summary.certificate.bodies.iter().find(|own| own.body == "body 'block'").unwrap().clone()
    };
    assert_eq!(block(&with.summary), block(&summary));
    let works = |summary: &Summary| {
        (summary.certificate.contacts.clone(), summary.certificate.max_work_share)
    };
    assert_eq!(works(&with.summary), works(&summary));
    assert_eq!(with.summary.certificate.verdict, Verdict::Dissipative);
}

#[test]
fn rotations_beyond_linear_elasticity_are_told() {
    let wheel = audit("r01_wheel", "", &[]);
    let turned = &wheel.summary.departures.bodies[0];
    assert!((0.3..0.6).contains(&turned.rotation), "{turned:?}");
    wheel.tells(&["the body 'body'", "turned by 0.41 rad", "linear elasticity", "[body.NAME]"]);
    let spin = audit("c07_spin", "", &[]);
    let turned = &spin.summary.departures.bodies[0];
    let angle: f64 = "6.28".parse().unwrap(); // the spin of the case, over 1 s
    assert!((turned.rotation - angle).abs() < 1e-9 && turned.strain < 1e-12, "{turned:?}");
    assert_eq!(turned.rotation_time, 1.0);
    spin.tells(&["turned by 6.28 rad (t = 1.0000e0)"]);
    let rows = spin.history.column("max_rotation");
    assert!((rows[500] - 0.5 * angle).abs() < 1e-9 && rows[0] == 0.0, "{}", rows[500]);
}

#[test]
fn bodies_that_sink_into_a_bowl_are_told_and_can_be_held_up() {
    let sinks = audit("k02_bowl", "", &["scheme.step=1e-3"]);
    let deepest = sinks.summary.departures.penetration.clone().unwrap();
    assert!((0.02..0.03).contains(&deepest.depth), "{deepest:?}");
    assert_eq!((&*deepest.contact, &*deepest.point), ("c", "mass 'p'"));
    sinks.tells(&["mass 'p' was 2.", "gaps drift", "scheme.position_correction = true"]);
    let [x, y] = ["p.x", "p.y"].map(|column| sinks.end_of(column));
    assert!((x.hypot(y) - 1.0 - deepest.depth).abs() < 1e-3);

    let held = audit("k02_bowl", "", &["scheme.end=5.0", "scheme.position_correction=true"]);
    let deepest = held.summary.departures.penetration.clone().map_or(0.0, |found| found.depth);
    assert!(deepest < 1e-9, "{deepest:e}");
    assert!(held.summary.notices.is_empty(), "{:?}", held.summary.notices);
    assert!(held.verified);
    assert_eq!(held.summary.certificate.verdict, Verdict::NotCovered);
    // Lifting it out of the bowl's wall is work, and stands in the ledger.
    let lifted = held.summary.energies[Term::Numerical];
    assert!((1e-3..0.1).contains(&lifted), "{lifted}");

    let body = audit("k07_fe_bowl", "", &["scheme.end=10.0"]);
    body.tells(&["deep in the obstacle of contact 'floor'", "gaps drift"]);
    let held = audit("k07_fe_bowl", "", &["scheme.end=10.0", "scheme.position_correction=true"]);
    let [sunk, kept] =
        [&body, &held].map(|run| *run.history.column("max_penetration").last().unwrap());
    assert!(sunk > 3e-3 && kept < 7e-4, "{sunk:e} {kept:e}");
    // As deep as when it was found, where it fell on the bowl.
    let deepest = held.summary.departures.penetration.clone().unwrap();
    assert!(deepest.depth < 7.5e-4 && deepest.time < 0.2, "{deepest:?}");
}

#[test]
fn a_mass_in_the_corner_of_a_room_rests_at_the_corner() {
    let rests = audit("o02_corner", "", &["scheme.end=20.0"]);
    let place = ["p.x", "p.y"].map(|column| rests.end_of(column));
    // Found a step late at 5 m/s and 3 m/s.
    assert!((place[0] - 1.0).abs() < 5e-3 && (place[1] + 1.0).abs() < 5e-3, "{place:?}");
    let velocity = ["p.vx", "p.vy"].map(|column| rests.end_of(column));
    assert!(velocity.iter().all(|v| v.abs() < 1e-9), "{velocity:?}");
    assert!(rests.summary.notices.is_empty(), "{:?}", rests.summary.notices);
}

#[test]
fn what_passes_through_a_thin_plate_is_told_at_its_step() {
    for (name, step) in [("b01_thinbox", 2), ("b02_box_past_middle", 4)] {
        let passes = audit(name, "", &[]);
        let crossing = passes.summary.departures.crossings.first().unwrap();
        assert_eq!(
            (crossing.step, crossing.count, &*crossing.contact),
            (step, 16, "floor"),
            "{name}"
        );
        passes.tells(&[&format!("step {step}: node"), "has passed through its obstacle"]);
    }
    // Steps that are short enough stop at the plate.
    let stops = audit("b01_thinbox", "", &["scheme.step=0.002"]);
    assert!(stops.summary.departures.crossings.is_empty());
    let notices = &stops.summary.notices;
    assert!(!notices.iter().any(|n| n.contains("passed through")), "{notices:?}");
}
