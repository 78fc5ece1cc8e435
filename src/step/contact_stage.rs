//! The contacts of a step: what they meet, their cone problem, and its impulses. Every scheme has one.

mod answers;
mod held;
mod pairs;
mod pose;
mod positions;
mod turning;
mod works;

use std::sync::Arc;

use super::contact_state::ContactState;
use super::joints::Joints;
use super::{Problem, State};
use crate::contact::obstacle::Pose;
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::contact::{
    Against, Approach, ConeProblem, Contact, ContactPart, Coupling, Detector, HRows, PairContact,
    Response, Restitution,
};
use crate::tape::Tape;
pub(super) use answers::{JointsHold, StageResponses};
pub(super) use positions::FreePositions;
use positions::Positions;
use turning::Turning;

/// How a candidate moves at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactStart {
    /// u_k: velocity relative to the obstacle, in its frame.
    pub u_start: [f64; 3],
    /// w: mean velocity of the obstacle over the step, in the frame.
    pub carried: [f64; 3],
    /// Velocity of the obstacle at the start of the step, in the frame.
    pub carried_before: [f64; 3],
    /// What it does in the step.
    pub part: ContactPart,
    /// The contact set that it obeys.
    pub set: u32,
    /// Whether its rows follow bodies that the step turns.
    pub turns: bool,
}

impl ContactStart {
    /// What a cone at the velocity level sees of the mean velocity u_θ:
    ///
    /// ```text
    ///     (u_θ − (1−θ) u_k)/θ + (e u_N,k , e_T u_T,k)         e = (1−θ)/θ for those with the mean law
    /// ```
    pub fn seen(&self, theta: f64, restitution: Restitution, u_theta: [f64; 3]) -> [f64; 3] {
        let e = match self.part {
            ContactPart::Mean => (1.0 - theta) / theta,
            ContactPart::Own | ContactPart::Open => restitution.normal,
        };
        let shift = [e, restitution.tangential, restitution.tangential];
        [0, 1, 2].map(|i| {
            (u_theta[i] - (1.0 - theta) * self.u_start[i]) / theta + shift[i] * self.u_start[i]
        })
    }
}

/// Where a step looks for contact, and how the impulses answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// Weight of the end of the step in the mean velocity of an obstacle.
    pub theta: f64,
    /// Share of the step by which the configuration is ahead of its start.
    pub ahead: f64,
    /// Share of the step by which gaps are extrapolated with the velocity there.
    pub forecast: f64,
}

/// Relative error that rounding lets a solver reach, and the share of its tolerance that it goes on to while it gains:
/// what it leaves of the velocity of a contact held closed is the work that contact seems to do.
const REACHABLE: f64 = 2e-14;
const BEYOND_TOLERANCE: f64 = 2e-4;
/// Most times that the gradients of joints are taken anew.
const JOINT_PASSES: usize = 200;
/// Most times that levers are: where friction jumps from one of its solutions to another as they change, they need not
/// settle, and every H keeps the identity and the signs of the works.
const LEVER_PASSES: usize = 20;
/// Passes whose solve fails after which a step is given up: more would take their iterations for nothing.
const FAILED_PASSES: usize = 25;
/// Share of the size of the mechanism to which joints hold, and to which they must.
const JOINT_ROUNDING: f64 = 1e-15;
const JOINT_TOLERANCE: f64 = 1e-12;

/// What the cone of a candidate sees: of how it meets and of what it would see without impulses.
pub(super) type ConeVelocity<'s> = dyn Fn(usize, &ContactStart, [f64; 3]) -> [f64; 3] + 's;

/// What a scheme asks of its contacts.
pub(super) struct FreeMotion<'s> {
    /// Displacements at the start of the step.
    pub q: &'s [f64],
    /// Velocities there.
    pub v: &'s [f64],
    /// What the cones see of each dof without impulses.
    pub free: &'s dyn Fn(u32) -> f64,
    /// Δq/h of each dof without impulses.
    pub rate: &'s dyn Fn(u32) -> f64,
    /// What the cone of a candidate sees, of what it would without impulses.
    pub b: &'s ConeVelocity<'s>,
}

/// The contacts of a step and the memory they need.
pub(super) struct ContactStage {
    problem: Arc<Problem>,
    /// What the cones see of an impulse.
    pub response: Response,
    /// What the rate of displacement does, where it is not `gain` times the same.
    rates: Option<Response>,
    /// Whether friction is left out.
    frictionless: bool,
    /// What joints hold at the end of the step.
    pub joints_hold: JointsHold,
    /// κ: share of `response` (or `rates`) that the rate of displacement has.
    gain: f64,
    /// Where every candidate is, then every pair of bodies that meets, and its H.
    pub detected: Vec<Contact>,
    /// Those pairs, ascending by key.
    pub pairs: Vec<PairContact>,
    /// Those of the step before.
    pairs_before: Vec<PairContact>,
    impulses_before: Vec<[f64; 3]>,
    detector: Detector,
    turning: Turning,
    pub rows: HRows,
    pub starts: Vec<ContactStart>,
    /// Poses of the obstacles at the end of the step.
    pub poses: Vec<Pose>,
    /// And at its start.
    set_out: Vec<Pose>,
    pub cone: ConeProblem,
    /// Which contacts feel each other.
    coupling: Coupling,
    pub joints: Joints,
    cone_active: Vec<u32>,
    cone_impulse: Vec<f64>,
    /// The largest velocity that b of each active contact was made of.
    posed: Vec<f64>,
    /// Relative velocity of each active contact without any impulse.
    free: Vec<[f64; 3]>,
    pub contact: ContactState,
    ahead: Vec<f64>,
    impulse: Vec<f64>,
    positions: Positions,
}

impl ContactStage {
    pub fn new(problem: &Arc<Problem>, state: &State, responses: StageResponses) -> Self {
        let StageResponses { seen: response, rates, gain } = responses;
        let (contacts, dofs) = (&problem.contacts, &problem.dofs);
        let count = contacts.len();
        let components = response.components();
        let pairs = problem.coupled_pairs(response.partition());
        let joints = Joints::new(problem, response.parts());
        Self {
            problem: Arc::clone(problem),
            response,
            rates,
            frictionless: false,
            joints_hold: JointsHold::Positions,
            gain,
            detected: vec![Contact::default(); count],
            pairs: Vec::new(),
            pairs_before: Vec::new(),
            impulses_before: Vec::new(),
            detector: Detector::default(),
            turning: Turning::new(problem),
            rows: HRows::idle(count),
            starts: vec![ContactStart::default(); count],
            poses: state.poses.clone(),
            set_out: state.poses.clone(),
            cone: ConeProblem::with_capacity(components, count, pairs),
            coupling: Coupling::default(),
            joints,
            cone_active: Vec::with_capacity(count),
            cone_impulse: Vec::with_capacity(components * count),
            posed: Vec::with_capacity(count),
            free: Vec::with_capacity(count),
            contact: ContactState::new(count),
            ahead: vec![0.0; state.q.len()],
            impulse: vec![0.0; dofs.order.len() - dofs.trailing],
            positions: Positions::default(),
        }
    }

    /// The same, but for friction.
    pub fn without_friction(self) -> Self {
        Self { frictionless: true, ..self }
    }

    /// Where every candidate is with respect to what it may touch.
    pub fn detect(&mut self, start: &State, end_time: f64, prediction: Prediction) {
        let problem = Arc::clone(&self.problem);
        let (h, d) = (problem.h, problem.dofs.dimension);
        self.set_out.clone_from(&start.poses);
        let sets = problem.contacts.sets.iter().zip(&start.poses);
        for ((set, pose), end) in sets.zip(&mut self.poses) {
            *end = match &set.against {
                Against::Obstacle(obstacle) => {
                    obstacle.end_of_step(pose, end_time, h, prediction.theta)
                }
                Against::Ball { .. }
                | Against::Slider { .. }
                | Against::Body(_)
                | Against::Solids => *pose,
            };
        }
        let ahead = prediction.ahead * h;
        let moved = self.ahead.iter_mut().zip(&start.q).zip(&start.v);
        moved.for_each(|((to, q), v)| *to = q + ahead * v);
        problem.turn_by(ahead, (&start.q, &start.v), &mut self.ahead);
        let q = if ahead == 0.0 { &start.q } else { &self.ahead };
        self.rows.clear();
        for (c, candidate) in problem.contacts.candidates.iter().enumerate() {
            let (pose, end) = (&start.poses[candidate.set], &self.poses[candidate.set]);
            let there = pose.between(end, prediction.ahead);
            let met = problem.contacts.contact(c, d, q, &there);
            problem.contacts.add_rows(c, &met, d, &mut self.rows);
            let mut u_start = self.rows.of(c).velocity(&start.v);
            let (mut carried, mut carried_before) = ([0.0; 3], [0.0; 3]);
            if let Against::Obstacle(obstacle) = &problem.contacts.sets[candidate.set].against {
                carried_before = met.frame.to_frame(obstacle.velocity_at(met.place, &there));
                (0..3).for_each(|i| u_start[i] -= carried_before[i]);
                let mean = there.with_mean_velocity(end, prediction.theta);
                carried = met.frame.to_frame(obstacle.velocity_at(met.place, &mean));
            }
            self.contact.friction[c] = problem.contacts.set_of(c).friction.at(&Approach {
                candidate: c,
                time: start.time,
                gap: met.gap,
                place: met.place,
                velocity: u_start,
            });
            self.contact.gap[c] = met.gap;
            self.contact.frame[c] = met.frame;
            let turns = problem.contacts.turns(c);
            let expected = met.gap + prediction.forecast * h * u_start[0];
            let part = problem.activation.part(expected, u_start[0], turns);
            let part = if self.is_absent(c, start.step) { ContactPart::Open } else { part };
            let (set, turns) = (candidate.set as u32, problem.contacts.swings(c));
            self.starts[c] = ContactStart { u_start, carried, carried_before, part, set, turns };
            self.detected[c] = met;
        }
        self.find_pairs(start, prediction);
    }

    /// Which candidates are active; sliders always are.
    pub fn activate(&mut self) {
        self.contact.active.clear();
        for (c, met) in (0u32..).zip(&self.starts) {
            let against = &self.problem.contacts.sets[met.set as usize].against;
            if met.part != ContactPart::Open || matches!(against, Against::Slider { .. }) {
                self.contact.active.push(c);
            }
        }
    }

    /// Poses and solves the cone problem of the active candidates, with the joints.
    ///
    /// The gradients of the joints are those between the two ends of the step, so that they are taken
    /// anew until the joints hold at its end.
    pub fn solve(
        &mut self,
        free_motion: &FreeMotion,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let holds_velocities = matches!(self.joints_hold, JointsHold::Velocities);
        let joined = !(self.joints.is_empty() || holds_velocities);
        // Velocities alone do not turn anything.
        let turning = !(self.turning.is_empty() || holds_velocities);
        if turning {
            self.expect(free_motion);
        } else if joined {
            self.ahead.copy_from_slice(free_motion.q);
        }
        let wish = (BEYOND_TOLERANCE * target.tolerance).max(REACHABLE).min(target.tolerance);
        let (mut iterations, mut best, mut failed) = (0, f64::INFINITY, 0);
        for pass in 0..JOINT_PASSES {
            if joined {
                self.take_gradients(free_motion.q);
            }
            if turning && pass < LEVER_PASSES {
                self.swing(free_motion.q, free_motion.v);
            } else if turning {
                self.swing_on(free_motion.q);
            }
            self.pose(free_motion);
            if !self.joints.is_empty() {
                self.condense(free_motion);
            }
            let target = Target { wish, posed: &self.posed, ..target };
            let mut report = solver.solve(&self.cone, target, &mut self.cone_impulse);
            self.take_impulses();
            iterations += report.iterations;
            report.iterations = iterations;
            if !joined && !turning {
                return report;
            }
            let mut off = if turning { self.move_solids(free_motion) } else { 0.0 };
            if joined {
                off = off.max(self.move_joints(free_motion));
            }
            let settled = off <= JOINT_ROUNDING || (off <= JOINT_TOLERANCE && off >= 0.5 * best);
            failed += usize::from(report.status != SolveStatus::Converged);
            if settled || failed >= FAILED_PASSES {
                self.end_moments();
                return report;
            }
            best = best.min(off);
        }
        SolveReport { status: SolveStatus::Unsettled, iterations, error: best }
    }

    /// The impulses of contacts and joints that the cone problem's solution stands for.
    fn take_impulses(&mut self) {
        self.contact.impulse.fill([0.0; 3]);
        let components = self.response.components();
        for (&c, p) in self.contact.active.iter().zip(self.cone_impulse.chunks_exact(components)) {
            self.contact.impulse[c as usize][..components].copy_from_slice(p);
        }
        if !self.joints.is_empty() {
            self.joints.recover(components, &self.cone_impulse);
        }
    }

    /// Visits (position of a free dof, its share of Hᵀp + Jᵀλ and of gyroscopic impulses).
    pub fn push(&self, mut visit: impl FnMut(u32, f64)) {
        let dofs = &self.problem.dofs;
        self.push_on_dofs(|dof, push| {
            dofs.position_of(dof).into_iter().for_each(|at| visit(at, push));
        });
    }

    /// Visits (dof, its share of Hᵀp + Jᵀλ and of gyroscopic impulses), driven dofs too.
    pub fn push_on_dofs(&self, mut visit: impl FnMut(usize, f64)) {
        for &c in &self.contact.active {
            let c = c as usize;
            self.rows.of(c).push(self.contact.impulse[c], &mut visit);
        }
        for (gradient, &impulse) in self.joints.gradients.iter().zip(&self.joints.impulses) {
            gradient.push(impulse, &mut visit);
        }
        self.push_moments(visit);
    }

    /// Begins with the contacts and impulses of another.
    pub fn take_over(&mut self, other: &Self) {
        self.detected.clone_from(&other.detected);
        self.rows.clone_from(&other.rows);
        self.contact.active.clone_from(&other.contact.active);
        self.contact.frame.clone_from(&other.contact.frame);
        self.contact.impulse.clone_from(&other.contact.impulse);
        self.joints.gradients.clone_from(&other.joints.gradients);
        self.joints.impulses.clone_from(&other.joints.impulses);
    }

    /// Passes over what the next step needs of this one.
    pub fn remember(&mut self, tape: &mut Tape) {
        let candidates = self.problem.contacts.len();
        tape.reals(self.contact.impulse[..candidates].as_flattened_mut());
        if self.problem.contacts.solids.meet() {
            self.remember_pairs(tape);
        }
        self.positions.remember(tape);
    }

    /// Passes over the frames and rows that the impulses have, and over those of the joints.
    pub fn remember_rows(&mut self, tape: &mut Tape) {
        for frame in &mut self.contact.frame {
            tape.reals(frame.axes.as_flattened_mut());
        }
        self.rows.remember(tape);
        self.joints.gradients.remember(tape);
        tape.reals(self.joints.impulses.as_flattened_mut());
    }

    /// Bytes of the matrices.
    pub fn bytes(&self) -> usize {
        self.response.bytes() + self.rates.as_ref().map_or(0, Response::bytes)
    }
}
