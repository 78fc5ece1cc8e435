//! Which nodes share an element.

/// Adjacency of nodes in compressed rows: each row holds the node itself and its neighbours,
/// ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeGraph {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

impl NodeGraph {
    /// Graph of `nodes` nodes in which the nodes of each of `elements` know each other.
    pub fn new<'a>(nodes: usize, elements: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut pairs_per_node = vec![1u32; nodes];
        for element in elements.clone() {
            for &a in element {
                pairs_per_node[a as usize] += element.len() as u32 - 1;
            }
        }
        let mut starts = vec![0u32; nodes + 1];
        for (node, count) in pairs_per_node.iter().enumerate() {
            starts[node + 1] = starts[node] + count;
        }
        let mut next = starts.clone();
        let mut with_repeats = vec![0u32; starts[nodes] as usize];
        let mut push = |a: u32, b: u32| {
            with_repeats[next[a as usize] as usize] = b;
            next[a as usize] += 1;
        };
        (0..nodes as u32).for_each(|node| push(node, node));
        for element in elements {
            for &a in element {
                element.iter().filter(|&&b| b != a).for_each(|&b| push(a, b));
            }
        }
        Self::from_rows(&starts, &mut with_repeats)
    }

    fn from_rows(starts: &[u32], with_repeats: &mut [u32]) -> Self {
        let mut offsets = vec![0];
        let mut neighbours = Vec::with_capacity(with_repeats.len() / 2);
        for row in starts.windows(2) {
            let row = &mut with_repeats[row[0] as usize..row[1] as usize];
            row.sort_unstable();
            let first = neighbours.len();
            for &node in row.iter() {
                if neighbours.len() == first || neighbours[neighbours.len() - 1] != node {
                    neighbours.push(node);
                }
            }
            offsets.push(neighbours.len() as u32);
        }
        Self { offsets, neighbours }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of entries: ordered pairs of adjacent nodes, and each node with itself.
    pub fn entries(&self) -> usize {
        self.neighbours.len()
    }

    /// Range of the entries of `node`.
    pub fn row(&self, node: usize) -> std::ops::Range<usize> {
        self.offsets[node] as usize..self.offsets[node + 1] as usize
    }

    /// The node itself and its neighbours, ascending.
    pub fn neighbours(&self, node: usize) -> &[u32] {
        &self.neighbours[self.row(node)]
    }

    /// Index of the entry (a, b); a and b must be adjacent.
    pub fn entry(&self, a: usize, b: u32) -> usize {
        let at = self.neighbours(a).binary_search(&b);
        self.row(a).start + at.expect("both nodes belong to one element of the graph")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_that_share_an_edge_know_each_others_corners() {
        let elements: [&[u32]; 2] = [&[0, 1, 2], &[1, 3, 2]];
        let graph = NodeGraph::new(4, elements.into_iter());
        let rows: Vec<&[u32]> = (0..4).map(|n| graph.neighbours(n)).collect();
        assert_eq!(rows, [&[0, 1, 2][..], &[0, 1, 2, 3], &[0, 1, 2, 3], &[1, 2, 3]]);
        assert_eq!(graph.entry(2, 3), 10);
    }
}
