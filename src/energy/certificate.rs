//! The certificate of a run: did anything create energy?

use serde::{Deserialize, Serialize};

use crate::contact::Restitution;

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
    /// Where contacts do no positive work, nothing else in the scheme's identity creates energy.
    pub scheme_dissipates: bool,
}

/// Share of the velocity scale from which on a contact leaves, whatever the case tolerates.
const LEAVING: f64 = 1e-6;

impl Coverage {
    /// Of a run with parameter `theta`, the (μ, e and e_T) of its contact sets, a tolerance on leaving
    /// velocities (none where only gaps are looked at) and the velocity scale.
    pub fn of(
        theta: f64,
        sets: &[(f64, Restitution)],
        tolerance: Option<f64>,
        velocity_scale: f64,
    ) -> Self {
        let on_mean = |(friction, restitution): &(f64, Restitution)| {
            *friction == 0.0 || restitution.sees_mean_velocity(theta)
        };
        Self {
            theta_admitted: theta >= 0.5 && sets.iter().all(|(_, r)| r.admits(theta)),
            friction_on_mean_velocity: sets.iter().all(on_mean),
            leaving_contacts_excluded: sets.is_empty()
                || tolerance.is_some_and(|tolerance| tolerance <= LEAVING * velocity_scale),
            scheme_dissipates: true,
        }
    }

    /// Whether the theorem covers the run.
    pub fn holds(&self) -> bool {
        self.theta_admitted
            && self.friction_on_mean_velocity
            && self.leaving_contacts_excluded
            && self.scheme_dissipates
    }

    /// What of it is missing, as the end of a sentence.
    fn missing(&self) -> String {
        let mut missing = Vec::new();
        if !self.theta_admitted {
            missing.push("theta lies outside of [1/2, 1/(1 + e)]");
        }
        if !self.friction_on_mean_velocity {
            missing.push("friction does not act on the mean velocity (law is not fremond)");
        }
        if !self.leaving_contacts_excluded {
            missing.push("contacts that leave are kept, by activation = \"gap\" or a large solver or velocity tolerance");
        }
        if missing.is_empty() { String::new() } else { format!("; {}", missing.join(", ")) }
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

/// The worst of a run, in units of energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// The largest energy or external work.
    pub energy_scale: f64,
    /// Largest |balance residual| of a step.
    pub residual: f64,
    /// Largest tangential work of a contact in a step, or 0.
    pub tangential: f64,
    /// Largest normal work of a contact in a step, or 0.
    pub normal: f64,
    /// A residual below this is rounding.
    pub balance_floor: f64,
    /// A contact work below this is that of a contact held.
    pub work_floor: f64,
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
    /// What rounding alone can make of the balance; in units of energy. It matters where a body turns
    /// or travels far with little energy: the forces of a rotation cancel only to rounding.
    pub balance_floor: f64,
    /// Work of the largest impulse at the velocity below which a contact counts as held; in units of
    /// energy. It matters where a body rests, and energies are as small as what the solver leaves.
    pub work_floor: f64,
    /// What the theorem asks, and whether it was so.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// What follows.
    pub verdict: Verdict,
}

impl Worst {
    /// The residual that a step must exceed not to be balanced.
    pub fn balance_limit(&self) -> f64 {
        (BALANCE_TOLERANCE * self.energy_scale).max(self.balance_floor)
    }

    /// The work that a contact must exceed to have created energy.
    pub fn work_limit(&self) -> f64 {
        (WORK_TOLERANCE * self.energy_scale).max(self.work_floor)
    }
}

impl Certificate {
    /// Judges the worst of a run: the balance must close to 1e-12 and no work exceed 1e-11 of the
    /// energy scale, or what the arithmetic and the solver can tell from zero.
    pub fn new(coverage: Coverage, worst: &Worst) -> Self {
        let scale = worst.energy_scale;
        let relative = |x: f64| if x == 0.0 { 0.0 } else { x / scale };
        let mut certificate = Self {
            energy_scale: scale,
            max_balance_residual: relative(worst.residual),
            max_tangential_work: worst.tangential,
            max_normal_work: worst.normal,
            balance_floor: worst.balance_floor,
            work_floor: worst.work_floor,
            coverage,
            verdict: Verdict::Violated,
        };
        let works = [worst.tangential, worst.normal];
        // What is compared with infinity is not judged at all.
        let limit = certificate.work_limit();
        let dissipates = limit.is_finite() && works.iter().all(|&work| work <= limit);
        if certificate.balanced() && dissipates {
            certificate.verdict =
                if coverage.holds() { Verdict::Dissipative } else { Verdict::NotCovered };
        }
        certificate
    }

    /// Whether every step closed the balance.
    pub fn balanced(&self) -> bool {
        let limit = (BALANCE_TOLERANCE * self.energy_scale).max(self.balance_floor);
        limit.is_finite() && self.max_balance_residual * self.energy_scale <= limit
    }

    /// The work that a contact must exceed to have created energy.
    pub fn work_limit(&self) -> f64 {
        (WORK_TOLERANCE * self.energy_scale).max(self.work_floor)
    }

    /// Why the verdict is what it is.
    pub fn reason(&self) -> String {
        let (tangential, normal) = (self.max_tangential_work, self.max_normal_work);
        let limit = self.work_limit();
        let missing = self.coverage.missing();
        match self.verdict {
            Verdict::Dissipative => format!(
                "no contact created energy at any step (largest work {:.1e})",
                tangential.max(normal)
            ),
            Verdict::Violated if !self.balanced() => "the energy balance did not close".into(),
            Verdict::Violated if tangential > limit => {
                format!("a contact created {tangential:.3e} of tangential work in a step{missing}")
            }
            Verdict::Violated => {
                format!("a contact created {normal:.3e} of normal work in a step{missing}")
            }
            Verdict::NotCovered => {
                format!("no contact created energy, but none of it is promised{missing}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVERED: Coverage = Coverage {
        theta_admitted: true,
        friction_on_mean_velocity: true,
        leaving_contacts_excluded: true,
        scheme_dissipates: true,
    };

    const FLOORLESS: Worst = Worst {
        energy_scale: 1.0,
        residual: 0.0,
        tangential: 0.0,
        normal: 0.0,
        balance_floor: 0.0,
        work_floor: 0.0,
    };

    #[test]
    fn verdict_follows_from_the_figures_and_the_theorem() {
        let newton = Coverage { friction_on_mean_velocity: false, ..COVERED };
        let judge = |coverage, residual, tangential, normal| {
            let worst = Worst { energy_scale: 100.0, residual, tangential, normal, ..FLOORLESS };
            Certificate::new(coverage, &worst).verdict
        };
        assert_eq!(judge(COVERED, 1e-12, 1e-10, 0.0), Verdict::Dissipative);
        assert_eq!(judge(newton, 1e-12, 1e-10, 0.0), Verdict::NotCovered);
        assert_eq!(judge(newton, 1e-12, 2e-3, 0.0), Verdict::Violated);
        assert_eq!(judge(COVERED, 1e-12, 0.0, 2e-9), Verdict::Violated);
        assert_eq!(judge(COVERED, 2e-10, 0.0, 0.0), Verdict::Violated);
    }

    #[test]
    fn a_run_of_nan_is_violated() {
        for worst in [
            Worst { residual: f64::NAN, ..FLOORLESS },
            Worst { normal: f64::NAN, ..FLOORLESS },
            Worst { residual: 1e-3, energy_scale: 0.0, ..FLOORLESS },
            Worst { energy_scale: f64::INFINITY, ..FLOORLESS },
            Worst { balance_floor: f64::INFINITY, ..FLOORLESS },
            Worst { work_floor: f64::INFINITY, ..FLOORLESS },
        ] {
            assert_eq!(Certificate::new(COVERED, &worst).verdict, Verdict::Violated, "{worst:?}");
        }
    }

    #[test]
    fn what_rounding_and_solver_cannot_tell_from_zero_is_not_created_energy() {
        let worst = Worst {
            residual: 1e-9,
            normal: 1e-7,
            balance_floor: 2e-9,
            work_floor: 2e-7,
            ..FLOORLESS
        };
        assert_eq!(Certificate::new(COVERED, &worst).verdict, Verdict::Dissipative);
        let more = Worst { normal: 3e-7, ..worst };
        assert_eq!(Certificate::new(COVERED, &more).verdict, Verdict::Violated);
    }
}
