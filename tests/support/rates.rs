//! Orders of convergence.

/// Slope of log(error) over log(size), by least squares.
pub fn fitted_slope(sizes: &[f64], errors: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().map(|x| x.ln()).sum::<f64>() / x.len() as f64;
    let (size, error) = (mean(sizes), mean(errors));
    let pairs = || sizes.iter().zip(errors).map(|(s, e)| (s.ln() - size, e.ln() - error));
    let covariance: f64 = pairs().map(|(s, e)| s * e).sum();
    covariance / pairs().map(|(s, _)| s * s).sum::<f64>()
}
