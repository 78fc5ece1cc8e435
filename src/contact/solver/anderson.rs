//! Anderson's mixing of the last sweeps: what makes Gauss–Seidel fast where contacts hold a body
//! more than once.

use crate::contact::{ConeProblem, norm};
use crate::linalg::dot;

/// Sweeps remembered beside the last one. More than a handful costs more than it brings.
const MEMORY: usize = 4;
/// The residual may grow by this much before the memory is thrown away and the last result of a
/// sweep, as it was before it was mixed, is taken up again.
const GROWTH: f64 = 2.0;
/// Sweeps that then go without mixing: more each time, fewer again after a long run of mixed ones.
const SHORTEST_PAUSE: usize = 1;
const LONGEST_PAUSE: usize = 256;
const LONG_RUN: usize = 20;
/// Added to the diagonal of the least-squares problem, as a share of its trace.
const TRACE: f64 = 1e-12;

/// A sweep g maps p to g(p). Of the last few, the combination
///
/// ```text
///     p ← Σ_j α_j g(p_j),     Σ_j α_j = 1,     ‖Σ_j α_j f_j‖ least,     f_j = √tr W (g(p_j) − p_j)    (1)
/// ```
///
/// is where the next sweep starts (Anderson 1965, Walker and Ni 2011). What is kept with p, û or the motion of bodies, is
/// combined likewise, so that no product with W is needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixing {
    size: usize,
    /// Of what is kept with p.
    state_size: usize,
    /// √tr W_αα of each impulse component, p before the sweep, and f after it.
    weights: Vec<f64>,
    start: Vec<f64>,
    residual: Vec<f64>,
    /// The last MEMORY + 1 results (p and its state), the oldest overwritten first.
    impulses: Vec<f64>,
    states: Vec<f64>,
    roundings: [f64; MEMORY + 1],
    /// f_{j+1} − f_j, and their products with each other.
    differences: Vec<f64>,
    products: [[f64; MEMORY]; MEMORY],
    /// Sweeps since the memory was last empty.
    sweeps: usize,
    least: f64,
    /// Sweeps still to go without mixing, and how many after the next time the residual grows.
    pause: usize,
    next_pause: usize,
}

impl Mixing {
    /// Room for `size` impulse components.
    pub(super) fn new(size: usize) -> Self {
        let mut mixing = Self::default();
        mixing.resize(size, size);
        mixing
    }

    fn resize(&mut self, size: usize, state_size: usize) {
        (self.size, self.state_size) = (size, state_size);
        self.states.resize((MEMORY + 1) * state_size, 0.0);
        for (vector, count) in [
            (&mut self.weights, 1),
            (&mut self.start, 1),
            (&mut self.residual, 1),
            (&mut self.impulses, MEMORY + 1),
            (&mut self.differences, MEMORY),
        ] {
            vector.resize(count * size, 0.0);
        }
    }

    /// Where the vector at `place` of several in one lies.
    fn span(&self, place: usize) -> std::ops::Range<usize> {
        place * self.size..(place + 1) * self.size
    }

    /// Forgets everything and takes the weights of `problem`; a sweep starts at p, with which so many numbers are kept.
    pub(super) fn begin(&mut self, problem: &ConeProblem, p: &[f64], state_size: usize) {
        let d = problem.dimension();
        let weights = (0..p.len()).map(|i| {
            let trace: f64 = problem.w.diagonal(i / d).iter().step_by(d + 1).sum();
            trace.max(0.0).sqrt()
        });
        self.begin_with(weights, state_size);
        self.before(p);
    }

    /// Forgets everything and takes the `weights` of another map.
    pub(super) fn begin_with(
        &mut self,
        weights: impl ExactSizeIterator<Item = f64>,
        state_size: usize,
    ) {
        self.resize(weights.len(), state_size);
        self.weights.iter_mut().zip(weights).for_each(|(kept, weight)| *kept = weight);
        self.forget();
        (self.pause, self.next_pause) = (0, SHORTEST_PAUSE);
    }

    /// Forgets what it has seen.
    pub(super) fn forget(&mut self) {
        self.sweeps = 0;
        self.least = f64::INFINITY;
    }

    /// A sweep starts at p.
    pub(super) fn before(&mut self, p: &[f64]) {
        self.start.copy_from_slice(p);
    }

    /// A sweep ended at p and its state, which become (1). `roundings` counts what the state has gathered of them, and
    /// grows as (1) enlarges it.
    pub(super) fn after(&mut self, p: &mut [f64], state: &mut [f64], roundings: &mut f64) {
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let newest = (self.sweeps + MEMORY - 1) % MEMORY;
        let span = self.span(newest);
        let change = &mut self.differences[span];
        for i in 0..p.len() {
            let residual = self.weights[i] * (p[i] - self.start[i]);
            change[i] = residual - self.residual[i];
            self.residual[i] = residual;
        }
        let size = norm(&self.residual);
        if size > GROWTH * self.least {
            self.forget();
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
            return;
        }
        if self.sweeps == LONG_RUN {
            self.next_pause = (self.next_pause / 4).max(SHORTEST_PAUSE);
        }
        self.least = self.least.min(size);
        self.roundings[self.sweeps % (MEMORY + 1)] = *roundings;
        let place = self.sweeps % (MEMORY + 1);
        self.impulses[place * self.size..][..self.size].copy_from_slice(p);
        self.states[place * self.state_size..][..self.state_size].copy_from_slice(state);
        let known = self.sweeps.min(MEMORY);
        if known > 0 {
            self.enter_products(newest, known);
            if let Some(shares) = self.shares(newest, known) {
                self.combine(&shares[..=known], p, state);
                let kept = |back: usize| self.roundings[(self.sweeps - back) % (MEMORY + 1)];
                *roundings = (0..=known).map(|back| shares[back].abs() * kept(back)).sum();
            }
        }
        self.sweeps += 1;
    }

    fn difference(&self, place: usize) -> &[f64] {
        &self.differences[self.span(place)]
    }

    /// Products of the newest difference with the `known` ones.
    fn enter_products(&mut self, newest: usize, known: usize) {
        for back in 0..known {
            let other = (newest + MEMORY - back) % MEMORY;
            let product = dot(self.difference(newest), self.difference(other));
            self.products[newest][other] = product;
            self.products[other][newest] = product;
        }
    }

    /// α of (1), newest result first.
    fn shares(&self, newest: usize, known: usize) -> Option<[f64; MEMORY + 1]> {
        let place = |back: usize| (newest + MEMORY - back) % MEMORY;
        let trace: f64 = (0..known).map(|i| self.products[place(i)][place(i)]).sum();
        let mut a = [[0.0; MEMORY]; MEMORY];
        let mut gamma = [0.0; MEMORY];
        for i in 0..known {
            for j in 0..known {
                a[i][j] = self.products[place(i)][place(j)];
            }
            a[i][i] += TRACE * trace;
            gamma[i] = dot(self.difference(place(i)), &self.residual);
        }
        solve_definite(&mut a, &mut gamma, known)?;
        // p = g_0 − Σ γ_i (g_i − g_{i+1}), with g_i the result of i sweeps ago
        let mut shares = [0.0; MEMORY + 1];
        shares[0] = 1.0;
        for i in 0..known {
            shares[i] -= gamma[i];
            shares[i + 1] += gamma[i];
        }
        Some(shares)
    }

    fn combine(&self, shares: &[f64], p: &mut [f64], state: &mut [f64]) {
        for (kept, x) in [(&self.impulses, p), (&self.states, state)] {
            x.iter_mut().for_each(|x| *x *= shares[0]);
            for (back, &share) in shares.iter().enumerate().skip(1) {
                let place = (self.sweeps - back) % (MEMORY + 1);
                let old = &kept[place * x.len()..][..x.len()];
                x.iter_mut().zip(old).for_each(|(x, old)| *x += share * old);
            }
        }
    }
}

/// x ← A⁻¹ x for the leading `n` rows of a symmetric A; `None` where it is not positive definite.
fn solve_definite(a: &mut [[f64; MEMORY]; MEMORY], x: &mut [f64; MEMORY], n: usize) -> Option<()> {
    for i in 0..n {
        for j in 0..=i {
            let rest: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let value = a[i][j] - rest;
            if i != j {
                a[i][j] = value / a[j][j];
            } else if value > 0.0 {
                a[i][i] = value.sqrt();
            } else {
                return None;
            }
        }
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|k| a[i][k] * x[k]).sum();
        x[i] = (x[i] - known) / a[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[k][i] * x[k]).sum();
        x[i] = (x[i] - known) / a[i][i];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map in three dimensions has a minimal polynomial of degree three at most: the fourth
    /// mixed result is its fixed point.
    #[test]
    fn a_linear_map_is_solved_after_as_many_sweeps_as_it_has_dimensions() {
        let w = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let problem = ConeProblem::dense(3, &w, vec![0.0; 3], vec![0.0]);
        let map = |p: [f64; 3]| {
            [0.9 * p[0] + 0.2 * p[1] + 1.0, 0.8 * p[1] - 0.1 * p[2], 0.3 * p[0] + 0.5 * p[2] + 2.0]
        };
        let mut mixing = Mixing::new(3);
        let mut p = [0.0; 3];
        mixing.begin(&problem, &p, 3);
        for _ in 0..5 {
            mixing.before(&p);
            p = map(p);
            let mut u = p.map(|p| 2.0 * p);
            mixing.after(&mut p, &mut u, &mut 0.0);
            (0..3).for_each(|i| assert!((u[i] - 2.0 * p[i]).abs() < 1e-9));
        }
        let off: Vec<f64> = p.iter().zip(map(p)).map(|(p, g)| p - g).collect();
        assert!(norm(&off) < 1e-5 * norm(&p), "{p:?} is off by {off:?}");
    }
}
