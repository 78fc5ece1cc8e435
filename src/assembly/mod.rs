//! From mesh and materials to M, K, C, loads, driven dofs and the static pre-load.

mod dofs;
mod loads;
mod matrices;
mod preload;
mod stress;

pub use dofs::{DofMap, Driven, Motion};
pub use loads::{Load, Loads, OrientedEdge, edge_load};
pub use matrices::{Body, MassKind, assemble};
pub use preload::{Floating, static_solve};
pub use stress::{ElementStress, stress_of};
