//! Matrices in the text files of Siconos.
//!
//! ```text
//!     0 rows columns   rows columns   all entries, column by column
//!     1 rows columns   blocks of sizes in two lists, row by row, each block column by column
//!     2 rows columns   1 | 2   the print of CSparse: triplets or compressed columns
//! ```
//!
//! Only the line `CSparse Version …` of the last is a line; all else are words.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::error::Fault;
use super::sparse::{Entries, Sparse};
use super::words::Words;

/// Reads a matrix in any of the storages.
pub(super) fn read_matrix(words: &mut Words, name: &'static str) -> Result<Sparse, Fault> {
    let storage = words.whole("storage")?;
    let size = [words.whole("rows")?, words.whole("columns")?];
    let mut entries = Entries::new(name, size[0], size[1], words.room())
        .map_err(|fault| words.fault(fault.value, fault.remedy).within(&fault.place))?;
    match storage {
        0 => read_dense(words, size, &mut entries)?,
        1 => read_blocks(words, size, &mut entries)?,
        2 => read_print(words, size, &mut entries)?,
        _ => {
            let remedy = "give 0 for dense, 1 for blocks or 2 for the print of CSparse";
            return Err(words.fault(format!("storage {storage} of matrix {name}"), remedy));
        }
    }
    entries.finish()
}

fn read_dense(words: &mut Words, size: [usize; 2], entries: &mut Entries) -> Result<(), Fault> {
    let again = [words.whole("rows")?, words.whole("columns")?];
    if again != size {
        let value = format!("size {again:?} of a dense matrix announced with {size:?}");
        return Err(words.fault(value, "give the same size twice"));
    }
    read_block(words, [0, 0], size, entries)
}

/// The entries of a dense block whose first entry is at `corner`, column by column.
fn read_block(
    words: &mut Words,
    corner: [usize; 2],
    [rows, columns]: [usize; 2],
    entries: &mut Entries,
) -> Result<(), Fault> {
    words.check_room(rows.saturating_mul(columns), "matrix entries")?;
    for column in 0..columns {
        for row in 0..rows {
            entries.push(corner[0] + row, corner[1] + column, words.real("matrix entry")?)?;
        }
    }
    Ok(())
}

fn read_blocks(words: &mut Words, size: [usize; 2], entries: &mut Entries) -> Result<(), Fault> {
    let count = words.whole("number of blocks")?;
    if count == 0 {
        return Ok(()); // Siconos writes no lists then
    }
    words.check_room(count, "blocks")?;
    let lines = [words.whole("block rows")?, words.whole("block columns")?];
    let row_ends = read_ends(words, lines[0], size[0])?;
    let column_ends = read_ends(words, lines[1], size[1])?;
    let lengths = [words.whole("length of row starts")?, words.whole("length of block columns")?];
    let starts = words.wholes(lengths[0], "block row starts")?;
    let columns = words.wholes(lengths[1], "block columns")?;
    check_block_lists(words, [count, lines[0], lines[1]], &starts, &columns)?;
    for row in 0..starts.len() - 1 {
        for block in starts[row]..starts[row + 1] {
            let (top, bottom) = span(&row_ends, row);
            let (left, right) = span(&column_ends, columns[block]);
            words.expect(&block.to_string(), "index of a block")?;
            read_block(words, [top, left], [bottom - top, right - left], entries)?;
        }
    }
    Ok(())
}

/// First row of a block row, and the first behind it.
fn span(ends: &[usize], line: usize) -> (usize, usize) {
    (if line == 0 { 0 } else { ends[line - 1] }, ends[line])
}

/// Ends of block rows or columns, ascending up to the size of the matrix.
fn read_ends(words: &mut Words, count: usize, size: usize) -> Result<Vec<usize>, Fault> {
    let ends = words.wholes(count, "ends of blocks")?;
    if ends.last() != Some(&size) || ends.windows(2).any(|pair| pair[0] > pair[1]) {
        let value = format!("{count} ends of blocks up to {:?}", ends.last());
        return Err(words.fault(value, format!("let them ascend to the matrix' size {size}")));
    }
    Ok(ends)
}

fn check_block_lists(
    words: &Words,
    [count, rows, columns]: [usize; 3],
    starts: &[usize],
    column_of: &[usize],
) -> Result<(), Fault> {
    let ascending = starts.windows(2).all(|pair| pair[0] <= pair[1]);
    let covers = starts.first() == Some(&0) && starts.last() == Some(&count);
    if starts.len() > rows + 1 || !ascending || !covers {
        let value = format!("{} block row starts up to {:?}", starts.len(), starts.last());
        let remedy = format!("let at most {} ascend from 0 to {count} blocks", rows + 1);
        return Err(words.fault(value, remedy));
    }
    if column_of.len() != count || column_of.iter().any(|&column| column >= columns) {
        let value = format!("{} block columns", column_of.len());
        let remedy = format!("give one below {columns} for each of {count} blocks");
        return Err(words.fault(value, remedy));
    }
    Ok(())
}

fn read_print(words: &mut Words, size: [usize; 2], entries: &mut Entries) -> Result<(), Fault> {
    let origin = words.whole("origin of a sparse matrix")?;
    words.expect("CSparse", "title of a sparse matrix")?;
    words.skip_line();
    match origin {
        1 => {
            words.expect("triplet:", "title of triplets")?;
            let count = read_print_title(words, size)?;
            for _ in 0..count {
                let row = words.whole("row of a triplet")?;
                let column = words.whole("column of a triplet")?;
                words.expect(":", "mark of a triplet")?;
                entries.push(row, column, words.real("value of a triplet")?)?;
            }
            Ok(())
        }
        2 => {
            let count = read_print_title(words, size)?;
            words.expect("1-norm:", "title of columns")?;
            words.word("1-norm")?;
            read_columns(words, count, entries)
        }
        _ => {
            let remedy = "give 1 for triplets or 2 for columns";
            Err(words.fault(format!("origin {origin} of a sparse matrix"), remedy))
        }
    }
}

/// `R-by-C, nzmax: a nnz: b`; gives b.
fn read_print_title(words: &mut Words, [rows, columns]: [usize; 2]) -> Result<usize, Fault> {
    words.expect(&format!("{rows}-by-{columns},"), "size of a sparse matrix")?;
    words.expect("nzmax:", "title of a sparse matrix")?;
    words.word("nzmax")?;
    words.expect("nnz:", "title of a sparse matrix")?;
    let word = words.word("nnz")?;
    let count = word.trim_end_matches(',').parse().map_err(|_| {
        words.fault(format!("nnz '{word}' of a sparse matrix"), "give a whole number >= 0")
    })?;
    words.check_room(count, "sparse entries")?;
    Ok(count)
}

/// Lines `col J : locations A to B`, each followed by its `row : value`; empty columns may be last.
fn read_columns(words: &mut Words, count: usize, entries: &mut Entries) -> Result<(), Fault> {
    let mut column = None;
    let mut read = 0;
    while read < count || words.peek() == Some("col") {
        if words.peek() == Some("col") {
            words.word("column")?;
            column = Some(words.whole("column")?);
            for expected in [":", "locations"] {
                words.expect(expected, "title of a column")?;
            }
            words.word("first location")?;
            words.expect("to", "title of a column")?;
            words.word("last location")?; // -1 for the first columns if they are empty
            continue;
        }
        let row = words.whole("row of a sparse entry")?;
        words.expect(":", "mark of a sparse entry")?;
        let value = words.real("value of a sparse entry")?;
        let column =
            column.ok_or_else(|| words.fault("an entry before any column", "give col 0"))?;
        entries.push(row, column, value)?;
        read += 1;
    }
    Ok(())
}

/// Writes blocks of `steps` rows and columns, which divide the size of the matrix.
pub(super) fn print_matrix(text: &mut String, matrix: &Sparse, steps: [usize; 2]) {
    let mut blocks: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for (row, column, value) in matrix.entries() {
        let block = blocks
            .entry((row / steps[0], column / steps[1]))
            .or_insert_with(|| vec![0.0; steps[0] * steps[1]]);
        block[column % steps[1] * steps[0] + row % steps[0]] = value;
    }
    let lines = [matrix.rows / steps[0], matrix.columns / steps[1]];
    print_line(text, [1, matrix.rows, matrix.columns, blocks.len()]);
    if blocks.is_empty() {
        return;
    }
    print_line(text, lines);
    print_line(text, (1..=lines[0]).map(|line| line * steps[0]));
    print_line(text, (1..=lines[1]).map(|line| line * steps[1]));
    print_line(text, [lines[0] + 1, blocks.len()]);
    let mut starts = vec![0; lines[0] + 1];
    for (row, _) in blocks.keys() {
        starts[row + 1] += 1;
    }
    for row in 0..lines[0] {
        starts[row + 1] += starts[row];
    }
    print_line(text, starts);
    print_line(text, blocks.keys().map(|&(_, column)| column));
    for (index, block) in blocks.values().enumerate() {
        print_line(text, [index]);
        print_reals(text, block);
    }
}

fn print_line(text: &mut String, numbers: impl IntoIterator<Item = usize>) {
    for number in numbers {
        text.push_str(&number.to_string());
        text.push(' ');
    }
    text.push('\n');
}

/// Numbers with an exponent, never to be taken for whole, and as many digits as make them exact.
pub(super) fn print_reals(text: &mut String, numbers: &[f64]) {
    for number in numbers {
        // A String takes all that is written to it.
        let _ = write!(text, "{number:e} ");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(sparse: &Sparse) -> Vec<Vec<f64>> {
        let mut dense = vec![vec![0.0; sparse.columns]; sparse.rows];
        for (row, column, value) in sparse.entries() {
            dense[row][column] = value;
        }
        dense
    }

    /// [1 2 0; 3 0 4] in the four storages.
    #[test]
    fn the_storages_of_one_matrix_agree() {
        let room = " 0".repeat(9);
        let texts = [
            "0 2 3  2 3  1 3 2 0 0 4",
            "1 2 3  2  1 2  2  1 3  2 2  0 2  0 1  0  1 3  1  2 0 0 4",
            "2 2 3  1\nCSparse Version 3.1.4, © me\ntriplet: 2-by-3, nzmax: 9 nnz: 4\n\
             1 2 : 4\n 0 0 : 1\n 1 0 : 3\n 0 1 : 2\n",
            "2 2 3  2\nCSparse Version 3.1.4\n2-by-3, nzmax: 4 nnz: 4, 1-norm: 4\n\
             col 0 : locations 0 to 1\n 0 : 1\n 1 : 3\n col 1 : locations 2 to 2\n 0 : 2\n\
             col 2 : locations 3 to 3\n 1 : 4\n",
        ];
        for text in texts {
            let text = format!("{text}{room}");
            let mut words = Words::new(&text);
            let sparse = read_matrix(&mut words, "W").expect(&text);
            assert_eq!(dense(&sparse), [[1.0, 2.0, 0.0], [3.0, 0.0, 4.0]], "{text}");
            assert_eq!(words.remaining(), 9, "{text}");
        }
    }

    #[test]
    fn empty_columns_of_a_print_are_read_to_the_last() {
        let text = "2 2 3  2\nCSparse\n2-by-3, nzmax: 1 nnz: 1, 1-norm: 4\n\
                    col 0 : locations 0 to -1\n col 1 : locations 0 to 0\n 1 : 5\n\
                    col 2 : locations 1 to 0\n 0.5 0.5";
        let mut words = Words::new(text);
        let sparse = read_matrix(&mut words, "W").expect("it is right");
        assert_eq!(dense(&sparse), [[0.0, 0.0, 0.0], [0.0, 5.0, 0.0]]);
        assert_eq!(words.remaining(), 2);
    }

    #[test]
    fn what_is_written_is_read_for_any_blocks() {
        let mut entries = Entries::new("W", 6, 4, 99).expect("it fits");
        for (row, column, value) in [(5, 0, 0.1), (0, 3, -1e-310), (2, 2, 1e300), (3, 2, 1.0)] {
            entries.push(row, column, value).expect("inside");
        }
        let sparse = entries.finish().expect("finite");
        for steps in [[1, 1], [2, 2], [3, 2], [6, 4], [3, 1]] {
            let mut text = String::new();
            print_matrix(&mut text, &sparse, steps);
            assert_eq!(read_matrix(&mut Words::new(&text), "W"), Ok(sparse.clone()), "{text}");
        }
    }
}
