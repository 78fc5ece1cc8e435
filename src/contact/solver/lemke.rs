//! Lemke's pivoting: the cone problem in the plane as a linear complementarity problem.

use super::Target;
use crate::contact::ConeProblem;

/// The last resort: slow, but it ends at a solution wherever W is positive definite (Stewart and
/// Trinkle 1996). With p_T = β₊ − β₋ and λ = |û_T|,
///
/// ```text
///     0 ≤ û_N               ⟂  p_N ≥ 0
///     0 ≤ λ ± û_T           ⟂  β± ≥ 0                                                      (1)
///     0 ≤ μ p_N − β₊ − β₋   ⟂  λ ≥ 0
/// ```
///
/// is 0 ≤ Mz + c ⟂ z ≥ 0 with four rows per contact. An artificial variable makes z = 0 admissible;
/// the pivots exchange complementary variables until it has left.
///
/// Its table is allocated when it is first needed: most runs never do.
#[derive(Clone, Debug, Default)]
pub(super) struct Lemke {
    /// Basic variables as affine functions of the others: their columns, then the constant.
    table: Vec<f64>,
    rows: usize,
    /// Variable of each row: i for row i of Mz + c, rows + i for z_i, 2 rows for the artificial one.
    basic: Vec<usize>,
    /// Variable of each column.
    others: Vec<usize>,
}

/// Contacts beyond which the table, 16 numbers per pair, is not worth its memory.
const MOST_CONTACTS: usize = 1000;
/// What is added to c, of an order that its rows do not share, to keep the pivots off ties.
const TRACE: f64 = 1e-10;

impl Lemke {
    /// Leaves in `p` an impulse that is right up to the traces added, for another method to polish,
    /// and returns the number of pivots; `None`, and `p` as it was, where those of `target` lead
    /// nowhere.
    pub(super) fn solve(
        &mut self,
        problem: &ConeProblem,
        target: Target,
        p: &mut [f64],
    ) -> Option<usize> {
        if problem.contacts() > MOST_CONTACTS {
            return None;
        }
        let unit = self.set_up(problem);
        let pivots = self.pivot_until_feasible(target)?;
        p.fill(0.0);
        let constant = self.rows + 1;
        for (i, &variable) in self.basic.iter().enumerate() {
            let Some(z) = variable.checked_sub(self.rows) else { continue };
            let value = unit * self.table[i * (self.rows + 2) + constant].max(0.0);
            match z % 4 {
                0 => p[2 * (z / 4)] += value,
                1 => p[2 * (z / 4) + 1] += value,
                2 => p[2 * (z / 4) + 1] -= value,
                _ => {}
            }
        }
        Some(pivots)
    }

    /// Writes (1) in units in which W and b have size 1; returns the unit of impulse.
    fn set_up(&mut self, problem: &ConeProblem) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
        let (w_unit, b_unit) =
            (problem.w.blocks().largest().max(f64::MIN_POSITIVE), largest(&problem.b));
        let rows = 4 * problem.contacts();
        let width = rows + 2;
        self.rows = rows;
        self.basic.clear();
        self.basic.extend(0..rows);
        self.others.clear();
        self.others.extend(rows..=2 * rows);
        self.table.clear();
        self.table.resize(rows * width, 0.0);
        // Row of W behind each of the first three rows of (1), and its sign.
        let parts = [(0, 1.0), (1, 1.0), (1, -1.0)];
        for beta in 0..problem.contacts() {
            for (alpha, block) in problem.w.column(beta) {
                for (i, &(part, sign)) in parts.iter().enumerate() {
                    let row = &mut self.table[(4 * alpha + i) * width + 4 * beta..][..3];
                    for (entry, &(other, other_sign)) in row.iter_mut().zip(&parts) {
                        *entry = sign * other_sign * block[2 * part + other] / w_unit;
                    }
                }
            }
        }
        for (alpha, &mu) in problem.mu.iter().enumerate() {
            for (i, &(part, sign)) in parts.iter().enumerate() {
                let row = &mut self.table[(4 * alpha + i) * width..][..width];
                row[4 * alpha + 3] = if i == 0 { 0.0 } else { 1.0 };
                row[rows + 1] = sign * problem.b[2 * alpha + part] / b_unit;
            }
            let row = &mut self.table[(4 * alpha + 3) * width..][..width];
            row[4 * alpha..4 * alpha + 3].copy_from_slice(&[mu, -1.0, -1.0]);
        }
        for (i, row) in self.table.chunks_exact_mut(width).enumerate() {
            row[rows] = 1.0;
            row[rows + 1] += TRACE * (1.0 + (i * i % 97) as f64 / 97.0);
        }
        b_unit / w_unit
    }

    /// Lets the artificial variable in and pivots until it is out again.
    fn pivot_until_feasible(&mut self, target: Target) -> Option<usize> {
        let (rows, width) = (self.rows, self.rows + 2);
        let constant = |table: &[f64], i: usize| table[i * width + rows + 1];
        let lowest =
            |i: &usize, j: &usize| constant(&self.table, *i).total_cmp(&constant(&self.table, *j));
        let first = (0..rows).min_by(lowest)?;
        if constant(&self.table, first) >= 0.0 {
            return Some(0);
        }
        let (mut leaving, mut column) = (first, rows);
        for pivots in 1..=target.max_iterations {
            if target.enough.is_some_and(|enough| enough()) {
                return None;
            }
            self.exchange(leaving, column);
            let left = self.others[column];
            if left == 2 * rows {
                return Some(pivots);
            }
            let complement = if left < rows { left + rows } else { left - rows };
            column = self.others.iter().position(|&variable| variable == complement)?;
            leaving = self.first_to_vanish(column)?;
        }
        None
    }

    /// Row of the basic variable that falls to zero first as the variable of `column` grows.
    fn first_to_vanish(&self, column: usize) -> Option<usize> {
        let width = self.rows + 2;
        let mut found: Option<(usize, f64)> = None;
        for (i, row) in self.table.chunks_exact(width).enumerate() {
            let slope = row[column];
            if slope < -1e-12 {
                let reach = (row[width - 1] / -slope).max(0.0);
                if found.is_none_or(|(_, least)| reach < least) {
                    found = Some((i, reach));
                }
            }
        }
        found.map(|(i, _)| i)
    }

    /// Exchanges the variable of `row` with that of `column`.
    fn exchange(&mut self, row: usize, column: usize) {
        let width = self.rows + 2;
        let (before, rest) = self.table.split_at_mut(row * width);
        let (own, after) = rest.split_at_mut(width);
        let inverse = 1.0 / own[column];
        own.iter_mut().for_each(|entry| *entry *= -inverse);
        own[column] = inverse;
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let slope = std::mem::take(&mut other[column]);
            if slope != 0.0 {
                other.iter_mut().zip(own.iter()).for_each(|(entry, own)| *entry += slope * own);
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(problem: &ConeProblem) -> f64 {
        let mut p = vec![0.0; problem.b.len()];
        let pivots =
            Lemke::default().solve(problem, Target::new(0.0, 8 * problem.contacts()), &mut p);
        assert!(pivots.is_some(), "more pivots than twice the rows");
        let mut u = vec![0.0; p.len()];
        problem.velocity_into(&p, &mut u);
        problem.error(crate::contact::Measure::Scaled, &p, &u)
    }

    /// The traces added to c are below 2e-10.
    #[test]
    fn pivots_end_at_open_stick_and_slip_of_a_single_contact() {
        for b in [[1.0, 3.0], [-1.75, -0.5], [-2.25, -4.0], [-2.25, 4.0]] {
            let problem = ConeProblem::dense(2, &[2.0, 0.5, 0.5, 1.0], b.into(), vec![0.5]);
            assert!(error_of(&problem) < 1e-8, "b = {b:?}");
        }
    }

    /// Two contacts so coupled that Newton goes in circles and Gauss–Seidel nearly does.
    #[test]
    fn pivots_solve_two_strongly_coupled_contacts() {
        #[rustfmt::skip]
        let problem = ConeProblem::dense(
            2,
            &[
                 0.496,  0.231, -0.430, -0.472,
                 0.231,  0.404, -0.077, -0.159,
                -0.430, -0.077,  0.429,  0.420,
                -0.472, -0.159,  0.420,  0.684,
            ],
            vec![-0.648, 0.336, 0.651, -0.570],
            vec![0.5, 0.5],
        );
        assert!(error_of(&problem) < 1e-8);
    }
}
