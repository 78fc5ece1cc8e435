//! H: what the dofs do to relative velocities.

use super::grip::{Grip, Lever};
use crate::tape::Tape;

/// Rows of H of contacts or joints, one after the other, each over the dofs that matter to it:
///
/// ```text
///     u_i = Σ_j H_ij v_j          i = 0, 1, 2
/// ```
#[derive(Debug, Default, PartialEq)]
pub struct HRows {
    /// Where the dofs of each begin.
    starts: Vec<u32>,
    dofs: Vec<u32>,
    /// H_·j of each dof.
    columns: Vec<[f64; 3]>,
}

/// The rows of one contact or joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HRow<'a> {
    dofs: &'a [u32],
    columns: &'a [[f64; 3]],
}

impl Clone for HRows {
    fn clone(&self) -> Self {
        let Self { starts, dofs, columns } = self;
        Self { starts: starts.clone(), dofs: dofs.clone(), columns: columns.clone() }
    }

    /// Within the most there have been nothing is allocated.
    fn clone_from(&mut self, other: &Self) {
        self.starts.clone_from(&other.starts);
        self.dofs.clone_from(&other.dofs);
        self.columns.clone_from(&other.columns);
    }
}

impl HRows {
    /// Of so many that no dof moves.
    pub fn idle(count: usize) -> Self {
        Self { starts: vec![0; count], ..Self::default() }
    }

    /// Takes all of them out.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.dofs.clear();
        self.columns.clear();
    }

    /// How many contacts or joints there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Begins those of one more.
    pub fn begin(&mut self) {
        self.starts.push(self.dofs.len() as u32);
    }

    /// Adds to the last one what `axes` see of a point that moves with `grip`, times `sign`.
    pub fn add(
        &mut self,
        grip: &Grip,
        dimension: usize,
        lever: &Lever,
        axes: &[[f64; 3]],
        sign: f64,
    ) {
        grip.for_each_dof(dimension, lever, |dof, direction| self.see(dof, direction, axes, sign));
    }

    /// Adds to the last one what `moments` see of how the body of `grip` turns, times `sign`.
    pub fn add_turn(&mut self, grip: &Grip, lever: &Lever, moments: &[[f64; 3]], sign: f64) {
        grip.for_each_turn(lever, |dof, axis| self.see(dof, axis, moments, sign));
    }

    /// Adds to the last one what `axes` see of the direction that a dof moves in.
    fn see(&mut self, dof: usize, direction: [f64; 3], axes: &[[f64; 3]], sign: f64) {
        let first = self.starts.last().map_or(0, |&start| start as usize);
        let known = self.dofs[first..].iter().position(|&known| known as usize == dof);
        let at = known.map_or(self.dofs.len(), |at| first + at);
        if known.is_none() {
            self.dofs.push(dof as u32);
            self.columns.push([0.0; 3]);
        }
        for (entry, axis) in self.columns[at].iter_mut().zip(axes) {
            let seen = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2];
            *entry += sign * seen;
        }
    }

    /// Adds those of one more, each dof with its column.
    pub fn push(&mut self, columns: impl Iterator<Item = (u32, [f64; 3])>) {
        self.begin();
        for (dof, column) in columns {
            self.dofs.push(dof);
            self.columns.push(column);
        }
    }

    /// Adds those of one more, as they are.
    pub fn append(&mut self, row: HRow) {
        self.begin();
        self.dofs.extend_from_slice(row.dofs);
        self.columns.extend_from_slice(row.columns);
    }

    /// Those of one of them.
    pub fn of(&self, at: usize) -> HRow<'_> {
        let start = self.starts[at] as usize;
        let end = self.starts.get(at + 1).map_or(self.dofs.len(), |&end| end as usize);
        HRow { dofs: &self.dofs[start..end], columns: &self.columns[start..end] }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = HRow<'_>> {
        (0..self.len()).map(|at| self.of(at))
    }

    /// Passes over them.
    pub fn remember(&mut self, tape: &mut Tape) {
        let number = |tape: &mut Tape, number: &mut u32| {
            let mut wide = u64::from(*number);
            tape.count(&mut wide);
            *number = wide as u32;
        };
        tape.list(&mut self.starts, number);
        tape.list(&mut self.dofs, number);
        tape.list(&mut self.columns, |tape, column| tape.reals(column));
        let ends = self.starts.last().map_or(0, |&start| start as usize);
        if ends > self.dofs.len()
            || self.columns.len() != self.dofs.len()
            || !self.starts.is_sorted()
        {
            self.clear();
            tape.refuse("the rows of its contacts do not fit together");
        }
    }
}

impl<'a> HRow<'a> {
    /// The dofs that matter.
    pub fn dofs(&self) -> &'a [u32] {
        self.dofs
    }

    /// H_·j of each of them.
    pub fn columns(&self) -> &'a [[f64; 3]] {
        self.columns
    }

    /// H v.
    pub fn velocity(&self, v: &[f64]) -> [f64; 3] {
        self.velocity_by(|dof| v[dof as usize])
    }

    /// H v of the velocities that `v` gives.
    pub fn velocity_by(&self, v: impl Fn(u32) -> f64) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (&dof, column) in self.dofs.iter().zip(self.columns) {
            let v = v(dof);
            (0..3).for_each(|i| u[i] += column[i] * v);
        }
        u
    }

    /// Σ |H_ij v_j|: the size of what H v is made of.
    pub fn speed(&self, v: &[f64]) -> f64 {
        let of =
            |i: usize| move |(&dof, column): (&u32, &[f64; 3])| (column[i] * v[dof as usize]).abs();
        (0..3).flat_map(|i| self.dofs.iter().zip(self.columns).map(of(i))).sum()
    }

    /// Visits (dof, its share of Hᵀp).
    pub fn push(&self, p: [f64; 3], mut visit: impl FnMut(usize, f64)) {
        for (&dof, column) in self.dofs.iter().zip(self.columns) {
            visit(dof as usize, column.iter().zip(&p).map(|(entry, p)| entry * p).sum());
        }
    }

    /// Largest change of an entry since `other`, as a share of what its dof does: an angle has other units than a place.
    pub fn tilt(&self, other: &HRow) -> f64 {
        let mut tilt = 0.0;
        for (a, b) in self.columns.iter().zip(other.columns) {
            let size = a.iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
            let change = a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            tilt = f64::max(tilt, change / size.max(f64::MIN_POSITIVE));
        }
        tilt
    }

    /// Whether no dof moves component i.
    pub fn is_idle(&self, i: usize) -> bool {
        self.columns.iter().all(|column| column[i] == 0.0)
    }
}
