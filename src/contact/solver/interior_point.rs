//! A primal–dual interior-point method with Nesterov and Todd's scaling.

use super::lorentz::{
    Lorentz, Matrix, ONE, Vector, ZERO, det, product, quotient, tangent, way_to_surface,
};
use super::{ContactSolver, Proximal, SolveReport, SolveStatus, Target, begin};
use crate::contact::{ConeProblem, Measure};
use crate::vector::{dot, moved};

/// Follows the central path of the problem on Lorentz cones,
///
/// ```text
///     û(z) = W̃ x + b̃,     x ∘ z = τ e,     x, z inside L,     τ → 0                            (1)
///     û(z) = z − e‖z_T‖²/z_N
/// ```
///
/// by Newton's method on both equations, friction included, with Mehrotra's predictor and corrector.
/// û is the velocity where a contact sticks or slides (z = 0 or ‖z_T‖ = z_N), and û_N ≥ 0 where it is
/// open; inside the cone it is smooth, which z − e‖z_T‖ is not. On the path û_N x_N = τ.
///
/// A step costs one sparse factorisation, of W̃ + G H with G = ∂û/∂z and H x = z the scaling: regular
/// for singular W too. The number of steps hardly grows with the problem. The path ends at an error of
/// √τ, the angle by which x and z may differ from opposite; the last digits are the proximal
/// method's, which is tried when they are near and where the way is blocked: the path may fold back,
/// because friction is not monotone. The first guess is not used.
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint;

/// Share of the way to the surface of the cones that a step goes at most.
const SHARE: f64 = 0.995;
/// Least eigenvalue of x ∘ z, as a share of τ, that a step may lead to.
const NEIGHBOURHOOD: f64 = 1e-3;
/// A step below the first is tried again nearer to the centre, and then without some of friction's
/// slope; one above the second brings the slope back.
const SHORT: f64 = 0.1;
const LONG: f64 = 0.5;
/// How much of τ is kept while the slope is not whole.
const HOLD: f64 = 0.9;
/// Steps in which the error must halve, and the size of a step that goes nowhere.
const PATIENCE: usize = 20;
const NOWHERE: f64 = 1e-8;
/// Error from which Newton's method is tried on the problem itself, and the steps it is given.
const NEAR: f64 = 1e-4;
const FINISH: usize = 8;

impl ContactSolver for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior-point"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        let mut u = vec![0.0; p.len()];
        let error = begin(problem, target.measure, p, &mut u);
        let mut report = SolveReport { status: SolveStatus::Stalled, iterations: 0, error };
        if let Some(status) = target.verdict(0, error) {
            return SolveReport { status, ..report };
        }
        if let Some(path) = Path::new(problem) {
            report = path.follow(problem, target, report, p);
        }
        if report.status != SolveStatus::Stalled {
            return report;
        }
        finish(problem, target, usize::MAX, report, p)
    }
}

/// At most `most` steps of the proximal method from `p`, which gets what is better than `report`.
fn finish(
    problem: &ConeProblem,
    target: Target,
    most: usize,
    report: SolveReport,
    p: &mut [f64],
) -> SolveReport {
    let left = target.max_iterations - report.iterations;
    let finish = Proximal.solve(problem, target.at_most(left.min(most)), p);
    SolveReport { iterations: report.iterations + finish.iterations, ..finish }
}

/// Where on the path we are.
struct Path<'a> {
    form: Lorentz<'a>,
    x: Vec<Vector>,
    z: Vec<Vector>,
    scalings: Vec<Scaling>,
    /// W̃ x + b̃ − û(z).
    residual: Vec<Vector>,
    dx: Vec<Vector>,
    dz: Vec<Vector>,
    /// What V dx + V⁻¹ dz shall be.
    wanted: Vec<Vector>,
    /// (V dx) ∘ (V⁻¹ dz) of the predictor.
    second: Vec<Vector>,
    /// Share of friction's slope in G.
    slope: f64,
}

impl<'a> Path<'a> {
    /// In the middle of the cones; `None` where W has too many entries.
    fn new(problem: &'a ConeProblem) -> Option<Self> {
        let contacts = problem.contacts();
        Some(Self {
            form: Lorentz::new(problem)?,
            x: vec![ONE; contacts],
            z: vec![ONE; contacts],
            scalings: vec![Scaling::default(); contacts],
            residual: vec![ZERO; contacts],
            dx: vec![ZERO; contacts],
            dz: vec![ZERO; contacts],
            wanted: vec![ZERO; contacts],
            second: vec![ZERO; contacts],
            slope: 1.0,
        })
    }

    /// Steps until the target is reached or the way is blocked; `p` gets what is better than `report`.
    fn follow(
        mut self,
        problem: &ConeProblem,
        target: Target,
        mut report: SolveReport,
        p: &mut [f64],
    ) -> SolveReport {
        let (mut halved, mut since, mut near) = (report.error, 0, NEAR);
        loop {
            let error = self.error(target.measure);
            if error < report.error {
                report.error = error;
                self.form.impulse_into(&self.x, p);
            }
            if report.error < 0.5 * halved {
                (halved, since) = (report.error, report.iterations);
            }
            if let Some(status) = target.verdict(report.iterations, report.error) {
                return SolveReport { status, ..report };
            }
            if report.error < near {
                report = finish(problem, target, FINISH, report, p);
                near = 1e-2 * report.error.min(near);
                continue;
            }
            let blocked = report.iterations - since > PATIENCE || self.step().is_none();
            report.iterations += 1;
            if blocked {
                return SolveReport { status: SolveStatus::Stalled, ..report };
            }
        }
    }

    /// Error of x; leaves the residual.
    fn error(&mut self, measure: Measure) -> f64 {
        self.form.velocity_into(&self.x, &mut self.residual);
        for (r, &z) in self.residual.iter_mut().zip(&self.z) {
            *r = moved(*r, -1.0, velocity(z));
        }
        self.form.error(measure)
    }

    /// One predictor and corrector; `None` where the way is blocked.
    fn step(&mut self) -> Option<()> {
        for (k, scaling) in self.scalings.iter_mut().enumerate() {
            *scaling = Scaling::new(self.x[k], self.z[k]);
        }
        let (scalings, z, slope) = (&self.scalings, &self.z, self.slope);
        let own = |k: usize| {
            let (square, inverse) = (scalings[k].square(), scalings[k].inverse_square());
            [turn_rows(z[k], slope, square), turn_back(z[k], slope, inverse)]
        };
        self.form.factor(own)?;
        let tau = self.gap(0.0);
        for (wanted, scaling) in self.wanted.iter_mut().zip(&self.scalings) {
            *wanted = scaling.point.map(|v| -v);
        }
        self.direction(1.0)?;
        for (k, scaling) in self.scalings.iter().enumerate() {
            self.second[k] = product(scaling.apply(self.dx[k]), scaling.undo(self.dz[k]));
        }
        let ahead = self.gap(self.way(1.0));
        let mut centring = (ahead / tau).clamp(0.0, 1.0).powi(3);
        if self.slope < 1.0 {
            centring = centring.max(HOLD);
        }
        let mut size = 0.0;
        for (second, least) in [(1.0, 0.0), (0.0, 0.5), (0.0, 1.0)] {
            centring = f64::max(centring, least);
            self.aim(centring * tau, second);
            self.direction(1.0 - centring)?;
            size = self.step_size();
            if size > SHORT {
                break;
            }
        }
        if size < SHORT {
            self.slope *= 0.5;
        } else if size > LONG {
            self.slope = (self.slope + 0.25).min(1.0);
        }
        for k in 0..self.x.len() {
            self.x[k] = moved(self.x[k], size, self.dx[k]);
            self.z[k] = moved(self.z[k], size, self.dz[k]);
        }
        (size > NOWHERE).then_some(())
    }

    /// Mean of x·z after a step of the given size.
    fn gap(&self, size: f64) -> f64 {
        let ahead =
            |k: usize| dot(moved(self.x[k], size, self.dx[k]), moved(self.z[k], size, self.dz[k]));
        (0..self.x.len()).map(ahead).sum::<f64>() / self.x.len() as f64
    }

    /// Aims at x ∘ z = `tau` e, less `second` of the predictor's second-order term.
    fn aim(&mut self, tau: f64, second: f64) {
        for (k, scaling) in self.scalings.iter().enumerate() {
            let goal = moved([tau, 0.0, 0.0], -second, self.second[k]);
            self.wanted[k] = moved(quotient(goal, scaling.point), -1.0, scaling.point);
        }
    }

    /// With d what is wanted and r a `share` of the residual,
    ///
    /// ```text
    ///     (W̃ + G H) dx = G V d − r,     dz = V (d − V dx)
    /// ```
    fn direction(&mut self, share: f64) -> Option<()> {
        for (k, scaling) in self.scalings.iter().enumerate() {
            let pushed = turn(self.z[k], self.slope, scaling.apply(self.wanted[k]));
            self.dx[k] = moved(pushed, -share, self.residual[k]);
        }
        let (scalings, z, slope) = (&self.scalings, &self.z, self.slope);
        let own = |k: usize, x| turn(z[k], slope, scalings[k].apply(scalings[k].apply(x)));
        let solved = self.form.solve(&mut self.dx, own);
        for (k, scaling) in self.scalings.iter().enumerate() {
            let left = moved(self.wanted[k], -1.0, scaling.apply(self.dx[k]));
            self.dz[k] = scaling.apply(left);
        }
        solved.then_some(())
    }

    /// Largest step, up to `most`, that stays in the cones.
    fn way(&self, most: f64) -> f64 {
        let mut way = most;
        for k in 0..self.x.len() {
            way = way_to_surface(self.x[k], self.dx[k], way);
            way = way_to_surface(self.z[k], self.dz[k], way);
        }
        way
    }

    /// Size of the step that stays inside the cones and near the path.
    fn step_size(&self) -> f64 {
        let mut size = (SHARE * self.way(1.0 / SHARE)).min(1.0);
        for _ in 0..30 {
            let floor = NEIGHBOURHOOD * self.gap(size);
            let near = |k: usize| {
                let (x, z) =
                    (moved(self.x[k], size, self.dx[k]), moved(self.z[k], size, self.dz[k]));
                let point = Scaling::new(x, z).point;
                (point[0] - tangent(point)).powi(2) >= floor
            };
            if (0..self.x.len()).all(near) {
                break;
            }
            size *= 0.8;
        }
        size
    }
}

/// û of z.
fn velocity(z: Vector) -> Vector {
    [det(z) / z[0], z[1], z[2]]
}

/// First row of G = ∂û/∂z, with a share of what comes from ‖z_T‖²/z_N.
fn normal_row(z: Vector, slope: f64) -> Vector {
    let t = [z[1] / z[0], z[2] / z[0]];
    [1.0 + slope * (t[0] * t[0] + t[1] * t[1]), -2.0 * slope * t[0], -2.0 * slope * t[1]]
}

/// G y.
fn turn(z: Vector, slope: f64, y: Vector) -> Vector {
    [dot(normal_row(z, slope), y), y[1], y[2]]
}

/// G H.
fn turn_rows(z: Vector, slope: f64, h: Matrix) -> Matrix {
    let g = normal_row(z, slope);
    // H is symmetric: its columns are its rows.
    [h.map(|column| dot(g, column)), h[1], h[2]]
}

/// H⁻¹ G⁻¹ of H⁻¹.
fn turn_back(z: Vector, slope: f64, h: Matrix) -> Matrix {
    let g = normal_row(z, slope);
    h.map(|row| {
        let first = row[0] / g[0];
        [first, row[1] - first * g[1], row[2] - first * g[2]]
    })
}

/// Nesterov and Todd's scaling of one contact, V x = V⁻¹ z:
///
/// ```text
///     V = β (2 v vᵀ − J)          v = (w + e)/√(2(w_N + 1))
///     H = V² = β² (2 w wᵀ − J)    w = (z̄ + J x̄)/√(2(1 + x̄·z̄))          β⁴ = det z/det x
/// ```
///
/// with x̄ = x/√det x, z̄ likewise and J = diag(1, −1, −1).
#[derive(Clone, Copy, Debug, Default)]
struct Scaling {
    beta: f64,
    v: Vector,
    w: Vector,
    /// V x = V⁻¹ z.
    point: Vector,
}

impl Scaling {
    fn new(x: Vector, z: Vector) -> Self {
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
    fn apply(&self, y: Vector) -> Vector {
        let along = 2.0 * dot(self.v, y);
        moved(mirror(y).map(|y| -y), along, self.v).map(|y| self.beta * y)
    }

    /// V⁻¹ y.
    fn undo(&self, y: Vector) -> Vector {
        let v = mirror(self.v);
        moved(mirror(y).map(|y| -y), 2.0 * dot(v, y), v).map(|y| y / self.beta)
    }

    /// H.
    fn square(&self) -> Matrix {
        Self::squared(self.beta * self.beta, self.w)
    }

    /// H⁻¹ = β⁻² (2 (Jw)(Jw)ᵀ − J): exact to rounding where cofactors of H are nothing but rounding.
    fn inverse_square(&self) -> Matrix {
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
    use crate::contact::solver::lorentz::trials;

    /// 9 steps were the most observed.
    #[test]
    fn regular_and_singular_problems_take_a_few_steps() {
        let most = trials::most_iterations(&mut InteriorPoint);
        assert!(most <= 14, "{most} iterations");
    }

    #[test]
    fn units_do_not_matter() {
        trials::assert_units_do_not_matter(&mut InteriorPoint);
    }

    #[test]
    fn contacts_that_move_nothing_are_open() {
        trials::assert_empty_rows_are_open(&mut InteriorPoint);
    }

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

    /// G H times its inverse, near the surface of the cones, where H has a condition of 10¹²: each entry of the product is a
    /// sum of terms up to 10⁶.
    #[test]
    fn the_inverse_of_the_scaling_is_exact_near_the_surface_too() {
        let (x, z) = ([1.0, 1.0 - 1e-6, 0.0], [1e-3, -1e-3 * (1.0 - 1e-6), 0.0]);
        let scaling = Scaling::new(x, z);
        let h = turn_rows(z, 1.0, scaling.square());
        let inverse = turn_back(z, 1.0, scaling.inverse_square());
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
