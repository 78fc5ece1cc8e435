//! The same problem seen otherwise: from elsewhere, turned, in a mirror, in other units, with its nodes
//! and elements in another order.

use crate::support::random::Random;

pub type Vector = [f64; 3];

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn plus(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| a[i] + b[i])
}

pub fn times(s: f64, a: Vector) -> Vector {
    a.map(|a| s * a)
}

/// x in this view is length · (R x + shift), with R a turn about `axis` after a reflection in x = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What one unit of length, time and mass of the scenario is in the units of the view.
    pub length: f64,
    pub time: f64,
    pub mass: f64,
    pub mirror: bool,
    pub axis: Vector,
    pub angle: f64,
    pub shift: Vector,
    /// Seed of the order of nodes and elements; none where they stand as they are.
    pub order: Option<u64>,
}

/// The view of the scenario itself.
pub const PLAIN: View = View {
    length: 1.0,
    time: 1.0,
    mass: 1.0,
    mirror: false,
    axis: [0.0, 0.0, 1.0],
    angle: 0.0,
    shift: [0.0; 3],
    order: None,
};

impl View {
    /// R x, or Rᵀ x.
    fn turned(&self, x: Vector, angle: f64) -> Vector {
        if angle == 0.0 {
            return x;
        }
        let (sine, cosine) = angle.sin_cos();
        let along = times((1.0 - cosine) * dot(self.axis, x), self.axis);
        plus(plus(times(cosine, x), times(sine, cross(self.axis, x))), along)
    }

    /// Where a direction points.
    pub fn direction(&self, x: Vector) -> Vector {
        let x = if self.mirror { [-x[0], x[1], x[2]] } else { x };
        self.turned(x, self.angle)
    }

    /// What points there.
    pub fn direction_back(&self, x: Vector) -> Vector {
        let x = self.turned(x, -self.angle);
        if self.mirror { [-x[0], x[1], x[2]] } else { x }
    }

    /// +1, or −1 where left is right.
    pub fn hand(&self) -> f64 {
        if self.mirror { -1.0 } else { 1.0 }
    }

    /// Where an axis of rotation points: a reflection turns the other way about the mirrored axis.
    pub fn axial(&self, axis: Vector) -> Vector {
        times(self.hand(), self.direction(axis))
    }

    pub fn point(&self, x: Vector) -> Vector {
        times(self.length, plus(self.direction(x), self.shift))
    }

    pub fn vector(&self, unit: f64, x: Vector) -> Vector {
        times(unit, self.direction(x))
    }

    pub fn velocity(&self) -> f64 {
        self.length / self.time
    }

    pub fn force(&self) -> f64 {
        self.mass * self.length / (self.time * self.time)
    }

    /// Place of each of `count` things in this view.
    pub fn places(&self, count: usize, salt: u64) -> Vec<usize> {
        let mut places: Vec<usize> = (0..count).collect();
        if let Some(seed) = self.order {
            let mut random = Random::new(seed.wrapping_add(salt));
            for i in (1..count).rev() {
                let j = (0.5 * (random.signed() + 1.0) * (i + 1) as f64) as usize;
                places.swap(i, j.min(i));
            }
        }
        places
    }
}
