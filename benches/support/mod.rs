//! What the benches share: the block at a size, and the clock.

use std::time::Instant;

use delassus::assembly::{Body, DofMap, Loads, MassKind, assemble};
use delassus::contact::{Activation, Candidate, ContactSet, Contacts, HalfPlane, Law};
use delassus::material::{Material, Plane};
use delassus::mesh::Mesh;
use delassus::step::{Problem, State};
use delassus::time::TimeFunction;

/// The block of the sliding-block case.
pub fn pmma() -> Material {
    Material {
        young: 5750.0,
        poisson: 0.358,
        density: 1.17e-3,
        thickness: 15.0,
        plane: Plane::Stress,
        damping_mass: 0.0,
        damping_stiffness: 0.0,
    }
}

/// 40 × 25 mm of PMMA on a rigid floor that rises at 1e-3 mm/ms, with `cells` cells along its length.
pub fn block_mesh(cells: usize) -> Mesh {
    Mesh::rectangle([40.0, 25.0], [cells, cells * 5 / 8])
}

/// The block's discrete problem at the step h of the sliding-block case for its mesh size.
pub fn block(mesh: &Mesh, h: f64) -> (Body<'_>, Problem, State) {
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material_of = vec![0; elements.len()];
    let body = Body { mesh, elements, material_of, materials: vec![pmma()] };
    let (operator, damping) = assemble(&body, MassKind::Consistent);
    let bottom = &mesh.groups["bottom"].nodes;
    let contacts = Contacts {
        sets: vec![ContactSet {
            name: "floor".into(),
            obstacle: HalfPlane {
                point: [0.0, 0.0],
                normal: [0.0, 1.0],
                velocity: [0.0, 1e-3],
                time: TimeFunction::Constant,
            },
            friction: 0.5,
            restitution: Law::Fremond.restitution(0.5, 0.0, 0.0),
        }],
        candidates: bottom
            .iter()
            .map(|&node| {
                let [x, y, _] = mesh.points[node as usize];
                Candidate { node, set: 0, point: [x, y] }
            })
            .collect(),
    };
    let mut last = vec![false; mesh.points.len()];
    bottom.iter().for_each(|&node| last[node as usize] = true);
    let dofs = DofMap::new(operator.graph(), &last, Vec::new(), Vec::new());
    let n = operator.dofs();
    let v = (0..n).map(|dof| if dof % 2 == 0 { 1e-2 } else { -1e-3 }).collect();
    let state = State::new(&operator, vec![0.0; n], v, 1);
    let problem = Problem {
        operator,
        damping,
        dofs,
        loads: Loads::default(),
        contacts,
        activation: Activation { gap_tolerance: 1e-10, velocity_tolerance: Some(1e-8) },
        theta: 0.5,
        h,
    };
    (body, problem, state)
}

/// Whether to measure, or only to run once as a test.
pub fn measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Smallest of the times of `repeats` calls of each of the tasks in turn, in seconds: what the
/// machine can do, with the noise of other tenants left out alike for all.
pub fn fastest<const N: usize>(repeats: usize, tasks: &mut [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..repeats {
        for (best, task) in best.iter_mut().zip(tasks.iter_mut()) {
            let start = Instant::now();
            task();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}
