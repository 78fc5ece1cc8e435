//! Volume, centre and second moments of solids, and their principal axes.

use std::f64::consts::PI;

use nalgebra::{Matrix3, SymmetricEigen};

use crate::contact::detect::{Convex, Polyhedron};
use crate::vector::rotation::{matrix, of_matrix};
use crate::vector::{cross, distance, dot, minus, moved, plus, times, unit};

/// How far apart two principal moments are, relatively, that count as equal.
const SAME: f64 = 1e-10;

/// Products of inertia that are roundings, relative to ∫ x·x dV.
const ROUNDING: f64 = 1e-13;

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// How the volume of a solid is spread in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    /// V = ∫ dV.
    pub volume: f64,
    /// c = ∫ x dV / V.
    pub center: [f64; 3],
    /// S = ∫ (x − c)(x − c)ᵀ dV.
    pub second: [[f64; 3]; 3],
}

impl Spread {
    /// That of a convex piece; of what is in the plane, zero.
    pub fn of(piece: &Convex) -> Self {
        match piece {
            Convex::Ball { center, radius } => capsule([*center; 2], *radius),
            Convex::Capsule { ends, radius } => capsule(*ends, *radius),
            Convex::Polyhedron(polyhedron) => of_polyhedron(polyhedron),
            Convex::Polygon(_) => Self { volume: 0.0, center: [0.0; 3], second: [[0.0; 3]; 3] },
        }
    }

    /// That of several solids that share no volume, each moved from its centre to that of all:
    ///
    /// ```text
    ///     V = Σ Vᵢ      V c = Σ Vᵢ cᵢ      S = Σ Sᵢ + Vᵢ (cᵢ − c)(cᵢ − c)ᵀ                   (1)
    /// ```
    pub fn of_all(parts: &[Self]) -> Self {
        let volume: f64 = parts.iter().map(|part| part.volume).sum();
        let center =
            parts.iter().fold([0.0; 3], |sum, part| moved(sum, part.volume / volume, part.center));
        let mut second = [[0.0; 3]; 3];
        for part in parts {
            add_square(&mut second, part.volume, minus(part.center, center));
            for (sum, own) in second.iter_mut().zip(part.second) {
                *sum = plus(*sum, own);
            }
        }
        Self { volume, center, second }
    }

    /// The principal axes, row by row and right-handed, and the moments V⟨y² + z²⟩ … about them.
    ///
    /// Of all there are, the axes turned least from the given ones: where the products of inertia are
    /// roundings, or moments equal, the given ones stay.
    pub fn principal(&self) -> ([[f64; 3]; 3], [f64; 3]) {
        let axes = principal_axes(self.second);
        let along = axes.map(|axis| dot(axis, self.second.map(|row| dot(row, axis))));
        let mut moments = [along[1] + along[2], along[2] + along[0], along[0] + along[1]];
        for (i, j) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
            if are_same(moments[i], moments[j]) {
                let mean = 0.5 * (moments[i] + moments[j]);
                (moments[i], moments[j]) = (mean, mean);
            }
        }
        (axes, moments)
    }
}

/// S + s a aᵀ.
fn add_square(second: &mut [[f64; 3]; 3], s: f64, a: [f64; 3]) {
    for i in 0..3 {
        second[i] = moved(second[i], s * a[i], a);
    }
}

/// All points within r of a segment of length L along a: a cylinder and two half balls, whose centres are
/// at 3r/8 from their flat faces.
///
/// ```text
///     V = V_c + V_b              V_c = π r² L,  V_b = 4π r³/3
///     S = S_t 1 + (S_a − S_t) a aᵀ
///     S_t = V_c r²/4 + V_b r²/5                                                           (2)
///     S_a = V_c L²/12 + V_b (r²/5 + 3rL/8 + L²/4)
/// ```
fn capsule(ends: [[f64; 3]; 2], radius: f64) -> Spread {
    let length = distance(ends[0], ends[1]);
    let (square, between) = (radius * radius, PI * radius * radius * length);
    let ball = 4.0 / 3.0 * PI * square * radius;
    let across = between * square / 4.0 + ball * square / 5.0;
    let along = between * length * length / 12.0
        + ball * (square / 5.0 + 0.375 * radius * length + 0.25 * length * length);
    let mut second = IDENTITY.map(|row| times(across, row));
    if let Some(axis) = unit(minus(ends[1], ends[0])) {
        add_square(&mut second, along - across, axis);
    }
    Spread { volume: between + ball, center: times(0.5, plus(ends[0], ends[1])), second }
}

/// The divergence theorem on div (x/3) = 1, div (x xᵀx/4) = xᵀx …: each triangle (a, b, d) of the surface stands
/// for the tetrahedron that it makes with a point o inside, seen from which
///
/// ```text
///     V = a·(b × d)/6       ∫ x dV = V s/4       ∫ x xᵀ dV = V (s sᵀ + a aᵀ + b bᵀ + d dᵀ)/20      (3)
/// ```
///
/// with s = a + b + d. The last is exact as barycentric coordinates have ∫ λᵢλⱼ dV = V (1 + δᵢⱼ)/20.
fn of_polyhedron(polyhedron: &Polyhedron) -> Spread {
    let share = 1.0 / polyhedron.vertices.len() as f64;
    let inside = polyhedron.vertices.iter().fold([0.0; 3], |sum, &x| moved(sum, share, x));
    let (mut volume, mut first, mut second) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
    for face in &polyhedron.faces {
        let at = |k: usize| minus(polyhedron.vertices[face.corners[k] as usize], inside);
        for k in 2..face.corners.len() {
            let [a, b, d] = [at(0), at(k - 1), at(k)];
            let (own, sum) = (dot(a, cross(b, d)) / 6.0, plus(plus(a, b), d));
            volume += own;
            first = moved(first, own / 4.0, sum);
            for x in [sum, a, b, d] {
                add_square(&mut second, own / 20.0, x);
            }
        }
    }
    let offset = times(1.0 / volume, first);
    add_square(&mut second, -volume, offset);
    Spread { volume, center: plus(inside, offset), second }
}

fn are_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.max(b)
}

/// The eigenvectors of S nearest to the given axes.
fn principal_axes(second: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let trace = second[0][0] + second[1][1] + second[2][2];
    let entry = |i: usize, j: usize| {
        let mean = 0.5 * (second[i][j] + second[j][i]);
        if i != j && mean.abs() <= ROUNDING * trace { 0.0 } else { mean }
    };
    let matrix3 = Matrix3::from_fn(entry);
    let is_finite = matrix3.iter().all(|s| s.is_finite());
    if !is_finite || (0..3).all(|i| matrix3[(i, (i + 1) % 3)] == 0.0) {
        return IDENTITY;
    }
    let eigen = SymmetricEigen::new(matrix3);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let vector = |k: usize| {
        let column = eigen.eigenvectors.column(order[k]);
        snapped([column[0], column[1], column[2]])
    };
    let moment = |k: usize| trace - eigen.eigenvalues[order[k]];
    let axes = match [are_same(moment(0), moment(1)), are_same(moment(1), moment(2))] {
        [true, true] => return IDENTITY,
        [true, false] => around(vector(2)),
        [false, true] => around(vector(0)),
        [false, false] => nearest([vector(0), vector(1), vector(2)]),
    };
    matrix(of_matrix(axes))
}

/// Components that are roundings are left out: an axis that is given stays exactly so.
fn snapped(axis: [f64; 3]) -> [f64; 3] {
    let cleaned = axis.map(|a| if a.abs() <= 8.0 * f64::EPSILON { 0.0 } else { a });
    unit(cleaned).unwrap_or(axis)
}

/// The axes, one of which is n and the others free, by the shortest turn from the nearest of the given ones:
///
/// ```text
///     R eⱼ = eⱼ − nⱼ/(1 + nᵢ) (eᵢ + n)          R eᵢ = n
/// ```
fn around(n: [f64; 3]) -> [[f64; 3]; 3] {
    let i = (1..3).fold(0, |i, k| if n[k].abs() > n[i].abs() { k } else { i });
    let n = if n[i] < 0.0 { times(-1.0, n) } else { n };
    let turned = |j: usize| match j == i {
        true => n,
        false => moved(IDENTITY[j], -n[j] / (1.0 + n[i]), plus(IDENTITY[i], n)),
    };
    [turned(0), turned(1), turned(2)]
}

/// The order and the signs of axes that turn least from the given ones: those of the largest trace.
fn nearest(axes: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let (mut best, mut largest) = (axes, f64::NEG_INFINITY);
    for order in orders {
        for signs in 0..4 {
            let sign = |k: usize| if signs >> k & 1 == 1 { -1.0 } else { 1.0 };
            let [x, y] = [times(sign(0), axes[order[0]]), times(sign(1), axes[order[1]])];
            let z = cross(x, y);
            if x[0] + y[1] + z[2] > largest {
                (best, largest) = ([x, y, z], x[0] + y[1] + z[2]);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::length;
    use crate::vector::rotation::{conjugate, matrix_of, of_vector, product, to_vector};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-13 * b.abs()
    }

    /// V = abc/6 at (a, b, c)/4, ∫ x² = V a²/10, ∫ x y = V ab/20, both from the corner; less V c cᵀ.
    #[test]
    fn a_tetrahedron_has_its_moments() {
        let (size, corner) = ([1.0, 2.0, 3.0], [7.0, -5.0, 0.5]);
        let mut points = vec![corner];
        (0..3).for_each(|i| points.push(moved(corner, size[i], IDENTITY[i])));
        let spread = of_polyhedron(&Polyhedron::hull(&points).unwrap());
        assert!(close(spread.volume, 1.0));
        for i in 0..3 {
            assert!((spread.center[i] - corner[i] - size[i] / 4.0).abs() < 1e-14);
            for j in 0..3 {
                let about_corner = if i == j { 0.1 } else { 0.05 };
                let exact = size[i] * size[j] * (about_corner - 1.0 / 16.0);
                assert!((spread.second[i][j] - exact).abs() < 1e-14);
            }
        }
    }

    /// Of a slender cylinder m L²/12, of a ball 2m r²/5, and of a capsule in between the integral over slices.
    #[test]
    fn a_capsule_has_its_moments_whatever_its_direction() {
        let (radius, axis) = (0.7, [0.6, 0.0, 0.8]);
        let spread = capsule([[1.0, 2.0, 3.0], moved([1.0, 2.0, 3.0], 1.9, axis)], radius);
        let (mut volume, mut along, mut across) = (0.0, 0.0, 0.0);
        let slices = 200_000;
        for k in 0..slices {
            let z = (f64::from(k) + 0.5) / f64::from(slices) * (0.95 + radius);
            let beyond = (z - 0.95).max(0.0);
            let square = radius * radius - beyond * beyond;
            let slice = 2.0 * PI * square * (0.95 + radius) / f64::from(slices);
            volume += slice;
            along += slice * z * z;
            across += slice * square / 4.0;
        }
        // Mid-point slices: (π/24) h² of relative error or less.
        let along_axis = dot(axis, spread.second.map(|row| dot(row, axis)));
        let trace = (0..3).map(|i| spread.second[i][i]).sum::<f64>();
        for (found, sum) in
            [(spread.volume, volume), (along_axis, along), (0.5 * (trace - along_axis), across)]
        {
            assert!((found / sum - 1.0).abs() < 1e-9, "{found} {sum}");
        }
        let ball = capsule([[0.0; 3]; 2], 2.0);
        assert_eq!(ball.second[0][1], 0.0);
        let (_, moments) = ball.principal();
        assert!(moments.iter().all(|&m| close(m, 0.4 * ball.volume * 4.0)));
    }

    /// The turn back to the given axes is the least of all: no more than 62.8°, and the turn itself where it is
    /// less than 45°.
    #[test]
    fn the_axes_of_a_turned_box_are_found_and_those_of_an_upright_one_kept() {
        let size = [1.0, 2.0, 3.5];
        let corners = Polyhedron::cuboid(size).vertices;
        for k in 0..50 {
            let phi = [0.02 * f64::from(k), 0.013 * f64::from(k), -0.01 * f64::from(k)];
            let turn = matrix_of(phi);
            let turned: Vec<_> = corners.iter().map(|&x| turn.map(|row| dot(row, x))).collect();
            let spread = of_polyhedron(&Polyhedron::hull(&turned).unwrap());
            let (axes, moments) = spread.principal();
            // Rows of the axes are the columns of the turn.
            let apart = product(of_matrix(axes), of_vector(phi));
            if length(phi) < 0.78 {
                assert!(length(to_vector(apart)) < 1e-14, "{k}");
                for i in 0..3 {
                    let exact =
                        7.0 / 12.0 * (size.iter().map(|s| s * s).sum::<f64>() - size[i] * size[i]);
                    assert!(close(moments[i], exact));
                }
            }
            assert!(length(to_vector(of_matrix(axes))) < 1.0973);
            assert!(close(dot(axes[0], cross(axes[1], axes[2])), 1.0));
        }
        let upright = of_polyhedron(&Polyhedron::hull(&corners).unwrap());
        assert_eq!(upright.principal().0, IDENTITY);
        assert_eq!(conjugate(of_matrix(IDENTITY)), of_matrix(IDENTITY));
    }

    /// Two moments are equal: the axis is the turned one, and the turn the shortest that brings it there.
    #[test]
    fn axes_that_are_free_turn_no_more_than_they_must() {
        for (n, phi) in [(3, [0.4, 0.0, 0.0]), (4, [0.0, 0.3, 0.0]), (7, [0.2, -0.3, 0.0])] {
            let turn = matrix_of(phi);
            let drum = Polyhedron::prism(n, 1.0, 5.0).vertices;
            let drum: Vec<_> = drum.iter().map(|&x| turn.map(|row| dot(row, x))).collect();
            let (axes, moments) = of_polyhedron(&Polyhedron::hull(&drum).unwrap()).principal();
            assert!(length(to_vector(product(of_matrix(axes), of_vector(phi)))) < 1e-14);
            assert_eq!(moments[0], moments[1]);
        }
        // A cube is a ball to its moments.
        let turn = matrix_of([0.3, 0.5, -0.2]);
        let cube = Polyhedron::cuboid([1.0; 3]).vertices;
        let cube: Vec<_> = cube.iter().map(|&x| turn.map(|row| dot(row, x))).collect();
        let (axes, moments) = of_polyhedron(&Polyhedron::hull(&cube).unwrap()).principal();
        assert_eq!(axes, IDENTITY);
        assert!(moments.iter().all(|&m| m == moments[0] && close(m, 1.0 / 6.0)));
    }
}
