//! Coarsening: vertices joined in pairs along heavy edges (Karypis, Kumar 1998).

use super::graph::{Graph, Sequence};

const FREE: u32 = u32::MAX;

/// A graph with fewer vertices, and the coarse vertex of each fine one.
pub struct Coarser {
    pub graph: Graph,
    pub vertex_of: Vec<u32>,
}

/// Joins the vertices of a matching of `fine`; no joined vertex is heavier than `heaviest`.
pub fn coarsen(fine: &Graph, heaviest: u32, sequence: &mut Sequence) -> Coarser {
    let partner = match_heavy_edges(fine, heaviest, sequence);
    let mut vertex_of = vec![FREE; fine.len()];
    let mut pairs = Vec::with_capacity(fine.len());
    for v in 0..fine.len() as u32 {
        if vertex_of[v as usize] == FREE {
            let other = partner[v as usize];
            vertex_of[v as usize] = pairs.len() as u32;
            vertex_of[other as usize] = pairs.len() as u32;
            pairs.push((v, other));
        }
    }
    let graph = contract(fine, &pairs, &vertex_of);
    Coarser { graph, vertex_of }
}

/// Partner of each vertex, itself where it stays alone: vertices of low degree choose first, since
/// they have the fewest to choose from, and among equal edges the lightest neighbour is taken.
fn match_heavy_edges(graph: &Graph, heaviest: u32, sequence: &mut Sequence) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    sequence.shuffle(&mut order);
    order.sort_by_key(|&v| graph.degree(v));
    let mut partner = vec![FREE; graph.len()];
    for &v in &order {
        if partner[v as usize] != FREE {
            continue;
        }
        let room = heaviest.saturating_sub(graph.weights[v as usize]);
        let mut best = (0, u32::MAX, v);
        for (u, edge) in graph.edges(v) {
            let weight = graph.weights[u as usize];
            let free = partner[u as usize] == FREE && weight <= room;
            if free && (edge > best.0 || edge == best.0 && weight < best.1) {
                best = (edge, weight, u);
            }
        }
        partner[v as usize] = best.2;
        partner[best.2 as usize] = v;
    }
    partner
}

fn contract(fine: &Graph, pairs: &[(u32, u32)], vertex_of: &[u32]) -> Graph {
    let mut coarse = Graph {
        offsets: Vec::with_capacity(pairs.len() + 1),
        neighbours: Vec::with_capacity(fine.neighbours.len() / 2),
        edge_weights: Vec::with_capacity(fine.neighbours.len() / 2),
        weights: Vec::with_capacity(pairs.len()),
    };
    coarse.offsets.push(0);
    // Where the row under way has its edge to a coarse vertex.
    let mut edge_to = vec![FREE; pairs.len()];
    for (at, &(a, b)) in pairs.iter().enumerate() {
        let first = coarse.neighbours.len();
        let members = if a == b { &[a][..] } else { &[a, b] };
        let mut weight = 0;
        for &v in members {
            weight += fine.weights[v as usize];
            for (u, edge) in fine.edges(v) {
                let other = vertex_of[u as usize];
                if other as usize == at {
                    continue;
                }
                let known = edge_to[other as usize];
                if known == FREE {
                    edge_to[other as usize] = coarse.neighbours.len() as u32;
                    coarse.neighbours.push(other);
                    coarse.edge_weights.push(edge);
                } else {
                    coarse.edge_weights[known as usize] += edge;
                }
            }
        }
        coarse.neighbours[first..].iter().for_each(|&other| edge_to[other as usize] = FREE);
        coarse.weights.push(weight);
        coarse.offsets.push(coarse.neighbours.len() as u32);
    }
    coarse
}
