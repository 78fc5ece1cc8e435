//! Unit quaternions, scalar first.

use crate::vector::{cross, moved, plus, times};

pub(super) type Quaternion = [f64; 4];

pub(super) const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// How far from 1 a norm may be: what a file writes down with six decimals.
pub(super) const LOOSE_NORM: f64 = 1e-6;

/// The unit quaternion that four numbers are but for rounding, or what is wrong with them.
pub(super) fn unit_quaternion(given: &[f64]) -> Result<Quaternion, String> {
    let Ok(q) = <Quaternion>::try_from(given) else {
        return Err(format!("has {} numbers; give four: [w, x, y, z]", given.len()));
    };
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    match (norm - 1.0).abs() <= LOOSE_NORM {
        true if norm == 1.0 => Ok(q),
        true => Ok(q.map(|x| x / norm)),
        false => Err(format!("{given:?} has the norm {norm}, not 1; divide it by that")),
    }
}

/// The rotation by an angle about a unit axis.
pub(super) fn about(axis: [f64; 3], angle: f64) -> Quaternion {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let [x, y, z] = times(sine, axis);
    [cosine, x, y, z]
}

/// The second rotation, then the first.
pub(super) fn after([a, first @ ..]: Quaternion, [b, second @ ..]: Quaternion) -> Quaternion {
    let scalar = a * b - crate::vector::dot(first, second);
    let vector = plus(plus(times(a, second), times(b, first)), cross(first, second));
    [scalar, vector[0], vector[1], vector[2]]
}

/// A vector, turned.
pub(super) fn turned([w, axis @ ..]: Quaternion, x: [f64; 3]) -> [f64; 3] {
    let t = times(2.0, cross(axis, x));
    plus(moved(x, w, t), cross(axis, t))
}

/// A vector, turned back.
pub(super) fn turned_back([w, x, y, z]: Quaternion, vector: [f64; 3]) -> [f64; 3] {
    turned([w, -x, -y, -z], vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_about_z_takes_x_to_y_and_two_take_it_to_minus_x() {
        let quarter = about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2);
        let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(turned(quarter, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert!(close(turned_back(quarter, [0.0, 1.0, 0.0]), [1.0, 0.0, 0.0]));
        assert!(close(turned(after(quarter, quarter), [1.0, 0.0, 0.0]), [-1.0, 0.0, 0.0]));
        let about_x = about([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
        assert!(close(turned(after(about_x, quarter), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]));
    }

    #[test]
    fn six_decimals_are_a_unit_quaternion_and_three_are_not() {
        let q = unit_quaternion(&[0.866025, 0.0, 0.5, 0.0]).unwrap();
        // What six decimals leave of √3/2 is a norm of 1 − 3.5e-7, which is divided by.
        assert!((q[0] - 0.75_f64.sqrt()).abs() < 4e-7 && (q[2] - 0.5).abs() < 4e-7);
        assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
        let said = unit_quaternion(&[0.866, 0.0, 0.5, 0.0]).unwrap_err();
        assert!(said.contains("has the norm 0.99997"), "{said}");
        assert!(unit_quaternion(&[1.0, 0.0]).unwrap_err().contains("give four"));
        assert!(unit_quaternion(&[f64::NAN, 0.0, 0.0, 0.0]).is_err());
    }
}
