//! M, K and C: a scalar and a block per pair of neighbouring nodes.

use std::sync::Arc;

use nalgebra_sparse::{CooMatrix, CsrMatrix};
use rayon::prelude::*;

use super::NodeGraph;

/// Nodes whose rows a thread takes at a time.
const NODES: usize = 512;

/// A pair of symmetric operators on the same node graph: a mass-like one, m ⊗ I, and a
/// stiffness-like one in d×d blocks whose rows sum to zero; springs to the ground stand beside it. Dofs of rotations
/// follow those of the nodes: they have an inertia each, and nothing bends them.
///
/// The two are applied together in one pass over the graph, the stiffness to *differences*:
///
/// ```text
///     (Mv)_i = Σ_j m_ij v_j          (Kq)_i = Σ_j K_ij (q_j − q_i)                         (1)
/// ```
///
/// (1) equals Σ_j K_ij q_j because Σ_j K_ij = 0. A translation, however large, then makes exactly
/// no force, so that the rounding of qᵀKq is that of the strains and not of the path travelled.
#[derive(Clone, Debug)]
pub struct BlockOperator {
    graph: Arc<NodeGraph>,
    dimension: usize,
    mass: Vec<f64>,
    stiffness: Vec<f64>,
    /// (node, block) of the springs to the ground.
    anchors: Vec<(u32, [f64; 9])>,
    /// Of the dofs of rotations.
    inertias: Vec<f64>,
}

impl BlockOperator {
    /// The zero operators on `graph`, with `dimension` displacement components per node.
    pub fn zero(graph: Arc<NodeGraph>, dimension: usize) -> Self {
        assert!((1..=3).contains(&dimension), "space has 1 to 3 dimensions, not {dimension}");
        let entries = graph.entries();
        let stiffness = vec![0.0; entries * dimension * dimension];
        let (anchors, inertias) = (Vec::new(), Vec::new());
        Self { graph, dimension, mass: vec![0.0; entries], stiffness, anchors, inertias }
    }

    /// Displacement components per node.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.node_dofs() + self.inertias.len()
    }

    /// Number of those of nodes, which come first.
    pub fn node_dofs(&self) -> usize {
        self.graph.nodes() * self.dimension
    }

    /// The node graph.
    pub fn graph(&self) -> &NodeGraph {
        &self.graph
    }

    /// Adds an element: its scalar masses and its stiffness, both row by row.
    pub fn add_element(&mut self, nodes: &[u32], mass: &[f64], stiffness: &[f64]) {
        let (n, d) = (nodes.len(), self.dimension);
        for (a, &node_a) in nodes.iter().enumerate() {
            for (b, &node_b) in nodes.iter().enumerate() {
                let entry = self.graph.entry(node_a as usize, node_b);
                self.mass[entry] += mass[a * n + b];
                let block = &mut self.stiffness[entry * d * d..][..d * d];
                for i in 0..d {
                    for j in 0..d {
                        block[i * d + j] += stiffness[(a * d + i) * n * d + b * d + j];
                    }
                }
            }
        }
    }

    /// Adds a spring from a node to the ground, its d×d stiffness row by row.
    pub fn add_anchor(&mut self, node: u32, stiffness: &[f64]) {
        let mut block = [0.0; 9];
        block[..stiffness.len()].copy_from_slice(stiffness);
        self.anchors.push((node, block));
    }

    /// Dofs of nodes that springs pull to the ground.
    pub fn anchored(&self) -> impl Iterator<Item = usize> {
        let d = self.dimension;
        let pulled = move |block: &[f64; 9], i: usize| block[i * d + i] != 0.0;
        self.anchors.iter().flat_map(move |(node, block)| {
            let own = (0..d).filter(move |&i| pulled(block, i));
            own.map(move |i| d * *node as usize + i)
        })
    }

    /// Adds a dof of a rotation with this inertia behind all others.
    pub fn add_rotation(&mut self, inertia: f64) {
        self.inertias.push(inertia);
    }

    /// Makes the rows of K sum to zero exactly, by setting K_ii = −Σ_{j≠i} K_ij; (1) and the
    /// factored matrix then hold the same K.
    pub fn balance_rows(&mut self) {
        let size = self.dimension * self.dimension;
        for node in 0..self.graph.nodes() {
            let own = self.graph.entry(node, node as u32);
            let mut sum = [0.0; 9];
            for entry in self.graph.row(node).filter(|&entry| entry != own) {
                let block = &self.stiffness[entry * size..][..size];
                sum.iter_mut().zip(block).for_each(|(s, k)| *s -= k);
            }
            self.stiffness[own * size..][..size].copy_from_slice(&sum[..size]);
        }
    }

    /// `alpha` times the mass and `beta` times the stiffness.
    pub fn scaled(&self, alpha: f64, beta: f64) -> Self {
        let mut scaled = self.clone();
        scaled.mass.iter_mut().for_each(|m| *m *= alpha);
        scaled.stiffness.iter_mut().for_each(|k| *k *= beta);
        scaled.anchors.iter_mut().flat_map(|(_, block)| block).for_each(|k| *k *= beta);
        scaled.inertias.iter_mut().for_each(|inertia| *inertia *= alpha);
        scaled
    }

    /// Adds `alpha` times the mass and `beta` times the stiffness of `other`.
    pub fn add_scaled(&mut self, other: &Self, alpha: f64, beta: f64) {
        self.mass.iter_mut().zip(&other.mass).for_each(|(a, b)| *a += alpha * b);
        self.stiffness.iter_mut().zip(&other.stiffness).for_each(|(a, b)| *a += beta * b);
        self.anchors
            .extend(other.anchors.iter().map(|(node, block)| (*node, block.map(|k| beta * k))));
        self.inertias.iter_mut().zip(&other.inertias).for_each(|(a, b)| *a += alpha * b);
    }

    /// Mv and Kq, in one pass (1).
    pub fn apply_into(&self, v: &[f64], q: &[f64], mv: &mut [f64], kq: &mut [f64]) {
        match self.dimension {
            1 => self.apply::<1>(v, q, mv, kq),
            2 => self.apply::<2>(v, q, mv, kq),
            _ => self.apply::<3>(v, q, mv, kq),
        }
        self.add_anchors(q, kq);
        let first = self.node_dofs();
        kq[first..].fill(0.0);
        for ((mv, v), inertia) in mv[first..].iter_mut().zip(&v[first..]).zip(&self.inertias) {
            *mv = inertia * v;
        }
    }

    /// (M + K)x, in one pass (1).
    pub fn apply_sum_into(&self, x: &[f64], y: &mut [f64]) {
        match self.dimension {
            1 => self.apply_sum::<1>(x, y),
            2 => self.apply_sum::<2>(x, y),
            _ => self.apply_sum::<3>(x, y),
        }
        self.add_anchors(x, y);
        let first = self.node_dofs();
        for ((y, x), inertia) in y[first..].iter_mut().zip(&x[first..]).zip(&self.inertias) {
            *y = inertia * x;
        }
    }

    /// Adds the forces of the springs to the ground.
    fn add_anchors(&self, q: &[f64], kq: &mut [f64]) {
        let d = self.dimension;
        for (node, block) in &self.anchors {
            let first = d * *node as usize;
            for i in 0..d {
                let row = block[i * d..][..d].iter().zip(&q[first..]);
                kq[first + i] += row.map(|(k, q)| k * q).sum::<f64>();
            }
        }
    }

    /// What the springs to the ground add to the diagonal block of a node, at (i, j).
    fn anchored_by(&self, node: usize, i: usize, j: usize) -> f64 {
        let own = self.anchors.iter().filter(|(anchored, _)| *anchored as usize == node);
        own.map(|(_, block)| block[i * self.dimension + j]).sum()
    }

    fn apply<const D: usize>(&self, v: &[f64], q: &[f64], mv: &mut [f64], kq: &mut [f64]) {
        let n = self.node_dofs();
        let (v, _) = v[..n].as_chunks::<D>();
        let (q, _) = q[..n].as_chunks::<D>();
        let (mv, _) = mv[..n].as_chunks_mut::<D>();
        let (kq, _) = kq[..n].as_chunks_mut::<D>();
        if !self.is_large() {
            let rows = mv.iter_mut().zip(kq).enumerate();
            return rows.for_each(|(node, (mv, kq))| (*mv, *kq) = self.row(node, v, q));
        }
        let rows = mv.par_chunks_mut(NODES).zip(kq.par_chunks_mut(NODES)).enumerate();
        rows.for_each(|(chunk, (mv, kq))| {
            for (k, (mv, kq)) in mv.iter_mut().zip(kq).enumerate() {
                (*mv, *kq) = self.row(chunk * NODES + k, v, q);
            }
        });
    }

    fn apply_sum<const D: usize>(&self, x: &[f64], y: &mut [f64]) {
        let n = self.node_dofs();
        let (x, _) = x[..n].as_chunks::<D>();
        let (y, _) = y[..n].as_chunks_mut::<D>();
        let sum = |node: usize| {
            let (m, k) = self.row::<D>(node, x, x);
            std::array::from_fn(|i| m[i] + k[i])
        };
        if !self.is_large() {
            return y.iter_mut().enumerate().for_each(|(node, y)| *y = sum(node));
        }
        y.par_chunks_mut(NODES).enumerate().for_each(|(chunk, y)| {
            y.iter_mut().enumerate().for_each(|(k, y)| *y = sum(chunk * NODES + k));
        });
    }

    /// Whether a product is worth a second thread.
    fn is_large(&self) -> bool {
        self.stiffness.len() > 1 << 18
    }

    /// (Mv)_i and (Kq)_i of node i.
    #[inline(always)]
    fn row<const D: usize>(
        &self,
        node: usize,
        v: &[[f64; D]],
        q: &[[f64; D]],
    ) -> ([f64; D], [f64; D]) {
        let (blocks, _) = self.stiffness.as_chunks::<D>();
        let row = self.graph.row(node);
        let origin = q[node];
        let (mut m_sum, mut k_sum) = ([0.0; D], [0.0; D]);
        let masses = &self.mass[row.clone()];
        let blocks = blocks[row.start * D..row.end * D].chunks_exact(D);
        for ((&j, m), block) in self.graph.neighbours(node).iter().zip(masses).zip(blocks) {
            let (v_j, q_j) = (&v[j as usize], &q[j as usize]);
            for i in 0..D {
                m_sum[i] += m * v_j[i];
                for c in 0..D {
                    k_sum[i] += block[i][c] * (q_j[c] - origin[c]);
                }
            }
        }
        (m_sum, k_sum)
    }

    /// M + K as upper columns over the dofs that `position` numbers (`u32::MAX`: left out), and
    /// the rows that couple them to the dofs left out.
    pub fn upper_columns(&self, position: &[u32], order: &[u32]) -> UpperColumns {
        let mut matrix = UpperColumns { starts: vec![0], ..UpperColumns::default() };
        let mut column: Vec<(u32, f64)> = Vec::new();
        for (at, &dof) in order.iter().enumerate() {
            column.clear();
            self.for_each_in_row(dof as usize, |other, m, k| match position[other] {
                u32::MAX => matrix.coupling.push((at as u32, other as u32, m + k)),
                row if row as usize <= at => column.push((row, m + k)),
                _ => {}
            });
            column.sort_unstable_by_key(|&(row, _)| row);
            matrix.rows.extend(column.iter().map(|&(row, _)| row));
            matrix.values.extend(column.iter().map(|&(_, value)| value));
            matrix.starts.push(matrix.rows.len());
        }
        matrix
    }

    /// Calls `visit(column, M entry, K entry)` for every entry in the row of `dof`.
    fn for_each_in_row(&self, dof: usize, mut visit: impl FnMut(usize, f64, f64)) {
        let d = self.dimension;
        if let Some(rotation) = dof.checked_sub(self.node_dofs()) {
            return visit(dof, self.inertias[rotation], 0.0);
        }
        let (node, i) = (dof / d, dof % d);
        for (entry, &other) in self.graph.row(node).zip(self.graph.neighbours(node)) {
            for j in 0..d {
                let mass = if i == j { self.mass[entry] } else { 0.0 };
                let own = other as usize == node;
                let anchored = if own { self.anchored_by(node, i, j) } else { 0.0 };
                let stiffness = self.stiffness[(entry * d + i) * d + j] + anchored;
                visit(other as usize * d + j, mass, stiffness);
            }
        }
    }

    /// M and K on all dofs, row = dof.
    pub fn to_csr(&self) -> [CsrMatrix<f64>; 2] {
        let n = self.dofs();
        let [mut mass, mut stiffness] = [0, 0].map(|_| CooMatrix::new(n, n));
        for dof in 0..n {
            self.for_each_in_row(dof, |column, m, k| {
                mass.push(dof, column, m);
                stiffness.push(dof, column, k);
            });
        }
        [CsrMatrix::from(&mass), CsrMatrix::from(&stiffness)]
    }

    /// Diagonal entries of M and K at a dof.
    pub fn diagonal(&self, dof: usize) -> (f64, f64) {
        if let Some(rotation) = dof.checked_sub(self.node_dofs()) {
            return (self.inertias[rotation], 0.0);
        }
        let (d, node, i) = (self.dimension, dof / self.dimension, dof % self.dimension);
        let own = self.graph.entry(node, node as u32);
        (self.mass[own], self.stiffness[(own * d + i) * d + i] + self.anchored_by(node, i, i))
    }

    /// Mass on the diagonal of a node.
    pub fn mass_of(&self, node: usize) -> f64 {
        self.mass[self.graph.entry(node, node as u32)]
    }

    /// Largest row sum of |K| over these dofs.
    pub fn stiffness_norm(&self, dofs: std::ops::Range<usize>) -> f64 {
        let d = self.dimension;
        let row_sum = |dof: usize| -> f64 {
            let (node, i) = (dof / d, dof % d);
            let row =
                self.graph.row(node).flat_map(|entry| &self.stiffness[(entry * d + i) * d..][..d]);
            let anchors = (0..d).map(|j| self.anchored_by(node, i, j).abs());
            row.map(|k| k.abs()).chain(anchors).sum()
        };
        dofs.filter(|&dof| dof < self.node_dofs()).map(row_sum).fold(0.0, f64::max)
    }

    /// Sum of the mass matrix of one component: the body's mass.
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().sum()
    }
}

/// Upper triangle of a symmetric matrix in compressed columns, rows ascending, in elimination order.
#[derive(Clone, Debug, Default)]
pub struct UpperColumns {
    /// Column c has entries `starts[c]..starts[c + 1]`.
    pub starts: Vec<usize>,
    /// Row of each entry.
    pub rows: Vec<u32>,
    /// Value of each entry.
    pub values: Vec<f64>,
    /// (position, dof, value) of the entries that couple a position to a dof left out.
    pub coupling: Vec<(u32, u32, f64)>,
}

impl UpperColumns {
    /// Leaves out what is exactly zero off the diagonal, so that it makes no fill.
    pub fn drop_zeros(&mut self) {
        let (mut kept, mut first) = (0, 0);
        for column in 0..self.starts.len() - 1 {
            let end = self.starts[column + 1];
            for entry in first..end {
                if self.values[entry] != 0.0 || self.rows[entry] as usize == column {
                    self.rows[kept] = self.rows[entry];
                    self.values[kept] = self.values[entry];
                    kept += 1;
                }
            }
            first = end;
            self.starts[column + 1] = kept;
        }
        self.rows.truncate(kept);
        self.values.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spring_chain(dimension: usize) -> BlockOperator {
        let elements: [&[u32]; 2] = [&[0, 1], &[1, 2]];
        let graph = Arc::new(NodeGraph::new(3, elements.into_iter()));
        let mut chain = BlockOperator::zero(graph, dimension);
        let size = 2 * dimension;
        let mut stiffness = vec![0.0; size * size];
        for i in 0..dimension {
            for (a, b) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
                let sign = if a == b { 1.0 } else { -1.0 };
                stiffness[(a * dimension + i) * size + b * dimension + i] = sign * (i + 1) as f64;
            }
        }
        for nodes in elements {
            chain.add_element(nodes, &[2.0, 1.0, 1.0, 2.0], &stiffness);
        }
        chain
    }

    #[test]
    fn products_of_a_spring_chain_are_those_of_the_hand_written_matrices() {
        for d in 1..=3 {
            let chain = spring_chain(d);
            let q: Vec<f64> = (0..3 * d).map(|dof| [1.0, 4.0, 9.0][dof / d]).collect();
            let (mut mv, mut kq) = (vec![0.0; 3 * d], vec![0.0; 3 * d]);
            chain.apply_into(&q, &q, &mut mv, &mut kq);
            for i in 0..d {
                let component = |x: &[f64]| [x[i], x[d + i], x[2 * d + i]];
                assert_eq!(component(&mv), [6.0, 26.0, 22.0]);
                let k = (i + 1) as f64;
                assert_eq!(component(&kq), [-3.0 * k, -2.0 * k, 5.0 * k]);
            }
        }
    }

    /// Enough nodes to be shared between threads.
    #[test]
    fn the_product_with_the_sum_is_the_sum_of_the_products_for_any_number_of_threads() {
        let pairs: Vec<[u32; 2]> = (0..29_999).map(|node| [node, node + 1]).collect();
        let graph = NodeGraph::new(30_000, pairs.iter().map(|pair| &pair[..]));
        let mut chain = BlockOperator::zero(Arc::new(graph), 2);
        let stiffness: Vec<f64> = (0..16).map(|k| (k as f64).cos()).collect();
        pairs.iter().for_each(|pair| chain.add_element(pair, &[2.0, 1.0, 1.0, 2.0], &stiffness));
        assert!(chain.is_large());
        let x: Vec<f64> = (0..60_000).map(|dof| (dof as f64).sin()).collect();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut sum = vec![0.0; 60_000];
            pool.install(|| chain.apply_sum_into(&x, &mut sum));
            let (mut mx, mut kx) = (sum.clone(), sum.clone());
            pool.install(|| chain.apply_into(&x, &x, &mut mx, &mut kx));
            assert!((0..60_000).all(|dof| sum[dof] == mx[dof] + kx[dof]));
            for node in [0, 511, 512, 29_999] {
                let (m, k) = chain.row::<2>(node, x.as_chunks().0, x.as_chunks().0);
                assert_eq!((&mx[2 * node..][..2], &kx[2 * node..][..2]), (&m[..], &k[..]));
            }
        }
    }

    #[test]
    fn a_huge_translation_makes_exactly_no_force() {
        let chain = spring_chain(2);
        let q = vec![1e12 / 3.0; 6];
        let (mut mv, mut kq) = (vec![0.0; 6], vec![0.0; 6]);
        chain.apply_into(&q, &q, &mut mv, &mut kq);
        assert_eq!(kq, vec![0.0; 6]);
    }

    #[test]
    fn upper_columns_follow_the_order_and_tell_what_couples_to_driven_dofs() {
        let chain = spring_chain(1);
        let matrix = chain.upper_columns(&[1, u32::MAX, 0], &[2, 0]);
        assert_eq!(matrix.starts, [0, 1, 2]);
        assert_eq!((matrix.rows, matrix.values), (vec![0, 1], vec![3.0, 3.0]));
        assert_eq!(matrix.coupling, [(0, 1, 0.0), (1, 1, 0.0)]);
    }

    #[test]
    fn zeros_off_the_diagonal_are_left_out() {
        let (positions, order) = ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]);
        let mut full = spring_chain(2).upper_columns(&positions, &order);
        let mut lean = full.clone();
        lean.drop_zeros();
        let entries = |m: &UpperColumns| -> Vec<(usize, u32, f64)> {
            let column = |c: usize| (m.starts[c]..m.starts[c + 1]).map(move |e| (c, e));
            let all = (0..m.starts.len() - 1).flat_map(column);
            all.map(|(c, e)| (c, m.rows[e], m.values[e])).collect()
        };
        let kept: Vec<_> =
            entries(&full).into_iter().filter(|&(c, r, v)| v != 0.0 || r as usize == c).collect();
        assert!(kept.len() < full.rows.len());
        assert_eq!(entries(&lean), kept);
        full.values.fill(0.0);
        full.drop_zeros();
        assert_eq!((full.starts, full.rows), ((0..=6).collect(), (0..6).collect()));
    }

    /// Two nodes with a spring between them, the first with one to the ground along (0.6, 0.8), and a rotation.
    #[test]
    fn springs_to_the_ground_and_rotations_are_the_same_in_products_and_in_matrices() {
        let elements: [&[u32]; 1] = [&[0, 1]];
        let mut operator =
            BlockOperator::zero(Arc::new(NodeGraph::new(2, elements.into_iter())), 2);
        let mut spring = [0.0; 16];
        (spring[0], spring[10], spring[2], spring[8]) = (3.0, 3.0, -3.0, -3.0);
        operator.add_element(&[0, 1], &[2.0, 0.0, 0.0, 1.0], &spring);
        operator.balance_rows();
        let (x, y) = (0.6, 0.8);
        operator.add_anchor(0, &[5.0 * x * x, 5.0 * x * y, 5.0 * x * y, 5.0 * y * y]);
        operator.add_rotation(0.25);
        assert_eq!((operator.dofs(), operator.node_dofs()), (5, 4));
        assert_eq!(operator.anchored().collect::<Vec<_>>(), [0, 1]);
        let mut twice = operator.scaled(1.0, 1.0);
        twice.add_scaled(&operator, 1.0, 1.0);
        let [mass, stiffness] = twice.to_csr();
        let order: Vec<u32> = (0..5).collect();
        let upper = twice.upper_columns(&order, &order);
        for dof in 0..5 {
            let mut unit = [0.0; 5];
            unit[dof] = 1.0;
            let (mut m, mut k, mut sum) = ([0.0; 5], [0.0; 5], [0.0; 5]);
            twice.apply_into(&unit, &unit, &mut m, &mut k);
            twice.apply_sum_into(&unit, &mut sum);
            for row in 0..5 {
                let entry = |matrix: &CsrMatrix<f64>| {
                    matrix.get_entry(row, dof).map_or(0.0, |entry| entry.into_value())
                };
                assert!((entry(&mass) - m[row]).abs() < 1e-15, "M({row}, {dof})");
                assert!((entry(&stiffness) - k[row]).abs() < 1e-14, "K({row}, {dof})");
                assert!((sum[row] - m[row] - k[row]).abs() < 1e-14);
            }
            assert_eq!(twice.diagonal(dof), (m[dof], entry_of(&stiffness, dof)));
            let last = upper.starts[dof + 1] - 1;
            assert!((upper.values[last] - m[dof] - k[dof]).abs() < 1e-14);
        }
        assert_eq!(twice.diagonal(4), (0.5, 0.0));
    }

    fn entry_of(matrix: &CsrMatrix<f64>, dof: usize) -> f64 {
        matrix.get_entry(dof, dof).map_or(0.0, |entry| entry.into_value())
    }
}
