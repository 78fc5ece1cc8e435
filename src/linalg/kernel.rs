//! The triangular solves with one panel of L, at the speed of memory.
//!
//! Per entry of x the operations and their order depend on the panel alone: how rows and columns are
//! shared between threads does not show in the bits.

use pulp::{Arch, Simd, WithSimd};

/// Columns that a large panel takes at a time, so that threads can share what is below them.
const BLOCK: usize = 128;

/// Entries from which on a panel is large.
const LARGE: usize = 1 << 18;

/// Entries that are worth a second thread.
const WORTH_A_THREAD: usize = 1 << 15;

/// A panel of L as the kernels see it: column-major, reciprocals on its diagonal.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    pub values: &'a [f64],
    pub columns: usize,
    pub height: usize,
}

impl<'a> Dense<'a> {
    /// w ← (L₁₁⁻¹ w₁, w₂ − L₂₁ L₁₁⁻¹ w₁).
    pub fn forward(self, arch: Arch, w: &mut [f64]) {
        if self.columns * self.height < LARGE {
            return arch.dispatch(Down { panel: self, w });
        }
        for from in (0..self.columns).step_by(BLOCK) {
            let (block, to) = self.block(from);
            let (done, below) = w[from..].split_at_mut(to - from);
            arch.dispatch(Down { panel: block, w: done });
            block.subtract(arch, done, to - from, below);
        }
    }

    /// w₁ ← L₁₁⁻ᵀ (w₁ − L₂₁ᵀ w₂).
    pub fn backward(self, arch: Arch, w: &mut [f64]) {
        if self.columns * self.height < LARGE {
            return arch.dispatch(Up { panel: self, w });
        }
        for from in (0..self.columns).step_by(BLOCK).rev() {
            let (block, to) = self.block(from);
            let (todo, below) = w[from..].split_at_mut(to - from);
            block.dot(arch, 0, todo, below);
            arch.dispatch(Up { panel: block, w: todo });
        }
    }

    /// Columns `from..to` without the rows above their triangle.
    fn block(self, from: usize) -> (Self, usize) {
        let to = (from + BLOCK).min(self.columns);
        let values = &self.values[from * (self.height + 1)..];
        (Self { values, columns: to - from, height: self.height }, to)
    }

    /// below ← below − (rows from `row` on) top, the rows shared between threads.
    fn subtract(self, arch: Arch, top: &[f64], row: usize, below: &mut [f64]) {
        if below.len() * self.columns < 2 * WORTH_A_THREAD || rayon::current_num_threads() == 1 {
            return arch.dispatch(Below { panel: self, top, row, below });
        }
        // Whole vectors for both, wherever the rows are cut.
        let half = (below.len() / 2).next_multiple_of(8).min(below.len());
        let (upper, lower) = below.split_at_mut(half);
        rayon::join(
            || self.subtract(arch, top, row, upper),
            || self.subtract(arch, top, row + half, lower),
        );
    }

    /// top ← top − (rows below the block)ᵀ below, the columns from `first` on shared between threads.
    fn dot(self, arch: Arch, first: usize, top: &mut [f64], below: &[f64]) {
        // Four columns go together, however tall they are.
        let small = top.len() <= 4 || top.len() * below.len() < 2 * WORTH_A_THREAD;
        if small || rayon::current_num_threads() == 1 {
            return arch.dispatch(Dots { panel: self, first, top, below });
        }
        let half = (top.len() / 2).next_multiple_of(4).min(top.len());
        let (left, right) = top.split_at_mut(half);
        rayon::join(
            || self.dot(arch, first, left, below),
            || self.dot(arch, first + half, right, below),
        );
    }
}

/// A whole panel downwards.
struct Down<'a> {
    panel: Dense<'a>,
    w: &'a mut [f64],
}

impl WithSimd for Down<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { panel: Dense { values, columns, height: stride }, w } = self;
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
    }
}

/// A whole panel upwards.
struct Up<'a> {
    panel: Dense<'a>,
    w: &'a mut [f64],
}

impl WithSimd for Up<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { panel: Dense { values, columns, height: stride }, w } = self;
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
    }
}

/// Rows of a block that lie below its triangle, downwards.
struct Below<'a> {
    panel: Dense<'a>,
    top: &'a [f64],
    row: usize,
    below: &'a mut [f64],
}

impl WithSimd for Below<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { panel: Dense { values, columns, height: stride }, top, row, below } = self;
        let at = |j: usize| &values[j * stride..];
        let mut j = 0;
        while j + 4 <= columns {
            subtract_from::<S, 4>(simd, at(j), [stride, row], &top[j..], below);
            j += 4;
        }
        match columns - j {
            0 => {}
            1 => subtract_from::<S, 1>(simd, at(j), [stride, row], &top[j..], below),
            2 => subtract_from::<S, 2>(simd, at(j), [stride, row], &top[j..], below),
            _ => subtract_from::<S, 3>(simd, at(j), [stride, row], &top[j..], below),
        }
    }
}

/// Columns of a block dotted with what lies below its triangle.
struct Dots<'a> {
    panel: Dense<'a>,
    first: usize,
    top: &'a mut [f64],
    below: &'a [f64],
}

impl WithSimd for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { panel: Dense { values, columns, height: stride }, first, top, below } = self;
        let mut fours = top.chunks_exact_mut(4);
        let mut j = first;
        for top in fours.by_ref() {
            subtract_dots::<S, 4>(simd, &values[j * stride..], [stride, columns], top, below);
            j += 4;
        }
        let top = fours.into_remainder();
        let values = &values[(j * stride).min(values.len())..];
        match top.len() {
            0 => {}
            1 => subtract_dots::<S, 1>(simd, values, [stride, columns], top, below),
            2 => subtract_dots::<S, 2>(simd, values, [stride, columns], top, below),
            _ => subtract_dots::<S, 3>(simd, values, [stride, columns], top, below),
        }
    }
}

/// The N columns from `values` on, rows `from..from + count` of each.
#[inline(always)]
fn columns_below<const N: usize>(
    values: &[f64],
    stride: usize,
    from: usize,
    count: usize,
) -> [&[f64]; N] {
    std::array::from_fn(|k| &values[k * stride + from..][..count])
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
    let (top, below) = w.split_at_mut(j + N);
    let top = &mut top[j..];
    for k in 0..N {
        let column = &values[k * stride + j..][..N];
        top[k] *= column[k];
        for i in k + 1..N {
            top[i] -= column[i] * top[k];
        }
    }
    subtract_from::<S, N>(simd, values, [stride, j + N], top, below);
}

/// below ← below − L top, with the N columns of `values` and their rows from `row` on.
#[inline(always)]
fn subtract_from<S: Simd, const N: usize>(
    simd: S,
    values: &[f64],
    [stride, row]: [usize; 2],
    top: &[f64],
    below: &mut [f64],
) {
    let minus: [S::f64s; N] = std::array::from_fn(|k| simd.splat_f64s(-top[k]));
    let columns = columns_below::<N>(values, stride, row, below.len());
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
    let (top, below) = w.split_at_mut(j + N);
    let top = &mut top[j..];
    subtract_dots::<S, N>(simd, values, [stride, j + N], top, below);
    for k in (0..N).rev() {
        let column = &values[k * stride + j..][..N];
        let mut rest = top[k];
        for i in k + 1..N {
            rest -= column[i] * top[i];
        }
        top[k] = rest * column[k];
    }
}

/// top ← top − Lᵀ below, with the N columns of `values` and their rows from `row` on.
#[inline(always)]
fn subtract_dots<S: Simd, const N: usize>(
    simd: S,
    values: &[f64],
    [stride, row]: [usize; 2],
    top: &mut [f64],
    below: &[f64],
) {
    let columns = columns_below::<N>(values, stride, row, below.len());
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
    for k in 0..N {
        top[k] -= simd.reduce_sum_f64s(sums[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen columns of 20,000 rows: too few to be shared between threads any further, and tall
    /// enough to be worth it.
    #[test]
    fn a_tall_and_narrow_panel_is_swept_with_the_same_bits_by_any_number_of_threads() {
        let (columns, height) = (16, 20_000);
        let values: Vec<f64> = (0..columns * height).map(|k| (k as f64).sin()).collect();
        let panel = Dense { values: &values, columns, height };
        let sweep = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut w: Vec<f64> = (0..height).map(|i| (i as f64).cos()).collect();
            pool.install(|| {
                panel.forward(Arch::new(), &mut w);
                panel.backward(Arch::new(), &mut w);
            });
            w
        };
        let one = sweep(1);
        assert!(one.iter().all(|x| x.is_finite()));
        assert_eq!(one, sweep(2));
        assert_eq!(one, sweep(3));
    }
}
