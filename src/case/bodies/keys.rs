//! Keys of rigid bodies.

use crate::case::keys::{ANY, Key, NOT_NEGATIVE, POSITIVE, TIME, key, numbers};
use crate::case::kind::KeyKind::{
    self, Balls, Corners, Count, Counts, Flag, Group, Number, Numbers, OneOrThree, Path, Pieces,
    Text, Time, Words,
};
use crate::case::kind::Many;

const POINT: KeyKind = numbers("[x, y] or [x, y, z]", Many::Between(2, 3));
const AXIS: KeyKind = numbers("[x, y, z]", Many::Between(3, 3));
const QUATERNION: KeyKind = numbers("[w, x, y, z]", Many::Between(4, 4));
const EDGES: KeyKind =
    Numbers { written: "[width, height] or [a, b, c]", many: Many::Between(2, 3), positive: true };
const COUNTS: KeyKind = Counts(Many::Between(2, 3));
const SHAPES: &[&str] = &[
    "rod",
    "box",
    "polygon",
    "disk",
    "sphere",
    "capsule",
    "drum",
    "polyhedron",
    "compound",
    "voussoir",
];

/// In the order in which a body is described: its shape, its mass, where it is, what moves it, how often it stands there.
#[rustfmt::skip]
pub(in crate::case) const BODY_KEYS: &[Key] = &[
    key("body.NAME.shape", Words(SHAPES), "required but in an arch", "", r#""box""#, "in the plane a rod (along y at angle 0), box, polygon or disk; in space a box, sphere, capsule, drum (both along z), polyhedron or compound of those; position tells which of both"),
    key("body.NAME.length", Number(POSITIVE), "required for a rod, capsule or drum", "length", "1.0", "its length; of a capsule between the centres of its ends"),
    key("body.NAME.size", EDGES, "required for a box", "length", "[1.0, 2.0]", "its edges"),
    key("body.NAME.vertices", Corners, "required for a polygon, and for a polyhedron without a file", "length", "[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]", "its corners, seen from anywhere; a polyhedron is their convex hull"),
    key("body.NAME.radius", Number(POSITIVE), "required for a disk, sphere, capsule or drum", "length", "0.5", "its radius; of a drum to the corners"),
    key("body.NAME.sides", Count(3), "16; drum", "1", "24", "corners of the ends of a drum"),
    key("body.NAME.file", Path, "instead of vertices; polyhedron", "", r#""rock.stl""#, "closed surface of triangles, .stl, .obj or .msh, relative to the case file; it must be convex"),
    key("body.NAME.group", Group("that file"), "all of its triangles; file", "", r#""rock""#, "which triangles"),
    key("body.NAME.scale", Number(POSITIVE), "1; file", "1", "0.001", "factor on all coordinates of that file"),
    key("body.NAME.pieces", Pieces, "this, spheres or both are required for a compound", "length", "[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]]", "corners of each of the convex pieces that make one body; where the mass or the inertia follows from them they must not overlap"),
    key("body.NAME.spheres", Balls, "none; compound", "length", "[[0.0, 0.0, 0.3, 1.5], [0.0, 0.0, 1.6, 0.5]]", "balls among the pieces: centre, where corners are, and radius"),
    key("body.NAME.mass", Number(POSITIVE), "this or density; neither is required where it is fixed", "mass", "1.0", "its mass, of a pattern that of each"),
    key("body.NAME.density", Number(POSITIVE), "this or mass", "mass/length³, in the plane mass/length²", "2.5", "mass per volume, in the plane per area"),
    key("body.NAME.center", AXIS, "of a homogeneous body; in space", "length", "[0.0, 0.0, -0.3]", "centre of mass, where the corners of the shape are seen from; goes with a mass and an inertia, whose axes are then those that the corners have"),
    key("body.NAME.inertia", OneOrThree { positive: true }, "of a homogeneous body", "mass·length²", "0.0833", "moment of inertia about the centre of mass; in space three, about its principal axes"),
    key("body.NAME.material", Text, "NAME", "", r#""stone""#, "a label by which contacts may name bodies of several tables"),
    key("body.NAME.position", POINT, "required but with poses", "length", "[0.0, 1.0]", "centre of mass where it begins; of a pattern its first body (repeat), middle of the lowest layer, centre of the arch, or origin of the poses; two numbers make it a body of the plane, three of space"),
    key("body.NAME.angle", Number(ANY), "0; in the plane", "rad", "0.785", "angle where it begins, in radians, counter-clockwise; an arch turns as one"),
    key("body.NAME.rotation", QUATERNION, "[1, 0, 0, 0]; in space", "1", "[0.7071067811865476, 0.0, 0.0, 0.7071067811865476]", "rotation where it begins, a unit quaternion; an arch turns as one"),
    key("body.NAME.turn.axis", AXIS, "required", "1", "[0.0, 0.0, 1.0]", "direction it is turned about, of any length"),
    key("body.NAME.turn.angle", Number(ANY), "required", "rad", "1.5707963267948966", "angle it is turned by, in radians"),
    key("body.NAME.velocity", POINT, "zero", "length/time", "[0.0, -1.0]", "velocity of the centre of mass where it begins"),
    key("body.NAME.spin", OneOrThree { positive: false }, "zero", "rad/time", "0.1", "angular velocity where it begins; in space [x, y, z], in the axes of space"),
    key("body.NAME.fixed", Flag, "false", "", "true", "it never moves, and bears whatever leans on it"),
    key("body.NAME.drive.velocity", POINT, "zero", "length/time", "[1.0, 0.0]", "velocity of its centre"),
    key("body.NAME.drive.spin", OneOrThree { positive: false }, "zero", "rad/time", "2.0", "angular velocity about its centre; in space [x, y, z]"),
    key("body.NAME.drive.time", Time, "constant", "", r#"{ function = "sine", period = 0.5 }"#, TIME),
    key("body.NAME.drive.time_x", Time, "time", "", r#"{ function = "sine", period = 0.5 }"#, "what multiplies the velocity along x, where it is another than along the rest: two sines of one period make an ellipse"),
    key("body.NAME.drive.time_y", Time, "time", "", r#"{ function = "sine", period = 0.5, phase = 1.0 }"#, "that along y"),
    key("body.NAME.drive.time_z", Time, "time", "", r#"{ function = "sine", period = 0.5, phase = 2.0 }"#, "that along z"),
    key("body.NAME.born", Number(NOT_NEGATIVE), "the start", "time", "0.5", "when it enters, with its velocity; nothing meets it before"),
    key("body.NAME.removed", Number(POSITIVE), "never", "time", "2.0", "when it is taken out"),
    key("body.NAME.repeat.count", COUNTS, "required", "1", "[10, 4]", "how many along each axis"),
    key("body.NAME.repeat.spacing", POINT, "required", "length", "[1.5, 1.5]", "from one to the next along each axis"),
    key("body.NAME.layers.count", Count(1), "required", "1", "10", "how many layers"),
    key("body.NAME.layers.bricks", Count(1), "required", "1", "20", "bodies of the lowest"),
    key("body.NAME.layers.pitch", Number(POSITIVE), "required", "length", "2.01", "from one body to the next in a layer"),
    key("body.NAME.layers.height", Number(POSITIVE), "required", "length", "1.01", "from one layer to the next"),
    key("body.NAME.layers.shrink", Count(0), "1", "1", "0", "how many bodies a layer has less than the one below it; with 0 every other layer is shifted by half a pitch and has one less"),
    key("body.NAME.layers.half_ends", Flag, "false", "", "true", "with shrink = 0: half boxes at both ends of the shifted layers"),
    key("body.NAME.layers.along", POINT, "the first axis", "1", "[0.0, 1.0, 0.0]", "direction of a layer, of any length"),
    key("body.NAME.layers.up", POINT, "the last axis", "1", "[0.0, 0.0, 1.0]", "direction from one layer to the next, of any length"),
    key("body.NAME.arch.bricks", Count(1), "required", "1", "11", "how many voussoirs"),
    key("body.NAME.arch.inner", Number(POSITIVE), "required", "length", "0.8", "radius of the corners inside"),
    key("body.NAME.arch.outer", Number(POSITIVE), "required", "length", "1.0", "radius of the corners outside"),
    key("body.NAME.arch.from", Number(ANY), "0", "rad", "0.5", "angle at which it springs, from x towards y, in space towards z"),
    key("body.NAME.arch.to", Number(ANY), "π", "rad", "2.6", "angle at which it ends"),
    key("body.NAME.arch.depth", Number(POSITIVE), "required in space", "length", "0.3", "its extent along y, in space"),
    key("body.NAME.poses.file", Path, "required", "", r#""blocks.csv""#, "table with a header and a row for each body, columns x, y, z, qw, qx, qy, qz, in the plane x, y, angle; a column mass holds where neither mass nor density is given; relative to the case file"),
    key("body.NAME.poses.only", Text, "all rows", "", r#""Box""#, "rows that have this in the column shape"),
];
