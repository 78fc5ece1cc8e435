//! Bodies of every element, and what the tests do with them.

use delassus::assembly::{Body, DofMap, Driven, static_solve};
use delassus::element::{Sample, sample};
use delassus::linalg::BlockOperator;
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};

use crate::support::random::Random;

pub const THICKNESS: f64 = 1.5;
pub const PLANE_STRESS: Section = Section::PlaneStress { thickness: THICKNESS };
pub const PLANE_STRAIN: Section = Section::PlaneStrain { thickness: THICKNESS };
pub const BAR: Section = Section::Bar { area: THICKNESS };

/// Every element that carries material, with the sections it may have.
pub const ALL: [(ElementKind, Section); 10] = [
    (ElementKind::Line2, BAR),
    (ElementKind::Triangle3, PLANE_STRESS),
    (ElementKind::Triangle3, PLANE_STRAIN),
    (ElementKind::Triangle6, PLANE_STRESS),
    (ElementKind::Triangle6, PLANE_STRAIN),
    (ElementKind::Quadrangle4, PLANE_STRESS),
    (ElementKind::Quadrangle4, PLANE_STRAIN),
    (ElementKind::Tetrahedron4, Section::Solid),
    (ElementKind::Tetrahedron10, Section::Solid),
    (ElementKind::Hexahedron8, Section::Solid),
];

/// One section each.
pub fn each_kind() -> impl Iterator<Item = (ElementKind, Section)> {
    ALL.into_iter().filter(|(_, section)| *section != PLANE_STRESS)
}

pub fn material(section: Section) -> Material {
    Material {
        young: 210.0,
        poisson: 0.3,
        density: 7.8,
        section,
        damping_mass: 0.0,
        damping_stiffness: 0.0,
    }
}

/// λ and μ with σ = λ tr(ε) I + 2μ ε of the components that the elements span.
pub fn lame(material: &Material) -> [f64; 2] {
    let (e, nu) = (material.young, material.poisson);
    let (lambda, mu) = (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)));
    match material.section {
        Section::PlaneStrain { .. } | Section::Solid => [lambda, mu],
        Section::PlaneStress { .. } => [2.0 * lambda * mu / (lambda + 2.0 * mu), mu],
        Section::Bar { .. } => [e - 2.0 * mu, mu],
    }
}

/// ∂u_i/∂x_j; what lies beyond the dimension is zero.
pub type Gradient = [[f64; 3]; 3];

/// σ over the components that the elements span.
pub fn stress(material: &Material, gradient: Gradient) -> Gradient {
    let [lambda, mu] = lame(material);
    let d = dimension_of(material.section);
    let trace = (0..d).map(|i| gradient[i][i]).sum::<f64>();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let sphere = if i == j && i < d { lambda * trace } else { 0.0 };
            sphere + mu * (gradient[i][j] + gradient[j][i])
        })
    })
}

pub fn dimension_of(section: Section) -> usize {
    match section {
        Section::Bar { .. } => 1,
        Section::PlaneStress { .. } | Section::PlaneStrain { .. } => 2,
        Section::Solid => 3,
    }
}

/// A box from the origin with `cells` along each axis; only the first axes of `size` count for lines
/// and rectangles.
pub fn regular(kind: ElementKind, size: [f64; 3], cells: [usize; 3]) -> Mesh {
    match kind.dimension() {
        1 => Mesh::line(0.0, size[0], cells[0]),
        2 => Mesh::rectangle_of([size[0], size[1]], [cells[0], cells[1]], kind),
        _ => Mesh::block([0.0; 3], size, cells, kind),
    }
}

/// Nodes of the sides, ascending.
pub fn boundary(mesh: &Mesh) -> Vec<u32> {
    let sides = mesh.groups.iter().filter(|(name, _)| *name != "body");
    let mut nodes: Vec<u32> = sides.flat_map(|(_, side)| side.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// A box whose inner corners are moved by up to 15 % of a cell along every axis; sides of elements
/// stay straight.
pub fn irregular(kind: ElementKind, size: [f64; 3], cells: [usize; 3]) -> Mesh {
    let mut mesh = regular(kind, size, cells);
    let fixed = boundary(&mesh);
    let mut random = Random::new(cells[0] as u64);
    for node in 0..mesh.points.len() {
        let shift = [0, 1, 2].map(|axis| 0.15 * size[axis] / cells[axis] as f64 * random.signed());
        if fixed.binary_search(&(node as u32)).is_err() {
            (0..mesh.dimension).for_each(|axis| mesh.points[node][axis] += shift[axis]);
        }
    }
    straighten(&mut mesh);
    mesh
}

/// Puts the nodes between corners halfway.
fn straighten(mesh: &mut Mesh) {
    for e in 0..mesh.element_count() {
        let kind = mesh.kinds[e];
        let nodes = mesh.nodes_of(e).to_vec();
        for (&middle, ends) in nodes[kind.corners()..].iter().zip(kind.edges()) {
            let [a, b] = ends.map(|end| mesh.points[nodes[end] as usize]);
            mesh.points[middle as usize] = [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]));
        }
    }
}

pub fn body(mesh: &Mesh, material: Material) -> Body<'_> {
    let elements: Vec<u32> = mesh.body_elements().map(|e| e as u32).collect();
    let material_of = vec![0; elements.len()];
    Body { mesh, elements, material_of, materials: vec![material] }
}

/// A field at all nodes, dof by dof.
pub fn at_nodes(mesh: &Mesh, field: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<f64> {
    let at = |&x: &[f64; 3]| field(x).into_iter().take(mesh.dimension);
    mesh.points.iter().flat_map(at).collect()
}

/// Mv and Kq of the same vector.
pub fn products(operator: &BlockOperator, q: &[f64]) -> [Vec<f64>; 2] {
    let (mut mv, mut kq) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    operator.apply_into(q, q, &mut mv, &mut kq);
    [mv, kq]
}

/// Solves K q = F with the dofs in `held` (ascending) where `given` has them.
pub fn solve_held(
    operator: &BlockOperator,
    held: &[u32],
    given: &[f64],
    force: &[f64],
) -> Vec<f64> {
    let driven = held.iter().map(|&dof| Driven { dof, motion: 0 }).collect();
    let last = vec![false; operator.graph().nodes()];
    let dofs = DofMap::new(operator.graph(), operator.dimension(), &last, Vec::new(), driven);
    let values: Vec<f64> = held.iter().map(|&dof| given[dof as usize]).collect();
    static_solve(&operator.scaled(0.0, 1.0), &dofs, &values, force).expect("the body is held")
}

/// All dofs of the nodes.
pub fn dofs_of(mesh: &Mesh, nodes: &[u32]) -> Vec<u32> {
    let d = mesh.dimension as u32;
    nodes.iter().flat_map(|&node| d * node..d * (node + 1)).collect()
}

pub fn largest(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// ∂u_i/∂x_j of a linear field.
pub const GRADIENT: Gradient = [[1e-3, -2e-3, 4e-4], [5e-4, 3e-3, -6e-4], [7e-4, 1.1e-3, -8e-4]];

/// The part of it that the elements of a section span.
pub fn gradient_of(section: Section) -> Gradient {
    let d = dimension_of(section);
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i < d && j < d { GRADIENT[i][j] } else { 0.0 })
    })
}

pub fn linear(x: [f64; 3]) -> [f64; 3] {
    let offset = [0.02, -0.01, 0.03];
    std::array::from_fn(|i| offset[i] + (0..3).map(|j| GRADIENT[i][j] * x[j]).sum::<f64>())
}

/// Gauss's four points on [−1, 1], exact to degree 7.
fn gauss() -> [(f64, f64); 4] {
    let inner = (3.0 / 7.0 - 2.0 / 7.0 * 1.2f64.sqrt()).sqrt();
    let outer = (3.0 / 7.0 + 2.0 / 7.0 * 1.2f64.sqrt()).sqrt();
    let [heavy, light] = [18.0 + 30f64.sqrt(), 18.0 - 30f64.sqrt()].map(|w| w / 36.0);
    [(-outer, light), (-inner, heavy), (inner, heavy), (outer, light)]
}

/// Reference coordinates and weights of a fine rule: a product of Gauss's, collapsed to the simplex
/// for triangles and tetrahedra.
pub fn fine_rule(kind: ElementKind) -> Vec<([f64; 3], f64)> {
    let d = kind.dimension();
    let mut rule = vec![([0.0; 3], 1.0)];
    for axis in 0..d {
        let with = |&(at, weight): &([f64; 3], f64)| {
            gauss().map(|(x, w)| {
                let mut at = at;
                at[axis] = x;
                (at, weight * w)
            })
        };
        rule = rule.iter().flat_map(with).collect();
    }
    match kind.corner_kind() {
        ElementKind::Triangle3 | ElementKind::Tetrahedron4 => {
            rule.into_iter().map(|(at, weight)| collapsed(at, weight, d)).collect()
        }
        _ => rule,
    }
}

/// From the box to the simplex: x = u, y = v(1−u), z = w(1−u)(1−v).
fn collapsed(at: [f64; 3], weight: f64, d: usize) -> ([f64; 3], f64) {
    let [u, v, w] = at.map(|x| 0.5 * (1.0 + x));
    let left = (1.0 - u) * (1.0 - v);
    match d {
        2 => ([u, v * (1.0 - u), 0.0], 0.25 * weight * (1.0 - u)),
        _ => ([u, v * (1.0 - u), w * left], 0.125 * weight * (1.0 - u) * left),
    }
}

/// Calls `visit(nodes, sample, x, volume)` at every point of the fine rule over the body.
pub fn for_each_point(body: &Body, mut visit: impl FnMut(&[u32], &Sample, [f64; 3], f64)) {
    for e in 0..body.elements.len() {
        let (kind, nodes, points) = (body.kind(e), body.nodes_of(e), body.points_of(e));
        for (at, weight) in fine_rule(kind) {
            let here = sample(kind, &points[..nodes.len()], at);
            let x = std::array::from_fn(|i| {
                (0..nodes.len()).map(|a| here.shape[a] * points[a][i]).sum()
            });
            let volume = weight * here.jacobian * body.material(e).section.depth();
            visit(nodes, &here, x, volume);
        }
    }
}
