//! What an elimination on the dofs of the parts needs of the product.

use super::{BodyProduct, SMALL, Segment};
use crate::linalg::elimination_work;

impl BodyProduct {
    /// Which dofs of y an elimination of M̂ + HᵀGH meets, G block by block: starts and rows of its columns.
    pub fn motion_columns(&self) -> (Vec<u32>, Vec<u32>) {
        let parts = self.places.len() - 1;
        let mut near: Vec<Vec<u32>> = (0..parts as u32).map(|part| vec![part]).collect();
        for alpha in 0..self.contacts() {
            for (own, other) in self.pairs_of(alpha) {
                near[own.part as usize].push(other.part);
            }
        }
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for (part, near) in near.iter_mut().enumerate() {
            near.sort_unstable();
            near.dedup();
            for _ in self.places[part]..self.places[part + 1] {
                for &other in near.iter() {
                    rows.extend(self.places[other as usize]..self.places[other as usize + 1]);
                }
                starts.push(rows.len() as u32);
            }
        }
        (starts, rows)
    }

    fn pairs_of(&self, alpha: usize) -> impl Iterator<Item = (&Segment, &Segment)> {
        let own = self.segments_of(alpha);
        own.iter().flat_map(move |first| own.iter().map(move |second| (first, second)))
    }

    /// How much more an elimination of M̂ + HᵀGH costs than a product with W, counted in multiplications.
    pub fn elimination_cost(&self) -> f64 {
        let (starts, rows) = self.motion_columns();
        let work = elimination_work(&starts, &rows).unwrap_or(f64::INFINITY);
        work / (6 * self.h.len()).max(1) as f64
    }

    /// Visits the entries (row, column, value) of M̂ and of HᵀGH, G given contact by contact.
    pub fn for_each_entry(
        &self,
        g: impl Fn(usize) -> [[f64; 3]; 3],
        mut visit: impl FnMut(usize, usize, f64),
    ) {
        self.for_each_mass(&mut visit);
        for alpha in 0..self.contacts() {
            let g = g(alpha);
            for (own, other) in self.pairs_of(alpha) {
                for (at, column) in other.places().zip(&self.h[other.columns()]) {
                    let pushed: [f64; 3] = std::array::from_fn(|i| {
                        (0..self.components).map(|k| g[i][k] * column[k]).sum()
                    });
                    for (row, h) in own.places().zip(&self.h[own.columns()]) {
                        let value = (0..self.components).map(|i| h[i] * pushed[i]).sum();
                        visit(row, at, value);
                    }
                }
            }
        }
    }

    /// Visits the entries (row, column, value) of M̂.
    pub fn for_each_mass(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for part in 0..self.places.len() - 1 {
            let first = self.places[part] as usize;
            let size = self.places[part + 1] as usize - first;
            let inverse = &self.inverses[self.inverse_starts[part] as usize..][..size * size];
            let mass = inverted(inverse, size);
            for i in 0..size {
                (0..size).for_each(|j| visit(first + i, first + j, mass[SMALL * i + j]));
            }
        }
    }

    /// y += H_αᵀ p.
    pub fn push_back(&self, alpha: usize, p: &[f64], y: &mut [f64]) {
        for segment in self.segments_of(alpha) {
            for (h, y) in self.h[segment.columns()].iter().zip(&mut y[segment.places()]) {
                *y += h.iter().zip(p).map(|(h, p)| h * p).sum::<f64>();
            }
        }
    }
}

/// The inverse of a positive definite matrix, row by row with `SMALL` numbers in each.
pub(super) fn inverted(matrix: &[f64], size: usize) -> [f64; SMALL * SMALL] {
    // Gauss and Jordan: without pivots, which a definite matrix does not need.
    let (mut a, mut x) = ([0.0; SMALL * SMALL], [0.0; SMALL * SMALL]);
    for i in 0..size {
        a[SMALL * i..][..size].copy_from_slice(&matrix[size * i..][..size]);
        x[SMALL * i + i] = 1.0;
    }
    for k in 0..size {
        let pivot = 1.0 / a[SMALL * k + k];
        for j in 0..size {
            a[SMALL * k + j] *= pivot;
            x[SMALL * k + j] *= pivot;
        }
        for i in (0..size).filter(|&i| i != k) {
            let factor = a[SMALL * i + k];
            if factor != 0.0 {
                for j in 0..size {
                    a[SMALL * i + j] -= factor * a[SMALL * k + j];
                    x[SMALL * i + j] -= factor * x[SMALL * k + j];
                }
            }
        }
    }
    x
}
