//! The Moreau–Jean θ-scheme, (61) and (72): one sweep down, contact, one sweep up.

mod ledger;
mod preparation;
mod refinement;

pub use preparation::Preparation;

use super::{Problem, State};
use crate::contact::obstacle::{Frame, Pose};
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::contact::{ConeProblem, Delassus, Status, norm};
use crate::energy::ContactWork;
use crate::linalg::{Factor, NoFactor};

/// What every candidate did in the last step.
#[derive(Clone, Debug)]
pub struct ContactState {
    /// Gap at the start of the step.
    pub gap: Vec<f64>,
    /// Frame of the obstacle's surface at the start of the step.
    pub frame: Vec<Frame>,
    /// Impulse (p_N, p_T) in that frame, zero where not active.
    pub impulse: Vec<[f64; 3]>,
    /// Open, stick or slip.
    pub status: Vec<Status>,
    /// The active candidates, ascending.
    pub active: Vec<u32>,
    /// Works of the active candidates in this step, in the same order.
    pub work: Vec<ContactWork>,
    /// Work that moving obstacles did on the body in this step.
    pub obstacle_work: f64,
}

/// What a candidate meets at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    /// u_k: velocity relative to the obstacle, in its frame.
    u_start: [f64; 3],
    /// w_θ: mean velocity of the obstacle over the step, in space.
    carried: [f64; 3],
    /// Whether it is closed and seems to leave.
    leaves: bool,
}

/// Share of the velocity tolerance of (64) that the solver may leave.
const HELD_SHARE: f64 = 0.1;
/// Relative error that rounding lets a solver reach.
const REACHABLE: f64 = 1e-13;

/// The stepper: the factor of M̂, the Delassus operator and all the memory a step needs.
///
/// A step is its stages in this order: [`rhs`](Self::rhs), [`forward`](Self::forward),
/// [`contact`](Self::contact), [`backward`](Self::backward), [`advance`](Self::advance),
/// [`ledger`](Self::ledger). None of them allocates (but
/// for what the default solver needs behind Gauss–Seidel, the first times it needs it).
pub struct MoreauJean<'a> {
    problem: &'a Problem,
    factor: Factor,
    delassus: Delassus,
    /// Entries of M̂ between positions and driven dofs, empty where nothing driven moves.
    coupling: Vec<(u32, u32, f64)>,
    positions: Vec<[Option<u32>; 3]>,
    meetings: Vec<Meeting>,
    /// Poses of the obstacles at the end of the step.
    poses: Vec<Pose>,
    cone: ConeProblem,
    cone_active: Vec<u32>,
    cone_impulse: Vec<f64>,
    contact: ContactState,
    /// State at the start of the step.
    start: State,
    force: Vec<f64>,
    force_times: Option<[f64; 2]>,
    v_theta: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    scratch: Vec<f64>,
    damping_force: [Vec<f64>; 2],
    /// ‖K‖, for what rounding can do.
    stiffness_norm: f64,
}

impl<'a> MoreauJean<'a> {
    /// Factors M̂ and computes its inverse between contact dofs.
    pub fn new(problem: &'a Problem, state: &State) -> Result<Self, NoFactor> {
        Preparation::new(problem).factor(state)
    }

    /// The problem it steps.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The factor of M̂.
    pub fn factor(&self) -> &Factor {
        &self.factor
    }

    /// The Delassus operator.
    pub fn delassus(&self) -> &Delassus {
        &self.delassus
    }

    /// What the candidates did in the last step.
    pub fn contacts(&self) -> &ContactState {
        &self.contact
    }

    /// The cone problem of the last step: plain data, to be saved and solved again elsewhere.
    pub fn cone_problem(&self) -> &ConeProblem {
        &self.cone
    }

    fn end_time(&self) -> f64 {
        (self.start.step + 1) as f64 * self.problem.h
    }

    /// Stage 1: M v_k − hθ K q_k + hθ F_θ of (97), in elimination order, less what driven dofs
    /// bring.
    pub fn rhs(&mut self, state: &mut State) {
        std::mem::swap(&mut self.start, state);
        let (problem, start) = (self.problem, &self.start);
        let (t0, t1) = (start.time, self.end_time());
        let ht = problem.h * problem.theta;
        let same = |times| problem.loads.same_force(problem.theta, times, [t0, t1]);
        if !self.force_times.is_some_and(same) {
            problem.loads.force_into(problem.theta, t0, t1, &mut self.force);
            let potential = self.force.iter_mut().zip(&problem.loads.potential);
            potential.for_each(|(f, p)| *f += p);
        }
        self.force_times = Some([t0, t1]);
        for (x, &dof) in self.x.iter_mut().zip(&problem.dofs.order) {
            let dof = dof as usize;
            *x = start.mv[dof] + ht * (self.force[dof] - start.kq[dof]);
        }
        for driven in &problem.dofs.driven {
            let motion = &problem.dofs.motions[driven.motion];
            let (dof, theta) = (driven.dof as usize, problem.theta);
            let (q0, v0) = (start.q[dof], start.v[dof]);
            let v1 = motion.end_velocity(t1, problem.h, theta, q0, v0);
            self.v_theta[dof] = theta * v1 + (1.0 - theta) * v0;
        }
        for &(at, dof, value) in &self.coupling {
            self.x[at as usize] -= value * self.v_theta[dof as usize];
        }
    }

    /// Stage 2: the sweep down.
    pub fn forward(&mut self) {
        self.factor.forward(&mut self.x, &mut self.scratch);
    }

    /// Stage 3: which candidates are active, their cone problem, its solution, and its impulse on
    /// the way up.
    pub fn contact(&mut self, solver: &mut dyn ContactSolver, target: Target) -> SolveReport {
        self.activate();
        self.pose_cone_problem();
        let mut report = solver.solve(&self.cone, self.tightened(target), &mut self.cone_impulse);
        if report.error <= target.tolerance {
            report.status = SolveStatus::Converged; // the tighter target was a wish
        }
        self.apply_impulse();
        report
    }

    /// The target, such that what it leaves of the velocity of a contact held closed is below what
    /// (64) tells from leaving. Its error is relative to ‖b‖, and elastic forces on the small masses
    /// of a fine mesh make ‖b‖ far larger than the velocities of the body: without this, contacts
    /// would be dropped every other step and bodies sink into each other.
    fn tightened<'t>(&self, target: Target<'t>) -> Target<'t> {
        let Some(leaving) = self.problem.activation.velocity_tolerance else { return target };
        let size = norm(&self.cone.b);
        let needed = HELD_SHARE * leaving / size.max(f64::MIN_POSITIVE);
        Target { tolerance: target.tolerance.min(needed.max(REACHABLE)), ..target }
    }

    /// Where every candidate is with respect to its obstacle, and which are active by (64).
    ///
    /// Where frames turn, (64) alone would drop a node that slides over a convex obstacle in every
    /// other step: its velocity was along the surface where it was, and the surface has fallen away
    /// since, u_N,k = s²h/R. It would fall back on it and lose that velocity. Such contacts are kept,
    /// with e = (1−θ)/θ instead of their own: u_N,θ ≥ 0 ⟂ p_N, so that they stop what comes and do no
    /// normal work at all.
    fn activate(&mut self) {
        let (problem, start) = (self.problem, &self.start);
        let (theta, t1) = (problem.theta, self.end_time());
        let sets = problem.contacts.sets.iter().zip(&start.poses);
        for ((set, pose), end) in sets.zip(&mut self.poses) {
            *end = set.obstacle.end_of_step(pose, t1, problem.h, theta);
        }
        self.contact.active.clear();
        for (c, candidate) in problem.contacts.candidates.iter().enumerate() {
            let obstacle = &problem.contacts.sets[candidate.set].obstacle;
            let (pose, end) = (&start.poses[candidate.set], &self.poses[candidate.set]);
            let x = problem.position_of(candidate, &start.q);
            let touch = obstacle.touch(x, pose);
            let before = obstacle.velocity_at(x, pose);
            let carried = obstacle.velocity_at(x, &pose.with_mean_velocity(end, theta));
            let v = problem.at_node(candidate.node, &start.v);
            let u_start = touch.frame.to_frame([0, 1, 2].map(|i| v[i] - before[i]));
            let leaves = problem.activation.leaves(touch.gap, u_start[0]);
            self.meetings[c] = Meeting { u_start, carried, leaves };
            self.contact.gap[c] = touch.gap;
            self.contact.frame[c] = touch.frame;
            let kept = leaves && obstacle.frames_turn();
            if kept || problem.activation.is_active(touch.gap, u_start[0]) {
                self.contact.active.push(c as u32);
            }
        }
    }

    /// W of the active candidates, and b from the velocity u_θ that no impulse would leave:
    ///
    /// ```text
    ///     b = (u_θ − (1−θ) u_k)/θ + (e u_N,k , e_T u_T,k)
    /// ```
    fn pose_cone_problem(&mut self) {
        self.select_delassus();
        let trailing = self.factor.trailing();
        self.y.copy_from_slice(&self.x[trailing..]);
        self.factor.backward_trailing(&mut self.x, &mut self.scratch);
        self.cone.b.clear();
        self.cone.mu.clear();
        self.cone_impulse.clear();
        let (theta, components) = (self.problem.theta, self.delassus.components());
        for &c in &self.contact.active {
            let c = c as usize;
            let candidate = &self.problem.contacts.candidates[c];
            let set = self.problem.contacts.set_of(c);
            let Meeting { u_start, carried, leaves } = self.meetings[c];
            let driven = self.problem.at_node(candidate.node, &self.v_theta);
            let free = [0, 1, 2].map(|i| {
                self.positions[c][i].map_or(driven[i], |at| self.x[at as usize]) - carried[i]
            });
            let u_theta = self.contact.frame[c].to_frame(free);
            let e = if leaves { (1.0 - theta) / theta } else { set.restitution.normal };
            let e_t = set.restitution.tangential;
            let shift = [e, e_t, e_t];
            for i in 0..components {
                let end = (u_theta[i] - (1.0 - theta) * u_start[i]) / theta;
                self.cone.b.push(end + shift[i] * u_start[i]);
            }
            self.cone.mu.push(set.friction);
            self.cone_impulse.extend_from_slice(&self.contact.impulse[c][..components]);
        }
    }

    /// Copies W of the active candidates, where they or their frames are others than before.
    fn select_delassus(&mut self) {
        let sets = &self.problem.contacts;
        let turns = |&c: &u32| sets.set_of(c as usize).obstacle.frames_turn();
        let active = &self.contact.active;
        let known = self.cone_active == *active && !self.cone.w.is_empty();
        if known && !active.iter().any(turns) {
            return;
        }
        self.cone_active.clone_from(active);
        let (frames, positions) = (&self.contact.frame, &self.positions);
        self.delassus.select_into(active, frames, positions, &mut self.cone);
    }

    /// Adds L₂₂⁻¹ θHᵀp to the swept right-hand side.
    fn apply_impulse(&mut self) {
        let trailing = self.factor.trailing();
        self.x[trailing..].fill(0.0);
        self.contact.impulse.fill([0.0; 3]);
        let components = self.delassus.components();
        for (&c, p) in self.contact.active.iter().zip(self.cone_impulse.chunks_exact(components)) {
            let c = c as usize;
            self.contact.impulse[c][..components].copy_from_slice(p);
            let push = self.contact.frame[c].to_space(self.contact.impulse[c]);
            for (at, push) in self.positions[c].iter().zip(push) {
                at.iter().for_each(|&at| self.x[at as usize] += self.problem.theta * push);
            }
        }
        self.factor.forward_trailing(&mut self.x, &mut self.scratch);
        self.x[trailing..].iter_mut().zip(&self.y).for_each(|(x, y)| *x += y);
    }

    /// Stage 4: the sweep up, which ends with v_θ.
    pub fn backward(&mut self) {
        self.factor.backward(&mut self.x, &mut self.scratch);
        for (&dof, x) in self.problem.dofs.order.iter().zip(&self.x) {
            self.v_theta[dof as usize] = *x;
        }
    }

    /// Stage 5: v_{k+1} = (v_θ − (1−θ)v_k)/θ, q_{k+1} = q_k + h v_θ, and their products with M
    /// and K.
    pub fn advance(&mut self, state: &mut State) {
        let (problem, start) = (self.problem, &self.start);
        let (h, theta) = (problem.h, problem.theta);
        state.step = start.step + 1;
        state.time = self.end_time();
        let (inverse, rest) = (1.0 / theta, (1.0 - theta) / theta);
        for (((v, q), &middle), (v0, q0)) in state
            .v
            .iter_mut()
            .zip(&mut state.q)
            .zip(&self.v_theta)
            .zip(start.v.iter().zip(&start.q))
        {
            *v = inverse * middle - rest * v0;
            *q = q0 + h * middle;
        }
        state.poses.clone_from(&self.poses);
        problem.operator.apply_into(&state.v, &state.q, &mut state.mv, &mut state.kq);
    }
}
