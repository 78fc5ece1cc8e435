//! One row per run: what it cost and what it did wrong.

use super::sheet::quoted;
use super::{Finished, RunOutcome};
use crate::energy::{Term, TermClass, WORK_SHARE};
use crate::output::Summary;
use crate::results::{Columns, Series};

/// A run in figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Label of the run.
    pub label: String,
    /// Steps taken.
    pub steps: usize,
    /// What contacts and scheme made (+) or took (−) of energy by the end:
    ///
    /// ```text
    ///     (E − E₀ − W_ext − W_damp) / max(|E₀|, |W_ext|)
    /// ```
    pub energy_change: f64,
    /// The part of it that is no work of a contact, but the scheme's own:
    ///
    /// ```text
    ///     (E − E₀ − W_ext − W_damp − W_normal − W_tangential) / max(|E₀|, |W_ext|)
    /// ```
    ///
    /// that is its numerical dissipation and the residuals of all steps.
    pub numerical_work: f64,
    /// Largest tangential work of a contact in a step, or 0; in units of energy.
    pub max_tangential_work: f64,
    /// Largest normal work of a contact in a step, or 0; in units of energy.
    pub max_normal_work: f64,
    /// How deep a contact went at most; none without gaps in a trajectory.
    pub max_penetration: Option<f64>,
    /// Steps in which a point pushed, p_N > 0, though
    ///
    /// * it was open: its own gap was above ten gap tolerances at the start of the step and at its end; or
    /// * it was leaving: u_N,θ p_N > 0, so that its own impulse created energy, beyond what the certificate
    ///   takes for rounding.
    ///
    /// Points are looked at one by one, not with the sums of their set. An impulse below 1e-9 of the largest of
    /// the run is none. No number where there is no trajectory with contacts, or where it or the history leaves
    /// out steps.
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
        let less = |change: f64, class| Term::of(class).fold(change, |left, term| left - end[term]);
        let change = end.total - end.total_start;
        let change = less(less(change, TermClass::Supplied), TermClass::Matter);
        let supplied = Term::of(TermClass::Supplied).map(|term| end[term].abs());
        let given = supplied.fold(end.total_start.abs(), f64::max);
        let scale = if given > 0.0 { given } else { certificate.energy_scale };
        let share = |made: f64| if made == 0.0 { 0.0 } else { made / scale };
        let trajectory = series.trajectory.as_ref();
        Self {
            label: label.into(),
            steps: summary.counts.steps,
            energy_change: share(change),
            numerical_work: share(less(change, TermClass::Contact)),
            max_tangential_work: certificate.largest[Term::Tangential],
            max_normal_work: certificate.largest[Term::Normal],
            max_penetration: trajectory.and_then(max_penetration),
            spurious_impulses: spurious_impulses(series),
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
/// Steps with an impulse of a point that was open, or that created energy where it was leaving.
fn spurious_impulses(series: &Series) -> Option<usize> {
    let (trajectory, history) = (series.trajectory.as_ref()?, &series.history);
    let ending = |word: &str| -> Vec<&[f64]> {
        let names = trajectory.names().filter(|name| name.ends_with(word));
        names.filter_map(|name| trajectory.get(name)).collect()
    };
    let (pushes, through_air) = (ending(".p_n"), ending(".p_open"));
    let (created, passed) = (history.get("max_normal_work")?, history.get("work_passed")?);
    let consecutive = trajectory.step.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    if !consecutive || trajectory.step != history.step || through_air.is_empty() {
        return None;
    }
    let impulses = pushes.iter().copied().flatten();
    let least = NO_IMPULSE * impulses.fold(0.0, |largest: f64, p| largest.max(p.abs()));
    let creates = |row: usize| created[row] > WORK_SHARE * (passed[row] - passed[row - 1]);
    let is_spurious = |&row: &usize| creates(row) || through_air.iter().any(|p| p[row] > least);
    Some((1..trajectory.step.len()).filter(is_spurious).count())
}

/// `table.csv`: a row per run; one that failed has an error instead of numbers.
pub(super) fn csv(outcomes: &[RunOutcome]) -> String {
    let mut csv = String::from(
        "run,steps,energy_change,numerical_work,max_tangential_work,max_normal_work,max_penetration,\
         spurious_impulses,max_balance_residual,verdict,steps_per_second,error\n",
    );
    for outcome in outcomes {
        let cells = match &outcome.result {
            Ok(Finished { row, .. }) => [
                row.steps.to_string(),
                format!("{:?}", row.energy_change),
                format!("{:?}", row.numerical_work),
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
            Err(error) => format!(",,,,,,,,failed,,{}", quoted(&error.to_string())),
        };
        csv.push_str(&format!("{},{cells}\n", quoted(&outcome.label)));
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a run with one contact wrote: gap, p_N, p_N through the air, largest normal work; 1 passes in every step.
    fn run(gap: &[f64], p_n: &[f64], p_open: &[f64], work: &[f64]) -> Series {
        let step: Vec<f64> = (0..gap.len()).map(|k| k as f64).collect();
        let columns = [("tip.gap", gap), ("tip.p_n", p_n), ("tip.p_open", p_open)];
        Series {
            history: Columns::given(&step, &[("max_normal_work", work), ("work_passed", &step)]),
            trajectory: Some(Columns::given(&step, &columns)),
        }
    }

    /// It falls, hits, rests and leaves.
    #[test]
    fn impulses_of_an_impact_and_a_rest_are_not_spurious() {
        let p_n = [0.0, 0.0, 1.0, 0.2, 0.1, 1e-12];
        let p_open = [0.0, 0.0, 0.0, 0.0, 0.0, 1e-12];
        let work = [0.0, 0.0, -1.0, 1e-16, 0.0, 0.0];
        let fine = run(&[1.0, 0.5, -1e-3, -1e-3, -1e-3, 0.5], &p_n, &p_open, &work);
        assert_eq!(spurious_impulses(&fine), Some(0));
        assert_eq!(max_penetration(fine.trajectory.as_ref().unwrap()), Some(1e-3));
    }

    #[test]
    fn an_impulse_through_the_air_and_one_that_creates_energy_are_spurious() {
        let air = run(&[1.0, 0.5, 0.4], &[0.0, 1.0, 0.0], &[0.0, 1.0, 0.0], &[0.0; 3]);
        assert_eq!(spurious_impulses(&air), Some(1));
        let pulls = run(&[-0.1, -0.1, 0.0], &[0.0, 1.0, 1.0], &[0.0; 3], &[0.0, 0.5, 0.6]);
        assert_eq!(spurious_impulses(&pulls), Some(2));
    }

    #[test]
    fn what_cannot_be_counted_is_blank() {
        let columns = [("a.p_n", &[0.0, 1.0][..]), ("a.p_open", &[0.0, 1.0])];
        let sparse = Series {
            history: Columns::given(
                &[0.0, 5.0],
                &[("max_normal_work", &[0.0, 0.0]), ("work_passed", &[0.0, 1.0])],
            ),
            trajectory: Some(Columns::given(&[0.0, 5.0], &columns)),
        };
        assert_eq!(spurious_impulses(&sparse), None);
        let no_contact = Columns::given(&[0.0, 1.0], &[("ball.x", &[0.0, 1.0])]);
        assert_eq!(max_penetration(&no_contact), None);
        let free = Series { trajectory: Some(no_contact), ..sparse };
        assert_eq!(spurious_impulses(&free), None);
        let bare = Series { trajectory: None, ..free };
        assert_eq!(spurious_impulses(&bare), None);
    }
}
