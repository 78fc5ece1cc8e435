//! The product as M and H, and from them.

use serde::Serialize;

use super::elimination::inverted;
use super::{BodyProduct, SMALL};
use crate::contact::HRows;
use crate::linalg::{DiagonalBlocks, DisjointSets, Partition};

/// A cone problem whose W is a product, as a global problem of the neutral format: W = Hᵀ M⁻¹ H there, and f = 0.
#[derive(Serialize)]
pub(in crate::contact) struct SavedProduct {
    schema: &'static str,
    kind: &'static str,
    dimension: usize,
    contacts: usize,
    mu: Vec<f64>,
    f: Vec<f64>,
    w: Vec<f64>,
    #[serde(rename = "M")]
    mass: SavedColumns,
    #[serde(rename = "H")]
    forces: SavedColumns,
}

/// A sparse matrix by columns.
#[derive(Serialize)]
struct SavedColumns {
    format: &'static str,
    nrows: usize,
    ncols: usize,
    nnz: usize,
    colptr: Vec<usize>,
    rowind: Vec<usize>,
    values: Vec<f64>,
}

impl SavedColumns {
    /// Of the rows and values of every column, zeros left out.
    fn of(rows: usize, columns: Vec<Vec<(usize, f64)>>) -> Self {
        let (mut colptr, mut rowind, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in &columns {
            for &(row, value) in column.iter().filter(|(_, value)| *value != 0.0) {
                rowind.push(row);
                values.push(value);
            }
            colptr.push(values.len());
        }
        let (ncols, nnz) = (columns.len(), values.len());
        Self { format: "csc", nrows: rows, ncols, nnz, colptr, rowind, values }
    }
}

impl SavedProduct {
    pub fn of(product: &BodyProduct, b: Vec<f64>, mu: Vec<f64>) -> Self {
        let (d, n) = (product.components(), product.motion_size());
        let mut mass = vec![Vec::new(); n];
        let mut forces = vec![Vec::new(); d * product.contacts()];
        product.for_each_mass(|row, column, value| mass[column].push((row, value)));
        for alpha in 0..product.contacts() {
            for segment in product.segments_of(alpha) {
                for (place, h) in segment.places().zip(&product.h[segment.columns()]) {
                    (0..d).for_each(|i| forces[d * alpha + i].push((place, h[i])));
                }
            }
            forces[d * alpha..d * (alpha + 1)].iter_mut().for_each(|own| own.sort_by_key(|e| e.0));
        }
        Self {
            schema: "fc-problem/1",
            kind: "global",
            dimension: d,
            contacts: product.contacts(),
            f: vec![0.0; n],
            mass: SavedColumns::of(n, mass),
            forces: SavedColumns::of(n, forces),
            w: b,
            mu,
        }
    }
}

impl BodyProduct {
    /// From the entries (row, column, value) of a mass matrix of that size and the rows of H over its dofs; `None` where
    /// masses hang together in more than a body does, or do not move every component.
    pub fn of_masses(
        components: usize,
        size: usize,
        entries: impl Iterator<Item = (usize, usize, f64)> + Clone,
        rows: &HRows,
    ) -> Option<Self> {
        let mut sets = DisjointSets::new(size);
        entries.clone().for_each(|(i, j, _)| sets.join(i as u32, j as u32));
        // Dofs of a body mostly follow each other: one part of them is faster than one for each.
        let own = if components == 3 { 6 } else { 3 };
        if size.is_multiple_of(own) && entries.clone().all(|(i, j, _)| i / own == j / own) {
            (0..size).for_each(|dof| sets.join((dof / own * own) as u32, dof as u32));
        }
        let parts = Partition::of(sets);
        if (0..parts.sets()).any(|set| parts.members(set).len() > SMALL) {
            return None;
        }
        let mut masses = vec![0.0; size * SMALL];
        entries.for_each(|(i, j, value)| masses[SMALL * i + parts.place_of(j)] += value);
        let mut definite = true;
        let inverses = DiagonalBlocks::from_blocks(parts, |members, block| {
            let (n, mut own) = (members.len(), [0.0; SMALL * SMALL]);
            for (i, &row) in members.iter().enumerate() {
                own[n * i..][..n].copy_from_slice(&masses[SMALL * row as usize..][..n]);
            }
            let inverse = inverted(&own, n);
            for i in 0..n {
                block[n * i..][..n].copy_from_slice(&inverse[SMALL * i..][..n]);
                definite &= block[n * i + i] > 0.0;
            }
        });
        let (response, mut product) = ((inverses.partition(), &inverses), Self::default());
        let of = |at: usize| rows.of(at);
        let number = |dof: u32| Some(dof as usize);
        (definite && product.fill((components, rows.len()), response, of, number))
            .then_some(product)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::chain;
    use super::*;

    /// Inverted and inverted again: a few roundings of a condition of ten.
    #[test]
    fn what_is_saved_is_the_same_product() {
        let (product, w) = chain(6, 4, 3);
        let n = w.len();
        let saved = SavedProduct::of(&product, vec![0.0; n], vec![0.3; n / 3]);
        let entries = |columns: &SavedColumns| {
            let of = |j: usize| columns.colptr[j]..columns.colptr[j + 1];
            let all: Vec<(usize, usize, f64)> = (0..columns.ncols)
                .flat_map(|j| of(j).map(move |k| (j, k)))
                .map(|(j, k)| (columns.rowind[k], j, columns.values[k]))
                .collect();
            all
        };
        let (mass, forces) = (entries(&saved.mass), entries(&saved.forces));
        let mut rows = HRows::default();
        for alpha in 0..n / 3 {
            let mut columns = std::collections::BTreeMap::new();
            for &(dof, j, value) in forces.iter().filter(|(_, j, _)| j / 3 == alpha) {
                columns.entry(dof as u32).or_insert([0.0; 3])[j % 3] = value;
            }
            rows.push(columns.into_iter());
        }
        let again = BodyProduct::of_masses(3, saved.mass.nrows, mass.into_iter(), &rows).unwrap();
        let dense = again.columns().to_dense();
        for i in 0..n {
            for j in 0..n {
                assert!((dense[i * n + j] - w[i][j]).abs() < 1e-13, "{i} {j}");
            }
        }
    }
}
