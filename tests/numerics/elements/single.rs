//! One element at a time, of any shape.

use delassus::element::{
    MassKind, carries, facet_points, mass_into, stiffness_into, strain_at_centre,
};
use delassus::mesh::ElementKind;
use nalgebra::DMatrix;

use super::bodies::*;
use crate::support::random::Random;

/// Corners of the unit element moved by up to 0.1, and nodes between them halfway, moved by up to
/// `bend`.
fn distorted(kind: ElementKind, bend: f64) -> Vec<[f64; 3]> {
    let mesh = regular(kind, [1.0; 3], [1; 3]);
    let first = mesh.body_elements().next().expect("a mesh has elements");
    let mut points: Vec<[f64; 3]> =
        mesh.nodes_of(first).iter().map(|&n| mesh.points[n as usize]).collect();
    let mut random = Random::new(kind.nodes() as u64);
    let mut moved = |x: [f64; 3], by: f64| {
        let mut x = x;
        (0..kind.dimension()).for_each(|i| x[i] += by * random.signed());
        x
    };
    for corner in 0..kind.corners() {
        points[corner] = moved(points[corner], 0.1);
    }
    for (middle, ends) in (kind.corners()..kind.nodes()).zip(kind.edges()) {
        let halfway = [0, 1, 2].map(|i| 0.5 * (points[ends[0]][i] + points[ends[1]][i]));
        points[middle] = moved(halfway, bend);
    }
    points
}

fn matrix(size: usize, fill: impl FnOnce(&mut [f64])) -> DMatrix<f64> {
    let mut entries = vec![f64::NAN; size * size];
    fill(&mut entries);
    DMatrix::from_row_slice(size, size, &entries)
}

/// No motion without energy but the rigid ones: one along a line, three in the plane, six in space.
/// The others are softer than the stiffest by no more than the shape makes them, a factor of 1e4.
#[test]
fn stiffness_is_symmetric_and_only_rigid_motions_cost_nothing() {
    for (kind, section) in ALL {
        for bend in [0.0, 0.05] {
            let (points, d) = (distorted(kind, bend), kind.dimension());
            let size = d * kind.nodes();
            let k = matrix(size, |out| {
                stiffness_into(kind, &points, d, &material(section), out);
            });
            let asymmetry = (&k - k.transpose()).amax() / k.amax();
            assert!(asymmetry < 1e-14, "{kind:?}: asymmetry {asymmetry:e}");
            let mut values = k.symmetric_eigenvalues().as_slice().to_vec();
            values.sort_by(f64::total_cmp);
            let (rigid, stiffest) = (d * (d + 1) / 2, values[size - 1]);
            let zero = largest(values[..rigid].iter().copied()) / stiffest;
            assert!(zero < 1e-14, "{kind:?} {section:?}: a rigid motion costs {zero:e}");
            let softest = values[rigid] / stiffest;
            assert!(
                softest > 1e-4,
                "{kind:?} {section:?}: {softest:e} after {rigid} rigid motions"
            );
        }
    }
}

/// ∫ρ dV is the total, with straight sides and with curved ones; both masses are positive definite.
#[test]
fn masses_are_positive_and_total_the_mass_of_the_element() {
    for (kind, section) in ALL {
        for (bend, mass) in [
            (0.0, MassKind::Consistent),
            (0.05, MassKind::Consistent),
            (0.0, MassKind::Lumped),
            (0.05, MassKind::Lumped),
        ] {
            let points = distorted(kind, bend);
            let material = material(section);
            let m = matrix(kind.nodes(), |out| mass_into(kind, &points, &material, mass, out));
            let volume: f64 = fine_rule(kind)
                .into_iter()
                .map(|(at, weight)| weight * delassus::element::sample(kind, &points, at).jacobian)
                .sum();
            let total = material.density * section.depth() * volume;
            let off = m.sum() / total - 1.0;
            assert!(off.abs() < 1e-14, "{kind:?} {mass:?}: mass is off by {off:e}");
            let smallest = m.clone().symmetric_eigenvalues().min() / m.amax();
            assert!(smallest > 1e-3, "{kind:?} {mass:?}: smallest eigenvalue {smallest:e}");
            if mass == MassKind::Lumped {
                assert_eq!(m, DMatrix::from_diagonal(&m.diagonal()));
            }
        }
    }
}

/// ∫ρ N_a N_b by a rule of degree 7: exact on straight sides, where the integrand has degree 4 at
/// most; on a hexahedron that is no parallelepiped the 2 × 2 × 2 points are not.
#[test]
fn consistent_mass_of_straight_elements_is_the_integral() {
    for (kind, section) in each_kind().filter(|(kind, _)| *kind != ElementKind::Hexahedron8) {
        let (points, n) = (distorted(kind, 0.0), kind.nodes());
        let material = material(section);
        let m = matrix(n, |out| mass_into(kind, &points, &material, MassKind::Consistent, out));
        let mut exact = DMatrix::zeros(n, n);
        for (at, weight) in fine_rule(kind) {
            let here = delassus::element::sample(kind, &points, at);
            let mass = weight * here.jacobian * material.density * section.depth();
            exact += DMatrix::from_fn(n, n, |a, b| mass * here.shape[a] * here.shape[b]);
        }
        let off = (&m - &exact).amax() / exact.amax();
        assert!(off < 1e-14, "{kind:?}: off by {off:e}");
    }
}

/// Shares of the mass at corners and between them, after Hinton, Rock and Zienkiewicz.
#[test]
fn quadratic_elements_lump_by_their_scaled_diagonal() {
    let shares = [
        (ElementKind::Triangle6, PLANE_STRESS, 1.0 / 19.0, 16.0 / 57.0),
        (ElementKind::Tetrahedron10, delassus::material::Section::Solid, 1.0 / 36.0, 4.0 / 27.0),
    ];
    for (kind, section, corner, middle) in shares {
        let points = distorted(kind, 0.0);
        let m = matrix(kind.nodes(), |out| {
            mass_into(kind, &points, &material(section), MassKind::Lumped, out);
        });
        for a in 0..kind.nodes() {
            let expected = if a < kind.corners() { corner } else { middle };
            let off = m[(a, a)] / m.sum() - expected;
            assert!(off.abs() < 1e-15, "{kind:?}: node {a} is off by {off:e}");
        }
    }
}

/// The strain at the centre of a linear field is that of its gradient, however the sides are curved.
#[test]
fn a_linear_field_has_its_strain_at_the_centre() {
    for (kind, section) in each_kind() {
        let points = distorted(kind, 0.05);
        let d = kind.dimension();
        let q: Vec<f64> = points.iter().flat_map(|&x| linear(x).into_iter().take(d)).collect();
        let found = strain_at_centre(kind, &points, d, &q);
        let g = gradient_of(section);
        let shear = |i: usize, j: usize| g[i][j] + g[j][i];
        let exact = [g[0][0], g[1][1], g[2][2], shear(0, 1), shear(1, 2), shear(0, 2)];
        // Rounding of displacements of 0.03 over an element of size 1.
        let off = largest((0..6).map(|i| found[i] - exact[i]));
        assert!(off < 1e-16, "{kind:?}: {found:?} is not {exact:?}");
    }
}

/// ∫ n dA over all facets of an element vanishes, also where they are curved or warped: normals point
/// outward, and the rules are exact. ∫ x·n dA is then d times the volume.
#[test]
fn the_facets_of_an_element_close() {
    for (kind, _) in each_kind().filter(|(kind, _)| *kind != ElementKind::Line2) {
        let points = distorted(kind, 0.05);
        let (mut closing, mut flux) = ([0.0; 3], 0.0);
        for face in kind.faces() {
            let corners: Vec<[f64; 3]> = face.nodes.iter().map(|&a| points[a]).collect();
            facet_points(face.kind, &corners, |shape, normal, area| {
                for i in 0..3 {
                    closing[i] += normal[i] * area;
                    let x: f64 = (0..shape.len()).map(|a| shape[a] * corners[a][i]).sum();
                    flux += x * normal[i] * area;
                }
            });
        }
        let volume: f64 = fine_rule(kind)
            .into_iter()
            .map(|(at, weight)| weight * delassus::element::sample(kind, &points, at).jacobian)
            .sum();
        assert!(largest(closing) < 1e-15, "{kind:?}: {closing:?}");
        let off = flux / (kind.dimension() as f64 * volume) - 1.0;
        assert!(off.abs() < 1e-14, "{kind:?}: volume from its facets is off by {off:e}");
    }
}

/// Shares of a uniform traction: 1/6, 1/6, 4/6 on a line and nothing at the corners of a triangle.
#[test]
fn quadratic_facets_load_their_middles() {
    let line = [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let triangle = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [0.0, 0.5, 0.0],
    ];
    let cases = [
        (ElementKind::Line3, line.as_slice(), 2.0, [1.0 / 6.0, 4.0 / 6.0]),
        (ElementKind::Triangle6, triangle.as_slice(), 0.5, [0.0, 1.0 / 3.0]),
    ];
    for (kind, points, area, [corner, middle]) in cases {
        let mut loads = vec![0.0; points.len()];
        facet_points(kind, points, |shape, _, area| {
            loads.iter_mut().zip(shape).for_each(|(load, n)| *load += n * area);
        });
        for (a, load) in loads.iter().enumerate() {
            let expected = if a < kind.corners() { corner } else { middle };
            assert!((load - expected * area).abs() < 1e-15, "{kind:?}: {loads:?}");
        }
    }
}

#[test]
fn elements_go_with_the_sections_of_their_dimension() {
    for kind in ElementKind::ALL {
        for (_, section) in ALL {
            let expected = ALL.contains(&(kind, section));
            assert_eq!(carries(kind, section), expected, "{kind:?} {section:?}");
        }
    }
}
