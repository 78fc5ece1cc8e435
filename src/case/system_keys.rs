//! Keys of point masses, what connects them and rigid bodies, and probes.

use super::keys::{Key, NOT_NEGATIVE, POSITIVE, key, numbers};
use super::kind::KeyKind::{self, Group, Number, Pair, Words};
use super::kind::Many;

const VECTOR: KeyKind = numbers("[x], [x, y] or [x, y, z]", Many::Between(1, 3));

/// They stand beside those of meshes and materials.
#[rustfmt::skip]
pub(super) const SYSTEM_KEYS: &[Key] = &[
    key("mass.NAME.mass", Number(POSITIVE), "required", "mass", "1.0", "mass of a point mass"),
    key("mass.NAME.position", VECTOR, "required", "length", "[0.0, 1.0]", "where it is when the springs are at rest"),
    key("mass.NAME.displacement", VECTOR, "zero", "length", "[0.0, 0.1]", "how far it is from there at t = 0"),
    key("mass.NAME.velocity", VECTOR, "zero", "length/time", "[0.0, -1.0]", "velocity at t = 0"),
    key("mass.NAME.radius", Number(NOT_NEGATIVE), "0", "length", "0.1", "distance at which it touches: it is a ball"),
    key("spring.NAME.between", Pair, "required", "", r#"["ball", "ground"]"#, "two masses, bodies (their centres) or one-node groups, or \"ground\""),
    key("spring.NAME.axis", VECTOR, "the line between them; required to the ground, but on a line", "1", "[0.0, 1.0]", "direction it acts along, fixed in space"),
    key("spring.NAME.stiffness", Number(NOT_NEGATIVE), "0", "mass/time²", "100.0", "force per elongation from the rest positions"),
    key("spring.NAME.damping", Number(NOT_NEGATIVE), "0", "mass/time", "0.5", "force per rate of elongation: a dashpot"),
    key("slider.NAME.between", Pair, "required", "", r#"["ball", "ground"]"#, "as for springs"),
    key("slider.NAME.axis", VECTOR, "the line between them; required to the ground, but on a line", "1", "[1.0, 0.0]", "direction it acts along, fixed in space"),
    key("slider.NAME.force", Number(POSITIVE), "required", "mass·length/time²", "2.0", "Coulomb force at which it slides"),
    key("joint.NAME.kind", Words(&["pin", "bar", "line", "hinge", "slider", "weld"]), "required", "", r#""pin""#, "points held together, at a distance or on a line; bodies that turn about an axis, slide along one, or do neither"),
    key("joint.NAME.between", Pair, "required", "", r#"["rod", "ground"]"#, "as for springs; bodies at any point"),
    key("joint.NAME.at", VECTOR, "centre of the first", "length", "[0.0, 0.0]", "all but a bar: where, at rest"),
    key("joint.NAME.from", VECTOR, "centre of the first", "length", "[0.0, 0.0]", "bar: its end on the first, at rest"),
    key("joint.NAME.to", VECTOR, "centre of the second", "length", "[1.0, 0.0]", "bar: its end on the second, at rest"),
    key("joint.NAME.direction", VECTOR, "required for a line", "1", "[1.0, 0.0]", "direction of the line, fixed in space"),
    key("joint.NAME.axis", VECTOR, "required for a hinge and a slider", "1", "[0.0, 0.0, 1.0]", "axis at rest; it turns with the bodies"),
    key("probe.NAME.group", Group("the mesh"), "required", "", r#""tip""#, "nodes whose mean motion goes to trajectory.csv"),
];
