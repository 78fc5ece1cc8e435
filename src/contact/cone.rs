//! The cone problem of one step as plain data, and the one residual of all its solvers.

use serde::{Deserialize, Serialize};

/// Find p with
///
/// ```text
///     û = W p + b,     K* ∋ û + μ‖û_T‖ n  ⟂  p ∈ K,     K = { ‖p_T‖ ≤ μ p_N }             (1)
/// ```
///
/// contact by contact: the normal component first, then the tangential ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConeProblem {
    /// Components per contact: 2 in the plane.
    pub dimension: usize,
    /// Delassus matrix W, row by row.
    pub w: Vec<f64>,
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
    /// Of the impulse (p_N, p_T) of a contact that sees the sliding velocity `u_t` (û_T), in the
    /// plane. `noise` is the velocity below which nothing slides.
    pub fn of(p: [f64; 2], mu: f64, u_t: f64, noise: f64) -> Self {
        if p[0] <= 0.0 {
            Self::Open
        } else if p[1].abs() >= mu * p[0] * (1.0 - 1e-9) && u_t.abs() > noise {
            Self::Slip
        } else {
            Self::Stick
        }
    }
}

impl ConeProblem {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// Row `i` of W.
    pub fn row(&self, i: usize) -> &[f64] {
        let n = self.b.len();
        &self.w[i * n..(i + 1) * n]
    }

    /// û = W p + b.
    pub fn velocity_into(&self, p: &[f64], u: &mut [f64]) {
        u.copy_from_slice(&self.b);
        for (j, &p_j) in p.iter().enumerate() {
            if p_j != 0.0 {
                // W is symmetric: its row j is its column j.
                u.iter_mut().zip(self.row(j)).for_each(|(u, w)| *u += w * p_j);
            }
        }
    }

    /// Relative error of p whose velocity is û: the natural map of (91) with each contact in its
    /// own units of impulse, so that neither the units of W nor those of b change it,
    ///
    /// ```text
    ///     ‖ (p_α − proj_K(p_α − ρ_α (û_α + μ‖û_T,α‖n)))/ρ_α ‖ / ‖b‖,     ρ_α = 1/tr W_αα        (2)
    /// ```
    ///
    /// The paper's criterion is ρ = 1 and 1 + ‖b‖ below. Zero where b = 0 and p = 0.
    pub fn error(&self, p: &[f64], u: &[f64]) -> f64 {
        let d = self.dimension;
        let mut sum = 0.0;
        for (alpha, &mu) in self.mu.iter().enumerate() {
            let at = alpha * d;
            let trace: f64 = (at..at + d).map(|i| self.row(i)[i]).sum();
            let rho = 1.0 / trace.max(f64::MIN_POSITIVE);
            let gap = natural_map(&p[at..at + d], &u[at..at + d], mu, rho);
            sum += gap / (rho * rho);
        }
        let scale: f64 = self.b.iter().map(|b| b * b).sum();
        if sum == 0.0 { 0.0 } else { (sum / scale.max(f64::MIN_POSITIVE)).sqrt() }
    }
}

/// ‖p − proj_K(p − ρ(û + μ‖û_T‖n))‖² of one contact.
fn natural_map(p: &[f64], u: &[f64], mu: f64, rho: f64) -> f64 {
    let sliding = norm(&u[1..]);
    let normal = p[0] - rho * (u[0] + mu * sliding);
    let tangent = |i: usize| p[i] - rho * u[i];
    let size = (1..p.len()).map(|i| tangent(i) * tangent(i)).sum::<f64>().sqrt();
    let (kept_normal, kept_tangent) = project(normal, size, mu);
    let shrink = if size > 0.0 { kept_tangent / size } else { 0.0 };
    let mut gap = (p[0] - kept_normal).powi(2);
    for i in 1..p.len() {
        gap += (p[i] - shrink * tangent(i)).powi(2);
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

fn norm(x: &[f64]) -> f64 {
    match x {
        [one] => one.abs(),
        _ => x.iter().map(|v| v * v).sum::<f64>().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_contact(b: [f64; 2]) -> ConeProblem {
        ConeProblem { dimension: 2, w: vec![2.0, 0.5, 0.5, 1.0], b: b.to_vec(), mu: vec![0.5] }
    }

    fn error_at(problem: &ConeProblem, p: [f64; 2]) -> f64 {
        let mut u = [0.0; 2];
        problem.velocity_into(&p, &mut u);
        problem.error(&p, &u)
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
            let scaled = ConeProblem {
                w: problem.w.iter().map(|w| w * w_unit).collect(),
                b: problem.b.iter().map(|b| b * b_unit).collect(),
                ..problem.clone()
            };
            let p_scaled = p.map(|x| x * b_unit / w_unit);
            assert!((error_at(&scaled, p_scaled) / reference - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn status_tells_open_stick_and_slip_apart() {
        assert_eq!(Status::of([0.0, 0.0], 0.5, 1.0, 1e-9), Status::Open);
        assert_eq!(Status::of([1.0, 0.2], 0.5, 0.0, 1e-9), Status::Stick);
        assert_eq!(Status::of([1.0, -0.5], 0.5, 0.1, 1e-9), Status::Slip);
        assert_eq!(Status::of([1.0, 0.0], 0.0, 0.1, 1e-9), Status::Slip);
    }
}
