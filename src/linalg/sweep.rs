//! The triangular sweeps on the Cholesky factor, the heart of a step's cost.
//!
//! Written by hand: faer solves both triangles in one call, and the step needs to stop between them;
//! `benches/step.rs` compares the two.

use pulp::Arch;

use super::kernel::Dense;
use super::plan::{FactorPanel, Plan};
use super::tree::Tree;

/// L of A = L Lᵀ, in panels, with the reciprocals of its diagonal in place of the diagonal.
#[derive(Clone, Debug)]
pub struct Factor {
    size: usize,
    trailing: usize,
    panels: Vec<FactorPanel>,
    /// The panels from column `trailing` on.
    trailing_panels: Vec<FactorPanel>,
    rows: Vec<u32>,
    values: Vec<f64>,
    longest: usize,
    /// Whether L has nothing below its diagonal, which its values then are, in their order.
    diagonal: bool,
    /// Where the factor is large enough to be swept by several threads.
    tree: Option<Tree>,
    arch: Arch,
}

impl Factor {
    pub(super) fn new(plan: &Plan, values: Vec<f64>) -> Self {
        let panels = plan.panels.clone();
        let is_trailing = |panel: &&FactorPanel| panel.start >= plan.trailing;
        let mut factor = Self {
            size: plan.size(),
            trailing: plan.trailing,
            trailing_panels: panels.iter().filter(is_trailing).cloned().collect(),
            rows: plan.rows.clone(),
            values,
            diagonal: panels
                .iter()
                .enumerate()
                .all(|(at, panel)| panel.start == at && panel.entries() == 1),
            longest: panels.iter().map(FactorPanel::height).max().unwrap_or(0),
            tree: Tree::new(plan),
            arch: Arch::new(),
            panels,
        };
        factor.invert_diagonal();
        factor
    }

    /// Puts the reciprocals of the diagonal in its place.
    pub(super) fn invert_diagonal(&mut self) {
        for panel in &self.panels {
            for j in 0..panel.columns {
                let diagonal = &mut self.values[panel.values_at + j * (panel.height() + 1)];
                *diagonal = 1.0 / *diagonal;
            }
        }
    }

    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// First of the trailing columns, which `*_trailing` sweeps.
    pub fn trailing(&self) -> usize {
        self.trailing
    }

    /// Stored entries of L: what one sweep reads.
    pub fn entries(&self) -> usize {
        self.panels.iter().map(FactorPanel::entries).sum()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, Tree::bytes);
        8 * self.values.len()
            + 4 * self.rows.len()
            + size_of::<FactorPanel>() * (self.panels.len() + self.trailing_panels.len())
            + tree
    }

    /// Scratch that the sweeps need.
    pub fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.longest.max(self.tree.as_ref().map_or(0, Tree::scratch))]
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, x: &mut [f64], scratch: &mut [f64]) {
        match &self.tree {
            _ if self.diagonal => self.scale(0, x),
            Some(tree) => tree.forward(self, x, scratch),
            None => self.forward_over(&self.panels, x, scratch),
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64], scratch: &mut [f64]) {
        match &self.tree {
            _ if self.diagonal => self.scale(0, x),
            Some(tree) => tree.backward(self, x, scratch),
            None => self.backward_over(&self.panels, x, scratch),
        }
    }

    /// x ← L⁻¹ x for an x that is zero before [`Factor::trailing`].
    pub fn forward_trailing(&self, x: &mut [f64], scratch: &mut [f64]) {
        match self.diagonal {
            true => self.scale(self.trailing, x),
            false => self.forward_over(&self.trailing_panels, x, scratch),
        }
    }

    /// The trailing part of x ← L⁻ᵀ x; what comes before is left as it was.
    pub fn backward_trailing(&self, x: &mut [f64], scratch: &mut [f64]) {
        match self.diagonal {
            true => self.scale(self.trailing, x),
            false => self.backward_over(&self.trailing_panels, x, scratch),
        }
    }

    pub(super) fn panels(&self) -> &[FactorPanel] {
        &self.panels
    }

    pub(super) fn trailing_panels(&self) -> &[FactorPanel] {
        &self.trailing_panels
    }

    pub(super) fn rows_of(&self, panel: &FactorPanel) -> &[u32] {
        &self.rows[panel.rows()]
    }

    pub(super) fn arch(&self) -> Arch {
        self.arch
    }

    pub(super) fn dense(&self, panel: &FactorPanel) -> Dense<'_> {
        let values = &self.values[panel.values()];
        Dense { values, columns: panel.columns, height: panel.height() }
    }

    /// x ← L⁻¹ x from a row on, of an L that is its diagonal.
    fn scale(&self, from: usize, x: &mut [f64]) {
        let reciprocals = &self.values[from..];
        x[from..].iter_mut().zip(reciprocals).for_each(|(x, reciprocal)| *x *= reciprocal);
    }

    fn forward_over(&self, panels: &[FactorPanel], x: &mut [f64], scratch: &mut [f64]) {
        for panel in panels {
            self.descend(panel, panel.start, self.rows_of(panel), x, scratch);
        }
    }

    fn backward_over(&self, panels: &[FactorPanel], x: &mut [f64], scratch: &mut [f64]) {
        for panel in panels.iter().rev() {
            self.climb(panel, panel.start, self.rows_of(panel), x, scratch);
        }
    }

    /// One panel downwards, its columns at `start` of `x` and its rows at `rows`.
    #[inline]
    pub(super) fn descend(
        &self,
        panel: &FactorPanel,
        start: usize,
        rows: &[u32],
        x: &mut [f64],
        scratch: &mut [f64],
    ) {
        let w = &mut scratch[..panel.height()];
        let (top, below) = w.split_at_mut(panel.columns);
        top.copy_from_slice(&x[start..][..panel.columns]);
        below.fill(0.0);
        self.dense(panel).forward(self.arch, w);
        let (top, below) = w.split_at(panel.columns);
        x[start..][..panel.columns].copy_from_slice(top);
        for (&row, update) in rows.iter().zip(below) {
            x[row as usize] += update;
        }
    }

    /// One panel upwards.
    #[inline]
    pub(super) fn climb(
        &self,
        panel: &FactorPanel,
        start: usize,
        rows: &[u32],
        x: &mut [f64],
        scratch: &mut [f64],
    ) {
        let w = &mut scratch[..panel.height()];
        let (top, below) = w.split_at_mut(panel.columns);
        top.copy_from_slice(&x[start..][..panel.columns]);
        for (&row, value) in rows.iter().zip(below) {
            *value = x[row as usize];
        }
        self.dense(panel).backward(self.arch, w);
        x[start..][..panel.columns].copy_from_slice(&w[..panel.columns]);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::linalg::{
        BlockOperator, NoFactor, NodeGraph, Plan, UpperColumns, contact_last, factor,
    };

    /// A banded diagonally dominant matrix: A_ij = −1/(1+|i−j|) within the band.
    fn banded(n: usize, band: usize) -> UpperColumns {
        let mut matrix = UpperColumns { starts: vec![0], ..UpperColumns::default() };
        for j in 0..n {
            for i in j.saturating_sub(band)..=j {
                matrix.rows.push(i as u32);
                matrix.values.push(if i == j { 9.0 } else { -1.0 / (1 + j - i) as f64 });
            }
            matrix.starts.push(matrix.rows.len());
        }
        matrix
    }

    fn multiply(matrix: &UpperColumns, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for j in 0..x.len() {
            for entry in matrix.starts[j]..matrix.starts[j + 1] {
                let (i, a) = (matrix.rows[entry] as usize, matrix.values[entry]);
                y[i] += a * x[j];
                if i != j {
                    y[j] += a * x[i];
                }
            }
        }
        y
    }

    /// Backward stability: the residual is a few roundings of the largest entry.
    #[test]
    fn sweeping_down_and_up_solves_the_system_wherever_the_cut_is() {
        for (n, band, trailing) in [(1, 0, 0), (7, 3, 7), (40, 5, 33), (64, 64, 10), (301, 17, 288)]
        {
            let matrix = banded(n, band);
            let factor = factor(&matrix, trailing).unwrap();
            let exact: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut x = multiply(&matrix, &exact);
            let mut scratch = factor.scratch();
            factor.forward(&mut x, &mut scratch);
            factor.backward(&mut x, &mut scratch);
            let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-14, "n = {n}, band = {band}, trailing = {trailing}: {error}");
        }
    }

    /// The trailing block of L Lᵀ is the Schur complement, so its inverse is the trailing block of A⁻¹.
    #[test]
    fn trailing_sweeps_apply_the_trailing_block_of_the_inverse() {
        let (n, trailing) = (90, 77);
        let matrix = banded(n, 11);
        let factor = factor(&matrix, trailing).unwrap();
        let mut scratch = factor.scratch();
        for unit in trailing..n {
            let mut whole = vec![0.0; n];
            whole[unit] = 1.0;
            let mut part = whole.clone();
            factor.forward(&mut whole, &mut scratch);
            factor.backward(&mut whole, &mut scratch);
            factor.forward_trailing(&mut part, &mut scratch);
            factor.backward_trailing(&mut part, &mut scratch);
            for i in trailing..n {
                assert!((whole[i] - part[i]).abs() < 1e-16);
            }
            assert!(part[..trailing].iter().all(|&x| x == 0.0));
        }
    }

    /// A lumped mass.
    #[test]
    fn a_diagonal_matrix_is_divided_by_to_the_bit_wherever_the_cut_is() {
        for trailing in [0, 11, 30] {
            let matrix = banded(30, 0);
            let factor = factor(&matrix, trailing).unwrap();
            assert!(factor.diagonal);
            let (mut scratch, root) = (factor.scratch(), 1.0 / 3.0);
            let x: Vec<f64> = (0..30).map(|i| (i as f64).sin()).collect();
            let (mut whole, mut part) = (x.clone(), x.clone());
            factor.forward(&mut whole, &mut scratch);
            factor.backward(&mut whole, &mut scratch);
            factor.forward_trailing(&mut part, &mut scratch);
            factor.backward_trailing(&mut part, &mut scratch);
            for i in 0..30 {
                assert_eq!(whole[i], x[i] * root * root);
                assert_eq!(part[i], if i < trailing { x[i] } else { whole[i] });
            }
        }
        assert!(!factor(&banded(30, 1), 30).unwrap().diagonal);
    }

    #[test]
    fn an_indefinite_matrix_is_told_by_its_pivot() {
        let mut matrix = banded(30, 4);
        let pivot = matrix.starts[21] - 1;
        matrix.values[pivot] = -1.0;
        assert_eq!(factor(&matrix, 30).unwrap_err(), NoFactor::NotPositive { position: 20 });
    }

    /// M + K of a cube of `side`³ nodes joined by springs, and where its bottom face starts.
    fn cube(side: u32) -> (UpperColumns, usize) {
        let at = |x: u32, y: u32, z: u32| (z * side + y) * side + x;
        let mut springs = Vec::new();
        for (x, y, z) in (0..side.pow(3)).map(|n| (n % side, n / side % side, n / side / side)) {
            let next = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1), (x + 1, y + 1, z + 1)];
            let inside = next.iter().filter(|n| n.0.max(n.1).max(n.2) < side);
            springs.extend(inside.map(|n| [at(x, y, z), at(n.0, n.1, n.2)]));
        }
        let nodes = side.pow(3) as usize;
        let graph = NodeGraph::new(nodes, springs.iter().map(|spring| &spring[..]));
        let mut operator = BlockOperator::zero(Arc::new(graph), 3);
        let mut stiffness = [0.0; 36];
        for i in 0..3 {
            for j in 0..3 {
                let k = if i == j { 2.0 } else { 0.5 };
                (stiffness[i * 6 + j], stiffness[(i + 3) * 6 + j + 3]) = (k, k);
                (stiffness[(i + 3) * 6 + j], stiffness[i * 6 + j + 3]) = (-k, -k);
            }
        }
        springs.iter().for_each(|s| operator.add_element(s, &[2.0, 1.0, 1.0, 2.0], &stiffness));
        let last: Vec<bool> = (0..nodes).map(|node| node < (side * side) as usize).collect();
        let order = contact_last(operator.graph(), &last);
        let order: Vec<u32> = order.iter().flat_map(|n| (0..3).map(move |i| 3 * n + i)).collect();
        let mut position = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &dof)| position[dof as usize] = at as u32);
        let trailing = 3 * (nodes - (side * side) as usize);
        (operator.upper_columns(&position, &order), trailing)
    }

    /// Large enough for branches, a trunk and shared panels. The condition number is about 10.
    #[test]
    fn a_factor_swept_by_several_threads_solves_the_system_with_the_same_bits() {
        let (matrix, trailing) = cube(16);
        let plan = Plan::new(&matrix, trailing);
        let n = plan.size();
        let exact: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let right = multiply(&matrix, &exact);
        let solve = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let factor = plan.factor(&matrix).unwrap();
                assert!(factor.tree.is_some(), "{} entries", factor.entries());
                assert_eq!(factor.entries(), plan.entries());
                let (mut x, mut scratch) = (right.clone(), factor.scratch());
                factor.forward(&mut x, &mut scratch);
                let mut y = x.clone();
                factor.backward(&mut x, &mut scratch);
                factor.backward_trailing(&mut y, &mut scratch);
                assert_eq!(x[trailing..], y[trailing..]);
                let mut again = factor.clone();
                plan.factor_again(&mut again, &matrix).unwrap();
                assert!(again.values == factor.values, "the second factor has other bits");
                x
            })
        };
        let x = solve(1);
        let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-13, "{error}");
        for threads in [2, 3] {
            assert!(solve(threads) == x, "{threads} threads give other bits");
        }
    }
}
