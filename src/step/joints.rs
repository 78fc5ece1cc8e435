//! Joints, solved with the contacts: their equations are taken out of the cone problem.

use super::Problem;
use crate::contact::{ConeProblem, Grip, HRows, Response};
use crate::linalg::{DisjointSets, Partition, RankLu};

/// The joints of a step. With J the mean gradients of the step, λ their impulses, G the response of the
/// rate of displacement and W the cone problem's matrix,
///
/// ```text
///     J(Δq/h) + φ(q_k)/h = 0        Δq/h = r + κG(Hᵀp + Jᵀλ)                                (1)
///     û = b + W p + HGJᵀ λ
/// ```
///
/// λ from (1), as a function of p, leaves a cone problem in p alone. What joints connect is an island: joints of different
/// islands do not meet, so that each island has a system of its own, and contacts that touch none stay as they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    /// J of each joint, along which it pushes.
    pub gradients: HRows,
    /// J of the equations, where they see another one.
    pub seen_gradients: Option<HRows>,
    /// λ of each joint.
    pub impulses: Vec<[f64; 3]>,
    /// Dofs, by position after the first of contacts, that feel each other, through joints too.
    parts: Partition,
    /// Island of each of those sets, or `NONE`.
    island_of: Vec<u32>,
    islands: Vec<JointIsland>,
}

const NONE: u32 = u32::MAX;

/// Joints that feel each other.
#[derive(Clone, Debug, Default)]
struct JointIsland {
    joints: Vec<JointEquations>,
    /// Number of equations.
    size: usize,
    lu: RankLu,
    /// B⁻¹(J r + φ/h).
    free: Vec<f64>,
    /// Which of the active contacts touch it.
    touching: Vec<u32>,
    /// Columns of B⁻¹ κJGHᵀ, one per component of each of these.
    transfer: Vec<f64>,
    /// Rows of HGJᵀ, the same.
    answers: Vec<f64>,
}

/// Where the equations of a joint are in those of its island.
#[derive(Clone, Copy, Debug)]
struct JointEquations {
    joint: usize,
    first: usize,
    count: usize,
}

/// What the joints are solved with.
pub(super) struct Setting<'s, P: Fn(u32) -> Option<u32> + Sync> {
    /// G as the cones see it.
    pub seen: &'s Response,
    /// G as the rate of displacement does, but for κ.
    pub rates: &'s Response,
    /// κ of (1).
    pub gain: f64,
    pub rows: &'s HRows,
    pub active: &'s [u32],
    pub position: P,
    /// Position of the first contact dof.
    pub first: usize,
}

impl Problem {
    /// Which dofs, by position after the first of contacts, feel each other where `partition` says so of the parts, and
    /// joints carry impulses on.
    pub(super) fn joined_by_joints(&self, partition: &Partition) -> Partition {
        let mut sets = DisjointSets::new(partition.numbers());
        for joint in &self.contacts.joints {
            let mut own = joint.grips.iter().flat_map(|grip| self.numbers(grip));
            if let Some(first) = own.next() {
                own.for_each(|other| sets.join(first, other));
            }
        }
        partition.joined(&Partition::of(sets))
    }

    /// Free dofs of a grip, by position after the first of contacts.
    fn numbers<'s>(&'s self, grip: &Grip) -> impl Iterator<Item = u32> + use<'s> {
        let dofs = grip.dofs(self.dofs.dimension);
        let positions = dofs.filter_map(|dof| self.dofs.position_of(dof));
        positions.map(|position| position - self.dofs.trailing as u32)
    }
}

impl Joints {
    /// Those of a problem, where parts feel each other as `partition` says.
    pub fn new(problem: &Problem, partition: &Partition) -> Self {
        let joints = &problem.contacts.joints;
        let mut own = Self {
            gradients: HRows::idle(joints.len()),
            impulses: vec![[0.0; 3]; joints.len()],
            ..Self::default()
        };
        own.connect(problem, partition);
        own
    }

    /// Finds the islands.
    pub fn connect(&mut self, problem: &Problem, partition: &Partition) {
        let (contacts, d) = (&problem.contacts, problem.dofs.dimension);
        self.islands.clear();
        if contacts.joints.is_empty() {
            return;
        }
        self.parts = problem.joined_by_joints(partition);
        self.island_of = vec![NONE; self.parts.sets()];
        for (at, joint) in contacts.joints.iter().enumerate() {
            let number = joint.grips.iter().flat_map(|grip| problem.numbers(grip)).next();
            let known = number.map(|number| self.parts.set_of(number as usize));
            let island = match known.map(|set| self.island_of[set]) {
                Some(island) if island != NONE => island,
                _ => {
                    self.islands.push(JointIsland::default());
                    self.islands.len() as u32 - 1
                }
            };
            known.into_iter().for_each(|set| self.island_of[set] = island);
            self.islands[island as usize].add(at, joint.equations(d));
        }
        let mut touching = vec![0; self.islands.len()];
        for c in 0..contacts.len() {
            let numbers = contacts.grips_of(c).flat_map(|grip| problem.numbers(grip));
            let mut last = NONE;
            for number in numbers {
                let island = self.island_of[self.parts.set_of(number as usize)];
                if island != NONE && island != last {
                    touching[island as usize] += 1;
                }
                last = island;
            }
        }
        for (island, touching) in self.islands.iter_mut().zip(touching) {
            island.reserve(touching, d.max(2));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.islands.is_empty()
    }

    /// Which dofs feel each other, where there are joints.
    pub fn parts(&self) -> Option<&Partition> {
        (!self.is_empty()).then_some(&self.parts)
    }

    /// Takes the joints out of the cone problem. They push along `gradients`, and their equations see `seen`; `rate` gives J r + φ/h of a joint.
    pub fn condense<P: Fn(u32) -> Option<u32> + Sync>(
        &mut self,
        setting: &Setting<P>,
        (seen, gradients): (&HRows, &HRows),
        rate: impl Fn(usize) -> [f64; 3],
        cone: &mut ConeProblem,
    ) {
        self.find_touching(setting);
        for island in &mut self.islands {
            island.factor(setting, (seen, gradients));
            island.free.clear();
            for &JointEquations { joint, count, .. } in &island.joints {
                island.free.extend_from_slice(&rate(joint)[..count]);
            }
            island.lu.solve_in_place(&mut island.free);
            island.answer(setting, (seen, gradients), cone.dimension());
            island.take_out(cone);
        }
    }

    fn find_touching<P: Fn(u32) -> Option<u32> + Sync>(&mut self, setting: &Setting<P>) {
        self.islands.iter_mut().for_each(|island| island.touching.clear());
        for (at, &c) in (0u32..).zip(setting.active) {
            let numbers = setting.rows.of(c as usize).dofs().iter().filter_map(|&dof| {
                (setting.position)(dof).map(|position| position as usize - setting.first)
            });
            for number in numbers {
                let island = self.island_of[self.parts.set_of(number)];
                if island == NONE {
                    continue;
                }
                let touching = &mut self.islands[island as usize].touching;
                if touching.last() != Some(&at) {
                    touching.push(at);
                }
            }
        }
    }

    /// λ = −B⁻¹(J r + φ/h) − B⁻¹ κJGHᵀ p.
    pub fn recover(&mut self, components: usize, p: &[f64]) {
        self.impulses.fill([0.0; 3]);
        for island in &self.islands {
            let n = island.size;
            let pushes = island.touching.iter().flat_map(|&at| {
                let first = components * at as usize;
                &p[first..first + components]
            });
            for &JointEquations { joint, first, count } in &island.joints {
                for i in 0..count {
                    let own = island.transfer.iter().skip(first + i).step_by(n);
                    let terms = own.zip(pushes.clone());
                    let pushed: f64 = terms.map(|(transfer, p)| transfer * p).sum();
                    self.impulses[joint][i] = -(island.free[first + i] + pushed);
                }
            }
        }
    }
}

impl JointIsland {
    fn reserve(&mut self, touching: usize, components: usize) {
        self.lu = RankLu::with_capacity(self.size);
        self.free.reserve(self.size);
        self.touching.reserve(touching);
        self.transfer.reserve(self.size * touching * components);
        self.answers.reserve(self.size * touching * components);
    }

    fn add(&mut self, joint: usize, equations: usize) {
        self.joints.push(JointEquations { joint, first: self.size, count: equations });
        self.size += equations;
    }

    fn factor<P: Fn(u32) -> Option<u32> + Sync>(
        &mut self,
        setting: &Setting<P>,
        (seen, gradients): (&HRows, &HRows),
    ) {
        let n = self.size;
        let matrix = self.lu.matrix_mut(n);
        for a in &self.joints {
            for b in &self.joints {
                let (own, other) = (seen.of(a.joint), gradients.of(b.joint));
                let block = setting.rates.between(own, other, &setting.position);
                for i in 0..a.count {
                    let row = &mut matrix[(a.first + i) * n + b.first..][..b.count];
                    row.iter_mut().zip(block[i]).for_each(|(to, x)| *to = setting.gain * x);
                }
            }
        }
        self.lu.factor();
    }

    /// Columns of B⁻¹ κJGHᵀ and rows of HGJᵀ of the contacts that touch.
    fn answer<P: Fn(u32) -> Option<u32> + Sync>(
        &mut self,
        setting: &Setting<P>,
        (seen, gradients): (&HRows, &HRows),
        d: usize,
    ) {
        let (n, count) = (self.size, self.touching.len());
        self.transfer.clear();
        self.transfer.resize(n * count * d, 0.0);
        self.answers.clear();
        self.answers.resize(n * count * d, 0.0);
        let columns = self.transfer.chunks_exact_mut(n * d);
        let rows = self.answers.chunks_exact_mut(n * d);
        for ((&at, columns), rows) in self.touching.iter().zip(columns).zip(rows) {
            let own = setting.rows.of(setting.active[at as usize] as usize);
            for &JointEquations { joint, first, count } in &self.joints {
                let pushed = setting.rates.between(seen.of(joint), own, &setting.position);
                let felt = setting.seen.between(own, gradients.of(joint), &setting.position);
                for k in 0..d {
                    for i in 0..count {
                        columns[n * k + first + i] = setting.gain * pushed[i][k];
                        rows[n * k + first + i] = felt[k][i];
                    }
                }
            }
            columns.chunks_exact_mut(n).for_each(|column| self.lu.solve_in_place(column));
        }
    }

    /// Takes HGJᵀB⁻¹(κJGHᵀ p + J r + φ/h) off W p + b.
    fn take_out(&self, cone: &mut ConeProblem) {
        let (n, d) = (self.size, cone.dimension());
        let at = |touching: usize, k: usize| (d * touching + k) * n..(d * touching + k + 1) * n;
        for (t, &alpha) in self.touching.iter().enumerate() {
            for k in 0..d {
                let terms = self.answers[at(t, k)].iter().zip(&self.free);
                let b = &mut cone.b[d * alpha as usize + k];
                *b = terms.fold(*b, |b, (answer, free)| b - answer * free);
            }
            for (u, &beta) in self.touching.iter().enumerate() {
                let block = cone.w.blocks_mut().block_mut(alpha as usize, beta as usize);
                for (entry, w) in block.iter_mut().enumerate() {
                    let answers = &self.answers[at(t, entry / d)];
                    let terms = answers.iter().zip(&self.transfer[at(u, entry % d)]);
                    *w = terms.fold(*w, |w, (answer, transfer)| w - answer * transfer);
                }
            }
        }
    }
}
