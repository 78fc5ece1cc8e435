//! `contacts.csv`: one row per contact node.

use std::path::Path;

use super::write_whole;
use crate::contact::Contacts;
use crate::energy::ContactTotals;
use crate::error::Error;
use crate::mesh::Mesh;

/// Writes what each candidate did over the whole run.
pub fn write_contacts(
    path: &Path,
    mesh: &Mesh,
    contacts: &Contacts,
    totals: &[ContactTotals],
) -> Result<(), Error> {
    let write = |out: &mut dyn std::io::Write| {
        writeln!(
            out,
            "contact,node,x,y,normal_work,tangential_work,normal_impulse,tangential_impulse,\
             closings,stick_steps,slip_steps"
        )?;
        for (candidate, own) in contacts.candidates.iter().zip(totals) {
            let name = contacts.sets[candidate.set].name.replace('"', "\"\"");
            writeln!(
                out,
                "\"{name}\",{},{:?},{:?},{:?},{:?},{:?},{:?},{},{},{}",
                mesh.node_tags[candidate.node as usize],
                candidate.point[0],
                candidate.point[1],
                own.work.normal,
                own.work.tangential,
                own.impulse[0],
                own.impulse[1],
                own.closings,
                own.stick,
                own.slip
            )?;
        }
        Ok(())
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}
