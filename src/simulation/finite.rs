//! Numbers that are none, among many.

use crate::energy::{Ledger, StepTerms, Totals};

/// Whether no number is NaN or infinite: 0·x is 0 then, and only then.
pub(super) fn all_finite(numbers: &[f64]) -> bool {
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += 0.0 * x);
    }
    sums.iter().chain(rest).map(|x| 0.0 * x).sum::<f64>() == 0.0
}

/// The first energy of a step that is none.
pub(super) fn in_terms(terms: &StepTerms) -> Option<(&'static str, f64)> {
    let numbers = [
        ("kinetic energy", terms.kinetic),
        ("strain energy", terms.strain),
        ("potential energy", terms.potential),
        ("external work", terms.work_external),
        ("work of damping", terms.work_damping),
        ("numerical dissipation", terms.dissipation_numerical),
        ("total energy", terms.total()),
    ];
    numbers.into_iter().find(|(_, value)| !value.is_finite())
}

/// The first sum since the start that is none.
pub(super) fn in_totals(totals: &Totals) -> Option<(&'static str, f64)> {
    let numbers = [
        ("normal work of the contacts", totals.work_normal),
        ("tangential work of the contacts", totals.work_tangential),
        ("external work since the start", totals.work_external),
        ("work of damping since the start", totals.work_damping),
        ("numerical dissipation since the start", totals.dissipation_numerical),
    ];
    numbers.into_iter().find(|(_, value)| !value.is_finite())
}

/// The first of what a run is judged by that is none.
pub(super) fn in_limits(ledger: &Ledger) -> Option<(&'static str, f64)> {
    let numbers = [
        ("rounding of the energy balance", ledger.worst().rounding),
        ("sum of what passed through the contacts", ledger.totals().work_passed),
        ("scale of all energies", ledger.energy_scale()),
    ];
    numbers.into_iter().find(|(_, value)| !value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_none_is_found_wherever_it_stands() {
        for length in [0, 1, 7, 8, 9, 40] {
            let numbers = vec![-1e308; length];
            assert!(all_finite(&numbers), "{length}");
            for at in 0..length {
                for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let mut numbers = numbers.clone();
                    numbers[at] = value;
                    assert!(!all_finite(&numbers), "{value} at {at} of {length}");
                }
            }
        }
    }
}
