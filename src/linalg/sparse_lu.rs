//! Sparse unsymmetric systems of one pattern, by faer's LU.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};

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
        })
    }

    /// Values of the next matrix, column by column, for the caller to fill.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// x ← A⁻¹ x, for as many vectors as `x` holds one after the other; `false` where A is singular.
    #[must_use = "a singular system leaves x without meaning"]
    pub fn solve_in_place(&mut self, x: &mut [f64]) -> bool {
        self.with_factor(|solve| solve(x)).is_some() && x.iter().all(|x| x.is_finite())
    }

    /// Factors once and hands a function to `task` that solves; `None` where A is singular.
    pub fn with_factor<T>(
        &mut self,
        task: impl FnOnce(&mut dyn FnMut(&mut [f64])) -> T,
    ) -> Option<T> {
        let n = self.starts.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let lu = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            matrix,
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        let lu = lu.ok()?;
        let memory = &mut self.solve_memory;
        let mut solve = |x: &mut [f64]| {
            for x in x.chunks_mut(TOGETHER * n.max(1)) {
                let x = MatMut::from_column_major_slice_mut(x, n, x.len() / n);
                lu.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(memory));
            }
        };
        Some(task(&mut solve))
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
        let one = [2.0 * 7.0 - 2.0, 4.0 * 7.0 + 3.0 * 0.5, -10.0];
        let mut many: Vec<f64> = (0..40).flat_map(|k| one.map(|x| f64::from(k) * x)).collect();
        assert!(lu.solve_in_place(&mut many));
        for (k, x) in many.chunks_exact(3).enumerate() {
            for (found, exact) in x.iter().zip([7.0, 0.5, -2.0]) {
                assert!((found - k as f64 * exact).abs() < 1e-12);
            }
        }
        lu.values_mut()[2] = 0.0;
        assert!(!lu.solve_in_place(&mut [1.0, 1.0, 1.0]));
    }
}
