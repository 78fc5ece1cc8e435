//! The Delassus operator W = H M̂⁻¹ Hᵀ on all candidates.

use super::{ConeProblem, Encounter, Footing, MOST_DOFS};
use crate::linalg::{Factor, SymmetricMatrix};

/// What an impulse on a contact dof does to the velocities of all of them, dense: M̂⁻¹ between contact
/// dofs, from which W of any candidates in any frames is a product of small matrices.
#[derive(Clone, Debug)]
pub struct Delassus {
    dimension: usize,
    first: usize,
    size: usize,
    /// Row by row.
    response: Vec<f64>,
}

impl Delassus {
    /// From the trailing block of the factor of M̂ in a space of that dimension: its inverse is
    /// M̂⁻¹ between the contact dofs, with no solve that leaves them.
    pub fn new(factor: &Factor, dimension: usize) -> Self {
        let SymmetricMatrix { size, values } = factor.trailing_inverse();
        Self { dimension, first: factor.trailing(), size, response: values }
    }

    /// From responses column by column: `column(j, x)` writes to x what a unit impulse on contact
    /// dof j does. It need not be symmetric.
    pub fn from_columns(
        dimension: usize,
        contact_dofs: std::ops::Range<usize>,
        mut column: impl FnMut(usize, &mut [f64]),
    ) -> Self {
        let size = contact_dofs.len();
        let mut response = vec![0.0; size * size];
        let mut one = vec![0.0; size];
        for j in 0..size {
            column(j, &mut one);
            (0..size).for_each(|i| response[i * size + j] = one[i]);
        }
        Self { dimension, first: contact_dofs.start, size, response }
    }

    /// `alpha` times this and `beta` times another between the same dofs.
    pub fn combined(mut self, alpha: f64, beta: f64, other: &Self) -> Self {
        self.response.iter_mut().zip(&other.response).for_each(|(a, b)| *a = alpha * *a + beta * b);
        self
    }

    /// `factor` times this.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.response.iter_mut().for_each(|response| *response *= factor);
        self
    }

    fn row(&self, position: u32) -> &[f64] {
        &self.response[(position as usize - self.first) * self.size..][..self.size]
    }

    /// Components of a contact: the dimension of space, and on a line one tangent that nothing
    /// pushes along, so that cones have a side.
    pub fn components(&self) -> usize {
        self.dimension.max(2)
    }

    /// Writes W of the `active` candidates into the cone problem:
    ///
    /// ```text
    ///     W_αβ = H_α M̂⁻¹ H_βᵀ
    /// ```
    ///
    /// `position` gives the elimination position of a dof, `None` where it is driven: it gives no
    /// velocity, and W has no share of it. A component that no dof moves (the tangent on a line, the
    /// normal of a slider) gets the largest diagonal entry of its block, so that cones have a bottom.
    pub fn select_into(
        &self,
        active: &[u32],
        encounters: &[Encounter],
        position: impl Fn(u32) -> Option<u32> + Sync,
        problem: &mut ConeProblem,
    ) {
        problem.w.fill_dense(active.len(), |row, column| {
            let footing = |at: usize| &encounters[active[at] as usize].footing;
            let mut block = self.between(footing(row), footing(column), &position);
            if row == column {
                let largest = (0..3).fold(0.0, |m, i| f64::max(m, block[i][i]));
                let idle = (0..3).filter(|&i| footing(row).is_idle(i));
                idle.for_each(|i| block[i][i] = largest);
            }
            block
        });
    }

    /// H_α M̂⁻¹ H_βᵀ.
    pub fn between(
        &self,
        alpha: &Footing,
        beta: &Footing,
        position: impl Fn(u32) -> Option<u32>,
    ) -> [[f64; 3]; 3] {
        let mut half = [[0.0; MOST_DOFS]; 3];
        for (i, &row) in alpha.dofs().iter().enumerate() {
            let Some(row) = position(row) else { continue };
            let response = self.row(row);
            for (j, &column) in beta.dofs().iter().enumerate() {
                let Some(column) = position(column) else { continue };
                let entry = response[column as usize - self.first];
                (0..3).for_each(|k| half[k][j] += alpha.row(k)[i] * entry);
            }
        }
        let mut block = [[0.0; 3]; 3];
        for (row, half) in block.iter_mut().zip(&half) {
            for (k, entry) in row.iter_mut().enumerate() {
                *entry = beta.row(k).iter().zip(half).map(|(b, h)| b * h).sum();
            }
        }
        block
    }

    /// Velocity that impulses on the contact dofs, by position after the first, give the dof at
    /// `position`.
    pub fn velocity_at(&self, position: u32, impulse: &[f64]) -> f64 {
        self.row(position).iter().zip(impulse).map(|(w, p)| w * p).sum()
    }

    /// Bytes of one between so many dofs; it is made in place.
    pub fn bytes_for(contact_dofs: usize) -> usize {
        SymmetricMatrix::bytes_of(contact_dofs)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.response.len()
    }
}
