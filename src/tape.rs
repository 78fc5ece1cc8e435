//! What lives from step to step, number by number: into a checkpoint, and back out of it.
//!
//! One pass does both. Who remembers something has one function, `remember`, that takes a [`Tape`] over it, so that what
//! is written and what is read cannot be two things.

/// Numbers in a row, little endian; it is either being written or being read.
///
/// A tape that does not fit what is read from it stops there: nothing is changed any more, and
/// [`Tape::finish`] tells.
#[derive(Clone, Debug)]
pub struct Tape {
    bytes: Vec<u8>,
    /// Where reading is; none while writing.
    at: Option<usize>,
    misfit: Option<String>,
}

impl Tape {
    /// An empty one, to be written.
    pub fn new() -> Self {
        Self { bytes: Vec::new(), at: None, misfit: None }
    }

    /// One to be read.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self { bytes, at: Some(0), misfit: None }
    }

    /// Whether it is being read.
    pub fn reads(&self) -> bool {
        self.at.is_some()
    }

    /// Whether all that was read from it so far did fit.
    pub fn fits(&self) -> bool {
        self.misfit.is_none()
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What did not fit, where something did not, or was left over.
    pub fn finish(&self) -> Result<(), String> {
        match (&self.misfit, self.at) {
            (Some(misfit), _) => Err(misfit.clone()),
            (None, Some(at)) if at < self.bytes.len() => {
                Err(format!("{} bytes are left over", self.bytes.len() - at))
            }
            _ => Ok(()),
        }
    }

    /// Tells that what was read does not fit.
    pub fn refuse(&mut self, misfit: impl Into<String>) {
        self.misfit.get_or_insert_with(|| misfit.into());
    }

    /// The next `size` bytes; none where there are not that many.
    fn take(&mut self, size: usize) -> Option<&[u8]> {
        let at = self.at.filter(|_| self.misfit.is_none())?;
        let end = at.checked_add(size).filter(|&end| end <= self.bytes.len());
        match end {
            Some(end) => {
                self.at = Some(end);
                Some(&self.bytes[at..end])
            }
            None => {
                self.refuse(format!("it ends where {size} bytes should follow"));
                None
            }
        }
    }

    /// A whole number.
    pub fn count(&mut self, number: &mut u64) {
        if !self.reads() {
            self.bytes.extend(number.to_le_bytes());
        } else if let Some(bytes) = self.take(8).and_then(|bytes| bytes.try_into().ok()) {
            *number = u64::from_le_bytes(bytes);
        }
    }

    /// A whole number that counts things in memory.
    pub fn size(&mut self, number: &mut usize) {
        let mut wide = *number as u64;
        self.count(&mut wide);
        *number = wide as usize;
    }

    /// Yes or no.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut number = u64::from(*flag);
        self.count(&mut number);
        *flag = number != 0;
    }

    /// A number.
    pub fn real(&mut self, number: &mut f64) {
        let mut bits = number.to_bits();
        self.count(&mut bits);
        *number = f64::from_bits(bits);
    }

    /// Numbers, as many as there are places for them.
    pub fn reals(&mut self, numbers: &mut [f64]) {
        let mut length = numbers.len();
        self.size(&mut length);
        if !self.reads() {
            self.bytes.reserve(8 * length);
            numbers.iter().for_each(|number| self.bytes.extend(number.to_le_bytes()));
        } else if length != numbers.len() {
            self.refuse(format!("it has {length} numbers for {} places", numbers.len()));
        } else if let Some(bytes) = self.take(8 * length) {
            let (words, _) = bytes.as_chunks();
            numbers.iter_mut().zip(words).for_each(|(to, word)| *to = f64::from_le_bytes(*word));
        }
    }

    /// Words.
    pub fn text(&mut self, text: &mut String) {
        let mut length = text.len();
        self.size(&mut length);
        if !self.reads() {
            self.bytes.extend(text.as_bytes());
        } else if let Some(bytes) = self.take(length) {
            match String::from_utf8(bytes.to_vec()) {
                Ok(read) => *text = read,
                Err(_) => self.refuse("it has bytes that are no text"),
            }
        }
    }

    /// A list, grown or cut to as many as the tape has; `each` passes over one of them.
    pub fn list<T: Default>(&mut self, list: &mut Vec<T>, mut each: impl FnMut(&mut Self, &mut T)) {
        let mut length = list.len();
        self.size(&mut length);
        if self.reads() {
            // Nothing on a tape is smaller than a byte: a length that lies is not believed.
            if self.misfit.is_none() && length > self.bytes.len() {
                self.refuse(format!("it has a list of {length}"));
            }
            if self.misfit.is_some() {
                return;
            }
            list.resize_with(length, T::default);
        }
        list.iter_mut().for_each(|item| each(self, item));
    }
}

impl Default for Tape {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Things {
        count: u64,
        flag: bool,
        real: f64,
        reals: [f64; 3],
        names: Vec<String>,
    }

    impl Things {
        fn remember(&mut self, tape: &mut Tape) {
            tape.count(&mut self.count);
            tape.flag(&mut self.flag);
            tape.real(&mut self.real);
            tape.reals(&mut self.reals);
            tape.list(&mut self.names, |tape, name| tape.text(name));
        }
    }

    fn things() -> Things {
        let names = vec!["sliding block".into(), String::new(), "μ".into()];
        Things { count: 7, flag: true, real: -0.0, reals: [f64::MIN_POSITIVE, 1e300, 0.1], names }
    }

    fn written() -> Vec<u8> {
        let mut tape = Tape::new();
        things().remember(&mut tape);
        tape.into_bytes()
    }

    #[test]
    fn what_is_written_is_read_bit_by_bit() {
        let mut tape = Tape::of(written());
        let mut read = Things::default();
        read.remember(&mut tape);
        assert_eq!(tape.finish(), Ok(()));
        assert_eq!(read, things());
        assert!(read.real.is_sign_negative());
    }

    #[test]
    fn a_tape_that_is_cut_anywhere_or_too_long_is_refused() {
        let whole = written();
        for length in 0..whole.len() {
            let mut tape = Tape::of(whole[..length].to_vec());
            Things::default().remember(&mut tape);
            assert!(tape.finish().is_err(), "{length} of {} bytes", whole.len());
        }
        let mut tape = Tape::of([&whole[..], &[0]].concat());
        Things::default().remember(&mut tape);
        assert_eq!(tape.finish(), Err("1 bytes are left over".into()));
    }

    #[test]
    fn lengths_that_lie_are_not_believed() {
        let huge = u64::MAX.to_le_bytes().to_vec();
        let mut tape = Tape::of(huge.clone());
        tape.list(&mut Vec::<u64>::new(), |tape, number| tape.count(number));
        assert!(tape.finish().is_err());
        let mut tape = Tape::of(huge.clone());
        tape.reals(&mut [1.0]);
        assert!(tape.finish().is_err());
        let mut tape = Tape::of(huge);
        tape.text(&mut String::new());
        assert!(tape.finish().is_err());
    }
}
