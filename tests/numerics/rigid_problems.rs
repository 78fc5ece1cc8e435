//! Cone problems of rigid bodies: what is known of them, and that they are solved.

#![allow(clippy::print_stdout)]

use delassus::contact::solver::{Cascade, ContactSolver, SolveStatus, Target};
use delassus::contact::{ConeProblem, Measure};

use crate::support;
use crate::support::rigid::{Assembly, arch, packing, touched, tower, wall};

/// One small member of each family.
fn families() -> Vec<(&'static str, Assembly)> {
    vec![
        ("cube", tower(1, 1.0)),
        ("tower", tower(5, 1.0)),
        ("heavy tower", tower(5, 1e3)),
        ("dragged tower", tower(5, 1.0).dragged(2.0)),
        ("wall", wall(4, 3)),
        ("dragged wall", wall(4, 3).with_friction(0.1).dragged(1.0)),
        ("arch", arch(9, 0.2, 0.6)),
        ("falling arch", arch(9, 0.05, 0.8)),
        ("dragged arch", arch(9, 0.2, 0.4).dragged(1.0)),
        ("disks", packing(30, 2, 1)),
        ("spheres", packing(30, 3, 1)),
    ]
}

const TARGET: Target<'static> = Target::new(1e-8, 100_000);

fn solve(problem: &ConeProblem, told: &str) -> (Vec<f64>, Vec<f64>) {
    let mut p = vec![0.0; problem.b.len()];
    let report =
        Cascade::new(problem.dimension(), problem.contacts()).solve(problem, TARGET, &mut p);
    println!("{told}: {} contacts, {report:?}", problem.contacts());
    assert_eq!(report.status, SolveStatus::Converged, "{told}: {report:?}");
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    (p, u)
}

#[test]
fn auto_solves_every_family() {
    for (name, assembly) in families() {
        let problem = assembly.problem();
        let (p, u) = solve(&problem, name);
        assert!(problem.error(Measure::Scaled, &p, &u) <= TARGET.tolerance, "{name}");
    }
}

/// W = H M⁻¹ Hᵀ: symmetric to the bit order of its sums, and xᵀWx ≥ 0 for any x.
#[test]
fn delassus_matrices_are_symmetric_and_not_negative() {
    for (name, assembly) in families() {
        let problem = assembly.problem();
        let (n, w) = (problem.b.len(), problem.w.blocks().to_dense());
        let largest = problem.w.blocks().largest();
        for seed in 0..5 {
            let mut random = support::random::Random::new(seed);
            let x: Vec<f64> = (0..n).map(|_| random.signed()).collect();
            let product: f64 = (0..n * n).map(|k| x[k / n] * w[k] * x[k % n]).sum();
            assert!(product >= -1e-12 * largest * n as f64, "{name}: {product:e}");
        }
        let off = |k: usize| (w[k] - w[k % n * n + k / n]).abs();
        let worst = (0..n * n).map(off).fold(0.0, f64::max);
        assert!(worst <= 1e-14 * largest, "{name}: {worst:e}");
    }
}

/// At rest every interface carries the weight above it: Σ p_N = h g Σ m, up to the tolerance times
/// the number of boxes.
#[test]
fn the_interfaces_of_a_tower_carry_the_weight_above() {
    for mass_ratio in [1.0, 10.0] {
        let tower = tower(4, mass_ratio);
        let (p, u) = solve(&tower.problem(), "tower");
        for k in 0..4 {
            let carried: f64 = (4 * k..4 * (k + 1)).map(|alpha| p[3 * alpha]).sum();
            let weight: f64 = tower.bodies[k..].iter().map(|body| 9.81e-3 * body.mass).sum();
            assert!((carried / weight - 1.0).abs() < 1e-5, "{k}: {carried} of {weight}");
        }
        assert!(u.iter().all(|u| u.abs() < 1e-7 * 9.81e-3), "it stands: {u:?}");
    }
}

/// A cube on ground that runs away is pulled along by μ times its weight.
#[test]
fn a_dragged_cube_slips_with_friction_along_the_drag() {
    let cube = tower(1, 1.0).dragged(10.0);
    let (p, u) = solve(&cube.problem(), "dragged cube");
    let sum = |i: usize| p.iter().skip(i).step_by(3).sum::<f64>();
    let weight = 9.81e-3 * cube.bodies[0].mass;
    assert!((sum(0) / weight - 1.0).abs() < 1e-6 && (sum(1) / weight - 0.5).abs() < 1e-6);
    assert!(u.iter().skip(1).step_by(3).all(|&u_t| u_t < 0.0), "{u:?}");
}

#[test]
fn sizes_are_what_the_shapes_say() {
    for (rows, columns) in [(1, 1), (3, 2), (6, 5)] {
        let wall = wall(rows, columns);
        assert_eq!(wall.touches.len(), 4 * (columns + (rows - 1) * 2 * columns));
        assert_eq!(touched(&wall), wall.bodies.len());
    }
    assert_eq!(arch(7, 0.2, 0.5).touches.len(), 4 * 8);
    for dimension in [2, 3] {
        let packing = packing(60, dimension, 3);
        let (contacts, bodies) = (packing.touches.len(), touched(&packing));
        println!("{dimension}D: {contacts} contacts, {bodies} of 60 balls touch");
        assert!(bodies >= 55 && contacts >= 60 * dimension - 60, "{contacts}, {bodies}");
    }
}
