//! Rotations: unit quaternions (w, x, y, z), vectors φ = angle × axis, and matrices, row by row.
//!
//! ```text
//!     exp φ = (cos |φ|/2, sin(|φ|/2) φ/|φ|)                                                (1)
//!     log q = 2 atan2(|q⃗|, q₀) q⃗/|q⃗|,  q₀ ≥ 0                                              (2)
//!     cay w = (1, w/2)/√(1 + |w|²/4)          turns by 2 atan(|w|/2)                       (3)
//!     R(q)  = 1 + 2 (q₀ [q⃗] + [q⃗]²)/|q|²      R(p∘q) = R(p) R(q)                           (4)
//! ```
//!
//! The product of rotations turns first by its right factor; a right factor is seen from the body.

use super::{cross, dot, length, moved, plus, polar, times};

/// The rotation by |φ| about φ, (1).
pub fn of_vector(phi: [f64; 3]) -> [f64; 4] {
    match polar(phi) {
        Some((angle, axis)) => {
            let (sine, cosine) = (0.5 * angle).sin_cos();
            joined(cosine, times(sine, axis))
        }
        None => joined(1.0, times(0.5, phi)),
    }
}

/// The vector of a rotation, no longer than π, (2). A quaternion of any length but zero will do.
pub fn to_vector(q: [f64; 4]) -> [f64; 3] {
    // q and −q are one rotation: the shorter way round is the one with q₀ ≥ 0.
    let ([q0, x, y, z], sign) = (q, if q[0] < 0.0 { -1.0 } else { 1.0 });
    match polar([x, y, z]) {
        // Not 2 acos q₀, which forgets half of the digits near 0, nor 2 asin |q⃗|, which does near π.
        Some((sine, axis)) => times(sign * 2.0 * sine.atan2(q0.abs()), axis),
        None => times(2.0 / q0, [x, y, z]),
    }
}

/// p∘q: first `q`, then `p`.
pub fn product(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    let ([p0, p @ ..], [q0, q @ ..]) = (p, q);
    joined(p0 * q0 - dot(p, q), plus(cross(p, q), moved(times(p0, q), q0, p)))
}

/// The rotation back.
pub fn conjugate([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [w, -x, -y, -z]
}

/// The matrix of a rotation, row by row, (4). Orthonormal whatever length has drifted to.
pub fn matrix(q: [f64; 4]) -> [[f64; 3]; 3] {
    let [w, x, y, z] = q;
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    [
        [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
    ]
}

/// The matrix of the rotation by |φ| about φ.
pub fn matrix_of(phi: [f64; 3]) -> [[f64; 3]; 3] {
    matrix(of_vector(phi))
}

/// The quaternion of a matrix of rotation, with q₀ ≥ 0.
///
/// ```text
///     4 q₀² = 1 + R₁₁ + R₂₂ + R₃₃        4 q₀ q₁ = R₃₂ − R₂₃                              (5)
///     4 q₁² = 1 + R₁₁ − R₂₂ − R₃₃        4 q₁ q₂ = R₁₂ + R₂₁      and so round
/// ```
///
/// Of the four, the largest is the one divided by.
pub fn of_matrix(r: [[f64; 3]; 3]) -> [f64; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let squares = [trace, r[0][0], r[1][1], r[2][2]];
    let largest = (1..4).fold(0, |k, i| if squares[i] > squares[k] { i } else { k });
    let skew = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]];
    let q = if largest == 0 {
        joined(1.0 + trace, skew)
    } else {
        let i = largest - 1;
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut vector = [0.0; 3];
        vector[i] = 1.0 + r[i][i] - r[j][j] - r[k][k];
        vector[j] = r[i][j] + r[j][i];
        vector[k] = r[i][k] + r[k][i];
        joined(skew[i], vector)
    };
    let size = q.iter().map(|q| q * q).sum::<f64>().sqrt();
    let size = if q[0] < 0.0 { -size } else { size };
    q.map(|q| q / size)
}

/// The rotation that the mid-point rule makes of the increment h ω = `w`, (3).
pub fn cayley(w: [f64; 3]) -> [f64; 4] {
    let half = times(0.5, w);
    let scale = f64::hypot(1.0, length(half));
    joined(1.0 / scale, half.map(|half| half / scale))
}

/// φ after a step: log(exp φ ∘ cay w), where the increment `w` is seen from the body.
pub fn then(phi: [f64; 3], w: [f64; 3]) -> [f64; 3] {
    to_vector(product(of_vector(phi), cayley(w)))
}

fn joined(scalar: f64, [x, y, z]: [f64; 3]) -> [f64; 4] {
    [scalar, x, y, z]
}

#[cfg(test)]
mod tests {
    const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

    use std::f64::consts::PI;

    use super::super::{combine, distance, minus, unit};
    use super::*;

    const EPSILON: f64 = f64::EPSILON;

    /// Axes in all octants, one of them in a plane and one along z.
    fn axes() -> impl Iterator<Item = [f64; 3]> {
        let along = |k: u32| {
            let (a, b) = (0.7 * f64::from(k), 1.3 * f64::from(k));
            [a.sin() * b.cos(), a.sin() * b.sin(), a.cos()]
        };
        (0..40).map(along).chain([[0.6, 0.8, 0.0]])
    }

    /// R − S, its largest entry.
    fn apart(r: [[f64; 3]; 3], s: [[f64; 3]; 3]) -> f64 {
        let differences = r.iter().flatten().zip(s.iter().flatten());
        differences.fold(0.0, |m: f64, (r, s)| m.max((r - s).abs()))
    }

    fn times_matrix(r: [[f64; 3]; 3], s: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        r.map(|row| combine(row, s))
    }

    fn transposed(r: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| r[j][i]))
    }

    /// Four roundings of a unit vector and of its angle, none of them magnified.
    #[test]
    fn the_logarithm_undoes_the_exponential_at_every_angle_up_to_pi() {
        let near_pi = [1e-15, 1e-12, 1e-8, 1e-3].map(|less| PI - less);
        let tiny = [1e-300, 1e-160, 1e-20, 1e-8, 1e-4];
        let all = (1..100).map(|k| PI * f64::from(k) / 100.0).chain(near_pi).chain(tiny);
        for angle in all {
            for axis in axes() {
                let phi = times(angle, axis);
                let error = distance(to_vector(of_vector(phi)), phi);
                assert!(error <= 4.0 * EPSILON * angle, "{angle}: {error:e}");
            }
        }
        assert_eq!(to_vector(of_vector([0.0; 3])), [0.0; 3]);
        let least = [0.0, f64::MIN_POSITIVE, 0.0];
        assert_eq!(to_vector(of_vector(least)), least);
        assert!(to_vector([f64::NAN; 4])[0].is_nan());
    }

    #[test]
    fn beyond_half_a_turn_the_shorter_way_round_is_found() {
        for turns in [0.6, 0.9, 1.3, 7.75] {
            let phi = [0.0, 0.0, 2.0 * PI * turns];
            let found = to_vector(of_vector(phi))[2];
            let exact = 2.0 * PI * (turns - f64::round(turns));
            assert!(found.abs() <= PI && (found - exact).abs() < 16.0 * EPSILON * phi[2]);
        }
        assert_eq!(length(to_vector([0.0, 1.0, 0.0, 0.0])), PI);
        assert_eq!(length(to_vector([-0.0, 0.0, 0.0, -1.0])), PI);
    }

    /// R x = x cos φ + n × x sin φ + n (n·x)(1 − cos φ).
    #[test]
    fn a_matrix_turns_like_the_formula_of_rodrigues() {
        for (k, axis) in axes().enumerate() {
            let (angle, x) = (0.1 * (k + 1) as f64, [0.3, -1.1, 0.7]);
            let axis = unit(axis).unwrap();
            let turned = matrix_of(times(angle, axis)).map(|row| dot(row, x));
            let (sine, cosine) = angle.sin_cos();
            let across = moved(times(cosine, x), sine, cross(axis, x));
            let exact = moved(across, dot(axis, x) * (1.0 - cosine), axis);
            assert!(distance(turned, exact) < 8.0 * EPSILON);
        }
        assert_eq!(matrix(IDENTITY), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }

    #[test]
    fn a_product_is_that_of_the_matrices_and_the_conjugate_is_the_transpose() {
        let (p, q) = (of_vector([0.3, -0.2, 1.1]), of_vector([-2.0, 0.4, 0.1]));
        let exact = times_matrix(matrix(p), matrix(q));
        assert!(apart(matrix(product(p, q)), exact) < 4.0 * EPSILON);
        assert_eq!(matrix(conjugate(p)), transposed(matrix(p)));
        let back = product(p, conjugate(p));
        assert!((back[0] - 1.0).abs() <= EPSILON && length([back[1], back[2], back[3]]) < EPSILON);
    }

    /// The largest of the four is at least ½, so that nothing is magnified more than twice.
    #[test]
    fn the_quaternion_of_a_matrix_is_found_at_every_angle() {
        for angle in [0.0, 1e-9, 0.5, 1.5, 2.0, 3.0, PI - 1e-9, PI] {
            for axis in axes() {
                let r = matrix_of(times(angle, axis));
                let q = of_matrix(r);
                assert!(apart(matrix(q), r) < 8.0 * EPSILON, "{angle} {axis:?}");
                assert!(q[0] >= 0.0);
            }
        }
    }

    /// (3), and cay w = exp w to second order: they differ by |w|³/12.
    #[test]
    fn the_cayley_map_turns_by_twice_the_arctangent() {
        for size in [1e-6, 1e-2, 1.0, 30.0] {
            let w = [0.6 * size, -0.8 * size, 0.0];
            let phi = to_vector(cayley(w));
            let exact = times(2.0 * (0.5 * size).atan() / size, w);
            assert!(distance(phi, exact) <= 4.0 * EPSILON * length(exact));
            assert!(length(minus(phi, w)) <= size.powi(3) / 12.0 + 4.0 * EPSILON * size);
        }
        assert_eq!(cayley([0.0; 3]), IDENTITY);
    }

    /// φ is made anew at each step, so that no error of length can gather; that of R is of one step.
    #[test]
    fn a_hundred_thousand_steps_keep_the_axes_orthonormal() {
        let (mut phi, mut q) = ([0.1, 0.2, -0.3], of_vector([0.1, 0.2, -0.3]));
        let w = [0.01, -0.02, 0.015];
        for _ in 0..100_000 {
            phi = then(phi, w);
            q = product(q, cayley(w));
        }
        for r in [matrix_of(phi), matrix(q)] {
            let square = times_matrix(r, transposed(r));
            assert!(apart(square, matrix(IDENTITY)) < 4.0 * EPSILON);
        }
        // All steps turn about one axis: errors of one sign in the angle, at worst ε for each.
        let steps = times(1e5 * 2.0 * (0.5 * length(w)).atan() / length(w), w);
        let turned = matrix(product(of_vector([0.1, 0.2, -0.3]), of_vector(steps)));
        assert!(apart(matrix_of(phi), turned) < 1e5 * EPSILON);
        assert!(apart(matrix(q), turned) < 1e5 * EPSILON);
    }
}
