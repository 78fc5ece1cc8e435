//! Which contacts take part in a step, and by which law.

/// When a candidate takes part in a step: where it is closed, and by its rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Closed when g ≤ this.
    pub gap_tolerance: f64,
    /// What is asked of the normal velocity u_N,k of one that is closed.
    pub rule: ActivationRule,
}

/// What is asked of the normal velocity of a closed contact at the start of a step.
///
/// A contact held closed has u_N,k = 0 up to rounding. Compared with 0 it would be dropped every other
/// step, and half of the friction with it, (64); kept with its own e, it may create energy. The mean law
/// e = (1−θ)/θ for what leaves is the same as any e where u_N,k = 0 and does no normal work at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ActivationRule {
    /// Nothing: every closed contact is active, with the mean law where u_N,k > 0.
    #[default]
    Closed,
    /// That it does not leave, (64): u_N,k ≤ this. Those that leave are kept, with the mean law, only
    /// where their frames turn: a node that slides over a convex obstacle seems to leave it in every step.
    Approaching {
        /// Above this it leaves.
        velocity_tolerance: f64,
    },
    /// Nothing, and its own e whether it leaves or not, as the paper's scripts do.
    GapAlone,
}

impl Activation {
    /// Of every contact whose gap is at most this.
    pub fn closed(gap_tolerance: f64) -> Self {
        Self { gap_tolerance, rule: ActivationRule::Closed }
    }
}

impl ActivationRule {
    /// Above it a contact leaves, where the rule has such a velocity.
    pub fn velocity_tolerance(self) -> Option<f64> {
        match self {
            Self::Approaching { velocity_tolerance } => Some(velocity_tolerance),
            Self::Closed | Self::GapAlone => None,
        }
    }

    /// As a case spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Approaching { .. } => "gap and velocity",
            Self::GapAlone => "gap",
        }
    }
}

/// What a candidate does in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactPart {
    /// It takes no part.
    #[default]
    Open,
    /// It is active with its own law.
    Own,
    /// It is active with the mean law.
    Mean,
}

impl Activation {
    /// Of a candidate with gap `g` and normal velocity `u_n`, in a frame that turns or does not.
    pub fn part(&self, g: f64, u_n: f64, turns: bool) -> ContactPart {
        let closed = g <= self.gap_tolerance;
        match self.rule {
            _ if !closed => ContactPart::Open,
            ActivationRule::Closed if u_n > 0.0 => ContactPart::Mean,
            ActivationRule::Approaching { velocity_tolerance } if u_n > velocity_tolerance => {
                if turns {
                    ContactPart::Mean
                } else {
                    ContactPart::Open
                }
            }
            ActivationRule::Closed
            | ActivationRule::Approaching { .. }
            | ActivationRule::GapAlone => ContactPart::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_contact_is_active_whatever_rounding_says_of_its_velocity() {
        let closed = Activation { gap_tolerance: 1e-12, rule: ActivationRule::Closed };
        let parts = [(-1e-3, -2.0), (0.0, 0.0), (0.0, 1e-16), (0.0, 3.0), (1e-9, -1.0)];
        let expected = [
            ContactPart::Own,
            ContactPart::Own,
            ContactPart::Mean,
            ContactPart::Mean,
            ContactPart::Open,
        ];
        assert_eq!(parts.map(|(g, u)| closed.part(g, u, false)), expected);
        assert_eq!(parts.map(|(g, u)| closed.part(g, u, true)), expected);
    }

    #[test]
    fn what_leaves_is_dropped_by_64_unless_its_frame_turns_and_kept_by_the_gap_alone() {
        let rule = ActivationRule::Approaching { velocity_tolerance: 1e-8 };
        let both = Activation { gap_tolerance: 1e-12, rule };
        assert_eq!(
            [1e-16, 1e-3].map(|u| both.part(0.0, u, false)),
            [ContactPart::Own, ContactPart::Open]
        );
        assert_eq!(both.part(0.0, 1e-3, true), ContactPart::Mean);
        let alone = Activation { rule: ActivationRule::GapAlone, ..both };
        assert_eq!(alone.part(0.0, 1e-3, true), ContactPart::Own);
    }
}
