//! Sparse Cholesky factorisation by faer's supernodal algorithm.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky, supernodal::SymbolicSupernodalCholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Par, Side};

use super::UpperColumns;
use super::sweep::{Factor, Panel};

/// Why a matrix has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFactor {
    /// The pivot at this position of the elimination order is not positive.
    NotPositive {
        /// Position in the elimination order.
        position: usize,
    },
    /// It would have more than 2³² entries.
    TooLarge,
}

/// A = L Lᵀ, in the order in which `matrix` is given; columns from `trailing` on stay apart so that
/// they can be swept on their own.
pub fn factor(matrix: &UpperColumns, trailing: usize) -> Result<Factor, NoFactor> {
    let n = matrix.starts.len() - 1;
    let starts: Vec<u32> = matrix.starts.iter().map(|&s| s as u32).collect();
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &matrix.rows);
    let parameters = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
        ..Default::default()
    };
    let symbolic =
        factorize_symbolic_cholesky(pattern, Side::Upper, SymmetricOrdering::Identity, parameters)
            .map_err(|_| NoFactor::TooLarge)?;
    let values = eliminate(&symbolic, SparseColMatRef::new(pattern, &matrix.values))?;
    match symbolic.raw() {
        SymbolicCholeskyRaw::Supernodal(supernodes) => Ok(panels(supernodes, values, trailing)),
        SymbolicCholeskyRaw::Simplicial(_) => unreachable!("supernodal was asked for"),
    }
}

fn eliminate(
    symbolic: &SymbolicCholesky<u32>,
    matrix: SparseColMatRef<'_, u32, f64>,
) -> Result<Vec<f64>, NoFactor> {
    use faer::linalg::cholesky::llt::factor::LltError;
    let par = match rayon::current_num_threads() {
        1 => Par::Seq,
        threads => Par::rayon(threads),
    };
    let mut values = vec![0.0; symbolic.len_val()];
    let needed = symbolic.factorize_numeric_llt_scratch::<f64>(par, Default::default());
    let mut memory = MemBuffer::new(needed);
    let stack = MemStack::new(&mut memory);
    let outcome = symbolic.factorize_numeric_llt(
        &mut values,
        matrix,
        Side::Upper,
        Default::default(),
        par,
        stack,
        Default::default(),
    );
    match outcome {
        Ok(_) => Ok(values),
        Err(LltError::NonPositivePivot { index }) => Err(NoFactor::NotPositive { position: index }),
    }
}

/// Views of faer's supernodes as panels, the one that straddles `trailing` cut in two.
fn panels(
    supernodes: &SymbolicSupernodalCholesky<u32>,
    values: Vec<f64>,
    trailing: usize,
) -> Factor {
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for s in 0..supernodes.n_supernodes() {
        let start = supernodes.supernode_begin()[s] as usize;
        let end = supernodes.supernode_end()[s] as usize;
        let pattern = supernodes.supernode(s).pattern();
        let stride = end - start + pattern.len();
        let values_at = supernodes.col_ptr_for_val()[s] as usize;
        let cut = trailing.clamp(start, end);
        for (from, to) in [(start, cut), (cut, end)] {
            if from == to {
                continue;
            }
            let rows_at = rows.len();
            rows.extend((to..end).map(|row| row as u32));
            rows.extend_from_slice(pattern);
            panels.push(Panel {
                start: from,
                columns: to - from,
                rows_at,
                below: rows.len() - rows_at,
                values_at: values_at + (from - start) * (stride + 1),
                stride,
            });
        }
    }
    Factor::new(supernodes.ncols(), trailing, panels, rows, values)
}
