//! Sparse unsymmetric systems of one pattern, by faer's LU.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// Systems with the same pattern: the ordering is found once, the memory is kept. On one thread, so
/// that the bits do not depend on their number.
pub struct SparseLu {
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    symbolic: SymbolicLu<u32>,
    numeric: NumericLu<u32, f64>,
    factor_memory: MemBuffer,
    solve_memory: MemBuffer,
    factored: bool,
}

/// Right-hand sides that one pass through the factor takes.
const TOGETHER: usize = 16;

impl SparseLu {
    /// For matrices with the entries of the given columns: `starts` has one more entry than there
    /// are columns, rows ascend in each. `None` where there are too many of them.
    pub fn new(starts: Vec<u32>, rows: Vec<u32>) -> Option<Self> {
        let n = starts.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let symbolic = factorize_symbolic_lu(pattern, Default::default()).ok()?;
        let factor = symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
        let solve = symbolic.solve_in_place_scratch::<f64>(TOGETHER, Par::Seq);
        Some(Self {
            values: vec![0.0; rows.len()],
            numeric: NumericLu::new(),
            factor_memory: MemBuffer::try_new(factor).ok()?,
            solve_memory: MemBuffer::try_new(solve).ok()?,
            starts,
            rows,
            symbolic,
            factored: false,
        })
    }

    /// Values of the next matrix, column by column, for the caller to fill.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors the matrix; `false` where it is singular.
    #[must_use = "a singular matrix has no factor"]
    pub fn factor(&mut self) -> bool {
        let n = self.starts.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let outcome = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            SparseColMatRef::new(pattern, &self.values),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        self.factored = outcome.is_ok();
        self.factored
    }

    /// x ← A⁻¹ x with the last factor, for as many vectors as `x` holds one after the other; `false`
    /// where A is singular to rounding.
    #[must_use = "a singular system leaves x without meaning"]
    pub fn solve_in_place(&mut self, x: &mut [f64]) -> bool {
        assert!(self.factored, "a matrix is factored before it solves");
        let n = self.starts.len() - 1;
        let lu = LuRef::new_unchecked(&self.symbolic, &self.numeric);
        for x in x.chunks_mut(TOGETHER * n.max(1)) {
            let columns = x.len() / n;
            let x = MatMut::from_column_major_slice_mut(x, n, columns);
            lu.solve_in_place_with_conj(
                Conj::No,
                x,
                Par::Seq,
                MemStack::new(&mut self.solve_memory),
            );
        }
        x.iter().all(|x| x.is_finite())
    }
}

/// Σ c_j² over the columns of a Cholesky factor with the pattern of the given columns in a
/// fill-reducing order: the work of an elimination, to be weighed against other work before it is
/// done. `None` where it cannot be told.
pub fn elimination_work(starts: &[u32], rows: &[u32]) -> Option<f64> {
    let n = starts.len() - 1;
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, starts, None, rows);
    let parameters = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
        ..Default::default()
    };
    let order = SymmetricOrdering::Amd;
    let symbolic = factorize_symbolic_cholesky(pattern, Side::Upper, order, parameters).ok()?;
    match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(factor) => {
            let counts = factor.col_ptr().windows(2).map(|ends| f64::from(ends[1] - ends[0]));
            Some(counts.map(|count| count * count).sum())
        }
        SymbolicCholeskyRaw::Supernodal(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An arrow has no fill: n columns of two entries and one of one. A full matrix has all.
    #[test]
    fn elimination_work_is_that_of_the_factor() {
        let n = 10u32;
        let arrow: Vec<Vec<u32>> =
            (0..n).map(|j| if j == 0 { (0..n).collect() } else { vec![0, j] }).collect();
        let full: Vec<Vec<u32>> = vec![(0..n).collect(); 10];
        for (columns, work) in [(arrow, 9.0 * 4.0 + 1.0), (full, 385.0)] {
            let ends = columns.iter().scan(0, |end, column| {
                *end += column.len() as u32;
                Some(*end)
            });
            let starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
            assert_eq!(elimination_work(&starts, &columns.concat()), Some(work));
        }
    }

    #[test]
    fn an_unsymmetric_system_is_solved_and_a_singular_one_refused() {
        // [2 0 1; 4 3 0; 0 0 5], then the same with an empty second column.
        let mut lu = SparseLu::new(vec![0, 2, 3, 5], vec![0, 1, 1, 0, 2]).unwrap();
        lu.values_mut().copy_from_slice(&[2.0, 4.0, 3.0, 1.0, 5.0]);
        let one = [2.0 * 7.0 - 2.0, 4.0 * 7.0 + 3.0 * 0.5, -10.0];
        let mut many: Vec<f64> = (0..40).flat_map(|k| one.map(|x| f64::from(k) * x)).collect();
        assert!(lu.factor() && lu.solve_in_place(&mut many));
        for (k, x) in many.chunks_exact(3).enumerate() {
            for (found, exact) in x.iter().zip([7.0, 0.5, -2.0]) {
                assert!((found - k as f64 * exact).abs() < 1e-12);
            }
        }
        lu.values_mut()[2] = 0.0;
        assert!(!lu.factor() || !lu.solve_in_place(&mut [1.0, 1.0, 1.0]));
    }
}
