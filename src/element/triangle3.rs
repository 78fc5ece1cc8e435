//! T3: the three-node triangle, linear displacement, constant strain.

use nalgebra::{Matrix3x2, SMatrix, Vector3};

use super::integrate::ShapeValues;
use crate::material::Material;

/// Geometry of one triangle: its area and the constant gradients of its shape functions.
#[derive(Clone, Debug)]
pub struct Triangle3 {
    /// Area A > 0.
    pub area: f64,
    /// ∂N_a/∂(x, y), one row per node.
    pub gradients: Matrix3x2<f64>,
}

/// N = (1−ξ−η, ξ, η).
pub(super) fn shape([x, y]: [f64; 2]) -> ShapeValues<2, 3> {
    ShapeValues { values: [1.0 - x - y, x, y], slopes: [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]] }
}

impl Triangle3 {
    /// From its corners, counter-clockwise.
    ///
    /// ```text
    ///     2A = (x₂−x₁)(y₃−y₁) − (x₃−x₁)(y₂−y₁)
    ///     ∂N_a/∂x = (y_b − y_c)/2A      ∂N_a/∂y = (x_c − x_b)/2A       a, b, c cyclic
    /// ```
    pub fn new(corners: [[f64; 2]; 3]) -> Self {
        let [p, q, r] = corners;
        let twice = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
        let row = |b: [f64; 2], c: [f64; 2]| [(b[1] - c[1]) / twice, (c[0] - b[0]) / twice];
        let [g0, g1, g2] = [row(q, r), row(r, p), row(p, q)];
        Self {
            area: 0.5 * twice,
            gradients: Matrix3x2::new(g0[0], g0[1], g1[0], g1[1], g2[0], g2[1]),
        }
    }

    /// Strain operator, ε = B q with ε = (ε_xx, ε_yy, γ_xy) and q = (x₁, y₁, x₂, y₂, x₃, y₃).
    pub fn strain_operator(&self) -> SMatrix<f64, 3, 6> {
        let mut b = SMatrix::<f64, 3, 6>::zeros();
        for a in 0..3 {
            let (dx, dy) = (self.gradients[(a, 0)], self.gradients[(a, 1)]);
            b[(0, 2 * a)] = dx;
            b[(1, 2 * a + 1)] = dy;
            b[(2, 2 * a)] = dy;
            b[(2, 2 * a + 1)] = dx;
        }
        b
    }

    /// ```text
    ///     K_e = ∫ Bᵀ D B t dA = A t Bᵀ D B
    /// ```
    pub fn stiffness(&self, material: &Material) -> SMatrix<f64, 6, 6> {
        let b = self.strain_operator();
        b.transpose() * material.plane_stiffness() * b * (self.area * material.section.depth())
    }

    /// Consistent mass of a scalar field; the same for each displacement component.
    ///
    /// ```text
    ///     m_ab = ∫ ρ N_a N_b t dA = ρ t A (1 + δ_ab)/12
    /// ```
    pub fn mass(&self, material: &Material) -> [[f64; 3]; 3] {
        let m = material.density * material.section.depth() * self.area / 12.0;
        let row = |a: usize| std::array::from_fn(|b| if a == b { 2.0 * m } else { m });
        [row(0), row(1), row(2)]
    }

    /// Mass lumped to the nodes: the row sums of the consistent one, a third of the total each.
    pub fn lumped_mass(&self, material: &Material) -> [[f64; 3]; 3] {
        let m = material.density * material.section.depth() * self.area / 3.0;
        let row = |a: usize| std::array::from_fn(|b| if a == b { m } else { 0.0 });
        [row(0), row(1), row(2)]
    }

    /// Strain (ε_xx, ε_yy, γ_xy) of the nodal displacements.
    pub fn strain(&self, q: &SMatrix<f64, 6, 1>) -> Vector3<f64> {
        self.strain_operator() * q
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Section;

    fn sample() -> (Triangle3, Material, [[f64; 2]; 3]) {
        let corners = [[0.3, -0.2], [2.1, 0.4], [0.9, 1.7]];
        let material = Material {
            young: 5750.0,
            poisson: 0.358,
            density: 1.17e-3,
            section: Section::PlaneStress { thickness: 15.0 },
            damping_mass: 0.0,
            damping_stiffness: 0.0,
        };
        (Triangle3::new(corners), material, corners)
    }

    /// Two translations and the linearised rotation store no energy; rounding of K's entries
    /// (about 1e5) times 1e-16 bounds the forces.
    #[test]
    fn rigid_motions_make_no_force() {
        let (triangle, material, x) = sample();
        let k = triangle.stiffness(&material);
        let modes = [
            [1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
            [-x[0][1], x[0][0], -x[1][1], x[1][0], -x[2][1], x[2][0]],
        ];
        for mode in modes {
            let force = k * SMatrix::<f64, 6, 1>::from_column_slice(&mode);
            assert!(force.amax() < 1e-15 * 16.0 * k.amax(), "force {force}");
        }
    }

    /// ½ qᵀKq of a linear field is the energy density times the volume.
    #[test]
    fn energy_of_a_linear_field_is_exact() {
        let (triangle, material, x) = sample();
        let field = |p: [f64; 2]| [1e-3 * p[0] - 2e-3 * p[1], 5e-4 * p[0] + 3e-3 * p[1]];
        let q: Vec<f64> = x.iter().flat_map(|&p| field(p)).collect();
        let q = SMatrix::<f64, 6, 1>::from_column_slice(&q);
        let energy = 0.5 * q.dot(&(triangle.stiffness(&material) * q));
        let strain = Vector3::new(1e-3, 3e-3, -1.5e-3);
        let exact = 0.5 * strain.dot(&(material.plane_stiffness() * strain)) * triangle.area * 15.0;
        assert!((energy - exact).abs() < 1e-14 * exact, "{energy} {exact}");
        assert!((triangle.strain(&q) - strain).amax() < 1e-17);
    }

    #[test]
    fn both_masses_sum_to_the_mass_of_the_triangle() {
        let (triangle, material, _) = sample();
        let total = material.density * material.section.depth() * triangle.area;
        for mass in [triangle.mass(&material), triangle.lumped_mass(&material)] {
            let sum: f64 = mass.iter().flatten().sum();
            assert!((sum - total).abs() < 1e-15 * total);
        }
    }
}
