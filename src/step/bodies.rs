//! What hangs together: nodes that share elements or springs, with the rotations of rigid bodies, and what joints connect.
//!
//! Between two bodies there is nothing but contact, so that each has an energy identity of its own: what one does to
//! the account of another is the work of impulses.

use std::ops::Range;

use super::Problem;
use super::rounding::RoundingSizes;
use crate::energy::{BodyTerms, StepTerms, Term};
use crate::linalg::{BlockOperator, DisjointSets};

/// What rounding makes of the squares of jumps that are none, as a share of the energies: (4ε)².
const SQUARES: f64 = 16.0 * f64::EPSILON * f64::EPSILON;

/// The bodies of a problem, and the terms of each in the last step.
#[derive(Clone, Debug, Default)]
pub struct ConnectedBodies {
    /// Which body each dof belongs to.
    of_dof: Vec<u32>,
    /// How many of them are of nodes.
    node_dofs: usize,
    /// Dofs that follow each other and belong to one body.
    runs: Vec<(usize, Range<usize>)>,
    /// The first node of each.
    first_nodes: Vec<u32>,
    /// ‖K‖ of each, for what rounding can do.
    stiffness_norms: Vec<f64>,
    /// What each has at rest: a node of the ground, or nothing.
    at_rest: Vec<RoundingSizes>,
    spreads: Vec<RoundingSizes>,
    terms: Vec<BodyTerms>,
}

impl ConnectedBodies {
    /// Those of a problem, numbered by their first nodes.
    pub fn of(problem: &Problem) -> Self {
        let operator = &problem.operator;
        let mut sets = DisjointSets::new(operator.graph().nodes());
        for node in 0..operator.graph().nodes() {
            operator.graph().neighbours(node).iter().for_each(|&b| sets.join(node as u32, b));
        }
        for joint in &problem.contacts.joints {
            let mut nodes = joint.grips.iter().filter_map(|grip| grip.node());
            if let Some(first) = nodes.next() {
                nodes.for_each(|node| sets.join(first, node));
            }
        }
        Self::from_sets(sets, operator, (&problem.rigid, problem.turns_per_body()))
    }

    fn from_sets(
        mut sets: DisjointSets,
        operator: &BlockOperator,
        (rigid, turns): (&[u32], usize),
    ) -> Self {
        let (nodes, d) = (operator.graph().nodes(), operator.dimension());
        let mut number = vec![u32::MAX; nodes];
        let mut bodies = Self {
            of_dof: Vec::with_capacity(operator.dofs()),
            node_dofs: 0,
            runs: Vec::new(),
            first_nodes: Vec::new(),
            stiffness_norms: Vec::new(),
            at_rest: Vec::new(),
            spreads: Vec::new(),
            terms: Vec::new(),
        };
        for node in 0..nodes {
            // The root of a set is its first node.
            let root = sets.root(node as u32) as usize;
            if number[root] == u32::MAX {
                number[root] = bodies.first_nodes.len() as u32;
                bodies.first_nodes.push(root as u32);
                bodies.at_rest.push(RoundingSizes::default());
            }
            let (body, dofs) = (number[root], d * node..d * (node + 1));
            bodies.of_dof.extend(dofs.clone().map(|_| body));
            match bodies.runs.last_mut() {
                Some((last, run)) if *last == body as usize && run.end == dofs.start => {
                    run.end = dofs.end;
                }
                _ => bodies.runs.push((body as usize, dofs)),
            }
        }
        for dof in operator.anchored() {
            bodies.at_rest[bodies.of_dof[dof] as usize] = RoundingSizes::of_ground(d);
        }
        for (&center, dof) in rigid.iter().zip((operator.node_dofs()..).step_by(turns)) {
            let body = bodies.of_dof[d * center as usize];
            (0..turns).for_each(|_| bodies.of_dof.push(body));
            bodies.runs.push((body as usize, dof..dof + turns));
        }
        bodies.node_dofs = operator.node_dofs();
        let count = bodies.first_nodes.len();
        bodies.stiffness_norms = vec![0.0; count];
        for (body, run) in &bodies.runs {
            let norm = &mut bodies.stiffness_norms[*body];
            *norm = norm.max(operator.stiffness_norm(run.clone()));
        }
        bodies.spreads = vec![RoundingSizes::default(); count];
        bodies.terms = vec![BodyTerms::default(); count];
        bodies
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first_nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.first_nodes.is_empty()
    }

    /// The body that a node belongs to.
    pub fn of_node(&self, node: usize, dimension: usize) -> usize {
        self.of_dof[node * dimension] as usize
    }

    /// The first node of each.
    pub fn first_nodes(&self) -> &[u32] {
        &self.first_nodes
    }

    /// The terms of each in the last step.
    pub fn terms(&self) -> &[BodyTerms] {
        &self.terms
    }

    /// The energies of each, of what `of` finds in each run of its dofs.
    pub(super) fn energies(&self, of: impl Fn(Range<usize>) -> StepTerms) -> Vec<StepTerms> {
        let mut energies = vec![StepTerms::default(); self.len()];
        self.runs.iter().for_each(|(body, run)| energies[*body].add(&of(run.clone())));
        energies
    }

    /// The terms of all, with the potential at rest and what obstacles that move did.
    pub(super) fn total(&self, problem: &Problem, obstacle_work: f64) -> StepTerms {
        let mut total = StepTerms::default();
        self.terms.iter().for_each(|own| total.add(&own.terms));
        total[Term::Potential] += problem.loads.potential_at_rest;
        total[Term::External] += obstacle_work;
        total
    }

    /// Begins the account of a step: the terms that `smooth` finds in each run of dofs, and what rounding can make of
    /// them where the displacements are `q`, the elastic forces `kq` and the loads `force`.
    pub(super) fn open(
        &mut self,
        dimension: usize,
        [q, kq, force]: [&[f64]; 3],
        smooth: impl Fn(Range<usize>) -> StepTerms,
    ) {
        self.terms.fill(BodyTerms::default());
        self.spreads.copy_from_slice(&self.at_rest);
        for (body, run) in &self.runs {
            self.terms[*body].terms.add(&smooth(run.clone()));
            let [q, kq, force] = [q, kq, force].map(|x| &x[run.clone()]);
            match run.start < self.node_dofs {
                true => self.spreads[*body].add(dimension, [q, kq, force]),
                // A rotation in space has no forces that its vector would be measured against.
                false if dimension == 3 => {}
                false => self.spreads[*body].add_rotations([q, kq, force]),
            }
        }
        let sizes = self.spreads.iter().zip(&self.stiffness_norms);
        for (own, (spread, norm)) in self.terms.iter_mut().zip(sizes) {
            let squares = own.terms[Term::Kinetic] + own.terms[Term::Strain];
            own.terms.rounding = spread.rounding(*norm) + SQUARES * squares;
        }
    }

    /// Adds what rounding can make of the work of driven dofs, of which each is given with its way in the step.
    pub(super) fn drive(&mut self, driven: impl Iterator<Item = (usize, f64)>) {
        driven.for_each(|(dof, way)| self.spreads[self.of_dof[dof] as usize].drive(way));
        let sizes = self.spreads.iter().zip(&self.stiffness_norms);
        for (own, (spread, norm)) in self.terms.iter_mut().zip(sizes) {
            own.terms.rounding += spread.rounding_of_driven(*norm);
        }
    }

    /// Takes a share of what contacts have done.
    pub(super) fn scale_pushed(&mut self, share: f64) {
        self.terms.iter_mut().for_each(|own| own.pushed *= share);
    }

    /// The account of the body that a dof belongs to.
    pub(super) fn of_dof(&mut self, dof: usize) -> &mut BodyTerms {
        &mut self.terms[self.of_dof[dof] as usize]
    }
}
