//! Elements: shape functions and the integrals that need them, one file per element.

mod triangle3;

pub use triangle3::Triangle3;
