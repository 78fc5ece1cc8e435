//! Isotropic linear elasticity in the plane.

use nalgebra::{Matrix3, Vector3};

/// What the plane does out of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// σ_zz = 0: thin plates.
    Stress,
    /// ε_zz = 0: long bodies.
    Strain,
}

/// An isotropic elastic material with Rayleigh damping.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus E.
    pub young: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Density ρ.
    pub density: f64,
    /// Out-of-plane thickness.
    pub thickness: f64,
    /// Plane stress or plane strain.
    pub plane: Plane,
    /// α of C = αM + βK.
    pub damping_mass: f64,
    /// β of C = αM + βK.
    pub damping_stiffness: f64,
}

impl Material {
    /// Stiffness of the plane, σ = D ε with ε = (ε_xx, ε_yy, γ_xy).
    ///
    /// ```text
    ///     plane stress   D = E/(1−ν²) [1 ν 0; ν 1 0; 0 0 (1−ν)/2]
    ///     plane strain   D = E/((1+ν)(1−2ν)) [1−ν ν 0; ν 1−ν 0; 0 0 (1−2ν)/2]
    /// ```
    pub fn stiffness(&self) -> Matrix3<f64> {
        let (e, nu) = (self.young, self.poisson);
        let (direct, cross) = match self.plane {
            Plane::Stress => (e / (1.0 - nu * nu), nu * e / (1.0 - nu * nu)),
            Plane::Strain => {
                let scale = e / ((1.0 + nu) * (1.0 - 2.0 * nu));
                ((1.0 - nu) * scale, nu * scale)
            }
        };
        let shear = 0.5 * e / (1.0 + nu);
        Matrix3::new(direct, cross, 0.0, cross, direct, 0.0, 0.0, 0.0, shear)
    }

    /// Out-of-plane stress σ_zz that goes with the stress (σ_xx, σ_yy, σ_xy).
    pub fn stress_zz(&self, stress: Vector3<f64>) -> f64 {
        match self.plane {
            Plane::Stress => 0.0,
            Plane::Strain => self.poisson * (stress[0] + stress[1]),
        }
    }

    /// Out-of-plane strain ε_zz that goes with the stress (σ_xx, σ_yy, σ_xy).
    pub fn strain_zz(&self, stress: Vector3<f64>) -> f64 {
        match self.plane {
            Plane::Stress => -self.poisson / self.young * (stress[0] + stress[1]),
            Plane::Strain => 0.0,
        }
    }

    /// Speed of dilatational waves in the plane, √(D₁₁/ρ).
    pub fn wave_speed(&self) -> f64 {
        (self.stiffness()[(0, 0)] / self.density).sqrt()
    }
}

/// √(½[(σ₁₁−σ₂₂)² + (σ₂₂−σ₃₃)² + (σ₃₃−σ₁₁)²] + 3(σ₁₂² + σ₂₃² + σ₁₃²)), for (xx, yy, zz, xy, yz, xz).
pub fn von_mises(s: [f64; 6]) -> f64 {
    let direct = (s[0] - s[1]).powi(2) + (s[1] - s[2]).powi(2) + (s[2] - s[0]).powi(2);
    let shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    (0.5 * direct + 3.0 * shear).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steel(plane: Plane) -> Material {
        Material {
            young: 210.0,
            poisson: 0.3,
            density: 7.8,
            thickness: 1.0,
            plane,
            damping_mass: 0.0,
            damping_stiffness: 0.0,
        }
    }

    /// Hooke's law in three dimensions: ε_zz = (σ_zz − ν(σ_xx + σ_yy))/E closes in both planes.
    #[test]
    fn both_planes_satisfy_hookes_law_out_of_the_plane() {
        for plane in [Plane::Stress, Plane::Strain] {
            let material = steel(plane);
            let stress = material.stiffness() * Vector3::new(1e-3, -2e-3, 5e-4);
            let zz = material.stress_zz(stress);
            let expected = (zz - 0.3 * (stress[0] + stress[1])) / 210.0;
            assert!((material.strain_zz(stress) - expected).abs() < 1e-18);
        }
    }

    #[test]
    fn von_mises_of_pure_tension_is_the_tension_and_of_pure_shear_root_three_times_it() {
        assert_eq!(von_mises([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 2.0);
        assert!((von_mises([0.0, 0.0, 0.0, 2.0, 0.0, 0.0]) - 2.0 * 3f64.sqrt()).abs() < 1e-15);
    }
}
