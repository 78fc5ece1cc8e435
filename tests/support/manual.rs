//! Tables of the book that a test computes: held to the page, or written anew with `WRITE=1`.

use std::sync::Mutex;

use super::repository;

/// A number beside its reference.
pub struct Row {
    what: String,
    reference: String,
    found: String,
    error: String,
    off: f64,
    bound: f64,
}

/// `digits` significant ones; an exponent where the number is small or large.
pub fn shown(x: f64, digits: usize) -> String {
    let size = if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 };
    if !(-3..7).contains(&size) {
        return format!("{x:.*e}", digits - 1);
    }
    format!("{x:.*}", (digits as i32 - 1 - size).max(0) as usize)
}

/// Without what a product leaves in the last digits.
fn rounded(bound: f64) -> f64 {
    number(&format!("{bound:.2e}"))
}

/// A bound as it is written: 1e-9, 0.05.
fn short(bound: f64) -> String {
    if bound < 0.01 { format!("{:e}", rounded(bound)) } else { format!("{bound}") }
}

/// An error as it is written. Far below its bound it may be rounding, which differs from machine to machine.
fn error(off: f64, bound: f64) -> String {
    let least = bound * 1e-3;
    if off < least { format!("< {}", short(least)) } else { shown(off, 2) }
}

fn number(reference: &str) -> f64 {
    reference.parse().unwrap_or_else(|_| panic!("the reference '{reference}' is no number"))
}

impl Row {
    /// Within a share of the reference.
    pub fn relative(what: &str, reference: &str, found: (f64, usize), bound: f64) -> Self {
        let off = (found.0 / number(reference) - 1.0).abs();
        Self::of(what, reference, found, (off, error(off, bound)), bound)
    }

    /// Within a distance of the reference.
    pub fn absolute(what: &str, reference: &str, found: (f64, usize), bound: f64) -> Self {
        let off = (found.0 - number(reference)).abs();
        Self::of(what, reference, found, (off, error(off, bound)), bound)
    }

    /// All digits of the reference: what is left is rounding, there or here, and is not shown.
    pub fn same(what: &str, reference: &str, found: (f64, usize), bound: f64) -> Self {
        let off = (found.0 / number(reference) - 1.0).abs();
        Self::of(what, reference, found, (off, format!("< {}", short(bound))), bound)
    }

    /// A difference that should vanish but for rounding.
    pub fn nothing(what: &str, off: f64, bound: f64) -> Self {
        let found = format!("< {}", short(bound));
        let (reference, error) = ("0".into(), "–".into());
        Self { what: what.into(), reference, found, error, off, bound }
    }

    /// What is observed and has no reference; `bound` is the distance it may drift from `usual`.
    pub fn observed(what: &str, usual: f64, found: (f64, usize), bound: f64) -> Self {
        let off = (found.0 - usual).abs();
        Self::of(what, "–", found, (off, "–".into()), bound)
    }

    /// Something that is as it is.
    pub fn equal(what: &str, reference: &str, found: &str) -> Self {
        let off = if reference == found { 0.0 } else { f64::INFINITY };
        Self {
            what: what.into(),
            reference: reference.into(),
            found: found.into(),
            error: "none".into(),
            off,
            bound: 0.0,
        }
    }

    fn of(
        what: &str,
        reference: &str,
        found: (f64, usize),
        error: (f64, String),
        bound: f64,
    ) -> Self {
        Self {
            what: what.into(),
            reference: reference.into(),
            found: shown(found.0, found.1),
            error: error.1,
            off: error.0,
            bound,
        }
    }
}

/// Asserts every row's bound and holds the table `name` of the page to them.
pub fn hold_rows(page: &str, name: &str, rows: &[Row]) {
    let mut table =
        String::from("| | reference | delassus | error | bound |\n|---|---|---|---|---|\n");
    for row in rows {
        let (what, off) = (&row.what, row.off);
        assert!(off <= row.bound, "{name}: {what} is off by {off:e}, more than {:e}", row.bound);
        let bound = if row.bound == 0.0 { "equal".into() } else { short(row.bound) };
        let (reference, found, error) = (&row.reference, &row.found, &row.error);
        table += &format!("| {what} | {reference} | {found} | {error} | {bound} |\n");
    }
    hold(page, name, &table);
}

/// Tests of one page may write it at once.
static PAGE: Mutex<()> = Mutex::new(());

/// Holds the text between the marks of that name to what was computed, numbers to 0.6 of the last digit
/// shown; with `WRITE=1` the page gets it.
pub fn hold(page: &str, name: &str, computed: &str) {
    let path = repository(&format!("docs/src/{page}"));
    let _alone = PAGE.lock();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{page}: {e}"));
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let from = text.find(&begin).unwrap_or_else(|| panic!("{page} has no '{begin}'")) + begin.len();
    let to = from + text[from..].find(&end).unwrap_or_else(|| panic!("{page} has no '{end}'"));
    let computed = format!("\n{computed}\n");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, [&text[..from], &computed, &text[to..]].concat()).unwrap();
        return;
    }
    let kept = &text[from..to];
    let ((ours, words), (theirs, kept_words)) = (taken_apart(&computed), taken_apart(kept));
    let near = |(a, b): (&(f64, f64), &(f64, f64))| (a.0 - b.0).abs() <= 0.6 * b.1;
    let same = words == kept_words && ours.iter().zip(&theirs).all(near);
    assert!(same, "{page} shows under '{name}'\n{kept}\nbut it is\n{computed}");
}

/// The numbers of a text, each with the unit of its last digit, and the text around them.
fn taken_apart(text: &str) -> (Vec<(f64, f64)>, String) {
    let (mut numbers, mut words) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if !c.is_ascii_digit() {
            words.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let mantissa = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let power = rest[mantissa..].strip_prefix('e').map_or(0, |tail| {
            let sign = usize::from(tail.starts_with('-'));
            let digits = tail[sign..].chars().take_while(char::is_ascii_digit).count();
            if digits == 0 { 0 } else { 1 + sign + digits }
        });
        let number = &rest[..mantissa];
        let behind = number.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
        let exponent: i32 =
            rest[mantissa..][..power].strip_prefix('e').map_or(0, |e| e.parse().unwrap_or(0));
        match rest[..mantissa + power].parse() {
            Ok(number) => {
                numbers.push((number, 10f64.powi(exponent - behind)));
                words.push('#');
            }
            Err(_) => words.push_str(&rest[..mantissa + power]),
        }
        rest = &rest[mantissa + power..];
    }
    (numbers, words)
}
