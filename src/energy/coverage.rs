//! What the dissipation theorem asks of a run.

use serde::{Deserialize, Serialize};

use crate::contact::{ActivationRule, Restitution};

/// What the dissipation theorem asks of a run, and whether it has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// ½ ≤ θ ≤ 1/(1+e) for every contact, (87).
    pub theta_admitted: bool,
    /// Friction acts on the mean velocity of the step (Frémond), or there is none, (89).
    pub friction_on_mean_velocity: bool,
    /// Contacts that leave are not active, (64), or obey the mean law, which does no normal work.
    pub leaving_contacts_harmless: bool,
    /// Where contacts do no positive work, nothing else in the scheme's identity creates energy.
    pub scheme_dissipates: bool,
    /// The scheme has a store of its own beside the energy, which may give back what it took.
    pub scheme_stores: bool,
}

impl Coverage {
    /// Of a run with parameter `theta`, the (whether there is friction, e and e_T) of its contact sets, and a rule for what is active.
    pub fn of(theta: f64, sets: &[(bool, Restitution)], rule: ActivationRule) -> Self {
        let on_mean = |(rubs, restitution): &(bool, Restitution)| {
            !rubs || restitution.sees_mean_velocity(theta)
        };
        let harmless = match rule {
            ActivationRule::Closed => true,
            ActivationRule::Approaching { velocity_tolerance } => velocity_tolerance == 0.0,
            ActivationRule::GapAlone => false,
        };
        let own_is_mean = sets.iter().all(|(_, restitution)| restitution.is_mean_law(theta));
        Self {
            theta_admitted: theta >= 0.5 && sets.iter().all(|(_, r)| r.admits(theta)),
            friction_on_mean_velocity: sets.iter().all(on_mean),
            leaving_contacts_harmless: harmless || own_is_mean,
            scheme_dissipates: true,
            scheme_stores: false,
        }
    }

    /// Whether the theorem covers the run.
    pub fn holds(&self) -> bool {
        self.theta_admitted
            && self.friction_on_mean_velocity
            && self.leaving_contacts_harmless
            && self.scheme_dissipates
    }

    /// What of it is missing, as the end of a sentence.
    pub(super) fn missing(&self) -> String {
        let mut missing = Vec::new();
        if !self.theta_admitted {
            missing.push("theta lies outside of [1/2, 1/(1 + e)]");
        }
        if !self.friction_on_mean_velocity {
            missing.push("friction does not act on the mean velocity (law is not fremond)");
        }
        if !self.leaving_contacts_harmless {
            missing.push("contacts that leave keep their own e, by activation = \"gap\" or a velocity_tolerance above 0");
        }
        if !self.scheme_dissipates {
            missing.push("nothing is proved of the scheme itself");
        }
        if missing.is_empty() { String::new() } else { format!("; {}", missing.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_covered_where_what_leaves_does_no_work() {
        let of = |e, rule| {
            let set = (true, Restitution { normal: e, tangential: 1.0 });
            Coverage::of(0.5, &[set], rule).holds()
        };
        let approaching = |velocity_tolerance| ActivationRule::Approaching { velocity_tolerance };
        assert!(of(0.2, ActivationRule::Closed) && of(0.2, approaching(0.0)));
        assert!(!of(0.2, approaching(1e-300)) && !of(0.2, ActivationRule::GapAlone));
        // With e = 1 and θ = ½ every law is the mean law.
        assert!(of(1.0, approaching(1.0)) && of(1.0, ActivationRule::GapAlone));
    }
}
