//! What the factor of a matrix will hold and cost, from its pattern alone.

use std::ops::Range;

use super::UpperColumns;
use super::elimination::{
    ColumnPattern, NONE, column_counts, elimination_tree, postorder, transpose,
};
use super::tree::trunk;

/// Columns `start..start + columns` of L that share the rows below their triangle.
#[derive(Clone, Debug)]
pub(super) struct FactorPanel {
    /// First column.
    pub start: usize,
    /// Number of columns.
    pub columns: usize,
    /// Where its row indices start.
    pub rows_at: usize,
    /// Number of rows below the triangle.
    pub below: usize,
    /// Where its values start: column-major, triangle first, then the rows below.
    pub values_at: usize,
}

impl FactorPanel {
    /// Distance between its columns.
    pub fn height(&self) -> usize {
        self.columns + self.below
    }

    pub fn entries(&self) -> usize {
        self.columns * (self.columns + 1) / 2 + self.columns * self.below
    }

    pub fn rows(&self) -> Range<usize> {
        self.rows_at..self.rows_at + self.below
    }

    pub fn values(&self) -> Range<usize> {
        self.values_at..self.values_at + self.columns * self.height()
    }
}

/// The panels of L in the order in which they are eliminated, the panels a panel updates above it:
/// each subtree stands in one piece, directly before its parent.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) trailing: usize,
    pub(super) panels: Vec<FactorPanel>,
    pub(super) rows: Vec<u32>,
    /// Parent of each panel, [`NONE`] for a root.
    pub(super) parent: Vec<u32>,
    /// First panel of the subtree of each panel.
    pub(super) first: Vec<u32>,
    /// Rows of the matrix below its diagonal, and where the upper columns have their values.
    pub(super) lower: ColumnPattern,
    entries_of_matrix: usize,
    /// Most numbers that wait on the stack of a branch, by its last panel; 0 for other panels.
    stacks: Vec<usize>,
    /// Most numbers in the updates that wait for a panel of the trunk.
    waiting: usize,
    /// Entries of L with none added to make panels wider.
    entries_needed: usize,
}

impl Plan {
    /// Plans the factor of matrices with the pattern of `matrix`; columns from `trailing` on stay
    /// apart so that they can be swept on their own.
    pub fn new(matrix: &UpperColumns, trailing: usize) -> Self {
        let parent = elimination_tree(&matrix.starts, &matrix.rows);
        let lower = transpose(&matrix.starts, &matrix.rows);
        let counts = column_counts(&lower, &parent, &postorder(&parent));
        let groups = fundamental(&parent, &counts, trailing);
        let groups = widened(groups, &parent, &counts, trailing);
        let mut plan = Self {
            trailing,
            panels: Vec::with_capacity(groups.len()),
            rows: Vec::new(),
            parent: vec![NONE; groups.len()],
            first: Vec::with_capacity(groups.len()),
            lower,
            entries_of_matrix: matrix.rows.len(),
            stacks: Vec::new(),
            waiting: 0,
            entries_needed: counts.iter().map(|&count| count as usize).sum(),
        };
        plan.lay_out(&groups, &parent);
        (plan.stacks, plan.waiting) = plan.most_waiting();
        plan
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.lower.starts.len() - 1
    }

    /// Entries of L that a sweep reads; with the zeros that make panels wider.
    pub fn entries(&self) -> usize {
        self.panels.iter().map(FactorPanel::entries).sum()
    }

    /// Entries of L that are not zero by its pattern.
    pub fn entries_needed(&self) -> usize {
        self.entries_needed
    }

    /// Multiplications and additions of the factorisation.
    pub fn flops(&self) -> f64 {
        let of_panel = |panel: &FactorPanel| -> f64 {
            (0..panel.columns).map(|j| ((panel.height() - j) as f64).powi(2)).sum()
        };
        self.panels.iter().map(of_panel).sum()
    }

    /// Bytes of the factor.
    pub fn bytes_held(&self) -> usize {
        let panels = size_of::<FactorPanel>() + 2 * size_of::<u32>();
        8 * self.value_count() + 4 * self.rows.len() + panels * self.panels.len()
    }

    /// Most bytes in use while the factor is computed: its own, the updates that wait for their
    /// parent with the threads there are now, and the pattern. Known before any of it is allocated.
    pub fn bytes(&self) -> usize {
        let pattern = 8 * self.lower.starts.len() + 8 * self.entries_of_matrix;
        self.bytes_held() + 8 * self.waiting() + pattern
    }

    /// Most numbers that wait at a time, with as many threads as there are now: every thread may
    /// have the stack of one branch.
    pub(super) fn waiting(&self) -> usize {
        let mut stacks = self.stacks.clone();
        stacks.sort_unstable_by(|a, b| b.cmp(a));
        self.waiting + stacks.iter().take(rayon::current_num_threads()).sum::<usize>()
    }

    /// Most numbers on the stack of the branch that ends with `root`.
    pub(super) fn stack(&self, root: u32) -> usize {
        self.stacks[root as usize]
    }

    pub(super) fn value_count(&self) -> usize {
        self.panels.last().map_or(0, |panel| panel.values().end)
    }

    /// Entries of the matrix, to tell a matrix with another pattern.
    pub(super) fn entries_of_matrix(&self) -> usize {
        self.entries_of_matrix
    }

    /// Children of a panel, ascending; of the roots for [`NONE`].
    pub(super) fn children(&self, panel: u32) -> Vec<u32> {
        let (from, end) = match panel {
            NONE => (0, self.panels.len() as u32),
            panel => (self.first[panel as usize], panel),
        };
        let mut children = Vec::new();
        let mut next = end;
        while next > from {
            children.push(next - 1);
            next = self.first[next as usize - 1];
        }
        children.reverse();
        children
    }

    /// Rows of every panel, and the order of panels in which subtrees stand in one piece.
    fn lay_out(&mut self, groups: &[Range<usize>], parent: &[u32]) {
        let mut group_of = vec![0u32; parent.len()];
        for (at, group) in groups.iter().enumerate() {
            group_of[group.clone()].fill(at as u32);
        }
        let above: Vec<u32> = groups
            .iter()
            .map(|group| match parent[group.end - 1] {
                NONE => NONE,
                column => group_of[column as usize],
            })
            .collect();
        let walk = postorder(&above);
        let mut place = vec![0u32; groups.len()];
        walk.iter().enumerate().for_each(|(at, &group)| place[group as usize] = at as u32);
        let mut seen_by = vec![NONE; parent.len()];
        let mut values_at = 0;
        for (at, &group) in walk.iter().enumerate() {
            let columns = groups[group as usize].clone();
            if above[group as usize] != NONE {
                self.parent[at] = place[above[group as usize] as usize];
            }
            let rows_at = self.rows.len();
            let first = self.gather_rows(at as u32, columns.clone(), &mut seen_by);
            self.first.push(first);
            let below = self.rows.len() - rows_at;
            let (start, columns) = (columns.start, columns.len());
            self.panels.push(FactorPanel { start, columns, rows_at, below, values_at });
            values_at += columns * (columns + below);
        }
    }

    /// Appends the rows below the columns of panel `at`: those of the matrix and those its children
    /// hand on. Gives the first panel of its subtree.
    fn gather_rows(&mut self, at: u32, columns: Range<usize>, seen_by: &mut [u32]) -> u32 {
        let rows_at = self.rows.len();
        let end = columns.end;
        let mut see = |row: u32, rows: &mut Vec<u32>| {
            if row as usize >= end && seen_by[row as usize] != at {
                seen_by[row as usize] = at;
                rows.push(row);
            }
        };
        for j in columns {
            self.lower.column(j).iter().for_each(|&row| see(row, &mut self.rows));
        }
        let mut first = at;
        while first > 0 && self.parent_is(first - 1, at) {
            for k in self.panels[first as usize - 1].rows() {
                see(self.rows[k], &mut self.rows);
            }
            first = self.first[first as usize - 1];
        }
        self.rows[rows_at..].sort_unstable();
        first
    }

    fn parent_is(&self, child: u32, parent: u32) -> bool {
        self.parent[child as usize] == parent
    }

    /// Bounds on the numbers in waiting updates: in a branch one panel comes after the other, with
    /// the updates on a stack; the children of a panel of the trunk may be computed all at once.
    fn most_waiting(&self) -> (Vec<usize>, usize) {
        let trunk = trunk(self);
        let mut stacks = vec![0; self.panels.len()];
        let mut most = vec![0; self.panels.len()];
        let mut total = 0;
        for at in 0..self.panels.len() {
            let update = self.panels[at].below.pow(2);
            let (mut waiting, mut in_turn, mut together) = (0, 0, 0);
            for child in self.children(at as u32) {
                let child = child as usize;
                in_turn = in_turn.max(waiting + most[child]);
                together += most[child];
                waiting += self.panels[child].below.pow(2);
            }
            let before = if trunk[at] { together } else { in_turn };
            most[at] = before.max(waiting + update);
            let above = self.parent[at];
            if !trunk[at] && (above == NONE || trunk[above as usize]) {
                // The update of a branch is copied from its stack.
                stacks[at] = std::mem::replace(&mut most[at], update);
            }
            if above == NONE {
                total += most[at];
            }
        }
        (stacks, total)
    }
}

/// Runs of columns in which each has the rows of the one before it, but for that one.
fn fundamental(parent: &[u32], counts: &[u32], trailing: usize) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for j in 0..parent.len() {
        match groups.last_mut() {
            Some(group)
                if j != trailing && parent[j - 1] == j as u32 && counts[j - 1] == counts[j] + 1 =>
            {
                group.end = j + 1;
            }
            _ => groups.push(j..j + 1),
        }
    }
    groups
}

/// Joins a group to the one before it where that is its child and few zeros come in: fewer and
/// wider panels are worth some zeros, the more so the narrower they are.
fn widened(
    groups: Vec<Range<usize>>,
    parent: &[u32],
    counts: &[u32],
    trailing: usize,
) -> Vec<Range<usize>> {
    let mut wide: Vec<Wide> = Vec::with_capacity(groups.len());
    for group in groups {
        let mut joined =
            Wide { below: counts[group.end - 1] as usize - 1, columns: group, zeros: 0 };
        while let Some(child) = wide.last() {
            let last = child.columns.end - 1;
            let is_child = (joined.columns.contains(&(parent[last] as usize)))
                && joined.columns.start != trailing;
            match is_child.then(|| joined.with(child)).filter(Wide::is_worth_it) {
                Some(wider) => {
                    joined = wider;
                    wide.pop();
                }
                None => break,
            }
        }
        wide.push(joined);
    }
    wide.into_iter().map(|group| group.columns).collect()
}

/// A group of columns and the zeros it stores.
struct Wide {
    columns: Range<usize>,
    below: usize,
    zeros: usize,
}

impl Wide {
    fn entries(&self) -> usize {
        let n = self.columns.len();
        n * (n + 1) / 2 + n * self.below
    }

    /// The child in front of it taken in.
    fn with(&self, child: &Self) -> Self {
        let columns = child.columns.start..self.columns.end;
        let joined = Self { columns, below: self.below, zeros: 0 };
        let zeros = joined.entries() + self.zeros + child.zeros - self.entries() - child.entries();
        Self { zeros, ..joined }
    }

    fn is_worth_it(&self) -> bool {
        let share = self.zeros as f64 / self.entries() as f64;
        match self.columns.len() {
            0..=4 => true,
            5..=16 => share < 0.3,
            17..=48 => share < 0.1,
            _ => share < 0.03,
        }
    }
}
