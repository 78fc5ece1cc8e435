//! The cone problem of a step.

use std::sync::Arc;

use super::{ContactStage, ContactStart, FreeMotion};
use crate::contact::{Against, norm};

impl ContactStage {
    /// W of the active candidates, and b.
    pub(super) fn pose(&mut self, free_motion: &FreeMotion) {
        let problem = Arc::clone(&self.problem);
        let node_dofs = problem.operator.node_dofs();
        self.select_w();
        self.cone.b.clear();
        self.cone.mu.clear();
        self.cone_impulse.clear();
        let components = self.response.components();
        self.posed.clear();
        self.free.clear();
        for (at, &c) in self.contact.active.iter().enumerate() {
            let c = c as usize;
            let set = &problem.contacts.sets[self.starts[c].set as usize];
            let free =
                |dof: u32| (free_motion.free)(dof) + self.turning.spun(dof as usize, node_dofs);
            let mut u = self.rows.of(c).velocity_by(free);
            let ContactStart { u_start, carried, .. } = self.starts[c];
            let parts = [u, u_start, carried].map(|u| norm(&u));
            self.posed.push(parts.into_iter().fold(0.0, f64::max));
            (0..3).for_each(|i| u[i] -= carried[i]);
            self.free.push(u);
            let mut b = (free_motion.b)(c, &self.starts[c], u);
            if let Against::Slider { force, .. } = set.against {
                b[0] = -self.cone.w.diagonal(at)[0] * problem.h * force;
            }
            self.cone.b.extend_from_slice(&b[..components]);
            self.cone.mu.push(if self.frictionless { 0.0 } else { self.contact.friction[c] });
            self.cone_impulse.extend_from_slice(&self.contact.impulse[c][..components]);
        }
    }

    /// Copies W of the active candidates, where they or their frames are others than before.
    fn select_w(&mut self) {
        let contacts = &self.problem.contacts;
        let active = &self.contact.active;
        let known = self.cone_active == *active && !self.cone.w.is_empty();
        let turns = |&c: &u32| c as usize >= contacts.len() || contacts.turns(c as usize);
        if known && self.joints.is_empty() && !active.iter().any(turns) {
            return;
        }
        self.cone_active.clone_from(active);
        let dofs = &self.problem.dofs;
        let position = |dof: u32| dofs.position_of(dof as usize);
        // Joints carry impulses on, to contacts that do not feel each other else.
        let which = (&active[..], self.joints.parts());
        let (coupling, cone) = (&mut self.coupling, &mut self.cone);
        self.response.select_into(which, &self.rows, position, (coupling, cone));
    }
}
