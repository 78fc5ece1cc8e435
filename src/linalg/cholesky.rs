//! Sparse Cholesky factorisation: multifrontal (Duff, Reid 1983), on the panels of a plan.
//!
//! A panel and the update it hands to its parent are dense. Written by hand on top of faer's dense
//! kernels: its own sparse factorisation looks left, which means smaller products, and it cannot
//! work on two branches of the tree at once.

use faer::{MatMut, MatRef};
use rayon::prelude::*;

use super::UpperColumns;
use super::elimination::NONE;
use super::front::{Crew, add_square, eliminate};
use super::plan::{FactorPanel, Plan};
use super::store::Store;
use super::sweep::Factor;
use super::tree::trunk;

/// Why a matrix has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFactor {
    /// The pivot at this position of the elimination order is not positive.
    NotPositive {
        /// Position in the elimination order.
        position: usize,
    },
}

/// A = L Lᵀ, in the order in which `matrix` is given; columns from `trailing` on stay apart so that
/// they can be swept on their own.
pub fn factor(matrix: &UpperColumns, trailing: usize) -> Result<Factor, NoFactor> {
    Plan::new(matrix, trailing).factor(matrix)
}

impl Plan {
    /// A = L Lᵀ for a matrix with the planned pattern.
    pub fn factor(&self, matrix: &UpperColumns) -> Result<Factor, NoFactor> {
        let mut values = vec![0.0; self.value_count()];
        self.fill(&mut values, matrix)?;
        Ok(Factor::new(self, values))
    }

    /// The same for another matrix of the pattern, in the memory of a factor that this plan made.
    pub fn factor_again(&self, factor: &mut Factor, matrix: &UpperColumns) -> Result<(), NoFactor> {
        assert!(
            factor.values_mut().len() == self.value_count() && factor.size() == self.size(),
            "the factor is of another plan"
        );
        self.fill(factor.values_mut(), matrix)?;
        factor.invert_diagonal();
        Ok(())
    }

    fn fill(&self, values: &mut [f64], matrix: &UpperColumns) -> Result<(), NoFactor> {
        assert!(
            matrix.starts.len() == self.size() + 1 && matrix.rows.len() == self.entries_of_matrix(),
            "the matrix has another pattern than the plan"
        );
        let numeric = Numeric {
            plan: self,
            matrix_values: self.lower_values(matrix),
            trunk: trunk(self),
            store: Store::new(self.waiting()),
        };
        numeric.side_by_side(&self.children(NONE), values)?;
        Ok(())
    }

    /// Values of the matrix in the order of its lower columns.
    fn lower_values(&self, matrix: &UpperColumns) -> Lower {
        let mut next = self.lower.starts.clone();
        let mut below = vec![0.0; self.lower.rows.len()];
        let mut diagonal = vec![0.0; self.size()];
        for j in 0..self.size() {
            for entry in matrix.starts[j]..matrix.starts[j + 1] {
                let row = matrix.rows[entry] as usize;
                if row == j {
                    diagonal[j] = matrix.values[entry];
                } else {
                    below[next[row]] = matrix.values[entry];
                    next[row] += 1;
                }
            }
        }
        Lower { diagonal, below }
    }
}

/// Values of the matrix: diagonal, and below it column by column.
struct Lower {
    diagonal: Vec<f64>,
    below: Vec<f64>,
}

/// What every branch of the factorisation reads.
struct Numeric<'a> {
    plan: &'a Plan,
    matrix_values: Lower,
    trunk: Vec<bool>,
    store: Store,
}

/// Update matrix of a panel, square over the rows below it, lower triangle filled.
struct Update {
    panel: u32,
    values: Vec<f64>,
}

impl Numeric<'_> {
    /// Factors the subtrees of `roots`, which stand one after the other in `values`.
    fn side_by_side(&self, roots: &[u32], values: &mut [f64]) -> Result<Vec<Update>, NoFactor> {
        match roots {
            [] => Ok(Vec::new()),
            [root] if self.trunk[*root as usize] => Ok(vec![self.grow(*root, values)?]),
            [root] => Ok(vec![self.branch(*root, values)?]),
            _ => {
                let (left, right) = roots.split_at(roots.len() / 2);
                let cut = self.start_of_subtree(right[0]) - self.start_of_subtree(left[0]);
                let (left_values, right_values) = values.split_at_mut(cut);
                let (left, right) = rayon::join(
                    || self.side_by_side(left, left_values),
                    || self.side_by_side(right, right_values),
                );
                let mut updates = left?;
                updates.append(&mut right?);
                Ok(updates)
            }
        }
    }

    fn start_of_subtree(&self, panel: u32) -> usize {
        self.plan.panels[self.plan.first[panel as usize] as usize].values_at
    }

    /// Factors a panel of the trunk after the subtrees of its children.
    fn grow(&self, at: u32, values: &mut [f64]) -> Result<Update, NoFactor> {
        let panel = &self.plan.panels[at as usize];
        let (before, own) = values.split_at_mut(panel.values_at - self.start_of_subtree(at));
        let children = self.side_by_side(&self.plan.children(at), before)?;
        let mut place = vec![0u32; self.plan.size()];
        let mut update = self.store.take(panel.below * panel.below);
        update.par_chunks_mut(CHUNK).for_each(touch);
        own.par_chunks_mut(CHUNK).for_each(touch);
        self.place_rows(panel, &mut place);
        self.add_matrix(panel, own, &place);
        for child in children {
            let rows = &self.plan.rows[self.plan.panels[child.panel as usize].rows()];
            let from = Extension::new(&child.values, rows, &place, panel.height());
            let add = |(column, to): (usize, &mut [f64])| from.add_column(column, to);
            own.par_chunks_mut(panel.height()).enumerate().for_each(add);
            let add = |(k, to): (usize, &mut [f64])| from.add_below(panel.columns, k, to);
            update.par_chunks_mut(panel.below.max(1)).enumerate().for_each(add);
            self.store.give(child.values);
        }
        finish(panel, own, &mut update, Crew::All)?;
        Ok(Update { panel: at, values: update })
    }

    /// Factors a whole subtree, one panel after the other, the updates on a stack.
    fn branch(&self, root: u32, values: &mut [f64]) -> Result<Update, NoFactor> {
        let plan = self.plan;
        let mut place = vec![0u32; plan.size()];
        let mut stack = self.store.take(plan.stack(root));
        // Panels whose updates are on the stack, and where they start.
        let mut waiting: Vec<(u32, usize)> = Vec::new();
        let mut top = 0;
        let base = self.start_of_subtree(root);
        for at in plan.first[root as usize]..=root {
            let panel = &plan.panels[at as usize];
            let own = &mut values[panel.values().start - base..panel.values().end - base];
            let (below, update) = stack.split_at_mut(top);
            let update = &mut update[..panel.below * panel.below];
            touch(own);
            touch(update);
            self.place_rows(panel, &mut place);
            self.add_matrix(panel, own, &place);
            let children = waiting.partition_point(|child| child.0 < plan.first[at as usize]);
            let mut bottom = top;
            for (child, start) in waiting.drain(children..) {
                let rows = &plan.rows[plan.panels[child as usize].rows()];
                extend_add(&below[start..], rows, &place, panel, own, update);
                bottom = bottom.min(start);
            }
            finish(panel, own, update, Crew::One)?;
            let len = update.len();
            stack.copy_within(top..top + len, bottom);
            waiting.push((at, bottom));
            top = bottom + len;
        }
        let mut update = self.store.take(top);
        update.copy_from_slice(&stack[..top]);
        self.store.give(stack);
        Ok(Update { panel: root, values: update })
    }

    /// Row of the front for each row of the matrix that the panel has.
    fn place_rows(&self, panel: &FactorPanel, place: &mut [u32]) {
        (0..panel.columns).for_each(|j| place[panel.start + j] = j as u32);
        for (k, &row) in self.plan.rows[panel.rows()].iter().enumerate() {
            place[row as usize] = (panel.columns + k) as u32;
        }
    }

    fn add_matrix(&self, panel: &FactorPanel, own: &mut [f64], place: &[u32]) {
        let lower = &self.plan.lower;
        for (j, column) in own.chunks_exact_mut(panel.height()).enumerate() {
            let at = panel.start + j;
            column[j] += self.matrix_values.diagonal[at];
            let values = &self.matrix_values.below[lower.starts[at]..lower.starts[at + 1]];
            for (&row, value) in lower.column(at).iter().zip(values) {
                column[place[row as usize] as usize] += value;
            }
        }
    }
}

/// Numbers that are set to zero by one thread.
const CHUNK: usize = 1 << 20;

/// Writes the zeros of fresh memory. Read before it is written, each page would be mapped twice, the
/// second time with an interrupt to the other cores: a third of the time on two threads.
fn touch(fresh: &mut [f64]) {
    fresh.fill(0.0);
}

/// Eliminates the panel and subtracts what it does to the rows below.
fn finish(
    panel: &FactorPanel,
    own: &mut [f64],
    update: &mut [f64],
    crew: Crew,
) -> Result<(), NoFactor> {
    let (columns, below) = (panel.columns, panel.below);
    let mut front = MatMut::from_column_major_slice_mut(own, panel.height(), columns);
    eliminate(front.as_mut(), crew)
        .map_err(|column| NoFactor::NotPositive { position: panel.start + column })?;
    let lower: MatRef<'_, f64> = front.as_ref().split_at_row(columns).1;
    add_square(MatMut::from_column_major_slice_mut(update, below, below), lower, -1.0, crew);
    Ok(())
}

/// Adds the update of a child to the front of its parent.
fn extend_add(
    child: &[f64],
    rows: &[u32],
    place: &[u32],
    panel: &FactorPanel,
    own: &mut [f64],
    update: &mut [f64],
) {
    let n = rows.len();
    for (k, &row) in rows.iter().enumerate() {
        let at = place[row as usize] as usize;
        let from = &child[k * n + k..(k + 1) * n];
        if at < panel.columns {
            let to = &mut own[at * panel.height()..][..panel.height()];
            for (&row, value) in rows[k..].iter().zip(from) {
                to[place[row as usize] as usize] += value;
            }
        } else {
            let to = &mut update[(at - panel.columns) * panel.below..][..panel.below];
            for (&row, value) in rows[k..].iter().zip(from) {
                to[place[row as usize] as usize - panel.columns] += value;
            }
        }
    }
}

/// A child's update seen from the columns of its parent's front, so that these can be filled side
/// by side.
struct Extension<'a> {
    values: &'a [f64],
    /// Row of the front for each row of the update.
    places: Vec<u32>,
    /// Row of the update for each row of the front.
    column_of: Vec<u32>,
}

impl<'a> Extension<'a> {
    fn new(values: &'a [f64], rows: &[u32], place: &[u32], height: usize) -> Self {
        let places: Vec<u32> = rows.iter().map(|&row| place[row as usize]).collect();
        let mut column_of = vec![NONE; height];
        places.iter().enumerate().for_each(|(k, &at)| column_of[at as usize] = k as u32);
        Self { values, places, column_of }
    }

    fn add_column(&self, column: usize, to: &mut [f64]) {
        self.add_shifted(column, 0, to);
    }

    fn add_below(&self, columns: usize, k: usize, to: &mut [f64]) {
        self.add_shifted(columns + k, columns, to);
    }

    fn add_shifted(&self, column: usize, shift: usize, to: &mut [f64]) {
        let k = self.column_of[column];
        if k != NONE {
            let (k, n) = (k as usize, self.places.len());
            for (&at, value) in self.places[k..].iter().zip(&self.values[k * n + k..]) {
                to[at as usize - shift] += value;
            }
        }
    }
}
