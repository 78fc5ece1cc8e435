//! The family of schemes and their parameters.

/// Where Moreau–Jean looks for contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// A scheme and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Moreau–Jean, contact at the velocity level.
    MoreauJean {
        /// θ.
        theta: f64,
        /// Where it looks for contact.
        forecast: Forecast,
    },
}

impl Scheme {
    /// Moreau–Jean that looks where a step starts.
    pub fn moreau_jean(theta: f64) -> Self {
        Self::MoreauJean { theta, forecast: Forecast::Start }
    }

    /// The weights (a, b) of C and K in the matrix M + a C + b K that a step of size h solves with.
    pub fn weights(&self, h: f64) -> (f64, f64) {
        match *self {
            Self::MoreauJean { theta, .. } => (h * theta, h * h * theta * theta),
        }
    }

    /// θ of the mean velocity u_θ = θ u_{k+1} + (1−θ) u_k that works with the impulses, and that
    /// Frémond's law has friction act on.
    pub fn theta(&self) -> f64 {
        match *self {
            Self::MoreauJean { theta, .. } => theta,
        }
    }
}
