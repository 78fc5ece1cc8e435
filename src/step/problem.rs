//! All that a step needs and no step changes.

use std::ops::Range;

use super::{Scheme, State};
use crate::assembly::{DofMap, Loads};
use crate::contact::{Activation, Contact, Contacts, Coupling, Grip, HRows, Joint};
use crate::linalg::{BlockOperator, Partition};

/// A rigid body that comes or goes.
#[derive(Clone, Debug)]
pub struct Presence {
    /// Its centre.
    pub center: Grip,
    /// The steps in which it is there, counted from 0.
    pub steps: Range<usize>,
    /// What its dofs begin with when it comes.
    pub velocity: Vec<f64>,
}

impl Presence {
    /// Its dofs, in a space of that dimension.
    pub fn dofs(&self, dimension: usize) -> impl Iterator<Item = usize> + use<> {
        self.center.dofs(dimension)
    }
}

/// The discrete problem: matrices, dofs, loads, contacts, and how to step.
#[derive(Clone, Debug)]
pub struct Problem {
    /// M and K.
    pub operator: BlockOperator,
    /// C, where anything damps.
    pub damping: Option<BlockOperator>,
    /// Driven dofs and elimination order.
    pub dofs: DofMap,
    /// External forces.
    pub loads: Loads,
    /// Contact candidates.
    pub contacts: Contacts,
    /// Nodes of the centres of rigid bodies, in the order of their rotations.
    pub rigid: Vec<u32>,
    /// Rigid bodies that are not there from start to end.
    pub presences: Vec<Presence>,
    /// Which candidates take part in a step.
    pub activation: Activation,
    /// How it steps.
    pub scheme: Scheme,
    /// Step size h.
    pub h: f64,
}

impl Problem {
    /// M̂ = M + aC + bK with the weights of the scheme, as one operator.
    pub fn effective_mass(&self) -> BlockOperator {
        let (from_damping, from_stiffness) = self.scheme.weights(self.h);
        let mut effective = self.operator.scaled(1.0, from_stiffness);
        if let Some(damping) = &self.damping {
            effective.add_scaled(damping, from_damping, from_damping);
        }
        effective
    }

    /// The node that a dof belongs to: that of the centre, for a rotation.
    pub fn node_of(&self, dof: usize) -> usize {
        match dof.checked_sub(self.operator.node_dofs()) {
            Some(rotation) => self.rigid[rotation / self.turns_per_body()] as usize,
            None => dof / self.dofs.dimension,
        }
    }

    /// Positions of the free dofs of every rigid body.
    pub fn positions_of_bodies(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let (d, turns, first) =
            (self.dofs.dimension, self.turns_per_body(), self.operator.node_dofs());
        self.rigid.iter().enumerate().map(move |(body, &node)| {
            let own = d * node as usize..d * (node as usize + 1);
            let turning = first + turns * body..first + turns * (body + 1);
            own.chain(turning).filter_map(|dof| self.dofs.position_of(dof))
        })
    }

    /// Dofs of the rotation of a rigid body.
    pub fn turns_per_body(&self) -> usize {
        if self.dofs.dimension == 3 { 3 } else { 1 }
    }

    /// Whether the frame of any candidate or the gradient of any joint turns.
    pub fn frames_turn(&self) -> bool {
        let contacts = &self.contacts;
        (0..contacts.len()).any(|c| contacts.turns(c)) || contacts.joints.iter().any(Joint::turns)
    }

    /// Pairs of candidates that may be in W, where impulses are felt within the sets of `partition`, of contact dofs by
    /// their positions after the first, and through joints. Of several bodies a point touches one at a time.
    pub(super) fn coupled_pairs(&self, partition: &Partition) -> usize {
        let (contacts, dofs) = (&self.contacts, &self.dofs);
        let joined = (!contacts.joints.is_empty()).then(|| self.joined_by_joints(partition));
        let partition = joined.as_ref().unwrap_or(partition);
        if partition.sets() <= 1 {
            return contacts.len().pow(2);
        }
        let mut coupling = Coupling::default();
        coupling.find(partition, contacts.len(), |c| {
            let counts = contacts.body_of(c).is_none() || contacts.candidates[c].face == 0;
            let own = contacts.grips_of(c).filter(move |_| counts);
            let own = own.flat_map(|grip| grip.dofs(dofs.dimension));
            own.filter_map(|dof| dofs.position_of(dof)).map(|at| at as usize - dofs.trailing)
        });
        coupling.pairs()
    }

    /// Where candidate `c` is in a state.
    pub fn contact(&self, c: usize, state: &State) -> Contact {
        let pose = &state.poses[self.contacts.candidates[c].set];
        self.contacts.contact(c, self.dofs.dimension, &state.q, pose)
    }

    /// H of candidate `c`, where it is as `contact` says.
    pub fn rows(&self, c: usize, contact: &Contact) -> HRows {
        let mut rows = HRows::default();
        self.contacts.add_rows(c, contact, self.dofs.dimension, &mut rows);
        rows
    }

    /// Velocity of candidate `c` relative to what it may touch, in the frame of that.
    pub fn relative_velocity(&self, c: usize, met: &Contact, state: &State) -> [f64; 3] {
        let mut u = self.rows(c, met).of(0).velocity(&state.v);
        if let Some(obstacle) = self.contacts.set_of(c).against.obstacle() {
            let pose = &state.poses[self.contacts.candidates[c].set];
            let own = met.frame.to_frame(obstacle.velocity_at(met.place, pose));
            (0..3).for_each(|i| u[i] -= own[i]);
        }
        u
    }
}
