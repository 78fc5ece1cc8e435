//! The text files of Siconos.
//!
//! ```text
//!     local     dimension contacts   W   q μ
//!     global    dimension contacts   M   H   f w μ
//! ```
//!
//! Nothing in a file says which it is, so both are tried behind the first matrix: a local problem
//! needs a square matrix of the contacts' size and numbers for q and μ, a global one a second matrix
//! of fitting size. One of the two fits nearly always. Where both do, one leaves at most the single
//! word that old versions wrote behind μ, and the other more; where even that does not tell, the
//! name of the file decides: global if it begins with `gfc` or contains `global`.

use super::error::Fault;
use super::matrix_text::{print_matrix, print_reals, read_matrix};
use super::sparse::Sparse;
use super::words::Words;
use super::{Form, ProblemFile, check_dimension};

/// How it was found out whether a file is local or global.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Only one of them fits the content.
    Content,
    /// Both fit, and the name of the file decided.
    Name,
}

/// What stands before the first matrix, and its size.
#[derive(Clone, Copy)]
struct Head {
    /// Components of r.
    size: usize,
    contacts: usize,
    first: [usize; 2],
}

/// What follows the first matrix, as one of the two forms.
struct Tail<T> {
    form: T,
    friction: Vec<f64>,
    /// Words behind it.
    left: usize,
}

struct LocalTail {
    q: Vec<f64>,
}

struct GlobalTail {
    h: Sparse,
    f: Vec<f64>,
    w: Vec<f64>,
}

/// Reads a problem named `stem`, with what told its form.
pub(super) fn parse(text: &str, stem: String) -> Result<(ProblemFile, Evidence), Fault> {
    let mut words = Words::new(text);
    let (dimension, contacts) = read_head(&mut words)?;
    let first = read_matrix(&mut words, "W or M")?;
    let head = Head { size: dimension * contacts, contacts, first: [first.rows, first.columns] };
    let local = read_local(words, head);
    let global = read_global(words, head);
    let (is_global, evidence) = decide(&local, &global, words, head, &stem);
    let (form, friction) = if is_global {
        let Tail { form: GlobalTail { h, f, w }, friction, .. } =
            global.map_err(|fault| fault.within("read as a global problem"))?;
        (Form::Global { m: first, h, f, w }, friction)
    } else {
        let Tail { form: LocalTail { q }, friction, .. } =
            local.map_err(|fault| fault.within("read as a local problem"))?;
        (Form::Local { w: first, q }, friction)
    };
    let problem =
        ProblemFile { name: stem, dimension, friction, form, solution: None, guesses: Vec::new() };
    Ok((problem, evidence))
}

fn read_head(words: &mut Words) -> Result<(usize, usize), Fault> {
    let dimension = words.whole("dimension").map_err(|mut fault| {
        fault.remedy = "problems begin with 2 or 3 (.dat), with { (.json) or as HDF5".into();
        fault
    })?;
    check_dimension(dimension).map_err(|fault| words.fault(fault.value, fault.remedy))?;
    let contacts = words.whole("number of contacts")?;
    words.check_room(contacts.saturating_mul(dimension), "vector")?;
    Ok((dimension, contacts))
}

fn read_local(mut words: Words, head: Head) -> Result<Tail<LocalTail>, Fault> {
    check_size(&words, "W", head.first, [head.size, head.size])?;
    let q = words.reals(head.size, "vector q")?;
    let friction = read_friction(&mut words, head.contacts)?;
    Ok(Tail { form: LocalTail { q }, friction, left: words.remaining() })
}

fn read_global(mut words: Words, head: Head) -> Result<Tail<GlobalTail>, Fault> {
    let freedoms = head.first[0];
    check_size(&words, "M", head.first, [freedoms, freedoms])?;
    let h = read_matrix(&mut words, "H")?;
    check_size(&words, "H", [h.rows, h.columns], [freedoms, head.size])?;
    let f = words.reals(freedoms, "vector f")?;
    let w = words.reals(head.size, "vector w")?;
    let friction = read_friction(&mut words, head.contacts)?;
    Ok(Tail { form: GlobalTail { h, f, w }, friction, left: words.remaining() })
}

fn read_friction(words: &mut Words, contacts: usize) -> Result<Vec<f64>, Fault> {
    let friction = words.reals(contacts, "vector mu")?;
    match friction.iter().find(|&&mu| mu < 0.0) {
        None => Ok(friction),
        Some(mu) => Err(words.fault(format!("friction {mu}"), "give coefficients >= 0")),
    }
}

fn check_size(
    words: &Words,
    name: &str,
    size: [usize; 2],
    expected: [usize; 2],
) -> Result<(), Fault> {
    if size == expected {
        return Ok(());
    }
    let value = format!("matrix {name} of {} x {}", size[0], size[1]);
    Err(words.fault(value, format!("give {} x {}", expected[0], expected[1])))
}

/// Whether the problem is global; `words` stand behind the first matrix.
fn decide(
    local: &Result<Tail<LocalTail>, Fault>,
    global: &Result<Tail<GlobalTail>, Fault>,
    words: Words,
    head: Head,
    stem: &str,
) -> (bool, Evidence) {
    match (local, global) {
        (Ok(_), Err(_)) => (false, Evidence::Content),
        (Err(_), Ok(_)) => (true, Evidence::Content),
        (Err(_), Err(_)) => (begins_like_global(words, head), Evidence::Content),
        (Ok(local), Ok(global)) => match (local.left <= 1, global.left <= 1) {
            (true, false) => (false, Evidence::Content),
            (false, true) => (true, Evidence::Content),
            _ => {
                let name = stem.to_ascii_lowercase();
                (name.starts_with("gfc") || name.contains("global"), Evidence::Name)
            }
        },
    }
}

/// Which of two faults to report: that of a global problem if W could not be one, or if the head of
/// a second matrix follows.
fn begins_like_global(mut words: Words, head: Head) -> bool {
    let numbers = [words.whole("storage"), words.whole("rows"), words.whole("columns")];
    let second = numbers[1..] == [Ok(head.first[0]), Ok(head.size)];
    head.first != [head.size, head.size] || second
}

/// Writes block storage, which every version of Siconos reads.
pub(super) fn print(problem: &ProblemFile) -> String {
    let dimension = problem.dimension;
    let mut text = format!("{dimension}\n{}\n", problem.contacts());
    match &problem.form {
        Form::Local { w, q } => {
            print_matrix(&mut text, w, [dimension, dimension]);
            print_reals(&mut text, q);
        }
        Form::Global { m, h, f, w } => {
            let step = body_step(f.len());
            print_matrix(&mut text, m, [step, step]);
            print_matrix(&mut text, h, [step, dimension]);
            print_reals(&mut text, f);
            print_reals(&mut text, w);
        }
    }
    print_reals(&mut text, &problem.friction);
    text
}

/// Size of a body's block: 6 for rigid bodies in space, 3 in the plane, else what divides.
fn body_step(freedoms: usize) -> usize {
    [6, 3, 2].into_iter().find(|step| freedoms.is_multiple_of(*step)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, name: &str) -> (bool, Evidence) {
        let (problem, evidence) = parse(text, name.into()).expect(text);
        (matches!(problem.form, Form::Global { .. }), evidence)
    }

    const LOCAL: &str = "2 1  0 2 2 2 2  1 0 0 1  0.5 0.5  0.3";
    const GLOBAL: &str = "2 1  0 2 2 2 2  1 0 0 1  0 2 2 2 2  1 0 0 1  0.5 0.5 0.5 0.5  0.3";

    #[test]
    fn the_content_tells_local_from_global_whatever_the_name() {
        for trailing in ["", " 1"] {
            let text = format!("{LOCAL}{trailing}");
            assert_eq!(read(&text, "gfc3d"), (false, Evidence::Content));
            let text = format!("{GLOBAL}{trailing}");
            assert_eq!(read(&text, "local"), (true, Evidence::Content));
        }
    }

    #[test]
    fn trailing_words_are_ignored() {
        let (problem, _) = parse(&format!("{LOCAL} and so on"), "t".into()).expect("it is right");
        assert_eq!(problem.friction, [0.3]);
    }

    /// The words behind μ look like more of a global problem than there should be of a local one.
    #[test]
    fn the_name_decides_where_both_forms_fit_badly() {
        let text = format!("{GLOBAL} 7 7 7");
        assert_eq!(read(&text, "GFC3D_Example"), (true, Evidence::Name));
        assert_eq!(read(&text, "FC3D_Example"), (false, Evidence::Name));
    }

    #[test]
    fn errors_say_as_what_the_file_was_read() {
        let fault = parse("2 1  0 2 2 2 2  1 0 0 1  0.5 x", "t".into()).expect_err("no number");
        assert_eq!(fault.place, "line 1, read as a local problem");
        assert_eq!(fault.value, "vector q 'x'");
        let fault = parse("2 1  0 3 3 3 3  1 0 0 0 1 0 0 0 1  0.5", "t".into()).expect_err("cut");
        assert_eq!(fault.place, "line 1, read as a global problem");
    }

    #[test]
    fn negative_friction_is_refused() {
        let fault = parse(&LOCAL.replace("0.3", "-0.3"), "t".into()).expect_err("negative");
        assert_eq!(fault.value, "friction -0.3");
    }

    #[test]
    fn a_text_that_is_no_problem_is_told_what_problems_begin_with() {
        let fault = parse("hello", "t".into()).expect_err("no problem");
        assert!(fault.remedy.starts_with("problems begin with"), "{}", fault.remedy);
    }
}
