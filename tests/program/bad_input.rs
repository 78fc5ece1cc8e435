//! Bad input is refused with exit code 2 and a message that names the file, the place, the value and
//! the remedy; a computation that fails ends with 1 and leaves readable files. Nothing ever panics.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed
#![allow(clippy::print_stderr)] // what is left out is told

use std::io::Read;
use std::process::{Command, Output, Stdio};

use crate::support::{Folder, block_case, repository, stderr, stdout};

/// Why an output is not that of a refusal that says `expected`; none where it is.
pub fn fault(
    folder: &Folder,
    before: &[String],
    output: &Output,
    expected: &str,
) -> Option<String> {
    let said = stderr(output);
    if output.status.code() != Some(2) {
        Some(format!("exit {:?}, not 2: {said}", output.status.code()))
    } else if !output.stdout.is_empty() {
        Some(format!("standard output is not empty: {}", stdout(output)))
    } else if said.contains("panicked") || !said.contains(expected) {
        Some(format!("says '{}', not '{expected}'", said.trim_end()))
    } else if folder.names() != before {
        Some(format!("leaves {:?}", folder.names()))
    } else {
        None
    }
}

/// Why an output does not end with a line of the text and carets below something in it; none where it does.
fn unmarked(text: &str, line: usize, output: &Output) -> Option<String> {
    let said = stderr(output);
    let shown = format!("{line} | {}", text.lines().nth(line - 1).unwrap_or_default());
    let mut last = said.lines().rev();
    let (carets, above) = (last.next().unwrap_or_default(), last.next().unwrap_or_default());
    let marked = carets.trim_start().strip_prefix("| ").map(str::trim);
    let is_marked = marked.is_some_and(|carets| {
        !carets.is_empty() && carets.chars().all(|c| c == '^') && above.len() > carets.len()
    });
    // A long line is cut.
    let is_shown = above == shown || shown.len() > 96;
    (!is_marked || !is_shown).then(|| format!("does not underline '{shown}': {said}"))
}

pub fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

const SHAKE: &str = "time = { function = \"square\", period = 0.5 }";
const SHAKE_AT: &str = "time =";
const HOLD: &str = "group = \"contact\"\ncomponent = \"all\"";
const TOP: &str = "component = \"y\"\nvelocity = 0.0";
const PUSH: &str = "group = \"left\"\ntraction = [2.0, 0.0]";
const SECOND_MATERIAL: &str = "[material.second]\nyoung = 1.0\npoisson = 0.1\ndensity = 1.0\nplane = \"stress\"\n\n[load.weight]";

/// What stands in the case, what is written instead, the line the message points to, what it says.
#[rustfmt::skip]
const EDITS: &[(&str, &str, &str, &str)] = &[
    // Names.
    ("theta = 0.5", "tehta = 0.5", "tehta", "unknown key 'tehta'; did you mean 'theta'?"),
    ("theta = 0.5", "colour = 0.5", "colour", "unknown key 'colour'; known here: kind, law, theta"),
    ("point = [0.0, 0.0]", "pont = [0.0, 0.0]", "obstacle", "unknown key 'pont'; did you mean 'point'?"),
    ("[output]", "[outptu]", "[outptu]", "unknown key 'outptu'; did you mean 'output'?"),
    ("[output]", "[banana]", "[banana]", "unknown key 'banana'; known here: title, units, mesh"),
    ("law = \"fremond\"", "law = \"frémond\"", "law", "scheme.law: \"frémond\" is not one of \"fremond\", \"newton\", \"moreau\"; did you mean \"fremond\"?"),
    (TOP, "component = \"w\"\nvelocity = 0.0", "component = \"w\"", "boundary.top.component: \"w\" is not one of \"x\", \"y\", \"z\", \"all\""),
    (TOP, "component = \"z\"\nvelocity = 0.0", "component = \"z\"", "boundary.top.component: there is no \"z\" in block.msh, which lies in the plane; give \"x\", \"y\" or \"all\""),
    // Types and what is missing.
    ("theta = 0.5", "theta = \"half\"", "theta", "scheme.theta: string \"half\" does not fit; give 0 < number <= 1"),
    ("fields_every = 0", "fields_every = 1.5", "fields_every", "output.fields_every: floating point 1.5 does not fit; give whole number"),
    ("fields_every = 0", "fields_every = -1", "fields_every", "output.fields_every: integer -1 does not fit; give whole number"),
    ("gravity = [0.0, -1e-3]", "gravity = [0.0]", "gravity", "load.weight.gravity: is written for a line, but block.msh lies in the plane; give [x, y]"),
    ("gravity = [0.0, -1e-3]", "gravity = [0.0, -1e-3, 0.0]", "gravity", "load.weight.gravity: is written for space, but block.msh lies in the plane; give [x, y]"),
    ("normal = [0.0, 1.0]", "normal = [0.0, 1.0, 0.0]", "obstacle", "contact.floor.obstacle.normal: is written for space, but block.msh lies in the plane; give [x, y]"),
    ("step = 1e-4\n", "", "[scheme]", "missing key 'scheme.step'; add it: number > 0, step size h"),
    ("young = 5750.0\n", "", "[material.pmma]", "missing key 'material.pmma.young'; add it: number > 0"),
    ("[mesh]\nfile = \"block.msh\"", "mesh = \"block.msh\"", "mesh", "mesh: string \"block.msh\" does not fit; give a table, see `delassus keys`"),
    ("theta = 0.5", "theta == 0.5", "theta ==", "a case file is TOML, see `delassus keys`"),
    ("theta = 0.5", "theta = 0.5\ntheta = 0.6", "theta = 0.6", "duplicate key"),
    // Groups.
    ("group = \"contact\"\nobs", "group = \"contcat\"\nobs", "group = \"contcat\"", "contact.floor.group: no physical group 'contcat' in block.msh; the mesh has: block, contact, left, top; did you mean 'contact'?"),
    (PUSH, "group = \"block\"\npressure = 2.0", "group = \"block\"\npressure", "load.shake.group: group 'block' has dimension 2; a traction or pressure needs a curve; name another group"),
    ("group = \"block\"", "group = \"left\"", "group = \"left\"\nyoung", "material.pmma.group: group 'left' is of lines: give the area of the bars, or name another group"),
    ("[load.weight]", SECOND_MATERIAL, "[material.second]", "material.second.group: element 106 belongs to material 'pmma' already; give each element one"),
    // Ranges.
    ("density = 1.17e-3", "density = -1.17e-3", "density", "material.pmma.density: -0.00117 is not a finite number > 0"),
    ("young = 5750.0", "young = nan", "young", "material.pmma.young: NaN is not a finite number > 0"),
    ("poisson = 0.358", "poisson = 0.5", "poisson", "material.pmma.poisson: 0.5 is not between -1 and 0.5"),
    ("gravity = [0.0, -1e-3]", "gravity = [0.0, -inf]", "gravity", "load.weight.gravity: -inf is not a finite number"),
    ("displacement = -0.005", "displacement = nan", "displacement = nan", "initial.preload.push.displacement: NaN is not a finite number"),
    ("theta = 0.5", "theta = 0.4", "theta", "scheme.theta: 0.4 < 1/2 creates energy in every step; choose theta in [1/2, 1/(1 + e)] or set scheme.allow_energy_creation = true"),
    ("theta = 0.5", "theta = 1.5", "theta", "scheme.theta: 1.5 is not between 0 and 1"),
    ("end = 1e-3", "end = 1.05e-3", "end", "scheme.end: 0.00105 is not a whole number of steps of 0.0001; the nearest is 0.001"),
    ("end = 1e-3", "end = 1e-9", "end", "scheme.end: 1e-9 is not a whole number of steps of 0.0001; the nearest is 0.0001"),
    ("step = 1e-4", "step = 1e-300", "end", "scheme.end: 0.001 takes 1e297 steps of 1e-300; choose a larger step"),
    ("step = 1e-4", "step = 0", "step", "scheme.step: 0.0 is not a finite number > 0"),
    ("step = 1e-4", "step = -1e-4", "step", "scheme.step: -0.0001 is not a finite number > 0"),
    ("friction = 0.5", "friction = -0.5", "friction", "contact.floor.friction: -0.5 is not a finite number >= 0"),
    ("restitution = 0.0", "restitution = 1.5", "restitution", "contact.floor.restitution: 1.5 is not between 0 and 1"),
    ("restitution = 0.0", "restitution = -0.1", "restitution", "contact.floor.restitution: -0.1 is not between 0 and 1"),
    ("normal = [0.0, 1.0]", "normal = [0.0, 0.0]", "obstacle", "contact.floor.obstacle.normal: [0.0, 0.0] points nowhere; give a direction of any length"),
    // Time functions.
    (SHAKE, "time = { function = \"squar\", period = 0.5 }", SHAKE_AT, "load.shake.time.function: \"squar\" is not one of"),
    (SHAKE, "time = { function = \"square\", perod = 0.5 }", SHAKE_AT, "unknown key 'perod'; did you mean 'period'?"),
    (SHAKE, "time = { function = \"square\", period = 0.0 }", SHAKE_AT, "load.shake.time.period: 0.0 is not a finite number > 0"),
    (SHAKE, "time = { function = \"square\", start = 0.1 }", SHAKE_AT, "load.shake.time.start: function = \"square\" has no start; it takes period"),
    (SHAKE, "time = { function = \"ramp\", start = 0.2, end = 0.1 }", SHAKE_AT, "load.shake.time.end: 0.1 is not later than the start 0.2"),
    (SHAKE, "time = { function = \"table\", times = [0.0, nan], values = [0.0, 1.0] }", SHAKE_AT, "load.shake.time.times: NaN is not a finite number (entry 2)"),
    (SHAKE, "time = { function = \"table\", times = [1.0, 0.5], values = [0.0, 1.0] }", SHAKE_AT, "load.shake.time.times: 1.0 comes before 0.5; times must ascend"),
    (SHAKE, "time = { function = \"table\", times = [0.0, 0.5], values = [0.0] }", SHAKE_AT, "load.shake.time.values: 2 times for 1 values; give one each"),
    (SHAKE, "time = { function = \"table\", values = [0.0] }", SHAKE_AT, "load.shake.time: this function needs times; add it"),
    // What does not go together.
    ("restitution = 0.0", "restitution = 0.0\ntangential_restitution = 0.5", "tangential_restitution", "contact.floor.tangential_restitution: only law = \"moreau\" has a coefficient of its own; leave it out"),
    ("law = \"fremond\"", "law = \"moreau\"", "[contact.floor]", "contact.floor: law = \"moreau\" needs a tangential_restitution for every contact"),
    ("traction = [2.0, 0.0]", "traction = [2.0, 0.0]\npressure = 1.0", "[load.shake]", "load.shake: give exactly one of gravity, traction, pressure, force"),
    ("traction = [2.0, 0.0]", "", "[load.shake]", "load.shake: give exactly one of gravity, traction, pressure, force"),
    (PUSH, "traction = [2.0, 0.0]", "[load.shake]", "load.shake: there is no group to act on; add group = \"NAME\""),
    ("gravity =", "group = \"block\"\ngravity =", "group = \"block\"\ngravity", "load.weight.group: gravity acts on the whole body; leave the group out"),
    (TOP, "component = \"y\"\ndisplacement = 0.0\nvelocity = 0.0", "[boundary.top]", "boundary.top: give either a displacement or a velocity"),
    (TOP, "component = \"y\"", "[boundary.top]", "boundary.top: give either a displacement or a velocity"),
    (TOP, "component = \"y\"\ndisplacement = 1.0", "displacement = 1.0", "boundary.top.displacement: prescribes 1 at t = 0, but node 3 starts at -0.005; make [initial] agree, or prescribe a velocity"),
    (TOP, "component = \"y\"\ndisplacement = 1.0\ntime = { function = \"step\", start = 0.1 }", "time = { function = \"step\"", "boundary.top.time.function: a displacement cannot jump; use a ramp, or prescribe a velocity"),
    ("[load.weight]", "[boundary.wall]\ngroup = \"left\"\ncomponent = \"y\"\nvelocity = 1.0\n\n[load.weight]", "[boundary.wall]", "boundary.wall: y of node 4 is given otherwise by [boundary.top]; give both the same values, or take the node out of one group"),
    ("[load.weight]", "[boundary.sole]\ngroup = \"contact\"\ncomponent = \"all\"\nvelocity = 0.0\n\n[load.weight]", "group = \"contact\"\nobstacle", "contact.floor.group: every node of 'contact', such as node 1, is driven along the normal of the obstacle, so contact cannot move it; take the group out"),
    ("group = \"contact\"\nobstacle", "group = \"block\"\nobstacle", "group = \"block\"\nobstacle", "contact.floor.group: group 'block' is a surface; give the curve or the points that may touch the obstacle"),
    (HOLD, "group = \"top\"\ncomponent = \"all\"", "[initial.preload.push]", "initial.preload.push: y of node 3 is given otherwise by [initial.preload.hold]"),
    (HOLD, "group = \"contact\"\ncomponent = \"y\"", "[initial.preload.push]", "initial.preload: the part of the body with node 1 is free to slide along x; hold more of it in [initial.preload]"),
    ("group = \"top\"\ncomponent = \"y\"\ndisplacement = -0.005\n\n[initial.preload.hold]\ngroup = \"contact\"\ncomponent = \"all\"", "group = \"left\"\ncomponent = \"x\"", "[initial.preload.push]", "initial.preload: the part of the body with node 1 is free to slide along y"),
];

const FLOOR: &str = "{ kind = \"half-plane\", point = [0.0, 0.0], normal = [0.0, 1.0] }";
const SPIN_AT: &str = "spin";

/// Obstacles, axes and spins of plane problems.
#[rustfmt::skip]
const PLANE_EDITS: &[(&str, &str, &str, &str)] = &[
    (FLOOR, "{ kind = \"disk\", point = [0.0, -1.0] }", "obstacle", "contact.floor.obstacle: a disk needs radius; add it"),
    (FLOOR, "{ kind = \"disc\", point = [0.0, -1.0], radius = 1.0 }", "obstacle", "contact.floor.obstacle.kind: \"disc\" is not one of \"half-plane\", \"half-space\", \"disk\", \"sphere\", \"cylinder\", \"box\", \"surface\"; did you mean \"disk\"?"),
    (FLOOR, "{ kind = \"cylinder\", point = [0.0, -1.0], radius = 1.0, axis = [0.0, 1.0] }", "obstacle", "contact.floor.obstacle.axis: has 2 numbers; an axis is [x, y, z] in space, and in the plane leave it out"),
    (FLOOR, "{ kind = \"cylinder\", point = [0.0, -1.0], radius = 1.0, axis = [0.0, 0.0, 1.0] }", "obstacle", "contact.floor.obstacle.axis: is written for space, but block.msh lies in the plane; leave it out, there it is across the plane"),
    (FLOOR, "{ kind = \"cylinder\", point = [0.0, -1.0], radius = 1.0, length = 2.0 }", "obstacle", "contact.floor.obstacle: the length of the cylinder is 2.0 in a plane problem; leave it out, the plane sees no ends"),
    (FLOOR, "{ kind = \"box\", point = [0.0, -1.0], size = [1.0, 2.0, 3.0] }", "obstacle", "contact.floor.obstacle.size: is written for space, but block.msh lies in the plane; give [x, y]"),
    (FLOOR, "{ kind = \"surface\", file = \"block.msh\" }", "obstacle", "contact.floor.obstacle.kind: is written for space, but block.msh lies in the plane; use a half-plane, a disk or a box"),
    (FLOOR, "{ kind = \"half-plane\", point = [0.0, 0.0], normal = [0.0, 1.0], rotation = { velocity = 1.0, axis = [0.0, 0.0, 1.0] } }", "obstacle", "contact.floor.obstacle.rotation.axis: is written for space, but block.msh lies in the plane; leave it out, there it is across the plane"),
    ("[scheme]", "[initial.velocity.turn]\nspin = [1.0, 2.0]\ncenter = [0.0, 0.0]\n\n[scheme]", SPIN_AT, "initial.velocity.turn.spin: has 2 numbers; give one, [z], in the plane and [x, y, z] in space"),
    ("[scheme]", "[initial.velocity.turn]\nspin = [0.0, 0.0, 2.0]\ncenter = [0.0, 0.0]\n\n[scheme]", SPIN_AT, "initial.velocity.turn.spin: is written for space, but block.msh lies in the plane; give [z]"),
    ("[scheme]", "[initial.velocity.turn]\nspin = [nan]\ncenter = [0.0, 0.0]\n\n[scheme]", SPIN_AT, "initial.velocity.turn.spin: NaN is not a finite number"),
    ("[scheme]", "[initial.velocity.turn]\nspin = [1.0]\n\n[scheme]", "[initial.velocity.turn]", "initial.velocity.turn: a spin turns about a center: give both or none"),
    ("[scheme]", "[initial.velocity.turn]\ngroup = \"top\"\n\n[scheme]", "[initial.velocity.turn]", "initial.velocity.turn: give a value, a spin, or both"),
];

const PLANE: &str = "{ kind = \"half-space\", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }";
const BALL: &str = "kind = \"sphere\", point = [0.0, 0.0, -1.0]";
const CAN: &str = "kind = \"cylinder\", point = [0.0, 0.0, -1.0], radius = 1.0";
const SKIN: &str = "[material.skin]\ngroup = \"left\"\nyoung = 1.0\npoisson = 0.1\ndensity = 1.0\nplane = \"stress\"\n\n[load.weight]";

/// What is new in space; each obstacle stands in the line `obstacle = …` of the case.
#[rustfmt::skip]
const SPACE_EDITS: &[(&str, &str, &str)] = &[
    (BALL, "", "contact.floor.obstacle: a sphere needs radius; add it"),
    (BALL, ", radius = 0.0", "contact.floor.obstacle.radius: 0.0 is not a finite number > 0"),
    (BALL, ", radius = -2.0", "contact.floor.obstacle.radius: -2.0 is not a finite number > 0"),
    (BALL, ", radius = inf", "contact.floor.obstacle.radius: inf is not a finite number > 0"),
    (BALL, ", radius = 1.0, normal = [0.0, 0.0, 1.0]", "contact.floor.obstacle.normal: a sphere has none; it takes point, radius, inside"),
    (BALL, ", radius = 1.0, inside = 1", "contact.floor.obstacle.inside: integer 1 does not fit; give true | false"),
    (BALL, ", radius = 1.0, raduis = 1.0", "unknown key 'raduis'; did you mean 'radius'?"),
    (BALL, ", radius = 1.0, velocity = [1.0, 0.0]", "contact.floor.obstacle.velocity: is written for the plane, but block.msh lies in space; give [x, y, z]"),
    (BALL, ", radius = 1.0, velocity = [1.0, 0.0, 0.0], displacement = [1.0, 0.0, 0.0]", "contact.floor.obstacle: give either a displacement or a velocity"),
    (BALL, ", radius = 1.0, time = { function = \"sine\", period = 1.0 }", "contact.floor.obstacle.time: there is no displacement or velocity beside it to multiply; add one, or move it to rotation.time"),
    (BALL, ", radius = 1.0, displacement = [1.0, 0.0, 0.0], time = { function = \"step\", start = 1.0 }", "contact.floor.obstacle.time.function: a displacement cannot jump; use a ramp, or prescribe a velocity"),
    (BALL, ", radius = 1.0, rotation = { velocity = 1.0 }", "contact.floor.obstacle.rotation: is written for the plane, but block.msh lies in space; add axis = [x, y, z]"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 0.0], velocity = 1.0 }", "contact.floor.obstacle.rotation.axis: [0.0, 0.0, 0.0] points nowhere; give a direction of any length"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 1.0] }", "contact.floor.obstacle.rotation: give either an angle or a velocity"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 1.0], angle = 1.0, velocity = 1.0 }", "contact.floor.obstacle.rotation: give either an angle or a velocity"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 1.0], angle = nan }", "contact.floor.obstacle.rotation.angle: NaN is not a finite number"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 1.0], angle = 1.0, time = { function = \"square\", period = 1.0 } }", "contact.floor.obstacle.rotation.time.function: a displacement cannot jump; use a ramp, or prescribe a velocity"),
    (BALL, ", radius = 1.0, rotation = { axis = [0.0, 0.0, 1.0], velocity = 1.0, center = [0.0, 0.0] }", "contact.floor.obstacle.rotation.center: is written for the plane, but block.msh lies in space; give [x, y, z]"),
    (CAN, "", "contact.floor.obstacle: is written for the plane, but block.msh lies in space; add axis = [x, y, z]"),
    (CAN, ", axis = [0.0, 0.0, 0.0]", "contact.floor.obstacle.axis: [0.0, 0.0, 0.0] points nowhere; give a direction of any length"),
    (CAN, ", axis = [0.0, 0.0, 1.0], length = 0.0", "contact.floor.obstacle.length: 0.0 is not a finite number > 0"),
    ("kind = \"box\", point = [0.0, 0.0, -1.0]", "", "contact.floor.obstacle: a box needs size; add it"),
    ("kind = \"box\", point = [0.0, 0.0, -1.0]", ", size = [1.0, -1.0, 2.0]", "contact.floor.obstacle.size: -1.0 is not a finite number > 0"),
    ("kind = \"box\", size = [1.0, 1.0, 2.0]", "", "contact.floor.obstacle: a box needs point; add it"),
    ("kind = \"surface\"", "", "contact.floor.obstacle: a surface needs file; add it"),
    ("kind = \"surface\", file = \"none.msh\"", "", "contact.floor.obstacle.file: cannot read the surface 'none.msh': No such file or directory (os error 2); the path is relative to the case file"),
    ("kind = \"surface\", file = \"block.msh\", group = \"top\"", "", "contact.floor.obstacle.file: block.msh: the surface is open: no other triangle shares the edge from"),
    ("kind = \"surface\", file = \"block.msh\", group = \"top\"", "", " of the file)"),
    ("kind = \"surface\", file = \"block.msh\", group = \"top\", rotation = { axis = [0.0, 0.0, 1.0], velocity = 1.0 }", "", "contact.floor.obstacle.rotation: a surface that turns needs a center; add it"),
];

#[test]
fn a_case_with_one_thing_wrong_is_refused_at_its_line() {
    let (good, mut faults) = (block_case(), Vec::new());
    for &(from, to, at, says) in EDITS.iter().chain(PLANE_EDITS) {
        assert_eq!(good.matches(from).count().min(1), 1, "the case no longer says '{from}'");
        let bad = good.replacen(from, to, 1);
        // The line pointed to is the last that begins so: what was put in comes after the original.
        let place =
            bad.match_indices(at).filter(|&(i, _)| i == 0 || bad[..i].ends_with('\n')).last();
        let (offset, _) = place.unwrap_or_else(|| panic!("no line begins with '{at}'"));
        let line = 1 + bad[..offset].matches('\n').count();
        let folder = Folder::with_block();
        folder.write("case.toml", &bad);
        let before = folder.names();
        let expected = format!("error: case.toml:{line}: ");
        let output = folder.run(&[]);
        faults.extend(fault(&folder, &before, &output, &expected));
        faults.extend(fault(&folder, &before, &output, says));
        faults.extend(unmarked(&bad, line, &output));
    }
    report(&faults);
}

/// What stands in the case, what is written instead, and the part of the line that is underlined.
#[rustfmt::skip]
const UNDERLINED: &[(&str, &str, &str)] = &[
    ("theta = 0.5", "theta = 1.5", "1.5"),
    ("theta = 0.5", "tehta = 0.5", "tehta"),
    ("theta = 0.5", "theta =\t\"½力\" # half", "\"½力\""),
    ("theta = 0.5", "theta = 0.5\ntheta = 0.6", "theta"),
    ("law = \"fremond\"", "law = \"fremnd\"", "\"fremnd\""),
    ("step = 1e-4\n", "", "[scheme]"),
    ("young = 5750.0\n", "", "[material.pmma]"),
    ("group = \"contact\"\nobs", "group = \"contcat\"\nobs", "\"contcat\""),
    ("normal = [0.0, 1.0]", "normal = [0.0, 0.0]", "[0.0, 0.0]"),
    ("[output]", "[outptu]", "outptu"),
];

#[test]
fn the_part_of_the_line_that_is_wrong_is_underlined() {
    for crlf in [false, true] {
        for &(from, to, wrong) in UNDERLINED {
            let folder = Folder::with_block();
            let bad = block_case().replacen(from, to, 1);
            let bad = if crlf { bad.replace('\n', "\r\n") } else { bad };
            folder.write("case.toml", bad.trim_end());
            let said = stderr(&folder.run(&[]));
            let mut last = said.lines().rev();
            let (carets, line) = (last.next().unwrap(), last.next().unwrap());
            // Carets stand below columns; 力 takes two of them.
            let columns: String =
                line.chars().flat_map(|c| if c == '力' { vec![c, c] } else { vec![c] }).collect();
            let below: String = columns
                .chars()
                .zip(carets.chars())
                .filter(|(_, c)| *c == '^')
                .map(|(c, _)| c)
                .collect();
            assert_eq!(below.replace("力力", "力"), wrong, "{said}");
        }
    }
}

/// A folder with the block in space, ten steps of it.
fn block_in_space() -> (Folder, String) {
    let folder = Folder::new();
    let path = repository("cases/block_on_plane_3d.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let text = text
        .replace("../meshes/block_3d.msh", "block.msh")
        .replace("end = 1.0", "end = 5e-3")
        .replace("fields_every = 20", "fields_every = 0");
    std::fs::copy(repository("meshes/block_3d.msh"), folder.path("block.msh")).unwrap();
    folder.write("case.toml", &text);
    (folder, text)
}

#[test]
fn a_case_in_space_with_one_thing_wrong_is_refused_at_its_line() {
    let (folder, good) = block_in_space();
    assert!(good.contains(PLANE), "the case no longer says '{PLANE}'");
    let obstacle = |text: &str| 1 + text[..text.find("obstacle =").unwrap()].matches('\n').count();
    let mut edits: Vec<(String, usize, &str)> = Vec::new();
    for (shape, more, says) in SPACE_EDITS {
        let bad = good.replacen(PLANE, &format!("{{ {shape}{more} }}"), 1);
        edits.push((bad, obstacle(&good), says));
    }
    let bad = good.replacen("[load.weight]", SKIN, 1);
    let line = 2 + bad[..bad.find("[material.skin]").unwrap()].matches('\n').count();
    edits.push((bad, line, "material.skin.group: group 'left' has dimension 2, but the body of block.msh is of volumes: surfaces have no material of their own; name a group of volumes, or of lines with an area for bars"));
    let mut faults = Vec::new();
    for (bad, line, says) in &edits {
        folder.write("case.toml", bad);
        let (before, output) = (folder.names(), folder.run(&[]));
        faults.extend(fault(&folder, &before, &output, &format!("error: case.toml:{line}: ")));
        faults.extend(fault(&folder, &before, &output, says));
        faults.extend(unmarked(bad, *line, &output));
    }
    report(&faults);
}

#[test]
fn theta_above_the_bound_of_an_elastic_impact_is_refused() {
    let folder = Folder::with_block();
    let before = folder.names();
    let bad = block_case()
        .replace("theta = 0.5", "theta = 0.6")
        .replace("restitution = 0.0", "restitution = 1.0");
    folder.write("case.toml", bad);
    let says = "scheme.theta: 0.6 lies outside of [0.5, 0.5] = [1/2, 1/(1 + e)] of contact 'floor', where energy may be created; change it or set scheme.allow_energy_creation = true";
    report(&fault(&folder, &before, &folder.run(&[]), says).into_iter().collect::<Vec<_>>());
}

#[test]
fn a_case_file_that_cannot_be_read_is_refused() {
    let mut faults = Vec::new();
    let contents: [(Option<&[u8]>, &str); 5] = [
        (
            None,
            "case.toml: cannot be read: No such file or directory (os error 2); is the path right?",
        ),
        (
            Some(b"\xff\xfe\x00"),
            "case.toml: cannot be read: stream did not contain valid UTF-8; it must be UTF-8 text",
        ),
        (Some(b""), "case.toml:1: missing key 'units'; add it: text, unit system of every number"),
        (
            Some(b"units = 'm'\n"),
            "case.toml:1: missing table 'scheme'; add it with its keys: scheme.step, scheme.end",
        ),
        (
            Some(b"units = 'm'\n[scheme]\nstep = 1.0\nend = 1.0\n"),
            "mesh: there is nothing to move; add a table [mesh] with its key mesh.file, [mass.NAME] or [body.NAME]",
        ),
    ];
    for (content, says) in contents {
        let folder = Folder::new();
        content.iter().for_each(|content| folder.write("case.toml", content));
        faults.extend(fault(&folder, &folder.names(), &folder.run(&[]), says));
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.path("case.toml")).unwrap();
    let says = "case.toml: cannot be read: Is a directory (os error 21); give a file, not a folder";
    faults.extend(fault(&folder, &folder.names(), &folder.run(&[]), says));
    report(&faults);
}

/// A file without an end, and one that is longer than any case.
#[cfg(unix)]
#[test]
fn a_case_file_that_is_too_long_is_refused() {
    let folder = Folder::new();
    folder.write("long.toml", vec![b'#'; (64 << 20) + 1]);
    let (before, mut faults) = (folder.names(), Vec::new());
    for file in ["/dev/zero", "long.toml"] {
        let says = format!("error: {file}: larger than 64 MiB, as no case is; give a case file");
        for verb in [&["run", file][..], &["explore", file, "--rest"], &["compare", file]] {
            faults.extend(fault(&folder, &before, &folder.delassus(verb), &says));
        }
    }
    report(&faults);
}

/// Only where it points counts, and the results have the same bits.
#[test]
fn a_normal_of_any_length_is_one() {
    let folder = Folder::with_block();
    let history = |normal: &str| {
        let set = format!("contact.floor.obstacle.normal={normal}");
        let output = folder.run(&["--quiet", "--set", &set]);
        assert_eq!(output.status.code(), Some(0), "{normal}: {}", stderr(&output));
        folder.read("out/history.csv")
    };
    let unit = history("[0.0, 1.0]");
    for normal in ["[0.0, 1e200]", "[0.0, 1.7e308]", "[0.0, 1e-200]", "[0.0, 5e-324]"] {
        assert!(history(normal) == unit, "{normal}");
    }
    assert!(history("[-1e200, 1e200]") == history("[-1.0, 1.0]"));
}

/// A box and a ball: what names and pairs of them are told.
#[test]
fn wrong_names_and_pairs_of_bodies_are_told_what_there_is() {
    let text = "units = 'm, s, kg'\n\
        [body.carton]\nshape = 'box'\nsize = [1.0, 1.0]\nmass = 1.0\nposition = [0.0, 0.0]\n\
        [mass.ball]\nmass = 1.0\nposition = [2.0, 0.0]\n\
        [mass.egg]\nmass = 1.0\nposition = [4.0, 0.0]\n\
        [scheme]\nstep = 1.0\nend = 1.0\n";
    let law = "friction = 0.0\nrestitution = 0.0\n";
    let clash = |names: &str| format!("[contact.clash]\nbetween = {names}\n{law}");
    let tables = [
        (clash("['ball', 'egg']"), "clash.between: the mass 'ball' has no radius; give it one"),
        (
            format!(
                "[body.stick]\nshape = 'rod'\nlength = 1.0\nmass = 1.0\nposition = [9.0, 0.0]\n{}",
                clash("['stick', 'ball']")
            ),
            "clash.between: the rod 'stick' has no thickness, so that no point is on one side of it; make it a \"box\"",
        ),
        (clash("['catron', 'ball']"), "there are: ball, egg, carton; did you mean 'carton'?"),
        (
            format!(
                "[contact.floor]\ngroup = 'catron'\nobstacle = {{ kind = 'half-plane', point = [0.0, -1.0], normal = [0.0, 1.0] }}\n{law}"
            ),
            "floor.group: no mass or body 'catron'; there are: ball, carton, egg; did you mean 'carton'?",
        ),
        (
            "[spring.tie]\nbetween = ['ball', 'ground']\nstiffness = 1.0\n".into(),
            "tie.axis: nothing tells its direction, as always to the ground; give an axis",
        ),
    ];
    let mut faults = Vec::new();
    for (table, says) in &tables {
        let folder = Folder::new();
        folder.write("case.toml", format!("{text}{table}"));
        faults.extend(fault(&folder, &folder.names(), &folder.run(&[]), says));
    }
    report(&faults);
}

/// Two triangles, one per group, with the edge between them as the group "inner".
const TWO_TRIANGLES: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
6
1 1 \"contact\"
1 2 \"top\"
1 3 \"left\"
1 4 \"inner\"
2 5 \"block\"
2 6 \"rest\"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
6
1 1 2 1 1 1 2
2 1 2 2 2 3 4
3 1 2 3 3 4 1
4 1 2 4 4 1 3
5 2 2 5 5 1 2 3
6 2 2 6 6 1 3 4
$EndElements
";

#[test]
fn a_mesh_that_cannot_be_used_is_refused() {
    let mut faults = Vec::new();
    let block = std::fs::read_to_string(repository("meshes/sliding_block.msh")).unwrap();
    let half = &block[..block.len() / 2];
    let set_inner = ["--set", "load.shake.group=inner", "--set", "material.pmma.group=rest"];
    let rest = "[material.rest]\ngroup = \"block\"\nyoung = 1.0\npoisson = 0.1\ndensity = 1.0\nplane = \"stress\"\n";
    let whole = block_case() + "\n" + rest;
    let meshes: [(Option<&str>, &str, &[&str], &str); 6] = [
        (
            None,
            "",
            &[],
            "mesh.file: cannot read the mesh 'block.msh': No such file or directory (os error 2); the path is relative to the case file",
        ),
        (
            Some(half),
            "",
            &[],
            "block.msh:2399: $Nodes: expected the z coordinate of a node, the file ends; was it truncated? save it again with gmsh",
        ),
        (
            Some("hello world\n"),
            "",
            &[],
            "block.msh: not a gmsh mesh: it begins with 'hello' instead of $MeshFormat; save it with gmsh as .msh 4.1",
        ),
        (Some(""), "", &[], "block.msh: not a gmsh mesh: it begins with '' instead of $MeshFormat"),
        (
            Some(TWO_TRIANGLES),
            "",
            &[],
            "material: element 6 of block.msh has no material; add a group, or leave 'group' out to mean the whole body",
        ),
        (
            Some(TWO_TRIANGLES),
            &whole,
            &set_inner,
            "--set load.shake.group=inner: load.shake.group: edge 4 of group 'inner' bounds 2 elements; a traction or pressure needs the outer boundary; name another group",
        ),
    ];
    for (mesh, case, arguments, says) in meshes {
        let folder = Folder::with_block();
        if !case.is_empty() {
            folder.write("case.toml", case);
        }
        match mesh {
            Some(mesh) => folder.write("block.msh", mesh),
            None => std::fs::remove_file(folder.path("block.msh")).unwrap(),
        }
        faults.extend(fault(&folder, &folder.names(), &folder.run(arguments), says));
    }
    report(&faults);
}

/// Arguments after `run case.toml --out out`, and what is said.
#[rustfmt::skip]
const ARGUMENTS: &[(&[&str], &str)] = &[
    (&["--set", "scheme.theta"], "error: --set scheme.theta: there is no '='; write --set scheme.theta=0.5"),
    (&["--set", "=1"], "error: --set =1: a name of the key is empty; write --set scheme.theta=0.5"),
    (&["--set", "scheme..theta=1"], "error: --set scheme..theta=1: a name of the key is empty; write --set scheme.theta=0.5"),
    (&["--set", "scheme.theta.x=1"], "error: --set scheme.theta.x=1: 'theta' is not a table; write --set scheme.theta=0.5"),
    (&["--set", "scheme.tehta=0.5"], "error: --set scheme.tehta=0.5: unknown key 'tehta'; did you mean 'theta'?"),
    (&["--set", "scheme.theta=0.5", "--set", "banana.x=1"], "error: --set banana.x=1: unknown key 'banana'; known here: title"),
    (&["--set", "scheme.theta=half"], "error: --set scheme.theta=half: scheme.theta: string \"half\" does not fit; give 0 < number <= 1"),
    (&["--set", "scheme=3"], "error: --set scheme=3: scheme: integer 3 does not fit; give a table"),
    (&["--set", "scheme.theta=0.5", "--set", "solver.max_iterations=-3"], "error: --set solver.max_iterations=-3: solver.max_iterations: integer -3 does not fit; give whole number > 0"),
    (&["--set", "solver.max_iterations=0"], "error: --set solver.max_iterations=0: solver.max_iterations: 0.0 is not at least 1"),
    (&["--set", "scheme.theta=0.4"], "error: --set scheme.theta=0.4: scheme.theta: 0.4 < 1/2 creates energy"),
    (&["--set", "contact.floor.group=flor"], "error: --set contact.floor.group=flor: contact.floor.group: no physical group 'flor'"),
    (&["--set", "boundary.wall.group=left"], "error: --set boundary.wall.group=left: missing key 'boundary.wall.component'; add it: \"x\" | \"y\" | \"z\" | \"all\""),
    (&["--set", "boundary.wall.group=left", "--set", "boundary.wall.velocity=0"], "missing key 'boundary.wall.component'; add it: \"x\" | \"y\" | \"z\" | \"all\""),
    (&["--threads", "0"], "error: invalid value '0' for '--threads <N>': 0 is not in 1..=1024"),
    (&["--threads", "100000"], "error: invalid value '100000' for '--threads <N>': 100000 is not in 1..=1024"),
    (&["--threads", "two"], "error: invalid value 'two' for '--threads <N>'"),
    (&["--fast"], "error: unexpected argument '--fast' found"),
];

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let mut faults = Vec::new();
    for (arguments, says) in ARGUMENTS {
        let folder = Folder::with_block();
        let output = folder.run(arguments);
        faults.extend(fault(&folder, &folder.names(), &output, says));
        let underlined = stderr(&output).trim_end().ends_with('^');
        if arguments[0] == "--set" && !underlined {
            faults.push(format!("does not underline {arguments:?}"));
        }
    }
    let folder = Folder::with_block();
    for out in ["block.msh/out", "block.msh"] {
        let says = format!("error: {out}: cannot be made the results folder: ");
        let output = folder.delassus(&["run", "case.toml", "--out", out]);
        faults.extend(fault(&folder, &folder.names(), &output, &says));
        faults.extend(fault(&folder, &folder.names(), &output, "; give another one with --out"));
    }
    for (verb, says) in [("rnu", "unrecognized subcommand 'rnu'"), ("run", "<CASE>")] {
        faults.extend(fault(&folder, &folder.names(), &folder.delassus(&[verb]), says));
    }
    report(&faults);
}

/// Cells of every row of a history; panics where one is not whole or not finite.
fn rows(history: &str) -> Vec<Vec<f64>> {
    assert!(history.ends_with('\n'), "the last row is cut off");
    let columns = history.lines().next().map_or(0, |header| header.split(',').count());
    let mut rows = Vec::new();
    for line in history.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!(row.len() == columns && row.iter().all(|x| x.is_finite()), "row '{line}'");
        rows.push(row);
    }
    rows
}

const STARVED: [&str; 6] = [
    "--set",
    "solver.method=gauss-seidel",
    "--set",
    "solver.max_iterations=1",
    "--set",
    "solver.tolerance=1e-15",
];

#[test]
fn a_run_that_fails_midway_leaves_whole_rows_the_cone_problem_and_no_summary() {
    let folder = Folder::with_block();
    let output = folder.run(&[STARVED.as_slice(), &["--set", "output.fields_every=1"]].concat());
    let said = stderr(&output);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("error: step 1 (t = 0.0001): the contact solver reached an error of"));
    assert!(said.contains("its cone problem is in out/cone_1.json; choose a smaller scheme.step"));
    let names = folder.names();
    let expected = ["out/cone_1.json", "out/fields.pvd", "out/history.csv"];
    assert!(expected.iter().all(|name| names.contains(&name.to_string())), "{names:?}");
    assert!(names.iter().all(|name| !name.ends_with(".part") && !name.ends_with("summary.json")));
    assert_eq!(rows(&folder.read("out/history.csv")).len(), 1);
    let cone: delassus::contact::ConeProblem =
        serde_json::from_str(&folder.read("out/cone_1.json")).unwrap();
    assert_eq!((cone.w.blocks().block_count(), cone.b.len(), cone.mu.len()), (41 * 41, 82, 41));
}

#[test]
fn a_run_told_to_go_on_counts_the_steps_that_were_not_solved() {
    for (policy, tells) in [("warn", true), ("continue", false)] {
        let folder = Folder::with_block();
        let policy = format!("solver.on_failure={policy}");
        let output = folder.run(&[STARVED.as_slice(), &["--set", &policy]].concat());
        let summary: serde_json::Value =
            serde_json::from_str(&folder.read("out/summary.json")).unwrap();
        let unconverged = summary["solver"]["unconverged_steps"].as_u64().unwrap();
        assert!(unconverged > 0 && unconverged <= 10, "{policy}: {unconverged}");
        assert_eq!(stderr(&output).contains("note: step 1 "), tells, "{}", stderr(&output));
        assert_eq!(rows(&folder.read("out/history.csv")).len(), 11);
        assert!(!stderr(&output).contains("panicked"));
    }
}

/// With g ≤ 0 alone the theorem does not hold, and this step is large enough to show it.
#[test]
fn a_run_that_blows_up_says_so() {
    let explode = |end: &str| {
        let folder = Folder::with_block();
        let end = format!("scheme.end={end}");
        let steps = ["--set", "scheme.step=1e-3", "--set", &end];
        let output = folder.run(&[&steps[..], &["--set", "scheme.activation=gap"]].concat());
        (folder, output)
    };
    let (folder, output) = explode("1");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("verdict     violated: a contact created"));
    assert_eq!(rows(&folder.read("out/history.csv")).len(), 1001);

    let (folder, output) = explode("20");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(" after the stage ")
            && said.contains("; the run blew up: choose a smaller scheme.step"),
        "{said}"
    );
    assert!(rows(&folder.read("out/history.csv")).len() > 1000);
    assert!(!folder.path("out/summary.json").exists());
}

#[test]
fn verify_refuses_a_folder_without_results_and_files_that_are_cut_off() {
    let folder = Folder::with_block();
    assert_eq!(folder.run(&["--quiet"]).status.code(), Some(0));
    assert_eq!(folder.delassus(&["verify", "out"]).status.code(), Some(0));
    let history = folder.read("out/history.csv");
    let last_row = history[..history.len() - 1].rfind('\n').unwrap();
    let mut faults = Vec::new();
    let mut refused = |files: &str, says: &str| {
        let output = folder.delassus(&["verify", files]);
        faults.extend(fault(&folder, &folder.names(), &output, says));
    };
    std::fs::create_dir(folder.path("empty")).unwrap();
    refused("empty", "empty: there is no summary.json in it; give the results folder of a run");
    refused("nowhere", "nowhere: there is no such folder; give the results folder of a run");
    // In the middle of a row, in its last number, and before its last comma.
    for cut in [last_row + 40, history.len() - 2, history.len() - 20] {
        folder.write("out/history.csv", &history[..cut]);
        refused("out", "out/history.csv: line 12: the line is cut off; run the case again");
    }
    folder.write("out/history.csv", history.replacen("\n1,0.0001,", "\n1,0.000x,", 1));
    refused("out", "out/history.csv: line 3: '0.000x' is not a number; run the case again");
    folder.write("out/history.csv", &history[..history.find('\n').unwrap() + 1]);
    refused("out", "out/history.csv: there is no row; set output.history_every = 1");
    folder.write("out/history.csv", &history);
    folder.write("out/summary.json", "{");
    refused(
        "out",
        "out/summary.json: EOF while parsing an object at line 1 column 1; was it changed by hand? run the case again",
    );
    report(&faults);
}

#[test]
fn verify_notices_every_figure_that_was_changed() {
    let folder = Folder::with_block();
    assert_eq!(folder.run(&["--quiet"]).status.code(), Some(0));
    let (history, summary) = (folder.read("out/history.csv"), folder.read("out/summary.json"));
    let rows: Vec<&str> = history.lines().collect();
    let without = |left_out: usize| -> String {
        rows.iter()
            .enumerate()
            .filter(|(at, _)| *at != left_out)
            .map(|(_, r)| format!("{r}\n"))
            .collect()
    };
    // Column 2 is the kinetic energy, 13 and 15 are the largest works.
    let with_cell = |row: usize, column: usize, value: &str| {
        let mut cells: Vec<&str> = rows[row].split(',').collect();
        cells[column] = value;
        history.replacen(rows[row], &cells.join(","), 1)
    };
    let key = |name: &str, value: &str| {
        let at = summary.find(&format!("\"{name}\":")).unwrap_or_else(|| panic!("no {name}"));
        let end = at + summary[at..].find(['\n', ',']).unwrap();
        format!("{}\"{name}\": {value}{}", &summary[..at], &summary[end..])
    };
    let tampered = [
        ("the last row taken out", without(11), summary.clone()),
        ("a row in the middle taken out", without(6), summary.clone()),
        ("a total", with_cell(6, 5, "1.0"), summary.clone()),
        ("a tangential work", with_cell(6, 12, "0.5"), summary.clone()),
        ("a residual", with_cell(6, 11, "NaN"), summary.clone()),
        ("the verdict", history.clone(), key("verdict", "\"violated\"")),
        ("the final energy", history.clone(), key("total", "300.0")),
        ("the energy scale", history.clone(), key("energy_scale", "1e9")),
        ("the number of steps", history.clone(), key("steps", "10000")),
        ("what the theorem asks", history.clone(), key("theta_admitted", "false")),
        ("theta", history.clone(), key("theta", "0.9")),
    ];
    for (what, history, summary) in tampered {
        folder.write("out/history.csv", history);
        folder.write("out/summary.json", summary);
        let output = folder.delassus(&["verify", "out"]);
        assert_eq!(output.status.code(), Some(1), "{what}: {}", stdout(&output));
        assert!(stdout(&output).contains("FAILED") && stderr(&output).contains("do not hold"));
    }
}

/// The last step has its row even where `history_every` does not divide it: totals and rows agree.
#[test]
fn verify_agrees_with_a_run_that_leaves_rows_out() {
    let folder = Folder::with_block();
    assert_eq!(folder.run(&["--quiet", "--set", "output.history_every=3"]).status.code(), Some(0));
    let steps: Vec<f64> = rows(&folder.read("out/history.csv")).iter().map(|row| row[0]).collect();
    assert_eq!(steps, [0.0, 3.0, 6.0, 9.0, 10.0]);
    let output = folder.delassus(&["verify", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

/// The program with so many processes and threads at most, as a user of its own, whom such a limit binds; none,
/// loudly, where nobody can become another.
#[cfg(target_os = "linux")]
fn limited(folder: &Folder, processes: usize, arguments: &[&str]) -> Option<Output> {
    let user = 1_000_000 + std::process::id();
    let start = |processes: usize, arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args([format!("--reuid={user}"), format!("--regid={user}")]);
        command.args(["--clear-groups", "prlimit", &format!("--nproc={processes}")]);
        command.args(["env", "-u", "RAYON_NUM_THREADS"]).args(arguments);
        command.current_dir(folder.path("")).output()
    };
    match start(100, &[DELASSUS, "--version"]) {
        Ok(told) if told.status.success() => Some(start(processes, arguments).unwrap()),
        told => {
            eprintln!("SKIPPED: a limit on processes needs a user of its own: {told:?}");
            None
        }
    }
}

#[cfg(target_os = "linux")]
const DELASSUS: &str = env!("CARGO_BIN_EXE_delassus");

/// Where the system makes no threads, that is told; where it makes few, few do.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_made_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_block();
    let all = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(folder.path(""), all).unwrap();
    let run = [DELASSUS, "run", "case.toml", "--out", "out"];
    let compare =
        [DELASSUS, "compare", "case.toml", "--schemes", "moreau-jean,newmark", "--out", "compared"];
    let before = folder.names();
    for (processes, wanted, arguments) in [
        (1, "one per core", &run[..]),
        (1, "one per core", &[DELASSUS, "run", "case.toml", "--dry-run"]),
        (1, "one per core", &[DELASSUS, "demo", "--out", "out"]),
        (1, "one per core", &[DELASSUS, "explore", "case.toml", "--step", "2"]),
        (1, "one per core", &[DELASSUS, "friction", "none.json"]),
        (1, "one per core", &compare),
        (3, "--threads 9", &[&run[..], &["--threads", "9"]].concat()),
    ] {
        let Some(output) = limited(&folder, processes, arguments) else { return };
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        let says = format!("error: threads to compute with ({wanted}) cannot be made: ");
        assert!(said.starts_with(&says), "{arguments:?}: {said}");
        assert!(said.contains("(ulimit -u), or take fewer: run --threads N"), "{said}");
        assert_eq!(folder.names(), before, "{arguments:?}");
    }
    // The program and a thread that computes: runs that are compared go one after the other.
    for arguments in [
        [&run[..], &["--threads", "1"]].concat(),
        [&["RAYON_NUM_THREADS=1"], &compare[..]].concat(),
    ] {
        let Some(output) = limited(&folder, 2, &arguments) else { return };
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(folder.read("compared/table.csv").lines().count(), 3);
}

/// A limit on the size of files is told like a full disk, and leaves whole rows.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_told() {
    let folder = Folder::with_block();
    for (set, file) in
        [("scheme.end=0.02", "history.csv"), ("output.fields_every=1", "fields/step_00.vtu")]
    {
        let mut command = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_delassus");
        command.args(["-c", "ulimit -f 32; exec \"$0\" \"$@\"", program]);
        command.args(["run", "case.toml", "--quiet", "--out", "out", "--set", set]);
        let output = command.current_dir(folder.path("")).output().unwrap();
        let said = stderr(&output);
        let says = format!("error: out/{file}: cannot be written: File too large (os error 27); ");
        assert_eq!(output.status.code(), Some(1), "{set}: {:?} {said}", output.status);
        assert!(said.starts_with(&says), "{set}: {said}");
        assert!(said.contains("raise the limit on file sizes (ulimit -f)"), "{set}: {said}");
        assert!(folder.names().iter().all(|name| !name.ends_with("summary.json")));
        rows(&folder.read("out/history.csv"));
    }
}

/// `delassus … | head -1`: the reader leaves, the program ends well.
#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mesh = repository("meshes/bar.msh").to_string_lossy().into_owned();
    for arguments in [vec!["keys"], vec!["mesh", &mesh]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        let command = command.args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
    let folder = Folder::with_block();
    let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
    let command = command.args(["run", "case.toml", "--out", "out"]).current_dir(folder.path(""));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(folder.path("out/summary.json").exists());
}
