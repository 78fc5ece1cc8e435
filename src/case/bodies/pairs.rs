//! Which contact set rules which pair of bodies.

/// A word of `between`, resolved: from the most special to the most general.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordCase {
    /// One body.
    Body(String),
    /// All bodies of a table.
    Table(String),
    /// All bodies of a material.
    Material(String),
    /// Every body.
    Any,
}
