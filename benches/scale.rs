//! A block on a floor from mesh to step, larger and larger: time and memory of every stage, what a
//! step takes next to one solve pair and one product, and how each grows.
//!
//! ```text
//!     cargo bench --bench scale                      up to 100 k dofs
//!     cargo bench --bench scale -- --large           1 M dofs in the plane, 300 k in space with 5041 contacts
//! ```
//!
//! `step` is a step without its contact problem, `pair` one sweep down and one up, `product` one product with
//! M and K; `contact` is the contact problem: its choice, its matrix, its solution. Times are the best of a few in
//! one run; memory is what the process holds after the stage.
#![allow(clippy::print_stdout)]

mod support;

use std::time::Instant;

use delassus::assembly::{MassKind, assemble};
use delassus::contact::Response;
use delassus::linalg::Plan;
use delassus::mesh::Mesh;
use support::{
    Stepping, block_body, block_mesh, block_mesh_in_space, block_order, block_problem, measuring,
    time,
};

/// One size: dofs, and the seconds of each stage.
struct Row {
    dofs: usize,
    seconds: Vec<(&'static str, f64)>,
}

fn main() {
    let large = std::env::args().any(|argument| argument == "--large");
    let (plane, space): (&[usize], &[[usize; 2]]) = match (measuring(), large) {
        (_, true) => (&[140, 280, 560, 894], &[[20, 8], [30, 11], [45, 14], [70, 19]]),
        (true, false) => (&[70, 140, 280], &[[12, 6], [20, 8], [30, 11]]),
        (false, false) => (&[16], &[[4, 3]]),
    };
    println!("In the plane, triangles");
    let rows: Vec<Row> = plane.iter().map(|&cells| measure(&block_mesh(cells))).collect();
    print_exponents(&rows);
    println!("In space, tetrahedra");
    let meshes = space.iter().map(|&[cells, layers]| block_mesh_in_space(cells, layers));
    let rows: Vec<Row> = meshes.map(|mesh| measure(&mesh)).collect();
    print_exponents(&rows);
}

fn measure(mesh: &Mesh) -> Row {
    let mut seconds = Vec::new();
    let mut memory = Vec::new();
    let mut last = Instant::now();
    let mut lap = |stage: &'static str| {
        seconds.push((stage, last.elapsed().as_secs_f64()));
        memory.push(resident());
        last = Instant::now();
    };
    let body = block_body(mesh);
    let (operator, damping) = assemble(&body, MassKind::Consistent);
    lap("assemble");
    let dofs = block_order(mesh, &operator);
    lap("order");
    let (problem, state) = block_problem(mesh, courant_step(mesh), (operator, damping), dofs);
    let n = problem.operator.dofs();
    let (v, q) = (state.v.clone(), state.v.clone());
    lap("state");
    let (dofs, effective) = (&problem.dofs, problem.effective_mass());
    let matrix = effective.upper_columns(&dofs.position, &dofs.order);
    let plan = Plan::new(&matrix, dofs.trailing);
    lap("plan");
    let factor = plan.factor(&matrix).expect("the block has mass");
    lap("factor");
    drop(Response::trailing(&factor, mesh.dimension));
    lap("Response");
    drop((factor, matrix, plan, effective));
    let mut stepping = Stepping::new(&problem, state);
    let factor = stepping.stepper().factor();
    let (mut scratch, mut x) = (factor.scratch(), vec![1.0; factor.size()]);
    let (mut mv, mut kq) = (vec![0.0; n], vec![0.0; n]);
    let (mut pair, mut product) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..if measuring() { 5 } else { 1 } {
        stepping.step();
        let factor = stepping.stepper().factor();
        time(&mut pair, || {
            factor.forward(&mut x, &mut scratch);
            factor.backward(&mut x, &mut scratch);
        });
        time(&mut product, || problem.operator.apply_into(&v, &q, &mut mv, &mut kq));
    }
    let contact = stepping.best[2];
    let step: f64 = stepping.best.iter().sum::<f64>() - contact;
    seconds.extend([("step", step), ("pair", pair), ("product", product), ("contact", contact)]);
    let factor = stepping.stepper().factor();
    let contacts = problem.contacts.len();
    println!(
        "{n} dofs, {contacts} contacts, nnz(L) {:.1} M, factor {:.2} GB, Response {:.2} GB, step {:.2} of pair and product",
        1e-6 * factor.entries() as f64,
        1e-9 * factor.bytes() as f64,
        1e-9 * stepping.stepper().response().bytes() as f64,
        step / (pair + product)
    );
    for (at, (stage, seconds)) in seconds.iter().enumerate() {
        let held = memory.get(at).map_or(String::new(), |bytes| format!("{:.2} GB", 1e-9 * bytes));
        println!("    {stage:<20} {seconds:>10.4} s   {held}");
    }
    Row { dofs: n, seconds }
}

/// The step of the sliding-block case for the size of the cells: 1e-4 ms per mm.
fn courant_step(mesh: &Mesh) -> f64 {
    let (low, high) = mesh.bounding_box();
    let d = mesh.dimension;
    let volume: f64 = (0..d).map(|i| high[i] - low[i]).product();
    1e-4 * (volume / mesh.points.len() as f64).powf(1.0 / d as f64)
}

/// Exponents b of seconds ≈ a dofsᵇ, by least squares of logarithms.
fn print_exponents(rows: &[Row]) {
    if rows.len() < 3 {
        return;
    }
    let stages = rows[0].seconds.iter().map(|(stage, _)| *stage);
    let exponents: Vec<String> = stages
        .enumerate()
        .map(|(at, stage)| {
            let points = rows.iter().map(|row| ((row.dofs as f64).ln(), row.seconds[at].1.ln()));
            let points: Vec<(f64, f64)> = points.collect();
            format!("{stage} {:.2}", slope(&points))
        })
        .collect();
    println!("    exponents: {}", exponents.join(", "));
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    above / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>()
}

/// Bytes that the process holds, from Linux's /proc; NaN elsewhere.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    1024.0 * kilobytes.unwrap_or(f64::NAN)
}
