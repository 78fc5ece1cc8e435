//! Components of displacement, as a case names them.

/// Which displacement components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    Z,
    /// Every one.
    All,
}

impl Component {
    /// As a case spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::All => "all",
        }
    }

    /// Indices of the components in a space of that dimension; none where it has not that many.
    pub fn indices(self, dimension: usize) -> std::ops::Range<usize> {
        let only = |i: usize| i..(i + 1).min(dimension);
        match self {
            Self::X => only(0),
            Self::Y => only(1),
            Self::Z => only(2),
            Self::All => 0..dimension,
        }
    }
}
