//! Reads numbers and words from the bytes of a mesh file, be they text or binary.
//!
//! Nothing here trusts a count in the file: it is held against the bytes that remain before
//! anything is reserved for it.

use std::path::Path;
use std::str::FromStr;

use super::error::{MeshError, Place, Position};

/// How the numbers of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Text.
    Ascii,
    /// Binary, least significant byte first.
    LittleEndian,
    /// Binary, most significant byte first.
    BigEndian,
}

/// The least that one record takes in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    /// Numbers in text, at least one digit and one blank each.
    pub numbers: usize,
    /// Bytes in binary.
    pub bytes: usize,
}

/// A place in the bytes of a file, moving forward.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    at: usize,
    /// Where the last item began: what error messages point to.
    mark: usize,
    section: &'a str,
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    /// Begins at the first byte, as text.
    pub fn new(bytes: &'a [u8], path: &'a Path) -> Self {
        Self { path, bytes, at: 0, mark: 0, section: "", encoding: Encoding::Ascii }
    }

    /// How numbers are read from here on.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// How numbers are read now.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The file.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// Where the last item began.
    pub fn place(&self) -> Place {
        let position = match self.encoding {
            Encoding::Ascii => {
                let before = &self.bytes[..self.mark];
                Position::Line(1 + before.iter().filter(|&&byte| byte == b'\n').count())
            }
            Encoding::LittleEndian | Encoding::BigEndian => Position::Byte(self.mark),
        };
        Place { path: self.path.to_path_buf(), position, section: self.section.to_string() }
    }

    /// A signed 32-bit number.
    pub fn read_i32(&mut self, what: &'static str) -> Result<i32, MeshError> {
        match self.encoding {
            Encoding::Ascii => self.parse_word(what),
            Encoding::LittleEndian => self.take(what).map(i32::from_le_bytes),
            Encoding::BigEndian => self.take(what).map(i32::from_be_bytes),
        }
    }

    /// An unsigned 64-bit number.
    pub fn read_u64(&mut self, what: &'static str) -> Result<u64, MeshError> {
        match self.encoding {
            Encoding::Ascii => self.parse_word(what),
            Encoding::LittleEndian => self.take(what).map(u64::from_le_bytes),
            Encoding::BigEndian => self.take(what).map(u64::from_be_bytes),
        }
    }

    /// A number that is not negative and takes 32 bits in binary, as the tags of format 2.2.
    pub fn read_short_u64(&mut self, what: &'static str) -> Result<u64, MeshError> {
        if self.encoding == Encoding::Ascii {
            return self.parse_word(what);
        }
        let value = self.read_i32(what)?;
        u64::try_from(value).map_err(|_| self.unexpected(what, &value.to_string()))
    }

    /// A 64-bit floating-point number.
    pub fn read_f64(&mut self, what: &'static str) -> Result<f64, MeshError> {
        match self.encoding {
            Encoding::Ascii => self.parse_word(what),
            Encoding::LittleEndian => self.take(what).map(f64::from_le_bytes),
            Encoding::BigEndian => self.take(what).map(f64::from_be_bytes),
        }
    }

    /// Three coordinates, finite or not.
    pub fn read_point(&mut self) -> Result<[f64; 3], MeshError> {
        let x = self.read_f64("the x coordinate of a node")?;
        let y = self.read_f64("the y coordinate of a node")?;
        let z = self.read_f64("the z coordinate of a node")?;
        Ok([x, y, z])
    }

    /// A count, held against the rest of the file.
    pub fn read_count(&mut self, what: &'static str, each: Footprint) -> Result<usize, MeshError> {
        let count = self.read_u64(what)?;
        self.check_room(count, what, each)
    }

    /// A count that is text in every encoding, held against the rest of the file.
    ///
    /// In binary the numbers begin after the line's end.
    pub fn read_text_count(
        &mut self,
        what: &'static str,
        each: Footprint,
    ) -> Result<usize, MeshError> {
        let count = self.parse_word(what)?;
        if self.encoding != Encoding::Ascii {
            self.finish_line();
        }
        self.check_room(count, what, each)
    }

    /// `count` as a length, if the bytes that remain can hold so many records.
    pub fn check_room(
        &self,
        count: u64,
        things: &'static str,
        each: Footprint,
    ) -> Result<usize, MeshError> {
        let footprint = match self.encoding {
            Encoding::Ascii => 2 * each.numbers,
            Encoding::LittleEndian | Encoding::BigEndian => each.bytes,
        };
        let room = (self.bytes.len() - self.at) / footprint.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= room => Ok(count),
            _ => Err(MeshError::CountBeyondFile { place: self.place(), things, count, room }),
        }
    }

    /// The next word of text, as a value.
    pub fn parse_word<T: FromStr>(&mut self, what: &'static str) -> Result<T, MeshError> {
        let word = self.read_word(what)?;
        word.parse().map_err(|_| self.unexpected(what, word))
    }

    /// The next word of text.
    pub fn read_word(&mut self, what: &'static str) -> Result<&'a str, MeshError> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.truncated(what));
        }
        self.at += length;
        std::str::from_utf8(&rest[..length])
            .map_err(|_| self.unexpected(what, &String::from_utf8_lossy(&rest[..length])))
    }

    /// The next text between double quotes, on one line.
    pub fn read_quoted(&mut self, what: &'static str) -> Result<&'a str, MeshError> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        let Some((&opening, inside)) = rest.split_first() else {
            return Err(self.truncated(what));
        };
        let end = inside.iter().position(|byte| matches!(byte, b'"' | b'\n'));
        let end = end.unwrap_or(inside.len());
        if opening != b'"' || inside.get(end) != Some(&b'"') {
            return Err(self.unexpected(what, &String::from_utf8_lossy(&rest[..=end])));
        }
        self.at += end + 2;
        std::str::from_utf8(&inside[..end])
            .map_err(|_| self.unexpected(what, &String::from_utf8_lossy(&inside[..end])))
    }

    /// Enters the next section and gives its name with the dollar sign, or `None` at the file's end.
    pub fn open_section(&mut self) -> Result<Option<&'a str>, MeshError> {
        self.section = "";
        self.skip_blanks();
        if self.at == self.bytes.len() {
            return Ok(None);
        }
        let what = "a section such as $Nodes";
        let name = self.read_word(what)?;
        if !name.starts_with('$') || name.starts_with("$End") {
            return Err(self.unexpected(what, name));
        }
        self.section = name;
        if self.encoding != Encoding::Ascii {
            self.finish_line();
        }
        Ok(Some(name))
    }

    /// Names the section for messages and for its end.
    pub fn enter(&mut self, section: &'a str) {
        self.section = section;
    }

    /// Leaves the section, which must end here.
    pub fn close_section(&mut self) -> Result<(), MeshError> {
        let expected = self.closing_word();
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        if rest.len() < expected.len() && expected.as_bytes().starts_with(rest) {
            return Err(self.truncated(&expected));
        }
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if &rest[..length] != expected.as_bytes() {
            return Err(self.unexpected(&expected, &String::from_utf8_lossy(&rest[..length])));
        }
        self.at += length;
        Ok(())
    }

    /// Leaves the section without reading it.
    pub fn skip_section(&mut self) -> Result<(), MeshError> {
        let closing = self.closing_word();
        let rest = &self.bytes[self.at..];
        match rest.windows(closing.len()).position(|window| window == closing.as_bytes()) {
            Some(position) => {
                self.at += position;
                self.close_section()
            }
            None => {
                self.mark = self.bytes.len();
                Err(self.truncated(&closing))
            }
        }
    }

    /// Moves behind the end of the line.
    pub fn finish_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at +=
            rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |position| position + 1);
    }

    /// The error that something else than `what` stands here.
    pub fn unexpected(&self, what: &str, found: &str) -> MeshError {
        MeshError::Unexpected {
            place: self.place(),
            expected: what.to_string(),
            found: excerpt(found),
        }
    }

    fn truncated(&self, what: &str) -> MeshError {
        MeshError::Truncated { place: self.place(), expected: what.to_string() }
    }

    fn closing_word(&self) -> String {
        format!("$End{}", self.section.trim_start_matches('$'))
    }

    fn skip_blanks(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        self.mark = self.at;
    }

    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], MeshError> {
        self.mark = self.at;
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(taken) => {
                self.at += N;
                Ok(*taken)
            }
            None => {
                self.mark = self.bytes.len();
                Err(self.truncated(what))
            }
        }
    }
}

/// The beginning of `text`, short enough for a message and free of control characters.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    text.chars()
        .take(LONGEST)
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(text: &str) -> Cursor<'_> {
        Cursor::new(text.as_bytes(), Path::new("a.msh"))
    }

    #[test]
    fn text_and_both_byte_orders_give_the_same_numbers() {
        let little =
            [(-3_i32).to_le_bytes().as_slice(), &7_u64.to_le_bytes(), &0.5_f64.to_le_bytes()]
                .concat();
        let big = [(-3_i32).to_be_bytes().as_slice(), &7_u64.to_be_bytes(), &0.5_f64.to_be_bytes()]
            .concat();
        for (encoding, bytes) in [
            (Encoding::Ascii, b" -3\n7 5e-1".to_vec()),
            (Encoding::LittleEndian, little),
            (Encoding::BigEndian, big),
        ] {
            let mut cursor = Cursor::new(&bytes, Path::new("a.msh"));
            cursor.set_encoding(encoding);
            assert_eq!(cursor.read_i32("an int").unwrap(), -3);
            assert_eq!(cursor.read_u64("a size").unwrap(), 7);
            assert_eq!(cursor.read_f64("a double").unwrap(), 0.5);
            assert!(matches!(cursor.read_i32("an int"), Err(MeshError::Truncated { .. })));
        }
    }

    #[test]
    fn a_count_must_fit_the_bytes_that_remain() {
        let each = Footprint { numbers: 2, bytes: 16 };
        assert_eq!(cursor("2 1 2 3 4").read_count("pairs", each).unwrap(), 2);
        let error = cursor("999999999999 1 2 3 4").read_count("pairs", each).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.msh:1: 999999999999 pairs announced, but the rest of the file holds 2 at most; \
             was it truncated? save it again with gmsh"
        );
    }

    #[test]
    fn a_name_may_hold_blanks_and_must_end_on_its_line() {
        assert_eq!(cursor(" \"left wall\"\n").read_quoted("a name").unwrap(), "left wall");
        assert_eq!(cursor("\"\"").read_quoted("a name").unwrap(), "");
        for bad in ["left", "\"left", "left\"", "\"left\nwall\""] {
            assert!(
                matches!(cursor(bad).read_quoted("a name"), Err(MeshError::Unexpected { .. })),
                "{bad}"
            );
        }
        assert!(matches!(cursor(" \n").read_quoted("a name"), Err(MeshError::Truncated { .. })));
    }

    #[test]
    fn an_error_names_line_and_section() {
        let mut cursor = cursor("$Nodes\n1\nx\n$EndNodes\n");
        assert_eq!(cursor.open_section().unwrap(), Some("$Nodes"));
        cursor.read_u64("a count").unwrap();
        let error = cursor.read_u64("the number of a node").unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.msh:3: $Nodes: expected the number of a node, found 'x'; \
             was the file edited by hand? save it again with gmsh"
        );
    }

    #[test]
    fn a_section_without_its_end_is_truncated() {
        for text in ["$Comments\nabc", "$Comments\nabc\n$EndComment"] {
            let mut cursor = cursor(text);
            cursor.open_section().unwrap();
            assert!(matches!(cursor.skip_section(), Err(MeshError::Truncated { .. })), "{text}");
        }
    }

    #[test]
    fn an_excerpt_is_short_and_printable() {
        assert_eq!(excerpt("a\u{7}b"), "a?b");
        assert_eq!(excerpt(&"long".repeat(1000)).len(), 40);
    }
}
