//! What can be wrong with an obstacle; all of it is bad input.

use thiserror::Error;

/// Why an obstacle cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObstacleError {
    /// A point, vector or number that is infinite or not a number.
    #[error("{what} is not finite; give finite numbers")]
    NotFinite {
        /// What it is.
        what: &'static str,
    },
    /// A length that must be positive.
    #[error("{what} is {value}; it must be positive")]
    NotPositive {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A direction whose length is not 1.
    #[error("{what} [{}, {}, {}] has length {length} instead of 1; divide it by its length", vector[0], vector[1], vector[2])]
    NotUnit {
        /// What it is.
        what: &'static str,
        /// Its value.
        vector: [f64; 3],
        /// ‖vector‖.
        length: f64,
    },
    /// Axes that are not at right angles.
    #[error(
        "axes {first} and {second} of the cuboid are not at right angles: their product is {product}; give orthonormal axes"
    )]
    Skew {
        /// One axis.
        first: usize,
        /// The other.
        second: usize,
        /// Their scalar product.
        product: f64,
    },
    /// A displacement or angle that jumps.
    #[error(
        "the prescribed {what} of the obstacle jumps in time; prescribe its velocity, or choose a time function without a jump (ramp, sine, table)"
    )]
    Jumps {
        /// Displacement or angle.
        what: &'static str,
    },
    /// A contact normal or a velocity would leave the plane of a two-dimensional problem.
    #[error("{what} is {value} in a plane problem; {remedy}")]
    LeavesPlane {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: String,
        /// What to do.
        remedy: &'static str,
    },
}

/// Unit vectors may be off by rounding, not more.
const ROUNDING: f64 = 1e-12;

/// That a vector is finite.
pub(super) fn finite(what: &'static str, vector: [f64; 3]) -> Result<(), ObstacleError> {
    if vector.iter().all(|v| v.is_finite()) {
        Ok(())
    } else {
        Err(ObstacleError::NotFinite { what })
    }
}

/// That a length is positive, not NaN; ∞ is for the caller to refuse.
pub(super) fn positive(what: &'static str, value: f64) -> Result<(), ObstacleError> {
    if value > 0.0 { Ok(()) } else { Err(ObstacleError::NotPositive { what, value }) }
}

/// That a vector has length 1.
pub(super) fn of_length_one(what: &'static str, vector: [f64; 3]) -> Result<(), ObstacleError> {
    finite(what, vector)?;
    let length = crate::vector::length(vector);
    let is_unit = (length - 1.0).abs() <= ROUNDING;
    if is_unit { Ok(()) } else { Err(ObstacleError::NotUnit { what, vector, length }) }
}

/// That axes are orthonormal.
pub(super) fn orthonormal(axes: [[f64; 3]; 3]) -> Result<(), ObstacleError> {
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        of_length_one("an axis of the cuboid", axes[first])?;
        of_length_one("an axis of the cuboid", axes[second])?;
        let product = crate::vector::dot(axes[first], axes[second]);
        if product.abs() > ROUNDING {
            return Err(ObstacleError::Skew { first, second, product });
        }
    }
    Ok(())
}

/// That a point or vector lies in the plane.
pub(super) fn flat(what: &'static str, vector: [f64; 3]) -> Result<(), ObstacleError> {
    refuse_unless(vector[2] == 0.0, what, &vector, "its third component must be 0")
}

/// That an axis is perpendicular to the plane.
pub(super) fn upright(what: &'static str, axis: [f64; 3]) -> Result<(), ObstacleError> {
    let holds = axis[0] == 0.0 && axis[1] == 0.0;
    refuse_unless(holds, what, &axis, "it must be [0, 0, 1]")
}

/// That something holds, without which normals or velocities leave the plane.
pub(super) fn refuse_unless(
    holds: bool,
    what: &'static str,
    value: &dyn std::fmt::Debug,
    remedy: &'static str,
) -> Result<(), ObstacleError> {
    let value = || format!("{value:?}");
    if holds { Ok(()) } else { Err(ObstacleError::LeavesPlane { what, value: value(), remedy }) }
}
