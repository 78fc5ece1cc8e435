//! The cone problem of a step: by the stepper, and by each method on a saved problem.
#![allow(clippy::print_stdout)]

mod support;

use delassus::contact::solver::{Cascade, ContactSolver, GaussSeidel, Newton, Target};
use support::{Stepping, block, block_mesh, print_time, repeats, sizes, step_size, time};

fn main() {
    support::report_stages(&["contact"]);
    for &cells in sizes() {
        for courant in [1.0, 20.0] {
            methods(cells, courant);
        }
    }
}

/// Every method on the first impact of the block, from a cold start, at `courant` times the step.
fn methods(cells: usize, courant: f64) {
    let mesh = block_mesh(cells);
    let (_, problem, state) = block(&mesh, courant * step_size(cells));
    let mut stepping = Stepping::new(&problem, state);
    stepping.step();
    let cone = stepping.stepper().cone_problem();
    let n = cone.contacts();
    let target = Target::new(1e-10, 10_000);
    let solvers: [Box<dyn ContactSolver>; 3] = [
        Box::new(Cascade::new(2, n)),
        Box::new(GaussSeidel::new(2, n)),
        Box::new(Newton::new(2, n)),
    ];
    for mut solver in solvers {
        let mut best = f64::INFINITY;
        let mut p = vec![0.0; cone.b.len()];
        let mut iterations = 0;
        for _ in 0..repeats(20 * n * n) {
            p.fill(0.0);
            time(&mut best, || iterations = solver.solve(cone, target, &mut p).iterations);
        }
        let name = format!("contact/{}/block-{courant}/{n}", solver.name());
        print_time(&format!("{name} ({iterations} iterations)"), best);
    }
}
