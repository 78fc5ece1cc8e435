//! Finite-element elastodynamics with unilateral contact, impact and Coulomb friction, stepped by the
//! Moreau–Jean scheme with the Frémond impact law, with the discrete energy balance checked at every
//! step and every contact.
//!
//! # The problem
//!
//! ```text
//!     M v̇ + C v + K q = F(t) + Hᵀ r          M, K, C of a finite-element mesh
//!     u = H v                                relative velocities of contact nodes, normal first
//!     K* ∋ û + μ‖û_T‖n ⟂ p ∈ K               unilateral contact, Coulomb friction, impact
//! ```
//!
//! A step of size h, with M̂ = M + hθC + h²θ²K factored once and W = H M̂⁻¹ Hᵀ, is
//!
//! ```text
//!     M̂ v_θ = M v_k − hθ K q_k + hθ F_θ + θ Hᵀ p                                          (97)
//!     v_{k+1} = (v_θ − (1−θ) v_k)/θ          q_{k+1} = q_k + h v_θ
//! ```
//!
//! and every step closes the energy identity
//!
//! ```text
//!     ΔE − W_ext − W_damp = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K) + Σ_α (u_N,θ p_N + u_T,θ·p_T)          (65)
//! ```
//!
//! With the Frémond law, ½ ≤ θ ≤ 1/(1+e) and the index set (64), no term of the sum is positive: that
//! is the theorem this engine exists to show. Equation numbers are those of V. Acary and
//! N. Collins-Craft, *On the Moreau–Jean scheme with the Frémond impact law: energy conservation and
//! dissipation properties for elastodynamics with contact, impact and friction* (2024),
//! hal-04230941; numbers local to a file count from (1).
//!
//! Other schemes stand beside it, each with an identity of its own: see [`step`] and `docs/src/schemes.md`.
//!
//! # Notation
//!
//! Of each word, the room and the type it belongs to; `tests/house/words.rs` looks them up.
//!
//! | symbol | in code | meaning |
//! |---|---|---|
//! | q, v | `step::State::q`, `step::State::v` | displacements, velocities |
//! | h, θ | `step::Problem::h`, `step::Scheme::theta` | step size, parameter of the scheme |
//! | M, K | `step::Problem::operator`, `linalg::BlockOperator` | mass and stiffness, node block by node block |
//! | C | `step::Problem::damping` | damping |
//! | F | `assembly::Loads` | external forces |
//! | M̂ = L Lᵀ | `step::Problem::effective_mass`, `linalg::Factor` | effective mass and its Cholesky factor |
//! | g | `contact::Contact::gap` | gap |
//! | (n, t₁, t₂) | `contact::Frame::axes` | frame of a contact |
//! | H | `contact::HRows`, `contact::HRow` | rows of H of contacts and joints, each over the dofs that move it |
//! | M̂⁻¹ | `contact::Response` | response between the contact dofs, from which W is a product of small matrices |
//! | W, b, μ | `contact::ConeProblem::w`, `contact::ConeProblem::b`, `contact::ConeProblem::mu` | Delassus matrix, free velocity, friction |
//! | u = H v | `contact::HRow::velocity` | relative velocity, normal first |
//! | û = W p + b | `contact::ConeProblem::velocity_into` | as the cone sees it |
//! | p | `step::ContactState::impulse` | impulses, normal first |
//! | e, e_T | `contact::Restitution::normal`, `contact::Restitution::tangential` | coefficients of the impact law |
//! | (64) | `contact::Activation` | which contacts take part in a step |
//!
//! In a formula of the code these are the letters of the table: `q`, `v`, `h`, `theta`, `u`, `p`, `w`, `b`, `mu`.
//!
//! # The rooms, in reading order
//!
//! Doors are one-way; `tests/house/doors.rs` reads the `use` lines and holds them to this table.
//!
//! | room | what it does | doors to |
//! |---|---|---|
//! | `cli` | commands; the only room that prints | `case`, `compare`, `contact`, `energy`, `error`, `explore`, `figures`, `friction`, `mesh`, `output`, `plot`, `report`, `results`, `simulation`, `study`, `verify` |
//! | `verify` | the verdict again, from the files alone | `case`, `energy`, `error`, `model`, `output` |
//! | `study` | one case, varied: runs within a budget or a Slurm array, one table, rates | `case`, `compare`, `error`, `output`, `plot`, `simulation`, `units` |
//! | `report` | results as one page | `compare`, `energy`, `error`, `figures`, `mesh`, `output`, `plot`, `results`, `units`, `vector` |
//! | `compare` | runs side by side: figures and a table | `case`, `energy`, `error`, `figures`, `output`, `results`, `simulation` |
//! | `explore` | all solutions of one step: motions, sets of impulses, rest | `case`, `contact`, `error`, `model`, `output`, `plot`, `simulation`, `step` |
//! | `friction` | cone problems from files, solved on their own | `contact`, `error`, `linalg`, `output`, `plot`, `problem_file`, `simulation` |
//! | `simulation` | **start here**: `run()` | `assembly`, `case`, `contact`, `energy`, `error`, `mesh`, `model`, `output`, `rigid`, `step`, `tape` |
//! | `model` | case + mesh → problem and state at t = 0; a system put together in code | `assembly`, `case`, `contact`, `energy`, `error`, `linalg`, `material`, `mesh`, `rigid`, `step`, `time`, `vector` |
//! | `case` | cases: read from a file, raw → checked, or made by a program | `assembly`, `contact`, `error`, `material`, `rigid`, `step`, `time`, `units`, `vector` |
//! | `output` | VTK, history, contacts, summary | `assembly`, `contact`, `energy`, `error`, `mesh`, `rigid`, `step`, `tape`, `units`, `vector` |
//! | `figures` | what is drawn of runs: each alone, or several in one | `energy`, `error`, `plot`, `results`, `units`, `vector` |
//! | `results` | a results folder read back | `energy`, `error`, `output`, `units` |
//! | `step` | problem, state, one file per scheme | `assembly`, `contact`, `energy`, `linalg`, `tape`, `vector` |
//! | `energy` | the table of energy terms, ledger and certificate | `contact`, `tape` |
//! | `contact` | obstacles, H, responses and W, laws, cone problem and its solvers | `linalg`, `tape`, `time`, `vector` |
//! | `assembly` | M, K, C, loads, driven dofs, pre-load, stresses | `element`, `linalg`, `material`, `mesh`, `time` |
//! | `linalg` | node graph, nested dissection, Cholesky factor, sweeps; the only room that names `faer` | |
//! | `element` | one file per element | `material`, `mesh`, `vector` |
//! | `material` | elasticity in the plane, in space and along bars | |
//! | `mesh` | points, elements, groups; Gmsh files | `vector` |
//! | `rigid` | rigid bodies: outlines in the plane, solids in space; what of a system is drawn | `contact`, `vector` |
//! | `time` | time functions | |
//! | `tape` | what lives from step to step, into a checkpoint and back | |
//! | `vector` | vectors of space as plain arrays: their one algebra | |
//! | `units` | names of units, from a case's own | |
//! | `plot` | figures: plain data in, SVG or PNG out | |
//! | `problem_file` | cone problems in FCLIB, Siconos and neutral files | |
//! | `error` | the one error type | `mesh`, `problem_file` |
//!
//! # From the first line to the numbers
//!
//! Who calls whom from `main` to the solution of the contacts, and to the energy identity; `tests/house/hops.rs` follows
//! both, function by function.
//!
//! | contacts | identity | file |
//! |---|---|---|
//! | `main` | `main` | `src/cli.rs` |
//! | `run` | `run` | `src/cli.rs` |
//! | `run` | `run` | `src/simulation.rs` |
//! | `take` | `take` | `src/simulation.rs` |
//! | `take_steps` | `take_steps` | `src/simulation/run.rs` |
//! | `step_watched` | `step_watched` | `src/step/march.rs` |
//! | `contact` | `ledger` | `src/step/moreau_jean.rs` |
//! | | `terms` | `src/step/moreau_jean/ledger.rs` |
//! | `solve` | | `src/step/contact_stage.rs` |
//! | `solve` | | `src/contact/solver/islands.rs` |
//!
//! # From a program
//!
//! A [`model::System`] is put together in code and marched step by step; the guide of the book, `docs/src/library.md`, has
//! programs that load, push back and read contact forces, and one with an obstacle and a law of its own. A case file is run so:
//!
//! ```no_run
//! use delassus::{case::Case, simulation};
//!
//! struct Silent;
//! impl simulation::Observer for Silent {
//!     fn notice(&mut self, _: &str) {}
//!     fn progress(&mut self, _: &simulation::Progress) {}
//! }
//!
//! # fn main() -> Result<(), delassus::error::Error> {
//! let overrides = ["scheme.step=1e-3".to_string()];
//! let case = Case::read("cases/sliding_block.toml".as_ref(), &overrides)?;
//! let summary = simulation::run(&case, "results/coarse".as_ref(), &mut Silent)?;
//! println!("{}: {}", summary.case.name, summary.certificate.verdict);
//! # Ok(())
//! # }
//! ```

pub mod assembly;
pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "figures")]
pub mod compare;
pub mod contact;
pub mod element;
pub mod energy;
pub mod error;
#[cfg(feature = "figures")]
pub mod explore;
#[cfg(feature = "figures")]
pub mod figures;
#[cfg(feature = "figures")]
pub mod friction;
pub mod linalg;
pub mod material;
pub mod mesh;
pub mod model;
pub mod output;
#[cfg(feature = "figures")]
pub mod plot;
pub mod problem_file;
#[cfg(feature = "figures")]
pub mod report;
pub mod results;
pub mod rigid;
pub mod simulation;
pub mod step;
#[cfg(feature = "studies")]
pub mod study;
pub mod tape;
pub mod time;
pub mod units;
mod vector;
pub mod verify;

/// The examples of the book's guide to the library, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/library.md")]
pub struct LibraryGuide;
