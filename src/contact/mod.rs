//! Contact: obstacles and gaps, frames and H, joints, responses and W, the laws, the cone problem.

mod blocks;
mod body_passage;
mod cone;
mod coulomb;
mod delassus;
pub mod detect;
mod friction;
mod grip;
mod joint;
mod key;
mod law;
pub mod obstacle;
mod onto;
mod passage;
mod product;
mod response;
mod rows;
mod solids;
pub mod solver;

pub use blocks::BlockColumns;
pub use body_passage::{BodyPassage, BodyPassages};
pub(crate) use cone::norm;
pub use cone::{ConeProblem, Measure, Status};
pub use coulomb::Examination;
pub use delassus::Delassus;
pub use friction::{Approach, Friction};
pub use grip::{Grip, Lever, cayley_between, turning_axes};
pub use joint::{Joint, JointKind};
pub use key::ContactKey;
pub use law::{Law, Restitution};
pub use product::BodyProduct;
pub use response::{Coupling, Response};
pub use rows::{HRow, HRows};
pub use solids::{ContactBody, Detector, PairContact, Solids};

use obstacle::{Frame, Obstacle, Pose, unit};

/// One point that may touch something.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The point, or the centre of the disk or ball.
    pub grip: Grip,
    /// Radius of a disk or ball; 0 for a point.
    pub radius: f64,
    /// Which contact set of the case it belongs to.
    pub set: usize,
    /// Which face of the obstacle, or which of the bodies, it may touch; 0 where there is one only.
    pub face: usize,
    /// Unit normal out of the surface that it is a point of, where that is known and of use; 0 elsewhere.
    pub outward: [f64; 3],
}

impl Candidate {
    /// A node that may touch the obstacle of its set.
    pub fn node(node: u32, point: [f64; 3], set: usize) -> Self {
        Self::of(Grip::Node { node, point }, 0.0, set)
    }

    /// What moves with `grip` and touches at a distance.
    pub fn of(grip: Grip, radius: f64, set: usize) -> Self {
        Self { grip, radius, set, face: 0, outward: [0.0; 3] }
    }
}

/// What the candidates of a set may touch.
#[derive(Clone, Debug)]
pub enum Against {
    /// A rigid obstacle.
    Obstacle(Box<Obstacle>),
    /// Another disk or ball.
    Ball {
        /// Its centre.
        grip: Grip,
        /// Its radius.
        radius: f64,
    },
    /// Nothing: a Coulomb slider, whose force along an axis is bounded by a given one.
    Slider {
        /// What slides on what.
        grip: Grip,
        /// Unit vector.
        axis: [f64; 3],
        /// The bound.
        force: f64,
    },
    /// Rigid bodies of [`Contacts::solids`], by their numbers there; [`Candidate::face`] says which of these.
    Body(Vec<u32>),
    /// Each other: the rigid bodies of [`Contacts::solids`]. Such a set has no candidates.
    Solids,
}

impl Against {
    /// Where it starts.
    pub fn initial_pose(&self) -> Pose {
        self.obstacle().map_or(Pose::default(), Obstacle::initial_pose)
    }

    /// What moves it, where it is a ball or a slider.
    pub fn grip(&self) -> Option<&Grip> {
        match self {
            Self::Obstacle(_) | Self::Body(_) | Self::Solids => None,
            Self::Ball { grip, .. } | Self::Slider { grip, .. } => Some(grip),
        }
    }

    /// The obstacle, where it is one.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        match self {
            Self::Obstacle(obstacle) => Some(obstacle),
            Self::Ball { .. } | Self::Slider { .. } | Self::Body(_) | Self::Solids => None,
        }
    }
}

/// What all candidates of one contact set share.
#[derive(Clone, Debug)]
pub struct ContactSet {
    /// Its name in the case.
    pub name: String,
    /// What its candidates may touch.
    pub against: Against,
    /// Coulomb's coefficient μ.
    pub friction: Friction,
    /// e and e_T of the impact law.
    pub restitution: Restitution,
}

/// Every candidate and its set, and what is held together without a choice.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The contact sets.
    pub sets: Vec<ContactSet>,
    /// The candidates, those of one set together.
    pub candidates: Vec<Candidate>,
    /// The bilateral constraints.
    pub joints: Vec<Joint>,
    /// Rigid bodies in space, and those in the plane where they may touch each other.
    pub solids: Solids,
}

/// Where a candidate is with respect to what it may touch, in one configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contact {
    /// Gap.
    pub gap: f64,
    /// Frame: the normal towards the candidate, and tangents.
    pub frame: Frame,
    /// Where they meet.
    pub place: [f64; 3],
    /// How the candidate's body moves it there, and how what it may touch does, where they turn.
    pub levers: [Lever; 2],
}

impl Contacts {
    /// The set of candidate `c`.
    pub fn set_of(&self, c: usize) -> &ContactSet {
        &self.sets[self.candidates[c].set]
    }

    /// Name of candidate `c`: its set, with its number in it where the set has several.
    pub fn name_of(&self, c: usize) -> String {
        let set = self.candidates[c].set;
        let own = |other: &&Candidate| other.set == set;
        match self.candidates.iter().filter(own).count() {
            1 => self.sets[set].name.clone(),
            _ => {
                let before = self.candidates[..c].iter().filter(own).count();
                format!("{}:{}", self.sets[set].name, before + 1)
            }
        }
    }

    /// Number of the face, or of the body, that candidate `c` may touch, from 1; 0 where there is one only.
    pub fn face_of(&self, c: usize) -> usize {
        let faces = match &self.set_of(c).against {
            Against::Obstacle(obstacle) => obstacle.faces(),
            Against::Body(bodies) => bodies.len(),
            Against::Ball { .. } | Against::Slider { .. } | Against::Solids => 1,
        };
        if faces > 1 { self.candidates[c].face + 1 } else { 0 }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether nothing can touch anything.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The grips of candidate `c`: its own, and that of what it may touch.
    pub fn grips_of(&self, c: usize) -> impl Iterator<Item = &Grip> {
        let body = self.body_of(c).map(|body| &body.center);
        let other = self.set_of(c).against.grip().or(body);
        std::iter::once(&self.candidates[c].grip).chain(other)
    }

    /// Every grip of candidates, joints and bodies that turn.
    pub fn grips(&self) -> impl Iterator<Item = &Grip> {
        let others = self.sets.iter().filter_map(|set| set.against.grip());
        let joints = self.joints.iter().flat_map(|joint| &joint.grips);
        let solids = self.solids.bodies.iter().map(|body| &body.center);
        let own = self.candidates.iter().map(|candidate| &candidate.grip);
        own.chain(others).chain(joints).chain(solids)
    }

    /// Whether H of candidate `c` changes with the configuration or the time.
    pub fn turns(&self, c: usize) -> bool {
        let moves = match &self.set_of(c).against {
            Against::Obstacle(obstacle) => obstacle.frames_turn(self.candidates[c].face),
            Against::Ball { .. } | Against::Body(_) => true,
            Against::Slider { .. } | Against::Solids => false,
        };
        moves || self.candidates[c].grip.turns()
    }

    /// Where candidate `c` is under the displacements `q`, with its obstacle at `pose`.
    ///
    /// A disk of radius r touches at its centre less r n, and turns about its centre.
    pub fn contact(&self, c: usize, dimension: usize, q: &[f64], pose: &Pose) -> Contact {
        if let Some(body) = self.body_of(c) {
            return self.contact_with_body(c, body, (dimension, q));
        }
        let Candidate { grip, radius, face, .. } = &self.candidates[c];
        let (center, lever) = (grip.place(dimension, q), grip.lever(q));
        match &self.set_of(c).against {
            Against::Obstacle(obstacle) => {
                let touch = obstacle.touch(*face, center, pose);
                let n = touch.frame.normal();
                let place = [0, 1, 2].map(|i| center[i] - radius * n[i]);
                let levers = [beyond(lever, n, -radius), Lever::default()];
                Contact { gap: touch.gap - radius, frame: touch.frame, place, levers }
            }
            Against::Ball { grip: other, radius: other_radius } => {
                let from = other.place(dimension, q);
                let apart = [0, 1, 2].map(|i| center[i] - from[i]);
                let n = unit(apart).unwrap_or([1.0, 0.0, 0.0]);
                let frame = if dimension == 3 { Frame::in_space(n) } else { Frame::in_plane(n) };
                let gap = norm(&apart) - radius - other_radius;
                // One place for both, so that angular momentum stays: half the gap from either rim.
                let (own, others) = (radius + 0.5 * gap, other_radius + 0.5 * gap);
                let place = [0, 1, 2].map(|i| center[i] - own * n[i]);
                let levers = [beyond(lever, n, -own), beyond(other.lever(q), n, others)];
                Contact { gap, frame, place, levers }
            }
            Against::Slider { grip: other, axis, .. } => {
                let frame = Frame { axes: [[0.0; 3], *axis, [0.0; 3]] };
                Contact { gap: 0.0, frame, place: center, levers: [lever, other.lever(q)] }
            }
            Against::Body(_) | Against::Solids => unreachable!("bodies are met above"),
        }
    }

    /// Whether H of candidate `c` follows a body whose turn within a step counts.
    pub fn swings(&self, c: usize) -> bool {
        !self.solids.is_empty() && self.grips_of(c).any(Grip::turns)
    }

    /// The levers of candidate `c`, which is as `contact` says, in a step from `q0` to `q1`.
    pub fn mean_levers(&self, c: usize, contact: &Contact, q0: &[f64], q1: &[f64]) -> [Lever; 2] {
        let n = contact.frame.normal();
        if let Some(body) = self.body_of(c) {
            return self.mean_levers_to_body(c, (body, n), q0, q1);
        }
        let Candidate { grip, radius, .. } = &self.candidates[c];
        let own = grip.mean_lever(q0, q1);
        match &self.set_of(c).against {
            Against::Obstacle(_) | Against::Body(_) | Against::Solids => {
                [beyond(own, n, -radius), Lever::default()]
            }
            Against::Ball { grip, .. } => {
                let [first, second] = contact.levers;
                [
                    Lever { axes: own.axes, ..first },
                    Lever { axes: grip.mean_lever(q0, q1).axes, ..second },
                ]
            }
            Against::Slider { grip, .. } => [own, grip.mean_lever(q0, q1)],
        }
    }

    /// Adds the rows of H of a pair of bodies, where they are as `contact` says.
    pub fn add_rows_of_pair(
        &self,
        pair: &PairContact,
        contact: &Contact,
        dimension: usize,
        rows: &mut HRows,
    ) {
        rows.begin();
        let bodies = pair.key.bodies.map(|body| &self.solids.bodies[body as usize].center);
        for ((grip, lever), sign) in bodies.into_iter().zip(&contact.levers).zip([1.0, -1.0]) {
            rows.add(grip, dimension, lever, &contact.frame.axes, sign);
        }
    }

    /// Adds the rows of H of candidate `c`, where it is as `contact` says.
    pub fn add_rows(&self, c: usize, contact: &Contact, dimension: usize, rows: &mut HRows) {
        rows.begin();
        for ((grip, lever), sign) in self.grips_of(c).zip(&contact.levers).zip([1.0, -1.0]) {
            rows.add(grip, dimension, lever, &contact.frame.axes, sign);
        }
    }
}

/// A lever that leads farther by r along n.
fn beyond(lever: Lever, n: [f64; 3], r: f64) -> Lever {
    let arm = [0, 1, 2].map(|i| lever.arm[i] + r * n[i]);
    Lever { arm, ..lever }
}

/// When a candidate takes part in a step: where it is closed, and by its rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activation {
    /// Closed when g ≤ this.
    pub gap_tolerance: f64,
    /// What is asked of the normal velocity u_N,k of one that is closed.
    pub rule: ActivationRule,
}

/// What is asked of the normal velocity of a closed contact at the start of a step.
///
/// A contact held closed has u_N,k = 0 up to rounding. Compared with 0 it would be dropped every other
/// step, and half of the friction with it, (64); kept with its own e, it may create energy. The mean law
/// e = (1−θ)/θ for what leaves is the same as any e where u_N,k = 0 and does no normal work at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ActivationRule {
    /// Nothing: every closed contact is active, with the mean law where u_N,k > 0.
    #[default]
    Closed,
    /// That it does not leave, (64): u_N,k ≤ this. Those that leave are kept, with the mean law, only
    /// where their frames turn: a node that slides over a convex obstacle seems to leave it in every step.
    Approaching {
        /// Above this it leaves.
        velocity_tolerance: f64,
    },
    /// Nothing, and its own e whether it leaves or not, as the paper's scripts do.
    GapAlone,
}

impl Activation {
    /// Of every contact whose gap is at most this.
    pub fn closed(gap_tolerance: f64) -> Self {
        Self { gap_tolerance, rule: ActivationRule::Closed }
    }
}

impl ActivationRule {
    /// Above it a contact leaves, where the rule has such a velocity.
    pub fn velocity_tolerance(self) -> Option<f64> {
        match self {
            Self::Approaching { velocity_tolerance } => Some(velocity_tolerance),
            Self::Closed | Self::GapAlone => None,
        }
    }

    /// As a case spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Approaching { .. } => "gap and velocity",
            Self::GapAlone => "gap",
        }
    }
}

/// What a candidate does in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactPart {
    /// It takes no part.
    #[default]
    Open,
    /// It is active with its own law.
    Own,
    /// It is active with the mean law.
    Mean,
}

impl Activation {
    /// Of a candidate with gap `g` and normal velocity `u_n`, in a frame that turns or does not.
    pub fn part(&self, g: f64, u_n: f64, turns: bool) -> ContactPart {
        let closed = g <= self.gap_tolerance;
        match self.rule {
            _ if !closed => ContactPart::Open,
            ActivationRule::Closed if u_n > 0.0 => ContactPart::Mean,
            ActivationRule::Approaching { velocity_tolerance } if u_n > velocity_tolerance => {
                if turns {
                    ContactPart::Mean
                } else {
                    ContactPart::Open
                }
            }
            ActivationRule::Closed
            | ActivationRule::Approaching { .. }
            | ActivationRule::GapAlone => ContactPart::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_contact_is_active_whatever_rounding_says_of_its_velocity() {
        let closed = Activation { gap_tolerance: 1e-12, rule: ActivationRule::Closed };
        let parts = [(-1e-3, -2.0), (0.0, 0.0), (0.0, 1e-16), (0.0, 3.0), (1e-9, -1.0)];
        let expected = [
            ContactPart::Own,
            ContactPart::Own,
            ContactPart::Mean,
            ContactPart::Mean,
            ContactPart::Open,
        ];
        assert_eq!(parts.map(|(g, u)| closed.part(g, u, false)), expected);
        assert_eq!(parts.map(|(g, u)| closed.part(g, u, true)), expected);
    }

    #[test]
    fn what_leaves_is_dropped_by_64_unless_its_frame_turns_and_kept_by_the_gap_alone() {
        let rule = ActivationRule::Approaching { velocity_tolerance: 1e-8 };
        let both = Activation { gap_tolerance: 1e-12, rule };
        assert_eq!(
            [1e-16, 1e-3].map(|u| both.part(0.0, u, false)),
            [ContactPart::Own, ContactPart::Open]
        );
        assert_eq!(both.part(0.0, 1e-3, true), ContactPart::Mean);
        let alone = Activation { rule: ActivationRule::GapAlone, ..both };
        assert_eq!(alone.part(0.0, 1e-3, true), ContactPart::Own);
    }
}
