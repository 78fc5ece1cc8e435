//! What linear elements lose as ν → ½.

use delassus::assembly::{MassKind, assemble, facet_load};
use delassus::material::{Material, Section};
use delassus::mesh::{ElementKind, Mesh};

use super::bodies::*;

const RATIOS: [f64; 4] = [0.3, 0.49, 0.499, 0.4999];

/// Mean deflection of the end of a beam of 4 × 1 (× 1), clamped at the left, under a shear traction at
/// the right, with `cells` over its height.
fn deflection(kind: ElementKind, cells: usize, material: &Material) -> f64 {
    let mesh: Mesh = regular(kind, [4.0, 1.0, 1.0], [4 * cells, cells, cells]);
    let body = body(&mesh, material.clone());
    let (operator, _) = assemble(&body, MassKind::Consistent);
    let end = &mesh.groups["right"];
    let facets = body.facets_of(&end.elements).expect("the end is outside");
    let mut force = vec![0.0; operator.dofs()];
    for (dof, f) in facet_load(&mesh, &facets, |_| [0.0, 1.0, 0.0]) {
        force[dof as usize] += f;
    }
    let held = dofs_of(&mesh, &mesh.groups["left"].nodes);
    let q = solve_held(&operator, &held, &vec![0.0; force.len()], &force);
    let tip = |&n: &u32| q[mesh.dimension * n as usize + 1];
    end.nodes.iter().map(tip).sum::<f64>() / end.nodes.len() as f64
}

/// Deflection of each element, with four cells over the height (two in space), as a share of that of quadratic
/// elements on a mesh twice as fine. The numbers are those of this program and stand, rounded, in the
/// documentation of `element`.
#[test]
fn linear_elements_lock_as_the_material_becomes_incompressible_and_quadratic_ones_do_not() {
    let expected = [
        (ElementKind::Triangle3, [0.810, 0.329, 0.111, 0.078]),
        (ElementKind::Quadrangle4, [0.959, 0.545, 0.153, 0.071]),
        (ElementKind::Triangle6, [0.998, 0.986, 0.981, 0.981]),
        (ElementKind::Tetrahedron4, [0.520, 0.149, 0.072, 0.063]),
        (ElementKind::Hexahedron8, [0.867, 0.545, 0.284, 0.105]),
        (ElementKind::Tetrahedron10, [0.992, 0.955, 0.943, 0.942]),
    ];
    let mut faults = Vec::new();
    for (kind, expected) in expected {
        let (section, reference, cells) = match kind.dimension() {
            2 => (PLANE_STRAIN, ElementKind::Triangle6, 4),
            _ => (Section::Solid, ElementKind::Tetrahedron10, 2),
        };
        let share = |poisson: f64| {
            let material = Material { poisson, ..material(section) };
            deflection(kind, cells, &material) / deflection(reference, 2 * cells, &material)
        };
        let found = RATIOS.map(share);
        println!("{kind:?}: {found:.3?}");
        if (0..4).any(|i| (found[i] - expected[i]).abs() > 0.002) {
            faults.push(format!("{kind:?}: {found:.3?} is not {expected:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
