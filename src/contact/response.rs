//! What contacts answer to impulses, and W = H M̂⁻¹ Hᵀ.

use super::{BodyProduct, ConeProblem, HRow, HRows};
use crate::linalg::{DiagonalBlocks, DisjointSets, Factor, Partition};

/// M̂⁻¹ between contact dofs, from which W of any contacts in any frames is a product of small matrices. It is dense
/// between dofs that M̂ connects and nothing between others: two contacts feel each other only where they share a part.
#[derive(Clone, Debug)]
pub struct Response {
    dimension: usize,
    /// Position of the first contact dof.
    first: usize,
    blocks: DiagonalBlocks,
    /// Dofs, by position after the first, whose contacts are in W together.
    parts: Partition,
}

/// Which contacts touch which block of a response: what tells the pattern of W.
#[derive(Clone, Debug, Default)]
pub struct Coupling {
    /// (block, contact), ascending.
    touches: Vec<(u32, u32)>,
    /// Where those of each block begin.
    starts: Vec<u32>,
    /// Rows of one column.
    column: Vec<u32>,
}

impl Response {
    /// From the trailing block of the factor of M̂ in a space of that dimension: its inverse is
    /// M̂⁻¹ between the contact dofs, with no solve that leaves them.
    pub fn trailing(factor: &Factor, dimension: usize) -> Self {
        let blocks = factor.trailing_inverse();
        Self { dimension, first: factor.trailing(), parts: blocks.partition().clone(), blocks }
    }

    /// The same, with the dofs of each body, by position, in one part.
    pub fn joining<B: Iterator<Item = u32>>(self, bodies: impl Iterator<Item = B>) -> Self {
        let mut sets = DisjointSets::new(self.parts.numbers());
        for body in bodies {
            let mut own = body.filter_map(|position| position.checked_sub(self.first as u32));
            if let Some(first) = own.next() {
                own.for_each(|other| sets.join(first, other));
            }
        }
        let parts = self.parts.joined(&Partition::of(sets));
        Self { parts, ..self }
    }

    /// From responses column by column, between dofs that `partition` has together: `column(j, x)` writes to x what a unit
    /// impulse on contact dof j does. It need not be symmetric.
    pub fn from_columns(
        dimension: usize,
        first: usize,
        partition: Partition,
        column: impl FnMut(usize, &mut [f64]),
    ) -> Self {
        let parts = partition.clone();
        let blocks = DiagonalBlocks::from_columns(partition, column);
        Self { dimension, first, blocks, parts }
    }

    /// `alpha` times this and `beta` times another between the same dofs.
    pub fn combined(self, alpha: f64, beta: f64, other: &Self) -> Self {
        let blocks = self.blocks.combined(alpha, beta, &other.blocks);
        Self { parts: blocks.partition().clone(), blocks, ..self }
    }

    /// `factor` times this.
    pub fn scaled(self, factor: f64) -> Self {
        Self { blocks: self.blocks.scaled(factor), ..self }
    }

    /// Components of a contact: the dimension of space, and on a line one tangent that nothing
    /// pushes along, so that cones have a side.
    pub fn components(&self) -> usize {
        self.dimension.max(2)
    }

    /// Which contact dofs, by position after the first, feel each other.
    pub fn partition(&self) -> &Partition {
        self.blocks.partition()
    }

    /// Which of them have their contacts in W together.
    pub fn parts(&self) -> &Partition {
        &self.parts
    }

    /// Writes W of the `active` candidates into the cone problem:
    ///
    /// ```text
    ///     W_αβ = H_α M̂⁻¹ H_βᵀ
    /// ```
    ///
    /// `position` gives the elimination position of a dof, `None` where it is driven: it gives no
    /// velocity, and W has no share of it. A component that no dof moves (the tangent on a line, the
    /// normal of a slider) gets the largest diagonal entry of its block, so that cones have a bottom. Where joints carry
    /// impulses on, `joined` has the dofs together that feel each other through them, and W room for that.
    pub fn select_into(
        &self,
        (active, joined): (&[u32], Option<&Partition>),
        rows: &HRows,
        position: impl Fn(u32) -> Option<u32> + Sync,
        (coupling, problem): (&mut Coupling, &mut ConeProblem),
    ) {
        let own = |at: usize| rows.of(active[at] as usize);
        let block = |row: usize, column: usize| {
            let mut block = self.between(own(row), own(column), &position);
            if row == column {
                let largest = (0..3).fold(0.0, |m, i| f64::max(m, block[i][i]));
                let idle = (0..3).filter(|&i| own(row).is_idle(i));
                idle.for_each(|i| block[i][i] = largest);
            }
            block
        };
        let parts = joined.unwrap_or(&self.parts);
        if parts.sets() <= 1 {
            return problem.w.blocks_mut().fill_dense(active.len(), block);
        }
        let number = |dof: u32| position(dof).map(|position| position as usize - self.first);
        if joined.is_none() && active.len() >= BodyProduct::PAYS_FROM {
            let (size, response) = ((self.components(), active.len()), (&self.parts, &self.blocks));
            if problem.w.try_product(|product| product.fill(size, response, own, number)) {
                return;
            }
        }
        let dofs = |at: usize| own(at).dofs().iter().filter_map(|&dof| number(dof));
        coupling.find(parts, active.len(), dofs);
        let w = problem.w.blocks_mut();
        w.clear();
        for at in 0..active.len() {
            for &row in coupling.neighbours(parts, at as u32, dofs(at)) {
                let block = block(row as usize, at);
                w.push_block(row, |i, j| block[i][j]);
            }
            w.end_column();
        }
    }

    /// H_α M̂⁻¹ H_βᵀ.
    pub fn between(
        &self,
        alpha: HRow,
        beta: HRow,
        position: impl Fn(u32) -> Option<u32>,
    ) -> [[f64; 3]; 3] {
        let mut block = [[0.0; 3]; 3];
        for (&dof, of_beta) in beta.dofs().iter().zip(beta.columns()) {
            let Some(column) = position(dof) else { continue };
            let mut half = [0.0; 3];
            for (&dof, of_alpha) in alpha.dofs().iter().zip(alpha.columns()) {
                let Some(row) = position(dof) else { continue };
                let entry =
                    self.blocks.entry(row as usize - self.first, column as usize - self.first);
                (0..3).for_each(|k| half[k] += of_alpha[k] * entry);
            }
            for (row, half) in block.iter_mut().zip(half) {
                row.iter_mut().zip(of_beta).for_each(|(entry, b)| *entry += b * half);
            }
        }
        block
    }

    /// Velocity that impulses on the contact dofs, by position after the first, give the dof at
    /// `position`.
    pub fn velocity_at(&self, position: u32, impulse: &[f64]) -> f64 {
        let at = position as usize - self.first;
        let members = self.partition().members(self.partition().set_of(at));
        let terms = self.blocks.row(at).iter().zip(members);
        terms.map(|(w, &member)| w * impulse[member as usize]).sum()
    }

    /// Bytes of one between contact dofs that a matrix connects so; it is made in place.
    pub fn bytes_for(partition: &Partition) -> usize {
        DiagonalBlocks::bytes_of(partition)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.blocks.bytes()
    }
}

impl Coupling {
    /// Finds which of so many contacts touch which sets, of the numbers that `touched` gives for each. Within the most
    /// there have been nothing is allocated.
    pub fn find<I: Iterator<Item = usize>>(
        &mut self,
        partition: &Partition,
        contacts: usize,
        touched: impl Fn(usize) -> I,
    ) {
        self.touches.clear();
        for at in 0..contacts {
            let first = self.touches.len();
            for number in touched(at) {
                let touch = (partition.set_of(number) as u32, at as u32);
                if !self.touches[first..].contains(&touch) {
                    self.touches.push(touch);
                }
            }
        }
        self.touches.sort_unstable();
        self.starts.clear();
        for (at, &(set, _)) in (0u32..).zip(&self.touches) {
            self.starts.resize((set as usize + 1).max(self.starts.len()), at);
        }
        self.starts.resize(partition.sets() + 1, self.touches.len() as u32);
    }

    /// Σ n² over the sets that n contacts touch each: no fewer than there are pairs that feel each other, itself among
    /// them.
    pub fn pairs(&self) -> usize {
        self.starts.windows(2).map(|ends| ((ends[1] - ends[0]) as usize).pow(2)).sum()
    }

    /// The contacts that feel the contact `at`, which touches these numbers, ascending and with itself.
    fn neighbours(
        &mut self,
        partition: &Partition,
        at: u32,
        touched: impl Iterator<Item = usize>,
    ) -> &[u32] {
        let Self { touches, starts, column, .. } = self;
        column.clear();
        let mut last = usize::MAX;
        for set in touched.map(|number| partition.set_of(number)) {
            if set == last {
                continue;
            }
            last = set;
            let own = &touches[starts[set] as usize..starts[set + 1] as usize];
            column.extend(own.iter().map(|&(_, contact)| contact));
        }
        column.push(at);
        column.sort_unstable();
        column.dedup();
        column
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grip, Lever};
    use super::*;
    use crate::linalg::DisjointSets;

    /// Six dofs of three nodes in the plane, of which the first two feel each other.
    fn response() -> Response {
        let mut sets = DisjointSets::new(6);
        [(0, 1), (1, 2), (2, 3), (4, 5)].into_iter().for_each(|(a, b)| sets.join(a, b));
        let partition = Partition::of(sets);
        let together = partition.clone();
        Response::from_columns(2, 0, partition, |j, column| {
            for (i, entry) in column.iter_mut().enumerate() {
                let same = together.set_of(i) == together.set_of(j);
                *entry = if same { 1.0 / (1 + i + j) as f64 } else { 0.0 };
            }
        })
    }

    /// Contacts of the first and the third node with the ground, of the second with the third, and of one that is held.
    fn rows() -> HRows {
        let mut rows = HRows::default();
        let node = |node| Grip::Node { node, point: [0.0; 3] };
        let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0; 3]];
        for grips in [&[0][..], &[2], &[1, 2], &[3]] {
            rows.begin();
            for (&grip, sign) in grips.iter().zip([1.0, -1.0]) {
                rows.add(&node(grip), 2, &Lever::default(), &axes, sign);
            }
        }
        rows
    }

    #[test]
    fn w_has_a_block_where_contacts_share_a_part_and_is_the_same_with_all_of_them() {
        let (response, rows, active) = (response(), rows(), [0, 1, 2, 3]);
        let position = |dof: u32| Some(dof).filter(|&dof| dof < 6);
        let mut sets = DisjointSets::new(6);
        (1..6).for_each(|dof| sets.join(0, dof));
        let one = Partition::of(sets);
        let of = |joined: Option<&Partition>| {
            let (mut coupling, mut problem) = (Coupling::default(), ConeProblem::default());
            let parts = (&mut coupling, &mut problem);
            response.select_into((&active, joined), &rows, position, parts);
            (problem.w, coupling)
        };
        let ((sparse, coupling), (whole, _)) = (of(None), of(Some(&one)));
        assert_eq!((sparse.blocks().block_count(), whole.blocks().block_count()), (8, 16));
        assert_eq!(sparse.blocks().to_dense(), whole.blocks().to_dense());
        assert!(coupling.pairs() >= 7, "{}", coupling.pairs());
        assert_eq!(sparse.diagonal(3), [0.0; 4]);
        let column: Vec<usize> = sparse.column(2).map(|(row, _)| row).collect();
        assert_eq!(column, [0, 1, 2]);
    }

    #[test]
    fn impulses_are_felt_within_their_set_alone() {
        let response = response();
        let impulse = [0.0, 0.0, 0.0, 2.0, 5.0, 0.0];
        assert_eq!(response.velocity_at(1, &impulse), 2.0 / 5.0);
        assert_eq!(response.velocity_at(5, &impulse), 5.0 / 10.0);
    }
}
