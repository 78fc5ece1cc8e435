//! The inverse of the trailing block L₂₂L₂₂ᵀ of a factor, dense and symmetric.

use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, Mat, MatMut, MatRef, Par};

use super::front::{Crew, add_square, halves, join};
use super::sweep::Factor;

/// Columns or rows that a thread takes at a time, and size below which a triangle is not cut.
const TILE: usize = 256;

/// A dense symmetric matrix, all of it stored.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricMatrix {
    /// Number of rows.
    pub size: usize,
    /// Its entries, column by column, which is row by row as well.
    pub values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Bytes of one of that size.
    pub fn bytes_of(size: usize) -> usize {
        8 * size * size
    }

    /// Entry (i, j).
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.size + j]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.values.len()
    }
}

impl Factor {
    /// (L₂₂L₂₂ᵀ)⁻¹ over the trailing dofs: the trailing block of the inverse of the factored matrix,
    /// exactly symmetric. Computed in place of L₂₂, in the memory of the result.
    pub fn trailing_inverse(&self) -> SymmetricMatrix {
        let size = self.size() - self.trailing();
        let mut values = vec![0.0; size * size];
        for panel in self.trailing_panels() {
            let dense = self.dense(panel);
            let rows = self.rows_of(panel);
            let first = panel.start - self.trailing();
            for j in 0..panel.columns {
                let from = &dense.values[j * dense.height..][..dense.height];
                let to = &mut values[(first + j) * size..][..size];
                to[first + j..first + panel.columns].copy_from_slice(&from[j..panel.columns]);
                to[first + j] = 1.0 / from[j];
                for (&row, value) in rows.iter().zip(&from[panel.columns..]) {
                    to[row as usize - self.trailing()] = *value;
                }
            }
        }
        let mut matrix = MatMut::from_column_major_slice_mut(&mut values, size, size);
        invert(matrix.as_mut());
        square(matrix.as_mut());
        mirror(matrix);
        SymmetricMatrix { size, values }
    }
}

/// The four quarters of a square matrix whose lower triangle counts.
struct Quarters<'a> {
    first: MatMut<'a, f64>,
    below: MatMut<'a, f64>,
    beside: MatMut<'a, f64>,
    second: MatMut<'a, f64>,
}

/// Nothing where the matrix is too small to be cut.
fn quarters(matrix: MatMut<'_, f64>) -> Result<Quarters<'_>, MatMut<'_, f64>> {
    let n = matrix.nrows();
    if n <= TILE {
        return Err(matrix);
    }
    let half = halves(n, TILE);
    let (first, beside, below, second) = matrix.split_at_mut(half, half);
    Ok(Quarters { first, below, beside, second })
}

/// L ← L⁻¹.
fn invert(triangle: MatMut<'_, f64>) {
    match quarters(triangle) {
        Ok(Quarters { first, mut below, second, .. }) => {
            divide_left(second.as_ref(), below.as_mut());
            divide_right(below.as_mut(), first.as_ref());
            let work = first.nrows().pow(3);
            join(Crew::All, work, || invert(first), || invert(second));
        }
        Err(mut small) => {
            let n = small.nrows();
            let mut inverse = Mat::<f64>::identity(n, n);
            solve_lower_triangular_in_place(small.as_ref(), inverse.as_mut(), Par::Seq);
            for j in 0..n {
                (j..n).for_each(|i| small[(i, j)] = inverse[(i, j)]);
            }
        }
    }
}

/// B ← L⁻¹ B, by tiles of columns.
fn divide_left(triangle: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    let columns = b.ncols();
    if columns <= TILE {
        return solve_lower_triangular_in_place(triangle, b, Par::Seq);
    }
    let (left, right) = b.split_at_col_mut(halves(columns, TILE));
    let work = columns * triangle.nrows().pow(2);
    join(Crew::All, work, || divide_left(triangle, left), || divide_left(triangle, right));
}

/// B ← −B L⁻¹, by tiles of rows.
fn divide_right(b: MatMut<'_, f64>, triangle: MatRef<'_, f64>) {
    let rows = b.nrows();
    if rows > TILE {
        let (upper, lower) = b.split_at_row_mut(halves(rows, TILE));
        let work = rows * triangle.nrows().pow(2);
        return join(
            Crew::All,
            work,
            || divide_right(upper, triangle),
            || divide_right(lower, triangle),
        );
    }
    let mut transposed = b.transpose_mut();
    solve_upper_triangular_in_place(triangle.transpose(), transposed.as_mut(), Par::Seq);
    for i in 0..transposed.ncols() {
        (0..transposed.nrows()).for_each(|j| transposed[(j, i)] = -transposed[(j, i)]);
    }
}

/// Lower triangle of L ← Lᵀ L.
fn square(triangle: MatMut<'_, f64>) {
    match quarters(triangle) {
        Ok(Quarters { mut first, mut below, second, .. }) => {
            square(first.as_mut());
            add_square(first, below.as_ref().transpose(), 1.0, Crew::All);
            multiply_left(second.as_ref(), below.as_mut());
            square(second);
        }
        Err(mut small) => {
            let copy = small.to_owned();
            triangular::matmul(
                small.as_mut(),
                BlockStructure::TriangularLower,
                Accum::Replace,
                copy.transpose(),
                BlockStructure::TriangularUpper,
                copy.as_ref(),
                BlockStructure::TriangularLower,
                1.0,
                Par::Seq,
            );
        }
    }
}

/// B ← Lᵀ B, by tiles of columns.
fn multiply_left(triangle: MatRef<'_, f64>, b: MatMut<'_, f64>) {
    let columns = b.ncols();
    if columns > TILE {
        let (left, right) = b.split_at_col_mut(halves(columns, TILE));
        let work = columns * triangle.nrows().pow(2);
        return join(
            Crew::All,
            work,
            || multiply_left(triangle, left),
            || multiply_left(triangle, right),
        );
    }
    let copy = b.to_owned();
    triangular::matmul(
        b,
        BlockStructure::Rectangular,
        Accum::Replace,
        triangle.transpose(),
        BlockStructure::TriangularUpper,
        copy.as_ref(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// Copies the lower triangle onto the upper one.
fn mirror(matrix: MatMut<'_, f64>) {
    match quarters(matrix) {
        Ok(Quarters { first, below, mut beside, second }) => {
            beside.copy_from(below.transpose());
            let work = first.nrows().pow(2);
            join(Crew::All, work, || mirror(first), || mirror(second));
        }
        Err(mut small) => {
            for j in 0..small.ncols() {
                (0..j).for_each(|i| small[(i, j)] = small[(j, i)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::linalg::{UpperColumns, factor};

    /// Dense: A = n I − ones off the diagonal / (1 + |i − j|).
    fn dense(n: usize) -> UpperColumns {
        let mut matrix = UpperColumns { starts: vec![0], ..UpperColumns::default() };
        for j in 0..n {
            matrix.rows.extend(0..=j as u32);
            let value = |i: usize| if i == j { 12.0 } else { -1.0 / (1 + j - i) as f64 };
            matrix.values.extend((0..=j).map(value));
            matrix.starts.push(matrix.rows.len());
        }
        matrix
    }

    /// Condition number about 50, so a relative error of some 1e-14.
    #[test]
    fn the_trailing_inverse_is_symmetric_and_what_the_sweeps_give() {
        for (n, trailing) in [(40, 33), (900, 0), (700, 150)] {
            let factor = factor(&dense(n), trailing).unwrap();
            let inverse = factor.trailing_inverse();
            assert_eq!(inverse.size, n - trailing);
            let mut scratch = factor.scratch();
            for unit in [0, inverse.size / 3, inverse.size - 1] {
                let mut x = vec![0.0; n];
                x[trailing + unit] = 1.0;
                factor.forward_trailing(&mut x, &mut scratch);
                factor.backward_trailing(&mut x, &mut scratch);
                for i in 0..inverse.size {
                    assert_eq!(inverse.entry(i, unit), inverse.entry(unit, i));
                    let error = (inverse.entry(i, unit) - x[trailing + i]).abs();
                    assert!(error < 1e-14, "({i}, {unit}) of {n}: {error}");
                }
            }
        }
    }

    #[test]
    fn the_trailing_inverse_has_the_same_bits_for_any_number_of_threads() {
        let factor = factor(&dense(800), 0).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| factor.trailing_inverse())
        };
        assert!(with(1) == with(3));
    }
}
