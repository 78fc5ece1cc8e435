//! The line that an error is about, underlined.
//!
//! ```text
//!    |
//! 35 | theta = 0.8
//!    |         ^^^
//! ```

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::place::line_at;

/// Columns of a line that are shown; a longer one is cut around what is underlined.
const WIDEST: usize = 96;
/// Columns kept before what is underlined where a line is cut.
const BEFORE: usize = 24;
/// Columns of a tabulator.
const TAB: usize = 4;

/// The line of `text` on which `range` (in bytes) starts, with what of it lies in the range underlined;
/// begins with a line break, to stand behind a message.
pub(super) fn excerpt(text: &str, range: Range<usize>) -> String {
    let line = line_at(text, range.start);
    let first = floor(text, range.start);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let shown = text[start..end].trim_end_matches('\r');
    let last = floor(text, range.end.max(first));
    let inside = first - start..last.min(start + shown.len()).max(first) - start;
    // The last byte is inside: a range that ends with its line does not go on.
    let goes_on = line_at(text, last.saturating_sub(1).max(first));
    let more = if goes_on > line { format!(" to line {goes_on}") } else { String::new() };
    let (shown, carets) = underline(shown, &[inside]);
    let gutter = line.to_string();
    let blank = " ".repeat(gutter.len());
    format!("\n{blank} |\n{gutter} | {shown}\n{blank} | {carets}{more}")
}

/// `--set` assignments as they were given, underlined.
pub(super) fn excerpt_of_overrides(assignments: &[&str]) -> String {
    let (mut line, mut ranges) = (String::new(), Vec::new());
    for assignment in assignments {
        line += if line.is_empty() { "--set " } else { " --set " };
        ranges.push(line.len()..line.len() + assignment.len());
        line += assignment;
    }
    let (shown, carets) = underline(&line, &ranges);
    format!("\n  |\n  | {shown}\n  | {carets}")
}

/// A line as a terminal shows it and the carets below it, at least one for each range.
fn underline(line: &str, ranges: &[Range<usize>]) -> (String, String) {
    let cells: Vec<(usize, String, usize)> =
        line.char_indices().map(|(at, c)| cell(at, c)).collect();
    let column = |byte: usize| -> usize {
        cells.iter().take_while(|(at, ..)| *at < byte).map(|(_, _, width)| width).sum()
    };
    let width = column(line.len());
    let first = ranges.first().map_or(0, |range| column(range.start));
    let from = if width <= WIDEST { 0 } else { first.saturating_sub(BEFORE) };
    let to = from + WIDEST;
    let (mut shown, mut at) = (String::new(), 0);
    for (_, text, width) in &cells {
        if at >= from && at + width <= to {
            shown += text;
        }
        at += width;
    }
    let mut carets = String::new();
    // What is left out on the left begins with a sign of one column.
    let shift = usize::from(from > 0);
    for range in ranges {
        let (start, end) = (column(range.start), column(range.end).min(to));
        let (start, end) = (start.saturating_sub(from) + shift, end.saturating_sub(from) + shift);
        carets += &" ".repeat(start.saturating_sub(carets.len()));
        carets += &"^".repeat(end.saturating_sub(start).max(1));
    }
    let left = if from > 0 { "…" } else { "" };
    let right = if width > to { "…" } else { "" };
    (format!("{left}{shown}{right}"), carets)
}

/// A character as it is shown and its columns; controls must not reach the terminal.
fn cell(at: usize, c: char) -> (usize, String, usize) {
    match c {
        '\t' => (at, " ".repeat(TAB), TAB),
        c if c.is_control() => (at, char::REPLACEMENT_CHARACTER.to_string(), 1),
        c => (at, c.to_string(), c.width().unwrap_or(0)),
    }
}

/// The last boundary of a character at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    (0..=byte).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line and the carets below `what`.
    fn lines(text: &str, what: &str) -> [String; 2] {
        let start = text.find(what).expect("it stands there");
        let shown = excerpt(text, start..start + what.len());
        let mut lines = shown.lines().skip(2).map(str::to_string);
        [lines.next().unwrap_or_default(), lines.next().unwrap_or_default()]
    }

    #[test]
    fn the_value_stands_above_its_carets() {
        let text = "units = \"m\"\n[scheme]\ntheta = 0.8\n";
        let at = text.find("0.8").expect("it stands there");
        let expected = "\n  |\n3 | theta = 0.8\n  |         ^^^";
        assert_eq!(excerpt(text, at..at + 3), expected);
    }

    #[test]
    fn tabs_wide_characters_and_line_ends_of_windows_do_not_shift_the_carets() {
        assert_eq!(lines("\ta = 1\n", "1"), ["1 |     a = 1", "  |         ^"]);
        assert_eq!(
            lines("a = \"力é\" # x\r\nb", "\"力é\""),
            ["1 | a = \"力é\" # x", "  |     ^^^^^"]
        );
        // e with a combining accent takes one column.
        assert_eq!(lines("e\u{301} = 1", "1"), ["1 | e\u{301} = 1", "  |     ^"]);
        assert_eq!(lines("a = 1\r\n", "1\r\n"), ["1 | a = 1", "  |     ^"]);
        assert_eq!(lines("a = \u{1b}[31m", "[31m"), ["1 | a = \u{fffd}[31m", "  |      ^^^^"]);
    }

    #[test]
    fn a_value_of_several_lines_is_underlined_on_its_first() {
        let text = "x = 0\nvalues = [\n  1,\n  2\n]\n";
        assert_eq!(lines(text, "[\n  1,\n  2\n]"), ["2 | values = [", "  |          ^ to line 5"]);
    }

    #[test]
    fn an_empty_range_and_the_end_of_a_file_have_one_caret() {
        assert_eq!(excerpt("a", 1..1), "\n  |\n1 | a\n  |  ^");
        assert_eq!(excerpt("", 0..0), "\n  |\n1 | \n  | ^");
        assert_eq!(excerpt("a\n", 9..12), "\n  |\n2 | \n  | ^");
    }

    #[test]
    fn a_long_line_is_cut_around_what_is_underlined() {
        let text = format!("{}key = 7 {}", "a, ".repeat(100), "b".repeat(200));
        let [shown, carets] = lines(&text, "7");
        assert!(shown.starts_with("1 | …") && shown.ends_with('…'), "{shown}");
        assert!(shown.chars().count() <= WIDEST + 6, "{shown}");
        let caret = carets.find('^').expect("there is a caret");
        assert_eq!(shown.chars().nth(caret), Some('7'), "{shown}\n{carets}");
        let long = "c".repeat(500);
        let [shown, carets] = lines(&format!("x = {long}\n"), &long);
        assert_eq!(carets.matches('^').count(), WIDEST - 4, "{shown}\n{carets}");
    }

    #[test]
    fn assignments_are_underlined_each_for_itself() {
        let shown = excerpt_of_overrides(&["a.b=1", "c=é"]);
        assert_eq!(shown, "\n  |\n  | --set a.b=1 --set c=é\n  |       ^^^^^       ^^^");
    }
}
