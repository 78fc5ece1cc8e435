//! The fields that the page shows.

use serde::Serialize;

use crate::output::vtu::{SYMMETRIC_TENSOR, VECTOR};
use crate::units::Dimension;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FieldPlace {
    Point,
    Cell,
    Contact,
}

/// A field of the frames that the page shows. Frames without elements, or without candidates, lack some.
pub(super) struct ShownField {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) dimension: Dimension,
    pub(super) on: FieldPlace,
    pub(super) components: &'static [&'static str],
}

const SCALAR: &[&str] = &[""];

pub(super) const KINDS: [ShownField; 10] = [
    ShownField::new("displacement", "displacement", Dimension::Length, FieldPlace::Point, &VECTOR),
    ShownField::new("velocity", "velocity", Dimension::Velocity, FieldPlace::Point, &VECTOR),
    ShownField::new("stress", "stress", Dimension::Pressure, FieldPlace::Cell, &SYMMETRIC_TENSOR),
    ShownField::new(
        "contact_status",
        "contact status",
        Dimension::Count,
        FieldPlace::Contact,
        SCALAR,
    ),
    ShownField::new("gap", "gap", Dimension::Length, FieldPlace::Contact, SCALAR),
    ShownField::new(
        "contact_impulse",
        "contact impulse",
        Dimension::Impulse,
        FieldPlace::Contact,
        &VECTOR,
    ),
    ShownField::new(
        "contact_force_mean",
        "contact force, mean since the last frame",
        Dimension::Force,
        FieldPlace::Contact,
        &VECTOR,
    ),
    ShownField::new(
        "contact_pressure_mean",
        "contact pressure, mean since the last frame",
        Dimension::Pressure,
        FieldPlace::Contact,
        SCALAR,
    ),
    ShownField::new(
        "tangential_work_total",
        "tangential work",
        Dimension::Energy,
        FieldPlace::Contact,
        SCALAR,
    ),
    ShownField::new(
        "normal_work_total",
        "normal work",
        Dimension::Energy,
        FieldPlace::Contact,
        SCALAR,
    ),
];

impl ShownField {
    const fn new(
        name: &'static str,
        label: &'static str,
        dimension: Dimension,
        on: FieldPlace,
        components: &'static [&'static str],
    ) -> Self {
        Self { name, label, dimension, on, components }
    }

    /// Whether component `i` can differ from zero in so many dimensions.
    pub(super) fn has(&self, i: usize, dimension: usize) -> bool {
        match self.components.len() {
            1 => true,
            3 => i < dimension,
            // yz and xz
            _ => dimension == 3 || i < 4,
        }
    }
}
