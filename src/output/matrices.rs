//! Matrices as Matrix Market files, and what their rows are.
//!
//! The format is a header, the sizes and a line per entry, rows and columns from 1: written here, since a crate that does
//! it reads it too, and brings a parser generator along.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nalgebra_sparse::CsrMatrix;

use super::write_whole;
use crate::contact::PairContact;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::step::{ContactMatrices, March, Matrices};

/// Writes M, K and C of a march, H and W of the contacts that are active where it is, `dofs.csv` and `rows.csv` into a
/// folder, which is made.
pub fn write_matrices(folder: &Path, mesh: &Mesh, march: &March) -> Result<MatricesWritten, Error> {
    let complain = |source| Error::Write { path: folder.into(), source };
    std::fs::create_dir_all(folder).map_err(complain)?;
    let Matrices { mass, stiffness, damping, .. } = Matrices::of(march.problem());
    let contacts = march.contact_matrices();
    let w = CsrMatrix::from(&contacts.w);
    let (dofs, rows) = (mass.nrows(), w.nrows());
    let mut written =
        MatricesWritten { dofs, rows, contacts: contacts.contacts.len(), files: Vec::new() };
    for (name, matrix) in
        [("M", &mass), ("K", &stiffness), ("C", &damping), ("H", &contacts.h), ("W", &w)]
    {
        written.write(folder, &format!("{name}.mtx"), |out| write_matrix(out, name, matrix))?;
    }
    written.write(folder, "dofs.csv", |out| write_dofs(out, mesh, march))?;
    written.write(folder, "rows.csv", |out| write_rows(out, (mesh, march), &contacts))?;
    Ok(written)
}

/// What [`write_matrices`] wrote.
#[derive(Clone, Debug)]
pub struct MatricesWritten {
    /// Rows of M, K and C.
    pub dofs: usize,
    /// Rows of H and W.
    pub rows: usize,
    /// Active contacts.
    pub contacts: usize,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl MatricesWritten {
    fn write(
        &mut self,
        folder: &Path,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let path = folder.join(name);
        write_whole(&path, write).map_err(|source| Error::Write { path: path.clone(), source })?;
        self.files.push(path);
        Ok(())
    }
}

fn write_matrix(out: &mut dyn Write, name: &str, matrix: &CsrMatrix<f64>) -> io::Result<()> {
    let rows = if ["H", "W"].contains(&name) { "rows.csv" } else { "dofs.csv" };
    writeln!(out, "%%MatrixMarket matrix coordinate real general")?;
    writeln!(out, "% {name} of delassus {}: rows are those of {rows}", env!("CARGO_PKG_VERSION"))?;
    let entries = || matrix.triplet_iter().filter(|(_, _, value)| **value != 0.0);
    writeln!(out, "{} {} {}", matrix.nrows(), matrix.ncols(), entries().count())?;
    for (row, column, value) in entries() {
        writeln!(out, "{} {} {value:e}", row + 1, column + 1)?;
    }
    Ok(())
}

fn write_dofs(out: &mut dyn Write, mesh: &Mesh, march: &March) -> io::Result<()> {
    let problem = march.problem();
    let (d, dofs) = (problem.dofs.dimension, &problem.dofs);
    writeln!(out, "row,node,tag,component,x,y,z,driven")?;
    for dof in 0..dofs.position.len() {
        let node = problem.node_of(dof);
        let is_angle = dof >= problem.operator.node_dofs();
        let turn = dof.saturating_sub(problem.operator.node_dofs());
        let component = match is_angle {
            true if d == 3 => ["angle 1", "angle 2", "angle 3"][turn % 3],
            true => "angle",
            false => ["x", "y", "z"][dof % d],
        };
        let ([x, y, z], tag) = (mesh.points[node], mesh.node_tags[node]);
        let driven = u8::from(dofs.position_of(dof).is_none());
        writeln!(out, "{},{node},{tag},{component},{x:?},{y:?},{z:?},{driven}", dof + 1)?;
    }
    Ok(())
}

fn write_rows(
    out: &mut dyn Write,
    (mesh, march): (&Mesh, &March),
    own: &ContactMatrices,
) -> io::Result<()> {
    let (problem, state) = (march.problem(), march.state());
    writeln!(out, "row,contact,component,gap,x,y,z")?;
    for (k, &c) in own.contacts.iter().enumerate() {
        let (gap, place, name) = match (c as usize).checked_sub(problem.contacts.len()) {
            None => {
                let met = problem.contact(c as usize, state);
                (met.gap, met.place, problem.contacts.name_of(c as usize))
            }
            Some(pair) => {
                let PairContact { key, set, met, .. } = &own.pairs[pair];
                let [a, b] = key.bodies.map(|body| body_name(mesh, problem.rigid[body as usize]));
                let set = &problem.contacts.sets[*set as usize].name;
                (met.gap, met.place, format!("{set} of {a} and {b}"))
            }
        };
        let name = name.replace('"', "\"\"");
        for (i, component) in
            ["normal", "tangent", "second tangent"][..own.components].iter().enumerate()
        {
            let (row, [x, y, z]) = (own.components * k + i + 1, place);
            writeln!(out, "{row},\"{name}\",{component},{gap:?},{x:?},{y:?},{z:?}")?;
        }
    }
    Ok(())
}

/// The name of a rigid body: that of the group of its centre.
fn body_name(mesh: &Mesh, center: u32) -> &str {
    let own = mesh.groups.iter().find(|(_, group)| group.nodes == [center]);
    own.map_or("a body", |(name, _)| name)
}
