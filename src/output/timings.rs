//! Seconds of a run, by stage.

use serde::{Deserialize, Serialize};

use crate::tape::Tape;

/// Seconds spent, by all that had a part in a run that was gone on with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Reading the mesh.
    pub mesh: f64,
    /// Matrices, loads, order, pre-load.
    pub assembly: f64,
    /// Factorisation and Delassus operator.
    pub factor: f64,
    /// Right-hand side and the products with M and K.
    pub rhs: f64,
    /// Sweep down.
    pub forward: f64,
    /// Cone problem.
    pub contact: f64,
    /// Sweep up.
    pub backward: f64,
    /// Energy ledger.
    pub ledger: f64,
    /// Files.
    pub output: f64,
    /// All of the run.
    pub total: f64,
}

/// The stages of a step, as the timing table names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Right-hand side and products.
    Rhs,
    /// Sweep down.
    Forward,
    /// Cone problem.
    Contact,
    /// Sweep up.
    Backward,
    /// Energy ledger.
    Ledger,
    /// Files.
    Output,
}

impl Timings {
    /// Adds seconds to a stage.
    pub fn add(&mut self, stage: Stage, seconds: f64) {
        *match stage {
            Stage::Rhs => &mut self.rhs,
            Stage::Forward => &mut self.forward,
            Stage::Contact => &mut self.contact,
            Stage::Backward => &mut self.backward,
            Stage::Ledger => &mut self.ledger,
            Stage::Output => &mut self.output,
        } += seconds;
    }

    /// Adds those of an earlier part of the run.
    pub fn add_all(&mut self, earlier: &Self) {
        let mut earlier = *earlier;
        self.each_mut().into_iter().zip(earlier.each_mut()).for_each(|(sum, part)| *sum += *part);
    }

    /// Passes over them.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.each_mut().into_iter().for_each(|seconds| tape.real(seconds));
    }

    fn each_mut(&mut self) -> [&mut f64; 10] {
        [
            &mut self.mesh,
            &mut self.assembly,
            &mut self.factor,
            &mut self.rhs,
            &mut self.forward,
            &mut self.contact,
            &mut self.backward,
            &mut self.ledger,
            &mut self.output,
            &mut self.total,
        ]
    }

    /// Seconds of all stages of all steps.
    pub fn stepping(&self) -> f64 {
        self.rhs + self.forward + self.contact + self.backward + self.ledger + self.output
    }
}
