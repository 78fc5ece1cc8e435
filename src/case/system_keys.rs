//! Keys of point masses, rigid bodies, what connects them, and probes.

use super::keys::{Key, key};

const VECTOR: &str = "[x], [x, y] or [x, y, z]";
const PAIR: &str = "[name, name]";
const POINT: &str = "[x, y]";

/// They stand beside those of meshes and materials.
pub(super) const SYSTEM_KEYS: &[Key] = &[
    key("mass.NAME.mass", "number > 0", "required", "mass of a point mass"),
    key("mass.NAME.position", VECTOR, "required", "where it is when the springs are at rest"),
    key("mass.NAME.displacement", VECTOR, "zero", "how far it is from there at t = 0"),
    key("mass.NAME.velocity", VECTOR, "zero", "velocity at t = 0"),
    key("mass.NAME.radius", "number >= 0", "0", "distance at which it touches: it is a ball"),
    key(
        "body.NAME.shape",
        r#""rod" | "box" | "polygon" | "disk""#,
        "required",
        "shape of a rigid body in the plane; a rod lies along y at angle 0",
    ),
    key("body.NAME.length", "number > 0", "rod", "its length"),
    key("body.NAME.size", "[width, height]", "box", "its edges"),
    key("body.NAME.vertices", "[[x, y], ...]", "polygon", "its corners, seen from anywhere"),
    key("body.NAME.radius", "number > 0", "disk", "its radius"),
    key("body.NAME.mass", "number > 0", "required", "its mass"),
    key(
        "body.NAME.inertia",
        "number > 0",
        "of a homogeneous body",
        "moment of inertia about the centre of mass",
    ),
    key("body.NAME.position", POINT, "required", "centre of mass at t = 0"),
    key("body.NAME.angle", "number", "0", "angle at t = 0, in radians, counter-clockwise"),
    key("body.NAME.velocity", POINT, "zero", "velocity of the centre of mass at t = 0"),
    key("body.NAME.spin", "number", "0", "angular velocity at t = 0"),
    key(
        "spring.NAME.between",
        PAIR,
        "required",
        "two masses, bodies (their centres) or one-node groups, or \"ground\"",
    ),
    key(
        "spring.NAME.axis",
        VECTOR,
        "the line between them; required to the ground, but on a line",
        "direction it acts along, fixed in space",
    ),
    key(
        "spring.NAME.stiffness",
        "number >= 0",
        "0",
        "force per elongation from the rest positions",
    ),
    key("spring.NAME.damping", "number >= 0", "0", "force per rate of elongation: a dashpot"),
    key("slider.NAME.between", PAIR, "required", "as for springs"),
    key(
        "slider.NAME.axis",
        VECTOR,
        "the line between them; required to the ground, but on a line",
        "direction it acts along, fixed in space",
    ),
    key("slider.NAME.force", "number > 0", "required", "Coulomb force at which it slides"),
    key(
        "joint.NAME.kind",
        r#""pin" | "bar" | "line""#,
        "required",
        "points held together, at a distance, or on a line; none holds angles",
    ),
    key("joint.NAME.between", PAIR, "required", "as for springs; bodies at any point"),
    key("joint.NAME.at", VECTOR, "centre of the first", "pin, line: where, at rest"),
    key("joint.NAME.from", VECTOR, "centre of the first", "bar: its end on the first, at rest"),
    key("joint.NAME.to", VECTOR, "centre of the second", "bar: its end on the second, at rest"),
    key("joint.NAME.direction", VECTOR, "line", "direction of the line, fixed in space"),
    key(
        "probe.NAME.group",
        "physical group of the mesh",
        "required",
        "nodes whose mean motion goes to trajectory.csv",
    ),
];
