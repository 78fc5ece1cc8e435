//! Quadrature rules, each named after its domain and the degree of polynomials it integrates exactly.
//!
//! ```text
//!     ∫ f dξ ≈ Σ_p w_p f(ξ_p)
//!
//!     domain        line          triangle              square       tetrahedron               cube
//!                   −1 ≤ ξ ≤ 1    ξ, η ≥ 0, ξ+η ≤ 1     line²        ξ, η, ζ ≥ 0, ξ+η+ζ ≤ 1    line³
//! ```
//!
//! On the square and the cube the degree counts per direction. All weights are positive, so that no
//! rule can make an indefinite mass.

/// A point of a rule, with its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QuadraturePoint<const D: usize> {
    pub at: [f64; D],
    pub weight: f64,
}

const fn point<const D: usize>(at: [f64; D], weight: f64) -> QuadraturePoint<D> {
    QuadraturePoint { at, weight }
}

/// 1/√3.
const G: f64 = 0.577_350_269_189_625_8;

/// Gauss, 2 points.
pub(super) const LINE_3: [QuadraturePoint<1>; 2] = [point([-G], 1.0), point([G], 1.0)];

/// Gauss, 2 × 2 points.
pub(super) const SQUARE_3: [QuadraturePoint<2>; 4] =
    [point([-G, -G], 1.0), point([G, -G], 1.0), point([G, G], 1.0), point([-G, G], 1.0)];

/// Gauss, 2 × 2 × 2 points.
pub(super) const CUBE_3: [QuadraturePoint<3>; 8] = [
    point([-G, -G, -G], 1.0),
    point([G, -G, -G], 1.0),
    point([G, G, -G], 1.0),
    point([-G, G, -G], 1.0),
    point([-G, -G, G], 1.0),
    point([G, -G, G], 1.0),
    point([G, G, G], 1.0),
    point([-G, G, G], 1.0),
];

/// Three inner points.
pub(super) const TRIANGLE_2: [QuadraturePoint<2>; 3] = {
    let (a, b, w) = (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0);
    [point([a, a], w), point([b, a], w), point([a, b], w)]
};

/// Strang and Fix, six points:
///
/// ```text
///     a = (8 − √10 ± √(38 − 44√(2/5)))/18      w = (620 ± √(213125 − 53320√10))/7440
/// ```
pub(super) const TRIANGLE_4: [QuadraturePoint<2>; 6] = {
    let (a, b, v) = (0.445_948_490_915_964_9, 0.108_103_018_168_070_2, 0.111_690_794_839_005_73);
    let (c, d, w) = (0.091_576_213_509_770_74, 0.816_847_572_980_458_5, 0.054_975_871_827_660_93);
    [
        point([a, a], v),
        point([b, a], v),
        point([a, b], v),
        point([c, c], w),
        point([d, c], w),
        point([c, d], w),
    ]
};

/// Four inner points, a = (5 − √5)/20 and b = (5 + 3√5)/20.
pub(super) const TETRAHEDRON_2: [QuadraturePoint<3>; 4] = {
    let (a, b, w) = (0.138_196_601_125_010_5, 0.585_410_196_624_968_5, 1.0 / 24.0);
    [point([a, a, a], w), point([b, a, a], w), point([a, b, a], w), point([a, a, b], w)]
};

/// Walkington, 14 points: two orbits of four (a, a, a, 1−3a) and one of six (e, e, ½−e, ½−e).
pub(super) const TETRAHEDRON_5: [QuadraturePoint<3>; 14] = {
    let (a, b, u) = (0.310_885_919_263_300_6, 0.067_342_242_210_098_17, 0.018_781_320_953_002_642);
    let (c, d, v) = (0.092_735_250_310_891_23, 0.721_794_249_067_326_3, 0.012_248_840_519_393_658);
    let (e, f, w) = (0.045_503_704_125_649_65, 0.454_496_295_874_350_35, 0.007_091_003_462_846_911);
    [
        point([a, a, a], u),
        point([b, a, a], u),
        point([a, b, a], u),
        point([a, a, b], u),
        point([c, c, c], v),
        point([d, c, c], v),
        point([c, d, c], v),
        point([c, c, d], v),
        point([e, e, f], w),
        point([e, f, e], w),
        point([f, e, e], w),
        point([f, f, e], w),
        point([f, e, f], w),
        point([e, f, f], w),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    /// ∫ ξ^i η^j ζ^k over the simplex: i! j! k!/(i+j+k+D)!.
    fn over_simplex(powers: &[i32]) -> f64 {
        let top: f64 = powers.iter().map(|&i| factorial(i)).product();
        top / factorial(powers.iter().sum::<i32>() + powers.len() as i32)
    }

    /// ∫ ξ^i η^j ζ^k over the box: 2/(i+1) for every even power, 0 for an odd one.
    fn over_box(powers: &[i32]) -> f64 {
        powers.iter().map(|&i| if i % 2 == 0 { 2.0 / f64::from(i + 1) } else { 0.0 }).product()
    }

    /// All tuples of powers up to `degree` in each direction.
    fn powers<const D: usize>(degree: i32) -> Vec<[i32; D]> {
        let base = degree as usize + 1;
        let digit = |n: usize, i: usize| (n / base.pow(i as u32) % base) as i32;
        (0..base.pow(D as u32)).map(|n| std::array::from_fn(|i| digit(n, i))).collect()
    }

    fn error<const D: usize>(rule: &[QuadraturePoint<D>], powers: [i32; D], exact: f64) -> f64 {
        let value = |p: &QuadraturePoint<D>| {
            p.weight * (0..D).map(|i| p.at[i].powi(powers[i])).product::<f64>()
        };
        rule.iter().map(value).sum::<f64>() - exact
    }

    /// Constants hold 16 digits; sums of up to 14 terms below 1.
    const ROUNDING: f64 = 1e-15;

    fn assert_simplex_degree<const D: usize>(rule: &[QuadraturePoint<D>], degree: i32) {
        let mut beyond: f64 = 0.0;
        for powers in powers::<D>(degree + 1) {
            let off = error(rule, powers, over_simplex(&powers)).abs();
            match powers.iter().sum::<i32>() {
                total if total <= degree => assert!(off < ROUNDING, "{powers:?}: {off:e}"),
                total if total == degree + 1 => beyond = beyond.max(off),
                _ => {}
            }
        }
        assert!(beyond > 1e-6, "the rule does better than its name says: {beyond:e}");
    }

    fn assert_box_degree<const D: usize>(rule: &[QuadraturePoint<D>], degree: i32) {
        for powers in powers::<D>(degree + 1) {
            let off = error(rule, powers, over_box(&powers)).abs();
            let inside = powers.iter().all(|&i| i <= degree);
            assert!(!inside || off < 8.0 * ROUNDING, "{powers:?}: {off:e}");
        }
        let beyond = std::array::from_fn(|i| if i == 0 { degree + 1 } else { 0 });
        assert!(error(rule, beyond, over_box(&beyond)).abs() > 1e-3);
    }

    #[test]
    fn every_rule_is_exact_to_the_degree_of_its_name_and_not_beyond() {
        assert_box_degree(&LINE_3, 3);
        assert_box_degree(&SQUARE_3, 3);
        assert_box_degree(&CUBE_3, 3);
        assert_simplex_degree(&TRIANGLE_2, 2);
        assert_simplex_degree(&TRIANGLE_4, 4);
        assert_simplex_degree(&TETRAHEDRON_2, 2);
        assert_simplex_degree(&TETRAHEDRON_5, 5);
    }
}
