//! Coulomb's law, looked at contact by contact.

use serde::Serialize;

use super::{ConeProblem, Status, norm};

/// How an impulse p with its velocity û = W p + b obeys the law, next to the one number of
/// [`ConeProblem::error`]. Shares are of the largest component of an impulse, of a velocity, or of the
/// product of both; each is 0 at a solution.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Examination {
    /// Contacts without impulse.
    pub open: usize,
    /// Contacts that hold.
    pub stick: usize,
    /// Contacts that slide.
    pub slip: usize,
    /// Largest share of ‖p_T‖ − μ p_N: impulse outside of its cone.
    pub outside_cone: f64,
    /// Largest share of −û_N: a contact that goes on closing.
    pub closing: f64,
    /// Largest share of |û_N p_N|: a contact that pushes while it opens or closes.
    pub pushing: f64,
    /// Largest share of û_T·p_T: friction that drives.
    pub driving: f64,
    /// Largest share of û_T·p_T + μ p_N ‖û_T‖: a contact that slides without its full friction.
    pub sliding_free: f64,
    /// Σ û_T·p_T, in the problem's own units: what friction takes, never positive.
    pub friction_power: f64,
}

impl ConeProblem {
    /// Looks at every contact. Velocities and impulses below `noise`, as a share of the largest, are
    /// taken for zero where contacts are told open, stick or slip.
    pub fn examine(&self, p: &[f64], u: &[f64], noise: f64) -> Examination {
        let d = self.dimension();
        let largest = |x: &[f64]| x.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let (impulse, velocity) = (largest(p), largest(u).max(largest(&self.b)));
        let mut found = Examination::default();
        let raise = |worst: &mut f64, value: f64| *worst = worst.max(value);
        // In units in which the largest component is 1, so that no square is lost.
        let (mut p_unit, mut u_unit) = ([0.0; 3], [0.0; 3]);
        for ((p, u), &mu) in p.chunks_exact(d).zip(u.chunks_exact(d)).zip(&self.mu) {
            (0..d).for_each(|i| (p_unit[i], u_unit[i]) = (p[i] / impulse, u[i] / velocity));
            let (p, u) = (&p_unit[..d], &u_unit[..d]);
            let (size, sliding) = (norm(&p[1..]), norm(&u[1..]));
            let drive: f64 = p[1..].iter().zip(&u[1..]).map(|(p, u)| p * u).sum();
            raise(&mut found.outside_cone, size - mu * p[0]);
            raise(&mut found.closing, -u[0]);
            raise(&mut found.pushing, (u[0] * p[0]).abs());
            raise(&mut found.driving, drive);
            raise(&mut found.sliding_free, drive + mu * p[0] * sliding);
            found.friction_power += impulse * drive * velocity;
            let normal = if p[0] > noise { p[0] } else { 0.0 };
            match Status::of([normal, size, 0.0], mu * (1.0 - noise), sliding, noise) {
                Status::Open => found.open += 1,
                Status::Stick => found.stick += 1,
                Status::Slip => found.slip += 1,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examine(p: [f64; 6], u: [f64; 6]) -> Examination {
        let b = vec![1.0; 6];
        let w: Vec<f64> = (0..36).map(|k| f64::from(u8::from(k % 7 == 0))).collect();
        ConeProblem::dense(3, &w, b, vec![0.5; 2]).examine(&p, &u, 1e-9)
    }

    #[test]
    fn a_lawful_pair_of_contacts_is_found_lawful() {
        let found = examine([2.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0, -3.0, 0.0, 1.0, 5.0, 5.0]);
        assert_eq!((found.open, found.stick, found.slip), (1, 0, 1));
        assert_eq!(found.friction_power, -3.0);
        let worst = [found.outside_cone, found.closing, found.pushing, found.driving];
        assert!(worst.iter().all(|&x| x <= 0.0) && found.sliding_free.abs() < 1e-15, "{found:?}");
    }

    #[test]
    fn every_breach_of_the_law_shows_in_its_own_number() {
        let found = examine([2.0, 1.5, 0.0, 1.0, 0.0, 0.2], [-1.0, 3.0, 0.0, 2.0, 0.0, 4.0]);
        assert!(found.outside_cone > 0.1 && found.closing > 0.1 && found.pushing > 0.1);
        assert!(found.driving > 0.1 && found.sliding_free > 0.1 && found.friction_power > 0.0);
    }
}
