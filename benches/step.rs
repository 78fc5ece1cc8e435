//! A whole step against what bounds it, measured in turns in one run:
//!
//! ```text
//!     ratio = (rhs + forward + backward + advance + ledger) / (one solve pair + one product with M, K)
//! ```
//!
//! `pair` is one sweep down and one up of the stepper's own factor; `faer` is the same matrix solved
//! by faer with its own order. `GB/s` is what the pair reads of L per second.
#![allow(clippy::print_stdout)]

mod support;

use delassus::linalg::UpperColumns;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use support::{STAGES, Stepping, block, block_mesh, repeats, sizes, step_size, time};

fn main() {
    println!(
        "{:>8} {:>10} {:>9} {:>9} {:>9} {:>10} {:>6} {:>6}",
        "dofs", "nnz(L)", "step us", "pair us", "faer us", "product us", "GB/s", "ratio"
    );
    sizes().iter().for_each(|&cells| measure(cells));
}

fn measure(cells: usize) {
    let mesh = block_mesh(cells);
    let (_, problem, state) = block(&mesh, step_size(cells));
    let n = problem.operator.dofs();
    let (v, q) = (state.v.clone(), state.v.clone());
    let (mut mv, mut kq) = (vec![0.0; n], vec![0.0; n]);
    let mut stepping = Stepping::new(&problem, state);
    let factor = stepping.stepper().factor().clone();
    let mut scratch = factor.scratch();
    let dofs = &problem.dofs;
    let matrix = problem.effective_mass().upper_columns(&dofs.position, &dofs.order);
    let mut rival = Faer::new(&matrix);
    let (mut pair, mut product, mut faer) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..repeats(n) {
        stepping.step();
        let mut x = vec![1.0; n];
        time(&mut pair, || {
            factor.forward(&mut x, &mut scratch);
            factor.backward(&mut x, &mut scratch);
        });
        time(&mut product, || problem.operator.apply_into(&v, &q, &mut mv, &mut kq));
        time(&mut faer, || rival.solve(&mut x));
    }
    let step: f64 = stepping.best.iter().sum::<f64>() - stepping.best[2];
    println!(
        "{n:>8} {:>10} {:>9.1} {:>9.1} {:>9.1} {:>10.1} {:>6.1} {:>6.3}",
        factor.entries(),
        1e6 * step,
        1e6 * pair,
        1e6 * faer,
        1e6 * product,
        2e-9 * 8.0 * factor.entries() as f64 / pair,
        step / (pair + product),
    );
    let stages = STAGES.iter().zip(stepping.best);
    let stages: Vec<String> = stages.map(|(s, best)| format!("{s} {:.1}", 1e6 * best)).collect();
    println!("         {}", stages.join(", "));
}

/// faer's factorisation and solve, as its documentation has it.
struct Faer {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
    memory: MemBuffer,
}

impl Faer {
    fn new(matrix: &UpperColumns) -> Self {
        let n = matrix.starts.len() - 1;
        let starts: Vec<u32> = matrix.starts.iter().map(|&s| s as u32).collect();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &matrix.rows);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Upper, SymmetricOrdering::Amd, parameters)
                .expect("the pattern was checked");
        let mut values = vec![0.0; symbolic.len_val()];
        let needed = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        symbolic
            .factorize_numeric_llt(
                &mut values,
                SparseColMatRef::new(pattern, &matrix.values),
                Side::Upper,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut MemBuffer::new(needed)),
                Default::default(),
            )
            .expect("the effective mass is positive definite");
        let memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        Self { symbolic, values, memory }
    }

    fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}
