//! Where the body is.

use std::ops::Range;

use super::Problem;
use crate::contact::Contacts;
use crate::contact::obstacle::Pose;
use crate::energy::{StepTerms, Term};
use crate::linalg::{BlockOperator, dot};
use crate::tape::Tape;

/// Displacements and velocities at one instant, with the products the scheme needs of them.
#[derive(Clone, Debug)]
pub struct State {
    /// Number of steps taken.
    pub step: usize,
    /// Time, step · h.
    pub time: f64,
    /// Displacements.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// M v.
    pub mv: Vec<f64>,
    /// K q.
    pub kq: Vec<f64>,
    /// Where the obstacle of each contact set is.
    pub poses: Vec<Pose>,
    /// What the scheme remembers beyond that.
    pub memory: SchemeMemory,
}

/// What schemes remember beyond q and v, on every dof; nothing of what a scheme does not need.
#[derive(Clone, Debug, Default)]
pub struct SchemeMemory {
    /// M a of generalised-α.
    pub ma: Vec<f64>,
    /// M c of it.
    pub mc: Vec<f64>,
    /// a, where M is factored.
    pub a: Vec<f64>,
    /// K v of two-step schemes.
    pub kv: Vec<f64>,
}

impl State {
    /// State at t = 0, with the obstacles of `contacts` where they start.
    pub fn new(operator: &BlockOperator, q: Vec<f64>, v: Vec<f64>, contacts: &Contacts) -> Self {
        let n = q.len();
        let mut state = Self {
            step: 0,
            time: 0.0,
            q,
            v,
            mv: vec![0.0; n],
            kq: vec![0.0; n],
            poses: contacts.sets.iter().map(|set| set.against.initial_pose()).collect(),
            memory: SchemeMemory::default(),
        };
        operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
        state
    }

    /// Energies of some dofs; the potential is that of what they moved.
    pub fn energies(&self, problem: &Problem, dofs: Range<usize>) -> StepTerms {
        let [q, v, mv, kq] = [&self.q, &self.v, &self.mv, &self.kq].map(|x| &x[dofs.clone()]);
        let potential = problem.loads.potential_on(dofs);
        let fallen = if potential.is_empty() { 0.0 } else { -dot(q, potential) };
        StepTerms::of([
            (Term::Kinetic, 0.5 * dot(v, mv)),
            (Term::Strain, 0.5 * dot(q, kq)),
            (Term::Potential, fallen),
        ])
    }

    /// Passes over all of it.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.size(&mut self.step);
        tape.real(&mut self.time);
        for vector in [&mut self.q, &mut self.v, &mut self.mv, &mut self.kq] {
            tape.reals(vector);
        }
        for Pose { travel, angle, velocity, spin } in &mut self.poses {
            tape.reals(travel);
            tape.real(angle);
            tape.reals(velocity);
            tape.real(spin);
        }
        let SchemeMemory { ma, mc, a, kv } = &mut self.memory;
        [ma, mc, a, kv].into_iter().for_each(|vector| tape.reals(vector));
    }
}
