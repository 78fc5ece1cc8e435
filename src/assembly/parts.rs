//! What stands beside the elements: masses on nodes, inertias of rotations, and springs.

use crate::linalg::BlockOperator;

/// A spring with a dashpot between two nodes, or a node and the ground, along a fixed direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Its nodes: two, or one that hangs on the ground.
    pub nodes: Vec<u32>,
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
    /// Inertia of each dof of a rotation.
    pub inertias: Vec<f64>,
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
        self.inertias.iter().for_each(|&inertia| operator.add_rotation(inertia));
        self.springs.iter().for_each(|spring| spring.add_to(operator, spring.stiffness));
        let Some(damping) = damping else { return };
        self.inertias.iter().for_each(|_| damping.add_rotation(0.0));
        self.springs.iter().for_each(|spring| spring.add_to(damping, spring.damping));
    }
}

impl Spring {
    fn add_to(&self, operator: &mut BlockOperator, k: f64) {
        let d = operator.dimension();
        let matrix = self.matrix(d, k);
        match self.nodes[..] {
            [node] => {
                let own: Vec<f64> = (0..d * d).map(|at| matrix[at / d * 2 * d + at % d]).collect();
                operator.add_anchor(node, &own);
            }
            _ => operator.add_element(&self.nodes, &[0.0; 4], &matrix),
        }
    }

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
