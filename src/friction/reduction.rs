//! Global problems reduced to the contacts.

use std::collections::BTreeMap;

use crate::contact::{BlockColumns, BodyProduct, Delassus, HRows};
use crate::linalg::SparseLu;
use crate::problem_file::Sparse;

/// M, H and f of a global problem, to find the velocities of the bodies again.
#[derive(Clone, Debug, PartialEq)]
pub struct Bodies {
    /// Mass matrix, or the iteration matrix of the scheme.
    pub m: Sparse,
    /// From impulses to generalized forces.
    pub h: Sparse,
    /// Generalized force.
    pub f: Vec<f64>,
}

/// Columns of H that are solved for together.
const TOGETHER: usize = 64;

impl Bodies {
    /// ```text
    ///     W = Hᵀ M⁻¹ H,     b = Hᵀ M⁻¹ f + w
    /// ```
    ///
    /// W is as sparse as the bodies that M couples allow, and the product that it is where these are rigid. `None` where M
    /// is singular.
    pub fn reduce(&self, dimension: usize, w: &[f64]) -> Option<(Delassus, Vec<f64>)> {
        let by_row = self.rows_of_h();
        let mut lu = self.mass_lu()?;
        if !lu.factor() {
            return None;
        }
        let (mut x, mut b) = (self.f.clone(), vec![0.0; w.len()]);
        if !lu.solve_in_place(&mut x) {
            return None;
        }
        multiply(&by_row, &x, &mut b, &mut Vec::new());
        b.iter_mut().zip(w).for_each(|(b, w)| *b += w);
        let delassus = match self.product(dimension) {
            Some(product) => product.into(),
            None => self.blocks(dimension, &by_row, &mut lu)?.into(),
        };
        Some((delassus, b))
    }

    /// Where M is that of rigid bodies, and there are so many contacts that it pays.
    fn product(&self, dimension: usize) -> Option<BodyProduct> {
        let contacts = self.h.columns / dimension;
        if contacts < BodyProduct::PAYS_FROM {
            return None;
        }
        let mut rows = HRows::default();
        for contact in 0..contacts {
            let mut columns = BTreeMap::new();
            for i in 0..dimension {
                for (dof, value) in self.column_of_h(dimension * contact + i) {
                    columns.entry(dof as u32).or_insert([0.0; 3])[i] = value;
                }
            }
            rows.push(columns.into_iter());
        }
        BodyProduct::of_masses(dimension, self.f.len(), self.m.entries(), &rows)
    }

    fn blocks(
        &self,
        dimension: usize,
        by_row: &[Vec<(usize, f64)>],
        lu: &mut SparseLu,
    ) -> Option<BlockColumns> {
        let (n, size) = (self.f.len(), self.h.columns);
        let (mut entries, mut column) = (Vec::new(), vec![0.0; size]);
        for first in (0..size).step_by(TOGETHER) {
            let some = first..size.min(first + TOGETHER);
            let mut x = vec![0.0; n * some.len()];
            for (x, j) in x.chunks_exact_mut(n.max(1)).zip(some.clone()) {
                self.column_of_h(j).for_each(|(i, value)| x[i] = value);
            }
            if !lu.solve_in_place(&mut x) {
                return None;
            }
            for (x, j) in x.chunks_exact(n.max(1)).zip(some) {
                let mut touched = Vec::new();
                multiply(by_row, x, &mut column, &mut touched);
                for i in touched {
                    entries.push((i, j, std::mem::take(&mut column[i])));
                }
            }
        }
        Some(BlockColumns::from_entries(dimension, size / dimension, entries.into_iter()))
    }

    /// v = M⁻¹ (H r + f).
    pub fn velocities(&self, r: &[f64]) -> Option<Vec<f64>> {
        let mut v = self.f.clone();
        for (j, &r) in r.iter().enumerate() {
            self.column_of_h(j).for_each(|(i, value)| v[i] += value * r);
        }
        let mut lu = self.mass_lu()?;
        (lu.factor() && lu.solve_in_place(&mut v)).then_some(v)
    }

    fn mass_lu(&self) -> Option<SparseLu> {
        let starts = self.m.starts.iter().map(|&s| u32::try_from(s).ok()).collect::<Option<_>>()?;
        let mut lu = SparseLu::new(starts, self.m.row_of.clone())?;
        lu.values_mut().copy_from_slice(&self.m.values);
        Some(lu)
    }

    fn column_of_h(&self, j: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.h.starts[j]..self.h.starts[j + 1];
        self.h.row_of[range.clone()]
            .iter()
            .map(|&i| i as usize)
            .zip(self.h.values[range].iter().copied())
    }

    fn rows_of_h(&self) -> Vec<Vec<(usize, f64)>> {
        let mut rows = vec![Vec::new(); self.f.len()];
        for j in 0..self.h.columns {
            self.column_of_h(j).for_each(|(i, value)| rows[i].push((j, value)));
        }
        rows
    }
}

/// y = Hᵀ x into a y that was zero; `touched` gets the places where it is not, once each.
fn multiply(rows: &[Vec<(usize, f64)>], x: &[f64], y: &mut [f64], touched: &mut Vec<usize>) {
    for (row, &x) in rows.iter().zip(x).filter(|&(_, &x)| x != 0.0) {
        for &(j, value) in row {
            if y[j] == 0.0 {
                touched.push(j);
            }
            y[j] += value * x;
        }
    }
    touched.sort_unstable();
    touched.dedup();
}
