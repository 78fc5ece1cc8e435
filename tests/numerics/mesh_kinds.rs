//! Meshes of lines, surfaces and volumes as Gmsh writes them, and what is refused in them.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use delassus::mesh::{ElementKind, Mesh, MeshError, read_surface};

use crate::support::extent::measure;

/// Coordinates below 2 in text have 16 digits.
const DIGITS: f64 = 1e-15;

/// Sums of some hundred numbers below 1.
const SUM: f64 = 1e-13;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(name: &str) -> Mesh {
    let mesh = Mesh::read(&data(name)).unwrap_or_else(|error| panic!("{error}"));
    assert!(mesh.notices.is_empty(), "{name}: {:?}", mesh.notices);
    mesh
}

fn count(mesh: &Mesh, kind: ElementKind) -> usize {
    mesh.kinds.iter().filter(|&&k| k == kind).count()
}

fn body_measure(mesh: &Mesh) -> f64 {
    mesh.body_elements().map(|e| measure(mesh, e)).sum()
}

fn sizes(mesh: &Mesh, name: &str) -> (usize, usize, usize) {
    let group = mesh.group(name).unwrap();
    (group.dimension, group.elements.len(), group.nodes.len())
}

/// Both files list the elements in the same order; nodes are told apart by where they lie.
fn assert_same_elements(one: &Mesh, other: &Mesh) {
    assert_eq!((one.dimension, &one.kinds), (other.dimension, &other.kinds));
    let names = |mesh: &Mesh| -> Vec<String> { mesh.groups.keys().cloned().collect() };
    assert_eq!(names(one), names(other));
    for name in names(one) {
        assert_eq!(one.groups[&name].elements, other.groups[&name].elements, "{name}");
    }
    for e in 0..one.element_count() {
        for (a, b) in one.nodes_of(e).iter().zip(other.nodes_of(e)) {
            let (a, b) = (one.points[*a as usize], other.points[*b as usize]);
            assert!((0..3).all(|i| (a[i] - b[i]).abs() <= DIGITS), "element {e}: {a:?} {b:?}");
        }
    }
}

/// The file of these nodes, numbered from 1, and elements in format 2.2.
fn file_of(nodes: &[[f64; 3]], elements: &[&str]) -> String {
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n".to_string();
    text += &format!("{}\n", nodes.len());
    for (tag, [x, y, z]) in (1..).zip(nodes) {
        text += &format!("{tag} {x} {y} {z}\n");
    }
    text += &format!("$EndNodes\n$Elements\n{}\n", elements.len());
    elements.iter().for_each(|element| text += &format!("{element}\n"));
    text + "$EndElements\n"
}

fn parse(nodes: &[[f64; 3]], elements: &[&str]) -> Result<Mesh, MeshError> {
    Mesh::parse(file_of(nodes, elements).as_bytes(), Path::new("a.msh"))
}

fn error_of(nodes: &[[f64; 3]], elements: &[&str]) -> String {
    parse(nodes, elements).unwrap_err().to_string()
}

const CUBE: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

/// A right triangle with the middles of its edges.
const TRIANGLE: [[f64; 3]; 6] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.5, 0.0, 0.0],
    [0.5, 0.5, 0.0],
    [0.0, 0.5, 0.0],
];

#[test]
fn a_box_of_tetrahedra_is_the_same_in_both_formats() {
    let (two, four) = (read("box_v22_ascii.msh"), read("box_v41_binary.msh"));
    assert_same_elements(&two, &four);
    for mesh in [&two, &four] {
        assert_eq!(mesh.dimension, 3);
        assert_eq!(mesh.bounding_box(), ([0.0; 3], [1.0, 0.75, 0.5]));
        assert!(mesh.body_elements().all(|e| mesh.kinds[e] == ElementKind::Tetrahedron4));
        assert!((body_measure(mesh) - 0.375).abs() < SUM);
        assert_eq!(sizes(mesh, "body").1, mesh.body_elements().count());
        assert_eq!(sizes(mesh, "body").2, mesh.node_count());
        assert_eq!(sizes(mesh, "pin"), (0, 1, 1));
        assert_eq!(sizes(mesh, "edge"), (1, 2, 3));
        let top = mesh.group("top").unwrap();
        assert!(top.nodes.iter().all(|&node| mesh.points[node as usize][2] == 0.5));
        assert!(top.elements.iter().all(|&e| mesh.kinds[e as usize] == ElementKind::Triangle3));
    }
}

/// VTK's order: node `corners + i` is the middle of edge `i`, in bodies, surfaces and lines. Gmsh's order
/// of the last two nodes of a tetrahedron would put them half an edge away.
#[test]
fn the_nodes_of_second_order_stand_in_the_order_of_the_edges() {
    let (four, two) = (read("box_order2_v41_ascii.msh"), read("box_order2_v22_binary.msh"));
    assert_same_elements(&two, &four);
    let kinds = [ElementKind::Tetrahedron10, ElementKind::Triangle6, ElementKind::Line3];
    assert!(kinds.iter().all(|&kind| count(&four, kind) > 0));
    assert_eq!(count(&four, ElementKind::Tetrahedron10), four.body_elements().count());
    for (e, kind) in four.kinds.iter().enumerate().filter(|(_, kind)| kind.order() == 2) {
        let at = |node: usize| four.points[four.nodes_of(e)[node] as usize];
        for (edge, &[a, b]) in kind.edges().iter().enumerate() {
            let (a, b, middle) = (at(a), at(b), at(kind.corners() + edge));
            let off = (0..3).map(|i| (0.5 * (a[i] + b[i]) - middle[i]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-12, "{kind:?}, edge {edge}: {off}");
        }
    }
    assert!((body_measure(&four) - 0.375).abs() < SUM);
}

/// A frustum of height 1 with sides 1 and 2 has the volume (1 + 2 + 4)/3.
#[test]
fn bricks_fill_their_block() {
    let (four, two) = (read("bricks_v41_ascii.msh"), read("bricks_v22_binary.msh"));
    assert_same_elements(&two, &four);
    assert_eq!((four.dimension, count(&four, ElementKind::Hexahedron8)), (3, 12));
    assert_eq!(count(&four, ElementKind::Quadrangle4), 6);
    assert!((body_measure(&four) - 7.0 / 3.0).abs() < SUM);
    assert_eq!(sizes(&four, "bottom"), (2, 6, 12));
    let quality = four.quality().unwrap();
    assert!(quality.shape_min > 0.7 && quality.shape_min < 0.95, "{quality:?}");
    assert_eq!(quality.angle_min, None);
}

#[test]
fn quadrangles_and_triangles_share_a_plane() {
    for name in ["mixed_plane_v41_binary.msh", "mixed_plane_v22_ascii.msh"] {
        let mesh = read(name);
        assert_eq!((mesh.dimension, count(&mesh, ElementKind::Quadrangle4)), (2, 4));
        assert_eq!(count(&mesh, ElementKind::Triangle3), 14);
        assert!((body_measure(&mesh) - 2.0).abs() < SUM);
        assert!(mesh.body_elements().all(|e| measure(&mesh, e) > 0.0));
        assert_eq!(sizes(&mesh, "bricks"), (2, 4, 9));
        assert_eq!(sizes(&mesh, "filling").1, 14);
        assert_eq!(sizes(&mesh, "floor"), (1, 4, 5));
        assert_eq!(mesh.body_elements().count(), 18);
        assert!((mesh.quality().unwrap().shape_min - 0.75).abs() < 0.25);
    }
}

#[test]
fn the_rim_of_a_disc_of_second_order_is_round() {
    let (four, two) = (read("disc_order2_v41_ascii.msh"), read("disc_order2_v22_binary.msh"));
    assert_same_elements(&two, &four);
    assert_eq!(four.dimension, 2);
    assert!(four.body_elements().all(|e| four.kinds[e] == ElementKind::Triangle6));
    let rim = four.group("rim").unwrap();
    assert!(rim.elements.iter().all(|&e| four.kinds[e as usize] == ElementKind::Line3));
    for &node in &rim.nodes {
        let [x, y, _] = four.points[node as usize];
        assert!((x.hypot(y) - 1.0).abs() < 1e-12, "({x}, {y})");
    }
    let quality = four.quality().unwrap();
    assert!(quality.shape_min > 0.5 && quality.shape_mean < 1.0, "{quality:?}");
}

#[test]
fn three_bars_make_a_truss_in_space() {
    let mesh = read("tripod_v41_ascii.msh");
    assert_eq!((mesh.dimension, mesh.body_elements().count()), (3, 3));
    assert_eq!(mesh.node_count(), 4);
    assert_eq!(sizes(&mesh, "legs"), (1, 3, 4));
    assert_eq!(sizes(&mesh, "feet"), (0, 3, 3));
}

#[test]
fn a_truss_lives_in_as_few_dimensions_as_hold_it() {
    let line = "1 1 2 1 1 1 2";
    for (end, dimension) in [
        ([2.0, 0.0, 0.0], 1),
        ([2.0, 1e-12, -1e-12], 1),
        ([2.0, 1e-11, 0.0], 2),
        ([0.0, 2.0, 0.0], 2),
        ([0.0, 0.0, 2.0], 3),
    ] {
        let mesh = parse(&[[0.0; 3], end], &[line]).unwrap();
        assert_eq!(mesh.dimension, dimension, "{end:?}");
        assert_eq!(mesh.body_elements().collect::<Vec<_>>(), [0]);
        assert_eq!(mesh.points[1][dimension..], [0.0, 0.0, 0.0][dimension..]);
    }
}

#[test]
fn ropes_are_dropped_unless_they_are_named_as_bars() {
    for name in ["hung_box_v41_ascii.msh", "hung_box_v22_binary.msh"] {
        let without = Mesh::read(&data(name)).unwrap();
        assert!(without.bars.is_empty());
        assert_eq!(sizes(&without, "ropes").1, 0);
        assert!(without.notices[0].starts_with("dropped 4 nodes in no body element: "), "{name}");
        assert!(
            without.notices[1].starts_with("dropped 6 elements of lower dimension on nodes"),
            "{:?}",
            without.notices
        );
        let bars = ["ropes", "floor", "nothing"].map(String::from);
        let with = Mesh::read_with_bars(&data(name), &bars).unwrap();
        assert!(with.notices.is_empty(), "{:?}", with.notices);
        assert_eq!(with.node_count(), without.node_count() + 4);
        assert_eq!(with.bars, with.group("ropes").unwrap().elements);
        assert_eq!(sizes(&with, "hooks"), (0, 2, 2));
        let body: Vec<usize> = with.body_elements().collect();
        assert_eq!(body.len(), 4 + without.body_elements().count());
        assert!(body.is_sorted());
        assert!(with.bars.iter().all(|&e| body.contains(&(e as usize))));
        assert_eq!(with.quality().unwrap().angle_min, without.quality().unwrap().angle_min);
    }
}

/// Every edge of a closed surface is run through once in each direction.
#[test]
fn a_ball_is_no_body_but_a_surface() {
    let path = data("ball_v41_ascii.msh");
    let error = Mesh::read(&path).unwrap_err().to_string();
    assert!(error.contains("must lie in z = 0"), "{error}");
    assert!(error.ends_with("mesh the volume (gmsh -3): shells are not supported"), "{error}");
    for group in [None, Some("skin")] {
        let (points, triangles, tags) = read_surface(&path, group).unwrap();
        assert_eq!(triangles.len(), tags.len());
        for [x, y, z] in &points {
            assert!((x.hypot(*y).hypot(*z) - 1.0).abs() < 1e-12, "({x}, {y}, {z})");
        }
        let mut open: HashMap<[u32; 2], i32> = HashMap::new();
        for &[a, b, c] in &triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *open.entry([from.min(to), from.max(to)]).or_default() +=
                    if from < to { 1 } else { -1 };
            }
        }
        assert!(open.values().all(|&sum| sum == 0));
        assert_eq!(points.len() + triangles.len(), open.len() + 2, "Euler's formula");
    }
}

#[test]
fn a_surface_of_a_volume_is_read_by_its_name() {
    let (points, triangles, tags) = read_surface(&data("box_v22_ascii.msh"), Some("top")).unwrap();
    assert!(points.iter().all(|point| point[2] == 0.5));
    let mesh = read("box_v22_ascii.msh");
    assert_eq!((2, triangles.len(), points.len()), sizes(&mesh, "top"));
    let own = &mesh.group("top").unwrap().elements;
    assert_eq!(tags, own.iter().map(|&e| mesh.element_tags[e as usize]).collect::<Vec<_>>());
    let (points, triangles, _) =
        read_surface(&data("bricks_v41_ascii.msh"), Some("bottom")).unwrap();
    assert_eq!((points.len(), triangles.len()), (12, 12));
    for (name, group, expected) in [
        (
            "box_v22_ascii.msh",
            None,
            "its highest elements are volumes; name the physical surface to take; \
             its physical surfaces are: bottom, top",
        ),
        (
            "box_v22_ascii.msh",
            Some("edge"),
            "no physical surface 'edge' with elements; its physical surfaces are: bottom, top",
        ),
        (
            "tripod_v41_ascii.msh",
            None,
            "no surface element; mesh the surface (gmsh -2); its physical surfaces are: none",
        ),
        (
            "box_order2_v41_ascii.msh",
            Some("top"),
            "(6-node triangle) does not fit a rigid surface, which is made of 3-node triangles and \
             4-node quadrangles; mesh it with gmsh -order 1",
        ),
    ] {
        let error = read_surface(&data(name), group).unwrap_err();
        assert_eq!(error.path(), data(name));
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}

#[test]
fn inverted_elements_of_every_kind_are_turned() {
    let square = &CUBE[..4];
    let tetrahedron = [CUBE[0], CUBE[1], CUBE[3], CUBE[4]];
    for (nodes, element, expected) in [
        (square, "7 3 2 1 1 1 4 3 2", 1.0),
        (&TRIANGLE, "7 9 2 1 1 1 3 2 6 5 4", 0.5),
        (&tetrahedron, "7 4 2 1 1 1 3 2 4", 1.0 / 6.0),
        (&CUBE, "7 5 2 1 1 5 6 7 8 1 2 3 4", 1.0),
    ] {
        let mesh = parse(nodes, &[element]).unwrap();
        assert_eq!(mesh.notices, ["turned 1 inverted element: 7"]);
        assert!((measure(&mesh, 0) - expected).abs() < DIGITS, "{element}");
        let kind = mesh.kinds[0];
        let at = |node: usize| mesh.points[mesh.nodes_of(0)[node] as usize];
        if kind.order() == 2 {
            for (edge, &[a, b]) in kind.edges().iter().enumerate() {
                let middle = [0, 1, 2].map(|i| 0.5 * (at(a)[i] + at(b)[i]));
                assert_eq!(at(kind.corners() + edge), middle, "{element}");
            }
        }
    }
}

/// Mirrored as a whole, so that Gmsh's file is inside out and must come back with the same middles.
#[test]
fn a_mirrored_box_of_second_order_is_turned_with_its_middles() {
    let text = std::fs::read_to_string(data("box_order2_v41_ascii.msh")).unwrap();
    let (head, nodes) = text.split_once("$Nodes\n").unwrap();
    let (nodes, tail) = nodes.split_once("$EndNodes\n").unwrap();
    let mirrored: Vec<String> = nodes
        .lines()
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            [x, y, z] => format!("-{x} {y} {z}"),
            _ => line.to_string(),
        })
        .collect();
    let text = format!("{head}$Nodes\n{}\n$EndNodes\n{tail}", mirrored.join("\n"));
    let mesh = Mesh::parse(text.replace("--", "").as_bytes(), Path::new("a.msh")).unwrap();
    let count = mesh.body_elements().count();
    assert!(mesh.notices[0].starts_with(&format!("turned {count} inverted elements: ")));
    assert!((body_measure(&mesh) - 0.375).abs() < SUM);
    let quality = read("box_order2_v41_ascii.msh").quality().unwrap();
    assert!((mesh.quality().unwrap().shape_min - quality.shape_min).abs() < 1e-12);
}

#[test]
fn folded_and_twisted_elements_are_refused_with_their_jacobian() {
    let mut crossed = CUBE;
    crossed[2] = [0.2, 0.2, 0.0];
    let error = error_of(&crossed[..4], &["7 3 2 1 1 1 2 3 4"]);
    assert_eq!(
        error,
        "a.msh: element 7 (4-node quadrangle) is twisted or folded: its Jacobian falls to -6.000e-1 of \
         its longest edge to the power of its dimension; refine the mesh there, or mesh with triangles: \
         remove Recombine from the .geo"
    );
    let mut bent = TRIANGLE;
    bent[4] = [0.1, 0.1, 0.0];
    let error = error_of(&bent, &["7 9 2 1 1 1 2 3 4 5 6"]);
    assert!(error.contains("(6-node triangle) is twisted or folded"), "{error}");
    assert!(error.contains("Mesh.HighOrderOptimize"), "{error}");
    let mut pushed = CUBE;
    pushed[6] = [0.3, 0.3, 0.3];
    let error = error_of(&pushed, &["7 5 2 1 1 1 2 3 4 5 6 7 8"]);
    assert!(error.contains("(8-node hexahedron) is twisted or folded"), "{error}");
    let bar = [[0.0; 3], [1.0, 0.0, 0.0], [0.9, 0.0, 0.0]];
    let error = error_of(&bar, &["7 8 2 1 1 1 2 3"]);
    assert!(error.contains("(3-node line) is twisted or folded"), "{error}");
}

#[test]
fn elements_without_volume_are_refused() {
    let flat = [CUBE[0], CUBE[1], CUBE[3], [0.3, 0.3, 1e-13]];
    let error = error_of(&flat, &["7 4 2 1 1 1 2 3 4"]);
    assert!(error.starts_with("a.msh: element 7 is degenerate: measure 1.667e-14"), "{error}");
    let mut flat = CUBE;
    flat[4..].iter_mut().for_each(|point| point[2] = 0.0);
    let error = error_of(&flat, &["7 5 2 1 1 1 2 3 4 5 6 7 8"]);
    assert!(error.starts_with("a.msh: element 7 is degenerate"), "{error}");
}

#[test]
fn bars_and_volumes_that_are_there_twice_are_refused() {
    let same = "a.msh: elements 7 and 8 have the same nodes and would count twice";
    let error = error_of(&CUBE, &["7 1 2 1 1 1 2", "8 1 2 1 2 2 1"]);
    assert!(error.starts_with(same), "{error}");
    let twice = ["7 5 2 1 1 1 2 3 4 5 6 7 8", "8 5 2 1 2 5 6 7 8 1 2 3 4"];
    assert!(error_of(&CUBE, &twice).starts_with(same));
    let lines = ["6 5 2 1 1 1 2 3 4 5 6 7 8", "7 1 2 2 2 1 2", "8 1 2 3 3 1 2"];
    assert!(parse(&CUBE, &lines).is_ok());
    let bars = ["1:2", "1:3"].map(String::from);
    let text = file_of(&CUBE, &lines);
    let error = Mesh::parse_with_bars(text.as_bytes(), Path::new("a.msh"), &bars).unwrap_err();
    assert!(error.to_string().starts_with(same), "{error}");
}

#[test]
fn a_file_of_points_has_no_body() {
    let error = error_of(&CUBE, &["7 15 2 1 1 1"]);
    assert!(
        error.starts_with(
            "a.msh: no line, surface or volume among its 1 elements and 8 nodes; mesh"
        ),
        "{error}"
    );
}

#[test]
fn what_the_generators_make_fills_its_space_with_sound_elements() {
    let kinds = ElementKind::ALL.into_iter().filter(|kind| kind.dimension() > 1);
    let planes = kinds.clone().filter(|kind| kind.dimension() == 2);
    let blocks = kinds.filter(|kind| kind.dimension() == 3);
    let made = planes
        .map(|kind| (Mesh::rectangle_of([2.0, 1.0], [3, 2], kind), 2.0))
        .chain(blocks.map(|kind| (Mesh::block([1.0; 3], [2.0, 3.0, 1.5], [2, 3, 2], kind), 1.0)))
        .chain([(Mesh::line(1.0, 3.0, 5), 2.0)]);
    for (mesh, expected) in made {
        let kind = mesh.kinds[mesh.element_count() - 1];
        assert!((body_measure(&mesh) - expected).abs() < SUM, "{kind:?}");
        assert!(mesh.body_elements().all(|e| measure(&mesh, e) > 0.0), "{kind:?}");
        assert_eq!(mesh.groups["body"].elements.len(), mesh.body_elements().count());
        let quality = mesh.quality().unwrap();
        assert!(quality.shape_min > 0.3 && quality.shape_mean < 1.0 + SUM, "{kind:?} {quality:?}");
    }
}

#[test]
fn the_table_of_a_mesh_shows_what_it_holds() {
    let shown = |name: &str| {
        let program = env!("CARGO_BIN_EXE_delassus");
        let output = Command::new(program).arg("mesh").arg(data(name)).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let bricks = shown("bricks_v41_ascii.msh");
    assert!(bricks.contains("counts    36 nodes, 12 hexahedra, 6 quadrangles\n"), "{bricks}");
    assert!(bricks.contains("box       x -0.5 to 1.5, y -0.5 to 1.5, z 0 to 1\n"), "{bricks}");
    assert!(!bricks.contains("smallest angle"), "{bricks}");
    assert!(shown("box_v22_ascii.msh").contains("smallest angle between faces "));
    assert!(shown("mixed_plane_v22_ascii.msh").contains("box       x 0 to 2, y 0 to 1\n"));
}
