//! The matrices of a problem, for those who compute with them elsewhere.
//!
//! Rows and columns are the dofs: dof = dimension · node + component, and after all nodes the angles of rigid bodies, in
//! their order, one each in the plane and three in space, about the principal axes. The driven ones among them are those of [`DofMap::driven`](crate::assembly::DofMap::driven).

use nalgebra::DMatrix;
use nalgebra_sparse::{CooMatrix, CsrMatrix};

use super::{March, Problem, State};
use crate::contact::{ContactPart, Detector, HRows, PairContact};

/// M, K and C, and what a step is solved with.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// M.
    pub mass: CsrMatrix<f64>,
    /// K.
    pub stiffness: CsrMatrix<f64>,
    /// C.
    pub damping: CsrMatrix<f64>,
    /// M̂ = M + aC + bK with the weights of the scheme.
    pub effective: CsrMatrix<f64>,
}

impl Matrices {
    /// Of a problem.
    pub fn of(problem: &Problem) -> Self {
        let sum = |[mass, stiffness]: [CsrMatrix<f64>; 2]| mass + stiffness;
        let [mass, stiffness] = problem.operator.to_csr();
        let damping = match &problem.damping {
            Some(damping) => sum(damping.to_csr()),
            None => CsrMatrix::zeros(mass.nrows(), mass.ncols()),
        };
        let effective = sum(problem.effective_mass().to_csr());
        Self { mass, stiffness, damping, effective }
    }
}

/// H and W of the contacts that are active in a state.
#[derive(Clone, Debug)]
pub struct ContactMatrices {
    /// The active candidates, ascending, and behind all candidates the pairs of bodies. The k-th has the rows
    /// `components · k` and on: normal, then tangents.
    pub contacts: Vec<u32>,
    /// Those pairs.
    pub pairs: Vec<PairContact>,
    /// 2 in the plane and on a line, 3 in space.
    pub components: usize,
    /// H, from the velocities of all dofs to the relative ones of the contacts: u = H v, less what obstacles move.
    pub h: CsrMatrix<f64>,
    /// W = H M̂⁻¹ Hᵀ over the dofs that are free.
    pub w: DMatrix<f64>,
}

impl March {
    /// H and W of the contacts that are active where it is.
    pub fn contact_matrices(&self) -> ContactMatrices {
        let (problem, state) = (self.problem(), self.state());
        let (mut contacts, pairs) = (problem.active(state), problem.active_pairs(state));
        let candidates = problem.contacts.len();
        contacts.extend((candidates..candidates + pairs.len()).map(|c| c as u32));
        let components = problem.dofs.dimension.max(2);
        let (rows, dofs) = (components * contacts.len(), problem.operator.dofs());
        let mut h = CooMatrix::new(rows, dofs);
        for (k, &c) in contacts.iter().enumerate() {
            let rows = match (c as usize).checked_sub(candidates) {
                None => problem.rows(c as usize, &problem.contact(c as usize, state)),
                Some(pair) => problem.rows_of_pair(&pairs[pair], state),
            };
            let own = rows.of(0);
            for i in 0..components {
                let entries = own.dofs().iter().zip(own.columns());
                entries
                    .for_each(|(&dof, column)| h.push(components * k + i, dof as usize, column[i]));
            }
        }
        let h = CsrMatrix::from(&h);
        let w = self.delassus_of(&h);
        ContactMatrices { contacts, pairs, components, h, w }
    }

    /// W = H M̂⁻¹ Hᵀ = (L⁻¹Hᵀ)ᵀ(L⁻¹Hᵀ).
    fn delassus_of(&self, h: &CsrMatrix<f64>) -> DMatrix<f64> {
        let (dofs, factor) = (&self.problem().dofs, self.stepper().factor());
        let mut scratch = factor.scratch();
        let mut swept = DMatrix::zeros(dofs.order.len(), h.nrows());
        for (row, mut column) in h.row_iter().zip(swept.column_iter_mut()) {
            let column = column.as_mut_slice();
            for (&dof, value) in row.col_indices().iter().zip(row.values()) {
                if let Some(at) = dofs.position_of(dof) {
                    column[at as usize] = *value;
                }
            }
            factor.forward(column, &mut scratch);
        }
        swept.tr_mul(&swept)
    }
}

impl Problem {
    /// The candidates that a step from this state has for active; of schemes that look at positions, those that are
    /// closed.
    pub fn active(&self, state: &State) -> Vec<u32> {
        let is_active = |c: &u32| {
            let c = *c as usize;
            let met = self.contact(c, state);
            if !self.scheme.activates() {
                return met.gap <= self.activation.gap_tolerance;
            }
            let [normal, ..] = self.relative_velocity(c, &met, state);
            let part = self.activation.part(met.gap, normal, self.contacts.turns(c));
            part != ContactPart::Open
        };
        (0..self.contacts.len() as u32).filter(is_active).collect()
    }

    /// The pairs of bodies that a step from this state has for active.
    pub fn active_pairs(&self, state: &State) -> Vec<PairContact> {
        let (solids, d) = (&self.contacts.solids, self.dofs.dimension);
        let mut pairs = Vec::new();
        if solids.meet() {
            let within = self.activation.gap_tolerance;
            Detector::default().find(solids, (d, state.step), &state.q, within, &mut pairs);
        }
        pairs.retain(|pair| {
            let [normal, ..] = self.rows_of_pair(pair, state).of(0).velocity(&state.v);
            self.activation.part(pair.met.gap, normal, true) != ContactPart::Open
        });
        pairs
    }

    fn rows_of_pair(&self, pair: &PairContact, state: &State) -> HRows {
        let d = self.dofs.dimension;
        let met = self.contacts.solids.contact(pair, d, &state.q);
        let mut rows = HRows::default();
        self.contacts.add_rows_of_pair(pair, &met, d, &mut rows);
        rows
    }
}
