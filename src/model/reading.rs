//! The mesh of a case.

use super::add_system;
use crate::case::{Case, MeshSource};
use crate::error::Error;
use crate::mesh::{Mesh, MeshError};

/// The case's mesh, with nodes for its masses and bodies; a file that cannot be read is the fault of the key that names it.
pub fn read_mesh(case: &Case) -> Result<Mesh, Error> {
    let bars = case.bar_groups();
    let mesh = match &case.mesh {
        Some(MeshSource::File(file)) => Mesh::read_with_bars(file, &bars),
        Some(MeshSource::Bytes(file, bytes)) => Mesh::parse_with_bars(bytes, file, &bars),
        Some(MeshSource::Made) => {
            let message = "a program made it, and there is no file of it; give System::mesh";
            return Err(case.error_at("mesh.file", message));
        }
        None => return system_mesh(case),
    };
    let mut mesh = mesh.map_err(|error| match error {
        MeshError::Unreadable { path, source } => {
            let message = format!(
                "cannot read the mesh '{}': {source}; the path is relative to the case file",
                path.display()
            );
            case.error_at("mesh.file", message)
        }
        other => other.into(),
    })?;
    mesh.scale(case.scale);
    add_system(case, &mut mesh)?;
    Ok(mesh)
}

/// Nodes for masses and bodies alone.
fn system_mesh(case: &Case) -> Result<Mesh, Error> {
    let mut mesh = Mesh { dimension: case.system.dimension, offsets: vec![0], ..Mesh::default() };
    add_system(case, &mut mesh)?;
    Ok(mesh)
}
