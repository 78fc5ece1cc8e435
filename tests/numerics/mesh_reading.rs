//! Reads the same mesh from every format, and never trusts a file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use delassus::mesh::{ElementKind, Mesh, MeshError};

use crate::support::extent::measure;

/// The four formats of `two_blocks.geo`.
const FORMATS: [&str; 4] = [
    "two_blocks_v41_ascii.msh",
    "two_blocks_v41_binary.msh",
    "two_blocks_v22_ascii.msh",
    "two_blocks_v22_binary.msh",
];

/// Files of other kinds of elements, from the `.geo` files of their names.
const OTHER_KINDS: [&str; 6] = [
    "box_v22_ascii.msh",
    "box_order2_v22_binary.msh",
    "bricks_v41_ascii.msh",
    "disc_order2_v41_ascii.msh",
    "mixed_plane_v41_binary.msh",
    "tripod_v41_ascii.msh",
];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(name: &str) -> Mesh {
    Mesh::read(&data(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// Text has 16 digits, binary all of them: coordinates below 2 differ by 1e-15 at most.
fn assert_same_but_for_digits(mut found: Mesh, expected: &Mesh, name: &str) {
    assert_eq!(found.points.len(), expected.points.len(), "{name}");
    for (found, expected) in found.points.iter_mut().zip(&expected.points) {
        for axis in 0..3 {
            assert!(
                (found[axis] - expected[axis]).abs() <= 1e-15,
                "{name}: {found:?} is not {expected:?}"
            );
        }
        *found = *expected;
    }
    assert_eq!(&found, expected, "{name}");
}

#[test]
fn all_four_formats_give_the_same_mesh() {
    let expected = read(FORMATS[0]);
    for name in FORMATS {
        assert_same_but_for_digits(read(name), &expected, name);
    }
}

#[test]
fn the_two_blocks_are_read_with_their_groups() {
    let mesh = read(FORMATS[0]);
    assert_eq!(mesh.dimension, 2);
    assert_eq!(mesh.node_count(), 20);
    assert_eq!(mesh.body_elements().count(), 26);
    assert_eq!(mesh.element_count(), 35);
    assert_eq!(mesh.bounding_box(), ([0.0, 0.0, 0.0], [1.75, 1.0, 0.0]));
    assert!(mesh.notices.is_empty(), "{:?}", mesh.notices);
    let names: Vec<&str> = mesh.groups.keys().map(String::as_str).collect();
    assert_eq!(names, ["1:12", "contact", "pin", "soft", "stiff", "wall left"]);
    let sizes = |name: &str| {
        let group = mesh.group(name).unwrap();
        (group.dimension, group.elements.len(), group.nodes.len())
    };
    assert_eq!(sizes("1:12"), (1, 2, 3));
    assert_eq!(sizes("contact"), (1, 4, 5));
    assert_eq!(sizes("wall left"), (1, 2, 3));
    assert_eq!(sizes("pin"), (0, 1, 1));
    assert_eq!(sizes("soft"), (2, 14, 12));
    assert_eq!(sizes("stiff"), (2, 12, 11));
    assert_eq!(mesh.group("ceiling"), None);
    assert_eq!(mesh.group("contact").unwrap().nodes, [0, 1, 2, 6, 7]);
}

#[test]
fn the_body_covers_its_area_counter_clockwise() {
    for name in FORMATS {
        let mesh = read(name);
        let area: f64 = mesh.body_elements().map(|e| measure(&mesh, e)).sum();
        assert!((area - 1.75).abs() < 1e-14, "{name}: the area is {area}");
        assert!(
            mesh.body_elements()
                .all(|e| mesh.kinds[e] == ElementKind::Triangle3 && measure(&mesh, e) > 0.0)
        );
    }
}

/// Saved with Mesh.SaveAll = 1: curves without a physical group, and a point on no surface.
#[test]
fn entities_without_a_group_are_kept_and_stray_nodes_dropped() {
    let all = read("two_blocks_v41_all.msh");
    let few = read(FORMATS[0]);
    assert_eq!(all.points, few.points);
    assert_eq!(all.body_elements().count(), few.body_elements().count());
    assert_eq!(
        all.notices,
        [
            "dropped 1 node in no body element: 7",
            "dropped 1 element of lower dimension on nodes in no body element: 7",
        ]
    );
    assert!(all.element_count() > few.element_count());
    for (name, group) in &few.groups {
        assert_eq!(all.groups[name].nodes, group.nodes, "{name}");
    }
}

/// Gmsh writes 0 for every physical group to format 2.2 with Mesh.SaveAll = 1.
#[test]
fn groups_that_format_2_lost_are_told() {
    let mesh = read("two_blocks_v22_all.msh");
    assert_eq!(mesh.points, read(FORMATS[0]).points);
    assert!(
        mesh.notices[0].contains("format 2.2 loses them with Mesh.SaveAll = 1"),
        "{:?}",
        mesh.notices
    );
    assert!(mesh.groups.values().all(|group| group.elements.is_empty()));
}

/// Format 2.2 repeats the elements of several groups under other numbers; the body must not count twice.
#[test]
fn elements_in_several_groups_are_read_once() {
    let four = read("shared_groups_v41.msh");
    let two = read("shared_groups_v22.msh");
    assert_eq!(four.body_elements().count(), 4);
    assert_eq!(four.groups["body"], four.groups["everything"]);
    assert_eq!(four.groups["bottom and right"].nodes, [0, 1, 2]);
    assert_eq!(two.groups, four.groups);
    assert_eq!(two.kinds, four.kinds);
    assert_eq!(two.points, four.points);
    for e in four.body_elements() {
        assert_eq!(two.nodes_of(e), four.nodes_of(e));
    }
}

#[test]
fn the_mesh_of_the_sliding_block_is_read() {
    let mesh = read("../../meshes/sliding_block.msh");
    assert_eq!(mesh.node_count(), 1227);
    assert_eq!(mesh.body_elements().count(), 2322);
    assert_eq!(mesh.groups["contact"].nodes.len(), 41);
    assert_eq!(mesh.groups["left"].nodes.len(), 26);
    assert_eq!(mesh.groups["block"].elements.len(), 2322);
    assert_eq!(mesh.groups["block"].nodes.len(), 1227);
    assert_eq!(mesh.groups["top"].dimension, 1);
    assert_eq!(mesh.groups.len(), 4);
    assert!(mesh.notices.is_empty(), "{:?}", mesh.notices);
    let quality = mesh.quality().unwrap();
    assert!(quality.shape_min > 0.5 && quality.shape_mean > 0.9, "{quality:?}");
    assert!(quality.edge_min > 0.5 && quality.edge_max < 2.0, "{quality:?}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Mesh::read(&data("no_such.msh")).unwrap_err();
    assert!(matches!(error, MeshError::Unreadable { .. }));
    assert!(error.to_string().contains("no_such.msh: cannot read the mesh"), "{error}");
    assert_eq!(error.path(), data("no_such.msh"));
}

#[test]
fn a_text_file_cut_in_its_nodes_is_told_by_line() {
    let bytes = std::fs::read(data(FORMATS[2])).unwrap();
    let end = find(&bytes, b"$EndNodes");
    let error = Mesh::parse(&bytes[..end - 1], Path::new("cut.msh")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cut.msh:33: $Nodes: expected $EndNodes, the file ends; was it truncated? save it again with gmsh"
    );
}

#[test]
fn a_binary_file_cut_in_its_nodes_is_told_by_byte() {
    let bytes = std::fs::read(data(FORMATS[1])).unwrap();
    let length = find(&bytes, b"\n$EndNodes") - 4;
    let error = Mesh::parse(&bytes[..length], Path::new("cut.msh")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cut.msh: byte 2054: $Nodes: 3 nodes announced, but the rest of the file holds 2 at most; \
         was it truncated? save it again with gmsh"
    );
}

fn find(bytes: &[u8], word: &[u8]) -> usize {
    bytes
        .windows(word.len())
        .position(|window| window == word)
        .expect("the word stands in the file")
}

/// `$Elements` comes last in these files, so only what follows its closing word may be missing.
#[test]
fn a_file_cut_anywhere_is_an_error() {
    for name in FORMATS.into_iter().chain(OTHER_KINDS) {
        let bytes = std::fs::read(data(name)).unwrap();
        let needed = find(&bytes, b"$EndElements") + b"$EndElements".len();
        for length in 0..=bytes.len() {
            let outcome = Mesh::parse(&bytes[..length], Path::new("cut.msh"));
            assert_eq!(
                outcome.is_ok(),
                length >= needed,
                "{name} cut at {length} of {}",
                bytes.len()
            );
        }
    }
}

/// 2000 files with one to four bytes changed: whatever comes out, it comes soon and without a panic.
#[test]
fn a_file_with_changed_bytes_is_read_or_refused() {
    let mut random = XorShift(0x9E37_79B9_7F4A_7C15);
    for name in FORMATS.into_iter().chain(OTHER_KINDS) {
        let bytes = std::fs::read(data(name)).unwrap();
        let begin = Instant::now();
        let mut refused = 0;
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(4) {
                let position = random.below(changed.len());
                changed[position] ^= 1 + random.below(255) as u8;
            }
            match Mesh::parse(&changed, Path::new("changed.msh")) {
                Ok(mesh) => assert_sound(&mesh),
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().starts_with("changed.msh"), "{error}");
                }
            }
        }
        assert!(refused > 200, "{name}: only {refused} of 2000 refused");
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: took {:?}", begin.elapsed());
    }
}

/// Every number of a text file in turn becomes one that no file can keep.
#[test]
fn a_lying_number_is_read_or_refused() {
    for name in [FORMATS[0], FORMATS[2], "mixed_plane_v22_ascii.msh", "bricks_v41_ascii.msh"] {
        let text = std::fs::read_to_string(data(name)).unwrap();
        let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for position in 0..words.len() {
            for lie in ["999999999999", "18446744073709551615", "-1", "4294967296", "nan", ""] {
                let end = if words[position].ends_with('\n') { "\n" } else { " " };
                let word = format!("{lie}{end}");
                let lying = [&words[..position], &[word.as_str()], &words[position + 1..]]
                    .concat()
                    .concat();
                if let Ok(mesh) = Mesh::parse(lying.as_bytes(), Path::new("lying.msh")) {
                    assert_sound(&mesh);
                }
            }
        }
    }
}

/// What the rest of the program relies on.
fn assert_sound(mesh: &Mesh) {
    let (nodes, elements) = (mesh.node_count() as u32, mesh.element_count() as u32);
    assert_eq!(mesh.node_tags.len(), mesh.points.len());
    assert_eq!(mesh.element_tags.len(), mesh.kinds.len());
    assert_eq!(mesh.offsets.len(), mesh.kinds.len() + 1);
    assert!(mesh.connectivity.iter().all(|&node| node < nodes));
    for (e, kind) in mesh.kinds.iter().enumerate() {
        assert_eq!(mesh.nodes_of(e).len(), kind.nodes());
    }
    assert!(mesh.points.iter().flatten().all(|coordinate| coordinate.is_finite()));
    assert!(mesh.body_elements().all(|e| measure(mesh, e) > 0.0));
    for group in mesh.groups.values() {
        assert!(
            group.elements.is_sorted_by(|a, b| a < b)
                && group.elements.iter().all(|&e| e < elements)
        );
        assert!(
            group.nodes.is_sorted_by(|a, b| a < b) && group.nodes.iter().all(|&node| node < nodes)
        );
        assert!(
            group.elements.iter().all(|&e| mesh.kinds[e as usize].dimension() == group.dimension)
        );
    }
}

/// Marsaglia's generator, so that every run changes the same bytes.
struct XorShift(u64);

impl XorShift {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
