//! Sparse matrices as the files of this room hold them.

use super::error::Fault;

/// A sparse matrix by columns: rows ascending, no entry twice, and as it is read no exact zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Column j owns the entries `starts[j]..starts[j + 1]`.
    pub starts: Vec<usize>,
    /// Row of each entry.
    pub row_of: Vec<u32>,
    /// Value of each entry.
    pub values: Vec<f64>,
}

impl Sparse {
    /// The entries (row, column, value), column by column.
    ///
    /// # Panics
    /// If `starts`, `row_of` and `values` do not fit each other.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + Clone {
        (0..self.columns).flat_map(move |column| {
            (self.starts[column]..self.starts[column + 1])
                .map(move |k| (self.row_of[k] as usize, column, self.values[k]))
        })
    }

    /// Holds a matrix built by hand to what the readers promise.
    pub(super) fn check(&self, name: &str) -> Result<(), Fault> {
        let place = || format!("matrix {name}");
        let count = self.values.len();
        let remedy = "give column starts that ascend from 0 to the number of entries";
        if self.starts.len().checked_sub(1) != Some(self.columns) || self.starts[0] != 0 {
            let value = format!("{} starts for {} columns", self.starts.len(), self.columns);
            return Err(Fault::new(place(), value, remedy));
        }
        if self.starts.last() != Some(&count) || self.row_of.len() != count {
            let value = format!("{count} values and {} rows", self.row_of.len());
            return Err(Fault::new(place(), value, remedy));
        }
        for (column, ends) in self.starts.windows(2).enumerate() {
            let rows = self.row_of.get(ends[0]..ends[1]).ok_or_else(|| {
                let value = format!("column {column} from {} to {}", ends[0], ends[1]);
                Fault::new(place(), value, remedy)
            })?;
            let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
            if !ascending || rows.last().is_some_and(|&row| row as usize >= self.rows) {
                let value = format!("rows of column {column} that descend or reach {}", self.rows);
                return Err(Fault::new(place(), value, "let them ascend within the matrix"));
            }
        }
        match self.values.iter().find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => Err(not_finite(&place(), *value)),
        }
    }
}

/// The fault of a NaN or an infinity.
pub(super) fn not_finite(place: &str, value: f64) -> Fault {
    Fault::new(place, format!("the value {value}"), "give finite numbers only")
}

/// Which lines of a compressed matrix are stored one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    #[cfg_attr(not(feature = "hdf5"), allow(dead_code))]
    Rows,
    Columns,
}

/// Entries on their way into a [`Sparse`], in any order.
pub(super) struct Entries {
    name: &'static str,
    rows: usize,
    columns: usize,
    /// (column, row, value).
    list: Vec<(u32, u32, f64)>,
}

impl Entries {
    /// An empty matrix of a file that has room for vectors of at most `room` numbers: every row and
    /// every column belongs to an entry of some vector, so no file holds larger matrices.
    pub fn new(
        name: &'static str,
        rows: usize,
        columns: usize,
        room: usize,
    ) -> Result<Self, Fault> {
        let most = room.min(u32::MAX as usize);
        if rows > most || columns > most {
            let value = format!("{rows} x {columns} entries");
            let remedy =
                format!("the file has room for {most} rows; is it cut, or the size wrong?");
            return Err(Fault::new(format!("matrix {name}"), value, remedy));
        }
        Ok(Self { name, rows, columns, list: Vec::new() })
    }

    pub fn push(&mut self, row: usize, column: usize, value: f64) -> Result<(), Fault> {
        if row >= self.rows || column >= self.columns {
            let value =
                format!("entry at row {row}, column {column} of {} x {}", self.rows, self.columns);
            let remedy = "count from 0, and in triplets of FCLIB keep rows in i, columns in p";
            return Err(Fault::new(format!("matrix {}", self.name), value, remedy));
        }
        if !value.is_finite() {
            let place = format!("matrix {}, row {row}, column {column}", self.name);
            return Err(not_finite(&place, value));
        }
        if value != 0.0 {
            self.list.push((column as u32, row as u32, value));
        }
        Ok(())
    }

    /// All entries of a matrix compressed by `lines`.
    pub fn push_compressed(
        &mut self,
        lines: Lines,
        starts: &[i64],
        others: &[i64],
        values: &[f64],
    ) -> Result<(), Fault> {
        self.check_starts(lines, starts, others.len(), values.len())?;
        for line in 0..starts.len() - 1 {
            for k in starts[line] as usize..starts[line + 1] as usize {
                let other = usize::try_from(others[k]).unwrap_or(usize::MAX);
                match lines {
                    Lines::Rows => self.push(line, other, values[k])?,
                    Lines::Columns => self.push(other, line, values[k])?,
                }
            }
        }
        Ok(())
    }

    /// Starts ascend from 0, one more than there are lines, and end within the entries.
    fn check_starts(
        &self,
        lines: Lines,
        starts: &[i64],
        others: usize,
        values: usize,
    ) -> Result<(), Fault> {
        let count = match lines {
            Lines::Rows => self.rows,
            Lines::Columns => self.columns,
        };
        let ascending = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let last = starts.last().and_then(|&last| usize::try_from(last).ok());
        let fits = last.is_some_and(|last| last <= others && last <= values);
        if starts.len() == count + 1 && starts[0] == 0 && ascending && fits {
            return Ok(());
        }
        let value = format!(
            "{} starts up to {:?} for {count} lines, {others} indices, {values} values",
            starts.len(),
            starts.last()
        );
        let remedy = "give one start more than lines, ascending from 0 to the number of entries";
        Err(Fault::new(format!("matrix {}", self.name), value, remedy))
    }

    /// Sorts; entries given twice are summed in the order they came, and sums of zero dropped.
    pub fn finish(mut self) -> Result<Sparse, Fault> {
        self.list.sort_by_key(|&(column, row, _)| (column, row)); // stable: sums keep their order
        self.list.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        let mut sparse = Sparse { rows: self.rows, columns: self.columns, ..Sparse::default() };
        sparse.starts = vec![0; self.columns + 1];
        for (column, row, value) in self.list {
            if !value.is_finite() {
                let place = format!("matrix {}, row {row}, column {column}", self.name);
                return Err(not_finite(&place, value));
            }
            if value != 0.0 {
                sparse.row_of.push(row);
                sparse.values.push(value);
                sparse.starts[column as usize + 1] += 1;
            }
        }
        for column in 0..self.columns {
            sparse.starts[column + 1] += sparse.starts[column];
        }
        Ok(sparse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_sorted_summed_and_without_zeros() {
        let mut entries = Entries::new("W", 3, 2, 9).expect("it fits");
        for (row, column, value) in
            [(2, 1, 1.0), (0, 1, 4.0), (1, 0, 0.0), (2, 1, 2.0), (1, 1, 5.0), (1, 1, -5.0)]
        {
            entries.push(row, column, value).expect("inside");
        }
        let expected = Sparse {
            rows: 3,
            columns: 2,
            starts: vec![0, 0, 2],
            row_of: vec![0, 2],
            values: vec![4.0, 3.0],
        };
        assert_eq!(entries.finish(), Ok(expected));
    }

    #[test]
    fn a_sum_that_overflows_is_refused() {
        let mut entries = Entries::new("W", 1, 1, 9).expect("it fits");
        entries.push(0, 0, f64::MAX).expect("inside");
        entries.push(0, 0, f64::MAX).expect("inside");
        assert_eq!(entries.finish().expect_err("overflow").value, "the value inf");
    }

    #[test]
    fn compressed_lines_must_fit_their_entries() {
        let starts: [&[i64]; 5] = [&[0, 3], &[0, 1], &[1, 2, 2], &[0, 2, 1], &[0, -1, 2]];
        for starts in starts {
            let mut entries = Entries::new("W", 2, 2, 9).expect("it fits");
            let outcome = entries.push_compressed(Lines::Columns, starts, &[0, 1], &[1.0, 2.0]);
            assert!(outcome.is_err(), "{starts:?}");
        }
    }

    #[test]
    fn a_matrix_larger_than_its_file_is_refused_before_it_is_allocated() {
        let fault = Entries::new("M", 1 << 40, 3, 100).err().expect("too large");
        assert_eq!(fault.value, "1099511627776 x 3 entries");
    }

    #[test]
    fn a_matrix_built_by_hand_is_checked() {
        let good = Sparse {
            rows: 2,
            columns: 1,
            starts: vec![0, 2],
            row_of: vec![0, 1],
            values: vec![1.0, 2.0],
        };
        assert_eq!(good.check("W"), Ok(()));
        let bad = [
            Sparse { starts: vec![0], ..good.clone() },
            Sparse { starts: vec![0, 3], ..good.clone() },
            Sparse { row_of: vec![1, 0], ..good.clone() },
            Sparse { row_of: vec![0, 2], ..good.clone() },
            Sparse { values: vec![1.0, f64::NAN], ..good.clone() },
            Sparse { columns: 2, starts: vec![0, 5, 2], ..good.clone() },
        ];
        for sparse in bad {
            assert!(sparse.check("W").is_err(), "{sparse:?}");
        }
    }
}
