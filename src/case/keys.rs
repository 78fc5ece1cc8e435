//! Every key of a case file, in one place: `delassus keys`, the schema and the reference come from it, and a test
//! holds it to the parser.

use super::bodies::keys::BODY_KEYS;
use super::kind::KeyKind::{
    self, Count, Flag, Group, Number, Numbers, Pair, Path, Text, Time, Words,
};
use super::kind::{Bounds, Limit, Many};
use super::system_keys::SYSTEM_KEYS;

/// One key: where it stands, what it takes, its default, what it means.
pub struct Key {
    /// Dotted path; NAME stands for a name of the user's choice.
    pub path: &'static str,
    /// Type or choices.
    pub kind: KeyKind,
    /// Default, or "required".
    pub default: &'static str,
    /// Physical dimension in the case's own units, 1 for a pure number; nothing where it is no number.
    pub unit: &'static str,
    /// A value, as TOML.
    pub example: &'static str,
    /// Meaning.
    pub meaning: &'static str,
}

impl Key {
    /// "required …", or "default: …".
    pub fn default_in_words(&self) -> String {
        match self.default.contains("required") {
            true => self.default.into(),
            false => format!("default: {}", self.default),
        }
    }
}

/// A table of a case file.
pub struct KeyTable {
    /// Dotted path; NAME stands for a name of the user's choice. Nothing for the file itself.
    pub path: &'static str,
    /// Whether every case has it.
    pub required: bool,
    /// What it is for.
    pub meaning: &'static str,
}

pub(super) const fn key(
    path: &'static str,
    kind: KeyKind,
    default: &'static str,
    unit: &'static str,
    example: &'static str,
    meaning: &'static str,
) -> Key {
    Key { path, kind, default, unit, example, meaning }
}

const fn table(path: &'static str, required: bool, meaning: &'static str) -> KeyTable {
    KeyTable { path, required, meaning }
}

pub(super) const ANY: Bounds = Bounds(Limit::Free, Limit::Free);
pub(super) const POSITIVE: Bounds = Bounds(Limit::Without(0.0), Limit::Free);
pub(super) const NOT_NEGATIVE: Bounds = Bounds(Limit::With(0.0), Limit::Free);
const UNIT: Bounds = Bounds(Limit::With(0.0), Limit::With(1.0));
const COMPONENTS: &[&str] = &["x", "y", "z", "all"];
const VECTOR: KeyKind = numbers("[x, y] or [x, y, z]", Many::Between(1, 3));
const AXIS: KeyKind = numbers("[x, y, z]", Many::Between(3, 3));
const SPIN: KeyKind = numbers("[z] or [x, y, z]", Many::Either(1, 3));
const SIZE: KeyKind = Numbers { written: "numbers > 0", many: Many::Between(1, 3), positive: true };
const TIMES: KeyKind = numbers("ascending numbers", Many::AtLeast(1));
const VALUES: KeyKind = numbers("numbers", Many::AtLeast(1));
pub(super) const TIME: &str = "the time function that multiplies the value beside it";

pub(super) const fn numbers(written: &'static str, many: Many) -> KeyKind {
    Numbers { written, many, positive: false }
}

/// The tables of a case file, in the order in which one is written.
#[rustfmt::skip]
pub const TABLES: &[KeyTable] = &[
    table("", true, "what the case is called and in which units it is written"),
    table("mesh", false, "the body: a Gmsh mesh whose physical groups the other tables name; a case of masses and bodies needs none"),
    table("material.NAME", false, "what elements of the mesh are made of: isotropic elasticity, with Rayleigh damping"),
    table("mass.NAME", false, "a point mass, or with a radius a ball"),
    table("body.NAME", false, "a rigid body in the plane or in space, or by one of repeat, layers, arch and poses many: NAME:1, NAME:2 and so on"),
    table("body.NAME.turn", false, "how a body in space is turned where it begins; instead of rotation"),
    table("body.NAME.drive", false, "a body that moves as given, whatever it meets"),
    table("body.NAME.repeat", false, "a grid of bodies"),
    table("body.NAME.layers", false, "layers of bodies, each on the joints of the one below: a wall or a pyramid"),
    table("body.NAME.arch", false, "an arch of voussoirs, in the x-y plane, in space in the x-z plane"),
    table("body.NAME.poses", false, "bodies where a file has them"),
    table("spring.NAME", false, "a spring and dashpot between two of them, or to the ground"),
    table("slider.NAME", false, "a Coulomb slider between two of them, or to the ground"),
    table("joint.NAME", false, "a constraint between two of them, or to the ground"),
    table("probe.NAME", false, "a group of nodes whose mean motion is written to trajectory.csv"),
    table("initial.preload.NAME", false, "held in a static solve before the first step, so that the body starts deformed and at rest"),
    table("initial.displacement.NAME", false, "displacement at the start, added to the pre-load"),
    table("initial.velocity.NAME", false, "velocity at the start"),
    table("boundary.NAME", false, "nodes that are driven: held, moved or shaken"),
    table("load.NAME", false, "a force: one of gravity, traction, pressure, force, times a function of time"),
    table("contact.NAME", false, "who may touch what, with which friction and restitution"),
    table("contact.NAME.obstacle", false, "the rigid obstacle of a contact, at rest or in motion"),
    table("contact.NAME.obstacle.rotation", false, "how an obstacle turns"),
    table("scheme", true, "how time is stepped and how impacts are treated"),
    table("solver", false, "how the contact problem of a step is solved"),
    table("output", false, "what is written, and how often"),
];

/// The table of a key: the longest of [`TABLES`] that its path begins with.
pub fn table_of(key: &Key) -> &'static KeyTable {
    let holds = |table: &&KeyTable| {
        key.path.strip_prefix(table.path).is_some_and(|rest| rest.starts_with('.'))
    };
    let inner = TABLES.iter().filter(holds).max_by_key(|table| table.path.len());
    inner.unwrap_or(&TABLES[0])
}

/// Those of meshes, loads, contacts and of how to step, in the order of the file.
#[rustfmt::skip]
const KEYS: &[Key] = &[
    key("title", Text, "name of the file", "", r#""A block dropped on a slope""#, "what the case shows, in a line"),
    key("units", Text, "required", "", r#""mm, ms, g""#, "unit system of every number: a length, a time and a mass, or a system in words such as \"dimensionless\"; carried along, never converted"),
    key("mesh.file", Path, "required", "", r#""block.msh""#, "Gmsh .msh file, relative to the case file"),
    key("mesh.scale", Number(POSITIVE), "1", "1", "0.001", "factor on all coordinates of that file, e.g. 0.001 from mm to m; not on obstacles"),
    key("mesh.mass", Words(&["consistent", "lumped"]), "consistent", "", r#""lumped""#, "how mass is given to the nodes"),
    key("material.NAME.group", Group("the mesh"), "the whole body", "", r#""block""#, "elements made of this material"),
    key("material.NAME.young", Number(POSITIVE), "required", "mass/(length·time²)", "5750.0", "Young's modulus"),
    key("material.NAME.poisson", Number(Bounds(Limit::Without(-1.0), Limit::Without(0.5))), "required", "1", "0.358", "Poisson's ratio"),
    key("material.NAME.density", Number(POSITIVE), "required", "mass/length³", "1.17e-3", "density"),
    key("material.NAME.plane", Words(&["stress", "strain"]), "required in the plane", "", r#""stress""#, "plane stress or plane strain"),
    key("material.NAME.thickness", Number(POSITIVE), "1, in the plane", "length", "15.0", "out-of-plane thickness"),
    key("material.NAME.area", Number(POSITIVE), "required for bars", "length²", "1.0", "cross-section of the bars: the group is of lines"),
    key("material.NAME.damping_mass", Number(NOT_NEGATIVE), "0", "1/time", "0.1", "alpha of C = alpha M + beta K"),
    key("material.NAME.damping_stiffness", Number(NOT_NEGATIVE), "0", "time", "1e-5", "beta of C = alpha M + beta K"),
    key("boundary.NAME.group", Group("the mesh"), "required", "", r#""top""#, "nodes that are driven"),
    key("boundary.NAME.component", Words(COMPONENTS), "required", "", r#""y""#, "which displacement component"),
    key("boundary.NAME.displacement", Number(ANY), "this or velocity", "length", "-0.005", "prescribed displacement"),
    key("boundary.NAME.velocity", Number(ANY), "this or displacement", "length/time", "0.0", "prescribed velocity"),
    key("boundary.NAME.time", Time, "constant", "", r#"{ function = "square", period = 0.5 }"#, TIME),
    key("load.NAME.group", Group("the mesh"), "required but for gravity", "", r#""left""#, "where the load acts"),
    key("load.NAME.gravity", VECTOR, "one of the four is required", "length/time²", "[0.0, -9.81e-3]", "acceleration of the whole body"),
    key("load.NAME.potential", Flag, "false", "", "true", "count gravity as potential energy instead of external work"),
    key("load.NAME.traction", VECTOR, "one of the four is required", "mass/(length·time²)", "[2.0, 0.0]", "force per area on the edges or faces of the group"),
    key("load.NAME.pressure", Number(ANY), "one of the four is required", "mass/(length·time²)", "0.5", "force per area against the outward normal"),
    key("load.NAME.force", VECTOR, "one of the four is required", "mass·length/time²", "[0.0, -1.0]", "force on each node of the group"),
    key("load.NAME.time", Time, "constant", "", r#"{ function = "square", period = 0.5 }"#, TIME),
    key("contact.NAME.group", Group("the mesh"), "with an obstacle", "", r#""contact""#, "who may touch the obstacle: nodes of the mesh, a mass or body, the bodies of a table or of a material"),
    key("contact.NAME.between", Pair, "instead of group and obstacle", "", r#"["ball", "other"]"#, "who may touch each other: two masses with radii or disks; a group of the mesh or a mass, and bodies; or bodies, the bodies of a table, of a material, or \"bodies\" for all, twice the same within them; the most special of several holds"),
    key("contact.NAME.obstacle.kind", Words(&["half-plane", "half-space", "disk", "sphere", "cylinder", "box", "surface"]), "required", "", r#""half-plane""#, "shape of the rigid obstacle; half-plane and half-space are one, as are disk and sphere"),
    key("contact.NAME.obstacle.point", VECTOR, "required but for a surface", "length", "[0.0, 0.0]", "a point of a half-plane, the centre of a disk, sphere, cylinder or box, at t = 0"),
    key("contact.NAME.obstacle.normal", VECTOR, "required for a half-plane", "1", "[0.0, 1.0]", "outward normal, towards the body; need not be of unit length"),
    key("contact.NAME.obstacle.axis", AXIS, "required for a cylinder in space", "1", "[0.0, 0.0, 1.0]", "direction of the cylinder; in the plane it is across"),
    key("contact.NAME.obstacle.radius", Number(POSITIVE), "required for a disk, sphere or cylinder", "length", "10.0", "radius"),
    key("contact.NAME.obstacle.length", Number(POSITIVE), "without end; cylinder", "length", "50.0", "length of it"),
    key("contact.NAME.obstacle.size", SIZE, "required for a box", "length", "[40.0, 10.0]", "lengths of its edges, along x, y, z"),
    key("contact.NAME.obstacle.inside", Flag, "false; not for half-planes", "", "true", "the body is inside of it"),
    key("contact.NAME.obstacle.file", Path, "required for a surface", "", r#""bowl.msh""#, "Gmsh .msh file with a closed triangulated surface, relative to the case file"),
    key("contact.NAME.obstacle.group", Group("that file"), "all of its triangles; surface", "", r#""bowl""#, "which triangles"),
    key("contact.NAME.obstacle.displacement", VECTOR, "at rest; this or velocity", "length", "[0.0, 0.1]", "displacement of the obstacle"),
    key("contact.NAME.obstacle.velocity", VECTOR, "at rest; this or displacement", "length/time", "[1.0, 0.0]", "velocity of the obstacle"),
    key("contact.NAME.obstacle.time", Time, "constant", "", r#"{ function = "square", period = 0.5 }"#, TIME),
    key("contact.NAME.obstacle.rotation.center", VECTOR, "obstacle.point", "length", "[0.0, 0.0]", "a point of the axis it turns about, which travels with it"),
    key("contact.NAME.obstacle.rotation.axis", AXIS, "required in space", "1", "[0.0, 0.0, 1.0]", "direction of that axis; in the plane it is across"),
    key("contact.NAME.obstacle.rotation.angle", Number(ANY), "this or velocity", "rad", "0.1", "angle it is turned by, in radians; constant in time, it tilts the obstacle"),
    key("contact.NAME.obstacle.rotation.velocity", Number(ANY), "this or angle", "rad/time", "2.0", "angular velocity, in radians per unit of time"),
    key("contact.NAME.obstacle.rotation.time", Time, "constant", "", r#"{ function = "square", period = 0.5 }"#, TIME),
    key("contact.NAME.friction", Number(NOT_NEGATIVE), "required", "1", "0.3", "Coulomb's coefficient"),
    key("contact.NAME.restitution", Number(UNIT), "required", "1", "0.5", "normal coefficient e"),
    key("contact.NAME.tangential_restitution", Number(Bounds(Limit::With(-1.0), Limit::With(1.0))), "only with law = \"moreau\"", "1", "0.0", "tangential coefficient e_T"),
    key("initial.preload.NAME.group", Group("the mesh"), "required", "", r#""top""#, "nodes held in the static solve before the first step"),
    key("initial.preload.NAME.component", Words(COMPONENTS), "required", "", r#""y""#, "which displacement component"),
    key("initial.preload.NAME.displacement", Number(ANY), "required", "length", "-0.005", "value it is held at"),
    key("initial.displacement.NAME.group", Group("the mesh"), "all nodes of the mesh", "", r#""block""#, "where; added to the pre-load"),
    key("initial.displacement.NAME.value", VECTOR, "required", "length", "[0.0, 5.0]", "displacement at t = 0"),
    key("initial.velocity.NAME.group", Group("the mesh"), "all nodes of the mesh", "", r#""block""#, "where"),
    key("initial.velocity.NAME.value", VECTOR, "zero", "length/time", "[0.0, -1.0]", "velocity at t = 0"),
    key("initial.velocity.NAME.spin", SPIN, "zero", "rad/time", "[0.5]", "angular velocity at t = 0 about center, also of a body; one number in the plane"),
    key("initial.velocity.NAME.center", VECTOR, "with spin", "length", "[20.0, 12.5]", "a point of the axis of the spin"),
    key("scheme.kind", Words(&["moreau-jean", "newmark", "hht", "generalised-alpha", "schatzman-paoli", "central-difference", "plain-newmark"]), "moreau-jean", "", r#""moreau-jean""#, "time-stepping scheme, see docs/src/schemes.md"),
    key("scheme.law", Words(&["fremond", "newton", "moreau"]), "fremond", "", r#""fremond""#, "impact law"),
    key("scheme.theta", Number(Bounds(Limit::Without(0.0), Limit::With(1.0))), "0.5", "1", "0.5", "theta of moreau-jean; the theorem asks 1/2 <= theta <= 1/(1 + e)"),
    key("scheme.forecast", Words(&["start", "extrapolated", "middle"]), "start", "", r#""extrapolated""#, "where moreau-jean looks for contact: g(q), g(q) + gamma h u_N, or at q + h v/2"),
    key("scheme.forecast_gamma", Number(UNIT), "0.5", "1", "0.5", "gamma of forecast = \"extrapolated\""),
    key("scheme.beta", Number(NOT_NEGATIVE), "0.25; hht: (1 + alpha_f)^2/4", "1", "0.25", "beta of newmark, hht, plain-newmark and schatzman-paoli; 0 for the last alone"),
    key("scheme.gamma", Number(POSITIVE), "0.5; hht: 1/2 + alpha_f", "1", "0.5", "gamma of newmark, hht and plain-newmark"),
    key("scheme.alpha_f", Number(Bounds(Limit::With(0.0), Limit::With(1.0 / 3.0))), "0.1", "1", "0.05", "alpha_f of hht"),
    key("scheme.rho_infinity", Number(UNIT), "0.8", "1", "0.9", "spectral radius at infinity of generalised-alpha"),
    key("scheme.position_correction", Flag, "false", "", "true", "moreau-jean, newmark, hht and generalised-alpha close gaps at the level of positions too"),
    key("scheme.step", Number(POSITIVE), "required", "time", "1e-4", "step size h"),
    key("scheme.end", Number(POSITIVE), "required", "time", "1.0", "end of the run, a whole number of steps"),
    key("scheme.activation", Words(&["closed", "gap and velocity", "gap"]), "closed", "", r#""gap""#, "which candidates take part in a step: all that are closed, with the mean law e = (1 - theta)/theta where they leave; those that are closed and do not leave, eq. (64); all that are closed, with their own e, as the paper's scripts do"),
    key("scheme.gap_tolerance", Number(NOT_NEGATIVE), "1e-12 of the body's size", "length", "1e-10", "a gap up to this is closed; at most 1 % of the body's size"),
    key("scheme.velocity_tolerance", Number(NOT_NEGATIVE), "0", "length/time", "1e-8", "of activation = \"gap and velocity\": a normal velocity up to this is not leaving; above 0 the theorem does not cover the run"),
    key("scheme.allow_energy_creation", Flag, "false", "", "true", "accept parameters outside of the theorem's range"),
    key("scheme.allow_overlaps", Flag, "false", "", "true", "accept bodies that begin deep in each other, and stay so: contact holds a gap where it finds it"),
    key("scheme.on_violation", Words(&["stop", "warn", "continue"]), "continue", "", r#""stop""#, "what to do at a step whose balance does not close, or at which a contact creates energy although the theorem covers the run, both against the energies met so far; warn tells the first, and the verdict at the end judges all in any case"),
    key("solver.method", Words(&["auto", "accelerated", "coloured", "gauss-seidel", "damped", "newton", "proximal", "interior-point", "admm"]), "auto", "", r#""newton""#, "method for the cone problem"),
    key("solver.tolerance", Number(Bounds(Limit::Without(0.0), Limit::Without(1.0))), "1e-10", "1", "1e-12", "relative error to reach"),
    key("solver.max_iterations", Count(1), "10000", "iterations", "1000", "iterations before it gives up"),
    key("solver.on_failure", Words(&["stop", "warn", "continue"]), "stop", "", r#""warn""#, "what to do where the tolerance is not reached"),
    key("solver.save_failures", Flag, "true", "", "false", "save the cone problem of such a step as cone_STEP.json"),
    key("solver.memory", Number(POSITIVE), "what is free on the machine", "GB", "8.0", "most memory, in GB, that the factor and the contact problem may take; more is refused"),
    key("output.fields_every", Count(0), "0", "steps", "100", "steps between two VTK frames; 0 = never"),
    key("output.history_every", Count(0), "1", "steps", "1", "steps between two rows of history.csv, the last step included; 0 = never"),
    key("output.trajectory_every", Count(0), "history_every where there are masses, bodies or probes, else 0", "steps", "10", "steps between two rows of trajectory.csv: motions and contacts; 0 = never"),
    key("output.checkpoint_every", Count(0), "0", "steps", "1000", "steps between two checkpoints, from which `delassus run CASE --resume` goes on; the last two are kept; 0 = only when interrupted"),
];

/// Keys of every `time` table.
#[rustfmt::skip]
pub const TIME_KEYS: &[Key] = &[
    key("time.function", Words(&["constant", "step", "ramp", "sine", "square", "table"]), "required", "", r#""square""#, "kind of function"),
    key("time.start", Number(ANY), "required for step and ramp", "time", "0.0", "where a step jumps from 0 to 1, or a ramp leaves 0"),
    key("time.end", Number(ANY), "required for ramp", "time", "0.1", "where a ramp reaches 1"),
    key("time.period", Number(POSITIVE), "required for sine and square", "time", "0.5", "duration of one oscillation"),
    key("time.phase", Number(ANY), "0; sine", "rad", "1.5708", "angle at t = 0, in radians"),
    key("time.times", TIMES, "required for table", "time", "[0.0, 0.1, 0.3]", "times of the points, linear between them, constant outside"),
    key("time.values", VALUES, "required for table", "1", "[0.0, 1.0, 0.0]", "values at those times"),
];

/// Every key but those of `time` tables.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain(SYSTEM_KEYS).chain(BODY_KEYS)
}

/// The key at a dotted path of a case, whose names of the user's choice match NAME.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    let fits = |key: &&Key| {
        let (own, given) = (key.path.split('.'), path.split('.'));
        own.clone().count() == given.clone().count()
            && own.zip(given).all(|(own, name)| own == "NAME" || own == name)
    };
    match path.rfind(".time.") {
        Some(at) => TIME_KEYS.iter().find(|key| key.path == &path[at + 1..]),
        None => keys().find(fits),
    }
}

/// Paths of the required keys below a table.
pub(super) fn required_below(table: &str) -> Vec<&'static str> {
    let below = |key: &&Key| key.path.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'));
    let required = keys().filter(below).filter(|key| key.default == "required");
    required.map(|key| key.path).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::case::file::*;

    fn one<T>(value: T) -> std::collections::BTreeMap<String, T> {
        std::iter::once(("NAME".to_string(), value)).collect()
    }

    /// A case file with every key there is.
    fn full() -> CaseFile {
        let time = || {
            Some(TimeTable {
                start: Some(0.0),
                end: Some(0.0),
                period: Some(0.0),
                phase: Some(0.0),
                times: Some(vec![0.0]),
                values: Some(vec![0.0]),
                ..TimeTable::default()
            })
        };
        let (text, number, pair) = (Some(String::new()), Some(0.0), Some(vec![0.0; 2]));
        CaseFile {
            title: text.clone(),
            mesh: Some(MeshTable { scale: number, mass: text.clone(), ..Default::default() }),
            mass: one(MassTable {
                displacement: pair.clone(),
                velocity: pair.clone(),
                radius: number,
                ..Default::default()
            }),
            body: one(full_body(time())),
            spring: one(SpringTable {
                axis: pair.clone(),
                stiffness: number,
                damping: number,
                ..Default::default()
            }),
            slider: one(SliderTable { axis: pair.clone(), ..Default::default() }),
            joint: one(JointTable {
                at: pair.clone(),
                from: pair.clone(),
                to: pair.clone(),
                direction: pair.clone(),
                axis: pair.clone(),
                ..Default::default()
            }),
            probe: one(ProbeTable::default()),
            material: one(MaterialTable {
                group: text.clone(),
                plane: text.clone(),
                area: number,
                thickness: number,
                damping_mass: number,
                damping_stiffness: number,
                ..Default::default()
            }),
            boundary: one(BoundaryTable {
                displacement: number,
                velocity: number,
                time: time(),
                ..Default::default()
            }),
            load: one(LoadTable {
                group: text.clone(),
                gravity: pair.clone(),
                potential: Some(true),
                traction: pair.clone(),
                pressure: number,
                force: pair.clone(),
                time: time(),
            }),
            contact: one(ContactTable {
                group: text.clone(),
                between: Some(Default::default()),
                obstacle: Some(ObstacleTable {
                    kind: String::new(),
                    point: pair.clone(),
                    normal: pair.clone(),
                    axis: pair.clone(),
                    radius: number,
                    length: number,
                    size: pair.clone(),
                    inside: Some(true),
                    file: text.clone(),
                    group: text.clone(),
                    displacement: pair.clone(),
                    velocity: pair.clone(),
                    time: time(),
                    rotation: Some(RotationTable {
                        center: pair.clone(),
                        axis: pair.clone(),
                        angle: number,
                        velocity: number,
                        time: time(),
                    }),
                }),
                tangential_restitution: number,
                ..Default::default()
            }),
            initial: InitialTable {
                preload: one(PreloadTable::default()),
                displacement: one(FieldTable { group: text.clone(), ..Default::default() }),
                velocity: one(VelocityTable {
                    group: text.clone(),
                    value: pair.clone(),
                    spin: pair.clone(),
                    center: pair.clone(),
                }),
            },
            scheme: SchemeTable {
                kind: text.clone(),
                law: text.clone(),
                theta: number,
                forecast: text.clone(),
                forecast_gamma: number,
                beta: number,
                gamma: number,
                alpha_f: number,
                rho_infinity: number,
                position_correction: Some(true),
                activation: text.clone(),
                gap_tolerance: number,
                velocity_tolerance: number,
                allow_energy_creation: Some(true),
                allow_overlaps: Some(true),
                on_violation: text.clone(),
                ..Default::default()
            },
            solver: SolverTable {
                method: text.clone(),
                tolerance: number,
                max_iterations: Some(1),
                on_failure: text.clone(),
                save_failures: Some(true),
                memory: number,
            },
            output: OutputTable {
                fields_every: Some(1),
                history_every: Some(1),
                trajectory_every: Some(1),
                checkpoint_every: Some(1),
            },
            ..Default::default()
        }
    }

    fn full_body(time: Option<TimeTable>) -> BodyTable {
        let (text, number, pair) = (Some(String::new()), Some(0.0), Some(vec![0.0; 2]));
        let one = || Some(OneOrThree::One(0.0));
        BodyTable {
            shape: text.clone(),
            length: number,
            size: pair.clone(),
            vertices: Some(vec![vec![0.0; 2]]),
            radius: number,
            sides: Some(3),
            file: text.clone(),
            group: text.clone(),
            scale: number,
            pieces: Some(vec![vec![vec![0.0; 3]]]),
            mass: number,
            density: number,
            inertia: one(),
            material: text.clone(),
            position: pair.clone(),
            angle: number,
            rotation: pair.clone(),
            turn: Some(TurnTable::default()),
            velocity: pair.clone(),
            spin: one(),
            fixed: Some(true),
            drive: Some(DriveTable { velocity: pair.clone(), spin: one(), time }),
            born: number,
            removed: number,
            repeat: Some(RepeatTable::default()),
            layers: Some(LayersTable {
                shrink: Some(0),
                half_ends: Some(true),
                along: pair.clone(),
                up: pair,
                ..Default::default()
            }),
            arch: Some(ArchTable { from: number, to: number, depth: number, ..Default::default() }),
            poses: Some(PosesTable { only: text, ..Default::default() }),
        }
    }

    fn collect(prefix: &str, value: &toml::Value, found: &mut BTreeSet<String>) {
        match value {
            toml::Value::Table(table) if prefix.ends_with(".time") => {
                found.insert(prefix.to_string());
                found.extend(table.keys().map(|name| format!("time.{name}")));
            }
            toml::Value::Table(table) => {
                let join = |name: &String| match prefix {
                    "" => name.clone(),
                    _ => format!("{prefix}.{name}"),
                };
                table.iter().for_each(|(name, value)| collect(&join(name), value, found));
            }
            _ => drop(found.insert(prefix.to_string())),
        }
    }

    #[test]
    fn the_documented_keys_are_exactly_those_of_the_parser() {
        let mut parsed = BTreeSet::new();
        collect("", &toml::Value::try_from(full()).unwrap(), &mut parsed);
        let keys = keys().chain(TIME_KEYS).map(|key| key.path.to_string());
        let documented: BTreeSet<String> = keys.collect();
        assert_eq!(parsed, documented);
    }

    #[test]
    fn a_path_of_a_case_finds_its_key_whatever_the_names_in_it() {
        let found = |path| find(path).map(|key| key.path);
        assert_eq!(found("scheme.theta"), Some("scheme.theta"));
        assert_eq!(found("contact.floor.obstacle.normal"), Some("contact.NAME.obstacle.normal"));
        assert_eq!(found("load.shake.time.period"), Some("time.period"));
        assert_eq!(
            (found("scheme"), found("scheme.theta.x"), found("nothing")),
            (None, None, None)
        );
        assert_eq!(required_below("mesh"), ["mesh.file"]);
    }
}
