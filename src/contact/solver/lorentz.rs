//! The cone problem on Lorentz cones, in units of its own, and the algebra of these cones.

use super::elimination::{BodyElimination, apply, refined};
use crate::contact::{BodyProduct, ConeProblem, Measure};
use crate::linalg::SparseLu;
use crate::vector::dot;

/// Components of one contact, normal first; the third is zero in the plane.
pub(super) type Vector = [f64; 3];
/// A matrix of one contact, row by row.
pub(super) type Matrix = [[f64; 3]; 3];

pub(super) const ZERO: Vector = [0.0; 3];
/// Unit of the algebra.
pub(super) const ONE: Vector = [1.0, 0.0, 0.0];

/// With p = u f x, f = a (1, μ, μ) in each contact, tr(f W f) = d and u = ‖f b‖ per contact,
/// the problem becomes
///
/// ```text
///     z − ‖z_T‖e = W̃ x + b̃,     L ∋ z ⟂ x ∈ L,     L = { ‖x_T‖ ≤ x_N }                      (1)
/// ```
///
/// with W̃ = f W f and b̃ = f b/u, whatever the units of W and b were. Where μ = 0 the tangential rows
/// of W̃ and b̃ vanish and L is as good as a half-line.
pub(super) struct Lorentz<'a> {
    problem: &'a ConeProblem,
    factors: Vec<f64>,
    unit: f64,
    system: System,
    p: Vec<f64>,
    u: Vec<f64>,
    rhs: Vec<f64>,
    motion: Vec<f64>,
}

/// How systems of W̃ + diag(own) are solved.
enum System {
    /// As they are, W̃ entry by entry in the order of `lu`.
    Blocks { lu: SparseLu, w: Vec<f64> },
    /// On the dofs of the bodies, with own⁻¹ of each contact.
    Bodies { elimination: BodyElimination, inverses: Vec<Matrix> },
}

impl<'a> Lorentz<'a> {
    /// `None` where W has too many entries.
    pub(super) fn new(problem: &'a ConeProblem) -> Option<Self> {
        let (d, contacts) = (problem.dimension(), problem.contacts());
        let factors = factors(problem);
        let scaled = factors.iter().zip(&problem.b).map(|(f, b)| (f * b).powi(2));
        let unit = (scaled.sum::<f64>() / contacts.max(1) as f64).sqrt();
        let system = match problem.w.product() {
            Some(product) => System::Bodies {
                elimination: BodyElimination::new(product)?,
                inverses: vec![[[0.0; 3]; 3]; contacts],
            },
            None => System::of_blocks(problem, &factors)?,
        };
        Some(Self {
            problem,
            factors,
            unit: if unit > 0.0 && unit.is_finite() { unit } else { 1.0 },
            system,
            p: vec![0.0; d * contacts],
            u: vec![0.0; d * contacts],
            rhs: vec![0.0; d * contacts],
            motion: vec![0.0; problem.w.product().map_or(0, BodyProduct::motion_size)],
        })
    }

    /// Writes the impulse of x to `p`.
    pub(super) fn impulse_into(&self, x: &[Vector], p: &mut [f64]) {
        let d = self.problem.dimension();
        for (i, (p, f)) in p.iter_mut().zip(&self.factors).enumerate() {
            *p = self.unit * f * x[i / d][i % d];
        }
    }

    /// Writes the x of the impulse `p` to `x`.
    pub(super) fn read_impulse(&self, p: &[f64], x: &mut [Vector]) {
        let d = self.problem.dimension();
        for (i, (p, f)) in p.iter().zip(&self.factors).enumerate() {
            x[i / d][i % d] = if *f > 0.0 { p / (self.unit * f) } else { 0.0 };
        }
    }

    /// Writes W̃ x + b̃ to `y`.
    pub(super) fn velocity_into(&mut self, x: &[Vector], y: &mut [Vector]) {
        let mut p = std::mem::take(&mut self.p);
        self.impulse_into(x, &mut p);
        self.problem.velocity_into(&p, &mut self.u);
        self.p = p;
        let d = self.problem.dimension();
        for (i, (u, f)) in self.u.iter().zip(&self.factors).enumerate() {
            y[i / d][i % d] = f * u / self.unit;
        }
    }

    /// b̃.
    pub(super) fn shift(&self, alpha: usize) -> Vector {
        let d = self.problem.dimension();
        std::array::from_fn(|i| {
            let at = d * alpha + i;
            if i < d { self.factors[at] * self.problem.b[at] / self.unit } else { 0.0 }
        })
    }

    /// Error in the problem itself of the last x given to [`Self::velocity_into`].
    pub(super) fn error(&self, measure: Measure) -> f64 {
        self.problem.error(measure, &self.p, &self.u)
    }

    /// Factors W̃ + diag(`own`), each block of which comes with its inverse; `None` where it is singular.
    pub(super) fn factor(&mut self, own: impl Fn(usize) -> [Matrix; 2]) -> Option<()> {
        let d = self.problem.dimension();
        match &mut self.system {
            System::Blocks { lu, w } => {
                let (values, mut at) = (lu.values_mut(), 0);
                values.copy_from_slice(w);
                for beta in 0..self.problem.contacts() {
                    let [block, _] = own(beta);
                    for j in 0..d {
                        for (alpha, _) in self.problem.w.column(beta) {
                            if alpha == beta {
                                (0..d).for_each(|i| values[at + i] += block[i][j]);
                            }
                            at += d;
                        }
                    }
                }
                lu.factor().then_some(())
            }
            System::Bodies { elimination, inverses } => {
                for (alpha, to) in inverses.iter_mut().enumerate() {
                    [_, *to] = own(alpha);
                }
                let f = |alpha: usize, i: usize| {
                    self.factors.get(d * alpha + i).copied().unwrap_or(0.0)
                };
                let g = |alpha: usize| {
                    let a = &inverses[alpha];
                    std::array::from_fn(|i| {
                        std::array::from_fn(|j| f(alpha, i) * a[i][j] * f(alpha, j))
                    })
                };
                elimination.factor(self.problem.w.product()?, g).then_some(())
            }
        }
    }

    /// x ← A⁻¹ x with the last factor, of which `own` gives diag(own) x; `false` where A is singular.
    #[must_use = "a singular system leaves x without meaning"]
    pub(super) fn solve(
        &mut self,
        x: &mut [Vector],
        own: impl Fn(usize, Vector) -> Vector,
    ) -> bool {
        let d = self.problem.dimension();
        let factors = &self.factors;
        match (&mut self.system, self.problem.w.product()) {
            (System::Bodies { elimination, inverses }, Some(product)) => {
                let rhs = &mut self.rhs;
                let solve =
                    |x: &mut [f64]| eliminate(elimination, (product, inverses), factors, (x, rhs));
                let (p, motion) = (&mut self.p, &mut self.motion);
                let times = |x: &[f64], y: &mut [f64]| {
                    let (x, y) = (x.as_chunks::<3>().0, y.as_chunks_mut::<3>().0);
                    for (i, (p, f)) in p.iter_mut().zip(factors).enumerate() {
                        *p = f * x[i / d][i % d];
                    }
                    product.motion_into(p, motion);
                    for (k, (x, y)) in x.iter().zip(y).enumerate() {
                        let (u, own) = (product.velocity::<3>(k, motion), own(k, *x));
                        let f = |i: usize| if i < d { factors[d * k + i] } else { 0.0 };
                        *y = [0, 1, 2].map(|i| own[i] + f(i) * u[i]);
                    }
                };
                refined(x.as_flattened_mut(), solve, times)
            }
            (System::Blocks { lu, .. }, _) => {
                self.rhs.iter_mut().enumerate().for_each(|(i, rhs)| *rhs = x[i / d][i % d]);
                let solved = lu.solve_in_place(&mut self.rhs);
                self.rhs.iter().enumerate().for_each(|(i, rhs)| x[i / d][i % d] = *rhs);
                solved
            }
            (System::Bodies { .. }, None) => false,
        }
    }
}

/// x ← (diag(own) + f W f)⁻¹ x by the elimination, with own⁻¹ of each contact.
fn eliminate(
    elimination: &mut BodyElimination,
    (product, inverses): (&BodyProduct, &[Matrix]),
    factors: &[f64],
    (x, rhs): (&mut [f64], &mut [f64]),
) -> bool {
    let d = product.components();
    let x = x.as_chunks_mut::<3>().0;
    let contacts = || inverses.iter().zip(factors.chunks_exact(d));
    for ((x, rhs), (a, f)) in x.iter_mut().zip(rhs.chunks_exact_mut(d)).zip(contacts()) {
        *x = apply(a, &x[..d]);
        (0..d).for_each(|i| rhs[i] = f[i] * x[i]);
    }
    let solved = elimination.answer(product, rhs);
    for ((x, rhs), (a, f)) in x.iter_mut().zip(rhs.chunks_exact(d)).zip(contacts()) {
        let pushed: Vector = std::array::from_fn(|i| if i < d { f[i] * rhs[i] } else { 0.0 });
        let less = apply(a, &pushed[..d]);
        (0..3).for_each(|i| x[i] -= less[i]);
    }
    solved
}

impl System {
    fn of_blocks(problem: &ConeProblem, factors: &[f64]) -> Option<Self> {
        let (d, contacts) = (problem.dimension(), problem.contacts());
        let (starts, rows) = problem.w.blocks().scalar_columns()?;
        let mut w = Vec::with_capacity(rows.len());
        for beta in 0..contacts {
            for j in 0..d {
                for (alpha, block) in problem.w.column(beta) {
                    for i in 0..d {
                        let (row, column) = (d * alpha + i, d * beta + j);
                        w.push(factors[row] * block[d * i + j] * factors[column]);
                    }
                }
            }
        }
        Some(Self::Blocks { lu: SparseLu::new(starts, rows)?, w })
    }
}

/// f of each component.
fn factors(problem: &ConeProblem) -> Vec<f64> {
    let d = problem.dimension();
    let weight = |alpha: usize, i: usize| if i == 0 { 1.0 } else { problem.mu[alpha] };
    let mean = |alpha: usize| -> f64 {
        let w = problem.w.diagonal(alpha);
        (0..d).map(|i| weight(alpha, i).powi(2) * w[i * (d + 1)]).sum::<f64>() / d as f64
    };
    let largest = (0..problem.contacts()).map(mean).fold(0.0, f64::max);
    let others = if largest > 0.0 { largest } else { 1.0 };
    let mut factors = Vec::with_capacity(problem.b.len());
    for alpha in 0..problem.contacts() {
        let own = mean(alpha);
        // A contact that moves nothing takes the units of the others.
        let size = if own > SMALLEST * others { own } else { others }.sqrt().recip();
        factors.extend((0..d).map(|i| size * weight(alpha, i)));
    }
    factors
}

/// Mean diagonal of a contact's block below which it counts as nothing, as a share of the largest.
const SMALLEST: f64 = 1e-12;

/// ‖x_T‖.
pub(super) fn tangent(x: Vector) -> f64 {
    (x[1] * x[1] + x[2] * x[2]).sqrt()
}

/// det x = x_N² − ‖x_T‖², positive inside L and −L.
pub(super) fn det(x: Vector) -> f64 {
    let size = tangent(x);
    (x[0] - size) * (x[0] + size)
}

/// x ∘ y = (x·y, x_N y_T + y_N x_T).
pub(super) fn product(x: Vector, y: Vector) -> Vector {
    [dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// y with x ∘ y = r.
pub(super) fn quotient(r: Vector, x: Vector) -> Vector {
    let normal = (x[0] * r[0] - x[1] * r[1] - x[2] * r[2]) / det(x);
    [normal, (r[1] - normal * x[1]) / x[0], (r[2] - normal * x[2]) / x[0]]
}

/// Projection on L.
pub(super) fn project(x: Vector) -> Vector {
    let size = tangent(x);
    if size <= x[0] {
        x
    } else if size <= -x[0] {
        ZERO
    } else {
        let normal = 0.5 * (x[0] + size);
        let shrink = normal / size;
        [normal, shrink * x[1], shrink * x[2]]
    }
}

/// Largest α ≤ `most` for which x + α y is in L, for x inside L.
pub(super) fn way_to_surface(x: Vector, y: Vector, most: f64) -> f64 {
    // det(x + α y) = a α² + 2 b α + c, and x_N + α y_N ≥ 0 up to its first root
    let (a, c) = (det(y), det(x));
    let b = x[0] * y[0] - x[1] * y[1] - x[2] * y[2];
    let inside = b * b - a * c;
    let root = if b < 0.0 && inside >= 0.0 {
        c / (inside.sqrt() - b)
    } else if a < 0.0 {
        -(b + inside.max(0.0).sqrt()) / a
    } else {
        return most;
    };
    root.max(0.0).min(most)
}

/// Problems for the tests of the methods that work on Lorentz cones.
#[cfg(test)]
pub(super) mod trials {
    use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
    use crate::contact::{ConeProblem, Measure};

    const TARGET: Target<'static> = Target::new(1e-9, 5_000);

    /// W = AAᵀ/n + 0.1 with A of n × n and b, both of random entries in [−1, 1), every contact
    /// `copies` times.
    pub(in super::super) fn random(
        seed: u64,
        dimension: usize,
        contacts: usize,
        copies: usize,
        mu: f64,
    ) -> ConeProblem {
        let n = dimension * contacts;
        let mut state =
            (1000 * seed + n as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut signed = || {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let a: Vec<f64> = (0..n * n).map(|_| signed()).collect();
        let b: Vec<f64> = (0..n).map(|_| signed()).collect();
        let entry = |i: usize, j: usize| {
            let product: f64 = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum();
            product / n as f64 + if i == j { 0.1 } else { 0.0 }
        };
        let size = copies * n;
        let w: Vec<f64> = (0..size * size).map(|k| entry(k / size % n, k % size % n)).collect();
        ConeProblem::dense(dimension, &w, b.repeat(copies), vec![mu; copies * contacts])
    }

    /// Solves from p = 0 and checks that the report tells the truth.
    pub(in super::super) fn solve(
        solver: &mut dyn ContactSolver,
        problem: &ConeProblem,
    ) -> (Vec<f64>, SolveReport) {
        solve_to(TARGET, solver, problem)
    }

    fn solve_to(
        target: Target,
        solver: &mut dyn ContactSolver,
        problem: &ConeProblem,
    ) -> (Vec<f64>, SolveReport) {
        let mut p = vec![0.0; problem.b.len()];
        let report = solver.solve(problem, target, &mut p);
        let mut u = vec![0.0; p.len()];
        problem.velocity_into(&p, &mut u);
        assert_eq!(report.error, problem.error(target.measure, &p, &u), "{report:?}");
        (p, report)
    }

    /// Most iterations on regular and singular problems in the plane and in space, all of which it
    /// must solve.
    pub(in super::super) fn most_iterations(solver: &mut dyn ContactSolver) -> usize {
        let mut most = 0;
        for dimension in [2, 3] {
            for (contacts, copies) in [(1, 1), (5, 1), (12, 1), (6, 2)] {
                for mu in [0.0, 0.3, 0.8] {
                    for seed in 0..10 {
                        let problem = random(seed, dimension, contacts, copies, mu);
                        let (_, report) = solve(solver, &problem);
                        let told = format!("{dimension}D, {contacts} × {copies}, μ {mu}, {seed}");
                        assert_eq!(report.status, SolveStatus::Converged, "{told}: {report:?}");
                        most = most.max(report.iterations);
                    }
                }
            }
        }
        most
    }

    /// The same impulse, in its own units, after as many iterations.
    pub(in super::super) fn assert_units_do_not_matter(solver: &mut dyn ContactSolver) {
        for (w_unit, b_unit) in [(1e8, 1.0), (1e-8, 1.0), (1.0, 1e8), (1e-8, 1e-8)] {
            for dimension in [2, 3] {
                let problem = random(3, dimension, 6, 1, 0.5);
                let w: Vec<f64> =
                    problem.w.blocks().to_dense().iter().map(|w| w * w_unit).collect();
                let b: Vec<f64> = problem.b.iter().map(|b| b * b_unit).collect();
                let scaled = ConeProblem::dense(dimension, &w, b, problem.mu.clone());
                let (p, report) = solve(solver, &problem);
                let (other, other_report) = solve(solver, &scaled);
                assert_eq!(report.iterations, other_report.iterations);
                let largest = p.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
                for (p, other) in p.iter().zip(other) {
                    assert!((p - other * w_unit / b_unit).abs() < 1e-7 * largest);
                }
            }
        }
    }

    /// Contacts that move nothing and see b_N ≥ 0 are open. They have no units of their own to measure
    /// an error in.
    pub(in super::super) fn assert_empty_rows_are_open(solver: &mut dyn ContactSolver) {
        let target = Target { measure: Measure::Natural, ..TARGET };
        for dimension in [2, 3] {
            let n = 2 * dimension;
            let mut w = vec![0.0; n * n];
            (0..dimension).for_each(|i| w[i * n + i] = 1.0);
            let mut b = vec![0.1; n];
            b[0] = -1.0;
            let with =
                |w: &[f64], b: &[f64]| ConeProblem::dense(dimension, w, b.to_vec(), vec![0.5; 2]);
            let (p, report) = solve_to(target, solver, &with(&w, &b));
            assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
            assert!(p[0] > 0.9 && p[dimension].abs() < 1e-6, "{p:?}");
            let (_, report) = solve_to(target, solver, &with(&vec![0.0; n * n], &vec![0.0; n]));
            assert_eq!(report.status, SolveStatus::Converged);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::moved;

    const INSIDE: Vector = [2.0, 0.7, -1.1];

    #[test]
    fn quotient_undoes_product_and_projection_splits_into_orthogonal_parts() {
        let y = [-0.3, 1.7, 0.4];
        let back = quotient(product(INSIDE, y), INSIDE);
        (0..3).for_each(|i| assert!((back[i] - y[i]).abs() < 1e-14));
        for x in [INSIDE, y, [-3.0, 1.0, 1.0], [0.5, 3.0, -4.0]] {
            let kept = project(x);
            let rest = moved(x, -1.0, kept);
            assert!(dot(kept, rest).abs() < 1e-14);
            assert!(kept[0] >= tangent(kept) - 1e-14 && -rest[0] >= tangent(rest) - 1e-14);
        }
    }

    #[test]
    fn the_way_to_the_surface_ends_on_it() {
        for y in [[-1.0, 0.0, 0.0], [0.1, 1.0, 2.0], [-1.0, 3.0, -1.0]] {
            let way = way_to_surface(INSIDE, y, 1e6);
            let end = moved(INSIDE, way, y);
            assert!((end[0] - tangent(end)).abs() < 1e-9 * (1.0 + end[0]), "{y:?}: {way}");
        }
        assert_eq!(way_to_surface(INSIDE, [1.0, 0.5, 0.5], 1e6), 1e6);
        assert_eq!(way_to_surface(INSIDE, [1.0, 1.0, 0.0], 1e6), 1e6);
    }
}
