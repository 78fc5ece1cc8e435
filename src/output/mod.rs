//! What a run leaves behind: VTK frames, history, contacts, pairs of bodies, summary. Each recorder stands behind one
//! trait.

mod appended;
mod atomic;
mod bodies;
mod body_poses;
mod checkpoint;
mod contact_forces;
mod contact_points;
mod contacts;
mod departures;
mod fields;
mod folder;
mod frames;
mod history;
mod matrices;
mod obstacles;
mod pair_sums;
mod pairs;
mod pvd;
mod rows;
mod seal;
mod started;
mod summary;
mod table;
mod timings;
mod trajectory;
pub mod vtu;
mod xml;

pub use atomic::write_whole;
pub use bodies::{read_bodies, write_bodies};
pub use checkpoint::{Unsealed, hash_of, unseal, write_sealed};
pub use contact_points::ContactPoints;
pub use contacts::write_contacts;
pub use departures::{BodyDistortion, Crossing, Departure, Departures, Penetration};
pub use fields::Fields;
#[cfg_attr(not(feature = "studies"), allow(unused_imports))]
pub(crate) use folder::{FolderLock, LockKind, lock_folder};
pub use folder::{REPORT_MARK, ResultsFolder};
pub use frames::Cadence;
pub use history::{History, history_columns};
pub use matrices::{MatricesWritten, write_matrices};
pub use obstacles::Obstacles;
pub use pairs::write_pairs;
pub use pvd::Collection;
pub use seal::{DIGESTED, digest, digests, seal_of};
pub use started::{STARTED, Standing, Unfinished};
pub use summary::{
    CaseSummary, ContactSummary, Counts, Energies, MaterialSummary, MethodShare, Scales,
    SchemeSummary, SolverSummary, Summary, keys_of_largest_works,
};
pub use table::Table;
pub use timings::{Stage, Timings};
pub use trajectory::Trajectory;

use crate::contact::solver::SolveReport;
use crate::energy::Ledger;
use crate::error::Error;
use crate::step::{ContactState, Problem, State};
use crate::tape::Tape;

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
    /// How far the step is from what the model holds for.
    pub departure: Departure,
}

/// After which step a run is, and how large its steps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Steps taken.
    pub step: usize,
    /// h.
    pub h: f64,
}

/// Something that writes down a run as it goes.
pub trait Recorder {
    /// Called at t = 0 and after every step.
    fn record(&mut self, view: &View) -> Result<(), Error>;

    /// Passes over what it remembers at a moment. All it was shown is on disk when the tape is written; when
    /// it is read, what is on disk from later moments goes.
    fn remember(&mut self, at: Moment, tape: &mut Tape) -> Result<(), Error>;

    /// Called now and then: what it was shown is on disk after it, for those who read a run that is going.
    fn hand_over(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Called once at the end, also of a run that failed: what was seen is on disk after it.
    fn finish(&mut self) -> Result<(), Error>;
}
