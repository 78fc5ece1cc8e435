//! The cone problem of one step as plain data, and the one residual of all its solvers.

use serde::{Deserialize, Serialize, Serializer};

use super::product::SavedProduct;
use super::{BlockColumns, Delassus};
use crate::linalg::Partition;

/// Find p with
///
/// ```text
///     û = W p + b,     K* ∋ û + μ‖û_T‖ n  ⟂  p ∈ K,     K = { ‖p_T‖ ≤ μ p_N }             (1)
/// ```
///
/// contact by contact: the normal component first, then the tangential ones.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "DenseForm")]
pub struct ConeProblem {
    /// Delassus matrix W.
    pub w: Delassus,
    /// Velocity û that p = 0 would leave.
    pub b: Vec<f64>,
    /// Coulomb's coefficient of each contact.
    pub mu: Vec<f64>,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// p = 0.
    Open,
    /// p inside its cone.
    Stick,
    /// p on the surface of its cone, against the sliding.
    Slip,
}

impl Status {
    /// Of the impulse (p_N, p_T) of a contact that sees the sliding speed ‖û_T‖. `noise` is the
    /// speed below which nothing slides.
    pub fn of(p: [f64; 3], mu: f64, sliding: f64, noise: f64) -> Self {
        if p[0] <= 0.0 {
            Self::Open
        } else if norm(&p[1..]) >= mu * p[0] * (1.0 - 1e-9) && sliding > noise {
            Self::Slip
        } else {
            Self::Stick
        }
    }
}

/// As it is saved: W row by row.
#[derive(Serialize, Deserialize)]
struct DenseForm {
    dimension: usize,
    w: Vec<f64>,
    b: Vec<f64>,
    mu: Vec<f64>,
}

impl TryFrom<DenseForm> for ConeProblem {
    type Error = String;

    fn try_from(file: DenseForm) -> Result<Self, String> {
        let DenseForm { dimension, w, b, mu } = file;
        let size = mu.len() * dimension;
        if !matches!(dimension, 2 | 3) || b.len() != size || w.len() != size * size {
            return Err(format!(
                "{} numbers in w and {} in b do not fit {} contacts of {dimension} components",
                w.len(),
                b.len(),
                mu.len()
            ));
        }
        Ok(Self::dense(dimension, &w, b, mu))
    }
}

/// With W row by row; as a global problem of masses and H where it is a product through bodies.
impl Serialize for ConeProblem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (b, mu) = (self.b.clone(), self.mu.clone());
        if let Some(product) = self.w.product() {
            return SavedProduct::of(product, b, mu).serialize(serializer);
        }
        let (dimension, w) = (self.dimension(), self.w.blocks().to_dense());
        DenseForm { dimension, w, b, mu }.serialize(serializer)
    }
}

impl ConeProblem {
    /// With a dense W, given row by row.
    pub fn dense(dimension: usize, w: &[f64], b: Vec<f64>, mu: Vec<f64>) -> Self {
        Self { w: BlockColumns::dense(dimension, w).into(), b, mu }
    }

    /// Empty, with room for so many contacts, and pairs of them that feel each other.
    pub fn with_capacity(dimension: usize, contacts: usize, pairs: usize) -> Self {
        Self {
            w: BlockColumns::with_capacity(dimension, contacts, pairs).into(),
            b: Vec::with_capacity(dimension * contacts),
            mu: Vec::with_capacity(contacts),
        }
    }

    /// Bytes of W with so many pairs of contacts that feel each other.
    pub fn bytes_for(dimension: usize, pairs: usize) -> usize {
        BlockColumns::bytes_for(dimension, pairs)
    }

    /// Components per contact: 2 in the plane, 3 in space.
    pub fn dimension(&self) -> usize {
        self.w.dimension()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The same problem with its contacts in another order: contact `order[i]` becomes contact i.
    pub fn permuted(&self, order: &[u32]) -> Self {
        let d = self.dimension();
        let own = |&old: &u32| self.b[d * old as usize..][..d].iter().copied();
        Self {
            w: self.w.blocks().permuted(order).into(),
            b: order.iter().flat_map(own).collect(),
            mu: order.iter().map(|&old| self.mu[old as usize]).collect(),
        }
    }

    /// Becomes that of one of the `islands` of another one.
    pub fn select(&mut self, problem: &Self, islands: &Partition, which: usize) {
        let d = problem.dimension();
        self.w.select(&problem.w, islands, which);
        self.b.clear();
        self.mu.clear();
        for &contact in islands.members(which) {
            self.b.extend_from_slice(&problem.b[d * contact as usize..][..d]);
            self.mu.push(problem.mu[contact as usize]);
        }
    }

    /// What turns the impulse of contact `alpha` into a velocity in [`Measure::Scaled`]: tr W_αα, or
    /// the mean of all where nothing can move it.
    pub fn rate_of(&self, alpha: usize) -> f64 {
        match self.dimension() {
            2 => self.rate::<2>(alpha),
            _ => self.rate::<3>(alpha),
        }
    }

    /// û = W p + b.
    pub fn velocity_into(&self, p: &[f64], u: &mut [f64]) {
        if let Some(product) = self.w.product() {
            let mut motion = vec![0.0; product.motion_size()];
            product.motion_into(p, &mut motion);
            return product.velocity_into(&self.b, &motion, u);
        }
        u.copy_from_slice(&self.b);
        for (beta, p) in p.chunks_exact(self.dimension()).enumerate() {
            if p.iter().any(|&p| p != 0.0) {
                self.w.blocks().add_column(beta, p, u);
            }
        }
    }

    /// Relative error of p whose velocity is û: how far p is from the fixed point of the natural map
    /// of (91), which is zero at solutions of (1) and nowhere else; never NaN. See [`Measure`].
    pub fn error(&self, measure: Measure, p: &[f64], u: &[f64]) -> f64 {
        let error = self.error_in_units(measure, p, u, 1.0);
        let size = norm(&self.b);
        if error.is_finite() && (SMALLEST..LARGEST).contains(&size) {
            return error;
        }
        // Squares over- or underflow; (1) does not change with the unit of velocity.
        let all = || [p, u, &self.b].into_iter().flatten();
        if !all().all(|x| x.is_finite()) {
            return f64::INFINITY;
        }
        let largest = all().fold(0.0, |m, x| f64::max(m, x.abs()));
        let error = match largest {
            0.0 => 0.0,
            _ => self.error_in_units(measure, p, u, (1.0 / largest).min(f64::MAX)),
        };
        if error.is_nan() { f64::INFINITY } else { error }
    }

    fn error_in_units(&self, measure: Measure, p: &[f64], u: &[f64], unit: f64) -> f64 {
        let [map, normal] = match self.dimension() {
            2 => self.distances::<2>(measure, p, u, unit),
            _ => self.distances::<3>(measure, p, u, unit),
        };
        let norm = |x: &[f64]| x.iter().map(|x| (unit * x) * (unit * x)).sum::<f64>().sqrt();
        let over = |distance: f64, scale: f64| match distance {
            0.0 => 0.0,
            _ => distance / scale.max(f64::MIN_POSITIVE),
        };
        let size = norm(&self.b);
        let normal = over(normal, size);
        match measure {
            Measure::Scaled => over(map, size).max(normal),
            Measure::Natural => match size.max(norm(p)).max(norm(u)) {
                scale if scale > unit * f64::EPSILON => over(map, scale).max(normal * normal),
                _ => map / unit,
            },
            Measure::Paper => over(map, unit + size).max(normal * normal),
        }
    }

    /// ‖F_ρ/ρ‖ with the ρ of `measure`, and ‖min(p_N/ρ_α, û_N)‖.
    fn distances<const D: usize>(
        &self,
        measure: Measure,
        p: &[f64],
        u: &[f64],
        unit: f64,
    ) -> [f64; 2] {
        let contacts = p.as_chunks::<D>().0.iter().zip(u.as_chunks::<D>().0).zip(&self.mu);
        let (mut map, mut normal, mut impulse) = (0.0, 0.0, 0.0);
        for (alpha, ((p, u), &mu)) in contacts.enumerate() {
            let (p, u) = (p.map(|p| unit * p), u.map(|u| unit * u));
            if p == [0.0; D] && u[0] >= 0.0 {
                continue;
            }
            // F_ρ(p)/ρ = F₁(p/ρ): the cone does not see the scale.
            let rate = self.rate::<D>(alpha);
            let scaled = p.map(|p| rate * p);
            let seen = if measure == Measure::Scaled { scaled } else { p };
            map += natural_map(&seen, &u, mu);
            // The map fades as 1/μ where friction is huge; this part of (1) does not.
            let least = scaled[0].min(u[0]);
            normal += least * least;
            impulse += scaled.iter().map(|p| p * p).sum::<f64>();
        }
        // Next to an impulse that runs away velocities are but rounding, and so is the map.
        let velocity: f64 = self.b.iter().map(|b| (unit * b) * (unit * b)).sum();
        let lost = impulse > LOST * LOST * velocity;
        let rounding = if lost { 8.0 * f64::EPSILON * impulse.sqrt() } else { 0.0 };
        [map.sqrt(), normal.sqrt() + rounding]
    }

    /// tr W_αα; for a contact that nothing can move the mean of all, or 1 where that is nothing too.
    fn rate<const D: usize>(&self, alpha: usize) -> f64 {
        let trace = |alpha| self.w.diagonal(alpha).iter().step_by(D + 1).sum::<f64>();
        let own = trace(alpha);
        if own > 0.0 {
            return own;
        }
        let mean = (0..self.contacts()).map(trace).sum::<f64>() / self.contacts() as f64;
        if mean > 0.0 { mean } else { 1.0 }
    }
}

/// Impulse, as the velocity it would make alone and as a share of b, from which on its rounding counts:
/// where nothing solves a problem, methods lead there.
const LOST: f64 = 1e8;
/// ‖b‖ whose square, and that of what is small or large next to it, can be told.
const SMALLEST: f64 = 1e-100;
const LARGEST: f64 = 1e100;

/// How the natural map
///
/// ```text
///     F_ρ(p) = p − proj_K(p − ρ(û + μ‖û_T‖n))
/// ```
///
/// becomes one number. They are zero together; they differ in the units in which an impulse and a
/// velocity are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// ‖F_α,ρ/ρ_α‖/‖b‖ with ρ_α = 1/tr W_αα: every contact in its own units, so that neither those
    /// of W nor those of b change it; not below ‖min(p_N/ρ, û_N)‖/‖b‖, which huge friction does not hide. A
    /// contact that nothing can move, W_αα = 0, has the mean of the others. The steppers use it.
    Scaled,
    /// ‖F₁‖/max(‖b‖, ‖p‖, ‖û‖): what comparisons on FCLIB problems use. As there, it is ‖F₁‖ itself
    /// where all three are below the rounding of 1. It is not below the square of ‖min(p_N/ρ, û_N)‖/‖b‖:
    /// where nothing solves a problem, ‖p‖ may grow until any error is small next to it.
    Natural,
    /// ‖F₁‖/(1 + ‖b‖): the paper's section 4; with the same guard.
    Paper,
}

/// ‖F₁(p)‖² of one contact.
#[inline(always)]
fn natural_map<const D: usize>(p: &[f64; D], u: &[f64; D], mu: f64) -> f64 {
    let sliding = norm(&u[1..]);
    let normal = p[0] - (u[0] + mu * sliding);
    let trial: [f64; D] = std::array::from_fn(|i| p[i] - u[i]);
    let size = norm(&trial[1..]);
    let (kept_normal, kept_tangent) = project(normal, size, mu);
    let shrink = if size > 0.0 { kept_tangent / size } else { 0.0 };
    let mut gap = (p[0] - kept_normal) * (p[0] - kept_normal);
    for i in 1..D {
        let off = p[i] - shrink * trial[i];
        gap += off * off;
    }
    gap
}

/// Projection of (normal, tangential size) on the cone of slope μ.
fn project(normal: f64, size: f64, mu: f64) -> (f64, f64) {
    if normal >= 0.0 && size <= mu * normal {
        (normal, size)
    } else if mu * size <= -normal {
        (0.0, 0.0)
    } else {
        let along = (normal + mu * size) / (1.0 + mu * mu);
        (along, mu * along)
    }
}

/// ‖x‖.
pub(crate) fn norm(x: &[f64]) -> f64 {
    match x {
        [one] => one.abs(),
        _ => x.iter().map(|v| v * v).sum::<f64>().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_contact(b: [f64; 2]) -> ConeProblem {
        ConeProblem::dense(2, &[2.0, 0.5, 0.5, 1.0], b.to_vec(), vec![0.5])
    }

    fn error_at(problem: &ConeProblem, p: [f64; 2]) -> f64 {
        let mut u = [0.0; 2];
        problem.velocity_into(&p, &mut u);
        problem.error(Measure::Scaled, &p, &u)
    }

    /// Solutions worked out by hand: open b_N > 0; stick p = −W⁻¹b; slip p_T = μp_N, û_N = 0.
    #[test]
    fn error_vanishes_on_open_stick_and_slip_solutions_and_nowhere_near() {
        let cases = [
            ([1.0, 3.0], [0.0, 0.0]),
            ([-1.75, -0.5], [3.0 / 3.5, 0.125 / 1.75]),
            ([-2.25, -4.0], [1.0, 0.5]),
        ];
        for (b, p) in cases {
            let problem = one_contact(b);
            assert!(error_at(&problem, p) < 1e-16, "b = {b:?}");
            assert!(error_at(&problem, [p[0] + 1e-3, p[1]]) > 1e-5);
            assert!(error_at(&problem, [p[0], p[1] + 1e-3]) > 1e-5);
        }
    }

    #[test]
    fn error_does_not_change_with_the_units_of_impulse_or_velocity() {
        let problem = one_contact([-2.0, -4.0]);
        let p = [1.1, 0.4];
        let reference = error_at(&problem, p);
        for (w_unit, b_unit) in [(1e8, 1.0), (1.0, 1e-8), (1e-8, 1e8)] {
            let w = [2.0, 0.5, 0.5, 1.0].map(|w| w * w_unit);
            let b = problem.b.iter().map(|b| b * b_unit).collect();
            let scaled = ConeProblem::dense(2, &w, b, vec![0.5]);
            let p_scaled = p.map(|x| x * b_unit / w_unit);
            assert!((error_at(&scaled, p_scaled) / reference - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn status_tells_open_stick_and_slip_apart() {
        assert_eq!(Status::of([0.0, 0.0, 0.0], 0.5, 1.0, 1e-9), Status::Open);
        assert_eq!(Status::of([1.0, 0.2, 0.3], 0.5, 0.0, 1e-9), Status::Stick);
        assert_eq!(Status::of([1.0, -0.3, 0.4], 0.5, 0.1, 1e-9), Status::Slip);
        assert_eq!(Status::of([1.0, 0.0, 0.0], 0.0, 0.1, 1e-9), Status::Slip);
    }
}
