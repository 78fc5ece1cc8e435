//! Which boxes along the axes overlap: grids of growing cells, one for each size of boxes.
//!
//! ```text
//!     c_k = c₀ 2ᵏ,   box i is on level k if its longest edge is in (c_{k−1}, c_k]
//! ```
//!
//! A box stands in the cell of its low corner, so that everything of level k that overlaps a box has
//! its low corner between one cell before the box and its end. Each box asks its own level and those
//! above: a plain costs a grain one cell, not a plain full of grains.

use super::{Convex, Placement};
use crate::vector::{minus, moved};

/// A box along the axes around a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceBox {
    /// Its least coordinates.
    pub low: [f64; 3],
    /// Its greatest coordinates.
    pub high: [f64; 3],
}

impl PieceBox {
    /// Around a piece where it is, and `margin` on all sides.
    pub fn around(piece: &Convex, placement: &Placement, margin: f64) -> Self {
        match piece {
            Convex::Ball { center, radius } => Self::of(&[*center], radius + margin, placement),
            Convex::Capsule { ends, radius } => Self::of(ends, radius + margin, placement),
            Convex::Polyhedron(solid) => Self::of(&solid.vertices, margin, placement),
            Convex::Polygon(flat) => Self::of(&flat.vertices, margin, placement),
        }
    }

    fn of(points: &[[f64; 3]], margin: f64, placement: &Placement) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &point in points {
            let at = placement.turned(point);
            for i in 0..3 {
                low[i] = low[i].min(at[i]);
                high[i] = high[i].max(at[i]);
            }
        }
        let spread = |x: [f64; 3], margin| {
            moved([0, 1, 2].map(|i| x[i] + placement.place[i]), margin, [1.0; 3])
        };
        Self { low: spread(low, -margin), high: spread(high, margin) }
    }

    /// Whether two have a point in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }

    fn longest(&self) -> f64 {
        minus(self.high, self.low).into_iter().fold(0.0, f64::max)
    }
}

/// Boxes of about one size, sorted into the cells of a grid.
#[derive(Clone, Debug, Default)]
struct SizeLevel {
    /// Its boxes.
    members: Vec<u32>,
    origin: [f64; 3],
    /// Edge of a cell.
    cell: f64,
    counts: [usize; 3],
    /// Where the boxes of each cell begin in `sorted`.
    starts: Vec<u32>,
    sorted: Vec<u32>,
}

/// The search for pairs of boxes that overlap; its vectors grow once.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    levels: Vec<SizeLevel>,
    level_of: Vec<u8>,
    keys: Vec<u64>,
}

/// Levels, at most: sizes beyond this many doublings share the last one.
const LEVELS: usize = 24;

impl BroadPhase {
    /// Replaces `pairs` by the pairs (i, j), i < j, of boxes that overlap, sorted.
    pub fn pairs_into(&mut self, boxes: &[PieceBox], pairs: &mut Vec<[u32; 2]>) {
        self.sort_in(boxes);
        self.keys.clear();
        for (i, own) in boxes.iter().enumerate() {
            let level = self.level_of[i] as usize;
            for (k, above) in self.levels.iter().enumerate().skip(level) {
                let keys = &mut self.keys;
                above.overlapping(boxes, own, |j| {
                    let (i, j) = (i as u32, j);
                    if k > level || j > i {
                        keys.push(u64::from(i.min(j)) << 32 | u64::from(i.max(j)));
                    }
                });
            }
        }
        self.keys.sort_unstable();
        pairs.clear();
        pairs.extend(self.keys.iter().map(|key| [(key >> 32) as u32, *key as u32]));
    }

    fn sort_in(&mut self, boxes: &[PieceBox]) {
        let least = boxes.iter().map(PieceBox::longest).filter(|&size| size > 0.0);
        let least = least.fold(f64::INFINITY, f64::min).min(f64::MAX);
        self.levels.resize_with(LEVELS, SizeLevel::default);
        self.levels.iter_mut().for_each(|level| level.members.clear());
        self.level_of.clear();
        for (i, own) in boxes.iter().enumerate() {
            // What is not a number or without end is on the last level.
            let doublings = (own.longest() / least).log2().ceil().max(0.0);
            let level = if doublings < LEVELS as f64 { doublings as usize } else { LEVELS - 1 };
            self.levels[level].members.push(i as u32);
            self.level_of.push(level as u8);
        }
        self.levels.iter_mut().for_each(|level| level.sort(boxes));
    }
}

impl SizeLevel {
    /// Cells as long as the longest box, and longer where there would be more than a few per box.
    fn sort(&mut self, boxes: &[PieceBox]) {
        let members = || self.members.iter().map(|&i| &boxes[i as usize]);
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for member in members() {
            for i in 0..3 {
                low[i] = low[i].min(member.low[i]);
                high[i] = high[i].max(member.low[i]);
            }
        }
        let longest = members().map(PieceBox::longest).fold(0.0, f64::max);
        self.origin = low;
        self.cell = if longest > 0.0 { longest } else { 1.0 };
        let most = 4 * self.members.len() + 64;
        loop {
            let along = |i: usize| ((high[i] - low[i]) / self.cell).floor().max(0.0) + 1.0;
            let counts = [0, 1, 2].map(along);
            if counts.iter().product::<f64>() <= most as f64 {
                self.counts = counts.map(|count| count as usize);
                break;
            }
            if !self.cell.is_finite() || counts.iter().any(|count| !count.is_finite()) {
                self.counts = [1; 3];
                break;
            }
            self.cell *= 1.25;
        }
        self.count_in(boxes);
    }

    /// A counting sort, which keeps the order of the boxes in each cell.
    fn count_in(&mut self, boxes: &[PieceBox]) {
        let cells = self.counts.iter().product::<usize>();
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for &i in &self.members {
            let cell = self.cell_of(boxes[i as usize].low);
            self.starts[cell] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.sorted.clear();
        self.sorted.resize(self.members.len(), 0);
        for &i in self.members.iter().rev() {
            let cell = self.cell_of(boxes[i as usize].low);
            self.starts[cell] -= 1;
            self.sorted[self.starts[cell] as usize] = i;
        }
    }

    /// The cell along an axis, the nearest one if it is beyond the grid; 0 for what is not a number.
    fn along(&self, x: f64, i: usize) -> usize {
        (((x - self.origin[i]) / self.cell).floor().max(0.0) as usize).min(self.counts[i] - 1)
    }

    fn cell_of(&self, x: [f64; 3]) -> usize {
        let [a, b, c] = [0, 1, 2].map(|i| self.along(x[i], i));
        (c * self.counts[1] + b) * self.counts[0] + a
    }

    /// Calls with each box of the level that overlaps one.
    fn overlapping(&self, boxes: &[PieceBox], own: &PieceBox, mut found: impl FnMut(u32)) {
        if self.members.is_empty() {
            return;
        }
        let from = [0, 1, 2].map(|i| self.along(own.low[i] - self.cell, i));
        let to = [0, 1, 2].map(|i| self.along(own.high[i], i));
        for c in from[2]..=to[2] {
            for b in from[1]..=to[1] {
                let row = (c * self.counts[1] + b) * self.counts[0];
                let (start, end) = (self.starts[row + from[0]], self.starts[row + to[0] + 1]);
                for &j in &self.sorted[start as usize..end as usize] {
                    if own.overlaps(&boxes[j as usize]) {
                        found(j);
                    }
                }
            }
        }
    }
}
