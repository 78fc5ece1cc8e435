//! What stands beside the elements: masses on nodes, and springs between them.

use crate::linalg::BlockOperator;

/// A spring with a dashpot between two nodes, along a fixed direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Its nodes.
    pub nodes: [u32; 2],
    /// Unit vector.
    pub axis: [f64; 3],
    /// Stiffness.
    pub stiffness: f64,
    /// Damping.
    pub damping: f64,
}

/// Masses and springs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// (node, mass).
    pub masses: Vec<(u32, f64)>,
    /// Springs.
    pub springs: Vec<Spring>,
}

impl Parts {
    /// Whether a dashpot is among them.
    pub fn damp(&self) -> bool {
        self.springs.iter().any(|spring| spring.damping != 0.0)
    }

    /// Adds masses and springs to M and K, dashpots to C.
    pub(super) fn add_to(&self, operator: &mut BlockOperator, damping: Option<&mut BlockOperator>) {
        let d = operator.dimension();
        let nothing = vec![0.0; 4 * d * d];
        for &(node, mass) in &self.masses {
            operator.add_element(&[node], &[mass], &nothing[..d * d]);
        }
        for spring in &self.springs {
            operator.add_element(&spring.nodes, &[0.0; 4], &spring.matrix(d, spring.stiffness));
        }
        let Some(damping) = damping else { return };
        for spring in &self.springs {
            damping.add_element(&spring.nodes, &[0.0; 4], &spring.matrix(d, spring.damping));
        }
    }
}

impl Spring {
    /// k (aaᵀ, −aaᵀ; −aaᵀ, aaᵀ).
    fn matrix(&self, d: usize, k: f64) -> Vec<f64> {
        let mut matrix = vec![0.0; 4 * d * d];
        for (row, entries) in matrix.chunks_exact_mut(2 * d).enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                let sign = if row / d == column / d { 1.0 } else { -1.0 };
                *entry = sign * k * self.axis[row % d] * self.axis[column % d];
            }
        }
        matrix
    }
}
