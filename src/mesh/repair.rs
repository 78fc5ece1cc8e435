//! What is mended in a mesh after reading, each with a notice, and what is refused.

use std::path::Path;

use super::error::MeshError;
use super::{ElementKind, Mesh};

/// Area of a triangle, relative to its longest edge squared, at which it counts as degenerate.
const DEGENERATE: f64 = 1e-12;

/// Distance from the plane z = 0, relative to the size of the mesh, that counts as rounding.
const PLANE_ROUNDING: f64 = 1e-12;

/// Drops what the body does not use, flattens, turns triangles, completes the groups.
pub(super) fn repair(mesh: &mut Mesh, path: &Path) -> Result<(), MeshError> {
    require_body(mesh, path)?;
    drop_unused_nodes(mesh);
    flatten(mesh, path)?;
    refuse_degenerate(mesh, path)?;
    turn_inverted(mesh);
    complete_groups(mesh);
    Ok(())
}

/// The plane is the only space there is yet, so the body must be of triangles.
fn require_body(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    if mesh.dimension == 2 {
        return Ok(());
    }
    let (elements, nodes) = (mesh.element_count(), mesh.node_count());
    Err(MeshError::NoBody { path: path.to_path_buf(), elements, nodes })
}

/// Drops nodes that are in no element of the body, and elements of lower dimension on them.
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
    mesh.notices.push(format!(
        "dropped {} in no triangle: {}",
        counted(dropped.len(), "node"),
        first_few(&dropped)
    ));
    if !dropped_elements.is_empty() {
        let count = counted(dropped_elements.len(), "point or line element");
        mesh.notices.push(format!(
            "dropped {count} on nodes in no triangle: {}",
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
    for group in mesh.groups.values_mut() {
        group.elements.retain(|&e| kept[e as usize]);
        for e in &mut group.elements {
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

/// Sets z = 0 where it is zero to rounding.
fn flatten(mesh: &mut Mesh, path: &Path) -> Result<(), MeshError> {
    let (lower, upper) = mesh.bounding_box();
    let size = (upper[0] - lower[0]).max(upper[1] - lower[1]);
    let tolerance = PLANE_ROUNDING * size;
    for (point, &node) in mesh.points.iter_mut().zip(&mesh.node_tags) {
        let z = point[2];
        if z.abs() > tolerance {
            return Err(MeshError::OutOfPlane { path: path.to_path_buf(), node, z, tolerance });
        }
        point[2] = 0.0;
    }
    Ok(())
}

/// Refuses triangles without area and lines without length.
fn refuse_degenerate(mesh: &Mesh, path: &Path) -> Result<(), MeshError> {
    for e in 0..mesh.element_count() {
        let (measure, smallest, longest_edge) = match mesh.kinds[e] {
            ElementKind::Point1 => continue,
            ElementKind::Line2 => {
                let nodes = mesh.nodes_of(e);
                let length =
                    distance(mesh.points[nodes[0] as usize], mesh.points[nodes[1] as usize]);
                (length, 0.0, length)
            }
            ElementKind::Triangle3 => {
                let corners = mesh.triangle(e);
                let longest = longest_edge(corners);
                (signed_area(corners).abs(), DEGENERATE * longest * longest, longest)
            }
        };
        // The negation also refuses NaN, which coordinates near the largest number give.
        let sound = measure > smallest;
        if !sound {
            let (path, element) = (path.to_path_buf(), mesh.element_tags[e]);
            return Err(MeshError::DegenerateElement { path, element, measure, longest_edge });
        }
    }
    Ok(())
}

/// Turns triangles whose nodes run clockwise.
fn turn_inverted(mesh: &mut Mesh) {
    let inverted: Vec<usize> = mesh
        .body_elements()
        .filter(|&e| mesh.kinds[e] == ElementKind::Triangle3 && signed_area(mesh.triangle(e)) < 0.0)
        .collect();
    for &e in &inverted {
        let first = mesh.offsets[e] as usize;
        mesh.connectivity.swap(first + 1, first + 2);
    }
    if !inverted.is_empty() {
        let tags: Vec<u64> = inverted.iter().map(|&e| mesh.element_tags[e]).collect();
        let count = counted(inverted.len(), "clockwise triangle");
        mesh.notices.push(format!("turned {count} counter-clockwise: {}", first_few(&tags)));
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

/// Area in the plane, positive if the corners run counter-clockwise.
fn signed_area([a, b, c]: [[f64; 3]; 3]) -> f64 {
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
}

fn longest_edge([a, b, c]: [[f64; 3]; 3]) -> f64 {
    distance(a, b).max(distance(b, c)).max(distance(c, a))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
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
            notices: Vec::new(),
        }
    }

    fn repaired(mut mesh: Mesh) -> Mesh {
        repair(&mut mesh, Path::new("a.msh")).unwrap();
        mesh
    }

    fn error_of(mut mesh: Mesh) -> String {
        repair(&mut mesh, Path::new("a.msh")).unwrap_err().to_string()
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
            "dropped 1 node in no triangle: 99".to_string(),
            "dropped 1 point or line element on nodes in no triangle: 13".to_string(),
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
        assert_eq!(mesh.notices, ["turned 1 clockwise triangle counter-clockwise: 12"]);
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
    fn a_mesh_without_triangles_has_no_body() {
        let mesh = Mesh { dimension: 1, ..Mesh::default() };
        assert!(error_of(mesh).starts_with("a.msh: no triangle among its 0 elements and 0 nodes"));
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
                .starts_with("a.msh: node 102 has z = -0.0000000000011, but a plane mesh")
        );
    }

    #[test]
    fn a_notice_shows_five_numbers_at_most() {
        assert_eq!(first_few(&[1, 2, 3, 4, 5]), "1, 2, 3, 4, 5");
        assert_eq!(first_few(&[1, 2, 3, 4, 5, 6]), "1, 2, 3, 4, 5, …");
    }
}
