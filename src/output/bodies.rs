//! `bodies.csv`: one row per body, those that nothing but contact connects.

use std::path::Path;

use super::{Table, write_whole};
use crate::energy::BodyBalance;
use crate::error::Error;

/// The columns after the name, in the order of [`numbers`].
const COLUMNS: [&str; 10] = [
    "energy_change",
    "work_external",
    "work_damping",
    "work_contacts",
    "work_numerical",
    "energy_scale",
    "max_balance_residual",
    "balance_floor",
    "max_numerical_work",
    "numerical_floor",
];

fn numbers(body: &mut BodyBalance) -> [&mut f64; COLUMNS.len()] {
    [
        &mut body.energy_change,
        &mut body.work_external,
        &mut body.work_damping,
        &mut body.work_contacts,
        &mut body.work_numerical,
        &mut body.energy_scale,
        &mut body.max_balance_residual,
        &mut body.balance_floor,
        &mut body.max_numerical_work,
        &mut body.numerical_floor,
    ]
}

/// Writes the accounts of a run.
pub fn write_bodies(path: &Path, bodies: &[BodyBalance]) -> Result<(), Error> {
    let write = |out: &mut dyn std::io::Write| {
        writeln!(out, "body,{}", COLUMNS.join(","))?;
        for body in bodies {
            write!(out, "\"{}\"", body.body.replace('"', "\"\""))?;
            for number in numbers(&mut body.clone()) {
                write!(out, ",{number:?}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}

/// Reads them back.
pub fn read_bodies(path: &Path) -> Result<Vec<BodyBalance>, Error> {
    let table = Table::read(path)?;
    let mut places = [0; COLUMNS.len()];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = table.column(name)?;
    }
    let body = |(row, name): (&Vec<f64>, &String)| {
        let mut body = BodyBalance { body: name.clone(), ..BodyBalance::default() };
        numbers(&mut body).into_iter().zip(places).for_each(|(number, at)| *number = row[at]);
        body
    };
    Ok(table.rows.iter().zip(&table.names).map(body).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on has failed

    use super::*;

    #[test]
    fn what_was_written_is_read_back_to_the_bit() {
        let folder = std::env::temp_dir().join(format!("delassus_bodies_{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut odd = BodyBalance { body: "the \"far\", fast one".into(), ..Default::default() };
        numbers(&mut odd).into_iter().enumerate().for_each(|(i, x)| *x = 0.1 + i as f64 / 3.0);
        let bodies = [BodyBalance { body: "mass 'p'".into(), ..Default::default() }, odd];
        write_bodies(&folder.join("bodies.csv"), &bodies).unwrap();
        let read = read_bodies(&folder.join("bodies.csv"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read.unwrap(), bodies);
    }
}
