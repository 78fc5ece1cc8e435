//! The stepper at t = 0.

use std::sync::Arc;

use super::correction::Correction;
use super::response::{responses, responses_of_forces};
use super::{GeneralisedAlpha, Rule};
use crate::linalg::NoFactor;
use crate::step::contact_stage::{ContactStage, JointsHold, StageResponses};
use crate::step::forces::{accelerating_force, apply_damping, force_at};
use crate::step::mass::Mass;
use crate::step::preparation::EffectiveMass;
use crate::step::starting::add_contact_forces;
use crate::step::{Alpha, ConnectedBodies, State};

impl GeneralisedAlpha {
    /// With a₀ = c₀ = M⁻¹(F − K q − C v) at t = 0: a start with no contact force in a₀, but where contact
    /// forces are forces as others.
    pub(in crate::step) fn with(
        mut mass: EffectiveMass,
        state: &mut State,
        alpha: Alpha,
        mut rule: Rule,
    ) -> Result<Self, NoFactor> {
        let problem = Arc::clone(&mass.problem);
        let (n, free) = (state.q.len(), problem.dofs.order.len());
        let needed = |is: bool, size: usize| vec![0.0; if is { size } else { 0 }];
        let damped = problem.damping.is_some();
        let mut inverse = if alpha.needs_mass() { Some(Mass::new(&problem)?) } else { None };
        let mut force = vec![0.0; n];
        force_at(&problem, state.time, state, &mut force);
        let mut cv = needed(damped, n);
        let mut ma = vec![0.0; n];
        apply_damping(&problem, &state.v, &mut cv);
        accelerating_force(&problem, state, &force, &cv, &mut ma);
        let starting = match &rule {
            Rule::Forces(_) => Some(add_contact_forces(state, &mut Mass::new(&problem)?, &mut ma)),
            Rule::Impulses | Rule::Both(_) => None,
        };
        (state.memory.ma, state.memory.mc) = (ma.clone(), ma.clone());
        if let Some(inverse) = &mut inverse {
            let mut a = vec![0.0; n];
            inverse.solve_into(&ma, &mut a);
            state.memory.a = a;
        }
        let stage = match (&rule, &mut inverse) {
            (Rule::Forces(_), _) => {
                let mut stage =
                    ContactStage::new(&problem, state, responses_of_forces(&mass, alpha));
                stage.hold_positions();
                starting.iter().for_each(|starting| stage.take_over(starting));
                stage
            }
            (_, Some(inverse)) if alpha.position_correction => {
                let (correction, seen) = Correction::new(&mut mass, inverse, state, alpha);
                rule = Rule::Both(Box::new(correction));
                let responses = StageResponses::of(seen, 1.0);
                let mut stage = ContactStage::new(&problem, state, responses);
                stage.joints_hold = JointsHold::Velocities;
                stage
            }
            (_, inverse) => {
                let responses = responses(&mut mass, inverse.as_mut(), alpha);
                ContactStage::new(&problem, state, responses)
            }
        };
        let with_mass = inverse.is_some();
        Ok(Self {
            mass,
            alpha,
            rule,
            inverse,
            stage,
            start: state.clone(),
            force: [vec![0.0; n], force],
            damping: [cv.clone(), cv],
            rate: vec![0.0; n],
            drift: needed(with_mass, n),
            swept: needed(with_mass, free),
            x: vec![0.0; free],
            y: vec![0.0; free - problem.dofs.trailing],
            work: [vec![0.0; n], vec![0.0; n]],
            bodies: ConnectedBodies::of(&problem),
        })
    }
}
