//! From a checked case and its mesh to the discrete problem and its state at t = 0.

mod areas;
mod boundary;
mod builder;
mod definite;
mod groups;
mod initial;
mod obstacles;
mod overlaps;
mod reading;
mod scheme;
mod solids;
mod system;
mod tolerances;

pub use areas::contact_areas;
pub use builder::System;
pub use definite::{factor, why_not};
pub use reading::read_mesh;
pub use scheme::TheoremFacts;
pub use system::add_system;

use std::sync::Arc;

use crate::assembly::{Body, DofMap, Driven, Load, Loads, assemble_with, facet_load};
use crate::case::{Case, LoadKind, PairCase};
use crate::contact::solver::Target;
use crate::contact::{Activation, Against, Candidate, ContactSet, Contacts, Grip};
use crate::energy::Coverage;
use crate::error::Error;
use crate::linalg::{BlockOperator, NoFactor};
use crate::mesh::Mesh;
use crate::rigid::Scene;
use crate::step::{March, Preparation, Problem, State};
use groups::Groups;
use system::{Companions, Numbering};

/// A case ready to be stepped.
pub struct Model<'m> {
    /// The body on its mesh.
    pub body: Body<'m>,
    /// What stands beside it.
    pub scene: Scene,
    /// The discrete problem.
    pub problem: Arc<Problem>,
    /// Its state at t = 0.
    pub state: State,
    /// What the dissipation theorem asks, and whether the case has it.
    pub coverage: Coverage,
    /// Beyond it steps explode; none where every step is stable.
    pub largest_stable_step: Option<f64>,
    /// What is worth knowing before the first step.
    pub notices: Vec<String>,
}

/// Share of the body's size that a gap may have and still be closed.
const GAP_TOLERANCE: f64 = 1e-12;

impl<'m> Model<'m> {
    /// Assembles everything; solves the pre-load.
    pub fn build(case: &Case, mesh: &'m Mesh) -> Result<Self, Error> {
        case.check()?;
        let groups = Groups { case, mesh };
        groups.check_dimension()?;
        let body = groups.body()?;
        let system = Companions::new(&groups)?;
        let (operator, damping) = assemble_with(&body, case.mass, &system.parts()?);
        let (mut motions, mut driven) = boundary::driven_dofs(&groups)?;
        system.drive(&mut motions, &mut driven)?;
        boundary::refuse_motion_beyond(&groups, &motions)?;
        let mut notices = groups.locking(&body);
        let contacts = contacts(&groups, &system, (&body, &driven[..]), &mut notices)?;
        let mut last = vec![false; mesh.points.len()];
        contacts.grips().filter_map(Grip::node).for_each(|node| last[node as usize] = true);
        let rotations = operator.dofs() - operator.node_dofs();
        let sizes = (mesh.dimension, rotations);
        let dofs = DofMap::with_rotations(operator.graph(), sizes, &last, motions, driven);
        if dofs.order.is_empty() {
            return Err(boundary::all_driven(case));
        }
        let mut loads = loads(&groups, &body, &operator)?;
        notices.extend(boundary::drop_held_loads(case, &dofs, &mut loads));
        let (q, v) = initial::displacement_and_velocity(&groups, &system, &operator, &dofs)?;
        initial::refuse_loose_joints(&groups, &contacts.joints, &q)?;
        let mut state = State::new(&operator, q, v, &contacts);
        let mut problem = Problem {
            operator,
            damping,
            dofs,
            loads,
            contacts,
            rigid: Numbering::of(case, mesh).centers(),
            presences: system.presences(case.scheme.step),
            activation: Activation::closed(0.0),
            scheme: case.scheme.parameters,
            h: case.scheme.step,
        };
        problem.activation = activation(&groups, &problem, &state);
        let problem = Arc::new(problem);
        let largest_stable_step = scheme::stability(case, &problem)?;
        let coverage = TheoremFacts::of(&problem, largest_stable_step).coverage(case);
        tolerances::refuse_wide_gaps(&groups, &problem, &state)?;
        notices.extend(tolerances::coarse_solver(&groups));
        notices.extend(scheme::unused_restitution(case));
        notices.extend(boundary::initial_penetration(mesh, &problem, &state));
        notices.extend(overlaps::refuse_deep(case, &problem, &state)?);
        let closed = boundary::close_joints(&problem, &mut state, &mut notices);
        closed.map_err(|NoFactor::NotPositive { position }| Error::NotPositiveDefinite {
            matrix: "mass",
            node: mesh.node_tags[problem.node_of(problem.dofs.order[position] as usize)],
            remedy: "does it have no mass?".into(),
        })?;
        let scene = system.scene(&problem.contacts)?;
        Ok(Self { body, scene, problem, state, coverage, largest_stable_step, notices })
    }

    /// Factors the effective mass, and stands at t = 0 with the contact solver of the case.
    pub fn march(mut self, case: &Case) -> Result<March, Error> {
        let preparation = Preparation::new(&self.problem);
        let stepper = factor(case, &self.body, preparation, &mut self.state)?;
        let target = Target::new(case.solver.tolerance, case.solver.max_iterations);
        Ok(March::of(stepper, self.state, case.solver.method, target))
    }
}

/// A gap is closed up to a share of the size of all that may touch something; a single point has no size but its way
/// to what it may touch, or to the origin.
fn activation(groups: &Groups, problem: &Problem, state: &State) -> Activation {
    let scheme = &groups.case.scheme;
    let given = scheme.gap_tolerance;
    let own = || {
        let (_, size) = tolerances::extent(groups, problem, state);
        GAP_TOLERANCE * size
    };
    Activation { gap_tolerance: given.unwrap_or_else(own), rule: scheme.activation }
}

fn contacts(
    groups: &Groups,
    system: &Companions,
    (body, driven): (&Body, &[Driven]),
    notices: &mut Vec<String>,
) -> Result<Contacts, Error> {
    let mut contacts = Contacts::default();
    for (set, case) in groups.case.contacts.iter().enumerate() {
        let against = match &case.pair {
            PairCase::Obstacle { group, obstacle } => {
                let obstacle = obstacles::obstacle(groups, &case.name, obstacle)?;
                if let Some(points) = system.points_of(group) {
                    notices.extend(system.refuse_missed_faces(&case.name, group, &obstacle)?);
                    for (grip, radius) in points {
                        let at = |face| Candidate { face, ..Candidate::of(grip, radius, set) };
                        contacts.candidates.extend((0..obstacle.faces()).map(at));
                    }
                } else {
                    let own = (&*case.name, &**group);
                    let met = boundary::candidates(groups, own, &obstacle, driven, notices)?;
                    for (node, face) in met {
                        let point = groups.mesh.points[node as usize];
                        let node = Candidate::node(node, point, set);
                        contacts.candidates.push(Candidate { face, ..node });
                    }
                }
                Against::Obstacle(Box::new(obstacle))
            }
            PairCase::Balls(names) => {
                let [(grip, radius), (other, other_radius)] = system.balls(&case.name, names)?;
                contacts.candidates.push(Candidate::of(grip, radius, set));
                Against::Ball { grip: other, radius: other_radius }
            }
            PairCase::Points { points, bodies } => {
                let (own, who) = ((&*case.name, set), (&**points, bodies));
                let (met, against) = system.points_and_bodies(own, who, (body, driven))?;
                contacts.candidates.extend(met);
                against
            }
            PairCase::Bodies(_) => Against::Solids,
        };
        contacts.sets.push(ContactSet {
            name: case.name.clone(),
            against,
            friction: case.friction.clone(),
            restitution: case.restitution,
        });
    }
    let scheme = &groups.case.scheme;
    system.sliders(&mut contacts, scheme.law, scheme.parameters.theta())?;
    contacts.joints = system.joints()?;
    contacts.solids = system.solids(scheme.step)?;
    Ok(contacts)
}

fn loads(groups: &Groups, body: &Body, operator: &BlockOperator) -> Result<Loads, Error> {
    let mut loads = Loads::default();
    let numbering = Numbering::of(groups.case, groups.mesh);
    let weight = |acceleration| weight(operator, acceleration);
    for load in &groups.case.loads {
        let key = format!("load.{}.group", load.name);
        let pattern = match &load.kind {
            LoadKind::Gravity { acceleration, potential: true } => {
                let weight = weight(*acceleration);
                loads.potential_at_rest -= potential_at_rest(groups.mesh, &numbering, &weight);
                loads.potential.resize(weight.len(), 0.0);
                loads.potential.iter_mut().zip(&weight).for_each(|(p, w)| *p += w);
                continue;
            }
            LoadKind::Gravity { acceleration, potential: false } => {
                (0u32..).zip(weight(*acceleration)).collect()
            }
            LoadKind::Traction { group, traction } => {
                let facets = groups.facets(&key, group, body)?;
                facet_load(groups.mesh, &facets, |_| *traction)
            }
            LoadKind::Pressure { group, pressure } => {
                let facets = groups.facets(&key, group, body)?;
                facet_load(groups.mesh, &facets, |n| n.map(|n| -pressure * n))
            }
            LoadKind::Force { group, force } => {
                let nodes = &groups.find(&key, group)?.nodes;
                let d = groups.mesh.dimension;
                let on_node = |&n: &u32| (0..d).map(move |i| (n * d as u32 + i as u32, force[i]));
                nodes.iter().flat_map(on_node).collect()
            }
            LoadKind::Feedback(feedback) => {
                loads.feedback.push(feedback.clone());
                continue;
            }
        };
        loads.external.push(Load { pattern, time: load.time.clone() });
    }
    Ok(loads)
}

/// Work that the weight of masses and bodies does from the origin to where they are at rest: their
/// height counts, while a mesh has its energies from its own configuration at rest.
fn potential_at_rest(mesh: &Mesh, numbering: &Numbering, weight: &[f64]) -> f64 {
    let d = mesh.dimension;
    let nodes = mesh.points.iter().enumerate().skip(numbering.first);
    nodes.map(|(node, x)| (0..d).map(|i| weight[d * node + i] * x[i]).sum::<f64>()).sum()
}

/// M a: what an acceleration of the whole body weighs on each dof; angles weigh nothing.
fn weight(operator: &BlockOperator, acceleration: [f64; 3]) -> Vec<f64> {
    let (n, d) = (operator.dofs(), operator.dimension());
    let on_nodes = (0..operator.node_dofs()).map(|dof| acceleration[dof % d]);
    let mut everywhere: Vec<f64> = on_nodes.collect();
    everywhere.resize(n, 0.0);
    let (mut weight, mut unused) = (vec![0.0; n], vec![0.0; n]);
    operator.apply_into(&everywhere, &everywhere, &mut weight, &mut unused);
    weight
}
