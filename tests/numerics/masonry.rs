//! Rigid bodies of the plane that touch each other: rolling, rocking, stacks, arches, walls.
//!
//! Numbers of walls and arches are those of limit analysis: the linear programme that asks whether any forces within the
//! cones of friction carry the weight. Coulomb's friction is not associated: where there are such forces, rest is *a*
//! solution of a step, and there may be others, that move; where there are none, nothing rests.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test that cannot go on has failed, and prints what it found

mod arches;
mod rocking;
mod rolling;
mod stacks;
mod walls;

use delassus::case::Case;
use delassus::contact::solver::SolveStatus;
use delassus::energy::Term;
use delassus::model::System;
use delassus::step::{March, Scheme};

const G: f64 = 9.81;

/// What these tables of a case file say, at t = 0.
fn march(tables: &str) -> March {
    let text = format!("units = 'm, s, kg'\n{tables}");
    let case =
        Case::from_text("masonry.toml".as_ref(), text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut system = System::without_mesh(2, Scheme::moreau_jean(0.5), 1.0);
    system.case = case;
    system.march().unwrap_or_else(|e| panic!("{e}"))
}

/// The scheme: θ = ½, Frémond's law, and this step.
fn scheme(h: f64) -> String {
    format!("[scheme]\nlaw = 'fremond'\ntheta = 0.5\nstep = {h:?}\nend = 1.0\n")
}

/// Weight under gravity turned by an angle, so that what is upright stands on a slope that falls to the right.
fn weight(angle: f64) -> String {
    let (sine, cosine) = angle.sin_cos();
    format!("[load.weight]\ngravity = [{:?}, {:?}]\n", G * sine, -G * cosine)
}

/// All bodies obey one law.
fn joints(friction: f64, restitution: f64) -> String {
    format!(
        "[contact.joints]\nbetween = ['bodies', 'bodies']\nfriction = {friction:?}\nrestitution = {restitution:?}\n"
    )
}

/// A fixed body below y = 0.
const FLOOR: &str =
    "[body.floor]\nshape = 'box'\nsize = [100.0, 1.0]\nposition = [0.0, -0.5]\nfixed = true\n";

/// Takes a step, which is solved, closes the identity and creates no energy.
fn step(march: &mut March) {
    let stepped = march.step();
    assert_eq!(stepped.solve.status, SolveStatus::Converged, "{stepped:?}");
    let (ledger, work) = (march.ledger(), &march.contacts().work);
    let limit = ledger.balance_limit();
    assert!(ledger.balance().residual.abs() <= limit, "{:e}", ledger.balance().residual);
    // The limit of the verdict: 1e-10 of what passes through the contact.
    for (own, &c) in work.iter().zip(&march.contacts().active) {
        let share = ledger.share_of(c as usize, own);
        assert!(share <= 1e-10, "contact {c}: {share:e} of {:?}", own[Term::Normal]);
    }
}

/// The fastest of all velocities.
fn fastest(march: &March) -> f64 {
    march.state().v.iter().fold(0.0, |most, v| most.max(v.abs()))
}
