//! The methods by name.

use super::{
    Admm, Cascade, Coloured, ContactSolver, GaussSeidel, InteriorPoint, Islands, Newton, Proximal,
};

/// A method for the cone problem, as case files and the command line name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// [`Cascade`].
    Auto,
    /// [`GaussSeidel::accelerated`].
    Accelerated,
    /// [`Coloured`].
    Coloured,
    /// [`GaussSeidel::new`].
    GaussSeidel,
    /// [`GaussSeidel::damped`].
    Damped,
    /// [`Newton`].
    Newton,
    /// [`Proximal`].
    Proximal,
    /// [`InteriorPoint`].
    InteriorPoint,
    /// [`Admm`].
    Admm,
}

impl Method {
    /// All of them, the default first.
    pub const ALL: [Self; 9] = [
        Self::Auto,
        Self::Accelerated,
        Self::Coloured,
        Self::GaussSeidel,
        Self::Damped,
        Self::Newton,
        Self::Proximal,
        Self::InteriorPoint,
        Self::Admm,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Accelerated => "accelerated",
            Self::Coloured => "coloured",
            Self::GaussSeidel => "gauss-seidel",
            Self::Damped => "damped",
            Self::Newton => "newton",
            Self::Proximal => "proximal",
            Self::InteriorPoint => "interior-point",
            Self::Admm => "admm",
        }
    }

    /// What a step needs: this method on every island of contacts, with room for `contacts` contacts of `dimension`
    /// components.
    pub fn for_steps(self, dimension: usize, contacts: usize) -> Box<dyn ContactSolver> {
        Box::new(Islands::new(self.solver(dimension, contacts)))
    }

    /// A solver with room for `contacts` contacts of `dimension` components.
    pub fn solver(self, dimension: usize, contacts: usize) -> Box<dyn ContactSolver> {
        match self {
            Self::Auto => Box::new(Cascade::new(dimension, contacts)),
            Self::Accelerated => Box::new(GaussSeidel::accelerated(dimension, contacts)),
            Self::Coloured => Box::new(Coloured),
            Self::GaussSeidel => Box::new(GaussSeidel::new(dimension, contacts)),
            Self::Damped => Box::new(GaussSeidel::damped(dimension, contacts)),
            Self::Newton => Box::new(Newton::new(dimension, contacts)),
            Self::Proximal => Box::new(Proximal),
            Self::InteriorPoint => Box::new(InteriorPoint),
            Self::Admm => Box::new(Admm),
        }
    }
}
