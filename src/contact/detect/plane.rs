//! Where outlines in the plane meet: polygons, and rods as polygons of two sides with a radius.

use super::feature::{corner_on_face, crossing};
use super::polyhedra::tolerance;
use super::round::{between, on_segment, share_nearest, sideways};
use super::{Carrier, Meeting, Placement};
use crate::vector::{dot, minus, moved, plus, times};

/// Corners of a body counter-clockwise, two of a rod, and the radius around them.
#[derive(Clone, Copy)]
pub(super) struct Outline<'a> {
    pub corners: &'a [[f64; 3]],
    pub radius: f64,
    pub placement: &'a Placement,
}

/// What two outlines need to be compared; its vectors grow once.
#[derive(Clone, Debug, Default)]
pub(super) struct OutlineScratch {
    corners: [Vec<[f64; 3]>; 2],
    normals: [Vec<[f64; 3]>; 2],
}

/// The side that has the other outline farthest outside.
#[derive(Clone, Copy)]
struct SideAxis {
    gap: f64,
    side: usize,
    /// The other one's corner that is nearest to it.
    corner: usize,
}

/// Two outlines around the place of the first body.
struct FlatView<'a> {
    corners: [&'a [[f64; 3]]; 2],
    normals: [&'a [[f64; 3]]; 2],
    radii: [f64; 2],
    origin: [f64; 3],
    within: f64,
    tolerance: f64,
}

/// Appends where two outlines meet: in two points at most.
pub(super) fn meet_outlines(
    first: Outline,
    second: Outline,
    within: f64,
    scratch: &mut OutlineScratch,
    found: &mut Vec<Meeting>,
) {
    let origin = first.placement.place;
    let reach = [first, second].map(|outline| {
        let squares = outline.corners.iter().map(|&corner| dot(corner, corner));
        squares.fold(0.0, f64::max).sqrt()
    });
    let away = minus(second.placement.place, origin);
    let far = reach[0] + reach[1] + first.radius + second.radius + within;
    if dot(away, away) > far * far {
        return;
    }
    for (i, outline) in [first, second].into_iter().enumerate() {
        let shift = minus(outline.placement.place, origin);
        let corners = &mut scratch.corners[i];
        corners.clear();
        let turned = |&corner: &[f64; 3]| plus(outline.placement.turned(corner), shift);
        corners.extend(outline.corners.iter().map(turned));
        let normals = &mut scratch.normals[i];
        normals.clear();
        let next = |k: usize| corners[if k + 1 == corners.len() { 0 } else { k + 1 }];
        let outward = |k: usize| times(-1.0, sideways([corners[k], next(k)]));
        normals.extend((0..corners.len()).map(outward));
    }
    let view = FlatView {
        corners: [&scratch.corners[0], &scratch.corners[1]],
        normals: [&scratch.normals[0], &scratch.normals[1]],
        radii: [first.radius, second.radius],
        origin,
        within,
        tolerance: tolerance(reach[0] + first.radius, reach[1] + second.radius),
    };
    view.meet(found);
}

impl FlatView<'_> {
    fn meet(&self, found: &mut Vec<Meeting>) {
        let radius = self.radii[0] + self.radii[1];
        let axes = [self.best_side(0), self.best_side(1)];
        let gap = axes[0].gap.max(axes[1].gap);
        if gap - radius > self.within {
            return;
        }
        // Round corners meet round corners, and rods have no sides at their ends.
        if radius > 0.0
            && gap > -self.tolerance
            && let Some(meeting) = self.between_corners()
        {
            found.extend(Some(meeting).filter(|meeting| meeting.gap <= self.within));
            return;
        }
        // A tie is the first one's, so that rounding does not decide.
        let reference = usize::from(axes[0].gap < axes[1].gap - self.tolerance);
        self.on_side(reference, &axes[reference], found);
    }

    fn next(&self, body: usize, corner: usize) -> usize {
        if corner + 1 == self.corners[body].len() { 0 } else { corner + 1 }
    }

    /// The sides of equal gaps are one up to rounding: the first of them is taken.
    fn best_side(&self, body: usize) -> SideAxis {
        let mut best = SideAxis { gap: f64::NEG_INFINITY, side: 0, corner: 0 };
        for (side, (&start, &normal)) in
            self.corners[body].iter().zip(self.normals[body]).enumerate()
        {
            let (mut gap, mut corner) = (f64::INFINITY, 0);
            for (i, &point) in self.corners[1 - body].iter().enumerate() {
                let height = dot(normal, minus(point, start));
                if height < gap {
                    (gap, corner) = (height, i);
                }
            }
            if gap > best.gap + self.tolerance {
                best = SideAxis { gap, side, corner };
            }
        }
        best
    }

    /// The meeting of two corners, if they are nearer than any corner is to a side.
    fn between_corners(&self) -> Option<Meeting> {
        let (mut least, mut nearest) = (f64::INFINITY, None);
        for body in 0..2 {
            for (corner, &point) in self.corners[body].iter().enumerate() {
                for start in 0..self.corners[1 - body].len() {
                    let side = [start, self.next(1 - body, start)];
                    let ends = side.map(|end| self.corners[1 - body][end]);
                    let share = share_nearest(ends, point);
                    let way = minus(point, on_segment(ends, share));
                    if dot(way, way) < least {
                        least = dot(way, way);
                        let end = if share == 1.0 { side[1] } else { side[0] };
                        let round = share == 0.0 || share == 1.0;
                        nearest =
                            round.then_some(if body == 0 { [corner, end] } else { [end, corner] });
                    }
                }
            }
        }
        let corners = nearest.filter(|_| least > self.tolerance * self.tolerance)?;
        let [first, second] = [0, 1]
            .map(|body| (plus(self.origin, self.corners[body][corners[body]]), self.radii[body]));
        let feature = crossing(corners[0], corners[1]);
        let owner = usize::from(self.radii[0] == 0.0);
        let carrier = self.carrier(owner);
        Some(Meeting { feature, carrier, ..between(first, second, [1.0, 0.0, 0.0]) })
    }

    /// A corner with a radius around it is round.
    fn carrier(&self, owner: usize) -> Carrier {
        match (owner, self.radii[owner] > 0.0) {
            (0, false) => Carrier::First,
            (0, true) => Carrier::CenterOfFirst,
            (_, false) => Carrier::Second,
            (_, true) => Carrier::CenterOfSecond,
        }
    }

    /// The meetings of a side with the side opposite to it, cut to the same length.
    fn on_side(&self, reference: usize, axis: &SideAxis, found: &mut Vec<Meeting>) {
        let other = 1 - reference;
        let normal = self.normals[reference][axis.side];
        let (start, end) = (axis.side, self.next(reference, axis.side));
        let origin = self.corners[reference][start];
        let along = [-normal[1], normal[0], 0.0];
        let length = dot(along, minus(self.corners[reference][end], origin));
        let incident = self.incident(other, axis.corner, normal);
        let ends = [incident, self.next(other, incident)];
        let points = ends.map(|corner| self.corners[other][corner]);
        let places = points.map(|point| dot(along, minus(point, origin)));
        let (low, high) = (-self.tolerance, length + self.tolerance);
        if places[0].max(places[1]) < low || places[0].min(places[1]) > high {
            return;
        }
        // A point of the other body's side and the corner it is, of which body.
        let cut = [0, 1].map(|i| {
            let at = |place: f64| {
                let share = (place - places[i]) / (places[1 - i] - places[i]);
                moved(points[i], share, minus(points[1 - i], points[i]))
            };
            match places[i] {
                place if place < low => (at(0.0), (reference, start)),
                place if place > high => (at(length), (reference, end)),
                _ => (points[i], (other, ends[i])),
            }
        });
        let width = minus(cut[1].0, cut[0].0);
        if dot(width, width) <= 4.0 * self.tolerance * self.tolerance {
            return;
        }
        let out = if reference == 0 { times(-1.0, normal) } else { normal };
        let [radius, ours] = [self.radii[other], self.radii[reference]];
        for (point, (owner, corner)) in cut {
            let height = dot(normal, minus(point, origin));
            let gap = height - radius - ours;
            if gap > self.within {
                continue;
            }
            let side = if owner == other { axis.side } else { incident };
            let middle = moved(point, -0.5 * (height + radius - ours), normal);
            found.push(Meeting {
                gap,
                normal: out,
                place: plus(self.origin, middle),
                feature: corner_on_face(owner == 0, corner, side),
                carrier: self.carrier(owner),
            });
        }
    }

    /// Of the two sides at a corner the one that looks most against a direction.
    fn incident(&self, body: usize, corner: usize, normal: [f64; 3]) -> usize {
        let before = if corner == 0 { self.corners[body].len() - 1 } else { corner - 1 };
        let cosine = |side: usize| dot(self.normals[body][side], normal);
        if cosine(before) < cosine(corner) { before } else { corner }
    }
}
