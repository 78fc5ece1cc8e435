//! `contacts.csv`: one row per contact node.

use std::path::Path;

use super::write_whole;
use crate::contact::Contacts;
use crate::energy::{ContactTotals, Term, TermClass};
use crate::error::Error;
use crate::mesh::Mesh;

/// Writes what each candidate did over the whole run.
pub fn write_contacts(
    path: &Path,
    mesh: &Mesh,
    contacts: &Contacts,
    totals: &[ContactTotals],
) -> Result<(), Error> {
    let d = mesh.dimension;
    let tangents: &[&str] = match d {
        3 => &["tangential_impulse_1", "tangential_impulse_2"],
        _ => &["tangential_impulse"],
    };
    let terms = Term::of(TermClass::Contact);
    let works: Vec<&str> = terms.clone().filter_map(|term| term.line().of_contact).collect();
    let write = |out: &mut dyn std::io::Write| {
        writeln!(
            out,
            "contact,node,{},{},normal_impulse,{},closings,stick_steps,slip_steps,face,work_created,work_passed",
            ["x", "y", "z"][..d].join(","),
            works.join(","),
            tangents.join(",")
        )?;
        for (c, (candidate, own)) in contacts.candidates.iter().zip(totals).enumerate() {
            let name = contacts.sets[candidate.set].name.replace('"', "\"\"");
            write!(
                out,
                "\"{name}\",{}",
                candidate.grip.node().map_or(0, |node| mesh.node_tags[node as usize])
            )?;
            let point = candidate.grip.point();
            let works = terms.clone().map(|term| &own.work[term]);
            for number in point[..d].iter().chain(works).chain(&own.impulse[..=tangents.len()]) {
                write!(out, ",{number:?}")?;
            }
            let face = contacts.face_of(c);
            write!(out, ",{},{},{},{face}", own.closings, own.stick, own.slip)?;
            writeln!(out, ",{:?},{:?}", own.created, own.work.passed)?;
        }
        Ok(())
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}
