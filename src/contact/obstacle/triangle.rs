//! The point of a triangle nearest to a given one.

use crate::vector::{combine, cross, dot, minus, plus, polar, times};

/// Which part of a triangle is nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Feature {
    Face,
    /// From corner k to corner k + 1.
    Edge(usize),
    Corner(usize),
}

/// The nearest point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The point.
    pub point: [f64; 3],
    /// Its barycentric coordinates.
    pub weights: [f64; 3],
    /// Where it lies.
    pub feature: Feature,
}

/// A triangle with what its distance needs.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Its corners.
    pub corners: [[f64; 3]; 3],
    /// Unit normal, by the right hand.
    pub normal: [f64; 3],
    /// Gradients of the barycentric coordinates of corners 1 and 2.
    slopes: [[f64; 3]; 2],
}

impl Triangle {
    /// `None` for a degenerate one: lower than 1e-10 of its longest edge, so that its normal is not
    /// known to more than 6 digits.
    pub(super) fn new(corners: [[f64; 3]; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let edges = [minus(b, a), minus(c, b), minus(a, c)];
        let longest = edges.iter().fold(0.0, |m: f64, &e| m.max(dot(e, e)));
        // From the two shorter edges: a long one only brings its rounding.
        let apex = (0..3).min_by(|&i, &j| {
            let weight =
                |k: usize| dot(edges[k], edges[k]) + dot(edges[(k + 2) % 3], edges[(k + 2) % 3]);
            weight(i).total_cmp(&weight(j))
        })?;
        let (double_area, normal) = polar(cross(edges[(apex + 2) % 3], edges[apex]))?;
        if double_area.partial_cmp(&(1e-10 * longest)) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let slope = |opposite: [f64; 3]| times(1.0 / double_area, cross(normal, opposite));
        Some(Self { corners, normal, slopes: [slope(edges[2]), slope(edges[0])] })
    }

    /// Barycentric coordinates of the foot of x in the plane of the triangle.
    fn weights(&self, x: [f64; 3]) -> [f64; 3] {
        let apart = minus(x, self.corners[0]);
        let (b, c) = (dot(apart, self.slopes[0]), dot(apart, self.slopes[1]));
        [1.0 - b - c, b, c]
    }

    /// Height of x above the plane of the triangle.
    pub(super) fn height(&self, x: [f64; 3]) -> f64 {
        dot(minus(x, self.corners[0]), self.normal)
    }

    /// Square of the distance of x.
    pub(super) fn square_distance(&self, x: [f64; 3]) -> f64 {
        let weights = self.weights(x);
        if weights.iter().all(|&w| w >= 0.0) {
            let height = self.height(x);
            return height * height;
        }
        let mut least = f64::INFINITY;
        for edge in facing_edges(weights) {
            least = least.min(self.on_edge(edge, x).1);
        }
        least
    }

    /// The nearest point. Outside of the triangle it lies on an edge that faces x.
    pub(super) fn foot(&self, x: [f64; 3]) -> Foot {
        let weights = self.weights(x);
        if weights.iter().all(|&w| w >= 0.0) {
            let point = combine(weights, self.corners);
            return Foot { point, weights, feature: Feature::Face };
        }
        let (mut best, mut least) = ((0, 0.0), f64::INFINITY);
        for edge in facing_edges(weights) {
            let (share, square) = self.on_edge(edge, x);
            if square < least {
                (best, least) = ((edge, share), square);
            }
        }
        let (edge, share) = best;
        let next = (edge + 1) % 3;
        let mut weights = [0.0; 3];
        (weights[edge], weights[next]) = (1.0 - share, share);
        let (feature, point) = if share <= 0.0 {
            (Feature::Corner(edge), self.corners[edge])
        } else if share >= 1.0 {
            (Feature::Corner(next), self.corners[next])
        } else {
            let along = minus(self.corners[next], self.corners[edge]);
            (Feature::Edge(edge), plus(self.corners[edge], times(share, along)))
        };
        Foot { point, weights, feature }
    }

    /// Nearest point of an edge, as a share of the way along it, and the square of its distance.
    fn on_edge(&self, edge: usize, x: [f64; 3]) -> (f64, f64) {
        let along = minus(self.corners[(edge + 1) % 3], self.corners[edge]);
        let apart = minus(x, self.corners[edge]);
        let share = (dot(apart, along) / dot(along, along)).clamp(0.0, 1.0);
        let rest = minus(apart, times(share, along));
        (share, dot(rest, rest))
    }
}

/// The edges on whose other side the foot in the plane lies: those opposite to corners of negative
/// weight.
fn facing_edges(weights: [f64; 3]) -> impl Iterator<Item = usize> {
    (0..3).filter(move |&edge| weights[(edge + 2) % 3] < 0.0)
}

#[cfg(test)]
mod tests {
    use super::super::probe::Random;
    use super::*;
    use crate::vector::length;

    /// Against the nearest of 5151 points spread over the triangle, which is not nearer than the
    /// exact one and not farther by more than the spread: 0.01 of the edges.
    #[test]
    fn no_point_of_the_triangle_is_nearer_than_the_foot() {
        let mut random = Random::new(12);
        for _ in 0..100 {
            let Some(triangle) = Triangle::new([0; 3].map(|_| random.point())) else { continue };
            let x = times(2.0, random.point());
            let foot = triangle.foot(x);
            let distance = length(minus(x, foot.point));
            let mut least = f64::INFINITY;
            for i in 0..=100 {
                for j in 0..=100 - i {
                    let weights = [i, j, 100 - i - j].map(|w| f64::from(w) / 100.0);
                    least = least.min(length(minus(x, combine(weights, triangle.corners))));
                }
            }
            assert!(distance <= least + 1e-14 && least < distance + 0.04, "{distance} {least}");
            assert!((triangle.square_distance(x).sqrt() - distance).abs() < 1e-14);
            assert!(length(minus(combine(foot.weights, triangle.corners), foot.point)) < 1e-14);
        }
    }

    #[test]
    fn the_foot_knows_whether_it_lies_on_the_face_an_edge_or_a_corner() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let triangle = Triangle::new(corners).unwrap();
        assert_eq!(triangle.normal, [0.0, 0.0, 1.0]);
        let feature = |x| triangle.foot(x).feature;
        assert_eq!(feature([0.2, 0.2, -3.0]), Feature::Face);
        assert_eq!(feature([0.5, -1.0, 1.0]), Feature::Edge(0));
        assert_eq!(feature([1.0, 1.0, 0.0]), Feature::Edge(1));
        assert_eq!(feature([-1.0, 0.5, 0.0]), Feature::Edge(2));
        assert_eq!(feature([-1.0, -1.0, 0.0]), Feature::Corner(0));
        assert_eq!(feature([3.0, -0.5, 0.0]), Feature::Corner(1));
        assert_eq!(feature([0.0, 1.0, 2.0]), Feature::Face);
    }

    #[test]
    fn flat_triangles_are_refused() {
        let flat = |height: f64| Triangle::new([[0.0; 3], [2.0, 0.0, 0.0], [1.0, height, 0.0]]);
        assert!(flat(1e-8).is_some());
        assert!(flat(1e-11).is_none() && flat(0.0).is_none() && flat(f64::NAN).is_none());
        assert!(Triangle::new([[1.0; 3]; 3]).is_none());
    }
}
