//! Keys of point masses, rigid bodies, what connects them, and probes.

use super::keys::{Key, NOT_NEGATIVE, POSITIVE, key, numbers};
use super::kind::KeyKind::{self, Corners, Group, Number, Numbers, Pair, Words};
use super::kind::{Bounds, Limit, Many};

const ANY: Bounds = Bounds(Limit::Free, Limit::Free);
const VECTOR: KeyKind = numbers("[x], [x, y] or [x, y, z]", Many::Between(1, 3));
const POINT: KeyKind = numbers("[x, y]", Many::Between(2, 2));
const EDGES: KeyKind =
    Numbers { written: "[width, height]", many: Many::Between(2, 2), positive: true };

/// They stand beside those of meshes and materials.
#[rustfmt::skip]
pub(super) const SYSTEM_KEYS: &[Key] = &[
    key("mass.NAME.mass", Number(POSITIVE), "required", "mass", "1.0", "mass of a point mass"),
    key("mass.NAME.position", VECTOR, "required", "length", "[0.0, 1.0]", "where it is when the springs are at rest"),
    key("mass.NAME.displacement", VECTOR, "zero", "length", "[0.0, 0.1]", "how far it is from there at t = 0"),
    key("mass.NAME.velocity", VECTOR, "zero", "length/time", "[0.0, -1.0]", "velocity at t = 0"),
    key("mass.NAME.radius", Number(NOT_NEGATIVE), "0", "length", "0.1", "distance at which it touches: it is a ball"),
    key("body.NAME.shape", Words(&["rod", "box", "polygon", "disk"]), "required", "", r#""box""#, "shape of a rigid body in the plane; a rod lies along y at angle 0"),
    key("body.NAME.length", Number(POSITIVE), "required for a rod", "length", "1.0", "its length"),
    key("body.NAME.size", EDGES, "required for a box", "length", "[1.0, 2.0]", "its edges"),
    key("body.NAME.vertices", Corners, "required for a polygon", "length", "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]", "its corners, seen from anywhere"),
    key("body.NAME.radius", Number(POSITIVE), "required for a disk", "length", "0.5", "its radius"),
    key("body.NAME.mass", Number(POSITIVE), "required", "mass", "1.0", "its mass"),
    key("body.NAME.inertia", Number(POSITIVE), "of a homogeneous body", "mass·length²", "0.0833", "moment of inertia about the centre of mass"),
    key("body.NAME.position", POINT, "required", "length", "[0.0, 1.0]", "centre of mass at t = 0"),
    key("body.NAME.angle", Number(ANY), "0", "rad", "0.785", "angle at t = 0, in radians, counter-clockwise"),
    key("body.NAME.velocity", POINT, "zero", "length/time", "[0.0, -1.0]", "velocity of the centre of mass at t = 0"),
    key("body.NAME.spin", Number(ANY), "0", "rad/time", "0.1", "angular velocity at t = 0"),
    key("spring.NAME.between", Pair, "required", "", r#"["ball", "ground"]"#, "two masses, bodies (their centres) or one-node groups, or \"ground\""),
    key("spring.NAME.axis", VECTOR, "the line between them; required to the ground, but on a line", "1", "[0.0, 1.0]", "direction it acts along, fixed in space"),
    key("spring.NAME.stiffness", Number(NOT_NEGATIVE), "0", "mass/time²", "100.0", "force per elongation from the rest positions"),
    key("spring.NAME.damping", Number(NOT_NEGATIVE), "0", "mass/time", "0.5", "force per rate of elongation: a dashpot"),
    key("slider.NAME.between", Pair, "required", "", r#"["ball", "ground"]"#, "as for springs"),
    key("slider.NAME.axis", VECTOR, "the line between them; required to the ground, but on a line", "1", "[1.0, 0.0]", "direction it acts along, fixed in space"),
    key("slider.NAME.force", Number(POSITIVE), "required", "mass·length/time²", "2.0", "Coulomb force at which it slides"),
    key("joint.NAME.kind", Words(&["pin", "bar", "line"]), "required", "", r#""pin""#, "points held together, at a distance, or on a line; none holds angles"),
    key("joint.NAME.between", Pair, "required", "", r#"["rod", "ground"]"#, "as for springs; bodies at any point"),
    key("joint.NAME.at", VECTOR, "centre of the first", "length", "[0.0, 0.0]", "pin, line: where, at rest"),
    key("joint.NAME.from", VECTOR, "centre of the first", "length", "[0.0, 0.0]", "bar: its end on the first, at rest"),
    key("joint.NAME.to", VECTOR, "centre of the second", "length", "[1.0, 0.0]", "bar: its end on the second, at rest"),
    key("joint.NAME.direction", VECTOR, "required for a line", "1", "[1.0, 0.0]", "direction of the line, fixed in space"),
    key("probe.NAME.group", Group("the mesh"), "required", "", r#""tip""#, "nodes whose mean motion goes to trajectory.csv"),
];
