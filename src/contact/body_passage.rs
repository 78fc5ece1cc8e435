//! Whether two rigid bodies passed through each other within a step.
//!
//! Contact is found where a step begins. What was apart there and moves farther than the two are thick may be apart
//! again where the step ends, or in each other's far half, from where contact drives it out on the wrong side. So
//! the way of a step is looked at,
//!
//! ```text
//!     x(s) = x₀ + s (x₁ − x₀),     R(s) = R₀ exp(s log R₀ᵀR₁),     0 ≤ s ≤ 1                   (1)
//! ```
//!
//! and only of pairs that are fast enough: in most steps of most runs that is nobody.

use std::ops::Range;

use super::detect::{BroadPhase, Convex, DetectScratch, Meeting, PieceBox, Placement, meet};
use super::solids::{ContactBody, Solids};
use crate::tape::Tape;
use crate::vector::rotation::{conjugate, matrix, of_matrix, of_vector, product, to_vector};
use crate::vector::{dot, length, minus, moved, plus, times};

/// A pair of bodies that passed through each other, and its contact set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPassage {
    /// The smaller number first.
    pub bodies: [u32; 2],
    /// The contact set that they obey.
    pub set: u32,
}

/// Looks along the ways of the steps. What it keeps is where the bodies were, and memory to work in.
#[derive(Debug, Default)]
pub struct BodyPassages {
    /// Displacements at the end of the last step.
    before: Vec<f64>,
    /// Of each body a thickness that none of its pieces falls short of.
    thickness: Vec<f64>,
    motions: Vec<BodyMotion>,
    pieces: Vec<(u32, u16)>,
    boxes: Vec<PieceBox>,
    broad: BroadPhase,
    near: Vec<[u32; 2]>,
    scratch: DetectScratch,
    met: Vec<Meeting>,
}

/// (1) of a body.
#[derive(Clone, Copy, Debug, Default)]
struct BodyMotion {
    from: Placement,
    /// The quaternion of `from`.
    turn: [f64; 4],
    /// x₁ − x₀.
    shift: [f64; 3],
    /// log R₀ᵀR₁.
    turned: [f64; 3],
    /// No point of the body goes farther.
    way: f64,
    /// No point of the body is farther beside the line between its ends.
    beside: f64,
}

/// Looks for each thickness of the way, and most of them.
const LOOKS: f64 = 8.0;
const MOST_LOOKS: f64 = 400.0;

impl BodyMotion {
    fn between(from: Placement, to: &Placement, reach: f64) -> Self {
        let turn = of_matrix(from.turn);
        let turned = to_vector(product(conjugate(turn), of_matrix(to.turn)));
        let (shift, angle) = (minus(to.place, from.place), length(turned));
        let way = length(shift) + reach * angle;
        let beside = reach * (1.0 - (0.5 * angle).cos());
        Self { from, turn, shift, turned, way, beside }
    }

    /// Where the body is after a share of the step.
    fn at(&self, share: f64) -> Placement {
        let turn = matrix(product(self.turn, of_vector(times(share, self.turned))));
        Placement { place: moved(self.from.place, share, self.shift), turn }
    }

    /// Around all that a piece comes through.
    fn swept(&self, piece: &Convex) -> PieceBox {
        let [a, b] = [0.0, 1.0].map(|s| PieceBox::around(piece, &self.at(s), self.beside));
        let least = |i: usize| a.low[i].min(b.low[i]);
        let most = |i: usize| a.high[i].max(b.high[i]);
        PieceBox { low: [0, 1, 2].map(least), high: [0, 1, 2].map(most) }
    }
}

/// A piece is nowhere thinner.
fn thickness(piece: &Convex) -> f64 {
    match piece {
        Convex::Ball { radius, .. } | Convex::Capsule { radius, .. } => 2.0 * radius,
        Convex::Polyhedron(solid) => 2.0 * solid.depth(mean(&solid.vertices)),
        Convex::Polygon(flat) => {
            let middle = mean(&flat.vertices);
            let ends = flat.vertices.iter().cycle().skip(1);
            let depth = |(&start, &end): (&[f64; 3], &[f64; 3])| {
                let (along, to) = (minus(end, start), minus(middle, start));
                (along[0] * to[1] - along[1] * to[0]) / length(along)
            };
            2.0 * flat.vertices.iter().zip(ends).map(depth).fold(f64::INFINITY, f64::min)
        }
    }
}

fn mean(points: &[[f64; 3]]) -> [f64; 3] {
    let sum = points.iter().fold([0.0; 3], |sum, &x| plus(sum, x));
    times(1.0 / points.len() as f64, sum)
}

impl BodyPassages {
    /// For these bodies, which are at `q`.
    pub fn begin(&mut self, solids: &Solids, q: &[f64]) {
        if !solids.meet() {
            return;
        }
        self.before.clear();
        self.before.extend_from_slice(q);
    }

    /// Replaces `passed` by the pairs that passed through each other on the way to `q`, in the step that began after
    /// `step` others.
    pub fn look(
        &mut self,
        solids: &Solids,
        (dimension, step): (usize, usize),
        q: &[f64],
        passed: &mut Vec<BodyPassage>,
    ) {
        passed.clear();
        if !solids.meet() {
            return;
        }
        if self.move_bodies(solids, dimension, q) {
            self.sweep(solids, step);
            for at in 0..self.near.len() {
                let [i, j] = self.near[at].map(|piece| self.pieces[piece as usize]);
                if let Some(set) = solids.law_of_pair(i.0 as usize, j.0 as usize)
                    && self.is_fast(i.0, j.0)
                    && self.passes(solids, [i, j])
                {
                    passed.push(BodyPassage { bodies: [i.0, j.0], set });
                }
            }
            passed.sort_unstable_by_key(|passage| passage.bodies);
            passed.dedup();
        }
        self.begin(solids, q);
    }

    /// Whether any two of the bodies may be fast enough; then their motions are known.
    fn move_bodies(&mut self, solids: &Solids, dimension: usize, q: &[f64]) -> bool {
        if self.thickness.len() != solids.bodies.len() {
            let least =
                |pieces: &[Convex]| pieces.iter().map(thickness).fold(f64::INFINITY, f64::min);
            self.thickness = solids.bodies.iter().map(|solid| least(&solid.pieces)).collect();
        }
        let before = &self.before;
        // No rotation is farther than the difference of its vectors.
        let way = |solid: &ContactBody| {
            let squares =
                |dofs: Range<usize>| dofs.map(|i| (q[i] - before[i]).powi(2)).sum::<f64>();
            let node = solid.center.node().map_or(0, |node| dimension * node as usize);
            let moves = if solid.center.node().is_some() { dimension } else { 0 };
            squares(node..node + moves).sqrt()
                + squares(solid.center.turn_dofs()).sqrt() * solid.reach
        };
        let fastest = solids.bodies.iter().map(way).fold(0.0, f64::max);
        let thinnest = self.thickness.iter().copied().fold(f64::INFINITY, f64::min);
        if 2.0 * fastest <= thinnest {
            return false;
        }
        let motion = |solid: &ContactBody| {
            let [from, to] = [before, q].map(|q| solid.placement(dimension, q));
            BodyMotion::between(from, &to, solid.reach)
        };
        self.motions.clear();
        self.motions.extend(solids.bodies.iter().map(motion));
        true
    }

    /// Whether two bodies may get from one side of each other into the other half within the step.
    fn is_fast(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a as usize, b as usize];
        let way = self.motions[a].way + self.motions[b].way;
        way > 0.5 * (self.thickness[a] + self.thickness[b])
    }

    /// Lists the pieces whose ways come near each other.
    fn sweep(&mut self, solids: &Solids, step: usize) {
        self.pieces.clear();
        self.boxes.clear();
        for (body, solid) in solids.bodies.iter().enumerate().filter(|(_, s)| s.is_present(step)) {
            for (number, piece) in solid.pieces.iter().enumerate() {
                self.pieces.push((body as u32, number as u16));
                self.boxes.push(self.motions[body].swept(piece));
            }
        }
        self.near.clear();
        self.broad.pairs_into(&self.boxes, &mut self.near);
    }

    /// Whether two pieces that were apart met on the way, and are apart again or in each other's far half.
    fn passes(&mut self, solids: &Solids, pieces: [(u32, u16); 2]) -> bool {
        let [first, second] = pieces.map(|(body, piece)| {
            (&solids.bodies[body as usize].pieces[piece as usize], self.motions[body as usize])
        });
        let Self { scratch, met, .. } = self;
        let mut normal_at = |share: f64| {
            met.clear();
            let at = [first.1.at(share), second.1.at(share)];
            meet((first.0, &at[0]), (second.0, &at[1]), 0.0, scratch, met);
            met.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|meeting| meeting.normal)
        };
        if normal_at(0.0).is_some() {
            return false;
        }
        let thick = thickness(first.0) + thickness(second.0);
        let looks = LOOKS * (first.1.way + second.1.way) / thick;
        let looks = if looks < MOST_LOOKS { looks.ceil() } else { MOST_LOOKS };
        let shares = (1..looks as usize).map(|k| k as f64 / looks);
        let mut entered = None;
        for share in shares {
            entered = entered.or_else(|| normal_at(share));
            if entered.is_some() {
                break;
            }
        }
        let left = normal_at(1.0);
        entered.is_some_and(|normal| left.is_none_or(|other| dot(normal, other) < 0.0))
    }

    /// Passes over where the bodies were.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.reals(&mut self.before);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Grip;
    use super::super::detect::{Polygon, Polyhedron};
    use super::*;

    /// Bodies at the origin, all obeying one law; dofs are their places, then their turns.
    fn solids(pieces: Vec<Convex>, dimension: usize) -> Solids {
        let (count, center) = (pieces.len() as u32, [0.0; 3]);
        let body = |(k, piece): (u32, Convex)| {
            let (node, plane, space) = (k, 2 * count + k, 3 * (count + k));
            ContactBody {
                center: match dimension {
                    3 => Grip::Solid { node, turn: space, center, arm: [0.0; 3], rest: [0.0; 3] },
                    _ => Grip::Body { node, turn: plane, center, arm: [0.0; 2] },
                },
                angle: 0.0,
                reach: 10.0,
                pieces: Arc::new([piece]),
                class: 0,
                driven: false,
                present: 0..usize::MAX,
            }
        };
        let bodies = (0..count).zip(pieces).map(body).collect();
        Solids { bodies, classes: 1, laws: vec![Some(0)], joined: Vec::new() }
    }

    fn plate(size: [f64; 3]) -> Convex {
        Convex::Polyhedron(Polyhedron::cuboid(size))
    }

    fn ball(radius: f64) -> Convex {
        Convex::Ball { center: [0.0; 3], radius }
    }

    /// Whether the two pass on the way from one configuration to the other.
    fn pass(solids: &Solids, dimension: usize, from: &[f64], to: &[f64]) -> bool {
        let (mut passages, mut passed) = (BodyPassages::default(), Vec::new());
        passages.begin(solids, from);
        passages.look(solids, (dimension, 0), to, &mut passed);
        assert!(passed.iter().all(|passage| passage.bodies == [0, 1] && passage.set == 0));
        assert!(passed.len() < 2, "a pair is told once");
        !passed.is_empty()
    }

    /// A ball of radius 0.1 and a wall 0.2 thick in x, with the ball at `x` and `y`.
    fn shot([x, y]: [f64; 2]) -> [f64; 12] {
        let mut q = [0.0; 12];
        (q[3], q[4]) = (x, y);
        q
    }

    #[test]
    fn a_bullet_that_leaps_over_a_wall_is_found() {
        let wall = solids(vec![plate([0.2, 4.0, 4.0]), ball(0.1)], 3);
        assert!(pass(&wall, 3, &shot([-1.0, 0.0]), &shot([1.0, 0.0])), "through");
        assert!(pass(&wall, 3, &shot([-1.0, 0.0]), &shot([30.0, 0.3])), "far through");
        assert!(pass(&wall, 3, &shot([-1.0, 0.0]), &shot([0.05, 0.0])), "into its far half");
        assert!(!pass(&wall, 3, &shot([-1.0, 0.0]), &shot([-0.15, 0.0])), "into its near half");
        assert!(!pass(&wall, 3, &shot([-1.0, 0.0]), &shot([-3.0, 0.0])), "away");
        assert!(!pass(&wall, 3, &shot([-1.0, 2.2]), &shot([1.0, 2.2])), "beside");
        assert!(!pass(&wall, 3, &shot([0.15, 0.0]), &shot([3.0, 0.0])), "out of contact");
    }

    #[test]
    fn whom_no_law_binds_and_whom_a_joint_holds_pass_as_they_like() {
        let (from, to) = (shot([-1.0, 0.0]), shot([1.0, 0.0]));
        let mut wall = solids(vec![plate([0.2, 4.0, 4.0]), ball(0.1)], 3);
        wall.joined = vec![[0, 1]];
        assert!(!pass(&wall, 3, &from, &to));
        wall.joined.clear();
        wall.bodies[1].present = 1..2;
        assert!(!pass(&wall, 3, &from, &to), "not there yet");
        wall.bodies[1].present = 0..2;
        wall.laws = vec![None];
        assert!(!pass(&wall, 3, &from, &to));
    }

    /// A long blade turns by 2 rad about its middle, through a post that stands half way.
    #[test]
    fn a_blade_that_spins_through_a_post_is_found() {
        let blade = solids(vec![plate([6.0, 0.05, 0.05]), ball(0.1)], 3);
        let at = |angle: f64, place: [f64; 2]| {
            let mut q = shot(place);
            q[8] = angle;
            q
        };
        let post = [2.5 * 1f64.cos(), 2.5 * 1f64.sin()];
        assert!(pass(&blade, 3, &at(0.0, post), &at(2.0, post)));
        let beyond = [3.5 * 1f64.cos(), 3.5 * 1f64.sin()];
        assert!(!pass(&blade, 3, &at(0.0, beyond), &at(2.0, beyond)), "out of its reach");
        assert!(!pass(&blade, 3, &at(0.0, post), &at(0.6, post)), "not so far yet");
    }

    #[test]
    fn rods_and_polygons_of_the_plane_pass_too() {
        let rod = Convex::Capsule { ends: [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]], radius: 0.0 };
        let square = [[-0.1, -0.1, 0.0], [0.1, -0.1, 0.0], [0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]];
        let square = Convex::Polygon(Polygon { vertices: square.into() });
        let fence = solids(vec![rod, square], 2);
        let at = |x: f64, y: f64| [0.0, 0.0, x, y, 0.0, 0.0];
        assert!(pass(&fence, 2, &at(-0.5, 0.2), &at(0.5, 0.3)));
        assert!(!pass(&fence, 2, &at(-0.5, 1.2), &at(0.5, 1.2)), "over it");
        assert!(!pass(&fence, 2, &at(-0.5, 0.2), &at(-0.2, 0.2)), "not there yet");
    }
}
