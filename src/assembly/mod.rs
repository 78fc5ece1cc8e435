//! From mesh and materials to M, K, C, loads, driven dofs and the static pre-load.

mod body;
mod dofs;
mod feedback;
mod gauge;
mod loads;
mod matrices;
mod parts;
mod preload;
mod stress;

pub use crate::element::MassKind;
pub use body::{Body, NotOuter};
pub use dofs::{DofMap, Driven};
pub use feedback::Feedback;
pub use gauge::{Distortion, Gauge};
pub use loads::{Facet, Load, Loads, facet_areas, facet_load};
pub use matrices::{assemble, assemble_with};
pub use parts::{Parts, Spring};
pub use preload::{Floating, static_solve};
pub use stress::{ElementStress, stress_of};
