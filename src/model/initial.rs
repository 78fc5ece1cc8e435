//! The state at t = 0: static pre-load, initial fields, driven dofs.

use super::boundary::{Claim, owners};
use super::definite::overflow;
use super::groups::Groups;
use super::system::{Companions, Numbering};
use crate::assembly::{DofMap, Driven, Floating, static_solve};
use crate::case::{BodyCase, FieldCase, PreloadCase};
use crate::contact::Joint;
use crate::error::Error;
use crate::linalg::{BlockOperator, NoFactor};
use crate::time::Motion;
use crate::vector::cross;

/// q and v at t = 0.
pub(super) fn displacement_and_velocity(
    groups: &Groups,
    system: &Companions,
    operator: &BlockOperator,
    dofs: &DofMap,
) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let case = groups.case;
    let mut q = preload(groups, operator)?;
    let mut v = vec![0.0; operator.dofs()];
    add_fields((groups, system), "displacement", &case.displacements, &mut q)?;
    add_fields((groups, system), "velocity", &case.velocities, &mut v)?;
    system.start(&mut q, &mut v);
    let nothing_given = case.preload.is_empty() && case.displacements.is_empty();
    for driven in &dofs.driven {
        let dof = driven.dof as usize;
        let motion = &dofs.motions[driven.motion];
        v[dof] = motion.velocity(0.0);
        if let Motion::Displacement { value, time } = motion {
            let prescribed = value * time.value(0.0);
            let off = (q[dof] - prescribed).abs();
            if !nothing_given && off > 1e-9 * prescribed.abs().max(q[dof].abs()) {
                let key = format!("boundary.{}.displacement", case.boundaries[driven.motion].name);
                let tag = groups.mesh.node_tags[dof / dofs.dimension];
                let message = format!(
                    "prescribes {prescribed} at t = 0, but node {tag} starts at {}; make [initial] agree, or prescribe a velocity",
                    q[dof]
                );
                return Err(case.error_at(&key, message));
            }
            q[dof] = prescribed;
        }
    }
    Ok((q, v))
}

/// Share of its size by which a joint may be off at t = 0: what a case writes down with some ten digits.
const LOOSE: f64 = 1e-9;

/// Joints hold what holds at t = 0: from elsewhere the first step would leap.
pub(super) fn refuse_loose_joints(
    groups: &Groups,
    joints: &[Joint],
    q: &[f64],
) -> Result<(), Error> {
    let d = groups.mesh.dimension;
    let largest = |x: &[f64]| x.iter().fold(0.0, |m, x| f64::max(m, x.abs()));
    for joint in joints {
        let count = joint.equations(d);
        let off = largest(&joint.value(d, q)[..count]);
        if off > LOOSE * joint.reach(d, q) {
            let message =
                format!("is off by {off:e} at t = 0; displace what it connects so that it holds");
            return Err(groups.case.error_at(&format!("joint.{}", joint.name), message));
        }
    }
    Ok(())
}

fn add_fields(
    (groups, system): (&Groups, &Companions),
    kind: &str,
    fields: &[FieldCase],
    x: &mut [f64],
) -> Result<(), Error> {
    let (d, points) = (groups.mesh.dimension, &groups.mesh.points);
    let bodies = &groups.case.system.bodies;
    let numbering = Numbering::of(groups.case, groups.mesh);
    for field in fields {
        let key = format!("initial.{kind}.{}.group", field.name);
        for node in groups.nodes(&key, field.group.as_ref())? {
            let r: [f64; 3] = [0, 1, 2].map(|i| points[node as usize][i] - field.center[i]);
            let turned = cross(field.spin, r);
            for i in 0..d {
                x[d * node as usize + i] += field.value[i] + turned[i];
            }
            // A body turns with it.
            let named = |body: &BodyCase| Some(&body.name) == field.group.as_ref();
            let Some(index) = bodies.iter().position(named) else { continue };
            let turn = numbering.turn(index) as usize;
            match system.own_spin(index, field.spin) {
                None => x[turn] += field.spin[2],
                Some(_) if kind == "displacement" && field.spin != [0.0; 3] => {
                    let message = "turns no body in space; give its own rotation in its table";
                    let key = format!("initial.displacement.{}.spin", field.name);
                    return Err(groups.case.error_at(&key, message));
                }
                Some(own) => (0..3).for_each(|k| x[turn + k] += own[k]),
            }
        }
    }
    Ok(())
}

/// Displacements of the static solve with the pre-load's dofs driven; zero where there is none.
fn preload(groups: &Groups, operator: &BlockOperator) -> Result<Vec<f64>, Error> {
    let preloads = &groups.case.preload;
    if preloads.is_empty() {
        return Ok(vec![0.0; operator.dofs()]);
    }
    let claim = |p: &PreloadCase| Claim {
        key: format!("initial.preload.{}", p.name),
        group: p.group.clone(),
        component: p.component,
    };
    let claims: Vec<Claim> = preloads.iter().map(claim).collect();
    let same =
        |first: usize, second: usize| preloads[first].displacement == preloads[second].displacement;
    let owners = owners(groups, &claims, same)?;
    let values: Vec<f64> = owners.values().map(|&index| preloads[index].displacement).collect();
    // Masses and bodies stay where they are.
    let (d, first) = (operator.dimension(), Numbering::of(groups.case, groups.mesh).first);
    let others = (d * first..operator.dofs()).map(|dof| dof as u32);
    let values: Vec<f64> = values.into_iter().chain(others.clone().map(|_| 0.0)).collect();
    let driven = owners.keys().copied().chain(others);
    let driven = driven.map(|dof| Driven { dof, motion: 0 }).collect();
    let last = vec![false; operator.graph().nodes()];
    let sizes = (operator.dimension(), operator.dofs() - operator.node_dofs());
    let dofs = DofMap::with_rotations(operator.graph(), sizes, &last, Vec::new(), driven);
    if let Some(floating) = Floating::find(groups.mesh, operator, &dofs) {
        let tag = groups.mesh.node_tags[floating.node as usize];
        let message = format!(
            "the part of the body with node {tag} is free to {}; hold more of it in [initial.preload]",
            floating.motion
        );
        return Err(groups.case.error_at("initial.preload", message));
    }
    let no_force = vec![0.0; operator.dofs()];
    let solved = static_solve(&operator.scaled(0.0, 1.0), &dofs, &values, &no_force);
    solved.map_err(|NoFactor::NotPositive { position }| {
        let dof = dofs.order[position] as usize;
        let remedy = "is the pre-load holding the body firmly there?";
        Error::NotPositiveDefinite {
            matrix: "stiffness",
            node: groups.mesh.node_tags[dof / dofs.dimension],
            remedy: overflow(operator, dof).unwrap_or_else(|| remedy.into()),
        }
    })
}
