//! The joints of a step, for the contacts they are solved with.

use std::sync::Arc;

use super::{ContactStage, FreeMotion, JointsHold};
use crate::contact::HRows;
use crate::step::joints::Setting;

impl ContactStage {
    /// The mean gradients between the start of the step and where it is thought to end. Where two steps
    /// make a scheme, joints push along those between the ends of both: then they do no work.
    pub(super) fn take_gradients(&mut self, q: &[f64]) {
        let d = self.problem.dofs.dimension;
        let from = match &self.joints_hold {
            JointsHold::PositionsOverTwoSteps(from) => from,
            JointsHold::Positions | JointsHold::Velocities => q,
        };
        let joints = &self.problem.contacts.joints;
        let (gradients, seen) = (&mut self.joints.gradients, &mut self.joints.seen_gradients);
        gradients.clear();
        seen.iter_mut().for_each(HRows::clear);
        for joint in joints {
            joint.add_mean_gradient(d, from, &self.ahead, gradients);
            seen.iter_mut().for_each(|seen| joint.add_mean_gradient(d, q, &self.ahead, seen));
        }
    }

    /// Has joints push along gradients from where the step before began, which [`Self::pass_step_before`] tells.
    pub fn push_over_two_steps(&mut self) {
        self.joints_hold = JointsHold::PositionsOverTwoSteps(self.ahead.clone());
        self.joints.seen_gradients = Some(self.joints.gradients.clone());
    }

    /// Tells where the step before this one began, q − h v.
    pub fn pass_step_before(&mut self, q: &[f64], v: &[f64]) {
        if let JointsHold::PositionsOverTwoSteps(from) = &mut self.joints_hold {
            let dofs = from.iter_mut().zip(q).zip(v);
            dofs.for_each(|((from, q), v)| *from = q - self.problem.h * v);
        }
    }

    /// Takes the joints out of the cone problem.
    pub(super) fn condense(&mut self, free_motion: &FreeMotion) {
        let (problem, h) = (Arc::clone(&self.problem), self.problem.h);
        let mut joints = std::mem::take(&mut self.joints);
        let setting = Setting {
            seen: &self.response,
            rates: self.rates.as_ref().unwrap_or(&self.response),
            gain: self.gain,
            rows: &self.rows,
            active: &self.contact.active,
            position: |dof: u32| problem.dofs.position_of(dof as usize),
            first: problem.dofs.trailing,
        };
        let gradients = std::mem::take(&mut joints.gradients);
        let given = joints.seen_gradients.take();
        let seen = given.as_ref().unwrap_or(&gradients);
        let node_dofs = problem.operator.node_dofs();
        let free = |joint: usize| {
            let rate = seen.of(joint).velocity_by(|dof| {
                (free_motion.rate)(dof) + self.turning.spun(dof as usize, node_dofs)
            });
            if matches!(self.joints_hold, JointsHold::Velocities) {
                return rate;
            }
            let value = problem.contacts.joints[joint].value(problem.dofs.dimension, free_motion.q);
            [0, 1, 2].map(|i| rate[i] + value[i] / h)
        };
        joints.condense(&setting, (seen, &gradients), free, &mut self.cone);
        joints.seen_gradients = given;
        joints.gradients = gradients;
        self.joints = joints;
    }

    /// Moves the dofs of joints to the end of the step, and tells how far the worst joint is from
    /// holding there, as a share of the size of the mechanism.
    pub(super) fn move_joints(&mut self, free_motion: &FreeMotion) -> f64 {
        let problem = Arc::clone(&self.problem);
        let d = problem.dofs.dimension;
        let mut impulse = std::mem::take(&mut self.impulse);
        impulse.fill(0.0);
        let first = problem.dofs.trailing;
        self.push(|at, push| impulse[at as usize - first] += push);
        let rates = self.rates.as_ref().unwrap_or(&self.response);
        for gradient in self.joints.gradients.iter() {
            // Rotations in space are no sums: `move_solids` has moved them.
            let plain = if d == 3 { problem.operator.node_dofs() } else { usize::MAX };
            for &dof in gradient.dofs().iter().filter(|&&dof| (dof as usize) < plain) {
                let answer = problem.dofs.position_of(dof as usize);
                let answer = answer.map_or(0.0, |at| self.gain * rates.velocity_at(at, &impulse));
                let to = &mut self.ahead[dof as usize];
                *to = free_motion.q[dof as usize] + problem.h * ((free_motion.rate)(dof) + answer);
            }
        }
        self.impulse = impulse;
        let (mut worst, mut size) = (0.0, f64::MIN_POSITIVE);
        for joint in &problem.contacts.joints {
            let value = joint.value(d, &self.ahead);
            worst = value.iter().fold(worst, |m, v| f64::max(m, v.abs()));
            // Places alone: angles have other units.
            size = size.max(joint.reach(d, free_motion.q)).max(joint.reach(d, &self.ahead));
        }
        worst / size
    }
}
