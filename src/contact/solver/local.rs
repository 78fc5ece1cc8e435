//! The cone problem of a single contact, solved exactly.

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

/// p with û = W p + b, for one contact in space with the 3×3 block W, row by row.
///
/// Open and stick are tried first. In slip û_N = 0 and û_T = −s p_T for some s > 0, so that
///
/// ```text
///     (W + s diag(0, 1, 1)) p(s) = −b          f(s) = ‖p_T(s)‖ − μ p_N(s) = 0               (1)
/// ```
///
/// f > 0 at s = 0, where stick left the cone, and f → μ b_N/W_NN < 0 as s grows: there is a root, and
/// Newton's method kept within a bracket of it cannot miss it. `guess` is where it starts and ends,
/// 0 for no guess.
pub(super) fn solve_spatial(w: &[f64], b: [f64; 3], mu: f64, guess: &mut f64) -> [f64; 3] {
    if b[0] >= 0.0 || w[0] <= 0.0 {
        return [0.0; 3];
    }
    if mu == 0.0 {
        return [-b[0] / w[0], 0.0, 0.0];
    }
    let slip = SlipEquation::new(w, b, mu);
    if slip.sticks_uniquely() {
        let stick = slip.at(0.0);
        if stick.excess <= 0.0 {
            return stick.p;
        }
    } else if slip.drive == [0.0; 2] {
        return [-b[0] / w[0], 0.0, 0.0];
    }
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut s = if *guess > 0.0 { *guess } else { slip.scale };
    let mut now = slip.at(s);
    for _ in 0..100 {
        if now.excess > 0.0 {
            low = s
        } else {
            high = s
        }
        if now.excess.abs() <= 1e-15 * mu * now.p[0].abs() {
            break;
        }
        let newton = s - now.excess / now.slope;
        let inside = newton > low && newton < high;
        let next = match (inside, high.is_finite(), low > 0.0) {
            (true, _, _) => newton,
            (false, true, true) => (low * high).sqrt(),
            (false, true, false) => 0.1 * high,
            (false, false, _) => 4.0 * low.max(slip.scale),
        };
        if (next - s).abs() <= 1e-16 * s {
            break;
        }
        s = next;
        now = slip.at(s);
    }
    *guess = s;
    put_on_cone(now.p, mu)
}

/// (1) with the normal component eliminated: (S + s) p_T = −c.
struct SlipEquation {
    s: [f64; 4],
    drive: [f64; 2],
    /// p_N = normal[0] + normal[1] p_T1 + normal[2] p_T2.
    normal: [f64; 3],
    mu: f64,
    scale: f64,
}

/// p(s), f(s) and f′(s).
struct Slip {
    p: [f64; 3],
    excess: f64,
    slope: f64,
}

impl SlipEquation {
    fn new(w: &[f64], b: [f64; 3], mu: f64) -> Self {
        let inverse = 1.0 / w[0];
        let schur = |i: usize, j: usize| w[3 * i + j] - w[3 * i] * w[j] * inverse;
        let s = [schur(1, 1), schur(1, 2), schur(2, 1), schur(2, 2)];
        Self {
            s,
            drive: [1, 2].map(|i| b[i] - w[3 * i] * b[0] * inverse),
            normal: [-b[0] * inverse, -w[1] * inverse, -w[2] * inverse],
            mu,
            scale: (s[0] + s[3]).abs().max(w[0]),
        }
    }

    fn sticks_uniquely(&self) -> bool {
        let [a, b, c, d] = self.s;
        a * d - b * c > 1e-14 * (a + d) * (a + d)
    }

    fn at(&self, shift: f64) -> Slip {
        let (a, d) = (self.s[0] + shift, self.s[3] + shift);
        let inverse = 1.0 / (a * d - self.s[1] * self.s[2]);
        let solve = |x: f64, y: f64| {
            [-(d * x - self.s[1] * y) * inverse, -(a * y - self.s[2] * x) * inverse]
        };
        let t = solve(self.drive[0], self.drive[1]);
        let rate = solve(t[0], t[1]);
        let [n0, n1, n2] = self.normal;
        let p_n = n0 + n1 * t[0] + n2 * t[1];
        let size = t[0].hypot(t[1]);
        let growth = if size > 0.0 { (t[0] * rate[0] + t[1] * rate[1]) / size } else { 0.0 };
        Slip {
            p: [p_n, t[0], t[1]],
            excess: size - self.mu * p_n,
            slope: growth - self.mu * (n1 * rate[0] + n2 * rate[1]),
        }
    }
}

/// The impulse with its tangential part at exactly μ p_N.
fn put_on_cone(p: [f64; 3], mu: f64) -> [f64; 3] {
    let size = p[1].hypot(p[2]);
    if p[0] <= 0.0 || size == 0.0 {
        return [p[0].max(0.0), 0.0, 0.0];
    }
    let scale = mu * p[0] / size;
    [p[0], scale * p[1], scale * p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions all over the sphere, several couplings, a singular block among them.
    #[test]
    fn spatial_solution_satisfies_coulombs_law_for_every_direction_of_b() {
        let blocks = [
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            [1.0, 0.3, -0.2, 0.3, 1.5, 0.4, -0.2, 0.4, 0.7],
            [1.0, 0.3, -0.2, 0.31, 1.5, 0.4, -0.19, 0.38, 0.7],
            [1.0, 0.5, 0.0, 0.5, 0.25, 0.0, 0.0, 0.0, 1.0],
        ];
        for w in blocks {
            for mu in [0.0, 0.1, 0.7, 1.0] {
                let mut guess = 0.0;
                for k in 0..2000 {
                    let z = 1.0 - f64::from(2 * k + 1) / 2000.0;
                    let angle = f64::from(k) * 2.399963;
                    let r = (1.0 - z * z).sqrt();
                    let b = [z, r * angle.cos(), r * angle.sin()];
                    let p = solve_spatial(&w, b, mu, &mut guess);
                    let problem = ConeProblem::dense(3, &w, b.to_vec(), vec![mu]);
                    let mut u = [0.0; 3];
                    problem.velocity_into(&p, &mut u);
                    let error = problem.error(&p, &u);
                    assert!(error < 1e-12, "w {w:?}, mu {mu}, b {b:?}: {error:e}");
                }
            }
        }
    }
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
                    let problem = ConeProblem::dense(2, &[1.0, c, c, 1.5], b.to_vec(), vec![mu]);
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
