//! Contact at the level of positions: gaps at the end of the step.

use std::sync::Arc;

use super::{ContactStage, ContactStart, FreeMotion};
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::contact::{Against, Contact, ContactPart, HRows};
use crate::tape::Tape;

/// What a scheme asks of contacts at the level of positions.
///
/// With v₊ = (q₁ − q₀)/h, v₋ = (q₀ − q₋₁)/h and e and e_T of the candidate, the cones see
///
/// ```text
///     (1+e)/h g((q₁ + e q₋₁)/(1+e)) = (1+e) g(q₀)/h + u₊ − e u₋          normal              (1)
///     u₊ + e_T u₋                                                         tangential
/// ```
///
/// where the gap is linear; where frames turn it is linearised anew about what comes out, until it
/// holds there. Every candidate takes part; those that no step could bring near are left out of the
/// cone problem, and come in as soon as the others' impulses would push them through.
pub(in crate::step) struct FreePositions<'s> {
    /// Displacements at the start of the step.
    pub q: &'s [f64],
    /// v₊ of each dof without impulses.
    pub rate: &'s dyn Fn(u32) -> f64,
    /// v₋ of each dof.
    pub before: &'s [f64],
    /// (e, e_T) of a candidate.
    pub law: &'s dyn Fn(usize) -> [f64; 2],
}

/// The memory that positions need.
#[derive(Debug, Default)]
pub(super) struct Positions {
    /// Gaps that count as closed: 0, or how deep a candidate may be.
    floor: Vec<f64>,
    /// What (1) has beside u₊ − e u₋, of each candidate.
    offset: Vec<f64>,
    /// v₊ of the contact dofs with the impulses found.
    rate: Vec<f64>,
    /// Where a candidate is looked at.
    place: Vec<f64>,
    /// H where candidates are looked at, to be compared and to follow that of the stage.
    rows: HRows,
    /// Velocity of each candidate's obstacle over the last step and over this one, in space.
    carried: [Vec<[f64; 3]>; 2],
    started: bool,
}

impl Positions {
    /// Passes over what the next step needs of this one.
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.reals(self.carried[1].as_flattened_mut());
        tape.flag(&mut self.started);
    }
}

/// Share of the gap tolerance that a step may sink.
const UNHEEDED: f64 = 1e-3;

/// Most times that gaps are linearised or candidates added.
const PASSES: usize = 60;
/// Share of what the contacts reach by which a gap may be off where linearising no longer helps.
const LOOSE: f64 = 1e-9;
/// What a pass leaves of the misfit at most, unless no pass helps any more.
const SLOWEST: f64 = 0.9;
/// Share by which H may have turned since it was taken.
const TILT: f64 = 1e-11;
/// Passes after which every candidate is in the cone problem.
const PATIENCE: usize = 8;

impl ContactStage {
    /// Sets aside what [`ContactStage::solve_positions`] needs.
    pub fn hold_positions(&mut self) {
        let (n, count) = (self.ahead.len(), self.problem.contacts.len());
        self.positions = Positions {
            floor: vec![0.0; count],
            offset: vec![0.0; count],
            rate: vec![0.0; n],
            place: vec![0.0; n],
            rows: HRows::idle(0),
            carried: [vec![[0.0; 3]; count], vec![[0.0; 3]; count]],
            started: false,
        };
    }

    /// Lets candidates that are closed be as deep as they are, and those that come be as deep as their velocity over the
    /// step takes them, after [`ContactStage::detect`]: they are found then.
    pub fn let_in(&mut self, rate: &dyn Fn(u32) -> f64) {
        let (h, tolerance) = (self.problem.h, self.problem.activation.gap_tolerance);
        for c in 0..self.problem.contacts.len() {
            let u = self.rows.of(c).velocity_by(rate)[0] - self.starts[c].carried[0];
            let gap = self.contact.gap[c];
            let flat = if gap <= tolerance { gap } else { gap + h * u };
            self.positions.floor[c] = flat.min(0.0) - UNHEEDED * tolerance;
        }
    }

    /// Solves for impulses with which (1) holds at the end of the step, after `meet_positions`.
    pub fn solve_positions(
        &mut self,
        free: &FreePositions,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        if !self.contact.active.is_empty() {
            self.move_contacts(free);
        }
        let mut report = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
        let (mut off, mut misfit, mut best) = (0.0, 0.0, f64::INFINITY);
        for pass in 0..PASSES {
            let grown = self.reach(free, pass);
            if pass > 0 {
                let stagnates = pass > PATIENCE && misfit >= SLOWEST * best;
                if !grown && (misfit <= 1.0 || stagnates) {
                    break;
                }
                best = f64::min(best, misfit);
                if misfit > 1.0 {
                    self.linearise_anew(free);
                }
            }
            let iterations = report.iterations;
            report = self.solve_linearised(free, solver, target);
            report.iterations += iterations;
            self.move_contacts(free);
            let tilt;
            (off, tilt) = self.distance(free);
            misfit = f64::max(off / self.problem.activation.gap_tolerance, tilt / TILT);
        }
        let share = off / self.reached(free);
        if report.status == SolveStatus::Converged && share > LOOSE {
            return SolveReport { status: SolveStatus::Unsettled, error: share, ..report };
        }
        report
    }

    /// How far contact points are from the origin, or move in the step.
    fn reached(&self, free: &FreePositions) -> f64 {
        let (d, h) = (self.problem.dofs.dimension, self.problem.h);
        let candidates = self.problem.contacts.candidates.iter();
        let reach = candidates.zip(self.rows.iter()).map(|(candidate, row)| {
            let moved = row.velocity(&self.positions.rate).map(|u| h * u.abs());
            moved.into_iter().fold(candidate.grip.reach(d, free.q), f64::max)
        });
        reach.fold(f64::MIN_POSITIVE, f64::max)
    }

    /// How every candidate moves, its obstacle over the last step and over this one.
    pub fn meet_positions(&mut self, free: &FreePositions) {
        let h = self.problem.h;
        self.contact.active.clear();
        self.positions.carried.swap(0, 1);
        for c in 0..self.problem.contacts.len() {
            let (met, frame) = (&mut self.starts[c], self.detected[c].frame);
            let mut u = self.rows.of(c).velocity(free.before);
            let [last, this] = &mut self.positions.carried;
            this[c] = frame.to_space(met.carried);
            if !self.positions.started {
                let at_start = [0, 1, 2].map(|i| u[i] - met.u_start[i]);
                last[c] = frame.to_space(at_start);
            }
            let w = frame.to_frame(last[c]);
            (0..3).for_each(|i| u[i] -= w[i]);
            met.u_start = u;
            let [e, _] = (free.law)(c);
            let gap = self.contact.gap[c] - self.positions.floor[c];
            self.positions.offset[c] = (1.0 + e) / h * gap;
        }
        self.positions.started = true;
        let dofs = &self.problem.dofs;
        let driven = dofs.driven.iter().map(|driven| driven.dof);
        for dof in dofs.order[dofs.trailing..].iter().copied().chain(driven) {
            self.positions.rate[dof as usize] = (free.rate)(dof);
        }
    }

    /// Gap where the step would end without impulses, e = 0.
    pub fn gap_ahead(&self, c: usize) -> f64 {
        self.problem.h * self.seen_normal(c, 0.0)
    }

    /// Takes the frames, gradients of joints and positions that another stage has found, and makes the
    /// candidates active that push there, or that `closes` names.
    pub fn follow(&mut self, other: &Self, v: &[f64], closes: &[bool]) {
        self.contact.active.clear();
        for c in 0..self.problem.contacts.len() {
            let met = other.detected[c];
            let own = &self.detected[c];
            let u = self.rows.of(c).velocity(v);
            let at_start = [0, 1, 2].map(|i| u[i] - self.starts[c].u_start[i]);
            let at_start = met.frame.to_frame(own.frame.to_space(at_start));
            let this = met.frame.to_frame(other.positions.carried[1][c]);
            let u = other.rows.of(c).velocity(v);
            let u_start = [0, 1, 2].map(|i| u[i] - at_start[i]);
            self.starts[c] = ContactStart {
                u_start,
                carried: this,
                part: ContactPart::Own,
                set: self.problem.contacts.candidates[c].set as u32,
                ..ContactStart::default()
            };
            self.contact.frame[c] = met.frame;
            self.detected[c] = met;
            let slides = matches!(self.problem.contacts.set_of(c).against, Against::Slider { .. });
            if slides || closes[c] || other.contact.impulse[c][0] > 0.0 {
                self.contact.active.push(c as u32);
            }
        }
        self.rows.clone_from(&other.rows);
        self.ahead.copy_from_slice(&other.ahead);
        let d = self.problem.dofs.dimension;
        self.joints.gradients.clear();
        for joint in &self.problem.contacts.joints {
            joint.add_mean_gradient(d, &self.ahead, &self.ahead, &mut self.joints.gradients);
        }
    }

    /// The normal component of (1).
    fn seen_normal(&self, c: usize, e: f64) -> f64 {
        let (met, rate) = (&self.starts[c], &self.positions.rate);
        let u = self.rows.of(c).velocity(rate)[0] - met.carried[0];
        self.positions.offset[c] + u - e * met.u_start[0]
    }

    /// Adds the candidates that would be passed through, at first also those with an impulse in the
    /// last step; tells whether there were any.
    fn reach(&mut self, free: &FreePositions, pass: usize) -> bool {
        let known = self.contact.active.len();
        for c in 0..self.problem.contacts.len() {
            if self.contact.active[..known].binary_search(&(c as u32)).is_ok() {
                continue;
            }
            let slides = matches!(self.problem.contacts.set_of(c).against, Against::Slider { .. });
            let pushed = self.contact.impulse[c] != [0.0; 3];
            let [e, _] = (free.law)(c);
            if slides || pushed || pass > PATIENCE || self.seen_normal(c, e) < 0.0 {
                self.contact.active.push(c as u32);
            }
        }
        self.contact.active.sort_unstable();
        self.contact.active.len() > known
    }

    fn solve_linearised(
        &mut self,
        free: &FreePositions,
        solver: &mut dyn ContactSolver,
        target: Target,
    ) -> SolveReport {
        let offset = std::mem::take(&mut self.positions.offset);
        let b = |c: usize, met: &ContactStart, u: [f64; 3]| {
            let [e, e_t] = (free.law)(c);
            let before = met.u_start;
            [offset[c] + u[0] - e * before[0], u[1] + e_t * before[1], u[2] + e_t * before[2]]
        };
        let inner =
            FreeMotion { q: free.q, v: free.before, free: free.rate, rate: free.rate, b: &b };
        let report = self.solve(&inner, solver, target);
        self.positions.offset = offset;
        report
    }

    /// v₊ of the contact dofs with the impulses found.
    fn move_contacts(&mut self, free: &FreePositions) {
        let mut impulse = std::mem::take(&mut self.impulse);
        impulse.fill(0.0);
        let first = self.problem.dofs.trailing;
        self.push(|at, push| impulse[at as usize - first] += push);
        let mut rate = std::mem::take(&mut self.positions.rate);
        let rates = self.rates.as_ref().unwrap_or(&self.response);
        for (at, &dof) in self.problem.dofs.order[first..].iter().enumerate() {
            let answer = self.gain * rates.velocity_at((first + at) as u32, &impulse);
            rate[dof as usize] = (free.rate)(dof) + answer;
        }
        self.positions.rate = rate;
        self.impulse = impulse;
    }

    /// What a candidate whose frame turns meets where it would be now; its gap is that above what counts as closed.
    fn detect_ahead(&mut self, free: &FreePositions, c: usize, e: f64) -> Contact {
        let (problem, h) = (Arc::clone(&self.problem), self.problem.h);
        for &dof in self.rows.of(c).dofs() {
            let i = dof as usize;
            let moved = h * (self.positions.rate[i] - e * free.before[i]) / (1.0 + e);
            self.positions.place[i] = free.q[i] + moved;
        }
        let set = problem.contacts.candidates[c].set;
        let pose = self.set_out[set].between(&self.poses[set], (1.0 - e) / (1.0 + e));
        let met = problem.contacts.contact(c, problem.dofs.dimension, &self.positions.place, &pose);
        Contact { gap: met.gap - self.positions.floor[c], ..met }
    }

    /// How far the gap of the worst candidate is from what was thought, and by how much the H of one that pushes has
    /// turned. A gap is off by the square of the way to where it was linearised, H by the way itself.
    fn distance(&mut self, free: &FreePositions) -> (f64, f64) {
        let problem = Arc::clone(&self.problem);
        let (contacts, mut worst, mut tilt) = (&problem.contacts, 0.0, 0.0);
        for c in (0..contacts.len()).filter(|&c| contacts.turns(c)) {
            let [e, _] = (free.law)(c);
            let thought = self.problem.h / (1.0 + e) * self.seen_normal(c, e);
            let met = self.detect_ahead(free, c, e);
            let gap = met.gap;
            let pushes = self.contact.impulse[c][0] > 0.0;
            let off = if pushes { (gap - thought).abs() } else { (-gap).max(0.0) };
            worst = f64::max(worst, off);
            if pushes {
                let rows = &mut self.positions.rows;
                rows.clear();
                contacts.add_rows(c, &met, problem.dofs.dimension, rows);
                tilt = f64::max(tilt, rows.of(0).tilt(&self.rows.of(c)));
            }
        }
        (worst, tilt)
    }

    /// Linearises the gaps of the candidates whose frames turn where they would be now.
    fn linearise_anew(&mut self, free: &FreePositions) {
        let problem = Arc::clone(&self.problem);
        let (contacts, h) = (&problem.contacts, problem.h);
        let mut rows = std::mem::take(&mut self.positions.rows);
        rows.clear();
        for c in 0..contacts.len() {
            if !contacts.turns(c) {
                rows.append(self.rows.of(c));
                continue;
            }
            let [e, _] = (free.law)(c);
            let met = self.detect_ahead(free, c, e);
            contacts.add_rows(c, &met, problem.dofs.dimension, &mut rows);
            let [last, this] = [0, 1].map(|k| met.frame.to_frame(self.positions.carried[k][c]));
            let before = rows.of(c).velocity(free.before);
            self.starts[c].u_start = [0, 1, 2].map(|i| before[i] - last[i]);
            self.starts[c].carried = this;
            self.contact.frame[c] = met.frame;
            self.detected[c] = met;
        }
        std::mem::swap(&mut self.rows, &mut rows);
        self.positions.rows = rows;
        for c in (0..contacts.len()).filter(|&c| contacts.turns(c)) {
            let [e, _] = (free.law)(c);
            self.positions.offset[c] = 0.0;
            let seen = self.seen_normal(c, e);
            self.positions.offset[c] = (1.0 + e) / h * self.detected[c].gap - seen;
        }
    }

    /// Makes obstacles go back the way they will go, for a step back in time.
    pub fn reverse(&mut self) {
        for (end, start) in self.poses.iter_mut().zip(&self.set_out) {
            *end = start.between(end, -1.0);
        }
        let starts = self.starts.iter_mut();
        starts.for_each(|met| met.carried = met.carried.map(|w| -w));
    }

    /// Makes works those of the mean velocity of the last step and of this one.
    pub fn carry_mean(&mut self) {
        for c in 0..self.problem.contacts.len() {
            let frame = self.detected[c].frame;
            let [last, this] = [0, 1].map(|k| frame.to_frame(self.positions.carried[k][c]));
            self.starts[c].carried = [0, 1, 2].map(|i| 0.5 * (last[i] + this[i]));
        }
    }
}
