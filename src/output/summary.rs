//! `summary.json`: what was run, how it went, what it cost.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::write_whole;
use crate::energy::{Certificate, Verdict};
use crate::error::Error;
use crate::step::Scheme;
use crate::tape::Tape;

/// The whole summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of the engine.
    pub version: String,
    /// Whether all steps were taken; one that was interrupted can be gone on with.
    #[serde(default = "yes")]
    pub finished: bool,
    /// What was run.
    pub case: CaseSummary,
    /// How it was stepped.
    pub scheme: SchemeSummary,
    /// Sizes.
    pub counts: Counts,
    /// Tolerances and where they come from.
    pub scales: Scales,
    /// Energies and works at the end.
    pub energies: Energies,
    /// The contact solver.
    pub solver: SolverSummary,
    /// Seconds.
    pub timings: Timings,
    /// Peak memory of the process in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// Most bytes that factor, Delassus operator and cone problem could take, known before the first
    /// of them was made.
    pub predicted_memory: u64,
    /// Bytes of the Cholesky factor and of the Delassus operator.
    pub factor_memory: u64,
    /// Whether anything created energy.
    pub certificate: Certificate,
    /// What was mended or is worth knowing.
    pub notices: Vec<String>,
}

/// Only runs that finished had a summary when it did not say.
fn yes() -> bool {
    true
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseSummary {
    /// Name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Units of every number.
    pub units: String,
    /// Values set on top of the file.
    pub overrides: Vec<String>,
    /// Its file, as it was named.
    #[serde(default)]
    pub file: String,
    /// The text of that file, without the values set on top of it.
    #[serde(default)]
    pub text: String,
    /// The mesh file it names, where there is one.
    #[serde(default)]
    pub mesh: Option<String>,
    /// `KEY=HASH` of each file that it names: FNV-1a of its bytes.
    #[serde(default)]
    pub files: Vec<String>,
    /// Materials.
    #[serde(default)]
    pub materials: Vec<MaterialSummary>,
}

/// A material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialSummary {
    /// Name in the case.
    pub name: String,
    /// Group of its elements; none where it is the whole body.
    pub group: Option<String>,
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density.
    pub density: f64,
    /// "plane stress", "plane strain", "solid" or "bar".
    pub section: String,
    /// Thickness of a plane body, or area of a bar; 1 for a solid.
    pub depth: f64,
}

/// How it was stepped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeSummary {
    /// Kind and parameters.
    #[serde(flatten)]
    pub parameters: Scheme,
    /// Law.
    pub law: String,
    /// h.
    pub step: f64,
    /// End time.
    pub end: f64,
    /// Activation.
    pub activation: String,
    /// Whether any frame of a contact, or gradient of a joint, turns.
    pub frames_turn: bool,
    /// Whether anything is damped.
    #[serde(default)]
    pub damped: bool,
    /// Beyond it steps explode; none where every step is stable.
    pub largest_stable_step: Option<f64>,
    /// The law of each contact set, sliders among them.
    pub contacts: Vec<ContactSummary>,
}

/// The law of one contact set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSummary {
    /// Name in the case.
    pub name: String,
    /// μ.
    pub friction: f64,
    /// e.
    pub restitution: f64,
    /// e_T.
    pub tangential_restitution: f64,
}

/// Sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Nodes.
    pub nodes: usize,
    /// Elements of the body.
    pub elements: usize,
    /// Dofs, driven ones included.
    pub dofs: usize,
    /// Driven dofs.
    pub driven_dofs: usize,
    /// Point masses.
    pub masses: usize,
    /// Rigid bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Contact candidates.
    pub contact_nodes: usize,
    /// Steps taken.
    pub steps: usize,
    /// Steps whose solve was refined because the balance asked for it.
    pub refined_steps: usize,
    /// Stored entries of the Cholesky factor.
    pub factor_entries: usize,
    /// Rows between which history.csv leaves steps out; 1 = none, 0 = no history.
    pub history_every: usize,
    /// Steps between frames; 0 for none.
    #[serde(default)]
    pub fields_every: usize,
}

/// Tolerances and where they come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    /// The largest velocity the data speak of.
    pub velocity: f64,
    /// A gap up to this is closed.
    pub gap_tolerance: f64,
    /// A normal velocity up to this is not leaving; none with activation = "gap".
    pub velocity_tolerance: Option<f64>,
}

/// Energies and works at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Energies {
    /// Total energy at t = 0.
    pub total_start: f64,
    /// Strain energy at t = 0.
    pub strain_start: f64,
    /// Kinetic.
    pub kinetic: f64,
    /// Strain.
    pub strain: f64,
    /// Potential.
    pub potential: f64,
    /// Total.
    pub total: f64,
    /// Work of external forces.
    pub work_external: f64,
    /// Work of damping.
    pub work_damping: f64,
    /// Normal contact work.
    pub work_normal: f64,
    /// Tangential contact work.
    pub work_tangential: f64,
    /// Numerical dissipation.
    pub dissipation_numerical: f64,
}

/// The contact solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolverSummary {
    /// Method.
    pub method: String,
    /// Tolerance.
    pub tolerance: f64,
    /// Iterations of all steps.
    pub iterations: u64,
    /// Iterations per step with contact.
    pub iterations_per_step: f64,
    /// Most iterations of a step.
    pub most_iterations: u64,
    /// Largest error of a step.
    pub largest_error: f64,
    /// Steps with at least one active contact.
    pub steps_with_contact: u64,
    /// Steps that did not reach the tolerance.
    pub unconverged_steps: u64,
    /// What `auto` used.
    pub shares: Vec<MethodShare>,
}

/// One method's share in the solves of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodShare {
    /// The method.
    pub method: String,
    /// How often it was used.
    pub turns: u64,
    /// Its iterations.
    pub iterations: u64,
}

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
    pub fn keep(&mut self, tape: &mut Tape) {
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

impl Summary {
    /// Writes it whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let write = |out: &mut dyn std::io::Write| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        };
        write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
    }

    /// An error where the identity did not close, or where a theorem that covers the run was broken.
    pub fn judge(&self) -> Result<(), Error> {
        let certificate = &self.certificate;
        let broken = certificate.coverage.holds() && certificate.verdict == Verdict::Violated;
        if !certificate.balanced() || broken {
            return Err(Error::Check(format!(
                "the certificate is violated: balance residual {:.1e} of the energy scale, largest \
                 tangential work {:.1e}, largest normal work {:.1e}; try a smaller solver.tolerance",
                certificate.max_balance_residual,
                certificate.max_tangential_work,
                certificate.max_normal_work
            )));
        }
        Ok(())
    }

    /// Reads that of a results folder.
    pub fn read_in(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("summary.json");
        let complain = |path: &Path, message: &str| {
            Err(Error::Results { path: path.into(), message: message.into() })
        };
        if path.exists() {
            Self::read(&path)
        } else if folder.join("history.csv").exists() {
            let message = match super::ResultsFolder::at(folder).checkpoints()?.is_empty() {
                true => {
                    "there is none beside history.csv: the run did not finish; run the case again"
                }
                false => {
                    "there is none beside history.csv: the run did not finish; go on with it: delassus run \
                     CASE --resume, with its --out and --set"
                }
            };
            complain(&path, message)
        } else if folder.is_dir() {
            let message = "there is no summary.json in it; give the results folder of a run";
            complain(folder, message)
        } else {
            let what = if folder.exists() { "it is a file" } else { "there is no such folder" };
            complain(folder, &format!("{what}; give the results folder of a run"))
        }
    }

    /// Reads it back.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.into(), source })?;
        let complain = |e| Error::Results {
            path: path.into(),
            message: format!("{e}; was it changed by hand? run the case again"),
        };
        serde_json::from_str(&text).map_err(complain)
    }
}
