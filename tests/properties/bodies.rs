//! Rigid bodies that touch each other: what holds for every throng of them.

use std::cell::RefCell;

use delassus::case::Case;
use delassus::contact::ContactKey;
use delassus::contact::solver::SolveStatus;
use delassus::energy::Verdict;
use delassus::error::Error;
use delassus::mesh::Mesh;
use delassus::output::Summary;
use delassus::simulation;
use delassus::step::March;
use proptest::prelude::*;

use crate::support::scene::{Ready, prepare};
use crate::support::{Folder, Silent};
use crate::throng::{Throng, throng};
use crate::twins::largest;
use crate::view::{PLAIN, View};
use crate::{draw, holds_in};

/// Of each property where nothing else is asked: a scene takes some ten milliseconds.
const SCENES: u32 = 60;

fn files(throng: &Throng) -> (String, Option<String>) {
    (throng.case(&throng.units()), None)
}

/// The whole way of a scene; none where its contacts could not be solved.
fn run(throng: &Throng) -> Result<Option<Summary>, String> {
    let folder = Folder::new();
    folder.write("case.toml", files(throng).0);
    let case = Case::read(&folder.path("case.toml"), &[]).map_err(|e| e.to_string())?;
    match simulation::run(&case, &folder.path("out"), &mut Silent) {
        Err(error @ (Error::Unsettled { .. } | Error::Unconverged { .. })) => {
            println!("stops: {error}");
            Ok(None)
        }
        outcome => outcome.map(Some).map_err(|e| e.to_string()),
    }
}

/// What became of many scenes.
#[derive(Default, Debug)]
struct Fates {
    runs: u32,
    touching: u32,
    stopped: u32,
}

impl Fates {
    fn enter(&mut self, summary: Option<&Summary>) {
        self.runs += 1;
        self.stopped += u32::from(summary.is_none());
        self.touching += u32::from(summary.is_some_and(|s| s.solver.steps_with_contact > 0));
    }

    /// Most scenes touch, and hardly any stops at a solve.
    fn hold(&self) {
        println!("{self:?}");
        assert!(2 * self.touching > self.runs && 50 * self.stopped <= self.runs, "{self:?}");
    }
}

/// The theorem, for rigid bodies that touch each other: with Frémond's law, ½ ≤ θ ≤ 1/(1+e) and any friction no contact
/// of any step creates energy, and the balance closes to rounding.
#[test]
fn no_throng_of_bodies_creates_energy() {
    let fates = RefCell::new(Fates::default());
    let seeds = "proptest-regressions/throng.txt";
    holds_in(SCENES, seeds, throng(true, true), files, |throng| {
        let summary = run(&throng)?;
        fates.borrow_mut().enter(summary.as_ref());
        match summary {
            Some(summary) if summary.certificate.verdict != Verdict::Dissipative => {
                Err(format!("{:?}", summary.certificate))
            }
            _ => Ok(()),
        }
    });
    fates.into_inner().hold();
}

/// (65) is an identity: with laws that may create energy it closes as well.
#[test]
fn the_balance_of_bodies_closes_for_every_law() {
    let fates = RefCell::new(Fates::default());
    let seeds = "proptest-regressions/throng_laws.txt";
    holds_in(SCENES, seeds, throng(false, true), files, |throng| {
        let summary = run(&throng)?;
        fates.borrow_mut().enter(summary.as_ref());
        match summary {
            Some(summary) if !summary.certificate.balanced() => {
                Err(format!("{:?}", summary.certificate))
            }
            _ => Ok(()),
        }
    });
    fates.into_inner().hold();
}

fn ready(throng: &Throng, view: &View) -> Result<Ready, String> {
    let d = if throng.flat { 2 } else { 3 };
    let mesh = Mesh { dimension: d, offsets: vec![0], ..Mesh::default() };
    prepare(&throng.case(view), &mesh).map_err(|e| e.to_string())
}

/// Places and velocities of the bodies of a scene, in its own units and order.
fn motions(throng: &Throng, view: &View, ready: &Ready, march: &March) -> Vec<[[f64; 3]; 2]> {
    let (state, d) = (march.state(), ready.problem.dofs.dimension);
    let solids = &ready.problem.contacts.solids.bodies;
    let names = &ready.case.system.bodies;
    let of = |k: usize| {
        let name = throng.name(k, view);
        let at = names.iter().position(|body| body.name == name).unwrap();
        let center = &solids[at].center;
        let node = d * center.node().unwrap() as usize;
        let mut v = [0.0; 3];
        v[..d].copy_from_slice(&state.v[node..node + d]);
        let place = center.place(d, &state.q).map(|x| x / view.length);
        let place = [0, 1, 2].map(|i| place[i] - view.shift[i]);
        [view.direction_back(place), view.direction_back(v).map(|v| v / view.velocity())]
    };
    (0..throng.bodies.len()).map(of).collect()
}

/// What became of steps taken twice.
#[derive(Default, Debug)]
struct Compared {
    steps: u32,
    touching: u32,
    /// Scenes left before their end: at a solve, or where impulses of friction have several answers.
    left: u32,
    /// Scenes left where edges cross.
    edges: u32,
    scenes: u32,
    worst: f64,
}

/// Differences of velocities that rounding makes grow from impact to impact.
const GROWN: f64 = 1e-6;

/// Steps a scene and a view of it side by side, each on its own.
fn compare(throng: &Throng, view: &View, all: &mut Compared) -> Result<(), String> {
    let (own, other) = (ready(throng, &PLAIN)?, ready(throng, view)?);
    let (mut first, mut second) = (own.march(), other.march());
    all.scenes += 1;
    for step in 0..own.case.scheme.steps {
        let reports = [first.step().solve, second.step().solve];
        if reports.iter().any(|report| report.status != SolveStatus::Converged) {
            all.left += 1;
            return Ok(());
        }
        // Where edges cross, the place of the contact is a point of the first body within a step.
        let crosses = |(key, _): &(ContactKey, u32)| key.feature >> 30 == 2;
        if view.order.is_some() && first.contacts().pairs.iter().any(crosses) {
            all.edges += 1;
            return Ok(());
        }
        all.steps += 1;
        all.touching += u32::from(!first.contacts().active.is_empty());
        let motions =
            [motions(throng, &PLAIN, &own, &first), motions(throng, view, &other, &second)];
        let flat = motions.map(|m| m.into_iter().flatten().flatten().collect::<Vec<f64>>());
        let off: Vec<f64> = flat[0].iter().zip(&flat[1]).map(|(a, b)| a - b).collect();
        let share = largest(&off) / largest(&flat[0]).max(1.0);
        // Not ≤, so that what is no number does not pass.
        if share >= GROWN || share.is_nan() {
            let counts = [&first, &second].map(|march| march.contacts().active.len());
            let message = format!(
                "step {step}: off by {share:e} ({:e} before), with {counts:?} contacts",
                all.worst
            );
            return Err(message);
        }
        all.worst = all.worst.max(share);
    }
    Ok(())
}

fn looks_the_same<S: Strategy<Value = View>>(
    seeds: &'static str,
    view: impl Fn(&Throng) -> S + Clone,
) {
    let all = RefCell::new(Compared::default());
    // Without friction the velocities of a step are unique.
    let strategy = throng(true, false).prop_flat_map(move |throng| {
        let view = view(&throng);
        (Just(throng), view)
    });
    let files = |(throng, view): &(Throng, View)| (throng.case(view), None);
    holds_in(SCENES, seeds, strategy, files, |(throng, view)| {
        compare(&throng, &view, &mut all.borrow_mut())
    });
    let all = all.into_inner();
    println!("{all:?}");
    assert!(8 * all.touching > all.steps && 20 * all.left <= all.scenes, "{all:?}");
    assert!(3 * all.edges < all.scenes, "{all:?}");
}

#[test]
fn turned_mirrored_and_carried_bodies_move_turned_mirrored_and_carried() {
    looks_the_same("proptest-regressions/throng_turned.txt", |throng| {
        draw::elsewhere(if throng.flat { 2 } else { 3 })
    });
}

#[test]
fn units_of_bodies_scale() {
    looks_the_same("proptest-regressions/throng_units.txt", |_| draw::decades());
}

/// But for edges that cross: there it is the first body that carries the place of the contact along in a step.
#[test]
fn the_order_of_bodies_does_not_matter() {
    looks_the_same("proptest-regressions/throng_order.txt", |_| {
        any::<u64>().prop_map(|seed| View { order: Some(seed), ..PLAIN })
    });
}

/// Every bit, with friction as well.
#[test]
fn one_thread_and_two_move_bodies_alike() {
    let pools =
        [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let seeds = "proptest-regressions/throng_threads.txt";
    holds_in(SCENES / 2, seeds, throng(true, true), files, |throng| {
        let ready = ready(&throng, &PLAIN)?;
        let end = |pool: &rayon::ThreadPool| {
            pool.install(|| {
                let mut march = ready.march();
                for _ in 0..ready.case.scheme.steps {
                    let _ = march.step();
                }
                [&march.state().q, &march.state().v]
                    .map(|x| x.iter().map(|x| x.to_bits()).collect::<Vec<u64>>())
            })
        };
        match end(&pools[0]) == end(&pools[1]) {
            true => Ok(()),
            false => Err("one thread and two differ".into()),
        }
    });
}
