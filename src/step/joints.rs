//! Joints, solved with the contacts: their equations are taken out of the cone problem.

use crate::contact::{ConeProblem, HRows, Joint, Response};
use crate::linalg::RankLu;

/// The joints of a step. With J the mean gradients of the step, λ their impulses, G the response of the
/// rate of displacement and W the cone problem's matrix,
///
/// ```text
///     J(Δq/h) + φ(q_k)/h = 0        Δq/h = r + κG(Hᵀp + Jᵀλ)                                (1)
///     û = b + W p + HGJᵀ λ
/// ```
///
/// λ from (1), as a function of p, leaves a cone problem in p alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    /// J of each joint, along which it pushes.
    pub gradients: HRows,
    /// J of the equations, where they see another one.
    pub seen_gradients: Option<HRows>,
    /// λ of each joint.
    pub impulses: Vec<[f64; 3]>,
    /// (joint, component) of each equation.
    equations: Vec<(usize, usize)>,
    lu: RankLu,
    /// B⁻¹(J r + φ/h).
    free: Vec<f64>,
    /// Columns of B⁻¹ κJGHᵀ, one per component of a contact.
    transfer: Vec<f64>,
    column: Vec<f64>,
}

/// What the joints are solved with.
pub(super) struct Setting<'s, P: Fn(u32) -> Option<u32> + Sync> {
    /// G as the cones see it.
    pub seen: &'s Response,
    /// G as the rate of displacement does, but for κ.
    pub rates: &'s Response,
    /// κ of (1).
    pub gain: f64,
    pub rows: &'s HRows,
    pub active: &'s [u32],
    pub position: P,
}

impl Joints {
    pub fn new(joints: &[Joint], dimension: usize, candidates: usize) -> Self {
        let equations: Vec<(usize, usize)> = joints
            .iter()
            .enumerate()
            .flat_map(|(at, joint)| (0..joint.equations(dimension)).map(move |i| (at, i)))
            .collect();
        let size = equations.len();
        Self {
            gradients: HRows::idle(joints.len()),
            seen_gradients: None,
            impulses: vec![[0.0; 3]; joints.len()],
            lu: RankLu::with_capacity(size),
            free: Vec::with_capacity(size),
            transfer: Vec::with_capacity(size * candidates * dimension.max(2)),
            column: Vec::with_capacity(size),
            equations,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    /// Takes the joints out of the cone problem. They push along `gradients`, and their equations see `seen`; `rate` gives J r + φ/h of a joint.
    pub fn condense<P: Fn(u32) -> Option<u32> + Sync>(
        &mut self,
        setting: &Setting<P>,
        (seen, gradients): (&HRows, &HRows),
        rate: impl Fn(usize) -> [f64; 3],
        cone: &mut ConeProblem,
    ) {
        self.factor(setting, seen, gradients);
        self.free.clear();
        self.free.extend(self.equations.iter().map(|&(joint, i)| rate(joint)[i]));
        self.lu.solve_in_place(&mut self.free);
        let (d, n) = (cone.dimension(), self.equations.len());
        self.transfer.clear();
        for &c in setting.active {
            let own = setting.rows.of(c as usize);
            for k in 0..d {
                self.column.clear();
                for &(joint, i) in &self.equations {
                    let block = setting.rates.between(seen.of(joint), own, &setting.position);
                    self.column.push(setting.gain * block[i][k]);
                }
                self.lu.solve_in_place(&mut self.column);
                self.transfer.extend_from_slice(&self.column);
            }
        }
        for (row, &c) in setting.active.iter().enumerate() {
            let own = setting.rows.of(c as usize);
            for (e, &(joint, i)) in self.equations.iter().enumerate() {
                let block = setting.seen.between(own, gradients.of(joint), &setting.position);
                for k in 0..d {
                    cone.b[d * row + k] -= block[k][i] * self.free[e];
                    for column in 0..d * setting.active.len() {
                        let change = -block[k][i] * self.transfer[n * column + e];
                        *cone.w.blocks_mut().entry_mut(d * row + k, column) += change;
                    }
                }
            }
        }
    }

    fn factor<P>(&mut self, setting: &Setting<P>, seen: &HRows, gradients: &HRows)
    where
        P: Fn(u32) -> Option<u32> + Sync,
    {
        let n = self.equations.len();
        let mut lu = std::mem::take(&mut self.lu);
        let matrix = lu.matrix_mut(n);
        for (row, &(a, i)) in self.equations.iter().enumerate() {
            for (column, &(b, j)) in self.equations.iter().enumerate() {
                let block = setting.rates.between(seen.of(a), gradients.of(b), &setting.position);
                matrix[row * n + column] = setting.gain * block[i][j];
            }
        }
        lu.factor();
        self.lu = lu;
    }

    /// λ = −B⁻¹(J r + φ/h) − B⁻¹ κJGHᵀ p.
    pub fn recover(&mut self, p: &[f64]) {
        let n = self.equations.len();
        self.impulses.fill([0.0; 3]);
        for (e, &(joint, i)) in self.equations.iter().enumerate() {
            let pushed: f64 = p.iter().enumerate().map(|(c, p)| self.transfer[n * c + e] * p).sum();
            self.impulses[joint][i] = -(self.free[e] + pushed);
        }
    }
}
