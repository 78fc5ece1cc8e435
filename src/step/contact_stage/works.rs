//! What the impulses of a step do, and what passes through each contact.

use super::{ContactStage, ContactStart};
use crate::contact::{Status, norm};
use crate::energy::{ContactWork, Term};
use crate::step::ConnectedBodies;

/// Rounding of a contact's velocities, as a share of the largest work that counts as none.
const TRANSPORT: f64 = 1e-3;
/// Rounding of an impulse, as a share of the same.
const NEEDED: f64 = 1e-2;
/// How many roundings the work of a joint has.
const JOINT_ROUNDINGS: f64 = 8.0;

impl ContactStage {
    /// Works of the impulses where the dofs have the mean velocity `v` over the step: u·p of every
    /// active contact, split into normal and tangential, w·p of the obstacles, and v·Hᵀp of each body.
    /// `sliding` gives ‖û_T‖ of a candidate.
    pub fn work(
        &mut self,
        v: &[f64],
        bodies: &mut ConnectedBodies,
        sliding: impl Fn(usize, &ContactStart, [f64; 3]) -> f64,
    ) {
        self.contact.work.clear();
        self.contact.obstacle_work = 0.0;
        self.contact.status.fill(Status::Open);
        let components = self.response.components();
        for at in 0..self.contact.active.len() {
            let c = self.contact.active[at] as usize;
            let (p, w) = (self.contact.impulse[c], self.starts[c].carried);
            let mut u = self.rows.of(c).velocity(v);
            (0..3).for_each(|i| u[i] -= w[i]);
            self.contact.obstacle_work += w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
            let tangential = u[1] * p[1] + u[2] * p[2];
            let normal = if self.rows.of(c).is_idle(0) { 0.0 } else { u[0] * p[0] };
            let b = &self.cone.b[components * at..][..components];
            let passed = self.passed(at, p, u, v);
            let works = [(Term::Normal, normal), (Term::Tangential, tangential)];
            self.contact.work.push(ContactWork::new(works, passed));
            let noise = 1e-9 * b.iter().fold(0.0, |m, b| f64::max(m, b.abs()));
            let sliding = sliding(c, &self.starts[c], u);
            self.contact.status[c] = Status::of(p, self.contact.friction[c], sliding, noise);
            self.rows.of(c).push(p, |dof, push| bodies.of_dof(dof).pushed += v[dof] * push);
        }
    }

    /// Adds the work of the joints where the dofs have the mean velocity `v` to the numerical work of their bodies:
    /// it is none, but for rounding.
    pub fn work_of_joints(&self, v: &[f64], q: &[f64], bodies: &mut ConnectedBodies) {
        for (gradient, p) in self.joints.gradients.iter().zip(&self.joints.impulses) {
            let Some(&dof) = gradient.dofs().first() else { continue };
            let u = gradient.velocity(v);
            let work = u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
            bodies.of_dof(dof as usize).terms[Term::Numerical] += work;
        }
        self.add_rounding_of_joints(v, q, bodies);
    }

    /// What rounding can make of the work of joints: they hold to a few ε of what they reach, and their velocities are
    /// sums of others.
    pub fn add_rounding_of_joints(&self, v: &[f64], q: &[f64], bodies: &mut ConnectedBodies) {
        let d = self.problem.dofs.dimension;
        let joints = self.problem.contacts.joints.iter().zip(self.joints.gradients.iter());
        for ((joint, gradient), p) in joints.zip(&self.joints.impulses) {
            let Some(&dof) = gradient.dofs().first() else { continue };
            let sizes = joint.reach(d, q) / self.problem.h + gradient.speed(v);
            let rounding = JOINT_ROUNDINGS * f64::EPSILON * norm(p) * sizes;
            bodies.of_dof(dof as usize).terms.rounding += rounding;
        }
    }

    /// What passes through the active contact `at` with impulse `p`, relative velocity `u` and velocities `v` of the
    /// dofs:
    ///
    /// ```text
    ///     (‖p‖ + 10⁻² c/‖W_αα‖) (c + ‖W_αα p‖ + ‖u‖ + 10⁻³ ‖v‖)        c = ‖b‖ + max(‖u − u₀‖, Σ|H Δv|)
    /// ```
    ///
    /// b is what the impulses must undo, W_αα p what this one does about it, u − u₀, of u₀ without any impulse, what
    /// all do that its bodies get, and Δv the same of each of two rigid bodies by itself: where the contact is held, u is
    /// their small difference. The last term is what rounding
    /// makes of the velocities that u itself is made of, and c/‖W_αα‖ the impulse that this contact could need, of which a
    /// solver knows p to rounding: where one leaves, or hardly touches while others push its bodies, p may be nothing but
    /// that.
    fn passed(&self, at: usize, p: [f64; 3], u: [f64; 3], v: &[f64]) -> f64 {
        let components = self.response.components();
        let c = self.contact.active[at] as usize;
        let b = &self.cone.b[components * at..][..components];
        let diagonal = self.cone.w.diagonal(at);
        let rows = diagonal.chunks_exact(components);
        let mut answer = [0.0; 3];
        for (answer, row) in answer.iter_mut().zip(rows) {
            *answer = row.iter().zip(p).map(|(w, p)| w * p).sum();
        }
        let own = self.rows.of(c).speed(v) + norm(&self.starts[c].carried);
        let stiff = diagonal.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
        let free = self.free[at];
        let given = norm(&[0, 1, 2].map(|i| u[i] - free[i])).max(self.given_to(c));
        let changed = norm(b) + given;
        let needed = if stiff > 0.0 { changed / stiff } else { 0.0 };
        (norm(&p) + NEEDED * needed) * (changed + norm(&answer) + norm(&u) + TRANSPORT * own)
    }
}
