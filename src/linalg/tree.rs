//! The elimination tree cut into what runs side by side.

use super::elimination::NONE;
use super::plan::{FactorPanel, Plan};
use super::sweep::Factor;

/// Subtrees with less than this share of the entries of L are one piece of work: small enough to
/// keep several threads busy, large enough to hide what starting one costs.
const SHARE: usize = 48;

/// Factors with fewer entries are swept by one thread: they take less time than waking a second.
const WORTH_A_TREE: usize = 1 << 20;

/// `true` for the panels whose subtree is too large to be one piece of work.
pub(super) fn trunk(plan: &Plan) -> Vec<bool> {
    let few = plan.entries() / SHARE;
    let mut entries: Vec<usize> = plan.panels.iter().map(FactorPanel::entries).collect();
    for at in 0..entries.len() {
        if plan.parent[at] != NONE {
            entries[plan.parent[at] as usize] += entries[at];
        }
    }
    entries.iter().map(|&entries| entries > few).collect()
}

/// A piece of work of a sweep: a panel of the trunk, or a whole branch. It works on a vector of its
/// own columns and the rows below its last panel, which are its parent's.
#[derive(Clone, Debug)]
struct Piece {
    panels: std::ops::Range<usize>,
    columns: usize,
    below: usize,
    /// Longest panel of a branch, which is gathered before it is swept.
    gather: usize,
    /// First piece of its subtree.
    first: usize,
    /// Where its vector starts.
    scratch_at: usize,
    /// Where the places of its rows in its parent's vector start.
    places_at: usize,
    /// Its columns: first of them, place in its vector, and number.
    runs: std::ops::Range<usize>,
}

impl Piece {
    fn scratch(&self) -> usize {
        self.columns + self.below + self.gather
    }

    fn is_branch(&self) -> bool {
        self.gather > 0
    }
}

/// The pieces of the sweeps, each subtree in one run directly before its parent.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pieces: Vec<Piece>,
    /// Children of each piece, and of all roots at the end: `children[child_starts[p]..]`.
    children: Vec<u32>,
    child_starts: Vec<usize>,
    /// For panels of branches: place of its first column and of its rows in the branch's vector.
    starts: Vec<u32>,
    rows: Vec<u32>,
    places: Vec<u32>,
    runs: Vec<[usize; 3]>,
}

impl Tree {
    /// Nothing for factors that are too small.
    pub fn new(plan: &Plan) -> Option<Self> {
        if plan.entries() < WORTH_A_TREE {
            return None;
        }
        let trunk = trunk(plan);
        let mut tree = Self {
            pieces: Vec::new(),
            children: Vec::new(),
            child_starts: vec![0],
            starts: vec![0; plan.panels.len()],
            rows: vec![0; plan.rows.len()],
            places: Vec::new(),
            runs: Vec::new(),
        };
        let mut scratch_at = 0;
        for root in 0..plan.panels.len() {
            let above = plan.parent[root];
            if !trunk[root] && above != NONE && !trunk[above as usize] {
                continue;
            }
            let first = if trunk[root] { root } else { plan.first[root] as usize };
            tree.add_piece(plan, first..root + 1, !trunk[root]);
            let piece = tree.pieces.last_mut().expect("just added");
            piece.scratch_at = scratch_at;
            scratch_at += piece.scratch();
        }
        tree.connect(plan);
        Some(tree)
    }

    fn add_piece(&mut self, plan: &Plan, panels: std::ops::Range<usize>, branch: bool) {
        let root = &plan.panels[panels.end - 1];
        let mut columns = 0;
        let runs_at = self.runs.len();
        for at in panels.clone() {
            let panel = &plan.panels[at];
            self.starts[at] = columns as u32;
            match self.runs[runs_at..].last_mut() {
                Some(run) if run[0] + run[2] == panel.start => run[2] += panel.columns,
                _ => self.runs.push([panel.start, columns, panel.columns]),
            }
            columns += panel.columns;
        }
        let longest = plan.panels[panels.clone()].iter().map(FactorPanel::height).max();
        self.pieces.push(Piece {
            columns,
            below: root.below,
            gather: if branch { longest.unwrap_or(0) } else { 0 },
            first: 0,
            scratch_at: 0,
            places_at: 0,
            runs: runs_at..self.runs.len(),
            panels,
        });
    }

    /// Children of pieces, and places of rows in the vector that holds them.
    fn connect(&mut self, plan: &Plan) {
        let mut place = vec![0u32; plan.size()];
        let mut piece_of_root = vec![NONE; plan.panels.len()];
        for (at, piece) in self.pieces.iter().enumerate() {
            piece_of_root[piece.panels.end - 1] = at as u32;
        }
        for at in 0..self.pieces.len() {
            let piece = self.pieces[at].clone();
            for &[column, to, count] in &self.runs[piece.runs.clone()] {
                (0..count).for_each(|k| place[column + k] = (to + k) as u32);
            }
            let root = piece.panels.end - 1;
            for (k, &row) in plan.rows[plan.panels[root].rows()].iter().enumerate() {
                place[row as usize] = (piece.columns + k) as u32;
            }
            if piece.is_branch() {
                for panel in &plan.panels[piece.panels.clone()] {
                    for k in panel.rows() {
                        self.rows[k] = place[plan.rows[k] as usize];
                    }
                }
            } else {
                let children = plan.children(root as u32);
                self.children.extend(children.iter().map(|&c| piece_of_root[c as usize]));
            }
            let children = self.children[self.child_starts[at]..].to_vec();
            self.child_starts.push(self.children.len());
            self.pieces[at].first = children.first().map_or(at, |&c| self.pieces[c as usize].first);
            for child in children {
                let child = &mut self.pieces[child as usize];
                child.places_at = self.places.len();
                let rows = &plan.rows[plan.panels[child.panels.end - 1].rows()];
                self.places.extend(rows.iter().map(|&row| place[row as usize]));
            }
        }
        let roots = plan.children(NONE);
        self.children.extend(roots.iter().map(|&root| piece_of_root[root as usize]));
    }

    pub fn bytes(&self) -> usize {
        4 * (self.starts.len() + self.rows.len() + self.places.len())
            + size_of::<Piece>() * self.pieces.len()
    }

    /// Numbers of scratch that a sweep needs.
    pub fn scratch(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.scratch_at + piece.scratch())
    }

    fn roots(&self) -> &[u32] {
        &self.children[self.child_starts[self.pieces.len()]..]
    }

    fn children(&self, piece: usize) -> &[u32] {
        &self.children[self.child_starts[piece]..self.child_starts[piece + 1]]
    }

    fn start_of_subtree(&self, piece: u32) -> usize {
        self.pieces[self.pieces[piece as usize].first].scratch_at
    }

    fn places(&self, piece: &Piece) -> &[u32] {
        &self.places[piece.places_at..][..piece.below]
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, factor: &Factor, x: &mut [f64], scratch: &mut [f64]) {
        self.down(factor, self.roots(), x, scratch);
        self.bring_back(x, scratch);
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, factor: &Factor, x: &mut [f64], scratch: &mut [f64]) {
        self.up(factor, self.roots(), x, &[], scratch);
        self.bring_back(x, scratch);
    }

    fn bring_back(&self, x: &mut [f64], scratch: &[f64]) {
        for piece in &self.pieces {
            for &[column, from, count] in &self.runs[piece.runs.clone()] {
                let vector = &scratch[piece.scratch_at + from..][..count];
                x[column..][..count].copy_from_slice(vector);
            }
        }
    }

    fn fetch(&self, piece: &Piece, x: &[f64], vector: &mut [f64]) {
        for &[column, to, count] in &self.runs[piece.runs.clone()] {
            vector[to..][..count].copy_from_slice(&x[column..][..count]);
        }
    }

    /// The subtrees of `roots`, whose vectors stand one after the other in `scratch`.
    fn down(&self, factor: &Factor, roots: &[u32], x: &[f64], scratch: &mut [f64]) {
        match roots {
            [] => {}
            [root] => self.down_subtree(factor, *root, x, scratch),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let cut = self.start_of_subtree(right[0]) - self.start_of_subtree(left[0]);
                let (left_scratch, right_scratch) = scratch.split_at_mut(cut);
                rayon::join(
                    || self.down(factor, left, x, left_scratch),
                    || self.down(factor, right, x, right_scratch),
                );
            }
        }
    }

    fn down_subtree(&self, factor: &Factor, root: u32, x: &[f64], scratch: &mut [f64]) {
        let piece = &self.pieces[root as usize];
        let start = self.start_of_subtree(root);
        let (before, own) = scratch.split_at_mut(piece.scratch_at - start);
        let children = self.children(root as usize);
        self.down(factor, children, x, before);
        let (vector, gather) = own[..piece.scratch()].split_at_mut(piece.columns + piece.below);
        self.fetch(piece, x, vector);
        vector[piece.columns..].fill(0.0);
        for &child in children {
            let child = &self.pieces[child as usize];
            let update = &before[child.scratch_at - start + child.columns..][..child.below];
            for (&place, update) in self.places(child).iter().zip(update) {
                vector[place as usize] += update;
            }
        }
        if !piece.is_branch() {
            let panel = &factor.panels()[piece.panels.start];
            return factor.dense(panel).forward(factor.arch(), vector);
        }
        for at in piece.panels.clone() {
            let panel = &factor.panels()[at];
            let rows = &self.rows[panel.rows()];
            factor.descend(panel, self.starts[at] as usize, rows, vector, gather);
        }
    }

    /// The subtrees of `roots`, below a piece whose vector is `above`.
    fn up(&self, factor: &Factor, roots: &[u32], x: &[f64], above: &[f64], scratch: &mut [f64]) {
        match roots {
            [] => {}
            [root] => self.up_subtree(factor, *root, x, above, scratch),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let cut = self.start_of_subtree(right[0]) - self.start_of_subtree(left[0]);
                let (left_scratch, right_scratch) = scratch.split_at_mut(cut);
                rayon::join(
                    || self.up(factor, left, x, above, left_scratch),
                    || self.up(factor, right, x, above, right_scratch),
                );
            }
        }
    }

    fn up_subtree(
        &self,
        factor: &Factor,
        root: u32,
        x: &[f64],
        above: &[f64],
        scratch: &mut [f64],
    ) {
        let piece = &self.pieces[root as usize];
        let start = self.start_of_subtree(root);
        let (before, own) = scratch.split_at_mut(piece.scratch_at - start);
        let (vector, gather) = own[..piece.scratch()].split_at_mut(piece.columns + piece.below);
        self.fetch(piece, x, vector);
        for (value, &place) in vector[piece.columns..].iter_mut().zip(self.places(piece)) {
            *value = above[place as usize];
        }
        if piece.is_branch() {
            for at in piece.panels.clone().rev() {
                let panel = &factor.panels()[at];
                let rows = &self.rows[panel.rows()];
                factor.climb(panel, self.starts[at] as usize, rows, vector, gather);
            }
        } else {
            let panel = &factor.panels()[piece.panels.start];
            factor.dense(panel).backward(factor.arch(), vector);
        }
        self.up(factor, self.children(root as usize), x, vector, before);
    }
}
