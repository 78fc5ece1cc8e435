//! The sections of Gmsh format 2.2: flat lists, and each element carries its physical group.

use super::cursor::{Cursor, Encoding, Footprint};
use super::error::MeshError;
use super::gmsh::require_kind;
use super::raw::RawMesh;

/// `$Nodes`: number and three coordinates each.
pub(super) fn read_nodes(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let each = Footprint { numbers: 4, bytes: 4 + 3 * 8 };
    let count = cursor.read_text_count("nodes", each)?;
    raw.reserve_nodes(count);
    for _ in 0..count {
        let tag = cursor.read_short_u64("the number of a node")?;
        let point = cursor.read_point()?;
        raw.push_node(tag, point, cursor)?;
    }
    Ok(())
}

/// `$Elements`: in text one header per element, in binary one per run of elements of one type.
pub(super) fn read_elements(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    raw.repeats_per_group = true;
    let each = Footprint { numbers: 4, bytes: 2 * 4 };
    let count = cursor.read_text_count("elements", each)?;
    match cursor.encoding() {
        Encoding::Ascii => (0..count).try_for_each(|_| read_text_element(cursor, raw)),
        Encoding::LittleEndian | Encoding::BigEndian => read_binary_runs(cursor, raw, count),
    }
}

fn read_text_element(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let tag = cursor.read_short_u64("the number of an element")?;
    let gmsh_type = cursor.read_i32("the type of an element")?;
    let tag_count = cursor.read_short_u64("the number of tags of an element")?;
    read_element(cursor, raw, ElementHeader { tag, gmsh_type, tag_count })
}

fn read_binary_runs(cursor: &mut Cursor, raw: &mut RawMesh, count: usize) -> Result<(), MeshError> {
    let mut found = 0;
    while found < count {
        let gmsh_type = cursor.read_i32("the type of a run of elements")?;
        let length = cursor.read_short_u64("the length of a run of elements")?;
        let tag_count = cursor.read_short_u64("the number of tags of an element")?;
        let length =
            cursor.check_room(length, "elements", Footprint { numbers: 2, bytes: 2 * 4 })?;
        found += length;
        if found > count {
            let (announced, found) = (count as u64, found as u64);
            return Err(MeshError::CountMismatch {
                place: cursor.place(),
                things: "elements",
                announced,
                found,
            });
        }
        for _ in 0..length {
            let tag = cursor.read_short_u64("the number of an element")?;
            read_element(cursor, raw, ElementHeader { tag, gmsh_type, tag_count })?;
        }
    }
    Ok(())
}

/// What comes before the tags of an element.
struct ElementHeader {
    tag: u64,
    gmsh_type: i32,
    tag_count: u64,
}

/// Tags and nodes. The first tag is the physical group or 0, the second the entity; partitions may follow.
fn read_element(
    cursor: &mut Cursor,
    raw: &mut RawMesh,
    header: ElementHeader,
) -> Result<(), MeshError> {
    let kind = require_kind(header.gmsh_type, header.tag, cursor)?;
    let (mut physical, mut entity) = (0, 0);
    for position in 0..header.tag_count {
        let value = cursor.read_i32("a tag of an element")?;
        match position {
            0 => physical = value.unsigned_abs(),
            1 => entity = value,
            _ => {}
        }
    }
    let groups: &[u32] = if physical == 0 { &[] } else { &[physical] };
    let block = raw.block_for(kind, entity, groups);
    block.tags.push(header.tag);
    for _ in 0..kind.nodes() {
        block.nodes.push(cursor.read_short_u64("a node of an element")?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Mesh, gmsh};
    use super::*;

    fn parse(elements: &str) -> Result<Mesh, MeshError> {
        let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
        let text = format!("{head}$Elements\n{elements}\n$EndElements\n");
        gmsh::parse(text.as_bytes(), Path::new("a.msh"))
    }

    #[test]
    fn an_element_listed_once_per_group_is_one_element_in_both_groups() {
        for second in ["8 2 2 5 1 1 2 3", "7 2 2 5 1 1 2 3", "8 2 2 5 1 2 1 3"] {
            let mesh = parse(&format!("2 7 2 2 4 1 1 2 3 {second}")).unwrap();
            assert_eq!(mesh.element_tags, [7], "{second}");
            assert_eq!(mesh.groups["2:4"].elements, [0]);
            assert_eq!(mesh.groups["2:5"].elements, [0]);
        }
    }

    #[test]
    fn triangles_on_each_other_from_two_surfaces_are_refused() {
        let error = parse("2 7 2 2 4 1 1 2 3 8 2 2 4 2 3 1 2").unwrap_err().to_string();
        assert!(error.contains("elements 7 and 8 have the same nodes"), "{error}");
    }

    #[test]
    fn two_elements_of_one_number_are_refused() {
        let error = parse("2 7 2 2 4 1 1 2 3 7 1 2 4 1 1 2").unwrap_err().to_string();
        assert!(error.contains("element 7 is defined twice"), "{error}");
    }

    #[test]
    fn partitions_and_missing_tags_are_tolerated() {
        let mesh = parse("2 7 2 4 4 1 1 1 1 2 3 8 1 0 1 2").unwrap();
        assert_eq!(mesh.element_count(), 2);
        assert_eq!(mesh.groups.len(), 1);
    }

    #[test]
    fn prisms_are_refused_by_number_and_name() {
        let error = parse("1 7 6 2 4 1 1 2 3 1 2 3").unwrap_err().to_string();
        assert!(error.contains("$Elements: element 7 is a 6-node prism (gmsh type 6)"), "{error}");
        assert!(error.contains("Recombine"), "{error}");
    }

    #[test]
    fn an_element_on_a_missing_node_is_refused() {
        let error = parse("1 7 2 2 4 1 1 2 99").unwrap_err().to_string();
        assert!(error.contains("element 7 refers to node 99, which is not in $Nodes"), "{error}");
    }

    #[test]
    fn one_element_too_few_is_truncated_or_unexpected() {
        let error = parse("3 7 2 2 4 1 1 2 3 8 1 0 1 2").unwrap_err().to_string();
        assert!(
            error.contains("expected the number of an element, found '$EndElements'"),
            "{error}"
        );
        let error = parse("1 7 2 2 4 1 1 2 3 8 1 0 1 2").unwrap_err().to_string();
        assert!(error.contains("expected $EndElements, found '8'"), "{error}");
    }

    /// Byte by byte as a big-endian machine writes it; Gmsh here writes the other order.
    #[test]
    fn big_endian_files_are_read() {
        let mut bytes = b"$MeshFormat\n2.2 1 8\n\0\0\0\x01\n$EndMeshFormat\n$Nodes\n3\n".to_vec();
        for (tag, point) in [(1, [0.0, 0.0, 0.0]), (2, [1.0, 0.0, 0.0]), (3, [0.0, 0.5, 0.0])] {
            bytes.extend(i32::to_be_bytes(tag));
            bytes.extend(point.into_iter().flat_map(f64::to_be_bytes));
        }
        bytes.extend(b"\n$EndNodes\n$Elements\n1\n");
        bytes.extend([2, 1, 2, 7, 4, 1, 1, 2, 3].into_iter().flat_map(i32::to_be_bytes));
        bytes.extend(b"\n$EndElements\n");
        let mesh = Mesh::parse(&bytes, Path::new("a.msh")).unwrap();
        assert_eq!(mesh.points, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]]);
        assert_eq!(mesh.nodes_of(0), [0, 1, 2]);
        assert_eq!(mesh.element_tags, [7]);
        assert_eq!(mesh.groups["2:4"].nodes, [0, 1, 2]);
    }

    #[test]
    fn a_binary_run_longer_than_the_section_is_refused() {
        let mut bytes =
            b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Elements\n1\n".to_vec();
        bytes.extend([2, 2, 0, 7, 1, 2, 3, 8, 1, 2, 3].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend(b"\n$EndElements\n");
        let error = Mesh::parse(&bytes, Path::new("a.msh")).unwrap_err().to_string();
        assert!(error.contains("1 elements announced, but the blocks hold 2"), "{error}");
    }
}
