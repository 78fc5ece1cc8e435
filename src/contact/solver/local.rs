//! The cone problem of a single contact, solved exactly.

/// The diagonal block of one contact, prepared once for the many solves of a sweep method.
pub(super) trait Local<const D: usize>: Copy {
    /// From the block W, row by row.
    fn new(w: &[f64]) -> Self;

    /// p with û = W p + b. Where the block has no solution, a p whose error the caller will see.
    fn solve(&mut self, b: [f64; D], mu: f64) -> [f64; D];
}

/// In the plane, by trying open, stick and both slips in turn:
///
/// ```text
///     open    p = 0                                       if b_N ≥ 0
///     stick   W p = −b                                    if p_N ≥ 0 and |p_T| ≤ μ p_N
///     slip    p_T = s μ p_N,  p_N = −b_N/(a + s μ c)      if p_N ≥ 0 and s û_T ≤ 0,  s = ±1
/// ```
///
/// One of them holds whenever a > μ|c|. Where none does, the slip whose sliding is least wrong is
/// returned and the global error tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planar {
    w: [f64; 4],
    /// 1/a, 0 where the normal cannot be moved.
    inverse: f64,
    /// 1/(d − c²/a), 0 where stick has no single solution.
    stick: f64,
}

impl Local<2> for Planar {
    fn new(w: &[f64]) -> Self {
        let w = [w[0], w[1], w[2], w[3]];
        let inverse = if w[0] > 0.0 { 1.0 / w[0] } else { 0.0 };
        let schur = w[3] - w[2] * w[1] * inverse;
        let stick = if schur > SINGULAR * (w[0] + w[3]) { 1.0 / schur } else { 0.0 };
        Self { w, inverse, stick }
    }

    #[inline(always)]
    fn solve(&mut self, b: [f64; 2], mu: f64) -> [f64; 2] {
        if b[0] >= 0.0 || self.inverse == 0.0 {
            return [0.0; 2];
        }
        let alone = -b[0] * self.inverse;
        if mu == 0.0 {
            return [alone, 0.0];
        }
        let drive = b[1] + self.w[2] * alone;
        let tangent = -drive * self.stick;
        if self.stick > 0.0 || drive == 0.0 {
            let normal = alone - self.w[1] * self.inverse * tangent;
            if normal >= 0.0 && tangent.abs() <= mu * normal {
                return [normal, tangent];
            }
        }
        self.slip(b, mu)
    }
}

impl Planar {
    fn slip(&self, b: [f64; 2], mu: f64) -> [f64; 2] {
        let [a, c, c_low, d] = self.w;
        let slip = |s: f64| {
            let p_n = -b[0] / (a + s * mu * c);
            let wrong_way = s * (b[1] + (c_low + s * mu * d) * p_n);
            ([p_n, s * mu * p_n], if p_n >= 0.0 { wrong_way } else { f64::INFINITY })
        };
        let (forward, backward) = (slip(1.0), slip(-1.0));
        let (p, wrong_way) = if forward.1 <= backward.1 { forward } else { backward };
        if wrong_way.is_finite() { p } else { [0.0; 2] }
    }
}

/// In space. Open and stick are tried first. In slip û_N = 0 and û_T = −s p_T for some s > 0, so that
///
/// ```text
///     (W + s diag(0, 1, 1)) p(s) = −b          f(s) = ‖p_T(s)‖ − μ p_N(s) = 0               (1)
/// ```
///
/// f > 0 at s = 0, where stick left the cone, and f → μ b_N/W_NN < 0 as s grows: there is a root, and
/// Newton's method kept within a bracket of it cannot miss it. It is applied to 1/‖p_T‖ − 1/(μ p_N),
/// which has the same root and is nearly straight, as in trust-region methods. With p_N eliminated
/// (1) reads (S + s) p_T = −c.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spatial {
    /// 1/W_NN, 0 where the normal cannot be moved.
    inverse: f64,
    /// W_NT/W_NN and W_TN/W_NN.
    row: [f64; 2],
    column: [f64; 2],
    /// S, and its inverse where stick has a single solution.
    schur: [f64; 4],
    stick: Option<[f64; 4]>,
    scale: f64,
    /// Where the last slip ended, 0 before the first.
    guess: f64,
}

/// Below this share of its trace a block is singular.
const SINGULAR: f64 = 1e-14;
/// Relative excess over the cone at which a slip is solved: a few roundings.
const ON_CONE: f64 = 1e-14;

/// p(s) with its ‖p_T‖, and the rates of ‖p_T‖ and p_N.
struct Slip {
    p: [f64; 3],
    size: f64,
    size_rate: f64,
    normal_rate: f64,
}

impl Local<3> for Spatial {
    fn new(w: &[f64]) -> Self {
        let inverse = if w[0] > 0.0 { 1.0 / w[0] } else { 0.0 };
        let entry = |i: usize, j: usize| w[3 * i + j] - w[3 * i] * w[j] * inverse;
        let [a, b, c, d] = [entry(1, 1), entry(1, 2), entry(2, 1), entry(2, 2)];
        let determinant = a * d - b * c;
        let regular = determinant > SINGULAR * (a + d) * (a + d);
        Self {
            inverse,
            row: [w[1] * inverse, w[2] * inverse],
            column: [w[3] * inverse, w[6] * inverse],
            schur: [a, b, c, d],
            stick: regular.then(|| [d, -b, -c, a].map(|x| x / determinant)),
            scale: (a + d).abs().max(w[0]),
            guess: 0.0,
        }
    }

    #[inline(always)]
    fn solve(&mut self, b: [f64; 3], mu: f64) -> [f64; 3] {
        if b[0] >= 0.0 || self.inverse == 0.0 {
            return [0.0; 3];
        }
        let alone = -b[0] * self.inverse;
        let drive = [b[1] - self.column[0] * b[0], b[2] - self.column[1] * b[0]];
        if mu == 0.0 || (self.stick.is_none() && drive == [0.0; 2]) {
            return [alone, 0.0, 0.0];
        }
        if let Some([i00, i01, i10, i11]) = self.stick {
            let t = [-(i00 * drive[0] + i01 * drive[1]), -(i10 * drive[0] + i11 * drive[1])];
            let normal = alone - self.row[0] * t[0] - self.row[1] * t[1];
            let limit = mu * normal;
            if normal >= 0.0 && t[0] * t[0] + t[1] * t[1] <= limit * limit {
                return [normal, t[0], t[1]];
            }
        }
        self.slip(alone, drive, mu)
    }
}

impl Spatial {
    fn slip(&mut self, alone: f64, drive: [f64; 2], mu: f64) -> [f64; 3] {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut s = if self.guess > 0.0 { self.guess } else { self.scale };
        let mut now = self.at(s, alone, drive);
        for _ in 0..100 {
            let limit = mu * now.p[0];
            let excess = now.size - limit;
            if excess > 0.0 {
                low = s
            } else {
                high = s
            }
            if excess.abs() <= ON_CONE * limit.abs() {
                break;
            }
            let limit_rate = mu * now.normal_rate;
            let newton = if limit > 0.0 {
                let rate = now.size_rate * limit * limit - limit_rate * now.size * now.size;
                s - excess * limit * now.size / rate
            } else {
                s - excess / (now.size_rate - limit_rate)
            };
            let inside = newton > low && newton < high;
            let next = match (inside, high.is_finite(), low > 0.0) {
                (true, _, _) => newton,
                (false, true, true) => (low * high).sqrt(),
                (false, true, false) => 0.1 * high,
                (false, false, _) => 4.0 * low.max(self.scale),
            };
            if (next - s).abs() <= 1e-16 * s {
                break;
            }
            s = next;
            now = self.at(s, alone, drive);
        }
        self.guess = s;
        put_on_cone(now.p, now.size, mu)
    }

    #[inline(always)]
    fn at(&self, shift: f64, alone: f64, drive: [f64; 2]) -> Slip {
        let (a, d) = (self.schur[0] + shift, self.schur[3] + shift);
        let [_, b, c, _] = self.schur;
        let inverse = 1.0 / (a * d - b * c);
        let solve = |x: f64, y: f64| [-(d * x - b * y) * inverse, -(a * y - c * x) * inverse];
        let t = solve(drive[0], drive[1]);
        let rate = solve(t[0], t[1]);
        let size = (t[0] * t[0] + t[1] * t[1]).sqrt();
        let turning = t[0] * rate[0] + t[1] * rate[1];
        Slip {
            p: [alone - self.row[0] * t[0] - self.row[1] * t[1], t[0], t[1]],
            size,
            size_rate: if size > 0.0 { turning / size } else { 0.0 },
            normal_rate: -self.row[0] * rate[0] - self.row[1] * rate[1],
        }
    }
}

/// The impulse with its tangential part, of that size, at exactly μ p_N.
fn put_on_cone(p: [f64; 3], size: f64, mu: f64) -> [f64; 3] {
    if p[0] <= 0.0 || size == 0.0 {
        return [p[0].max(0.0), 0.0, 0.0];
    }
    let scale = mu * p[0] / size;
    [p[0], scale * p[1], scale * p[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ConeProblem, Measure};

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
                let mut local = Spatial::new(&w);
                for k in 0..2000 {
                    let z = 1.0 - f64::from(2 * k + 1) / 2000.0;
                    let angle = f64::from(k) * 2.399963;
                    let r = (1.0 - z * z).sqrt();
                    let b = [z, r * angle.cos(), r * angle.sin()];
                    let p = local.solve(b, mu);
                    let problem = ConeProblem::dense(3, &w, b.to_vec(), vec![mu]);
                    let mut u = [0.0; 3];
                    problem.velocity_into(&p, &mut u);
                    let error = problem.error(Measure::Scaled, &p, &u);
                    assert!(error < 1e-12, "w {w:?}, mu {mu}, b {b:?}: {error:e}");
                }
            }
        }
    }
    /// Every b on a circle, several couplings: the answer satisfies the law to rounding.
    #[test]
    fn local_solution_satisfies_coulombs_law_for_every_direction_of_b() {
        for c in [0.0, 0.4, -0.9] {
            for mu in [0.0, 0.1, 0.5, 1.0] {
                for k in 0..360 {
                    let angle = f64::from(k).to_radians();
                    let b = [angle.cos(), angle.sin()];
                    let w = [1.0, c, 0.9 * c, 1.5];
                    let p = Planar::new(&w).solve(b, mu);
                    let problem = ConeProblem::dense(2, &w, b.to_vec(), vec![mu]);
                    let mut u = [0.0; 2];
                    problem.velocity_into(&p, &mut u);
                    assert!(
                        problem.error(Measure::Scaled, &p, &u) < 1e-14,
                        "c {c}, mu {mu}, angle {k}"
                    );
                }
            }
        }
    }

    /// A tangential direction that is driven has no row in W: friction opposes the given sliding.
    #[test]
    fn driven_tangent_slides_against_friction() {
        let mut local = Planar::new(&[2.0, 0.0, 0.0, 0.0]);
        assert_eq!(local.solve([-1.0, 3.0], 0.5), [0.5, -0.25]);
        assert_eq!(local.solve([-1.0, 0.0], 0.5), [0.5, 0.0]);
    }
}
