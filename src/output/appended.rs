//! Arrays as they lie in the appended block of a VTK file: size in bytes as `u64`, then the
//! numbers, all little endian and unencoded.

use std::io::{self, Write};

/// Numbers of one array in the appended block.
#[derive(Clone, Copy)]
pub(super) enum ArrayValues<'a> {
    Reals(&'a [f64]),
    Integers(&'a [i32]),
    /// Checked to fit 31 bits, so that VTK can take them as they are.
    Indices(&'a [u32]),
    Bytes(&'a [u8]),
}

impl ArrayValues<'_> {
    pub(super) fn number_type(self) -> &'static str {
        match self {
            ArrayValues::Reals(_) => "Float64",
            ArrayValues::Integers(_) | ArrayValues::Indices(_) => "Int32",
            ArrayValues::Bytes(_) => "UInt8",
        }
    }

    pub(super) fn len(self) -> usize {
        match self {
            ArrayValues::Reals(values) => values.len(),
            ArrayValues::Integers(values) => values.len(),
            ArrayValues::Indices(values) => values.len(),
            ArrayValues::Bytes(values) => values.len(),
        }
    }

    pub(super) fn bytes(self) -> u64 {
        let each = match self {
            ArrayValues::Reals(_) => 8,
            ArrayValues::Integers(_) | ArrayValues::Indices(_) => 4,
            ArrayValues::Bytes(_) => 1,
        };
        each * self.len() as u64
    }

    /// With the size before them.
    pub(super) fn bytes_with_size(self) -> u64 {
        size_of::<u64>() as u64 + self.bytes()
    }

    pub(super) fn write(self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.bytes().to_le_bytes())?;
        match self {
            ArrayValues::Reals(values) => write_numbers(out, values, f64::to_le_bytes),
            ArrayValues::Integers(values) => write_numbers(out, values, i32::to_le_bytes),
            ArrayValues::Indices(values) => write_numbers(out, values, u32::to_le_bytes),
            ArrayValues::Bytes(values) => out.write_all(values),
        }
    }
}

/// Numbers converted before each write: large enough to pass by the file's own buffer.
const VALUES_AT_ONCE: usize = 8192;

fn write_numbers<T: Copy, const SIZE: usize>(
    out: &mut dyn Write,
    values: &[T],
    bytes_of: impl Fn(T) -> [u8; SIZE],
) -> io::Result<()> {
    let mut buffer = vec![[0; SIZE]; VALUES_AT_ONCE.min(values.len())];
    for chunk in values.chunks(VALUES_AT_ONCE) {
        for (bytes, &value) in buffer.iter_mut().zip(chunk) {
            *bytes = bytes_of(value);
        }
        out.write_all(buffer[..chunk.len()].as_flattened())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(block: ArrayValues) -> Vec<u8> {
        let mut out = Vec::new();
        block.write(&mut out).unwrap();
        out
    }

    #[test]
    fn a_block_is_its_size_and_its_numbers_in_little_endian() {
        assert_eq!(
            written(ArrayValues::Integers(&[1, -2])),
            [8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 254, 255, 255, 255]
        );
        assert_eq!(written(ArrayValues::Bytes(&[5])), [1, 0, 0, 0, 0, 0, 0, 0, 5]);
        assert_eq!(written(ArrayValues::Reals(&[]))[..], [0; 8]);
    }

    #[test]
    fn numbers_beyond_one_buffer_are_all_written() {
        let values: Vec<u32> = (0..3 * VALUES_AT_ONCE as u32 + 7).collect();
        let bytes = written(ArrayValues::Indices(&values));
        let (numbers, rest) = bytes[8..].as_chunks::<4>();
        assert!(rest.is_empty());
        assert!(numbers.iter().map(|number| u32::from_le_bytes(*number)).eq(values));
    }
}
