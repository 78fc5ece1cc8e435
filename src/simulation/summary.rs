//! What is left to say at the end of a run.

use super::checkpoint::Identity;
use super::march::March;
use super::memory;
use crate::assembly::Body;
use crate::case::{Case, MaterialCase};
use crate::contact::ContactSet;
use crate::energy::{Certificate, Coverage, Ledger, StepTerms};
use crate::material::Section;
use crate::output::{
    BodyDistortion, CaseSummary, ContactSummary, Counts, Departures, Energies, MaterialSummary,
    Obstacles, Penetration, Scales, SchemeSummary, Summary,
};
use crate::step::Problem;

/// Where a run comes from.
pub(super) struct Origin<'a> {
    pub case: &'a Case,
    pub body: &'a Body<'a>,
    /// Nodes of the mesh, without those of masses and bodies.
    pub mesh_nodes: usize,
    pub coverage: Coverage,
    pub largest_stable_step: Option<f64>,
    pub notices: Vec<String>,
    pub predicted_memory: usize,
}

/// The summary of a run that has ended, with its certificate.
pub(super) fn summarise(origin: &Origin, march: &March) -> Summary {
    let case = origin.case;
    let (problem, ledger) = (march.stepper.problem(), &march.ledger);
    let certificate = Certificate::new(origin.coverage, march.worst());
    let departures = march.watch.departures();
    Summary {
        version: env!("CARGO_PKG_VERSION").into(),
        finished: march.is_done(),
        case: case_summary(case, &march.records.identity),
        scheme: scheme_summary(origin, problem),
        counts: Counts {
            nodes: origin.mesh_nodes,
            elements: origin.body.elements.len(),
            dofs: problem.operator.dofs(),
            masses: case.system.masses.len(),
            bodies: case.system.bodies.len(),
            joints: case.system.joints.len(),
            driven_dofs: problem.dofs.driven.len(),
            contact_nodes: problem.contacts.len(),
            obstacles: Obstacles::of(&problem.contacts).count(),
            steps: march.state.step,
            refined_steps: march.statistics.refined_steps,
            factor_entries: march.stepper.factor_entries(),
            history_every: case.output.history_every,
            fields_every: case.output.fields_every,
        },
        scales: Scales::of(&problem.activation),
        energies: energies(&march.start, ledger),
        solver: march.statistics.summary.clone(),
        peak_memory: memory::peak(),
        predicted_memory: origin.predicted_memory as u64,
        factor_memory: march.stepper.bytes() as u64,
        certificate,
        notices: notices(origin, march, &departures),
        departures,
        timings: march.clock.read(),
        digests: Default::default(),
        seal: String::new(),
    }
}

/// What was worth knowing before the run and at its end.
fn notices(origin: &Origin, march: &March, departures: &Departures) -> Vec<String> {
    let before = [&origin.body.mesh.notices[..], &origin.notices].concat();
    let mut notices = [before, march.told.clone(), of_contacts(march)].concat();
    notices.extend(of_departures(march, departures));
    notices
}

/// Rotations, strains and depths beyond what the model holds for.
fn of_departures(march: &March, departures: &Departures) -> Vec<String> {
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
    let problem = march.stepper.problem();
    if let Some(Penetration { depth, time, contact, point, .. }) = &departures.penetration {
        let limit = march.watch.depth_allowed();
        if *depth > limit {
            let remedy = match problem.scheme.corrects_positions() {
                true => "choose a smaller scheme.step",
                false => "choose a smaller scheme.step, or scheme.position_correction = true",
            };
            notices.push(format!(
                "{point} was {depth:.3e} deep in the obstacle of contact '{contact}' (t = {time:.4e}), more than a step's way \
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
fn of_contacts(march: &March) -> Vec<String> {
    let contacts = &march.stepper.problem().contacts;
    let mut notices = Vec::new();
    for (set, contact) in contacts.sets.iter().enumerate() {
        let own = contacts.candidates.iter().zip(march.ledger.contacts());
        let own: Vec<_> = own.filter(|(c, _)| c.set == set).map(|(_, totals)| totals).collect();
        let closings: u64 = own.iter().map(|t| t.closings).sum();
        let steps: u64 = own.iter().map(|t| t.stick + t.slip).sum();
        if closings == 0 {
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

fn case_summary(case: &Case, identity: &Identity) -> CaseSummary {
    CaseSummary {
        name: case.name.clone(),
        title: case.title.clone(),
        units: case.units.clone(),
        overrides: case.overrides().to_vec(),
        file: case.path.display().to_string(),
        text: case.text().into(),
        mesh: case.mesh.as_ref().map(|path| path.display().to_string()),
        files: identity.hashes(),
        materials: case.materials.iter().map(material_summary).collect(),
    }
}

fn material_summary(case: &MaterialCase) -> MaterialSummary {
    let material = &case.material;
    let section = match material.section {
        Section::PlaneStress { .. } => "plane stress",
        Section::PlaneStrain { .. } => "plane strain",
        Section::Solid => "solid",
        Section::Bar { .. } => "bar",
    };
    MaterialSummary {
        name: case.name.clone(),
        group: case.group.clone(),
        young: material.young,
        poisson: material.poisson,
        density: material.density,
        section: section.into(),
        depth: material.section.depth(),
    }
}

fn contact_summary(contact: &ContactSet) -> ContactSummary {
    ContactSummary {
        name: contact.name.clone(),
        friction: contact.friction,
        restitution: contact.restitution.normal,
        tangential_restitution: contact.restitution.tangential,
    }
}

fn scheme_summary(origin: &Origin, problem: &Problem) -> SchemeSummary {
    let case = origin.case;
    let scheme = &case.scheme;
    SchemeSummary {
        parameters: scheme.parameters,
        law: scheme.law.name().into(),
        step: scheme.step,
        end: scheme.step * scheme.steps as f64,
        activation: case.activation_name().into(),
        frames_turn: problem.frames_turn(),
        damped: problem.damping.is_some(),
        largest_stable_step: origin.largest_stable_step,
        contacts: problem.contacts.sets.iter().map(contact_summary).collect(),
    }
}

fn energies(start: &StepTerms, ledger: &Ledger) -> Energies {
    let now = ledger.totals();
    Energies {
        total_start: start.total(),
        strain_start: start.strain,
        kinetic: now.kinetic,
        strain: now.strain,
        potential: now.potential,
        total: now.total(),
        work_external: now.work_external,
        work_damping: now.work_damping,
        work_normal: now.work_normal,
        work_tangential: now.work_tangential,
        dissipation_numerical: now.dissipation_numerical,
    }
}
