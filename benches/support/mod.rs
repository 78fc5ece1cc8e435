//! What the benches share: the block at a size, and the clock.

#![allow(dead_code, clippy::print_stdout)]

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use delassus::assembly::{Body, DofMap, Loads, MassKind, assemble};
use delassus::contact::obstacle::{HalfPlane, Obstacle, RigidMotion, Shape, Translation};
use delassus::contact::solver::{Method, Target};
use delassus::contact::{Activation, Against, Candidate, ContactSet, Contacts, Law};
use delassus::linalg::BlockOperator;
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};
use delassus::step::{March, Problem, Scheme, State, StepStage, Stepper};
use delassus::time::{Motion, TimeFunction};

/// The material of the sliding-block case.
pub fn pmma(section: Section) -> Material {
    Material {
        young: 5750.0,
        poisson: 0.358,
        density: 1.17e-3,
        section,
        damping_mass: 0.0,
        damping_stiffness: 0.0,
    }
}

/// 40 × 25 mm of PMMA on a rigid floor that rises at 1e-3 mm/ms, with `cells` cells along its length.
pub fn block_mesh(cells: usize) -> Mesh {
    Mesh::rectangle([40.0, 25.0], [cells, cells * 5 / 8])
}

/// As tetrahedra on a floor of `cells` by `cells`: a block of PMMA with cells of 1 mm, `layers` high.
pub fn block_mesh_in_space(cells: usize, layers: usize) -> Mesh {
    let upper = [cells as f64, cells as f64, layers as f64];
    Mesh::block([0.0; 3], upper, [cells, cells, layers], ElementKind::Tetrahedron4)
}

/// A floor that rises at 1e-3 mm/ms.
fn rising_floor(dimension: usize) -> Obstacle {
    let mut up = [0.0; 3];
    up[dimension - 1] = 1.0;
    let shape = Shape::HalfPlane(HalfPlane { point: [0.0; 3], normal: up });
    let motion = Motion::Velocity { value: 1e-3, time: TimeFunction::Constant };
    let translation = Some(Translation { direction: up, motion });
    let motion = RigidMotion { translation, rotation: None };
    let obstacle = match dimension {
        3 => Obstacle::in_space(shape, motion),
        _ => Obstacle::in_plane(shape, motion),
    };
    obstacle.expect("a floor")
}

/// The block on its mesh.
pub fn block_body(mesh: &Mesh) -> Body<'_> {
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material_of = vec![0; elements.len()];
    let section = match mesh.dimension {
        3 => Section::Solid,
        _ => Section::PlaneStress { thickness: 15.0 },
    };
    Body { mesh, elements, material_of, materials: vec![pmma(section)] }
}

/// Its sole on the floor.
pub fn block_contacts(mesh: &Mesh) -> Contacts {
    let candidate = |&node: &u32| Candidate::node(node, mesh.points[node as usize], 0);
    Contacts {
        sets: vec![ContactSet {
            name: "floor".into(),
            against: Against::Obstacle(Box::new(rising_floor(mesh.dimension))),
            friction: 0.5.into(),
            restitution: Law::Fremond.restitution(0.5, 0.0, 0.0),
        }],
        candidates: mesh.groups["bottom"].nodes.iter().map(candidate).collect(),
        joints: Vec::new(),
        solids: Default::default(),
    }
}

/// The order of its dofs, those of the sole last.
pub fn block_order(mesh: &Mesh, operator: &BlockOperator) -> DofMap {
    let mut last = vec![false; mesh.points.len()];
    mesh.groups["bottom"].nodes.iter().for_each(|&node| last[node as usize] = true);
    DofMap::new(operator.graph(), operator.dimension(), &last, Vec::new(), Vec::new())
}

/// The block's discrete problem at step h, sliding and falling.
pub fn block(mesh: &Mesh, h: f64) -> (Body<'_>, Arc<Problem>, State) {
    let body = block_body(mesh);
    let (operator, damping) = assemble(&body, MassKind::Consistent);
    let dofs = block_order(mesh, &operator);
    let (problem, state) = block_problem(mesh, h, (operator, damping), dofs);
    (body, problem, state)
}

/// The discrete problem from its parts.
pub fn block_problem(
    mesh: &Mesh,
    h: f64,
    (operator, damping): (BlockOperator, Option<BlockOperator>),
    dofs: DofMap,
) -> (Arc<Problem>, State) {
    let contacts = block_contacts(mesh);
    let (n, d) = (operator.dofs(), operator.dimension());
    let v = (0..n).map(|dof| if dof % d < d - 1 { 1e-2 } else { -1e-3 }).collect();
    let state = State::new(&operator, vec![0.0; n], v, &contacts);
    let problem = Problem {
        operator,
        damping,
        dofs,
        loads: Loads::default(),
        contacts,
        rigid: Vec::new(),
        presences: Vec::new(),
        activation: Activation::closed(1e-10),
        scheme: Scheme::moreau_jean(0.5),
        h,
    };
    (Arc::new(problem), state)
}

/// Whether to measure, or only to run once as a test.
pub fn measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Cells along the block: about 2.5 k, 50 k and 200 k dofs.
pub fn sizes() -> &'static [usize] {
    if measuring() { &[44, 200, 400] } else { &[16] }
}

/// How often to repeat what costs a pass over `n` dofs.
pub fn repeats(n: usize) -> usize {
    if measuring() { (4_000_000 / n).clamp(15, 2000) } else { 1 }
}

/// The stages of a step, in order.
pub const STAGES: [&str; 6] = ["rhs", "forward", "contact", "backward", "advance", "ledger"];

/// A step of the block with its stages timed one by one.
pub struct Stepping {
    march: March,
    /// Smallest time of each stage so far, in seconds.
    pub best: [f64; 6],
}

impl Stepping {
    pub fn new(problem: &Arc<Problem>, state: State) -> Self {
        let target = Target::new(1e-10, 10_000);
        let march = March::new(problem, state, Method::Auto, target).expect("the block has mass");
        Self { march, best: [f64::INFINITY; 6] }
    }

    pub fn stepper(&self) -> &dyn Stepper {
        self.march.stepper()
    }

    /// One step; keeps the best time of each stage: what the machine can do, with the noise of
    /// other tenants left out.
    pub fn step(&mut self) {
        let (mut last, best) = (Instant::now(), &mut self.best);
        let mut in_ledger = 0.0;
        let Ok(stepped) = self.march.step_watched(None, |stage, _, _| {
            let now = Instant::now();
            let mut seconds = (now - last).as_secs_f64();
            last = now;
            let at = match stage {
                StepStage::Rhs => 0,
                StepStage::Forward => 1,
                StepStage::Contact => 2,
                StepStage::Backward => 3,
                StepStage::Advance => 4,
                StepStage::Ledger => {
                    in_ledger = seconds;
                    return Ok::<(), Infallible>(());
                }
                StepStage::Account => {
                    seconds += in_ledger;
                    5
                }
            };
            best[at] = best[at].min(seconds);
            Ok(())
        });
        let report = stepped.solve;
        assert!(report.error <= 1e-10, "the cone problem of the block was not solved: {report:?}");
    }
}

/// Prints the time of one or more stages of a step at every size.
pub fn report_stages(stages: &[&str]) {
    for &cells in sizes() {
        let mesh = block_mesh(cells);
        let (_, problem, state) = block(&mesh, step_size(cells));
        let n = problem.operator.dofs();
        let mut stepping = Stepping::new(&problem, state);
        (0..repeats(n)).for_each(|_| stepping.step());
        for stage in stages {
            let at = STAGES.iter().position(|s| s == stage).expect("a stage of a step");
            print_time(&format!("{stage}/moreau-jean/block/{n}"), stepping.best[at]);
        }
    }
}

/// The step that gives the Courant number of the sliding-block case: cells of 1 mm, h = 1e-4 ms.
pub fn step_size(cells: usize) -> f64 {
    1e-4 * 40.0 / cells as f64
}

pub fn print_time(name: &str, seconds: f64) {
    println!("{name:<40} {:>12.2} us", 1e6 * seconds);
}

/// Keeps the smaller of `best` and the time of `task`, in seconds.
pub fn time(best: &mut f64, task: impl FnOnce()) {
    let start = Instant::now();
    task();
    *best = best.min(start.elapsed().as_secs_f64());
}
