//! Isotropic linear elasticity of plates, long bodies, solids and bars.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// What the body is in the directions that its elements do not span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// σ_zz = 0: thin plates.
    PlaneStress {
        /// Out-of-plane thickness.
        thickness: f64,
    },
    /// ε_zz = 0: long bodies.
    PlaneStrain {
        /// Out-of-plane thickness that forces and masses are counted for.
        thickness: f64,
    },
    /// All three directions are in the mesh.
    Solid,
    /// σ = E ε along the bar, nothing across it.
    Bar {
        /// Area of the cross-section.
        area: f64,
    },
}

impl Section {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlaneStress { .. } => "plane stress",
            Self::PlaneStrain { .. } => "plane strain",
            Self::Solid => "solid",
            Self::Bar { .. } => "bar",
        }
    }

    /// In words, with its size.
    pub fn description(self) -> String {
        match self {
            Self::PlaneStress { thickness } | Self::PlaneStrain { thickness } => {
                format!("{}, thickness {thickness}", self.name())
            }
            Self::Bar { area } => format!("bars of area {area}"),
            Self::Solid => self.name().into(),
        }
    }

    /// What turns an integral over the element into one over the body: the thickness, 1, or the area.
    pub fn depth(self) -> f64 {
        match self {
            Self::PlaneStress { thickness } | Self::PlaneStrain { thickness } => thickness,
            Self::Solid => 1.0,
            Self::Bar { area } => area,
        }
    }
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
    /// Plane, solid or bar.
    pub section: Section,
    /// α of C = αM + βK.
    pub damping_mass: f64,
    /// β of C = αM + βK.
    pub damping_stiffness: f64,
}

/// Strain and stress at a point; tensor components xx, yy, zz, xy, yz, xz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strained {
    /// ε (ε_xy = γ_xy/2).
    pub strain: [f64; 6],
    /// σ.
    pub stress: [f64; 6],
}

impl Material {
    /// A solid, without damping.
    pub fn solid(young: f64, poisson: f64, density: f64) -> Self {
        let section = Section::Solid;
        Self { young, poisson, density, section, damping_mass: 0.0, damping_stiffness: 0.0 }
    }

    /// The same in another section: a plane, or bars.
    pub fn of_section(self, section: Section) -> Self {
        Self { section, ..self }
    }

    /// The same with C = αM + βK.
    pub fn damped(self, damping_mass: f64, damping_stiffness: f64) -> Self {
        Self { damping_mass, damping_stiffness, ..self }
    }

    /// λ and μ with σ = λ tr(ε) I + 2μ ε over the directions that the elements span.
    ///
    /// ```text
    ///     μ = E/(2(1+ν))
    ///     solid, plane strain   λ = Eν/((1+ν)(1−2ν))
    ///     plane stress          λ = Eν/(1−ν²)              σ_zz = 0 condensed
    ///     bar                   λ = E − 2μ                 one direction: λ + 2μ = E
    /// ```
    pub fn lame(&self) -> [f64; 2] {
        let (e, nu) = (self.young, self.poisson);
        let mu = 0.5 * e / (1.0 + nu);
        let lambda = match self.section {
            Section::PlaneStress { .. } => nu * e / (1.0 - nu * nu),
            Section::PlaneStrain { .. } | Section::Solid => {
                nu * (e / ((1.0 + nu) * (1.0 - 2.0 * nu)))
            }
            Section::Bar { .. } => e - 2.0 * mu,
        };
        [lambda, mu]
    }

    /// Stiffness in the plane, σ = D ε with ε = (ε_xx, ε_yy, γ_xy).
    ///
    /// ```text
    ///     plane stress   D = E/(1−ν²) [1 ν 0; ν 1 0; 0 0 (1−ν)/2]
    ///     plane strain   D = E/((1+ν)(1−2ν)) [1−ν ν 0; ν 1−ν 0; 0 0 (1−2ν)/2]
    /// ```
    pub fn plane_stiffness(&self) -> Matrix3<f64> {
        let (e, nu) = (self.young, self.poisson);
        let (direct, cross) = match self.section {
            Section::PlaneStress { .. } => (e / (1.0 - nu * nu), nu * e / (1.0 - nu * nu)),
            Section::PlaneStrain { .. } => {
                let scale = e / ((1.0 + nu) * (1.0 - 2.0 * nu));
                ((1.0 - nu) * scale, nu * scale)
            }
            Section::Solid | Section::Bar { .. } => {
                panic!("a plane element needs plane stress or plane strain, not {:?}", self.section)
            }
        };
        let shear = 0.5 * e / (1.0 + nu);
        Matrix3::new(direct, cross, 0.0, cross, direct, 0.0, 0.0, 0.0, shear)
    }

    /// Stiffness in space, σ = D ε with ε = (ε_xx, ε_yy, ε_zz, γ_xy, γ_yz, γ_xz).
    ///
    /// ```text
    ///     D = [λ + 2μ on the diagonal and λ beside it; μ on the diagonal of the shears]
    /// ```
    pub fn solid_stiffness(&self) -> Matrix6<f64> {
        let [lambda, mu] = self.lame();
        Matrix6::from_fn(|i, j| match (i < 3, j < 3) {
            (true, true) if i == j => lambda + 2.0 * mu,
            (true, true) => lambda,
            (false, false) if i == j => mu,
            (false, false) | (true, false) | (false, true) => 0.0,
        })
    }

    /// All components of strain and stress that go with the strain the displacements make, given as
    /// (ε_xx, ε_yy, ε_zz, γ_xy, γ_yz, γ_xz) with zeros where the elements do not reach.
    ///
    /// ```text
    ///     plane stress   ε_zz = −ν/E (σ_xx + σ_yy)      σ_zz = 0
    ///     plane strain   ε_zz = 0                       σ_zz = ν (σ_xx + σ_yy)
    ///     bar along n    ε = ε_n (n⊗n − ν(I − n⊗n))     σ = E ε_n n⊗n          given ε_n n⊗n
    /// ```
    pub fn strained(&self, given: [f64; 6]) -> Strained {
        let [xx, yy, zz, xy, yz, xz] = given;
        match self.section {
            Section::PlaneStress { .. } | Section::PlaneStrain { .. } => {
                let s = self.plane_stiffness() * Vector3::new(xx, yy, xy);
                Strained {
                    strain: [xx, yy, self.strain_zz(s), 0.5 * xy, 0.0, 0.0],
                    stress: [s[0], s[1], self.stress_zz(s), s[2], 0.0, 0.0],
                }
            }
            Section::Solid => {
                let stress = self.solid_stiffness() * Vector6::from(given);
                Strained {
                    strain: [xx, yy, zz, 0.5 * xy, 0.5 * yz, 0.5 * xz],
                    stress: stress.into(),
                }
            }
            Section::Bar { .. } => {
                let axial = [xx, yy, zz, 0.5 * xy, 0.5 * yz, 0.5 * xz];
                let across = self.poisson * (xx + yy + zz);
                let strain = std::array::from_fn(|i| {
                    (1.0 + self.poisson) * axial[i] - if i < 3 { across } else { 0.0 }
                });
                Strained { strain, stress: axial.map(|e| self.young * e) }
            }
        }
    }

    /// Out-of-plane stress σ_zz that goes with the stress (σ_xx, σ_yy, σ_xy).
    fn stress_zz(&self, stress: Vector3<f64>) -> f64 {
        match self.section {
            Section::PlaneStrain { .. } => self.poisson * (stress[0] + stress[1]),
            Section::PlaneStress { .. } | Section::Solid | Section::Bar { .. } => 0.0,
        }
    }

    /// Out-of-plane strain ε_zz that goes with the stress (σ_xx, σ_yy, σ_xy).
    fn strain_zz(&self, stress: Vector3<f64>) -> f64 {
        match self.section {
            Section::PlaneStress { .. } => -self.poisson / self.young * (stress[0] + stress[1]),
            Section::PlaneStrain { .. } | Section::Solid | Section::Bar { .. } => 0.0,
        }
    }

    /// Speed of dilatational waves, √((λ + 2μ)/ρ); along a bar √(E/ρ).
    pub fn wave_speed(&self) -> f64 {
        let stiffness = match self.section {
            Section::PlaneStress { .. } | Section::PlaneStrain { .. } => {
                self.plane_stiffness()[(0, 0)]
            }
            Section::Solid => self.solid_stiffness()[(0, 0)],
            Section::Bar { .. } => self.young,
        };
        (stiffness / self.density).sqrt()
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

    const PLANES: [Section; 2] =
        [Section::PlaneStress { thickness: 1.0 }, Section::PlaneStrain { thickness: 1.0 }];

    fn steel(section: Section) -> Material {
        Material {
            young: 210.0,
            poisson: 0.3,
            density: 7.8,
            section,
            damping_mass: 0.0,
            damping_stiffness: 0.0,
        }
    }

    /// ε = ((1+ν)σ − ν tr(σ) I)/E closes in all six components for every section; rounding of strains
    /// near 1e-3.
    #[test]
    fn every_section_satisfies_hookes_law_in_space() {
        let direction = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
        let [x, y, z] = direction;
        let along = [x * x, y * y, z * z, 2.0 * x * y, 2.0 * y * z, 2.0 * x * z];
        let plane = [1e-3, -2e-3, 0.0, 5e-4, 0.0, 0.0];
        let cases = [
            (PLANES[0], plane),
            (PLANES[1], plane),
            (Section::Solid, [1e-3, -2e-3, 3e-4, 5e-4, -7e-4, 1.1e-3]),
            (Section::Bar { area: 2.0 }, along.map(|e| 1e-3 * e)),
        ];
        for (section, given) in cases {
            let Strained { strain, stress } = steel(section).strained(given);
            let trace: f64 = stress[..3].iter().sum();
            for i in 0..6 {
                let sphere = if i < 3 { 0.3 * trace } else { 0.0 };
                let expected = (1.3 * stress[i] - sphere) / 210.0;
                assert!((strain[i] - expected).abs() < 2e-18, "{section:?}: {strain:?} {stress:?}");
            }
        }
    }

    /// The two forms of the same law, up to rounding.
    #[test]
    fn lame_constants_and_the_stiffness_of_the_plane_agree() {
        for section in PLANES {
            let material = steel(section);
            let ([lambda, mu], d) = (material.lame(), material.plane_stiffness());
            assert!((lambda + 2.0 * mu - d[(0, 0)]).abs() < 1e-13, "{section:?}");
            assert!((lambda - d[(0, 1)]).abs() < 1e-13 && (mu - d[(2, 2)]).abs() < 1e-13);
        }
    }

    #[test]
    fn waves_run_slower_the_less_the_section_is_held() {
        let speed = |section| steel(section).wave_speed();
        let bar = speed(Section::Bar { area: 1.0 });
        assert_eq!(bar, (210.0f64 / 7.8).sqrt());
        assert!(bar < speed(PLANES[0]) && speed(PLANES[0]) < speed(PLANES[1]));
        assert!((speed(PLANES[1]) - speed(Section::Solid)).abs() < 1e-14);
    }

    #[test]
    fn von_mises_of_pure_tension_is_the_tension_and_of_pure_shear_root_three_times_it() {
        assert_eq!(von_mises([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 2.0);
        assert!((von_mises([0.0, 0.0, 0.0, 2.0, 0.0, 0.0]) - 2.0 * 3f64.sqrt()).abs() < 1e-15);
    }
}
