//! Pairs of rigid bodies that passed through each other.

use std::sync::Arc;

use super::names::Names;
use crate::contact::{BodyPassage, BodyPassages, ContactKey};
use crate::output::Crossing;
use crate::step::{Problem, State};
use crate::tape::Tape;

/// Looks at the ways of every step.
pub(super) struct PairWatch<'a> {
    problem: Arc<Problem>,
    names: Names<'a>,
    passages: BodyPassages,
    /// Those of the last step.
    passed: Vec<BodyPassage>,
    /// Of each contact set.
    crossings: Vec<PairCrossing>,
}

/// How often bodies of a contact set passed through each other; which did first, and when.
#[derive(Clone, Copy, Debug, Default)]
struct PairCrossing {
    count: u64,
    bodies: [u32; 2],
    step: usize,
}

impl<'a> PairWatch<'a> {
    /// Of a problem that is about to begin.
    pub fn new(problem: &Arc<Problem>, state: &State, names: Names<'a>) -> Self {
        let mut passages = BodyPassages::default();
        passages.begin(&problem.contacts.solids, &state.q);
        let crossings = vec![PairCrossing::default(); problem.contacts.sets.len()];
        let problem = Arc::clone(problem);
        Self { problem, names, passages, passed: Vec::new(), crossings }
    }

    /// Looks at the step that ended here; the first passage of a contact set is worth telling at once.
    pub fn look(&mut self, state: &State) -> Option<String> {
        let problem = Arc::clone(&self.problem);
        let (solids, d) = (&problem.contacts.solids, problem.dofs.dimension);
        let mut passed = std::mem::take(&mut self.passed);
        self.passages.look(solids, (d, state.step - 1), &state.q, &mut passed);
        let mut first = None;
        for &BodyPassage { bodies, set } in &passed {
            let crossed = &mut self.crossings[set as usize];
            if crossed.count == 0 {
                *crossed = PairCrossing { count: 0, bodies, step: state.step };
                first = first.or(Some(set as usize));
            }
            crossed.count += 1;
        }
        self.passed = passed;
        first.map(|set| self.tell(set))
    }

    fn who(&self, bodies: [u32; 2]) -> String {
        self.names.pair(&ContactKey { bodies, ..ContactKey::default() })
    }

    fn tell(&self, set: usize) -> String {
        let PairCrossing { bodies, step, .. } = self.crossings[set];
        format!(
            "step {step}: {} of contact '{}' have passed through each other, farther in a step than they are thick: \
             choose a smaller scheme.step, or thicker bodies",
            self.who(bodies),
            self.problem.contacts.sets[set].name
        )
    }

    /// Those of the run, by contact set.
    pub fn crossings(&self) -> impl Iterator<Item = Crossing> {
        let sets = self.crossings.iter().zip(&self.problem.contacts.sets);
        sets.filter(|(crossed, _)| crossed.count > 0).map(|(crossed, set)| Crossing {
            contact: set.name.clone(),
            count: crossed.count,
            point: self.who(crossed.bodies),
            step: crossed.step,
            time: crossed.step as f64 * self.problem.h,
        })
    }

    /// Passes over what the next look needs of the last.
    pub fn remember(&mut self, tape: &mut Tape) {
        self.passages.remember(tape);
        let known = self.problem.contacts.solids.bodies.len() as u64;
        for crossed in &mut self.crossings {
            tape.count(&mut crossed.count);
            tape.size(&mut crossed.step);
            for body in &mut crossed.bodies {
                let mut wide = u64::from(*body);
                tape.count(&mut wide);
                *body = wide as u32;
                if wide > 0 && wide >= known {
                    tape.refuse("it speaks of a body that there is not");
                }
            }
        }
    }
}
