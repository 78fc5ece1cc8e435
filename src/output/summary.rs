//! `summary.json`: what was run, how it went, what it cost.

use std::collections::BTreeMap;
use std::ops::Index;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Departures;
use super::seal::sealed;
use super::{Timings, write_whole};
use crate::contact::{Activation, ActivationRule};
use crate::energy::{Certificate, TOTAL, Term, Terms, Verdict, read_under_columns};
use crate::error::Error;
use crate::step::Scheme;

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
    /// How far the run departed from what its model holds for.
    #[serde(default)]
    pub departures: Departures,
    /// What was mended or is worth knowing.
    pub notices: Vec<String>,
    /// Digest of each table beside it: FNV-1a of its bytes.
    #[serde(default)]
    pub digests: BTreeMap<String, String>,
    /// Digest of all that stands before it; it is the last entry.
    #[serde(default)]
    pub seal: String,
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
    /// μ; none where a program gives it by a law.
    pub friction: Option<f64>,
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
    /// Contact sets with an obstacle.
    #[serde(default)]
    pub obstacles: usize,
    /// Rigid bodies, where any of them may touch another.
    #[serde(default)]
    pub meeting_bodies: usize,
    /// Pairs of them that met.
    #[serde(default)]
    pub pairs: usize,
    /// Most active contacts in a step.
    #[serde(default)]
    pub most_contacts: usize,
    /// Most active contacts between bodies in a step.
    #[serde(default)]
    pub most_contacts_of_bodies: usize,
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
    /// A gap up to this is closed.
    pub gap_tolerance: f64,
    /// A normal velocity up to this is not leaving; of activation = "gap and velocity" only.
    pub velocity_tolerance: Option<f64>,
}

impl Scales {
    /// Of an activation.
    pub fn of(activation: &Activation) -> Self {
        let velocity_tolerance = match activation.rule {
            ActivationRule::Approaching { velocity_tolerance } => Some(velocity_tolerance),
            ActivationRule::Closed | ActivationRule::GapAlone => None,
        };
        Self { gap_tolerance: activation.gap_tolerance, velocity_tolerance }
    }
}

/// Energies and works at the end, each under its column of `history.csv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// Total energy at t = 0.
    pub total_start: f64,
    /// Strain energy at t = 0.
    pub strain_start: f64,
    /// Total.
    pub total: f64,
    /// A number for each term.
    pub terms: Terms,
}

/// Keys of what is of the start.
const AT_START: [&str; 2] = ["total_start", "strain_start"];

/// Keys of the certificate that its terms give it.
pub fn keys_of_largest_works() -> impl Iterator<Item = &'static str> {
    Term::largest().map(|(_, key)| key)
}

impl Energies {
    /// Its keys in `summary.json`.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        AT_START.into_iter().chain(Term::columns())
    }

    /// Those of the end, under their columns.
    pub fn under_columns(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.terms.under_columns(self.total)
    }

    /// With what stands under all the columns at the end.
    pub fn at_end(self, under: &BTreeMap<&'static str, f64>) -> Self {
        let terms = Terms::of(Term::ALL.map(|term| (term, under[term.line().column])));
        Self { total: under[TOTAL], terms, ..self }
    }
}

impl Index<Term> for Energies {
    type Output = f64;

    fn index(&self, term: Term) -> &f64 {
        &self.terms[term]
    }
}

impl Serialize for Energies {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let at_start = AT_START.into_iter().zip([self.total_start, self.strain_start]);
        to.collect_map(at_start.chain(self.under_columns()))
    }
}

impl<'de> Deserialize<'de> for Energies {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = read_under_columns(from, Self::keys())?;
        let [total_start, strain_start] = AT_START.map(|key| found[key]);
        let start = Self { total_start, strain_start, total: 0.0, terms: Terms::default() };
        Ok(start.at_end(&found))
    }
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

impl Summary {
    /// Writes it under a seal, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let write = |out: &mut dyn std::io::Write| {
            let mut text = serde_json::to_string_pretty(self)?;
            text.push('\n');
            out.write_all(sealed(&text).as_bytes())
        };
        write_whole(path, write).map_err(|source| Error::Write { path: path.into(), source })
    }

    /// An error where the identity did not close, or where a theorem that covers the run was broken.
    pub fn judge(&self) -> Result<(), Error> {
        let certificate = &self.certificate;
        let broken = certificate.coverage.holds() && certificate.verdict == Verdict::Violated;
        if !certificate.balanced() || broken {
            return Err(Error::Check(format!(
                "the certificate is violated: {}; balance residual {:.1e} of the energy scale; try a smaller \
                 solver.tolerance or scheme.step",
                certificate.reason(),
                certificate.max_balance_residual,
            )));
        }
        Ok(())
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
