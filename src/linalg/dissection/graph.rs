//! The weighted graphs that dissection coarsens and cuts.

/// Adjacency in compressed rows without loops, with weights of vertices and edges.
#[derive(Clone, Debug)]
pub struct Graph {
    pub offsets: Vec<u32>,
    pub neighbours: Vec<u32>,
    pub edge_weights: Vec<u32>,
    pub weights: Vec<u32>,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.row(v)]
    }

    /// Neighbours of `v` with the weights of the edges to them.
    pub fn edges(&self, v: u32) -> impl Iterator<Item = (u32, u32)> {
        let row = self.row(v);
        let weights = self.edge_weights[row.clone()].iter().copied();
        self.neighbours[row].iter().copied().zip(weights)
    }

    pub fn degree(&self, v: u32) -> usize {
        self.row(v).len()
    }

    pub fn total_weight(&self) -> u64 {
        self.weights.iter().map(|&w| u64::from(w)).sum()
    }

    fn row(&self, v: u32) -> std::ops::Range<usize> {
        self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize
    }

    /// The subgraph on `vertices`; `place` is scratch, one per vertex.
    pub fn subgraph(&self, vertices: &[u32], place: &mut [u32]) -> Self {
        place.fill(u32::MAX);
        vertices.iter().enumerate().for_each(|(at, &v)| place[v as usize] = at as u32);
        let mut sub = Self {
            offsets: vec![0],
            neighbours: Vec::new(),
            edge_weights: Vec::new(),
            weights: vertices.iter().map(|&v| self.weights[v as usize]).collect(),
        };
        for &v in vertices {
            for (u, weight) in self.edges(v) {
                if place[u as usize] != u32::MAX {
                    sub.neighbours.push(place[u as usize]);
                    sub.edge_weights.push(weight);
                }
            }
            sub.offsets.push(sub.neighbours.len() as u32);
        }
        sub
    }
}

/// A reproducible sequence of well-mixed numbers (SplitMix, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Sequence(pub u64);

impl Sequence {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn shuffle(&mut self, items: &mut [u32]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
