//! `solutions.csv`: one row per sample.

use std::io;
use std::path::Path;

use super::ExploredStep;
use crate::error::Error;
use crate::output::write_whole;

/// Writes every sample: what it started from, its outcome (0 where it was not solved), and velocity and
/// impulse of each contact.
pub fn write_solutions(path: &Path, scene: &ExploredStep) -> Result<(), Error> {
    let found = &scene.found;
    let d = found.problem.dimension();
    let parts: &[&str] = if d == 3 { &["n", "t1", "t2"] } else { &["n", "t"] };
    let write = |out: &mut dyn io::Write| {
        write!(out, "sample,start,outcome,iterations,error")?;
        for contact in &scene.contacts {
            for vector in ["u", "p"] {
                for part in parts {
                    let name = format!("{vector}_{part}_{contact}");
                    match name.contains([',', '"']) {
                        true => write!(out, ",\"{}\"", name.replace('"', "\"\""))?,
                        false => write!(out, ",{name}")?,
                    }
                }
            }
        }
        writeln!(out)?;
        let outcomes = found.outcome_of_samples();
        for (number, (sample, outcome)) in found.samples.iter().zip(outcomes).enumerate() {
            let outcome = outcome.map_or(0, |outcome| outcome + 1);
            let (start, error) = (sample.start.name(), sample.tight.error);
            write!(out, "{number},{start},{outcome},{},{error:?}", sample.iterations)?;
            let (u, p) = (sample.tight.u.chunks_exact(d), sample.tight.p.chunks_exact(d));
            for number in u.zip(p).flat_map(|(u, p)| u.iter().chain(p)) {
                write!(out, ",{number:?}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    };
    write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
}
