//! Gauss–Seidel by colours: contacts that do not feel each other are solved at the same time.

use rayon::prelude::*;

use super::anderson::Mixing;
use super::local::{Local, Planar, Spatial};
use super::{ContactSolver, SolveReport, SolveStatus, Target, begin};
use crate::contact::ConeProblem;

/// Accelerated Gauss–Seidel in another order: colour by colour, where no two contacts of a colour share
/// a block of W. Within a colour the order does not matter, so threads may share it, and the result has
/// the same bits for any number of them.
///
/// For large sparse problems: a colour must have thousands of contacts to be worth waking a thread for.
#[derive(Clone, Debug, Default)]
pub struct Coloured;

/// Contacts that one thread takes at a time.
const TOGETHER: usize = 512;
/// Sweeps between two looks at the error, which costs as much as one.
const LOOK_EVERY: usize = 4;

impl ContactSolver for Coloured {
    fn name(&self) -> &'static str {
        "coloured"
    }

    fn solve(&mut self, problem: &ConeProblem, target: Target, p: &mut [f64]) -> SolveReport {
        match problem.dimension() {
            2 => solve::<2, Planar>(problem, target, p),
            _ => solve::<3, Spatial>(problem, target, p),
        }
    }
}

fn solve<const D: usize, L: Local<D> + Send>(
    problem: &ConeProblem,
    target: Target,
    p: &mut [f64],
) -> SolveReport {
    let mut u = vec![0.0; p.len()];
    let mut best = begin(problem, target.measure, p, &mut u);
    let (mut status, mut iterations) = (target.verdict(0, best), 0);
    if let Some(status) = status {
        return SolveReport { status, iterations, error: best };
    }
    let rows = ColouredRows::<D>::new(problem);
    let mut locals: Vec<L> =
        rows.order.iter().map(|&alpha| L::new(problem.w.diagonal(alpha as usize))).collect();
    let given =
        |x: &[f64], alpha: u32| -> [f64; D] { std::array::from_fn(|i| x[D * alpha as usize + i]) };
    let mut x: Vec<[f64; D]> = rows.order.iter().map(|&alpha| given(p, alpha)).collect();
    let mut trial = p.to_vec();
    let mut mixing = Mixing::new(p.len());
    let weights = (0..p.len()).map(|i| {
        let block = problem.w.diagonal(rows.order[i / D] as usize);
        block.iter().step_by(D + 1).sum::<f64>().max(0.0).sqrt()
    });
    mixing.begin_with(weights, 0);
    while status.is_none() {
        mixing.before(x.as_flattened());
        rows.sweep(problem, &mut locals, &mut x);
        iterations += 1;
        if iterations % LOOK_EVERY == 0 || iterations == target.max_iterations {
            rows.velocity_into(problem, &x, &mut trial, &mut u);
            let error = problem.error(target.measure, &trial, &u);
            if error < best {
                best = error;
                p.copy_from_slice(&trial);
            } else if !error.is_finite() {
                status = Some(SolveStatus::Stalled);
            }
            status = status.or(target.verdict(iterations, best));
        }
        mixing.after(x.as_flattened_mut(), &mut [], &mut 0.0);
    }
    SolveReport { status: status.unwrap_or(SolveStatus::Stalled), iterations, error: best }
}

/// W by rows without its diagonal, the contacts numbered colour by colour.
struct ColouredRows<const D: usize> {
    /// Contact of each number.
    order: Vec<u32>,
    /// First number of each colour, and one more.
    colours: Vec<usize>,
    starts: Vec<usize>,
    others: Vec<u32>,
    blocks: Vec<[[f64; D]; D]>,
}

impl<const D: usize> ColouredRows<D> {
    fn new(problem: &ConeProblem) -> Self {
        let contacts = problem.contacts();
        // (column, block) of each row
        let mut by_row: Vec<Vec<(u32, [[f64; D]; D])>> = vec![Vec::new(); contacts];
        for beta in 0..contacts {
            for (alpha, block) in problem.w.column(beta).filter(|&(alpha, _)| alpha != beta) {
                let block = std::array::from_fn(|i| std::array::from_fn(|j| block[D * i + j]));
                by_row[alpha].push((beta as u32, block));
            }
        }
        let colour = colour(problem, &by_row);
        let mut order: Vec<u32> = (0..contacts as u32).collect();
        order.sort_by_key(|&alpha| colour[alpha as usize]);
        let mut number = vec![0u32; contacts];
        order.iter().enumerate().for_each(|(k, &alpha)| number[alpha as usize] = k as u32);
        let most = colour.iter().max().map_or(0, |&most| most as usize + 1);
        let mut colours = vec![0; most + 1];
        colour.iter().for_each(|&c| colours[c as usize + 1] += 1);
        (0..most).for_each(|c| colours[c + 1] += colours[c]);
        let mut rows =
            Self { order, colours, starts: vec![0], others: Vec::new(), blocks: Vec::new() };
        for &alpha in &rows.order {
            for (beta, block) in &by_row[alpha as usize] {
                rows.others.push(number[*beta as usize]);
                rows.blocks.push(*block);
            }
            rows.starts.push(rows.others.len());
        }
        rows
    }

    /// b + Σ W_αβ p_β over the others, with their impulses from `impulse`.
    #[inline(always)]
    fn gather(
        &self,
        problem: &ConeProblem,
        k: usize,
        impulse: impl Fn(usize) -> [f64; D],
    ) -> [f64; D] {
        let at = D * self.order[k] as usize;
        let mut u: [f64; D] = std::array::from_fn(|i| problem.b[at + i]);
        let range = self.starts[k]..self.starts[k + 1];
        for (&beta, block) in self.others[range.clone()].iter().zip(&self.blocks[range]) {
            let p = impulse(beta as usize);
            for i in 0..D {
                u[i] += (0..D).map(|j| block[i][j] * p[j]).sum::<f64>();
            }
        }
        u
    }

    /// One pass over the contacts.
    fn sweep<L: Local<D> + Send>(
        &self,
        problem: &ConeProblem,
        locals: &mut [L],
        x: &mut [[f64; D]],
    ) {
        for ends in self.colours.windows(2) {
            let (first, size) = (ends[0], ends[1] - ends[0]);
            let (before, rest) = x.split_at_mut(first);
            let (own, after) = rest.split_at_mut(size);
            let (before, after) = (&*before, &*after);
            let impulse = |beta: usize| match beta.checked_sub(first + size) {
                None => before[beta],
                Some(beta) => after[beta],
            };
            let solve = |start: usize, x: &mut [[f64; D]], locals: &mut [L]| {
                for (i, (x, local)) in x.iter_mut().zip(locals).enumerate() {
                    let k = first + start + i;
                    let mu = problem.mu[self.order[k] as usize];
                    *x = local.solve(self.gather(problem, k, impulse), mu);
                }
            };
            let locals = &mut locals[first..first + size];
            if size <= TOGETHER {
                solve(0, own, locals);
                continue;
            }
            let parts = own.par_chunks_mut(TOGETHER).zip(locals.par_chunks_mut(TOGETHER));
            parts.enumerate().for_each(|(part, (x, locals))| solve(TOGETHER * part, x, locals));
        }
    }

    /// Impulse and velocity of x, by contact.
    fn velocity_into(&self, problem: &ConeProblem, x: &[[f64; D]], p: &mut [f64], u: &mut [f64]) {
        for (x, &alpha) in x.iter().zip(&self.order) {
            p[D * alpha as usize..][..D].copy_from_slice(x);
        }
        problem.velocity_into(p, u);
    }
}

/// The smallest colour that no contact which feels it, or which it feels, has had before.
fn colour<B>(problem: &ConeProblem, by_row: &[Vec<(u32, B)>]) -> Vec<u32> {
    let mut colour = vec![u32::MAX; by_row.len()];
    let mut taken = Vec::new();
    for alpha in 0..by_row.len() {
        taken.clear();
        let felt = by_row[alpha].iter().map(|(beta, _)| *beta as usize);
        let feel = problem.w.column(alpha).map(|(beta, _)| beta);
        taken.extend(felt.chain(feel).map(|beta| colour[beta]).filter(|&c| c != u32::MAX));
        taken.sort_unstable();
        taken.dedup();
        let free = taken.iter().enumerate().find(|&(c, &taken)| c as u32 != taken);
        colour[alpha] = free.map_or(taken.len(), |(c, _)| c) as u32;
    }
    colour
}
