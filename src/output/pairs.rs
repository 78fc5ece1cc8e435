//! `pairs.csv`: one row per pair of bodies that met.

use std::path::Path;

use super::write_whole;
use crate::contact::Contacts;
use crate::energy::{PairAccounts, Term, TermClass};
use crate::error::Error;

/// Writes what each two bodies did to each other over the whole run; `names` are those of the bodies.
pub fn write_pairs(
    path: &Path,
    contacts: &Contacts,
    names: &[&str],
    accounts: &PairAccounts,
) -> Result<(), Error> {
    let terms = Term::of(TermClass::Contact);
    let works: Vec<&str> = terms.clone().filter_map(|term| term.line().of_contact).collect();
    let largest: Vec<&str> = Term::largest().map(|(_, column)| column).collect();
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let write = |out: &mut dyn std::io::Write| {
        writeln!(
            out,
            "contact,body_1,body_2,id_1,id_2,normal_impulse,{},{},closings,stick_steps,slip_steps,work_created,work_passed",
            works.join(","),
            largest.join(",")
        )?;
        for own in accounts.iter() {
            let [first, second] = own.bodies.map(|body| quoted(names[body as usize]));
            let [id, other] = own.bodies;
            let set = quoted(&contacts.sets[own.set as usize].name);
            write!(out, "{set},{first},{second},{id},{other},{:?}", own.totals.impulse[0])?;
            let works = terms.clone().map(|term| own.totals.work[term]);
            for number in works.chain(Term::largest().map(|(term, _)| own.largest[term])) {
                write!(out, ",{number:?}")?;
            }
            let totals = &own.totals;
            write!(out, ",{},{},{}", totals.closings, totals.stick, totals.slip)?;
            writeln!(out, ",{:?},{:?}", totals.created, totals.work.passed)?;
        }
        Ok(())
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}
