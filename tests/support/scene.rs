//! A body against an obstacle in memory: a mesh, the text of a case, and what a march meets.

use std::sync::Arc;

use delassus::case::Case;
use delassus::contact::Against;
use delassus::contact::obstacle::Obstacle;
use delassus::contact::solver::{SolveStatus, Target};
use delassus::energy::{Certificate, Coverage, Totals};
use delassus::error::Error;
use delassus::linalg::dot;
use delassus::mesh::Mesh;
use delassus::model::{Model, add_system};
use delassus::step::{ContactState, March, Problem, State};

use super::Folder;

/// What a march left and met.
pub struct Marched {
    /// Displacements at the end.
    pub q: Vec<f64>,
    /// Σ M v at the start and at the end.
    pub momentum: [[f64; 3]; 2],
    /// Impulse of all contacts on the body in each step, in space.
    pub impulses: Vec<[f64; 3]>,
    /// Σ p·w of the velocities w that obstacles have where they are touched, from their motion alone.
    pub work_of_obstacles: f64,
    /// Energy at the start, and the account at the end.
    pub energy: f64,
    pub totals: Totals,
    pub certificate: Certificate,
    /// Steps with contact.
    pub touching: usize,
}

/// The gap tolerance is given, so that it is the same however the problem is turned.
pub const SCHEME: &str = "gap_tolerance = 1e-11\n";

/// Error left by the contact solver, relative: as small as rounding lets all methods reach.
const SOLVED: f64 = 1e-12;

/// A case ready to be stepped.
pub struct Ready {
    pub case: Case,
    pub problem: Arc<Problem>,
    pub state: State,
    pub coverage: Coverage,
}

/// Reads a case and builds its problem, with the nodes of its masses and bodies beside those of the mesh.
pub fn prepare(text: &str, mesh: &Mesh) -> Result<Ready, Error> {
    let folder = Folder::new();
    folder.write("case.toml", text);
    let case = Case::read(&folder.path("case.toml"), &[])?;
    let mut mesh = mesh.clone();
    add_system(&case, &mut mesh)?;
    let Model { problem, state, coverage, .. } = Model::build(&case, &mesh)?;
    Ok(Ready { case, problem, state, coverage })
}

impl Ready {
    /// A march with contacts solved to the smallest error that rounding lets all methods reach.
    pub fn march(&self) -> March {
        let (method, target) = (self.case.solver.method, Target::new(SOLVED, 20_000));
        March::new(&self.problem, self.state.clone(), method, target).unwrap()
    }
}

/// Marches the case, with another obstacle in its first contact where one is given.
pub fn march(text: &str, mesh: &Mesh, other: Option<Obstacle>) -> Marched {
    let mut ready = prepare(text, mesh).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Some(obstacle) = other {
        let problem = Arc::make_mut(&mut ready.problem);
        problem.contacts.sets[0].against = Against::Obstacle(Box::new(obstacle));
    }
    let Ready { case, problem, coverage, .. } = &ready;
    let mut march = ready.march();
    let start = march.energies_at_start().total();
    let mut met = Met { momentum: momentum(problem, march.state()), ..Met::default() };
    for _ in 0..case.scheme.steps {
        let before = march.state().clone();
        let report = march.step().solve;
        assert_eq!(report.status, SolveStatus::Converged, "step {}: {report:?}", before.step + 1);
        met.enter(problem, &before, march.state(), march.contacts());
    }
    let (totals, certificate) =
        (*march.ledger().totals(), Certificate::new(*coverage, march.worst()));
    let state = march.into_state();
    Marched {
        momentum: [met.momentum, momentum(problem, &state)],
        q: state.q,
        touching: met.impulses.iter().filter(|p| **p != [0.0; 3]).count(),
        impulses: met.impulses,
        work_of_obstacles: met.work,
        energy: start,
        totals,
        certificate,
    }
}

#[derive(Default)]
struct Met {
    momentum: [f64; 3],
    impulses: Vec<[f64; 3]>,
    work: f64,
}

impl Met {
    /// Sums the impulses of a step, and their work at the mean velocity of the obstacles over it.
    fn enter(&mut self, problem: &Problem, before: &State, after: &State, contact: &ContactState) {
        let mut sum = [0.0; 3];
        for &c in &contact.active {
            let candidate = &problem.contacts.candidates[c as usize];
            let p = contact.frame[c as usize].to_space(contact.impulse[c as usize]);
            let set = candidate.set;
            let mean =
                before.poses[set].with_mean_velocity(&after.poses[set], problem.scheme.theta());
            let x = candidate.grip.place(problem.dofs.dimension, &before.q);
            let obstacle = problem.contacts.sets[set].against.obstacle().unwrap();
            let w = obstacle.velocity_at(x, &mean);
            self.work += dot(&p, &w);
            sum.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
        }
        self.impulses.push(sum);
    }
}

/// Σ M v.
fn momentum(problem: &Problem, state: &State) -> [f64; 3] {
    let mut sum = [0.0; 3];
    let d = problem.dofs.dimension;
    state.mv.iter().enumerate().for_each(|(dof, m)| sum[dof % d] += m);
    sum
}

/// Largest difference of two vectors, relative to the largest entry of the first.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = a.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}
