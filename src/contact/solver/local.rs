//! The cone problem of a single contact in the plane, solved exactly.

/// p with û = W p + b, for one contact with the block W = [a c; c d], by trying open, stick and both
/// slips in turn:
///
/// ```text
///     open    p = 0                                       if b_N ≥ 0
///     stick   W p = −b                                    if p_N ≥ 0 and |p_T| ≤ μ p_N
///     slip    p_T = s μ p_N,  p_N = −b_N/(a + s μ c)      if p_N ≥ 0 and s û_T ≤ 0,  s = ±1
/// ```
///
/// One of them holds whenever a > μ|c|. Where none does, the slip whose sliding is least wrong is
/// returned and the global error tells.
pub(super) fn solve_planar(w: [[f64; 2]; 2], b: [f64; 2], mu: f64) -> [f64; 2] {
    let [[a, c], [_, d]] = w;
    if b[0] >= 0.0 || a <= 0.0 {
        return [0.0; 2];
    }
    if mu == 0.0 {
        return [-b[0] / a, 0.0];
    }
    let determinant = a * d - c * c;
    if determinant > 0.0 {
        let p = [(c * b[1] - d * b[0]) / determinant, (c * b[0] - a * b[1]) / determinant];
        if p[0] >= 0.0 && p[1].abs() <= mu * p[0] {
            return p;
        }
    } else if d <= 0.0 && b[1] == 0.0 {
        return [-b[0] / a, 0.0];
    }
    let slip = |s: f64| {
        let p_n = -b[0] / (a + s * mu * c);
        let wrong_way = s * (b[1] + (c + s * mu * d) * p_n);
        ([p_n, s * mu * p_n], if p_n >= 0.0 { wrong_way } else { f64::INFINITY })
    };
    let (forward, backward) = (slip(1.0), slip(-1.0));
    let (p, wrong_way) = if forward.1 <= backward.1 { forward } else { backward };
    if wrong_way.is_finite() { p } else { [0.0; 2] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ConeProblem;

    /// Every b on a circle, several couplings: the answer satisfies the law to rounding.
    #[test]
    fn local_solution_satisfies_coulombs_law_for_every_direction_of_b() {
        for c in [0.0, 0.4, -0.9] {
            for mu in [0.0, 0.1, 0.5, 1.0] {
                for k in 0..360 {
                    let angle = f64::from(k).to_radians();
                    let b = [angle.cos(), angle.sin()];
                    let w = [[1.0, c], [c, 1.5]];
                    let p = solve_planar(w, b, mu);
                    let problem = ConeProblem {
                        dimension: 2,
                        w: vec![1.0, c, c, 1.5],
                        b: b.to_vec(),
                        mu: vec![mu],
                    };
                    let mut u = [0.0; 2];
                    problem.velocity_into(&p, &mut u);
                    assert!(problem.error(&p, &u) < 1e-14, "c {c}, mu {mu}, angle {k}");
                }
            }
        }
    }

    /// A tangential direction that is driven has no row in W: friction opposes the given sliding.
    #[test]
    fn driven_tangent_slides_against_friction() {
        assert_eq!(solve_planar([[2.0, 0.0], [0.0, 0.0]], [-1.0, 3.0], 0.5), [0.5, -0.25]);
        assert_eq!(solve_planar([[2.0, 0.0], [0.0, 0.0]], [-1.0, 0.0], 0.5), [0.5, 0.0]);
    }
}
