//! From a case to the cone problem of one of its steps, and from an impulse to the end of that step.

use super::{Exploration, ExploreRequest, explore};
use crate::case::{Case, OnFailure};
use crate::contact::solver::{ContactSolver, SolveReport, SolveStatus, Target};
use crate::contact::{ConeProblem, ContactKey, Contacts};
use crate::error::Error;
use crate::model::{Model, factor, read_mesh};
use crate::simulation::refuse_beyond_memory;
use crate::step::{March, Preparation, State};

/// Which step of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepChoice {
    /// The step from state k − 1 to state k.
    Step(usize),
    /// One step from the case's initial displacements, without velocity.
    Rest,
}

/// A step of a case, explored.
#[derive(Clone, Debug)]
pub struct ExploredStep {
    /// Time at the start of the step.
    pub time: f64,
    /// Names of the active contacts: the node as its mesh numbers it, with its contact set where there are
    /// several.
    pub contacts: Vec<String>,
    /// What was found.
    pub found: Exploration,
    /// For each outcome, the largest velocity component of the whole body at the end of the step.
    pub speeds: Vec<f64>,
    /// The same where no contact acts.
    pub free_speed: f64,
}

/// Whether a configuration can rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Every solution leaves it at rest.
    Rests,
    /// Some do; so many samples move.
    Neither(usize),
    /// None does.
    Moves,
}

/// Share of the velocity that a step without contact gives below which a body is at rest.
const AT_REST: f64 = 1e-9;

impl ExploredStep {
    /// Velocity below which the body is at rest: a share of h‖acceleration‖, or what errors leave.
    pub fn rest_speed(&self) -> f64 {
        let noise = self.found.outcomes.iter().map(|outcome| outcome.velocities.noise);
        noise.fold(AT_REST * self.free_speed, f64::max)
    }

    /// Whether the body can be at rest at the end of the step.
    pub fn rest(&self) -> Rest {
        let limit = self.rest_speed();
        let outcomes = self.found.outcomes.iter().zip(&self.speeds);
        let moving = outcomes.filter(|&(_, &speed)| speed > limit).map(|(o, _)| o.samples.len());
        match moving.sum() {
            0 => Rest::Rests,
            all if all == self.found.solved() => Rest::Moves,
            some => Rest::Neither(some),
        }
    }
}

/// Brings a case to a step, explores it, and ends it with the best sample of each outcome. Nothing is
/// written.
pub fn explore_case(
    case: &Case,
    moment: StepChoice,
    request: &ExploreRequest,
) -> Result<ExploredStep, Error> {
    let mesh = read_mesh(case)?;
    let Model { body, problem, mut state, .. } = Model::build(case, &mesh)?;
    if moment == StepChoice::Rest {
        let still = vec![0.0; state.v.len()];
        state = State::new(&problem.operator, state.q, still, &problem.contacts);
    }
    let preparation = Preparation::new(&problem);
    refuse_beyond_memory(case, preparation.bytes())?;
    let stepper = factor(case, &body, preparation, &mut state)?;
    let target = Target::new(case.solver.tolerance, case.solver.max_iterations);
    let mut march = March::of(stepper, state, case.solver.method, target);
    if let StepChoice::Step(step) = moment {
        replay(case, &mut march, step)?;
    }
    let time = march.state().time;
    let mut listener = Bystander::default();
    end_step(&mut march, &mut listener);
    let active = march.contacts().active.iter().map(|&c| c as usize);
    let pairs = &march.contacts().pairs;
    let name = |c: usize| {
        if let Some(pair) = c.checked_sub(problem.contacts.len()) {
            return name_of_pair(case, &problem.contacts, (pairs, pair));
        }
        let (contacts, grip) = (&problem.contacts, &problem.contacts.candidates[c].grip);
        match grip.node().filter(|_| contacts.face_of(c) == 0) {
            Some(node) if !grip.turns() && contacts.sets.len() == 1 => {
                mesh.node_tags[node as usize].to_string()
            }
            Some(node) if !grip.turns() => {
                format!("{}:{}", contacts.set_of(c).name, mesh.node_tags[node as usize])
            }
            Some(_) | None => contacts.name_of(c),
        }
    };
    let contacts: Vec<String> = active.map(name).collect();
    if let (StepChoice::Step(step), []) = (moment, &contacts[..]) {
        return Err(Error::Usage(format!(
            "--step {step}: no contact is active at t = {time}, so there is nothing to explore; \
             give another step"
        )));
    }
    let Bystander { problem: cone, guess } = listener;
    let found = explore(cone, &guess, request);
    let mut speed = |p: &[f64]| end_step(&mut march, &mut Given(p));
    let best = found.outcomes.iter().map(|outcome| &found.samples[outcome.best].tight.p);
    let speeds = best.map(|p| speed(p)).collect();
    let free_speed = speed(&vec![0.0; guess.len()]);
    Ok(ExploredStep { time, contacts, found, speeds, free_speed })
}

/// The contact set and the bodies of a pair, with its number among those of the two.
fn name_of_pair(
    case: &Case,
    contacts: &Contacts,
    (pairs, pair): (&[(ContactKey, u32)], usize),
) -> String {
    let (key, set) = &pairs[pair];
    let [a, b] = key.bodies.map(|body| &case.system.bodies[body as usize].name);
    let own = |(other, _): &&(ContactKey, u32)| other.bodies == key.bodies;
    let number = pairs[..=pair].iter().filter(own).count();
    format!("{} of {a} and {b}:{number}", contacts.sets[*set as usize].name)
}

/// Takes the steps before step `step`, as a run does.
fn replay(case: &Case, march: &mut March, step: usize) -> Result<(), Error> {
    let steps = case.scheme.steps;
    if !(1..=steps).contains(&step) {
        let message =
            format!("--step {step}: the case has {steps} steps; give one of 1 to {steps}");
        return Err(Error::Usage(message));
    }
    while march.state().step + 1 < step {
        let SolveReport { status, iterations, error } = march.step().solve;
        let state = march.state();
        let (step, time) = (state.step, state.time);
        if status != SolveStatus::Converged && case.solver.on_failure == OnFailure::Stop {
            if status == SolveStatus::Unsettled {
                return Err(Error::Unsettled { step, time, error, iterations });
            }
            let (tolerance, saved) = (case.solver.tolerance, String::new());
            return Err(Error::Unconverged { step, time, error, iterations, tolerance, saved });
        }
        if let Some(&value) = state.v.iter().find(|v| !v.is_finite()) {
            let (stage, quantity) = ("advance", "a velocity".to_string());
            let remedy = "run the case: it tells where the first comes from";
            return Err(Error::NotFinite { step, time, stage, quantity, value, remedy });
        }
    }
    Ok(())
}

/// The largest velocity component at the end of the next step with the impulses of `solver`.
fn end_step(march: &mut March, solver: &mut dyn ContactSolver) -> f64 {
    // What is asked of these solvers is no solution.
    let end = march.end_with(solver, Target::new(0.0, 0));
    end.v.iter().fold(0.0, |most, v| f64::max(most, v.abs()))
}

/// Remembers the problem it is given and leaves the guess as it is.
#[derive(Default)]
struct Bystander {
    problem: ConeProblem,
    guess: Vec<f64>,
}

impl ContactSolver for Bystander {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn solve(&mut self, problem: &ConeProblem, _: Target, p: &mut [f64]) -> SolveReport {
        (self.problem, self.guess) = (problem.clone(), p.to_vec());
        SolveReport { status: SolveStatus::Stalled, iterations: 0, error: f64::INFINITY }
    }
}

/// Answers with an impulse known before.
struct Given<'a>(&'a [f64]);

impl ContactSolver for Given<'_> {
    fn name(&self) -> &'static str {
        "given"
    }

    fn solve(&mut self, _: &ConeProblem, _: Target, p: &mut [f64]) -> SolveReport {
        p.copy_from_slice(self.0);
        SolveReport { status: SolveStatus::Converged, iterations: 0, error: 0.0 }
    }
}
