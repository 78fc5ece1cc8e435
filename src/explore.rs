//! How many solutions a step has: its cone problem, solved from many starts.
//!
//! Coulomb's law leaves choices open. A rod wedged between walls may stay or fall; a block on two feet
//! rests, but its feet may push against each other as they like. A run takes one solution, the one its
//! last impulse leads to. This room asks for the others, as in J. J. Moreau, *Facing the plurality of
//! solutions in nonsmooth mechanics* (2006), hal-01824588: Gauss–Seidel from impulses by chance and
//! through the contacts in orders by chance, and the clouds of what it finds.

mod cloud;
mod outcome;
mod random;
mod replay;
mod sample;
mod table;

use rayon::prelude::*;

use crate::contact::ConeProblem;
pub use cloud::write_cloud;
pub use outcome::{Outcome, Spread};
pub use replay::{ExploredStep, Rest, StepChoice, explore_case};
pub use sample::{ConePoint, ConeSample, Start};
pub use table::write_solutions;

/// How to explore.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExploreRequest {
    /// Samples to draw.
    pub samples: usize,
    /// Of the random numbers.
    pub seed: u64,
    /// Error that a sample must reach to count, in [`Measure::Scaled`](crate::contact::Measure::Scaled).
    pub tolerance: f64,
    /// Sweeps before a sample gives up.
    pub max_iterations: usize,
}

impl ExploreRequest {
    /// The larger of the two errors at which samples are compared.
    fn loose(&self) -> f64 {
        self.tolerance.sqrt().max(self.tolerance)
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The problem.
    pub problem: ConeProblem,
    /// How it was explored.
    pub request: ExploreRequest,
    /// Every sample, those that do not count too.
    pub samples: Vec<ConeSample>,
    /// The motions found, that with most samples first.
    pub outcomes: Vec<Outcome>,
}

/// How much of a step is determined, as far as samples tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Determinacy {
    /// No sample was solved.
    Unsolved,
    /// One motion, one impulse.
    Unique,
    /// One motion; its impulses are a set of this dimension.
    Impulses(usize),
    /// So many motions, or families of motions.
    Motions(usize),
}

/// Solves `problem` from many starts, the impulse `warm` among them. The answer has the same bits for any
/// number of threads.
pub fn explore(problem: ConeProblem, warm: &[f64], request: &ExploreRequest) -> Exploration {
    let draw = |index| sample::draw(&problem, warm, request, index);
    let samples: Vec<ConeSample> = (0..request.samples).into_par_iter().map(draw).collect();
    let is_solved = |&i: &usize| samples[i].tight.error <= request.tolerance;
    let counted: Vec<usize> = (0..samples.len()).filter(is_solved).collect();
    let outcomes = outcome::sort(&problem, &samples, &counted, request.loose());
    Exploration { problem, request: *request, samples, outcomes }
}

impl Exploration {
    /// Samples that count.
    pub fn solved(&self) -> usize {
        self.outcomes.iter().map(|outcome| outcome.samples.len()).sum()
    }

    /// The outcome of each sample, if it counts.
    pub fn outcome_of_samples(&self) -> Vec<Option<usize>> {
        let mut of = vec![None; self.samples.len()];
        for (number, outcome) in self.outcomes.iter().enumerate() {
            outcome.samples.iter().for_each(|&i| of[i] = Some(number));
        }
        of
    }

    /// How much is determined.
    pub fn verdict(&self) -> Determinacy {
        match &self.outcomes[..] {
            [] => Determinacy::Unsolved,
            [one] if one.velocities.dimension > 0 => Determinacy::Motions(1),
            [one] if one.impulses.dimension > 0 => Determinacy::Impulses(one.impulses.dimension),
            [_] => Determinacy::Unique,
            several => Determinacy::Motions(several.len()),
        }
    }

    /// Extent of the impulse of contact `alpha` over all outcomes, as the velocity it would make alone.
    pub fn reach_of(&self, alpha: usize) -> f64 {
        let d = self.problem.dimension();
        let component = |i: usize| {
            let own = || self.outcomes.iter().map(|outcome| outcome.extent[i]);
            let least = own().fold(f64::INFINITY, |least, [low, _]| least.min(low));
            own().fold(0.0, |most, [_, high]| f64::max(most, high - least))
        };
        let most = (d * alpha..d * (alpha + 1)).map(component).fold(0.0, f64::max);
        self.problem.rate_of(alpha) * most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Status;

    const REQUEST: ExploreRequest =
        ExploreRequest { samples: 400, seed: 1, tolerance: 1e-10, max_iterations: 10_000 };

    /// A rigid body in the plane of mass 1 and moment of inertia `inertia`, at rest under gravity (0, −1) for
    /// a step of 1, with contacts at `points` from its centre, with normals `normals`:
    ///
    /// ```text
    ///     W = H M⁻¹ Hᵀ,     b = H (0, −1, 0),     rows of H: (d, r × d) for d = n, t
    /// ```
    fn body(inertia: f64, points: &[[f64; 2]], normals: &[[f64; 2]], mu: f64) -> ConeProblem {
        let mut rows = Vec::new();
        for (r, n) in points.iter().zip(normals) {
            for d in [*n, [-n[1], n[0]]] {
                rows.push([d[0], d[1], r[0] * d[1] - r[1] * d[0]]);
            }
        }
        let product =
            |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] / inertia;
        let w: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| product(a, b))).collect();
        let b = rows.iter().map(|row| -row[1]).collect();
        ConeProblem::dense(2, &w, b, vec![mu; points.len()])
    }

    /// Moreau's rod of half-length 1, horizontal between walls that lean by φ and converge upward.
    fn wedged_rod(phi: f64, mu: f64) -> ConeProblem {
        let (sin, cos) = phi.sin_cos();
        body(1.0 / 3.0, &[[-1.0, 0.0], [1.0, 0.0]], &[[cos, -sin], [-cos, -sin]], mu)
    }

    fn explored(problem: ConeProblem) -> Exploration {
        let warm = vec![0.0; problem.b.len()];
        let found = explore(problem, &warm, &REQUEST);
        assert_eq!(found.solved(), REQUEST.samples, "all samples are solved");
        found
    }

    /// The friction angle, atan 0.5 = 0.46, is larger than φ = 0.1: the rod may stay, held by any horizontal
    /// push X with
    ///
    /// ```text
    ///     force on each end (±X, 1/2),     X ≥ 1/(2 tan(atan μ − φ)),
    /// ```
    ///
    /// a ray of one dimension in the four components of p; or it falls, p = 0.
    #[test]
    fn a_wedged_rod_stays_or_falls_and_its_wedging_is_a_ray() {
        let (phi, mu) = (0.1f64, 0.5f64);
        let found = explored(wedged_rod(phi, mu));
        assert_eq!(found.verdict(), Determinacy::Motions(2));
        let is_falling = |o: &&Outcome| o.status == [Status::Open; 2];
        let falls = found.outcomes.iter().find(is_falling).unwrap();
        let stays = found.outcomes.iter().find(|o| o.status == [Status::Stick; 2]).unwrap();
        assert_eq!((falls.impulses.dimension, falls.goes_on), (0, false));
        assert_eq!((stays.velocities.dimension, stays.impulses.dimension), (0, 1));
        assert!(stays.goes_on, "the ray has no end");
        assert!(falls.samples.contains(&0), "from zero it falls");
        let (sin, cos) = phi.sin_cos();
        let least = 0.5 / (mu.atan() - phi).tan();
        for &i in &stays.samples {
            let [n1, t1, n2, t2] = found.samples[i].tight.p[..] else { panic!("two contacts") };
            let (push, lift) = (n1 * cos + t1 * sin, -n1 * sin + t1 * cos);
            let other = -n2 * cos + t2 * sin;
            assert!((lift - 0.5).abs() < 1e-10 * push && (push + other).abs() < 1e-10 * push);
            assert!(push >= least * (1.0 - 1e-9), "{push} < {least}");
        }
        let [low, high] = stays.extent[0];
        assert!(high > 10.0 * low, "the samples reach far along the ray: {low} to {high}");
    }

    /// Both ends together move as the rod does: its largest speed is that of its ends.
    #[test]
    fn a_wedged_rod_can_rest_but_need_not() {
        let rest = |phi, mu| {
            let found = explored(wedged_rod(phi, mu));
            let u = |o: &Outcome| &found.samples[o.best].tight.u;
            let largest = |o| u(o).iter().fold(0.0, |most, u| f64::max(most, u.abs()));
            let speeds = found.outcomes.iter().map(largest).collect();
            let contacts = vec!["left".into(), "right".into()];
            let scene = ExploredStep { time: 0.0, contacts, found, speeds, free_speed: 1.0 };
            let falling = |o: &&Outcome| o.status == [Status::Open; 2];
            let falls = scene.found.outcomes.iter().filter(falling).map(|o| o.samples.len());
            (scene.rest(), falls.sum::<usize>())
        };
        let (wedged, falls) = rest(0.1, 0.5);
        assert_eq!(wedged, Rest::Neither(falls));
        assert!(falls > REQUEST.samples / 8, "at least those from zero fall: {falls}");
        assert_eq!(rest(0.5, 0.3), (Rest::Moves, REQUEST.samples));
    }

    /// With a friction angle below φ nothing holds the rod.
    #[test]
    fn a_rod_between_slippery_walls_falls() {
        let found = explored(wedged_rod(0.5, 0.3));
        assert_eq!(found.verdict(), Determinacy::Unique);
        assert_eq!(found.outcomes[0].status, [Status::Open; 2]);
    }

    /// One contact with friction, W positive definite: stick, slip and open by hand in `cone.rs`.
    #[test]
    fn a_single_contact_has_one_solution_and_its_spread_is_rounding() {
        for b in [[-1.75, -0.5], [-2.25, -4.0], [1.0, 3.0]] {
            let problem = ConeProblem::dense(2, &[2.0, 0.5, 0.5, 1.0], b.to_vec(), vec![0.5]);
            let found = explored(problem);
            assert_eq!(found.verdict(), Determinacy::Unique, "{b:?}");
            let Spread { tight, noise, .. } = found.outcomes[0].impulses;
            assert!(tight < 1e-14 && noise < 1e-10, "{tight:e} {noise:e}");
        }
    }

    /// Two feet without friction: two equations, two unknowns. Sweeps only come near the solution, so that
    /// the spread is what errors leave, and it shrinks with them.
    #[test]
    fn a_block_on_two_feet_without_friction_has_one_solution() {
        let points = [[-1.0, -1.0], [1.5, -1.0]];
        let found = explored(body(2.0, &points, &[[0.0, 1.0]; 2], 0.0));
        assert_eq!(found.verdict(), Determinacy::Unique);
        let Spread { loose, tight, noise, .. } = found.outcomes[0].impulses;
        assert!(tight < 1e-13 && tight < 1e-6 * loose, "{loose:e} {tight:e}");
        assert!(noise < 1e-9, "{noise:e}");
    }

    /// With friction it rests all the same; its feet may push against each other, p_T = ±x, as far as the
    /// cones let them, |x| ≤ μ times the smaller p_N.
    #[test]
    fn a_block_on_two_feet_with_friction_rests_with_impulses_along_a_line() {
        let points = [[-1.0, -1.0], [1.5, -1.0]];
        let mu = 0.4;
        let found = explored(body(2.0, &points, &[[0.0, 1.0]; 2], mu));
        assert_eq!(found.verdict(), Determinacy::Impulses(1));
        let outcome = &found.outcomes[0];
        assert_eq!(outcome.status, [Status::Stick; 2]);
        assert!(!outcome.goes_on);
        let Spread { loose, tight, noise, .. } = outcome.impulses;
        assert!(tight > 0.5 * loose && noise < 1e-3 * tight, "{loose:e} {tight:e} {noise:e}");
        // Lever arms: 1/(1 + 1.5) of the weight on the far foot.
        let [low, high] = outcome.extent[3];
        let end = mu * 0.4;
        assert!(low >= -end - 1e-12 && high <= end + 1e-12, "{low} {high}");
        assert!(high - low > end, "the samples fill most of the line: {low} {high}");
    }

    /// A third foot adds two impulses and no equation.
    #[test]
    fn every_further_foot_adds_two_dimensions() {
        let points = [[-1.0, -1.0], [0.2, -1.0], [1.5, -1.0]];
        let found = explored(body(2.0, &points, &[[0.0, 1.0]; 3], 0.4));
        assert_eq!(found.verdict(), Determinacy::Impulses(3));
    }

    #[test]
    fn a_problem_without_contacts_has_one_solution() {
        let found = explored(ConeProblem::dense(2, &[], Vec::new(), Vec::new()));
        assert_eq!(found.verdict(), Determinacy::Unique);
    }

    #[test]
    fn samples_depend_on_the_seed_and_not_on_the_threads() {
        let problem = wedged_rod(0.1, 0.5);
        let warm = [0.0; 4];
        let impulses = |found: Exploration| -> Vec<Vec<f64>> {
            found.samples.into_iter().map(|sample| sample.tight.p).collect()
        };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            impulses(pool.install(|| explore(problem.clone(), &warm, &REQUEST)))
        };
        let one = on(1);
        assert_eq!(one, on(3));
        let other = ExploreRequest { seed: 2, ..REQUEST };
        assert_ne!(one, impulses(explore(problem, &warm, &other)));
    }

    /// Two sweeps are not enough for two feet: samples that were not solved are not counted.
    #[test]
    fn samples_that_are_not_solved_do_not_count() {
        let points = [[-1.0, -1.0], [1.5, -1.0]];
        let problem = body(2.0, &points, &[[0.0, 1.0]; 2], 0.0);
        let hasty = ExploreRequest { max_iterations: 2, ..REQUEST };
        let found = explore(problem, &[0.0; 4], &hasty);
        assert_eq!((found.solved(), found.verdict()), (0, Determinacy::Unsolved));
        assert!(found.outcome_of_samples().iter().all(Option::is_none));
    }
}
