//! What rounding can make of the balance of a step.

use crate::linalg::dot;

/// How far displacements are from a translation, and how large they and the forces are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RoundingSizes {
    dofs: f64,
    nodes: f64,
    sum: [f64; 3],
    moved: f64,
    elastic: f64,
    loaded: f64,
    driven: f64,
}

/// Times the standard deviation of errors that thousands of steps meet.
const TAIL: f64 = 4.0;

impl RoundingSizes {
    /// Of a point of the ground: what hangs on it has no translation.
    pub fn of_ground(dimension: usize) -> Self {
        Self { dofs: dimension as f64, nodes: 1.0, ..Self::default() }
    }

    /// Adds dofs of rotations.
    pub fn add_rotations(&mut self, [q, kq, force]: [&[f64]; 3]) {
        self.dofs += q.len() as f64;
        self.moved += dot(q, q);
        self.elastic += dot(kq, kq);
        self.loaded += dot(force, force);
    }

    /// Adds dofs with the displacements q, the elastic forces Kq and the loads F.
    pub fn add(&mut self, dimension: usize, [q, kq, force]: [&[f64]; 3]) {
        self.dofs += q.len() as f64;
        self.nodes += (q.len() / dimension) as f64;
        for q in q.chunks_exact(dimension) {
            self.sum.iter_mut().zip(q).for_each(|(sum, q)| *sum += q);
        }
        self.moved += dot(q, q);
        self.elastic += dot(kq, kq);
        self.loaded += dot(force, force);
    }

    /// n independent errors of K q where a body turns far, and those of q·Kq and q·F where it has
    /// travelled far,
    ///
    /// ```text
    ///     ε (4 ‖K‖‖q − q̄‖²/√n + ‖q‖(‖Kq‖ + ‖F‖))
    /// ```
    ///
    /// with four times the standard deviation of the first, since thousands of steps meet its tail.
    pub fn rounding(&self, stiffness_norm: f64) -> f64 {
        let apart = (self.moved - dot(&self.sum, &self.sum) / self.nodes).max(0.0);
        let turned = stiffness_norm * apart / self.dofs.sqrt();
        let travelled = self.moved.sqrt() * (self.elastic.sqrt() + self.loaded.sqrt());
        f64::EPSILON * (TAIL * turned + travelled)
    }

    /// Adds a driven dof, and how far it moves in the step.
    pub fn drive(&mut self, way: f64) {
        self.driven += way * way;
    }

    /// What comes to that where driven dofs carry a body along. Every dof is rounded to where it is, which strains the
    /// body by as much, against the way of those that are held:
    ///
    /// ```text
    ///     4 ε ‖K‖ ‖q‖/√n ‖Δq‖        Δq of the driven dofs
    /// ```
    ///
    /// Of a body that nothing drives these forces are in balance, and their work on a translation is none.
    pub fn rounding_of_driven(&self, stiffness_norm: f64) -> f64 {
        let place = (self.moved / self.dofs.max(1.0)).sqrt();
        TAIL * f64::EPSILON * stiffness_norm * place * self.driven.sqrt()
    }
}
