//! Random pairs of bodies: apart, touching, overlapping; in general position, aligned, nearly aligned.

use delassus::contact::detect::{Convex, Placement, Polygon, Polyhedron};

use super::brute::{Core, Vector, cross, dot, length, minus, moved};
use super::random::Random;

/// Which shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    Ball,
    Capsule,
    Box,
    Solid,
    Polygon,
}

/// All pairs of shapes, and whether in the plane.
pub const KINDS: [([ShapeKind; 2], bool); 18] = {
    use ShapeKind::{Ball, Box, Capsule, Polygon, Solid};
    [
        ([Box, Box], false),
        ([Box, Solid], false),
        ([Solid, Solid], false),
        ([Ball, Ball], false),
        ([Ball, Box], false),
        ([Ball, Solid], false),
        ([Ball, Capsule], false),
        ([Capsule, Capsule], false),
        ([Capsule, Box], false),
        ([Capsule, Solid], false),
        ([Box, Box], true),
        ([Box, Polygon], true),
        ([Polygon, Polygon], true),
        ([Ball, Ball], true),
        ([Ball, Polygon], true),
        ([Ball, Capsule], true),
        ([Capsule, Capsule], true),
        ([Capsule, Polygon], true),
    ]
};

/// How the two lie to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Turned and placed at random.
    General,
    /// Axes parallel, faces flush.
    Aligned,
    /// Aligned, and then turned by 1e-9 to 1e-2.
    Nearly,
}

/// Two shapes and where they are.
pub struct Pair {
    pub shapes: [Convex; 2],
    pub placements: [Placement; 2],
    /// The corners that a polyhedron was made of, for another one to be made of them.
    pub position: Position,
}

pub struct Draw {
    random: Random,
    pub flat: bool,
}

const UNTURNED: [Vector; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A rotation by `angle` about a unit vector.
fn turn(axis: Vector, angle: f64) -> [Vector; 3] {
    let (sine, cosine) = angle.sin_cos();
    let column = |x: Vector| {
        let along = (1.0 - cosine) * dot(axis, x);
        moved(moved(x.map(|x| cosine * x), sine, cross(axis, x)), along, axis)
    };
    let columns = UNTURNED.map(column);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]))
}

fn product(a: [Vector; 3], b: [Vector; 3]) -> [Vector; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

impl Draw {
    pub fn new(seed: u64, flat: bool) -> Self {
        Self { random: Random::new(seed), flat }
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + 0.5 * (self.random.signed() + 1.0) * (high - low)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.within(0.0, count as f64) as usize).min(count - 1)
    }

    /// From 1 to `most` times `least`, all decades alike.
    fn size(&mut self, least: f64, most: f64) -> f64 {
        self.within(least.ln(), most.ln()).exp()
    }

    fn direction(&mut self) -> Vector {
        loop {
            let z = if self.flat { 0.0 } else { self.random.signed() };
            let x = [self.random.signed(), self.random.signed(), z];
            let size = length(x);
            if size > 0.1 && size < 1.0 {
                return x.map(|x| x / size);
            }
        }
    }

    fn rotation(&mut self, most: f64) -> [Vector; 3] {
        let axis = if self.flat { [0.0, 0.0, 1.0] } else { self.direction() };
        let angle = self.within(-most, most);
        turn(axis, angle)
    }

    fn shape(&mut self, kind: ShapeKind) -> Convex {
        let scale = self.size(0.2, 2.0);
        match kind {
            ShapeKind::Ball => {
                Convex::Ball { center: [0.0; 3], radius: scale * self.within(0.2, 1.0) }
            }
            ShapeKind::Capsule => {
                let half = scale * self.within(0.2, 1.0);
                let along = if self.flat { [half, 0.0, 0.0] } else { [0.0, 0.0, half] };
                let radius = scale * self.within(0.05, 0.5);
                Convex::Capsule { ends: [along.map(|x| -x), along], radius }
            }
            ShapeKind::Box if self.flat => {
                let [a, b] = [0; 2].map(|_| scale * self.within(0.1, 1.0));
                let vertices = [[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]];
                Convex::Polygon(Polygon { vertices: vertices.into() })
            }
            ShapeKind::Box => {
                let size = [0; 3].map(|_| scale * self.within(0.2, 2.0));
                Convex::Polyhedron(Polyhedron::cuboid(size))
            }
            ShapeKind::Polygon => {
                let count = 3 + self.below(8);
                let mut angles: Vec<f64> = (0..count)
                    .map(|i| {
                        std::f64::consts::TAU * (i as f64 + self.within(0.1, 0.9)) / count as f64
                    })
                    .collect();
                angles.sort_by(f64::total_cmp);
                let at = |angle: &f64| [scale * angle.cos(), scale * angle.sin(), 0.0];
                Convex::Polygon(Polygon { vertices: angles.iter().map(at).collect() })
            }
            ShapeKind::Solid => loop {
                let count = 4 + self.below(12);
                let points: Vec<Vector> = (0..count)
                    .map(|_| {
                        let out = self.within(0.6, 1.0);
                        self.direction().map(|x| scale * out * x)
                    })
                    .collect();
                if let Ok(hull) = Polyhedron::hull(&points) {
                    return Convex::Polyhedron(hull);
                }
            },
        }
    }

    /// A pair, the second moved along some direction to where the two are about `share` of their sizes apart.
    pub fn pair(&mut self, kinds: [ShapeKind; 2]) -> Pair {
        let shapes = kinds.map(|kind| self.shape(kind));
        let position = match self.below(4) {
            0 => Position::Aligned,
            1 => Position::Nearly,
            _ => Position::General,
        };
        let frame = self.rotation(3.1);
        let other = match position {
            Position::General => self.rotation(3.1),
            Position::Aligned | Position::Nearly => {
                let quarter =
                    turn([0.0, 0.0, 1.0], 0.5 * std::f64::consts::PI * self.below(4) as f64);
                let slight = self.size(1e-9, 1e-2);
                match position {
                    Position::Nearly => product(product(frame, self.rotation(slight)), quarter),
                    _ => product(frame, quarter),
                }
            }
        };
        let center = self.direction().map(|x| 3.0 * x);
        let first = Placement { place: center, turn: frame };
        let second = Placement { place: [0.0; 3], turn: other };
        let along = match position {
            Position::General => self.direction(),
            Position::Aligned | Position::Nearly => {
                let axis = self.below(if self.flat { 2 } else { 3 });
                [0, 1, 2].map(|i| frame[i][axis])
            }
        };
        let cores = [(&shapes[0], first), (&shapes[1], second)]
            .map(|(shape, at)| Core::of(shape, &at, self.flat));
        let reach = cores[0].reach(first.place) + cores[0].radius;
        let other_reach = cores[1].reach(second.place) + cores[1].radius;
        let size = reach.min(other_reach);
        let apart = match self.below(8) {
            0 => 0.0,
            1 => self.size(1e-9, 1e-3) * size * if self.below(2) == 0 { 1.0 } else { -1.0 },
            2..5 => size * self.within(0.0, 0.3),
            _ => -size * self.within(0.0, 0.9),
        };
        // From the first towards the second: the farthest of one and the nearest of the other.
        let farthest = |core: &Core, n: Vector| {
            core.corners.iter().map(|&x| dot(n, x)).fold(f64::MIN, f64::max) + core.radius
        };
        let back = along.map(|x| -x);
        let mut place = moved([0.0; 3], farthest(&cores[0], along), along);
        place = moved(place, farthest(&cores[1], back) + apart, along);
        // Aside, by less than they reach.
        let aside = self.direction();
        let aside = minus(aside, along.map(|x| x * dot(aside, along)));
        let aside_size = 0.8 * (reach + other_reach) * self.within(0.0, 1.0).powi(2);
        let middle = minus(center, along.map(|x| x * dot(center, along)));
        place = moved(moved(place, 1.0, middle), aside_size, aside);
        let second = Placement { place, turn: other };
        Pair { shapes, placements: [first, second], position }
    }
}
