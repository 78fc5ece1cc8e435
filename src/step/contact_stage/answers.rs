//! What answers to the impulses of a stage, and what its joints hold.

use crate::contact::Response;

/// What impulses do to the contact dofs.
pub(in crate::step) struct StageResponses {
    /// What the cones see of an impulse.
    pub seen: Response,
    /// What the rate of displacement does, where it is not `gain` times the same.
    pub rates: Option<Response>,
    /// κ: share of `seen` (or `rates`) that the rate of displacement has.
    pub gain: f64,
}

impl StageResponses {
    /// Of a rate of displacement that has a share of what the cones see.
    pub fn of(seen: Response, gain: f64) -> Self {
        Self { seen, rates: None, gain }
    }
}

/// What joints hold at the end of a step.
pub(in crate::step) enum JointsHold {
    /// φ(q) = 0.
    Positions,
    /// J v = 0: `FreeMotion::rate` is then the velocity there.
    Velocities,
    /// φ(q) = 0, pushing along gradients from where the step before this one began, which is this.
    PositionsOverTwoSteps(Vec<f64>),
}
