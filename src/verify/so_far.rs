//! A run that has not finished, judged by the rows that are there.

use std::path::Path;

use super::rows::HistoryRows;
use super::source::Source;
use super::{
    Check, Verification, check_digests, check_seal, finite, missing_frame, read_if_there, series_of,
};
use crate::energy::{Certificate, SetWork, Verdict};
use crate::error::Error;
use crate::output::{Cadence, Counts, Standing, Summary, Table, Unfinished};

/// Judges what there is: every row is held to what rows of a run that finished are held to, and nothing is said of its
/// end.
pub(super) fn verify_so_far(
    folder: &Path,
    summary: Summary,
    unfinished: Unfinished,
) -> Result<Verification, Error> {
    let history = Table::read_so_far(&folder.join("history.csv"))?;
    let rows = HistoryRows::new(&history)?;
    let Counts { history_every: every, .. } = summary.counts;
    let reached = rows.reached();
    let so_far = Unfinished { step: reached, ..unfinished };
    // The case text gives all steps; those that were taken are held to the rows.
    let planned = Counts { steps: so_far.steps, ..summary.counts };
    let source = Source::of(&Summary { counts: planned, ..summary.clone() })?;
    let certificate = Certificate::new(source.coverage, rows.worst(all_contacts(&rows, &source)));
    let mut checks = match so_far.standing {
        Standing::Interrupted => check_digests(folder, &summary)?,
        Standing::Going | Standing::Ended => {
            vec![check_seal(folder, so_far.told_by(), &summary)?]
        }
    };
    checks.extend(source.checks);
    checks.extend([
        rows.check_steps_so_far(every, so_far.steps),
        rows.check_times(summary.scheme.step),
        rows.check_totals(),
        finite(&history),
    ]);
    let trajectory = read_if_there(&folder.join("trajectory.csv"), Table::read_so_far)?;
    checks.extend(trajectory.iter().map(finite));
    checks.extend(check_frames_before(folder, &summary, reached, so_far.steps));
    checks.push(rows.check_balance(certificate.balance_limit(), every));
    checks.push(rows.check_works(every));
    let what = format!("up to step {reached} no contact and no scheme created energy");
    checks.push(Check { what, holds: certificate.verdict != Verdict::Violated });
    let mut unknown = source.unknown;
    unknown.extend(left_open(&so_far, source.contacts.len(), every));
    Ok(Verification { checks, unknown, certificate, so_far: Some(so_far) })
}

/// What all contacts together created, and what passed through them, by the last row.
fn all_contacts(rows: &HistoryRows, source: &Source) -> Vec<SetWork> {
    if source.contacts.is_empty() {
        return Vec::new();
    }
    let [created, passed] = ["work_created", "work_passed"].map(|name| rows.last(name));
    vec![SetWork { contact: source.contacts.join("', '"), created, passed }]
}

/// That the frames of all steps before one are there: that of the step itself may be under way.
fn check_frames_before(
    folder: &Path,
    summary: &Summary,
    reached: usize,
    steps: usize,
) -> Vec<Check> {
    let every = summary.counts.fields_every;
    if every == 0 || reached == 0 {
        return Vec::new();
    }
    let wanted = series_of(&summary.counts).into_iter().filter(|(_, count)| *count > 0);
    let cadence = Cadence { every, last: steps };
    wanted.map(|(name, _)| missing_frame(folder, name, cadence, reached - 1)).collect()
}

/// What the files of a run without an end cannot tell.
fn left_open(so_far: &Unfinished, sets: usize, every: usize) -> Vec<String> {
    let Unfinished { step, steps, standing, .. } = *so_far;
    let mut open =
        vec![format!("the verdict: {} of {steps} steps are not taken", steps - step.min(steps))];
    if standing != Standing::Interrupted {
        open.push(
            "whether the tables are as they were written: their digests, and what each contact did, are written at \
             the end"
                .into(),
        );
    }
    open.push("the accounts of single bodies: the rows have the sum of all".into());
    if sets > 1 {
        open.push("what each contact set created by itself: the rows have the sum of all".into());
    }
    if every > 1 {
        open.push(format!("the worst of the steps between every {every}th"));
    }
    open
}
