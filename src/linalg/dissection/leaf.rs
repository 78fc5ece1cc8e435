//! Minimum degree on the small pieces that dissection leaves, with what surrounds them.

use super::super::NodeGraph;

/// Order of `nodes` in which each has the fewest neighbours when its turn comes; the neighbours
/// outside `nodes` come later and count, so a node on the rim is not taken for a cheap one.
///
/// Exact degrees: on so few nodes a row of the elimination graph is a handful of words of bits.
pub fn minimum_degree(graph: &NodeGraph, nodes: &[u32]) -> Vec<u32> {
    let mut rows = BitRows::new(graph, nodes);
    let mut waiting: Vec<u32> = (0..nodes.len() as u32).collect();
    let mut order = Vec::with_capacity(nodes.len());
    let mut pivot_row = vec![0u64; rows.words];
    while !waiting.is_empty() {
        let at = (0..waiting.len()).min_by_key(|&at| rows.degrees[waiting[at] as usize]);
        let pivot = waiting.swap_remove(at.expect("some are waiting"));
        order.push(nodes[pivot as usize]);
        pivot_row.copy_from_slice(rows.row(pivot));
        rows.eliminate(pivot, &pivot_row, &waiting);
    }
    order
}

/// Elimination graph of the leaf: a row of bits per node, a column per node and per neighbour.
struct BitRows {
    words: usize,
    bits: Vec<u64>,
    degrees: Vec<u32>,
    /// Column of each node.
    own: Vec<usize>,
}

impl BitRows {
    fn new(graph: &NodeGraph, nodes: &[u32]) -> Self {
        let around = |node: &u32| graph.neighbours(*node as usize);
        let mut columns: Vec<u32> = nodes.iter().flat_map(around).copied().collect();
        columns.sort_unstable();
        columns.dedup();
        let column = |node: &u32| columns.binary_search(node).expect("it is its own neighbour");
        let words = columns.len().div_ceil(64).max(1); // there may be no nodes at all
        let mut bits = vec![0u64; words * nodes.len()];
        for (row, node) in bits.chunks_exact_mut(words).zip(nodes) {
            around(node).iter().map(column).for_each(|c| row[c / 64] |= 1 << (c % 64));
        }
        let degrees = nodes.iter().map(|node| around(node).len() as u32).collect();
        let own = nodes.iter().map(column).collect();
        Self { words, bits, degrees, own }
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.bits[row as usize * self.words..][..self.words]
    }

    /// Joins the neighbours of `pivot` that are still waiting, and takes it out of their rows.
    fn eliminate(&mut self, pivot: u32, pivot_row: &[u64], waiting: &[u32]) {
        let column = self.own[pivot as usize];
        let (word, bit) = (column / 64, 1u64 << (column % 64));
        for &other in waiting {
            let row = &mut self.bits[other as usize * self.words..][..self.words];
            if row[word] & bit != 0 {
                row.iter_mut().zip(pivot_row).for_each(|(a, b)| *a |= b);
                row[word] &= !bit;
                self.degrees[other as usize] = row.iter().map(|w| w.count_ones()).sum();
            }
        }
    }
}
