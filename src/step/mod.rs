//! Time stepping: the problem, the state, and one file per scheme.

mod contact_stage;
mod contact_state;
mod joints;
mod moreau_jean;
mod preparation;
mod problem;
mod scheme;
mod state;
mod stepper;

pub use contact_state::ContactState;
pub use moreau_jean::MoreauJean;
pub use preparation::Preparation;
pub use problem::{Problem, VelocityScale};
pub use scheme::{Forecast, Scheme};
pub use state::State;
pub use stepper::Stepper;
