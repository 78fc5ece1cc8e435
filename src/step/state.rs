//! Where the body is.

use crate::linalg::BlockOperator;

/// Displacements and velocities at one instant, with the products the scheme needs of them.
#[derive(Clone, Debug)]
pub struct State {
    /// Number of steps taken.
    pub step: usize,
    /// Time, step · h.
    pub time: f64,
    /// Displacements.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// M v.
    pub mv: Vec<f64>,
    /// K q.
    pub kq: Vec<f64>,
    /// Travel of the obstacle of each contact set since t = 0.
    pub travel: Vec<[f64; 2]>,
}

impl State {
    /// State at t = 0.
    pub fn new(operator: &BlockOperator, q: Vec<f64>, v: Vec<f64>, contact_sets: usize) -> Self {
        let n = q.len();
        let mut state = Self {
            step: 0,
            time: 0.0,
            q,
            v,
            mv: vec![0.0; n],
            kq: vec![0.0; n],
            travel: vec![[0.0; 2]; contact_sets],
        };
        operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
        state
    }
}
