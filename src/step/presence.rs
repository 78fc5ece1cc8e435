//! Bodies that come and go: what they bring along is supplied from outside.

use super::{ConnectedBodies, Presence, Problem, State};
use crate::energy::Term;

impl Presence {
    /// Whether the body is there in a step.
    pub fn holds(&self, step: usize) -> bool {
        self.steps.contains(&step)
    }
}

impl Problem {
    /// Gives a body that comes with this step its velocity, and takes that of one that goes; `brought` gets the kinetic
    /// energy that each brings.
    pub(super) fn come_and_go(&self, start: &mut State, brought: &mut [f64]) {
        for (presence, brought) in self.presences.iter().zip(brought) {
            *brought = 0.0;
            let comes = start.step == presence.steps.start;
            if !comes && start.step != presence.steps.end {
                continue;
            }
            for (dof, velocity) in presence.dofs(self.dofs.dimension).zip(&presence.velocity) {
                if self.dofs.position_of(dof).is_none() {
                    continue;
                }
                let before = start.v[dof] * start.mv[dof];
                start.v[dof] = if comes { *velocity } else { 0.0 };
                start.mv[dof] = self.operator.diagonal(dof).0 * start.v[dof];
                *brought += 0.5 * (start.v[dof] * start.mv[dof] - before);
            }
        }
    }

    /// Visits the dofs of bodies that are not there in a step.
    pub(super) fn for_each_absent(&self, step: usize, mut visit: impl FnMut(usize)) {
        let absent = self.presences.iter().filter(|presence| !presence.holds(step));
        absent.flat_map(|presence| presence.dofs(self.dofs.dimension)).for_each(&mut visit);
    }

    /// Enters what bodies have brought as external work.
    pub(super) fn enter_brought(&self, brought: &[f64], bodies: &mut ConnectedBodies) {
        for (presence, brought) in self.presences.iter().zip(brought) {
            if let Some(dof) = presence.dofs(self.dofs.dimension).next() {
                bodies.of_dof(dof).terms[Term::External] += brought;
            }
        }
    }
}
