//! What a case says of the scheme: kind, parameters, steps.

use super::file::SchemeTable;
use super::validate::{Checked, Checker};
use super::{OnFailure, SchemeCase};
use crate::contact::{ActivationRule, Law};
use crate::step::{self, Alpha, Forecast};

/// More steps than any run can take.
const MOST_STEPS: f64 = 1e12;

/// The kinds of schemes, as a case names them.
#[derive(Clone, Copy, PartialEq)]
enum SchemeKind {
    MoreauJean,
    Newmark,
    Hht,
    GeneralisedAlpha,
    SchatzmanPaoli,
    CentralDifference,
    PlainNewmark,
}

const KINDS: [(&str, SchemeKind); 7] = [
    ("moreau-jean", SchemeKind::MoreauJean),
    ("newmark", SchemeKind::Newmark),
    ("hht", SchemeKind::Hht),
    ("generalised-alpha", SchemeKind::GeneralisedAlpha),
    ("schatzman-paoli", SchemeKind::SchatzmanPaoli),
    ("central-difference", SchemeKind::CentralDifference),
    ("plain-newmark", SchemeKind::PlainNewmark),
];

impl SchemeKind {
    fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The keys it has beyond those of all kinds.
    fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::MoreauJean => &[
                "theta",
                "forecast",
                "forecast_gamma",
                "position_correction",
                "activation",
                "velocity_tolerance",
            ],
            Self::Newmark => {
                &["beta", "gamma", "position_correction", "activation", "velocity_tolerance"]
            }
            Self::Hht => &[
                "alpha_f",
                "beta",
                "gamma",
                "position_correction",
                "activation",
                "velocity_tolerance",
            ],
            Self::GeneralisedAlpha => {
                &["rho_infinity", "position_correction", "activation", "velocity_tolerance"]
            }
            Self::SchatzmanPaoli => &["beta"],
            Self::CentralDifference => &[],
            Self::PlainNewmark => &["beta", "gamma"],
        }
    }
}

/// Keys that some kinds of schemes have, and `kind` has not; none where there is no such kind.
pub fn keys_of_other_kinds(kind: &str) -> Vec<&'static str> {
    let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == kind) else { return Vec::new() };
    let all = KINDS.iter().flat_map(|(_, kind)| kind.own_keys()).copied();
    let mut others: Vec<&str> = all.filter(|key| !kind.own_keys().contains(key)).collect();
    others.sort_unstable();
    others.dedup();
    others
}

impl Checker<'_> {
    pub(super) fn scheme(&self, table: &SchemeTable) -> Checked<SchemeCase> {
        let kind = self.choice("scheme.kind", table.kind.as_deref(), &KINDS)?;
        self.refuse_keys_of_others(kind, table)?;
        let laws = [("fremond", Law::Fremond), ("newton", Law::Newton), ("moreau", Law::Moreau)];
        let law = self.choice("scheme.law", table.law.as_deref(), &laws)?;
        let parameters = match kind {
            SchemeKind::MoreauJean => self.moreau_jean(table)?,
            SchemeKind::Newmark => {
                step::Scheme::Newmark(self.newmark(table, Alpha::newmark(0.25, 0.5)))
            }
            SchemeKind::Hht => {
                step::Scheme::Hht(self.newmark(table, Alpha::hht(table.alpha_f.unwrap_or(0.1))))
            }
            SchemeKind::GeneralisedAlpha => {
                let rho = table.rho_infinity.unwrap_or(0.8);
                let position_correction = table.position_correction.unwrap_or(false);
                let alpha = Alpha { position_correction, ..Alpha::of_radius(rho) };
                step::Scheme::GeneralisedAlpha { rho_infinity: rho, alpha }
            }
            SchemeKind::SchatzmanPaoli => {
                step::Scheme::SchatzmanPaoli { beta: table.beta.unwrap_or(0.25) }
            }
            SchemeKind::CentralDifference => step::Scheme::CentralDifference,
            SchemeKind::PlainNewmark => {
                let Alpha { beta, gamma, .. } = self.newmark(table, Alpha::newmark(0.25, 0.5));
                step::Scheme::PlainNewmark { beta, gamma }
            }
        };
        if !parameters.activates() {
            let given = [
                ("activation", table.activation.is_some()),
                ("velocity_tolerance", table.velocity_tolerance.is_some()),
            ];
            if let Some((key, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                let message = "goes without position_correction only, which looks at gaps alone; leave it out";
                return Err(self.error(&format!("scheme.{key}"), message));
            }
        }
        let activation = self.activation(table)?;
        let step = self.positive("scheme.step", table.step)?;
        let end = self.positive("scheme.end", table.end)?;
        Ok(SchemeCase {
            law,
            parameters,
            step,
            steps: self.steps(step, end)?,
            activation,
            gap_tolerance: table.gap_tolerance,
            allow_energy_creation: table.allow_energy_creation.unwrap_or(false),
            allow_overlaps: table.allow_overlaps.unwrap_or(false),
            on_violation: self.choice(
                "scheme.on_violation",
                table.on_violation.as_deref(),
                &[
                    ("continue", OnFailure::Continue),
                    ("warn", OnFailure::Warn),
                    ("stop", OnFailure::Stop),
                ],
            )?,
        })
    }

    /// Keys that the kind does not have.
    fn refuse_keys_of_others(&self, kind: SchemeKind, table: &SchemeTable) -> Checked<()> {
        let given = [
            ("theta", table.theta.is_some()),
            ("forecast", table.forecast.is_some()),
            ("forecast_gamma", table.forecast_gamma.is_some()),
            ("beta", table.beta.is_some()),
            ("gamma", table.gamma.is_some()),
            ("alpha_f", table.alpha_f.is_some()),
            ("rho_infinity", table.rho_infinity.is_some()),
            ("position_correction", table.position_correction.is_some()),
            ("activation", table.activation.is_some()),
            ("velocity_tolerance", table.velocity_tolerance.is_some()),
        ];
        let own = kind.own_keys();
        match given.into_iter().find(|(key, is_given)| *is_given && !own.contains(key)) {
            Some((key, _)) => {
                let takes = if own.is_empty() { "nothing".into() } else { own.join(", ") };
                let message = format!("kind = \"{}\" has no {key}; it takes {takes}", kind.name());
                Err(self.error(&format!("scheme.{key}"), message))
            }
            None => Ok(()),
        }
    }

    fn moreau_jean(&self, table: &SchemeTable) -> Checked<step::Scheme> {
        let theta = table.theta.unwrap_or(0.5);
        let gamma = table.forecast_gamma.unwrap_or(0.5);
        let forecasts = [
            ("start", Forecast::Start),
            ("extrapolated", Forecast::Extrapolated { gamma }),
            ("middle", Forecast::Middle),
        ];
        let forecast = self.choice("scheme.forecast", table.forecast.as_deref(), &forecasts)?;
        if table.forecast_gamma.is_some() && !matches!(forecast, Forecast::Extrapolated { .. }) {
            let message = "goes with forecast = \"extrapolated\" only; leave it out";
            return Err(self.error("scheme.forecast_gamma", message));
        }
        let position_correction = table.position_correction.unwrap_or(false);
        Ok(step::Scheme::MoreauJean { theta, forecast, position_correction })
    }

    /// β and γ as given, or as they are in `alpha`.
    fn newmark(&self, table: &SchemeTable, alpha: Alpha) -> Alpha {
        Alpha {
            beta: table.beta.unwrap_or(alpha.beta),
            gamma: table.gamma.unwrap_or(alpha.gamma),
            position_correction: table.position_correction.unwrap_or(false),
            ..alpha
        }
    }

    /// Which closed contacts are active.
    fn activation(&self, table: &SchemeTable) -> Checked<ActivationRule> {
        let velocity_tolerance = table.velocity_tolerance.unwrap_or(0.0);
        let rules = [
            ("closed", ActivationRule::Closed),
            ("gap and velocity", ActivationRule::Approaching { velocity_tolerance }),
            ("gap", ActivationRule::GapAlone),
        ];
        let rule = self.choice("scheme.activation", table.activation.as_deref(), &rules)?;
        let approaching = matches!(rule, ActivationRule::Approaching { .. });
        if table.velocity_tolerance.is_some() && !approaching {
            let message =
                "goes with activation = \"gap and velocity\", the rule of (64), only; leave it out";
            return Err(self.error("scheme.velocity_tolerance", message));
        }
        Ok(rule)
    }

    /// Number of steps; the end must be one, up to the rounding of the two numbers.
    fn steps(&self, step: f64, end: f64) -> Checked<usize> {
        let steps = (end / step).round();
        if steps > MOST_STEPS {
            let message =
                format!("{end:?} takes {steps:e} steps of {step:?}; choose a larger step");
            return Err(self.error("scheme.end", message));
        }
        if steps < 1.0 || (steps * step - end).abs() > 1e-6 * step {
            let near = steps.max(1.0) * step;
            let message = format!(
                "{end:?} is not a whole number of steps of {step:?}; the nearest is {near:?}"
            );
            return Err(self.error("scheme.end", message));
        }
        Ok(steps as usize)
    }
}
