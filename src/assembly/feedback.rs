//! Loads that look at the state: controllers, springs that are no part of the model, what a program pushes back with.

use std::fmt;
use std::sync::Arc;

/// Adds forces to the dofs, given t, q and v.
type Forces = dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync;

/// Forces as a program makes them of time, displacements and velocities.
///
/// They are asked once a step, with the state where it starts, and act unchanged until it ends: their work is that of a
/// constant force on the way of the step, so that the balance of energy closes to rounding whatever they are, and it is
/// external work. Schemes of Newmark's family, whose forces act between both ends of a step, have them at its end. A force
/// that follows a state this way acts half a step late: a stiff spring k on a mass m wants h well below √(m/k), while one
/// of the model has no limit. The forces come as zeros, or what feedback before has added; those on driven dofs are
/// dropped.
#[derive(Clone)]
pub struct Feedback(Arc<Forces>);

impl Feedback {
    /// `forces(t, q, v, f)` adds to f, on dof = dimension · node + component. It must be a function: the same for the same
    /// state, since a dry run or a refined step does not tell it so.
    pub fn new(forces: impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(forces))
    }

    pub(super) fn add(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) {
        (self.0)(t, q, v, force);
    }
}

impl fmt::Debug for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Feedback")
    }
}
