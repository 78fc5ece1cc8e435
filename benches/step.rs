//! A whole step against what bounds it: one triangular solve pair and one product with M and K.
//!
//!     cargo bench --bench step
//!
//! `step` is all stages but the cone solve and output. `pair` is our sweeps, `pair (faer)` the
//! same factorisation solved by faer with its own order. All are measured in turns in one run.

#![allow(clippy::print_stdout)]

mod support;

use delassus::contact::solver::{Cascade, Target};
use delassus::energy::Ledger;
use delassus::step::MoreauJean;
use support::{block, block_mesh, fastest, measuring};

fn main() {
    let sizes: &[usize] = if measuring() { &[44, 200, 400] } else { &[16] };
    println!(
        "{:>8} {:>9} {:>10} {:>10} {:>10} {:>10} {:>7}  stages of a step [us]",
        "dofs", "nnz(L)", "step us", "pair us", "product us", "GB/s", "ratio"
    );
    for &cells in sizes {
        measure(cells);
    }
}

fn measure(cells: usize) {
    let mesh = block_mesh(cells);
    // The Courant number of the sliding-block case, whose cells are 1 mm and steps 1e-4 ms.
    let (_, problem, mut state) = block(&mesh, 1e-4 * 40.0 / cells as f64);
    let mut stepper = MoreauJean::new(&problem, &state).expect("the block has mass");
    let mut solver = Cascade::new(problem.contacts.len());
    let target = Target { tolerance: 1e-10, max_iterations: 10_000 };
    let mut ledger = Ledger::new(Default::default(), problem.contacts.len());
    let n = problem.operator.dofs();
    let (mut mv, mut kq) = (vec![0.0; n], vec![0.0; n]);
    let (v, q) = (state.v.clone(), state.v.clone());
    let factor = stepper.factor().clone();
    let mut x: Vec<f64> = (0..factor.size()).map(|i| (i as f64).sin()).collect();
    let mut scratch = factor.scratch();
    let repeats = if measuring() { 40_000_000 / n / 10 + 10 } else { 1 };
    let mut stages = [f64::INFINITY; 6];
    let mut best = [f64::INFINITY; 2];
    for _ in 0..repeats.min(3000) {
        let start = std::time::Instant::now();
        let mut last = start;
        let mut lap = |stage: &mut f64| {
            let now = std::time::Instant::now();
            *stage = stage.min((now - last).as_secs_f64());
            last = now;
        };
        stepper.rhs(&mut state);
        lap(&mut stages[0]);
        stepper.forward();
        lap(&mut stages[1]);
        let report = stepper.contact(&mut solver, target);
        assert!(report.error <= 1e-10, "the cone problem of the block was not solved");
        lap(&mut stages[2]);
        stepper.backward();
        lap(&mut stages[3]);
        stepper.advance(&mut state);
        lap(&mut stages[4]);
        let terms = stepper.ledger(&state);
        let contact = stepper.contacts();
        ledger.enter(&terms, &contact.active, &contact.work);
        ledger.enter_contacts(&contact.impulse, &contact.status);
        lap(&mut stages[5]);
        let pair = &mut || {
            factor.forward(&mut x, &mut scratch);
            factor.backward(&mut x, &mut scratch);
        };
        let product = &mut || problem.operator.apply_into(&v, &q, &mut mv, &mut kq);
        let found = fastest(1, &mut [pair, product]);
        best = [best[0].min(found[0]), best[1].min(found[1])];
        x.fill(1.0);
    }
    let step: f64 = stages.iter().sum::<f64>() - stages[2];
    let bound = best[0] + best[1];
    println!(
        "{n:>8} {:>9} {:>10.1} {:>10.1} {:>10.1} {:>10.2} {:>7.3}  rhs {:.1} forward {:.1} contact {:.1} backward {:.1} advance {:.1} ledger {:.1}",
        factor.entries(),
        1e6 * step,
        1e6 * best[0],
        1e6 * best[1],
        2e-9 * 8.0 * factor.entries() as f64 / best[0],
        step / bound,
        1e6 * stages[0],
        1e6 * stages[1],
        1e6 * stages[2],
        1e6 * stages[3],
        1e6 * stages[4],
        1e6 * stages[5],
    );
}
