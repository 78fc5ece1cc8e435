//! W as the product that it is, H M̂⁻¹ Hᵀ, between contacts of small parts: no block of it is formed.

mod elimination;
mod saved;

pub(super) use saved::SavedProduct;

use super::{BlockColumns, HRow};
use crate::linalg::{DiagonalBlocks, DisjointSets, Partition};

/// Dofs of a part that counts as small: a rigid body in space has six.
const SMALL: usize = 6;
const UNTOUCHED: u32 = u32::MAX;

/// For every contact, and every part that it touches, the columns of H and M̂⁻¹Hᵀ on the dofs of the part. A product with
/// W goes through the motion y of the parts,
///
/// ```text
///     y = M̂⁻¹ Hᵀ p          W p = H y                                                      (1)
/// ```
///
/// which takes as long for a contact that feels forty others as for one that feels none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyProduct {
    components: usize,
    /// Where the segments of each contact begin.
    starts: Vec<u32>,
    segments: Vec<Segment>,
    h: Vec<[f64; 3]>,
    answer: Vec<[f64; 3]>,
    /// H_α M̂⁻¹ H_αᵀ of each contact, row by row.
    diagonal: Vec<f64>,
    /// Where the dofs of each part that is touched begin in y.
    places: Vec<u32>,
    /// Where its M̂⁻¹ begins, row by row, among all.
    inverse_starts: Vec<u32>,
    inverses: Vec<f64>,
    /// Which of the touched ones a part of the response is.
    number_of: Vec<u32>,
}

/// What one part does to one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    /// The part, among those that are touched.
    part: u32,
    /// Where its columns begin.
    first: u32,
    /// Where its dofs begin in y.
    place: u32,
    /// How many they are.
    size: u32,
}

impl Segment {
    fn columns(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.size) as usize
    }

    fn places(self) -> std::ops::Range<usize> {
        self.place as usize..(self.place + self.size) as usize
    }
}

impl BodyProduct {
    /// Contacts from which on it pays: with fewer, blocks are as cheap.
    pub const PAYS_FROM: usize = 48;

    /// Of so many contacts, whose rows and whose dofs by number `of` gives; whether all their parts are small and move
    /// every component. Within the most there have been nothing is allocated.
    pub fn fill<'a>(
        &mut self,
        (components, contacts): (usize, usize),
        (parts, blocks): (&Partition, &DiagonalBlocks),
        of: impl Fn(usize) -> HRow<'a>,
        number: impl Fn(u32) -> Option<usize>,
    ) -> bool {
        self.clear(components, parts.sets());
        for at in 0..contacts {
            let row = of(at);
            if (0..components).any(|i| row.is_idle(i)) {
                return false;
            }
            let first = self.segments.len();
            for (&dof, column) in row.dofs().iter().zip(row.columns()) {
                let Some(number) = number(dof) else { continue };
                let members = parts.members(parts.set_of(number));
                if members.len() > SMALL {
                    return false;
                }
                let part = self.touch(parts.set_of(number), members, blocks);
                let known = self.segments[first..].iter().find(|own| own.part == part).copied();
                let segment = known.unwrap_or_else(|| self.open(part, members.len()));
                self.h[segment.first as usize + parts.place_of(number)] = *column;
            }
            self.answer_to(first);
            self.starts.push(self.segments.len() as u32);
        }
        true
    }

    fn clear(&mut self, components: usize, parts: usize) {
        self.components = components;
        for list in [&mut self.starts, &mut self.places, &mut self.inverse_starts] {
            list.clear();
            list.push(0);
        }
        self.segments.clear();
        self.h.clear();
        self.answer.clear();
        self.diagonal.clear();
        self.inverses.clear();
        self.number_of.clear();
        self.number_of.resize(parts, UNTOUCHED);
    }

    /// The number of a part among those that are touched.
    fn touch(&mut self, set: usize, members: &[u32], blocks: &DiagonalBlocks) -> u32 {
        if self.number_of[set] == UNTOUCHED {
            let part = self.places.len() - 1;
            self.number_of[set] = part as u32;
            self.places.push(self.places[part] + members.len() as u32);
            for &i in members {
                let row = members.iter().map(|&j| blocks.entry(i as usize, j as usize));
                self.inverses.extend(row);
            }
            self.inverse_starts.push(self.inverses.len() as u32);
        }
        self.number_of[set]
    }

    fn open(&mut self, part: u32, size: usize) -> Segment {
        let (first, place) = (self.h.len() as u32, self.places[part as usize]);
        let segment = Segment { part, first, place, size: size as u32 };
        self.segments.push(segment);
        self.h.resize(self.h.len() + size, [0.0; 3]);
        segment
    }

    /// M̂⁻¹Hᵀ of the contact whose segments begin at `first`, and what it makes of its own impulse.
    fn answer_to(&mut self, first: usize) {
        let mut own = [[0.0; 3]; 3];
        for segment in &self.segments[first..] {
            let inverse = &self.inverses[self.inverse_starts[segment.part as usize] as usize..];
            let h = &self.h[segment.columns()];
            for (row, of_row) in inverse.chunks_exact(h.len()).zip(h) {
                let mut sum = [0.0; 3];
                for (entry, h) in row.iter().zip(h) {
                    (0..3).for_each(|i| sum[i] += entry * h[i]);
                }
                (0..3).for_each(|i| (0..3).for_each(|j| own[i][j] += of_row[i] * sum[j]));
                self.answer.push(sum);
            }
        }
        let d = self.components;
        own[..d].iter().for_each(|row| self.diagonal.extend_from_slice(&row[..d]));
    }

    /// Components of a contact.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Numbers in y.
    pub fn motion_size(&self) -> usize {
        self.places.last().map_or(0, |&end| end as usize)
    }

    /// H_α M̂⁻¹ H_αᵀ, row by row.
    pub fn diagonal(&self, alpha: usize) -> &[f64] {
        let size = self.components * self.components;
        &self.diagonal[size * alpha..][..size]
    }

    fn segments_of(&self, alpha: usize) -> &[Segment] {
        &self.segments[self.starts[alpha] as usize..self.starts[alpha + 1] as usize]
    }

    /// H_α y.
    #[inline]
    pub fn velocity<const D: usize>(&self, alpha: usize, y: &[f64]) -> [f64; D] {
        let mut u = [0.0; 3];
        for segment in self.segments_of(alpha) {
            for (h, y) in self.h[segment.columns()].iter().zip(&y[segment.places()]) {
                (0..3).for_each(|i| u[i] += h[i] * y);
            }
        }
        std::array::from_fn(|i| u[i])
    }

    /// y += M̂⁻¹ H_αᵀ p.
    #[inline]
    pub fn push<const D: usize>(&self, alpha: usize, p: &[f64; D], y: &mut [f64]) {
        for segment in self.segments_of(alpha) {
            let answers = &self.answer[segment.columns()];
            for (answer, y) in answers.iter().zip(&mut y[segment.places()]) {
                *y += (0..D).map(|i| answer[i] * p[i]).sum::<f64>();
            }
        }
    }

    /// y = M̂⁻¹ Hᵀ p.
    pub fn motion_into(&self, p: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        match self.components {
            2 => p.as_chunks::<2>().0.iter().enumerate().for_each(|(at, p)| self.push(at, p, y)),
            _ => p.as_chunks::<3>().0.iter().enumerate().for_each(|(at, p)| self.push(at, p, y)),
        }
    }

    /// u = b + H y.
    pub fn velocity_into(&self, b: &[f64], y: &[f64], u: &mut [f64]) {
        for alpha in 0..self.contacts() {
            let own = self.components * alpha..self.components * (alpha + 1);
            let seen = self.velocity::<3>(alpha, y);
            u[own.clone()].iter_mut().zip(&b[own]).zip(seen).for_each(|((u, b), s)| *u = b + s);
        }
    }

    /// Visits (contact, contact) that touch the same part, so that all that feel each other are linked.
    pub fn for_each_link(&self, mut visit: impl FnMut(u32, u32), last: &mut Vec<u32>) {
        last.clear();
        last.resize(self.places.len(), UNTOUCHED);
        for alpha in 0..self.contacts() {
            for segment in self.segments_of(alpha) {
                let before = std::mem::replace(&mut last[segment.part as usize], alpha as u32);
                if before != UNTOUCHED {
                    visit(before, alpha as u32);
                }
            }
        }
    }

    /// Becomes that of one of the `islands` of another one.
    pub fn select(&mut self, other: &Self, islands: &Partition, which: usize) {
        self.clear(other.components, other.places.len());
        for &old in islands.members(which) {
            for segment in other.segments_of(old as usize) {
                let part = self.touch_again(other, segment);
                let (first, place) = (self.h.len() as u32, self.places[part as usize]);
                self.segments.push(Segment { part, first, place, ..*segment });
                self.h.extend_from_slice(&other.h[segment.columns()]);
                self.answer.extend_from_slice(&other.answer[segment.columns()]);
            }
            self.diagonal.extend_from_slice(other.diagonal(old as usize));
            self.starts.push(self.segments.len() as u32);
        }
    }

    fn touch_again(&mut self, other: &Self, segment: &Segment) -> u32 {
        let old = segment.part as usize;
        if self.number_of[old] == UNTOUCHED {
            let part = self.places.len() - 1;
            self.number_of[old] = part as u32;
            self.places.push(self.places[part] + segment.size);
            let own = other.inverse_starts[old] as usize..other.inverse_starts[old + 1] as usize;
            self.inverses.extend_from_slice(&other.inverses[own]);
            self.inverse_starts.push(self.inverses.len() as u32);
        }
        self.number_of[old]
    }

    /// H_α M̂⁻¹ H_βᵀ.
    pub fn between(&self, alpha: usize, beta: usize) -> [[f64; 3]; 3] {
        let mut block = [[0.0; 3]; 3];
        for own in self.segments_of(alpha) {
            for other in self.segments_of(beta).iter().filter(|other| other.part == own.part) {
                let answers = &self.answer[other.columns()];
                for (h, answer) in self.h[own.columns()].iter().zip(answers) {
                    (0..3).for_each(|i| (0..3).for_each(|j| block[i][j] += h[i] * answer[j]));
                }
            }
        }
        block
    }

    /// All blocks.
    pub fn columns(&self) -> BlockColumns {
        let mut columns = BlockColumns::with_capacity(self.components, self.contacts(), 0);
        let mut touching = vec![Vec::new(); self.places.len()];
        for alpha in 0..self.contacts() {
            let own = self.segments_of(alpha).iter();
            own.for_each(|segment| touching[segment.part as usize].push(alpha as u32));
        }
        let mut rows = Vec::new();
        for beta in 0..self.contacts() {
            rows.clear();
            rows.push(beta as u32);
            let own = self.segments_of(beta).iter();
            own.for_each(|segment| rows.extend_from_slice(&touching[segment.part as usize]));
            rows.sort_unstable();
            rows.dedup();
            for &alpha in &rows {
                let block = self.between(alpha as usize, beta);
                columns.push_block(alpha, |i, j| block[i][j]);
            }
            columns.end_column();
        }
        columns
    }

    /// Makes one island of the contacts of every part.
    pub fn join(&self, sets: &mut DisjointSets, last: &mut Vec<u32>) {
        self.for_each_link(|a, b| sets.join(a, b), last);
    }
}

#[cfg(test)]
pub(in crate::contact) mod tests {
    use super::*;
    use crate::contact::{ConeProblem, Grip, HRows, Lever};

    /// So many contacts in a row of `parts` parts of `size` dofs, each contact between two neighbours, several times; the
    /// last part is driven.
    pub fn chain(size: usize, parts: usize, times: usize) -> (BodyProduct, Vec<Vec<f64>>) {
        let d = if size == 6 { 3 } else { 2 };
        let mut sets = DisjointSets::new(size * parts);
        for dof in (0..size * parts).filter(|dof| dof % size > 0) {
            sets.join(dof as u32 - 1, dof as u32);
        }
        let partition = Partition::of(sets);
        let entry = |i: usize, j: usize| match i / size == j / size {
            true => {
                if i == j {
                    2.0 + i as f64 / 7.0
                } else {
                    0.5 / (1 + i + j) as f64
                }
            }
            false => 0.0,
        };
        let together = partition.clone();
        let blocks = DiagonalBlocks::from_columns(partition, |j, column| {
            let same = |i: &usize| together.set_of(*i) == together.set_of(j);
            (0..column.len()).for_each(|i| column[i] = if same(&i) { entry(i, j) } else { 0.0 });
        });
        let mut dense = Vec::new();
        let mut rows = HRows::default();
        let value = |a: usize, b: usize, c: usize| ((7 * a + 3 * b + 5 * c) as f64).sin();
        for contact in 0..times * parts {
            rows.begin();
            let mut h = vec![vec![0.0; size * parts]; d];
            for part in [contact % parts, (contact + 1) % parts] {
                for k in 0..size {
                    let dof = size * part + k;
                    let node = Grip::Node { node: dof as u32, point: [0.0; 3] };
                    let axes = [0, 1, 2].map(|i| [value(contact, dof, i), 0.0, 0.0]);
                    rows.add(&node, 1, &Lever::default(), &axes, 1.0);
                    (0..d).for_each(|i| h[i][dof] = axes[i][0]);
                }
            }
            dense.extend(h);
        }
        let free = size * (parts - 1);
        let number = |dof: u32| Some(dof as usize).filter(|&dof| dof < free);
        let mut product = BodyProduct::default();
        let response = (blocks.partition(), &blocks);
        assert!(product.fill((d, times * parts), response, |at| rows.of(at), number));
        let w = |a: &[f64], b: &[f64]| -> f64 {
            (0..free).map(|i| (0..free).map(|j| a[i] * entry(i, j) * b[j]).sum::<f64>()).sum()
        };
        let w = dense.iter().map(|a| dense.iter().map(|b| w(a, b)).collect()).collect();
        (product, w)
    }

    /// Sums of a dozen products of numbers below 4: a few roundings of 50.
    #[test]
    fn a_product_through_bodies_is_w() {
        for size in [3, 6] {
            let (product, w) = chain(size, 4, 3);
            let n = w.len();
            let blocks = product.columns().to_dense();
            for i in 0..n {
                (0..n).for_each(|j| assert!((blocks[i * n + j] - w[i][j]).abs() < 1e-13));
            }
            let d = product.components();
            let p: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            let b: Vec<f64> = (0..n).map(|i| 0.1 * i as f64).collect();
            let (mut y, mut u) = (vec![0.0; product.motion_size()], vec![0.0; n]);
            product.motion_into(&p, &mut y);
            product.velocity_into(&b, &y, &mut u);
            for i in 0..n {
                let exact = b[i] + (0..n).map(|j| w[i][j] * p[j]).sum::<f64>();
                assert!((u[i] - exact).abs() < 1e-12);
                assert_eq!(product.diagonal(i / d)[i % d * d], blocks[i * n + i / d * d]);
            }
        }
    }

    #[test]
    fn islands_of_a_product_are_products() {
        let (product, _) = chain(6, 4, 2);
        let whole = ConeProblem {
            w: product.clone().into(),
            b: (0..24).map(f64::from).collect(),
            mu: vec![0.3; 8],
        };
        let mut sets = DisjointSets::new(8);
        whole.w.join(&mut sets, &mut Vec::new());
        // Contacts 2 and 6 touch part 2 beside the driven one, and through it all others.
        assert_eq!(sets.count(), 1);
        let mut apart = DisjointSets::new(8);
        [(0, 2), (2, 5), (1, 3)].into_iter().for_each(|(a, b)| apart.join(a, b));
        let islands = Partition::of(apart);
        let mut own = ConeProblem::default();
        for which in 0..islands.sets() {
            own.select(&whole, &islands, which);
            let members = islands.members(which);
            let (few, all) = (own.w.blocks().to_dense(), product.columns().to_dense());
            let n = 3 * members.len();
            for i in 0..n {
                for j in 0..n {
                    let old = |k: usize| 3 * members[k / 3] as usize + k % 3;
                    assert_eq!(few[i * n + j], all[24 * old(i) + old(j)]);
                }
            }
        }
    }
}
