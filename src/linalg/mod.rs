//! Sparse symmetric matrices on a node graph, their elimination order, the Cholesky factor and its
//! sweeps. The only room that names `faer`.

mod cholesky;
mod dense;
mod diagonal_blocks;
mod dissection;
mod elimination;
mod front;
mod graph;
mod inverse;
mod kernel;
mod operator;
mod ordering;
mod plan;
mod sets;
mod sparse_lu;
mod store;
mod sum;
mod sweep;
mod tree;

pub use cholesky::{NoFactor, factor};
pub use dense::{DenseLu, RankLu};
pub use diagonal_blocks::DiagonalBlocks;
pub use graph::NodeGraph;
pub use operator::{BlockOperator, UpperColumns};
pub use ordering::contact_last;
pub use plan::Plan;
pub use sets::{DisjointSets, Partition};
pub use sparse_lu::{SparseLu, elimination_work};
pub use sum::dot;
pub use sweep::Factor;
