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
    /// Its boxes, in the order in which they were given.
    members: Vec<u32>,
    origin: [f64; 3],
    /// Edge of a cell.
    cell: f64,
    counts: [usize; 3],
    /// Where the boxes of each cell begin in `sorted`.
    starts: Vec<u32>,
    /// The boxes and their numbers, cell by cell: neighbours are side by side in memory.
    sorted: Vec<(PieceBox, u32)>,
}

/// The search for pairs of boxes that overlap; its vectors grow once.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    levels: Vec<SizeLevel>,
    /// For each pair found, its second box; then sorted by the first.
    partners: Vec<u32>,
    /// Where the partners of each box begin.
    starts: Vec<u32>,
    found: Vec<[u32; 2]>,
}

/// Levels, at most: sizes beyond this many doublings share the last one.
const LEVELS: usize = 24;

impl BroadPhase {
    /// Replaces `pairs` by the pairs (i, j), i < j, of boxes that overlap, sorted.
    pub fn pairs_into(&mut self, boxes: &[PieceBox], pairs: &mut Vec<[u32; 2]>) {
        self.sort_in(boxes);
        let Self { levels, found, .. } = self;
        found.clear();
        for (k, level) in levels.iter().enumerate() {
            for (at, (own, i)) in level.sorted.iter().enumerate() {
                let mut take = |j: u32| found.push([*i.min(&j), *i.max(&j)]);
                level.later(at, &mut take);
                for above in levels[k + 1..].iter().filter(|above| !above.members.is_empty()) {
                    above.all(own, &mut take);
                }
            }
        }
        self.order_into(boxes.len(), pairs);
    }

    /// A counting sort by the first box, and a sort of the few partners of each.
    fn order_into(&mut self, count: usize, pairs: &mut Vec<[u32; 2]>) {
        let Self { found, partners, starts, .. } = self;
        starts.clear();
        starts.resize(count + 1, 0);
        found.iter().for_each(|pair| starts[pair[0] as usize] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        partners.clear();
        partners.resize(found.len(), 0);
        for &[i, j] in found.iter() {
            let start = &mut starts[i as usize];
            *start -= 1;
            partners[*start as usize] = j;
        }
        pairs.clear();
        for i in 0..count {
            let own = &mut partners[starts[i] as usize..starts[i + 1] as usize];
            own.sort_unstable();
            pairs.extend(own.iter().map(|&j| [i as u32, j]));
        }
    }

    fn sort_in(&mut self, boxes: &[PieceBox]) {
        let least = boxes.iter().map(PieceBox::longest).filter(|&size| size > 0.0);
        let least = least.fold(f64::INFINITY, f64::min).min(f64::MAX);
        self.levels.resize_with(LEVELS, SizeLevel::default);
        self.levels.iter_mut().for_each(|level| level.members.clear());
        for (i, own) in boxes.iter().enumerate() {
            // Sizes up to a tenth above the least share its cells; what has no end is on the last level.
            let doublings = (own.longest() / (1.1 * least)).log2().ceil().max(0.0);
            let level = if doublings < LEVELS as f64 { doublings as usize } else { LEVELS - 1 };
            self.levels[level].members.push(i as u32);
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
        let nothing = PieceBox { low: [0.0; 3], high: [0.0; 3] };
        self.sorted.resize(self.members.len(), (nothing, 0));
        for &i in self.members.iter().rev() {
            let own = boxes[i as usize];
            let cell = self.cell_of(own.low);
            self.starts[cell] -= 1;
            self.sorted[self.starts[cell] as usize] = (own, i);
        }
    }

    /// The cell along an axis, the nearest one if it is beyond the grid; 0 for what is not a number.
    fn along(&self, x: f64, i: usize) -> usize {
        (((x - self.origin[i]) / self.cell).floor().max(0.0) as usize).min(self.counts[i] - 1)
    }

    fn cells_of(&self, x: [f64; 3]) -> [usize; 3] {
        [0, 1, 2].map(|i| self.along(x[i], i))
    }

    fn cell_of(&self, x: [f64; 3]) -> usize {
        let [a, b, c] = self.cells_of(x);
        (c * self.counts[1] + b) * self.counts[0] + a
    }

    /// Where the boxes in cells `from` to `to` of a row begin and end in `sorted`.
    fn row(&self, b: usize, c: usize, from: usize, to: usize) -> (usize, usize) {
        let row = (c * self.counts[1] + b) * self.counts[0];
        (self.starts[row + from] as usize, self.starts[row + to + 1] as usize)
    }

    /// Takes those of `sorted[start..end]` that overlap one.
    fn take_from(&self, (start, end): (usize, usize), own: &PieceBox, take: &mut impl FnMut(u32)) {
        for (other, j) in &self.sorted[start..end.max(start)] {
            if own.overlaps(other) {
                take(*j);
            }
        }
    }

    /// Takes all of the level that overlap a box.
    fn all(&self, own: &PieceBox, take: &mut impl FnMut(u32)) {
        let from = self.cells_of(own.low.map(|x| x - self.cell));
        let to = self.cells_of(own.high);
        for c in from[2]..=to[2] {
            for b in from[1]..=to[1] {
                self.take_from(self.row(b, c, from[0], to[0]), own, take);
            }
        }
    }

    /// Takes those that come after one of the level in its order and overlap it.
    fn later(&self, at: usize, take: &mut impl FnMut(u32)) {
        let own = &self.sorted[at].0;
        let cell = self.cells_of(own.low);
        let from = self.cells_of(own.low.map(|x| x - self.cell));
        let to = self.cells_of(own.high);
        for c in cell[2]..=to[2] {
            let first = if c == cell[2] { cell[1] } else { from[1] };
            for b in first..=to[1] {
                let (start, end) = self.row(b, c, from[0], to[0]);
                self.take_from((start.max(at + 1), end), own, take);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cuboid, turned};
    use super::*;

    /// Numbers that look random, in [−1, 1).
    fn noise(i: usize) -> f64 {
        let x = (i as f64 * 12.9898).sin() * 43758.5453;
        2.0 * (x - x.floor()) - 1.0
    }

    fn check(boxes: &[PieceBox], broad: &mut BroadPhase) {
        let mut pairs = Vec::new();
        broad.pairs_into(boxes, &mut pairs);
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(&boxes[j]) {
                    expected.push([i as u32, j as u32]);
                }
            }
        }
        assert_eq!(pairs, expected);
    }

    #[test]
    fn pairs_are_those_of_all_boxes_tried() {
        let mut broad = BroadPhase::default();
        for (count, sizes, flat) in [
            (0, 0.0, false),
            (1, 1.0, false),
            (300, 0.0, false),
            (300, 4.0, false),
            (200, 2.0, true),
            (200, 30.0, false),
        ] {
            let boxes: Vec<PieceBox> = (0..count)
                .map(|i| {
                    let place = [1, 2, 3].map(|k| 4.0 * noise(7 * i + k));
                    let half = [4, 5, 6].map(|k| 0.2 * 2f64.powf(sizes * noise(7 * i + k)));
                    let (mut low, mut high) = (minus(place, half), moved(place, 1.0, half));
                    if flat {
                        (low[2], high[2]) = (0.0, 0.0);
                    }
                    PieceBox { low, high }
                })
                .collect();
            check(&boxes, &mut broad);
        }
    }

    /// A floor of a kilometre and grains of a millimetre; far from the origin; all in one place: the pairs are those of
    /// all boxes tried, and of no grid there are more than a few cells for each box.
    #[test]
    fn bodies_of_all_sizes_anywhere_are_paired() {
        let mut broad = BroadPhase::default();
        for origin in [0.0, 1e6, -3e9] {
            let at = |place: [f64; 3], half: f64| PieceBox {
                low: place.map(|x| origin + x - half),
                high: place.map(|x| origin + x + half),
            };
            let spread = [1e-3, 1.0, 400.0];
            let mut boxes: Vec<PieceBox> = (0..300)
                .map(|i| {
                    let place = [1, 2].map(|k| spread[i % 3] * noise(5 * i + k));
                    at([place[0], place[1], 5e-4], 5e-4 * (1.5 + noise(i)))
                })
                .collect();
            let low = [origin - 500.0, origin - 500.0, origin - 1.0];
            boxes.push(PieceBox { low, high: [origin + 500.0, origin + 500.0, origin] });
            check(&boxes, &mut broad);
            for level in broad.levels.iter().filter(|level| !level.members.is_empty()) {
                let cells = level.counts.iter().product::<usize>();
                assert!(cells <= 4 * level.members.len() + 64, "{cells}");
                assert!(level.cell.is_finite() && level.cell > 0.0, "{}", level.cell);
            }
            // All in one place, and of no size.
            check(&vec![at([0.3; 3], 1e-3); 100], &mut broad);
            check(&vec![at([0.3; 3], 0.0); 100], &mut broad);
        }
    }

    /// What is asked for does not depend on what was asked before.
    #[test]
    fn a_search_remembers_nothing() {
        let boxes = |count: usize, size: f64| -> Vec<PieceBox> {
            let at = |i: usize| [1, 2, 3].map(|k| 3.0 * noise(11 * i + k));
            (0..count).map(|i| PieceBox { low: at(i), high: at(i).map(|x| x + size) }).collect()
        };
        let (mut used, mut pairs) = (BroadPhase::default(), Vec::new());
        for (count, size) in [(400, 0.5), (3, 100.0), (0, 1.0), (200, 1e-3), (150, 2.0)] {
            used.pairs_into(&boxes(count, size), &mut pairs);
            let mut fresh = Vec::new();
            BroadPhase::default().pairs_into(&boxes(count, size), &mut fresh);
            assert_eq!(pairs, fresh);
        }
    }

    /// Boxes that touch count, and what has no end or is no number does no harm.
    #[test]
    fn odd_boxes_are_compared_too() {
        let cube = |x: f64, size: f64| PieceBox { low: [x; 3], high: [x + size; 3] };
        let infinite = PieceBox { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] };
        let half = PieceBox { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY, 0.5, 3.0] };
        let lost = PieceBox { low: [f64::NAN; 3], high: [f64::NAN; 3] };
        let boxes = [
            cube(0.0, 1.0),
            cube(1.0, 1.0),
            cube(1.0, 0.0),
            cube(1e9, 1.0),
            cube(-1e9, 1e8),
            infinite,
            half,
            lost,
            cube(1.0, 1e12),
            cube(0.0, 1e-12),
        ];
        check(&boxes, &mut BroadPhase::default());
        check(&[cube(1.0, 0.0), cube(1.0, 0.0), cube(2.0, 0.0)], &mut BroadPhase::default());
    }

    #[test]
    fn a_box_is_around_all_corners_and_the_margin() {
        let placement = turned([1.0, -2.0, 3.0], [0.3, 0.2, -0.4, 0.9]);
        let solid = cuboid([1.0, 2.0, 0.5]);
        let corners: Vec<_> = solid.vertices.iter().map(|&v| placement.to_space(v)).collect();
        let around = PieceBox::around(&Convex::Polyhedron(solid), &placement, 0.1);
        for i in 0..3 {
            let least = corners.iter().map(|corner| corner[i]).fold(f64::INFINITY, f64::min);
            let most = corners.iter().map(|corner| corner[i]).fold(f64::NEG_INFINITY, f64::max);
            assert!((around.low[i] - least + 0.1).abs() < 1e-14);
            assert!((around.high[i] - most - 0.1).abs() < 1e-14);
        }
        let ball = Convex::Ball { center: [1.0, 0.0, 0.0], radius: 2.0 };
        let around = PieceBox::around(&ball, &placement, 0.0);
        let center = placement.to_space([1.0, 0.0, 0.0]);
        assert!((0..3).all(|i| (around.high[i] - center[i] - 2.0).abs() < 1e-14));
    }
}
