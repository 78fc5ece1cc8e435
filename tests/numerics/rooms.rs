//! The inside of a box and of a cylinder with ends: one contact per face, so that bodies rest in corners.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed

use crate::support::systems::run_text;
use crate::support::{self, Folder, Table};

const SCHEME: &str = "[scheme]\ntheta = 0.5\nstep = 1e-3\nend = 4.0\n";

/// Where a trajectory ends, by column.
fn end(trajectory: &Table, column: &str) -> f64 {
    *trajectory.column(column).last().unwrap()
}

/// A point is found a step after it passed a face, so that it rests at most one step's way beyond: 5 m/s and
/// 1e-3 s. It touches two faces at once and moves no further.
#[test]
fn a_point_rests_in_the_corner_of_a_box() {
    let text = format!(
        "units = \"m, s, kg\"\n[mass.p]\nmass = 1.0\nposition = [0.1, 0.1]\nvelocity = [1.0, 0.0]\n\
         [load.g]\ngravity = [3.0, -9.81]\npotential = true\n\
         [contact.c]\ngroup = \"p\"\nobstacle = {{ kind = \"box\", point = [0.0, 0.0], size = [2.0, 2.0], inside = true }}\n\
         friction = 0.0\nrestitution = 0\n{SCHEME}"
    );
    let (summary, _, trajectory) = run_text(&text, &[]);
    let (x, y) = (end(&trajectory, "p.x"), end(&trajectory, "p.y"));
    assert!((0.0..5e-3).contains(&(x - 1.0)) && (0.0..5e-3).contains(&(-1.0 - y)), "{x} {y}");
    let half = trajectory.rows.len() / 2;
    let still = trajectory.column("p.x")[half..].iter().all(|at| (at - x).abs() < 1e-12);
    assert!(still && !summary.scheme.frames_turn, "a box that does not turn has constant frames");
    let weight = [2, 3].map(|face| end(&trajectory, &format!("c:{face}.p_n")));
    assert!((weight[0] - 3e-3).abs() < 1e-12 && (weight[1] - 9.81e-3).abs() < 1e-12, "{weight:?}");
    assert_eq!(end(&trajectory, "c:1.p_n"), 0.0);
}

/// A ball of radius 0.1 in space, in the corner of three faces. It passes one by a step's way at most, and is stopped
/// within a step more, in the mean at half of its speed: 1.5 × 5.3 m/s × 1e-3 s.
#[test]
fn a_ball_rests_in_the_corner_of_three_faces() {
    let text = format!(
        "units = \"m, s, kg\"\n[mass.p]\nmass = 1.0\nradius = 0.1\nposition = [0.0, 0.0, 0.0]\n\
         [load.g]\ngravity = [3.0, -5.0, -9.81]\npotential = true\n\
         [contact.c]\ngroup = \"p\"\nobstacle = {{ kind = \"box\", point = [0.0, 0.0, 0.0], size = [2.0, 1.0, 3.0], inside = true }}\n\
         friction = 0.1\nrestitution = 0\n{SCHEME}"
    );
    let (_, _, trajectory) = run_text(&text, &[]);
    for (axis, corner) in [("x", 0.9), ("y", -0.4), ("z", -1.4)] {
        let at = end(&trajectory, &format!("p.{axis}"));
        assert!((at - corner).abs() < 8e-3, "{axis}: {at} {corner}");
    }
    assert!(trajectory.columns.iter().any(|column| column == "c:6.gap"));
}

/// A box turned by 45° and driven upwards: a disk rests in its lowest corner, √2 r above it. Faces carry
/// the same load.
#[test]
fn a_disk_rests_in_the_lowest_corner_of_a_turned_box_that_moves() {
    let text = format!(
        "units = \"m, s, kg\"\n[body.disk]\nshape = \"disk\"\nmass = 1.0\nradius = 0.2\nposition = [0.1, 0.0]\n\
         [load.g]\ngravity = [0.0, -9.81]\n\
         [contact.c]\ngroup = \"disk\"\nfriction = 0.0\nrestitution = 0\n\
         [contact.c.obstacle]\nkind = \"box\"\npoint = [0.0, 0.0]\nsize = [2.0, 2.0]\ninside = true\nvelocity = [0.0, 0.5]\n\
         rotation = {{ angle = 0.7853981633974483 }}\n{SCHEME}"
    );
    let (_, _, trajectory) =
        run_text(&text, &["scheme.theta=1.0", "scheme.allow_energy_creation=true"]);
    let root = 2f64.sqrt();
    let corner = 0.5 * 4.0 - root;
    let (x, y) = (end(&trajectory, "disk.x"), end(&trajectory, "disk.y"));
    assert!(x.abs() < 1e-2 && (y - corner - 0.2 * root).abs() < 1e-2, "{x} {y}");
    let loads: Vec<f64> = (1..=4).map(|k| end(&trajectory, &format!("c:{k}.p_n"))).collect();
    let share = 9.81e-3 / root;
    let near = loads.iter().filter(|p| (**p - share).abs() < 1e-9).count();
    assert_eq!(near, 2, "{loads:?}");
}

/// A rigid box thrown into a corner keeps all of its own corners inside.
#[test]
fn a_body_with_corners_stays_inside() {
    let text = format!(
        "units = \"m, s, kg\"\n[body.crate]\nshape = \"box\"\nsize = [0.4, 0.3]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [2.0, 1.0]\nspin = 3.0\n[load.g]\ngravity = [4.0, -9.81]\n\
         [contact.c]\ngroup = \"crate\"\nobstacle = {{ kind = \"box\", point = [0.0, 0.0], size = [2.0, 2.0], inside = true }}\n\
         friction = 0.2\nrestitution = 0\n{SCHEME}"
    );
    let (_, _, trajectory) = run_text(&text, &[]);
    let gaps = trajectory.columns.iter().filter(|column| column.ends_with(".gap"));
    let gaps: Vec<&String> = gaps.collect();
    assert_eq!(gaps.len(), 16, "four corners at four faces");
    let deepest = gaps.iter().flat_map(|gap| trajectory.column(gap)).fold(0.0, f64::min);
    println!("deepest {deepest:e}");
    assert!(deepest > -2e-2, "{deepest}");
}

/// A barrel with ends: the ball rests at its rim, at the side and on the lower end.
#[test]
fn a_ball_rests_at_the_rim_of_a_barrel() {
    let text = format!(
        "units = \"m, s, kg\"\n[mass.p]\nmass = 1.0\nradius = 0.1\nposition = [0.0, 0.1, 0.0]\n\
         [load.g]\ngravity = [5.0, 0.0, -9.81]\n\
         [contact.c]\ngroup = \"p\"\nobstacle = {{ kind = \"cylinder\", point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], radius = 0.8, length = 2.0, inside = true }}\n\
         friction = 0.4\nrestitution = 0\n{SCHEME}"
    );
    let (_, _, trajectory) = run_text(&text, &["scheme.end=8.0"]);
    let [x, y, z] = ["x", "y", "z"].map(|axis| end(&trajectory, &format!("p.{axis}")));
    let r = x.hypot(y);
    assert!((r - 0.7).abs() < 6e-3 && (z + 0.9).abs() < 6e-3, "{x} {y} {z}");
}

/// Every node of a mesh may touch every face; the ones that are driven along a normal are left out of it.
#[test]
fn nodes_of_a_mesh_have_a_row_for_each_face() {
    let folder = Folder::with_block();
    let text = folder.read("case.toml");
    let floor = "{ kind = \"half-plane\", point = [0.0, 0.0], normal = [0.0, 1.0] }";
    assert!(text.contains(floor));
    let room = "{ kind = \"box\", point = [0.0, 50.0], size = [200.0, 100.0], inside = true }";
    folder.write("case.toml", text.replace(floor, room));
    let output = folder.run(&["--quiet"]);
    assert!(output.status.success(), "{}", support::stderr(&output));
    let out = folder.path("out");
    let results = if out.is_dir() { "out" } else { "results/case" };
    let contacts = folder.read(&format!("{results}/contacts.csv"));
    let header = contacts.lines().next().unwrap();
    let at = header.split(',').position(|column| column == "face").unwrap();
    let faces: Vec<&str> =
        contacts.lines().skip(1).map(|row| row.split(',').nth(at).unwrap()).collect();
    assert_eq!(faces[..4], ["1", "2", "3", "4"]);
    assert_eq!(faces.len() % 4, 0);
    let pushed = contacts.lines().skip(1).filter(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        cells[6].parse::<f64>().unwrap() > 0.0 && cells[at] == "3"
    });
    assert!(pushed.count() > 10, "the floor is the third face");
    let verified = folder.delassus(&["verify", results]);
    assert!(verified.status.success(), "{}", support::stderr(&verified));
    let report = folder.delassus(&["report", results]);
    assert!(report.status.success(), "{}", support::stderr(&report));
}
