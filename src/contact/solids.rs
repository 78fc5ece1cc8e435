//! Rigid bodies that may touch each other, and where they do.

use std::ops::Range;
use std::sync::Arc;

use super::detect::{
    BroadPhase, Carrier, Convex, DetectScratch, Meeting, PieceBox, Placement, meet,
};
use super::{Contact, ContactKey, Frame, Grip, Lever, norm as length_of};
use crate::vector::minus;
use crate::vector::rotation::matrix_of;

/// A rigid body as others meet it.
#[derive(Clone, Debug)]
pub struct ContactBody {
    /// Its centre of mass.
    pub center: Grip,
    /// Its angle at rest, in the plane.
    pub angle: f64,
    /// What it is made of, seen from the centre: in space in the principal axes, in the plane at angle 0.
    pub pieces: Arc<[Convex]>,
    /// The farthest of its points from the centre.
    pub reach: f64,
    /// Which line and column of the table of laws it has.
    pub class: u32,
    /// Whether its motion is prescribed.
    pub driven: bool,
    /// From which step on it is there, and from which on no longer.
    pub present: Range<usize>,
}

/// All of them, and by which contact set each two obey.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    /// The bodies.
    pub bodies: Vec<ContactBody>,
    /// Number of classes.
    pub classes: usize,
    /// The contact set of two classes, line by line; none where they pass through each other.
    pub laws: Vec<Option<u32>>,
    /// Pairs that joints connect, ascending: they do not touch.
    pub joined: Vec<[u32; 2]>,
}

/// Where two bodies meet in a configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairContact {
    /// Who they are.
    pub key: ContactKey,
    /// The contact set that it obeys.
    pub set: u32,
    /// Gap, normal and place.
    pub met: Meeting,
    /// From the centres to the place.
    pub arms: [[f64; 3]; 2],
}

impl PairContact {
    /// Its frame in a space of that dimension.
    pub fn frame(&self, dimension: usize) -> Frame {
        match dimension {
            3 => Frame::in_space(self.met.normal),
            _ => Frame::in_plane(self.met.normal),
        }
    }

    /// Which of the two carries the place along, and whether as a point of its own.
    pub fn carried_by(&self) -> (usize, bool) {
        match self.met.carrier {
            Carrier::First => (0, true),
            Carrier::Second => (1, true),
            Carrier::CenterOfFirst => (0, false),
            Carrier::CenterOfSecond => (1, false),
        }
    }
}

impl ContactBody {
    /// Where it is under the displacements `q`.
    pub fn placement(&self, dimension: usize, q: &[f64]) -> Placement {
        let place = self.center.place(dimension, q);
        let dofs = self.center.turn_dofs();
        let turn = match dofs.len() {
            3 => matrix_of([q[dofs.start], q[dofs.start + 1], q[dofs.start + 2]]),
            _ => {
                let (sine, cosine) = (self.angle + q[dofs.start]).sin_cos();
                [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]]
            }
        };
        Placement { place, turn }
    }

    /// Whether it is there in the step that begins after so many.
    pub fn is_present(&self, step: usize) -> bool {
        self.present.contains(&step)
    }
}

impl Solids {
    /// Whether no two bodies can touch.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Whether any two of them obey a law, so that they can meet.
    pub fn meet(&self) -> bool {
        self.laws.iter().any(Option::is_some)
    }

    /// The fastest that two of their points can come near each other.
    pub fn fastest_approach(&self, dimension: usize, v: &[f64]) -> f64 {
        let speed = |solid: &ContactBody| {
            let turns = solid.center.turn_dofs();
            let of = |dofs: Range<usize>| length_of(&v[dofs]);
            let node = solid.center.node().map_or(0, |node| dimension * node as usize);
            of(node..node + dimension) + of(turns) * solid.reach
        };
        2.0 * self.bodies.iter().map(speed).fold(0.0, f64::max)
    }

    /// What a pair is under the displacements `q`, where it was found.
    pub fn contact(&self, pair: &PairContact, dimension: usize, q: &[f64]) -> Contact {
        let lever = |k: usize| {
            let center = &self.bodies[pair.key.bodies[k] as usize].center;
            Lever { arm: pair.arms[k], ..center.lever(q) }
        };
        let levers = [lever(0), lever(1)];
        Contact { gap: pair.met.gap, frame: pair.frame(dimension), place: pair.met.place, levers }
    }

    /// The contact set that two bodies obey, the first with the smaller number; none where they do not meet.
    pub fn law_of_pair(&self, a: usize, b: usize) -> Option<u32> {
        let [first, second] = [a, b].map(|body| &self.bodies[body]);
        if a == b || (first.driven && second.driven) {
            return None;
        }
        let set = self.laws[first.class as usize * self.classes + second.class as usize]?;
        self.joined.binary_search(&[a as u32, b as u32]).is_err().then_some(set)
    }
}

/// Finds contacts between bodies. What it keeps is memory to work in.
#[derive(Debug, Default)]
pub struct Detector {
    placements: Vec<Placement>,
    /// (body, number among its own) of every piece that takes part.
    pieces: Vec<(u32, u16)>,
    boxes: Vec<PieceBox>,
    broad: BroadPhase,
    near: Vec<[u32; 2]>,
    scratch: DetectScratch,
    met: Vec<Meeting>,
}

impl Detector {
    /// All contacts with a gap of at most `within` in the step that begins after `step` others, ascending by key.
    pub fn find(
        &mut self,
        solids: &Solids,
        (dimension, step): (usize, usize),
        q: &[f64],
        within: f64,
        found: &mut Vec<PairContact>,
    ) {
        found.clear();
        self.placements.clear();
        self.pieces.clear();
        self.boxes.clear();
        for (body, solid) in solids.bodies.iter().enumerate() {
            let at = solid.placement(dimension, q);
            self.placements.push(at);
            if !solid.is_present(step) {
                continue;
            }
            for (number, piece) in solid.pieces.iter().enumerate() {
                self.pieces.push((body as u32, number as u16));
                self.boxes.push(PieceBox::around(piece, &at, 0.5 * within));
            }
        }
        self.near.clear();
        self.broad.pairs_into(&self.boxes, &mut self.near);
        for &[i, j] in &self.near {
            let [(a, piece_a), (b, piece_b)] = [self.pieces[i as usize], self.pieces[j as usize]];
            let Some(set) = solids.law_of_pair(a as usize, b as usize) else { continue };
            let [first, second] = [a, b].map(|body| &solids.bodies[body as usize]);
            let at = [a, b].map(|body| &self.placements[body as usize]);
            self.met.clear();
            let convex = [&first.pieces[piece_a as usize], &second.pieces[piece_b as usize]];
            let pair = ((convex[0], at[0]), (convex[1], at[1]));
            meet(pair.0, pair.1, within, &mut self.scratch, &mut self.met);
            found.extend(self.met.iter().map(|met| PairContact {
                key: ContactKey {
                    bodies: [a, b],
                    pieces: [piece_a, piece_b],
                    feature: met.feature,
                },
                set,
                met: *met,
                arms: at.map(|at| minus(met.place, at.place)),
            }));
        }
        found.sort_unstable_by_key(|contact| contact.key);
    }
}
