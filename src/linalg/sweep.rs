//! The triangular sweeps on the Cholesky factor, the heart of a step's cost.
//!
//! Written by hand: faer solves both triangles in one call, and the step needs to stop between them;
//! `benches/step.rs` compares the two.

use pulp::{Arch, Simd, WithSimd};

use super::plan::{Panel, Plan};

/// L of A = L Lᵀ, in panels, with the reciprocals of its diagonal in place of the diagonal.
#[derive(Clone, Debug)]
pub struct Factor {
    size: usize,
    trailing: usize,
    first_trailing_panel: usize,
    panels: Vec<Panel>,
    rows: Vec<u32>,
    values: Vec<f64>,
    longest: usize,
    arch: Arch,
}

impl Factor {
    pub(super) fn new(plan: &Plan, mut values: Vec<f64>) -> Self {
        let (size, trailing) = (plan.size(), plan.trailing);
        let (panels, rows) = (plan.panels.clone(), plan.rows.clone());
        for panel in &panels {
            for j in 0..panel.columns {
                let diagonal = &mut values[panel.values_at + j * (panel.height() + 1)];
                *diagonal = 1.0 / *diagonal;
            }
        }
        let first_trailing_panel = panels.partition_point(|panel| panel.start < trailing);
        let longest = panels.iter().map(|panel| panel.columns + panel.below).max().unwrap_or(0);
        let arch = Arch::new();
        Self { size, trailing, first_trailing_panel, panels, rows, values, longest, arch }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// First of the trailing columns, which `*_trailing` sweeps.
    pub fn trailing(&self) -> usize {
        self.trailing
    }

    /// Stored entries of L: what one sweep reads.
    pub fn entries(&self) -> usize {
        self.panels.iter().map(|p| p.columns * (p.columns + 1) / 2 + p.columns * p.below).sum()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.values.len() + 4 * self.rows.len() + size_of::<Panel>() * self.panels.len()
    }

    /// Scratch that the sweeps need.
    pub fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.longest]
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, x: &mut [f64], scratch: &mut [f64]) {
        self.arch.dispatch(Down { factor: self, panels: &self.panels, x, scratch });
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64], scratch: &mut [f64]) {
        self.arch.dispatch(Up { factor: self, panels: &self.panels, x, scratch });
    }

    /// x ← L⁻¹ x for an x that is zero before [`Factor::trailing`].
    pub fn forward_trailing(&self, x: &mut [f64], scratch: &mut [f64]) {
        let panels = &self.panels[self.first_trailing_panel..];
        self.arch.dispatch(Down { factor: self, panels, x, scratch });
    }

    /// The trailing part of x ← L⁻ᵀ x; what comes before is left as it was.
    pub fn backward_trailing(&self, x: &mut [f64], scratch: &mut [f64]) {
        let panels = &self.panels[self.first_trailing_panel..];
        self.arch.dispatch(Up { factor: self, panels, x, scratch });
    }
}

/// The sweep down, with the vector instructions the machine has.
struct Down<'a> {
    factor: &'a Factor,
    panels: &'a [Panel],
    x: &'a mut [f64],
    scratch: &'a mut [f64],
}

impl WithSimd for Down<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { factor, panels, x, scratch } = self;
        for panel in panels {
            let (columns, stride) = (panel.columns, panel.height());
            let rows = &factor.rows[panel.rows_at..][..panel.below];
            let values = &factor.values[panel.values_at..];
            let w = &mut scratch[..columns + panel.below];
            w[..columns].copy_from_slice(&x[panel.start..][..columns]);
            w[columns..].fill(0.0);
            let mut j = 0;
            while j + 4 <= columns {
                subtract_columns::<S, 4>(simd, &values[j * stride..], stride, j, w);
                j += 4;
            }
            match columns - j {
                0 => {}
                1 => subtract_columns::<S, 1>(simd, &values[j * stride..], stride, j, w),
                2 => subtract_columns::<S, 2>(simd, &values[j * stride..], stride, j, w),
                _ => subtract_columns::<S, 3>(simd, &values[j * stride..], stride, j, w),
            }
            x[panel.start..][..columns].copy_from_slice(&w[..columns]);
            for (&row, update) in rows.iter().zip(&w[columns..]) {
                x[row as usize] += update;
            }
        }
    }
}

/// The sweep up.
struct Up<'a> {
    factor: &'a Factor,
    panels: &'a [Panel],
    x: &'a mut [f64],
    scratch: &'a mut [f64],
}

impl WithSimd for Up<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { factor, panels, x, scratch } = self;
        for panel in panels.iter().rev() {
            let (columns, stride) = (panel.columns, panel.height());
            let rows = &factor.rows[panel.rows_at..][..panel.below];
            let values = &factor.values[panel.values_at..];
            let w = &mut scratch[..columns + panel.below];
            w[..columns].copy_from_slice(&x[panel.start..][..columns]);
            for (&row, value) in rows.iter().zip(&mut w[columns..]) {
                *value = x[row as usize];
            }
            let whole = columns / 4 * 4;
            match columns - whole {
                0 => {}
                1 => dot_columns::<S, 1>(simd, &values[whole * stride..], stride, whole, w),
                2 => dot_columns::<S, 2>(simd, &values[whole * stride..], stride, whole, w),
                _ => dot_columns::<S, 3>(simd, &values[whole * stride..], stride, whole, w),
            }
            for j in (0..whole).step_by(4).rev() {
                dot_columns::<S, 4>(simd, &values[j * stride..], stride, j, w);
            }
            x[panel.start..][..columns].copy_from_slice(&w[..columns]);
        }
    }
}

/// The N columns from `values` on, each from its row `from` to the height of the panel.
#[inline(always)]
fn columns_below<const N: usize>(
    values: &[f64],
    stride: usize,
    from: usize,
    height: usize,
) -> [&[f64]; N] {
    std::array::from_fn(|k| &values[k * stride + from..k * stride + height])
}

/// Solves the N×N triangle at column j of a panel, and subtracts the N columns from what is below.
#[inline(always)]
fn subtract_columns<S: Simd, const N: usize>(
    simd: S,
    values: &[f64],
    stride: usize,
    j: usize,
    w: &mut [f64],
) {
    let height = w.len();
    let (top, below) = w.split_at_mut(j + N);
    let top = &mut top[j..];
    for k in 0..N {
        let column = &values[k * stride + j..][..N];
        top[k] *= column[k];
        for i in k + 1..N {
            top[i] -= column[i] * top[k];
        }
    }
    let minus: [S::f64s; N] = std::array::from_fn(|k| simd.splat_f64s(-top[k]));
    let columns = columns_below::<N>(values, stride, j + N, height);
    let (body, tail) = S::as_mut_simd_f64s(below);
    let parts: [_; N] = std::array::from_fn(|k| S::as_simd_f64s(columns[k]));
    let bodies: [&[S::f64s]; N] = std::array::from_fn(|k| &parts[k].0[..body.len()]);
    for (i, y) in body.iter_mut().enumerate() {
        let mut sum = *y;
        for k in 0..N {
            sum = simd.mul_add_e_f64s(bodies[k][i], minus[k], sum);
        }
        *y = sum;
    }
    if !tail.is_empty() {
        let mut sum = simd.partial_load_f64s(tail);
        for k in 0..N {
            sum = simd.mul_add_e_f64s(simd.partial_load_f64s(parts[k].1), minus[k], sum);
        }
        simd.partial_store_f64s(tail, sum);
    }
}

/// Dots the N columns at column j of a panel with what is below, and solves the transposed triangle.
#[inline(always)]
fn dot_columns<S: Simd, const N: usize>(
    simd: S,
    values: &[f64],
    stride: usize,
    j: usize,
    w: &mut [f64],
) {
    let height = w.len();
    let (top, below) = w.split_at_mut(j + N);
    let top = &mut top[j..];
    let columns = columns_below::<N>(values, stride, j + N, height);
    let (body, tail) = S::as_simd_f64s(below);
    let parts: [_; N] = std::array::from_fn(|k| S::as_simd_f64s(columns[k]));
    let bodies: [&[S::f64s]; N] = std::array::from_fn(|k| &parts[k].0[..body.len()]);
    let mut sums = [simd.splat_f64s(0.0); N];
    for (i, &y) in body.iter().enumerate() {
        for k in 0..N {
            sums[k] = simd.mul_add_e_f64s(bodies[k][i], y, sums[k]);
        }
    }
    if !tail.is_empty() {
        let y = simd.partial_load_f64s(tail);
        for k in 0..N {
            sums[k] = simd.mul_add_e_f64s(simd.partial_load_f64s(parts[k].1), y, sums[k]);
        }
    }
    for k in (0..N).rev() {
        let column = &values[k * stride + j..][..N];
        let mut rest = top[k] - simd.reduce_sum_f64s(sums[k]);
        for i in k + 1..N {
            rest -= column[i] * top[i];
        }
        top[k] = rest * column[k];
    }
}

#[cfg(test)]
mod tests {
    use crate::linalg::{NoFactor, UpperColumns, factor};

    /// A banded diagonally dominant matrix: A_ij = −1/(1+|i−j|) within the band.
    fn banded(n: usize, band: usize) -> UpperColumns {
        let mut matrix = UpperColumns { starts: vec![0], ..UpperColumns::default() };
        for j in 0..n {
            for i in j.saturating_sub(band)..=j {
                matrix.rows.push(i as u32);
                matrix.values.push(if i == j { 9.0 } else { -1.0 / (1 + j - i) as f64 });
            }
            matrix.starts.push(matrix.rows.len());
        }
        matrix
    }

    fn multiply(matrix: &UpperColumns, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for j in 0..x.len() {
            for entry in matrix.starts[j]..matrix.starts[j + 1] {
                let (i, a) = (matrix.rows[entry] as usize, matrix.values[entry]);
                y[i] += a * x[j];
                if i != j {
                    y[j] += a * x[i];
                }
            }
        }
        y
    }

    /// Backward stability: the residual is a few roundings of the largest entry.
    #[test]
    fn sweeping_down_and_up_solves_the_system_wherever_the_cut_is() {
        for (n, band, trailing) in [(1, 0, 0), (7, 3, 7), (40, 5, 33), (64, 64, 10), (301, 17, 288)]
        {
            let matrix = banded(n, band);
            let factor = factor(&matrix, trailing).unwrap();
            let exact: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut x = multiply(&matrix, &exact);
            let mut scratch = factor.scratch();
            factor.forward(&mut x, &mut scratch);
            factor.backward(&mut x, &mut scratch);
            let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-14, "n = {n}, band = {band}, trailing = {trailing}: {error}");
        }
    }

    /// The trailing block of L Lᵀ is the Schur complement, so its inverse is the trailing block of A⁻¹.
    #[test]
    fn trailing_sweeps_apply_the_trailing_block_of_the_inverse() {
        let (n, trailing) = (90, 77);
        let matrix = banded(n, 11);
        let factor = factor(&matrix, trailing).unwrap();
        let mut scratch = factor.scratch();
        for unit in trailing..n {
            let mut whole = vec![0.0; n];
            whole[unit] = 1.0;
            let mut part = whole.clone();
            factor.forward(&mut whole, &mut scratch);
            factor.backward(&mut whole, &mut scratch);
            factor.forward_trailing(&mut part, &mut scratch);
            factor.backward_trailing(&mut part, &mut scratch);
            for i in trailing..n {
                assert!((whole[i] - part[i]).abs() < 1e-16);
            }
            assert!(part[..trailing].iter().all(|&x| x == 0.0));
        }
    }

    #[test]
    fn an_indefinite_matrix_is_told_by_its_pivot() {
        let mut matrix = banded(30, 4);
        let pivot = matrix.starts[21] - 1;
        matrix.values[pivot] = -1.0;
        assert_eq!(factor(&matrix, 30).unwrap_err(), NoFactor::NotPositive { position: 20 });
    }
}
