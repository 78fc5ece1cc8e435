//! The family of schemes and their parameters.

use serde::{Deserialize, Serialize};

use crate::contact::{ActivationRule, Restitution};
use crate::energy::Coverage;

/// Where Moreau–Jean looks for contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forecast {
    /// At the start of the step, g(q_k).
    #[default]
    Start,
    /// There, with the gap extrapolated: g(q_k) + γ h u_N,k.
    Extrapolated {
        /// γ.
        gamma: f64,
    },
    /// In Moreau's middle configuration q_k + ½h v_k, gap and H.
    Middle,
}

/// The four numbers of Newmark's scheme and those that grew from it.
///
/// ```text
///     (1−α_m) a₁ + α_m a₀ = (1−α_f) c₁ + α_f c₀             M c = F − K q − C v
///     v₁ = v₀ + h((1−γ) a₀ + γ a₁)    q₁ = q₀ + h v₀ + h²((½−β) a₀ + β a₁)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alpha {
    /// α_m.
    pub alpha_m: f64,
    /// α_f.
    pub alpha_f: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
    /// Whether gaps are closed at the level of positions too, (44) and (47).
    pub position_correction: bool,
}

impl Alpha {
    /// Newmark's scheme: α_m = α_f = 0.
    pub fn newmark(beta: f64, gamma: f64) -> Self {
        Self { alpha_m: 0.0, alpha_f: 0.0, beta, gamma, position_correction: false }
    }

    /// Hilber, Hughes and Taylor's: α_m = 0, γ = ½ + α_f, β = ¼(1 + α_f)².
    pub fn hht(alpha_f: f64) -> Self {
        let beta = 0.25 * (1.0 + alpha_f).powi(2);
        Self { alpha_f, ..Self::newmark(beta, 0.5 + alpha_f) }
    }

    /// Chung and Hulbert's, (49): of all with that spectral radius at infinity the one that damps low
    /// frequencies least.
    pub fn of_radius(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, ..Self::newmark(0.25 * (gamma + 0.5).powi(2), gamma) }
    }

    /// χ = (1−α_f)/(1−α_m).
    pub fn chi(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// 2β − γ, exactly zero where it is but for rounding: then no acceleration enters a step.
    pub fn excess(&self) -> f64 {
        let excess = 2.0 * self.beta - self.gamma;
        if excess.abs() <= 4.0 * f64::EPSILON { 0.0 } else { excess }
    }

    /// Whether a step needs M⁻¹ beside the inverse of what it is solved with.
    pub fn needs_mass(&self) -> bool {
        self.excess() != 0.0 || self.position_correction
    }
}

/// A scheme and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Scheme {
    /// Moreau–Jean, contact at the velocity level.
    MoreauJean {
        /// θ.
        theta: f64,
        /// Where it looks for contact.
        forecast: Forecast,
        /// Whether gaps are closed at the level of positions too.
        #[serde(default)]
        position_correction: bool,
    },
    /// Newmark, contact at the velocity level.
    Newmark(Alpha),
    /// Hilber, Hughes and Taylor, contact at the velocity level.
    Hht(Alpha),
    /// Generalised-α, contact at the velocity level.
    GeneralisedAlpha {
        /// Spectral radius at infinity.
        rho_infinity: f64,
        /// What follows from it.
        #[serde(flatten)]
        alpha: Alpha,
    },
    /// Schatzman and Paoli, contact and impact at the position level.
    SchatzmanPaoli {
        /// β.
        beta: f64,
    },
    /// Central differences, contact at the position level.
    CentralDifference,
    /// Newmark with contact forces, contact at the position level.
    PlainNewmark {
        /// β.
        beta: f64,
        /// γ.
        gamma: f64,
    },
}

/// What the theorem asks about beside the scheme.
#[derive(Clone, Copy, Debug)]
pub struct TheoremSetting<'s> {
    /// Whether there is friction, and e and e_T, of every contact set.
    pub sets: &'s [(bool, Restitution)],
    /// Which closed contacts are active, and with which law.
    pub activation: ActivationRule,
    /// Whether any frame of a contact, or gradient of a joint, turns.
    pub frames_turn: bool,
    /// Whether anything is damped.
    pub damped: bool,
    /// Whether the step is within the limit of stability, where there is one.
    pub stable: bool,
}

impl Scheme {
    /// Moreau–Jean that looks where a step starts.
    pub fn moreau_jean(theta: f64) -> Self {
        Self::MoreauJean { theta, forecast: Forecast::Start, position_correction: false }
    }

    /// As a case names it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::MoreauJean { .. } => "moreau-jean",
            Self::Newmark(_) => "newmark",
            Self::Hht(_) => "hht",
            Self::GeneralisedAlpha { .. } => "generalised-alpha",
            Self::SchatzmanPaoli { .. } => "schatzman-paoli",
            Self::CentralDifference => "central-difference",
            Self::PlainNewmark { .. } => "plain-newmark",
        }
    }

    /// The weights (a, b) of C and K in the matrix M + a C + b K that a step of size h solves with.
    pub fn weights(&self, h: f64) -> (f64, f64) {
        match *self {
            Self::MoreauJean { theta, .. } => (h * theta, h * h * theta * theta),
            Self::Newmark(alpha) | Self::Hht(alpha) | Self::GeneralisedAlpha { alpha, .. } => {
                (h * alpha.gamma * alpha.chi(), h * h * alpha.beta * alpha.chi())
            }
            Self::SchatzmanPaoli { beta } => (0.5 * h, h * h * beta),
            Self::CentralDifference => (0.5 * h, 0.0),
            Self::PlainNewmark { beta, gamma } => (h * gamma, h * h * beta),
        }
    }

    /// θ of the mean velocity u_θ = θ u_{k+1} + (1−θ) u_k that works with the impulses, and that
    /// Frémond's law has friction act on.
    pub fn theta(&self) -> f64 {
        match *self {
            Self::MoreauJean { theta, .. } => theta,
            Self::Newmark(_)
            | Self::Hht(_)
            | Self::GeneralisedAlpha { .. }
            | Self::SchatzmanPaoli { .. }
            | Self::CentralDifference
            | Self::PlainNewmark { .. } => 0.5,
        }
    }

    /// Whether it has an impact law, which restitution is for.
    pub fn has_impacts(&self) -> bool {
        !matches!(self, Self::CentralDifference | Self::PlainNewmark { .. })
    }

    /// Whether its contacts are those whose gap is closed at the start of a step and that do not leave,
    /// (64); else gaps at its end decide.
    pub fn activates(&self) -> bool {
        match self {
            Self::MoreauJean { .. } => true,
            Self::Newmark(alpha) | Self::Hht(alpha) | Self::GeneralisedAlpha { alpha, .. } => {
                !alpha.position_correction
            }
            Self::SchatzmanPaoli { .. } | Self::CentralDifference | Self::PlainNewmark { .. } => {
                false
            }
        }
    }

    /// Whether, where contacts that the theorem covers do no positive work, no other term of its
    /// identity creates energy.
    fn dissipates(&self, setting: &TheoremSetting) -> bool {
        let plastic = setting.sets.iter().all(|(_, restitution)| restitution.normal == 0.0);
        match *self {
            Self::MoreauJean { theta, position_correction, .. } => {
                theta >= 0.5 && !position_correction
            }
            Self::Newmark(alpha) => {
                // With 2β > γ damping works on Δq, which is not the mean velocity, and may give.
                let excess = alpha.excess();
                let damps = excess == 0.0 || (excess > 0.0 && !setting.damped);
                !alpha.position_correction && alpha.gamma >= 0.5 && damps
            }
            Self::SchatzmanPaoli { beta } => beta >= 0.25 && plastic && !setting.frames_turn,
            Self::CentralDifference => setting.stable && !setting.frames_turn,
            Self::Hht(_) | Self::GeneralisedAlpha { .. } | Self::PlainNewmark { .. } => false,
        }
    }

    /// Whether gaps are closed at the level of positions too.
    pub fn corrects_positions(&self) -> bool {
        match self {
            Self::MoreauJean { position_correction, .. } => *position_correction,
            Self::Newmark(alpha) | Self::Hht(alpha) => alpha.position_correction,
            Self::GeneralisedAlpha { alpha, .. } => alpha.position_correction,
            Self::PlainNewmark { .. } | Self::SchatzmanPaoli { .. } | Self::CentralDifference => {
                true
            }
        }
    }

    /// Whether the scheme has a store of its own beside the energy, which gives back what it took.
    fn stores(&self) -> bool {
        match self {
            Self::MoreauJean { position_correction, .. } => *position_correction,
            Self::Newmark(alpha) => alpha.excess() != 0.0,
            Self::Hht(_) | Self::GeneralisedAlpha { .. } | Self::PlainNewmark { .. } => true,
            Self::SchatzmanPaoli { .. } | Self::CentralDifference => true,
        }
    }

    /// What the theorem asks of a run with this scheme, and whether it has it.
    pub fn coverage(&self, setting: &TheoremSetting) -> Coverage {
        let TheoremSetting { sets, activation, .. } = *setting;
        let of_impacts = Coverage::of(self.theta(), sets, activation);
        // With a gap that closes in the step, a contact that pushes has not left.
        let at_positions = matches!(self, Self::SchatzmanPaoli { .. } | Self::CentralDifference);
        let harmless = self.activates() && of_impacts.leaving_contacts_harmless;
        Coverage {
            leaving_contacts_harmless: sets.is_empty() || at_positions || harmless,
            scheme_dissipates: self.dissipates(setting),
            scheme_stores: self.stores(),
            ..of_impacts
        }
    }

    /// The most factors (that of M fills no more than that of M + aC + bK, but where b = 0), responses
    /// between contact dofs and cone problems that a stepper holds at a time.
    pub(super) fn holdings(&self) -> [usize; 3] {
        match self {
            Self::MoreauJean { .. } => [1, 1, 1],
            Self::Newmark(alpha) | Self::Hht(alpha) | Self::GeneralisedAlpha { alpha, .. } => {
                match (alpha.position_correction, alpha.needs_mass()) {
                    (true, _) => [2, 6, 2],
                    (false, true) => [2, 4, 1],
                    (false, false) => [1, 1, 1],
                }
            }
            Self::SchatzmanPaoli { .. } | Self::CentralDifference => [2, 1, 1],
            Self::PlainNewmark { beta, gamma } => {
                [if Alpha::newmark(*beta, *gamma).needs_mass() { 2 } else { 1 }, 1, 1]
            }
        }
    }

    /// Whether driven dofs may move.
    pub fn follows_driven_dofs(&self) -> bool {
        matches!(self, Self::MoreauJean { .. })
    }
}

impl std::fmt::Display for Scheme {
    /// The kind and its parameters, as a line of text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::MoreauJean { theta, forecast, position_correction } => {
                write!(f, ", theta = {theta}")?;
                match forecast {
                    Forecast::Start => Ok(()),
                    Forecast::Extrapolated { gamma } => write!(f, ", gaps ahead by {gamma} h u_N"),
                    Forecast::Middle => write!(f, ", contacts at the middle"),
                }?;
                if *position_correction { f.write_str(", positions corrected") } else { Ok(()) }
            }
            Self::Newmark(alpha) => write!(f, ", {alpha}"),
            Self::Hht(alpha) => write!(f, ", alpha_f = {}, {alpha}", alpha.alpha_f),
            Self::GeneralisedAlpha { rho_infinity, alpha } => {
                write!(f, ", rho = {rho_infinity}, {alpha}")
            }
            Self::SchatzmanPaoli { beta } => write!(f, ", beta = {beta}"),
            Self::CentralDifference => Ok(()),
            Self::PlainNewmark { beta, gamma } => write!(f, ", beta = {beta}, gamma = {gamma}"),
        }
    }
}

impl std::fmt::Display for Alpha {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "beta = {}, gamma = {}", self.beta, self.gamma)?;
        if self.position_correction { f.write_str(", positions corrected") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ρ = 1 is the mean of Newmark's and of the force of both ends, ρ = 0 annihilates at infinity.
    #[test]
    fn the_numbers_of_chung_and_hulbert() {
        let kept = Alpha::of_radius(1.0);
        assert_eq!((kept.alpha_m, kept.alpha_f, kept.beta, kept.gamma), (0.5, 0.5, 0.25, 0.5));
        let gone = Alpha::of_radius(0.0);
        assert_eq!((gone.alpha_m, gone.alpha_f, gone.beta, gone.gamma), (-1.0, 0.0, 1.0, 1.5));
        assert_eq!(Alpha::hht(0.0), Alpha::newmark(0.25, 0.5));
        assert!(!Alpha::newmark(0.3, 0.6).needs_mass() && Alpha::hht(0.1).needs_mass());
    }
}
