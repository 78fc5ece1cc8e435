//! Why a matrix has no Cholesky factor.

use std::sync::Arc;

use crate::assembly::Body;
use crate::case::Case;
use crate::error::Error;
use crate::linalg::{BlockOperator, NoFactor};
use crate::step::{Preparation, Problem, State, Stepper};

/// The stepper of the problem's scheme; where M̂ is not positive definite, an error that says where and why.
pub fn factor(
    case: &Case,
    body: &Body,
    preparation: Preparation,
    state: &mut State,
) -> Result<Box<dyn Stepper>, Error> {
    let problem = Arc::clone(preparation.problem());
    preparation.factor(state).map_err(|NoFactor::NotPositive { position }| {
        let dof = problem.dofs.order[position] as usize;
        let node = body.mesh.node_tags[dof / problem.dofs.dimension];
        let remedy = why_not(case, body, &problem, dof);
        Error::NotPositiveDefinite { matrix: "effective mass", node, remedy }
    })
}

/// What overflowed at a dof, if anything did.
pub(super) fn overflow(operator: &BlockOperator, dof: usize) -> Option<String> {
    let (mass, stiffness) = operator.diagonal(dof);
    if !mass.is_finite() {
        Some(format!("its mass is {mass}: is the density, or a length, too large?"))
    } else if !stiffness.is_finite() {
        Some(format!(
            "its stiffness is {stiffness}: is young too large, or an element too small for numbers to hold it?"
        ))
    } else {
        None
    }
}

/// What the data say of a dof at which M̂ = M + aC + bK is not positive definite, and what to do.
pub fn why_not(case: &Case, body: &Body, problem: &Problem, dof: usize) -> String {
    let (mass, stiffness) = problem.operator.diagonal(dof);
    let (_, weight) = problem.scheme.weights(problem.h);
    let node = problem.node_of(dof) as u32;
    let element = lightest_element(case, body, node);
    let elastic = weight * stiffness;
    if let Some(overflow) = overflow(&problem.operator, dof) {
        return format!("{overflow} {}", at(&element));
    }
    match element {
        _ if !elastic.is_finite() => format!(
            "its stiffness {stiffness:e} is {elastic} within a step: choose a smaller scheme.step; {}",
            at(&element)
        ),
        None if mass <= 0.0 => format!(
            "its mass is {mass}: it is in no element of the body, and no mass or body has weight there"
        ),
        Some(_) if mass <= 0.0 => format!(
            "its mass is {mass}: the density, or an element, is too small for numbers to hold it; {}",
            at(&element)
        ),
        _ if mass <= f64::EPSILON * elastic => format!(
            "its mass {mass:e} is lost beside the stiffness {elastic:e} of a step, which does not hold it \
             alone: choose a smaller scheme.step or a larger density; {}",
            at(&element)
        ),
        _ => format!(
            "its mass {mass:e} and stiffness {elastic:e} are sound, but rounding leaves nothing of them: is an \
             element there much thinner than it is long? `delassus mesh` tells the worst; {}",
            at(&element)
        ),
    }
}

/// The element with the least mass at a node, and its material.
struct Lightest<'a> {
    /// As the mesh numbers it.
    tag: u64,
    material: &'a str,
    density: f64,
    longest_edge: f64,
}

fn at(element: &Option<Lightest>) -> String {
    match element {
        None => "no element of the body is there".into(),
        Some(Lightest { tag, material, density, longest_edge }) => format!(
            "element {tag} there is of material '{material}', density {density:e}, and at most {longest_edge:e} long"
        ),
    }
}

fn lightest_element<'a>(case: &'a Case, body: &Body, node: u32) -> Option<Lightest<'a>> {
    let own = (0..body.elements.len()).filter(|&e| body.nodes_of(e).contains(&node));
    let lightest = own
        .map(|e| (e, body.material(e).density * longest_edge(body, e)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    lightest.map(|(e, _)| Lightest {
        tag: body.mesh.element_tags[body.elements[e] as usize],
        material: &case.materials[body.material_of[e] as usize].name,
        density: body.material(e).density,
        longest_edge: longest_edge(body, e),
    })
}

/// The largest distance between two nodes of an element.
fn longest_edge(body: &Body, e: usize) -> f64 {
    let (points, count) = (body.points_of(e), body.nodes_of(e).len());
    let apart = |a: usize, b: usize| -> f64 {
        (0..3).map(|i| (points[a][i] - points[b][i]).powi(2)).sum::<f64>().sqrt()
    };
    let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.map(|(a, b)| apart(a, b)).fold(0.0, f64::max)
}
