//! The finite elements against closed forms: patch test, rigid motions, energy and mass of linear
//! fields, two materials in series, and the order of convergence in space.

#![allow(clippy::print_stdout)]

mod support {
    pub mod random;
    pub mod rates;
}

use delassus::assembly::{Body, DofMap, Driven, MassKind, assemble, static_solve, stress_of};
use delassus::linalg::{BlockOperator, dot};
use delassus::material::{Material, Plane};
use delassus::mesh::Mesh;
use support::{random::Random, rates::fitted_slope};

const THICKNESS: f64 = 1.5;

fn material(plane: Plane) -> Material {
    Material {
        young: 210.0,
        poisson: 0.3,
        density: 7.8,
        thickness: THICKNESS,
        plane,
        damping_mass: 0.0,
        damping_stiffness: 0.0,
    }
}

/// λ and μ with σ = λ tr(ε) I + 2μ ε of the in-plane components.
fn lame(material: &Material) -> [f64; 2] {
    let (e, nu) = (material.young, material.poisson);
    let (lambda, mu) = (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)));
    match material.plane {
        Plane::Strain => [lambda, mu],
        Plane::Stress => [2.0 * lambda * mu / (lambda + 2.0 * mu), mu],
    }
}

/// (σ_xx, σ_yy, σ_xy) of the displacement gradient [∂x u_x, ∂y u_x, ∂x u_y, ∂y u_y].
fn stress(material: &Material, gradient: [f64; 4]) -> [f64; 3] {
    let [lambda, mu] = lame(material);
    let [xx, xy, yx, yy] = gradient;
    let pressure = lambda * (xx + yy);
    [pressure + 2.0 * mu * xx, pressure + 2.0 * mu * yy, mu * (xy + yx)]
}

/// Nodes of the four sides, ascending.
fn boundary(mesh: &Mesh) -> Vec<u32> {
    let sides = ["bottom", "right", "top", "left"];
    let mut nodes: Vec<u32> =
        sides.iter().flat_map(|side| mesh.groups[*side].nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A rectangle whose inner nodes are moved by up to 20 % of a cell, in both directions.
fn irregular(size: [f64; 2], cells: [usize; 2]) -> Mesh {
    let mut mesh = Mesh::rectangle(size, cells);
    let fixed = boundary(&mesh);
    let mut random = Random::new(cells[0] as u64);
    for node in 0..mesh.points.len() {
        if fixed.binary_search(&(node as u32)).is_err() {
            for axis in 0..2 {
                mesh.points[node][axis] += 0.2 * size[axis] / cells[axis] as f64 * random.signed();
            }
        }
    }
    mesh
}

fn body(mesh: &Mesh, material: Material) -> Body<'_> {
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material_of = vec![0; elements.len()];
    Body { mesh, elements, material_of, materials: vec![material] }
}

/// A field at all nodes, dof by dof.
fn at_nodes(mesh: &Mesh, field: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<f64> {
    mesh.points.iter().flat_map(|&[x, y, _]| field([x, y])).collect()
}

/// Solves K q = F with the dofs in `held` (ascending) where `given` has them.
fn solve_held(operator: &BlockOperator, held: &[u32], given: &[f64], force: &[f64]) -> Vec<f64> {
    let driven = held.iter().map(|&dof| Driven { dof, motion: 0 }).collect();
    let last = vec![false; operator.graph().nodes()];
    let dofs = DofMap::new(operator.graph(), &last, Vec::new(), driven);
    let values: Vec<f64> = held.iter().map(|&dof| given[dof as usize]).collect();
    static_solve(&operator.scaled(0.0, 1.0), &dofs, &values, force).expect("the body is held")
}

fn both_dofs(nodes: &[u32]) -> Vec<u32> {
    nodes.iter().flat_map(|&node| [2 * node, 2 * node + 1]).collect()
}

fn largest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// u = G x + translation, with G = (∂x u_x, ∂y u_x, ∂x u_y, ∂y u_y).
const GRADIENT: [f64; 4] = [1e-3, -2e-3, 5e-4, 3e-3];

fn linear([x, y]: [f64; 2]) -> [f64; 2] {
    let [xx, xy, yx, yy] = GRADIENT;
    [0.02 + xx * x + xy * y, -0.01 + yx * x + yy * y]
}

/// Irons's patch test. A linear field is in the space of the elements, so only rounding is left:
/// 1e-16 of the displacements times the condition of K, about the square of nine cells, and ten
/// times that for the stresses, which divide by the size of a cell.
#[test]
fn linear_field_on_the_boundary_of_an_irregular_mesh_fills_its_inside() {
    for plane in [Plane::Stress, Plane::Strain] {
        let mesh = irregular([3.0, 2.0], [9, 7]);
        let material = material(plane);
        let body = body(&mesh, material.clone());
        let (operator, _) = assemble(&body, MassKind::Consistent);
        let exact = at_nodes(&mesh, linear);
        let held = both_dofs(&boundary(&mesh));
        let q = solve_held(&operator, &held, &exact, &vec![0.0; exact.len()]);
        let off = largest(q.iter().zip(&exact).map(|(q, u)| q - u)) / largest(exact);
        assert!(off < 1e-13, "{plane:?}: displacements are off by {off:e}");

        let [xx, yy, xy] = stress(&material, GRADIENT);
        let zz = match plane {
            Plane::Stress => 0.0,
            Plane::Strain => material.poisson * (xx + yy),
        };
        // √(3 J₂), from the stress deviator rather than from the differences.
        let mean = (xx + yy + zz) / 3.0;
        let squares = (xx - mean).powi(2) + (yy - mean).powi(2) + (zz - mean).powi(2);
        let von_mises = (1.5 * (squares + 2.0 * xy * xy)).sqrt();
        for e in 0..body.elements.len() {
            let found = stress_of(&body, e, &q);
            let expected = [xx, yy, zz, xy, 0.0, 0.0];
            let off = largest((0..6).map(|i| found.stress[i] - expected[i])) / von_mises;
            assert!(off < 1e-12, "{plane:?}, element {e}: stress is off by {off:e}");
            let off = (found.von_mises / von_mises - 1.0).abs();
            assert!(off < 1e-12, "{plane:?}, element {e}: von Mises is off by {off:e}");
        }
    }
}

/// Forces are small against those of a stretch of the same size; translations, applied to
/// differences, make none at all.
#[test]
fn rigid_motions_of_the_assembled_body_make_no_force() {
    let mesh = irregular([3.0, 2.0], [9, 7]);
    let (operator, _) = assemble(&body(&mesh, material(Plane::Stress)), MassKind::Consistent);
    let force_of = |field: fn([f64; 2]) -> [f64; 2]| {
        let q = at_nodes(&mesh, field);
        let (mut mv, mut kq) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        operator.apply_into(&q, &q, &mut mv, &mut kq);
        largest(kq)
    };
    let stretch = force_of(|[x, y]| [x, -y]);
    assert!(stretch > 1.0, "a stretch makes a force, not {stretch}");
    assert_eq!(force_of(|_| [1.0, 0.0]), 0.0);
    assert_eq!(force_of(|_| [0.0, 1.0]), 0.0);
    let rotation = force_of(|[x, y]| [-y, x]) / stretch;
    assert!(rotation < 1e-13, "a rotation makes {rotation:e} of the force of a stretch");
}

/// ½ σ:ε times the volume; rounding of a sum over a hundred nodes.
#[test]
fn strain_energy_of_a_linear_field_is_exact() {
    for plane in [Plane::Stress, Plane::Strain] {
        let mesh = irregular([3.0, 2.0], [9, 7]);
        let material = material(plane);
        let (operator, _) = assemble(&body(&mesh, material.clone()), MassKind::Consistent);
        let q = at_nodes(&mesh, linear);
        let (mut mv, mut kq) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        operator.apply_into(&q, &q, &mut mv, &mut kq);
        let [xx, yy, xy] = stress(&material, GRADIENT);
        let [g_xx, g_xy, g_yx, g_yy] = GRADIENT;
        let density = 0.5 * (xx * g_xx + yy * g_yy + xy * (g_xy + g_yx));
        let off = 0.5 * dot(&q, &kq) / (density * 3.0 * 2.0 * THICKNESS) - 1.0;
        assert!(off.abs() < 1e-13, "{plane:?}: energy is off by {off:e}");
    }
}

/// ρ A t, and ½ρ|v|²At as the kinetic energy of a translation; rounding of a sum over the entries.
#[test]
fn both_masses_are_those_of_the_body() {
    let mesh = irregular([3.0, 2.0], [9, 7]);
    let exact = 7.8 * 3.0 * 2.0 * THICKNESS;
    for kind in [MassKind::Consistent, MassKind::Lumped] {
        let (operator, _) = assemble(&body(&mesh, material(Plane::Stress)), kind);
        let off = operator.total_mass() / exact - 1.0;
        assert!(off.abs() < 1e-13, "{kind:?}: mass is off by {off:e}");
        let v = at_nodes(&mesh, |_| [3.0, 4.0]);
        let (mut mv, mut kq) = (vec![0.0; v.len()], vec![0.0; v.len()]);
        operator.apply_into(&v, &v, &mut mv, &mut kq);
        let off = dot(&v, &mv) / (25.0 * exact) - 1.0;
        assert!(off.abs() < 1e-13, "{kind:?}: kinetic energy is off by {off:e}");
    }
}

/// Two bars of other stiffness, density and thickness end to end, ν = 0, pulled by δ: the force per
/// width N = δ/(l₁/E₁t₁ + l₂/E₂t₂) goes through both, so the stress jumps from N/t₁ to N/t₂.
#[test]
fn two_materials_in_series_share_the_force_and_not_the_stress() {
    let (lengths, height, pull) = ([1.0, 3.0], 1.0, 0.02);
    let mesh = Mesh::rectangle([4.0, height], [12, 4]);
    let of = |young: f64, density: f64, thickness: f64| Material {
        young,
        density,
        thickness,
        poisson: 0.0,
        ..material(Plane::Stress)
    };
    let materials = vec![of(210.0, 7.8, 1.5), of(70.0, 2.7, 0.5)];
    let mut body = body(&mesh, materials[0].clone());
    for e in 0..body.elements.len() {
        let x: f64 = body.nodes_of(e).iter().map(|&n| mesh.points[n as usize][0] / 3.0).sum();
        body.material_of[e] = u16::from(x > lengths[0]);
    }
    body.materials = materials;
    let [first, second] = [&body.materials[0], &body.materials[1]];
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let mass_of = |m: &Material, length: f64| m.density * m.thickness * length * height;
    let mass = mass_of(first, lengths[0]) + mass_of(second, lengths[1]);
    let off = operator.total_mass() / mass - 1.0;
    assert!(off.abs() < 1e-13, "mass is off by {off:e}");

    let x_dofs = |side: &str| mesh.groups[side].nodes.iter().map(|n| 2 * n).collect::<Vec<u32>>();
    let mut held = [x_dofs("left"), x_dofs("right"), vec![1]].concat();
    held.sort_unstable();
    let given = at_nodes(&mesh, |[x, _]| [if x > 2.0 { pull } else { 0.0 }, 0.0]);
    let q = solve_held(&operator, &held, &given, &vec![0.0; given.len()]);
    let soft = |m: &Material, length: f64| length / (m.young * m.thickness);
    let force = pull / (soft(first, lengths[0]) + soft(second, lengths[1]));
    for e in 0..body.elements.len() {
        let expected = force / body.material(e).thickness;
        let found = stress_of(&body, e, &q).stress;
        // Rounding of q over the size of a cell, as in the patch test.
        let off = largest([found[0] - expected, found[1], found[3]]) / expected;
        assert!(off < 1e-12, "element {e}: stress {found:?} is not {expected}, off by {off:e}");
    }
}

/// Radon's rule of degree 5: barycentric coordinates and weights of seven points.
fn quadrature() -> Vec<([f64; 3], f64)> {
    let root = 15f64.sqrt();
    let mut points = vec![([1.0 / 3.0; 3], 0.225)];
    for sign in [-1.0, 1.0] {
        let (a, weight) = ((6.0 + sign * root) / 21.0, (155.0 + sign * root) / 1200.0);
        let b = 1.0 - 2.0 * a;
        points.extend([[b, a, a], [a, b, a], [a, a, b]].map(|at| (at, weight)));
    }
    points
}

/// u = (sin φ, cos ψ), φ = 3x + 2y, ψ = 2x − 4y: its value, its gradient, and the force per volume
/// f = −(λ+μ) ∇ div u − μ Δu that keeps it in equilibrium.
fn manufactured(material: &Material, [x, y]: [f64; 2]) -> ([f64; 2], [f64; 4], [f64; 2]) {
    let [lambda, mu] = lame(material);
    let (a, b, c, d) = (3.0, 2.0, 2.0, -4.0);
    let (sin, cos) = (a * x + b * y).sin_cos();
    let (sin_psi, cos_psi) = (c * x + d * y).sin_cos();
    let gradient_of_divergence = [-a * a * sin - c * d * cos_psi, -a * b * sin - d * d * cos_psi];
    let laplacian = [-(a * a + b * b) * sin, -(c * c + d * d) * cos_psi];
    let force = [0, 1].map(|i| -(lambda + mu) * gradient_of_divergence[i] - mu * laplacian[i]);
    ([sin, cos_psi], [a * cos, b * cos, -c * sin_psi, -d * sin_psi], force)
}

/// Errors in L2 and in energy on a unit square of `cells`² irregular cells.
fn errors_of_manufactured_solution(cells: usize, material: &Material) -> [f64; 2] {
    let mesh = irregular([1.0, 1.0], [cells, cells]);
    let body = body(&mesh, material.clone());
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let rule = quadrature();
    // Barycentric coordinates, point and volume of the quadrature points of an element.
    let points_of = |e: usize| {
        let (corners, volume) = (body.nodes_of(e), body.triangle(e).area * THICKNESS);
        let corners = [0, 1, 2].map(|a| mesh.points[corners[a] as usize]);
        let at = move |n: [f64; 3], axis: usize| (0..3).map(|a| n[a] * corners[a][axis]).sum();
        rule.iter().map(move |&(n, w)| (n, [at(n, 0), at(n, 1)], w * volume))
    };
    let exact = at_nodes(&mesh, |x| manufactured(material, x).0);
    let mut force = vec![0.0; exact.len()];
    for e in 0..body.elements.len() {
        for (n, x, volume) in points_of(e) {
            let (_, _, f) = manufactured(material, x);
            for (a, &node) in body.nodes_of(e).iter().enumerate() {
                for i in 0..2 {
                    force[2 * node as usize + i] += n[a] * f[i] * volume;
                }
            }
        }
    }
    let q = solve_held(&operator, &both_dofs(&boundary(&mesh)), &exact, &force);
    let (mut square, mut energy) = (0.0, 0.0);
    for e in 0..body.elements.len() {
        let nodes = body.nodes_of(e);
        let found = stress_of(&body, e, &q);
        for (n, x, volume) in points_of(e) {
            let (u, gradient, _) = manufactured(material, x);
            let u_h = |i: usize| (0..3).map(|a| n[a] * q[2 * nodes[a] as usize + i]).sum::<f64>();
            square += volume * ((u[0] - u_h(0)).powi(2) + (u[1] - u_h(1)).powi(2));
            let stress = stress(material, gradient);
            let strain = [gradient[0], gradient[3], 0.5 * (gradient[1] + gradient[2])];
            for (i, at, count) in [(0, 0, 1.0), (1, 1, 1.0), (2, 3, 2.0)] {
                let (stress_off, strain_off) =
                    (stress[i] - found.stress[at], strain[i] - found.strain[at]);
                energy += count * volume * stress_off * strain_off;
            }
        }
    }
    [square.sqrt(), energy.sqrt()]
}

/// Linear elements: second order in L2, first in energy (Céa, Aubin–Nitsche). The margins are those
/// of a fit over a factor of eight in the size of irregular cells.
#[test]
fn static_elasticity_converges_with_order_two_in_l2_and_one_in_energy() {
    for plane in [Plane::Stress, Plane::Strain] {
        let material = material(plane);
        let cells = [8usize, 16, 32, 64];
        let sizes = cells.map(|n| 1.0 / n as f64);
        let errors = cells.map(|n| errors_of_manufactured_solution(n, &material));
        let slope = |norm: usize| fitted_slope(&sizes, &errors.map(|e| e[norm]));
        let (l2, energy) = (slope(0), slope(1));
        println!("{plane:?}: order {l2:.3} in L2, {energy:.3} in energy; errors {errors:?}");
        assert!((1.9..=2.1).contains(&l2), "{plane:?}: order {l2} in L2 from {errors:?}");
        assert!((0.95..=1.05).contains(&energy), "{plane:?}: order {energy} from {errors:?}");
    }
}
