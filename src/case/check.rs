//! What every case keeps, written in a file or made by a program: numbers in range, and what goes with what.

use super::validate::{Checked, Checker};
use super::{
    BoundaryCase, Case, ContactCase, FieldCase, LoadCase, LoadKind, MaterialCase, PreloadCase,
    SchemeCase,
};
use crate::contact::{ActivationRule, Law};
use crate::error::Error;
use crate::material::Section;
use crate::step::{self, Alpha, Forecast};
use crate::time::{Motion, TimeFunction};
use crate::units::Units;

impl Case {
    /// That numbers are in range, and names given once; an error tells which is not and what to do.
    pub fn check(&self) -> Result<(), Error> {
        let check = Checker::new(&self.path, &self.source);
        check.sound_scheme(&self.scheme)?;
        check.sound_system(&self.system)?;
        check.sound_names(self)?;
        check.sound_turns(self)?;
        check.sound_words(self)?;
        self.contacts.iter().try_for_each(|contact| check.sound_contact(contact, &self.scheme))?;
        check.sound_units(&self.units)?;
        check.positive("mesh.scale", self.scale)?;
        self.materials.iter().try_for_each(|material| check.sound_material(material))?;
        self.boundaries.iter().try_for_each(|boundary| check.sound_boundary(boundary))?;
        self.loads.iter().try_for_each(|load| check.sound_load(load))?;
        self.preload.iter().try_for_each(|preload| check.sound_preload(preload))?;
        let fields = self.displacements.iter().map(|field| ("displacement", field));
        let mut fields = fields.chain(self.velocities.iter().map(|field| ("velocity", field)));
        fields.try_for_each(|(kind, field)| check.sound_field(kind, field))?;
        check.sound_solver(self)
    }
}

impl Checker<'_> {
    /// A point or vector of numbers.
    pub(super) fn finite_all(&self, key: &str, vector: &[f64]) -> Checked<()> {
        vector.iter().try_for_each(|&value| self.finite(key, value).map(drop))
    }

    fn sound_material(&self, case: &MaterialCase) -> Checked<()> {
        let key = |field: &str| format!("material.{}.{field}", case.name);
        let material = &case.material;
        self.positive(&key("young"), material.young)?;
        let nu = material.poisson;
        self.number(&key("poisson"), nu, nu > -1.0 && nu < 0.5, "between -1 and 0.5")?;
        self.positive(&key("density"), material.density)?;
        match material.section {
            Section::PlaneStress { thickness } | Section::PlaneStrain { thickness } => {
                self.positive(&key("thickness"), thickness)?;
            }
            Section::Bar { area } => drop(self.positive(&key("area"), area)?),
            Section::Solid => {}
        }
        self.not_negative(&key("damping_mass"), material.damping_mass)?;
        self.not_negative(&key("damping_stiffness"), material.damping_stiffness)?;
        Ok(())
    }

    fn sound_boundary(&self, case: &BoundaryCase) -> Checked<()> {
        self.sound_motion(&format!("boundary.{}", case.name), "displacement", &case.motion)
    }

    /// A prescribed motion; `moved` is the key of a displacement or an angle.
    pub(super) fn sound_motion(&self, place: &str, moved: &str, motion: &Motion) -> Checked<()> {
        let (key, value, time) = match motion {
            Motion::Displacement { value, time } => (moved, value, time),
            Motion::Velocity { value, time } => ("velocity", value, time),
        };
        self.sound_time(&format!("{place}.time"), time)?;
        if matches!(motion, Motion::Displacement { .. }) && time.derivative(0.0).is_none() {
            let message = "a displacement cannot jump; use a ramp, or prescribe a velocity";
            return Err(self.error(&format!("{place}.time.function"), message));
        }
        self.finite(&format!("{place}.{key}"), *value).map(drop)
    }

    fn sound_load(&self, case: &LoadCase) -> Checked<()> {
        let key = |field: &str| format!("load.{}.{field}", case.name);
        self.sound_time(&key("time"), &case.time)?;
        match &case.kind {
            LoadKind::Gravity { acceleration, potential } => {
                self.finite_all(&key("gravity"), acceleration)?;
                if *potential && !case.time.is_constant() {
                    let message = "gravity that varies has no potential; set potential = false";
                    return Err(self.error(&key("potential"), message));
                }
                Ok(())
            }
            LoadKind::Traction { traction, .. } => self.finite_all(&key("traction"), traction),
            LoadKind::Pressure { pressure, .. } => {
                self.finite(&key("pressure"), *pressure).map(drop)
            }
            LoadKind::Force { force, .. } => self.finite_all(&key("force"), force),
            LoadKind::Feedback(_) => Ok(()),
        }
    }

    pub(super) fn sound_time(&self, key: &str, time: &TimeFunction) -> Checked<()> {
        let finite = |name: &str, value: f64| self.finite(&format!("{key}.{name}"), value);
        match time {
            TimeFunction::Constant => {}
            TimeFunction::Step { start } => drop(finite("start", *start)?),
            TimeFunction::Ramp { start, end } => {
                finite("start", *start)?;
                let later = format!("later than the start {start:?}");
                self.number(&format!("{key}.end"), *end, end > start, &later)?;
            }
            TimeFunction::Sine { period, phase } => {
                self.positive(&format!("{key}.period"), *period)?;
                finite("phase", *phase)?;
            }
            TimeFunction::Square { period } => {
                self.positive(&format!("{key}.period"), *period)?;
            }
            TimeFunction::Table { times, values } => self.sound_table(key, times, values)?,
        }
        Ok(())
    }

    fn sound_table(&self, key: &str, times: &[f64], values: &[f64]) -> Checked<()> {
        for (name, list) in [("times", times), ("values", values)] {
            for (at, &x) in list.iter().enumerate() {
                let wanted = format!("a finite number (entry {})", at + 1);
                self.number(&format!("{key}.{name}"), x, true, &wanted)?;
            }
        }
        if times.len() != values.len() || times.is_empty() {
            let message = format!("{} times for {} values", times.len(), values.len());
            let message = message + "; give one each, at least one";
            return Err(self.error(&format!("{key}.values"), message));
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            let message = format!("{:?} comes before {:?}; times must ascend", pair[0], pair[1]);
            return Err(self.error(&format!("{key}.times"), message));
        }
        Ok(())
    }

    fn sound_preload(&self, case: &PreloadCase) -> Checked<()> {
        let key = format!("initial.preload.{}.displacement", case.name);
        self.finite(&key, case.displacement).map(drop)
    }

    fn sound_field(&self, kind: &str, case: &FieldCase) -> Checked<()> {
        let key = |field: &str| format!("initial.{kind}.{}.{field}", case.name);
        self.finite_all(&key("value"), &case.value)?;
        self.finite_all(&key("spin"), &case.spin)?;
        self.finite_all(&key("center"), &case.center)
    }

    fn sound_contact(&self, case: &ContactCase, scheme: &SchemeCase) -> Checked<()> {
        let key = |field: &str| format!("contact.{}.{field}", case.name);
        let e = case.restitution.normal;
        self.number(&key("restitution"), e, (0.0..=1.0).contains(&e), "between 0 and 1")?;
        let e_t = case.restitution.tangential;
        if scheme.law == Law::Moreau {
            let admitted = (-1.0..=1.0).contains(&e_t);
            self.number(&key("tangential_restitution"), e_t, admitted, "between -1 and 1")?;
        }
        let theta = scheme.parameters.theta();
        if !case.restitution.admits(theta) && !scheme.allow_energy_creation {
            let limit = 1.0 / (1.0 + e);
            let message = format!(
                "{theta} lies outside of [0.5, {limit}] = [1/2, 1/(1 + e)] of contact '{}', where \
                 energy may be created; change it or set scheme.allow_energy_creation = true",
                case.name
            );
            return Err(self.error("scheme.theta", message));
        }
        self.sound_pair(case)?;
        let coefficient = case.friction.coefficient().unwrap_or(0.0);
        self.not_negative(&key("friction"), coefficient).map(drop)
    }

    fn sound_units(&self, text: &str) -> Checked<()> {
        if text.trim().is_empty() {
            let message = "is empty; name a length, a time and a mass: \"mm, ms, g\"";
            return Err(self.error("units", message));
        }
        let missing = Units::missing(text);
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!(
            "\"{text}\" names no {}; name a length, a time and a mass, as \"mm, ms, g\", or a system of your own in words, as \"dimensionless\"",
            missing.join(" and no ")
        );
        Err(self.error("units", message))
    }

    fn sound_solver(&self, case: &Case) -> Checked<()> {
        let solver = &case.solver;
        let enough = solver.max_iterations > 0;
        self.number("solver.max_iterations", solver.max_iterations as f64, enough, "at least 1")?;
        // Relative, so that 1 asks for nothing.
        let (value, wanted) = (
            solver.tolerance,
            "a number > 0 and < 1: it is relative, and 1 asks for nothing; give 1e-10",
        );
        self.number("solver.tolerance", value, value > 0.0 && value < 1.0, wanted).map(drop)
    }

    fn sound_scheme(&self, scheme: &SchemeCase) -> Checked<()> {
        let allowed = scheme.allow_energy_creation;
        match scheme.parameters {
            step::Scheme::MoreauJean { theta, forecast, .. } => {
                self.sound_theta(theta, allowed)?;
                if let Forecast::Extrapolated { gamma } = forecast {
                    let admitted = (0.0..=1.0).contains(&gamma);
                    self.number("scheme.forecast_gamma", gamma, admitted, "between 0 and 1")?;
                }
            }
            step::Scheme::Newmark(alpha) => {
                self.sound_newmark(alpha, Alpha::newmark(0.25, 0.5), allowed)?;
            }
            step::Scheme::PlainNewmark { beta, gamma } => {
                let alpha = Alpha::newmark(beta, gamma);
                self.sound_newmark(alpha, Alpha::newmark(0.25, 0.5), allowed)?;
            }
            step::Scheme::Hht(alpha) => {
                let admitted = (0.0..=1.0 / 3.0).contains(&alpha.alpha_f);
                self.number("scheme.alpha_f", alpha.alpha_f, admitted, "between 0 and 1/3")?;
                self.sound_newmark(alpha, Alpha::hht(alpha.alpha_f), allowed)?;
            }
            step::Scheme::GeneralisedAlpha { rho_infinity: rho, alpha } => {
                let admitted = (0.0..=1.0).contains(&rho);
                self.number("scheme.rho_infinity", rho, admitted, "between 0 and 1")?;
                let position_correction = alpha.position_correction;
                if alpha != (Alpha { position_correction, ..Alpha::of_radius(rho) }) {
                    let message =
                        format!("{alpha:?} does not follow from it; give Alpha::of_radius({rho})");
                    return Err(self.error("scheme.rho_infinity", message));
                }
            }
            step::Scheme::SchatzmanPaoli { beta } => {
                self.not_negative("scheme.beta", beta)?;
                if beta < 0.25 && !allowed {
                    let message = format!(
                        "{beta} < 1/4: large steps are not stable; choose more, or set \
                         scheme.allow_energy_creation = true"
                    );
                    return Err(self.error("scheme.beta", message));
                }
            }
            step::Scheme::CentralDifference => {}
        }
        self.positive("scheme.step", scheme.step)?;
        if let ActivationRule::Approaching { velocity_tolerance } = scheme.activation {
            self.not_negative("scheme.velocity_tolerance", velocity_tolerance)?;
        }
        if let Some(tolerance) = scheme.gap_tolerance {
            self.not_negative("scheme.gap_tolerance", tolerance)?;
        }
        Ok(())
    }

    fn sound_theta(&self, theta: f64, allowed: bool) -> Checked<()> {
        let admitted = "between 0 and 1; the theorem asks [1/2, 1/(1 + e)]";
        self.number("scheme.theta", theta, theta > 0.0 && theta <= 1.0, admitted)?;
        if theta < 0.5 && !allowed {
            let message = format!(
                "{theta} < 1/2 creates energy in every step; choose theta in [1/2, 1/(1 + e)] or \
                 set scheme.allow_energy_creation = true"
            );
            return Err(self.error("scheme.theta", message));
        }
        Ok(())
    }

    /// β and γ, of which those that are not as in `default` are told of.
    fn sound_newmark(&self, alpha: Alpha, default: Alpha, allowed: bool) -> Checked<()> {
        let Alpha { beta, gamma, .. } = alpha;
        self.positive("scheme.beta", beta)?;
        self.positive("scheme.gamma", gamma)?;
        if allowed {
            return Ok(());
        }
        let remedy = "or set scheme.allow_energy_creation = true";
        if gamma < 0.5 {
            let message =
                format!("{gamma} < 1/2 creates energy in every step; choose more, {remedy}");
            return Err(self.error("scheme.gamma", message));
        }
        if alpha.excess() < 0.0 {
            let key = if beta == default.beta { "scheme.gamma" } else { "scheme.beta" };
            let message = format!(
                "beta = {beta} and gamma = {gamma} have 2 beta < gamma: large steps are not stable; \
                 choose beta >= {}, {remedy}",
                0.5 * gamma
            );
            return Err(self.error(key, message));
        }
        Ok(())
    }
}
