//! The impact laws, one family of two numbers.

/// Which law, as a case names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Moreau–Jean with Newton's law and Coulomb friction on the velocity after the step, (61)–(62).
    Newton,
    /// Moreau–Jean–Frémond: friction on the mean velocity of the step, (72)–(73).
    Fremond,
    /// Moreau's general law with a tangential coefficient of its own, (58).
    Moreau,
}

/// The two numbers of a law at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// e, normal.
    pub normal: f64,
    /// e_T, tangential.
    pub tangential: f64,
}

impl Law {
    /// As a case spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Fremond => "fremond",
            Self::Moreau => "moreau",
        }
    }

    /// Velocity û that the friction cone sees, K* ∋ û + μ‖û_T‖n ⟂ p ∈ K:
    ///
    /// ```text
    ///     û = u_{k+1} + (e u_N,k , e_T u_T,k)
    ///               e_T
    ///     Newton    0                      (62)
    ///     Frémond   (1−θ)/θ                (73), divided by θ: cones do not see the scale
    ///     Moreau    as given               (58)
    /// ```
    pub fn restitution(self, theta: f64, normal: f64, tangential: f64) -> Restitution {
        let tangential = match self {
            Self::Newton => 0.0,
            Self::Fremond => (1.0 - theta) / theta,
            Self::Moreau => tangential,
        };
        Restitution { normal, tangential }
    }

    /// Of a Coulomb slider, which meets no impact: Moreau's has no coefficient of its own.
    pub fn of_slider(self, theta: f64) -> Restitution {
        match self {
            Self::Fremond => self.restitution(theta, 0.0, 0.0),
            Self::Newton | Self::Moreau => Restitution { normal: 0.0, tangential: 0.0 },
        }
    }
}

impl Restitution {
    /// Whether friction with these numbers acts on the mean velocity u_θ, as (89) needs.
    pub fn sees_mean_velocity(self, theta: f64) -> bool {
        (theta * (1.0 + self.tangential) - 1.0).abs() < 1e-12
    }

    /// Whether the normal law acts on the mean velocity u_N,θ, so that it does no work: θ(1+e) = 1.
    pub fn is_mean_law(self, theta: f64) -> bool {
        (theta * (1.0 + self.normal) - 1.0).abs() < 1e-12
    }

    /// (87): ½ ≤ θ ≤ 1/(1+e).
    pub fn admits(self, theta: f64) -> bool {
        let rounding = 1e-12;
        theta >= 0.5 - rounding && theta * (1.0 + self.normal) <= 1.0 + rounding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At θ = 1 the paper's (84) makes Frémond's law Newton's.
    #[test]
    fn fremond_is_newton_at_theta_one_and_moreau_with_unit_coefficient_at_one_half() {
        let newton = Law::Newton.restitution(1.0, 0.3, 9.0);
        assert_eq!(Law::Fremond.restitution(1.0, 0.3, 9.0), newton);
        let moreau = Law::Moreau.restitution(0.5, 0.3, 1.0);
        assert_eq!(Law::Fremond.restitution(0.5, 0.3, 9.0), moreau);
        assert!(moreau.sees_mean_velocity(0.5) && newton.sees_mean_velocity(1.0));
        assert!(!newton.sees_mean_velocity(0.5));
    }

    #[test]
    fn theta_is_admitted_between_one_half_and_one_over_one_plus_e() {
        let elastic = Restitution { normal: 1.0, tangential: 1.0 };
        let plastic = Restitution { normal: 0.0, tangential: 0.0 };
        assert!(elastic.admits(0.5) && !elastic.admits(0.51) && !plastic.admits(0.49));
        assert!(plastic.admits(1.0) && plastic.admits(0.75));
    }
}
