//! What is worth knowing at the end of a run, though its balance closes.

use super::run::Run;
use super::summary::Origin;
use crate::output::{BodyDistortion, Departures, Penetration};

/// What was worth knowing before the run and at its end.
pub(super) fn notices(origin: &Origin, run: &Run, departures: &Departures) -> Vec<String> {
    let before = [&origin.body.mesh.notices[..], &origin.notices].concat();
    let mut notices = [before, run.told.clone(), of_contacts(run)].concat();
    notices.extend(of_departures(run, departures));
    notices
}

/// Rotations, strains and depths beyond what the model holds for.
fn of_departures(run: &Run, departures: &Departures) -> Vec<String> {
    let mut notices = Vec::new();
    for BodyDistortion { body, rotation, rotation_time, strain, strain_time } in &departures.bodies
    {
        if *rotation > LARGE_ROTATION {
            notices.push(format!(
                "{body} turned by {} rad (t = {rotation_time:.4e}): linear elasticity holds for small rotations, \
                 and a body that turns by {LARGE_ROTATION} grows by half a percent; what follows is not what a body would do. \
                 Rigid bodies may turn as they like: [body.NAME]",
                short(*rotation)
            ));
        }
        if *strain > LARGE_STRAIN {
            notices.push(format!(
                "{body} strained by {} % (t = {strain_time:.4e}): linear elasticity is off by about as much",
                short(100.0 * strain)
            ));
        }
    }
    let problem = run.march.problem();
    if let Some(Penetration { depth, time, contact, point, .. }) = &departures.penetration {
        let limit = run.watch.depth_allowed();
        if *depth > limit {
            let remedy = match problem.scheme.corrects_positions() {
                true => "choose a smaller scheme.step",
                false => "choose a smaller scheme.step, or scheme.position_correction = true",
            };
            let place = match run.watch.deepest_is_pair() {
                true => format!("{point} were {depth:.3e} deep in each other, contact '{contact}'"),
                false => {
                    format!("{point} was {depth:.3e} deep in the obstacle of contact '{contact}'")
                }
            };
            notices.push(format!(
                "{place} (t = {time:.4e}), more than a step's way \
                 at the velocity of its impacts explains ({limit:.1e}): gaps drift, for contact is a condition on \
                 velocities; {remedy}"
            ));
        }
    }
    notices
}

fn short(number: f64) -> String {
    if number < 1e4 { format!("{number:.2}") } else { format!("{number:.1e}") }
}

/// A rotation, in radians, whose half square, by which a linear body grows, is half a percent.
const LARGE_ROTATION: f64 = 0.1;
/// A strain of whose size the error of linear elasticity is.
const LARGE_STRAIN: f64 = 0.1;

/// Contacts that were never touched, and contacts that chatter.
fn of_contacts(run: &Run) -> Vec<String> {
    let contacts = &run.march.problem().contacts;
    let mut notices = Vec::new();
    for (set, contact) in contacts.sets.iter().enumerate() {
        let own = contacts.candidates.iter().zip(run.march.ledger().contacts());
        let own: Vec<_> = own.filter(|(c, _)| c.set == set).map(|(_, totals)| totals).collect();
        let closings: u64 = own.iter().map(|t| t.closings).sum();
        let steps: u64 = own.iter().map(|t| t.stick + t.slip).sum();
        let meetings = run.march.ledger().pairs().iter().filter(|own| own.set as usize == set);
        if closings + meetings.map(|own| own.totals.closings).sum::<u64>() == 0 {
            notices.push(format!("contact '{}' was never touched", contact.name));
        } else if closings > CHATTER.0 * own.len() as u64 && steps < CHATTER.1 * closings {
            let why = if contact.restitution.normal > 0.0 {
                "nodes that rebound (restitution > 0) rest in no step, so friction is lost and gaps drift: choose a smaller scheme.step or restitution = 0"
            } else {
                "its nodes leave and come back, as waves that the mesh resolves make them: choose a smaller scheme.step to follow them, or a scheme that damps them (scheme.theta > 0.5)"
            };
            notices.push(format!(
                "contact '{}' chatters: {closings} closings of {:.1} steps each; {why}",
                contact.name,
                steps as f64 / closings as f64
            ));
        }
    }
    notices
}

/// Closings per node, and steps per closing, that make a contact chatter.
const CHATTER: (u64, u64) = (50, 4);
