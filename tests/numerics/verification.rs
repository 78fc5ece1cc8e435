//! The verification manual: every number of `docs/src/verification.md`, computed, held to its reference and to
//! the page. `WRITE=1 cargo test --release --test numerics verification::` writes the tables of the page anew.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::assembly::MassKind;
use delassus::energy::{Term, Verdict};
use delassus::mesh::Mesh;
use delassus::model::Model;

use crate::elements::{bodies, orders, patch};
use crate::support::manual::{Row, hold, hold_rows};
use crate::support::{
    bars, case, fitted_slope, march, reference, repository, run, systems, vibration,
};

const PAGE: &str = "verification.md";

fn farthest(columns: &[(String, f64)]) -> f64 {
    columns.iter().map(|(_, off)| *off).fold(0.0, f64::max)
}

fn impacting_stick() {
    let mut rows = Vec::new();
    let published = [
        (
            "fremond",
            ["0.369455799", "-0.003694558", "-0.00130506"],
            ["-0.499432645", "-1.217823879", "3.225677546"],
        ),
        (
            "newton",
            ["0.373883472", "0.003738835", "1.08315e-4"],
            ["-0.506867261", "-1.213273933", "3.212070579"],
        ),
    ];
    for (law, [normal, tangential, work], velocity) in published {
        let (summary, _, trajectory) =
            systems::run("impacting_stick", &[&format!("scheme.law={law}")]);
        let (p_n, p_t) = (trajectory.column("floor:1.p_n"), trajectory.column("floor:1.p_t"));
        let first = p_n.iter().position(|p| *p > 0.0).unwrap();
        // Our tangent is to the other side of the normal than theirs.
        let row = |what: &str, reference: &str, found: f64| {
            let digits = reference.trim_start_matches(['-', '0', '.']).replace('.', "").len();
            Row::same(&format!("{law}: {what}"), reference, (found, digits), 1e-6)
        };
        rows.push(row("first impulse, normal", normal, p_n[first]));
        rows.push(row("first impulse, tangential", tangential, -p_t[first]));
        rows.push(Row::same(
            &format!("{law}: tangential work of both impacts"),
            work,
            (summary.energies[Term::Tangential], 6),
            1e-5,
        ));
        for (what, reference) in ["vx", "vy", "spin"].iter().zip(velocity) {
            let found = *trajectory.column(&format!("stick.{what}")).last().unwrap();
            rows.push(row(&format!("{what} at the end"), reference, found));
        }
        let off = systems::series_off("impacting_stick", "stick", law, &["floor:1"]);
        let what = format!("{law}: any of 12 columns, any of 2001 rows");
        rows.push(Row::nothing(&what, farthest(&off), 1e-9));
    }
    hold_rows(PAGE, "impacting_stick", &rows);
}

fn rocking_block() {
    let mut rows = Vec::new();
    for (law, energy) in [("fremond", "5.647433"), ("newton", "5.902864")] {
        let (summary, _, trajectory) =
            systems::run("rocking_block", &[&format!("scheme.law={law}")]);
        let found = summary.energies.total;
        rows.push(Row::same(&format!("{law}: energy at the end"), energy, (found, 7), 1e-6));
        let work = summary.certificate.largest[Term::Tangential];
        if law == "newton" {
            rows.push(Row::relative("newton: largest w_T in a step", "0.0819", (work, 3), 1e-3));
            let [a, b, wa, wb] = ["1.p_n", "2.p_n", "1.w_t", "2.w_t"]
                .map(|name| trajectory.column(&format!("floor:{name}")));
            let impacts = (0..a.len()).filter(|&k| a[k] + b[k] > 0.0).map(|k| wa[k] + wb[k]);
            let creating = impacts.enumerate().filter(|(_, w)| *w > 0.0).map(|(k, _)| k + 1);
            let found = creating.map(|k| k.to_string()).collect::<Vec<_>>().join(", ");
            rows.push(Row::equal("newton: impacts that create energy", "2, 3, 6, 8", &found));
        } else {
            rows.push(Row::nothing("fremond: largest w_T in a step", work, 1e-15));
        }
        let off = systems::series_off("rocking_block", "block", law, &["floor:1", "floor:2"]);
        let what = format!("{law}: any of 17 columns, any row");
        rows.push(Row::nothing(&what, farthest(&off), 1e-9));
    }
    hold_rows(PAGE, "rocking_block", &rows);
}

fn sliding_block() {
    let case = case("sliding_block", &[]);
    let mesh = Mesh::read(case.mesh_file().unwrap()).unwrap();
    let state = Model::build(&case, &mesh).unwrap().state;
    let energy = 0.5 * state.q.iter().zip(&state.kq).map(|(q, f)| q * f).sum::<f64>();
    let nodes = &mesh.groups["contact"].nodes;
    let force: f64 = nodes.iter().map(|&n| state.kq[2 * n as usize + 1]).sum();
    let mut rows = vec![
        Row::same("strain energy of the pre-load", "1.774899001", (energy, 10), 1e-8),
        Row::same("normal force of the pre-load", "709.9596004", (force, 10), 1e-8),
    ];
    for law in ["fremond", "newton"] {
        let off = farthest(&reference::sliding_block_off(law));
        let what = format!("{law}, activation by gap: any of 10 columns at 1001 steps");
        rows.push(Row::nothing(&what, off, 1e-7));
    }
    let (summary, _) = run("sliding_block", &["output.fields_every=0"]);
    let share = |work: f64| work / summary.certificate.energy_scale;
    let works = [
        ("tangential", summary.certificate.largest[Term::Tangential]),
        ("normal", summary.certificate.largest[Term::Normal]),
    ];
    for (what, work) in works {
        let what = format!("fremond: largest {what} work of a contact, of the energy scale");
        rows.push(Row::nothing(&what, share(work), 1e-11));
    }
    let residual = summary.certificate.max_balance_residual;
    rows.push(Row::nothing("fremond: largest residual of the balance", residual, 1e-12));
    let (summary, _) = run("sliding_block_newton", &["output.fields_every=0"]);
    let work = summary.certificate.largest[Term::Tangential];
    rows.push(Row::relative("newton: largest w_T of a contact", "0.002410", (work, 4), 0.02));
    assert_eq!(summary.certificate.verdict, Verdict::Violated);
    hold_rows(PAGE, "sliding_block", &rows);
}

/// (1+e) v₀ ρS √(s + θ²h²c²), s = Δx²/12 for the consistent mass: see `tests/numerics/bars.rs`.
fn first_impact_off(theta: f64, e: f64, cells: usize) -> f64 {
    let dx = bars::LENGTH / cells as f64;
    let h = dx / bars::SPEED;
    let (problem, state) = bars::chain(cells, theta, e, h, 0.0);
    let met = bars::march(&problem, state, cells * 3 / 2 + 1);
    let root = (dx * dx / 12.0 + (theta * h * bars::SPEED).powi(2)).sqrt();
    (met.impulses[0].1 / ((1.0 + e) * 10.0 * root) - 1.0).abs()
}

fn impacting_bar() {
    let mut rows = Vec::new();
    for (theta, e) in [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (0.75, 0.2), (1.0, 0.0)] {
        let what = format!("first impulse, θ = {theta}, e = {e}, beside its closed form");
        rows.push(Row::nothing(&what, first_impact_off(theta, e, 200), 1e-10));
    }
    for (cells, energy) in [(100, "497.113249"), (200, "498.556624"), (400, "499.278312")] {
        let found = bars::energy_of_the_chain(cells);
        let what = format!("energy at the end, {cells} elements");
        rows.push(Row::same(&what, energy, (found, 9), 2e-9));
    }
    let cells = [50usize, 100, 200, 400];
    let met = cells.map(bars::exact_contact);
    let finest = &met[3];
    rows.push(Row::relative("time in contact, 400 cells", "0.6666667", (finest.contact, 6), 0.01));
    rows.push(Row::relative("pressure, 400 cells", "300", (finest.pressure, 6), 1e-5));
    rows.push(Row::relative("impulse, 400 cells", "200", (finest.impulse, 6), 0.01));
    rows.push(Row::relative("rebound, 400 cells", "10", (finest.rebound, 5), 0.01));
    let sizes = cells.map(|n| 1.0 / n as f64);
    let slope = |error: &dyn Fn(&bars::Exact) -> f64| {
        fitted_slope(&sizes, &met.iter().map(error).collect::<Vec<_>>())
    };
    let rebound = slope(&|met| (met.rebound - 10.0).abs());
    rows.push(Row::observed("order of the rebound, 50 to 400 cells", 0.68, (rebound, 2), 0.05));
    let contact = slope(&|met| (met.contact - 2.0 / 3.0).abs());
    rows.push(Row::observed("order of the time in contact", 0.77, (contact, 2), 0.05));
    hold_rows(PAGE, "impacting_bar", &rows);
}

fn bouncing_bar() {
    let met = bars::bounces_of_the_strip();
    let mut rows = vec![
        Row::absolute("first contact begins", "1", (met.begin, 5), 4e-3),
        Row::relative("second contact begins", "3.666667", (met.second, 5), 0.01),
        Row::relative("impulse of the first", "266.6667", (met.first_impulse, 6), 0.01),
        Row::relative("foot at t = 8/3", "3.888889", (met.foot, 5), 0.01),
    ];
    for (theta, e, energy, digits, bound) in [
        (0.5, 0.0, "497.700692", 9, 2e-9),
        (0.5, 1.0, "500", 9, 1e-10),
        (1.0, 0.0, "370.746", 6, 3e-6),
    ] {
        let found = bars::energy_of_the_bouncing_chain(theta, e);
        let what = format!("chain, θ = {theta}, e = {e}: energy at t = 16/3");
        rows.push(Row::same(&what, energy, (found, digits), bound));
    }
    hold_rows(PAGE, "bouncing_bar", &rows);
}

fn held_bar() {
    let met = systems::held_bar();
    hold_rows(
        PAGE,
        "held_bar",
        &[
            Row::absolute("contact begins", "1", (met.first, 4), 0.02),
            Row::absolute("contact ends", "2", (met.last, 4), 0.02),
            Row::relative("pressure between 1.2 and 1.8", "0.5", (met.pressure, 4), 0.02),
            Row::same("energy", "0.125", (met.energy, 6), 1e-12),
            Row::absolute("energy lost at the touch", "0", (met.lost, 3), 1e-3),
            Row::relative("free end after a period", "0.5", (met.back, 4), 0.02),
        ],
    );
}

fn siconos_bar() {
    let (moments, largest, total) = march::siconos_bar();
    let steps = moments.iter().filter(|m| m.impulse[0] > 0.0).count();
    let (summary, _) = run("siconos_bar", &[]);
    let work = summary.energies[Term::Normal];
    hold_rows(
        PAGE,
        "siconos_bar",
        &[
            Row::equal("steps in contact", "192", &steps.to_string()),
            Row::same("largest reaction, N", "1373.018", (largest, 7), 5e-7),
            Row::same("impulse, N s", "0.481427422", (total, 9), 2e-9),
            Row::same("work of the contact, J", "-7.27132072e-5", (work, 9), 1e-8),
        ],
    );
}

fn bar_impact_3d() {
    let met = march::sdnv100();
    let (early, late) = (met.at(4e-5), met.at(1.2e-4));
    let mean = met.moments[met.moments.len() - 1].velocity[2];
    hold_rows(
        PAGE,
        "bar_impact_3d",
        &[
            Row::absolute("contact begins, s", "2e-5", (met.first, 3), 2.1e-7),
            Row::absolute("contact ends, s", "1e-4", (met.last, 4), 1e-6),
            Row::relative("contact end in contact, m", "-0.002", (early.contact, 4), 0.01),
            Row::relative("free end at 4e-5 s, m", "-0.004", (early.free, 5), 1e-6),
            Row::absolute("free end at 1.2e-4 s, m", "0", (late.free, 2), 4e-5),
            Row::relative("mean velocity after it, m/s", "100", (mean, 4), 0.01),
            Row::relative("contact end at 1.2e-4 s, m/s", "100", (late.speed, 4), 0.1),
        ],
    );
}

fn ball_on_plate() {
    let mut rows = Vec::new();
    for (file, what) in [("ball_coarse.msh", "coarse"), ("ball.msh", "fine")] {
        let (_, duration, peak) = march::hertz(file);
        let what = |quantity: &str| format!("{quantity}, {what} mesh");
        rows.push(Row::relative(&what("time in contact, s"), "6.0767e-5", (duration, 3), 0.06));
        rows.push(Row::relative(&what("largest force, N"), "986.53", (peak, 4), 0.05));
    }
    hold_rows(PAGE, "ball_on_plate", &rows);
}

fn incline() {
    let rows = [0.01, 1.0, 100.0].map(|size| {
        let (_, found) = march::incline(size);
        let what = format!("acceleration, block {size} times as large");
        Row::relative(&what, "2.356287237", (found, 10), 1e-6)
    });
    hold_rows(PAGE, "incline", &rows);
}

fn pin_on_disk() {
    let (moments, torque, expected) = march::torque_on_the_disk();
    let last = &moments[moments.len() - 1];
    hold_rows(
        PAGE,
        "pin_on_disk",
        &[
            Row::relative("torque over μ Σ r p_N", "1", (torque / expected, 7), 1e-5),
            Row::equal("nodes that slip", &last.active.to_string(), &last.slipping.to_string()),
        ],
    );
}

fn forced_block() {
    let ([early, held, late], fastest) = systems::forced_block();
    hold_rows(
        PAGE,
        "forced_block",
        &[
            Row::absolute("x after the first slip", "0.00434857", (early, 5), 1e-6),
            Row::absolute("x before the second", "0.00434857", (held, 5), 1e-6),
            Row::absolute("x after the second", "-0.00869717", (late, 5), 1e-6),
            Row::absolute("largest velocity", "0.0395447", (fastest, 4), 1e-5),
        ],
    );
}

fn friction_oscillator() {
    let mut rows = Vec::new();
    for (h, near) in [(1e-3, 2e-6), (2.5e-4, 2e-7)] {
        let (time, x) = systems::stop_of_the_oscillator(h);
        rows.push(Row::absolute(&format!("stops at x, h = {h}"), "0.68217894", (x, 7), near));
        let what = format!("stops at t, h = {h}");
        rows.push(Row::absolute(&what, "22.423556", (time, 7), 4.0 * h));
    }
    hold_rows(PAGE, "friction_oscillator", &rows);
}

fn bouncing_ball() {
    let (impacts, resting) = systems::bouncing_ball();
    hold_rows(
        PAGE,
        "bouncing_ball",
        &[
            Row::absolute("first impact", "0.428353", (impacts[0], 5), 2e-3),
            Row::absolute("second impact", "1.199388", (impacts[1], 5), 2e-3),
            Row::absolute("distance from the floor after 8.2, at most", "0", (resting, 2), 2e-4),
        ],
    );
}

fn newton_cradle() {
    let met = systems::cradle();
    hold_rows(
        PAGE,
        "newton_cradle",
        &[
            Row::same("energy", "0.195497", (met.energy, 6), 3e-6),
            Row::nothing("drift of the energy", met.drift, 1e-11),
            Row::absolute("largest velocity of the first ball", "0.864142", (met.first, 6), 1e-6),
            Row::absolute("largest velocity of the last ball", "0.864142", (met.last, 6), 1e-4),
            Row::nothing("length of the last thread", met.thread, 1e-14),
        ],
    );
}

fn pendulum() {
    let exact = systems::quarter_period();
    let steps = [0.02, 0.01, 0.005, 0.0025];
    let mut rows = Vec::new();
    for kind in ["moreau-jean", "generalised-alpha", "central-difference"] {
        let met = steps.map(|h| systems::swing(kind, h));
        let finest = met[3];
        let what = format!("{kind}: quarter of the period, h = 0.0025");
        rows.push(Row::relative(&what, &format!("{exact:.7}"), (finest.0, 7), 1e-5));
        let slope = fitted_slope(&steps, &met.map(|(time, ..)| (time - exact).abs()));
        rows.push(Row::absolute(&format!("{kind}: order in h"), "2", (slope, 3), 0.1));
        let drift = met.iter().map(|met| met.1).fold(0.0, f64::max);
        rows.push(Row::nothing(&format!("{kind}: drift of the energy"), drift, 1e-12));
        let off = met.iter().map(|met| met.2).fold(0.0, f64::max);
        rows.push(Row::nothing(&format!("{kind}: the pin opens"), off, 1e-14));
    }
    hold_rows(PAGE, "pendulum", &rows);
}

fn small_systems() {
    let tilt = 0.4f64;
    let exact = [
        ("disk rolls, μ = 0.5: speed", 0.5, 2.0 / 3.0 * 10.0 * tilt.sin()),
        ("disk slides, μ = 0.05: speed", 0.05, 10.0 * (tilt.sin() - 0.05 * tilt.cos())),
    ];
    let mut rows: Vec<Row> = exact
        .map(|(what, mu, exact)| {
            let (speed, _) = systems::disk_on_a_slope(tilt, mu);
            Row::same(what, &format!("{exact:.9}"), (speed, 10), 1e-9)
        })
        .into();
    let steps = [0.02, 0.01, 0.005, 0.0025];
    let met = steps.map(|h| {
        let ([x, y], exact) = systems::damped_oscillation(h);
        ((3.0 * x + 4.0 * y) / 5.0, exact)
    });
    let (found, exact) = met[3];
    let what = "damped oscillation: x at t = 1, h = 0.0025";
    rows.push(Row::absolute(what, &format!("{exact:.7}"), (found, 6), 1e-3));
    let slope = fitted_slope(&steps, &met.map(|(found, exact)| (found - exact).abs()));
    rows.push(Row::absolute("damped oscillation: order in h", "2", (slope, 3), 0.05));
    hold_rows(PAGE, "small_systems", &rows);
}

fn patch_test() {
    let mut rows = Vec::new();
    for (kind, section) in bodies::each_kind() {
        let mesh = patch::patch(kind);
        let errors = patch::patch_errors(&bodies::body(&mesh, bodies::material(section)));
        let what = |quantity: &str| format!("{kind:?}: {quantity}");
        rows.push(Row::nothing(&what("displacements"), errors[0], 1e-13));
        rows.push(Row::nothing(&what("stresses"), errors[1], 1e-12));
    }
    hold_rows(PAGE, "patch_test", &rows);
}

fn orders_in_space() {
    let mut table = String::from(
        "| element | L₂ | energy | frequency, consistent mass | lumped |\n|---|---|---|---|---|\n",
    );
    for (kind, section) in bodies::each_kind() {
        let ([l2, energy], _) = orders::static_orders(kind, section);
        let [consistent, lumped] = [MassKind::Consistent, MassKind::Lumped]
            .map(|mass| orders::frequency_order(kind, section, mass).0);
        let p = kind.order() as f64;
        assert!(
            (l2 - p - 1.0).abs() < 0.15 && (energy - p).abs() < 0.15,
            "{kind:?}: {l2} {energy}"
        );
        assert!((consistent / (2.0 * p) - 1.0).abs() < 0.1, "{kind:?}: {consistent}");
        assert!((lumped / 2.0 - 1.0).abs() < 0.1, "{kind:?}: {lumped}");
        table += &format!("| {kind:?} | {l2:.2} | {energy:.2} | {consistent:.2} | {lumped:.2} |\n");
    }
    hold(PAGE, "orders_in_space", &table);
}

fn orders_in_time() {
    let row = |theta: f64, order: &str, bound: f64| {
        let (slope, _) = vibration::order_in_time(theta);
        Row::absolute(&format!("order, θ = {theta}"), order, (slope, 4), bound)
    };
    hold_rows(PAGE, "orders_in_time", &[row(0.5, "2", 0.05), row(1.0, "1", 0.1)]);
}

macro_rules! benchmarks {
    ($($name:ident)*) => {
        mod holds {
            $(#[test]
            fn $name() {
                super::$name();
            })*
        }

        /// Every benchmark above.
        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

benchmarks! {
    sliding_block
    impacting_stick
    rocking_block
    impacting_bar
    bouncing_bar
    held_bar
    siconos_bar
    bar_impact_3d
    ball_on_plate
    incline
    pin_on_disk
    forced_block
    friction_oscillator
    bouncing_ball
    newton_cradle
    pendulum
    small_systems
    patch_test
    orders_in_space
    orders_in_time
}

/// No table of the page is left without a test.
#[test]
fn every_table_of_the_manual_is_computed_here() {
    let text = std::fs::read_to_string(repository("docs/src/verification.md")).unwrap();
    let marks = text.lines().filter_map(|line| line.strip_prefix("<!-- begin "));
    let names: Vec<&str> = marks.filter_map(|mark| mark.strip_suffix(" -->")).collect();
    assert_eq!(names, TESTED);
}
