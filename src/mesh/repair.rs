//! What is mended in a mesh after reading, each with a notice, and what is refused.

use std::path::Path;

use super::error::MeshError;
use super::jacobian::DEGENERATE;
use super::{ElementKind, Mesh};

/// Distance from a coordinate plane, relative to the size of the mesh, that counts as rounding.
const PLANE_ROUNDING: f64 = 1e-12;

/// Finds the bars, drops what the body does not use, flattens, turns elements, completes the groups.
pub(super) fn repair(mesh: &mut Mesh, path: &Path, bars: &[String]) -> Result<(), MeshError> {
    require_body(mesh, path)?;
    collect_bars(mesh, bars);
    refuse_doubled_bars(mesh, path)?;
    drop_unused_nodes(mesh);
    settle_dimension(mesh, path)?;
    refuse_degenerate(mesh, path)?;
    turn_inverted(mesh);
    refuse_folded(mesh, path)?;
    complete_groups(mesh);
    Ok(())
}

/// Points alone make no body.
fn require_body(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    if mesh.element_dimension() > 0 {
        return Ok(());
    }
    let (elements, nodes) = (mesh.element_count(), mesh.node_count());
    Err(MeshError::NoBody { path: path.to_path_buf(), elements, nodes })
}

/// The lines of the groups of that name; groups that are missing or not of lines are passed over.
fn collect_bars(mesh: &mut Mesh, names: &[String]) {
    let groups = names.iter().filter_map(|name| mesh.groups.get(name));
    let lines = groups.filter(|group| group.dimension == 1);
    mesh.bars = lines.flat_map(|group| &group.elements).copied().collect();
    mesh.bars.sort_unstable();
    mesh.bars.dedup();
}

/// Lines may lie on each other unless they carry mass.
fn refuse_doubled_bars(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    let ends = |&e: &u32| {
        let nodes = mesh.nodes_of(e as usize);
        (nodes[0].min(nodes[1]), nodes[0].max(nodes[1]), nodes.get(2).copied())
    };
    let mut sorted: Vec<_> = mesh.bars.iter().map(|e| (ends(e), *e)).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(()),
        Some(pair) => {
            let [first, second] = [0, 1].map(|i| mesh.element_tags[pair[i].1 as usize]);
            Err(MeshError::OverlappingElements { path: path.to_path_buf(), first, second })
        }
    }
}

/// Drops nodes that are in no element of the body, and other elements on them.
fn drop_unused_nodes(mesh: &mut Mesh) {
    let mut used = vec![false; mesh.node_count()];
    for e in mesh.body_elements() {
        for &node in mesh.nodes_of(e) {
            used[node as usize] = true;
        }
    }
    let dropped: Vec<u64> = unmarked(&used, &mesh.node_tags).collect();
    if dropped.is_empty() {
        return;
    }
    let kept: Vec<bool> = (0..mesh.element_count())
        .map(|e| mesh.nodes_of(e).iter().all(|&node| used[node as usize]))
        .collect();
    let dropped_elements: Vec<u64> = unmarked(&kept, &mesh.element_tags).collect();
    drop_elements(mesh, &kept);
    drop_nodes(mesh, &used);
    let count = counted(dropped.len(), "node");
    mesh.notices.push(format!("dropped {count} in no body element: {}", first_few(&dropped)));
    if !dropped_elements.is_empty() {
        let count = counted(dropped_elements.len(), "element");
        mesh.notices.push(format!(
            "dropped {count} of lower dimension on nodes in no body element: {}",
            first_few(&dropped_elements)
        ));
    }
}

fn unmarked<'a>(marks: &'a [bool], tags: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    marks.iter().zip(tags).filter(|(marked, _)| !**marked).map(|(_, &tag)| tag)
}

fn drop_elements(mesh: &mut Mesh, kept: &[bool]) {
    let renumbered = renumber(kept);
    let mut connectivity = Vec::with_capacity(mesh.connectivity.len());
    let mut offsets = vec![0];
    for e in (0..mesh.element_count()).filter(|&e| kept[e]) {
        connectivity.extend_from_slice(mesh.nodes_of(e));
        offsets.push(connectivity.len() as u32);
    }
    mesh.connectivity = connectivity;
    mesh.offsets = offsets;
    keep_marked(&mut mesh.kinds, kept);
    keep_marked(&mut mesh.element_tags, kept);
    for list in mesh.groups.values_mut().map(|group| &mut group.elements).chain([&mut mesh.bars]) {
        list.retain(|&e| kept[e as usize]);
        for e in list {
            *e = renumbered[*e as usize];
        }
    }
}

fn drop_nodes(mesh: &mut Mesh, used: &[bool]) {
    let renumbered = renumber(used);
    for node in &mut mesh.connectivity {
        *node = renumbered[*node as usize];
    }
    keep_marked(&mut mesh.points, used);
    keep_marked(&mut mesh.node_tags, used);
}

/// The new index of each marked item; what it says of others means nothing.
fn renumber(marks: &[bool]) -> Vec<u32> {
    let mut next = 0;
    marks
        .iter()
        .map(|&marked| {
            let index = next;
            next += u32::from(marked);
            index
        })
        .collect()
}

fn keep_marked<T>(items: &mut Vec<T>, marks: &[bool]) {
    let mut marks = marks.iter();
    items.retain(|_| marks.next().is_some_and(|&marked| marked));
}

/// Finds the space the body lives in, and sets coordinates beyond it to zero.
///
/// Volumes live in space, surfaces in the plane z = 0. A truss lives in as few dimensions as hold it.
fn settle_dimension(mesh: &mut Mesh, path: &Path) -> Result<(), MeshError> {
    let highest = mesh.element_dimension();
    mesh.dimension = highest;
    if highest == 1 {
        mesh.dimension = (1..3).find(|&d| outlier(mesh, d).is_none()).unwrap_or(3);
    } else if let Some(outlier) = outlier(mesh, highest) {
        let Outlier { node, coordinate: z, tolerance } = outlier;
        let node = mesh.node_tags[node];
        return Err(MeshError::OutOfPlane { path: path.to_path_buf(), node, z, tolerance });
    }
    for point in &mut mesh.points {
        point[mesh.dimension..].fill(0.0);
    }
    Ok(())
}

/// A coordinate that should vanish and does not.
struct Outlier {
    node: usize,
    coordinate: f64,
    tolerance: f64,
}

/// The first node with a coordinate beyond `dimension` that is not zero to rounding.
fn outlier(mesh: &Mesh, dimension: usize) -> Option<Outlier> {
    let (lower, upper) = mesh.bounding_box();
    let size = (0..dimension).map(|axis| upper[axis] - lower[axis]).fold(0.0, f64::max);
    let tolerance = PLANE_ROUNDING * size;
    mesh.points.iter().enumerate().find_map(|(node, point)| {
        let beyond = point[dimension..].iter().find(|coordinate| coordinate.abs() > tolerance);
        beyond.map(|&coordinate| Outlier { node, coordinate, tolerance })
    })
}

/// Refuses elements without length, area or volume.
fn refuse_degenerate(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    let moving = (0..mesh.element_count()).filter(|&e| mesh.kinds[e] != ElementKind::Point1);
    for e in moving {
        let extent = mesh.extent(e);
        // The negation also refuses NaN, which coordinates near the largest number give.
        let sound = extent.measure.abs() > DEGENERATE * extent.scale(mesh.kinds[e].dimension());
        if !sound {
            return Err(MeshError::DegenerateElement {
                path: path.to_path_buf(),
                element: mesh.element_tags[e],
                measure: extent.measure.abs(),
                longest_edge: extent.longest_edge,
            });
        }
    }
    Ok(())
}

/// Turns elements of the body whose nodes run the wrong way round.
fn turn_inverted(mesh: &mut Mesh) {
    let inverted: Vec<usize> =
        mesh.body_elements().filter(|&e| mesh.extent(e).measure < 0.0).collect();
    for &e in &inverted {
        let nodes = mesh.nodes_of(e).to_vec();
        let first = mesh.offsets[e] as usize;
        for (position, &node) in mesh.kinds[e].turned().iter().enumerate() {
            mesh.connectivity[first + position] = nodes[node];
        }
    }
    if !inverted.is_empty() {
        let tags: Vec<u64> = inverted.iter().map(|&e| mesh.element_tags[e]).collect();
        let count = counted(inverted.len(), "inverted element");
        mesh.notices.push(format!("turned {count}: {}", first_few(&tags)));
    }
}

/// Refuses elements of the body that turn over within themselves.
fn refuse_folded(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    for e in mesh.body_elements() {
        let (extent, kind) = (mesh.extent(e), mesh.kinds[e]);
        let jacobian = extent.smallest / extent.scale(kind.dimension());
        let sound = jacobian > DEGENERATE;
        if !sound {
            return Err(MeshError::FoldedElement {
                path: path.to_path_buf(),
                element: mesh.element_tags[e],
                kind: kind.name(),
                jacobian,
                remedy: unfold(kind),
            });
        }
    }
    Ok(())
}

/// What to do about a folded element of that kind.
fn unfold(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Line3 | ElementKind::Triangle6 | ElementKind::Tetrahedron10 => {
            "refine the mesh at the curved boundary, or mesh with Mesh.HighOrderOptimize = 2 or with order 1"
        }
        ElementKind::Quadrangle4 => {
            "refine the mesh there, or mesh with triangles: remove Recombine from the .geo"
        }
        ElementKind::Hexahedron8 => {
            "refine the mesh there, or mesh with tetrahedra: remove Recombine from the .geo"
        }
        ElementKind::Point1
        | ElementKind::Line2
        | ElementKind::Triangle3
        | ElementKind::Tetrahedron4 => "repair the mesh there",
    }
}

/// Puts the elements of each group in order and collects their nodes.
fn complete_groups(mesh: &mut Mesh) {
    let mut groups = std::mem::take(&mut mesh.groups);
    for (name, group) in &mut groups {
        group.elements.sort_unstable();
        group.elements.dedup();
        group.nodes =
            group.elements.iter().flat_map(|&e| mesh.nodes_of(e as usize)).copied().collect();
        group.nodes.sort_unstable();
        group.nodes.dedup();
        if group.elements.is_empty() {
            mesh.notices.push(format!("physical group '{name}' has no elements"));
        }
    }
    mesh.groups = groups;
}

/// "1 node", "2 nodes".
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The first numbers, and a sign if there are more.
fn first_few(tags: &[u64]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = tags.iter().take(SHOWN).map(u64::to_string).collect();
    let more = if tags.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::*;

    /// A unit square of two triangles, numbered from 100, with a line on its lower side.
    fn square() -> Mesh {
        let group = |dimension, elements: &[u32]| Group {
            dimension,
            elements: elements.to_vec(),
            nodes: Vec::new(),
        };
        Mesh {
            dimension: 2,
            points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            node_tags: vec![100, 101, 102, 103],
            kinds: vec![ElementKind::Line2, ElementKind::Triangle3, ElementKind::Triangle3],
            offsets: vec![0, 2, 5, 8],
            connectivity: vec![0, 1, 0, 1, 2, 0, 2, 3],
            element_tags: vec![10, 11, 12],
            groups: [
                ("floor".to_string(), group(1, &[0])),
                ("body".to_string(), group(2, &[2, 1, 2])),
            ]
            .into(),
            ..Mesh::default()
        }
    }

    fn repaired(mut mesh: Mesh) -> Mesh {
        repair(&mut mesh, Path::new("a.msh"), &[]).unwrap();
        mesh
    }

    fn error_of(mut mesh: Mesh) -> String {
        repair(&mut mesh, Path::new("a.msh"), &[]).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_mesh_gets_its_groups_completed_and_no_notice() {
        let mesh = repaired(square());
        assert!(mesh.notices.is_empty());
        assert_eq!(mesh.groups["body"].elements, [1, 2]);
        assert_eq!(mesh.groups["body"].nodes, [0, 1, 2, 3]);
        assert_eq!(mesh.groups["floor"].nodes, [0, 1]);
    }

    #[test]
    fn unused_nodes_and_the_lines_on_them_are_dropped_with_notices() {
        let mut mesh = square();
        mesh.points.insert(0, [5.0, 5.0, 5.0]);
        mesh.node_tags.insert(0, 99);
        mesh.connectivity = vec![1, 2, 1, 2, 3, 1, 3, 4, 4, 0];
        mesh.offsets = vec![0, 2, 5, 8, 10];
        mesh.kinds.push(ElementKind::Line2);
        mesh.element_tags.push(13);
        mesh.groups.insert(
            "stray".to_string(),
            Group { dimension: 1, elements: vec![3], nodes: Vec::new() },
        );
        let mesh = repaired(mesh);
        let mut expected = repaired(square());
        expected.groups.insert("stray".to_string(), Group { dimension: 1, ..Group::default() });
        expected.notices = vec![
            "dropped 1 node in no body element: 99".to_string(),
            "dropped 1 element of lower dimension on nodes in no body element: 13".to_string(),
            "physical group 'stray' has no elements".to_string(),
        ];
        assert_eq!(mesh, expected);
    }

    #[test]
    fn clockwise_triangles_are_turned_with_a_notice() {
        let mut mesh = square();
        mesh.connectivity.swap(6, 7);
        let mesh = repaired(mesh);
        assert_eq!(mesh.nodes_of(2), [0, 2, 3]);
        assert_eq!(mesh.notices, ["turned 1 inverted element: 12"]);
    }

    #[test]
    fn triangles_without_area_and_lines_without_length_are_refused() {
        let mut mesh = square();
        mesh.points[3] = [0.5, 0.5 + 1e-13, 0.0];
        assert!(error_of(mesh).starts_with("a.msh: element 12 is degenerate"));
        let mut mesh = square();
        mesh.connectivity[1] = 0;
        assert!(error_of(mesh).starts_with("a.msh: element 10 is degenerate"));
    }

    /// The area of such a triangle overflows, so that nothing can be said of it.
    #[test]
    fn triangles_near_the_largest_number_are_refused() {
        let mut mesh = square();
        for point in &mut mesh.points {
            *point = point.map(|coordinate| coordinate * 1e300);
        }
        assert!(error_of(mesh).contains("is degenerate"));
    }

    #[test]
    fn points_alone_have_no_body() {
        let expected = "a.msh: no line, surface or volume among its 0 elements and 0 nodes";
        assert!(error_of(Mesh::default()).starts_with(expected));
        let mut mesh = Mesh::line(0.0, 1.0, 1);
        mesh.kinds = vec![ElementKind::Point1; 2];
        mesh.offsets = vec![0, 1, 2];
        assert!(error_of(mesh).contains("among its 2 elements and 2 nodes"));
    }

    #[test]
    fn the_plane_is_flat_to_rounding_of_its_size() {
        let mut mesh = square();
        mesh.points[2][2] = 0.9e-12;
        assert_eq!(repaired(mesh).points[2], [1.0, 1.0, 0.0]);
        let mut mesh = square();
        mesh.points[2][2] = -1.1e-12;
        assert!(
            error_of(mesh)
                .starts_with("a.msh: node 102 has z = -0.0000000000011, but a mesh of surfaces")
        );
    }

    #[test]
    fn a_notice_shows_five_numbers_at_most() {
        assert_eq!(first_few(&[1, 2, 3, 4, 5]), "1, 2, 3, 4, 5");
        assert_eq!(first_few(&[1, 2, 3, 4, 5, 6]), "1, 2, 3, 4, 5, …");
    }
}
