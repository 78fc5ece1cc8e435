//! Irons's patch test on irregular meshes.

use delassus::assembly::{Body, MassKind, assemble, stress_of};
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};

use super::bodies::*;

pub const SIZE: [f64; 3] = [3.0, 2.0, 2.5];

/// An irregular mesh, larger in the plane than in space.
pub fn patch(kind: ElementKind) -> Mesh {
    let cells = match kind.dimension() {
        1 => [9, 1, 1],
        2 => [9, 7, 1],
        _ => [4, 3, 3],
    };
    irregular(kind, SIZE, cells)
}

/// σ as (xx, yy, zz, xy, yz, xz), with what lies out of the plane.
pub fn all_components(material: &Material, s: Gradient) -> [f64; 6] {
    let zz = match material.section {
        Section::PlaneStrain { .. } => material.poisson * (s[0][0] + s[1][1]),
        Section::PlaneStress { .. } | Section::Solid | Section::Bar { .. } => s[2][2],
    };
    [s[0][0], s[1][1], zz, s[0][1], s[1][2], s[0][2]]
}

/// √(3 J₂), from the stress deviator rather than from the differences.
pub fn von_mises(s: [f64; 6]) -> f64 {
    let mean = (s[0] + s[1] + s[2]) / 3.0;
    let direct: f64 = s[..3].iter().map(|s| (s - mean).powi(2)).sum();
    let shear: f64 = s[3..].iter().map(|s| s * s).sum();
    (1.5 * (direct + 2.0 * shear)).sqrt()
}

/// Holds a linear field on the boundary, solves for the inside, and compares displacements, stresses and
/// von Mises stresses: the largest errors, relative.
pub fn patch_errors(body: &Body) -> [f64; 3] {
    let mesh = body.mesh;
    let (operator, _) = assemble(body, MassKind::Consistent);
    let exact = at_nodes(mesh, linear);
    let held = dofs_of(mesh, &boundary(mesh));
    let q = solve_held(&operator, &held, &exact, &vec![0.0; exact.len()]);
    let mut errors = [largest(q.iter().zip(&exact).map(|(q, u)| q - u)) / largest(exact), 0.0, 0.0];
    for e in 0..body.elements.len() {
        let material = body.material(e);
        let expected = all_components(material, stress(material, gradient_of(material.section)));
        let found = stress_of(body, e, &q);
        let scale = von_mises(expected);
        let off = largest((0..6).map(|i| found.stress[i] - expected[i])) / scale;
        errors[1] = off.max(errors[1]);
        errors[2] = (found.von_mises / scale - 1.0).abs().max(errors[2]);
    }
    errors
}
