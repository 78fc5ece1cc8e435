//! `delassus verify`: the verdict again, from the files alone.
//!
//! What the summary says of the run it says twice: the case text gives law, e, e_T, θ, activation and with them what
//! the theorem covers; the rows of `history.csv`, `contacts.csv` and
//! `pairs.csv` give every figure of the certificate. Nothing of
//! a certificate is taken from the summary but to be compared, unless the history leaves out steps.

mod rows;
mod so_far;
mod source;

use std::path::Path;

use crate::energy::{Certificate, SetWork, Verdict, Worst};
use crate::error::Error;
use crate::output::{
    Cadence, Counts, DIGESTED, ResultsFolder, Summary, Table, Unfinished, digest, read_bodies,
    seal_of,
};
use rows::HistoryRows;
use so_far::verify_so_far;
use source::Source;

/// One thing looked at.
#[derive(Clone, Debug)]
pub struct Check {
    /// What.
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
}

/// What the files say.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Everything looked at.
    pub checks: Vec<Check>,
    /// What files cannot tell.
    pub unknown: Vec<String>,
    /// The certificate, recomputed.
    pub certificate: Certificate,
    /// How far the run came, where it has not finished: then nothing is a verdict.
    pub so_far: Option<Unfinished>,
}

impl Verification {
    /// Whether everything holds and nothing created energy.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.holds)
    }
}

/// Reads `summary.json` and the tables of a results folder and judges them anew; of frames, those that are listed must
/// be there. A run that has not finished is judged by the rows it has.
pub fn verify(folder: &Path) -> Result<Verification, Error> {
    let (summary, unfinished) = Summary::read_in(folder)?;
    if summary.counts.history_every == 0 {
        let message = "the run wrote no history; run it again with output.history_every = 1";
        return Err(Error::Results { path: folder.join("history.csv"), message: message.into() });
    }
    if summary.case.text.is_empty() {
        let message = "a program made this run, and there is no text of its case to judge it by; \
                       its certificate is in summary.json";
        return Err(Error::Results { path: folder.into(), message: message.into() });
    }
    match unfinished {
        Some(unfinished) => verify_so_far(folder, summary, unfinished),
        None => verify_whole(folder, &summary),
    }
}

fn verify_whole(folder: &Path, summary: &Summary) -> Result<Verification, Error> {
    let history = Table::read(&folder.join("history.csv"))?;
    let contacts = Table::read(&folder.join("contacts.csv"))?;
    let rows = HistoryRows::new(&history)?;
    let source = Source::of(summary)?;
    let pairs = read_if_there(&folder.join("pairs.csv"), Table::read)?;
    let of_contacts: Vec<&Table> = [&contacts].into_iter().chain(&pairs).collect();
    let sets = sums_of_sets(&source, &of_contacts)?;
    let bodies = read_bodies(&folder.join("bodies.csv"))?;
    let every = summary.counts.history_every;
    let worst = match every {
        1 => Worst { bodies, ..rows.worst(sets) },
        _ => Worst { contacts: sets, bodies, ..figures_of(&summary.certificate) },
    };
    let certificate = Certificate::new(source.coverage, worst);
    let mut checks = check_digests(folder, summary)?;
    checks.extend(source.checks);
    checks.extend([
        rows.check_steps(every, summary.counts.steps),
        rows.check_times(summary.scheme.step),
        rows.check_totals(),
    ]);
    checks.extend(check_tables(folder, summary, &history, &of_contacts)?);
    checks.extend(check_frames(folder, summary));
    checks.push(rows.check_balance(certificate.balance_limit(), every));
    checks.push(rows.check_works(every));
    checks.push(rows.check_end(&summary.energies));
    checks.extend(rows.check_contacts(&of_contacts)?);
    checks.push(rows.check_most_contacts(summary.counts.most_contacts, every));
    checks.push(rows.check_bodies(&certificate.bodies));
    checks.push(rows.check_figures(&summary.certificate, every));
    let (now, then) = (certificate.verdict, summary.certificate.verdict);
    checks.push(Check {
        what: format!(
            "the certificate follows from the rows and the case text: '{now}', recorded as '{then}'"
        ),
        holds: certificate == summary.certificate,
    });
    let sound = now != Verdict::Violated && then != Verdict::Violated;
    let what = "no contact and no scheme created energy, and every step is balanced";
    checks.push(Check { what: what.into(), holds: sound });
    let mut unknown = source.unknown;
    unknown.push(
        "whether the steps gave the numbers of the rows: run the case again, and compare history.csv byte by byte"
            .into(),
    );
    if every > 1 {
        unknown.push(format!(
            "the worst of the steps between every {every}th: they are those of summary.json; run with \
             output.history_every = 1"
        ));
    }
    Ok(Verification { checks, unknown, certificate, so_far: None })
}

/// What each contact set created and what passed through it, by contacts.csv and pairs.csv.
fn sums_of_sets(source: &Source, tables: &[&Table]) -> Result<Vec<SetWork>, Error> {
    let mut sums: Vec<SetWork> = source
        .contacts
        .iter()
        .map(|contact| SetWork { contact: contact.clone(), ..SetWork::default() })
        .collect();
    for table in tables {
        let [created, passed] = [table.column("work_created")?, table.column("work_passed")?];
        for (row, name) in table.rows.iter().zip(&table.names) {
            let Some(sum) = sums.iter_mut().find(|sum| sum.contact == *name) else {
                let message =
                    format!("there is no contact '{name}' in the case; run the case again");
                return Err(Error::Results { path: table.path.clone(), message });
            };
            sum.created += row[created];
            sum.passed += row[passed];
        }
    }
    Ok(sums)
}

/// What a recorded certificate was judged by.
fn figures_of(recorded: &Certificate) -> Worst {
    Worst {
        energy_scale: recorded.energy_scale,
        residual: recorded.max_balance_residual * recorded.energy_scale,
        balance_floor: recorded.balance_floor,
        largest: recorded.largest.0,
        work_share: recorded.max_work_share,
        contacts: recorded.contacts.clone(),
        bodies: Vec::new(),
        numerical: recorded.max_numerical_work,
        numerical_passed: recorded.numerical_passed,
        numerical_floor: recorded.numerical_floor,
    }
}

/// That the summary is under its seal, and the tables have the digests in it.
fn check_digests(folder: &Path, summary: &Summary) -> Result<Vec<Check>, Error> {
    let mut checks = vec![check_seal(folder, "summary.json", summary)?];
    for name in DIGESTED {
        let now = digest(&folder.join(name))?;
        let then = summary.digests.get(name);
        if now.is_none() && then.is_none() {
            continue;
        }
        let what = format!("{name} has the digest that summary.json has of it");
        checks.push(Check { what, holds: now.as_ref() == then });
    }
    Ok(checks)
}

/// That the file a summary was read from is under its seal.
fn check_seal(folder: &Path, name: &str, summary: &Summary) -> Result<Check, Error> {
    let sealed = seal_of(&folder.join(name))?;
    let what = format!("{name} is as it was written, by the seal at its end");
    Ok(Check { what, holds: sealed.as_ref() == Some(&summary.seal) })
}

/// That the tables hold numbers, contacts.csv all contact nodes, and pairs.csv all pairs of bodies that met.
fn check_tables(
    folder: &Path,
    summary: &Summary,
    history: &Table,
    of_contacts: &[&Table],
) -> Result<Vec<Check>, Error> {
    let trajectory = read_if_there(&folder.join("trajectory.csv"), Table::read)?;
    let mut checks: Vec<Check> = vec![finite(history)];
    checks.extend(of_contacts.iter().copied().chain(&trajectory).map(finite));
    let Counts { contact_nodes, meeting_bodies, pairs, most_contacts_of_bodies, .. } =
        summary.counts;
    let rows = |at: usize| of_contacts.get(at).map_or(0, |table| table.rows.len());
    let found = rows(0);
    let what = format!("contacts.csv has {found} rows for {contact_nodes} contact nodes");
    checks.push(Check { what, holds: found == contact_nodes });
    let (found, there) = (rows(1), of_contacts.len() == 2);
    let what = format!("pairs.csv has {found} rows for {pairs} pairs of bodies that met");
    let counted = most_contacts_of_bodies <= summary.counts.most_contacts;
    let none = pairs + most_contacts_of_bodies == 0;
    let holds = there == (meeting_bodies > 0) && found == pairs && counted && (there || none);
    checks.push(Check { what, holds });
    Ok(checks)
}

/// A table that not every run has.
fn read_if_there(
    path: &Path,
    read: fn(&Path) -> Result<Table, Error>,
) -> Result<Option<Table>, Error> {
    if path.exists() { read(path).map(Some) } else { Ok(None) }
}

/// That a table holds numbers.
fn finite(table: &Table) -> Check {
    let name = table.path.file_name().unwrap_or_default().to_string_lossy();
    Check { what: format!("every number of {name} is one"), holds: table.is_finite() }
}

/// That the frames of all steps that should have one are there.
fn check_frames(folder: &Path, summary: &Summary) -> Vec<Check> {
    let Counts { fields_every: every, steps: last, .. } = summary.counts;
    let cadence = Cadence { every, last };
    let wanted =
        series_of(&summary.counts).into_iter().filter(|(_, count)| every > 0 && *count > 0);
    wanted.map(|(name, _)| missing_frame(folder, name, cadence, last)).collect()
}

/// The series of frames that a run may write, and how many things each shows.
fn series_of(counts: &Counts) -> [(&'static str, usize); 3] {
    let touching = counts.contact_nodes + counts.meeting_bodies;
    [("fields", 1), ("contacts", touching), ("obstacles", counts.obstacles)]
}

/// That the frames of a series are there up to a step.
fn missing_frame(folder: &Path, name: &str, cadence: Cadence, step: usize) -> Check {
    let missing = cadence.missing(&ResultsFolder::at(folder), name, step);
    let listed = folder.join(format!("{name}.pvd")).is_file();
    let what = match &missing {
        Some(path) => format!("{} is gone", path.display()),
        None => format!("{name}.pvd and all its frames are there"),
    };
    Check { what, holds: missing.is_none() && listed }
}
