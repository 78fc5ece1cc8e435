//! One row per run: what it cost and what it did wrong.

use super::sheet::quoted;
use super::{Finished, Outcome};
use crate::output::{Scales, Summary};
use crate::results::{Columns, Series};

/// A run in figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Label of the run.
    pub label: String,
    /// Steps taken.
    pub steps: usize,
    /// What the scheme itself made or took of energy:
    ///
    /// ```text
    ///     |E − E₀ − W_ext − W_damp − W_normal − W_tangential| / energy scale
    /// ```
    ///
    /// at the end, that is its numerical dissipation and the residuals of all steps.
    pub energy_error: f64,
    /// Largest tangential work of a contact in a step, or 0; in units of energy.
    pub max_tangential_work: f64,
    /// Largest normal work of a contact in a step, or 0; in units of energy.
    pub max_normal_work: f64,
    /// How deep a contact went at most; none without gaps in a trajectory.
    pub max_penetration: Option<f64>,
    /// Steps in which a contact pushed, p_N > 0, though
    ///
    /// * it was open: its gap was above ten times the gap tolerance both in the row of the step and in
    ///   the row before, so that it did not close within the step either; or
    /// * it was leaving: its u_N in the row before was above ten times the velocity tolerance and above
    ///   1e-6 of the velocity scale.
    ///
    /// An impulse below 1e-9 of the largest of the run is none. No number where there is no
    /// trajectory with gaps or velocities, or where it leaves out steps.
    pub spurious_impulses: Option<usize>,
    /// Largest |balance residual| of a step, relative to the energy scale.
    pub max_balance_residual: f64,
    /// The certificate's verdict.
    pub verdict: String,
    /// Steps per second of stepping, with the other runs beside.
    pub steps_per_second: f64,
}

impl Row {
    /// Of a run that came to its end.
    pub fn new(label: &str, summary: &Summary, series: &Series) -> Self {
        let (end, certificate) = (&summary.energies, &summary.certificate);
        let works = end.work_external + end.work_damping + end.work_normal + end.work_tangential;
        let made = (end.total - end.total_start - works).abs();
        let trajectory = series.trajectory.as_ref();
        Self {
            label: label.into(),
            steps: summary.counts.steps,
            energy_error: if made == 0.0 { 0.0 } else { made / certificate.energy_scale },
            max_tangential_work: certificate.max_tangential_work,
            max_normal_work: certificate.max_normal_work,
            max_penetration: trajectory.and_then(max_penetration),
            spurious_impulses: trajectory.and_then(|t| spurious_impulses(t, &summary.scales)),
            max_balance_residual: certificate.max_balance_residual,
            verdict: certificate.verdict.to_string(),
            steps_per_second: summary.counts.steps as f64 / summary.timings.stepping(),
        }
    }
}

fn max_penetration(trajectory: &Columns) -> Option<f64> {
    let gaps: Vec<&str> = trajectory.names().filter(|name| name.ends_with(".gap")).collect();
    let values = gaps.iter().filter_map(|name| trajectory.get(name)).flatten();
    (!gaps.is_empty()).then(|| values.fold(0.0, |deepest: f64, gap| deepest.max(-gap)))
}

/// An impulse below this share of the largest is none.
const NO_IMPULSE: f64 = 1e-9;
/// Times the tolerance from which on a contact is open, or leaves.
const CLEARLY: f64 = 10.0;
/// Share of the velocity scale from which on a contact leaves, whatever the tolerance.
const LEAVING: f64 = 1e-6;

/// The columns of one contact.
struct Contact<'a> {
    p_n: &'a [f64],
    gap: Option<&'a [f64]>,
    u_n: Option<&'a [f64]>,
}

/// Steps with an impulse through an open gap or on a contact that was leaving already.
fn spurious_impulses(trajectory: &Columns, scales: &Scales) -> Option<usize> {
    let contact = |name: &str| {
        let object = name.strip_suffix(".p_n")?;
        let column = |word: &str| trajectory.get(&format!("{object}.{word}"));
        let contact = Contact { p_n: column("p_n")?, gap: column("gap"), u_n: column("u_n") };
        (contact.gap.is_some() || contact.u_n.is_some()).then_some(contact)
    };
    let contacts: Vec<Contact> = trajectory.names().filter_map(contact).collect();
    let consecutive = trajectory.step.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    if !consecutive || contacts.is_empty() {
        return None;
    }
    let impulses = contacts.iter().flat_map(|contact| contact.p_n);
    let least = NO_IMPULSE * impulses.fold(0.0, |largest: f64, p| largest.max(p.abs()));
    let open = CLEARLY * scales.gap_tolerance;
    let tolerated = CLEARLY * scales.velocity_tolerance.unwrap_or(0.0);
    let leaving = tolerated.max(LEAVING * scales.velocity);
    let is_spurious = |contact: &Contact, row: usize| {
        let was_open = contact.gap.is_some_and(|g| g[row - 1] > open && g[row] > open);
        let was_leaving = contact.u_n.is_some_and(|u| u[row - 1] > leaving);
        contact.p_n[row] > least && (was_open || was_leaving)
    };
    let rows = 1..trajectory.step.len();
    Some(rows.filter(|&row| contacts.iter().any(|contact| is_spurious(contact, row))).count())
}

/// `table.csv`: a row per run; one that failed has an error instead of numbers.
pub(super) fn csv(outcomes: &[Outcome]) -> String {
    let mut csv = String::from(
        "run,steps,energy_error,max_tangential_work,max_normal_work,max_penetration,\
         spurious_impulses,max_balance_residual,verdict,steps_per_second,error\n",
    );
    for outcome in outcomes {
        let cells = match &outcome.result {
            Ok(Finished { row, .. }) => [
                row.steps.to_string(),
                format!("{:?}", row.energy_error),
                format!("{:?}", row.max_tangential_work),
                format!("{:?}", row.max_normal_work),
                row.max_penetration.map_or(String::new(), |depth| format!("{depth:?}")),
                row.spurious_impulses.map_or(String::new(), |count| count.to_string()),
                format!("{:?}", row.max_balance_residual),
                row.verdict.clone(),
                format!("{:.1}", row.steps_per_second),
                String::new(),
            ]
            .join(","),
            Err(error) => format!(",,,,,,,failed,,{}", quoted(&error.to_string())),
        };
        csv.push_str(&format!("{},{cells}\n", quoted(&outcome.label)));
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: Scales =
        Scales { velocity: 1.0, gap_tolerance: 1e-9, velocity_tolerance: Some(1e-9) };

    fn contact(gap: &[f64], u_n: &[f64], p_n: &[f64]) -> Columns {
        let step: Vec<f64> = (0..gap.len()).map(|k| k as f64).collect();
        Columns::given(&step, &[("tip.gap", gap), ("tip.u_n", u_n), ("tip.p_n", p_n)])
    }

    /// It falls, hits, rests and leaves.
    #[test]
    fn impulses_of_an_impact_and_a_rest_are_not_spurious() {
        let fine = contact(
            &[1.0, 0.5, -1e-3, -1e-3, -1e-3, 0.5],
            &[-0.5, -0.5, 0.0, 1e-10, 0.5, 0.5],
            &[0.0, 0.0, 1.0, 0.2, 0.1, 1e-12],
        );
        assert_eq!(spurious_impulses(&fine, &SCALES), Some(0));
        assert_eq!(max_penetration(&fine), Some(1e-3));
    }

    #[test]
    fn an_impulse_through_the_air_and_one_on_a_leaving_contact_are_spurious() {
        let air = contact(&[1.0, 0.5, 0.4], &[-0.5, -0.5, -0.1], &[0.0, 1.0, 0.0]);
        assert_eq!(spurious_impulses(&air, &SCALES), Some(1));
        let closes = contact(&[1.0, 0.0, 0.0], &[-0.5, 0.0, 0.0], &[0.0, 1.0, 0.5]);
        assert_eq!(spurious_impulses(&closes, &SCALES), Some(0));
        let pulls = contact(&[-0.1, -0.1, 0.0], &[0.5, 0.6, 0.7], &[0.0, 1.0, 1.0]);
        assert_eq!(spurious_impulses(&pulls, &SCALES), Some(2));
    }

    #[test]
    fn what_cannot_be_counted_is_blank() {
        let sparse = Columns::given(&[0.0, 5.0], &[("a.p_n", &[0.0, 1.0]), ("a.gap", &[1.0, 1.0])]);
        assert_eq!(spurious_impulses(&sparse, &SCALES), None);
        let no_contact = Columns::given(&[0.0, 1.0], &[("ball.x", &[0.0, 1.0])]);
        assert_eq!(spurious_impulses(&no_contact, &SCALES), None);
        assert_eq!(max_penetration(&no_contact), None);
    }
}
