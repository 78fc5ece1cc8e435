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

/// Gaussian elimination with full pivoting that leaves out what the other rows hold already, for
/// equations some of which may be redundant; row-major, and without allocation within its room.
#[derive(Clone, Debug, Default)]
pub struct RankLu {
    matrix: Vec<f64>,
    size: usize,
    rank: usize,
    rows: Vec<usize>,
    columns: Vec<usize>,
    work: Vec<f64>,
}

/// Share of the largest entry below which a pivot is redundant.
const REDUNDANT: f64 = 1e-11;

impl RankLu {
    /// Room for systems of that size.
    pub fn with_capacity(size: usize) -> Self {
        Self {
            matrix: Vec::with_capacity(size * size),
            rows: Vec::with_capacity(size),
            columns: Vec::with_capacity(size),
            work: Vec::with_capacity(size),
            ..Self::default()
        }
    }

    /// The matrix of the next system, `size`×`size`, row-major and zero, for the caller to fill.
    pub fn matrix_mut(&mut self, size: usize) -> &mut [f64] {
        self.size = size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        &mut self.matrix
    }

    /// Factors the matrix.
    pub fn factor(&mut self) {
        let n = self.size;
        self.rows.clear();
        self.rows.extend(0..n);
        self.columns.clear();
        self.columns.extend(0..n);
        let largest = self.matrix.iter().fold(0.0, |m, v| f64::max(m, v.abs()));
        self.rank = 0;
        while self.rank < n {
            let k = self.rank;
            let (mut pivot, mut at) = (0.0, (k, k));
            for i in k..n {
                for j in k..n {
                    let entry = self.matrix[self.rows[i] * n + self.columns[j]].abs();
                    if entry > pivot {
                        (pivot, at) = (entry, (i, j));
                    }
                }
            }
            if pivot <= REDUNDANT * largest {
                break;
            }
            self.rows.swap(k, at.0);
            self.columns.swap(k, at.1);
            self.eliminate(k);
            self.rank += 1;
        }
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.size;
        let (row, column) = (self.rows[k] * n, self.columns[k]);
        for i in k + 1..n {
            let below = self.rows[i] * n;
            let factor = self.matrix[below + column] / self.matrix[row + column];
            self.matrix[below + column] = factor;
            for j in k + 1..n {
                let at = self.columns[j];
                self.matrix[below + at] -= factor * self.matrix[row + at];
            }
        }
    }

    /// x ← a solution of A x = x, with zeros for what is redundant.
    pub fn solve_in_place(&mut self, x: &mut [f64]) {
        let (n, rank) = (self.size, self.rank);
        self.work.clear();
        for k in 0..rank {
            let row = &self.matrix[self.rows[k] * n..][..n];
            let known: f64 = (0..k).map(|j| row[self.columns[j]] * self.work[j]).sum();
            self.work.push(x[self.rows[k]] - known);
        }
        x.fill(0.0);
        for k in (0..rank).rev() {
            let row = &self.matrix[self.rows[k] * n..][..n];
            let known: f64 = (k + 1..rank).map(|j| row[self.columns[j]] * x[self.columns[j]]).sum();
            x[self.columns[k]] = (self.work[k] - known) / row[self.columns[k]];
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

    /// Three equations of which one says twice what another does.
    #[test]
    fn redundant_equations_are_left_out_and_the_others_hold() {
        let a = [4.0, 1.0, 8.0, 1.0, 3.0, 2.0, 8.0, 2.0, 16.0];
        let mut lu = RankLu::with_capacity(3);
        lu.matrix_mut(3).copy_from_slice(&a);
        lu.factor();
        assert_eq!(lu.rank, 2);
        let right = [5.0, 4.0, 10.0];
        let mut x = right;
        lu.solve_in_place(&mut x);
        for (row, right) in a.chunks_exact(3).zip(right) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-13, "{x:?}");
        }
    }
}
