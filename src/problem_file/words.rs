//! A text as words between white space, with the line a fault is on.

use super::error::Fault;

/// Reads word by word; a copy reads on from the same place on its own.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next word and where it ends.
    fn find(&self) -> Option<(&'a str, usize)> {
        let rest = &self.text.as_bytes()[self.at..];
        let skipped = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let start = self.at + skipped;
        let word = &self.text.as_bytes()[start..];
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        Some((&self.text[start..start + length], start + length)) // both ends touch ASCII
    }

    pub fn peek(&self) -> Option<&'a str> {
        self.find().map(|(word, _)| word)
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, Fault> {
        match self.find() {
            Some((word, end)) => {
                self.at = end;
                Ok(word)
            }
            None => Err(Fault::new(self.place(), format!("no {what}"), "is the file cut?")),
        }
    }

    /// A word that can be only one.
    pub fn expect(&mut self, expected: &str, what: &str) -> Result<(), Fault> {
        let word = self.word(what)?;
        if word == expected {
            return Ok(());
        }
        Err(self.wrong(what, word, &format!("give '{expected}'")))
    }

    pub fn whole(&mut self, what: &str) -> Result<usize, Fault> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.wrong(what, word, "give a whole number >= 0"))
    }

    /// As many whole numbers, unless the rest of the text is too short for them.
    pub fn wholes(&mut self, count: usize, what: &str) -> Result<Vec<usize>, Fault> {
        self.check_room(count, what)?;
        (0..count).map(|_| self.whole(what)).collect()
    }

    /// A finite number with a decimal point or, where a locale wrote it, a comma.
    pub fn real(&mut self, what: &str) -> Result<f64, Fault> {
        let word = self.word(what)?;
        let number = word.parse::<f64>().or_else(|error| {
            if word.contains('.') { Err(error) } else { word.replacen(',', ".", 1).parse() }
        });
        match number {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.wrong(what, word, "give a finite number")),
        }
    }

    /// As many numbers, unless the rest of the text is too short for them.
    pub fn reals(&mut self, count: usize, what: &str) -> Result<Vec<f64>, Fault> {
        self.check_room(count, what)?;
        (0..count).map(|_| self.real(what)).collect()
    }

    pub fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |k| k + 1);
    }

    /// How many words the rest of the text has at most.
    pub fn room(&self) -> usize {
        (self.text.len() - self.at).div_ceil(2)
    }

    /// How many words follow.
    pub fn remaining(&self) -> usize {
        self.text[self.at..].split_ascii_whitespace().count()
    }

    /// Refuses a count that the rest of the text cannot hold.
    pub fn check_room(&self, count: usize, what: &str) -> Result<(), Fault> {
        if count <= self.room() {
            return Ok(());
        }
        let remedy = format!(
            "the rest of the file has room for {}; is it cut, or a count wrong?",
            self.room()
        );
        Err(self.fault(format!("{count} numbers of {what}"), remedy))
    }

    /// The fault of a word, of which a binary file may have very long ones.
    fn wrong(&self, what: &str, word: &str, remedy: &str) -> Fault {
        let shown: String = word.chars().take(40).collect();
        self.fault(format!("{what} '{shown}'"), remedy)
    }

    pub fn fault(&self, value: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault::new(self.place(), value, remedy)
    }

    fn place(&self) -> String {
        let before = &self.text.as_bytes()[..self.at];
        format!("line {}", 1 + before.iter().filter(|&&byte| byte == b'\n').count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_a_decimal_comma() {
        let mut words = Words::new("1,5e+00 -0.25 1.5,0 1,5,0 nan 1e999");
        assert_eq!(words.real("x"), Ok(1.5));
        assert_eq!(words.real("x"), Ok(-0.25));
        for _ in 0..4 {
            assert!(words.real("x").is_err());
        }
    }

    #[test]
    fn a_fault_names_the_line_of_its_word() {
        let mut words = Words::new("3\n\n  abc def\n");
        assert_eq!(words.whole("contacts"), Ok(3));
        let fault = words.whole("contacts").expect_err("no number");
        assert_eq!((fault.place.as_str(), fault.value.as_str()), ("line 3", "contacts 'abc'"));
        words.skip_line();
        assert_eq!(words.word("more").expect_err("the end").value, "no more");
    }

    #[test]
    fn a_count_beyond_the_text_is_refused_before_it_is_allocated() {
        let mut words = Words::new("1 2 3");
        assert!(words.reals(usize::MAX, "q").is_err());
        assert_eq!(words.wholes(3, "q"), Ok(vec![1, 2, 3]));
    }
}
