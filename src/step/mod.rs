//! Time stepping: the problem, the state, and one file per scheme.

mod contact_stage;
mod generalised_alpha;
mod joints;
mod mass;
mod moreau_jean;
mod preparation;
mod problem;
mod rounding;
mod scheme;
mod state;
mod stepper;

pub use contact_stage::ContactState;
pub use generalised_alpha::GeneralisedAlpha;
pub use moreau_jean::MoreauJean;
pub use preparation::Preparation;
pub use problem::{Problem, VelocityScale};
pub use scheme::{Alpha, Forecast, Scheme};
pub use state::State;
pub use stepper::Stepper;
