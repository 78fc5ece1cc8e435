//! Matrices that are dense within sets of their rows and zero between them.

use super::Partition;

/// A square matrix with one dense block per set of a partition of its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiagonalBlocks {
    partition: Partition,
    /// Where the block of each set begins, row by row.
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl DiagonalBlocks {
    /// Of zeros.
    pub fn zero(partition: Partition) -> Self {
        let mut starts = vec![0];
        for set in 0..partition.sets() {
            starts.push(starts[set] + partition.members(set).len().pow(2));
        }
        let values = vec![0.0; starts[partition.sets()]];
        Self { partition, starts, values }
    }

    /// From all columns of a matrix whose entries between sets are zero; `column(j, x)` writes column j.
    pub fn from_columns(partition: Partition, mut column: impl FnMut(usize, &mut [f64])) -> Self {
        let mut matrix = Self::zero(partition);
        let mut x = vec![0.0; matrix.size()];
        for j in 0..x.len() {
            column(j, &mut x);
            let (set, place) = (matrix.partition.set_of(j), matrix.partition.place_of(j));
            let members = matrix.partition.members(set);
            let block = &mut matrix.values[matrix.starts[set]..];
            for (i, &row) in members.iter().enumerate() {
                block[i * members.len() + place] = x[row as usize];
            }
        }
        matrix
    }

    /// `write` gets the members of each set and its block, row by row, to be written.
    pub fn from_blocks(partition: Partition, mut write: impl FnMut(&[u32], &mut [f64])) -> Self {
        let mut matrix = Self::zero(partition);
        for set in 0..matrix.partition.sets() {
            let block = &mut matrix.values[matrix.starts[set]..matrix.starts[set + 1]];
            write(matrix.partition.members(set), block);
        }
        matrix
    }

    /// `alpha` times this and `beta` times another one.
    pub fn combined(mut self, alpha: f64, beta: f64, other: &Self) -> Self {
        if self.partition == other.partition {
            self.values.iter_mut().zip(&other.values).for_each(|(a, b)| *a = alpha * *a + beta * b);
            return self;
        }
        let partition = self.partition.joined(&other.partition);
        Self::from_columns(partition, |j, column| {
            for (i, x) in column.iter_mut().enumerate() {
                *x = alpha * self.entry(i, j) + beta * other.entry(i, j);
            }
        })
    }

    /// `factor` times this.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.values.iter_mut().for_each(|value| *value *= factor);
        self
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.partition.numbers()
    }

    /// Which rows are in which block.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Entry (i, j).
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        let set = self.partition.set_of(i);
        if set != self.partition.set_of(j) {
            return 0.0;
        }
        let size = self.partition.members(set).len();
        self.values
            [self.starts[set] + self.partition.place_of(i) * size + self.partition.place_of(j)]
    }

    /// Row i within its block, whose columns are the members of its set.
    pub fn row(&self, i: usize) -> &[f64] {
        let set = self.partition.set_of(i);
        let size = self.partition.members(set).len();
        &self.values[self.starts[set] + self.partition.place_of(i) * size..][..size]
    }

    /// The same, to be changed.
    pub(super) fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let set = self.partition.set_of(i);
        let size = self.partition.members(set).len();
        &mut self.values[self.starts[set] + self.partition.place_of(i) * size..][..size]
    }

    /// The block of a set, row by row.
    pub(super) fn block_mut(&mut self, set: usize) -> &mut [f64] {
        &mut self.values[self.starts[set]..self.starts[set + 1]]
    }

    /// Bytes of one with these blocks.
    pub fn bytes_of(partition: &Partition) -> usize {
        8 * partition.pairs()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::DisjointSets;

    fn partition(pairs: &[(u32, u32)]) -> Partition {
        let mut sets = DisjointSets::new(5);
        pairs.iter().for_each(|&(a, b)| sets.join(a, b));
        Partition::of(sets)
    }

    fn numbered(partition: Partition) -> DiagonalBlocks {
        let together = partition.clone();
        DiagonalBlocks::from_columns(partition, |j, x| {
            for (i, x) in x.iter_mut().enumerate() {
                let same = together.set_of(i) == together.set_of(j);
                *x = if same { (10 * i + j) as f64 } else { 0.0 };
            }
        })
    }

    #[test]
    fn entries_stand_where_they_were_put_and_sums_have_the_blocks_of_both() {
        let a = numbered(partition(&[(0, 3)]));
        let b = numbered(partition(&[(1, 4), (2, 4)]));
        assert_eq!((a.entry(0, 3), a.entry(3, 0), a.entry(0, 1)), (3.0, 30.0, 0.0));
        assert_eq!((a.row(3), a.bytes(), b.bytes()), (&[30.0, 33.0][..], 8 * 7, 8 * 11));
        let sum = a.clone().combined(2.0, -1.0, &b);
        assert_eq!((sum.entry(3, 0), sum.entry(4, 2), sum.entry(0, 4)), (60.0, -42.0, 0.0));
        assert_eq!(sum.partition().sets(), 2);
        assert_eq!(a.clone().combined(1.0, 1.0, &a).scaled(0.5), a);
    }
}
