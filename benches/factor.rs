//! Order, plan, factorisation and solve of M + h²θ²K on boxes of triangles and tetrahedra, for one
//! and two threads, with what the sweeps read per second against what the machine can stream.
//!
//! ```text
//!     cargo bench --bench factor                             50 k … 200 k dofs in 2D, 28 k … 89 k in 3D
//!     cargo bench --bench factor -- --large                  1 M dofs in 2D, 300 k in 3D
//!     cargo bench --bench factor -- --beside-cholmod         with CHOLMOD on the same matrices, in turns
//! ```
//!
//! `--beside-cholmod` needs `cc` and CHOLMOD (Debian: libsuitesparse-dev); it orders by METIS and
//! has as many threads. Ratios are ours over CHOLMOD's: below 1 we are faster.
#![allow(clippy::print_stdout)]

#[path = "support/boxes.rs"]
mod boxes;
#[path = "support/cholmod.rs"]
mod cholmod;

use std::hint::black_box;
use std::time::Instant;

use boxes::{Simplices, in_order, order_dofs};
use cholmod::Cholmod;
use delassus::linalg::{BlockOperator, Factor, Plan, UpperColumns};
use rayon::ThreadPool;

fn main() {
    let asked = |name: &str| std::env::args().any(|argument| argument == name);
    // Cells, and whether the bottom nodes are contact nodes, which come last.
    let cases: &[([usize; 3], bool)] = match (asked("--bench"), asked("--large")) {
        (_, true) => &[([900, 560, 0], false), ([46, 46, 46], false), ([70, 70, 20], true)],
        (true, false) => &[
            ([200, 125, 0], false),
            ([400, 250, 0], false),
            ([20, 20, 20], false),
            ([30, 30, 30], false),
            ([30, 30, 12], true),
        ],
        (false, false) => &[([40, 25, 0], true), ([6, 6, 6], false)],
    };
    let pools = [pool(1), pool(2)];
    let stream = pools.each_ref().map(|pool| stream(pool, asked("--bench")));
    println!("stream, reading: {:.1} GB/s on one thread, {:.1} on two", stream[0], stream[1]);
    let beside = asked("--beside-cholmod").then(Cholmod::compile).flatten();
    let repeats = match (asked("--bench"), asked("--large")) {
        (true, true) => 2,
        (true, false) => 5,
        (false, _) => 1,
    };
    for &(cells, contact) in cases {
        let beside = beside.as_ref();
        Case { cells, contact, repeats, beside, pools: &pools, stream }.measure();
    }
}

fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool")
}

/// GB/s of summing numbers that no cache holds.
fn stream(pool: &ThreadPool, measuring: bool) -> f64 {
    use rayon::prelude::*;
    let n = if measuring { 1 << 25 } else { 1 << 16 };
    let numbers = vec![1.0f64; n];
    let sum = |part: &[f64]| -> f64 {
        let mut sums = [0.0; 32];
        for chunk in part.as_chunks::<32>().0 {
            sums.iter_mut().zip(chunk).for_each(|(s, x)| *s += x);
        }
        sums.iter().sum()
    };
    let part = n / pool.current_num_threads();
    let best = best_of(8, || {
        black_box(pool.install(|| numbers.par_chunks(part).map(sum).sum::<f64>()));
    });
    8e-9 * n as f64 / best
}

fn best_of(repeats: usize, mut task: impl FnMut()) -> f64 {
    let times = (0..repeats).map(|_| seconds(&mut task).0);
    times.fold(f64::INFINITY, f64::min)
}

fn seconds<T>(task: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = task();
    (start.elapsed().as_secs_f64(), result)
}

struct Case<'a> {
    cells: [usize; 3],
    contact: bool,
    repeats: usize,
    beside: Option<&'a Cholmod>,
    pools: &'a [ThreadPool; 2],
    stream: [f64; 2],
}

impl Case<'_> {
    fn measure(&self) {
        let body = Simplices::new(self.cells);
        let (assembly, operator) = seconds(|| body.effective_mass());
        let n = operator.dofs();
        let last: Vec<bool> = body.bottom.iter().map(|&bottom| bottom && self.contact).collect();
        let (ordering, (order, trailing)) =
            self.pools[1].install(|| seconds(|| order_dofs(&operator, &last)));
        let (columns, matrix) = seconds(|| in_order(&operator, &order));
        let (planning, plan) = seconds(|| Plan::new(&matrix, trailing));
        println!(
            "{}: {n} dofs, {} of them trailing, nnz(L) {:.2} M ({:.2} M with the zeros of wide panels), {:.1} Gflop",
            body.name,
            n - trailing,
            1e-6 * plan.entries_needed() as f64,
            1e-6 * plan.entries() as f64,
            1e-9 * plan.flops()
        );
        println!(
            "    assembly {:.0} ms, order {:.0} ms (2 threads), columns {:.0} ms, plan {:.0} ms",
            1e3 * assembly,
            1e3 * ordering,
            1e3 * columns,
            1e3 * planning
        );
        let natural: Vec<u32> = (0..n as u32).collect();
        let file = self.beside.map(|beside| beside.write(&in_order(&operator, &natural)));
        self.products(&operator);
        drop(operator);
        for at in 0..2 {
            let mut rival = self.beside.zip(file.as_ref()).map(|(b, file)| b.start(file, at + 1));
            if let Some(rival) = &mut rival {
                let [order, entries, _] = rival.order();
                let ratio = plan.entries_needed() as f64 / entries;
                println!(
                    "    CHOLMOD: order and plan {:.0} ms, nnz(L) ratio {ratio:.3}",
                    1e3 * order
                );
            }
            self.in_turns(at, &plan, &matrix, rival);
        }
    }

    /// Time of one product with M and K, and what it reads per second.
    fn products(&self, operator: &BlockOperator) {
        let x = vec![1.0; operator.dofs()];
        let (mut mx, mut kx) = (x.clone(), x.clone());
        let d = operator.dimension();
        let bytes = operator.graph().entries() * (8 * (1 + d * d) + 4);
        let times = self.pools.each_ref().map(|pool| {
            pool.install(|| best_of(self.repeats, || operator.apply_into(&x, &x, &mut mx, &mut kx)))
        });
        let speed = times.map(|time| 1e-9 * bytes as f64 / time);
        println!(
            "    product with M and K: {:.2} ms, {:.1} GB/s on one thread, {:.2} ms, {:.1} GB/s on two",
            1e3 * times[0],
            speed[0],
            1e3 * times[1],
            speed[1]
        );
    }

    /// Factorisation and solve, CHOLMOD's in turns with ours, the best time of each.
    fn in_turns(
        &self,
        at: usize,
        plan: &Plan,
        matrix: &UpperColumns,
        mut rival: Option<cholmod::Running>,
    ) {
        let (mut ours, mut theirs) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
        let mut factor: Option<Factor> = None;
        for _ in 0..self.repeats.min(3) {
            // As CHOLMOD does: a second factorisation finds the memory of the first.
            let eliminate = || match &mut factor {
                None => factor = Some(plan.factor(matrix).expect("M + cK is positive definite")),
                Some(factor) => plan.factor_again(factor, matrix).expect("it was before"),
            };
            ours[0] = ours[0].min(self.pools[at].install(|| seconds(eliminate).0));
            if let Some(rival) = &mut rival {
                theirs[0] = theirs[0].min(rival.time("factor"));
            }
        }
        let factor = factor.expect("at least one run");
        let mut scratch = factor.scratch();
        let mut x = vec![1.0; factor.size()];
        for _ in 0..4 * self.repeats {
            x.fill(1.0);
            let pair = || {
                factor.forward(&mut x, &mut scratch);
                factor.backward(&mut x, &mut scratch);
            };
            ours[1] = ours[1].min(self.pools[at].install(|| seconds(pair).0));
            if let Some(rival) = &mut rival {
                theirs[1] = theirs[1].min(rival.time("solve"));
            }
        }
        let speed = 16e-9 * factor.entries() as f64 / ours[1];
        println!(
            "    {} thread(s): factor {:.3} s ({:.1} Gflop/s), solve pair {:.2} ms, {speed:.1} GB/s = {:.0} % of stream; \
             {:.0} MB held, {:.0} MB planned at most",
            at + 1,
            ours[0],
            1e-9 * plan.flops() / ours[0],
            1e3 * ours[1],
            100.0 * speed / self.stream[at],
            1e-6 * factor.bytes() as f64,
            1e-6 * self.pools[at].install(|| plan.bytes()) as f64,
        );
        if rival.is_some() {
            println!(
                "        CHOLMOD: factor {:.3} s, solve {:.2} ms; ratios: factor {:.2}, solve {:.2}",
                theirs[0],
                1e3 * theirs[1],
                ours[0] / theirs[0],
                ours[1] / theirs[1]
            );
        }
        if factor.trailing() < factor.size() {
            let inverse = || self.pools[at].install(|| factor.trailing_inverse());
            let (time, inverse) = seconds(inverse);
            println!(
                "        trailing inverse {time:.3} s, {:.0} MB",
                1e-6 * inverse.bytes() as f64
            );
        }
    }
}
