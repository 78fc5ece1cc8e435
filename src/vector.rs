//! Vectors of space as plain arrays, in one set of words.

pub mod rotation;

/// a·b.
#[inline]
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline]
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + b.
#[inline]
pub fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
#[inline]
pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// s a.
#[inline]
pub fn times(s: f64, a: [f64; 3]) -> [f64; 3] {
    a.map(|a| s * a)
}

/// a + s b.
#[inline]
pub fn moved(a: [f64; 3], s: f64, b: [f64; 3]) -> [f64; 3] {
    plus(a, times(s, b))
}

/// Σ cᵢ aᵢ.
#[inline]
pub fn combine(c: [f64; 3], a: [[f64; 3]; 3]) -> [f64; 3] {
    plus(plus(times(c[0], a[0]), times(c[1], a[1])), times(c[2], a[2]))
}

/// ‖a‖.
#[inline]
pub fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// ‖b − a‖.
#[inline]
pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    length(minus(b, a))
}

/// ‖a‖ and a/‖a‖, or `None` where `a` points nowhere. Scaled by the largest component first, so
/// that no square runs out of the range of numbers: a point can be 1e-200 off a centre. What is not
/// a number stays so: a body that was lost must not seem to sit in a centre.
#[inline]
pub fn polar(a: [f64; 3]) -> Option<(f64, [f64; 3])> {
    if a.iter().all(|a| a.abs() <= f64::MIN_POSITIVE) {
        return None;
    }
    let largest = a.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    let scaled = a.map(|a| a / largest);
    let scale = length(scaled);
    Some((largest * scale, scaled.map(|a| a / scale)))
}

/// a/‖a‖, or `None` where `a` points nowhere or is not finite.
#[inline]
pub fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    polar(a).map(|(_, direction)| direction).filter(|direction| direction[0].is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_is_found_at_any_scale_and_refused_where_there_is_none() {
        for scale in [1e-250, 1.0, 1e250] {
            let (length, direction) = polar([3.0 * scale, 0.0, -4.0 * scale]).unwrap();
            assert!((length / scale - 5.0).abs() < 1e-15);
            assert!((direction[0] - 0.6).abs() < 1e-15 && (direction[2] + 0.8).abs() < 1e-15);
        }
        assert_eq!(polar([0.0; 3]), None);
        assert_eq!(unit([0.0, 0.0, f64::NAN]), None);
        assert_eq!(unit([f64::INFINITY, 0.0, 1.0]), None);
        assert!(polar([0.0, 0.0, f64::NAN]).unwrap().0.is_nan());
    }
}
