//! Integrals over facets, the sides of the elements.

use super::integrate::ShapeValues;
use super::quadrature::{LINE_3, QuadraturePoint, SQUARE_3, TRIANGLE_4};
use super::{quadrangle4, triangle6};
use crate::mesh::ElementKind;
use crate::vector::{cross, length, minus};

/// Calls `visit(N, n, dA)` at the points of a rule over a facet with these nodes: shape functions,
/// outward unit normal, and the share of the length (in the plane) or area (in space). The rule is
/// exact for ∫ N_a dA on straight lines and flat triangles, and for ∫ N_a n dA on any facet.
///
/// ```text
///     n dA = (∂y/∂ξ, −∂x/∂ξ) dξ  in the plane          n dA = ∂x/∂ξ × ∂x/∂η dξ dη  in space
/// ```
pub fn facet_points(
    kind: ElementKind,
    points: &[[f64; 3]],
    mut visit: impl FnMut(&[f64], [f64; 3], f64),
) {
    match kind {
        // One point is enough where the normal is constant and N linear.
        ElementKind::Line2 => {
            let [a, b] = [points[0], points[1]];
            let along = [b[0] - a[0], b[1] - a[1]];
            let length = along[0].hypot(along[1]);
            visit(&[0.5; 2], [along[1] / length, -along[0] / length, 0.0], length);
        }
        ElementKind::Triangle3 => {
            let edge = |to: usize| minus(points[to], points[0]);
            let (normal, twice) = direction(cross(edge(1), edge(2)));
            visit(&[1.0 / 3.0; 3], normal, 0.5 * twice);
        }
        ElementKind::Line3 => along_curve(line3, &LINE_3, points, visit),
        ElementKind::Triangle6 => over_surface(triangle6::shape, &TRIANGLE_4, points, visit),
        ElementKind::Quadrangle4 => over_surface(quadrangle4::shape, &SQUARE_3, points, visit),
        ElementKind::Point1
        | ElementKind::Tetrahedron4
        | ElementKind::Tetrahedron10
        | ElementKind::Hexahedron8 => panic!("a {kind:?} bounds no element"),
    }
}

/// Two ends and the middle:
///
/// ```text
///     N = (½ξ(ξ−1), ½ξ(ξ+1), 1−ξ²)
/// ```
fn line3([x]: [f64; 1]) -> ShapeValues<1, 3> {
    ShapeValues {
        values: [0.5 * x * (x - 1.0), 0.5 * x * (x + 1.0), 1.0 - x * x],
        slopes: [[x - 0.5], [x + 0.5], [-2.0 * x]],
    }
}

fn along_curve<const N: usize>(
    shape: fn([f64; 1]) -> ShapeValues<1, N>,
    rule: &[QuadraturePoint<1>],
    points: &[[f64; 3]],
    mut visit: impl FnMut(&[f64], [f64; 3], f64),
) {
    for point in rule {
        let at = shape(point.at);
        let [x, y, _] = tangent(&at, 0, points);
        let (normal, length) = direction([y, -x, 0.0]);
        visit(&at.values, normal, point.weight * length);
    }
}

fn over_surface<const N: usize>(
    shape: fn([f64; 2]) -> ShapeValues<2, N>,
    rule: &[QuadraturePoint<2>],
    points: &[[f64; 3]],
    mut visit: impl FnMut(&[f64], [f64; 3], f64),
) {
    for point in rule {
        let at = shape(point.at);
        let (normal, area) = direction(cross(tangent(&at, 0, points), tangent(&at, 1, points)));
        visit(&at.values, normal, point.weight * area);
    }
}

/// ∂x/∂ξ_direction.
fn tangent<const D: usize, const N: usize>(
    at: &ShapeValues<D, N>,
    direction: usize,
    points: &[[f64; 3]],
) -> [f64; 3] {
    std::array::from_fn(|i| (0..N).map(|a| at.slopes[a][direction] * points[a][i]).sum())
}

/// Direction and length.
fn direction(vector: [f64; 3]) -> ([f64; 3], f64) {
    let length = length(vector);
    (vector.map(|x| x / length), length)
}
