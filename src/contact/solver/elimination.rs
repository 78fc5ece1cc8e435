//! Linear systems of W plus a block per contact, where W is a product through bodies: on the dofs of the bodies.

use super::lorentz::Matrix;
use crate::contact::BodyProduct;
use crate::linalg::SparseLu;

/// With W = H M̂⁻¹ Hᵀ a system on the contacts is one on the bodies, of which there are fewer dofs wherever contacts hold
/// bodies more than once:
///
/// ```text
///     (A + L W R) x = r      ⇔      x = A⁻¹(r − L H y),    (M̂ + Hᵀ G H) y = Hᵀ R A⁻¹ r,    G = R A⁻¹ L      (1)
/// ```
pub(super) struct BodyElimination {
    lu: SparseLu,
    /// Where each entry goes that the product visits.
    positions: Vec<u32>,
    motion: Vec<f64>,
}

impl BodyElimination {
    /// `None` where there are too many entries.
    pub(super) fn new(product: &BodyProduct) -> Option<Self> {
        let (starts, rows) = product.motion_columns();
        let mut positions = Vec::new();
        let none = |_: usize| [[0.0; 3]; 3];
        product.for_each_entry(none, |row, column, _| {
            let first = starts[column] as usize;
            let own = &rows[first..starts[column + 1] as usize];
            let place = own.partition_point(|&other| (other as usize) < row);
            positions.push((first + place) as u32);
        });
        let motion = vec![0.0; product.motion_size()];
        Some(Self { lu: SparseLu::new(starts, rows)?, positions, motion })
    }

    /// Factors M̂ + HᵀGH; `false` where it is singular.
    #[must_use = "a singular matrix has no factor"]
    pub(super) fn factor(&mut self, product: &BodyProduct, g: impl Fn(usize) -> Matrix) -> bool {
        let values = self.lu.values_mut();
        values.fill(0.0);
        let mut positions = self.positions.iter();
        product.for_each_entry(g, |_, _, value| {
            if let Some(&position) = positions.next() {
                values[position as usize] += value;
            }
        });
        self.lu.factor()
    }

    /// z ← H (M̂ + HᵀGH)⁻¹ Hᵀ z with the last factor; `false` where that is singular.
    #[must_use = "a singular system leaves z without meaning"]
    pub(super) fn answer(&mut self, product: &BodyProduct, z: &mut [f64]) -> bool {
        let d = product.components();
        self.motion.fill(0.0);
        for (alpha, z) in z.chunks_exact(d).enumerate() {
            product.push_back(alpha, z, &mut self.motion);
        }
        let solved = self.lu.solve_in_place(&mut self.motion);
        for (alpha, z) in z.chunks_exact_mut(d).enumerate() {
            z.copy_from_slice(&product.velocity::<3>(alpha, &self.motion)[..d]);
        }
        solved
    }
}

/// Corrections of one solve at most.
const CORRECTIONS: usize = 6;
/// Share of the right-hand side that may be left.
const LEFT: f64 = 1e-13;

/// Solves by an elimination (1), which loses digits where A is small, and takes what is left of the right-hand side `x` until
/// it no longer falls; `times` writes the product with the matrix.
#[must_use = "a singular system leaves x without meaning"]
pub(super) fn refined(
    x: &mut [f64],
    mut solve: impl FnMut(&mut [f64]) -> bool,
    mut times: impl FnMut(&[f64], &mut [f64]),
) -> bool {
    let rhs = x.to_vec();
    if !solve(x) {
        return false;
    }
    let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let (size, mut before) = (largest(&rhs), f64::INFINITY);
    let (mut left, mut correction) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    for _ in 0..=CORRECTIONS {
        times(x, &mut left);
        left.iter_mut().zip(&rhs).for_each(|(left, rhs)| *left = rhs - *left);
        let now = largest(&left);
        if now >= before || now.is_nan() {
            x.iter_mut().zip(&correction).for_each(|(x, c)| *x -= c);
            break;
        }
        let helps = now < 0.5 * before;
        before = now;
        if now <= LEFT * size || !helps {
            break;
        }
        correction.copy_from_slice(&left);
        if !solve(&mut correction) {
            return false;
        }
        x.iter_mut().zip(&correction).for_each(|(x, c)| *x += c);
    }
    before.is_finite()
}

/// The inverse of the leading d×d part of a matrix, the rest zero; `None` where it is singular to rounding.
pub(super) fn inverse(a: &Matrix, d: usize) -> Option<Matrix> {
    let mut inverse = [[0.0; 3]; 3];
    let size = a.iter().flatten().fold(0.0, |m: f64, a| m.max(a.abs()));
    let det = if d == 2 {
        let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        inverse[0] = [a[1][1] / det, -a[0][1] / det, 0.0];
        inverse[1] = [-a[1][0] / det, a[0][0] / det, 0.0];
        det
    } else {
        let minor = |i: usize, j: usize| {
            let ([i0, i1], [j0, j1]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
            a[i0][j0] * a[i1][j1] - a[i0][j1] * a[i1][j0]
        };
        let det = (0..3).map(|j| a[0][j] * minor(0, j)).sum::<f64>();
        (0..3).for_each(|i| (0..3).for_each(|j| inverse[i][j] = minor(j, i) / det));
        det
    };
    (det.abs() > f64::MIN_POSITIVE * size && det.is_finite()).then_some(inverse)
}

/// The product of two.
pub(super) fn times(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// The product with a vector of as many components as there are.
pub(super) fn apply(a: &Matrix, x: &[f64]) -> [f64; 3] {
    std::array::from_fn(|i| x.iter().zip(a[i]).map(|(x, a)| a * x).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::product::tests::chain;
    use crate::contact::solver::{Admm, ContactSolver, InteriorPoint, Method, Proximal, Target};
    use crate::contact::{ConeProblem, Delassus};

    /// (1) against the dense system, singular W and unsymmetric blocks.
    #[test]
    fn a_system_on_the_bodies_is_the_one_on_the_contacts() {
        let (product, w) = chain(6, 4, 3);
        let n = w.len();
        let a: Matrix = [[3.0, 0.5, 0.0], [-0.2, 2.0, 0.1], [0.0, 0.3, 1.5]];
        let l: Matrix = [[1.0, 0.2, 0.0], [0.0, 0.7, 0.0], [0.1, 0.0, 0.0]];
        let inverse = inverse(&a, 3).unwrap();
        let mut elimination = BodyElimination::new(&product).unwrap();
        assert!(elimination.factor(&product, |_| times(&inverse, &l)));
        let r: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let start = |r: &[f64]| -> Vec<f64> {
            r.chunks_exact(3).flat_map(|r| apply(&inverse, r)).collect()
        };
        let mut z = start(&r);
        assert!(elimination.answer(&product, &mut z));
        let pushed: Vec<f64> = z.chunks_exact(3).flat_map(|z| apply(&l, z)).collect();
        let x: Vec<f64> = start(&r.iter().zip(&pushed).map(|(r, p)| r - p).collect::<Vec<f64>>());
        let wx: Vec<f64> =
            w.iter().map(|row| row.iter().zip(&x).map(|(w, x)| w * x).sum()).collect();
        for contact in 0..n / 3 {
            let own = 3 * contact..3 * contact + 3;
            let (ax, lwx) = (apply(&a, &x[own.clone()]), apply(&l, &wx[own.clone()]));
            for (i, at) in own.enumerate() {
                assert!((ax[i] + lwx[i] - r[at]).abs() < 1e-12, "{contact} {i}");
            }
        }
    }

    /// Every method finds a solution through the bodies, as it does on the blocks, in the plane and in space.
    #[test]
    fn methods_solve_through_bodies_as_they_do_on_blocks() {
        for size in [3, 6] {
            let (product, w) = chain(size, 5, 4);
            let d = product.components();
            // W is singular: b = W x + n is one for which impulses exist.
            let x: Vec<f64> = (0..w.len()).map(|i| (i as f64 * 1.7).sin() - 0.4).collect();
            let wx = |row: &Vec<f64>| row.iter().zip(&x).map(|(w, x)| w * x).sum::<f64>();
            let n = |i: usize| if i.is_multiple_of(d) { 1.0 } else { 0.0 };
            let b: Vec<f64> = w.iter().enumerate().map(|(i, row)| wx(row) + n(i)).collect();
            let mu = vec![0.4; w.len() / d];
            let blocks = product.columns();
            let forms = [Delassus::from(product), Delassus::from(blocks)];
            let methods: [Box<dyn ContactSolver>; 4] = [
                Box::new(Admm),
                Box::new(InteriorPoint),
                Box::new(Proximal),
                Method::Auto.solver(d, mu.len()),
            ];
            for mut method in methods {
                for w in &forms {
                    let problem = ConeProblem { w: w.clone(), b: b.clone(), mu: mu.clone() };
                    let mut p = vec![0.0; b.len()];
                    let report = method.solve(&problem, Target::new(1e-9, 5_000), &mut p);
                    assert!(report.error <= 1e-9, "{} {size}: {report:?}", method.name());
                }
            }
        }
    }
}
