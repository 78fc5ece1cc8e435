//! What a key of a case file takes.

use std::fmt;

/// Type, range or choices of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyKind {
    /// Any text.
    Text,
    /// A file, relative to the case file.
    Path,
    /// The name of a physical group, and whose.
    Group(&'static str),
    /// One of a closed set of words.
    Words(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A whole number, at least this.
    Count(u32),
    /// A number within bounds.
    Number(Bounds),
    /// A list of numbers: how it is written, how many, and whether they are > 0.
    Numbers {
        /// As a user writes it.
        written: &'static str,
        /// How many.
        many: Many,
        /// Whether they are > 0.
        positive: bool,
    },
    /// Whole numbers from 1: how many along each axis.
    Counts(Many),
    /// A number in the plane, three in space, and whether they are > 0.
    OneOrThree {
        /// Whether they are > 0.
        positive: bool,
    },
    /// Corners in the plane or in space.
    Corners,
    /// Corners in space of each of several.
    Pieces,
    /// Balls in space: centre and radius of each.
    Balls,
    /// Two names.
    Pair,
    /// A `time` table.
    Time,
}

/// The least and the greatest that a number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds(pub Limit, pub Limit);

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// There is none.
    Free,
    /// Not the number itself.
    Without(f64),
    /// The number itself too.
    With(f64),
}

/// How many numbers a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// From the first to the second.
    Between(usize, usize),
    /// One of two.
    Either(usize, usize),
    /// That many or more.
    AtLeast(usize),
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::Path => f.write_str("path"),
            Self::Group(whose) => write!(f, "physical group of {whose}"),
            Self::Words(words) => write!(f, "\"{}\"", words.join("\" | \"")),
            Self::Flag => f.write_str("true | false"),
            Self::Count(0) => f.write_str("whole number"),
            Self::Count(1) => f.write_str("whole number > 0"),
            Self::Count(least) => write!(f, "whole number >= {least}"),
            Self::Number(bounds) => bounds.fmt(f),
            Self::Numbers { written, .. } => f.write_str(written),
            Self::Counts(_) => f.write_str("[nx, ny] or [nx, ny, nz]"),
            Self::OneOrThree { .. } => f.write_str("number or [x, y, z]"),
            Self::Corners => f.write_str("[[x, y], ...] or [[x, y, z], ...]"),
            Self::Pieces => f.write_str("[[[x, y, z], ...], ...]"),
            Self::Balls => f.write_str("[[x, y, z, radius], ...]"),
            Self::Pair => f.write_str("[name, name]"),
            Self::Time => f.write_str("table"),
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = |limit: Limit| if matches!(limit, Limit::With(_)) { "=" } else { "" };
        let Self(low, high) = *self;
        match (low.value(), high.value()) {
            (None, None) => f.write_str("number"),
            (Some(least), None) => write!(f, "number >{} {}", sign(low), spelled(least)),
            (None, Some(most)) => write!(f, "number <{} {}", sign(high), spelled(most)),
            (Some(least), Some(most)) => {
                let (least, most) = (spelled(least), spelled(most));
                write!(f, "{least} <{} number <{} {most}", sign(low), sign(high))
            }
        }
    }
}

impl Limit {
    /// The number, where there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Free => None,
            Self::Without(x) | Self::With(x) => Some(x),
        }
    }
}

/// A third has no finite decimals.
fn spelled(x: f64) -> String {
    if x == 1.0 / 3.0 { "1/3".into() } else { x.to_string() }
}
