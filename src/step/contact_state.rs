//! What the contacts did, for those who write it down.

use crate::contact::obstacle::Frame;
use crate::contact::{ContactKey, Status};
use crate::energy::ContactWork;

/// What every candidate did in the last step, and behind them every pair of rigid bodies that met: a contact is known by
/// its place in these lists.
#[derive(Clone, Debug)]
pub struct ContactState {
    /// Gap where the step looked.
    pub gap: Vec<f64>,
    /// Frame of the surface there.
    pub frame: Vec<Frame>,
    /// Impulse (p_N, p_T) in that frame, zero where not active.
    pub impulse: Vec<[f64; 3]>,
    /// Coulomb's coefficient in the step.
    pub friction: Vec<f64>,
    /// Open, stick or slip.
    pub status: Vec<Status>,
    /// Key and contact set of the pairs, ascending by key; they follow the candidates.
    pub pairs: Vec<(ContactKey, u32)>,
    /// Where each of them is, midway between the two surfaces.
    pub places: Vec<[f64; 3]>,
    /// The active contacts, ascending.
    pub active: Vec<u32>,
    /// Works of the active contacts in this step, in the same order.
    pub work: Vec<ContactWork>,
    /// Work that moving obstacles did on the body in this step.
    pub obstacle_work: f64,
}

impl ContactState {
    /// Of so many candidates, before the first step.
    pub(super) fn new(count: usize) -> Self {
        Self {
            gap: vec![0.0; count],
            frame: vec![Frame::default(); count],
            impulse: vec![[0.0; 3]; count],
            friction: vec![0.0; count],
            status: vec![Status::Open; count],
            pairs: Vec::new(),
            places: Vec::new(),
            active: Vec::with_capacity(count),
            work: Vec::with_capacity(count),
            obstacle_work: 0.0,
        }
    }
}
