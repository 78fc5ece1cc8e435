//! A tree of boxes around triangles, to find the nearest one.

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundingBox {
    pub low: [f64; 3],
    pub high: [f64; 3],
}

impl BoundingBox {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// Around points.
    pub(super) fn around(points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        points.into_iter().fold(Self::EMPTY, |bounds, p| bounds.join(&Self { low: p, high: p }))
    }

    fn join(&self, other: &Self) -> Self {
        Self {
            low: [0, 1, 2].map(|i| self.low[i].min(other.low[i])),
            high: [0, 1, 2].map(|i| self.high[i].max(other.high[i])),
        }
    }

    pub(super) fn contains(&self, x: [f64; 3]) -> bool {
        (0..3).all(|i| self.low[i] <= x[i] && x[i] <= self.high[i])
    }

    /// Edges.
    pub(super) fn size(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| self.high[i] - self.low[i])
    }

    pub(super) fn middle(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| 0.5 * (self.low[i] + self.high[i]))
    }

    fn square_distance(&self, x: [f64; 3]) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let beyond = (self.low[i] - x[i]).max(x[i] - self.high[i]).max(0.0);
            sum += beyond * beyond;
        }
        sum
    }
}

/// A node: a leaf of `count` triangles from `first` on, or `count` = 0 and two children, the next
/// node and node `first`.
#[derive(Clone, Debug)]
struct Node {
    bounds: BoundingBox,
    first: u32,
    count: u32,
}

/// Triangles of a leaf, at most.
const LEAF: usize = 4;
/// Halving 2³² triangles goes no deeper.
const DEPTH: usize = 32;

/// The tree, its nodes in the order of a walk.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
}

impl BoxTree {
    /// The tree over boxes, and the order in which it wants what they stand for.
    pub(super) fn new(boxes: &[BoundingBox]) -> (Self, Vec<u32>) {
        assert!(!boxes.is_empty(), "a tree needs something to stand on");
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len());
        grow(boxes, &mut order, 0, &mut nodes);
        (Self { nodes }, order)
    }

    /// Around everything.
    pub(super) fn bounds(&self) -> &BoundingBox {
        &self.nodes[0].bounds
    }

    /// The one with the least `square_distance` to x; the first one if x is not a number.
    pub(super) fn nearest(&self, x: [f64; 3], square_distance: impl Fn(usize) -> f64) -> usize {
        let mut waiting = [(0usize, 0f64); DEPTH];
        let (mut top, mut at) = (0, 0);
        let (mut best, mut least) = (0, f64::INFINITY);
        loop {
            let node = &self.nodes[at];
            if node.count == 0 {
                let child = |at: usize| (at, self.nodes[at].bounds.square_distance(x));
                let (mut near, mut far) = (child(at + 1), child(node.first as usize));
                if far.1 < near.1 {
                    std::mem::swap(&mut near, &mut far);
                }
                if far.1 < least {
                    waiting[top] = far;
                    top += 1;
                }
                if near.1 < least {
                    at = near.0;
                    continue;
                }
            }
            for i in node.first as usize..(node.first + node.count) as usize {
                let square = square_distance(i);
                if square < least {
                    (best, least) = (i, square);
                }
            }
            at = loop {
                if top == 0 {
                    return best;
                }
                top -= 1;
                if waiting[top].1 < least {
                    break waiting[top].0;
                }
            };
        }
    }
}

/// Appends the nodes over `order`, which stands at `first` in the whole: halved at the median along
/// the longest edge of the box around the middles.
fn grow(boxes: &[BoundingBox], order: &mut [u32], first: usize, nodes: &mut Vec<Node>) {
    let of = |&i: &u32| &boxes[i as usize];
    let bounds = order.iter().map(of).fold(BoundingBox::EMPTY, |all, one| all.join(one));
    let at = nodes.len();
    nodes.push(Node { bounds, first: first as u32, count: order.len() as u32 });
    if order.len() <= LEAF {
        return;
    }
    let size = BoundingBox::around(order.iter().map(|i| of(i).middle())).size();
    let axis = (1..3).fold(0, |axis, i| if size[i] > size[axis] { i } else { axis });
    let half = order.len() / 2;
    let place = |i: &u32| of(i).middle()[axis];
    order.select_nth_unstable_by(half, |i, j| place(i).total_cmp(&place(j)).then(i.cmp(j)));
    let (left, right) = order.split_at_mut(half);
    grow(boxes, left, first, nodes);
    nodes[at].first = nodes.len() as u32;
    nodes[at].count = 0;
    grow(boxes, right, first + half, nodes);
}

#[cfg(test)]
mod tests {
    use super::super::probe::Random;
    use super::*;
    use crate::vector::{dot, minus, times};

    /// The same numbers are compared, so the same one is found, ties aside.
    #[test]
    fn the_tree_finds_the_nearest_of_random_points() {
        let mut random = Random::new(13);
        for count in [1, 2, 4, 5, 9, 100, 1000] {
            let points: Vec<[f64; 3]> = (0..count).map(|_| random.point()).collect();
            let boxes: Vec<BoundingBox> =
                points.iter().map(|&p| BoundingBox::around([p])).collect();
            let (tree, order) = BoxTree::new(&boxes);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(i, &j)| i == j as usize));
            for _ in 0..200 {
                let x = times(1.5, random.point());
                let square = |i: usize| dot(minus(x, points[i]), minus(x, points[i]));
                let found = order[tree.nearest(x, |i| square(order[i] as usize))] as usize;
                let least = (0..count).map(square).fold(f64::INFINITY, f64::min);
                assert_eq!(square(found), least);
            }
        }
    }

    #[test]
    fn equal_points_make_a_tree_that_ends() {
        let boxes = vec![BoundingBox::around([[1.0; 3]]); 1000];
        let (tree, _) = BoxTree::new(&boxes);
        assert!(tree.nearest([0.0; 3], |i| (1000 - i) as f64) == 999);
        assert_eq!(tree.nearest([f64::NAN; 3], |_| f64::NAN), 0);
    }
}
