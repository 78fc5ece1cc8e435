//! Numbers as the page carries them: one block of little-endian bytes in base64, and where in it each
//! array lies.
//!
//! A real x of a field with the range [a, b] over all frames of the page becomes
//!
//! ```text
//!     n = round(65535 (x − a)/(b − a))         |a + (b − a) n/65535 − x| ≤ (b − a)/131070       (1)
//! ```
//!
//! where a range about zero is widened by less than a level, so that zero is one: what is zero stays it.

use serde::Serialize;

/// Levels of a quantised number, less one.
pub(super) const LEVELS: f64 = 65535.0;

/// An array in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct BlockArray {
    /// Byte it begins at, a multiple of 4.
    pub(super) at: usize,
    /// Numbers in it.
    pub(super) count: usize,
    /// Bits of each number: 16 and 32 are whole numbers, −32 are reals.
    pub(super) bits: i8,
}

/// A component of a field at all frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FieldComponent {
    /// x, y, z, xx …; nothing for a scalar.
    pub(super) name: &'static str,
    /// Least value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
    /// Frame after frame; none where min = max.
    pub(super) part: Option<BlockArray>,
}

/// The block so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
}

impl Block {
    fn push<const SIZE: usize>(
        &mut self,
        bits: i8,
        numbers: impl ExactSizeIterator<Item = [u8; SIZE]>,
    ) -> BlockArray {
        let part = BlockArray { at: self.bytes.len(), count: numbers.len(), bits };
        self.bytes.extend(numbers.flatten());
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        part
    }

    /// Whole numbers, in 16 bits where they fit.
    pub(super) fn push_indices(&mut self, numbers: &[u32]) -> BlockArray {
        if numbers.iter().all(|&number| number <= u32::from(u16::MAX)) {
            self.push(16, numbers.iter().map(|&number| (number as u16).to_le_bytes()))
        } else {
            self.push(32, numbers.iter().map(|number| number.to_le_bytes()))
        }
    }

    /// Reals to single precision.
    pub(super) fn push_reals(&mut self, numbers: &[f64]) -> BlockArray {
        self.push(-32, numbers.iter().map(|&number| (number as f32).to_le_bytes()))
    }

    /// A component of a field, quantised over its range.
    ///
    /// # Errors
    /// A value, or a range, that is not finite.
    pub(super) fn push_component(
        &mut self,
        name: &'static str,
        values: &[f64],
    ) -> Result<FieldComponent, f64> {
        let (min, max) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), &x| (min.min(x), max.max(x)));
        if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
            return Err(value);
        }
        if values.is_empty() || min == max {
            let value = values.first().copied().unwrap_or(0.0);
            return Ok(FieldComponent { name, min: value, max: value, part: None });
        }
        let range = max - min;
        if !range.is_finite() {
            return Err(range);
        }
        let (min, max) = with_zero(min, max);
        let range = max - min;
        let level = |&x: &f64| ((LEVELS * ((x - min) / range)).round() as u16).to_le_bytes(); // (1)
        let part = Some(self.push(16, values.iter().map(level)));
        Ok(FieldComponent { name, min, max, part })
    }

    /// The block as text.
    pub(super) fn base64(&self) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::with_capacity(self.bytes.len().div_ceil(3) * 4);
        for three in self.bytes.chunks(3) {
            let byte = |n: usize| three.get(n).copied().map_or(0, u32::from);
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for digit in 0..4 {
                let six = (bits >> (18 - 6 * digit)) & 63;
                let known = digit <= three.len();
                text.push(if known { char::from(DIGITS[six as usize]) } else { '=' });
            }
        }
        text
    }
}

/// A range about zero, widened so that zero is one of its levels.
fn with_zero(min: f64, max: f64) -> (f64, f64) {
    if min >= 0.0 || max <= 0.0 {
        return (min, max);
    }
    let step = (max - min) / (LEVELS - 1.0);
    let below = (-min / step).ceil();
    (-below * step, (LEVELS - below) * step)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The bytes of a block, from its text.
    pub(in super::super) fn decoded(text: &str) -> Vec<u8> {
        let digit = |c: u8| match c {
            b'A'..=b'Z' => u32::from(c - b'A'),
            b'a'..=b'z' => u32::from(c - b'a') + 26,
            b'0'..=b'9' => u32::from(c - b'0') + 52,
            b'+' => 62,
            b'/' => 63,
            other => panic!("no digit of base64: {other}"),
        };
        let mut bytes = Vec::new();
        for four in text.as_bytes().chunks(4) {
            let digits: Vec<u32> = four.iter().filter(|&&c| c != b'=').map(|&c| digit(c)).collect();
            let bits = digits.iter().enumerate().fold(0, |sum, (n, six)| sum | six << (18 - 6 * n));
            bytes.extend(&bits.to_be_bytes()[1..digits.len()]);
        }
        bytes
    }

    /// The values of a component as the page unpacks them.
    pub(in super::super) fn unpacked(
        bytes: &[u8],
        component: &FieldComponent,
        count: usize,
    ) -> Vec<f64> {
        let Some(part) = component.part else { return vec![component.min; count] };
        assert_eq!((part.count, part.bits, part.at % 4), (count, 16, 0));
        let (numbers, _) = bytes[part.at..][..2 * count].as_chunks::<2>();
        let real = |n: &[u8; 2]| f64::from(u16::from_le_bytes(*n)) / LEVELS;
        numbers.iter().map(|n| component.min + (component.max - component.min) * real(n)).collect()
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        let text = |bytes: &[u8]| Block { bytes: bytes.to_vec() }.base64();
        // RFC 4648, section 10
        let samples = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (sample, expected) in samples.iter().zip(expected) {
            assert_eq!(text(sample.as_bytes()), expected);
            assert_eq!(decoded(expected), sample.as_bytes());
        }
    }

    #[test]
    fn a_quantised_value_is_off_by_at_most_half_a_level() {
        let values: Vec<f64> = (0..1000).map(|i| 1e3 * (0.37 * f64::from(i)).sin() - 7.0).collect();
        let mut block = Block::default();
        block.push_indices(&[1, 2, 3]);
        let component = block.push_component("x", &values).unwrap();
        let read = unpacked(&decoded(&block.base64()), &component, values.len());
        let bound = (component.max - component.min) / (2.0 * LEVELS) * (1.0 + 1e-9);
        let worst =
            values.iter().zip(&read).fold(0.0, |worst: f64, (x, y)| worst.max((x - y).abs()));
        assert!(worst <= bound && worst > 0.5 * bound, "{worst} against {bound}");
        let constant = block.push_component("y", &[-2.5; 9]).unwrap();
        assert_eq!((constant.min, constant.part), (-2.5, None));
        assert!(block.push_component("z", &[0.0, f64::NAN]).unwrap_err().is_nan());
        assert!(block.push_component("z", &[-1e308, 1e308]).is_err());
    }

    #[test]
    fn large_indices_take_32_bits() {
        let mut block = Block::default();
        assert_eq!(block.push_indices(&[0, 65535, 1]), BlockArray { at: 0, count: 3, bits: 16 });
        assert_eq!(block.push_indices(&[65536]), BlockArray { at: 8, count: 1, bits: 32 });
        assert_eq!(block.push_reals(&[0.5]), BlockArray { at: 12, count: 1, bits: -32 });
        assert_eq!(block.bytes.len(), 16);
    }
}
