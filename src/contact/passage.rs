//! Whether a candidate passed through what it should have touched: from one side to the other within a step.

use super::detect::{Placement, SurfacePoint};
use super::obstacle::Pose;
use super::{Against, Contacts, norm};

/// Where a candidate is: in space, or seen from the ball or body that it may touch.
pub type Whereabouts = [f64; 3];

/// Most points of a path that are looked at, and the least share of it between two of them.
const LOOKS: usize = 400;
const LEAST: f64 = 1.0 / 300.0;

impl Contacts {
    /// Whether the normal of candidate `c` may come to point the other way: no flat face has another side.
    pub fn may_be_crossed(&self, c: usize) -> bool {
        match &self.set_of(c).against {
            Against::Obstacle(obstacle) => obstacle.has_another_side(self.candidates[c].face),
            Against::Ball { .. } | Against::Body(_) => true,
            Against::Slider { .. } | Against::Solids => false,
        }
    }

    /// Where candidate `c` is under the displacements `q`.
    pub fn whereabouts(&self, c: usize, dimension: usize, q: &[f64]) -> Whereabouts {
        let place = self.candidates[c].grip.place(dimension, q);
        match &self.set_of(c).against {
            Against::Ball { grip, .. } => {
                let other = grip.place(dimension, q);
                [0, 1, 2].map(|i| place[i] - other[i])
            }
            Against::Body(_) => {
                self.body_of(c).map_or(place, |body| body.placement(dimension, q).to_body(place))
            }
            Against::Obstacle(_) | Against::Slider { .. } | Against::Solids => place,
        }
    }

    /// Gap of candidate `c` there.
    fn gap_there(&self, c: usize, at: Whereabouts, pose: &Pose) -> f64 {
        let own = &self.candidates[c];
        match &self.set_of(c).against {
            Against::Obstacle(obstacle) => obstacle.touch(own.face, at, pose).gap - own.radius,
            Against::Ball { radius, .. } => norm(&at) - own.radius - radius,
            Against::Body(_) => self.body_of(c).map_or(f64::INFINITY, |body| {
                // In the axes of the body the surface around the point is not known.
                let point = SurfacePoint { place: at, outward: [0.0; 3] };
                body.height_of(&point, &Placement::BODY).0 - own.radius
            }),
            Against::Slider { .. } | Against::Solids => f64::INFINITY,
        }
    }

    /// Whether candidate `c` was in its obstacle on the way from one place to another, while that moves from one pose
    /// to another. A gap is the way that is free, so that looks at such distances miss nothing that stands still.
    pub fn enters_between(
        &self,
        c: usize,
        from: (Whereabouts, &Pose),
        to: (Whereabouts, &Pose),
    ) -> bool {
        let way = norm(&[0, 1, 2].map(|i| to.0[i] - from.0[i]));
        let stands = (from.1.travel, from.1.angle) == (to.1.travel, to.1.angle);
        let mut share = 0.0;
        for _ in 0..LOOKS {
            let at = [0, 1, 2].map(|i| from.0[i] + share * (to.0[i] - from.0[i]));
            let gap = self.gap_there(c, at, &from.1.between(to.1, share));
            if gap < 0.0 {
                return true;
            }
            if share >= 1.0 {
                return false;
            }
            let free = if stands && way > 0.0 { gap / way } else { 0.0 };
            share = (share + free.max(LEAST)).min(1.0);
        }
        false
    }
}
