//! The Delassus operator W = H M̂⁻¹ Hᵀ on all candidates.

use super::{ConeProblem, Contacts};
use crate::linalg::Factor;

/// W as a dense symmetric matrix over the candidates, normal and tangential rows of one candidate
/// side by side.
#[derive(Clone, Debug)]
pub struct Delassus {
    size: usize,
    w: Vec<f64>,
}

impl Delassus {
    /// From the trailing block of the factor of M̂: two short sweeps per row of H, none of which
    /// leaves the contact dofs. `positions` has the elimination position of each candidate's two
    /// dofs, `None` where a dof is driven: it gives no velocity, and W has no share of it.
    pub fn new(factor: &Factor, contacts: &Contacts, positions: &[[Option<u32>; 2]]) -> Self {
        let size = 2 * contacts.len();
        let mut w = vec![0.0; size * size];
        let (mut x, mut scratch) = (vec![0.0; factor.size()], factor.scratch());
        for (beta, place) in positions.iter().enumerate() {
            for side in 0..2 {
                x[factor.trailing()..].fill(0.0);
                let unit = [[1.0, 0.0], [0.0, 1.0]][side];
                let push = contacts.set_of(beta).obstacle.to_space(unit);
                for (at, force) in place.iter().zip(push) {
                    at.iter().for_each(|&at| x[at as usize] += force);
                }
                factor.forward_trailing(&mut x, &mut scratch);
                factor.backward_trailing(&mut x, &mut scratch);
                for (alpha, place) in positions.iter().enumerate() {
                    let moved = place.map(|at| at.map_or(0.0, |at| x[at as usize]));
                    let u = contacts.set_of(alpha).obstacle.to_frame(moved);
                    w[2 * alpha * size + 2 * beta + side] = u[0];
                    w[(2 * alpha + 1) * size + 2 * beta + side] = u[1];
                }
            }
        }
        for i in 0..size {
            for j in 0..i {
                let mean = 0.5 * (w[i * size + j] + w[j * size + i]);
                w[i * size + j] = mean;
                w[j * size + i] = mean;
            }
        }
        Self { size, w }
    }

    /// Writes the block of the `active` candidates into the cone problem.
    pub fn select_into(&self, active: &[u32], problem: &mut ConeProblem) {
        problem.w.clear();
        for &beta in active {
            for (row, &alpha) in active.iter().enumerate() {
                let entry = |i: usize, j: usize| {
                    self.w[(2 * alpha as usize + i) * self.size + 2 * beta as usize + j]
                };
                problem.w.push_block(row as u32, entry);
            }
            problem.w.end_column();
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.w.len()
    }
}
