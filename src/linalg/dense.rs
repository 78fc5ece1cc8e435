//! Dense linear systems of the contact solvers, solved in place and without allocation.

/// Gaussian elimination with partial pivoting, row-major; written by hand because the contact
/// solvers call it inside the step loop, where nothing may allocate once the first system has been.
#[derive(Clone, Debug, Default)]
pub struct DenseLu {
    matrix: Vec<f64>,
    size: usize,
}

impl DenseLu {
    /// No room yet: it comes with the first system, and grows with larger ones.
    pub fn new() -> Self {
        Self { matrix: Vec::new(), size: 0 }
    }

    /// The matrix of the next system, `size`×`size`, row-major, for the caller to fill.
    pub fn matrix_mut(&mut self, size: usize) -> &mut [f64] {
        self.size = size;
        self.matrix.resize(self.matrix.len().max(size * size), 0.0);
        &mut self.matrix[..size * size]
    }

    /// x ← A⁻¹ x, destroying the matrix; `false` where a pivot is below rounding of its row.
    #[must_use = "a singular system leaves x without meaning"]
    pub fn solve_in_place(&mut self, x: &mut [f64]) -> bool {
        let n = self.size;
        let a = &mut self.matrix[..n * n];
        let largest = a.iter().fold(0.0, |m, v| f64::max(m, v.abs()));
        for k in 0..n {
            let size = |i: &usize| a[i * n + k].abs();
            let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(k);
            if a[pivot * n + k].abs() <= 1e-15 * largest {
                return false;
            }
            if pivot != k {
                let (upper, lower) = a.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
                x.swap(k, pivot);
            }
            eliminate_below(a, x, n, k);
        }
        for k in (0..n).rev() {
            let row = &a[k * n..(k + 1) * n];
            let known: f64 = row[k + 1..].iter().zip(&x[k + 1..n]).map(|(a, b)| a * b).sum();
            x[k] = (x[k] - known) / row[k];
        }
        true
    }
}

fn eliminate_below(a: &mut [f64], x: &mut [f64], n: usize, k: usize) {
    let (done, rest) = a.split_at_mut((k + 1) * n);
    let pivot_row = &done[k * n + k..];
    for (i, row) in rest.chunks_exact_mut(n).enumerate() {
        let factor = row[k] / pivot_row[0];
        if factor != 0.0 {
            row[k..].iter_mut().zip(pivot_row).for_each(|(a, p)| *a -= factor * p);
            x[k + 1 + i] -= factor * x[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_needs_pivoting_is_solved() {
        let mut lu = DenseLu::new();
        let a = [0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 3.0, 1.0, 2.0];
        lu.matrix_mut(3).copy_from_slice(&a);
        let mut x = [2.0 * 5.0 - 2.0, 4.0, 12.0 + 5.0 - 4.0];
        assert!(lu.solve_in_place(&mut x));
        for (found, exact) in x.iter().zip([4.0, 5.0, -2.0]) {
            assert!((found - exact).abs() < 1e-14);
        }
    }

    #[test]
    fn a_singular_system_is_refused() {
        let mut lu = DenseLu::new();
        lu.matrix_mut(2).copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!lu.solve_in_place(&mut [1.0, 2.0]));
    }
}
