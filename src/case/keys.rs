//! Every key of a case file, in one place: `delassus keys` prints it, a test holds it to the parser.

use super::system_keys::SYSTEM_KEYS;

/// One key: where it stands, what it takes, its default, what it means.
pub struct Key {
    /// Dotted path; NAME stands for a name of the user's choice.
    pub path: &'static str,
    /// Type or choices.
    pub kind: &'static str,
    /// Default, or "required".
    pub default: &'static str,
    /// Meaning.
    pub meaning: &'static str,
}

pub(super) const fn key(
    path: &'static str,
    kind: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Key {
    Key { path, kind, default, meaning }
}

const GROUP: &str = "physical group of the mesh";
const COMPONENT: &str = r#""x" | "y" | "z" | "all""#;
const VECTOR: &str = "[x, y] or [x, y, z]";
const TIME: &str = "the time function that multiplies the value beside it";

/// Those of meshes, loads, contacts and of how to step, in the order of the file.
const KEYS: &[Key] = &[
    key("title", "text", "name of the file", "what the case shows, in a line"),
    key(
        "units",
        "text",
        "required",
        "unit system of every number, e.g. \"mm, ms, g\"; carried along, never converted",
    ),
    key("mesh.file", "path", "required", "Gmsh .msh file, relative to the case file"),
    key(
        "mesh.scale",
        "number > 0",
        "1",
        "factor on all coordinates of that file, e.g. 0.001 from mm to m; not on obstacles",
    ),
    key("mesh.mass", r#""consistent" | "lumped""#, "consistent", "how mass is given to the nodes"),
    key("material.NAME.group", GROUP, "the whole body", "elements made of this material"),
    key("material.NAME.young", "number > 0", "required", "Young's modulus"),
    key("material.NAME.poisson", "-1 < number < 0.5", "required", "Poisson's ratio"),
    key("material.NAME.density", "number > 0", "required", "density"),
    key(
        "material.NAME.plane",
        r#""stress" | "strain""#,
        "required in the plane",
        "plane stress or plane strain",
    ),
    key("material.NAME.thickness", "number > 0", "1, in the plane", "out-of-plane thickness"),
    key(
        "material.NAME.area",
        "number > 0",
        "required for bars",
        "cross-section of the bars: the group is of lines",
    ),
    key("material.NAME.damping_mass", "number >= 0", "0", "alpha of C = alpha M + beta K"),
    key("material.NAME.damping_stiffness", "number >= 0", "0", "beta of C = alpha M + beta K"),
    key("boundary.NAME.group", GROUP, "required", "nodes that are driven"),
    key("boundary.NAME.component", COMPONENT, "required", "which displacement component"),
    key("boundary.NAME.displacement", "number", "this or velocity", "prescribed displacement"),
    key("boundary.NAME.velocity", "number", "this or displacement", "prescribed velocity"),
    key("boundary.NAME.time", "table", "constant", TIME),
    key("load.NAME.group", GROUP, "required but for gravity", "where the load acts"),
    key("load.NAME.gravity", VECTOR, "one of the four", "acceleration of the whole body"),
    key(
        "load.NAME.potential",
        "true | false",
        "false",
        "count gravity as potential energy instead of external work",
    ),
    key(
        "load.NAME.traction",
        VECTOR,
        "one of the four",
        "force per area on the edges or faces of the group",
    ),
    key(
        "load.NAME.pressure",
        "number",
        "one of the four",
        "force per area against the outward normal",
    ),
    key("load.NAME.force", VECTOR, "one of the four", "force on each node of the group"),
    key("load.NAME.time", "table", "constant", TIME),
    key(
        "contact.NAME.group",
        GROUP,
        "with an obstacle",
        "who may touch the obstacle: nodes of the mesh, or a mass or body by its name",
    ),
    key(
        "contact.NAME.between",
        "[name, name]",
        "instead of group and obstacle",
        "two masses or disks with radii, which may touch each other",
    ),
    key(
        "contact.NAME.obstacle.kind",
        r#""half-plane" | "half-space" | "disk" | "sphere" | "cylinder" | "box" | "surface""#,
        "required",
        "shape of the rigid obstacle; half-plane and half-space are one, as are disk and sphere",
    ),
    key(
        "contact.NAME.obstacle.point",
        VECTOR,
        "required but for a surface",
        "a point of a half-plane, the centre of a disk, sphere, cylinder or box, at t = 0",
    ),
    key(
        "contact.NAME.obstacle.normal",
        VECTOR,
        "half-plane",
        "outward normal, towards the body; need not be of unit length",
    ),
    key(
        "contact.NAME.obstacle.axis",
        "[x, y, z]",
        "cylinder in space",
        "direction of the cylinder; in the plane it is across",
    ),
    key("contact.NAME.obstacle.radius", "number > 0", "disk, sphere, cylinder", "radius"),
    key("contact.NAME.obstacle.length", "number > 0", "without end; cylinder", "length of it"),
    key("contact.NAME.obstacle.size", "numbers > 0", "box", "lengths of its edges, along x, y, z"),
    key(
        "contact.NAME.obstacle.inside",
        "true | false",
        "false; not for half-planes",
        "the body is inside of it",
    ),
    key(
        "contact.NAME.obstacle.file",
        "path",
        "surface",
        "Gmsh .msh file with a closed triangulated surface, relative to the case file",
    ),
    key(
        "contact.NAME.obstacle.group",
        "physical group of that file",
        "all of its triangles; surface",
        "which triangles",
    ),
    key(
        "contact.NAME.obstacle.displacement",
        VECTOR,
        "at rest; this or velocity",
        "displacement of the obstacle",
    ),
    key(
        "contact.NAME.obstacle.velocity",
        VECTOR,
        "at rest; this or displacement",
        "velocity of the obstacle",
    ),
    key("contact.NAME.obstacle.time", "table", "constant", TIME),
    key(
        "contact.NAME.obstacle.rotation.center",
        VECTOR,
        "obstacle.point",
        "a point of the axis it turns about, which travels with it",
    ),
    key(
        "contact.NAME.obstacle.rotation.axis",
        "[x, y, z]",
        "required in space",
        "direction of that axis; in the plane it is across",
    ),
    key(
        "contact.NAME.obstacle.rotation.angle",
        "number",
        "this or velocity",
        "angle it is turned by, in radians; constant in time, it tilts the obstacle",
    ),
    key(
        "contact.NAME.obstacle.rotation.velocity",
        "number",
        "this or angle",
        "angular velocity, in radians per unit of time",
    ),
    key("contact.NAME.obstacle.rotation.time", "table", "constant", TIME),
    key("contact.NAME.friction", "number >= 0", "required", "Coulomb's coefficient"),
    key("contact.NAME.restitution", "0 <= number <= 1", "required", "normal coefficient e"),
    key(
        "contact.NAME.tangential_restitution",
        "-1 <= number <= 1",
        "only with law = \"moreau\"",
        "tangential coefficient e_T",
    ),
    key(
        "initial.preload.NAME.group",
        GROUP,
        "required",
        "nodes held in the static solve before the first step",
    ),
    key("initial.preload.NAME.component", COMPONENT, "required", "which displacement component"),
    key("initial.preload.NAME.displacement", "number", "required", "value it is held at"),
    key(
        "initial.displacement.NAME.group",
        GROUP,
        "all nodes of the mesh",
        "where; added to the pre-load",
    ),
    key("initial.displacement.NAME.value", VECTOR, "required", "displacement at t = 0"),
    key("initial.velocity.NAME.group", GROUP, "all nodes of the mesh", "where"),
    key("initial.velocity.NAME.value", VECTOR, "zero", "velocity at t = 0"),
    key(
        "initial.velocity.NAME.spin",
        "[z] or [x, y, z]",
        "zero",
        "angular velocity at t = 0 about center, also of a body; one number in the plane",
    ),
    key("initial.velocity.NAME.center", VECTOR, "with spin", "a point of the axis of the spin"),
    key(
        "scheme.kind",
        r#""moreau-jean" | "newmark" | "hht" | "generalised-alpha" | "schatzman-paoli" | "central-difference" | "plain-newmark""#,
        "moreau-jean",
        "time-stepping scheme, see docs/schemes.md",
    ),
    key("scheme.law", r#""fremond" | "newton" | "moreau""#, "fremond", "impact law"),
    key(
        "scheme.theta",
        "0 < number <= 1",
        "0.5",
        "theta of moreau-jean; the theorem asks 1/2 <= theta <= 1/(1 + e)",
    ),
    key(
        "scheme.forecast",
        r#""start" | "extrapolated" | "middle""#,
        "start",
        "where moreau-jean looks for contact: g(q), g(q) + gamma h u_N, or at q + h v/2",
    ),
    key("scheme.forecast_gamma", "0 <= number <= 1", "0.5", "gamma of forecast = \"extrapolated\""),
    key(
        "scheme.beta",
        "number > 0",
        "0.25; hht: (1 + alpha_f)^2/4",
        "beta of newmark, hht, plain-newmark and schatzman-paoli",
    ),
    key(
        "scheme.gamma",
        "number > 0",
        "0.5; hht: 1/2 + alpha_f",
        "gamma of newmark, hht and plain-newmark",
    ),
    key("scheme.alpha_f", "0 <= number <= 1/3", "0.1", "alpha_f of hht"),
    key(
        "scheme.rho_infinity",
        "0 <= number <= 1",
        "0.8",
        "spectral radius at infinity of generalised-alpha",
    ),
    key(
        "scheme.position_correction",
        "true | false",
        "false",
        "newmark, hht and generalised-alpha close gaps at the level of positions too",
    ),
    key("scheme.step", "number > 0", "required", "step size h"),
    key("scheme.end", "number > 0", "required", "end of the run, a whole number of steps"),
    key(
        "scheme.activation",
        r#""gap and velocity" | "gap""#,
        "gap and velocity",
        "which candidates take part in a step, eq. (64)",
    ),
    key(
        "scheme.gap_tolerance",
        "number >= 0",
        "1e-12 of the body's size",
        "a gap up to this is closed",
    ),
    key(
        "scheme.velocity_tolerance",
        "number >= 0",
        "1e-9, or 10 times solver.tolerance, of the velocity scale",
        "a normal velocity up to this is not leaving",
    ),
    key(
        "scheme.allow_energy_creation",
        "true | false",
        "false",
        "accept parameters outside of the theorem's range",
    ),
    key(
        "scheme.on_violation",
        r#""stop" | "warn" | "continue""#,
        "continue",
        "what to do at a step whose balance does not close, or at which a contact creates energy although \
         the theorem covers the run, by the energies met so far; warn tells the first, and the verdict at the \
         end judges all in any case",
    ),
    key(
        "solver.method",
        r#""auto" | "accelerated" | "coloured" | "gauss-seidel" | "damped" | "newton" | "proximal" | "interior-point" | "admm""#,
        "auto",
        "method for the cone problem",
    ),
    key("solver.tolerance", "number > 0", "1e-10", "relative error to reach"),
    key("solver.max_iterations", "whole number > 0", "10000", "iterations before it gives up"),
    key(
        "solver.on_failure",
        r#""stop" | "warn" | "continue""#,
        "stop",
        "what to do where the tolerance is not reached",
    ),
    key(
        "solver.save_failures",
        "true | false",
        "true",
        "save the cone problem of such a step as cone_STEP.json",
    ),
    key(
        "solver.memory",
        "number > 0",
        "what is free on the machine",
        "most memory, in GB, that the factor and the contact problem may take; more is refused",
    ),
    key("output.fields_every", "whole number", "0", "steps between two VTK frames; 0 = never"),
    key(
        "output.history_every",
        "whole number",
        "1",
        "steps between two rows of history.csv, the last step included; 0 = never",
    ),
    key(
        "output.trajectory_every",
        "whole number",
        "history_every where there are masses, bodies or probes, else 0",
        "steps between two rows of trajectory.csv: motions and contacts; 0 = never",
    ),
];

/// Keys of every `time` table.
pub const TIME_KEYS: &[Key] = &[
    key(
        "time.function",
        r#""constant" | "step" | "ramp" | "sine" | "square" | "table""#,
        "required",
        "kind of function",
    ),
    key("time.start", "number", "step, ramp", "where a step jumps from 0 to 1, or a ramp leaves 0"),
    key("time.end", "number", "ramp", "where a ramp reaches 1"),
    key("time.period", "number > 0", "sine, square", "duration of one oscillation"),
    key("time.phase", "number", "0; sine", "angle at t = 0, in radians"),
    key(
        "time.times",
        "ascending numbers",
        "table",
        "times of the points, linear between them, constant outside",
    ),
    key("time.values", "numbers", "table", "values at those times"),
];

/// Every key but those of `time` tables.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain(SYSTEM_KEYS)
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
            body: one(BodyTable {
                length: number,
                size: pair.clone(),
                vertices: Some(vec![vec![0.0; 2]]),
                radius: number,
                inertia: number,
                angle: number,
                velocity: pair.clone(),
                spin: number,
                ..Default::default()
            }),
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
            },
            ..Default::default()
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
