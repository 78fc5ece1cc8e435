//! A step allocates nothing: what it needs was set aside in `new`.
#![allow(unsafe_code)] // an allocator that counts is one
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use std::alloc::{GlobalAlloc, Layout, System};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use delassus::case::Case;
use delassus::contact::solver::{Method, Target};
use delassus::mesh::Mesh;
use delassus::model::Model;
use delassus::output::{History, Recorder, View};
use delassus::step::{Alpha, March, Problem, Scheme, State, Stepped};

/// The system's allocator, with a counter.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const STAGES: [&str; 8] =
    ["rhs", "forward", "contact", "backward", "advance", "ledger", "entry", "history"];

/// Every kind of scheme; each has its own way through the stages.
fn schemes() -> [Scheme; 8] {
    let corrected = Alpha { position_correction: true, ..Alpha::hht(0.1) };
    [
        Scheme::moreau_jean(0.5),
        Scheme::Newmark(Alpha::newmark(0.25, 0.5)),
        Scheme::Hht(Alpha::hht(0.1)),
        Scheme::Hht(corrected),
        Scheme::GeneralisedAlpha { rho_infinity: 0.8, alpha: Alpha::of_radius(0.8) },
        Scheme::SchatzmanPaoli { beta: 0.25 },
        Scheme::CentralDifference,
        Scheme::PlainNewmark { beta: 0.3, gamma: 0.55 },
    ]
}

/// The only test of this file: another one beside it would be counted too.
#[test]
fn two_hundred_steps_allocate_nothing() {
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/sliding_block.toml");
    let case = Case::read(case.as_ref(), &[]).unwrap();
    let mesh = Mesh::read(case.mesh_file().unwrap()).unwrap();
    for scheme in schemes() {
        let Model { mut problem, state, .. } = Model::build(&case, &mesh).unwrap();
        Arc::make_mut(&mut problem).scheme = scheme;
        count_allocations(&problem, state, 30);
    }
    // Bodies that meet, once the pattern of their contacts is settled.
    let case = Case::from_text("stack.toml".as_ref(), STACK.into(), &[]).unwrap();
    let mesh = delassus::model::read_mesh(&case).unwrap();
    let Model { problem, state, .. } = Model::build(&case, &mesh).unwrap();
    count_allocations(&problem, state, 15);
}

/// Four boxes on each other.
const STACK: &str = r#"title = "Four boxes"
units = "m, s, kg"
[body.floor]
shape = "box"
size = [6.0, 4.0, 0.2]
fixed = true
position = [0.0, 0.0, -0.1]

[body.box]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 2.0
position = [0.0, 0.0, 0.5]
repeat = { count = [1, 1, 4], spacing = [1.0, 1.0, 1.0] }

[load.weight]
gravity = [0.0, 0.0, -9.81]

[contact.stones]
between = ["bodies", "bodies"]
friction = 0.5
restitution = 0.0

[scheme]
step = 1e-3
end = 1.0
"#;

fn count_allocations(problem: &Arc<Problem>, state: State, least: usize) {
    let scheme = problem.scheme;
    let target = Target::new(1e-10, 10_000);
    let mut march = March::new(problem, state, Method::Auto, target).unwrap();
    let path = std::env::temp_dir().join(format!("delassus-allocation-{}", std::process::id()));
    let mut history = History::create(&path, 1, 205).unwrap();

    let mut allocated = [0; STAGES.len()];
    for step in 0..205 {
        let mut seen = ALLOCATIONS.load(Ordering::Relaxed);
        let mut count = |stage: usize| {
            let now = ALLOCATIONS.load(Ordering::Relaxed);
            allocated[stage] += if step < 5 { 0 } else { now - seen };
            seen = now;
        };
        let stepped = march.step_watched(None, |stage, _, _| {
            count(stage as usize);
            Ok::<(), Infallible>(())
        });
        let Ok(Stepped { solve, .. }) = stepped;
        let view = View {
            state: march.state(),
            problem: march.problem(),
            contact: march.contacts(),
            ledger: march.ledger(),
            solve,
            departure: Default::default(),
        };
        history.record(&view).unwrap();
        count(7);
    }
    let _ = std::fs::remove_file(path);
    assert!(march.ledger().worst().contacts > least, "{scheme}: nothing touched");
    let found: Vec<_> = STAGES.iter().zip(allocated).filter(|(_, count)| *count > 0).collect();
    assert!(found.is_empty(), "{scheme}: allocations in 200 steps: {found:?}");
}
