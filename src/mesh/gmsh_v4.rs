//! The sections of Gmsh format 4.1: nodes and elements in blocks, one per geometric entity.

use super::cursor::{Cursor, Footprint};
use super::error::MeshError;
use super::gmsh::require_kind;
use super::raw::{ElementBlock, RawMesh};

const INT: usize = 4;
const LONG: usize = 8;

/// Physical groups on one entity. Each repeats the entity's elements, so that a small file that lies
/// could otherwise ask for memory without bound.
const MOST_GROUPS: usize = 64;

/// The head of a block: dimension, entity, a flag or type, and a count.
const BLOCK: Footprint = Footprint { numbers: 4, bytes: 3 * INT + LONG };

/// `$Entities`: for each point, curve, surface and volume its physical groups.
pub(super) fn read_entities(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let smallest = Footprint { numbers: 5, bytes: INT + 3 * LONG + LONG };
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = cursor.read_count("entities", smallest)?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count {
            read_entity(cursor, raw, dimension)?;
        }
    }
    Ok(())
}

/// Tag, place or bounding box, physical groups, and for all but points the bounding entities.
fn read_entity(cursor: &mut Cursor, raw: &mut RawMesh, dimension: usize) -> Result<(), MeshError> {
    let int = Footprint { numbers: 1, bytes: INT };
    let tag = cursor.read_i32("the tag of an entity")?;
    let coordinates = if dimension == 0 { 3 } else { 6 };
    for _ in 0..coordinates {
        cursor.read_f64("a coordinate of an entity")?;
    }
    let group_count = cursor.read_count("physical groups of an entity", int)?;
    if group_count > MOST_GROUPS {
        let expected = format!("at most {MOST_GROUPS} physical groups on an entity");
        return Err(cursor.unexpected(&expected, &group_count.to_string()));
    }
    let mut groups = Vec::with_capacity(group_count);
    for _ in 0..group_count {
        // The sign is an orientation, which no group needs.
        groups.push(cursor.read_i32("a physical group of an entity")?.unsigned_abs());
    }
    groups.sort_unstable();
    groups.dedup();
    if dimension > 0 {
        let boundary_count = cursor.read_count("bounding entities", int)?;
        for _ in 0..boundary_count {
            cursor.read_i32("a bounding entity")?;
        }
    }
    match raw.entities.insert((dimension, tag), groups) {
        None => Ok(()),
        Some(_) => Err(cursor.unexpected(
            "each entity once",
            &format!("entity {tag} of dimension {dimension} again"),
        )),
    }
}

/// `$Nodes`: in each block first all numbers, then all coordinates.
pub(super) fn read_nodes(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let node = Footprint { numbers: 4, bytes: LONG + 3 * LONG };
    let block_count = cursor.read_count("blocks of nodes", BLOCK)?;
    let announced = cursor.read_count("nodes", node)?;
    skip_tag_range(cursor)?;
    raw.reserve_nodes(announced);
    let mut total = Total { things: "nodes", announced, found: 0 };
    let mut tags = Vec::new();
    for _ in 0..block_count {
        let dimension = read_dimension(cursor)?;
        cursor.read_i32("the entity of a block of nodes")?;
        let parametric = read_flag(cursor)?;
        let count = cursor.read_count("nodes", node)?;
        total.add(count, cursor)?;
        tags.clear();
        for _ in 0..count {
            tags.push(cursor.read_u64("the number of a node")?);
        }
        for &tag in &tags {
            let point = cursor.read_point()?;
            if parametric {
                for _ in 0..dimension {
                    cursor.read_f64("a parametric coordinate of a node")?;
                }
            }
            raw.push_node(tag, point, cursor)?;
        }
    }
    total.finish(cursor)
}

/// `$Elements`: in each block all elements of one type on one entity.
pub(super) fn read_elements(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let smallest = Footprint { numbers: 2, bytes: 2 * LONG };
    let block_count = cursor.read_count("blocks of elements", BLOCK)?;
    let announced = cursor.read_count("elements", smallest)?;
    skip_tag_range(cursor)?;
    let mut total = Total { things: "elements", announced, found: 0 };
    for _ in 0..block_count {
        let dimension = read_dimension(cursor)?;
        let entity = cursor.read_i32("the entity of a block of elements")?;
        let gmsh_type = cursor.read_i32("the type of a block of elements")?;
        let count = cursor.read_count("elements", smallest)?;
        total.add(count, cursor)?;
        if count > 0 {
            let block =
                read_element_block(cursor, BlockHead { dimension, entity, gmsh_type, count })?;
            raw.blocks.push(block);
        }
    }
    total.finish(cursor)
}

/// What comes before the elements of a block.
struct BlockHead {
    dimension: usize,
    entity: i32,
    gmsh_type: i32,
    count: usize,
}

fn read_element_block(cursor: &mut Cursor, head: BlockHead) -> Result<ElementBlock, MeshError> {
    let mut tag = cursor.read_u64("the number of an element")?;
    let kind = require_kind(head.gmsh_type, tag, cursor)?;
    if kind.dimension() != head.dimension {
        let found =
            format!("gmsh type {} on an entity of dimension {}", head.gmsh_type, head.dimension);
        return Err(cursor.unexpected("elements of their entity's dimension", &found));
    }
    let node = Footprint { numbers: 1, bytes: LONG };
    let node_count =
        cursor.check_room(head.count as u64 * kind.nodes() as u64, "nodes of elements", node)?;
    let mut block = ElementBlock::new(kind, head.entity, Vec::new());
    block.tags.reserve_exact(head.count);
    block.nodes.reserve_exact(node_count);
    for position in 0..head.count {
        if position > 0 {
            tag = cursor.read_u64("the number of an element")?;
        }
        block.tags.push(tag);
        for _ in 0..kind.nodes() {
            block.nodes.push(cursor.read_u64("a node of an element")?);
        }
    }
    Ok(block)
}

/// Smallest and largest number: a hint for readers that index by it, which this one does not.
fn skip_tag_range(cursor: &mut Cursor) -> Result<(), MeshError> {
    cursor.read_u64("the smallest number")?;
    cursor.read_u64("the largest number")?;
    Ok(())
}

fn read_dimension(cursor: &mut Cursor) -> Result<usize, MeshError> {
    let expected = "a dimension from 0 to 3";
    let value = cursor.read_i32(expected)?;
    match usize::try_from(value) {
        Ok(dimension) if dimension <= 3 => Ok(dimension),
        _ => Err(cursor.unexpected(expected, &value.to_string())),
    }
}

fn read_flag(cursor: &mut Cursor) -> Result<bool, MeshError> {
    let expected = "0 or 1 for parametric coordinates";
    match cursor.read_i32(expected)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(cursor.unexpected(expected, &other.to_string())),
    }
}

/// The total at the head of a section, and what its blocks have held so far.
struct Total {
    things: &'static str,
    announced: usize,
    found: usize,
}

impl Total {
    fn add(&mut self, count: usize, cursor: &Cursor) -> Result<(), MeshError> {
        self.found += count;
        if self.found > self.announced { Err(self.mismatch(cursor)) } else { Ok(()) }
    }

    fn finish(&self, cursor: &Cursor) -> Result<(), MeshError> {
        if self.found == self.announced { Ok(()) } else { Err(self.mismatch(cursor)) }
    }

    fn mismatch(&self, cursor: &Cursor) -> MeshError {
        let (announced, found) = (self.announced as u64, self.found as u64);
        MeshError::CountMismatch { place: cursor.place(), things: self.things, announced, found }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Mesh, gmsh};
    use super::*;

    const NODES: &str = "1 3 1 3 2 1 0 3 1 2 3 0 0 0 1 0 0 0 1 0";
    const ELEMENTS: &str = "1 1 7 7 2 1 2 1 7 1 2 3";

    fn parse(entities: &str, nodes: &str, elements: &str) -> Result<Mesh, MeshError> {
        let mut text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n".to_string();
        for (section, body) in [("Entities", entities), ("Nodes", nodes), ("Elements", elements)] {
            if !body.is_empty() {
                text += &format!("${section}\n{body}\n$End{section}\n");
            }
        }
        gmsh::parse(text.as_bytes(), Path::new("a.msh"))
    }

    fn error_of(entities: &str, nodes: &str, elements: &str) -> String {
        parse(entities, nodes, elements).unwrap_err().to_string()
    }

    #[test]
    fn files_without_entities_have_no_groups() {
        let mesh = parse("", NODES, ELEMENTS).unwrap();
        assert_eq!(mesh.element_tags, [7]);
        assert!(mesh.groups.is_empty());
    }

    #[test]
    fn an_entity_gives_its_elements_to_each_of_its_groups_once() {
        let mesh = parse("0 0 1 0 1 0 0 0 1 1 0 3 4 -5 4 0", NODES, ELEMENTS).unwrap();
        assert_eq!(mesh.groups["2:4"].elements, [0]);
        assert_eq!(mesh.groups["2:5"].elements, [0]);
    }

    #[test]
    fn sections_may_come_in_any_order() {
        let text = format!(
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n{ELEMENTS}\n$EndElements\n$Nodes\n{NODES}\n$EndNodes\n\
             $Entities\n0 0 1 0 1 0 0 0 1 1 0 1 4 0\n$EndEntities\n"
        );
        let mesh = gmsh::parse(text.as_bytes(), Path::new("a.msh")).unwrap();
        assert_eq!(mesh.groups["2:4"].elements, [0]);
    }

    #[test]
    fn elements_on_entities_that_are_not_listed_are_refused() {
        let error = error_of("0 0 1 0 9 0 0 0 1 1 0 0 0", NODES, ELEMENTS);
        assert!(
            error.contains("element 7 lies on entity 1 of dimension 2, which is not in $Entities"),
            "{error}"
        );
    }

    #[test]
    fn parametric_coordinates_are_passed_over() {
        let nodes = "1 3 1 3 2 1 1 3 1 2 3 0 0 0 .1 .2 1 0 0 .3 .4 0 1 0 .5 .6";
        assert_eq!(parse("", nodes, ELEMENTS).unwrap().points[1], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn totals_must_be_the_sum_of_the_blocks() {
        let error = error_of("", "1 2 1 3 2 1 0 3 1 2 3 0 0 0 1 0 0 0 1 0", ELEMENTS);
        assert!(error.contains("$Nodes: 2 nodes announced, but the blocks hold 3"), "{error}");
        let error = error_of("", NODES, "1 2 7 8 2 1 2 1 7 1 2 3");
        assert!(
            error.contains("$Elements: 2 elements announced, but the blocks hold 1"),
            "{error}"
        );
    }

    #[test]
    fn lying_counts_are_refused_before_anything_is_reserved() {
        let lie = "999999999999";
        for (nodes, elements) in [
            (format!("{lie} 3 1 3"), String::new()),
            (format!("1 {lie} 1 3"), String::new()),
            (format!("1 3 1 3 2 1 0 {lie} 1 2 3"), String::new()),
            (NODES.to_string(), format!("{lie} 1 7 7")),
            (NODES.to_string(), format!("1 {lie} 7 7")),
            (NODES.to_string(), format!("1 1 7 7 2 1 2 {lie} 7 1 2 3")),
        ] {
            let error = parse("", &nodes, &elements).unwrap_err();
            assert!(matches!(error, MeshError::CountBeyondFile { .. }), "{error}");
        }
        for entities in ["999999999999 0 0 0", "0 0 1 0 1 0 0 0 1 1 0 999999999999 1"] {
            let error = parse(entities, NODES, ELEMENTS).unwrap_err();
            assert!(matches!(error, MeshError::CountBeyondFile { .. }), "{error}");
        }
    }

    #[test]
    fn nodes_must_be_finite_and_defined_once() {
        for bad in ["nan", "inf", "-1e999"] {
            let error = error_of("", &format!("1 1 1 1 2 1 0 1 5 0 {bad} 0"), "");
            assert!(error.contains("$Nodes: node 5 has the coordinates (0, "), "{error}");
        }
        let error = error_of("", "1 2 1 3 2 1 0 2 5 5 0 0 0 1 0 0", "");
        assert!(error.contains("node 5 is defined twice"), "{error}");
    }

    #[test]
    fn elements_must_be_defined_once_and_lie_once() {
        let error = error_of("", NODES, "1 2 7 7 2 1 2 2 7 1 2 3 7 1 2 3");
        assert!(error.contains("element 7 is defined twice"), "{error}");
        let error = error_of("", NODES, "1 2 7 8 2 1 2 2 7 1 2 3 8 2 3 1");
        assert!(error.contains("elements 7 and 8 have the same nodes"), "{error}");
    }

    #[test]
    fn third_order_is_refused_with_the_remedy() {
        let error = error_of("", NODES, "1 1 7 7 2 1 21 1 7 1 2 3 1 2 3 1 2 3 1");
        assert!(
            error.contains("element 7 is a 10-node third order triangle (gmsh type 21)"),
            "{error}"
        );
        assert!(error.ends_with("gmsh -order 2"), "{error}");
    }

    #[test]
    fn quadrangles_of_second_order_are_refused_with_the_remedy() {
        let error = error_of("", NODES, "1 1 7 7 2 1 10 1 7 1 2 3 1 2 3 1 2 3");
        assert!(error.contains("element 7 is a 9-node second order quadrangle"), "{error}");
        assert!(error.ends_with("first order only: gmsh -order 1"), "{error}");
    }

    #[test]
    fn elements_must_have_the_dimension_of_their_entity() {
        let error = error_of("", NODES, "1 1 7 7 1 1 2 1 7 1 2 3");
        assert!(error.contains("found 'gmsh type 2 on an entity of dimension 1'"), "{error}");
    }

    #[test]
    fn an_entity_in_absurdly_many_groups_is_refused() {
        let groups = "4 ".repeat(MOST_GROUPS + 1);
        let entities = format!("0 0 1 0 1 0 0 0 1 1 0 {} {groups} 0", MOST_GROUPS + 1);
        let error = error_of(&entities, NODES, ELEMENTS);
        assert!(error.contains("at most 64 physical groups on an entity, found '65'"), "{error}");
    }
}
