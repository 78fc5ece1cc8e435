//! What holds for every problem there is: random meshes, bodies, materials, loads, obstacles, laws and
//! steps, in random units.
//!
//! `PROPTEST_CASES` says how many of each property; `PROPTEST_RNG_SEED` which. A counter-example shrinks to
//! a small case file, left with its mesh where the message tells, and its seed stays in
//! `proptest-regressions/`.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a failed test shows what it found

mod bodies;
mod draw;
mod matter;
mod momentum;
mod replay;
mod scenario;
#[path = "../support/mod.rs"]
mod support;
mod throng;
mod twins;
mod view;
mod writer;

use std::cell::RefCell;

use delassus::case::Case;
use delassus::energy::Verdict;
use delassus::error::Error;
use delassus::output::Summary;
use delassus::simulation;
use draw::Range;
use proptest::prelude::*;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner,
};
use scenario::Scenario;
use support::{Folder, Silent};
use twins::{Tally, same_in};
use view::View;

/// Cases of each property where nothing else is asked.
const CASES: u32 = 400;

const ANY: Range = Range { within_the_theorem: false, turned: false };
const COVERED: Range = Range { within_the_theorem: true, turned: false };
const TURNED: Range = Range { within_the_theorem: false, turned: true };

/// Runs a property on random problems; a counter-example is left as a case file and its mesh.
fn holds<S: Strategy>(
    seeds: &'static str,
    strategy: S,
    case_of: impl Fn(&S::Value) -> (String, Option<String>),
    property: impl Fn(S::Value) -> Result<(), String>,
) where
    S::Value: Clone,
{
    holds_in(CASES, seeds, strategy, case_of, property);
}

/// [`holds`], with so many cases where nothing else is asked.
fn holds_in<S: Strategy>(
    cases: u32,
    seeds: &'static str,
    strategy: S,
    case_of: impl Fn(&S::Value) -> (String, Option<String>),
    property: impl Fn(S::Value) -> Result<(), String>,
) where
    S::Value: Clone,
{
    let given = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    let rng_seed = match Config::default().rng_seed {
        RngSeed::Random => RngSeed::Fixed(2026),
        fixed => fixed,
    };
    let config = Config {
        cases: given.unwrap_or(cases),
        rng_seed,
        max_shrink_iters: 600,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..Config::default()
    };
    let outcome = TestRunner::new(config)
        .run(&strategy, |problem| property(problem).map_err(TestCaseError::fail));
    if let Err(TestError::Fail(reason, problem)) = outcome {
        let name = seeds.rsplit('/').next().unwrap().trim_end_matches(".txt");
        let folder = support::repository(&format!("target/properties/{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        let (case, mesh) = case_of(&problem);
        std::fs::write(folder.join("case.toml"), &case).unwrap();
        mesh.iter().for_each(|mesh| std::fs::write(folder.join("mesh.msh"), mesh).unwrap());
        panic!("{reason}\n{case}--- and its mesh are in {}", folder.display());
    }
    outcome.unwrap();
}

/// The whole way of a case: from its files to its results.
fn run(scenario: &Scenario) -> Result<Result<Summary, Error>, String> {
    let folder = Folder::new();
    let (case, mesh) = scenario.files(&scenario.view);
    folder.write("case.toml", case);
    mesh.iter().for_each(|mesh| folder.write("mesh.msh", mesh));
    let case = Case::read(&folder.path("case.toml"), &[]).map_err(|e| e.to_string())?;
    match simulation::run(&case, &folder.path("out"), &mut Silent) {
        Err(error @ (Error::Unsettled { .. } | Error::Unconverged { .. })) => Ok(Err(error)),
        outcome => outcome.map(Ok).map_err(|e| e.to_string()),
    }
}

fn own_files(scenario: &Scenario) -> (String, Option<String>) {
    scenario.files(&scenario.view)
}

/// A step whose contacts cannot be solved stops the run and says so: that must be rare, and what was
/// taken before it is not judged.
#[test]
fn the_identity_closes_for_every_scheme_and_law() {
    let [runs, touching, stopped] = [0, 0, 0].map(RefCell::new);
    holds("proptest-regressions/identity.txt", draw::scenario(ANY), own_files, |scenario| {
        *runs.borrow_mut() += 1;
        let summary = match run(&scenario)? {
            Ok(summary) => summary,
            Err(error) => {
                println!("stops: {error}\n{scenario:?}");
                *stopped.borrow_mut() += 1;
                return Ok(());
            }
        };
        *touching.borrow_mut() += usize::from(summary.solver.steps_with_contact > 0);
        match summary.certificate.balanced() {
            true => Ok(()),
            false => Err(format!("{:?}", summary.certificate)),
        }
    });
    let [runs, touching, stopped] = [runs, touching, stopped].map(RefCell::into_inner);
    println!("of {runs} runs {touching} touch and {stopped} stop");
    assert!(2 * touching > runs && 25 * stopped < runs, "{runs} {touching} {stopped}");
}

/// Proposition 1: ½ ≤ θ ≤ 1/(1+e), and nothing of shapes, motions, friction, masses or units.
#[test]
fn nothing_within_the_theorem_creates_energy() {
    let (stopped, judged) = (RefCell::new(0), RefCell::new(0));
    holds("proptest-regressions/dissipative.txt", draw::scenario(COVERED), own_files, |scenario| {
        // A solve that does not reach its tolerance stops a run, as its policy says: there is no verdict.
        let Ok(summary) = run(&scenario)? else {
            *stopped.borrow_mut() += 1;
            return Ok(());
        };
        *judged.borrow_mut() += 1;
        match summary.certificate.verdict {
            Verdict::Dissipative => Ok(()),
            _ => Err(format!("{:?}", summary.certificate)),
        }
    });
    let (stopped, judged) = (stopped.into_inner(), judged.into_inner());
    println!("{judged} runs are dissipative, {stopped} stopped at a solve");
    assert!(100 * stopped <= judged, "{stopped} of {judged}");
}

/// Linear momentum of everything; its moment where elasticity keeps one; each row of rigid bodies.
#[test]
fn momentum_changes_by_what_acts_and_by_nothing_else() {
    let touching = RefCell::new(0);
    let strategy = draw::scenario(ANY).prop_map(draw::of_known_momentum);
    holds("proptest-regressions/momentum.txt", strategy, own_files, |scenario| {
        *touching.borrow_mut() += momentum::balance(&scenario)?;
        Ok(())
    });
    println!("{} steps touch", touching.borrow());
    assert!(*touching.borrow() > CASES as usize);
}

/// The cone problem of any step, saved and read, is the same, and so are its solution and error.
#[test]
fn saved_cone_problems_replay_to_the_same_error() {
    let solved = RefCell::new(0);
    holds("proptest-regressions/cone.txt", draw::scenario(ANY), own_files, |scenario| {
        *solved.borrow_mut() += replay::replays(&scenario)?;
        Ok(())
    });
    println!("{} cone problems", solved.borrow());
    assert!(*solved.borrow() > CASES as usize);
}

/// A scenario, and a view of it.
fn twins<S: Strategy<Value = View>>(
    range: Range,
    view: impl Fn(&Scenario) -> S + Clone,
) -> impl Strategy<Value = (Scenario, View)> {
    draw::scenario(range).prop_flat_map(move |scenario| {
        let view = view(&scenario);
        (Just(scenario), view)
    })
}

fn look_the_same<S: Strategy<Value = (Scenario, View)>>(seeds: &'static str, strategy: S) {
    let all = RefCell::new(Tally::default());
    let twin_files = |(scenario, view): &(Scenario, View)| scenario.files(view);
    holds(seeds, strategy, twin_files, |(scenario, view)| {
        all.borrow_mut().add(same_in(&scenario, &view)?);
        Ok(())
    });
    let tally = all.into_inner();
    println!("{tally:?}");
    assert!(4 * tally.touching > tally.steps, "hardly anything touches: {tally:?}");
    assert!(20 * tally.undecided < tally.steps, "hardly anything is compared: {tally:?}");
}

#[test]
fn turned_mirrored_and_carried_problems_have_turned_mirrored_and_carried_answers() {
    let tolerant = |(mut scenario, view): (Scenario, View)| {
        scenario.tolerances = true;
        (scenario, view)
    };
    let strategy = twins(TURNED, |s| draw::elsewhere(s.dimension())).prop_map(tolerant);
    look_the_same("proptest-regressions/turned.txt", strategy);
}

#[test]
fn units_scale() {
    look_the_same("proptest-regressions/units.txt", twins(ANY, |_| draw::decades()));
}

#[test]
fn the_order_of_nodes_and_elements_does_not_matter() {
    let view =
        |_: &Scenario| any::<u64>().prop_map(|seed| View { order: Some(seed), ..view::PLAIN });
    look_the_same("proptest-regressions/order.txt", twins(ANY, view));
}
