//! What elimination in a given order does to a symmetric pattern: the tree of columns, a postorder
//! of it, and the number of entries of each column of L, all without L itself.

pub(super) const NONE: u32 = u32::MAX;

/// Triangle of a symmetric pattern in compressed columns.
#[derive(Clone, Debug)]
pub(super) struct ColumnPattern {
    pub starts: Vec<usize>,
    pub rows: Vec<u32>,
}

impl ColumnPattern {
    pub fn column(&self, j: usize) -> &[u32] {
        &self.rows[self.starts[j]..self.starts[j + 1]]
    }
}

/// The other triangle of the pattern, without its diagonal; rows ascending.
pub(super) fn transpose(starts: &[usize], rows: &[u32]) -> ColumnPattern {
    let n = starts.len() - 1;
    let mut other = vec![0usize; n + 1];
    let off_diagonal = |j: usize| {
        rows[starts[j]..starts[j + 1]].iter().copied().filter(move |&row| row as usize != j)
    };
    for j in 0..n {
        off_diagonal(j).for_each(|row| other[row as usize + 1] += 1);
    }
    for j in 0..n {
        other[j + 1] += other[j];
    }
    let mut next = other.clone();
    let mut transposed = vec![0u32; other[n]];
    for j in 0..n {
        for row in off_diagonal(j) {
            transposed[next[row as usize]] = j as u32;
            next[row as usize] += 1;
        }
    }
    ColumnPattern { starts: other, rows: transposed }
}

/// Parent of each column in the elimination tree (Liu 1990) of an upper triangle, by climbing with
/// path compression.
pub(super) fn elimination_tree(starts: &[usize], rows: &[u32]) -> Vec<u32> {
    let n = starts.len() - 1;
    let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
    for j in 0..n {
        for &row in &rows[starts[j]..starts[j + 1]] {
            let mut climber = row;
            while climber < j as u32 {
                let next = std::mem::replace(&mut ancestor[climber as usize], j as u32);
                if next == NONE {
                    parent[climber as usize] = j as u32;
                    break;
                }
                climber = next;
            }
        }
    }
    parent
}

/// Positions along a depth-first walk of the tree: the subtree of a position directly before it,
/// children in ascending order.
pub(super) fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let (mut first_child, mut next_sibling) = (vec![NONE; n], vec![NONE; n]);
    let mut roots = Vec::new();
    for at in (0..n).rev() {
        match parent[at] {
            NONE => roots.push(at as u32),
            above => {
                next_sibling[at] = first_child[above as usize];
                first_child[above as usize] = at as u32;
            }
        }
    }
    let mut walked = Vec::with_capacity(n);
    let mut path = Vec::new();
    while let Some(root) = roots.pop() {
        path.push(root);
        while let Some(&top) = path.last() {
            let child = first_child[top as usize];
            if child == NONE {
                walked.push(top);
                path.pop();
            } else {
                first_child[top as usize] = next_sibling[child as usize];
                path.push(child);
            }
        }
    }
    walked
}

/// Entries of each column of L, its diagonal included, by counting the leaves of the row subtrees
/// (Gilbert, Ng, Peyton 1994): nearly linear in the entries of the matrix.
pub(super) fn column_counts(lower: &ColumnPattern, parent: &[u32], post: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let mut first = vec![NONE; n];
    let mut change = vec![0i64; n];
    for (k, &j) in post.iter().enumerate() {
        let mut climber = j;
        change[j as usize] = (first[j as usize] == NONE) as i64;
        while climber != NONE && first[climber as usize] == NONE {
            first[climber as usize] = k as u32;
            climber = parent[climber as usize];
        }
    }
    // `latest[i]`: one more than the first descendant of the last leaf seen in row i, 0 for none.
    let (mut latest, mut last_leaf) = (vec![0u32; n], vec![NONE; n]);
    let mut ancestor: Vec<u32> = (0..n as u32).collect();
    for &j in post {
        let j = j as usize;
        if parent[j] != NONE {
            change[parent[j] as usize] -= 1;
        }
        for &row in lower.column(j) {
            let row = row as usize;
            if first[j] < latest[row] {
                continue;
            }
            latest[row] = first[j] + 1;
            change[j] += 1;
            let before = std::mem::replace(&mut last_leaf[row], j as u32);
            if before != NONE {
                change[root_of(&mut ancestor, before) as usize] -= 1;
            }
        }
        if parent[j] != NONE {
            ancestor[j] = parent[j];
        }
    }
    for &j in post {
        if parent[j as usize] != NONE {
            change[parent[j as usize] as usize] += change[j as usize];
        }
    }
    change.iter().map(|&count| count as u32).collect()
}

fn root_of(ancestor: &mut [u32], of: u32) -> u32 {
    let mut root = of;
    while ancestor[root as usize] != root {
        root = ancestor[root as usize];
    }
    let mut climber = of;
    while climber != root {
        climber = std::mem::replace(&mut ancestor[climber as usize], root);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Upper triangle of the 5-point grid, diagonal included.
    fn grid(side: usize) -> ColumnPattern {
        let mut grid = ColumnPattern { starts: vec![0], rows: Vec::new() };
        for j in 0..side * side {
            if j >= side {
                grid.rows.push((j - side) as u32);
            }
            if j % side != 0 {
                grid.rows.push(j as u32 - 1);
            }
            grid.rows.push(j as u32);
            grid.starts.push(grid.rows.len());
        }
        grid
    }

    /// Columns of L by eliminating one after the other, as Gauss did.
    fn eliminated(upper: &ColumnPattern) -> Vec<Vec<u32>> {
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); 49];
        for j in 0..columns.len() {
            upper.column(j).iter().for_each(|&i| columns[i as usize].push(j as u32));
        }
        for j in 0..columns.len() {
            let rest: Vec<u32> = columns[j].iter().copied().filter(|&i| i > j as u32).collect();
            if let Some(&parent) = rest.iter().min() {
                let above = &mut columns[parent as usize];
                above.extend(rest);
                above.sort_unstable();
                above.dedup();
            }
        }
        columns
    }

    #[test]
    fn counts_and_tree_are_those_of_eliminating_column_by_column() {
        let upper = grid(7);
        let columns = eliminated(&upper);
        let parent = elimination_tree(&upper.starts, &upper.rows);
        let lower = transpose(&upper.starts, &upper.rows);
        let counts = column_counts(&lower, &parent, &postorder(&parent));
        for (j, column) in columns.iter().enumerate() {
            assert_eq!(counts[j] as usize, column.len(), "column {j}");
            let next = column.iter().copied().filter(|&i| i > j as u32).min();
            assert_eq!(parent[j], next.unwrap_or(NONE), "column {j}");
        }
    }
}
