//! Contacts that do not feel each other, solved apart: what a body leaves unsolved is measured by that body alone.

use super::{ContactSolver, Leg, SolveReport, SolveStatus, Target};
use crate::contact::{ConeProblem, norm};
use crate::linalg::{DisjointSets, Partition};

/// Share of the velocities that an island's b is made of, below which b is rounding, and the share of that which may be
/// left then.
const NOISE: f64 = 1e-11;
const NOISE_LEFT: f64 = 1e-2;

/// A method on every island of a problem: contacts between which W has an entry, or a chain of entries. The error of a
/// solve is that of its worst island, relative to ‖b‖ of this island, and its iterations are the most that one took. A
/// body that is fast or heavy neither loosens what is asked of others nor is loosened by them.
pub struct Islands {
    method: Box<dyn ContactSolver>,
    sets: DisjointSets,
    /// Memory of what joins them.
    last: Vec<u32>,
    islands: Partition,
    own: ConeProblem,
    impulse: Vec<f64>,
    trail: Vec<Leg>,
}

impl Islands {
    /// Solved with `method`.
    pub fn new(method: Box<dyn ContactSolver>) -> Self {
        Self {
            method,
            sets: DisjointSets::default(),
            last: Vec::new(),
            islands: Partition::default(),
            own: ConeProblem::default(),
            impulse: Vec::new(),
            trail: Vec::with_capacity(32),
        }
    }

    /// Finds the islands; returns how many.
    fn find(&mut self, problem: &ConeProblem) -> usize {
        let contacts = problem.contacts();
        self.sets.part(contacts);
        problem.w.join(&mut self.sets, &mut self.last);
        if self.sets.count() <= 1 {
            return self.sets.count();
        }
        self.islands.fill(&mut self.sets);
        self.islands.sets()
    }

    /// Solves one problem, whose b was made of velocities up to `posed`.
    fn solve_one(
        method: &mut dyn ContactSolver,
        problem: &ConeProblem,
        target: Target,
        posed: f64,
        p: &mut [f64],
    ) -> SolveReport {
        let mut report = method.solve(problem, target, p);
        let (size, noise) = (norm(&problem.b), NOISE * posed);
        if size < noise {
            // All that the cones see is rounding, which may ask for what no impulse can do.
            report.error *= size / noise;
            if report.error <= target.tolerance.max(NOISE_LEFT) {
                report.status = SolveStatus::Converged;
            }
        }
        report
    }

    /// Copies the island `which` and its guess.
    fn visit(&mut self, which: usize, problem: &ConeProblem, p: &[f64]) {
        let d = problem.dimension();
        self.own.select(problem, &self.islands, which);
        self.impulse.clear();
        for &contact in self.islands.members(which) {
            self.impulse.extend_from_slice(&p[d * contact as usize..][..d]);
        }
    }
}

impl ContactSolver for Islands {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn trail(&self) -> &[Leg] {
        &self.trail
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        let largest = |posed: &[f64]| posed.iter().copied().fold(0.0, f64::max);
        self.trail.clear();
        if self.find(problem) <= 1 {
            let posed = largest(target.posed);
            let report = Self::solve_one(self.method.as_mut(), problem, target, posed, p);
            self.trail.extend_from_slice(self.method.trail());
            return report;
        }
        let d = problem.dimension();
        let mut worst = SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 };
        for which in 0..self.islands.sets() {
            self.visit(which, problem, p);
            let members = self.islands.members(which);
            let of = |contact: &u32| target.posed.get(*contact as usize).copied();
            let posed = members.iter().filter_map(of).fold(0.0, f64::max);
            let (method, impulse) = (self.method.as_mut(), &mut self.impulse[..]);
            let report = Self::solve_one(method, &self.own, target, posed, impulse);
            for (&contact, impulse) in members.iter().zip(self.impulse.chunks_exact(d)) {
                p[d * contact as usize..][..d].copy_from_slice(impulse);
            }
            worst.iterations = worst.iterations.max(report.iterations);
            worst.error = worst.error.max(report.error);
            if worst.status == SolveStatus::Converged {
                worst.status = report.status;
            }
            self.trail.extend_from_slice(self.method.trail());
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::solver::Method;

    /// Two pairs of contacts that do not feel each other, interleaved, the second 10¹² times as fast.
    fn pairs() -> ConeProblem {
        let mut w = vec![0.0; 64];
        for (a, b) in [(0, 0), (1, 1), (2, 2), (3, 3), (0, 2), (2, 0), (1, 3), (3, 1)] {
            let (normal, tangential) = if a == b { (2.0, 1.0) } else { (0.5, -0.25) };
            w[8 * (2 * a) + 2 * b] = normal;
            w[8 * (2 * a + 1) + 2 * b + 1] = tangential;
        }
        let b = [-1.0, 0.3, -1e12, 7e11, -2.0, -0.9, -3e12, -1e11];
        ConeProblem::dense(2, &w, b.to_vec(), vec![0.4, 0.3, 0.5, 0.2])
    }

    #[test]
    fn a_slow_island_is_solved_to_its_own_rounding_beside_a_fast_one() {
        let problem = pairs();
        let mut islands = Islands::new(Method::Auto.solver(2, 4));
        assert_eq!(islands.find(&problem), 2);
        assert_eq!([0, 1].map(|which| islands.islands.members(which)), [&[0, 2], &[1, 3]]);
        let (mut p, mut u) = ([0.0; 8], [0.0; 8]);
        let report = islands.solve(&problem, Target::new(1e-12, 100), &mut p);
        assert_eq!(report.status, SolveStatus::Converged);
        problem.velocity_into(&p, &mut u);
        for slow in [0, 2] {
            assert!(p[2 * slow] > 0.0 && u[2 * slow].abs() < 1e-11, "{p:?} {u:?}");
        }
    }

    #[test]
    fn one_island_takes_the_way_of_its_method_to_the_bit() {
        let w = [2.0, 0.1, 0.4, 0.0, 0.1, 1.0, 0.0, 0.2, 0.4, 0.0, 3.0, 0.3, 0.0, 0.2, 0.3, 1.5];
        let b = vec![-1.0, 0.5, -0.7, 0.2];
        let problem = ConeProblem::dense(2, &w, b, vec![0.3, 0.6]);
        let target = Target::new(1e-12, 100);
        let (mut alone, mut within) = ([0.0; 4], [0.0; 4]);
        let direct = Method::Auto.solver(2, 2).solve(&problem, target, &mut alone);
        let report = Islands::new(Method::Auto.solver(2, 2)).solve(&problem, target, &mut within);
        assert_eq!((direct, alone), (report, within));
    }
}
