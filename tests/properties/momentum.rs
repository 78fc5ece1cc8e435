//! What changes momentum: loads, contacts, drag, and the reactions of what is held.

use delassus::contact::solver::SolveStatus;
use delassus::step::{March, Problem, Scheme, State};

use crate::scenario::Scenario;
use crate::twins::{largest, ready};
use crate::view::{Vector, cross, plus};

/// Rounding of a row, and of a sum over them, in units of ε and of what a row is solved with.
const ROUNDING: f64 = 100.0;

/// That every step changes momentum by what acts, and by nothing else. With F_θ and q_θ, v_θ the means that
/// Moreau–Jean takes,
///
/// ```text
///     M(v₁ − v₀) + h(K q_θ + C v_θ − F_θ) − Hᵀp = h R at driven dofs, and 0 at the others       (1)
///     Σ K q = 0,  Σ X × K q = 0                 a mesh resists no translation and no small turn
/// ```
///
/// so that Σ and Σ X × of all M(v₁ − v₀) are those of hF_θ + Hᵀp + hR − hαM v_θ. The moment with arms X
/// at rest is what linear elasticity keeps; that with arms to where the nodes have gone it does not.
/// The other schemes take other means, so they are asked where nothing is held, damped or varies.
///
/// Rigid bodies and springs have no such sums; there (1) must hold row by row, which for an angle is
/// I Δγ̇ = Σ a × p with the arm a where the step starts.
pub fn balance(scenario: &Scenario) -> Result<usize, String> {
    let ready = ready(scenario, &scenario.view)?;
    let problem = &ready.problem;
    let mut marcher = ready.march();
    // Contacts that press at t = 0 push from there on, with the scheme that has forces.
    let (mut touching, mut pushed) = (0, pushes(problem, marcher.state(), &marcher));
    let places: Option<Vec<Vector>> =
        scenario.mesh().map(|mesh| mesh.points.iter().map(|x| scenario.view.point(*x)).collect());
    for _ in 0..scenario.stepping.steps {
        let before = marcher.state().clone();
        if marcher.step().solve.status != SolveStatus::Converged {
            break;
        }
        let rows = Rows::of(problem, &before, &marcher, &mut pushed);
        touching += usize::from(largest(&pushed) > 0.0);
        let off = match &places {
            Some(places) => rows.of_all(places, problem.dofs.dimension),
            None => rows.worst(problem),
        };
        // Not ≤, so that what is no number does not pass.
        if !off.iter().all(|&off| off <= 1.0) {
            let step = marcher.state().step;
            return Err(format!("step {step}: momentum is off by {off:?} of what rounding allows"));
        }
    }
    Ok(touching)
}

/// M(v₁ − v₀), and all else of (1), by dof.
struct Rows {
    gained: Vec<f64>,
    given: Vec<f64>,
    elastic: Vec<f64>,
    /// Size of what the rows are solved with.
    solved: f64,
}

impl Rows {
    /// Of a step; `pushed` holds Hᵀp of the step before, and then of this one.
    fn of(problem: &Problem, before: &State, marcher: &March, pushed: &mut Vec<f64>) -> Self {
        let (after, n, h) = (marcher.state(), before.q.len(), problem.h);
        let theta = problem.scheme.theta();
        let mean = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| theta * a + (1.0 - theta) * b).collect()
        };
        let (v_theta, kq_theta) = (mean(&after.v, &before.v), mean(&after.kq, &before.kq));
        let gained: Vec<f64> = (0..n).map(|i| after.mv[i] - before.mv[i]).collect();
        let mut given = vec![0.0; n];
        problem.loads.force_into(theta, before.time, after.time, &mut given);
        given.iter_mut().zip(&problem.loads.potential).for_each(|(f, p)| *f += p);
        given.iter_mut().for_each(|f| *f *= h);
        let mut elastic: Vec<f64> = kq_theta.iter().map(|k| h * k).collect();
        if let Some(damping) = &problem.damping {
            let (mut from_mass, mut from_stiffness) = (vec![0.0; n], vec![0.0; n]);
            damping.apply_into(&v_theta, &v_theta, &mut from_mass, &mut from_stiffness);
            given.iter_mut().zip(&from_mass).for_each(|(g, c)| *g -= h * c);
            elastic.iter_mut().zip(&from_stiffness).for_each(|(e, c)| *e += h * c);
        }
        let last = std::mem::replace(pushed, pushes(problem, before, marcher));
        let weights = match problem.scheme {
            Scheme::PlainNewmark { gamma, .. } => [1.0 - gamma, gamma],
            _ => [0.0, 1.0],
        };
        (0..n).for_each(|i| given[i] += weights[0] * last[i] + weights[1] * pushed[i]);
        // The rows of driven dofs give the reactions.
        for driven in &problem.dofs.driven {
            let i = driven.dof as usize;
            given[i] = gained[i] + elastic[i];
        }
        let stiffness = problem.operator.stiffness_norm(0..problem.operator.dofs());
        let moved = h * largest(&v_theta).max(largest(&after.v)) + largest(&after.q);
        let momenta = largest(&before.mv).max(largest(&after.mv));
        let solved = momenta.max(largest(&given)).max(h * stiffness * moved);
        Self { gained, given, elastic, solved }
    }

    /// How far the sums of all dofs are off, as a share of what rounding allows: linear, and moment.
    fn of_all(&self, places: &[Vector], d: usize) -> Vec<f64> {
        let (mut linear, mut moment, mut reach) = ([0.0; 3], [0.0; 3], 0.0_f64);
        for (node, x) in places.iter().enumerate() {
            let mut off = [0.0; 3];
            (0..d).for_each(|i| off[i] = self.gained[d * node + i] - self.given[d * node + i]);
            linear = plus(linear, off);
            moment = plus(moment, cross(*x, off));
            reach = reach.max(largest(x));
        }
        let allowed = ROUNDING * f64::EPSILON * self.gained.len() as f64 * self.solved;
        vec![largest(&linear) / allowed, largest(&moment) / (allowed * reach)]
    }

    /// How far each row is off, as a share of what rounding allows.
    fn worst(&self, problem: &Problem) -> Vec<f64> {
        let allowed = ROUNDING * f64::EPSILON * self.solved;
        let free = (0..self.gained.len()).filter(|&dof| problem.dofs.position_of(dof).is_some());
        free.map(|i| (self.gained[i] + self.elastic[i] - self.given[i]).abs() / allowed).collect()
    }
}

/// Hᵀp, with H where the step looked: a node is pushed along the frame, a body where it was touched.
fn pushes(problem: &Problem, before: &State, marcher: &March) -> Vec<f64> {
    let (contact, d) = (marcher.contacts(), problem.dofs.dimension);
    let mut pushes = vec![0.0; problem.operator.dofs()];
    for &c in &contact.active {
        let c = c as usize;
        let candidate = &problem.contacts.candidates[c];
        match problem.contacts.sets[candidate.set].against.obstacle() {
            Some(_) if !candidate.grip.turns() => {
                let p = contact.frame[c].to_space(contact.impulse[c]);
                let node = candidate.grip.node().unwrap() as usize;
                (0..d).for_each(|i| pushes[d * node + i] += p[i]);
            }
            _ => {
                let rows = problem.rows(c, &problem.contact(c, before));
                rows.of(0).push(contact.impulse[c], |dof, push| pushes[dof] += push);
            }
        }
    }
    pushes
}
