//! What a run leaves behind: VTK frames, history, contacts, summary. Each recorder stands behind one
//! trait.

mod appended;
mod atomic;
mod contact_points;
mod contacts;
mod fields;
mod folder;
mod history;
mod pvd;
mod rows;
mod summary;
mod table;
mod trajectory;
mod verify;
pub mod vtu;
mod xml;

pub use atomic::write_whole;
pub use contact_points::ContactPoints;
pub use contacts::write_contacts;
pub use fields::Fields;
pub use folder::{REPORT_MARK, ResultsFolder};
pub use history::{COLUMNS, History};
pub use pvd::Collection;
pub use summary::{
    CaseSummary, ContactSummary, Counts, Energies, MaterialSummary, MethodShare, Scales,
    SchemeSummary, SolverSummary, Stage, Summary, Timings,
};
pub use table::Table;
pub use trajectory::Trajectory;
pub use verify::{Check, Verification, verify};

use crate::contact::solver::SolveReport;
use crate::energy::Ledger;
use crate::error::Error;
use crate::step::{ContactState, Problem, State};

/// What a recorder sees after a step.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The state.
    pub state: &'a State,
    /// What is stepped.
    pub problem: &'a Problem,
    /// What they did.
    pub contact: &'a ContactState,
    /// The account.
    pub ledger: &'a Ledger,
    /// How the contact solve ended.
    pub solve: SolveReport,
}

/// Something that writes down a run as it goes.
pub trait Recorder {
    /// Called at t = 0 and after every step.
    fn record(&mut self, view: &View) -> Result<(), Error>;

    /// Called once at the end, also of a run that failed: what was seen is on disk after it.
    fn finish(&mut self) -> Result<(), Error>;
}
