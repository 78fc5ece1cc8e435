//! The table of the terms: what the identity of energies is made of.
//!
//! ```text
//!     Δ Σ energies = Σ works supplied, of matter and of the scheme + Σ works of contacts             (1)
//! ```
//!
//! (65) is (1). All that adds, keeps, writes, reads, draws, verifies and judges terms walks this table: a new one is
//! its line here and its formula where a scheme computes it. Every term is an energy, in the units of the case.

use std::iter::{Copied, Rev};
use std::ops::Range;
use std::slice::Iter;

/// Whose doing a term is. The lines of the table stand in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermClass {
    /// A part of the energy E of the state.
    Energy,
    /// Work that is supplied from outside.
    Supplied,
    /// Work of what the bodies are made of.
    Matter,
    /// Work of the contacts.
    Contact,
    /// Work of the scheme itself.
    Scheme,
}

/// What the theorem asks of the sign of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedSign {
    /// Nothing.
    Any,
    /// That it takes energy: ≤ 0.
    NotPositive,
}

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermLine {
    /// Whose doing it is.
    pub class: TermClass,
    /// What the theorem asks of its sign.
    pub asked: AskedSign,
    /// Its column in `history.csv`, and its key in `summary.json`.
    pub column: &'static str,
    /// The column of `bodies.csv` that holds what of it belongs to a body; terms that share one are summed there.
    pub of_body: &'static str,
    /// The column of `contacts.csv` that holds what of it belongs to a contact.
    pub of_contact: Option<&'static str>,
    /// The column of `history.csv` that holds the largest of a contact in a step, or 0; it is a key of the certificate.
    pub largest: Option<&'static str>,
    /// The column of `history.csv` that holds the smallest of a contact in a step, or 0.
    pub smallest: Option<&'static str>,
    /// What it is called in prose.
    pub name: &'static str,
    /// What it is called among its like.
    pub word: &'static str,
    /// What it is called beside its curve.
    pub legend: &'static str,
    /// What it is, as the reference of the output has it.
    pub is: &'static str,
}

const ENERGY: TermLine = TermLine {
    class: TermClass::Energy,
    asked: AskedSign::Any,
    column: "",
    of_body: "energy_change",
    of_contact: None,
    largest: None,
    smallest: None,
    name: "",
    word: "",
    legend: "",
    is: "",
};
const SUPPLIED: TermLine = TermLine { class: TermClass::Supplied, ..ENERGY };
const TAKING: TermLine = TermLine { asked: AskedSign::NotPositive, ..ENERGY };
const MATTER: TermLine = TermLine { class: TermClass::Matter, ..TAKING };
const CONTACT: TermLine =
    TermLine { class: TermClass::Contact, of_body: "work_contacts", ..TAKING };
const SCHEME: TermLine = TermLine { class: TermClass::Scheme, ..TAKING };

macro_rules! terms {
    ($(#[doc = $is:literal] $term:ident: $class:ident { $($field:ident: $value:expr),+ })+) => {
        /// A term of the identity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Term {
            $(#[doc = $is] $term),+
        }

        impl Term {
            /// All of them, in the order in which they are added and written: energies first.
            pub const ALL: [Self; [$(stringify!($term)),+].len()] = [$(Self::$term),+];
        }

        const TABLE: [TermLine; Term::ALL.len()] =
            [$(TermLine { is: $is.trim_ascii(), $($field: $value,)+ ..$class }),+];
    };
}

terms! {
    /// ½ v·Mv
    Kinetic: ENERGY { column: "kinetic", name: "kinetic energy", word: "kinetic", legend: "kinetic" }
    /// ½ q·Kq
    Strain: ENERGY { column: "strain", name: "strain energy", word: "strain", legend: "strain" }
    /// −f·q of loads with `potential = true`; weight of masses and bodies counts from height 0
    Potential: ENERGY { column: "potential", name: "potential energy", word: "potential", legend: "potential" }
    /// loads, driven dofs and moving obstacles
    External: SUPPLIED { column: "work_external", of_body: "work_external", name: "external work", word: "external", legend: "external" }
    /// −Σ h v_θ·C v_θ, never positive with Moreau–Jean
    Damping: MATTER { column: "work_damping", of_body: "work_damping", name: "work of damping", word: "damping", legend: "damping" }
    /// Σ u_N,θ p_N of all contacts
    Normal: CONTACT { column: "work_normal", of_contact: Some("normal_work"), largest: Some("max_normal_work"), name: "normal work", word: "normal", legend: "contact, normal" }
    /// Σ u_T,θ·p_T of all contacts
    Tangential: CONTACT { column: "work_tangential", of_contact: Some("tangential_work"), largest: Some("max_tangential_work"), smallest: Some("min_tangential_work"), name: "tangential work", word: "tangential", legend: "contact, tangential" }
    /// (½−θ)(‖Δv‖²_M + ‖Δq‖²_K), or what another scheme has in its place
    Numerical: SCHEME { column: "dissipation_numerical", of_body: "work_numerical", name: "numerical dissipation", word: "numerical", legend: "scheme" }
}

/// The column of E.
pub const TOTAL: &str = "total";

impl Term {
    /// Its line.
    pub fn line(self) -> &'static TermLine {
        &TABLE[self as usize]
    }

    /// Those of a class.
    pub fn of(class: TermClass) -> Copied<Iter<'static, Self>> {
        among(first_of(class)..FIRST[class as usize + 1])
    }

    /// The parts of E.
    pub fn energies() -> Copied<Iter<'static, Self>> {
        Self::of(TermClass::Energy)
    }

    /// What changes E.
    pub fn works() -> Copied<Iter<'static, Self>> {
        among(first_of(TermClass::Supplied)..TABLE.len())
    }

    /// The works but for those of contacts: what schemes compute on dofs.
    pub fn works_on_dofs() -> impl Iterator<Item = Self> + Clone {
        let before = among(first_of(TermClass::Supplied)..first_of(TermClass::Contact));
        before.chain(Self::of(TermClass::Scheme))
    }

    /// What may only take energy under the theorem.
    pub fn taking() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(|term| term.line().asked == AskedSign::NotPositive)
    }

    /// What the scale of energies is made of, beside E: its parts, and what is supplied.
    pub fn scaling() -> Copied<Iter<'static, Self>> {
        among(0..first_of(TermClass::Matter))
    }

    /// The first term of each column of `bodies.csv`.
    pub fn of_bodies() -> impl Iterator<Item = Self> + Clone {
        let first = |of_body| Self::ALL.into_iter().find(|term| term.line().of_body == of_body);
        Self::ALL.into_iter().filter(move |term| first(term.line().of_body) == Some(*term))
    }

    /// The terms of contacts, friction first.
    pub fn of_contacts() -> Rev<Copied<Iter<'static, Self>>> {
        Self::of(TermClass::Contact).rev()
    }

    /// The columns of `history.csv` that hold their largest and smallest of a contact in a step.
    pub fn extremes() -> impl Iterator<Item = &'static str> {
        let of = |term: Self| [term.line().largest, term.line().smallest].into_iter().flatten();
        Self::of_contacts().flat_map(of)
    }

    /// Those of the largest, which are keys of the certificate.
    pub fn largest() -> impl Iterator<Item = (Self, &'static str)> + Clone {
        Self::of_contacts().filter_map(|term| Some((term, term.line().largest?)))
    }

    /// The columns of `history.csv` that hold them, which are keys of `summary.json`: energies, their sum, works.
    pub fn columns() -> impl Iterator<Item = &'static str> {
        let column = |term: Self| term.line().column;
        Self::energies().map(column).chain([TOTAL]).chain(Self::works().map(column))
    }
}

/// Where the lines of each class begin: they stand in the order of [`TermClass`]; behind the last class they end.
const FIRST: [usize; TermClass::Scheme as usize + 2] = {
    let (mut first, mut class) = ([TABLE.len(); _], 0);
    while class <= TermClass::Scheme as usize {
        first[class] = 0;
        while first[class] < TABLE.len() && (TABLE[first[class]].class as usize) < class {
            first[class] += 1;
        }
        class += 1;
    }
    first
};

const fn first_of(class: TermClass) -> usize {
    FIRST[class as usize]
}

fn among(places: Range<usize>) -> Copied<Iter<'static, Term>> {
    const ALL: &[Term] = &Term::ALL;
    ALL[places].iter().copied()
}

/// Where the terms of contacts begin, and how many they are.
pub(super) const FIRST_OF_CONTACTS: usize = first_of(TermClass::Contact);
pub(super) const OF_CONTACTS: usize = first_of(TermClass::Scheme) - FIRST_OF_CONTACTS;

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums, columns and places of numbers go by the order of the table.
    #[test]
    fn lines_stand_class_by_class_and_have_all_their_names() {
        let order = [
            TermClass::Energy,
            TermClass::Supplied,
            TermClass::Matter,
            TermClass::Contact,
            TermClass::Scheme,
        ];
        let by_class: Vec<Term> = order.into_iter().flat_map(Term::of).collect();
        assert_eq!(by_class, Term::ALL);
        for class in order {
            assert!(Term::of(class).all(|term| term.line().class == class), "{class:?}");
        }
        for term in Term::ALL {
            let TermLine {
                class,
                column,
                of_body,
                of_contact,
                largest,
                name,
                word,
                legend,
                is,
                ..
            } = *term.line();
            assert!([column, of_body, name, word, legend, is].iter().all(|text| !text.is_empty()));
            let same = |other: &Term| other.line().column == column;
            assert_eq!(Term::ALL.iter().filter(|other| same(other)).count(), 1, "{term:?}");
            let own = [of_contact, largest];
            assert!(
                own.iter().all(|own| own.is_some() == (class == TermClass::Contact)),
                "{term:?}"
            );
            assert_eq!(of_body == ENERGY.of_body, class == TermClass::Energy, "{term:?}");
            assert_eq!(of_body == CONTACT.of_body, class == TermClass::Contact, "{term:?}");
        }
    }

    #[test]
    fn the_theorem_asks_a_sign_of_all_that_nobody_supplies() {
        let supplied = Term::of(TermClass::Supplied);
        let expected: Vec<Term> =
            Term::works().filter(|t| !supplied.clone().any(|s| s == *t)).collect();
        assert_eq!(Term::taking().collect::<Vec<_>>(), expected);
    }
}
