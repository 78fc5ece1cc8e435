//! Shipped cases of masses and bodies, run to their end, and what is read off their tables.

use std::f64::consts::PI;

use delassus::case::Case;
use delassus::output::Summary;
use delassus::simulation;

use super::{Folder, Silent, Table, repository};

/// Summary, history and trajectory of a shipped case.
pub fn run(name: &str, overrides: &[&str]) -> (Summary, Table, Table) {
    let text = std::fs::read_to_string(repository(&format!("cases/{name}.toml"))).unwrap();
    run_text(&text.replace("../meshes", &repository("meshes").to_string_lossy()), overrides)
}

/// The same of a case given as text.
pub fn run_text(text: &str, overrides: &[&str]) -> (Summary, Table, Table) {
    let folder = Folder::new();
    folder.write("case.toml", text);
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
    let case = Case::read(&folder.path("case.toml"), &overrides).unwrap_or_else(|e| panic!("{e}"));
    let summary = simulation::run(&case, &folder.path("out"), &mut Silent);
    let summary = summary.unwrap_or_else(|error| panic!("{error}"));
    let read = |name: &str| Table::read(&folder.path(name));
    (summary, read("out/history.csv"), read("out/trajectory.csv"))
}

/// Largest magnitude.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

/// How far coordinates, velocities, gaps, impulses, works and energy are from those of every row of a
/// published series.
pub fn series_off(case: &str, body: &str, law: &str, contacts: &[&str]) -> Vec<(String, f64)> {
    let law_override = format!("scheme.law={law}");
    let (_, history, ours) = run(case, &[&law_override]);
    let theirs = Table::read(&repository(&format!("tests/reference/{case}/{law}_series.csv")));
    let steps = theirs.column("k");
    let mut pairs: Vec<(String, Vec<f64>, f64)> = Vec::new();
    let motion = [
        ("x", "x"),
        ("y", "y"),
        ("gamma", "angle"),
        ("vx", "vx"),
        ("vy", "vy"),
        ("vgamma", "spin"),
    ];
    for (their, our) in motion {
        pairs.push((their.into(), ours.column(&format!("{body}.{our}")), 1.0));
    }
    for (k, contact) in contacts.iter().enumerate() {
        for (their, our, sign) in [
            ("g", "gap", 1.0),
            ("pN", "p_n", 1.0),
            ("pT", "p_t", -1.0),
            ("wN", "w_n", 1.0),
            ("wT", "w_t", 1.0),
        ] {
            pairs.push((
                format!("{their}{}", k + 1),
                ours.column(&format!("{contact}.{our}")),
                sign,
            ));
        }
    }
    pairs.push(("E".into(), history.column("total"), 1.0));
    let off = |(name, ours, sign): (String, Vec<f64>, f64)| {
        let reference = theirs.column(&name);
        let off = steps.iter().zip(&reference).map(|(&k, r)| (ours[k as usize] * sign - r).abs());
        (name, off.fold(0.0, f64::max))
    };
    pairs.into_iter().map(off).collect()
}

/// Times of the bouncing ball's impacts, each found at the end of its step, and how far it is from the
/// floor at most after 8.2.
pub fn bouncing_ball() -> (Vec<f64>, f64) {
    let (_, _, trajectory) = run("bouncing_ball", &[]);
    let (times, impulse) = (trajectory.column("time"), trajectory.column("floor.p_n"));
    let impacts = times.iter().zip(&impulse).filter(|(_, p)| **p > 0.0).map(|(t, _)| *t);
    let rows = trajectory.rows.iter().zip(trajectory.column("ball.y"));
    let after: Vec<f64> = rows.filter(|(row, _)| row[1] > 8.2).map(|(_, y)| y - 0.1).collect();
    (impacts.collect(), largest(&after))
}

/// Where the forced block is at t = 1, 2.9 and 3.9, and its largest velocity.
pub fn forced_block() -> ([f64; 3], f64) {
    let (_, _, trajectory) = run("forced_block", &[]);
    let (times, x) = (trajectory.column("time"), trajectory.column("block.x"));
    let at = |t: f64| x[times.iter().position(|&found| found >= t).unwrap()];
    ([1.0, 2.9, 3.9].map(at), largest(&trajectory.column("block.vx")))
}

/// When and where the friction oscillator stops, in steps of h.
pub fn stop_of_the_oscillator(h: f64) -> (f64, f64) {
    let (_, _, trajectory) = run("friction_oscillator", &[&format!("scheme.step={h}")]);
    let (times, x) = (trajectory.column("time"), trajectory.column("slug.x"));
    let p = trajectory.column("rub.p_t");
    let slides = |k: &usize| p[*k].abs() > 0.999_999 * h;
    let last = (0..p.len()).rev().find(slides).unwrap();
    (times[last], x[x.len() - 1])
}

/// Newton's cradle: its energy at the start, how far that drifts, the largest velocities of the first and
/// the last ball, and how far the last thread is from its length at most.
pub struct Cradle {
    pub energy: f64,
    pub drift: f64,
    pub first: f64,
    pub last: f64,
    pub thread: f64,
}

pub fn cradle() -> Cradle {
    let (summary, history, trajectory) = run("newton_cradle", &[]);
    let total = history.column("total");
    let lengths = trajectory.column("e.x").into_iter().zip(trajectory.column("e.y"));
    Cradle {
        energy: summary.energies.total_start,
        drift: total.iter().map(|e| (e - total[0]).abs()).fold(0.0, f64::max),
        first: largest(&trajectory.column("a.vx")),
        last: largest(&trajectory.column("e.vx")),
        thread: lengths.map(|(x, y)| ((x - 0.402).hypot(y - 0.5) - 0.5).abs()).fold(0.0, f64::max),
    }
}

/// Quarter of the period of a rod of length 2 that swings from level: K(sin π/4)/ω₀ by the
/// arithmetic-geometric mean, ω₀² = m g a/(I + m a²) = 7.5.
pub fn quarter_period() -> f64 {
    let (mut a, mut b) = (1.0, (PI / 4.0).cos());
    (0..6).for_each(|_| (a, b) = (0.5 * (a + b), f64::sqrt(a * b)));
    PI / (2.0 * a) / 7.5f64.sqrt()
}

/// The same of the scheme of that kind in steps of h, the drift of its energy as a share of the scale, and
/// how far the pin is off at most.
pub fn swing(kind: &str, h: f64) -> (f64, f64, f64) {
    let text = format!(
        "units = 'm, s, kg'\n[body.rod]\nshape = 'rod'\nlength = 2.0\nmass = 3.0\nposition = [1.0, 0.0]\n\
         angle = {}\n[joint.pivot]\nkind = 'pin'\nbetween = ['ground', 'rod']\nat = [0.0, 0.0]\n\
         [load.weight]\ngravity = [0.0, -10.0]\npotential = true\n[scheme]\nstep = {h}\nend = 1.6\n",
        PI / 2.0
    );
    let (summary, history, trajectory) = run_text(&text, &[&format!("scheme.kind={kind}")]);
    assert_eq!(summary.solver.unconverged_steps, 0);
    let total = history.column("total");
    let total: Vec<f64> = total.iter().map(|e| e - total[0]).collect();
    let drift = largest(&total) / summary.certificate.energy_scale;
    let (x, y) = (trajectory.column("rod.x"), trajectory.column("rod.y"));
    let off = x.iter().zip(&y).map(|(x, y)| (x.hypot(*y) - 1.0).abs()).fold(0.0, f64::max);
    // The rod hangs where x changes sign; between two steps it turns evenly.
    let k = (1..x.len()).find(|&k| x[k] < 0.0).unwrap();
    let turn = |k: usize| x[k].atan2(-y[k]);
    let time = trajectory.column("time")[k - 1] + h * turn(k - 1) / (turn(k - 1) - turn(k));
    (time, drift, off)
}

/// A disk of radius ¼ on a slope with g = 10: speed and spin after a unit of time.
pub fn disk_on_a_slope(tilt: f64, mu: f64) -> (f64, f64) {
    let text = format!(
        "units = 'm, s, kg'\n[body.disk]\nshape = 'disk'\nradius = 0.25\nmass = 2.0\nposition = [{}, {}]\n\
         [load.weight]\ngravity = [0.0, -10.0]\npotential = true\n[contact.slope]\ngroup = 'disk'\n\
         obstacle = {{ kind = 'half-plane', point = [0.0, 0.0], normal = [{}, {}] }}\nfriction = {mu}\n\
         restitution = 0.0\n[scheme]\nlaw = 'newton'\nstep = 1e-3\nend = 1.0\n",
        0.25 * tilt.sin(),
        0.25 * tilt.cos(),
        tilt.sin(),
        tilt.cos()
    );
    let (_, _, trajectory) = run_text(&text, &[]);
    let last = |name: &str| *trajectory.column(name).last().unwrap();
    (last("disk.vx").hypot(last("disk.vy")), last("disk.spin"))
}

/// m = 2, k = 50, c = 4 along (3, 4), from 5: where it is at t = 1 in steps of h, and where it should be.
pub fn damped_oscillation(h: f64) -> ([f64; 2], f64) {
    let text = format!(
        "units = 'm, s, kg'\n[mass.slug]\nmass = 2.0\nposition = [0.0, 0.0]\ndisplacement = [3.0, 4.0]\n\
         [spring.link]\nbetween = ['slug', 'ground']\naxis = [3.0, 4.0]\nstiffness = 50.0\ndamping = 4.0\n\
         [scheme]\nstep = {h}\nend = 1.0\n"
    );
    let (summary, _, trajectory) = run_text(&text, &[]);
    assert!(summary.certificate.max_balance_residual < 1e-15);
    let (decay, omega) = (1.0f64, 24f64.sqrt());
    let exact = 5.0 * (-decay).exp() * (omega.cos() + decay / omega * omega.sin());
    (["slug.x", "slug.y"].map(|name| *trajectory.column(name).last().unwrap()), exact)
}

/// The bar of GetFEM's demonstration: L = E = ρ = 1, one end held, the other let go at ½ from a wall that it
/// meets on [1, 2] with the pressure ½; energy 1/8, period 3.
pub struct HeldBar {
    pub first: f64,
    pub last: f64,
    pub pressure: f64,
    pub energy: f64,
    pub lost: f64,
    /// Displacement of the free end after a period.
    pub back: f64,
}

pub fn held_bar() -> HeldBar {
    let h = 0.005;
    let text = format!(
        "units = 'dimensionless'\n[mesh]\nfile = '{}'\nscale = 0.1\n\
         [material.bar]\ngroup = 'bar'\nyoung = 1.0\npoisson = 0.0\ndensity = 1.0\narea = 1.0\n\
         [initial.preload.pull]\ngroup = 'contact'\ncomponent = 'x'\ndisplacement = 0.5\n\
         [initial.preload.hold]\ngroup = 'free end'\ncomponent = 'x'\ndisplacement = 0.0\n\
         [boundary.end]\ngroup = 'free end'\ncomponent = 'x'\ndisplacement = 0.0\n\
         [contact.wall]\ngroup = 'contact'\nfriction = 0.0\nrestitution = 0.0\n\
         obstacle = {{ kind = 'half-plane', point = [0.0], normal = [1.0] }}\n\
         [probe.end]\ngroup = 'contact'\n[scheme]\nstep = {h}\nend = 3.0\n",
        repository("meshes/bar_1d_200.msh").display()
    );
    let (summary, _, trajectory) = run_text(&text, &[]);
    let (times, p) = (trajectory.column("time"), trajectory.column("wall.p_n"));
    let touching: Vec<usize> = (0..p.len()).filter(|&k| p[k] > 0.0).collect();
    let middle: Vec<f64> =
        touching.iter().filter(|&&k| (1.2..1.8).contains(&times[k])).map(|&k| p[k] / h).collect();
    HeldBar {
        first: times[touching[0]] - h,
        last: times[touching[touching.len() - 1]],
        pressure: middle.iter().sum::<f64>() / middle.len() as f64,
        energy: summary.energies.total_start,
        lost: summary.energies.total_start - summary.energies.total,
        back: *trajectory.column("end.x").last().unwrap(),
    }
}
