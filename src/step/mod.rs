//! Time stepping: the problem, the state, and one file per scheme.

mod bodies;
mod central_difference;
mod contact_stage;
mod contact_state;
mod forces;
mod generalised_alpha;
mod joints;
mod march;
mod mass;
mod matrices;
mod moreau_jean;
mod plain_newmark;
mod preparation;
mod presence;
mod problem;
mod rounding;
mod schatzman_paoli;
mod scheme;
mod starting;
mod state;
mod stepper;
mod two_step;

pub use bodies::ConnectedBodies;
pub use central_difference::largest_stable_step;
pub use contact_state::ContactState;
use generalised_alpha::GeneralisedAlpha;
pub use march::{March, StepStage, Stepped};
pub use matrices::{ContactMatrices, Matrices};
pub use moreau_jean::MoreauJean;
pub use preparation::Preparation;
pub use problem::{Presence, Problem};
pub use scheme::{Alpha, Forecast, Scheme, TheoremSetting};
pub use starting::close_joints;
pub use state::{SchemeMemory, State};
pub use stepper::Stepper;
