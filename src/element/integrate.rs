//! Integrals over isoparametric elements: one routine for every shape.

use super::MassKind;
use super::quadrature::QuadraturePoint;
use crate::material::Material;

/// Shape functions of a reference element at one of its points.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeValues<const D: usize, const N: usize> {
    /// N_a.
    pub values: [f64; N],
    /// ∂N_a/∂ξ.
    pub slopes: [[f64; D]; N],
}

/// How a consistent mass becomes a diagonal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lumping {
    /// m_a = Σ_b m_ab.
    RowSums,
    /// Hinton, Rock and Zienkiewicz: m_a = m_aa Σ_bc m_bc / Σ_b m_bb.
    ScaledDiagonal,
}

/// An isoparametric element: N nodes in D dimensions, x(ξ) = Σ N_a(ξ) x_a and u(ξ) = Σ N_a(ξ) q_a.
pub(super) struct Isoparametric<const D: usize, const N: usize> {
    pub shape: fn([f64; D]) -> ShapeValues<D, N>,
    pub stiffness_rule: &'static [QuadraturePoint<D>],
    pub mass_rule: &'static [QuadraturePoint<D>],
    pub centre: [f64; D],
    pub lumping: Lumping,
}

/// Shape functions at a point of an element in space.
pub(super) struct Mapped<const D: usize, const N: usize> {
    /// N_a.
    pub values: [f64; N],
    /// ∂N_a/∂x.
    pub gradients: [[f64; D]; N],
    /// det ∂x/∂ξ.
    pub jacobian: f64,
}

impl<const D: usize, const N: usize> ShapeValues<D, N> {
    /// ```text
    ///     J_ij = ∂x_i/∂ξ_j = Σ_a x_a,i ∂N_a/∂ξ_j        ∂N_a/∂x_i = Σ_j ∂N_a/∂ξ_j (J⁻¹)_ji
    /// ```
    pub fn mapped(&self, points: &[[f64; 3]]) -> Mapped<D, N> {
        let mut j = [[0.0; D]; D];
        for (point, slopes) in points.iter().zip(&self.slopes) {
            for r in 0..D {
                for c in 0..D {
                    j[r][c] += point[r] * slopes[c];
                }
            }
        }
        let (inverse, jacobian) = inverted(j);
        let gradients = self
            .slopes
            .map(|slope| std::array::from_fn(|i| (0..D).map(|c| slope[c] * inverse[c][i]).sum()));
        Mapped { values: self.values, gradients, jacobian }
    }
}

/// Inverse and determinant, by cofactors, of a matrix of 2 or 3 rows.
fn inverted<const D: usize>(j: [[f64; D]; D]) -> ([[f64; D]; D], f64) {
    let cofactor = |r: usize, c: usize| match D {
        2 => (if r == c { 1.0 } else { -1.0 }) * j[1 - r][1 - c],
        3 => {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            j[r1][c1] * j[r2][c2] - j[r1][c2] * j[r2][c1]
        }
        _ => panic!("an isoparametric body element has 2 or 3 dimensions, not {D}"),
    };
    let determinant = (0..D).map(|c| j[0][c] * cofactor(0, c)).sum::<f64>();
    let inverse = std::array::from_fn(|r| std::array::from_fn(|c| cofactor(c, r) / determinant));
    (inverse, determinant)
}

impl<const D: usize, const N: usize> Isoparametric<D, N> {
    /// Stiffness, row by row, dof = D · node + component.
    ///
    /// ```text
    ///     S_ab = ∫ ∇N_a ⊗ ∇N_b t dV                                                        (1)
    ///     K_ab = ∫ B_aᵀ D B_b t dV = λ S_ab + μ (S_abᵀ + tr(S_ab) I)                       (2)
    /// ```
    ///
    /// (2) holds because D is isotropic; it needs a third of the products of BᵀDB.
    pub fn stiffness_into(&self, points: &[[f64; 3]], material: &Material, out: &mut [f64]) {
        let out = &mut out[..N * D * N * D];
        out.fill(0.0);
        for point in self.stiffness_rule {
            let at = (self.shape)(point.at).mapped(points);
            let volume = point.weight * at.jacobian * material.section.depth();
            add_gradient_products(&at.gradients, volume, out);
        }
        elasticity_from_products::<D, N>(material.lame(), out);
    }

    /// Mass of a scalar field, row by row; the same for each displacement component.
    ///
    /// ```text
    ///     m_ab = ∫ ρ N_a N_b t dV
    /// ```
    pub fn mass_into(
        &self,
        points: &[[f64; 3]],
        material: &Material,
        kind: MassKind,
        out: &mut [f64],
    ) {
        let out = &mut out[..N * N];
        out.fill(0.0);
        for point in self.mass_rule {
            let at = (self.shape)(point.at).mapped(points);
            let mass = material.density * material.section.depth() * point.weight * at.jacobian;
            for a in 0..N {
                for b in 0..N {
                    out[a * N + b] += mass * at.values[a] * at.values[b];
                }
            }
        }
        match kind {
            MassKind::Consistent => {}
            MassKind::Lumped => self.lumping.apply::<N>(out),
        }
    }

    /// ∂u_i/∂x_j at the centre.
    pub fn gradient_at_centre(&self, points: &[[f64; 3]], q: &[f64]) -> [[f64; D]; D] {
        let at = (self.shape)(self.centre).mapped(points);
        displacement_gradient(&at.gradients, q)
    }
}

/// ∂u_i/∂x_j = Σ_a q_a,i ∂N_a/∂x_j.
pub(super) fn displacement_gradient<const D: usize, const N: usize>(
    gradients: &[[f64; D]; N],
    q: &[f64],
) -> [[f64; D]; D] {
    let (q, _) = q.as_chunks::<D>();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..N).map(|a| q[a][i] * gradients[a][j]).sum())
    })
}

/// Adds (1) at one point to the blocks a ≤ b of `out`.
pub(super) fn add_gradient_products<const D: usize, const N: usize>(
    gradients: &[[f64; D]; N],
    volume: f64,
    out: &mut [f64],
) {
    for a in 0..N {
        let left = gradients[a].map(|g| volume * g);
        for i in 0..D {
            let row = &mut out[(a * D + i) * N * D..][..N * D];
            for b in a..N {
                for j in 0..D {
                    row[b * D + j] += left[i] * gradients[b][j];
                }
            }
        }
    }
}

/// (2): turns the S_ab, a ≤ b, in `out` into the whole K.
pub(super) fn elasticity_from_products<const D: usize, const N: usize>(
    [lambda, mu]: [f64; 2],
    out: &mut [f64],
) {
    let at = |a: usize, i: usize, b: usize, j: usize| (a * D + i) * N * D + b * D + j;
    for a in 0..N {
        for b in a..N {
            let s: [[f64; D]; D] =
                std::array::from_fn(|i| std::array::from_fn(|j| out[at(a, i, b, j)]));
            let trace = (0..D).map(|i| s[i][i]).sum::<f64>();
            for i in 0..D {
                for j in 0..D {
                    let spin = if i == j { trace } else { 0.0 };
                    let k = lambda * s[i][j] + mu * (s[j][i] + spin);
                    out[at(a, i, b, j)] = k;
                    out[at(b, j, a, i)] = k;
                }
            }
        }
    }
}

impl Lumping {
    /// Makes the N × N mass diagonal; the total stays.
    pub fn apply<const N: usize>(self, mass: &mut [f64]) {
        let lumped: [f64; N] = match self {
            Self::RowSums => std::array::from_fn(|a| mass[a * N..][..N].iter().sum()),
            Self::ScaledDiagonal => {
                let total: f64 = mass.iter().sum();
                let trace: f64 = (0..N).map(|a| mass[a * N + a]).sum();
                std::array::from_fn(|a| mass[a * N + a] * (total / trace))
            }
        };
        mass.fill(0.0);
        (0..N).for_each(|a| mass[a * N + a] = lumped[a]);
    }
}
