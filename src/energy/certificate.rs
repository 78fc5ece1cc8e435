//! The certificate of a run: did anything create energy?

use serde::{Deserialize, Serialize};

/// A contact work above this share of the energy scale is positive, not rounding.
pub const WORK_TOLERANCE: f64 = 1e-11;
/// A balance residual above this share of the energy scale means that the identity did not close.
pub const BALANCE_TOLERANCE: f64 = 1e-12;

/// What the dissipation theorem (Proposition 1) asks of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// ½ ≤ θ ≤ 1/(1+e) for every contact, (87).
    pub theta_admitted: bool,
    /// Friction acts on the mean velocity of the step (Frémond), or there is none, (89).
    pub friction_on_mean_velocity: bool,
    /// Contacts that leave are not active, (64).
    pub leaving_contacts_excluded: bool,
}

impl Coverage {
    /// Whether the theorem covers the run.
    pub fn holds(&self) -> bool {
        self.theta_admitted && self.friction_on_mean_velocity && self.leaving_contacts_excluded
    }
}

/// What the figures of a run say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The theorem covers the run, and no contact created energy at any step.
    #[serde(rename = "dissipative")]
    Dissipative,
    /// A contact created energy, or the balance did not close.
    #[serde(rename = "violated")]
    Violated,
    /// No contact created energy, but nothing promises that none will.
    #[serde(rename = "not covered by the theorem")]
    NotCovered,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Dissipative => "dissipative",
            Self::Violated => "violated",
            Self::NotCovered => "not covered by the theorem",
        })
    }
}

/// The figures of a run and what they say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The largest energy or external work of the run.
    pub energy_scale: f64,
    /// Largest |balance residual| of a step, relative to the energy scale.
    pub max_balance_residual: f64,
    /// Largest tangential work of a contact in a step, or 0; in units of energy.
    pub max_tangential_work: f64,
    /// Largest normal work of a contact in a step, or 0; in units of energy.
    pub max_normal_work: f64,
    /// What the theorem asks, and whether it was so.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// What follows.
    pub verdict: Verdict,
}

impl Certificate {
    /// Judges the worst step of a run; residual and works in units of energy.
    pub fn new(
        coverage: Coverage,
        energy_scale: f64,
        residual: f64,
        tangential: f64,
        normal: f64,
    ) -> Self {
        let relative = |work: f64| if work == 0.0 { 0.0 } else { work / energy_scale };
        let balanced = relative(residual) <= BALANCE_TOLERANCE;
        let dissipates =
            relative(tangential) <= WORK_TOLERANCE && relative(normal) <= WORK_TOLERANCE;
        let verdict = if !(balanced && dissipates) {
            Verdict::Violated
        } else if coverage.holds() {
            Verdict::Dissipative
        } else {
            Verdict::NotCovered
        };
        Self {
            energy_scale,
            max_balance_residual: relative(residual),
            max_tangential_work: tangential,
            max_normal_work: normal,
            coverage,
            verdict,
        }
    }

    /// Whether every step closed the balance.
    pub fn balanced(&self) -> bool {
        self.max_balance_residual <= BALANCE_TOLERANCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVERED: Coverage = Coverage {
        theta_admitted: true,
        friction_on_mean_velocity: true,
        leaving_contacts_excluded: true,
    };

    #[test]
    fn verdict_follows_from_the_figures_and_the_theorem() {
        let newton = Coverage { friction_on_mean_velocity: false, ..COVERED };
        let judge = |coverage, residual, tangential, normal| {
            Certificate::new(coverage, 100.0, residual, tangential, normal).verdict
        };
        assert_eq!(judge(COVERED, 1e-12, 1e-10, 0.0), Verdict::Dissipative);
        assert_eq!(judge(newton, 1e-12, 1e-10, 0.0), Verdict::NotCovered);
        assert_eq!(judge(newton, 1e-12, 2e-3, 0.0), Verdict::Violated);
        assert_eq!(judge(COVERED, 1e-12, 0.0, 2e-9), Verdict::Violated);
        assert_eq!(judge(COVERED, 2e-10, 0.0, 0.0), Verdict::Violated);
    }

    #[test]
    fn a_run_of_nan_is_violated() {
        let verdict = Certificate::new(COVERED, 1.0, f64::NAN, 0.0, 0.0).verdict;
        assert_eq!(verdict, Verdict::Violated);
    }
}
