//! What a step does to the energies, what contacts do in it, and the sums of both.

use crate::tape::Tape;

/// Works u_N,θ p_N and u_T,θ·p_T of one contact in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWork {
    /// Normal.
    pub normal: f64,
    /// Tangential.
    pub tangential: f64,
    /// What passes through the contact: its impulse, and rounding of one that it could need, times the velocities that it
    /// meets, of which the works are a small difference where it holds. Nothing but the contact itself enters it.
    pub passed: f64,
}

impl ContactWork {
    /// The sum of its positive works.
    pub(super) fn created(&self) -> f64 {
        let positive = |work: f64| if work <= 0.0 { 0.0 } else { work };
        positive(self.normal) + positive(self.tangential)
    }
}

/// What the stepper measures of one step: the energies after it, and the works within it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTerms {
    /// ½ vᵀMv.
    pub kinetic: f64,
    /// ½ qᵀKq.
    pub strain: f64,
    /// −f·q of the conservative loads.
    pub potential: f64,
    /// h v_θ·F_θ, with the work of driven dofs and moving obstacles.
    pub work_external: f64,
    /// −h v_θᵀC v_θ.
    pub work_damping: f64,
    /// (½−θ)(‖Δv‖²_M + ‖Δq‖²_K).
    pub dissipation_numerical: f64,
    /// What rounding alone can make of the balance.
    pub rounding: f64,
}

impl StepTerms {
    /// E = kinetic + strain + potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.strain + self.potential
    }

    /// Adds those of more dofs.
    pub fn add(&mut self, more: &Self) {
        self.kinetic += more.kinetic;
        self.strain += more.strain;
        self.potential += more.potential;
        self.work_external += more.work_external;
        self.work_damping += more.work_damping;
        self.dissipation_numerical += more.dissipation_numerical;
        self.rounding += more.rounding;
    }
}

/// Energies now, and works since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// ½ vᵀMv.
    pub kinetic: f64,
    /// ½ qᵀKq.
    pub strain: f64,
    /// Potential of the conservative loads.
    pub potential: f64,
    /// Work of external forces, driven dofs and moving obstacles.
    pub work_external: f64,
    /// Work of damping.
    pub work_damping: f64,
    /// Normal work of all contacts.
    pub work_normal: f64,
    /// Tangential work of all contacts.
    pub work_tangential: f64,
    /// Numerical dissipation of θ > ½.
    pub dissipation_numerical: f64,
    /// Sum of all positive works of single contacts.
    pub work_created: f64,
    /// Sum of what passed through the contacts.
    pub work_passed: f64,
}

impl Totals {
    /// E = kinetic + strain + potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.strain + self.potential
    }
}

impl Totals {
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.kinetic);
        tape.real(&mut self.strain);
        tape.real(&mut self.potential);
        tape.real(&mut self.work_external);
        tape.real(&mut self.work_damping);
        tape.real(&mut self.work_normal);
        tape.real(&mut self.work_tangential);
        tape.real(&mut self.dissipation_numerical);
        tape.real(&mut self.work_created);
        tape.real(&mut self.work_passed);
    }
}

/// The balance of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepBalance {
    /// Left side less right side of the identity.
    pub residual: f64,
    /// Largest tangential work of a contact, or 0.
    pub max_tangential: f64,
    /// Smallest tangential work of a contact, or 0.
    pub min_tangential: f64,
    /// Largest normal work of a contact, or 0.
    pub max_normal: f64,
    /// Largest share of what passes through a contact that it created, or 0.
    pub work_share: f64,
    /// What rounding alone can have made of the residual.
    pub rounding: f64,
    /// Number of active contacts.
    pub contacts: usize,
}

impl StepBalance {
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.residual);
        tape.real(&mut self.max_tangential);
        tape.real(&mut self.min_tangential);
        tape.real(&mut self.max_normal);
        tape.real(&mut self.work_share);
        tape.real(&mut self.rounding);
        tape.size(&mut self.contacts);
    }
}

/// What one candidate did since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactTotals {
    /// Works, and what passed through it.
    pub work: ContactWork,
    /// Sum of its positive works.
    pub created: f64,
    /// Impulse (normal, tangential) in the frames of its steps.
    pub impulse: [f64; 3],
    /// How often it closed.
    pub closings: u64,
    /// Steps in stick.
    pub stick: u64,
    /// Steps in slip.
    pub slip: u64,
    pub(super) touching: bool,
}

impl ContactTotals {
    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.real(&mut self.work.normal);
        tape.real(&mut self.work.tangential);
        tape.real(&mut self.work.passed);
        tape.real(&mut self.created);
        tape.reals(&mut self.impulse);
        tape.count(&mut self.closings);
        tape.count(&mut self.stick);
        tape.count(&mut self.slip);
        tape.flag(&mut self.touching);
    }
}

/// What the scheme itself gave and took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NumericalWork {
    /// The most that it has ever given in all since the start, or 0.
    pub gained: f64,
    /// Sum of the magnitudes of all that it gave and took.
    pub passed: f64,
    /// What rounding alone can have made of it.
    pub rounding: f64,
}

impl NumericalWork {
    /// Enters a step before and after which it has given so much since the start.
    pub fn enter(&mut self, before: f64, after: f64, rounding: f64) {
        self.gained = larger(self.gained, after);
        self.passed += (after - before).abs();
        self.rounding += rounding;
    }
}

/// The larger of two numbers, or NaN where one is: what is not a number must not hide.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}
