//! The Delassus operator W = H M̂⁻¹ Hᵀ on all candidates.

use super::ConeProblem;
use super::obstacle::Frame;
use crate::linalg::{Factor, SymmetricMatrix};

/// M̂⁻¹ between contact dofs, dense, from which W of any candidates in any frames is a copy.
#[derive(Clone, Debug)]
pub struct Delassus {
    dimension: usize,
    first: usize,
    inverse: SymmetricMatrix,
}

impl Delassus {
    /// From the trailing block of the factor of M̂ in a space of that dimension: its inverse is
    /// M̂⁻¹ between the contact dofs, with no solve that leaves them.
    pub fn new(factor: &Factor, dimension: usize) -> Self {
        Self { dimension, first: factor.trailing(), inverse: factor.trailing_inverse() }
    }

    /// Components of a contact: the dimension of space, and on a line one tangent that nothing
    /// pushes along, so that cones have a side.
    pub fn components(&self) -> usize {
        self.dimension.max(2)
    }

    /// Writes W of the `active` candidates into the cone problem:
    ///
    /// ```text
    ///     W_αβ = R_α (M̂⁻¹)_αβ R_βᵀ,     R = (n, t₁, t₂) of the frame
    /// ```
    ///
    /// `positions` has the elimination positions of each candidate's dofs, `None` where a dof is
    /// driven: it gives no velocity, and W has no share of it.
    pub fn select_into(
        &self,
        active: &[u32],
        frames: &[Frame],
        positions: &[[Option<u32>; 3]],
        problem: &mut ConeProblem,
    ) {
        problem.w.fill_dense(active.len(), |row, column| {
            let (alpha, beta) = (active[row] as usize, active[column] as usize);
            let space = self.block(&positions[alpha], &positions[beta]);
            frames[alpha].between(&space, &frames[beta])
        });
    }

    /// (M̂⁻¹)_αβ in space.
    fn block(&self, rows: &[Option<u32>; 3], columns: &[Option<u32>; 3]) -> [[f64; 3]; 3] {
        let mut block = [[0.0; 3]; 3];
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                if let (Some(row), Some(column)) = (row, column) {
                    let at = |position: &u32| *position as usize - self.first;
                    block[i][j] = self.inverse.entry(at(row), at(column));
                }
            }
        }
        if self.dimension == 1 && rows == columns {
            block[1][1] = block[0][0];
        }
        block
    }

    /// Bytes of one between so many dofs; it is made in place.
    pub fn bytes_for(contact_dofs: usize) -> usize {
        SymmetricMatrix::bytes_of(contact_dofs)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.inverse.bytes()
    }
}
