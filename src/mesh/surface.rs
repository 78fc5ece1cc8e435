//! A surface in space from a mesh file, for what is rigid: it has no body and is not repaired.

use std::path::Path;

use super::error::MeshError;
use super::jacobian::{DEGENERATE, Extent, distance};
use super::{ElementKind, Mesh, gmsh, read_bytes};

/// Points, triangles by their indices, and the number in the file of the element each came from.
pub type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>, Vec<u64>);

/// Reads the triangles of a surface from a Gmsh file: those of a physical group, or all of a file
/// without volumes.
///
/// Their direction is that of the file. Quadrangles are cut along their shorter diagonal. Points that no
/// triangle uses are left out.
pub fn read_surface(path: &Path, group: Option<&str>) -> Result<Surface, MeshError> {
    parse_surface(&read_bytes(path)?, path, group)
}

/// [`read_surface`] of the bytes of a file; `path` is for messages.
pub fn parse_surface(bytes: &[u8], path: &Path, group: Option<&str>) -> Result<Surface, MeshError> {
    let mesh = gmsh::parse(bytes, path)?;
    let mut used = vec![u32::MAX; mesh.node_count()];
    let (mut triangles, mut tags) = (Vec::new(), Vec::new());
    for e in facets(&mesh, path, group)? {
        for triangle in cut(&mesh, path, e)? {
            refuse_degenerate(&mesh, path, e, triangle)?;
            for node in triangle {
                used[node as usize] = 0;
            }
            triangles.push(triangle);
            tags.push(mesh.element_tags[e]);
        }
    }
    let mut points = Vec::new();
    for (index, &point) in used.iter_mut().zip(&mesh.points).filter(|(index, _)| **index == 0) {
        *index = points.len() as u32;
        points.push(point);
    }
    for node in triangles.as_flattened_mut() {
        *node = used[*node as usize];
    }
    Ok((points, triangles, tags))
}

/// The elements of the surface, of which there is at least one.
fn facets(mesh: &Mesh, path: &Path, group: Option<&str>) -> Result<Vec<usize>, MeshError> {
    let found: Vec<usize> = match group.map(|name| mesh.groups.get(name)) {
        Some(Some(group)) if group.dimension == 2 => {
            group.elements.iter().map(|&e| e as usize).collect()
        }
        Some(_) => Vec::new(),
        None if mesh.element_dimension() == 2 => {
            (0..mesh.element_count()).filter(|&e| mesh.kinds[e].dimension() == 2).collect()
        }
        None => Vec::new(),
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let wanted = match group {
        Some(name) => format!("no physical surface '{name}' with elements"),
        None if mesh.element_dimension() == 3 => {
            "its highest elements are volumes; name the physical surface to take".to_string()
        }
        None => "no surface element; mesh the surface (gmsh -2)".to_string(),
    };
    let known = mesh.groups.iter().filter(|(_, group)| group.dimension == 2);
    let known: Vec<&str> = known.map(|(name, _)| name.as_str()).collect();
    let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    Err(MeshError::NoSurface { path: path.to_path_buf(), wanted, known })
}

/// The triangles of a facet.
fn cut(mesh: &Mesh, path: &Path, e: usize) -> Result<Vec<[u32; 3]>, MeshError> {
    let (kind, nodes) = (mesh.kinds[e], mesh.nodes_of(e));
    let apart = |a: usize, b: usize| {
        distance(mesh.points[nodes[a] as usize], mesh.points[nodes[b] as usize])
    };
    let corners: &[[usize; 3]] = match kind {
        ElementKind::Triangle3 => &[[0, 1, 2]],
        ElementKind::Quadrangle4 if apart(1, 3) < apart(0, 2) => &[[0, 1, 3], [1, 2, 3]],
        ElementKind::Quadrangle4 => &[[0, 1, 2], [0, 2, 3]],
        ElementKind::Point1
        | ElementKind::Line2
        | ElementKind::Line3
        | ElementKind::Triangle6
        | ElementKind::Tetrahedron4
        | ElementKind::Tetrahedron10
        | ElementKind::Hexahedron8 => {
            let (path, element) = (path.to_path_buf(), mesh.element_tags[e]);
            return Err(MeshError::CurvedFacet { path, element, kind: kind.name() });
        }
    };
    Ok(corners.iter().map(|triangle| triangle.map(|corner| nodes[corner])).collect())
}

fn refuse_degenerate(
    mesh: &Mesh,
    path: &Path,
    e: usize,
    triangle: [u32; 3],
) -> Result<(), MeshError> {
    let corners = triangle.map(|node| mesh.points[node as usize]);
    let extent = Extent::new(ElementKind::Triangle3, &corners, None);
    let sound = extent.measure > DEGENERATE * extent.scale(2);
    if sound {
        return Ok(());
    }
    Err(MeshError::DegenerateElement {
        path: path.to_path_buf(),
        element: mesh.element_tags[e],
        measure: extent.measure,
        longest_edge: extent.longest_edge,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A roof of a quadrangle and a triangle, and a node that nothing uses.
    fn roof(elements: &str) -> Result<Surface, MeshError> {
        let text = format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"roof\"\n1 2 \"edge\"\n\
             $EndPhysicalNames\n$Nodes\n6\n9 9 9 9\n1 0 0 0\n2 1 0 0\n3 1.5 1 1\n4 0 1 1\n5 0 2 0\n\
             $EndNodes\n$Elements\n{elements}\n$EndElements\n"
        );
        parse_surface(text.as_bytes(), Path::new("a.msh"), Some("roof"))
    }

    #[test]
    fn quadrangles_are_cut_along_their_shorter_diagonal_and_stray_points_left_out() {
        let (points, triangles, tags) = roof("2 7 3 2 1 1 1 2 3 4 8 2 2 1 1 4 3 5").unwrap();
        assert_eq!(points.len(), 5);
        assert_eq!(points[2], [1.5, 1.0, 1.0]);
        assert_eq!(triangles, [[0, 1, 3], [1, 2, 3], [3, 2, 4]]);
        assert_eq!(tags, [7, 7, 8]);
    }

    #[test]
    fn what_is_no_surface_is_told_with_the_surfaces_there_are() {
        let error = roof("1 7 1 2 2 1 1 2").unwrap_err().to_string();
        assert_eq!(
            error,
            "a.msh: no physical surface 'roof' with elements; its physical surfaces are: roof"
        );
    }

    #[test]
    fn curved_and_flat_facets_are_refused() {
        let error = roof("1 7 9 2 1 1 1 2 3 4 5 9").unwrap_err().to_string();
        assert!(error.starts_with("a.msh: element 7 (6-node triangle) does not fit"), "{error}");
        let error = roof("1 7 2 2 1 1 1 1 3").unwrap_err().to_string();
        assert!(error.starts_with("a.msh: element 7 is degenerate"), "{error}");
    }
}
