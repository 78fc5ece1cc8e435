//! Rigid bodies that a step turns: where they are in its middle decides on their levers and gyroscopic moments.

use std::sync::Arc;

use super::{ContactStage, FreeMotion, JOINT_PASSES};
use crate::contact::{ContactPart, HRows, Lever, PairContact, Solids, turning_axes};
use crate::energy::Term;
use crate::step::{ConnectedBodies, Problem};
use crate::vector::rotation::{matrix_of, then};
use crate::vector::{cross, dot, length, minus, plus, times};

/// What the bodies do within a step, as far as it is known.
///
/// ```text
///     M(V₁ − V₀) + h(0, ω_θ × Jω_θ) = hF + Hᵀp        x₁ = x₀ + h v_θ        R₁ = R₀ cay(h ω_θ)     (1)
/// ```
///
/// The gyroscopic moment at ω_θ does no work, ω_θ·(ω_θ × Jω_θ) = 0, and H has the levers of the middle of the step: both
/// are taken anew until they no longer change.
#[derive(Debug, Default)]
pub(super) struct Turning {
    swings: Vec<Swing>,
    /// w = h ω_θ of each body in space.
    turns: Vec<[f64; 3]>,
    /// −h ω_θ × Jω_θ of each.
    moments: Vec<[f64; 3]>,
    /// What (1) makes of that: θ M̂⁻¹ of it, on the dofs of rotations.
    spun: Vec<f64>,
    /// Whether a contact acts on each dof.
    is_pushed: Vec<bool>,
    /// Whether contacts were looked for in a forecast of the middle of the step, and not at its start.
    pub is_ahead: bool,
    /// Velocity that all impulses give each dof of a body.
    given: Vec<f64>,
    /// Where the next rows are written.
    rows: HRows,
}

/// How one body moves to the middle of the step.
#[derive(Clone, Copy, Debug, Default)]
struct Swing {
    /// ½(x₁ − x₀).
    shift: [f64; 3],
    /// ½(x₀ + x₁).
    middle: [f64; 3],
    /// Makes the arm of a material point its lever.
    mean: [[f64; 3]; 3],
    /// R₀(e_k + ½ w × e_k).
    axes: [[f64; 3]; 3],
}

/// How many roundings the work of a gyroscopic moment has.
const ROUNDINGS: f64 = 8.0;

impl Turning {
    pub fn new(problem: &Problem) -> Self {
        let count = problem.contacts.solids.bodies.len();
        let rotations = problem.operator.dofs() - problem.operator.node_dofs();
        Self {
            swings: vec![Swing::default(); count],
            turns: vec![[0.0; 3]; count],
            moments: vec![[0.0; 3]; count],
            spun: vec![0.0; if count > 0 { rotations } else { 0 }],
            is_pushed: vec![false; if count > 0 { problem.operator.dofs() } else { 0 }],
            is_ahead: false,
            given: vec![0.0; if count > 0 { problem.operator.dofs() } else { 0 }],
            rows: HRows::default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.swings.is_empty()
    }

    /// Velocity that the gyroscopic moments give the dof behind so many of nodes.
    pub fn spun(&self, dof: usize, node_dofs: usize) -> f64 {
        let of = |rotation: usize| self.spun.get(rotation).copied();
        dof.checked_sub(node_dofs).and_then(of).unwrap_or(0.0)
    }
}

impl Problem {
    /// J of the body whose rotation begins at a dof.
    fn inertia_about(&self, turn: usize) -> [f64; 3] {
        [0, 1, 2].map(|k| self.operator.diagonal(turn + k).0)
    }

    /// Turns bodies in space from where they are in `from`, at angular velocities in their own axes, for some time.
    pub(in crate::step) fn turn_by(&self, time: f64, (from, v): (&[f64], &[f64]), to: &mut [f64]) {
        if self.dofs.dimension < 3 {
            return;
        }
        let first = self.operator.node_dofs();
        let [from, v] = [from, v].map(|x| x[first..].as_chunks::<3>().0);
        let (to, _) = to[first..].as_chunks_mut::<3>();
        let turns = to.iter_mut().zip(from).zip(v);
        turns.for_each(|((to, from), w)| *to = then(*from, times(time, *w)));
    }
}

impl ContactStage {
    /// Expects every body to go on as it starts, and one that nothing pushes to move freely.
    pub(super) fn expect(&mut self, free_motion: &FreeMotion) {
        let (problem, q, v) = (Arc::clone(&self.problem), free_motion.q, free_motion.v);
        let (h, d) = (problem.h, problem.dofs.dimension);
        let moved = self.ahead.iter_mut().zip(q).zip(v);
        moved.for_each(|((to, q), v)| *to = q + h * v);
        problem.turn_by(h, (q, v), &mut self.ahead);
        let mut is_pushed = std::mem::take(&mut self.turning.is_pushed);
        is_pushed.fill(false);
        let active = self.contact.active.iter().map(|&c| self.rows.of(c as usize));
        active.for_each(|row| row.dofs().iter().for_each(|&dof| is_pushed[dof as usize] = true));
        for (solid, turn) in problem.contacts.solids.bodies.iter().zip(&mut self.turning.turns) {
            let turns = solid.center.turn_dofs();
            let node = solid.center.node().map_or(0, |node| d * node as usize);
            let rate = |dof: usize| h * (free_motion.rate)(dof as u32);
            let is_free = !is_pushed[node];
            if is_free {
                (node..node + d).for_each(|dof| self.ahead[dof] = q[dof] + rate(dof));
            }
            if turns.len() == 3 {
                let start = turns.start;
                *turn = [0, 1, 2].map(|k| h * v[start + k]);
                if is_free {
                    let free = [0, 1, 2].map(|k| rate(start + k));
                    let answers = problem.dofs.position_of(start).is_some();
                    let gain = if answers { self.gain } else { 0.0 };
                    *turn = freely_turned(free, gain, problem.inertia_about(start), h);
                    let from = [0, 1, 2].map(|k| q[start + k]);
                    self.ahead[turns].copy_from_slice(&then(from, *turn));
                }
            } else if is_free {
                turns.for_each(|dof| self.ahead[dof] = q[dof] + rate(dof));
            }
        }
        self.turning.is_pushed = is_pushed;
    }

    /// Gyroscopic moments for where the step is thought to end, with the levers that it has: H may be any, the moments
    /// must be those of the mean velocity.
    pub(super) fn swing_on(&mut self, q: &[f64]) {
        self.find_swings(q);
    }

    /// Levers, gyroscopic moments and H for a step from `q`, with velocities `v`, to where it is thought to end.
    pub(super) fn swing(&mut self, q: &[f64], v: &[f64]) {
        self.find_swings(q);
        let problem = Arc::clone(&self.problem);
        let (contacts, d) = (&problem.contacts, problem.dofs.dimension);
        let mut rows = std::mem::take(&mut self.turning.rows);
        rows.clear();
        for c in 0..self.rows.len() {
            match c.checked_sub(contacts.len()) {
                _ if !self.is_closed(c) => rows.append(self.rows.of(c)),
                None if !contacts.turns(c) => rows.append(self.rows.of(c)),
                None => {
                    let levers = contacts.mean_levers(c, &self.detected[c], q, &self.ahead);
                    self.detected[c].levers = levers;
                    contacts.add_rows(c, &self.detected[c], d, &mut rows);
                }
                Some(pair) => {
                    let pair = &self.pairs[pair];
                    self.detected[c].levers = self.turning.levers(&contacts.solids, pair);
                    contacts.add_rows_of_pair(pair, &self.detected[c], d, &mut rows);
                }
            }
        }
        std::mem::swap(&mut self.rows, &mut rows);
        self.turning.rows = rows;
        // Which law holds is asked of the velocity that its work is counted with: a contact that leaves by a little more or
        // less than the levers before showed would create energy with the law of the others.
        let closed = |u_n: f64| problem.activation.part(f64::NEG_INFINITY, u_n, true);
        for (c, own) in self.starts.iter_mut().enumerate().filter(|(_, own)| own.turns) {
            own.u_start = minus(self.rows.of(c).velocity(v), own.carried_before);
            if own.part != ContactPart::Open {
                own.part = closed(own.u_start[0]);
            }
        }
    }

    fn is_closed(&self, c: usize) -> bool {
        self.starts[c].part != ContactPart::Open
    }

    fn find_swings(&mut self, q: &[f64]) {
        let problem = Arc::clone(&self.problem);
        let (d, h, first) = (problem.dofs.dimension, problem.h, problem.operator.node_dofs());
        for (body, solid) in problem.contacts.solids.bodies.iter().enumerate() {
            let [x0, x1] = [q, &self.ahead].map(|q| solid.center.place(d, q));
            let turns = solid.center.turn_dofs();
            let mut swing = Swing {
                shift: times(0.5, minus(x1, x0)),
                middle: times(0.5, plus(x0, x1)),
                ..Swing::default()
            };
            if turns.len() == 3 {
                let at = |q: &[f64]| [0, 1, 2].map(|k| q[turns.start + k]);
                let [from, to] = [at(q), at(&self.ahead)];
                let w = self.turning.turns[body];
                swing.axes = turning_axes(from, w);
                swing.mean = half_turned(from, to);
                let inertia = problem.inertia_about(turns.start);
                let moment = gyroscopic(inertia, w, h);
                self.turning.moments[body] = moment;
                for (k, dof) in turns.enumerate() {
                    let answers = problem.dofs.position_of(dof).is_some();
                    let share = if answers { self.gain / inertia[k] } else { 0.0 };
                    self.turning.spun[dof - first] = share * moment[k];
                }
            } else {
                // The mean of a turn by 2α about z: sinc α times the turn by α.
                let half = 0.5 * (self.ahead[turns.start] - q[turns.start]);
                let sinc =
                    if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
                let [sine, cosine] = [half.sin(), half.cos()].map(|part| sinc * part);
                swing.mean = [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0; 3]];
            }
            self.turning.swings[body] = swing;
        }
    }

    /// Moves the bodies, and the points that touch them, to the end of the step, and tells how far the worst is from
    /// where it was thought to be, as a share of the size of the body.
    pub(super) fn move_solids(&mut self, free_motion: &FreeMotion) -> f64 {
        let problem = Arc::clone(&self.problem);
        let (h, first) = (problem.h, problem.dofs.trailing);
        let mut impulse = std::mem::take(&mut self.impulse);
        impulse.fill(0.0);
        self.push(|at, push| impulse[at as usize - first] += push);
        let mut given = std::mem::take(&mut self.turning.given);
        let mut velocity = |dof: usize| {
            let answer = problem.dofs.position_of(dof);
            let answer =
                answer.map_or(0.0, |at| self.gain * self.response.velocity_at(at, &impulse));
            given[dof] = answer;
            (free_motion.rate)(dof as u32) + answer
        };
        let mut worst = 0.0;
        for (solid, turn) in problem.contacts.solids.bodies.iter().zip(&mut self.turning.turns) {
            let (d, turns) = (problem.dofs.dimension, solid.center.turn_dofs());
            let node = solid.center.node().map_or(0, |node| d * node as usize);
            for dof in node..node + d {
                let to = free_motion.q[dof] + h * velocity(dof);
                let off = (to - self.ahead[dof]).abs() / solid.reach;
                worst = f64::max(worst, off);
                self.ahead[dof] = to;
            }
            if turns.len() == 3 {
                let at = |q: &[f64]| [0, 1, 2].map(|k| q[turns.start + k]);
                let w = [0, 1, 2].map(|k| h * velocity(turns.start + k));
                let off = minus(w, *turn);
                *turn = w;
                worst = off.iter().fold(worst, |worst, off| f64::max(worst, off.abs()));
                self.ahead[turns.start..turns.end].copy_from_slice(&then(at(free_motion.q), w));
            } else {
                let to = free_motion.q[turns.start] + h * velocity(turns.start);
                worst = f64::max(worst, (to - self.ahead[turns.start]).abs());
                self.ahead[turns.start] = to;
            }
        }
        for &c in &self.contact.active {
            let c = c as usize;
            let Some(body) = (c < problem.contacts.len()).then(|| problem.contacts.body_of(c))
            else {
                break; // pairs come behind
            };
            let (Some(body), d) = (body, problem.dofs.dimension) else { continue };
            let node = problem.contacts.candidates[c].grip.node().map(|node| d * node as usize);
            for dof in node.into_iter().flat_map(|node| node..node + d) {
                let to = free_motion.q[dof] + h * velocity(dof);
                worst = f64::max(worst, (to - self.ahead[dof]).abs() / body.reach);
                self.ahead[dof] = to;
            }
        }
        self.turning.given = given;
        self.impulse = impulse;
        worst
    }

    /// The velocities that impulses give the bodies of a contact whose rows follow them, as its rows see them: of bodies
    /// that fall alike they do not show in any relative velocity.
    pub(super) fn given_to(&self, c: usize) -> f64 {
        match self.starts[c].turns {
            true => self.rows.of(c).speed(&self.turning.given),
            false => 0.0,
        }
    }

    /// Takes the gyroscopic moments where the last pass has ended: they are off by less than it was moved by.
    pub(super) fn end_moments(&mut self) {
        let problem = Arc::clone(&self.problem);
        let turning = &mut self.turning;
        let solids = problem.contacts.solids.bodies.iter();
        for ((solid, moment), turn) in solids.zip(&mut turning.moments).zip(&turning.turns) {
            let turns = solid.center.turn_dofs();
            if turns.len() == 3 {
                *moment = gyroscopic(problem.inertia_about(turns.start), *turn, problem.h);
            }
        }
    }

    /// Adds the work of the gyroscopic moments where the dofs have the mean velocity `v` to the numerical work of their
    /// bodies: it is none, but for rounding.
    pub(in crate::step) fn work_of_moments(&self, v: &[f64], bodies: &mut ConnectedBodies) {
        let (problem, turning) = (&self.problem, &self.turning);
        let solids = problem.contacts.solids.bodies.iter();
        for ((solid, moment), turn) in solids.zip(&turning.moments).zip(&turning.turns) {
            let turns = solid.center.turn_dofs();
            if turns.len() != 3 || *moment == [0.0; 3] {
                continue;
            }
            let spin = [0, 1, 2].map(|k| v[turns.start + k]);
            let own = bodies.of_dof(turns.start);
            own.terms[Term::Numerical] += dot(spin, *moment);
            // Of a ball the moment itself is nothing but rounding of the products that it is the difference of.
            let inertia = problem.inertia_about(turns.start);
            let product = |i: usize, j: usize| (turn[i] * inertia[j] * turn[j]).abs() / problem.h;
            let size: f64 = (0..3)
                .map(|k| {
                    let [i, j] = [(k + 1) % 3, (k + 2) % 3];
                    spin[k].abs() * (product(i, j) + product(j, i))
                })
                .sum();
            own.terms.rounding += ROUNDINGS * f64::EPSILON * size;
        }
    }

    /// Visits (dof, its share of the gyroscopic impulses).
    pub(super) fn push_moments(&self, mut visit: impl FnMut(usize, f64)) {
        let solids = &self.problem.contacts.solids.bodies;
        for (solid, moment) in solids.iter().zip(&self.turning.moments) {
            let turns = solid.center.turn_dofs().zip(moment);
            turns.filter(|(_, push)| **push != 0.0).for_each(|(dof, push)| visit(dof, *push));
        }
    }
}

impl Turning {
    /// The levers of a contact of two bodies in the middle of the step: both lead to one place, so that what one gains of
    /// angular momentum the other loses. The point of the carrying body that carries it turns with the body, and what is
    /// between the two does not: of what is round the same point is nearest wherever it has turned.
    fn levers(&self, solids: &Solids, pair: &PairContact) -> [Lever; 2] {
        let swings = pair.key.bodies.map(|body| &self.swings[body as usize]);
        if self.is_ahead {
            // The place is one of the middle already.
            let lever = |swing: &Swing| Lever {
                arm: minus(pair.met.place, swing.middle),
                axes: swing.axes,
            };
            return swings.map(lever);
        }
        let (carrier, core) = solids.carrier(pair);
        let between = minus(pair.arms[carrier], core);
        let own = plus(swings[carrier].mean.map(|row| dot(row, core)), between);
        // From the start of the other's centre: its arm, and how the place moves.
        let moved = plus(swings[carrier].shift, minus(own, pair.arms[carrier]));
        let other = plus(pair.arms[1 - carrier], minus(moved, swings[1 - carrier].shift));
        let arms = if carrier == 0 { [own, other] } else { [other, own] };
        [0, 1].map(|at| Lever { arm: arms[at], axes: swings[at].axes })
    }
}

/// How far a body turns in a step, of which impulses and loads alone would make `free`: the gyroscopic moment is that
/// of the middle of the step.
fn freely_turned(free: [f64; 3], gain: f64, inertia: [f64; 3], h: f64) -> [f64; 3] {
    let mut turn = free;
    for _ in 0..JOINT_PASSES {
        let moment = gyroscopic(inertia, turn, h);
        let next = [0, 1, 2].map(|k| free[k] + h * gain / inertia[k] * moment[k]);
        let off = minus(next, turn).into_iter().fold(0.0, |worst, off| f64::max(worst, off.abs()));
        turn = next;
        if off <= f64::EPSILON * length(turn) {
            break;
        }
    }
    turn
}

/// −h ω_θ × Jω_θ of a body that turns by w = h ω_θ.
fn gyroscopic(inertia: [f64; 3], w: [f64; 3], h: f64) -> [f64; 3] {
    let momentum = [0, 1, 2].map(|k| inertia[k] * w[k]);
    times(-1.0 / h, cross(w, momentum))
}

/// ½(R₁R₀ᵀ + I).
fn half_turned(from: [f64; 3], to: [f64; 3]) -> [[f64; 3]; 3] {
    let [before, after] = [from, to].map(matrix_of);
    [0, 1, 2]
        .map(|i| [0, 1, 2].map(|j| 0.5 * (dot(after[i], before[j]) + f64::from(u8::from(i == j)))))
}
