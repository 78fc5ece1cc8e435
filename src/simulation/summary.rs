//! What is left to say at the end of a run.

use super::identity::Identity;
use super::memory;
use super::notices::notices;
use super::run::Run;
use crate::assembly::Body;
use crate::case::{Case, MaterialCase};
use crate::contact::ContactSet;
use crate::energy::{Certificate, Coverage, Ledger, StepTerms, Term};
use crate::output::{
    CaseSummary, ContactSummary, Counts, Energies, MaterialSummary, Obstacles, Scales,
    SchemeSummary, Summary,
};
use crate::step::{March, Problem};

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

/// Sizes of a run that takes all its steps and refines none.
pub(super) fn planned_counts(case: &Case, body: &Body, mesh_nodes: usize, march: &March) -> Counts {
    let problem = march.problem();
    Counts {
        nodes: mesh_nodes,
        elements: body.elements.len(),
        dofs: problem.operator.dofs(),
        masses: case.system.masses.len(),
        bodies: case.system.bodies.len(),
        joints: case.system.joints.len(),
        driven_dofs: problem.dofs.driven.len(),
        contact_nodes: problem.contacts.len(),
        obstacles: Obstacles::of(&problem.contacts).count(),
        meeting_bodies: match problem.contacts.solids.meet() {
            true => problem.contacts.solids.bodies.len(),
            false => 0,
        },
        pairs: 0,
        most_contacts: 0,
        most_contacts_of_bodies: 0,
        steps: case.scheme.steps,
        refined_steps: 0,
        factor_entries: march.stepper().factor().entries(),
        history_every: case.output.history_every,
        fields_every: case.output.fields_every,
    }
}

/// The summary of a run that has ended, with its certificate.
pub(super) fn summarise(origin: &Origin, run: &Run) -> Summary {
    let case = origin.case;
    let (problem, ledger) = (run.march.problem(), run.march.ledger());
    let certificate = Certificate::new(origin.coverage, run.march.worst());
    let departures = run.watch.departures();
    Summary {
        version: env!("CARGO_PKG_VERSION").into(),
        finished: run.is_done(),
        case: case_summary(case, &run.records.identity),
        scheme: scheme_summary(origin, problem),
        counts: Counts {
            steps: run.march.state().step,
            refined_steps: run.statistics.refined_steps,
            pairs: ledger.pairs().len(),
            most_contacts: ledger.worst().contacts,
            most_contacts_of_bodies: ledger.worst().contacts_of_bodies,
            ..planned_counts(case, origin.body, origin.mesh_nodes, &run.march)
        },
        scales: Scales::of(&problem.activation),
        energies: energies(run.march.energies_at_start(), ledger),
        solver: run.statistics.summary.clone(),
        peak_memory: memory::peak(),
        predicted_memory: origin.predicted_memory as u64,
        factor_memory: run.march.stepper().bytes() as u64,
        certificate,
        notices: notices(origin, run, &departures),
        departures,
        timings: run.clock.read(),
        digests: Default::default(),
        seal: String::new(),
    }
}

/// What can be said of a run before its first step.
pub(super) fn summarise_start(origin: &Origin, run: &Run) -> Summary {
    let notices = [&origin.body.mesh.notices[..], &origin.notices].concat();
    Summary { finished: false, notices, ..summarise(origin, run) }
}

fn case_summary(case: &Case, identity: &Identity) -> CaseSummary {
    CaseSummary {
        name: case.name.clone(),
        title: case.title.clone(),
        units: case.units.clone(),
        overrides: case.overrides().to_vec(),
        file: case.path.display().to_string(),
        text: case.text().into(),
        mesh: case.mesh_file().map(|path| path.display().to_string()),
        files: identity.hashes(),
        materials: case.materials.iter().map(material_summary).collect(),
    }
}

fn material_summary(case: &MaterialCase) -> MaterialSummary {
    let material = &case.material;
    let section = material.section.name();
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
        friction: contact.friction.coefficient(),
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
        strain_start: start[Term::Strain],
        total: now.total(),
        terms: now.terms,
    }
}
