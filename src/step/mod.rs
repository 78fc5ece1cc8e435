//! Time stepping: the problem, the state, and one file per scheme.

mod moreau_jean;
mod problem;
mod state;

pub use moreau_jean::{ContactState, MoreauJean, Preparation};
pub use problem::{Problem, VelocityScale};
pub use state::State;
