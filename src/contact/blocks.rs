//! W in blocks: one d×d block per pair of contacts that feel each other.

use rayon::prelude::*;

use crate::linalg::{Partition, elimination_work};

/// Contacts from which on a dense matrix is written in parallel.
const PARALLEL_FROM: usize = 256;

/// A square matrix in compressed columns of d×d blocks, each block row by row; every diagonal block
/// is there. It need not be symmetric, and a dense matrix is one whose columns hold all blocks.
///
/// Columns, because the solvers change one impulse at a time: u += W_·α Δp_α.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockColumns {
    dimension: usize,
    starts: Vec<usize>,
    rows: Vec<u32>,
    diagonal: Vec<usize>,
    blocks: Vec<f64>,
}

impl Default for BlockColumns {
    fn default() -> Self {
        Self::with_capacity(2, 0, 0)
    }
}

impl BlockColumns {
    /// Empty, with room for so many contacts and pairs of them.
    pub fn with_capacity(dimension: usize, contacts: usize, pairs: usize) -> Self {
        let mut starts = Vec::with_capacity(contacts + 1);
        starts.push(0);
        Self {
            dimension,
            starts,
            rows: Vec::with_capacity(pairs),
            diagonal: Vec::with_capacity(contacts),
            blocks: Vec::with_capacity(pairs * dimension * dimension),
        }
    }

    /// Bytes of one with so many pairs of contacts.
    pub fn bytes_for(dimension: usize, pairs: usize) -> usize {
        pairs * (8 * dimension * dimension + 4)
    }

    /// From a dense matrix, row by row.
    pub fn dense(dimension: usize, values: &[f64]) -> Self {
        let n = values.len().isqrt();
        assert_eq!(n * n, values.len(), "a square matrix has a square number of entries");
        let contacts = n / dimension;
        let mut matrix = Self::with_capacity(dimension, contacts, contacts * contacts);
        for beta in 0..contacts {
            for alpha in 0..contacts {
                let row = |i: usize| &values[(dimension * alpha + i) * n + dimension * beta..];
                matrix.push_block(alpha as u32, |i, j| row(i)[j]);
            }
            matrix.end_column();
        }
        matrix
    }

    /// As a dense matrix, row by row.
    pub fn to_dense(&self) -> Vec<f64> {
        let (d, n) = (self.dimension, self.dimension * self.contacts());
        let mut values = vec![0.0; n * n];
        for beta in 0..self.contacts() {
            for (alpha, block) in self.column(beta) {
                for (k, value) in block.iter().enumerate() {
                    values[(d * alpha + k / d) * n + d * beta + k % d] = *value;
                }
            }
        }
        values
    }

    /// From (row, column, value) entries, summed where they meet.
    pub fn from_entries(
        dimension: usize,
        contacts: usize,
        entries: impl Iterator<Item = (usize, usize, f64)>,
    ) -> Self {
        let mut columns: Vec<std::collections::BTreeMap<usize, Vec<f64>>> =
            vec![Default::default(); contacts];
        let zero = || vec![0.0; dimension * dimension];
        for (alpha, column) in columns.iter_mut().enumerate() {
            column.insert(alpha, zero());
        }
        for (i, j, value) in entries {
            let block = columns[j / dimension].entry(i / dimension).or_insert_with(zero);
            block[i % dimension * dimension + j % dimension] += value;
        }
        let mut matrix = Self::with_capacity(dimension, 0, 0);
        for column in columns {
            for (alpha, block) in column {
                matrix.push_block(alpha as u32, |i, j| block[i * dimension + j]);
            }
            matrix.end_column();
        }
        matrix
    }

    /// Makes it the dense matrix of `contacts` contacts whose blocks `block(row, column)` gives;
    /// within its capacity nothing is allocated. Large ones are written in parallel.
    pub fn fill_dense(
        &mut self,
        contacts: usize,
        block: impl Fn(usize, usize) -> [[f64; 3]; 3] + Sync,
    ) {
        let (d, pairs) = (self.dimension, contacts * contacts);
        self.starts.clear();
        self.starts.extend((0..=contacts).map(|beta| beta * contacts));
        self.diagonal.clear();
        self.diagonal.extend((0..contacts).map(|beta| beta * contacts + beta));
        self.rows.clear();
        (0..contacts).for_each(|_| self.rows.extend(0..contacts as u32));
        self.blocks.resize(pairs * d * d, 0.0);
        let fill = |(beta, column): (usize, &mut [f64])| {
            for (alpha, to) in column.chunks_exact_mut(d * d).enumerate() {
                let from = block(alpha, beta);
                for i in 0..d {
                    to[i * d..][..d].copy_from_slice(&from[i][..d]);
                }
            }
        };
        let height = (contacts * d * d).max(1);
        if contacts < PARALLEL_FROM {
            self.blocks.chunks_exact_mut(height).enumerate().for_each(fill);
        } else {
            self.blocks.par_chunks_exact_mut(height).enumerate().for_each(fill);
        }
    }

    /// Takes all columns out.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
        self.rows.clear();
        self.diagonal.clear();
        self.blocks.clear();
    }

    /// Adds a block to the column being written; rows must ascend.
    pub fn push_block(&mut self, row: u32, value: impl Fn(usize, usize) -> f64) {
        if row as usize == self.contacts() {
            self.diagonal.push(self.rows.len());
        }
        self.rows.push(row);
        for i in 0..self.dimension {
            for j in 0..self.dimension {
                self.blocks.push(value(i, j));
            }
        }
    }

    /// Ends the column being written, which must hold its diagonal block.
    pub fn end_column(&mut self) {
        self.starts.push(self.rows.len());
        assert_eq!(self.diagonal.len(), self.contacts(), "a column has its diagonal block");
    }

    /// With the contacts in another order: contact `order[i]` becomes contact i.
    pub fn permuted(&self, order: &[u32]) -> Self {
        let mut position = vec![0; order.len()];
        (0u32..).zip(order).for_each(|(i, &old)| position[old as usize] = i);
        let mut matrix = Self::with_capacity(self.dimension, 0, 0);
        matrix.blocks.reserve(self.blocks.len());
        for &old in order {
            let own = self.column(old as usize);
            let mut column: Vec<(u32, &[f64])> = own.map(|(row, b)| (position[row], b)).collect();
            column.sort_unstable_by_key(|(row, _)| *row);
            for (row, block) in column {
                matrix.push_block(row, |i, j| block[i * self.dimension + j]);
            }
            matrix.end_column();
        }
        matrix
    }

    /// Becomes the part of another one between the contacts of one of its `islands`, which feel no other.
    pub fn select(&mut self, matrix: &Self, islands: &Partition, which: usize) {
        self.dimension = matrix.dimension;
        self.clear();
        for &beta in islands.members(which) {
            for (alpha, block) in matrix.column(beta as usize) {
                if islands.set_of(alpha) == which {
                    let row = islands.place_of(alpha) as u32;
                    self.push_block(row, |i, j| block[i * matrix.dimension + j]);
                }
            }
            self.end_column();
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Components per contact.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.rows.len()
    }

    /// Whether no column has been written.
    pub fn is_empty(&self) -> bool {
        self.contacts() == 0
    }

    /// The diagonal block of contact `alpha`, row by row.
    pub fn diagonal(&self, alpha: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.blocks[self.diagonal[alpha] * size..][..size]
    }

    /// (row, block) of the blocks in the column of contact `beta`.
    pub fn column(&self, beta: usize) -> impl Iterator<Item = (usize, &[f64])> {
        let size = self.dimension * self.dimension;
        let range = self.starts[beta]..self.starts[beta + 1];
        let blocks = self.blocks[range.start * size..range.end * size].chunks_exact(size);
        self.rows[range].iter().map(|&row| row as usize).zip(blocks)
    }

    /// u += W_·β p: what the impulse `p` of contact `beta` does to all velocities.
    pub fn add_column(&self, beta: usize, p: &[f64], u: &mut [f64]) {
        let range = self.starts[beta]..self.starts[beta + 1];
        let rows = &self.rows[range.clone()];
        match *p {
            [x, y] => {
                let blocks = &self.blocks.as_chunks::<4>().0[range];
                let u = u.as_chunks_mut::<2>().0;
                for (&row, k) in rows.iter().zip(blocks) {
                    let u = &mut u[row as usize];
                    u[0] += k[0] * x + k[1] * y;
                    u[1] += k[2] * x + k[3] * y;
                }
            }
            [x, y, z] => {
                let blocks = &self.blocks.as_chunks::<9>().0[range];
                let u = u.as_chunks_mut::<3>().0;
                for (&row, k) in rows.iter().zip(blocks) {
                    let u = &mut u[row as usize];
                    u[0] += k[0] * x + k[1] * y + k[2] * z;
                    u[1] += k[3] * x + k[4] * y + k[5] * z;
                    u[2] += k[6] * x + k[7] * y + k[8] * z;
                }
            }
            _ => panic!("a contact has 2 or 3 components, not {}", p.len()),
        }
    }

    /// How much more an elimination of the whole matrix costs than a product with it, counted in
    /// multiplications; infinite where it cannot be told.
    pub fn elimination_cost(&self) -> f64 {
        let starts: Option<Vec<u32>> = self.starts.iter().map(|&s| u32::try_from(s).ok()).collect();
        let work = starts.and_then(|starts| elimination_work(&starts, &self.rows));
        work.map_or(f64::INFINITY, |work| self.dimension as f64 * work / self.block_count() as f64)
    }

    /// Starts and rows of its scalar columns, each column of blocks entry by entry; `None` where there
    /// are too many for 32 bits.
    pub(super) fn scalar_columns(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let d = self.dimension;
        let (mut starts, mut rows) = (vec![0u32], Vec::new());
        for beta in 0..self.contacts() {
            for _ in 0..d {
                for (alpha, _) in self.column(beta) {
                    for i in 0..d {
                        rows.push(u32::try_from(d * alpha + i).ok()?);
                    }
                }
                starts.push(u32::try_from(rows.len()).ok()?);
            }
        }
        Some((starts, rows))
    }

    /// The block of contact `alpha` in the column of `beta`, row by row.
    pub fn block_mut(&mut self, alpha: usize, beta: usize) -> &mut [f64] {
        let (size, contacts) = (self.dimension * self.dimension, self.contacts());
        let range = self.starts[beta]..self.starts[beta + 1];
        let rows = &self.rows[range.clone()];
        let place = match rows.len() == contacts {
            true => Ok(alpha),
            false => rows.binary_search(&(alpha as u32)),
        };
        let at = range.start + place.expect("two contacts that feel each other have a block");
        &mut self.blocks[at * size..][..size]
    }

    /// Largest magnitude of an entry.
    pub fn largest(&self) -> f64 {
        self.blocks.iter().fold(0.0, |m, v| f64::max(m, v.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_entrywise_matrices_are_the_same_and_columns_multiply() {
        for d in [2, 3] {
            let n = 2 * d;
            let values: Vec<f64> = (0..n * n).map(|k| (k as f64).sin()).collect();
            let dense = BlockColumns::dense(d, &values);
            let entries = (0..n * n).map(|k| (k / n, k % n, values[k]));
            assert_eq!(dense, BlockColumns::from_entries(d, 2, entries));
            assert_eq!(dense.to_dense(), values);
            let p: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
            let mut u = vec![0.0; n];
            (0..2).for_each(|beta| dense.add_column(beta, &p[d * beta..d * beta + d], &mut u));
            for i in 0..n {
                let exact: f64 = (0..n).map(|j| values[i * n + j] * p[j]).sum();
                assert!((u[i] - exact).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_permuted_matrix_has_the_same_blocks_elsewhere() {
        let entries = (0..36).filter(|k| k % 5 != 1).map(|k| (k / 6, k % 6, k as f64));
        let matrix = BlockColumns::from_entries(2, 3, entries);
        let order = [2, 0, 1];
        let (before, after) = (matrix.to_dense(), matrix.permuted(&order).to_dense());
        let old = |i: usize| 2 * order[i / 2] as usize + i % 2;
        for k in 0..36 {
            assert_eq!(after[k], before[6 * old(k / 6) + old(k % 6)]);
        }
        assert_eq!(matrix.permuted(&order).permuted(&[1, 2, 0]), matrix);
    }

    #[test]
    fn sparse_columns_hold_their_diagonal_even_where_nothing_was_entered() {
        let matrix = BlockColumns::from_entries(2, 3, [(4, 0, 7.0)].into_iter());
        assert_eq!((matrix.contacts(), matrix.block_count()), (3, 4));
        assert_eq!(matrix.diagonal(1), [0.0; 4]);
        let column: Vec<(usize, &[f64])> = matrix.column(0).collect();
        assert_eq!(column, [(0, &[0.0; 4][..]), (2, &[7.0, 0.0, 0.0, 0.0][..])]);
    }

    #[test]
    fn a_block_is_found_in_full_columns_and_in_sparse_ones() {
        let mut dense = BlockColumns::dense(2, &(0..36).map(f64::from).collect::<Vec<_>>());
        assert_eq!(dense.block_mut(2, 1), [26.0, 27.0, 32.0, 33.0]);
        let entries = [(4, 0, 7.0), (3, 2, 5.0)].into_iter();
        let mut sparse = BlockColumns::from_entries(2, 3, entries);
        assert_eq!(sparse.block_mut(2, 0), [7.0, 0.0, 0.0, 0.0]);
        assert_eq!(sparse.block_mut(1, 1), [0.0, 0.0, 5.0, 0.0]);
    }
}
