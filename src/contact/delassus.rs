//! W: in blocks, or as a product through the bodies.

use std::sync::OnceLock;

use super::blocks::BlockColumns;
use super::product::BodyProduct;
use crate::linalg::{DisjointSets, Partition};

/// The Delassus matrix of a cone problem.
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    /// Whether it is the product; its blocks are then formed where they are asked for.
    is_product: bool,
    product: BodyProduct,
    blocks: BlockColumns,
    formed: OnceLock<BlockColumns>,
}

impl PartialEq for Delassus {
    fn eq(&self, other: &Self) -> bool {
        self.blocks() == other.blocks()
    }
}

impl From<BlockColumns> for Delassus {
    fn from(blocks: BlockColumns) -> Self {
        Self { blocks, ..Self::default() }
    }
}

impl From<BodyProduct> for Delassus {
    fn from(product: BodyProduct) -> Self {
        Self { is_product: true, product, ..Self::default() }
    }
}

impl Delassus {
    /// Its blocks.
    pub fn blocks(&self) -> &BlockColumns {
        match self.is_product {
            true => self.formed.get_or_init(|| self.product.columns()),
            false => &self.blocks,
        }
    }

    /// The product that it is, if it is one.
    pub fn product(&self) -> Option<&BodyProduct> {
        self.is_product.then_some(&self.product)
    }

    /// Makes it the blocks that are written now.
    pub fn blocks_mut(&mut self) -> &mut BlockColumns {
        self.is_product = false;
        &mut self.blocks
    }

    /// Makes it the product that `fill` writes, if that says so.
    pub fn try_product(&mut self, fill: impl FnOnce(&mut BodyProduct) -> bool) -> bool {
        self.formed.take();
        self.is_product = fill(&mut self.product);
        self.is_product
    }

    /// Components per contact.
    pub fn dimension(&self) -> usize {
        self.product().map_or(self.blocks.dimension(), BodyProduct::components)
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.product().map_or(self.blocks.contacts(), BodyProduct::contacts)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.contacts() == 0
    }

    /// W_αα, row by row.
    pub fn diagonal(&self, alpha: usize) -> &[f64] {
        match self.is_product {
            true => self.product.diagonal(alpha),
            false => self.blocks.diagonal(alpha),
        }
    }

    /// (row, block) of the blocks in the column of contact `beta`.
    pub fn column(&self, beta: usize) -> impl Iterator<Item = (usize, &[f64])> {
        self.blocks().column(beta)
    }

    /// How much more an elimination costs than a product with it, counted in multiplications.
    pub fn elimination_cost(&self) -> f64 {
        match self.is_product {
            true => self.product.elimination_cost(),
            false => self.blocks.elimination_cost(),
        }
    }

    /// Becomes the part of another one between the contacts of one of its `islands`, which feel no other.
    pub fn select(&mut self, other: &Self, islands: &Partition, which: usize) {
        match other.is_product {
            true => {
                self.try_product(|own| {
                    own.select(&other.product, islands, which);
                    true
                });
            }
            false => self.blocks_mut().select(&other.blocks, islands, which),
        }
    }

    /// Joins the contacts that feel each other.
    pub fn join(&self, sets: &mut DisjointSets, memory: &mut Vec<u32>) {
        if let Some(product) = self.product() {
            return product.join(sets, memory);
        }
        for beta in 0..self.contacts() {
            if sets.count() <= 1 {
                return;
            }
            for (alpha, block) in self.blocks.column(beta) {
                if alpha != beta && block.iter().any(|&w| w != 0.0) {
                    sets.join(alpha as u32, beta as u32);
                }
            }
        }
    }
}
