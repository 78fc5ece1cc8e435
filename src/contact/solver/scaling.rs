//! Nesterov and Todd's scaling of a pair of points in a cone.

use super::lorentz::{Matrix, ONE, Vector, ZERO, det};
use crate::vector::{dot, moved};

/// Nesterov and Todd's scaling of one contact, V x = V⁻¹ z:
///
/// ```text
///     V = β (2 v vᵀ − J)          v = (w + e)/√(2(w_N + 1))
///     H = V² = β² (2 w wᵀ − J)    w = (z̄ + J x̄)/√(2(1 + x̄·z̄))          β⁴ = det z/det x
/// ```
///
/// with x̄ = x/√det x, z̄ likewise and J = diag(1, −1, −1).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scaling {
    beta: f64,
    v: Vector,
    w: Vector,
    /// V x = V⁻¹ z.
    pub point: Vector,
}

impl Scaling {
    pub fn new(x: Vector, z: Vector) -> Self {
        let (size_x, size_z) = (det(x).sqrt(), det(z).sqrt());
        let (x_unit, z_unit) = (x.map(|x| x / size_x), z.map(|z| z / size_z));
        let norm = (2.0 * (1.0 + dot(x_unit, z_unit))).sqrt();
        let w = moved(z_unit, 1.0, mirror(x_unit)).map(|s| s / norm);
        let half = (2.0 * (w[0] + 1.0)).sqrt();
        let v = moved(w, 1.0, ONE).map(|v| v / half);
        let mut scaling = Self { beta: (size_z / size_x).sqrt(), v, w, point: ZERO };
        scaling.point = scaling.apply(x);
        scaling
    }

    /// V y.
    pub fn apply(&self, y: Vector) -> Vector {
        let along = 2.0 * dot(self.v, y);
        moved(mirror(y).map(|y| -y), along, self.v).map(|y| self.beta * y)
    }

    /// V⁻¹ y.
    pub fn undo(&self, y: Vector) -> Vector {
        let v = mirror(self.v);
        moved(mirror(y).map(|y| -y), 2.0 * dot(v, y), v).map(|y| y / self.beta)
    }

    /// H.
    pub fn square(&self) -> Matrix {
        Self::squared(self.beta * self.beta, self.w)
    }

    /// H⁻¹ = β⁻² (2 (Jw)(Jw)ᵀ − J): exact to rounding where cofactors of H are nothing but rounding.
    pub fn inverse_square(&self) -> Matrix {
        Self::squared((self.beta * self.beta).recip(), mirror(self.w))
    }

    fn squared(scale: f64, w: Vector) -> Matrix {
        let mut h = w.map(|own| w.map(|other| 2.0 * scale * own * other));
        h[0][0] -= scale;
        h[1][1] += scale;
        h[2][2] += scale;
        h
    }
}

/// J y.
fn mirror(y: Vector) -> Vector {
    [y[0], -y[1], -y[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scaling_brings_both_vectors_to_one_point() {
        let (x, z) = ([2.0, 0.7, -1.1], [0.5, -0.1, 0.45]);
        let scaling = Scaling::new(x, z);
        let other = scaling.undo(z);
        let h = scaling.square();
        for i in 0..3 {
            assert!((scaling.point[i] - other[i]).abs() < 1e-13);
            assert!((dot(h[i], x) - z[i]).abs() < 1e-13);
        }
    }

    /// H times its inverse, near the surface of the cones, where H has a condition of 10¹²: each entry of the product is a
    /// sum of terms up to that size.
    #[test]
    fn the_inverse_of_the_scaling_is_exact_near_the_surface_too() {
        let (x, z) = ([1.0, 1.0 - 1e-6, 0.0], [1e-3, -1e-3 * (1.0 - 1e-6), 0.0]);
        let scaling = Scaling::new(x, z);
        let (h, inverse) = (scaling.square(), scaling.inverse_square());
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| h[i][k] * inverse[k][j]).sum();
                let size: f64 = (0..3).map(|k| (h[i][k] * inverse[k][j]).abs()).sum();
                let exact = if i == j { 1.0 } else { 0.0 };
                assert!((product - exact).abs() <= 64.0 * f64::EPSILON * size, "{i} {j} {product}");
            }
        }
    }
}
