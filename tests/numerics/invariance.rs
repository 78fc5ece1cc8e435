//! What must not change an answer: where the axes point, who moves, how an obstacle is drawn, and how
//! many dimensions the same problem is written in.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a failed test shows what it found

use delassus::contact::obstacle::{Obstacle, RigidMotion, Shape, Surface};
use delassus::energy::{Term, Verdict};
use delassus::mesh::{ElementKind, Mesh};

use crate::support::scene::{Marched, SCHEME, apart, march};

type Vector = [f64; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn plus(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| a[i] + b[i])
}

fn times(s: f64, a: Vector) -> Vector {
    a.map(|a| s * a)
}

/// A rotation about an axis through the origin, or a reflection in x = 0.
#[derive(Clone, Copy)]
enum Change {
    Nothing,
    Turn { axis: Vector, angle: f64 },
    Mirror,
}

const ASKEW: Change = Change::Turn { axis: [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0], angle: 1.9 };

impl Change {
    /// Rodrigues' formula, or x turned over.
    fn of(self, x: Vector) -> Vector {
        match self {
            Self::Nothing => x,
            Self::Mirror => [-x[0], x[1], x[2]],
            Self::Turn { axis, angle } => {
                let (sine, cosine) = angle.sin_cos();
                let along = times((1.0 - cosine) * dot(axis, x), axis);
                plus(plus(times(cosine, x), times(sine, cross(axis, x))), along)
            }
        }
    }

    /// An axis of rotation: a reflection turns the other way about the mirrored axis.
    fn of_axis(self, axis: Vector) -> Vector {
        match self {
            Self::Mirror => times(-1.0, self.of(axis)),
            Self::Nothing | Self::Turn { .. } => self.of(axis),
        }
    }

    /// The mesh with its points moved; mirrored elements are told to go round the other way.
    fn of_mesh(self, mesh: &Mesh) -> Mesh {
        let mut moved = mesh.clone();
        moved.points.iter_mut().for_each(|x| *x = self.of(*x));
        if matches!(self, Self::Mirror) {
            for (kind, ends) in moved.kinds.iter().zip(moved.offsets.windows(2)) {
                let nodes = &mut moved.connectivity[ends[0] as usize..ends[1] as usize];
                match kind {
                    ElementKind::Hexahedron8 => {
                        nodes.chunks_mut(2).for_each(|pair| pair.swap(0, 1))
                    }
                    ElementKind::Tetrahedron4 => nodes.swap(0, 1),
                    _ => {}
                }
            }
        }
        moved
    }

    /// The keys that tilt an obstacle that is drawn along the axes.
    fn tilt(self) -> String {
        match self {
            Self::Turn { axis, angle } => {
                format!(
                    "rotation = {{ axis = {axis:?}, angle = {angle:?}, center = [0.0, 0.0, 0.0] }}\n"
                )
            }
            Self::Nothing | Self::Mirror => String::new(),
        }
    }
}

/// A block of rubber one metre wide.
fn block(kind: ElementKind) -> Mesh {
    Mesh::block([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], [3, 3, 2], kind)
}

const MATERIAL: &str = "units = \"m, s, kg\"\nmesh.file = \"none\"\n\
    [material.rubber]\nyoung = 1e5\npoisson = 0.3\ndensity = 1000.0\n";

/// A case with one contact of the group `bottom`.
struct Scene<'a> {
    gravity: Vector,
    velocity: Vector,
    obstacle: &'a str,
    friction: f64,
    more: &'a str,
    steps: usize,
}

impl Scene<'_> {
    fn text(&self) -> String {
        let Self { gravity, velocity, obstacle, friction, more, steps } = self;
        let end = *steps as f64 * 1e-3;
        format!(
            "{MATERIAL}[load.weight]\ngravity = {gravity:?}\npotential = true\n\
             [initial.velocity.all]\nvalue = {velocity:?}\n\
             [contact.one]\ngroup = \"bottom\"\nfriction = {friction:?}\nrestitution = 0.0\n\
             [contact.one.obstacle]\n{obstacle}{more}\
             [scheme]\nstep = 1e-3\nend = {end:?}\n{SCHEME}"
        )
    }
}

/// The block slides and falls onto an obstacle; all of it changed.
fn changed(obstacle: &str, kind: ElementKind, change: Change) -> Marched {
    let scene = Scene {
        gravity: change.of([0.3, -1.0, -10.0]),
        velocity: change.of([0.8, 0.3, -1.0]),
        obstacle,
        friction: 0.4,
        more: "",
        steps: 250,
    };
    march(&scene.text(), &change.of_mesh(&block(kind)), None)
}

fn shapes(change: Change) -> Vec<(&'static str, String)> {
    let at = |x: Vector| format!("point = {:?}\n", change.of(x));
    let spin = change.of_axis([0.6, 0.0, 0.8]);
    let velocity = change.of([0.2, -0.1, 0.4]);
    let turning =
        format!("velocity = {velocity:?}\nrotation = {{ axis = {spin:?}, velocity = 1.5 }}\n");
    let plane = format!(
        "kind = \"half-space\"\n{}normal = {:?}\n",
        at([0.0; 3]),
        change.of([0.0, 0.1, 1.0])
    );
    let ball = format!("kind = \"sphere\"\n{}radius = 2.0\n", at([0.1, 0.2, -2.02]));
    let bowl = format!("kind = \"sphere\"\n{}radius = 2.2\ninside = true\n", at([0.1, 0.2, 2.0]));
    let axis = change.of([0.8, 0.6, 0.0]);
    let can = format!(
        "kind = \"cylinder\"\n{}radius = 1.0\nlength = 0.7\naxis = {axis:?}\n",
        at([0.0, 0.1, -1.02])
    );
    let center = if matches!(change, Change::Mirror) {
        change.of([0.3, 0.2, -1.01])
    } else {
        [0.3, 0.2, -1.01]
    };
    let brick =
        format!("kind = \"box\"\npoint = {center:?}\nsize = [1.0, 1.1, 2.0]\n{}", change.tilt());
    vec![
        ("plane", plane.clone()),
        ("turning plane", plane + &turning),
        ("ball", ball.clone()),
        ("turning ball", ball + &turning),
        ("bowl", bowl),
        ("cylinder", can.clone()),
        ("turning cylinder", can + &turning),
        ("box", brick),
    ]
}

/// Largest difference between an answer changed and the answer to what was changed.
fn off(plain: &Marched, other: &Marched, change: Change) -> f64 {
    let expected: Vec<f64> =
        plain.q.chunks_exact(3).flat_map(|q| change.of([q[0], q[1], q[2]])).collect();
    let impulses = |march: &Marched, change: Change| -> Vec<f64> {
        march.impulses.iter().flat_map(|p| change.of(*p)).collect()
    };
    let pushed = apart(&impulses(plain, change), &impulses(other, Change::Nothing));
    apart(&expected, &other.q).max(pushed)
}

/// 1e-10 is the solver's 1e-12 and rounding of the turned coordinates, grown over 250 steps of impacts.
#[test]
fn a_problem_turned_as_a_whole_has_the_turned_answer() {
    for kind in [ElementKind::Hexahedron8, ElementKind::Tetrahedron4] {
        let turned = shapes(ASKEW);
        for ((name, plain), (_, turned)) in shapes(Change::Nothing).iter().zip(&turned) {
            let plain = changed(plain, kind, Change::Nothing);
            let found = off(&plain, &changed(turned, kind, ASKEW), ASKEW);
            println!("{kind:?} on a {name}: {found:.1e}, {} steps touch", plain.touching);
            assert!(plain.touching > 50, "{name} is hardly touched");
            assert!(found < 1e-10, "{kind:?} on a {name}: {found:e}");
        }
    }
}

/// Hexahedra only: tetrahedra of a block are cut another way in the mirror, which is what the mirrored
/// mesh has and no reader would.
#[test]
fn a_problem_in_a_mirror_has_the_mirrored_answer() {
    let kind = ElementKind::Hexahedron8;
    let mirrored = shapes(Change::Mirror);
    for ((name, plain), (_, mirrored)) in shapes(Change::Nothing).iter().zip(&mirrored) {
        let plain = changed(plain, kind, Change::Nothing);
        let found = off(&plain, &changed(mirrored, kind, Change::Mirror), Change::Mirror);
        println!("{name}: {found:.1e}");
        assert!(found < 1e-10, "{name}: {found:e}");
    }
}

/// Body and obstacle carried along at c: the same motion relative to c, and with it the same works
/// of the contacts, so that the account must hold W′ = W + c·ΔP, where ΔE′ = ΔE + c·ΔP.
#[test]
fn a_problem_carried_along_moves_the_same_and_its_work_accounts_for_the_difference() {
    let c = [3.0, -2.0, 1.5];
    for (name, shape) in shapes(Change::Nothing) {
        if shape.contains("velocity = [") {
            continue;
        }
        // No potential: it would differ by the way travelled.
        let scene = |carried: Vector, obstacle: &str| {
            let velocity = plus([0.8, 0.3, -1.0], carried);
            let (gravity, more) = ([0.3, -1.0, -10.0], "");
            let scene = Scene { gravity, velocity, obstacle, friction: 0.4, more, steps: 250 };
            scene.text().replace("potential = true\n", "")
        };
        let mesh = block(ElementKind::Hexahedron8);
        let plain = march(&scene([0.0; 3], &shape), &mesh, None);
        let moving = march(&scene(c, &format!("velocity = {c:?}\n{shape}")), &mesh, None);
        let relative: Vec<f64> =
            moving.q.iter().enumerate().map(|(dof, q)| q - 0.25 * c[dof % 3]).collect();
        let [before, after] = plain.momentum;
        let gained = [0, 1, 2].map(|i| after[i] - before[i]);
        let (extra, expected) =
            (moving.totals[Term::External] - plain.totals[Term::External], dot(c, gained));
        let found = apart(&plain.q, &relative);
        println!("{name}: {found:.1e}, work {extra:.9} of {expected:.9}");
        assert!(found < 1e-10, "{name}: {found:e}");
        let scale = moving.certificate.energy_scale;
        assert!((extra - expected).abs() < 1e-10 * scale, "{name}: {extra} {expected}");
        let contact = |march: &Marched| march.totals[Term::Normal] + march.totals[Term::Tangential];
        assert!((contact(&plain) - contact(&moving)).abs() < 1e-9 * scale, "{name}");
    }
}

const ROUND: [(&str, &str, Vector); 2] = [
    ("ball", "kind = \"sphere\"\npoint = [0.1, 0.2, -2.02]\nradius = 2.0\n", [0.48, -0.6, 0.64]),
    (
        "cylinder",
        "kind = \"cylinder\"\npoint = [0.0, 0.1, -1.02]\naxis = [0.8, 0.6, 0.0]\nradius = 1.0\nlength = 0.9\n",
        [0.8, 0.6, 0.0],
    ),
];

fn on_a_roller(obstacle: &str, spin: Option<(Vector, f64)>, friction: f64, mesh: &Mesh) -> Marched {
    let turn = |(axis, spin): (Vector, f64)| {
        format!("rotation = {{ axis = {axis:?}, velocity = {spin:?} }}\n")
    };
    let (gravity, velocity) = ([0.0, 0.0, -10.0], [0.1, 0.0, -0.5]);
    let more = &spin.map_or(String::new(), turn);
    let scene = Scene { gravity, velocity, obstacle, friction, more, steps: 200 };
    march(&scene.text(), mesh, None)
}

/// Without friction an obstacle that turns about its own axis is at rest; with it, it drags, and what
/// it puts in is the work of its own velocity, measured here beside the account.
#[test]
fn an_obstacle_that_turns_in_itself_only_drags() {
    let mesh = block(ElementKind::Hexahedron8);
    for (name, obstacle, axis) in ROUND {
        let still = on_a_roller(obstacle, None, 0.0, &mesh);
        let turning = on_a_roller(obstacle, Some((axis, 8.0)), 0.0, &mesh);
        let found = apart(&still.q, &turning.q);
        println!(
            "{name} without friction: {found:.1e}, work {:.1e}",
            turning.totals[Term::External]
        );
        assert!(found < 1e-9 && turning.touching > 50, "{name}: {found:e}");
        // ω × r has no part along the normal but by rounding.
        assert!(turning.totals[Term::External].abs() < 1e-12 * turning.certificate.energy_scale);

        let still = on_a_roller(obstacle, None, 0.3, &mesh);
        let turning = on_a_roller(obstacle, Some((axis, 8.0)), 0.3, &mesh);
        let [work_external, work_normal, work_tangential] =
            [Term::External, Term::Normal, Term::Tangential].map(|term| turning.totals[term]);
        let gained = turning.totals.total() - turning.energy;
        println!("{name}: put in {work_external:.6}, gained {gained:.6}, {work_tangential:.6}");
        let pushed = |march: &Marched| march.momentum[1];
        let aside = plus(pushed(&turning), times(-1.0, pushed(&still)));
        assert!(dot(aside, cross(axis, [0.0, 0.0, 1.0])) > 10.0, "{name} drags: {aside:?}");
        assert!(work_external > 100.0 && work_tangential < -100.0, "{name}");
        let scale = turning.certificate.energy_scale;
        let beside = turning.work_of_obstacles;
        assert!((work_external - beside).abs() < 1e-12 * scale, "{name}: {beside}");
        let left = gained - work_external - work_normal - work_tangential;
        assert!(left.abs() < 1e-12 * scale, "{name}: {left:e}");
        assert_eq!(turning.certificate.verdict, Verdict::Dissipative, "{name}");
    }
}

/// In the plane a disk that turns drags a block sideways, and without friction does nothing.
#[test]
fn a_disk_that_turns_in_itself_only_drags() {
    let mesh = Mesh::rectangle_of([1.0, 1.0], [4, 4], ElementKind::Quadrangle4);
    let on_disk = |spin: f64, friction: f64| {
        let text = format!(
            "{MATERIAL}plane = \"strain\"\n[load.weight]\ngravity = [0.0, -10.0]\npotential = true\n\
             [contact.disk]\ngroup = \"bottom\"\nfriction = {friction:?}\nrestitution = 0.0\n\
             obstacle = {{ kind = \"disk\", point = [0.5, -2.0], radius = 2.0, rotation = {{ velocity = {spin:?} }} }}\n\
             [scheme]\nstep = 1e-3\nend = 0.2\n{SCHEME}"
        );
        march(&text, &mesh, None)
    };
    let found = apart(&on_disk(0.0, 0.0).q, &on_disk(5.0, 0.0).q);
    assert!(found < 1e-10, "{found:e}");
    let dragged = on_disk(5.0, 0.3);
    // The top of a disk that turns to the left takes the block along, with μ m g t at most.
    let push = dragged.momentum[1][0];
    println!("without friction {found:.1e}; push {push:.3} of {:.3}", -0.3 * 10_000.0 * 0.2);
    assert!(push < -0.2 * 10_000.0 * 0.2, "{push}");
    assert_eq!(dragged.certificate.verdict, Verdict::Dissipative);
}

/// Triangles of the octahedron cut in four `level` times, with corners on the unit sphere.
fn octasphere(level: usize) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let unit = |x: Vector| times(1.0 / dot(x, x).sqrt(), x);
    let mut corners: Vec<[Vector; 3]> = Vec::new();
    for k in 0..8 {
        let sign = |bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
        corners.push([[sign(0), 0.0, 0.0], [0.0, sign(1), 0.0], [0.0, 0.0, sign(2)]]);
    }
    for _ in 0..level {
        let cut = |[a, b, c]: [Vector; 3]| {
            let [d, e, f] = [unit(plus(a, b)), unit(plus(b, c)), unit(plus(c, a))];
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        corners = corners.into_iter().flat_map(cut).collect();
    }
    let triangles = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    (corners.into_iter().flatten().collect(), triangles)
}

fn surface(vertices: &[Vector], triangles: &[[u32; 3]], inside: bool) -> Obstacle {
    let surface = Surface::new(vertices, triangles, Surface::CREASE_ANGLE, inside).unwrap();
    Obstacle::in_space(Shape::Surface(Box::new(surface)), RigidMotion::default()).unwrap()
}

/// Velocities see a gap only in the step in which a node touches: the answer jumps where facets make it
/// another step, and once they do not, it is off by their smoothed normals alone, below 1e-5.
#[test]
fn a_triangulated_sphere_approaches_the_sphere() {
    let (center, radius) = ([0.1, 0.2, 2.0], 2.2);
    let obstacle =
        format!("kind = \"sphere\"\npoint = {center:?}\nradius = {radius:?}\ninside = true\n");
    let (gravity, velocity) = ([0.3, -1.0, -10.0], [0.2, 0.1, -1.0]);
    let scene =
        Scene { gravity, velocity, obstacle: &obstacle, friction: 0.4, more: "", steps: 60 };
    let mesh = block(ElementKind::Hexahedron8);
    let exact = march(&scene.text(), &mesh, None);
    let mut errors = Vec::new();
    for level in 2..8 {
        let (vertices, triangles) = octasphere(level);
        let place = |x: &Vector| plus(center, times(radius, *x));
        let vertices: Vec<Vector> = vertices.iter().map(place).collect();
        let found = march(&scene.text(), &mesh, Some(surface(&vertices, &triangles, true)));
        errors.push(apart(&exact.q, &found.q));
        assert_eq!(found.certificate.verdict, Verdict::Dissipative, "level {level}");
    }
    println!("{errors:?}");
    assert!(errors.is_sorted_by(|a, b| a > b) && errors[5] < 1e-5, "{errors:?}");
}

/// Twelve triangles are the box itself, and the deepest face is the same: what differs is rounding.
#[test]
fn a_triangulated_box_is_the_box() {
    let (center, size) = ([0.3, 0.2, -1.01], [1.0, 1.1, 2.0]);
    let obstacle = format!("kind = \"box\"\npoint = {center:?}\nsize = {size:?}\n");
    let corner = |v: u32| [0, 1, 2].map(|i| center[i] + (f64::from(v >> i & 1) - 0.5) * size[i]);
    let vertices: Vec<Vector> = (0..8).map(corner).collect();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let (u, w, far) = (1u32 << ((axis + 1) % 3), 1u32 << ((axis + 2) % 3), 1u32 << axis);
        triangles.extend([[far, far + u, far + u + w], [far, far + u + w, far + w]]);
        triangles.extend([[0, u + w, u], [0, w, u + w]]);
    }
    let (gravity, velocity) = ([0.3, -1.0, -10.0], [0.8, 0.3, -1.0]);
    let scene =
        Scene { gravity, velocity, obstacle: &obstacle, friction: 0.4, more: "", steps: 250 };
    let mesh = block(ElementKind::Tetrahedron4);
    let exact = march(&scene.text(), &mesh, None);
    let found = march(&scene.text(), &mesh, Some(surface(&vertices, &triangles, false)));
    let found = apart(&exact.q, &found.q);
    println!("{found:.1e}");
    assert!(found < 1e-10, "{found:e}");
}

/// One layer of hexahedra between held planes is plane strain: Gauss points integrate both exactly,
/// and the two nodes of the layer share what the node of the plane carries.
#[test]
fn a_layer_of_hexahedra_slides_as_the_plane_does() {
    let tail = |d: usize| {
        let zeros = ", 0.0".repeat(d - 2);
        format!(
            "[boundary.lid]\ngroup = \"{}\"\ncomponent = \"y\"\nvelocity = -0.05\n\
             [load.pull]\ngroup = \"left\"\ntraction = [4000.0, 0.0{zeros}]\n\
             time = {{ function = \"sine\", period = 0.07 }}\n\
             [contact.floor]\ngroup = \"{}\"\nfriction = 0.4\nrestitution = 0.0\n\
             obstacle = {{ kind = \"half-plane\", point = [0.0, 0.0{zeros}], normal = [0.0, 1.0{zeros}] }}\n\
             [scheme]\nstep = 5e-4\nend = 0.15\n{SCHEME}",
            if d == 2 { "top" } else { "back" },
            if d == 2 { "bottom" } else { "front" },
        )
    };
    let flat = Mesh::rectangle_of([2.0, 1.0], [8, 4], ElementKind::Quadrangle4);
    let plane = format!("{MATERIAL}plane = \"strain\"\n{}", tail(2));
    let plane = march(&plane, &flat, None);
    let layer = Mesh::block([0.0; 3], [2.0, 1.0, 1.0], [8, 4, 1], ElementKind::Hexahedron8);
    let walls = "[boundary.walls]\ngroup = \"body\"\ncomponent = \"z\"\nvelocity = 0.0\n";
    let space = march(&format!("{MATERIAL}{walls}{}", tail(3)), &layer, None);
    let mut expected = Vec::new();
    for x in &layer.points {
        let node = flat.points.iter().position(|y| (y[0] - x[0]).hypot(y[1] - x[1]) < 1e-9);
        let node = node.unwrap();
        expected.extend([plane.q[2 * node], plane.q[2 * node + 1], 0.0]);
    }
    let pushes =
        |march: &Marched| -> Vec<f64> { march.impulses.iter().flatten().copied().collect() };
    let moved = apart(&expected, &space.q);
    let pushed = apart(&pushes(&plane), &pushes(&space));
    println!("displacements {moved:.1e}, impulses {pushed:.1e}");
    assert!(plane.totals[Term::Tangential] < -1.0, "{:?}", plane.totals);
    assert!(moved < 1e-9 && pushed < 1e-9, "{moved:e} {pushed:e}");
}

/// Without Poisson's effect a row of hexahedra is a row of bars, and its four nodes share the impulse.
#[test]
fn a_bar_of_hexahedra_without_poisson_is_a_bar() {
    let tail = |d: usize| {
        let zeros = ", 0.0".repeat(d - 1);
        format!(
            "[initial.velocity.all]\nvalue = [-10.0{zeros}]\n\
             [contact.wall]\ngroup = \"left\"\nfriction = 0.2\nrestitution = 0.0\n\
             obstacle = {{ kind = \"half-plane\", point = [-0.5{zeros}], normal = [1.0{zeros}] }}\n\
             [scheme]\nstep = 2e-3\nend = 1.0\n{SCHEME}"
        )
    };
    let head = "units = \"m, s, kg\"\nmesh.file = \"none\"\n\
        [material.m]\nyoung = 900.0\npoisson = 0.0\ndensity = 1.0\n";
    let line = march(&format!("{head}area = 1.0\n{}", tail(1)), &Mesh::line(0.0, 10.0, 50), None);
    let row = Mesh::block([0.0; 3], [10.0, 1.0, 1.0], [50, 1, 1], ElementKind::Hexahedron8);
    let row = march(&format!("{head}{}", tail(3)), &row, None);
    let along = |march: &Marched| -> Vec<f64> { march.impulses.iter().map(|p| p[0]).collect() };
    let found = apart(&along(&line), &along(&row));
    let duration = 2e-3 * line.touching as f64;
    println!("impulses {found:.1e}, contact for {duration}");
    assert!(found < 1e-9, "{found:e}");
    // 2L/c of the exact solution; the first nodes stop and leave within a few steps of it.
    assert!((duration - 20.0 / 30.0).abs() < 0.02, "{duration}");
}
