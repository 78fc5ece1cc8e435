//! Elements: shape functions and the integrals that need them, one file per element.
//!
//! | element | displacement | stiffness | mass | lumped mass |
//! |---|---|---|---|---|
//! | bar, 2 nodes, in 1 to 3 dimensions | linear | closed form | closed form | row sums |
//! | triangle, 3 nodes | linear | closed form | closed form | row sums |
//! | tetrahedron, 4 nodes | linear | closed form | closed form | row sums |
//! | quadrangle, 4 nodes | bilinear | 2 × 2 points | 2 × 2 points | row sums |
//! | hexahedron, 8 nodes | trilinear | 2 × 2 × 2 points | 2 × 2 × 2 points | row sums |
//! | triangle, 6 nodes | quadratic | 3 points | 6 points | scaled diagonal |
//! | tetrahedron, 10 nodes | quadratic | 4 points | 14 points | scaled diagonal |
//!
//! Stiffness is fully integrated: no element has a motion without energy but the rigid ones. The
//! sides of quadratic elements may be curved; the rules are exact where they are straight.
//!
//! # Lumped mass
//!
//! A diagonal mass must be positive at every node: M̂ must be positive definite, and a contact node
//! without mass would have no inertia to stop. Row sums are positive for the linear elements, but for
//! the quadratic ones they are
//!
//! ```text
//!     triangle, 6 nodes        corners 0           mid-nodes m/3
//!     tetrahedron, 10 nodes    corners −m/20       mid-nodes m/5
//! ```
//!
//! Those are lumped after Hinton, Rock and Zienkiewicz (1976) instead: the diagonal of the consistent
//! mass, scaled to the mass of the element. It is positive, keeps the mass and, on straight sides, the
//! centre of mass.
//!
//! ```text
//!     m_a = m m_aa / Σ_b m_bb      triangle      corners m/19     mid-nodes 16m/57
//!                                  tetrahedron   corners m/36     mid-nodes 4m/27
//! ```
//!
//! # Nearly incompressible materials
//!
//! As ν → ½ in plane strain or in space, λ → ∞ and every point of the stiffness rule demands
//! div u = 0. Linear elements have too few dofs for that: they lock, and the body seems too stiff.
//! (In plane stress the thickness gives way, and nothing locks.) Deflection of the end of a
//! 4 × 1 (× 1) cantilever, with 4 cells over the height in the plane and 2 in space, as a share of
//! that of quadratic elements on cells of half the size:
//!
//! | element | ν = 0.3 | 0.49 | 0.499 | 0.4999 |
//! |---|---|---|---|---|
//! | triangle, 3 nodes | 0.81 | 0.33 | 0.11 | 0.08 |
//! | quadrangle, 4 nodes | 0.96 | 0.55 | 0.15 | 0.07 |
//! | triangle, 6 nodes | 1.00 | 0.99 | 0.98 | 0.98 |
//! | tetrahedron, 4 nodes | 0.52 | 0.15 | 0.07 | 0.06 |
//! | hexahedron, 8 nodes | 0.87 | 0.55 | 0.28 | 0.11 |
//! | tetrahedron, 10 nodes | 0.99 | 0.96 | 0.94 | 0.94 |
//!
//! What linear elements lose at ν = 0.3 is bending that few cells cannot follow; what they lose beyond
//! is locking. Above ν ≈ 0.45 use the quadratic ones.

mod bar2;
mod facet;
mod hexahedron8;
mod integrate;
mod quadrangle4;
mod quadrature;
mod tetrahedron10;
mod tetrahedron4;
mod triangle3;
mod triangle6;

pub use facet::facet_points;
pub use triangle3::Triangle3;

use crate::material::{Material, Section};
use crate::mesh::ElementKind;
use hexahedron8::HEXAHEDRON8;
use integrate::ShapeValues;
use nalgebra::SMatrix;
use quadrangle4::QUADRANGLE4;
use tetrahedron10::TETRAHEDRON10;
use triangle6::TRIANGLE6;

/// How mass is given to the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassKind {
    /// ∫ρ N_a N_b.
    Consistent,
    /// On the diagonal only: row sums, or for quadratic elements the scaled diagonal.
    Lumped,
}

/// Whether an element of this kind can be made of a material with this section.
pub fn carries(kind: ElementKind, section: Section) -> bool {
    match section {
        Section::PlaneStress { .. } | Section::PlaneStrain { .. } => match kind {
            ElementKind::Triangle3 | ElementKind::Triangle6 | ElementKind::Quadrangle4 => true,
            ElementKind::Point1
            | ElementKind::Line2
            | ElementKind::Line3
            | ElementKind::Tetrahedron4
            | ElementKind::Tetrahedron10
            | ElementKind::Hexahedron8 => false,
        },
        Section::Solid => kind.dimension() == 3,
        Section::Bar { .. } => kind == ElementKind::Line2,
    }
}

/// Mass of a scalar field, n × n row by row; the same for each displacement component.
pub fn mass_into(
    kind: ElementKind,
    points: &[[f64; 3]],
    material: &Material,
    mass: MassKind,
    out: &mut [f64],
) {
    match kind {
        ElementKind::Line2 => bar2::mass_into(points, material, mass, out),
        ElementKind::Triangle3 => {
            let triangle = triangle3(points);
            let m = match mass {
                MassKind::Consistent => triangle.mass(material),
                MassKind::Lumped => triangle.lumped_mass(material),
            };
            out[..9].copy_from_slice(m.as_flattened());
        }
        ElementKind::Triangle6 => TRIANGLE6.mass_into(points, material, mass, out),
        ElementKind::Quadrangle4 => QUADRANGLE4.mass_into(points, material, mass, out),
        ElementKind::Tetrahedron4 => tetrahedron4::mass_into(points, material, mass, out),
        ElementKind::Tetrahedron10 => TETRAHEDRON10.mass_into(points, material, mass, out),
        ElementKind::Hexahedron8 => HEXAHEDRON8.mass_into(points, material, mass, out),
        ElementKind::Point1 | ElementKind::Line3 => no_body(kind),
    }
}

/// Stiffness, nd × nd row by row, dof = d · node + component; `dimension` is that of space.
pub fn stiffness_into(
    kind: ElementKind,
    points: &[[f64; 3]],
    dimension: usize,
    material: &Material,
    out: &mut [f64],
) {
    spans_space(kind, dimension);
    match kind {
        ElementKind::Line2 => bar2::stiffness_into(points, dimension, material, out),
        ElementKind::Triangle3 => {
            let k = triangle3(points).stiffness(material);
            for (i, out) in out[..36].iter_mut().enumerate() {
                *out = k[(i / 6, i % 6)];
            }
        }
        ElementKind::Triangle6 => TRIANGLE6.stiffness_into(points, material, out),
        ElementKind::Quadrangle4 => QUADRANGLE4.stiffness_into(points, material, out),
        ElementKind::Tetrahedron4 => tetrahedron4::stiffness_into(points, material, out),
        ElementKind::Tetrahedron10 => TETRAHEDRON10.stiffness_into(points, material, out),
        ElementKind::Hexahedron8 => HEXAHEDRON8.stiffness_into(points, material, out),
        ElementKind::Point1 | ElementKind::Line3 => no_body(kind),
    }
}

/// Strain that the displacements make at the centre, (ε_xx, ε_yy, ε_zz, γ_xy, γ_yz, γ_xz) with zeros
/// where the element does not reach; of a bar ε n⊗n.
///
/// The centre is where the strains of bilinear and trilinear elements are most accurate; those of
/// quadratic elements with straight sides have their mean there.
pub fn strain_at_centre(
    kind: ElementKind,
    points: &[[f64; 3]],
    dimension: usize,
    q: &[f64],
) -> [f64; 6] {
    spans_space(kind, dimension);
    match kind {
        ElementKind::Line2 => bar2::strain(points, dimension, q),
        ElementKind::Triangle3 => {
            let strain = triangle3(points).strain(&SMatrix::<f64, 6, 1>::from_column_slice(q));
            [strain[0], strain[1], 0.0, strain[2], 0.0, 0.0]
        }
        ElementKind::Triangle6 => plane_strain(TRIANGLE6.gradient_at_centre(points, q)),
        ElementKind::Quadrangle4 => plane_strain(QUADRANGLE4.gradient_at_centre(points, q)),
        ElementKind::Tetrahedron4 => solid_strain(tetrahedron4::gradient(points, q)),
        ElementKind::Tetrahedron10 => solid_strain(TETRAHEDRON10.gradient_at_centre(points, q)),
        ElementKind::Hexahedron8 => solid_strain(HEXAHEDRON8.gradient_at_centre(points, q)),
        ElementKind::Point1 | ElementKind::Line3 => no_body(kind),
    }
}

/// Shape functions at a point of an element in space; the first n entries count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// N_a.
    pub shape: [f64; ElementKind::MOST_NODES],
    /// ∂N_a/∂x.
    pub gradients: [[f64; 3]; ElementKind::MOST_NODES],
    /// det ∂x/∂ξ: volume (area, in the plane) per reference volume.
    pub jacobian: f64,
}

/// Shape functions at reference coordinates `at` of a body element: those from 0 to 1 of the second,
/// third and fourth corner in triangles and tetrahedra, from −1 to 1 in bars, quadrangles and
/// hexahedra.
pub fn sample(kind: ElementKind, points: &[[f64; 3]], at: [f64; 3]) -> Sample {
    let [x, y, _] = at;
    match kind {
        ElementKind::Line2 => bar2::sample(points, x),
        ElementKind::Triangle3 => widened(triangle3::shape([x, y]), points),
        ElementKind::Triangle6 => widened(triangle6::shape([x, y]), points),
        ElementKind::Quadrangle4 => widened(quadrangle4::shape([x, y]), points),
        ElementKind::Tetrahedron4 => widened(tetrahedron4::shape(at), points),
        ElementKind::Tetrahedron10 => widened(tetrahedron10::shape(at), points),
        ElementKind::Hexahedron8 => widened(hexahedron8::shape(at), points),
        ElementKind::Point1 | ElementKind::Line3 => no_body(kind),
    }
}

fn widened<const D: usize, const N: usize>(
    shape: ShapeValues<D, N>,
    points: &[[f64; 3]],
) -> Sample {
    let mapped = shape.mapped(points);
    let mut sample = Sample { jacobian: mapped.jacobian, ..Sample::default() };
    sample.shape[..N].copy_from_slice(&mapped.values);
    for (wide, narrow) in sample.gradients.iter_mut().zip(&mapped.gradients) {
        wide[..D].copy_from_slice(narrow);
    }
    sample
}

fn triangle3(points: &[[f64; 3]]) -> Triangle3 {
    Triangle3::new([0, 1, 2].map(|a| [points[a][0], points[a][1]]))
}

fn plane_strain(u: [[f64; 2]; 2]) -> [f64; 6] {
    [u[0][0], u[1][1], 0.0, u[0][1] + u[1][0], 0.0, 0.0]
}

fn solid_strain(u: [[f64; 3]; 3]) -> [f64; 6] {
    let shear = |i: usize, j: usize| u[i][j] + u[j][i];
    [u[0][0], u[1][1], u[2][2], shear(0, 1), shear(1, 2), shear(0, 2)]
}

fn spans_space(kind: ElementKind, dimension: usize) {
    let spans = kind == ElementKind::Line2 || kind.dimension() == dimension;
    assert!(spans, "a {kind:?} is no part of a body in {dimension} dimensions");
}

fn no_body(kind: ElementKind) -> ! {
    panic!("a {kind:?} carries no material")
}
