//! Gmsh `.msh` files: the format line, the names of physical groups, and who reads the rest.
//!
//! Formats 4.1 and 2.2, text and binary of either byte order. Sections that are not needed here
//! are passed over, as the format asks.
//!
//! Read by hand and not with `mshio` 0.4.2, which reads neither 2.2 nor the names of physical groups,
//! and takes totals that disagree, NaN coordinates and elements on missing nodes for good.

use std::path::Path;

use super::cursor::{Cursor, Encoding, Footprint, excerpt};
use super::error::MeshError;
use super::raw::RawMesh;
use super::{ElementKind, Mesh, gmsh_v2, gmsh_v4};

/// The formats that are read.
#[derive(Clone, Copy, Debug)]
enum Version {
    /// 2.2: elements carry their physical group.
    Two,
    /// 4.1: elements lie on entities, and these carry physical groups.
    Four,
}

/// The mesh in `bytes`, as it stands there; `path` is for messages.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Mesh, MeshError> {
    let mut cursor = Cursor::new(bytes, path);
    let version = read_format(&mut cursor)?;
    let mut raw = RawMesh::default();
    while let Some(section) = cursor.open_section()? {
        match (section, version) {
            ("$PhysicalNames", _) => read_physical_names(&mut cursor, &mut raw)?,
            ("$Nodes", Version::Two) => gmsh_v2::read_nodes(&mut cursor, &mut raw)?,
            ("$Nodes", Version::Four) => gmsh_v4::read_nodes(&mut cursor, &mut raw)?,
            ("$Elements", Version::Two) => gmsh_v2::read_elements(&mut cursor, &mut raw)?,
            ("$Elements", Version::Four) => gmsh_v4::read_elements(&mut cursor, &mut raw)?,
            ("$Entities", Version::Four) => gmsh_v4::read_entities(&mut cursor, &mut raw)?,
            ("$ParametricNodes", Version::Two) => {
                return Err(unsupported_format(&cursor, "2.2 with parametric nodes"));
            }
            ("$MeshFormat", _) => {
                return Err(cursor.unexpected("a single $MeshFormat", "a second one"));
            }
            (_, _) => {
                cursor.skip_section()?;
                continue;
            }
        }
        cursor.close_section()?;
    }
    raw.assemble(path)
}

/// `$MeshFormat`: version, text or binary, size of a number, and in binary a 1 for the byte order.
fn read_format(cursor: &mut Cursor) -> Result<Version, MeshError> {
    let first = cursor.read_word("$MeshFormat").unwrap_or_default();
    if first != "$MeshFormat" {
        return Err(MeshError::NotGmsh {
            path: cursor.path().to_path_buf(),
            found: excerpt(first),
        });
    }
    cursor.enter("$MeshFormat");
    let word = cursor.read_word("a format version")?;
    let version = match word.parse::<f64>() {
        Ok(4.1) => Version::Four,
        Ok(2.2) => Version::Two,
        Ok(_) => return Err(unsupported_format(cursor, word)),
        Err(_) => return Err(cursor.unexpected("a format version", word)),
    };
    let binary: i32 = cursor.parse_word("0 (text) or 1 (binary)")?;
    if binary != 0 && binary != 1 {
        return Err(cursor.unexpected("0 (text) or 1 (binary)", &binary.to_string()));
    }
    let number_size: i32 = cursor.parse_word("the size of a number")?;
    if binary == 1 {
        if number_size != 8 {
            return Err(unsupported_format(
                cursor,
                &format!("{word} with {number_size}-byte numbers"),
            ));
        }
        cursor.finish_line();
        read_byte_order(cursor)?;
    }
    cursor.close_section()?;
    Ok(version)
}

/// Gmsh writes the number 1 in its machine's byte order.
fn read_byte_order(cursor: &mut Cursor) -> Result<(), MeshError> {
    const SWAPPED_ONE: i32 = 1_i32.swap_bytes();
    cursor.set_encoding(Encoding::LittleEndian);
    match cursor.read_i32("the number 1 that shows the byte order")? {
        1 => Ok(()),
        SWAPPED_ONE => {
            cursor.set_encoding(Encoding::BigEndian);
            Ok(())
        }
        other => {
            Err(cursor.unexpected("the number 1 that shows the byte order", &other.to_string()))
        }
    }
}

fn unsupported_format(cursor: &Cursor, format: &str) -> MeshError {
    MeshError::UnsupportedFormat { place: cursor.place(), format: format.to_string() }
}

/// `$PhysicalNames`: text in every encoding.
fn read_physical_names(cursor: &mut Cursor, raw: &mut RawMesh) -> Result<(), MeshError> {
    let each = Footprint { numbers: 3, bytes: 6 };
    let count = cursor.read_text_count("physical names", each)?;
    for _ in 0..count {
        let dimension: usize = cursor.parse_word("the dimension of a physical group")?;
        if dimension > 3 {
            return Err(cursor.unexpected("a dimension from 0 to 3", &dimension.to_string()));
        }
        let tag: i32 = cursor.parse_word("the tag of a physical group")?;
        let name = cursor.read_quoted("the name of a physical group in double quotes")?;
        let key = (dimension, tag.unsigned_abs());
        if let Some(other) = raw.names.insert(key, name.to_string())
            && other != name
        {
            let expected = format!("one name for the physical group {dimension}:{tag}, '{other}'");
            return Err(cursor.unexpected(&expected, name));
        }
    }
    Ok(())
}

/// The kind behind Gmsh's number, or the error that there is none for `element`.
pub(super) fn require_kind(
    gmsh_type: i32,
    element: u64,
    cursor: &Cursor,
) -> Result<ElementKind, MeshError> {
    if let Some(kind) = kind_of(gmsh_type) {
        return Ok(kind);
    }
    let unknown = (gmsh_type, "kind unknown to this program", KNOWN_KINDS);
    let (_, name, remedy) = REFUSED.into_iter().find(|row| row.0 == gmsh_type).unwrap_or(unknown);
    Err(MeshError::UnsupportedElement { place: cursor.place(), element, gmsh_type, name, remedy })
}

/// The kinds that are read, by Gmsh's number.
pub(super) fn kind_of(gmsh_type: i32) -> Option<ElementKind> {
    match gmsh_type {
        1 => Some(ElementKind::Line2),
        2 => Some(ElementKind::Triangle3),
        3 => Some(ElementKind::Quadrangle4),
        4 => Some(ElementKind::Tetrahedron4),
        5 => Some(ElementKind::Hexahedron8),
        8 => Some(ElementKind::Line3),
        9 => Some(ElementKind::Triangle6),
        11 => Some(ElementKind::Tetrahedron10),
        15 => Some(ElementKind::Point1),
        _ => None,
    }
}

const KNOWN_KINDS: &str = "mesh with lines, triangles, quadrangles, tetrahedra or hexahedra of first order: gmsh -order 1";
const NOT_RECOMBINED: &str =
    "mesh with tetrahedra: remove Recombine and Mesh.RecombineAll from the .geo";
const FIRST_ORDER: &str = "quadrangles and hexahedra are read with first order only: gmsh -order 1";
const SECOND_ORDER: &str = "mesh with first or second order: gmsh -order 2";

/// Gmsh's number, its name, and what to do instead.
const REFUSED: [(i32, &str, &str); 22] = [
    (6, "6-node prism", NOT_RECOMBINED),
    (7, "5-node pyramid", NOT_RECOMBINED),
    (10, "9-node second order quadrangle", FIRST_ORDER),
    (12, "27-node second order hexahedron", FIRST_ORDER),
    (13, "18-node second order prism", NOT_RECOMBINED),
    (14, "14-node second order pyramid", NOT_RECOMBINED),
    (16, "8-node second order quadrangle", FIRST_ORDER),
    (17, "20-node second order hexahedron", FIRST_ORDER),
    (18, "15-node second order prism", NOT_RECOMBINED),
    (19, "13-node second order pyramid", NOT_RECOMBINED),
    (20, "9-node third order incomplete triangle", SECOND_ORDER),
    (21, "10-node third order triangle", SECOND_ORDER),
    (22, "12-node fourth order incomplete triangle", SECOND_ORDER),
    (23, "15-node fourth order triangle", SECOND_ORDER),
    (24, "15-node fifth order incomplete triangle", SECOND_ORDER),
    (25, "21-node fifth order triangle", SECOND_ORDER),
    (26, "4-node third order line", SECOND_ORDER),
    (27, "5-node fourth order line", SECOND_ORDER),
    (28, "6-node fifth order line", SECOND_ORDER),
    (29, "20-node third order tetrahedron", SECOND_ORDER),
    (30, "35-node fourth order tetrahedron", SECOND_ORDER),
    (31, "56-node fifth order tetrahedron", SECOND_ORDER),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> String {
        parse(text.as_bytes(), Path::new("a.msh")).unwrap_err().to_string()
    }

    #[test]
    fn other_formats_are_refused_with_the_way_to_save_again() {
        for version in ["4", "4.0", "3", "2.1", "1"] {
            let error = error_of(&format!("$MeshFormat\n{version} 0 8\n$EndMeshFormat\n"));
            assert!(
                error.starts_with(&format!(
                    "a.msh:2: $MeshFormat: gmsh format {version} is not read"
                )),
                "{error}"
            );
            assert!(error.contains("-format msh41"), "{error}");
        }
    }

    #[test]
    fn files_that_are_no_gmsh_meshes_are_named_so() {
        for text in ["", "solid cube", "$NOD\n1\n"] {
            assert!(error_of(text).contains("not a gmsh mesh"), "{text}");
        }
    }

    #[test]
    fn parametric_nodes_of_format_2_are_refused() {
        let error = error_of("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n0\n");
        assert!(
            error.starts_with("a.msh:4: $ParametricNodes: gmsh format 2.2 with parametric nodes"),
            "{error}"
        );
    }

    #[test]
    fn binary_files_of_other_number_sizes_are_refused() {
        let error = error_of("$MeshFormat\n4.1 1 4\n\x01\0\0\0\n$EndMeshFormat\n");
        assert!(error.contains("gmsh format 4.1 with 4-byte numbers is not read"), "{error}");
    }

    #[test]
    fn the_byte_order_mark_must_be_one_in_either_order() {
        let error = error_of("$MeshFormat\n4.1 1 8\n\x02\0\0\0\n$EndMeshFormat\n");
        assert!(
            error.contains("expected the number 1 that shows the byte order, found '2'"),
            "{error}"
        );
        for one in ["\x01\0\0\0", "\0\0\0\x01"] {
            let text = format!("$MeshFormat\n4.1 1 8\n{one}\n$EndMeshFormat\n");
            assert!(parse(text.as_bytes(), Path::new("a.msh")).is_ok());
        }
    }

    #[test]
    fn a_group_has_one_name_and_a_name_has_one_group() {
        let head = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n";
        let tail = "\n$EndPhysicalNames\n";
        let error = error_of(&format!("{head}1 3 \"wall\"\n2 4 \"wall\"{tail}"));
        assert_eq!(
            error,
            "a.msh: physical groups 1:3 and 2:4 (dimension:tag) are both named 'wall'; rename one of them"
        );
        let error = error_of(&format!("{head}1 3 \"wall\"\n1 3 \"floor\"{tail}"));
        assert!(
            error.contains("expected one name for the physical group 1:3, 'wall', found 'floor'"),
            "{error}"
        );
    }

    #[test]
    fn unknown_sections_are_passed_over() {
        let text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\n$Nodes 12 x\n$EndComments\n";
        assert_eq!(parse(text.as_bytes(), Path::new("a.msh")).unwrap().node_count(), 0);
    }

    #[test]
    fn every_refused_type_is_a_type_that_is_not_read() {
        for (gmsh_type, name, remedy) in REFUSED {
            assert_eq!(kind_of(gmsh_type), None, "{name}");
            assert!(!remedy.is_empty());
        }
    }
}
