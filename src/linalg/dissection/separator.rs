//! Vertex separators: grown from a seed and refined by moves (Fiduccia, Mattheyses 1982; for
//! vertices: Ashcraft, Liu 1997).

use std::collections::BinaryHeap;

use super::graph::{Graph, Sequence};

/// Where a vertex is: on one of the two sides, or between them.
pub const BETWEEN: u8 = 2;

/// No edge joins the two sides.
#[derive(Clone, Debug)]
pub struct Separator {
    /// 0, 1 or [`BETWEEN`], per vertex.
    pub side: Vec<u8>,
    /// Weight of each side and of what is between.
    pub weight: [u64; 3],
}

/// Smaller is better: the separator first, then the heavier side.
type Cost = (u64, u64);

impl Separator {
    /// The separator of a coarser graph, on the finer one.
    pub fn projected(coarse: &Self, vertex_of: &[u32]) -> Self {
        let side = vertex_of.iter().map(|&v| coarse.side[v as usize]).collect();
        Self { side, weight: coarse.weight }
    }

    /// Grows side 0 from `seed` until it is as heavy as what remains of side 1, always by the
    /// vertex that adds least to the separator.
    pub fn grown(graph: &Graph, seed: u32, sequence: &mut Sequence) -> Self {
        let mut refinement = Refinement::new(graph, Self::nothing(graph));
        let total = graph.total_weight();
        let mut next = Some(seed);
        while let Some(v) = next {
            refinement.put(v);
            while 2 * refinement.separator.weight[0] + refinement.separator.weight[2] < total {
                match refinement.best_towards(0) {
                    Some((_, v)) => refinement.shift(v, 0),
                    None => break,
                }
            }
            let weight = refinement.separator.weight;
            let enough = 2 * weight[0] + weight[2] >= total || weight[1] == 0;
            next = if enough { None } else { refinement.any_on_side_1(sequence) };
        }
        refinement.separator
    }

    fn nothing(graph: &Graph) -> Self {
        Self { side: vec![1; graph.len()], weight: [0, graph.total_weight(), 0] }
    }

    /// Weight of what is between, dearer the more the sides differ: both are dissected further, and
    /// uneven pieces cost more there than a slightly heavier separator costs here.
    pub fn cost(&self) -> Cost {
        let heavier = self.weight[0].max(self.weight[1]);
        let total: u64 = self.weight.iter().sum();
        let off = (2 * heavier).saturating_sub(total) as u128;
        let scale = 4 * u128::from(total).pow(2);
        let dearer = 1000 * u128::from(self.weight[2]) * (scale + 3 * off * off) / scale.max(1);
        (dearer as u64, heavier)
    }

    /// Moves vertices out of the separator, their neighbours across into it, as long as passes of
    /// such moves make it lighter; neither side grows above `heaviest`.
    pub fn refine(self, graph: &Graph, heaviest: u64) -> Self {
        let mut refinement = Refinement::new(graph, self);
        for _ in 0..PASSES {
            if !refinement.pass(heaviest) {
                break;
            }
        }
        refinement.separator
    }
}

/// Passes after which refinement hardly ever gains.
const PASSES: usize = 10;

/// Moves without gain after which a pass on n vertices gives up.
fn patience(n: usize) -> usize {
    (20 + n / 10).min(1000)
}

/// A candidate move in a queue: the gain it had when it was queued, and the vertex.
type Move = (i64, u32);

struct Refinement<'a> {
    graph: &'a Graph,
    separator: Separator,
    /// Weight of the neighbours on each side, for vertices of the separator.
    facing: Vec<[i64; 2]>,
    /// Moves towards each side; those whose gain has changed since are stale.
    queues: [BinaryHeap<Move>; 2],
    /// Pass in which the vertex left the separator.
    left_in: Vec<u32>,
    pass: u32,
    /// Moves of this pass, with the number of vertices that each pulled in.
    moves: Vec<(u32, u8, u32)>,
    pulled: Vec<u32>,
}

impl<'a> Refinement<'a> {
    fn new(graph: &'a Graph, separator: Separator) -> Self {
        Self {
            graph,
            facing: vec![[0; 2]; graph.len()],
            queues: [BinaryHeap::new(), BinaryHeap::new()],
            left_in: vec![0; graph.len()],
            pass: 0,
            moves: Vec::new(),
            pulled: Vec::new(),
            separator,
        }
    }

    fn weight(&self, v: u32) -> i64 {
        i64::from(self.graph.weights[v as usize])
    }

    /// By how much the separator gets lighter if `v` leaves it for `side`.
    fn gain(&self, v: u32, side: usize) -> i64 {
        self.weight(v) - self.facing[v as usize][1 - side]
    }

    fn queue(&mut self, v: u32, side: usize) {
        if self.left_in[v as usize] != self.pass || self.pass == 0 {
            self.queues[side].push((self.gain(v, side), v));
        }
    }

    /// Computes what `v` faces now that it is in the separator, and queues its moves.
    fn enter(&mut self, v: u32) {
        let mut facing = [0; 2];
        for &u in self.graph.neighbours(v) {
            if let Some(sum) = facing.get_mut(self.separator.side[u as usize] as usize) {
                *sum += i64::from(self.graph.weights[u as usize]);
            }
        }
        self.facing[v as usize] = facing;
        self.queue(v, 0);
        self.queue(v, 1);
    }

    fn relabel(&mut self, v: u32, side: u8) {
        let weight = u64::from(self.graph.weights[v as usize]);
        let label = &mut self.separator.side[v as usize];
        self.separator.weight[*label as usize] -= weight;
        self.separator.weight[side as usize] += weight;
        *label = side;
    }

    /// Best current move towards `side`, left in its queue.
    fn best_towards(&mut self, side: usize) -> Option<Move> {
        while let Some(&(gain, v)) = self.queues[side].peek() {
            let waiting = self.separator.side[v as usize] == BETWEEN
                && (self.left_in[v as usize] != self.pass || self.pass == 0);
            if waiting && gain == self.gain(v, side) {
                return Some((gain, v));
            }
            self.queues[side].pop();
        }
        None
    }

    /// Moves `v` out of the separator to `side`, and its neighbours across into it.
    fn shift(&mut self, v: u32, side: u8) {
        let (graph, near, far) = (self.graph, side as usize, 1 - side as usize);
        self.relabel(v, side);
        self.left_in[v as usize] = self.pass;
        let first_pulled = self.pulled.len();
        for &u in graph.neighbours(v) {
            match self.separator.side[u as usize] {
                BETWEEN => {
                    self.facing[u as usize][near] += self.weight(v);
                    self.queue(u, far);
                }
                other if other as usize == far => self.pulled.push(u),
                _ => {}
            }
        }
        for at in first_pulled..self.pulled.len() {
            let u = self.pulled[at];
            self.relabel(u, BETWEEN);
            for &other in graph.neighbours(u) {
                if self.separator.side[other as usize] == BETWEEN {
                    self.facing[other as usize][far] -= self.weight(u);
                    self.queue(other, near);
                }
            }
            self.enter(u);
        }
        self.moves.push((v, side, (self.pulled.len() - first_pulled) as u32));
    }

    /// Takes the last move back; the queues are left as they are.
    fn take_back(&mut self) {
        let Some((v, side, count)) = self.moves.pop() else { return };
        for _ in 0..count {
            let u = self.pulled.pop().expect("every move tells what it pulled");
            self.relabel(u, 1 - side);
        }
        self.relabel(v, BETWEEN);
    }

    /// One pass; `true` if the separator has got better.
    fn pass(&mut self, heaviest: u64) -> bool {
        self.pass += 1;
        self.queues.iter_mut().for_each(BinaryHeap::clear);
        self.moves.clear();
        self.pulled.clear();
        for v in 0..self.graph.len() as u32 {
            if self.separator.side[v as usize] == BETWEEN {
                self.enter(v);
            }
        }
        let before = self.cost(heaviest);
        let (mut best, mut best_at) = (before, 0);
        let patience = patience(self.graph.len());
        while self.moves.len() < best_at + patience {
            let Some((v, side)) = self.choose(heaviest) else { break };
            self.shift(v, side);
            let now = self.cost(heaviest);
            if now < best {
                (best, best_at) = (now, self.moves.len());
            }
        }
        while self.moves.len() > best_at {
            self.take_back();
        }
        best < before
    }

    /// What is too heavy counts before all else.
    fn cost(&self, heaviest: u64) -> (u64, Cost) {
        let cost = self.separator.cost();
        (cost.1.saturating_sub(heaviest), cost)
    }

    fn choose(&mut self, heaviest: u64) -> Option<(u32, u8)> {
        let moves = [self.best_towards(0), self.best_towards(1)];
        let weight = self.separator.weight;
        let lighter = usize::from(weight[1] < weight[0]);
        let fits = |side: usize| {
            let fitting = |&(_, v): &Move| {
                weight[side] + u64::from(self.graph.weights[v as usize]) <= heaviest
                    || side == lighter
            };
            moves[side].filter(fitting)
        };
        let candidates = [fits(0), fits(1)];
        let side = match (candidates[0], candidates[1]) {
            (None, None) => return None,
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (Some((a, _)), Some((b, _))) if a == b => lighter,
            (Some((a, _)), Some((b, _))) => usize::from(b > a),
        };
        candidates[side].map(|(_, v)| (v, side as u8))
    }

    /// Takes `v` from side 1 into the separator and on to side 0.
    fn put(&mut self, v: u32) {
        self.relabel(v, BETWEEN);
        self.enter(v);
        self.shift(v, 0);
    }

    fn any_on_side_1(&self, sequence: &mut Sequence) -> Option<u32> {
        let n = self.graph.len();
        let from = sequence.below(n);
        let around = (from..n).chain(0..from);
        around.map(|v| v as u32).find(|&v| self.separator.side[v as usize] == 1)
    }
}
