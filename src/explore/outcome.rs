//! Which samples are the same motion, and how large the set of impulses behind it is.
//!
//! Two solutions of one problem differ by what their errors leave, or because there are two. How far a
//! sample moved while its error fell from e₁ to e₂ tells what an error is worth in this problem; what
//! e₂ can still hide is then
//!
//! ```text
//!     noise = S (κ max e₂ + ε (‖b‖ + Σ_α tr W_αα ‖p_α‖)),     κ = max ‖x₂ − x₁‖/e₁          (1)
//! ```
//!
//! with x = û, or x = tr W_αα p_α contact by contact; S is a margin. The spread of samples that
//! are one solution shrinks with their error, that of several does not: a spread that fell to S e₂/e₁ of
//! what it was is noise, too.

use super::sample::{ConePoint, ConeSample};
use crate::contact::{ConeProblem, Measure, Status, norm};

/// S of (1).
const MARGIN: f64 = 100.0;
/// Errors must have fallen by this for a move to tell anything.
const FALLEN: f64 = 10.0;
/// A set of impulses is looked for so many times farther than the samples reach.
const BEYOND: f64 = 100.0;

/// Samples with the same motion: in each contact the same of leaving, sliding (in the plane: that way) and
/// staying. In the plane the solutions of one such motion are a convex set.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its samples, ascending.
    pub samples: Vec<usize>,
    /// The one with the smallest error.
    pub best: usize,
    /// What each contact does: open, stick or slip.
    pub status: Vec<Status>,
    /// Set of velocities û: one point, or a family of motions.
    pub velocities: Spread,
    /// Set of impulses, as the velocities tr W_αα p_α that they would make alone.
    pub impulses: Spread,
    /// Least and largest value of each component of p.
    pub extent: Vec<[f64; 2]>,
    /// Whether impulses a hundred times beyond the samples, on the line from the smallest to the largest of
    /// them, solve the problem as well.
    pub goes_on: bool,
}

/// How far samples of one outcome lie apart, in units of velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// At the root of the tolerance.
    pub loose: f64,
    /// As tight as rounding permits.
    pub tight: f64,
    /// What is left of errors in `tight`.
    pub noise: f64,
    /// Dimension of the set that the samples span above the noise.
    pub dimension: usize,
    /// Whether there were too few samples to span more.
    pub at_least: bool,
}

/// Which of a sample's vectors is looked at, and its units.
struct Side<'a> {
    of: fn(&ConePoint) -> &[f64],
    /// Of each component, to make it a velocity.
    rates: Vec<f64>,
    samples: &'a [ConeSample],
    noise: f64,
}

impl<'a> Side<'a> {
    fn new(of: fn(&ConePoint) -> &[f64], rates: Vec<f64>, samples: &'a [ConeSample]) -> Self {
        Self { of, rates, samples, noise: 0.0 }
    }

    /// Largest difference of a component.
    fn apart(&self, a: &ConePoint, b: &ConePoint) -> f64 {
        let pairs = (self.of)(a).iter().zip((self.of)(b)).zip(&self.rates);
        pairs.fold(0.0, |most, ((a, b), rate)| f64::max(most, rate * (a - b).abs()))
    }

    /// (1), of the samples in `counted`; `rounding` is its second term.
    fn set_noise(&mut self, counted: &[usize], rounding: f64) {
        let (mut worth, mut left) = (0.0, 0.0);
        for ConeSample { loose, tight, .. } in counted.iter().map(|&i| &self.samples[i]) {
            left = f64::max(left, tight.error);
            if loose.error > FALLEN * tight.error {
                worth = f64::max(worth, self.apart(loose, tight) / loose.error);
            }
        }
        self.noise = MARGIN * (worth * left + rounding);
    }

    /// Of the samples `own`, seen from sample `best`.
    fn spread(&self, own: &[usize], best: usize) -> Spread {
        let center = &self.samples[best];
        let mut spread = Spread { noise: self.noise, ..Spread::default() };
        let mut errors = [0.0; 2];
        for ConeSample { loose, tight, .. } in own.iter().map(|&i| &self.samples[i]) {
            spread.loose = f64::max(spread.loose, self.apart(loose, &center.loose));
            spread.tight = f64::max(spread.tight, self.apart(tight, &center.tight));
            errors = [f64::max(errors[0], loose.error), f64::max(errors[1], tight.error)];
        }
        let [before, after] = errors;
        if before > MARGIN * MARGIN * after {
            let shrunk = MARGIN * spread.loose * after / before;
            spread.noise =
                if spread.tight <= shrunk { f64::max(spread.noise, shrunk) } else { spread.noise };
        }
        if spread.tight > spread.noise {
            let center = (self.of)(&center.tight);
            let scaled = |&i: &usize| -> Vec<f64> {
                let own = (self.of)(&self.samples[i].tight).iter().zip(center);
                own.zip(&self.rates).map(|((x, c), rate)| rate * (x - c)).collect()
            };
            spread.dimension = rank(own.iter().map(scaled).collect(), spread.noise);
            // One of them is the centre, and those that start at zero and warm may be one.
            spread.at_least = spread.dimension + 2 >= own.len();
        }
        spread
    }
}

/// Sorts the samples `counted`, all of them solutions, into outcomes, those with most samples first.
pub(super) fn sort(
    problem: &ConeProblem,
    samples: &[ConeSample],
    counted: &[usize],
    loose_tolerance: f64,
) -> Vec<Outcome> {
    let d = problem.dimension();
    let rates: Vec<f64> = (0..problem.b.len()).map(|i| problem.rate_of(i / d)).collect();
    let alone =
        |point: &ConePoint| point.p.iter().zip(&rates).map(|(p, rate)| rate * p.abs()).sum();
    let largest = counted.iter().map(|&i| alone(&samples[i].tight)).fold(0.0, f64::max);
    let rounding = f64::EPSILON * (norm(&problem.b) + largest);
    let mut velocities = Side::new(|point| &point.u, vec![1.0; rates.len()], samples);
    velocities.set_noise(counted, rounding);
    let mut impulses = Side::new(|point| &point.p, rates, samples);
    impulses.set_noise(counted, rounding);

    let mut motions: Vec<(Vec<ContactMotion>, Vec<usize>)> = Vec::new();
    for &i in counted {
        let point = &samples[i].tight;
        let motion = motion_of(&point.u, d, velocities.noise);
        let same = |(known, own): &(Vec<ContactMotion>, Vec<usize>)| {
            *known == motion || velocities.apart(point, &samples[own[0]].tight) <= velocities.noise
        };
        match motions.iter().position(same) {
            Some(at) => motions[at].1.push(i),
            None => motions.push((motion, vec![i])),
        }
    }
    motions.sort_by_key(|(_, own)| std::cmp::Reverse(own.len()));
    let outcome = |(_, own): (Vec<ContactMotion>, Vec<usize>)| {
        let error = |i: &&usize| samples[**i].tight.error;
        let best = own.iter().min_by(|i, j| error(i).total_cmp(&error(j)));
        let best = best.copied().unwrap_or_default();
        let set = impulses.spread(&own, best);
        let goes_on = set.dimension > 0 && goes_on(problem, &impulses, &own, loose_tolerance);
        Outcome {
            best,
            status: status_of(problem, &samples[best].tight, velocities.noise),
            velocities: velocities.spread(&own, best),
            impulses: set,
            extent: extent(samples, &own),
            goes_on,
            samples: own,
        }
    };
    motions.into_iter().map(outcome).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContactMotion {
    Leaves,
    SlidesAhead,
    SlidesBack,
    Stays,
}

/// What every contact does; below `noise` nothing moves. In space there is but one way to slide.
fn motion_of(u: &[f64], dimension: usize, noise: f64) -> Vec<ContactMotion> {
    let of_contact = |u: &[f64]| match u {
        [normal, ..] if *normal > noise => ContactMotion::Leaves,
        [_, tangent @ ..] if norm(tangent) <= noise => ContactMotion::Stays,
        [_, tangent] if *tangent < 0.0 => ContactMotion::SlidesBack,
        _ => ContactMotion::SlidesAhead,
    };
    u.chunks_exact(dimension).map(of_contact).collect()
}

fn status_of(problem: &ConeProblem, point: &ConePoint, noise: f64) -> Vec<Status> {
    let d = problem.dimension();
    let contacts = point.u.chunks_exact(d).zip(point.p.chunks_exact(d));
    let of_contact = |(u, p): (&[f64], &[f64])| match norm(&u[1..]) {
        _ if u[0] > noise || p[0] <= 0.0 => Status::Open,
        sliding if sliding > noise => Status::Slip,
        _ => Status::Stick,
    };
    contacts.map(of_contact).collect()
}

fn extent(samples: &[ConeSample], own: &[usize]) -> Vec<[f64; 2]> {
    let Some(&first) = own.first() else { return Vec::new() };
    let mut extent: Vec<[f64; 2]> = samples[first].tight.p.iter().map(|&p| [p, p]).collect();
    for &i in own {
        for ([least, most], &p) in extent.iter_mut().zip(&samples[i].tight.p) {
            (*least, *most) = (least.min(p), most.max(p));
        }
    }
    extent
}

/// Whether the line from the smallest impulse to the largest still solves the problem far beyond both.
fn goes_on(problem: &ConeProblem, impulses: &Side, own: &[usize], tolerance: f64) -> bool {
    let point = |i: &usize| &impulses.samples[*i].tight;
    let size = |i: &&usize| {
        let scaled = point(i).p.iter().zip(&impulses.rates).map(|(p, rate)| (rate * p).powi(2));
        scaled.sum::<f64>()
    };
    let near = own.iter().min_by(|i, j| size(i).total_cmp(&size(j)));
    let far = own.iter().max_by(|i, j| size(i).total_cmp(&size(j)));
    let (Some(near), Some(far)) = (near, far) else { return false };
    let line = point(near).p.iter().zip(&point(far).p);
    let p: Vec<f64> = line.map(|(near, far)| near + BEYOND * (far - near)).collect();
    let mut u = vec![0.0; p.len()];
    problem.velocity_into(&p, &mut u);
    problem.error(Measure::Scaled, &p, &u) <= tolerance
}

/// Dimension of what the rows span above `noise`: the row that is farthest from the span of those chosen
/// is the next, until none is.
fn rank(mut rows: Vec<Vec<f64>>, noise: f64) -> usize {
    let length = rows.first().map_or(0, Vec::len);
    let largest = |row: &[f64]| row.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
    for rank in 0..length.min(rows.len()) {
        let farthest = rows.iter().max_by(|a, b| largest(a).total_cmp(&largest(b)));
        let Some(pivot) = farthest.cloned() else { return rank };
        // Every projection adds the noise of its pivot.
        if largest(&pivot) <= noise * (rank + 1) as f64 {
            return rank;
        }
        let square: f64 = pivot.iter().map(|x| x * x).sum();
        for row in &mut rows {
            let share = row.iter().zip(&pivot).map(|(x, p)| x * p).sum::<f64>() / square;
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= share * p);
        }
    }
    length.min(rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Start;

    #[test]
    fn rank_counts_directions_above_the_noise_and_only_those() {
        let row = |x: f64, y: f64, noise: f64| vec![x, 2.0 * x - y, y, noise];
        let rows = vec![
            row(1.0, 0.0, 1e-12),
            row(0.5, 1e-3, -1e-12),
            row(-2.0, 2e-3, 0.0),
            row(0.0, 0.0, 1e-12),
        ];
        assert_eq!(rank(rows.clone(), 1e-11), 2);
        assert_eq!(rank(rows.clone(), 1e-2), 1);
        assert_eq!(rank(rows, 10.0), 0);
        assert_eq!(rank(Vec::new(), 0.0), 0);
    }

    /// W_NN + μ W_NT = 0 and b_N = 0: every p = (s, μs) with 0 ≤ s ≤ 2 solves, and slides at −1 + s/2.
    #[test]
    fn a_family_of_motions_is_one_outcome_with_a_dimension() {
        let problem = ConeProblem::dense(2, &[1.0, -2.0, -2.0, 5.0], vec![0.0, -1.0], vec![0.5]);
        let sample = |s: usize| {
            let p = vec![0.1 * s as f64, 0.05 * s as f64];
            let mut u = vec![0.0; 2];
            problem.velocity_into(&p, &mut u);
            let error = problem.error(Measure::Scaled, &p, &u);
            assert!(error < 1e-14, "{s}: {error:e}");
            let tight = ConePoint { p, u, error };
            ConeSample { start: Start::Random, iterations: 1, loose: tight.clone(), tight }
        };
        let samples: Vec<ConeSample> = (1..19).map(sample).collect();
        let counted: Vec<usize> = (0..samples.len()).collect();
        let outcomes = sort(&problem, &samples, &counted, 1e-5);
        let [family] = &outcomes[..] else { panic!("{outcomes:?}") };
        assert_eq!((family.velocities.dimension, family.impulses.dimension), (1, 1));
        assert_eq!(family.status, [Status::Slip]);
        assert!(!family.goes_on && !family.velocities.at_least);
    }

    #[test]
    fn motions_are_told_by_velocities_above_the_noise() {
        let u = [1.0, 5.0, 1e-12, -1.0, 0.0, 1.0, -1e-12, 1e-12];
        let expected = [
            ContactMotion::Leaves,
            ContactMotion::SlidesBack,
            ContactMotion::SlidesAhead,
            ContactMotion::Stays,
        ];
        assert_eq!(motion_of(&u, 2, 1e-9), expected);
        assert_eq!(motion_of(&[0.0, 0.0, -1.0], 3, 1e-9), [ContactMotion::SlidesAhead]);
    }
}
