//! Contact: obstacles and gaps, frames, the Delassus operator, the laws, the cone problem.

mod blocks;
mod cone;
mod coulomb;
mod delassus;
mod law;
pub mod obstacle;
pub mod solver;

pub use blocks::BlockColumns;
pub(crate) use cone::norm;
pub use cone::{ConeProblem, Measure, Status};
pub use coulomb::Examination;
pub use delassus::Delassus;
pub use law::{Law, Restitution};

use obstacle::Obstacle;

/// One node that may touch one obstacle.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The node.
    pub node: u32,
    /// Which contact set of the case it belongs to.
    pub set: usize,
    /// Its coordinates at rest.
    pub point: [f64; 3],
}

/// What all candidates of one contact set share.
#[derive(Clone, Debug)]
pub struct ContactSet {
    /// Its name in the case.
    pub name: String,
    /// What its nodes may touch.
    pub obstacle: Obstacle,
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// e and e_T of the impact law.
    pub restitution: Restitution,
}

/// Every candidate and its set.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The contact sets.
    pub sets: Vec<ContactSet>,
    /// The candidates, those of one set together.
    pub candidates: Vec<Candidate>,
}

impl Contacts {
    /// The set of candidate `c`.
    pub fn set_of(&self, c: usize) -> &ContactSet {
        &self.sets[self.candidates[c].set]
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether nothing can touch anything.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }
}

/// When a candidate takes part in a step, (64).
///
/// A contact held closed has u_N = 0 up to rounding and the solver's tolerance. Compared with 0
/// exactly it would be dropped every other step, and half of the friction with it; hence a
/// tolerance on the velocity, far above that noise and far below the velocities of the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Closed when g ≤ this.
    pub gap_tolerance: f64,
    /// And not leaving: u_N ≤ this; `None` to look at the gap alone, as the paper's scripts do.
    pub velocity_tolerance: Option<f64>,
}

impl Activation {
    /// Whether a candidate with gap `g` and normal velocity `u_n` is active.
    pub fn is_active(&self, g: f64, u_n: f64) -> bool {
        g <= self.gap_tolerance && self.velocity_tolerance.is_none_or(|limit| u_n <= limit)
    }

    /// Whether a candidate is closed, and not active because it leaves.
    pub fn leaves(&self, g: f64, u_n: f64) -> bool {
        g <= self.gap_tolerance && !self.is_active(g, u_n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_held_closed_stays_active_despite_rounding_and_one_that_leaves_does_not() {
        let both = Activation { gap_tolerance: 1e-12, velocity_tolerance: Some(1e-8) };
        assert!(both.is_active(0.0, 1e-16) && both.is_active(-1e-3, -2.0));
        assert!(!both.is_active(0.0, 1e-3) && !both.is_active(1e-9, -1.0));
        let gap_only = Activation { velocity_tolerance: None, ..both };
        assert!(gap_only.is_active(0.0, 1e-3));
    }
}
