//! Errors of statics and of a frequency, and the orders fitted to them.

use delassus::assembly::{MassKind, assemble};
use delassus::linalg::{BlockOperator, dot};
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};

use super::bodies::*;
use crate::support::rates::fitted_slope;

/// u_i = sin φ_i, φ_i = k_i·x + c_i: its value, its gradient, and the force per volume
/// f = −(λ+μ) ∇ div u − μ Δu that keeps it in equilibrium.
fn manufactured(material: &Material, x: [f64; 3]) -> ([f64; 3], Gradient, [f64; 3]) {
    const WAVES: Gradient = [[3.0, 2.0, 1.0], [2.0, -2.5, 1.5], [1.0, 1.5, 2.5]];
    const PHASES: [f64; 3] = [0.0, 0.5 * std::f64::consts::PI, 0.7];
    let d = dimension_of(material.section);
    let [lambda, mu] = lame(material);
    let phase = |i: usize| PHASES[i] + (0..d).map(|j| WAVES[i][j] * x[j]).sum::<f64>();
    let (mut u, mut gradient, mut force) = ([0.0; 3], [[0.0; 3]; 3], [0.0; 3]);
    for i in 0..d {
        let (sin, cos) = phase(i).sin_cos();
        u[i] = sin;
        for j in 0..d {
            gradient[i][j] = WAVES[i][j] * cos;
            force[i] += mu * WAVES[i][j] * WAVES[i][j] * sin;
            force[j] += (lambda + mu) * WAVES[i][i] * WAVES[i][j] * sin;
        }
    }
    (u, gradient, force)
}

/// Errors in L2 and in energy on a unit box of irregular cells.
fn static_errors(kind: ElementKind, cells: usize, material: &Material) -> [f64; 2] {
    let mesh = irregular(kind, [1.0; 3], [cells; 3]);
    let (body, d) = (body(&mesh, material.clone()), mesh.dimension);
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let exact = at_nodes(&mesh, |x| manufactured(material, x).0);
    let mut force = vec![0.0; exact.len()];
    for_each_point(&body, |nodes, here, x, volume| {
        let (_, _, f) = manufactured(material, x);
        for (a, &node) in nodes.iter().enumerate() {
            (0..d).for_each(|i| force[d * node as usize + i] += here.shape[a] * f[i] * volume);
        }
    });
    let q = solve_held(&operator, &dofs_of(&mesh, &boundary(&mesh)), &exact, &force);
    let [lambda, mu] = lame(material);
    let (mut square, mut energy) = (0.0, 0.0);
    for_each_point(&body, |nodes, here, x, volume| {
        let (mut u, mut gradient, _) = manufactured(material, x);
        for (a, &node) in nodes.iter().enumerate() {
            for i in 0..d {
                let q = q[d * node as usize + i];
                u[i] -= here.shape[a] * q;
                (0..d).for_each(|j| gradient[i][j] -= here.gradients[a][j] * q);
            }
        }
        square += volume * u.iter().map(|u| u * u).sum::<f64>();
        let trace = (0..d).map(|i| gradient[i][i]).sum::<f64>();
        let strain = |i: usize, j: usize| 0.5 * (gradient[i][j] + gradient[j][i]);
        let product: f64 = (0..9).map(|n| strain(n / 3, n % 3).powi(2)).sum();
        energy += volume * (lambda * trace * trace + 2.0 * mu * product);
    });
    [square.sqrt(), energy.sqrt()]
}

/// Cells along an axis that make a fit over a factor of four to eight.
fn cells_of(kind: ElementKind) -> Vec<usize> {
    match kind {
        ElementKind::Line2 | ElementKind::Triangle3 | ElementKind::Quadrangle4 => {
            vec![8, 16, 32, 64]
        }
        ElementKind::Triangle6 => vec![4, 8, 16, 32],
        ElementKind::Tetrahedron4 | ElementKind::Hexahedron8 => vec![4, 8, 12, 16],
        _ => vec![2, 4, 6, 8],
    }
}

/// Lowest frequency squared by inverse iteration, started from `x`: K y = M x, ω² = yᵀKy/yᵀMy.
fn lowest(operator: &BlockOperator, held: &[u32], mut x: Vec<f64>) -> f64 {
    let zero = vec![0.0; x.len()];
    let mut square = 0.0;
    for _ in 0..4 {
        let [mx, _] = products(operator, &x);
        let y = solve_held(operator, held, &zero, &mx);
        let [my, ky] = products(operator, &y);
        square = dot(&y, &ky) / dot(&y, &my);
        let scale = 1.0 / dot(&y, &my).sqrt();
        x = y.iter().map(|y| scale * y).collect();
    }
    square
}

/// Relative error of the lowest frequency of a rod of length 1, clamped at the left and guided along
/// x everywhere: ω = (π/2) √((λ+2μ)/ρ).
fn frequency_error(kind: ElementKind, cells: usize, material: &Material, mass: MassKind) -> f64 {
    let across = cells.div_ceil(2);
    let mesh: Mesh = irregular(kind, [1.0, 0.5, 0.5], [cells, across, across]);
    let d = mesh.dimension as u32;
    let (operator, _) = assemble(&body(&mesh, material.clone()), mass);
    let clamped: Vec<u32> = mesh.groups["left"].nodes.iter().map(|&n| d * n).collect();
    let guided = (0..operator.dofs() as u32).filter(|dof| dof % d != 0);
    let mut held: Vec<u32> = guided.chain(clamped).collect();
    held.sort_unstable();
    let quarter = 0.5 * std::f64::consts::PI;
    let start = at_nodes(&mesh, |[x, _, _]| [(quarter * x).sin(), 0.0, 0.0]);
    let [lambda, mu] = lame(material);
    let exact = quarter * ((lambda + 2.0 * mu) / material.density).sqrt();
    lowest(&operator, &held, start).sqrt() / exact - 1.0
}

/// Orders in L2 and in energy, and the errors they are fitted to.
pub fn static_orders(kind: ElementKind, section: Section) -> ([f64; 2], Vec<[f64; 2]>) {
    let (material, cells) = (material(section), cells_of(kind));
    let sizes: Vec<f64> = cells.iter().map(|&n| 1.0 / n as f64).collect();
    let errors: Vec<[f64; 2]> = cells.iter().map(|&n| static_errors(kind, n, &material)).collect();
    let slope =
        |norm: usize| fitted_slope(&sizes, &errors.iter().map(|e| e[norm]).collect::<Vec<_>>());
    ([slope(0), slope(1)], errors)
}

/// Order of the lowest frequency, and the relative errors it is fitted to.
pub fn frequency_order(kind: ElementKind, section: Section, mass: MassKind) -> (f64, Vec<f64>) {
    let material = material(section);
    let cells = match kind.dimension() {
        1 => vec![8, 16, 32, 64],
        2 => vec![4, 8, 16, 32],
        _ => vec![4, 6, 8, 12],
    };
    let sizes: Vec<f64> = cells.iter().map(|&n| 1.0 / n as f64).collect();
    let errors: Vec<f64> =
        cells.iter().map(|&n| frequency_error(kind, n, &material, mass)).collect();
    let slope = fitted_slope(&sizes, &errors.iter().map(|e| e.abs()).collect::<Vec<_>>());
    (slope, errors)
}
