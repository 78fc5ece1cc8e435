//! Input that is easy to get wrong is told what is wrong with it and what to do.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::case::Case;
use delassus::simulation;

use crate::support::{Folder, Silent, stderr, stdout};

/// A mass that falls on a floor; `NAME` is the contact.
const FALL: &str = "units = \"m, s, kg\"\n[mass.p]\nmass = 1.0\nposition = [0.1, 0.1]\n\
    [load.g]\ngravity = [0.0, -9.81]\n\
    [contact.\"NAME\"]\ngroup = \"p\"\nfriction = 0.3\nrestitution = 0\n\
    obstacle = { kind = \"half-plane\", point = [0.0, 0.0], normal = [0.0, 1.0] }\n\
    [scheme]\ntheta = 0.5\nstep = 1e-3\nend = 0.3\n";

fn refused(folder: &Folder, more: &[&str], says: &[&str]) {
    let output = folder.run(&[&["--quiet"], more].concat());
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{more:?}: {told}");
    says.iter().for_each(|words| assert!(told.contains(words), "{more:?}: {told}"));
    assert!(!folder.path("out").exists(), "nothing is left behind");
}

#[test]
fn names_of_letters_spaces_commas_and_quotes_are_read_back_and_those_with_line_breaks_refused() {
    for name in ["a b", "é", "a, b", "say \\\"so\\\"", "a;b|c"] {
        let folder = Folder::new();
        folder.write("case.toml", FALL.replace("NAME", name));
        let output = folder.run(&["--quiet"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        for command in ["verify", "report"] {
            let output = folder.delassus(&[command, "out"]);
            assert!(output.status.success(), "{name}: {}", stderr(&output));
        }
    }
    for (name, shown) in [("a\\nb", "contact.a\\nb"), ("a\\tb", "a\\tb"), ("\\u001b[1m", "[1m")] {
        let folder = Folder::new();
        folder.write("case.toml", FALL.replace("NAME", name));
        refused(&folder, &[], &["case.toml:7: ", shown, "a name holds no line breaks"]);
    }
}

#[test]
fn tolerances_and_units_that_mean_nothing_are_refused() {
    let folder = Folder::new();
    folder.write("case.toml", FALL.replace("NAME", "floor"));
    let gap = ["scheme.gap_tolerance: 1000.0 is no small gap", "size 1.000e-1", "at most 1.0e-3"];
    refused(&folder, &["--set", "scheme.gap_tolerance=1e3"], &gap);
    let relative = ["solver.tolerance: 10000000000.0 is not", "it is relative", "give 1e-10"];
    refused(&folder, &["--set", "solver.tolerance=1e10"], &relative);
    refused(&folder, &["--set", "solver.tolerance=1"], &["it is relative"]);
    let units = ["units: \"mm\" names no time and no mass", "\"mm, ms, g\"", "\"dimensionless\""];
    refused(&folder, &["--set", "units=mm"], &units);
    refused(&folder, &["--set", "units=m, s"], &["\"m, s\" names no mass"]);
    for units in ["dimensionless", "any", "N, mm, s", "in, s, lb"] {
        let output = folder.run(&["--quiet", "--dry-run", "--set", &format!("units={units}")]);
        assert!(output.status.success(), "{units}: {}", stderr(&output));
    }
    let rough = folder.run(&["--dry-run", "--set", "solver.tolerance=0.05"]);
    assert!(stderr(&rough).contains("asks for contacts to 5 % only"), "{}", stderr(&rough));
    let block = Folder::with_block();
    let wide = ["1.0 is no small gap", "size 4.717e1"];
    refused(&block, &["--set", "scheme.gap_tolerance=1.0"], &wide);
}

/// It has no end; one like it that has is as little of a file.
#[cfg(unix)]
#[test]
fn a_device_is_no_mesh_no_surface_and_no_problem() {
    let block = Folder::with_block();
    let says =
        ["mesh.file: cannot read the mesh '/dev/null'", "a device or a pipe", "regular file"];
    refused(&block, &["--set", "mesh.file=/dev/null"], &says);
    let output = block.delassus(&["mesh", "/dev/null"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a device or a pipe"), "{}", stderr(&output));
    let output = block.delassus(&["friction", "/dev/null"]);
    assert_ne!(output.status.code(), Some(0));
}

#[test]
fn a_mass_beside_a_preload_stays_and_a_part_that_is_not_held_is_refused() {
    let block = Folder::with_block();
    let text = block.read("case.toml");
    let mass = "\n[mass.ball]\nmass = 1.0\nposition = [5.0, 50.0]\n";
    let body = "\n[body.rod]\nshape = \"rod\"\nlength = 1.0\nmass = 1.0\nposition = [5.0, 60.0]\n";
    block.write("case.toml", format!("{text}{mass}{body}"));
    let output = block.run(&["--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let loose = Folder::with_block();
    loose.write("case.toml", format!("{text}{mass}"));
    let both = ["--set", "initial.preload.hold.component=y"];
    refused(&loose, &both, &["with node 1 is free to slide along x"]);
}

#[test]
fn a_spring_to_many_nodes_is_told_how_many_and_what_there_is() {
    let block = Folder::with_block();
    let more = "\n[mass.ball]\nmass = 1.0\nposition = [5.0, 50.0]\n\
        [spring.s]\nbetween = [\"ball\", \"top\"]\nstiffness = 1.0\n";
    block.write("case.toml", block.read("case.toml") + more);
    let says = ["spring.s.between: 'top' is a group of 41 nodes, and one is needed", "are: ball"];
    refused(&block, &[], &says);
    let alone =
        "\n[spring.s]\nbetween = [\"top\", \"ground\"]\nstiffness = 1.0\naxis = [0.0, 1.0]\n";
    block.write("case.toml", Folder::with_block().read("case.toml") + alone);
    refused(&block, &[], &["a Physical Point); there are: none"]);
}

#[test]
fn a_name_in_other_capitals_is_the_one_that_was_meant() {
    let block = Folder::with_block();
    let says = ["no physical group 'Contact'", "did you mean 'contact'?"];
    refused(&block, &["--set", "contact.floor.group=Contact"], &says);
}

/// Gmsh saves the elements of physical groups only: here the sole's.
#[test]
fn a_mesh_without_a_physical_surface_is_told_to_have_one() {
    let outline = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"contact\"\n$EndPhysicalNames\n\
        $Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 0 0\n$EndNodes\n\
        $Elements\n2\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n$EndElements\n";
    let block = Folder::with_block();
    block.write("block.msh", outline);
    let says = [
        "mesh.file: block.msh has lines only (groups: contact)",
        "material 'pmma' of the plane",
        "add a Physical Surface of the body to the .geo",
    ];
    refused(&block, &[], &says);
}

/// Where a dry run says that a case can be run, there was the memory for it.
#[test]
fn a_dry_run_measures_what_is_free_before_it_takes_some() {
    let block = Folder::with_block();
    let case = Case::read(&block.path("case.toml"), &[]).unwrap();
    let rehearsal = simulation::rehearse(&case, &mut Silent).unwrap();
    let (limit, _) = rehearsal.memory_limit.unwrap_or((usize::MAX, ""));
    assert!(rehearsal.memory <= limit);
    let output = block.run(&["--dry-run", "--set", "solver.memory=1e-6"]);
    assert_eq!(output.status.code(), block.run(&["--set", "solver.memory=1e-6"]).status.code());
    assert!(!output.status.success() && !stdout(&output).contains("can be run"));
}

/// A floor that shakes throws a mass up every four steps: no rebound is to blame.
#[test]
fn chatter_without_restitution_is_not_blamed_on_restitution() {
    let shake = "displacement = [0.0, 1e-5], time = { function = \"sine\", period = 4e-3 } }";
    let text = FALL
        .replace("NAME", "floor")
        .replace("normal = [0.0, 1.0] }", &format!("normal = [0.0, 1.0], {shake}"));
    let notices = |e: &str| {
        let folder = Folder::new();
        folder.write("case.toml", text.replace("end = 0.3", "end = 5.0"));
        let overrides = [format!("contact.floor.restitution={e}")];
        let case = Case::read(&folder.path("case.toml"), &overrides).unwrap();
        simulation::run(&case, &folder.path("out"), &mut Silent).unwrap().notices.join("\n")
    };
    let without = notices("0");
    assert!(without.contains("chatters") && without.contains("theta > 0.5"), "{without}");
    assert!(!without.contains("restitution = 0"), "{without}");
}
