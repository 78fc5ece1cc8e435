//! Sparse unsymmetric systems of one pattern, by faer's LU.

use faer::Mat;
use faer::prelude::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// Systems with the same pattern, whose ordering is found once.
pub struct SparseLu {
    size: usize,
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    symbolic: SymbolicLu<u32>,
}

impl SparseLu {
    /// For matrices with the entries of the given columns: `starts` has one more entry than there
    /// are columns, rows ascend in each. `None` where there are too many of them.
    pub fn new(starts: Vec<u32>, rows: Vec<u32>) -> Option<Self> {
        let size = starts.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &starts, None, &rows);
        let symbolic = SymbolicLu::try_new(pattern).ok()?;
        Some(Self { size, values: vec![0.0; rows.len()], starts, rows, symbolic })
    }

    /// Values of the next matrix, column by column, for the caller to fill.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// x ← A⁻¹ x; `false` where A is singular.
    #[must_use = "a singular system leaves x without meaning"]
    pub fn solve_in_place(&self, x: &mut [f64]) -> bool {
        let n = self.size;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let Ok(lu) = Lu::try_new_with_symbolic(self.symbolic.clone(), matrix) else {
            return false;
        };
        let solution = lu.solve(&Mat::from_fn(n, 1, |i, _| x[i]));
        x.iter_mut().enumerate().for_each(|(i, x)| *x = solution[(i, 0)]);
        x.iter().all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsymmetric_system_is_solved_and_a_singular_one_refused() {
        // [2 0 1; 4 3 0; 0 0 5], then the same with an empty second column.
        let mut lu = SparseLu::new(vec![0, 2, 3, 5], vec![0, 1, 1, 0, 2]).unwrap();
        lu.values_mut().copy_from_slice(&[2.0, 4.0, 3.0, 1.0, 5.0]);
        let mut x = [2.0 * 7.0 - 2.0, 4.0 * 7.0 + 3.0 * 0.5, -10.0];
        assert!(lu.solve_in_place(&mut x));
        for (found, exact) in x.iter().zip([7.0, 0.5, -2.0]) {
            assert!((found - exact).abs() < 1e-14);
        }
        lu.values_mut()[2] = 0.0;
        assert!(!lu.solve_in_place(&mut [1.0, 1.0, 1.0]));
    }
}
