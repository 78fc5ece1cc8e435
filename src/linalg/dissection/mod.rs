//! Nested dissection (George 1973) by multilevel vertex separators (Karypis, Kumar 1998), minimum
//! degree on the small pieces.
//!
//! Reproducible: the choices drawn at random come from the place in the recursion alone, not from
//! the thread that makes them.

mod coarsen;
mod graph;
mod leaf;
mod separator;

use super::NodeGraph;
use coarsen::coarsen;
use graph::{Graph, Sequence};
use leaf::minimum_degree;
use separator::{BETWEEN, Separator};

/// Pieces of at most this many nodes are ordered by minimum degree.
const LEAF: usize = 60;

/// Vertices of the coarsest graph.
const COARSEST: usize = 40;

/// Separators grown on the coarsest graph, of which the best is kept.
const SEEDS: usize = 4;

/// Separators computed for each piece from its finest graph on: two against one gain 1 to 2 % of L.
const RUNS: usize = 2;

/// Below this many vertices a separator costs little: several are computed from there on.
const CHEAP: usize = 1000;

/// How many.
const CHEAP_RUNS: usize = 5;

/// Pieces above this many nodes are dissected side by side.
const PARALLEL: usize = 2000;

/// Nested dissection order of the nodes not in `last`.
pub fn nested_dissection(graph: &NodeGraph, last: &[bool]) -> Vec<u32> {
    let nodes: Vec<u32> = (0..graph.nodes() as u32).filter(|&n| !last[n as usize]).collect();
    let mut position = vec![u32::MAX; graph.nodes()];
    nodes.iter().enumerate().for_each(|(at, &node)| position[node as usize] = at as u32);
    let (mut offsets, mut neighbours) = (vec![0], Vec::with_capacity(graph.entries()));
    for &node in &nodes {
        let others = graph.neighbours(node as usize).iter().filter(|&&other| other != node);
        let inside = others.map(|&other| position[other as usize]).filter(|&at| at != u32::MAX);
        neighbours.extend(inside);
        offsets.push(neighbours.len() as u32);
    }
    let edge_weights = vec![1; neighbours.len()];
    let weights = vec![1; nodes.len()];
    let piece = Graph { offsets, neighbours, edge_weights, weights };
    let mut order = vec![0; nodes.len()];
    dissect(graph, piece, nodes, Sequence(1), &mut order);
    order
}

/// Orders the `nodes` of `piece` into `order`: one side, the other side, what is between.
fn dissect(
    whole: &NodeGraph,
    piece: Graph,
    nodes: Vec<u32>,
    mut sequence: Sequence,
    order: &mut [u32],
) {
    if nodes.len() <= LEAF {
        order.copy_from_slice(&minimum_degree(whole, &nodes));
        return;
    }
    let separator = best_of(RUNS, &piece, &mut sequence);
    let on = |side: u8| -> Vec<u32> {
        (0..nodes.len() as u32).filter(|&v| separator.side[v as usize] == side).collect()
    };
    let (left, right, between) = (on(0), on(1), on(BETWEEN));
    let (ahead, tail) = order.split_at_mut(left.len() + right.len());
    between.iter().zip(tail).for_each(|(&v, slot)| *slot = nodes[v as usize]);
    let mut place = vec![0; nodes.len()];
    let mut part = |side: &[u32]| {
        let graph = piece.subgraph(side, &mut place);
        (graph, side.iter().map(|&v| nodes[v as usize]).collect::<Vec<u32>>())
    };
    let (left_part, right_part) = (part(&left), part(&right));
    let seeds = (Sequence(sequence.next()), Sequence(sequence.next()));
    let parallel = nodes.len() > PARALLEL;
    drop((piece, nodes));
    let (left_order, right_order) = ahead.split_at_mut(left.len());
    let go_left = || dissect(whole, left_part.0, left_part.1, seeds.0, left_order);
    let go_right = || dissect(whole, right_part.0, right_part.1, seeds.1, right_order);
    if parallel {
        rayon::join(go_left, go_right);
    } else {
        go_left();
        go_right();
    }
}

/// The best of several separators drawn independently.
fn best_of(runs: usize, graph: &Graph, sequence: &mut Sequence) -> Separator {
    let tried = (0..runs).map(|_| separate(graph, sequence));
    tried.min_by_key(Separator::cost).expect("at least one run")
}

/// A separator by coarsening, cutting the coarsest graph and refining on the way back.
fn separate(graph: &Graph, sequence: &mut Sequence) -> Separator {
    let total = graph.total_weight();
    let heaviest_side = total * 6 / 10;
    if graph.len() > COARSEST {
        let heaviest_vertex = (total * 3 / (2 * COARSEST as u64)).max(2) as u32;
        let coarser = coarsen(graph, heaviest_vertex, sequence);
        if coarser.graph.len() * 20 < graph.len() * 19 {
            let crossing = graph.len() >= CHEAP && coarser.graph.len() < CHEAP;
            let runs = if crossing { CHEAP_RUNS } else { 1 };
            let coarse = best_of(runs, &coarser.graph, sequence);
            let projected = Separator::projected(&coarse, &coarser.vertex_of);
            return projected.refine(graph, heaviest_side);
        }
    }
    let grown = (0..SEEDS).map(|_| {
        let seed = sequence.below(graph.len()) as u32;
        Separator::grown(graph, seed, sequence).refine(graph, heaviest_side)
    });
    grown.min_by_key(Separator::cost).expect("at least one seed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(side: u32) -> NodeGraph {
        let at = |x: u32, y: u32, z: u32| (z * side + y) * side + x;
        let mut cells = Vec::new();
        for z in 0..side - 1 {
            for y in 0..side - 1 {
                for x in 0..side - 1 {
                    let corner = |c: u32| at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
                    cells.push(std::array::from_fn::<u32, 8, _>(|c| corner(c as u32)));
                }
            }
        }
        NodeGraph::new((side * side * side) as usize, cells.iter().map(|cell| &cell[..]))
    }

    fn loose(graph: &NodeGraph) -> Graph {
        let mut piece = Graph {
            offsets: vec![0],
            neighbours: Vec::new(),
            edge_weights: Vec::new(),
            weights: vec![1; graph.nodes()],
        };
        for node in 0..graph.nodes() {
            let others = graph.neighbours(node).iter().filter(|&&other| other as usize != node);
            piece.neighbours.extend(others);
            piece.offsets.push(piece.neighbours.len() as u32);
        }
        piece.edge_weights = vec![1; piece.neighbours.len()];
        piece
    }

    /// A plane of nodes through the middle is the best there is: 14² = 196; slanted ones have 280.
    #[test]
    fn a_separator_of_a_cube_is_close_to_a_plane_and_no_edge_crosses_it() {
        let graph = cube(14);
        let piece = loose(&graph);
        let separator = best_of(RUNS, &piece, &mut Sequence(1));
        assert!(separator.weight[2] <= 280, "{:?}", separator.weight);
        assert!(separator.weight[0].max(separator.weight[1]) <= 14 * 14 * 14 * 6 / 10);
        for v in 0..piece.len() as u32 {
            for &u in piece.neighbours(v) {
                let sides = (separator.side[v as usize], separator.side[u as usize]);
                assert!(!matches!(sides, (0, 1) | (1, 0)), "edge {v}-{u} crosses");
            }
        }
    }

    #[test]
    fn a_graph_in_many_pieces_is_ordered_whole() {
        let pairs: Vec<[u32; 2]> = (0..500).map(|k| [2 * k, 2 * k + 1]).collect();
        let graph = NodeGraph::new(1000, pairs.iter().map(|pair| &pair[..]));
        let mut order = nested_dissection(&graph, &[false; 1000]);
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<u32>>());
    }

    #[test]
    fn the_order_is_the_same_for_any_number_of_threads() {
        let graph = cube(15);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("a small pool");
            pool.install(|| nested_dissection(&graph, &vec![false; graph.nodes()]))
        };
        assert_eq!(with(1), with(3));
    }
}
