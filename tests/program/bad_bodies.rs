//! Rigid bodies that cannot be are refused with exit code 2 and a message that names the file, the place, the value and the
//! remedy; those that overlap where they begin as well, unless the case says that they may.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use crate::bad_input::{fault, report};
use crate::support::{Folder, stderr};

const SCHEME: &str = "[scheme]\nstep = 1e-3\nend = 2e-3\n[output]\nfields_every = 0\n";
const JOINTS: &str =
    "[contact.joints]\nbetween = ['bodies', 'bodies']\nfriction = 0.5\nrestitution = 0.0\n";
const TILE: &str =
    "[body.tile]\nshape = 'box'\nsize = [1.0, 2.0]\nmass = 1.0\nposition = [0.0, 0.0]\n";
const BLOCK: &str =
    "[body.block]\nshape = 'box'\nsize = [1.0, 1.0, 1.0]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\n";

fn case(tables: &str) -> String {
    format!("units = 'm, s, kg'\n{tables}\n{JOINTS}{SCHEME}")
}

/// A body of the plane or of space with these keys besides its mass and place.
fn body(name: &str, keys: &str, position: &str) -> String {
    format!("[body.{name}]\nmass = 1.0\nposition = {position}\n{keys}\n")
}

/// A tile whose place is given by a pattern or table.
fn tiles(keys: &str) -> String {
    format!("{TILE}{keys}\n")
}

fn refused(tables: &[(String, &str)]) {
    let mut faults = Vec::new();
    for (tables, says) in tables {
        let folder = Folder::new();
        folder.write("case.toml", case(tables));
        let found = fault(&folder, &folder.names(), &folder.run(&[]), says);
        faults.extend(found.map(|fault| format!("{tables}{fault}")));
    }
    report(&faults);
}

#[test]
fn shapes_that_enclose_nothing_or_are_not_convex_are_refused() {
    let flat = "shape = 'polyhedron'\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]";
    let dent = "shape = 'polygon'\nvertices = [[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2]]";
    let knot = "shape = 'polygon'\nvertices = [[0, 0], [1, 1], [1, 0], [0, 1]]";
    let point = "shape = 'polyhedron'\nvertices = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]";
    let few = "shape = 'polyhedron'\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]";
    let tiny = "shape = 'box'\nsize = [1e-200, 1e-200]";
    refused(&[
        (
            body("slab", flat, "[0, 0, 0]"),
            "case.toml:6: body.slab.vertices: all 4 vertices lie in one plane",
        ),
        (body("dent", dent, "[0, 0]"), "body.dent.vertices: vertex 3 of the polygon"),
        (body("dent", dent, "[0, 0]"), "points inwards; cut it into convex polygons"),
        (
            body("knot", knot, "[0, 0]"),
            "body.knot.vertices: these corners enclose no area, or edges cross",
        ),
        (body("point", point, "[0, 0, 0]"), "body.point.vertices: all 4 vertices lie in one plane"),
        (
            body("few", few, "[0, 0, 0]"),
            "body.few.vertices: 3 corners enclose no volume; give at least four",
        ),
        (body("tiny", tiny, "[0, 0]"), "body.tiny.inertia: 0.0 is not a finite number > 0"),
        (
            body("none", "shape = 'box'\nsize = [0, 1]", "[0, 0]"),
            "case.toml:6: body.none.size: 0.0 is not",
        ),
        (
            body("nan", "shape = 'disk'\nradius = nan", "[0, 0]"),
            "body.nan.radius: NaN is not a finite number > 0",
        ),
    ]);
}

#[test]
fn places_and_motions_that_cannot_be_are_refused() {
    let still = "fixed = true\n";
    refused(&[
        (
            format!("{BLOCK}rotation = [1, 1, 0, 0]"),
            "body.block.rotation: [1.0, 1.0, 0.0, 0.0] has the norm 1.41421356",
        ),
        (
            format!("{BLOCK}rotation = [nan, 0, 0, 0]"),
            "body.block.rotation: [NaN, 0.0, 0.0, 0.0] has the norm NaN",
        ),
        (
            format!("{BLOCK}turn = {{ axis = [0, 0, 0], angle = 1 }}"),
            "body.block.turn.axis: [0.0, 0.0, 0.0] points nowhere",
        ),
        (
            format!("{TILE}{still}velocity = [1.0, 0.0]"),
            "body.tile.velocity: a fixed body has none; leave it out",
        ),
        (
            format!("{TILE}{still}drive = {{ spin = 1 }}"),
            "body.tile.drive: a fixed body does not move",
        ),
        (
            format!("{TILE}{still}"),
            "body.tile: every body is fixed or driven, so that nothing is left to move; let one be free",
        ),
        (
            format!("{TILE}born = 2\nremoved = 1"),
            "body.tile.removed: 1.0 is not later than 2.0, when it enters",
        ),
        (
            format!(
                "{TILE}[body.ball]\nshape = 'sphere'\nradius = 1\nmass = 1\nposition = [3, 3, 3]\n"
            ),
            "body.tile: is written for the plane, but the system of masses and bodies lies in space; give its position as [x, y, z]",
        ),
        (
            TILE.replace("[0.0, 0.0]", "[inf, 0.0]"),
            "case.toml:6: body.tile.position: inf is not a finite number",
        ),
    ]);
}

#[test]
fn names_and_patterns_that_cannot_be_are_refused() {
    let twin = "repeat = { count = [2, 1], spacing = [2, 0] }\n[body.\"tile:1\"]\nshape = 'disk'\nradius = 1\nmass = 1\nposition = [9, 9]";
    let arch =
        |keys: &str| format!("[body.arch]\ndensity = 1.0\nposition = [0, 0]\narch = {{ {keys} }}");
    refused(&[
        (
            tiles("repeat = { count = [0, 1], spacing = [2, 0] }"),
            "body.tile.repeat.count: 0 is not at least 1",
        ),
        (
            tiles("repeat = { count = [1001, 1000], spacing = [2, 2] }"),
            "body.tile.repeat.count: makes more than 1000000 bodies",
        ),
        (
            tiles("repeat = { count = [2, 1], spacing = [nan, 2] }"),
            "body.tile.repeat.spacing: NaN is not a finite number",
        ),
        (
            tiles("layers = { count = 0, bricks = 1, pitch = 1, height = 2 }"),
            "body.tile.layers.count: 0 is not at least 1",
        ),
        (arch("bricks = 1, inner = 1, outer = 2"), "body.arch.arch.bricks: 1 is too few"),
        (
            arch("bricks = 4000000000, inner = 1, outer = 2"),
            "body.arch.arch.bricks: makes more than 1000000 bodies",
        ),
        (tiles(twin), "body.tile:1: another of them has the same name; rename one of them"),
        (format!("{TILE}{TILE}"), "case.toml:7: duplicate key"),
        (
            tiles("[contact.two]\nbetween = ['tile', 'tlie']\nfriction = 0\nrestitution = 0"),
            "contact.two.between: 'tlie' is no mass, body",
        ),
        (
            tiles("[contact.two]\nbetween = ['tile', 'tile']\nfriction = 0\nrestitution = 0"),
            "contact.two.between: connects 'tile' with itself",
        ),
    ]);
}

/// A table of poses, and what is wrong with it.
#[test]
fn tables_of_poses_that_cannot_be_read_are_refused() {
    let tables = [
        ("x,z\n1,2\n", "the header has no column 'y'; it has: x, z"),
        ("x,y\n0,0\n1,nan\n", "line 3, column 'y': 'nan' is not a finite number"),
        ("x,y\n0\n", "line 2 has 1 cells and none for the column 'y'"),
        (
            "x,y\n0,5,0\n",
            "line 2 has 3 cells and the header 2 columns: '0' is in none; decimals have points",
        ),
        ("x,y,x\n0,0,0\n", "the header has the column 'x' twice; keep one of them"),
        ("x,y\n", "has no row; give one for each body"),
        ("", "is empty; give a header and a row for each body"),
    ];
    let mut faults = Vec::new();
    for (table, says) in tables {
        let folder = Folder::new();
        folder.write("tiles.csv", table);
        let tiles = TILE.replace("position = [0.0, 0.0]", "poses = { file = 'tiles.csv' }");
        folder.write("case.toml", case(&tiles));
        let says = format!("case.toml:6: body.tile.poses.file: tiles.csv: {says}");
        faults.extend(fault(&folder, &folder.names(), &folder.run(&[]), &says));
    }
    report(&faults);
}

#[test]
fn bodies_that_begin_deep_in_each_other_are_refused() {
    let tight = |spacing: &str| {
        tiles(&format!("repeat = {{ count = [4, 1], spacing = [{spacing}, 0.0] }}"))
    };
    let block = BLOCK.replace("block", "other").replace("[0.0, 0.0, 0.0]", "[0.0, 0.0, 0.75]");
    let disk = |x: f64| body("disk", "shape = 'disk'\nradius = 1.0", &format!("[{x:?}, 0.0]"));
    refused(&[
        (
            tight("0.9"),
            "case.toml:2: body.tile: 'tile:1' and 'tile:2' begin 1.000e-1 deep in each other, one of 3 such pairs: nothing undoes that; move or shrink one of them, or set scheme.allow_overlaps = true to keep them so",
        ),
        (
            tight("0.0"),
            "'tile:1' and 'tile:2' begin 1.000e0 deep in each other, one of 6 such pairs: nothing",
        ),
        (
            format!("{BLOCK}{block}"),
            "body.other: 'block' and 'other' begin 2.500e-1 deep in each other: nothing undoes that",
        ),
        (
            format!("{TILE}{}", disk(1.25)),
            "'disk' and 'tile' begin 2.500e-1 deep in each other: nothing undoes that",
        ),
    ]);
}

/// What is allowed, and what is no deeper than the digits of poses, is told.
#[test]
fn bodies_that_begin_a_little_in_each_other_or_may_do_so_are_told() {
    let run = |spacing: &str, set: &[&str]| {
        let folder = Folder::new();
        folder.write(
            "case.toml",
            case(&tiles(&format!("repeat = {{ count = [2, 1], spacing = [{spacing}, 0.0] }}"))),
        );
        let output = folder.run(set);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    let deep = run("0.9", &["--set", "scheme.allow_overlaps=true"]);
    assert!(
        deep.contains("'tile:1' and 'tile:2' begin 1.000e-1 deep in each other: they stay so"),
        "{deep}"
    );
    let shallow = run("0.9999", &[]);
    assert!(shallow.contains("begin 1.000e-4 deep in each other: they stay so"), "{shallow}");
    for apart in ["1.0", "1.000000000000001", "1.1"] {
        let said = run(apart, &[]);
        assert!(!said.contains("deep in each other"), "{said}");
    }
}
