//! H of one contact or joint: what the dofs do to its relative velocity.

use super::grip::{Grip, MOST_DOFS};
use crate::tape::Tape;

/// Rows of H over the few dofs that matter: u_i = Σ_j rows_ij v_j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    count: usize,
    dofs: [u32; MOST_DOFS],
    rows: [[f64; MOST_DOFS]; 3],
}

impl Default for Footing {
    fn default() -> Self {
        Self { count: 0, dofs: [0; MOST_DOFS], rows: [[0.0; MOST_DOFS]; 3] }
    }
}

impl Footing {
    /// Adds what `axes` see of a point that moves with `grip`, times `sign`.
    pub fn add(
        &mut self,
        grip: &Grip,
        dimension: usize,
        arm: [f64; 2],
        axes: &[[f64; 3]],
        sign: f64,
    ) {
        grip.for_each_dof(dimension, arm, |dof, direction| {
            let known = self.dofs[..self.count].iter().position(|&known| known as usize == dof);
            let at = known.unwrap_or(self.count);
            self.count = self.count.max(at + 1);
            self.dofs[at] = dof as u32;
            for (row, axis) in self.rows.iter_mut().zip(axes) {
                let seen = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2];
                row[at] += sign * seen;
            }
        });
    }

    /// Passes over it.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.size(&mut self.count);
        if self.count > MOST_DOFS {
            self.count = 0;
            tape.refuse("a contact hangs on more dofs than there can be");
        }
        for dof in &mut self.dofs {
            let mut number = u64::from(*dof);
            tape.count(&mut number);
            *dof = number as u32;
        }
        tape.reals(self.rows.as_flattened_mut());
    }

    /// The dofs that matter.
    pub fn dofs(&self) -> &[u32] {
        &self.dofs[..self.count]
    }

    /// Row i over those dofs.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.rows[i][..self.count]
    }

    /// H v.
    pub fn velocity(&self, v: &[f64]) -> [f64; 3] {
        self.velocity_by(|dof| v[dof as usize])
    }

    /// H v of the velocities that `v` gives.
    pub fn velocity_by(&self, v: impl Fn(u32) -> f64) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (j, &dof) in self.dofs().iter().enumerate() {
            let v = v(dof);
            (0..3).for_each(|i| u[i] += self.rows[i][j] * v);
        }
        u
    }

    /// Σ |H_ij v_j|: the size of what H v is made of.
    pub fn speed(&self, v: &[f64]) -> f64 {
        let terms = self.rows.iter().flat_map(|row| row.iter().zip(self.dofs()));
        terms.map(|(entry, &dof)| (entry * v[dof as usize]).abs()).sum()
    }

    /// Visits (dof, its share of Hᵀp).
    pub fn push(&self, p: [f64; 3], mut visit: impl FnMut(usize, f64)) {
        for (j, &dof) in self.dofs().iter().enumerate() {
            visit(dof as usize, (0..3).map(|i| self.rows[i][j] * p[i]).sum());
        }
    }

    /// Largest change of an entry since `other`, as a share of what its dof does: an angle has other units than a place.
    pub fn tilt(&self, other: &Self) -> f64 {
        let mut tilt = 0.0;
        for j in 0..self.count {
            let entries = [0, 1, 2].map(|i| [self.rows[i][j], other.rows[i][j]]);
            let size = entries.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let change = entries.iter().fold(0.0, |m: f64, [a, b]| m.max((a - b).abs()));
            tilt = f64::max(tilt, change / size.max(f64::MIN_POSITIVE));
        }
        tilt
    }

    /// Whether no dof moves component i.
    pub fn is_idle(&self, i: usize) -> bool {
        self.row(i).iter().all(|&entry| entry == 0.0)
    }
}
