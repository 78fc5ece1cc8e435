//! Contact forces and pressures: of the last step, and their means since the last frame.
//!
//! ```text
//!     f = p/h        f̄ = Σ p / (n h)        over the n steps since the last frame              (1)
//!     σ = f_N/A      σ̄ = f̄_N/A              A = ∫ N dA, the candidate's share of its surface    (2)
//! ```

use super::View;
use crate::tape::Tape;

/// Impulses since the last frame, candidate by candidate.
pub(super) struct ContactForces {
    /// Share of each candidate in its surface; 0 where there is none.
    areas: Vec<f64>,
    /// Three components in space each.
    impulse: Vec<f64>,
    normal: Vec<f64>,
    /// The step after which they begin.
    since: usize,
}

/// What one candidate is pushed with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ContactForce {
    pub force: [f64; 3],
    pub force_mean: [f64; 3],
    pub pressure: f64,
    pub pressure_mean: f64,
}

impl ContactForces {
    /// None yet, of candidates with these areas.
    pub fn new(areas: &[f64]) -> Self {
        let count = areas.len();
        let (impulse, normal) = (vec![0.0; 3 * count], vec![0.0; count]);
        Self { areas: areas.to_vec(), impulse, normal, since: 0 }
    }

    /// Share of each candidate in its surface.
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// Adds the impulses of a step; pairs of bodies stand behind all candidates.
    pub fn enter(&mut self, view: &View) {
        let active = view.contact.active.iter().map(|&c| c as usize);
        for c in active.take_while(|&c| c < self.areas.len()) {
            let p = view.contact.impulse[c];
            let push = view.contact.frame[c].to_space(p);
            (0..3).for_each(|i| self.impulse[3 * c + i] += push[i]);
            self.normal[c] += p[0];
        }
    }

    /// Of candidate `c` in the last step and since the last frame.
    pub fn of(&self, c: usize, view: &View) -> ContactForce {
        let steps = self.steps_to(view);
        if steps == 0 {
            return ContactForce::default();
        }
        let h = view.problem.h;
        let (step, interval) = (1.0 / h, 1.0 / (steps as f64 * h));
        let p = view.contact.impulse[c];
        let push = view.contact.frame[c].to_space(p);
        let per_area = |force: f64| if self.areas[c] > 0.0 { force / self.areas[c] } else { 0.0 };
        ContactForce {
            force: push.map(|push| step * push), // (1)
            force_mean: [0, 1, 2].map(|i| interval * self.impulse[3 * c + i]),
            pressure: per_area(step * p[0]), // (2)
            pressure_mean: per_area(interval * self.normal[c]),
        }
    }

    /// Steps since the last frame.
    pub fn steps_to(&self, view: &View) -> usize {
        view.state.step - self.since
    }

    /// Begins anew after a frame that a run which goes on further has too.
    pub fn restart(&mut self, step: usize) {
        self.impulse.fill(0.0);
        self.normal.fill(0.0);
        self.since = step;
    }

    /// Passes over them.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.reals(&mut self.impulse);
        tape.reals(&mut self.normal);
        tape.size(&mut self.since);
    }
}
