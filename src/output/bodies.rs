//! `bodies.csv`: one row per body, those that nothing but contact connects.

use std::path::Path;

use super::{Table, write_whole};
use crate::energy::{BodyBalance, Term};
use crate::error::Error;

/// The columns after the name, in the order of [`numbers`].
fn columns() -> impl Iterator<Item = &'static str> {
    Term::of_bodies().map(|term| term.line().of_body).chain(JUDGED)
}

/// What a body is judged by.
const JUDGED: [&str; 5] = [
    "energy_scale",
    "max_balance_residual",
    "balance_floor",
    "max_numerical_work",
    "numerical_floor",
];

fn judged(body: &mut BodyBalance) -> [&mut f64; JUDGED.len()] {
    [
        &mut body.energy_scale,
        &mut body.max_balance_residual,
        &mut body.balance_floor,
        &mut body.max_numerical_work,
        &mut body.numerical_floor,
    ]
}

fn numbers(body: &BodyBalance) -> impl Iterator<Item = f64> {
    let judged = judged(&mut body.clone()).map(|number| *number);
    body.sums.under_columns().map(|(_, number)| number).chain(judged)
}

/// The body whose numbers they are.
fn body_of(name: &str, mut numbers: impl Iterator<Item = f64>) -> BodyBalance {
    let mut body = BodyBalance { body: name.into(), ..BodyBalance::default() };
    Term::of_bodies().zip(&mut numbers).for_each(|(term, number)| body.sums[term] = number);
    judged(&mut body).into_iter().zip(numbers).for_each(|(to, number)| *to = number);
    body
}

/// Writes the accounts of a run.
pub fn write_bodies(path: &Path, bodies: &[BodyBalance]) -> Result<(), Error> {
    let write = |out: &mut dyn std::io::Write| {
        writeln!(out, "body,{}", columns().collect::<Vec<_>>().join(","))?;
        for body in bodies {
            write!(out, "\"{}\"", body.body.replace('"', "\"\""))?;
            for number in numbers(body) {
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
    let places: Vec<usize> = columns().map(|name| table.column(name)).collect::<Result<_, _>>()?;
    let rows = table.rows.iter().zip(&table.names);
    let body = |(row, name): (&Vec<f64>, &String)| body_of(name, places.iter().map(|&at| row[at]));
    Ok(rows.map(body).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on has failed

    use super::*;

    #[test]
    fn what_was_written_is_read_back_to_the_bit() {
        let folder = std::env::temp_dir().join(format!("delassus_bodies_{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let odd = body_of("the \"far\", fast one", (0..).map(|i| 0.1 + f64::from(i) / 3.0));
        let bodies = [BodyBalance { body: "mass 'p'".into(), ..Default::default() }, odd];
        write_bodies(&folder.join("bodies.csv"), &bodies).unwrap();
        let read = read_bodies(&folder.join("bodies.csv"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read.unwrap(), bodies);
    }
}
