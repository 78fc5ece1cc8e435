//! Dense elimination of one panel and the update it hands on, by faer's kernels on fixed tiles.
//!
//! The tiles, not the kernels, run in parallel: where a tile begins depends on the sizes alone, so
//! the result has the same bits for any number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};

/// Columns that are eliminated by one call.
const COLUMNS: usize = 96;

/// Columns and rows of a tile of an update.
const TILE: [usize; 2] = [256, 512];

/// Multiplications below which a second thread is not called.
const WORTH_A_THREAD: usize = 1 << 19;

/// Who works on the tiles of a front. A branch of the tree is worked on by one thread alone, which
/// would else, while it waits for its tiles, begin another branch and need memory for both.
#[derive(Clone, Copy, Debug)]
pub enum Crew {
    One,
    All,
}

/// Eliminates the columns of a panel: its triangle becomes L₁₁, what is below L₂₁ = A₂₁ L₁₁⁻ᵀ.
/// Fails with the column whose pivot is not positive.
pub fn eliminate(panel: MatMut<'_, f64>, crew: Crew) -> Result<(), usize> {
    let columns = panel.ncols();
    if columns <= COLUMNS {
        let (mut triangle, below) = panel.split_at_row_mut(columns);
        factor_triangle(triangle.as_mut())?;
        divide(below, triangle.as_ref(), crew);
        return Ok(());
    }
    let half = halves(columns, COLUMNS);
    let (mut left, right) = panel.split_at_col_mut(half);
    eliminate(left.as_mut(), crew)?;
    let lower = left.as_ref().split_at_row(half).1;
    let mut right = right.split_at_row_mut(half).1;
    add_square(right.as_mut(), lower, -1.0, crew);
    eliminate(right, crew).map_err(|column| half + column)
}

fn factor_triangle(triangle: MatMut<'_, f64>) -> Result<(), usize> {
    let needed = cholesky_in_place_scratch::<f64>(triangle.nrows(), Par::Seq, Default::default());
    let mut memory = MemBuffer::new(needed);
    let stack = MemStack::new(&mut memory);
    match cholesky_in_place(triangle, Default::default(), Par::Seq, stack, Default::default()) {
        Ok(_) => Ok(()),
        Err(LltError::NonPositivePivot { index }) => Err(index),
    }
}

/// B ← B L⁻ᵀ, by tiles of rows.
fn divide(below: MatMut<'_, f64>, triangle: MatRef<'_, f64>, crew: Crew) {
    let rows = below.nrows();
    if rows <= TILE[1] {
        solve_lower_triangular_in_place(triangle, below.transpose_mut(), Par::Seq);
        return;
    }
    let (upper, lower) = below.split_at_row_mut(halves(rows, TILE[1]));
    join(
        crew,
        rows * triangle.ncols() * triangle.ncols(),
        || divide(upper, triangle, crew),
        || divide(lower, triangle, crew),
    );
}

/// Lower trapezoid of A ← A ± B B₁ᵀ, with B₁ the first rows of B, as many as A has columns.
pub fn add_square(to: MatMut<'_, f64>, factor: MatRef<'_, f64>, sign: f64, crew: Crew) {
    let (rows, columns) = (to.nrows(), to.ncols());
    if columns <= TILE[0] {
        let (top, below) = to.split_at_row_mut(columns);
        let (first, rest) = factor.split_at_row(columns);
        let transposed = first.transpose();
        triangular::matmul(
            top,
            BlockStructure::TriangularLower,
            Accum::Add,
            first,
            BlockStructure::Rectangular,
            transposed,
            BlockStructure::Rectangular,
            sign,
            Par::Seq,
        );
        add(below, [rest, first], sign, crew);
        return;
    }
    let half = halves(columns, TILE[0]);
    let (left, right) = to.split_at_col_mut(half);
    let right = right.split_at_row_mut(half).1;
    join(
        crew,
        rows * columns * factor.ncols(),
        || {
            let (top, below) = left.split_at_row_mut(half);
            let (first, rest) = factor.split_at_row(half);
            add_square(top, first, sign, crew);
            add(below, [rest, first], sign, crew);
        },
        || add_square(right, factor.split_at_row(half).1, sign, crew),
    );
}

/// A ← A ± B Cᵀ, by tiles of rows.
fn add(to: MatMut<'_, f64>, [b, c]: [MatRef<'_, f64>; 2], sign: f64, crew: Crew) {
    let (rows, columns) = (to.nrows(), to.ncols());
    let work = rows * columns * b.ncols();
    if rows > TILE[1] {
        let half = halves(rows, TILE[1]);
        let (upper, lower) = to.split_at_row_mut(half);
        let (b_upper, b_lower) = b.split_at_row(half);
        join(
            crew,
            work,
            || add(upper, [b_upper, c], sign, crew),
            || add(lower, [b_lower, c], sign, crew),
        );
    } else if rows > 0 && columns > 0 {
        matmul(to, Accum::Add, b, c.transpose(), sign, Par::Seq);
    }
}

/// Where n > `tile` rows or columns are cut: about the middle, after a whole number of tiles.
pub fn halves(n: usize, tile: usize) -> usize {
    (n / 2).next_multiple_of(tile).min(n - 1)
}

/// Runs both, side by side if they have enough multiplications.
pub fn join(crew: Crew, work: usize, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    if matches!(crew, Crew::One) || work < WORTH_A_THREAD {
        a();
        b();
    } else {
        rayon::join(a, b);
    }
}
