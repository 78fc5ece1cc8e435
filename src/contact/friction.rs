//! What bounds the tangential impulse: Coulomb's coefficient, a number or a law.

use std::fmt;
use std::sync::Arc;

/// What a law of friction may look at: a candidate where a step looks for contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// The candidate, as [`Contacts::candidates`](super::Contacts::candidates) has it.
    pub candidate: usize,
    /// Time at the start of the step.
    pub time: f64,
    /// Gap.
    pub gap: f64,
    /// Where it is.
    pub place: [f64; 3],
    /// Velocity relative to what it may touch, at the start of the step: normal, then tangents.
    pub velocity: [f64; 3],
}

/// μ, at the start of a step.
type Coefficient = dyn Fn(&Approach) -> f64 + Send + Sync;

/// Coulomb's friction, ‖p_T‖ ≤ μ p_N.
///
/// A law is asked once a step, at its start, and its μ holds for the whole step. The tangential impulse then opposes the
/// velocity that friction sees with a bound that is known, b = μ p_N ≥ 0, and its work is −b‖u_T,θ‖ ≤ 0 whatever the law is:
/// the theorem covers μ that depends on place, time or velocity as it covers a number. Below 0 is 0, and so is what is no
/// number.
#[derive(Clone)]
pub enum Friction {
    /// The same everywhere and always.
    Coefficient(f64),
    /// As a program gives it.
    Law(Arc<Coefficient>),
}

impl Friction {
    /// A law of a program's own.
    pub fn law(law: impl Fn(&Approach) -> f64 + Send + Sync + 'static) -> Self {
        Self::Law(Arc::new(law))
    }

    /// μ of a candidate.
    pub fn at(&self, approach: &Approach) -> f64 {
        match self {
            Self::Coefficient(mu) => *mu,
            Self::Law(law) => law(approach).max(0.0),
        }
    }

    /// The number, where it is one.
    pub fn coefficient(&self) -> Option<f64> {
        match self {
            Self::Coefficient(mu) => Some(*mu),
            Self::Law(_) => None,
        }
    }

    /// Whether nothing ever rubs.
    pub fn is_none(&self) -> bool {
        self.coefficient() == Some(0.0)
    }
}

impl From<f64> for Friction {
    fn from(mu: f64) -> Self {
        Self::Coefficient(mu)
    }
}

impl fmt::Debug for Friction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Friction({self})")
    }
}

impl fmt::Display for Friction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Coefficient(mu) => mu.fmt(f),
            Self::Law(_) => f.write_str("by a law"),
        }
    }
}
