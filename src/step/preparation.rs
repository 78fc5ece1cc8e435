//! What a stepper will hold, known before any of it is allocated.

use std::sync::Arc;

use super::generalised_alpha::Rule;
use super::{GeneralisedAlpha, MoreauJean, Problem, Scheme, State, Stepper};
use super::{central_difference, plain_newmark, schatzman_paoli};
use crate::contact::{ConeProblem, Response};
use crate::linalg::{Factor, NoFactor, Plan, UpperColumns};

/// M̂ in elimination order and the plan of its factor.
pub struct Preparation {
    problem: Arc<Problem>,
    matrix: UpperColumns,
    plan: Plan,
}

/// The factor of M̂, and M̂ between free and driven dofs.
pub(super) struct EffectiveMass {
    pub problem: Arc<Problem>,
    pub factor: Factor,
    /// Entries of M̂ between positions and driven dofs, empty where nothing driven moves.
    pub coupling: Vec<(u32, u32, f64)>,
    pub scratch: Vec<f64>,
}

impl Preparation {
    /// Plans the factor of M̂.
    pub fn new(problem: &Arc<Problem>) -> Self {
        let dofs = &problem.dofs;
        let mut matrix = problem.effective_mass().upper_columns(&dofs.position, &dofs.order);
        if problem.scheme.weights(problem.h).1 == 0.0 {
            matrix.drop_zeros();
        }
        let plan = Plan::new(&matrix, dofs.trailing);
        Self { problem: Arc::clone(problem), matrix, plan }
    }

    /// The problem.
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Most bytes that factors, responses between contact dofs and cone problems will take.
    pub fn bytes(&self) -> usize {
        let partition = self.plan.trailing_partition();
        let pairs = self.problem.coupled_pairs(&partition);
        let cone = ConeProblem::bytes_for(self.problem.dofs.dimension.max(2), pairs);
        let response = Response::bytes_for(&partition);
        let [factors, responses, cones] = self.problem.scheme.holdings();
        factors * self.plan.bytes() + responses * response + cones * cone
    }

    /// Factors M̂ and makes the stepper of the problem's scheme; the state gets the memory it needs.
    pub fn factor(self, state: &mut State) -> Result<Box<dyn Stepper>, NoFactor> {
        let problem = Arc::clone(&self.problem);
        let mass = self.effective_mass()?;
        Ok(match problem.scheme {
            Scheme::MoreauJean { theta, forecast, position_correction } => {
                Box::new(MoreauJean::with(mass, state, theta, (forecast, position_correction)))
            }
            Scheme::Newmark(alpha)
            | Scheme::Hht(alpha)
            | Scheme::GeneralisedAlpha { alpha, .. } => {
                Box::new(GeneralisedAlpha::with(mass, state, alpha, Rule::Impulses)?)
            }
            Scheme::SchatzmanPaoli { beta } => {
                Box::new(schatzman_paoli::stepper(mass, state, beta)?)
            }
            Scheme::CentralDifference => Box::new(central_difference::stepper(mass, state)?),
            Scheme::PlainNewmark { beta, gamma } => {
                Box::new(plain_newmark::stepper(mass, state, beta, gamma)?)
            }
        })
    }

    /// Factors M̂.
    pub(super) fn effective_mass(self) -> Result<EffectiveMass, NoFactor> {
        let Self { problem, mut matrix, plan } = self;
        let factor = plan.factor(&matrix)?;
        let moves = problem.dofs.moves();
        let coupling = if moves { std::mem::take(&mut matrix.coupling) } else { Vec::new() };
        let scratch = factor.scratch();
        Ok(EffectiveMass { problem, factor, coupling, scratch })
    }
}
