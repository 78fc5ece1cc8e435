//! Alart and Curnier's function of the cone problem, and Newton's method on it.

use super::Target;
use super::elimination::{BodyElimination, apply, inverse, refined, times};
use crate::contact::{ConeProblem, Measure};
use crate::linalg::SparseLu;

type Block = [[f64; 3]; 3];

/// Newton steps within which the merit must halve.
const PATIENCE: usize = 6;
/// A step is halved at most this often.
const HALVINGS: usize = 7;

/// F(p) = 0 with û = (W + α) p + b − α p_k, and its linear systems.
pub(super) struct ContactEquations<'a> {
    problem: &'a ConeProblem,
    system: System,
    /// 1/mean diagonal of each contact's block, of all blocks for a contact that nothing can move: the
    /// scale between velocity and impulse.
    rho: Vec<f64>,
    /// Mean diagonal of W: the unit of α.
    pub(super) mean: f64,
    u: Vec<f64>,
    f: Vec<f64>,
    /// ∂F/∂p and ∂F/∂û of each contact.
    by_impulse: Vec<Block>,
    by_velocity: Vec<Block>,
}

/// How systems of ∂F/∂p + ∂F/∂û (W + α) are solved.
enum System {
    /// As they are.
    Blocks(SparseLu),
    /// On the dofs of the bodies.
    Bodies { elimination: BodyElimination, inverses: Vec<Block>, z: Vec<f64>, motion: Vec<f64> },
}

impl<'a> ContactEquations<'a> {
    /// `None` where W has too many entries.
    pub(super) fn new(problem: &'a ConeProblem) -> Option<Self> {
        let (d, contacts) = (problem.dimension(), problem.contacts());
        let system = match problem.w.product() {
            Some(product) => System::Bodies {
                elimination: BodyElimination::new(product)?,
                inverses: vec![[[0.0; 3]; 3]; contacts],
                z: vec![0.0; d * contacts],
                motion: vec![0.0; product.motion_size()],
            },
            None => {
                let (starts, rows) = problem.w.blocks().scalar_columns()?;
                System::Blocks(SparseLu::new(starts, rows)?)
            }
        };
        let diagonal =
            |alpha: usize| problem.w.diagonal(alpha).iter().step_by(d + 1).sum::<f64>() / d as f64;
        let mean = (0..contacts).map(diagonal).sum::<f64>() / contacts as f64;
        let scale = |alpha| Some(diagonal(alpha)).filter(|&own| own > 0.0).unwrap_or(mean);
        Some(Self {
            system,
            rho: (0..contacts).map(|alpha| 1.0 / scale(alpha)).collect(),
            mean,
            u: vec![0.0; d * contacts],
            f: vec![0.0; d * contacts],
            by_impulse: vec![[[0.0; 3]; 3]; contacts],
            by_velocity: vec![[[0.0; 3]; 3]; contacts],
            problem,
        })
    }

    /// Error of p in the problem itself.
    pub(super) fn error(&mut self, measure: Measure, p: &[f64]) -> f64 {
        self.problem.velocity_into(p, &mut self.u);
        self.problem.error(measure, p, &self.u)
    }

    /// Newton's method from p, which is p_k; returns the number of steps, and whether they led to a
    /// solution.
    pub(super) fn minimise(&mut self, alpha: f64, target: Target, p: &mut [f64]) -> (usize, bool) {
        let Target { tolerance, max_iterations: most, enough, .. } = target;
        let centre = p.to_vec();
        let b = self.problem.b.iter().map(|b| b * b).sum::<f64>();
        let start = self.merit(alpha, &centre, p);
        let mut merit = start;
        let (mut halved, mut since) = (start, 0);
        let mut step = vec![0.0; p.len()];
        for steps in 0..most {
            let solved = merit <= 1e-2 * tolerance * tolerance * b;
            if solved || (steps > 0 && merit <= 1e-4 * start) {
                return (steps, true);
            }
            let late = enough.is_some_and(|enough| enough());
            if since == PATIENCE || late || !self.newton(alpha, &mut step) {
                return (steps, false);
            }
            let base = p.to_vec();
            let (mut size, mut best) = (1.0, (f64::INFINITY, 0.0));
            for _ in 0..=HALVINGS {
                move_to(p, &base, size, &step);
                let tried = self.merit(alpha, &centre, p);
                if tried < best.0 {
                    best = (tried, size);
                }
                if tried < merit * (1.0 - 1e-4 * size) {
                    break;
                }
                size *= 0.5;
            }
            if best.1 != size {
                move_to(p, &base, best.1, &step);
                self.merit(alpha, &centre, p);
            }
            merit = best.0;
            since += 1;
            if merit <= 0.5 * halved {
                (halved, since) = (merit, 0);
            }
        }
        (most, false)
    }

    /// Σ ‖F_α/ρ_α‖² at p; leaves F and its derivatives.
    fn merit(&mut self, alpha: f64, centre: &[f64], p: &[f64]) -> f64 {
        let d = self.problem.dimension();
        self.problem.velocity_into(p, &mut self.u);
        for ((u, p), c) in self.u.iter_mut().zip(p).zip(centre) {
            *u += alpha * (p - c);
        }
        let mut merit = 0.0;
        for (contact, &mu) in self.problem.mu.iter().enumerate() {
            let range = d * contact..d * (contact + 1);
            let rho = self.rho[contact];
            let f = &mut self.f[range.clone()];
            let (a, b) = alart_curnier(&p[range.clone()], &self.u[range], mu, rho, f);
            (self.by_impulse[contact], self.by_velocity[contact]) = (a, b);
            merit += f.iter().map(|f| (f / rho).powi(2)).sum::<f64>();
        }
        merit
    }

    /// step = −(∂F/∂p + ∂F/∂û (W + α))⁻¹ F.
    fn newton(&mut self, alpha: f64, step: &mut [f64]) -> bool {
        let d = self.problem.dimension();
        step.iter_mut().zip(&self.f).for_each(|(s, f)| *s = -f);
        match &mut self.system {
            System::Blocks(lu) => {
                let (values, mut at) = (lu.values_mut(), 0);
                for beta in 0..self.problem.contacts() {
                    for j in 0..d {
                        for (row, w) in self.problem.w.column(beta) {
                            let (a, b) = (&self.by_impulse[row], &self.by_velocity[row]);
                            for i in 0..d {
                                let coupled: f64 = (0..d).map(|k| b[i][k] * w[k * d + j]).sum();
                                let own = if row == beta { a[i][j] + alpha * b[i][j] } else { 0.0 };
                                values[at] = coupled + own;
                                at += 1;
                            }
                        }
                    }
                }
                lu.factor() && lu.solve_in_place(step)
            }
            System::Bodies { elimination, inverses, z, motion } => {
                let Some(product) = self.problem.w.product() else { return false };
                for (contact, to) in inverses.iter_mut().enumerate() {
                    let (a, b) = (&self.by_impulse[contact], &self.by_velocity[contact]);
                    let own =
                        std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + alpha * b[i][j]));
                    let Some(inverse) = inverse(&own, d) else { return false };
                    *to = inverse;
                }
                let velocities = &self.by_velocity;
                let g = |contact: usize| times(&inverses[contact], &velocities[contact]);
                if !elimination.factor(product, g) {
                    return false;
                }
                let solve = |x: &mut [f64]| {
                    let blocks = x.chunks_exact_mut(d).zip(z.chunks_exact_mut(d));
                    for ((x, z), a) in blocks.zip(&*inverses) {
                        x.copy_from_slice(&apply(a, x)[..d]);
                        z.copy_from_slice(x);
                    }
                    let solved = elimination.answer(product, z);
                    for (contact, (x, z)) in
                        x.chunks_exact_mut(d).zip(z.chunks_exact(d)).enumerate()
                    {
                        let less = apply(&g(contact), z);
                        x.iter_mut().zip(less).for_each(|(x, less)| *x -= less);
                    }
                    solved
                };
                let by_impulse = &self.by_impulse;
                let times = |x: &[f64], y: &mut [f64]| {
                    product.motion_into(x, motion);
                    for (contact, (x, y)) in
                        x.chunks_exact(d).zip(y.chunks_exact_mut(d)).enumerate()
                    {
                        let mut u = product.velocity::<3>(contact, motion);
                        u.iter_mut().zip(x).for_each(|(u, x)| *u += alpha * x);
                        let own = apply(&by_impulse[contact], x);
                        let seen = apply(&velocities[contact], &u[..d]);
                        (0..d).for_each(|i| y[i] = own[i] + seen[i]);
                    }
                };
                refined(step, solve, times)
            }
        }
    }
}

fn move_to(p: &mut [f64], base: &[f64], size: f64, step: &[f64]) {
    p.iter_mut().zip(base.iter().zip(step)).for_each(|(p, (b, s))| *p = b + size * s);
}

/// Alart and Curnier's function of one contact, with its derivatives by p and by û:
///
/// ```text
///     F_N = p_N − max(0, p̂_N)          p̂ = p − ρ û
///     F_T = p_T − proj(p̂_T)            on the disc of radius μ max(0, p̂_N)
/// ```
fn alart_curnier(p: &[f64], u: &[f64], mu: f64, rho: f64, f: &mut [f64]) -> (Block, Block) {
    let (mut a, mut b) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    let normal = p[0] - rho * u[0];
    if normal > 0.0 {
        f[0] = rho * u[0];
        b[0][0] = rho;
    } else {
        f[0] = p[0];
        a[0][0] = 1.0;
    }
    let tangents = 1..p.len();
    let radius = mu * normal.max(0.0);
    let trial = |i: usize| p[i] - rho * u[i];
    let size = tangents.clone().map(|i| trial(i).powi(2)).sum::<f64>().sqrt();
    for i in tangents.clone() {
        if size <= radius {
            f[i] = rho * u[i];
            b[i][i] = rho;
            continue;
        }
        let along = trial(i) / size;
        f[i] = p[i] - radius * along;
        for j in tangents.clone() {
            let identity = f64::from(u8::from(i == j));
            let turn = radius / size * (identity - along * trial(j) / size);
            a[i][j] = identity - turn;
            b[i][j] = rho * turn;
        }
        if normal > 0.0 {
            a[i][0] = -mu * along;
            b[i][0] = mu * along * rho;
        }
    }
    (a, b)
}
