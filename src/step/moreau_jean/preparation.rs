//! What a stepper will hold, known before any of it is allocated.

use super::{ContactState, Meeting, MoreauJean};
use crate::contact::obstacle::Frame;
use crate::contact::{Candidate, ConeProblem, Delassus, Status};
use crate::linalg::{NoFactor, Plan, UpperColumns};
use crate::step::{Problem, State};

/// M̂ in elimination order and the plan of its factor.
pub struct Preparation<'a> {
    problem: &'a Problem,
    matrix: UpperColumns,
    plan: Plan,
}

impl<'a> Preparation<'a> {
    /// Plans the factor of M̂.
    pub fn new(problem: &'a Problem) -> Self {
        let dofs = &problem.dofs;
        let matrix = problem.effective_mass().upper_columns(&dofs.position, &dofs.order);
        let plan = Plan::new(&matrix, dofs.trailing);
        Self { problem, matrix, plan }
    }

    /// The problem.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// Most bytes that factor, inverse between contact dofs and cone problem will take.
    pub fn bytes(&self) -> usize {
        let contact_dofs = self.problem.dofs.order.len() - self.problem.dofs.trailing;
        let contacts = self.problem.contacts.len();
        self.plan.bytes()
            + Delassus::bytes_for(contact_dofs)
            + ConeProblem::bytes_for(self.problem.dofs.dimension.max(2), contacts)
    }

    /// Factors M̂, computes its inverse between contact dofs, and makes room for the steps.
    pub fn factor(self, state: &State) -> Result<MoreauJean<'a>, NoFactor> {
        let Self { problem, mut matrix, plan } = self;
        let (dofs, contacts) = (&problem.dofs, &problem.contacts);
        let factor = plan.factor(&matrix)?;
        let coupling = if dofs.moves() { std::mem::take(&mut matrix.coupling) } else { Vec::new() };
        drop((matrix, plan));
        let delassus = Delassus::new(&factor, dofs.dimension);
        let place = |c: &Candidate| dofs.positions_of_node(c.node);
        let positions: Vec<_> = contacts.candidates.iter().map(place).collect();
        let (n, free, count) = (state.q.len(), dofs.order.len(), contacts.len());
        let damped = if problem.damping.is_some() { n } else { 0 };
        let scratch = factor.scratch();
        let components = delassus.components();
        Ok(MoreauJean {
            problem,
            factor,
            delassus,
            coupling,
            positions,
            meetings: vec![Meeting::default(); count],
            poses: state.poses.clone(),
            cone: ConeProblem::with_capacity(components, count),
            cone_active: Vec::with_capacity(count),
            cone_impulse: Vec::with_capacity(components * count),
            contact: ContactState {
                gap: vec![0.0; count],
                frame: vec![Frame::default(); count],
                impulse: vec![[0.0; 3]; count],
                status: vec![Status::Open; count],
                active: Vec::with_capacity(count),
                work: Vec::with_capacity(count),
                obstacle_work: 0.0,
            },
            start: state.clone(),
            force: vec![0.0; n],
            force_times: None,
            v_theta: vec![0.0; n],
            x: vec![0.0; free],
            y: vec![0.0; free - dofs.trailing],
            scratch,
            damping_force: [vec![0.0; damped], vec![0.0; damped]],
            stiffness_norm: problem.operator.stiffness_norm(),
        })
    }
}
