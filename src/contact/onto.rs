//! Points of meshes and point masses that may touch rigid bodies which move as they are pushed.

use super::detect::{Placement, SurfacePoint, height_over};
use super::{Against, Candidate, Contact, ContactBody, Contacts, Frame, Grip, Lever};
use crate::vector::{minus, moved, plus, times};

impl Contacts {
    /// The rigid body that candidate `c` may touch, where it is one.
    pub fn body_of(&self, c: usize) -> Option<&ContactBody> {
        let candidate = &self.candidates[c];
        match &self.sets[candidate.set].against {
            Against::Body(bodies) => Some(&self.solids.bodies[bodies[candidate.face] as usize]),
            Against::Obstacle(_)
            | Against::Ball { .. }
            | Against::Slider { .. }
            | Against::Solids => None,
        }
    }

    /// Where candidate `c` is with respect to the body that it may touch: of several pieces to the nearest, the first of
    /// those as near. It touches with its own surface, so that its place is that.
    pub(super) fn contact_with_body(
        &self,
        c: usize,
        body: &ContactBody,
        (dimension, q): (usize, &[f64]),
    ) -> Contact {
        let Candidate { grip, radius, outward, .. } = &self.candidates[c];
        let (center, there) = (grip.place(dimension, q), body.placement(dimension, q));
        let point = SurfacePoint { place: center, outward: *outward };
        let (height, n) = body.height_of(&point, &there);
        let place = moved(center, -radius, n);
        let frame = if dimension == 3 { Frame::in_space(n) } else { Frame::in_plane(n) };
        let own = Lever { arm: times(-radius, n), ..grip.lever(q) };
        let other = Lever { arm: minus(place, there.place), ..body.center.lever(q) };
        Contact { gap: height - radius, frame, place, levers: [own, other] }
    }

    /// The levers of candidate `c`, with normal `n`, to a body in a step from `q0` to `q1`: seen from the middle of the
    /// way of the centre to the middle of the way of the point. What the impulse takes of the angular momentum of one,
    /// x_½ × P, it gives to the other.
    pub(super) fn mean_levers_to_body(
        &self,
        c: usize,
        (body, n): (&ContactBody, [f64; 3]),
        q0: &[f64],
        q1: &[f64],
    ) -> [Lever; 2] {
        let Candidate { grip, radius, .. } = &self.candidates[c];
        let dimension = if body.center.is_solid() { 3 } else { 2 };
        let middle =
            |grip: &Grip| times(0.5, plus(grip.place(dimension, q0), grip.place(dimension, q1)));
        let place = moved(middle(grip), -radius, n);
        let arm = minus(place, middle(&body.center));
        let own = Lever { arm: times(-radius, n), ..grip.mean_lever(q0, q1) };
        [own, Lever { arm, ..body.center.mean_lever(q0, q1) }]
    }
}

impl ContactBody {
    /// Height of a point above the nearest of the body's pieces, and the normal there.
    pub(super) fn height_of(&self, point: &SurfacePoint, there: &Placement) -> (f64, [f64; 3]) {
        let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
        for piece in self.pieces.iter() {
            let found = height_over(point, (piece, there));
            if found.0 < best.0 {
                best = found;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::detect::Convex;
    use super::*;
    use crate::contact::detect::Polygon;

    fn block([low, high]: [[f64; 2]; 2]) -> Convex {
        let corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
        let vertices = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
        Convex::Polygon(Polygon { vertices })
    }

    /// Two blocks side by side: over their seam a point is over the surface of both, and the first of them is taken; the
    /// sides that they have in common are felt by none that comes from outside.
    #[test]
    fn over_the_seam_of_two_pieces_a_point_meets_their_common_face() {
        let pieces = [block([[-1.0, 0.0], [0.0, 1.0]]), block([[0.0, 0.0], [1.0, 1.0]])];
        let body = ContactBody {
            center: Grip::Body { node: 0, turn: 2, center: [0.0; 3], arm: [0.0; 2] },
            angle: 0.0,
            pieces: pieces.into(),
            reach: 1.5,
            class: 0,
            driven: false,
            present: 0..usize::MAX,
        };
        for x in [-0.3, -1e-9, -1e-17, 0.0, 1e-17, 1e-9, 0.3] {
            for gap in [1e-3, 1e-16, 0.0, -1e-16, -1e-12] {
                let point = SurfacePoint { place: [x, 1.0 + gap, 0.0], outward: [0.0, -1.0, 0.0] };
                let (height, normal) = body.height_of(&point, &Placement::BODY);
                assert!((height - gap).abs() < 3e-16, "{x:e} {gap:e}: {height:e}");
                // 1e-17 beside the first block and 1e-3 above it.
                assert!((normal[1] - 1.0).abs() < 1e-15 && normal[0].abs() < 2e-14, "{normal:?}");
            }
        }
    }
}
