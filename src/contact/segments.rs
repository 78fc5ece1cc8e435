//! H and M̂⁻¹Hᵀ of contacts between small parts, part by part: W is then a few multiplications a block.

use super::HRow;
use crate::linalg::{DiagonalBlocks, Partition};

/// Dofs of a part that counts as small: a rigid body in space has six.
const SMALL: usize = 6;

/// For every contact, and every part that it touches, the columns of H and M̂⁻¹Hᵀ on the dofs of the part.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    /// Where the segments of each contact begin.
    starts: Vec<u32>,
    /// The part of each segment, and where its columns begin.
    parts: Vec<(u32, u32)>,
    h: Vec<[f64; 3]>,
    answer: Vec<[f64; 3]>,
}

impl Segments {
    /// Of so many contacts, whose rows and whose dofs by number `of` gives; whether all their parts are small. Within the
    /// most there have been nothing is allocated.
    pub fn fill<'a>(
        &mut self,
        (parts, blocks): (&Partition, &DiagonalBlocks),
        contacts: usize,
        of: impl Fn(usize) -> HRow<'a>,
        number: impl Fn(u32) -> Option<usize>,
    ) -> bool {
        let Self { starts, parts: own, h, answer } = self;
        starts.clear();
        own.clear();
        h.clear();
        for at in 0..contacts {
            starts.push(own.len() as u32);
            let first = own.len();
            let row = of(at);
            for (&dof, column) in row.dofs().iter().zip(row.columns()) {
                let Some(number) = number(dof) else { continue };
                let part = parts.set_of(number) as u32;
                let size = parts.members(part as usize).len();
                if size > SMALL {
                    return false;
                }
                let known = own[first..].iter().find(|(other, _)| *other == part);
                let begin = known.map_or(h.len() as u32, |&(_, begin)| begin);
                if known.is_none() {
                    own.push((part, begin));
                    h.resize(h.len() + size, [0.0; 3]);
                }
                h[begin as usize + parts.place_of(number)] = *column;
            }
        }
        starts.push(own.len() as u32);
        answer.clear();
        for &(part, begin) in own.iter() {
            let members = parts.members(part as usize);
            for &i in members {
                let mut sum = [0.0; 3];
                for (&k, h) in members.iter().zip(&h[begin as usize..]) {
                    let entry = blocks.entry(i as usize, k as usize);
                    (0..3).for_each(|c| sum[c] += entry * h[c]);
                }
                answer.push(sum);
            }
        }
        true
    }

    /// H_α M̂⁻¹ H_βᵀ.
    pub fn between(&self, alpha: usize, beta: usize) -> [[f64; 3]; 3] {
        let segments = |at: usize| {
            let range = self.starts[at] as usize..self.starts[at + 1] as usize;
            range.map(|segment| (self.parts[segment], self.end_of(segment)))
        };
        let mut block = [[0.0; 3]; 3];
        for ((part, begin), end) in segments(alpha) {
            for ((other, its), _) in segments(beta) {
                if part != other {
                    continue;
                }
                let answers = &self.answer[begin as usize..end];
                for (h, answer) in self.h[its as usize..].iter().zip(answers) {
                    for i in 0..3 {
                        (0..3).for_each(|j| block[i][j] += h[j] * answer[i]);
                    }
                }
            }
        }
        block
    }

    fn end_of(&self, segment: usize) -> usize {
        self.parts.get(segment + 1).map_or(self.h.len(), |&(_, begin)| begin as usize)
    }
}
